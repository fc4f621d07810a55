/* SPDX-License-Identifier: MIT */
#include "rules/pdn.h"

#include <assert.h>
#include <stdio.h>

#include "rules/pdn_priv.h"

void pdn_write_tag(struct pdn_writer *w, const char *name, const char *value)
{
	buf_printf(w->out, "[%s \"", name);
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			buf_put_byte(w->out, '\\');
		buf_put_byte(w->out, (unsigned char)*value < ' '
					     ? ' '
					     : (uint8_t)*value);
	}
	buf_put_str(w->out, "\"]\n");
}

static enum side first_side(const struct pdn_writer *w)
{
	return (enum side)ruleset_first(&w->ruleset);
}

void pdn_write_begin(struct pdn_writer *w, struct buf *out,
		     const struct ruleset *rs, const struct position *start,
		     enum game_result result)
{
	char number[16], fen[POSITION_TEXT_MAX];
	struct position usual;
	unsigned type = pdn_game_type(rs);
	assert(rs->family == FAMILY_DRAUGHTS);
	*w = (struct pdn_writer){
		.out = out, .ruleset = *rs, .position = *start, .result = result
	};
	w->ply = start->side != first_side(w);
	snprintf(number, sizeof(number), "%u", type);
	if (type)
		pdn_write_tag(w, "GameType", number);
	pdn_write_tag(w, "Result", pdn_result_text(result, first_side(w)));
	game_start(rs, &usual);
	if (!memcmp(start, &usual, sizeof(usual)))
		return;
	game_write(rs, start, fen);
	pdn_write_tag(w, "SetUp", "1");
	pdn_write_tag(w, "FEN", fen);
}

/* A word, behind a blank, or behind the end of a line where it does not fit.
 * Before the first one an empty line parts the moves from the tags. */
static void put_word(struct pdn_writer *w, const char *word, size_t len)
{
	bool fits = w->column > 0 && w->column + 1 + len <= PDN_COLUMNS;
	buf_put_byte(w->out, fits ? ' ' : '\n');
	buf_put(w->out, word, len);
	w->column = (unsigned)len + (fits ? w->column + 1 : 0);
}

static void put_words(struct pdn_writer *w, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, " ");
		put_word(w, words, len);
		words += len + (words[len] == ' ');
	}
}

void pdn_write_move(struct pdn_writer *w, const struct move *move)
{
	char text[MOVE_TEXT_MAX], number[16];
	struct position before = w->position;
	bool first = w->ply % 2 == 0;
	if (first || w->column == 0) {
		int len = snprintf(number, sizeof(number), "%u.%s",
				   w->ply / 2 + 1, first ? "" : "..");
		put_word(w, number, (size_t)len);
	}
	put_word(w, text, game_move_text(&w->ruleset, &before, move, text));
	game_apply(&w->ruleset, &before, move, &w->position);
	w->ply++;
}

static const char *result_comment(const struct pdn_writer *w)
{
	bool white_first = first_side(w) == WHITE;
	switch (w->result) {
	case RESULT_WHITE:
		return white_first ? "{White, who moves first, won}"
				   : "{White, who moves second, won}";
	case RESULT_BLACK:
		return white_first ? "{Black, who moves second, won}"
				   : "{Black, who moves first, won}";
	default: return "";
	}
}

int pdn_write_end(struct pdn_writer *w)
{
	put_words(w, result_comment(w));
	put_words(w, pdn_result_text(w->result, first_side(w)));
	return buf_put_str(w->out, "\n\n");
}
