/* SPDX-License-Identifier: MIT
 * bg_learn.h - the lessons of the backgammon nets. Each keeps its state
 * in a directory, says how far it is, and goes on where it was stopped. They
 * return 0, or -1 when a file could not be read or written, which they say. */
#ifndef PLYD_ENGINE_TRAIN_BG_LEARN_H
#define PLYD_ENGINE_TRAIN_BG_LEARN_H

#include "engine/train_backgammon/bg_net.h"

/* All that a lesson goes on from. */
struct bg_student {
	struct bg_nets nets;
	struct bg_rng rng;
	uint64_t games; /* played */
	uint64_t turns; /* learned from in them */
};

/* How fast to learn; between them the rate falls geometrically. */
struct bg_rates {
	double first;
	double last;
};
/* With so much of it done, from 0 to 1. */
double bg_rate(struct bg_rates rates, double done);

/* Self-play until so many games have been played. */
int bg_play(const char *directory, struct bg_student *s, uint64_t seed,
	    uint64_t games, struct bg_rates rates);
/* Judges positions of self-play one throw deep, until there are so many. */
int bg_label(const char *directory, struct bg_student *s, uint64_t seed,
	     uint64_t positions);
/* Learns the judgements of the same seed, all of them so many times. Stopped,
 * it starts again. */
int bg_study(const char *directory, struct bg_student *s, uint64_t seed,
	     uint64_t epochs, struct bg_rates rates);

/* Writes the nets in integers, as the engine takes them. */
int bg_export(const char *directory, struct bg_student *s, const char *file);

int bg_load(const char *directory, struct bg_student *s);
int bg_save(const char *directory, const struct bg_student *s);

/* The best of the results of a throw, seen by the side that is then on roll;
 * *c: its chances. */
struct bg_board bg_best(const struct bg_nets *n, const struct bg_moves *m,
			struct bg_chances *c);
/* A race of any kind: also such as are seldom reached, where gammons are
 * close. One side may be bearing off while the other is far from home. */
void bg_start_race(struct bg_board *b, struct bg_rng *rng);

#endif
