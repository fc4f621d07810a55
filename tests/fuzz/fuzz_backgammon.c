/* SPDX-License-Identifier: MIT
 * The first byte picks a ruleset, the rest is a position, a newline and a move.
 * What is read must be written and read back alike, with all checkers; a move
 * is judged; a legal one is listed and replays from its text; a double that is
 * allowed can be taken. */
#include "fuzz.h"

#include <string.h>

#include <plyd/rules.h>

static struct ruleset pick(uint8_t byte)
{
	struct ruleset rs;
	static const char *const names[] = { "backgammon", "hypergammon",
					     "backgammon-match", "nackgammon" };
	const char *name = byte & 1 ? "caucasian" : names[byte >> 2 & 3];
	insist(!ruleset_find(name, strlen(name), &rs));
	if (byte & 1 && byte & 2)
		insist(!ruleset_set(&rs, "hit_and_bear_off", 16, "always", 6));
	return rs;
}

static void is_possible(const struct ruleset *rs, const struct position *pos)
{
	unsigned all = strcmp(rs->name, "hypergammon") ? 15 : 3;
	for (int side = WHITE; side <= BLACK; side++) {
		unsigned sum = 0;
		for (int p = 0; p <= 25; p++)
			sum += pos->backgammon.point[side][p];
		insist(sum == all);
	}
	for (int p = 1; p <= 24; p++)
		insist(!pos->backgammon.point[WHITE][p] ||
		       !pos->backgammon.point[BLACK][25 - p]);
}

static void is_listed(const struct ruleset *rs, const struct position *pos,
		      const struct move *move)
{
	static struct move_list list;
	size_t i = 0;
	insist(!game_moves(rs, pos, &list));
	insist(list.total >= list.count && list.total > 0);
	while (i < list.count && memcmp(&list.move[i], move, sizeof(*move)))
		i++;
	insist(i < list.count || list.total > list.count);
}

static void judge(const struct ruleset *rs, const struct position *pos,
		  const char *text, size_t len)
{
	struct move move;
	struct refusal why;
	struct position after, replayed;
	char canonical[MOVE_TEXT_MAX];
	int err = game_check(rs, pos, text, len, &move, &why);
	insist(!err || err == PLYD_EILLEGAL || err == PLYD_ENODICE);
	insist((err == PLYD_EILLEGAL) == (why.reason != REASON_NONE));
	if (!game_replay_move(rs, pos, text, len, false, &replayed))
		is_possible(rs, &replayed);
	if (err)
		return;
	size_t n = game_move_text(rs, pos, &move, canonical);
	game_apply(rs, pos, &move, &after);
	is_possible(rs, &after);
	insist(!game_replay_move(rs, pos, canonical, n, false, &replayed));
	insist(!memcmp(&after, &replayed, sizeof(after)));
	is_listed(rs, pos, &move);
}

static void goes_round(const struct ruleset *rs, const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	struct position back;
	size_t n = game_write(rs, pos, text);
	insist(!game_read(rs, text, n, &back, NULL));
	insist(!memcmp(pos, &back, sizeof(back)));
}

static void double_it(const struct ruleset *rs, const struct position *pos)
{
	struct position after;
	if (game_outcome(rs, pos).over || game_may_double(rs, pos))
		return;
	game_take(pos, &after);
	goes_round(rs, &after);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct position pos;
	if (len == 0)
		return 0;
	struct ruleset rs = pick(bytes[0]);
	const char *rest = (const char *)bytes + 1;
	const char *end = memchr(rest, '\n', --len);
	size_t position_len = end ? (size_t)(end - rest) : len;
	if (game_read(&rs, rest, position_len, &pos, NULL))
		return 0;
	is_possible(&rs, &pos);
	goes_round(&rs, &pos);
	double_it(&rs, &pos);
	if (end)
		judge(&rs, &pos, end + 1, len - position_len - 1);
	return 0;
}
