/* SPDX-License-Identifier: MIT */
#include "server/conduct.h"

#include <string.h>

#include "base/log.h"

void conducts_init(struct conducts *c, const struct scripts *scripts)
{
	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < scripts->count; i++) {
		if (scripts->script[i].kind == WORKER_LIBRARY)
			continue;
		struct conduct *of = &c->of[c->count++];
		of->kind = scripts->script[i].kind;
		memcpy(of->name, scripts->script[i].name, sizeof(of->name));
	}
}

struct conduct *conduct_find(struct conducts *c, int kind, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->of[i].kind == kind && !strcmp(c->of[i].name, name))
			return &c->of[i];
	return &c->unknown;
}

bool conduct_is_quarantined(const struct conduct *c)
{
	return c->faults >= CONDUCT_FAULTS_MAX;
}

bool conduct_is_suspect(const struct conduct *c)
{
	return c->faults > 0;
}

void conduct_good(struct conduct *c)
{
	/* what was asked before it was put away changes nothing */
	if (!conduct_is_quarantined(c))
		c->faults = 0;
}

void conduct_fault(struct conduct *c)
{
	if (conduct_is_quarantined(c) || c->name[0] == '\0')
		return;
	if (++c->faults < CONDUCT_FAULTS_MAX)
		return;
	log_event(LOG_WARNING,
		  "a script is in quarantine: it is not asked until it is read "
		  "again",
		  "kind=%s script=%s faults=%u", conduct_kind_name(c), c->name,
		  c->faults);
}

const char *conduct_kind_name(const struct conduct *c)
{
	return c->kind == WORKER_POLICY ? "policy" : "personality";
}
