/* SPDX-License-Identifier: MIT
 * errand.c - what an operator asks for that the owner of the hub must do: it is
 * noted in the audit trail when it begins, and answered when it is done. */
#include "session/hub_priv.h"

#include "proto/write.h"

/* What to note of it; false: this is no errand. */
static bool to_errand(const struct request *r, struct hub_errand *e,
		      struct cmd_admin *note)
{
	switch (r->method) {
	case METHOD_ADMIN_UPGRADE:
		e->type = ERRAND_UPGRADE;
		note->act = "upgrade";
		note->target = "";
		note->text = r->params.admin_upgrade.text;
		return true;
	default: return false;
	}
}

bool errand_run(struct hub *h, struct conn *c, const struct request *r)
{
	struct hub_errand e = { .conn = c->number, .msgid = r->msgid };
	struct command cmd = { .type = CMD_ADMIN_NOTE, .conn = c->number };
	if (!to_errand(r, &e, &cmd.admin))
		return false;
	if (!h->ops.errand) {
		refuse_at_once(h, c, r, PLYD_ENOTALLOWED);
		return true;
	}
	hub_step(h, &cmd);
	operator_log_act(h);
	e.audit = domain_audit(h->domain)->number;
	h->ops.errand(h->ops.payload, &e);
	return true;
}

void hub_errand_done(struct hub *h, const struct hub_errand *e, int err,
		     const char *why)
{
	if (!find_conn(h, e->conn))
		return;
	buf_clear(&h->out);
	if (err) {
		rpc_error(&h->out, e->msgid, err, why, NULL, NULL);
	} else {
		rpc_begin_result(&h->out, e->msgid);
		put_map(&h->out, 1);
		put_cstr(&h->out, "audit");
		put_int(&h->out, e->audit);
	}
	hub_queue(h, ENTRY_ANSWER, e->conn, e->msgid);
}
