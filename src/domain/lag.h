/* SPDX-License-Identifier: MIT
 * lag.h - the way of messages is not thought. When a position is given to the
 * side to move, the message carries a random nonce. A client that echoes it at
 * once, with match.seen, tells the server how long a message takes there and
 * back: from when the position was sent (or the clock was started, if that was
 * later) until the echo arrived. So much of the turn is credited, but never
 * more than per_move_ms, nor more than is left of total_ms, which each side has
 * once for the whole match. No echo, no credit. What was credited is in the
 * fact of the move, both limits are in the fact that begins the match, and the
 * verifier adds up.
 *
 * What a cheater can gain. The server believes no time that a client names; it
 * measures. A client that thinks first and echoes then, or whose network holds
 * its bytes back, looks just like a slow network, and nothing can tell them
 * apart: he gains per_move_ms in a move and total_ms in a match at most, which
 * is why both are small, and an operator may set either to 0. More cannot be
 * had:
 * - An echo before the message has arrived would be a shorter way, and needs 64
 *   bits guessed.
 * - One echo counts in each turn, the first; its nonce is void with the turn.
 * - To ask for the position anew, after a resume or without need, gives another
 *   nonce, measured from then: only the last way counts, not an absence.
 * - The echo of the opponent, of a spectator, of another turn is refused.
 * - A turn that a crash or a failing disk cut off begins anew, with a nonce of
 *   its own; what earlier moves were credited is durable and stays spent.
 * - Where no bank is drawn on there is nothing to credit: unlimited clocks and
 *   days per move send no nonce. */
#ifndef PLYD_DOMAIN_LAG_H
#define PLYD_DOMAIN_LAG_H

#include <stdbool.h>
#include <stdint.h>

struct lag_rules {
	int64_t per_move_ms;
	int64_t total_ms; /* of each side */
};

enum { LAG_NONCE_BYTES = 8 };

/* Of the turn that is being played. */
struct lag_probe {
	uint64_t nonce; /* 0: none was sent */
	uint64_t sent_ms;
	bool echoed;
	int64_t credit_ms; /* if echoed */
};

/* The credit for a way of `way_ms`, which may be below zero, to a side that has
 * had used_ms in earlier half-moves and before_ms in this one: who asks for his
 * dice is given two positions in one half-move. */
int64_t lag_credit_ms(const struct lag_rules *r, int64_t way_ms,
		      int64_t used_ms, int64_t before_ms);

#endif
