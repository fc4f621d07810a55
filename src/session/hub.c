/* SPDX-License-Identifier: MIT
 * hub.c - one round: a command becomes facts and effects, facts go to the
 * journal, effects to the outbox, and the outbox opens as far as the journal is
 * durable. */
#include "session/hub_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <utlist.h>

#include "base/log.h"
#include "base/memory.h"
#include "proto/write.h"
#include "record/replay.h"
#include "session/view.h"

void hub_limits_default(struct hub_limits *out)
{
	*out = (struct hub_limits){
#define H(name, value, low, high, doc) .name = value,
		HUB_LIMITS(H)
#undef H
	};
}

/* What is known of those who tried stays. */
static void set_throttles(struct hub *h)
{
	const struct hub_limits *l = &h->limits;
	throttle_set(&h->by_login, l->logins_per_account * LOGIN_ADDRESSES,
		     l->login_account_ms / LOGIN_ADDRESSES + 1);
	throttle_set(&h->by_both, l->logins_per_account, l->login_account_ms);
	throttle_set(&h->by_address, l->logins_per_address,
		     l->login_address_ms);
}

int hub_new(struct hub **out, struct domain *d, const struct hub_limits *limits,
	    const struct hub_ops *ops, const struct entropy *entropy)
{
	struct hub *h = calloc(1, sizeof(*h));
	*out = NULL;
	if (!h) {
		domain_free(d);
		return PLYD_ENOMEM;
	}
	h->domain = d;
	h->limits = *limits;
	h->ops = *ops;
	h->entropy = *entropy;
	h->writable = true;
	h->durable_row = h->snapshot_row = domain_last_row(d);
	throttle_init(&h->guests,
		      limits->connections_per_address * GUESTS_PER_CONNECTION,
		      GUEST_MS);
	throttle_init(&h->known, 1, LOGIN_KNOWN_MS);
	set_throttles(h);
	outbox_init(&h->outbox);
	buf_init(&h->out, ANSWER_BYTES_MAX);
	buf_init(&h->row, STORE_BYTES_MAX);
	buf_init(&h->masked, CHAT_BYTES_MAX);
	h->doc = doc_new();
	h->fact = doc_new();
	if (!h->doc || !h->fact ||
	    due_heap_init(&h->due,
			  (size_t)limits->connections_max + OPERATORS_MAX)) {
		hub_free(h);
		return PLYD_ENOMEM;
	}
	*out = h;
	return PLYD_OK;
}

void hub_set_limits(struct hub *h, const struct hub_limits *limits,
		    const struct domain_limits *domain)
{
	struct hub_limits new = *limits;
	/* there is room for so many */
	new.connections_max = h->limits.connections_max;
	h->limits = new;
	set_throttles(h);
	domain_set_limits(h->domain, domain);
}

void hub_free(struct hub *h)
{
	struct conn *c;
	if (!h)
		return;
	/* where one was there may be another now */
	for (size_t at = 0; (c = numbered_next(&h->conns, &at)); at--)
		conn_free(h, c);
	numbered_release(&h->conns);
	outbox_release(&h->outbox);
	throttle_release(&h->by_login);
	throttle_release(&h->guests);
	throttle_release(&h->by_both);
	throttle_release(&h->known);
	throttle_release(&h->by_address);
	due_heap_release(&h->due);
	domain_free(h->domain);
	doc_free(h->doc);
	doc_free(h->fact);
	buf_release(&h->out);
	buf_release(&h->row);
	buf_release(&h->masked);
	free(h);
}

const struct domain *hub_domain(const struct hub *h)
{
	return h->domain;
}

struct hub_counts hub_counts(const struct hub *h)
{
	struct hub_counts counts = h->counts;
	counts.waiting = h->outbox.count + h->records_asked;
	counts.waiting_bytes = h->outbox.bytes;
	return counts;
}

const struct hub_tally *hub_tally(const struct hub *h)
{
	return &h->tally;
}

static uint64_t *tally_of(struct hub *h, int err)
{
	switch (err) {
#define X(code, value, name, doc)                                              \
	case code: return &h->tally.errors.code##_count;
		PLYD_ERRORS(X)
#undef X
	default: return &h->tally.errors.PLYD_EINTERNAL_count;
	}
}

void hub_refused(struct hub *h, int err)
{
	h->counts.refused++;
	++*tally_of(h, err);
}

void hub_told(struct hub *h, int err)
{
	++*tally_of(h, err);
}

/* What is not the client's doing. */
static bool is_failure(int err)
{
	switch (err) {
	case PLYD_ENOMEM:
	case PLYD_EINTERNAL:
	case PLYD_ENOTSTORED:
	case PLYD_ESTORE:
	case PLYD_EIO:
	case PLYD_EWORKER: return true;
	default: return false;
	}
}

void hub_trace(struct hub *h, uint64_t conn, uint32_t msgid, int err,
	       size_t details_at)
{
	char trace[32];
	const struct conn *c = find_conn(h, conn);
	snprintf(trace, sizeof(trace), "%llu-%u", (unsigned long long)conn,
		 msgid);
	rpc_error_add(&h->out, details_at, "trace", trace);
	if (is_failure(err))
		log_event(LOG_WARNING, "a request failed",
			  "trace=%s error=%s player=%s", trace,
			  plyd_err_name(err), c ? c->player.text : "");
	else
		log_event(LOG_DEBUG, "a request was refused",
			  "trace=%s error=%s player=%s", trace,
			  plyd_err_name(err), c ? c->player.text : "");
}

void hub_error(struct hub *h, uint64_t conn, uint32_t msgid, int err,
	       const char *message, details_fn *details, void *payload)
{
	hub_refused(h, err);
	buf_clear(&h->out);
	size_t at = rpc_error(&h->out, msgid, err, message, details, payload);
	hub_trace(h, conn, msgid, err, at);
}

uint64_t hub_uptime_ms(const struct hub *h)
{
	return h->now_ms - h->started_ms;
}

void hub_now(struct hub *h, uint64_t now_ms, int64_t unix_ms)
{
	if (now_ms > h->now_ms)
		h->now_ms = now_ms;
	h->unix_ms = unix_ms;
}

void hub_later(struct hub *h, uint64_t now_ms)
{
	if (now_ms > h->now_ms)
		hub_now(h, now_ms, h->unix_ms + (int64_t)(now_ms - h->now_ms));
}

/* -- going out -- */

/* A connection that cannot be told what it must know is cut: its player resumes
 * and looks anew. */
static void cut(struct hub *h, uint64_t number)
{
	struct conn *c = find_conn(h, number);
	if (c)
		conn_cut(h, c);
}

static void queue(struct hub *h, const struct entry *e)
{
	struct conn *c = find_conn(h, e->conn);
	size_t len = e->message ? e->message->len : 0;
	if (!e->message || outbox_put(&h->outbox, e))
		cut(h, e->conn);
	else if (c)
		c->outbox_bytes += len;
}

/* The next entry that waits for no row after `durable`, or NULL. */
static struct entry *take(struct hub *h, uint64_t durable)
{
	struct entry *e = outbox_take(&h->outbox, durable);
	struct conn *c = e && e->message ? find_conn(h, e->conn) : NULL;
	if (c)
		c->outbox_bytes -= e->message->len;
	return e;
}

void hub_queue_message(struct hub *h, enum entry_type type, uint64_t conn,
		       uint32_t msgid, struct message *m)
{
	struct entry e = { .type = type,
			   .after = domain_last_row(h->domain),
			   .conn = conn,
			   .msgid = msgid,
			   .message = m };
	queue(h, &e);
}

void hub_queue_match(struct hub *h, enum entry_type type, uint64_t conn,
		     const struct id *match, struct message *m)
{
	struct entry e = { .type = type,
			   .after = domain_last_row(h->domain),
			   .conn = conn,
			   .match = *match,
			   .message = m };
	queue(h, &e);
}

struct message *hub_message(struct hub *h)
{
	return h->out.err ? NULL : message_new(&h->outbox, buf_span(&h->out));
}

void hub_queue(struct hub *h, enum entry_type type, uint64_t conn,
	       uint32_t msgid)
{
	if (conn == 0)
		return;
	hub_queue_message(h, type, conn, msgid, hub_message(h));
}

void hub_send_now(struct hub *h, uint64_t conn)
{
	struct conn *c = find_conn(h, conn);
	if (h->out.err) {
		cut(h, conn);
		return;
	}
	if (c)
		conn_pays(h, c, h->out.len);
	h->ops.send(h->ops.payload, conn, buf_span(&h->out));
}

/* Sends the message of an entry, unless its connection has gone or was told
 * its last word. */
static void send_entry(struct hub *h, const struct entry *e)
{
	struct conn *c = find_conn(h, e->conn);
	struct span bytes = span_of(e->message->at, e->message->len);
	if (!c || c->state == CONN_CLOSED ||
	    (e->type == ENTRY_WATCHED && conn_skips(h, c, &e->match)))
		return;
	if (e->type == ENTRY_ANSWER || e->type == ENTRY_SESSION)
		conn_pays(h, c, e->message->len);
	if (e->type == ENTRY_WATCHED && h->ops.send_later)
		h->ops.send_later(h->ops.payload, e->conn, bytes);
	else
		h->ops.send(h->ops.payload, e->conn, bytes);
	if (e->type == ENTRY_SNAPSHOT)
		conn_has_snapshot(c, &e->match);
	if (e->type != ENTRY_CLOSE)
		return;
	h->ops.close(h->ops.payload, e->conn);
	conn_move_to(c, CONN_CLOSED);
}

/* The domain hears that it is durable. */
static void step_entry(struct hub *h, const struct entry *e)
{
	bool ends = e->type == ENTRY_FINISHED;
	struct command cmd = { .type = ends ? CMD_FINISHED : CMD_RELEASED,
			       .match = e->match,
			       .released = { e->ply, e->takebacks } };
	hub_step(h, &cmd);
}

static void deliver(struct hub *h)
{
	struct entry *e;
	while ((e = take(h, h->durable_row))) {
		if (e->message)
			send_entry(h, e);
		if (e->type == ENTRY_RELEASE || e->type == ENTRY_FINISHED)
			step_entry(h, e);
		outbox_give_back(&h->outbox, e);
	}
}

/* -- steps -- */

static void journal(struct hub *h, const struct fact *f)
{
	buf_clear(&h->row);
	journal_row(h->domain, f, &h->row);
	if (h->row.err)
		memory_ran_out("encoding a fact");
	if (fact_stream(f->type) == STREAM_SECRET)
		h->ops.secret(h->ops.payload, &f->match, buf_span(&h->row));
	else
		h->ops.append(h->ops.payload, f->row, &f->match, f->before,
			      buf_span(&h->row));
	h->counts.facts++;
	h->tally.facts[f->type]++;
	h->dirty = true;
}

/* The match of this step whose invariant it broke, or NULL. */
static const struct match *broken_match(const struct hub *h,
					const struct step *step)
{
	for (size_t i = 0; i < step->fact_count; i++) {
		const struct fact *f = &step->fact[i];
		const struct match *m =
			fact_stream(f->type) == STREAM_MATCH
				? domain_match(h->domain, &f->match)
				: NULL;
		if (m && match_invariant_broken(m))
			return m;
	}
	return NULL;
}

/* Performs one step; true if `match` must go on with a step of its own, and
 * which is broken, or none. */
static bool step_once(struct hub *h, struct command *cmd, struct id *match,
		      struct id *broken)
{
	bool go_on = false;
	cmd->now_ms = h->now_ms;
	cmd->unix_ms = h->unix_ms;
	const struct step *step = domain_step(h->domain, cmd);
	for (size_t i = 0; i < step->fact_count; i++)
		journal(h, &step->fact[i]);
	const struct match *stopped = broken_match(h, step);
	*broken = stopped ? stopped->id : (struct id){ "" };
	for (size_t i = 0; i < step->effect_count; i++) {
		const struct effect *fx = &step->effect[i];
		if (fx->type == EFFECT_CONTINUE) {
			*match = fx->match->id;
			go_on = true;
		}
		effect_perform(h, fx, step);
	}
	return go_on;
}

static bool step_or_freeze(struct hub *h, struct command *cmd, struct id *match)
{
	struct id broken, none;
	bool go_on = step_once(h, cmd, match, &broken);
	if (id_is_none(&broken))
		return go_on;
	const struct match *m = domain_match(h->domain, &broken);
	const char *why = match_invariant_broken(m);
	log_event(LOG_ERROR, "a match is frozen: an invariant broke",
		  "match=%s what=\"%s\"", broken.text, why);
	struct command freeze = { .type = CMD_FREEZE,
				  .match = broken,
				  .why = why };
	step_once(h, &freeze, &none, &broken);
	return go_on;
}

/* A match whose step broke an invariant is stopped; the server goes on. */
void hub_step(struct hub *h, struct command *cmd)
{
	struct id match;
	if (!step_or_freeze(h, cmd, &match))
		return;
	struct command more = { .type = CMD_CONTINUE };
	do
		more.match = match;
	while (step_or_freeze(h, &more, &match));
}

void hub_freeze(struct hub *h, const struct id *match, const char *why,
		uint64_t now_ms, int64_t unix_ms)
{
	struct command cmd = { .type = CMD_FREEZE,
			       .match = *match,
			       .why = why };
	hub_now(h, now_ms, unix_ms);
	if (h->writable)
		hub_step(h, &cmd);
}

void hub_schedule(struct hub *h, const struct cmd_tournament *plan,
		  uint64_t now_ms, int64_t unix_ms)
{
	struct command cmd = { .type = CMD_TOURNAMENT_SCHEDULED,
			       .tournament = *plan };
	hub_now(h, now_ms, unix_ms);
	if (h->writable)
		hub_step(h, &cmd);
}

static void write_snapshot(struct hub *h)
{
	uint64_t row = domain_last_row(h->domain);
	struct buf b;
	buf_init(&b, SIZE_MAX);
	if (snapshot_write(h->domain, &b) == PLYD_OK) {
		h->ops.snapshot(h->ops.payload, row, buf_span(&b));
		h->dirty = true;
		h->snapshot_row = row;
	} else {
		log_event(LOG_WARNING, "no snapshot was written", "why=%s",
			  plyd_err_name(b.err));
	}
	buf_release(&b);
	h->snapshot_wanted = false;
}

void hub_snapshot(struct hub *h)
{
	h->snapshot_wanted = true;
}

void hub_flush(struct hub *h, uint64_t now_ms)
{
	hub_later(h, now_ms);
	deliver(h);
	if (h->paced) {
		hub_pace(h);
		deliver(h);
	}
	if (!h->writable)
		return; /* the state may hold facts that are no more */
	uint64_t since = domain_last_row(h->domain) - h->snapshot_row;
	if (h->snapshot_wanted || since >= (uint64_t)h->limits.snapshot_facts)
		write_snapshot(h);
	if (!h->dirty)
		return;
	h->dirty = false;
	if (h->ops.submit(h->ops.payload))
		hub_commit_failed(h, h->durable_row + 1);
}

void hub_committed(struct hub *h, uint64_t row, uint64_t now_ms)
{
	hub_later(h, now_ms);
	if (!h->writable)
		return; /* what it is about was dropped: hub_rebuilt() sees */
	if (row > h->durable_row)
		h->durable_row = row;
	deliver(h);
}

/* -- a journal that fails -- */

/* What waits is about facts that are no more. */
static void drop_entry(struct hub *h, const struct entry *e)
{
	struct conn *c = find_conn(h, e->conn);
	if (!c || c->state == CONN_CLOSED)
		return;
	if (e->type == ENTRY_CLOSE)
		send_entry(h, e);
	if (e->type == ENTRY_SNAPSHOT)
		conn_lost_snapshot(c, &e->match);
	if (e->type != ENTRY_ANSWER && e->type != ENTRY_SESSION)
		return;
	hub_error(h, e->conn, e->msgid, PLYD_ENOTSTORED, NULL, NULL, NULL);
	hub_send_now(h, e->conn);
	if (e->type == ENTRY_SESSION)
		conn_close_now(h, c, PLYD_ENOTSTORED, NULL);
}

/* A move that waits for its verdict has no entry yet. */
static void drop_held(void *payload, uint64_t conn, uint32_t msgid)
{
	struct entry e = { .type = ENTRY_ANSWER, .conn = conn, .msgid = msgid };
	drop_entry(payload, &e);
}

static void drop_waiting(struct hub *h)
{
	struct entry *e;
	while ((e = take(h, UINT64_MAX))) {
		drop_entry(h, e);
		outbox_give_back(&h->outbox, e);
	}
}

void hub_commit_failed(struct hub *h, uint64_t first_row)
{
	deliver(h); /* what is durable is told first */
	h->writable = false;
	h->dirty = false;
	log_event(LOG_ERROR, "the journal failed; facts were dropped",
		  "first_row=%llu waiting=%zu", (unsigned long long)first_row,
		  h->outbox.count);
	hashing_not_stored(h);
	drop_waiting(h);
	domain_each_held(h->domain, drop_held, h);
	operator_wish_lost(h);
}

/* -- and the state after it -- */

/* What this session of the old domain watched it watches in the new one. */
static void watch_again(struct hub *h, const struct session *old)
{
	const struct watcher *w;
	const struct follow *f;
	const struct tournament_watcher *t;
	const struct player *p = domain_player(h->domain, &old->player->id);
	if (!p || !player_session(p, old->number))
		return;
	DL_FOREACH2(old->watching, w, own_next)
	{
		struct command cmd = { .type = CMD_MATCH_WATCH,
				       .player = p->id,
				       .session = old->number,
				       .match = w->match->id };
		hub_step(h, &cmd);
		snapshot_tell_late(h, player_session(p, old->number),
				   &w->match->id);
	}
	DL_FOREACH2(old->tournaments, t, own_next)
	{
		struct command cmd = { .type = CMD_TOURNAMENT_WATCH,
				       .player = p->id,
				       .session = old->number,
				       .tournament.tournament =
					       t->tournament->id };
		hub_step(h, &cmd);
	}
	DL_FOREACH2(old->following, f, own_next)
	{
		struct command cmd = { .type = CMD_PLAYER_WATCH,
				       .player = p->id,
				       .session = old->number,
				       .whom = f->player->id };
		hub_step(h, &cmd);
	}
}

static void all_watch_again(struct hub *h, const struct domain *old)
{
	const struct player *p;
	const struct session *s;
	for (p = domain_players(old); p; p = player_next(p))
		DL_FOREACH (p->sessions, s)
			watch_again(h, s);
}

/* Facts that were thought lost are there, and what was to be told of them was
 * dropped: every session must look anew. */
static void close_sessions(struct hub *h)
{
	struct conn *c;
	for (size_t at = 0; (c = numbered_next(&h->conns, &at));)
		if (c->state == CONN_READY)
			conn_close_now(h, c, PLYD_ENOTSTORED, NULL);
	drop_waiting(h);
}

static void attach_again(struct hub *h)
{
	struct conn *c;
	for (size_t at = 0; (c = numbered_next(&h->conns, &at));) {
		if (id_is_none(&c->player))
			continue;
		const struct player *p = domain_player(h->domain, &c->player);
		if (!p || !player_session(p, c->session)) {
			c->player = (struct id){ "" };
			h->counts.sessions--;
			conn_close_now(h, c, PLYD_ENOTSTORED, NULL);
			continue;
		}
		struct command cmd = { .type = CMD_ATTACH,
				       .conn = c->number,
				       .player = c->player,
				       .session = c->session };
		hub_step(h, &cmd);
	}
}

/* Who left while the journal was broken left unheard. */
static void tell_absent(struct hub *h)
{
	const struct match *m;
	for (m = domain_matches(h->domain); m; m = match_next(m))
		for (int s = 0; s < 2; s++)
			if ((m->state == MATCH_NONCES ||
			     m->state == MATCH_PAUSED ||
			     m->state == MATCH_PLAYING) &&
			    !m->here[s])
				presence_tell(h, m, (enum side)s);
}

void hub_rebuilt(struct hub *h, struct domain *d, bool writable,
		 uint64_t now_ms, int64_t unix_ms)
{
	struct domain *old = h->domain;
	bool told_all = domain_last_row(d) <= h->durable_row;
	drop_waiting(h);
	if (!told_all)
		close_sessions(h);
	h->domain = d;
	domain_set_draining(d, h->wish.draining);
	h->durable_row = h->snapshot_row = domain_last_row(d);
	h->writable = writable;
	hub_wake(h, now_ms, unix_ms);
	attach_again(h);
	all_watch_again(h, old);
	tell_absent(h);
	domain_free(old);
}

void hub_writable(struct hub *h)
{
	h->writable = true;
}

bool hub_is_writable(const struct hub *h)
{
	return h->writable;
}

/* -- time -- */

enum { WAKE_MAX = 64 };

/* Matches that a crash cut off in the middle of a turn, a few at a time. */
struct waking {
	struct id match[WAKE_MAX];
	size_t count;
};

static void note_waking(void *payload, const struct match *m)
{
	struct waking *w = payload;
	if (w->count < WAKE_MAX)
		w->match[w->count++] = m->id;
}

void hub_wake(struct hub *h, uint64_t now_ms, int64_t unix_ms)
{
	struct waking w = { .count = 0 };
	if (h->started_ms == 0)
		h->started_ms = now_ms;
	hub_now(h, now_ms, unix_ms);
	if (domain_now_ms(h->domain) > h->now_ms)
		h->now_ms = domain_now_ms(h->domain);
	do {
		w.count = 0;
		domain_wake(h->domain, h->now_ms, note_waking, &w);
		for (size_t i = 0; i < w.count; i++) {
			struct command cmd = { .type = CMD_CONTINUE,
					       .match = w.match[i] };
			hub_step(h, &cmd);
		}
	} while (w.count == WAKE_MAX);
}

uint64_t hub_next_due_ms(const struct hub *h)
{
	uint64_t domain =
		h->writable ? domain_next_due_ms(h->domain) : UINT64_MAX;
	const struct due *conn = due_first(&h->due);
	uint64_t due = conn && conn->at_ms < domain ? conn->at_ms : domain;
	uint64_t stop = h->wish.stop_at_ms;
	return stop > 0 && stop < due ? stop : due;
}

void hub_tick(struct hub *h, uint64_t now_ms, int64_t unix_ms)
{
	const struct due *due;
	hub_now(h, now_ms, unix_ms);
	while (h->writable && domain_next_due_ms(h->domain) <= h->now_ms) {
		struct command cmd = { .type = CMD_TICK };
		hub_step(h, &cmd);
	}
	while ((due = due_first(&h->due)) && due->at_ms <= h->now_ms)
		conn_due(h, due->owner);
	operator_wish_due(h);
}

/* A choice that cannot be replaced by any other stops its match. */
static void tell_if_frozen(const struct hub *h, const struct id *match)
{
	const struct match *m = domain_match(h->domain, match);
	if (m && m->state == MATCH_FROZEN)
		log_event(LOG_ERROR, "a match is frozen: no move was found",
			  "match=%s ply=%u", match->text, m->ply);
}

void hub_thought(struct hub *h, const struct id *match,
		 const struct cmd_thought *thought, uint64_t now_ms,
		 int64_t unix_ms)
{
	hub_now(h, now_ms, unix_ms);
	if (!h->writable)
		return; /* the turn is released again after the rebuild */
	struct command cmd = { .type = CMD_THOUGHT,
			       .match = *match,
			       .thought = *thought };
	cmd.thought.say = chat_mask_thought(h, match, thought->say);
	hub_step(h, &cmd);
	tell_if_frozen(h, match);
}

void hub_verdict(struct hub *h, const struct id *match,
		 const struct cmd_verdict *verdict, uint64_t now_ms,
		 int64_t unix_ms)
{
	hub_now(h, now_ms, unix_ms);
	if (!h->writable)
		return; /* the position is judged again after the rebuild */
	struct command cmd = { .type = CMD_VERDICT,
			       .match = *match,
			       .verdict = *verdict };
	hub_step(h, &cmd);
}
