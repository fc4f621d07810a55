/* SPDX-License-Identifier: MIT
 * operator.c - the operator's connections: what they may look at, what they do,
 * and what everybody is told of it. */
#include "session/hub_priv.h"

#include <utlist.h>

#include "base/log.h"
#include "proto/write.h"
#include "session/view.h"

enum { STOP_MS_MIN = 200 }; /* the answer leaves before the end */

/* -- looking -- */

static void put_count(struct buf *b, const char *key, size_t value)
{
	put_cstr(b, key);
	put_uint(b, value);
}

static void put_quarantined(struct hub *h)
{
	const char *(*nth)(void *, size_t) = h->ops.quarantined;
	uint32_t count = 0;
	while (nth && nth(h->ops.payload, count))
		count++;
	put_cstr(&h->out, "quarantined");
	put_array(&h->out, count);
	for (uint32_t i = 0; i < count; i++)
		put_cstr(&h->out, nth(h->ops.payload, i));
}

void answer_admin_status(struct hub *h, const struct request *r)
{
	struct buf *b = &h->out;
	struct hub_counts n = hub_counts(h);
	uint64_t stop_ms = h->wish.stop_at_ms;
	buf_clear(b);
	rpc_begin_result(b, r->msgid);
	put_map(b, 16u + (stop_ms > 0));
	put_cstr(b, "version");
	put_cstr(b, PLYD_VERSION);
	put_count(b, "uptime_ms", hub_uptime_ms(h));
	put_cstr(b, "writable");
	put_bool(b, h->writable);
	put_cstr(b, "draining");
	put_bool(b, domain_is_draining(h->domain));
	if (stop_ms > 0)
		put_count(b, "stops_in_ms",
			  stop_ms > h->now_ms ? stop_ms - h->now_ms : 0);
	put_count(b, "connections", n.connections);
	put_count(b, "sessions", n.sessions);
	put_count(b, "players", domain_player_count(h->domain));
	put_count(b, "lobbies", domain_lobby_count(h->domain));
	put_count(b, "matches", domain_match_count(h->domain));
	put_count(b, "waiting", n.waiting);
	put_count(b, "waiting_bytes", n.waiting_bytes);
	put_count(b, "requests", n.requests);
	put_count(b, "refused", n.refused);
	put_count(b, "facts", n.facts);
	put_count(b, "reports", domain_report_count(h->domain));
	put_quarantined(h);
}

void answer_admin_stats(struct hub *h, const struct request *r)
{
	buf_clear(&h->out);
	rpc_begin_result(&h->out, r->msgid);
	put_map(&h->out, 1);
	put_cstr(&h->out, "stats");
	if (h->ops.stats)
		h->ops.stats(h->ops.payload, &h->out);
	else
		put_array(&h->out, 0);
}

static const char *address_of(const struct hub *h, const struct player *p)
{
	const struct session *s;
	DL_FOREACH (p->sessions, s) {
		const struct conn *c = find_conn(h, s->conn);
		if (c)
			return conn_address(c);
	}
	return NULL;
}

static void put_players(struct hub *h, const struct request *r)
{
	const struct params_admin_players *want = &r->params.admin_players;
	struct admin_page page = { .first = (size_t)want->first };
	const struct player *p;
	for (p = domain_players(h->domain); p; p = player_next(p))
		page.total += !want->online || player_is_here(p);
	view_admin_page(&h->out, "players", &page);
	for (p = domain_players(h->domain); p; p = player_next(p)) {
		if (want->online && !player_is_here(p))
			continue;
		if (admin_page_shows(&page))
			view_admin_player(&h->out, p, address_of(h, p),
					  h->unix_ms);
	}
}

static void put_lobbies(struct hub *h, const struct request *r)
{
	static const struct id nobody;
	struct admin_page page = {
		.first = (size_t)r->params.admin_lobbies.first,
		.total = domain_lobby_count(h->domain),
	};
	const struct lobby *l;
	view_admin_page(&h->out, "lobbies", &page);
	for (l = domain_lobbies(h->domain); l; l = lobby_next(l))
		if (admin_page_shows(&page))
			view_lobby(&h->out, h->domain, l, &nobody);
}

static void put_matches(struct hub *h, const struct request *r)
{
	struct admin_page page = {
		.first = (size_t)r->params.admin_matches.first,
	};
	const struct match *m;
	for (m = domain_matches(h->domain); m; m = match_next(m))
		page.total++;
	view_admin_page(&h->out, "matches", &page);
	for (m = domain_matches(h->domain); m; m = match_next(m))
		if (admin_page_shows(&page))
			view_admin_match_line(&h->out, m);
}

static void put_audit(struct hub *h, const struct request *r)
{
	struct admin_page page = {
		.first = (size_t)r->params.admin_audit.first,
		.total = domain_audit_count(h->domain),
	};
	const struct audit_act *a;
	view_admin_page(&h->out, "acts", &page);
	for (a = domain_audit(h->domain); a; a = a->next)
		if (admin_page_shows(&page))
			view_audit_act(&h->out, a);
}

static void put_bans(struct hub *h, const struct request *r)
{
	struct admin_page page = {
		.first = (size_t)r->params.admin_bans.first,
		.total = domain_ban_count(h->domain),
	};
	const struct ban *b;
	view_admin_page(&h->out, "bans", &page);
	for (b = domain_bans(h->domain); b; b = b->next)
		if (admin_page_shows(&page))
			view_ban(&h->out, b, h->unix_ms);
}

static void put_tokens(struct hub *h, const struct request *r)
{
	struct admin_page page = {
		.first = (size_t)r->params.admin_tokens.first,
		.total = domain_operator_token_count(h->domain),
	};
	const struct operator_token *t;
	view_admin_page(&h->out, "tokens", &page);
	for (t = domain_operator_tokens(h->domain); t; t = t->next)
		if (admin_page_shows(&page))
			view_operator_token(&h->out, t, h->unix_ms);
}

static void put_reports(struct hub *h, const struct request *r)
{
	struct admin_page page = {
		.first = (size_t)r->params.admin_reports.first,
		.most = REPORTS_SHOWN_MAX,
		.total = domain_report_count(h->domain),
	};
	const struct report *report;
	view_admin_page(&h->out, "reports", &page);
	for (report = domain_reports(h->domain); report; report = report->next)
		if (admin_page_shows(&page))
			view_report(&h->out, report);
}

/* What there is of a match on the disk, be it over, running or frozen. */
static void ask_export(struct hub *h, const struct conn *c,
		       const struct request *r)
{
	const struct id *id = &r->params.admin_export.match;
	const struct match *m = domain_match(h->domain, id);
	bool running = m && m->state != MATCH_OVER;
	if (running && !h->ops.rows) {
		refuse_at_once(h, c, r, PLYD_ENOTALLOWED);
		return;
	}
	h->records_asked++;
	(running ? h->ops.rows : h->ops.record)(h->ops.payload, c->number,
						r->msgid, id);
}

/* Answers what only looks, in order; false: this does more. */
static bool look(struct hub *h, struct conn *c, const struct request *r)
{
	static const struct id nobody;
	const struct match *m;
	buf_clear(&h->out);
	rpc_begin_result(&h->out, r->msgid);
	switch (r->method) {
	case METHOD_ADMIN_PLAYERS: put_players(h, r); break;
	case METHOD_ADMIN_LOBBIES: put_lobbies(h, r); break;
	case METHOD_ADMIN_MATCHES: put_matches(h, r); break;
	case METHOD_ADMIN_AUDIT: put_audit(h, r); break;
	case METHOD_ADMIN_BANS: put_bans(h, r); break;
	case METHOD_ADMIN_REPORTS: put_reports(h, r); break;
	case METHOD_ADMIN_TOKENS: put_tokens(h, r); break;
	case METHOD_ADMIN_MATCH:
		m = domain_match(h->domain, &r->params.admin_match.match);
		if (m) {
			view_match(&h->out, m, &nobody, h->now_ms);
			break;
		}
		hub_error(h, c->number, r->msgid, PLYD_ENOMATCH, NULL, NULL,
			  NULL);
		break;
	default: return false;
	}
	hub_queue(h, ENTRY_ANSWER, c->number, r->msgid);
	return true;
}

/* -- doing -- */

static void to_end_match(const struct params_admin_end_match *p,
			 struct command *cmd)
{
	static const enum match_result results[] = {
		[ENDING_WHITE] = RESULT_WHITE,
		[ENDING_BLACK] = RESULT_BLACK,
		[ENDING_DRAW] = RESULT_DRAW,
		[ENDING_NONE] = RESULT_ABORTED,
	};
	cmd->type = CMD_ADMIN_END_MATCH;
	cmd->match = p->match;
	cmd->admin = (struct cmd_admin){ .text = p->text,
					 .result = results[p->result] };
}

static void to_shutdown(const struct params_admin_shutdown *p,
			struct command *cmd)
{
	int64_t in_ms = p->in_ms > STOP_MS_MIN ? p->in_ms : STOP_MS_MIN;
	cmd->type = CMD_ADMIN_SHUTDOWN;
	cmd->admin = (struct cmd_admin){ .text = p->text,
					 .on = !p->cancel,
					 .ms = p->cancel ? 0 : in_ms };
}

static void to_adjust_clock(const struct params_admin_adjust_clock *p,
			    struct command *cmd)
{
	cmd->type = CMD_ADMIN_ADJUST_CLOCK;
	cmd->match = p->match;
	cmd->admin =
		(struct cmd_admin){ .side = p->side == CLOCK_OF_WHITE ? WHITE
								      : BLACK,
				    .ms = p->add_ms,
				    .text = p->text };
}

static void to_ban(const struct params_admin_ban *p, struct command *cmd)
{
	cmd->type = CMD_ADMIN_BAN;
	cmd->admin = (struct cmd_admin){ .player = p->player,
					 .address = p->address,
					 .name = p->name,
					 .ms = p->has_for_ms ? p->for_ms : -1,
					 .text = p->text };
}

static void to_unban(const struct params_admin_unban *p, struct command *cmd)
{
	cmd->type = CMD_ADMIN_UNBAN;
	cmd->admin = (struct cmd_admin){ .number = p->ban, .text = p->text };
}

static void to_mute(const struct params_admin_mute *p, struct command *cmd)
{
	cmd->type = CMD_ADMIN_MUTE;
	cmd->admin = (struct cmd_admin){ .player = p->player,
					 .ms = p->has_for_ms ? p->for_ms : -1,
					 .text = p->text };
}

static void to_unmute(const struct params_admin_unmute *p, struct command *cmd)
{
	cmd->type = CMD_ADMIN_UNMUTE;
	cmd->admin = (struct cmd_admin){ .player = p->player, .text = p->text };
}

static void to_act(const struct request *r, struct command *cmd)
{
	const struct params_admin_drain *drain = &r->params.admin_drain;
	switch (r->method) {
	case METHOD_ADMIN_END_MATCH:
		to_end_match(&r->params.admin_end_match, cmd);
		break;
	case METHOD_ADMIN_SHUTDOWN:
		to_shutdown(&r->params.admin_shutdown, cmd);
		break;
	case METHOD_ADMIN_CLOSE_REPORT:
		cmd->type = CMD_ADMIN_CLOSE_REPORT;
		cmd->admin.number = r->params.admin_close_report.report;
		cmd->admin.text = r->params.admin_close_report.text;
		break;
	case METHOD_ADMIN_ADJUST_CLOCK:
		to_adjust_clock(&r->params.admin_adjust_clock, cmd);
		break;
	case METHOD_ADMIN_BAN: to_ban(&r->params.admin_ban, cmd); break;
	case METHOD_ADMIN_UNBAN: to_unban(&r->params.admin_unban, cmd); break;
	case METHOD_ADMIN_MUTE: to_mute(&r->params.admin_mute, cmd); break;
	case METHOD_ADMIN_UNMUTE:
		to_unmute(&r->params.admin_unmute, cmd);
		break;
	case METHOD_ADMIN_DRAIN:
		cmd->type = CMD_ADMIN_DRAIN;
		cmd->admin.on = !drain->has_on || drain->on;
		break;
	case METHOD_ADMIN_KICK:
		cmd->type = CMD_ADMIN_KICK;
		cmd->admin.player = r->params.admin_kick.player;
		cmd->admin.text = r->params.admin_kick.text;
		break;
	default: /* admin.say */
		cmd->type = CMD_ADMIN_SAY;
		cmd->admin.text = r->params.admin_say.text;
		break;
	}
}

void operator_log_act(struct hub *h)
{
	const struct audit_act *a = domain_audit(h->domain);
	char text[LOG_LINE_MAX / 2], target[LOG_LINE_MAX / 4];
	log_event(LOG_INFO, "the operator did something",
		  "act=%s audit=%lld by=%s target=%s text=%s", a->act,
		  (long long)a->number, a->by[0] ? a->by : "-",
		  log_quote(a->target, strlen(a->target), target,
			    sizeof(target)),
		  log_quote(a->text, strlen(a->text), text, sizeof(text)));
}

/* Whoever a ban keeps out and is in goes. */
static void close_banned(struct hub *h)
{
	struct conn *c;
	for (size_t at = 0; (c = numbered_next(&h->conns, &at));) {
		const struct player *p = domain_player(h->domain, &c->player);
		struct newcomer who = {
			.player = p ? &p->id : NULL,
			.name = p ? p->name : NULL,
			.address = c->has_ip ? &c->ip : NULL,
		};
		if (!domain_ban_of(h->domain, &who, h->unix_ms))
			continue;
		if (c->state == CONN_READY)
			conn_close_ordered(h, c, PLYD_EBANNED);
		else if (c->state == CONN_NEW)
			conn_close_now(h, c, PLYD_EBANNED, NULL);
	}
}

void operator_run(struct hub *h, struct conn *c, const struct request *r)
{
	struct command cmd = { .conn = c->number, .msgid = r->msgid };
	const struct audit_act *last = domain_audit(h->domain);
	log_event(LOG_DEBUG, "the operator asks", "conn=%llu method=%s",
		  (unsigned long long)c->number, method_info(r->method)->name);
	if (!operator_says_clean(r)) {
		refuse_at_once(h, c, r, PLYD_ETEXT);
		return;
	}
	if (r->method == METHOD_ADMIN_EXPORT) {
		ask_export(h, c, r);
		return;
	}
	if (r->method == METHOD_ADMIN_RECORDS) {
		record_list_ask(h, c, r);
		return;
	}
	if (look(h, c, r) || errand_run(h, c, r))
		return;
	if (r->method == METHOD_ADMIN_RELOAD) {
		reload_ask(h, c, r);
		return;
	}
	h->idle_asked = r->method == METHOD_ADMIN_SHUTDOWN &&
			r->params.admin_shutdown.idle;
	if (!to_admin_account(h, r, &cmd))
		to_act(r, &cmd);
	cmd.admin.by = span_str(conn_by(c));
	hub_step(h, &cmd);
	if (domain_audit(h->domain) == last)
		return;
	operator_log_act(h);
	if (cmd.type == CMD_ADMIN_BAN)
		close_banned(h);
	if (cmd.type == CMD_ADMIN_TOKEN || cmd.type == CMD_ADMIN_TOKEN_REVOKE)
		operators_end(h, cmd.admin.login);
}

/* -- what everybody is told -- */

/* Keeps what held before the wish, until the wish is durable. */
static struct operator_wish *wish_change(struct hub *h)
{
	if (h->wish_row <= h->durable_row)
		h->wish_before = h->wish;
	h->wish_row = domain_last_row(h->domain);
	return &h->wish;
}

void operator_wish_lost(struct hub *h)
{
	if (h->wish_row > h->durable_row)
		h->wish = h->wish_before;
	h->wish_row = 0;
}

static bool is_played(const struct match *m)
{
	return m->state == MATCH_NONCES || m->state == MATCH_PLAYING;
}

/* Whether the operator waits for the last match, and it is over. */
static bool is_idle(const struct hub *h)
{
	const struct match *m;
	if (h->wish.idle_from_ms == 0 || h->wish.idle_from_ms > h->now_ms ||
	    !h->writable)
		return false;
	for (m = domain_matches(h->domain); m; m = match_next(m))
		if (is_played(m))
			return false;
	return true;
}

void operator_wish_due(struct hub *h)
{
	uint64_t stop_ms = h->wish.stop_at_ms;
	if (stop_ms == 0 || (stop_ms > h->now_ms && !is_idle(h)))
		return;
	h->wish.stop_at_ms = 0;
	h->ops.stop(h->ops.payload);
}

void on_drain(struct hub *h, const struct effect *fx)
{
	wish_change(h)->draining = fx->on;
}

void on_notice(struct hub *h, const struct effect *fx)
{
	static const char *const kinds[] = {
		[NOTICE_MESSAGE] = "message",
		[NOTICE_SHUTDOWN] = "shutdown",
		[NOTICE_CANCELLED] = "cancelled",
	};
	bool stops = fx->notice == NOTICE_SHUTDOWN;
	struct conn *c;
	if (fx->notice != NOTICE_MESSAGE) {
		struct operator_wish *wish = wish_change(h);
		wish->stop_at_ms = stops ? h->now_ms + (uint64_t)fx->in_ms : 0;
		wish->idle_from_ms =
			stops && h->idle_asked ? h->now_ms + STOP_MS_MIN : 0;
	}
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "server.notice");
	put_map(&h->out, 2u + 2u * stops);
	put_cstr(&h->out, "kind");
	put_cstr(&h->out, kinds[fx->notice]);
	put_cstr(&h->out, "text");
	put_cstr(&h->out, fx->text);
	if (stops) {
		put_count(&h->out, "in_ms", (size_t)fx->in_ms);
		put_count(&h->out, "retry_after_ms",
			  (size_t)(fx->in_ms + h->limits.retry_after_ms));
	}
	struct message *message = hub_message(h);
	for (size_t at = 0; (c = numbered_next(&h->conns, &at));)
		if (c->state == CONN_READY)
			hub_queue_message(h, ENTRY_NOTICE, c->number, 0,
					  message_hold(message));
	message_drop(message);
}
