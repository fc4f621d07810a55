/* SPDX-License-Identifier: MIT */
#include "ply/load_game.h"

#include <stdlib.h>
#include <string.h>

enum { GAME_BYTES_MAX = LOAD_PLIES_MAX * MOVE_TEXT_MAX };

bool load_random_move(const struct ruleset *rs, const struct position *pos,
		      struct rng *rng, struct move *out,
		      char text[MOVE_TEXT_MAX])
{
	static struct move_list list;
	if (game_moves(rs, pos, &list) || list.count == 0)
		return false;
	*out = list.move[rng_below(rng, (uint32_t)list.count)];
	game_move_text(rs, pos, out, text);
	return true;
}

static int prepare(const struct ruleset *rs, struct rng *rng,
		   struct load_game *g)
{
	char text[MOVE_TEXT_MAX];
	struct position pos, after;
	struct move move;
	struct buf moves;
	buf_init(&moves, GAME_BYTES_MAX);
	game_start(rs, &pos);
	g->plies = 0;
	while (g->plies < LOAD_PLIES_MAX && !game_outcome(rs, &pos).over &&
	       load_random_move(rs, &pos, rng, &move, text)) {
		g->at[g->plies++] = (uint32_t)moves.len;
		buf_put(&moves, text, strlen(text) + 1);
		game_apply(rs, &pos, &move, &after);
		pos = after;
	}
	g->text = (char *)moves.at; /* released with the game */
	return moves.err;
}

int load_ruleset_prepare(struct load_ruleset *rs, const char *rules,
			 struct rng *rng)
{
	int err = ruleset_read(rules, strlen(rules), &rs->rules);
	for (size_t i = 0; !err && i < LOAD_GAMES; i++)
		if (!ruleset_has_dice(&rs->rules))
			err = prepare(&rs->rules, rng, &rs->games[i]);
	rs->ready = !err;
	return err;
}

void load_ruleset_release(struct load_ruleset *rs)
{
	for (size_t i = 0; i < LOAD_GAMES; i++)
		free(rs->games[i].text);
}
