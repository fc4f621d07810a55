/* SPDX-License-Identifier: MIT
 * kills_test.c - a ten-minute match whose server is killed twenty times, in
 * virtual time. A ledger beside it notes when each turn was released, when its
 * move arrived and what its echo measured; every charge must be just that, and
 * nothing from the last durable fact to the next release may cost anybody
 * anything. At every kill rows are lost that had not become durable. */
#include "record/codec.h"
#include "records.h"
#include "unit.h"

#include <stdlib.h>

enum { KILLS = 20, BASE_MS = 600000, SEEDS = 12 };

struct ledger {
	struct play p;
	struct journal j;
	struct rng rng;
	struct id match;
	const struct clock_rules *clock;
	uint64_t released_ms;
	int64_t credit_ms;
	int64_t left[2];
	int64_t spent[2]; /* charged and credited */
	unsigned kills, turns, cut_turns, lost_moves;
};

static const char *const names[2] = { "ann", "bob" };

static const struct match *at(const struct ledger *l)
{
	return play_at(&l->p, &l->match);
}

static uint64_t some_ms(struct ledger *l, uint32_t most)
{
	return rng_below(&l->rng, most);
}

/* The position reaches its player when the commit is done. */
static void commit(struct ledger *l)
{
	l->p.now_ms += some_ms(l, 200);
	l->p.hold = false;
	play_perform(&l->p);
	l->released_ms = l->p.now_ms;
	l->credit_ms = 0;
}

static void echo(struct ledger *l)
{
	enum side side = match_turn(at(l));
	int64_t way = (int64_t)some_ms(l, 700);
	uint64_t nonce = at(l)->lag.nonce;
	int64_t quota = at(l)->lag_rules.total_ms - at(l)->lag_used_ms[side];
	if (nonce == 0)
		return;
	play_wait(&l->p, (uint64_t)way);
	const struct command seen = { .type = CMD_MATCH_SEEN,
				      .match = l->match,
				      .lag = nonce };
	assert_int_equal(play_do(&l->p, names[side], seen), PLYD_OK);
	if (way > at(l)->lag_rules.per_move_ms)
		way = at(l)->lag_rules.per_move_ms;
	l->credit_ms = way < quota ? way : quota;
}

/* The server dies; what was not durable is gone; it is down for a while, and
 * the players come back at some time. */
static void kill_server(struct ledger *l, size_t rows_lost)
{
	l->j.count -= rows_lost;
	l->j.bytes.len = l->j.count > 0 ? l->j.kept[l->j.count - 1].at +
						  l->j.kept[l->j.count - 1].len
					: 0;
	l->p.hold = false;
	journal_restart(&l->p, journal_replay(&l->j));
	l->kills++;
	for (int s = 0; s < 2; s++)
		assert_int_equal(at(l)->left_ms[s], l->left[s]);
	/* within the allowance */
	enum side side = match_turn(at(l));
	play_wait(&l->p, some_ms(l, 14000));
	play_resume(&l->p, names[1 - side]);
	play_wait(&l->p, some_ms(l, 900));
	assert_false(match_clock_runs(at(l)));
	play_resume(&l->p, names[side]);
	l->released_ms = l->p.now_ms;
	l->credit_ms = 0;
	assert_true(match_clock_runs(at(l)));
	play_in(&l->p, names[side], CMD_MATCH_WATCH, &l->match);
}

/* What the turn must have cost. */
static void enter(struct ledger *l, enum side side, const struct fact *moved)
{
	int64_t thought = (int64_t)(moved->at_ms - l->released_ms);
	thought -= l->credit_ms;
	assert_int_equal(moved->moved.lag_ms, l->credit_ms);
	assert_int_equal(moved->moved.thought_ms, thought);
	int64_t cost = thought;
	if (l->clock->kind == CLOCK_DELAY || l->clock->kind == CLOCK_BRONSTEIN)
		cost = thought > l->clock->delay_ms
			       ? thought - l->clock->delay_ms
			       : 0;
	l->left[side] += l->clock->increment_ms - cost;
	assert_int_equal(moved->moved.left_ms, l->left[side]);
	assert_int_equal(at(l)->left_ms[side], l->left[side]);
	l->turns++;
}

static struct fact last_moved(const struct ledger *l)
{
	static struct doc *doc;
	struct fact f = { .type = FACT_SEED_DRAWN };
	if (!doc)
		doc = doc_new();
	for (size_t i = l->j.count; i > 0 && f.type != FACT_MOVED; i--)
		if (l->j.kept[i - 1].stream == STREAM_MATCH)
			assert_int_equal(fact_decode(doc,
						     journal_bytes(&l->j,
								   i - 1),
						     &l->match, 0, &f),
					 PLYD_OK);
	assert_int_equal(f.type, FACT_MOVED);
	return f;
}

static void turn(struct ledger *l, bool cut, bool lose)
{
	enum side side = match_turn(at(l));
	if (some_ms(l, 4) > 0)
		echo(l);
	play_wait(&l->p, some_ms(l, 8000));
	if (cut) {
		kill_server(l, 0);
		l->cut_turns++;
		if (some_ms(l, 2))
			echo(l);
		play_wait(&l->p, some_ms(l, 3000));
	}
	size_t rows = l->j.count;
	l->p.hold = true;
	assert_true(play_random(&l->p, &l->rng, &l->match));
	if (lose) {
		/* the move was never acknowledged, and never was */
		kill_server(l, l->j.count - rows);
		l->lost_moves++;
		play_wait(&l->p, some_ms(l, 2000));
		l->p.hold = true;
		assert_true(play_random(&l->p, &l->rng, &l->match));
	}
	struct fact f = last_moved(l);
	enter(l, side, &f);
	commit(l);
}

static void begin(struct ledger *l, const struct clock_rules *clock,
		  uint64_t seed)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.lag_total_ms = 2500;
	l->clock = clock;
	rng_seed(&l->rng, seed);
	play_open_limits(&l->p, seed, &limits);
	journal_open(&l->j, &l->p);
	play_hello(&l->p, "ann");
	play_hello(&l->p, "bob");
	l->match = play_match(&l->p, "turkish", "ann", "bob", clock);
	l->left[WHITE] = l->left[BLACK] = clock->base_ms;
	l->released_ms = l->p.now_ms;
}

static const struct row {
	const char *name;
	struct clock_rules clock;
} rows[] = {
	{ "no increment", { .base_ms = BASE_MS } },
	{ "Fischer", { .base_ms = BASE_MS, .increment_ms = 2000 } },
	{ "delay",
	  { .kind = CLOCK_DELAY, .base_ms = BASE_MS, .delay_ms = 3000 } },
	{ "Bronstein",
	  { .kind = CLOCK_BRONSTEIN, .base_ms = BASE_MS, .delay_ms = 3000 } },
};

static void twenty_kills_cost_nobody_anything(void **state)
{
	const struct row *row = *state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		static struct ledger l;
		char why[VERIFY_WHY_MAX];
		l = (struct ledger){ 0 };
		begin(&l, &row->clock, seed);
		while (l.kills < KILLS && at(&l)->state == MATCH_PLAYING) {
			uint64_t what = some_ms(&l, 6);
			turn(&l, what<2, what> 3);
		}
		assert_int_equal(l.kills, KILLS);
		assert_true(l.cut_turns > 0 && l.lost_moves > 0);
		play_in(&l.p, "ann", CMD_MATCH_RESIGN, &l.match);
		struct record *r = record_take(&l.j, &l.match);
		if (record_verify(r, why))
			fail_msg("seed %d: %s", (int)seed, why);
		record_free(r);
		journal_close(&l.j);
		play_close(&l.p);
	}
}

enum { HOUR_MS = 3600000, RECORDED_MS = 60000 - 1 };

static void begin_days(struct play *p, struct journal *j)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.time_fact_ms = RECORDED_MS;
	limits.result_keep_ms = 24 * HOUR_MS;
	play_open_limits(p, 1, &limits);
	journal_open(j, p);
	play_hello(p, "ann");
	play_hello(p, "bob");
}

/* Two days for a move: a server that dies every six hours, and is down for a
 * long time then, gives nobody more than the minute that was not recorded. */
static void days_go_on_after_each_start(void **state)
{
	(void)state;
	static struct play p;
	static struct journal j;
	const struct clock_rules two_days = { .kind = CLOCK_PER_MOVE,
					      .base_ms = 48 * HOUR_MS };
	char why[VERIFY_WHY_MAX];
	begin_days(&p, &j);
	struct id m = play_match(&p, "english", "ann", "bob", &two_days);
	play_wait(&p, HOUR_MS);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	uint64_t up_ms = 0;
	while (play_at(&p, &m)->state == MATCH_PLAYING) {
		play_wait(&p, 6 * HOUR_MS);
		up_ms += 6 * HOUR_MS;
		if (play_at(&p, &m)->state == MATCH_PLAYING)
			journal_restart(&p, journal_replay(&j));
		assert_true(up_ms < 60 * HOUR_MS);
	}
	/* eight days of six hours are 48, less what the starts forgot */
	assert_int_equal(up_ms, 54 * HOUR_MS);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	assert_int_equal(play_at(&p, &m)->result, RESULT_BLACK);
	struct record *r = record_take(&j, &m);
	if (record_verify(r, why))
		fail_msg("%s", why);
	record_free(r);
	journal_close(&j);
	play_close(&p);
}

/* The time is recorded while a match runs and nothing else happens, and then no
 * more. */
static void time_is_recorded_while_a_match_runs(void **state)
{
	(void)state;
	static struct play p;
	static struct journal j;
	const struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	begin_days(&p, &j);
	play_wait(&p, HOUR_MS);
	assert_string_equal(p.facts, "");
	struct id m = play_match(&p, "english", "ann", "bob", &none);
	size_t before = j.count;
	play_wait(&p, 10 * (RECORDED_MS + 1));
	assert_int_equal(j.count, before + 10);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	before = j.count;
	play_wait(&p, HOUR_MS / 4);
	assert_int_equal(j.count, before);
	journal_close(&j);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(days_go_on_after_each_start),
		cmocka_unit_test(time_is_recorded_while_a_match_runs),
	};
	return cmocka_run_group_tests_name("days", tests, NULL, NULL) +
	       RUN_TABLE("kills", rows, twenty_kills_cost_nobody_anything);
}
