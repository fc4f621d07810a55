/* SPDX-License-Identifier: MIT
 * trace.c - finds the messages in the bytes of both directions. */
#include "ply/trace.h"

#include <string.h>

#include <plyd/err.h>

void trace_stream_init(struct trace_stream *s, struct trace *t, unsigned number)
{
	memset(s, 0, sizeof(*s));
	s->trace = t;
	s->number = number;
	for (int i = 0; i < 2; i++) {
		/* a client may send more than a server reads: it is shown */
		scan_init(&s->way[i].scan, &scan_answers);
		buf_init(&s->way[i].in, ANSWER_BYTES_MAX);
	}
}

void trace_stream_release(struct trace_stream *s)
{
	for (int i = 0; i < 2; i++)
		buf_release(&s->way[i].in);
}

static void give_up(struct trace_stream *s, bool from_server, struct span bytes,
		    int err, int64_t unix_us)
{
	s->way[from_server].lost = true;
	trace_message(s, from_server, NULL, bytes, err, unix_us);
	trace_note(s, "what follows is passed on and not shown", unix_us);
}

static void on_message(struct trace_stream *s, bool from_server,
		       struct span bytes, int64_t unix_us)
{
	const struct value *root;
	int64_t type;
	bool strict = !from_server && !s->by_kind;
	int err = doc_parse(s->trace->doc, bytes,
			    strict ? &doc_request : &doc_answer, &root);
	if (s->by_kind && !value_int(value_at(root, 0), 1, 2, &type))
		from_server = true;
	trace_message(s, from_server, root, bytes, err, unix_us);
}

void trace_feed(struct trace_stream *s, bool from_server, struct span bytes,
		int64_t unix_us)
{
	struct trace_way *w = &s->way[from_server];
	if (s->trace->save)
		trace_save(s->trace->save, s->number, from_server, bytes,
			   unix_us);
	while (bytes.len > 0 && !w->lost) {
		size_t taken;
		int found = scan_feed(&w->scan, bytes, &taken);
		if (found < 0) {
			give_up(s, from_server, bytes, found, unix_us);
			break;
		}
		if (buf_put(&w->in, bytes.at, taken)) {
			give_up(s, from_server, bytes, w->in.err, unix_us);
			break;
		}
		if (found != SCAN_MORE) {
			on_message(s, from_server, buf_span(&w->in), unix_us);
			buf_clear(&w->in);
		}
		bytes = span_of(bytes.at + taken, bytes.len - taken);
	}
}
