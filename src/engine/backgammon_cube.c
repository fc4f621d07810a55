/* SPDX-License-Identifier: MIT
 * Decisions about the doubling cube, and what the stakes make of gammons.
 *
 * In a game that stands alone they follow Rick Janowski's model ("Take-points
 * in money games"): the cube's owner can use it well, but not perfectly, and
 * what it is then worth lies a share of the way between a cube that is never
 * turned again and one that is turned at the perfect moment. In a match, an
 * outcome is worth the chance to win the match after it, in millionths. There a
 * double is right from most of the way on between the chance at which a cube
 * that is never turned again may be turned, and the one at which it must be
 * dropped. Nobody doubles where playing on for a gammon is worth more than the
 * other's drop. */
#include "engine/backgammon_priv.h"

enum {
	SINGLE = 1,
	GAMMON = 2,
	BACKGAMMON = 3,
	NEARLY = 80,    /* percent of that way */
	LIVE = 68,      /* percent of that share */
	SURE = 1000000, /* the match is won */
	PARTS = 1000000 /* of a point, outside matches */
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
		return (int64_t)PARTS * points;
	int mine = length - pos->stakes.score[side];
	int yours = length - pos->stakes.score[side_other(side)];
	if (points > 0)
		mine -= points;
	else
		yours += points;
	return match_chance(mine, yours);
}

/* Whether Jacoby's rule makes every game a single one. */
static bool only_singles(const struct ruleset *rs, int cube)
{
	return rs->backgammon.jacoby && cube == 1;
}

struct gammon_values gammon_values(const struct ruleset *rs,
				   const struct position *pos)
{
	struct gammon_values v = { { 0, 0 }, { 0, 0 } };
	int cube = 1 << pos->stakes.cube;
	if (only_singles(rs, cube))
		return v;
	for (int s = 0; s < 2; s++) {
		enum side side = (enum side)s;
		int64_t won = worth(rs, pos, side, SINGLE * cube);
		int64_t lost = worth(rs, pos, side, -SINGLE * cube);
		int64_t two = worth(rs, pos, side, GAMMON * cube);
		int64_t three = worth(rs, pos, side, BACKGAMMON * cube);
		if (won <= lost) { /* no such game is played */
			v.gammon[s] = v.backgammon[s] = POINT;
			continue;
		}
		v.gammon[s] = (int)(2 * (two - won) * POINT / (won - lost));
		v.backgammon[s] =
			(int)(2 * (three - two) * POINT / (won - lost));
	}
	return v;
}

/* ---- chances ----------------------------------------------------------- */

/* A position to decide about, and its chances. */
struct decision {
	const struct ruleset *rs;
	const struct position *pos;
	struct backgammon_chances chances; /* of the side to move */
};

static struct decision decision_at(const struct ruleset *rs,
				   const struct position *pos,
				   const struct engine_weights *weights)
{
	struct engine_weights standard;
	struct judge judge;
	struct backgammon_memo memo = { 0 };
	engine_weights_init(&standard);
	judge_init(&judge, rs, pos, weights ? weights : &standard, &memo);
	return (struct decision){ rs, pos, judge_chances(&judge, pos) };
}

/* What the chances make of winning or losing so many points, for a cube. */
struct prospects {
	int32_t single; /* of NET_CERTAIN, like the others: won, no gammon */
	int32_t gammon; /* won, no backgammon */
	int32_t backgammon; /* won */
	int32_t lost_single;
	int32_t lost_gammon;
	int32_t lost_backgammon;
};

/* Those of `side`, whoever is to move. */
static struct prospects prospects_of(const struct decision *d, enum side side,
				     int cube)
{
	struct backgammon_chances c = d->chances;
	int32_t *p = c.chance;
	if (only_singles(d->rs, cube))
		p[BACKGAMMON_WIN_GAMMON] = p[BACKGAMMON_WIN_BACKGAMMON] =
			p[BACKGAMMON_LOSE_GAMMON] =
				p[BACKGAMMON_LOSE_BACKGAMMON] = 0;
	struct prospects mine = {
		p[BACKGAMMON_WIN] - p[BACKGAMMON_WIN_GAMMON],
		p[BACKGAMMON_WIN_GAMMON] - p[BACKGAMMON_WIN_BACKGAMMON],
		p[BACKGAMMON_WIN_BACKGAMMON],
		NET_CERTAIN - p[BACKGAMMON_WIN] - p[BACKGAMMON_LOSE_GAMMON],
		p[BACKGAMMON_LOSE_GAMMON] - p[BACKGAMMON_LOSE_BACKGAMMON],
		p[BACKGAMMON_LOSE_BACKGAMMON],
	};
	if (side == (enum side)d->pos->side)
		return mine;
	return (struct prospects){ mine.lost_single,     mine.lost_gammon,
				   mine.lost_backgammon, mine.single,
				   mine.gammon,          mine.backgammon };
}

static int32_t winning(const struct prospects *p)
{
	return p->single + p->gammon + p->backgammon;
}

/* The side's expectation if the game is played out with the cube at `cube`. */
static int64_t expectation(const struct decision *d, enum side side, int cube)
{
	struct prospects p = prospects_of(d, side, cube);
	return (worth(d->rs, d->pos, side, SINGLE * cube) * p.single +
		worth(d->rs, d->pos, side, GAMMON * cube) * p.gammon +
		worth(d->rs, d->pos, side, BACKGAMMON * cube) * p.backgammon +
		worth(d->rs, d->pos, side, -SINGLE * cube) * p.lost_single +
		worth(d->rs, d->pos, side, -GAMMON * cube) * p.lost_gammon +
		worth(d->rs, d->pos, side, -BACKGAMMON * cube) *
			p.lost_backgammon) /
	       NET_CERTAIN;
}

/* ---- money ------------------------------------------------------------- */

enum owner { OWN, CENTRED, OTHERS };

/* Equity in PARTS of a cube at 1 that lies with `owner`, seen by the side of
 * the prospects; where neither has to drop a double. */
static int64_t live_equity(const struct prospects *p, enum owner owner)
{
	int64_t win = winning(p);
	int64_t lose = NET_CERTAIN - win;
	/* points of a won and of a lost game on average, in PARTS */
	int64_t w = PARTS;
	int64_t l = PARTS;
	if (win > 0)
		w += (p->gammon + 2 * (int64_t)p->backgammon) * PARTS / win;
	if (lose > 0)
		l += (p->lost_gammon + 2 * (int64_t)p->lost_backgammon) *
		     PARTS / lose;
	int64_t half_live = PARTS / 200 * LIVE;
	int64_t sum = win * (w + l + half_live) / NET_CERTAIN - l;
	switch (owner) {
	case OWN: return sum;
	case OTHERS: return sum - half_live;
	default: return (sum - half_live / 2) * 400 / (400 - LIVE);
	}
}

static bool takes_alone(const struct decision *d)
{
	struct prospects p =
		prospects_of(d, side_other((enum side)d->pos->side), 2);
	return 2 * live_equity(&p, OWN) >= -(int64_t)PARTS;
}

static bool doubles_alone(const struct decision *d, int cube)
{
	enum side side = (enum side)d->pos->side;
	struct prospects before = prospects_of(d, side, cube);
	struct prospects after = prospects_of(d, side, 2 * cube);
	enum owner owner =
		d->pos->stakes.cube_owner == CUBE_CENTRED ? CENTRED : OWN;
	if (!takes_alone(d))
		return true;
	return 2 * live_equity(&after, OTHERS) >= live_equity(&before, owner);
}

/* ---- matches ----------------------------------------------------------- */

static bool takes_in_match(const struct decision *d, int cube)
{
	enum side taker = side_other((enum side)d->pos->side);
	return expectation(d, taker, 2 * cube) >=
	       worth(d->rs, d->pos, taker, -cube);
}

/* The chance of winning, of NET_CERTAIN, from which the side is no worse off
 * with twice the cube, if nobody turns it again. */
static int64_t doubling_point(const struct decision *d, enum side side,
			      int cube)
{
	int64_t gain = worth(d->rs, d->pos, side, 2 * cube) -
		       worth(d->rs, d->pos, side, cube);
	int64_t risk = worth(d->rs, d->pos, side, -cube) -
		       worth(d->rs, d->pos, side, -2 * cube);
	return gain + risk > 0 ? NET_CERTAIN * risk / (gain + risk)
			       : NET_CERTAIN;
}

/* The chance of winning from which the other must drop. */
static int64_t drop_point(const struct decision *d, enum side side, int cube)
{
	enum side other = side_other(side);
	int64_t drops = worth(d->rs, d->pos, other, -cube);
	int64_t wins = worth(d->rs, d->pos, other, 2 * cube);
	int64_t loses = worth(d->rs, d->pos, other, -2 * cube);
	int64_t spread = wins - loses;
	return spread > 0 ? NET_CERTAIN - NET_CERTAIN * (drops - loses) / spread
			  : NET_CERTAIN;
}

static bool doubles_in_match(const struct decision *d, int cube)
{
	enum side side = (enum side)d->pos->side;
	struct prospects p = prospects_of(d, side, cube);
	int64_t low = doubling_point(d, side, cube);
	int64_t high = drop_point(d, side, cube);
	if (low == 0)
		return true; /* nothing is lost by it, as at match point down */
	if (takes_in_match(d, cube))
		low += (high - low) * NEARLY / 100;
	return winning(&p) >= low;
}

/* ---- decisions --------------------------------------------------------- */

static bool takes(const struct decision *d)
{
	return d->rs->backgammon.match_length
		       ? takes_in_match(d, 1 << d->pos->stakes.cube)
		       : takes_alone(d);
}

static bool doubles(const struct decision *d)
{
	enum side side = (enum side)d->pos->side;
	int cube = 1 << d->pos->stakes.cube;
	if (!takes(d) &&
	    expectation(d, side, cube) > worth(d->rs, d->pos, side, cube))
		return false; /* too good: it plays for the gammon */
	return d->rs->backgammon.match_length ? doubles_in_match(d, cube)
					      : doubles_alone(d, cube);
}

bool engine_takes(const struct ruleset *rs, const struct position *pos,
		  const struct engine_weights *weights)
{
	struct decision d = decision_at(rs, pos, weights);
	return takes(&d);
}

bool engine_doubles(const struct ruleset *rs, const struct position *pos,
		    const struct engine_weights *weights)
{
	struct decision d = decision_at(rs, pos, weights);
	return doubles(&d);
}

bool engine_accepts(const struct ruleset *rs, const struct position *pos,
		    enum side loser, int level,
		    const struct engine_weights *weights)
{
	struct decision d = decision_at(rs, pos, weights);
	enum side winner = side_other(loser);
	int cube = 1 << pos->stakes.cube;
	return worth(rs, pos, winner, level * cube) >=
	       expectation(&d, winner, cube);
}
