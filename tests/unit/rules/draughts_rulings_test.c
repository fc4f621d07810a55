/* SPDX-License-Identifier: MIT
 * Refused moves with their reasons, the questions that players ask, and faults
 * that other programs had. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draughts_sets.h"
#include "vectors.h"

static char wrong[1024];

/* A row of another family is somebody else's. */
static bool is_draughts(const json_t *row, struct ruleset *rs)
{
	const char *name = vector_str(row, "ruleset");
	return !ruleset_find(name, strlen(name), rs) &&
	       rs->family == FAMILY_DRAUGHTS;
}

/* ---- reasons ----------------------------------------------------------- */

/* How many words of `text` are not in `list`. */
static unsigned words_missing(const char *text, const char *list)
{
	unsigned missing = 0;
	while (*text) {
		size_t len = strcspn(text, " ");
		const char *at = list;
		while (*at && (strncmp(at, text, len) ||
			       (at[len] != ' ' && at[len] != '\0'))) {
			at += strcspn(at, " ");
			at += *at == ' ';
		}
		missing += !*at;
		text += len + (text[len] == ' ');
	}
	return missing;
}

/* The words may come in any order: routes and pieces are sets. */
static bool details_agree(const char *a, const char *b)
{
	return !words_missing(a, b) && !words_missing(b, a);
}

static const char *reason_row(const json_t *row, void *payload)
{
	struct ruleset rs;
	struct move move;
	struct refusal why;
	unsigned *rows = payload;
	if (!is_draughts(row, &rs))
		return NULL;
	const char *text = vector_str(row, "move");
	const char *reason = vector_str(row, "reason");
	const char *detail = json_string_value(json_object_get(row, "detail"));
	struct position pos =
		draughts_position(&rs, vector_str(row, "position"));
	int err = game_check(&rs, &pos, text, strlen(text), &move, &why);
	++*rows;
	if (err == PLYD_EILLEGAL && !strcmp(reason_name(why.reason), reason) &&
	    why.step == vector_int(row, "step") &&
	    details_agree(why.detail, detail ? detail : ""))
		return NULL;
	snprintf(wrong, sizeof(wrong),
		 "%s %s: %s at %d (%s), want %s at %lld (%s)",
		 vector_str(row, "id"), text, reason_name(why.reason), why.step,
		 why.detail, reason, vector_int(row, "step"),
		 detail ? detail : "");
	return wrong;
}

static void reasons(void **state)
{
	(void)state;
	unsigned rows = 0;
	assert_int_equal(vectors_run("golden/rulings/reasons.jsonl", reason_row,
				     &rows),
			 0);
	printf("of these draughts: %u\n", rows);
	assert_true(rows > 200);
}

/* ---- questions --------------------------------------------------------- */

static const char *question_check(const json_t *row, const struct ruleset *rs,
				  const struct position *pos)
{
	const char *text = vector_str(row, "move");
	struct move move;
	struct refusal why;
	struct position after;
	int err = game_check(rs, pos, text, strlen(text), &move, &why);
	if (!json_is_true(json_object_get(row, "legal")))
		return err == PLYD_EILLEGAL &&
				       why.step == vector_int(row, "step") &&
				       !strcmp(reason_name(why.reason),
					       vector_str(row, "reason"))
			       ? NULL
			       : "another verdict";
	if (err)
		return reason_name(why.reason);
	game_apply(rs, pos, &move, &after);
	return strcmp(draughts_text(rs, &after), vector_str(row, "result"))
		       ? "another result"
		       : NULL;
}

static const char *question_moves(const json_t *row, const struct ruleset *rs,
				  const struct position *pos)
{
	static struct move_list list;
	char text[MOVE_TEXT_MAX];
	const json_t *moves = json_object_get(row, "moves");
	if (game_moves(rs, pos, &list) || list.count != json_array_size(moves))
		return "another number of moves";
	for (size_t i = 0; i < list.count; i++) {
		game_move_text(rs, pos, &list.move[i], text);
		if (strcmp(text,
			   json_string_value(
				   json_array_get(json_array_get(moves, i),
						  0))))
			return "another move";
	}
	return NULL;
}

static const char *question_row(const json_t *row, void *payload)
{
	struct ruleset rs;
	unsigned *rows = payload;
	if (!is_draughts(row, &rs))
		return NULL;
	struct position pos =
		draughts_position(&rs, vector_str(row, "position"));
	++*rows;
	if (!strcmp(vector_str(row, "kind"), "moves"))
		return question_moves(row, &rs, &pos);
	return question_check(row, &rs, &pos);
}

static void questions(void **state)
{
	(void)state;
	unsigned rows = 0;
	assert_int_equal(vectors_run("golden/rulings/questions.jsonl",
				     question_row, &rows),
			 0);
	printf("of these draughts: %u\n", rows);
	assert_true(rows > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons),
		cmocka_unit_test(questions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
