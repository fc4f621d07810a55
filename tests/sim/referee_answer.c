/* SPDX-License-Identifier: MIT
 * referee_answer.c - every request has one answer, of its shape, and true; a
 * refusal names a reason that holds. */
#include "referee_priv.h"

#include <stdio.h>

#include "base/hex.h"
#include "proto/schema.h"

enum { MATCH_LENGTH_LIMIT = 25 };

static void wrong(struct sim *sim, const struct link *l, const struct asked *a,
		  const char *what)
{
	sim_fail(sim, "%s asked %s %s %u %s: %s", client_name(l->client),
		 a->method ? method_info(a->method)->name : "something wrong",
		 a->match.text, a->ply,
		 a->method == METHOD_HELLO ? "(token)" : a->text, what);
}

/* -- hello -- */

static bool lists(const struct value *ids, const struct id *id)
{
	struct span text;
	for (size_t i = 0; i < value_count(ids); i++)
		if (!value_str(value_at(ids, i), &text) &&
		    span_is(text, id->text))
			return true;
	return false;
}

/* All his matches; those of the last batch may have come or gone after. */
static void judge_seats(struct sim *sim, const struct link *l,
			const struct asked *a, const struct book_player *p,
			const struct value *ids)
{
	const struct referee *r = sim->referee;
	for (size_t i = 0; i < r->matches; i++) {
		const struct book_match *m = &r->match[i];
		bool his = seat_of(m, &p->id) >= 0;
		bool listed = lists(ids, &m->id);
		bool fresh = m->fact[0].batch + 1 >= r->batch;
		bool over = m->over || is_frozen(m);
		bool ended = over && m->fact[m->facts - 1].batch + 1 < r->batch;
		if (listed ? !his || ended : his && !over && !fresh)
			wrong(sim, l, a, "told of other matches than his");
	}
}

static void judge_welcome(struct sim *sim, struct link *l,
			  const struct asked *a, const struct value *map)
{
	uint8_t bytes[TOKEN_BYTES];
	struct referee *r = sim->referee;
	struct id id;
	id_in(value_find(map, "player"), "id", &id);
	struct book_player *p = book_player(r, &id);
	if (!p || p->gone) {
		wrong(sim, l, a, "the player is not durable");
		return;
	}
	hex_read(str_in(map, "token"), bytes, sizeof(bytes));
	struct span part = span_of(bytes, sizeof(bytes));
	struct digest fresh = sha256(&part, 1);
	bool known = false;
	for (size_t i = 0; i < p->offer_count; i++)
		known = known || digest_eq(&fresh, &p->offers[i]);
	if (!known)
		wrong(sim, l, a, "the token that it gives is not durable");
	if (a->flag != bool_in(map, "resumed") ||
	    (a->flag && book_token(r, span_str(a->text)) != p))
		wrong(sim, l, a, "resumed by a token that is not good");
	judge_seats(sim, l, a, p, value_find(map, "matches"));
	l->ready = true;
	l->hello_ms = a->sent_ms;
	l->ready_batch = r->batch - 1;
	l->player = id;
	l->session = int_in(map, "session");
	if (!book_session(p, l->session) && session_is_over(sim, l))
		wrong(sim, l, a, "the session has ended");
	if (a->login[0] && strcmp(a->login, p->login) != 0)
		wrong(sim, l, a, "logged in as another");
	if (book_session(p, l->session))
		p->here = true;
}

/* -- moves -- */

/* The log up to where the details say that the match stands. */
static const struct book_fact *stands_at(struct sim *sim, const struct link *l,
					 const struct asked *a,
					 const struct book_match *m,
					 const struct value *details)
{
	int64_t seq = int_in(details, "seq");
	if (seq < 1 || (size_t)seq > m->facts) {
		wrong(sim, l, a, "refused by what is not durable");
		return NULL;
	}
	if (int_in(details, "ply") != m->fact[seq - 1].plies)
		wrong(sim, l, a, "refused with another ply");
	return &m->fact[seq - 1];
}

/* Whether this request repeats the last move of its seat. */
static bool is_repeated(const struct book_match *m, size_t facts, int side,
			const struct asked *a)
{
	char text[MOVE_TEXT_MAX];
	for (size_t i = facts; i > 1; i--) {
		const struct book_fact *f = &m->fact[i - 1];
		if (f->type != FACT_MOVED || f->side != side)
			continue;
		return in_force(m, i - 1, facts) && f->ply == a->ply &&
		       canonical(&m->rules, &m->fact[i - 2].pos, a->text,
				 text) &&
		       !strcmp(text, f->text);
	}
	return false;
}

static void judge_illegal(struct sim *sim, const struct link *l,
			  const struct asked *a, const struct book_match *m,
			  const struct value *details)
{
	struct move move;
	struct refusal why;
	size_t i = m->facts;
	if (int_in(details, "ply") != a->ply) {
		wrong(sim, l, a, "an illegal move at another ply");
		return;
	}
	if (a->method != METHOD_MATCH_MOVE)
		return; /* a double, and the reason one of the cube's */
	while (i > 1 &&
	       (m->fact[i - 1].plies != a->ply || turn_after(m, i) < 0))
		i--;
	const struct position *pos = &m->fact[i - 1].pos;
	if (pos->side != seat_of(m, &l->player))
		wrong(sim, l, a, "judged though it is not his turn");
	if (!game_check(&m->rules, pos, a->text, strlen(a->text), &move, &why))
		wrong(sim, l, a, "a legal move is called illegal");
	else if (!span_is(str_in(details, "reason"), reason_name(why.reason)))
		wrong(sim, l, a, "illegal for another reason");
}

static void judge_move_refused(struct sim *sim, const struct link *l,
			       const struct asked *a,
			       const struct book_match *m, int64_t code,
			       const struct value *details)
{
	int side = seat_of(m, &l->player);
	if (code == PLYD_EILLEGAL) {
		judge_illegal(sim, l, a, m, details);
		return;
	}
	const struct book_fact *at = stands_at(sim, l, a, m, details);
	if (!at)
		return;
	size_t facts = (size_t)(at - m->fact) + 1;
	bool another =
		a->ply != at->plies ||
		(a->takebacks_known && a->takebacks_known - 1 != at->takebacks);
	bool holds = code == PLYD_ENOTAWAITED
			     ? stakes_not_awaited(m, facts, a->method)
		     : code == PLYD_ESTALE      ? another
		     : code == PLYD_EGAMEOVER   ? at->type == FACT_ENDED
		     : code == PLYD_ENOTSTARTED ? !at->playing
		     : code == PLYD_EPAUSED     ? at->paused
		     : code == PLYD_EFROZEN     ? at->frozen
		     : code == PLYD_ETURN
			     ? at->playing && turn_after(m, facts) != side
		     : code == PLYD_EFLAG ? m->clock.kind != CLOCK_UNLIMITED &&
						    turn_after(m, facts) == side
					  : false;
	if (!holds)
		wrong(sim, l, a, "refused for a reason that does not hold");
	if (a->method == METHOD_MATCH_MOVE && is_repeated(m, facts, side, a))
		wrong(sim, l, a, "a repeated move is refused");
}

/* LB-11: of a half-move, and of a throw, one answer says that it was done just
 * now. */
static void judge_once(struct sim *sim, const struct link *l,
		       const struct asked *a, struct book_fact *f,
		       bool duplicate)
{
	if (duplicate)
		return;
	if (f->acked)
		wrong(sim, l, a, "said to be played just now, twice");
	f->acked = true;
}

static void judge_moved(struct sim *sim, const struct link *l,
			const struct asked *a, const struct value *map)
{
	struct book_match *m = book_match(sim->referee, &a->match);
	int64_t seq = int_in(map, "seq");
	char text[MOVE_TEXT_MAX];
	if (!m || seq < 2 || (size_t)seq > m->facts) {
		wrong(sim, l, a, "said to be played, but not durable");
		return;
	}
	struct book_fact *f = &m->fact[seq - 1];
	if (f->type != FACT_MOVED || f->ply != a->ply ||
	    int_in(map, "ply") != f->ply || f->side != seat_of(m, &l->player) ||
	    !span_is(str_in(map, "move"), f->text) ||
	    !canonical(&m->rules, &m->fact[seq - 2].pos, a->text, text) ||
	    strcmp(text, f->text))
		wrong(sim, l, a, "another move than was asked for");
	if (!position_is(&m->rules, &f->pos, str_in(map, "position")))
		wrong(sim, l, a, "another position than that after it");
	if (f->undone && m->fact[f->undone].batch + 1 < sim->referee->batch)
		wrong(sim, l, a, "what was taken back is said to be played");
	judge_once(sim, l, a, f, bool_in(map, "duplicate"));
}

static void judge_acted(struct sim *sim, const struct link *l,
			const struct asked *a, const struct value *map)
{
	struct book_match *m = book_match(sim->referee, &a->match);
	if (!m || !stakes_acted(m, seat_of(m, &l->player), a, map))
		wrong(sim, l, a, "said to be done, but was not");
	else
		judge_once(sim, l, a, &m->fact[int_in(map, "seq") - 1],
			   bool_in(map, "duplicate"));
}

/* -- refusals -- */

static bool is_forgotten(const struct sim *sim, const struct book_match *m)
{
	uint64_t keep = (uint64_t)sim->domain_limits.result_keep_ms;
	return m->over && (m->ended_generation != sim->referee->generation ||
			   sim_domain_ms(sim) >= m->ended_ms + keep);
}

static void judge_no_lobby(struct sim *sim, const struct link *l,
			   const struct asked *a)
{
	const struct referee *r = sim->referee;
	const struct book_lobby *b = book_lobby(r, &a->lobby);
	if (b && b->open && !b->code[0] && !b->invited_only &&
	    a->method != METHOD_LOBBY_DECLINE)
		wrong(sim, l, a, "an open lobby is denied");
	for (size_t i = 0; i < r->lobbies; i++)
		if (a->method == METHOD_LOBBY_JOIN && r->lobby[i].open &&
		    a->text[0] && !strcmp(r->lobby[i].code, a->text))
			wrong(sim, l, a, "a good code is denied");
}

/* Faults that a request written by the book cannot have. */
static bool is_of_form(int64_t code)
{
	return code <= PLYD_EMESSAGE && code >= PLYD_EVALUE;
}

/* What binds a ply and is judged as moves are; a throw, too. */
static bool is_half_move(enum method method)
{
	return method == METHOD_MATCH_MOVE || method == METHOD_MATCH_ROLL ||
	       method == METHOD_MATCH_DOUBLE || method == METHOD_MATCH_TAKE ||
	       method == METHOD_MATCH_DROP;
}

static void judge_match_refused(struct sim *sim, const struct link *l,
				const struct asked *a, int64_t code,
				const struct value *details)
{
	const struct book_match *m = book_match(sim->referee, &a->match);
	if (code == PLYD_ENOMATCH) {
		if (m && !is_forgotten(sim, m))
			wrong(sim, l, a, "a match is denied that there is");
		return;
	}
	if (!m)
		wrong(sim, l, a, "refused by a match that is not durable");
	else if (code == PLYD_ESEAT ? seat_of(m, &l->player) >= 0
				    : seat_of(m, &l->player) < 0)
		wrong(sim, l, a, "his seat is denied or made up");
	else if (is_half_move(a->method) && code != PLYD_ESEAT)
		judge_move_refused(sim, l, a, m, code, details);
	else if (code == PLYD_EGAMEOVER && !m->over)
		wrong(sim, l, a, "the match is not over");
	else if (code == PLYD_EABORT && id_is_none(&m->cup) &&
		 m->fact[m->facts - 1].plies < ABORT_PLIES_MAX)
		wrong(sim, l, a, "it may still be aborted");
	else if (code == PLYD_ENODRAW && !m->no_offers &&
		 ruleset_draw_by_agreement(&m->rules))
		wrong(sim, l, a, "a draw may be agreed on");
	else if ((code == PLYD_EOFFEREARLY && !m->offers_from) ||
		 (code == PLYD_EOFFERSPENT && !m->offers_max))
		wrong(sim, l, a, "the policy has no such limit of offers");
}

static bool hello_is_open(const struct link *l, const struct asked *a)
{
	for (size_t i = 0; i < l->asked_count; i++)
		if (&l->asked[i] != a && l->asked[i].method == METHOD_HELLO &&
		    !l->asked[i].answered)
			return true;
	return l->ready;
}

/* Whether a length may be asked for. */
static bool takes_length(const struct sim *sim, const char *ruleset)
{
	for (int i = 0; i < RULESETS; i++)
		if (ruleset && !strcmp(sim->rules[i].rules.name, ruleset))
			return sim->rules[i].rules.family ==
				       FAMILY_BACKGAMMON &&
			       sim->rules[i].rules.backgammon.match_length > 0;
	return false;
}

static void judge_refused(struct sim *sim, struct link *l,
			  const struct asked *a, const struct value *error)
{
	int64_t code = 0;
	const struct value *details = value_at(error, 3);
	(void)value_int(value_at(error, 0), INT64_MIN, 0, &code);
	if (value_count(error) != 4 || value_type(details) != VALUE_MAP) {
		wrong(sim, l, a, "the error has not its shape");
		return;
	}
	struct span name = { 0 };
	(void)value_str(value_at(error, 1), &name);
	story_tell(&sim->story, sim->t_ms, "server", "refuses %s: %.*s",
		   client_name(l->client), (int)name.len,
		   (const char *)name.at);
	if (!span_is(name, plyd_err_name((int)code)))
		wrong(sim, l, a, "the error's name is not its code's");
	if (code == PLYD_EINTERNAL || code == 0)
		wrong(sim, l, a, "a fault of the server");
	if (code == PLYD_ENOTSTORED && hub_is_writable(sim->hub))
		wrong(sim, l, a, "not stored, though the disk is well");
	if (a->method == 0 || code == PLYD_ENOTSTORED || code == PLYD_ERATE)
		return;
	judge_account_refused(sim, l, a, code);
	if (code == PLYD_EFROZEN)
		judge_frozen_refusal(sim, l, a);
	if (is_of_form(code) && !l->garbage)
		wrong(sim, l, a, "a good request is called malformed");
	if (code == PLYD_ETOKEN && book_token(sim->referee, span_str(a->text)))
		wrong(sim, l, a, "a good token is refused");
	if (code == PLYD_EHELLOAGAIN && !hello_is_open(l, a))
		wrong(sim, l, a, "no hello was answered well on this link");
	if (code == PLYD_ENOLOBBY)
		judge_no_lobby(sim, l, a);
	judge_meeting_refused(sim, l, a, code);
	judge_ai_refused(sim, l, code, a->method);
	struct book_clock clock;
	if (code == PLYD_ECLOCK && a->method == METHOD_LOBBY_CREATE &&
	    a->clock.ruleset && clock_of_lobby(sim, &a->clock, &clock))
		wrong(sim, l, a, "a good clock is refused");
	if (code == PLYD_ELENGTH && a->length <= MATCH_LENGTH_LIMIT &&
	    a->length > 0 && takes_length(sim, a->clock.ruleset))
		wrong(sim, l, a, "a good length is refused");
	if ((code <= PLYD_ENOMATCH && code >= PLYD_ENONCE) ||
	    code == PLYD_ENOTAWAITED)
		judge_match_refused(sim, l, a, code, details);
}

/* -- results -- */

static void judge_lobbies(struct sim *sim, const struct link *l,
			  const struct value *map)
{
	const struct value *list = value_find(map, "lobbies");
	for (size_t i = 0; i < value_count(list); i++) {
		const struct value *lobby = value_at(list, i);
		judge_lobby(sim, l, lobby);
		if (bool_in(lobby, "private"))
			sim_fail(sim, "a private lobby is listed");
	}
}

/* A key always finds the lobby that it made first. */
static void judge_created(struct sim *sim, const struct link *l,
			  const struct asked *a, const struct value *map)
{
	struct id id;
	id_in(map, "lobby", &id);
	const struct book_lobby *b = book_lobby(sim->referee, &id);
	if (!b)
		return;
	if (strcmp(b->key, a->text) || !id_eq(&b->opener, &l->player))
		wrong(sim, l, a, "another lobby than its key made");
	if (a->length > 0 && a->length != b->length)
		wrong(sim, l, a, "another length than was asked for");
	if (strcmp(b->position, a->position ? a->position : "") != 0)
		wrong(sim, l, a, "another position than was asked for");
	struct book_clock clock;
	if (a->clock.ruleset && (!clock_of_lobby(sim, &a->clock, &clock) ||
				 !clocks_equal(&clock, &b->clock)))
		wrong(sim, l, a, "another clock than was asked for");
}

static void judge_running(struct sim *sim, const struct link *l,
			  const struct asked *a, const struct value *map)
{
	const struct value *list = value_find(map, "matches");
	struct id id;
	for (size_t i = 0; i < value_count(list); i++)
		if (!id_in(value_at(list, i), "match", &id) ||
		    !book_match(sim->referee, &id))
			wrong(sim, l, a,
			      "a match is listed that is not "
			      "durable");
}

/* What seat commands answer: the event that they made. */
static void judge_seq(struct sim *sim, const struct link *l,
		      const struct asked *a, const struct value *map)
{
	static const enum fact_type makes[METHODS_MAX] = {
		[METHOD_MATCH_RESIGN] = FACT_ENDED,
		[METHOD_MATCH_ABORT] = FACT_ENDED,
		[METHOD_MATCH_CLAIM] = FACT_ENDED,
		[METHOD_MATCH_ACCEPT_DRAW] = FACT_ENDED,
		[METHOD_MATCH_OFFER_DRAW] = FACT_DRAW_OFFERED,
		[METHOD_MATCH_DECLINE_DRAW] = FACT_DRAW_DECLINED,
		[METHOD_MATCH_PAUSE_OFFER] = FACT_PAUSE_OFFERED,
		[METHOD_MATCH_PAUSE_ACCEPT] = FACT_PAUSED,
		[METHOD_MATCH_PAUSE_DECLINE] = FACT_PAUSE_DECLINED,
		[METHOD_MATCH_RESUME] = FACT_RESUMED,
		[METHOD_MATCH_LEAVE] = FACT_ENDED,
		[METHOD_MATCH_TAKEBACK_OFFER] = FACT_TAKEBACK_OFFERED,
		[METHOD_MATCH_TAKEBACK_ACCEPT] = FACT_TAKEN_BACK,
		[METHOD_MATCH_TAKEBACK_DECLINE] = FACT_TAKEBACK_DECLINED,
		[METHOD_MATCH_ACCEPT_RESIGN] = FACT_ENDED,
		[METHOD_MATCH_DECLINE_RESIGN] = FACT_RESIGN_DECLINED,
	};
	const struct book_match *m = book_match(sim->referee, &a->match);
	int64_t seq = int_in(map, "seq");
	if (!m || seq < 1 || (size_t)seq > m->facts) {
		wrong(sim, l, a, "done, it is said, but not durable");
		return;
	}
	const struct book_fact *f = &m->fact[seq - 1];
	bool agreed = (a->method == METHOD_MATCH_OFFER_DRAW &&
		       f->type == FACT_ENDED) ||
		      (a->method == METHOD_MATCH_PAUSE_OFFER &&
		       f->type == FACT_PAUSED) ||
		      (a->method == METHOD_MATCH_TAKEBACK_OFFER &&
		       f->type == FACT_TAKEN_BACK); /* by a personality */
	bool resigned =
		f->type == FACT_GAME_ENDED
			? a->method == METHOD_MATCH_RESIGN ||
				  a->method == METHOD_MATCH_ACCEPT_RESIGN
			: f->type == FACT_RESIGN_OFFERED &&
				  a->method == METHOD_MATCH_RESIGN;
	if (f->type != makes[a->method] && !agreed && !resigned)
		wrong(sim, l, a, "that is another event");
}

static void judge_rules_moves(struct sim *sim, const struct link *l,
			      const struct asked *a, const struct value *map)
{
	static struct move_list list;
	char text[MOVE_TEXT_MAX];
	struct position after;
	const struct value *moves = value_find(map, "moves");
	if (game_moves(a->rules, &a->pos, &list) ||
	    int_in(map, "total") != (int64_t)list.total ||
	    value_count(moves) != list.count ||
	    side_in(map, "turn") != a->pos.side)
		wrong(sim, l, a, "another number of moves");
	for (size_t i = 0; i < list.count && !sim->failed; i++) {
		const struct value *choice = value_at(moves, i);
		game_move_text(a->rules, &a->pos, &list.move[i], text);
		game_apply(a->rules, &a->pos, &list.move[i], &after);
		if (!span_is(str_in(choice, "move"), text) ||
		    !position_is(a->rules, &after, str_in(choice, "position")))
			wrong(sim, l, a, "another move, or it leads elsewhere");
	}
}

static void judge_rules_check(struct sim *sim, const struct link *l,
			      const struct asked *a, const struct value *map)
{
	struct move move;
	struct refusal why;
	struct position after;
	int err = game_check(a->rules, &a->pos, a->text, strlen(a->text), &move,
			     &why);
	if (bool_in(map, "legal") != !err) {
		wrong(sim, l, a, "judged otherwise");
		return;
	}
	if (err) {
		if (!span_is(str_in(map, "reason"), reason_name(why.reason)) ||
		    int_in(value_find(map, "at"), "step") != why.step)
			wrong(sim, l, a, "illegal for another reason");
		return;
	}
	game_apply(a->rules, &a->pos, &move, &after);
	if (!position_is(a->rules, &after, str_in(map, "position")))
		wrong(sim, l, a, "it leads elsewhere");
}

static void judge_unwatched(struct sim *sim, struct link *l,
			    const struct asked *a)
{
	struct heard *h = heard_of(l, &a->match, false);
	if (h && seat_of(book_match(sim->referee, &a->match), &l->player) < 0)
		h->subscribed = false;
}

static void judge_result(struct sim *sim, struct link *l, const struct asked *a,
			 const struct value *map)
{
	char why[SCHEMA_WHY_MAX];
	if (a->method == 0) {
		wrong(sim, l, a, "and got it");
		return;
	}
	if (!schema_check(map, method_info(a->method)->result, why)) {
		wrong(sim, l, a, why);
		return;
	}
	judge_rights(sim, l, a);
	if (judge_meeting(sim, l, a, map) || judge_cup(sim, a, map))
		return;
	switch (a->method) {
	case METHOD_HELLO: judge_welcome(sim, l, a, map); break;
	case METHOD_LOBBY_LIST: judge_lobbies(sim, l, map); break;
	case METHOD_LOBBY_CREATE:
		judge_lobby(sim, l, map);
		judge_created(sim, l, a, map);
		break;
	case METHOD_LOBBY_JOIN:
	case METHOD_LOBBY_GET:
	case METHOD_LOBBY_READY: judge_lobby(sim, l, map); break;
	case METHOD_MATCH_LIST: judge_running(sim, l, a, map); break;
	case METHOD_MATCH_GET: judge_snapshot(sim, l, map, SHOWN_ONCE); break;
	case METHOD_MATCH_WATCH:
		judge_snapshot(sim, l, map, SHOWN_TO_FOLLOW);
		break;
	case METHOD_MATCH_UNWATCH: judge_unwatched(sim, l, a); break;
	case METHOD_RECORD_GET: judge_record(sim, l, a, map); break;
	case METHOD_RECORD_LIST: judge_records(sim, l, map); break;
	case METHOD_PLAYER_WATCH: judge_followed(sim, l, a, map); break;
	case METHOD_PLAYER_UNWATCH: judge_unfollowed(l, a); break;
	case METHOD_RULES_MOVES: judge_rules_moves(sim, l, a, map); break;
	case METHOD_RULES_CHECK: judge_rules_check(sim, l, a, map); break;
	case METHOD_MATCH_MOVE: judge_moved(sim, l, a, map); break;
	case METHOD_MATCH_SEEN: judge_seen(sim, l, a, map); break;
	case METHOD_MATCH_ROLL:
	case METHOD_MATCH_DOUBLE:
	case METHOD_MATCH_TAKE:
	case METHOD_MATCH_DROP: judge_acted(sim, l, a, map); break;
	case METHOD_CHAT_SEND: judge_chat_said(sim, l, a, map); break;
	case METHOD_CHAT_GET: judge_chat(sim, l, map); break;
	case METHOD_MATCH_REMATCH:
	case METHOD_MATCH_REMATCH_DECLINE: judge_rematch(sim, l, map); break;
	case METHOD_MATCH_ACCEPT_RESIGN:
	case METHOD_MATCH_DECLINE_RESIGN:
	case METHOD_MATCH_RESIGN:
	case METHOD_MATCH_ABORT:
	case METHOD_MATCH_CLAIM:
	case METHOD_MATCH_OFFER_DRAW:
	case METHOD_MATCH_ACCEPT_DRAW:
	case METHOD_MATCH_DECLINE_DRAW:
	case METHOD_MATCH_PAUSE_OFFER:
	case METHOD_MATCH_PAUSE_ACCEPT:
	case METHOD_MATCH_PAUSE_DECLINE:
	case METHOD_MATCH_RESUME:
	case METHOD_MATCH_LEAVE:
	case METHOD_MATCH_TAKEBACK_OFFER:
	case METHOD_MATCH_TAKEBACK_ACCEPT:
	case METHOD_MATCH_TAKEBACK_DECLINE: judge_seq(sim, l, a, map); break;
	default: judge_account_answer(sim, l, a, map); break;
	}
}

void judge_response(struct sim *sim, struct link *l, const struct value *root)
{
	int64_t msgid = -1;
	struct asked *a = NULL;
	(void)value_int(value_at(root, 1), 0, UINT32_MAX, &msgid);
	for (size_t i = 0; !a && i < l->asked_count; i++)
		if (!l->asked[i].answered && l->asked[i].msgid == msgid)
			a = &l->asked[i];
	if (!a) {
		if (!l->garbage)
			sim_fail(sim, "%s gets an answer to nothing",
				 client_name(l->client));
		return;
	}
	a->answered = true;
	if (value_type(value_at(root, 2)) == VALUE_NIL)
		judge_result(sim, l, a, value_at(root, 3));
	else
		judge_refused(sim, l, a, value_at(root, 2));
}
