/* SPDX-License-Identifier: MIT */
#include "game_dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DUMP_MAX = 1 << 26 };

static const char *tag_or(const struct game_record *g, const char *name)
{
	const char *value = game_tag_find(g, name);
	return value ? value : "-";
}

static bool dropped(const struct game_record *g)
{
	return g->entry_count > 0 &&
	       g->entry[g->entry_count - 1].kind == ENTRY_DROP;
}

static void put_result(struct buf *out, const struct game_record *g)
{
	if (g->result == RESULT_NONE)
		buf_put_str(out, "no result\n");
	else
		buf_printf(out, "%s wins %u%s\n",
			   g->result == RESULT_WHITE ? "White" : "Black",
			   g->points,
			   dropped(g) ? ", dropped"
			   : game_outcome(&g->ruleset, &g->end).over
				   ? ""
				   : ", resigned");
}

static void put_entry(struct buf *out, const struct game_record *g,
		      const struct game_entry *e)
{
	static const char *const word[] = { [ENTRY_PASS] = " pass",
					    [ENTRY_DOUBLE] = " doubles",
					    [ENTRY_TAKE] = " takes",
					    [ENTRY_DROP] = " drops" };
	char text[MOVE_TEXT_MAX];
	buf_printf(out, "%c", "WB"[e->side]);
	if (e->dice[0] > 0)
		buf_printf(out, " %u%u", e->dice[0], e->dice[1]);
	if (e->kind != ENTRY_MOVE) {
		buf_printf(out, "%s\n", word[e->kind]);
		return;
	}
	game_move_text(&g->ruleset, &g->start, &e->move, text);
	buf_printf(out, " %s\n", text);
}

static void put_game(void *payload, const struct game_record *g)
{
	struct buf *out = payload;
	struct position pos = g->start, usual;
	buf_printf(out,
		   "game %" PRIu64 ": %s %u points, White %s %u, Black %s "
		   "%u%s\n",
		   g->number, g->ruleset.name, g->match_length,
		   tag_or(g, "White"), g->score[WHITE], tag_or(g, "Black"),
		   g->score[BLACK],
		   g->start.stakes.crawford ? ", Crawford" : "");
	game_start(&g->ruleset, &usual);
	if (memcmp(&usual.backgammon, &pos.backgammon,
		   sizeof(pos.backgammon)) != 0) {
		char text[POSITION_TEXT_MAX];
		game_write(&g->ruleset, &pos, text);
		buf_printf(out, "from %s\n", text);
	}
	for (size_t i = 0; i < g->entry_count; i++)
		put_entry(out, g, &g->entry[i]);
	put_result(out, g);
}

static void put_fault(void *payload, const struct game_fault *f)
{
	struct buf *out = payload;
	buf_printf(out,
		   "game %" PRIu64 ": line %u column %u offset %" PRIu64
		   ": %s '%s' %s\n",
		   f->game, f->place.line, f->place.column, f->place.offset,
		   f->err == PLYD_EILLEGAL ? reason_name(f->refusal.reason)
					   : plyd_err_name(f->err),
		   f->word, f->text);
}

void game_dump(enum game_format format, const struct ruleset *asked,
	       struct span bytes, size_t piece, struct buf *out)
{
	const struct game_sink sink = { put_game, put_fault, out };
	struct game_reader *r;
	if (game_reader_new(format, asked, &sink, &r))
		abort();
	for (size_t at = 0, n = 0; at < bytes.len; at += n) {
		n = bytes.len - at;
		if (piece > 0 && n > piece)
			n = piece;
		game_reader_feed(r, span_of(bytes.at + at, n));
	}
	game_reader_end(r);
	game_reader_free(r);
}

char *game_dump_text(enum game_format format, const struct ruleset *asked,
		     struct span bytes, size_t piece)
{
	struct buf out;
	buf_init(&out, DUMP_MAX);
	game_dump(format, asked, bytes, piece, &out);
	if (buf_put_byte(&out, '\0'))
		abort();
	return (char *)out.at;
}

struct buf test_file(const char *path)
{
	char full[1024], piece[4096];
	struct buf out;
	size_t n;
	snprintf(full, sizeof(full), "%s/%s", TESTS_DIR, path);
	FILE *in = fopen(full, "rb");
	buf_init(&out, DUMP_MAX);
	while (in && (n = fread(piece, 1, sizeof(piece), in)) > 0)
		buf_put(&out, piece, n);
	if (!in || fclose(in) || out.err || out.len == 0) {
		fprintf(stderr, "%s: cannot be read\n", full);
		abort();
	}
	return out;
}
