/* SPDX-License-Identifier: MIT
 * board.h - leaderboards: the ratings of one ruleset, speed class and pool, the
 * best first. On it are those that are not provisional; who has not played for
 * long leaves it when somebody looks, and comes back with his next match. It is
 * made from ratings alone and is in no fact. */
#ifndef PLYD_DOMAIN_BOARD_H
#define PLYD_DOMAIN_BOARD_H

#include "base/table.h"
#include "domain/rating.h"

enum { BOARD_SHOWN_MAX = 100, BOARD_SHOWN_DEFAULT = 20 };

struct board_key {
	char ruleset[RULESET_NAME_MAX + 1];
	uint8_t speed;
	uint8_t pool;
};

struct board {
	struct board_key key;
	struct rating **at; /* by rating, the higher first, then by player */
	size_t count;
	size_t cap;
	UT_hash_handle hh;
};

/* NULL: nobody was ever on it. */
struct board *board_find(struct board *boards, struct span ruleset,
			 enum speed_class speed, enum rating_pool pool);

/* Makes room for one more of this kind, so that board_set() cannot fail.
 * PLYD_ENOMEM. */
int board_reserve(struct board **boards, const struct rating *r);
/* Gives r a new value and its place by it. */
void board_set(struct board *boards, struct rating *r,
	       const struct rating_value *value);
void board_leave(struct board *boards, struct rating *r);
void boards_free(struct board **boards);

/* Lets those leave who are provisional by unix_ms, as far as is needed to know
 * the first `count`. Returns how many of these there are. */
size_t board_settle(struct board *b, size_t count, int64_t unix_ms);

#endif
