/* SPDX-License-Identifier: MIT
 * clock.h - what the clocks of a match are, and all arithmetic on them. Pure:
 * times come in, times go out. Nothing here knows a match.
 *
 * A side's clock is one number, left_ms, and changes only when a turn of that
 * side ends. `used_ms` is the time charged for the turn so far: from the
 * release of the position to its player until now, less what lag.h credits.
 *
 *               flag falls at            left_ms after the move
 *   fischer     left                     left - used + increment
 *   delay       left + delay             left - max(used - delay, 0)
 *   bronstein   left                     left - used + min(used, delay)
 *   per_move    base                     base
 *   unlimited   never                    left, which is 0
 *
 * per_move is days per move: base_ms for every move and no bank. It runs from
 * the durable fact that began the turn, through restarts of the server too, but
 * not while the server is down; the others start a turn anew that a crash cut
 * off. So a correspondence match ends though the server is restarted daily. */
#ifndef PLYD_DOMAIN_CLOCK_H
#define PLYD_DOMAIN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* V(UPPER, "name", doc). The order is the numbers in facts, the names are on
 * the wire: both for ever. */
#define CLOCK_KINDS(V)                                                         \
	V(FISCHER, "fischer", "Each move adds `increment_ms`.")                \
	V(UNLIMITED, "unlimited", "No clock.")                                 \
	V(DELAY, "delay", "The first `delay_ms` of each turn are free.")       \
	V(BRONSTEIN, "bronstein",                                              \
	  "After each move the time used comes back, `delay_ms` at most.")     \
	V(PER_MOVE, "per_move", "`base_ms` for each move; nothing is saved up.")

enum clock_kind {
#define V(UPPER, name, doc) CLOCK_##UPPER,
	CLOCK_KINDS(V)
#undef V
		CLOCK_KIND_COUNT
};
const char *clock_kind_name(enum clock_kind kind);

enum { CLOCK_MS_MAX = 24 * 60 * 60 * 1000 };      /* what a bank may hold */
#define CLOCK_PER_MOVE_MS_MAX INT64_C(2592000000) /* 30 days */

/* What a kind does not use is 0. */
struct clock_rules {
	enum clock_kind kind;
	int64_t base_ms;      /* at first; CLOCK_PER_MOVE: for each move */
	int64_t increment_ms; /* CLOCK_FISCHER */
	int64_t delay_ms;     /* CLOCK_DELAY, CLOCK_BRONSTEIN */
};

/* Whether time can run out. */
static inline bool clock_is_limited(const struct clock_rules *c)
{
	return c->kind != CLOCK_UNLIMITED;
}

/* Whether a match lives for days: its players may be away, and what it waits
 * for must outlive restarts. */
static inline bool clock_is_slow(const struct clock_rules *c)
{
	return c->kind == CLOCK_UNLIMITED || c->kind == CLOCK_PER_MOVE;
}

/* Whether all numbers are in range, for the kind: facts and scripts may say
 * anything. */
bool clock_is_sound(const struct clock_rules *c);

/* The clock that facts describe. False: it is none. */
bool clock_read(int64_t kind, bool unlimited, int64_t base_ms,
		int64_t increment_ms, int64_t delay_ms,
		struct clock_rules *out);

/* All take left_ms as it was when the turn began, within 0..the kind's maximum,
 * and used_ms >= 0. */

/* How much may be used before the flag falls; INT64_MAX: it never does. */
int64_t clock_turn_ms(const struct clock_rules *c, int64_t left_ms);
/* What the running clock shows; never negative. */
int64_t clock_shown_ms(const struct clock_rules *c, int64_t left_ms,
		       int64_t used_ms);
/* How long it still shows the same. */
int64_t clock_free_ms(const struct clock_rules *c, int64_t used_ms);
/* left_ms after a move in time: used_ms < clock_turn_ms(). */
int64_t clock_after_move_ms(const struct clock_rules *c, int64_t left_ms,
			    int64_t used_ms);

/* -- what may be asked for -- */

enum { CLOCK_KINDS_ALL = (1 << CLOCK_KIND_COUNT) - 1 };

/* What an operator allows in matches of a ruleset. */
struct clock_limits {
	uint32_t kinds; /* bit 1 << enum clock_kind; no others */
	int64_t base_ms_min, base_ms_max;
	int64_t increment_ms_max;
	int64_t delay_ms_max;
	int64_t move_ms_min, move_ms_max; /* base_ms of CLOCK_PER_MOVE */
};
/* All kinds, and wide. */
void clock_limits_default(struct clock_limits *out);
bool clock_is_allowed(const struct clock_limits *l,
		      const struct clock_rules *c);

/* A clock as somebody asks for it; all zero: as it is. `unlimited` is another
 * word for that kind. */
struct clock_wish {
	bool has_kind, has_base_ms, has_increment_ms, has_delay_ms;
	bool unlimited;
	enum clock_kind kind;
	int64_t base_ms, increment_ms, delay_ms;
};

/* The standard clock, changed as asked for; of a clock of another kind only the
 * base is taken over, and the delay, where both kinds have such a thing. False:
 * a time is asked for that the kind does not have, or two kinds are. */
bool clock_wanted(const struct clock_rules *standard,
		  const struct clock_wish *wish, struct clock_rules *out);

#endif
