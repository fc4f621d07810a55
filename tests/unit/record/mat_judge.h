/* SPDX-License-Identifier: MIT
 * mat_judge.h - writes records as match files and has them judged by the reader
 * of such files; apart, since domain and reader both have results of a kind. */
#ifndef PLYD_TESTS_MAT_JUDGE_H
#define PLYD_TESTS_MAT_JUDGE_H

#include "base/buf.h"

struct mat_seen {
	size_t games, faults, unfinished;
	unsigned points[2];
	unsigned length; /* of the match */
	size_t doubles, drops;
	char why[256];
};

/* Writes the file of a record's facts; PLYD_OK or why not. */
int mat_write(const struct buf *fact, size_t facts, struct buf *out);
/* Reads it back and judges every move and result. */
void mat_judge(const struct buf *file, struct mat_seen *out);

#endif
