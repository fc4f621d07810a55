/* SPDX-License-Identifier: MIT
 * referee_account.c - who somebody is: sessions and their tokens, logins and
 * passwords, names that are kept, accounts that are no more. In this world the
 * hash of a password is "h:" and the password, so the referee sees both. */
#include "referee_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/hex.h"

/* -- sessions -- */

struct book_session *book_session(const struct book_player *p, int64_t number)
{
	for (size_t i = 0; i < p->sessions; i++)
		if (p->session[i].number == number && !p->session[i].ended)
			return (struct book_session *)&p->session[i];
	return NULL;
}

static size_t sessions_open(const struct book_player *p)
{
	size_t open = 0;
	for (size_t i = 0; i < p->sessions; i++)
		open += !p->session[i].ended;
	return open;
}

static void given(struct book_player *p, const struct digest *token)
{
	p->offers = sim_grow(p->offers, &p->offer_cap, p->offer_count,
			     sizeof(*p->offers));
	p->offers[p->offer_count++] = *token;
}

void book_session_add(struct book_player *p, int64_t number,
		      const struct digest *token)
{
	p->session = sim_grow(p->session, &p->session_cap, p->sessions,
			      sizeof(*p->session));
	p->session[p->sessions++] =
		(struct book_session){ .number = number, .token = *token };
	given(p, token);
}

struct book_player *book_token(const struct referee *r, struct span hex)
{
	uint8_t bytes[TOKEN_BYTES];
	if (hex_read(hex, bytes, sizeof(bytes)) != TOKEN_BYTES)
		return NULL;
	struct span part = span_of(bytes, sizeof(bytes));
	struct digest d = sha256(&part, 1);
	for (size_t i = 0; i < r->players; i++) {
		struct book_player *p = &r->player[i];
		for (size_t n = 0; n < p->sessions && !p->gone; n++) {
			const struct book_session *s = &p->session[n];
			if (!s->ended &&
			    (digest_eq(&d, &s->token) ||
			     (s->has_offered && digest_eq(&d, &s->offered))))
				return p;
		}
	}
	return NULL;
}

static struct book_session *told(struct sim *sim, const struct id *player,
				 int64_t number, struct book_player **p)
{
	*p = book_player(sim->referee, player);
	struct book_session *s =
		*p && !(*p)->gone ? book_session(*p, number) : NULL;
	if (!s)
		sim_fail(sim, "a fact of a session that there is not");
	return s;
}

static void token_offered(struct sim *sim, const struct fact *f)
{
	struct book_player *p;
	struct book_session *s = told(sim, &f->token_offered.player,
				      f->token_offered.session, &p);
	if (!s)
		return;
	s->has_offered = true;
	s->offered = f->token_offered.token;
	given(p, &s->offered);
}

static void token_used(struct sim *sim, const struct fact *f)
{
	struct book_player *p;
	struct book_session *s =
		told(sim, &f->token_used.player, f->token_used.session, &p);
	if (!s)
		return;
	bool shown = false;
	for (size_t i = 0; i < sim->referee->shown_count; i++)
		shown = shown ||
			digest_eq(&sim->referee->shown[i], &s->offered);
	if (!shown || !s->has_offered)
		sim_fail(sim, "%s is said to have used a token that he has not",
			 p->name);
	s->token = s->offered;
	s->has_offered = false;
}

static void token_replaced(struct sim *sim, const struct fact *f)
{
	struct book_player *p;
	struct book_session *s = told(sim, &f->token_replaced.player,
				      f->token_replaced.session, &p);
	if (!s)
		return;
	if (p->password_new && sessions_open(p) != 1)
		sim_fail(sim, "%s has a new password, and other sessions still",
			 p->name);
	p->password_new = false;
	s->token = f->token_replaced.token;
	s->has_offered = false;
	given(p, &s->token);
}

/* -- what was said -- */

static void password_said(struct referee *r, const struct asked *a,
			  const struct id *player)
{
	r->said = sim_grow(r->said, &r->said_cap, r->saids, sizeof(*r->said));
	struct book_said *s = &r->said[r->saids++];
	*s = (struct book_said){ .method = a->method, .player = *player };
	memcpy(s->login, a->login, sizeof(s->login));
	memcpy(s->password, a->password, sizeof(s->password));
	memcpy(s->fresh, a->fresh, sizeof(s->fresh));
}

void account_asked(struct sim *sim, const struct link *l, const struct asked *a)
{
	static const struct id nobody;
	struct referee *r = sim->referee;
	struct book_player *p = book_player(r, &l->client->player);
	if (a->method == METHOD_HELLO) {
		if (a->login[0])
			password_said(r, a, &nobody);
		return;
	}
	password_said(r, a, &l->client->player);
	if (p && (a->method == METHOD_ACCOUNT_LOGOUT ||
		  a->method == METHOD_ACCOUNT_PASSWORD ||
		  a->method == METHOD_ACCOUNT_DELETE))
		p->may_end = true;
}

static bool fits(const char *hash, const char *password)
{
	return !strncmp(hash, "h:", 2) && !strcmp(hash + 2, password);
}

/* Whether somebody said what a fact is about; by `player` if it is not NULL. */
static const struct book_said *said(const struct referee *r, enum method method,
				    const struct id *player, const char *login,
				    const char *hash, const char *fresh)
{
	for (size_t i = 0; i < r->saids; i++) {
		const struct book_said *s = &r->said[i];
		if (s->method == method &&
		    (!player || id_eq(&s->player, player)) &&
		    (!login || !strcmp(s->login, login)) &&
		    (!hash || fits(hash, s->password)) &&
		    (!fresh || fits(fresh, s->fresh)))
			return s;
	}
	return NULL;
}

static void session_added(struct sim *sim, const struct fact *f)
{
	const struct fact_session_added_body *b = &f->session_added;
	const struct referee *r = sim->referee;
	struct book_player *p = book_player(r, &b->player);
	if (!p || p->gone || p->leaving || !p->login[0]) {
		sim_fail(sim, "a session for who can have none");
		return;
	}
	if (!said(r, METHOD_HELLO, NULL, p->login, p->hash, NULL))
		sim_fail(sim, "%s is in, but nobody said his password",
			 p->name);
	if (book_session(p, b->session))
		sim_fail(sim, "%s has a session twice", p->name);
	book_session_add(p, b->session, &b->token);
	if (sessions_open(p) > SESSIONS_PER_PLAYER_MAX)
		sim_fail(sim, "%s has too many sessions", p->name);
}

bool is_connected(const struct sim *sim, const struct book_player *p,
		  const struct link *but)
{
	for (const struct link *l = sim->links; l; l = l->next)
		if (l != but && l->server_open &&
		    (!l->closing || l->given_up) && l->ready &&
		    id_eq(&l->player, &p->id) && book_session(p, l->session))
			return true;
	return false;
}

static void session_ended(struct sim *sim, const struct fact *f)
{
	struct book_player *p;
	struct book_session *s = told(sim, &f->session_ended.player,
				      f->session_ended.session, &p);
	if (!s)
		return;
	if (!p->may_end && sessions_open(p) < SESSIONS_PER_PLAYER_MAX)
		sim_fail(sim, "a session of %s ends and nobody asked for it",
			 p->name);
	s->ended = true;
	s->ended_batch = sim->referee->batch;
	/* its link may have ended before this was durable */
	bool was_last =
		p->here ? !is_connected(sim, p, NULL)
			: p->left_by == s->number && p->away_ms > f->at_ms;
	if (was_last) {
		p->here = false;
		p->away_ms = f->at_ms;
	}
}

bool session_is_over(const struct sim *sim, const struct link *l)
{
	const struct book_player *p = book_player(sim->referee, &l->player);
	/* the newest of that number: after a start it may be given anew */
	for (size_t i = p ? p->sessions : 0; i > 0; i--)
		if (p->session[i - 1].number == l->session)
			return p->session[i - 1].ended &&
			       p->session[i - 1].ended_batch + 1 <
				       sim->referee->batch;
	return p && p->leaving && p->closed_batch + 1 < sim->referee->batch;
}

/* -- accounts -- */

static struct book_player *by_login(const struct referee *r, const char *login)
{
	for (size_t i = 0; i < r->players; i++)
		if (!r->player[i].gone && !strcmp(r->player[i].login, login))
			return &r->player[i];
	return NULL;
}

static void set_hash(struct sim *sim, struct book_player *p, struct span hash)
{
	span_copy(hash, p->hash, sizeof(p->hash));
	p->hash_since_ms = sim->t_ms;
}

static void account_opened(struct sim *sim, const struct fact *f)
{
	const struct fact_account_opened_body *b = &f->account_opened;
	const struct referee *r = sim->referee;
	struct book_player *p = book_player(r, &b->player);
	char login[LOGIN_BYTES_MAX + 1] = "", hash[PASSWORD_HASH_MAX] = "";
	span_copy(b->login, login, sizeof(login));
	span_copy(b->hash, hash, sizeof(hash));
	if (!p || p->gone || p->login[0] || p->kind != KIND_GUEST)
		sim_fail(sim, "an account for who is no guest");
	else if (by_login(r, login))
		sim_fail(sim, "%s is a login twice", login);
	else if (!said(r, METHOD_ACCOUNT_REGISTER, &p->id, login, hash, NULL))
		sim_fail(sim, "%s did not ask for this account", p->name);
	if (sim->failed)
		return;
	memcpy(p->login, login, sizeof(login));
	set_hash(sim, p, b->hash);
	p->kind = KIND_MEMBER;
}

static void password_set(struct sim *sim, const struct fact *f)
{
	struct book_player *p =
		book_player(sim->referee, &f->password_set.player);
	char hash[PASSWORD_HASH_MAX] = "";
	span_copy(f->password_set.hash, hash, sizeof(hash));
	if (!p || p->gone || !p->login[0] ||
	    !said(sim->referee, METHOD_ACCOUNT_PASSWORD, &p->id, NULL, p->hash,
		  hash)) {
		sim_fail(sim, "a password is set that nobody may set");
		return;
	}
	set_hash(sim, p, f->password_set.hash);
	p->password_new = true;
}

/* -- names -- */

void judge_name(struct sim *sim, const struct id *id, const char *name,
		uint64_t at_ms)
{
	const struct referee *r = sim->referee;
	for (size_t i = 0; i < r->players; i++) {
		const struct book_player *p = &r->player[i];
		if (p->gone || p->leaving || id_eq(&p->id, id))
			continue;
		if (!strcasecmp(p->name, name))
			sim_fail(sim, "two are called %s", name);
		if (!strcasecmp(p->old_name, name) &&
		    at_ms < p->old_name_until_ms)
			sim_fail(sim, "%s was given away too soon", name);
	}
}

static void player_renamed(struct sim *sim, const struct fact *f)
{
	const struct fact_player_renamed_body *b = &f->player_renamed;
	struct book_player *p = book_player(sim->referee, &b->player);
	char name[NAME_BYTES_MAX + 1] = "";
	span_copy(b->name, name, sizeof(name));
	if (!p || p->gone || !p->login[0] ||
	    !said(sim->referee, METHOD_ACCOUNT_RENAME, &p->id, name, NULL,
		  NULL)) {
		sim_fail(sim, "somebody is renamed who did not ask for it");
		return;
	}
	judge_name(sim, &p->id, name, f->at_ms);
	if (p->old_name[0] && f->at_ms < p->old_name_until_ms &&
	    strcasecmp(p->old_name, name) != 0)
		sim_fail(sim, "%s has another name too soon", p->name);
	if ((uint64_t)b->held_until_ms !=
	    f->at_ms + (uint64_t)sim->domain_limits.rename_hold_ms)
		sim_fail(sim, "the old name of %s is held otherwise", p->name);
	memcpy(p->old_name, p->name, sizeof(p->old_name));
	p->old_name_until_ms = (uint64_t)b->held_until_ms;
	memcpy(p->name, name, sizeof(name));
}

/* As if he had asked to abort the match, and to resign all of it. */
static void give_up(struct book_match *m, int side)
{
	if (side < 0)
		return;
	m->wished[side][METHOD_MATCH_RESIGN] = true;
	m->wished[side][METHOD_MATCH_ABORT] = true;
	m->act = sim_grow(m->act, &m->act_cap, m->acts, sizeof(*m->act));
	m->act[m->acts++] = (struct asked_act){ .side = side,
						.method = METHOD_MATCH_RESIGN,
						.whole = true };
}

static void account_closed(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	struct book_player *p = book_player(r, &f->account_closed.player);
	if (!p || p->gone || p->leaving ||
	    !said(r, METHOD_ACCOUNT_DELETE, &p->id, NULL, p->hash, NULL)) {
		sim_fail(sim, "an account is closed that nobody may close");
		return;
	}
	p->leaving = true;
	p->closed_batch = r->batch;
	p->login[0] = p->old_name[0] = '\0';
	for (size_t i = 0; i < p->sessions; i++) {
		p->session[i].ended = true;
		p->session[i].ended_batch = r->batch;
	}
	if (p->here) {
		p->here = false;
		p->away_ms = f->at_ms;
	}
	for (size_t i = 0; i < r->matches; i++)
		give_up(&r->match[i], seat_of(&r->match[i], &p->id));
}

bool account_fact(struct sim *sim, const struct fact *f)
{
	switch (f->type) {
	case FACT_TOKEN_OFFERED: token_offered(sim, f); return true;
	case FACT_TOKEN_USED: token_used(sim, f); return true;
	case FACT_TOKEN_REPLACED: token_replaced(sim, f); return true;
	case FACT_SESSION_ADDED: session_added(sim, f); return true;
	case FACT_SESSION_ENDED: session_ended(sim, f); return true;
	case FACT_ACCOUNT_OPENED: account_opened(sim, f); return true;
	case FACT_PASSWORD_SET: password_set(sim, f); return true;
	case FACT_PLAYER_RENAMED: player_renamed(sim, f); return true;
	case FACT_ACCOUNT_CLOSED: account_closed(sim, f); return true;
	default: return false;
	}
}

/* -- after a start -- */

static bool same_session(const struct session *d, const struct book_session *s)
{
	return d && digest_eq(&d->token, &s->token) &&
	       (d->offered != NULL) == s->has_offered &&
	       (!s->has_offered || digest_eq(&d->offered->token, &s->offered));
}

void account_compare(struct sim *sim, const struct book_player *p,
		     const struct player *d)
{
	for (size_t i = 0; i < p->sessions; i++) {
		const struct book_session *s = &p->session[i];
		if (!s->ended &&
		    !same_session(player_session(d, (uint32_t)s->number), s))
			sim_fail(sim, "%s has other tokens after a start",
				 p->name);
	}
	if (d->session_count != sessions_open(p))
		sim_fail(sim, "%s has %zu sessions after a start", p->name,
			 d->session_count);
	const struct account *a = d->account;
	if ((a != NULL) != (p->login[0] != '\0') || d->leaving != p->leaving ||
	    (a && (strcmp(a->login, p->login) != 0 ||
		   strcmp(a->hash, p->hash) != 0)))
		sim_fail(sim, "%s has another account after a start", p->name);
}

/* -- answers -- */

/* A record is read beside all else, and what a policy's verdict is awaited for
 * is answered after what came later: so a connection that has logged out, or
 * whose account is deleted, is still answered what had arrived before. */
static bool asked_before_it_left(const struct referee *r, const struct link *l,
				 const struct asked *a)
{
	const struct book_match *m = book_match(r, &a->match);
	return (a->method == METHOD_RECORD_GET ||
		a->method == METHOD_RECORD_LIST || (m && m->judged)) &&
	       a->ends_at <= l->arrived_when_left;
}

/* What needs no domain state is answered at once, before the hello that it came
 * behind, whose answer waits for the journal. */
static bool overtakes_its_hello(const struct link *l, const struct asked *a)
{
	if (method_info(a->method)->order != METHOD_VOLATILE)
		return false;
	for (size_t i = 0; i < l->asked_count; i++) {
		const struct asked *hello = &l->asked[i];
		if (hello->method == METHOD_HELLO && !hello->answered &&
		    hello->ends_at < a->ends_at)
			return true;
	}
	return false;
}

/* Nothing is done for a session that has ended, nor for nobody. */
void judge_rights(struct sim *sim, const struct link *l, const struct asked *a)
{
	if (a->method == METHOD_HELLO ||
	    asked_before_it_left(sim->referee, l, a))
		return;
	if (!l->ready && overtakes_its_hello(l, a))
		return;
	if (!l->ready)
		sim_fail(sim, "%s is answered %s and is nobody",
			 client_name(l->client), method_info(a->method)->name);
	else if (session_is_over(sim, l))
		sim_fail(sim, "%s is answered %s, but his session has ended",
			 client_name(l->client), method_info(a->method)->name);
}

/* The answer of a logout, or of a deletion, that ended this session too. */
static void link_is_nobody(struct link *l)
{
	l->arrived_when_left = l->arrived_bytes;
	l->ready = false;
	l->heard_count = 0;
	l->followed_count = 0;
}

void judge_account_answer(struct sim *sim, struct link *l,
			  const struct asked *a, const struct value *map)
{
	uint8_t bytes[TOKEN_BYTES];
	const struct book_player *p = book_player(sim->referee, &l->player);
	bool known = false;
	if (a->method == METHOD_ACCOUNT_DELETE ||
	    (a->method == METHOD_ACCOUNT_LOGOUT && !a->flag)) {
		if (p && book_session(p, l->session))
			sim_fail(sim, "%s is out, it is said, but is in still",
				 p->name);
		link_is_nobody(l);
		return;
	}
	if (a->method != METHOD_ACCOUNT_REGISTER &&
	    a->method != METHOD_ACCOUNT_PASSWORD)
		return;
	hex_read(str_in(map, "token"), bytes, sizeof(bytes));
	struct span part = span_of(bytes, sizeof(bytes));
	struct digest fresh = sha256(&part, 1);
	for (size_t i = 0; p && i < p->offer_count; i++)
		known = known || digest_eq(&fresh, &p->offers[i]);
	if (!known || !p->login[0])
		sim_fail(sim, "%s has another account than he is told of",
			 client_name(l->client));
}

/* Wrong passwords of one login from one address: so many at once, and one more each so often.
 * What the server forgets at a restart is not counted. */
static void judge_guess(struct sim *sim, const struct link *l,
			const char *login, uint64_t asked_ms)
{
	struct referee *r = sim->referee;
	const struct hub_limits *limits = &sim->hub_limits;
	r->guess = sim_grow(r->guess, &r->guess_cap, r->guesses,
			    sizeof(*r->guess));
	struct book_guess *g = &r->guess[r->guesses++];
	*g = (struct book_guess){ .asked_ms = asked_ms,
				  .address = l->number % NET_ADDRESSES,
				  .server = sim->servers };
	snprintf(g->login, sizeof(g->login), "%s", login);
	int64_t count = 0;
	for (size_t i = r->guesses; i > 0; i--) {
		const struct book_guess *old = &r->guess[i - 1];
		if (old->server != sim->servers || old->address != g->address ||
		    strcmp(old->login, login) != 0)
			continue;
		int64_t passed = (int64_t)(sim->t_ms - old->asked_ms);
		if (++count > limits->logins_per_account + 1 +
				      passed / limits->login_account_ms)
			sim_fail(sim,
				 "%lld passwords of %s were guessed in "
				 "%lld ms",
				 (long long)count, login, (long long)passed);
	}
}

void judge_account_refused(struct sim *sim, const struct link *l,
			   const struct asked *a, int64_t code)
{
	if (code == PLYD_EBADLOGIN && a->method == METHOD_HELLO && a->login[0])
		judge_guess(sim, l, a->login, a->sent_ms);
	const struct referee *r = sim->referee;
	const struct book_player *p =
		a->login[0] ? by_login(r, a->login) : NULL;
	if (code == PLYD_EBADLOGIN && a->method == METHOD_HELLO && p &&
	    fits(p->hash, a->password) && p->hash_since_ms < a->sent_ms)
		sim_fail(sim, "%s is refused with the right password",
			 client_name(l->client));
	if (code == PLYD_ELOGINTAKEN && !by_login(r, a->login))
		sim_fail(sim, "nobody has the login %s", a->login);
	if (code == PLYD_EHELLO && l->ready && a->method != METHOD_HELLO &&
	    !session_is_over(sim, l)) {
		p = book_player(r, &l->player);
		if (!p || !p->may_end)
			sim_fail(sim, "%s was not heard, though he is in",
				 client_name(l->client));
	}
}

/* Nobody sees a password, nor who is deleted once he has left. */
void look_for_persons(struct sim *sim, const struct link *l, struct span bytes)
{
	static const char secret[] = "secret-";
	const struct referee *r = sim->referee;
	if (memmem(bytes.at, bytes.len, secret, sizeof(secret) - 1))
		sim_fail(sim, "%s is shown a password", client_name(l->client));
	for (size_t i = 0; i < r->players; i++) {
		const struct book_player *p = &r->player[i];
		if (p->leaving && p->gone && p->gone_batch + 1 < r->batch &&
		    memmem(bytes.at, bytes.len, p->id.text, ID_CHARS))
			sim_fail(sim, "%s is shown %s, who is deleted",
				 client_name(l->client), p->id.text);
	}
}
