/* SPDX-License-Identifier: MIT
 * The driver that keeps nothing: a commit is done when it is asked for, and
 * what it held is forgotten. The data directory is still taken, so that no two
 * servers share its sockets. It has no thread. */
#include <stdlib.h>
#include <unistd.h>

#include "store/sqlite_priv.h"

static void answer_reads(struct store *s)
{
	const struct buf none = { 0 };
	for (;;) {
		pthread_mutex_lock(&s->lock);
		struct store_read *r = store_take_read(s);
		pthread_mutex_unlock(&s->lock);
		if (!r)
			break;
		r->status = PLYD_ENORECORD;
		if (r->kind == READ_LIST)
			rows_answer(r, &none); /* an empty one */
		store_settle_read(s, r);
	}
}

static void fleeting_kick(struct store *s)
{
	pthread_mutex_lock(&s->lock);
	struct store_batch *taken = store_take(s);
	bool probe = s->probe_wanted;
	s->probe_wanted = false;
	pthread_mutex_unlock(&s->lock);
	if (taken)
		store_settle(s, taken, NULL);
	if (probe)
		store_settle_probe(s, 0, NULL);
	answer_reads(s);
}

static int fleeting_load(struct store *s, const struct store_loader *loader,
			 uint64_t *last_seq, char why[STORE_WHY_MAX])
{
	(void)s, (void)loader, (void)why;
	*last_seq = 0;
	return PLYD_OK;
}

static int fleeting_records(struct store *s, store_each_fn *fn, void *payload,
			    char why[STORE_WHY_MAX])
{
	(void)s, (void)fn, (void)payload, (void)why;
	return PLYD_OK;
}

static void fleeting_close(struct store *s)
{
	close(s->lock_fd);
	store_core_release(s);
	free(s);
}

static const struct store_driver fleeting_driver = {
	.kick = fleeting_kick,
	.load = fleeting_load,
	.records = fleeting_records,
	.close = fleeting_close,
};

int fleeting_open(struct store **out, const struct store_options *options,
		  char why[STORE_WHY_MAX])
{
	struct db_options db;
	struct store *s = malloc(sizeof(*s));
	*out = NULL;
	why[0] = '\0';
	if (!s || store_core_init(s, &fleeting_driver, options->wake,
				  options->payload)) {
		free(s);
		return why_set(why, PLYD_ENOMEM, "%s",
			       plyd_err_text(PLYD_ENOMEM));
	}
	int err = options_read(&db, options, why);
	if (!err)
		err = files_claim(&db, &s->lock_fd, why);
	if (err) {
		store_core_release(s);
		free(s);
		return err;
	}
	*out = s;
	return PLYD_OK;
}
