/* SPDX-License-Identifier: MIT */
#include "ply/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { REST_MS = 200, BAR = 24 };

static uint64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_init(struct progress_line *p)
{
	*p = (struct progress_line){ .wanted = isatty(STDERR_FILENO) };
}

void progress_show(struct progress_line *p, uint64_t done, uint64_t whole,
		   const char *text)
{
	static const char full[] = "########################";
	static const char rest[] = "........................";
	uint64_t now = now_ms();
	if (!p->wanted ||
	    (p->shown && done < whole && now - p->shown_ms < REST_MS))
		return;
	int bar = whole ? (int)(done * BAR / whole) : BAR;
	p->shown = true;
	p->shown_ms = now;
	fprintf(stderr, "\r\033[K[%.*s%.*s] %" PRIu64 "/%" PRIu64 "  %s", bar,
		full, BAR - bar, rest, done, whole, text);
}

void progress_clear(struct progress_line *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}
