/* SPDX-License-Identifier: MIT
 * What a game of backgammon is played with and for: its start and number of
 * checkers, gammons, the doubling cube, the match. The cube and Crawford's rule
 * are as in the general rules of tournaments; Jacoby's rule is for games that
 * stand alone. */
#include <assert.h>
#include <string.h>

#include "rules/backgammon_priv.h"
#include "rules/options_priv.h"

/* ---- starts ------------------------------------------------------------ */

/* Nackgammon (Nack Ballard) keeps two more checkers back; hypergammon has three
 * checkers a side, all far back. */
static const struct {
	uint8_t checkers;
	uint8_t point[BAR + 1];
} starts[] = {
	[START_STANDARD] = { 15, { [24] = 2, [13] = 5, [8] = 3, [6] = 5 } },
	[START_NACK] = { 15,
			 { [24] = 2, [23] = 2, [13] = 4, [8] = 3, [6] = 4 } },
	[START_HYPER] = { 3, { [24] = 1, [23] = 1, [22] = 1 } },
};

void backgammon_start(const struct ruleset *rs, struct position *out)
{
	memset(out, 0, sizeof(*out));
	for (int side = WHITE; side <= BLACK; side++)
		memcpy(out->backgammon.point[side],
		       starts[rs->backgammon.start].point, BAR + 1);
}

unsigned checkers_of(const struct ruleset *rs)
{
	return starts[rs->backgammon.start].checkers;
}

bool backgammon_over(const struct ruleset *rs, const struct position *pos)
{
	unsigned all = checkers_of(rs);
	return pos->backgammon.point[WHITE][OFF] == all ||
	       pos->backgammon.point[BLACK][OFF] == all;
}

/* ---- what a loss counts ------------------------------------------------ */

/* Gammon: none borne off. Backgammon: moreover one on the bar or in the
 * winner's home, which is 19 to 24 in the loser's numbering. */
unsigned stakes_level(const struct ruleset *rs, const struct position *pos,
		      enum side loser)
{
	const uint8_t *point = pos->backgammon.point[loser];
	if (rs->backgammon.jacoby == OPTION_YES && pos->stakes.cube == 0)
		return 1;
	if (point[OFF] > 0)
		return 1;
	for (int p = POINTS - HOME + 1; p <= BAR; p++) {
		if (point[p] > 0)
			return 3;
	}
	return 2;
}

/* ---- the cube ---------------------------------------------------------- */

static unsigned match_length(const struct ruleset *rs)
{
	return rs->family == FAMILY_BACKGAMMON ? rs->backgammon.match_length
					       : 0;
}

static enum cube_owner owner_of(enum side side)
{
	return side == WHITE ? CUBE_WHITE : CUBE_BLACK;
}

enum reason game_may_double(const struct ruleset *rs,
			    const struct position *pos)
{
	const struct stakes *k = &pos->stakes;
	enum side mover = (enum side)pos->side;
	unsigned length = match_length(rs);
	if (rs->family != FAMILY_BACKGAMMON || rs->backgammon.cube == OPTION_NO)
		return REASON_NO_CUBE;
	if (pos->dice[0] != 0)
		return REASON_AFTER_THROW;
	if (k->crawford)
		return REASON_CRAWFORD_GAME;
	if (k->cube_owner == owner_of(side_other(mover)))
		return REASON_NOT_YOUR_CUBE;
	if (k->cube == CUBE_MAX)
		return REASON_CUBE_AT_LIMIT;
	if (length > 0 && k->score[mover] + (1u << k->cube) >= length)
		return REASON_DEAD_CUBE;
	return REASON_NONE;
}

void game_take(const struct position *pos, struct position *out)
{
	assert(pos->stakes.cube < CUBE_MAX && pos->dice[0] == 0);
	*out = *pos;
	out->stakes.cube++;
	out->stakes.cube_owner =
		(uint8_t)owner_of(side_other((enum side)pos->side));
}

struct outcome game_drop(const struct position *pos)
{
	return (struct outcome){
		.over = true,
		.winner = (enum side)pos->side,
		.points = (uint16_t)(1u << pos->stakes.cube),
		.why = "dropped",
	};
}

/* ---- the match --------------------------------------------------------- */

/* Crawford's rule: the game after a side first comes within a point of the
 * match. If the other had come so far before, that game has been. */
static bool crawford_next(const struct ruleset *rs, const uint8_t score[2],
			  enum side winner)
{
	unsigned last = match_length(rs) - 1;
	return rs->backgammon.crawford == OPTION_YES && score[winner] == last &&
	       score[side_other(winner)] != last;
}

int game_next(const struct ruleset *rs, const struct position *pos,
	      const struct outcome *outcome, struct position *out)
{
	unsigned length = match_length(rs);
	enum side winner = outcome->winner;
	struct position next = *pos;
	assert(outcome->over);
	next.dice[0] = 0;
	next.dice[1] = 0;
	if (length > 0) {
		unsigned score = pos->stakes.score[winner] + outcome->points;
		score = score < length ? score : length;
		next.stakes.score[winner] = (uint8_t)score;
		next.stakes.crawford = 0;
	}
	if (length == 0 || next.stakes.score[winner] == length) {
		*out = next;
		return (int)winner;
	}
	game_start(rs, out);
	memcpy(out->stakes.score, next.stakes.score, sizeof(next.stakes.score));
	out->stakes.crawford = crawford_next(rs, out->stakes.score, winner);
	return -1;
}

/* ---- as fields of an XGID ---------------------------------------------- */

static const char *cube_read(const int field[XGID_FIELDS], struct stakes *out,
			     enum xgid_field *bad)
{
	int cube = field[XGID_CUBE], owner = field[XGID_CUBE_OWNER];
	*bad = XGID_CUBE;
	if (cube < 0 || cube > CUBE_MAX)
		return "The cube is a power of two from 0 to 10.";
	*bad = XGID_CUBE_OWNER;
	if (owner < -1 || owner > 1)
		return "The cube is White's (1), Black's (-1) or nobody's (0).";
	if ((cube == 0) != (owner == 0))
		return "The cube is nobody's just until it is turned.";
	out->cube = (uint8_t)cube;
	if (owner != 0)
		out->cube_owner = (uint8_t)owner_of(owner > 0 ? WHITE : BLACK);
	return NULL;
}

static const char *score_read(const int field[XGID_FIELDS], int length,
			      struct stakes *out, enum xgid_field *bad)
{
	static const enum xgid_field of[2] = {
		[WHITE] = XGID_SCORE_WHITE, [BLACK] = XGID_SCORE_BLACK
	};
	*bad = XGID_MATCH_LENGTH;
	if (field[XGID_MATCH_LENGTH] != length)
		return "A match of this ruleset has another length.";
	for (int side = WHITE; side <= BLACK; side++) {
		*bad = of[side];
		if (field[of[side]] < 0 || field[of[side]] > length)
			return "A score is 0 to the match's length.";
		out->score[side] = (uint8_t)field[of[side]];
	}
	if (out->score[WHITE] == length && out->score[BLACK] == length)
		return "Only one side can have won the match.";
	return NULL;
}

/* out has the cube and the score. */
static const char *crawford_read(const struct ruleset *rs, int flag,
				 struct stakes *out)
{
	unsigned last = match_length(rs) - 1;
	unsigned white = out->score[WHITE], black = out->score[BLACK];
	if (flag != 0 && flag != 1)
		return "The Crawford game is 0 or 1.";
	if (flag == 1 && rs->backgammon.crawford == OPTION_NO)
		return "This ruleset has no Crawford game.";
	if (flag == 1 && !(white == last && black < last) &&
	    !(black == last && white < last))
		return "In the Crawford game just one side is a point short of "
		       "the match.";
	if (flag == 1 && out->cube > 0)
		return "In the Crawford game nobody turns the cube.";
	out->crawford = (uint8_t)flag;
	return NULL;
}

const char *stakes_read(const struct ruleset *rs, const int field[XGID_FIELDS],
			struct stakes *out, enum xgid_field *bad)
{
	const char *why = NULL;
	unsigned length = match_length(rs);
	memset(out, 0, sizeof(*out));
	if (rs->backgammon.cube == OPTION_YES)
		why = cube_read(field, out, bad);
	if (!why && length > 0)
		why = score_read(field, (int)length, out, bad);
	if (!why && length > 0) {
		*bad = XGID_FLAG;
		why = crawford_read(rs, field[XGID_FLAG], out);
	}
	return why;
}

void stakes_write(const struct ruleset *rs, const struct stakes *stakes,
		  int field[XGID_FIELDS])
{
	static const int owner[] = {
		[CUBE_CENTRED] = 0, [CUBE_WHITE] = 1, [CUBE_BLACK] = -1
	};
	bool jacoby = rs->backgammon.jacoby == OPTION_YES;
	field[XGID_CUBE] = stakes->cube;
	field[XGID_CUBE_OWNER] = owner[stakes->cube_owner];
	field[XGID_SCORE_WHITE] = stakes->score[WHITE];
	field[XGID_SCORE_BLACK] = stakes->score[BLACK];
	field[XGID_FLAG] = jacoby ? 1 : stakes->crawford;
	field[XGID_MATCH_LENGTH] = (int)match_length(rs);
	field[XGID_CUBE_MAX] = CUBE_MAX;
}
