/* SPDX-License-Identifier: MIT */
#include "rules/backgammon_record_priv.h"

enum { RESIGNED_POINTS_MAX = 3 };

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

bool record_begin(struct game_reader *r, struct text_place place)
{
	/* the formats do not say which rules of backgammon were played by */
	bool any = r->is_asked && r->asked.family == FAMILY_BACKGAMMON;
	const char *const names[] = { any ? r->asked.name : "short-backgammon",
				      NULL };
	struct position start;
	if (!reader_ruleset(r, names, place))
		return false;
	if (ruleset_has_stakes(&r->game.ruleset))
		return reader_fault(r, PLYD_ERULESET, place, span_of("", 0),
				    "Records are read by rulesets without a "
				    "cube and a match only.");
	game_start(&r->game.ruleset, &start);
	reader_start(r, &start);
	return true;
}

bool record_score(struct game_reader *r, const struct match_so_far *match,
		  const uint16_t score[2], struct text_place place)
{
	r->game.score[WHITE] = score[WHITE];
	r->game.score[BLACK] = score[BLACK];
	return !match->known ||
	       (score[WHITE] == match->score[WHITE] &&
		score[BLACK] == match->score[BLACK]) ||
	       wrong(r, place, span_of("", 0),
		     "The score is not what the games before it led to.");
}

/* Lets the side of the first turn begin, if it may. From a position that was
 * set up either may, with any dice. */
static bool first_turn(struct game_reader *r, const struct turn_text *turn)
{
	const struct ruleset *rs = &r->game.ruleset;
	struct position usual, start = r->game.start;
	int first = ruleset_first(rs);
	game_start(rs, &usual);
	bool set_up = memcmp(&usual.backgammon, &start.backgammon,
			     sizeof(start.backgammon)) != 0;
	if (!set_up && first >= 0 && turn->side != (enum side)first)
		return wrong(r, turn->dice_place, span_of("", 0),
			     "In this ruleset the other side begins.");
	if (!set_up && first < 0 && turn->dice[0] == turn->dice[1])
		return wrong(r, turn->dice_place, span_of("", 0),
			     "Equal dice do not decide who begins.");
	start.side = (uint8_t)turn->side;
	reader_start(r, &start);
	return true;
}

bool record_turn(struct game_reader *r, const struct turn_text *turn)
{
	if (r->faulty)
		return false;
	const struct ruleset *rs = &r->game.ruleset;
	if (game_outcome(rs, &r->position).over)
		return wrong(r, turn->dice_place, span_of("", 0),
			     "The game was over before this turn.");
	if (r->game.entry_count == 0 && !first_turn(r, turn))
		return false;
	if ((enum side)r->position.side != turn->side)
		return wrong(r, turn->dice_place, span_of("", 0),
			     "It is the other side's turn.");
	game_throw(&r->position, turn->dice[0], turn->dice[1], &r->position);
	if (turn->move.len > 0)
		return reader_move(r, turn->move, turn->move_place);
	if (game_can_move(rs, &r->position))
		return wrong(r, turn->dice_place, span_of("", 0),
			     "There is a legal move, but none is written.");
	return reader_entry(r, ENTRY_PASS, turn->side, turn->dice_place);
}

bool record_cube(struct game_reader *r, struct text_place place,
		 struct span word)
{
	return reader_fault(r, PLYD_ERULESET, place, word,
			    "This ruleset has no doubling cube.");
}

static void finish(struct game_reader *r, struct match_so_far *match,
		   enum side winner, unsigned points, struct text_place place)
{
	uint16_t score[2] = { r->game.score[WHITE], r->game.score[BLACK] };
	score[winner] = (uint16_t)(score[winner] + points);
	match->known = !r->faulty;
	reader_finish(r, winner == WHITE ? RESULT_WHITE : RESULT_BLACK,
		      (uint8_t)points, place);
	match->known = match->known && !r->faulty;
	match->score[WHITE] = score[WHITE];
	match->score[BLACK] = score[BLACK];
}

void record_won(struct game_reader *r, struct match_so_far *match,
		enum side winner, unsigned points, struct text_place place)
{
	struct outcome o = { 0 };
	if (!r->faulty)
		o = game_outcome(&r->game.ruleset, &r->position);
	if (o.over && points == 0)
		points = o.points;
	if (points < 1 || points > RESIGNED_POINTS_MAX)
		wrong(r, place, span_of("", 0),
		      "Without a cube a game counts 1, 2 or 3 points.");
	finish(r, match, winner, points, place);
}

void record_broken_off(struct game_reader *r, struct match_so_far *match,
		       struct text_place place)
{
	struct outcome o = { 0 };
	if (!r->faulty)
		o = game_outcome(&r->game.ruleset, &r->position);
	if (o.over) {
		finish(r, match, o.winner, o.points, place);
		return;
	}
	match->known = false;
	reader_finish(r, RESULT_NONE, 0, place);
}
