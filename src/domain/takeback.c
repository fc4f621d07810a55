/* SPDX-License-Identifier: MIT
 * takeback.c - half-moves taken back by consent: the last one of him who asks,
 * and what was answered to it. Never with dice, for what they showed cannot be
 * forgotten, and never in a rated match. One may ask once a half-move; time that
 * was used stays used. */
#include "domain/domain_priv.h"

/* Half-moves that stay if `side` takes back; false: it has moved none. */
static bool target(const struct match *m, enum side side, uint32_t *to_ply)
{
	uint32_t back = match_turn(m) == side ? 2 : 1;
	if (m->ply < back)
		return false;
	*to_ply = m->ply - back;
	return true;
}

static int offer_takeback_check(const struct match *m, enum side side,
				const struct command *cmd, uint32_t *to_ply)
{
	const struct takeback_request *t = &m->takeback;
	if (!m->rules->takeback)
		return PLYD_ENOTAKEBACK;
	if (!match_ply_is(m, cmd, cmd->ply))
		return PLYD_ESTALE;
	if (!target(m, side, to_ply))
		return PLYD_ENOTAKEBACK;
	return t->standing || t->spent[side] ? PLYD_ETAKEBACK : PLYD_OK;
}

static void take_back(struct domain *d, struct match *m, enum side agreed)
{
	const struct clock_rules *c = &m->rules->clock;
	int64_t thought = match_used_ms(m, d->now_ms);
	int64_t left = c->kind == CLOCK_PER_MOVE
			       ? c->base_ms /* each turn has its own */
			       : match_left_ms(m, match_turn(m), d->now_ms);
	happen(d, &(struct fact){ .type = FACT_TAKEN_BACK,
				  .match = m->id,
				  .taken_back = { m->ply, agreed,
						  m->takeback.to_ply, thought,
						  left, match_lag_ms(m) } });
}

/* What waited for a verdict is about a position that is no more. */
static void go_on(struct domain *d, struct match *m)
{
	held_decide(d, m);
	match_go_on(d, m);
}

void on_match_takeback_offer(struct domain *d, const struct command *cmd)
{
	enum side side;
	uint32_t to_ply;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	const struct takeback_request *t = &m->takeback;
	int err = offer_takeback_check(m, side, cmd, &to_ply);
	if (err == PLYD_ETAKEBACK && t->standing && t->by == side) {
		struct effect *fx = answer(d, cmd); /* the same once more */
		fx->match = m;
		fx->answer.seq = t->seq;
		return;
	}
	if (err) {
		refuse(d, cmd, err)->match = m;
		return;
	}
	happen(d,
	       &(struct fact){ .type = FACT_TAKEBACK_OFFERED,
			       .match = m->id,
			       .takeback_offered = { m->ply, side, to_ply } });
	enum side other = side_other(side);
	bool agrees = m->seat[other].kind == KIND_PERSONALITY;
	if (agrees)
		take_back(d, m, other);
	answer_event(d, cmd, m);
	if (agrees)
		go_on(d, m);
}

static bool takeback_stands_for(const struct match *m, enum side side)
{
	return m->takeback.standing && m->takeback.by != side;
}

void on_match_takeback_accept(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_reply(d, cmd, &side, takeback_stands_for);
	if (!m)
		return;
	take_back(d, m, side);
	answer_event(d, cmd, m);
	go_on(d, m);
}

void on_match_takeback_decline(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_reply(d, cmd, &side, takeback_stands_for);
	if (!m)
		return;
	happen(d, &(struct fact){ .type = FACT_TAKEBACK_DECLINED,
				  .match = m->id,
				  .takeback_declined = { m->ply, side } });
	answer_event(d, cmd, m);
}

/* -- facts -- */

void takeback_lapses(struct match *m)
{
	m->takeback = (struct takeback_request){ .standing = false };
}

int apply_takeback_offered(struct match *m,
			   const struct fact_takeback_offered_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) || b->to_ply < 0 ||
	    b->to_ply >= m->ply || m->state != MATCH_PLAYING)
		return PLYD_ERECORD;
	m->takeback.standing = true;
	m->takeback.by = (enum side)b->side;
	m->takeback.to_ply = (uint32_t)b->to_ply;
	m->takeback.seq = m->seq + 1;
	m->takeback.spent[b->side] = true;
	return PLYD_OK;
}

int apply_takeback_declined(struct match *m,
			    const struct fact_takeback_declined_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) || m->state != MATCH_PLAYING)
		return PLYD_ERECORD;
	m->takeback.standing = false;
	return PLYD_OK;
}

/* Plays the first half-moves of the log again, from the start. */
static int play_again(struct match *m, uint32_t plies)
{
	const uint8_t *at = m->moves.at;
	m->pos = m->start;
	policy_begin(m);
	for (uint32_t i = 0; i < plies; i++) {
		const uint8_t *end =
			memchr(at, '\n',
			       m->moves.len - (size_t)(at - m->moves.at));
		struct position before = m->pos;
		bool crowned = m->crowned[i / 8] >> i % 8 & 1;
		if (!end ||
		    game_replay_move(&m->rules->rules, &before,
				     (const char *)at, (size_t)(end - at),
				     crowned, &m->pos))
			return PLYD_ERECORD;
		policy_after_move(m, &before);
		at = end + 1;
	}
	m->moves.len = (size_t)(at - m->moves.at);
	m->ply = plies;
	return PLYD_OK;
}

int apply_taken_back(struct match *m, const struct fact_taken_back_body *b)
{
	if (m->state != MATCH_PLAYING || b->ply != m->ply || b->to_ply < 0 ||
	    b->to_ply >= m->ply || !is_clock(b->left_ms) ||
	    !is_clock(b->lag_ms) || ruleset_has_dice(&m->rules->rules))
		return PLYD_ERECORD;
	m->left_ms[match_turn(m)] = b->left_ms;
	m->lag_used_ms[match_turn(m)] += b->lag_ms;
	if (play_again(m, (uint32_t)b->to_ply))
		return PLYD_ERECORD;
	m->takebacks++;
	turn_forget(m);
	m->offers.standing = false;
	takeback_lapses(m);
	m->pause = (struct pause_request){ .at = 0 };
	/* what was taken back may be played anew, and is then no repetition */
	for (int s = 0; s < 2; s++)
		m->last[s].any = m->last[s].any && m->last[s].ply < m->ply;
	return PLYD_OK;
}
