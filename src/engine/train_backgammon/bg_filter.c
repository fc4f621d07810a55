/* SPDX-License-Identifier: MIT
 * The filters learn to tell the results of one throw apart as the nets do, in
 * self-play by the nets. Only how results differ matters, and most of all
 * among those that are, or seem to be, the best. */
#include "engine/train_backgammon/bg_filter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	NAME_MAX_BYTES = 512,
	RACE_ONE = 8,  /* one game of so many is a race */
	STRAY_ONE = 8, /* one turn of so many is played at random */
	ASIDE = 16,    /* one game of so many is not learned but tested */
	BATCH = 32,    /* throws a step */
	CHECKERS = 30,
	GAMES_A_SAY = 10000
};

#define SPREAD 0.08f /* of the first weights */
#define NEAR   0.1f  /* points behind that halve what a result counts */

/* As in bg_descent.c. */
#define MEAN_KEPT   0.9f
#define SQUARE_KEPT 0.999f
#define STILL       1e-7f

/* A result of a throw, as the filter sees it. */
struct result {
	int count;
	uint16_t row[CHECKERS];
	bg_vec sum[BG_FILTER_VECS];
	float worth; /* to the side that moved, as the nets judge it */
	float seems; /* and as the filter does */
	float counts;
};

/* What was lost by filtering, in games that were put aside. */
struct tally {
	long choices;
	long missed; /* those whose best result did not pass */
	long results;
	long passed;
	double lost;
};

static struct bg_moves moves;
static struct result result[BG_MOVES_MAX];
static struct bg_filters filters;
static struct tally tally;
static struct {
	struct bg_filters gradient;
	struct bg_filters mean;
	struct bg_filters square;
	int pending[PLAN_COUNT];
	long steps[PLAN_COUNT];
} descent;

static void filters_init(struct bg_filters *f, struct bg_rng *rng)
{
	memset(f, 0, sizeof(*f));
	struct bg_filter *x = &f->plan[0];
	for (int v = 0; v < BG_FILTER_VECS; v++) {
		for (int r = 0; r < BACKGAMMON_POINT_ROWS; r++)
			x->row[r][v] = r == bg_row_first(r)
					       ? bg_random_vec(rng, SPREAD)
					       : x->row[r - 1][v];
		x->bias[v] = bg_random_vec(rng, SPREAD);
		x->out[v] = bg_random_vec(rng, SPREAD);
	}
	for (int i = 1; i < PLAN_COUNT; i++)
		f->plan[i] = *x;
}

/* The rows of all its checkers: each adds one. */
static void look(const struct bg_filter *f, const struct bg_board *b,
		 struct result *r)
{
	uint16_t last[BACKGAMMON_ROWS_SET_MAX];
	int points = backgammon_rows(b->own, b->foe, last);
	r->count = 0;
	for (int i = 0; i < points; i++)
		for (int k = bg_row_first(last[i]); k <= last[i]; k++)
			r->row[r->count++] = (uint16_t)k;
	r->seems = 0;
	for (int v = 0; v < BG_FILTER_VECS; v++) {
		r->sum[v] = f->bias[v];
		for (int i = 0; i < r->count; i++)
			r->sum[v] += f->row[r->row[i]][v];
		r->seems += total(f->out[v] * squash(r->sum[v]));
	}
}

/* Judges all results; returns which is best. */
static size_t judge_results(const struct bg_nets *n, const struct bg_filter *f)
{
	size_t best = 0;
	for (size_t i = 0; i < moves.count; i++) {
		struct bg_board b = moves.board[i];
		struct result *r = &result[i];
		look(f, &b, r);
		bg_turn(&b);
		struct bg_chances c = bg_judge(n, &b);
		r->worth = -bg_equity(&c);
		if (r->worth > result[best].worth)
			best = i;
	}
	return best;
}

static void add_result(const struct bg_filter *f, struct bg_filter *gradient,
		       const struct result *r, float error)
{
	for (int v = 0; v < BG_FILTER_VECS; v++) {
		bg_vec back = f->out[v] * slope(r->sum[v]) * spread(error);
		gradient->out[v] += squash(r->sum[v]) * spread(error);
		gradient->bias[v] += back;
		for (int i = 0; i < r->count; i++)
			gradient->row[r->row[i]][v] += back;
	}
}

static void step(int plan, double rate)
{
	double steps = (double)++descent.steps[plan];
	float pace = (float)(rate / (1 - pow(MEAN_KEPT, steps)));
	float whole = (float)(1 / (1 - pow(SQUARE_KEPT, steps)));
	float *g = (float *)&descent.gradient.plan[plan];
	float *weight = (float *)&filters.plan[plan];
	float *mean = (float *)&descent.mean.plan[plan];
	float *square = (float *)&descent.square.plan[plan];
	for (size_t i = 0; i < sizeof(filters.plan[0]) / sizeof(float); i++) {
		float x = g[i] / BATCH;
		mean[i] = MEAN_KEPT * mean[i] + (1 - MEAN_KEPT) * x;
		square[i] = SQUARE_KEPT * square[i] + (1 - SQUARE_KEPT) * x * x;
		weight[i] +=
			pace * mean[i] / (sqrtf(square[i] * whole) + STILL);
	}
	memset(g, 0, sizeof(filters.plan[0]));
}

static float best_seeming(void)
{
	float top = result[0].seems;
	for (size_t i = 1; i < moves.count; i++)
		top = fmaxf(top, result[i].seems);
	return top;
}

/* All differ from what they should be by their error less the mean. */
static void learn_results(int plan, size_t best, double rate)
{
	float top = best_seeming();
	float errors = 0;
	float count = 0;
	for (size_t i = 0; i < moves.count; i++) {
		struct result *r = &result[i];
		float behind =
			fminf(result[best].worth - r->worth, top - r->seems) /
			NEAR;
		r->counts = 1 / (1 + behind * behind);
		errors += r->counts * (r->worth - r->seems);
		count += r->counts;
	}
	for (size_t i = 0; i < moves.count; i++) {
		const struct result *r = &result[i];
		float error = r->worth - r->seems - errors / count;
		add_result(&filters.plan[plan], &descent.gradient.plan[plan], r,
			   r->counts / count * error);
	}
	if (++descent.pending[plan] < BATCH)
		return;
	descent.pending[plan] = 0;
	step(plan, rate);
}

/* ---- what is lost ------------------------------------------------------ */

static bool passes(const struct result *r, float top)
{
	size_t better = 0;
	for (size_t i = 0; i < moves.count; i++)
		better += result[i].seems > r->seems;
	return better < plyd_filter_choice.least ||
	       (better < plyd_filter_choice.most &&
		r->seems >= top - (float)plyd_filter_choice.margin / 1000.0f);
}

static void test_results(size_t best)
{
	float top = best_seeming();
	float found = -9;
	for (size_t i = 0; i < moves.count; i++) {
		if (!passes(&result[i], top))
			continue;
		tally.passed++;
		found = fmaxf(found, result[i].worth);
	}
	tally.choices++;
	tally.results += (long)moves.count;
	tally.missed += found < result[best].worth;
	tally.lost += result[best].worth - found;
}

static void say(uint64_t games)
{
	double n = (double)(tally.choices ? tally.choices : 1);
	printf("%llu games; of %.1f results %.1f pass, without the best in "
	       "%.2f %% of %ld choices, %.3f millipoints lost in each\n",
	       (unsigned long long)games, (double)tally.results / n,
	       (double)tally.passed / n, 100 * (double)tally.missed / n,
	       tally.choices, 1000 * tally.lost / n);
	fflush(stdout);
	memset(&tally, 0, sizeof(tally));
}

/* ---- games ------------------------------------------------------------- */

static void play_game(const struct bg_nets *n, struct bg_rng *rng, bool aside,
		      double rate)
{
	struct bg_board b;
	bg_start(&b);
	if (bg_random(rng) % RACE_ONE == 0)
		bg_start_race(&b, rng);
	while (b.foe[0] < CHECKERS / 2) {
		int high = bg_die(rng);
		bg_generate(&b, high, bg_die(rng), &moves);
		enum backgammon_plan plan = backgammon_plan(b.own, b.foe);
		size_t best = judge_results(n, &filters.plan[plan]);
		if (moves.count > 1 && aside)
			test_results(best);
		else if (moves.count > 1)
			learn_results(plan, best, rate);
		size_t pick = bg_random(rng) % STRAY_ONE
				      ? best
				      : bg_random(rng) % moves.count;
		b = moves.board[pick];
		bg_turn(&b);
	}
}

/* ---- files ------------------------------------------------------------- */

static FILE *filters_open(const char *directory, const char *mode)
{
	char name[NAME_MAX_BYTES];
	snprintf(name, sizeof(name), "%s/filters", directory);
	FILE *f = fopen(name, mode);
	if (!f)
		perror(name);
	return f;
}

int bg_filters_load(const char *directory, struct bg_filters *out)
{
	FILE *f = filters_open(directory, "rb");
	if (!f)
		return -1;
	size_t n = fread(out, sizeof(*out), 1, f);
	fclose(f);
	return n == 1 ? 0 : -1;
}

static int filters_save(const char *directory)
{
	FILE *f = filters_open(directory, "wb");
	if (!f)
		return -1;
	size_t n = fwrite(&filters, sizeof(filters), 1, f);
	if (fclose(f) || n != 1) {
		perror(directory);
		return -1;
	}
	return 0;
}

int bg_filter(const char *directory, struct bg_student *s, uint64_t seed,
	      uint64_t games, struct bg_rates rates)
{
	struct bg_rng rng = { seed };
	if (bg_load(directory, s)) {
		fprintf(stderr, "%s: nobody has learned yet\n", directory);
		return -1;
	}
	filters_init(&filters, &rng);
	for (uint64_t g = 0; g < games; g++) {
		play_game(&s->nets, &rng, g % ASIDE == 0,
			  bg_rate(rates, (double)g / (double)games));
		if ((g + 1) % GAMES_A_SAY == 0)
			say(g + 1);
	}
	return filters_save(directory);
}
