/* SPDX-License-Identifier: MIT
 * referee_frozen.c - matches that a fault has stopped: only where one was, and
 * for good; nothing happens in them but the end that the operator chose. */
#include "referee_priv.h"

bool referee_freezes(struct sim *sim, const struct id *match)
{
	struct book_match *m = book_match(sim->referee, match);
	if (m)
		m->was_struck = true;
	return m != NULL;
}

static void stand_still(struct book_fact *f)
{
	f->frozen = true;
	f->paused = false;
	f->offer = f->takeback = f->pause = -1;
	f->stakes.doubled = f->stakes.resign = -1;
}

/* It stands at the last fact that can be read, until the operator comes. */
void referee_torn(struct sim *sim, const struct id *match)
{
	struct book_match *m = book_match(sim->referee, match);
	if (is_frozen(m))
		return;
	m->was_struck = m->torn = true;
	m->must_end = NULL;
	m->game_over = m->game_to_begin = false;
	m->torn_seq = m->facts;
	stand_still(&m->fact[m->facts - 1]);
}

bool is_unseen_tear(const struct book_match *m, const struct link *l,
		    uint64_t seq)
{
	return seq == m->torn_seq && sees_late(m, l);
}

void referee_operator_ends(struct sim *sim, const struct id *match,
			   enum match_result result)
{
	struct book_match *m = book_match(sim->referee, match);
	if (m)
		m->operator_ends[result] = true;
}

void frozen_fact(struct sim *sim, struct book_match *m, struct book_fact *now,
		 const struct fact *f)
{
	const struct fact_frozen_body *b = &f->frozen;
	struct fact stopped = { .at_ms = f->at_ms,
				.ended = { .white_left_ms = b->white_left_ms,
					   .black_left_ms =
						   b->black_left_ms } };
	if (!m->was_struck)
		fact_wrong(sim, m, now, "frozen without a fault");
	if (!span_is(b->reason, m->torn ? "what the journal holds of it does "
					  "not fit"
					: "a fault of the world"))
		fact_wrong(sim, m, now, "frozen for another reason");
	if (now->plies != now->ply)
		fact_wrong(sim, m, now, "frozen at another ply");
	clock_ended(sim, m, &stopped);
	now->left_ms[WHITE] = b->white_left_ms;
	now->left_ms[BLACK] = b->black_left_ms;
	stand_still(now);
	m->torn = false;
}

bool is_frozen(const struct book_match *m)
{
	return m->fact[m->facts - 1].frozen;
}

void judge_frozen_refusal(struct sim *sim, const struct link *l,
			  const struct asked *a)
{
	const struct book_match *m = book_match(sim->referee, &a->match);
	if (!m || !is_frozen(m))
		sim_fail(sim, "%s: %s is refused by a match that goes on",
			 client_name(l->client), method_info(a->method)->name);
}
