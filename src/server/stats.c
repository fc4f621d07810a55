/* SPDX-License-Identifier: MIT */
#include "server/stats.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/write.h"
#include "server/histogram.h"

enum { NAME_MAX_ = 128 };

/* One line of the text, NAME{LABELS} VALUE, cut up. */
struct sample {
	struct span name, labels, value;
};

/* The classes of the histogram at hand, as far as they were read. */
struct classes {
	size_t count;
	uint64_t below[HISTOGRAM_CLASSES + 1];
};

static bool cut_line(struct span *rest, struct span *line)
{
	const uint8_t *end =
		rest->len ? memchr(rest->at, '\n', rest->len) : NULL;
	if (!end)
		return false;
	*line = span_of(rest->at, (size_t)(end - rest->at));
	*rest = span_of(end + 1, rest->len - line->len - 1);
	return true;
}

/* False: it is a comment. A value has no space in it, a name no brace. */
static bool sample_read(struct span line, struct sample *s)
{
	size_t at = line.len;
	if (line.len == 0 || line.at[0] == '#')
		return false;
	while (at > 0 && line.at[at - 1] != ' ')
		at--;
	s->value = span_of(line.at + at, line.len - at);
	line.len = at > 0 ? at - 1 : 0;
	const uint8_t *brace = line.len ? memchr(line.at, '{', line.len) : NULL;
	s->name =
		span_of(line.at, brace ? (size_t)(brace - line.at) : line.len);
	s->labels = brace ? span_of(brace + 1, line.len - s->name.len - 2)
			  : span_of("", 0);
	return true;
}

static bool ends_with(struct span name, const char *end)
{
	size_t len = strlen(end);
	return name.len >= len && !memcmp(name.at + name.len - len, end, len);
}

static uint64_t number(struct span text)
{
	uint64_t n = 0;
	for (size_t i = 0; i < text.len && text.at[i] != '.'; i++)
		n = 10 * n + (uint64_t)(text.at[i] - '0');
	return n;
}

static void put_stat(struct buf *b, const struct sample *s, bool now)
{
	put_map(b, 3u + (s->labels.len > 0));
	put_cstr(b, "name");
	put_str(b, s->name);
	if (s->labels.len > 0) {
		put_cstr(b, "labels");
		put_str(b, s->labels);
	}
	put_cstr(b, "value");
	put_str(b, s->value);
	put_cstr(b, "since");
	put_cstr(b, now ? "now" : "start");
}

/* Behind the count of a histogram: within how long so many of 100 were. */
static void put_share(struct buf *b, const struct sample *count,
		      const struct classes *c, unsigned of_100)
{
	char name[NAME_MAX_];
	size_t i = 0;
	uint64_t all = number(count->value);
	while (i < HISTOGRAM_CLASSES && c->below[i] * 100 < all * of_100)
		i++;
	snprintf(name, sizeof(name), "%.*s_p%u",
		 (int)(count->name.len - strlen("_count")),
		 (const char *)count->name.at, of_100);
	struct sample s = { span_str(name), count->labels,
			    span_str(i < HISTOGRAM_CLASSES ? histogram_bound(i)
							   : "more") };
	put_stat(b, &s, false);
}

/* How many it puts. b NULL: it only counts them. */
static uint32_t put_sample(struct buf *b, const struct sample *s,
			   struct classes *c)
{
	bool total = ends_with(s->name, "_total");
	if (ends_with(s->name, "_bucket")) {
		if (c->count < HISTOGRAM_CLASSES + 1)
			c->below[c->count++] = number(s->value);
		return 0;
	}
	bool histogram = ends_with(s->name, "_count");
	bool happened = !span_is(s->value, "0");
	if (total && s->labels.len > 0 && !happened)
		return 0;
	if (b)
		put_stat(b, s,
			 !total && !histogram && !ends_with(s->name, "_sum"));
	if (!histogram)
		return 1;
	c->count = 0;
	if (b && happened) {
		put_share(b, s, c, 50);
		put_share(b, s, c, 99);
	}
	return happened ? 3 : 1;
}

static uint32_t put_all(struct buf *b, struct span metrics)
{
	struct classes c = { .count = 0 };
	struct sample s;
	struct span line;
	uint32_t count = 0;
	while (cut_line(&metrics, &line))
		if (sample_read(line, &s))
			count += put_sample(b, &s, &c);
	return count;
}

void stats_put(struct buf *b, struct span metrics)
{
	put_array(b, put_all(NULL, metrics));
	put_all(b, metrics);
}
