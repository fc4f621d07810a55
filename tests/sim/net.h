/* SPDX-License-Identifier: MIT
 * net.h - the false network: links between clients and the server, with
 * delays, bytes cut at any place, lost ends and half-open connections. */
#ifndef PLYD_TESTS_SIM_NET_H
#define PLYD_TESTS_SIM_NET_H

#include <plyd/rules.h>
#include "domain/limits.h"
#include "proto/methods.h"
#include "queue.h"

struct client;
struct sim;

enum { FOLLOWED_MAX = 4 };
enum {
	NET_ADDRESSES = 3,
	ASKED_TEXT_MAX = 80,
	LAG_HEX = 2 * LAG_BYTES,
	PASSWORD_CHARS = 24
};

/* A clock as a client asked for it; -1: not said. */
struct clock_asked {
	const char *ruleset; /* NULL: none of ours */
	int kind;
	int64_t base_ms, increment_ms, delay_ms;
};

/* A request that a client sent, and what its answer must fit to. */
struct asked {
	const char *position; /* lobby.create: where to begin, or NULL */
	uint32_t msgid;
	enum method method; /* 0: none of ours, any error may answer it */
	struct id match;
	struct id lobby;
	struct id seek; /* or challenge */
	struct id whom; /* invited, thrown out, challenged, followed */
	uint32_t ply;
	uint32_t takebacks_known;  /* and one more; 0: it does not say */
	char text[ASKED_TEXT_MAX]; /* move, nonce, token, key, code, lag */
	bool flag;                 /* hello: with a token; claim: a win */
	struct clock_asked clock;  /* lobby.create */
	int length;                /* lobby.create: of the match; 0 none */
	uint64_t offer;            /* match.accept_resign, decline_resign */
	int level;                 /* match.resign; flag: the whole match */
	uint32_t game;
	const struct ruleset *rules; /* rules.*: which, and of what position */
	struct position pos;
	/* account.*, and hello with a login; a name for account.rename */
	char login[LOGIN_BYTES_MAX + 1];
	char password[PASSWORD_CHARS];
	char fresh[PASSWORD_CHARS];
	bool answered;    /* the server has sent the answer */
	bool got;         /* and the client has it */
	uint64_t sent_ms; /* world's time */
	uint64_t ends_at; /* its last byte among all that the link sent */
	uint8_t *bytes;   /* as it was sent */
	size_t len;
};

/* How far a match was told on a link. */
struct heard {
	struct id match;
	uint64_t seq;
	bool subscribed;
	bool skipped;        /* events were left out: a snapshot must come */
	uint64_t generation; /* of the domain that told of it last */
	bool snapshot;  /* one was shown, so that the rest is known, too: */
	bool online[2]; /* whether the players are there */
};

struct link {
	uint64_t number;
	struct client *client;
	bool client_open;       /* as the client sees it */
	bool server_open;       /* as the server sees it */
	bool cut;               /* nothing arrives any more */
	bool closing;           /* the server has said its last word */
	bool garbage;           /* bytes were sent that are no requests */
	bool ready;             /* hello was answered well */
	bool slow;              /* the client reads nothing; the server */
	size_t queued;          /* has so many bytes that wait for it */
	uint64_t slow_until_ms; /* the last time; 0: it never was slow */
	bool given_up; /* more waited than may; the hub does not know yet */
	struct id followed[FOLLOWED_MAX];
	uint64_t followed_batch[FOLLOWED_MAX]; /* of the journal, then */
	size_t followed_count;
	uint64_t hello_ms; /* when the hello that made it ready was sent */
	struct id player;
	int64_t session;      /* number of his */
	uint64_t ready_batch; /* of the journal, when hello was answered */
	uint64_t in_at_ms, out_at_ms; /* so that bytes stay in order */
	struct asked *asked;
	size_t asked_count, asked_cap;
	uint64_t sent_bytes, arrived_bytes; /* to the server, so far */
	uint64_t arrived_when_left;         /* before its session was ended */
	struct heard *heard;
	size_t heard_count, heard_cap;
	struct link *next;
};

struct link *net_connect(struct sim *sim, struct client *c);
struct link *net_find(struct sim *sim, uint64_t number);
/* A client sends bytes. */
void net_to_server(struct sim *sim, struct link *l, struct span bytes);
/* The server sends a whole message. */
void net_to_client(struct sim *sim, struct link *l, struct span bytes);
/* Whether there is room for so much more in the server's queue to a client; if
 * not it is told so and cut, and the server hears of that a little later. */
bool net_has_room(struct sim *sim, struct link *l, size_t len);
/* The client reads nothing for a while, then all. */
void net_reads_slowly(struct sim *sim, struct link *l, uint64_t for_ms);
void net_reads_again(struct sim *sim, uint64_t number);
/* The server closes after what it sent. */
void net_server_closes(struct sim *sim, struct link *l);
/* The client hangs up; what it sent still arrives, or with rst does not. */
void net_client_closes(struct sim *sim, struct link *l, bool rst);
/* The wire breaks; each end learns of it some time. */
void net_cut(struct sim *sim, struct link *l);
/* The server has died with all its connections. */
void net_server_dies(struct sim *sim);

void net_accept(struct sim *sim, uint64_t number);
void net_arrive_at_server(struct sim *sim, const struct happening *h);
void net_arrive_at_client(struct sim *sim, const struct happening *h);
void net_server_sees_end(struct sim *sim, uint64_t number);
void net_client_sees_end(struct sim *sim, uint64_t number);
void net_release(struct sim *sim);

#endif
