/* SPDX-License-Identifier: MIT
 * Leaf counts. The last ply is counted without making its moves. */
#include "rules/draughts_priv.h"
#include "rules/draughts_steps_priv.h"

struct perft {
	const struct variant *v;
	const struct view *before;
	int depth; /* of the moves from there */
	bool distinct;
	uint64_t leaves;
};

/* ---- distinct results -------------------------------------------------- */

struct twin {
	const struct view *before;
	struct view after;
	const struct move *move;
	bool is_first;
};

static bool twin_compare(void *payload, const struct move *move)
{
	struct twin *t = payload;
	struct view after = view_after(t->before, move);
	if (!view_eq(&after, &t->after))
		return true;
	t->is_first = move->legs == t->move->legs;
	for (unsigned i = 0; i <= move->legs && t->is_first; i++)
		t->is_first = move->at[i] == t->move->at[i];
	return false;
}

/* Whether no capture that a walk meets earlier has the same result. Looks only
 * at captures of the same pieces, and so needs no table of results. */
static bool is_first_of_result(const struct perft *p, const struct move *move)
{
	uint64_t budget = UINT64_MAX;
	struct twin t = { .before = p->before,
			  .after = view_after(p->before, move),
			  .move = move };
	struct walk w = { .v = p->v,
			  .only = move->taken,
			  .budget = &budget,
			  .visit = twin_compare,
			  .payload = &t };
	walk_all(&w, p->before, view_capturers(p->v, p->before));
	return t.is_first;
}

/* ---- counting ---------------------------------------------------------- */

static uint64_t count_last(const struct variant *v, const struct view *view)
{
	uint64_t capturers = view_capturers(v, view), budget = UINT64_MAX;
	struct tally tally;
	if (!capturers)
		return view_quiet_count(v, view);
	view_tally(v, view, capturers, &budget, &tally);
	return tally.paths;
}

static uint64_t count_below(const struct variant *v, const struct view *view,
			    int depth, bool distinct);

static inline uint64_t count_leaves(const struct variant *v,
				    const struct view *view, int depth,
				    bool distinct)
{
	return depth == 1 && !distinct ? count_last(v, view)
				       : count_below(v, view, depth, distinct);
}

ALWAYS_INLINE bool count_quiet(void *payload, const struct move *move)
{
	struct perft *p = payload;
	struct view next = view_after(p->before, move);
	p->leaves += count_leaves(p->v, &next, p->depth - 1, p->distinct);
	return true;
}

static bool count_capture(void *payload, const struct move *move)
{
	struct perft *p = payload;
	if (p->distinct && !is_first_of_result(p, move))
		return true;
	return count_quiet(p, move);
}

/* By making the moves, but for quiet ones that are the last: no two of them
 * have the same result. */
static uint64_t count_below(const struct variant *v, const struct view *view,
			    int depth, bool distinct)
{
	struct perft p = { v, view, depth, distinct, 0 };
	uint64_t budget = UINT64_MAX, capturers = view_capturers(v, view);
	struct walk w = { .v = v,
			  .only = view->foe,
			  .budget = &budget,
			  .visit = count_capture,
			  .payload = &p };
	if (depth == 0)
		return 1;
	if (!capturers && depth == 1)
		return view_quiet_count(v, view);
	if (!capturers) {
		view_quiet_visit(v, view, count_quiet, &p);
		return p.leaves;
	}
	view_worth_due(v, view, capturers, &budget, &w.worth);
	walk_all(&w, view, capturers);
	return p.leaves;
}

uint64_t draughts_perft(const struct ruleset *rs, const struct position *pos,
			int depth, bool distinct)
{
	struct variant v;
	struct view view = view_of(pos);
	variant_of(rs, &v);
	return count_leaves(&v, &view, depth, distinct);
}
