/* SPDX-License-Identifier: MIT
 * hub_priv.h - the hub from inside. Files: hub.c (steps, journal, outbox),
 * conn.c (connections, bytes -> requests), request.c (requests -> commands),
 * effect.c (effects -> messages), pace.c (slow
 * readers), answer.c (what is answered at once), reload.c (scripts read again),
 * operator.c (the operator's connections), chat.c (talk). */
#ifndef PLYD_SESSION_HUB_PRIV_H
#define PLYD_SESSION_HUB_PRIV_H

#include "base/buf.h"
#include "base/numbered.h"
#include "base/table.h"
#include "domain/due.h"
#include "domain/name.h"
#include "proto/methods.h"
#include "proto/scan.h"
#include "proto/write.h"
#include "session/hub.h"
#include "session/outbox.h"
#include "session/throttle.h"
#include "session/wordlist.h"

struct behind;

/* Each whole one of these in an answer counts as a request more: so much a second
 * and request is the most that a client can make the server send. */
enum { ANSWER_PART_BYTES = 16 * 1024 };

/* Of requests that wait: what may arrive before reading stops. */
enum { HELD_BYTES_MAX = 65536 };

/* From so many addresses a login may be tried as often as from one, before all
 * must wait. How long one is known from where it was right. */
enum { LOGIN_ADDRESSES = 10 };
/* New guests from one address: so many at once for each connection that it may
 * have, then one every so many ms. Each may take up lobbies and matches, so that
 * one address could take up all. */
enum { GUESTS_PER_CONNECTION = 8, GUEST_MS = 200 };
#define LOGIN_KNOWN_MS (INT64_C(90) * 24 * 3600 * 1000)

enum { ONE_TIME_CHARS = 19, ADDRESS_CHARS_MAX = 63, HELLO_ATTEMPTS_MAX = 10 };

/* What the operator wants of this process; not durable. */
struct operator_wish {
	bool draining;
	uint64_t stop_at_ms;   /* 0: never */
	uint64_t idle_from_ms; /* from then on as soon as no match is played;
				* 0: not for that */
};

/* A session's life. The arrows are in conn_move_to(). */
enum conn_state {
	CONN_NEW,      /* has not said hello */
	CONN_READY,    /* plays */
	CONN_OPERATOR, /* came by the operator's socket */
	CONN_CLOSING,  /* why waits in the outbox; what it sends is dropped */
	CONN_CLOSED,   /* was told why, and is told no more */
};

/* Whose connections are counted together, and the passwords that they try. */
struct address {
	char text[ADDRESS_CHARS_MAX + 1]; /* or a range, see ip_neighbours() */
	size_t connections;
	UT_hash_handle hh;
};

/* A message of which more is to come. */
struct partial {
	struct scan scan;
	struct buf in;
};

/* Of these there are many, most of them idle: what few of them need is apart. */
struct conn {
	uint64_t number; /* the first, for numbered.h */
	enum conn_state state;
	uint32_t session; /* of the player's, CONN_READY */
	struct id player; /* CONN_READY */
	bool has_ip;
	bool hello_waits; /* CONN_NEW: its password is being checked */
	bool is_paced;
	int hello_failures;
	int64_t tokens_ms;     /* requests that it may send now, in ms of rate*/
	uint64_t tokens_at_ms; /* when that was reckoned */
	uint64_t message_at_ms; /* first byte of the message; 0: between */
	uint64_t heard_ms;
	size_t outbox_bytes;     /* of its messages in the outbox */
	struct partial *partial; /* NULL: nothing of a message is here */
	struct buf *held;        /* requests that wait for room, or NULL */
	struct behind *behind;
	struct due due;
	uint64_t opened_ms;
	struct address *address;
	char *peer;   /* its own address, or NULL: it is that text */
	char *by;     /* CONN_OPERATOR: who gave a token; NULL: none was */
	struct ip ip; /* its own, if has_ip */
	struct conn *paced_prev, *paced_next;
};

struct hub {
	struct domain *domain;
	struct hub_limits limits;
	struct hub_ops ops;
	struct entropy entropy;
	struct numbered conns;
	struct address *addresses; /* by text */
	struct due_heap due;       /* of connections */
	struct outbox outbox;
	struct conn *paced; /* that are held back or behind, see pace.c */
	struct doc *doc;    /* of the request at hand */
	struct doc *fact;   /* of facts of records */
	struct buf out;     /* the message being written */
	struct buf row;     /* the row being written */

	uint64_t asker; /* the connection of the request at hand */
	uint64_t now_ms;
	int64_t unix_ms;
	uint64_t started_ms;
	uint64_t durable_row;
	uint64_t snapshot_row; /* of the last snapshot */
	bool dirty;            /* something waits for submit */
	bool writable;
	bool snapshot_wanted;
	const struct hub_reload *reloaded; /* while that is told */
	const struct wordlist *words;      /* not to be shown; NULL: none */
	struct buf masked;                 /* the text of the line at hand */
	struct operator_wish wish;
	struct operator_wish wish_before; /* if the row of the wish is lost */
	uint64_t wish_row;
	bool idle_asked;      /* by the shutdown at hand */
	size_t records_asked; /* and not yet answered */
	struct hub_counts counts;
	struct hub_tally tally;

	/* secrets that the answer at hand gives */
	uint8_t token[TOKEN_BYTES];
	char one_time[ONE_TIME_CHARS + 1];
	size_t hashing; /* passwords that are being worked on, some perhaps for
			 * a domain before this one */
	struct throttle guests;     /* new ones, by address */
	struct throttle by_address; /* passwords tried */
	struct throttle by_login;   /* from all addresses but those known */
	struct throttle by_both;    /* for one login from one address */
	struct throttle known;      /* where a login was right not long ago */
};

/* -- hub.c -- */

/* Takes a step and performs what follows from it. */
void hub_step(struct hub *h, struct command *cmd);
/* Time goes on, never back. */
void hub_now(struct hub *h, uint64_t now_ms, int64_t unix_ms);
/* The same where only one clock was read: the time of day goes on with it. */
void hub_later(struct hub *h, uint64_t now_ms);
/* Counts an error that a client is told; hub_refused() also a request that was
 * refused. */
void hub_told(struct hub *h, int err);
void hub_refused(struct hub *h, int err);
/* An answer in h->out, as rpc_error() writes it, counted and with a trace. */
void hub_error(struct hub *h, uint64_t conn, uint32_t msgid, int err,
	       const char *message, details_fn *details, void *payload);
/* The detail `trace`, by which a complaint finds its line in the log, and that
 * line: of a failure always, of a refusal at level debug. */
void hub_trace(struct hub *h, uint64_t conn, uint32_t msgid, int err,
	       size_t details_at);
/* Queues the message in h->out for conn, behind the facts so far. */
void hub_queue(struct hub *h, enum entry_type type, uint64_t conn,
	       uint32_t msgid);
/* The message in h->out, for one holder. NULL: no memory. */
struct message *hub_message(struct hub *h);
/* Queues one shared message; takes the hold. NULL: conn is cut. */
void hub_queue_message(struct hub *h, enum entry_type type, uint64_t conn,
		       uint32_t msgid, struct message *m);
/* Sends the message in h->out at once; without the memory for it, conn is cut.
 */
void hub_send_now(struct hub *h, uint64_t conn);

/* As hub_queue_message(), of a match: ENTRY_WATCHED, ENTRY_SNAPSHOT. */
void hub_queue_match(struct hub *h, enum entry_type type, uint64_t conn,
		     const struct id *match, struct message *m);

/* -- pace.c -- */

/* More waits for this connection than it should. */
bool conn_is_pressed(const struct hub *h, const struct conn *c);
/* Keeps what c sent beyond that until there is room. PLYD_ESLOW: it is more
 * than is kept. */
int conn_hold(struct hub *h, struct conn *c, struct span rest);
/* Whether an event of a match that c watches is left out: c is behind. */
bool conn_skips(struct hub *h, struct conn *c, const struct id *match);
/* A snapshot was sent to c, and it is not behind any more; or was lost. */
void conn_has_snapshot(struct conn *c, const struct id *match);
void conn_lost_snapshot(struct conn *c, const struct id *match);
/* Those for whom there is room go on. */
void hub_pace(struct hub *h);
void conn_pace_release(struct hub *h, struct conn *c);

/* -- conn.c -- */

struct conn *find_conn(const struct hub *h, uint64_t number);
/* Its own address. */
const char *conn_address(const struct conn *c);
/* Whose token the operator came with; "": he came by the socket. */
const char *conn_by(const struct conn *c);
/* record.list and admin.records, see record_list.c. */
void record_list_ask(struct hub *h, const struct conn *c,
		     const struct request *r);
void conn_move_to(struct conn *c, enum conn_state state);
/* Says why, behind what waits, and closes. */
void conn_close_ordered(struct hub *h, struct conn *c, int err);
/* An answer of so many bytes is sent to it. */
void conn_pays(const struct hub *h, struct conn *c, size_t bytes);
/* Says why at once and closes. */
void conn_close_now(struct hub *h, struct conn *c, int err,
		    const char *message);
/* Closes without a word, also in the middle of a step. The player is detached
 * when the owner says that the connection has gone. */
void conn_cut(struct hub *h, struct conn *c);
void conn_due(struct hub *h, struct conn *c);
void conn_free(struct hub *h, struct conn *c);

/* -- request.c -- */

/* Performs a decoded request of a connection. */
void request_run(struct hub *h, struct conn *c, const struct request *r);

/* Refuses a request before the domain sees it. */
void refuse_at_once(struct hub *h, const struct conn *c,
		    const struct request *r, int err);

/* -- account.c -- */

/* Refuses a request that may be made later. message as in rpc_error(). */
void refuse_until(struct hub *h, const struct conn *c, const struct request *r,
		  int err, const char *message, int64_t retry_ms);
/* A new secret in h->token; its SHA-256. */
struct digest token_draw(struct hub *h);
/* Whether a request may go on as far as names, logins and passwords and their
 * tries are concerned; refuses it if not. Any method. */
bool account_allowed(struct hub *h, struct conn *c, const struct request *r);
void to_login(const struct request *r, struct cmd_hello *hello);
void to_account(struct hub *h, struct conn *c, const struct request *r,
		struct command *cmd);
/* False: not about accounts. */
bool to_admin_account(struct hub *h, const struct request *r,
		      struct command *cmd);
void on_hash(struct hub *h, const struct effect *fx);
/* Requests whose passwords are being hashed get no other answer any more. */
void hashing_not_stored(struct hub *h);
/* A password fitted: its try is given back. */
void password_was_good(struct hub *h, const struct conn *c,
		       const struct player *p);
void answered_account(struct hub *h, struct conn *c, const struct effect *fx);
void put_account_answer(struct hub *h, const struct effect *fx);
void put_admin_account(struct hub *h, const struct effect *fx);

/* -- reload.c -- */

/* Asks for it. */
void reload_ask(struct hub *h, const struct conn *c, const struct request *r);
/* The answer to whoever asked. */
void put_reloaded(struct hub *h, const struct effect *fx);
/* -- request_meeting.c -- */

/* What CLOCK_PARAMS ask for. */
#define CLOCK_WISH(p)                                                          \
	{                                                                      \
		.has_kind = (p)->has_clock, .has_base_ms = (p)->has_base_ms,   \
		.has_increment_ms = (p)->has_increment_ms,                     \
		.has_delay_ms = (p)->has_delay_ms,                             \
		.unlimited = (p)->unlimited,                                   \
		.kind = (enum clock_kind)(p)->clock, .base_ms = (p)->base_ms,  \
		.increment_ms = (p)->increment_ms, .delay_ms = (p)->delay_ms,  \
	}

void to_meeting(struct hub *h, struct conn *c, const struct request *r,
		struct command *cmd);
/* PLYD_OK, or PLYD_EVALUE. */
int meeting_request_check(const struct request *r);
int wish_side(bool given, enum wish wish); /* -1: any */
struct cmd_list list_of_lobbies(const struct params_lobby_list *p);
struct cmd_list list_of_matches(const struct params_match_list *p);

/* -- request_tournament.c, effect_tournament.c -- */

/* PLYD_OK, PLYD_EVALUE, PLYD_ENAME or PLYD_ETEXT. */
int tournament_request_check(const struct request *r);
void to_tournament(struct hub *h, struct conn *c, const struct request *r,
		   struct command *cmd);
/* Whether the command is about tournaments; then its answer is written. */
bool put_tournament_answer(struct hub *h, const struct effect *fx);
void tournament_effect(struct hub *h, const struct effect *fx);

/* -- effect_meeting.c -- */

/* What a hello shows of it: entries of `welcome`. */
void put_welcome_meeting(struct buf *b, const struct domain *d,
			 const struct player *p);
/* Whether the command is one of meeting; then its answer is written. */
bool put_meeting_answer(struct hub *h, const struct effect *fx);
void meeting_effect(struct hub *h, const struct effect *fx);

/* -- effect.c -- */

/* "lobbies" and "matches" of a player: two entries of a map. */
void put_ids(struct buf *b, const struct player *p);

void effect_perform(struct hub *h, const struct effect *fx,
		    const struct step *step);
/* Queues the message in h->out for every session of p that is here. */
void player_tell(struct hub *h, const struct player *p);
/* Tells a match's audience whether the player of a side is there. */
void presence_tell(struct hub *h, const struct match *m, enum side side);
/* Shows a match anew to a session that watches it late, after a rebuild. */
void snapshot_tell_late(struct hub *h, const struct session *s,
			const struct id *match);

/* -- chat.c -- */

/* Looks at the text of a request about talk, if it is one, and masks words in
 * it. PLYD_ETEXT: it is none that may be shown. PLYD_ENOMEM. */
int chat_check(struct hub *h, const struct request *r);
/* Makes the command, after that. */
/* What a personality says, masked like a player's text; "" if it may not be
 * said, which the log then tells. Lent until the next text is masked. */
struct span chat_mask_thought(struct hub *h, const struct id *match,
			      struct span say);
void to_chat(struct hub *h, struct conn *c, const struct request *r,
	     struct command *cmd);
void put_chat_answer(struct hub *h, const struct effect *fx);
void on_chat(struct hub *h, const struct effect *fx);
void on_chat_switched(struct hub *h, const struct effect *fx);
void on_reported(const struct effect *fx);

/* -- operator.c -- */

/* Performs a decoded request of an operator's connection. */
void operator_run(struct hub *h, struct conn *c, const struct request *r);
/* Tells the log of the newest act in the audit trail. */
void operator_log_act(struct hub *h);
void answer_admin_status(struct hub *h, const struct request *r);
/* Whether the text of a request of his may be shown to others. */
bool operator_says_clean(const struct request *r);
void answer_admin_stats(struct hub *h, const struct request *r);
void on_notice(struct hub *h, const struct effect *fx);
void on_drain(struct hub *h, const struct effect *fx);
/* The journal failed: what was wished behind durable_row was not. */
void operator_wish_lost(struct hub *h);

/* Stops as the operator wished, if it is time. */
void operator_wish_due(struct hub *h);

/* -- operator_login.c -- */

/* Answers admin.login. */
void operator_login(struct hub *h, struct conn *c, const struct request *r);
/* Whether an operator may ask for this; refuses it if not. */
bool operator_may(struct hub *h, struct conn *c, const struct request *r);
/* Closes those who came in by the token of this name. */
void operators_end(struct hub *h, struct span name);

/* -- errand.c -- */

/* Performs what takes the world; false: it is nothing of the kind. */
bool errand_run(struct hub *h, struct conn *c, const struct request *r);

/* -- answer.c -- */

/* Answers what needs no domain step: METHOD_VOLATILE. */
void answer_now(struct hub *h, struct conn *c, const struct request *r);
void put_limits(struct hub *h, struct buf *b);
/* What helps a person or program whose move was refused. */
struct refused_move {
	const struct match *match;
	const struct refusal *refusal;
};
void put_refused_move(struct buf *b, void *refused_move);

#endif
