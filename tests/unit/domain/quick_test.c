/* SPDX-License-Identifier: MIT
 * Quick matches: the pairs that the domain makes are those of a naive opinion
 * that looks at everybody, from the rules as docs/protocol.md has them. */
#include "play.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING_MOST = 8, STEPS = 400, SEEDS = 20 };

static const char *const names[WAITING_MOST] = {
	"ann", "bob", "cay", "dan", "eve", "fay", "gus", "hal",
};

static bool is_bot(int i)
{
	return i >= 6;
}

static const struct player *player_of(struct play *p, int i)
{
	return domain_player(p->d, &play_who(p, names[i])->id);
}

/* A rating as after a match. */
static void rate(struct play *p, int i, int points)
{
	struct fact f = { .type = FACT_PLAYER_RATED, .at_ms = p->now_ms };
	f.player_rated = (struct fact_player_rated_body){
		.player = player_of(p, i)->id,
		.ruleset = span_str("english"),
		.speed = SPEED_BULLET,
		.pool = is_bot(i),
		.played = { "mmmmmmmmmm" },
		.opponent = { "pppppppppp" },
		.score = 1,
		.at = 1,
		.before_milli = 1500000,
		.milli = points * 1000,
		.deviation_milli = 60000,
		.volatility_nano = 60000000,
		.since = 1,
		.games = 1,
	};
	assert_int_equal(domain_apply(p->d, &f), PLYD_OK);
}

/* -- the naive opinion -- */

struct waiter {
	bool here, queued, bots, slow;
	int points;
	uint64_t since_ms;
	int last; /* whom he played last, or -1 */
};

static struct waiter waiter[WAITING_MOST];
static int points[WAITING_MOST];

static int64_t range(int i, uint64_t now_ms)
{
	int64_t r = 100 + 100 * (int64_t)((now_ms - waiter[i].since_ms) / 5000);
	return r < 4000 ? r : 4000;
}

static bool same_terms(int a, int b)
{
	return a != b && waiter[a].queued && waiter[b].queued &&
	       waiter[b].here && waiter[a].slow == waiter[b].slow &&
	       (!is_bot(b) || waiter[a].bots) && (!is_bot(a) || waiter[b].bots);
}

static bool met(int a, int b)
{
	return waiter[a].last == b || waiter[b].last == a;
}

/* Whom a gets at this moment, or -1. */
static int partner(int a, uint64_t now_ms)
{
	int best = -1, others = 0;
	for (int b = 0; b < WAITING_MOST; b++)
		others += same_terms(a, b) && !met(a, b);
	for (int again = 0; again < 2 && best < 0; again++) {
		for (int b = 0; b < WAITING_MOST; b++) {
			int gap = abs(points[a] - points[b]);
			bool waited = now_ms - waiter[a].since_ms >= 15000 &&
				      now_ms - waiter[b].since_ms >= 15000;
			if (!same_terms(a, b) || met(a, b) != again ||
			    gap > range(a, now_ms) || gap > range(b, now_ms) ||
			    (again && others > 0 && !waited))
				continue;
			int have = best < 0 ? 0 : abs(points[a] - points[best]);
			if (best < 0 || gap < have ||
			    (gap == have &&
			     waiter[b].since_ms < waiter[best].since_ms))
				best = b;
		}
	}
	return waiter[a].queued && waiter[a].here ? best : -1;
}

/* -- against the domain -- */

static void take_out(struct play *p, int a, int b)
{
	waiter[a].queued = waiter[b].queued = false;
	waiter[a].last = b;
	waiter[b].last = a;
	struct match_link *link = player_of(p, a)->matches;
	assert_non_null(link);
	assert_true(id_eq(&link->match->seat[1 - link->side].player,
			  &player_of(p, b)->id));
	struct id m = link->match->id;
	play_in(p, names[a], CMD_MATCH_RESIGN, &m);
}

/* Both opinions agree on who waits. */
static void compare(struct play *p)
{
	for (int i = 0; i < WAITING_MOST; i++)
		if ((player_of(p, i)->meets.queued != NULL) != waiter[i].queued)
			fail_msg("%s %s, at %llu ms", names[i],
				 waiter[i].queued ? "should wait"
						  : "should not wait",
				 (unsigned long long)p->now_ms);
}

static void join(struct play *p, struct rng *rng, int i)
{
	bool slow = rng_below(rng, 4) == 0, bots = rng_below(rng, 2);
	struct command cmd = { .type = CMD_QUICK_JOIN,
			       .quick = { .ruleset = span_str("english"),
					  .clock = { .unlimited = slow },
					  .speed = -1,
					  .bots = bots } };
	if (waiter[i].queued && waiter[i].slow == slow &&
	    waiter[i].bots == bots) {
		assert_int_equal(play_do(p, names[i], cmd), PLYD_OK);
		assert_string_equal(p->facts, "");
		return;
	}
	waiter[i].queued = true;
	waiter[i].slow = slow;
	waiter[i].bots = bots;
	waiter[i].since_ms = p->now_ms;
	/* the slow pool has no ratings here: all are beginners */
	points[i] = slow ? 1500 : waiter[i].points;
	int want = partner(i, p->now_ms);
	assert_int_equal(play_do(p, names[i], cmd), PLYD_OK);
	assert_int_equal(!id_is_none(&p->answer.match), want >= 0);
	if (want >= 0)
		take_out(p, i, want);
}

/* Time goes on to the next widening of somebody's range. */
static void wait_a_bit(struct play *p, struct rng *rng)
{
	uint64_t until = p->now_ms + rng_below(rng, 3000);
	while (domain_next_due_ms(p->d) <= until) {
		uint64_t at = domain_next_due_ms(p->d);
		int who = -1;
		for (int i = 0; i < WAITING_MOST; i++) {
			const struct queued *q = player_of(p, i)->meets.queued;
			if (q && q->due.at_ms == at && q->due.place == 1)
				who = i;
		}
		if (at > p->now_ms)
			p->now_ms = at;
		int want = who < 0 ? -1 : partner(who, p->now_ms);
		play_do(p, "", (struct command){ .type = CMD_TICK });
		if (want >= 0)
			take_out(p, who, want);
		compare(p);
	}
	p->now_ms = until;
}

static void come_or_go(struct play *p, int i)
{
	if (waiter[i].here)
		play_gone(p, names[i]);
	else
		play_resume(p, names[i]);
	waiter[i].here = !waiter[i].here;
}

static void pairs_are_those_of_brute_force(void **state)
{
	(void)state;
	size_t matches = 0;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct domain_limits limits;
		struct rng rng;
		static struct play p;
		domain_limits_default(&limits);
		limits.lobby_away_ms = 3600000;
		play_open_limits(&p, seed, &limits);
		rng_seed(&rng, seed);
		for (int i = 0; i < WAITING_MOST; i++) {
			if (is_bot(i))
				play_hello_bot(&p, names[i]);
			else
				play_hello(&p, names[i]);
			waiter[i] = (struct waiter){
				.here = true,
				.points = 1000 + (int)rng_below(&rng, 1000),
				.last = -1
			};
			rate(&p, i, waiter[i].points);
		}
		for (int step = 0; step < STEPS; step++) {
			int i = (int)rng_below(&rng, WAITING_MOST);
			uint32_t dice = rng_below(&rng, 20);
			if (dice == 0)
				come_or_go(&p, i);
			else if (dice < 3 && waiter[i].here &&
				 waiter[i].queued) {
				play_do(&p, names[i],
					(struct command){
						.type = CMD_QUICK_LEAVE });
				waiter[i].queued = false;
			} else if (dice < 9 && waiter[i].here) {
				join(&p, &rng, i);
			} else {
				wait_a_bit(&p, &rng);
			}
			compare(&p);
		}
		for (int i = 0; i < WAITING_MOST; i++)
			matches += waiter[i].last >= 0;
		play_close(&p);
	}
	assert_true(matches > SEEDS);
}

/* -- what it says -- */

static void open_two(struct play *p)
{
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_hello_bot(p, "hal");
}

static int quick(struct play *p, const char *who, struct cmd_quick c)
{
	c.ruleset = span_str("english");
	return play_do(p, who,
		       (struct command){ .type = CMD_QUICK_JOIN, .quick = c });
}

/* LB-07: on however many connections, and never with oneself. */
static void one_is_queued_once(void **state)
{
	(void)state;
	struct play p;
	open_two(&p);
	assert_int_equal(quick(&p, "ann", (struct cmd_quick){ .speed = -1 }),
			 PLYD_OK);
	assert_string_equal(p.facts, "queued");
	play_wait(&p, 7000);
	assert_int_equal(quick(&p, "ann", (struct cmd_quick){ .speed = -1 }),
			 PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_int_equal(p.quick.why, QUICK_ALONE);
	assert_int_equal(p.quick.waited_ms, 7000);
	assert_int_equal(p.quick.range, 200);
	/* other terms replace it */
	quick(&p, "ann", (struct cmd_quick){ .speed = SPEED_BLITZ });
	assert_string_equal(p.facts, "unqueued queued");
	play_resume(&p, "ann");
	play_do(&p, "ann", (struct command){ .type = CMD_QUICK_LEAVE });
	assert_string_equal(p.facts, "unqueued");
	play_do(&p, "ann", (struct command){ .type = CMD_QUICK_LEAVE });
	assert_string_equal(p.facts, "");
	play_close(&p);
}

static void it_says_why_nobody_was_found(void **state)
{
	(void)state;
	struct play p;
	open_two(&p);
	quick(&p, "hal", (struct cmd_quick){ .speed = -1 });
	quick(&p, "ann", (struct cmd_quick){ .speed = -1 });
	assert_int_equal(p.quick.why, QUICK_BOTS_ONLY);
	assert_int_equal(p.quick.waiting, 1);
	quick(&p, "bob", (struct cmd_quick){ .speed = SPEED_CLASSICAL });
	assert_int_equal(p.quick.why, QUICK_TERMS);
	play_do(&p, "hal", (struct command){ .type = CMD_QUICK_LEAVE });
	/* any clock of the class: that of the one who named one */
	quick(&p, "bob", (struct cmd_quick){ .speed = SPEED_BULLET });
	assert_false(id_is_none(&p.answer.match));
	assert_int_equal(play_at(&p, &p.answer.match)->rules->clock.base_ms,
			 60000);
	play_close(&p);
}

/* LB-06: who is away is not paired, and loses his place in time. */
static void who_is_away_is_passed_over(void **state)
{
	(void)state;
	struct play p;
	open_two(&p);
	quick(&p, "ann", (struct cmd_quick){ .speed = -1 });
	play_gone(&p, "ann");
	quick(&p, "bob", (struct cmd_quick){ .speed = -1 });
	assert_int_equal(p.quick.why, QUICK_ALONE);
	play_wait(&p, 1000);
	play_resume(&p, "ann");
	play_wait(&p, 1);
	assert_non_null(strstr(p.facts, "begun"));
	quick(&p, "hal", (struct cmd_quick){ .speed = -1 });
	play_gone(&p, "hal");
	play_wait(&p, (uint64_t)p.limits.lobby_away_ms);
	assert_non_null(strstr(p.facts, "unqueued"));
	assert_int_equal(domain_listing(p.d, span_str(""))
				 ->count[LISTED_QUEUED],
			 0);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_those_of_brute_force),
		cmocka_unit_test(one_is_queued_once),
		cmocka_unit_test(it_says_why_nobody_was_found),
		cmocka_unit_test(who_is_away_is_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
