/* SPDX-License-Identifier: MIT
 * follow.c - matches over lost connections: each event is told once and in
 * order; where some were missed, a snapshot is told in their place. It rests on
 * the order of the server's messages: whatever comes after a snapshot happened
 * after it. */
#include "client/client_priv.h"

#include <string.h>

static struct followed *find(struct client *c, const char *match)
{
	for (size_t i = 0; i < CLIENT_MATCHES_MAX; i++) {
		struct followed *f = &c->followed[i];
		if (f->client && !strcmp(f->match, match))
			return f;
	}
	return NULL;
}

/* The slot of this match, a new one if need be. NULL: all are taken, or that
 * is no id. */
static struct followed *find_or_add(struct client *c, const char *match)
{
	struct followed *f = find(c, match);
	size_t i = 0;
	if (f || strlen(match) >= CLIENT_ID_MAX)
		return f;
	while (i < CLIENT_MATCHES_MAX && c->followed[i].client)
		i++;
	if (i == CLIENT_MATCHES_MAX)
		return NULL;
	f = &c->followed[i];
	memset(f, 0, sizeof(*f));
	f->client = c;
	span_copy(span_str(match), f->match, sizeof(f->match));
	return f;
}

static void drop(struct followed *f)
{
	f->stale = false;
	f->dropped = f->watching > 0;
	if (f->watching == 0)
		f->client = NULL;
}

static void tell_lost(struct client *c, const char *match, int err)
{
	if (c->callbacks->on_lost)
		c->callbacks->on_lost(c->payload, match, err);
}

static void lose(struct followed *f, int err)
{
	char match[CLIENT_ID_MAX];
	struct client *c = f->client;
	memcpy(match, f->match, sizeof(match));
	drop(f);
	tell_lost(c, match, err);
}

/* Says at once that a turn of ours has arrived, so that the way of messages is
 * not charged. Without room for it the turn just costs a little more. */
static void echo_lag(struct client *c, const char *match,
		     const struct value *has_lag)
{
	char lag[CLIENT_WORD_MAX];
	if (!client_copy(shown(value_find(has_lag, "lag")), lag, sizeof(lag)))
		return;
	const struct client_param param[] = { CLIENT_TEXT("match", match),
					      CLIENT_TEXT("lag", lag) };
	(void)client_request(c, "match.seen", param, 2, NULL, NULL);
}

/* Tells a snapshot, after which events go on. f NULL: they are not told. */
static void show(struct client *c, struct followed *f,
		 const struct client_match *m)
{
	echo_lag(c, m->match,
		 value_find((const struct value *)m->value, "clock"));
	if (f) {
		f->you = m->you;
		f->seq = m->seq;
		f->stale = false;
		if (m->over)
			drop(f);
	}
	if (c->callbacks->on_match)
		c->callbacks->on_match(c->payload, m);
}

static void on_watched(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct client_match m;
	struct followed *f = payload;
	struct client *c = f->client;
	f->watching--;
	if (f->dropped)
		drop(f);
	else if (error)
		lose(f, error->code);
	else if (!read_match((const struct value *)result, &m) ||
		 strcmp(m.match, f->match) != 0)
		lose(f, PLYD_EMESSAGE);
	else
		show(c, f, &m);
}

static int watch(struct followed *f)
{
	int err = client_ask_match(f->client, "match.watch", f->match,
				   on_watched, f);
	if (err)
		return err;
	f->stale = false;
	f->watching++;
	return PLYD_OK;
}

void follow_go_on(struct client *c)
{
	for (size_t i = 0; i < CLIENT_MATCHES_MAX; i++) {
		struct followed *f = &c->followed[i];
		if (f->client && f->stale && f->watching == 0 && watch(f))
			return; /* again after the next answer */
	}
}

void follow_resume(struct client *c, const struct value *matches)
{
	char match[CLIENT_ID_MAX];
	for (size_t i = 0; i < value_count(matches); i++)
		if (client_copy(shown(value_at(matches, i)), match,
				sizeof(match)))
			find_or_add(c, match);
	for (size_t i = 0; i < CLIENT_MATCHES_MAX; i++)
		c->followed[i].stale =
			c->followed[i].client && !c->followed[i].watching;
	follow_go_on(c);
}

void follow_forget(struct client *c, int err)
{
	for (size_t i = 0; i < CLIENT_MATCHES_MAX; i++)
		if (c->followed[i].client)
			lose(&c->followed[i], err);
}

void follow_started(struct client *c, const struct value *match)
{
	struct client_match m;
	if (read_match(match, &m))
		show(c, find_or_add(c, m.match), &m);
}

void follow_snapshot(struct client *c, const struct value *match)
{
	struct client_match m;
	if (!read_match(match, &m))
		return;
	const struct followed *f = find(c, m.match);
	/* an answer to match.watch that is on its way shows as much */
	if (!f || f->watching == 0)
		show(c, find_or_add(c, m.match), &m);
}

void follow_event(struct client *c, const struct value *event)
{
	struct client_event e;
	struct followed *f = read_event(event, &e) ? find(c, e.match) : NULL;
	if (!f || f->dropped || f->seq == 0 || e.seq <= f->seq)
		return; /* the snapshot that comes, or came, has it */
	if (e.seq != f->seq + 1) {
		f->stale = true;
		follow_go_on(c);
		return;
	}
	f->seq = e.seq;
	if (e.turn != CLIENT_NOBODY && e.turn == f->you)
		echo_lag(c, e.match, event);
	if (!strcmp(e.event, "ended"))
		drop(f);
	if (c->callbacks->on_event)
		c->callbacks->on_event(c->payload, &e);
}

/* -- for the caller -- */

int client_watch(struct client *c, const char *match)
{
	bool is_new = !find(c, match);
	struct followed *f = find_or_add(c, match);
	if (!f)
		return strlen(match) < CLIENT_ID_MAX ? PLYD_ETOOMANY
						     : PLYD_ENOMATCH;
	if (f->watching > 0 && !f->dropped)
		return PLYD_OK;
	/* one that was unwatched meanwhile is asked anew, behind that */
	f->dropped = false;
	int err = watch(f);
	if (err && is_new)
		drop(f);
	return err;
}

int client_unwatch(struct client *c, const char *match)
{
	struct followed *f = find(c, match);
	if (f)
		drop(f);
	return client_ask_match(c, "match.unwatch", match, NULL, NULL);
}
