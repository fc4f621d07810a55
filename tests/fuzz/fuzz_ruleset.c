/* SPDX-License-Identifier: MIT
 * A ruleset as one line of text, as workers and records give it, and behind a
 * newline an option that is set. What is read is written and read back alike;
 * where its options agree, a game begins and can be played for a while. */
#include "fuzz.h"

#include <string.h>

#include <plyd/rules.h>

enum { PLIES = 12 };

static void play(const struct ruleset *rs)
{
	static struct move_list list;
	char text[POSITION_TEXT_MAX];
	struct position pos, next, back;
	game_start(rs, &pos);
	for (unsigned ply = 0; ply < PLIES && !game_outcome(rs, &pos).over;
	     ply++) {
		if (ruleset_has_dice(rs)) {
			game_throw(&pos, 1 + (int)(ply * 5 % 6),
				   1 + (int)(ply * 3 % 5), &next);
			pos = next;
		}
		size_t n = game_write(rs, &pos, text);
		insist(!game_read(rs, text, n, &back, NULL));
		insist(!memcmp(&pos, &back, sizeof(pos)));
		insist(!game_moves(rs, &pos, &list));
		insist((list.count > 0) == game_can_move(rs, &pos));
		if (list.count > 0)
			game_apply(rs, &pos, &list.move[ply % list.count],
				   &next);
		else
			game_pass(&pos, &next);
		pos = next;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct ruleset rs, back;
	char written[RULESET_TEXT_MAX], again[RULESET_TEXT_MAX];
	const char *text = (const char *)bytes, *why = NULL;
	const char *end = len > 0 ? memchr(text, '\n', len) : NULL;
	size_t line = end ? (size_t)(end - text) : len;
	if (ruleset_read(text, line, &rs))
		return 0;
	if (end) {
		const char *value = memchr(end, '=', len - line);
		if (value)
			ruleset_set(&rs, end + 1, (size_t)(value - end) - 1,
				    value + 1,
				    len - (size_t)(value + 1 - text));
	}
	size_t n = ruleset_write(&rs, written);
	insist(n == strlen(written) && n < sizeof(written));
	insist(!ruleset_read(written, n, &back));
	ruleset_write(&back, again);
	insist(!strcmp(written, again));
	if (ruleset_check(&rs, &why))
		insist(why && why[0]);
	else
		play(&rs);
	return 0;
}
