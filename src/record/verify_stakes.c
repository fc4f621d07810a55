/* SPDX-License-Identifier: MIT */
#include "record/verify_priv.h"

#include <string.h>

enum { LEVEL_SINGLE = 1, LEVEL_GAMMON = 2, LEVEL_BACKGAMMON = 3 };

unsigned length_of(const struct verifier *v)
{
	const struct ruleset *rules = &v->verdict.rules;
	return rules->family == FAMILY_BACKGAMMON
		       ? rules->backgammon.match_length
		       : 0;
}

enum side turn_of(const struct verifier *v)
{
	enum side mover = (enum side)v->pos.side;
	return v->doubled ? side_other(mover) : mover;
}

bool may_double(const struct verifier *v)
{
	return v->playing && v->first_known && !v->doubled &&
	       game_may_double(&v->verdict.rules, &v->pos) == REASON_NONE;
}

void stakes_after(struct verifier *v, enum side side)
{
	v->asked = false;
	v->before_ms = v->before_lag_ms = 0;
	v->resign_refused[side] = 0;
	if (v->resign_by == (int)side)
		v->resign_by = -1;
}

/* -- the cube -- */

int judge_cube(struct verifier *v, enum fact_type type,
	       const struct fact_doubled_body *b)
{
	bool right = type == FACT_DOUBLED ? may_double(v) : v->doubled;
	if (!right)
		return wrong(v, "the cube may not be turned so");
	if (b->ply != v->verdict.plies || b->side != (int64_t)turn_of(v))
		return wrong(v, "the cube is turned out of turn");
	int err = clocks_half_move(v, b->thought_ms, b->left_ms, b->lag_ms);
	if (err)
		return err;
	v->verdict.plies++;
	stakes_after(v, (enum side)b->side);
	offers_after(v, (int)b->side);
	v->doubled = type == FACT_DOUBLED;
	struct position before = v->pos;
	if (type == FACT_TAKEN)
		game_take(&before, &v->pos);
	if (type == FACT_DROPPED) {
		struct outcome o = game_drop(&before);
		game_is_over(v, &o);
	} else {
		find_draw(v);
	}
	return PLYD_OK;
}

/* -- games -- */

void game_is_over(struct verifier *v, const struct outcome *o)
{
	if (length_of(v) == 0) {
		must_end(v, o->winner == WHITE ? RESULT_WHITE : RESULT_BLACK,
			 o->why, o->points);
		return;
	}
	v->game = GAME_IS_OVER;
	v->game_outcome = *o;
}

static bool is_resigned(const struct verifier *v,
			const struct fact_game_ended_body *b)
{
	return v->game == GAME_GOES_ON && v->playing &&
	       span_is(b->reason, end_reason_name(END_RESIGNED)) &&
	       resigned_for(v, side_other((enum side)b->winner), b->points);
}

static bool is_as_it_was(const struct verifier *v,
			 const struct fact_game_ended_body *b)
{
	const struct outcome *o = &v->game_outcome;
	return v->game == GAME_IS_OVER && b->winner == (int64_t)o->winner &&
	       b->points == o->points && span_is(b->reason, o->why);
}

/* What is left goes on into the next game; of days per move nothing is. */
static int clocks_of_game(struct verifier *v,
			  const struct fact_game_ended_body *b)
{
	int64_t each = v->begin.base_ms;
	if (clocks_lag(v, b->lag_ms))
		return v->err;
	v->lag_ms[turn_of(v)] += b->lag_ms;
	if (v->clock != CLOCK_PER_MOVE)
		return clocks_stopped(v, b->white_left_ms, b->black_left_ms);
	return b->white_left_ms == each && b->black_left_ms == each
		       ? PLYD_OK
		       : wrong(v, "the clocks after the game are others");
}

int judge_game_ended(struct verifier *v, const struct fact_game_ended_body *b)
{
	if (b->ply != v->verdict.plies || b->game != v->verdict.games ||
	    length_of(v) == 0 || (b->winner != WHITE && b->winner != BLACK))
		return wrong(v, "the end of another game");
	if (!is_as_it_was(v, b) && !is_resigned(v, b))
		return wrong(v, "the game cannot have ended so");
	int err = clocks_of_game(v, b);
	if (err)
		return err;
	struct outcome o = { .over = true,
			     .winner = (enum side)b->winner,
			     .points = (uint16_t)b->points };
	int won = game_next(&v->verdict.rules, &v->pos, &o, &v->next);
	if (b->white_score != v->next.stakes.score[WHITE] ||
	    b->black_score != v->next.stakes.score[BLACK])
		return wrong(v, "the score after the game is another");
	v->left_ms[WHITE] = b->white_left_ms;
	v->left_ms[BLACK] = b->black_left_ms;
	v->doubled = v->asked = false;
	v->before_ms = v->before_lag_ms = 0;
	v->resign_by = -1;
	memset(v->resign_refused, 0, sizeof(v->resign_refused));
	memcpy(v->pos.stakes.score, v->next.stakes.score,
	       sizeof(v->pos.stakes.score));
	v->game = GAME_IS_TO_BEGIN;
	v->given_up = span_is(b->reason, end_reason_name(END_RESIGNED));
	if (won >= 0) {
		v->game = GAME_GOES_ON;
		span_copy(b->reason, v->last_reason, sizeof(v->last_reason));
		must_end(v, won == WHITE ? RESULT_WHITE : RESULT_BLACK,
			 v->last_reason, (int)b->points);
	}
	return PLYD_OK;
}

/* A game given up counts as a half-move; older servers did not count it. */
static bool is_next_ply(const struct verifier *v, int64_t ply)
{
	int64_t plies = v->verdict.plies;
	return ply == plies || (v->given_up && ply == plies + 1);
}

int judge_game_begun(struct verifier *v, const struct fact_game_begun_body *b)
{
	char want[POSITION_TEXT_MAX];
	size_t len = game_write(&v->verdict.rules, &v->next, want);
	if (v->game != GAME_IS_TO_BEGIN || !is_next_ply(v, b->ply) ||
	    b->game != v->verdict.games + 1 ||
	    !span_eq(b->position, span_of(want, len)))
		return wrong(v, "another game than the next one begins");
	v->game = GAME_GOES_ON;
	v->verdict.plies = (uint32_t)b->ply;
	v->verdict.games++;
	v->pos = v->next;
	v->first_known = ruleset_first(&v->verdict.rules) >= 0;
	v->quiet = 0;
	v->hash_count = 0;
	v->offering[WHITE] = v->offering[BLACK] = (struct offering){ 0 };
	int err = draws_begin(v);
	if (!err)
		find_draw(v);
	return err;
}

/* -- resignations -- */

/* The most that a game can still cost: nobody's consent is needed for it. */
static int level_max(const struct verifier *v, enum side loser)
{
	const struct ruleset *rules = &v->verdict.rules;
	if (rules->family != FAMILY_BACKGAMMON ||
	    v->pos.backgammon.point[loser][0] > 0)
		return LEVEL_SINGLE;
	return rules->backgammon.jacoby && v->pos.stakes.cube == 0
		       ? LEVEL_SINGLE
		       : LEVEL_BACKGAMMON;
}

bool resigned_for(const struct verifier *v, enum side loser, int64_t points)
{
	int cube = v->pos.stakes.cube;
	bool offered = v->resign_by == (int)loser && points == v->resign_level
								       << cube;
	return offered || points == level_max(v, loser) << cube;
}

int judge_resign_offered(struct verifier *v,
			 const struct fact_resign_offered_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) || !v->playing ||
	    b->ply != v->verdict.plies)
		return wrong(v, "a resignation out of place");
	if (b->level < LEVEL_SINGLE || b->level > LEVEL_GAMMON ||
	    b->level >= level_max(v, (enum side)b->side))
		return wrong(v, "a resignation that needs no consent");
	if (v->resign_by == !b->side ||
	    b->level <= v->resign_refused[b->side] ||
	    (v->resign_by == b->side && b->level <= v->resign_level))
		return wrong(v, "a resignation that was offered before");
	v->resign_by = (int)b->side;
	v->resign_level = (int)b->level;
	return PLYD_OK;
}

int judge_resign_declined(struct verifier *v,
			  const struct fact_resign_declined_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->ply != v->verdict.plies || v->resign_by != !b->side)
		return wrong(v, "no such resignation was there to decline");
	v->resign_refused[!b->side] = v->resign_level;
	v->resign_by = -1;
	return PLYD_OK;
}
