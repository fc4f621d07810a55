/* SPDX-License-Identifier: MIT
 * The first byte picks a ruleset, the rest is a position, a newline and a move.
 * What is read must be written and read back alike; a move is judged, and a
 * legal one replays from its text. */
#include "fuzz.h"

#include <string.h>

#include <plyd/rules.h>

static struct ruleset pick(uint8_t byte)
{
	static const char *const names[] = { "english", "turkish",
					     "turkish-classic" };
	struct ruleset rs;
	const char *name = names[byte % 3];
	insist(!ruleset_find(name, strlen(name), &rs));
	if (byte & 4)
		insist(!ruleset_set(&rs, "removal", 7, "at_end", 6));
	if (byte & 8)
		insist(!ruleset_set(&rs, "king", 4, "flying", 6));
	if (byte & 16)
		insist(!ruleset_set(&rs, "majority", 8, "none", 4));
	return rs;
}

static void judge(const struct ruleset *rs, const struct position *pos,
		  const char *text, size_t len)
{
	struct move move;
	struct refusal why;
	struct position after, replayed;
	char canonical[MOVE_TEXT_MAX];
	int err = game_check(rs, pos, text, len, &move, &why);
	insist(!err || err == PLYD_EILLEGAL || err == PLYD_ETOOCOMPLEX);
	insist((err == PLYD_EILLEGAL) == (why.reason != REASON_NONE));
	game_replay_move(rs, pos, text, len, false, &replayed);
	if (err)
		return;
	size_t n = game_move_text(rs, pos, &move, canonical);
	game_apply(rs, pos, &move, &after);
	insist(!game_replay_move(rs, pos, canonical, n, move.crowned,
				 &replayed));
	insist(!memcmp(&after, &replayed, sizeof(after)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char text[POSITION_TEXT_MAX];
	struct position pos, back;
	if (len == 0)
		return 0;
	struct ruleset rs = pick(bytes[0]);
	const char *rest = (const char *)bytes + 1;
	const char *end = memchr(rest, '\n', --len);
	size_t position_len = end ? (size_t)(end - rest) : len;
	if (game_read(&rs, rest, position_len, &pos, NULL))
		return 0;
	size_t n = game_write(&rs, &pos, text);
	insist(!game_read(&rs, text, n, &back, NULL));
	insist(!memcmp(&pos, &back, sizeof(pos)));
	if (end)
		judge(&rs, &pos, end + 1, len - position_len - 1);
	return 0;
}
