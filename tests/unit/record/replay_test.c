/* SPDX-License-Identifier: MIT
 * Replay gives the same state again, from the journal alone and from a snapshot
 * with what came after it, and the game goes on from there. */
#include "journal.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYERS = 6, ACTIONS = 1500 };

static const char *const names[PLAYERS] = { "ann", "bob", "cay",
					    "dan", "eve", "fay" };

/* -- a random server's day -- */

static const struct lobby *random_lobby(struct play *p, struct rng *rng)
{
	size_t n = domain_lobby_count(p->d);
	if (n == 0)
		return NULL;
	const struct lobby *l = domain_lobbies(p->d);
	for (uint32_t i = rng_below(rng, (uint32_t)n); i > 0; i--)
		l = lobby_next(l);
	return l;
}

static const struct match *random_match(struct play *p, struct rng *rng)
{
	const struct match *found = NULL;
	uint32_t n = 0;
	for (const struct match *m = domain_matches(p->d); m;
	     m = match_next(m)) {
		if (m->state != MATCH_OVER && rng_below(rng, ++n) == 0)
			found = m;
	}
	return found;
}

static void random_clock(struct rng *rng, struct clock_wish *wish)
{
	uint32_t kind = rng_below(rng, 4 * CLOCK_KIND_COUNT);
	wish->has_kind = kind < CLOCK_KIND_COUNT;
	wish->kind = (enum clock_kind)kind;
	if (kind == CLOCK_DELAY || kind == CLOCK_BRONSTEIN) {
		wish->has_delay_ms = true;
		wish->delay_ms = rng_below(rng, 3000);
	} else if (kind == CLOCK_PER_MOVE) {
		wish->has_base_ms = true;
		wish->base_ms = 1000 + rng_below(rng, 100000);
	}
}

static void create(struct play *p, struct rng *rng, const char *name)
{
	char key[8];
	struct cmd_lobby_create c = {
		.side = (int)rng_below(rng, 3) - 1,
		.ready = rng_below(rng, 2),
		.is_private = rng_below(rng, 4) == 0,
	};
	if (rng_below(rng, 3) == 0) {
		c.opponent = AGAINST_PERSONALITY;
		c.personality = span_str("wild");
	}
	random_clock(rng, &c.clock);
	snprintf(key, sizeof(key), "k%u", rng_below(rng, 20));
	if (rng_below(rng, 2))
		c.key = span_str(key);
	const struct ruleset *rs =
		ruleset_at(rng_below(rng, (uint32_t)ruleset_count()));
	if (rs->family == FAMILY_BACKGAMMON && rs->backgammon.match_length > 0)
		c.match_length = (int)rng_below(rng, 4);
	play_create(p, name, rs->name, c);
}

static void at_a_lobby(struct play *p, struct rng *rng, const char *name)
{
	const struct lobby *l = random_lobby(p, rng);
	if (!l || rng_below(rng, 3) == 0) {
		create(p, rng, name);
		return;
	}
	struct id id = l->id;
	switch (rng_below(rng, 4)) {
	case 0: play_leave(p, name, &id); break;
	case 1: play_ready(p, name, &id, rng_below(rng, 4) > 0); break;
	default: play_join(p, name, &id, rng_below(rng, 2)); break;
	}
}

static void at_a_match(struct play *p, struct rng *rng, const char *name,
		       const struct id *m)
{
	static const enum command_type types[] = {
		CMD_ADMIN_BAN, CMD_ADMIN_UNBAN, CMD_ADMIN_MUTE,
		CMD_ADMIN_UNMUTE, CMD_ADMIN_CLOSE_REPORT
	};
	uint32_t ply = play_at(p, m)->ply;
	struct cmd_match_resign how = { .level = (int)rng_below(rng, 4),
					.whole = rng_below(rng, 8) == 0 };
	if (rng_below(rng, 4) == 0)
		play_offered(p, name,
			     rng_below(rng, 2) ? CMD_MATCH_ACCEPT_RESIGN
					       : CMD_MATCH_DECLINE_RESIGN,
			     m, play_at(p, m)->resign.seq);
	else if (match_length(play_at(p, m)) > 0 && rng_below(rng, 3) == 0)
		play_resign(p, name, m, how);
	else if (rng_below(rng, 30) == 0)
		play_in(p, name, CMD_MATCH_RESIGN, m);
	else
		play_answer(p, name, types[rng_below(rng, COUNT(types))], m,
			    ply);
}

static bool both_here(const struct play *p, const struct match *m)
{
	(void)p;
	return m->here[match_turn(m)];
}

/* Blocks, switches, reports, and talk that leaves no fact. */
static void mind_others(struct play *p, struct rng *rng, const char *name,
			const struct match *m)
{
	const struct who *other = play_who(p, names[rng_below(rng, PLAYERS)]);
	struct command cmd = { .chat = { .player = other->id } };
	uint32_t what = rng_below(rng, 5);
	if (m)
		cmd.match = m->id;
	switch (what) {
	case 0: cmd.type = CMD_BLOCK_ADD; break;
	case 1: cmd.type = CMD_BLOCK_REMOVE; break;
	case 2:
		cmd.type = CMD_CHAT_SWITCH;
		cmd.chat.on = rng_below(rng, 2);
		break;
	case 3:
		cmd.type = CMD_CHAT_SEND;
		cmd.chat.text = span_str("hi");
		break;
	default:
		cmd.type = CMD_REPORT_SEND;
		cmd.report = (struct cmd_report){
			.player = other->id,
			.reason = (enum report_reason)
				rng_below(rng, REPORT_REASON_COUNT),
			.text = span_str("")
		};
		break;
	}
	play_do(p, name, cmd);
}

/* Keeps somebody out, or one who is not heard, or takes it back. */
static void keep_out(struct play *p, struct rng *rng)
{
	static const enum command_type types[] = {
		CMD_ADMIN_BAN, CMD_ADMIN_UNBAN, CMD_ADMIN_MUTE,
		CMD_ADMIN_UNMUTE, CMD_ADMIN_CLOSE_REPORT
	};
	const struct ban *b = domain_bans(p->d);
	const struct report *r = domain_reports(p->d);
	struct command cmd = { .type = types[rng_below(rng, COUNT(types))],
			       .admin.text = span_str("out") };
	if (cmd.type == CMD_ADMIN_BAN)
		cmd.admin.address = span_str("192.0.2.99/24");
	else
		cmd.admin.player = play_who(p, names[0])->id;
	cmd.admin.ms = rng_below(rng, 2) ? -1 : 1000;
	cmd.admin.number = b ? b->number : 1;
	if (cmd.type == CMD_ADMIN_CLOSE_REPORT)
		cmd.admin.number = r ? r->number : 1;
	play_operator(p, cmd);
}

static void at_the_console(struct play *p, const struct match *m)
{
	struct command say = { .type = CMD_ADMIN_SAY,
			       .admin.text = span_str("hear") };
	struct command end = { .type = CMD_ADMIN_END_MATCH,
			       .admin = { .result = RESULT_BLACK,
					  .text = span_str("enough") } };
	if (m)
		end.match = m->id;
	play_operator(p, m && m->ply % 2 ? end : say);
}

static void act(struct play *p, struct rng *rng)
{
	const char *name = names[rng_below(rng, PLAYERS)];
	const struct match *m = random_match(p, rng);
	uint32_t what = rng_below(rng, 100);
	bool here = play_who(p, name)->conn != 0;
	if (what == 98)
		keep_out(p, rng);
	else if (what == 99)
		at_the_console(p, m);
	else if (what < 3)
		play_wait(p, rng_below(rng, 20) ? rng_below(rng, 3000) : 70000);
	else if (!here)
		play_resume(p, name);
	else if (what == 97)
		mind_others(p, rng, name, m);
	else if (what < 5)
		play_gone(p, name);
	else if (what < 7)
		play_resume(p, name);
	else if (what < 17 || !m)
		at_a_lobby(p, rng, name);
	else if (m->state == MATCH_NONCES)
		play_nonce(p, name, &m->id, "n");
	else if (what < 30)
		at_a_match(p, rng, name, &m->id);
	else if (m->state == MATCH_PLAYING && both_here(p, m) &&
		 !match_awaits_server(m))
		play_random(p, rng, &m->id);
}

static void open_a_day(struct play *p, struct journal *j, uint64_t seed)
{
	play_open(p, seed);
	journal_open(j, p);
	for (int i = 0; i < PLAYERS; i++)
		play_hello(p, names[i]);
}

/* -- the properties -- */

static void compare(const struct journal *j)
{
	struct domain *d = journal_replay(j);
	const char *differs = durable_differs(j->play->d, d);
	if (differs)
		fail_msg("after %zu rows: %s differs", j->count, differs);
	assert_true(domain_now_ms(d) <= j->play->now_ms);
	assert_null(domain_invariant_broken(d));
	domain_free(d);
}

static void replay_gives_the_same_state(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct play p;
		struct journal j;
		struct rng rng;
		rng_seed(&rng, seed);
		open_a_day(&p, &j, seed);
		for (int i = 0; i < ACTIONS; i++) {
			act(&p, &rng);
			if (rng_below(&rng, 100) == 0)
				compare(&j);
			if (rng_below(&rng, 150) == 0)
				journal_snapshot(&j);
		}
		compare(&j);
		journal_close(&j);
		play_close(&p);
	}
}

/* Restarts in the middle of everything; every token and match goes on. */
static void a_day_with_restarts_goes_on(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct play p;
		struct journal j;
		struct rng rng;
		rng_seed(&rng, 100 + seed);
		open_a_day(&p, &j, seed);
		for (int i = 0; i < ACTIONS; i++) {
			p.hold = rng_below(&rng, 10) == 0;
			act(&p, &rng);
			if (rng_below(&rng, 60) == 0) {
				if (rng_below(&rng, 2))
					journal_snapshot(&j);
				journal_restart(&p, journal_replay(&j));
			}
			if (!p.hold)
				play_perform(&p);
		}
		p.hold = false;
		play_perform(&p);
		for (int i = 0; i < PLAYERS; i++)
			play_gone(&p, names[i]);
		play_wait(&p, 100 * 86400000ull);
		/* everybody has gone: all matches ended, all is forgotten */
		assert_null(domain_matches(p.d));
		assert_null(domain_lobbies(p.d));
		assert_null(domain_players(p.d));
		assert_int_equal(domain_next_due_ms(p.d), UINT64_MAX);
		journal_close(&j);
		play_close(&p);
	}
}

/* -- single points -- */

#define DAY(p, j)                                                              \
	struct play p;                                                         \
	struct journal j;                                                      \
	open_a_day(&p, &j, 1)

static void end_day(struct play *p, struct journal *j)
{
	journal_close(j);
	play_close(p);
}

/* LB-22: the move is there, the opponent to move, no downtime is charged. */
static void an_acknowledged_move_survives(void **state)
{
	(void)state;
	DAY(p, j);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	play_wait(&p, 2000);
	play_move(&p, "bob", &m, 0, "11-15");
	play_wait(&p, 3000);
	journal_restart(&p, journal_replay(&j));
	const struct match *at = play_at(&p, &m);
	assert_int_equal(at->ply, 1);
	assert_int_equal(at->pos.side, WHITE);
	assert_int_equal(at->left_ms[WHITE], 60000);
	assert_int_equal(at->left_ms[BLACK], 59000);
	assert_false(match_clock_runs(at));
	/* the turn begins again when its player is back, at no charge */
	play_wait(&p, 9000);
	play_resume(&p, "ann");
	assert_non_null(strstr(p.effects, "release"));
	assert_true(match_clock_runs(play_at(&p, &m)));
	play_wait(&p, 100);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 60900);
	/* the repeated move of before the crash gets its answer again */
	play_resume(&p, "bob");
	assert_int_equal(play_move(&p, "bob", &m, 0, "c3-d4"), PLYD_OK);
	assert_true(p.answer.duplicate);
	assert_int_equal(p.answer.seq, 2);
	end_day(&p, &j);
}

/* LB-21: without any message the match ends on time, after the allowance. */
static void timers_run_again_after_a_restart(void **state)
{
	(void)state;
	DAY(p, j);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	play_wait(&p, 57000);
	play_move(&p, "bob", &m, 0, "11-15"); /* 4 s left */
	play_move(&p, "ann", &m, 1, "22-18");
	journal_restart(&p, journal_replay(&j));
	play_wait(&p, (uint64_t)p.limits.restart_grace_ms + 3999);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
	end_day(&p, &j);
}

static void a_personality_thinks_again_after_a_restart(void **state)
{
	(void)state;
	DAY(p, j);
	struct id m = play_personality(&p, "english", "ann", BLACK);
	size_t asked = p.thinks;
	journal_restart(&p, journal_replay(&j));
	play_wait(&p, 1);
	assert_int_equal(p.thinks, asked + 1);
	assert_true(match_clock_runs(play_at(&p, &m)));
	end_day(&p, &j);
}

static void nonces_are_awaited_again_after_a_restart(void **state)
{
	(void)state;
	DAY(p, j);
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_nonce(&p, "ann", &m, "x");
	journal_restart(&p, journal_replay(&j));
	play_resume(&p, "ann");
	play_wait(&p, (uint64_t)p.limits.nonce_wait_ms);
	assert_non_null(strstr(p.facts, "nonce rolled"));
	assert_int_equal(play_at(&p, &m)->nonce[WHITE].len, 1);
	end_day(&p, &j);
}

/* Who is away since the restart is not away longer. */
static void absence_counts_from_the_restart(void **state)
{
	(void)state;
	DAY(p, j);
	struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	struct id m = play_match(&p, "english", "ann", "bob", &none);
	play_create(&p, "cay", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	play_wait(&p, 1000000);
	play_create(&p, "dan", "english", (struct cmd_lobby_create){ 0 });
	play_wait(&p, 1000000);
	journal_restart(&p, journal_replay(&j));
	play_resume(&p, "ann");
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
	play_wait(&p, (uint64_t)p.limits.lobby_away_ms - 1);
	assert_non_null(domain_lobby(p.d, &l));
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
	play_wait(&p, 1);
	assert_null(domain_lobby(p.d, &l));
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_OK);
	end_day(&p, &j);
}

/* A key makes no second lobby after a restart either, though its lobby has
 * long become a match. */
static void keys_survive_in_a_snapshot(void **state)
{
	(void)state;
	DAY(p, j);
	struct cmd_lobby_create c = { .key = span_str("once"),
				      .opponent = AGAINST_PERSONALITY,
				      .personality = span_str("calm"),
				      .ready = true };
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_OK);
	/* and that of an open lobby whose owner has changed */
	struct cmd_lobby_create open = { .key = span_str("open") };
	play_create(&p, "bob", "english", open);
	struct id l = p.lobby;
	play_join(&p, "cay", &l, false);
	play_leave(&p, "bob", &l);
	journal_snapshot(&j);
	journal_restart(&p, journal_replay(&j));
	play_resume(&p, "ann");
	play_resume(&p, "bob");
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_ENOLOBBY);
	assert_int_equal(play_create(&p, "bob", "english", open), PLYD_OK);
	assert_true(id_eq(&p.lobby, &l));
	assert_int_equal(domain_match_count(p.d), 1);
	end_day(&p, &j);
}

static void time_goes_on_from_a_snapshot(void **state)
{
	(void)state;
	DAY(p, j);
	play_wait(&p, 123456);
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	play_leave(&p, "ann", &l);
	journal_snapshot(&j);
	struct domain *d = journal_replay(&j);
	assert_int_equal(domain_now_ms(d), 123456);
	domain_free(d);
	/* also when nothing is left that has a time */
	for (int i = 0; i < PLAYERS; i++)
		play_gone(&p, names[i]);
	play_wait(&p, (uint64_t)p.limits.guest_keep_ms);
	assert_int_equal(domain_player_count(p.d), 0);
	journal_snapshot(&j);
	d = journal_replay(&j);
	assert_int_equal(domain_now_ms(d), domain_now_ms(p.d));
	domain_free(d);
	end_day(&p, &j);
}

/* A ruleset has gone: its lobbies are left out, all else is there. */
static void a_ruleset_that_has_gone_is_survived(void **state)
{
	(void)state;
	for (int snapshot = 0; snapshot < 2; snapshot++) {
		DAY(p, j);
		play_create(&p, "ann", "turkish",
			    (struct cmd_lobby_create){ .side = WHITE });
		struct id l = p.lobby;
		play_join(&p, "bob", &l, true);
		play_create(&p, "cay", "english",
			    (struct cmd_lobby_create){ 0 });
		if (snapshot)
			journal_snapshot(&j);
		struct domain *d;
		struct entropy entropy;
		struct doc *doc = doc_new();
		struct match_rules rules =
			*domain_rules_find(p.d, span_str("english"));
		entropy_from_seed(&entropy, 1);
		domain_new(&d, &p.limits, &entropy);
		domain_set_rules(d, &rules, 1);
		if (snapshot)
			assert_int_equal(replay_snapshot(d, doc, 99,
							 buf_span(&j.snapshot)),
					 PLYD_ERULESET);
		size_t left_out = 0;
		for (size_t i = 0; !snapshot && i < j.count; i++) {
			int err = replay_row(d, doc, j.kept[i].row,
					     &j.kept[i].match,
					     journal_bytes(&j, i));
			assert_true(!err || err == PLYD_ERULESET ||
				    err == PLYD_ENOLOBBY);
			left_out += err != PLYD_OK;
		}
		assert_int_equal(left_out, snapshot ? 0 : 4);
		assert_int_equal(domain_player_count(d), PLAYERS);
		assert_int_equal(domain_lobby_count(d), 1);
		assert_null(domain_invariant_broken(d));
		doc_free(doc);
		domain_free(d);
		end_day(&p, &j);
	}
}

static void a_damaged_snapshot_is_refused(void **state)
{
	(void)state;
	DAY(p, j);
	journal_snapshot(&j);
	struct span whole = buf_span(&j.snapshot);
	struct doc *doc = doc_new();
	for (size_t len = 0; len <= whole.len; len++) {
		struct domain *d;
		struct entropy entropy;
		entropy_from_seed(&entropy, 1);
		domain_new(&d, &p.limits, &entropy);
		int err = replay_snapshot(d, doc, 1, span_of(whole.at, len));
		if (len < 21)
			assert_int_equal(err, PLYD_EVERSION);
		else if (err)
			assert_int_equal(err, PLYD_ERECORD);
		else /* cut between two facts */
			assert_true(domain_player_count(d) <= PLAYERS);
		assert_true(len < whole.len || err == PLYD_OK);
		domain_free(d);
	}
	doc_free(doc);
	end_day(&p, &j);
}

/* BG-28: nothing that anybody reads before the end holds the seed. */
static void the_seed_is_in_no_row_before_the_end(void **state)
{
	(void)state;
	DAY(p, j);
	struct rng rng;
	rng_seed(&rng, 4);
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_wait(&p, 3000);
	for (int i = 0; i < 10; i++)
		play_random(&p, &rng, &m);
	const uint8_t *seed = play_at(&p, &m)->seed;
	journal_snapshot(&j);
	assert_null(memmem(j.snapshot.at, j.snapshot.len, seed, SEED_BYTES));
	size_t secrets = 0;
	for (size_t i = 0; i < j.count; i++) {
		struct span b = journal_bytes(&j, i);
		bool there = memmem(b.at, b.len, seed, SEED_BYTES) != NULL;
		assert_int_equal(there, j.kept[i].stream == STREAM_SECRET);
		secrets += there;
	}
	assert_int_equal(secrets, 1);
	end_day(&p, &j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replay_gives_the_same_state),
		cmocka_unit_test(a_day_with_restarts_goes_on),
		cmocka_unit_test(an_acknowledged_move_survives),
		cmocka_unit_test(timers_run_again_after_a_restart),
		cmocka_unit_test(a_personality_thinks_again_after_a_restart),
		cmocka_unit_test(nonces_are_awaited_again_after_a_restart),
		cmocka_unit_test(absence_counts_from_the_restart),
		cmocka_unit_test(keys_survive_in_a_snapshot),
		cmocka_unit_test(time_goes_on_from_a_snapshot),
		cmocka_unit_test(a_ruleset_that_has_gone_is_survived),
		cmocka_unit_test(a_damaged_snapshot_is_refused),
		cmocka_unit_test(the_seed_is_in_no_row_before_the_end),
	};
	return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
