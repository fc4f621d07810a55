/* SPDX-License-Identifier: MIT
 * load.h - `ply load`: many connections on one loop that play, watch or are
 * idle, and what the server takes for it. load_conn.c speaks the protocol,
 * load_pair.c plays, load_game.c has prepared moves, load_report.c tells;
 * cmd_load.c owns them. It is no struct client: of a message it reads only what
 * a game needs, and a connection that breaks is counted and not dialled again.
 *
 * Times are microseconds of the monotonic clock (load_now_us()). What has a due
 * time is measured from that, not from when ply came to send it or the server
 * let it: a server that stalls is charged for all that should have happened
 * meanwhile. */
#ifndef PLYD_PLY_LOAD_H
#define PLYD_PLY_LOAD_H

#include <stdbool.h>
#include <stdio.h>

#include <plyd/client.h>
#include <plyd/rules.h>
#include "base/buf.h"
#include "base/rng.h"
#include "net/conn.h"
#include "ply/address.h"
#include "ply/histogram.h"
#include "ply/load_game.h"
#include "ply/time_text.h"
#include "proto/read.h"

enum {
	LOAD_RULESETS_MAX = 16,
	LOAD_CONNS_MAX = 60000,
	LOAD_CONNS_PER_SOURCE = 8000, /* from one address of this machine */
	LOAD_ERRORS_MAX = 24,         /* different ones that are told apart */
	LOAD_SENT_KEPT = 16,          /* plies whose due times are remembered */
	LOAD_CODE_MAX = 33,
	LOAD_RETRY_MS = 500, /* after an error that says no time */
	LOAD_END_MS = 3000   /* for matches to end after the measuring */
};

struct load_options {
	const char *server;
	const char *rulesets; /* names with commas between */
	const char *json;     /* file for the figures, "-" stdout; or NULL */
	uint64_t pairs, idle, spectators;
	struct time_text clock; /* kind NULL: that of the ruleset */
	double rate;       /* moves a second, of all; 0: as think_ms says */
	uint64_t think_ms; /* mean between two moves of a match; 0: none */
	bool steady;       /* think_ms, and not by chance around it */
	uint64_t seconds;  /* that are measured; 0: until `games` are over */
	uint64_t games;    /* of all pairs together; 0: no end */
	uint64_t warmup_s; /* between the last connection and the measuring */
	uint64_t connect_per_s;
	uint64_t ping_s; /* between two signs of life of idle connections */
	uint64_t seed;
	int pid; /* of the server; 0: unknown */
	bool quiet;
};

/* What is to be done at a time. */
struct load_due {
	uint64_t at_us;
	void (*fn)(void *payload);
	void *payload;
	size_t place; /* in the heap, from 1; 0: not there */
};

/* What a request was, so that its answer is understood: the low bits of its
 * id. */
enum load_ask {
	LOAD_ASK_HELLO,
	LOAD_ASK_PING,
	LOAD_ASK_CREATE,
	LOAD_ASK_JOIN,
	LOAD_ASK_NONCE,
	LOAD_ASK_MOVE,
	LOAD_ASK_CUBE,
	LOAD_ASK_RESIGN,
	LOAD_ASK_WATCH,
	LOAD_ASKS
};

enum load_role { LOAD_PLAYS, LOAD_WATCHES, LOAD_IDLES };

struct load_pair;

struct load_conn {
	struct load *load;
	struct conn *conn; /* NULL: not yet, or no more */
	enum load_role role;
	bool ready;             /* hello was answered */
	struct load_pair *pair; /* plays it, or watches it; idle: NULL */
	struct scan scan;
	struct buf in; /* a message that has not ended */
	struct load_due due;
	uint64_t dialled_us; /* when it was due to be dialled */
	uint32_t asks;
};

enum load_turn {
	LOAD_NO_TURN,
	LOAD_THINKS, /* somebody is to move, and knows it */
	LOAD_ASKED   /* his move waits for its answer */
};

/* Two connections that play each other, one match after another. */
struct load_pair {
	struct load *load;
	struct load_conn *player[2]; /* 0 opens the lobbies */
	struct load_ruleset *rules;
	struct load_due due;       /* the next move, or the next try */
	char match[CLIENT_ID_MAX]; /* "": none */
	int white;                 /* the player of that side */
	bool told_end[2];          /* the players know that it is over */
	const struct load_game *game;
	struct position pos; /* with dice */
	enum load_turn turn;
	int mover; /* player who is to move */
	uint32_t ply;
	uint64_t next_us; /* when the next move is due */
	char code[LOAD_CODE_MAX];
	struct {
		uint32_t ply;
		uint64_t due_us, at_us;
	} sent[LOAD_SENT_KEPT]; /* by ply % LOAD_SENT_KEPT; due_us 0: none */
};

struct load_error {
	char name[CLIENT_WORD_MAX];
	uint64_t count;
};

struct load_usage {
	double cpu_s;
	uint64_t rss_kib, peak_kib;
};

enum load_phase { LOAD_CONNECTS, LOAD_WARMS_UP, LOAD_MEASURES, LOAD_ENDS };

struct load {
	const char *who;
	struct load_options options;
	struct net *net;
	struct net_timer *timer;
	struct doc *doc; /* of whichever message is read */
	struct buf out;  /* the message that is written */
	struct rng rng;
	struct address address;
	enum load_phase phase;
	bool failed; /* it cannot be done; stderr was told */
	uint64_t begun_us, measured_us, ended_us; /* phases began */

	struct load_due **heap; /* [1] is the next; room for all there are */
	size_t heap_count;
	struct load_due phase_due, progress_due;

	struct load_conn *conns;
	size_t conn_count, conns_ready, conns_lost;
	struct load_pair *pairs;
	struct load_ruleset rules[LOAD_RULESETS_MAX];
	size_t ruleset_count;

	/* while measuring, but for the errors */
	struct histogram hello, move_due, move_sent, opponent, spectator, late;
	uint64_t moves, overdue, messages_in, messages_out;
	uint64_t games_begun, games_over, games_resigned;
	struct load_error errors[LOAD_ERRORS_MAX];
	size_t error_count;
	struct load_usage server_before, server_after;
	/* of the last line of progress */
	struct load_usage server_told;
	uint64_t told_us, told_moves;
	struct load_usage self_before, self_after;
};

uint64_t load_now_us(void);
/* Whether what happens now counts. */
static inline bool load_counts(const struct load *l)
{
	return l->phase == LOAD_MEASURES;
}
/* Whether moves have due times of their own; else each is sent at once. */
static inline bool load_is_scheduled(const struct load *l)
{
	return l->options.rate > 0 || l->options.think_ms > 0;
}
/* Calls d->fn at that time, or if that has gone by soon. Replaces what d was
 * set to. */
void load_at(struct load *l, struct load_due *d, uint64_t at_us);
void load_cancel(struct load *l, struct load_due *d);
void load_count_error(struct load *l, const char *name);
/* Complains and ends. */
void load_fail(struct load *l, const char *why);
/* A connection was made, or is lost: the phase may be over. */
void load_conns_changed(struct load *l);
/* A game is over: all may be. */
void load_game_over(struct load *l);

/* -- load_conn.c -- */

void load_conn_dial(void *conn); /* a struct load_conn */
/* Begins a request with one map, whose entries the caller writes to l->out;
 * then load_send(). */
void load_begin(struct load_conn *c, enum load_ask ask, const char *method,
		uint32_t params);
void load_send(struct load_conn *c);

/* -- load_pair.c -- */

/* Both players are connected: begins the first match. */
void pair_begin(struct load_pair *p);
void pair_answer(struct load_conn *c, enum load_ask ask,
		 const struct value *error, const struct value *result);
void pair_started(struct load_conn *c, const struct value *match);
void pair_event(struct load_conn *c, const struct value *event);
/* A spectator: watches the match that is played, if one is. */
void pair_watch(struct load_conn *c);
/* Ends the match that is played, if one is. */
void pair_resign(struct load_pair *p);
/* Counts what was due and is not answered, at the end of the measuring. */
void pair_overdue(struct load_pair *p, uint64_t now_us);

/* -- load_report.c -- */

/* Of a process; all zero if it cannot be read. */
struct load_usage load_usage_of(int pid);
void load_progress(struct load *l);
/* Prints the table, and writes the JSON. False: it could not be written. */
bool load_report(const struct load *l);

#endif
