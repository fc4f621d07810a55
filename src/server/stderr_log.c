/* SPDX-License-Identifier: MIT */
#include "server/stderr_log.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/log.h"

static int level_max;
static bool for_journald;

static const char *level_name(enum log_level level)
{
	switch (level) {
	case LOG_ERROR: return "error";
	case LOG_WARNING: return "warning";
	case LOG_INFO: return "info";
	case LOG_DEBUG: return "debug";
	}
	return "info";
}

static void write_line(void *payload, enum log_level level, const char *text)
{
	char stamp[40];
	struct timespec now;
	struct tm tm;
	(void)payload;
	if ((int)level > level_max)
		return;
	if (for_journald) {
		fprintf(stderr, "<%d>level=%s %s\n", (int)level,
			level_name(level), text);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(stderr, "time=%s.%03ldZ level=%s %s\n", stamp,
		now.tv_nsec / 1000000, level_name(level), text);
}

void stderr_log_init(int level)
{
	level_max = level;
	for_journald = getenv("JOURNAL_STREAM") != NULL;
	setvbuf(stderr, NULL, _IOLBF, 0);
	log_set_sink(write_line, NULL);
}

void stderr_log_set_level(int level)
{
	level_max = level;
}
