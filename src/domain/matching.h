/* SPDX-License-Identifier: MIT
 * matching.h - everybody in pairs at the least cost: a perfect matching of
 * least weight in a complete graph (Edmonds 1965, primal-dual, O(n^3)). Exact:
 * integers only. It knows nothing of tournaments. */
#ifndef PLYD_DOMAIN_MATCHING_H
#define PLYD_DOMAIN_MATCHING_H

#include <stddef.h>
#include <stdint.h>

/* Wide enough for several costs, one before the other, in one number. */
__extension__ typedef __int128 match_cost;

enum {
	MATCHING_MAX = 1024,
	/* costs are below 2 to this power: their duals may be sums of many */
	MATCH_COST_BITS = 114,
};

/* cost[i * count + j] = cost[j * count + i] >= 0; the diagonal is not looked
 * at. mate[i] becomes the other of i. count is even and at most MATCHING_MAX.
 * The same costs always give the same pairs, also where several are least.
 * PLYD_ENOMEM. */
int matching_least(size_t count, const match_cost *cost, uint16_t *mate);

#endif
