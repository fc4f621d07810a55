/* SPDX-License-Identifier: MIT
 * held.c - moves, throws and decisions about the cube that come before the draw
 * policy's script has judged the position. They are legal, and wait until it
 * has spoken or its time is up: else a fast player would cut every verdict
 * short. */
#include "domain/domain_priv.h"

#include <stdlib.h>

struct held_move {
	struct held_move *next;
	struct command cmd; /* a move's text is below */
	char text[MOVE_TEXT_MAX];
	struct move move;       /* that it is, */
	struct position before; /* in this position */
};

bool match_awaits_verdict(const struct match *m)
{
	return m->state == MATCH_PLAYING && m->rules->draws.judged &&
	       m->ply > 0 && !m->asked && !m->released &&
	       !match_awaits_server(m);
}

void move_hold(struct domain *d, struct match *m, const struct command *cmd,
	       const struct move *move)
{
	struct held_move **end = &m->held;
	size_t count = 0;
	for (; *end; end = &(*end)->next)
		count++;
	struct held_move *held =
		count < HELD_MOVES_MAX ? malloc(sizeof(*held)) : NULL;
	if (!held) {
		refuse(d, cmd, PLYD_EJUDGING)->match = m;
		return;
	}
	held->next = NULL;
	held->cmd = *cmd;
	*end = held;
	if (!move)
		return;
	held->cmd.move.text =
		span_of(held->text, game_move_text(&m->rules->rules, &m->pos,
						   move, held->text));
	held->move = *move;
	held->before = m->pos;
}

/* The usual case: nothing has happened but the verdict. */
static bool still_legal(const struct held_move *held, const struct match *m)
{
	return !memcmp(&held->before, &m->pos, sizeof(m->pos));
}

void held_decide(struct domain *d, struct match *m)
{
	struct held_move *held = m->held, *next;
	m->held = NULL;
	for (; held; held = next) {
		const struct command *cmd = &held->cmd;
		enum side side = (enum side)match_seat_of(m, &cmd->player);
		next = held->next;
		if (cmd->type == CMD_MATCH_MOVE)
			move_decide(d, cmd, m, side,
				    still_legal(held, m) ? &held->move : NULL);
		else
			cube_decide(d, cmd, m, side);
		free(held);
	}
}

void held_free(struct match *m)
{
	struct held_move *held = m->held, *next;
	m->held = NULL;
	for (; held; held = next) {
		next = held->next;
		free(held);
	}
}

void domain_each_held(const struct domain *d,
		      void (*each)(void *payload, uint64_t conn,
				   uint32_t msgid),
		      void *payload)
{
	const struct match *m;
	const struct held_move *held;
	for (m = d->matches; m; m = match_next(m))
		for (held = m->held; held; held = held->next)
			each(payload, held->cmd.conn, held->cmd.msgid);
}
