/* SPDX-License-Identifier: MIT
 * A server that dies in the middle of pairing, of a round's start or of its end
 * goes on as if it had not: after every step of a tournament it is thrown away
 * and made again from its journal, sometimes without the last steps. */
#include "base/rng.h"
#include "domain/standings.h"
#include "journal.h"
#include "record/verify_tournament.h"
#include "tourney.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 60, STEPS_MOST = 400 };

struct run {
	struct play p;
	struct journal j;
	struct rng rng;
	struct id t;
	size_t players;
};

static const struct tournament *at(const struct run *r)
{
	return tourney_at(&r->p, &r->t);
}

/* Rows from `count` on were never durable. */
static void cut(struct run *r, size_t count)
{
	r->j.count = count;
	r->j.bytes.len =
		count > 0 ? r->j.kept[count - 1].at + r->j.kept[count - 1].len
			  : 0;
}

static void everybody_comes_back(struct run *r)
{
	play_resume(&r->p, "org");
	for (size_t i = 1; i <= r->players; i++) {
		char name[8];
		snprintf(name, sizeof(name), "p%zu", i);
		play_resume(&r->p, name);
	}
}

/* The server dies. What was durable is just what is there again. */
static void die(struct run *r)
{
	struct domain *again = journal_replay(&r->j);
	const char *differs = durable_differs(r->p.d, again);
	if (differs)
		fail_msg("%s differs", differs);
	journal_restart(&r->p, again);
	everybody_comes_back(r);
}

/* It dies before the last step was durable. */
static void die_earlier(struct run *r, size_t rows)
{
	cut(r, rows);
	journal_restart(&r->p, journal_replay(&r->j));
	everybody_comes_back(r);
}

/* Somebody whose match is played resigns, or both agree to a draw. */
static void decide_one(struct run *r)
{
	const struct match *m;
	for (m = domain_matches(r->p.d); m; m = match_next(m)) {
		if (m->state != MATCH_PLAYING || rng_below(&r->rng, 2))
			continue;
		struct id id = m->id;
		char names[2][NAME_BYTES_MAX + 1];
		for (int s = 0; s < 2; s++)
			memcpy(names[s], m->seat[s].name, sizeof(names[s]));
		if (rng_below(&r->rng, 3) == 0) {
			play_in(&r->p, names[0], CMD_MATCH_OFFER_DRAW, &id);
			play_in(&r->p, names[1], CMD_MATCH_OFFER_DRAW, &id);
		} else {
			play_in(&r->p, names[rng_below(&r->rng, 2)],
				CMD_MATCH_RESIGN, &id);
		}
		return;
	}
}

static void tick_once(struct run *r)
{
	struct command tick = { .type = CMD_TICK };
	r->p.now_ms++;
	play_do(&r->p, "", tick);
	play_perform(&r->p);
}

static void correct_something(struct run *r)
{
	const struct tournament *t = at(r);
	if (t->contest.round_count == 0 || rng_below(&r->rng, 20) != 0)
		return;
	uint32_t round = (uint32_t)t->contest.round_count - 1;
	struct command cmd = {
		.type = CMD_TOURNAMENT_CORRECT,
		.tournament = { .tournament = r->t,
				.round = round,
				.table = rng_below(&r->rng,
						   t->round[round].count),
				.outcome = rng_below(&r->rng, 2)
						   ? OUTCOME_WHITE
						   : OUTCOME_BLACK,
				.words = span_str("So it was.") }
	};
	play_do(&r->p, "org", cmd);
}

/* What its export would tell follows from itself; a table with its players the
 * other way round, or another seed, does not. */
static void check_verification(const struct tournament *t)
{
	static struct told_correction corrections[CORRECTIONS_MAX];
	static struct ranking rows[ENTRIES_MAX];
	char why[TOURNAMENT_WHY_MAX];
	standings(&t->contest, rows);
	for (size_t i = 0; i < t->correction_count; i++) {
		const struct tournament_correction *c = &t->correction[i];
		corrections[i] =
			(struct told_correction){ c->round,
						  c->table,
						  c->paired,
						  c->was,
						  { c->was_points[0],
						    c->was_points[1] } };
	}
	struct told_tournament told = {
		.commitment = t->commitment,
		.contest = t->contest,
		.correction_count = t->correction_count,
		.correction = corrections,
		.row_count = t->contest.entry_count,
		.row = rows,
	};
	if (tournament_verify(&told, why))
		fail_msg("%s", why);
	struct contest_table *last =
		&t->round[t->contest.round_count - 1].table[0];
	const struct contest_table was = *last;
	if (was.black != NO_ENTRY) {
		last->white = was.black;
		last->black = was.white;
		assert_int_equal(tournament_verify(&told, why), PLYD_ERECORD);
		*last = was;
	}
	rows[0].score++;
	assert_int_equal(tournament_verify(&told, why), PLYD_ERECORD);
	told.contest.seed[0] ^= 1;
	assert_int_equal(tournament_verify(&told, why), PLYD_ERECORD);
}

/* One match for each game of each table, and no match besides. */
static void check_end(struct run *r)
{
	const struct tournament *t = at(r);
	size_t games = 0;
	for (size_t x = 0; x < t->contest.round_count; x++)
		for (size_t i = 0; i < t->round[x].count; i++) {
			games += t->table[x][i].games;
			assert_true(t->round[x].table[i].outcome !=
				    OUTCOME_PENDING);
		}
	assert_true(games > 0);
	assert_int_equal(t->state, TOURNAMENT_FINISHED);
	assert_int_equal(domain_match_count(r->p.d), 0);
	check_verification(t);
}

static void open_run(struct run *r, uint64_t seed)
{
	static const enum contest_format formats[] = {
		FORMAT_SWISS, FORMAT_ROBIN, FORMAT_KNOCKOUT, FORMAT_DOUBLE_ROBIN
	};
	rng_seed(&r->rng, seed);
	play_open(&r->p, seed);
	journal_open(&r->j, &r->p);
	play_hello(&r->p, "org");
	struct tournament_terms terms =
		tourney_terms(formats[seed % COUNT(formats)]);
	terms.check_in_ms = 0;
	r->t = tourney_make(&r->p, "org", &terms);
	r->players = 2 + rng_below(&r->rng, 4);
	tourney_enter(&r->p, &r->t, r->players);
	tourney_do(&r->p, "org", CMD_TOURNAMENT_START, &r->t);
}

static void crashes_change_nothing(void **state)
{
	(void)state;
	static struct run r;
	for (uint64_t seed = 0; seed < RUNS; seed++) {
		open_run(&r, seed);
		for (int i = 0; at(&r)->state != TOURNAMENT_FINISHED; i++) {
			assert_true(i < STEPS_MOST);
			size_t before = r.j.count;
			size_t played = domain_match_count(r.p.d);
			if (rng_below(&r.rng, 3) == 0)
				decide_one(&r);
			else
				tick_once(&r);
			correct_something(&r);
			if (rng_below(&r.rng, 10) == 0)
				journal_snapshot(&r.j);
			else if (rng_below(&r.rng, 6) == 0 &&
				 r.j.snapshot_row == 0 &&
				 domain_match_count(r.p.d) >= played)
				die_earlier(&r, before);
			if (rng_below(&r.rng, 3) == 0)
				die(&r);
		}
		check_end(&r);
		journal_close(&r.j);
		play_close(&r.p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crashes_change_nothing),
	};
	return cmocka_run_group_tests_name("tournament", tests, NULL, NULL);
}
