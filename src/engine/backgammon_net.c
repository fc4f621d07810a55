/* SPDX-License-Identifier: MIT */
#include "engine/backgammon_net.h"
#include "engine/backgammon_bearoff.h"
#include "engine/backgammon_tables.h"

#include <string.h>

enum { BAR = 25, LINEAR = 2 * NET_SUM_ONE };

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

/* Sums are taken modulo 2^16: only their end must be in range, and it is by
 * far for what was learned. */
PART void add(int16_t *restrict sum, const int16_t *restrict weight)
{
	for (int i = 0; i < BACKGAMMON_HIDDEN; i++)
		sum[i] = (int16_t)(sum[i] + weight[i]);
}

PART void replace(int16_t *restrict sum, const int16_t *restrict out,
		  const int16_t *restrict in)
{
	for (int i = 0; i < BACKGAMMON_HIDDEN; i++)
		sum[i] = (int16_t)(sum[i] + in[i] - out[i]);
}

PART void subtract(int16_t *restrict sum, const int16_t *restrict weight)
{
	for (int i = 0; i < BACKGAMMON_HIDDEN; i++)
		sum[i] = (int16_t)(sum[i] - weight[i]);
}

PART void add_times(int16_t *restrict sum, const int16_t *restrict weight,
		    int16_t n)
{
	for (int i = 0; i < BACKGAMMON_HIDDEN; i++)
		sum[i] = (int16_t)(sum[i] + weight[i] * n);
}

/* The first row of a point's or of the borne off checkers, and how many of
 * them are told apart. */
PART int row_of(int side, int point)
{
	return point ? (side * BAR + point - 1) * BACKGAMMON_COUNT_MAX
		     : BACKGAMMON_POINT_ROWS + side * BEAROFF_CHECKERS;
}

PART int row_count(int point, int n)
{
	int most = point ? BACKGAMMON_COUNT_MAX : BEAROFF_CHECKERS;
	return n < most ? n : most;
}

PART void update_point(const struct backgammon_net *net, int16_t *sum, int side,
		       int point, int was, int is)
{
	const int16_t(*row)[BACKGAMMON_HIDDEN] = &net->row[row_of(side, point)];
	was = row_count(point, was);
	is = row_count(point, is);
	if (was == is)
		return;
	if (was == 0)
		add(sum, row[is - 1]);
	else if (is == 0)
		subtract(sum, row[was - 1]);
	else
		replace(sum, row[was - 1], row[is - 1]);
}

/* The bytes of a and b that differ; only `count` of up to eight are there. */
PART uint64_t difference(const void *a, const void *b, size_t count)
{
	uint64_t x = 0;
	uint64_t y = 0;
	memcpy(&x, a, count);
	memcpy(&y, b, count);
	return x ^ y;
}

PART void update_side(const struct backgammon_net *net, struct net_memo *m,
		      int side, uint8_t *was, const uint8_t *is)
{
	for (int at = 0; at <= BAR; at += 8) {
		uint64_t d = difference(was + at, is + at, at < 24 ? 8 : 2);
		while (d) {
			int i = __builtin_ctzll(d) / 8;
			int p = at + i;
			update_point(net, m->sum, side, p, was[p], is[p]);
			d &= ~((uint64_t)0xff << 8 * i);
		}
	}
	memcpy(was, is, BAR + 1);
}

PART void update_measures(const struct backgammon_net *net, struct net_memo *m,
			  const int16_t *measure)
{
	for (int at = 0; at < BACKGAMMON_MEASURES_BOTH; at += 4) {
		uint64_t d = difference(m->measure + at, measure + at, 8);
		while (d) {
			int i = __builtin_ctzll(d) / 16;
			int k = at + i;
			add_times(m->sum, net->measure[k],
				  (int16_t)(measure[k] - m->measure[k]));
			d &= ~((uint64_t)0xffff << 16 * i);
		}
	}
	memcpy(m->measure, measure, sizeof(m->measure));
}

PART void update(const struct backgammon_net *net, struct net_memo *m,
		 const uint8_t *own, const uint8_t *foe, const int16_t *measure)
{
	if (!m->set) {
		memset(m, 0, sizeof(*m));
		memcpy(m->sum, net->bias, sizeof(m->sum));
		m->set = true;
	}
	update_side(net, m, 0, m->own, own);
	update_side(net, m, 1, m->foe, foe);
	update_measures(net, m, measure);
}

/* ---- the outputs ------------------------------------------------------- */

/* x(1 - |x|/4) up to |x| = 2, and +-1 beyond: from NET_SUM_ONE to
 * NET_OUT_ONE. */
PART void squash(const int16_t *restrict sum, int16_t *restrict out)
{
	for (int i = 0; i < BACKGAMMON_HIDDEN; i++) {
		int16_t x = sum[i];
		int16_t sign = x < 0 ? -1 : 0;
		x = x > LINEAR ? LINEAR : x < -LINEAR ? -LINEAR : x;
		uint16_t size = (uint16_t)((x ^ sign) - sign);
		/* size * (4096 - size) / 1024, as halves of words are
		 * multiplied fastest */
		uint16_t a = (uint16_t)(size << 3);
		uint16_t b = (uint16_t)((2 * LINEAR - size) << 3);
		uint16_t y = (uint16_t)((uint32_t)a * b >> 16);
		out[i] = (int16_t)((y ^ sign) - sign);
	}
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
