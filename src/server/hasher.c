/* SPDX-License-Identifier: MIT */
#include "server/hasher.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/work.h"

_Static_assert(crypto_pwhash_STRBYTES <= PASSWORD_HASH_MAX,
	       "the text of a hash fits into a fact");

struct hasher {
	struct hash_cost cost;
	struct hasher_ops ops;
	struct task *tasks;
	size_t most;
	size_t busy;
	bool closed;
};

struct secret {
	size_t len;
	char at[PASSWORD_BYTES_MAX];
};

struct task {
	struct hasher *hasher;
	struct net_work *work;
	struct hash_cost cost;
	uint64_t job; /* 0: free */
	bool verifies;
	char hash[PASSWORD_HASH_MAX]; /* to verify against */
	struct secret password, fresh;
	/* what comes of it */
	bool fits;
	char made[PASSWORD_HASH_MAX];
};

static void make(struct task *t, const struct secret *s)
{
	if (crypto_pwhash_str(t->made, s->at, s->len, t->cost.ops,
			      t->cost.memory_bytes))
		t->made[0] = '\0';
}

/* A login that there is not costs as much as one that there is. */
static void verify(struct task *t)
{
	if (!t->hash[0]) {
		make(t, &t->password);
		t->made[0] = '\0';
		return;
	}
	t->fits = crypto_pwhash_str_verify(t->hash, t->password.at,
					   t->password.len) == 0;
}

static void run(void *payload)
{
	struct task *t = payload;
	if (t->verifies)
		verify(t);
	else
		t->fits = true;
	if (!t->fits)
		return;
	if (t->fresh.len > 0)
		make(t, &t->fresh);
	else if (t->verifies &&
		 crypto_pwhash_str_needs_rehash(t->hash, t->cost.ops,
						t->cost.memory_bytes) == 1)
		make(t, &t->password);
}

/* -- tasks -- */

static void free_if_done(struct hasher *h)
{
	if (!h->closed || h->busy > 0)
		return;
	for (size_t i = 0; i < h->most; i++)
		net_work_free(h->tasks[i].work);
	free(h->tasks);
	free(h);
}

static void wipe(struct task *t)
{
	struct task clean = { .hasher = t->hasher,
			      .work = t->work,
			      .cost = t->cost };
	sodium_memzero(t, sizeof(*t));
	*t = clean;
}

static void done(void *payload, bool ran)
{
	struct task *t = payload;
	struct hasher *h = t->hasher;
	uint64_t job = t->job;
	char made[PASSWORD_HASH_MAX];
	bool fits = ran && t->fits;
	memcpy(made, t->made, sizeof(made));
	wipe(t);
	h->busy--;
	if (!h->closed)
		h->ops.hashed(h->ops.payload, job, fits, span_str(made));
	free_if_done(h);
}

struct hasher *hasher_new(struct net *n, size_t most,
			  const struct hash_cost *cost,
			  const struct hasher_ops *ops)
{
	struct hasher *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	*h = (struct hasher){ .cost = *cost, .ops = *ops, .most = most };
	h->tasks = calloc(most, sizeof(*h->tasks));
	for (size_t i = 0; h->tasks && i < most; i++) {
		struct task *t = &h->tasks[i];
		*t = (struct task){ .hasher = h, .cost = *cost };
		t->work =
			net_work_new(n, &(struct net_work_ops){ t, run, done });
		if (!t->work)
			h->closed = true;
	}
	if (h->tasks && !h->closed)
		return h;
	h->most = h->tasks ? most : 0;
	h->closed = true;
	free_if_done(h);
	return NULL;
}

void hasher_free(struct hasher *h)
{
	if (!h)
		return;
	h->closed = true;
	for (size_t i = 0; i < h->most; i++)
		net_work_cancel(h->tasks[i].work);
	free_if_done(h);
}

static void keep(struct secret *out, struct span from)
{
	out->len = from.len <= sizeof(out->at) ? from.len : 0;
	if (out->len > 0)
		memcpy(out->at, from.at, out->len);
}

void hasher_work(struct hasher *h, const struct hashing *what)
{
	struct task *t = h->tasks;
	while (t < h->tasks + h->most && t->job != 0)
		t++;
	assert(t < h->tasks + h->most);
	t->job = what->job;
	t->verifies = what->hash != NULL;
	span_copy(span_str(what->hash ? what->hash : ""), t->hash,
		  sizeof(t->hash));
	keep(&t->password, what->password);
	keep(&t->fresh, what->fresh);
	h->busy++;
	net_work_start(t->work);
}
