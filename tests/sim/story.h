/* SPDX-License-Identifier: MIT
 * story.h - what happened lately, one line each: time, who, what. */
#ifndef PLYD_TESTS_SIM_STORY_H
#define PLYD_TESTS_SIM_STORY_H

#include <stdbool.h>
#include <stdint.h>

enum { STORY_LINES = 48, STORY_CHARS = 200 };

struct story {
	bool aloud;            /* every line is printed at once */
	const char *looks_for; /* text, or NULL */
	bool found;            /* a line had it */
	uint64_t told;
	char line[STORY_LINES][STORY_CHARS];
};

void story_tell(struct story *s, uint64_t t_ms, const char *who,
		const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Prints the last lines to stdout, unless they were told aloud. */
void story_print(const struct story *s);

#endif
