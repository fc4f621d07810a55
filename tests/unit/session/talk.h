/* SPDX-License-Identifier: MIT
 * talk.h - clients that talk to a hub over false connections. Everything that
 * the hub says is read as a client would, and held against the shapes that
 * proto/objects.h declares. The journal is in memory and commits at once, or
 * when it is told to. */
#ifndef PLYD_TESTS_TALK_H
#define PLYD_TESTS_TALK_H

#include "base/buf.h"
#include "proto/methods.h"
#include "proto/read.h"
#include "session/hub.h"

enum {
	TALK_CONNS = 24,
	TALK_IDS = 64,
	TALK_NAME_MAX = 40,
	TALK_HEARD_MAX = 512
};

/* What one connection has heard. */
struct line {
	struct buf said; /* not yet read */
	bool closed;
	char closing[TALK_NAME_MAX]; /* name of the error in `closing` */
	enum method asked[TALK_IDS]; /* by id */
	uint32_t last_id;
	uint32_t answered; /* id of the last response */
	size_t answers;
	size_t bytes;  /* said to it so far */
	size_t humble; /* messages that others may go before */
	size_t notices;
	char last_notice[TALK_NAME_MAX];
	char last_event[TALK_NAME_MAX];
	char heard[TALK_HEARD_MAX]; /* lines of chat, '/' after each */
	uint64_t seq;               /* of the last event */
	bool does_not_read;         /* what is said to it counts as queued */
	size_t queued;
	bool stopped; /* the hub does not read from it */
};

struct talk {
	struct hub *hub;
	struct hub_limits limits;
	struct line line[TALK_CONNS];
	struct doc *doc; /* of the last response */
	struct doc *scratch;
	struct buf kept;            /* its bytes */
	char error[TALK_NAME_MAX];  /* its error's name, or "" */
	const struct value *result; /* or what it holds; or an error's details*/

	/* passwords that are being hashed, falsely: "h:" and the password */
	struct {
		uint64_t job;
		bool fits;
		char hash[PASSWORD_HASH_MAX];
	} hashing[8];
	size_t hashings;
	bool hold_hash;   /* until talk_hashed() */
	bool hold_record; /* until talk_recorded() */
	struct id judged; /* the match whose verdict was asked for last */

	bool hold; /* commits wait for talk_commit() */
	uint64_t now_ms;
	int64_t unix_ms; /* goes on with now_ms */
	uint64_t last_row;
	uint64_t snapshot_row; /* of the last snapshot */
	struct buf rows;       /* of all matches: length, match, bytes */
	struct buf record;
	struct digest head; /* of the last match that was finished */
	size_t finished;
	size_t errands;
	struct hub_errand errand; /* the last one */
	size_t stops; /* times that the operator's wish to stop was passed on */
	struct {
		bool wanted;
		uint64_t conn;
		uint32_t msgid;
		struct id match;
	} reading;
	/* what was looked at */
	size_t checked;
};

/* limits NULL: the usual ones. All built-in rulesets are on offer. */
void talk_open(struct talk *t, const struct hub_limits *limits);
void talk_close(struct talk *t);

/* Connects from that address; what the hub says to it. */
int talk_connect(struct talk *t, uint64_t conn, const char *address);
/* Connects to the operator's socket. */
int talk_operator(struct talk *t, uint64_t conn);
/* Asks, and reads what comes to everybody. params is a list such as
 * "ruleset=s ply=i ready=b", the values follow. Returns whether the answer came
 * and was no error; t->error or t->result say more. */
bool talk_ask(struct talk *t, uint64_t conn, const char *method,
	      const char *params, ...);
/* Only writes the request to b, under the next id of the line. */
void talk_write(struct talk *t, uint64_t conn, struct buf *b,
		const char *method, const char *params, ...);
/* Sends bytes as they are, and reads what comes. */
void talk_send(struct talk *t, uint64_t conn, struct span bytes);
/* All passwords that wait were hashed. */
void talk_hashed(struct talk *t);
/* The record that was asked for was read. */
void talk_recorded(struct talk *t);
/* All that waits is durable. */
void talk_commit(struct talk *t);
/* Reads what was said to everybody. */
void talk_read(struct talk *t);
/* Lets time pass. */
void talk_wait(struct talk *t, uint64_t ms);

/* Text of an entry of t->result. Lent until the next answer; NULL: none. */
const char *talk_text(struct talk *t, const char *key);
int64_t talk_number(struct talk *t, const char *key);

#endif
