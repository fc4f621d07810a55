/* SPDX-License-Identifier: MIT */
#include "engine/train_backgammon/bg_board.h"

#include <string.h>

enum { BAR = 25, HOME = 6, SLOTS = 4 * BG_MOVES_MAX };

uint64_t bg_random(struct bg_rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

int bg_die(struct bg_rng *r)
{
	return 1 + (int)((bg_random(r) >> 32) * 6 >> 32);
}

double bg_unit(struct bg_rng *r)
{
	return (double)(bg_random(r) >> 11) * (1.0 / 9007199254740992.0);
}

void bg_start(struct bg_board *b)
{
	memset(b, 0, sizeof(*b));
	uint8_t *side[] = { b->own, b->foe };
	for (int s = 0; s < 2; s++) {
		side[s][6] = side[s][13] = 5;
		side[s][8] = 3;
		side[s][24] = 2;
	}
}

void bg_turn(struct bg_board *b)
{
	uint8_t own[26];
	memcpy(own, b->own, sizeof(own));
	memcpy(b->own, b->foe, sizeof(own));
	memcpy(b->foe, own, sizeof(own));
}

int bg_points(const uint8_t *loser)
{
	if (loser[0])
		return 1;
	for (int p = 19; p <= BAR; p++)
		if (loser[p])
			return 3;
	return 2;
}

/* ---- turns ------------------------------------------------------------- */

/* A key is a sum over all checkers, so that a step changes it by a few. */
static inline uint64_t spot(int side, int point)
{
	uint64_t z = (uint64_t)(side * 32 + point + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static int last_of(const uint8_t *point)
{
	int p = BAR;
	while (p > 0 && point[p] == 0)
		p--;
	return p;
}

/* Moves one checker; false if it may not. */
static bool step(struct bg_board *b, uint64_t *key, int from, int die)
{
	int to = from - die;
	if (to <= 0) {
		int last = last_of(b->own);
		if (last > HOME || (to < 0 && last > from))
			return false;
		to = 0;
	} else if (b->foe[BAR - to] >= 2) {
		return false;
	} else if (b->foe[BAR - to] == 1) {
		b->foe[BAR - to] = 0;
		b->foe[BAR]++;
		*key += spot(1, BAR) - spot(1, BAR - to);
	}
	b->own[from]--;
	b->own[to]++;
	*key += spot(0, to) - spot(0, from);
	return true;
}

static void keep(struct bg_moves *out, const struct bg_board *b, uint64_t key,
		 int used)
{
	if (used < out->dice_used)
		return;
	if (used > out->dice_used) {
		out->dice_used = used;
		out->count = 0;
		out->stamp++;
	}
	size_t i = (key * 0x94d049bb133111ebu) >> 51;
	for (; out->seen_stamp[i] == out->stamp; i = (i + 1) % SLOTS)
		if (out->key[out->seen[i]] == key)
			return;
	if (out->count == BG_MOVES_MAX)
		return;
	out->seen_stamp[i] = out->stamp;
	out->seen[i] = (uint16_t)out->count;
	out->key[out->count] = key;
	out->board[out->count++] = *b;
}

/* Plays dice[used] to dice[dice_count - 1], in this order. */
static void play(struct bg_moves *out, const struct bg_board *b, uint64_t key,
		 const int *dice, int dice_count, int used, int from)
{
	bool moved = false;
	if (used < dice_count) {
		int least = b->own[BAR] ? BAR : 1;
		for (int p = b->own[BAR] ? BAR : from; p >= least; p--) {
			if (b->own[p] == 0)
				continue;
			struct bg_board next = *b;
			uint64_t next_key = key;
			if (!step(&next, &next_key, p, dice[used]))
				continue;
			moved = true;
			play(out, &next, next_key, dice, dice_count, used + 1,
			     dice_count == 4 && p < BAR ? p : 24);
		}
	}
	if (!moved)
		keep(out, b, key, used);
}

void bg_generate(const struct bg_board *b, int die1, int die2,
		 struct bg_moves *out)
{
	int high = die1 > die2 ? die1 : die2;
	int low = die1 + die2 - high;
	out->count = 0;
	out->stamp++;
	out->dice_used = 0;
	if (high == low) {
		play(out, b, 0, (int[]){ high, high, high, high }, 4, 0, 24);
		return;
	}
	play(out, b, 0, (int[]){ high, low }, 2, 0, 24);
	if (out->dice_used == 1) {
		/* just one can be played by starting with the higher: it must
		 * be, unless starting with the lower plays both */
		struct bg_moves *alone = out;
		size_t count = alone->count;
		play(out, b, 0, (int[]){ low, high }, 2, 0, 24);
		if (out->dice_used == 1)
			out->count = count;
		return;
	}
	play(out, b, 0, (int[]){ low, high }, 2, 0, 24);
}
