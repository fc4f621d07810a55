/* SPDX-License-Identifier: MIT
 * Judges a written move by walking it, leg by leg. The first leg that breaks a
 * rule decides; within a leg the order of DRAUGHTS_REASONS does. */
#include <stdio.h>
#include <string.h>

#include "rules/draughts_priv.h"

struct judge {
	struct variant v;
	struct view view;
	uint64_t capturers;
	uint64_t budget;
	struct move_words words;
	struct move *out;
	struct refusal *why;
};

/* ---- refusals ---------------------------------------------------------- */

/* Refuses leg `step` for this reason; 0: the text as a whole. */
static int refuse(struct judge *j, enum reason reason, unsigned step)
{
	j->why->reason = reason;
	j->why->step = (int)step;
	if (step > 0) {
		snprintf(j->why->from, sizeof(j->why->from), "%.7s",
			 j->words.at[step - 1].text);
		snprintf(j->why->to, sizeof(j->why->to), "%.7s",
			 j->words.at[step].text);
	}
	return PLYD_EILLEGAL;
}

/* The same, where the square to look at is square i of the text. */
static int refuse_square(struct judge *j, enum reason reason, unsigned step,
			 unsigned i)
{
	snprintf(j->why->detail, sizeof(j->why->detail), "%.7s",
		 j->words.at[i].text);
	return refuse(j, reason, step);
}

/* Appends a word to the detail; false, and dots, where it is full. */
static bool detail_add(struct refusal *why, const char *word)
{
	static const char dots[] = " ...";
	size_t len = strlen(why->detail);
	if (len + 1 + strlen(word) + sizeof(dots) > sizeof(why->detail)) {
		memcpy(why->detail + len, dots, sizeof(dots));
		return false;
	}
	snprintf(why->detail + len, sizeof(why->detail) - len, "%s%s",
		 len > 0 ? " " : "", word);
	return true;
}

static void detail_add_moves(struct judge *j, const struct move_list *list)
{
	char text[MOVE_TEXT_MAX];
	for (size_t i = 0; i < list->count; i++) {
		move_write(j->v.numeric, &list->move[i], text);
		if (!detail_add(j->why, text))
			return;
	}
}

static void detail_add_squares(struct judge *j, uint64_t set)
{
	char text[SQUARE_TEXT_MAX];
	for (unsigned i = 0; i < squares_named(j->v.numeric); i++) {
		unsigned square = square_at(j->v.numeric, i);
		if (!(set & square_bit(square)))
			continue;
		square_write(j->v.numeric, square, text);
		detail_add(j->why, text);
	}
}

static struct walk walk_of(struct judge *j, move_fn *visit, void *payload,
			   unsigned worth)
{
	return (struct walk){ .v = &j->v,
			      .worth = worth,
			      .only = j->view.foe,
			      .budget = &j->budget,
			      .visit = visit,
			      .payload = payload };
}

/* ---- one leg ----------------------------------------------------------- */

/* What a leg has to do with: where it leads and what is on its way. */
struct leg {
	unsigned direction; /* NOWHERE if its ends share no line */
	uint64_t to;
	uint64_t between;
	unsigned length; /* 1: a neighbour */
};

/* Leg `step` of the words, whose ends are squares. */
static struct leg leg_of(const struct judge *j, unsigned step)
{
	unsigned from = (unsigned)j->words.at[step - 1].square;
	unsigned to = (unsigned)j->words.at[step].square;
	struct leg leg = { .to = square_bit(to) };
	leg.direction = line_between(from, to, &leg.between);
	leg.length = squares_count(leg.between) + 1;
	return leg;
}

static bool leg_is_along(const struct leg *leg, unsigned directions)
{
	return leg->direction != NOWHERE && (directions & 1u << leg->direction);
}

/* Why a piece cannot step so; REASON_NONE: it can. */
static enum reason judge_step(const struct judge *j, const struct capture *c,
			      const struct leg *leg)
{
	uint64_t occupied = c->friends | c->foes;
	unsigned directions = c->king ? j->v.king : j->v.man_step[c->side];
	bool flies = c->king && j->v.flying;
	if (!leg_is_along(leg, directions))
		return REASON_WRONG_DIRECTION;
	if (!flies && leg->length > 1)
		return REASON_TOO_FAR;
	if (leg->to & occupied)
		return REASON_SQUARE_OCCUPIED;
	if (leg->between & occupied)
		return REASON_PATH_BLOCKED;
	return REASON_NONE;
}

/* Why a capture cannot go on so. */
static enum reason judge_jump(const struct judge *j, const struct capture *c,
			      const struct leg *leg)
{
	uint64_t obstacles = capture_obstacles(&j->v, c);
	uint64_t over = leg->between & c->foes;
	unsigned directions = c->king ? j->v.king : j->v.man_capture[c->side];
	bool flies = c->king && j->v.flying;
	if (!leg_is_along(leg, directions))
		return REASON_WRONG_DIRECTION;
	if (!flies && leg->length > 2)
		return REASON_TOO_FAR;
	if (leg->to & (obstacles | c->foes))
		return REASON_SQUARE_OCCUPIED;
	if ((leg->between & obstacles) || squares_count(over) > 1)
		return REASON_PATH_BLOCKED;
	if (!over ||
	    (!c->king && !j->v.men_capture_kings && (over & c->foe_kings)))
		return REASON_NOTHING_TO_CAPTURE;
	if (!j->v.turn_back && c->came == (leg->direction ^ 4))
		return REASON_TURNED_BACK;
	return REASON_NONE;
}

/* ---- the whole path ---------------------------------------------------- */

/* The piece that the words begin with. */
static struct capture begin(const struct judge *j)
{
	return capture_begin(&j->view,
			     square_bit((unsigned)j->words.at[0].square));
}

/* Whether both ends of leg `step` are squares and its first end, for the first
 * leg, holds a piece of the mover. */
static int check_ends(struct judge *j, unsigned step)
{
	for (unsigned i = step - 1; i <= step; i++) {
		if (j->words.at[i].square < 0)
			return refuse_square(j, REASON_NO_SUCH_SQUARE, step, i);
	}
	if (step > 1)
		return PLYD_OK;
	uint64_t from = square_bit((unsigned)j->words.at[0].square);
	if (j->view.foe & from)
		return refuse_square(j, REASON_NOT_YOUR_PIECE, 1, 0);
	if (!(j->view.own & from))
		return refuse_square(j, REASON_EMPTY_SQUARE, 1, 0);
	return PLYD_OK;
}

static int check_step(struct judge *j)
{
	int err = check_ends(j, 1);
	if (err)
		return err;
	struct capture c = begin(j);
	struct leg leg = leg_of(j, 1);
	enum reason reason = judge_step(j, &c, &leg);
	if (reason)
		return refuse_square(j, reason, 1, 1);
	if (j->capturers) {
		detail_add_squares(j, j->capturers);
		return refuse(j, REASON_MUST_CAPTURE, 1);
	}
	*j->out = (struct move){
		.legs = 1,
		.crowned = !c.king && (leg.to & j->v.last_row[c.side]),
		.at = { (uint8_t)j->words.at[0].square,
			(uint8_t)j->words.at[1].square },
	};
	return PLYD_OK;
}

/* Judges leg `step` of a capture and carries *c over it. */
static int check_jump(struct judge *j, unsigned step, struct capture *c)
{
	struct leg leg = leg_of(j, step);
	enum reason reason = judge_jump(j, c, &leg);
	if (reason == REASON_TURNED_BACK)
		return refuse(j, reason, step);
	if (reason)
		return refuse_square(j, reason, step, step);
	if (c->ended)
		return refuse(j, REASON_PROMOTION_ENDS_TURN, step);
	struct jump jump = { leg.between & c->foes, leg.to,
			     (uint8_t)leg.direction };
	*c = capture_after(&j->v, c, &jump);
	return PLYD_OK;
}

/* The capture after the first legs of the words, which are known to be fine. */
static struct capture after_legs(const struct judge *j, unsigned legs)
{
	struct capture c = begin(j);
	for (unsigned step = 1; step <= legs; step++) {
		struct leg leg = leg_of(j, step);
		struct jump jump = { leg.between & c.foes, leg.to,
				     (uint8_t)leg.direction };
		c = capture_after(&j->v, &c, &jump);
	}
	return c;
}

/* Refuses a capture c that may not end where the words do; `before` is the same
 * one leg earlier. It goes on from here, or else from another landing behind
 * the piece that was jumped last. */
static int refuse_unfinished(struct judge *j, const struct capture *before,
			     const struct capture *c, bool from_here)
{
	struct move_list routes;
	struct sorted_list sorted = { j->v.numeric, &routes };
	struct walk w = walk_of(j, sorted_list_add, &sorted, 0);
	struct jump jump[JUMPS_MAX];
	unsigned count = capture_jumps(&j->v, before, jump);
	unsigned last = j->words.count - 1;
	routes.count = routes.total = 0;
	for (unsigned i = 0; i < last; i++)
		w.path.at[i] = (uint8_t)j->words.at[i].square;
	for (unsigned i = 0; i < count; i++) {
		if ((before->foes & ~c->foes) != jump[i].over ||
		    (from_here && jump[i].to != c->at))
			continue;
		struct capture next = capture_after(&j->v, before, &jump[i]);
		w.path.legs = (uint8_t)last;
		w.path.at[last] = (uint8_t)squares_first(next.at);
		/* too many to walk them all: those found will do */
		(void)walk_on(&w, &next);
	}
	detail_add_moves(j, &routes);
	return refuse(j, REASON_CAPTURE_UNFINISHED, last);
}

/* Refuses at the first leg after which no capture is worth what is due. */
static int refuse_not_maximum(struct judge *j, unsigned due)
{
	struct move_list routes;
	struct sorted_list sorted = { j->v.numeric, &routes };
	struct walk w = walk_of(j, sorted_list_add, &sorted, due);
	char number[8];
	unsigned step = 0;
	struct tally t;
	do {
		struct capture c = after_legs(j, ++step);
		int err = capture_tally(&j->v, &c, &j->budget, &t);
		if (err)
			return err;
	} while (t.worth >= due);
	routes.count = routes.total = 0;
	int err = walk_all(&w, &j->view, j->capturers);
	if (err)
		return err;
	snprintf(number, sizeof(number), "%u:", routes.move[0].legs);
	detail_add(j->why, number);
	detail_add_moves(j, &routes);
	return refuse(j, REASON_NOT_MAXIMUM_CAPTURE, step);
}

static bool is_among(const struct jump *jump, unsigned count, uint64_t to)
{
	for (unsigned i = 0; i < count; i++) {
		if (jump[i].to == to)
			return true;
	}
	return false;
}

/* Whether a capture walked to the end of the words may end there. */
static int check_end(struct judge *j, const struct capture *c)
{
	struct capture before = after_legs(j, j->words.count - 2);
	struct jump jump[JUMPS_MAX];
	unsigned due;
	if (capture_jumps(&j->v, c, jump) > 0)
		return refuse_unfinished(j, &before, c, true);
	if (!is_among(jump, capture_jumps(&j->v, &before, jump), c->at))
		return refuse_unfinished(j, &before, c, false);
	int err =
		view_worth_due(&j->v, &j->view, j->capturers, &j->budget, &due);
	if (err)
		return err;
	if (capture_worth(&j->v, c) < due)
		return refuse_not_maximum(j, due);
	*j->out = (struct move){
		.legs = (uint8_t)(j->words.count - 1),
		.crowned = capture_crowns(&j->v, c),
		.taken = c->taken,
	};
	for (unsigned i = 0; i < j->words.count; i++)
		j->out->at[i] = (uint8_t)j->words.at[i].square;
	return PLYD_OK;
}

static int check_capture(struct judge *j)
{
	struct capture c;
	for (unsigned step = 1; step < j->words.count; step++) {
		int err = check_ends(j, step);
		if (step == 1 && !err)
			c = begin(j);
		if (!err)
			err = check_jump(j, step, &c);
		if (err)
			return err;
	}
	return check_end(j, &c);
}

/* ---- a capture named by its ends --------------------------------------- */

struct ends {
	bool numeric;
	unsigned to;
	bool differ;        /* two of the captures have different results */
	struct move direct; /* the one of a single leg, if it has legs */
	struct move_list list;
};

static bool ends_add(void *payload, const struct move *move)
{
	struct ends *e = payload;
	const struct move *held = &e->list.move[0];
	struct sorted_list sorted = { e->numeric, &e->list };
	if (move->at[move->legs] != e->to)
		return true;
	if (e->list.count > 0 &&
	    (move->taken != held->taken || move->crowned != held->crowned))
		e->differ = true;
	if (move->legs == 1)
		e->direct = *move;
	return sorted_list_add(&sorted, move);
}

/* Whether two squares are the ends of captures, and so are read as those. If
 * they are, *err is the verdict. */
static bool check_ends_only(struct judge *j, int *err)
{
	int from = j->words.at[0].square, to = j->words.at[1].square;
	struct ends ends;
	struct walk w = walk_of(j, ends_add, &ends, 0);
	if (j->words.count != 2 || from < 0 || to < 0 ||
	    !(j->capturers & square_bit((unsigned)from)))
		return false;
	ends.numeric = j->v.numeric;
	ends.to = (unsigned)to;
	ends.differ = false;
	ends.direct.legs = 0;
	ends.list.count = ends.list.total = 0;
	*err = view_worth_due(&j->v, &j->view, j->capturers, &j->budget,
			      &w.worth);
	if (!*err)
		*err = walk_all(&w, &j->view, square_bit((unsigned)from));
	if (*err)
		return true;
	if (ends.list.total == 0)
		return false;
	if (ends.direct.legs > 0 || !ends.differ) {
		*j->out =
			ends.direct.legs > 0 ? ends.direct : ends.list.move[0];
		return true;
	}
	detail_add_moves(j, &ends.list);
	*err = refuse(j, REASON_AMBIGUOUS_CAPTURE, 1);
	return true;
}

int draughts_check(const struct ruleset *rs, const struct position *pos,
		   const char *text, size_t len, struct move *out,
		   struct refusal *why)
{
	struct judge j = { .budget = DRAUGHTS_JUMPS_MAX,
			   .view = view_of(pos),
			   .out = out,
			   .why = why };
	int err;
	*why = (struct refusal){ .reason = REASON_NONE };
	variant_of(rs, &j.v);
	if (!move_words_read(&j.v, text, len, &j.words))
		return refuse(&j, REASON_BAD_NOTATION, 0);
	j.capturers = view_capturers(&j.v, &j.view);
	if (check_ends_only(&j, &err))
		return err;
	return j.words.dash ? check_step(&j) : check_capture(&j);
}
