/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "ply/board.h"
#include "ply/command.h"
#include "ply/question.h"

enum { LINE_COLUMNS = 78 };

error_t question_option(struct question *q, int key, const char *arg)
{
	switch (key) {
	case OPTION_POSITION: q->position_text = arg; return 0;
	case OPTION_JSON: q->json = true; return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

const char *text_printable(const char *text, char out[SHOWN_MAX + 1])
{
	size_t i = 0;
	for (; i < SHOWN_MAX && text[i] != '\0'; i++)
		out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	out[i] = '\0';
	return out;
}

static int ruleset_unknown(const char *who, const char *name)
{
	char shown[SHOWN_MAX + 1];
	fprintf(stderr, "%s: there is no ruleset '%s'; there are", who,
		text_printable(name, shown));
	for (size_t i = 0; i < ruleset_count(); i++)
		fprintf(stderr, "%s %s", i > 0 ? "," : "", ruleset_at(i)->name);
	fprintf(stderr, "\n");
	return PLY_UNREADABLE;
}

static int position_unreadable(const char *who, const char *text,
			       const struct text_error *where)
{
	char shown[SHOWN_MAX + 1];
	fprintf(stderr,
		"%s: cannot read the position, character %zu: %s\n  %s\n", who,
		where->offset + 1, where->text, text_printable(text, shown));
	if (where->offset <= SHOWN_MAX)
		fprintf(stderr, "  %*s^\n", (int)where->offset, "");
	return PLY_UNREADABLE;
}

int question_resolve(struct question *q, const char *who)
{
	struct text_error where = { 0, "" };
	const char *text = q->position_text;
	if (ruleset_find(q->ruleset_name, strlen(q->ruleset_name),
			 &q->ruleset) != PLYD_OK)
		return ruleset_unknown(who, q->ruleset_name);
	if (!text) {
		game_start(&q->ruleset, &q->position);
		return PLY_OK;
	}
	if (game_read(&q->ruleset, text, strlen(text), &q->position, &where) !=
	    PLYD_OK)
		return position_unreadable(who, text, &where);
	return PLY_OK;
}

int question_failed(const struct question *q, const char *who, int err)
{
	char text[POSITION_TEXT_MAX];
	game_write(&q->ruleset, &q->position, text);
	fprintf(stderr, "%s: %s\n  %s\n", who, plyd_err_text(err), text);
	if (err == PLYD_ENODICE &&
	    !game_outcome(&q->ruleset, &q->position).over)
		fprintf(stderr, "  Put them into the position, as in :1:63: "
				"for a 6 and a 3.\n");
	return PLY_UNREADABLE;
}

const char *side_name(enum side side)
{
	return side == WHITE ? "white" : "black";
}

json_t *json_position(const struct ruleset *rs, const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	return json_stringn(text, game_write(rs, pos, text));
}

void json_print(json_t *root)
{
	if (!root || json_dumpf(root, stdout,
				JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0) {
		fprintf(stderr, "ply: %s\n", plyd_err_text(PLYD_ENOMEM));
		exit(EXIT_FAILURE);
	}
	putchar('\n');
	json_decref(root);
}

void question_draw(const struct question *q)
{
	struct board_look look = {
		.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
		.bottom = (enum side)q->position.side,
	};
	struct buf out;
	buf_init(&out, BOARD_TEXT_MAX);
	if (board_draw(&q->ruleset, &q->position, &look, &out) == PLYD_OK)
		fwrite(out.at, 1, out.len, stdout);
	buf_release(&out);
}

void question_outcome(const struct question *q)
{
	struct outcome o = game_outcome(&q->ruleset, &q->position);
	if (o.over)
		printf("%s wins: %s, %d point%s\n",
		       o.winner == WHITE ? "White" : "Black", o.why, o.points,
		       o.points == 1 ? "" : "s");
}

void moves_print(const struct question *q, const struct move_list *list,
		 size_t most)
{
	char text[MOVE_TEXT_MAX];
	size_t count = list->count < most ? list->count : most;
	size_t widest = 0;
	for (size_t i = 0; i < count; i++) {
		size_t len = game_move_text(&q->ruleset, &q->position,
					    &list->move[i], text);
		widest = len > widest ? len : widest;
	}
	size_t columns = LINE_COLUMNS / (widest + 2);
	columns = columns > 0 ? columns : 1;
	for (size_t i = 0; i < count; i++) {
		bool last = i + 1 == count || (i + 1) % columns == 0;
		game_move_text(&q->ruleset, &q->position, &list->move[i], text);
		printf("  %-*s%s", last ? 0 : (int)widest, text,
		       last ? "\n" : "");
	}
}
