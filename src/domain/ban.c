/* SPDX-License-Identifier: MIT
 * ban.c - who is kept out, and who is not heard: bans and mutes. */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

/* -- facts -- */

static struct ban *find_ban(const struct domain *d, int64_t number)
{
	struct ban *b;
	DL_FOREACH (d->bans, b)
		if (b->number == number)
			return b;
	return NULL;
}

static void ban_drop(struct domain *d, struct ban *b)
{
	DL_DELETE(d->bans, b);
	d->ban_count--;
	free(b);
}

void bans_free(struct domain *d)
{
	while (d->bans)
		ban_drop(d, d->bans);
}

int apply_banned(struct domain *d, const struct fact *f)
{
	const struct fact_banned_body *body = &f->banned;
	struct ban *b = calloc(1, sizeof(*b));
	if (!b)
		return PLYD_ENOMEM;
	b->number = body->ban;
	b->kind = (enum ban_kind)body->kind;
	b->player = body->player;
	b->at_unix_ms = body->at_unix_ms;
	b->until_unix_ms = body->until_unix_ms;
	span_copy(body->target, b->target, sizeof(b->target));
	span_copy(body->text, b->text, sizeof(b->text));
	if (b->kind == BAN_NAME && !name_key(b->target, b->key)) {
		free(b);
		return PLYD_ENOMEM;
	}
	if (body->kind < BAN_PLAYER || body->kind > BAN_ADDRESS ||
	    find_ban(d, b->number) ||
	    (b->kind == BAN_ADDRESS &&
	     !ip_range_read(body->target, &b->range))) {
		free(b);
		return PLYD_ERECORD;
	}
	DL_APPEND(d->bans, b);
	d->ban_count++;
	return PLYD_OK;
}

int apply_unbanned(struct domain *d, const struct fact *f)
{
	struct ban *b = find_ban(d, f->unbanned.ban);
	if (!b)
		return PLYD_ERECORD;
	ban_drop(d, b);
	return PLYD_OK;
}

int apply_muted(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->muted.player);
	if (!p)
		return PLYD_ERECORD;
	p->muted_until_unix_ms = f->muted.until_unix_ms;
	return PLYD_OK;
}

/* -- who is in one -- */

const struct ban *domain_bans(const struct domain *d)
{
	return d->bans;
}

size_t domain_ban_count(const struct domain *d)
{
	return d->ban_count;
}

const struct ban *domain_ban_of(const struct domain *d,
				const struct newcomer *who, int64_t unix_ms)
{
	const struct ban *b;
	char key[NAME_KEY_MAX] = "";
	if (d->bans && who->name && who->name[0] && !name_key(who->name, key))
		key[0] = '\0'; /* no memory: he will be looked at again */
	DL_FOREACH (d->bans, b) {
		if (ban_is_over(b, unix_ms))
			continue;
		if (b->kind == BAN_NAME && !strcmp(b->key, key))
			return b;
		if (b->kind == BAN_ADDRESS && who->address &&
		    ip_range_has(&b->range, who->address))
			return b;
		if (b->kind == BAN_PLAYER && who->player &&
		    id_eq(&b->player, who->player))
			return b;
	}
	return NULL;
}

bool refuse_if_banned(struct domain *d, const struct command *cmd,
		      const struct player *p)
{
	char name[NAME_BYTES_MAX + 1] = "";
	struct newcomer who = {
		.player = p ? &p->id : NULL,
		.address = cmd->hello.has_address ? &cmd->hello.address : NULL,
		.name = p ? p->name : name,
	};
	if (!p)
		span_copy(cmd->hello.name, name, sizeof(name));
	const struct ban *b = domain_ban_of(d, &who, cmd->unix_ms);
	if (!b)
		return false;
	struct effect *fx = refuse(d, cmd, PLYD_EBANNED);
	fx->text = b->text[0] ? b->text : NULL;
	fx->until_unix_ms = b->until_unix_ms;
	return true;
}

bool player_is_muted(const struct player *p, int64_t unix_ms)
{
	return p->muted_until_unix_ms > unix_ms;
}

/* -- what the operator does -- */

/* Until when; for_ms < 0: for ever, which is `ever`. */
static int64_t until(const struct command *cmd, int64_t ever)
{
	return cmd->admin.ms < 0 ? ever : cmd->unix_ms + cmd->admin.ms;
}

/* Bans that are over make room. */
static void forget_old_bans(struct domain *d, int64_t unix_ms)
{
	int64_t over[FACTS_PER_STEP_MAX / 2];
	const struct ban *b;
	size_t count = 0;
	DL_FOREACH (d->bans, b)
		if (ban_is_over(b, unix_ms) &&
		    count < sizeof(over) / sizeof(over[0]))
			over[count++] = b->number;
	for (size_t i = 0; i < count; i++)
		happen(d, &(struct fact){ .type = FACT_UNBANNED,
					  .unbanned = { over[i] } });
}

/* Its number is that of its act in the audit trail, so it is never used again.
 */
static void ban(struct domain *d, const struct command *cmd, enum ban_kind kind,
		const char *target)
{
	span_copy(span_str(target), d->target, sizeof(d->target));
	span_copy(cmd->admin.text, d->said, sizeof(d->said));
	happen(d, &(struct fact){ .type = FACT_BANNED,
				  .banned = { .ban = d->audit_last + 1,
					      .kind = kind,
					      .player = cmd->admin.player,
					      .target = span_str(d->target),
					      .at_unix_ms = cmd->unix_ms,
					      .until_unix_ms = until(cmd, 0),
					      .text = span_str(d->said) } });
}

/* What is to be kept out, as it is written; PLYD_OK, or why there is no such
 * ban. */
static int read_target(struct domain *d, const struct cmd_admin *c,
		       enum ban_kind *kind, char target[TARGET_BYTES_MAX + 1])
{
	const struct player *p = find_player(d, &c->player);
	bool player = !id_is_none(&c->player);
	struct ip_range range;
	if (player + (c->address.len > 0) + (c->name.len > 0) != 1)
		return PLYD_EMISSING; /* one of them, and just one */
	*kind = player ? BAN_PLAYER : c->name.len > 0 ? BAN_NAME : BAN_ADDRESS;
	if (*kind == BAN_NAME)
		return name_clean(c->name, target) ? PLYD_OK : PLYD_ENAME;
	if (*kind == BAN_PLAYER) {
		memcpy(target, c->player.text, sizeof(c->player.text));
		return p ? PLYD_OK : PLYD_ENOPLAYER;
	}
	if (!ip_range_read(c->address, &range))
		return PLYD_EVALUE;
	ip_range_write(&range, target);
	return PLYD_OK;
}

void on_admin_ban(struct domain *d, const struct command *cmd)
{
	char target[TARGET_BYTES_MAX + 1];
	enum ban_kind kind;
	int err = read_target(d, &cmd->admin, &kind, target);
	if (!err) {
		forget_old_bans(d, cmd->unix_ms);
		if (d->ban_count >= BANS_MAX)
			err = PLYD_EFULL;
	}
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	ban(d, cmd, kind, target);
	act_done(d, cmd, "ban", target);
}

void on_admin_unban(struct domain *d, const struct command *cmd)
{
	const struct ban *b = find_ban(d, cmd->admin.number);
	char target[TARGET_BYTES_MAX + 1];
	if (!b) {
		refuse(d, cmd, PLYD_ENOTHING);
		return;
	}
	memcpy(target, b->target, sizeof(target));
	happen(d, &(struct fact){ .type = FACT_UNBANNED,
				  .unbanned = { b->number } });
	act_done(d, cmd, "unban", target);
}

static void mute(struct domain *d, const struct command *cmd, const char *act,
		 int64_t until_unix_ms)
{
	const struct player *p = find_player(d, &cmd->admin.player);
	if (!p) {
		refuse(d, cmd, PLYD_ENOPLAYER);
		return;
	}
	happen(d, &(struct fact){ .type = FACT_MUTED,
				  .muted = { p->id, until_unix_ms } });
	act_done(d, cmd, act, p->id.text);
}

void on_admin_mute(struct domain *d, const struct command *cmd)
{
	mute(d, cmd, "mute", until(cmd, MUTED_FOR_EVER));
}

void on_admin_unmute(struct domain *d, const struct command *cmd)
{
	mute(d, cmd, "unmute", 0);
}
