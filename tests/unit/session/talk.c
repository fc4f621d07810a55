/* SPDX-License-Identifier: MIT */
#include "alloc.h"
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/table.h"
#include "proto/schema.h"
#include "proto/write.h"

/* A call into the hub: there an allocation may be made to fail. */
#define UNDER_TEST(call)                                                       \
	do {                                                                   \
		alloc_enter();                                                 \
		call;                                                          \
		alloc_leave();                                                 \
	} while (0)

/* -- the hub's owner -- */

static void on_send(void *payload, uint64_t conn, struct span bytes)
{
	struct talk *t = payload;
	assert_false(t->line[conn].closed);
	alloc_leave();
	if (t->line[conn].does_not_read)
		t->line[conn].queued += bytes.len;
	buf_put(&t->line[conn].said, bytes.at, bytes.len);
	t->line[conn].bytes += bytes.len;
	alloc_enter();
}

static void on_send_later(void *payload, uint64_t conn, struct span bytes)
{
	((struct talk *)payload)->line[conn].humble++;
	on_send(payload, conn, bytes);
}

static size_t on_queued(void *payload, uint64_t conn)
{
	return ((struct talk *)payload)->line[conn].queued;
}

static void on_reading(void *payload, uint64_t conn, bool on)
{
	((struct talk *)payload)->line[conn].stopped = !on;
}

static void on_close(void *payload, uint64_t conn)
{
	struct talk *t = payload;
	t->line[conn].closed = true;
}

static void put_u32(struct buf *b, size_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_put_byte(b, (uint8_t)(value >> shift));
}

static void on_append(void *payload, uint64_t row, const struct id *match,
		      uint64_t prev, struct span bytes)
{
	struct talk *t = payload;
	assert_true(row > t->last_row && prev < row);
	t->last_row = row;
	if (id_is_none(match))
		return;
	alloc_leave();
	buf_put(&t->rows, match->text, ID_CHARS);
	put_u32(&t->rows, bytes.len);
	buf_put(&t->rows, bytes.at, bytes.len);
	alloc_enter();
}

static void on_secret(void *payload, const struct id *match, struct span bytes)
{
	(void)payload, (void)match, (void)bytes;
}

static void on_finish(void *payload, const struct hub_ending *e)
{
	struct talk *t = payload;
	assert_true(e->last_row <= t->last_row);
	t->head = *e->head;
	t->finished++;
}

static void on_snapshot(void *payload, uint64_t row, struct span bytes)
{
	(void)bytes;
	((struct talk *)payload)->snapshot_row = row;
}

static int on_submit(void *payload)
{
	(void)payload;
	return PLYD_OK;
}

static void on_think(void *payload, const struct match *m, enum awaits asked)
{
	(void)payload, (void)m, (void)asked;
}

static void on_judge(void *payload, const struct match *m)
{
	((struct talk *)payload)->judged = m->id;
}

static void on_record(void *payload, uint64_t conn, uint32_t msgid,
		      const struct id *match)
{
	struct talk *t = payload;
	assert_false(t->reading.wanted);
	t->reading.wanted = true;
	t->reading.conn = conn;
	t->reading.msgid = msgid;
	t->reading.match = *match;
}

static void on_errand(void *payload, const struct hub_errand *e)
{
	struct talk *t = payload;
	t->errands++;
	t->errand = *e;
}

static void on_stop(void *payload)
{
	struct talk *t = payload;
	t->stops++;
}

static void on_hash(void *payload, const struct hashing *work)
{
	struct talk *t = payload;
	assert_true(t->hashings < COUNT(t->hashing));
	t->hashing[t->hashings].job = work->job;
	t->hashing[t->hashings].fits =
		!work->hash || (!strncmp(work->hash, "h:", 2) &&
				span_is(work->password, work->hash + 2));
	snprintf(t->hashing[t->hashings].hash, PASSWORD_HASH_MAX, "%s%.*s",
		 work->fresh.len > 0 ? "h:" : "", (int)work->fresh.len,
		 work->fresh.len > 0 ? (const char *)work->fresh.at : "");
	t->hashings++;
}

static void hash_all(struct talk *t)
{
	size_t count = t->hashings;
	t->hashings = 0;
	for (size_t i = 0; i < count; i++)
		UNDER_TEST(hub_hashed(t->hub, t->hashing[i].job,
				      t->hashing[i].fits,
				      span_str(t->hashing[i].hash), t->now_ms,
				      0));
}

void talk_hashed(struct talk *t)
{
	hash_all(t);
	hub_flush(t->hub, t->now_ms);
	if (!t->hold)
		talk_commit(t);
	talk_read(t);
}

/* The rows of one match, each with its length before it. */
static void give_record(struct talk *t)
{
	struct hub_record found = { .err = PLYD_ENORECORD };
	t->reading.wanted = false;
	buf_clear(&t->record);
	for (size_t at = 0; at < t->rows.len;) {
		const uint8_t *row = t->rows.at + at;
		size_t len = 0;
		for (int i = 0; i < 4; i++)
			len = len << 8 | row[ID_CHARS + i];
		if (!memcmp(row, t->reading.match.text, ID_CHARS))
			buf_put(&t->record, row + ID_CHARS, 4 + len);
		at += ID_CHARS + 4 + len;
	}
	if (t->record.len > 0)
		found = (struct hub_record){
			.head = span_of(t->head.byte, DIGEST_BYTES),
			.rows = buf_span(&t->record),
		};
	UNDER_TEST(hub_record(t->hub, t->reading.conn, t->reading.msgid,
			      &t->reading.match, &found));
}

void talk_recorded(struct talk *t)
{
	if (t->reading.wanted)
		give_record(t);
	UNDER_TEST(hub_flush(t->hub, t->now_ms));
	talk_read(t);
}

/* -- life -- */

static struct domain *new_domain(void)
{
	struct domain_limits limits;
	static struct match_rules rules[RULES_MAX];
	static const struct personality personality[] = {
		{ "calm", "c1", "Waits.", 0 },
		{ "picky", "", "Plays one game.", 1 },
	};
	struct entropy entropy;
	struct domain *d;
	for (size_t i = 0; i < ruleset_count(); i++) {
		bool draughts = ruleset_at(i)->family == FAMILY_DRAUGHTS;
		rules[i] = (struct match_rules){
			.rules = *ruleset_at(i),
			.clock = { .base_ms = 60000, .increment_ms = 1000 },
			.clock_limits = { .kinds = CLOCK_KINDS_ALL,
					  .base_ms_min = 1000,
					  .base_ms_max = 3600000,
					  .increment_ms_max = 60000,
					  .delay_ms_max = 60000,
					  .move_ms_min = 1000,
					  .move_ms_max = 864000000 },
			.draws = { .policy = "standard",
				   .no_progress = draughts ? 80 : 0,
				   .repetition = draughts ? 3 : 0 },
		};
	}
	domain_limits_default(&limits);
	entropy_from_seed(&entropy, 11);
	assert_int_equal(domain_new(&d, &limits, &entropy), 0);
	assert_int_equal(domain_set_rules(d, rules, ruleset_count()), 0);
	assert_int_equal(domain_set_personalities(d, personality, 2), 0);
	return d;
}

void talk_open(struct talk *t, const struct hub_limits *limits)
{
	struct entropy entropy;
	struct hub_ops ops = { .payload = t,
			       .send = on_send,
			       .send_later = on_send_later,
			       .close = on_close,
			       .queued = on_queued,
			       .read = on_reading,
			       .append = on_append,
			       .secret = on_secret,
			       .finish = on_finish,
			       .snapshot = on_snapshot,
			       .submit = on_submit,
			       .think = on_think,
			       .judge = on_judge,
			       .hash = on_hash,
			       .record = on_record,
			       .stop = on_stop,
			       .errand = on_errand };
	*t = (struct talk){ .now_ms = 1000 };
	assert_int_equal(crypto_ready(), 0);
	table_ready();
	if (limits) {
		t->limits = *limits;
	} else {
		hub_limits_default(&t->limits);
		t->limits.requests_burst = 1000000;
	}
	for (size_t i = 0; i < TALK_CONNS; i++)
		buf_init(&t->line[i].said, 1 << 24);
	buf_init(&t->kept, ANSWER_BYTES_MAX);
	buf_init(&t->rows, 1 << 26);
	buf_init(&t->record, 1 << 26);
	t->doc = doc_new();
	t->scratch = doc_new();
	entropy_from_seed(&entropy, 5);
	assert_int_equal(hub_new(&t->hub, new_domain(), &t->limits, &ops,
				 &entropy),
			 0);
	hub_wake(t->hub, t->now_ms, t->unix_ms);
}

void talk_close(struct talk *t)
{
	hub_free(t->hub);
	for (size_t i = 0; i < TALK_CONNS; i++)
		buf_release(&t->line[i].said);
	buf_release(&t->kept);
	buf_release(&t->rows);
	buf_release(&t->record);
	doc_free(t->doc);
	doc_free(t->scratch);
}

/* -- what is heard -- */

static void copy_text(const struct value *v, char out[TALK_NAME_MAX])
{
	struct span text;
	assert_int_equal(value_str(v, &text), 0);
	assert_true(span_copy(text, out, TALK_NAME_MAX));
}

static void check_shape(struct talk *t, const struct value *v, enum object o,
			const char *what)
{
	char why[SCHEMA_WHY_MAX] = "";
	t->checked++;
	if (!schema_check(v, o, why))
		fail_msg("%s: %s", what, why);
}

static void check_error(struct talk *t, const struct value *error)
{
	int64_t code;
	struct span text;
	assert_int_equal(value_count(error), 4);
	assert_int_equal(value_int(value_at(error, 0), -1000, -1, &code), 0);
	copy_text(value_at(error, 1), t->error);
	assert_string_equal(t->error, plyd_err_name((int)code));
	assert_int_equal(value_str(value_at(error, 2), &text), 0);
	assert_int_equal(value_type(value_at(error, 3)), VALUE_MAP);
	t->result = value_at(error, 3);
}

static void on_response(struct talk *t, struct line *l,
			const struct value *root)
{
	uint64_t id;
	const struct value *error = value_at(root, 2);
	assert_int_equal(value_count(root), 4);
	assert_int_equal(value_uint(value_at(root, 1), UINT32_MAX, &id), 0);
	l->answered = (uint32_t)id;
	l->answers++;
	t->error[0] = '\0';
	t->result = value_at(root, 3);
	if (value_type(error) != VALUE_NIL) {
		assert_int_equal(value_type(t->result), VALUE_NIL);
		check_error(t, error);
		return;
	}
	const struct method_info *m = method_info(l->asked[id % TALK_IDS]);
	check_shape(t, t->result, m->result, m->name);
}

static void on_event(struct line *l, const struct value *event)
{
	uint64_t seq;
	copy_text(value_find(event, "event"), l->last_event);
	if (!value_uint(value_find(event, "seq"), UINT64_MAX, &seq))
		l->seq = seq;
}

/* Whose line, in which channel, and what: `Ann@players: hi/`. */
static void on_chat_line(struct line *l, const struct value *params)
{
	char channel[TALK_NAME_MAX], name[TALK_NAME_MAX], text[TALK_NAME_MAX];
	const struct value *said = value_find(params, "line");
	size_t len = strlen(l->heard);
	copy_text(value_find(params, "channel"), channel);
	copy_text(value_find(said, "name"), name);
	copy_text(value_find(said, "text"), text);
	snprintf(l->heard + len, sizeof(l->heard) - len, "%s@%s: %s/", name,
		 channel, text);
}

static void on_notice(struct talk *t, struct line *l, const struct value *root)
{
	const struct value *params = value_at(value_at(root, 2), 0);
	assert_int_equal(value_count(root), 3);
	copy_text(value_at(root, 1), l->last_notice);
	l->notices++;
	for (enum notification n = 0; n < NOTIFICATION_COUNT; n++) {
		const struct notification_info *info = notification_info(n);
		if (strcmp(info->name, l->last_notice))
			continue;
		check_shape(t, params, info->object, info->name);
		if (!strcmp(info->name, "closing"))
			copy_text(value_find(params, "name"), l->closing);
		if (!strcmp(info->name, "chat.line"))
			on_chat_line(l, params);
		if (!strcmp(info->name, "match.event"))
			on_event(l, params);
		return;
	}
	fail_msg("'%s' is not declared", l->last_notice);
}

static const struct value *parse(struct doc *doc, struct span bytes)
{
	const struct value *root;
	assert_int_equal(doc_parse(doc, bytes, &doc_answer, &root), 0);
	return root;
}

static void on_message(struct talk *t, struct line *l, struct span bytes)
{
	int64_t type;
	const struct value *root = parse(t->scratch, bytes);
	assert_int_equal(value_int(value_at(root, 0), 1, 2, &type), 0);
	if (type == 2) {
		on_notice(t, l, root);
		return;
	}
	buf_clear(&t->kept);
	buf_put(&t->kept, bytes.at, bytes.len);
	on_response(t, l, parse(t->doc, buf_span(&t->kept)));
}

static void read_line(struct talk *t, struct line *l)
{
	struct scan scan;
	size_t at = 0, taken;
	scan_init(&scan, &scan_answers);
	while (at < l->said.len) {
		struct span rest = span_of(l->said.at + at, l->said.len - at);
		assert_int_equal(scan_feed(&scan, rest, &taken), SCAN_MESSAGE);
		on_message(t, l, span_of(rest.at, taken));
		at += taken;
	}
	buf_clear(&l->said);
}

void talk_read(struct talk *t)
{
	for (size_t i = 0; i < TALK_CONNS; i++)
		read_line(t, &t->line[i]);
}

/* -- what is said -- */

int talk_connect(struct talk *t, uint64_t conn, const char *address)
{
	int err;
	UNDER_TEST(err = hub_connected(t->hub, conn, address, t->now_ms));
	talk_read(t);
	return err;
}

int talk_operator(struct talk *t, uint64_t conn)
{
	int err = hub_connected_operator(t->hub, conn, t->now_ms);
	talk_read(t);
	return err;
}

static void put_params(struct buf *b, const char *params, va_list args)
{
	uint32_t count = 0;
	for (const char *p = params; *p; p++)
		count += *p == '=';
	put_map(b, count);
	while (*params) {
		size_t key = strcspn(params, "=");
		put_str(b, span_of(params, key));
		switch (params[key + 1]) {
		case 's': put_cstr(b, va_arg(args, const char *)); break;
		case 'i': put_int(b, va_arg(args, int64_t)); break;
		default: put_bool(b, va_arg(args, int)); break;
		}
		params += key + 2;
		params += strspn(params, " ");
	}
}

static void write_request(struct talk *t, uint64_t conn, struct buf *b,
			  const char *method, const char *params, va_list args)
{
	struct line *l = &t->line[conn];
	const struct method_info *m = method_find(span_str(method));
	assert_non_null(m);
	l->last_id++;
	l->asked[l->last_id % TALK_IDS] = m->method;
	rpc_begin_request(b, l->last_id, method);
	put_params(b, params, args);
}

void talk_write(struct talk *t, uint64_t conn, struct buf *b,
		const char *method, const char *params, ...)
{
	va_list args;
	va_start(args, params);
	write_request(t, conn, b, method, params, args);
	va_end(args);
}

void talk_send(struct talk *t, uint64_t conn, struct span bytes)
{
	UNDER_TEST(hub_bytes(t->hub, conn, bytes, t->now_ms, t->unix_ms));
	if (!t->hold_hash)
		hash_all(t);
	if (t->reading.wanted && !t->hold_record)
		give_record(t);
	UNDER_TEST(hub_flush(t->hub, t->now_ms));
	if (!t->hold)
		talk_commit(t);
	talk_read(t);
}

bool talk_ask(struct talk *t, uint64_t conn, const char *method,
	      const char *params, ...)
{
	struct buf b;
	va_list args;
	struct line *l = &t->line[conn];
	buf_init(&b, MESSAGE_BYTES_MAX);
	va_start(args, params);
	write_request(t, conn, &b, method, params, args);
	va_end(args);
	/* others are read first, so that the answer is what t holds then */
	UNDER_TEST(
		hub_bytes(t->hub, conn, buf_span(&b), t->now_ms, t->unix_ms));
	buf_release(&b);
	if (!t->hold_hash)
		hash_all(t);
	if (t->reading.wanted && !t->hold_record)
		give_record(t);
	UNDER_TEST(hub_flush(t->hub, t->now_ms));
	if (!t->hold)
		talk_commit(t);
	for (size_t i = 0; i < TALK_CONNS; i++)
		if (i != conn)
			read_line(t, &t->line[i]);
	t->error[0] = '\0';
	t->result = NULL;
	size_t answers = l->answers;
	read_line(t, l);
	return l->answers > answers && l->answered == l->last_id &&
	       !t->error[0];
}

void talk_commit(struct talk *t)
{
	/* what is released asks for more */
	for (uint64_t row = 0; row != t->last_row;) {
		row = t->last_row;
		UNDER_TEST(hub_committed(t->hub, row, t->now_ms));
		UNDER_TEST(hub_flush(t->hub, t->now_ms));
	}
}

void talk_wait(struct talk *t, uint64_t ms)
{
	t->now_ms += ms;
	t->unix_ms += (int64_t)ms;
	UNDER_TEST(hub_tick(t->hub, t->now_ms, t->unix_ms));
	UNDER_TEST(hub_flush(t->hub, t->now_ms));
	if (!t->hold)
		talk_commit(t);
	talk_read(t);
}

const char *talk_text(struct talk *t, const char *key)
{
	static char text[128];
	struct span found;
	if (value_str(value_find(t->result, key), &found) ||
	    !span_copy(found, text, sizeof(text)))
		return NULL;
	return text;
}

int64_t talk_number(struct talk *t, const char *key)
{
	int64_t number;
	assert_int_equal(value_int(value_find(t->result, key), INT64_MIN,
				   INT64_MAX, &number),
			 0);
	return number;
}
