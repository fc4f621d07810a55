/* SPDX-License-Identifier: MIT
 * view.h - a match as a person at a terminal follows it: the board, the last
 * move, the clocks, in words and lines. It follows the client's snapshots and
 * events and prints nothing itself. */
#ifndef PLYD_PLY_VIEW_H
#define PLYD_PLY_VIEW_H

#include <plyd/client.h>
#include <plyd/rules.h>
#include "base/buf.h"

enum { VIEW_MOVES_KEPT = 64 };

/* The last half-moves. */
struct view_moves {
	unsigned count; /* of all that were added */
	unsigned kept;  /* of the last ones, VIEW_MOVES_KEPT at most */
	struct view_move {
		char text[CLIENT_MOVE_MAX];
		client_side side; /* nobody: it is not known */
	} move[VIEW_MOVES_KEPT];
};

struct view {
	bool colour; /* set by the owner */
	char match[CLIENT_ID_MAX];
	struct ruleset rules;
	struct position pos;
	char name[2][CLIENT_NAME_MAX];
	client_side you; /* nobody: a spectator */
	client_side turn;
	client_side offer;
	client_side takeback; /* who wants to take back */
	client_side pause;    /* who wants a pause */
	enum client_awaits awaits;
	struct client_stakes stakes;
	uint32_t ply;
	char last[CLIENT_MOVE_MAX]; /* the last half-move, or "" */
	client_side last_side;
	struct view_moves moves;
	uint64_t marked; /* as in struct board_look */
	bool unlimited;
	char clock[CLIENT_WORD_MAX];
	int64_t increment_ms, delay_ms;
	int64_t left_ms[2]; /* at the time of at_ms */
	int64_t free_ms;    /* the running one stands still for so long */
	client_side running;
	uint64_t at_ms;
	bool nonces; /* the match waits for the players' nonces */
	bool over;
};

/* Takes a snapshot. False: this version does not know its rules. */
bool view_match(struct view *v, const struct client_match *m, uint64_t now_ms);

/* Takes the next event and appends what happened in words to out, each line
 * ended by '\n'; the result is left to view_result(), for it goes below the
 * board. Returns whether the board is worth drawing now. */
bool view_event(struct view *v, const struct client_event *e, uint64_t now_ms,
		struct buf *out);

/* Takes an event about cube, games or resignations; false: it is none. */
bool view_stakes_event(struct view *v, const struct client_event *e,
		       struct buf *out);

/* The places that a move touches, as struct board_look has them. */
uint64_t view_places(const struct ruleset *rules, const struct position *before,
		     const struct move *m, enum side below);

/* -- view_moves.c -- */

void view_moves_add(struct view_moves *m, const char *text, client_side side);
/* Takes the moves of a snapshot. */
void view_moves_begin(struct view_moves *m, const struct client_match *match);
void view_moves_clear(struct view_moves *m);
/* Forgets the last n. */
void view_moves_drop(struct view_moves *m, unsigned n);
/* The i-th of those that are kept, the oldest first; NULL beyond the end. */
const struct view_move *view_moves_at(const struct view_moves *m, unsigned i);

/* Append lines. */
void view_stakes(const struct view *v, struct buf *out);
void view_draw(const struct view *v, uint64_t now_ms, struct buf *out);
void view_clocks(const struct view *v, uint64_t now_ms, struct buf *out);
void view_result(const struct view *v, const struct client_result *r,
		 struct buf *out);

/* Bytes of a line of chat, its NUL included. */
enum { VIEW_SAID_MAX = 1300 };
/* Copies what others wrote. The server lets no control character through, but a
 * terminal trusts nobody: they become ?. */
void view_said(const struct client_value *v, char *out, size_t size);

/* `White`, or `You` for the viewer's own side. */
const char *view_who(const struct view *v, client_side side);

#endif
