/* SPDX-License-Identifier: MIT
 * stakes_apply.c - the facts of cube, games and resignations. */
#include "domain/domain_priv.h"

static bool is_side(int64_t side)
{
	return side == WHITE || side == BLACK;
}

/* -- the cube -- */

void stakes_after_half_move(struct match *m, enum side side)
{
	turn_forget(m);
	if (m->resign.standing && m->resign.by == side)
		m->resign.standing = false;
	m->resign.refused[side] = 0;
}

void stakes_note_act(struct match *m, enum side side, enum cube_act act)
{
	m->act[side] = (struct last_act){
		.any = true, .act = act, .ply = m->ply, .seq = m->seq + 1
	};
}

/* One more half-move, with the cube. */
static void count_half_move(struct match *m, enum side side, enum cube_act act,
			    int64_t left_ms)
{
	static const char *const texts[] = { [CUBE_DOUBLE] = "double",
					     [CUBE_TAKE] = "take",
					     [CUBE_DROP] = "drop" };
	stakes_note_act(m, side, act);
	log_move(m, span_str(texts[act]));
	m->ply++;
	m->left_ms[side] = left_ms;
	stakes_after_half_move(m, side);
	offers_after_move(&m->offers, side);
}

static int apply_cube(struct match *m, const struct fact *f, enum cube_act act)
{
	const struct fact_doubled_body *b = &f->doubled; /* all are alike */
	bool answers = act != CUBE_DOUBLE;
	if (m->state != MATCH_PLAYING || b->ply != m->ply ||
	    b->side != match_turn(m) || m->doubled != answers ||
	    m->pos.dice[0] != 0 || !is_clock(b->left_ms) ||
	    !is_clock(b->lag_ms) || !ruleset_has_dice(&m->rules->rules) ||
	    m->pos.stakes.cube >= CUBE_MAX)
		return PLYD_ERECORD;
	if (match_reserve(m))
		return PLYD_ENOMEM;
	m->lag_used_ms[b->side] += b->lag_ms;
	count_half_move(m, (enum side)b->side, act, b->left_ms);
	m->doubled = !answers;
	struct position before = m->pos;
	if (act == CUBE_TAKE)
		game_take(&before, &m->pos);
	return PLYD_OK;
}

/* -- games -- */

static int apply_game_ended(struct match *m,
			    const struct fact_game_ended_body *b)
{
	if (m->state != MATCH_PLAYING || b->ply != m->ply ||
	    b->game != m->game || b->white_score < 0 ||
	    b->white_score > UINT8_MAX || b->black_score < 0 ||
	    b->black_score > UINT8_MAX || !is_side(b->winner) ||
	    !is_clock(b->white_left_ms) || !is_clock(b->black_left_ms) ||
	    !is_clock(b->lag_ms))
		return PLYD_ERECORD;
	enum side loser = side_other((enum side)b->winner);
	if (span_is(b->reason, end_reason_name(END_RESIGNED))) {
		m->resigned[loser].game = m->game;
		m->resigned[loser].game_seq = m->seq + 1;
		resign_note_answer(m, true);
	}
	m->pos.stakes.score[WHITE] = (uint8_t)b->white_score;
	m->pos.stakes.score[BLACK] = (uint8_t)b->black_score;
	m->left_ms[WHITE] = b->white_left_ms;
	m->left_ms[BLACK] = b->black_left_ms;
	m->lag_used_ms[match_turn(m)] += b->lag_ms;
	m->doubled = false;
	turn_forget(m);
	m->offers = (struct draw_offers){ 0 };
	m->resign = (struct resign_offers){ 0 };
	return PLYD_OK;
}

/* Records of older servers do not count a game given up. */
static int apply_game_begun(struct match *m,
			    const struct fact_game_begun_body *b)
{
	const struct ruleset *rules = &m->rules->rules;
	struct position start;
	if (m->state != MATCH_PLAYING || b->ply < m->ply ||
	    b->ply > (int64_t)m->ply + 1 || b->game != m->game + 1 ||
	    !ruleset_has_dice(rules) ||
	    game_read(rules, (const char *)b->position.at, b->position.len,
		      &start, NULL))
		return PLYD_ERECORD;
	if (match_reserve(m))
		return PLYD_ENOMEM;
	m->pos = start;
	if (b->ply > m->ply)
		log_move(m, span_str("resigned"));
	m->first_known = ruleset_first(rules) >= 0;
	m->ply = (uint32_t)b->ply;
	m->game++;
	m->game_ply = m->ply;
	m->quiet = 0;
	m->hash_count = 0;
	m->hashes[m->hash_count++] = game_hash(rules, &m->pos);
	return PLYD_OK;
}

/* -- resignations -- */

void resign_note_answer(struct match *m, bool accepted)
{
	if (!m->resign.standing)
		return;
	struct last_resign *last = &m->resigned[side_other(m->resign.by)];
	last->answered = m->resign.seq;
	last->accepted = accepted;
	last->answered_seq = m->seq + 1;
}

static int apply_resign_offered(struct match *m,
				const struct fact_resign_offered_body *b)
{
	if (m->state != MATCH_PLAYING || !is_side(b->side) || b->level < 1 ||
	    b->level > 2)
		return PLYD_ERECORD;
	m->resign.standing = true;
	m->resign.by = (enum side)b->side;
	m->resign.level = (int)b->level;
	m->resign.seq = m->seq + 1;
	return PLYD_OK;
}

static int apply_resign_declined(struct match *m,
				 const struct fact_resign_declined_body *b)
{
	if (m->state != MATCH_PLAYING || !m->resign.standing ||
	    b->side != side_other(m->resign.by))
		return PLYD_ERECORD;
	resign_note_answer(m, false);
	m->resign.refused[m->resign.by] = m->resign.level;
	m->resign.standing = false;
	return PLYD_OK;
}

int apply_stakes(struct match *m, const struct fact *f)
{
	switch (f->type) {
	case FACT_DOUBLED: return apply_cube(m, f, CUBE_DOUBLE);
	case FACT_TAKEN: return apply_cube(m, f, CUBE_TAKE);
	case FACT_DROPPED: return apply_cube(m, f, CUBE_DROP);
	case FACT_GAME_ENDED: return apply_game_ended(m, &f->game_ended);
	case FACT_GAME_BEGUN: return apply_game_begun(m, &f->game_begun);
	case FACT_RESIGN_OFFERED:
		return apply_resign_offered(m, &f->resign_offered);
	case FACT_RESIGN_DECLINED:
		return apply_resign_declined(m, &f->resign_declined);
	default: return PLYD_ERECORD;
	}
}
