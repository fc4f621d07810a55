/* SPDX-License-Identifier: MIT
 * backup.c - the owner's side of a backup: it is begun, answered and ended. */
#include "store/store_priv.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Signals are for the owner's thread. */
static int start(struct store_backup *b)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&b->thread, NULL, backup_main, b);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc ? PLYD_ENOMEM : PLYD_OK;
}

int store_backup(struct store *s, const char *path, store_backup_fn *done,
		 void *payload)
{
	if (!s->driver->files)
		return PLYD_ENOTALLOWED;
	if (s->backup)
		return PLYD_EBUSY;
	if (strlen(path) >= STORE_PATH_MAX)
		return PLYD_ETOOLARGE;
	struct store_backup *b = calloc(1, sizeof(*b));
	if (!b)
		return PLYD_ENOMEM;
	b->store = s;
	b->options = s->driver->files(s);
	b->done = done;
	b->payload = payload;
	snprintf(b->path, sizeof(b->path), "%s", path);
	int err = start(b);
	if (err)
		free(b);
	else
		s->backup = b;
	return err;
}

bool store_backs_up(const struct store *s)
{
	return s->backup != NULL;
}

static void answer(struct store *s)
{
	struct store_backup *b = s->backup;
	pthread_join(b->thread, NULL);
	s->backup = NULL;
	b->done(b->payload, b->err, b->why, b->bytes);
	free(b);
}

void store_backup_poll(struct store *s)
{
	if (!s->backup)
		return;
	pthread_mutex_lock(&s->lock);
	bool finished = s->backup->finished;
	pthread_mutex_unlock(&s->lock);
	if (finished)
		answer(s);
}

void store_backup_end(struct store *s)
{
	if (!s->backup)
		return;
	pthread_mutex_lock(&s->lock);
	s->backup->cancelled = true;
	pthread_mutex_unlock(&s->lock);
	answer(s);
}
