/* SPDX-License-Identifier: MIT
 * block.c - players who want nothing to do with each other. Whom one blocks is
 * never told so. */
#include "domain/domain_priv.h"

bool player_blocks(const struct player *p, const struct id *other)
{
	return id_set_has(&p->blocks, other);
}

bool players_apart(const struct player *a, const struct player *b)
{
	return player_blocks(a, &b->id) || player_blocks(b, &a->id);
}

bool domain_is_hidden(const struct domain *d, const struct player *p,
		      const struct id *other)
{
	const struct player *q = find_player(d, other);
	return player_blocks(p, other) || (q && player_blocks(q, &p->id)) ||
	       domain_is_deleted(d, other);
}

int apply_blocked(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->blocked.player);
	if (!p || player_blocks(p, &f->blocked.other))
		return PLYD_ERECORD;
	return id_set_add(&p->blocks, &f->blocked.other, BLOCKS_MAX);
}

int apply_unblocked(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->unblocked.player);
	if (!p || !player_blocks(p, &f->unblocked.other))
		return PLYD_ERECORD;
	id_set_drop(&p->blocks, &f->unblocked.other);
	return PLYD_OK;
}

static void unblock(struct domain *d, const struct player *p,
		    const struct id *other)
{
	happen(d, &(struct fact){ .type = FACT_UNBLOCKED,
				  .unblocked = { p->id, *other } });
}

/* Who is forgotten need not be kept away; false: they are all still there. */
static bool make_room(struct domain *d, const struct player *p)
{
	for (size_t i = 0; i < p->blocks.count; i++) {
		struct id other = p->blocks.at[i];
		if (find_player(d, &other))
			continue;
		unblock(d, p, &other);
		return true;
	}
	return false;
}

void on_block_add(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	const struct id *other = &cmd->chat.player;
	int err = PLYD_OK;
	if (id_eq(&p->id, other))
		err = PLYD_ENOTALLOWED;
	else if (!find_player(d, other))
		err = PLYD_ENOPLAYER;
	else if (!player_blocks(p, other) && p->blocks.count >= BLOCKS_MAX &&
		 !make_room(d, p))
		err = PLYD_ETOOMANY;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	if (!player_blocks(p, other))
		happen(d, &(struct fact){ .type = FACT_BLOCKED,
					  .blocked = { p->id, *other } });
	answer(d, cmd);
}

void on_block_remove(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	if (player_blocks(p, &cmd->chat.player))
		unblock(d, p, &cmd->chat.player);
	answer(d, cmd);
}

void on_block_list(struct domain *d, const struct command *cmd)
{
	answer(d, cmd)->player = find_player(d, &cmd->player);
}
