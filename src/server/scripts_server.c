/* SPDX-License-Identifier: MIT
 * scripts_server.c - scripts are read again, and what matches began with is
 * kept as long as they may ask for it. */
#include "server/server_priv.h"

#include <stdio.h>

#include "base/log.h"

static int script_kind(bool personality)
{
	return personality ? WORKER_PERSONALITY : WORKER_POLICY;
}

static void need(void *payload, bool personality, const char *name,
		 const char *version)
{
	const struct server *s = payload;
	struct version *v = versions_find(s->versions, script_kind(personality),
					  name, version);
	if (v)
		v->needed = true;
}

/* Drops the versions that no match may be asked about any more. */
static void sweep_versions(struct server *s)
{
	for (size_t i = 0; i < s->scripts->count; i++)
		s->scripts->unit[i]->version->needed = true;
	domain_each_script(hub_domain(s->hub), need, s);
	versions_sweep(s->versions);
	if (!store_backs_up(s->journal.store)) /* later, then */
		texts_sweep(s->texts, s->versions);
}

static void log_unsaved(const struct version *v, int err)
{
	log_event(LOG_ERROR,
		  "a script's text cannot be kept for matches that go on after "
		  "a restart",
		  "script=%s version=%s why=%s", v->name, v->hash,
		  plyd_err_name(err));
}

/* Keeps those in force for matches that outlive this process. */
static void save_texts(const struct server *s)
{
	bool made_one = false;
	for (size_t i = 0; i < s->scripts->count; i++) {
		const struct unit *u = s->scripts->unit[i];
		const struct version *v = u->version;
		bool asked = v->kind == WORKER_PERSONALITY ||
			     (v->kind == WORKER_POLICY && u->draws.judged);
		int err = asked ? texts_save(s->texts, v, &made_one) : PLYD_OK;
		if (err)
			log_unsaved(v, err);
	}
	if (made_one && texts_sync(s->texts))
		log_event(LOG_ERROR, "the texts of scripts cannot be synced",
			  "directory=\"%s\"", s->texts);
}

static void find_text(void *payload, bool personality, const char *name,
		      const char *version)
{
	const struct server *s = payload;
	int kind = script_kind(personality);
	if (versions_find(s->versions, kind, name, version))
		return;
	int err = texts_load(s->texts, s->versions, kind, name, version);
	if (err)
		log_event(LOG_WARNING,
			  "the text of a script is gone: its matches go on "
			  "without it",
			  "script=%s version=%s why=%s", name, version,
			  plyd_err_name(err));
}

/* After a replay: what its matches began with. */
static void find_texts(struct server *s)
{
	snprintf(s->texts, sizeof(s->texts), "%s/" STORE_CARRIED,
		 s->config->data_directory);
	domain_each_script(hub_domain(s->hub), find_text, s);
	save_texts(s);
	sweep_versions(s);
}

static void on_reloaded(void *payload, uint64_t conn, uint32_t msgid,
			const struct hub_reload *what)
{
	struct server *s = payload;
	save_texts(s);
	hub_reloaded(s->hub, conn, msgid, what,
		     clock_look(&s->clock, net_now_ms()), unix_now_ms());
	sweep_versions(s);
	server_finish_round(s);
}

int server_reload_start(struct server *s, const struct server_options *o)
{
	const struct reload_options options = {
		.net = s->net,
		.worker = o->worker,
		.base = o->base,
		.config = o->config,
		.config_path = o->config_path,
		.configured = server_configured,
		.versions = o->versions,
		.scripts = o->scripts,
		.done = on_reloaded,
		.payload = s,
	};
	find_texts(s);
	return reload_new(&options, &s->reload);
}
