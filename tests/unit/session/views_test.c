/* SPDX-License-Identifier: MIT
 * LB-26: who may see what, as lists. An event shows what is listed for its fact
 * and nothing else; a fact, or a field of one, that is not listed here fails the
 * test, so that whoever adds one must say who may see it. A spectator's snapshot
 * is that of somebody who has no name. */
#include "play.h"
#include "unit.h"

#include <string.h>

#include "proto/read.h"
#include "session/view.h"

/* What every event shows. */
#define ALWAYS "match seq event ply side "

/* A fact of a match, its number of fields, and what an event of it may show
 * beside that. */
static const struct listed_fact {
	enum fact_type type;
	int fields;
	const char *keys;
} listed[] = {
#include "views_listed.h"
};

/* -- the facts -- */

static int field_count(enum fact_type type)
{
#define F(kind, name, doc) +1
	switch (type) {
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: return 0 FACT_##UPPER##_FIELDS(F);
		FACTS(T)
#undef T
	}
#undef F
	return -1;
}

#define FILL_num(x)
#define FILL_flag(x)
#define FILL_id(x)
#define FILL_digest(x)
#define FILL_text(x)  x = span_str("t");
#define FILL_bytes(x) x = span_str("b");

static struct fact filled(enum fact_type type)
{
	struct fact f = { .type = type };
	switch (type) {
#define F(kind, name, doc) FILL_##kind(b->name)
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: {                                                   \
		struct fact_##lower##_body *b = &f.lower;                      \
		(void)b;                                                       \
		FACT_##UPPER##_FIELDS(F) break;                                \
	}
		FACTS(T)
#undef T
#undef F
	}
	return f;
}

static bool is_listed(const char *keys, struct span key)
{
	for (const char *at = keys; *at;) {
		size_t len = strcspn(at, " ");
		if (len == key.len && !memcmp(at, key.at, len))
			return true;
		at += len + (at[len] == ' ');
	}
	return false;
}

static size_t look_at_event(struct doc *doc, const struct listed_fact *l)
{
	const struct value *map;
	struct fact f = filled(l->type);
	struct span key;
	struct buf b;
	size_t wrong = 0;
	buf_init(&b, 1 << 16);
	view_event(&b, &f, 1, NULL, 0);
	assert_int_equal(doc_parse(doc, buf_span(&b), &doc_answer, &map), 0);
	for (size_t i = 0; value_entry(map, i, &key); i++) {
		if (is_listed(ALWAYS, key) || is_listed(l->keys, key))
			continue;
		printf("%s shows %.*s, which is not listed\n",
		       fact_name(l->type), (int)key.len, (const char *)key.at);
		wrong++;
	}
	if (field_count(l->type) != l->fields) {
		printf("%s has %d fields, %d are listed: who may see the new "
		       "one?\n",
		       fact_name(l->type), field_count(l->type), l->fields);
		wrong++;
	}
	buf_release(&b);
	return wrong;
}

static void an_event_shows_what_is_listed(void **state)
{
	struct doc *doc = doc_new();
	size_t wrong = 0, seen = 0, facts = 0;
	(void)state;
	for (size_t i = 0; i < COUNT(listed); i++) {
		assert_int_equal(fact_stream(listed[i].type), STREAM_MATCH);
		wrong += look_at_event(doc, &listed[i]);
	}
#define T(number, UPPER, lower, stream, doc)                                   \
	if (STREAM_##stream == STREAM_MATCH) {                                 \
		size_t before = seen;                                          \
		facts++;                                                       \
		for (size_t i = 0; i < COUNT(listed); i++)                     \
			seen += listed[i].type == FACT_##UPPER;                \
		if (seen == before)                                            \
			printf("%s is not listed\n", #lower);                  \
	}
	FACTS(T)
#undef T
	assert_int_equal(seen, facts);
	assert_int_equal(wrong, 0);
	doc_free(doc);
}

/* -- snapshots -- */

static void see(struct buf *b, const struct match *m, const struct id *viewer)
{
	buf_init(b, 1 << 20);
	view_match(b, m, viewer, 5000);
	assert_int_equal(b->err, 0);
}

/* What a snapshot may show whomever it is for: a spectator, one who only asks,
 * the operator; and what only a player may see. */
#define BOARD                                                                  \
	"match seq state ruleset rules draws rated spectator_delay_ms "        \
	"watchers clock white black you ply turn start_position position "     \
	"dice moves offer takeback pause takebacks dice_commitment awaits "    \
	"result stakes frozen warning "
#define OF_PLAYERS BOARD "legal_moves legal_total rematch "

static size_t look_at_snapshot(struct doc *doc, const struct buf *b,
			       const char *keys)
{
	const struct value *map;
	struct span key;
	size_t wrong = 0;
	assert_int_equal(doc_parse(doc, buf_span(b), &doc_answer, &map), 0);
	for (size_t i = 0; value_entry(map, i, &key); i++) {
		if (is_listed(keys, key))
			continue;
		printf("a snapshot shows %.*s, which is not listed\n",
		       (int)key.len, (const char *)key.at);
		wrong++;
	}
	return wrong;
}

static void a_spectator_sees_what_anybody_sees(void **state)
{
	static const struct id nobody;
	static struct play p;
	struct buf spectator, anybody, player, opponent;
	struct rng rng;
	(void)state;
	struct doc *doc = doc_new();
	size_t wrong = 0;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello(&p, "eve");
	rng_seed(&rng, 3);
	struct id id = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_in(&p, "eve", CMD_MATCH_WATCH, &id);
	for (int i = 0; i < 20; i++) {
		const struct match *m = play_at(&p, &id);
		see(&spectator, m, &play_who(&p, "eve")->id);
		see(&anybody, m, &nobody);
		see(&player, m, &play_who(&p, "ann")->id);
		see(&opponent, m, &play_who(&p, "bob")->id);
		assert_true(span_eq(buf_span(&spectator), buf_span(&anybody)));
		struct buf *all[] = { &spectator, &player, &opponent };
		for (size_t k = 0; k < COUNT(all); k++)
			assert_null(memmem(all[k]->at, all[k]->len, m->seed,
					   SEED_BYTES));
		wrong += look_at_snapshot(doc, &spectator, BOARD);
		wrong += look_at_snapshot(doc, &player, OF_PLAYERS);
		wrong += look_at_snapshot(doc, &opponent, OF_PLAYERS);
		buf_release(&spectator);
		buf_release(&anybody);
		buf_release(&player);
		buf_release(&opponent);
		play_wait(&p, 1000);
		if (!play_random(&p, &rng, &id))
			break;
	}
	assert_int_equal(wrong, 0);
	doc_free(doc);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_shows_what_is_listed),
		cmocka_unit_test(a_spectator_sees_what_anybody_sees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
