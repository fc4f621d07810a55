/* SPDX-License-Identifier: MIT
 * hasher.h - passwords are hashed by Argon2id on the threads of the loop's pool:
 * a tenth of a second each. They are in no log, and wiped when they are done. */
#ifndef PLYD_SERVER_HASHER_H
#define PLYD_SERVER_HASHER_H

#include "domain/effect.h"
#include "net/net.h"

struct hasher;

/* What a hash costs whoever tries passwords, and the server. */
struct hash_cost {
	uint64_t ops;          /* passes over the memory */
	uint64_t memory_bytes; /* for each of them */
};

struct hasher_ops {
	void *payload;
	/* As hub_hashed() takes it; the hash is lent. */
	void (*hashed)(void *payload, uint64_t job, bool fits,
		       struct span hash);
};

/* Gives a hasher for at most `most` passwords at a time, or NULL without
 * memory. */
struct hasher *hasher_new(struct net *n, size_t most,
			  const struct hash_cost *cost,
			  const struct hasher_ops *ops);
/* Nothing is called any more. The hasher is freed with its last work: run the
 * loop to its end. NULL is fine. */
void hasher_free(struct hasher *h);

/* Copies what it needs. A password that fits a hash of another cost is hashed
 * anew. There must be room: the domain counts. */
void hasher_work(struct hasher *h, const struct hashing *what);

#endif
