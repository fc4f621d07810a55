/* SPDX-License-Identifier: MIT
 * Any stream must be cut alike in every split, and what the scan calls a
 * message must be one for the reader. */
#include "fuzz.h"

#include <plyd/err.h>
#include "proto/read.h"
#include "proto/scan.h"

/* Feeds pieces of `piece` bytes until the scan says something. */
static int end_of(struct span in, size_t piece, size_t *end)
{
	struct scan s;
	int ret = SCAN_MORE;
	scan_init(&s, &scan_requests);
	*end = 0;
	while (ret == SCAN_MORE && *end < in.len) {
		size_t n = in.len - *end, taken;
		if (n > piece)
			n = piece;
		ret = scan_feed(&s, span_of(in.at + *end, n), &taken);
		insist(taken <= n && (ret != SCAN_MORE || taken == n));
		*end += taken;
	}
	return ret;
}

static void read_message(struct span message, int ret)
{
	static struct doc *d;
	const struct value *root;
	if (!d)
		d = doc_new();
	int err = doc_parse(d, message, &doc_request, &root);
	insist(root != NULL);
	insist((err == PLYD_ETOODEEP) == (ret == SCAN_TOODEEP));
	insist(err != PLYD_ENOMEM);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	if (len < 1)
		return 0;
	size_t piece = 1 + bytes[0] % 16;
	struct span in = span_of(bytes + 1, len - 1);
	while (in.len > 0) {
		size_t end, end_in_pieces;
		int ret = end_of(in, SIZE_MAX, &end);
		insist(end_of(in, piece, &end_in_pieces) == ret);
		if (ret <= 0)
			break;
		insist(end == end_in_pieces);
		read_message(span_of(in.at, end), ret);
		in = span_of(in.at + end, in.len - end);
	}
	return 0;
}
