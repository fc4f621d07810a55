/* SPDX-License-Identifier: MIT */
#include "rules/draughts_priv.h"
#include "rules/options_priv.h"

/* ---- one capture -------------------------------------------------------- */

ALWAYS_INLINE unsigned all_jumps(const struct variant *v,
				 const struct capture *c,
				 struct jump out[JUMPS_MAX])
{
	uint64_t empty = v->squares & ~(capture_obstacles(v, c) | c->foes);
	uint64_t prey = c->foes;
	unsigned directions = c->king ? v->king : v->man_capture[c->side];
	bool flies = c->king && v->flying;
	unsigned count = 0;
	if (c->ended)
		return 0;
	if (!c->king && !v->men_capture_kings)
		prey &= ~c->foe_kings;
	if (!v->turn_back && c->came != NOWHERE)
		directions &= ~(1u << (c->came ^ 4));
#pragma GCC unroll 4
	for (unsigned m = directions; m; m &= m - 1) {
		unsigned d = squares_first(m);
		uint64_t over = squares_step(c->at, d);
		while (flies && (over & empty))
			over = squares_step(over, d);
		if (!(over & prey))
			continue;
		uint64_t to = squares_step(over, d) & empty;
		while (to) {
			out[count++] = (struct jump){ over, to, (uint8_t)d };
			to = flies ? squares_step(to, d) & empty : 0;
		}
	}
	return count;
}

static bool goes_on(const struct variant *v, const struct capture *c,
		    const struct jump *j)
{
	struct jump unused[JUMPS_MAX];
	struct capture next = capture_after(v, c, j);
	return all_jumps(v, &next, unused) > 0;
}

/* Where a king may choose among squares behind one piece and can go on from
 * some, it must choose one of those: the Russian, Pool and Czech rule. Where
 * the most pieces must be taken this follows of itself. */
static unsigned without_early_ends(const struct variant *v,
				   const struct capture *c,
				   struct jump jump[JUMPS_MAX], unsigned count)
{
	uint64_t on = 0; /* pieces behind which some landing goes on */
	unsigned kept = 0;
	for (unsigned i = 0; i < count; i++)
		on |= goes_on(v, c, &jump[i]) ? jump[i].over : 0;
	for (unsigned i = 0; i < count; i++) {
		if (!(jump[i].over & on) || goes_on(v, c, &jump[i]))
			jump[kept++] = jump[i];
	}
	return kept;
}

/* capture_jumps(), for the walks. */
ALWAYS_INLINE unsigned walk_jumps(const struct variant *v,
				  const struct capture *c,
				  struct jump out[JUMPS_MAX])
{
	unsigned count = all_jumps(v, c, out);
	if (v->must_go_on && c->king)
		return without_early_ends(v, c, out, count);
	return count;
}

unsigned capture_jumps(const struct variant *v, const struct capture *c,
		       struct jump out[JUMPS_MAX])
{
	return walk_jumps(v, c, out);
}

bool capture_crowns(const struct variant *v, const struct capture *c)
{
	return c->crowned || (!c->king && (c->at & v->last_row[c->side]));
}

/* ---- first jumps of short pieces ---------------------------------------- */

/* The capture after the first jump, in direction d to the square `to`. */
static inline struct capture first_jump(const struct variant *v,
					const struct view *view, uint64_t to,
					unsigned d)
{
	uint64_t over = squares_step(to, d ^ 4);
	struct capture c = capture_begin(view, squares_step(over, d ^ 4));
	struct jump jump = { over, to, (uint8_t)d };
	return capture_after(v, &c, &jump);
}

/* Told the first jumps in one direction: where they land, and from which of
 * these squares the capture may go on; from the others it does not. */
typedef int first_jumps_fn(void *payload, const struct view *view, uint64_t to,
			   uint64_t on, unsigned d);

/* Captures by pieces of one kind, which jump short, as sets of squares. What a
 * second jump would meet is what was there before the first, for it cannot go
 * back over the piece that was taken, and so reaches nothing that the first has
 * changed. */
ALWAYS_INLINE int first_jumps(const struct variant *v, const struct view *view,
			      uint64_t pieces, bool kings, unsigned directions,
			      first_jumps_fn *tell, void *payload)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t prey = kings || v->men_capture_kings
				? view->foe
				: view->foe & ~view->kings;
	uint64_t crowning = kings ? 0 : v->last_row[view->side];
	uint64_t may[DIRECTIONS]; /* squares from where a jump would go */
	uint64_t on = 0;          /* likewise, in any direction */
	int err = PLYD_OK;
#pragma GCC unroll 4
	for (unsigned m = directions; m; m &= m - 1) {
		unsigned d = squares_first(m), back = d ^ 4;
		may[d] = squares_step(squares_step(empty, back) & prey, back);
		on |= may[d];
	}
	if (v->promotion == PROMOTION_STOPS)
		on &= ~crowning;
	else if (v->promotion == PROMOTION_CONTINUES)
		on |= crowning;
#pragma GCC unroll 4
	for (unsigned m = directions; m; m &= m - 1) {
		unsigned d = squares_first(m);
		uint64_t over = squares_step(may[d] & pieces, d);
		uint64_t to = squares_step(over, d);
		err = tell(payload, view, to, to & on, d);
		if (err)
			return err;
	}
	return err;
}

/* ---- the greatest capture ---------------------------------------------- */

struct tallying {
	const struct variant *v;
	uint64_t *budget;
	struct tally tally;
};

static int tally_step(struct tallying *t, const struct capture *c)
{
	struct jump jump[JUMPS_MAX];
	unsigned count = walk_jumps(t->v, c, jump);
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

ALWAYS_INLINE int tally_first(void *payload, const struct view *view,
			      uint64_t to, uint64_t on, unsigned d)
{
	struct tallying *t = payload;
	int err = PLYD_OK;
	t->tally.paths += squares_count(to & ~on);
	for (; on && !err; on &= on - 1) {
		struct capture c = first_jump(t->v, view, on & -on, d);
		err = tally_step(t, &c);
	}
	return err;
}

static int tally_each(struct tallying *t, const struct view *view,
		      uint64_t capturers)
{
	int err = PLYD_OK;
	for (; capturers && !err; capturers &= capturers - 1) {
		struct capture c = capture_begin(view, capturers & -capturers);
		err = tally_step(t, &c);
	}
	return err;
}

ALWAYS_INLINE int tally_men(struct tallying *t, const struct view *view,
			    uint64_t men)
{
	const struct variant *v = t->v;
	unsigned directions = v->man_capture[view->side];
	switch (directions) {
	case MEN_UP:
		return first_jumps(v, view, men, false, MEN_UP, tally_first, t);
	case MEN_DOWN:
		return first_jumps(v, view, men, false, MEN_DOWN, tally_first,
				   t);
	default:
		return first_jumps(v, view, men, false, directions, tally_first,
				   t);
	}
}

static int tally_kings(struct tallying *t, const struct view *view,
		       uint64_t kings)
{
	const struct variant *v = t->v;
	if (v->flying)
		return tally_each(t, view, kings);
	return first_jumps(v, view, kings, true, v->king, tally_first, t);
}

int view_tally(const struct variant *v, const struct view *view,
	       uint64_t capturers, uint64_t *budget, struct tally *out)
{
	struct tallying t = { v, budget, { 0, 0 } };
	uint64_t kings = capturers & view->kings, men = capturers & ~kings;
	int err = PLYD_OK;
	if (v->per_piece > 0 || v->per_king > 0)
		err = tally_each(&t, view, capturers);
	else if (men)
		err = tally_men(&t, view, men);
	if (kings && !err && v->per_piece == 0 && v->per_king == 0)
		err = tally_kings(&t, view, kings);
	*out = t.tally;
	return err;
}

int view_worth_due(const struct variant *v, const struct view *view,
		   uint64_t capturers, uint64_t *budget, unsigned *out)
{
	struct tally t = { 0, 0 };
	int err = PLYD_OK;
	if (v->per_piece > 0 || v->per_king > 0)
		err = view_tally(v, view, capturers, budget, &t);
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
	unsigned count = walk_jumps(w->v, c, jump);
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

/* The capture of one piece that goes on nowhere, from w->path.at[0] to
 * w->path.at[1]. */
static inline int walk_short(struct walk *w, const struct view *view,
			     uint64_t over)
{
	const struct variant *v = w->v;
	uint64_t to = square_bit(w->path.at[1]);
	bool king = view->kings >> w->path.at[0] & 1;
	if (v->per_piece + (king ? v->per_king : 0u) < w->worth)
		return PLYD_OK;
	w->path.taken = over;
	w->path.crowned = !king && (to & v->last_row[view->side]);
	return w->visit(w->payload, &w->path) ? PLYD_OK : WALK_ENDED;
}

ALWAYS_INLINE int walk_first(void *payload, const struct view *view,
			     uint64_t to, uint64_t on, unsigned d)
{
	struct walk *w = payload;
	int err = PLYD_OK;
	w->path.legs = 1;
	for (; to && !err; to &= to - 1) {
		uint64_t over = squares_step(to & -to, d ^ 4);
		if (!(over & w->only))
			continue;
		w->path.at[1] = (uint8_t)squares_first(to);
		w->path.at[0] = (w->path.at[1] - 2 * direction_turn[d]) & 63;
		if (on & to & -to) {
			struct capture c = first_jump(w->v, view, to & -to, d);
			err = walk_step(w, &c);
		} else {
			err = walk_short(w, view, over);
		}
	}
	return err;
}

static int walk_each(struct walk *w, const struct view *view,
		     uint64_t capturers)
{
	int err = PLYD_OK;
	for (; capturers && !err; capturers &= capturers - 1) {
		struct capture c = capture_begin(view, capturers & -capturers);
		w->path.legs = 0;
		w->path.at[0] = (uint8_t)squares_first(capturers);
		err = walk_step(w, &c);
	}
	return err;
}

/* Men that move diagonally go by directions that the compiler knows. */
static int walk_men(struct walk *w, const struct view *view, uint64_t men)
{
	const struct variant *v = w->v;
	unsigned directions = v->man_capture[view->side];
	switch (directions) {
	case MEN_UP:
		return first_jumps(v, view, men, false, MEN_UP, walk_first, w);
	case MEN_DOWN:
		return first_jumps(v, view, men, false, MEN_DOWN, walk_first,
				   w);
	default:
		return first_jumps(v, view, men, false, directions, walk_first,
				   w);
	}
}

int walk_all(struct walk *w, const struct view *view, uint64_t capturers)
{
	uint64_t kings = capturers & view->kings, men = capturers & ~kings;
	int err = PLYD_OK;
	if (men)
		err = walk_men(w, view, men);
	if (kings && !err)
		err = w->v->flying ? walk_each(w, view, kings)
				   : first_jumps(w->v, view, kings, true,
						 w->v->king, walk_first, w);
	return err == WALK_ENDED ? PLYD_OK : err;
}
