/* SPDX-License-Identifier: MIT
 * client_life.c - what players say of a match beside their moves: takebacks and
 * the like. */
#include "client.h"
#include "sim.h"

bool client_wants_more(struct sim *sim, struct client *c, struct seen_match *m)
{
	uint32_t dice = sim_between(sim, 0, 99);
	if (!m->over || m->you < 0 || m->rematches > 3)
		return false;
	if (dice < (m->rematch ? 50u : 8u)) {
		m->rematches++;
		ask_match(sim, c, METHOD_MATCH_REMATCH, &m->match);
		if (sim_chance(sim, 1000)) /* a double click */
			ask_match(sim, c, METHOD_MATCH_REMATCH, &m->match);
	} else if (dice > 97) {
		ask_match(sim, c, METHOD_MATCH_REMATCH_DECLINE, &m->match);
	} else {
		return false;
	}
	return true;
}

bool client_talks_of_life(struct sim *sim, struct client *c,
			  const struct seen_match *m)
{
	uint32_t dice = sim_between(sim, 0, 99);
	if (m->paused) {
		if (dice < 60)
			ask_match(sim, c, METHOD_MATCH_RESUME, &m->match);
		return dice < 60;
	}
	if (m->pause == 1 - m->you && dice < 60) {
		ask_ply(sim, c,
			dice < 40 ? METHOD_MATCH_PAUSE_ACCEPT
				  : METHOD_MATCH_PAUSE_DECLINE,
			&m->match, m->ply);
	} else if (dice == 99) {
		ask_match(sim, c, METHOD_MATCH_LEAVE, &m->match);
	} else if (dice > 92) {
		ask_ply(sim, c, METHOD_MATCH_PAUSE_OFFER, &m->match, m->ply);
	} else if (m->takeback == 1 - m->you && dice < 70) {
		ask_ply(sim, c,
			dice < 55 ? METHOD_MATCH_TAKEBACK_ACCEPT
				  : METHOD_MATCH_TAKEBACK_DECLINE,
			&m->match, m->ply);
		if (sim_chance(sim, 1000)) /* a double click */
			ask_ply(sim, c, METHOD_MATCH_TAKEBACK_ACCEPT, &m->match,
				m->ply);
	} else if (dice < 30) {
		ask_ply(sim, c, METHOD_MATCH_TAKEBACK_OFFER, &m->match, m->ply);
		if (sim_chance(sim, 1500)) /* he agrees with himself */
			ask_ply(sim, c, METHOD_MATCH_TAKEBACK_ACCEPT, &m->match,
				m->ply);
	} else {
		return false;
	}
	return true;
}
