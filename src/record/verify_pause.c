/* SPDX-License-Identifier: MIT */
#include "record/verify_priv.h"

static bool fits(const struct verifier *v, int64_t ply, int64_t side)
{
	return v->playing && !v->paused && ply == v->verdict.plies &&
	       (side == WHITE || side == BLACK);
}

static bool stands(const struct verifier *v)
{
	return v->pause_at == (int64_t)v->verdict.plies + 1;
}

int judge_pause_offered(struct verifier *v,
			const struct fact_pause_offered_body *b)
{
	int64_t here = (int64_t)v->verdict.plies + 1;
	if (!fits(v, b->ply, b->side) || stands(v) ||
	    v->pause_spent[b->side] == here)
		return wrong(v, "a pause is asked for out of place");
	if (v->clock == CLOCK_UNLIMITED || v->clock == CLOCK_PER_MOVE)
		return wrong(v, "a pause where no clock can be stopped");
	v->pause_at = v->pause_spent[b->side] = here;
	v->pause_by = (int)b->side;
	return PLYD_OK;
}

int judge_pause_declined(struct verifier *v,
			 const struct fact_pause_declined_body *b)
{
	if (!fits(v, b->ply, b->side) || !stands(v) || v->pause_by == b->side)
		return wrong(v, "no such pause was there to decline");
	v->pause_at = 0;
	return PLYD_OK;
}

int judge_paused(struct verifier *v, const struct fact_paused_body *b)
{
	if (!fits(v, b->ply, b->side) || !stands(v) || v->pause_by == b->side)
		return wrong(v, "paused, but nobody asked for it");
	if (clocks_thought(v, b->thought_ms, b->lag_ms))
		return v->err;
	v->paused = true;
	v->before_ms = b->thought_ms;
	v->before_lag_ms = b->lag_ms;
	v->pause_at = v->pause_spent[WHITE] = v->pause_spent[BLACK] = 0;
	v->offer_by = -1;
	v->takeback_by = -1;
	v->takeback_spent[WHITE] = v->takeback_spent[BLACK] = false;
	v->resign_by = -1;
	return PLYD_OK;
}

int judge_resumed(struct verifier *v, const struct fact_resumed_body *b)
{
	if (!v->paused || b->ply != v->verdict.plies ||
	    (b->side != WHITE && b->side != BLACK))
		return wrong(v, "resumed, but it was not paused");
	v->paused = false;
	return PLYD_OK;
}
