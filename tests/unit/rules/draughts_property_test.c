/* SPDX-License-Identifier: MIT
 * What must hold in every position, tried over random games and set-up
 * positions in every option set and in random mixtures of options. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "draughts_naive.h"
#include "draughts_sets.h"
#include "rules/options_priv.h"

enum {
	GAMES = PLYD_SANITIZED ? 6 : 60, /* of each option set */
	PLIES_MAX = 120,
	SET_UPS = PLYD_SANITIZED ? 100 : 1500, /* of each option set */
	MIXTURES = PLYD_SANITIZED ? 40 : 600   /* of options */
};

static struct move_list list;

/* Fails with what is needed to see it again. */
#define HOLDS(condition, rs, pos)                                              \
	do {                                                                   \
		if (!(condition)) {                                            \
			char options[RULESET_TEXT_MAX];                        \
			ruleset_write(rs, options);                            \
			fail_msg("%s\n%s\n%s", #condition, options,            \
				 draughts_text(rs, pos));                      \
		}                                                              \
	} while (0)

static unsigned bits(uint64_t set)
{
	return (unsigned)__builtin_popcountll(set);
}

static bool moves_equal(const struct move *a, const struct move *b)
{
	return a->legs == b->legs && a->crowned == b->crowned &&
	       a->taken == b->taken && !memcmp(a->at, b->at, a->legs + 1u);
}

static bool positions_equal(const struct position *a, const struct position *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* ---- one position ------------------------------------------------------ */

static void text_goes_round(const struct ruleset *rs,
			    const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	struct position back, other = *pos;
	size_t len = game_write(rs, pos, text);
	HOLDS(len == strlen(text), rs, pos);
	HOLDS(game_read(rs, text, len, &back, NULL) == PLYD_OK, rs, pos);
	HOLDS(positions_equal(pos, &back), rs, pos);
	HOLDS(game_hash(rs, pos) == game_hash(rs, &back), rs, pos);
	other.side = (uint8_t)side_other((enum side)pos->side);
	HOLDS(game_hash(rs, pos) != game_hash(rs, &other), rs, pos);
	other = *pos;
	other.draughts.kings ^= other.draughts.pieces[WHITE];
	HOLDS(!other.draughts.pieces[WHITE] ||
		      game_hash(rs, pos) != game_hash(rs, &other),
	      rs, pos);
}

static void successor_is_sound(const struct ruleset *rs,
			       const struct position *pos,
			       const struct move *move,
			       const struct position *after)
{
	enum side mover = (enum side)pos->side, other = side_other(mover);
	const struct draughts_position *x = &pos->draughts;
	const struct draughts_position *y = &after->draughts;
	struct progress p = game_progress(rs, pos, after);
	HOLDS(after->side == other, rs, pos);
	HOLDS(game_hash(rs, after) != game_hash(rs, pos), rs, pos);
	HOLDS(bits(y->pieces[mover]) == bits(x->pieces[mover]), rs, pos);
	HOLDS(y->pieces[other] == (x->pieces[other] & ~move->taken), rs, pos);
	HOLDS(!(move->taken & ~x->pieces[other]), rs, pos);
	HOLDS(!(y->pieces[WHITE] & y->pieces[BLACK]), rs, pos);
	HOLDS(!(y->kings & ~(y->pieces[WHITE] | y->pieces[BLACK])), rs, pos);
	HOLDS(bits(y->kings & y->pieces[mover]) ==
		      bits(x->kings & x->pieces[mover]) + move->crowned,
	      rs, pos);
	HOLDS(bits(move->taken) == (move->taken ? move->legs : 0), rs, pos);
	HOLDS(p.captured == (move->taken != 0), rs, pos);
	HOLDS(p.promoted == move->crowned, rs, pos);
}

static void text_names_the_move(const struct ruleset *rs,
				const struct position *pos,
				const struct move *move,
				const struct position *after)
{
	char text[MOVE_TEXT_MAX];
	struct move read;
	struct refusal why;
	struct position replayed;
	size_t len = game_move_text(rs, pos, move, text);
	HOLDS(len == strlen(text), rs, pos);
	HOLDS(game_check(rs, pos, text, len, &read, &why) == PLYD_OK, rs, pos);
	HOLDS(moves_equal(&read, move), rs, pos);
	HOLDS(game_replay_move(rs, pos, text, len, move->crowned, &replayed) ==
		      PLYD_OK,
	      rs, pos);
	HOLDS(positions_equal(&replayed, after), rs, pos);
}

/* The ends alone name a capture just where all captures with these ends have
 * one result or one of them is a single leg. */
static void ends_name_one_result(const struct ruleset *rs,
				 const struct position *pos,
				 const struct move *move)
{
	char text[MOVE_TEXT_MAX];
	struct move ends = { .legs = 1, .taken = move->taken }, read;
	struct refusal why;
	struct position want, found;
	bool unique = true, direct = false;
	ends.at[0] = move->at[0];
	ends.at[1] = move->at[move->legs];
	game_apply(rs, pos, move, &want);
	for (size_t i = 0; i < list.count; i++) {
		const struct move *m = &list.move[i];
		if (m->at[0] != ends.at[0] || m->at[m->legs] != ends.at[1])
			continue;
		direct = direct || m->legs == 1;
		game_apply(rs, pos, m, &found);
		unique = unique && positions_equal(&want, &found);
	}
	size_t len = game_move_text(rs, pos, &ends, text);
	int err = game_check(rs, pos, text, len, &read, &why);
	HOLDS((err == PLYD_OK) == (unique || direct), rs, pos);
	HOLDS(!err || why.reason == REASON_AMBIGUOUS_CAPTURE, rs, pos);
	if (!err && unique) {
		game_apply(rs, pos, &read, &found);
		HOLDS(positions_equal(&want, &found), rs, pos);
	}
}

/* The same board seen from the other side has the same moves. */
static void colours_are_alike(const struct ruleset *rs,
			      const struct position *pos)
{
	static struct move_list turned_list;
	struct position turned = *pos;
	uint64_t *boards[3] = { &turned.draughts.pieces[WHITE],
				&turned.draughts.pieces[BLACK],
				&turned.draughts.kings };
	for (int i = 0; i < 3; i++) {
		uint64_t was = *boards[i];
		*boards[i] = 0;
		for (int square = 0; square < 64; square++)
			*boards[i] |= (was >> square & 1) << (63 - square);
	}
	uint64_t white = turned.draughts.pieces[WHITE];
	turned.draughts.pieces[WHITE] = turned.draughts.pieces[BLACK];
	turned.draughts.pieces[BLACK] = white;
	turned.side = (uint8_t)side_other((enum side)pos->side);
	HOLDS(game_moves(rs, &turned, &turned_list) == PLYD_OK, rs, pos);
	HOLDS(turned_list.total == list.total, rs, pos);
	for (size_t i = 0; i < turned_list.count; i++) {
		const struct move *m = &turned_list.move[i];
		size_t j = 0;
		for (; j < list.count; j++) {
			const struct move *n = &list.move[j];
			unsigned k = 0;
			if (m->legs != n->legs || m->crowned != n->crowned)
				continue;
			while (k <= m->legs && m->at[k] + n->at[k] == 63)
				k++;
			if (k > m->legs)
				break;
		}
		HOLDS(j < list.count || list.total > list.count, rs, pos);
	}
}

/* Any squares in a row: a verdict, and the right one. */
static void noise_is_judged(const struct ruleset *rs,
			    const struct position *pos, struct rng *rng)
{
	char text[MOVE_TEXT_MAX];
	struct move noise = { .legs = (uint8_t)(1 + rng_below(rng, 3)) }, read;
	struct refusal why;
	for (unsigned i = 0; i <= noise.legs; i++) {
		unsigned rank = rng_below(rng, 8), file = rng_below(rng, 8);
		file ^= (rank + file) & 1; /* a dark square */
		noise.at[i] = (uint8_t)(rank * 8 + file);
	}
	if (list.count > 0 && rng_below(rng, 2) == 0)
		noise.at[0] =
			list.move[rng_below(rng, (uint32_t)list.count)].at[0];
	noise.taken = noise.legs > 1 || rng_below(rng, 2) == 0;
	size_t len = game_move_text(rs, pos, &noise, text);
	int err = game_check(rs, pos, text, len, &read, &why);
	if (err) {
		HOLDS(err == PLYD_EILLEGAL, rs, pos);
		HOLDS(why.reason > REASON_NONE, rs, pos);
		HOLDS(why.step >= 0 && why.step <= noise.legs, rs, pos);
		return;
	}
	size_t i = 0;
	while (i < list.count && !moves_equal(&list.move[i], &read))
		i++;
	HOLDS(i < list.count || list.total > list.count, rs, pos);
}

static void naive_agrees(const struct ruleset *rs, const struct position *pos)
{
	static struct naive_move naive[NAIVE_MOVES_MAX];
	char text[MOVE_TEXT_MAX];
	struct position after;
	int count = naive_moves(rs, pos, naive);
	if (count < 0)
		return;
	HOLDS((size_t)count == list.total, rs, pos);
	for (size_t i = 0; i < list.count; i++) {
		game_move_text(rs, pos, &list.move[i], text);
		game_apply(rs, pos, &list.move[i], &after);
		HOLDS(!strcmp(text, naive[i].text), rs, pos);
		HOLDS(positions_equal(&after, &naive[i].after), rs, pos);
	}
}

static void counts_agree(const struct ruleset *rs, const struct position *pos)
{
	struct position a, b;
	uint64_t distinct = 0;
	HOLDS(game_can_move(rs, pos) == (list.total > 0), rs, pos);
	HOLDS(game_perft(rs, pos, 1, false) == list.total, rs, pos);
	if (list.total > 64)
		return;
	for (size_t i = 0; i < list.count; i++) {
		size_t j = 0;
		game_apply(rs, pos, &list.move[i], &a);
		for (; j < i; j++) {
			game_apply(rs, pos, &list.move[j], &b);
			if (positions_equal(&a, &b))
				break;
		}
		distinct += j == i;
	}
	HOLDS(game_perft(rs, pos, 1, true) == distinct, rs, pos);
}

static void position_holds(const struct ruleset *rs, const struct position *pos,
			   struct rng *rng)
{
	const struct position before = *pos;
	struct position after;
	HOLDS(game_moves(rs, pos, &list) == PLYD_OK, rs, pos);
	text_goes_round(rs, pos);
	naive_agrees(rs, pos);
	counts_agree(rs, pos);
	colours_are_alike(rs, pos);
	for (size_t i = 0; i < list.count && i < 40; i++) {
		const struct move *move = &list.move[i];
		game_apply(rs, pos, move, &after);
		successor_is_sound(rs, pos, move, &after);
		text_names_the_move(rs, pos, move, &after);
		if (move->taken && list.count == list.total)
			ends_name_one_result(rs, pos, move);
	}
	for (int i = 0; i < 8; i++)
		noise_is_judged(rs, pos, rng);
	HOLDS(positions_equal(pos, &before), rs, pos);
}

/* ---- many positions ---------------------------------------------------- */

static void random_game(const struct ruleset *rs, struct rng *rng)
{
	struct position pos, after;
	game_start(rs, &pos);
	for (int ply = 0; ply < PLIES_MAX; ply++) {
		position_holds(rs, &pos, rng);
		bool over = game_outcome(rs, &pos).over;
		bool lost =
			list.total == 0 ||
			!pos.draughts.pieces[side_other((enum side)pos.side)];
		HOLDS(over == lost, rs, &pos);
		if (over)
			return;
		size_t i = rng_below(rng, (uint32_t)list.count);
		game_apply(rs, &pos, &list.move[i], &after);
		pos = after;
	}
}

/* A few pieces anywhere: kings, captures, blocks and crownings in numbers that
 * games do not have. */
static void random_set_up(const struct ruleset *rs, struct rng *rng)
{
	struct position pos;
	uint64_t taken = 0;
	game_start(rs, &pos);
	bool all = rs->draughts.squares == SQUARES_ALL;
	pos.draughts = (struct draughts_position){ { 0, 0 }, 0 };
	pos.side = (uint8_t)rng_below(rng, 2);
	for (int side = 0; side < 2; side++) {
		uint32_t count = 1 + rng_below(rng, 8);
		while (count-- > 0) {
			uint32_t rank = rng_below(rng, 8);
			uint32_t file = rng_below(rng, 8);
			if (!all)
				file ^= (rank + file) & 1;
			uint64_t bit = UINT64_C(1) << (rank * 8 + file);
			if (taken & bit)
				continue;
			taken |= bit;
			pos.draughts.pieces[side] |= bit;
			if (rng_below(rng, 4) == 0 ||
			    rank == (side == WHITE ? 7 : 0))
				pos.draughts.kings |= bit;
		}
	}
	position_holds(rs, &pos, rng);
}

static void every_set_holds(void **state)
{
	(void)state;
	for (size_t i = 0; draughts_set_names[i]; i++) {
		struct ruleset rs = draughts_set(draughts_set_names[i], "");
		struct rng rng;
		rng_seed(&rng, 1000 + i);
		for (int game = 0; game < GAMES; game++)
			random_game(&rs, &rng);
		for (int set_up = 0; set_up < SET_UPS; set_up++)
			random_set_up(&rs, &rng);
	}
}

/* How many values each option has, in the order of struct draughts_options. */
static unsigned values_of(const char *values)
{
	unsigned count = 1;
	for (; *values; values++)
		count += *values == '|';
	return count;
}

static void any_mixture_holds(void **state)
{
	(void)state;
	static const char *const values[] = {
#define O(name, values, doc) values,
		DRAUGHTS_OPTIONS(O)
#undef O
	};
	struct rng rng;
	unsigned tried = 0;
	rng_seed(&rng, 77);
	while (tried < MIXTURES) {
		struct ruleset rs = draughts_set("english", "");
		uint8_t *option = (uint8_t *)&rs.draughts;
		const char *why;
		for (size_t i = 0; i < COUNT(values); i++)
			option[i] =
				(uint8_t)rng_below(&rng, values_of(values[i]));
		if (ruleset_check(&rs, &why))
			continue;
		tried++;
		random_game(&rs, &rng);
		for (int set_up = 0; set_up < 20; set_up++)
			random_set_up(&rs, &rng);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_set_holds),
		cmocka_unit_test(any_mixture_holds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
