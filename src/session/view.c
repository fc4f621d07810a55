/* SPDX-License-Identifier: MIT */
#include "session/view_priv.h"

#include <assert.h>

#include <utlist.h>

#include "domain/rating.h"
#include "proto/write.h"

const char *side_name(int side)
{
	return side == WHITE ? "white" : "black";
}

const char *kind_name(enum player_kind kind)
{
	static const char *const names[] = { "person", "bot", "personality",
					     "person" };
	return names[kind];
}

/* -- entries of a map -- */

static void put_entry_position(struct buf *b, const char *key,
			       const struct ruleset *rules,
			       const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	size_t len = game_write(rules, pos, text);
	put_cstr(b, key);
	put_str(b, span_of(text, len));
}

/* Five entries: a clock as it is agreed on. */
void put_clock_rules(struct buf *b, const struct clock_rules *c)
{
	bool limited = clock_is_limited(c);
	put_entry_str(b, "kind", clock_kind_name(c->kind));
	put_entry_int(b, "base_ms", limited ? c->base_ms : 0);
	put_entry_int(b, "increment_ms", limited ? c->increment_ms : 0);
	put_entry_int(b, "delay_ms", limited ? c->delay_ms : 0);
	put_entry_bool(b, "unlimited", !limited);
}

/* -- matches -- */

static bool has_changed(const struct match *m)
{
	return m->rated && m->state == MATCH_OVER &&
	       m->result != RESULT_ABORTED;
}

static uint32_t seat_rating_entries(const struct match *m, enum side side)
{
	return m->rating[side].before_milli > 0 ? 2u + has_changed(m) : 0;
}

static void put_seat_rating(struct buf *b, const struct match *m,
			    enum side side)
{
	const struct seat_rating *r = &m->rating[side];
	if (r->before_milli == 0)
		return;
	put_entry_int(b, "rating", rating_points(r->before_milli));
	put_entry_bool(b, "provisional",
		       r->deviation_milli > DEVIATION_PROVISIONAL_MILLI);
	if (has_changed(m))
		put_entry_int(b, "rating_change", r->change_points);
}

static void view_seat(struct buf *b, const char *key, const struct match *m,
		      enum side side, uint64_t now_ms)
{
	const struct seat *s = &m->seat[side];
	bool away = !m->here[side] && m->link[side].match;
	put_cstr(b, key);
	put_map(b, 4 + away + seat_rating_entries(m, side));
	put_entry_id(b, "player", &s->player);
	put_entry_str(b, "name", s->name);
	put_entry_str(b, "kind", kind_name(s->kind));
	put_entry_bool(b, "online", m->here[side]);
	if (away)
		put_entry_int(b, "away_ms",
			      (int64_t)(now_ms - m->away_ms[side]));
	put_seat_rating(b, m, side);
}

/* Whether a nonce is out that was not echoed. */
static bool has_lag(const struct match *m)
{
	return m->state == MATCH_PLAYING && m->lag.nonce != 0 && !m->lag.echoed;
}

static void put_lag(struct buf *b, const struct match *m)
{
	uint8_t nonce[LAG_NONCE_BYTES];
	for (size_t i = 0; i < LAG_NONCE_BYTES; i++)
		nonce[i] = (uint8_t)(m->lag.nonce >>
				     (8 * (LAG_NONCE_BYTES - 1 - i)));
	put_cstr(b, "lag");
	put_hex(b, span_of(nonce, sizeof(nonce)));
}

static void view_clock(struct buf *b, const struct match *m, int seat,
		       uint64_t now_ms)
{
	bool lag = has_lag(m) && seat == (int)match_turn(m);
	put_map(b, 13u + lag);
	put_clock_rules(b, &m->rules->clock);
	put_entry_int(b, "white_ms", match_left_ms(m, WHITE, now_ms));
	put_entry_int(b, "black_ms", match_left_ms(m, BLACK, now_ms));
	put_entry_int(b, "free_ms", match_free_ms(m, now_ms));
	put_entry_side(b, "running",
		       match_clock_runs(m) ? (int)match_turn(m) : -1);
	put_entry_int(b, "lag_per_move_ms", m->lag_rules.per_move_ms);
	put_entry_int(b, "lag_total_ms", m->lag_rules.total_ms);
	put_entry_int(b, "white_lag_ms", m->lag_used_ms[WHITE]);
	put_entry_int(b, "black_lag_ms", m->lag_used_ms[BLACK]);
	if (lag)
		put_lag(b, m);
}

void view_lag(struct buf *b, const struct match *m)
{
	enum side side = match_turn(m);
	put_map(b, 2);
	put_entry_int(b, "lag_ms", match_lag_ms(m));
	put_entry_int(b, "lag_left_ms",
		      m->lag_rules.total_ms - m->lag_used_ms[side] -
			      match_lag_ms(m));
}

static void view_draws(struct buf *b, const struct draw_rules *d)
{
	put_map(b, 5);
	put_entry_int(b, "no_progress", d->no_progress);
	put_entry_int(b, "repetition", d->repetition);
	put_entry_bool(b, "offers", !d->no_offers);
	put_entry_int(b, "offers_from", d->offers_from);
	put_entry_int(b, "offers_max", d->offers_max);
}

static bool has_scripts(const struct match *m)
{
	return m->rules->version[0] != '\0';
}

static void view_scripts(struct buf *b, const struct match *m)
{
	put_cstr(b, "scripts");
	put_map(b, 3u + (m->seat[WHITE].version[0] != '\0') +
			   (m->seat[BLACK].version[0] != '\0'));
	put_entry_str(b, "ruleset", m->rules->version);
	put_entry_str(b, "policy", m->rules->draws.policy);
	put_entry_str(b, "policy_version", m->rules->draws.version);
	for (int s = 0; s < 2; s++)
		if (m->seat[s].version[0])
			put_entry_str(b, side_name(s), m->seat[s].version);
}

static void view_moves(struct buf *b, const struct match *m)
{
	struct span rest = buf_span(&m->moves);
	put_array(b, m->ply);
	for (uint32_t i = 0; i < m->ply; i++) {
		const uint8_t *end = memchr(rest.at, '\n', rest.len);
		assert(end);
		size_t len = (size_t)(end - rest.at);
		put_str(b, span_of(rest.at, len));
		rest = span_of(end + 1, rest.len - len - 1);
	}
}

static void put_dice(struct buf *b, int64_t first, int64_t second)
{
	put_array(b, 2);
	put_int(b, first);
	put_int(b, second);
}

void view_result(struct buf *b, const struct result_view *r)
{
	static const char *const names[] = { "white", "black", "draw", "none" };
	bool score = r->score[WHITE] > 0 || r->score[BLACK] > 0;
	put_map(b, 3u + 2u * score + (r->words.len > 0) + (r->seed.len > 0));
	put_entry_str(b, "result", names[r->result]);
	put_cstr(b, "reason");
	put_str(b, r->reason);
	put_entry_int(b, "points", r->points);
	if (score) {
		put_entry_int(b, "white_score", r->score[WHITE]);
		put_entry_int(b, "black_score", r->score[BLACK]);
	}
	if (r->words.len > 0) {
		put_cstr(b, "text");
		put_str(b, r->words);
	}
	if (r->seed.len > 0) {
		put_cstr(b, "seed");
		put_hex(b, r->seed);
	}
}

static void view_match_result(struct buf *b, const struct match *m)
{
	bool dice = ruleset_has_dice(&m->rules->rules) && m->seed_known;
	put_cstr(b, "result");
	if (m->state != MATCH_OVER) {
		put_nil(b);
		return;
	}
	view_result(b, &(struct result_view){
			       .result = m->result,
			       .reason = span_str(end_reason_name(m->reason)),
			       .points = m->points,
			       .words = span_str(match_words(m)),
			       .score = { m->pos.stakes.score[WHITE],
					  m->pos.stakes.score[BLACK] },
			       .seed = span_of(m->seed, dice ? SEED_BYTES : 0),
		       });
}

/* The side that may move now, or -1. */
static int turn_of(const struct match *m)
{
	return m->state == MATCH_PLAYING && !match_awaits_server(m)
		       ? (int)match_turn(m)
		       : -1;
}

static void view_legal(struct buf *b, const struct match *m)
{
	static struct move_list list;
	char text[MOVE_TEXT_MAX];
	if (game_moves(&m->rules->rules, &m->pos, &list))
		list.count = list.total = 0;
	size_t shown =
		list.count < LEGAL_SHOWN_MAX ? list.count : LEGAL_SHOWN_MAX;
	put_entry_int(b, "legal_total", (int64_t)list.total);
	put_cstr(b, "legal_moves");
	put_array(b, (uint32_t)shown);
	for (size_t i = 0; i < shown; i++) {
		size_t len = game_move_text(&m->rules->rules, &m->pos,
					    &list.move[i], text);
		put_str(b, span_of(text, len));
	}
}

static void view_match_board(struct buf *b, const struct match *m)
{
	const struct ruleset *rules = &m->rules->rules;
	put_entry_int(b, "ply", m->ply);
	put_entry_side(b, "turn", turn_of(m));
	put_entry_position(b, "start_position", rules, &m->start);
	put_entry_position(b, "position", rules, &m->pos);
	put_cstr(b, "dice");
	if (m->pos.dice[0] == 0)
		put_nil(b);
	else
		put_dice(b, m->pos.dice[0], m->pos.dice[1]);
	put_cstr(b, "moves");
	view_moves(b, m);
	put_entry_side(b, "offer", m->offers.standing ? (int)m->offers.by : -1);
	put_entry_side(b, "takeback",
		       m->takeback.standing ? (int)m->takeback.by : -1);
	put_entry_side(b, "pause",
		       match_pause_stands(m) ? (int)m->pause.by : -1);
	put_cstr(b, "takebacks");
	if (m->rules->takeback)
		put_int(b, m->takebacks);
	else
		put_nil(b);
	put_cstr(b, "dice_commitment");
	if (ruleset_has_dice(rules))
		put_hex(b, span_of(m->commitment.byte, DIGEST_BYTES));
	else
		put_nil(b);
}

void view_rematch(struct buf *b, const struct match *m, uint64_t now_ms)
{
	const struct rematch *r = &m->rematch;
	uint64_t until = r->until_ms[WHITE] > r->until_ms[BLACK]
				 ? r->until_ms[WHITE]
				 : r->until_ms[BLACK];
	put_map(b, 5);
	put_entry_id(b, "match", &m->id);
	put_entry_bool(b, "white", match_wants_rematch(m, WHITE, now_ms));
	put_entry_bool(b, "black", match_wants_rematch(m, BLACK, now_ms));
	put_cstr(b, "lapses_in_ms");
	if (until > now_ms && id_is_none(&r->next))
		put_uint(b, until - now_ms);
	else
		put_nil(b);
	put_entry_id(b, "next", &r->next);
}

void view_match(struct buf *b, const struct match *m, const struct id *viewer,
		uint64_t now_ms)
{
	char rules[RULESET_TEXT_MAX];
	size_t rules_len = ruleset_write(&m->rules->rules, rules);
	int seat = match_seat_of(m, viewer);
	bool legal = seat >= 0 && seat == turn_of(m) &&
		     match_awaits(m) == AWAITS_MOVE;
	bool again = seat >= 0 && m->state == MATCH_OVER;
	bool frozen = m->state == MATCH_FROZEN, warned = match_is_warned(m);
	bool placed = match_is_of_tournament(m);
	put_map(b, 26u + view_has_stakes(m) + again + frozen + warned + placed +
			   2 * legal + has_scripts(m));
	put_entry_id(b, "match", &m->id);
	put_entry_int(b, "seq", (int64_t)m->seq);
	put_entry_str(b, "state", match_state_shown(m));
	put_entry_str(b, "ruleset", m->rules->rules.name);
	put_cstr(b, "rules");
	put_str(b, span_of(rules, rules_len));
	put_cstr(b, "draws");
	view_draws(b, &m->rules->draws);
	put_entry_bool(b, "rated", m->rated);
	put_entry_int(b, "spectator_delay_ms", m->spectator_delay_ms);
	put_entry_int(b, "watchers", (int64_t)m->watcher_count);
	put_cstr(b, "clock");
	view_clock(b, m, seat, now_ms);
	view_seat(b, "white", m, WHITE, now_ms);
	view_seat(b, "black", m, BLACK, now_ms);
	put_entry_str(b, "you", seat < 0 ? "watcher" : side_name(seat));
	view_match_board(b, m); /* 11 entries */
	view_awaits(b, m);
	if (view_has_stakes(m))
		view_stakes(b, m);
	view_match_result(b, m);
	if (placed) {
		put_cstr(b, "tournament");
		view_place(b, &m->place);
	}
	if (frozen)
		put_entry_str(b, "frozen",
			      m->frozen_said ? match_words(m) : "unreadable");
	if (warned)
		put_entry_str(b, "warning", match_words(m));
	if (again) {
		put_cstr(b, "rematch");
		view_rematch(b, m, now_ms);
	}
	if (legal)
		view_legal(b, m);
	if (has_scripts(m))
		view_scripts(b, m);
}

void view_match_line_entries(struct buf *b, const struct match *m)
{
	put_entry_id(b, "match", &m->id);
	put_entry_str(b, "ruleset", m->rules->rules.name);
	for (int s = 0; s < 2; s++) {
		put_cstr(b, side_name(s));
		put_person(b, &m->seat[s].player, m->seat[s].name,
			   m->seat[s].kind);
	}
	put_entry_int(b, "ply", m->ply);
	put_entry_int(b, "watchers", (int64_t)m->watcher_count);
}

void view_match_line(struct buf *b, const struct match *m)
{
	put_map(b, 6);
	view_match_line_entries(b, m);
}

/* -- events -- */

/* What an event says by itself: ply, side, and its own entries. */
struct event_own {
	int64_t ply; /* -1: none */
	int side;    /* -1: none */
	uint32_t entries;
};

static struct event_own event_own(const struct fact *f)
{
	switch (f->type) {
	case FACT_NONCE: return (struct event_own){ -1, (int)f->nonce.side, 1 };
	case FACT_OPENING_THROW: return (struct event_own){ 0, -1, 1 };
	case FACT_ROLLED:
		return (struct event_own){ f->rolled.ply, (int)f->rolled.side,
					   1 };
	case FACT_MOVED:
		return (struct event_own){ f->moved.ply, (int)f->moved.side,
					   3 };
	case FACT_PASSED:
		return (struct event_own){ f->passed.ply, (int)f->passed.side,
					   0 };
	case FACT_DRAW_OFFERED:
		return (struct event_own){ f->draw_offered.ply,
					   (int)f->draw_offered.side, 0 };
	case FACT_DRAW_DECLINED:
		return (struct event_own){ f->draw_declined.ply,
					   (int)f->draw_declined.side, 0 };
	case FACT_PAUSE_OFFERED:
		return (struct event_own){ f->pause_offered.ply,
					   (int)f->pause_offered.side, 0 };
	case FACT_PAUSE_DECLINED:
		return (struct event_own){ f->pause_declined.ply,
					   (int)f->pause_declined.side, 0 };
	case FACT_PAUSED:
		return (struct event_own){ f->paused.ply, (int)f->paused.side,
					   1 };
	case FACT_RESUMED:
		return (struct event_own){ f->resumed.ply, (int)f->resumed.side,
					   0 };
	case FACT_TAKEBACK_OFFERED:
		return (struct event_own){ f->takeback_offered.ply,
					   (int)f->takeback_offered.side, 1 };
	case FACT_TAKEBACK_DECLINED:
		return (struct event_own){ f->takeback_declined.ply,
					   (int)f->takeback_declined.side, 0 };
	case FACT_TAKEN_BACK:
		return (struct event_own){ f->taken_back.ply,
					   (int)f->taken_back.side, 3 };
	case FACT_WARNED: return (struct event_own){ f->warned.ply, -1, 1 };
	case FACT_CLOCK_ADJUSTED:
		return (struct event_own){ f->clock_adjusted.ply,
					   (int)f->clock_adjusted.side, 2 };
	case FACT_FROZEN: return (struct event_own){ f->frozen.ply, -1, 2 };
	case FACT_RATED: return (struct event_own){ f->rated.ply, -1, 1 };
	case FACT_ENDED: return (struct event_own){ f->ended.ply, -1, 1 };
	case FACT_DOUBLED:
	case FACT_TAKEN:
	case FACT_DROPPED: /* the bodies are alike */
		return (struct event_own){ f->doubled.ply, (int)f->doubled.side,
					   2 };
	case FACT_GAME_ENDED:
		return (struct event_own){ f->game_ended.ply, -1, 1 };
	case FACT_GAME_BEGUN:
		return (struct event_own){ f->game_begun.ply, -1, 1 };
	case FACT_RESIGN_OFFERED:
		return (struct event_own){ f->resign_offered.ply,
					   (int)f->resign_offered.side, 1 };
	case FACT_RESIGN_DECLINED:
		return (struct event_own){ f->resign_declined.ply,
					   (int)f->resign_declined.side, 0 };
	default: return (struct event_own){ 0, -1, 0 };
	}
}

static void put_rated(struct buf *b, const char *key, int64_t before,
		      int64_t after, int64_t deviation)
{
	put_cstr(b, key);
	put_map(b, 3);
	put_entry_int(b, "before", rating_points((int32_t)before));
	put_entry_int(b, "after", rating_points((int32_t)after));
	put_entry_bool(b, "provisional",
		       deviation > DEVIATION_PROVISIONAL_MILLI);
}

static void put_ratings(struct buf *b, const struct fact_rated_body *f)
{
	put_map(b, 2);
	put_rated(b, "white", f->white_before_milli, f->white_milli,
		  f->white_deviation_milli);
	put_rated(b, "black", f->black_before_milli, f->black_milli,
		  f->black_deviation_milli);
}

static void put_cost(struct buf *b, int64_t thought_ms, int64_t lag_ms)
{
	put_entry_int(b, "thought_ms", thought_ms);
	put_entry_int(b, "lag_ms", lag_ms);
}

static void put_frozen(struct buf *b, const struct fact_frozen_body *f)
{
	put_cstr(b, "reason");
	put_str(b, f->reason);
	put_entry_str(b, "text",
		      "A fault of the server has stopped this match. Its "
		      "operator ends it; it is not rated.");
}

static void put_adjusted(struct buf *b,
			 const struct fact_clock_adjusted_body *f)
{
	put_entry_int(b, "add_ms", f->add_ms);
	put_cstr(b, "text");
	put_str(b, f->words);
}

static void put_event_own(struct buf *b, const struct fact *f)
{
	switch (f->type) {
	case FACT_NONCE:
		put_cstr(b, "nonce");
		put_hex(b, f->nonce.nonce);
		break;
	case FACT_OPENING_THROW:
		put_cstr(b, "dice");
		put_dice(b, f->opening_throw.white_die,
			 f->opening_throw.black_die);
		break;
	case FACT_ROLLED:
		put_cstr(b, "dice");
		put_dice(b, f->rolled.die1, f->rolled.die2);
		break;
	case FACT_MOVED:
		put_cstr(b, "move");
		put_str(b, f->moved.move);
		put_cost(b, f->moved.thought_ms, f->moved.lag_ms);
		break;
	case FACT_PAUSED:
		put_entry_int(b, "thought_ms", f->paused.thought_ms);
		break;
	case FACT_TAKEBACK_OFFERED:
		put_entry_int(b, "to_ply", f->takeback_offered.to_ply);
		break;
	case FACT_TAKEN_BACK:
		put_entry_int(b, "to_ply", f->taken_back.to_ply);
		put_cost(b, f->taken_back.thought_ms, f->taken_back.lag_ms);
		break;
	case FACT_WARNED:
		put_cstr(b, "text");
		put_str(b, f->warned.words);
		break;
	case FACT_CLOCK_ADJUSTED: put_adjusted(b, &f->clock_adjusted); break;
	case FACT_FROZEN: put_frozen(b, &f->frozen); break;
	case FACT_RATED:
		put_cstr(b, "ratings");
		put_ratings(b, &f->rated);
		break;
	case FACT_ENDED:
		put_cstr(b, "result");
		view_result(b,
			    &(struct result_view){
				    .result =
					    (enum match_result)f->ended.result,
				    .reason = f->ended.reason,
				    .points = f->ended.points,
				    .words = f->ended.words,
				    .seed = f->ended.seed,
				    .score = { f->ended.white_score,
					       f->ended.black_score } });
		break;
	case FACT_DOUBLED:
	case FACT_TAKEN:
	case FACT_DROPPED:
		put_cost(b, f->doubled.thought_ms, f->doubled.lag_ms);
		break;
	case FACT_GAME_ENDED: view_game_result(b, &f->game_ended); break;
	case FACT_GAME_BEGUN:
		put_entry_int(b, "game", f->game_begun.game);
		break;
	case FACT_RESIGN_OFFERED:
		put_entry_int(b, "level", f->resign_offered.level);
		break;
	default: break;
	}
}

static void view_event_after(struct buf *b, const struct match *m,
			     uint64_t now_ms)
{
	put_entry_position(b, "position", &m->rules->rules, &m->pos);
	put_entry_side(b, "turn", turn_of(m));
	put_entry_int(b, "white_ms", match_left_ms(m, WHITE, now_ms));
	put_entry_int(b, "black_ms", match_left_ms(m, BLACK, now_ms));
	put_entry_int(b, "free_ms", match_free_ms(m, now_ms));
	view_awaits(b, m);
	if (view_has_stakes(m))
		view_stakes(b, m);
	if (has_lag(m))
		put_lag(b, m);
}

void view_event(struct buf *b, const struct fact *f, uint64_t seq,
		const struct match *m, uint64_t now_ms)
{
	struct event_own own = event_own(f);
	bool after = m != NULL;
	bool head = after && f->type == FACT_ENDED;
	bool stakes = after && view_has_stakes(m);
	bool lag = after && has_lag(m);
	put_map(b, 5 + own.entries + 6u * after + stakes + lag + head);
	put_entry_id(b, "match", &f->match);
	put_entry_int(b, "seq", (int64_t)seq);
	put_entry_str(b, "event", fact_name(f->type));
	put_entry_int(b, "ply", own.ply < 0 ? 0 : own.ply);
	put_entry_side(b, "side", own.side);
	put_event_own(b, f);
	if (after)
		view_event_after(b, m, now_ms);
	if (head) {
		put_cstr(b, "head");
		put_hex(b, span_of(m->head.byte, DIGEST_BYTES));
	}
}

/* In how long the other may claim; -1: not as things stand. */
static int64_t claim_in_ms(const struct match *m, enum side side,
			   int64_t claim_after_ms, uint64_t now_ms)
{
	uint64_t at_ms = match_claim_at_ms(m, side, claim_after_ms);
	if (at_ms == UINT64_MAX)
		return -1;
	return at_ms > now_ms ? (int64_t)(at_ms - now_ms) : 0;
}

void view_presence(struct buf *b, const struct match *m, enum side side,
		   int64_t claim_after_ms, uint64_t now_ms)
{
	int64_t claim_in = claim_in_ms(m, side, claim_after_ms, now_ms);
	put_map(b, 4u + (claim_in >= 0));
	put_entry_id(b, "match", &m->id);
	put_entry_side(b, "side", side);
	put_entry_bool(b, "online", m->here[side]);
	put_entry_str(b, "state", match_state_shown(m));
	if (claim_in >= 0)
		put_entry_int(b, "claim_in_ms", claim_in);
}

/* -- rulesets -- */

/* The options of a ruleset's text after its name and family, as a map. */
static void put_options(struct buf *b, const struct ruleset *rules)
{
	char text[RULESET_TEXT_MAX];
	uint32_t count = 0;
	size_t len = ruleset_write(rules, text);
	for (size_t i = 0; i < len; i++)
		count += text[i] == '=';
	put_map(b, count);
	char *save, *word = strtok_r(text, " ", &save);
	for (; word; word = strtok_r(NULL, " ", &save)) {
		char *equals = strchr(word, '=');
		if (!equals)
			continue;
		put_str(b, span_of(word, (size_t)(equals - word)));
		put_cstr(b, equals + 1);
	}
}

static void view_clock_limits(struct buf *b, const struct clock_limits *l)
{
	put_map(b, 7);
	put_cstr(b, "kinds");
	put_array(b, (uint32_t)__builtin_popcount(l->kinds));
	for (int k = 0; k < CLOCK_KIND_COUNT; k++)
		if (l->kinds >> k & 1)
			put_cstr(b, clock_kind_name((enum clock_kind)k));
	put_entry_int(b, "base_ms_min", l->base_ms_min);
	put_entry_int(b, "base_ms_max", l->base_ms_max);
	put_entry_int(b, "increment_ms_max", l->increment_ms_max);
	put_entry_int(b, "delay_ms_max", l->delay_ms_max);
	put_entry_int(b, "move_ms_min", l->move_ms_min);
	put_entry_int(b, "move_ms_max", l->move_ms_max);
}

void view_ruleset(struct buf *b, const struct match_rules *r)
{
	const struct ruleset *rules = &r->rules;
	int first = ruleset_first(rules);
	bool known = r->version[0] != '\0';
	put_map(b, 11u + 3u * known + (r->about[0] != '\0'));
	put_entry_str(b, "name", rules->name);
	if (r->about[0])
		put_entry_str(b, "about", r->about);
	put_entry_str(b, "family",
		      rules->family == FAMILY_DRAUGHTS ? "draughts"
						       : "backgammon");
	put_cstr(b, "options");
	put_options(b, rules);
	put_entry_str(b, "person", side_name(ruleset_person(rules)));
	put_entry_str(b, "first", first < 0 ? "roll" : side_name(first));
	put_entry_bool(b, "draw_by_agreement",
		       ruleset_draw_by_agreement(rules) && !r->draws.no_offers);
	put_entry_int(b, "no_progress", r->draws.no_progress);
	put_entry_int(b, "repetition", r->draws.repetition);
	put_cstr(b, "clock");
	view_time(b, &r->clock);
	put_cstr(b, "clocks");
	view_clock_limits(b, &r->clock_limits);
	put_entry_bool(b, "takeback", r->takeback && !ruleset_has_dice(rules));
	if (!known)
		return;
	put_entry_str(b, "version", r->version);
	put_entry_str(b, "policy", r->draws.policy);
	put_entry_str(b, "policy_version", r->draws.version);
}
