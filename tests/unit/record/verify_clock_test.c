/* SPDX-License-Identifier: MIT
 * verify_clock_test.c - records of all clocks pass, with credits for lag; a
 * record in which any number of any clock was changed does not, though the
 * forger has made its chain right again. */
#include "records.h"
#include "unit.h"

enum { HALF_MOVES = 14 };

static struct doc *doc;

static const struct row {
	const char *name;
	struct clock_rules clock;
} clocks[] = {
	{ "Fischer", { .base_ms = 60000, .increment_ms = 1500 } },
	{ "Fischer at its greatest",
	  { .base_ms = 3600000, .increment_ms = 60000 } },
	{ "delay", { .kind = CLOCK_DELAY, .base_ms = 60000, .delay_ms = 900 } },
	{ "Bronstein",
	  { .kind = CLOCK_BRONSTEIN, .base_ms = 60000, .delay_ms = 900 } },
	{ "per move", { .kind = CLOCK_PER_MOVE, .base_ms = 86400000 } },
	{ "unlimited", { .kind = CLOCK_UNLIMITED } },
};

/* Refused where there is no bank. */
static void adjust(struct play *p, const struct id *m, int64_t add_ms)
{
	play_operator(p, (struct command){
				 .type = CMD_ADMIN_ADJUST_CLOCK,
				 .match = *m,
				 .admin = { .side = add_ms > 0 ? WHITE : BLACK,
					    .ms = add_ms,
					    .text = span_str("late") } });
}

static struct record *play_record(const struct clock_rules *clock,
				  uint64_t seed)
{
	static struct play p;
	struct journal j;
	struct rng rng;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.lag_total_ms = 900;
	rng_seed(&rng, seed);
	play_open_limits(&p, seed, &limits);
	journal_open(&j, &p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "ann", "bob", clock);
	for (int i = 0; i < HALF_MOVES; i++) {
		const struct match *at = play_at(&p, &m);
		play_wait(&p, rng_below(&rng, 600));
		if (at->lag.nonce != 0)
			play_do(&p, match_turn(at) == WHITE ? "ann" : "bob",
				(struct command){ .type = CMD_MATCH_SEEN,
						  .match = m,
						  .lag = at->lag.nonce });
		play_wait(&p, rng_below(&rng, 2000));
		if (i == 4 || i == 9)
			adjust(&p, &m, i == 4 ? 5000 : -1000);
		assert_true(play_random(&p, &rng, &m));
	}
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

static void a_record_passes(void **state)
{
	const struct row *row = *state;
	char why[VERIFY_WHY_MAX];
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct record *r = play_record(&row->clock, seed);
		if (record_verify(r, why))
			fail_msg("seed %d: %s", (int)seed, why);
		record_free(r);
	}
}

/* -- forgeries: each changes one number of a fact, and says whether there was
 * such a number -- */

typedef void change_fn(struct fact *f);

#define MOVED(name, change)                                                    \
	static void name(struct fact *f)                                       \
	{                                                                      \
		f->moved.change;                                               \
	}
MOVED(more_left, left_ms += 1)
MOVED(less_left, left_ms -= 1)
MOVED(more_thought, thought_ms += 1)
MOVED(less_thought, thought_ms -= 1)
MOVED(more_lag_than_a_move_may, lag_ms += 501)
MOVED(lag_below_zero, lag_ms = -1)
MOVED(lag_beyond_all, lag_ms = INT64_MAX)
MOVED(thought_beyond_all, thought_ms = INT64_MAX)
MOVED(left_beyond_all, left_ms = INT64_MAX)
#undef MOVED

static change_fn *const moved[] = {
	more_left,
	less_left,
	more_thought,
	less_thought,
	more_lag_than_a_move_may,
	lag_below_zero,
	lag_beyond_all,
	thought_beyond_all,
	left_beyond_all,
};

static void no_number_of_a_move_can_be_changed(void **state)
{
	const struct row *row = *state;
	char why[VERIFY_WHY_MAX];
	for (size_t n = 0; n < COUNT(moved); n++) {
		struct record *r = play_record(&row->clock, 7);
		size_t i = record_find(r, FACT_MOVED, 5);
		struct fact f = record_fact(r, doc, i);
		bool nothing =
			row->clock.kind == CLOCK_UNLIMITED &&
			(moved[n] == less_thought || moved[n] == more_thought);
		moved[n](&f);
		record_put(r, i, &f);
		record_rehead(r);
		/* without a clock a thought is just told */
		if (!nothing && record_verify(r, why) != PLYD_ERECORD)
			fail_msg("change %zu passes", n);
		record_free(r);
	}
}

#define BEGUN(name, change)                                                    \
	static void name(struct fact *f)                                       \
	{                                                                      \
		f->begun.change;                                               \
	}
BEGUN(another_base, base_ms += 1)
/* delay and Bronstein leave the same after each move */
BEGUN(another_kind,
      clock_kind = f->begun.delay_ms > 0 ? CLOCK_FISCHER : CLOCK_DELAY)
BEGUN(a_later_kind, clock_kind = CLOCK_KIND_COUNT)
BEGUN(a_kind_below_zero, clock_kind = -1)
BEGUN(unlimited_or_not, unlimited = !f->begun.unlimited)
BEGUN(a_delay_below_zero, delay_ms = -1)
BEGUN(a_delay_beyond_all, delay_ms = INT64_MAX)
BEGUN(a_base_beyond_all, base_ms = INT64_MAX)
BEGUN(less_lag_for_a_move, lag_per_move_ms = -1)
BEGUN(lag_for_a_move_beyond_all, lag_per_move_ms = INT64_MAX)
BEGUN(lag_for_a_match_beyond_all, lag_total_ms = INT64_MAX)
BEGUN(less_lag_for_a_match, lag_total_ms = -1)
#undef BEGUN

static change_fn *const begun[] = {
	another_base,
	another_kind,
	a_later_kind,
	a_kind_below_zero,
	unlimited_or_not,
	a_delay_below_zero,
	a_delay_beyond_all,
	a_base_beyond_all,
	less_lag_for_a_move,
	lag_for_a_move_beyond_all,
	lag_for_a_match_beyond_all,
	less_lag_for_a_match,
};

static void no_number_of_the_beginning_can_be_changed(void **state)
{
	const struct row *row = *state;
	char why[VERIFY_WHY_MAX];
	for (size_t n = 0; n < COUNT(begun); n++) {
		struct record *r = play_record(&row->clock, 7);
		struct fact f = record_fact(r, doc, 0);
		/* a clock that never runs may have any base */
		bool nothing = f.begun.unlimited && begun[n] == another_base;
		begun[n](&f);
		record_put(r, 0, &f);
		record_rehead(r);
		if (!nothing && record_verify(r, why) != PLYD_ERECORD)
			fail_msg("change %zu passes", n);
		record_free(r);
	}
}

/* Fewer than were credited: the match's limit, and a move's. */
static void limits_of_the_credit_are_kept(void **state)
{
	const struct row *row = *state;
	char why[VERIFY_WHY_MAX];
	struct record *r = play_record(&row->clock, 7);
	int64_t spent[2] = { 0, 0 }, most = 0;
	for (size_t i = 0; i < r->count; i++) {
		struct fact m = record_fact(r, doc, i);
		if (m.type != FACT_MOVED)
			continue;
		spent[m.moved.side] += m.moved.lag_ms;
		if (m.moved.lag_ms > most)
			most = m.moved.lag_ms;
	}
	int64_t total = spent[0] > spent[1] ? spent[0] : spent[1];
	if (total == 0) {
		assert_true(clock_is_slow(&row->clock));
		record_free(r);
		return;
	}
	for (int less = 0; less < 4; less++) {
		struct fact g = record_fact(r, doc, 0);
		g.begun.lag_total_ms = total - (less & 1);
		g.begun.lag_per_move_ms = most - (less >> 1);
		record_put(r, 0, &g);
		record_rehead(r);
		assert_int_equal(record_verify(r, why),
				 less ? PLYD_ERECORD : PLYD_OK);
	}
	record_free(r);
}

/* -- what the operator did -- */

static void adjusted_ply(struct fact *f)
{
	f->clock_adjusted.ply++;
}

static void adjusted_side(struct fact *f)
{
	f->clock_adjusted.side = 1 - f->clock_adjusted.side;
}

static void adjusted_nobody(struct fact *f)
{
	f->clock_adjusted.side = 2;
}

static void adjusted_add(struct fact *f)
{
	f->clock_adjusted.add_ms++;
}

static void adjusted_left(struct fact *f)
{
	f->clock_adjusted.left_ms++;
}

static void adjusted_both(struct fact *f)
{
	f->clock_adjusted.left_ms++;
	f->clock_adjusted.add_ms++;
}

static void adjusted_to_nothing(struct fact *f)
{
	f->clock_adjusted.add_ms -= f->clock_adjusted.left_ms;
	f->clock_adjusted.left_ms = 0;
}

static const struct forgery {
	const char *name;
	void (*change)(struct fact *f); /* NULL: it is left out */
} forgeries[] = {
	{ "at another ply", adjusted_ply },
	{ "of the other", adjusted_side },
	{ "of nobody", adjusted_nobody },
	{ "more was given", adjusted_add },
	{ "more is left", adjusted_left },
	{ "more of both", adjusted_both }, /* the next move tells */
	{ "all was taken", adjusted_to_nothing },
	{ "not at all", NULL },
};

static void no_adjustment_can_be_changed(void **state)
{
	const struct forgery *row = *state;
	char why[VERIFY_WHY_MAX];
	struct record *r = play_record(&clocks[0].clock, 3);
	assert_int_equal(record_verify(r, why), PLYD_OK);
	size_t i = record_find(r, FACT_CLOCK_ADJUSTED, 0);
	assert_true(i < r->count);
	struct fact f = record_fact(r, doc, i);
	if (row->change) {
		row->change(&f);
		record_put(r, i, &f);
	} else {
		record_cut(r, i);
	}
	record_rehead(r);
	assert_int_equal(record_verify(r, why), PLYD_ERECORD);
	record_free(r);
}

int main(void)
{
	doc = doc_new();
	int failed = RUN_TABLE("records", clocks, a_record_passes);
	failed +=
		RUN_TABLE("moves", clocks, no_number_of_a_move_can_be_changed);
	failed += RUN_TABLE("beginnings", clocks,
			    no_number_of_the_beginning_can_be_changed);
	failed += RUN_TABLE("credit", clocks, limits_of_the_credit_are_kept);
	failed += RUN_TABLE("adjustments", forgeries,
			    no_adjustment_can_be_changed);
	doc_free(doc);
	return failed;
}
