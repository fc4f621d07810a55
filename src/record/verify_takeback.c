/* SPDX-License-Identifier: MIT */
#include "record/verify_priv.h"

#include <stdlib.h>

int takeback_keep(struct verifier *v)
{
	uint32_t n = v->verdict.plies;
	if (n >= v->was_cap) {
		size_t cap = v->was_cap ? 2 * v->was_cap : 64;
		struct was *was = realloc(v->was, cap * sizeof(*was));
		if (!was)
			return v->err = PLYD_ENOMEM;
		v->was = was;
		v->was_cap = cap;
	}
	v->was[n] = (struct was){ v->pos, v->quiet, v->fresh };
	v->takeback_by = -1;
	v->takeback_spent[WHITE] = v->takeback_spent[BLACK] = false;
	return PLYD_OK;
}

int judge_takeback_offered(struct verifier *v,
			   const struct fact_takeback_offered_body *b)
{
	int64_t back = b->side == v->pos.side ? 2 : 1;
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->ply != v->verdict.plies)
		return wrong(v, "a takeback is asked for out of place");
	if (!v->begin.takeback || v->begin.rated ||
	    ruleset_has_dice(&v->verdict.rules))
		return wrong(v, "a takeback where none is allowed");
	if (v->takeback_by >= 0 || v->takeback_spent[b->side])
		return wrong(v, "a takeback that was not allowed yet");
	if (b->to_ply < 0 || b->to_ply != b->ply - back)
		return wrong(v, "a takeback of something else than a move");
	v->takeback_by = (int)b->side;
	v->takeback_spent[b->side] = true;
	return PLYD_OK;
}

int judge_takeback_declined(struct verifier *v,
			    const struct fact_takeback_declined_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->ply != v->verdict.plies || v->takeback_by != !b->side)
		return wrong(v, "no such takeback was there to decline");
	v->takeback_by = -1;
	return PLYD_OK;
}

int judge_taken_back(struct verifier *v, const struct fact_taken_back_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->ply != v->verdict.plies || v->takeback_by != !b->side)
		return wrong(v, "taken back, but nobody asked for it");
	int64_t back = v->takeback_by == v->pos.side ? 2 : 1;
	if (b->to_ply != b->ply - back)
		return wrong(v, "taken back to another ply than asked for");
	if (clocks_broken_off(v, b->thought_ms, b->left_ms, b->lag_ms))
		return v->err;
	const struct was *was = &v->was[b->to_ply];
	v->pos = was->pos;
	v->quiet = was->quiet;
	v->fresh = was->fresh;
	v->verdict.plies = (uint32_t)b->to_ply;
	v->hash_count = (size_t)b->to_ply + 1;
	v->offer_by = -1;
	v->takeback_by = -1;
	v->takeback_spent[WHITE] = v->takeback_spent[BLACK] = false;
	v->before_ms = v->before_lag_ms = 0;
	v->pause_at = v->pause_spent[WHITE] = v->pause_spent[BLACK] = 0;
	v->takebacks++;
	return PLYD_OK;
}
