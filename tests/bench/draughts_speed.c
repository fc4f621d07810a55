/* SPDX-License-Identifier: MIT
 * Positions that a search of draughts looks at in a second of CPU: a game that
 * the engine plays against itself from the start, thinking anew at every move.
 * Usage: draughts-speed [RULESET [NODES [MEGABYTES]]] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/engine.h"

enum { MOVES = 40, NO_PROGRESS = 80, REPETITION = 3, MEGABYTE = 1 << 20 };

static double cpu_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct sum {
	uint64_t nodes;
	double seconds;
	int moves;
};

/* Only moves that took all their nodes count: a forced one takes few. */
static void play(struct engine *e, const struct ruleset *rs, uint64_t nodes,
		 struct sum *sum)
{
	static struct engine_result r;
	struct engine_history history;
	struct position pos, after;
	game_start(rs, &pos);
	engine_history_init(&history, NO_PROGRESS, REPETITION, false);
	for (int i = 0; i < MOVES; i++) {
		struct engine_question q = { .ruleset = rs,
					     .position = &pos,
					     .history = &history,
					     .budget = { .nodes = nodes } };
		double begun = cpu_s();
		if (engine_search(e, &q, &r) != PLYD_OK || r.count == 0)
			return;
		if (r.nodes == nodes) {
			sum->seconds += cpu_s() - begun;
			sum->nodes += r.nodes;
			sum->moves++;
		}
		game_apply(rs, &pos, &r.line[0].move, &after);
		engine_history_add(&history, rs, &pos, &after);
		pos = after;
	}
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "english";
	uint64_t nodes = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000;
	size_t bytes = argc > 3 ? strtoull(argv[3], NULL, 10) : 16;
	struct ruleset rs;
	struct engine *e;
	struct sum sum = { 0 };
	if (ruleset_find(name, strlen(name), &rs) != PLYD_OK ||
	    rs.family != FAMILY_DRAUGHTS ||
	    engine_new(bytes * MEGABYTE, &e) != PLYD_OK) {
		fprintf(stderr, "usage: draughts-speed [RULESET [NODES "
				"[MEGABYTES]]]\n");
		return 2;
	}
	play(e, &rs, nodes, &sum);
	engine_free(e);
	printf("ruleset=%s moves=%d nodes=%" PRIu64 " seconds=%.2f "
	       "nodes_per_second=%.0f\n",
	       name, sum.moves, sum.nodes, sum.seconds,
	       sum.seconds > 0 ? (double)sum.nodes / sum.seconds : 0.0);
	return 0;
}
