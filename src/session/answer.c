/* SPDX-License-Identifier: MIT
 * answer.c - what is answered at once, without a domain step: it may overtake
 * the outbox, since it shows nothing that a crash could take back. */
#include "session/hub_priv.h"

#include "proto/write.h"
#include "session/view.h"

static void begin(struct hub *h, const struct request *r)
{
	buf_clear(&h->out);
	rpc_begin_result(&h->out, r->msgid);
}

static void put_limit(struct buf *b, const char *name, int64_t value)
{
	put_cstr(b, name);
	put_int(b, value);
}

void put_limits(struct hub *h, struct buf *b)
{
	const struct domain_limits *d = domain_limits(h->domain);
	put_map(b, 23);
	put_limit(b, "message_bytes", MESSAGE_BYTES_MAX);
	put_limit(b, "message_elements", MESSAGE_ELEMENTS_MAX);
	put_limit(b, "message_depth", MESSAGE_DEPTH_MAX);
	put_limit(b, "answer_bytes", ANSWER_BYTES_MAX);
	put_limit(b, "lobbies", d->lobbies_per_player);
	put_limit(b, "matches", d->matches_per_player);
	put_limit(b, "seeks", d->seeks_per_player);
	put_limit(b, "challenge_keep_ms", d->challenge_keep_ms);
	put_limit(b, "ready_wait_ms", d->ready_wait_ms);
	put_limit(b, "lobby_away_ms", d->lobby_away_ms);
	put_limit(b, "list_shown", LIST_SHOWN_MAX);
	put_limit(b, "watches", d->watches_per_player);
	put_limit(b, "requests_per_s", h->limits.requests_per_s);
	put_limit(b, "requests_burst", h->limits.requests_burst);
	put_limit(b, "idle_ms", h->limits.idle_ms);
	put_limit(b, "legal_moves", LEGAL_SHOWN_MAX);
	put_limit(b, "plies", PLIES_MAX);
	put_limit(b, "match_length", d->match_length_max);
	put_limit(b, "chat_chars", CHAT_CHARS_MAX);
	put_limit(b, "chat_burst", d->chat_burst);
	put_limit(b, "chat_line_ms", d->chat_line_ms);
	put_limit(b, "blocks", BLOCKS_MAX);
	put_limit(b, "reports_per_day", d->reports_per_day);
}

static void answer_server_info(struct hub *h, const struct request *r)
{
	struct buf *b = &h->out;
	begin(h, r);
	put_map(b, 7);
	put_cstr(b, "server");
	put_cstr(b, "plyd");
	put_cstr(b, "version");
	put_cstr(b, PLYD_VERSION);
	put_limit(b, "uptime_ms", (int64_t)(h->now_ms - h->started_ms));
	put_limit(b, "players", (int64_t)h->counts.sessions);
	put_limit(b, "lobbies", (int64_t)domain_lobby_count(h->domain));
	put_limit(b, "matches", (int64_t)domain_match_count(h->domain));
	put_cstr(b, "limits");
	put_limits(h, b);
}

static void put_personality(struct hub *h, const struct personality *p)
{
	struct buf *b = &h->out;
	uint32_t plays = 0;
	size_t rules = domain_rules_count(h->domain);
	for (size_t i = 0; i < rules; i++)
		plays += personality_plays(p, i);
	put_map(b, 2u + (plays < rules) + (p->version[0] != '\0'));
	put_cstr(b, "name");
	put_cstr(b, p->name);
	put_cstr(b, "about");
	put_cstr(b, p->about);
	if (p->version[0]) {
		put_cstr(b, "version");
		put_cstr(b, p->version);
	}
	if (plays == rules)
		return;
	put_cstr(b, "rulesets");
	put_array(b, plays);
	for (size_t i = 0; i < rules; i++)
		if (personality_plays(p, i))
			put_cstr(b, domain_rules_at(h->domain, i)->rules.name);
}

static void answer_rules_list(struct hub *h, const struct request *r)
{
	struct buf *b = &h->out;
	size_t rules = domain_rules_count(h->domain);
	size_t persons = domain_personality_count(h->domain);
	begin(h, r);
	put_map(b, 2);
	put_cstr(b, "rulesets");
	put_array(b, (uint32_t)rules);
	for (size_t i = 0; i < rules; i++)
		view_ruleset(b, domain_rules_at(h->domain, i));
	put_cstr(b, "personalities");
	put_array(b, (uint32_t)persons);
	for (size_t i = 0; i < persons; i++)
		put_personality(h, domain_personality_at(h->domain, i));
}

static void put_offset(struct buf *b, void *where)
{
	const struct text_error *e = where;
	put_map(b, 1);
	put_limit(b, "offset", (int64_t)e->offset);
}

static void answer_error(struct hub *h, const struct request *r, int err,
			 const char *message)
{
	hub_error(h, h->asker, r->msgid, err, message, NULL, NULL);
}

/* The rules and the position of a rules.* request; else answers why not. */
static const struct ruleset *
read_position(struct hub *h, const struct request *r, struct span ruleset,
	      bool given, struct span text, struct position *pos)
{
	const struct match_rules *m = domain_rules_find(h->domain, ruleset);
	struct text_error where;
	if (!m) {
		answer_error(h, r, PLYD_ERULESET, NULL);
		return NULL;
	}
	if (!given) {
		game_start(&m->rules, pos);
		return &m->rules;
	}
	if (!game_read(&m->rules, (const char *)text.at, text.len, pos, &where))
		return &m->rules;
	hub_error(h, h->asker, r->msgid, PLYD_EPOSITION, where.text, put_offset,
		  &where);
	return NULL;
}

static void put_position(struct buf *b, const struct ruleset *rules,
			 const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	put_cstr(b, "position");
	put_str(b, span_of(text, game_write(rules, pos, text)));
}

static void put_move(struct buf *b, const struct ruleset *rules,
		     const struct position *pos, const struct move *move)
{
	char text[MOVE_TEXT_MAX];
	put_str(b, span_of(text, game_move_text(rules, pos, move, text)));
}

static void answer_rules_moves(struct hub *h, const struct request *r)
{
	static struct move_list list;
	const struct params_rules_moves *p = &r->params.rules_moves;
	struct buf *b = &h->out;
	struct position pos, after;
	const struct ruleset *rules =
		read_position(h, r, p->ruleset, p->has_position, p->position,
			      &pos);
	if (!rules)
		return;
	int err = game_moves(rules, &pos, &list);
	if (err) {
		answer_error(h, r, err, NULL);
		return;
	}
	begin(h, r);
	put_map(b, 4);
	put_position(b, rules, &pos);
	put_cstr(b, "turn");
	put_cstr(b, side_name(pos.side));
	put_limit(b, "total", (int64_t)list.total);
	put_cstr(b, "moves");
	put_array(b, (uint32_t)list.count);
	for (size_t i = 0; i < list.count; i++) {
		put_map(b, 2);
		put_cstr(b, "move");
		put_move(b, rules, &pos, &list.move[i]);
		game_apply(rules, &pos, &list.move[i], &after);
		put_position(b, rules, &after);
	}
}

/* reason, at, text, detail, legal_moves, legal_total: 6 entries. */
static void put_refusal(struct buf *b, const struct ruleset *rules,
			const struct position *pos, const struct refusal *why)
{
	static struct move_list list;
	put_cstr(b, "reason");
	put_cstr(b, reason_name(why->reason));
	put_cstr(b, "at");
	put_map(b, 3);
	put_limit(b, "step", why->step);
	put_cstr(b, "from");
	put_cstr(b, why->from);
	put_cstr(b, "to");
	put_cstr(b, why->to);
	put_cstr(b, "text");
	put_cstr(b, reason_text(why->reason));
	put_cstr(b, "detail");
	put_cstr(b, why->detail);
	if (game_moves(rules, pos, &list))
		list.count = list.total = 0;
	size_t shown =
		list.count < LEGAL_SHOWN_MAX ? list.count : LEGAL_SHOWN_MAX;
	put_limit(b, "legal_total", (int64_t)list.total);
	put_cstr(b, "legal_moves");
	put_array(b, (uint32_t)shown);
	for (size_t i = 0; i < shown; i++)
		put_move(b, rules, pos, &list.move[i]);
}

static void answer_rules_check(struct hub *h, const struct request *r)
{
	const struct params_rules_check *p = &r->params.rules_check;
	struct buf *b = &h->out;
	struct position pos, after;
	struct move move;
	struct refusal why;
	const struct ruleset *rules =
		read_position(h, r, p->ruleset, p->has_position, p->position,
			      &pos);
	if (!rules)
		return;
	int err = game_check(rules, &pos, (const char *)p->move.at, p->move.len,
			     &move, &why);
	if (err && err != PLYD_EILLEGAL) {
		answer_error(h, r, err, NULL);
		return;
	}
	begin(h, r);
	put_map(b, err ? 7 : 3);
	put_cstr(b, "legal");
	put_bool(b, !err);
	if (err) {
		put_refusal(b, rules, &pos, &why);
		return;
	}
	put_cstr(b, "move");
	put_move(b, rules, &pos, &move);
	game_apply(rules, &pos, &move, &after);
	put_position(b, rules, &after);
}

void put_refused_move(struct buf *b, void *payload)
{
	const struct refused_move *x = payload;
	put_map(b, 7);
	put_limit(b, "ply", x->match->ply);
	put_refusal(b, &x->match->rules->rules, &x->match->pos, x->refusal);
}

void answer_now(struct hub *h, struct conn *c, const struct request *r)
{
	switch (r->method) {
	case METHOD_SERVER_INFO: answer_server_info(h, r); break;
	case METHOD_ADMIN_STATUS: answer_admin_status(h, r); break;
	case METHOD_ADMIN_STATS: answer_admin_stats(h, r); break;
	case METHOD_RULES_LIST: answer_rules_list(h, r); break;
	case METHOD_RULES_MOVES: answer_rules_moves(h, r); break;
	case METHOD_RULES_CHECK: answer_rules_check(h, r); break;
	default: /* ping */
		begin(h, r);
		put_map(&h->out, 0);
		break;
	}
	hub_send_now(h, c->number);
}
