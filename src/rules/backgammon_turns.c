/* SPDX-License-Identifier: MIT
 * All turns of a roll, each result once.
 *
 * Doubles are played from the highest point down only: with one number the hops
 * alone decide the result, and if they can be played in any order they can in
 * this one. But where hitters are marked (no hit-and-hide) the order matters,
 * so there each choice of hops is tried in all its orders.
 *
 * Two different dice are played larger first, and smaller first only where that
 * makes a hop of the larger possible. Marks change nothing here: to hide, a
 * checker must move twice. Some results come about in two ways all the same, so
 * these are looked up in a small table. */
#include <assert.h>
#include <string.h>

#include "rules/backgammon_priv.h"
#include "rules/options_priv.h"

/* Two different dice have 15 * 14 pairs of checkers and 15 * 2 ways for one:
 * at most 240 results, so an index fits a byte and the table is half empty. */
enum { SLOTS = 512, TWO_DICE_MAX = 240 };

struct search {
	struct turns *out;
	struct board root;
	int die[2];
	struct turn way;     /* the hops so far */
	uint8_t slot[SLOTS]; /* 1 + index in out->turn; 0 empty */
};

/* ---- keeping turns ----------------------------------------------------- */

/* Whether turns of this many hops are still wanted: shorter ones are not, and
 * a longer one throws out all before it. */
static bool wanted(struct search *s, unsigned hops)
{
	if (hops < s->out->hops || hops == 0)
		return false;
	if (hops > s->out->hops) {
		s->out->hops = hops;
		s->out->count = 0;
		memset(s->slot, 0, sizeof(s->slot));
	}
	s->way.hops = (uint8_t)hops;
	return true;
}

static void add(struct search *s, const uint64_t word[2])
{
	assert(s->out->count < TURNS_MAX);
	struct turn *t = &s->out->turn[s->out->count++];
	*t = s->way;
	t->word[0] = word[0];
	t->word[1] = word[1];
}

static uint32_t rank(const struct turn *t)
{
	return (uint32_t)t->hop[0][0] << 24 | (BAR - t->hop[0][1]) << 16 |
	       t->hop[1][0] << 8 | (BAR - t->hop[1][1]);
}

/* Adds a turn of two dice, or keeps the better of two ways to one result. */
static void add_once(struct search *s, const uint64_t word[2])
{
	uint64_t mixed =
		(word[0] ^ word[1] * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
	unsigned i = (unsigned)(mixed >> 55);
	for (; s->slot[i] != 0; i = (i + 1) % SLOTS) {
		struct turn *t = &s->out->turn[s->slot[i] - 1];
		if (t->word[0] != word[0] || t->word[1] != word[1])
			continue;
		if (rank(&s->way) > rank(t)) {
			memcpy(t->hop, s->way.hop, sizeof(t->hop));
			t->hits = s->way.hits;
		}
		return;
	}
	assert(s->out->count < TWO_DICE_MAX);
	s->slot[i] = (uint8_t)(s->out->count + 1);
	add(s, word);
}

static void note_hop(struct search *s, unsigned hops, int from, int to,
		     bool hit)
{
	s->way.hop[hops][0] = (uint8_t)from;
	s->way.hop[hops][1] = (uint8_t)to;
	s->way.hits &= (uint8_t) ~(1u << hops);
	s->way.hits |= (uint8_t)(hit << hops);
}

static void hop(struct search *s, struct board *b, unsigned hops, int from,
		int die)
{
	int to = hop_end(from, die);
	note_hop(s, hops, from, to, board_hop(b, from, to));
}

/* The last hop of a turn: only the result is wanted, no board. */
static void last_hop(struct search *s, const struct board *b, unsigned hops,
		     int from, int die, uint64_t word[2])
{
	int to = hop_end(from, die);
	word[0] = b->word[0];
	word[1] = b->word[1];
	note_hop(s, hops, from, to, word_hop(word, b->blots, from, to));
}

/* ---- two different dice ------------------------------------------------ */

/* Puts the two hops in the order of canonical text. They can be played so, with
 * the same hits: two hops that land on one point are in this order already. */
static void highest_first(struct turn *way)
{
	uint8_t(*hop)[2] = way->hop;
	uint8_t first[2] = { hop[0][0], hop[0][1] };
	if (first[0] > hop[1][0] ||
	    (first[0] == hop[1][0] && first[1] <= hop[1][1]))
		return;
	memcpy(hop[0], hop[1], sizeof(first));
	memcpy(hop[1], first, sizeof(first));
	way->hits = (uint8_t)((way->hits & 1) << 1 | way->hits >> 1);
}

/* Plays the second die from each of these points. */
static void second_die(struct search *s, const struct board *b, int die,
		       uint32_t can)
{
	struct turn first = s->way;
	while (can) {
		int from = highest_point(can);
		uint64_t word[2];
		can &= ~(1u << from);
		last_hop(s, b, 1, from, die, word);
		highest_first(&s->way);
		if (wanted(s, 2))
			add_once(s, word);
		s->way = first;
	}
}

/* Plays die i first. A hop of the other die that was possible before it is
 * left out where the other order has it: it loses none of its conditions. */
static void first_die(struct search *s, unsigned i, uint32_t can,
		      uint32_t left_out)
{
	s->way.die = (uint8_t)i;
	while (can) {
		int from = highest_point(can);
		struct board next = s->root;
		can &= ~(1u << from);
		hop(s, &next, 0, from, s->die[i]);
		uint32_t second = board_movable(&next, s->die[!i]);
		if (second)
			second_die(s, &next, s->die[!i], second & ~left_out);
		else if (wanted(s, 1))
			add_once(s, next.word);
	}
}

/* If only one of two dice can be played but either could, it is the larger. */
static void keep_larger_die(struct turns *out)
{
	size_t kept = 0;
	for (size_t i = 0; i < out->count; i++) {
		if (out->turn[i].die == 0)
			out->turn[kept++] = out->turn[i];
	}
	if (kept > 0)
		out->count = kept;
}

static void two_dice(struct search *s)
{
	uint32_t larger = board_movable(&s->root, s->die[0]);
	uint32_t smaller = board_movable(&s->root, s->die[1]);
	first_die(s, 0, larger, 0);
	first_die(s, 1, smaller, larger);
	if (s->out->hops == 1)
		keep_larger_die(s->out);
}

/* ---- doubles ----------------------------------------------------------- */

static void doubles(struct search *s, const struct board *b, int last,
		    unsigned hops)
{
	int die = s->die[0];
	uint32_t can = board_movable(b, die) & ((2u << last) - 1);
	if (!can && wanted(s, hops))
		add(s, b->word);
	while (can) {
		int from = highest_point(can);
		can &= ~(1u << from);
		if (hops + 1 == HOPS_MAX) {
			uint64_t word[2];
			last_hop(s, b, hops, from, die, word);
			if (wanted(s, HOPS_MAX))
				add(s, word);
		} else {
			struct board next = *b;
			hop(s, &next, hops, from, die);
			doubles(s, &next, from, hops + 1);
		}
	}
}

/* Plays these hops, highest first where possible, under the bans; the way is
 * left in s->way, the result in *b. */
static bool in_some_order(struct search *s, struct board *b,
			  const uint8_t from[HOPS_MAX], unsigned unplayed,
			  unsigned hops)
{
	if (!unplayed)
		return true;
	uint32_t can = board_movable(b, s->die[0]);
	for (unsigned left = unplayed; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);
		struct board next = *b;
		if (!(can >> from[i] & 1))
			continue;
		hop(s, &next, hops, from[i], s->die[0]);
		if (in_some_order(s, &next, from, unplayed & ~(1u << i),
				  hops + 1)) {
			*b = next;
			return true;
		}
	}
	return false;
}

/* b is without bans: it only tells which hops go together. A choice of hops
 * that is banned may become legal with one hop more (a cover that leaves). */
static void marked_doubles(struct search *s, const struct board *b, int last,
			   uint8_t from[HOPS_MAX], unsigned hops)
{
	struct board end = s->root;
	if (hops > 0 && hops >= s->out->hops &&
	    in_some_order(s, &end, from, (1u << hops) - 1, 0) &&
	    wanted(s, hops))
		add(s, end.word);
	if (hops == HOPS_MAX)
		return;
	uint32_t can = board_movable(b, s->die[0]) & ((2u << last) - 1);
	while (can) {
		int p = highest_point(can);
		can &= ~(1u << p);
		struct board next = *b;
		board_hop(&next, p, hop_end(p, s->die[0]));
		from[hops] = (uint8_t)p;
		marked_doubles(s, &next, p, from, hops + 1);
	}
}

/* ---- both -------------------------------------------------------------- */

static void find(const struct board *root, const uint8_t dice[2],
		 struct turns *out)
{
	struct search s; /* wanted() clears the slots */
	s.out = out;
	s.root = *root;
	s.die[0] = dice[0];
	s.die[1] = dice[1];
	memset(&s.way, 0, sizeof(s.way));
	out->count = 0;
	out->hops = 0;
	out->no_hiding = root->no_hiding;
	out->hitter_stays = root->hitter_stays;
	if (dice[0] != dice[1]) {
		two_dice(&s);
	} else if (root->no_hiding) {
		struct board plain = *root;
		uint8_t from[HOPS_MAX];
		plain.no_hiding = false;
		marked_doubles(&s, &plain, BAR, from, 0);
	} else {
		doubles(&s, root, BAR, 0);
	}
}

void turns_of_board(const struct ruleset *rs, const struct board *before,
		    const uint8_t dice[2], struct turns *out)
{
	const struct backgammon_options *o = &rs->backgammon;
	struct board root = *before;
	/* without a blot at home nobody can be marked */
	root.no_hiding = o->hit_and_hide == OPTION_FALSE &&
			 root.blots & ((2u << HOME) - 1);
	root.hitter_stays = root.no_hiding &&
			    o->hit_and_bear_off == HIT_AND_BEAR_OFF_IF_FORCED;
	find(&root, dice, out);
	if (!root.hitter_stays || out->hops == dice_count(dice))
		return;
	/* bearing a hitter off is forced only if it plays more dice */
	struct board forced = root;
	unsigned without = out->hops;
	forced.hitter_stays = false;
	find(&forced, dice, out);
	if (out->hops == without)
		find(&root, dice, out);
}

void turns_find(const struct ruleset *rs, const struct position *pos,
		struct turns *out)
{
	struct board before;
	board_of(pos, &before);
	turns_of_board(rs, &before, pos->dice, out);
}
