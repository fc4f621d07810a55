/* SPDX-License-Identifier: MIT
 * referee_stakes.c - cube, score, Crawford's game and resignations once more,
 * as docs/rules/backgammon-match.md and docs/players.md tell them. Of the rules
 * core neither cube nor match is asked. */
#include "referee_priv.h"

#include <stdio.h>

enum { CUBE_HIGHEST = 1024, LEVELS = 3 };

static void wrong(struct sim *sim, const struct book_match *m,
		  const struct book_fact *f, const char *what)
{
	sim_fail(sim, "%s, fact %zu (%s, ply %u): %s", m->id.text, m->facts,
		 fact_name(f->type), f->ply, what);
}

static int length_of(const struct book_match *m)
{
	return m->rules.family == FAMILY_BACKGAMMON
		       ? m->rules.backgammon.match_length
		       : 0;
}

static bool has_cube(const struct book_match *m)
{
	return m->rules.family == FAMILY_BACKGAMMON && m->rules.backgammon.cube;
}

/* The position says the stakes too. */
static void write_stakes(struct book_fact *f)
{
	const struct book_stakes *k = &f->stakes;
	struct stakes *out = &f->pos.stakes;
	*out = (struct stakes){ 0 };
	while (1 << out->cube < k->value)
		out->cube++;
	out->cube_owner = k->owner < 0        ? CUBE_CENTRED
			  : k->owner == WHITE ? CUBE_WHITE
					      : CUBE_BLACK;
	out->score[WHITE] = (uint8_t)k->score[WHITE];
	out->score[BLACK] = (uint8_t)k->score[BLACK];
	out->crawford = k->crawford;
}

void stakes_begin(struct book_match *m, struct book_fact *f)
{
	f->stakes = (struct book_stakes){
		.value = 1,
		.owner = -1,
		.doubled = -1,
		.game = 1,
		.resign = -1,
		.first = m->rules.family != FAMILY_BACKGAMMON ||
			 ruleset_first(&m->rules) >= 0,
	};
	write_stakes(f);
}

/* -- whose turn it is, and to do what -- */

/* Before its throw, the side to move may double, if the cube is in the middle
 * or its own; not in the Crawford game, and not a cube that is dead. */
static bool may_double(const struct book_match *m, const struct book_fact *f)
{
	const struct book_stakes *k = &f->stakes;
	int side = f->pos.side, length = length_of(m);
	return has_cube(m) && f->playing && k->first && f->pos.dice[0] == 0 &&
	       k->doubled < 0 && !k->crawford && k->owner != 1 - side &&
	       k->value < CUBE_HIGHEST &&
	       (length == 0 || k->score[side] + k->value < length);
}

int turn_after(const struct book_match *m, size_t facts)
{
	const struct book_fact *f = &m->fact[facts - 1];
	if (f->type == FACT_ENDED || !f->playing || f->paused || f->frozen)
		return -1;
	if (f->stakes.doubled >= 0)
		return 1 - f->stakes.doubled;
	if (ruleset_has_dice(&m->rules) && f->pos.dice[0] == 0)
		return may_double(m, f) ? f->pos.side : -1;
	if (ruleset_has_dice(&m->rules) && !game_can_move(&m->rules, &f->pos))
		return -1;
	return f->pos.side;
}

const char *awaits_after(const struct book_match *m, size_t facts)
{
	const struct book_fact *f = &m->fact[facts - 1];
	if (turn_after(m, facts) < 0)
		return "";
	if (f->stakes.doubled >= 0)
		return "answer";
	return ruleset_has_dice(&m->rules) && f->pos.dice[0] == 0 ? "roll"
								  : "move";
}

/* -- what was asked for -- */

static void note(struct book_match *m, const struct asked_act *act)
{
	m->act = sim_grow(m->act, &m->act_cap, m->acts, sizeof(*m->act));
	m->act[m->acts++] = *act;
}

void stakes_asked(struct book_match *m, int side, const struct asked *a)
{
	switch (a->method) {
	case METHOD_MATCH_ROLL:
	case METHOD_MATCH_DOUBLE:
	case METHOD_MATCH_TAKE:
	case METHOD_MATCH_DROP:
	case METHOD_MATCH_RESIGN:
	case METHOD_MATCH_ACCEPT_RESIGN:
	case METHOD_MATCH_DECLINE_RESIGN:
		note(m, &(struct asked_act){ .side = side,
					     .method = a->method,
					     .ply = a->ply,
					     .offer = a->offer,
					     .level = a->level,
					     .game = a->game,
					     .whole = a->flag });
		break;
	case METHOD_MATCH_LEAVE: /* resigns the whole match */
		note(m, &(struct asked_act){ .side = side,
					     .method = METHOD_MATCH_RESIGN,
					     .whole = true });
		break;
	default: break;
	}
}

void stakes_thought_of(struct book_match *m, int side,
		       const struct cmd_thought *t)
{
	struct asked_act act = { .side = side, .ply = t->ply };
	bool yes = t->yes && !t->failed;
	if (t->resign && !t->failed && t->asked != AWAITS_RESIGNATION)
		act.method = METHOD_MATCH_RESIGN;
	else if (t->asked == AWAITS_ROLL)
		act.method = yes ? METHOD_MATCH_DOUBLE : METHOD_MATCH_ROLL;
	else if (t->asked == AWAITS_ANSWER)
		act.method = yes || t->failed ? METHOD_MATCH_TAKE
					      : METHOD_MATCH_DROP;
	else if (t->asked == AWAITS_RESIGNATION)
		act.method = yes ? METHOD_MATCH_ACCEPT_RESIGN
				 : METHOD_MATCH_DECLINE_RESIGN;
	else
		return;
	if (t->asked == AWAITS_RESIGNATION) {
		act.ply = 0;
		act.offer = t->offer;
	}
	note(m, &act);
}

/* Whether this seat asked for it at this ply. */
static bool asked_for(const struct book_match *m, int side, enum method method,
		      uint32_t ply)
{
	for (size_t i = 0; i < m->acts; i++)
		if (m->act[i].side == side && m->act[i].method == method &&
		    m->act[i].ply == ply)
			return true;
	return false;
}

static bool answered(const struct book_match *m, int side, enum method method,
		     uint64_t offer)
{
	for (size_t i = 0; i < m->acts; i++)
		if (m->act[i].side == side && m->act[i].method == method &&
		    m->act[i].offer == offer)
			return true;
	return false;
}

/* -- throws -- */

void stakes_rolled(struct sim *sim, struct book_match *m, struct book_fact *now,
		   const struct fact_rolled_body *b)
{
	const struct book_fact *before = &m->fact[m->facts - 1];
	bool may = may_double(m, before);
	now->stakes.asked = b->asked;
	if (before->stakes.doubled >= 0)
		wrong(sim, m, now, "thrown before the double is answered");
	if (b->asked != may) {
		wrong(sim, m, now,
		      may ? "thrown though its player might have doubled"
			  : "asked for where nobody may double");
		return;
	}
	if (!b->asked) {
		if (b->thought_ms != 0)
			wrong(sim, m, now, "the server's throw costs time");
		return;
	}
	if (!asked_for(m, now->side, METHOD_MATCH_ROLL, now->ply))
		wrong(sim, m, now, "nobody at this seat asked for dice");
	now->thought_ms = b->thought_ms;
	lag_told(sim, m, now, now->side, b->lag_ms);
	clock_thought(sim, m, now);
	now->stakes.before_ms = b->thought_ms;
	now->stakes.before_lag_ms = b->lag_ms;
}

/* -- half-moves -- */

void stakes_half_move(struct book_fact *now, int side)
{
	struct book_stakes *k = &now->stakes;
	k->asked = false;
	k->before_ms = k->before_lag_ms = 0;
	k->refused[side] = 0;
	if (k->resign == side)
		k->resign = -1;
}

static void game_is_over(struct book_match *m, int winner, const char *why,
			 int points)
{
	if (length_of(m) == 0) {
		m->must_end = why;
		m->must_result = winner == WHITE ? RESULT_WHITE : RESULT_BLACK;
		m->must_points = points;
		return;
	}
	m->game_over = true;
	m->game_winner = winner;
	m->game_why = why;
	m->game_points = points;
}

void stakes_look_for_end(struct book_match *m, const struct outcome *o)
{
	game_is_over(m, (int)o->winner, o->why, o->points);
}

/* Doubled, taken, dropped. */
static void cube_fact(struct sim *sim, struct book_match *m,
		      struct book_fact *now, const struct fact *f)
{
	const struct fact_doubled_body *b = &f->doubled;
	const struct book_fact *before = &m->fact[m->facts - 1];
	struct book_stakes *k = &now->stakes;
	enum method method = f->type == FACT_DOUBLED ? METHOD_MATCH_DOUBLE
			     : f->type == FACT_TAKEN ? METHOD_MATCH_TAKE
						     : METHOD_MATCH_DROP;
	int side = now->side = (int)b->side;
	bool right = f->type == FACT_DOUBLED ? may_double(m, before)
					     : k->doubled >= 0;
	now->thought_ms = b->thought_ms;
	if (!right || b->ply != now->plies || turn_after(m, m->facts) != side) {
		wrong(sim, m, now, "the cube is turned out of turn");
		return;
	}
	if (!asked_for(m, side, method, now->ply))
		wrong(sim, m, now, "nobody at this seat asked for it");
	now->turn_side = now->side;
	lag_told(sim, m, now, now->side, b->lag_ms);
	clock_moved(sim, m, now, b->left_ms);
	now->left_ms[side] = b->left_ms;
	now->plies++;
	stakes_half_move(now, side);
	if (f->type == FACT_DOUBLED) {
		k->doubled = side;
		return;
	}
	k->doubled = -1;
	if (f->type == FACT_DROPPED) {
		game_is_over(m, 1 - side, "dropped", k->value);
		return;
	}
	k->value *= 2;
	k->owner = side;
	write_stakes(now);
}

/* -- resignations -- */

/* With a checker off a resignation is single; so are all games under Jacoby's
 * rule until the cube is turned. */
static int level_most(const struct book_match *m, const struct book_fact *f,
		      int loser)
{
	if (m->rules.family != FAMILY_BACKGAMMON ||
	    f->pos.backgammon.point[loser][0] > 0)
		return 1;
	return m->rules.backgammon.jacoby && f->stakes.owner < 0 ? 1 : LEVELS;
}

/* Whether an act resigns the present game at this level; 0: as much as it may
 * cost. */
static bool resigns(const struct asked_act *a, const struct book_stakes *k,
		    int loser)
{
	return a->side == loser && a->method == METHOD_MATCH_RESIGN &&
	       (a->game == 0 || a->game == (uint32_t)k->game);
}

bool stakes_resigned(const struct book_match *m, int loser, int points)
{
	const struct book_fact *last = &m->fact[m->facts - 1];
	const struct book_stakes *k = &last->stakes;
	int most = level_most(m, last, loser);
	for (size_t i = 0; i < m->acts; i++) {
		const struct asked_act *a = &m->act[i];
		if (resigns(a, k, loser) &&
		    (a->whole || a->level == 0 || a->level >= most) &&
		    points == most * k->value)
			return true;
	}
	return k->resign == loser && points == k->level * k->value &&
	       answered(m, 1 - loser, METHOD_MATCH_ACCEPT_RESIGN, k->offer);
}

bool stakes_gave_up(const struct book_match *m, int loser)
{
	for (size_t i = 0; i < m->acts; i++)
		if (m->act[i].side == loser && m->act[i].whole &&
		    m->act[i].method == METHOD_MATCH_RESIGN)
			return true;
	return false;
}

static void offered_fact(struct sim *sim, struct book_match *m,
			 struct book_fact *now,
			 const struct fact_resign_offered_body *b)
{
	struct book_stakes *k = &now->stakes;
	int side = now->side = (int)b->side, level = (int)b->level;
	bool asked = false;
	for (size_t i = 0; i < m->acts; i++)
		asked = asked || (resigns(&m->act[i], k, side) &&
				  m->act[i].level == level);
	if (!asked)
		wrong(sim, m, now, "nobody offers to resign so");
	if (!now->playing || level >= level_most(m, now, side) || level < 1)
		wrong(sim, m, now, "no consent is needed for that");
	if (k->resign == 1 - side || level <= k->refused[side] ||
	    (k->resign == side && level <= k->level))
		wrong(sim, m, now, "that was offered before");
	k->resign = side;
	k->level = level;
	k->offer = m->facts + 1;
}

static void declined_fact(struct sim *sim, struct book_match *m,
			  struct book_fact *now,
			  const struct fact_resign_declined_body *b)
{
	struct book_stakes *k = &now->stakes;
	int side = now->side = (int)b->side;
	if (k->resign != 1 - side ||
	    !answered(m, side, METHOD_MATCH_DECLINE_RESIGN, k->offer))
		wrong(sim, m, now, "nobody declines, or nothing");
	k->refused[1 - side] = k->level;
	k->resign = -1;
}

/* -- games -- */

static bool ended_well(const struct book_match *m,
		       const struct fact_game_ended_body *b)
{
	if (!m->game_over)
		return span_is(b->reason, "resigned") &&
		       stakes_resigned(m, 1 - (int)b->winner, (int)b->points);
	return b->winner == m->game_winner && b->points == m->game_points &&
	       span_is(b->reason, m->game_why);
}

/* The same words for as long as the program runs. */
static const char *why_of(struct span reason)
{
	static const char *const words[] = { "single", "gammon", "backgammon",
					     "resigned", "dropped" };
	size_t i = 0;
	while (i < 4 && !span_is(reason, words[i]))
		i++;
	return words[i];
}

static void game_ended_fact(struct sim *sim, struct book_match *m,
			    struct book_fact *now, const struct fact *f)
{
	const struct fact_game_ended_body *b = &f->game_ended;
	struct book_stakes *k = &now->stakes;
	int length = length_of(m), winner = (int)b->winner;
	span_copy(b->reason, now->text, sizeof(now->text));
	if (length == 0 || b->game != k->game || !ended_well(m, b))
		wrong(sim, m, now, "the game has not ended so");
	now->turn_side = turn_after(m, m->facts);
	if (now->turn_side >= 0)
		lag_told(sim, m, now, now->turn_side, b->lag_ms);
	else if (b->lag_ms != 0)
		wrong(sim, m, now, "a credit in nobody's turn");
	clock_game_ended(sim, m, now, b);
	now->left_ms[WHITE] = b->white_left_ms;
	now->left_ms[BLACK] = b->black_left_ms;
	k->score[winner] += (int)b->points;
	if (k->score[winner] > length)
		k->score[winner] = length;
	if (b->white_score != k->score[WHITE] ||
	    b->black_score != k->score[BLACK])
		wrong(sim, m, now, "the score is another");
	k->doubled = k->resign = -1;
	k->asked = false;
	k->before_ms = k->before_lag_ms = 0;
	k->refused[WHITE] = k->refused[BLACK] = 0;
	write_stakes(now);
	now->offer = -1;
	m->spent[WHITE] = m->spent[BLACK] = false;
	m->game_over = false;
	m->game_to_begin = k->score[winner] < length;
	m->given_up = span_is(b->reason, "resigned");
	m->game_points = (int)b->points;
	if (m->game_to_begin)
		return;
	m->must_end = why_of(b->reason);
	m->must_result = winner == WHITE ? RESULT_WHITE : RESULT_BLACK;
	m->must_points = (int)b->points;
}

/* The game after a side first comes within a point of the match. */
static bool is_crawford(struct book_match *m, const struct book_stakes *k)
{
	int last = length_of(m) - 1;
	bool now = m->rules.backgammon.crawford && !m->crawford_was &&
		   (k->score[WHITE] == last || k->score[BLACK] == last);
	m->crawford_was = m->crawford_was || now;
	return now;
}

static void game_begun_fact(struct sim *sim, struct book_match *m,
			    struct book_fact *now, const struct fact *f)
{
	const struct fact_game_begun_body *b = &f->game_begun;
	struct book_stakes *k = &now->stakes;
	if (m->given_up) { /* it counts as a half-move */
		now->plies++;
		snprintf(now->text, sizeof(now->text), "resigned");
	}
	if (!m->game_to_begin || b->game != k->game + 1 || b->ply != now->plies)
		wrong(sim, m, now, "no game begins now");
	m->game_to_begin = false;
	k->game++;
	k->game_ply = now->plies;
	k->value = 1;
	k->owner = -1;
	k->crawford = is_crawford(m, k);
	k->first = ruleset_first(&m->rules) >= 0;
	game_start(&m->rules, &now->pos);
	write_stakes(now);
	m->first_known = k->first;
	now->quiet = 0;
	if (!position_is(&m->rules, &now->pos, b->position))
		wrong(sim, m, now, "the next game begins otherwise");
}

void stakes_fact(struct sim *sim, struct book_match *m, struct book_fact *now,
		 const struct fact *f)
{
	switch (f->type) {
	case FACT_DOUBLED:
	case FACT_TAKEN:
	case FACT_DROPPED: cube_fact(sim, m, now, f); break;
	case FACT_GAME_ENDED: game_ended_fact(sim, m, now, f); break;
	case FACT_GAME_BEGUN: game_begun_fact(sim, m, now, f); break;
	case FACT_RESIGN_OFFERED:
		offered_fact(sim, m, now, &f->resign_offered);
		break;
	case FACT_RESIGN_DECLINED:
		declined_fact(sim, m, now, &f->resign_declined);
		break;
	default: wrong(sim, m, now, "no fact of a match"); break;
	}
}

/* Nothing but the end of a game may follow its last half-move, and nothing but
 * the next one its end. */
bool stakes_may_follow(const struct book_match *m, enum fact_type type)
{
	if (m->game_over)
		return type == FACT_GAME_ENDED;
	return !m->game_to_begin || type == FACT_GAME_BEGUN;
}

/* -- what is shown -- */

static bool resign_is(const struct book_stakes *k, const struct value *map)
{
	if (k->resign < 0)
		return !map || value_type(map) == VALUE_NIL;
	return side_in(map, "side") == k->resign &&
	       int_in(map, "level") == k->level &&
	       int_in(map, "points") == k->level * k->value &&
	       int_in(map, "offer") == (int64_t)k->offer;
}

bool stakes_are_shown(const struct book_match *m, uint64_t seq,
		      const struct value *map)
{
	const struct book_fact *f = &m->fact[seq - 1];
	const struct book_stakes *k = &f->stakes;
	const struct value *s = value_find(map, "stakes");
	if (!span_is(str_in(map, "awaits"), awaits_after(m, seq)))
		return false;
	if (m->rules.family != FAMILY_BACKGAMMON)
		return !s;
	return int_in(s, "length") == length_of(m) &&
	       int_in(s, "white") == k->score[WHITE] &&
	       int_in(s, "black") == k->score[BLACK] &&
	       int_in(s, "game") == k->game &&
	       int_in(s, "game_ply") == (int64_t)k->game_ply &&
	       bool_in(s, "crawford") == k->crawford &&
	       int_in(s, "cube") == (has_cube(m) ? k->value : 0) &&
	       side_in(s, "owner") == k->owner &&
	       side_in(s, "doubled") == k->doubled &&
	       resign_is(k, value_find(s, "resign"));
}

/* -- answers -- */

bool stakes_acted(struct book_match *m, int side, const struct asked *a,
		  const struct value *map)
{
	static const enum fact_type makes[METHODS_MAX] = {
		[METHOD_MATCH_ROLL] = FACT_ROLLED,
		[METHOD_MATCH_DOUBLE] = FACT_DOUBLED,
		[METHOD_MATCH_TAKE] = FACT_TAKEN,
		[METHOD_MATCH_DROP] = FACT_DROPPED,
	};
	int64_t seq = int_in(map, "seq"), die = 0;
	if (seq < 2 || (size_t)seq > m->facts)
		return false;
	const struct book_fact *f = &m->fact[seq - 1];
	if (f->type != makes[a->method] || f->side != side ||
	    f->ply != a->ply || int_in(map, "ply") != f->ply)
		return false;
	for (size_t i = 0; i < 2 && a->method == METHOD_MATCH_ROLL; i++) {
		(void)value_int(value_at(value_find(map, "dice"), i), 1, 6,
				&die);
		if (die != f->die[i])
			return false;
	}
	return true;
}

/* Whether what a seat asked for was not awaited when the match stood so. */
bool stakes_not_awaited(const struct book_match *m, size_t facts,
			enum method method)
{
	const char *awaits = awaits_after(m, facts);
	if (method == METHOD_MATCH_MOVE)
		return strcmp(awaits, "move") != 0;
	if (method == METHOD_MATCH_ROLL || method == METHOD_MATCH_DOUBLE)
		return strcmp(awaits, "roll") != 0;
	return strcmp(awaits, "answer") != 0;
}
