/* SPDX-License-Identifier: MIT
 * Logistic regression: a position's worth is the sum of its features' weights,
 * early and late mixed by the number of pieces, and the chance to win that it
 * stands for is 1 / (1 + exp(-worth)). Each weight has its own rate of learning
 * (Duchi, Hazan and Singer's AdaGrad), so that rare patterns learn fast. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "engine/train_draughts/learn.h"

enum { COUNTS = 4, HELD_BACK = 20 /* one sample in so many is not learned */ };

static const double rate = 0.15;
/* A pattern moves little until it has been seen often: what it would teach then
 * is chance. How many pieces there are is seen each time. */
static const double caution = 12;
static const double caution_counts = 1;

/* One weight of one stage, and the sum of its squared corrections. */
struct weight {
	float value;
	float square;
};

struct fit {
	const struct feature_kind *kind;
	size_t tables; /* features of patterns and of material */
	struct weight (*weight)[STAGES];     /* patterns, then material */
	struct weight count[COUNTS][STAGES]; /* own and other men, kings */
};

static double share_early(const struct fit *f, const struct features *x)
{
	return (double)x->stage / ((int)f->kind->full - STAGE_LATE);
}

/* How many of each kind a state of the material stands for, signed. */
static void state_counts(int material, double out[COUNTS])
{
	int kings = material % (KING_STATES * KING_STATES);
	int men = material / (KING_STATES * KING_STATES);
	out[0] = men / MEN_STATES;
	out[1] = -(men % MEN_STATES);
	out[2] = kings / KING_STATES;
	out[3] = -(kings % KING_STATES);
}

static double mixed(const struct weight w[STAGES], double early)
{
	return (double)w[0].value * early + (double)w[1].value * (1 - early);
}

static struct weight *material_weight(struct fit *f, int state)
{
	size_t patterns = f->tables - MATERIAL_STATES;
	return f->weight[patterns + (size_t)state];
}

static double worth(struct fit *f, const struct features *x)
{
	double early = share_early(f, x), n[COUNTS];
	double sum = mixed(material_weight(f, x->material), early);
	for (int i = 0; i < x->count; i++)
		sum += mixed(f->weight[x->at[i]], early);
	state_counts(x->material, n);
	for (int i = 0; i < COUNTS; i++)
		sum += n[i] * mixed(f->count[i], early);
	return sum;
}

static void correct(struct weight *w, double slope, double reserve)
{
	w->square += (float)(slope * slope);
	w->value -= (float)(rate * slope / sqrt((double)w->square + reserve));
}

static void correct_both(struct weight w[STAGES], double slope, double early,
			 double reserve)
{
	if (early > 0)
		correct(&w[0], slope * early, reserve);
	if (early < 1)
		correct(&w[1], slope * (1 - early), reserve);
}

/* First what pieces are worth by themselves, later where they stand, too. */
static void learn_sample(struct fit *f, const struct sample *s, bool places)
{
	struct features x;
	double n[COUNTS];
	f->kind->find(&s->view, &x);
	double early = share_early(f, &x);
	double chance = 1 / (1 + exp(-worth(f, &x)));
	double slope = chance - s->result / 2.0;
	state_counts(x.material, n);
	for (int i = 0; i < COUNTS; i++)
		correct_both(f->count[i], slope * n[i], early, caution_counts);
	if (!places)
		return;
	correct_both(material_weight(f, x.material), slope, early, caution);
	for (int i = 0; i < x.count; i++)
		correct_both(f->weight[x.at[i]], slope, early, caution);
}

/* How badly the weights explain samples: the mean of -log(chance). */
static double mean_loss(struct fit *f, const struct sample *s, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		struct features x;
		f->kind->find(&s[i].view, &x);
		double chance = 1 / (1 + exp(-worth(f, &x)));
		double y = s[i].result / 2.0;
		sum -= y * log(chance + 1e-12) +
		       (1 - y) * log(1 - chance + 1e-12);
	}
	return count ? sum / (double)count : 0;
}

static void shuffle(struct rng *rng, struct sample *s, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = rng_below(rng, (uint32_t)i);
		struct sample t = s[i - 1];
		s[i - 1] = s[j];
		s[j] = t;
	}
}

static int rounded(double x, int most)
{
	double r = floor(x + 0.5);
	return r > most ? most : r < -most ? -most : (int)r;
}

/* What a man is worth: the mean over positions that differ by one. Much of it
 * lies in the patterns that the man is part of. */
static double man_worth(struct fit *f, const struct samples *s)
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct features x;
		double n[COUNTS];
		f->kind->find(&s->at[i].view, &x);
		state_counts(x.material, n);
		double ahead = n[0] + n[1];
		if ((ahead != 1 && ahead != -1) || n[2] > 0 || n[3] < 0)
			continue;
		sum += ahead * worth(f, &x);
		count++;
	}
	return count ? sum / (double)count : 1;
}

/* What is written are centi-men: a man is worth 100. */
static struct learned *quantised(struct fit *f, const struct lesson *lesson,
				 const struct samples *samples)
{
	size_t states = (size_t)f->kind->patterns * PATTERN_STATES;
	struct learned *l = calloc(1, sizeof(*l) + states * STAGES);
	double man = man_worth(f, samples);
	double scale = 100 / man;
	if (!l)
		return NULL;
	for (size_t i = 0; i < states; i++)
		for (int s = 0; s < STAGES; s++)
			l->pattern[i][s] = (int8_t)
				rounded(scale * (double)f->weight[i][s].value,
					127);
	for (int i = 0; i < MATERIAL_STATES; i++) {
		double n[COUNTS];
		state_counts(i, n);
		for (int s = 0; s < STAGES; s++) {
			double sum = (double)material_weight(f, i)[s].value;
			for (int k = 0; k < COUNTS; k++)
				sum += n[k] * (double)f->count[k][s].value;
			l->material[i][s] = (int16_t)rounded(scale * sum, 9999);
		}
	}
	l->head =
		(struct learned_head){ .magic = LEARNED_MAGIC,
				       .patterns = f->kind->patterns,
				       .full = f->kind->full,
				       .seed = lesson->seed,
				       .games = lesson->games,
				       .positions = (uint32_t)samples->count };
	l->head.sum = learned_sum(l);
	fprintf(stderr, "a man is worth %.3f\n", man);
	return l;
}

struct learned *fit_weights(const struct lesson *lesson,
			    struct samples *samples)
{
	struct fit f = { .kind = feature_kind_of(lesson->ruleset) };
	struct learned *l = NULL;
	struct rng rng;

	f.tables = (size_t)f.kind->patterns * PATTERN_STATES + MATERIAL_STATES;
	f.weight = calloc(f.tables, sizeof(*f.weight));
	if (f.weight) {
		rng_seed(&rng, lesson->seed + 1);
		shuffle(&rng, samples->at, samples->count);
		size_t held = samples->count / HELD_BACK;
		struct sample *s = samples->at + held;
		for (unsigned round = 0; round < lesson->rounds; round++) {
			shuffle(&rng, s, samples->count - held);
			for (size_t i = 0; i < samples->count - held; i++)
				learn_sample(&f, &s[i], round > 0);
			fprintf(stderr, "round %u: %.5f, held back %.5f\n",
				round + 1, mean_loss(&f, s, held),
				mean_loss(&f, samples->at, held));
		}
		l = quantised(&f, lesson, samples);
	}
	free(f.weight);
	return l;
}
