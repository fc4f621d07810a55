/* SPDX-License-Identifier: MIT
 * expect.c - what a half-move will look at is fetched ahead: with thousands of
 * matches it is in no cache, and to wait for one line of memory after the other
 * takes longer than the half-move itself. */
#include "session/hub_priv.h"

#include "base/warm.h"

static void warm_conn(const struct hub *h, uint64_t number)
{
	const struct conn *c = find_conn(h, number);
	if (!c)
		return;
	warm(c, sizeof(*c));
	if (h->ops.warm)
		h->ops.warm(h->ops.payload, number);
}

static void warm_match(const struct match *m)
{
	warm(m, offsetof(struct match, seat));
	/* both grow at their ends */
	if (m->hash_count > 0)
		warm(&m->hashes[m->hash_count - 1], sizeof(*m->hashes));
	if (m->moves.len > 0)
		warm(&m->moves.at[m->moves.len - 1], MOVE_TEXT_MAX);
}

/* Of all that he plays: where he moves next is not known yet. */
void hub_expect(const struct hub *h, uint64_t number)
{
	const struct conn *c = find_conn(h, number);
	const struct player *p = c && c->state == CONN_READY
					 ? domain_player(h->domain, &c->player)
					 : NULL;
	const struct match_link *seat = p ? p->matches : NULL;
	if (!seat)
		return;
	const struct match *m = seat->match;
	const struct match_link *across = &m->link[side_other(seat->side)];
	warm_match(m);
	warm(p->sessions, sizeof(*p->sessions));
	if (across->match && across->player->sessions)
		warm_conn(h, across->player->sessions->conn);
}
