/* SPDX-License-Identifier: MIT
 * GNU Backgammon ids, as "A technical description of the Position ID" and "of
 * the Match ID" in its manual have them: base 64 of bits, lowest bit of each
 * byte first. A position id has, for each point of the opponent and then of the
 * player on roll, from the ace point to the bar, as many ones as there are
 * checkers, and a zero. Alone it does not say who is on roll: White, then. */
#include <string.h>

#include "rules/backgammon_priv.h"

enum { POSITION_CHARS = 14, POSITION_BITS = 80, MATCH_CHARS = 12 };

/* Fields of a match id: first bit and width. */
enum {
	CUBE = 0,
	CUBE_WIDTH = 4,
	CUBE_OWNER = 4,
	OWNER_WIDTH = 2,
	ON_ROLL = 6,
	CRAWFORD = 7,
	DIE_1 = 15,
	DIE_2 = 18,
	DIE_WIDTH = 3,
	MATCH_LENGTH = 21,
	SCORE_0 = 36,
	SCORE_1 = 51,
	SCORE_WIDTH = 15
};

enum { NO_OWNER = 2 }; /* bits that name nobody */

struct bits {
	uint8_t byte[12];
};

static int base64_value(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

static int wrong(struct text_error *where, size_t offset, const char *text)
{
	where->offset = offset;
	where->text = text;
	return PLYD_EPOSITION;
}

static int bits_read(const char *text, size_t from, size_t chars,
		     struct bits *out, struct text_error *where)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < chars; i++) {
		int value = base64_value(text[from + i]);
		if (value < 0)
			return wrong(where, from + i,
				     "This is no character of a GNU Backgammon "
				     "id.");
		for (size_t j = 0; j < 6; j++) {
			size_t bit = 6 * i + j;
			if (value >> (5 - j) & 1)
				out->byte[bit / 8] |=
					(uint8_t)(0x80u >> bit % 8);
		}
	}
	return PLYD_OK;
}

static unsigned bit_at(const struct bits *b, size_t i)
{
	return b->byte[i / 8] >> i % 8 & 1;
}

static unsigned number_at(const struct bits *b, size_t from, size_t width)
{
	unsigned value = 0;
	for (size_t i = 0; i < width; i++)
		value |= bit_at(b, from + i) << i;
	return value;
}

/* The points of both; false if the bits end too early or tell too many. */
static bool points_read(const struct bits *b, uint8_t opponent[BAR + 1],
			uint8_t on_roll[BAR + 1])
{
	size_t bit = 0;
	for (int p = 1; p <= 2 * BAR; p++) {
		uint8_t *point = p <= BAR ? &opponent[p] : &on_roll[p - BAR];
		for (; bit < POSITION_BITS && bit_at(b, bit); bit++)
			++*point;
		if (bit++ >= POSITION_BITS || *point > CHECKERS_MAX)
			return false;
	}
	return true;
}

/* The fields of an XGID that say the same. Player 1 of GNU Backgammon is X, our
 * White. */
static void fields_of(const struct bits *b, int field[XGID_FIELDS])
{
	static const int owner[] = { -1, 1, NO_OWNER, 0 };
	field[XGID_CUBE] = (int)number_at(b, CUBE, CUBE_WIDTH);
	field[XGID_CUBE_OWNER] = owner[number_at(b, CUBE_OWNER, OWNER_WIDTH)];
	field[XGID_FLAG] = (int)bit_at(b, CRAWFORD);
	field[XGID_MATCH_LENGTH] = (int)number_at(b, MATCH_LENGTH, SCORE_WIDTH);
	field[XGID_SCORE_BLACK] = (int)number_at(b, SCORE_0, SCORE_WIDTH);
	field[XGID_SCORE_WHITE] = (int)number_at(b, SCORE_1, SCORE_WIDTH);
}

/* Who is on roll, the dice, cube and score. */
static int match_read(const struct ruleset *rs, const char *text,
		      struct position *pos, struct text_error *where)
{
	struct bits b;
	int field[XGID_FIELDS] = { 0 };
	enum xgid_field bad;
	int err = bits_read(text, POSITION_CHARS + 1, MATCH_CHARS, &b, where);
	if (err)
		return err;
	unsigned die[2] = { number_at(&b, DIE_1, DIE_WIDTH),
			    number_at(&b, DIE_2, DIE_WIDTH) };
	pos->side = bit_at(&b, ON_ROLL) ? WHITE : BLACK;
	fields_of(&b, field);
	const char *why = stakes_read(rs, field, &pos->stakes, &bad);
	if (why)
		return wrong(where, POSITION_CHARS + 1, why);
	if (die[0] == 0 && die[1] == 0)
		return PLYD_OK;
	if (die[0] < 1 || die[0] > 6 || die[1] < 1 || die[1] > 6)
		return wrong(where, POSITION_CHARS + 1,
			     "The match id says impossible dice.");
	game_throw(pos, (int)die[0], (int)die[1], pos);
	return PLYD_OK;
}

int gnuid_read(const struct ruleset *rs, const char *text, size_t len,
	       struct position *out, struct text_error *where)
{
	struct position pos;
	struct bits b;
	memset(&pos, 0, sizeof(pos));
	int err = len > POSITION_CHARS ? match_read(rs, text, &pos, where)
				       : PLYD_OK;
	if (!err)
		err = bits_read(text, 0, POSITION_CHARS, &b, where);
	if (err)
		return err;
	if (!points_read(&b, pos.backgammon.point[!pos.side],
			 pos.backgammon.point[pos.side]))
		return wrong(where, 0, "The position id is impossible.");
	const char *why = position_complete(rs, &pos);
	if (why)
		return wrong(where, 0, why);
	*out = pos;
	return PLYD_OK;
}
