/* SPDX-License-Identifier: MIT
 * Random self-play in every ruleset, with what must hold at each half-move.
 * Usage: selfplay [--plies N] [--seed S] [RULESET]: N in each ruleset. A
 * failure names ruleset, half-move, position and property, and ends it all. */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "draughts_sets.h"
#include "stakes_naive.h"

enum {
	GAME_PLIES_MAX = 400,
	SAMPLE = 3,
	/* one in so many: before its throw a side doubles (if it may), and the
	 * other drops */
	DOUBLES = 12,
	DROPS = 4
};

/* One ruleset's play: what is needed to name the place. */
struct play {
	const char *name;
	struct ruleset rs;
	struct rng rng;
	struct position start, pos;
	uint64_t ply; /* over all games */
	uint64_t games, passes, moves;
	struct naive_stakes stakes;
	uint64_t doubles, drops, matches, crawford;
};

static struct move_list list;

#define HOLDS(p, condition)                                                    \
	do {                                                                   \
		if (!(condition))                                              \
			breaks(p, #condition);                                 \
	} while (0)

static void breaks(const struct play *p, const char *property)
{
	char text[POSITION_TEXT_MAX];
	game_write(&p->rs, &p->pos, text);
	fprintf(stderr, "%s: ply %" PRIu64 ": %s: does not hold: %s\n", p->name,
		p->ply, text, property);
	exit(EXIT_FAILURE);
}

static bool equal(const struct position *a, const struct position *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static bool moves_equal(const struct play *p, const struct move *a,
			const struct move *b)
{
	bool path = p->rs.family == FAMILY_DRAUGHTS;
	size_t used = path ? a->legs + 1u : 2u * a->legs;
	return a->legs == b->legs && a->crowned == b->crowned &&
	       a->taken == b->taken && !memcmp(a->at, b->at, used);
}

/* ---- conservation ------------------------------------------------------ */

static int draughts_pieces(const struct position *pos, enum side side)
{
	return __builtin_popcountll(pos->draughts.pieces[side]);
}

/* The mover keeps his pieces, the other loses those that are taken. */
static void pieces_are_kept(const struct play *p, const struct move *move,
			    const struct position *after)
{
	enum side mover = (enum side)p->pos.side, other = side_other(mover);
	const struct draughts_position *d = &after->draughts;
	uint64_t all = d->pieces[WHITE] | d->pieces[BLACK];
	HOLDS(p,
	      draughts_pieces(after, mover) == draughts_pieces(&p->pos, mover));
	HOLDS(p, d->pieces[other] ==
			 (p->pos.draughts.pieces[other] & ~move->taken));
	HOLDS(p, !(d->pieces[WHITE] & d->pieces[BLACK]));
	HOLDS(p, !(d->kings & ~all));
	HOLDS(p, move->taken ? __builtin_popcountll(move->taken) == move->legs
			     : move->legs == 1);
}

static int checkers(const struct position *pos, int side)
{
	int sum = 0;
	for (int point = 0; point <= 25; point++)
		sum += pos->backgammon.point[side][point];
	return sum;
}

static void checkers_are_kept(const struct play *p,
			      const struct position *after)
{
	for (int side = WHITE; side <= BLACK; side++)
		HOLDS(p, checkers(after, side) == checkers(&p->start, side));
	for (int point = 1; point <= 24; point++)
		HOLDS(p, !after->backgammon.point[WHITE][point] ||
				 !after->backgammon.point[BLACK][25 - point]);
}

static void material_is_kept(const struct play *p, const struct move *move,
			     const struct position *after)
{
	if (p->rs.family == FAMILY_DRAUGHTS)
		pieces_are_kept(p, move, after);
	else
		checkers_are_kept(p, after);
}

/* ---- one half-move ----------------------------------------------------- */

static void text_goes_round(const struct play *p, const struct position *pos)
{
	char text[POSITION_TEXT_MAX], again[POSITION_TEXT_MAX];
	struct position back;
	size_t len = game_write(&p->rs, pos, text);
	HOLDS(p, len == strlen(text));
	HOLDS(p, game_read(&p->rs, text, len, &back, NULL) == PLYD_OK);
	HOLDS(p, equal(pos, &back));
	HOLDS(p, game_hash(&p->rs, pos) == game_hash(&p->rs, &back));
	HOLDS(p, game_write(&p->rs, &back, again) == len);
	HOLDS(p, !strcmp(text, again));
}

/* A listed move is accepted as it stands, and its text alone leads where the
 * move does. */
static void move_is_accepted(const struct play *p, const struct move *move)
{
	char text[MOVE_TEXT_MAX];
	struct move read;
	struct refusal why;
	struct position after, replayed;
	size_t len = game_move_text(&p->rs, &p->pos, move, text);
	HOLDS(p,
	      game_check(&p->rs, &p->pos, text, len, &read, &why) == PLYD_OK);
	HOLDS(p, moves_equal(p, &read, move));
	game_apply(&p->rs, &p->pos, move, &after);
	HOLDS(p, game_replay_move(&p->rs, &p->pos, text, len, move->crowned,
				  &replayed) == PLYD_OK);
	HOLDS(p, equal(&after, &replayed));
}

static const struct move *any_move(struct play *p)
{
	return &list.move[rng_below(&p->rng, (uint32_t)list.count)];
}

static void play_move(struct play *p)
{
	const struct position before = p->pos;
	const struct move *move = any_move(p);
	struct position after;
	for (int i = 0; i < SAMPLE; i++)
		move_is_accepted(p, any_move(p));
	move_is_accepted(p, move);
	game_apply(&p->rs, &p->pos, move, &after);
	HOLDS(p, equal(&p->pos, &before));
	HOLDS(p, after.side == side_other((enum side)before.side));
	HOLDS(p, game_hash(&p->rs, &after) != game_hash(&p->rs, &before));
	material_is_kept(p, move, &after);
	text_goes_round(p, &after);
	p->pos = after;
}

static void play_pass(struct play *p)
{
	struct position after;
	game_pass(&p->pos, &after);
	HOLDS(p, after.side == side_other((enum side)p->pos.side));
	checkers_are_kept(p, &after);
	p->pos = after;
	p->passes++;
}

static void play_ply(struct play *p)
{
	if (ruleset_has_dice(&p->rs)) {
		int die1 = 1 + (int)rng_below(&p->rng, 6);
		game_throw(&p->pos, die1, 1 + (int)rng_below(&p->rng, 6),
			   &p->pos);
		text_goes_round(p, &p->pos);
	}
	HOLDS(p, game_moves(&p->rs, &p->pos, &list) == PLYD_OK);
	HOLDS(p, game_can_move(&p->rs, &p->pos) == (list.total > 0));
	HOLDS(p, list.total > 0 || ruleset_has_dice(&p->rs));
	p->moves += list.total;
	if (list.count > 0)
		play_move(p);
	else
		play_pass(p);
	p->ply++;
}

/* ---- the cube and the match -------------------------------------------- */

static bool one_in(struct play *p, uint32_t n)
{
	return rng_below(&p->rng, n) == 0;
}

/* Before a throw. True: the double is dropped, and *o is the outcome. */
static bool cube_ends_game(struct play *p, struct outcome *o)
{
	enum side side = (enum side)p->pos.side;
	bool may = game_may_double(&p->rs, &p->pos) == REASON_NONE;
	struct position before = p->pos;
	HOLDS(p, naive_agrees(&p->stakes, &p->pos));
	HOLDS(p, may == naive_may_double(&p->stakes, (int)side));
	if (!may || !one_in(p, DOUBLES))
		return false;
	p->doubles++;
	if (one_in(p, DROPS)) {
		*o = game_drop(&p->pos);
		HOLDS(p, o->over && o->winner == side &&
				 o->points == p->stakes.value);
		p->drops++;
		return true;
	}
	game_take(&before, &p->pos);
	naive_taken(&p->stakes, (int)side);
	HOLDS(p, naive_agrees(&p->stakes, &p->pos));
	HOLDS(p, p->pos.side == side);
	HOLDS(p, !memcmp(&p->pos.backgammon, &before.backgammon,
			 sizeof(before.backgammon)));
	text_goes_round(p, &p->pos);
	return false;
}

static void match_begins(struct play *p)
{
	const struct ruleset *rs = &p->rs;
	bool stakes = ruleset_has_stakes(rs);
	game_start(rs, &p->start);
	naive_begin(&p->stakes, stakes ? rs->backgammon.match_length : 0,
		    stakes && rs->backgammon.cube,
		    stakes && rs->backgammon.crawford,
		    stakes && rs->backgammon.jacoby);
}

/* Makes p->start what comes after the game. */
static void match_goes_on(struct play *p, const struct outcome *o)
{
	struct position next;
	int winner = game_next(&p->rs, &p->pos, o, &next);
	bool over = naive_won(&p->stakes, (int)o->winner, o->points);
	HOLDS(p, (winner >= 0) == over);
	HOLDS(p, !over || winner == (int)o->winner);
	p->matches += over;
	if (over) {
		match_begins(p);
		return;
	}
	HOLDS(p, naive_agrees(&p->stakes, &next));
	HOLDS(p, next.dice[0] == 0 &&
			 checkers(&next, WHITE) == checkers(&p->start, WHITE));
	text_goes_round(p, &next);
	p->crawford += next.stakes.crawford;
	p->start = next;
}

/* The game's end, if it has one, after what was played or a dropped double. */
static bool game_is_over(struct play *p, struct outcome *o)
{
	bool stakes = ruleset_has_stakes(&p->rs);
	*o = game_outcome(&p->rs, &p->pos);
	if (o->over && stakes) {
		enum side loser = side_other(o->winner);
		int points = naive_points(&p->stakes,
					  p->pos.backgammon.point[loser]);
		HOLDS(p, o->points == points);
		HOLDS(p, game_points_lost(&p->rs, &p->pos, loser) == points);
	}
	return o->over || (stakes && cube_ends_game(p, o));
}

/* ---- many -------------------------------------------------------------- */

static void play_game(struct play *p, uint64_t plies)
{
	struct outcome o;
	p->pos = p->start;
	p->games++;
	for (int i = 0; i < GAME_PLIES_MAX && p->ply < plies; i++) {
		if (!game_is_over(p, &o)) {
			play_ply(p);
			continue;
		}
		if (ruleset_has_stakes(&p->rs))
			match_goes_on(p, &o);
		return;
	}
	match_begins(p); /* it was broken off */
}

static void play_ruleset(const char *name, const struct ruleset *rs,
			 uint64_t plies, uint64_t seed)
{
	struct play p = { .name = name, .rs = *rs };
	rng_seed(&p.rng, seed);
	match_begins(&p);
	while (p.ply < plies)
		play_game(&p, plies);
	printf("%-26s %8" PRIu64 " half-moves, %6" PRIu64 " games, %9" PRIu64
	       " moves, %6" PRIu64 " passes",
	       name, p.ply, p.games, p.moves, p.passes);
	if (ruleset_has_stakes(rs))
		printf(", %" PRIu64 " doubles, %" PRIu64 " drops, %" PRIu64
		       " matches, %" PRIu64 " Crawford games",
		       p.doubles, p.drops, p.matches, p.crawford);
	printf("\n");
}

/* With the cube, in a match and for money, from every start. */
static bool play_with_cube(const char *only, uint64_t plies, uint64_t seed)
{
	static const struct {
		const char *name, *base, *options[4];
	} sets[] = {
		{ "nackgammon-match",
		  "nackgammon",
		  { "match_length=5", "cube=true" } },
		{ "hypergammon-money",
		  "hypergammon",
		  { "cube=true", "jacoby=true" } },
	};
	bool found = false;
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		struct ruleset rs;
		if (only && strcmp(only, sets[i].name))
			continue;
		if (ruleset_find(sets[i].base, strlen(sets[i].base), &rs))
			abort();
		for (const char *const *o = sets[i].options; *o; o++) {
			const char *value = strchr(*o, '=') + 1;
			size_t len = (size_t)(value - 1 - *o);
			if (ruleset_set(&rs, *o, len, value, strlen(value)))
				abort();
		}
		play_ruleset(sets[i].name, &rs, plies, seed);
		found = true;
	}
	return found;
}

/* The built-in ones, then those that are options only. */
static bool play_all(const char *only, uint64_t plies, uint64_t seed)
{
	struct ruleset rs;
	bool found = play_with_cube(only, plies, seed);
	for (size_t i = 0; i < ruleset_count(); i++) {
		if (only && strcmp(only, ruleset_at(i)->name))
			continue;
		play_ruleset(ruleset_at(i)->name, ruleset_at(i), plies, seed);
		found = true;
	}
	for (size_t i = 0; draughts_set_names[i]; i++) {
		const char *name = draughts_set_names[i];
		if (!ruleset_find(name, strlen(name), &rs) ||
		    (only && strcmp(only, name)))
			continue;
		rs = draughts_set(name, "");
		play_ruleset(name, &rs, plies, seed);
		found = true;
	}
	return found;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "plies", required_argument, NULL, 'p' },
		{ "seed", required_argument, NULL, 's' },
		{ 0 },
	};
	uint64_t plies = PLYD_SANITIZED ? 1000 : 20000, seed = 1;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'p')
			plies = strtoull(optarg, NULL, 10);
		else if (option == 's')
			seed = strtoull(optarg, NULL, 10);
		else
			return EXIT_FAILURE;
	}
	if (!play_all(argv[optind], plies, seed)) {
		fprintf(stderr, "no ruleset %s\n", argv[optind]);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
