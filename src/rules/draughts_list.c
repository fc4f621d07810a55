/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/draughts_priv.h"
#include "rules/draughts_steps_priv.h"

/* What follows square i in the text of a move. */
static char sign_after(const struct move *move, unsigned i)
{
	if (i == move->legs)
		return '\0';
	return move->taken ? 'x' : '-';
}

/* Compares as strcmp() would compare the texts, without writing them: up to the
 * first square that differs they are alike. */
static int compare_texts(bool numeric, const struct move *a,
			 const struct move *b)
{
	char x[SQUARE_TEXT_MAX + 1] = "", y[SQUARE_TEXT_MAX + 1] = "";
	unsigned i = 0;
	while (a->at[i] == b->at[i] && i < a->legs && i < b->legs)
		i++;
	x[square_write(numeric, a->at[i], x)] = sign_after(a, i);
	y[square_write(numeric, b->at[i], y)] = sign_after(b, i);
	return memcmp(x, y, sizeof(x));
}

/* Where the move belongs. */
static size_t list_place(const struct sorted_list *s, const struct move *move)
{
	size_t low = 0, high = s->list->count;
	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct move *held = &s->list->move[mid];
		if (compare_texts(s->numeric, move, held) < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

bool sorted_list_add(void *payload, const struct move *move)
{
	struct sorted_list *s = payload;
	struct move_list *list = s->list;
	size_t at = list_place(s, move);
	list->total++;
	if (at == MOVE_LIST_MAX)
		return true;
	if (list->count < MOVE_LIST_MAX)
		list->count++;
	memmove(&list->move[at + 1], &list->move[at],
		(list->count - at - 1) * sizeof(*move));
	list->move[at] = *move;
	return true;
}

int draughts_moves(const struct ruleset *rs, const struct position *pos,
		   struct move_list *out)
{
	uint64_t budget = DRAUGHTS_JUMPS_MAX;
	struct variant v;
	struct view view = view_of(pos);
	variant_of(rs, &v);
	struct sorted_list s = { v.numeric, out };
	struct walk w = { .v = &v,
			  .only = view.foe,
			  .budget = &budget,
			  .visit = sorted_list_add,
			  .payload = &s };
	uint64_t capturers = view_capturers(&v, &view);
	out->count = 0;
	out->total = 0;
	if (!capturers)
		view_quiet_visit(&v, &view, sorted_list_add, &s);
	int err = view_worth_due(&v, &view, capturers, &budget, &w.worth);
	if (!err)
		err = walk_all(&w, &view, capturers);
	if (err) {
		out->count = 0;
		out->total = 0;
	}
	return err;
}
