/* SPDX-License-Identifier: MIT */
#include "engine/backgammon_net.h"
#include "engine/backgammon_bearoff.h"
#include "engine/backgammon_tables.h"

#include <string.h>

enum { BAR = 25 };

_Static_assert(BACKGAMMON_MEASURES_BOTH % 4 == 0, "whole words");

uint32_t backgammon_nets_sum(void)
{
	const unsigned char *at = (const unsigned char *)&plyd_backgammon_nets;
	uint32_t sum = 0x811c9dc5;
	for (size_t i = 0; i < sizeof(plyd_backgammon_nets); i++)
		sum = (sum ^ at[i]) * 0x01000193;
	return sum;
}

/* ---- the hidden layer -------------------------------------------------- */

/* Everything about a net is inlined into one function, of which there is a
 * second for processors whose registers are twice as long. They compute the
 * same. */
#define PART static inline __attribute__((always_inline))

/* Sixteen units at a time, all of them in registers while a memo is brought up
 * to date. Sums are taken modulo 2^16: only their end must be in range, and it
 * is by far for what was learned. */
enum { LANES = 16, GROUPS = BACKGAMMON_HIDDEN / LANES };
typedef int16_t units __attribute__((vector_size(2 * LANES)));
typedef const units units_at __attribute__((aligned(2), may_alias));

/* The row of so many checkers on a point, or borne off. */
PART units_at *row_at(const struct backgammon_net *net, int side, int point,
		      int n)
{
	static const int16_t nothing[BACKGAMMON_HIDDEN];
	int most = point ? BACKGAMMON_COUNT_MAX : BEAROFF_CHECKERS;
	int row = backgammon_row(side, point) + (n < most ? n : most) - 1;
	/* no branch: it would often be foretold wrongly */
	const int16_t *const either[] = { nothing, net->row[row + !n] };
	return (units_at *)either[n > 0];
}

/* Bit i: byte i of so many differs. No count of checkers fills a byte. */
PART uint64_t differing(const uint8_t *a, const uint8_t *b)
{
	uint64_t set = 0;
	for (int i = 0; i < 4; i++) {
		int at = i < 3 ? 8 * i : BAR - 7;
		uint64_t x, y;
		memcpy(&x, a + at, sizeof(x));
		memcpy(&y, b + at, sizeof(y));
		x = ((x ^ y) + 0x7f * 0x0101010101010101u) >> 7 &
		    0x0101010101010101u;
		set |= x * 0x0102040810204080u >> 56 << at;
	}
	return set;
}

PART void update_points(const struct backgammon_net *net, struct net_memo *m,
			const uint8_t *own, const uint8_t *foe, units *sum)
{
	enum { FOE = 32 };
	uint64_t set = differing(m->own, own) | differing(m->foe, foe) << FOE;
	for (; set; set &= set - 1) {
		int i = __builtin_ctzll(set);
		int p = i % FOE;
		int side = i / FOE;
		units_at *gone =
			row_at(net, side, p, side ? m->foe[p] : m->own[p]);
		units_at *come = row_at(net, side, p, side ? foe[p] : own[p]);
		for (int g = 0; g < GROUPS; g++)
			sum[g] += come[g] - gone[g];
	}
	memcpy(m->own, own, sizeof(m->own));
	memcpy(m->foe, foe, sizeof(m->foe));
}

/* Bit k: measure k differs. */
PART uint64_t differing_measures(const int16_t *a, const int16_t *b)
{
	const uint64_t ones = 0x0001000100010001u;
	uint64_t set = 0;
	for (int at = 0; at < BACKGAMMON_MEASURES_BOTH; at += 4) {
		uint64_t x, y;
		memcpy(&x, a + at, sizeof(x));
		memcpy(&y, b + at, sizeof(y));
		x ^= y;
		x = (((x & 0x7fff * ones) + 0x7fff * ones) | x) >> 15 & ones;
		set |= x * 0x0001000200040008u >> 48 << at;
	}
	return set;
}

PART void update_measures(const struct backgammon_net *net, struct net_memo *m,
			  const int16_t *measure, units *sum)
{
	uint64_t set = differing_measures(m->measure, measure);
	for (; set; set &= set - 1) {
		int k = __builtin_ctzll(set);
		units_at *row = (units_at *)net->measure[k];
		int16_t by = (int16_t)(measure[k] - m->measure[k]);
		for (int g = 0; g < GROUPS; g++)
			sum[g] += row[g] * by;
	}
	memcpy(m->measure, measure, sizeof(m->measure));
}

PART void update(const struct backgammon_net *net, struct net_memo *m,
		 const uint8_t *own, const uint8_t *foe, const int16_t *measure)
{
	units sum[GROUPS];
	if (!m->set) {
		memset(m, 0, sizeof(*m));
		memcpy(m->sum, net->bias, sizeof(m->sum));
		m->set = true;
	}
	memcpy(sum, m->sum, sizeof(sum));
	update_points(net, m, own, foe, sum);
	update_measures(net, m, measure, sum);
	memcpy(m->sum, sum, sizeof(sum));
}

/* ---- the outputs ------------------------------------------------------- */

PART void squash(const int16_t *restrict sum, int16_t *restrict out)
{
	for (int i = 0; i < BACKGAMMON_HIDDEN; i++)
		out[i] = net_squash(sum[i]);
}

PART int32_t dot(const int16_t *restrict a, const int16_t *restrict b)
{
	int32_t sum = 0;
	for (int i = 0; i < BACKGAMMON_HIDDEN; i++)
		sum += a[i] * b[i];
	return sum;
}

PART void run_net(const struct backgammon_net *net, struct net_memo *m,
		  const uint8_t *own, const uint8_t *foe,
		  const int16_t *measure, int32_t *out)
{
	int16_t hidden[BACKGAMMON_HIDDEN];
	update(net, m, own, foe, measure);
	squash(m->sum, hidden);
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		out[k] = net->out_bias[k] + dot(hidden, net->out[k]);
}

static void run_plain(const struct backgammon_net *net, struct net_memo *m,
		      const uint8_t *own, const uint8_t *foe,
		      const int16_t *measure, int32_t *out)
{
	run_net(net, m, own, foe, measure, out);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void
run_wide(const struct backgammon_net *net, struct net_memo *m,
	 const uint8_t *own, const uint8_t *foe, const int16_t *measure,
	 int32_t *out)
{
	run_net(net, m, own, foe, measure, out);
}
#endif

static void run(const struct backgammon_net *net, struct net_memo *m,
		const uint8_t *own, const uint8_t *foe, const int16_t *measure,
		int32_t *out)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		run_wide(net, m, own, foe, measure, out);
		return;
	}
#endif
	run_plain(net, m, own, foe, measure, out);
}

/* 1 / (1 + e^-x), x of NET_OUT_ONE squared. */
static int32_t logistic(int32_t x)
{
	enum { STEP = NET_OUT_ONE / LOGISTIC_STEPS * NET_OUT_ONE };
	uint32_t size = x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
	uint32_t i = size / STEP;
	int32_t y = NET_CERTAIN;
	if (i < LOGISTIC_SIZE - 1) {
		const uint32_t *at = &plyd_backgammon_tables.logistic[i];
		uint64_t part = size % STEP;
		y = (int32_t)(at[0] + (at[1] - at[0]) * part / STEP);
	}
	return x < 0 ? NET_CERTAIN - y : y;
}

static int32_t least(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static void make_sane(const uint8_t *own, const uint8_t *foe, int32_t *c)
{
	if (foe[0])
		c[BACKGAMMON_WIN_GAMMON] = c[BACKGAMMON_WIN_BACKGAMMON] = 0;
	if (own[0])
		c[BACKGAMMON_LOSE_GAMMON] = c[BACKGAMMON_LOSE_BACKGAMMON] = 0;
	c[BACKGAMMON_WIN_GAMMON] =
		least(c[BACKGAMMON_WIN_GAMMON], c[BACKGAMMON_WIN]);
	c[BACKGAMMON_WIN_BACKGAMMON] =
		least(c[BACKGAMMON_WIN_BACKGAMMON], c[BACKGAMMON_WIN_GAMMON]);
	c[BACKGAMMON_LOSE_GAMMON] = least(c[BACKGAMMON_LOSE_GAMMON],
					  NET_CERTAIN - c[BACKGAMMON_WIN]);
	c[BACKGAMMON_LOSE_BACKGAMMON] =
		least(c[BACKGAMMON_LOSE_BACKGAMMON], c[BACKGAMMON_LOSE_GAMMON]);
}

struct backgammon_chances backgammon_judge(const uint8_t *own,
					   const uint8_t *foe,
					   struct backgammon_memo *memo)
{
	struct backgammon_chances c = { { 0 } };
	struct bearoff_chances exact;
	if (bearoff_find(own, foe, &exact)) {
		c.chance[BACKGAMMON_WIN] = (int32_t)exact.win;
		c.chance[BACKGAMMON_WIN_GAMMON] = (int32_t)exact.win_gammon;
		c.chance[BACKGAMMON_LOSE_GAMMON] = (int32_t)exact.lose_gammon;
		return c;
	}
	int16_t measure[BACKGAMMON_MEASURES_BOTH];
	enum backgammon_plan plan = backgammon_measure(own, foe, measure);
	const struct backgammon_net *net = &plyd_backgammon_nets.plan[plan];
	struct net_memo *m = &memo->plan[plan];
	int32_t out[BACKGAMMON_OUTPUTS];
	run(net, m, own, foe, measure, out);
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		c.chance[k] = logistic(out[k]);
	make_sane(own, foe, c.chance);
	return c;
}

int backgammon_equity(const struct backgammon_chances *c)
{
	return 2 * c->chance[BACKGAMMON_WIN] - NET_CERTAIN +
	       c->chance[BACKGAMMON_WIN_GAMMON] +
	       c->chance[BACKGAMMON_WIN_BACKGAMMON] -
	       c->chance[BACKGAMMON_LOSE_GAMMON] -
	       c->chance[BACKGAMMON_LOSE_BACKGAMMON];
}
