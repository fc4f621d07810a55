/* SPDX-License-Identifier: MIT */
#include "base/table.h"

unsigned char table_key[crypto_shorthash_KEYBYTES];

void table_ready(void)
{
	crypto_shorthash_keygen(table_key);
}
