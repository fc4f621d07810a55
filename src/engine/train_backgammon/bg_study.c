/* SPDX-License-Identifier: MIT */
#include "engine/train_backgammon/bg_descent.h"
#include "engine/train_backgammon/bg_learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	NAME_MAX_BYTES = 512,
	ASIDE = 32,     /* one label of so many is not learned but tested */
	PICK_ONE = 4,   /* one choice of so many is judged, */
	SIBLINGS = 3,   /* so many of its possibilities at most */
	STRAY_ONE = 12, /* one turn of so many is played at random */
	RACE_ONE = 2,   /* one game of so many is a race */
	LABELS_A_SAY = 20000
};

#define NEAR 0.12f /* points between possibilities that are judged */

/* A position and what it is worth, one throw deep. */
struct label {
	struct bg_board board;
	uint32_t game;
	struct bg_chances worth;
};

static struct bg_moves moves;
static struct bg_moves answers;
static struct bg_descent descent;

/* The labels of a seed, in a file of their own. */
static FILE *labels_open(const char *directory, uint64_t seed, const char *mode)
{
	char name[NAME_MAX_BYTES];
	snprintf(name, sizeof(name), "%s/labels-%llu", directory,
		 (unsigned long long)seed);
	FILE *f = fopen(name, mode);
	if (!f)
		perror(name);
	return f;
}

static struct bg_chances look_ahead(const struct bg_nets *n,
				    const struct bg_board *b)
{
	struct bg_chances sum = { { 0 } };
	for (int high = 1; high <= 6; high++) {
		for (int low = 1; low <= high; low++) {
			struct bg_chances c;
			bg_generate(b, high, low, &answers);
			bg_best(n, &answers, &c);
			c = bg_turned(&c);
			float part = (high == low ? 1.0f : 2.0f) / 36;
			for (int k = 0; k < BG_OUTPUTS; k++)
				sum.p[k] += part * c.p[k];
		}
	}
	return sum;
}

/* Sorts the first few of the results, seen by the side that is then on roll,
 * by what they are worth to it, the least first; returns how many of them are
 * about as good as the best. */
static int best_few(const struct bg_nets *n, struct bg_board few[SIBLINGS])
{
	float worth[SIBLINGS];
	int count = 0;
	for (size_t i = 0; i < moves.count; i++) {
		struct bg_board b = moves.board[i];
		bg_turn(&b);
		struct bg_chances c = bg_judge(n, &b);
		float e = bg_equity(&c);
		int at = count;
		while (at > 0 && worth[at - 1] > e)
			at--;
		if (at == SIBLINGS)
			continue;
		if (count < SIBLINGS)
			count++;
		for (int k = count - 1; k > at; k--) {
			worth[k] = worth[k - 1];
			few[k] = few[k - 1];
		}
		worth[at] = e;
		few[at] = b;
	}
	while (worth[count - 1] > worth[0] + NEAR)
		count--;
	return count;
}

/* Labels what a player would choose among here; returns how many, or -1. */
static long label_choice(const struct bg_nets *n, const struct bg_board *few,
			 int count, uint32_t game, FILE *f)
{
	long labels = 0;
	for (int i = 0; i < count; i++) {
		if (bg_exact(&few[i]))
			continue;
		struct label l = { .board = few[i],
				   .game = game,
				   .worth = look_ahead(n, &few[i]) };
		if (fwrite(&l, sizeof(l), 1, f) != 1)
			return -1;
		labels++;
	}
	return labels;
}

/* Late positions are rare, and hard; races are cheap. */
static bool is_picked(const struct bg_board *b, bool race, struct bg_rng *rng)
{
	int16_t measure[BACKGAMMON_MEASURES_BOTH];
	return race || bg_random(rng) % PICK_ONE == 0 ||
	       backgammon_measure(b->own, b->foe, measure) == PLAN_LATE;
}

/* Plays one game and writes the labels of some of its choices; returns how
 * many, or -1. */
static long label_game(const struct bg_nets *n, uint64_t seed, uint32_t game,
		       FILE *f)
{
	struct bg_rng rng = { seed + game * 0xd1342543de82ef95u };
	struct bg_board b;
	struct bg_board few[SIBLINGS];
	bool race = game % RACE_ONE == 0;
	bg_start(&b);
	if (race)
		bg_start_race(&b, &rng);
	long count = race ? label_choice(n, &b, 1, game, f) : 0;
	while (count >= 0 && !bg_exact(&b)) {
		int high = bg_die(&rng);
		int low = bg_die(&rng);
		bg_generate(&b, high, low, &moves);
		int found = best_few(n, few);
		if (is_picked(&b, race, &rng)) {
			long k = label_choice(n, few, found, game, f);
			count = k < 0 ? k : count + k;
		}
		b = few[0];
		if (bg_random(&rng) % STRAY_ONE == 0) {
			b = moves.board[bg_random(&rng) % moves.count];
			bg_turn(&b);
		}
	}
	return count;
}

/* How many labels of whole games there are, and which game comes next: the
 * last may have been cut short, and is played again. */
static long whole_games(FILE *f, uint32_t *next)
{
	struct label l;
	long count = 0;
	long whole = 0;
	*next = 0;
	rewind(f);
	for (; fread(&l, sizeof(l), 1, f) == 1; count++) {
		if (l.game != *next)
			whole = count;
		*next = l.game;
	}
	return whole;
}

int bg_label(const char *directory, struct bg_student *s, uint64_t seed,
	     uint64_t positions)
{
	if (bg_load(directory, s)) {
		fprintf(stderr, "%s: nobody has played yet\n", directory);
		return -1;
	}
	FILE *f = labels_open(directory, seed, "a+b");
	if (!f)
		return -1;
	uint32_t game;
	long count = whole_games(f, &game);
	int err = ftruncate(fileno(f), count * (long)sizeof(struct label));
	long said = count / LABELS_A_SAY;
	while (!err && (uint64_t)count < positions) {
		long n = label_game(&s->nets, seed, game++, f);
		if (n < 0)
			err = -1;
		count += n;
		if (count / LABELS_A_SAY > said) {
			said = count / LABELS_A_SAY;
			printf("%ld labels\n", count);
			fflush(stdout);
		}
	}
	if (fclose(f) || err) {
		perror("labels");
		return -1;
	}
	return 0;
}

/* ---- study ------------------------------------------------------------- */

static struct label *labels_read(const char *directory, uint64_t seed,
				 size_t *count)
{
	FILE *f = labels_open(directory, seed, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	*count = (size_t)ftell(f) / sizeof(struct label);
	rewind(f);
	struct label *all = malloc((*count + 1) * sizeof(*all));
	if (all && fread(all, sizeof(*all), *count, f) != *count) {
		free(all);
		all = NULL;
	}
	fclose(f);
	return all;
}

/* 0 to n - 1 in an order of chance. */
static void shuffle(uint32_t *order, size_t n, struct bg_rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = bg_random(rng) % (i + 1);
		order[i] = order[k];
		order[k] = (uint32_t)i;
	}
}

/* The standard error of the nets' equity on the labels that were put aside. */
static double error_of(const struct bg_nets *n, const struct label *l,
		       size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		struct bg_chances c = bg_judge(n, &l[i].board);
		double e = bg_equity(&c) - bg_equity(&l[i].worth);
		sum += e * e;
	}
	return sqrt(sum / (double)(count ? count : 1));
}

/* Learns all labels so many times, each time in another order. */
static void study_all(struct bg_student *s, uint64_t seed, uint64_t epochs,
		      struct bg_rates rates, const struct label *l,
		      uint32_t *order, size_t count)
{
	size_t aside = count / ASIDE;
	size_t n = count - aside;
	struct bg_rng rng = { seed };
	bg_descent_init(&descent, &s->nets);
	printf("error %.4f before\n", error_of(&s->nets, l, aside));
	for (uint64_t epoch = 0; epoch < epochs; epoch++) {
		shuffle(order, n, &rng);
		for (size_t i = 0; i < n; i++) {
			const struct label *x = &l[aside + order[i]];
			double done = (double)epoch + (double)i / (double)n;
			bg_descent_learn(&descent, &s->nets, &x->board,
					 &x->worth,
					 bg_rate(rates, done / (double)epochs));
		}
		printf("error %.4f after %llu of %llu\n",
		       error_of(&s->nets, l, aside),
		       (unsigned long long)epoch + 1,
		       (unsigned long long)epochs);
		fflush(stdout);
	}
}

int bg_study(const char *directory, struct bg_student *s, uint64_t seed,
	     uint64_t epochs, struct bg_rates rates)
{
	size_t count;
	struct label *l = labels_read(directory, seed, &count);
	uint32_t *order = l ? malloc((count + 1) * sizeof(*order)) : NULL;
	int err = -1;
	if (order && bg_load(directory, s) == 0) {
		study_all(s, seed, epochs, rates, l, order, count);
		err = bg_save(directory, s);
	} else {
		fprintf(stderr, "%s: there is nothing to study\n", directory);
	}
	free(order);
	free(l);
	return err;
}
