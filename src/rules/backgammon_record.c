/* SPDX-License-Identifier: MIT */
#include "rules/backgammon_priv.h"
#include "rules/backgammon_record_priv.h"
#include "rules/options_priv.h"

enum {
	LEVEL_MAX = 3,         /* what a loss counts, without the cube */
	STAKES_LENGTH_MAX = 64 /* greatest value of the option match_length */
};

bool number_read(struct span text, unsigned max, unsigned *out)
{
	unsigned value = 0;
	if (text.len == 0)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return false;
		value = 10 * value + (unsigned)(text.at[i] - '0');
		if (value > max)
			return false;
	}
	*out = value;
	return true;
}

static bool wrong(struct game_reader *r, struct text_place place,
		  struct span word, const char *text)
{
	return reader_fault(r, PLYD_ERECORD, place, word, text);
}

/* ---- before the first turn --------------------------------------------- */

bool record_begin(struct game_reader *r, struct match_so_far *match,
		  struct text_place place)
{
	/* the formats do not say which rules of backgammon were played by */
	bool any = r->is_asked && r->asked.family == FAMILY_BACKGAMMON;
	const char *const names[] = { any ? r->asked.name : "backgammon-match",
				      NULL };
	struct position start;
	match->doubled = false;
	match->dropped = (struct outcome){ .over = false };
	if (!reader_ruleset(r, names, place))
		return false;
	game_start(&r->game.ruleset, &start);
	reader_start(r, &start);
	return true;
}

/* The options that a record tells: the length, and of a ruleset that was not
 * asked for all that is about the cube. */
static bool rules_settle(struct game_reader *r, const struct match_told *told)
{
	struct backgammon_options *o = &r->game.ruleset.backgammon;
	const char *why;
	if (told->length > STAKES_LENGTH_MAX)
		return reader_fault(r, PLYD_ERULESET, told->score_place,
				    span_of("", 0),
				    "Only matches to 64 points are read.");
	o->match_length = (uint8_t)told->length;
	if (!r->is_asked) {
		o->cube = told->no_cube ? OPTION_NO : OPTION_YES;
		o->crawford = told->crawford || told->crawford_game ? OPTION_YES
								    : OPTION_NO;
		o->jacoby = told->jacoby ? OPTION_YES : OPTION_NO;
	}
	if (o->cube == OPTION_NO || told->length == 0)
		o->crawford = OPTION_NO;
	if (o->cube == OPTION_NO || told->length > 0)
		o->jacoby = OPTION_NO;
	return !ruleset_check(&r->game.ruleset, &why) ||
	       reader_fault(r, PLYD_ERULESET, told->score_place, span_of("", 0),
			    why);
}

/* Puts what is told, and what the games before tell, into the start. */
static bool stakes_settle(struct game_reader *r,
			  const struct match_so_far *match,
			  const struct match_told *told)
{
	static const int owner[] = {
		[CUBE_CENTRED] = 0, [CUBE_WHITE] = 1, [CUBE_BLACK] = -1
	};
	struct position start = r->game.start;
	bool crawford = match->known ? match->crawford : told->crawford_game;
	const int field[XGID_FIELDS] = {
		[XGID_CUBE] = told->cube,
		[XGID_CUBE_OWNER] = owner[told->cube_owner],
		[XGID_SCORE_WHITE] = told->score[WHITE],
		[XGID_SCORE_BLACK] = told->score[BLACK],
		[XGID_FLAG] = crawford,
		[XGID_MATCH_LENGTH] = told->length,
	};
	enum xgid_field bad = XGID_FIELDS;
	const char *why =
		stakes_read(&r->game.ruleset, field, &start.stakes, &bad);
	bool cube = bad == XGID_CUBE || bad == XGID_CUBE_OWNER;
	reader_start(r, &start);
	return !why || wrong(r, cube ? told->cube_place : told->score_place,
			     span_of("", 0), why);
}

/* What the games before say against this one; NULL: nothing. */
static const char *does_not_follow(const struct match_so_far *match,
				   const struct match_told *told)
{
	if (!match->known)
		return NULL;
	if (match->over)
		return "The match was over before this game.";
	if (told->score[WHITE] != match->score[WHITE] ||
	    told->score[BLACK] != match->score[BLACK])
		return "The score is not what the games before it led to.";
	if (told->crawford_game && !match->crawford)
		return "By the games before it this is not the Crawford game.";
	return NULL;
}

static bool has_been_won(const struct match_told *told)
{
	return told->length > 0 && (told->score[WHITE] >= told->length ||
				    told->score[BLACK] >= told->length);
}

bool record_match(struct game_reader *r, struct match_so_far *match,
		  const struct match_told *told)
{
	const char *why = does_not_follow(match, told);
	r->game.match_length = told->length;
	r->game.score[WHITE] = told->score[WHITE];
	r->game.score[BLACK] = told->score[BLACK];
	match->any_jacoby = told->any_jacoby;
	if (r->faulty)
		return false;
	if (why)
		return wrong(r, told->score_place, span_of("", 0), why);
	bool stakes = ruleset_has_stakes(&r->game.ruleset);
	if (stakes && !rules_settle(r, told))
		return false;
	if (told->cube > 0 && r->game.ruleset.backgammon.cube == OPTION_NO)
		return reader_fault(r, PLYD_ERULESET, told->cube_place,
				    span_of("", 0),
				    "This ruleset has no doubling cube.");
	if (stakes && has_been_won(told))
		return wrong(r, told->score_place, span_of("", 0),
			     "By this score the match is over.");
	return !stakes || stakes_settle(r, match, told);
}

/* ---- turns and the cube ------------------------------------------------ */

static bool is_set_up(const struct game_reader *r)
{
	struct position usual;
	game_start(&r->game.ruleset, &usual);
	return r->game.start.stakes.cube > 0 ||
	       memcmp(&usual.backgammon, &r->game.start.backgammon,
		      sizeof(usual.backgammon)) != 0;
}

/* Lets the side of the first entry begin, if it may. From a position that was
 * set up either may, with any dice. dice NULL: it doubles. */
static bool first_side(struct game_reader *r, enum side side,
		       const uint8_t *dice, struct text_place place)
{
	struct position start = r->game.start;
	int first = ruleset_first(&r->game.ruleset);
	bool set_up = is_set_up(r);
	if (!set_up && first >= 0 && side != (enum side)first)
		return wrong(r, place, span_of("", 0),
			     "In this ruleset the other side begins.");
	if (!set_up && first < 0 && !dice)
		return wrong(r, place, span_of("", 0),
			     "Nobody doubles before the first throw.");
	if (!set_up && first < 0 && dice[0] == dice[1])
		return wrong(r, place, span_of("", 0),
			     "Equal dice do not decide who begins.");
	start.side = (uint8_t)side;
	reader_start(r, &start);
	return true;
}

/* Whether `side` may do something now, with these dice or before its throw. */
static bool its_turn(struct game_reader *r, const struct match_so_far *match,
		     enum side side, const uint8_t *dice,
		     struct text_place place)
{
	if (r->faulty)
		return false;
	if (match->dropped.over ||
	    game_outcome(&r->game.ruleset, &r->position).over)
		return wrong(r, place, span_of("", 0),
			     "The game was over before this turn.");
	if (match->doubled)
		return wrong(r, place, span_of("", 0),
			     "The double has not been answered.");
	if (r->game.entry_count == 0 && !first_side(r, side, dice, place))
		return false;
	return (enum side)r->position.side == side ||
	       wrong(r, place, span_of("", 0), "It is the other side's turn.");
}

bool record_turn(struct game_reader *r, const struct match_so_far *match,
		 const struct turn_text *turn)
{
	if (!its_turn(r, match, turn->side, turn->dice, turn->dice_place))
		return false;
	game_throw(&r->position, turn->dice[0], turn->dice[1], &r->position);
	if (turn->move.len > 0)
		return reader_move(r, turn->move, turn->move_place);
	if (game_can_move(&r->game.ruleset, &r->position))
		return wrong(r, turn->dice_place, span_of("", 0),
			     "There is a legal move, but none is written.");
	return reader_entry(r, ENTRY_PASS, turn->side, turn->dice_place);
}

bool record_double(struct game_reader *r, struct match_so_far *match,
		   const struct cube_text *text, unsigned value)
{
	if (!its_turn(r, match, text->side, NULL, text->place))
		return false;
	enum reason reason = game_may_double(&r->game.ruleset, &r->position);
	if (reason != REASON_NONE)
		return reader_refuse(r, reason, text->word, text->place);
	if (value != 0 && value != 2u << r->position.stakes.cube)
		return wrong(r, text->place, text->word,
			     "The cube does not come to this number.");
	match->doubled = true;
	return reader_entry(r, ENTRY_DOUBLE, text->side, text->place);
}

bool record_answer(struct game_reader *r, struct match_so_far *match,
		   const struct cube_text *text, bool take)
{
	if (r->faulty)
		return false;
	if (!match->doubled)
		return wrong(r, text->place, text->word,
			     "There is no double to answer.");
	if ((enum side)r->position.side == text->side)
		return wrong(r, text->place, text->word,
			     "The other side must answer the double.");
	match->doubled = false;
	if (!take)
		match->dropped = game_drop(&r->position);
	return reader_entry(r, take ? ENTRY_TAKE : ENTRY_DROP, text->side,
			    text->place);
}

/* ---- the end ----------------------------------------------------------- */

/* Brings the match up to date with a game that is without a fault so far. */
static void match_goes_on(struct game_reader *r, struct match_so_far *match,
			  const struct outcome *o)
{
	const struct ruleset *rs = &r->game.ruleset;
	struct position next;
	match->over = false;
	match->crawford = false;
	memcpy(match->score, r->game.score, sizeof(match->score));
	match->score[o->winner] =
		(uint16_t)(match->score[o->winner] + o->points);
	if (rs->backgammon.match_length == 0)
		return;
	match->over = game_next(rs, &r->position, o, &next) >= 0;
	match->crawford = next.stakes.crawford;
	match->score[o->winner] = next.stakes.score[o->winner];
}

static void finish(struct game_reader *r, struct match_so_far *match,
		   const struct outcome *o, struct text_place place)
{
	match->known = !r->faulty;
	if (!r->faulty)
		match_goes_on(r, match, o);
	reader_finish(r, o->winner == WHITE ? RESULT_WHITE : RESULT_BLACK,
		      o->points, place);
	match->known = match->known && !r->faulty;
}

/* What has ended the game, if it is not a resignation. */
static struct outcome end_of(const struct game_reader *r,
			     const struct match_so_far *match)
{
	if (r->faulty || match->dropped.over)
		return match->dropped;
	return game_outcome(&r->game.ruleset, &r->position);
}

/* What is wrong with an end that neither the position nor a dropped double
 * tells. */
static const char *resigned_wrong(const struct game_reader *r,
				  const struct match_so_far *match,
				  unsigned points)
{
	unsigned stake = 1u << r->position.stakes.cube, level = points / stake;
	if (match->doubled)
		return "The double has not been answered.";
	if (points % stake != 0 || level < 1 || level > LEVEL_MAX)
		return "A game counts 1, 2 or 3 points, times the cube.";
	if (level > 1 && stake == 1 &&
	    r->game.ruleset.backgammon.jacoby == OPTION_YES)
		return "By Jacoby's rule a game counts once until the cube is "
		       "turned.";
	return NULL;
}

/* Where the format cannot tell of Jacoby's rule, a gammon that counts once
 * does. */
static void jacoby_shows(struct game_reader *r,
			 const struct match_so_far *match, unsigned points)
{
	struct backgammon_options *o = &r->game.ruleset.backgammon;
	if (match->any_jacoby && !r->is_asked && o->match_length == 0 &&
	    points == 1 && r->position.stakes.cube == 0)
		o->jacoby = OPTION_YES;
}

void record_won(struct game_reader *r, struct match_so_far *match,
		enum side winner, unsigned points, struct text_place place)
{
	struct outcome o;
	const char *why = NULL;
	if (!r->faulty)
		jacoby_shows(r, match, points);
	o = end_of(r, match);
	if (points == 0)
		points = o.points;
	if (!r->faulty && match->dropped.over) {
		if (winner != o.winner || points != o.points)
			why = "After a dropped double its side wins what the "
			      "cube showed before.";
	} else if (!r->faulty && !o.over) {
		why = resigned_wrong(r, match, points);
	}
	if (why)
		wrong(r, place, span_of("", 0), why);
	o.over = true;
	o.winner = winner;
	o.points = (uint16_t)points;
	finish(r, match, &o, place);
}

void record_broken_off(struct game_reader *r, struct match_so_far *match,
		       struct text_place place)
{
	struct outcome o = end_of(r, match);
	if (o.over) {
		finish(r, match, &o, place);
		return;
	}
	match->known = false;
	reader_finish(r, RESULT_NONE, 0, place);
}
