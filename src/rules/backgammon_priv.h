/* SPDX-License-Identifier: MIT
 * backgammon_priv.h - the parts of the backgammon family: the board as the
 * mover sees it, all turns of a roll, and texts. Points are the mover's: 1 to
 * 24, 25 the bar, 0 off; bit p of a mask is point p. */
#ifndef PLYD_RULES_BACKGAMMON_PRIV_H
#define PLYD_RULES_BACKGAMMON_PRIV_H

#include <plyd/rules.h>
#include "rules/family_priv.h"

enum {
	OFF = 0,
	HOME = 6, /* points 1 to 6 */
	POINTS = 24,
	BAR = 25,
	CHECKERS_MAX = 15, /* of a side */
	HOPS_MAX = 4
};

/* ---- backgammon_board.c ------------------------------------------------ */

/* Two words name a result exactly: four bits for each point of the mover (0 to
 * 15 in the first word, 16 to 25 in the low 40 bits of the second), and in the
 * high 24 bits of the second the points on which the turn has hit. */
struct board {
	uint64_t word[2];
	uint32_t occupied; /* by the mover */
	uint32_t open;     /* points 1 to 24 that the opponent does not hold */
	uint32_t blots;    /* points with one opposing checker */
	uint32_t marked;   /* home points with a checker that hit this turn */
	bool no_hiding;    /* marked checkers may not join others ... */
	bool hitter_stays; /* ... nor be borne off */
};

/* The board before the turn, without bans. */
void board_of(const struct position *pos, struct board *out);

static inline unsigned board_count(const struct board *b, int point)
{
	return b->word[point >> 4] >> (4 * (point & 15)) & 15;
}

static inline int hop_end(int from, int die)
{
	return from > die ? from - die : OFF;
}

static inline int highest_point(uint32_t points)
{
	return 31 - __builtin_clz(points);
}

/* What a hop does to the two words of a result; returns whether it hits. */
static inline bool word_hop(uint64_t word[2], uint32_t blots, int from, int to)
{
	enum { HIT_SHIFT = 39 }; /* bit of the second word for point 0 */
	word[from >> 4] -= (uint64_t)1 << (4 * (from & 15));
	word[to >> 4] += (uint64_t)1 << (4 * (to & 15));
	bool hit = to != OFF && (blots >> to & 1);
	word[1] |= (uint64_t)hit << (HIT_SHIFT + to);
	return hit;
}

/* Moves one checker; returns whether it hits. */
bool board_hop(struct board *b, int from, int to);

/* Parts of board_movable() that few boards need. */
uint32_t board_bearing_off(const struct board *b, int die);
uint32_t board_hiding(const struct board *b, int die);

/* The points from which one checker may move by this die now. */
static inline uint32_t board_movable(const struct board *b, int die)
{
	if (b->occupied >> BAR)
		return b->open >> (BAR - die) & 1 ? 1u << BAR : 0;
	uint32_t can = b->occupied & b->open << die;
	if (!(b->occupied >> (HOME + 1)))
		can |= board_bearing_off(b, die);
	return b->marked ? can & ~board_hiding(b, die) : can;
}

/* ---- backgammon_turns.c ------------------------------------------------ */

/* Each result is told by how often each of 15 checkers moves; four hops among
 * 15 checkers can be dealt in C(18, 4) ways. */
enum { TURNS_MAX = 3060 };

struct turn {
	uint64_t word[2]; /* the result, as in struct board */
	uint8_t hop[HOPS_MAX][2];
	uint8_t hops;
	uint8_t hits; /* bit i: hop i hits */
	uint8_t die;  /* of the first hop: 0 the larger, 1 the smaller */
};

struct turns {
	size_t count;
	unsigned hops;     /* dice that every legal turn plays; 0: it passes */
	bool no_hiding;    /* the bans that hold for this roll */
	bool hitter_stays; /* (struct board) */
	struct turn turn[TURNS_MAX];
};

/* Finds one legal turn for each distinct result. It is the turn whose hops, in
 * an order in which they can be played, come from the highest points first,
 * and at one point play the larger die first. pos has dice. */
void turns_find(const struct ruleset *rs, const struct position *pos,
		struct turns *out);

/* The same from a board_of(), for many rolls of one position. */
void turns_of_board(const struct ruleset *rs, const struct board *before,
		    const uint8_t dice[2], struct turns *out);

static inline unsigned dice_count(const uint8_t dice[2])
{
	return dice[0] == dice[1] ? HOPS_MAX : 2;
}

/* ---- backgammon_stakes.c ----------------------------------------------- */

void backgammon_start(const struct ruleset *rs, struct position *out);

/* How many checkers a side has. */
unsigned checkers_of(const struct ruleset *rs);

/* Whether the side to move has borne off all, or its opponent has. */
bool backgammon_over(const struct ruleset *rs, const struct position *pos);

/* The fields of an XGID after its board. */
enum xgid_field {
	XGID_CUBE,       /* power of two */
	XGID_CUBE_OWNER, /* 1 White, -1 Black, 0 nobody */
	XGID_TURN,
	XGID_DICE,
	XGID_SCORE_WHITE,
	XGID_SCORE_BLACK,
	XGID_FLAG, /* 1: Crawford game; without a match 1: Jacoby's rule */
	XGID_MATCH_LENGTH,
	XGID_CUBE_MAX,
	XGID_FIELDS
};

/* Sets the stakes from an XGID's fields, as far as the ruleset has them; NULL,
 * or what is wrong, and with which field. */
const char *stakes_read(const struct ruleset *rs, const int field[XGID_FIELDS],
			struct stakes *out, enum xgid_field *bad);
/* Sets the fields that stakes have, but for turn and dice. */
void stakes_write(const struct ruleset *rs, const struct stakes *stakes,
		  int field[XGID_FIELDS]);

/* 1, 2 or 3: what a loss here counts, before the cube. */
unsigned stakes_level(const struct ruleset *rs, const struct position *pos,
		      enum side loser);

/* ---- backgammon_text.c, backgammon_gnuid.c ----------------------------- */

int backgammon_read(const struct ruleset *rs, const char *text, size_t len,
		    struct position *out, struct text_error *where);
size_t backgammon_write(const struct ruleset *rs, const struct position *pos,
			char *out);
/* `4HPwATDgc/ABMA`, or with a match id `4HPwATDgc/ABMA:cIkKAAAAAAAA`. */
int gnuid_read(const struct ruleset *rs, const char *text, size_t len,
	       struct position *out, struct text_error *where);
/* Sets what is borne off; says what is impossible, NULL if nothing. */
const char *position_complete(const struct ruleset *rs, struct position *pos);

/* ---- backgammon_move.c ------------------------------------------------- */

void move_of_turn(const struct turn *turn, struct move *out);
/* `bar`, `off` or the number; static storage. */
const char *point_text(int point);
size_t backgammon_move_text(const struct ruleset *rs,
			    const struct position *pos, const struct move *move,
			    char *out);
/* Orders turns as strcmp() orders their texts. */
uint64_t turn_order(const struct turn *turn);
void backgammon_apply(const struct ruleset *rs, const struct position *pos,
		      const struct move *move, struct position *out);
int backgammon_replay_move(const struct ruleset *rs, const struct position *pos,
			   const char *text, size_t len, bool crowned,
			   struct position *out);

/* ---- backgammon_words.c ------------------------------------------------ */

/* A turn has four dice at most, and each word and each leg of a word needs one:
 * what comes after the fifth can no longer be judged. */
enum { WORDS_MAX = HOPS_MAX + 1, WORD_POINTS_MAX = HOPS_MAX + 2 };
enum { MOVE_INPUT_MAX = 128 }; /* bytes of a move text that are looked at */

/* `24/18/13*`: one checker's way. */
struct word {
	uint8_t at[WORD_POINTS_MAX];
	uint8_t points;
	uint8_t stars;
};

/* Reads a move text into words; returns how many, or 0 and the bad word. */
size_t words_read(const char *text, size_t len, struct word out[WORDS_MAX],
		  struct text_error *where);

/* ---- backgammon_check.c ------------------------------------------------ */

int backgammon_check(const struct ruleset *rs, const struct position *pos,
		     const char *text, size_t len, struct move *out,
		     struct refusal *why);

#endif
