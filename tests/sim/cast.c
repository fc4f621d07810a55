/* SPDX-License-Identifier: MIT */
#include "cast.h"

void cast_everybody(struct cast *c)
{
	*c = (struct cast){ .clients = UINT32_MAX, .faults = UINT32_MAX };
}

const char *fault_words(enum fault kind)
{
	static const char *const words[FAULT_COUNT] = {
#define X(code, text) [FAULT_##code] = text,
		FAULT_KINDS(X)
#undef X
	};
	return words[kind];
}

bool cast_has(const struct cast *c, enum fault kind)
{
	return c->faults & UINT32_C(1) << kind;
}

/* Steps of one actor are asked for in their order. */
static bool is_kept(struct cast *c, unsigned actor, uint32_t number)
{
	uint32_t *i = &c->kept[actor];
	if (!c->only)
		return true;
	while (*i < c->only_count &&
	       (c->only[*i].actor != actor || c->only[*i].number < number))
		++*i;
	return *i < c->only_count && c->only[*i].number == number;
}

static bool takes_part(const struct cast *c, unsigned actor)
{
	switch (actor) {
	case ACTOR_OPERATOR: return cast_has(c, FAULT_OPERATOR);
	case ACTOR_CRASH: return cast_has(c, FAULT_CRASH);
	case ACTOR_DISK: return cast_has(c, FAULT_COMMIT);
	case ACTOR_STALL: return cast_has(c, FAULT_STALL);
	case ACTOR_CLOCK: return cast_has(c, FAULT_CLOCK);
	case ACTOR_FREEZE: return cast_has(c, FAULT_FREEZE);
	case ACTOR_SNAPSHOT:
	case ACTOR_RELOAD: return true;
	default: return c->clients & UINT32_C(1) << actor % ACTOR_AT_ONCE;
	}
}

bool cast_step(struct cast *c, unsigned actor, uint32_t *number)
{
	*number = c->next[actor]++;
	if (!takes_part(c, actor) || !is_kept(c, actor, *number))
		return false;
	if (c->done && *c->done_count < STEPS_MAX)
		c->done[(*c->done_count)++] =
			(struct doing){ (uint16_t)actor, *number };
	return true;
}

unsigned cast_steps(const struct cast *c)
{
	unsigned steps = 0;
	for (unsigned actor = 0; actor < ACTORS; actor++)
		steps += c->next[actor];
	return steps;
}
