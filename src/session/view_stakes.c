/* SPDX-License-Identifier: MIT
 * view_stakes.c - cube, score and resignations, and what a turn is to do. */
#include "session/view_priv.h"

void view_awaits(struct buf *b, const struct match *m)
{
	const char *name = awaits_name(match_awaits(m));
	put_cstr(b, "awaits");
	if (name)
		put_cstr(b, name);
	else
		put_nil(b);
}

bool view_has_stakes(const struct match *m)
{
	return m->rules->rules.family == FAMILY_BACKGAMMON;
}

static void put_resign_offer(struct buf *b, const struct match *m)
{
	const struct resign_offers *r = &m->resign;
	put_cstr(b, "resign");
	if (!r->standing) {
		put_nil(b);
		return;
	}
	put_map(b, 4);
	put_entry_side(b, "side", (int)r->by);
	put_entry_int(b, "level", r->level);
	put_entry_int(b, "points", r->level << m->pos.stakes.cube);
	put_entry_int(b, "offer", (int64_t)r->seq);
}

void view_stakes(struct buf *b, const struct match *m)
{
	static const int owners[] = {
		[CUBE_CENTRED] = -1, [CUBE_WHITE] = WHITE, [CUBE_BLACK] = BLACK
	};
	const struct stakes *k = &m->pos.stakes;
	bool cube = m->rules->rules.backgammon.cube != 0;
	put_cstr(b, "stakes");
	put_map(b, 10);
	put_entry_int(b, "length", match_length(m));
	put_entry_int(b, "white", k->score[WHITE]);
	put_entry_int(b, "black", k->score[BLACK]);
	put_entry_int(b, "game", m->game);
	put_entry_int(b, "game_ply", m->game_ply);
	put_entry_bool(b, "crawford", k->crawford);
	put_entry_int(b, "cube", cube ? 1 << k->cube : 0);
	put_entry_side(b, "owner", owners[k->cube_owner]);
	put_entry_side(b, "doubled", m->doubled ? m->pos.side : -1);
	put_resign_offer(b, m);
}

void view_game_result(struct buf *b, const struct fact_game_ended_body *g)
{
	put_cstr(b, "game_result");
	put_map(b, 4);
	put_entry_int(b, "game", g->game);
	put_entry_side(b, "winner", (int)g->winner);
	put_cstr(b, "reason");
	put_str(b, g->reason);
	put_entry_int(b, "points", g->points);
}
