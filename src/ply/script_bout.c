/* SPDX-License-Identifier: MIT */
#include "ply/script_bout.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "domain/limits.h"
#include "ply/command.h"
#include "ply/json.h"

enum { FALLBACK_NODES = 2000 }; /* as plyd chooses where a script does not */

const char *const fault_name[FAULT_KINDS] = {
	[FAULT_ILLEGAL] = "illegal moves",
	[FAULT_RAISED] = "errors",
	[FAULT_LATE] = "time outs",
	[FAULT_DIED] = "deaths of the worker",
};

struct bout {
	struct arena *a;
	struct player *const *player; /* by side */
	struct position pos;
	struct engine_history history;
	struct rng chances, thoughts;
	uint64_t game;
	int ply;
	bool first_known;
	/* draws by agreement */
	int offer_by; /* side, or -1 */
	bool spent[2];
	int moves_since[2], made[2];
	/* the end */
	bool over;
	struct bout_result result;
	int status;
};

/* ---- the end ----------------------------------------------------------- */

static void end(struct bout *b, int winner, int points)
{
	b->over = true;
	b->result =
		(struct bout_result){ winner, winner < 0 ? 0 : points, b->ply };
}

static void begin_game(struct bout *b)
{
	const struct worker_policy *d = &b->a->draws;
	engine_history_init(&b->history, (unsigned)d->no_progress,
			    (unsigned)d->repetition, d->counts != 0);
	b->first_known = !ruleset_has_dice(&b->a->rules) ||
			 ruleset_first(&b->a->rules) >= 0;
	b->offer_by = -1;
}

/* A game is won: the match, or its next game. */
static void end_game(struct bout *b, const struct outcome *o)
{
	struct position next;
	int winner = game_next(&b->a->rules, &b->pos, o, &next);
	bool match = b->a->rules.family == FAMILY_BACKGAMMON &&
		     b->a->rules.backgammon.match_length > 0;
	if (winner >= 0) {
		end(b, winner, match ? 1 : o->points);
		return;
	}
	b->pos = next;
	begin_game(b);
}

static unsigned repeats(const struct bout *b)
{
	uint64_t now = game_hash(&b->a->rules, &b->pos);
	unsigned n = 1;
	for (size_t i = 0; i < b->history.count; i++)
		n += b->history.hash[i] == now;
	return n;
}

/* What the rules and the numbers of the policy say. */
static void find_end(struct bout *b)
{
	struct outcome o = game_outcome(&b->a->rules, &b->pos);
	const struct worker_policy *d = &b->a->draws;
	if (o.over)
		end_game(b, &o);
	else if ((d->repetition > 0 && repeats(b) >= d->repetition) ||
		 (d->no_progress > 0 && b->history.quiet >= d->no_progress) ||
		 b->ply >= PLIES_MAX)
		end(b, -1, 0);
}

/* ---- verdicts ---------------------------------------------------------- */

static void fill_history(const struct bout *b, struct worker_words *out)
{
	out->count = b->history.count;
	memcpy(out->at, b->history.hash, out->count * sizeof(out->at[0]));
}

static void take_ruling(struct bout *b, const struct worker_ruling *r)
{
	buf_clear(&b->a->policy_memory);
	buf_put(&b->a->policy_memory, r->memory.at, r->memory.len);
	if (r->verdict == VERDICT_DRAW)
		end(b, -1, 0);
	else if (r->verdict == VERDICT_WHITE || r->verdict == VERDICT_BLACK)
		end(b, r->verdict == VERDICT_WHITE ? WHITE : BLACK, 1);
}

static void judge(struct bout *b)
{
	struct script_texts t;
	struct script_answer answer;
	struct worker_ruling r;
	struct script_file *f = b->a->policy;
	if (!f || b->over)
		return;
	script_texts_write(&t, &b->a->rules, &b->pos);
	struct worker_verdict m = {
		.policy = span_str(f->name),
		.match = span_str(""),
		.ruleset = t.rules_span,
		.position = t.pos_span,
		.ply = b->ply,
		.quiet = b->history.quiet,
		.repeats = repeats(b),
		.memory = buf_span(&b->a->policy_memory),
	};
	fill_history(b, &m.history);
	buf_clear(&f->question);
	worker_ask_verdict(&f->question, 1, &m);
	b->status = script_file_ask(f, SCRIPT_VERDICT_MS, &answer);
	if (b->status != PLY_OK)
		return;
	if (script_answer_is_good(&answer) &&
	    !worker_ruling_read(answer.reply->result, &r))
		take_ruling(b, &r);
	else
		b->a->verdict_faults++;
}

/* ---- asking ------------------------------------------------------------ */

static enum fault fault_of(const struct script_answer *a)
{
	static const char words[] = " is not a legal move";
	if (!a->reply)
		return a->late ? FAULT_LATE : FAULT_DIED;
	struct span text = a->reply->error.text;
	if (a->reply->err && text.len > 0 &&
	    memmem(text.at, text.len, words, sizeof(words) - 1))
		return FAULT_ILLEGAL;
	return FAULT_RAISED;
}

static void note_fault(struct bout *b, struct player *p,
		       const struct script_answer *a)
{
	enum fault fault = fault_of(a);
	size_t len;
	if (p->faults[fault]++ > 0)
		return;
	script_file_fault(&p->file, a, p->first[fault]);
	len = strlen(p->first[fault]);
	snprintf(p->first[fault] + len, SCRIPT_FAULT_MAX - len,
		 " (half-move %d)", b->ply);
}

static bool may_offer(const struct bout *b, enum side side)
{
	const struct worker_policy *d = &b->a->draws;
	return ruleset_draw_by_agreement(&b->a->rules) && !d->no_offers &&
	       b->offer_by < 0 && !b->spent[side] && b->ply >= d->offers_from &&
	       (d->offers_max == 0 || b->made[side] < d->offers_max);
}

/* Asks a side; false: no good answer. Texts of *out are lent by its worker. */
static bool ask(struct bout *b, enum side side, enum worker_decision decision,
		struct worker_choice *out)
{
	struct player *p = b->player[side];
	struct script_texts t;
	struct script_answer answer;
	script_texts_write(&t, &b->a->rules, &b->pos);
	struct worker_choose m = {
		.personality = span_str(p->file.name),
		.match = span_str(""),
		.ruleset = t.rules_span,
		.position = t.pos_span,
		.decision = decision,
		.side = side,
		.ply = b->ply,
		.quiet = b->history.quiet,
		.no_progress = b->history.no_progress,
		.repetition = b->history.repetition,
		.counts = b->history.man_moves_count,
		.seed = rng_next(&b->thoughts),
		.remaining_ms = -1,
		.offer_pending = b->offer_by == (int)side_other(side),
		.memory = buf_span(&p->memory),
	};
	fill_history(b, &m.history);
	buf_clear(&p->file.question);
	worker_ask_choose(&p->file.question, 1, &m);
	b->status = script_file_ask(&p->file, p->file.choose_ms, &answer);
	if (b->status != PLY_OK)
		return false;
	p->asked++;
	p->seconds += answer.seconds;
	if (script_answer_is_good(&answer) &&
	    !worker_choice_read(answer.reply->result, out))
		return true;
	note_fault(b, p, &answer);
	return false;
}

/* ---- moves ------------------------------------------------------------- */

/* A half-move, or a pass, is played. */
static void after(struct bout *b, const struct position *before)
{
	enum side side = (enum side)before->side;
	engine_history_add(&b->history, &b->a->rules, before, &b->pos);
	b->ply++;
	if (b->offer_by == (int)side_other(side)) {
		b->offer_by = -1;
		b->moves_since[side_other(side)] = 0;
	}
	if (b->spent[side] && b->offer_by != (int)side &&
	    ++b->moves_since[side] >= OFFER_WAIT_MOVES)
		b->spent[side] = false;
	if (b->history.quiet == 0)
		b->made[WHITE] = b->made[BLACK] = 0;
	find_end(b);
	judge(b);
}

static void play_move(struct bout *b, const struct move *move)
{
	struct position before = b->pos;
	game_apply(&b->a->rules, &before, move, &b->pos);
	after(b, &before);
}

static void play_own_choice(struct bout *b)
{
	struct engine_result r = { .count = 0 };
	const struct engine_question q = {
		.ruleset = &b->a->rules,
		.position = &b->pos,
		.budget = { .nodes = FALLBACK_NODES },
		.multipv = 1,
	};
	if (engine_search(b->a->engine, &q, &r) || r.count == 0)
		b->status = PLY_UNREADABLE;
	else
		play_move(b, &r.line[0].move);
}

static void offer(struct bout *b, enum side side)
{
	b->offer_by = (int)side;
	b->spent[side] = true;
	b->moves_since[side] = 0;
	b->spent[side_other(side)] = false;
	b->made[side]++;
}

static void resign(struct bout *b, enum side loser)
{
	const struct outcome o = {
		.over = true,
		.winner = side_other(loser),
		.points = (uint16_t)game_points_lost(&b->a->rules, &b->pos,
						     loser),
	};
	end_game(b, &o);
}

/* Writes what a side has chosen; move is NULL where it did not move. */
static void tell(const struct bout *b, enum side side,
		 const struct worker_choice *c, const struct move *move)
{
	char text[MOVE_TEXT_MAX] = "";
	if (!b->a->moves)
		return;
	if (move)
		game_move_text(&b->a->rules, &b->pos, move, text);
	json_t *line =
		json_pack("{s:I,s:i,s:s,s:s,s:s,s:b,s:I,s:b,s:b,s:b}", "game",
			  (json_int_t)b->game, "ply", b->ply, "personality",
			  b->player[side]->file.name, "side",
			  side == WHITE ? "white" : "black", "move", text,
			  "crowned", move && move->crowned, "think_ms",
			  (json_int_t)c->think_ms, "offer_draw", c->offer_draw,
			  "accept_draw", c->accept_draw, "resign", c->resign);
	json_dumpf(line, b->a->moves, JSON_COMPACT);
	fputc('\n', b->a->moves);
	json_decref(line);
}

static void choose(struct bout *b)
{
	enum side side = (enum side)b->pos.side;
	struct worker_choice c;
	struct move move;
	struct refusal why;
	if (!ask(b, side, DECIDE_MOVE, &c)) {
		if (b->status == PLY_OK)
			play_own_choice(b);
		return;
	}
	buf_clear(&b->player[side]->memory);
	buf_put(&b->player[side]->memory, c.memory.at, c.memory.len);
	if (c.accept_draw && b->offer_by == (int)side_other(side)) {
		tell(b, side, &c, NULL);
		end(b, -1, 0);
	} else if (c.resign) {
		tell(b, side, &c, NULL);
		resign(b, side);
	} else if (!game_check(&b->a->rules, &b->pos, (const char *)c.move.at,
			       c.move.len, &move, &why)) {
		c.offer_draw = c.offer_draw && may_offer(b, side);
		if (c.offer_draw)
			offer(b, side);
		tell(b, side, &c, &move);
		play_move(b, &move);
	} else {
		b->player[side]->faults[FAULT_ILLEGAL]++;
		play_own_choice(b);
	}
}

/* ---- dice and cube ----------------------------------------------------- */

static int die(struct bout *b)
{
	return (int)rng_below(&b->chances, 6) + 1;
}

static void throw_first(struct bout *b)
{
	int white, black;
	do {
		white = die(b);
		black = die(b);
	} while (white == black);
	b->pos.side = white > black ? WHITE : BLACK;
	struct position before = b->pos;
	game_throw(&before, white, black, &b->pos);
	b->first_known = true;
}

/* Whether the side to move doubles and is dropped, which ends the game. */
static bool cube_ends(struct bout *b)
{
	enum side side = (enum side)b->pos.side;
	struct worker_choice c;
	if (game_may_double(&b->a->rules, &b->pos) != REASON_NONE ||
	    !ask(b, side, DECIDE_ROLL, &c) || !c.yes)
		return false;
	if (ask(b, side_other(side), DECIDE_ANSWER, &c) && !c.yes) {
		struct outcome o = game_drop(&b->pos);
		end_game(b, &o);
		return true;
	}
	struct position before = b->pos;
	game_take(&before, &b->pos);
	return false;
}

/* Throws, after a double if there is one; true: that has ended the game. */
static bool throw_dice(struct bout *b)
{
	if (!b->first_known) {
		throw_first(b);
		return false;
	}
	if (cube_ends(b) || b->status != PLY_OK)
		return true;
	struct position before = b->pos;
	int first = die(b);
	game_throw(&before, first, die(b), &b->pos);
	return false;
}

static void turn(struct bout *b)
{
	bool dice = ruleset_has_dice(&b->a->rules);
	if (dice && b->pos.dice[0] == 0 && throw_dice(b))
		return;
	if (game_can_move(&b->a->rules, &b->pos)) {
		choose(b);
		return;
	}
	struct position before = b->pos;
	game_pass(&before, &b->pos);
	after(b, &before);
}

/* ---- all of it --------------------------------------------------------- */

/* Random half-moves, so that a row of draughts is not one game again and again;
 * they stop before one that would end it. */
static void play_opening(struct bout *b)
{
	static struct move_list list;
	const struct ruleset *rs = &b->a->rules;
	int wanted = ruleset_has_dice(rs) ? 0 : b->a->opening;
	for (int i = 0; i < wanted; i++) {
		if (game_moves(rs, &b->pos, &list) || list.count == 0)
			return;
		uint32_t n = rng_below(&b->chances, (uint32_t)list.count);
		struct position before = b->pos, next;
		game_apply(rs, &before, &list.move[n], &next);
		if (game_outcome(rs, &next).over)
			return;
		b->pos = next;
		engine_history_add(&b->history, rs, &before, &b->pos);
		b->ply++;
	}
}

int bout_play(struct arena *a, struct player *const side[2],
	      const struct bout_seeds *seeds, struct bout_result *out)
{
	struct bout b = {
		.a = a, .player = side, .game = seeds->game, .status = PLY_OK
	};
	game_start(&a->rules, &b.pos);
	rng_seed(&b.chances, seeds->chances);
	rng_seed(&b.thoughts, seeds->thoughts);
	buf_clear(&side[WHITE]->memory);
	buf_clear(&side[BLACK]->memory);
	buf_clear(&a->policy_memory);
	begin_game(&b);
	play_opening(&b);
	while (!b.over && b.status == PLY_OK)
		turn(&b);
	*out = b.result;
	return b.status;
}
