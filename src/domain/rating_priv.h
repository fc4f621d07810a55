/* SPDX-License-Identifier: MIT
 * rating_priv.h - ratings from inside the domain. */
#ifndef PLYD_DOMAIN_RATING_PRIV_H
#define PLYD_DOMAIN_RATING_PRIV_H

#include "base/table.h"
#include "domain/fact.h"
#include "domain/rating.h"

/* All ratings of one player. */
struct rated {
	struct id player;
	struct rating *ratings;
	UT_hash_handle hh;
};

/* What a match that ends does to the ratings of both. */
struct match_rating {
	bool rated;
	int score; /* White's: 2 won, 1 drawn, 0 lost */
	struct rating_value before[2];
	struct rating_value after[2];
};

/* Before the fact that ends m: finds what the end does, and says it in the
 * match's log. The one place where a match is rated. */
void match_rate(struct domain *d, struct match *m, enum match_result result,
		struct match_rating *out);
/* After it: both players get their ratings. */
void match_rated(struct domain *d, const struct match *m,
		 const struct match_rating *by);

int apply_rated(struct match *m, const struct fact_rated_body *b);
int apply_player_rated(struct domain *d, const struct fact *f);

void ratings_forget(struct domain *d, const struct id *player);
void ratings_free(struct domain *d);

/* Every rating as the facts that make it again. */
void ratings_put(const struct domain *d,
		 void (*put)(void *payload, const struct fact *f),
		 void *payload);

#endif
