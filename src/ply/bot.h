/* SPDX-License-Identifier: MIT
 * bot.h - the bot's two halves: bot_seek.c finds opponents, bot_game.c plays.
 * Both live on one loop and one session; cmd_bot.c owns them. Everything that
 * fails is tried again a little later, from what the server then says. */
#ifndef PLYD_PLY_BOT_H
#define PLYD_PLY_BOT_H

#include <stdio.h>

#include <plyd/rules.h>
#include "base/rng.h"
#include "engine/engine.h"
#include "ply/link.h"
#include "ply/login.h"

enum {
	BOT_GAMES_MAX = 8, /* at a time; one is usual */
	BOT_RETRY_MS = 200,
	BOT_WAIT_MS = 2000, /* at a server that begins no match now */
	BOT_LOOK_MS = 400,  /* between looks for an older lobby */
	BOT_KEY_BYTES = 12,
	BOT_NONCE_BYTES = 16,
	BOT_TABLE_BYTES = 8 * 1024 * 1024,
	BOT_NODES = 20000 /* of a move, where nothing else is said */
};

struct bot_options {
	const char *ruleset;
	const char *server;
	const char *name;
	const char *opponent; /* a choice of lobby.create, or of bot.policy */
	const char *ai;       /* with opponent personality; NULL: any */
	const char *log;
	const char *tournament; /* it plays that, and nothing else; or NULL */
	bool accept; /* the server takes challenges for it; opens no lobby */
	bool rated;  /* only rated matches; else only unrated ones */
	bool random; /* no search */
	bool stdio;  /* a referee program asks, no server */
	uint64_t ms; /* with stdio: CPU time of a move at most; 0: as asked */
	int depth;   /* with stdio: half-moves to look ahead; 0: any */
	uint64_t nodes; /* with stdio, 0: as many as the time allows */
	bool seeded;
	uint64_t seed;
	long matches;
	struct login login;
};

struct game {
	struct bot *bot;
	bool live;   /* the match goes on */
	bool asking; /* match.move waits for its answer */
	bool again;  /* at the next tick: choose again */
	bool unsure; /* at the next tick: ask where the match stands */
	bool nonce_given;
	char match[CLIENT_ID_MAX];
	struct ruleset rules;
	struct position pos;
	struct engine_history history;
	client_side you;
	client_side turn;
	enum client_awaits awaits;
	uint32_t ply;
};

enum seek { SEEK_NOTHING, SEEK_ASKING, SEEK_WAITING };

struct bot {
	struct bot_options options;
	const char *who; /* for complaints */
	struct net *net;
	struct link *link;
	struct net_timer *timer;
	uint64_t due_ms; /* of the timer; 0: it stands */
	struct engine *engine;
	struct rng rng;
	struct entropy entropy;
	FILE *log;
	int status;
	long begun; /* matches */
	long ended;
	enum seek seek;
	int waits_for;  /* a plyd_err that was told; 0: for nothing */
	bool finishing; /* it takes no new matches: bot.finish */
	bool finished;  /* and none goes on: bot.finished */
	char player[CLIENT_ID_MAX];
	char lobby[CLIENT_ID_MAX]; /* while waiting in it */
	char ai[CLIENT_NAME_MAX];
	struct game games[BOT_GAMES_MAX];
};

/* Ticks not later than that. */
void bot_soon(struct bot *b, uint64_t after_ms);
/* Says so, and ends the bot with a status of 1. */
void bot_fail(struct bot *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A line of --log, on the disk when this returns. */
void bot_log(struct bot *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* -- bot_stdio.c -- */

/* Answers a referee program until its lines end; the exit status. */
int bot_stdio(const struct bot_options *options, const char *who);

/* -- bot_game.c -- */

void game_show(struct bot *b, const struct client_match *m);
void game_event(struct bot *b, const struct client_event *e);
void game_lost(struct bot *b, const char *match, int err);
void game_tick(struct bot *b);
/* Games that go on, or whose last move waits for its answer. */
size_t games_busy(const struct bot *b);

/* -- bot_seek.c -- */

/* Hello was answered: where the bot sits now is in the answer. */
void seek_ready(struct bot *b, const struct client_value *welcome);
/* A match began. */
void seek_found(struct bot *b);
void seek_closed(struct bot *b, const struct client_value *notice);
/* Takes no new matches; the server is told, and tells when the last is over. */
void seek_finish(struct bot *b);
void seek_tick(struct bot *b);
/* The tournament has changed; it may be over. */
void seek_tournament(struct bot *b, const struct client_value *told);

#endif
