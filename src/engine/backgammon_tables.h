/* SPDX-License-Identifier: MIT
 * backgammon_tables.h - tables that are made when plyd is built, by
 * main_tables.c, and laid into the program as they are. */
#ifndef PLYD_ENGINE_BACKGAMMON_TABLES_H
#define PLYD_ENGINE_BACKGAMMON_TABLES_H

#include <stdint.h>

enum {
	BEAROFF_POINTS = 6,
	BEAROFF_CHECKERS = 15,
	BEAROFF_POSITIONS = 54264, /* 21 over 6 */
	BEAROFF_THROWS = 15,       /* distinct numbers of throws of one row */
	BEAROFF_ONE = 65536,
	REACH_WALLS = 4096,
	LOGISTIC_STEPS = 64, /* of 1.0 */
	LOGISTIC_SIZE = 11 * LOGISTIC_STEPS + 1
};

/* The chance, in 65536ths, that all are off after exactly first + i throws. */
struct bearoff_row {
	uint8_t first;
	uint8_t count;
	uint16_t chance[BEAROFF_THROWS];
};

/* And that none is off after one throw, and after two, played for that. */
struct bearoff_wait {
	uint16_t none[2];
};

/* How a lone checker gets on with one throw when some of the twelve points
 * before it are walls that it cannot stop on. */
struct reach {
	uint8_t escape; /* throws, of 36, that bring it six pips on at least */
	uint8_t run;    /* pips on average, times 4 */
};

struct backgammon_tables {
	struct bearoff_row row[BEAROFF_POSITIONS]; /* by bearoff_index() */
	struct bearoff_wait wait[BEAROFF_POSITIONS];
	/* bit 11: the point before the checker is a wall; bit 0: the twelfth */
	struct reach reach[REACH_WALLS];
	/* 65536 / (1 + e^-x) of x = i / LOGISTIC_STEPS */
	uint32_t logistic[LOGISTIC_SIZE];
};

extern const struct backgammon_tables plyd_backgammon_tables;

#endif
