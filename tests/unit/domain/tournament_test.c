/* SPDX-License-Identifier: MIT
 * The life of tournaments. */
#include "tourney.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#define OPEN(p)                                                                \
	struct play p;                                                         \
	play_open(&p, 1);                                                      \
	play_hello(&p, "org")

static struct id begun(struct play *p, const struct tournament_terms *terms,
		       size_t players)
{
	struct id t = tourney_make(p, "org", terms);
	tourney_enter(p, &t, players);
	assert_int_equal(tourney_do(p, "org", CMD_TOURNAMENT_START, &t),
			 PLYD_OK);
	play_wait(p, 1);
	return t;
}

static void a_swiss_runs_by_itself(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	struct id t = begun(&p, &terms, 8);
	const struct tournament *x = tourney_at(&p, &t);
	for (size_t r = 1; r <= 3; r++) {
		assert_int_equal(x->contest.round_count, r);
		assert_int_equal(tournament_open_tables(x, r - 1), 4);
		assert_int_equal(domain_match_count(p.d), 4);
		tourney_play(&p, &t, 5);
	}
	assert_int_equal(x->state, TOURNAMENT_FINISHED);
	assert_int_equal(x->end, TOURNAMENT_END_PLAYED);
	assert_int_equal(domain_match_count(p.d), 0);
	static struct ranking table[ENTRIES_MAX];
	int total = 0;
	standings(&x->contest, table);
	for (size_t i = 0; i < 8; i++)
		total += table[i].score;
	assert_int_equal(total, 3 * 4 * 2);
	assert_int_equal(table[0].score, 6);
	/* nobody is bound any more */
	assert_int_equal(domain_player(p.d, &x->organiser)->tournament_count,
			 0);
	play_close(&p);
}

/* A match says where it belongs, is not aborted or paused, and has no
 * takeback. */
static void its_matches_know_their_place(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_ROBIN);
	struct id t = begun(&p, &terms, 2);
	const struct match *m = tourney_match(&p, &t, 0);
	struct id id = m->id;
	assert_true(id_eq(&m->place.tournament, &t));
	assert_int_equal(m->place.round, 1);
	assert_int_equal(m->place.table, 1);
	assert_int_equal(m->place.game, 1);
	assert_false(m->rules->takeback);
	assert_int_equal(play_in(&p, "p1", CMD_MATCH_ABORT, &id), PLYD_EABORT);
	struct command pause = { .type = CMD_MATCH_PAUSE_OFFER, .match = id };
	assert_int_equal(play_do(&p, "p1", pause), PLYD_EPAUSE);
	play_close(&p);
}

/* RT-10: each pairing was created twice in one round. */
static void rt_10_a_second_start_changes_nothing(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	struct id t = begun(&p, &terms, 6);
	const struct tournament *x = tourney_at(&p, &t);
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_START, &t),
			 PLYD_OK);
	struct command tick = { .type = CMD_TICK };
	for (int i = 0; i < 10; i++)
		play_do(&p, "", tick);
	assert_int_equal(x->contest.round_count, 1);
	assert_int_equal(domain_match_count(p.d), 3);
	play_close(&p);
}

/* RT-09: all withdraw after round 2 of 5, or all but one. */
static void rt_09_it_ends_when_nobody_is_left(void **state)
{
	(void)state;
	for (size_t stay = 0; stay < 2; stay++) {
		OPEN(p);
		struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
		terms.rounds = 5;
		terms.gap_ms = 1000;
		struct id t = begun(&p, &terms, 4);
		const struct tournament *x = tourney_at(&p, &t);
		tourney_play(&p, &t, 0);
		play_wait(&p, 1500);
		tourney_play(&p, &t, 0);
		assert_int_equal(x->contest.round_count, 2);
		for (size_t i = 1 + stay; i <= 4; i++) {
			char name[8];
			snprintf(name, sizeof(name), "p%zu", i);
			assert_int_equal(tourney_do(&p, name,
						    CMD_TOURNAMENT_WITHDRAW,
						    &t),
					 PLYD_OK);
		}
		play_wait(&p, 5000);
		assert_int_equal(x->state, TOURNAMENT_FINISHED);
		assert_int_equal(x->end, TOURNAMENT_END_TOO_FEW);
		assert_int_equal(x->contest.round_count, 2);
		int score[ENTRIES_MAX], total = 0;
		contest_scores(&x->contest, 2, score);
		for (size_t i = 0; i < 4; i++)
			total += score[i];
		assert_int_equal(total, 2 * 2 * 2); /* no byes */
		play_close(&p);
	}
}

static void who_does_not_come_loses_and_then_is_out(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	terms.no_show_ms = 30000; /* before a flag falls */
	struct id t = begun(&p, &terms, 4);
	const struct tournament *x = tourney_at(&p, &t);
	int entry = tournament_entry_of(x, &play_who(&p, "p1")->id);
	play_gone(&p, "p1");
	for (size_t r = 0; r < 2; r++) {
		for (size_t i = 0; i < 2; i++) {
			const struct match *m = tourney_match(&p, &t, i);
			struct id id = m->id;
			if (match_seat_of(m, &play_who(&p, "p1")->id) < 0)
				play_in(&p, m->seat[BLACK].name,
					CMD_MATCH_RESIGN, &id);
			else if (strcmp(m->seat[BLACK].name, "p1") != 0)
				/* the other is there, and black begins */
				play_move(&p, m->seat[BLACK].name, &id, 0,
					  "11-15");
		}
		play_wait(&p, 31000);
		assert_int_equal(x->contest.round_count, r + 2);
	}
	assert_int_equal(x->entry[entry].gone, ENTRY_NO_SHOW);
	assert_int_equal(x->in[entry].gone_from, 2);
	play_close(&p);
}

static void check_in_decides_who_plays(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	terms.check_in_ms = 10000;
	terms.starts_unix_ms = play_unix_ms(&p) + 100000;
	struct id t = tourney_make(&p, "org", &terms);
	const struct tournament *x = tourney_at(&p, &t);
	tourney_enter(&p, &t, 5);
	assert_int_equal(tourney_do(&p, "p1", CMD_TOURNAMENT_CHECK_IN, &t),
			 PLYD_ESTAGE);
	play_wait(&p, 91000);
	assert_int_equal(x->state, TOURNAMENT_CHECK_IN);
	for (int i = 1; i <= 3; i++) {
		char name[8];
		snprintf(name, sizeof(name), "p%d", i);
		assert_int_equal(tourney_do(&p, name, CMD_TOURNAMENT_CHECK_IN,
					    &t),
				 PLYD_OK);
	}
	play_wait(&p, 10000);
	assert_int_equal(x->state, TOURNAMENT_RUNNING);
	assert_int_equal(tournament_players(x), 3);
	assert_int_equal(x->entry[4].gone, ENTRY_NO_SHOW);
	assert_int_equal(x->round[0].count, 2);
	play_close(&p);
}

static void late_ones_come_with_nothing(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	terms.late_rounds = 1;
	terms.gap_ms = 1000;
	struct id t = begun(&p, &terms, 2);
	const struct tournament *x = tourney_at(&p, &t);
	play_hello(&p, "late");
	play_hello(&p, "later");
	assert_int_equal(tourney_do(&p, "late", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_OK);
	assert_int_equal(x->in[2].first_round, 1);
	tourney_play(&p, &t, 0);
	play_wait(&p, 2000);
	assert_int_equal(x->contest.round_count, 2);
	assert_int_equal(x->round[1].count, 2); /* one of three has a bye */
	assert_int_equal(tourney_do(&p, "later", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_ESTAGE);
	play_close(&p);
}

static void who_may_enter(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	terms.players = AGAINST_PERSON;
	terms.invited_only = true;
	terms.entries_max = 2;
	struct id t = tourney_make(&p, "org", &terms);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello_bot(&p, "bot");
	assert_int_equal(tourney_do(&p, "bot", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_ENOTALLOWED);
	assert_int_equal(tourney_do(&p, "ann", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_ENOTINVITED);
	struct command invite = {
		.type = CMD_TOURNAMENT_INVITE,
		.tournament = { .tournament = t,
				.whom.player = play_who(&p, "ann")->id }
	};
	assert_int_equal(play_do(&p, "bob", invite), PLYD_ENOTDIRECTOR);
	assert_int_equal(play_do(&p, "org", invite), PLYD_OK);
	assert_int_equal(tourney_do(&p, "ann", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_OK);
	assert_int_equal(tourney_do(&p, "ann", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_OK);
	invite.tournament.whom.player = play_who(&p, "bob")->id;
	play_do(&p, "org", invite);
	assert_int_equal(tourney_do(&p, "bob", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_EFULL);
	/* before the start one may go and come back */
	assert_int_equal(tourney_do(&p, "ann", CMD_TOURNAMENT_WITHDRAW, &t),
			 PLYD_OK);
	assert_int_equal(tourney_do(&p, "ann", CMD_TOURNAMENT_WITHDRAW, &t),
			 PLYD_OK);
	assert_int_equal(tourney_do(&p, "ann", CMD_TOURNAMENT_ENTER, &t),
			 PLYD_OK);
	assert_int_equal(tourney_at(&p, &t)->contest.entry_count, 2);
	terms.rated = true; /* a guest has no rating */
	terms.invited_only = false;
	struct id rated = tourney_make(&p, "org", &terms);
	assert_int_equal(tourney_do(&p, "ann", CMD_TOURNAMENT_ENTER, &rated),
			 PLYD_EUNRATED);
	play_close(&p);
}

static int correct(struct play *p, const char *who, const struct id *t,
		   uint32_t round, uint32_t table, enum table_outcome o)
{
	struct command cmd = { .type = CMD_TOURNAMENT_CORRECT,
			       .tournament = { .tournament = *t,
					       .round = round,
					       .table = table,
					       .outcome = o,
					       .words = span_str("Seen.") } };
	return play_do(p, who, cmd);
}

static void a_director_decides(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_ROBIN);
	struct id t = begun(&p, &terms, 4);
	const struct tournament *x = tourney_at(&p, &t);
	struct id m = tourney_match(&p, &t, 0)->id;
	assert_int_equal(correct(&p, "p1", &t, 0, 0, OUTCOME_DRAW),
			 PLYD_ENOTDIRECTOR);
	assert_int_equal(correct(&p, "org", &t, 0, 7, OUTCOME_DRAW),
			 PLYD_ENOTABLE);
	assert_int_equal(correct(&p, "org", &t, 0, 0, OUTCOME_BYE),
			 PLYD_ENOTALLOWED);
	/* its match, which is still played, ends without a result */
	assert_int_equal(correct(&p, "org", &t, 0, 0, OUTCOME_DRAW), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->result, RESULT_ABORTED);
	assert_string_equal(match_words(play_at(&p, &m)),
			    "The director of the tournament has decided.");
	assert_int_equal(x->round[0].table[0].outcome, OUTCOME_DRAW);
	assert_int_equal(x->correction_count, 1);
	assert_int_equal(x->correction[0].was, OUTCOME_PENDING);
	assert_int_equal(correct(&p, "org", &t, 0, 0, OUTCOME_DRAW), PLYD_OK);
	assert_int_equal(x->correction_count, 1); /* a retry */
	/* a helper may, until he is none any more */
	struct command direct = {
		.type = CMD_TOURNAMENT_DIRECT,
		.tournament = { .tournament = t,
				.on = true,
				.whom.player = play_who(&p, "p1")->id }
	};
	assert_int_equal(play_do(&p, "p1", direct), PLYD_ENOTDIRECTOR);
	assert_int_equal(play_do(&p, "org", direct), PLYD_OK);
	assert_int_equal(correct(&p, "p1", &t, 0, 0, OUTCOME_WHITE), PLYD_OK);
	assert_int_equal(x->correction[1].was, OUTCOME_DRAW);
	direct.tournament.on = false;
	assert_int_equal(play_do(&p, "org", direct), PLYD_OK);
	assert_int_equal(correct(&p, "p1", &t, 0, 0, OUTCOME_DRAW),
			 PLYD_ENOTDIRECTOR);
	play_close(&p);
}

static void a_pause_holds_the_next_round(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	struct id t = begun(&p, &terms, 4);
	const struct tournament *x = tourney_at(&p, &t);
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_PAUSE, &t),
			 PLYD_OK);
	tourney_play(&p, &t, 0); /* what is played goes on */
	play_wait(&p, 100000);
	assert_int_equal(x->contest.round_count, 1);
	assert_int_equal(tournament_open_tables(x, 0), 0);
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_RESUME, &t),
			 PLYD_OK);
	play_wait(&p, 1);
	assert_int_equal(x->contest.round_count, 2);
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_FINISH, &t),
			 PLYD_OK);
	assert_int_equal(x->state, TOURNAMENT_FINISHED);
	struct id m = tourney_match(&p, &t, 0)->id;
	play_in(&p, play_at(&p, &m)->seat[WHITE].name, CMD_MATCH_RESIGN, &m);
	assert_int_equal(x->round[1].table[0].outcome, OUTCOME_PENDING);
	play_close(&p);
}

/* Two of seven leave before anybody is paired: five have five rounds, not
 * seven, and it ends as one that was played. */
static void who_leaves_before_it_is_paired_shortens_it(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_ROBIN);
	struct id t = tourney_make(&p, "org", &terms);
	const struct tournament *x = tourney_at(&p, &t);
	tourney_enter(&p, &t, 7);
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_START, &t),
			 PLYD_OK);
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_PAUSE, &t),
			 PLYD_OK);
	assert_int_equal(x->contest.round_count, 0);
	assert_int_equal(x->rounds, 7);
	tourney_do(&p, "p2", CMD_TOURNAMENT_WITHDRAW, &t);
	tourney_do(&p, "p5", CMD_TOURNAMENT_WITHDRAW, &t);
	assert_int_equal(tourney_do(&p, "org", CMD_TOURNAMENT_RESUME, &t),
			 PLYD_OK);
	play_wait(&p, 1);
	assert_int_equal(x->rounds, 5);
	for (size_t r = 1; r <= 5; r++) {
		assert_int_equal(x->contest.round_count, r);
		tourney_play(&p, &t, r);
	}
	assert_int_equal(x->state, TOURNAMENT_FINISHED);
	assert_int_equal(x->end, TOURNAMENT_END_PLAYED);
	assert_int_equal(x->contest.round_count, x->rounds);
	play_close(&p);
}

/* All leave before anybody is paired, or all but one: of whatever kind, it was
 * not played. */
static void without_players_it_is_not_played(void **state)
{
	static const enum contest_format formats[] = { FORMAT_SWISS,
						       FORMAT_ROBIN,
						       FORMAT_KNOCKOUT };
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(formats); i++) {
		OPEN(p);
		struct tournament_terms terms = tourney_terms(formats[i / 2]);
		struct id t = tourney_make(&p, "org", &terms);
		const struct tournament *x = tourney_at(&p, &t);
		tourney_enter(&p, &t, 3);
		tourney_do(&p, "org", CMD_TOURNAMENT_START, &t);
		tourney_do(&p, "org", CMD_TOURNAMENT_PAUSE, &t);
		assert_int_equal(x->state, TOURNAMENT_PAUSED);
		assert_int_equal(x->contest.round_count, 0);
		tourney_do(&p, "p1", CMD_TOURNAMENT_WITHDRAW, &t);
		tourney_do(&p, "p2", CMD_TOURNAMENT_WITHDRAW, &t);
		if (i % 2 == 0)
			tourney_do(&p, "p3", CMD_TOURNAMENT_WITHDRAW, &t);
		tourney_do(&p, "org", CMD_TOURNAMENT_RESUME, &t);
		play_wait(&p, 5000);
		assert_int_equal(x->state, TOURNAMENT_FINISHED);
		assert_int_equal(x->end, TOURNAMENT_END_TOO_FEW);
		assert_int_equal(x->contest.round_count, 0);
		play_close(&p);
	}
}

/* A drawn table of a knock-out is played again, colours changed; the third
 * draw is decided by lot. */
static void a_drawn_knockout_is_drawn_by_lot(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_KNOCKOUT);
	struct id t = begun(&p, &terms, 2);
	const struct tournament *x = tourney_at(&p, &t);
	char white[2][NAME_BYTES_MAX + 1];
	for (int g = 0; g < KO_GAMES_MAX; g++) {
		const struct match *m = tourney_match(&p, &t, 0);
		struct id id = m->id;
		if (g < 2)
			snprintf(white[g], sizeof(white[g]), "%s",
				 m->seat[WHITE].name);
		assert_int_equal(m->place.game, g + 1);
		assert_int_equal(play_in(&p, "p1", CMD_MATCH_OFFER_DRAW, &id),
				 PLYD_OK);
		struct command yes = { .type = CMD_MATCH_OFFER_DRAW,
				       .match = id };
		assert_int_equal(play_do(&p, "p2", yes), PLYD_OK);
		play_wait(&p, 1);
	}
	assert_string_not_equal(white[0], white[1]);
	assert_int_equal(x->state, TOURNAMENT_FINISHED);
	int o = x->round[0].table[0].outcome;
	assert_true(o == OUTCOME_WHITE_LOT || o == OUTCOME_BLACK_LOT);
	play_close(&p);
}

static void a_key_makes_one(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	struct command cmd = { .type = CMD_TOURNAMENT_CREATE,
			       .tournament = { .terms = &terms,
					       .key = span_str("k") } };
	play_do(&p, "org", cmd);
	struct id first = p.tournament;
	play_do(&p, "org", cmd);
	assert_string_equal(p.facts, "");
	assert_true(id_eq(&first, &p.tournament));
	terms.rounds = 0;
	cmd.tournament.key = span_str("other");
	assert_int_equal(play_do(&p, "org", cmd), PLYD_ETERMS);
	play_close(&p);
}

/* The same time of a plan makes one, however often it comes. */
static void a_plan_makes_one_at_a_time(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	snprintf(terms.schedule, sizeof(terms.schedule), "friday");
	terms.starts_unix_ms = play_unix_ms(&p) + 1000;
	struct command cmd = { .type = CMD_TOURNAMENT_SCHEDULED,
			       .tournament.terms = &terms };
	play_do(&p, "", cmd);
	play_do(&p, "", cmd);
	const struct tournament *x = domain_tournaments(p.d);
	assert_non_null(x);
	assert_null(tournament_next(x));
	assert_int_equal(x->state, TOURNAMENT_OPEN);
	terms.starts_unix_ms += 1000;
	play_do(&p, "", cmd);
	assert_non_null(tournament_next(x));
	play_wait(&p, 1500);
	assert_int_equal(x->state, TOURNAMENT_FINISHED);
	assert_int_equal(x->end, TOURNAMENT_END_TOO_FEW);
	play_close(&p);
}

static void who_is_deleted_is_in_nothing(void **state)
{
	(void)state;
	OPEN(p);
	struct tournament_terms terms = tourney_terms(FORMAT_ROBIN);
	struct id t = tourney_make(&p, "org", &terms);
	tourney_enter(&p, &t, 3);
	assert_int_equal(play_register(&p, "p1", "ann", "secret123"), PLYD_OK);
	tourney_do(&p, "org", CMD_TOURNAMENT_START, &t);
	play_wait(&p, 1);
	struct command delete = { .type = CMD_ACCOUNT_DELETE,
				  .confirm = span_str("secret123") };
	assert_int_equal(play_do(&p, "p1", delete), PLYD_OK);
	play_wait(&p, 10);
	const struct tournament *x = tourney_at(&p, &t);
	assert_int_equal(x->entry[0].gone, ENTRY_WITHDRAWN);
	assert_string_equal(x->entry[0].name, DELETED_NAME);
	for (size_t i = 0; i < x->round[0].count; i++) {
		const struct contest_table *c = &x->round[0].table[i];
		if (c->white == 0 && c->black != NO_ENTRY)
			assert_true(outcome_won(c->outcome, 1));
		if (c->black == 0)
			assert_true(outcome_won(c->outcome, 0));
	}
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_swiss_runs_by_itself),
		cmocka_unit_test(its_matches_know_their_place),
		cmocka_unit_test(rt_10_a_second_start_changes_nothing),
		cmocka_unit_test(rt_09_it_ends_when_nobody_is_left),
		cmocka_unit_test(who_does_not_come_loses_and_then_is_out),
		cmocka_unit_test(check_in_decides_who_plays),
		cmocka_unit_test(late_ones_come_with_nothing),
		cmocka_unit_test(who_may_enter),
		cmocka_unit_test(a_director_decides),
		cmocka_unit_test(a_pause_holds_the_next_round),
		cmocka_unit_test(who_leaves_before_it_is_paired_shortens_it),
		cmocka_unit_test(without_players_it_is_not_played),
		cmocka_unit_test(a_drawn_knockout_is_drawn_by_lot),
		cmocka_unit_test(a_key_makes_one),
		cmocka_unit_test(a_plan_makes_one_at_a_time),
		cmocka_unit_test(who_is_deleted_is_in_nothing),
	};
	return cmocka_run_group_tests_name("tournament", tests, NULL, NULL);
}
