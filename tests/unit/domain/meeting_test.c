/* SPDX-License-Identifier: MIT
 * Owners of lobbies, invitations, seeks, challenges, bots, who is here. */
#include "play.h"
#include "unit.h"

#include <string.h>

static struct play p;

static int set_up(void **state)
{
	(void)state;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello(&p, "cay");
	play_hello_bot(&p, "hal");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	play_close(&p);
	return 0;
}

static struct id id_of(const char *name)
{
	return play_who(&p, name)->id;
}

static const struct player *player_of(const char *name)
{
	struct id id = id_of(name);
	return domain_player(p.d, &id);
}

/* -- lobbies -- */

static struct id open_lobby(struct cmd_lobby_create c)
{
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_OK);
	return p.lobby;
}

static int about(const char *who, enum command_type type, struct id lobby,
		 const char *whom)
{
	return play_do(&p, who,
		       (struct command){ .type = type,
					 .lobby = lobby,
					 .named = { .player = id_of(whom) } });
}

static void only_who_is_invited_may_join(void **state)
{
	(void)state;
	struct id l =
		open_lobby((struct cmd_lobby_create){ .invited_only = true });
	assert_int_equal(play_join(&p, "bob", &l, true), PLYD_ENOLOBBY);
	assert_int_equal(about("bob", CMD_LOBBY_INVITE, l, "cay"),
			 PLYD_ENOLOBBY);
	assert_int_equal(about("ann", CMD_LOBBY_INVITE, l, "ann"), PLYD_ESELF);
	assert_int_equal(about("ann", CMD_LOBBY_INVITE, l, "bob"), PLYD_OK);
	assert_string_equal(p.effects, "answer lobby invited");
	/* once more is the same, and tells nobody */
	assert_int_equal(about("ann", CMD_LOBBY_INVITE, l, "bob"), PLYD_OK);
	assert_string_equal(p.effects, "answer");
	assert_int_equal(player_of("bob")->meets.invited_count, 1);
	assert_int_equal(play_do(&p, "cay",
				 (struct command){ .type = CMD_LOBBY_GET,
						   .lobby = l }),
			 PLYD_ENOLOBBY);
	assert_int_equal(play_join(&p, "bob", &l, false), PLYD_OK);
	assert_int_equal(player_of("bob")->meets.invited_count, 0);
	/* a seat once left needs another invitation */
	assert_int_equal(play_leave(&p, "bob", &l), PLYD_OK);
	assert_int_equal(play_join(&p, "bob", &l, false), PLYD_ENOLOBBY);
}

static void an_invitation_may_be_declined(void **state)
{
	(void)state;
	struct id l = open_lobby((struct cmd_lobby_create){ 0 });
	struct command no = { .type = CMD_LOBBY_DECLINE, .lobby = l };
	assert_int_equal(play_do(&p, "bob", no), PLYD_ENOLOBBY);
	about("ann", CMD_LOBBY_INVITE, l, "bob");
	assert_int_equal(play_do(&p, "bob", no), PLYD_OK);
	assert_string_equal(p.effects, "answer invite_declined lobby");
	assert_int_equal(domain_lobby(p.d, &l)->invited_count, 0);
	/* who is invited to a lobby that closes hears of it */
	about("ann", CMD_LOBBY_INVITE, l, "bob");
	assert_int_equal(play_leave(&p, "ann", &l), PLYD_OK);
	assert_string_equal(p.told, "left left");
	assert_int_equal(player_of("bob")->meets.invited_count, 0);
}

static void who_is_thrown_out_stays_out(void **state)
{
	(void)state;
	struct id l = open_lobby((struct cmd_lobby_create){ 0 });
	play_join(&p, "bob", &l, true);
	assert_int_equal(about("bob", CMD_LOBBY_KICK, l, "ann"),
			 PLYD_ENOTALLOWED);
	assert_int_equal(about("ann", CMD_LOBBY_KICK, l, "ann"), PLYD_ESELF);
	assert_int_equal(about("ann", CMD_LOBBY_KICK, l, "bob"), PLYD_OK);
	assert_string_equal(p.told, "kicked");
	assert_int_equal(player_of("bob")->lobby_count, 0);
	assert_int_equal(play_join(&p, "bob", &l, true), PLYD_EBARRED);
	assert_int_equal(about("ann", CMD_LOBBY_INVITE, l, "bob"),
			 PLYD_EBARRED);
	/* the seat is free for others, and the lobby is listed again */
	assert_false(lobby_admits(domain_lobby(p.d, &l), player_of("bob")));
	assert_int_equal(domain_listing(p.d, span_str("english"))
				 ->count[LISTED_LOBBY],
			 1);
	assert_int_equal(play_join(&p, "cay", &l, false), PLYD_OK);
	assert_int_equal(domain_listing(p.d, span_str(""))->count[LISTED_LOBBY],
			 0);
}

static void new_terms_make_nobody_ready(void **state)
{
	(void)state;
	struct id l = open_lobby((struct cmd_lobby_create){ .side = WHITE });
	struct command change = { .type = CMD_LOBBY_UPDATE,
				  .lobby = l,
				  .update = { .side = BLACK, .rated = -1 } };
	play_join(&p, "bob", &l, true);
	assert_int_equal(play_do(&p, "bob", change), PLYD_ENOTALLOWED);
	assert_int_equal(play_do(&p, "ann", change), PLYD_OK);
	assert_string_equal(p.facts, "lobby_updated");
	const struct lobby *lobby = domain_lobby(p.d, &l);
	struct id ann = id_of("ann");
	assert_int_equal(lobby_seat_of(lobby, &ann), BLACK);
	assert_false(lobby->seat[WHITE].ready || lobby->seat[BLACK].ready);
	/* the same again changes nothing */
	play_ready(&p, "bob", &l, true);
	assert_int_equal(play_do(&p, "ann", change), PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_true(lobby->seat[WHITE].ready);
	change.update = (struct cmd_lobby_update){
		.ruleset = span_str("turkish"), .side = -1, .rated = -1
	};
	assert_int_equal(play_do(&p, "ann", change), PLYD_OK);
	assert_string_equal(domain_lobby(p.d, &l)->rules.rules.name, "turkish");
	change.update.ruleset = span_str("nine-mens-morris");
	assert_int_equal(play_do(&p, "ann", change), PLYD_ERULESET);
	change.update.ruleset = span_str("");
	change.update.rated = 1;
	assert_int_equal(play_do(&p, "ann", change), PLYD_EUNRATED);
	assert_int_equal(play_ready(&p, "bob", &l, true), PLYD_OK);
	assert_int_equal(play_ready(&p, "ann", &l, true), PLYD_OK);
	assert_int_equal(match_seat_of(play_at(&p, &p.match), &ann), BLACK);
}

static void the_seat_of_one_who_is_not_ready_is_freed(void **state)
{
	(void)state;
	struct id l = open_lobby((struct cmd_lobby_create){ .ready = true });
	uint64_t wait = (uint64_t)p.limits.ready_wait_ms;
	play_wait(&p, 5 * wait); /* alone, she waits as long as she likes */
	assert_int_equal(domain_lobby_count(p.d), 1);
	play_join(&p, "bob", &l, false);
	play_wait(&p, wait - 2);
	assert_int_equal(player_of("bob")->lobby_count, 1);
	play_wait(&p, 2);
	assert_string_equal(p.told, "not_ready");
	assert_int_equal(player_of("bob")->lobby_count, 0);
	assert_int_equal(player_of("ann")->lobby_count, 1);
	/* it counts from when he took it back */
	play_join(&p, "bob", &l, false);
	play_ready(&p, "ann", &l, false);
	play_ready(&p, "bob", &l, true);
	play_wait(&p, wait / 2);
	play_ready(&p, "bob", &l, false);
	play_wait(&p, wait - 2);
	assert_int_equal(domain_lobby_count(p.d), 1);
	play_wait(&p, 2);
	assert_int_equal(domain_lobby_count(p.d), 0);
}

static void a_match_without_spectators(void **state)
{
	(void)state;
	struct id l = open_lobby(
		(struct cmd_lobby_create){ .ready = true, .closed = true });
	play_join(&p, "bob", &l, true);
	struct id m = p.match;
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_WATCH, &m),
			 PLYD_ENOTALLOWED);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_GET, &m),
			 PLYD_ENOTALLOWED);
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_WATCH, &m), PLYD_OK);
	assert_int_equal(domain_listing(p.d, span_str(""))->count[LISTED_MATCH],
			 0);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_GET, &m), PLYD_OK);
}

/* -- seeks -- */

static int seek(const char *who, struct cmd_seek c)
{
	if (c.ruleset.len == 0)
		c.ruleset = span_str("english");
	return play_do(&p, who,
		       (struct command){ .type = CMD_SEEK_CREATE, .seek = c });
}

static int answer_seek(const char *who, enum command_type type, struct id id)
{
	return play_do(&p, who,
		       (struct command){ .type = type,
					 .seek_answer = { .seek = id } });
}

/* LB-07: not one's own, and once only, whoever asks. */
static void a_seek_is_accepted_once(void **state)
{
	(void)state;
	struct cmd_seek c = { .side = WHITE, .key = span_str("k") };
	assert_int_equal(seek("ann", c), PLYD_OK);
	struct id s = p.seek;
	assert_int_equal(seek("ann", c), PLYD_OK);
	assert_true(id_eq(&p.seek, &s));
	assert_int_equal(domain_seek_count(p.d), 1);
	assert_int_equal(answer_seek("ann", CMD_SEEK_ACCEPT, s), PLYD_ESELF);
	assert_int_equal(answer_seek("bob", CMD_SEEK_CANCEL, s), PLYD_ENOSEEK);
	assert_int_equal(answer_seek("bob", CMD_CHALLENGE_ACCEPT, s),
			 PLYD_ENOCHALLENGE);
	assert_int_equal(answer_seek("bob", CMD_SEEK_ACCEPT, s), PLYD_OK);
	assert_string_equal(p.facts, "begun seek_closed |");
	struct id m = p.match, ann = id_of("ann");
	assert_int_equal(match_seat_of(play_at(&p, &m), &ann), WHITE);
	/* again it tells the same match, and begins none */
	assert_int_equal(answer_seek("bob", CMD_SEEK_ACCEPT, s), PLYD_OK);
	assert_true(id_eq(&p.answer.match, &m));
	assert_string_equal(p.facts, "");
	assert_int_equal(answer_seek("cay", CMD_SEEK_ACCEPT, s), PLYD_ENOSEEK);
	/* and her key tells it, too */
	assert_int_equal(seek("ann", c), PLYD_ENOSEEK);
	assert_true(id_eq(&p.answer.match, &m));
	assert_int_equal(domain_match_count(p.d), 1);
}

static void a_seek_says_whom_it_wants(void **state)
{
	(void)state;
	seek("ann", (struct cmd_seek){ .opponent = AGAINST_BOT });
	struct id s = p.seek;
	assert_int_equal(answer_seek("bob", CMD_SEEK_ACCEPT, s),
			 PLYD_ENOTALLOWED);
	assert_int_equal(answer_seek("hal", CMD_SEEK_ACCEPT, s), PLYD_OK);
	seek("bob", (struct cmd_seek){ .rating_min = 1600 });
	s = p.seek;
	assert_int_equal(answer_seek("cay", CMD_SEEK_ACCEPT, s), PLYD_ERATING);
	assert_int_equal(seek("bob", (struct cmd_seek){ .rating_min = 2,
							.rating_max = 1 }),
			 PLYD_ERANGE);
	assert_int_equal(seek("bob", (struct cmd_seek){ .rated = true }),
			 PLYD_EUNRATED);
	for (int i = 1; i < p.limits.seeks_per_player; i++)
		assert_int_equal(seek("bob", (struct cmd_seek){ 0 }), PLYD_OK);
	assert_int_equal(seek("bob", (struct cmd_seek){ 0 }), PLYD_ETOOMANY);
}

static void seeks_vanish_with_their_maker(void **state)
{
	(void)state;
	seek("ann", (struct cmd_seek){ 0 });
	struct id s = p.seek;
	play_gone(&p, "ann");
	assert_int_equal(answer_seek("bob", CMD_SEEK_ACCEPT, s), PLYD_EABSENT);
	play_wait(&p, (uint64_t)p.limits.lobby_away_ms - 1);
	assert_int_equal(domain_seek_count(p.d), 1);
	play_wait(&p, 1);
	assert_string_equal(p.told, "away");
	assert_int_equal(domain_seek_count(p.d), 0);
	/* and when a match of a person begins; a bot goes on */
	seek("bob", (struct cmd_seek){ 0 });
	seek("hal", (struct cmd_seek){ 0 });
	play_match(&p, "english", "bob", "hal", NULL);
	assert_int_equal(player_of("bob")->meets.seek_count, 0);
	assert_int_equal(player_of("hal")->meets.seek_count, 1);
}

/* -- challenges -- */

static int challenge(const char *who, const char *whom, struct cmd_seek c)
{
	c.ruleset = span_str("english");
	c.to.name = span_str(whom);
	return play_do(&p, who,
		       (struct command){ .type = CMD_CHALLENGE_SEND,
					 .seek = c });
}

/* -- a crowd of strangers -- */

static void strangers_shut_nobody_out(void **state)
{
	static const char *const guests[] = { "cay", "dan", "eve", "fay" };
	const struct cmd_seek white = { .side = WHITE };
	struct id first = { "" };
	(void)state;
	assert_int_equal(p.limits.seeks_per_player, 4);
	for (int i = 0; i < 4; i++) {
		if (i > 0)
			play_hello(&p, guests[i]);
		assert_int_equal(challenge(guests[i], "bob", white), PLYD_OK);
		first = i == 0 ? p.seek : first;
		play_wait(&p, 1);
	}
	/* one has one with each, whatever he asks for */
	assert_int_equal(challenge("fay", "bob",
				   (struct cmd_seek){ .side = BLACK }),
			 PLYD_ETOOMANY);
	assert_int_equal(challenge("ann", "bob", white), PLYD_OK);
	assert_string_equal(p.facts, "seek_closed seek_opened");
	assert_string_equal(p.told, "displaced displaced");
	assert_null(domain_seek(p.d, &first));
	assert_int_equal(player_of("bob")->meets.challenge_count,
			 p.limits.seeks_per_player);
}

static void invitations_of_strangers_make_room(void **state)
{
	(void)state;
	struct id first = { "" };
	for (int i = 0; i <= INVITED_MAX; i++) {
		char name[8];
		snprintf(name, sizeof(name), "g%02d", i);
		play_hello(&p, name);
		assert_int_equal(play_create(&p, name, "english",
					     (struct cmd_lobby_create){ 0 }),
				 PLYD_OK);
		struct id l = p.lobby;
		assert_int_equal(about(name, CMD_LOBBY_INVITE, l, "bob"),
				 PLYD_OK);
		first = i == 0 ? l : first;
		if (i > 0)
			continue;
		/* another lobby of the same owner */
		play_create(&p, name, "english",
			    (struct cmd_lobby_create){ 0 });
		assert_int_equal(about(name, CMD_LOBBY_INVITE, p.lobby, "bob"),
				 PLYD_ETOOMANY);
	}
	assert_string_equal(p.told, "displaced");
	assert_int_equal(player_of("bob")->meets.invited_count, INVITED_MAX);
	assert_int_equal(domain_lobby(p.d, &first)->invited_count, 0);
}

static void a_challenge_is_answered(void **state)
{
	(void)state;
	assert_int_equal(challenge("ann", "bob",
				   (struct cmd_seek){ .side = BLACK }),
			 PLYD_OK);
	assert_string_equal(p.effects, "answer challenged");
	struct id s = p.seek;
	assert_int_equal(challenge("ann", "ann", (struct cmd_seek){ 0 }),
			 PLYD_ESELF);
	assert_int_equal(challenge("ann", "nobody", (struct cmd_seek){ 0 }),
			 PLYD_ENOPLAYER);
	assert_int_equal(answer_seek("cay", CMD_CHALLENGE_ACCEPT, s),
			 PLYD_ENOCHALLENGE);
	assert_int_equal(answer_seek("cay", CMD_SEEK_ACCEPT, s), PLYD_ENOSEEK);
	assert_int_equal(answer_seek("bob", CMD_CHALLENGE_DECLINE, s), PLYD_OK);
	assert_string_equal(p.told, "declined declined");
	assert_int_equal(answer_seek("bob", CMD_CHALLENGE_ACCEPT, s),
			 PLYD_ENOCHALLENGE);
	challenge("ann", "bob", (struct cmd_seek){ .side = BLACK });
	s = p.seek;
	assert_int_equal(answer_seek("ann", CMD_CHALLENGE_CANCEL, s), PLYD_OK);
	assert_int_equal(answer_seek("bob", CMD_CHALLENGE_ACCEPT, s),
			 PLYD_ENOCHALLENGE);
	challenge("ann", "bob", (struct cmd_seek){ .side = BLACK });
	s = p.seek;
	assert_int_equal(answer_seek("bob", CMD_CHALLENGE_ACCEPT, s), PLYD_OK);
	struct id m = p.match, ann = id_of("ann");
	assert_int_equal(match_seat_of(play_at(&p, &m), &ann), BLACK);
	assert_int_equal(answer_seek("bob", CMD_CHALLENGE_ACCEPT, s), PLYD_OK);
	assert_true(id_eq(&p.answer.match, &m));
}

static void a_challenge_lapses(void **state)
{
	(void)state;
	challenge("ann", "bob", (struct cmd_seek){ 0 });
	play_wait(&p, (uint64_t)p.limits.challenge_keep_ms - 1);
	assert_int_equal(domain_seek_count(p.d), 1);
	play_wait(&p, 1);
	assert_string_equal(p.told, "lapsed lapsed");
	challenge("ann", "bob", (struct cmd_seek){ 0 });
	play_gone(&p, "bob");
	play_wait(&p, (uint64_t)p.limits.lobby_away_ms);
	assert_string_equal(p.told, "away away");
	assert_int_equal(challenge("ann", "bob", (struct cmd_seek){ 0 }),
			 PLYD_EABSENT);
}

/* As with crossing rematch offers, LB-28. */
static void crossing_challenges_make_one_match(void **state)
{
	(void)state;
	struct cmd_seek black = { .side = BLACK, .key = span_str("k") };
	challenge("ann", "bob", (struct cmd_seek){ .side = -1 });
	assert_int_equal(challenge("bob", "ann", black), PLYD_OK);
	assert_string_equal(p.facts, "begun seek_closed key_remembered |");
	struct id m = p.match, bob = id_of("bob");
	assert_int_equal(match_seat_of(play_at(&p, &m), &bob), BLACK);
	assert_int_equal(domain_seek_count(p.d), 0);
	assert_int_equal(challenge("bob", "ann", black), PLYD_ENOCHALLENGE);
	assert_true(id_eq(&p.answer.match, &m));
	assert_int_equal(domain_match_count(p.d), 1);
}

static void other_terms_do_not_cross(void **state)
{
	(void)state;
	challenge("ann", "bob", (struct cmd_seek){ .side = BLACK });
	assert_int_equal(challenge("bob", "ann",
				   (struct cmd_seek){ .side = BLACK }),
			 PLYD_OK);
	assert_int_equal(domain_seek_count(p.d), 2);
	assert_int_equal(answer_seek("bob", CMD_CHALLENGE_CANCEL, p.seek),
			 PLYD_OK);
	assert_int_equal(challenge("bob", "ann",
				   (struct cmd_seek){
					   .side = WHITE,
					   .clock = { .has_base_ms = true,
						      .base_ms = 120000 } }),
			 PLYD_OK);
	assert_int_equal(domain_seek_count(p.d), 2);
	assert_int_equal(domain_match_count(p.d), 0);
}

static void a_challenge_may_begin_anywhere(void **state)
{
	(void)state;
	struct cmd_seek c = { .side = WHITE,
			      .position = span_str("W:WK10:BK1") };
	assert_int_equal(challenge("ann", "bob", c), PLYD_OK);
	struct id s = p.seek;
	answer_seek("bob", CMD_CHALLENGE_ACCEPT, s);
	char text[POSITION_TEXT_MAX];
	const struct match *m = play_at(&p, &p.match);
	size_t len = game_write(&m->rules->rules, &m->start, text);
	assert_true(span_is(span_of(text, len), "W:WK10:BK1"));
	c.position = span_str("nowhere");
	assert_int_equal(challenge("bob", "ann", c), PLYD_EPOSITION);
}

/* -- bots -- */

static int policy(struct cmd_bot_policy c)
{
	return play_do(&p, "hal",
		       (struct command){ .type = CMD_BOT_POLICY, .policy = c });
}

static void the_server_answers_for_a_bot(void **state)
{
	(void)state;
	struct cmd_bot_policy c = { .answers = true,
				    .rulesets = span_str("turkish english"),
				    .at_once = 1 };
	assert_int_equal(play_do(&p, "ann",
				 (struct command){ .type = CMD_BOT_POLICY,
						   .policy = c }),
			 PLYD_ENOTALLOWED);
	c.rulesets = span_str("turkish go");
	assert_int_equal(policy(c), PLYD_ERULESET);
	c.rulesets = span_str("turkish");
	assert_int_equal(policy(c), PLYD_OK);
	assert_int_equal(challenge("ann", "hal", (struct cmd_seek){ 0 }),
			 PLYD_EDECLINED);
	c.rulesets = span_str("turkish english");
	c.opponent = AGAINST_BOT;
	policy(c);
	assert_int_equal(challenge("ann", "hal", (struct cmd_seek){ 0 }),
			 PLYD_EDECLINED);
	c.opponent = AGAINST_ANYONE;
	c.speeds = 1u << SPEED_CORRESPONDENCE;
	policy(c);
	assert_int_equal(challenge("ann", "hal", (struct cmd_seek){ 0 }),
			 PLYD_EDECLINED);
	c.speeds = 0;
	policy(c);
	assert_int_equal(challenge("ann", "hal", (struct cmd_seek){ 0 }),
			 PLYD_OK);
	assert_string_equal(p.facts, "seek_opened begun seek_closed |");
	struct id m = p.match;
	/* one at once */
	assert_int_equal(challenge("bob", "hal", (struct cmd_seek){ 0 }),
			 PLYD_EDECLINED);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	struct id l = open_lobby((struct cmd_lobby_create){ .ready = true });
	assert_int_equal(about("ann", CMD_LOBBY_INVITE, l, "hal"), PLYD_OK);
	assert_non_null(strstr(p.facts, "begun"));
}

static void a_bot_finishes_and_goes(void **state)
{
	(void)state;
	struct command finish = { .type = CMD_BOT_FINISH };
	struct id first = play_match(&p, "english", "ann", "hal", NULL);
	struct id second = play_match(&p, "english", "hal", "bob", NULL);
	seek("hal", (struct cmd_seek){ 0 });
	struct id l = open_lobby((struct cmd_lobby_create){ .ready = true });
	play_join(&p, "hal", &l, false);
	assert_int_equal(play_do(&p, "hal", finish), PLYD_OK);
	assert_string_equal(p.told, "finishing");
	play_wait(&p, 1);
	assert_string_equal(p.told, "finishing"); /* the lobby seat */
	assert_int_equal(player_of("hal")->lobby_count, 0);
	assert_int_equal(seek("hal", (struct cmd_seek){ 0 }), PLYD_EFINISHING);
	assert_int_equal(challenge("ann", "hal", (struct cmd_seek){ 0 }),
			 PLYD_EFINISHING);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &first);
	assert_null(strstr(p.effects, "bot_finished"));
	play_in(&p, "hal", CMD_MATCH_RESIGN, &second);
	assert_non_null(strstr(p.effects, "bot_finished"));
	/* asked again it says so again, and a policy opens the door */
	play_do(&p, "hal", finish);
	assert_string_equal(p.facts, "");
	assert_string_equal(p.effects, "answer bot_finished");
	policy((struct cmd_bot_policy){ .answers = true });
	assert_int_equal(challenge("ann", "hal", (struct cmd_seek){ 0 }),
			 PLYD_OK);
}

/* -- who is here -- */

static void people_and_bots_are_listed_as_they_come(void **state)
{
	(void)state;
	assert_int_equal(domain_here_count(p.d, false), 3);
	assert_int_equal(domain_here_count(p.d, true), 1);
	play_gone(&p, "ann");
	play_resume(&p, "ann");
	assert_string_equal(domain_here(p.d, false)->name, "bob");
	struct command list = { .type = CMD_PLAYERS_LIST,
				.players = { -1, id_of("ann") } };
	assert_int_equal(play_do(&p, "cay", list), PLYD_OK);
	assert_string_equal(p.answer.first->name, "hal");
	play_gone(&p, "ann");
	assert_int_equal(play_do(&p, "cay", list), PLYD_ENOPLAYER);
	struct command get = { .type = CMD_PLAYER_GET,
			       .named = { .name = span_str("ANN") } };
	assert_int_equal(play_do(&p, "cay", get), PLYD_OK);
	get.named.name = span_str("zoe");
	assert_int_equal(play_do(&p, "cay", get), PLYD_ENOPLAYER);
}

static void a_lobby_says_who_has_gone(void **state)
{
	(void)state;
	struct id l = open_lobby((struct cmd_lobby_create){ 0 });
	play_join(&p, "bob", &l, false);
	play_gone(&p, "bob");
	assert_string_equal(p.effects, "lobby");
	play_resume(&p, "bob");
	assert_string_equal(p.effects, "answer lobby");
}

#define MEETING(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MEETING(strangers_shut_nobody_out),
		MEETING(invitations_of_strangers_make_room),
		MEETING(only_who_is_invited_may_join),
		MEETING(an_invitation_may_be_declined),
		MEETING(who_is_thrown_out_stays_out),
		MEETING(new_terms_make_nobody_ready),
		MEETING(the_seat_of_one_who_is_not_ready_is_freed),
		MEETING(a_match_without_spectators),
		MEETING(a_seek_is_accepted_once),
		MEETING(a_seek_says_whom_it_wants),
		MEETING(seeks_vanish_with_their_maker),
		MEETING(a_challenge_is_answered),
		MEETING(a_challenge_lapses),
		MEETING(crossing_challenges_make_one_match),
		MEETING(other_terms_do_not_cross),
		MEETING(a_challenge_may_begin_anywhere),
		MEETING(the_server_answers_for_a_bot),
		MEETING(a_bot_finishes_and_goes),
		MEETING(people_and_bots_are_listed_as_they_come),
		MEETING(a_lobby_says_who_has_gone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
