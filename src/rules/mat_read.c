/* SPDX-License-Identifier: MIT
 * Match files (.mat), as GNU Backgammon, JellyFish and others write them: a
 * heading with the length of the match, and for each game a line with its
 * number, one with names and score, numbered lines with the turns of both in
 * two columns, and one that says who has won:
 *
 *	 5 point match
 *
 *	 Game 1
 *	 ann : 0                       bob : 0
 *	  1)                             31: 8/5 6/5
 *	  2) 52: 24/22 13/8              Doubles => 2
 *	  3)  Drops                      Wins 1 point
 *
 * The left column is White's. The format is one of lines, so a line is read
 * whole; all within it goes by words, and only who begins, and who wins, by the
 * column that a lone word stands in. */
#include <strings.h>

#include "rules/backgammon_record_priv.h"

enum {
	LINE_MAX_BYTES = 512,
	ROW_GAP = 12, /* blanks after `1)` that leave the left column empty */
	WINS_GAP = 16 /* blanks before `Wins` that make it Black's */
};

enum mat_at {
	MAT_HEADING, /* before the first game, or between two */
	MAT_PLAYERS, /* in a game: names and score must follow */
	MAT_ROWS,
	MAT_LOST /* after a fault: until the next game */
};

struct mat {
	enum mat_at at;
	uint16_t length; /* of the match */
	unsigned row;    /* number of the last one */
	bool variation;  /* another starting position is announced ... */
	struct text_place variation_place; /* ... here */
	struct match_so_far match;
	struct text_place line_place;
	size_t len;
	bool too_long;
	char line[LINE_MAX_BYTES];
};

/* ---- words ------------------------------------------------------------- */

struct words {
	const struct mat *m;
	size_t at; /* where to look for the next */
};

static struct text_place place_in(const struct mat *m, size_t at)
{
	struct text_place place = m->line_place;
	place.offset += at;
	for (size_t i = 0; i < at; i++)
		place.column += ((uint8_t)m->line[i] & 0xc0) != 0x80;
	return place;
}

/* The next word of the line; empty at its end. */
static struct span word_next(struct words *w)
{
	const struct mat *m = w->m;
	while (w->at < m->len && m->line[w->at] == ' ')
		w->at++;
	size_t start = w->at;
	while (w->at < m->len && m->line[w->at] != ' ')
		w->at++;
	return span_of(m->line + start, w->at - start);
}

static struct text_place place_of(const struct mat *m, struct span word)
{
	return place_in(m, (size_t)((const char *)word.at - m->line));
}

static bool word_is(struct span word, const char *text)
{
	return word.len == strlen(text) &&
	       !strncasecmp((const char *)word.at, text, word.len);
}

static bool refuse(struct game_reader *r, struct mat *m, struct span word,
		   const char *text)
{
	return reader_fault(r, PLYD_ERECORD, place_of(m, word), word, text);
}

/* ---- the heading ------------------------------------------------------- */

/* ` 7 point match`; returns whether the line is one. 0 points: games for money,
 * each with the cube. */
static bool heading_read(struct mat *m)
{
	struct words w = { m, 0 };
	unsigned length;
	if (!number_read(word_next(&w), MATCH_LENGTH_MAX, &length) ||
	    !word_is(word_next(&w), "point") ||
	    !word_is(word_next(&w), "match") || word_next(&w).len > 0)
		return false;
	m->length = (uint16_t)length;
	m->match.known = false;
	return true;
}

/* `; [Variation "Nackgammon"]` announces a start that is not read here. */
static void comment_read(struct mat *m)
{
	static const char names[] = "[Variation";
	struct words w = { m, 1 };
	struct span name = word_next(&w);
	if (!word_is(name, names))
		return;
	m->variation = !word_is(word_next(&w), "\"Backgammon\"]");
	m->variation_place = place_of(m, name);
}

/* ` Game 3`; returns whether the line is one. */
static bool game_line(struct mat *m)
{
	unsigned number;
	struct words w = { m, 0 };
	return word_is(word_next(&w), "game") &&
	       number_read(word_next(&w), SCORE_MAX, &number) &&
	       word_next(&w).len == 0;
}

/* Another game begins, or the file ends: so does the game before. */
static void game_ends(struct game_reader *r, struct mat *m,
		      struct text_place place)
{
	if (!r->open)
		return;
	if (m->at == MAT_PLAYERS)
		reader_abandon(r, place, "The game ends before its names.");
	else
		record_broken_off(r, &m->match, place);
}

static void game_begins(struct game_reader *r, struct mat *m)
{
	m->at = MAT_PLAYERS;
	m->row = 0;
	reader_begin(r, m->line_place);
	record_begin(r, &m->match, m->line_place);
	if (m->variation)
		reader_fault(r, PLYD_ERULESET, m->variation_place,
			     span_of("", 0),
			     "Only the usual starting position is read.");
}

/* ---- names and scores -------------------------------------------------- */

static struct span trimmed(const char *text, size_t from, size_t to)
{
	while (from < to && text[from] == ' ')
		from++;
	while (to > from && text[to - 1] == ' ')
		to--;
	return span_of(text + from, to - from);
}

/* Reads `: 12` and blanks from a place of the line; returns where it ends, or 0
 * if it is not there. */
static size_t score_read(const struct mat *m, size_t at, uint16_t *score)
{
	unsigned value = 0;
	struct words w = { m, at + 1 };
	if (at >= m->len || m->line[at] != ':' ||
	    !number_read(word_next(&w), SCORE_MAX, &value))
		return 0;
	*score = (uint16_t)value;
	return w.at;
}

/* Where the names end, and the second begins: the first ends at the first colon
 * with a number behind it. */
static bool players_part(const struct mat *m, size_t end[2], uint16_t score[2],
			 size_t *second)
{
	*second = 0;
	for (size_t at = 0; at < m->len && *second == 0; at++) {
		*second = score_read(m, at, &score[WHITE]);
		end[0] = at;
	}
	/* the second ends at the line's last colon */
	for (size_t at = *second; at < m->len; at++) {
		if (m->line[at] == ':')
			end[1] = at;
	}
	return end[1] > *second &&
	       score_read(m, end[1], &score[BLACK]) == m->len;
}

/* ` ann : 0        bob : 0` */
static bool players_read(struct game_reader *r, struct mat *m)
{
	size_t end[2] = { 0, 0 }, second;
	struct match_told told = {
		.length = m->length,
		.crawford = true,
		.any_jacoby = true,
		.score_place = m->line_place,
		.cube_place = m->line_place,
	};
	if (!players_part(m, end, told.score, &second))
		return reader_fault(r, PLYD_ERECORD, m->line_place,
				    span_of("", 0),
				    "Here two names, each with a colon and a "
				    "score, must stand.");
	struct span white = trimmed(m->line, 0, end[0]);
	struct span black = trimmed(m->line, second, end[1]);
	return reader_tag(r, span_str("White"), white, place_of(m, white)) &&
	       reader_tag(r, span_str("Black"), black, place_of(m, black)) &&
	       record_match(r, &m->match, &told);
}

/* ---- rows -------------------------------------------------------------- */

/* A row on its way. */
struct row {
	struct game_reader *r;
	struct mat *m;
	unsigned cells;
	bool begun; /* turn is being read */
	struct turn_text turn;
};

/* The side of the cell that begins at this word: the left one, if it stands
 * there; what follows another is on the right. */
static bool cell_begins(struct row *row, struct span word, size_t left_end,
			size_t gap, enum side *side)
{
	size_t at = (size_t)((const char *)word.at - row->m->line);
	bool right = row->cells > 0 || at >= left_end + gap;
	if (row->cells == 2)
		return refuse(row->r, row->m, word,
			      "Nothing can follow the second column.");
	row->cells = right ? 2 : 1;
	*side = right ? BLACK : WHITE;
	return true;
}

/* Tells of the turn that is complete. */
static bool cell_ends(struct row *row)
{
	bool begun = row->begun;
	row->begun = false;
	return !begun || record_turn(row->r, &row->m->match, &row->turn);
}

static bool is_die(uint8_t c)
{
	return c >= '1' && c <= '6';
}

/* `31:`, or `31:8/5`. */
static bool is_dice(struct span word)
{
	return word.len >= 3 && is_die(word.at[0]) && is_die(word.at[1]) &&
	       word.at[2] == ':';
}

/* Adds a word to the move of the turn. */
static void move_grows(struct row *row, struct span word)
{
	struct turn_text *turn = &row->turn;
	if (word.len == 0)
		return;
	if (turn->move.len == 0) {
		turn->move = word;
		turn->move_place = place_of(row->m, word);
	}
	turn->move.len = (size_t)(word.at + word.len - turn->move.at);
}

static bool dice_read(struct row *row, struct span word, size_t left_end)
{
	enum side side = WHITE;
	if (!cell_ends(row) ||
	    !cell_begins(row, word, left_end, ROW_GAP, &side))
		return false;
	row->begun = true;
	row->turn = (struct turn_text){
		.side = side,
		.dice = { (uint8_t)(word.at[0] - '0'),
			  (uint8_t)(word.at[1] - '0') },
		.dice_place = place_of(row->m, word),
	};
	move_grows(row, span_of(word.at + 3, word.len - 3));
	return true;
}

static const char not_understood[] = "This is not understood here.";

/* `Wins 2 points`, maybe ` and the match`. */
static bool wins_read(struct row *row, struct words *w, struct span word,
		      size_t left_end, size_t gap)
{
	struct mat *m = row->m;
	enum side winner = WHITE;
	unsigned points;
	if (!cell_ends(row) || !cell_begins(row, word, left_end, gap, &winner))
		return false;
	struct span number = word_next(w);
	if (!number_read(number, SCORE_MAX, &points))
		return refuse(row->r, m, number, "Here points must stand.");
	struct span unit = word_next(w);
	struct span rest = trimmed(m->line, w->at, m->len);
	if (!word_is(unit, "point") && !word_is(unit, "points"))
		return refuse(row->r, m, unit, not_understood);
	if (rest.len > 0 && !word_is(rest, "and the match"))
		return refuse(row->r, m, rest, not_understood);
	w->at = m->len;
	record_won(row->r, &m->match, winner, points, place_of(m, number));
	m->at = MAT_HEADING;
	return true;
}

enum cube_word {
	CUBE_NONE,
	CUBE_DOUBLES,
	CUBE_TAKES,
	CUBE_DROPS,
	CUBE_BEAVERS
};

static enum cube_word cube_word_of(struct span word)
{
	static const struct {
		const char *text;
		enum cube_word is;
	} words[] = {
		{ "doubles", CUBE_DOUBLES },  { "redoubles", CUBE_DOUBLES },
		{ "takes", CUBE_TAKES },      { "accepts", CUBE_TAKES },
		{ "drops", CUBE_DROPS },      { "passes", CUBE_DROPS },
		{ "rejects", CUBE_DROPS },    { "beavers", CUBE_BEAVERS },
		{ "raccoons", CUBE_BEAVERS },
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (word_is(word, words[i].text))
			return words[i].is;
	}
	return CUBE_NONE;
}

/* `Doubles => 4`; without the number *value is 0. */
static bool cube_value(struct row *row, struct words *w, unsigned *value)
{
	struct words next = *w;
	*value = 0;
	if (!word_is(word_next(&next), "=>"))
		return true;
	struct span number = word_next(&next);
	*w = next;
	return (number_read(number, SCORE_MAX, value) && *value > 0) ||
	       refuse(row->r, row->m, number,
		      "Here the new number of the cube must stand.");
}

static bool cube_read(struct row *row, struct words *w, struct span word,
		      enum cube_word is, size_t left_end)
{
	struct match_so_far *match = &row->m->match;
	struct cube_text text = { .word = word,
				  .place = place_of(row->m, word) };
	unsigned value;
	if (!cell_ends(row) ||
	    !cell_begins(row, word, left_end, ROW_GAP, &text.side))
		return false;
	if (is == CUBE_BEAVERS)
		return reader_fault(row->r, PLYD_ERULESET, text.place, word,
				    "There are no beavers here.");
	if (is != CUBE_DOUBLES)
		return record_answer(row->r, match, &text, is == CUBE_TAKES);
	return cube_value(row, w, &value) &&
	       record_double(row->r, match, &text, value);
}

static bool word_read(struct row *row, struct words *w, struct span word,
		      size_t left_end)
{
	enum cube_word cube = cube_word_of(word);
	if (is_dice(word))
		return dice_read(row, word, left_end);
	if (word_is(word, "wins"))
		return wins_read(row, w, word, left_end, ROW_GAP);
	if (cube != CUBE_NONE)
		return cube_read(row, w, word, cube, left_end);
	if (!row->begun)
		return refuse(row->r, row->m, word,
			      "Here two dice and a colon must stand.");
	if (word_is(word, "cannot") && row->turn.move.len == 0) {
		struct words next = *w;
		if (word_is(word_next(&next), "move")) {
			*w = next;
			return true;
		}
	}
	move_grows(row, word);
	return true;
}

/* `12)`; left_end is where the left column may begin. */
static bool row_number(struct game_reader *r, struct mat *m, struct words *w)
{
	unsigned number;
	struct span word = word_next(w);
	const uint8_t *end = memchr(word.at, ')', word.len);
	struct span digits =
		span_of(word.at, end ? (size_t)(end - word.at) : 0);
	if (!number_read(digits, GAME_ENTRIES_MAX, &number))
		return refuse(r, m, word,
			      "Here the number of a turn must stand, as `1)`.");
	if (number != m->row + 1)
		return refuse(r, m, word, "The turns are not in order.");
	m->row = number;
	w->at = (size_t)((const char *)end + 1 - m->line);
	return true;
}

static bool row_read(struct game_reader *r, struct mat *m)
{
	struct row row = { .r = r, .m = m };
	struct words w = { m, 0 };
	struct words ahead = w;
	struct span word = word_next(&ahead);
	if (word_is(word, "wins"))
		return wins_read(&row, &ahead, word, 0, WINS_GAP);
	if (!row_number(r, m, &w))
		return false;
	size_t left_end = w.at;
	while ((word = word_next(&w)).len > 0) {
		if (!word_read(&row, &w, word, left_end))
			return false;
	}
	return cell_ends(&row);
}

/* ---- lines ------------------------------------------------------------- */

static void line_read(struct game_reader *r, struct mat *m)
{
	bool read = true;
	bool game = game_line(m);
	if (game || heading_read(m)) {
		game_ends(r, m, m->line_place);
		m->at = MAT_HEADING;
		if (game)
			game_begins(r, m);
		return;
	}
	switch (m->at) {
	case MAT_HEADING:
		read = reader_fault(r, PLYD_ERECORD, m->line_place,
				    span_of("", 0),
				    "Here a game must begin, as ` Game 1`.");
		break;
	case MAT_PLAYERS:
		read = players_read(r, m);
		m->at = MAT_ROWS;
		break;
	case MAT_ROWS: read = row_read(r, m); break;
	case MAT_LOST: break;
	}
	if (!read)
		m->at = MAT_LOST;
}

static void line_ends(struct game_reader *r, struct mat *m)
{
	while (m->len > 0 && m->line[m->len - 1] == ' ')
		m->len--;
	size_t at = 0;
	while (at < m->len && m->line[at] == ' ')
		at++;
	if (at < m->len && m->line[at] == ';') {
		comment_read(m);
	} else if (m->too_long) {
		reader_fault(r, PLYD_ETOOLARGE, m->line_place, span_of("", 0),
			     "The line is too long.");
		m->at = MAT_LOST;
	} else if (at < m->len) {
		line_read(r, m);
	}
	m->len = 0;
	m->too_long = false;
}

static void mat_step(struct game_reader *r, int c)
{
	struct mat *m = reader_state(r);
	if (c == '\n' || c == TEXT_END) {
		line_ends(r, m);
		if (c == TEXT_END)
			game_ends(r, m, r->here);
		return;
	}
	if (m->len == 0)
		m->line_place = r->here;
	if (m->len < LINE_MAX_BYTES)
		m->line[m->len++] = c == '\t' ? ' ' : (char)c;
	else
		m->too_long = true;
}

static bool mat_begins(struct span head)
{
	static const char *const marks[] = { " point match", "\n Game 1" };
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (memmem(head.at, head.len, marks[i], strlen(marks[i])))
			return true;
	}
	return false;
}

const struct format_ops mat_format = {
	.name = "mat",
	.extension = ".mat",
	.state_bytes = sizeof(struct mat),
	.begins = mat_begins,
	.step = mat_step,
};
