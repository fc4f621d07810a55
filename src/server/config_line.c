/* SPDX-License-Identifier: MIT
 * config_line.c - where a file of configuration says something. The worker that
 * runs it answers with values only, so that the text is read once more here, as
 * far as is needed: the words of Lua, its texts and remarks, and how deep its
 * tables are nested. It is to point at a mistake, and decides nothing. */
#include <ctype.h>

#include "server/config.h"

struct lines {
	struct span left;
	unsigned line;
};

static uint8_t peek(const struct lines *l, size_t i)
{
	return i < l->left.len ? l->left.at[i] : 0;
}

static void skip(struct lines *l, size_t count)
{
	for (; count > 0 && l->left.len > 0; count--) {
		l->line += *l->left.at == '\n';
		l->left.at++;
		l->left.len--;
	}
}

/* The number of = in a long bracket that begins here, or -1. */
static int bracket_level(const struct lines *l, size_t at)
{
	int level = 0;
	if (peek(l, at) != '[')
		return -1;
	while (peek(l, at + 1 + (size_t)level) == '=')
		level++;
	return peek(l, at + 1 + (size_t)level) == '[' ? level : -1;
}

/* Passes over a long bracket, whose end has as many = as its begin. */
static void skip_bracket(struct lines *l, int level)
{
	while (l->left.len > 0) {
		int same = 0;
		skip(l, 1);
		if (peek(l, 0) != ']')
			continue;
		while (same < level && peek(l, 1 + (size_t)same) == '=')
			same++;
		if (same == level && peek(l, 1 + (size_t)same) == ']') {
			skip(l, 2 + (size_t)level);
			return;
		}
	}
}

static void skip_remark(struct lines *l)
{
	int level = bracket_level(l, 2);
	skip(l, 2);
	if (level >= 0) {
		skip_bracket(l, level);
		return;
	}
	while (l->left.len > 0 && peek(l, 0) != '\n')
		skip(l, 1);
}

static void skip_text(struct lines *l)
{
	uint8_t quote = peek(l, 0);
	skip(l, 1);
	while (l->left.len > 0 && peek(l, 0) != quote)
		skip(l, peek(l, 0) == '\\' ? 2 : 1);
	skip(l, 1);
}

static bool in_word(uint8_t c)
{
	return isalnum(c) || c == '_';
}

/* The next word, or a span of one character of another kind; empty at the
 * end. */
static struct span next_token(struct lines *l)
{
	while (l->left.len > 0) {
		uint8_t c = peek(l, 0);
		int level = bracket_level(l, 0);
		size_t len = 1;
		if (isspace(c)) {
			skip(l, 1);
		} else if (c == '-' && peek(l, 1) == '-') {
			skip_remark(l);
		} else if (c == '"' || c == '\'') {
			skip_text(l);
		} else if (level >= 0) {
			skip_bracket(l, level);
		} else {
			while (in_word(c) && in_word(peek(l, len)))
				len++;
			return span_of(l->left.at, len);
		}
	}
	return span_of(NULL, 0);
}

/* Whether what follows says that the word before it is a name of a field. */
static bool is_field(struct lines l)
{
	struct span token = next_token(&l);
	return span_is(token, "=") && peek(&l, 1) != '=';
}

void config_lines(struct span source, config_line_fn *fn, void *payload)
{
	struct lines l = { source, 1 };
	struct span token, section = span_of(NULL, 0);
	bool returned = false;
	int depth = 0;
	while ((token = next_token(&l)).len > 0) {
		unsigned line = l.line;
		skip(&l, token.len);
		if (span_is(token, "return"))
			returned = true;
		else if (span_is(token, "{"))
			depth++;
		else if (span_is(token, "}"))
			depth--;
		if (!returned || depth < 1 || depth > 2 || !is_field(l))
			continue;
		if (depth == 1)
			section = token;
		fn(payload, section, depth == 1 ? span_of(NULL, 0) : token,
		   line);
	}
}

struct wanted {
	struct span section, name;
	unsigned line;
};

static void find(void *payload, struct span section, struct span name,
		 unsigned line)
{
	struct wanted *w = payload;
	if (w->line == 0 && span_eq(section, w->section) &&
	    span_eq(name, w->name))
		w->line = line;
}

unsigned config_line(struct span source, struct span section, struct span name)
{
	struct wanted w = { section, name, 0 };
	config_lines(source, find, &w);
	return w.line;
}
