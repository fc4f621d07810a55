/* SPDX-License-Identifier: MIT */
#include "play.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const effect_names[] = {
	[EFFECT_ANSWER] = "answer",
	[EFFECT_REFUSE] = "refuse",
	[EFFECT_SEAT_TAKEN] = "seat_taken",
	[EFFECT_DETACH] = "detach",
	[EFFECT_FACT] = "fact",
	[EFFECT_STARTED] = "started",
	[EFFECT_PRESENCE] = "presence",
	[EFFECT_LOBBY] = "lobby",
	[EFFECT_LOBBY_CLOSED] = "lobby_closed",
	[EFFECT_RELEASE] = "release",
	[EFFECT_CONTINUE] = "continue",
	[EFFECT_JUDGE] = "judge",
	[EFFECT_THINK] = "think",
	[EFFECT_REMATCH] = "rematch",
	[EFFECT_FINISHED] = "finished",
	[EFFECT_HASH] = "hash",
	[EFFECT_LATE_FACT] = "late_fact",
	[EFFECT_LATE_PRESENCE] = "late_presence",
	[EFFECT_SNAPSHOT] = "snapshot",
	[EFFECT_CHAT] = "chat",
	[EFFECT_CHAT_SWITCHED] = "chat_switched",
	[EFFECT_REPORTED] = "reported",
	[EFFECT_INVITED] = "invited",
	[EFFECT_INVITE_DECLINED] = "invite_declined",
	[EFFECT_CHALLENGED] = "challenged",
	[EFFECT_SEEK_CLOSED] = "seek_closed",
	[EFFECT_QUICK_WAITING] = "quick_waiting",
	[EFFECT_BOT_FINISHED] = "bot_finished",
	[EFFECT_NOTICE] = "notice",
	[EFFECT_DRAIN] = "drain",
	[EFFECT_TOURNAMENT] = "tournament",
	[EFFECT_TOURNAMENT_ROUND] = "round",
	[EFFECT_TOURNAMENT_TABLE] = "table",
	[EFFECT_TOURNAMENT_STANDINGS] = "standings",
};

void play_rules(struct domain *d)
{
	struct match_rules rules[RULES_MAX];
	size_t count = ruleset_count();
	static const struct personality some[PLAY_PERSONALITIES] = {
		{ "calm", "c1", "Waits.", 0 }, { "wild", "", "Does not.", 0 }
	};
	for (size_t i = 0; i < count; i++) {
		struct match_rules *r = &rules[i];
		*r = (struct match_rules){
			.rules = *ruleset_at(i),
			.clock = { .base_ms = 60000, .increment_ms = 1000 },
			.clock_limits = { .kinds = CLOCK_KINDS_ALL,
					  .base_ms_min = 1000,
					  .base_ms_max = 3600000,
					  .increment_ms_max = 60000,
					  .delay_ms_max = 60000,
					  .move_ms_min = 1000,
					  .move_ms_max = 864000000 },
			.draws = { .policy = "standard" },
			.takeback = true,
		};
		if (r->rules.family == FAMILY_DRAUGHTS) {
			r->draws.no_progress = 80;
			r->draws.repetition = 3;
		}
	}
	assert_int_equal(domain_set_rules(d, rules, count), PLYD_OK);
	assert_int_equal(domain_set_personalities(d, some, COUNT(some)),
			 PLYD_OK);
}

void play_open_limits(struct play *p, uint64_t seed,
		      const struct domain_limits *limits)
{
	struct entropy entropy;
	struct domain_limits usual;
	*p = (struct play){ .limits = *limits };
	/* who does not ask for it has no time recorded among his facts */
	domain_limits_default(&usual);
	if (limits->time_fact_ms == usual.time_fact_ms)
		p->limits.time_fact_ms = INT64_MAX / 4;
	assert_int_equal(crypto_ready(), PLYD_OK);
	table_ready();
	entropy_from_seed(&entropy, seed);
	assert_int_equal(domain_new(&p->d, &p->limits, &entropy), PLYD_OK);
	play_rules(p->d);
}

void play_open(struct play *p, uint64_t seed)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	play_open_limits(p, seed, &limits);
}

void play_close(struct play *p)
{
	domain_free(p->d);
}

/* -- one step -- */

static void tell(char *story, const char *word)
{
	size_t len = strlen(story);
	if (len + strlen(word) + 2 > PLAY_STORY_MAX)
		return;
	snprintf(story + len, PLAY_STORY_MAX - len, "%s%s", len ? " " : "",
		 word);
}

static void wait_for(struct play *p, enum command_type type,
		     const struct effect *fx)
{
	assert_true(p->waiting_count < PLAY_WAITING_MAX);
	p->waiting[p->waiting_count++] = (struct command){
		.type = type, .match = fx->match->id, .released = fx->released
	};
}

/* Touches all that an effect lends, so that a sanitizer sees what dangles. */
static void look_at(const struct effect *fx)
{
	size_t sum = fx->text ? strlen(fx->text) : 0;
	if (fx->player)
		sum += strlen(fx->player->name);
	if (fx->lobby)
		sum += strlen(fx->lobby->code) +
		       strlen(fx->lobby->seat[0].name) +
		       strlen(fx->lobby->seat[1].name);
	if (fx->match)
		sum += strlen(fx->match->seat[0].name) + fx->match->moves.len;
	if (fx->answer.move)
		sum += strlen(fx->answer.move);
	if (fx->refusal)
		sum += strlen(reason_name(fx->refusal->reason));
	assert_true(sum < 1u << 30);
}

static void answered(struct play *p, const struct effect *fx,
		     const struct command *cmd)
{
	if (cmd->conn != 0 && fx->conn != cmd->conn) {
		/* the answer to a move that waited */
		assert_true(cmd->type != CMD_HELLO);
		return;
	}
	if (cmd->conn != 0) {
		assert_int_equal(fx->msgid, cmd->msgid);
		assert_false(p->answered);
	}
	p->answered = true;
	p->err = fx->err;
	p->retry_ms = fx->retry_ms;
	p->answer = fx->answer;
	if (fx->answer.move)
		snprintf(p->move, sizeof(p->move), "%s", fx->answer.move);
	p->answer.move = NULL;
	if (fx->refusal)
		snprintf(p->refusal, sizeof(p->refusal), "%s",
			 reason_name(fx->refusal->reason));
	if (fx->lobby)
		p->lobby = fx->lobby->id;
	if (fx->player)
		p->player = fx->player->id;
	if (fx->seek)
		p->seek = fx->seek->id;
	if (fx->tournament)
		p->tournament = fx->tournament->id;
	if (fx->answer.list)
		p->list = *fx->answer.list;
	p->answer.list = NULL;
	p->quick = fx->quick;
	p->quick.entry = NULL;
}

static void hash_falsely(struct play *p, const struct effect *fx)
{
	const struct hashing *w = &fx->hashing;
	assert_int_equal(p->hashing.job, 0);
	p->hashing.job = w->job;
	p->hashing.conn = fx->conn;
	p->hashing.msgid = fx->msgid;
	p->hashing.fits = !w->hash || (!strncmp(w->hash, "h:", 2) &&
				       span_is(w->password, w->hash + 2));
	p->hashing.hash[0] = '\0';
	if (p->hashing.fits && w->fresh.len > 0)
		snprintf(p->hashing.hash, sizeof(p->hashing.hash), "h:%.*s",
			 (int)w->fresh.len, (const char *)w->fresh.at);
}

static void perform(struct play *p, const struct effect *fx,
		    const struct command *cmd)
{
	look_at(fx);
	tell(p->effects, effect_names[fx->type]);
	if (fx->match)
		p->match = fx->match->id;
	if (fx->why)
		tell(p->told, fx->why);
	if (fx->type == EFFECT_SEEK_CLOSED)
		tell(p->told, seek_reason_name(fx->seek->reason));
	switch (fx->type) {
	case EFFECT_ANSWER:
	case EFFECT_REFUSE: answered(p, fx, cmd); break;
	case EFFECT_HASH: hash_falsely(p, fx); break;
	case EFFECT_DETACH: p->detached = fx->conn; break;
	case EFFECT_RELEASE: wait_for(p, CMD_RELEASED, fx); break;
	case EFFECT_CONTINUE: wait_for(p, CMD_CONTINUE, fx); break;
	case EFFECT_FINISHED: wait_for(p, CMD_FINISHED, fx); break;
	case EFFECT_THINK:
		p->thinks++;
		p->think_asked = fx->asked;
		break;
	default: break;
	}
}

int64_t play_unix_ms(const struct play *p)
{
	return 1700000000000 + (int64_t)p->now_ms;
}

static void step(struct play *p, const struct command *cmd)
{
	const struct step *s = domain_step(p->d, cmd);
	p->steps++;
	for (size_t i = 0; i < s->fact_count; i++) {
		tell(p->facts, fact_name(s->fact[i].type));
		if (p->on_fact)
			p->on_fact(p->payload, &s->fact[i]);
	}
	for (size_t i = 0; i < s->effect_count; i++)
		perform(p, &s->effect[i], cmd);
	const char *broken = domain_invariant_broken(p->d);
	if (broken)
		fail_msg("step %zu: %s", p->steps, broken);
}

static void further(struct play *p, struct command cmd)
{
	if (cmd.type != CMD_FINISHED) { /* of which nothing is to be told */
		tell(p->facts, "|");
		tell(p->effects, "|");
	}
	cmd.now_ms = p->now_ms;
	cmd.unix_ms = play_unix_ms(p);
	step(p, &cmd);
}

void play_perform(struct play *p)
{
	while (p->waiting_count > 0) {
		struct command cmd = p->waiting[0];
		p->waiting_count--;
		memmove(p->waiting, p->waiting + 1,
			p->waiting_count * sizeof(cmd));
		further(p, cmd);
	}
}

static void forget_last(struct play *p)
{
	p->err = PLYD_OK;
	p->answered = false;
	p->answer = (struct answer){ 0 };
	p->move[0] = p->refusal[0] = p->facts[0] = p->effects[0] = '\0';
	p->player = p->lobby = p->match = p->seek = (struct id){ { 0 } };
	p->told[0] = '\0';
	p->detached = 0;
}

void play_wait(struct play *p, uint64_t ms)
{
	uint64_t until = p->now_ms + ms;
	forget_last(p);
	while (domain_next_due_ms(p->d) <= until) {
		if (domain_next_due_ms(p->d) > p->now_ms)
			p->now_ms = domain_next_due_ms(p->d);
		further(p, (struct command){ .type = CMD_TICK });
		if (!p->hold)
			play_perform(p);
	}
	p->now_ms = until;
}

/* -- commands -- */

static struct who *find_who(struct play *p, const char *name)
{
	for (size_t i = 0; i < p->who_count; i++)
		if (!strcmp(p->who[i].name, name))
			return &p->who[i];
	return NULL;
}

const struct who *play_who(const struct play *p, const char *name)
{
	for (size_t i = 0; i < p->who_count; i++)
		if (!strcmp(p->who[i].name, name))
			return &p->who[i];
	fail_msg("nobody is called %s", name);
	return NULL;
}

const struct match *play_at(const struct play *p, const struct id *match)
{
	const struct match *m = domain_match(p->d, match);
	assert_non_null(m);
	return m;
}

static int run(struct play *p, struct command cmd)
{
	forget_last(p);
	cmd.now_ms = p->now_ms;
	cmd.unix_ms = play_unix_ms(p);
	step(p, &cmd);
	const struct match *m = domain_match(p->d, &cmd.match);
	bool may_wait = cmd.conn == 0 || (m && m->held) || p->hashing.job != 0;
	bool must_answer = cmd.conn != 0 && cmd.type < CMD_GONE;
	assert_true(p->answered == must_answer || may_wait);
	if (p->hashing.job != 0 && !p->hold_hash)
		play_hashed(p, false);
	if (!p->hold)
		play_perform(p);
	return p->err;
}

int play_do(struct play *p, const char *name, struct command cmd)
{
	if (name[0]) {
		const struct who *w = play_who(p, name);
		assert_true(w->conn != 0 || cmd.type == CMD_GONE);
		cmd.conn = w->conn;
		cmd.player = w->id;
		cmd.msgid = ++p->msgid;
	}
	return run(p, cmd);
}

int play_operator(struct play *p, struct command cmd)
{
	cmd.conn = UINT64_MAX;
	cmd.msgid = ++p->msgid;
	return run(p, cmd);
}

static struct digest fresh_token(struct play *p)
{
	uint64_t n = ++p->tokens;
	struct span part = span_of(&n, sizeof(n));
	return sha256(&part, 1);
}

void play_hashed(struct play *p, bool gone)
{
	struct command cmd = { .type = CMD_HASHED,
			       .conn = p->hashing.conn,
			       .msgid = p->hashing.msgid,
			       .unix_ms = 1700000000000 + (int64_t)p->now_ms };
	assert_true(p->hashing.job != 0);
	p->fresh = fresh_token(p);
	cmd.hashed = (struct cmd_hashed){ .job = p->hashing.job,
					  .fits = p->hashing.fits,
					  .gone = gone,
					  .hash = span_str(p->hashing.hash),
					  .fresh = p->fresh };
	p->hashing.job = 0;
	further(p, cmd);
}

/* A hello of somebody who may be new to the play. */
static int hello_as(struct play *p, const char *name, struct cmd_hello hello)
{
	struct who *w = find_who(p, name);
	if (!w) {
		assert_true(p->who_count < PLAY_WHO_MAX);
		w = &p->who[p->who_count++];
		*w = (struct who){ .conn = 0 };
		snprintf(w->name, sizeof(w->name), "%s", name);
	}
	uint64_t conn = ++p->conn_last;
	hello.fresh = p->fresh = fresh_token(p);
	int err = run(p, (struct command){ .type = CMD_HELLO,
					   .conn = conn,
					   .msgid = ++p->msgid,
					   .hello = hello });
	w->last_conn = conn;
	if (err || !p->answered)
		return err;
	w->conn = conn;
	w->id = p->player;
	w->token = p->fresh;
	return PLYD_OK;
}

int play_login(struct play *p, const char *name, const char *login,
	       const char *password)
{
	return hello_as(p, name,
			(struct cmd_hello){ .login = span_str(login),
					    .password = span_str(password) });
}

int play_bot_login(struct play *p, const char *name, const struct digest *token)
{
	return hello_as(p, name,
			(struct cmd_hello){ .by_bot_token = true,
					    .bot_token = *token });
}

int play_register(struct play *p, const char *name, const char *login,
		  const char *password)
{
	int err =
		play_do(p, name,
			(struct command){ .type = CMD_ACCOUNT_REGISTER,
					  .account = { span_str(login),
						       span_str(password) } });
	if (!err && p->answered)
		find_who(p, name)->token = p->fresh;
	return err;
}

static int hello(struct play *p, const char *name, bool bot)
{
	assert_null(find_who(p, name));
	assert_true(p->who_count < PLAY_WHO_MAX);
	struct who *w = &p->who[p->who_count];
	*w = (struct who){ .conn = ++p->conn_last };
	w->last_conn = w->conn;
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->token = fresh_token(p);
	int err = run(p, (struct command){ .type = CMD_HELLO,
					   .conn = w->conn,
					   .msgid = ++p->msgid,
					   .hello = { .name = span_str(name),
						      .bot = bot,
						      .fresh = w->token } });
	if (err)
		return err;
	const struct player *last = domain_players(p->d);
	while (player_next(last))
		last = player_next(last);
	w->id = last->id;
	p->who_count++;
	return PLYD_OK;
}

int play_hello(struct play *p, const char *name)
{
	return hello(p, name, false);
}

int play_hello_bot(struct play *p, const char *name)
{
	return hello(p, name, true);
}

int play_resume_with(struct play *p, const char *name,
		     const struct digest *token)
{
	struct who *w = find_who(p, name);
	struct digest fresh = fresh_token(p);
	uint64_t conn = ++p->conn_last;
	int err = run(p, (struct command){ .type = CMD_HELLO,
					   .conn = conn,
					   .msgid = ++p->msgid,
					   .hello = { .resume = true,
						      .token = *token,
						      .fresh = fresh } });
	if (err)
		return err;
	w->conn = w->last_conn = conn;
	w->token = fresh;
	return PLYD_OK;
}

int play_resume(struct play *p, const char *name)
{
	struct digest token = play_who(p, name)->token;
	return play_resume_with(p, name, &token);
}

void play_gone(struct play *p, const char *name)
{
	struct who *w = find_who(p, name);
	play_do(p, name, (struct command){ .type = CMD_GONE });
	w->conn = 0;
}

int play_create(struct play *p, const char *name, const char *ruleset,
		struct cmd_lobby_create c)
{
	c.ruleset = span_str(ruleset);
	return play_do(p, name,
		       (struct command){ .type = CMD_LOBBY_CREATE,
					 .create = c });
}

int play_join(struct play *p, const char *name, const struct id *lobby,
	      bool ready)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_LOBBY_JOIN,
					 .join = { .lobby = *lobby,
						   .side = -1,
						   .ready = ready } });
}

int play_ready(struct play *p, const char *name, const struct id *lobby,
	       bool ready)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_LOBBY_READY,
					 .lobby = *lobby,
					 .ready = ready });
}

int play_leave(struct play *p, const char *name, const struct id *lobby)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_LOBBY_LEAVE,
					 .lobby = *lobby });
}

int play_move(struct play *p, const char *name, const struct id *match,
	      uint32_t ply, const char *text)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_MOVE,
					 .match = *match,
					 .move = { ply, span_str(text) } });
}

int play_in(struct play *p, const char *name, enum command_type type,
	    const struct id *match)
{
	return play_do(p, name,
		       (struct command){ .type = type, .match = *match });
}

int play_answer(struct play *p, const char *name, enum command_type type,
		const struct id *match, uint32_t ply)
{
	return play_do(p, name,
		       (struct command){
			       .type = type, .match = *match, .ply = ply });
}

int play_resign(struct play *p, const char *name, const struct id *match,
		struct cmd_match_resign how)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_RESIGN,
					 .match = *match,
					 .resign = how });
}

int play_offered(struct play *p, const char *name, enum command_type type,
		 const struct id *match, uint64_t offer)
{
	return play_do(p, name,
		       (struct command){
			       .type = type, .match = *match, .offer = offer });
}

int play_nonce(struct play *p, const char *name, const struct id *match,
	       const char *nonce)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_NONCE,
					 .match = *match,
					 .nonce = span_str(nonce) });
}

int play_claim(struct play *p, const char *name, const struct id *match,
	       bool win)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_CLAIM,
					 .match = *match,
					 .claim_win = win });
}

void play_freeze(struct play *p, const struct id *match)
{
	struct command cmd = { .type = CMD_FREEZE,
			       .match = *match,
			       .why = "a fault of the test" };
	play_do(p, "", cmd);
}

void play_think(struct play *p, const struct id *match, struct cmd_thought t)
{
	play_do(p, "",
		(struct command){
			.type = CMD_THOUGHT, .match = *match, .thought = t });
}

/* -- matches -- */

struct id play_match(struct play *p, const char *ruleset, const char *white,
		     const char *black, const struct clock_rules *clock)
{
	struct cmd_lobby_create c = { .side = WHITE, .ready = true };
	if (clock)
		c.clock = (struct clock_wish){
			.has_kind = true,
			.has_base_ms = true,
			.has_increment_ms = true,
			.has_delay_ms = true,
			.kind = clock->kind,
			.base_ms = clock->base_ms,
			.increment_ms = clock->increment_ms,
			.delay_ms = clock->delay_ms,
		};
	assert_int_equal(play_create(p, white, ruleset, c), PLYD_OK);
	struct id lobby = p->lobby;
	assert_int_equal(play_join(p, black, &lobby, true), PLYD_OK);
	assert_non_null(strstr(p->facts, "begun"));
	return p->match;
}

struct id play_personality(struct play *p, const char *ruleset,
			   const char *name, enum side side)
{
	struct cmd_lobby_create c = { .side = side_other(side),
				      .ready = true,
				      .opponent = AGAINST_PERSONALITY,
				      .personality = span_str("calm") };
	assert_int_equal(play_create(p, name, ruleset, c), PLYD_OK);
	assert_non_null(strstr(p->facts, "begun"));
	return p->match;
}

struct id play_position(struct play *p, const char *ruleset, const char *white,
			const char *black, const char *position)
{
	static unsigned made;
	const struct match_rules *r =
		domain_rules_find(p->d, span_str(ruleset));
	char rules[RULESET_TEXT_MAX];
	struct fact f = { .type = FACT_BEGUN,
			  .at_ms = p->now_ms,
			  .row = domain_last_row(p->d) + 1 };
	snprintf(f.match.text, sizeof(f.match.text), "aaaaaa%c%c%c%c",
		 'a' + made / 17576 % 26, 'a' + made / 676 % 26,
		 'a' + made / 26 % 26, 'a' + made % 26);
	made++;
	size_t len = ruleset_write(&r->rules, rules);
	f.begun = (struct fact_begun_body){
		.ruleset = span_str(ruleset),
		.rules = span_of(rules, len),
		.position = span_str(position),
		.no_progress = r->draws.no_progress,
		.no_progress_counts = r->draws.man_moves_count,
		.repetition = r->draws.repetition,
		.policy = span_str(r->draws.policy),
		.no_offers = r->draws.no_offers,
		.offers_from = r->draws.offers_from,
		.offers_max = r->draws.offers_max,
		.base_ms = r->clock.base_ms,
		.increment_ms = r->clock.increment_ms,
		.white = play_who(p, white)->id,
		.white_name = span_str(white),
		.takeback = r->takeback && !ruleset_has_dice(&r->rules),
		.black = play_who(p, black)->id,
		.black_name = span_str(black),
	};
	assert_int_equal(domain_apply(p->d, &f), PLYD_OK);
	if (p->on_fact)
		p->on_fact(p->payload, &f);
	play_do(p, "",
		(struct command){
			.type = CMD_RELEASED, .match = f.match, .ply = 0 });
	return f.match;
}

static const char *name_of(const struct play *p, const struct id *id)
{
	for (size_t i = 0; i < p->who_count; i++)
		if (id_eq(&p->who[i].id, id))
			return p->who[i].name;
	return "";
}

static struct span words_of(const struct play *p)
{
	return span_str(p->says ? p->says : "");
}

/* Cube and throw: mostly throws and takes. */
static void random_act(struct play *p, struct rng *rng, const struct match *m)
{
	bool roll = match_awaits(m) == AWAITS_ROLL;
	bool seldom = rng_below(rng, 5) == 0;
	const struct seat *seat = &m->seat[match_turn(m)];
	struct id id = m->id;
	if (seat->kind == KIND_PERSONALITY)
		play_think(p, &id,
			   (struct cmd_thought){ .ply = m->ply,
						 .asked = match_awaits(m),
						 .say = words_of(p),
						 .yes = roll == seldom });
	else
		assert_int_equal(play_answer(p, name_of(p, &seat->player),
					     roll ? (seldom ? CMD_MATCH_DOUBLE
							    : CMD_MATCH_ROLL)
						  : (seldom ? CMD_MATCH_DROP
							    : CMD_MATCH_TAKE),
					     &id, m->ply),
				 PLYD_OK);
}

bool play_random(struct play *p, struct rng *rng, const struct id *match)
{
	static struct move_list list;
	const struct match *m = domain_match(p->d, match);
	char text[MOVE_TEXT_MAX];
	if (!m || m->state != MATCH_PLAYING)
		return false;
	if (match_awaits(m) != AWAITS_MOVE) {
		random_act(p, rng, m);
		return true;
	}
	assert_int_equal(game_moves(&m->rules->rules, &m->pos, &list), PLYD_OK);
	assert_true(list.count > 0);
	const struct move *move =
		&list.move[rng_below(rng, (uint32_t)list.count)];
	game_move_text(&m->rules->rules, &m->pos, move, text);
	const struct seat *seat = &m->seat[m->pos.side];
	if (seat->kind == KIND_PERSONALITY)
		play_think(p, match,
			   (struct cmd_thought){ .ply = m->ply,
						 .say = words_of(p),
						 .move = span_str(text) });
	else
		assert_int_equal(play_move(p, name_of(p, &seat->player), match,
					   m->ply, text),
				 PLYD_OK);
	return true;
}
