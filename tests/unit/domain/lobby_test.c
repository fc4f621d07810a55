/* SPDX-License-Identifier: MIT
 * Meeting in lobbies. */
#include "play.h"
#include "unit.h"

#include <string.h>

#define PLAY(p)                                                                \
	struct play p;                                                         \
	play_open(&p, 1)

static const struct player *player_of(const struct play *p, const char *name)
{
	return domain_player(p->d, &play_who(p, name)->id);
}

static void a_lobby_fills_and_begins(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct cmd_lobby_create c = { .side = BLACK };
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_OK);
	assert_string_equal(p.facts, "lobby_opened lobby_seated");
	assert_string_equal(p.effects, "answer lobby");
	struct id l = p.lobby;
	assert_int_equal(lobby_seat_of(domain_lobby(p.d, &l),
				       &play_who(&p, "ann")->id),
			 BLACK);
	assert_int_equal(play_join(&p, "bob", &l, false), PLYD_OK);
	assert_int_equal(play_ready(&p, "ann", &l, true), PLYD_OK);
	assert_int_equal(play_ready(&p, "ann", &l, false), PLYD_OK);
	assert_int_equal(play_ready(&p, "bob", &l, true), PLYD_OK);
	/* once more changes nothing, and nobody is told */
	assert_int_equal(play_ready(&p, "bob", &l, true), PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_string_equal(p.effects, "answer");
	assert_int_equal(play_ready(&p, "ann", &l, true), PLYD_OK);
	assert_string_equal(p.facts, "lobby_readied begun lobby_closed |");
	assert_string_equal(p.effects, "lobby answer started release |");
	assert_true(id_eq(&p.lobby, &l)); /* the answer still shows it */
	assert_null(domain_lobby(p.d, &l));
	const struct match *m = play_at(&p, &p.match);
	assert_int_equal(match_seat_of(m, &play_who(&p, "ann")->id), BLACK);
	assert_int_equal(match_seat_of(m, &play_who(&p, "bob")->id), WHITE);
	assert_string_equal(m->seat[BLACK].name, "ann");
	assert_int_equal(player_of(&p, "ann")->lobby_count, 0);
	assert_int_equal(player_of(&p, "ann")->match_count, 1);
	play_close(&p);
}

/* What the answer lends is whole although the lobby has gone in this step. */
static void the_last_answer_of_a_lobby_shows_its_match(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	struct command cmd = { .type = CMD_LOBBY_CREATE,
			       .conn = 1,
			       .player = play_who(&p, "ann")->id,
			       .create = { .ruleset = span_str("english"),
					   .side = WHITE,
					   .opponent = AGAINST_PERSONALITY,
					   .personality = span_str("wild"),
					   .ready = true } };
	const struct step *s = domain_step(p.d, &cmd);
	const struct lobby *l = s->effect[0].lobby;
	assert_int_equal(s->effect[0].type, EFFECT_ANSWER);
	assert_string_equal(l->seat[WHITE].name, "ann");
	assert_string_equal(l->seat[BLACK].name, "wild");
	assert_true(id_eq(&l->match, &s->effect[2].match->id));
	/* so are the texts of its facts */
	assert_int_equal(s->fact[3].type, FACT_BEGUN);
	assert_true(span_is(s->fact[3].begun.white_name, "ann"));
	assert_true(span_is(s->fact[3].begun.ruleset, "english"));
	play_close(&p);
}

/* LB-07: nobody plays himself. */
static void nobody_joins_his_own_lobby(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	assert_int_equal(play_join(&p, "ann", &l, true), PLYD_EINLOBBY);
	play_resume(&p, "ann");
	assert_int_equal(play_join(&p, "ann", &l, true), PLYD_EINLOBBY);
	assert_int_equal(play_leave(&p, "ann", &l), PLYD_OK);
	assert_int_equal(domain_lobby_count(p.d), 0);
	play_close(&p);
}

static void leaving_passes_the_lobby_on(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	play_join(&p, "bob", &l, false);
	assert_int_equal(play_leave(&p, "ann", &l), PLYD_OK);
	assert_string_equal(p.effects, "answer lobby");
	assert_true(
		id_eq(&domain_lobby(p.d, &l)->owner, &play_who(&p, "bob")->id));
	assert_int_equal(play_leave(&p, "ann", &l), PLYD_ENOTINLOBBY);
	assert_int_equal(play_leave(&p, "bob", &l), PLYD_OK);
	assert_string_equal(p.effects, "answer lobby_closed");
	assert_int_equal(play_leave(&p, "bob", &l), PLYD_ENOLOBBY);
	play_close(&p);
}

static void a_private_lobby_is_found_by_code_only(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct cmd_lobby_create c = { .is_private = true };
	play_create(&p, "ann", "english", c);
	struct id l = p.lobby;
	char code[CODE_CHARS + 1];
	memcpy(code, domain_lobby(p.d, &l)->code, sizeof(code));
	assert_int_equal(strlen(code), CODE_CHARS);
	assert_int_equal(play_join(&p, "bob", &l, true), PLYD_ENOLOBBY);
	struct command get = { .type = CMD_LOBBY_GET, .lobby = l };
	assert_int_equal(play_do(&p, "bob", get), PLYD_ENOLOBBY);
	assert_int_equal(play_do(&p, "ann", get), PLYD_OK);
	assert_int_equal(play_leave(&p, "bob", &l), PLYD_ENOLOBBY);
	struct command join = { .type = CMD_LOBBY_JOIN,
				.join = { .code = span_str("zzzzzz"),
					  .side = -1 } };
	assert_int_equal(play_do(&p, "bob", join), PLYD_ENOLOBBY);
	join.join.code = span_of(code, CODE_CHARS - 1);
	assert_int_equal(play_do(&p, "bob", join), PLYD_ENOLOBBY);
	join.join.code = span_str(code);
	assert_int_equal(play_do(&p, "bob", join), PLYD_OK);
	assert_int_equal(play_do(&p, "bob", get), PLYD_OK);
	play_close(&p);
}

static void a_key_makes_one_lobby(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct cmd_lobby_create c = { .key = span_str("k1") };
	play_create(&p, "ann", "english", c);
	struct id first = p.lobby;
	play_create(&p, "ann", "english", c);
	assert_true(id_eq(&p.lobby, &first));
	assert_string_equal(p.facts, "");
	/* another's key is another key */
	play_create(&p, "bob", "english", c);
	assert_false(id_eq(&p.lobby, &first));
	/* it makes no second one when the first has gone */
	play_leave(&p, "ann", &first);
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_ENOLOBBY);
	/* a refused command does not use its key up */
	c.key = span_str("k2");
	assert_int_equal(play_create(&p, "ann", "chess", c), PLYD_ERULESET);
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_OK);
	play_close(&p);
}

static void lobbies_have_limits(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	struct cmd_lobby_create c = { .side = -1 };
	domain_limits_default(&limits);
	limits.lobbies_max = 3;
	limits.lobbies_per_player = 2;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_OK);
	struct id l = p.lobby;
	assert_int_equal(play_create(&p, "ann", "turkish", c), PLYD_OK);
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_ETOOMANY);
	assert_int_equal(play_create(&p, "bob", "english", c), PLYD_OK);
	assert_int_equal(play_create(&p, "bob", "english", c), PLYD_EFULL);
	assert_int_equal(play_join(&p, "bob", &l, false), PLYD_OK);
	play_close(&p);
}

#define KIND(k)       .has_kind = true, .kind = CLOCK_##k
#define BASE(ms)      .has_base_ms = true, .base_ms = (ms)
#define INCREMENT(ms) .has_increment_ms = true, .increment_ms = (ms)
#define DELAY(ms)     .has_delay_ms = true, .delay_ms = (ms)
#define CLOCK(name, ...)                                                       \
	{                                                                      \
		name, PLYD_ECLOCK, "english", NULL,                            \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

static const struct refused_create {
	const char *name;
	int err;
	const char *ruleset;
	const char *personality; /* NULL: against anyone */
	struct clock_wish clock;
} refused_creates[] = {
	{ "no such ruleset", PLYD_ERULESET, "chess", NULL, { 0 } },
	{ "an empty ruleset", PLYD_ERULESET, "", NULL, { 0 } },
	{ "no such personality", PLYD_EPERSONALITY, "english", "odd", { 0 } },
	{ "no name of a personality", PLYD_EPERSONALITY, "english", "", { 0 } },
	CLOCK("base too short", BASE(999)),
	CLOCK("base too long", BASE(3600001)),
	CLOCK("increment too long", BASE(60000), INCREMENT(60001)),
	CLOCK("no clock, with a time", .unlimited = true, BASE(60000)),
	CLOCK("no clock, and one", .unlimited = true, KIND(FISCHER)),
	CLOCK("no such kind", KIND(KIND_COUNT)),
	CLOCK("Fischer with a delay", KIND(FISCHER), DELAY(1)),
	CLOCK("delay with an increment", KIND(DELAY), INCREMENT(1)),
	CLOCK("delay too long", KIND(DELAY), DELAY(60001)),
	CLOCK("Bronstein with an increment", KIND(BRONSTEIN), INCREMENT(1)),
	CLOCK("a move in no time", KIND(PER_MOVE)),
	CLOCK("a move in too short a time", KIND(PER_MOVE), BASE(999)),
	CLOCK("a move in too long a time", KIND(PER_MOVE), BASE(864000001)),
	CLOCK("a move in its time, and an increment", KIND(PER_MOVE),
	      BASE(3600000), INCREMENT(1)),
};

static void a_create_is_refused(void **state)
{
	const struct refused_create *row = *state;
	PLAY(p);
	play_hello(&p, "ann");
	struct cmd_lobby_create c = { .side = -1, .clock = row->clock };
	if (row->personality) {
		c.opponent = AGAINST_PERSONALITY;
		c.personality = span_str(row->personality);
	}
	assert_int_equal(play_create(&p, "ann", row->ruleset, c), row->err);
	assert_string_equal(p.facts, "");
	assert_int_equal(domain_lobby_count(p.d), 0);
	play_close(&p);
}

static void a_personality_plays_its_own_rulesets_only(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	for (size_t its = 0; its < domain_rules_count(p.d); its++) {
		const struct personality picky = { .name = "picky",
						   .plays = UINT64_C(1)
							    << its };
		domain_set_personalities(p.d, &picky, 1);
		for (size_t i = 0; i < domain_rules_count(p.d); i++) {
			struct cmd_lobby_create c = {
				.side = -1,
				.opponent = AGAINST_PERSONALITY,
				.personality = span_str(picky.name)
			};
			int err =
				play_create(&p, "ann",
					    domain_rules_at(p.d, i)->rules.name,
					    c);
			assert_int_equal(err, i == its ? PLYD_OK
						       : PLYD_EPERSONALITY);
			if (!err)
				play_leave(&p, "ann", &p.lobby);
		}
	}
	play_close(&p);
}

static void kinds_are_kept_apart_where_asked(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello_bot(&p, "bot");
	struct cmd_lobby_create c = { .opponent = AGAINST_BOT };
	play_create(&p, "ann", "english", c);
	struct id for_bot = p.lobby;
	c.opponent = AGAINST_PERSON;
	play_create(&p, "ann", "english", c);
	struct id for_person = p.lobby;
	assert_int_equal(play_join(&p, "bob", &for_bot, false),
			 PLYD_ENOTALLOWED);
	assert_int_equal(play_join(&p, "bot", &for_person, false),
			 PLYD_ENOTALLOWED);
	assert_int_equal(play_join(&p, "bot", &for_bot, false), PLYD_OK);
	assert_int_equal(play_join(&p, "bob", &for_person, false), PLYD_OK);
	play_close(&p);
}

static void a_taken_side_cannot_be_asked_for(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello(&p, "cay");
	play_create(&p, "ann", "english",
		    (struct cmd_lobby_create){ .side = WHITE });
	struct id l = p.lobby;
	struct command join = { .type = CMD_LOBBY_JOIN,
				.join = { .lobby = l, .side = WHITE } };
	assert_int_equal(play_do(&p, "bob", join), PLYD_ELOBBYFULL);
	join.join.side = BLACK;
	assert_int_equal(play_do(&p, "bob", join), PLYD_OK);
	join.join.side = -1;
	assert_int_equal(play_do(&p, "cay", join), PLYD_ELOBBYFULL);
	play_close(&p);
}

static void a_lobby_closes_with_its_only_person(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct cmd_lobby_create c = { .side = -1,
				      .opponent = AGAINST_PERSONALITY,
				      .personality = span_str("calm") };
	play_create(&p, "ann", "english", c);
	struct id l = p.lobby;
	/* the person's side of the ruleset: black in english */
	assert_int_equal(lobby_seat_of(domain_lobby(p.d, &l),
				       &play_who(&p, "ann")->id),
			 BLACK);
	assert_true(domain_lobby(p.d, &l)->seat[WHITE].ready);
	assert_int_equal(play_join(&p, "bob", &l, false), PLYD_ELOBBYFULL);
	assert_int_equal(play_leave(&p, "ann", &l), PLYD_OK);
	assert_int_equal(domain_lobby_count(p.d), 0);
	c.ready = true;
	play_create(&p, "ann", "turkish", c);
	assert_int_equal(match_seat_of(play_at(&p, &p.match),
				       &play_who(&p, "ann")->id),
			 WHITE);
	play_close(&p);
}

static void an_absent_player_loses_his_lobby_seat(void **state)
{
	(void)state;
	struct domain_limits limits;
	struct play p;
	domain_limits_default(&limits);
	limits.ready_wait_ms = 10 * limits.lobby_away_ms;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	play_join(&p, "bob", &l, false);
	uint64_t keep = (uint64_t)p.limits.lobby_away_ms;
	play_wait(&p, 2 * keep);
	play_gone(&p, "ann");
	/* what others do does not keep her seat longer */
	play_wait(&p, keep / 2);
	play_gone(&p, "bob");
	play_wait(&p, keep / 4);
	play_resume(&p, "bob");
	play_leave(&p, "bob", &l);
	play_join(&p, "bob", &l, false);
	play_wait(&p, keep / 4 - 1);
	assert_int_equal(player_of(&p, "ann")->lobby_count, 1);
	play_wait(&p, 1);
	assert_string_equal(p.facts, "| lobby_left");
	assert_int_equal(player_of(&p, "ann")->lobby_count, 0);
	assert_true(
		id_eq(&domain_lobby(p.d, &l)->owner, &play_who(&p, "bob")->id));
	play_gone(&p, "bob");
	play_wait(&p, keep);
	assert_int_equal(domain_lobby_count(p.d), 0);
	play_close(&p);
}

static void only_who_is_away_long_enough_loses_his_seat(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_create(&p, "ann", "english",
		    (struct cmd_lobby_create){ .side = BLACK });
	struct id l = p.lobby;
	play_join(&p, "bob", &l, false);
	uint64_t keep = (uint64_t)p.limits.lobby_away_ms;
	play_gone(&p, "ann");
	play_wait(&p, keep / 2);
	play_gone(&p, "bob");
	play_wait(&p, keep / 2);
	assert_int_equal(player_of(&p, "ann")->lobby_count, 0);
	assert_int_equal(player_of(&p, "bob")->lobby_count, 1);
	play_close(&p);
}

static void who_comes_back_keeps_his_lobby_seat(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	play_gone(&p, "ann");
	play_wait(&p, (uint64_t)p.limits.lobby_away_ms - 1);
	play_resume(&p, "ann");
	play_wait(&p, 10 * (uint64_t)p.limits.lobby_away_ms);
	assert_int_equal(domain_lobby_count(p.d), 1);
	play_close(&p);
}

/* Nobody is ready for a match that cannot begin. */
static void matches_have_limits(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.matches_max = 2;
	limits.matches_per_player = 1;
	play_open_limits(&p, 1, &limits);
	const char *const names[] = { "ann", "bob", "cay", "dan" };
	for (size_t i = 0; i < COUNT(names); i++)
		play_hello(&p, names[i]);
	play_personality(&p, "english", "ann", WHITE);
	/* one match is the most that ann may have */
	struct cmd_lobby_create c = { .side = WHITE,
				      .opponent = AGAINST_PERSONALITY,
				      .personality = span_str("calm"),
				      .ready = true };
	assert_int_equal(play_create(&p, "ann", "english", c), PLYD_OK);
	struct id l = p.lobby;
	assert_string_equal(p.facts, "lobby_opened lobby_seated");
	assert_int_equal(play_ready(&p, "ann", &l, true), PLYD_ETOOMANY);
	play_leave(&p, "ann", &l);
	/* and she cannot join ready either */
	play_create(&p, "bob", "english",
		    (struct cmd_lobby_create){ .ready = true });
	l = p.lobby;
	play_join(&p, "ann", &l, true);
	assert_string_equal(p.facts, "lobby_seated");
	/* two are the most that there may be */
	play_personality(&p, "english", "cay", WHITE);
	play_create(&p, "dan", "english", c);
	assert_string_equal(p.facts, "lobby_opened lobby_seated");
	l = p.lobby;
	assert_int_equal(play_ready(&p, "dan", &l, true), PLYD_EFULL);
	assert_int_equal(domain_match_count(p.d), 2);
	play_close(&p);
}

/* Finished matches that are kept do not keep new ones from beginning. */
static void finished_matches_are_bounded(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.matches_max = 2;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	for (int i = 0; i < 50; i++) {
		struct id m = play_personality(&p, "english", "ann", WHITE);
		play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
		assert_non_null(domain_match(p.d, &m));
	}
	size_t kept = 0;
	for (const struct match *m = domain_matches(p.d); m; m = match_next(m))
		kept++;
	assert_true(kept <= 8);
	play_close(&p);
}

static void lists_pass_their_filter_on(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	struct command list = { .type = CMD_LOBBY_LIST,
				.list = { .ruleset = span_str("english"),
					  .speed = -1,
					  .rated = -1 } };
	assert_int_equal(play_do(&p, "ann", list), PLYD_OK);
	assert_true(span_is(p.list.ruleset, "english"));
	list.type = CMD_MATCH_LIST;
	assert_int_equal(play_do(&p, "ann", list), PLYD_OK);
	assert_true(span_is(p.list.ruleset, "english"));
	play_close(&p);
}

/* -- matches that begin elsewhere -- */

#define ENDING "B:WK29,K32:BK1,K4"

static void a_match_begins_where_its_lobby_says(void **state)
{
	struct play p;
	(void)state;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	assert_int_equal(play_create(&p, "ann", "english",
				     (struct cmd_lobby_create){
					     .side = WHITE,
					     .ready = true,
					     .position = span_str(ENDING) }),
			 PLYD_OK);
	struct id lobby = p.lobby;
	assert_string_equal(domain_lobby(p.d, &lobby)->position, ENDING);
	assert_int_equal(play_join(&p, "bob", &lobby, true), PLYD_OK);
	struct id m = p.match;
	assert_int_equal(play_at(&p, &m)->pos.side, BLACK);
	assert_int_equal(play_move(&p, "bob", &m, 0, "1-6"), PLYD_OK);
	play_in(&p, "bob", CMD_MATCH_RESIGN, &m);
	/* so does its rematch */
	play_in(&p, "ann", CMD_MATCH_REMATCH, &m);
	play_in(&p, "bob", CMD_MATCH_REMATCH, &m);
	struct id next = play_at(&p, &m)->rematch.next;
	assert_memory_equal(&play_at(&p, &next)->start, &play_at(&p, &m)->start,
			    sizeof(struct position));
	play_close(&p);
}

static void a_personality_plays_from_it(void **state)
{
	struct play p;
	(void)state;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_create(&p, "ann", "english",
		    (struct cmd_lobby_create){ .side = WHITE,
					       .ready = true,
					       .opponent = AGAINST_PERSONALITY,
					       .personality = span_str("calm"),
					       .position = span_str(ENDING) });
	struct id m = p.match;
	assert_int_equal(p.thinks, 1);
	play_think(&p, &m, (struct cmd_thought){ .move = span_str("4-8") });
	assert_int_equal(play_at(&p, &m)->ply, 1);
	play_close(&p);
}

static const struct no_position {
	const char *name, *ruleset, *text;
	bool rated;
	int err;
} no_positions[] = {
	{ "nonsense", "english", "nowhere", false, PLYD_EPOSITION },
	{ "of another game", "turkish", ENDING, false, PLYD_EPOSITION },
	{ "without a move", "english", "B:W9,14:B5", false, PLYD_EPOSITION },
	{ "nobody to move", "english", "B:WK29:B", false, PLYD_EPOSITION },
	{ "with dice", "backgammon",
	  "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", false,
	  PLYD_EPOSITION },
	{ "rated", "english", ENDING, true, PLYD_EUNRATED },
};

static void it_cannot_begin_there(void **state)
{
	const struct no_position *row = *state;
	struct play p;
	struct cmd_lobby_create c = { .side = WHITE,
				      .rated = row->rated,
				      .position = span_str(row->text) };
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_register(&p, "ann", "ann", "password");
	int err = play_create(&p, "ann", row->ruleset, c);
	assert_int_equal(err, row->err);
	assert_int_equal(domain_lobby_count(p.d), 0);
	play_close(&p);
}

/* Nor where the owner of the lobby turns to another game, or to ratings. */
static void a_lobby_keeps_to_its_position(void **state)
{
	struct play p;
	(void)state;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_register(&p, "ann", "ann", "password");
	play_create(&p, "ann", "english",
		    (struct cmd_lobby_create){ .side = WHITE,
					       .position = span_str(ENDING) });
	struct command cmd = { .type = CMD_LOBBY_UPDATE,
			       .lobby = p.lobby,
			       .update = { .ruleset = span_str("turkish"),
					   .side = -1,
					   .rated = -1 } };
	assert_int_equal(play_do(&p, "ann", cmd), PLYD_EPOSITION);
	cmd.update.ruleset = span_str("");
	cmd.update.rated = 1;
	assert_int_equal(play_do(&p, "ann", cmd), PLYD_EUNRATED);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lobby_fills_and_begins),
		cmocka_unit_test(the_last_answer_of_a_lobby_shows_its_match),
		cmocka_unit_test(nobody_joins_his_own_lobby),
		cmocka_unit_test(leaving_passes_the_lobby_on),
		cmocka_unit_test(a_private_lobby_is_found_by_code_only),
		cmocka_unit_test(a_key_makes_one_lobby),
		cmocka_unit_test(lobbies_have_limits),
		cmocka_unit_test(a_personality_plays_its_own_rulesets_only),
		cmocka_unit_test(kinds_are_kept_apart_where_asked),
		cmocka_unit_test(a_taken_side_cannot_be_asked_for),
		cmocka_unit_test(a_lobby_closes_with_its_only_person),
		cmocka_unit_test(an_absent_player_loses_his_lobby_seat),
		cmocka_unit_test(only_who_is_away_long_enough_loses_his_seat),
		cmocka_unit_test(who_comes_back_keeps_his_lobby_seat),
		cmocka_unit_test(matches_have_limits),
		cmocka_unit_test(finished_matches_are_bounded),
		cmocka_unit_test(a_match_begins_where_its_lobby_says),
		cmocka_unit_test(a_personality_plays_from_it),
		cmocka_unit_test(a_lobby_keeps_to_its_position),
		cmocka_unit_test(lists_pass_their_filter_on),
	};
	int failed = cmocka_run_group_tests_name("lobbies", tests, NULL, NULL);
	return failed +
	       RUN_TABLE("refused lobbies", refused_creates,
			 a_create_is_refused) +
	       RUN_TABLE("positions", no_positions, it_cannot_begin_there);
}
