/* SPDX-License-Identifier: MIT
 * view_moves.c - the last half-moves of a match, for who shows a list. */
#include <string.h>

#include "ply/view.h"

void view_moves_add(struct view_moves *m, const char *text, client_side side)
{
	struct view_move *move = &m->move[m->count++ % VIEW_MOVES_KEPT];
	span_copy(span_str(text), move->text, sizeof(move->text));
	move->side = side;
	if (m->kept < VIEW_MOVES_KEPT)
		m->kept++;
}

static client_side other(client_side side)
{
	return side == CLIENT_NOBODY  ? CLIENT_NOBODY
	       : side == CLIENT_WHITE ? CLIENT_BLACK
				      : CLIENT_WHITE;
}

/* A snapshot does not say who moved. Within a game the sides take turns, a double
 * and its answer too; where there may have been games before, it is left open. */
void view_moves_begin(struct view_moves *m, const struct client_match *match)
{
	const struct client_value *all = client_find(match->value, "moves");
	size_t count = client_count(all);
	size_t first = count > VIEW_MOVES_KEPT ? count - VIEW_MOVES_KEPT : 0;
	bool known = match->stakes.length == 0 && !match->over;
	client_side last = known ? other(match->turn) : CLIENT_NOBODY;
	view_moves_clear(m);
	for (size_t i = first; i < count; i++) {
		char text[CLIENT_MOVE_MAX];
		bool even = (count - 1 - i) % 2 == 0;
		client_copy(client_at(all, i), text, sizeof(text));
		view_moves_add(m, text, even ? last : other(last));
	}
}

void view_moves_clear(struct view_moves *m)
{
	m->count = m->kept = 0;
}

void view_moves_drop(struct view_moves *m, unsigned n)
{
	n = n < m->kept ? n : m->kept;
	m->count -= n;
	m->kept -= n;
}

const struct view_move *view_moves_at(const struct view_moves *m, unsigned i)
{
	return i < m->kept
		       ? &m->move[(m->count - m->kept + i) % VIEW_MOVES_KEPT]
		       : NULL;
}
