/* SPDX-License-Identifier: MIT */
#include "scripts.h"

#include <stdio.h>
#include <stdlib.h>

#include "referee.h"
#include "sim.h"

void scripts_read(struct sim *sim)
{
	static const struct personality personalities[PERSONALITIES] = {
		{ "calm", "", "Takes what comes.", 0 },
		{ "wild", "", "Takes what it likes.", 0 },
	};
	char version[VERSION_BYTES_MAX + 1];
	snprintf(version, sizeof(version), "r%u", ++sim->readings % 100000);
	for (int i = 0; i < RULESETS; i++) {
		memcpy(sim->rules[i].version, version, sizeof(version));
		memcpy(sim->rules[i].draws.version, version, sizeof(version));
	}
	for (int i = 0; i < PERSONALITIES; i++) {
		sim->personality[i] = personalities[i];
		memcpy(sim->personality[i].version, version, sizeof(version));
	}
}

void scripts_reload(struct sim *sim)
{
	scripts_read(sim);
	story_tell(&sim->story, sim->t_ms, "server", "reads scripts again: %s",
		   sim->personality[0].version);
	const struct hub_reload what = { .rules = sim->rules,
					 .rules_count = RULESETS,
					 .personality = sim->personality,
					 .personality_count = PERSONALITIES };
	hub_reloaded(sim->hub, 0, 0, &what, sim_domain_ms(sim),
		     sim_unix_ms(sim));
}

struct span scripts_keep(struct sim *sim)
{
	static char text[32];
	if (sim_between(sim, 0, 9) == 0)
		return span_str(""); /* forgets all */
	int len = snprintf(text, sizeof(text), "note %u", ++sim->notes);
	return span_of(text, (size_t)len);
}

struct span scripts_say(struct sim *sim)
{
	static char text[32];
	if (!sim_chance(sim, 4000))
		return span_str("");
	int len = snprintf(text, sizeof(text), "word %u", ++sim->notes);
	return span_of(text, (size_t)len);
}

void scripts_asked(struct sim *sim, const struct match *m, int by)
{
	referee_asks_script(sim, &m->id, by,
			    domain_kept(hub_domain(sim->hub), &m->id,
					(enum kept_by)by));
}
