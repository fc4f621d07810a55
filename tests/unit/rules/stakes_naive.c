/* SPDX-License-Identifier: MIT */
#include "stakes_naive.h"

#include <string.h>

void naive_begin(struct naive_stakes *n, int length, bool has_cube,
		 bool crawford_rule, bool jacoby)
{
	memset(n, 0, sizeof(*n));
	n->length = length;
	n->has_cube = has_cube;
	n->crawford_rule = crawford_rule;
	n->jacoby = jacoby;
	n->value = 1;
	n->owner = -1;
}

bool naive_may_double(const struct naive_stakes *n, int side)
{
	bool dead = n->length > 0 && n->score[side] + n->value >= n->length;
	bool his = n->owner == -1 || n->owner == side;
	return n->has_cube && his && !n->crawford && !dead && n->value < 1024;
}

void naive_taken(struct naive_stakes *n, int side)
{
	n->value *= 2;
	n->owner = 1 - side;
}

int naive_points(const struct naive_stakes *n, const uint8_t point[26])
{
	bool far = false; /* on the bar, or in the winner's home */
	for (int p = 19; p <= 25; p++)
		far = far || point[p] > 0;
	if (point[0] > 0 || (n->jacoby && n->value == 1))
		return n->value;
	return far ? 3 * n->value : 2 * n->value;
}

bool naive_won(struct naive_stakes *n, int winner, int points)
{
	bool won = false;
	if (n->length > 0) {
		n->score[winner] += points;
		won = n->score[winner] >= n->length;
		if (won)
			n->score[winner] = n->length;
	}
	if (won)
		return true;
	n->value = 1;
	n->owner = -1;
	n->crawford = n->crawford_rule && !n->crawford_been &&
		      n->score[winner] == n->length - 1;
	n->crawford_been = n->crawford_been || n->crawford;
	return n->length == 0;
}

bool naive_agrees(const struct naive_stakes *n, const struct position *pos)
{
	static const int owner[] = {
		[CUBE_CENTRED] = -1, [CUBE_WHITE] = WHITE, [CUBE_BLACK] = BLACK
	};
	const struct stakes *k = &pos->stakes;
	return 1 << k->cube == n->value && owner[k->cube_owner] == n->owner &&
	       k->score[WHITE] == n->score[WHITE] &&
	       k->score[BLACK] == n->score[BLACK] && k->crawford == n->crawford;
}
