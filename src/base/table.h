/* SPDX-License-Identifier: MIT
 * table.h - uthash with a keyed hash (SipHash) and without its exit() when
 * memory runs out. Include this, never <uthash.h>. After HASH_ADD look whether
 * the element is there: with no memory it was not added. */
#ifndef PLYD_BASE_TABLE_H
#define PLYD_BASE_TABLE_H

#include <stdint.h>

#include <sodium.h>

/* The key is random per process and set by table_ready(); iteration follows
 * insertion, so no behaviour depends on it. */
extern unsigned char table_key[crypto_shorthash_KEYBYTES];
void table_ready(void);

static inline unsigned table_hash(const void *key, unsigned len)
{
	uint64_t h;
	crypto_shorthash((unsigned char *)&h, key, len, table_key);
	return (unsigned)h;
}

#define HASH_FUNCTION(keyptr, keylen, hashv)                                   \
	do {                                                                   \
		(hashv) = table_hash((keyptr), (unsigned)(keylen));            \
	} while (0)
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#endif
