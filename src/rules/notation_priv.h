/* SPDX-License-Identifier: MIT
 * notation_priv.h - what the formats of notation.h share: the walk over the
 * bytes, the game being put together, the judging of its moves. A format only
 * cuts the text into what it says, in a step for each byte; it may keep what
 * it has not understood yet in its state.
 *
 * After the first fault of a game the format goes on cutting until the game
 * ends, since only so the next one is found; the functions here then do
 * nothing, and say false. */
#ifndef PLYD_RULES_NOTATION_PRIV_H
#define PLYD_RULES_NOTATION_PRIV_H

#include "rules/notation.h"

enum { TEXT_END = -1 };

struct format_ops {
	const char *name;
	const char *extension; /* with its dot */
	size_t state_bytes;    /* zeroed for a new reader */
	/* Whether a file that begins so is of this format. */
	bool (*begins)(struct span head);
	/* The next byte, line ends as '\n' whatever they were; at the end of
	 * the stream TEXT_END, once. r->here is its place. */
	void (*step)(struct game_reader *r, int c);
};

extern const struct format_ops pdn_format;
extern const struct format_ops mat_format;
extern const struct format_ops sgf_format;

struct game_reader {
	const struct format_ops *format;
	struct game_sink sink;
	struct text_place here;
	struct ruleset asked;
	bool is_asked;
	bool open;    /* a game has begun */
	bool settled; /* ruleset and start are known */
	bool faulty;  /* the open game is refused */
	bool after_cr;
	unsigned mark_seen; /* bytes of a byte order mark at the beginning */
	uint64_t games;     /* begun so far */
	size_t text_len;    /* bytes of text[] in use */
	struct position position; /* after the entries so far */
	struct game_record game;
	char text[GAME_TEXT_MAX];
	_Alignas(max_align_t) unsigned char state[];
};

/* A new game begins here; the one before must have been ended. */
void reader_begin(struct game_reader *r, struct text_place place);

/* Refuses the open game (begins one if there is none) unless that has been
 * done. word may be empty. Returns false. */
bool reader_fault(struct game_reader *r, int err, struct text_place place,
		  struct span word, const char *text);

/* Adds a tag; the texts are copied. */
bool reader_tag(struct game_reader *r, struct span name, struct span value,
		struct text_place place);

/* A comment behind the entries so far, in pieces. */
bool reader_note_begin(struct game_reader *r);
bool reader_note_add(struct game_reader *r, char c);

/* Sets the game's ruleset: of these names, which end with NULL, the one that
 * was asked for, or the first if none was. place is that of the text that says
 * so. */
bool reader_ruleset(struct game_reader *r, const char *const names[],
		    struct text_place place);
/* Sets where the game starts; the ruleset must be set. */
void reader_start(struct game_reader *r, const struct position *start);

/* Judges a move of the side to move and plays it. Backgammon: the dice must
 * have been put into r->position. */
bool reader_move(struct game_reader *r, struct span text,
		 struct text_place place);
/* Refuses the open game because the rules do not allow what `word` says, which
 * is no move, for this reason. Returns false. */
bool reader_refuse(struct game_reader *r, enum reason reason, struct span word,
		   struct text_place place);
/* Adds an entry that is no move; a pass also gives the turn to the other, a
 * take turns the cube. */
bool reader_entry(struct game_reader *r, enum game_entry_kind kind,
		  enum side side, struct text_place place);

/* The last entry, or NULL: there is none, or the game is refused. */
struct game_entry *reader_last(struct game_reader *r);

/* The game ends with this result: delivered, if it has no fault. */
void reader_finish(struct game_reader *r, enum game_result result,
		   uint16_t points, struct text_place place);
/* The game ends: told of as faulty before, or refused now with this text. */
void reader_abandon(struct game_reader *r, struct text_place place,
		    const char *text);

static inline void *reader_state(struct game_reader *r)
{
	return r->state;
}

#endif
