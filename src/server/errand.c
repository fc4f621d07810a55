/* SPDX-License-Identifier: MIT
 * errand.c - what operators want of the process: that another program takes
 * over, and backups. */
#include "server/server_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/log.h"

/* The answer leaves before the end; everything goes on until then. */
enum { UPGRADE_ANSWER_MS = 200 };

/* -- another program takes over -- */

static void answer(struct server *s, const struct hub_errand *e, int err,
		   const char *why)
{
	const struct hub_done done = { .err = err, .why = why };
	hub_errand_done(s->hub, e, &done);
}

static void upgrade_refused(struct server *s, const char *why)
{
	log_event(LOG_ERROR, "the upgrade is off: this program goes on",
		  "why=\"%s\"", why);
	answer(s, &s->upgrade_for, PLYD_EIO, why);
}

static void on_upgrade_time(void *payload)
{
	struct server *s = payload;
	if (s->stopping)
		return;
	log_event(LOG_INFO, "stopping", "why=upgrade connections=%zu",
		  hub_counts(s->hub).connections);
	s->handing_over = s->stopping = true;
	net_stop(s->net);
}

static void on_checked(void *payload, bool can_start, const char *why)
{
	struct server *s = payload;
	if (s->stopping)
		return;
	if (can_start) {
		answer(s, &s->upgrade_for, PLYD_OK, NULL);
		net_timer_start(s->upgrade_timer, UPGRADE_ANSWER_MS);
	} else {
		upgrade_refused(s, why);
	}
	server_finish_round(s);
}

static void upgrade_begin(struct server *s, const struct hub_errand *e)
{
	char why[NET_WHY_MAX];
	int err = upgrade_check(s->upgrade, why);
	if (err == PLYD_EBUSY) {
		answer(s, e, err, "An upgrade has begun.");
		return;
	}
	s->upgrade_for = *e;
	if (err)
		upgrade_refused(s, why[0] ? why : plyd_err_text(err));
}

void upgrade_wanted(struct server *s)
{
	const struct hub_errand nobody = { .type = ERRAND_UPGRADE };
	upgrade_begin(s, &nobody);
	server_finish_round(s);
}

void server_address(const struct server *s, char *out, size_t size)
{
	snprintf(out, size, "%s:%lld", s->config->listen_host,
		 (long long)s->config->listen_port);
}

void hand_over(struct server *s)
{
	struct handover *h = s->handover;
	int lock = store_hand_over(s->journal.store);
	int listener = listener_hand_over(s->listener);
	int console = listener_hand_over(s->operators);
	*h = (struct handover){ .lock = lock < 0 ? 0 : lock,
				.listener = listener < 0 ? 0 : listener,
				.console = console < 0 ? 0 : console };
	server_address(s, h->at, sizeof(h->at));
	snprintf(h->path, sizeof(h->path), "%s", s->socket_path);
}

/* -- backups -- */

struct backup_errand {
	struct server *server;
	struct hub_errand errand;
	uint64_t began_ms;
	char file[STORE_PATH_MAX];
};

static void on_backup(void *payload, int err, const char *why, uint64_t bytes)
{
	struct backup_errand *b = payload;
	const struct hub_done done = {
		.err = err,
		.why = err ? why : NULL,
		.file = b->file,
		.bytes = bytes,
		.took_ms = net_now_ms() - b->began_ms,
	};
	if (err)
		log_event(LOG_ERROR, "a backup failed", "file=%s why=\"%s\"",
			  b->file, why);
	else
		log_event(LOG_INFO, "a backup was made",
			  "file=%s bytes=%llu took_ms=%llu", b->file,
			  (unsigned long long)bytes,
			  (unsigned long long)done.took_ms);
	if (err != PLYD_ESHUTDOWN)
		hub_errand_done(b->server->hub, &b->errand, &done);
	free(b);
}

/* A path, or a name in the directory for them, or one with the time. */
static int backup_name(const struct server *s, struct span name,
		       char out[STORE_PATH_MAX])
{
	char dir[CONFIG_TEXT_MAX + 16], stamp[40];
	time_t now = time(NULL);
	struct tm tm;
	if (name.len > 0 && name.at[0] == '/')
		return span_copy(name, out, STORE_PATH_MAX) ? PLYD_OK
							    : PLYD_ETOOLARGE;
	snprintf(dir, sizeof(dir), "%s/backups", s->config->data_directory);
	if (mkdir(dir, 0700) && errno != EEXIST)
		return PLYD_EIO;
	gmtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "plyd-%Y%m%dT%H%M%SZ.db", &tm);
	if (name.len == 0)
		name = span_str(stamp);
	snprintf(out, STORE_PATH_MAX, "%s/%.*s", dir, (int)name.len,
		 (const char *)name.at);
	return PLYD_OK;
}

static void backup_begin(struct server *s, const struct hub_errand *e)
{
	struct backup_errand *b = calloc(1, sizeof(*b));
	if (!b) {
		answer(s, e, PLYD_ENOMEM, NULL);
		return;
	}
	b->server = s;
	b->errand = *e;
	b->began_ms = net_now_ms();
	int err = backup_name(s, e->name, b->file);
	if (!err)
		err = store_backup(s->journal.store, b->file, on_backup, b);
	if (!err)
		return;
	answer(s, e, err,
	       err == PLYD_EBUSY ? "Another backup is being made." : NULL);
	free(b);
}

/* -- scripts -- */

/* Every version of it that is known; a reload brings it back too. */
static void quarantine(struct server *s, const struct hub_errand *e)
{
	int kind = e->policy ? WORKER_POLICY : WORKER_PERSONALITY;
	size_t found = 0;
	for (struct version *v = s->versions->all; v; v = v->hh.next) {
		if (v->kind != kind || !span_is(e->name, v->name))
			continue;
		conduct_set_quarantine(v, e->on);
		found++;
	}
	answer(s, e, found > 0 ? PLYD_OK : PLYD_ENOTHING,
	       found > 0 ? NULL : "There is no script of this name.");
}

/* -- all of them -- */

void hub_wants_errand(void *payload, const struct hub_errand *e)
{
	struct server *s = payload;
	switch (e->type) {
	case ERRAND_UPGRADE: upgrade_begin(s, e); break;
	case ERRAND_BACKUP: backup_begin(s, e); break;
	case ERRAND_QUARANTINE: quarantine(s, e); break;
	}
}

int errands_start(struct server *s, const struct server_options *o)
{
	const struct upgrade_ops upgrade = { s, on_checked };
	s->upgrade = upgrade_new(s->net, o->program, o->argv, &upgrade);
	s->upgrade_timer = net_timer_new(s->net, on_upgrade_time, s);
	int err =
		retire_new(s->net, s->config, o->vfs, &s->journal, &s->retire);
	return s->upgrade && s->upgrade_timer ? err : PLYD_ENOMEM;
}

void errands_stop(struct server *s)
{
	upgrade_free(s->upgrade);
	net_timer_free(s->upgrade_timer);
	retire_free(s->retire);
}
