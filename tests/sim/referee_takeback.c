/* SPDX-License-Identifier: MIT
 * referee_takeback.c - half-moves taken back: only by consent, only where it is
 * allowed, and to the position that there was. */
#include "referee_priv.h"

static int64_t target(const struct book_fact *now, int side)
{
	return (int64_t)now->plies - (now->pos.side == side ? 2 : 1);
}

void takeback_offered_fact(struct sim *sim, struct book_match *m,
			   struct book_fact *now, const struct fact *f)
{
	const struct fact_takeback_offered_body *b = &f->takeback_offered;
	int side = now->side = (int)b->side;
	if (!m->takeback_allowed || ruleset_has_dice(&m->rules))
		fact_wrong(sim, m, now, "nothing may be taken back here");
	if (now->takeback >= 0 || m->takeback_spent[side])
		fact_wrong(sim, m, now, "he may not ask again yet");
	if (b->ply != now->plies || b->to_ply < 0 ||
	    b->to_ply != target(now, side))
		fact_wrong(sim, m, now, "that is not his last half-move");
	if (!m->wished[side][METHOD_MATCH_TAKEBACK_OFFER])
		fact_wrong(sim, m, now, "nobody asked to take back");
	now->takeback = side;
	m->takeback_spent[side] = true;
}

void takeback_declined_fact(struct sim *sim, struct book_match *m,
			    struct book_fact *now, const struct fact *f)
{
	int side = now->side = (int)f->takeback_declined.side;
	if (now->takeback != 1 - side ||
	    f->takeback_declined.ply != now->plies ||
	    !m->wished[side][METHOD_MATCH_TAKEBACK_DECLINE])
		fact_wrong(sim, m, now,
			   "no takeback is declined, or by nobody");
	now->takeback = -1;
}

/* The last fact before that had so many half-moves in force. */
static const struct book_fact *back_at(const struct book_match *m,
				       uint32_t plies)
{
	size_t i = m->facts;
	while (i > 1 && m->fact[i - 1].plies != plies)
		i--;
	return &m->fact[i - 1];
}

void taken_back_fact(struct sim *sim, struct book_match *m,
		     struct book_fact *now, const struct fact *f)
{
	const struct fact_taken_back_body *b = &f->taken_back;
	int side = now->side = (int)b->side, mover = now->pos.side;
	bool person = !id_is_none(&m->player[side]);
	now->thought_ms = b->thought_ms;
	now->turn_side = mover;
	if (now->takeback != 1 - side || b->ply != now->plies ||
	    b->to_ply != target(now, 1 - side)) {
		fact_wrong(sim, m, now, "nobody wanted to take that back");
		return;
	}
	if (person && !m->wished[side][METHOD_MATCH_TAKEBACK_ACCEPT])
		fact_wrong(sim, m, now, "taken back without consent");
	lag_told(sim, m, now, mover, b->lag_ms);
	clock_broken_off(sim, m, now, b->left_ms);
	now->left_ms[mover] = b->left_ms;
	const struct book_fact *was = back_at(m, (uint32_t)b->to_ply);
	now->pos = was->pos;
	now->plies = was->plies;
	now->quiet = was->quiet;
	now->offer = now->takeback = now->pause = -1;
	now->stakes.before_ms = now->stakes.before_lag_ms = 0;
	now->takebacks++;
	m->pause_spent[WHITE] = m->pause_spent[BLACK] = false;
	m->takeback_spent[WHITE] = m->takeback_spent[BLACK] = false;
	for (size_t i = 1; i < m->facts; i++)
		if (in_force(m, i, m->facts) &&
		    m->fact[i].ply >= (uint32_t)b->to_ply)
			m->fact[i].undone = m->facts;
}
