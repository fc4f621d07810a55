/* SPDX-License-Identifier: MIT
 * draughts_priv.h - the inside of the draughts family. A variant is a record of
 * answers worked out from a ruleset's options; everything below reads answers
 * and none of it knows a game by name. Nothing here allocates or keeps state.
 *
 * A set of squares is 64 bits, a1 = bit 0, h8 = bit 63, a1 at White's left. */
#ifndef PLYD_RULES_DRAUGHTS_PRIV_H
#define PLYD_RULES_DRAUGHTS_PRIV_H

#include <plyd/rules.h>
#include "rules/options_priv.h"
#include "rules/view.h"

/* For what a count of positions does most: a visitor or a set of directions
 * that the caller names is known to the compiler inside. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* ---- squares and directions -------------------------------------------- */

/* Clockwise from straight ahead of White; d ^ 4 is the way back. */
enum direction {
	NORTH,
	NORTH_EAST,
	EAST,
	SOUTH_EAST,
	SOUTH,
	SOUTH_WEST,
	WEST,
	NORTH_WEST,
	DIRECTIONS
};

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H UINT64_C(0x8080808080808080)
#define RANK_1 UINT64_C(0x00000000000000ff)
#define RANK_8 UINT64_C(0xff00000000000000)

/* For each direction: the squares that have a neighbour there, and how far left
 * the set is rotated to step all of them to it. */
static const uint64_t direction_keep[DIRECTIONS] = {
	[NORTH] = ~RANK_8,
	[SOUTH] = ~RANK_1,
	[EAST] = ~FILE_H,
	[WEST] = ~FILE_A,
	[NORTH_EAST] = ~(RANK_8 | FILE_H),
	[NORTH_WEST] = ~(RANK_8 | FILE_A),
	[SOUTH_EAST] = ~(RANK_1 | FILE_H),
	[SOUTH_WEST] = ~(RANK_1 | FILE_A),
};

static const uint8_t direction_turn[DIRECTIONS] = {
	[NORTH] = 8,           [SOUTH] = 64 - 8,      [EAST] = 1,
	[WEST] = 64 - 1,       [NORTH_EAST] = 9,      [NORTH_WEST] = 7,
	[SOUTH_EAST] = 64 - 7, [SOUTH_WEST] = 64 - 9,
};

/* Steps every square of the set once in direction d; off the board is gone. */
static inline uint64_t squares_step(uint64_t set, unsigned d)
{
	set &= direction_keep[d];
	unsigned turn = direction_turn[d];
	return set << turn | set >> (64 - turn);
}

static inline uint64_t square_bit(unsigned square)
{
	return UINT64_C(1) << square;
}

/* The direction from one square to another and the squares between them, all
 * other squares of the line left out; NOWHERE if they share no line. */
unsigned line_between(unsigned from, unsigned to, uint64_t *between);

/* The directions of men on dark squares. What men do is compiled once for each
 * of these sets and once for any other: unrolled, with directions that the
 * compiler knows, nothing is left of a loop but its shifts. */
enum {
	MEN_UP = 1 << NORTH_EAST | 1 << NORTH_WEST,
	MEN_DOWN = 1 << SOUTH_EAST | 1 << SOUTH_WEST
};

/* ---- views and moves --------------------------------------------------- */

static inline bool view_eq(const struct view *a, const struct view *b)
{
	return a->own == b->own && a->foe == b->foe && a->kings == b->kings;
}

/* Called for each move of a walk; false ends the walk. */
typedef bool move_fn(void *payload, const struct move *move);

/* ---- captures ---------------------------------------------------------- */

enum { NOWHERE = DIRECTIONS }; /* the direction before the first jump */

/* A capture under way. The square that the piece left counts as empty. */
struct capture {
	uint64_t at;        /* where the piece stands */
	uint64_t friends;   /* the other pieces of its side */
	uint64_t foes;      /* that may still be jumped */
	uint64_t foe_kings; /* which of them were kings at the beginning */
	uint64_t taken;     /* that have been jumped */
	enum side side;
	uint8_t came; /* direction of the last jump, or NOWHERE */
	bool king;    /* it moves as a king now */
	bool crowned; /* in this capture, by reaching the last row */
	bool ended;   /* by that crowning, where crowning ends a turn */
};

struct jump {
	uint64_t over;
	uint64_t to;
	uint8_t direction;
};

/* Jumps from one square: 4 directions, at most 6 landings in each. */
enum { JUMPS_MAX = 24 };

static inline struct capture capture_begin(const struct view *view,
					   uint64_t from)
{
	return (struct capture){
		.at = from,
		.friends = view->own & ~from,
		.foes = view->foe,
		.foe_kings = view->foe & view->kings,
		.side = view->side,
		.came = NOWHERE,
		.king = view->kings & from,
	};
}

/* The jumps that may follow; none: the capture is complete. */
unsigned capture_jumps(const struct variant *v, const struct capture *c,
		       struct jump out[JUMPS_MAX]);
/* The capture after one of them. */
static inline struct capture capture_after(const struct variant *v,
					   const struct capture *c,
					   const struct jump *j)
{
	struct capture next = *c;
	next.at = j->to;
	next.foes &= ~j->over;
	next.taken |= j->over;
	next.came = j->direction;
	if (!c->king && v->promotion != PROMOTION_AT_END &&
	    (j->to & v->last_row[c->side])) {
		next.king = true;
		next.crowned = true;
		next.ended = v->promotion == PROMOTION_STOPS;
	}
	return next;
}

/* Whether its piece is crowned if the capture ends here. */
bool capture_crowns(const struct variant *v, const struct capture *c);

/* What majority rules compare; a man that is crowned on its way counts as the
 * man that began. */
static inline unsigned capture_worth(const struct variant *v,
				     const struct capture *c)
{
	bool began_as_king = c->king && !c->crowned;
	return v->per_piece * squares_count(c->taken) +
	       (began_as_king ? v->per_king : 0u);
}

/* What stands in the way of the capturing piece, but for what it may jump. */
static inline uint64_t capture_obstacles(const struct variant *v,
					 const struct capture *c)
{
	return v->taken_stay ? c->friends | c->taken : c->friends;
}

/* ---- walks over all captures ------------------------------------------- */

/* Jumps that one request may try before it is given up as too complex, about
 * 0.1 s. Positions of play need some thousand; the richest that a search for
 * them found, with 100,000 paths of Turkish kings, needs 3.6 million. */
enum { DRAUGHTS_JUMPS_MAX = 4000000 };

/* The greatest worth of captures and how many paths have it. */
struct tally {
	unsigned worth;
	uint64_t paths;
};

/* Over the captures that go on from c; of a complete one it is c's own. Takes
 * the jumps that it tries from *budget. PLYD_ETOOCOMPLEX: that ran out. */
int capture_tally(const struct variant *v, const struct capture *c,
		  uint64_t *budget, struct tally *out);
/* Over all captures of a position; capturers as view_capturers() gives them. */
int view_tally(const struct variant *v, const struct view *view,
	       uint64_t capturers, uint64_t *budget, struct tally *out);
/* The worth that a capture must have to be legal: 0 without a majority rule,
 * else as above. */
int view_worth_due(const struct variant *v, const struct view *view,
		   uint64_t capturers, uint64_t *budget, unsigned *out);

/* A walk over complete captures. The caller sets all but path. */
struct walk {
	const struct variant *v;
	unsigned worth;   /* least worth of the captures to visit */
	uint64_t only;    /* pieces that a capture to visit may take */
	uint64_t *budget; /* jumps that may still be tried */
	move_fn *visit;
	void *payload;
	struct move path;
};

/* Visits the captures of `capturers`, pieces that can capture.
 * PLYD_ETOOCOMPLEX: the budget ran out before all were visited. */
int walk_all(struct walk *w, const struct view *view, uint64_t capturers);
/* Visits those that go on from c; w->path holds how it came there. */
int walk_on(struct walk *w, const struct capture *c);

/* A move_fn whose payload is a struct sorted_list: counts the moves and
 * keeps the first MOVE_LIST_MAX in the order of their texts. */
struct sorted_list {
	bool numeric;
	struct move_list *list;
};
bool sorted_list_add(void *payload, const struct move *move);

/* ---- text -------------------------------------------------------------- */

enum { SQUARE_TEXT_MAX = 3 }; /* with the final NUL */

/* How many squares have names, and the i-th of them in ascending order. */
static inline unsigned squares_named(bool numeric)
{
	return numeric ? 32 : 64;
}
unsigned square_at(bool numeric, unsigned i);

/* Writes the square's name; returns its length. */
size_t square_write(bool numeric, unsigned square, char out[SQUARE_TEXT_MAX]);

/* A move as it was written: two squares or more with signs between them. */
struct move_words {
	unsigned count; /* squares, 2 to MOVE_LEGS_MAX + 1 */
	bool dash;      /* the sign was a dash (two squares only) */
	struct {
		int square;   /* 0 to 63; -1: there is no such square */
		char text[8]; /* canonical; what was written if there is none */
	} at[MOVE_LEGS_MAX + 1];
};

/* False: this is no move text at all. */
bool move_words_read(const struct variant *v, const char *text, size_t len,
		     struct move_words *out);

/* Writes a move; returns its length. */
size_t move_write(bool numeric, const struct move *move,
		  char out[MOVE_TEXT_MAX]);

size_t draughts_move_text(const struct ruleset *rs, const struct position *pos,
			  const struct move *move, char *out);
int draughts_read(const struct ruleset *rs, const char *text, size_t len,
		  struct position *out, struct text_error *where);
size_t draughts_write(const struct ruleset *rs, const struct position *pos,
		      char *out);

/* ---- the other members of draughts_ops --------------------------------- */

int draughts_moves(const struct ruleset *rs, const struct position *pos,
		   struct move_list *out);
int draughts_check(const struct ruleset *rs, const struct position *pos,
		   const char *text, size_t len, struct move *out,
		   struct refusal *why);
int draughts_replay_move(const struct ruleset *rs, const struct position *pos,
			 const char *text, size_t len, bool crowned,
			 struct position *out);
uint64_t draughts_perft(const struct ruleset *rs, const struct position *pos,
			int depth, bool distinct);

#endif
