/* SPDX-License-Identifier: MIT
 * journal.h - the hub's facts into the store and back: batches, commits, what
 * to do when a commit fails, and the replay at the start. */
#ifndef PLYD_SERVER_JOURNAL_H
#define PLYD_SERVER_JOURNAL_H

#include "domain/domain.h"
#include "net/net.h"
#include "server/histogram.h"
#include "server/scripts.h"
#include "session/hub.h"
#include "store/store.h"

enum { PROBE_MS = 1000, COMMITS_TIMED_MAX = 256 };

/* A batch that was submitted and is not yet durable. */
struct commit_time {
	uint64_t row; /* the last one in it */
	uint64_t submitted_us;
};

struct journal {
	struct net *net;
	struct store *store;
	struct store_batch *batch; /* what the hub has said since the submit */
	bool batch_lost;           /* there was no memory for it */
	struct store_batch *snapshot; /* its own, so that it may fail alone */
	struct hub *hub;
	const struct scripts *scripts;
	size_t bad;    /* rows that the last replay passed over */
	bool dev;      /* what is drawn is the same for the same journal */
	bool at_once;  /* nothing is written, and what is submitted is done */
	bool answered; /* journal_answer() has something to say, */
	bool woken;    /* and journal_poll() too */
	struct domain_limits limits;
	struct histogram commit; /* from submit to durable */
	uint64_t failures;
	uint64_t last_row;                           /* that was appended */
	struct commit_time timed[COMMITS_TIMED_MAX]; /* a ring */
	size_t timed_first, timed_count;             /* more are not timed */
	struct net_timer *probe; /* runs while the store cannot be written */
	/* domain time, which the rebuilt domain goes on from */
	uint64_t (*now_ms)(void *payload);
	void *payload;
};

/* Opens the store in the data directory, which wakes n. lock_fd is as in
 * store_options. Errors and why as
 * store_open(). */
int journal_open(struct journal *j, struct net *n, const struct config *c,
		 const char *vfs, int lock_fd, char why[STORE_WHY_MAX]);
void journal_close(struct journal *j);

/* Gives a domain with everything that is durable. PLYD_ESTORE, PLYD_EVERSION,
 * PLYD_ENOMEM: why says more. */
int journal_replay(struct journal *j, struct domain **out,
		   char why[STORE_WHY_MAX]);

/* The journal's part of hub_ops; payload is the journal. */
void journal_append(void *journal, uint64_t row, const struct id *match,
		    uint64_t prev, struct span bytes);
void journal_secret(void *journal, const struct id *match, struct span bytes);
void journal_finish(void *journal, const struct hub_ending *e);
void journal_snapshot(void *journal, uint64_t row, struct span bytes);
int journal_submit(void *journal);

/* What the store has to say; to be called when it woke the loop. */
void journal_poll(struct journal *j);
/* What was submitted at once is durable: as far as it will ever be. */
void journal_answer(struct journal *j, uint64_t now_ms);

#endif
