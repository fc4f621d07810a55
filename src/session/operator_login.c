/* SPDX-License-Identifier: MIT
 * operator_login.c - operators who come in like players do, by a token, and
 * what only the one on the server's own socket may do. */
#include "session/hub_priv.h"

#include "base/hex.h"
#include "base/log.h"
#include "proto/write.h"

static size_t operators_from_elsewhere(const struct hub *h)
{
	const struct conn *c;
	size_t count = 0;
	for (size_t at = 0; (c = numbered_next(&h->conns, &at));)
		count += c->state == CONN_OPERATOR && c->by;
	return count;
}

static bool may_try(struct hub *h, struct conn *c, const struct request *r)
{
	int64_t wait_ms =
		throttle_wait_ms(&h->by_address, c->address->text, h->now_ms);
	if (wait_ms > 0) {
		refuse_until(h, c, r, PLYD_ERATE, NULL, wait_ms);
		return false;
	}
	throttle_take(&h->by_address, c->address->text, h->now_ms);
	return true;
}

void operator_login(struct hub *h, struct conn *c, const struct request *r)
{
	uint8_t token[TOKEN_BYTES];
	struct span hex = r->params.admin_login.token;
	if (!may_try(h, c, r))
		return;
	bool read = hex_read(hex, token, sizeof(token)) == TOKEN_BYTES;
	struct span bytes = span_of(token, sizeof(token));
	struct digest digest = sha256(&bytes, 1);
	const struct operator_token *t =
		read ? domain_operator_of(h->domain, &digest, h->unix_ms)
		     : NULL;
	if (!t) {
		log_event(LOG_WARNING, "an operator's token was wrong",
			  "conn=%llu address=%s", (unsigned long long)c->number,
			  c->address->text);
		refuse_at_once(h, c, r, PLYD_ETOKEN);
		return;
	}
	if (operators_from_elsewhere(h) >= OPERATORS_MAX) {
		refuse_at_once(h, c, r, PLYD_EFULL);
		return;
	}
	throttle_give(&h->by_address, c->address->text);
	c->by = strdup(t->name);
	if (!c->by) {
		refuse_at_once(h, c, r, PLYD_ENOMEM);
		return;
	}
	conn_move_to(c, CONN_OPERATOR);
	log_event(LOG_INFO, "an operator came in by a token",
		  "conn=%llu address=%s operator=%s",
		  (unsigned long long)c->number, c->address->text, c->by);
	buf_clear(&h->out);
	rpc_begin_result(&h->out, r->msgid);
	put_map(&h->out, 2);
	put_cstr(&h->out, "name");
	put_cstr(&h->out, c->by);
	put_cstr(&h->out, "version");
	put_cstr(&h->out, PLYD_VERSION);
	hub_queue(h, ENTRY_ANSWER, c->number, r->msgid);
}

/* What would make more operators, or write where it likes. */
static bool is_for_the_socket(const struct request *r)
{
	struct span file;
	switch (r->method) {
	case METHOD_ADMIN_TOKEN:
	case METHOD_ADMIN_TOKEN_REVOKE: return true;
	case METHOD_ADMIN_BACKUP:
		file = r->params.admin_backup.file;
		return file.len > 0 && file.at[0] == '/';
	default: return false;
	}
}

bool operator_may(struct hub *h, struct conn *c, const struct request *r)
{
	if (!c->by)
		return true;
	if (!domain_operator_named(h->domain, c->by, h->unix_ms)) {
		conn_close_now(h, c, PLYD_EENDED, NULL);
		return false;
	}
	if (is_for_the_socket(r)) {
		refuse_at_once(h, c, r, PLYD_EOPERATOR);
		return false;
	}
	return true;
}

void operators_end(struct hub *h, struct span name)
{
	struct conn *c;
	for (size_t at = 0; (c = numbered_next(&h->conns, &at));)
		if (c->state == CONN_OPERATOR && c->by && span_is(name, c->by))
			conn_close_now(h, c, PLYD_EENDED, NULL);
}
