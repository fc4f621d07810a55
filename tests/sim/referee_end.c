/* SPDX-License-Identifier: MIT
 * referee_end.c - how matches end: once, for a reason that holds; the dice
 * follow from the seed; the record is whole. */
#include "referee_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/verify.h"

static void wrong(struct sim *sim, const struct book_match *m, const char *what)
{
	sim_fail(sim, "%s ends by %s at ply %u: %s", m->id.text, m->end_reason,
		 m->fact[m->facts - 1].plies, what);
}

/* -- what must end -- */

static uint32_t times_seen(const struct book_match *m)
{
	const struct position *now = &m->fact[m->facts - 1].pos;
	uint32_t n = !memcmp(&m->start, now, sizeof(*now));
	for (size_t i = 1; i < m->facts; i++)
		n += in_force(m, i, m->facts) &&
		     !memcmp(&m->fact[i].pos, now, sizeof(*now));
	return n;
}

void look_for_end(struct book_match *m)
{
	const struct book_fact *last = &m->fact[m->facts - 1];
	struct outcome o = game_outcome(&m->rules, &last->pos);
	m->must_points = 0;
	m->must_result = RESULT_DRAW;
	if (o.over) {
		stakes_look_for_end(m, &o);
	} else if (m->repetition > 0 && times_seen(m) >= m->repetition) {
		m->must_end = "repetition";
	} else if (m->no_progress > 0 && last->quiet >= m->no_progress) {
		m->must_end = "no_progress";
	} else if (last->plies >= PLIES_MAX) {
		m->must_end = "too_long";
	}
}

/* -- why it ended -- */

static bool has_agreed(const struct book_match *m)
{
	const struct book_fact *last = &m->fact[m->facts - 1];
	if (last->offer < 0 || m->result != RESULT_DRAW)
		return false;
	const bool *wished = m->wished[1 - last->offer];
	return wished[METHOD_MATCH_ACCEPT_DRAW] ||
	       wished[METHOD_MATCH_OFFER_DRAW];
}

static void judge_flag(struct sim *sim, const struct book_match *m,
		       const struct fact *f, int loser)
{
	if (turn_after(m, m->facts) != loser)
		wrong(sim, m, "it is not the loser's clock that runs");
	else
		clock_flag(sim, m, f->at_ms);
}

/* A claim needs an opponent who has been away for long enough. */
static void judge_claim(struct sim *sim, const struct book_match *m,
			const struct fact *f)
{
	uint64_t grace = (uint64_t)sim->domain_limits.claim_after_ms;
	for (int s = 0; s < SIDES && m->clock.kind != CLOCK_PER_MOVE; s++) {
		const struct book_player *other =
			book_player(sim->referee, &m->player[1 - s]);
		bool asked =
			m->result == RESULT_DRAW
				? m->claimed_draw[s]
				: m->claimed_win[s] &&
					  m->result == (enum match_result)s;
		if (asked && other && !other->here &&
		    f->at_ms >= other->away_ms + grace)
			return;
	}
	wrong(sim, m, "nobody was away so long, or nobody claimed");
}

static bool was_aborted(const struct book_match *m)
{
	return m->fact[m->facts - 1].plies < ABORT_PLIES_MAX &&
	       (m->wished[WHITE][METHOD_MATCH_ABORT] ||
		m->wished[WHITE][METHOD_MATCH_LEAVE] ||
		m->wished[BLACK][METHOD_MATCH_LEAVE] ||
		m->wished[BLACK][METHOD_MATCH_ABORT]);
}

/* Without a clock, and nobody came back to it. */
static bool was_left(const struct sim *sim, const struct book_match *m,
		     const struct fact *f)
{
	uint64_t keep = (uint64_t)sim->domain_limits.adjourned_keep_ms;
	for (int s = 0; s < SIDES; s++) {
		const struct book_player *p =
			book_player(sim->referee, &m->player[s]);
		uint64_t since = p && p->went_away ? p->went_away_ms
				 : p               ? p->away_ms
						   : 0;
		if (p && (p->here || f->at_ms < since + keep))
			return false;
	}
	return m->clock.kind == CLOCK_UNLIMITED || m->fact[m->facts - 1].paused;
}

static void judge_policy(struct sim *sim, const struct book_match *m)
{
	for (size_t i = 0; m->judged && i < m->said_count; i++)
		if (!m->said[i].warns &&
		    m->said[i].ply == m->fact[m->facts - 1].plies &&
		    m->said[i].result == m->result)
			return;
	wrong(sim, m, "its policy did not say so in time");
}

static void judge_resigned(struct sim *sim, const struct book_match *m,
			   int loser)
{
	const struct book_fact *last = &m->fact[m->facts - 1];
	bool games = m->rules.family == FAMILY_BACKGAMMON &&
		     m->rules.backgammon.match_length > 0;
	bool well =
		games ? loser >= 0 && stakes_gave_up(m, loser) &&
				m->points == game_points_lost(&m->rules,
							      &last->pos,
							      (enum side)loser)
		      : loser >= 0 && stakes_resigned(m, loser, m->points);
	if (!well)
		wrong(sim, m, "the loser did not resign for that");
}

static void judge_reason(struct sim *sim, const struct book_match *m,
			 const struct fact *f)
{
	struct span why = f->ended.reason;
	const struct book_fact *last = &m->fact[m->facts - 1];
	int loser = m->result == RESULT_WHITE ? BLACK : WHITE;
	bool decided = m->result <= RESULT_BLACK;
	if (span_is(why, "resigned")) {
		judge_resigned(sim, m, decided ? loser : -1);
		return;
	} else if (span_is(why, "flag")) {
		judge_flag(sim, m, f, decided ? loser : -1);
	} else if (span_is(why, "agreed")) {
		if (!has_agreed(m))
			wrong(sim, m, "one offered and one agreed? No");
	} else if (span_is(why, "claimed")) {
		judge_claim(sim, m, f);
	} else if (span_is(why, "aborted")) {
		if (m->result != RESULT_ABORTED ||
		    (!was_aborted(m) && !was_left(sim, m, f)))
			wrong(sim, m, "nobody may abort it, or did");
	} else if (span_is(why, "no_show")) {
		if (!nobody_showed(sim, m, f))
			wrong(sim, m, "somebody moved, or may still");
	} else if (span_is(why, "operator")) {
		if (!cup_decided(sim->referee, m) &&
		    (!is_frozen(m) || !m->operator_ends[m->result]))
			wrong(sim, m, "its operator did not say so");
	} else if (span_is(why, "policy")) {
		judge_policy(sim, m);
		if (m->points != decided)
			wrong(sim, m, "a policy gives one point");
		return;
	} else {
		wrong(sim, m, "that is no reason here");
	}
	int points = decided ? game_points_lost(&m->rules, &last->pos,
						(enum side)loser)
			     : 0;
	if (m->points != points)
		wrong(sim, m, "the points are others");
}

/* -- dice -- */

static void u32be(uint8_t out[4], uint32_t x)
{
	for (int i = 0; i < 4; i++)
		out[i] = (uint8_t)(x >> (24 - 8 * i));
}

/* Docs, "Dice": roll r of a match. */
static void roll(const struct book_match *m, struct span seed, uint32_t r,
		 int die[2])
{
	uint8_t number[4], block[4];
	struct span white = span_of(m->nonce[WHITE], m->nonce_len[WHITE]);
	struct span black = span_of(m->nonce[BLACK], m->nonce_len[BLACK]);
	struct digest w = sha256(&white, 1), b = sha256(&black, 1);
	int found = 0;
	u32be(number, r);
	for (uint32_t i = 0; found < 2; i++) {
		u32be(block, i);
		const struct span part[] = {
			span_str("plyd-dice-1"), span_of("", 1),
			span_str(m->id.text),    span_of("", 1),
			span_of(w.byte, 32),     span_of(b.byte, 32),
			span_of(number, 4),      span_of(block, 4),
		};
		struct digest d = hmac_sha256(seed, part, 8);
		for (int j = 0; j < 32 && found < 2; j++)
			if (d.byte[j] < 252)
				die[found++] = d.byte[j] % 6 + 1;
	}
}

static void judge_dice(struct sim *sim, const struct book_match *m,
		       struct span seed)
{
	uint32_t r = 0;
	if (!ruleset_has_dice(&m->rules)) {
		if (seed.len > 0)
			wrong(sim, m, "a seed without dice");
		return;
	}
	struct digest d = sha256(&seed, 1);
	if (seed.len != SEED_BYTES || !digest_eq(&d, &m->commitment)) {
		wrong(sim, m, "the seed is not the one that was promised");
		return;
	}
	for (size_t i = 0; i < m->facts; i++) {
		const struct book_fact *f = &m->fact[i];
		int die[2];
		if (f->type != FACT_ROLLED && f->type != FACT_OPENING_THROW)
			continue;
		roll(m, seed, r++, die);
		if (die[0] != f->die[0] || die[1] != f->die[1])
			wrong(sim, m, "the dice do not follow from the seed");
	}
}

void ended_fact(struct sim *sim, struct book_match *m, const struct fact *f)
{
	const struct fact_ended_body *b = &f->ended;
	const struct book_fact *last = &m->fact[m->facts - 1];
	m->over = true;
	rated_ended(sim, m, (enum match_result)b->result);
	m->result = (enum match_result)b->result;
	m->points = (int)b->points;
	m->ended_generation = sim->referee->generation;
	m->ended_ms = f->at_ms;
	span_copy(b->reason, m->end_reason, sizeof(m->end_reason));
	if (b->ply != last->plies)
		wrong(sim, m, "at another ply");
	if (b->white_score != last->stakes.score[WHITE] ||
	    b->black_score != last->stakes.score[BLACK])
		wrong(sim, m, "the score is another");
	if (is_frozen(m) && !span_is(b->reason, "operator"))
		wrong(sim, m, "it was frozen");
	judge_dice(sim, m, b->seed);
	clock_ended(sim, m, f);
	if (!m->must_end) {
		judge_reason(sim, m, f);
		return;
	}
	if (strcmp(m->must_end, m->end_reason) || m->must_result != m->result ||
	    m->must_points != m->points)
		wrong(sim, m, m->must_end);
	m->must_end = NULL;
}

/* -- the record -- */

/* A record is in the lists of its players; of one who was deleted it may be in
 * none. */
static bool is_listed_for(const struct referee *r, const struct id *owner,
			  const struct id *player)
{
	const struct book_player *p = book_player(r, player);
	return id_eq(owner, player) || (id_is_none(owner) && p && p->leaving);
}

void referee_finished(struct sim *sim, const struct record *rec)
{
	struct book_match *m = book_match(sim->referee, &rec->match);
	struct verifier *v = verifier_new(&rec->match);
	struct span rows = buf_span(&rec->rows);
	if (!v)
		abort();
	if (!m || !m->over || m->finished) {
		sim_fail(sim, "a record of a match that has not just ended");
		verifier_free(v);
		return;
	}
	while (rows.len >= 4) {
		size_t len = (size_t)rows.at[2] << 8 | rows.at[3];
		len |= (size_t)rows.at[0] << 24 | (size_t)rows.at[1] << 16;
		(void)verifier_fact(v, span_of(rows.at + 4, len));
		rows = span_of(rows.at + 4 + len, rows.len - 4 - len);
	}
	if (verifier_end(v, &rec->head))
		sim_fail(sim, "the record of %s is refused: %s", m->id.text,
			 verifier_verdict(v)->why);
	else if (verifier_verdict(v)->facts != m->facts)
		sim_fail(sim, "the record of %s is not its log", m->id.text);
	else if (!is_listed_for(sim->referee, &rec->player[WHITE],
				&m->player[WHITE]) ||
		 !is_listed_for(sim->referee, &rec->player[BLACK],
				&m->player[BLACK]))
		sim_fail(sim,
			 "the record of %s is in the lists of [%s] and [%s], "
			 "not of [%s] and [%s]",
			 m->id.text, rec->player[WHITE].text,
			 rec->player[BLACK].text, m->player[WHITE].text,
			 m->player[BLACK].text);
	verifier_free(v);
	m->finished = true;
	m->head = rec->head;
	sim->counts.matches++;
}

void match_at_the_end(struct sim *sim, const struct book_match *m)
{
	const struct referee *r = sim->referee;
	const struct book_fact *last = &m->fact[m->facts - 1];
	uint64_t now = sim_domain_ms(sim);
	uint64_t from = last->durable_ms > r->writable_ms ? last->durable_ms
							  : r->writable_ms;
	if (m->over) {
		if (!m->finished)
			sim_fail(sim, "%s has ended, but is no record",
				 m->id.text);
		return;
	}
	if (last->frozen)
		return; /* until the operator comes */
	if (!last->playing) {
		if (now >
		    from + (uint64_t)sim->domain_limits.nonce_wait_ms + 5000)
			sim_fail(sim, "%s waits for nonces for ever",
				 m->id.text);
		return;
	}
	if (now > clock_latest_ms(sim, m) &&
	    now - clock_latest_ms(sim, m) > 5000)
		sim_fail(sim, "the flag of %s never falls", m->id.text);
}
