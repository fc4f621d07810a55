/* SPDX-License-Identifier: MIT */
#include "rules/pdn_priv.h"

enum { GAME_TYPE_MAX = 99 };

/* The numbers of the games that PDN knows and that may be rulesets here. Of
 * those with one number the first is meant unless another is asked for. */
static const struct game_type {
	unsigned number;
	const char *name;
} game_types[] = {
	{ 21, "english" },         { 23, "pool" },  { 25, "russian" },
	{ 26, "brazilian" },       { 29, "czech" }, { 30, "turkish" },
	{ 30, "turkish-classic" },
};

enum { GAME_TYPES = sizeof(game_types) / sizeof(game_types[0]) };

unsigned pdn_game_type(const struct ruleset *rs)
{
	for (size_t i = 0; i < GAME_TYPES; i++)
		if (!strcmp(game_types[i].name, rs->name))
			return game_types[i].number;
	return 0;
}

/* `21`, `30,W,8,8,A0,0`: the first number. 0: there is none. */
static unsigned number_of(const char *value)
{
	unsigned number = 0;
	size_t i = 0;
	for (; value[i] >= '0' && value[i] <= '9'; i++) {
		if (number <= GAME_TYPE_MAX)
			number = number * 10 + (unsigned)(value[i] - '0');
	}
	return value[i] == '\0' || value[i] == ',' ? number : 0;
}

static const struct game_tag *tag_of(const struct game_record *g,
				     const char *name)
{
	for (size_t i = 0; i < g->tag_count; i++)
		if (!strcmp(g->tag[i].name, name))
			return &g->tag[i];
	return NULL;
}

/* A game that does not say what it is is the one asked for, or English: the
 * archives of that game seldom say it. */
static bool settle_ruleset(struct game_reader *r)
{
	const struct game_tag *tag = tag_of(&r->game, "GameType");
	const char *names[GAME_TYPES + 1] = { "english" };
	size_t count = 0;
	if (r->is_asked && r->asked.family != FAMILY_DRAUGHTS)
		return reader_ruleset(r, names, r->game.place);
	if (!tag) {
		if (r->is_asked)
			names[0] = r->asked.name;
		return reader_ruleset(r, names, r->game.place);
	}
	unsigned number = number_of(tag->value);
	for (size_t i = 0; i < GAME_TYPES; i++)
		if (game_types[i].number == number)
			names[count++] = game_types[i].name;
	if (count == 0)
		return reader_fault(r, PLYD_ERULESET, tag->place,
				    span_str(tag->value),
				    "This GameType is not played here.");
	return reader_ruleset(r, names, tag->place);
}

/* FEN may end with a dot, as many programs write it. */
static bool settle_start(struct game_reader *r)
{
	const struct game_tag *fen = tag_of(&r->game, "FEN");
	const struct game_tag *setup = tag_of(&r->game, "SetUp");
	struct position start;
	struct text_error where;
	if (!fen && setup && !strcmp(setup->value, "1"))
		return reader_fault(r, PLYD_EPOSITION, setup->place,
				    span_of("", 0),
				    "SetUp is 1, but there is no FEN.");
	game_start(&r->game.ruleset, &start);
	if (fen) {
		struct text_place place = fen->place;
		size_t len = strlen(fen->value);
		len -= len > 0 && fen->value[len - 1] == '.';
		if (game_read(&r->game.ruleset, fen->value, len, &start,
			      &where)) {
			place.offset += where.offset;
			place.column += (uint32_t)where.offset;
			return reader_fault(r, PLYD_EPOSITION, place,
					    span_str(fen->value), where.text);
		}
	}
	reader_start(r, &start);
	return true;
}

static bool check_result_tag(struct game_reader *r)
{
	const struct game_tag *tag = tag_of(&r->game, "Result");
	enum side first = (enum side)ruleset_first(&r->game.ruleset);
	enum game_result result;
	return !tag || !strcmp(tag->value, "?") || tag->value[0] == '\0' ||
	       pdn_result_read(span_str(tag->value), first, &result) ||
	       reader_fault(r, PLYD_ERECORD, tag->place, span_str(tag->value),
			    "This is no result.");
}

bool pdn_settle(struct game_reader *r)
{
	return !r->faulty && settle_ruleset(r) && settle_start(r) &&
	       check_result_tag(r);
}

/* ---- results ----------------------------------------------------------- */

enum { FIRST_WINS, SECOND_WINS, NOBODY_WINS };

/* The first row of each kind is the one that is written. */
static const struct result_word {
	const char *text;
	uint8_t who;
	uint8_t result; /* NOBODY_WINS only */
} result_words[] = {
	{ "1-0", FIRST_WINS, 0 },
	{ "0-1", SECOND_WINS, 0 },
	{ "1/2-1/2", NOBODY_WINS, RESULT_DRAW },
	{ "*", NOBODY_WINS, RESULT_NONE },
	{ "0-0", NOBODY_WINS, RESULT_FORFEIT },
	{ "2-0", FIRST_WINS, 0 },
	{ "0-2", SECOND_WINS, 0 },
	{ "1-1", NOBODY_WINS, RESULT_DRAW },
};

enum { RESULT_WORDS = sizeof(result_words) / sizeof(result_words[0]) };

static enum game_result result_of(const struct result_word *w, enum side first)
{
	if (w->who == NOBODY_WINS)
		return (enum game_result)w->result;
	enum side side = w->who == FIRST_WINS ? first : side_other(first);
	return side == WHITE ? RESULT_WHITE : RESULT_BLACK;
}

bool pdn_result_read(struct span text, enum side first, enum game_result *out)
{
	for (size_t i = 0; i < RESULT_WORDS; i++) {
		if (span_is(text, result_words[i].text)) {
			*out = result_of(&result_words[i], first);
			return true;
		}
	}
	return false;
}

const char *pdn_result_text(enum game_result result, enum side first)
{
	size_t i = 0;
	while (result_of(&result_words[i], first) != result)
		i++;
	return result_words[i].text;
}

int pdn_glyph(struct span mark)
{
	/* as PGN numbers them */
	static const char *const glyphs[] = { "",   "!",  "?", "!!",
					      "??", "!?", "?!" };
	for (int i = 0; i < (int)(sizeof(glyphs) / sizeof(glyphs[0])); i++)
		if (span_is(mark, glyphs[i]))
			return i;
	return -1;
}
