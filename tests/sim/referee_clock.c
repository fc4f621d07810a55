/* SPDX-License-Identifier: MIT
 * referee_clock.c - the clocks once more, as docs/players.md tells them: a time
 * for each side, and what each turn takes from it. */
#include "referee_priv.h"

/* A turn is released behind the commits that are in flight. */
enum { COMMIT_MS_MAX = 5000 };

static void wrong(struct sim *sim, const struct book_match *m, const char *what)
{
	sim_fail(sim, "%s, after fact %zu: %s", m->id.text, m->facts, what);
}

/* -- the clock that was agreed on -- */

/* The clock of a lobby, from what was asked for: what was not said is as the
 * ruleset has it, if its clock is of that kind. In this world all rulesets have
 * Fischer's. */
bool clock_of_lobby(const struct sim *sim, const struct clock_asked *a,
		    struct book_clock *out)
{
	const struct clock_rules *standard = NULL;
	for (int i = 0; i < RULESETS; i++)
		if (!strcmp(sim->rules[i].rules.name, a->ruleset))
			standard = &sim->rules[i].clock;
	if (!standard)
		return false;
	int kind = a->kind < 0 ? CLOCK_FISCHER : a->kind;
	bool delays = kind == CLOCK_DELAY || kind == CLOCK_BRONSTEIN;
	bool base = kind == CLOCK_FISCHER || delays;
	*out = (struct book_clock){ .kind = kind };
	if (a->base_ms >= 0)
		out->base_ms = a->base_ms;
	else if (base)
		out->base_ms = standard->base_ms;
	if (a->increment_ms >= 0)
		out->increment_ms = a->increment_ms;
	else if (kind == CLOCK_FISCHER)
		out->increment_ms = standard->increment_ms;
	if (a->delay_ms >= 0)
		out->delay_ms = a->delay_ms;
	bool times = base ? out->base_ms >= 1000 && out->base_ms <= 120000
		     : kind == CLOCK_PER_MOVE
			     ? out->base_ms >= 1000 && out->base_ms <= 120000
			     : out->base_ms == 0;
	return times &&
	       out->increment_ms <= (kind == CLOCK_FISCHER ? 5000 : 0) &&
	       out->delay_ms <= (delays ? 5000 : 0);
}

bool clock_is(const struct book_clock *c, const struct value *map)
{
	static const char *const names[] = { "fischer", "unlimited", "delay",
					     "bronstein", "per_move" };
	return span_is(str_in(map, "kind"), names[c->kind]) &&
	       int_in(map, "base_ms") == c->base_ms &&
	       int_in(map, "increment_ms") == c->increment_ms &&
	       int_in(map, "delay_ms") == c->delay_ms &&
	       bool_in(map, "unlimited") == (c->kind == CLOCK_UNLIMITED);
}

bool clocks_equal(const struct book_clock *a, const struct book_clock *b)
{
	return a->kind == b->kind && a->base_ms == b->base_ms &&
	       a->increment_ms == b->increment_ms && a->delay_ms == b->delay_ms;
}

/* -- a turn -- */

/* When the clock of the turn was started, if that is known. */
static uint64_t started_ms(const struct book_match *m,
			   const struct book_fact *began)
{
	return m->clock.kind == CLOCK_PER_MOVE ? began->stakes.turn_at_ms
					       : began->durable_ms;
}

static int64_t turn_ms(const struct book_match *m, int64_t left)
{
	switch (m->clock.kind) {
	case CLOCK_DELAY: return left + m->clock.delay_ms;
	case CLOCK_PER_MOVE: return m->clock.base_ms;
	default: return left;
	}
}

/* What the clock says when `used` of a turn are used and no move was made. */
static int64_t says(const struct book_match *m, int64_t left, int64_t used)
{
	if (m->clock.kind == CLOCK_UNLIMITED)
		return left;
	if (used < 0)
		used = 0;
	if (m->clock.kind == CLOCK_DELAY)
		used = used < m->clock.delay_ms ? 0 : used - m->clock.delay_ms;
	return used > left ? 0 : left - used;
}

static int64_t after_move(const struct book_match *m, int64_t left,
			  int64_t used)
{
	int64_t delay = m->clock.delay_ms;
	switch (m->clock.kind) {
	case CLOCK_FISCHER: return left - used + m->clock.increment_ms;
	case CLOCK_DELAY: return used < delay ? left : left - used + delay;
	case CLOCK_BRONSTEIN: return used < delay ? left : left - used + delay;
	case CLOCK_PER_MOVE: return m->clock.base_ms;
	default: return left;
	}
}

/* Time from the start of a turn's clock to `at_ms`; -1: nobody knows, for it
 * was started anew after a start of the server. */
static int64_t elapsed_ms(const struct sim *sim, const struct book_match *m,
			  const struct book_fact *began, uint64_t at_ms)
{
	const struct referee *r = sim->referee;
	uint64_t from = started_ms(m, began);
	/* what was thought before a throw that was asked for */
	int64_t before = began->stakes.before_ms;
	if (m->clock.kind != CLOCK_PER_MOVE) {
		if (began->generation != r->generation)
			return -1;
		if (began->batch == r->batch)
			return before; /* not released yet */
	} else {
		before = 0;
	}
	return before + (at_ms > from ? (int64_t)(at_ms - from) : 0);
}

/* The time charged is from the release, when the position was durable, to the
 * move; after a start nobody knows just when the turn began again. A match with
 * days per move counts on from what is durable. */
static void judge_charge(struct sim *sim, const struct book_match *m,
			 const struct book_fact *now, int64_t left)
{
	const struct referee *r = sim->referee;
	const struct book_fact *began = turn_began(m, m->facts);
	int64_t used = now->thought_ms;
	int64_t passed = used + now->lag_ms;
	int64_t want = elapsed_ms(sim, m, began, now->at_ms);
	bool known = want >= 0;
	int64_t before_lag = began->stakes.before_lag_ms;
	/* while a policy judges the clock is held, and longer if the machine
	 * stood still meanwhile */
	bool held = m->judged && began->plies > 0 && !began->stakes.asked &&
		    m->clock.kind != CLOCK_PER_MOVE;
	if (!known)
		want = began->stakes.before_ms +
		       (int64_t)(now->at_ms - r->generation_ms);
	want += before_lag;
	if (used < 0 || passed > want)
		wrong(sim, m,
		      known ? "more time is charged than was taken"
			    : "time before the start is charged");
	else if (known && !held && passed < want)
		wrong(sim, m, "less time is charged than was taken");
	if (m->clock.kind != CLOCK_UNLIMITED && used > 0 &&
	    used >= turn_ms(m, left))
		wrong(sim, m, "moved after the flag had fallen");
}

void clock_thought(struct sim *sim, const struct book_match *m,
		   const struct book_fact *now)
{
	judge_charge(sim, m, now, now->left_ms[now->side]);
}

void clock_moved(struct sim *sim, const struct book_match *m,
		 const struct book_fact *now, int64_t left_after)
{
	clock_thought(sim, m, now);
	if (left_after !=
	    after_move(m, now->left_ms[now->side], now->thought_ms))
		wrong(sim, m, "the clock is reckoned wrong");
}

void clock_broken_off(struct sim *sim, const struct book_match *m,
		      const struct book_fact *now, int64_t left_after)
{
	int64_t left = now->left_ms[now->pos.side];
	int64_t want = m->clock.kind == CLOCK_PER_MOVE
			       ? m->clock.base_ms
			       : says(m, left, now->thought_ms);
	judge_charge(sim, m, now, left);
	if (left_after != want)
		wrong(sim, m, "the clock is reckoned wrong");
}

/* The loser's flag falls just when his time is gone. */
void clock_flag(struct sim *sim, const struct book_match *m, uint64_t at_ms)
{
	const struct referee *r = sim->referee;
	const struct book_fact *last = &m->fact[m->facts - 1];
	const struct book_fact *began = turn_began(m, m->facts);
	int side = turn_after(m, m->facts);
	uint64_t turn =
		(uint64_t)turn_ms(m, last->left_ms[side < 0 ? 0 : side]);
	if (m->clock.kind != CLOCK_PER_MOVE)
		turn -= (uint64_t)began->stakes.before_ms;
	uint64_t falls = started_ms(m, began) + turn;
	uint64_t grace = (uint64_t)sim->domain_limits.restart_grace_ms;
	if (m->clock.kind == CLOCK_UNLIMITED)
		wrong(sim, m, "a flag falls where no clock is");
	/* as soon as the machine went on; or later than that, by as long as a
	 * policy judged */
	bool late = at_ms > falls && (sim_stood_until(sim, at_ms) ||
				      (m->judged && began->plies > 0));
	if (began->generation == r->generation) {
		uint64_t credit = (uint64_t)lag_possible_ms(sim, m);
		if ((at_ms < falls || at_ms > falls + credit) && !late)
			wrong(sim, m, "the flag falls at another time");
		return;
	}
	if (m->clock.kind != CLOCK_PER_MOVE)
		falls = r->generation_ms + turn;
	if (at_ms < falls)
		wrong(sim, m, "the flag falls too soon after a start");
	if (r->writable_ms > r->generation_ms)
		grace += r->writable_ms - r->generation_ms;
	if (falls < r->generation_ms)
		falls = r->generation_ms;
	grace += (uint64_t)m->lag_per_move_ms + COMMIT_MS_MAX;
	if (at_ms > falls + grace && !late)
		wrong(sim, m, "the flag falls too late after a start");
}

/* Whose turn it is, also in a pause. */
static int whose_turn(const struct book_fact *f)
{
	return f->stakes.doubled >= 0 ? 1 - f->stakes.doubled : f->pos.side;
}

/* The clocks at the end: they stand as they were, but for that of the side to
 * move. */
static void clocks_stop(struct sim *sim, const struct book_match *m,
			const int64_t said[SIDES], uint64_t at_ms)
{
	const struct book_fact *last = &m->fact[m->facts - 1];
	const struct book_fact *began = turn_began(m, m->facts);
	for (int s = 0; s < SIDES; s++) {
		int64_t left = last->left_ms[s];
		bool runs = !m->must_end && !m->game_over &&
			    turn_after(m, m->facts) == s;
		bool known = true;
		int64_t used = runs ? elapsed_ms(sim, m, began, at_ms) : 0;
		if (last->paused && s == whose_turn(last)) {
			used = last->stakes.before_ms;
		} else if (used < 0 || (runs && m->judged)) {
			known = false;
			used = (int64_t)at_ms;
		}
		int64_t credit = runs ? lag_possible_ms(sim, m) : 0;
		if (said[s] > left || said[s] < says(m, left, used) ||
		    (known && said[s] > says(m, left, used - credit)))
			wrong(sim, m, "a clock at the end says another time");
	}
}

void clock_ended(struct sim *sim, const struct book_match *m,
		 const struct fact *f)
{
	const int64_t said[SIDES] = { f->ended.white_left_ms,
				      f->ended.black_left_ms };
	clocks_stop(sim, m, said, f->at_ms);
}

/* What is left goes on into the next game. */
void clock_game_ended(struct sim *sim, const struct book_match *m,
		      const struct book_fact *now,
		      const struct fact_game_ended_body *b)
{
	const int64_t said[SIDES] = { b->white_left_ms, b->black_left_ms };
	if (m->clock.kind != CLOCK_PER_MOVE)
		clocks_stop(sim, m, said, now->at_ms);
	else if (said[WHITE] != m->clock.base_ms ||
		 said[BLACK] != m->clock.base_ms)
		wrong(sim, m, "days per move are not whole in a new game");
}

/* -- what is shown -- */

/* Clocks are shown as they are; the one that runs may have less. */
bool clock_is_shown(const struct book_match *m, uint64_t seq,
		    const struct value *map)
{
	static const char *const keys[] = { "white_ms", "black_ms" };
	const struct book_fact *f = &m->fact[seq - 1];
	int64_t free_ms = int_in(map, "free_ms");
	int64_t delay = m->clock.kind == CLOCK_DELAY ? m->clock.delay_ms : 0;
	if (f->type == FACT_ENDED)
		return true;
	if (free_ms < 0 || free_ms > delay + m->lag_per_move_ms)
		return false;
	for (int s = 0; s < SIDES; s++) {
		int64_t shown = int_in(map, keys[s]);
		int64_t left = f->left_ms[s];
		bool may_run = turn_after(m, seq) == s && free_ms == 0 &&
			       m->clock.kind != CLOCK_UNLIMITED;
		if (f->paused && s == whose_turn(f))
			left = says(m, left, f->stakes.before_ms);
		if (shown < 0 || shown > left || (!may_run && shown != left))
			return false;
	}
	return true;
}

/* When at the latest the flag of a match falls that stands as it does. */
uint64_t clock_latest_ms(const struct sim *sim, const struct book_match *m)
{
	const struct referee *r = sim->referee;
	const struct book_fact *last = &m->fact[m->facts - 1];
	uint64_t from = last->durable_ms > r->writable_ms ? last->durable_ms
							  : r->writable_ms;
	int side = turn_after(m, m->facts);
	if (m->clock.kind == CLOCK_UNLIMITED || last->paused)
		return UINT64_MAX;
	return from + (uint64_t)sim->domain_limits.restart_grace_ms +
	       (uint64_t)m->lag_per_move_ms +
	       (uint64_t)turn_ms(m, last->left_ms[side < 0 ? 0 : side]);
}

bool referee_operator_adjusts(struct sim *sim, const struct id *match, int side,
			      int64_t add_ms)
{
	struct book_match *m = book_match(sim->referee, match);
	if (!m || m->adjusts_asked[side] == ADJUSTS_MAX)
		return false;
	m->adjust_asked[side][m->adjusts_asked[side]++] = add_ms;
	return true;
}

/* Asked for, and exactly that; and time is left. Some that were asked for are
 * refused, or lost. */
void clock_adjusted(struct sim *sim, struct book_match *m,
		    struct book_fact *now,
		    const struct fact_clock_adjusted_body *b)
{
	int s = (int)b->side;
	size_t i = 0;
	now->side = s;
	while (i < m->adjusts_asked[s] && m->adjust_asked[s][i] != b->add_ms)
		i++;
	if (i == m->adjusts_asked[s])
		fact_wrong(sim, m, now, "nobody asked for this time");
	if (m->clock.kind == CLOCK_UNLIMITED || m->clock.kind == CLOCK_PER_MOVE)
		fact_wrong(sim, m, now, "a clock without a bank is set");
	if (!now->playing || now->plies != now->ply)
		fact_wrong(sim, m, now, "a clock is set out of place");
	if (b->left_ms != now->left_ms[s] + b->add_ms || b->left_ms <= 0)
		fact_wrong(sim, m, now, "a clock is set to what it is not");
	now->left_ms[s] = b->left_ms;
}
