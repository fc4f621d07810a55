/* SPDX-License-Identifier: MIT
 * cast.h - who takes part in a story, which faults may happen in it, and which
 * of its steps. A step is one thing that somebody does of himself: a client
 * that acts, the operator, a crash; what follows from it is no step. Everything
 * takes part unless a shrinker (shrink.h) has taken it away. */
#ifndef PLYD_TESTS_SIM_CAST_H
#define PLYD_TESTS_SIM_CAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(CODE, words) */
#define FAULT_KINDS(X)                                                         \
	X(CRASH, "crashes")                                                    \
	X(COMMIT, "commits that fail")                                         \
	X(LATE, "commits that are late")                                       \
	X(TORN, "commits that a crash tears")                                  \
	X(CUT, "connections that end")                                         \
	X(NETWORK, "a slow network")                                           \
	X(READER, "slow readers")                                              \
	X(STALL, "stalls of the machine")                                      \
	X(CLOCK, "a wall clock that is set")                                   \
	X(FREEZE, "matches that are frozen")                                   \
	X(WORKER, "workers that hang, lie or are late")                        \
	X(HOSTILE, "hostile requests")                                         \
	X(REPEAT, "requests sent twice")                                       \
	X(OPERATOR, "an operator")

enum fault {
#define X(code, words) FAULT_##code,
	FAULT_KINDS(X)
#undef X
		FAULT_COUNT
};

/* Who does a step: clients by their number, and then these. */
enum {
	ACTOR_AT_ONCE = 32, /* and the number of a client: moves at once */
	ACTOR_OPERATOR = 64,
	ACTOR_CRASH,
	ACTOR_DISK,
	ACTOR_STALL,
	ACTOR_CLOCK,
	ACTOR_FREEZE,
	ACTOR_SNAPSHOT,
	ACTOR_RELOAD,
	ACTORS,
	STEPS_MAX = 60000
};

struct doing {
	uint16_t actor;
	uint32_t number; /* the actor's first step is 0 */
};

struct cast {
	uint32_t clients; /* bit i: client i acts */
	uint32_t faults;  /* bit k: faults of kind k happen */
	/* Those that happen, in this order; lent. NULL: all. */
	const struct doing *only;
	size_t only_count;
	/* Where what happened is noted, STEPS_MAX of them; lent, or NULL. */
	struct doing *done;
	size_t *done_count;
	/* of this story */
	uint32_t next[ACTORS];
	uint32_t kept[ACTORS]; /* index in `only`, where to go on looking */
};

void cast_everybody(struct cast *c);
const char *fault_words(enum fault kind);
bool cast_has(const struct cast *c, enum fault kind);
/* An actor is about to do his next step, whose number is *number; false: it is
 * left out. */
bool cast_step(struct cast *c, unsigned actor, uint32_t *number);
/* Steps so far, of all actors. */
unsigned cast_steps(const struct cast *c);

#endif
