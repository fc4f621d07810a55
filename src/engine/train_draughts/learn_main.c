/* SPDX-License-Identifier: MIT
 * draughts-learn RULESET OUT SEED GAMES DEPTH: plays some games judged by hand,
 * learns from them, plays GAMES games as it has learned, and writes to OUT what
 * they teach. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/train_draughts/learn.h"

enum {
	OPENINGS_ENGLISH = 12,
	OPENINGS_TURKISH = 20,
	ROUNDS = 8,
	BOOTSTRAP = 6
};

const struct feature_kind *feature_kind_of(const struct ruleset *rs)
{
	static const struct feature_kind english = { features_english,
						     PATTERNS_ENGLISH,
						     FULL_ENGLISH };
	static const struct feature_kind turkish = { features_turkish,
						     PATTERNS_TURKISH,
						     FULL_TURKISH };
	return rs->draughts.man_step == 0 ? &english : &turkish;
}

static size_t learned_bytes(const struct learned *l)
{
	return sizeof(*l) + (size_t)l->head.patterns * PATTERN_STATES * STAGES;
}

static bool write_file(const char *path, const struct learned *l)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	bool ok = fwrite(l, learned_bytes(l), 1, f) == 1;
	return fclose(f) == 0 && ok;
}

/* Some games by hand, not so deep; then the games by what they taught. */
static struct learned *learn(struct lesson lesson)
{
	struct samples s = { NULL, 0, 0 };
	struct learned *first = NULL, *last = NULL;
	struct lesson bootstrap = lesson;
	bootstrap.games = lesson.games / BOOTSTRAP + 1;
	bootstrap.depth = lesson.depth - 2;
	if (play_games(&bootstrap, &s))
		first = fit_weights(&bootstrap, &s);
	s.count = 0;
	lesson.seed++;
	lesson.player = first;
	if (first && play_games(&lesson, &s))
		last = fit_weights(&lesson, &s);
	free(first);
	free(s.at);
	return last;
}

int main(int argc, char **argv)
{
	struct ruleset rs;
	if (argc != 6 || ruleset_find(argv[1], strlen(argv[1]), &rs) ||
	    rs.family != FAMILY_DRAUGHTS) {
		fprintf(stderr, "usage: draughts-learn RULESET OUT SEED GAMES "
				"DEPTH\n");
		return 2;
	}
	struct lesson lesson = {
		.ruleset = &rs,
		.seed = strtoull(argv[3], NULL, 10),
		.games = (uint32_t)strtoul(argv[4], NULL, 10),
		.depth = (int)strtol(argv[5], NULL, 10),
		.openings = rs.draughts.man_step == 0 ? OPENINGS_ENGLISH
						      : OPENINGS_TURKISH,
		.rounds = ROUNDS,
	};
	struct learned *l = learn(lesson);
	if (!l || !write_file(argv[2], l)) {
		fprintf(stderr, "cannot write '%s'\n", argv[2]);
		return 1;
	}
	free(l);
	return 0;
}
