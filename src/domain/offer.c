/* SPDX-License-Identifier: MIT
 * offer.c - draws by agreement. An offer stands until it is answered or the
 * opponent moves. A player whose offer was refused may offer again when the
 * opponent has offered, or after ten own moves. Offers that cross agree. The
 * draw policy may forbid them all, or those before some half-move, or more than
 * so many without progress. */
#include "domain/domain_priv.h"

void offers_made(struct draw_offers *o, enum side side)
{
	o->standing = true;
	o->by = side;
	o->spent[side] = true;
	o->moves_since[side] = 0;
	o->spent[side_other(side)] = false;
	o->made[side]++;
}

void offers_renew(struct draw_offers *o)
{
	o->made[WHITE] = o->made[BLACK] = 0;
}

void offers_declined(struct draw_offers *o)
{
	o->standing = false;
	o->moves_since[o->by] = 0;
}

void offers_after_move(struct draw_offers *o, enum side side)
{
	if (o->standing && o->by != side)
		offers_declined(o);
	/* moves count from the refusal, not while the offer stands: opponents
	 * who must pass answer nothing */
	if (!o->spent[side] || (o->standing && o->by == side))
		return;
	if (++o->moves_since[side] >= OFFER_WAIT_MOVES)
		o->spent[side] = false;
}

int offer_check(const struct match *m, enum side side)
{
	const struct draw_rules *draws = &m->rules->draws;
	if (!ruleset_draw_by_agreement(&m->rules->rules) || draws->no_offers)
		return PLYD_ENODRAW;
	if (m->state == MATCH_NONCES)
		return PLYD_ENOTSTARTED;
	if (match_offer_stands_for(m, side))
		return PLYD_OK;
	if (m->offers.standing || m->offers.spent[side])
		return PLYD_EOFFER;
	if (m->ply < draws->offers_from)
		return PLYD_EOFFEREARLY;
	if (draws->offers_max > 0 && m->offers.made[side] >= draws->offers_max)
		return PLYD_EOFFERSPENT;
	return PLYD_OK;
}

void offer_make(struct domain *d, struct match *m, enum side side)
{
	if (match_offer_stands_for(m, side)) {
		match_end(d, m, RESULT_DRAW, END_AGREED, 0);
		return;
	}
	happen(d, &(struct fact){ .type = FACT_DRAW_OFFERED,
				  .match = m->id,
				  .draw_offered = { m->ply, side } });
}

void on_match_offer_draw(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	int err = offer_check(m, side);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	offer_make(d, m, side);
	struct effect *fx = answer(d, cmd);
	fx->match = m;
	fx->answer.seq = m->seq;
}

/* The match whose standing offer this command answers; else refuses. */
static struct match *match_of_answer(struct domain *d,
				     const struct command *cmd, enum side *side)
{
	struct match *m = match_of_seat(d, cmd, side);
	if (!m)
		return NULL;
	if (!match_offer_stands_for(m, *side)) {
		refuse(d, cmd, PLYD_ENOOFFER);
		return NULL;
	}
	if (!match_ply_is(m, cmd, cmd->ply)) {
		refuse(d, cmd, PLYD_ESTALE);
		return NULL;
	}
	return m;
}

void on_match_accept_draw(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_answer(d, cmd, &side);
	if (!m)
		return;
	match_end(d, m, RESULT_DRAW, END_AGREED, 0);
	struct effect *fx = answer(d, cmd);
	fx->match = m;
	fx->answer.seq = m->seq;
}

void on_match_decline_draw(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_answer(d, cmd, &side);
	if (!m)
		return;
	happen(d, &(struct fact){ .type = FACT_DRAW_DECLINED,
				  .match = m->id,
				  .draw_declined = { m->ply, side } });
	struct effect *fx = answer(d, cmd);
	fx->match = m;
	fx->answer.seq = m->seq;
}
