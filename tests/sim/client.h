/* SPDX-License-Identifier: MIT
 * client.h - the false clients. Each keeps what it was told, resumes with its
 * token when it was cut off, and sends again what was not answered. */
#ifndef PLYD_TESTS_SIM_CLIENT_H
#define PLYD_TESTS_SIM_CLIENT_H

#include <plyd/rules.h>
#include "base/buf.h"
#include "domain/match.h"
#include "net.h"
#include "proto/scan.h"

enum {
	CLIENT_MATCHES_MAX = 8,
	CLIENT_LOBBIES_MAX = 8,
	TOKEN_HEX = 64,
	AGAIN_MAX = 8
};

enum temper {
	HONEST,    /* plays legal moves at once */
	LAZY,      /* takes its time, forgets, hangs up */
	HOSTILE,   /* sends what it should not */
	SPECTATOR, /* watches */
};

/* A match as a client knows it. */
struct seen_match {
	struct id match;
	struct ruleset rules;
	int you;  /* enum side, or -1: a spectator */
	int turn; /* or -1 */
	uint64_t seq;
	uint32_t ply;
	bool nonces, nonce_sent, over;
	int offer;     /* who offered, or -1 */
	int takeback;  /* who wants to take back, or -1 */
	int takebacks; /* how many there were; -1: none may be */
	struct position pos;
	bool wait; /* a move is on its way */
	enum awaits awaits;
	int length; /* points that win it; 0: one game */
	uint32_t game;
	int resign_by; /* who would resign, or -1 */
	uint64_t resign_offer;
	bool paused;
	int pause;             /* who wants one, or -1 */
	bool rematch;          /* the other wants one */
	int rematches;         /* so often it has asked itself */
	char lag[LAG_HEX + 1]; /* to be echoed, or "" */
	uint64_t lag_at_ms;
};

struct client {
	size_t index;
	enum temper temper;
	bool bot;
	char name[16];
	struct link *link;
	uint32_t links; /* that it had */
	struct buf in;  /* a message that has not ended */
	struct scan scan;
	struct doc *doc;
	struct buf out; /* the request being written */
	struct id player;
	char token[TOKEN_HEX + 1]; /* "" before the first hello */
	char old_token[TOKEN_HEX + 1];
	bool hello_sent, ready;
	uint32_t guesses; /* of a password, that it is going to make */
	uint32_t session; /* number of its own, once ready */
	uint32_t msgids;
	uint32_t keys;
	uint32_t created_key; /* of the last lobby.create */
	struct seen_match match[CLIENT_MATCHES_MAX];
	size_t matches;
	struct id lobby[CLIENT_LOBBIES_MAX];
	size_t lobbies;
	struct asked created; /* the last lobby.create, to be repeated */
	struct asked again[AGAIN_MAX]; /* to be sent again after a resume */
	size_t agains;
	struct id listed; /* a lobby or match that a list showed */
	struct id running;
	struct id sought, challenged, invited; /* that it heard of last */
	uint64_t quiet_until_ms;
};

struct client *client_new(struct sim *sim, size_t index);
void client_free(struct client *c);
const char *client_name(const struct client *c);

void client_acts(struct sim *sim, struct client *c);
void client_hears(struct sim *sim, struct client *c, struct span bytes);
void client_is_cut_off(struct sim *sim, struct client *c);

/* -- between the files of the client -- */

struct seen_match *client_match(struct client *c, const struct id *match);
/* Begins a request in sim's scratch; the map is the caller's to write. */
struct buf *ask_begin(struct client *c, struct asked *a, enum method method);
/* Sends it, and remembers that it was asked. */
void ask_send(struct sim *sim, struct client *c, struct asked *a);
/* Sends an old request once more, under a new id. */
void ask_again(struct sim *sim, struct client *c, const struct asked *old);
void ask_match(struct sim *sim, struct client *c, enum method method,
	       const struct id *match);
void ask_move(struct sim *sim, struct client *c, const struct id *match,
	      uint32_t ply, const char *move);
/* Any command that binds a ply. */
void ask_ply(struct sim *sim, struct client *c, enum method method,
	     const struct id *match, uint32_t ply);
void ask_hello(struct sim *sim, struct client *c, const char *token);
/* After a match of its own; false: it has nothing to say. */
bool client_wants_more(struct sim *sim, struct client *c, struct seen_match *m);

/* -- client_account.c -- */

/* Whether it has an account now, as far as it knows. */
bool client_has_account(struct sim *sim, const struct client *c);
/* Says hello with a password; false: it has none to say. */
bool client_logs_in(struct sim *sim, struct client *c);
/* Does something about its account; false: it has none. */
bool client_minds_account(struct sim *sim, struct client *c);
void client_account_answered(struct sim *sim, struct client *c,
			     const struct asked *a, const struct value *map);
void client_account_refused(struct sim *sim, struct client *c,
			    const struct asked *a, int64_t code);

/* Takebacks and the like; false: it has nothing to say of them. */
bool client_talks_of_life(struct sim *sim, struct client *c,
			  const struct seen_match *m);
/* Follows a player; false: it does not. */
bool client_follows(struct sim *sim, struct client *c);
/* Talks, blocks, reports. */
void client_chats(struct sim *sim, struct client *c);
/* Does something about tournaments. */
void client_competes(struct sim *sim, struct client *c);
/* Does something to meet somebody. */
void client_meets(struct sim *sim, struct client *c);
/* It has heard of a "seek", a "challenge" or a "lobby". */
void client_met(struct client *c, const char *key, const struct id *id);
void client_acts_hostile(struct sim *sim, struct client *c);
/* A fast program answers in the same moment. */
void client_acts_at_once(struct sim *sim, struct client *c);
/* -- client_stakes.c -- */

/* From a snapshot, or an event with a position; from any event. */
void stakes_know(struct seen_match *m, const struct value *map);
void stakes_hear(struct seen_match *m, const struct value *map);
/* Throws, doubles or answers; false: a move is awaited. */
bool stakes_play(struct sim *sim, struct client *c, struct seen_match *m);
/* Says something of resigning; false: not now. */
bool stakes_speak(struct sim *sim, struct client *c,
		  const struct seen_match *m);
void stakes_harm(struct sim *sim, struct client *c, const struct match *m);
/* The length to ask for; 0: none. */
int stakes_length(struct sim *sim, const char *ruleset);

/* -- client_clock.c -- */

struct clock_asked clock_choose(struct sim *sim);
/* Entries of the map that it takes, and these. */
uint32_t clock_entries(const struct clock_asked *c);
void put_clock(struct sim *sim, struct buf *b, const struct clock_asked *c);

/* -- client_lag.c -- */

/* An event or a clock may have a nonce to be echoed. */
void lag_is_known(struct sim *sim, struct client *c, struct seen_match *m,
		  const struct value *map);
/* Echoes what is due. */
void client_echoes(struct sim *sim, struct client *c);

/* A random legal move of the side to move, or false. */
bool random_move(struct sim *sim, const struct ruleset *rules,
		 const struct position *pos, char text[MOVE_TEXT_MAX]);

#endif
