/* SPDX-License-Identifier: MIT
 * scan.h - finds where one MessagePack message ends in a stream of bytes, and
 * enforces every limit before anything is parsed. It reads no values: read.h
 * does. Pure, allocates nothing, looks at each byte once; one scan per stream,
 * not thread-safe. */
#ifndef PLYD_PROTO_SCAN_H
#define PLYD_PROTO_SCAN_H

#include "base/span.h"

enum {
	/* a request; published in the answer to hello */
	MESSAGE_BYTES_MAX = 64 * 1024,
	/* items of arrays, keys and values of maps, all of one message */
	MESSAGE_ELEMENTS_MAX = 1024,
	/* arrays and maps in one another; the outermost is 1 deep */
	MESSAGE_DEPTH_MAX = 8,
	/* the end of a deeper message is still found, up to here */
	SCAN_DEPTH_MAX = 32,
	/* what a client must be ready to read */
	ANSWER_BYTES_MAX = 1024 * 1024,
	ANSWER_ELEMENTS_MAX = 64 * 1024
};

struct scan_limits {
	size_t bytes;    /* of one message */
	size_t elements; /* of one message */
};
extern const struct scan_limits scan_requests; /* MESSAGE_* */
extern const struct scan_limits scan_answers;  /* ANSWER_* */

enum { SCAN_WORDS = 112 };
struct scan {
	uint64_t opaque[SCAN_WORDS]; /* scan.c knows */
};

enum {
	SCAN_MORE = 0,    /* the message goes on */
	SCAN_MESSAGE = 1, /* it ends with the last byte taken */
	SCAN_TOODEEP = 2  /* so it does, but answer it with PLYD_ETOODEEP */
};

/* limits must outlive s. There is nothing to release. */
void scan_init(struct scan *s, const struct scan_limits *limits);

/* Takes bytes up to the end of the message begun, in.len of them at most, and
 * sets *taken to their number; what remains belongs to the next message, for
 * which s is then ready. Any split is legal, even one byte at a time. Returns
 * one of the three above, or:
 * PLYD_EMESSAGE   the byte c1, or an ext of 2^32 - 1 bytes;
 * PLYD_ETOOLARGE  over the limits, told as soon as a header says so;
 * PLYD_ETOODEEP   over SCAN_DEPTH_MAX deep.
 * After an error the end cannot be known, and *taken means nothing: close the
 * stream. Every later call returns the same and takes nothing. */
int scan_feed(struct scan *s, struct span in, size_t *taken);

/* Bytes taken so far of a message that has not ended; 0 between messages. */
size_t scan_pending(const struct scan *s);

#endif
