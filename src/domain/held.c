/* SPDX-License-Identifier: MIT
 * held.c - moves, throws and decisions about the cube that come before the draw
 * policy's script has judged the position. They are legal, and wait until it
 * has spoken or its time is up: else a fast player would cut every verdict
 * short. */
#include "domain/domain_priv.h"

#include <stdlib.h>

struct held_move {
	struct command cmd; /* a move's text is below */
	char text[MOVE_TEXT_MAX];
};

struct held_moves {
	size_t count;
	struct held_move move[HELD_MOVES_MAX];
};

bool match_awaits_verdict(const struct match *m)
{
	return m->state == MATCH_PLAYING && m->rules.draws.judged &&
	       m->ply > 0 && !m->asked && !m->released &&
	       !match_awaits_server(m);
}

void move_hold(struct domain *d, struct match *m, const struct command *cmd,
	       const char *text)
{
	if (!m->held)
		m->held = calloc(1, sizeof(*m->held));
	if (!m->held || m->held->count == HELD_MOVES_MAX) {
		refuse(d, cmd, PLYD_EJUDGING)->match = m;
		return;
	}
	struct held_move *held = &m->held->move[m->held->count++];
	held->cmd = *cmd;
	span_copy(span_str(text), held->text, sizeof(held->text));
	if (cmd->type == CMD_MATCH_MOVE)
		held->cmd.move.text = span_str(held->text);
}

void held_decide(struct domain *d, struct match *m)
{
	struct held_moves *held = m->held;
	m->held = NULL;
	for (size_t i = 0; held && i < held->count; i++) {
		const struct command *cmd = &held->move[i].cmd;
		enum side side = (enum side)match_seat_of(m, &cmd->player);
		if (cmd->type == CMD_MATCH_MOVE)
			move_decide(d, cmd, m, side);
		else
			cube_decide(d, cmd, m, side);
	}
	free(held);
}

void domain_each_held(const struct domain *d,
		      void (*each)(void *payload, uint64_t conn,
				   uint32_t msgid),
		      void *payload)
{
	const struct match *m;
	for (m = d->matches; m; m = match_next(m))
		for (size_t i = 0; m->held && i < m->held->count; i++)
			each(payload, m->held->move[i].cmd.conn,
			     m->held->move[i].cmd.msgid);
}
