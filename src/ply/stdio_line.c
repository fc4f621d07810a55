/* SPDX-License-Identifier: MIT */
#include "ply/stdio_line.h"

#include <stdio.h>
#include <string.h>

enum { BOARD_NUMBERS = 26, CHECKERS_MAX = 15 };

/* A text that is read from its front. */
struct words {
	const char *at;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void trim(struct words *w)
{
	while (w->len > 0 && is_blank(w->at[0])) {
		w->at++;
		w->len--;
	}
	while (w->len > 0 && is_blank(w->at[w->len - 1]))
		w->len--;
}

/* Cuts the first word off; an empty one when there is none. */
static struct words next(struct words *w)
{
	struct words word;
	trim(w);
	word = (struct words){ w->at, 0 };
	while (word.len < w->len && !is_blank(w->at[word.len]))
		word.len++;
	w->at += word.len;
	w->len -= word.len;
	trim(w);
	return word;
}

/* Cuts the last word off. */
static struct words last(struct words *w)
{
	struct words word;
	trim(w);
	word = (struct words){ w->at + w->len, 0 };
	while (w->len > 0 && !is_blank(w->at[w->len - 1])) {
		word.at--;
		word.len++;
		w->len--;
	}
	trim(w);
	return word;
}

static bool is_word(struct words w, const char *text)
{
	return w.len == strlen(text) && !memcmp(w.at, text, w.len);
}

/* A whole number of that size at most, with a minus or without. */
static bool read_number(struct words w, long most, long *out)
{
	bool minus = w.len > 0 && w.at[0] == '-';
	long n = 0;
	if (w.len == (minus ? 1 : 0))
		return false;
	for (size_t i = minus ? 1 : 0; i < w.len; i++) {
		if (w.at[i] < '0' || w.at[i] > '9')
			return false;
		n = n * 10 + (w.at[i] - '0');
		if (n > most)
			return false;
	}
	*out = minus ? -n : n;
	return true;
}

static int refuse(const char **why, const char *text)
{
	*why = text;
	return PLYD_EVALUE;
}

static int read_go(const struct ruleset *rs, struct words rest,
		   struct stdio_line *out, const char **why)
{
	struct text_error where;
	struct position pos;
	long ms;
	if (rs->family != FAMILY_DRAUGHTS)
		return refuse(why, "'go' is for draughts; backgammon has "
				   "'move B0 ... B25 D1 D2'");
	if (!read_number(last(&rest), STDIO_MS_MAX, &ms) || ms < 0)
		return refuse(why, "'go FEN MS' ends with a number of ms, a "
				   "day at most");
	if (game_read(rs, rest.at, rest.len, &pos, &where))
		return refuse(why, where.text);
	if (game_outcome(rs, &pos).over)
		return refuse(why, "the game is over: there is no legal move");
	*out = (struct stdio_line){ STDIO_CHOOSE, pos, (uint64_t)ms };
	return PLYD_OK;
}

/* The letter of a point, as a position text of backgammon has it. */
static char point_letter(long n)
{
	if (n == 0)
		return '-';
	return (char)(n > 0 ? 'A' + (n - 1) : 'a' + (-n - 1));
}

static int read_throw(const struct ruleset *rs, struct words rest,
		      struct stdio_line *out, const char **why)
{
	char text[] = "XGID=--------------------------:0:0:1:11:0:0:0:0:10";
	char *board = text + strlen("XGID=");
	char *dice = board + BOARD_NUMBERS + strlen(":0:0:1:");
	struct text_error where;
	struct position pos;
	long n;
	if (rs->family != FAMILY_BACKGAMMON)
		return refuse(why, "'move' is for backgammon; draughts has "
				   "'go FEN MS'");
	for (size_t i = 0; i < BOARD_NUMBERS; i++) {
		if (!read_number(next(&rest), CHECKERS_MAX, &n))
			return refuse(why, "'move' is followed by 26 numbers "
					   "of checkers, from -15 to 15");
		board[i] = point_letter(n);
	}
	for (size_t i = 0; i < 2; i++) {
		if (!read_number(next(&rest), 6, &n) || n < 1)
			return refuse(why, "the two dice, from 1 to 6, come "
					   "behind the board");
		dice[i] = (char)('0' + n);
	}
	if (rest.len > 0)
		return refuse(why, "something follows the dice");
	if (game_read(rs, text, strlen(text), &pos, &where))
		return refuse(why, where.text);
	if (game_outcome(rs, &pos).over)
		return refuse(why, "the game is over");
	*out = (struct stdio_line){ STDIO_CHOOSE, pos, 0 };
	return PLYD_OK;
}

int stdio_read(const struct ruleset *rs, const char *text, size_t len,
	       struct stdio_line *out, const char **why)
{
	struct words rest = { text, len };
	struct words word = next(&rest);
	if (is_word(word, "go"))
		return read_go(rs, rest, out, why);
	if (is_word(word, "move"))
		return read_throw(rs, rest, out, why);
	if (rest.len == 0 &&
	    (word.len == 0 || is_word(word, "new") || is_word(word, "quit"))) {
		out->ask = word.len == 0          ? STDIO_NOTHING
			   : is_word(word, "new") ? STDIO_NEW
						  : STDIO_QUIT;
		return PLYD_OK;
	}
	return refuse(why, "a line is 'new', 'go ...', 'move ...' or 'quit'");
}

size_t stdio_answer(const struct ruleset *rs, const struct position *pos,
		    const struct move *move, char out[STDIO_ANSWER_MAX])
{
	static const char verb[] = "move ";
	size_t len = 0;
	if (rs->family == FAMILY_DRAUGHTS) {
		len = sizeof(verb) - 1;
		memcpy(out, verb, len);
		return len + game_move_text(rs, pos, move, out + len);
	}
	out[0] = '\0';
	for (size_t i = 0; i < move->legs; i++)
		len += (size_t)snprintf(out + len, STDIO_ANSWER_MAX - len,
					"%s%d/%d", i > 0 ? " " : "",
					move->at[2 * i], move->at[2 * i + 1]);
	return len;
}
