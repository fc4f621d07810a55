/* SPDX-License-Identifier: MIT
 * referee_lag.c - what is credited for the way of messages: no echo, no credit;
 * never more than the way can have taken; never over the two limits. */
#include "referee_priv.h"

#include <stdlib.h>

static void wrong(struct sim *sim, const struct book_match *m, const char *what)
{
	sim_fail(sim, "%s, after fact %zu: %s", m->id.text, m->facts, what);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The fact that began the turn which stands after `facts` facts. */
static size_t turn_of(const struct book_match *m, size_t facts)
{
	return (size_t)(turn_began(m, facts) - m->fact);
}

/* What moves before this turn were credited. */
static int64_t spent_before(const struct book_match *m, size_t turn, int side)
{
	int64_t spent = 0;
	for (size_t i = 0; i <= turn; i++)
		if (m->fact[i].turn_side == side)
			spent += m->fact[i].lag_ms;
	return spent;
}

static int64_t most_credit(const struct book_match *m, size_t turn, int side)
{
	int64_t before = m->fact[turn].stakes.before_lag_ms;
	return least(m->lag_per_move_ms,
		     m->lag_total_ms - spent_before(m, turn, side)) -
	       before;
}

void lag_begun(struct sim *sim, struct book_match *m,
	       const struct fact_begun_body *b)
{
	bool bank = m->clock.kind != CLOCK_UNLIMITED &&
		    m->clock.kind != CLOCK_PER_MOVE;
	m->lag_per_move_ms = bank ? sim->domain_limits.lag_per_move_ms : 0;
	m->lag_total_ms = bank ? sim->domain_limits.lag_total_ms : 0;
	if (b->lag_per_move_ms != m->lag_per_move_ms ||
	    b->lag_total_ms != m->lag_total_ms)
		wrong(sim, m, "other limits of the credit than the operator's");
}

/* -- nonces -- */

static struct book_lag *find_lag(const struct book_match *m, struct span hex)
{
	for (size_t i = 0; i < m->lags; i++)
		if (span_is(hex, m->lag[i].hex))
			return &m->lag[i];
	return NULL;
}

/* A nonce is in a message to somebody, as the match stands at seq. */
void lag_shown(struct sim *sim, const struct link *l, struct book_match *m,
	       uint64_t seq, const struct value *map, bool snapshot)
{
	const struct referee *r = sim->referee;
	struct span hex = str_in(map, "lag");
	int side = turn_after(m, seq);
	if (!value_find(map, "lag"))
		return;
	if (side < 0 || hex.len != LAG_HEX || id_is_none(&m->player[side]) ||
	    most_credit(m, turn_of(m, seq), side) <= 0)
		wrong(sim, m, "a nonce where nothing can be credited");
	else if (snapshot && seat_of(m, &l->player) != side)
		wrong(sim, m, "a nonce in the snapshot of another");
	if (sim->failed)
		return;
	struct book_lag *lag = find_lag(m, hex);
	if (lag &&
	    (lag->turn != turn_of(m, seq) || lag->generation != r->generation))
		wrong(sim, m, "a nonce comes twice");
	if (!lag) {
		m->lag =
			sim_grow(m->lag, &m->lag_cap, m->lags, sizeof(*m->lag));
		lag = &m->lag[m->lags++];
		*lag = (struct book_lag){ .turn = turn_of(m, seq),
					  .generation = r->generation,
					  .side = side };
		span_copy(hex, lag->hex, sizeof(lag->hex));
	}
	if (seat_of(m, &l->player) == side && lag->sent_ms == 0)
		lag->sent_ms = sim->t_ms;
}

void lag_asked(struct sim *sim, struct book_match *m, int side,
	       const struct asked *a)
{
	struct book_lag *lag = find_lag(m, span_str(a->text));
	if (!lag || lag->side != side)
		return;
	if (lag->asked_ms == 0)
		lag->asked_ms = sim->t_ms;
}

/* Whether the mover of this turn has echoed. */
static bool has_echoed(const struct sim *sim, const struct book_match *m,
		       size_t turn)
{
	for (size_t i = 0; i < m->lags; i++)
		if (m->lag[i].turn == turn && m->lag[i].asked_ms > 0 &&
		    m->lag[i].generation == sim->referee->generation)
			return true;
	return false;
}

int64_t lag_possible_ms(const struct sim *sim, const struct book_match *m)
{
	size_t turn = turn_of(m, m->facts);
	int side = turn_after(m, m->facts);
	int64_t most = side < 0 ? 0 : most_credit(m, turn, side);
	return most > 0 && has_echoed(sim, m, turn) ? most : 0;
}

/* -- what was credited -- */

static bool is_credit(struct book_match *m, size_t turn, uint64_t generation,
		      int64_t ms)
{
	if (m->credit_turn == turn && m->credit_generation == generation)
		return m->credit_ms == ms;
	m->credit_turn = turn;
	m->credit_generation = generation;
	m->credit_ms = ms;
	return true;
}

void lag_told(struct sim *sim, struct book_match *m, struct book_fact *now,
	      int side, int64_t lag_ms)
{
	const struct referee *r = sim->referee;
	size_t turn = turn_of(m, m->facts);
	int64_t ms = lag_ms - m->fact[turn].stakes.before_lag_ms;
	now->lag_ms = lag_ms;
	now->tells = true;
	if (ms < 0 || (ms > 0 && ms > most_credit(m, turn, side)))
		wrong(sim, m, "more is credited than may be");
	else if (ms > 0 && !has_echoed(sim, m, turn))
		wrong(sim, m, "a credit without an echo");
	else if (m->fact[turn].generation == r->generation &&
		 m->credit_turn == turn &&
		 m->credit_generation == r->generation && m->credit_ms != ms)
		wrong(sim, m, "another credit than was answered");
}

/* What tells how it was credited, if that is there. */
static const struct book_fact *end_of(const struct book_match *m, size_t turn)
{
	for (size_t i = turn + 1; i < m->facts; i++)
		if (m->fact[i].tells)
			return &m->fact[i];
	return NULL;
}

void judge_seen(struct sim *sim, const struct link *l, const struct asked *a,
		const struct value *map)
{
	struct book_match *m = book_match(sim->referee, &a->match);
	const struct book_lag *lag = m ? find_lag(m, span_str(a->text)) : NULL;
	int64_t all = int_in(map, "lag_ms");
	if (!lag || seat_of(m, &l->player) != lag->side) {
		sim_fail(sim, "%s is thanked for a nonce that is not his",
			 client_name(l->client));
		return;
	}
	const struct book_fact *began = &m->fact[lag->turn];
	int64_t most = most_credit(m, lag->turn, lag->side);
	int64_t left =
		m->lag_total_ms - spent_before(m, lag->turn, lag->side) - all;
	int64_t ms = all - began->stakes.before_lag_ms;
	int64_t since = (int64_t)(sim_domain_ms(sim) - began->durable_ms);
	bool same = began->generation == sim->referee->generation;
	if (ms < 0 || ms > most || (same && ms > since))
		wrong(sim, m, "more is credited than the way can have taken");
	if (int_in(map, "lag_left_ms") != left)
		wrong(sim, m, "another rest of the credit is told");
	/* a policy that judges holds the clock, and so the way costs less; what
	 * was echoed before has settled it */
	bool first = m->credit_turn != lag->turn ||
		     m->credit_generation != lag->generation;
	int64_t way = (int64_t)(lag->asked_ms - lag->sent_ms);
	if (first && same && !m->judged && lag->sent_ms > 0 &&
	    ms < least(most, way))
		wrong(sim, m, "less is credited than the way took");
	if (!is_credit(m, lag->turn, lag->generation, ms))
		wrong(sim, m, "a second echo is credited otherwise");
	const struct book_fact *end = end_of(m, lag->turn);
	if (end && end->generation == lag->generation && end->lag_ms != all)
		wrong(sim, m, "the turn was credited otherwise");
}
