/* SPDX-License-Identifier: MIT
 * setting.c - the rulesets and limits of this world, by its seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

enum { HYPER_MATCH = 5, HYPER_MONEY };

/* Short games: a match of several, or one with cube and Jacoby's rule. */
static void make_stakes(struct ruleset *rules, bool games)
{
	struct backgammon_options *o = &rules->backgammon;
	snprintf(rules->name, sizeof(rules->name), "%s",
		 games ? "hyper-match" : "hyper-money");
	o->match_length = games ? 3 : 0;
	o->cube = 1;
	o->crawford = games;
	o->jacoby = !games;
}

static void make_rules(struct sim *sim)
{
	static const char *const names[RULESETS] = {
		"english",   "turkish",     "backgammon",  "short-backgammon",
		"caucasian", "hypergammon", "hypergammon",
	};
	for (int i = 0; i < RULESETS; i++) {
		struct match_rules *r = &sim->rules[i];
		unsigned no_progress = sim_between(sim, 20, 60);
		int64_t base_ms = sim_between(sim, 15000, 60000);
		int64_t increment_ms = sim_between(sim, 0, 1500);
		*r = (struct match_rules){
			.draws = { .policy = "standard",
				   .repetition = 3,
				   .no_progress = no_progress },
			.clock = { .base_ms = base_ms,
				   .increment_ms = increment_ms },
			.clock_limits = { .kinds = CLOCK_KINDS_ALL,
					  .base_ms_min = 1000,
					  .base_ms_max = 120000,
					  .increment_ms_max = 5000,
					  .delay_ms_max = 5000,
					  .move_ms_min = 1000,
					  .move_ms_max = 120000 },
		};
		if (ruleset_find(names[i], strlen(names[i]), &r->rules))
			abort();
		if (i >= HYPER_MATCH)
			make_stakes(&r->rules, i == HYPER_MATCH);
		if (ruleset_has_dice(&r->rules))
			r->draws = (struct draw_rules){ .policy = "standard" };
		r->draws.judged = sim_between(sim, 0, 3) == 0;
		r->draws.no_offers = sim_between(sim, 0, 7) == 0;
		r->draws.offers_from = sim_between(sim, 0, 1) * 6;
		r->draws.offers_max = sim_between(sim, 0, 2);
		r->takeback = sim_between(sim, 0, 3) != 0;
	}
}

static void make_limits(struct sim *sim)
{
	domain_limits_default(&sim->domain_limits);
	hub_limits_default(&sim->hub_limits);
	sim->domain_limits.players_max = sim_between(sim, 14, 30);
	sim->domain_limits.lobbies_max = sim_between(sim, 3, 20);
	sim->domain_limits.matches_max = sim_between(sim, 3, 30);
	sim->domain_limits.lobbies_per_player = sim_between(sim, 1, 3);
	sim->domain_limits.matches_per_player = sim_between(sim, 1, 4);
	sim->domain_limits.ai_matches_max = sim_between(sim, 1, 6);
	sim->domain_limits.ai_waiting_max = sim_between(sim, 0, 4);
	sim->domain_limits.ai_matches_per_player = sim_between(sim, 1, 3);
	sim->ai_wanted = sim_between(sim, 1000, 8000);
	sim->domain_limits.watches_per_player = 3;
	sim->domain_limits.follows_per_player = 2;
	if (sim_chance(sim, 3000))
		sim->domain_limits.spectator_delay_ms =
			sim_between(sim, 1, 20000);
	sim->domain_limits.verdict_wait_ms = VERDICT_MS;
	sim->domain_limits.lag_per_move_ms =
		sim_chance(sim, 2000) ? 0 : sim_between(sim, 1, 300);
	sim->domain_limits.time_fact_ms = sim_between(sim, 1000, 60000);
	sim->domain_limits.lag_total_ms = sim_between(sim, 0, 2000);
	sim->domain_limits.nonce_wait_ms = sim_between(sim, 0, 3000);
	sim->domain_limits.claim_after_ms = sim_between(sim, 1000, 8000);
	sim->domain_limits.chat_burst = sim_between(sim, 1, 4);
	sim->domain_limits.chat_line_ms = sim_between(sim, 100, 2000);
	sim->domain_limits.reports_per_day = sim_between(sim, 0, 5);
	sim->domain_limits.seeks_per_player = sim_between(sim, 1, 4);
	sim->domain_limits.ready_wait_ms = sim_between(sim, 5000, 30000);
	sim->domain_limits.challenge_keep_ms = sim_between(sim, 2000, 20000);
	sim->domain_limits.lobby_away_ms = sim_between(sim, 1000, 8000);
	sim->domain_limits.guest_keep_ms = sim_between(sim, 5000, 60000);
	sim->domain_limits.restart_grace_ms = sim_between(sim, 0, 8000);
	sim->domain_limits.result_keep_ms = sim_between(sim, 1000, 30000);
	sim->domain_limits.adjourned_keep_ms = 60000;
	sim->domain_limits.rename_hold_ms = sim_between(sim, 1000, 60000);
	sim->domain_limits.hashes_waiting_max = sim_between(sim, 1, 6);
	sim->hub_limits.logins_per_account = 4;
	sim->hub_limits.login_account_ms = 2000;
	sim->hub_limits.logins_per_address = 30;
	sim->hub_limits.login_address_ms = 500;
	sim->domain_limits.first_move_ms = sim_between(sim, 5000, 60000);
	sim->domain_limits.leave_counts_ms = sim_between(sim, 5000, 60000);
	sim->hub_limits.snapshot_facts = sim_between(sim, 20, 400);
	sim->write_queue_bytes = 4 * (size_t)sim->hub_limits.pause_bytes;
	sim->queued_weight = sim_between(sim, 8, 256);
	sim->hub_limits.idle_ms = 40000;
	sim->hub_limits.message_ms = 6000;
	sim->hub_limits.hello_ms = 4000;
	sim->hub_limits.requests_burst = 40;
	sim->hub_limits.requests_per_s = 20;
}

void setting_make(struct sim *sim)
{
	make_rules(sim);
	make_limits(sim);
}
