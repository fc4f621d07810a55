/* SPDX-License-Identifier: MIT
 * draughts_steps_priv.h - every quiet move and what it leads to. All of it is
 * inline: a count of positions spends no call and no struct move on a step. */
#ifndef PLYD_RULES_DRAUGHTS_STEPS_PRIV_H
#define PLYD_RULES_DRAUGHTS_STEPS_PRIV_H

#include "rules/draughts_priv.h"

/* The view of the other side after a legal move. */
static inline struct view view_after(const struct view *view,
				     const struct move *move)
{
	uint64_t from = square_bit(move->at[0]);
	uint64_t to = square_bit(move->at[move->legs]);
	bool king = move->crowned || (view->kings & from);
	return (struct view){
		.own = view->foe & ~move->taken,
		.foe = (view->own & ~from) | to,
		.kings =
			(view->kings & ~(from | move->taken)) | (king ? to : 0),
		.side = side_other(view->side),
	};
}

/* Visits the steps of the pieces of one kind, direction by direction and,
 * within that, distance by distance. */
ALWAYS_INLINE void visit_steps(const struct variant *v, const struct view *view,
			       bool kings, move_fn *visit, void *payload)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t pieces = view->own & (kings ? view->kings : ~view->kings);
	uint64_t crowning = kings ? 0 : v->last_row[view->side];
	unsigned m = kings ? v->king : v->man_step[view->side];
	struct move move = { .legs = 1 };
	for (m = pieces ? m : 0; m; m &= m - 1) {
		unsigned d = squares_first(m), away = direction_turn[d];
		uint64_t set = squares_step(pieces, d) & empty;
		while (set) {
			for (uint64_t to = set; to; to &= to - 1) {
				move.at[1] = (uint8_t)squares_first(to);
				move.at[0] = (move.at[1] - away) & 63;
				move.crowned = crowning & to & -to;
				visit(payload, &move);
			}
			set = kings && v->flying ? squares_step(set, d) & empty
						 : 0;
			away += direction_turn[d];
		}
	}
}

/* Visits the quiet moves, to the end whatever visit returns. */
ALWAYS_INLINE void view_quiet_visit(const struct variant *v,
				    const struct view *view, move_fn *visit,
				    void *payload)
{
	visit_steps(v, view, false, visit, payload);
	visit_steps(v, view, true, visit, payload);
}

#endif
