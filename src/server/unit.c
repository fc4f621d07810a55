/* SPDX-License-Identifier: MIT */
#include "server/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a reason and returns PLYD_ECONFIG. */
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

static int unreadable(char *why)
{
	return say(why, "the worker's answer cannot be read");
}

/* A script names another thing that is not there. */
static int no_such(char *why, const char *what, struct span name)
{
	return say(why, "there is no %s '%.*s'", what, (int)name.len,
		   (const char *)name.at);
}

static int set_name(struct unit *u, const char *name, char *why)
{
	return version_set_name(u->version, name)
		       ? PLYD_OK
		       : say(why, "its name is too long");
}

static int read_policy(struct unit *u, const struct value *result, char *why)
{
	struct worker_policy p;
	if (worker_policy_read(result, &p))
		return unreadable(why);
	struct draw_rules *r = &u->draws;
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
		return say(why, "its name is too long");
	memcpy(r->version, u->version->hash, sizeof(r->version));
	return set_name(u, r->policy, why);
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

static int read_ruleset(struct unit *u, const struct scripts *s,
			const struct value *result, char *why)
{
	char policy_name[WORKER_NAME_MAX + 1];
	struct worker_ruleset r;
	struct match_rules *m = &u->rules;
	if (worker_ruleset_read(result, &r) ||
	    !span_copy(r.policy, policy_name, sizeof(policy_name)))
		return unreadable(why);
	const struct unit *policy = scripts_find(s, WORKER_POLICY, policy_name);
	if (!policy)
		return no_such(why, "policy", r.policy);
	*m = (struct match_rules){ .takeback = r.takeback };
	const char *wrong = set_clocks(m, &r);
	if (wrong)
		return say(why, "%s", wrong);
	if (ruleset_read((const char *)r.ruleset.at, r.ruleset.len, &m->rules))
		return say(why, "its options cannot be read");
	if (ruleset_check(&m->rules, &wrong))
		return say(why, "%s", wrong);
	set_draws(&m->draws, &policy->draws, &r);
	span_copy(r.about, m->about, sizeof(m->about));
	memcpy(m->version, u->version->hash, sizeof(m->version));
	return set_name(u, m->rules.name, why);
}

static int read_personality(struct unit *u, const struct scripts *s,
			    const struct value *result, char *why)
{
	struct worker_personality p;
	struct personality *out = &u->personality;
	if (worker_personality_read(result, &p))
		return unreadable(why);
	if (!span_copy(p.name, out->name, sizeof(out->name)))
		return say(why, "its name is too long");
	span_copy(p.about, out->about, sizeof(out->about));
	memcpy(out->version, u->version->hash, sizeof(out->version));
	u->plays_count = p.rulesets.count;
	for (size_t i = 0; i < p.rulesets.count; i++)
		if (!span_copy(p.rulesets.at[i], u->plays[i],
			       sizeof(u->plays[i])) ||
		    !scripts_find(s, WORKER_RULESET, u->plays[i]))
			return no_such(why, "ruleset", p.rulesets.at[i]);
	return set_name(u, out->name, why);
}

static int read_plan(struct unit *u, const struct scripts *s,
		     const struct value *result, char *why)
{
	struct worker_plan p;
	char ruleset[WORKER_NAME_MAX + 1], name[WORKER_NAME_MAX + 1];
	if (worker_plan_read(result, &p) ||
	    !span_copy(p.ruleset, ruleset, sizeof(ruleset)) ||
	    !span_copy(p.name, name, sizeof(name)))
		return unreadable(why);
	/* an example may be of a ruleset that is not there */
	if (p.enabled && !scripts_find(s, WORKER_RULESET, ruleset))
		return no_such(why, "ruleset", p.ruleset);
	const char *wrong = plan_set(&u->plan, &p);
	return wrong ? say(why, "%s", wrong) : set_name(u, name, why);
}

int unit_read(struct unit *u, const struct scripts *scripts,
	      const struct value *result, char why[SCRIPTS_WHY_MAX])
{
	switch (u->version->kind) {
	case WORKER_POLICY: return read_policy(u, result, why);
	case WORKER_RULESET: return read_ruleset(u, scripts, result, why);
	case WORKER_PERSONALITY:
		return read_personality(u, scripts, result, why);
	case WORKER_TOURNAMENT: return read_plan(u, scripts, result, why);
	default: /* a library goes by the name of its file */
		return set_name(u, u->file, why);
	}
}

/* -- the set -- */

static const struct of_kind {
	const char *one, *many;
	size_t most;
} kinds[] = {
	[WORKER_LIBRARY] = { "library", "libraries", LIBRARIES_MAX },
	[WORKER_POLICY] = { "policy", "policies", POLICIES_MAX },
	[WORKER_RULESET] = { "ruleset", "rulesets", RULES_MAX },
	[WORKER_PERSONALITY] = { "personality", "personalities",
				 PERSONALITIES_MAX },
	[WORKER_TOURNAMENT] = { "tournament", "tournaments", PLANS_MAX },
};

static size_t count_kind(const struct scripts *s, int kind)
{
	size_t count = 0;
	for (size_t i = 0; i < s->count; i++)
		count += s->unit[i]->version->kind == kind;
	return count;
}

int unit_add(struct scripts *s, struct unit *u, char why[SCRIPTS_WHY_MAX])
{
	int kind = u->version->kind;
	if (count_kind(s, kind) == kinds[kind].most)
		return say(why, "there are too many %s", kinds[kind].many);
	if (scripts_find(s, kind, u->version->name))
		return say(why, "another %s has this name", kinds[kind].one);
	s->unit[s->count++] = u;
	return PLYD_OK;
}

struct unit *unit_copy(const struct unit *u)
{
	struct unit *copy = malloc(sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = *u;
	version_hold(copy->version);
	return copy;
}

void unit_free(struct unit *u)
{
	if (!u)
		return;
	version_drop(u->version);
	free(u);
}

void scripts_release(struct scripts *s)
{
	for (size_t i = 0; i < s->count; i++)
		unit_free(s->unit[i]);
	*s = (struct scripts){ 0 };
}

const struct unit *scripts_find(const struct scripts *s, int kind,
				const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->unit[i]->version->kind == kind &&
		    !strcmp(s->unit[i]->version->name, name))
			return s->unit[i];
	return NULL;
}

struct version *scripts_version(const struct scripts *in_force,
				const struct versions *versions, int kind,
				const char *name, const char *hash)
{
	if (hash[0])
		return versions_find(versions, kind, name, hash);
	const struct unit *u = scripts_find(in_force, kind, name);
	return u ? u->version : NULL;
}

/* The bits of what it plays. False: it names rulesets, and none of them is
 * there any more. */
static bool set_plays(const struct scripts *s, const struct unit *u,
		      struct personality *out)
{
	out->plays = 0;
	for (size_t n = 0; n < u->plays_count; n++)
		for (size_t i = 0; i < s->rules_count; i++)
			if (!strcmp(u->plays[n], s->rules[i].rules.name))
				out->plays |= UINT64_C(1) << i;
	return u->plays_count == 0 || out->plays != 0;
}

void scripts_offer(struct scripts *s)
{
	s->rules_count = s->personality_count = 0;
	for (size_t i = 0; i < s->count; i++)
		if (s->unit[i]->version->kind == WORKER_RULESET)
			s->rules[s->rules_count++] = s->unit[i]->rules;
	for (size_t i = 0; i < s->count; i++) {
		const struct unit *u = s->unit[i];
		struct personality *p = &s->personality[s->personality_count];
		if (u->version->kind != WORKER_PERSONALITY)
			continue;
		*p = u->personality;
		s->personality_count += set_plays(s, u, p);
	}
}
