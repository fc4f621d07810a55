/* SPDX-License-Identifier: MIT
 * dice_stats.h - whether many throws look like those of fair dice: chi-square
 * tests of faces, of pairs, and of the faces of each player. Pure counting: that
 * each throw follows from its seed is verified elsewhere. */
#ifndef PLYD_PLY_DICE_STATS_H
#define PLYD_PLY_DICE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FACES = 6,
	PAIRS = 21, /* 11, 21, 22, 31 ... 66 */
	DICE_NAME_MAX = 80,
	/* Fewer dice than that of a player are not tested: chi-square needs 5
	 * of each face. */
	DICE_TESTED_MIN = 30,
};

/* So rarely may fair dice be called unfair, over all tests together. */
#define DICE_ALARM 0.001

struct dice_player {
	char name[DICE_NAME_MAX];
	uint64_t face[FACES];
};

struct dice_stats {
	uint64_t throws;
	uint64_t face[FACES];
	uint64_t pair[PAIRS];
	struct dice_player *player;
	size_t players;
	size_t cap;
};

/* A test and its outcome. */
struct dice_test {
	double chi2;
	int freedom;
	double p; /* how often fair dice are as far off, or farther */
};

/* All zeros is empty; release frees what was counted. */
void dice_stats_release(struct dice_stats *s);

/* Counts a throw of two dice of one player; or, if `second` is not NULL, of one
 * die of each. False: no memory. */
bool dice_stats_add(struct dice_stats *s, const char *first, const char *second,
		    int die1, int die2);

struct dice_test dice_test_faces(const uint64_t face[FACES]);
struct dice_test dice_test_pairs(const uint64_t pair[PAIRS]);

/* How many tests there are, and whether none of them is below DICE_ALARM shared
 * among them. */
bool dice_stats_fair(const struct dice_stats *s, size_t *tests);

/* The chance that chi-square with so many degrees of freedom is at least x. */
double chi2_upper(double x, int freedom);

#endif
