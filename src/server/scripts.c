/* SPDX-License-Identifier: MIT
 * scripts.c - reading: the list of files first, then one file after another. */
#include "server/scripts.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/reader.h"
#include "server/unit.h"

struct file {
	int kind;
	char name[WORKER_NAME_MAX + 1]; /* without .lua */
	char path[PATH_BYTES_MAX];
};

struct loading {
	struct loading_options options;
	char worker[PATH_BYTES_MAX];
	char base[PATH_BYTES_MAX];
	struct reader *reader;
	size_t file_count, next;
	struct file file[UNITS_MAX];
	struct unit *unit; /* of the file that is asked about */
	struct scripts *out;
	struct problems problems;
	struct net_timer *soon; /* goes on from the loop */
};

/* -- what is wrong -- */

static void note(struct loading *l, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void note(struct loading *l, const char *format, ...)
{
	va_list args;
	if (l->problems.count < PROBLEMS_MAX) {
		va_start(args, format);
		vsnprintf(l->problems.text[l->problems.count], SCRIPTS_WHY_MAX,
			  format, args);
		va_end(args);
	}
	l->problems.count++;
}

/* -- the files -- */

static int is_script(const struct dirent *e)
{
	size_t len = strlen(e->d_name);
	return len > 4 && len - 4 <= WORKER_NAME_MAX &&
	       !strcmp(e->d_name + len - 4, ".lua") && e->d_name[0] != '.';
}

static void list_file(struct loading *l, int kind, const char *dir,
		      const char *file)
{
	if (l->file_count == UNITS_MAX) {
		note(l, "%s/%s: there are too many files", dir, file);
		return;
	}
	struct file *f = &l->file[l->file_count];
	int n = snprintf(f->path, sizeof(f->path), "%s/%s", dir, file);
	if (n < 0 || (size_t)n >= sizeof(f->path)) {
		note(l, "%s: the path is too long", file);
		return;
	}
	f->kind = kind;
	span_copy(span_of(file, strlen(file) - 4), f->name, sizeof(f->name));
	l->file_count++;
}

/* What was in force of this file goes on, if nothing else has its name. */
static void keep(struct loading *l, const struct unit *was)
{
	char why[SCRIPTS_WHY_MAX];
	struct unit *copy = unit_copy(was);
	if (!copy || unit_add(l->out, copy, why))
		unit_free(copy);
}

static const struct unit *was_of(const struct loading *l, int kind,
				 const char *file)
{
	const struct scripts *old = l->options.in_force;
	for (size_t i = 0; old && i < old->count; i++)
		if (old->unit[i]->version->kind == kind &&
		    !strcmp(old->unit[i]->file, file))
			return old->unit[i];
	return NULL;
}

/* A directory that cannot be read says nothing: all of it stays, as files that
 * cannot be read. */
static void list_old(struct loading *l, int kind, const char *dir)
{
	const struct scripts *old = l->options.in_force;
	char name[WORKER_NAME_MAX + sizeof(".lua")];
	for (size_t i = 0; old && i < old->count; i++) {
		if (old->unit[i]->version->kind != kind)
			continue;
		snprintf(name, sizeof(name), "%s.lua", old->unit[i]->file);
		list_file(l, kind, dir, name);
	}
}

/* Every file of a directory in order of name. */
static void list_dir(struct loading *l, int kind, const char *sub)
{
	char dir[PATH_BYTES_MAX];
	struct dirent **names;
	snprintf(dir, sizeof(dir), sub[0] == '/' ? "%.0s%s" : "%s/%s", l->base,
		 sub);
	int count = scandir(dir, &names, is_script, alphasort);
	if (count < 0 && errno == ENOENT &&
	    (kind == WORKER_LIBRARY || kind == WORKER_TOURNAMENT))
		return; /* nobody needs one */
	if (count < 0) {
		note(l, "%s: %s", dir, strerror(errno));
		list_old(l, kind, dir);
		return;
	}
	for (int i = 0; i < count; i++) {
		list_file(l, kind, dir, names[i]->d_name);
		free(names[i]);
	}
	free(names);
}

/* -- one after another -- */

static struct version *version_of(struct loading *l, const struct file *f,
				  uint8_t *source, size_t len)
{
	struct version *libraries[LIBRARIES_MAX];
	size_t count = 0;
	for (size_t i = 0; i < l->out->count; i++)
		if (l->out->unit[i]->version->kind == WORKER_LIBRARY)
			libraries[count++] = l->out->unit[i]->version;
	if (f->kind == WORKER_RULESET || f->kind == WORKER_LIBRARY ||
	    f->kind == WORKER_TOURNAMENT)
		count = 0; /* the one uses none, the other is used with all */
	return version_new(f->kind, f->name, source, len, libraries, count);
}

/* A unit without what its file says; NULL after a note. */
static struct unit *unit_of(struct loading *l, const struct file *f)
{
	size_t len;
	char why[READER_WHY_MAX];
	uint8_t *source = reader_file(f->path, &len, why);
	struct unit *u = source ? calloc(1, sizeof(*u)) : NULL;
	if (!u) {
		note(l, "%s: %s", f->path, source ? "out of memory" : why);
		free(source);
		return NULL;
	}
	memcpy(u->file, f->name, sizeof(u->file));
	u->version = version_of(l, f, source, len);
	if (u->version)
		return u;
	note(l, "%s: out of memory", f->path);
	free(u);
	return NULL;
}

/* The file at hand is wrong: what it said before stays. */
static void give_up(struct loading *l)
{
	const struct file *f = &l->file[l->next];
	const struct unit *was = was_of(l, f->kind, f->name);
	unit_free(l->unit);
	l->unit = NULL;
	if (was)
		keep(l, was);
}

static void take(struct loading *l, const struct value *result)
{
	const struct file *f = &l->file[l->next];
	struct unit *u = l->unit;
	char why[SCRIPTS_WHY_MAX];
	int err = unit_read(u, l->out, result, why);
	if (!err) {
		u->version = versions_keep(l->options.versions, u->version);
		if (!u->version) {
			note(l, "%s: out of memory", f->path);
			free(u);
			l->unit = NULL;
			return;
		}
		err = unit_add(l->out, u, why);
	}
	if (err) {
		note(l, "%s: %s", f->path, why);
		give_up(l);
		return;
	}
	u->version->faults = 0; /* it was read again */
	l->unit = NULL;
}

static void go_on(struct loading *l)
{
	l->next++;
	net_timer_start(l->soon, 0);
}

static void on_answered(void *payload, const struct worker_reply *reply,
			bool late)
{
	struct loading *l = payload;
	const struct file *f = &l->file[l->next];
	if (reply && !reply->err) {
		take(l, reply->result);
	} else {
		if (reply)
			note(l, "%s:%lld: %.*s", f->path,
			     (long long)reply->error.line,
			     (int)reply->error.text.len,
			     (const char *)reply->error.text.at);
		else
			note(l, "%s: %s", f->path,
			     late ? "it did not finish in time"
				  : "the worker that read it died");
		give_up(l);
	}
	go_on(l);
}

static void finish(struct loading *l)
{
	struct scripts *out = l->out;
	scripts_offer(out);
	l->out = NULL;
	l->options.done(l->options.payload, out, &l->problems);
}

static void on_soon(void *payload)
{
	struct loading *l = payload;
	char why[NET_WHY_MAX];
	if (l->next == l->file_count) {
		finish(l);
		return;
	}
	const struct file *f = &l->file[l->next];
	l->unit = unit_of(l, f);
	if (l->unit && !reader_ask(l->reader, l->unit->version, why))
		return;
	if (l->unit)
		note(l, "%s: the script worker %s cannot be started: %s",
		     f->path, l->worker, why);
	give_up(l);
	go_on(l);
}

int loading_start(const struct loading_options *options, struct loading **out)
{
	const struct config *c = options->config;
	struct loading *l = calloc(1, sizeof(*l));
	*out = NULL;
	if (!l)
		return PLYD_ENOMEM;
	l->options = *options;
	snprintf(l->worker, sizeof(l->worker), "%s", options->worker);
	snprintf(l->base, sizeof(l->base), "%s", options->base);
	const struct reader_options reader = {
		.program = l->worker,
		.deadline_ms = c->workers_load_deadline_ms,
		.answered = on_answered,
		.payload = l,
	};
	l->out = calloc(1, sizeof(*l->out));
	l->soon = net_timer_new(options->net, on_soon, l);
	if (!l->out || !l->soon ||
	    reader_new(options->net, &reader, &l->reader)) {
		loading_free(l);
		return PLYD_ENOMEM;
	}
	list_dir(l, WORKER_LIBRARY, c->scripts_libraries);
	list_dir(l, WORKER_POLICY, c->scripts_policies);
	list_dir(l, WORKER_RULESET, c->scripts_rulesets);
	list_dir(l, WORKER_PERSONALITY, c->scripts_personalities);
	list_dir(l, WORKER_TOURNAMENT, c->scripts_tournaments);
	net_timer_start(l->soon, 0);
	*out = l;
	return PLYD_OK;
}

void loading_free(struct loading *l)
{
	if (!l)
		return;
	reader_free(l->reader);
	net_timer_free(l->soon);
	unit_free(l->unit);
	if (l->out)
		scripts_release(l->out);
	free(l->out);
	free(l);
}

/* -- the start: everything must be right -- */

struct starting {
	struct net *net;
	struct scripts *out;
	char *why;
	int err;
};

static void on_started(void *payload, struct scripts *out,
		       const struct problems *problems)
{
	struct starting *s = payload;
	*s->out = *out;
	free(out);
	if (problems->count > 0) {
		snprintf(s->why, SCRIPTS_WHY_MAX, "%s", problems->text[0]);
		s->err = PLYD_ECONFIG;
	}
	net_stop(s->net);
}

int scripts_load(struct net *n, const char *worker, const char *base,
		 const struct config *c, struct versions *versions,
		 struct scripts *out, char why[SCRIPTS_WHY_MAX])
{
	struct starting s = { .net = n, .out = out, .why = why };
	const struct loading_options options = {
		.net = n,
		.worker = worker,
		.base = base,
		.config = c,
		.versions = versions,
		.done = on_started,
		.payload = &s,
	};
	struct loading *l;
	*out = (struct scripts){ 0 };
	int err = loading_start(&options, &l);
	if (err)
		return err;
	net_run(n);
	loading_free(l);
	if (!s.err && out->rules_count == 0) {
		snprintf(why, SCRIPTS_WHY_MAX, "there is no ruleset in %s",
			 c->scripts_rulesets);
		s.err = PLYD_ECONFIG;
	}
	return s.err;
}
