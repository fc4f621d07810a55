/* SPDX-License-Identifier: MIT
 * Sets of points are words: bit p is point p in the numbering of the side that
 * moves over it, 25 its bar; a step by n pips is a shift to the right. */
#include "engine/backgammon_inputs.h"
#include "engine/backgammon_tables.h"

#include <stdbool.h>
#include <string.h>

enum {
	BAR = 25,
	HOME = 6,
	FAR = 13, /* the lowest point of the far half */
	FAR_HOME = 19,
	THROWS = 36,
	PIPS_MID = 64
};

#define M(m, name) (m)[BACKGAMMON_MEASURE_##name]

struct sets {
	uint32_t some; /* points with own checkers, the bar too */
	uint32_t made; /* with two at least, without the bar */
	uint32_t blot; /* with just one, without the bar */
	int pips;
};

static uint32_t turned_set(uint32_t set)
{
	set = (set >> 1 & 0x55555555) | (set & 0x55555555) << 1;
	set = (set >> 2 & 0x33333333) | (set & 0x33333333) << 2;
	set = (set >> 4 & 0x0f0f0f0f) | (set & 0x0f0f0f0f) << 4;
	set = (set >> 8 & 0x00ff00ff) | (set & 0x00ff00ff) << 8;
	return (set >> 16 | set << 16) >> (31 - BAR);
}

/* The same in the other side's numbering. */
static struct sets turned(const struct sets *s)
{
	return (struct sets){ turned_set(s->some), turned_set(s->made),
			      turned_set(s->blot), s->pips };
}

static inline int highest(uint32_t set)
{
	return 31 - __builtin_clz(set | 1);
}

static inline int members(uint32_t set)
{
	set = set - (set >> 1 & 0x55555555);
	set = (set & 0x33333333) + (set >> 2 & 0x33333333);
	return (int)(((set + (set >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
}

/* Eight bits from the highest bits of eight bytes. */
static inline uint32_t gather(uint64_t bytes)
{
	return (uint32_t)(((bytes >> 7) * 0x0102040810204080u) >> 56);
}

/* Eight points at a time, a byte each: no sum of theirs fills a byte. */
static struct sets sets_of(const uint8_t *point)
{
	const uint64_t each = 0x0101010101010101u;
	struct sets s = { 0, 0, 0, 0 };
	for (int p = 0; p < BAR; p += 8) {
		uint64_t n = 0;
		memcpy(&n, point + p, p + 8 <= BAR ? 8 : BAR + 1 - 24);
		s.some |= gather((n + 0x7f * each) & 0x80 * each) << p;
		s.made |= gather((n + 0x7e * each) & 0x80 * each) << p;
		s.pips += (int)(n * 0x0001020304050607u >> 56) +
			  p * (int)(n * each >> 56);
	}
	s.some &= ~1u;
	s.blot = s.some & ~s.made & ~(1u << BAR);
	s.made &= ~(1u << BAR | 1u);
	return s;
}

/* ---- rows -------------------------------------------------------------- */

static int add_side(int side, const uint8_t *point, uint16_t *row, int n)
{
	for (int p = 1; p <= BAR; p++) {
		int c = point[p];
		row[n] =
			(uint16_t)((side * BAR + p - 1) * BACKGAMMON_COUNT_MAX +
				   (c > BACKGAMMON_COUNT_MAX
					    ? BACKGAMMON_COUNT_MAX
					    : c) -
				   1);
		n += c > 0;
	}
	if (point[0])
		row[n++] = (uint16_t)(BACKGAMMON_POINT_ROWS + side * 15 +
				      point[0] - 1);
	return n;
}

int backgammon_rows(const uint8_t *own, const uint8_t *foe,
		    uint16_t row[BACKGAMMON_ROWS_SET_MAX])
{
	return add_side(1, foe, row, add_side(0, own, row, 0));
}

/* ---- shots ------------------------------------------------------------- */

struct shots {
	int throws;
	int loss;
	int choice;
};

/* What one throw hits: bit p, the victim loses p pips of the way it has gone,
 * so the hitter prefers the highest. */
static inline void count_hits(struct shots *s, uint32_t hits, int ways)
{
	s->throws += hits ? ways : 0;
	s->loss += highest(hits) * ways;
	s->choice += hits & (hits - 1) ? ways : 0;
}

/* With one checker on the bar, or none. */
static void shots_of_pairs(struct shots *s, uint32_t some, uint32_t first,
			   uint32_t target, uint32_t open)
{
	uint32_t hit[7];
	uint32_t next[7];
	for (int d = 1; d <= 6; d++) {
		hit[d] = first >> d & target;
		next[d] = first >> d & open;
	}
	bool bar = first != some;
	for (int a = 2; a <= 6; a++) {
		for (int b = 1; b < a; b++) {
			uint32_t then_b = next[a];
			uint32_t then_a = next[b];
			if (bar) { /* once it is in, any checker may go on */
				then_b |= then_b ? some & ~first : 0;
				then_a |= then_a ? some & ~first : 0;
			}
			count_hits(s,
				   hit[a] | hit[b] |
					   ((then_b >> b | then_a >> a) &
					    target),
				   2);
		}
	}
}

static void shots_of_doubles(struct shots *s, uint32_t some, int on_bar,
			     uint32_t target, uint32_t open)
{
	for (int d = 1; d <= 6; d++) {
		uint32_t at = some & ~(1u << BAR);
		uint32_t hits = 0;
		int left = 4;
		if (on_bar) {
			uint32_t in = 1u << (BAR - d);
			if (!(in & open))
				continue;
			hits = in & target;
			at |= in;
			left -= on_bar;
		}
		for (; left > 0; left--) {
			at = at >> d & open;
			hits |= at & target;
		}
		count_hits(s, hits, 1);
	}
}

/* The throws with which the side `me`, on roll, hits a blot of `you`, whose
 * sets are in the numbering of `me`. */
static struct shots shots_at(const struct sets *me, int on_bar,
			     const struct sets *you)
{
	struct shots s = { 0, 0, 0 };
	uint32_t target = you->blot;
	if (!target || highest(me->some) <= __builtin_ctz(target))
		return s;
	uint32_t open = ~you->made & ~1u;
	if (on_bar > 1) { /* only what enters hits, but for doubles */
		for (int a = 2; a <= 6; a++) {
			for (int b = 1; b < a; b++) {
				uint32_t in = 1u << (BAR - a) | 1u << (BAR - b);
				count_hits(&s, in & target, 2);
			}
		}
	} else {
		shots_of_pairs(&s, me->some, on_bar ? 1u << BAR : me->some,
			       target, open);
	}
	shots_of_doubles(&s, me->some, on_bar, target, open);
	return s;
}

/* ---- walls ------------------------------------------------------------- */

/* How a checker on point p gets on; wall: points that it cannot stop on. */
static inline const struct reach *reach_from(uint32_t wall, int p)
{
	/* the twelve points before it, the nearest in the highest bit */
	uint64_t before = (uint64_t)wall << 12 >> p;
	return &plyd_backgammon_tables.reach[before % REACH_WALLS];
}

static int longest_row(uint32_t made)
{
	int n = 0;
	for (; made; made &= made >> 1)
		n++;
	return n;
}

/* What the walls of `you` do to the checkers of `me`. */
static void measure_walls(const uint8_t *point, const struct sets *me,
			  const struct sets *you, int16_t *m)
{
	int last = highest(me->some);
	const struct reach *r = reach_from(you->made, last);
	M(m, last) = (int16_t)last;
	M(m, escape) = r->escape;
	M(m, run) = r->run;

	int hardest = THROWS;
	int wall = THROWS;
	for (int p = FAR; p <= BAR; p++) {
		int e = reach_from(you->made, p)->escape;
		wall = e < wall ? e : wall;
		hardest = p <= last && e < hardest ? e : hardest;
	}
	M(m, hardest) = (int16_t)hardest;
	M(m, wall) = (int16_t)wall;

	int trapped = 0;
	int mobility = 0;
	for (uint32_t set = me->some >> (HOME + 1); set; set &= set - 1) {
		int p = HOME + 1 + __builtin_ctz(set);
		int n = point[p];
		int e = reach_from(you->made, p)->escape;
		mobility += n * (p - HOME) * e;
		if (p >= FAR)
			trapped += (n < 3 ? n : 3) * (THROWS - e);
	}
	M(m, trapped) = (int16_t)(trapped / 4);
	M(m, mobility) = (int16_t)(mobility / 64);
}

/* What the points of `me` are. */
static void measure_points(const uint8_t *point, const struct sets *me,
			   const struct sets *you, int you_last, int16_t *m)
{
	uint32_t anchors = me->made >> FAR_HOME;
	M(m, back_anchor) = (int16_t)highest(me->made);
	M(m, front_anchor) =
		(int16_t)(anchors ? FAR_HOME + __builtin_ctz(anchors) : 0);

	int closed = members(you->made >> FAR_HOME);
	int bar = point[BAR] < 3 ? point[BAR] : 3;
	M(m, closed) = (int16_t)(closed * closed);
	M(m, entering) = (int16_t)(closed * closed * bar);

	int pass = BAR - you_last; /* the other's last checker, seen from here*/
	int pips = 0;
	int behind = 0;
	for (int p = pass + 1; p <= BAR; p++) {
		pips += (p - pass) * point[p];
		behind += point[p];
	}
	M(m, contact) = (int16_t)(pips / 4);
	M(m, behind) = (int16_t)(3 * behind);

	/* a point is before the other's last checker if its number is higher */
	uint32_t ahead = me->made >> (pass + 1);
	M(m, prime) = (int16_t)(5 * longest_row(me->made));
	M(m, block) = (int16_t)(6 * members(ahead & 63));
	M(m, far_block) = (int16_t)(6 * members(ahead >> 6 & 63));
}

/* `you` in the numbering of `me`. */
static void measure_side(const uint8_t *point, const struct sets *me,
			 const struct sets *you, int you_last, int16_t *m)
{
	struct shots s = shots_at(me, point[BAR], you);
	M(m, shots) = (int16_t)s.throws;
	M(m, loss) = (int16_t)(s.loss / 16);
	M(m, choice) = (int16_t)s.choice;
	measure_walls(point, me, you, m);
	measure_points(point, me, you, you_last, m);
}

static int far_back(const uint8_t *point)
{
	int n = 0;
	for (int p = FAR_HOME; p <= BAR; p++)
		n += point[p];
	return n;
}

static enum backgammon_plan plan_of(const uint8_t *own, const uint8_t *foe)
{
	if (own[0] || foe[0])
		return PLAN_LATE;
	if (far_back(own) > 2 || far_back(foe) > 2)
		return PLAN_BACK;
	return PLAN_NORMAL;
}

enum backgammon_plan
backgammon_measure(const uint8_t *own, const uint8_t *foe,
		   int16_t measure[BACKGAMMON_MEASURES_BOTH])
{
	struct sets me = sets_of(own);
	struct sets you = sets_of(foe);
	int16_t *theirs = measure + BACKGAMMON_MEASURE_COUNT;
	int last = highest(me.some);
	int you_last = highest(you.some);
	bool contact = last + you_last > BAR;
	if (!contact)
		memset(measure, 0, BACKGAMMON_MEASURES_BOTH * sizeof(*measure));
	M(measure, pips) = (int16_t)(me.pips / 2 - PIPS_MID);
	M(theirs, pips) = (int16_t)(you.pips / 2 - PIPS_MID);
	if (!contact)
		return PLAN_RACE;
	struct sets me_turned = turned(&me);
	struct sets you_turned = turned(&you);
	measure_side(own, &me, &you_turned, you_last, measure);
	measure_side(foe, &you, &me_turned, last, theirs);
	return plan_of(own, foe);
}
