/* SPDX-License-Identifier: MIT
 * verify_life_test.c - records with takebacks, pauses and a fault that stopped
 * the match pass; what a forger would change in them is found, though he has
 * made the chain right again. */
#include "records.h"
#include "unit.h"

static struct doc *doc;

enum plot { PLOT_RESIGN, PLOT_FROZEN };

static void ask(struct play *p, const char *name, enum command_type type,
		const struct id *m)
{
	assert_int_equal(play_answer(p, name, type, m, play_at(p, m)->ply),
			 PLYD_OK);
}

static void move(struct play *p, struct rng *rng, const struct id *m)
{
	play_wait(p, 1000 + rng_below(rng, 1000));
	assert_true(play_random(p, rng, m));
}

static void live(struct play *p, struct rng *rng, const struct id *m)
{
	for (int i = 0; i < 3; i++)
		move(p, rng, m);
	ask(p, "ann", CMD_MATCH_TAKEBACK_OFFER, m);
	ask(p, "bob", CMD_MATCH_TAKEBACK_DECLINE, m);
	move(p, rng, m);
	play_wait(p, 2000);
	ask(p, "ann", CMD_MATCH_TAKEBACK_OFFER, m);
	ask(p, "bob", CMD_MATCH_TAKEBACK_ACCEPT, m);
	move(p, rng, m);
	ask(p, "ann", CMD_MATCH_PAUSE_OFFER, m);
	ask(p, "bob", CMD_MATCH_PAUSE_DECLINE, m);
	move(p, rng, m);
	play_wait(p, 2000);
	ask(p, "ann", CMD_MATCH_PAUSE_OFFER, m);
	ask(p, "bob", CMD_MATCH_PAUSE_ACCEPT, m);
	play_wait(p, 100000);
	assert_int_equal(play_in(p, "ann", CMD_MATCH_RESUME, m), PLYD_OK);
	move(p, rng, m);
	play_wait(p, 2000);
}

static void end(struct play *p, const struct id *m)
{
	struct command cmd = { .type = CMD_ADMIN_END_MATCH,
			       .match = *m,
			       .admin = { .result = RESULT_DRAW,
					  .text = span_str("sorry") } };
	assert_int_equal(play_operator(p, cmd), PLYD_OK);
}

static struct record *play_record(enum plot plot, uint64_t seed)
{
	static struct play p;
	struct journal j;
	struct rng rng;
	rng_seed(&rng, seed);
	play_open(&p, seed);
	journal_open(&j, &p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	live(&p, &rng, &m);
	if (plot == PLOT_FROZEN) {
		play_freeze(&p, &m);
		play_wait(&p, 5000);
		end(&p, &m);
	} else {
		play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	}
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

static void good_records_pass(void **state)
{
	char why[VERIFY_WHY_MAX];
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct record *r = play_record((enum plot)(seed % 2), seed);
		if (record_verify(r, why))
			fail_msg("seed %d: %s", (int)seed, why);
		record_free(r);
	}
}

/* -- forgeries -- */

typedef void change_fn(struct fact *f);

#define CHANGE(name, statement)                                                \
	static void name(struct fact *f)                                       \
	{                                                                      \
		f->statement;                                                  \
	}
CHANGE(wish_ply, takeback_offered.ply++)
CHANGE(wish_side, takeback_offered.side ^= 1)
CHANGE(wish_nobody, takeback_offered.side = 2)
CHANGE(wish_target, takeback_offered.to_ply--)
CHANGE(no_ply, takeback_declined.ply--)
CHANGE(no_side, takeback_declined.side ^= 1)
CHANGE(back_ply, taken_back.ply--)
CHANGE(back_side, taken_back.side ^= 1)
CHANGE(back_target, taken_back.to_ply--)
CHANGE(back_thought, taken_back.thought_ms += 50000)
CHANGE(back_thought_less, taken_back.thought_ms -= 1000)
CHANGE(back_left, taken_back.left_ms++)
CHANGE(back_lag, taken_back.lag_ms = 501)
CHANGE(pause_ply, pause_offered.ply++)
CHANGE(pause_side, pause_offered.side ^= 1)
CHANGE(pause_nobody, pause_offered.side = -1)
CHANGE(no_pause_ply, pause_declined.ply++)
CHANGE(no_pause_side, pause_declined.side ^= 1)
CHANGE(paused_ply, paused.ply--)
CHANGE(paused_side, paused.side ^= 1)
CHANGE(paused_thought, paused.thought_ms += 50000)
CHANGE(paused_before_it_thought, paused.thought_ms = -1)
CHANGE(paused_lag, paused.lag_ms = 501)
CHANGE(resumed_ply, resumed.ply++)
CHANGE(resumed_side, resumed.side = 2)
CHANGE(frozen_ply, frozen.ply++)
CHANGE(frozen_for_nothing, frozen.reason = span_str(""))
CHANGE(frozen_white, frozen.white_left_ms++)
CHANGE(frozen_black, frozen.black_left_ms -= 30000)
CHANGE(end_reason, ended.reason = span_str("agreed"))
CHANGE(end_points, ended.points = 1)
CHANGE(end_clock, ended.white_left_ms--)
CHANGE(end_other_clock, ended.black_left_ms--)
#undef CHANGE

static const struct forgery {
	const char *name;
	enum plot plot;
	enum fact_type type;
	size_t nth;
	change_fn *change; /* NULL: the fact is missing */
} forgeries[] = {
	{ "asked at another ply", 0, FACT_TAKEBACK_OFFERED, 0, wish_ply },
	{ "another asked", 0, FACT_TAKEBACK_OFFERED, 0, wish_side },
	{ "nobody asked", 0, FACT_TAKEBACK_OFFERED, 1, wish_nobody },
	{ "more was asked for", 0, FACT_TAKEBACK_OFFERED, 1, wish_target },
	{ "never asked", 0, FACT_TAKEBACK_OFFERED, 0, NULL },
	{ "taken back unasked", 0, FACT_TAKEBACK_OFFERED, 1, NULL },
	{ "declined at another ply", 0, FACT_TAKEBACK_DECLINED, 0, no_ply },
	{ "declined by himself", 0, FACT_TAKEBACK_DECLINED, 0, no_side },
	{ "taken back elsewhere", 0, FACT_TAKEN_BACK, 0, back_ply },
	{ "agreed with himself", 0, FACT_TAKEN_BACK, 0, back_side },
	{ "more was taken back", 0, FACT_TAKEN_BACK, 0, back_target },
	{ "charged too much", 0, FACT_TAKEN_BACK, 0, back_thought },
	{ "charged too little", 0, FACT_TAKEN_BACK, 0, back_thought_less },
	{ "time given back", 0, FACT_TAKEN_BACK, 0, back_left },
	{ "lag beyond the limit", 0, FACT_TAKEN_BACK, 0, back_lag },
	{ "not taken back", 0, FACT_TAKEN_BACK, 0, NULL },
	{ "a pause at another ply", 0, FACT_PAUSE_OFFERED, 0, pause_ply },
	{ "a pause of another", 0, FACT_PAUSE_OFFERED, 0, pause_side },
	{ "a pause of nobody", 0, FACT_PAUSE_OFFERED, 1, pause_nobody },
	{ "no pause was offered", 0, FACT_PAUSE_OFFERED, 0, NULL },
	{ "paused unasked", 0, FACT_PAUSE_OFFERED, 1, NULL },
	{ "declined elsewhere", 0, FACT_PAUSE_DECLINED, 0, no_pause_ply },
	{ "declined his own", 0, FACT_PAUSE_DECLINED, 0, no_pause_side },
	{ "paused elsewhere", 0, FACT_PAUSED, 0, paused_ply },
	{ "paused alone", 0, FACT_PAUSED, 0, paused_side },
	{ "thought too long before", 0, FACT_PAUSED, 0, paused_thought },
	{ "thought less than nothing", 0, FACT_PAUSED, 0,
	  paused_before_it_thought },
	{ "lag of a pause", 0, FACT_PAUSED, 0, paused_lag },
	{ "never paused", 0, FACT_PAUSED, 0, NULL },
	{ "resumed elsewhere", 0, FACT_RESUMED, 0, resumed_ply },
	{ "resumed by nobody", 0, FACT_RESUMED, 0, resumed_side },
	{ "never resumed", 0, FACT_RESUMED, 0, NULL },
	{ "frozen elsewhere", PLOT_FROZEN, FACT_FROZEN, 0, frozen_ply },
	{ "frozen for nothing", PLOT_FROZEN, FACT_FROZEN, 0,
	  frozen_for_nothing },
	{ "a frozen clock runs back", PLOT_FROZEN, FACT_FROZEN, 0,
	  frozen_white },
	{ "a frozen clock leaps", PLOT_FROZEN, FACT_FROZEN, 0, frozen_black },
	{ "agreed when frozen", PLOT_FROZEN, FACT_ENDED, 0, end_reason },
	{ "a draw with points", PLOT_FROZEN, FACT_ENDED, 0, end_points },
	{ "white's clock ran on", PLOT_FROZEN, FACT_ENDED, 0, end_clock },
	{ "black's clock ran on", PLOT_FROZEN, FACT_ENDED, 0, end_other_clock },
};

static void a_forgery_is_found(void **state)
{
	const struct forgery *row = *state;
	char why[VERIFY_WHY_MAX];
	struct record *r = play_record(row->plot, 7);
	size_t i = record_find(r, row->type, 0);
	for (size_t n = 0; n < row->nth; n++)
		i = record_find(r, row->type, i + 1);
	assert_true(i < r->count);
	if (row->change) {
		struct fact f = record_fact(r, doc, i);
		row->change(&f);
		record_put(r, i, &f);
	} else {
		record_cut(r, i);
	}
	record_rehead(r);
	assert_int_equal(record_verify(r, why), PLYD_ERECORD);
	assert_true(why[0]);
	record_free(r);
}

/* Whatever happens again, or happens when frozen. */
static void nothing_happens_twice_or_when_frozen(void **state)
{
	static const enum fact_type types[] = {
		FACT_TAKEBACK_OFFERED, FACT_TAKEBACK_DECLINED,
		FACT_TAKEN_BACK,       FACT_PAUSE_OFFERED,
		FACT_PAUSE_DECLINED,   FACT_PAUSED,
		FACT_RESUMED,          FACT_FROZEN,
	};
	char why[VERIFY_WHY_MAX];
	(void)state;
	for (size_t n = 0; n < 2 * COUNT(types); n++) {
		struct record *r = play_record(PLOT_FROZEN, 7);
		size_t i = record_find(r, types[n / 2], 0);
		size_t frozen = record_find(r, FACT_FROZEN, 0);
		struct fact f = record_fact(r, doc, i);
		if (n % 2) {
			struct fact at = record_fact(r, doc, frozen);
			f = record_fact(r, doc, i);
			f.at_ms = at.at_ms;
			i = frozen;
		}
		record_insert(r, i + 1, &f);
		record_rehead(r);
		if (record_verify(r, why) != PLYD_ERECORD)
			fail_msg("%s passes", fact_name(types[n / 2]));
		record_free(r);
	}
}

/* -- frozen matches over a restart -- */

static struct id begin(struct play *p, struct journal *j, const char *ruleset)
{
	play_open(p, 3);
	journal_open(j, p);
	play_hello(p, "ann");
	play_hello(p, "bob");
	struct id m = play_match(p, ruleset, "ann", "bob", NULL);
	play_wait(p, 12000);
	return m;
}

static void a_frozen_match_stays_so(void **state)
{
	static const char *const rulesets[] = { "english", "backgammon" };
	static struct play p;
	char why[VERIFY_WHY_MAX];
	(void)state;
	for (size_t i = 0; i < COUNT(rulesets); i++) {
		struct journal j;
		struct id m = begin(&p, &j, rulesets[i]);
		play_freeze(&p, &m);
		struct domain *d = journal_replay(&j);
		assert_null(durable_differs(p.d, d));
		assert_string_equal(match_words(domain_match(d, &m)),
				    "a fault of the test");
		journal_restart(&p, d);
		assert_int_equal(play_at(&p, &m)->state, MATCH_FROZEN);
		end(&p, &m);
		struct record *r = record_take(&j, &m);
		if (record_verify(r, why))
			fail_msg("%s: %s", rulesets[i], why);
		record_free(r);
		journal_close(&j);
		play_close(&p);
	}
}

/* Its rows or its seed were lost: the operator ends it all the same. */
static void what_replay_froze_has_a_record_too(void **state)
{
	static struct play p;
	struct journal j;
	char why[VERIFY_WHY_MAX];
	(void)state;
	struct id m = begin(&p, &j, "backgammon");
	struct domain *d = journal_replay(&j);
	domain_freeze(d, &m);
	((struct match *)domain_match(d, &m))->seed_known = false;
	journal_restart(&p, d);
	end(&p, &m);
	struct record *r = record_take(&j, &m);
	if (record_verify(r, why))
		fail_msg("%s", why);
	/* only a fault may hide the dice */
	record_cut(r, record_find(r, FACT_FROZEN, 0));
	record_rehead(r);
	assert_int_equal(record_verify(r, why), PLYD_ERECORD);
	record_free(r);
	journal_close(&j);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_records_pass),
		cmocka_unit_test(nothing_happens_twice_or_when_frozen),
		cmocka_unit_test(a_frozen_match_stays_so),
		cmocka_unit_test(what_replay_froze_has_a_record_too),
	};
	doc = doc_new();
	int failed = cmocka_run_group_tests_name("life", tests, NULL, NULL);
	failed += RUN_TABLE("forgeries", forgeries, a_forgery_is_found);
	doc_free(doc);
	return failed;
}
