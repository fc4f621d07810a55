/* SPDX-License-Identifier: MIT
 * errand.c - what an operator asks for that the owner of the hub must do: it is
 * noted in the audit trail when it begins, and answered when it is done. */
#include "session/hub_priv.h"

#include <stdio.h>

#include "proto/write.h"

/* A file's name without a path, for logs and trails too; or a path. */
static bool is_file_name(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.at[i] <= ' ' || name.at[i] > '~')
			return false;
	return name.len == 0 || name.at[0] == '/' ||
	       (name.at[0] != '.' && !memchr(name.at, '/', name.len));
}

static void to_quarantine(const struct params_admin_quarantine *p,
			  struct hub_errand *e, struct cmd_admin *note,
			  char target[TARGET_BYTES_MAX + 1])
{
	e->type = ERRAND_QUARANTINE;
	e->name = p->name;
	e->policy = p->kind == SCRIPT_POLICY;
	e->on = !p->has_on || p->on;
	note->act = e->on ? "quarantine" : "release";
	note->text = p->text;
	snprintf(target, TARGET_BYTES_MAX + 1, "%s %.*s",
		 e->policy ? "policy" : "personality", (int)p->name.len,
		 (const char *)p->name.at);
}

/* What to note of it; false: this is no errand. */
static bool to_errand(const struct request *r, struct hub_errand *e,
		      struct cmd_admin *note, char target[TARGET_BYTES_MAX + 1])
{
	switch (r->method) {
	case METHOD_ADMIN_UPGRADE:
		e->type = ERRAND_UPGRADE;
		note->act = "upgrade";
		note->text = r->params.admin_upgrade.text;
		return true;
	case METHOD_ADMIN_BACKUP:
		e->type = ERRAND_BACKUP;
		e->name = r->params.admin_backup.file;
		note->act = "backup";
		span_copy(e->name, target, TARGET_BYTES_MAX + 1);
		return true;
	case METHOD_ADMIN_QUARANTINE:
		to_quarantine(&r->params.admin_quarantine, e, note, target);
		return true;
	default: return false;
	}
}

bool errand_run(struct hub *h, struct conn *c, const struct request *r)
{
	char target[TARGET_BYTES_MAX + 1] = "";
	struct hub_errand e = { .conn = c->number, .msgid = r->msgid };
	struct command cmd = { .type = CMD_ADMIN_NOTE, .conn = c->number };
	cmd.admin.target = target;
	cmd.admin.by = span_str(conn_by(c));
	if (!to_errand(r, &e, &cmd.admin, target))
		return false;
	bool good = e.type != ERRAND_BACKUP || is_file_name(e.name);
	if (!h->ops.errand || !good) {
		refuse_at_once(h, c, r,
			       h->ops.errand ? PLYD_EVALUE : PLYD_ENOTALLOWED);
		return true;
	}
	hub_step(h, &cmd);
	operator_log_act(h);
	e.audit = domain_audit(h->domain)->number;
	h->ops.errand(h->ops.payload, &e);
	return true;
}

static void put_done(struct buf *b, const struct hub_errand *e,
		     const struct hub_done *done)
{
	put_map(b, e->type == ERRAND_BACKUP ? 4 : 1);
	put_cstr(b, "audit");
	put_int(b, e->audit);
	if (e->type != ERRAND_BACKUP)
		return;
	put_cstr(b, "file");
	put_cstr(b, done->file);
	put_cstr(b, "bytes");
	put_uint(b, done->bytes);
	put_cstr(b, "took_ms");
	put_uint(b, done->took_ms);
}

void hub_errand_done(struct hub *h, const struct hub_errand *e,
		     const struct hub_done *done)
{
	if (!find_conn(h, e->conn))
		return;
	buf_clear(&h->out);
	if (done->err) {
		hub_error(h, e->conn, e->msgid, done->err, done->why, NULL,
			  NULL);
	} else {
		rpc_begin_result(&h->out, e->msgid);
		put_done(&h->out, e, done);
	}
	hub_queue(h, ENTRY_ANSWER, e->conn, e->msgid);
}
