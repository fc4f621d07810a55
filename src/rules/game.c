/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include <plyd/rules.h>
#include "rules/family_priv.h"

static const struct family_ops *ops_of(const struct ruleset *rs)
{
	return rs->family == FAMILY_DRAUGHTS ? &draughts_ops : &backgammon_ops;
}

/* ---- positions --------------------------------------------------------- */

void game_start(const struct ruleset *rs, struct position *out)
{
	ops_of(rs)->start(rs, out);
}

int game_read(const struct ruleset *rs, const char *text, size_t len,
	      struct position *out, struct text_error *where)
{
	struct text_error unused;
	return ops_of(rs)->read(rs, text, len, out, where ? where : &unused);
}

size_t game_write(const struct ruleset *rs, const struct position *pos,
		  char out[POSITION_TEXT_MAX])
{
	return ops_of(rs)->write(rs, pos, out);
}

uint64_t game_hash(const struct ruleset *rs, const struct position *pos)
{
	return ops_of(rs)->hash(rs, pos);
}

/* ---- moves ------------------------------------------------------------- */

int game_moves(const struct ruleset *rs, const struct position *pos,
	       struct move_list *out)
{
	out->count = 0;
	out->total = 0;
	return ops_of(rs)->moves(rs, pos, out);
}

bool game_can_move(const struct ruleset *rs, const struct position *pos)
{
	return ops_of(rs)->can_move(rs, pos);
}

void game_apply(const struct ruleset *rs, const struct position *pos,
		const struct move *move, struct position *out)
{
	ops_of(rs)->apply(rs, pos, move, out);
}

void game_pass(const struct position *pos, struct position *out)
{
	*out = *pos;
	out->side = (uint8_t)side_other((enum side)pos->side);
	out->dice[0] = 0;
	out->dice[1] = 0;
}

void game_throw(const struct position *pos, int die1, int die2,
		struct position *out)
{
	assert(die1 >= 1 && die1 <= 6 && die2 >= 1 && die2 <= 6);
	*out = *pos;
	out->dice[0] = (uint8_t)(die1 > die2 ? die1 : die2);
	out->dice[1] = (uint8_t)(die1 > die2 ? die2 : die1);
}

size_t game_move_text(const struct ruleset *rs, const struct position *pos,
		      const struct move *move, char out[MOVE_TEXT_MAX])
{
	return ops_of(rs)->move_text(rs, pos, move, out);
}

int game_replay_move(const struct ruleset *rs, const struct position *pos,
		     const char *text, size_t len, bool crowned,
		     struct position *out)
{
	return ops_of(rs)->replay_move(rs, pos, text, len, crowned, out);
}

int game_check(const struct ruleset *rs, const struct position *pos,
	       const char *text, size_t len, struct move *out,
	       struct refusal *why)
{
	*why = (struct refusal){ .reason = REASON_NONE };
	return ops_of(rs)->check(rs, pos, text, len, out, why);
}

/* ---- outcomes ---------------------------------------------------------- */

struct outcome game_outcome(const struct ruleset *rs,
			    const struct position *pos)
{
	return ops_of(rs)->outcome(rs, pos);
}

int game_points_lost(const struct ruleset *rs, const struct position *pos,
		     enum side loser)
{
	return ops_of(rs)->points_lost(rs, pos, loser);
}

struct progress game_progress(const struct ruleset *rs,
			      const struct position *before,
			      const struct position *after)
{
	return ops_of(rs)->progress(rs, before, after);
}

/* ---- perft ------------------------------------------------------------- */

uint64_t game_perft(const struct ruleset *rs, const struct position *pos,
		    int depth, bool distinct)
{
	assert(depth >= 0 && depth <= PERFT_DEPTH_MAX);
	return ops_of(rs)->perft(rs, pos, depth, distinct);
}
