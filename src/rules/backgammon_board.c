/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/backgammon_priv.h"

enum { HIT_SHIFT = 39 }; /* bit of the second word for a hit on point 0 */

static uint64_t one_at(int point)
{
	return (uint64_t)1 << (4 * (point & 15));
}

void board_of(const struct position *pos, struct board *out)
{
	const uint8_t *own = pos->backgammon.point[pos->side];
	const uint8_t *other = pos->backgammon.point[!pos->side];
	memset(out, 0, sizeof(*out));
	for (int p = OFF; p <= BAR; p++) {
		out->word[p >> 4] |= own[p] * one_at(p);
		if (p != OFF && own[p] > 0)
			out->occupied |= 1u << p;
	}
	for (int p = 1; p <= POINTS; p++) {
		if (other[BAR - p] < 2)
			out->open |= 1u << p;
		if (other[BAR - p] == 1)
			out->blots |= 1u << p;
	}
}

/* An exact number, or a larger one from the furthest point that has a checker;
 * only when all are home. */
static uint32_t bearing_off(const struct board *b, int die)
{
	uint32_t exact = b->occupied & 1u << die;
	if (b->occupied >> (HOME + 1) || !b->occupied)
		return 0;
	if (exact)
		return exact;
	int furthest = highest_point(b->occupied);
	return furthest < die ? 1u << furthest : 0;
}

/* Hitters that this die would hide: a covered one stays while its cover
 * leaves. */
static uint32_t hiding(const struct board *b, int die)
{
	uint32_t banned = 0;
	for (uint32_t left = b->marked; left; left &= left - 1) {
		int p = __builtin_ctz(left);
		int to = hop_end(p, die);
		bool hides =
			to == OFF ? b->hitter_stays : b->occupied >> to & 1;
		if (hides && board_count(b, p) == 1)
			banned |= 1u << p;
	}
	return banned;
}

uint32_t board_movable(const struct board *b, int die)
{
	if (b->occupied >> BAR)
		return b->open >> (BAR - die) & 1 ? 1u << BAR : 0;
	uint32_t can = b->occupied & b->open << die;
	can |= bearing_off(b, die);
	return b->marked ? can & ~hiding(b, die) : can;
}

bool board_hop(struct board *b, int from, int to)
{
	bool alone = board_count(b, from) == 1;
	bool hitter = alone && (b->marked >> from & 1);
	b->word[from >> 4] -= one_at(from);
	b->word[to >> 4] += one_at(to);
	if (alone)
		b->occupied &= ~(1u << from);
	if (hitter)
		b->marked &= ~(1u << from);
	if (to == OFF)
		return false;
	bool hit = b->blots >> to & 1;
	b->occupied |= 1u << to;
	if (hit) {
		b->blots &= ~(1u << to);
		b->word[1] |= (uint64_t)1 << (HIT_SHIFT + to);
	}
	if (b->no_hiding && to <= HOME && (hit || hitter))
		b->marked |= 1u << to;
	return hit;
}
