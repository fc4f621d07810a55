/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/pdn_priv.h"

static const struct span nothing = { NULL, 0 };

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(int c)
{
	return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static bool wrong(struct game_reader *r, struct text_place place,
		  const char *text)
{
	return reader_fault(r, PLYD_ERECORD, place, nothing, text);
}

/* ---- words ------------------------------------------------------------- */

static struct text_place place_after(struct text_place place, size_t ascii)
{
	place.offset += ascii;
	place.column += (uint32_t)ascii;
	return place;
}

/* What comes now belongs to the moves of a game; its tags have ended. */
static void enter_moves(struct game_reader *r, struct pdn *s,
			struct text_place place)
{
	if (!r->open)
		reader_begin(r, place);
	if (!s->in_moves)
		pdn_settle(r);
	s->in_moves = true;
}

static void glyph_add(struct game_reader *r, unsigned glyph)
{
	struct game_entry *e = reader_last(r);
	for (unsigned i = 0; e && glyph && i < GAME_GLYPHS_MAX; i++) {
		if (e->glyphs[i] == 0) {
			e->glyphs[i] = (uint8_t)glyph;
			return;
		}
	}
}

static void end_game(struct game_reader *r, struct pdn *s,
		     enum game_result result, struct text_place place)
{
	enum side first = (enum side)ruleset_first(&r->game.ruleset);
	const char *tag = game_tag_find(&r->game, "Result");
	enum game_result told;
	if (!r->faulty && r->game.tag_count == 0 && r->game.entry_count == 0)
		wrong(r, place, "A result without a game.");
	if (!r->faulty && tag && pdn_result_read(span_str(tag), first, &told)) {
		if (pdn_results_differ(result, told))
			wrong(r, place, "The tag Result says otherwise.");
		result = result == RESULT_NONE ? told : result;
	}
	reader_finish(r, result, 0, place);
	s->in_moves = false;
}

/* `11-15`, `9x18!`, `8-11*`: a move with marks glued to it. */
static void take_move(struct game_reader *r, struct span word,
		      struct text_place place)
{
	char text[GAME_WORD_MAX], mark[GAME_WORD_MAX];
	size_t len = word.len, marks = 0;
	while (len > 0 && strchr("!?*", word.at[len - 1]))
		len--;
	/* the star, a mark of strength, has no number */
	for (size_t i = len; i < word.len; i++)
		if (word.at[i] != '*')
			mark[marks++] = (char)word.at[i];
	int glyph = pdn_glyph(span_of(mark, marks));
	if (glyph < 0) {
		reader_fault(r, PLYD_ERECORD, place_after(place, len), word,
			     "This mark is not known.");
		return;
	}
	for (size_t i = 0; i < len; i++)
		text[i] = word.at[i] == 'X' ? 'x' : (char)word.at[i];
	if (len == 0 || reader_move(r, span_of(text, len), place))
		glyph_add(r, (unsigned)glyph);
}

/* A word of the main line: `12.`, `1.11-15`, `...`, a move, a result. */
static void take_word(struct game_reader *r, struct pdn *s)
{
	struct span word = span_of(s->word, s->word_len);
	struct text_place place = s->word_place;
	size_t number = 0, dots;
	enum game_result result;
	enter_moves(r, s, place);
	while (number < word.len && is_digit(word.at[number]))
		number++;
	for (dots = number; dots < word.len && word.at[dots] == '.';)
		dots++;
	if (dots > number) {
		word = span_of(word.at + dots, word.len - dots);
		place = place_after(place, dots);
	}
	enum side first =
		r->settled ? (enum side)ruleset_first(&r->game.ruleset) : WHITE;
	if (pdn_result_read(word, first, &result))
		end_game(r, s, result, place);
	else if (word.len > 0)
		take_move(r, word, place);
}

static void end_word(struct game_reader *r, struct pdn *s)
{
	if (s->word_len > 0 && s->depth == 0)
		take_word(r, s);
	s->word_len = 0;
}

static void word_add(struct game_reader *r, struct pdn *s, int c)
{
	if (s->word_len == 0)
		s->word_place = r->here;
	if (s->word_len < GAME_WORD_MAX)
		s->word[s->word_len++] = (char)c;
	else if (s->depth == 0)
		reader_fault(r, PLYD_ETOOLARGE, s->word_place,
			     span_of(s->word, s->word_len),
			     "No move is as long as this.");
}

/* ---- comments, variations, glyphs -------------------------------------- */

/* Kept with the moves of the main line; one between two games is not. */
static void comment_begin(struct game_reader *r, struct pdn *s,
			  enum pdn_state state)
{
	s->state = state;
	s->opened = r->here;
	s->comment_len = 0;
	s->noting = r->open && s->depth == 0 && reader_note_begin(r);
}

static void in_comment(struct game_reader *r, struct pdn *s, int c)
{
	bool brace = s->state == PDN_BRACE;
	if (c == TEXT_END && brace)
		wrong(r, s->opened, "This comment is not closed.");
	if (c == TEXT_END || c == (brace ? '}' : '\n')) {
		s->midline = brace;
		s->state = PDN_TEXT;
		return;
	}
	if (s->noting)
		s->noting = reader_note_add(r, (char)c);
	/* one that is never closed would swallow all games that follow */
	if (++s->comment_len > GAME_TEXT_MAX) {
		reader_fault(r, PLYD_ETOOLARGE, s->opened, nothing,
			     "This comment does not end.");
		s->state = PDN_TEXT;
	}
}

static void variation_open(struct game_reader *r, struct pdn *s)
{
	enter_moves(r, s, r->here);
	if (s->depth == 0) {
		s->opened = r->here;
		r->game.variations++;
	}
	if (++s->depth > PDN_DEPTH_MAX)
		reader_fault(r, PLYD_ETOOLARGE, r->here, nothing,
			     "Too many variations within one another.");
}

static void variation_close(struct game_reader *r, struct pdn *s)
{
	if (s->depth > 0)
		s->depth--;
	else
		wrong(r, r->here, "No variation is open here.");
}

/* False: c does not belong to it. */
static bool in_glyph(struct game_reader *r, struct pdn *s, int c)
{
	if (is_digit(c)) {
		s->digits++;
		if (s->glyph <= UINT8_MAX)
			s->glyph = s->glyph * 10 + (unsigned)(c - '0');
		return true;
	}
	s->state = PDN_TEXT;
	if (s->depth > 0)
		return false;
	if (s->digits == 0 || s->glyph > UINT8_MAX)
		wrong(r, s->opened, "A $ is followed by a number to 255.");
	else
		glyph_add(r, s->glyph);
	return false;
}

/* Signs such as the plus-minus of chess books say nothing about the moves. */
static bool in_signs(struct game_reader *r, struct pdn *s, int c)
{
	static const uint8_t byte_order_mark[] = { 0xef, 0xbb, 0xbf };
	if (c >= 0x80) {
		if (s->signs_len < sizeof(s->signs))
			s->signs[s->signs_len++] = (uint8_t)c;
		return true;
	}
	s->state = PDN_TEXT;
	if (span_eq(span_of(s->signs, s->signs_len),
		    span_of(byte_order_mark, sizeof(byte_order_mark))))
		wrong(r, s->opened,
		      "A byte order mark stands only at the beginning.");
	else
		r->game.marks += r->open && s->depth == 0;
	return false;
}

/* ---- tags -------------------------------------------------------------- */

static void tag_wrong(struct game_reader *r, struct pdn *s, const char *text)
{
	wrong(r, r->here, text);
	s->state = PDN_TAG_WRONG;
}

static void tag_open(struct game_reader *r, struct pdn *s)
{
	if (r->open && s->in_moves) {
		reader_abandon(r, r->here,
			       s->depth > 0 ? "A variation is still open here."
					    : "The game before has no result.");
		s->in_moves = false;
		s->depth = 0;
	}
	if (!r->open)
		reader_begin(r, r->here);
	s->state = PDN_TAG_OPEN;
	s->opened = r->here;
	s->name_len = 0;
	s->value_len = 0;
}

static void tag_name(struct game_reader *r, struct pdn *s, int c)
{
	if (is_name(c) && s->name_len < PDN_TAG_NAME_MAX) {
		s->name[s->name_len++] = (char)c;
		s->state = PDN_TAG_NAME;
	} else if (is_blank(c) && s->name_len > 0) {
		s->state = PDN_TAG_GAP;
	} else if (c == '"' && s->name_len > 0) {
		s->state = PDN_TAG_VALUE;
		s->value_place = place_after(r->here, 1);
	} else if (!is_blank(c)) {
		tag_wrong(r, s, "A tag is [Name \"value\"].");
	}
}

static void tag_value(struct game_reader *r, struct pdn *s, int c)
{
	bool quoted = s->state == PDN_TAG_QUOTE;
	s->state = PDN_TAG_VALUE;
	if (quoted && c != '"' && c != '\\')
		tag_wrong(r, s, "A backslash stands before \" or \\ only.");
	else if (!quoted && c == '\\')
		s->state = PDN_TAG_QUOTE;
	else if (!quoted && c == '"')
		s->state = PDN_TAG_CLOSE;
	else if (c == '\0' || s->value_len == PDN_TAG_VALUE_MAX)
		tag_wrong(r, s,
			  "A tag's value has at most 1024 bytes, and no NUL.");
	else
		s->value[s->value_len++] = (char)c;
}

static void tag_close(struct game_reader *r, struct pdn *s, int c)
{
	if (c == ']') {
		s->state = PDN_TEXT;
		reader_tag(r, span_of(s->name, s->name_len),
			   span_of(s->value, s->value_len), s->value_place);
	} else if (!is_blank(c)) {
		tag_wrong(r, s, "The value has ended: a ] is expected here.");
	}
}

static void in_tag(struct game_reader *r, struct pdn *s, int c)
{
	if (c == '\n' || c == TEXT_END) {
		wrong(r, s->opened, "This tag is not closed in its line.");
		s->state = PDN_TEXT;
		return;
	}
	switch (s->state) {
	case PDN_TAG_OPEN:
	case PDN_TAG_NAME:
	case PDN_TAG_GAP:
		if (s->state == PDN_TAG_GAP && is_name(c))
			tag_wrong(r, s, "A tag is [Name \"value\"].");
		else
			tag_name(r, s, c);
		break;
	case PDN_TAG_VALUE:
	case PDN_TAG_QUOTE: tag_value(r, s, c); break;
	case PDN_TAG_CLOSE: tag_close(r, s, c); break;
	default: break; /* PDN_TAG_WRONG: to the end of the line */
	}
}

/* ---- all together ------------------------------------------------------ */

/* What is left open when the stream ends. */
static void end_stream(struct game_reader *r, struct pdn *s)
{
	if (r->open && s->depth > 0)
		wrong(r, s->opened, "This variation is not closed.");
	if (r->open)
		reader_abandon(r, r->here,
			       "The text ends before the game has a result.");
}

static void take_sign(struct game_reader *r, struct pdn *s, int c)
{
	switch (c) {
	case '{': comment_begin(r, s, PDN_BRACE); break;
	case ';': comment_begin(r, s, PDN_LINE); break;
	case '(': variation_open(r, s); break;
	case ')': variation_close(r, s); break;
	case '$':
		s->state = PDN_GLYPH;
		s->opened = r->here;
		s->glyph = 0;
		s->digits = 0;
		break;
	default:
		if (s->depth == 0)
			wrong(r, r->here, "This sign has no meaning here.");
		break;
	}
}

static void in_text(struct game_reader *r, struct pdn *s, int c)
{
	bool midline = s->midline;
	bool word = c > ' ' && c < 0x7f && !strchr("{}()[]\";$", c);
	s->midline = c != '\n' && (midline || !is_blank(c));
	if (word && !(c == '%' && r->here.column == 1)) {
		word_add(r, s, c);
		return;
	}
	end_word(r, s);
	if (c == TEXT_END) {
		end_stream(r, s);
	} else if (c == '%') {
		s->state = PDN_ESCAPE;
	} else if (c == '[' && (!midline || !s->in_moves)) {
		tag_open(r, s);
	} else if (c >= 0x80) {
		s->state = PDN_SIGNS;
		s->opened = r->here;
		s->signs_len = 0;
		in_signs(r, s, c);
	} else if (c != '\n' && !is_blank(c)) {
		take_sign(r, s, c);
	}
}

static void pdn_step(struct game_reader *r, int c)
{
	struct pdn *s = reader_state(r);
	if (s->state == PDN_GLYPH && in_glyph(r, s, c))
		return;
	if (s->state == PDN_SIGNS && in_signs(r, s, c))
		return;
	switch (s->state) {
	case PDN_TEXT: in_text(r, s, c); return;
	case PDN_BRACE:
	case PDN_LINE: in_comment(r, s, c); break;
	case PDN_ESCAPE:
		s->state = c == '\n' ? PDN_TEXT : PDN_ESCAPE;
		s->midline = false;
		break;
	default: in_tag(r, s, c); break;
	}
	/* a comment or tag that the end of the stream closed */
	if (c == TEXT_END)
		in_text(r, s, c);
}

/* A tag in front, or the first move's number. */
static bool pdn_begins(struct span head)
{
	size_t at = 0;
	if (head.len >= 3 && !memcmp(head.at, "\xef\xbb\xbf", 3))
		at = 3;
	while (at < head.len && (is_blank(head.at[at]) || head.at[at] == '\r' ||
				 head.at[at] == '\n'))
		at++;
	size_t left = head.len - at;
	if (left >= 2 && head.at[at] == '[')
		return is_name(head.at[at + 1]);
	return left >= 2 && !memcmp(head.at + at, "1.", 2);
}

const struct format_ops pdn_format = {
	.name = "pdn",
	.extension = ".pdn",
	.state_bytes = sizeof(struct pdn),
	.begins = pdn_begins,
	.step = pdn_step,
};
