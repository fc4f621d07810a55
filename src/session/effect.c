/* SPDX-License-Identifier: MIT
 * effect.c - effects become messages. Who hears of what is decided here and
 * nowhere else. */
#include "session/hub_priv.h"

#include <stdlib.h>

#include <utlist.h>

#include "base/log.h"
#include "base/memory.h"
#include "proto/write.h"
#include "record/summary.h"
#include "session/view.h"

/* -- answers -- */

void put_ids(struct buf *b, const struct player *p)
{
	const struct lobby_link *lobby;
	const struct match_link *match;
	put_cstr(b, "lobbies");
	put_array(b, (uint32_t)p->lobby_count);
	DL_FOREACH (p->lobbies, lobby)
		put_cstr(b, lobby->lobby->id.text);
	put_cstr(b, "matches");
	put_array(b, (uint32_t)p->match_count);
	DL_FOREACH (p->matches, match)
		put_cstr(b, match->match->id.text);
}

static void put_welcome(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	put_map(b, 15u + (fx->player->kind == KIND_BOT));
	put_cstr(b, "protocol");
	put_int(b, PROTOCOL_VERSION);
	put_cstr(b, "server");
	put_cstr(b, "plyd");
	put_cstr(b, "version");
	put_cstr(b, PLYD_VERSION);
	put_cstr(b, "player");
	view_player(b, fx->player);
	put_cstr(b, "session");
	put_uint(b, fx->session->number);
	put_cstr(b, "token");
	put_hex(b, span_of(h->token, TOKEN_BYTES));
	put_cstr(b, "resumed");
	put_bool(b, fx->answer.resumed);
	put_cstr(b, "features");
	put_array(b, 0);
	put_cstr(b, "limits");
	put_limits(h, b);
	put_ids(b, fx->player);
	put_welcome_meeting(b, h->domain, fx->player);
	put_cstr(b, "cooling_ms");
	put_int(b, domain_cooling_ms(h->domain, fx->player));
}

static void put_moved(struct buf *b, const struct effect *fx)
{
	char text[POSITION_TEXT_MAX];
	const struct match *m = fx->match;
	put_map(b, 5);
	put_cstr(b, "ply");
	put_uint(b, fx->answer.ply);
	put_cstr(b, "move");
	put_cstr(b, fx->answer.move);
	put_cstr(b, "seq");
	put_uint(b, fx->answer.seq);
	put_cstr(b, "duplicate");
	put_bool(b, fx->answer.duplicate);
	put_cstr(b, "position");
	put_str(b, span_of(text, game_write(&m->rules->rules, fx->answer.after,
					    text)));
}

static void put_acted(struct buf *b, const struct effect *fx)
{
	bool dice = fx->command == CMD_MATCH_ROLL;
	put_map(b, 3u + dice);
	put_cstr(b, "ply");
	put_uint(b, fx->answer.ply);
	put_cstr(b, "seq");
	put_uint(b, fx->answer.seq);
	put_cstr(b, "duplicate");
	put_bool(b, fx->answer.duplicate);
	if (!dice)
		return;
	put_cstr(b, "dice");
	put_array(b, 2);
	put_int(b, fx->answer.die[0]);
	put_int(b, fx->answer.die[1]);
}

/* What the operator does is answered alike, but for what gives a secret. */
static bool is_act(enum command_type command)
{
	return command >= CMD_ADMIN_SAY && command < CMD_ATTACH;
}

/* Of the event that it caused, or of its act in the audit trail. */
static void put_number(struct buf *b, const struct effect *fx)
{
	put_map(b, 1);
	put_cstr(b, is_act(fx->command) ? "audit" : "seq");
	put_uint(b, fx->answer.seq);
}

static void put_answer(struct hub *h, const struct effect *fx)
{
	static const struct id nobody;
	struct buf *b = &h->out;
	const struct id *viewer = fx->player ? &fx->player->id : &nobody;
	if (put_meeting_answer(h, fx) || put_tournament_answer(h, fx))
		return;
	switch (fx->command) {
	case CMD_HELLO: put_welcome(h, fx); break;
	case CMD_MATCH_GET:
	case CMD_MATCH_WATCH:
		view_match(b, fx->match, viewer, h->now_ms);
		break;
	case CMD_PLAYER_WATCH: view_followed(b, fx->answer.about); break;
	case CMD_RATING_GET:
		view_ratings(b, h->domain, fx->answer.about, viewer,
			     h->unix_ms);
		break;
	case CMD_RATING_HISTORY:
		view_rating_history(b, h->domain, fx->answer.about,
				    fx->answer.past, viewer);
		break;
	case CMD_RATING_LEADERS:
		view_leaders(b, h->domain, fx->answer.board, fx->answer.shown,
			     viewer, h->unix_ms);
		break;
	case CMD_MATCH_MOVE: put_moved(b, fx); break;
	case CMD_MATCH_REMATCH:
	case CMD_MATCH_REMATCH_DECLINE:
		view_rematch(b, fx->match, h->now_ms);
		break;
	case CMD_MATCH_ROLL:
	case CMD_MATCH_DOUBLE:
	case CMD_MATCH_TAKE:
	case CMD_MATCH_DROP: put_acted(b, fx); break;
	case CMD_MATCH_SEEN: view_lag(b, fx->match); break;
	case CMD_LOBBY_LEAVE:
	case CMD_MATCH_UNWATCH:
	case CMD_PLAYER_UNWATCH:
	case CMD_MATCH_NONCE: put_map(b, 0); break;
	case CMD_ACCOUNT_GET:
	case CMD_ACCOUNT_REGISTER:
	case CMD_ACCOUNT_PASSWORD:
	case CMD_ACCOUNT_RENAME:
	case CMD_ACCOUNT_LOGOUT:
	case CMD_ACCOUNT_SESSIONS:
	case CMD_ACCOUNT_DELETE:
	case CMD_ACCOUNT_EXPORT: put_account_answer(h, fx); break;
	case CMD_ADMIN_BOT_TOKEN:
	case CMD_ADMIN_TOKEN:
	case CMD_ADMIN_RESET: put_admin_account(h, fx); break;
	case CMD_ADMIN_RELOAD: put_reloaded(h, fx); break;
	case CMD_CHAT_SEND:
	case CMD_CHAT_GET:
	case CMD_CHAT_SWITCH:
	case CMD_BLOCK_ADD:
	case CMD_BLOCK_REMOVE:
	case CMD_BLOCK_LIST:
	case CMD_REPORT_SEND: put_chat_answer(h, fx); break;
	default: put_number(b, fx); break;
	}
}

static enum entry_type entry_for(const struct effect *fx)
{
	return fx->command == CMD_HELLO || fx->command == CMD_MATCH_WATCH ||
			       fx->command == CMD_MATCH_UNWATCH ||
			       fx->command == CMD_PLAYER_WATCH ||
			       fx->command == CMD_PLAYER_UNWATCH ||
			       fx->answer.left
		       ? ENTRY_SESSION
		       : ENTRY_ANSWER;
}

/* What an answer changes in the connection that gets it. */
static void answered(struct hub *h, struct conn *c, const struct effect *fx)
{
	if (fx->command != CMD_HELLO) {
		answered_account(h, c, fx);
		return;
	}
	if (c->hello_waits)
		password_was_good(h, c, fx->player);
	c->hello_waits = false;
	c->player = fx->player->id;
	c->session = fx->session->number;
	h->counts.sessions++;
	conn_move_to(c, CONN_READY);
}

static void on_answer(struct hub *h, const struct effect *fx)
{
	struct conn *c = find_conn(h, fx->conn);
	if (c)
		answered(h, c, fx);
	buf_clear(&h->out);
	rpc_begin_result(&h->out, fx->msgid);
	put_answer(h, fx);
	int err = h->out.err;
	if (err) {
		hub_error(h, fx->conn, fx->msgid, err, NULL, NULL, NULL);
	}
	hub_queue(h, entry_for(fx), fx->conn, fx->msgid);
}

/* Where the match stands: what a client needs after `stale_ply` or such. */
static void put_where(struct buf *b, void *match)
{
	const struct match *m = match;
	bool over = m->state == MATCH_OVER;
	put_map(b, 2u + over);
	put_cstr(b, "ply");
	put_uint(b, m->ply);
	put_cstr(b, "seq");
	put_uint(b, m->seq);
	if (!over)
		return;
	put_cstr(b, "result");
	view_result(b, &(struct result_view){
			       .result = m->result,
			       .reason = span_str(end_reason_name(m->reason)),
			       .points = m->points,
			       .words = span_str(match_words(m)),
			       .score = { m->pos.stakes.score[WHITE],
					  m->pos.stakes.score[BLACK] },
		       });
}

/* When it may be tried again. */
static void put_wait(struct buf *b, void *effect)
{
	const struct effect *fx = effect;
	bool until = fx->until_unix_ms > 0;
	put_map(b, 1);
	put_cstr(b, until ? "until_unix_ms" : "retry_after_ms");
	put_int(b, until ? fx->until_unix_ms : fx->retry_ms);
}

/* A mute without an end is told without one. */
static bool has_wait(const struct effect *fx)
{
	return fx->retry_ms > 0 ||
	       (fx->until_unix_ms > 0 && fx->until_unix_ms < MUTED_FOR_EVER);
}

static void refused(struct conn *c, int err)
{
	c->hello_waits = false;
	c->hello_failures += err == PLYD_ETOKEN;
	if (err == PLYD_EBADLOGIN)
		log_event(LOG_INFO, "a password was wrong",
			  "conn=%llu address=%s", (unsigned long long)c->number,
			  conn_address(c));
}

/* The match that a command made before. */
static void put_became(struct buf *b, void *match)
{
	const struct id *id = match;
	put_map(b, 1);
	put_cstr(b, "match");
	put_cstr(b, id->text);
}

static void on_refuse(struct hub *h, const struct effect *fx)
{
	struct conn *c = find_conn(h, fx->conn);
	struct refused_move move = { fx->match, fx->refusal };
	if (c)
		refused(c, fx->err);
	if (fx->refusal)
		hub_error(h, fx->conn, fx->msgid, fx->err,
			  reason_text(fx->refusal->reason), put_refused_move,
			  &move);
	else if (has_wait(fx))
		hub_error(h, fx->conn, fx->msgid, fx->err, fx->text, put_wait,
			  (void *)fx);
	else if (!id_is_none(&fx->answer.match))
		hub_error(h, fx->conn, fx->msgid, fx->err, fx->text, put_became,
			  (void *)&fx->answer.match);
	else
		hub_error(h, fx->conn, fx->msgid, fx->err, fx->text,
			  fx->match ? put_where : NULL, (void *)fx->match);
	hub_queue(h, ENTRY_ANSWER, fx->conn, fx->msgid);
}

/* -- audiences -- */

static void queue_notice(struct hub *h, uint64_t conn, struct message *m)
{
	if (conn != 0)
		hub_queue_message(h, ENTRY_NOTICE, conn, 0, message_hold(m));
}

static void queue_watched(struct hub *h, const struct watcher *w,
			  struct message *m)
{
	if (w->session->conn != 0)
		hub_queue_match(h, ENTRY_WATCHED, w->session->conn,
				&w->match->id, message_hold(m));
}

/* All his sessions that are here. */
static void tell_sessions(struct hub *h, const struct player *p,
			  struct message *m)
{
	const struct session *s;
	DL_FOREACH (p->sessions, s)
		queue_notice(h, s->conn, m);
}

void player_tell(struct hub *h, const struct player *p)
{
	if (!player_is_here(p))
		return;
	struct message *m = hub_message(h);
	tell_sessions(h, p, m);
	message_drop(m);
}

/* Everybody who hears of a match: its seats and its spectators. */
static void tell_audience(struct hub *h, const struct match *m)
{
	struct message *message = hub_message(h);
	const struct watcher *w;
	for (int s = 0; s < 2; s++) {
		/* one who is not linked any more may still be here */
		const struct player *p =
			m->link[s].match
				? m->link[s].player
				: domain_player(h->domain, &m->seat[s].player);
		if (p)
			tell_sessions(h, p, message);
	}
	/* or else they see it later */
	for (w = m->late ? NULL : m->watchers; w; w = w->next)
		queue_watched(h, w, message);
	message_drop(message);
}

/* Those who see a match late; m is as they do. */
static void tell_late(struct hub *h, const struct match *m)
{
	struct message *message = hub_message(h);
	const struct match *live = domain_match(h->domain, &m->id);
	const struct watcher *w;
	DL_FOREACH (live->watchers, w)
		queue_watched(h, w, message);
	message_drop(message);
}

static bool is_last_fact_of_match(const struct step *step,
				  const struct effect *fx)
{
	for (const struct effect *e = fx + 1;
	     e < step->effect + step->effect_count; e++)
		if (e->type == EFFECT_FACT && e->match == fx->match)
			return false;
	return true;
}

/* The events of one step are numbered up to the match's seq. */
static uint64_t seq_of(const struct step *step, const struct effect *fx)
{
	uint64_t seq = fx->match->seq;
	for (const struct effect *e = fx + 1;
	     e < step->effect + step->effect_count; e++)
		seq -= e->type == EFFECT_FACT && e->match == fx->match;
	return seq;
}

static void on_fact(struct hub *h, const struct effect *fx,
		    const struct step *step)
{
	bool last = is_last_fact_of_match(step, fx);
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "match.event");
	view_event(&h->out, fx->fact, seq_of(step, fx), last ? fx->match : NULL,
		   h->now_ms);
	tell_audience(h, fx->match);
}

void presence_tell(struct hub *h, const struct match *m, enum side side)
{
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "match.presence");
	view_presence(&h->out, m, side,
		      domain_limits(h->domain)->claim_after_ms, h->now_ms);
	tell_audience(h, m);
}

static void on_late_fact(struct hub *h, const struct effect *fx)
{
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "match.event");
	view_event(&h->out, fx->fact, fx->match->seq,
		   fx->last ? fx->match : NULL, h->now_ms);
	tell_late(h, fx->match);
}

static void on_late_presence(struct hub *h, const struct effect *fx)
{
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "match.presence");
	view_presence(&h->out, fx->match, fx->side,
		      domain_limits(h->domain)->claim_after_ms, h->now_ms);
	tell_late(h, fx->match);
}

/* Who began to watch without asking for this match. */
static void on_snapshot(struct hub *h, const struct effect *fx)
{
	static const struct id nobody;
	const struct match *m = fx->match;
	const struct match *live = domain_match(h->domain, &m->id);
	const struct watcher *w;
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "match.snapshot");
	view_match(&h->out, m, &nobody, h->now_ms);
	if (fx->conn != 0) {
		hub_queue(h, ENTRY_NOTICE, fx->conn, 0);
		return;
	}
	struct message *message = hub_message(h);
	DL_FOREACH (live->watchers, w)
		queue_notice(h, w->session->conn, message);
	message_drop(message);
}

void snapshot_tell_late(struct hub *h, const struct session *s,
			const struct id *match)
{
	const struct match *m = domain_match(h->domain, match);
	if (!m || !m->late || s->conn == 0)
		return;
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "match.snapshot");
	view_match(&h->out, match_seen(m, &s->player->id), &s->player->id,
		   h->now_ms);
	hub_queue(h, ENTRY_NOTICE, s->conn, 0);
}

/* Each seat gets the snapshot as he sees it. */
static void on_started(struct hub *h, const struct effect *fx)
{
	for (int s = 0; s < 2; s++) {
		const struct id *id = &fx->match->seat[s].player;
		const struct player *p = domain_player(h->domain, id);
		if (!p || !player_is_here(p))
			continue;
		buf_clear(&h->out);
		rpc_begin_notification(&h->out, "match.started");
		view_match(&h->out, fx->match, id, h->now_ms);
		player_tell(h, p);
	}
	log_event(LOG_INFO, "match began", "match=%s ruleset=%s",
		  fx->match->id.text, fx->match->rules->rules.name);
}

static void on_rematch(struct hub *h, const struct effect *fx)
{
	for (int s = 0; s < 2; s++) {
		const struct id *id = &fx->match->seat[s].player;
		const struct player *p = domain_player(h->domain, id);
		if (!p || !player_is_here(p))
			continue;
		buf_clear(&h->out);
		rpc_begin_notification(&h->out, "match.rematch");
		view_rematch(&h->out, fx->match, h->now_ms);
		player_tell(h, p);
	}
}

static void on_lobby(struct hub *h, const struct effect *fx)
{
	for (int s = 0; s < 2; s++) {
		const struct id *id = &fx->lobby->seat[s].player;
		const struct player *p = domain_player(h->domain, id);
		if (!p || !player_is_here(p))
			continue;
		buf_clear(&h->out);
		rpc_begin_notification(&h->out, "lobby.changed");
		view_lobby(&h->out, h->domain, fx->lobby, id);
		player_tell(h, p);
	}
}

/* Another session of the same player has given a command for his seat. */
static void on_seat_taken(struct hub *h, const struct effect *fx)
{
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, fx->match ? "match.seat_taken"
						  : "lobby.seat_taken");
	put_map(&h->out, 3);
	put_cstr(&h->out, fx->match ? "match" : "lobby");
	put_cstr(&h->out, fx->match ? fx->match->id.text : fx->lobby->id.text);
	put_cstr(&h->out, "side");
	put_cstr(&h->out, side_name(fx->side));
	put_cstr(&h->out, "session");
	put_uint(&h->out, fx->session->number);
	hub_queue(h, ENTRY_NOTICE, fx->conn, 0);
}

/* -- the shell's part -- */

static void on_detach(struct hub *h, const struct effect *fx)
{
	struct conn *c = find_conn(h, fx->conn);
	if (!c)
		return;
	/* the player is with another connection now */
	c->player = (struct id){ "" };
	h->counts.sessions--;
	conn_close_ordered(h, c, fx->err);
}

/* What the domain is told once all so far is durable. */
static void queue_of_match(struct hub *h, enum entry_type type,
			   const struct effect *fx)
{
	struct entry e = { .type = type,
			   .after = domain_last_row(h->domain),
			   .match = fx->match->id,
			   .ply = fx->released.ply,
			   .takebacks = fx->released.takebacks };
	if (outbox_put(&h->outbox, &e))
		memory_ran_out("queueing what follows a commit");
}

static void on_finished(struct hub *h, const struct effect *fx)
{
	const struct match *m = fx->match;
	buf_clear(&h->row);
	summary_write(&h->row, m, h->unix_ms);
	const struct hub_ending ending = {
		.match = &m->id,
		.last_row = m->last_row,
		.head = &m->head,
		.player = { &m->seat[WHITE].player, &m->seat[BLACK].player },
		.summary = buf_span(&h->row),
	};
	h->ops.finish(h->ops.payload, &ending);
	h->dirty = true;
	queue_of_match(h, ENTRY_FINISHED, fx);
	log_event(LOG_INFO, "match ended",
		  "match=%s result=%d reason=%s plies=%u", m->id.text,
		  (int)m->result, end_reason_name(m->reason), m->ply);
}

void effect_perform(struct hub *h, const struct effect *fx,
		    const struct step *step)
{
	switch (fx->type) {
	case EFFECT_ANSWER: on_answer(h, fx); break;
	case EFFECT_REFUSE: on_refuse(h, fx); break;
	case EFFECT_DETACH: on_detach(h, fx); break;
	case EFFECT_FACT: on_fact(h, fx, step); break;
	case EFFECT_STARTED: on_started(h, fx); break;
	case EFFECT_REMATCH: on_rematch(h, fx); break;
	case EFFECT_PRESENCE: presence_tell(h, fx->match, fx->side); break;
	case EFFECT_SEAT_TAKEN: on_seat_taken(h, fx); break;
	case EFFECT_LOBBY: on_lobby(h, fx); break;
	case EFFECT_LOBBY_CLOSED:
	case EFFECT_INVITED:
	case EFFECT_INVITE_DECLINED:
	case EFFECT_CHALLENGED:
	case EFFECT_SEEK_CLOSED:
	case EFFECT_QUICK_WAITING:
	case EFFECT_BOT_FINISHED: meeting_effect(h, fx); break;
	case EFFECT_TOURNAMENT:
	case EFFECT_TOURNAMENT_ROUND:
	case EFFECT_TOURNAMENT_TABLE:
	case EFFECT_TOURNAMENT_STANDINGS: tournament_effect(h, fx); break;
	case EFFECT_RELEASE: queue_of_match(h, ENTRY_RELEASE, fx); break;
	case EFFECT_JUDGE: h->ops.judge(h->ops.payload, fx->match); break;
	case EFFECT_THINK:
		h->ops.think(h->ops.payload, fx->match, fx->asked);
		break;
	case EFFECT_LATE_FACT: on_late_fact(h, fx); break;
	case EFFECT_LATE_PRESENCE: on_late_presence(h, fx); break;
	case EFFECT_SNAPSHOT: on_snapshot(h, fx); break;
	case EFFECT_FINISHED: on_finished(h, fx); break;
	case EFFECT_HASH: on_hash(h, fx); break;
	case EFFECT_CHAT: on_chat(h, fx); break;
	case EFFECT_CHAT_SWITCHED: on_chat_switched(h, fx); break;
	case EFFECT_REPORTED: on_reported(fx); break;
	case EFFECT_NOTICE: on_notice(h, fx); break;
	case EFFECT_DRAIN: on_drain(h, fx); break;
	case EFFECT_CONTINUE: break; /* hub_step() goes on with it */
	}
}
