/* SPDX-License-Identifier: MIT
 * frozen.c - a match that a fault of the server has stopped. Nobody plays in it
 * and no clock runs; its players are free for others. Only the operator ends
 * it, and then it is never rated. Said by a fact, so that it stays so; where
 * the rows of a match do not fit, replay comes to the same without one. */
#include "domain/domain_priv.h"

#include <utlist.h>

#define WHY_UNREADABLE "what the journal holds of it does not fit"

/* Even a clock that went wrong can be told. */
static int64_t told_ms(const struct domain *d, const struct match *m,
		       enum side side)
{
	int64_t left_ms = match_left_ms(m, side, d->now_ms);
	return is_clock(left_ms) ? left_ms : 0;
}

static void happen_frozen(struct domain *d, struct match *m, const char *why)
{
	happen(d, &(struct fact){ .type = FACT_FROZEN,
				  .match = m->id,
				  .frozen = { m->ply, span_str(why),
					      told_ms(d, m, WHITE),
					      told_ms(d, m, BLACK) } });
}

void match_freeze(struct domain *d, struct match *m, const char *why)
{
	happen_frozen(d, m, why);
	held_decide(d, m); /* they learn of it */
	bots_after_end(d, m);
}

void frozen_say(struct domain *d, struct match *m)
{
	if (m->state == MATCH_FROZEN && !m->frozen_said)
		happen_frozen(d, m, WHY_UNREADABLE);
}

void on_freeze(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	if (m && m->state != MATCH_OVER && m->state != MATCH_FROZEN)
		match_freeze(d, m, cmd->why);
}

int apply_frozen(struct domain *d, struct match *m,
		 const struct fact_frozen_body *b)
{
	if (m->frozen_said || b->ply != m->ply || b->reason.len == 0 ||
	    b->reason.len > VERDICT_BYTES_MAX || !is_clock(b->white_left_ms) ||
	    !is_clock(b->black_left_ms))
		return PLYD_ERECORD;
	domain_freeze(d, &m->id);
	m->frozen_said = true;
	m->left_ms[WHITE] = b->white_left_ms;
	m->left_ms[BLACK] = b->black_left_ms;
	return match_say(m, b->reason);
}

/* Its seed may be read after its rows. */
bool frozen_takes(const struct match *m, const struct fact *f)
{
	switch (f->type) {
	case FACT_SEED_DRAWN: return !m->seed_known;
	case FACT_FROZEN: return !m->frozen_said;
	case FACT_ENDED:
		return m->frozen_said &&
		       span_is(f->ended.reason, end_reason_name(END_OPERATOR));
	default: return false;
	}
}
