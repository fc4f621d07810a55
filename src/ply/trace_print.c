/* SPDX-License-Identifier: MIT
 * trace_print.c - a line for each message, for people or as JSON. */
#include "ply/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <plyd/client.h>
#include "base/hex.h"
#include "ply/json.h"

enum { US_PER_S = 1000000, US_PER_MS = 1000, CLOCK_TEXT_MAX = 32 };

#define GREY   "\033[90m"
#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define CYAN   "\033[36m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

static const struct client_value *shown(const struct value *v)
{
	return (const struct client_value *)v;
}

/* -- values -- */

/* Whose text is nobody's business. */
static const char *const secrets[] = {
	"token",
	"bot_token",
	"password",
	/* of account.password */
	"old",
	"new",
};

static void hide(json_t *j)
{
	size_t i;
	const char *key;
	json_t *item;
	if (json_is_array(j))
		json_array_foreach(j, i, item) hide(item);
	if (!json_is_object(j))
		return;
	for (i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
		if (json_is_string(json_object_get(j, secrets[i])))
			json_object_set_new(j, secrets[i],
					    json_string("(hidden)"));
	json_object_foreach(j, key, item) hide(item);
}

/* Gives the value as JSON; of a missing one null. */
static json_t *value_json(const struct trace *t, const struct value *v)
{
	json_t *j = json_of_value(shown(v));
	if (j && !t->secrets)
		hide(j);
	return j ? j : json_null();
}

/* The parameters, as people read them: without the array around them. */
static json_t *params_json(const struct trace *t, const struct value *params)
{
	return value_json(t, value_count(params) == 1 ? value_at(params, 0)
						      : params);
}

/* -- requests that wait -- */

static void remember(struct trace_stream *s, uint32_t id,
		     const struct value *method, int64_t at_us)
{
	struct trace_open *o = &s->open[s->next_open++ % TRACE_OPEN_MAX];
	o->id = id;
	o->at_us = at_us;
	client_copy(shown(method), o->method, sizeof(o->method));
}

static struct trace_open take_open(struct trace_stream *s, uint32_t id)
{
	struct trace_open none = { .method = "?" };
	for (size_t i = 0; i < TRACE_OPEN_MAX; i++) {
		struct trace_open o = s->open[i];
		if (!o.method[0] || o.id != id)
			continue;
		s->open[i].method[0] = '\0';
		return o;
	}
	return none;
}

/* -- lines -- */

struct line {
	const char *kind; /* "request", "response", "notification", "note" */
	const char *colour;
	char name[TRACE_METHOD_MAX];
	int64_t id;      /* -1: none */
	int64_t took_us; /* -1: not known */
	int err;         /* of the message itself */
	json_t *error;   /* an error answer, or NULL */
	json_t *body;
};

static void print_json(const struct trace_stream *s, bool from_server,
		       const struct line *l, int64_t unix_us)
{
	json_t *j = json_pack("{s:I,s:i,s:s,s:s,s:s}", "unix_us",
			      (json_int_t)unix_us, "connection", (int)s->number,
			      "from", from_server ? "server" : "client", "kind",
			      l->kind, "name", l->name);
	if (l->id >= 0)
		json_object_set_new(j, "id", json_integer(l->id));
	if (l->took_us >= 0)
		json_object_set_new(j, "took_us", json_integer(l->took_us));
	if (l->err)
		json_object_set_new(j, "refused",
				    json_string(plyd_err_name(l->err)));
	if (l->error)
		json_object_set(j, "error", l->error);
	json_object_set(j, "body", l->body);
	json_dumpf(j, s->trace->out, JSON_COMPACT);
	fputc('\n', s->trace->out);
	json_decref(j);
}

static void clock_text(int64_t unix_us, char out[CLOCK_TEXT_MAX])
{
	time_t seconds = (time_t)(unix_us / US_PER_S);
	struct tm tm;
	localtime_r(&seconds, &tm);
	snprintf(out, CLOCK_TEXT_MAX, "%02d:%02d:%02d.%03d", tm.tm_hour % 24,
		 tm.tm_min % 60, tm.tm_sec % 61,
		 (int)(unix_us % US_PER_S / US_PER_MS) % 1000);
}

/* Cuts a line to the width of the terminal, not within a character. */
static void cut(struct buf *b, size_t width)
{
	static const char more[] = "...";
	if (width == 0 || b->len <= width)
		return;
	size_t len = width > sizeof(more) ? width - sizeof(more) + 1 : 0;
	while (len > 0 && (b->at[len] & 0xc0) == 0x80)
		len--;
	b->len = len;
	buf_put_str(b, more);
}

static void put_json_text(struct buf *b, const json_t *j)
{
	char *text = json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY);
	buf_put_str(b, text ? text : "");
	free(text);
}

static void print_line(const struct trace_stream *s, bool from_server,
		       const struct line *l, int64_t unix_us)
{
	const struct trace *t = s->trace;
	char clock[CLOCK_TEXT_MAX];
	struct buf b;
	buf_init(&b, ANSWER_BYTES_MAX * 8);
	clock_text(unix_us, clock);
	bool note = l->id < 0 && !l->name[0];
	const char *arrow = note ? "--" : from_server ? "<-" : "->";
	buf_printf(&b, "%s %u %s ", clock, s->number, arrow);
	size_t head = b.len;
	if (l->id >= 0)
		buf_printf(&b, "%" PRId64 " ", l->id);
	buf_put_str(&b, l->name);
	if (l->took_us >= 0)
		buf_printf(&b, " %.1f ms", (double)l->took_us / US_PER_MS);
	if (l->err)
		buf_printf(&b, " (%s)", plyd_err_name(l->err));
	if (l->error) {
		buf_put_str(&b, " ");
		put_json_text(&b, l->error);
	} else if (note) {
		buf_put_str(&b, json_string_value(l->body));
	} else {
		buf_put_str(&b, " ");
		put_json_text(&b, l->body);
	}
	cut(&b, t->width);
	head = head < b.len ? head : b.len;
	if (t->colour)
		fprintf(t->out, GREY "%.*s%s%.*s" PLAIN "\n", (int)head,
			(const char *)b.at, l->colour, (int)(b.len - head),
			(const char *)b.at + head);
	else
		fprintf(t->out, "%.*s\n", (int)b.len, (const char *)b.at);
	buf_release(&b);
}

static void print(struct trace_stream *s, bool from_server, struct line *l,
		  int64_t unix_us)
{
	s->trace->lines++;
	if (s->trace->json)
		print_json(s, from_server, l, unix_us);
	else
		print_line(s, from_server, l, unix_us);
	json_decref(l->error);
	json_decref(l->body);
}

/* -- messages -- */

/* False: it is not of that form. */
static bool read_request(struct trace_stream *s, const struct value *root,
			 struct line *l, int64_t unix_us)
{
	uint64_t id;
	if (value_count(root) != 4 ||
	    value_uint(value_at(root, 1), UINT32_MAX, &id) ||
	    !client_copy(shown(value_at(root, 2)), l->name, sizeof(l->name)))
		return false;
	remember(s, (uint32_t)id, value_at(root, 2), unix_us);
	l->kind = "request";
	l->colour = CYAN;
	l->id = (int64_t)id;
	l->body = params_json(s->trace, value_at(root, 3));
	return true;
}

static bool read_response(struct trace_stream *s, const struct value *root,
			  struct line *l, int64_t unix_us)
{
	uint64_t id;
	if (value_count(root) != 4 ||
	    value_uint(value_at(root, 1), UINT32_MAX, &id))
		return false;
	struct trace_open o = take_open(s, (uint32_t)id);
	snprintf(l->name, sizeof(l->name), "%s", o.method);
	l->kind = "response";
	l->id = (int64_t)id;
	l->took_us = o.at_us > 0 ? unix_us - o.at_us : -1;
	l->colour = GREEN;
	if (value_type(value_at(root, 2)) != VALUE_NIL) {
		l->error = value_json(s->trace, value_at(root, 2));
		l->colour = RED;
	}
	l->body = value_json(s->trace, value_at(root, 3));
	return true;
}

static bool read_notification(struct trace_stream *s, const struct value *root,
			      struct line *l)
{
	if (value_count(root) != 3 ||
	    !client_copy(shown(value_at(root, 1)), l->name, sizeof(l->name)))
		return false;
	l->kind = "notification";
	l->colour = YELLOW;
	l->body = params_json(s->trace, value_at(root, 2));
	return true;
}

static void read_other(struct trace_stream *s, const struct value *root,
		       struct span bytes, struct line *l)
{
	char hex[2 * TRACE_HEX_MAX + 1];
	size_t len = bytes.len < TRACE_HEX_MAX ? bytes.len : TRACE_HEX_MAX;
	hex_write(bytes.at, len, hex);
	l->kind = "unknown";
	l->colour = RED;
	snprintf(l->name, sizeof(l->name), "%s", "no message of the protocol:");
	l->body = root ? value_json(s->trace, root) : json_string(hex);
}

void trace_message(struct trace_stream *s, bool from_server,
		   const struct value *root, struct span bytes, int err,
		   int64_t unix_us)
{
	struct line l = { .id = -1, .took_us = -1, .err = err };
	int64_t type;
	bool read = false;
	if (root && !value_int(value_at(root, 0), 0, 2, &type))
		read = type == 0   ? read_request(s, root, &l, unix_us)
		       : type == 1 ? read_response(s, root, &l, unix_us)
				   : read_notification(s, root, &l);
	if (!read)
		read_other(s, root, bytes, &l);
	if (err)
		l.colour = RED;
	print(s, from_server, &l, unix_us);
}

void trace_note(struct trace_stream *s, const char *text, int64_t unix_us)
{
	struct line l = {
		.kind = "note", .colour = GREY, .id = -1, .took_us = -1
	};
	l.body = json_string(text);
	print(s, false, &l, unix_us);
}
