/* SPDX-License-Identifier: MIT */
#include "engine/train_backgammon/bg_learn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	GAMES_A_SAVE = 5000,
	NAME_MAX_BYTES = 512,
	KINDS = 5 /* one game of so many is a race, and one starts wild */
};

int bg_save(const char *directory, const struct bg_student *s)
{
	char part[NAME_MAX_BYTES];
	char name[NAME_MAX_BYTES];
	snprintf(part, sizeof(part), "%s/student.part", directory);
	snprintf(name, sizeof(name), "%s/student", directory);
	FILE *f = fopen(part, "wb");
	if (!f || fwrite(s, sizeof(*s), 1, f) != 1 || fclose(f) ||
	    rename(part, name)) {
		perror(name);
		return -1;
	}
	return 0;
}

int bg_load(const char *directory, struct bg_student *s)
{
	char name[NAME_MAX_BYTES];
	snprintf(name, sizeof(name), "%s/student", directory);
	FILE *f = fopen(name, "rb");
	if (!f)
		return -1;
	size_t n = fread(s, sizeof(*s), 1, f);
	fclose(f);
	return n == 1 ? 0 : -1;
}

struct bg_board bg_best(const struct bg_nets *n, const struct bg_moves *m,
			struct bg_chances *c)
{
	struct bg_board best = { { 0 }, { 0 } };
	float least = 9;
	for (size_t i = 0; i < m->count; i++) {
		struct bg_board b = m->board[i];
		bg_turn(&b);
		struct bg_chances chances = bg_judge(n, &b);
		float e = bg_equity(&chances);
		if (e < least) {
			least = e;
			best = b;
			*c = chances;
		}
	}
	return best;
}

static struct bg_moves moves;

/* Puts `left` checkers onto points 1 to `last`, most of them low. */
static void scatter(uint8_t *point, int left, int last, struct bg_rng *rng)
{
	for (; left > 0; left--) {
		int p = 1 + (int)(bg_unit(rng) * last);
		int q = 1 + (int)(bg_unit(rng) * last);
		point[bg_random(rng) % 2 && q < p ? q : p]++;
	}
}

/* A race of any kind: also such as are seldom reached, where gammons are
 * close. */
static void start_race(struct bg_board *b, struct bg_rng *rng)
{
	memset(b, 0, sizeof(*b));
	uint8_t *side[] = { b->own, b->foe };
	int first = (int)(bg_random(rng) % 2);
	int last = 3 + (int)(bg_random(rng) % 20);
	for (int s = 0; s < 2; s++) {
		uint8_t *point = side[first ^ s];
		int off = bg_random(rng) % 3 ? 0 : (int)(bg_random(rng) % 15);
		int reach = s == 0 ? last : 25 - last;
		if (s == 1 && reach > 8 && bg_random(rng) % 2)
			reach = 8;
		if (off > 0 && reach > 6)
			reach = 6; /* they could not be off */
		point[0] = (uint8_t)off;
		scatter(point, 15 - off, reach, rng);
	}
}

/* Turns at random, so that all kinds of positions are met. */
static void start_wild(struct bg_board *b, struct bg_rng *rng)
{
	int turns = 1 + (int)(bg_random(rng) % 12);
	bg_start(b);
	for (; turns > 0 && !bg_exact(b); turns--) {
		int high = bg_die(rng);
		bg_generate(b, high, bg_die(rng), &moves);
		*b = moves.board[bg_random(rng) % moves.count];
		bg_turn(b);
	}
}

static void play_game(struct bg_student *s, float rate)
{
	struct bg_board b;
	int kind = (int)(bg_random(&s->rng) % KINDS);
	int high, low;
	bg_start(&b);
	if (kind == 0)
		start_race(&b, &s->rng);
	else if (kind == 1)
		start_wild(&b, &s->rng);
	do {
		high = bg_die(&s->rng);
		low = bg_die(&s->rng);
	} while (high == low && kind > 1);
	while (!bg_exact(&b)) {
		struct bg_chances after;
		bg_generate(&b, high, low, &moves);
		struct bg_board next = bg_best(&s->nets, &moves, &after);
		struct bg_chances target = bg_turned(&after);
		bg_learn(&s->nets, &b, &target, rate);
		b = next;
		s->turns++;
		high = bg_die(&s->rng);
		low = bg_die(&s->rng);
	}
	s->games++;
}

int bg_play(const char *directory, struct bg_student *s, uint64_t seed,
	    uint64_t games, struct bg_rates rates)
{
	if (bg_load(directory, s)) {
		s->rng.state = seed;
		bg_nets_init(&s->nets, &s->rng);
	}
	while (s->games < games) {
		double done = (double)s->games / (double)games;
		double rate = rates.first * pow(rates.last / rates.first, done);
		play_game(s, (float)rate);
		if (s->games % GAMES_A_SAVE != 0 && s->games < games)
			continue;
		printf("%llu games, %llu turns\n", (unsigned long long)s->games,
		       (unsigned long long)s->turns);
		fflush(stdout);
		if (bg_save(directory, s))
			return -1;
	}
	return 0;
}
