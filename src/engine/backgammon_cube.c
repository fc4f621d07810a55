/* SPDX-License-Identifier: MIT
 * Decisions about the doubling cube. An outcome of the game is worth the
 * chance to win the match after it, in millionths; in a game that stands alone
 * its points. A double is right from most of the way on between the chance at which
 * a cube that is never turned again may be turned, and the one at which it must
 * be dropped; and not where playing on for a gammon is worth more than the
 * other's drop. Without a match: from 70 % on, taken from 25 % on. */
#include "engine/engine_priv.h"

enum {
	SINGLE = 1,
	GAMMON = 2,
	NEARLY = 80,     /* percent of that way */
	SURE = 1000000,  /* the match is won */
	POINT = 1000000, /* a point's worth outside matches */
};

/* The chance to win a match in which one still needs so many points and the
 * other so many, by Rick Janowski's formula. */
static int64_t match_chance(int mine, int yours)
{
	if (mine <= 0)
		return SURE;
	if (yours <= 0)
		return 0;
	int trailer = mine > yours ? mine : yours;
	return SURE / 2 +
	       (int64_t)(SURE / 100 * 85) * (yours - mine) / (trailer + 6);
}

/* What it is worth to `side` to win (points > 0) or lose so many points. */
static int64_t worth(const struct ruleset *rs, const struct position *pos,
		     enum side side, int points)
{
	int length = rs->backgammon.match_length;
	if (length == 0)
		return (int64_t)POINT * points;
	int mine = length - pos->stakes.score[side];
	int yours = length - pos->stakes.score[side_other(side)];
	if (points > 0)
		mine -= points;
	else
		yours += points;
	return match_chance(mine, yours);
}

/* The side's expectation if the game is played out with the cube at `cube`. */
static int64_t expectation(const struct ruleset *rs, const struct position *pos,
			   enum side side, const struct chances *c, int cube)
{
	bool single = rs->backgammon.jacoby && cube == 1;
	int gammon = single ? 0 : c->gammon;
	int lost = single ? 0 : c->gammon_lost;
	int64_t won = worth(rs, pos, side, SINGLE * cube) * (1000 - gammon) +
		      worth(rs, pos, side, GAMMON * cube) * gammon;
	int64_t loss = worth(rs, pos, side, -SINGLE * cube) * (1000 - lost) +
		       worth(rs, pos, side, -GAMMON * cube) * lost;
	return (won * c->win + loss * (1000 - c->win)) / 1000000;
}

static struct chances other_way(const struct chances *c)
{
	return (struct chances){ 1000 - c->win, c->gammon_lost, c->gammon };
}

static struct chances chances_of(const struct position *pos,
				 const struct engine_weights *weights)
{
	struct engine_weights standard;
	engine_weights_init(&standard);
	return backgammon_chances(pos, weights ? weights : &standard);
}

bool engine_takes(const struct ruleset *rs, const struct position *pos,
		  const struct engine_weights *weights)
{
	struct chances mover = chances_of(pos, weights);
	struct chances c = other_way(&mover);
	enum side taker = side_other((enum side)pos->side);
	int cube = 1 << pos->stakes.cube;
	return expectation(rs, pos, taker, &c, 2 * cube) >=
	       worth(rs, pos, taker, -cube);
}

/* The chance of winning from which the side is no worse off with twice the
 * cube, if nobody turns it again. */
static int64_t doubling_point(const struct ruleset *rs,
			      const struct position *pos, enum side side,
			      int cube)
{
	int64_t gain =
		worth(rs, pos, side, 2 * cube) - worth(rs, pos, side, cube);
	int64_t risk =
		worth(rs, pos, side, -cube) - worth(rs, pos, side, -2 * cube);
	return gain + risk > 0 ? 1000 * risk / (gain + risk) : 1000;
}

/* The chance of winning from which the other must drop. */
static int64_t drop_point(const struct ruleset *rs, const struct position *pos,
			  enum side side, int cube)
{
	enum side other = side_other(side);
	int64_t drops = worth(rs, pos, other, -cube);
	int64_t wins = worth(rs, pos, other, 2 * cube);
	int64_t loses = worth(rs, pos, other, -2 * cube);
	int64_t spread = wins - loses;
	return spread > 0 ? 1000 - 1000 * (drops - loses) / spread : 1000;
}

bool engine_doubles(const struct ruleset *rs, const struct position *pos,
		    const struct engine_weights *weights)
{
	struct chances c = chances_of(pos, weights);
	enum side side = (enum side)pos->side;
	int cube = 1 << pos->stakes.cube;
	int64_t low = doubling_point(rs, pos, side, cube);
	int64_t high = drop_point(rs, pos, side, cube);
	bool taken = engine_takes(rs, pos, weights);
	if (!taken &&
	    expectation(rs, pos, side, &c, cube) > worth(rs, pos, side, cube))
		return false; /* too good: it plays for the gammon */
	if (low == 0)
		return true; /* nothing is lost by it, as at match point down */
	if (taken)
		low += (high - low) * NEARLY / 100;
	return c.win >= low;
}

bool engine_accepts(const struct ruleset *rs, const struct position *pos,
		    enum side loser, int level,
		    const struct engine_weights *weights)
{
	struct chances c = chances_of(pos, weights);
	enum side winner = side_other(loser);
	int cube = 1 << pos->stakes.cube;
	if (pos->side != winner)
		c = other_way(&c);
	return worth(rs, pos, winner, level * cube) >=
	       expectation(rs, pos, winner, &c, cube);
}
