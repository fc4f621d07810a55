/* SPDX-License-Identifier: MIT
 * record_file.h - the record of a match in a file: the result of record.get as
 * MessagePack, as it came. */
#ifndef PLYD_PLY_RECORD_FILE_H
#define PLYD_PLY_RECORD_FILE_H

#include <plyd/client.h>
#include "base/buf.h"
#include "base/digest.h"
#include "base/id.h"
#include "proto/read.h"

/* What is in it. Values are lent by what was read. */
struct record_view {
	struct id match;
	struct digest head;
	bool redacted;             /* a player has deleted his account */
	struct digest after_begun; /* if redacted: the chain after fact 1 */
	const struct client_value *facts; /* an array of hex texts */
};

/* Looks into a result of record.get. False: it is none. */
bool record_view(const struct client_value *result, struct record_view *out);

/* Fact i as bytes, to `bytes`, which is emptied first. False: it is no hex, is
 * too long, or there is no memory. */
bool record_fact(const struct record_view *r, size_t i, struct buf *bytes);

/* Reads a file into bytes and doc, which lend *out. NULL, or what is wrong. */
const char *record_read(const char *path, struct buf *bytes, struct doc *doc,
			struct record_view *out);

/* Writes it; "-": to the output, else the file's name is printed there. The
 * exit status; who is for complaints. */
int record_save(const char *who, const char *path, struct span bytes);

#endif
