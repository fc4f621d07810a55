/* SPDX-License-Identifier: MIT
 * stakes.c - what a game is played for: the doubling cube, and the games of a
 * match. Where the side to move may double, it throws when it asks for it;
 * elsewhere the server throws at once. A double, a take and a drop are
 * half-moves and are timed like moves; a throw belongs to the turn that it
 * begins. */
#include "domain/domain_priv.h"

const char *awaits_name(enum awaits awaits)
{
	static const char *const names[] = { "move", "roll", "answer",
					     "resignation", NULL };
	return names[awaits];
}

unsigned match_length(const struct match *m)
{
	const struct ruleset *rules = &m->rules->rules;
	return rules->family == FAMILY_BACKGAMMON
		       ? rules->backgammon.match_length
		       : 0;
}

bool match_may_double(const struct match *m)
{
	return m->first_known && m->state == MATCH_PLAYING &&
	       game_may_double(&m->rules->rules, &m->pos) == REASON_NONE;
}

enum awaits match_awaits(const struct match *m)
{
	if (m->state != MATCH_PLAYING || match_awaits_server(m))
		return AWAITS_NOTHING;
	if (m->doubled)
		return AWAITS_ANSWER;
	return ruleset_has_dice(&m->rules->rules) && m->pos.dice[0] == 0
		       ? AWAITS_ROLL
		       : AWAITS_MOVE;
}

/* -- games -- */

/* A game given up counts as a half-move, as a drop does: so no ply is that of
 * two positions, and what was meant for the last game never reaches this. */
static void begin_next(struct domain *d, struct match *m,
		       const struct position *start, bool given_up)
{
	size_t len = game_write(&m->rules->rules, start, d->position);
	happen(d,
	       &(struct fact){ .type = FACT_GAME_BEGUN,
			       .match = m->id,
			       .game_begun = { m->ply + given_up, m->game + 1,
					       span_of(d->position, len) } });
}

/* What a side's clock has for the next game. */
static int64_t kept_ms(const struct domain *d, const struct match *m,
		       enum side side)
{
	const struct clock_rules *c = &m->rules->clock;
	return c->kind == CLOCK_PER_MOVE ? c->base_ms
					 : match_left_ms(m, side, d->now_ms);
}

void game_end(struct domain *d, struct match *m, const struct outcome *o,
	      enum end_reason reason)
{
	struct position next;
	enum match_result result =
		o->winner == WHITE ? RESULT_WHITE : RESULT_BLACK;
	if (match_length(m) == 0) {
		match_end(d, m, result, reason, o->points);
		return;
	}
	int won = game_next(&m->rules->rules, &m->pos, o, &next);
	happen(d, &(struct fact){
			  .type = FACT_GAME_ENDED,
			  .match = m->id,
			  .game_ended = {
				  .ply = m->ply,
				  .game = m->game,
				  .winner = o->winner,
				  .reason = span_str(end_reason_name(reason)),
				  .points = o->points,
				  .white_score = next.stakes.score[WHITE],
				  .black_score = next.stakes.score[BLACK],
				  .white_left_ms = kept_ms(d, m, WHITE),
				  .black_left_ms = kept_ms(d, m, BLACK),
				  .lag_ms = match_lag_ms(m),
			  } });
	if (won >= 0) {
		match_end(d, m, result, reason, o->points);
	} else {
		begin_next(d, m, &next, reason == END_RESIGNED);
		held_decide(d, m); /* they meant a game that is no more */
	}
}

/* -- the cube -- */

/* What a duplicate is, and the order of refusals, are as in move.c. */
static bool is_repeated(const struct match *m, enum side side,
			enum cube_act act, uint32_t ply)
{
	const struct last_act *last = &m->act[side];
	return last->any && last->act == act && last->ply == ply;
}

static void answer_act(struct domain *d, const struct command *cmd,
		       const struct match *m, enum side side, bool duplicate)
{
	const struct last_act *last = &m->act[side];
	struct effect *fx = answer(d, cmd);
	fx->match = m;
	fx->answer.duplicate = duplicate;
	fx->answer.ply = last->ply;
	fx->answer.seq = last->seq;
	memcpy(fx->answer.die, last->die, sizeof(last->die));
}

static int act_check(struct domain *d, const struct match *m, enum cube_act act)
{
	enum awaits wanted = act == CUBE_ROLL || act == CUBE_DOUBLE
				     ? AWAITS_ROLL
				     : AWAITS_ANSWER;
	if (match_awaits(m) == wanted)
		return PLYD_OK;
	if (act != CUBE_DOUBLE || m->doubled)
		return PLYD_ENOTAWAITED;
	d->refusal =
		(struct refusal){ .reason = game_may_double(&m->rules->rules,
							    &m->pos) };
	/* REASON_NONE: the opening throw is to come, which is the server's */
	return d->refusal.reason == REASON_NONE ? PLYD_ENOTAWAITED
						: PLYD_EILLEGAL;
}

static void ask_roll(struct domain *d, struct match *m)
{
	throw_dice(d, m, true);
}

static void turn_cube(struct domain *d, struct match *m, enum fact_type type)
{
	struct charge c = match_charge(m, d->now_ms);
	/* the bodies of the three are one */
	happen(d,
	       &(struct fact){ .type = type,
			       .match = m->id,
			       .doubled = { m->ply, match_turn(m), c.thought_ms,
					    c.left_ms, c.lag_ms } });
}

/* The caller has made room for a half-move. */
static void cube_act(struct domain *d, struct match *m, enum cube_act act)
{
	switch (act) {
	case CUBE_ROLL: ask_roll(d, m); break;
	case CUBE_DOUBLE: turn_cube(d, m, FACT_DOUBLED); break;
	case CUBE_TAKE: turn_cube(d, m, FACT_TAKEN); break;
	case CUBE_DROP: {
		struct outcome o = game_drop(&m->pos);
		turn_cube(d, m, FACT_DROPPED);
		game_end(d, m, &o, END_DROPPED);
		break;
	}
	}
}

static enum cube_act act_of(enum command_type type)
{
	switch (type) {
	case CMD_MATCH_DOUBLE: return CUBE_DOUBLE;
	case CMD_MATCH_TAKE: return CUBE_TAKE;
	case CMD_MATCH_DROP: return CUBE_DROP;
	default: return CUBE_ROLL;
	}
}

void cube_decide(struct domain *d, const struct command *cmd, struct match *m,
		 enum side side)
{
	enum cube_act act = act_of(cmd->type);
	if (is_repeated(m, side, act, cmd->ply)) {
		answer_act(d, cmd, m, side, true);
		return;
	}
	int err = turn_check(m, side, cmd, cmd->ply);
	if (!err && match_flag_fell(m, d->now_ms))
		err = PLYD_EFLAG;
	if (!err)
		err = act_check(d, m, act);
	if (!err)
		err = match_reserve(m);
	if (err) {
		struct effect *fx = refuse(d, cmd, err);
		fx->match = m;
		fx->refusal = err == PLYD_EILLEGAL ? &d->refusal : NULL;
		return;
	}
	if (match_awaits_verdict(m)) {
		move_hold(d, m, cmd, NULL);
		return;
	}
	cube_act(d, m, act);
	answer_act(d, cmd, m, side, false);
	match_go_on(d, m);
}

void on_match_cube(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	int seat = m ? match_seat_of(m, &cmd->player) : -1;
	if (seat < 0) {
		refuse(d, cmd, m ? PLYD_ESEAT : PLYD_ENOMATCH);
		return;
	}
	match_take_seat(d, cmd, m, (enum side)seat);
	cube_decide(d, cmd, m, (enum side)seat);
}

void stakes_thought(struct domain *d, struct match *m,
		    const struct cmd_thought *t)
{
	bool yes = !t->failed && t->yes;
	enum cube_act act =
		match_awaits(m) == AWAITS_ROLL
			? (yes ? CUBE_DOUBLE : CUBE_ROLL)
			: (yes || t->failed ? CUBE_TAKE : CUBE_DROP);
	if (match_reserve(m)) {
		match_freeze(d, m, "there was no memory for it");
		return;
	}
	cube_act(d, m, act);
	match_go_on(d, m);
}
