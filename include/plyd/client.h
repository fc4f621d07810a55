/* SPDX-License-Identifier: MIT
 * client.h - a client of plyd without its I/O: whoever owns the socket feeds
 * the bytes that came and sends the bytes that are ready. It is no loop, has no
 * clock and opens nothing. docs/protocol.md says what the methods mean.
 *
 * What it does by itself: it says hello, and again with the resume token when
 * the connection was lost; it sends unanswered requests again where that is
 * safe; it keeps the tokens that account.register and account.password give; it
 * follows matches over such gaps, so that the caller sees each event
 * once and in order, or a fresh snapshot in their place.
 *
 * Use: client_new(); for each connection client_connected(), then client_feed()
 * what comes and send client_output(), then client_disconnected(). Requests
 * may be made at any time, also between connections.
 *
 * A client belongs to one thread at a time. Callbacks come only from
 * client_feed(), client_disconnected() and client_forget(); they may make
 * requests, but must not feed, disconnect, forget or free. All that they are
 * shown is lent until they return. */
#ifndef PLYD_CLIENT_H
#define PLYD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <plyd/err.h>

enum {
	CLIENT_REQUESTS_MAX = 64, /* that wait for their answers */
	CLIENT_MATCHES_MAX = 256, /* followed at a time */
	CLIENT_PARAMS_MAX = 16,   /* of one request */
	/* bytes of a text with its NUL */
	CLIENT_ID_MAX = 11,
	CLIENT_TOKEN_MAX = 65,
	CLIENT_HEX_MAX = 65,
	CLIENT_LOGIN_MAX = 21,
	CLIENT_PASSWORD_MAX = 129,
	CLIENT_NAME_MAX = 81,
	CLIENT_WORD_MAX = 33,
	CLIENT_MOVE_MAX = 65,
	CLIENT_WORDS_MAX = 257, /* of a draw policy */
	CLIENT_POSITION_MAX = 257,
	CLIENT_RULES_MAX = 513,
	CLIENT_SENTENCE_MAX = 256
};

struct client;

/* ---- values ------------------------------------------------------------ */

/* A value of a message. All functions take NULL, for what is not there. */
struct client_value;

enum client_type {
	CLIENT_NIL, /* also of NULL */
	CLIENT_BOOL,
	CLIENT_INT,
	CLIENT_STR,
	CLIENT_ARRAY,
	CLIENT_MAP
};
enum client_type client_type(const struct client_value *v);
/* 0, and false, for all other types. */
int64_t client_int(const struct client_value *v);
bool client_bool(const struct client_value *v);
/* UTF-8 without a NUL at its end; NULL for all other types. */
const char *client_str(const struct client_value *v, size_t *len);
/* Copies a text with its NUL. False, and "" in out: not a text, or it does not
 * fit. */
bool client_copy(const struct client_value *v, char *out, size_t size);
/* Items of an array, entries of a map; else 0. */
size_t client_count(const struct client_value *v);
/* NULL: no such item, entry or key. */
const struct client_value *client_at(const struct client_value *v, size_t i);
const struct client_value *client_entry(const struct client_value *v, size_t i,
					const char **key, size_t *key_len);
const struct client_value *client_find(const struct client_value *v,
				       const char *key);

/* ---- what the caller is told ------------------------------------------- */

struct client_error {
	int code; /* a plyd_err, as far as this version knows it */
	char name[CLIENT_WORD_MAX];
	char message[CLIENT_SENTENCE_MAX];  /* for a person; cut to fit */
	const struct client_value *details; /* a map, or NULL */
};

struct client_welcome {
	char player[CLIENT_ID_MAX];
	char name[CLIENT_NAME_MAX];
	bool resumed;
	/* The whole answer to hello. */
	const struct client_value *value;
};

struct client_result {
	char result[CLIENT_WORD_MAX]; /* `white`, `black`, `draw`, `none` */
	char reason[CLIENT_WORD_MAX];
	int points;
	int score[2]; /* of a match of several games */
};

/* CLIENT_WHITE, CLIENT_BLACK (as in <plyd/rules.h>), or CLIENT_NOBODY. */
typedef int client_side;
enum { CLIENT_NOBODY = -1, CLIENT_WHITE = 0, CLIENT_BLACK = 1 };

/* What a turn is to do, beside a move. */
enum client_awaits {
	CLIENT_AWAITS_NOTHING,
	CLIENT_AWAITS_MOVE,
	CLIENT_AWAITS_ROLL,  /* match.roll or match.double */
	CLIENT_AWAITS_ANSWER /* match.take or match.drop */
};

/* Cube and score; all zero, and nobody's, in draughts. */
struct client_stakes {
	int length; /* points that win the match; 0: one game */
	int score[2];
	uint32_t game;
	bool crawford;
	int cube; /* what it shows; 0: there is none */
	client_side owner;
	client_side doubled;
	/* a resignation that waits for its answer; nobody: none */
	client_side resign;
	int resign_points;
	uint64_t resign_offer; /* what the answer binds */
};

struct client_match {
	char match[CLIENT_ID_MAX];
	uint64_t seq;
	char state[CLIENT_WORD_MAX]; /* `nonces`, `playing`, `over`, `frozen` */
	char ruleset[CLIENT_WORD_MAX];
	char rules[CLIENT_RULES_MAX]; /* family and options as one line */
	char name[2][CLIENT_NAME_MAX];
	client_side you; /* nobody: a spectator */
	client_side turn;
	client_side offer; /* who has a draw offer standing */
	uint32_t ply;
	enum client_awaits awaits;
	struct client_stakes stakes;
	char position[CLIENT_POSITION_MAX];
	bool unlimited; /* no clock */
	/* fischer, delay, bronstein, per_move, unlimited; and its times */
	char clock[CLIENT_WORD_MAX];
	int64_t base_ms, increment_ms, delay_ms;
	int64_t left_ms[2];
	int64_t free_ms; /* the running clock stands still for so long yet */
	client_side running; /* whose clock runs */
	bool over;
	struct client_result result; /* if over */
	/* The whole object, also with `moves` and `legal_moves`. */
	const struct client_value *value;
};

struct client_event {
	char match[CLIENT_ID_MAX];
	uint64_t seq;
	char event[CLIENT_WORD_MAX]; /* `moved`, `rolled`, ... */
	uint32_t ply;
	client_side side; /* who did it */
	char move[CLIENT_MOVE_MAX];
	int dice[2]; /* 0, 0: none */
	/* The last event of a half-move shows where the match stands; the
	 * others have "" here and nothing in the next ones. */
	char position[CLIENT_POSITION_MAX];
	client_side turn;
	enum client_awaits awaits;
	struct client_stakes stakes;
	int64_t left_ms[2];
	int64_t free_ms; /* the clock of `turn` stands still for so long */
	bool over;
	struct client_result result; /* if over */
	char text[CLIENT_WORDS_MAX]; /* `warned`: the policy's words, else "" */
	const struct client_value *value;
};

/* Each may be NULL. */
struct client_callbacks {
	/* Hello was answered. Keep client_token() if the session is to outlive
	 * the process. */
	void (*on_ready)(void *payload, const struct client_welcome *w);
	/* A match as it stands: it began, is watched, is of a player who is
	 * watched, or is followed again after a lost connection. The next event
	 * has its seq plus one. */
	void (*on_match)(void *payload, const struct client_match *m);
	/* The next event of a match that was shown. */
	void (*on_event)(void *payload, const struct client_event *e);
	/* A match cannot be followed: err is the server's, such as
	 * PLYD_ENOMATCH, or PLYD_ETOKEN after client_forget(). */
	void (*on_lost)(void *payload, const char *match, int err);
	/* Every other notification. */
	void (*on_notice)(void *payload, const char *name,
			  const struct client_value *params);
	/* The server is about to close, or refused hello: close. PLYD_ETOKEN:
	 * the session is no more; client_forget() to begin another. */
	void (*on_closing)(void *payload, const struct client_error *e);
};

/* ---- the client -------------------------------------------------------- */

struct client_options {
	const char *name;    /* NULL: the server makes one up */
	const char *program; /* for the server's log, or NULL */
	bool bot;            /* a program decides the moves */
	const char *token;   /* of a session to resume, or NULL */
	/* Without a session to resume, hello logs in by these, or by the token
	 * of a bot, or else as a guest. */
	const char *login;
	const char *password;
	const char *bot_token;
	/* The connections are to the operator's socket: no hello is said, the
	 * other options are of no use, and requests leave at once. */
	bool is_operator;
};

/* Gives a client; free it with client_free(). Copies the options; callbacks
 * must outlive it. PLYD_ENOMEM. PLYD_ERANGE: an option is too long. */
int client_new(struct client **out, const struct client_options *options,
	       const struct client_callbacks *callbacks, void *payload);
void client_free(struct client *c); /* tells nobody; NULL is fine */

/* A connection stands: output begins with hello, but for an operator. Not while one stands. */
void client_connected(struct client *c);
/* It is gone. Requests that are not safe to repeat are answered PLYD_EIO: what
 * became of them is not known. */
void client_disconnected(struct client *c);

/* Takes bytes from the server, in any split. An error means that they are no
 * protocol (PLYD_EMESSAGE, PLYD_ETOOLARGE, ...) or PLYD_ENOMEM: close the
 * connection. Bytes between connections are ignored. */
int client_feed(struct client *c, const void *bytes, size_t len);

/* Lends the bytes to be sent, until the next call on c; *len 0: none.
 * client_sent() drops the first n of them. */
const uint8_t *client_output(const struct client *c, size_t *len);
void client_sent(struct client *c, size_t n);

/* Whether hello was answered on this connection. */
bool client_is_ready(const struct client *c);
/* Secret; "" before the first hello. */
const char *client_token(const struct client *c);
/* Gives the session up: the next hello begins another. Open requests are
 * answered PLYD_ETOKEN and matches told as lost. Not while connected. */
void client_forget(struct client *c);

/* ---- requests ---------------------------------------------------------- */

/* error NULL: result is there. Called just once for a request that was taken,
 * unless the client is freed. */
typedef void client_answer_fn(void *payload, const struct client_error *error,
			      const struct client_value *result);

struct client_param {
	const char *key;
	enum client_type type; /* of the next three, the one that counts */
	const char *text;
	int64_t number;
	bool flag;
};
#define CLIENT_TEXT(k, v)                                                      \
	((struct client_param){ .key = (k), .type = CLIENT_STR, .text = (v) })
#define CLIENT_NUMBER(k, v)                                                    \
	((struct client_param){ .key = (k), .type = CLIENT_INT, .number = (v) })
#define CLIENT_FLAG(k, v)                                                      \
	((struct client_param){ .key = (k), .type = CLIENT_BOOL, .flag = (v) })

/* Asks; fn may be NULL. After a lost connection these are asked again: all that
 * only look, watch or switch something; match.move, match.nonce, match.roll,
 * double, take and drop, takebacks, rematches, answers to a resignation;
 * lobby.ready; and what has a `key`, or for match.resign a `game`. Others are
 * answered PLYD_EIO, for what became of them is not known.
 * An error takes nothing and calls nobody:
 * PLYD_ETOOMANY   CLIENT_REQUESTS_MAX wait, or over CLIENT_PARAMS_MAX;
 * PLYD_ETOOLARGE  longer than a server reads;
 * PLYD_ENOMEM. */
int client_request(struct client *c, const char *method,
		   const struct client_param *param, size_t params,
		   client_answer_fn *fn, void *payload);
/* The same with the one map of parameters as MessagePack, in which no `key` is
 * looked for. */
int client_request_map(struct client *c, const char *method, const void *map,
		       size_t len, client_answer_fn *fn, void *payload);

/* match.move. The same move at the same ply may be asked any number of times:
 * it is played once. */
int client_move(struct client *c, const char *match, uint32_t ply,
		const char *move, client_answer_fn *fn, void *payload);
/* match.watch, and again after each lost connection; told by on_match and
 * on_event, or on_lost. A player's own matches are followed anyway. */
int client_watch(struct client *c, const char *match);
/* match.unwatch: no more is told of the match. */
int client_unwatch(struct client *c, const char *match);
/* A method whose only parameter is a match, such as match.resign. */
int client_ask_match(struct client *c, const char *method, const char *match,
		     client_answer_fn *fn, void *payload);

#endif
