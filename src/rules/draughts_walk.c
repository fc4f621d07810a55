/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/draughts_priv.h"

/* ---- the greatest capture ---------------------------------------------- */

struct tallying {
	const struct variant *v;
	uint64_t *budget;
	struct tally tally;
};

static int tally_step(struct tallying *t, const struct capture *c)
{
	struct jump jump[JUMPS_MAX];
	unsigned count = capture_jumps(t->v, c, jump);
	if (count > *t->budget)
		return PLYD_ETOOCOMPLEX;
	*t->budget -= count;
	for (unsigned i = 0; i < count; i++) {
		struct capture next = capture_after(t->v, c, &jump[i]);
		int err = tally_step(t, &next);
		if (err)
			return err;
	}
	if (count > 0)
		return PLYD_OK;
	unsigned worth = capture_worth(t->v, c);
	if (worth > t->tally.worth)
		t->tally = (struct tally){ worth, 0 };
	t->tally.paths += worth == t->tally.worth;
	return PLYD_OK;
}

int capture_tally(const struct variant *v, const struct capture *c,
		  uint64_t *budget, struct tally *out)
{
	struct tallying t = { v, budget, { 0, 0 } };
	int err = tally_step(&t, c);
	*out = t.tally;
	return err;
}

int view_tally(const struct variant *v, const struct view *b,
	       uint64_t capturers, uint64_t *budget, struct tally *out)
{
	struct tallying t = { v, budget, { 0, 0 } };
	int err = PLYD_OK;
	for (; capturers && !err; capturers &= capturers - 1) {
		struct capture c = capture_begin(b, capturers & -capturers);
		err = tally_step(&t, &c);
	}
	*out = t.tally;
	return err;
}

int view_worth_due(const struct variant *v, const struct view *b,
		   uint64_t capturers, uint64_t *budget, unsigned *out)
{
	struct tally t = { 0, 0 };
	int err = PLYD_OK;
	if (v->per_piece > 0 || v->per_king > 0)
		err = view_tally(v, b, capturers, budget, &t);
	*out = t.worth;
	return err;
}

/* ---- every capture ----------------------------------------------------- */

enum { WALK_ENDED = 1 }; /* by the visitor */

static int walk_end(struct walk *w, const struct capture *c)
{
	if (capture_worth(w->v, c) < w->worth)
		return PLYD_OK;
	w->path.taken = c->taken;
	w->path.crowned = capture_crowns(w->v, c);
	return w->visit(w->payload, &w->path) ? PLYD_OK : WALK_ENDED;
}

static int walk_step(struct walk *w, const struct capture *c)
{
	struct jump jump[JUMPS_MAX];
	unsigned count = capture_jumps(w->v, c, jump);
	int err = PLYD_OK;
	if (count == 0)
		return walk_end(w, c);
	if (count > *w->budget)
		return PLYD_ETOOCOMPLEX;
	*w->budget -= count;
	w->path.legs++;
	for (unsigned i = 0; i < count && !err; i++) {
		if (!(jump[i].over & w->only))
			continue;
		struct capture next = capture_after(w->v, c, &jump[i]);
		w->path.at[w->path.legs] = (uint8_t)squares_first(next.at);
		err = walk_step(w, &next);
	}
	w->path.legs--;
	return err;
}

int walk_on(struct walk *w, const struct capture *c)
{
	int err = walk_step(w, c);
	return err == WALK_ENDED ? PLYD_OK : err;
}

int walk_all(struct walk *w, const struct view *b, uint64_t capturers)
{
	int err = PLYD_OK;
	for (; capturers && !err; capturers &= capturers - 1) {
		struct capture c = capture_begin(b, capturers & -capturers);
		w->path.legs = 0;
		w->path.at[0] = (uint8_t)squares_first(capturers);
		err = walk_step(w, &c);
	}
	return err == WALK_ENDED ? PLYD_OK : err;
}

/* ---- lists ------------------------------------------------------------- */

/* Compares as strcmp() would compare the texts, without writing them: up to the
 * first square that differs they are alike. */
static int compare_texts(bool numeric, const struct move *a,
			 const struct move *b)
{
	char x[SQUARE_TEXT_MAX + 1] = "", y[SQUARE_TEXT_MAX + 1] = "";
	unsigned i = 0;
	while (a->at[i] == b->at[i] && i < a->legs && i < b->legs)
		i++;
	x[square_write(numeric, a->at[i], x)] = i == a->legs ? '\0'
						: a->taken   ? 'x'
							     : '-';
	y[square_write(numeric, b->at[i], y)] = i == b->legs ? '\0'
						: b->taken   ? 'x'
							     : '-';
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
	struct view b = view_of(pos);
	variant_of(rs, &v);
	struct sorted_list s = { v.numeric, out };
	struct walk w = { .v = &v,
			  .only = b.foe,
			  .budget = &budget,
			  .visit = sorted_list_add,
			  .payload = &s };
	uint64_t capturers = view_capturers(&v, &b);
	out->count = 0;
	out->total = 0;
	if (!capturers)
		view_quiet_visit(&v, &b, sorted_list_add, &s);
	int err = view_worth_due(&v, &b, capturers, &budget, &w.worth);
	if (!err)
		err = walk_all(&w, &b, capturers);
	if (err) {
		out->count = 0;
		out->total = 0;
	}
	return err;
}
