/* SPDX-License-Identifier: MIT
 * client_priv.h - the client's insides. client.c owns the connection, request.c
 * what waits for answers, follow.c the matches, typed.c and value.c what the
 * caller is shown. */
#ifndef PLYD_CLIENT_CLIENT_PRIV_H
#define PLYD_CLIENT_CLIENT_PRIV_H

#include <plyd/client.h>

#include "base/buf.h"
#include "proto/read.h"

/* X(name, states it may enter) */
#define CLIENT_STATES(X)                                                       \
	X(OFFLINE, TO(HELLO))                                                  \
	/* hello was sent */                                                   \
	X(HELLO, TO(READY) | TO(BROKEN) | TO(OFFLINE))                         \
	X(READY, TO(BROKEN) | TO(OFFLINE))                                     \
	/* the connection is of no more use */                                 \
	X(BROKEN, TO(OFFLINE))
enum client_state {
#define X(name, to) CLIENT_##name,
	CLIENT_STATES(X)
#undef X
};

/* A request from its making to its answer. */
struct pending {
	uint32_t msgid;
	bool sent;   /* on this connection */
	bool repeat; /* may be sent again on another */
	struct buf message;
	client_answer_fn *fn;
	void *payload;
	struct pending *prev, *next;
};

/* A match whose events are told. */
struct followed {
	struct client *client; /* NULL: the slot is free */
	char match[CLIENT_ID_MAX];
	uint64_t seq; /* of the last thing that was told; 0: nothing yet */
	client_side you;
	bool stale;        /* events were missed: it must be watched again */
	bool dropped;      /* is free when no answer is awaited any more */
	unsigned watching; /* answers to match.watch that are awaited */
};

struct client {
	enum client_state state;
	char name[CLIENT_NAME_MAX];
	char program[CLIENT_NAME_MAX];
	char token[CLIENT_TOKEN_MAX];
	char login[CLIENT_LOGIN_MAX];
	char password[CLIENT_PASSWORD_MAX];
	char bot_token[CLIENT_TOKEN_MAX];
	bool bot;
	bool is_operator;
	const struct client_callbacks *callbacks;
	void *payload;
	struct scan scan;
	struct doc *doc;
	struct buf in;  /* a message that has not ended */
	struct buf out; /* what is to be sent */
	uint32_t last_msgid;
	uint32_t hello_msgid;
	struct pending *pending; /* in the order of their making */
	size_t pending_count;
	struct followed followed[CLIENT_MATCHES_MAX];
};

static inline const struct client_value *shown(const struct value *v)
{
	return (const struct client_value *)v;
}

/* -- request.c -- */

uint32_t client_next_msgid(struct client *c);
/* Puts what waits into the output, in order. */
void requests_send(struct client *c);
/* The connection is gone; `all`: the session too. */
void requests_lost(struct client *c, int err, bool all);
void requests_free(struct client *c);
/* The answer to a request of the caller or of follow.c. False: to none. */
bool requests_answered(struct client *c, uint32_t msgid,
		       const struct client_error *error,
		       const struct value *result);

/* -- follow.c -- */

/* Hello was answered: everything is watched again, and what it lists. */
void follow_resume(struct client *c, const struct value *matches);
/* Watches what is stale, as far as requests are to be had. */
void follow_go_on(struct client *c);
/* Tells each match as lost. */
void follow_forget(struct client *c, int err);
void follow_started(struct client *c, const struct value *match);
/* A match of a player who is followed, or what stands in for missed events. */
void follow_snapshot(struct client *c, const struct value *match);
void follow_event(struct client *c, const struct value *event);

/* -- typed.c -- */

/* Each false if v is not an object of that kind. */
bool read_error(const struct value *v, struct client_error *out);
bool read_closing(const struct value *v, struct client_error *out);
bool read_match(const struct value *v, struct client_match *out);
bool read_event(const struct value *v, struct client_event *out);

/* An error of this side. */
struct client_error own_error(int err);

#endif
