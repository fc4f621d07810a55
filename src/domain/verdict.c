/* SPDX-License-Identifier: MIT
 * verdict.c - the position reaches its player. Where the draw policy has a
 * script, that is asked first: after the commit, and with the clock held until
 * it answers or its time is up; a move that comes meanwhile waits as well. It
 * can only add a verdict, or a warning; a late one, or one about a position that is no more,
 * is dropped. */
#include "domain/domain_priv.h"

static void think(struct domain *d, struct match *m)
{
	struct effect *fx = effect_add(d, EFFECT_THINK);
	fx->match = m;
	fx->asked = match_awaits(m);
}

void turn_begin(struct domain *d, struct match *m)
{
	m->judging = false;
	m->released = true;
	m->released_ms = d->now_ms;
	m->wait_ms = 0;
	match_set_due(d, m);
	if (m->seat[match_turn(m)].kind == KIND_PERSONALITY)
		think(d, m);
	resign_ask(d, m);
	held_decide(d, m);
}

static void judge(struct domain *d, struct match *m)
{
	m->judging = true;
	m->wait_ms = d->now_ms + (uint64_t)d->limits.verdict_wait_ms;
	match_set_due(d, m);
	effect_add(d, EFFECT_JUDGE)->match = m;
}

void on_released(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	if (!m || m->state != MATCH_PLAYING || m->released || m->judging ||
	    match_release_number(m) != cmd->released.ply ||
	    m->takebacks != cmd->released.takebacks || match_awaits_server(m))
		return;
	/* the throw that a player asked for is no half-move to judge */
	if (m->rules->draws.judged && m->ply > 0 && !m->asked)
		judge(d, m);
	else
		turn_begin(d, m);
}

bool match_is_warned(const struct match *m)
{
	return (m->state == MATCH_PLAYING || m->state == MATCH_PAUSED) &&
	       m->warned_ply == m->ply && m->ply > 0 &&
	       m->warned_takebacks == m->takebacks;
}

void on_verdict(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	const struct cmd_verdict *v = &cmd->verdict;
	if (!m || m->state != MATCH_PLAYING || !m->judging ||
	    m->ply != v->ply || m->takebacks != v->takebacks)
		return;
	if (v->keeps)
		kept_change(d, m, KEPT_POLICY, v->memory);
	if (!v->ends) {
		/* after a restart it judges again; the players know already */
		if (v->warns && !match_is_warned(m))
			happen(d, &(struct fact){
					  .type = FACT_WARNED,
					  .match = m->id,
					  .warned = { m->ply, v->words } });
		turn_begin(d, m);
		return;
	}
	bool won = v->result == RESULT_WHITE || v->result == RESULT_BLACK;
	span_copy(v->words, d->words, sizeof(d->words));
	match_end(d, m, v->result, END_POLICY, won ? 1 : 0);
}
