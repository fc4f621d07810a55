/* SPDX-License-Identifier: MIT */
#include "server/conduct.h"

#include "base/log.h"

bool conduct_is_quarantined(const struct version *v)
{
	return v->faults >= CONDUCT_FAULTS_MAX;
}

bool conduct_is_suspect(const struct version *v)
{
	return v->faults > 0;
}

void conduct_set_quarantine(struct version *v, bool on)
{
	v->faults = on ? CONDUCT_FAULTS_MAX : 0;
}

void conduct_good(struct version *v)
{
	/* what was asked before it was put away changes nothing */
	if (!conduct_is_quarantined(v))
		v->faults = 0;
}

void conduct_fault(struct version *v)
{
	v->faults_total++;
	if (conduct_is_quarantined(v) || ++v->faults < CONDUCT_FAULTS_MAX)
		return;
	log_event(LOG_WARNING,
		  "a script is in quarantine: it is not asked until it is read "
		  "again",
		  "kind=%s script=%s faults=%u version=%s",
		  conduct_kind_name(v), v->name, v->faults, v->hash);
}

const char *conduct_kind_name(const struct version *v)
{
	switch (v->kind) {
	case WORKER_POLICY: return "policy";
	case WORKER_PERSONALITY: return "personality";
	case WORKER_RULESET: return "ruleset";
	case WORKER_LIBRARY: return "library";
	case WORKER_TOURNAMENT: return "tournament";
	default: return "configuration";
	}
}
