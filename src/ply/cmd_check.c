/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "ply/command.h"
#include "ply/explain.h"
#include "ply/question.h"

static const struct argp_option options[] = { QUESTION_OPTIONS, { 0 } };

struct check {
	struct question q;
	const char *move_text; /* lent by argv */
	bool legal;
	struct move move;
	struct refusal why;
	struct position after; /* if legal */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct check *c = state->input;
	if (key == ARGP_KEY_ARG && state->arg_num < 2) {
		*(state->arg_num == 0 ? &c->q.ruleset_name : &c->move_text) =
			arg;
		return 0;
	}
	if (key == ARGP_KEY_END && !c->move_text)
		argp_usage(state);
	return question_option(&c->q, key, arg);
}

static json_t *json_at(const struct check *c)
{
	if (c->legal)
		return json_null();
	return json_pack("{s:i,s:s,s:s}", "step", c->why.step, "from",
			 c->why.from, "to", c->why.to);
}

static json_t *json_check(const struct check *c, const struct move_list *list)
{
	json_t *moves = json_array();
	for (size_t i = 0; i < list->count && i < LEGAL_SHOWN_MAX; i++) {
		char text[MOVE_TEXT_MAX];
		game_move_text(&c->q.ruleset, &c->q.position, &list->move[i],
			       text);
		json_array_append_new(moves, json_string(text));
	}
	return json_pack("{s:b,s:o,s:o,s:o,s:o,s:I}", "legal", c->legal,
			 "reason",
			 c->legal ? json_null()
				  : json_string(reason_name(c->why.reason)),
			 "at", json_at(c), "position",
			 json_position(&c->q.ruleset,
				       c->legal ? &c->after : &c->q.position),
			 "legal_moves", moves, "legal_total",
			 (json_int_t)list->total);
}

static void say_legal(const struct check *c)
{
	struct question after = c->q;
	char text[POSITION_TEXT_MAX];
	char move[MOVE_TEXT_MAX];
	game_move_text(&c->q.ruleset, &c->q.position, &c->move, move);
	printf("Legal: %s\n\n", move);
	after.position = c->after;
	question_draw(&after);
	game_write(&c->q.ruleset, &c->after, text);
	printf("\n%s\n", text);
	question_outcome(&after);
}

static void say_refused(const struct check *c, const struct move_list *list)
{
	char words[EXPLAIN_MAX];
	explain_refusal(&c->why, words);
	question_draw(&c->q);
	printf("\nRefused (%s). %s\n", reason_name(c->why.reason), words);
	if (list->total == 0) {
		printf("There is no legal move here.\n");
		return;
	}
	printf("\n%zu legal move%s%s\n", list->total,
	       list->total == 1 ? "" : "s",
	       list->total > LEGAL_SHOWN_MAX ? ", of which these" : "");
	moves_print(&c->q, list, LEGAL_SHOWN_MAX);
}

static int judge(struct check *c, struct move_list *list)
{
	const struct question *q = &c->q;
	int err = game_check(&q->ruleset, &q->position, c->move_text,
			     strlen(c->move_text), &c->move, &c->why);
	if (err != PLYD_OK && err != PLYD_EILLEGAL)
		return err;
	c->legal = err == PLYD_OK;
	if (c->legal)
		game_apply(&q->ruleset, &q->position, &c->move, &c->after);
	return game_moves(&q->ruleset, &q->position, list);
}

int cmd_check(int argc, char **argv)
{
	static struct move_list list;
	struct check c = { .move_text = NULL };
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "RULESET MOVE",
		.doc = "Judge a move by the rules, and say which one it "
		       "breaks.\v"
		       "The exit status is 0 if the move is legal, 1 if it is "
		       "refused, 2 if the ruleset or the position cannot be "
		       "read (backgammon: also without dice). In JSON "
		       "\"position\" is the one after a legal move, and the "
		       "one judged if the move is refused; \"legal_moves\" "
		       "holds at most 256 of \"legal_total\".",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &c);
	int status = question_resolve(&c.q, argv[0]);
	if (status != PLY_OK)
		return status;
	int err = judge(&c, &list);
	if (err)
		return question_failed(&c.q, argv[0], err);
	if (c.q.json)
		json_print(json_check(&c, &list));
	else if (c.legal)
		say_legal(&c);
	else
		say_refused(&c, &list);
	return c.legal ? PLY_OK : PLY_REFUSED;
}
