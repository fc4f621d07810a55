/* SPDX-License-Identifier: MIT
 * adjust.c - the operator gives a player time or takes him some, as an arbiter
 * does. What the turn has used stays charged; a fact says what was changed and
 * why, so it is in the record. */
#include "domain/domain_priv.h"

/* Days per move have no bank. */
static bool has_bank(const struct match *m)
{
	return clock_is_limited(&m->rules->clock) &&
	       m->rules->clock.kind != CLOCK_PER_MOVE;
}

/* A flag falls by time, not by the operator. */
static bool leaves_time(const struct domain *d, const struct match *m,
			enum side side, int64_t left_ms)
{
	if (left_ms <= 0 || left_ms > CLOCK_MS_MAX)
		return false;
	return match_turn(m) != side ||
	       match_used_ms(m, d->now_ms) <
		       clock_turn_ms(&m->rules->clock, left_ms);
}

static int refusal_of(const struct domain *d, const struct match *m,
		      const struct cmd_admin *c)
{
	if (!m)
		return PLYD_ENOMATCH;
	if (m->state == MATCH_FROZEN)
		return PLYD_EFROZEN;
	if (m->state == MATCH_OVER)
		return PLYD_EGAMEOVER;
	if (m->state == MATCH_NONCES)
		return PLYD_ENOTSTARTED;
	if (!has_bank(m))
		return PLYD_ENOTALLOWED;
	/* neither sum can be too great: both are limited */
	return c->ms != 0 && leaves_time(d, m, c->side,
					 m->left_ms[c->side] + c->ms)
		       ? PLYD_OK
		       : PLYD_ERANGE;
}

void on_admin_adjust_clock(struct domain *d, const struct command *cmd)
{
	const struct cmd_admin *c = &cmd->admin;
	struct match *m = find_match(d, &cmd->match);
	int err = refusal_of(d, m, c);
	if (err) {
		refuse(d, cmd, err)->match = m;
		return;
	}
	act_done(d, cmd, "adjust_clock", m->id.text);
	happen(d,
	       &(struct fact){ .type = FACT_CLOCK_ADJUSTED,
			       .match = m->id,
			       .clock_adjusted = { m->ply, c->side, c->ms,
						   m->left_ms[c->side] + c->ms,
						   span_str(d->said) } });
	match_set_due(d, m);
}

int apply_clock_adjusted(struct match *m,
			 const struct fact_clock_adjusted_body *b)
{
	if ((m->state != MATCH_PLAYING && m->state != MATCH_PAUSED) ||
	    !has_bank(m) || b->ply != m->ply ||
	    (b->side != WHITE && b->side != BLACK) || b->left_ms <= 0 ||
	    b->left_ms > CLOCK_MS_MAX ||
	    b->left_ms - b->add_ms != m->left_ms[b->side])
		return PLYD_ERECORD;
	m->left_ms[b->side] = b->left_ms;
	return PLYD_OK;
}
