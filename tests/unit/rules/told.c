/* SPDX-License-Identifier: MIT */
#include "told.h"

#include <stdlib.h>
#include <string.h>

enum { TOLD_MAX = 16 * 1024 * 1024 };

static void put_notes(struct told *t, const struct game_record *g, size_t entry)
{
	for (size_t i = 0; i < g->note_count; i++)
		if (g->note[i].entry == entry)
			buf_printf(&t->text, " {%s}", g->note[i].text);
}

static void put_entries(struct told *t, const struct game_record *g)
{
	struct position pos = g->start;
	put_notes(t, g, 0);
	for (size_t i = 0; i < g->entry_count; i++) {
		const struct game_entry *e = &g->entry[i];
		char text[MOVE_TEXT_MAX];
		struct position before = pos;
		game_move_text(&g->ruleset, &before, &e->move, text);
		game_apply(&g->ruleset, &before, &e->move, &pos);
		buf_printf(&t->text, " %s", text);
		for (size_t k = 0; k < GAME_GLYPHS_MAX && e->glyphs[k]; k++)
			buf_printf(&t->text, " $%u", e->glyphs[k]);
		put_notes(t, g, i + 1);
	}
	/* a game that is delivered ends where its moves lead */
	if (memcmp(&pos, &g->end, sizeof(pos)))
		abort();
}

static void on_game(void *payload, const struct game_record *g)
{
	static const char *const results[] = { "white", "black", "draw", "none",
					       "forfeit" };
	struct told *t = payload;
	const char *value = game_tag_find(g, t->tag);
	t->games++;
	if (value && strlen(value) < sizeof(t->value))
		memcpy(t->value, value, strlen(value) + 1);
	buf_printf(&t->text, "%s:", g->ruleset.name);
	put_entries(t, g);
	buf_printf(&t->text, " %s", results[g->result]);
	if (g->variations)
		buf_printf(&t->text, " (%zu)", g->variations);
	if (g->marks)
		buf_printf(&t->text, " ~%zu", g->marks);
	buf_put_byte(&t->text, '\n');
}

static void on_fault(void *payload, const struct game_fault *f)
{
	struct told *t = payload;
	t->faults++;
	t->offset = f->place.offset;
	buf_printf(&t->text, "! %s %u:%u", plyd_err_name(f->err), f->place.line,
		   f->place.column);
	if (f->ply)
		buf_printf(&t->text, " ply %u", f->ply);
	if (f->word[0])
		buf_printf(&t->text, " '%s'", f->word);
	if (f->err == PLYD_EILLEGAL)
		buf_printf(&t->text, " %s", reason_name(f->refusal.reason));
	buf_put_byte(&t->text, '\n');
}

void told_init(struct told *t, enum game_format format, const char *ruleset)
{
	const struct game_sink sink = { on_game, on_fault, t };
	struct ruleset rs;
	*t = (struct told){ .tag = "" };
	buf_init(&t->text, TOLD_MAX);
	if (ruleset && ruleset_find(ruleset, strlen(ruleset), &rs))
		abort();
	if (game_reader_new(format, ruleset ? &rs : NULL, &sink, &t->reader))
		abort();
}

void told_release(struct told *t)
{
	game_reader_free(t->reader);
	buf_release(&t->text);
}

const char *told_of(struct told *t, struct span text, size_t piece)
{
	for (size_t at = 0; at < text.len;) {
		size_t len = text.len - at < piece ? text.len - at : piece;
		game_reader_feed(t->reader, span_of(text.at + at, len));
		at += len;
	}
	game_reader_end(t->reader);
	buf_put_byte(&t->text, '\0');
	if (t->text.err)
		abort();
	return (const char *)t->text.at;
}
