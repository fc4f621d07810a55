/* SPDX-License-Identifier: MIT
 * account.c - getting in and being somebody: requests about accounts become
 * commands, passwords are sent to be hashed, and too many tries are refused. */
#include "session/hub_priv.h"

#include <stdio.h>

#include <utlist.h>

#include "base/log.h"
#include "proto/write.h"
#include "session/view.h"

enum { BUSY_MS = 1000 };

/* -- tokens -- */

struct digest token_draw(struct hub *h)
{
	entropy_fill(&h->entropy, h->token, TOKEN_BYTES);
	struct span fresh = span_of(h->token, TOKEN_BYTES);
	return sha256(&fresh, 1);
}

/* -- how often a password may be tried -- */

/* Under which login a request tries one; "" : it does not. */
static void tried_login(const struct hub *h, const struct conn *c,
			const struct request *r,
			char login[LOGIN_BYTES_MAX + 1])
{
	const struct player *p = domain_player(h->domain, &c->player);
	login[0] = '\0';
	if (r->method == METHOD_HELLO && r->params.hello.has_login)
		span_copy(r->params.hello.login, login, LOGIN_BYTES_MAX + 1);
	else if ((r->method == METHOD_ACCOUNT_PASSWORD ||
		  r->method == METHOD_ACCOUNT_DELETE) &&
		 p && p->account)
		memcpy(login, p->account->login, sizeof(p->account->login));
}

static void put_retry(struct buf *b, void *retry_ms)
{
	put_map(b, 1);
	put_cstr(b, "retry_after_ms");
	put_int(b, *(int64_t *)retry_ms);
}

void refuse_until(struct hub *h, const struct conn *c, const struct request *r,
		  int err, const char *message, int64_t retry_ms)
{
	hub_error(h, c->number, r->msgid, err, message, put_retry, &retry_ms);
	hub_send_now(h, c->number);
}

/* One login from one address. */
struct pair {
	char text[LOGIN_BYTES_MAX + 1 + ADDRESS_CHARS_MAX + 1];
};

static struct pair pair_of(const struct conn *c, const char *login)
{
	struct pair pair;
	snprintf(pair.text, sizeof(pair.text), "%s %s", login,
		 c->address->text);
	return pair;
}

/* Guessers may make each other wait, and who comes from another address only if
 * there are many of them; but nobody from where he has logged in before. */
static bool is_known(const struct hub *h, const struct pair *pair)
{
	return throttle_wait_ms(&h->known, pair->text, h->now_ms) > 0;
}

static void becomes_known(struct hub *h, const struct pair *pair)
{
	if (!is_known(h, pair))
		throttle_take(&h->known, pair->text, h->now_ms);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* In how many ms this may be tried; 0: now. */
static int64_t try_wait_ms(const struct hub *h, const struct conn *c,
			   const char *login)
{
	struct pair pair = pair_of(c, login);
	int64_t wait_ms =
		throttle_wait_ms(&h->by_address, c->address->text, h->now_ms);
	if (!login[0])
		return wait_ms;
	wait_ms = later(wait_ms,
			throttle_wait_ms(&h->by_both, pair.text, h->now_ms));
	if (is_known(h, &pair))
		return wait_ms;
	return later(wait_ms, throttle_wait_ms(&h->by_login, login, h->now_ms));
}

static void try_take(struct hub *h, const struct conn *c, const char *login)
{
	struct pair pair = pair_of(c, login);
	throttle_take(&h->by_address, c->address->text, h->now_ms);
	if (!login[0])
		return;
	throttle_take(&h->by_both, pair.text, h->now_ms);
	if (!is_known(h, &pair))
		throttle_take(&h->by_login, login, h->now_ms);
}

/* Whether one more try is allowed; takes it. Refuses the request if not. */
static bool try_allowed(struct hub *h, struct conn *c, const struct request *r)
{
	char login[LOGIN_BYTES_MAX + 1];
	tried_login(h, c, r, login);
	if (!login[0] && r->method != METHOD_ACCOUNT_REGISTER)
		return true;
	if (h->hashing >=
	    (size_t)domain_limits(h->domain)->hashes_waiting_max) {
		refuse_until(h, c, r, PLYD_EBUSY, NULL, BUSY_MS);
		return false;
	}
	int64_t wait_ms = try_wait_ms(h, c, login);
	if (wait_ms > 0) {
		refuse_until(h, c, r, PLYD_ERATE,
			     "Too many passwords were tried; wait.", wait_ms);
		return false;
	}
	try_take(h, c, login);
	return true;
}

void password_was_good(struct hub *h, const struct conn *c,
		       const struct player *p)
{
	throttle_give(&h->by_address, c->address->text);
	if (!p->account)
		return;
	struct pair pair = pair_of(c, p->account->login);
	throttle_give(&h->by_both, pair.text);
	if (!is_known(h, &pair))
		throttle_give(&h->by_login, p->account->login);
	becomes_known(h, &pair);
}

/* Whether one more guest may come from there; takes it. */
static bool guest_allowed(struct hub *h, struct conn *c,
			  const struct request *r)
{
	const struct params_hello *p = &r->params.hello;
	if (r->method != METHOD_HELLO || p->has_token || p->has_login ||
	    p->has_bot_token)
		return true;
	int64_t wait_ms =
		throttle_wait_ms(&h->guests, c->address->text, h->now_ms);
	if (wait_ms > 0) {
		refuse_until(h, c, r, PLYD_ERATE,
			     "Too many guests came from your address; wait.",
			     wait_ms);
		return false;
	}
	throttle_take(&h->guests, c->address->text, h->now_ms);
	return true;
}

/* -- what a request must be, beside its form -- */

static bool is_password(struct span s)
{
	return s.len >= PASSWORD_BYTES_MIN && s.len <= PASSWORD_BYTES_MAX;
}

static int hello_check(const struct params_hello *p)
{
	if (p->has_token + p->has_login + p->has_bot_token > 1)
		return PLYD_EVALUE;
	if (p->has_login != p->has_password)
		return PLYD_EMISSING;
	if (p->has_login && !login_is_good(p->login))
		return PLYD_EVALUE;
	if (p->has_password && !is_password(p->password))
		return PLYD_ERANGE;
	return PLYD_OK;
}

static int account_check(const struct request *r)
{
	char name[NAME_BYTES_MAX + 1];
	const struct params_account_register *reg = &r->params.account_register;
	const struct params_account_password *set = &r->params.account_password;
	switch (r->method) {
	case METHOD_HELLO: return hello_check(&r->params.hello);
	case METHOD_ACCOUNT_REGISTER:
		return !login_is_good(reg->login)    ? PLYD_EVALUE
		       : !is_password(reg->password) ? PLYD_ERANGE
						     : PLYD_OK;
	case METHOD_ACCOUNT_PASSWORD:
		return is_password(set->old) && is_password(set->new)
			       ? PLYD_OK
			       : PLYD_ERANGE;
	case METHOD_ACCOUNT_DELETE:
		return is_password(r->params.account_delete.password)
			       ? PLYD_OK
			       : PLYD_ERANGE;
	case METHOD_ACCOUNT_RENAME:
		return name_clean(r->params.account_rename.name, name)
			       ? PLYD_OK
			       : PLYD_ENAME;
	default: return PLYD_OK;
	}
}

bool account_allowed(struct hub *h, struct conn *c, const struct request *r)
{
	int err = account_check(r);
	if (!err)
		return guest_allowed(h, c, r) && try_allowed(h, c, r);
	refuse_at_once(h, c, r, err);
	return false;
}

/* -- requests -- */

void to_login(const struct request *r, struct cmd_hello *hello)
{
	const struct params_hello *p = &r->params.hello;
	hello->login = p->login;
	hello->password = p->password;
	hello->by_bot_token = p->has_bot_token;
	if (p->has_bot_token) {
		struct span shown = span_of(p->bot_token.at, p->bot_token.len);
		hello->bot_token = sha256(&shown, 1);
	}
}

void to_account(struct hub *h, struct conn *c, const struct request *r,
		struct command *cmd)
{
	static char name[NAME_BYTES_MAX + 1];
	const struct params_account_register *reg = &r->params.account_register;
	const struct params_account_password *set = &r->params.account_password;
	const struct params_account_logout *out = &r->params.account_logout;
	(void)h, (void)c;
	switch (r->method) {
	case METHOD_ACCOUNT_REGISTER:
		cmd->type = CMD_ACCOUNT_REGISTER;
		cmd->account =
			(struct cmd_register){ reg->login, reg->password };
		break;
	case METHOD_ACCOUNT_PASSWORD:
		cmd->type = CMD_ACCOUNT_PASSWORD;
		cmd->password = (struct cmd_password){ set->old, set->new };
		break;
	case METHOD_ACCOUNT_RENAME:
		cmd->type = CMD_ACCOUNT_RENAME;
		name_clean(r->params.account_rename.name, name);
		cmd->name = span_str(name);
		break;
	case METHOD_ACCOUNT_LOGOUT:
		cmd->type = CMD_ACCOUNT_LOGOUT;
		cmd->logout =
			(struct cmd_logout){ out->everywhere, out->has_session,
					     (uint32_t)out->session };
		break;
	case METHOD_ACCOUNT_DELETE:
		cmd->type = CMD_ACCOUNT_DELETE;
		cmd->confirm = r->params.account_delete.password;
		break;
	case METHOD_ACCOUNT_SESSIONS: cmd->type = CMD_ACCOUNT_SESSIONS; break;
	case METHOD_ACCOUNT_EXPORT: cmd->type = CMD_ACCOUNT_EXPORT; break;
	default: cmd->type = CMD_ACCOUNT_GET; break;
	}
}

/* -- hashing -- */

void on_hash(struct hub *h, const struct effect *fx)
{
	struct conn *c = find_conn(h, fx->conn);
	if (c && fx->command == CMD_HELLO)
		c->hello_waits = true;
	h->hashing++;
	h->ops.hash(h->ops.payload, &fx->hashing);
}

static const struct hash_job *find_job(const struct hub *h, uint64_t number)
{
	for (size_t i = 0; number != 0 && i < HASH_JOBS_MAX; i++)
		if (domain_hash_job(h->domain, i)->number == number)
			return domain_hash_job(h->domain, i);
	return NULL;
}

void hub_hashed(struct hub *h, uint64_t number, bool fits, struct span hash,
		uint64_t now_ms, int64_t unix_ms)
{
	hub_now(h, now_ms, unix_ms);
	h->hashing--;
	const struct hash_job *job = find_job(h, number);
	if (!h->writable || !job)
		return; /* it was answered `not_stored` */
	const struct conn *c = find_conn(h, job->conn);
	struct command cmd = { .type = CMD_HASHED,
			       .hashed = { .job = number,
					   .fits = fits,
					   .gone = !c ||
						   c->state >= CONN_CLOSING,
					   .hash = hash,
					   .fresh = token_draw(h) } };
	hub_step(h, &cmd);
}

void hashing_not_stored(struct hub *h)
{
	for (size_t i = 0; i < HASH_JOBS_MAX; i++) {
		const struct hash_job *job = domain_hash_job(h->domain, i);
		struct conn *c = job->number ? find_conn(h, job->conn) : NULL;
		if (!c || c->state >= CONN_CLOSING)
			continue;
		c->hello_waits = false;
		hub_error(h, c->number, job->msgid, PLYD_ENOTSTORED, NULL, NULL,
			  NULL);
		hub_send_now(h, c->number);
	}
}

/* -- answers -- */

void answered_account(struct hub *h, struct conn *c, const struct effect *fx)
{
	if (fx->command == CMD_ACCOUNT_PASSWORD)
		password_was_good(h, c, fx->player);
	if (fx->command == CMD_ACCOUNT_REGISTER && fx->player->account) {
		struct pair pair = pair_of(c, fx->player->account->login);
		becomes_known(h, &pair);
	}
	if (!fx->answer.left)
		return;
	/* the connection is nobody's now, and may say hello again */
	c->player = (struct id){ "" };
	c->session = 0;
	c->opened_ms = h->now_ms;
	h->counts.sessions--;
	conn_move_to(c, CONN_NEW);
}

static void put_account(struct hub *h, const struct player *p)
{
	struct buf *b = &h->out;
	const struct account *a = p->account;
	uint64_t now_ms = domain_now_ms(h->domain);
	bool old = a && a->old_name[0] && a->old_name_until_ms > now_ms;
	bool reset = a && a->reset_given;
	put_map(b, 2u + 2 * (a != NULL) + 2 * old + reset);
	put_cstr(b, "player");
	view_player(b, p);
	put_cstr(b, "sessions");
	put_uint(b, p->session_count);
	if (a) {
		put_cstr(b, "login");
		put_cstr(b, a->login);
		put_cstr(b, "opened_at_ms");
		put_int(b, a->opened_at);
	}
	if (old) {
		put_cstr(b, "old_name");
		put_cstr(b, a->old_name);
		put_cstr(b, "old_name_free_ms");
		put_uint(b, a->old_name_until_ms - now_ms);
	}
	if (reset) {
		put_cstr(b, "password_due");
		put_bool(b, true);
	}
}

static void put_session(struct buf *b, const struct session *s, bool own)
{
	put_map(b, 3u + (s->began_at > 0));
	put_cstr(b, "session");
	put_uint(b, s->number);
	put_cstr(b, "this");
	put_bool(b, own);
	put_cstr(b, "online");
	put_bool(b, s->conn != 0);
	if (s->began_at > 0) {
		put_cstr(b, "began_at_ms");
		put_int(b, s->began_at);
	}
}

static void put_sessions(struct buf *b, const struct effect *fx)
{
	const struct session *s;
	put_cstr(b, "sessions");
	put_array(b, (uint32_t)fx->player->session_count);
	DL_FOREACH (fx->player->sessions, s)
		put_session(b, s, s == fx->session);
}

/* Each of his ratings with its last matches. */
static void put_histories(struct hub *h, const struct player *p)
{
	const struct rating *first = player_ratings(h->domain, &p->id);
	uint32_t count = 0;
	for (const struct rating *r = first; r; r = r->next)
		count++;
	put_cstr(&h->out, "ratings");
	put_array(&h->out, count);
	for (const struct rating *r = first; r; r = r->next)
		view_rating_kept(&h->out, h->domain, r, h->unix_ms);
}

void put_account_answer(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	switch (fx->command) {
	case CMD_ACCOUNT_GET:
	case CMD_ACCOUNT_RENAME: put_account(h, fx->player); break;
	case CMD_ACCOUNT_REGISTER:
	case CMD_ACCOUNT_PASSWORD:
		put_map(b, 2);
		put_cstr(b, "token");
		put_hex(b, span_of(h->token, TOKEN_BYTES));
		put_cstr(b, "account");
		put_account(h, fx->player);
		break;
	case CMD_ACCOUNT_SESSIONS:
		put_map(b, 1);
		put_sessions(b, fx);
		break;
	case CMD_ACCOUNT_EXPORT:
		put_map(b, 5);
		put_cstr(b, "account");
		put_account(h, fx->player);
		put_sessions(b, fx);
		put_ids(b, fx->player);
		put_histories(h, fx->player);
		break;
	default: put_map(b, 0); break; /* logout, delete */
	}
}

/* -- what the operator does with accounts -- */

enum { ONE_TIME_GROUP = 4 };

/* 80 bits and more of chance, easy to read out. */
static void draw_password(struct hub *h)
{
	static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
	uint8_t bytes[ONE_TIME_CHARS];
	entropy_fill(&h->entropy, bytes, sizeof(bytes));
	for (size_t i = 0; i < ONE_TIME_CHARS; i++)
		h->one_time[i] = i % (ONE_TIME_GROUP + 1) == ONE_TIME_GROUP
					 ? '-'
					 : letters[bytes[i] % 32];
	h->one_time[ONE_TIME_CHARS] = '\0';
}

bool to_admin_account(struct hub *h, const struct request *r,
		      struct command *cmd)
{
	static char name[NAME_BYTES_MAX + 1];
	const struct params_admin_bot_token *bot = &r->params.admin_bot_token;
	struct span password;
	switch (r->method) {
	case METHOD_ADMIN_BOT_TOKEN:
		cmd->type = CMD_ADMIN_BOT_TOKEN;
		cmd->admin.login = bot->login;
		cmd->admin.secret = token_draw(h);
		if (bot->has_name && name_clean(bot->name, name))
			cmd->admin.name = span_str(name);
		return true;
	case METHOD_ADMIN_BOT_REVOKE:
		cmd->type = CMD_ADMIN_BOT_REVOKE;
		cmd->admin.login = r->params.admin_bot_revoke.login;
		return true;
	case METHOD_ADMIN_RESET:
		cmd->type = CMD_ADMIN_RESET;
		cmd->admin.login = r->params.admin_reset.login;
		draw_password(h);
		password = span_str(h->one_time);
		cmd->admin.secret = sha256(&password, 1);
		return true;
	case METHOD_ADMIN_TOKEN:
		cmd->type = CMD_ADMIN_TOKEN;
		cmd->admin.login = r->params.admin_token.name;
		cmd->admin.ms = r->params.admin_token.has_for_ms
					? r->params.admin_token.for_ms
					: -1;
		cmd->admin.secret = token_draw(h);
		return true;
	case METHOD_ADMIN_TOKEN_REVOKE:
		cmd->type = CMD_ADMIN_TOKEN_REVOKE;
		cmd->admin.login = r->params.admin_token_revoke.name;
		return true;
	default: return false;
	}
}

void put_admin_account(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	bool bot = fx->command != CMD_ADMIN_RESET;
	put_map(b, bot ? 2 : 3);
	put_cstr(b, "audit");
	put_uint(b, fx->answer.seq);
	if (bot) {
		put_cstr(b, "token");
		put_hex(b, span_of(h->token, TOKEN_BYTES));
		return;
	}
	put_cstr(b, "password");
	put_cstr(b, h->one_time);
	put_cstr(b, "good_ms");
	put_int(b, domain_limits(h->domain)->reset_keep_ms);
}
