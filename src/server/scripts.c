/* SPDX-License-Identifier: MIT */
#include "server/scripts.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "server/worker.h"

/* Writes a reason, cut to fit, and returns PLYD_ECONFIG. */
static int say(char *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static int say(char *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, SCRIPTS_WHY_MAX, format, args);
	va_end(args);
	return PLYD_ECONFIG;
}

/* A worker that is waited for. */
struct asking {
	struct net *net;
	struct worker *worker;
	struct buf question;
	int64_t deadline_ms;
	char *why;
	const struct worker_reply *reply; /* while it is taken */
	int (*take)(struct asking *a);
	int err;
	/* what is asked about */
	const struct script *script;
	struct config *config;
	struct scripts *scripts;
	struct policies *policies;
	/* of the script that was taken last */
	char own_name[WORKER_NAME_MAX + 1];
	bool asked_later; /* it has functions that workers will run */
};

struct policies {
	size_t count;
	struct draw_rules rules[SCRIPTS_MAX];
};

static void on_answer(void *payload, struct worker *w,
		      const struct worker_reply *reply, bool late)
{
	struct asking *a = payload;
	(void)w;
	net_stop(a->net);
	if (!reply) {
		a->err = say(a->why, "%s: %s", a->script->path,
			     late ? "it did not finish in time"
				  : "the worker that read it died");
		a->err = PLYD_ECONFIG;
		return;
	}
	if (reply->err) {
		a->err = say(a->why, "%s:%lld: %.*s", a->script->path,
			     (long long)reply->error.line,
			     (int)reply->error.text.len,
			     (const char *)reply->error.text.at);
		a->err = PLYD_ECONFIG;
		return;
	}
	a->reply = reply;
	a->err = a->take(a);
}

static void on_death(void *payload, struct worker *w)
{
	(void)payload;
	(void)w; /* the next question tells */
}

static int asking_start(struct asking *a, struct net *n, const char *worker,
			char *why)
{
	char net_why[NET_WHY_MAX];
	const struct worker_ops ops = { a, on_answer, on_death };
	a->net = n;
	a->why = why;
	buf_init(&a->question, WORKER_BYTES_MAX);
	int err = worker_start(n, worker, &ops, &a->worker, net_why);
	if (err)
		say(why, "the script worker %s cannot be started: %s", worker,
		    net_why[0] ? net_why : plyd_err_text(err));
	return err ? PLYD_ECONFIG : PLYD_OK;
}

static void asking_end(struct asking *a)
{
	worker_free(a->worker);
	buf_release(&a->question);
}

static int ask(struct asking *a, const struct script *s)
{
	const struct worker_load load = {
		.kind = s->kind,
		.name = span_str(s->name),
		.source = span_of(s->source, s->source_len),
	};
	a->script = s;
	buf_clear(&a->question);
	worker_ask_load(&a->question, 1, &load);
	if (a->question.err || worker_pid(a->worker) == 0)
		return say(a->why, "%s: it cannot be sent to the worker",
			   s->path);
	worker_ask(a->worker, buf_span(&a->question), a->deadline_ms);
	net_run(a->net);
	return a->err;
}

/* -- files -- */

static int read_file(struct script *s, char *why)
{
	FILE *in = fopen(s->path, "rb");
	if (!in) {
		return say(why, "%s: %s", s->path, strerror(errno));
	}
	s->source = malloc(WORKER_SOURCE_MAX + 1);
	s->source_len =
		s->source ? fread(s->source, 1, WORKER_SOURCE_MAX + 1, in) : 0;
	bool failed = !s->source || ferror(in);
	fclose(in);
	if (failed || s->source_len > WORKER_SOURCE_MAX) {
		return say(why, "%s: %s", s->path,
			   failed ? "cannot be read" : "is too long");
	}
	return PLYD_OK;
}

static int is_script(const struct dirent *e)
{
	size_t len = strlen(e->d_name);
	return len > 4 && len - 4 < sizeof(((struct script *)0)->name) &&
	       !strcmp(e->d_name + len - 4, ".lua") && e->d_name[0] != '.';
}

static int load_one(struct asking *a, int kind, const char *dir,
		    const char *file, struct script *s)
{
	*s = (struct script){ .kind = kind };
	a->asked_later = false;
	int n = snprintf(s->path, sizeof(s->path), "%s/%s", dir, file);
	if (n < 0 || (size_t)n >= sizeof(s->path)) {
		return say(a->why, "%s: the path is too long", file);
	}
	span_copy(span_of(file, strlen(file) - 4), s->name, sizeof(s->name));
	int err = read_file(s, a->why);
	return err ? err : ask(a, s);
}

/* Workers are told of it under the name that it gives itself. */
static void keep(struct asking *a, const struct script *s)
{
	struct script *kept = &a->scripts->script[a->scripts->count++];
	*kept = *s;
	snprintf(kept->name, sizeof(kept->name), "%s", a->own_name);
}

/* Loads every file of a directory in order of name. */
static int load_dir(struct asking *a, int kind, const char *base,
		    const char *sub)
{
	char dir[PATH_BYTES_MAX];
	struct dirent **names;
	snprintf(dir, sizeof(dir), sub[0] == '/' ? "%.0s%s" : "%s/%s", base,
		 sub);
	int count = scandir(dir, &names, is_script, alphasort);
	if (count < 0 && errno == ENOENT && kind == WORKER_LIBRARY)
		return PLYD_OK; /* nobody needs one */
	if (count < 0) {
		return say(a->why, "%s: %s", dir, strerror(errno));
	}
	int err = PLYD_OK;
	for (int i = 0; i < count; i++) {
		struct script s = { 0 };
		if (!err)
			err = load_one(a, kind, dir, names[i]->d_name, &s);
		if (!err && a->asked_later)
			keep(a, &s);
		else
			free(s.source);
		free(names[i]);
	}
	free(names);
	return err;
}

/* -- what a worker answers -- */

static int refuse(struct asking *a, const char *text)
{
	return say(a->why, "%s: %s", a->script->path, text);
}

/* A script names another thing that is not there. */
static int refuse_name(struct asking *a, const char *what, struct span name)
{
	return say(a->why, "%s: there is no %s '%.*s'", a->script->path, what,
		   (int)name.len, (const char *)name.at);
}

static int take_config(struct asking *a)
{
	const struct script *s = a->script;
	char why[CONFIG_WHY_MAX];
	unsigned line;
	int err = config_read(a->config, a->reply->result,
			      span_of(s->source, s->source_len), &line, why);
	if (err && line > 0)
		return say(a->why, "%s:%u: %s", s->path, line, why);
	return err ? refuse(a, why) : PLYD_OK;
}

static const struct draw_rules *find_policy(const struct policies *p,
					    struct span name)
{
	for (size_t i = 0; i < p->count; i++)
		if (span_is(name, p->rules[i].policy))
			return &p->rules[i];
	return NULL;
}

/* Libraries go by the names of their files, and come first. */
static int take_library(struct asking *a)
{
	if (a->scripts->count == LIBRARIES_MAX)
		return refuse(a, "there are too many libraries");
	memcpy(a->own_name, a->script->name, sizeof(a->own_name));
	a->asked_later = true;
	return PLYD_OK;
}

static int take_policy(struct asking *a)
{
	struct worker_policy p;
	if (worker_policy_read(a->reply->result, &p))
		return refuse(a, "the worker's answer cannot be read");
	if (a->policies->count == SCRIPTS_MAX)
		return refuse(a, "there are too many policies");
	if (find_policy(a->policies, p.name))
		return refuse(a, "another policy has this name");
	struct draw_rules *r = &a->policies->rules[a->policies->count++];
	*r = (struct draw_rules){
		.no_progress = (uint32_t)p.no_progress,
		.repetition = (uint32_t)p.repetition,
		.man_moves_count = p.counts == COUNTS_CAPTURE_OR_MAN_MOVE,
		.judged = p.has_verdict,
		.no_offers = p.no_offers,
		.offers_from = (uint32_t)p.offers_from,
		.offers_max = (uint32_t)p.offers_max,
	};
	if (!span_copy(p.name, r->policy, sizeof(r->policy)))
		return refuse(a, "its name is too long");
	memcpy(a->own_name, r->policy, sizeof(r->policy));
	a->asked_later = p.has_verdict;
	return PLYD_OK;
}

static void set_draws(struct draw_rules *out, const struct draw_rules *policy,
		      const struct worker_ruleset *r)
{
	*out = *policy;
	if (r->no_progress >= 0)
		out->no_progress = (uint32_t)r->no_progress;
	if (r->repetition >= 0)
		out->repetition = (uint32_t)r->repetition;
	if (r->counts >= 0)
		out->man_moves_count = r->counts == COUNTS_CAPTURE_OR_MAN_MOVE;
}

_Static_assert((int)WORKER_PER_MOVE == (int)CLOCK_PER_MOVE &&
		       (int)WORKER_DELAY == (int)CLOCK_DELAY &&
		       (int)WORKER_BRONSTEIN == (int)CLOCK_BRONSTEIN,
	       "workers and the domain number clocks alike");

static void set_limit(int64_t *limit, int64_t value)
{
	if (value >= 0)
		*limit = value;
}

/* NULL, or why they do not go together. */
static const char *set_clocks(struct match_rules *m,
			      const struct worker_ruleset *r)
{
	const struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	const struct clock_wish wish = {
		.has_kind = true,
		.has_base_ms = true,
		.has_increment_ms = true,
		.has_delay_ms = true,
		.kind = (enum clock_kind)r->clock_kind,
		.base_ms = r->base_ms,
		.increment_ms = r->increment_ms,
		.delay_ms = r->delay_ms,
	};
	struct clock_limits *l = &m->clock_limits;
	clock_limits_default(l);
	l->kinds = (uint32_t)r->clock_kinds & CLOCK_KINDS_ALL;
	set_limit(&l->base_ms_min, r->base_ms_min);
	set_limit(&l->base_ms_max, r->base_ms_max);
	set_limit(&l->increment_ms_max, r->increment_ms_max);
	set_limit(&l->delay_ms_max, r->delay_ms_max);
	set_limit(&l->move_ms_min, r->move_ms_min);
	set_limit(&l->move_ms_max, r->move_ms_max);
	if (!clock_wanted(&none, &wish, &m->clock))
		return "a clock has an increment or a delay, as its kind "
		       "says, and no time without a clock";
	return clock_is_allowed(l, &m->clock)
		       ? NULL
		       : "its clock is out of the limits of 'clocks'";
}

static int take_ruleset(struct asking *a)
{
	struct worker_ruleset r;
	const char *why;
	if (worker_ruleset_read(a->reply->result, &r))
		return refuse(a, "the worker's answer cannot be read");
	if (a->scripts->rules_count == RULES_MAX)
		return refuse(a, "there are too many rulesets");
	const struct draw_rules *policy = find_policy(a->policies, r.policy);
	if (!policy)
		return refuse_name(a, "policy", r.policy);
	struct match_rules *m = &a->scripts->rules[a->scripts->rules_count];
	*m = (struct match_rules){ .takeback = r.takeback };
	why = set_clocks(m, &r);
	if (why)
		return refuse(a, why);
	if (ruleset_read((const char *)r.ruleset.at, r.ruleset.len, &m->rules))
		return refuse(a, "its options cannot be read");
	if (ruleset_check(&m->rules, &why))
		return refuse(a, why);
	set_draws(&m->draws, policy, &r);
	span_copy(r.about, m->about, sizeof(m->about));
	for (size_t i = 0; i < a->scripts->rules_count; i++)
		if (!strcmp(a->scripts->rules[i].rules.name, m->rules.name))
			return refuse(a, "another ruleset has this name");
	a->scripts->rules_count++;
	return PLYD_OK;
}

/* The bits of the rulesets that a personality names; 0 if it names none. */
static int take_plays(struct asking *a, const struct worker_texts *names,
		      uint64_t *plays)
{
	const struct scripts *s = a->scripts;
	*plays = 0;
	for (size_t n = 0; n < names->count; n++) {
		size_t i = 0;
		while (i < s->rules_count &&
		       !span_is(names->at[n], s->rules[i].rules.name))
			i++;
		if (i == s->rules_count)
			return refuse_name(a, "ruleset", names->at[n]);
		*plays |= UINT64_C(1) << i;
	}
	return PLYD_OK;
}

static int take_personality(struct asking *a)
{
	struct worker_personality p;
	struct scripts *s = a->scripts;
	if (worker_personality_read(a->reply->result, &p))
		return refuse(a, "the worker's answer cannot be read");
	if (s->personality_count == PERSONALITIES_MAX)
		return refuse(a, "there are too many personalities");
	for (size_t i = 0; i < s->personality_count; i++)
		if (span_is(p.name, s->personality[i].name))
			return refuse(a, "another personality has this name");
	struct personality *out = &s->personality[s->personality_count++];
	span_copy(p.about, out->about, sizeof(out->about));
	int err = take_plays(a, &p.rulesets, &out->plays);
	if (err)
		return err;
	if (!span_copy(p.name, out->name, sizeof(out->name)))
		return refuse(a, "its name is too long");
	memcpy(a->own_name, out->name, sizeof(out->name));
	a->asked_later = true;
	return PLYD_OK;
}

/* -- all of it -- */

static int read_config_file(struct net *n, const char *worker, const char *path,
			    struct config *out, char why[SCRIPTS_WHY_MAX])
{
	struct script s = { .kind = WORKER_CONFIG, .name = "config" };
	struct asking a = { .config = out,
			    .take = take_config,
			    .deadline_ms = out->workers_load_deadline_ms };
	if (!span_copy(span_str(path), s.path, sizeof(s.path))) {
		return say(why, "the path is too long");
	}
	int err = read_file(&s, why);
	if (!err)
		err = asking_start(&a, n, worker, why);
	if (!err) {
		err = ask(&a, &s);
		asking_end(&a);
	}
	free(s.source);
	return err;
}

int scripts_read_config(struct net *n, const char *worker, const char *path,
			bool dev, struct config *out, char why[SCRIPTS_WHY_MAX])
{
	char env_why[CONFIG_WHY_MAX];
	config_default(out);
	int err = path ? read_config_file(n, worker, path, out, why) : PLYD_OK;
	if (err)
		return err;
	if (dev)
		config_dev(out);
	err = config_read_env(out, environ, env_why);
	if (err)
		say(why, "%s", env_why);
	return err;
}

int scripts_load(struct net *n, const char *worker, const char *base,
		 const struct config *c, struct scripts *out,
		 char why[SCRIPTS_WHY_MAX])
{
	*out = (struct scripts){ 0 };
	struct policies *policies = calloc(1, sizeof(*policies));
	struct asking a = { .scripts = out,
			    .policies = policies,
			    .deadline_ms = c->workers_load_deadline_ms };
	int err = policies ? asking_start(&a, n, worker, why) : PLYD_ENOMEM;
	if (!err) {
		a.take = take_library;
		err = load_dir(&a, WORKER_LIBRARY, base, c->scripts_libraries);
		a.take = take_policy;
		if (!err)
			err = load_dir(&a, WORKER_POLICY, base,
				       c->scripts_policies);
		a.take = take_ruleset;
		if (!err)
			err = load_dir(&a, WORKER_RULESET, base,
				       c->scripts_rulesets);
		a.take = take_personality;
		if (!err)
			err = load_dir(&a, WORKER_PERSONALITY, base,
				       c->scripts_personalities);
		asking_end(&a);
	}
	free(policies);
	if (!err && out->rules_count == 0) {
		say(why, "there is no ruleset in %s", c->scripts_rulesets);
		err = PLYD_ECONFIG;
	}
	return err;
}

void scripts_release(struct scripts *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->script[i].source);
	*s = (struct scripts){ 0 };
}
