/* SPDX-License-Identifier: MIT */
#include "server/config_priv.h"

#include "base/log.h"

/* "default", "scripts/plyd.lua:23", ... */
static void write_from(const struct config *c, const char *path, size_t i,
		       char *out, size_t size)
{
	static const char *const words[] = {
		[FROM_DEFAULT] = "default",
		[FROM_DEV] = "--dev",
		[FROM_ENVIRONMENT] = "environment",
		[FROM_OPTION] = "option",
	};
	if (c->from[i] != FROM_FILE)
		snprintf(out, size, "%s", words[c->from[i]]);
	else if (c->line[i] > 0)
		snprintf(out, size, "%s:%u", path, c->line[i]);
	else
		snprintf(out, size, "%s", path);
}

/* A text in quotes, as JSON and Lua both read it. */
static void print_text(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < ' ' || c == 127)
			fprintf(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static void print_value(const struct config *c, const struct setting *s,
			FILE *out)
{
	if (s->is_text)
		print_text(config_text(c, s), out);
	else
		fprintf(out, "%lld", (long long)config_number(c, s));
}

static void print_line(const struct config *c, size_t i, const char *from,
		       FILE *out)
{
	const struct setting *s = &config_settings[i];
	fprintf(out, "%s.%s = ", s->section, s->name);
	print_value(c, s, out);
	fprintf(out, "  -- %s\n", from);
}

static void print_json(const struct config *c, size_t i, const char *from,
		       FILE *out)
{
	const struct setting *s = &config_settings[i];
	fprintf(out, "%s\n  \"%s.%s\": {\"value\": ", i ? "," : "", s->section,
		s->name);
	print_value(c, s, out);
	fprintf(out, ", \"from\": ");
	print_text(from, out);
	if (!s->is_text)
		fprintf(out, ", \"low\": %lld, \"high\": %lld",
			(long long)s->low, (long long)s->high);
	putc('}', out);
}

void config_print(const struct config *c, const char *path, bool json,
		  FILE *out)
{
	char from[CONFIG_TEXT_MAX + 16];
	if (json)
		putc('{', out);
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++) {
		write_from(c, path, i, from, sizeof(from));
		(json ? print_json : print_line)(c, i, from, out);
	}
	if (json)
		fputs("\n}\n", out);
}
