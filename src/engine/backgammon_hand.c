/* SPDX-License-Identifier: MIT
 * What a hand has written down of backgammon. A race is judged by the effective
 * pips of both sides; with contact, points, primes, anchors, blots by the rolls
 * that hit them, and checkers on the bar are added up and turned into a chance
 * of winning. Gammons follow from how far the loser is from bearing one off.
 * It judges what was not learned, and gives a personality its style: a weight
 * that is not the standard adds so many percent of its term to what is learned.
 *
 * Every array is in its owner's numbering; a point p of one side is point
 * 25 - p of the other. */
#include "engine/backgammon_priv.h"

#include <stdlib.h>

enum {
	BAR = 25,
	HOME = 6,
	CHECKERS_MAX = 15,
	HALF_ROLL = 4,      /* pips that being on roll is worth */
	PIP = 950,          /* millipoints a pip, times pips of a side */
	PIP_LOST = 12,      /* millipoints that a pip lost by a hit costs */
	HIT_BOARD = 10,     /* and the hitter's closed points, squared */
	HIT = 60,           /* and the tempo */
	DANCE = 9,          /* a checker on the bar, times closed points^2 */
	ON_BAR = 45,        /* a checker on the bar, however open the home */
	STACKED = 9,        /* each checker over 3 on a point */
	BURIED = 25,        /* each checker over 2 on points 1 and 2 */
	SLOT = 10,          /* a blot where a good point may follow */
	BEHIND = 7,         /* a checker that has yet to leave the far home */
	MOVER_RISK = 30,    /* percent: the mover may save his blots first */
	CHANCE_SPREAD = 650 /* millipoints of standard deviation */
};

/* Millipoints of a made point, by its owner's number. */
static const int16_t point_worth[BAR] = {
	[1] = 5,   [2] = 25,  [3] = 55,  [4] = 95,  [5] = 125, [6] = 110,
	[7] = 95,  [8] = 55,  [9] = 35,  [10] = 30, [11] = 25, [12] = 20,
	[13] = 25, [14] = 20, [15] = 25, [16] = 30, [17] = 30,
};
static const int16_t anchor_worth[BAR] = {
	[18] = 80, [19] = 40, [20] = 130, [21] = 110,
	[22] = 60, [23] = 40, [24] = 30,
};
/* Of n points made out of six in a row before an opposing checker. */
static const int16_t prime_worth[7] = { 0, 0, 0, 20, 85, 190, 330 };

struct half {
	const uint8_t *own;
	const uint8_t *foe;
	int pips;
	int back;   /* highest own point, BAR included */
	int closed; /* points made in the own home */
};

static int board_pips(const uint8_t *own)
{
	int sum = 0;
	for (int p = 1; p <= BAR; p++)
		sum += p * own[p];
	return sum;
}

static struct half half_of(const uint8_t *own, const uint8_t *foe)
{
	struct half h = { .own = own, .foe = foe, .pips = board_pips(own) };
	for (int p = 1; p <= BAR; p++)
		if (own[p])
			h.back = p;
	for (int p = 1; p <= HOME; p++)
		h.closed += own[p] >= 2;
	return h;
}

/* ---- chances ----------------------------------------------------------- */

/* 1000 * the chance that a normal deviate is below 1000 * z / 1000. */
static int normal_below(int z)
{
	/* at steps of a quarter of a standard deviation */
	static const int16_t half[] = { 500, 599, 691, 773, 841, 894, 933,
					960, 977, 988, 994, 997, 999, 1000 };
	int size = clamp(z < 0 ? -z : z, 0, 3249);
	int i = size / 250;
	int p = half[i] + (half[i + 1] - half[i]) * (size % 250) / 250;
	return z < 0 ? 1000 - p : p;
}

static int root_of(int n)
{
	int r = 0;
	while ((r + 1) * (r + 1) <= n)
		r++;
	return r;
}

/* 1000 * the chance to be done first, `ahead` pips ahead in a race so long. */
static int race_chance(int ahead, int length)
{
	if (length < 4)
		length = 4;
	/* a roll has 8 1/6 pips with a variance of 18.6 */
	return normal_below(ahead * 1000 / root_of(3 * length + 12));
}

/* Pips, and what will be wasted on the way off. */
static int wasted_pips(const uint8_t *own)
{
	int waste = own[1] * 2 + own[2];
	for (int p = 1; p <= 3; p++)
		if (own[p] > 3)
			waste += own[p] - 3;
	for (int p = 4; p <= HOME; p++)
		waste += own[p] == 0;
	return waste;
}

/* Pips, and what will be wasted on the way off. */
static int effective_pips(const uint8_t *own)
{
	int left = 0;
	for (int p = 1; p <= BAR; p++)
		left += own[p];
	int pips = board_pips(own) + wasted_pips(own);
	int by_count = (left * 7 + 2) / 2; /* checkers go off two a roll */
	return pips > by_count ? pips : by_count;
}

/* 1000 * the chance that the side of `loser` bears none off before the other,
 * which still needs `pips` effective pips. */
static int gammon_chance(const struct half *loser, int pips, int winner_first)
{
	if (loser->own[0] > 0)
		return 0;
	int need = 3; /* to bear the first one off */
	for (int p = HOME + 1; p <= BAR; p++)
		need += (p - HOME) * loser->own[p];
	return race_chance(need - pips + winner_first * HALF_ROLL,
			   (need + pips) / 2 + 10);
}

/* ---- blots ------------------------------------------------------------- */

/* Whether the hitter may stop on `point` (his numbering). */
static bool is_open(const struct half *hitter, int point)
{
	return point >= 1 && hitter->foe[BAR - point] < 2;
}

/* Whether one checker of the hitter reaches `target` with these dice. */
static bool checker_hits(const struct half *hitter, int from, int target, int a,
			 int b)
{
	int d = from - target;
	if (a != b)
		return d == a || d == b ||
		       (d == a + b && (is_open(hitter, from - a) ||
				       is_open(hitter, from - b)));
	for (int i = 1; i <= 4; i++) {
		if (d == i * a)
			return true;
		if (!is_open(hitter, from - i * a))
			return false;
	}
	return false;
}

/* Whether the hitter can hit a blot on his point `target` with dice a and b; a
 * checker on his bar comes first. */
static bool roll_hits(const struct half *hitter, int target, int a, int b)
{
	const uint8_t *own = hitter->own;
	if (own[BAR] == 0) {
		for (int from = target + 1; from < BAR; from++)
			if (own[from] &&
			    checker_hits(hitter, from, target, a, b))
				return true;
		return false;
	}
	if (checker_hits(hitter, BAR, target, a, b))
		return own[BAR] == 1 || a == b || target == BAR - a ||
		       target == BAR - b;
	if (own[BAR] > 1)
		return false;
	/* enter with one die and hit with the other */
	bool in_a = is_open(hitter, BAR - a) && target + b < BAR;
	bool in_b = is_open(hitter, BAR - b) && target + a < BAR;
	return (in_a && own[target + b]) || (in_b && own[target + a]);
}

/* What being hit costs a checker on its point p. */
static int hit_cost(const struct half *hitter, int p)
{
	int home = hitter->closed * hitter->closed;
	return HIT + PIP_LOST * (BAR - p) + HIT_BOARD * home;
}

/* The millipoints that the owner's blots cost on average before the hitter's
 * throw: for each roll the dearest blot that it hits. */
static int blot_cost(const struct half *owner, const struct half *hitter)
{
	int target[CHECKERS_MAX];
	int cost[CHECKERS_MAX];
	int blots = 0;
	for (int p = 1; p < BAR; p++) {
		if (owner->own[p] != 1 || hitter->back <= BAR - p)
			continue;
		target[blots] = BAR - p;
		cost[blots++] = hit_cost(hitter, p);
	}
	if (blots == 0)
		return 0;
	int sum = 0;
	for (int a = 1; a <= 6; a++) {
		for (int b = 1; b <= a; b++) {
			int dearest = 0;
			for (int i = 0; i < blots; i++)
				if (cost[i] > dearest &&
				    roll_hits(hitter, target[i], a, b))
					dearest = cost[i];
			sum += dearest * (a == b ? 1 : 2);
		}
	}
	return sum / 36;
}

/* ---- structure --------------------------------------------------------- */

/* Opposing checkers that still have to pass the own point p. */
static int foes_behind(const struct half *h, int p)
{
	int n = h->foe[BAR];
	for (int q = 1; q < p; q++)
		n += h->foe[BAR - q];
	return n;
}

static int points_made(const struct half *h, const struct engine_weights *w)
{
	int home = 0;
	int outside = 0;
	int anchors = 0;
	for (int p = 1; p < BAR; p++) {
		if (h->own[p] < 2)
			continue;
		if (p <= HOME)
			home += point_worth[p];
		else
			outside += point_worth[p];
		anchors += anchor_worth[p];
	}
	return percent(home, w->home_board) + percent(outside, w->points) +
	       percent(anchors, w->anchor);
}

/* The best prime in front of an opposing checker. */
static int primes(const struct half *h)
{
	int best = 0;
	for (int low = 1; low <= 13; low++) {
		int made = 0;
		for (int p = low; p < low + 6; p++)
			made += h->own[p] >= 2;
		if (prime_worth[made] > best && foes_behind(h, low) > 0)
			best = prime_worth[made];
	}
	return best;
}

static int bar_worth(const struct half *h)
{
	int n = h->foe[BAR];
	if (n > 3)
		n = 3;
	return n * (ON_BAR + DANCE * h->closed * h->closed);
}

static int untidiness(const struct half *h)
{
	int sum = 0;
	for (int p = 1; p < BAR; p++)
		if (h->own[p] > 3)
			sum += STACKED * (h->own[p] - 3);
	for (int p = 1; p <= 2; p++)
		if (h->own[p] > 2)
			sum += BURIED * (h->own[p] - 2);
	for (int p = 19; p <= BAR; p++)
		sum += BEHIND * h->own[p];
	return sum;
}

static int slots(const struct half *h)
{
	int sum = 0;
	for (int p = 4; p <= 7; p++)
		if (h->own[p] == 1 && foes_behind(h, p) > 0)
			sum += SLOT;
	return sum;
}

/* What one side has, in millipoints, but for pips and its own blots. */
static int structure(const struct half *h, const struct engine_weights *w)
{
	return points_made(h, w) + percent(primes(h), w->prime) +
	       percent(bar_worth(h), w->hit) + percent(slots(h), w->boldness);
}

/* ---- the whole --------------------------------------------------------- */

struct halves {
	struct half mover;
	struct half other;
	bool contact;
};

static struct halves halves_of(const struct position *pos)
{
	const uint8_t *own = pos->backgammon.point[pos->side];
	const uint8_t *foe =
		pos->backgammon.point[side_other((enum side)pos->side)];
	struct halves h = { half_of(own, foe), half_of(foe, own), false };
	h.contact = h.mover.back + h.other.back > BAR;
	return h;
}

/* What is better for the mover, in millipoints of about as many points. */
static int contact_sum(const struct halves *h, const struct engine_weights *w)
{
	const struct half *mover = &h->mover;
	const struct half *other = &h->other;
	int length = (mover->pips + other->pips) / 2 + 20;
	int race = (other->pips - mover->pips + HALF_ROLL) * PIP / length;
	int risk = blot_cost(other, mover) -
		   blot_cost(mover, other) * MOVER_RISK / 100;
	return percent(race, w->race) + percent(risk, w->blot_risk) +
	       structure(mover, w) - structure(other, w);
}

struct backgammon_chances hand_chances(const struct position *pos)
{
	struct engine_weights standard;
	struct halves h = halves_of(pos);
	int mine = effective_pips(h.mover.own);
	int yours = effective_pips(h.other.own);
	int win;
	engine_weights_init(&standard);
	if (h.contact) {
		int sum = contact_sum(&h, &standard) + untidiness(&h.other) -
			  untidiness(&h.mover);
		win = normal_below(sum * 1000 / CHANCE_SPREAD);
	} else {
		win = race_chance(yours - mine + HALF_ROLL, (mine + yours) / 2);
	}
	int gammon = gammon_chance(&h.other, mine, 1) * win / 1000;
	int lost = gammon_chance(&h.mover, yours, 0) * (1000 - win) / 1000;
	struct backgammon_chances c = { { 0 } };
	c.chance[BACKGAMMON_WIN] = win * NET_CERTAIN / 1000;
	c.chance[BACKGAMMON_WIN_GAMMON] = gammon * NET_CERTAIN / 1000;
	c.chance[BACKGAMMON_LOSE_GAMMON] = lost * NET_CERTAIN / 1000;
	return c;
}

/* ---- style ------------------------------------------------------------- */

/* By how much every weight exceeds its standard. */
static struct engine_weights excess(const struct engine_weights *w)
{
	struct engine_weights d = *w;
	struct engine_weights standard;
	engine_weights_init(&standard);
#define W(name, by, min, max, doc) d.name -= standard.name;
	ENGINE_WEIGHTS(W)
#undef W
	return d;
}

int hand_style(const struct position *pos, const struct engine_weights *w)
{
	struct engine_weights d = excess(w);
	struct halves h = halves_of(pos);
	int waste = wasted_pips(h.other.own) - wasted_pips(h.mover.own);
	int length = (h.mover.pips + h.other.pips) / 2 + 20;
	int sum = percent(waste, d.bear_off) * PIP / length;
	if (h.contact)
		return sum + contact_sum(&h, &d);
	int race = h.other.pips - h.mover.pips + HALF_ROLL;
	return sum + percent(race * PIP / length, d.race);
}
