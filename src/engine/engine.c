/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"
#include "engine/engine_priv.h"

#include <stdlib.h>
#include <string.h>

/* All that a search writes to, so that it never allocates. */
struct engine {
	struct table table;
	struct draughts_search *draughts;
	struct backgammon_search *backgammon;
};

int engine_new(size_t table_bytes, struct engine **out)
{
	*out = NULL;
	if (table_bytes > ENGINE_TABLE_BYTES_MAX)
		return PLYD_ERANGE;
	struct engine *e = calloc(1, sizeof(*e));
	if (!e)
		return PLYD_ENOMEM;
	e->draughts = calloc(1, draughts_search_bytes());
	e->backgammon = calloc(1, backgammon_search_bytes());
	if (table_init(&e->table, table_bytes) || !e->draughts ||
	    !e->backgammon) {
		engine_free(e);
		return PLYD_ENOMEM;
	}
	*out = e;
	return PLYD_OK;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	table_release(&e->table);
	free(e->draughts);
	free(e->backgammon);
	free(e);
}

int engine_search(struct engine *e, const struct engine_question *q,
		  struct engine_result *out)
{
	struct engine_weights standard;
	engine_weights_init(&standard);
	struct task task = {
		.ruleset = q->ruleset,
		.position = q->position,
		.history = q->history,
		.weights = q->weights ? q->weights : &standard,
		.meter = { .limit = q->budget.nodes ? q->budget.nodes : 1,
			   .stop = q->budget.stop },
		.table = &e->table,
		.depth = q->budget.depth > 0 ? q->budget.depth
					     : ENGINE_DEPTH_MAX,
		.multipv = q->multipv ? q->multipv : 1,
		.seed = q->seed,
	};
	if (task.depth > ENGINE_DEPTH_MAX)
		task.depth = ENGINE_DEPTH_MAX;
	if (task.multipv > ENGINE_MULTIPV_MAX)
		task.multipv = ENGINE_MULTIPV_MAX;
	memset(out, 0, sizeof(*out));
	table_next_search(&e->table, task.meter.limit);

	int err = q->ruleset->family == FAMILY_DRAUGHTS
			  ? draughts_search_run(e->draughts, &task, out)
			  : backgammon_search_run(e->backgammon, &task, out);
	out->nodes = task.meter.nodes;
	return err;
}

int engine_evaluate(const struct ruleset *rs, const struct position *pos,
		    const struct engine_weights *weights)
{
	struct engine_weights standard;
	if (!weights) {
		engine_weights_init(&standard);
		weights = &standard;
	}
	return rs->family == FAMILY_DRAUGHTS
		       ? draughts_evaluate(rs, pos, weights)
		       : backgammon_evaluate(rs, pos, weights);
}
