/* SPDX-License-Identifier: MIT */
#include "server/reload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "server/conduct.h"
#include "server/config_file.h"

enum { NAMED_MAX = 2 * WORKER_NAME_MAX };

/* Scripts as texts such as "policy own 0a1b2c3d4e5f". */
struct named {
	size_t count;
	const char *at[UNITS_MAX];
	char text[UNITS_MAX][NAMED_MAX];
};

struct reload {
	struct reload_options options;
	char worker[PATH_BYTES_MAX];
	char base[PATH_BYTES_MAX];
	struct configuring *configuring; /* NULL: it is not being read */
	struct net_timer *next;          /* what follows it */
	struct config_change setting[CONFIG_SETTING_COUNT];
	size_t settings;
	char config_why[SCRIPTS_WHY_MAX]; /* "": it could be read */
	struct loading *loading;          /* NULL: none is under way */
	bool again;                       /* a signal came meanwhile */
	uint64_t conn;
	uint32_t msgid;
	/* what is told of it */
	struct named changed, gone;
	const char *problem[PROBLEMS_MAX + CONFIG_SETTING_COUNT + 1];
	const char *change[UNITS_MAX + CONFIG_SETTING_COUNT];
};

static void name(struct named *n, const struct version *v)
{
	snprintf(n->text[n->count], NAMED_MAX, "%s %s %s", conduct_kind_name(v),
		 v->name, v->hash);
	n->at[n->count] = n->text[n->count];
	n->count++;
}

/* What has another version in `to`, or is new there; and what is no more. */
static void compare(struct reload *r, const struct scripts *from,
		    const struct scripts *to)
{
	r->changed.count = r->gone.count = 0;
	for (size_t i = 0; i < to->count; i++) {
		const struct version *v = to->unit[i]->version;
		const struct unit *was = scripts_find(from, v->kind, v->name);
		if (!was || strcmp(was->version->hash, v->hash) != 0)
			name(&r->changed, v);
	}
	for (size_t i = 0; i < from->count; i++) {
		const struct version *v = from->unit[i]->version;
		if (!scripts_find(to, v->kind, v->name))
			name(&r->gone, v);
	}
}

static void log_lines(const char *what, const struct hub_texts *lines,
		      enum log_level level)
{
	char text[2 * SCRIPTS_WHY_MAX];
	for (size_t i = 0; i < lines->count; i++)
		log_event(level, what, "what=%s",
			  log_quote(lines->at[i], strlen(lines->at[i]), text,
				    sizeof(text)));
}

/* What became of settings: those that were taken, or those that were not, and
 * why nothing of the file was. Gives how many. */
static size_t put_settings(const struct reload *r, bool taken, const char **out)
{
	size_t count = 0;
	if (!taken && r->config_why[0])
		out[count++] = r->config_why;
	for (size_t i = 0; i < r->settings; i++)
		if (r->setting[i].taken == taken)
			out[count++] = r->setting[i].text;
	return count;
}

static void tell(struct reload *r, const struct problems *problems)
{
	const struct scripts *s = r->options.scripts;
	size_t shown =
		problems->count < PROBLEMS_MAX ? problems->count : PROBLEMS_MAX;
	for (size_t i = 0; i < shown; i++)
		r->problem[i] = problems->text[i];
	size_t refused = shown + put_settings(r, false, r->problem + shown);
	size_t changed = put_settings(r, true, r->change);
	for (size_t i = 0; i < r->changed.count; i++)
		r->change[changed + i] = r->changed.at[i];
	const struct hub_reload what = {
		.rules = s->rules,
		.rules_count = s->rules_count,
		.personality = s->personality,
		.personality_count = s->personality_count,
		.changed = { changed + r->changed.count, r->change },
		.gone = { r->gone.count, r->gone.at },
		.problems = { refused, r->problem },
		.problem_count = problems->count + refused - shown,
	};
	log_lines("read again, and new", &what.changed, LOG_INFO);
	log_lines("a script is gone", &what.gone, LOG_INFO);
	log_lines("a file is wrong: what it said before stays", &what.problems,
		  LOG_ERROR);
	log_event(LOG_INFO, "scripts were read again",
		  "changed=%zu gone=%zu wrong=%zu", what.changed.count,
		  r->gone.count, what.problem_count);
	r->options.done(r->options.payload, r->conn, r->msgid, &what);
}

/* Without any ruleset there is nothing to be played: it is a mistake. */
static bool is_sane(const struct scripts *s)
{
	return s->rules_count > 0;
}

static void on_done(void *payload, struct scripts *out,
		    const struct problems *problems)
{
	struct reload *r = payload;
	static struct problems empty = {
		1, { "there would be no ruleset: everything stays" }
	};
	if (is_sane(out)) {
		compare(r, r->options.scripts, out);
		scripts_release(r->options.scripts);
		*r->options.scripts = *out;
	} else {
		r->changed.count = r->gone.count = 0;
		problems = &empty;
		scripts_release(out);
	}
	free(out);
	tell(r, problems);
	loading_free(r->loading);
	r->loading = NULL;
	bool again = r->again;
	r->again = false;
	if (again && reload_start(r, 0, 0))
		log_event(LOG_ERROR, "scripts cannot be read again", "%s",
			  "why=memory");
}

/* -- the configuration, before the scripts -- */

static int load_scripts(struct reload *r)
{
	const struct loading_options options = {
		.net = r->options.net,
		.worker = r->worker,
		.base = r->base,
		.config = r->options.config,
		.versions = r->options.versions,
		.in_force = r->options.scripts,
		.done = on_done,
		.payload = r,
	};
	return loading_start(&options, &r->loading);
}

/* Out of the reader's answer, which ends here. */
static void on_next(void *payload)
{
	struct reload *r = payload;
	static const struct problems none = { 0 };
	configuring_free(r->configuring);
	r->configuring = NULL;
	if (!load_scripts(r))
		return;
	snprintf(r->config_why, sizeof(r->config_why),
		 "there was no memory to read the scripts");
	r->changed.count = r->gone.count = 0;
	tell(r, &none);
}

static void on_configured(void *payload, int err, const struct config *fresh,
			  const char *why)
{
	struct reload *r = payload;
	struct log_options log;
	char log_why[CONFIG_WHY_MAX];
	if (!err && (err = config_log(fresh, &log, log_why)))
		why = log_why;
	if (err)
		snprintf(r->config_why, sizeof(r->config_why), "%s", why);
	else
		r->settings =
			config_change(r->options.config, fresh, r->setting);
	if (r->settings > 0)
		r->options.configured(r->options.payload);
	net_timer_start(r->next, 0);
}

int reload_start(struct reload *r, uint64_t conn, uint32_t msgid)
{
	const struct configuring_options options = {
		.net = r->options.net,
		.worker = r->worker,
		.path = r->options.config_path,
		.dev = r->options.config->dev,
		.done = on_configured,
		.payload = r,
	};
	if (r->loading || r->configuring) {
		r->again = r->again || conn == 0;
		return PLYD_ERELOADING;
	}
	r->conn = conn;
	r->msgid = msgid;
	r->settings = 0;
	r->config_why[0] = '\0';
	if (options.path &&
	    !configuring_start(&options, &r->configuring, r->config_why))
		return PLYD_OK;
	return load_scripts(r);
}

int reload_new(const struct reload_options *options, struct reload **out)
{
	struct reload *r = calloc(1, sizeof(*r));
	*out = r;
	if (!r)
		return PLYD_ENOMEM;
	r->options = *options;
	snprintf(r->worker, sizeof(r->worker), "%s", options->worker);
	snprintf(r->base, sizeof(r->base), "%s", options->base);
	r->next = net_timer_new(options->net, on_next, r);
	return r->next ? PLYD_OK : PLYD_ENOMEM;
}

void reload_free(struct reload *r)
{
	if (!r)
		return;
	configuring_free(r->configuring);
	net_timer_free(r->next);
	loading_free(r->loading);
	free(r);
}
