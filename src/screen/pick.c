/* SPDX-License-Identifier: MIT */
#include "screen/pick.h"

#include <stdio.h>
#include <string.h>

enum {
	PLACES = 64,
	HOPS_MAX = 4,
	/* Questions to the rules for one place; then it is taken as legal, and
	 * who is asked to play the move will judge it. */
	QUESTIONS_MAX = 4000
};

static uint64_t bit(int place)
{
	return UINT64_C(1) << place;
}

/* -- draughts -- */

/* Whether a legal move begins with the squares that are chosen. */
static bool begins_so(const struct pick *p, const struct move *m)
{
	if (m->legs + 1 < p->steps)
		return false;
	for (int i = 0; i < p->steps; i++)
		if (m->at[i] != p->step[i])
			return false;
	return true;
}

/* The last square of a move, too, where it alone names the move. */
static void add_ends(struct pick *p)
{
	uint64_t once = 0, twice = 0;
	for (size_t i = 0; i < p->list.count; i++) {
		const struct move *m = &p->list.move[i];
		if (!begins_so(p, m))
			continue;
		twice |= once & bit(m->at[m->legs]);
		once |= bit(m->at[m->legs]);
	}
	p->targets |= once & ~twice;
}

static void draughts_choices(struct pick *p)
{
	for (size_t i = 0; i < p->list.count; i++) {
		const struct move *m = &p->list.move[i];
		if (p->steps <= 1)
			p->sources |= bit(m->at[0]);
		if (p->steps > 0 && begins_so(p, m) && m->legs >= p->steps)
			p->targets |= bit(m->at[p->steps]);
	}
	if (p->steps > 0)
		add_ends(p);
}

/* The only move that begins so; NULL: none or several. */
static const struct move *only_move(const struct pick *p)
{
	const struct move *found = NULL;
	for (size_t i = 0; i < p->list.count; i++) {
		if (!begins_so(p, &p->list.move[i]))
			continue;
		if (found)
			return NULL;
		found = &p->list.move[i];
	}
	return found;
}

/* The only move that begins so and ends there. */
static const struct move *ends_there(const struct pick *p, int place)
{
	const struct move *found = NULL;
	for (size_t i = 0; i < p->list.count; i++) {
		const struct move *m = &p->list.move[i];
		if (!begins_so(p, m) || m->at[m->legs] != place)
			continue;
		if (found)
			return NULL;
		found = m;
	}
	return found;
}

static bool is_next_square(const struct pick *p, int place)
{
	for (size_t i = 0; i < p->list.count; i++) {
		const struct move *m = &p->list.move[i];
		if (begins_so(p, m) && m->legs >= p->steps &&
		    m->at[p->steps] == place)
			return true;
	}
	return false;
}

static void draughts_go(struct pick *p, int place)
{
	const struct move *whole = NULL;
	if (is_next_square(p, place)) {
		p->step[p->steps++] = (int8_t)place;
		whole = only_move(p);
	} else {
		whole = ends_there(p, place);
	}
	if (!whole)
		return;
	game_move_text(&p->rules, &p->start, whole, p->move);
	game_apply(&p->rules, &p->start, whole, &p->now);
	p->now.side = p->start.side;
}

/* -- backgammon -- */

static size_t put_hop(char *out, size_t at, int from, int to)
{
	char ends[2][8];
	const int place[2] = { from, to };
	for (int i = 0; i < 2; i++)
		if (place[i] == PICK_BAR || place[i] == PICK_OFF)
			snprintf(ends[i], sizeof(ends[i]), "%s",
				 place[i] == PICK_BAR ? "bar" : "off");
		else
			snprintf(ends[i], sizeof(ends[i]), "%d", place[i]);
	int n = snprintf(out + at, MOVE_TEXT_MAX - at, "%s%s/%s",
			 at > 0 ? " " : "", ends[0], ends[1]);
	return at + (size_t)n < MOVE_TEXT_MAX ? at + (size_t)n : at;
}

/* A turn that is being looked for. */
struct search {
	const struct pick *pick;
	int hops;
	int8_t hop[HOPS_MAX][2];
	int questions;
};

static enum reason judge(const struct search *s, char text[MOVE_TEXT_MAX])
{
	struct move move;
	struct refusal why = { .reason = REASON_NONE };
	size_t len = 0;
	for (int i = 0; i < s->hops; i++)
		len = put_hop(text, len, s->hop[i][0], s->hop[i][1]);
	int err = game_check(&s->pick->rules, &s->pick->start, text, len, &move,
			     &why);
	return !err                   ? REASON_NONE
	       : err == PLYD_EILLEGAL ? why.reason
				      : REASON_BAD_NOTATION;
}

static void hop_board(struct position *pos, int from, int to)
{
	uint8_t *mine = pos->backgammon.point[pos->side];
	uint8_t *other = pos->backgammon.point[!pos->side];
	mine[from]--;
	mine[to]++;
	if (to > 0 && other[25 - to] > 0) {
		other[PICK_BAR]++;
		other[25 - to]--;
	}
}

static int hop_end(int from, int die)
{
	return from > die ? from - die : PICK_OFF;
}

static bool can_leave(const struct position *pos, int from)
{
	const uint8_t *mine = pos->backgammon.point[pos->side];
	return mine[from] > 0 && (mine[PICK_BAR] == 0 || from == PICK_BAR);
}

static bool is_legal_begun(struct search *s, const struct position *pos);

static bool goes_on(struct search *s, const struct position *pos, int from,
		    int die)
{
	struct position next = *pos;
	int to = hop_end(from, die);
	hop_board(&next, from, to);
	s->hop[s->hops][0] = (int8_t)from;
	s->hop[s->hops][1] = (int8_t)to;
	s->hops++;
	bool good = is_legal_begun(s, &next);
	s->hops--;
	return good;
}

/* Whether the hops so far are a legal turn or the beginning of one. */
static bool is_legal_begun(struct search *s, const struct position *pos)
{
	char text[MOVE_TEXT_MAX];
	enum reason reason = judge(s, text);
	if (reason == REASON_NONE || ++s->questions > QUESTIONS_MAX)
		return true;
	if (reason != REASON_DICE_UNUSED || s->hops == HOPS_MAX)
		return false;
	for (int from = PICK_BAR; from > 0; from--)
		for (int d = 0; can_leave(pos, from) && d < 2; d++)
			if ((d == 0 || pos->dice[1] != pos->dice[0]) &&
			    goes_on(s, pos, from, pos->dice[d]))
				return true;
	return false;
}

static void search_begin(const struct pick *p, struct search *s)
{
	*s = (struct search){ .pick = p, .hops = p->steps / 2 };
	memcpy(s->hop, p->step, (size_t)p->steps);
}

static bool may_hop(const struct pick *p, int from, int die)
{
	struct search s;
	search_begin(p, &s);
	return s.hops < HOPS_MAX && can_leave(&p->now, from) &&
	       goes_on(&s, &p->now, from, die);
}

static void backgammon_choices(struct pick *p)
{
	for (int from = PICK_BAR; from > 0 && !p->move[0]; from--)
		for (int d = 0; d < 2; d++) {
			int die = p->now.dice[d];
			if (!may_hop(p, from, die))
				continue;
			p->sources |= bit(from);
			if (from == p->chosen)
				p->targets |= bit(hop_end(from, die));
		}
}

static void backgammon_go(struct pick *p, int place)
{
	struct search s;
	p->step[p->steps++] = (int8_t)p->chosen;
	p->step[p->steps++] = (int8_t)place;
	hop_board(&p->now, p->chosen, place);
	p->chosen = PICK_NOWHERE;
	search_begin(p, &s);
	if (judge(&s, p->move) != REASON_NONE)
		p->move[0] = '\0';
}

/* -- both -- */

static bool has_dice(const struct pick *p)
{
	return p->rules.family == FAMILY_BACKGAMMON;
}

static void find_choices(struct pick *p)
{
	p->sources = p->targets = 0;
	if (p->move[0])
		return;
	if (has_dice(p))
		backgammon_choices(p);
	else
		draughts_choices(p);
}

void pick_begin(struct pick *p, const struct ruleset *rs,
		const struct position *pos)
{
	*p = (struct pick){
		.rules = *rs, .start = *pos, .now = *pos, .chosen = PICK_NOWHERE
	};
	if (has_dice(p) ? pos->dice[0] == 0
			: game_moves(rs, pos, &p->list) != PLYD_OK)
		return;
	find_choices(p);
}

bool pick_place(struct pick *p, int place)
{
	if (place < 0 || place >= PLACES)
		return false;
	if (p->targets & bit(place)) {
		if (has_dice(p))
			backgammon_go(p, place);
		else
			draughts_go(p, place);
	} else if (p->sources & bit(place)) {
		p->chosen = place;
		if (!has_dice(p)) {
			p->step[0] = (int8_t)place;
			p->steps = 1;
		}
	} else {
		return false;
	}
	find_choices(p);
	return true;
}

/* The steps again from the beginning, without the last. */
static void walk_again(struct pick *p, int steps)
{
	struct position start = p->start;
	p->now = start;
	p->move[0] = '\0';
	p->steps = steps;
	p->chosen = PICK_NOWHERE;
	if (has_dice(p))
		for (int i = 0; i < steps; i += 2)
			hop_board(&p->now, p->step[i], p->step[i + 1]);
	else if (steps > 0)
		p->chosen = p->step[0];
	find_choices(p);
}

bool pick_back(struct pick *p)
{
	if (has_dice(p) && p->chosen != PICK_NOWHERE)
		walk_again(p, p->steps);
	else if (p->steps > 0)
		walk_again(p, p->steps - (has_dice(p) ? 2 : 1));
	else
		return false;
	return true;
}

int pick_next(const struct pick *p, int from, int direction)
{
	uint64_t all = p->targets ? p->targets : p->sources;
	for (int i = 1; i <= PLACES; i++) {
		int place = (from + PLACES + i * direction) % PLACES;
		if (place < 0)
			place += PLACES;
		if (all & bit(place))
			return place;
	}
	return PICK_NOWHERE;
}
