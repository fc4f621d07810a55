/* SPDX-License-Identifier: MIT
 * resign.c - giving up a game or a match. With a checker borne off a game of
 * backgammon costs its loser a single one, and resigning that is final. Else he
 * resigns at a level: 3, a backgammon, is final; 1 and 2 are offers, which the
 * opponent may refuse and which lapse when the resigner plays a half-move. */
#include "domain/domain_priv.h"

enum { LEVEL_MAX = 3 };

int match_level_max(const struct match *m, enum side side)
{
	const struct ruleset *rules = &m->rules->rules;
	if (rules->family != FAMILY_BACKGAMMON ||
	    m->pos.backgammon.point[side][0] > 0)
		return 1;
	/* Jacoby's rule: nothing but single games before the cube is turned */
	struct position worst = m->pos;
	for (int p = 0; p < 26; p++)
		worst.backgammon.point[side][p] = 0;
	worst.backgammon.point[side][25] = 1;
	return game_points_lost(rules, &worst, side) >> m->pos.stakes.cube;
}

static struct outcome outcome_of(const struct match *m, enum side loser,
				 int level)
{
	return (struct outcome){
		.over = true,
		.winner = side_other(loser),
		.points = (uint16_t)(level << m->pos.stakes.cube),
		.why = "",
	};
}

static void answer_seq(struct domain *d, const struct command *cmd,
		       const struct match *m, uint64_t seq)
{
	struct effect *fx = answer(d, cmd);
	fx->match = m;
	fx->answer.seq = seq;
}

/* The next game begins. */
static void resign_go_on(struct domain *d, struct match *m)
{
	if (m->state == MATCH_PLAYING)
		match_go_on(d, m);
}

/* Ends the game, or the match with it; what the clock says is charged. */
static void resign_game(struct domain *d, struct match *m, enum side loser,
			int level)
{
	struct outcome o = outcome_of(m, loser, level);
	game_end(d, m, &o, END_RESIGNED);
}

void match_resign(struct domain *d, struct match *m, enum side side)
{
	if (match_length(m) > 0)
		match_lose(d, m, side, END_RESIGNED);
	else
		resign_game(d, m, side, match_level_max(m, side));
}

/* PLYD_OK, or why this level may not be offered now. */
static int offer_level_check(const struct match *m, enum side side, int level)
{
	const struct resign_offers *r = &m->resign;
	if (r->standing && (r->by != side || r->level >= level))
		return PLYD_EOFFER; /* the other's is to be answered first */
	return r->refused[side] >= level ? PLYD_EOFFER : PLYD_OK;
}

static void offer_level(struct domain *d, const struct command *cmd,
			struct match *m, enum side side, int level)
{
	bool again = m->resign.standing && m->resign.by == side &&
		     m->resign.level == level;
	int err = again ? PLYD_OK : offer_level_check(m, side, level);
	if (err) {
		refuse(d, cmd, err)->text =
			"You cannot offer this now: it was offered and refused "
			"already, or your opponent's offer comes first.";
		return;
	}
	if (!again) {
		happen(d, &(struct fact){
				  .type = FACT_RESIGN_OFFERED,
				  .match = m->id,
				  .resign_offered = { m->ply, side, level } });
		resign_ask(d, m);
	}
	answer_seq(d, cmd, m, m->resign.seq);
}

void resign_ask(struct domain *d, struct match *m)
{
	const struct seat *seat = &m->seat[side_other(m->resign.by)];
	if (!m->resign.standing || seat->kind != KIND_PERSONALITY)
		return;
	struct effect *fx = effect_add(d, EFFECT_THINK);
	fx->match = m;
	fx->asked = AWAITS_RESIGNATION;
}

/* A game that is no more is meant: the same resignation again is answered
 * again. */
static bool answered_game(struct domain *d, const struct command *cmd,
			  const struct match *m, enum side side)
{
	uint32_t game = cmd->resign.game;
	if (game == 0 || game == m->game)
		return false;
	if (m->resigned[side].game == game)
		answer_seq(d, cmd, m, m->resigned[side].game_seq);
	else
		refuse(d, cmd, PLYD_ESTALE)->match = m;
	return true;
}

/* PLYD_OK, or why what is asked cannot be resigned now. */
static int resign_check(const struct match *m, bool whole, bool final)
{
	bool begun = m->state != MATCH_NONCES;
	return begun || whole || (final && match_length(m) == 0)
		       ? PLYD_OK
		       : PLYD_ENOTSTARTED;
}

void on_match_resign(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	const struct cmd_match_resign *c = &cmd->resign;
	if (!m || (!c->whole && answered_game(d, cmd, m, side)))
		return;
	int most = match_level_max(m, side);
	int level = c->level > 0 && c->level < most ? c->level : most;
	int err = resign_check(m, c->whole, level == most);
	if (!err)
		err = match_reserve(m);
	if (err) {
		refuse(d, cmd, err)->match = m;
		return;
	}
	if (c->whole) {
		match_resign(d, m, side);
	} else if (level == most) {
		resign_game(d, m, side, most);
	} else {
		offer_level(d, cmd, m, side, level);
		return;
	}
	answer_seq(d, cmd, m,
		   c->whole || match_length(m) == 0
			   ? m->seq
			   : m->resigned[side].game_seq);
	resign_go_on(d, m);
}

/* -- answers to offers -- */

static void accept(struct domain *d, struct match *m)
{
	resign_game(d, m, m->resign.by, m->resign.level);
}

static void decline(struct domain *d, struct match *m)
{
	happen(d, &(struct fact){ .type = FACT_RESIGN_DECLINED,
				  .match = m->id,
				  .resign_declined = {
					  m->ply, side_other(m->resign.by) } });
}

static void on_resign_answer(struct domain *d, const struct command *cmd,
			     bool accepts)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	const struct last_resign *last = &m->resigned[side];
	if (last->answered > 0 && last->answered == cmd->offer &&
	    last->accepted == accepts) {
		answer_seq(d, cmd, m, last->answered_seq);
		return;
	}
	bool stands = m->resign.standing && m->resign.by != side;
	if (!stands || m->resign.seq != cmd->offer) {
		refuse(d, cmd, stands ? PLYD_ESTALE : PLYD_ENOOFFER)->match = m;
		return;
	}
	int err = match_reserve(m);
	if (err) {
		refuse(d, cmd, err)->match = m;
		return;
	}
	if (accepts)
		accept(d, m);
	else
		decline(d, m);
	answer_seq(d, cmd, m,
		   accepts && match_length(m) == 0 ? m->seq
						   : last->answered_seq);
	if (accepts)
		resign_go_on(d, m);
}

void on_match_accept_resign(struct domain *d, const struct command *cmd)
{
	on_resign_answer(d, cmd, true);
}

void on_match_decline_resign(struct domain *d, const struct command *cmd)
{
	on_resign_answer(d, cmd, false);
}

void resign_thought(struct domain *d, const struct command *cmd,
		    struct match *m)
{
	const struct cmd_thought *t = &cmd->thought;
	enum side side = side_other(m->resign.by);
	if (!m->resign.standing || m->resign.seq != t->offer ||
	    m->seat[side].kind != KIND_PERSONALITY)
		return; /* the offer is no more */
	if (!t->failed && t->keeps)
		kept_change(d, m, (enum kept_by)side, t->memory);
	chat_thought(d, cmd, m, side);
	if (t->failed || !t->yes || match_reserve(m)) {
		decline(d, m);
		return;
	}
	accept(d, m);
	resign_go_on(d, m);
}

void resign_thought_itself(struct domain *d, struct match *m)
{
	enum side side = match_turn(m);
	if (match_reserve(m)) {
		match_freeze(d, m, "there was no memory for it");
		return;
	}
	resign_game(d, m, side, match_level_max(m, side));
	resign_go_on(d, m);
}
