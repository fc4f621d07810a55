/* SPDX-License-Identifier: MIT
 * Move texts of people: words parted by blanks, each one checker's way, as
 * `13/8`, `24/18/13*`, `bar/20`, `6/off`, `13/8(2)` for two checkers. As in
 * .mat files, 25 is the bar and 0 is off. */
#include <string.h>
#include <strings.h>

#include "rules/backgammon_priv.h"

struct input {
	const char *text;
	size_t len;
	size_t at;
};

static bool next_is(const struct input *in, char c)
{
	return in->at < in->len && in->text[in->at] == c;
}

static bool take(struct input *in, char c)
{
	if (!next_is(in, c))
		return false;
	in->at++;
	return true;
}

static bool take_name(struct input *in, const char *name)
{
	size_t len = strlen(name);
	if (in->len - in->at < len ||
	    strncasecmp(in->text + in->at, name, len) != 0)
		return false;
	in->at += len;
	return true;
}

static int digit(const struct input *in)
{
	if (in->at >= in->len)
		return -1;
	char c = in->text[in->at];
	return c >= '0' && c <= '9' ? c - '0' : -1;
}

/* A point, 25 the bar, 0 off; -1 if there is none here. */
static int point_read(struct input *in)
{
	if (take_name(in, "bar"))
		return BAR;
	if (take_name(in, "off"))
		return OFF;
	int first = digit(in);
	if (first < 0)
		return -1;
	in->at++;
	int second = digit(in);
	if (second < 0)
		return first;
	in->at++;
	int point = 10 * first + second;
	return first == 0 || point > BAR || digit(in) >= 0 ? -1 : point;
}

/* `(2)` to `(4)`: so many checkers go the same way. 1 if it is not there, 0 if
 * it is bad. */
static unsigned repeat_read(struct input *in)
{
	if (!take(in, '('))
		return 1;
	int n = digit(in);
	if (n < 2 || n > HOPS_MAX)
		return 0;
	in->at++;
	return take(in, ')') ? (unsigned)n : 0;
}

/* Reads one word; returns how often it stands there, 0 if it is bad. */
static unsigned word_read(struct input *in, struct word *out)
{
	int point = point_read(in);
	memset(out, 0, sizeof(*out));
	if (point <= OFF || !next_is(in, '/'))
		return 0;
	out->at[out->points++] = (uint8_t)point;
	while (take(in, '/')) {
		if (point == OFF)
			return 0; /* nothing goes on from there */
		point = point_read(in);
		if (point < 0)
			return 0;
		if (out->points < WORD_POINTS_MAX)
			out->at[out->points++] = (uint8_t)point;
		if (take(in, '*'))
			out->stars++;
	}
	return repeat_read(in);
}

size_t words_read(const char *text, size_t len, struct word out[WORDS_MAX],
		  struct text_error *where)
{
	struct input in = { text, len < MOVE_INPUT_MAX ? len : 0, 0 };
	size_t count = 0;
	for (;;) {
		while (take(&in, ' '))
			;
		if (in.at >= in.len)
			return count;
		struct word word;
		size_t start = in.at;
		unsigned times = word_read(&in, &word);
		if (times == 0 || (in.at < in.len && !next_is(&in, ' '))) {
			where->offset = start;
			return 0;
		}
		for (; times > 0 && count < WORDS_MAX; times--)
			out[count++] = word;
	}
}
