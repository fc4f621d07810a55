/* SPDX-License-Identifier: MIT
 * Positions as XGID: 26 characters from White's side, then nine fields parted
 * by colons: cube, its owner, who is to play (1 White, -1 Black), dice, score
 * of White, of Black, Crawford or Jacoby, match length, greatest cube. */
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "rules/backgammon_priv.h"

enum { FIELD_MAX = 6 };

static const char xgid[] = "XGID=";

static int wrong(struct text_error *where, size_t offset, const char *text)
{
	where->offset = offset;
	where->text = text;
	return PLYD_EPOSITION;
}

/* Sets what is borne off; false if there are more checkers than all. */
static bool side_complete(uint8_t point[BAR + 1], unsigned all)
{
	unsigned sum = 0;
	for (int p = 1; p <= BAR; p++)
		sum += point[p];
	point[OFF] = (uint8_t)(all - sum);
	return sum <= all;
}

/* Both sides on one point cannot be. */
static bool points_clash(const struct position *pos)
{
	for (int p = 1; p <= POINTS; p++) {
		if (pos->backgammon.point[WHITE][p] > 0 &&
		    pos->backgammon.point[BLACK][BAR - p] > 0)
			return true;
	}
	return false;
}

const char *position_complete(const struct ruleset *rs, struct position *pos)
{
	uint8_t(*point)[BAR + 1] = pos->backgammon.point;
	unsigned all = checkers_of(rs);
	bool few = all < CHECKERS_MAX;
	if (!side_complete(point[WHITE], all))
		return few ? "White has more than 3 checkers."
			   : "White has more than 15 checkers.";
	if (!side_complete(point[BLACK], all))
		return few ? "Black has more than 3 checkers."
			   : "Black has more than 15 checkers.";
	if (points_clash(pos))
		return "Both sides have checkers on one point.";
	if (point[WHITE][OFF] == all && point[BLACK][OFF] == all)
		return "No side has a checker.";
	if (backgammon_over(rs, pos) && pos->dice[0] > 0)
		return "The game is over, so there are no dice.";
	return NULL;
}

/* One of the 26 characters: A to O White's checkers, a to o Black's. */
static const char *point_read(char c, int index, struct position *pos)
{
	uint8_t(*point)[BAR + 1] = pos->backgammon.point;
	if (c >= 'A' && c <= 'O') {
		if (index == 0)
			return "This is Black's bar: - or a to o.";
		point[WHITE][index] = (uint8_t)(c - 'A' + 1);
	} else if (c >= 'a' && c <= 'o') {
		if (index == BAR)
			return "This is White's bar: - or A to O.";
		point[BLACK][BAR - index] = (uint8_t)(c - 'a' + 1);
	} else if (c != '-') {
		return "A point is -, A to O or a to o.";
	}
	return NULL;
}

static const char *number_read(struct span field, int *out)
{
	static const char why[] = "This is no number.";
	bool minus = field.len > 1 && field.at[0] == '-';
	int number = 0;
	if (field.len == 0 || field.len > FIELD_MAX)
		return why;
	for (size_t i = minus ? 1 : 0; i < field.len; i++) {
		if (field.at[i] < '0' || field.at[i] > '9')
			return why;
		number = 10 * number + (field.at[i] - '0');
	}
	*out = minus ? -number : number;
	return NULL;
}

static const char *dice_read(struct span field, struct position *pos)
{
	static const char why[] = "The dice are 00, or two digits 1 to 6.";
	if (span_is(field, "00"))
		return NULL;
	if (field.len != 2)
		return why;
	int die[2] = { field.at[0] - '0', field.at[1] - '0' };
	if (die[0] < 1 || die[0] > 6 || die[1] < 1 || die[1] > 6)
		return why;
	game_throw(pos, die[0], die[1], pos);
	return NULL;
}

static const char *field_read(struct span field, int index, int *number,
			      struct position *pos)
{
	if (index == XGID_DICE)
		return dice_read(field, pos);
	if (index != XGID_TURN)
		return number_read(field, number);
	if (!span_is(field, "1") && !span_is(field, "-1"))
		return "The side to play is 1 (White) or -1 (Black).";
	pos->side = span_is(field, "1") ? WHITE : BLACK;
	return NULL;
}

static int fields_read(const struct ruleset *rs, const char *text, size_t len,
		       size_t at, struct position *pos,
		       struct text_error *where)
{
	int number[XGID_FIELDS] = { 0 };
	size_t begins[XGID_FIELDS];
	enum xgid_field bad;
	for (int i = 0; i < XGID_FIELDS; i++) {
		if (at >= len || text[at] != ':')
			return wrong(where, at, "Here a colon is missing.");
		begins[i] = ++at;
		size_t end = at;
		while (end < len && text[end] != ':')
			end++;
		const char *why = field_read(span_of(text + at, end - at), i,
					     &number[i], pos);
		if (why)
			return wrong(where, at, why);
		at = end;
	}
	if (at < len)
		return wrong(where, at, "There are too many fields.");
	const char *why = stakes_read(rs, number, &pos->stakes, &bad);
	return why ? wrong(where, begins[bad], why) : PLYD_OK;
}

static int xgid_read(const struct ruleset *rs, const char *text, size_t len,
		     struct position *out, struct text_error *where)
{
	struct position pos;
	size_t at = 0;
	memset(&pos, 0, sizeof(pos));
	if (len >= strlen(xgid) && !memcmp(text, xgid, strlen(xgid)))
		at = strlen(xgid);
	for (int i = 0; i <= BAR; i++, at++) {
		if (at >= len)
			return wrong(where, at,
				     "A position has 26 characters, then "
				     "fields parted by colons.");
		const char *why = point_read(text[at], i, &pos);
		if (why)
			return wrong(where, at, why);
	}
	int err = fields_read(rs, text, len, at, &pos, where);
	if (err)
		return err;
	const char *why = position_complete(rs, &pos);
	if (why)
		return wrong(where, 0, why);
	*out = pos;
	return PLYD_OK;
}

int backgammon_read(const struct ruleset *rs, const char *text, size_t len,
		    struct position *out, struct text_error *where)
{
	enum { POSITION_ID = 14, WITH_MATCH_ID = 27 };
	if (len == POSITION_ID ||
	    (len == WITH_MATCH_ID && text[POSITION_ID] == ':'))
		return gnuid_read(rs, text, len, out, where);
	return xgid_read(rs, text, len, out, where);
}

enum { NUMBER_MAX = 12 }; /* of any number, with the colon before it */

static char *field_write(char *at, int n)
{
	char digit[NUMBER_MAX];
	size_t len = 0;
	unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n;
	*at++ = ':';
	if (n < 0)
		*at++ = '-';
	do
		digit[len++] = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	while (len > 0)
		*at++ = digit[--len];
	return at;
}

size_t backgammon_write(const struct ruleset *rs, const struct position *pos,
			char *out)
{
	_Static_assert(5 + BAR + 1 + 9 * NUMBER_MAX < POSITION_TEXT_MAX,
		       "a position fits its text");
	int f[XGID_FIELDS];
	const uint8_t *white = pos->backgammon.point[WHITE];
	const uint8_t *black = pos->backgammon.point[BLACK];
	char board[BAR + 2] = { 0 };
	for (int p = 0; p <= BAR; p++) {
		board[p] = '-';
		if (p != OFF && white[p] > 0)
			board[p] = (char)('A' + white[p] - 1);
		else if (p != BAR && black[BAR - p] > 0)
			board[p] = (char)('a' + black[BAR - p] - 1);
	}
	stakes_write(rs, &pos->stakes, f);
	char *at = stpcpy(stpcpy(out, xgid), board);
	at = field_write(at, f[XGID_CUBE]);
	at = field_write(at, f[XGID_CUBE_OWNER]);
	at = field_write(at, pos->side == WHITE ? 1 : -1);
	*at++ = ':'; /* two digits always */
	*at++ = (char)('0' + pos->dice[0]);
	*at++ = (char)('0' + pos->dice[1]);
	at = field_write(at, f[XGID_SCORE_WHITE]);
	at = field_write(at, f[XGID_SCORE_BLACK]);
	at = field_write(at, f[XGID_FLAG]);
	at = field_write(at, f[XGID_MATCH_LENGTH]);
	at = field_write(at, f[XGID_CUBE_MAX]);
	*at = '\0';
	return (size_t)(at - out);
}
