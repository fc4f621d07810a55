/* SPDX-License-Identifier: MIT
 * queue.h - what is going to happen, by time; what is due at the same time
 * happens in the order in which it was planned. */
#ifndef PLYD_TESTS_SIM_QUEUE_H
#define PLYD_TESTS_SIM_QUEUE_H

#include "base/id.h"
#include "base/span.h"

enum happening_type {
	AT_SERVER,       /* bytes reach the server on a link */
	AT_CLIENT,       /* bytes reach the client on a link */
	SERVER_ACCEPTS,  /* a link is connected */
	SERVER_SEES_END, /* the server learns that a link is no more */
	CLIENT_SEES_END, /* so does the client */
	READS_AGAIN,     /* a slow client has read all that waited for it */
	CLIENT_ACTS,     /* number: of the client */
	OPERATOR_ACTS,
	COMMIT_ENDS, /* the disk has done with its oldest batch */
	/* for match; number: ply, msgid: its takebacks */
	THOUGHT,     /* a personality answers */
	VERDICT,     /* a policy says what it thinks */
	RECORD_READ, /* number: link, msgid, match */
	LIST_READ,   /* number: link, msgid; match: the player */
	HASHED,      /* number: job, msgid: which server; bytes: the hash */
	CRASH,
	START,
	REBUILD,
	WRITABLE,
	WANT_SNAPSHOT,
	DISK_FAILS, /* the next commit will */
	FREEZE,     /* a fault stops a match */
	END_FROZEN, /* the operator ends it; match */
	RELOAD,     /* scripts are read again */
	LEAP,       /* the wall clock is set forward */
	STALL,      /* the machine stands still */
	TICK,       /* never planned: the hub's own */
};

struct happening {
	uint64_t at_ms;
	uint64_t order; /* set by the queue */
	enum happening_type type;
	uint64_t number;
	uint32_t msgid;
	struct id match;
	uint8_t *bytes; /* owned */
	size_t len;
};

struct queue {
	struct happening *item;
	size_t count, cap;
	uint64_t orders;
};

/* Takes h->bytes. */
void queue_put(struct queue *q, const struct happening *h);
/* The same for one that was taken and must wait: it keeps its place among those
 * of one time, so that bytes do not overtake each other. */
void queue_put_back(struct queue *q, const struct happening *h);
/* Lends the first, or NULL. */
const struct happening *queue_first(const struct queue *q);
/* Gives the first; the caller frees its bytes. */
struct happening queue_take(struct queue *q);
void queue_release(struct queue *q);

/* calloc and realloc that end the program without memory. */
void *sim_alloc(size_t bytes);
void *sim_grow(void *items, size_t *cap, size_t count, size_t item_bytes);
uint8_t *sim_copy(struct span bytes);

#endif
