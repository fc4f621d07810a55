/* SPDX-License-Identifier: MIT
 * All turns of a roll. Two different dice are tried in every order, doubles
 * from the highest point down only: with one number the hops alone decide the
 * result, and if they can be played in any order they can in this one. Where
 * hitters are marked (RULES: no hit-and-hide) the order matters, so there each
 * choice of hops is tried in all its orders. */
#include <assert.h>
#include <string.h>

#include "rules/backgammon_priv.h"
#include "rules/options_priv.h"

/* Two different dice have 15 * 14 pairs of checkers and 15 * 2 ways for one:
 * at most 240 results, so the table is never half full. */
enum { SLOTS = 512 };

struct search {
	struct turns *out;
	struct board root;
	int die[2];
	struct turn way;      /* the hops so far */
	uint16_t slot[SLOTS]; /* 1 + index in out->turn; 0 empty */
};

static bool seen(struct search *s, const struct board *b)
{
	uint64_t mixed = (b->word[0] ^ b->word[1] * 0x9e3779b97f4a7c15u) *
			 0xd6e8feb86659fd93u;
	for (unsigned i = mixed >> 55;; i = (i + 1) % SLOTS) {
		if (s->slot[i] == 0) {
			s->slot[i] = (uint16_t)(s->out->count + 1);
			return false;
		}
		const struct turn *t = &s->out->turn[s->slot[i] - 1];
		if (t->word[0] == b->word[0] && t->word[1] == b->word[1])
			return true;
	}
}

static void add(struct search *s, const struct board *b)
{
	assert(s->out->count < TURNS_MAX);
	struct turn *t = &s->out->turn[s->out->count++];
	*t = s->way;
	t->word[0] = b->word[0];
	t->word[1] = b->word[1];
}

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

static struct board hop(struct search *s, const struct board *b, unsigned hops,
			int from, int die)
{
	struct board next = *b;
	int to = hop_end(from, die);
	bool hit = board_hop(&next, from, to);
	s->way.hop[hops][0] = (uint8_t)from;
	s->way.hop[hops][1] = (uint8_t)to;
	s->way.hits &= (uint8_t) ~(1u << hops);
	s->way.hits |= (uint8_t)(hit << hops);
	return next;
}

/* ---- two different dice ------------------------------------------------ */

static void two_dice(struct search *s, const struct board *b, unsigned left,
		     unsigned hops)
{
	uint32_t can[2] = { 0, 0 };
	for (unsigned i = 0; i < 2; i++) {
		if (left >> i & 1)
			can[i] = board_movable(b, s->die[i]);
	}
	uint32_t any = can[0] | can[1];
	if (!any && wanted(s, hops) && !seen(s, b))
		add(s, b);
	while (any) {
		int from = highest_point(any);
		any &= ~(1u << from);
		for (unsigned i = 0; i < 2; i++) {
			if (!(can[i] >> from & 1))
				continue;
			if (hops == 0)
				s->way.die = (uint8_t)i;
			struct board next = hop(s, b, hops, from, s->die[i]);
			two_dice(s, &next, left & ~(1u << i), hops + 1);
		}
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

/* ---- doubles ----------------------------------------------------------- */

static void doubles(struct search *s, const struct board *b, int last,
		    unsigned hops)
{
	uint32_t can = 0;
	if (hops < HOPS_MAX)
		can = board_movable(b, s->die[0]) & ((2u << last) - 1);
	if (!can && wanted(s, hops))
		add(s, b);
	while (can) {
		int from = highest_point(can);
		can &= ~(1u << from);
		struct board next = hop(s, b, hops, from, s->die[0]);
		doubles(s, &next, from, hops + 1);
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
		if (!(can >> from[i] & 1))
			continue;
		struct board next = hop(s, b, hops, from[i], s->die[0]);
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
		add(s, &end);
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

static void find(const struct board *root, const struct position *pos,
		 struct turns *out)
{
	struct search s = { .out = out,
			    .root = *root,
			    .die = { pos->dice[0], pos->dice[1] } };
	out->count = 0;
	out->hops = 0;
	out->no_hiding = root->no_hiding;
	out->hitter_stays = root->hitter_stays;
	if (pos->dice[0] != pos->dice[1]) {
		two_dice(&s, root, 3, 0);
		if (out->hops == 1)
			keep_larger_die(out);
	} else if (root->no_hiding) {
		struct board plain = *root;
		uint8_t from[HOPS_MAX];
		plain.no_hiding = false;
		marked_doubles(&s, &plain, BAR, from, 0);
	} else {
		doubles(&s, root, BAR, 0);
	}
}

void turns_find(const struct ruleset *rs, const struct position *pos,
		struct turns *out)
{
	const struct backgammon_options *o = &rs->backgammon;
	struct board root;
	board_of(pos, &root);
	/* without a blot at home nobody can be marked */
	root.no_hiding = o->hit_and_hide == OPTION_FALSE &&
			 root.blots & ((2u << HOME) - 1);
	root.hitter_stays = root.no_hiding &&
			    o->hit_and_bear_off == HIT_AND_BEAR_OFF_IF_FORCED;
	find(&root, pos, out);
	if (!root.hitter_stays || out->hops == dice_count(pos))
		return;
	/* bearing a hitter off is forced only if it plays more dice */
	struct board forced = root;
	unsigned without = out->hops;
	forced.hitter_stays = false;
	find(&forced, pos, out);
	if (out->hops == without)
		find(&root, pos, out);
}

bool backgammon_over(const struct position *pos)
{
	return pos->backgammon.point[WHITE][OFF] == CHECKERS ||
	       pos->backgammon.point[BLACK][OFF] == CHECKERS;
}
