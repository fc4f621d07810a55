/* SPDX-License-Identifier: MIT
 * tournament_round.c - a running tournament goes on by itself, one thing a
 * step: a round is paired, the match of a table begins, another round follows.
 * What is next follows from what is there, so that a crash between two steps
 * changes nothing: a table whose match has begun is never begun again. */
#include "domain/tournament_priv.h"

#include <assert.h>

#include "base/memory.h"

static size_t last_round(const struct tournament *t)
{
	return t->contest.round_count - 1;
}

/* A match of this table is to begin. */
static bool is_idle(const struct tournament *t, size_t round, size_t table)
{
	const struct tournament_table *x = &t->table[round][table];
	return t->round[round].table[table].outcome == OUTCOME_PENDING &&
	       x->games == x->over;
}

static bool has_idle_table(const struct tournament *t)
{
	if (t->contest.round_count == 0)
		return false;
	for (size_t i = 0; i < t->round[last_round(t)].count; i++)
		if (is_idle(t, last_round(t), i))
			return true;
	return false;
}

static bool round_is_done(const struct tournament *t)
{
	return t->contest.round_count == 0 ||
	       tournament_open_tables(t, last_round(t)) == 0;
}

static bool is_last(const struct tournament *t)
{
	return t->contest.round_count >= t->rounds;
}

uint64_t tournament_goes_on_ms(const struct domain *d,
			       const struct tournament *t)
{
	uint64_t now = d->now_ms > 0 ? d->now_ms : 1;
	if (has_idle_table(t) || (d->draining && round_is_done(t)))
		return t->retry_ms > now ? t->retry_ms : now;
	if (!round_is_done(t))
		return UINT64_MAX;
	if (t->contest.round_count == 0 || is_last(t))
		return now;
	return t->done_ms + (uint64_t)t->terms.gap_ms;
}

/* -- pairing -- */

static void put_u16(uint8_t *at, uint16_t n)
{
	at[0] = (uint8_t)(n >> 8);
	at[1] = (uint8_t)n;
}

static void pair(struct domain *d, struct tournament *t)
{
	size_t count;
	/* who is left over in a knock-out has won it, if it was played */
	bool may_be_won = t->terms.format == FORMAT_KNOCKOUT &&
			  t->contest.round_count > 0;
	if (contest_active(&t->contest, t->contest.round_count) < 2 &&
	    !may_be_won) {
		tournament_move(d, t, TOURNAMENT_FINISHED,
				TOURNAMENT_END_TOO_FEW);
		return;
	}
	if (pairs_next(&t->contest, d->tables, &count))
		memory_ran_out("pairing a round");
	if (count == 0) {
		tournament_move(d, t, TOURNAMENT_FINISHED,
				TOURNAMENT_END_PLAYED);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		uint8_t *at = d->table_bytes + i * TABLE_BYTES;
		put_u16(at, d->tables[i].white);
		put_u16(at + 2, d->tables[i].black);
		at[4] = d->tables[i].outcome;
	}
	size_t round = t->contest.round_count;
	happen(d, &(struct fact){ .type = FACT_TOURNAMENT_PAIRED,
				  .tournament_paired = {
					  t->id, (int64_t)round,
					  span_of(d->table_bytes,
						  count * TABLE_BYTES) } });
	struct effect *fx = effect_add(d, EFFECT_TOURNAMENT_ROUND);
	fx->tournament = t;
	fx->round = (uint32_t)round;
	tell_tournament(d, t, true);
	tournament_changed(d, t);
}

/* -- a table -- */

static void tell_table(struct domain *d, const struct tournament *t,
		       size_t round, size_t table)
{
	struct effect *fx = effect_add(d, EFFECT_TOURNAMENT_TABLE);
	fx->tournament = t;
	fx->round = (uint32_t)round;
	fx->table = (uint32_t)table;
}

static void decide(struct domain *d, struct tournament *t, size_t round,
		   size_t table, enum table_outcome o, int white, int black)
{
	happen(d, &(struct fact){ .type = FACT_TOURNAMENT_RESULT,
				  .tournament_result = { t->id, (int64_t)round,
							 (int64_t)table, o,
							 white, black } });
	tell_table(d, t, round, table);
	tournament_changed(d, t);
}

/* Two no-shows in a row, and nobody waits for him any more. */
static bool stays_away(const struct tournament *t, uint16_t entry)
{
	size_t missed = 0;
	for (size_t r = t->contest.round_count; r-- > 0;) {
		bool came = true, sat = false;
		for (size_t i = 0; i < t->round[r].count; i++) {
			const struct contest_table *x = &t->round[r].table[i];
			if (x->white != entry && x->black != entry)
				continue;
			int side = x->black == entry;
			enum table_outcome o = (enum table_outcome)x->outcome;
			sat = true;
			came = o != OUTCOME_NEITHER &&
			       o != (side == 0 ? OUTCOME_BLACK_FORFEIT
					       : OUTCOME_WHITE_FORFEIT);
		}
		if (sat && came)
			return false;
		if (sat && ++missed > NO_SHOWS_ALLOWED)
			return true;
	}
	return false;
}

static void drop_if_away(struct domain *d, struct tournament *t, uint16_t entry)
{
	if (t->entry[entry].gone == ENTRY_HERE && stays_away(t, entry))
		entry_leave(d, t, entry, ENTRY_NO_SHOW);
}

/* Who did not come, or has gone: bits 1 white, 2 black. */
static void forfeit(struct domain *d, struct tournament *t, size_t round,
		    size_t table, unsigned absent)
{
	const struct contest_table *x = &t->round[round].table[table];
	decide(d, t, round, table,
	       absent == 1   ? OUTCOME_BLACK_FORFEIT
	       : absent == 2 ? OUTCOME_WHITE_FORFEIT
			     : OUTCOME_NEITHER,
	       0, 0);
	drop_if_away(d, t, x->white);
	drop_if_away(d, t, x->black);
}

static int seat_check(const struct domain *d, const struct tournament *t,
		      uint16_t entry)
{
	const struct player *p = find_player(d, &t->entry[entry].player);
	if (!p || t->entry[entry].gone == ENTRY_REMOVED)
		return PLYD_ENOPLAYER;
	return player_may_begin(d, p);
}

static void begin_match(struct domain *d, struct tournament *t, size_t round,
			size_t table, const struct match_rules *rules)
{
	const struct contest_table *x = &t->round[round].table[table];
	size_t game = t->table[round][table].games;
	struct match_rules chosen = *rules;
	rules_set_length(&chosen, t->terms.match_length);
	struct pairing p = { .rules = &chosen,
			     .clock = t->terms.clock,
			     .rated = t->terms.rated,
			     .position = span_str(""),
			     .place = { t->id, (uint32_t)round + 1,
					(uint32_t)table + 1,
					(uint32_t)game + 1 } };
	bool turned = game % 2 == 1; /* a drawn one again, colours changed */
	p.seat[turned ? BLACK : WHITE] =
		partner_of(find_player(d, &t->entry[x->white].player));
	p.seat[turned ? WHITE : BLACK] =
		partner_of(find_player(d, &t->entry[x->black].player));
	struct match *m = match_begin(d, &p, d->unix_ms);
	happen(d, &(struct fact){ .type = FACT_TOURNAMENT_SET,
				  .tournament_set = { t->id, (int64_t)round,
						      (int64_t)table,
						      (int64_t)game, m->id } });
	match_start(d, m);
	tell_table(d, t, round, table);
}

/* What stands against a match of this table: a bit for each player, or, of the
 * server, PLYD_ error. */
static unsigned who_hinders(const struct domain *d, const struct tournament *t,
			    const struct contest_table *x, int *server,
			    bool *for_good)
{
	uint16_t who[] = { x->white, x->black };
	unsigned bits = 0;
	for (unsigned s = 0; s < 2; s++) {
		int err = seat_check(d, t, who[s]);
		if (err == PLYD_EDRAINING || err == PLYD_EFULL)
			*server = err;
		else if (err)
			bits |= 1u << s;
		*for_good |= err == PLYD_ENOPLAYER;
	}
	return bits;
}

/* Begins a table's match, or decides it if a player is away too long; false:
 * neither is possible now. */
static bool try_table(struct domain *d, struct tournament *t, size_t round,
		      size_t table, const struct match_rules *rules)
{
	const struct contest_table *x = &t->round[round].table[table];
	int server = PLYD_OK;
	bool for_good = false;
	unsigned bits = who_hinders(d, t, x, &server, &for_good);
	bool late = t->paired_ms + (uint64_t)t->terms.no_show_ms <= d->now_ms;
	if (server)
		return false;
	if (bits == 0)
		begin_match(d, t, round, table, rules);
	else if (late || for_good)
		forfeit(d, t, round, table, bits);
	else
		return false;
	return true;
}

static bool begin_next(struct domain *d, struct tournament *t)
{
	size_t round = last_round(t);
	const struct match_rules *rules =
		domain_rules_find(d, span_str(t->terms.ruleset));
	for (size_t i = 0; rules && i < t->round[round].count; i++)
		if (is_idle(t, round, i) && try_table(d, t, round, i, rules))
			return true;
	t->retry_ms = due_after(d, TABLE_RETRY_MS);
	return false;
}

bool tournament_go_on(struct domain *d, struct tournament *t)
{
	if (tournament_goes_on_ms(d, t) > d->now_ms && d->now_ms > 0)
		return false;
	if (has_idle_table(t))
		return begin_next(d, t);
	if (d->draining) { /* the next server goes on with it */
		t->retry_ms = due_after(d, TABLE_RETRY_MS);
		return false;
	}
	if (t->contest.round_count > 0 && is_last(t))
		tournament_move(d, t, TOURNAMENT_FINISHED,
				TOURNAMENT_END_PLAYED);
	else
		pair(d, t);
	return true;
}

/* -- results -- */

static bool is_gone(const struct tournament *t, uint16_t entry)
{
	return t->entry[entry].gone != ENTRY_HERE;
}

/* Nobody won at the board: who did not move loses, who has left loses, else it
 * counts for nobody. */
static unsigned absent_from(const struct tournament *t, const struct match *m,
			    const struct contest_table *x, bool turned)
{
	unsigned bits = 0;
	if (m->reason == END_NO_SHOW) {
		enum side late = match_turn(m);
		bool black = (late == BLACK) != turned;
		bool other_here = m->here[side_other(late)];
		return !other_here ? 3 : black ? 2 : 1;
	}
	bits |= is_gone(t, x->white) ? 1 : 0;
	bits |= is_gone(t, x->black) ? 2 : 0;
	return bits ? bits : 3;
}

/* A drawn table of a knock-out is played again, then drawn by lot. */
static enum table_outcome drawn(const struct tournament *t, size_t round,
				size_t table)
{
	const struct contest_table *x = &t->round[round].table[table];
	if (t->terms.format != FORMAT_KNOCKOUT)
		return OUTCOME_DRAW;
	if (t->table[round][table].games < KO_GAMES_MAX)
		return OUTCOME_PENDING;
	return contest_round_lot(&t->contest, round, x->white) <
			       contest_round_lot(&t->contest, round, x->black)
		       ? OUTCOME_WHITE_LOT
		       : OUTCOME_BLACK_LOT;
}

static int points_of(const struct match *m, enum side side)
{
	bool won = m->result == (side == WHITE ? RESULT_WHITE : RESULT_BLACK);
	if (match_length(m) > 0)
		return m->pos.stakes.score[side];
	return won ? m->points : 0;
}

void tournament_match_ended(struct domain *d, const struct match *m)
{
	struct tournament *t = find_tournament(d, &m->place.tournament);
	size_t round = m->place.round - 1, table = m->place.table - 1;
	if (!t || m->place.round == 0 || t->state == TOURNAMENT_FINISHED ||
	    round >= t->contest.round_count || table >= t->round[round].count)
		return;
	struct tournament_table *x = &t->table[round][table];
	const struct contest_table *c = &t->round[round].table[table];
	if (c->outcome != OUTCOME_PENDING || x->games == 0 ||
	    !id_eq(&x->match[x->games - 1], &m->id))
		return; /* a director has decided meanwhile */
	bool turned = x->games % 2 == 0;
	if (m->result == RESULT_ABORTED) {
		forfeit(d, t, round, table, absent_from(t, m, c, turned));
		return;
	}
	enum side white = turned ? BLACK : WHITE;
	bool won = m->result == (white == WHITE ? RESULT_WHITE : RESULT_BLACK);
	decide(d, t, round, table,
	       m->result == RESULT_DRAW ? drawn(t, round, table)
	       : won                    ? OUTCOME_WHITE
					: OUTCOME_BLACK,
	       points_of(m, white), points_of(m, side_other(white)));
}

/* -- a director's decision -- */

/* By what was decided the next rounds of a knock-out were made. */
static int correct_check(const struct tournament *t,
			 const struct cmd_tournament *c)
{
	if (c->round >= t->contest.round_count ||
	    c->table >= t->round[c->round].count)
		return PLYD_ENOTABLE;
	const struct contest_table *x = &t->round[c->round].table[c->table];
	bool bye = x->black == NO_ENTRY;
	bool lot = c->outcome == OUTCOME_WHITE_LOT ||
		   c->outcome == OUTCOME_BLACK_LOT;
	bool knockout = t->terms.format == FORMAT_KNOCKOUT;
	if (bye || c->outcome == OUTCOME_PENDING || c->outcome == OUTCOME_BYE ||
	    (lot && !knockout) || (knockout && c->outcome == OUTCOME_DRAW))
		return PLYD_ENOTALLOWED;
	if (knockout && c->round != last_round(t))
		return PLYD_ESTAGE;
	if (t->correction_count == CORRECTIONS_MAX)
		return PLYD_ETOOMANY;
	return PLYD_OK;
}

static void happen_corrected(struct domain *d, const struct command *cmd,
			     const struct tournament *t)
{
	const struct cmd_tournament *c = &cmd->tournament;
	const struct contest_table *x = &t->round[c->round].table[c->table];
	const struct player *p = find_player(d, &cmd->player);
	memcpy(d->name, p->name, sizeof(d->name));
	/* the end of its match has words of its own */
	span_copy(c->words, d->said, sizeof(d->said));
	struct fact_tournament_corrected_body b = {
		.tournament = t->id,
		.round = c->round,
		.table = c->table,
		.outcome = c->outcome,
		.white_points = c->points[0],
		.black_points = c->points[1],
		.by = p->id,
		.by_name = span_str(d->name),
		.words = span_str(d->said),
		.at = d->unix_ms,
		.paired = (int64_t)t->contest.round_count,
		.was = x->outcome,
		.white_was = x->points[0],
		.black_was = x->points[1],
	};
	happen(d, &(struct fact){ .type = FACT_TOURNAMENT_CORRECTED,
				  .tournament_corrected = b });
}

/* Its match, if it is still played, ends without a result of its own; that its
 * table is decided comes before. */
static void end_match(struct domain *d, const struct tournament *t,
		      const struct tournament_table *x)
{
	struct match *m =
		x->games > 0 ? find_match(d, &x->match[x->games - 1]) : NULL;
	(void)t;
	if (!m || m->state == MATCH_OVER)
		return;
	frozen_say(d, m);
	span_copy(span_str("The director of the tournament has decided."),
		  d->words, sizeof(d->words));
	match_end(d, m, RESULT_ABORTED, END_OPERATOR, 0);
}

void on_tournament_correct(struct domain *d, const struct command *cmd)
{
	const struct cmd_tournament *c = &cmd->tournament;
	struct tournament *t =
		tournament_to_direct(d, cmd,
				     1u << TOURNAMENT_RUNNING |
					     1u << TOURNAMENT_PAUSED);
	int err = t ? correct_check(t, c) : PLYD_OK;
	if (!t)
		return;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	const struct contest_table *x = &t->round[c->round].table[c->table];
	if (x->outcome != c->outcome || x->points[0] != c->points[0] ||
	    x->points[1] != c->points[1]) {
		happen_corrected(d, cmd, t);
		end_match(d, t, &t->table[c->round][c->table]);
		tell_table(d, t, c->round, c->table);
		tournament_changed(d, t);
	}
	answer_tournament(d, cmd, t);
}
