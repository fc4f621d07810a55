/* SPDX-License-Identifier: MIT
 * reload.c - scripts that are read again: asked for, put on offer, answered. */
#include "session/hub_priv.h"

#include <stdio.h>

#include "base/memory.h"
#include "proto/write.h"

static void refuse_reload(struct hub *h, uint64_t conn, uint32_t msgid, int err)
{
	if (!find_conn(h, conn))
		return;
	hub_error(h, conn, msgid, err, NULL, NULL, NULL);
	hub_queue(h, ENTRY_ANSWER, conn, msgid);
}

void reload_ask(struct hub *h, const struct conn *c, const struct request *r)
{
	int err = h->ops.reload
			  ? h->ops.reload(h->ops.payload, c->number, r->msgid)
			  : PLYD_ENOTHING;
	if (err)
		refuse_reload(h, c->number, r->msgid, err);
}

static void put_texts(struct buf *b, const char *key, const struct hub_texts *t)
{
	put_cstr(b, key);
	put_array(b, (uint32_t)t->count);
	for (size_t i = 0; i < t->count; i++)
		put_cstr(b, t->at[i]);
}

void put_reloaded(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	put_map(b, 4);
	put_cstr(b, "audit");
	put_uint(b, fx->answer.seq);
	put_texts(b, "changed", &h->reloaded->changed);
	put_texts(b, "gone", &h->reloaded->gone);
	put_texts(b, "problems", &h->reloaded->problems);
}

void hub_reloaded(struct hub *h, uint64_t conn, uint32_t msgid,
		  const struct hub_reload *what, uint64_t now_ms,
		  int64_t unix_ms)
{
	char text[128];
	hub_now(h, now_ms, unix_ms);
	if (domain_set_rules(h->domain, what->rules, what->rules_count) ||
	    domain_set_personalities(h->domain, what->personality,
				     what->personality_count))
		memory_ran_out("putting rules on offer");
	if (!h->writable) {
		refuse_reload(h, conn, msgid, PLYD_ENOTSTORED);
		return;
	}
	int len =
		snprintf(text, sizeof(text), "%zu changed, %zu gone, %zu wrong",
			 what->changed.count, what->gone.count,
			 what->problem_count);
	struct command cmd = {
		.type = CMD_ADMIN_RELOAD,
		.conn = conn,
		.msgid = msgid,
		.admin = { .text = span_of(text, (size_t)len) },
	};
	h->reloaded = what;
	hub_step(h, &cmd);
	h->reloaded = NULL;
}
