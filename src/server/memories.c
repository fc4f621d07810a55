/* SPDX-License-Identifier: MIT */
#include "server/memories.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/table.h"
#include "proto/worker.h"

/* Those of one match. */
struct memories {
	struct id match;
	struct buf kept[MEMORIES];
	UT_hash_handle hh;
};

static struct memories *find(const struct memories *m, const struct id *match)
{
	struct memories *found;
	struct memories *all = (struct memories *)m;
	HASH_FIND(hh, all, match->text, ID_CHARS, found);
	return found;
}

static void destroy(struct memories *one)
{
	for (int i = 0; i < MEMORIES; i++)
		buf_release(&one->kept[i]);
	free(one);
}

void memories_free(struct memories *m)
{
	struct memories *one, *next;
	HASH_ITER (hh, m, one, next) {
		HASH_DEL(m, one);
		destroy(one);
	}
}

struct span memories_get(const struct memories *m, const struct id *match,
			 enum memory_of of)
{
	const struct memories *one = find(m, match);
	return one ? buf_span(&one->kept[of]) : span_of("", 0);
}

static struct memories *add(struct memories **m, const struct id *match)
{
	struct memories *one = calloc(1, sizeof(*one));
	if (!one)
		return NULL;
	one->match = *match;
	for (int i = 0; i < MEMORIES; i++)
		buf_init(&one->kept[i], WORKER_KEPT_MAX);
	HASH_ADD(hh, *m, match.text, ID_CHARS, one);
	if (one->hh.tbl)
		return one;
	destroy(one);
	return NULL;
}

void memories_put(struct memories **m, const struct id *match,
		  enum memory_of of, struct span bytes)
{
	struct memories *one = find(*m, match);
	if (!one && bytes.len > 0)
		one = add(m, match);
	if (!one)
		return;
	buf_clear(&one->kept[of]);
	buf_put(&one->kept[of], bytes.at, bytes.len);
}

void memories_drop(struct memories **m, const struct id *match)
{
	struct memories *one = find(*m, match);
	if (!one)
		return;
	HASH_DEL(*m, one);
	destroy(one);
}
