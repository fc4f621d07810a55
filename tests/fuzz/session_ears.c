/* SPDX-License-Identifier: MIT */
#include "session_world.h"

#include <string.h>

#include "base/hex.h"
#include "fuzz.h"
#include "proto/schema.h"

struct ear *ear_find(struct world *w, uint64_t number)
{
	for (size_t i = 0; i <= EARS; i++)
		if (w->ear[i].number == number)
			return &w->ear[i];
	return NULL;
}

void ear_asks(struct ear *e, uint32_t msgid, enum method method)
{
	if (e->asked_count == ASKED_MAX) { /* not more than are looked after */
		e->wild = true;
		return;
	}
	e->asked[e->asked_count++] =
		(struct asked){ .msgid = msgid, .method = method };
}

/* -- secrets -- */

static bool holds(struct span bytes, const char *hex)
{
	return memmem(bytes.at, bytes.len, hex, strlen(hex)) != NULL;
}

/* No seed of a match that goes on, and nobody else's token. */
static void keeps_secrets(const struct world *w, const struct ear *e,
			  struct span bytes)
{
	char hex[2 * SEED_BYTES + 1];
	const struct match *m = domain_matches(hub_domain(w->hub));
	for (; m; m = match_next(m)) {
		if (m->state == MATCH_OVER || !m->seed_known)
			continue;
		hex_write(m->seed, SEED_BYTES, hex);
		insist(!holds(bytes, hex));
	}
	for (size_t i = 0; i < TOKENS_MAX && i < w->tokens; i++)
		if (!id_is_none(&e->player) &&
		    !id_eq(&w->token[i].player, &e->player))
			insist(!holds(bytes, w->token[i].hex));
}

/* -- what answers say -- */

static bool find_id(const struct value *v, const char *key, struct id *out)
{
	struct span text;
	return !value_str(value_find(v, key), &text) && id_read(text, out);
}

static void learn_token(struct world *w, const struct ear *e,
			const struct value *result)
{
	struct span text;
	if (value_str(value_find(result, "token"), &text))
		return;
	struct token *t = &w->token[w->tokens++ % TOKENS_MAX];
	insist(span_copy(text, t->hex, sizeof(t->hex)));
	t->player = e->player;
}

/* Events go on from here. */
static void hears_of(struct ear *e, const struct value *match)
{
	struct id id;
	uint64_t seq;
	size_t i = 0;
	if (!find_id(match, "match", &id) ||
	    value_uint(value_find(match, "seq"), UINT64_MAX, &seq))
		return;
	while (i < e->heard_count && !id_eq(&e->heard[i].match, &id))
		i++;
	if (i == HEARD_MAX)
		return;
	e->heard[i] = (struct heard){ .match = id, .seq = seq };
	if (i == e->heard_count)
		e->heard_count++;
}

static void hears_event(struct ear *e, const struct value *event)
{
	struct id id;
	uint64_t seq;
	insist(find_id(event, "match", &id));
	insist(!value_uint(value_find(event, "seq"), UINT64_MAX, &seq));
	for (size_t i = 0; i < e->heard_count; i++)
		if (id_eq(&e->heard[i].match, &id))
			insist(seq == e->heard[i].seq + 1);
	hears_of(e, event);
}

static void check_shape(const struct value *v, enum object o, const char *name)
{
	char why[SCHEMA_WHY_MAX] = "";
	bool good = schema_check(v, o, why);
	if (!good)
		fprintf(stderr, "%s: %s\n", name, why);
	insist(good);
}

static void on_result(struct world *w, struct ear *e, enum method method,
		      const struct value *result)
{
	check_shape(result, method_info(method)->result,
		    method_info(method)->name);
	if (method == METHOD_HELLO)
		insist(find_id(value_find(result, "player"), "id", &e->player));
	learn_token(w, e, result);
	if (method == METHOD_MATCH_WATCH)
		hears_of(e, result);
	if (method == METHOD_MATCH_UNWATCH)
		e->heard_count = 0; /* whichever it was */
}

static void on_error(const struct value *error)
{
	int64_t code;
	struct span name;
	insist(value_count(error) == 4);
	insist(!value_int(value_at(error, 0), -1000, -1, &code));
	insist(!value_str(value_at(error, 1), &name));
	insist(span_is(name, plyd_err_name((int)code)));
	insist(value_type(value_at(error, 3)) == VALUE_MAP);
}

static void on_response(struct world *w, struct ear *e,
			const struct value *root)
{
	uint64_t msgid;
	size_t i = 0;
	const struct value *error = value_at(root, 2);
	insist(value_count(root) == 4);
	insist(!value_uint(value_at(root, 1), UINT32_MAX, &msgid));
	bool refused = value_type(error) != VALUE_NIL;
	if (refused)
		on_error(error);
	while (i < e->asked_count && e->asked[i].msgid != msgid)
		i++;
	if (e->wild)
		return;
	insist(i < e->asked_count && !e->asked[i].answered);
	e->asked[i].answered = true;
	if (!refused)
		on_result(w, e, e->asked[i].method, value_at(root, 3));
}

static void on_notice(struct ear *e, const struct value *root)
{
	struct span name;
	const struct value *params = value_at(value_at(root, 2), 0);
	insist(value_count(root) == 3);
	insist(!value_str(value_at(root, 1), &name));
	enum notification n = 0;
	while (n < NOTIFICATION_COUNT &&
	       !span_is(name, notification_info(n)->name))
		n++;
	insist(n < NOTIFICATION_COUNT);
	check_shape(params, notification_info(n)->object,
		    notification_info(n)->name);
	if (n == NOTIFY_MATCH_EVENT)
		hears_event(e, params);
	if (n == NOTIFY_MATCH_STARTED || n == NOTIFY_MATCH_SNAPSHOT)
		hears_of(e, params);
}

void ear_hears(struct world *w, struct ear *e, struct span bytes)
{
	int64_t type;
	const struct value *root;
	insist(!doc_parse(w->doc, bytes, &doc_answer, &root));
	insist(!value_int(value_at(root, 0), 1, 2, &type));
	keeps_secrets(w, e, bytes);
	if (type == 1)
		on_response(w, e, root);
	else
		on_notice(e, root);
}
