/* SPDX-License-Identifier: MIT
 * log.h - where every room's words for the operator go: one line an event, in
 * logfmt. A program sets the sink; without one, lines are dropped. Never log a
 * token, a password or a dice seed. */
#ifndef PLYD_BASE_LOG_H
#define PLYD_BASE_LOG_H

#include <stddef.h>

/* The numbers are journald's priorities. */
enum log_level { LOG_ERROR = 3, LOG_WARNING = 4, LOG_INFO = 6, LOG_DEBUG = 7 };

enum { LOG_LINE_MAX = 1024 };

/* text holds one line without a newline, for example:
 * `msg="match ended" match=abcdefghij result=white` */
typedef void log_sink_fn(void *payload, enum log_level level, const char *text);

/* sink NULL: drop. Set once, before threads start. */
void log_set_sink(log_sink_fn *sink, void *payload);

/* Logs msg="..." and, if pairs is not "", the formatted pairs after it. Values
 * that may hold spaces or quotes go through log_quote(). Thread-safe if the
 * sink is. */
void log_event(enum log_level level, const char *msg, const char *pairs, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes text in quotes, with control characters, quotes and bytes over 126
 * escaped; cut to fit. Returns out. */
const char *log_quote(const char *text, size_t len, char *out, size_t size);

#endif
