/* SPDX-License-Identifier: MIT
 * match_clock.c - the clock of a running match: clock.h and lag.h applied to
 * its turn. */
#include "domain/domain_priv.h"

bool match_clock_runs(const struct match *m)
{
	return m->state == MATCH_PLAYING &&
	       clock_is_limited(&m->rules->clock) &&
	       (m->released || m->rules->clock.kind == CLOCK_PER_MOVE);
}

/* Of the time since the position was given to its player. Days per move count
 * from what is durable, so that no restart gives them anew. */
static int64_t elapsed_ms(const struct match *m, uint64_t now_ms)
{
	if (m->rules->clock.kind == CLOCK_PER_MOVE)
		return (int64_t)(now_ms - m->turn_ms);
	return m->released ? (int64_t)(now_ms - m->released_ms) : 0;
}

int64_t match_lag_ms(const struct match *m)
{
	return m->before_lag_ms + m->lag.credit_ms;
}

int64_t match_used_ms(const struct match *m, uint64_t now_ms)
{
	int64_t before =
		m->rules->clock.kind == CLOCK_PER_MOVE ? 0 : m->before_ms;
	return before + elapsed_ms(m, now_ms) - m->lag.credit_ms;
}

int64_t match_left_ms(const struct match *m, enum side side, uint64_t now_ms)
{
	if ((m->state != MATCH_PLAYING && m->state != MATCH_PAUSED) ||
	    match_turn(m) != side)
		return m->left_ms[side];
	return clock_shown_ms(&m->rules->clock, m->left_ms[side],
			      match_used_ms(m, now_ms));
}

int64_t match_free_ms(const struct match *m, uint64_t now_ms)
{
	return clock_free_ms(&m->rules->clock, match_used_ms(m, now_ms));
}

struct charge match_charge(const struct match *m, uint64_t now_ms)
{
	int64_t used = match_used_ms(m, now_ms);
	int64_t left = m->left_ms[match_turn(m)];
	return (struct charge){
		used, clock_after_move_ms(&m->rules->clock, left, used),
		match_lag_ms(m)
	};
}

static int64_t turn_ms(const struct match *m)
{
	return clock_turn_ms(&m->rules->clock, m->left_ms[match_turn(m)]);
}

bool match_flag_fell(const struct match *m, uint64_t now_ms)
{
	return match_clock_runs(m) && match_used_ms(m, now_ms) >= turn_ms(m);
}

uint64_t match_flag_due_ms(const struct match *m, uint64_t now_ms)
{
	return now_ms + (uint64_t)(turn_ms(m) - match_used_ms(m, now_ms));
}

void turn_forget(struct match *m)
{
	m->released = m->judging = m->asked = false;
	m->before_ms = m->before_lag_ms = 0;
	m->lag = (struct lag_probe){ 0 };
}

/* -- lag -- */

int64_t lag_credit_ms(const struct lag_rules *r, int64_t way_ms,
		      int64_t used_ms, int64_t before_ms)
{
	int64_t most = r->per_move_ms - before_ms;
	int64_t rest = r->total_ms - used_ms - before_ms;
	if (most > rest)
		most = rest;
	if (way_ms > most)
		way_ms = most;
	return way_ms > 0 ? way_ms : 0;
}

static int64_t credit_ms(const struct match *m, int64_t way_ms)
{
	return lag_credit_ms(&m->lag_rules, way_ms,
			     m->lag_used_ms[match_turn(m)], m->before_lag_ms);
}

void lag_probe_send(struct domain *d, struct match *m)
{
	uint8_t nonce[LAG_NONCE_BYTES];
	m->lag = (struct lag_probe){ .sent_ms = d->now_ms };
	if (m->seat[match_turn(m)].kind == KIND_PERSONALITY ||
	    credit_ms(m, INT64_MAX) == 0)
		return;
	while (m->lag.nonce == 0) {
		entropy_fill(&d->entropy, nonce, sizeof(nonce));
		memcpy(&m->lag.nonce, nonce, sizeof(nonce));
	}
}

void lag_probe_again(struct domain *d, struct match *m, int side)
{
	if (m->state == MATCH_PLAYING && side == (int)match_turn(m) &&
	    m->lag.nonce != 0 && !m->lag.echoed)
		lag_probe_send(d, m);
}

/* The way there and back, as far as the clock ran meanwhile: what was on its
 * way before costs no time. */
static int64_t way_ms(const struct domain *d, const struct match *m)
{
	uint64_t from = m->lag.sent_ms;
	if (!m->released)
		return 0;
	if (m->released_ms > from)
		from = m->released_ms;
	return (int64_t)(d->now_ms - from);
}

void on_match_seen(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	int seat = m ? match_seat_of(m, &cmd->player) : -1;
	int err = !m         ? PLYD_ENOMATCH
		  : seat < 0 ? PLYD_ESEAT
		  : m->state != MATCH_PLAYING || seat != (int)match_turn(m) ||
				  m->lag.nonce == 0 || m->lag.nonce != cmd->lag
			  ? PLYD_ELAG
			  : PLYD_OK;
	if (err) {
		refuse(d, cmd, err)->match = m;
		return;
	}
	if (!m->lag.echoed) {
		m->lag.echoed = true;
		m->lag.credit_ms = credit_ms(m, way_ms(d, m));
		match_set_due(d, m);
	}
	answer(d, cmd)->match = m;
}
