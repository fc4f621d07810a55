/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <plyd/rules.h>
#include "base/span.h"
#include "rules/family_priv.h"
#include "rules/options_priv.h"

/* ---- what ships -------------------------------------------------------- */

static const struct ruleset built_in[] = {
	{ .name = "backgammon",
	  .family = FAMILY_BACKGAMMON,
	  .backgammon = { .first = FIRST_WHITE,
			  .person = OPTION_WHITE,
			  .draw_by_agreement = OPTION_TRUE,
			  .hit_and_hide = OPTION_TRUE,
			  .hit_and_bear_off = HIT_AND_BEAR_OFF_ALWAYS } },
	{ .name = "short-backgammon",
	  .family = FAMILY_BACKGAMMON,
	  .backgammon = { .first = FIRST_ROLL,
			  .person = OPTION_WHITE,
			  .draw_by_agreement = OPTION_FALSE,
			  .hit_and_hide = OPTION_TRUE,
			  .hit_and_bear_off = HIT_AND_BEAR_OFF_ALWAYS } },
	{ .name = "caucasian",
	  .family = FAMILY_BACKGAMMON,
	  .backgammon = { .first = FIRST_ROLL,
			  .person = OPTION_WHITE,
			  .draw_by_agreement = OPTION_FALSE,
			  .hit_and_hide = OPTION_FALSE,
			  .hit_and_bear_off = HIT_AND_BEAR_OFF_IF_FORCED } },
	{ .name = "english",
	  .family = FAMILY_DRAUGHTS,
	  .draughts = { .squares = SQUARES_DARK,
			.first = OPTION_BLACK,
			.person = OPTION_BLACK,
			.notation = NOTATION_NUMERIC,
			.start = START_ROWS_1_3,
			.man_step = MAN_STEP_DIAGONAL_FORWARD,
			.man_capture = MAN_CAPTURE_FORWARD,
			.king = KING_SHORT,
			.removal = REMOVAL_AT_ONCE,
			.majority = MAJORITY_NONE,
			.promotion = PROMOTION_STOPS,
			.men_capture_kings = OPTION_TRUE,
			.turn_back = OPTION_TRUE } },
#define TURKISH(label, crowning)                                               \
	{                                                                      \
		.name = label, .family = FAMILY_DRAUGHTS, .draughts = {        \
			.squares = SQUARES_ALL,                                \
			.first = OPTION_WHITE,                                 \
			.person = OPTION_WHITE,                                \
			.notation = NOTATION_ALGEBRAIC,                        \
			.start = START_ROWS_2_3,                               \
			.man_step = MAN_STEP_FORWARD_SIDEWAYS,                 \
			.man_capture = MAN_CAPTURE_FORWARD_SIDEWAYS,           \
			.king = KING_FLYING,                                   \
			.removal = REMOVAL_AT_ONCE,                            \
			.majority = MAJORITY_NUMBER,                           \
			.promotion = crowning,                                 \
			.men_capture_kings = OPTION_TRUE,                      \
			.turn_back = OPTION_FALSE                              \
		}                                                              \
	}
	TURKISH("turkish", PROMOTION_CONTINUES),
	TURKISH("turkish-classic", PROMOTION_AT_END),
#undef TURKISH
	{ .name = "nackgammon",
	  .family = FAMILY_BACKGAMMON,
	  .backgammon = { .first = FIRST_ROLL,
			  .draw_by_agreement = OPTION_FALSE,
			  .start = START_NACK } },
	{ .name = "hypergammon",
	  .family = FAMILY_BACKGAMMON,
	  .backgammon = { .first = FIRST_ROLL,
			  .draw_by_agreement = OPTION_FALSE,
			  .start = START_HYPER } },
	{ .name = "backgammon-match",
	  .family = FAMILY_BACKGAMMON,
	  .backgammon = { .first = FIRST_ROLL,
			  .draw_by_agreement = OPTION_FALSE,
			  .match_length = 7,
			  .cube = OPTION_YES,
			  .crawford = OPTION_YES } },
};

enum { BUILT_IN = sizeof(built_in) / sizeof(built_in[0]) };

size_t ruleset_count(void)
{
	return BUILT_IN;
}

const struct ruleset *ruleset_at(size_t i)
{
	assert(i < BUILT_IN);
	return &built_in[i];
}

int ruleset_find(const char *name, size_t len, struct ruleset *out)
{
	for (size_t i = 0; i < BUILT_IN; i++) {
		if (span_is(span_of(name, len), built_in[i].name)) {
			*out = built_in[i];
			return PLYD_OK;
		}
	}
	return PLYD_ERULESET;
}

/* ---- options by name --------------------------------------------------- */

struct option {
	const char *name;
	const char *values; /* parted by '|', or a range "0..64" */
	size_t offset;      /* of its byte in struct ruleset */
};

static const struct option draughts_option[] = {
#define O(name, values, doc)                                                   \
	{ #name, values, offsetof(struct ruleset, draughts.name) },
	DRAUGHTS_OPTIONS(O)
#undef O
};
static const struct option backgammon_option[] = {
#define O(name, values, doc)                                                   \
	{ #name, values, offsetof(struct ruleset, backgammon.name) },
	BACKGAMMON_OPTIONS(O)
#undef O
};

static const struct family_kind {
	const char *name;
	const struct option *option;
	size_t count;
} kinds[] = {
	[FAMILY_DRAUGHTS] = { "draughts", draughts_option,
			      sizeof(draughts_option) /
				      sizeof(draughts_option[0]) },
	[FAMILY_BACKGAMMON] = { "backgammon", backgammon_option,
				sizeof(backgammon_option) /
					sizeof(backgammon_option[0]) },
};

static uint8_t *option_byte(struct ruleset *rs, const struct option *o)
{
	return (uint8_t *)rs + o->offset;
}

enum { NUMBER_CHARS_MAX = 3 };

/* A number from 0 to most without leading zeros, or -1. */
static int number_read(struct span text, int most)
{
	int number = 0;
	if (text.len == 0 || text.len > NUMBER_CHARS_MAX ||
	    (text.len > 1 && text.at[0] == '0'))
		return -1;
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return -1;
		number = 10 * number + (text.at[i] - '0');
	}
	return number <= most ? number : -1;
}

/* The greatest number of "0..64"; -1 where values are words. */
static int range_end(const char *values)
{
	static const char from_zero[] = "0..";
	size_t skip = strlen(from_zero);
	if (strncmp(values, from_zero, skip) != 0)
		return -1;
	return number_read(span_str(values + skip), UINT8_MAX);
}

/* The i-th word of "a|b|c"; empty when there is none. */
static struct span value_at(const char *values, unsigned i)
{
	while (i-- > 0) {
		values = strchr(values, '|');
		if (!values)
			return span_str("");
		values++;
	}
	return span_of(values, strcspn(values, "|"));
}

/* What the struct has for a value of an option, or -1. */
static int value_find(const char *values, struct span value)
{
	int most = range_end(values);
	if (most >= 0)
		return number_read(value, most);
	for (unsigned i = 0;; i++) {
		struct span v = value_at(values, i);
		if (v.len == 0)
			return -1;
		if (span_eq(v, value))
			return (int)i;
	}
}

static const struct option *option_find(const struct family_kind *kind,
					struct span name)
{
	for (size_t i = 0; i < kind->count; i++) {
		if (span_is(name, kind->option[i].name))
			return &kind->option[i];
	}
	return NULL;
}

static int option_set(struct ruleset *rs, const struct option *o,
		      struct span value)
{
	int i = o ? value_find(o->values, value) : -1;
	if (i < 0)
		return PLYD_EOPTION;
	*option_byte(rs, o) = (uint8_t)i;
	return PLYD_OK;
}

int ruleset_set(struct ruleset *rs, const char *option, size_t option_len,
		const char *value, size_t value_len)
{
	const struct option *o =
		option_find(&kinds[rs->family], span_of(option, option_len));
	return option_set(rs, o, span_of(value, value_len));
}

int ruleset_check(const struct ruleset *rs, const char **why)
{
	const struct family_ops *ops =
		rs->family == FAMILY_DRAUGHTS ? &draughts_ops : &backgammon_ops;
	return ops->ruleset_check(rs, why);
}

/* ---- as text ----------------------------------------------------------- */

/* Appends to a text of `at` bytes; returns its new length. Every question to a
 * script has such a text, so that it is not printed but copied. */
static size_t put(char out[RULESET_TEXT_MAX], size_t at, struct span s)
{
	assert(at + s.len < RULESET_TEXT_MAX);
	memcpy(out + at, s.at, s.len);
	return at + s.len;
}

/* Appends ` option=value`. */
static size_t option_put(char out[RULESET_TEXT_MAX], size_t at,
			 const struct option *o, uint8_t value)
{
	char number[4];
	struct span v;
	if (range_end(o->values) >= 0)
		v = span_of(number, (size_t)snprintf(number, sizeof(number),
						     "%u", value));
	else
		v = value_at(o->values, value);
	assert(v.len > 0);
	at = put(out, at, span_str(" "));
	at = put(out, at, span_str(o->name));
	at = put(out, at, span_str("="));
	return put(out, at, v);
}

size_t ruleset_write(const struct ruleset *rs, char out[RULESET_TEXT_MAX])
{
	const struct family_kind *kind = &kinds[rs->family];
	struct ruleset copy = *rs;
	size_t at = put(out, 0, span_str(rs->name));
	at = put(out, at, span_str(" "));
	at = put(out, at, span_str(kind->name));
	for (size_t i = 0; i < kind->count; i++) {
		const struct option *o = &kind->option[i];
		at = option_put(out, at, o, *option_byte(&copy, o));
	}
	out[at] = '\0';
	return at;
}

/* Cuts the next word, up to a blank or the end, from the front of *text. */
static struct span word_next(struct span *text)
{
	const uint8_t *blank =
		text->len > 0 ? memchr(text->at, ' ', text->len) : NULL;
	size_t len = blank ? (size_t)(blank - text->at) : text->len;
	struct span word = span_of(text->at, len);
	size_t used = len + (blank ? 1 : 0);
	text->at += used;
	text->len -= used;
	return word;
}

static bool name_read(struct span word, char out[RULESET_NAME_MAX + 1])
{
	for (size_t i = 0; i < word.len; i++) {
		uint8_t c = word.at[i];
		bool fine = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			    c == '-';
		if (!fine)
			return false;
	}
	return word.len > 0 && span_copy(word, out, RULESET_NAME_MAX + 1);
}

static bool family_read(struct span word, enum family *out)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (span_is(word, kinds[i].name)) {
			*out = (enum family)i;
			return true;
		}
	}
	return false;
}

/* `option=value`; *seen gains the option's bit and must not have it yet. */
static int option_read(struct ruleset *rs, struct span word, uint32_t *seen)
{
	const struct family_kind *kind = &kinds[rs->family];
	const uint8_t *eq =
		word.len > 0 ? memchr(word.at, '=', word.len) : NULL;
	if (!eq)
		return PLYD_EOPTION;
	size_t name_len = (size_t)(eq - word.at);
	const struct option *o = option_find(kind, span_of(word.at, name_len));
	if (!o || (*seen & 1u << (o - kind->option)))
		return PLYD_EOPTION;
	*seen |= 1u << (o - kind->option);
	return option_set(rs, o, span_of(eq + 1, word.len - name_len - 1));
}

int ruleset_read(const char *text, size_t len, struct ruleset *out)
{
	struct span rest = span_of(text, len);
	struct ruleset rs;
	uint32_t seen = 0;
	memset(&rs, 0, sizeof(rs));
	if (len == 0 || text[len - 1] == ' ')
		return PLYD_EOPTION; /* words are parted, not ended, by blanks */
	if (!name_read(word_next(&rest), rs.name) ||
	    !family_read(word_next(&rest), &rs.family))
		return PLYD_EOPTION;
	while (rest.len > 0) {
		int err = option_read(&rs, word_next(&rest), &seen);
		if (err)
			return err;
	}
	*out = rs;
	return PLYD_OK;
}

/* ---- questions --------------------------------------------------------- */

int ruleset_first(const struct ruleset *rs)
{
	if (rs->family == FAMILY_DRAUGHTS)
		return rs->draughts.first;
	return rs->backgammon.first == FIRST_WHITE ? WHITE : -1;
}

enum side ruleset_person(const struct ruleset *rs)
{
	return rs->family == FAMILY_DRAUGHTS ? rs->draughts.person
					     : rs->backgammon.person;
}

bool ruleset_draw_by_agreement(const struct ruleset *rs)
{
	return rs->family == FAMILY_DRAUGHTS ||
	       rs->backgammon.draw_by_agreement == OPTION_TRUE;
}

bool ruleset_has_stakes(const struct ruleset *rs)
{
	return rs->family == FAMILY_BACKGAMMON &&
	       (rs->backgammon.cube == OPTION_YES ||
		rs->backgammon.match_length > 0);
}
