/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static log_sink_fn *log_sink;
static void *log_payload;

void log_set_sink(log_sink_fn *sink, void *payload)
{
	log_sink = sink;
	log_payload = payload;
}

void log_event(enum log_level level, const char *msg, const char *pairs, ...)
{
	char line[LOG_LINE_MAX];
	if (!log_sink)
		return;
	int n = snprintf(line, sizeof(line), "msg=\"%s\"%s", msg,
			 pairs[0] ? " " : "");
	if (n > 0 && (size_t)n < sizeof(line)) {
		va_list args;
		va_start(args, pairs);
		vsnprintf(line + n, sizeof(line) - (size_t)n, pairs, args);
		va_end(args);
	}
	log_sink(log_payload, level, line);
}

const char *log_quote(const char *text, size_t len, char *out, size_t size)
{
	static const size_t escape_bytes = 4; /* \xNN */
	assert(size > escape_bytes + 2);
	size_t n = 0;
	out[n++] = '"';
	for (size_t i = 0; i < len && n + escape_bytes + 2 < size; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c < ' ' || c > '~' || c == '"' || c == '\\')
			n += (size_t)snprintf(out + n, size - n, "\\x%02x", c);
		else
			out[n++] = (char)c;
	}
	out[n++] = '"';
	out[n] = '\0';
	return out;
}
