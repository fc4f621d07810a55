/* SPDX-License-Identifier: MIT
 * hub.h - the server without its I/O: sessions, the domain and the one outbox.
 * Bytes come in by connection, bytes go out by connection, facts go to a
 * journal, and what was answered leaves only when the facts behind it are
 * durable. It has no sockets, no clock, no files: the server gives it real
 * ones, the simulator false ones. One thread.
 *
 * Every call that takes now_ms may be the one that finds out how late it is;
 * domain time never goes back. After each round of input call hub_flush(). */
#ifndef PLYD_SESSION_HUB_H
#define PLYD_SESSION_HUB_H

#include "base/rng.h"
#include <plyd/err.h>
#include "domain/domain.h"

/* H(name, default, low, high, doc): limits of sessions that an operator sets. */
#define HUB_LIMITS(H)                                                          \
	H(connections_max, 20000, 1, 1000000, "Connections in all.")           \
	H(connections_per_address, 64, 1, 1000000,                             \
	  "Connections from one address; an IPv6 /64 counts as one.")          \
	H(requests_per_s, 50, 1, 1000000,                                      \
	  "Requests a second, in the long "                                    \
	  "run, of one connection.")                                           \
	H(requests_burst, 200, 1, 1000000, "Requests at once after a pause.")  \
	H(logins_per_account, 10, 1, 1000000,                                  \
	  "Passwords tried at once for one account from one address; ten "     \
	  "times as many from all that it has not logged in from.")            \
	H(login_account_ms, 30000, 1, 86400000,                                \
	  "Until one more may be tried for it.")                               \
	H(logins_per_address, 50, 1, 1000000,                                  \
	  "Passwords tried at once from one address.")                         \
	H(login_address_ms, 2000, 1, 86400000,                                 \
	  "Until one more may be tried from it.")                              \
	H(hello_ms, 10000, 100, 600000, "Time to say hello.")                  \
	H(message_ms, 30000, 100, 600000,                                      \
	  "Time from the first byte of a message to its last.")                \
	H(idle_ms, 900000, 1000, 86400000,                                     \
	  "A connection without a message for so long is closed.")             \
	H(pause_bytes, 262144, 1024, 1073741824,                               \
	  "Bytes that wait for a connection: then it is asked for no more, "   \
	  "and what it watches skips to a snapshot.")                          \
	H(outbox_bytes, 67108864, 65536, 1073741824,                           \
	  "Messages that wait for the journal, in all.")                       \
	H(snapshot_facts, 10000, 10, 100000000,                                \
	  "Facts between two snapshots of the general state.")                 \
	H(retry_after_ms, 2000, 0, 3600000,                                    \
	  "What clients are told at a stop: when to come back.")

struct hub_limits {
#define H(name, value, low, high, doc) int64_t name;
	HUB_LIMITS(H)
#undef H
};
void hub_limits_default(struct hub_limits *out);

/* What an operator asked for that takes the world and a while. */
enum hub_errand_type {
	ERRAND_UPGRADE,    /* another program takes over, in this process */
	ERRAND_BACKUP,     /* the data are copied into a file */
	ERRAND_QUARANTINE, /* a script is asked no more, or again */
};

struct hub_errand {
	enum hub_errand_type type;
	uint64_t conn; /* of the operator */
	uint32_t msgid;
	int64_t audit;    /* number of its act */
	struct span name; /* BACKUP: of the file, or ""; QUARANTINE; lent */
	bool policy;      /* QUARANTINE: else it is a personality */
	bool on;          /* QUARANTINE */
};

struct hub_done {
	int err;
	const char *why;  /* more than err says, or NULL */
	const char *file; /* BACKUP */
	uint64_t bytes;   /* BACKUP */
	uint64_t took_ms; /* BACKUP */
};

/* What is kept of a match that has ended. All is lent. */
struct hub_ending {
	const struct id *match;
	uint64_t last_row;
	const struct digest *head;
	const struct id
		*player[2];  /* in whose lists it is; none: in nobody's */
	struct span summary; /* what lists show of it */
};

/* What the hub asks of its owner. None may call back into the hub, but for
 * `close`, after which the owner says hub_disconnected() at some time. */
struct hub_ops {
	void *payload;
	/* Sends a whole message. What cannot be taken is the owner's to drop
	 * together with its connection. */
	void (*send)(void *payload, uint64_t conn, struct span bytes);
	/* The same for what many are sent at once: others may go first, while
	 * each connection's order is kept. May be NULL: as `send`. */
	void (*send_later)(void *payload, uint64_t conn, struct span bytes);
	/* Closes a connection once what was sent has left. */
	void (*close)(void *payload, uint64_t conn);
	/* Bytes that were sent and have not left. May be NULL: none ever. When
	 * they become fewer, call hub_flush(). */
	size_t (*queued)(void *payload, uint64_t conn);
	/* Stops and starts reading from a connection; while it is stopped, what
	 * is given to hub_bytes() all the same is kept for a while. May be
	 * NULL. */
	void (*read)(void *payload, uint64_t conn, bool on);
	/* A connection will perhaps be sent to soon: what that looks at can be
	 * fetched from memory. May be NULL. */
	void (*warm)(void *payload, uint64_t conn);

	/* The journal: what belongs to one commit, then submit. prev is the row
	 * before in the same match, 0 if none; match is none in the general
	 * stream. */
	void (*append)(void *payload, uint64_t row, const struct id *match,
		       uint64_t prev, struct span bytes);
	void (*secret)(void *payload, const struct id *match,
		       struct span bytes);
	void (*finish)(void *payload, const struct hub_ending *e);
	void (*snapshot)(void *payload, uint64_t row, struct span bytes);
	/* The owner answers hub_committed() or hub_commit_failed(). An error
	 * here means that nothing was taken, and counts as failed. */
	int (*submit)(void *payload);

	/* A personality must decide; answered by hub_thought(), or never. */
	void (*think)(void *payload, const struct match *m, enum awaits asked);
	/* A draw policy's script is to be asked about a position; answered by
	 * hub_verdict(), or never. */
	void (*judge)(void *payload, const struct match *m);
	/* The nth script, from 0, that is in quarantine, such as "policy own";
	 * lent until the next call. NULL: there are no more. The function
	 * itself may be NULL. */
	const char *(*quarantined)(void *payload, size_t n);
	/* Appends the numbers of the process, an array of `admin_stat`. NULL:
	 * there are none. */
	void (*stats)(void *payload, struct buf *b);
	/* A password is to be verified or hashed: slow, so elsewhere. What it
	 * lends must be copied, kept from every log, and wiped. Answered by
	 * hub_hashed(), in any order, or never. */
	void (*hash)(void *payload, const struct hashing *work);
	/* A record is asked for; answered by hub_record(). */
	void (*record)(void *payload, uint64_t conn, uint32_t msgid,
		       const struct id *match);
	/* An operator asks for what the journal has of a match that has not
	 * ended; answered by hub_record(), without a head. NULL: refused. */
	void (*rows)(void *payload, uint64_t conn, uint32_t msgid,
		     const struct id *match);

	/* Finished matches of a player, or all (none), that ended before that
	 * row (0: from the newest) are asked for, newest first and one more
	 * than HUB_RECORDS_SHOWN_MAX; answered by hub_records(). NULL:
	 * refused. */
	void (*list)(void *payload, uint64_t conn, uint32_t msgid,
		     const struct id *player, uint64_t before_row);

	/* The operator wants scripts to be read again; answered by
	 * hub_reloaded(), unless this returns an error. NULL: there are none. */
	int (*reload)(void *payload, uint64_t conn, uint32_t msgid);

	/* The operator wants the server to stop, now. */
	void (*stop)(void *payload);
	/* Answered by hub_errand_done(); lent. NULL: nothing of the kind can be
	 * done. */
	void (*errand)(void *payload, const struct hub_errand *e);
};

struct hub;

/* Gives a hub that owns `d` (takes it, also on an error). entropy is for resume
 * tokens; it is copied. PLYD_ENOMEM. */
int hub_new(struct hub **out, struct domain *d, const struct hub_limits *limits,
	    const struct hub_ops *ops, const struct entropy *entropy);
void hub_free(struct hub *h); /* frees its domain; NULL is fine */

/* The hub's domain, to be looked at. */
const struct domain *hub_domain(const struct hub *h);

/* New limits, for what happens from now on; those of connections stay. */
void hub_set_limits(struct hub *h, const struct hub_limits *limits,
		    const struct domain_limits *domain);

/* Words that are masked in what players say from now on; lent until others are
 * set. NULL: none. */
struct wordlist;
void hub_set_wordlist(struct hub *h, const struct wordlist *words);

/* The start: after replay, matches go on. */
void hub_wake(struct hub *h, uint64_t now_ms, int64_t unix_ms);

/* -- connections; conn is a number that the owner never uses twice, not 0 -- */

/* PLYD_OK, or PLYD_EFULL / PLYD_EADDRESS / PLYD_EBANNED: the owner closes it after the bytes
 * that were sent. address is text such as "127.0.0.1". */
int hub_connected(struct hub *h, uint64_t conn, const char *address,
		  uint64_t now_ms);
/* The same for a connection of the operator's socket: it says no hello. At most
 * OPERATORS_MAX, beside what the limits of connections allow; PLYD_EADDRESS. */
enum { OPERATORS_MAX = 8 };
int hub_connected_operator(struct hub *h, uint64_t conn, uint64_t now_ms);
/* hub_bytes() comes soon for conn: has fetched what a half-move of its player
 * will look at. Changes nothing. */
void hub_expect(const struct hub *h, uint64_t conn);
void hub_bytes(struct hub *h, uint64_t conn, struct span bytes, uint64_t now_ms,
	       int64_t unix_ms);
/* err is why, for the log; PLYD_OK: the peer closed. */
void hub_disconnected(struct hub *h, uint64_t conn, uint64_t now_ms);

/* -- the journal -- */

/* Submits what waits, if anything, and sends what is durable. */
void hub_flush(struct hub *h, uint64_t now_ms);
/* All rows up to `row` are durable. */
void hub_committed(struct hub *h, uint64_t row, uint64_t now_ms);
/* Rows from first_row on are lost. Waiting answers become `not_stored`, and
 * every command is refused alike until hub_rebuilt(). A connection whose hello,
 * watch or unwatch was lost is closed: it may not rely on what it hears. */
void hub_commit_failed(struct hub *h, uint64_t first_row);
/* A domain replayed from what is durable (takes it), and whether the journal
 * takes commits again. Sessions go on; those whose player was never stored are
 * closed. So are all if rows reached the disk that were reported lost: what was
 * to be said of them is gone, and they must look anew. */
void hub_rebuilt(struct hub *h, struct domain *d, bool writable,
		 uint64_t now_ms, int64_t unix_ms);
/* The journal takes commits again. */
void hub_writable(struct hub *h);
bool hub_is_writable(const struct hub *h);
/* Writes a snapshot of the general state with the next flush. */
void hub_snapshot(struct hub *h);

/* Stops a running match that must not go on, as one whose invariant broke;
 * `why` is told to its players. */
void hub_freeze(struct hub *h, const struct id *match, const char *why,
		uint64_t now_ms, int64_t unix_ms);

/* The time of a plan has come: a tournament of these terms is made, unless
 * there is one of this plan and time. All is lent. */
void hub_schedule(struct hub *h, const struct cmd_tournament *plan,
		  uint64_t now_ms, int64_t unix_ms);

/* -- answers of slow things -- */

/* What it says is masked, or left out if it may not be said. */
void hub_thought(struct hub *h, const struct id *match,
		 const struct cmd_thought *thought, uint64_t now_ms,
		 int64_t unix_ms);
void hub_verdict(struct hub *h, const struct id *match,
		 const struct cmd_verdict *verdict, uint64_t now_ms,
		 int64_t unix_ms);
/* fits: the password fitted, or none was to be verified. hash: of the new one;
 * "": none was wanted, or hashing failed. */
void hub_hashed(struct hub *h, uint64_t job, bool fits, struct span hash,
		uint64_t now_ms, int64_t unix_ms);
/* rows as store_record has them (each with its length before it), or err. No
 * head: the match has not ended. */
struct hub_record {
	int err;
	struct span head;
	struct span rows;
};
void hub_record(struct hub *h, uint64_t conn, uint32_t msgid,
		const struct id *match, const struct hub_record *record);

enum { HUB_RECORDS_SHOWN_MAX = 50 };
struct hub_listed {
	struct id match;
	uint64_t row;        /* that ended it */
	struct span summary; /* of struct hub_ending */
};
struct hub_records {
	int err;
	size_t count;
	const struct hub_listed *at;
};
void hub_records(struct hub *h, uint64_t conn, uint32_t msgid,
		 const struct hub_records *records);

/* What was read again. */
struct hub_texts {
	size_t count;
	const char *const *at;
};
struct hub_reload {
	/* what is on offer from now on */
	const struct match_rules *rules;
	size_t rules_count;
	const struct personality *personality;
	size_t personality_count;
	/* for the operator; of the problems perhaps not all */
	struct hub_texts changed, gone, problems;
	size_t problem_count;
};
/* Puts it on offer and answers who asked, if anybody did (conn is not 0). All
 * is copied. */
void hub_reloaded(struct hub *h, uint64_t conn, uint32_t msgid,
		  const struct hub_reload *what, uint64_t now_ms,
		  int64_t unix_ms);
/* An errand was done, or not. Once for each. */
void hub_errand_done(struct hub *h, const struct hub_errand *e,
		     const struct hub_done *done);

/* -- time -- */

/* When hub_tick() has something to do; UINT64_MAX: never. */
uint64_t hub_next_due_ms(const struct hub *h);
void hub_tick(struct hub *h, uint64_t now_ms, int64_t unix_ms);

/* Says `closing` with err to everybody and closes; further input is ignored.
 * reason is for programs, such as "upgrade"; NULL: neither it nor when to come
 * back is told. */
void hub_close_all(struct hub *h, int err, const char *reason,
		   int64_t retry_after_ms);

struct hub_counts {
	size_t connections;
	size_t sessions; /* that have said hello */
	size_t waiting;  /* messages in the outbox, records asked for */
	size_t waiting_bytes;
	uint64_t requests;
	uint64_t refused;
	uint64_t facts;
	uint64_t skipped; /* times that a spectator fell behind */
};
struct hub_counts hub_counts(const struct hub *h);
uint64_t hub_uptime_ms(const struct hub *h);

/* Counted since the start: what the journal was given, by enum fact_type; and
 * what clients were refused with or closed with, by error. */
struct hub_tally {
	uint64_t facts[FACT_NUMBERS];
#define X(code, value, name, doc) uint64_t code##_count;
	struct {
		PLYD_ERRORS(X)
	} errors;
#undef X
};
const struct hub_tally *hub_tally(const struct hub *h);

#endif
