/* SPDX-License-Identifier: MIT
 * notation.h - games as other programs write them down, read as a stream: feed
 * bytes, be told of each whole game and of each fault. Not plyd's own
 * journal: see src/record.
 *
 * Every move is judged by the rules while it is read, so that a game which is
 * delivered has been played by them from its start to its result. All or
 * nothing: a game with a fault is not delivered, and reading goes on with the
 * next one. No recursion, and no memory beyond what game_reader_new() takes: a
 * file may have any length, one game only so many of each thing as the limits
 * below say. A reader belongs to one thread at a time. */
#ifndef PLYD_RULES_NOTATION_H
#define PLYD_RULES_NOTATION_H

#include <plyd/rules.h>
#include "base/span.h"

/* Limits of one game. */
enum {
	GAME_TAGS_MAX = 64,
	GAME_ENTRIES_MAX = 4096,    /* half-moves and what stands for them */
	GAME_NOTES_MAX = 4096,      /* comments */
	GAME_TEXT_MAX = 256 * 1024, /* bytes of tags and comments together */
	GAME_WORD_MAX = 128,        /* bytes of a move as it is written */
	GAME_GLYPHS_MAX = 3         /* glyphs kept of each half-move */
};

/* A place in the whole stream. */
struct text_place {
	uint64_t offset; /* in bytes, from 0 */
	uint32_t line;   /* from 1; LF, CR LF and CR alone end a line */
	uint32_t column; /* in characters of UTF-8, from 1 */
};

/* ---- a game ------------------------------------------------------------ */

struct game_tag {
	const char *name; /* ends with NUL, as do all texts of a game */
	const char *value;
	struct text_place place; /* of the value's first byte */
};

struct game_note {
	size_t entry; /* how many entries stand before it */
	const char *text;
	size_t len; /* it may hold any byte, a NUL too */
};

enum game_entry_kind {
	ENTRY_MOVE,
	ENTRY_PASS,   /* backgammon: no legal move with these dice */
	ENTRY_DOUBLE, /* the doubling cube: offered, taken, refused */
	ENTRY_TAKE,
	ENTRY_DROP,
	ENTRY_RESIGN
};

struct game_entry {
	uint8_t kind;                    /* enum game_entry_kind */
	uint8_t side;                    /* enum side, whose doing it is */
	uint8_t dice[2];                 /* larger first; 0, 0 without dice */
	uint8_t glyphs[GAME_GLYPHS_MAX]; /* PGN's numbers, 1 is "!"; 0 none */
	struct move move;                /* ENTRY_MOVE only; canonical */
	struct text_place place;
};

enum game_result {
	RESULT_WHITE,
	RESULT_BLACK,
	RESULT_DRAW,
	RESULT_NONE,   /* unfinished or unknown */
	RESULT_FORFEIT /* both lost */
};

struct game_record {
	uint64_t number; /* in the stream, from 1, faulty ones counted */
	struct text_place place; /* where it begins */
	struct ruleset ruleset;
	struct position start;
	struct position end; /* after the last entry */
	size_t tag_count;
	size_t entry_count;
	size_t note_count;
	size_t variations; /* that were skipped */
	size_t marks;      /* runs of signs without meaning, skipped */
	enum game_result result;
	uint16_t points;       /* of the winner, times the cube */
	uint16_t match_length; /* backgammon; 0: no match, or not told */
	uint16_t score[2];     /* by side, before this game */
	struct game_tag tag[GAME_TAGS_MAX];
	struct game_note note[GAME_NOTES_MAX];
	struct game_entry entry[GAME_ENTRIES_MAX];
};

/* The value of a tag, or NULL. */
const char *game_tag_find(const struct game_record *game, const char *name);

/* ---- faults ------------------------------------------------------------ */

/* Why a game is refused. err is
 * PLYD_EILLEGAL    the rules do not allow the move `word`; refusal says why
 * PLYD_ETOOCOMPLEX the move could not be judged
 * PLYD_ERULESET    the game's ruleset is not known, or not the one asked for
 * PLYD_EPOSITION   its start cannot be read
 * PLYD_ETOOLARGE   one of the limits above
 * PLYD_ERECORD     all else: not in the format, or the result is wrong. */
struct game_fault {
	int err;
	uint64_t game;           /* number in the stream, from 1 */
	struct text_place place; /* of the first byte that is wrong */
	unsigned ply; /* from 1: the half-move; 0: none in particular */
	char word[GAME_WORD_MAX +
		  1];           /* what was read, or ""; any bytes but NUL */
	const char *text;       /* a sentence, static storage */
	struct refusal refusal; /* PLYD_EILLEGAL only */
	const struct ruleset *ruleset;   /* lent; of use if ply > 0, */
	const struct position *position; /* as is the position before it */
};

/* ---- reading ----------------------------------------------------------- */

/* Told what was read, in the order of the stream. What the pointers lead to is
 * lent until the function returns. */
struct game_sink {
	void (*game)(void *payload, const struct game_record *game);
	void (*fault)(void *payload, const struct game_fault *fault);
	void *payload;
};

enum game_format { FORMAT_PDN, FORMAT_MAT, FORMAT_SGF, FORMATS };

/* Its short name, such as `pdn`. */
const char *game_format_name(enum game_format format);

/* The format of a file, from the end of its name, or else from the bytes it
 * begins with (a few hundred suffice). PLYD_ERECORD: none that is read here. */
int game_format_guess(const char *name, struct span head,
		      enum game_format *out);

struct game_reader;

/* Gives a reader, to be released with game_reader_free(). asked is the ruleset
 * that every game must have, and is copied; NULL: what the game itself says.
 * PLYD_ENOMEM: *out is NULL. */
int game_reader_new(enum game_format format, const struct ruleset *asked,
		    const struct game_sink *sink, struct game_reader **out);
void game_reader_free(struct game_reader *r);

/* Reads on; any split of the stream is alike, also byte by byte. A byte order
 * mark at its very beginning is left out. */
void game_reader_feed(struct game_reader *r, struct span bytes);
/* The stream has ended: says so of a game that is not complete. The reader may
 * only be freed after it. */
void game_reader_end(struct game_reader *r);

#endif
