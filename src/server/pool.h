/* SPDX-License-Identifier: MIT
 * pool.h - script workers of one kind: a bounded queue of questions, served in
 * the order in which they came (but for suspects), by processes that are killed
 * when they are late and replaced when they die; then the question has
 * failed, or, if there were several, each is asked again, alone, as a suspect's
 * is. What an answer means, and what to do without
 * one, its users know: thinkers.h and judges.h. */
#ifndef PLYD_SERVER_POOL_H
#define PLYD_SERVER_POOL_H

#include "server/histogram.h"
#include "server/version.h"
#include "server/worker.h"

struct pool;

/* One question; lies in its user's struct. */
struct job {
	struct version *script; /* that is asked; held by the user */
	struct buf question;    /* written with worker_ask_*() under id 1 */
	/* A worker is free for it. False: it is not to be asked any more, and
	 * is the user's again. NULL: always true. */
	bool (*ready)(struct job *j);
	/* Others go first. NULL: always false. */
	bool (*suspect)(const struct job *j);
	/* The answer, lent; or NULL: the worker died, or was killed at its
	 * deadline (late). The job is the user's again, and starved says
	 * whether the script was not to blame. */
	void (*done)(struct job *j, const struct worker_reply *reply,
		     bool late);
	/* The pool ends: the job is the user's to free. */
	void (*drop)(struct job *j);
	uint64_t asked_us; /* when it came, then when a worker was asked */
	bool starved;      /* see done(), and worker_was_starved() */
	bool alone; /* the pool's: a worker was lost with it and others */
	struct job *prev, *next;
};

struct pool_options {
	const char *program; /* copied */
	size_t workers;
	bool lazy;    /* they are started when they are asked something */
	size_t batch; /* questions that a worker may have at once */
	size_t queue_max;
	int64_t load_deadline_ms;
	int64_t ask_deadline_ms;
	/* All that was answered at once was told. NULL: nobody needs to know. */
	void (*told)(void *payload);
	void *payload;
};

/* Gives a pool and starts its processes, which are told a script when it is
 * asked for the first time. PLYD_EIO: why says why not. PLYD_ENOMEM. */
int pool_new(struct net *n, const struct pool_options *options,
	     struct pool **out, char why[NET_WHY_MAX]);
void pool_free(struct pool *p); /* NULL is fine */

/* Since the start, but for what waits and works now. */
struct pool_counts {
	size_t waiting;          /* questions in the queue */
	size_t busy, workers;    /* workers that are asked something; all */
	uint64_t late;           /* killed at their deadline */
	uint64_t died;           /* of themselves, while they were asked */
	uint64_t refused;        /* questions that found the queue full */
	struct histogram answer; /* from the question to its answer, or none */
	struct histogram wait;   /* in the queue before that */
};
struct pool_counts pool_counts(const struct pool *p);

/* Takes j until done() or drop(). PLYD_EFULL: queue_max questions wait; j is
 * not taken. */
int pool_ask(struct pool *p, struct job *j);

#endif
