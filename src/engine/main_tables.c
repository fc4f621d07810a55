/* SPDX-License-Identifier: MIT
 * Writes the tables of backgammon_tables.h: `engine-tables FILE`. In integers
 * only, so that every machine writes the same. */
#include "engine/backgammon_bearoff.h"
#include "engine/backgammon_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LONGEST = 40,  /* throws; by then every position is empty */
	ONE = 1 << 28, /* a sure thing */
	PIPS_MAX = 90
};

struct exact {
	uint32_t chance[LONGEST]; /* off after exactly so many throws */
	uint64_t mean;            /* throws, in units of ONE */
	uint32_t none[2];         /* none off after 1, 2 throws */
	uint8_t point[BEAROFF_POINTS + 1];
	uint8_t pips;
};

static struct exact all[BEAROFF_POSITIONS];
static struct backgammon_tables table;

/* One turn: what is best at its end. */
struct turn {
	const struct exact *fewest; /* throws on average */
	uint32_t none;              /* not one off within this turn */
	uint32_t none_next;         /* nor in the next */
	unsigned checkers;          /* at the start of it */
};

static unsigned checkers_of(const uint8_t *point)
{
	unsigned n = 0;
	for (int p = 1; p <= BEAROFF_POINTS; p++)
		n += point[p];
	return n;
}

static void turn_ends(struct turn *t, const uint8_t *point)
{
	const struct exact *e = &all[bearoff_index(point)];
	if (!t->fewest || e->mean < t->fewest->mean)
		t->fewest = e;
	if (checkers_of(point) < t->checkers)
		t->none = t->none_next = 0;
	else if (e->none[0] < t->none_next)
		t->none_next = e->none[0];
}

/* Plays dice[0] to dice[left - 1], in this order, in every way. */
static void play(struct turn *t, uint8_t *point, const int *dice, int left)
{
	int high = BEAROFF_POINTS;
	while (high > 0 && point[high] == 0)
		high--;
	if (left == 0 || high == 0) {
		turn_ends(t, point);
		return;
	}
	int die = *dice;
	for (int from = high; from > 0; from--) {
		if (point[from] == 0 || (from < die && from < high))
			continue;
		int to = from > die ? from - die : 0;
		point[from]--;
		point[to]++;
		play(t, point, dice + 1, left - 1);
		point[from]++;
		point[to]--;
	}
}

static struct turn best_turn(const struct exact *e, int a, int b)
{
	struct turn t = { .none = ONE, .none_next = ONE };
	uint8_t point[BEAROFF_POINTS + 1];
	memcpy(point, e->point, sizeof(point));
	t.checkers = checkers_of(point);
	play(&t, point, (int[]){ a, b, a, a }, a == b ? 4 : 2);
	if (a != b)
		play(&t, point, (int[]){ b, a }, 2);
	return t;
}

static void work_out(struct exact *e)
{
	uint64_t sum[LONGEST] = { 0 };
	uint64_t mean = 0;
	uint64_t none[2] = { 0 };
	for (int a = 1; a <= 6; a++) {
		for (int b = 1; b <= a; b++) {
			unsigned ways = a == b ? 1 : 2;
			struct turn t = best_turn(e, a, b);
			for (int i = 1; i < LONGEST; i++)
				sum[i] += ways *
					  (uint64_t)t.fewest->chance[i - 1];
			mean += ways * t.fewest->mean;
			none[0] += ways * (uint64_t)t.none;
			none[1] += ways * (uint64_t)t.none_next;
		}
	}
	for (int i = 0; i < LONGEST; i++)
		e->chance[i] = (uint32_t)((sum[i] + 18) / 36);
	e->mean = ONE + (mean + 18) / 36;
	e->none[0] = (uint32_t)(none[0] / 36);
	e->none[1] = (uint32_t)(none[1] / 36);
}

/* Keeps the likeliest throws of a distribution, which sum up to BEAROFF_ONE:
 * what rounding leaves goes to the likeliest. */
static void pack(const struct exact *e, struct bearoff_row *row)
{
	int first = 0;
	while (e->chance[first] < ONE / BEAROFF_ONE)
		first++;
	row->first = (uint8_t)first;
	row->count = BEAROFF_THROWS;
	uint32_t sum = 0;
	int likely = 0;
	for (int i = 0; i < BEAROFF_THROWS; i++) {
		uint32_t c = first + i < LONGEST ? e->chance[first + i] : 0;
		c = (c + ONE / BEAROFF_ONE / 2) / (ONE / BEAROFF_ONE);
		if (c >= BEAROFF_ONE)
			c = BEAROFF_ONE - 1;
		row->chance[i] = (uint16_t)c;
		if (c > row->chance[likely])
			likely = i;
		sum += c;
	}
	row->chance[likely] =
		(uint16_t)(row->chance[likely] + (BEAROFF_ONE - 1) - sum);
	while (row->count > 1 && row->chance[row->count - 1] == 0)
		row->count--;
}

static void number_all(uint8_t *point, int p, int left, int pips)
{
	if (p == 0) {
		struct exact *e = &all[bearoff_index(point)];
		memcpy(e->point, point, sizeof(e->point));
		e->pips = (uint8_t)pips;
		return;
	}
	for (int n = 0; n <= left; n++) {
		point[p] = (uint8_t)n;
		number_all(point, p - 1, left - n, pips + n * p);
	}
	point[p] = 0;
}

/* ---- reach ------------------------------------------------------------- */

static int is_wall(unsigned walls, int distance)
{
	return distance <= 12 && walls >> (12 - distance) & 1;
}

/* The most pips that a lone checker can be moved by a throw. */
static int furthest(unsigned walls, int a, int b)
{
	int best = 0;
	if (a == b) {
		while (best < 4 * a && !is_wall(walls, best + a))
			best += a;
		return best;
	}
	if (!is_wall(walls, a))
		best = a;
	if (!is_wall(walls, b) && b > best)
		best = b;
	if (best > 0 && !is_wall(walls, a + b))
		best = a + b;
	return best;
}

static struct reach reach_over(unsigned walls)
{
	int escape = 0;
	int run = 0;
	for (int a = 1; a <= 6; a++) {
		for (int b = 1; b <= 6; b++) {
			int pips = furthest(walls, a, b);
			escape += pips >= 6;
			run += pips;
		}
	}
	return (struct reach){ (uint8_t)escape, (uint8_t)(run / 9) };
}

/* ---- the logistic function --------------------------------------------- */

static void fill_logistic(uint32_t *out)
{
	/* 2^32 * e^(-1/64), and its powers */
	const uint64_t step = 4228380000u;
	uint64_t power = (uint64_t)1 << 32;
	for (int i = 0; i < LOGISTIC_SIZE; i++) {
		uint64_t sum = ((uint64_t)1 << 32) + power;
		out[i] = (uint32_t)((((uint64_t)1 << 48) + sum / 2) / sum);
		power = (power * step + ((uint64_t)1 << 31)) >> 32;
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: engine-tables FILE\n");
		return 2;
	}
	uint8_t point[BEAROFF_POINTS + 1] = { 0 };
	number_all(point, BEAROFF_POINTS, BEAROFF_CHECKERS, 0);
	all[0].chance[0] = ONE;
	for (int pips = 1; pips <= PIPS_MAX; pips++)
		for (int i = 0; i < BEAROFF_POSITIONS; i++)
			if (all[i].pips == pips)
				work_out(&all[i]);
	for (int i = 0; i < BEAROFF_POSITIONS; i++) {
		pack(&all[i], &table.row[i]);
		for (int k = 0; k < 2; k++) {
			uint32_t c = all[i].none[k] / (ONE / BEAROFF_ONE);
			table.wait[i].none[k] =
				(uint16_t)(c < BEAROFF_ONE ? c
							   : BEAROFF_ONE - 1);
		}
	}
	for (unsigned walls = 0; walls < REACH_WALLS; walls++)
		table.reach[walls] = reach_over(walls);
	fill_logistic(table.logistic);
	FILE *f = fopen(argv[1], "wb");
	if (!f || fwrite(&table, sizeof(table), 1, f) != 1 || fclose(f)) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
