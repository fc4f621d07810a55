/* SPDX-License-Identifier: MIT
 * move.c - a half-move from a seat. The order of the checks is the order of the
 * reasons that docs/protocol.md promises. */
#include "domain/domain_priv.h"

#include <assert.h>

static struct span last_text(const struct match *m,
			     const struct last_move *last)
{
	return span_of(m->moves.at + last->text_at, last->text_len);
}

/* A command that repeats the last move of its seat. */
static bool is_repeated(const struct match *m, enum side side,
			const struct cmd_match_move *c)
{
	const struct last_move *last = &m->last[side];
	struct move move;
	struct refusal why;
	char text[MOVE_TEXT_MAX];
	if (!last->any || last->ply != c->ply)
		return false;
	if (game_check(&m->rules->rules, &last->before,
		       (const char *)c->text.at, c->text.len, &move, &why))
		return false;
	game_move_text(&m->rules->rules, &last->before, &move, text);
	return span_is(last_text(m, last), text);
}

/* The last move of a seat, after which the position was d->answer_after. */
static void answer_move(struct domain *d, const struct command *cmd,
			const struct match *m, enum side side, bool duplicate)
{
	const struct last_move *last = &m->last[side];
	struct effect *fx = answer(d, cmd);
	span_copy(last_text(m, last), d->answer_text, sizeof(d->answer_text));
	fx->match = m;
	fx->answer.duplicate = duplicate;
	fx->answer.ply = last->ply;
	fx->answer.seq = last->seq;
	fx->answer.move = d->answer_text;
	fx->answer.after = &d->answer_after;
}

static void answer_repeated(struct domain *d, const struct command *cmd,
			    const struct match *m, enum side side)
{
	const struct last_move *last = &m->last[side];
	struct span text = last_text(m, last);
	bool crowned = m->crowned[last->ply / 8] >> last->ply % 8 & 1;
	int err = game_replay_move(&m->rules->rules, &last->before,
				   (const char *)text.at, text.len, crowned,
				   &d->answer_after);
	assert(!err); /* it was played */
	answer_move(d, cmd, m, side, true);
}

int turn_check(const struct match *m, enum side side, const struct command *cmd,
	       uint32_t ply)
{
	if (m->state == MATCH_FROZEN)
		return PLYD_EFROZEN;
	if (!match_ply_is(m, cmd, ply))
		return PLYD_ESTALE;
	if (m->state == MATCH_OVER)
		return PLYD_EGAMEOVER;
	if (m->state == MATCH_NONCES)
		return PLYD_ENOTSTARTED;
	if (m->state == MATCH_PAUSED)
		return PLYD_EPAUSED;
	return match_turn(m) == side ? PLYD_OK : PLYD_ETURN;
}

/* Plays a checked move; the caller has made room. */
static void play(struct domain *d, struct match *m, const struct move *move)
{
	enum side side = match_turn(m);
	struct charge c = match_charge(m, d->now_ms);
	size_t len =
		game_move_text(&m->rules->rules, &m->pos, move, d->move_text);
	happen(d, &(struct fact){ .type = FACT_MOVED,
				  .match = m->id,
				  .moved = { m->ply, side,
					     span_of(d->move_text, len),
					     move->crowned, c.thought_ms,
					     c.left_ms, c.lag_ms } });
}

void move_decide(struct domain *d, const struct command *cmd, struct match *m,
		 enum side side, const struct move *known)
{
	if (is_repeated(m, side, &cmd->move)) {
		answer_repeated(d, cmd, m, side);
		return;
	}
	int err = turn_check(m, side, cmd, cmd->move.ply);
	if (!err && match_flag_fell(m, d->now_ms))
		err = PLYD_EFLAG;
	if (!err && match_awaits(m) != AWAITS_MOVE)
		err = PLYD_ENOTAWAITED;
	struct move move;
	if (!err && known)
		move = *known;
	else if (!err)
		err = game_check(&m->rules->rules, &m->pos,
				 (const char *)cmd->move.text.at,
				 cmd->move.text.len, &move, &d->refusal);
	if (!err)
		err = match_reserve(m);
	if (err) {
		struct effect *fx = refuse(d, cmd, err);
		fx->match = m;
		fx->refusal = err == PLYD_EILLEGAL ? &d->refusal : NULL;
		return;
	}
	if (match_awaits_verdict(m)) {
		move_hold(d, m, cmd, &move);
		return;
	}
	play(d, m, &move);
	d->answer_after = m->pos;
	answer_move(d, cmd, m, side, false);
	match_go_on(d, m);
}

void on_match_move(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	int seat = m ? match_seat_of(m, &cmd->player) : -1;
	if (seat < 0) {
		refuse(d, cmd, m ? PLYD_ESEAT : PLYD_ENOMATCH);
		return;
	}
	match_take_seat(d, cmd, m, (enum side)seat);
	move_decide(d, cmd, m, (enum side)seat, NULL);
}

/* The built-in personality, when a worker has failed: the first move. */
static bool first_move(struct domain *d, const struct match *m,
		       struct move *out)
{
	if (game_moves(&m->rules->rules, &m->pos, &d->moves) ||
	    d->moves.count == 0)
		return false;
	*out = d->moves.move[0];
	return true;
}

static bool thought_move(struct domain *d, const struct match *m,
			 const struct cmd_thought *t, struct move *out)
{
	if (!t->failed && t->move.len > 0 &&
	    game_check(&m->rules->rules, &m->pos, (const char *)t->move.at,
		       t->move.len, out, &d->refusal) == PLYD_OK)
		return true;
	return first_move(d, m, out);
}

void on_thought(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	const struct cmd_thought *t = &cmd->thought;
	struct move move;
	if (!m || m->state != MATCH_PLAYING || match_flag_fell(m, d->now_ms))
		return; /* the flag falls at the next tick */
	if (t->asked == AWAITS_RESIGNATION) {
		resign_thought(d, cmd, m);
		return;
	}
	if (!m->released || m->ply != t->ply || m->takebacks != t->takebacks ||
	    match_awaits(m) != t->asked ||
	    m->seat[match_turn(m)].kind != KIND_PERSONALITY)
		return; /* too late: the match went on without it */
	enum side side = match_turn(m);
	if (!t->failed && t->keeps)
		kept_change(d, m, (enum kept_by)side, t->memory);
	chat_thought(d, cmd, m, side);
	if (!t->failed && t->resign) {
		resign_thought_itself(d, m);
		return;
	}
	if (t->asked != AWAITS_MOVE) {
		stakes_thought(d, m, t);
		return;
	}
	if (!t->failed && t->accept_draw && match_offer_stands_for(m, side)) {
		match_end(d, m, RESULT_DRAW, END_AGREED, 0);
		return;
	}
	if (!t->failed && t->offer_draw && !m->offers.standing &&
	    offer_check(m, side) == PLYD_OK)
		offer_make(d, m, side);
	if (match_reserve(m) || !thought_move(d, m, t, &move)) {
		match_freeze(d, m, "no move was found");
		return;
	}
	play(d, m, &move);
	match_go_on(d, m);
}
