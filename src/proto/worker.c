/* SPDX-License-Identifier: MIT */
#include "proto/worker.h"

#include <plyd/err.h>
#include "base/digest.h"

/* ---- fields, by type --------------------------------------------------- */

static void put_TEXT(struct buf *b, const struct span *text)
{
	put_str(b, *text);
}

static void put_BYTES(struct buf *b, const struct span *bytes)
{
	put_bin(b, *bytes);
}

static void put_INT(struct buf *b, const int64_t *value)
{
	put_int(b, *value);
}

static void put_WORD(struct buf *b, const uint64_t *value)
{
	put_uint(b, *value);
}

static void put_FLAG(struct buf *b, const bool *value)
{
	put_bool(b, *value);
}

static void put_WORDS(struct buf *b, const struct worker_words *list)
{
	put_bin(b, span_of(list->at, list->count * sizeof(list->at[0])));
}

static void put_TEXTS(struct buf *b, const struct worker_texts *list)
{
	put_array(b, (uint32_t)list->count);
	for (size_t i = 0; i < list->count; i++)
		put_str(b, list->at[i]);
}

static int check_length(struct span s, int64_t min, int64_t max)
{
	return s.len < (size_t)min || s.len > (size_t)max ? PLYD_ERANGE
							  : PLYD_OK;
}

static int read_TEXT(const struct value *v, int64_t min, int64_t max,
		     struct span *out)
{
	int err = value_str(v, out);
	return err ? err : check_length(*out, min, max);
}

static int read_BYTES(const struct value *v, int64_t min, int64_t max,
		      struct span *out)
{
	int err = value_bin(v, out);
	return err ? err : check_length(*out, min, max);
}

static int read_INT(const struct value *v, int64_t min, int64_t max,
		    int64_t *out)
{
	return value_int(v, min, max, out);
}

static int read_WORD(const struct value *v, int64_t min, int64_t max,
		     uint64_t *out)
{
	(void)min;
	(void)max;
	return value_uint(v, UINT64_MAX, out);
}

static int read_FLAG(const struct value *v, int64_t min, int64_t max, bool *out)
{
	(void)min;
	(void)max;
	return value_bool(v, out);
}

/* Whether v is a list of at most max items. */
static int check_list(const struct value *v, int64_t max)
{
	if (!v)
		return PLYD_EMISSING;
	if (value_type(v) != VALUE_ARRAY)
		return PLYD_EBADTYPE;
	return value_count(v) > (size_t)max ? PLYD_ERANGE : PLYD_OK;
}

static int read_WORDS(const struct value *v, int64_t min, int64_t max,
		      struct worker_words *out)
{
	(void)min;
	struct span s;
	const size_t word = sizeof(out->at[0]);
	int err = value_bin(v, &s);
	out->count = 0;
	if (err)
		return err;
	if (s.len % word != 0 || s.len > (size_t)max * word)
		return PLYD_ERANGE;
	out->count = s.len / word;
	if (s.len > 0)
		memcpy(out->at, s.at, s.len);
	return PLYD_OK;
}

static int read_TEXTS(const struct value *v, int64_t min, int64_t max,
		      struct worker_texts *out)
{
	(void)min;
	int err = check_list(v, max);
	out->count = err ? 0 : value_count(v);
	for (size_t i = 0; !err && i < out->count; i++)
		err = read_TEXT(value_at(v, i), 1, WORKER_NAME_MAX,
				&out->at[i]);
	return err;
}

/* ---- names ------------------------------------------------------------- */

static bool is_quote(uint8_t c)
{
	return c == '"' || c == '\'' || c == '[' || c == ']';
}

bool worker_source_names(struct span source, struct span name)
{
	const uint8_t *at = source.at, *end = source.at + source.len;
	while (name.len > 0 && (size_t)(end - at) > name.len + 1) {
		at = memmem(at, (size_t)(end - at) - 1, name.at, name.len);
		if (!at)
			return false;
		if (at > source.at && is_quote(at[-1]) &&
		    is_quote(at[name.len]))
			return true;
		at++;
	}
	return false;
}

/* ---- messages ---------------------------------------------------------- */

#define ONE(type, name, min, max, doc) +1
#define PUT(type, name, min, max, doc) put_##type(b, &m->name);
#define READ(type, name, min, max, doc)                                        \
	if (!err)                                                              \
		err = read_##type(value_at(v, i++), min, max, &out->name);

#define M(message, fields)                                                     \
	void message##_put(struct buf *b, const struct message *m)             \
	{                                                                      \
		put_array(b, 0 fields(ONE));                                   \
		fields(PUT)                                                    \
	}                                                                      \
	int message##_read(const struct value *v, struct message *out)         \
	{                                                                      \
		int err = PLYD_OK;                                             \
		size_t i = 0;                                                  \
		fields(READ) return err;                                       \
	}
WORKER_MESSAGES(M)
#undef M

/* ---- plyd's end -------------------------------------------------------- */

static const char *const method_names[] = {
	[ASKED_PING] = "ping",
	[ASKED_LOAD] = "load",
	[ASKED_CHOOSE] = "choose",
	[ASKED_VERDICT] = "verdict",
};
enum { METHODS = sizeof(method_names) / sizeof(method_names[0]) };

uint64_t worker_seed(struct span match, uint32_t ply)
{
	const uint8_t number[4] = { (uint8_t)(ply >> 24), (uint8_t)(ply >> 16),
				    (uint8_t)(ply >> 8), (uint8_t)ply };
	const struct span part[] = { match, span_of(number, sizeof(number)) };
	struct digest d = sha256(part, 2);
	uint64_t seed = 0;
	for (int i = 0; i < 8; i++)
		seed = seed << 8 | d.byte[i];
	return seed;
}

void worker_ask_ping(struct buf *b, uint32_t id)
{
	rpc_begin_request(b, id, method_names[ASKED_PING]);
	put_map(b, 0);
}

void worker_ask_load(struct buf *b, uint32_t id, const struct worker_load *m)
{
	rpc_begin_request(b, id, method_names[ASKED_LOAD]);
	worker_load_put(b, m);
}

void worker_ask_choose(struct buf *b, uint32_t id,
		       const struct worker_choose *m)
{
	rpc_begin_request(b, id, method_names[ASKED_CHOOSE]);
	worker_choose_put(b, m);
}

void worker_ask_verdict(struct buf *b, uint32_t id,
			const struct worker_verdict *m)
{
	rpc_begin_request(b, id, method_names[ASKED_VERDICT]);
	worker_verdict_put(b, m);
}

/* [2, "log", [[...]]] */
static int read_log(const struct value *v, struct worker_reply *out)
{
	struct span method;
	int err = value_str(value_at(v, 1), &method);
	if (err || !span_is(method, "log"))
		return PLYD_EMESSAGE;
	out->is_log = true;
	return worker_log_read(value_at(value_at(v, 2), 0), &out->log);
}

/* [code, name, message, details] */
static int read_error(const struct value *v, struct worker_reply *out)
{
	int64_t code;
	int err = value_int(value_at(v, 0), INT32_MIN, -1, &code);
	if (err)
		return err;
	out->err = (int)code;
	return worker_error_read(value_at(v, 3), &out->error);
}

/* What a whole message says. */
static int read_reply(const struct value *v, struct worker_reply *out)
{
	int64_t type;
	int err = value_int(value_at(v, 0), 1, 2, &type);
	if (err)
		return err;
	if (type == 2)
		return read_log(v, out);
	uint64_t id;
	err = value_uint(value_at(v, 1), UINT32_MAX, &id);
	if (err)
		return err;
	out->id = (uint32_t)id;
	const struct value *failure = value_at(v, 2);
	out->result = value_at(v, 3);
	if (!failure || !out->result)
		return PLYD_EMESSAGE;
	return value_type(failure) == VALUE_NIL ? PLYD_OK
						: read_error(failure, out);
}

int worker_read(struct doc *d, struct span bytes, struct worker_reply *out)
{
	const struct value *v;
	*out = (struct worker_reply){ .is_log = false };
	int err = doc_parse(d, bytes, &doc_store, &v);
	return err ? err : read_reply(v, out);
}

int worker_read_scanned(struct doc *d, struct span bytes, int found,
			struct worker_reply *out)
{
	const struct value *v;
	*out = (struct worker_reply){ .is_log = false };
	int err = doc_parse_scanned(d, bytes, found, &doc_store, &v);
	return err ? err : read_reply(v, out);
}

/* ---- the worker's end -------------------------------------------------- */

/* The place of name in method_names; METHODS: none. */
static size_t find_method(struct span name)
{
	size_t i = 0;
	while (i < METHODS && !span_is(name, method_names[i]))
		i++;
	return i;
}

int worker_read_question(struct doc *d, struct span bytes,
			 struct worker_question *out)
{
	const struct value *v;
	int err = doc_parse(d, bytes, &doc_store, &v);
	int64_t type;
	uint64_t id;
	struct span name;
	if (!err)
		err = value_int(value_at(v, 0), 0, 0, &type);
	if (!err)
		err = value_uint(value_at(v, 1), UINT32_MAX, &id);
	if (!err)
		err = value_str(value_at(v, 2), &name);
	if (err)
		return err;
	out->id = (uint32_t)id;
	out->method = (enum worker_method)find_method(name);
	const struct value *params = value_at(value_at(v, 3), 0);
	switch (out->method) {
	case ASKED_PING: return PLYD_OK;
	case ASKED_LOAD: return worker_load_read(params, &out->load);
	case ASKED_CHOOSE: return worker_choose_read(params, &out->choose);
	case ASKED_VERDICT: return worker_verdict_read(params, &out->verdict);
	}
	return PLYD_EMETHOD;
}

static void put_details(struct buf *b, void *payload)
{
	worker_error_put(b, payload);
}

void worker_answer_error(struct buf *b, uint32_t id, int err,
			 const struct worker_error *e)
{
	struct worker_error details = *e;
	rpc_error(b, id, err, NULL, put_details, &details);
}

void worker_send_log(struct buf *b, const struct worker_log *m)
{
	rpc_begin_notification(b, "log");
	worker_log_put(b, m);
}
