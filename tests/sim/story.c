/* SPDX-License-Identifier: MIT */
#include "story.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void story_tell(struct story *s, uint64_t t_ms, const char *who,
		const char *format, ...)
{
	char *line = s->line[s->told++ % STORY_LINES];
	va_list args;
	int n = snprintf(line, STORY_CHARS, "%7llu.%03u  %-10s ",
			 (unsigned long long)(t_ms / 1000),
			 (unsigned)(t_ms % 1000), who);
	va_start(args, format);
	vsnprintf(line + n, STORY_CHARS - (size_t)n, format, args);
	va_end(args);
	if (s->looks_for && strstr(line, s->looks_for))
		s->found = true;
	if (s->aloud)
		puts(line);
}

void story_print(const struct story *s)
{
	uint64_t from = s->told > STORY_LINES ? s->told - STORY_LINES : 0;
	for (uint64_t i = from; !s->aloud && i < s->told; i++)
		puts(s->line[i % STORY_LINES]);
}
