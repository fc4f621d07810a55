/* SPDX-License-Identifier: MIT
 * client_clock.c - clocks that clients ask for: often none, mostly sound ones,
 * and some that no ruleset has. */
#include "client.h"
#include "proto/write.h"
#include "sim.h"

struct clock_asked clock_choose(struct sim *sim)
{
	struct clock_asked c = {
		.kind = -1, .base_ms = -1, .increment_ms = -1, .delay_ms = -1
	};
	c.ruleset = sim->rules[sim_between(sim, 0, RULESETS - 1)].rules.name;
	if (sim_chance(sim, 5500))
		return c;
	if (sim_chance(sim, 8000))
		c.kind = (int)sim_between(sim, 0, CLOCK_KIND_COUNT - 1);
	if (c.kind != CLOCK_UNLIMITED || sim_chance(sim, 500))
		c.base_ms = sim_between(sim, 4000, 40000);
	if (c.kind <= CLOCK_FISCHER || sim_chance(sim, 500))
		c.increment_ms = sim_between(sim, 0, 1500);
	if (c.kind == CLOCK_DELAY || c.kind == CLOCK_BRONSTEIN ||
	    sim_chance(sim, 500))
		c.delay_ms = sim_between(sim, 0, 1500);
	if (sim_chance(sim, 300))
		c.base_ms = sim_between(sim, 0, 1) ? 500 : 130000;
	return c;
}

uint32_t clock_entries(const struct clock_asked *c)
{
	return (c->kind >= 0) + (c->base_ms >= 0) + (c->increment_ms >= 0) +
	       (c->delay_ms >= 0);
}

static void put_ms(struct buf *b, const char *key, int64_t ms)
{
	if (ms < 0)
		return;
	put_cstr(b, key);
	put_int(b, ms);
}

void put_clock(struct sim *sim, struct buf *b, const struct clock_asked *c)
{
	static const char *const names[] = { "fischer", "unlimited", "delay",
					     "bronstein", "per_move" };
	if (c->kind == CLOCK_UNLIMITED && sim_chance(sim, 5000)) {
		put_cstr(b, "unlimited");
		put_bool(b, true);
	} else if (c->kind >= 0) {
		put_cstr(b, "clock");
		put_cstr(b, names[c->kind]);
	}
	put_ms(b, "base_ms", c->base_ms);
	put_ms(b, "increment_ms", c->increment_ms);
	put_ms(b, "delay_ms", c->delay_ms);
}
