/* SPDX-License-Identifier: MIT
 * The first byte picks a ruleset to ask for and how the rest, a PDN text, is
 * split. Any split tells the same; every game that is delivered is written
 * again, and what is written reads back as the same moves. */
#include "fuzz.h"

#include <string.h>

#include "rules/pdn.h"

enum { WRITTEN_MAX = 1024 * 1024 };

/* What was told, in a number, and the last game once more as PDN. */
struct told {
	uint64_t sum;
	uint64_t games;
	uint64_t faults;
	struct buf *written; /* or NULL */
};

static void add(struct told *t, uint64_t value)
{
	t->sum = (t->sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	t->sum ^= t->sum >> 29;
}

static void write_game(struct buf *out, const struct game_record *g)
{
	struct pdn_writer w;
	struct position pos = g->start, before;
	buf_clear(out);
	pdn_write_begin(&w, out, &g->ruleset, &g->start, g->result);
	for (size_t i = 0; i < g->entry_count; i++) {
		before = pos;
		pdn_write_move(&w, &g->entry[i].move);
		game_apply(&g->ruleset, &before, &g->entry[i].move, &pos);
	}
	insist(!pdn_write_end(&w));
	insist(!memcmp(&pos, &g->end, sizeof(pos)));
}

static void on_game(void *payload, const struct game_record *g)
{
	struct told *t = payload;
	insist(g->number == ++t->games + t->faults);
	insist(g->entry_count <= GAME_ENTRIES_MAX);
	add(t, game_hash(&g->ruleset, &g->start));
	add(t, game_hash(&g->ruleset, &g->end));
	add(t, g->entry_count);
	add(t, g->result);
	if (t->written)
		write_game(t->written, g);
}

static void on_fault(void *payload, const struct game_fault *f)
{
	struct told *t = payload;
	insist(f->game == t->games + ++t->faults);
	insist(f->err < 0 && f->text && f->place.line > 0);
	insist(strlen(f->word) <= GAME_WORD_MAX);
	add(t, f->place.offset);
	add(t, (uint64_t)-f->err);
	add(t, f->refusal.reason);
}

static void read_text(struct told *t, const struct ruleset *asked,
		      struct span text, size_t piece)
{
	const struct game_sink sink = { on_game, on_fault, t };
	struct game_reader *r;
	insist(!game_reader_new(FORMAT_PDN, asked, &sink, &r));
	for (size_t at = 0; at < text.len; at += piece) {
		size_t left = text.len - at;
		game_reader_feed(r, span_of(text.at + at,
					    left < piece ? left : piece));
	}
	game_reader_end(r);
	game_reader_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const names[] = { "english", "turkish",
					     "turkish-classic", "backgammon" };
	struct ruleset rs;
	struct buf out;
	struct told whole = { .sum = 0 }, split = { .sum = 0 },
		    back = { .sum = 0 };
	if (len == 0)
		return 0;
	const char *name = names[bytes[0] % 4];
	const struct ruleset *asked = bytes[0] & 4 ? &rs : NULL;
	struct span text = span_of(bytes + 1, len - 1);
	insist(!ruleset_find(name, strlen(name), &rs));
	buf_init(&out, WRITTEN_MAX);
	whole.written = &out;
	read_text(&whole, asked, text, SIZE_MAX / 2);
	read_text(&split, asked, text, 1u + (bytes[0] >> 3));
	insist(whole.sum == split.sum && whole.games == split.games);
	if (whole.games > 0) {
		read_text(&back, asked, buf_span(&out), SIZE_MAX / 2);
		insist(back.games == 1 && back.faults == 0);
	}
	buf_release(&out);
	return 0;
}
