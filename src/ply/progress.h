/* SPDX-License-Identifier: MIT
 * progress.h - one line on stderr that says how far something long has come, if
 * a person looks at it. */
#ifndef PLYD_PLY_PROGRESS_H
#define PLYD_PLY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress_line {
	bool wanted; /* stderr is a terminal */
	bool shown;
	uint64_t shown_ms;
};

void progress_init(struct progress_line *p);
/* Shows `[####....] 34/100 TEXT`, some times a second at most, and always when
 * it is done. */
void progress_show(struct progress_line *p, uint64_t done, uint64_t whole,
		   const char *text);
/* Takes the line away. */
void progress_clear(struct progress_line *p);

#endif
