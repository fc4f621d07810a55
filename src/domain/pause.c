/* SPDX-License-Identifier: MIT
 * pause.c - a match that stands still by agreement: no clock runs, and nothing
 * but going on or leaving is possible. Either player may go on at any time;
 * being away and coming back changes nothing. */
#include "domain/domain_priv.h"

static int pause_check(const struct match *m, enum side side,
		       const struct command *cmd)
{
	const struct clock_rules *c = &m->rules->clock;
	if (m->state == MATCH_NONCES)
		return PLYD_ENOTSTARTED;
	if (!match_ply_is(m, cmd, cmd->ply))
		return PLYD_ESTALE;
	if (!clock_is_limited(c) || c->kind == CLOCK_PER_MOVE ||
	    match_awaits_server(m) || m->doubled || match_is_of_tournament(m) ||
	    m->pause.spent[side] == m->ply + 1)
		return PLYD_EPAUSE;
	return PLYD_OK;
}

static void pause(struct domain *d, struct match *m, enum side agreed)
{
	struct charge c = match_charge(m, d->now_ms);
	m->wait_ms = 0;
	happen(d, &(struct fact){ .type = FACT_PAUSED,
				  .match = m->id,
				  .paused = { m->ply, agreed, c.thought_ms,
					      c.lag_ms } });
	match_set_due(d, m);
}

void on_match_pause_offer(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	enum side other = side_other(side);
	int err = pause_check(m, side, cmd);
	if (match_pause_stands(m) && m->pause.by == side &&
	    match_ply_is(m, cmd, cmd->ply)) {
		struct effect *fx = answer(d, cmd); /* the same once more */
		fx->match = m;
		fx->answer.seq = m->pause.seq;
		return;
	}
	if (err) {
		refuse(d, cmd, err)->match = m;
		return;
	}
	/* requests that cross agree, as a personality always does */
	bool agrees = match_pause_stands(m) ||
		      m->seat[other].kind == KIND_PERSONALITY;
	if (!match_pause_stands(m))
		happen(d, &(struct fact){ .type = FACT_PAUSE_OFFERED,
					  .match = m->id,
					  .pause_offered = { m->ply, side } });
	if (agrees)
		pause(d, m, m->pause.by == side ? other : side);
	answer_event(d, cmd, m);
	held_decide(d, m);
}

static bool pause_stands_for(const struct match *m, enum side side)
{
	return match_pause_stands(m) && m->pause.by != side;
}

void on_match_pause_accept(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_reply(d, cmd, &side, pause_stands_for);
	if (!m)
		return;
	pause(d, m, side);
	answer_event(d, cmd, m);
	held_decide(d, m);
}

void on_match_pause_decline(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_reply(d, cmd, &side, pause_stands_for);
	if (!m)
		return;
	happen(d, &(struct fact){ .type = FACT_PAUSE_DECLINED,
				  .match = m->id,
				  .pause_declined = { m->ply, side } });
	answer_event(d, cmd, m);
}

void on_match_resume(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	if (m->state != MATCH_PAUSED) {
		refuse(d, cmd, PLYD_ENOTPAUSED)->match = m;
		return;
	}
	happen(d, &(struct fact){ .type = FACT_RESUMED,
				  .match = m->id,
				  .resumed = { m->ply, side } });
	answer_event(d, cmd, m);
	match_go_on(d, m);
}

/* -- facts -- */

static bool fits(const struct match *m, int64_t ply, int64_t side,
		 enum match_state state)
{
	return m->state == state && ply == m->ply &&
	       (side == WHITE || side == BLACK);
}

int apply_pause_offered(struct match *m,
			const struct fact_pause_offered_body *b)
{
	if (!fits(m, b->ply, b->side, MATCH_PLAYING))
		return PLYD_ERECORD;
	m->pause.at = m->pause.spent[b->side] = m->ply + 1;
	m->pause.by = (enum side)b->side;
	m->pause.seq = m->seq + 1;
	return PLYD_OK;
}

int apply_pause_declined(struct match *m,
			 const struct fact_pause_declined_body *b)
{
	if (!fits(m, b->ply, b->side, MATCH_PLAYING))
		return PLYD_ERECORD;
	m->pause.at = 0;
	return PLYD_OK;
}

int apply_paused(struct match *m, const struct fact_paused_body *b)
{
	if (!fits(m, b->ply, b->side, MATCH_PLAYING) || b->thought_ms < 0 ||
	    b->lag_ms < 0 || !clock_is_limited(&m->rules->clock))
		return PLYD_ERECORD;
	match_move_to(m, MATCH_PAUSED);
	m->before_ms = b->thought_ms;
	m->before_lag_ms = b->lag_ms;
	m->lag = (struct lag_probe){ 0 };
	m->released = m->judging = false;
	m->offers.standing = false;
	m->resign.standing = false;
	takeback_lapses(m);
	m->pause = (struct pause_request){ .at = 0 };
	return PLYD_OK;
}

int apply_resumed(struct domain *d, struct match *m,
		  const struct fact_resumed_body *b)
{
	if (!fits(m, b->ply, b->side, MATCH_PAUSED))
		return PLYD_ERECORD;
	match_move_to(m, MATCH_PLAYING);
	/* who was away by agreement may come back as if he had just left */
	for (int s = 0; s < 2; s++)
		if (!m->here[s])
			m->away_ms[s] = d->now_ms;
	return PLYD_OK;
}
