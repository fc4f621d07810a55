/* SPDX-License-Identifier: MIT
 * match.c - the life of a match: whose turn it is, what a seat may do, how it
 * ends. */
#include "domain/domain_priv.h"
#include "domain/rating_priv.h"

#include <assert.h>
#include <stdlib.h>

#include <utlist.h>

const char *match_state_name(enum match_state state)
{
	static const char *const names[] = { "nonces", "playing", "paused",
					     "over", "frozen" };
	return names[state];
}

const char *end_reason_name(enum end_reason reason)
{
	static const char *const names[] = {
#define V(UPPER, name, doc) name,
		END_REASONS(V)
#undef V
	};
	return names[reason];
}

bool match_is_closed_to(const struct match *m, const struct id *player)
{
	return m->closed && m->state != MATCH_OVER &&
	       match_seat_of(m, player) < 0;
}

int match_seat_of(const struct match *m, const struct id *player)
{
	for (int s = 0; s < 2; s++)
		if (!id_is_none(player) && id_eq(&m->seat[s].player, player))
			return s;
	return -1;
}

bool match_awaits_server(const struct match *m)
{
	if (m->state == MATCH_NONCES)
		return m->nonce[WHITE].given && m->nonce[BLACK].given;
	if (m->state != MATCH_PLAYING || !ruleset_has_dice(&m->rules->rules) ||
	    m->doubled)
		return false;
	if (m->pos.dice[0] == 0)
		return !match_may_double(m);
	return !game_can_move(&m->rules->rules, &m->pos);
}

/* -- ending -- */

void match_end(struct domain *d, struct match *m, enum match_result result,
	       enum end_reason reason, int points)
{
	struct match_rating rating;
	memcpy(d->seed, m->seed, SEED_BYTES);
	match_rate(d, m, result, &rating);
	happen(d,
	       &(struct fact){
		       .type = FACT_ENDED,
		       .match = m->id,
		       .ended = {
			       .ply = m->ply,
			       .result = result,
			       .reason = span_str(end_reason_name(reason)),
			       .points = points,
			       .white_left_ms =
				       match_left_ms(m, WHITE, d->now_ms),
			       .black_left_ms =
				       match_left_ms(m, BLACK, d->now_ms),
			       .seed = span_of(d->seed,
					       m->seed_known ? SEED_BYTES : 0),
			       .words = span_str(d->words),
			       .white_score = m->pos.stakes.score[WHITE],
			       .black_score = m->pos.stakes.score[BLACK],
		       } });
	match_rated(d, m, &rating);
	tournament_match_ended(d, m);
	effect_add(d, EFFECT_FINISHED)->match = m;
	held_decide(d, m); /* they learn that it is over */
	bots_after_end(d, m);
}

void match_lose(struct domain *d, struct match *m, enum side loser,
		enum end_reason reason)
{
	enum match_result result = loser == WHITE ? RESULT_BLACK : RESULT_WHITE;
	match_end(d, m, result, reason,
		  game_points_lost(&m->rules->rules, &m->pos, loser));
}

static bool end_by_rules(struct domain *d, struct match *m)
{
	struct outcome o = game_outcome(&m->rules->rules, &m->pos);
	enum end_reason reason;
	if (o.over) {
		int why = 0;
		while (why < END_REASON_COUNT - 1 &&
		       strcmp(end_reason_name((enum end_reason)why), o.why))
			why++;
		game_end(d, m, &o, (enum end_reason)why);
		if (m->state == MATCH_OVER)
			return true;
	}
	if (!policy_draws(m, &reason))
		return false;
	match_end(d, m, RESULT_DRAW, reason, 0);
	return true;
}

/* -- the server's part of a turn -- */

static struct dice next_roll(const struct match *m)
{
	return dice_roll(span_of(m->seed, SEED_BYTES), &m->id,
			 span_of(m->nonce[WHITE].byte, m->nonce[WHITE].len),
			 span_of(m->nonce[BLACK].byte, m->nonce[BLACK].len),
			 m->rolls);
}

void throw_dice(struct domain *d, struct match *m, bool asked)
{
	struct dice dice = next_roll(m);
	int64_t thought = asked ? match_used_ms(m, d->now_ms) : 0;
	int64_t lag = asked ? match_lag_ms(m) : 0;
	if (!m->first_known)
		happen(d,
		       &(struct fact){ .type = FACT_OPENING_THROW,
				       .match = m->id,
				       .opening_throw = { m->rolls, dice.first,
							  dice.second } });
	else
		happen(d, &(struct fact){ .type = FACT_ROLLED,
					  .match = m->id,
					  .rolled = { m->ply, m->pos.side,
						      m->rolls, dice.first,
						      dice.second, asked,
						      thought, lag } });
}

uint32_t match_release_number(const struct match *m)
{
	return m->ply + m->asked * (PLIES_MAX + 1);
}

static void release(struct domain *d, struct match *m)
{
	struct effect *fx = effect_add(d, EFFECT_RELEASE);
	lag_probe_send(d, m);
	fx->match = m;
	fx->released =
		(struct cmd_released){ match_release_number(m), m->takebacks };
}

void match_release_now(struct domain *d, struct match *m)
{
	m->wait_ms = 0;
	match_set_due(d, m);
	if (m->state == MATCH_PLAYING)
		release(d, m);
}

/* A turn that the server began costs no time; one whose dice were asked for
 * is charged like a move. */
static void pass(struct domain *d, struct match *m)
{
	struct charge c = { 0, 0, 0 };
	if (m->asked)
		c = match_charge(m, d->now_ms);
	happen(d, &(struct fact){ .type = FACT_PASSED,
				  .match = m->id,
				  .passed = { m->ply, m->pos.side, c.thought_ms,
					      c.left_ms, c.lag_ms } });
}

void match_go_on(struct domain *d, struct match *m)
{
	if (m->state == MATCH_NONCES && !match_awaits_server(m)) {
		m->wait_ms = due_after(d, d->limits.nonce_wait_ms);
		match_set_due(d, m);
		return;
	}
	if (m->state == MATCH_PLAYING && end_by_rules(d, m))
		return;
	m->wait_ms = 0;
	if (match_awaits_server(m)) {
		if (m->pos.dice[0] == 0)
			throw_dice(d, m, false);
		else
			pass(d, m);
		if (end_by_rules(d, m)) /* the pass was the last half-move */
			return;
	}
	if (match_awaits_server(m))
		effect_add(d, EFFECT_CONTINUE)->match = m;
	else if (m->state == MATCH_PLAYING)
		release(d, m);
	match_set_due(d, m);
}

void on_continue(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	if (m && match_awaits_server(m))
		match_go_on(d, m);
}

/* When the flag falls, or a first move is too late. */
static uint64_t flag_or_first_move_ms(const struct domain *d,
				      const struct match *m)
{
	uint64_t first_ms = first_move_until_ms(d, m);
	uint64_t flag_ms = match_flag_due_ms(m, d->now_ms);
	return flag_ms < first_ms ? flag_ms : first_ms;
}

/* A match of a tournament waits for its players no longer than that says. */
static uint64_t adjourned_or_first_move_ms(const struct domain *d,
					   const struct match *m)
{
	uint64_t first_ms = first_move_until_ms(d, m);
	uint64_t late_ms = adjourned_until_ms(d, m);
	return late_ms < first_ms ? late_ms : first_ms;
}

void match_keep(struct domain *d, struct match *m)
{
	due_set(&d->due, &m->due,
		d->now_ms + (uint64_t)d->limits.result_keep_ms +
			(uint64_t)m->spectator_delay_ms);
}

void on_finished(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	if (m && m->state == MATCH_OVER)
		match_keep(d, m);
}

void match_set_due(struct domain *d, struct match *m)
{
	if (m->state == MATCH_OVER)
		return; /* see match_keep() */
	uint64_t at_ms = UINT64_MAX;
	if (m->wait_ms > 0)
		at_ms = m->wait_ms;
	else if (match_clock_runs(m))
		at_ms = flag_or_first_move_ms(d, m);
	else
		at_ms = adjourned_or_first_move_ms(d, m);
	due_set(&d->due, &m->due, at_ms);
}

static void nonces_waited(struct domain *d, struct match *m)
{
	for (int s = 0; s < 2; s++)
		if (!m->nonce[s].given)
			happen(d, &(struct fact){ .type = FACT_NONCE,
						  .match = m->id,
						  .nonce = { .side = s } });
	match_go_on(d, m);
}

void match_due(struct domain *d, struct match *m)
{
	if (m->state == MATCH_OVER || m->state == MATCH_FROZEN) {
		match_free(d, m);
	} else if (m->state == MATCH_NONCES) {
		nonces_waited(d, m);
	} else if (m->judging) {
		turn_begin(d, m); /* the verdict is late and will be dropped */
	} else if (m->wait_ms > 0) {
		match_release_now(d, m);
	} else if (match_flag_fell(m, d->now_ms)) {
		match_lose(d, m, match_turn(m), END_FLAG);
	} else if (first_move_until_ms(d, m) <= d->now_ms) {
		leave_count(d, m, match_turn(m));
		match_end(d, m, RESULT_ABORTED, END_NO_SHOW, 0);
	} else if (adjourned_until_ms(d, m) <= d->now_ms) {
		match_end(d, m, RESULT_ABORTED, END_ABORTED, 0);
	} else {
		match_set_due(d, m);
	}
}

/* -- what a seat does -- */

static bool goes_while_paused(enum command_type type)
{
	return type == CMD_MATCH_RESUME || type == CMD_MATCH_LEAVE;
}

struct match *match_of_seat(struct domain *d, const struct command *cmd,
			    enum side *side)
{
	struct match *m = find_match(d, &cmd->match);
	int seat = m ? match_seat_of(m, &cmd->player) : -1;
	int err = !m                         ? PLYD_ENOMATCH
		  : seat < 0                 ? PLYD_ESEAT
		  : m->state == MATCH_OVER   ? PLYD_EGAMEOVER
		  : m->state == MATCH_FROZEN ? PLYD_EFROZEN
		  : m->state == MATCH_PAUSED && !goes_while_paused(cmd->type)
			  ? PLYD_EPAUSED
			  : PLYD_OK;
	if (!err && match_flag_fell(m, d->now_ms)) {
		match_lose(d, m, match_turn(m), END_FLAG);
		err = PLYD_EGAMEOVER;
	}
	if (err) {
		/* where it stands is said to those who may see it */
		refuse(d, cmd, err)->match =
			m ? match_seen(m, &cmd->player) : NULL;
		return NULL;
	}
	*side = (enum side)seat;
	match_take_seat(d, cmd, m, *side);
	return m;
}

struct match *
match_of_reply(struct domain *d, const struct command *cmd, enum side *side,
	       bool (*stands_for)(const struct match *m, enum side side))
{
	struct match *m = match_of_seat(d, cmd, side);
	if (!m)
		return NULL;
	int err = !match_ply_is(m, cmd, cmd->ply) ? PLYD_ESTALE
		  : !stands_for(m, *side)         ? PLYD_ENOOFFER
						  : PLYD_OK;
	if (!err)
		return m;
	refuse(d, cmd, err)->match = m;
	return NULL;
}

bool match_ply_is(const struct match *m, const struct command *cmd,
		  uint32_t ply)
{
	return m->ply == ply && (cmd->takebacks_known == 0 ||
				 cmd->takebacks_known - 1 == m->takebacks);
}

void answer_event(struct domain *d, const struct command *cmd, struct match *m)
{
	struct effect *fx = answer(d, cmd);
	fx->match = m;
	fx->answer.seq = m->seq;
}

void on_match_nonce(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	if (m->state != MATCH_NONCES || m->nonce[side].given) {
		refuse(d, cmd, PLYD_ENONCE);
		return;
	}
	struct span nonce = span_of(d->nonce, cmd->nonce.len);
	assert(nonce.len <= DICE_NONCE_MAX);
	if (nonce.len > 0)
		memcpy(d->nonce, cmd->nonce.at, nonce.len);
	happen(d, &(struct fact){ .type = FACT_NONCE,
				  .match = m->id,
				  .nonce = { side, nonce } });
	answer_event(d, cmd, m);
	if (match_awaits_server(m))
		match_go_on(d, m);
}

void match_leave(struct domain *d, struct match *m, enum side side)
{
	/* a match of a tournament is played or lost */
	if (m->ply < ABORT_PLIES_MAX && !match_is_of_tournament(m))
		match_end(d, m, RESULT_ABORTED, END_ABORTED, 0);
	else
		match_resign(d, m, side);
}

void on_match_abort(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	if (m->ply >= ABORT_PLIES_MAX || match_is_of_tournament(m)) {
		refuse(d, cmd, PLYD_EABORT)->text =
			match_is_of_tournament(m)
				? "A match of a tournament is played or lost."
				: NULL;
		return;
	}
	leave_count(d, m, side);
	match_end(d, m, RESULT_ABORTED, END_ABORTED, 0);
	answer_event(d, cmd, m);
}

void on_match_claim(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	enum side other = side_other(side);
	if (match_claim_at_ms(m, other, d->limits.claim_after_ms) > d->now_ms) {
		refuse(d, cmd, PLYD_ECLAIM);
		return;
	}
	leave_count(d, m, other);
	if (cmd->claim_win)
		match_lose(d, m, other, END_CLAIMED);
	else
		match_end(d, m, RESULT_DRAW, END_CLAIMED, 0);
	answer_event(d, cmd, m);
}
