/* SPDX-License-Identifier: MIT
 * verify_clock.c - every time in a record, reckoned anew. The domain's clock.c
 * is not asked, so that a fault there is found. */
#include "record/verify_priv.h"

int clocks_begin(struct verifier *v, const struct fact_begun_body *b)
{
	bool per_move = b->clock_kind == CLOCK_PER_MOVE;
	int64_t base_max = per_move ? CLOCK_PER_MOVE_MS_MAX : CLOCK_MS_MAX;
	bool older = b->unlimited && b->clock_kind == 0;
	if (b->clock_kind < 0 || b->clock_kind >= CLOCK_KIND_COUNT ||
	    (b->unlimited != (b->clock_kind == CLOCK_UNLIMITED) && !older) ||
	    b->base_ms < 0 || b->base_ms > base_max || b->increment_ms < 0 ||
	    b->increment_ms > CLOCK_MS_MAX || b->delay_ms < 0 ||
	    b->delay_ms > CLOCK_MS_MAX)
		return wrong(v, "its clock is not one");
	v->clock =
		b->unlimited ? CLOCK_UNLIMITED : (enum clock_kind)b->clock_kind;
	/* where no bank is drawn on there is nothing to credit */
	int64_t lag_max =
		v->clock == CLOCK_UNLIMITED || per_move ? 0 : CLOCK_MS_MAX;
	if (b->lag_per_move_ms < 0 || b->lag_per_move_ms > lag_max ||
	    b->lag_total_ms < 0 || b->lag_total_ms > lag_max)
		return wrong(v, "a credit for lag that cannot be");
	v->left_ms[WHITE] = v->left_ms[BLACK] = b->base_ms;
	return PLYD_OK;
}

/* What a clock that had left_ms shows when used_ms were used, while it runs or
 * after the move. */
static int64_t clock_says(const struct verifier *v, int64_t left_ms,
			  int64_t used_ms, bool moved)
{
	const struct fact_begun_body *b = &v->begin;
	int64_t over = used_ms > b->delay_ms ? used_ms - b->delay_ms : 0;
	switch (v->clock) {
	case CLOCK_UNLIMITED: return left_ms;
	case CLOCK_DELAY: return left_ms - over;
	case CLOCK_PER_MOVE: return moved ? b->base_ms : left_ms - used_ms;
	case CLOCK_BRONSTEIN: return left_ms - (moved ? over : used_ms);
	default:
		left_ms += (moved ? b->increment_ms : 0) - used_ms;
		return left_ms < CLOCK_MS_MAX ? left_ms : CLOCK_MS_MAX;
	}
}

int clocks_lag(struct verifier *v, int64_t lag_ms)
{
	enum side side = turn_of(v);
	bool plays =
		!id_is_none(side == WHITE ? &v->begin.white : &v->begin.black);
	if (lag_ms < v->before_lag_ms || lag_ms > v->begin.lag_per_move_ms ||
	    lag_ms > v->begin.lag_total_ms - v->lag_ms[side] ||
	    (lag_ms > 0 && !plays))
		return wrong(v, "%lld ms are credited for lag",
			     (long long)lag_ms);
	return PLYD_OK;
}

int clocks_thought(struct verifier *v, int64_t thought_ms, int64_t lag_ms)
{
	int64_t passed = (int64_t)(v->at_ms - v->turn_ms);
	if (clocks_lag(v, lag_ms))
		return v->err;
	passed -= lag_ms;
	if (thought_ms < v->before_ms || thought_ms > passed ||
	    (v->clock == CLOCK_PER_MOVE && thought_ms != passed))
		return wrong(v, "a thought of %lld ms in %lld ms",
			     (long long)thought_ms, (long long)passed);
	if (v->clock != CLOCK_UNLIMITED && thought_ms > 0 &&
	    clock_says(v, v->left_ms[turn_of(v)], thought_ms, false) <= 0)
		return wrong(v, "moved after the flag had fallen");
	return PLYD_OK;
}

static int leaves(struct verifier *v, enum side side, int64_t left_ms,
		  int64_t lag_ms)
{
	v->lag_ms[side] += lag_ms;
	if (left_ms == v->left_ms[side])
		return PLYD_OK;
	return wrong(v, "the clock says %lld ms where %lld ms are left",
		     (long long)left_ms, (long long)v->left_ms[side]);
}

int clocks_half_move(struct verifier *v, int64_t thought_ms, int64_t left_ms,
		     int64_t lag_ms)
{
	enum side side = turn_of(v);
	int err = clocks_thought(v, thought_ms, lag_ms);
	if (err)
		return err;
	v->left_ms[side] = clock_says(v, v->left_ms[side], thought_ms, true);
	return leaves(v, side, left_ms, lag_ms);
}

/* A turn that is broken off is charged like another, and earns nothing. */
int clocks_broken_off(struct verifier *v, int64_t thought_ms, int64_t left_ms,
		      int64_t lag_ms)
{
	enum side side = turn_of(v);
	int err = clocks_thought(v, thought_ms, lag_ms);
	if (err)
		return err;
	v->left_ms[side] = clock_says(v, v->left_ms[side], thought_ms,
				      v->clock == CLOCK_PER_MOVE);
	return leaves(v, side, left_ms, lag_ms);
}

int clocks_stopped(struct verifier *v, int64_t white_ms, int64_t black_ms)
{
	const int64_t said[2] = { white_ms, black_ms };
	for (int s = 0; s < 2; s++) {
		bool runs = v->playing && s == (int)turn_of(v) && !v->frozen &&
			    !v->must_end && v->game == GAME_GOES_ON;
		/* also what the turn had cost before it was broken off */
		int64_t most =
			runs ? v->before_ms + (int64_t)(v->at_ms - v->turn_ms)
			     : 0;
		int64_t least = clock_says(v, v->left_ms[s], most, false);
		if (said[s] > v->left_ms[s] || said[s] < 0 || said[s] < least)
			return wrong(v,
				     "at the end %s's clock says %lld ms of "
				     "%lld ms",
				     s == WHITE ? "white" : "black",
				     (long long)said[s],
				     (long long)v->left_ms[s]);
	}
	return PLYD_OK;
}

int judge_adjusted(struct verifier *v, const struct fact_clock_adjusted_body *b)
{
	if (!v->playing || b->ply != v->verdict.plies ||
	    (b->side != WHITE && b->side != BLACK))
		return wrong(v, "a clock is set out of place");
	if (v->clock == CLOCK_UNLIMITED || v->clock == CLOCK_PER_MOVE)
		return wrong(v, "a clock is set that holds no time");
	if (b->add_ms == 0 || b->left_ms - b->add_ms != v->left_ms[b->side])
		return wrong(v, "a clock of %lld ms is set to %lld by %lld",
			     (long long)v->left_ms[b->side],
			     (long long)b->left_ms, (long long)b->add_ms);
	if (b->left_ms < 1 || b->left_ms > CLOCK_MS_MAX)
		return wrong(v, "a clock is set to %lld ms",
			     (long long)b->left_ms);
	v->left_ms[b->side] = b->left_ms;
	v->verdict.adjusted++;
	return PLYD_OK;
}
