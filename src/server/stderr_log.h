/* SPDX-License-Identifier: MIT
 * stderr_log.h - the log of a program: logfmt lines on standard error, each
 * with journald's priority before it where journald reads them. Lines with the
 * same words are bounded, so that a flood of one kind buries no other: of those
 * beyond, their number is written. */
#ifndef PLYD_SERVER_STDERR_LOG_H
#define PLYD_SERVER_STDERR_LOG_H

#include <stdint.h>

enum log_format {
	LOG_FORMAT_AUTO, /* for journald, if that is at the other end */
	LOG_FORMAT_PLAIN,
	LOG_FORMAT_JOURNALD,
};

struct log_options {
	int level; /* this one and graver ones are written */
	enum log_format format;
	uint64_t like_max; /* lines with the same msg ... */
	uint64_t like_ms;  /* ... in so long */
};

void stderr_log_init(const struct log_options *options);
void stderr_log_set(const struct log_options *options);
/* Writes the numbers whose time has come; a few times a second. */
void stderr_log_tick(void);

/* Lines written, and left out, since the start. */
uint64_t stderr_log_written(void);
uint64_t stderr_log_left_out(void);

#endif
