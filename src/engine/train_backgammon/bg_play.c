/* SPDX-License-Identifier: MIT */
#include "engine/train_backgammon/bg_learn.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WEAKNESS 0.5f /* points by which a weak player misjudges, at most */

enum { GAMES_A_SAVE = 5000, NAME_MAX_BYTES = 512, KINDS = 8 };

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

/* Sides that bear off, but for some checkers that were hit and are late. */
static void start_late_race(struct bg_board *b, struct bg_rng *rng)
{
	uint8_t *side[] = { b->own, b->foe };
	for (int s = 0; s < 2; s++) {
		int off = (int)(bg_random(rng) % 13);
		int late = (int)(bg_random(rng) % 6);
		late = late > 15 - off ? 15 - off : late;
		side[s][0] = (uint8_t)off;
		scatter(side[s], 15 - off - late, 6, rng);
		for (; late > 0; late--)
			side[s][5 + bg_random(rng) % 8]++;
	}
}

void bg_start_race(struct bg_board *b, struct bg_rng *rng)
{
	memset(b, 0, sizeof(*b));
	if (bg_random(rng) % 3 == 0) {
		start_late_race(b, rng);
		return;
	}
	uint8_t *side[] = { b->own, b->foe };
	int first = (int)(bg_random(rng) % 2);
	int last = 3 + (int)(bg_random(rng) % 20);
	bool close = bg_random(rng) % 3 == 0;
	for (int s = 0; s < 2; s++) {
		uint8_t *point = side[first ^ s];
		int off = bg_random(rng) % 3 ? 0 : (int)(bg_random(rng) % 15);
		int reach = s == 0 ? last : 25 - last;
		if (close)
			off = s == 0 ? 2 + (int)(bg_random(rng) % 13) : 0;
		else if (s == 1 && reach > 8 && bg_random(rng) % 2)
			reach = 8;
		if (off > 0 && reach > 6)
			reach = 6; /* they could not be off */
		if (close && s == 1)
			scatter(point, 12, reach > 8 ? 8 : reach, rng);
		point[0] = (uint8_t)off;
		scatter(point, close && s == 1 ? 3 : 15 - off, reach, rng);
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

/* What a weak player makes of the results of a throw. */
static struct bg_board weak_result(const struct bg_nets *n,
				   const struct bg_moves *m, struct bg_rng *rng)
{
	struct bg_board best = { { 0 }, { 0 } };
	float least = 9;
	for (size_t i = 0; i < m->count; i++) {
		struct bg_board b = m->board[i];
		bg_turn(&b);
		struct bg_chances c = bg_judge(n, &b);
		float e = bg_equity(&c) + WEAKNESS * (float)bg_unit(rng);
		if (e < least) {
			least = e;
			best = b;
		}
	}
	return best;
}

/* In a game of the weak, one side plays badly: what is learned is what its
 * positions were worth all the same. */
enum kind { KIND_RACE, KIND_WILD, KIND_WEAK, KIND_NORMAL };
static const enum kind kinds[KINDS] = {
	KIND_RACE, KIND_WILD,   KIND_WEAK,   KIND_WEAK,
	KIND_WEAK, KIND_NORMAL, KIND_NORMAL, KIND_NORMAL,
};

static void play_game(struct bg_student *s, enum kind kind, float rate)
{
	struct bg_board b;
	int high, low;
	bool weak = bg_random(&s->rng) % 2;
	bg_start(&b);
	if (kind == KIND_RACE)
		bg_start_race(&b, &s->rng);
	else if (kind == KIND_WILD)
		start_wild(&b, &s->rng);
	do {
		high = bg_die(&s->rng);
		low = bg_die(&s->rng);
	} while (high == low && kind == KIND_NORMAL);
	while (!bg_exact(&b)) {
		struct bg_chances after;
		bg_generate(&b, high, low, &moves);
		struct bg_board next = bg_best(&s->nets, &moves, &after);
		struct bg_chances target = bg_turned(&after);
		bg_learn(&s->nets, &b, &target, rate);
		if (kind == KIND_WEAK && weak)
			next = weak_result(&s->nets, &moves, &s->rng);
		weak = !weak;
		b = next;
		s->turns++;
		high = bg_die(&s->rng);
		low = bg_die(&s->rng);
	}
}

double bg_rate(struct bg_rates rates, double done)
{
	return rates.first * pow(rates.last / rates.first, done);
}

static int report(const char *directory, const struct bg_student *s,
		  uint64_t games)
{
	printf("%llu games, %llu turns\n", (unsigned long long)games,
	       (unsigned long long)s->turns);
	fflush(stdout);
	return bg_save(directory, s);
}

int bg_play(const char *directory, struct bg_student *s, uint64_t seed,
	    uint64_t games, struct bg_rates rates)
{
	int err = 0;
	if (bg_load(directory, s)) {
		s->rng.state = seed;
		bg_nets_init(&s->nets, &s->rng);
	}
	while (!err && s->games < games) {
		play_game(s, kinds[bg_random(&s->rng) % KINDS],
			  (float)bg_rate(rates,
					 (double)s->games / (double)games));
		s->games++;
		if (s->games % GAMES_A_SAVE == 0 || s->games == games)
			err = report(directory, s, s->games);
	}
	return err;
}
