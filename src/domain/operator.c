/* SPDX-License-Identifier: MIT
 * operator.c - what the operator asks for. Each of his acts is a fact in the
 * audit trail, and its number is the answer. */
#include "domain/domain_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <utlist.h>

/* -- the audit trail -- */

static void audit_drop(struct domain *d, struct audit_act *a)
{
	DL_DELETE(d->audit, a);
	d->audit_count--;
	free(a);
}

void audit_free(struct domain *d)
{
	while (d->audit)
		audit_drop(d, d->audit);
}

int apply_audited(struct domain *d, const struct fact *f)
{
	const struct fact_audited_body *b = &f->audited;
	struct audit_act *a = calloc(1, sizeof(*a));
	if (!a)
		return PLYD_ENOMEM;
	a->number = b->number;
	a->at_unix_ms = b->at_unix_ms;
	span_copy(b->act, a->act, sizeof(a->act));
	span_copy(b->target, a->target, sizeof(a->target));
	span_copy(b->text, a->text, sizeof(a->text));
	span_copy(b->by, a->by, sizeof(a->by));
	if (a->number > d->audit_last)
		d->audit_last = a->number;
	DL_PREPEND(d->audit, a);
	if (++d->audit_count > AUDIT_KEPT)
		audit_drop(d, d->audit->prev);
	return PLYD_OK;
}

const struct audit_act *domain_audit(const struct domain *d)
{
	return d->audit;
}

size_t domain_audit_count(const struct domain *d)
{
	return d->audit_count;
}

static void act_note(struct domain *d, const struct command *cmd,
		     const char *act, const char *target)
{
	snprintf(d->target, sizeof(d->target), "%s", target);
	span_copy(cmd->admin.text, d->said, sizeof(d->said));
	happen(d, &(struct fact){
			  .type = FACT_AUDITED,
			  .audited = { d->audit_last + 1, cmd->unix_ms,
				       span_str(act), span_str(d->target),
				       span_str(d->said), cmd->admin.by } });
}

void act_done(struct domain *d, const struct command *cmd, const char *act,
	      const char *target)
{
	act_note(d, cmd, act, target);
	answer(d, cmd)->answer.seq = (uint64_t)d->audit_last;
}

void on_admin_note(struct domain *d, const struct command *cmd)
{
	act_note(d, cmd, cmd->admin.act, cmd->admin.target);
}

/* -- everybody -- */

static void notice(struct domain *d, enum notice_kind kind, int64_t in_ms)
{
	struct effect *fx = effect_add(d, EFFECT_NOTICE);
	fx->notice = kind;
	fx->in_ms = in_ms;
	fx->text = d->said;
}

void on_admin_say(struct domain *d, const struct command *cmd)
{
	act_done(d, cmd, "say", "");
	notice(d, NOTICE_MESSAGE, 0);
}

void domain_set_draining(struct domain *d, bool on)
{
	d->draining = on;
}

bool domain_is_draining(const struct domain *d)
{
	return d->draining;
}

static void drain(struct domain *d, bool on)
{
	d->draining = on;
	effect_add(d, EFFECT_DRAIN)->on = on;
}

void on_admin_drain(struct domain *d, const struct command *cmd)
{
	act_done(d, cmd, "drain", cmd->admin.on ? "on" : "off");
	drain(d, cmd->admin.on);
}

/* Who is told that the server stops begins no match. */
void on_admin_shutdown(struct domain *d, const struct command *cmd)
{
	char when[32] = "cancelled";
	bool stops = cmd->admin.on;
	if (stops)
		snprintf(when, sizeof(when), "in %lld ms",
			 (long long)cmd->admin.ms);
	act_done(d, cmd, "shutdown", when);
	drain(d, stops);
	notice(d, stops ? NOTICE_SHUTDOWN : NOTICE_CANCELLED, cmd->admin.ms);
}

/* What is on offer was set before; this is for the trail. */
void on_admin_reload(struct domain *d, const struct command *cmd)
{
	act_done(d, cmd, "reload", "");
}

/* -- one player, one match -- */

void player_kick(struct domain *d, struct player *p, int err)
{
	const struct session *s;
	DL_FOREACH (p->sessions, s) {
		struct command gone = { .conn = s->conn, .player = p->id };
		if (s->conn == 0)
			continue;
		struct effect *fx = effect_add(d, EFFECT_DETACH);
		fx->conn = s->conn;
		fx->err = err;
		on_gone(d, &gone);
	}
}

void on_admin_kick(struct domain *d, const struct command *cmd)
{
	struct player *p = find_player(d, &cmd->admin.player);
	if (!p) {
		refuse(d, cmd, PLYD_ENOPLAYER);
		return;
	}
	act_done(d, cmd, "kick", p->id.text);
	player_kick(d, p, PLYD_EKICKED);
}

static void end_by_operator(struct domain *d, struct match *m,
			    const struct command *cmd)
{
	enum match_result result = cmd->admin.result;
	enum side loser = result == RESULT_WHITE ? BLACK : WHITE;
	bool won = result == RESULT_WHITE || result == RESULT_BLACK;
	int points =
		won ? game_points_lost(&m->rules->rules, &m->pos, loser) : 0;
	span_copy(cmd->admin.text, d->words, sizeof(d->words));
	match_end(d, m, result, END_OPERATOR, points);
}

void on_admin_end_match(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	int err = !m                       ? PLYD_ENOMATCH
		  : m->state == MATCH_OVER ? PLYD_EGAMEOVER
					   : PLYD_OK;
	if (err) {
		refuse(d, cmd, err)->match = m;
		return;
	}
	act_done(d, cmd, "end_match", m->id.text);
	frozen_say(d, m);
	end_by_operator(d, m, cmd);
}
