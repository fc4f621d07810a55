/* SPDX-License-Identifier: MIT
 * pace.c - who reads slowly is not cut at once: what he asks for waits until
 * there is room for the answer, and what he watches skips to a snapshot. */
#include "session/hub_priv.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/write.h"
#include "session/view.h"

/* A match of which a spectator has missed events. */
struct behind {
	struct id match;
	bool snapshot_waits; /* in the outbox */
	/* He watches it no more: what he could miss is told when this row is
	 * durable. 0: he does. */
	uint64_t gone_row;
	struct behind *next;
};

static size_t queued(const struct hub *h, const struct conn *c)
{
	size_t net =
		h->ops.queued ? h->ops.queued(h->ops.payload, c->number) : 0;
	return net + c->outbox_bytes;
}

bool conn_is_pressed(const struct hub *h, const struct conn *c)
{
	return queued(h, c) > (size_t)h->limits.pause_bytes;
}

static bool has_room(const struct hub *h, const struct conn *c)
{
	return queued(h, c) <= (size_t)h->limits.pause_bytes / 2;
}

/* -- the list of those who are held back or behind -- */

static void pace_add(struct hub *h, struct conn *c)
{
	if (!c->is_paced)
		DL_APPEND2(h->paced, c, paced_prev, paced_next);
	c->is_paced = true;
}

static void pace_drop(struct hub *h, struct conn *c)
{
	if (c->is_paced)
		DL_DELETE2(h->paced, c, paced_prev, paced_next);
	c->is_paced = false;
}

static void set_reading(const struct hub *h, const struct conn *c, bool on)
{
	if (h->ops.read)
		h->ops.read(h->ops.payload, c->number, on);
}

/* -- requests that wait -- */

int conn_hold(struct hub *h, struct conn *c, struct span rest)
{
	if (!c->held) {
		c->held = malloc(sizeof(*c->held));
		if (!c->held)
			return PLYD_ESLOW;
		buf_init(c->held, HELD_BYTES_MAX);
	}
	if (buf_put(c->held, rest.at, rest.len))
		return PLYD_ESLOW;
	pace_add(h, c);
	set_reading(h, c, false);
	return PLYD_OK;
}

static void go_on(struct hub *h, struct conn *c)
{
	struct buf *held = c->held;
	c->held = NULL;
	set_reading(h, c, true);
	hub_bytes(h, c->number, buf_span(held), h->now_ms, h->unix_ms);
	buf_release(held);
	free(held);
}

static void held_drop(struct conn *c)
{
	if (c->held)
		buf_release(c->held);
	free(c->held);
	c->held = NULL;
}

/* -- events that are skipped -- */

static struct behind *behind_in(const struct conn *c, const struct id *match)
{
	struct behind *b;
	LL_FOREACH (c->behind, b)
		if (id_eq(&b->match, match))
			return b;
	return NULL;
}

static void behind_drop(struct conn *c, struct behind *b)
{
	LL_DELETE(c->behind, b);
	free(b);
}

bool conn_skips(struct hub *h, struct conn *c, const struct id *match)
{
	if (behind_in(c, match))
		return true;
	if (!conn_is_pressed(h, c))
		return false;
	struct behind *b = calloc(1, sizeof(*b));
	if (!b)
		return false; /* then he gets it, and is cut if he must */
	b->match = *match;
	LL_PREPEND(c->behind, b);
	pace_add(h, c);
	h->counts.skipped++;
	return true;
}

void conn_has_snapshot(struct conn *c, const struct id *match)
{
	struct behind *b = behind_in(c, match);
	if (b)
		behind_drop(c, b);
}

void conn_lost_snapshot(struct conn *c, const struct id *match)
{
	struct behind *b = behind_in(c, match);
	if (b)
		b->snapshot_waits = false;
}

static bool watches(const struct conn *c, const struct match *m)
{
	const struct watcher *w;
	DL_FOREACH (m->watchers, w)
		if (w->session->conn == c->number)
			return true;
	return false;
}

/* Events of before may still wait in the outbox, for one who has left since,
 * and may be back by then: after what he missed they would make a gap. */
static void gone(struct hub *h, struct conn *c, struct behind *b)
{
	if (b->gone_row == 0)
		b->gone_row = domain_last_row(h->domain);
	if (h->durable_row >= b->gone_row)
		behind_drop(c, b);
}

/* Queues the snapshot with which a spectator goes on. */
static void catch_up(struct hub *h, struct conn *c, struct behind *b)
{
	const struct match *m = domain_match(h->domain, &b->match);
	if (b->snapshot_waits)
		return;
	if (!m || !watches(c, m)) {
		gone(h, c, b);
		return;
	}
	b->gone_row = 0;
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "match.snapshot");
	view_match(&h->out, match_seen(m, &c->player), &c->player, h->now_ms);
	b->snapshot_waits = true;
	hub_queue_match(h, ENTRY_SNAPSHOT, c->number, &m->id, hub_message(h));
}

void hub_pace(struct hub *h)
{
	struct conn *c, *next;
	struct behind *b, *after;
	for (c = h->paced; c; c = next) {
		next = c->paced_next;
		if (c->state >= CONN_CLOSING) {
			/* what it missed is still left out */
			held_drop(c);
			pace_drop(h, c);
			continue;
		}
		if (!has_room(h, c))
			continue;
		/* the state may hold facts that are no more */
		for (b = h->writable ? c->behind : NULL; b; b = after) {
			after = b->next;
			catch_up(h, c, b);
		}
		if (c->held)
			go_on(h, c);
		if (!c->held && !c->behind)
			pace_drop(h, c);
	}
}

void conn_pace_release(struct hub *h, struct conn *c)
{
	pace_drop(h, c);
	while (c->behind)
		behind_drop(c, c->behind);
	held_drop(c);
}
