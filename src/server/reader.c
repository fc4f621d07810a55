/* SPDX-License-Identifier: MIT */
#include "server/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <plyd/err.h>
#include "server/worker.h"

enum { TOLD_MAX = 2 * WORKER_USES_MAX };

struct reader {
	struct net *net;
	struct reader_options options;
	struct worker *worker; /* NULL: none runs */
	size_t told_count;     /* libraries that it knows, */
	const struct version *told[TOLD_MAX];
	const struct version *asked;
	bool asked_itself; /* the question at hand is no library of it */
	struct buf question;
};

uint8_t *reader_file(const char *path, size_t *len, char why[READER_WHY_MAX])
{
	FILE *in = fopen(path, "rb");
	if (!in) {
		snprintf(why, READER_WHY_MAX, "%s", strerror(errno));
		return NULL;
	}
	uint8_t *source = malloc(WORKER_SOURCE_MAX + 1);
	*len = source ? fread(source, 1, WORKER_SOURCE_MAX + 1, in) : 0;
	bool failed = !source || ferror(in);
	fclose(in);
	if (!failed && *len <= WORKER_SOURCE_MAX)
		return source;
	snprintf(why, READER_WHY_MAX, "%s",
		 failed ? "cannot be read" : "is too long");
	free(source);
	return NULL;
}

static void lose_worker(struct reader *r)
{
	worker_free(r->worker);
	r->worker = NULL;
	r->told_count = 0;
}

static bool knows(const struct reader *r, const struct version *library)
{
	for (size_t i = 0; i < r->told_count; i++)
		if (r->told[i] == library)
			return true;
	return false;
}

static void tell(struct reader *r, const struct version *v)
{
	buf_clear(&r->question);
	version_tell(v, &r->question);
	worker_ask(r->worker, buf_span(&r->question), r->options.deadline_ms);
}

/* The next library of what is asked, and then this itself. */
static void tell_next(struct reader *r)
{
	const struct version *v = r->asked;
	for (size_t i = 0; i < v->use_count; i++) {
		if (knows(r, v->use[i]))
			continue;
		r->told[r->told_count++] = v->use[i];
		tell(r, v->use[i]);
		return;
	}
	r->asked_itself = true;
	tell(r, v);
}

static void on_answered(void *payload, struct worker *w,
			const struct worker_reply *reply, bool late)
{
	struct reader *r = payload;
	(void)w;
	if (!reply)
		lose_worker(r);
	if (reply && !reply->err && !r->asked_itself) {
		tell_next(r);
		return;
	}
	r->asked = NULL;
	r->options.answered(r->options.payload, reply, late);
}

static void on_died(void *payload, struct worker *w)
{
	(void)w;
	lose_worker(payload);
}

int reader_new(struct net *n, const struct reader_options *options,
	       struct reader **out)
{
	struct reader *r = calloc(1, sizeof(*r));
	*out = r;
	if (!r)
		return PLYD_ENOMEM;
	r->net = n;
	r->options = *options;
	buf_init(&r->question, WORKER_BYTES_MAX);
	return PLYD_OK;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	worker_free(r->worker);
	buf_release(&r->question);
	free(r);
}

int reader_ask(struct reader *r, const struct version *v, char why[NET_WHY_MAX])
{
	const struct worker_ops ops = { r, on_answered, on_died, NULL };
	why[0] = '\0';
	if (r->told_count + v->use_count > TOLD_MAX)
		lose_worker(r);
	int err = r->worker ? PLYD_OK
			    : worker_start(r->net, r->options.program, &ops,
					   &r->worker, why);
	if (err)
		return err;
	r->asked = v;
	r->asked_itself = false;
	tell_next(r);
	return PLYD_OK;
}
