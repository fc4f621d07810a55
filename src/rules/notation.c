/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <strings.h>

#include "rules/notation_priv.h"

static const struct format_ops *const formats[FORMATS] = {
	[FORMAT_PDN] = &pdn_format,
	[FORMAT_MAT] = &mat_format,
	[FORMAT_SGF] = &sgf_format,
};

const char *game_format_name(enum game_format format)
{
	return formats[format]->name;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);
	return len > end_len && !strcasecmp(name + len - end_len, end);
}

int game_format_guess(const char *name, struct span head, enum game_format *out)
{
	for (unsigned i = 0; i < FORMATS; i++) {
		*out = (enum game_format)i;
		if (ends_with(name, formats[i]->extension))
			return PLYD_OK;
	}
	for (unsigned i = 0; i < FORMATS; i++) {
		*out = (enum game_format)i;
		if (formats[i]->begins(head))
			return PLYD_OK;
	}
	return PLYD_ERECORD;
}

const char *game_tag_find(const struct game_record *game, const char *name)
{
	for (size_t i = 0; i < game->tag_count; i++)
		if (!strcmp(game->tag[i].name, name))
			return game->tag[i].value;
	return NULL;
}

/* ---- the walk over the bytes ------------------------------------------- */

int game_reader_new(enum game_format format, const struct ruleset *asked,
		    const struct game_sink *sink, struct game_reader **out)
{
	const struct format_ops *ops = formats[format];
	struct game_reader *r = calloc(1, sizeof(*r) + ops->state_bytes);
	*out = r;
	if (!r)
		return PLYD_ENOMEM;
	r->format = ops;
	r->sink = *sink;
	r->here = (struct text_place){ 0, 1, 1 };
	r->is_asked = asked != NULL;
	if (asked)
		r->asked = *asked;
	return PLYD_OK;
}

void game_reader_free(struct game_reader *r)
{
	free(r);
}

static void step_byte(struct game_reader *r, uint8_t byte)
{
	bool newline = byte == '\r' || byte == '\n';
	if (!(r->after_cr && byte == '\n')) {
		r->format->step(r, newline ? '\n' : byte);
		if (newline) {
			r->here.line++;
			r->here.column = 1;
		} else if ((byte & 0xc0) != 0x80) {
			r->here.column++;
		}
	}
	r->after_cr = byte == '\r';
	r->here.offset++;
}

static const uint8_t byte_order_mark[] = { 0xef, 0xbb, 0xbf };

/* What looked like a byte order mark at the beginning is none. */
static void mark_given_up(struct game_reader *r)
{
	unsigned seen = r->mark_seen;
	r->mark_seen = sizeof(byte_order_mark);
	r->here.offset = 0;
	for (unsigned i = 0; i < seen; i++)
		step_byte(r, byte_order_mark[i]);
}

static void take_byte(struct game_reader *r, uint8_t byte)
{
	if (r->mark_seen < sizeof(byte_order_mark)) {
		if (byte == byte_order_mark[r->mark_seen]) {
			r->mark_seen++;
			r->here.offset++;
			return;
		}
		mark_given_up(r);
	}
	step_byte(r, byte);
}

void game_reader_feed(struct game_reader *r, struct span bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		take_byte(r, bytes.at[i]);
}

void game_reader_end(struct game_reader *r)
{
	if (r->mark_seen < sizeof(byte_order_mark))
		mark_given_up(r);
	r->format->step(r, TEXT_END);
	assert(!r->open);
}

/* ---- putting a game together ------------------------------------------- */

void reader_begin(struct game_reader *r, struct text_place place)
{
	struct game_record *g = &r->game;
	assert(!r->open);
	r->open = true;
	r->settled = false;
	r->faulty = false;
	r->text_len = 0;
	g->number = ++r->games;
	g->place = place;
	g->tag_count = 0;
	g->entry_count = 0;
	g->note_count = 0;
	g->variations = 0;
	g->marks = 0;
	g->match_length = 0;
	g->score[WHITE] = 0;
	g->score[BLACK] = 0;
}

/* Half-moves so far: what gave the turn to the other side. */
static unsigned plies(const struct game_record *g)
{
	unsigned count = 0;
	for (size_t i = 0; i < g->entry_count; i++)
		count += g->entry[i].kind == ENTRY_MOVE ||
			 g->entry[i].kind == ENTRY_PASS;
	return count;
}

static void tell_fault(struct game_reader *r, struct game_fault *f,
		       struct span word)
{
	size_t len = word.len < GAME_WORD_MAX ? word.len : GAME_WORD_MAX;
	f->game = r->game.number;
	for (size_t i = 0; i < len; i++)
		f->word[i] = word.at[i] ? (char)word.at[i] : '?';
	f->word[len] = '\0';
	r->faulty = true;
	r->sink.fault(r->sink.payload, f);
}

bool reader_fault(struct game_reader *r, int err, struct text_place place,
		  struct span word, const char *text)
{
	struct game_fault f = { .err = err, .place = place, .text = text };
	if (!r->open)
		reader_begin(r, place);
	if (!r->faulty)
		tell_fault(r, &f, word);
	return false;
}

static bool too_large(struct game_reader *r, struct text_place place,
		      const char *text)
{
	return reader_fault(r, PLYD_ETOOLARGE, place, span_of("", 0), text);
}

static bool text_fits(struct game_reader *r, size_t len)
{
	return len <= GAME_TEXT_MAX - r->text_len ||
	       too_large(r, r->here,
			 "The game has more tags and comments than are kept.");
}

/* Copies a text into the game's; it must fit. */
static const char *keep(struct game_reader *r, struct span text)
{
	char *at = r->text + r->text_len;
	if (text.len > 0)
		memcpy(at, text.at, text.len);
	at[text.len] = '\0';
	r->text_len += text.len + 1;
	return at;
}

bool reader_tag(struct game_reader *r, struct span name, struct span value,
		struct text_place place)
{
	struct game_record *g = &r->game;
	if (r->faulty || !text_fits(r, name.len + value.len + 2))
		return false;
	if (g->tag_count == GAME_TAGS_MAX)
		return too_large(r, place, "The game has too many tags.");
	struct game_tag *tag = &g->tag[g->tag_count];
	tag->name = keep(r, name);
	tag->value = keep(r, value);
	tag->place = place;
	if (game_tag_find(g, tag->name))
		return reader_fault(r, PLYD_ERECORD, place, name,
				    "This tag stands twice.");
	g->tag_count++;
	return true;
}

bool reader_note_begin(struct game_reader *r)
{
	struct game_record *g = &r->game;
	if (r->faulty || !text_fits(r, 1))
		return false;
	if (g->note_count == GAME_NOTES_MAX)
		return too_large(r, r->here, "The game has too many comments.");
	g->note[g->note_count++] = (struct game_note){
		.entry = g->entry_count,
		.text = keep(r, span_of("", 0)),
	};
	return true;
}

bool reader_note_add(struct game_reader *r, char c)
{
	if (r->faulty || !text_fits(r, 1))
		return false;
	r->text[r->text_len - 1] = c;
	r->text[r->text_len++] = '\0';
	r->game.note[r->game.note_count - 1].len++;
	return true;
}

bool reader_ruleset(struct game_reader *r, const char *const names[],
		    struct text_place place)
{
	const char *name = names[0];
	if (r->faulty)
		return false;
	for (size_t i = 0; r->is_asked && name; name = names[++i])
		if (!strcmp(name, r->asked.name))
			break;
	if (!name)
		return reader_fault(r, PLYD_ERULESET, place, span_of("", 0),
				    "The game is not of the ruleset that was "
				    "asked for.");
	if (r->is_asked)
		r->game.ruleset = r->asked;
	else if (ruleset_find(name, strlen(name), &r->game.ruleset))
		return reader_fault(r, PLYD_ERULESET, place, span_str(name),
				    "There is no such ruleset here.");
	return true;
}

void reader_start(struct game_reader *r, const struct position *start)
{
	assert(r->open);
	r->settled = true;
	r->game.start = *start;
	r->position = *start;
}

/* ---- moves ------------------------------------------------------------- */

static struct game_entry *entry_add(struct game_reader *r,
				    enum game_entry_kind kind, enum side side,
				    struct text_place place)
{
	struct game_record *g = &r->game;
	if (r->faulty)
		return NULL;
	if (g->entry_count == GAME_ENTRIES_MAX) {
		too_large(r, place, "The game has more moves than are read.");
		return NULL;
	}
	struct game_entry *e = &g->entry[g->entry_count++];
	*e = (struct game_entry){ .kind = (uint8_t)kind,
				  .side = (uint8_t)side,
				  .place = place };
	if (kind == ENTRY_MOVE || kind == ENTRY_PASS)
		memcpy(e->dice, r->position.dice, sizeof(e->dice));
	return e;
}

/* A fault of the half-move that is due. */
static struct game_fault fault_here(const struct game_reader *r, int err,
				    struct text_place place)
{
	return (struct game_fault){ .err = err,
				    .place = place,
				    .ply = plies(&r->game) + 1,
				    .text = err == PLYD_EILLEGAL
						    ? "The move is not legal."
						    : plyd_err_text(err),
				    .ruleset = &r->game.ruleset,
				    .position = &r->position };
}

bool reader_refuse(struct game_reader *r, enum reason reason, struct span word,
		   struct text_place place)
{
	struct game_fault f = fault_here(r, PLYD_EILLEGAL, place);
	f.refusal.reason = reason;
	if (!r->faulty)
		tell_fault(r, &f, word);
	return false;
}

bool reader_move(struct game_reader *r, struct span text,
		 struct text_place place)
{
	struct game_record *g = &r->game;
	struct move move;
	struct refusal why;
	if (r->faulty)
		return false;
	assert(r->settled);
	int err = game_check(&g->ruleset, &r->position, (const char *)text.at,
			     text.len, &move, &why);
	if (err) {
		struct game_fault f = fault_here(r, err, place);
		f.refusal = why;
		tell_fault(r, &f, text);
		return false;
	}
	struct game_entry *e =
		entry_add(r, ENTRY_MOVE, (enum side)r->position.side, place);
	if (!e)
		return false;
	struct position before = r->position;
	e->move = move;
	game_apply(&g->ruleset, &before, &move, &r->position);
	return true;
}

bool reader_entry(struct game_reader *r, enum game_entry_kind kind,
		  enum side side, struct text_place place)
{
	if (!entry_add(r, kind, side, place))
		return false;
	struct position before = r->position;
	if (kind == ENTRY_PASS)
		game_pass(&before, &r->position);
	else if (kind == ENTRY_TAKE)
		game_take(&before, &r->position);
	return true;
}

struct game_entry *reader_last(struct game_reader *r)
{
	struct game_record *g = &r->game;
	if (!r->open || r->faulty || g->entry_count == 0)
		return NULL;
	return &g->entry[g->entry_count - 1];
}

/* ---- the end of a game ------------------------------------------------- */

/* What the rules say against the result of a game that they have ended; NULL:
 * nothing. */
static const char *result_wrong(const struct game_record *g)
{
	struct outcome o = game_outcome(&g->ruleset, &g->end);
	enum game_result due = o.winner == WHITE ? RESULT_WHITE : RESULT_BLACK;
	if (!o.over || g->result == RESULT_NONE)
		return NULL;
	if (g->result != due)
		return "By the rules the other side won here. (In draughts "
		       "1-0 says that the side which began won.)";
	return g->points != 0 && g->points != o.points
		       ? "By the rules this game counts other points."
		       : NULL;
}

void reader_finish(struct game_reader *r, enum game_result result,
		   uint16_t points, struct text_place place)
{
	struct game_record *g = &r->game;
	assert(r->open);
	if (!r->faulty) {
		assert(r->settled);
		g->end = r->position;
		g->result = result;
		g->points = points;
		const char *wrong = result_wrong(g);
		if (wrong)
			reader_fault(r, PLYD_ERECORD, place, span_of("", 0),
				     wrong);
	}
	if (!r->faulty)
		r->sink.game(r->sink.payload, g);
	r->open = false;
}

void reader_abandon(struct game_reader *r, struct text_place place,
		    const char *text)
{
	reader_fault(r, PLYD_ERECORD, place, span_of("", 0), text);
	r->open = false;
}
