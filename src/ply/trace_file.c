/* SPDX-License-Identifier: MIT
 * trace_file.c - captures: a line that says what it is, then a MessagePack array
 * for each piece that came, [connection, from the server, unix_us, bytes]. */
#include "ply/trace.h"

#include <stdlib.h>
#include <string.h>

#include "proto/write.h"

#define MAGIC "plyd-trace-1\n"

enum { PIECE_BYTES_MAX = 64 * 1024, STREAMS_MAX = 4096, ITEMS = 4 };

bool trace_save_begin(FILE *f)
{
	return fputs(MAGIC, f) >= 0;
}

void trace_save(FILE *f, unsigned number, bool from_server, struct span bytes,
		int64_t unix_us)
{
	struct buf b;
	buf_init(&b, STORE_BYTES_MAX);
	put_array(&b, ITEMS);
	put_uint(&b, number);
	put_bool(&b, from_server);
	put_int(&b, unix_us);
	put_bin(&b, bytes);
	if (!b.err)
		fwrite(b.at, 1, b.len, f);
	fflush(f); /* what led to a crash is what is wanted */
	buf_release(&b);
}

/* The streams of a file by their numbers. */
struct reader {
	struct trace *trace;
	struct trace_stream *stream[STREAMS_MAX]; /* by number */
	struct scan scan;
	struct buf in;
	struct doc *doc; /* of a piece; that of the trace is used meanwhile */
};

static struct trace_stream *stream_of(struct reader *r, uint64_t number)
{
	if (!r->stream[number]) {
		struct trace_stream *s = calloc(1, sizeof(*s));
		if (!s)
			return NULL;
		trace_stream_init(s, r->trace, (unsigned)number);
		r->stream[number] = s;
	}
	return r->stream[number];
}

static const char *read_piece(struct reader *r)
{
	const struct value *root;
	uint64_t number;
	int64_t unix_us;
	bool from_server;
	struct span bytes;
	if (doc_parse(r->doc, buf_span(&r->in), &doc_store, &root) ||
	    value_count(root) != ITEMS ||
	    value_uint(value_at(root, 0), STREAMS_MAX - 1, &number) ||
	    value_bool(value_at(root, 1), &from_server) ||
	    value_int(value_at(root, 2), 0, INT64_MAX, &unix_us) ||
	    value_bin(value_at(root, 3), &bytes))
		return "the capture is damaged";
	struct trace_stream *s = stream_of(r, number);
	if (!s)
		return "no memory";
	trace_feed(s, from_server, bytes, unix_us);
	return NULL;
}

static const char *read_capture(struct reader *r, struct span bytes)
{
	const char *why = NULL;
	while (bytes.len > 0 && !why) {
		size_t taken;
		int found = scan_feed(&r->scan, bytes, &taken);
		if (found < 0 || buf_put(&r->in, bytes.at, taken))
			return "the capture is damaged";
		if (found != SCAN_MORE) {
			why = read_piece(r);
			buf_clear(&r->in);
		}
		bytes = span_of(bytes.at + taken, bytes.len - taken);
	}
	return why;
}

static const char *read_all(struct reader *r, FILE *f)
{
	uint8_t bytes[PIECE_BYTES_MAX];
	const char *why = NULL;
	size_t len = fread(bytes, 1, strlen(MAGIC), f);
	bool bare = len < strlen(MAGIC) || memcmp(bytes, MAGIC, len) != 0;
	struct trace_stream *s = bare ? stream_of(r, 1) : NULL;
	if (bare && !s)
		return "no memory";
	if (bare) { /* times are unknown */
		s->by_kind = true;
		trace_feed(s, false, span_of(bytes, len), 0);
	}
	while (!why && (len = fread(bytes, 1, sizeof(bytes), f)) > 0) {
		if (bare)
			trace_feed(s, false, span_of(bytes, len), 0);
		else
			why = read_capture(r, span_of(bytes, len));
	}
	if (!why && ferror(f))
		why = "it cannot be read";
	if (!why &&
	    (bare ? scan_pending(&s->way[0].scan) : scan_pending(&r->scan)) > 0)
		why = "it ends in the middle of a message";
	return why;
}

const char *trace_read(struct trace *t, FILE *f)
{
	static const struct scan_limits limits = { STORE_BYTES_MAX, ITEMS * 4 };
	static struct reader r;
	const char *why = "no memory";
	r.trace = t;
	scan_init(&r.scan, &limits);
	buf_init(&r.in, STORE_BYTES_MAX);
	if ((r.doc = doc_new()))
		why = read_all(&r, f);
	for (size_t i = 0; i < STREAMS_MAX; i++) {
		if (r.stream[i])
			trace_stream_release(r.stream[i]);
		free(r.stream[i]);
	}
	buf_release(&r.in);
	doc_free(r.doc);
	return why;
}
