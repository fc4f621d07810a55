/* SPDX-License-Identifier: MIT
 * sim.h - the world of one seed: the real hub with its domain, and around it a
 * false clock, network, disk, clients and personalities. Nothing here reads a
 * clock, a file or a socket, so a seed always gives the same story. */
#ifndef PLYD_TESTS_SIM_H
#define PLYD_TESTS_SIM_H

#include "base/rng.h"
#include "cast.h"
#include "disk.h"
#include "proto/methods.h"
#include "queue.h"
#include "session/hub.h"
#include "story.h"

enum {
	CLIENTS_MAX = 14,
	RULESETS = 7,
	PERSONALITIES = 2,
	CODES_MAX = 16,
	STALLS_MAX = 64,
	/* the world's times in ms */
	FAULTS_UNTIL_MS = 150000, /* then nothing breaks any more */
	END_MS = 240000,
	UNIX_START_MS = 1700000000,
	VERDICT_MS = 50, /* that a draw policy has */
};

struct client;
struct link;

enum { ACCOUNTS = 4, PASSWORDS_KNOWN = 6, PASSWORD_CHARS_MOST = 24 };

/* What two clients tell each other of the account that they share. */
struct shared_account {
	bool opened;
	char login[LOGIN_BYTES_MAX + 1];
	/* the newest first; answers may have been lost */
	char password[PASSWORDS_KNOWN][PASSWORD_CHARS_MOST];
	size_t passwords;
};
struct referee;

struct sim_counts {
	unsigned crashes, failed_commits, cuts, messages, moves, matches;
	unsigned snapshots, given_up;
};

struct sim {
	uint64_t seed;
	/* Seeded anew for whatever happens, by what it is: a story that lacks a
	 * step stays as it was in all that does not follow from it. */
	struct rng rng;
	uint64_t chance_of; /* what it was seeded for last, */
	uint64_t chances;   /* and how often */
	struct cast cast;
	uint64_t t_ms; /* the world's clock; it never stops */
	struct queue queue;
	struct disk disk;
	struct hub *hub; /* NULL while the server is down */
	/* domain time = t_ms - behind_ms; it stands while the server is down */
	int64_t behind_ms;
	uint64_t leapt_ms;    /* what was added to the wall clock */
	uint64_t leapt_at_ms; /* when it was, last */
	bool rebuilding;
	bool read_only;            /* rebuilt, but the disk takes nothing yet */
	uint64_t stalled_until_ms; /* the server does nothing before that */
	uint64_t stood_until_ms[STALLS_MAX]; /* ends of stalls, domain time */
	size_t stalls;
	struct domain_limits domain_limits;
	struct hub_limits hub_limits;
	/* bytes that may wait for a slow reader; few are said in this world, so
	 * each counts as several */
	size_t write_queue_bytes, queued_weight;
	uint32_t ai_wanted; /* lobbies against personalities, of 10000 */
	struct match_rules rules[RULESETS];
	struct personality personality[PERSONALITIES];
	unsigned readings; /* of scripts; and what they kept: */
	unsigned notes;
	struct link *links;
	struct client *client[CLIENTS_MAX];
	struct shared_account account[ACCOUNTS];
	uint32_t servers; /* started so far */
	size_t clients;
	struct {
		uint64_t conn;
		unsigned crashes; /* before he connected, */
		bool connected;   /* if he did */
		uint32_t msgids;
		enum method method; /* that he asked last */
		bool wants_drain;   /* it was that, and on */
		bool drained;       /* he was told that no match begins */
	} operator;
	char code[CODES_MAX][CODE_CHARS + 1]; /* told from friend to friend */
	size_t codes;
	struct referee *referee;
	struct story story;
	struct sim_counts counts;
	uint64_t hash; /* of every byte that was sent or became durable */
	bool failed;
	const char *format; /* of why: the same for the same complaint */
	char why[512];
};

/* -- world.c -- */

/* Plays one seed with those who take part, aloud if trace is set. A line of the
 * story that has looks_for in it, unless that is NULL, counts as wrong. False:
 * sim->why says what is wrong. */
bool sim_run(struct sim *sim, uint64_t seed, const struct cast *cast,
	     const char *looks_for, bool trace);
void sim_release(struct sim *sim);

uint64_t sim_domain_ms(const struct sim *sim);
int64_t sim_unix_ms(const struct sim *sim);
/* -- setting.c -- */
void setting_make(struct sim *sim);

/* What must be done after every call into the hub. */
void sim_after_hub(struct sim *sim);

/* Uniform in low..high. Two draws never stand in one expression, for compilers
 * differ in which they make first, and a seed would tell two stories. */
uint32_t sim_between(struct sim *sim, uint32_t low, uint32_t high);
/* True in `of` of 10000 cases. */
bool sim_chance(struct sim *sim, uint32_t of);
/* So is this, until the faults are over, if there are any of this kind. */
bool sim_fault(struct sim *sim, enum fault kind, uint32_t of);
/* An actor's next step; false: it is left out. Chance is his from here on. */
bool sim_step(struct sim *sim, unsigned actor);

/* Whether the machine stood still until just this domain time. */
bool sim_stood_until(const struct sim *sim, uint64_t domain_ms);

/* The operator will end this match, which is frozen. */
void frozen_will_end(struct sim *sim, const struct id *match);

/* Something is wrong; the first word counts. */
void sim_fail(struct sim *sim, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sim_hash(struct sim *sim, struct span bytes);

#endif
