/* SPDX-License-Identifier: MIT */
#include "backgammon_records.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	return records_hold(FORMAT_SGF, bytes, len);
}
