/* SPDX-License-Identifier: MIT
 * SGF, game 6 (backgammon), after the specification FF[4], with the properties
 * that GNU Backgammon writes. A tree is a game; several may follow one another.
 * Points are letters in White's numbering, a = 1 to x = 24, y the bar, z off:
 * `;B[52lqln]` is a turn of Black with 5 and 2, one checker from l to q and one
 * from l to n.
 *
 * The main line of a tree is read, which is all up to the first closing
 * parenthesis, so no stack is needed: behind it only parentheses are counted.
 * Properties that say nothing of the game, such as analyses, are passed over.
 * This file cuts the text; sgf_properties.c understands it. */
#include "rules/sgf_priv.h"

enum { DEPTH_MAX = 1000 };

static bool is_blank(int c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\v' || c == '\f';
}

static void wrong(struct game_reader *r, int c, const char *text)
{
	uint8_t byte = (uint8_t)c;
	reader_fault(r, PLYD_ERECORD, r->here, span_of(&byte, 1), text);
}

/* ---- trees ------------------------------------------------------------- */

static void tree_opens(struct game_reader *r, struct sgf *s)
{
	if (s->depth == 0) {
		if (r->open) /* what stood before the tree was refused */
			reader_finish(r, RESULT_NONE, 0, r->here);
		s->main_over = false;
		s->at = SGF_NODE;
		sgf_game_begins(r, s);
	}
	s->depth++;
	s->name_len = 0;
	if (s->depth > DEPTH_MAX)
		reader_fault(r, PLYD_ETOOLARGE, r->here, span_of("(", 1),
			     "Variations are nested too deep.");
	else if (s->main_over)
		r->game.variations++;
}

static void tree_closes(struct game_reader *r, struct sgf *s)
{
	s->main_over = true;
	s->name_len = 0;
	if (--s->depth > 0)
		return;
	s->at = SGF_BETWEEN;
	sgf_game_ends(r, s);
}

/* ---- values ------------------------------------------------------------ */

static void name_begins(struct sgf *s, int c)
{
	s->at = SGF_NAME;
	s->name[0] = (char)c;
	s->name_len = 1;
}

/* Small letters of a name are ornament (FF[3]). */
static void name_goes_on(struct sgf *s, int c)
{
	if (c >= 'A' && c <= 'Z' && s->name_len < SGF_NAME_MAX)
		s->name[s->name_len++] = (char)c;
}

static void value_begins(struct game_reader *r, struct sgf *s)
{
	if (s->name_len == 0) {
		wrong(r, '[', "This value belongs to no property.");
		s->want = SGF_NOTHING;
	} else {
		s->want = s->main_over ? SGF_NOTHING : sgf_wanted(s);
	}
	s->at = SGF_VALUE;
	s->value_len = 0;
	s->value_place = r->here;
	s->value_place.offset++;
	s->value_place.column++;
	if (s->want == SGF_COMMENT)
		reader_note_begin(r);
}

static void value_grows(struct game_reader *r, struct sgf *s, int c)
{
	if (s->want == SGF_COMMENT) {
		reader_note_add(r, (char)c);
	} else if (s->want == SGF_VALUE_READ) {
		if (s->value_len < SGF_VALUE_MAX) {
			s->value[s->value_len++] = is_blank(c) ? ' ' : (char)c;
			return;
		}
		reader_fault(r, PLYD_ETOOLARGE, s->value_place,
			     span_of(s->name, s->name_len),
			     "The value is too long.");
	}
}

static void value_ends(struct game_reader *r, struct sgf *s)
{
	s->at = SGF_NODE;
	if (s->want == SGF_VALUE_READ && !r->faulty)
		sgf_property(r, s);
}

/* ---- bytes ------------------------------------------------------------- */

static void step_between(struct game_reader *r, struct sgf *s, int c)
{
	if (c == '(')
		tree_opens(r, s);
	else if (!is_blank(c))
		wrong(r, c, "Here a game must begin, as `(;`.");
}

static void step_node(struct game_reader *r, struct sgf *s, int c)
{
	if (c == '(')
		tree_opens(r, s);
	else if (c == ')')
		tree_closes(r, s);
	else if (c == ';')
		s->name_len = 0;
	else if (c == '[')
		value_begins(r, s);
	else if (c >= 'A' && c <= 'Z')
		name_begins(s, c);
	else if (!is_blank(c))
		wrong(r, c, "This is not understood here.");
}

static void step_name(struct game_reader *r, struct sgf *s, int c)
{
	if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
		name_goes_on(s, c);
		return;
	}
	s->at = SGF_NODE;
	if (c != '[' && !is_blank(c))
		wrong(r, c, "Behind a property its value must stand, as `[`.");
	step_node(r, s, c);
}

static void step_value(struct game_reader *r, struct sgf *s, int c)
{
	if (c == '\\')
		s->at = SGF_ESCAPED;
	else if (c == ']')
		value_ends(r, s);
	else
		value_grows(r, s, c);
}

/* An escaped end of line is none at all. */
static void step_escaped(struct game_reader *r, struct sgf *s, int c)
{
	s->at = SGF_VALUE;
	if (c != '\n')
		value_grows(r, s, c);
}

static void step_end(struct game_reader *r, struct sgf *s)
{
	if (!r->open)
		return;
	if (s->depth > 0)
		reader_abandon(r, r->here, "The file ends within a game.");
	else
		reader_finish(r, RESULT_NONE, 0, r->here);
}

static void sgf_step(struct game_reader *r, int c)
{
	struct sgf *s = reader_state(r);
	if (c == TEXT_END) {
		step_end(r, s);
		return;
	}
	switch (s->at) {
	case SGF_BETWEEN: step_between(r, s, c); break;
	case SGF_NODE: step_node(r, s, c); break;
	case SGF_NAME: step_name(r, s, c); break;
	case SGF_VALUE: step_value(r, s, c); break;
	case SGF_ESCAPED: step_escaped(r, s, c); break;
	}
}

/* Blanks, then `(`, blanks, `;`, and somewhere the number of the game. */
static bool sgf_begins(struct span head)
{
	static const char opening[] = "(;", game[] = "GM[6]";
	size_t want = 0;
	for (size_t i = 0; i < head.len && opening[want]; i++) {
		if (head.at[i] == (uint8_t)opening[want])
			want++;
		else if (!is_blank(head.at[i]) && head.at[i] != '\r')
			return false;
	}
	return !opening[want] &&
	       memmem(head.at, head.len, game, strlen(game)) != NULL;
}

const struct format_ops sgf_format = {
	.name = "sgf",
	.extension = ".sgf",
	.state_bytes = sizeof(struct sgf),
	.begins = sgf_begins,
	.step = sgf_step,
};
