/* SPDX-License-Identifier: MIT */
#include "record/verify_priv.h"

#include <stdlib.h>
#include <string.h>

/* -- what a policy counts -- */

static int keep_hash(struct verifier *v)
{
	if (v->hash_count == v->hash_cap) {
		size_t cap = v->hash_cap ? 2 * v->hash_cap : 64;
		uint64_t *hashes = realloc(v->hashes, cap * sizeof(*hashes));
		if (!hashes)
			return v->err = PLYD_ENOMEM;
		v->hashes = hashes;
		v->hash_cap = cap;
	}
	v->hashes[v->hash_count++] = game_hash(&v->verdict.rules, &v->pos);
	return PLYD_OK;
}

int draws_begin(struct verifier *v)
{
	v->offer_by = -1;
	v->fresh = v->hash_count;
	return keep_hash(v);
}

void must_end(struct verifier *v, enum match_result result, const char *reason,
	      int points)
{
	v->must_end = true;
	v->must_result = result;
	v->must_reason = reason;
	v->must_points = points;
}

/* The order is the law: repetition, then progress, then length. */
void find_draw(struct verifier *v)
{
	int64_t seen = 0;
	for (size_t i = 0; i < v->hash_count; i++)
		seen += v->hashes[i] == v->hashes[v->hash_count - 1];
	if (v->begin.repetition > 0 && seen >= v->begin.repetition)
		must_end(v, RESULT_DRAW, end_reason_name(END_REPETITION), 0);
	else if (v->begin.no_progress > 0 && v->quiet >= v->begin.no_progress)
		must_end(v, RESULT_DRAW, end_reason_name(END_NO_PROGRESS), 0);
	else if (v->verdict.plies >= PLIES_MAX)
		must_end(v, RESULT_DRAW, end_reason_name(END_TOO_LONG), 0);
}

/* A lost position comes before any draw. */
static void find_end(struct verifier *v)
{
	struct outcome o = game_outcome(&v->verdict.rules, &v->pos);
	if (o.over)
		game_is_over(v, &o);
	else
		find_draw(v);
}

void offers_after(struct verifier *v, int side)
{
	struct offering *own = &v->offering[side];
	if (v->offer_by == !side) {
		v->offer_by = -1;
		v->offering[!side].moves = 0;
	}
	if (own->spent && ++own->moves == OFFER_WAIT_MOVES)
		own->spent = false;
}

int draws_after_move(struct verifier *v, const struct position *before,
		     bool passed)
{
	struct progress did = game_progress(&v->verdict.rules, before, &v->pos);
	bool other = v->begin.no_progress_counts ? did.man_moved : did.promoted;
	v->quiet = did.captured || other ? 0 : v->quiet + 1;
	if (v->quiet == 0)
		v->offering[WHITE].made = v->offering[BLACK].made = 0;
	if (did.captured || did.promoted)
		v->fresh = v->hash_count;
	if (keep_hash(v))
		return v->err;
	if (!passed)
		offers_after(v, before->side);
	find_end(v);
	return PLYD_OK;
}

/* -- warnings -- */

/* A policy that has a script speaks once about each position that a half-move
 * made. */
int judge_warned(struct verifier *v, const struct fact_warned_body *b)
{
	if (!v->begin.judged || !v->playing || b->ply != v->verdict.plies ||
	    b->ply == 0 || b->words.len == 0)
		return wrong(v, "a warning out of place");
	if (v->warned_ply == b->ply && v->warned_takebacks == v->takebacks)
		return wrong(v, "a second warning about one position");
	v->warned_ply = (uint32_t)b->ply;
	v->warned_takebacks = v->takebacks;
	return PLYD_OK;
}

/* -- offers -- */

static bool policy_allows(const struct verifier *v, enum side side)
{
	const struct fact_begun_body *b = &v->begin;
	return v->verdict.plies >= b->offers_from &&
	       (b->offers_max == 0 || v->offering[side].made < b->offers_max);
}

bool offers_may(const struct verifier *v, enum side side)
{
	return ruleset_draw_by_agreement(&v->verdict.rules) && v->playing &&
	       !v->begin.no_offers && v->offer_by < 0 &&
	       !v->offering[side].spent && policy_allows(v, side);
}

int judge_offered(struct verifier *v, const struct fact_draw_offered_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->ply != v->verdict.plies)
		return wrong(v, "an offer out of place");
	if (!ruleset_draw_by_agreement(&v->verdict.rules) || !v->playing ||
	    v->begin.no_offers)
		return wrong(v, "an offer where no draw can be agreed");
	if (v->offer_by >= 0 || v->offering[b->side].spent)
		return wrong(v, "an offer that was not allowed yet");
	uint32_t made = v->offering[b->side].made;
	if (!policy_allows(v, (enum side)b->side))
		return wrong(v, "an offer that the policy does not allow");
	v->offer_by = (int)b->side;
	v->offering[b->side] =
		(struct offering){ .spent = true, .made = made + 1 };
	v->offering[!b->side].spent = false;
	return PLYD_OK;
}

int judge_declined(struct verifier *v, const struct fact_draw_declined_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->ply != v->verdict.plies || v->offer_by != !b->side)
		return wrong(v, "no such offer was there to decline");
	v->offer_by = -1;
	v->offering[!b->side].moves = 0;
	return PLYD_OK;
}

/* -- a fault of the server -- */

int judge_frozen(struct verifier *v, const struct fact_frozen_body *b)
{
	if (b->ply != v->verdict.plies || b->reason.len == 0)
		return wrong(v, "frozen out of place");
	if (v->rated_said)
		return wrong(v, "frozen though it was rated");
	if (clocks_stopped(v, b->white_left_ms, b->black_left_ms))
		return v->err;
	v->left_ms[WHITE] = b->white_left_ms;
	v->left_ms[BLACK] = b->black_left_ms;
	v->frozen = v->verdict.frozen = true;
	return PLYD_OK;
}

/* -- results -- */

/* A win by something else than the rules; *loser, or false: no win. */
static bool is_loss(const struct verifier *v, const struct fact_ended_body *b,
		    enum side *loser)
{
	if (b->result != RESULT_WHITE && b->result != RESULT_BLACK)
		return false;
	*loser = b->result == RESULT_WHITE ? BLACK : WHITE;
	return b->points ==
	       game_points_lost(&v->verdict.rules, &v->pos, *loser);
}

static bool flag_fell(const struct verifier *v, const struct fact_ended_body *b)
{
	enum side loser;
	return is_loss(v, b, &loser) && v->playing &&
	       v->clock != CLOCK_UNLIMITED && loser == turn_of(v) &&
	       (loser == WHITE ? b->white_left_ms : b->black_left_ms) == 0;
}

/* A match of several games as a whole, or the one game. */
static bool resigned(const struct verifier *v, const struct fact_ended_body *b)
{
	enum side loser;
	bool worth = is_loss(v, b, &loser);
	bool decided = b->result == RESULT_WHITE || b->result == RESULT_BLACK;
	if (length_of(v) > 0 || !decided)
		return worth;
	loser = b->result == RESULT_WHITE ? BLACK : WHITE;
	/* before there were levels, a resignation cost what the position was
	 * worth */
	return resigned_for(v, loser, b->points) ||
	       (worth && !ruleset_has_stakes(&v->verdict.rules));
}

/* Whether a match that the rules and the policy let go on may end so. */
static bool may_end(const struct verifier *v, const struct fact_ended_body *b,
		    enum end_reason reason)
{
	enum side loser;
	bool draw = b->result == RESULT_DRAW && b->points == 0;
	switch (reason) {
	case END_RESIGNED: return resigned(v, b);
	case END_CLAIMED:
		return v->clock != CLOCK_PER_MOVE &&
		       (draw || is_loss(v, b, &loser));
	case END_FLAG: return flag_fell(v, b);
	case END_AGREED: return draw && v->offer_by >= 0;
	case END_POLICY:
		return v->begin.judged &&
		       (draw || (b->points == 1 && b->result != RESULT_DRAW &&
				 b->result != RESULT_ABORTED));
	case END_OPERATOR:
		return (b->result == RESULT_ABORTED && b->points == 0) ||
		       draw || is_loss(v, b, &loser);
	case END_ABORTED:
		return b->result == RESULT_ABORTED && b->points == 0 &&
		       (v->verdict.plies < ABORT_PLIES_MAX ||
			v->clock == CLOCK_UNLIMITED || v->paused);
	case END_NO_SHOW:
		return b->result == RESULT_ABORTED && b->points == 0 &&
		       v->verdict.plies < ABORT_PLIES_MAX &&
		       v->takebacks == 0 && v->clock != CLOCK_UNLIMITED;
	case END_NO_PIECES:
	case END_NO_MOVES:
	case END_SINGLE:
	case END_GAMMON:
	case END_BACKGAMMON:
	case END_DROPPED:
	case END_REPETITION:
	case END_NO_PROGRESS:
	case END_TOO_LONG:
	case END_REASON_COUNT: break;
	}
	return false;
}

int judge_result(struct verifier *v, const struct fact_ended_body *b)
{
	int reason = 0;
	while (reason < END_REASON_COUNT &&
	       !span_is(b->reason, end_reason_name((enum end_reason)reason)))
		reason++;
	if (v->frozen && reason != END_OPERATOR)
		return wrong(v, "frozen, and not ended by the operator");
	if (v->must_end && !v->frozen) {
		if (b->result != (int64_t)v->must_result ||
		    b->points != v->must_points ||
		    !span_is(b->reason, v->must_reason))
			return wrong(v, "it ended by %s, and not as it says",
				     v->must_reason);
	} else if (!may_end(v, b, (enum end_reason)reason)) {
		return wrong(v, "it cannot have ended so: %.*s",
			     (int)(b->reason.len < 32 ? b->reason.len : 32),
			     (const char *)b->reason.at);
	}
	return clocks_stopped(v, b->white_left_ms, b->black_left_ms);
}
