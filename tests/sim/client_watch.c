/* SPDX-License-Identifier: MIT
 * client_watch.c - spectators that follow players. */
#include "client.h"

#include "proto/write.h"
#include "sim.h"

static void ask_about(struct sim *sim, struct client *c, enum method method,
		      const struct id *player)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	a.whom = *player;
	put_map(b, 1);
	put_cstr(b, "player");
	put_cstr(b, player->text);
	ask_send(sim, c, &a);
}

bool client_follows(struct sim *sim, struct client *c)
{
	const struct client *other =
		sim->client[sim_between(sim, 0, (uint32_t)sim->clients - 1)];
	if (!other || id_is_none(&other->player) || !sim_chance(sim, 800))
		return false;
	ask_about(sim, c,
		  sim_chance(sim, 7000) ? METHOD_PLAYER_WATCH
					: METHOD_PLAYER_UNWATCH,
		  &other->player);
	return true;
}
