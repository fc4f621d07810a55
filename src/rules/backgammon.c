/* SPDX-License-Identifier: MIT
 * The backgammon family: what its options say about moves and ends. */
#include <string.h>

#include "rules/backgammon_priv.h"
#include "rules/options_priv.h"

/* The finaliser of splitmix64: every bit of the input reaches every other. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t hash(const struct ruleset *rs, const struct position *pos)
{
	(void)rs;
	const struct stakes *k = &pos->stakes;
	uint64_t h =
		mix(1u + pos->side + 2u * pos->dice[0] + 16u * pos->dice[1] +
		    ((uint64_t)k->cube << 8 | (uint64_t)k->cube_owner << 16 |
		     (uint64_t)k->score[WHITE] << 24 |
		     (uint64_t)k->score[BLACK] << 32 |
		     (uint64_t)k->crawford << 40));
	for (int side = WHITE; side <= BLACK; side++) {
		const uint8_t *point = pos->backgammon.point[side];
		uint64_t low = 0, high = 0;
		for (int p = 0; p <= BAR; p++) {
			uint64_t *word = p < 16 ? &low : &high;
			*word = *word << 4 | point[p];
		}
		h = mix(mix(h ^ low) + high);
	}
	return h;
}

/* ---- moves ------------------------------------------------------------- */

struct ordered {
	uint64_t order;
	uint16_t index;
};

/* Shell's sort with Ciura's gaps: at most 3060 turns, and the C library's may
 * allocate. */
static void sort(struct ordered *at, size_t count)
{
	static const size_t gaps[] = { 701, 301, 132, 57, 23, 10, 4, 1 };
	for (size_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
		size_t gap = gaps[g];
		for (size_t i = gap; i < count; i++) {
			struct ordered one = at[i];
			size_t j = i;
			for (; j >= gap && at[j - gap].order > one.order;
			     j -= gap)
				at[j] = at[j - gap];
			at[j] = one;
		}
	}
}

static int moves(const struct ruleset *rs, const struct position *pos,
		 struct move_list *out)
{
	struct turns found;
	struct ordered sorted[TURNS_MAX];
	if (backgammon_over(rs, pos))
		return PLYD_OK;
	if (pos->dice[0] == 0)
		return PLYD_ENODICE;
	turns_find(rs, pos, &found);
	for (size_t i = 0; i < found.count; i++)
		sorted[i] = (struct ordered){ turn_order(&found.turn[i]),
					      (uint16_t)i };
	sort(sorted, found.count);
	out->total = found.count;
	out->count = found.count < MOVE_LIST_MAX ? found.count : MOVE_LIST_MAX;
	for (size_t i = 0; i < out->count; i++)
		move_of_turn(&found.turn[sorted[i].index], &out->move[i]);
	return PLYD_OK;
}

static bool can_move(const struct ruleset *rs, const struct position *pos)
{
	struct board b;
	if (backgammon_over(rs, pos) || pos->dice[0] == 0)
		return false;
	/* the bans of a ruleset need a hit first: they ban no first hop */
	board_of(pos, &b);
	return board_movable(&b, pos->dice[0]) ||
	       board_movable(&b, pos->dice[1]);
}

/* ---- outcomes ---------------------------------------------------------- */

static int points_lost(const struct ruleset *rs, const struct position *pos,
		       enum side loser)
{
	return (int)(stakes_level(rs, pos, loser) << pos->stakes.cube);
}

static struct outcome outcome(const struct ruleset *rs,
			      const struct position *pos)
{
	static const char *const why[] = { "", "single", "gammon",
					   "backgammon" };
	struct outcome o = { .why = "" };
	if (!backgammon_over(rs, pos))
		return o;
	enum side loser = pos->backgammon.point[WHITE][OFF] == checkers_of(rs)
				  ? BLACK
				  : WHITE;
	unsigned level = stakes_level(rs, pos, loser);
	o.over = true;
	o.winner = side_other(loser);
	o.points = (uint16_t)(level << pos->stakes.cube);
	o.why = why[level];
	return o;
}

static struct progress progress(const struct ruleset *rs,
				const struct position *before,
				const struct position *after)
{
	(void)rs;
	const uint8_t *was = before->backgammon.point[!before->side];
	const uint8_t *is = after->backgammon.point[!before->side];
	return (struct progress){ .captured = is[BAR] > was[BAR] };
}

/* ---- perft ------------------------------------------------------------- */

static uint64_t count_from(const struct ruleset *rs, const struct position *pos,
			   int depth);

/* before is the board of pos, which has dice. */
static uint64_t count_roll(const struct ruleset *rs, const struct position *pos,
			   const struct board *before, int depth)
{
	struct turns found;
	struct position next;
	struct move move;
	uint64_t sum = 0;
	turns_of_board(rs, before, pos->dice, &found);
	if (depth == 1)
		return found.count > 0 ? found.count : 1;
	if (found.count == 0) {
		game_pass(pos, &next);
		return count_from(rs, &next, depth - 1);
	}
	for (size_t i = 0; i < found.count; i++) {
		move_of_turn(&found.turn[i], &move);
		backgammon_apply(rs, pos, &move, &next);
		sum += count_from(rs, &next, depth - 1);
	}
	return sum;
}

static uint64_t count_from(const struct ruleset *rs, const struct position *pos,
			   int depth)
{
	struct board before;
	uint64_t sum = 0;
	if (backgammon_over(rs, pos))
		return 0;
	board_of(pos, &before);
	for (int high = 1; high <= 6; high++) {
		for (int low = 1; low <= high; low++) {
			struct position roll;
			game_throw(pos, high, low, &roll);
			sum += count_roll(rs, &roll, &before, depth);
		}
	}
	return sum;
}

static uint64_t perft(const struct ruleset *rs, const struct position *pos,
		      int depth, bool distinct)
{
	(void)distinct;
	struct board before;
	if (depth == 0)
		return 1;
	if (backgammon_over(rs, pos))
		return 0;
	if (pos->dice[0] == 0)
		return count_from(rs, pos, depth);
	board_of(pos, &before);
	return count_roll(rs, pos, &before, depth);
}

/* ---- the family -------------------------------------------------------- */

static int options_check(const struct ruleset *rs, const char **why)
{
	const struct backgammon_options *o = &rs->backgammon;
	bool match = o->match_length > 0, cube = o->cube == OPTION_YES;
	*why = NULL;
	if (o->hit_and_hide == OPTION_TRUE &&
	    o->hit_and_bear_off == HIT_AND_BEAR_OFF_IF_FORCED)
		*why = "hit_and_bear_off = if_forced needs hit_and_hide = "
		       "false.";
	else if (o->crawford == OPTION_YES && !(match && cube))
		*why = "crawford = true needs a match_length and cube = true.";
	else if (o->jacoby == OPTION_YES && !cube)
		*why = "jacoby = true needs cube = true.";
	else if (o->jacoby == OPTION_YES && match)
		*why = "jacoby = true is for games that stand alone, so "
		       "match_length must be 0.";
	else if (o->draw_by_agreement == OPTION_TRUE && match)
		*why = "Each game of a match has a winner, so "
		       "draw_by_agreement must be false.";
	return *why ? PLYD_EOPTION : PLYD_OK;
}

const struct family_ops backgammon_ops = {
	.start = backgammon_start,
	.read = backgammon_read,
	.write = backgammon_write,
	.hash = hash,
	.moves = moves,
	.can_move = can_move,
	.apply = backgammon_apply,
	.move_text = backgammon_move_text,
	.replay_move = backgammon_replay_move,
	.check = backgammon_check,
	.outcome = outcome,
	.points_lost = points_lost,
	.progress = progress,
	.perft = perft,
	.ruleset_check = options_check,
};
