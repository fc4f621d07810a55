/* SPDX-License-Identifier: MIT
 * trace.h - what passes between clients and a server, decoded: a line a message.
 * trace.c reads the streams, trace_print.c writes the lines, trace_file.c keeps
 * and reads captures, cmd_trace.c is the proxy and owns them. */
#ifndef PLYD_PLY_TRACE_H
#define PLYD_PLY_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "proto/read.h"

enum {
	TRACE_OPEN_MAX = 64, /* requests of a connection that are remembered */
	TRACE_METHOD_MAX = 40,
	TRACE_HEX_MAX = 32 /* bytes that are shown of what is no message */
};

struct trace {
	FILE *out;
	FILE *save; /* a capture, or NULL */
	bool colour, json;
	bool secrets; /* passwords and tokens are shown */
	size_t width; /* of a line, in bytes; 0: without end */
	uint64_t lines;
	struct doc *doc;
};

/* A request whose answer has not come. */
struct trace_open {
	uint32_t id;
	char method[TRACE_METHOD_MAX]; /* "": the place is free */
	int64_t at_us;
};

/* One direction of a connection. */
struct trace_way {
	struct scan scan;
	struct buf in; /* a message that has not ended */
	bool lost;     /* where messages begin is not known any more */
};

struct trace_stream {
	struct trace *trace;
	unsigned number;
	bool by_kind;            /* one stream of both directions, or unknown */
	struct trace_way way[2]; /* 0 from the client, 1 from the server */
	struct trace_open open[TRACE_OPEN_MAX];
	size_t next_open;
};

void trace_stream_init(struct trace_stream *s, struct trace *t,
		       unsigned number);
void trace_stream_release(struct trace_stream *s);
/* Takes what came; unix_us is the time of the wall clock. */
void trace_feed(struct trace_stream *s, bool from_server, struct span bytes,
		int64_t unix_us);

/* -- trace_print.c -- */

/* A message, and what was wrong with it: an error of doc_parse(), or 0. root
 * NULL: it is none, and bytes are shown. */
void trace_message(struct trace_stream *s, bool from_server,
		   const struct value *root, struct span bytes, int err,
		   int64_t unix_us);
/* What happened to a connection, in words. */
void trace_note(struct trace_stream *s, const char *text, int64_t unix_us);

/* -- trace_file.c -- */

bool trace_save_begin(FILE *f);
/* Appends what came on a connection. */
void trace_save(FILE *f, unsigned number, bool from_server, struct span bytes,
		int64_t unix_us);
/* Shows a capture, or a file of bare messages. NULL, or what is wrong. */
const char *trace_read(struct trace *t, FILE *f);

#endif
