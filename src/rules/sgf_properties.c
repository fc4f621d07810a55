/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <strings.h>

#include "rules/backgammon_priv.h"
#include "rules/sgf_priv.h"

static const char no_backgammon[] =
	"This does not say that it is backgammon, with GM[6].";

static bool refuse(struct game_reader *r, struct sgf *s, int err,
		   const char *text)
{
	return reader_fault(r, err, s->value_place,
			    span_of(s->value, s->value_len), text);
}

static bool text_is(struct span value, const char *text)
{
	return value.len == strlen(text) &&
	       !strncasecmp((const char *)value.at, text, value.len);
}

static struct span value_of(const struct sgf *s)
{
	return span_of(s->value, s->value_len);
}

/* Cuts off what stands before the next such byte, or all there is. */
static struct span cut(struct span *rest, char end)
{
	const uint8_t *at = memchr(rest->at, end, rest->len);
	struct span part =
		span_of(rest->at, at ? (size_t)(at - rest->at) : rest->len);
	size_t used = part.len + (at != NULL);
	*rest = span_of(rest->at + used, rest->len - used);
	return part;
}

/* ---- what the root says ------------------------------------------------ */

static void read_game(struct game_reader *r, struct sgf *s, enum side side)
{
	(void)side;
	s->game_told = text_is(value_of(s), "6");
	if (!s->game_told)
		refuse(r, s, PLYD_ERULESET,
		       "Only backgammon, game 6, is read.");
}

static void read_player(struct game_reader *r, struct sgf *s, enum side side)
{
	reader_tag(r, span_str(side == WHITE ? "White" : "Black"), value_of(s),
		   s->value_place);
}

/* `length:7`, `game:0`, `ws:3`, `bs:1` */
static void read_match(struct game_reader *r, struct sgf *s, enum side side)
{
	(void)side;
	struct span rest = value_of(s);
	struct span key = cut(&rest, ':');
	bool length = text_is(key, "length"), game = text_is(key, "game");
	bool white = text_is(key, "ws"), black = text_is(key, "bs");
	unsigned n;
	if (!length && !game && !white && !black)
		return;
	if (!number_read(rest, SCORE_MAX, &n)) {
		refuse(r, s, PLYD_ERECORD, "Here a number must stand.");
		return;
	}
	if (length)
		s->told.length = (uint16_t)n;
	if (game && n == 0)
		s->match.known = false; /* another match begins */
	if (white || black) {
		s->told.score[white ? WHITE : BLACK] = (uint16_t)n;
		s->told.score_place = s->value_place;
		s->score_told = true;
	}
}

/* `Crawford:CrawfordGame` */
static void read_rules(struct game_reader *r, struct sgf *s, enum side side)
{
	struct match_told *t = &s->told;
	const struct {
		const char *name;
		bool *told;
	} rules[] = { { "Crawford", &t->crawford },
		      { "CrawfordGame", &t->crawford_game },
		      { "Jacoby", &t->jacoby },
		      { "NoCube", &t->no_cube } };
	enum { RULES = sizeof(rules) / sizeof(rules[0]) };
	struct span rest = value_of(s);
	(void)side;
	while (rest.len > 0) {
		struct span rule = cut(&rest, ':');
		size_t i = 0;
		while (i < RULES && !text_is(rule, rules[i].name))
			i++;
		if (i == RULES) {
			reader_fault(r, PLYD_ERULESET, s->value_place, rule,
				     "This rule is not known here.");
			return;
		}
		*rules[i].told = true;
	}
}

/* `W+2`, `B+1R`, `B+Resign`; `Void`, `?` and nothing tell nothing. */
static void read_result(struct game_reader *r, struct sgf *s, enum side side)
{
	(void)side;
	struct span v = value_of(s);
	size_t digits = 0;
	if (v.len == 0 || text_is(v, "?") || text_is(v, "void"))
		return;
	bool white = v.at[0] == 'W' || v.at[0] == 'w';
	bool black = v.at[0] == 'B' || v.at[0] == 'b';
	if (v.len < 2 || (!white && !black) || v.at[1] != '+') {
		refuse(r, s, PLYD_ERECORD, "This is no result of backgammon.");
		return;
	}
	v = span_of(v.at + 2, v.len - 2);
	while (digits < v.len && v.at[digits] >= '0' && v.at[digits] <= '9')
		digits++;
	struct span how = span_of(v.at + digits, v.len - digits);
	s->resigned = text_is(how, "R") || text_is(how, "Resign");
	s->points = 0;
	if ((how.len > 0 && !s->resigned) ||
	    (digits > 0 &&
	     !number_read(span_of(v.at, digits), SCORE_MAX, &s->points))) {
		refuse(r, s, PLYD_ERECORD, "This is no result of backgammon.");
		return;
	}
	s->result_told = true;
	s->winner = white ? WHITE : BLACK;
	s->result_place = s->value_place;
}

/* ---- setting up -------------------------------------------------------- */

/* One letter, or two as `a:y`, as numbers of White's; the bar is 25. */
static bool points_read(struct span v, int *first, int *last)
{
	if ((v.len != 1 && v.len != 3) || (v.len == 3 && v.at[1] != ':'))
		return false;
	*first = v.at[0] - 'a' + 1;
	*last = v.at[v.len - 1] - 'a' + 1;
	return *first >= 1 && *first <= *last && *last <= BAR;
}

/* The same point in the numbering of its owner. */
static int point_of(enum side side, int point)
{
	return side == WHITE || point == BAR ? point : BAR - point;
}

static bool may_set_up(struct game_reader *r, struct sgf *s, int *first,
		       int *last)
{
	if (s->begun)
		return refuse(r, s, PLYD_ERECORD,
			      "Only before the first turn may a position be "
			      "set up.");
	return points_read(value_of(s), first, last) ||
	       refuse(r, s, PLYD_EPOSITION, "These are no points.");
}

static void read_empty(struct game_reader *r, struct sgf *s, enum side side)
{
	int first, last;
	(void)side;
	if (!may_set_up(r, s, &first, &last))
		return;
	for (int p = first; p <= last; p++) {
		s->start.backgammon.point[WHITE][point_of(WHITE, p)] = 0;
		s->start.backgammon.point[BLACK][point_of(BLACK, p)] = 0;
	}
}

static void read_added(struct game_reader *r, struct sgf *s, enum side side)
{
	int first, last;
	if (!may_set_up(r, s, &first, &last))
		return;
	for (int p = first; p <= last; p++) {
		uint8_t *point =
			&s->start.backgammon.point[side][point_of(side, p)];
		if (*point == CHECKERS_MAX) {
			refuse(r, s, PLYD_EPOSITION,
			       "There are more than 15 checkers.");
			return;
		}
		++*point;
	}
}

static void read_to_play(struct game_reader *r, struct sgf *s, enum side side)
{
	(void)side;
	struct span v = value_of(s);
	bool white = text_is(v, "W") || text_is(v, "White");
	if (!white && !text_is(v, "B") && !text_is(v, "Black")) {
		refuse(r, s, PLYD_ERECORD, "This is no side: W or B.");
		return;
	}
	s->side_told = true;
	s->side = white ? WHITE : BLACK;
}

/* `31`; false if there is none. `00`: none thrown yet. */
static bool dice_read(struct span v, uint8_t dice[2])
{
	if (v.len < 2)
		return false;
	for (size_t i = 0; i < 2; i++) {
		if (v.at[i] < '0' || v.at[i] > '6')
			return false;
		dice[i] = (uint8_t)(v.at[i] - '0');
	}
	return (dice[0] == 0) == (dice[1] == 0);
}

static void read_dice(struct game_reader *r, struct sgf *s, enum side side)
{
	(void)side;
	if (s->value_len != 2 || !dice_read(value_of(s), s->dice))
		refuse(r, s, PLYD_ERECORD, "These are no two dice.");
}

/* `CV[4]` */
static void read_cube(struct game_reader *r, struct sgf *s, enum side side)
{
	unsigned value, power = 0;
	(void)side;
	if (s->begun) {
		refuse(r, s, PLYD_ERECORD,
		       "Only before the first turn may the cube be set up.");
		return;
	}
	if (!number_read(value_of(s), 1u << CUBE_MAX, &value))
		value = 0;
	while (power < CUBE_MAX && 1u << power < value)
		power++;
	if (value != 1u << power) {
		refuse(r, s, PLYD_EPOSITION, "The cube shows no such number.");
		return;
	}
	s->told.cube = (uint8_t)power;
	s->told.cube_place = s->value_place;
}

/* `CO[w]`, `CO[b]`; `c` is in the middle, `n` there is none. */
static void read_cube_owner(struct game_reader *r, struct sgf *s,
			    enum side side)
{
	struct span v = value_of(s);
	(void)side;
	if (s->begun) {
		refuse(r, s, PLYD_ERECORD,
		       "Only before the first turn may the cube be set up.");
		return;
	}
	s->told.cube_place = s->value_place;
	if (text_is(v, "w"))
		s->told.cube_owner = CUBE_WHITE;
	else if (text_is(v, "b"))
		s->told.cube_owner = CUBE_BLACK;
	else if (text_is(v, "n"))
		s->told.no_cube = true;
	else if (!text_is(v, "c"))
		refuse(r, s, PLYD_ERECORD, "This is nobody: b, w, c or n.");
}

/* ---- turns ------------------------------------------------------------- */

/* The game is known and its start settled. */
static bool begin(struct game_reader *r, struct sgf *s)
{
	struct position start = s->start;
	if (s->begun)
		return true;
	s->begun = true;
	if (!s->game_told)
		return reader_fault(r, PLYD_ERULESET, r->game.place,
				    span_of("", 0), no_backgammon);
	const char *why = position_complete(&r->game.ruleset, &start);
	if (why)
		return reader_fault(r, PLYD_EPOSITION, r->game.place,
				    span_of("", 0), why);
	reader_start(r, &start);
	s->match.known = s->match.known && s->score_told;
	return record_match(r, &s->match, &s->told);
}

enum { HOP_TEXT_MAX = 6, TURN_TEXT_MAX = HOPS_MAX * HOP_TEXT_MAX + 1 };

/* A letter as the mover's number; -1: it is none. */
static int letter_point(enum side side, uint8_t c)
{
	if (c < 'a' || c > 'z')
		return -1;
	return c == 'z' ? OFF : point_of(side, c - 'a' + 1);
}

/* `lqln` as `13/8 13/11`; returns its length, -1 if it is no move. */
static int hops_read(enum side side, struct span v, char out[TURN_TEXT_MAX])
{
	int len = 0;
	if (v.len % 2 != 0 || v.len > 2u * HOPS_MAX)
		return -1;
	for (size_t i = 0; i < v.len; i += 2) {
		int from = letter_point(side, v.at[i]);
		int to = letter_point(side, v.at[i + 1]);
		if (from < 0 || to < 0)
			return -1;
		len += snprintf(out + len, (size_t)(TURN_TEXT_MAX - len),
				"%s%d/%d", i > 0 ? " " : "", from, to);
	}
	return len;
}

/* `double`, `take` or `drop`; returns whether it is one of them. */
static bool read_cube_action(struct game_reader *r, struct sgf *s,
			     enum side side)
{
	const struct cube_text text = { .side = side,
					.word = value_of(s),
					.place = s->value_place };
	bool take = text_is(text.word, "take");
	if (text_is(text.word, "double"))
		record_double(r, &s->match, &text, 0);
	else if (take || text_is(text.word, "drop"))
		record_answer(r, &s->match, &text, take);
	else
		return false;
	return true;
}

/* Whether DI and PL before the turn agree with it; they hold for this one. */
static bool as_told(struct sgf *s, const struct turn_text *turn)
{
	bool side = !s->side_told || s->side == turn->side;
	bool dice =
		s->dice[0] == 0 ||
		!memcmp(s->dice, turn->dice, sizeof(turn->dice)) ||
		(s->dice[0] == turn->dice[1] && s->dice[1] == turn->dice[0]);
	s->side_told = false;
	memset(s->dice, 0, sizeof(s->dice));
	return side && dice;
}

static void read_turn(struct game_reader *r, struct sgf *s, enum side side)
{
	char text[TURN_TEXT_MAX] = "";
	struct span v = value_of(s);
	struct turn_text turn = { .side = side,
				  .dice_place = s->value_place,
				  .move_place = s->value_place };
	if (!begin(r, s) || read_cube_action(r, s, side))
		return;
	int len = -1;
	if (dice_read(v, turn.dice) && turn.dice[0] > 0)
		len = hops_read(side, span_of(v.at + 2, v.len - 2), text);
	if (len < 0)
		refuse(r, s, PLYD_ERECORD,
		       "This is no turn: two dice and up to four pairs of "
		       "points.");
	else if (!as_told(s, &turn))
		refuse(r, s, PLYD_ERECORD,
		       "Before this turn another side or other dice are "
		       "told.");
	turn.move = span_of(text, len > 0 ? (size_t)len : 0);
	turn.move_place.offset += 2;
	turn.move_place.column += 2;
	record_turn(r, &s->match, &turn);
}

/* ---- all of them ------------------------------------------------------- */

static const struct property {
	const char *name;
	void (*read)(struct game_reader *r, struct sgf *s, enum side side);
	enum side side;
} properties[] = {
	{ "W", read_turn, WHITE },        { "B", read_turn, BLACK },
	{ "GM", read_game, WHITE },       { "PW", read_player, WHITE },
	{ "PB", read_player, BLACK },     { "MI", read_match, WHITE },
	{ "RU", read_rules, WHITE },      { "RE", read_result, WHITE },
	{ "AE", read_empty, WHITE },      { "AW", read_added, WHITE },
	{ "AB", read_added, BLACK },      { "PL", read_to_play, WHITE },
	{ "DI", read_dice, WHITE },       { "CV", read_cube, WHITE },
	{ "CO", read_cube_owner, WHITE },
};

static const struct property *property_find(const struct sgf *s)
{
	struct span name = span_of(s->name, s->name_len);
	for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]);
	     i++) {
		if (span_is(name, properties[i].name))
			return &properties[i];
	}
	return NULL;
}

enum sgf_want sgf_wanted(const struct sgf *s)
{
	if (span_is(span_of(s->name, s->name_len), "C"))
		return SGF_COMMENT;
	return property_find(s) ? SGF_VALUE_READ : SGF_NOTHING;
}

void sgf_property(struct game_reader *r, struct sgf *s)
{
	const struct property *p = property_find(s);
	p->read(r, s, p->side);
}

void sgf_game_begins(struct game_reader *r, struct sgf *s)
{
	s->game_told = false;
	s->begun = false;
	s->side_told = false;
	s->result_told = false;
	memset(s->dice, 0, sizeof(s->dice));
	s->told = (struct match_told){ .score_place = r->here,
				       .cube_place = r->here };
	s->score_told = false;
	reader_begin(r, r->here);
	if (record_begin(r, &s->match, r->here))
		s->start = r->game.start;
}

void sgf_game_ends(struct game_reader *r, struct sgf *s)
{
	bool over = false;
	if (!r->faulty && begin(r, s))
		over = s->match.dropped.over ||
		       game_outcome(&r->game.ruleset, &r->position).over;
	if (!s->result_told) {
		record_broken_off(r, &s->match, r->here);
		return;
	}
	if (!over && !s->resigned)
		reader_fault(r, PLYD_ERECORD, s->result_place, span_of("", 0),
			     "The game has not come to this end, and the "
			     "result does not say that it was resigned.");
	record_won(r, &s->match, s->winner, s->points, s->result_place);
}
