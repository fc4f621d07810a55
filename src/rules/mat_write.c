/* SPDX-License-Identifier: MIT */
#include "rules/mat.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	NAME_WIDTH = 30, /* of the left name with its score */
	CELL_WIDTH = 28, /* of a left turn, `11: 24/23 24/23 24/23 24/23` */
	NAME_MAX_BYTES = 100,
	CELL_MAX = 48 /* bytes of a turn, with the final NUL */
};

int mat_write_match(struct buf *out, unsigned length)
{
	return buf_printf(out, " %u point match\n", length);
}

/* Fills up with blanks to a width. */
static void pad(struct buf *out, size_t len, size_t width)
{
	for (; len < width; len++)
		buf_put_byte(out, ' ');
}

/* How much of a name is written: whole characters, NAME_MAX_BYTES at most. */
static size_t name_len(const char *name)
{
	size_t len = strlen(name);
	if (len <= NAME_MAX_BYTES)
		return len;
	len = NAME_MAX_BYTES;
	while (len > 0 && ((uint8_t)name[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Writes a name with its score; returns its length in bytes. A colon would end
 * the name, and a semicolon in front make the line a comment. */
static size_t put_player(struct buf *out, const char *name, unsigned score)
{
	size_t before = out->len, len = name_len(name);
	for (size_t i = 0; i < len; i++) {
		uint8_t c = (uint8_t)name[i];
		if (c == ':' || c == ';')
			c = '.';
		buf_put_byte(out, c < ' ' ? ' ' : c);
	}
	buf_printf(out, " : %u", score);
	return out->len - before;
}

void mat_write_begin(struct mat_writer *w, struct buf *out, unsigned number,
		     const char *const name[2], const uint16_t score[2])
{
	*w = (struct mat_writer){ .out = out, .cube = 1 };
	buf_printf(out, "\n Game %u\n ", number);
	size_t len =
		put_player(out, name[WHITE] ? name[WHITE] : "", score[WHITE]);
	pad(out, len, NAME_WIDTH);
	buf_put_byte(out, ' ');
	put_player(out, name[BLACK] ? name[BLACK] : "", score[BLACK]);
	buf_put_byte(out, '\n');
}

/* `63: 24/18* 13/10` */
static size_t turn_text(const uint8_t dice[2], const struct move *move,
			char out[CELL_MAX])
{
	int len = snprintf(out, CELL_MAX, "%u%u:", dice[0], dice[1]);
	for (unsigned i = 0; i < move->legs; i++) {
		len += snprintf(out + len, CELL_MAX - (size_t)len, " %u/%u%s",
				move->at[2 * i], move->at[2 * i + 1],
				move->taken >> i & 1 ? "*" : "");
		assert(len < CELL_MAX);
	}
	return (size_t)len;
}

/* Writes into the column of a side, in the next row if its own is taken. */
static void put_cell(struct mat_writer *w, enum side side, const char *text,
		     size_t len)
{
	if (!w->row_open) {
		buf_printf(w->out, "%3u) ", ++w->row);
		if (side == BLACK)
			pad(w->out, 0, CELL_WIDTH);
	}
	if (side == BLACK) {
		buf_printf(w->out, "%s\n", text);
	} else {
		buf_put(w->out, text, len);
		pad(w->out, len, CELL_WIDTH - 1);
		buf_put_byte(w->out, ' ');
	}
	w->row_open = side == WHITE;
}

void mat_write_turn(struct mat_writer *w, enum side side, const uint8_t dice[2],
		    const struct move *move)
{
	char text[CELL_MAX];
	put_cell(w, side, text, turn_text(dice, move, text));
}

void mat_write_cube(struct mat_writer *w, enum side side,
		    enum game_entry_kind kind)
{
	char text[CELL_MAX];
	int len;
	assert(kind == ENTRY_DOUBLE || kind == ENTRY_TAKE ||
	       kind == ENTRY_DROP);
	if (kind == ENTRY_DOUBLE)
		len = snprintf(text, CELL_MAX, " Doubles => %u", 2 * w->cube);
	else
		len = snprintf(text, CELL_MAX, " %s",
			       kind == ENTRY_TAKE ? "Takes" : "Drops");
	if (kind == ENTRY_TAKE)
		w->cube *= 2;
	put_cell(w, side, text, (size_t)len);
}

int mat_write_end(struct mat_writer *w, enum side winner, unsigned points)
{
	if (w->row_open)
		buf_put_byte(w->out, '\n');
	if (points > 0)
		buf_printf(w->out, "%*sWins %u point%s\n",
			   winner == WHITE ? 6 : 34, "", points,
			   points == 1 ? "" : "s");
	return w->out->err;
}
