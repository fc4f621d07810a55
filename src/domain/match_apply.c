/* SPDX-License-Identifier: MIT
 * match_apply.c - the facts of a match. Applying decides nothing and checks no
 * rule; it only refuses what cannot be applied at all. */
#include "domain/domain_priv.h"
#include "domain/late.h"
#include "domain/rating_priv.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include <utlist.h>

enum {
	HASHES_CAP_FIRST = 16,
	CROWNED_STEP = 24, /* bytes */
	/* half-moves with dice are longer; what was too small would stay
	 * behind, unused */
	DICE_MOVES_FIRST = 480,
	MOVE_LINE_MAX = MOVE_TEXT_MAX + 8
};

struct match *find_match(const struct domain *d, const struct id *id)
{
	struct match *m;
	TABLE_FIND(d->matches, id, m);
	return m;
}

/* state -> the states that it may enter */
static const unsigned may_enter[] = {
	[MATCH_NONCES] =
		1u << MATCH_PLAYING | 1u << MATCH_OVER | 1u << MATCH_FROZEN,
	[MATCH_PLAYING] =
		1u << MATCH_PAUSED | 1u << MATCH_OVER | 1u << MATCH_FROZEN,
	[MATCH_PAUSED] =
		1u << MATCH_PLAYING | 1u << MATCH_OVER | 1u << MATCH_FROZEN,
	[MATCH_OVER] = 0,
	[MATCH_FROZEN] = 1u << MATCH_OVER,
};

void match_move_to(struct match *m, enum match_state state)
{
	assert(may_enter[m->state] >> state & 1);
	m->state = state;
}

static int hashes_reserve(struct match *m)
{
	if (m->hash_count < m->hash_cap)
		return PLYD_OK;
	size_t cap = m->hash_cap        ? 2 * m->hash_cap
		     : policy_counts(m) ? HASHES_CAP_FIRST
					: 2; /* it never has more than one */
	uint64_t *hashes = realloc(m->hashes, cap * sizeof(*hashes));
	if (!hashes)
		return PLYD_ENOMEM;
	m->hashes = hashes;
	m->hash_cap = cap;
	return PLYD_OK;
}

static int crowned_reserve(struct match *m)
{
	if (m->ply / 8 < m->crowned_cap)
		return PLYD_OK;
	size_t cap = m->crowned_cap + CROWNED_STEP;
	uint8_t *crowned = realloc(m->crowned, cap);
	if (!crowned)
		return PLYD_ENOMEM;
	memset(crowned + m->crowned_cap, 0, CROWNED_STEP);
	m->crowned = crowned;
	m->crowned_cap = cap;
	return PLYD_OK;
}

int match_reserve(struct match *m)
{
	if (hashes_reserve(m) || crowned_reserve(m) ||
	    buf_reserve(&m->moves, MOVE_LINE_MAX))
		return PLYD_ENOMEM;
	return PLYD_OK;
}

int match_say(struct match *m, struct span words)
{
	char *text = NULL;
	if (words.len > 0 && words.len <= VERDICT_BYTES_MAX) {
		text = strndup((const char *)words.at, words.len);
		if (!text)
			return PLYD_ENOMEM;
	}
	free(m->words);
	m->words = text;
	return PLYD_OK;
}

static void set_seat(struct domain *d, struct match *m, enum side side,
		     const struct id *player, struct span name, int64_t kind)
{
	struct seat *seat = &m->seat[side];
	seat->kind = (enum player_kind)kind;
	seat->player = *player;
	if (domain_is_deleted(d, player))
		name = span_str(DELETED_NAME);
	span_copy(name, seat->name, sizeof(seat->name));
	m->nonce[side].given = seat->kind == KIND_PERSONALITY;
	m->here[side] = seat->kind == KIND_PERSONALITY;
	m->away_ms[side] = d->now_ms;
	struct player *p = find_player(d, player);
	if (!p)
		return;
	m->here[side] = player_is_here(p);
	m->link[side] =
		(struct match_link){ .match = m, .player = p, .side = side };
	struct match_link *link = &m->link[side];
	DL_APPEND(p->matches, link);
	p->match_count++;
	player_set_due(d, p);
}

static void remember_opponents(struct domain *d, struct match *m)
{
	for (int s = 0; s < 2; s++) {
		struct player *p = find_player(d, &m->seat[s].player);
		if (p)
			p->meets.last_opponent = m->seat[1 - s].player;
	}
}

bool is_clock(int64_t ms)
{
	return ms >= 0 && ms <= CLOCK_PER_MOVE_MS_MAX;
}

static bool is_count(int64_t n)
{
	return n >= 0 && n <= UINT32_MAX;
}

static int read_draws(struct draw_rules *draws, const struct fact_begun_body *b)
{
	if (!is_count(b->no_progress) || !is_count(b->repetition) ||
	    !is_count(b->offers_from) || !is_count(b->offers_max))
		return PLYD_ERECORD;
	draws->no_progress = (uint32_t)b->no_progress;
	draws->man_moves_count = b->no_progress_counts == 1;
	draws->repetition = (uint32_t)b->repetition;
	draws->judged = b->judged;
	draws->no_offers = b->no_offers;
	draws->offers_from = (uint32_t)b->offers_from;
	draws->offers_max = (uint32_t)b->offers_max;
	span_copy(b->policy, draws->policy, sizeof(draws->policy));
	return PLYD_OK;
}

static int read_version(struct span text, char out[VERSION_BYTES_MAX + 1])
{
	return span_copy(text, out, VERSION_BYTES_MAX + 1) ? PLYD_OK
							   : PLYD_ERECORD;
}

static int read_versions(struct match *m, struct match_rules *r,
			 const struct fact_begun_body *b)
{
	int err = read_version(b->rules_version, r->version);
	if (!err)
		err = read_version(b->policy_version, r->draws.version);
	if (!err)
		err = read_version(b->white_version, m->seat[WHITE].version);
	if (!err)
		err = read_version(b->black_version, m->seat[BLACK].version);
	return err;
}

/* Without an error m has rules, which are to be dropped. */
static int read_rules(struct domain *d, struct match *m,
		      const struct fact_begun_body *b)
{
	struct match_rules r;
	struct clock_rules clock;
	/* the gaps as well: see shared_rules_take() */
	memset(&r, 0, sizeof(r));
	if (ruleset_read((const char *)b->rules.at, b->rules.len, &r.rules))
		return PLYD_ERECORD;
	if (read_draws(&r.draws, b) || read_versions(m, &r, b) ||
	    !clock_read(b->clock_kind, b->unlimited, b->base_ms,
			b->increment_ms, b->delay_ms, &clock))
		return PLYD_ERECORD;
	r.clock.kind = clock.kind;
	r.clock.base_ms = clock.base_ms;
	r.clock.increment_ms = clock.increment_ms;
	r.clock.delay_ms = clock.delay_ms;
	r.takeback = b->takeback;
	if (!is_clock(b->lag_per_move_ms) || !is_clock(b->lag_total_ms))
		return PLYD_ERECORD;
	m->lag_rules =
		(struct lag_rules){ b->lag_per_move_ms, b->lag_total_ms };
	if (!is_count(b->round) || !is_count(b->table) || !is_count(b->game))
		return PLYD_ERECORD;
	if (game_read(&r.rules, (const char *)b->position.at, b->position.len,
		      &m->start, NULL))
		return PLYD_ERECORD;
	m->rules = shared_rules_take(d, &r);
	return m->rules ? PLYD_OK : PLYD_ENOMEM;
}

static bool is_rating(int64_t milli, int64_t deviation_milli)
{
	return milli >= 0 && milli <= RATING_MAX_MILLI &&
	       deviation_milli >= 0 && deviation_milli <= DEVIATION_START_MILLI;
}

static int read_rating(struct match *m, const struct fact_begun_body *b)
{
	if (!is_rating(b->white_milli, b->white_deviation_milli) ||
	    !is_rating(b->black_milli, b->black_deviation_milli) ||
	    (b->pool != POOL_PEOPLE && b->pool != POOL_BOTS))
		return PLYD_ERECORD;
	if (b->spectator_delay_ms < 0 ||
	    b->spectator_delay_ms > SPECTATOR_DELAY_MS_MAX)
		return PLYD_ERECORD;
	m->spectator_delay_ms = b->spectator_delay_ms;
	m->rated = b->rated;
	m->pool = (enum rating_pool)b->pool;
	m->rating[WHITE] =
		(struct seat_rating){ (int32_t)b->white_milli,
				      (int32_t)b->white_deviation_milli, 0 };
	m->rating[BLACK] =
		(struct seat_rating){ (int32_t)b->black_milli,
				      (int32_t)b->black_deviation_milli, 0 };
	return PLYD_OK;
}

static int apply_begun(struct domain *d, const struct fact *f)
{
	const struct fact_begun_body *b = &f->begun;
	if (find_match(d, &f->match) || b->white_kind < KIND_GUEST ||
	    b->white_kind > KIND_MEMBER || b->black_kind < KIND_GUEST ||
	    b->black_kind > KIND_MEMBER)
		return PLYD_ERECORD;
	struct match *m = calloc(1, sizeof(*m));
	if (!m || due_reserve(d)) {
		free(m);
		return PLYD_ENOMEM;
	}
	m->id = f->match;
	buf_init(&m->moves, MOVES_BYTES_MAX);
	int err = read_rules(d, m, b);
	if (!err)
		err = read_rating(m, b);
	if (!err && ruleset_has_dice(&m->rules->rules))
		err = buf_reserve(&m->moves, DICE_MOVES_FIRST);
	if (!err)
		err = match_reserve(m);
	if (!err)
		err = listing_reserve(d, span_str(m->rules->rules.name));
	if (!err) {
		TABLE_ADD(d->matches, id, m);
		err = m->hh.tbl ? PLYD_OK : PLYD_ENOMEM;
	}
	if (err) {
		buf_release(&m->moves);
		free(m->hashes);
		free(m->crowned);
		if (m->rules)
			shared_rules_drop(d, m->rules);
		free(m);
		return err;
	}
	const struct ruleset *rules = &m->rules->rules;
	bool dice = ruleset_has_dice(rules);
	m->state = dice ? MATCH_NONCES : MATCH_PLAYING;
	m->first_known = !dice || ruleset_first(rules) >= 0;
	m->pos = m->start;
	policy_begin(m);
	m->began_at = b->began_at;
	m->rated = b->rated;
	m->closed = b->closed;
	m->left_ms[WHITE] = m->left_ms[BLACK] = b->base_ms;
	m->game = 1;
	m->place =
		(struct match_place){ b->tournament, (uint32_t)b->round,
				      (uint32_t)b->table, (uint32_t)b->game };
	m->commitment = b->commitment;
	m->due.owner = m;
	m->due.kind = DUE_MATCH;
	if (++d->running == 1)
		time_keep(d);
	set_seat(d, m, WHITE, &b->white, b->white_name, b->white_kind);
	set_seat(d, m, BLACK, &b->black, b->black_name, b->black_kind);
	d->ai_running += match_has_personality(m);
	remember_opponents(d, m);
	if (!m->closed)
		listed_put(d, &m->listed, LISTED_MATCH, m->rules->rules.name,
			   m);
	return PLYD_OK;
}

static int apply_nonce(struct match *m, const struct fact_nonce_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->nonce.len > DICE_NONCE_MAX || m->state != MATCH_NONCES)
		return PLYD_ERECORD;
	struct nonce *n = &m->nonce[b->side];
	if (n->given)
		return PLYD_ERECORD;
	n->given = true;
	n->len = (uint8_t)b->nonce.len;
	if (n->len > 0)
		memcpy(n->byte, b->nonce.at, n->len);
	return PLYD_OK;
}

static bool is_die(int64_t die)
{
	return die >= 1 && die <= 6;
}

static void start_playing(struct match *m)
{
	if (m->state == MATCH_NONCES)
		match_move_to(m, MATCH_PLAYING);
}

static int apply_opening_throw(struct match *m,
			       const struct fact_opening_throw_body *b)
{
	if (m->first_known || b->roll != m->rolls || !is_die(b->white_die) ||
	    !is_die(b->black_die))
		return PLYD_ERECORD;
	start_playing(m);
	m->rolls = (uint32_t)b->roll + 1;
	if (b->white_die == b->black_die)
		return PLYD_OK;
	struct position before = m->pos;
	before.side = b->white_die > b->black_die ? WHITE : BLACK;
	game_throw(&before, (int)b->white_die, (int)b->black_die, &m->pos);
	m->first_known = true;
	return PLYD_OK;
}

/* The turn goes on, and its time with it. */
static void note_asked(struct match *m, const struct fact_rolled_body *b)
{
	enum side side = (enum side)m->pos.side;
	stakes_note_act(m, side, CUBE_ROLL);
	m->act[side].die[0] = (int)b->die1;
	m->act[side].die[1] = (int)b->die2;
	m->asked = true;
	m->before_ms = b->thought_ms;
	m->before_lag_ms = b->lag_ms;
	m->released = m->judging = false;
	m->lag = (struct lag_probe){ 0 };
}

static int apply_rolled(struct match *m, const struct fact_rolled_body *b)
{
	if (!ruleset_has_dice(&m->rules->rules) || m->pos.dice[0] != 0 ||
	    !m->first_known || b->roll != m->rolls || !is_die(b->die1) ||
	    !is_die(b->die2) || m->doubled || !is_clock(b->thought_ms) ||
	    !is_clock(b->lag_ms))
		return PLYD_ERECORD;
	start_playing(m);
	if (b->asked)
		note_asked(m, b);
	m->rolls = (uint32_t)b->roll + 1;
	struct position before = m->pos;
	game_throw(&before, (int)b->die1, (int)b->die2, &m->pos);
	return PLYD_OK;
}

void log_move(struct match *m, struct span text)
{
	const char dice[] = { (char)('0' + m->pos.dice[0]),
			      (char)('0' + m->pos.dice[1]), ':', ' ' };
	if (m->pos.dice[0] != 0)
		buf_put(&m->moves, dice, sizeof(dice));
	buf_put(&m->moves, text.at, text.len);
	int err = buf_put_byte(&m->moves, '\n');
	assert(!err);
}

/* A half-move may be taken back and played anew. */
static void log_crowned(struct match *m, bool crowned)
{
	uint8_t *eight = &m->crowned[m->ply / 8];
	uint8_t bit = (uint8_t)(1u << m->ply % 8);
	*eight = crowned ? *eight | bit : *eight & (uint8_t)~bit;
}

static int apply_moved(struct match *m, const struct fact *f)
{
	const struct fact_moved_body *b = &f->moved;
	struct position before = m->pos, after;
	if (b->ply != m->ply || b->side != m->pos.side ||
	    b->move.len >= MOVE_TEXT_MAX || m->state != MATCH_PLAYING ||
	    !is_clock(b->left_ms) || !is_clock(b->lag_ms) || m->doubled)
		return PLYD_ERECORD;
	if (match_reserve(m))
		return PLYD_ENOMEM;
	if (game_replay_move(&m->rules->rules, &before,
			     (const char *)b->move.at, b->move.len, b->crowned,
			     &after))
		return PLYD_ERECORD;
	enum side side = (enum side)b->side;
	log_move(m, b->move);
	log_crowned(m, b->crowned);
	size_t text_at = m->moves.len - b->move.len - 1;
	m->pos = after;
	m->ply++;
	m->left_ms[side] = b->left_ms;
	m->lag_used_ms[side] += b->lag_ms;
	stakes_after_half_move(m, side);
	struct last_move *last = &m->last[side];
	*last = (struct last_move){ .any = true,
				    .text_len = (uint8_t)b->move.len,
				    .text_at = (uint32_t)text_at,
				    .ply = (uint32_t)b->ply,
				    .seq = m->seq + 1,
				    .before = before };
	offers_after_move(&m->offers, side);
	takeback_lapses(m);
	policy_after_move(m, &before);
	if (m->quiet == 0)
		offers_renew(&m->offers);
	return PLYD_OK;
}

static int apply_passed(struct match *m, const struct fact_passed_body *b)
{
	if (b->ply != m->ply || b->side != m->pos.side ||
	    m->state != MATCH_PLAYING || !is_clock(b->left_ms) ||
	    !is_clock(b->lag_ms))
		return PLYD_ERECORD;
	if (match_reserve(m))
		return PLYD_ENOMEM;
	struct position before = m->pos;
	log_move(m, span_str("pass"));
	game_pass(&before, &m->pos);
	m->ply++;
	if (m->asked) {
		m->left_ms[b->side] = b->left_ms;
		m->lag_used_ms[b->side] += b->lag_ms;
	}
	stakes_after_half_move(m, (enum side)b->side);
	policy_after_move(m, &before);
	return PLYD_OK;
}

static void unlink_seat(struct domain *d, struct match *m, int side)
{
	struct match_link *link = &m->link[side];
	struct player *p = link->player;
	if (!link->match)
		return;
	DL_DELETE(p->matches, link);
	link->match = NULL;
	m->driver[side] = NULL;
	p->match_count--;
	player_set_due(d, p);
}

/* What a running match holds and a finished or frozen one does not. */
static void stop_running(struct domain *d, struct match *m)
{
	if (--d->running == 0)
		time_keep(d);
	d->ai_running -= match_has_personality(m);
	/* spectators who see it late still see it being played */
	if (!m->late || m->state == MATCH_FROZEN)
		listed_take(d, &m->listed, LISTED_MATCH);
	DL_APPEND2(d->over, m, over_prev, over_next);
	m->offers.standing = false;
	m->resign.standing = false;
	m->doubled = false;
	takeback_lapses(m);
	turn_forget(m);
	for (int s = 0; s < 2; s++)
		unlink_seat(d, m, s);
}

static int apply_ended(struct domain *d, struct match *m,
		       const struct fact_ended_body *b)
{
	int reason = 0;
	while (reason < END_REASON_COUNT &&
	       !span_is(b->reason, end_reason_name((enum end_reason)reason)))
		reason++;
	if (reason == END_REASON_COUNT || b->result < RESULT_WHITE ||
	    b->result > RESULT_ABORTED || !is_clock(b->white_left_ms) ||
	    !is_clock(b->black_left_ms) ||
	    (b->seed.len != 0 && b->seed.len != SEED_BYTES))
		return PLYD_ERECORD;
	if (match_say(m, b->words))
		return PLYD_ENOMEM;
	bool ran = m->state != MATCH_FROZEN;
	match_move_to(m, MATCH_OVER);
	kept_drop(d, &m->id);
	m->result = (enum match_result)b->result;
	m->reason = (enum end_reason)reason;
	m->points = (int)b->points;
	m->left_ms[WHITE] = b->white_left_ms;
	m->left_ms[BLACK] = b->black_left_ms;
	if (b->seed.len == SEED_BYTES)
		memcpy(m->seed, b->seed.at, SEED_BYTES);
	if (ran)
		stop_running(d, m);
	due_clear(&d->due, &m->due);
	return PLYD_OK;
}

static int apply_offer(struct match *m, int64_t side, bool made)
{
	if ((side != WHITE && side != BLACK) || m->state != MATCH_PLAYING)
		return PLYD_ERECORD;
	if (made)
		offers_made(&m->offers, (enum side)side);
	else
		offers_declined(&m->offers);
	return PLYD_OK;
}

static int apply_warned(struct match *m, const struct fact_warned_body *b)
{
	if (m->state != MATCH_PLAYING || b->ply != m->ply)
		return PLYD_ERECORD;
	m->warned_ply = m->ply;
	m->warned_takebacks = m->takebacks;
	return match_say(m, b->words);
}

static int apply_seed(struct match *m, struct span seed)
{
	if (seed.len != SEED_BYTES)
		return PLYD_ERECORD;
	memcpy(m->seed, seed.at, SEED_BYTES);
	m->seed_known = true;
	return PLYD_OK;
}

static int apply_running(struct domain *d, struct match *m,
			 const struct fact *f)
{
	switch (f->type) {
	case FACT_SEED_DRAWN: return apply_seed(m, f->seed_drawn.seed);
	case FACT_NONCE: return apply_nonce(m, &f->nonce);
	case FACT_OPENING_THROW:
		return apply_opening_throw(m, &f->opening_throw);
	case FACT_ROLLED: return apply_rolled(m, &f->rolled);
	case FACT_MOVED: return apply_moved(m, f);
	case FACT_PASSED: return apply_passed(m, &f->passed);
	case FACT_DRAW_OFFERED:
		return apply_offer(m, f->draw_offered.side, true);
	case FACT_DRAW_DECLINED:
		return apply_offer(m, f->draw_declined.side, false);
	case FACT_WARNED: return apply_warned(m, &f->warned);
	case FACT_CLOCK_ADJUSTED:
		return apply_clock_adjusted(m, &f->clock_adjusted);
	case FACT_ENDED: return apply_ended(d, m, &f->ended);
	case FACT_PAUSE_OFFERED:
		return apply_pause_offered(m, &f->pause_offered);
	case FACT_PAUSE_DECLINED:
		return apply_pause_declined(m, &f->pause_declined);
	case FACT_PAUSED: return apply_paused(m, &f->paused);
	case FACT_RESUMED: return apply_resumed(d, m, &f->resumed);
	case FACT_TAKEBACK_OFFERED:
		return apply_takeback_offered(m, &f->takeback_offered);
	case FACT_TAKEBACK_DECLINED:
		return apply_takeback_declined(m, &f->takeback_declined);
	case FACT_TAKEN_BACK: return apply_taken_back(m, &f->taken_back);
	case FACT_FROZEN: return apply_frozen(d, m, &f->frozen);
	case FACT_RATED: return apply_rated(m, &f->rated);
	default: return apply_stakes(m, f);
	}
}

/* Not a throw that was asked for: it is part of the turn. */
static bool begins_turn(const struct fact *f)
{
	switch (f->type) {
	case FACT_BEGUN:
	case FACT_OPENING_THROW:
	case FACT_MOVED:
	case FACT_PASSED:
	case FACT_DOUBLED:
	case FACT_TAKEN:
	case FACT_TAKEN_BACK:
	case FACT_DROPPED:
	case FACT_GAME_ENDED:
	case FACT_GAME_BEGUN: return true;
	case FACT_ROLLED: return !f->rolled.asked;
	default: return false;
	}
}

int apply_match(struct domain *d, const struct fact *f)
{
	int err = f->type == FACT_BEGUN ? apply_begun(d, f) : PLYD_OK;
	struct match *m = find_match(d, &f->match);
	if (!m)
		return err ? err : PLYD_ERECORD;
	bool secret = fact_stream(f->type) == STREAM_SECRET;
	if (!err && f->type != FACT_BEGUN) {
		if (m->state == MATCH_OVER ||
		    (m->state == MATCH_FROZEN && !frozen_takes(m, f)))
			return PLYD_ERECORD;
		err = apply_running(d, m, f);
	}
	if (err) {
		domain_freeze(d, &m->id);
		return err;
	}
	if (!secret) {
		m->last_row = f->row;
		m->seq++;
	}
	if (begins_turn(f))
		m->turn_ms = f->at_ms;
	bool late = !secret && !d->is_late && m->spectator_delay_ms > 0;
	return late ? late_fact(d, m, f) : PLYD_OK;
}

void domain_freeze(struct domain *d, const struct id *match)
{
	struct match *m = find_match(d, match);
	if (!m || m->state == MATCH_OVER || m->state == MATCH_FROZEN)
		return;
	match_move_to(m, MATCH_FROZEN);
	stop_running(d, m);
	due_clear(&d->due, &m->due);
	for (int i = 0; i < 2; i++) {
		/* whose account was deleted since; replay reads that first */
		struct id player = m->seat[i].player;
		if (domain_is_deleted(d, &player))
			player_anonymise(d, &player);
	}
}

void match_free(struct domain *d, struct match *m)
{
	kept_drop(d, &m->id);
	while (m->watchers)
		watcher_drop(m->watchers);
	if (m->state != MATCH_OVER && m->state != MATCH_FROZEN)
		stop_running(d, m);
	listed_take(d, &m->listed, LISTED_MATCH);
	DL_DELETE2(d->over, m, over_prev, over_next);
	due_clear(&d->due, &m->due);
	late_free(d, m);
	HASH_DELETE(hh, d->matches, m);
	buf_release(&m->moves);
	for (int i = 0; i < 2; i++)
		chat_release(&m->chat[i]);
	free(m->hashes);
	free(m->crowned);
	free(m->words);
	shared_rules_drop(d, m->rules);
	held_free(m);
	free(m);
}
