/* SPDX-License-Identifier: MIT */
#include "engine/backgammon_filter.h"
#include "engine/backgammon_net.h"

#include <string.h>

enum { BAR = 25 };

const struct filter_width plyd_filter_choice = { 3, 10, 300 };
const struct filter_width plyd_filter_answer = { 2, 4, 100 };

#define UNITS BACKGAMMON_FILTER_HIDDEN

/* As in backgammon_net.c: inlined into two functions, of which one is for
 * longer registers. They compute the same. */
#define PART static inline __attribute__((always_inline))

typedef int16_t units __attribute__((vector_size(2 * UNITS)));
typedef const units units_at __attribute__((aligned(2), may_alias));

/* What the nth checker on a point adds; nothing, if so many are not told
 * apart. */
PART units_at *checker(const struct backgammon_filter *f, int side, int point,
		       int n)
{
	static const int16_t nothing[UNITS];
	if (point && n > BACKGAMMON_COUNT_MAX)
		return (units_at *)nothing;
	return (units_at *)f->row[backgammon_row(side, point) + n - 1];
}

void filter_begin(struct filtered *f, const uint8_t *own, const uint8_t *foe)
{
	const uint8_t *const side[] = { own, foe };
	f->filter = &plyd_backgammon_nets.filter[backgammon_plan(own, foe)];
	units sum = *(units_at *)f->filter->bias;
	for (int s = 0; s < 2; s++) {
		memcpy(f->point[s], side[s], BAR + 1);
		for (int p = 0; p <= BAR; p++)
			for (int n = 1; n <= side[s][p]; n++)
				sum += *checker(f->filter, s, p, n);
	}
	memcpy(f->sum, &sum, sizeof(sum));
}

PART int output(const struct backgammon_filter *f, const int16_t *sum)
{
	int32_t out = 0;
	for (int i = 0; i < UNITS; i++)
		out += net_squash(sum[i]) * f->out[i];
	return out / (NET_OUT_ONE * NET_OUT_ONE / NET_CERTAIN);
}

PART int judge_move(const struct filtered *f, const struct move *m)
{
	uint8_t own[sizeof(f->point[0])];
	int on_bar = f->point[1][BAR];
	int16_t at[UNITS];
	units sum = *(units_at *)f->sum;
	memcpy(own, f->point[0], sizeof(own));
	for (unsigned i = 0; i < m->legs; i++) {
		int from = m->at[2 * i];
		int to = m->at[2 * i + 1];
		sum += *checker(f->filter, 0, to, ++own[to]) -
		       *checker(f->filter, 0, from, own[from]--);
		if (m->taken >> i & 1)
			sum += *checker(f->filter, 1, BAR, ++on_bar) -
			       *checker(f->filter, 1, BAR - to, 1);
	}
	memcpy(at, &sum, sizeof(at));
	return output(f->filter, at);
}

static inline int margin_of(const struct filter_width *w)
{
	return NET_CERTAIN * w->margin / 1000;
}

/* Keeps the best so far, best first; returns how many there are. */
PART size_t keep(const struct filter_width *w, int *best, uint16_t *index,
		 size_t n, int score, uint16_t i)
{
	size_t at = n < w->most ? n : w->most - 1;
	if ((n == w->most && score <= best[at]) ||
	    (n >= w->least && score <= best[w->least - 1] &&
	     score < best[0] - margin_of(w)))
		return n;
	for (; at > 0 && best[at - 1] < score; at--) {
		best[at] = best[at - 1];
		index[at] = index[at - 1];
	}
	best[at] = score;
	index[at] = i;
	return n < w->most ? n + 1 : n;
}

/* Neighbours in a list have much in common, so that in its order they are
 * judged faster. */
PART void in_order(uint16_t *index, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint16_t one = index[i];
		size_t at = i;
		for (; at > 0 && index[at - 1] > one; at--)
			index[at] = index[at - 1];
		index[at] = one;
	}
}

PART size_t sift(const struct filtered *f, const struct filter_width *w,
		 const struct move *move, size_t count,
		 uint16_t passed[FILTER_MOST])
{
	int best[FILTER_MOST];
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		n = keep(w, best, passed, n, judge_move(f, &move[i]),
			 (uint16_t)i);
	while (n > w->least && best[n - 1] < best[0] - margin_of(w))
		n--;
	in_order(passed, n);
	return n;
}

static size_t sift_plain(const struct filtered *f, const struct filter_width *w,
			 const struct move *move, size_t count,
			 uint16_t passed[FILTER_MOST])
{
	return sift(f, w, move, count, passed);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static size_t
sift_wide(const struct filtered *f, const struct filter_width *w,
	  const struct move *move, size_t count, uint16_t passed[FILTER_MOST])
{
	return sift(f, w, move, count, passed);
}
#endif

size_t filter_moves(const struct filtered *f, const struct filter_width *width,
		    const struct move *move, size_t count,
		    uint16_t passed[FILTER_MOST])
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return sift_wide(f, width, move, count, passed);
#endif
	return sift_plain(f, width, move, count, passed);
}
