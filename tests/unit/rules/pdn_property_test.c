/* SPDX-License-Identifier: MIT
 * Random games of every draughts ruleset, written as PDN and read back: alike
 * to the last bit. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "draughts_sets.h"
#include "rules/pdn.h"

enum {
	ROUNDS = PLYD_SANITIZED ? 4 : 40, /* buffers of each option set */
	GAMES = 5,                        /* in each buffer */
	PLIES_MAX = 150,
	BUFFER_MAX = 1024 * 1024
};

struct played {
	struct position start, end;
	size_t plies;
	struct move move[PLIES_MAX];
	enum game_result result;
	char event[32];
};

struct reading {
	const struct ruleset *rs;
	const struct played *games; /* that must come, in this order */
	size_t seen;
};

static struct move_list list;
static struct played games[GAMES];

/* ---- what is read -------------------------------------------------------- */

static void on_fault(void *payload, const struct game_fault *f)
{
	(void)payload;
	fail_msg("%u:%u: %s (%s)", f->place.line, f->place.column, f->text,
		 f->word);
}

static void on_game(void *payload, const struct game_record *g)
{
	struct reading *r = payload;
	const struct played *p = &r->games[r->seen];
	assert_true(r->seen < GAMES);
	assert_int_equal(g->number, ++r->seen);
	assert_memory_equal(&g->ruleset, r->rs, sizeof(g->ruleset));
	assert_memory_equal(&g->start, &p->start, sizeof(p->start));
	assert_memory_equal(&g->end, &p->end, sizeof(p->end));
	assert_int_equal(g->result, p->result);
	assert_string_equal(game_tag_find(g, "Event"), p->event);
	assert_int_equal(g->entry_count, p->plies);
	for (size_t i = 0; i < p->plies; i++) {
		const struct move *m = &g->entry[i].move, *n = &p->move[i];
		assert_int_equal(g->entry[i].kind, ENTRY_MOVE);
		assert_int_equal(m->legs, n->legs);
		assert_int_equal(m->taken, n->taken);
		assert_int_equal(m->crowned, n->crowned);
		assert_memory_equal(m->at, n->at, n->legs + 1u);
	}
}

static void reads_back(const struct ruleset *rs, struct span text, size_t piece)
{
	struct reading reading = { rs, games, 0 };
	const struct game_sink sink = { on_game, on_fault, &reading };
	struct game_reader *reader;
	assert_int_equal(game_reader_new(FORMAT_PDN, rs, &sink, &reader), 0);
	for (size_t at = 0; at < text.len; at += piece) {
		size_t left = text.len - at;
		game_reader_feed(reader, span_of(text.at + at,
						 left < piece ? left : piece));
	}
	game_reader_end(reader);
	game_reader_free(reader);
	assert_int_equal(reading.seen, GAMES);
}

/* ---- what is written ------------------------------------------------------ */

/* Plays on from *pos; returns how many moves were played. */
static size_t play(const struct ruleset *rs, struct rng *rng,
		   struct position *pos, size_t plies, struct move *out)
{
	for (size_t i = 0; i < plies; i++) {
		struct position before = *pos;
		assert_int_equal(game_moves(rs, &before, &list), PLYD_OK);
		if (list.count == 0)
			return i;
		out[i] = list.move[rng_below(rng, (uint32_t)list.count)];
		game_apply(rs, &before, &out[i], pos);
	}
	return plies;
}

static void make_game(const struct ruleset *rs, struct rng *rng,
		      struct played *p)
{
	static const char *const events[] = { "", "a \"b\" \\", "[x] {y} 1-0",
					      "\xc3\xa9" };
	game_start(rs, &p->start);
	if (rng_below(rng, 2))
		play(rs, rng, &p->start, rng_below(rng, 60), p->move);
	p->end = p->start;
	p->plies = play(rs, rng, &p->end, rng_below(rng, PLIES_MAX), p->move);
	struct outcome o = game_outcome(rs, &p->end);
	p->result = (enum game_result)rng_below(rng, RESULT_FORFEIT + 1);
	if (o.over)
		p->result = o.winner == WHITE ? RESULT_WHITE : RESULT_BLACK;
	snprintf(p->event, sizeof(p->event), "%s",
		 events[rng_below(rng, COUNT(events))]);
}

static void write_game(const struct ruleset *rs, const struct played *p,
		       struct buf *out)
{
	struct pdn_writer w;
	pdn_write_begin(&w, out, rs, &p->start, p->result);
	pdn_write_tag(&w, "Event", p->event);
	for (size_t i = 0; i < p->plies; i++)
		pdn_write_move(&w, &p->move[i]);
	assert_int_equal(pdn_write_end(&w), PLYD_OK);
}

/* Whether the next line could have begun in this one, of `columns`. */
static bool next_word_fits(const uint8_t *line, size_t columns)
{
	size_t len = strcspn((const char *)line, " \n");
	return len > 0 && *line != '[' && columns + 1 + len <= PDN_COLUMNS;
}

/* Lines of moves are full, and no longer than they may be. */
static void lines_are_full(const struct buf *text)
{
	const uint8_t *line = text->at, *end;
	while ((end = (const uint8_t *)strchr((const char *)line, '\n'))) {
		size_t columns = (size_t)(end - line);
		if (columns > 0 && *line != '[') {
			assert_true(columns <= PDN_COLUMNS);
			assert_false(next_word_fits(end + 1, columns));
			assert_int_not_equal(end[-1], ' ');
		}
		line = end + 1;
	}
}

static void games_go_round(const struct ruleset *rs, uint64_t seed)
{
	struct rng rng;
	struct buf out;
	rng_seed(&rng, seed);
	buf_init(&out, BUFFER_MAX);
	for (size_t i = 0; i < GAMES; i++) {
		make_game(rs, &rng, &games[i]);
		write_game(rs, &games[i], &out);
	}
	buf_put_byte(&out, '\0');
	lines_are_full(&out);
	out.len--;
	reads_back(rs, buf_span(&out), SIZE_MAX / 2);
	reads_back(rs, buf_span(&out), 1 + rng_below(&rng, 9));
	buf_release(&out);
}

static void every_ruleset_goes_round(void **state)
{
	(void)state;
	for (size_t i = 0; draughts_set_names[i]; i++) {
		struct ruleset rs = draughts_set(draughts_set_names[i], "");
		for (uint64_t round = 0; round < ROUNDS; round++)
			games_go_round(&rs, i * ROUNDS + round);
	}
}

/* ---- what a person sees ----------------------------------------------------- */

static void written(const char *ruleset, const char *start,
		    enum game_result result, const char *move, const char *want)
{
	struct ruleset rs = draughts_set(ruleset, "");
	struct position pos;
	struct pdn_writer w;
	struct buf out;
	struct move m;
	struct refusal why;
	game_start(&rs, &pos);
	if (start)
		pos = draughts_position(&rs, start);
	buf_init(&out, BUFFER_MAX);
	pdn_write_begin(&w, &out, &rs, &pos, result);
	if (move) {
		assert_int_equal(game_check(&rs, &pos, move, strlen(move), &m,
					    &why),
				 PLYD_OK);
		pdn_write_move(&w, &m);
	}
	assert_int_equal(pdn_write_end(&w), PLYD_OK);
	buf_put_byte(&out, '\0');
	assert_string_equal((const char *)out.at, want);
	buf_release(&out);
}

static void it_reads_as_it_should(void **state)
{
	(void)state;
	written("english", NULL, RESULT_BLACK, "11-15",
		"[GameType \"21\"]\n[Result \"1-0\"]\n\n"
		"1. 11-15 {Black, who moves first, won} 1-0\n\n");
	written("turkish", NULL, RESULT_BLACK, "d3-d4",
		"[GameType \"30\"]\n[Result \"0-1\"]\n\n"
		"1. d3-d4 {Black, who moves second, won} 0-1\n\n");
	written("english", "W:W22:B18,1", RESULT_NONE, "22x15",
		"[GameType \"21\"]\n[Result \"*\"]\n[SetUp \"1\"]\n"
		"[FEN \"W:W22:B1,18\"]\n\n1... 22x15 *\n\n");
	written("english", NULL, RESULT_DRAW, NULL,
		"[GameType \"21\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_as_it_should),
		cmocka_unit_test(every_ruleset_goes_round),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
