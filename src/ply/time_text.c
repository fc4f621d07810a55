/* SPDX-License-Identifier: MIT */
#include "ply/time_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND_MS = 1000, MINUTE_MS = 60000, DAY_MS = 86400000 };

static const struct {
	char sign;
	const char *kind;
} kinds[] = { { '+', "fischer" }, { 'd', "delay" }, { 'b', "bronstein" } };

/* A number from 0 to `most`, in ms; NULL: none begins here. */
static const char *number(const char *text, double unit_ms, double most,
			  int64_t *ms)
{
	char *rest;
	if (*text < '0' || *text > '9')
		return NULL;
	double n = strtod(text, &rest);
	if (!(n >= 0 && n <= most))
		return NULL;
	*ms = (int64_t)llround(n * unit_ms);
	return rest;
}

bool time_text_read(const char *text, struct time_text *out)
{
	int64_t ms;
	*out = (struct time_text){ NULL, -1, -1, -1 };
	if (!strcmp(text, "none")) {
		out->kind = "unlimited";
		return true;
	}
	const char *rest = number(text, DAY_MS, 30, &ms);
	if (rest && (!strcmp(rest, "days") || !strcmp(rest, "day"))) {
		out->kind = "per_move";
		out->base_ms = ms;
		return true;
	}
	rest = number(text, MINUTE_MS, 1440, &out->base_ms);
	for (size_t i = 0; rest && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (*rest != kinds[i].sign)
			continue;
		out->kind = kinds[i].kind;
		rest = number(rest + 1, SECOND_MS, 3600,
			      i == 0 ? &out->increment_ms : &out->delay_ms);
		return rest && !*rest;
	}
	return false;
}

const char *time_text_left(int64_t ms, char out[TIME_TEXT_MAX])
{
	int64_t s = (ms > 0 ? ms : 0) / SECOND_MS;
	int64_t days = s / 86400, hours = s / 3600 % 24, minutes = s / 60 % 60;
	if (days > 0)
		snprintf(out, TIME_TEXT_MAX,
			 "%" PRId64 " d %02" PRId64 ":%02" PRId64, days, hours,
			 minutes);
	else if (hours > 0)
		snprintf(out, TIME_TEXT_MAX,
			 "%" PRId64 ":%02" PRId64 ":%02" PRId64, hours, minutes,
			 s % 60);
	else
		snprintf(out, TIME_TEXT_MAX, "%" PRId64 ":%02" PRId64, minutes,
			 s % 60);
	return out;
}
