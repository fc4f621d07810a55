/* SPDX-License-Identifier: MIT
 * referee_leave.c - pauses by agreement; players who leave, and how long those
 * are away for whom a match waits. */
#include "referee_priv.h"

/* -- pauses -- */

static void pause_offered(struct sim *sim, struct book_match *m,
			  struct book_fact *now)
{
	if (now->pause >= 0 || m->pause_spent[now->side] ||
	    m->clock.kind == CLOCK_UNLIMITED || m->clock.kind == CLOCK_PER_MOVE)
		fact_wrong(sim, m, now, "no pause may be asked for");
	if (!m->wished[now->side][METHOD_MATCH_PAUSE_OFFER])
		fact_wrong(sim, m, now, "nobody asked for a pause");
	now->pause = now->side;
	m->pause_spent[now->side] = true;
}

/* What a policy says while the match is paused is about a position that will be
 * judged again. */
static void verdicts_lapse(struct book_match *m, uint64_t from_ms)
{
	for (size_t i = 0; i < m->said_count; i++)
		if (m->said[i].at_ms >= from_ms)
			m->said[i].in_time = false;
}

static void paused(struct sim *sim, struct book_match *m, struct book_fact *now,
		   const struct fact_paused_body *b)
{
	const bool *wished = m->wished[now->side];
	bool person = !id_is_none(&m->player[now->side]);
	int agreed = now->side;
	if (now->pause != 1 - now->side)
		fact_wrong(sim, m, now, "nobody asked for the pause");
	if (person && !wished[METHOD_MATCH_PAUSE_ACCEPT] &&
	    !wished[METHOD_MATCH_PAUSE_OFFER])
		fact_wrong(sim, m, now, "paused without consent");
	now->thought_ms = b->thought_ms;
	now->side = turn_after(m, m->facts);
	lag_told(sim, m, now, now->side, b->lag_ms);
	clock_thought(sim, m, now);
	now->side = agreed;
	now->stakes.before_ms = b->thought_ms;
	now->stakes.before_lag_ms = b->lag_ms;
	now->stakes.resign = -1;
	now->paused = true;
	verdicts_lapse(m, now->at_ms);
	now->pause = now->offer = now->takeback = -1;
	m->pause_spent[WHITE] = m->pause_spent[BLACK] = false;
	m->takeback_spent[WHITE] = m->takeback_spent[BLACK] = false;
}

void pause_fact(struct sim *sim, struct book_match *m, struct book_fact *now,
		const struct fact *f)
{
	if (f->type == FACT_PAUSE_OFFERED) {
		now->side = (int)f->pause_offered.side;
		pause_offered(sim, m, now);
	} else if (f->type == FACT_PAUSE_DECLINED) {
		now->side = (int)f->pause_declined.side;
		if (now->pause != 1 - now->side ||
		    !m->wished[now->side][METHOD_MATCH_PAUSE_DECLINE])
			fact_wrong(sim, m, now, "no pause is declined");
		now->pause = -1;
	} else if (f->type == FACT_PAUSED) {
		now->side = (int)f->paused.side;
		paused(sim, m, now, &f->paused);
	} else {
		now->side = (int)f->resumed.side;
		if (!now->paused || !m->wished[now->side][METHOD_MATCH_RESUME])
			fact_wrong(sim, m, now, "nobody ended a pause");
		now->paused = false;
	}
	if (now->ply != now->plies)
		fact_wrong(sim, m, now, "a pause at another half-move");
}

/* -- leaving -- */

static int64_t still_counted(const struct sim *sim, const struct book_player *p,
			     uint64_t now_ms)
{
	int64_t left = p->leaves - (int64_t)(now_ms - p->leave_ms) /
					   sim->domain_limits.leave_counts_ms;
	return left > 0 ? left : 0;
}

void leaves_counted(struct sim *sim, const struct fact *f)
{
	struct book_player *p =
		book_player(sim->referee, &f->leaves_counted.player);
	if (!p || f->leaves_counted.last_ms != (int64_t)f->at_ms ||
	    f->leaves_counted.count != still_counted(sim, p, f->at_ms) + 1) {
		sim_fail(sim, "leaves are counted wrong");
		return;
	}
	p->leaves = f->leaves_counted.count;
	p->leave_ms = f->at_ms;
}

void went_away(struct sim *sim, const struct fact *f)
{
	struct book_player *p = book_player(sim->referee, &f->went_away.player);
	if (!p || p->went_away || f->went_away.since_ms > (int64_t)f->at_ms) {
		sim_fail(sim, "somebody is said to be away who is not");
		return;
	}
	p->went_away = true;
	p->went_away_ms = (uint64_t)f->went_away.since_ms;
}

void came_back(struct sim *sim, const struct fact *f)
{
	struct book_player *p = book_player(sim->referee, &f->came_back.player);
	if (!p || !p->went_away) {
		sim_fail(sim, "somebody is back who was not away");
		return;
	}
	p->went_away = false;
}

bool nobody_showed(const struct sim *sim, const struct book_match *m,
		   const struct fact *f)
{
	const struct book_fact *last = &m->fact[m->facts - 1];
	const struct book_fact *began = turn_began(m, m->facts);
	uint64_t from = began->generation == sim->referee->generation
				? began->durable_ms
				: sim->referee->generation_ms;
	int64_t cup_ms = cup_no_show_ms(sim->referee, m);
	if (cup_ms >= 0)
		return m->result == RESULT_ABORTED &&
		       last->plies < ABORT_PLIES_MAX &&
		       f->at_ms >= from + (uint64_t)cup_ms;
	return m->result == RESULT_ABORTED && last->plies < ABORT_PLIES_MAX &&
	       last->takebacks == 0 && m->clock.kind != CLOCK_UNLIMITED &&
	       m->clock.kind != CLOCK_PER_MOVE &&
	       turn_after(m, m->facts) >= 0 &&
	       f->at_ms >= from + (uint64_t)sim->domain_limits.first_move_ms;
}
