/* SPDX-License-Identifier: MIT
 * backgammon_boards.h - boards of 26 characters as the player on roll sees
 * them, as test data have them, for either colour. */
#ifndef PLYD_TESTS_BACKGAMMON_BOARDS_H
#define PLYD_TESTS_BACKGAMMON_BOARDS_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <plyd/rules.h>

enum { BOARD_CHARS = 26 };

/* The same board from the other side. */
static inline void board_mirror(const char *board, char out[BOARD_CHARS + 1])
{
	for (int i = 0; i < BOARD_CHARS; i++) {
		char c = board[BOARD_CHARS - 1 - i];
		out[i] = (char)(isupper((unsigned char)c)
					? tolower((unsigned char)c)
					: toupper((unsigned char)c));
	}
	out[BOARD_CHARS] = '\0';
}

/* Reads the board that `side`, on roll with these dice (0, 0: none), sees. */
static inline int board_read(const struct ruleset *rs, const char *board,
			     enum side side, int die1, int die2,
			     struct position *out)
{
	char white[BOARD_CHARS + 1], text[POSITION_TEXT_MAX];
	if (strlen(board) != BOARD_CHARS)
		return PLYD_EPOSITION;
	if (side == WHITE)
		memcpy(white, board, sizeof(white));
	else
		board_mirror(board, white);
	int len = snprintf(text, sizeof(text), "XGID=%s:0:0:%d:%d%d:0:0:0:0:10",
			   white, side == WHITE ? 1 : -1, die1, die2);
	return game_read(rs, text, (size_t)len, out, NULL);
}

/* Writes the board as `side` sees it. */
static inline void board_write(const struct ruleset *rs,
			       const struct position *pos, enum side side,
			       char out[BOARD_CHARS + 1])
{
	char text[POSITION_TEXT_MAX], white[BOARD_CHARS + 1];
	game_write(rs, pos, text);
	memcpy(white, text + strlen("XGID="), BOARD_CHARS);
	white[BOARD_CHARS] = '\0';
	if (side == WHITE)
		memcpy(out, white, sizeof(white));
	else
		board_mirror(white, out);
}

static inline struct ruleset ruleset_named(const char *name)
{
	struct ruleset rs;
	if (ruleset_find(name, strlen(name), &rs) != PLYD_OK) {
		fprintf(stderr, "no ruleset '%s'\n", name);
		memset(&rs, 0, sizeof(rs));
	}
	return rs;
}

#endif
