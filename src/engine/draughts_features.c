/* SPDX-License-Identifier: MIT
 * Patterns as numbers in base 3. Eight squares are brought together in a byte
 * by shifts of the whole board; what is one byte for one block is the next byte
 * for the next. Everything is seen from the side to move: for Black the board
 * is turned, by reading the blocks the other way round. */
#include "engine/draughts_learned_priv.h"

/* ---- bytes in base 3 --------------------------------------------------- */

#define BIT(b, i) ((b) >> (i)&1)
#define UP(b)                                                                  \
	(BIT(b, 0) + 3 * BIT(b, 1) + 9 * BIT(b, 2) + 27 * BIT(b, 3) +          \
	 81 * BIT(b, 4) + 243 * BIT(b, 5) + 729 * BIT(b, 6) +                  \
	 2187 * BIT(b, 7))
#define DOWN(b)                                                                \
	(BIT(b, 7) + 3 * BIT(b, 6) + 9 * BIT(b, 5) + 27 * BIT(b, 4) +          \
	 81 * BIT(b, 3) + 243 * BIT(b, 2) + 729 * BIT(b, 1) +                  \
	 2187 * BIT(b, 0))
/* nibbles keep their places, their bits are turned: left and right */
#define SIDEWAYS(b)                                                            \
	(BIT(b, 3) + 3 * BIT(b, 2) + 9 * BIT(b, 1) + 27 * BIT(b, 0) +          \
	 81 * BIT(b, 7) + 243 * BIT(b, 6) + 729 * BIT(b, 5) +                  \
	 2187 * BIT(b, 4))
/* likewise pairs of bits */
#define PAIRS(b)                                                               \
	(BIT(b, 1) + 3 * BIT(b, 0) + 9 * BIT(b, 3) + 27 * BIT(b, 2) +          \
	 81 * BIT(b, 5) + 243 * BIT(b, 4) + 729 * BIT(b, 7) +                  \
	 2187 * BIT(b, 6))
#define FOUR(M, b) M(b), M((b) + 1), M((b) + 2), M((b) + 3)
#define SIXTEEN(M, b)                                                          \
	FOUR(M, b), FOUR(M, (b) + 4), FOUR(M, (b) + 8), FOUR(M, (b) + 12)
#define BYTES(M)                                                               \
	{                                                                      \
		SIXTEEN(M, 0), SIXTEEN(M, 16), SIXTEEN(M, 32), SIXTEEN(M, 48), \
			SIXTEEN(M, 64), SIXTEEN(M, 80), SIXTEEN(M, 96),        \
			SIXTEEN(M, 112), SIXTEEN(M, 128), SIXTEEN(M, 144),     \
			SIXTEEN(M, 160), SIXTEEN(M, 176), SIXTEEN(M, 192),     \
			SIXTEEN(M, 208), SIXTEEN(M, 224), SIXTEEN(M, 240)      \
	}

typedef uint16_t ternary[256];
static const ternary up = BYTES(UP);
static const ternary down = BYTES(DOWN);
static const ternary sideways = BYTES(SIDEWAYS);
static const ternary pairs = BYTES(PAIRS);

/* Where features go: a list, or a sum of what they are worth. Which of the two
 * is known when this is compiled, and nothing is left of the question. */
struct sink {
	struct features *list;
	const struct learned *learned;
	int early;
	int late;
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void add(struct sink *s, uint32_t at)
{
	if (s->list) {
		s->list->at[s->list->count++] = at;
		return;
	}
	s->early += s->learned->pattern[at][0];
	s->late += s->learned->pattern[at][1];
}

/* Adds the feature of pattern `p` with these squares of either side. */
ALWAYS_INLINE void add_pattern(struct sink *s, uint32_t p, const uint16_t *t,
			       uint64_t own, uint64_t foe, int shift)
{
	add(s, p * PATTERN_STATES + t[own >> shift & 0xff] +
		       2u * t[foe >> shift & 0xff]);
}

/* ---- material ---------------------------------------------------------- */

struct material {
	int stage;
	int state;
};

static inline unsigned at_most(unsigned n, unsigned most)
{
	return n < most ? n : most;
}

ALWAYS_INLINE struct material count_pieces(const struct view *view,
					   unsigned full)
{
	unsigned own = squares_count(view->own & ~view->kings);
	unsigned foe = squares_count(view->foe & ~view->kings);
	unsigned own_kings = 0, foe_kings = 0;
	if (view->kings) {
		own_kings = squares_count(view->own & view->kings);
		foe_kings = squares_count(view->foe & view->kings);
	}
	unsigned pieces = own + foe + own_kings + foe_kings;
	unsigned state = at_most(own, MEN_STATES - 1) * MEN_STATES +
			 at_most(foe, MEN_STATES - 1);
	state = state * KING_STATES + at_most(own_kings, KING_STATES - 1);
	state = state * KING_STATES + at_most(foe_kings, KING_STATES - 1);
	pieces = at_most(pieces, full);
	return (struct material){
		.stage = pieces > STAGE_LATE ? (int)pieces - STAGE_LATE : 0,
		.state = (int)state,
	};
}

/* ---- English ----------------------------------------------------------- */

/* Dark squares of two rows lie in different files: laid over one another they
 * fill a byte. */
static inline uint64_t fold(uint64_t set)
{
	return set | set >> 8;
}

/* Byte r: four files of rows r to r + 3 of a folded set. */
static inline uint64_t blocks(uint64_t folded, int file)
{
	uint64_t x = folded >> file & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return x | x >> 12;
}

/* The nine blocks, as patterns from `first` on. */
ALWAYS_INLINE void add_blocks(struct sink *s, uint32_t first, bool turned,
			      uint64_t own, uint64_t foe)
{
	const uint16_t *t = turned ? down : up;
	uint32_t p = first;
#pragma GCC unroll 3
	for (int file = 0; file <= 4; file += 2) {
		uint64_t x = blocks(own, file), y = blocks(foe, file);
#pragma GCC unroll 3
		for (int shift = 0; shift <= 32; shift += 16) {
			add_pattern(s, turned ? 2 * first + 8 - p : p, t, x, y,
				    shift);
			p++;
		}
	}
}

ALWAYS_INLINE void walk_english(const struct view *view, bool turned,
				struct sink *s)
{
	const uint16_t *t = turned ? down : up;
	uint64_t own = fold(view->own & ~view->kings);
	uint64_t foe = fold(view->foe & ~view->kings);

	add_blocks(s, 0, turned, own, foe);
#pragma GCC unroll 4
	for (uint32_t i = 0; i < 4; i++)
		add_pattern(s, 9 + (turned ? 3 - i : i), t, own, foe,
			    (int)(16 * i));
	if (view->kings)
		add_blocks(s, 13, turned, fold(view->own & view->kings),
			   fold(view->foe & view->kings));
}

/* ---- Turkish ----------------------------------------------------------- */

enum { WIDE = 0, MIDDLE = 7, TALL = 14, KINGS = 20 };

/* Byte r: four files of rows r and r + 1. */
static inline uint64_t wide(uint64_t set, int file)
{
	uint64_t x = set >> file & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return x | x >> 4;
}

/* Byte r: two files of rows r to r + 3. */
static inline uint64_t tall(uint64_t set, int file)
{
	uint64_t x = set >> file & UINT64_C(0x0303030303030303);
	return x | x >> 6 | x >> 12 | x >> 18;
}

/* A block in the middle: which of it and its mirror image comes first. */
ALWAYS_INLINE uint32_t middle_state(uint64_t own, uint64_t foe)
{
	uint32_t a = up[own] + 2u * up[foe];
	uint32_t b = sideways[own] + 2u * sideways[foe];
	return a < b ? a : b;
}

ALWAYS_INLINE void add_middle(struct sink *s, uint64_t own, uint64_t foe)
{
	uint64_t x = wide(own, 2), y = wide(foe, 2);
#pragma GCC unroll 7
	for (uint32_t row = 0; row < 7; row++)
		add(s, (MIDDLE + row) * PATTERN_STATES +
			       middle_state(x >> 8 * row & 0xff,
					    y >> 8 * row & 0xff));
}

ALWAYS_INLINE void add_wide(struct sink *s, uint64_t own, uint64_t foe)
{
#pragma GCC unroll 2
	for (int file = 0; file <= 4; file += 4) {
		const uint16_t *t = file == 4 ? sideways : up;
		uint64_t x = wide(own, file), y = wide(foe, file);
#pragma GCC unroll 7
		for (uint32_t row = 0; row < 7; row++)
			add_pattern(s, WIDE + row, t, x, y, (int)(8 * row));
	}
}

ALWAYS_INLINE void add_tall(struct sink *s, uint64_t own, uint64_t foe)
{
#pragma GCC unroll 4
	for (int file = 0; file <= 6; file += 2) {
		const uint16_t *t = file >= 4 ? pairs : up;
		uint64_t x = tall(own, file), y = tall(foe, file);
		uint32_t p = TALL + (file == 2 || file == 4 ? 3 : 0);
#pragma GCC unroll 3
		for (uint32_t i = 0; i < 3; i++)
			add_pattern(s, p + i, t, x, y, (int)(16 * i));
	}
}

/* The first KINGS_MAX of a side; more are rare, and won. */
ALWAYS_INLINE void add_kings(struct sink *s, uint64_t kings, uint32_t first)
{
	for (int i = 0; kings && i < KINGS_MAX; kings &= kings - 1, i++) {
		uint32_t at = squares_first(kings);
		uint32_t file = at % 8 < 4 ? at % 8 : 7 - at % 8;
		add(s, KINGS * PATTERN_STATES + first + at / 8 * 4 + file);
	}
}

ALWAYS_INLINE void walk_turkish(const struct view *view, struct sink *s)
{
	uint64_t own = view->own, foe = view->foe, kings = view->kings;
	if (view->side == BLACK) {
		own = __builtin_bswap64(own);
		foe = __builtin_bswap64(foe);
		kings = __builtin_bswap64(kings);
	}
	add_wide(s, own & ~kings, foe & ~kings);
	add_middle(s, own & ~kings, foe & ~kings);
	add_tall(s, own & ~kings, foe & ~kings);
	add_kings(s, own & kings, 0);
	add_kings(s, foe & kings, 32);
}

/* ---- lists and sums ---------------------------------------------------- */

static struct features *features_begin(const struct view *view, unsigned full,
				       struct features *out)
{
	struct material m = count_pieces(view, full);
	out->stage = m.stage;
	out->material = m.state;
	out->count = 0;
	return out;
}

void features_english(const struct view *view, struct features *out)
{
	struct sink s = { .list = features_begin(view, FULL_ENGLISH, out) };
	walk_english(view, view->side == BLACK, &s);
}

void features_turkish(const struct view *view, struct features *out)
{
	struct sink s = { .list = features_begin(view, FULL_TURKISH, out) };
	walk_turkish(view, &s);
}

ALWAYS_INLINE struct sink sum_begin(const struct learned *l,
				    const struct material *m)
{
	return (struct sink){ .learned = l,
			      .early = l->material[m->state][0],
			      .late = l->material[m->state][1] };
}

ALWAYS_INLINE int sum_end(const struct sink *s, const struct material *m,
			  int full)
{
	int span = full - STAGE_LATE;
	return (s->early * m->stage + s->late * (span - m->stage)) / span;
}

int score_english(const struct learned *l, const struct view *view)
{
	struct material m = count_pieces(view, FULL_ENGLISH);
	struct sink s = sum_begin(l, &m);
	if (view->side == BLACK)
		walk_english(view, true, &s);
	else
		walk_english(view, false, &s);
	return sum_end(&s, &m, FULL_ENGLISH);
}

int score_turkish(const struct learned *l, const struct view *view)
{
	struct material m = count_pieces(view, FULL_TURKISH);
	struct sink s = sum_begin(l, &m);
	walk_turkish(view, &s);
	return sum_end(&s, &m, FULL_TURKISH);
}
