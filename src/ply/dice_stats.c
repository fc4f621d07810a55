/* SPDX-License-Identifier: MIT */
#include "ply/dice_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dice_stats_release(struct dice_stats *s)
{
	free(s->player);
	*s = (struct dice_stats){ 0 };
}

/* -- counting -- */

static struct dice_player *player_of(struct dice_stats *s, const char *name)
{
	for (size_t i = 0; i < s->players; i++)
		if (!strcmp(s->player[i].name, name))
			return &s->player[i];
	if (s->players == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 16;
		struct dice_player *p = realloc(s->player, cap * sizeof(*p));
		if (!p)
			return NULL;
		s->player = p;
		s->cap = cap;
	}
	struct dice_player *p = &s->player[s->players++];
	*p = (struct dice_player){ 0 };
	snprintf(p->name, sizeof(p->name), "%s", name);
	return p;
}

static bool count_die(struct dice_stats *s, const char *name, int die)
{
	struct dice_player *p = player_of(s, name);
	if (!p)
		return false;
	p->face[die - 1]++;
	s->face[die - 1]++;
	return true;
}

static size_t pair_of(int a, int b)
{
	int high = a > b ? a : b, low = a > b ? b : a;
	return (size_t)(high * (high - 1) / 2 + low - 1);
}

bool dice_stats_add(struct dice_stats *s, const char *first, const char *second,
		    int die1, int die2)
{
	if (!count_die(s, first, die1) ||
	    !count_die(s, second ? second : first, die2))
		return false;
	s->pair[pair_of(die1, die2)]++;
	s->throws++;
	return true;
}

/* -- testing -- */

/* ln of the gamma function at half integers is all that is needed; lgamma()
 * would do as well, but writes to a global. */
static double log_gamma_half(int twice)
{
	double sum = twice % 2 ? 0.57236494292470008707 /* ln sqrt(pi) */ : 0;
	for (int k = twice % 2 ? 1 : 2; k < twice; k += 2)
		sum += log(k / 2.0);
	return sum;
}

enum { TERMS_MAX = 10000 };

/* The regularised incomplete gamma function P(a, x) by its series. */
static double lower_series(double a, double x, double log_gamma)
{
	double term = 1 / a, sum = term;
	for (int n = 1; n < TERMS_MAX && term > sum * 1e-16; n++) {
		term *= x / (a + n);
		sum += term;
	}
	return sum * exp(-x + a * log(x) - log_gamma);
}

/* Q(a, x) by its continued fraction, from the far end. */
static double upper_fraction(double a, double x, double log_gamma)
{
	double f = x;
	for (int n = 500; n > 0; n--)
		f = x + (n - a) / (1 + n / f);
	return exp(-x + a * log(x) - log_gamma) / f;
}

double chi2_upper(double x, int freedom)
{
	double a = freedom / 2.0, half = x / 2;
	if (half <= 0)
		return 1;
	double log_gamma = log_gamma_half(freedom);
	return half < a + 1 ? 1 - lower_series(a, half, log_gamma)
			    : upper_fraction(a, half, log_gamma);
}

static struct dice_test test(const uint64_t *seen, const double *chance,
			     int kinds)
{
	struct dice_test t = { .freedom = kinds - 1 };
	double total = 0;
	for (int i = 0; i < kinds; i++)
		total += (double)seen[i];
	for (int i = 0; i < kinds && total > 0; i++) {
		double want = total * chance[i];
		double off = (double)seen[i] - want;
		t.chi2 += off * off / want;
	}
	t.p = chi2_upper(t.chi2, t.freedom);
	return t;
}

struct dice_test dice_test_faces(const uint64_t face[FACES])
{
	double chance[FACES];
	for (int i = 0; i < FACES; i++)
		chance[i] = 1.0 / FACES;
	return test(face, chance, FACES);
}

struct dice_test dice_test_pairs(const uint64_t pair[PAIRS])
{
	double chance[PAIRS];
	for (int high = 1; high <= FACES; high++)
		for (int low = 1; low <= high; low++)
			chance[pair_of(high, low)] =
				(high == low ? 1.0 : 2.0) / (FACES * FACES);
	return test(pair, chance, PAIRS);
}

static uint64_t dice_of(const struct dice_player *p)
{
	uint64_t sum = 0;
	for (int i = 0; i < FACES; i++)
		sum += p->face[i];
	return sum;
}

bool dice_stats_fair(const struct dice_stats *s, size_t *tests)
{
	double least = dice_test_faces(s->face).p;
	double pairs = dice_test_pairs(s->pair).p;
	least = pairs < least ? pairs : least;
	*tests = 2;
	for (size_t i = 0; i < s->players; i++) {
		if (dice_of(&s->player[i]) < DICE_TESTED_MIN)
			continue;
		double p = dice_test_faces(s->player[i].face).p;
		least = p < least ? p : least;
		(*tests)++;
	}
	return least >= DICE_ALARM / (double)*tests;
}
