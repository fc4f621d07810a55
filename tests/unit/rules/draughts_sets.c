/* SPDX-License-Identifier: MIT */
#include "draughts_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Russian, Brazilian, Pool and Czech draughts by the rules of their
 * federations; the others stand for no game, but for answers in a mixture that
 * no game has. */
static const struct {
	const char *name, *base, *options;
} sets[] = {
	{ "russian", "english",
	  "notation=algebraic first=white man_capture=any king=flying "
	  "removal=at_end promotion=continues" },
	{ "brazilian", "english",
	  "notation=algebraic first=white man_capture=any king=flying "
	  "removal=at_end promotion=at_end majority=number" },
	{ "pool", "english",
	  "man_capture=any king=flying removal=at_end promotion=at_end" },
	{ "czech", "english",
	  "notation=algebraic first=white king=flying removal=at_end "
	  "majority=king" },
	{ "turkish-reversing", "turkish", "turn_back=true" },
	{ "turkish-classic-reversing", "turkish-classic", "turn_back=true" },
	{ "turkish-at-end", "turkish", "removal=at_end" },
	{ "short-quality", "english",
	  "man_capture=any majority=quality men_capture_kings=false" },
	{ "straight-mixture", "turkish",
	  "removal=at_end majority=none promotion=stops first=black "
	  "men_capture_kings=false" },
	{ "diagonal-on-all", "english",
	  "squares=all notation=algebraic start=rows_2_3 man_capture=any "
	  "king=flying turn_back=false majority=quality "
	  "promotion=continues" },
};

enum { SETS = sizeof(sets) / sizeof(sets[0]) };

const char *const draughts_set_names[] = { "english",
					   "turkish",
					   "turkish-classic",
					   "russian",
					   "brazilian",
					   "pool",
					   "czech",
					   "turkish-reversing",
					   "turkish-classic-reversing",
					   "short-quality",
					   "straight-mixture",
					   "diagonal-on-all",
					   NULL };

static void set_options(struct ruleset *rs, const char *options)
{
	while (*options) {
		size_t len = strcspn(options, " ");
		const char *eq = memchr(options, '=', len);
		size_t name = eq ? (size_t)(eq - options) : 0;
		if (!eq ||
		    ruleset_set(rs, options, name, eq + 1, len - name - 1)) {
			fprintf(stderr, "no option %s\n", options);
			abort();
		}
		options += len + (options[len] == ' ');
	}
}

struct ruleset draughts_set(const char *name, const char *options)
{
	struct ruleset rs;
	const char *why;
	if (ruleset_find(name, strlen(name), &rs)) {
		size_t i = 0;
		while (i < SETS && strcmp(sets[i].name, name))
			i++;
		if (i == SETS) {
			fprintf(stderr, "no set %s\n", name);
			abort();
		}
		rs = draughts_set(sets[i].base, sets[i].options);
	}
	set_options(&rs, options);
	if (ruleset_check(&rs, &why)) {
		fprintf(stderr, "%s: %s\n", name, why);
		abort();
	}
	return rs;
}

struct position draughts_position(const struct ruleset *rs, const char *text)
{
	struct position pos;
	struct text_error where;
	if (game_read(rs, text, strlen(text), &pos, &where)) {
		fprintf(stderr, "%s: at %zu: %s\n", text, where.offset,
			where.text);
		abort();
	}
	return pos;
}

const char *draughts_text(const struct ruleset *rs, const struct position *pos)
{
	static char buffers[4][POSITION_TEXT_MAX];
	static unsigned turn;
	char *out = buffers[turn++ % 4];
	game_write(rs, pos, out);
	return out;
}
