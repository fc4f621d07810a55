/* SPDX-License-Identifier: MIT
 * referee_log.c - the facts of a match, one after another: turns alternate,
 * moves are legal and were asked for, clocks are charged what they must be. */
#include "referee_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hex.h"

int seat_of(const struct book_match *m, const struct id *player)
{
	for (int s = 0; s < SIDES; s++)
		if (!id_is_none(player) && id_eq(&m->player[s], player))
			return s;
	return -1;
}

const char *side_word(int side)
{
	return side == WHITE ? "white" : side == BLACK ? "black" : "nobody";
}

bool canonical(const struct ruleset *rules, const struct position *pos,
	       const char *asked, char text[MOVE_TEXT_MAX])
{
	struct move move;
	struct refusal why;
	if (game_check(rules, pos, asked, strlen(asked), &move, &why))
		return false;
	game_move_text(rules, pos, &move, text);
	return true;
}

static bool begins_turn(enum fact_type type)
{
	return type != FACT_WARNED && type != FACT_CLOCK_ADJUSTED &&
	       type != FACT_DRAW_OFFERED && type != FACT_DRAW_DECLINED &&
	       type != FACT_TAKEBACK_OFFERED &&
	       type != FACT_TAKEBACK_DECLINED && type != FACT_PAUSE_OFFERED &&
	       type != FACT_PAUSE_DECLINED && type != FACT_RESIGN_OFFERED &&
	       type != FACT_RESIGN_DECLINED && type != FACT_NONCE &&
	       type != FACT_RATED && type != FACT_ENDED;
}

const struct book_fact *turn_began(const struct book_match *m, size_t facts)
{
	while (facts > 1 && !begins_turn(m->fact[facts - 1].type))
		facts--;
	return &m->fact[facts - 1];
}

void fact_wrong(struct sim *sim, const struct book_match *m,
		const struct book_fact *f, const char *what)
{
	sim_fail(sim, "%s, fact %zu (%s, ply %u, %s): %s", m->id.text, m->facts,
		 fact_name(f->type), f->ply, f->text, what);
}

bool in_force(const struct book_match *m, size_t i, size_t facts)
{
	const struct book_fact *f = &m->fact[i];
	bool half_move = f->type == FACT_MOVED || f->type == FACT_PASSED ||
			 f->type == FACT_DOUBLED || f->type == FACT_TAKEN ||
			 f->type == FACT_DROPPED ||
			 f->type == FACT_GAME_BEGUN; /* of one given up */
	return half_move && i < facts && (f->undone == 0 || f->undone >= facts);
}

/* -- begin -- */

/* Matches in all, and of one player, are limited. */
static void judge_limits(struct sim *sim, const struct book_match *m)
{
	const struct referee *r = sim->referee;
	int64_t running = 0, of[SIDES] = { 0, 0 };
	for (size_t i = 0; i < r->matches; i++) {
		const struct book_match *other = &r->match[i];
		/* this one has no fact yet */
		bool runs = !other->over &&
			    (other->facts == 0 || !is_frozen(other));
		running += runs;
		for (int s = 0; s < SIDES; s++)
			of[s] += runs && seat_of(other, &m->player[s]) >= 0;
	}
	if (running > sim->domain_limits.matches_max ||
	    of[WHITE] > sim->domain_limits.matches_per_player ||
	    of[BLACK] > sim->domain_limits.matches_per_player)
		sim_fail(sim, "%s is one match too many", m->id.text);
}

static void begun_fact(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	const struct fact_begun_body *b = &f->begun;
	if (book_match(r, &f->match)) {
		sim_fail(sim, "%s begins twice", f->match.text);
		return;
	}
	r->match = sim_grow(r->match, &r->match_cap, r->matches,
			    sizeof(*r->match));
	struct book_match *m = &r->match[r->matches++];
	*m = (struct book_match){
		.id = f->match,
		.no_progress = (uint32_t)b->no_progress,
		.repetition = (uint32_t)b->repetition,
		.judged = b->judged,
		.no_offers = b->no_offers,
		.offers_from = (uint32_t)b->offers_from,
		.offers_max = (uint32_t)b->offers_max,
		.clock = { (int)b->clock_kind, b->base_ms, b->increment_ms,
			   b->delay_ms },
		.takeback_allowed = b->takeback,
		.rated = b->rated,
		.spectator_delay_ms = b->spectator_delay_ms,
		.player = { b->white, b->black },
		.cup = b->tournament,
		.cup_round = b->round,
		.cup_table = b->table,
		.commitment = b->commitment,
	};
	if (ruleset_read((const char *)b->rules.at, b->rules.len, &m->rules) ||
	    game_read(&m->rules, (const char *)b->position.at, b->position.len,
		      &m->start, NULL)) {
		sim_fail(sim, "%s has no rules", f->match.text);
		return;
	}
	versions_begun(sim, m, b);
	m->first_known = ruleset_first(&m->rules) >= 0;
	m->fact = sim_grow(NULL, &m->fact_cap, 0, sizeof(*m->fact));
	m->fact[m->facts++] = (struct book_fact){
		.type = f->type,
		.at_ms = f->at_ms,
		.durable_ms = sim_domain_ms(sim),
		.batch = r->batch,
		.generation = r->generation,
		.side = -1,
		.turn_side = -1,
		.pos = m->start,
		.left_ms = { b->base_ms, b->base_ms },
		.offer = -1,
		.takeback = -1,
		.pause = -1,
		.playing = !ruleset_has_dice(&m->rules),
	};
	stakes_begin(m, &m->fact[0]);
	m->fact[0].stakes.turn_at_ms = f->at_ms;
	if (!id_is_none(&b->rematch_of))
		rematch_begun(sim, m, &b->rematch_of);
	judge_limits(sim, m);
	lag_begun(sim, m, b);
}

/* -- dice -- */

static void nonce_fact(struct sim *sim, struct book_match *m,
		       struct book_fact *now, const struct fact *f)
{
	const struct fact_nonce_body *b = &f->nonce;
	char hex[2 * DICE_NONCE_MAX + 1];
	bool sent = false;
	int s = (int)b->side;
	now->side = s;
	if (now->playing || m->nonce_given[s] ||
	    b->nonce.len > DICE_NONCE_MAX) {
		fact_wrong(sim, m, now, "a nonce that is not wanted");
		return;
	}
	hex_write(b->nonce.at, b->nonce.len, hex);
	for (size_t i = 0; i < m->nonces_sent[s]; i++)
		sent = sent || !strcmp(hex, m->nonce_sent[s][i]);
	uint64_t waited = f->at_ms - m->fact[0].at_ms;
	if (!sent && (b->nonce.len > 0 ||
		      waited < (uint64_t)sim->domain_limits.nonce_wait_ms))
		fact_wrong(sim, m, now, "a nonce that nobody sent");
	m->nonce_given[s] = true;
	m->nonce_len[s] = b->nonce.len;
	if (b->nonce.len > 0)
		memcpy(m->nonce[s], b->nonce.at, b->nonce.len);
}

/* The first roll waits for the nonces, and not longer than it may. */
static void first_roll(struct sim *sim, struct book_match *m,
		       struct book_fact *now)
{
	const struct referee *r = sim->referee;
	for (int s = 0; s < SIDES; s++)
		if (!id_is_none(&m->player[s]) && !m->nonce_given[s])
			fact_wrong(sim, m, now,
				   "the nonces were not waited for");
	uint64_t from = now->at_ms >= r->generation_ms &&
					r->generation_ms > m->fact[0].at_ms
				? r->generation_ms
				: m->fact[0].at_ms;
	if (r->writable_ms > from)
		from = r->writable_ms;
	if (now->at_ms > from + (uint64_t)sim->domain_limits.nonce_wait_ms &&
	    !sim_stood_until(sim, now->at_ms))
		fact_wrong(sim, m, now, "the nonces were waited for too long");
}

static void throw_fact(struct sim *sim, struct book_match *m,
		       struct book_fact *now, int64_t roll, int first,
		       int second)
{
	if (m->rolls == 0)
		first_roll(sim, m, now);
	if (roll != m->rolls++ || first < 1 || first > 6 || second < 1 ||
	    second > 6 || now->pos.dice[0] != 0)
		fact_wrong(sim, m, now, "no such throw");
	now->die[0] = first;
	now->die[1] = second;
	now->playing = true;
}

static void opening_fact(struct sim *sim, struct book_match *m,
			 struct book_fact *now, const struct fact *f)
{
	const struct fact_opening_throw_body *b = &f->opening_throw;
	throw_fact(sim, m, now, b->roll, (int)b->white_die, (int)b->black_die);
	if (m->first_known)
		fact_wrong(sim, m, now, "it is known who begins");
	if (b->white_die == b->black_die)
		return;
	m->first_known = now->stakes.first = true;
	struct position pos = now->pos;
	pos.side = b->white_die > b->black_die ? WHITE : BLACK;
	game_throw(&pos, now->die[0], now->die[1], &now->pos);
}

static void rolled_fact(struct sim *sim, struct book_match *m,
			struct book_fact *now, const struct fact *f)
{
	const struct fact_rolled_body *b = &f->rolled;
	throw_fact(sim, m, now, b->roll, (int)b->die1, (int)b->die2);
	now->side = (int)b->side;
	if (!m->first_known || b->side != now->pos.side || b->ply != now->plies)
		fact_wrong(sim, m, now, "a roll out of turn");
	stakes_rolled(sim, m, now, b);
	struct position pos = now->pos;
	game_throw(&pos, now->die[0], now->die[1], &now->pos);
}

/* -- half-moves -- */

static bool was_asked(const struct book_match *m, const struct book_fact *now,
		      const struct position *before)
{
	char text[MOVE_TEXT_MAX];
	bool person = !id_is_none(&m->player[now->side]);
	for (size_t i = 0; i < m->asked_count; i++) {
		const struct asked_move *a = &m->asked[i];
		if (a->side == now->side && a->ply == now->ply &&
		    (a->takebacks == now->takebacks || person) &&
		    canonical(&m->rules, before, a->text, text) &&
		    !strcmp(text, now->text))
			return true;
	}
	if (person || !m->thought_badly)
		return false;
	/* a personality that failed plays the first move */
	static struct move_list list;
	if (game_moves(&m->rules, before, &list) || list.count == 0)
		return false;
	game_move_text(&m->rules, before, &list.move[0], text);
	return !strcmp(text, now->text);
}

/* Every thought for this half-move took the offer that stands. */
static bool has_accepted(const struct book_match *m,
			 const struct book_fact *now)
{
	bool any = false;
	for (size_t i = 0; i < m->asked_count; i++) {
		const struct asked_move *a = &m->asked[i];
		if (a->side != now->side || a->ply != now->ply)
			continue;
		if (!a->accepts)
			return false;
		any = true;
	}
	return any && now->offer == 1 - now->side;
}

/* A move waits for the verdict about its position. */
static bool policy_has_ended(const struct sim *sim, const struct book_match *m,
			     const struct book_fact *now)
{
	for (size_t i = 0; i < m->said_count; i++) {
		const struct verdict_said *v = &m->said[i];
		if (!v->warns && v->in_time && v->ply == now->ply &&
		    v->takebacks == now->takebacks &&
		    v->generation == sim->referee->generation)
			return true;
	}
	return false;
}

static void after_half_move(struct book_match *m, struct book_fact *now,
			    const struct position *before)
{
	struct progress did = game_progress(&m->rules, before, &now->pos);
	now->quiet = did.captured || did.promoted ? 0 : now->quiet + 1;
	now->plies++;
	now->takeback = -1;
	m->takeback_spent[WHITE] = m->takeback_spent[BLACK] = false;
}

static void moved_fact(struct sim *sim, struct book_match *m,
		       struct book_fact *now, const struct fact *f)
{
	const struct fact_moved_body *b = &f->moved;
	const struct position before = now->pos;
	struct move move;
	struct refusal why;
	char text[MOVE_TEXT_MAX];
	int side = now->side = (int)b->side;
	span_copy(b->move, now->text, sizeof(now->text));
	now->thought_ms = b->thought_ms;
	if (!now->playing || b->ply != now->plies || side != before.side ||
	    turn_after(m, m->facts) != side) {
		fact_wrong(sim, m, now, "a move out of turn");
		return;
	}
	if (game_check(&m->rules, &before, now->text, strlen(now->text), &move,
		       &why)) {
		fact_wrong(sim, m, now, reason_text(why.reason));
		return;
	}
	game_move_text(&m->rules, &before, &move, text);
	if (strcmp(text, now->text) || b->crowned != move.crowned)
		fact_wrong(sim, m, now, "not written as it should be");
	if (!was_asked(m, now, &before))
		fact_wrong(sim, m, now, "nobody at this seat asked for it");
	if (id_is_none(&m->player[side]))
		script_decided(sim, m, side, now->plies);
	if (policy_has_ended(sim, m, now))
		fact_wrong(sim, m, now, "goes on though its policy ended it");
	if (has_accepted(m, now))
		fact_wrong(sim, m, now, "goes on though the draw was accepted");
	now->turn_side = side;
	lag_told(sim, m, now, side, b->lag_ms);
	clock_moved(sim, m, now, b->left_ms);
	now->left_ms[side] = b->left_ms;
	game_apply(&m->rules, &before, &move, &now->pos);
	after_half_move(m, now, &before);
	if (now->quiet == 0)
		m->offers_made[WHITE] = m->offers_made[BLACK] = 0;
	stakes_half_move(now, side);
	if (now->offer == 1 - side) {
		now->offer = -1; /* it was an answer, too: no */
		m->moves_since[1 - side] = 0;
	}
	if (m->spent[side] && now->offer != side &&
	    ++m->moves_since[side] >= OFFER_WAIT_MOVES)
		m->spent[side] = false;
	sim->counts.moves++;
}

static void passed_fact(struct sim *sim, struct book_match *m,
			struct book_fact *now, const struct fact *f)
{
	const struct position before = now->pos;
	now->side = (int)f->passed.side;
	if (before.dice[0] == 0 || game_can_move(&m->rules, &before) ||
	    f->passed.ply != now->plies || now->side != before.side)
		fact_wrong(sim, m, now, "a pass that was not forced");
	now->thought_ms = f->passed.thought_ms;
	if (now->stakes.asked) {
		now->turn_side = now->side;
		lag_told(sim, m, now, now->side, f->passed.lag_ms);
		clock_moved(sim, m, now, f->passed.left_ms);
		now->left_ms[now->side] = f->passed.left_ms;
	} else if (f->passed.thought_ms != 0 || f->passed.left_ms != 0) {
		fact_wrong(sim, m, now, "a pass of the server's costs time");
	}
	game_pass(&before, &now->pos);
	after_half_move(m, now, &before);
	stakes_half_move(now, now->side);
}

/* -- offers -- */

static void offered_fact(struct sim *sim, struct book_match *m,
			 struct book_fact *now, int side)
{
	now->side = side;
	if (!now->playing || now->offer >= 0 || m->spent[side] ||
	    !ruleset_draw_by_agreement(&m->rules))
		fact_wrong(sim, m, now, "an offer that is not allowed");
	if (m->no_offers || now->plies < m->offers_from ||
	    (m->offers_max && m->offers_made[side] >= m->offers_max))
		fact_wrong(sim, m, now, "an offer that its policy forbids");
	m->offers_made[side]++;
	if (!m->wished[side][METHOD_MATCH_OFFER_DRAW])
		fact_wrong(sim, m, now, "nobody offered");
	now->offer = side;
	m->spent[side] = true;
	m->moves_since[side] = 0;
	m->spent[1 - side] = false;
}

/* The policy said so about this position, and is told once. */
static void warned_fact(struct sim *sim, struct book_match *m,
			struct book_fact *now, const struct fact *f)
{
	bool said = false;
	for (size_t i = 0; i < m->said_count; i++)
		said |= m->said[i].warns && m->said[i].ply == now->plies &&
			m->said[i].takebacks == now->takebacks;
	script_decided(sim, m, KEPT_POLICY, now->plies);
	if (!said || !m->judged || !span_is(f->warned.words, "beware"))
		fact_wrong(sim, m, now, "a warning that no policy gave");
	for (size_t i = 0; i < m->facts; i++)
		if (m->fact[i].type == FACT_WARNED &&
		    m->fact[i].plies == now->plies &&
		    m->fact[i].takebacks == now->takebacks)
			fact_wrong(sim, m, now, "a second warning");
}

static void declined_fact(struct sim *sim, struct book_match *m,
			  struct book_fact *now, int side)
{
	now->side = side;
	if (now->offer != 1 - side ||
	    !m->wished[side][METHOD_MATCH_DECLINE_DRAW])
		fact_wrong(sim, m, now, "no offer is declined, or by nobody");
	now->offer = -1;
	m->moves_since[1 - side] = 0;
}

/* -- all -- */

static uint32_t ply_of(const struct fact *f)
{
	switch (f->type) {
	case FACT_ROLLED: return (uint32_t)f->rolled.ply;
	case FACT_MOVED: return (uint32_t)f->moved.ply;
	case FACT_PASSED: return (uint32_t)f->passed.ply;
	case FACT_WARNED: return (uint32_t)f->warned.ply;
	case FACT_CLOCK_ADJUSTED: return (uint32_t)f->clock_adjusted.ply;
	case FACT_DRAW_OFFERED: return (uint32_t)f->draw_offered.ply;
	case FACT_DRAW_DECLINED: return (uint32_t)f->draw_declined.ply;
	case FACT_PAUSE_OFFERED: return (uint32_t)f->pause_offered.ply;
	case FACT_PAUSE_DECLINED: return (uint32_t)f->pause_declined.ply;
	case FACT_PAUSED: return (uint32_t)f->paused.ply;
	case FACT_RESUMED: return (uint32_t)f->resumed.ply;
	case FACT_TAKEBACK_OFFERED: return (uint32_t)f->takeback_offered.ply;
	case FACT_TAKEBACK_DECLINED: return (uint32_t)f->takeback_declined.ply;
	case FACT_TAKEN_BACK: return (uint32_t)f->taken_back.ply;
	case FACT_RATED: return (uint32_t)f->rated.ply;
	case FACT_ENDED: return (uint32_t)f->ended.ply;
	case FACT_FROZEN: return (uint32_t)f->frozen.ply;
	case FACT_DOUBLED:
	case FACT_TAKEN:
	case FACT_DROPPED: return (uint32_t)f->doubled.ply;
	case FACT_GAME_ENDED: return (uint32_t)f->game_ended.ply;
	case FACT_GAME_BEGUN: return (uint32_t)f->game_begun.ply;
	case FACT_RESIGN_OFFERED: return (uint32_t)f->resign_offered.ply;
	case FACT_RESIGN_DECLINED: return (uint32_t)f->resign_declined.ply;
	default: return 0;
	}
}

static void judge_fact(struct sim *sim, struct book_match *m,
		       struct book_fact *now, const struct fact *f)
{
	switch (f->type) {
	case FACT_NONCE: nonce_fact(sim, m, now, f); break;
	case FACT_OPENING_THROW: opening_fact(sim, m, now, f); break;
	case FACT_ROLLED: rolled_fact(sim, m, now, f); break;
	case FACT_MOVED: moved_fact(sim, m, now, f); break;
	case FACT_PASSED: passed_fact(sim, m, now, f); break;
	case FACT_WARNED: warned_fact(sim, m, now, f); break;
	case FACT_CLOCK_ADJUSTED:
		clock_adjusted(sim, m, now, &f->clock_adjusted);
		break;
	case FACT_DRAW_OFFERED:
		offered_fact(sim, m, now, (int)f->draw_offered.side);
		break;
	case FACT_DRAW_DECLINED:
		declined_fact(sim, m, now, (int)f->draw_declined.side);
		break;
	case FACT_PAUSE_OFFERED:
	case FACT_PAUSE_DECLINED:
	case FACT_PAUSED:
	case FACT_RESUMED: pause_fact(sim, m, now, f); break;
	case FACT_TAKEBACK_OFFERED:
		takeback_offered_fact(sim, m, now, f);
		break;
	case FACT_TAKEBACK_DECLINED:
		takeback_declined_fact(sim, m, now, f);
		break;
	case FACT_TAKEN_BACK: taken_back_fact(sim, m, now, f); break;
	case FACT_RATED: rated_fact(sim, m, f); break;
	case FACT_FROZEN: frozen_fact(sim, m, now, f); break;
	case FACT_ENDED:
		ended_fact(sim, m, f);
		now->stakes.doubled = now->stakes.resign = -1;
		break;
	default: stakes_fact(sim, m, now, f); break;
	}
}

void match_fact(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	if (f->type == FACT_BEGUN) {
		if (sim->operator.drained)
			sim_fail(sim, "%s begins, but the server is drained",
				 f->match.text);
		begun_fact(sim, f);
		return;
	}
	struct book_match *m = book_match(r, &f->match);
	if (!m || m->over) {
		sim_fail(sim, "%s: %s before the beginning or after the end",
			 f->match.text, fact_name(f->type));
		return;
	}
	if (is_frozen(m) && f->type != FACT_ENDED &&
	    !(m->torn && f->type == FACT_FROZEN)) {
		sim_fail(sim, "%s goes on, but is frozen", m->id.text);
		return;
	}
	if (m->must_end && f->type != FACT_ENDED && f->type != FACT_RATED) {
		sim_fail(sim, "%s goes on, but is over by %s", m->id.text,
			 m->must_end);
		return;
	}
	if (f->type != FACT_RATED && !stakes_may_follow(m, f->type)) {
		sim_fail(sim, "%s: %s where a game must end or begin",
			 m->id.text, fact_name(f->type));
		return;
	}
	m->fact = sim_grow(m->fact, &m->fact_cap, m->facts, sizeof(*m->fact));
	struct book_fact now = m->fact[m->facts - 1];
	now.type = f->type;
	now.at_ms = f->at_ms;
	now.durable_ms = sim_domain_ms(sim);
	now.batch = r->batch;
	now.generation = r->generation;
	now.side = -1;
	now.ply = ply_of(f);
	now.text[0] = '\0';
	now.undone = 0;
	now.acked = false;
	now.die[0] = now.die[1] = 0;
	now.thought_ms = now.lag_ms = 0;
	now.turn_side = -1;
	now.tells = false;
	judge_fact(sim, m, &now, f);
	if (now.plies != m->fact[m->facts - 1].plies) {
		now.pause = -1;
		m->pause_spent[WHITE] = m->pause_spent[BLACK] = false;
	}
	if (begins_turn(f->type) && !now.stakes.asked)
		now.stakes.turn_at_ms = f->at_ms;
	m->fact[m->facts++] = now;
	if (f->type == FACT_MOVED || f->type == FACT_PASSED)
		look_for_end(m);
}

void match_is_settled(struct sim *sim, const struct book_match *m)
{
	const struct book_fact *last = &m->fact[m->facts - 1];
	if (m->must_end)
		sim_fail(sim, "%s is over by %s, but does not end", m->id.text,
			 m->must_end);
	else if (m->game_over || m->game_to_begin)
		sim_fail(sim, "%s: a game must end, or begin", m->id.text);
	else if (!m->over && last->playing && !last->paused && !last->frozen &&
		 turn_after(m, m->facts) < 0)
		sim_fail(sim, "%s waits for dice or a pass", m->id.text);
}
