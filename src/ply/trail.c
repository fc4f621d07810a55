/* SPDX-License-Identifier: MIT */
#include "ply/trail.h"

void trail_forget(struct trail *t, const struct ruleset *rules)
{
	t->rules = rules;
	t->moved = false;
	engine_history_init(&t->history, TRAIL_NO_PROGRESS, TRAIL_REPETITION,
			    true);
}

/* Plays a move on and notes it. */
static void step(struct trail *t, const struct position *pos,
		 const struct move *move, struct position *out)
{
	game_apply(t->rules, pos, move, out);
	engine_history_add(&t->history, t->rules, pos, out);
}

/* Notes how the other moved from `from` to the position of this hash, in so
 * many turns at most; false: in no way, and nothing is noted. */
static bool follow(struct trail *t, const struct position *from, uint64_t hash,
		   int turns)
{
	struct move_list theirs;
	struct move_list ours;
	struct engine_history before = t->history;
	struct position then;
	struct position answered;
	if (turns == 0 || game_moves(t->rules, from, &theirs))
		return false;
	for (size_t i = 0; i < theirs.count; i++) {
		step(t, from, &theirs.move[i], &then);
		if (game_hash(t->rules, &then) == hash)
			return true;
		if (!game_moves(t->rules, &then, &ours) && ours.total == 1) {
			step(t, &then, &ours.move[0], &answered);
			if (follow(t, &answered, hash, turns - 1))
				return true;
		}
		t->history = before;
	}
	return false;
}

void trail_see(struct trail *t, const struct position *pos)
{
	uint64_t hash = game_hash(t->rules, pos);
	if (!t->moved || !follow(t, &t->after, hash, TRAIL_FORCED_MAX))
		trail_forget(t, t->rules);
}

void trail_move(struct trail *t, const struct position *pos,
		const struct move *move)
{
	step(t, pos, move, &t->after);
	t->moved = true;
}
