/* SPDX-License-Identifier: MIT
 * client_lag.c - echoes of the nonces that turns begin with: at once as they
 * should be, or late by those who want to gain by it, or wrong, or never. */
#include "client.h"
#include "proto/write.h"
#include "sim.h"

enum { LATE_MS_MAX = 3000 };

static void ask_seen(struct sim *sim, struct client *c, const struct id *match,
		     const char *lag)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_MATCH_SEEN);
	a.match = *match;
	memcpy(a.text, lag, LAG_HEX + 1);
	put_map(b, 2);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	put_cstr(b, "lag");
	put_cstr(b, lag);
	ask_send(sim, c, &a);
}

void lag_is_known(struct sim *sim, struct client *c, struct seen_match *m,
		  const struct value *map)
{
	struct span text;
	if (value_str(value_find(map, "lag"), &text) || text.len != LAG_HEX ||
	    m->you < 0)
		return;
	if (m->turn != m->you && c->temper != HOSTILE)
		return;
	span_copy(text, m->lag, sizeof(m->lag));
	m->lag_at_ms = sim->t_ms;
	if (c->temper == HOSTILE && sim_chance(sim, 6000))
		m->lag_at_ms += sim_between(sim, 0, LATE_MS_MAX);
	else if (sim_chance(sim, c->temper == HONEST ? 500 : 4000))
		m->lag[0] = '\0';
}

void client_echoes(struct sim *sim, struct client *c)
{
	for (size_t i = 0; i < c->matches && c->ready; i++) {
		struct seen_match *m = &c->match[i];
		if (!m->lag[0] || m->over || sim->t_ms < m->lag_at_ms)
			continue;
		if (c->temper == HOSTILE && sim_chance(sim, 1000))
			m->lag[sim_between(sim, 0, LAG_HEX - 1)] = '7';
		ask_seen(sim, c, &m->match, m->lag);
		if (!sim_chance(sim, c->temper == HOSTILE ? 3000 : 200))
			m->lag[0] = '\0';
	}
}
