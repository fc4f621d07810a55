/* SPDX-License-Identifier: MIT
 * referee_rematch.c - one finished match becomes one new match, if both want it,
 * with sides swapped and all else the same. */
#include "referee_priv.h"

static void wrong(struct sim *sim, const struct id *of, const char *what)
{
	sim_fail(sim, "a rematch of %s: %s", of->text, what);
}

static bool wanted(const struct book_match *m, int side)
{
	return id_is_none(&m->player[side]) ||
	       m->wished[side][METHOD_MATCH_REMATCH];
}

void rematch_begun(struct sim *sim, struct book_match *m, const struct id *of)
{
	struct book_match *old = book_match(sim->referee, of);
	if (!old || !old->over) {
		wrong(sim, of, "it is not over");
		return;
	}
	if (!id_is_none(&old->next))
		wrong(sim, of, "it has one already");
	old->next = m->id;
	if (!id_eq(&m->player[WHITE], &old->player[BLACK]) ||
	    !id_eq(&m->player[BLACK], &old->player[WHITE]))
		wrong(sim, of, "the sides are not swapped");
	if (!wanted(old, WHITE) || !wanted(old, BLACK))
		wrong(sim, of, "not both wanted it");
	if (strcmp(m->rules.name, old->rules.name) ||
	    !clocks_equal(&m->clock, &old->clock) || m->rated != old->rated ||
	    m->takeback_allowed != old->takeback_allowed)
		wrong(sim, of, "it is played otherwise");
}

void judge_rematch(struct sim *sim, const struct link *l,
		   const struct value *map)
{
	static const char *const keys[] = { "white", "black" };
	struct id id, next;
	id_in(map, "match", &id);
	const struct book_match *m = book_match(sim->referee, &id);
	if (!m || !m->over || seat_of(m, &l->player) < 0) {
		wrong(sim, &id, "told to whom it does not concern");
		return;
	}
	if (id_in(map, "next", &next) && !id_eq(&next, &m->next))
		wrong(sim, &id, "another match than that");
	for (int s = 0; s < SIDES; s++)
		if (bool_in(map, keys[s]) &&
		    !m->wished[s][METHOD_MATCH_REMATCH])
			wrong(sim, &id, "somebody is said to want one");
}
