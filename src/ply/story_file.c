/* SPDX-License-Identifier: MIT
 * story_file.c - a story from a file: a record, or a game that another program
 * wrote down. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ply/record_file.h"
#include "ply/story_priv.h"
#include "ply/view.h"
#include "rules/notation.h"

enum { READ_BYTES = 64 * 1024, RECORD_BYTES_MAX = 64 * 1024 * 1024 };

/* -- games of others -- */

struct reading {
	struct story *story;
	unsigned wanted; /* from 1 */
	unsigned games;
	const char *wrong; /* of the wanted game; NULL: nothing */
};

static void name_of(const struct game_record *g, const char *tag,
		    const char *side, char out[CLIENT_NAME_MAX])
{
	const char *value = game_tag_find(g, tag);
	snprintf(out, CLIENT_NAME_MAX, "%s", value ? value : side);
}

static bool add_throw(struct story *s, struct position *pos,
		      const struct game_entry *e)
{
	struct position before = *pos;
	if (e->dice[0] == 0)
		return true;
	before.side = e->side;
	game_throw(&before, e->dice[0], e->dice[1], pos);
	return story_add(s, pos, e->side, "%s threw %d-%d.",
			 story_side(e->side), e->dice[0], e->dice[1]);
}

static bool add_move(struct story *s, struct position *pos,
		     const struct game_entry *e)
{
	struct position before = *pos;
	char text[MOVE_TEXT_MAX];
	game_move_text(&s->rules, &before, &e->move, text);
	game_apply(&s->rules, &before, &e->move, pos);
	struct story_step *step = story_add(s, pos, e->side, "%s played %s.",
					    story_side(e->side), text);
	if (step)
		step->marked = view_places(&s->rules, &before, &e->move, WHITE);
	return step;
}

static bool add_entry(struct story *s, struct position *pos,
		      const struct game_entry *e)
{
	struct position before;
	const char *who = story_side(e->side);
	if (!add_throw(s, pos, e))
		return false;
	before = *pos;
	switch (e->kind) {
	case ENTRY_MOVE: return add_move(s, pos, e);
	case ENTRY_PASS:
		game_pass(&before, pos);
		return story_add(s, pos, e->side, "%s could not move.", who);
	case ENTRY_DOUBLE:
		return story_add(s, pos, e->side, "%s doubled.", who);
	case ENTRY_TAKE:
		game_take(&before, pos);
		return story_add(s, pos, e->side, "%s took the double.", who);
	case ENTRY_DROP:
		return story_add(s, pos, e->side, "%s dropped the double.",
				 who);
	default: return story_add(s, pos, e->side, "%s resigned.", who);
	}
}

static bool add_game(struct story *s, const struct game_record *g)
{
	static const char *const results[] = { "White won.", "Black won.",
					       "A draw.", "Not finished.",
					       "Both lost." };
	struct position pos = g->start;
	s->rules = g->ruleset;
	name_of(g, "White", "White", s->name[WHITE]);
	name_of(g, "Black", "Black", s->name[BLACK]);
	bool good = story_add(s, &pos, -1, "The game begins.");
	for (size_t i = 0; good && i < g->entry_count; i++) {
		good = add_entry(s, &pos, &g->entry[i]);
		if (good)
			s->step[s->steps - 1].ply = (uint32_t)i + 1;
	}
	return good && story_add(s, &pos, -1, "%s", results[g->result]);
}

static void on_game(void *payload, const struct game_record *game)
{
	struct reading *r = payload;
	if (++r->games != r->wanted)
		return;
	if (!add_game(r->story, game))
		r->wrong = "the game is too long";
}

static void on_fault(void *payload, const struct game_fault *fault)
{
	struct reading *r = payload;
	if (++r->games == r->wanted)
		r->wrong = fault->err == PLYD_EILLEGAL
				   ? reason_text(fault->refusal.reason)
				   : fault->text;
}

static const char *read_games(struct reading *r, const char *path, FILE *file)
{
	static uint8_t piece[READ_BYTES];
	const struct game_sink sink = { on_game, on_fault, r };
	struct game_reader *reader;
	enum game_format format;
	struct span part = { piece, fread(piece, 1, READ_BYTES, file) };
	if (game_format_guess(path, part, &format))
		return "this is no record, and no game that can be read here";
	if (game_reader_new(format, NULL, &sink, &reader))
		return plyd_err_text(PLYD_ENOMEM);
	for (; part.len > 0; part.len = fread(piece, 1, READ_BYTES, file))
		game_reader_feed(reader, part);
	game_reader_end(reader);
	game_reader_free(reader);
	return ferror(file) ? strerror(errno) : NULL;
}

static const char *of_games(struct story *s, const char *path, unsigned game,
			    unsigned *games)
{
	struct reading r = { .story = s, .wanted = game };
	FILE *file = fopen(path, "rb");
	if (!file)
		return strerror(errno);
	const char *wrong = read_games(&r, path, file);
	fclose(file);
	*games = r.games;
	if (!wrong)
		wrong = r.wrong         ? r.wrong
			: s->steps == 0 ? "there is no such game in it"
					: NULL;
	if (wrong)
		story_release(s);
	return wrong;
}

/* -- a record -- */

static const char *of_record(struct story *s, const char *path, bool *is_one)
{
	struct record_view r;
	struct buf bytes;
	struct doc *doc = doc_new();
	const struct value *root;
	if (!doc)
		return plyd_err_text(PLYD_ENOMEM);
	buf_init(&bytes, RECORD_BYTES_MAX);
	const char *wrong = record_read(path, &bytes, doc, &r);
	*is_one = !wrong;
	if (!wrong && !doc_parse(doc, buf_span(&bytes), &doc_store, &root))
		wrong = story_of_record(s, (const struct client_value *)root);
	buf_release(&bytes);
	doc_free(doc);
	return wrong;
}

const char *story_of_file(struct story *s, const char *path, unsigned game,
			  unsigned *games)
{
	bool is_record = false;
	const char *wrong = of_record(s, path, &is_record);
	*games = 1;
	return is_record ? wrong : of_games(s, path, game, games);
}
