/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "rules/draughts_priv.h"
#include "rules/options_priv.h"

/* ---- squares ----------------------------------------------------------- */

/* Numbers 1 to 32 count the dark squares from Black's right hand, so that
 * Black's first row is 1 to 4 and square 4 is the corner at his left. The
 * letters of a numeric game are written from Black's side too. */
static unsigned number_square(unsigned number)
{
	unsigned row = (number - 1) / 4, place = (number - 1) % 4;
	return 63 - (row * 8 + 6 + row % 2 - 2 * place);
}

static unsigned square_number(unsigned square)
{
	unsigned turned = 63 - square, row = turned / 8;
	return row * 4 + (6 + row % 2 - turned % 8) / 2 + 1;
}

/* The numbers as texts, by square; none for a light one. A row of Black's at a
 * time, his last one first. */
#define ROW_OF_EVEN(a, b, c, d) a, "", b, "", c, "", d, ""
#define ROW_OF_ODD(a, b, c, d)  "", a, "", b, "", c, "", d
static const char numbers[64][SQUARE_TEXT_MAX] = {
	ROW_OF_EVEN("29", "30", "31", "32"), ROW_OF_ODD("25", "26", "27", "28"),
	ROW_OF_EVEN("21", "22", "23", "24"), ROW_OF_ODD("17", "18", "19", "20"),
	ROW_OF_EVEN("13", "14", "15", "16"), ROW_OF_ODD("9", "10", "11", "12"),
	ROW_OF_EVEN("5", "6", "7", "8"),     ROW_OF_ODD("1", "2", "3", "4"),
};
#undef ROW_OF_EVEN
#undef ROW_OF_ODD

unsigned square_at(bool numeric, unsigned i)
{
	return numeric ? number_square(i + 1) : i;
}

size_t square_write(bool numeric, unsigned square, char out[SQUARE_TEXT_MAX])
{
	if (!numeric) {
		out[0] = (char)('a' + square % 8);
		out[1] = (char)('1' + square / 8);
		out[2] = '\0';
		return 2;
	}
	memcpy(out, numbers[square], SQUARE_TEXT_MAX);
	return out[1] == '\0' ? 1 : 2;
}

enum { SQUARE_UNKNOWN = -1, SQUARE_NO_TEXT = -2 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads digits; a number over 99 is 99, which names no square. */
static size_t read_number(const char *text, size_t len, unsigned *out)
{
	size_t used = 0;
	for (*out = 0; used < len && is_digit(text[used]); used++) {
		*out = *out * 10 + (unsigned)(text[used] - '0');
		*out = *out > 99 ? 99 : *out;
	}
	return used;
}

/* Reads a square at the front of text: a letter and digits, or digits alone
 * where squares are numbers. *square is 0 to 63, SQUARE_UNKNOWN for one that is
 * not on the board, SQUARE_NO_TEXT for no square at all. Returns the bytes
 * used. */
static size_t square_read(const struct variant *v, const char *text, size_t len,
			  int *square)
{
	unsigned number;
	bool letter = len > 0 && text[0] >= 'a' && text[0] <= 'z';
	size_t used =
		letter + read_number(text + letter, len - letter, &number);
	*square = SQUARE_NO_TEXT;
	if (used == letter || (!letter && !v->numeric))
		return 0;
	*square = SQUARE_UNKNOWN;
	if (letter && text[0] <= 'h' && number >= 1 && number <= 8) {
		int at = (int)(number - 1) * 8 + (text[0] - 'a');
		*square = v->numeric ? 63 - at : at;
	} else if (!letter && number >= 1 && number <= 32) {
		*square = (int)number_square(number);
	}
	if (*square >= 0 && !(v->squares & square_bit((unsigned)*square)))
		*square = SQUARE_UNKNOWN;
	return used;
}

/* ---- positions: reading ------------------------------------------------ */

struct reader {
	const struct variant *v;
	const char *text;
	size_t len;
	size_t at;
	const char *wrong; /* set once, with `at` the place */
};

static bool reader_fails(struct reader *r, const char *wrong)
{
	r->wrong = wrong;
	return false;
}

static bool reader_takes(struct reader *r, char c)
{
	if (r->at >= r->len || r->text[r->at] != c)
		return false;
	r->at++;
	return true;
}

static bool read_side(struct reader *r, enum side *out)
{
	if (reader_takes(r, 'W'))
		*out = WHITE;
	else if (reader_takes(r, 'B'))
		*out = BLACK;
	else
		return reader_fails(r, "A side is W or B.");
	return true;
}

static bool read_square(struct reader *r, int *out)
{
	size_t used = square_read(r->v, r->text + r->at, r->len - r->at, out);
	if (*out == SQUARE_NO_TEXT)
		return reader_fails(r, "A square is expected here.");
	if (*out == SQUARE_UNKNOWN)
		return reader_fails(r, "There is no such square.");
	r->at += used;
	return true;
}

static bool put_piece(struct reader *r, struct draughts_position *d,
		      enum side side, bool king, unsigned square)
{
	uint64_t bit = square_bit(square);
	if ((d->pieces[WHITE] | d->pieces[BLACK]) & bit)
		return reader_fails(r, "Two pieces stand on one square.");
	d->pieces[side] |= bit;
	if (king)
		d->kings |= bit;
	if (squares_count(d->pieces[side]) > squares_count(r->v->start[side]))
		return reader_fails(r, "A side has more pieces than at the "
				       "start.");
	return true;
}

/* `18`, `K18`, `21-32` */
static bool read_pieces(struct reader *r, struct draughts_position *d,
			enum side side)
{
	bool king = reader_takes(r, 'K');
	size_t begin = r->at;
	int first, last;
	if (!read_square(r, &first))
		return false;
	last = first;
	if (r->v->numeric && reader_takes(r, '-') && !read_square(r, &last))
		return false;
	unsigned from = r->v->numeric ? square_number((unsigned)first) : 0;
	unsigned to = r->v->numeric ? square_number((unsigned)last) : 0;
	size_t end = r->at;
	r->at = begin;
	if (from > to)
		return reader_fails(r, "The range runs backwards.");
	for (unsigned n = from; n <= to; n++) {
		unsigned square =
			r->v->numeric ? number_square(n) : (unsigned)first;
		if (!put_piece(r, d, side, king, square))
			return false;
	}
	r->at = end;
	return true;
}

/* `:W18,K22`, `:B` */
static bool read_list(struct reader *r, struct draughts_position *d,
		      enum side *side)
{
	if (!reader_takes(r, ':'))
		return reader_fails(r, "A ':' is expected here.");
	if (!read_side(r, side))
		return false;
	if (r->at == r->len || r->text[r->at] == ':')
		return true;
	do {
		if (!read_pieces(r, d, *side))
			return false;
	} while (reader_takes(r, ','));
	return true;
}

static bool read_position(struct reader *r, struct position *out)
{
	enum side mover, first, second;
	if (!read_side(r, &mover) || !read_list(r, &out->draughts, &first))
		return false;
	size_t begin = r->at + 1;
	if (!read_list(r, &out->draughts, &second))
		return false;
	if (first == second) {
		r->at = begin;
		return reader_fails(r, "Both lists are of one side.");
	}
	if (r->at < r->len)
		return reader_fails(r, "The position has ended here.");
	out->side = (uint8_t)mover;
	return true;
}

int draughts_read(const struct ruleset *rs, const char *text, size_t len,
		  struct position *out, struct text_error *where)
{
	struct variant v;
	struct reader r = { &v, text, len, 0, NULL };
	struct position pos;
	memset(&pos, 0, sizeof(pos));
	variant_of(rs, &v);
	if (!read_position(&r, &pos)) {
		*where = (struct text_error){ r.at, r.wrong };
		return PLYD_EPOSITION;
	}
	*out = pos;
	return PLYD_OK;
}

/* ---- positions: writing ------------------------------------------------ */

static size_t write_list(const struct variant *v,
			 const struct draughts_position *d, enum side side,
			 char *out)
{
	size_t len = 0;
	/* numbers begin in the last row, and count along each as squares do */
	unsigned flip = v->numeric ? 56 : 0;
	uint64_t left = v->numeric ? __builtin_bswap64(d->pieces[side])
				   : d->pieces[side];
	out[len++] = ':';
	out[len++] = side == WHITE ? 'W' : 'B';
	for (bool more = false; left; left &= left - 1, more = true) {
		unsigned square = squares_first(left) ^ flip;
		if (more)
			out[len++] = ',';
		if (d->kings & square_bit(square))
			out[len++] = 'K';
		len += square_write(v->numeric, square, out + len);
	}
	return len;
}

size_t draughts_write(const struct ruleset *rs, const struct position *pos,
		      char *out)
{
	/* 16 pieces a side, 4 bytes each */
	_Static_assert(1 + 2 * (2 + MOVE_LEGS_MAX * 4) < POSITION_TEXT_MAX,
		       "a position fits its text");
	struct variant v;
	size_t len = 0;
	variant_of(rs, &v);
	out[len++] = pos->side == WHITE ? 'W' : 'B';
	len += write_list(&v, &pos->draughts, WHITE, out + len);
	len += write_list(&v, &pos->draughts, BLACK, out + len);
	out[len] = '\0';
	return len;
}

/* ---- moves ------------------------------------------------------------- */

/* Reads one square into the words; returns the bytes used, 0 if none. */
static size_t words_add(const struct variant *v, const char *text, size_t len,
			struct move_words *out)
{
	int square;
	size_t used = square_read(v, text, len, &square);
	if (square == SQUARE_NO_TEXT || out->count > MOVE_LEGS_MAX)
		return 0;
	out->at[out->count].square = square;
	char *name = out->at[out->count].text;
	if (square >= 0) {
		square_write(v->numeric, (unsigned)square, name);
	} else {
		size_t kept = sizeof(out->at[0].text) - 1;
		kept = used < kept ? used : kept;
		memcpy(name, text, kept);
		name[kept] = '\0';
	}
	out->count++;
	return used;
}

bool move_words_read(const struct variant *v, const char *text, size_t len,
		     struct move_words *out)
{
	size_t at = 0;
	out->count = 0;
	out->dash = false;
	for (;;) {
		size_t used = words_add(v, text + at, len - at, out);
		at += used;
		if (used == 0)
			return false;
		if (at == len)
			break;
		char sign = text[at++];
		if (sign != '-' && sign != 'x' && sign != ':')
			return false;
		out->dash = out->dash || sign == '-';
	}
	return out->count >= 2 && !(out->dash && out->count > 2);
}

size_t move_write(bool numeric, const struct move *move,
		  char out[MOVE_TEXT_MAX])
{
	_Static_assert((MOVE_LEGS_MAX + 1) * SQUARE_TEXT_MAX <= MOVE_TEXT_MAX,
		       "a move fits its text");
	size_t len = 0;
	assert(move->legs >= 1 && move->legs <= MOVE_LEGS_MAX);
	for (unsigned i = 0; i <= move->legs; i++) {
		if (i > 0)
			out[len++] = move->taken ? 'x' : '-';
		len += square_write(numeric, move->at[i], out + len);
	}
	return len;
}

size_t draughts_move_text(const struct ruleset *rs, const struct position *pos,
			  const struct move *move, char *out)
{
	(void)pos;
	return move_write(rs->draughts.notation == NOTATION_NUMERIC, move, out);
}

/* ---- replay ------------------------------------------------------------ */

/* Carries the piece one leg on; false: it cannot. */
static bool replay_leg(struct draughts_position *d, enum side side, bool jumps,
		       unsigned from, unsigned to)
{
	uint64_t between, own = d->pieces[side];
	uint64_t foes = d->pieces[side_other(side)];
	if ((own | foes) & square_bit(to))
		return false;
	if (!jumps)
		return true;
	if (line_between(from, to, &between) == NOWHERE || (between & own) ||
	    !(between & foes))
		return false;
	d->pieces[side_other(side)] &= ~between;
	d->kings &= ~between;
	return true;
}

int draughts_replay_move(const struct ruleset *rs, const struct position *pos,
			 const char *text, size_t len, bool crowned,
			 struct position *out)
{
	struct variant v;
	struct move_words words;
	struct position next = *pos;
	struct draughts_position *d = &next.draughts;
	enum side side = (enum side)pos->side;
	variant_of(rs, &v);
	if (!move_words_read(&v, text, len, &words) || words.at[0].square < 0)
		return PLYD_ERECORD;
	uint64_t bit = square_bit((unsigned)words.at[0].square);
	bool king = crowned || (d->kings & bit);
	if (!(d->pieces[side] & bit))
		return PLYD_ERECORD;
	d->pieces[side] &= ~bit;
	d->kings &= ~bit;
	for (unsigned i = 1; i < words.count; i++) {
		int from = words.at[i - 1].square, to = words.at[i].square;
		if (to < 0 || !replay_leg(d, side, !words.dash, (unsigned)from,
					  (unsigned)to))
			return PLYD_ERECORD;
		bit = square_bit((unsigned)to);
	}
	d->pieces[side] |= bit;
	d->kings |= king ? bit : 0;
	next.side = (uint8_t)side_other(side);
	*out = next;
	return PLYD_OK;
}
