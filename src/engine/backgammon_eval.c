/* SPDX-License-Identifier: MIT
 * What a position is worth to the side to move before its throw: what was
 * learned, valued by the stakes, and the style of a personality. */
#include "engine/backgammon_priv.h"

#include <string.h>

enum {
	CHECKERS = 15, /* of a side, as the nets have learned it */
	WORTH_MAX = 3 * POINT,
	FAR_AHEAD = 4 /* style counts at least a fourth, however sure */
};

static bool was_learned(const uint8_t *own)
{
	int n = 0;
	for (int p = 0; p < 26; p++)
		n += own[p];
	return n == CHECKERS;
}

static struct backgammon_chances chances(struct judge *j,
					 const struct position *pos)
{
	const uint8_t *own = pos->backgammon.point[pos->side];
	const uint8_t *foe =
		pos->backgammon.point[side_other((enum side)pos->side)];
	return j->learned ? backgammon_judge(own, foe, j->memo)
			  : hand_chances(pos);
}

/* Weights of draughts do not matter here, but do no harm. */
static bool is_styled(const struct engine_weights *w)
{
	struct engine_weights standard;
	engine_weights_init(&standard);
	return memcmp(w, &standard, sizeof(standard)) != 0;
}

/* A gammon is worth what it is in a game that stands alone. */
static bool is_alone(const struct gammon_values *v)
{
	bool alone = true;
	for (int s = WHITE; s <= BLACK; s++)
		alone &= v->gammon[s] == POINT && v->backgammon[s] == POINT;
	return alone;
}

void judge_init(struct judge *j, const struct ruleset *rs,
		const struct position *pos, const struct engine_weights *w,
		struct backgammon_memo *memo)
{
	j->memo = memo;
	j->ruleset = rs;
	j->weights = w;
	j->values = gammon_values(rs, pos);
	j->styled = is_styled(w);
	j->learned = was_learned(pos->backgammon.point[WHITE]) &&
		     was_learned(pos->backgammon.point[BLACK]);
	j->plain = j->learned && !j->styled && is_alone(&j->values);
}

static int gammons_worth(const struct gammon_values *v, enum side winner,
			 int64_t gammon, int64_t backgammon)
{
	return (int)((gammon * v->gammon[winner] +
		      backgammon * v->backgammon[winner]) /
		     POINT);
}

static int worth_of(const struct judge *j, enum side side,
		    const struct backgammon_chances *c)
{
	const int32_t *p = c->chance;
	int gammons = gammons_worth(&j->values, side, p[BACKGAMMON_WIN_GAMMON],
				    p[BACKGAMMON_WIN_BACKGAMMON]) -
		      gammons_worth(&j->values, side_other(side),
				    p[BACKGAMMON_LOSE_GAMMON],
				    p[BACKGAMMON_LOSE_BACKGAMMON]);
	if (j->styled)
		gammons = (int)((int64_t)gammons * j->weights->gammon / 100);
	return 2 * p[BACKGAMMON_WIN] - POINT + gammons;
}

/* A game that is over, won by `winner`. */
static int outcome_worth(const struct judge *j, const struct position *pos,
			 enum side winner)
{
	int points = game_points_lost(j->ruleset, pos, side_other(winner)) >>
		     pos->stakes.cube;
	const struct gammon_values *v = &j->values;
	int worth = POINT;
	if (points >= 2)
		worth += v->gammon[winner];
	if (points >= 3)
		worth += v->backgammon[winner];
	return winner == (enum side)pos->side ? worth : -worth;
}

/* Style counts less where a side is far ahead, as all that it could change. */
static int style_worth(const struct judge *j, const struct position *pos,
		       const struct backgammon_chances *c)
{
	int64_t win = c->chance[BACKGAMMON_WIN];
	int64_t open = 4 * win * (NET_CERTAIN - win) / NET_CERTAIN;
	if (open < NET_CERTAIN / FAR_AHEAD)
		open = NET_CERTAIN / FAR_AHEAD;
	return (int)(hand_style(pos, j->weights) * open * POINT / 1000 /
		     NET_CERTAIN);
}

static bool all_off(const struct position *pos, enum side side)
{
	const uint8_t *point = pos->backgammon.point[side];
	for (int p = 1; p < 26; p++)
		if (point[p])
			return false;
	return true;
}

int judge_position(struct judge *j, const struct position *pos)
{
	enum side side = (enum side)pos->side;
	if (all_off(pos, side))
		return outcome_worth(j, pos, side);
	if (all_off(pos, side_other(side)))
		return outcome_worth(j, pos, side_other(side));
	struct backgammon_chances c = chances(j, pos);
	int worth = worth_of(j, side, &c);
	if (j->styled)
		worth += style_worth(j, pos, &c);
	return clamp(worth, -WORTH_MAX, WORTH_MAX);
}

static void scale(int32_t *chance, int weight, int32_t most)
{
	int64_t c = (int64_t)*chance * weight / 100;
	*chance = c < most ? (int32_t)c : most;
}

struct backgammon_chances judge_chances(struct judge *j,
					const struct position *pos)
{
	struct backgammon_chances c = chances(j, pos);
	if (!j->styled)
		return c;
	int32_t *p = c.chance;
	int weight = j->weights->gammon;
	p[BACKGAMMON_WIN] =
		clamp(p[BACKGAMMON_WIN] + style_worth(j, pos, &c) / 2, 0,
		      NET_CERTAIN);
	scale(&p[BACKGAMMON_WIN_GAMMON], weight, p[BACKGAMMON_WIN]);
	scale(&p[BACKGAMMON_WIN_BACKGAMMON], weight, p[BACKGAMMON_WIN_GAMMON]);
	scale(&p[BACKGAMMON_LOSE_GAMMON], weight,
	      NET_CERTAIN - p[BACKGAMMON_WIN]);
	scale(&p[BACKGAMMON_LOSE_BACKGAMMON], weight,
	      p[BACKGAMMON_LOSE_GAMMON]);
	return c;
}

int judge_millipoints(int worth)
{
	int half = worth < 0 ? -POINT / 2 : POINT / 2;
	return (int)(((int64_t)worth * 1000 + half) / POINT);
}

int backgammon_evaluate(const struct ruleset *rs, const struct position *pos,
			const struct engine_weights *w)
{
	struct backgammon_memo memo = { 0 };
	struct judge j;
	judge_init(&j, rs, pos, w, &memo);
	return judge_millipoints(judge_position(&j, pos));
}
