/* SPDX-License-Identifier: MIT
 * client_account.c - clients with accounts: two share each, so that one person
 * has several sessions; they change passwords under each other, log out, come
 * back, and guess. */
#include "client.h"

#include <stdio.h>

#include "proto/write.h"
#include "sim.h"

/* The account that a client uses; NULL: it stays a guest. */
static struct shared_account *account_of(struct sim *sim,
					 const struct client *c)
{
	size_t slot = c->index / 4;
	return c->index % 4 < 2 && slot < ACCOUNTS ? &sim->account[slot] : NULL;
}

bool client_has_account(struct sim *sim, const struct client *c)
{
	const struct shared_account *s = account_of(sim, c);
	return s && s->opened;
}

static void remember(struct shared_account *s, const char *password)
{
	memmove(s->password[1], s->password[0],
		sizeof(s->password) - sizeof(s->password[0]));
	snprintf(s->password[0], sizeof(s->password[0]), "%s", password);
	if (s->passwords < PASSWORDS_KNOWN)
		s->passwords++;
}

static void ask_login(struct sim *sim, struct client *c, const char *login,
		      const char *password)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_HELLO);
	snprintf(a.login, sizeof(a.login), "%s", login);
	snprintf(a.password, sizeof(a.password), "%s", password);
	put_map(b, 3);
	put_cstr(b, "protocol");
	put_int(b, PROTOCOL_VERSION);
	put_cstr(b, "login");
	put_cstr(b, login);
	put_cstr(b, "password");
	put_cstr(b, password);
	c->hello_sent = true;
	ask_send(sim, c, &a);
}

static void register_account(struct sim *sim, struct client *c,
			     struct shared_account *s)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_ACCOUNT_REGISTER);
	snprintf(s->login, sizeof(s->login), "acct-%u",
		 (unsigned)(c->index / 4) % ACCOUNTS);
	snprintf(a.login, sizeof(a.login), "%s", s->login);
	snprintf(a.password, sizeof(a.password), "secret-%u-%u",
		 (unsigned)c->index % CLIENTS_MAX, ++c->keys);
	remember(s, a.password);
	put_map(b, 2);
	put_cstr(b, "login");
	put_cstr(b, a.login);
	put_cstr(b, "password");
	put_cstr(b, a.password);
	ask_send(sim, c, &a);
}

static void new_password(struct sim *sim, struct client *c,
			 struct shared_account *s)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_ACCOUNT_PASSWORD);
	snprintf(a.password, sizeof(a.password), "%s", s->password[0]);
	snprintf(a.fresh, sizeof(a.fresh), "secret-%u-%u",
		 (unsigned)c->index % CLIENTS_MAX, ++c->keys);
	remember(s, a.fresh);
	put_map(b, 2);
	put_cstr(b, "old");
	put_cstr(b, a.password);
	put_cstr(b, "new");
	put_cstr(b, a.fresh);
	ask_send(sim, c, &a);
}

/* The other one who shares the account sets a new password while this one is
 * being looked at: it is good no more then. */
static void other_changes_it(struct sim *sim, const struct client *c,
			     struct shared_account *s)
{
	struct client *other = sim->client[c->index ^ 1];
	if (other && other->link && other->ready)
		new_password(sim, other, s);
}

bool client_logs_in(struct sim *sim, struct client *c)
{
	struct shared_account *s = account_of(sim, c);
	char login[LOGIN_BYTES_MAX + 1];
	if (c->temper == HOSTILE && sim_chance(sim, 300))
		c->guesses = sim_between(sim, 1, 30);
	if (c->guesses > 0) {
		/* mostly one account's, all by one who guesses */
		c->guesses--;
		snprintf(login, sizeof(login), "acct-%u",
			 (uint32_t)c->index % ACCOUNTS);
		ask_login(sim, c, login, "secret-guessed");
		return true;
	}
	if (!s || !s->opened || (c->token[0] && !sim_chance(sim, 500)))
		return false;
	/* an answer may have been lost: one of the last is the right one */
	size_t n = sim_chance(sim, 6000)
			   ? 0
			   : sim_between(sim, 0, (uint32_t)s->passwords - 1);
	ask_login(sim, c, s->login, s->password[n]);
	if (n == 0 && sim_chance(sim, 3000))
		other_changes_it(sim, c, s);
	return true;
}

static void log_out(struct sim *sim, struct client *c)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_ACCOUNT_LOGOUT);
	uint32_t how = sim_between(sim, 0, 2);
	a.flag = how == 2; /* another session: this one stays */
	put_map(b, how > 0);
	if (how == 1) {
		put_cstr(b, "everywhere");
		put_bool(b, true);
	} else if (how == 2) {
		/* not its own: that would be as good as the first */
		uint32_t number = sim_between(sim, 0, 5);
		put_cstr(b, "session");
		put_uint(b, number == c->session ? 77 : number);
	}
	ask_send(sim, c, &a);
	/* in the same moment: it must come too late */
	if (!a.flag && c->matches > 0 && sim_chance(sim, 5000))
		ask_match(sim, c, METHOD_MATCH_OFFER_DRAW, &c->match[0].match);
}

static void delete_account(struct sim *sim, struct client *c,
			   const struct shared_account *s)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_ACCOUNT_DELETE);
	snprintf(a.password, sizeof(a.password), "%s", s->password[0]);
	put_map(b, 1);
	put_cstr(b, "password");
	put_cstr(b, a.password);
	ask_send(sim, c, &a);
}

static void rename_account(struct sim *sim, struct client *c)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_ACCOUNT_RENAME);
	uint32_t name = sim_between(sim, 0, 7);
	/* sometimes a name that another may want, or has */
	snprintf(a.login, sizeof(a.login), name < 6 ? "name-%u" : "Honest-%u",
		 name);
	put_map(b, 1);
	put_cstr(b, "name");
	put_cstr(b, a.login);
	ask_send(sim, c, &a);
}

/* Whom it played is told of, unless he is deleted. */
static void ask_history(struct sim *sim, struct client *c)
{
	struct asked a;
	const struct match_rules *r =
		&sim->rules[sim_between(sim, 0, RULESETS - 1)];
	struct buf *b = ask_begin(c, &a, METHOD_RATING_HISTORY);
	put_map(b, 2);
	put_cstr(b, "ruleset");
	put_cstr(b, r->rules.name);
	put_cstr(b, "speed");
	put_cstr(b, sim_chance(sim, 7000) ? "bullet" : "blitz");
	ask_send(sim, c, &a);
}

static void look(struct sim *sim, struct client *c)
{
	static const enum method plain[] = { METHOD_ACCOUNT_GET,
					     METHOD_ACCOUNT_SESSIONS,
					     METHOD_ACCOUNT_EXPORT };
	struct asked a;
	/* whom it played may be deleted by now */
	for (size_t i = 0; i < c->matches; i++)
		if (c->match[i].over && sim_chance(sim, 5000)) {
			ask_match(sim, c, METHOD_RECORD_GET,
				  &c->match[i].match);
			return;
		}
	if (sim_chance(sim, 4000)) {
		ask_history(sim, c);
		return;
	}
	struct buf *b = ask_begin(c, &a, plain[sim_between(sim, 0, 2)]);
	put_map(b, 0);
	ask_send(sim, c, &a);
}

bool client_minds_account(struct sim *sim, struct client *c)
{
	struct shared_account *s = account_of(sim, c);
	uint32_t dice = sim_between(sim, 0, 99);
	if (!s || sim->t_ms >= FAULTS_UNTIL_MS)
		return false;
	if (!s->opened && !c->bot)
		register_account(sim, c, s);
	else if (!s->opened || dice < 30)
		look(sim, c);
	else if (dice < 50)
		new_password(sim, c, s);
	else if (dice < 70)
		rename_account(sim, c);
	else if (dice < 88)
		log_out(sim, c);
	else if (dice < 90)
		register_account(sim, c, s); /* once more: refused */
	else
		delete_account(sim, c, s);
	return true;
}

void client_account_answered(struct sim *sim, struct client *c,
			     const struct asked *a, const struct value *map)
{
	struct shared_account *s = account_of(sim, c);
	struct span token;
	if (a->method == METHOD_ACCOUNT_DELETE ||
	    (a->method == METHOD_ACCOUNT_LOGOUT && !a->flag)) {
		c->ready = c->hello_sent = false;
		c->token[0] = c->old_token[0] = '\0';
		if (s && a->method == METHOD_ACCOUNT_DELETE)
			s->opened = false;
		return;
	}
	if (!s || (a->method != METHOD_ACCOUNT_REGISTER &&
		   a->method != METHOD_ACCOUNT_PASSWORD))
		return;
	if (!value_str(value_find(map, "token"), &token))
		span_copy(token, c->token, sizeof(c->token));
	c->old_token[0] = '\0';
	remember(s,
		 a->method == METHOD_ACCOUNT_REGISTER ? a->password : a->fresh);
	s->opened = true;
}

void client_account_refused(struct sim *sim, struct client *c,
			    const struct asked *a, int64_t code)
{
	struct shared_account *s = account_of(sim, c);
	if (s && (code == PLYD_ELOGINTAKEN || code == PLYD_EACCOUNT))
		s->opened = true;
	/* deleted by the other, perhaps: then begin anew some time */
	if (s && code == PLYD_EBADLOGIN && !strcmp(a->login, s->login) &&
	    sim_chance(sim, 1500))
		s->opened = false;
}
