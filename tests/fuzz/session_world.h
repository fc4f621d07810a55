/* SPDX-License-Identifier: MIT
 * session_world.h - a hub with everything around it false: connections, time,
 * passwords, workers, and a journal whose commits are good, late or lost as the
 * input says. session_world.c is the hub's owner, session_ears.c judges what it
 * says, session_ask.c writes requests; fuzz_session.c chooses what happens. */
#ifndef PLYD_TESTS_FUZZ_SESSION_WORLD_H
#define PLYD_TESTS_FUZZ_SESSION_WORLD_H

#include "base/buf.h"
#include "base/rng.h"
#include "proto/methods.h"
#include "session/hub.h"

enum {
	EARS = 8,
	OPERATOR_EAR = EARS, /* the last */
	ASKED_MAX = 1024,    /* requests of one connection */
	HEARD_MAX = 64,      /* matches that one connection heard of */
	QUESTIONS_MAX = 16,
	READS_MAX = 1024,
	BATCHES_MAX = 64,
	TOKENS_MAX = 64
};

struct asked {
	uint32_t msgid;
	enum method method;
	bool answered;
};

/* How far a connection was told of a match. */
struct heard {
	struct id match;
	uint64_t seq;
};

/* A connection from the client's end. */
struct ear {
	uint64_t number; /* 0: there is none */
	bool wild;       /* it sent bytes that are no requests of ours */
	bool slow;       /* all that was sent to it is still on its way */
	bool closed;     /* the hub has said its last word */
	struct id player;
	uint32_t msgids;
	size_t asked_count;
	struct asked asked[ASKED_MAX];
	size_t heard_count;
	struct heard heard[HEARD_MAX];
};

enum piece_type { PIECE_ROW, PIECE_SECRET, PIECE_SNAPSHOT, PIECE_FINISH };
struct piece {
	enum piece_type type;
	uint64_t row, prev;
	struct id match;
	uint8_t *at;
	size_t len;
};
struct pieces {
	struct piece *at;
	size_t count, cap;
};

/* What a worker was asked. */
struct question {
	struct id match;
	uint32_t ply, takebacks;
	enum awaits asked;
	uint64_t offer;
};

struct job {
	uint64_t number;
	bool fits;
	char made[PASSWORD_HASH_MAX];
};

struct token {
	char hex[2 * TOKEN_BYTES + 1];
	struct id player;
};

struct world {
	struct hub *hub;
	uint64_t now_ms;
	int64_t unix_ms;
	struct domain_limits domain_limits;
	struct hub_limits hub_limits;
	struct entropy entropy;
	struct ear ear[EARS + 1];
	uint64_t connections; /* made so far */

	/* the journal */
	struct pieces open;                 /* being filled */
	struct pieces waiting[BATCHES_MAX]; /* submitted, the oldest first */
	size_t waiting_count;
	struct pieces durable; /* rows of what goes on; secrets; a snapshot */
	struct pieces records; /* of matches that are over */
	uint64_t last_row;     /* the greatest that ever was durable */
	bool refuses;          /* the next submit */
	bool down;             /* a commit has failed: rebuild */
	bool read_only;        /* rebuilt, but nothing is taken yet */

	struct question thoughts[QUESTIONS_MAX], verdicts[QUESTIONS_MAX];
	size_t thought_count, verdict_count;
	struct job jobs[HASH_JOBS_MAX];
	size_t job_count;
	struct {
		uint64_t conn;
		uint32_t msgid;
		struct id match;
	} reads[READS_MAX];
	size_t read_count;

	struct token token[TOKENS_MAX];
	size_t tokens;
	struct doc *doc;
	struct wordlist *words;
};

/* -- session_world.c -- */

/* delay_ms: how late spectators see a match. */
void world_open(struct world *w, int64_t delay_ms);
void world_close(struct world *w);
/* To be called after whatever was done to the hub. */
void world_after(struct world *w);
void world_time(struct world *w, uint64_t ms);

/* Commits the oldest batch; false: there is none. */
bool world_commit(struct world *w);
/* The oldest batch fails; `reaches`: it is on the disk all the same. */
void world_commit_fails(struct world *w, bool reaches);
void world_rebuild(struct world *w, bool writable);
/* The server dies; `kept` batches become durable; it starts again. */
void world_crash(struct world *w, size_t kept);

void world_connect(struct world *w, struct ear *e);
void world_disconnect(struct world *w, struct ear *e);
void world_send(struct world *w, struct ear *e, struct span bytes);

/* Gives the answers that are due, well or badly as rng says; false: none. */
bool world_thinks(struct world *w, struct rng *rng);
bool world_judges(struct world *w, struct rng *rng);
bool world_hashes(struct world *w);
bool world_reads(struct world *w);
/* All that may be late comes now: then every request has its answer. */
void world_settle(struct world *w);

/* -- session_ears.c -- */

struct ear *ear_find(struct world *w, uint64_t number);
/* A message to a connection: it must be one that the protocol knows, to
 * somebody who asked for it, without a word that he may not see. */
void ear_hears(struct world *w, struct ear *e, struct span bytes);
void ear_asks(struct ear *e, uint32_t msgid, enum method method);

/* -- session_ask.c -- */

/* Appends a request, of any method: what it names mostly is there. */
void ask_any(struct world *w, struct rng *rng, struct ear *e,
	     const struct method_info *method, struct buf *b);
void ask_hello(struct world *w, struct rng *rng, struct ear *e, struct buf *b);
/* The next half-move of a match by whose turn it is. NULL: nobody can. */
struct ear *ask_half_move(struct world *w, struct rng *rng, struct buf *b);
/* One asks for a lobby; the other joins what is open. */
void ask_lobby(struct rng *rng, struct ear *e, size_t rules, bool rated,
	       struct buf *b);
void ask_register(struct ear *e, const char *login, struct buf *b);
bool ask_join(struct world *w, struct ear *e, struct buf *b);
/* A legal move, or "x". */
void legal_move(struct rng *rng, const struct match *m,
		char out[MOVE_TEXT_MAX]);

#endif
