/* SPDX-License-Identifier: MIT
 * Cube, games of a match and resignations, against sums made by hand. */
#include "play.h"
#include "unit.h"

#include <string.h>

static struct play p;

/* Whose turn it is, by name, and the other. */
static const char *turn(const struct id *m)
{
	return match_turn(play_at(&p, m)) == WHITE ? "ann" : "bob";
}

static const char *other(const char *name)
{
	return strcmp(name, "ann") ? "ann" : "bob";
}

static enum side side_of(const char *name)
{
	return strcmp(name, "ann") ? BLACK : WHITE;
}

static uint32_t ply(const struct id *m)
{
	return play_at(&p, m)->ply;
}

static int act(enum command_type type, const char *name, const struct id *m)
{
	return play_answer(&p, name, type, m, ply(m));
}

static const struct stakes *stakes(const struct id *m)
{
	return &play_at(&p, m)->pos.stakes;
}

/* A match whose second half-move is to come: somebody may double. */
static struct id begin(const char *ruleset, int length)
{
	struct rng rng;
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .match_length = length };
	rng_seed(&rng, 5);
	assert_int_equal(play_create(&p, "ann", ruleset, c), PLYD_OK);
	struct id lobby = p.lobby;
	assert_int_equal(play_join(&p, "bob", &lobby, true), PLYD_OK);
	struct id m = p.match;
	play_nonce(&p, "ann", &m, "a");
	play_nonce(&p, "bob", &m, "b");
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	assert_int_equal(match_awaits(play_at(&p, &m)), AWAITS_MOVE);
	play_random(&p, &rng, &m);
	return m;
}

/* Plays on until somebody may double. */
static void until_roll(const struct id *m)
{
	struct rng rng;
	rng_seed(&rng, 6);
	while (match_awaits(play_at(&p, m)) == AWAITS_MOVE)
		play_random(&p, &rng, m);
	assert_int_equal(match_awaits(play_at(&p, m)), AWAITS_ROLL);
}

static void open(void)
{
	play_open(&p, 9);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
}

/* LB-11: a roll that is asked for twice is thrown once. */
static void lb_11_rolls_once(void **state)
{
	(void)state;
	open();
	struct id m = begin("backgammon-match", 0);
	const char *me = turn(&m);
	uint32_t at = ply(&m), rolls = play_at(&p, &m)->rolls;
	assert_int_equal(match_awaits(play_at(&p, &m)), AWAITS_ROLL);
	assert_int_equal(play_move(&p, me, &m, at, "24/23"), PLYD_ENOTAWAITED);
	assert_int_equal(act(CMD_MATCH_ROLL, other(me), &m), PLYD_ETURN);
	assert_int_equal(act(CMD_MATCH_ROLL, me, &m), PLYD_OK);
	assert_string_equal(p.facts, "rolled |");
	assert_false(p.answer.duplicate);
	struct answer first = p.answer;
	assert_int_equal(play_answer(&p, me, CMD_MATCH_ROLL, &m, at), PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_true(p.answer.duplicate);
	assert_int_equal(p.answer.seq, first.seq);
	assert_memory_equal(p.answer.die, first.die, sizeof(first.die));
	assert_int_equal(play_at(&p, &m)->rolls, rolls + 1);
	assert_int_equal(ply(&m), at);
	/* too late to double */
	assert_int_equal(act(CMD_MATCH_DOUBLE, me, &m), PLYD_EILLEGAL);
	assert_string_equal(p.refusal, "after_throw");
	play_close(&p);
}

static void a_double_is_taken(void **state)
{
	(void)state;
	open();
	struct id m = begin("backgammon-match", 0);
	const char *me = turn(&m), *you = other(me);
	uint32_t at = ply(&m);
	assert_int_equal(act(CMD_MATCH_TAKE, me, &m), PLYD_ENOTAWAITED);
	assert_int_equal(act(CMD_MATCH_DOUBLE, me, &m), PLYD_OK);
	assert_string_equal(p.facts, "doubled |");
	assert_int_equal(ply(&m), at + 1);
	assert_string_equal(turn(&m), you);
	assert_int_equal(match_awaits(play_at(&p, &m)), AWAITS_ANSWER);
	assert_int_equal(stakes(&m)->cube, 0);
	/* again, and out of turn, and before the answer */
	assert_int_equal(play_answer(&p, me, CMD_MATCH_DOUBLE, &m, at),
			 PLYD_OK);
	assert_true(p.answer.duplicate);
	assert_int_equal(act(CMD_MATCH_ROLL, me, &m), PLYD_ETURN);
	assert_int_equal(act(CMD_MATCH_TAKE, me, &m), PLYD_ETURN);
	assert_int_equal(act(CMD_MATCH_DOUBLE, you, &m), PLYD_ENOTAWAITED);
	assert_int_equal(play_answer(&p, you, CMD_MATCH_TAKE, &m, at),
			 PLYD_ESTALE);
	assert_int_equal(act(CMD_MATCH_TAKE, you, &m), PLYD_OK);
	/* the doubler may not double again, so the server throws */
	assert_int_equal(strncmp(p.facts, "taken rolled", 12), 0);
	assert_int_equal(stakes(&m)->cube, 1);
	assert_int_equal(stakes(&m)->cube_owner,
			 side_of(you) == WHITE ? CUBE_WHITE : CUBE_BLACK);
	assert_int_equal(play_at(&p, &m)->pos.side, side_of(me));
	/* late answers to a double that was taken */
	assert_int_equal(play_answer(&p, you, CMD_MATCH_DROP, &m, at + 1),
			 PLYD_ESTALE);
	assert_int_equal(play_answer(&p, you, CMD_MATCH_TAKE, &m, at + 1),
			 PLYD_OK);
	assert_true(p.answer.duplicate);
	play_close(&p);
}

/* What a drop costs is what the cube showed before. */
static void a_double_is_dropped(void **state)
{
	(void)state;
	open();
	struct id m = begin("backgammon-match", 0);
	const char *me = turn(&m), *you = other(me);
	act(CMD_MATCH_DOUBLE, me, &m);
	act(CMD_MATCH_TAKE, you, &m);
	while (strcmp(turn(&m), you) != 0 ||
	       match_awaits(play_at(&p, &m)) != AWAITS_ROLL) {
		struct rng rng;
		rng_seed(&rng, ply(&m));
		play_random(&p, &rng, &m);
	}
	uint32_t rolls = play_at(&p, &m)->rolls;
	assert_int_equal(act(CMD_MATCH_DOUBLE, you, &m), PLYD_OK);
	uint32_t at = ply(&m);
	assert_int_equal(act(CMD_MATCH_DROP, me, &m), PLYD_OK);
	assert_int_equal(strncmp(p.facts,
				 "dropped game_ended game_begun opening_throw",
				 43),
			 0);
	const struct match *match = play_at(&p, &m);
	assert_int_equal(match->game, 2);
	assert_int_equal(match->ply, at + 1);
	assert_int_equal(match->game_ply, at + 1);
	assert_true(match->rolls > rolls);
	assert_int_equal(stakes(&m)->score[side_of(you)], 2);
	assert_int_equal(stakes(&m)->score[side_of(me)], 0);
	assert_int_equal(stakes(&m)->cube, 0);
	assert_int_equal(stakes(&m)->cube_owner, CUBE_CENTRED);
	/* the lost answer of the drop, in the next game */
	assert_int_equal(play_answer(&p, me, CMD_MATCH_DROP, &m, at), PLYD_OK);
	assert_true(p.answer.duplicate);
	assert_int_equal(play_at(&p, &m)->game, 2);
	play_close(&p);
}

static struct fact ended;
static void keep_end(void *payload, const struct fact *f)
{
	(void)payload;
	if (f->type == FACT_ENDED)
		ended = *f;
}

/* To 3: a dropped double 1-0, a gammon would do; then 2-0 is Crawford's. */
static void crawford_and_the_end(void **state)
{
	(void)state;
	open();
	p.on_fact = keep_end;
	struct id m = begin("backgammon-match", 3);
	for (int game = 1; game <= 2; game++) {
		until_roll(&m);
		if (strcmp(turn(&m), "bob")) {
			act(CMD_MATCH_ROLL, "ann", &m);
			until_roll(&m);
		}
		assert_int_equal(act(CMD_MATCH_DOUBLE, "bob", &m), PLYD_OK);
		assert_int_equal(act(CMD_MATCH_DROP, "ann", &m), PLYD_OK);
		assert_int_equal(stakes(&m)->score[BLACK], game);
	}
	assert_true(stakes(&m)->crawford);
	/* nobody is asked whether he throws */
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < 12; i++) {
		assert_int_equal(match_awaits(play_at(&p, &m)), AWAITS_MOVE);
		assert_int_equal(act(CMD_MATCH_DOUBLE, turn(&m), &m),
				 PLYD_EILLEGAL);
		play_random(&p, &rng, &m);
	}
	/* ann wins one, and bob the last by her resignation */
	assert_int_equal(play_resign(&p, "bob", &m,
				     (struct cmd_match_resign){ .level = 1 }),
			 PLYD_OK);
	assert_int_equal(play_offered(&p, "ann", CMD_MATCH_ACCEPT_RESIGN, &m,
				      p.answer.seq),
			 PLYD_OK);
	assert_int_equal(stakes(&m)->score[WHITE], 1);
	assert_false(stakes(&m)->crawford);
	until_roll(&m);
	if (strcmp(turn(&m), "ann")) {
		/* a cube that can only help the other is dead */
		assert_int_equal(match_awaits(play_at(&p, &m)), AWAITS_MOVE);
	}
	assert_int_equal(play_resign(&p, "ann", &m,
				     (struct cmd_match_resign){ .level = 3 }),
			 PLYD_OK);
	assert_string_equal(p.facts, "game_ended ended");
	assert_int_equal(play_at(&p, &m)->state, MATCH_OVER);
	assert_int_equal(ended.ended.result, RESULT_BLACK);
	assert_int_equal(ended.ended.white_score, 1);
	assert_int_equal(ended.ended.black_score, 3);
	assert_int_equal(ended.ended.points, 3);
	play_close(&p);
}

/* The time before the throw is charged with the move. */
static void a_turn_is_timed_as_one(void **state)
{
	(void)state;
	open();
	struct rng rng;
	rng_seed(&rng, 1);
	struct id m = begin("backgammon-match", 0);
	const char *me = turn(&m);
	enum side s = side_of(me);
	int64_t left = play_at(&p, &m)->left_ms[s];
	play_wait(&p, 4000);
	act(CMD_MATCH_ROLL, me, &m);
	assert_int_equal(match_left_ms(play_at(&p, &m), s, p.now_ms),
			 left - 4000);
	play_wait(&p, 3000);
	assert_int_equal(match_left_ms(play_at(&p, &m), s, p.now_ms),
			 left - 7000);
	if (match_awaits(play_at(&p, &m)) == AWAITS_MOVE && turn(&m) == me)
		play_random(&p, &rng, &m);
	assert_int_equal(play_at(&p, &m)->left_ms[s], left - 7000 + 1000);
	/* and a double and its answer like moves */
	const char *you = other(me);
	play_wait(&p, 2000);
	left = play_at(&p, &m)->left_ms[side_of(you)];
	act(CMD_MATCH_DOUBLE, you, &m);
	assert_int_equal(play_at(&p, &m)->left_ms[side_of(you)],
			 left - 2000 + 1000);
	/* the flag of whom the double waits for */
	play_wait(&p, 100000);
	assert_int_equal(play_at(&p, &m)->state, MATCH_OVER);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	assert_int_equal(play_at(&p, &m)->result,
			 s == WHITE ? RESULT_BLACK : RESULT_WHITE);
	play_close(&p);
}

static void resignations_have_levels(void **state)
{
	(void)state;
	open();
	struct id m = begin("backgammon-match", 0);
	const char *me = turn(&m), *you = other(me);
	assert_int_equal(play_resign(&p, me, &m,
				     (struct cmd_match_resign){ .level = 1 }),
			 PLYD_OK);
	uint64_t first = p.answer.seq;
	assert_string_equal(p.facts, "resign_offered");
	/* the same again is the same; less is none */
	play_resign(&p, me, &m, (struct cmd_match_resign){ .level = 1 });
	assert_string_equal(p.facts, "");
	assert_int_equal(p.answer.seq, first);
	assert_int_equal(play_resign(&p, you, &m,
				     (struct cmd_match_resign){ .level = 2 }),
			 PLYD_EOFFER);
	assert_int_equal(play_offered(&p, me, CMD_MATCH_ACCEPT_RESIGN, &m,
				      first),
			 PLYD_ENOOFFER);
	play_resign(&p, me, &m, (struct cmd_match_resign){ .level = 2 });
	uint64_t second = p.answer.seq;
	/* an answer to the first one cannot meet the second */
	assert_int_equal(play_offered(&p, you, CMD_MATCH_ACCEPT_RESIGN, &m,
				      first),
			 PLYD_ESTALE);
	assert_int_equal(play_offered(&p, you, CMD_MATCH_DECLINE_RESIGN, &m,
				      second),
			 PLYD_OK);
	uint64_t declined = p.answer.seq;
	assert_int_equal(play_offered(&p, you, CMD_MATCH_DECLINE_RESIGN, &m,
				      second),
			 PLYD_OK);
	assert_int_equal(p.answer.seq, declined);
	assert_string_equal(p.facts, "");
	assert_int_equal(play_resign(&p, me, &m,
				     (struct cmd_match_resign){ .level = 2 }),
			 PLYD_EOFFER);
	play_close(&p);
}

/* It lapses when its player moves on; an answer by the other is none. */
static void an_offered_resignation_lapses(void **state)
{
	(void)state;
	open();
	struct id m = begin("backgammon-match", 0);
	const char *me = turn(&m), *you = other(me);
	act(CMD_MATCH_DOUBLE, me, &m);
	assert_int_equal(play_resign(&p, me, &m,
				     (struct cmd_match_resign){ .level = 1 }),
			 PLYD_OK);
	uint64_t third = p.answer.seq;
	act(CMD_MATCH_TAKE, you, &m);
	assert_true(play_at(&p, &m)->resign.standing);
	struct rng rng;
	rng_seed(&rng, 4);
	play_random(&p, &rng, &m);
	assert_false(play_at(&p, &m)->resign.standing);
	assert_int_equal(play_offered(&p, you, CMD_MATCH_ACCEPT_RESIGN, &m,
				      third),
			 PLYD_ENOOFFER);
	play_close(&p);
}

/* Final, times the cube, and for this game only, however often it is said. */
static void a_game_is_resigned_once(void **state)
{
	(void)state;
	open();
	struct id m = begin("backgammon-match", 0);
	const char *me = turn(&m), *you = other(me);
	act(CMD_MATCH_DOUBLE, me, &m);
	act(CMD_MATCH_TAKE, you, &m);
	assert_int_equal(play_resign(&p, me, &m,
				     (struct cmd_match_resign){ .game = 1 }),
			 PLYD_OK);
	uint64_t gone = p.answer.seq;
	assert_int_equal(stakes(&m)->score[side_of(you)], 6);
	assert_int_equal(play_resign(&p, me, &m,
				     (struct cmd_match_resign){ .game = 1 }),
			 PLYD_OK);
	assert_int_equal(p.answer.seq, gone);
	assert_string_equal(p.facts, "");
	assert_int_equal(play_resign(&p, you, &m,
				     (struct cmd_match_resign){ .game = 1 }),
			 PLYD_ESTALE);
	assert_int_equal(play_resign(&p, you, &m,
				     (struct cmd_match_resign){ .whole =
									true }),
			 PLYD_OK);
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->result,
			 side_of(me) == WHITE ? RESULT_WHITE : RESULT_BLACK);
	play_close(&p);
}

/* With a checker off a resignation is single and final, whatever is asked. */
static void a_checker_off_is_a_single(void **state)
{
	(void)state;
	static const struct {
		const char *position;
		int level;
		int points;
		bool final;
	} cases[] = {
		/* white has one off; black none; the cube is at 2 */
		{ "XGID=-BBBBBD------------ebbbbb-:1:1:1:00:0:0:0:7:10", 2, 2,
		  true },
		{ "XGID=-BBBBBE------------ebbbbb-:1:1:1:00:0:0:0:7:10", 2, 4,
		  false },
		{ "XGID=-BBBBBE------------ebbbbb-:1:1:1:00:0:0:0:7:10", 0, 6,
		  true },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		open();
		struct id m = play_position(&p, "backgammon-match", "ann",
					    "bob", cases[i].position);
		play_nonce(&p, "ann", &m, "a");
		play_nonce(&p, "bob", &m, "b");
		play_resign(&p, "ann", &m,
			    (struct cmd_match_resign){
				    .level = cases[i].level });
		assert_int_equal(play_at(&p, &m)->game, cases[i].final ? 2 : 1);
		if (!cases[i].final)
			play_offered(&p, "bob", CMD_MATCH_ACCEPT_RESIGN, &m,
				     p.answer.seq);
		assert_int_equal(stakes(&m)->score[BLACK], cases[i].points);
		play_close(&p);
	}
}

/* LB-18: a winning move and a resignation, in either order: one result. */
static void lb_18_resign_races_a_win(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		open();
		struct id m =
			play_position(&p, "backgammon-match", "ann", "bob",
				      "XGID=-B-----------------ebbbbb-:1:1:1:"
				      "00:0:0:0:7:10");
		play_nonce(&p, "ann", &m, "a");
		play_nonce(&p, "bob", &m, "b");
		p.hold = true;
		struct cmd_match_resign how = { .game = 1 };
		if (order == 1)
			assert_int_equal(play_resign(&p, "bob", &m, how),
					 PLYD_OK);
		int moved = play_move(&p, "ann", &m, 0, "1/off 1/off");
		assert_true((moved == PLYD_OK) == (order == 0));
		if (order == 0)
			assert_int_equal(play_resign(&p, "bob", &m, how),
					 PLYD_ESTALE);
		/* one game, won once, by ann in both */
		assert_int_equal(play_at(&p, &m)->game, 2);
		assert_int_equal(stakes(&m)->score[WHITE], order == 0 ? 4 : 6);
		assert_int_equal(stakes(&m)->score[BLACK], 0);
		play_close(&p);
	}
}

static void lengths_may_be_chosen(void **state)
{
	(void)state;
	static const struct {
		const char *ruleset;
		int length;
		int err;
	} cases[] = {
		{ "backgammon-match", 1, PLYD_OK },
		{ "backgammon-match", 25, PLYD_OK },
		{ "backgammon-match", 26, PLYD_ELENGTH },
		{ "nackgammon", 3, PLYD_ELENGTH },
		{ "english", 1, PLYD_ELENGTH },
	};
	open();
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct cmd_lobby_create c = { .side = WHITE,
					      .match_length = cases[i].length };
		assert_int_equal(play_create(&p, "ann", cases[i].ruleset, c),
				 cases[i].err);
		if (cases[i].err)
			continue;
		struct id lobby = p.lobby;
		assert_int_equal(lobby_match_length(domain_lobby(p.d, &lobby)),
				 cases[i].length);
		play_leave(&p, "ann", &lobby);
	}
	play_close(&p);
}

/* -- personalities -- */

/* calm, who is black, may double. */
static struct id calm_may_double(void)
{
	struct rng rng;
	rng_seed(&rng, 2);
	open();
	struct id m = play_personality(&p, "backgammon-match", "ann", BLACK);
	play_nonce(&p, "ann", &m, "a");
	while (match_awaits(play_at(&p, &m)) != AWAITS_ROLL ||
	       match_turn(play_at(&p, &m)) != BLACK) {
		if (match_awaits(play_at(&p, &m)) == AWAITS_ROLL)
			act(CMD_MATCH_ROLL, "ann", &m);
		else
			play_random(&p, &rng, &m);
	}
	assert_int_equal(p.think_asked, AWAITS_ROLL);
	return m;
}

static void thinks(const struct id *m, enum awaits asked, bool failed, bool yes)
{
	play_think(&p, m,
		   (struct cmd_thought){ .ply = ply(m),
					 .asked = asked,
					 .failed = failed,
					 .yes = yes });
}

static void a_personality_turns_the_cube(void **state)
{
	(void)state;
	struct id m = calm_may_double();
	/* what was asked before the turn is no answer */
	thinks(&m, AWAITS_MOVE, false, false);
	assert_string_equal(p.facts, "");
	thinks(&m, AWAITS_ANSWER, false, true);
	assert_string_equal(p.facts, "");
	thinks(&m, AWAITS_ROLL, false, true);
	assert_string_equal(p.facts, "doubled |");
	thinks(&m, AWAITS_ROLL, false, true);
	assert_string_equal(p.facts, "");
	act(CMD_MATCH_TAKE, "ann", &m);
	assert_int_equal(p.think_asked, AWAITS_MOVE);
	play_close(&p);
}

/* Whatever became of the worker, a game is not thrown away. */
static void a_personality_that_fails_throws_and_takes(void **state)
{
	(void)state;
	struct id m = calm_may_double();
	thinks(&m, AWAITS_ROLL, true, true);
	assert_int_equal(strncmp(p.facts, "rolled", 6), 0);
	play_close(&p);
	m = calm_may_double();
	thinks(&m, AWAITS_ROLL, false, false);
	struct rng rng;
	rng_seed(&rng, 3);
	while (match_awaits(play_at(&p, &m)) != AWAITS_ROLL)
		play_random(&p, &rng, &m);
	act(CMD_MATCH_DOUBLE, "ann", &m);
	assert_int_equal(p.think_asked, AWAITS_ANSWER);
	thinks(&m, AWAITS_ANSWER, true, false);
	assert_int_equal(strncmp(p.facts, "taken", 5), 0);
	play_close(&p);
}

static void a_personality_is_asked_about_a_resignation(void **state)
{
	(void)state;
	struct id m = calm_may_double();
	play_resign(&p, "ann", &m, (struct cmd_match_resign){ .level = 1 });
	assert_int_equal(p.think_asked, AWAITS_RESIGNATION);
	struct cmd_thought t = { .asked = AWAITS_RESIGNATION,
				 .offer = play_at(&p, &m)->resign.seq - 1,
				 .yes = true };
	play_think(&p, &m, t);
	assert_string_equal(p.facts, ""); /* another offer was meant */
	t.offer++;
	t.failed = true;
	play_think(&p, &m, t);
	assert_string_equal(p.facts, "resign_declined");
	play_resign(&p, "ann", &m, (struct cmd_match_resign){ .level = 2 });
	t.offer = play_at(&p, &m)->resign.seq;
	t.failed = false;
	play_think(&p, &m, t);
	assert_int_equal(strncmp(p.facts, "game_ended game_begun", 21), 0);
	assert_int_equal(stakes(&m)->score[BLACK], 2);
	play_close(&p);
}

/* Score, cube and number of rolls over many random matches: added up from the
 * facts alone. */
struct sums {
	int score[2];
	int cube;
	uint32_t rolls, plies, games;
	bool over;
};

static void add_up(void *payload, const struct fact *f)
{
	struct sums *s = payload;
	switch (f->type) {
	case FACT_OPENING_THROW:
		assert_int_equal(f->opening_throw.roll, s->rolls++);
		break;
	case FACT_ROLLED: assert_int_equal(f->rolled.roll, s->rolls++); break;
	case FACT_MOVED: assert_int_equal(f->moved.ply, s->plies++); break;
	case FACT_PASSED: assert_int_equal(f->passed.ply, s->plies++); break;
	case FACT_DOUBLED: assert_int_equal(f->doubled.ply, s->plies++); break;
	case FACT_TAKEN:
		assert_int_equal(f->taken.ply, s->plies++);
		s->cube *= 2;
		break;
	case FACT_DROPPED: assert_int_equal(f->dropped.ply, s->plies++); break;
	case FACT_GAME_ENDED:
		assert_int_equal(f->game_ended.points % s->cube, 0);
		s->score[f->game_ended.winner] += (int)f->game_ended.points;
		s->cube = 1;
		break;
	case FACT_GAME_BEGUN:
		assert_int_equal(f->game_begun.game, ++s->games + 1);
		break;
	case FACT_ENDED: s->over = true; break;
	default: break;
	}
}

static void many_matches_add_up(void **state)
{
	(void)state;
	uint32_t games = 0;
	for (uint64_t seed = 0; seed < 30; seed++) {
		struct sums s = { .cube = 1 };
		struct rng rng;
		play_open(&p, seed);
		play_hello(&p, "ann");
		play_hello(&p, "bob");
		p.on_fact = add_up;
		p.payload = &s;
		rng_seed(&rng, seed);
		struct id m = seed % 3 == 0
				      ? play_personality(&p, "backgammon-match",
							 "ann", BLACK)
				      : play_match(&p, "backgammon-match",
						   "ann", "bob", NULL);
		play_nonce(&p, "ann", &m, "a");
		if (seed % 3 != 0)
			play_nonce(&p, "bob", &m, "b");
		while (play_random(&p, &rng, &m))
			;
		const struct match *over = play_at(&p, &m);
		assert_true(s.over);
		enum side winner = over->result == RESULT_WHITE ? WHITE : BLACK;
		assert_true(s.score[winner] >= 7);
		assert_true(s.score[side_other(winner)] < 7);
		assert_int_equal(over->pos.stakes.score[winner], 7);
		assert_int_equal(over->pos.stakes.score[side_other(winner)],
				 s.score[side_other(winner)]);
		games += s.games + 1;
		play_close(&p);
	}
	assert_true(games > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lb_11_rolls_once),
		cmocka_unit_test(a_double_is_taken),
		cmocka_unit_test(a_double_is_dropped),
		cmocka_unit_test(crawford_and_the_end),
		cmocka_unit_test(a_turn_is_timed_as_one),
		cmocka_unit_test(resignations_have_levels),
		cmocka_unit_test(an_offered_resignation_lapses),
		cmocka_unit_test(a_game_is_resigned_once),
		cmocka_unit_test(a_checker_off_is_a_single),
		cmocka_unit_test(lb_18_resign_races_a_win),
		cmocka_unit_test(lengths_may_be_chosen),
		cmocka_unit_test(a_personality_turns_the_cube),
		cmocka_unit_test(a_personality_that_fails_throws_and_takes),
		cmocka_unit_test(a_personality_is_asked_about_a_resignation),
		cmocka_unit_test(many_matches_add_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
