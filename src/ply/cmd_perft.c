/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ply/command.h"
#include "ply/question.h"

enum { OPTION_DIVIDE = 'd', OPTION_DISTINCT = 'u' };

static const struct argp_option options[] = {
	QUESTION_OPTIONS,
	{ "divide", OPTION_DIVIDE, NULL, 0,
	  "Count behind each first move (backgammon without dice: each roll)",
	  0 },
	{ "distinct", OPTION_DISTINCT, NULL, 0,
	  "Count distinct results of a move, not its paths (draughts)", 0 },
	{ 0 }
};

/* One line of --divide. */
struct branch {
	char name[MOVE_TEXT_MAX];
	uint64_t nodes;
};

struct perft {
	struct question q;
	const char *depth_text; /* lent by argv */
	int depth;
	bool divide;
	bool distinct;
	size_t branches;
	struct branch branch[MOVE_LIST_MAX];
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct perft *p = state->input;
	switch (key) {
	case OPTION_DIVIDE: p->divide = true; return 0;
	case OPTION_DISTINCT: p->distinct = true; return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			return ARGP_ERR_UNKNOWN;
		*(state->arg_num == 0 ? &p->q.ruleset_name : &p->depth_text) =
			arg;
		return 0;
	case ARGP_KEY_END:
		if (!p->depth_text)
			argp_usage(state);
		return 0;
	default: return question_option(&p->q, key, arg);
	}
}

static bool depth_read(const char *text, int *out)
{
	char *end;
	if (*text < '0' || *text > '9' || strlen(text) > 3)
		return false;
	long depth = strtol(text, &end, 10);
	*out = (int)depth;
	return *end == '\0' && depth <= PERFT_DEPTH_MAX;
}

/* ---- divide ------------------------------------------------------------ */

static void branch_add(struct perft *p, const char *name,
		       const struct position *pos, int depth)
{
	struct branch *b = &p->branch[p->branches++];
	snprintf(b->name, sizeof(b->name), "%s", name);
	b->nodes = game_perft(&p->q.ruleset, pos, depth, p->distinct);
}

static void divide_rolls(struct perft *p)
{
	for (int high = 1; high <= 6; high++) {
		for (int low = 1; low <= high; low++) {
			struct position roll;
			char name[8];
			game_throw(&p->q.position, high, low, &roll);
			snprintf(name, sizeof(name), "%d%d", high, low);
			branch_add(p, name, &roll, p->depth);
		}
	}
}

/* Whether an earlier move of the list has the same result. */
static bool result_seen(const struct question *q, const struct move_list *list,
			size_t i)
{
	struct position one, other;
	game_apply(&q->ruleset, &q->position, &list->move[i], &one);
	for (size_t j = 0; j < i; j++) {
		game_apply(&q->ruleset, &q->position, &list->move[j], &other);
		if (!memcmp(&one, &other, sizeof(one)))
			return true;
	}
	return false;
}

static int divide_moves(struct perft *p)
{
	static struct move_list list;
	const struct question *q = &p->q;
	struct position after;
	int err = game_moves(&q->ruleset, &q->position, &list);
	if (err || list.total > list.count)
		return err ? err : PLYD_ETOOCOMPLEX;
	for (size_t i = 0; i < list.count; i++) {
		char name[MOVE_TEXT_MAX];
		if (p->distinct && result_seen(q, &list, i))
			continue;
		game_move_text(&q->ruleset, &q->position, &list.move[i], name);
		game_apply(&q->ruleset, &q->position, &list.move[i], &after);
		branch_add(p, name, &after, p->depth - 1);
	}
	if (list.count == 0 && q->position.dice[0] > 0) {
		game_pass(&q->position, &after);
		branch_add(p, "pass", &after, p->depth - 1);
	}
	return PLYD_OK;
}

static int divide(struct perft *p)
{
	const struct question *q = &p->q;
	if (game_outcome(&q->ruleset, &q->position).over)
		return PLYD_OK;
	if (ruleset_has_dice(&q->ruleset) && q->position.dice[0] == 0) {
		divide_rolls(p);
		return PLYD_OK;
	}
	return divide_moves(p);
}

/* ---- the answer -------------------------------------------------------- */

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void print_json(const struct perft *p, uint64_t nodes, double seconds,
		       uint64_t nps)
{
	json_t *root = json_pack("{s:s,s:o,s:i,s:I,s:f,s:I}", "ruleset",
				 p->q.ruleset.name, "position",
				 json_position(&p->q.ruleset, &p->q.position),
				 "depth", p->depth, "nodes", (json_int_t)nodes,
				 "seconds", seconds, "nps", (json_int_t)nps);
	json_t *branches = p->divide ? json_array() : NULL;
	for (size_t i = 0; i < p->branches; i++)
		json_array_append_new(branches,
				      json_pack("{s:s,s:I}", "move",
						p->branch[i].name, "nodes",
						(json_int_t)p->branch[i]
							.nodes));
	if (branches)
		json_object_set_new(root, "divide", branches);
	json_print(root);
}

static void print_lines(const struct perft *p, uint64_t nodes, double seconds,
			uint64_t nps)
{
	for (size_t i = 0; i < p->branches; i++)
		printf("%s: %" PRIu64 "\n", p->branch[i].name,
		       p->branch[i].nodes);
	printf("nodes=%" PRIu64 " seconds=%.3f nps=%" PRIu64 "\n", nodes,
	       seconds, nps);
}

static int count(struct perft *p, const char *who)
{
	const struct question *q = &p->q;
	double start = seconds_now();
	uint64_t nodes = 0;
	int err = PLYD_OK;
	p->divide = p->divide && p->depth > 0;
	if (p->divide) {
		err = divide(p);
		for (size_t i = 0; i < p->branches; i++)
			nodes += p->branch[i].nodes;
	} else {
		nodes = game_perft(&q->ruleset, &q->position, p->depth,
				   p->distinct);
	}
	double seconds = seconds_now() - start;
	uint64_t nps =
		(uint64_t)((double)nodes / (seconds > 1e-9 ? seconds : 1e-9));
	if (err)
		return question_failed(q, who, err);
	(q->json ? print_json : print_lines)(p, nodes, seconds, nps);
	return PLY_OK;
}

int cmd_perft(int argc, char **argv)
{
	static struct perft p;
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "RULESET DEPTH",
		.doc = "Count the positions that are DEPTH moves off: draughts "
		       "paths, backgammon distinct turns over the 21 rolls, "
		       "each once.\v"
		       "The last line is `nodes=N seconds=S nps=R'.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &p);
	if (!depth_read(p.depth_text, &p.depth)) {
		fprintf(stderr, "%s: a depth is 0 to %d, not '%s'\n", argv[0],
			PERFT_DEPTH_MAX, p.depth_text);
		return PLY_UNREADABLE;
	}
	int status = question_resolve(&p.q, argv[0]);
	return status == PLY_OK ? count(&p, argv[0]) : status;
}
