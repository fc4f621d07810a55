/* SPDX-License-Identifier: MIT
 * The engine over all golden positions: whatever its budget, it plays one of
 * the moves that independent programs agreed on, and stays within its budget.
 * Its choices are folded into one number that must be the same with every
 * compiler; it changes when the engine does, and only then. */
#include "unit.h"
#include "vectors.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

enum { TABLE_BYTES = 1 << 20, NODES = 400 };

struct choices {
	struct engine *engine;
	struct ruleset ruleset;
	const char *list; /* key of the moves in a row */
	uint64_t fold;    /* of all choices so far */
};

static void fold(struct choices *c, const char *text)
{
	for (; *text; text++)
		c->fold = (c->fold ^ (unsigned char)*text) * 0x100000001b3u;
}

/* The index of the pair whose member `at` is text; -1: none. */
static int pair_find(const json_t *pairs, size_t at, const char *text)
{
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *pair = json_array_get(pairs, i);
		const char *t = json_string_value(json_array_get(pair, at));
		if (t && !strcmp(t, text))
			return (int)i;
	}
	return -1;
}

/* Asks with this budget; NULL, or what is wrong with the answer's numbers. */
static const char *ask(struct choices *c, const struct position *pos,
		       uint64_t nodes, struct engine_result *r)
{
	struct engine_question q = { .ruleset = &c->ruleset,
				     .position = pos,
				     .budget = { .nodes = nodes },
				     .multipv = 2 };
	if (engine_search(c->engine, &q, r) != PLYD_OK)
		return "the search failed";
	if (r->nodes > nodes)
		return "more nodes than allowed";
	if (r->count == 2 && r->line[0].score < r->line[1].score)
		return "the second line is better than the first";
	return NULL;
}

static const char *draughts_row(const json_t *row, void *payload)
{
	struct choices *c = payload;
	const char *fen = vector_str(row, "fen");
	const json_t *moves = json_object_get(row, c->list);
	static const uint64_t budgets[] = { 1, 30, NODES };
	struct position pos;
	struct engine_result r;
	char text[MOVE_TEXT_MAX] = "";

	if (json_is_string(moves)) /* "=A": the same as that list */
		moves = json_object_get(row, json_string_value(moves) + 1);
	if (game_read(&c->ruleset, fen, strlen(fen), &pos, NULL))
		return "the position cannot be read";
	for (size_t i = 0; i < COUNT(budgets); i++) {
		const char *wrong = ask(c, &pos, budgets[i], &r);
		if (wrong)
			return wrong;
		if ((r.count > 0) != (json_array_size(moves) > 0))
			return "a move where there is none, or none";
		for (size_t k = 0; k < r.count; k++) {
			game_move_text(&c->ruleset, &pos, &r.line[k].move,
				       text);
			if (pair_find(moves, 0, text) < 0)
				return "an illegal move";
			fold(c, text);
		}
	}
	return NULL;
}

/* The 26 characters of a golden position, from White's side. */
static void board_read(const char *text, struct position *out)
{
	memset(out, 0, sizeof(*out));
	uint8_t(*point)[26] = out->backgammon.point;
	point[WHITE][0] = point[BLACK][0] = 15;
	for (int i = 0; i < 26; i++) {
		char ch = text[i];
		enum side side = ch >= 'a' ? BLACK : WHITE;
		int n = ch == '-' ? 0 : (ch | 0x20) - 'a' + 1;
		if (n == 0)
			continue;
		point[side][side == WHITE ? i : 25 - i] = (uint8_t)n;
		point[side][0] = (uint8_t)(point[side][0] - n);
	}
}

static void board_write(const struct position *pos, char out[27])
{
	const uint8_t(*point)[26] = pos->backgammon.point;
	memset(out, '-', 26);
	out[26] = '\0';
	for (int i = 1; i < 26; i++) {
		if (point[WHITE][i])
			out[i] = (char)('A' + point[WHITE][i] - 1);
		if (point[BLACK][i])
			out[25 - i] = (char)('a' + point[BLACK][i] - 1);
	}
}

static const char *backgammon_row(const json_t *row, void *payload)
{
	struct choices *c = payload;
	const json_t *dice = json_object_get(row, "dice");
	const json_t *plays = json_object_get(row, "plays");
	static const uint64_t budgets[] = { 1, 3, NODES };
	struct position bare, pos, after;
	struct engine_result r;
	char text[27];

	board_read(vector_str(row, "pos"), &bare);
	game_throw(&bare, (int)json_integer_value(json_array_get(dice, 0)),
		   (int)json_integer_value(json_array_get(dice, 1)), &pos);
	for (size_t i = 0; i < COUNT(budgets); i++) {
		const char *wrong = ask(c, &pos, budgets[i], &r);
		if (wrong)
			return wrong;
		if ((r.count > 0) != (json_array_size(plays) > 0))
			return "a move where there is none, or none";
		for (size_t k = 0; k < r.count; k++) {
			game_apply(&c->ruleset, &pos, &r.line[k].move, &after);
			board_write(&after, text);
			if (pair_find(plays, 1, text) < 0)
				return "an illegal move";
			fold(c, text);
		}
	}
	return NULL;
}

struct golden_case {
	const char *name; /* of the ruleset */
	const char *path;
	const char *list;
	vector_fn *check;
	uint64_t fold;
};

static const struct golden_case golden_cases[] = {
	{ "english", "golden/english_moves.jsonl", "moves", draughts_row,
	  0x7c0894c6e21bb185u },
	{ "turkish", "golden/turkish_moves.jsonl", "A", draughts_row,
	  0x4627caf68db93a78u },
	{ "turkish-classic", "golden/turkish_moves.jsonl", "C", draughts_row,
	  0x24344dd8c263f27bu },
	{ "backgammon", "golden/backgammon_plays.jsonl", "plays",
	  backgammon_row, 0xee883b7d3a1f6f20u },
};

static void choices_are_legal_and_always_the_same(void **state)
{
	const struct golden_case *g = *state;
	struct choices c = { .list = g->list, .fold = 0xcbf29ce484222325u };
	assert_int_equal(ruleset_find(g->name, strlen(g->name), &c.ruleset),
			 PLYD_OK);
	assert_int_equal(engine_new(TABLE_BYTES, &c.engine), PLYD_OK);
	size_t failed = vectors_run(g->path, g->check, &c);
	engine_free(c.engine);
	printf("%s: the choices fold to 0x%016" PRIx64 "\n", g->name, c.fold);
	assert_int_equal(failed, 0);
	assert_true(c.fold == g->fold);
}

int main(void)
{
	return RUN_TABLE("engine golden", golden_cases,
			 choices_are_legal_and_always_the_same);
}
