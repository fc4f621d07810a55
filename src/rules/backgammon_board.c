/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/backgammon_priv.h"

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

/* All are home. An exact number, or a larger one from the furthest point that
 * has a checker. */
uint32_t board_bearing_off(const struct board *b, int die)
{
	uint32_t exact = b->occupied & 1u << die;
	if (exact || !b->occupied)
		return exact;
	int furthest = highest_point(b->occupied);
	return furthest < die ? 1u << furthest : 0;
}

/* Hitters that this die would hide: a covered one stays while its cover
 * leaves. */
uint32_t board_hiding(const struct board *b, int die)
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

bool board_hop(struct board *b, int from, int to)
{
	bool alone = board_count(b, from) == 1;
	bool hitter = alone && (b->marked >> from & 1);
	bool hit = word_hop(b->word, b->blots, from, to);
	if (alone)
		b->occupied &= ~(1u << from);
	if (hitter)
		b->marked &= ~(1u << from);
	if (to == OFF)
		return false;
	b->occupied |= 1u << to;
	b->blots &= ~(1u << to);
	if (b->no_hiding && to <= HOME && (hit || hitter))
		b->marked |= 1u << to;
	return hit;
}
