/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "ply/command.h"
#include "ply/question.h"

static const struct argp_option options[] = { QUESTION_OPTIONS, { 0 } };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct question *q = state->input;
	if (key == ARGP_KEY_ARG && state->arg_num == 0) {
		q->ruleset_name = arg;
		return 0;
	}
	if (key == ARGP_KEY_END && !q->ruleset_name)
		argp_usage(state);
	return question_option(q, key, arg);
}

static json_t *json_moves(const struct question *q,
			  const struct move_list *list)
{
	json_t *moves = json_array();
	for (size_t i = 0; i < list->count; i++) {
		const struct move *m = &list->move[i];
		struct position after;
		char text[MOVE_TEXT_MAX];
		game_move_text(&q->ruleset, &q->position, m, text);
		game_apply(&q->ruleset, &q->position, m, &after);
		json_array_append_new(moves,
				      json_pack("{s:s,s:o}", "move", text,
						"position",
						json_position(&q->ruleset,
							      &after)));
	}
	return json_pack("{s:o,s:s,s:o}", "position",
			 json_position(&q->ruleset, &q->position), "turn",
			 side_name((enum side)q->position.side), "moves",
			 moves);
}

int cmd_moves(int argc, char **argv)
{
	static struct move_list list;
	struct question q = { 0 };
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "RULESET",
		.doc = "List the legal moves: draughts every path, backgammon "
		       "one turn for each distinct result.\v"
		       "Backgammon needs dice, which are part of the position "
		       "text. At most 512 moves are listed; a note on stderr "
		       "says if there are more.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &q);
	int status = question_resolve(&q, argv[0]);
	if (status != PLY_OK)
		return status;
	int err = game_moves(&q.ruleset, &q.position, &list);
	if (err)
		return question_failed(&q, argv[0], err);
	if (q.json) {
		json_print(json_moves(&q, &list));
	} else {
		question_draw(&q);
		printf("\n%zu legal move%s\n", list.total,
		       list.total == 1 ? "" : "s");
		moves_print(&q, &list, list.count);
		question_outcome(&q);
	}
	if (list.total > list.count)
		fprintf(stderr, "%s: the first %zu of %zu moves are listed\n",
			argv[0], list.count, list.total);
	return PLY_OK;
}
