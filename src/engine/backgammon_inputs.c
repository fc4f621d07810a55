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

/* All measures are inlined into two functions, of which one is for processors
 * with longer registers. They compute the same. */
#define PART static inline __attribute__((always_inline))

#define M(m, name) (m)[BACKGAMMON_MEASURE_##name]

struct sets {
	uint32_t some; /* points with own checkers, the bar too */
	uint32_t made; /* with two at least, without the bar */
	uint32_t blot; /* with just one, without the bar */
	int pips;
};

PART uint32_t turned_set(uint32_t set)
{
	set = (set >> 1 & 0x55555555) | (set & 0x55555555) << 1;
	set = (set >> 2 & 0x33333333) | (set & 0x33333333) << 2;
	set = (set >> 4 & 0x0f0f0f0f) | (set & 0x0f0f0f0f) << 4;
	set = (set >> 8 & 0x00ff00ff) | (set & 0x00ff00ff) << 8;
	return (set >> 16 | set << 16) >> (31 - BAR);
}

/* The same in the other side's numbering. */
PART struct sets turned(const struct sets *s)
{
	return (struct sets){ turned_set(s->some), turned_set(s->made),
			      turned_set(s->blot), s->pips };
}

PART int highest(uint32_t set)
{
	return 31 - __builtin_clz(set | 1);
}

PART int members(uint32_t set)
{
	set = set - (set >> 1 & 0x55555555);
	set = (set & 0x33333333) + (set >> 2 & 0x33333333);
	return (int)(((set + (set >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
}

/* Eight bits from the highest bits of eight bytes. */
PART uint32_t gather(uint64_t bytes)
{
	return (uint32_t)(((bytes >> 7) * 0x0102040810204080u) >> 56);
}

/* A byte for each of eight points; no sum of theirs fills a byte. */
#define EACH    0x0101010101010101u
#define WEIGHTS 0x0001020304050607u

PART uint64_t eight_points(const uint8_t *point, int first)
{
	enum { LAST = BAR - 7 };
	uint64_t n;
	memcpy(&n, point + (first < LAST ? first : LAST), sizeof(n));
	return first < LAST ? n : n >> 8 * (first - LAST);
}

PART struct sets sets_of(const uint8_t *point)
{
	struct sets s = { 0, 0, 0, 0 };
	for (int p = 0; p < BAR; p += 8) {
		uint64_t n = eight_points(point, p);
		s.some |= gather((n + 0x7f * EACH) & 0x80 * EACH) << p;
		s.made |= gather((n + 0x7e * EACH) & 0x80 * EACH) << p;
		s.pips += (int)(n * WEIGHTS >> 56) + p * (int)(n * EACH >> 56);
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

/* All throws at a time: eight in a vector, two of pairs and one of doubles. */
typedef uint32_t throws __attribute__((vector_size(32)));
typedef int32_t throws_signed __attribute__((vector_size(32)));
typedef float throws_float __attribute__((vector_size(32)));

static const throws pair_high[2] = { { 2, 3, 3, 4, 4, 4, 5, 5 },
				     { 5, 5, 6, 6, 6, 6, 6, 31 } };
static const throws pair_low[2] = { { 1, 1, 2, 1, 2, 3, 1, 2 },
				    { 3, 4, 1, 2, 3, 4, 5, 31 } };
static const throws pair_ways[2] = { { 2, 2, 2, 2, 2, 2, 2, 2 },
				     { 2, 2, 2, 2, 2, 2, 2, 0 } };
static const throws double_die = { 1, 2, 3, 4, 5, 6, 31, 31 };
static const throws double_ways = { 1, 1, 1, 1, 1, 1, 0, 0 };

/* Three sums in one word. */
enum { CHOICE_AT = 8, LOSS_AT = 16 };

/* What the throws hit: bit p, the victim loses p pips of the way it has gone,
 * so the hitter prefers the highest. */
PART void count_hits(throws *sum, const throws *hits, const throws *ways)
{
	/* The exponent of a float is its highest bit; of bits next to each
	 * other the lower is left out, so that no rounding changes it. */
	throws_signed top = (throws_signed)(*hits & ~(*hits >> 1));
	throws exponent =
		(throws) __builtin_convertvector(top, throws_float) >> 23;
	throws some = (throws)(*hits != 0) & *ways;
	throws choice = (throws)((*hits & (*hits - 1)) != 0) & *ways;
	*sum += some | choice << CHOICE_AT |
		((exponent - 127) * some) << LOSS_AT;
}

/* With one checker on the bar, or none. Once it is in, any may go on. */
PART void shots_of_pairs(throws *sum, uint32_t some, uint32_t first,
			 uint32_t target, uint32_t open)
{
	uint32_t others = some & ~first;
	for (int i = 0; i < 2; i++) {
		throws by_high = first >> pair_high[i];
		throws by_low = first >> pair_low[i];
		throws after_high = by_high & open;
		throws after_low = by_low & open;
		after_high |= (throws)(after_high != 0) & others;
		after_low |= (throws)(after_low != 0) & others;
		throws hits = (by_high | by_low | after_high >> pair_low[i] |
			       after_low >> pair_high[i]) &
			      target;
		count_hits(sum, &hits, &pair_ways[i]);
	}
}

/* With more on the bar, only what enters hits. */
PART void shots_from_bar(throws *sum, uint32_t target)
{
	for (int i = 0; i < 2; i++) {
		throws hits = ((1u << BAR) >> pair_high[i] |
			       (1u << BAR) >> pair_low[i]) &
			      target;
		count_hits(sum, &hits, &pair_ways[i]);
	}
}

PART void shots_of_doubles(throws *sum, uint32_t some, int on_bar,
			   uint32_t target, uint32_t open)
{
	throws in = (on_bar ? 1u << BAR : 0) >> double_die & open;
	throws at = in | (some & ~(1u << BAR));
	throws hits = in & target;
	for (int left = 4 - on_bar; left > 0; left--) {
		at = at >> double_die & open;
		hits |= at & target;
	}
	if (on_bar)
		hits &= (throws)(in != 0);
	count_hits(sum, &hits, &double_ways);
}

/* The throws with which the side `me`, on roll, hits a blot of `you`, whose
 * sets are in the numbering of `me`. */
PART void shots_at(const struct sets *me, int on_bar, const struct sets *you,
		   struct shots *out)
{
	throws lanes = { 0 };
	uint32_t target = you->blot;
	uint32_t open = ~you->made & ~1u;
	uint32_t sum = 0;
	if (target && highest(me->some) > __builtin_ctz(target)) {
		if (on_bar > 1)
			shots_from_bar(&lanes, target);
		else
			shots_of_pairs(&lanes, me->some,
				       on_bar ? 1u << BAR : me->some, target,
				       open);
		shots_of_doubles(&lanes, me->some, on_bar, target, open);
		for (int i = 0; i < 8; i++)
			sum += lanes[i];
	}
	out->throws = (int)(sum & 0xff);
	out->choice = (int)(sum >> CHOICE_AT & 0xff);
	out->loss = (int)(sum >> LOSS_AT);
}

/* ---- walls ------------------------------------------------------------- */

/* How a checker on point p gets on; wall: points that it cannot stop on. */
PART const struct reach *reach_from(uint32_t wall, int p)
{
	/* the twelve points before it, the nearest in the highest bit */
	uint64_t before = (uint64_t)wall << 12 >> p;
	return &plyd_backgammon_tables.reach[before % REACH_WALLS];
}

PART int longest_row(uint32_t made)
{
	int n = 0;
	for (; made; made &= made >> 1)
		n++;
	return n;
}

/* What the walls of `you` do to the checkers of `me`. */
PART void measure_walls(const uint8_t *point, const struct sets *me,
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

/* Checkers that stand beyond a point, eight points at a time; and their pips
 * to it. */
PART int count_beyond(const uint8_t *point, int pass, int *pips)
{
	int checkers = 0;
	int all = 0;
	for (int p = 0; p < BAR; p += 8) {
		uint64_t n = eight_points(point, p);
		int skip = pass + 1 - p;
		skip = skip < 0 ? 0 : skip > 8 ? 8 : skip;
		n = n >> 4 * skip >> 4 * skip << 4 * skip << 4 * skip;
		int here = (int)(n * EACH >> 56);
		checkers += here;
		all += (int)(n * WEIGHTS >> 56) + p * here;
	}
	*pips = all - pass * checkers;
	return checkers;
}

/* What the points of `me` are. */
PART void measure_points(const uint8_t *point, const struct sets *me,
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
	int pips;
	int behind = count_beyond(point, pass, &pips);
	M(m, contact) = (int16_t)(pips / 4);
	M(m, behind) = (int16_t)(3 * behind);

	/* a point is before the other's last checker if its number is higher */
	uint32_t ahead = me->made >> (pass + 1);
	M(m, prime) = (int16_t)(5 * longest_row(me->made));
	M(m, block) = (int16_t)(6 * members(ahead & 63));
	M(m, far_block) = (int16_t)(6 * members(ahead >> 6 & 63));
}

/* `you` in the numbering of `me`. */
PART void measure_side(const uint8_t *point, const struct sets *me,
		       const struct sets *you, int you_last, int16_t *m)
{
	struct shots s;
	shots_at(me, point[BAR], you, &s);
	M(m, shots) = (int16_t)s.throws;
	M(m, loss) = (int16_t)(s.loss / 16);
	M(m, choice) = (int16_t)s.choice;
	measure_walls(point, me, you, m);
	measure_points(point, me, you, you_last, m);
}

PART int far_back(const uint8_t *point)
{
	int n = 0;
	for (int p = FAR_HOME; p <= BAR; p++)
		n += point[p];
	return n;
}

/* With contact. */
PART enum backgammon_plan plan_of(const uint8_t *own, const uint8_t *foe)
{
	if (own[0] || foe[0])
		return PLAN_LATE;
	if (far_back(own) > 2 || far_back(foe) > 2)
		return PLAN_BACK;
	return PLAN_NORMAL;
}

static int last_point(const uint8_t *point)
{
	int p = BAR;
	while (p > 0 && point[p] == 0)
		p--;
	return p;
}

enum backgammon_plan backgammon_plan(const uint8_t *own, const uint8_t *foe)
{
	return last_point(own) + last_point(foe) > BAR ? plan_of(own, foe)
						       : PLAN_RACE;
}

PART enum backgammon_plan measure_all(const uint8_t *own, const uint8_t *foe,
				      int16_t *measure)
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

static enum backgammon_plan measure_plain(const uint8_t *own,
					  const uint8_t *foe, int16_t *measure)
{
	return measure_all(own, foe, measure);
}

#ifdef __x86_64__
__attribute__((target("avx2,bmi,bmi2"))) static enum backgammon_plan
measure_wide(const uint8_t *own, const uint8_t *foe, int16_t *measure)
{
	return measure_all(own, foe, measure);
}
#endif

enum backgammon_plan
backgammon_measure(const uint8_t *own, const uint8_t *foe,
		   int16_t measure[BACKGAMMON_MEASURES_BOTH])
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("bmi2"))
		return measure_wide(own, foe, measure);
#endif
	return measure_plain(own, foe, measure);
}
