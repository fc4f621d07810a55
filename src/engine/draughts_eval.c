/* SPDX-License-Identifier: MIT
 * The static judgement of a draughts position, for every option set: material,
 * how far men have come, who holds the centre and the back row, how many steps
 * are free, and, for the side ahead, how few pieces are left and how close its
 * kings are to the others. In centi-men. Bit 0 is a1, White moves up. */
#include "engine/draughts_priv.h"

#define FILE_A    UINT64_C(0x0101010101010101)
#define FILE_H    UINT64_C(0x8080808080808080)
#define RANK_1    UINT64_C(0x00000000000000ff)
#define RANK_8    UINT64_C(0xff00000000000000)
#define CENTRE_16 UINT64_C(0x00003c3c3c3c0000)
#define CENTRE_4  UINT64_C(0x0000001818000000)

enum {
	MAN = 100,
	KING_SHORT = 135,
	KING_FLYING = 310,
	TRADE = 240, /* pieces ahead / pieces on the board */
	CHASE = 3    /* a square nearer */
};

/* What a place is worth depends on how men go: a man that steps sideways is at
 * home everywhere, and one that steps diagonally lives in the centre. */
struct place_worth {
	int advance; /* a row */
	int near_centre;
	int in_centre; /* and so much more */
	int back_row;
	int free_step;
};
static const struct place_worth diagonal_worth = { 3, 3, 3, 7, 2 };
static const struct place_worth straight_worth = { 5, 1, 0, 3, 1 };

static int bits(uint64_t b)
{
	return (int)squares_count(b);
}

/* How many squares more are in a than in b. */
static int more(uint64_t a, uint64_t b)
{
	return (int)squares_count2(a, ~b) - 64;
}

static uint64_t east(uint64_t b)
{
	return (b & ~FILE_H) << 1;
}

static uint64_t west(uint64_t b)
{
	return (b & ~FILE_A) >> 1;
}

/* Whether men step diagonally: White's do not step straight ahead. */
static bool is_diagonal(const struct variant *v)
{
	return !(v->man_step[WHITE] & 1);
}

/* One side's pieces. */
struct half {
	uint64_t men;
	uint64_t kings;
	enum side side;
};

/* The squares one step away that a side's pieces may step to. */
static inline int free_steps(const struct half *h, uint64_t empty,
			     bool diagonal)
{
	uint64_t front = h->side == WHITE ? h->men << 8 : h->men >> 8;
	uint64_t all = diagonal ? front : h->men | h->kings;
	unsigned count = squares_count2(east(all) & empty, west(all) & empty);
	if (!diagonal)
		count += squares_count(front & empty);
	if (!h->kings)
		return (int)count;
	uint64_t ahead = h->kings << 8, behind = h->kings >> 8;
	if (!diagonal)
		return (int)(count +
			     squares_count2(ahead & empty, behind & empty));
	return (int)(count +
		     squares_count2(east(ahead) & empty, west(ahead) & empty) +
		     squares_count2(east(behind) & empty,
				    west(behind) & empty));
}

/* Men, and the rows that they have come from their own side, summed. */
struct men_sum {
	int count;
	int rows;
};

static inline struct men_sum sum_men(const struct half *h)
{
	uint64_t by_rank = squares_by_rank(h->men);
	int count = (int)(by_rank * UINT64_C(0x0101010101010101) >> 56);
	int rows = (int)(by_rank * UINT64_C(0x0001020304050607) >> 56);
	if (h->side == BLACK)
		rows = 7 * count - rows;
	return (struct men_sum){ count, rows };
}

static int distance(int a, int b)
{
	int files = a % 8 > b % 8 ? a % 8 - b % 8 : b % 8 - a % 8;
	int ranks = a / 8 > b / 8 ? a / 8 - b / 8 : b / 8 - a / 8;
	return files > ranks ? files : ranks;
}

/* How near each of `kings` is to the nearest of `others`: 7 is a neighbour. */
static int nearness(uint64_t kings, uint64_t others)
{
	int sum = 0;
	for (; kings; kings &= kings - 1) {
		int nearest = 8;
		for (uint64_t o = others; o; o &= o - 1) {
			int d = distance(__builtin_ctzll(kings),
					 __builtin_ctzll(o));
			if (d < nearest)
				nearest = d;
		}
		sum += 8 - nearest;
	}
	return sum;
}

/* What the weights turn, each as own less the other's. */
struct terms {
	int man;
	int king;
	int advance;
	int centre;
	int back_row;
	int mobility;
	int trade;
	int chase;
};

static uint64_t home_of(enum side side)
{
	return side == WHITE ? RANK_1 : RANK_8;
}

/* All but what the side ahead wants. Compiled for either way of stepping. */
static inline __attribute__((always_inline)) void
compare_halves(const struct half *me, const struct half *you, bool flying,
	       bool diagonal, struct terms *out)
{
	const struct place_worth *p =
		diagonal ? &diagonal_worth : &straight_worth;
	uint64_t own = me->men | me->kings, foe = you->men | you->kings;
	uint64_t empty = ~(own | foe);
	struct men_sum mine = sum_men(me), yours = sum_men(you);

	out->man = MAN * (mine.count - yours.count);
	out->advance = p->advance * (mine.rows - yours.rows);
	out->centre = p->near_centre * more(own & CENTRE_16, foe & CENTRE_16) +
		      p->in_centre * more(own & CENTRE_4, foe & CENTRE_4);
	out->back_row = p->back_row * more(me->men & home_of(me->side),
					   you->men & home_of(you->side));
	out->mobility = p->free_step * (free_steps(me, empty, diagonal) -
					free_steps(you, empty, diagonal));
	if (me->kings | you->kings)
		out->king = (flying ? KING_FLYING : KING_SHORT) *
			    more(me->kings, you->kings);
}

/* The side ahead wants fewer pieces, and its kings near the others. */
static void add_pressure(struct terms *t, const struct view *view)
{
	int lead = t->man + t->king;
	int sign = lead > 0 ? 1 : -1;
	uint64_t ahead = lead > 0 ? view->own : view->foe;
	uint64_t behind = lead > 0 ? view->foe : view->own;
	int more = bits(ahead), less = bits(behind);
	if (lead == 0)
		return;
	if (more > less)
		t->trade = sign * TRADE * (more - less) / (more + less);
	t->chase = sign * CHASE * nearness(ahead & view->kings, behind);
}

static void find_terms(const struct draughts_judge *j, const struct view *view,
		       struct terms *t)
{
	struct half me = { view->own & ~view->kings, view->own & view->kings,
			   view->side };
	struct half you = { view->foe & ~view->kings, view->foe & view->kings,
			    side_other(view->side) };
	bool flying = j->variant.flying;
	*t = (struct terms){ 0 };
	if (is_diagonal(&j->variant))
		compare_halves(&me, &you, flying, true, t);
	else
		compare_halves(&me, &you, flying, false, t);
	add_pressure(t, view);
}

/* What was learned counts as much as is trusted, and each term as much as its
 * weight is above that. */
static int by_hand(const struct draughts_judge *j, const struct view *view)
{
	const struct engine_weights *w = &j->weights;
	int trust = j->trust;
	struct terms t;
	find_terms(j, view, &t);
	return percent(t.man, w->man - trust) +
	       percent(t.king, w->king - trust) +
	       percent(t.advance, w->advance - trust) +
	       percent(t.centre, w->centre - trust) +
	       percent(t.back_row, w->back_row - trust) +
	       percent(t.mobility, w->mobility - trust) +
	       percent(t.trade, w->trade_when_ahead - trust) +
	       percent(t.chase, w->aggression - trust);
}

static bool asks_for_terms(const struct engine_weights *w, int trust)
{
	return w->man != trust || w->king != trust || w->advance != trust ||
	       w->centre != trust || w->back_row != trust ||
	       w->mobility != trust || w->trade_when_ahead != trust ||
	       w->aggression != trust;
}

/* English games taught what men do that step and capture diagonally forward,
 * and kings that step; Turkish ones, what straight men and flying kings do.
 * Returns how much of it is trusted, in percent: the judgement by hand, which
 * has other faults, makes up the rest, and the two together play better than
 * either. docs/engine.md has the figures. */
static int find_learned(struct draughts_judge *j)
{
	enum { TRUST_ENGLISH = 40, TRUST_TURKISH = 25 };
	const struct variant *v = &j->variant;
	j->learned = NULL;
	if (is_diagonal(v) && !v->flying &&
	    v->man_capture[WHITE] == v->man_step[WHITE]) {
		j->learned = learned_english();
		j->score = score_english;
		return TRUST_ENGLISH;
	}
	if (!is_diagonal(v) && v->flying) {
		j->learned = learned_turkish();
		j->score = score_turkish;
		return TRUST_TURKISH;
	}
	return 0;
}

void draughts_judge_init(struct draughts_judge *j, const struct ruleset *rs,
			 const struct engine_weights *weights,
			 const struct learned *learned)
{
	variant_of(rs, &j->variant);
	int trust = find_learned(j);
	if (j->learned && learned) {
		j->learned = learned;
		trust = 100;
	}
	j->weights = *weights;
	j->trust = percent(trust, weights->learned);
	j->by_hand = asks_for_terms(weights, j->trust);
}

int draughts_judge(const struct draughts_judge *j, const struct view *view)
{
	int score = 0;
	if (j->trust > 0)
		score = percent(j->score(j->learned, view), j->trust);
	if (j->by_hand)
		score += by_hand(j, view);
	return clamp(score, -WIN_FOUND + 1, WIN_FOUND - 1);
}

int draughts_evaluate(const struct ruleset *rs, const struct position *pos,
		      const struct engine_weights *w)
{
	struct view view = view_of(pos);
	struct draughts_judge j;
	draughts_judge_init(&j, rs, w, NULL);
	return draughts_judge(&j, &view);
}
