/* SPDX-License-Identifier: MIT
 * Accounts: from guest to member, in by a password from anywhere, out for good.
 * Passwords are hashed falsely. */
#include "domain/name.h"
#include "play.h"
#include "unit.h"

#include <string.h>

#define ANN_IS_A_MEMBER(p)                                                     \
	struct play p;                                                         \
	play_open(&p, 1);                                                      \
	play_hello(&p, "ann");                                                 \
	play_hello(&p, "bob");                                                 \
	assert_int_equal(play_register(&p, "ann", "ann-login", "secret-1"),    \
			 PLYD_OK)

static const struct player *player_of(const struct play *p, const char *name)
{
	return domain_player(p->d, &play_who(p, name)->id);
}

static int account(struct play *p, const char *name, enum command_type type)
{
	return play_do(p, name, (struct command){ .type = type });
}

static int new_password(struct play *p, const char *name, const char *old,
			const char *fresh)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_ACCOUNT_PASSWORD,
					 .password = { span_str(old),
						       span_str(fresh) } });
}

static int rename_to(struct play *p, const char *name, const char *fresh)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_ACCOUNT_RENAME,
					 .name = span_str(fresh) });
}

static int logout(struct play *p, const char *name, struct cmd_logout how)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_ACCOUNT_LOGOUT,
					 .logout = how });
}

static int admin(struct play *p, enum command_type type, const char *login,
		 const struct digest *secret)
{
	struct command cmd = { .type = type, .now_ms = p->now_ms, .conn = 999 };
	int err = PLYD_EINTERNAL;
	cmd.admin.login = span_str(login);
	if (secret)
		cmd.admin.secret = *secret;
	p->detached = 0;
	const struct step *s = domain_step(p->d, &cmd);
	for (size_t i = 0; i < s->effect_count; i++) {
		if (s->effect[i].type == EFFECT_REFUSE)
			err = s->effect[i].err;
		if (s->effect[i].type == EFFECT_ANSWER)
			err = PLYD_OK;
		if (s->effect[i].type == EFFECT_DETACH)
			p->detached = s->effect[i].conn;
	}
	assert_null(domain_invariant_broken(p->d));
	return err;
}

static struct digest digest_of(const char *text)
{
	struct span part = span_str(text);
	return sha256(&part, 1);
}

/* -- names -- */

static void a_name_has_one_holder(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "Ann");
	assert_int_equal(play_hello(&p, "aNN"), PLYD_ENAMETAKEN);
	assert_string_equal(p.facts, "");
	assert_int_equal(play_hello(&p, "Operator"), PLYD_ENAMETAKEN);
	assert_int_equal(play_hello(&p, "CALM"), PLYD_ENAMETAKEN);
	/* a guest who sits somewhere keeps his, also when he is away */
	play_create(&p, "Ann", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	play_gone(&p, "Ann");
	assert_int_equal(play_hello(&p, "ann"), PLYD_ENAMETAKEN);
	play_resume(&p, "Ann");
	play_leave(&p, "Ann", &l);
	/* one who is away and sits nowhere does not */
	play_gone(&p, "Ann");
	assert_int_equal(play_hello(&p, "ann"), PLYD_OK);
	assert_string_equal(p.facts, "player_removed player_added");
	assert_int_equal(play_resume(&p, "Ann"), PLYD_ETOKEN);
	play_close(&p);
}

static void a_member_keeps_his_name(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	play_gone(&p, "ann");
	assert_int_equal(play_hello(&p, "Ann"), PLYD_ENAMETAKEN);
	play_wait(&p, 10 * (uint64_t)p.limits.guest_keep_ms);
	assert_int_equal(play_hello(&p, "Ann"), PLYD_ENAMETAKEN);
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	play_close(&p);
}

static void an_old_name_is_kept_for_a_while(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	assert_int_equal(rename_to(&p, "bob", "bobby"), PLYD_ENOACCOUNT);
	assert_int_equal(rename_to(&p, "ann", "BOB"), PLYD_ENAMETAKEN);
	assert_int_equal(rename_to(&p, "ann", "eve"), PLYD_OK);
	assert_string_equal(player_of(&p, "ann")->name, "eve");
	assert_int_equal(play_hello(&p, "Ann"), PLYD_ENAMETAKEN);
	assert_int_equal(play_hello(&p, "Eve"), PLYD_ENAMETAKEN);
	/* not one name after another, but back at any time */
	assert_int_equal(rename_to(&p, "ann", "zoe"), PLYD_ETOOSOON);
	assert_int_equal(rename_to(&p, "ann", "EVE"), PLYD_OK);
	assert_int_equal(rename_to(&p, "ann", "ann"), PLYD_OK);
	assert_int_equal(rename_to(&p, "ann", "eve"), PLYD_OK);
	play_wait(&p, (uint64_t)p.limits.rename_hold_ms - 1);
	assert_int_equal(rename_to(&p, "ann", "zoe"), PLYD_ETOOSOON);
	play_wait(&p, 1);
	assert_int_equal(play_hello(&p, "ann "), PLYD_OK); /* key: "ann " */
	assert_int_equal(rename_to(&p, "ann", "zoe"), PLYD_OK);
	play_close(&p);
}

static void a_lobby_shows_the_new_name(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	play_create(&p, "ann", "english",
		    (struct cmd_lobby_create){ .side = WHITE });
	struct id l = p.lobby;
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	rename_to(&p, "ann", "eve");
	assert_string_equal(p.effects, "lobby answer");
	assert_string_equal(domain_lobby(p.d, &l)->seat[WHITE].name, "eve");
	assert_string_equal(play_at(&p, &m)->seat[WHITE].name, "ann");
	play_close(&p);
}

/* -- becoming a member -- */

/* AU-05: what was known of the guest gives no right to the member. */
static void a_guest_becomes_a_member(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "bob", "ann", NULL);
	struct digest first = play_who(&p, "ann")->token;
	play_resume(&p, "ann");
	struct digest second = play_who(&p, "ann")->token;
	struct id before = play_who(&p, "ann")->id;
	assert_int_equal(play_register(&p, "ann", "ann", "secret-1"), PLYD_OK);
	assert_string_equal(p.facts, "| account_opened token_replaced");
	assert_int_equal(player_of(&p, "ann")->kind, KIND_MEMBER);
	assert_true(id_eq(&player_of(&p, "ann")->id, &before));
	assert_int_equal(player_of(&p, "ann")->match_count, 1);
	assert_int_equal(play_resume_with(&p, "ann", &first), PLYD_ETOKEN);
	assert_int_equal(play_resume_with(&p, "ann", &second), PLYD_ETOKEN);
	assert_int_equal(play_move(&p, "ann", &m, 0, "11-15"), PLYD_OK);
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	play_close(&p);
}

static void what_registering_refuses(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	play_hello_bot(&p, "bot");
	assert_int_equal(play_register(&p, "ann", "other", "secret-1"),
			 PLYD_EACCOUNT);
	assert_int_equal(play_register(&p, "bob", "ann-login", "secret-1"),
			 PLYD_ELOGINTAKEN);
	assert_int_equal(play_register(&p, "bob", "admin", "secret-1"),
			 PLYD_ELOGINTAKEN);
	assert_int_equal(play_register(&p, "bot", "bot", "secret-1"),
			 PLYD_ENOTALLOWED);
	/* two who want the same login at the same time: one gets it */
	play_hello(&p, "cay");
	p.hold_hash = true;
	play_register(&p, "bob", "same", "secret-1");
	uint64_t bobs = p.hashing.job;
	uint32_t msgid = p.hashing.msgid;
	p.hashing.job = 0;
	p.hold_hash = false;
	assert_int_equal(play_register(&p, "cay", "same", "secret-1"), PLYD_OK);
	p.hashing.job = bobs;
	p.hashing.conn = play_who(&p, "bob")->conn;
	p.hashing.msgid = msgid;
	p.answered = false;
	play_hashed(&p, false);
	assert_int_equal(p.err, PLYD_ELOGINTAKEN);
	assert_int_equal(domain_account_count(p.d), 2);
	play_close(&p);
}

/* -- logging in -- */

static void a_login_opens_one_more_session(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	assert_int_equal(play_login(&p, "phone", "ann-login", "secret-1"),
			 PLYD_OK);
	assert_true(
		id_eq(&play_who(&p, "phone")->id, &play_who(&p, "ann")->id));
	assert_int_equal(player_of(&p, "ann")->session_count, 2);
	/* LB-07: one person, whichever session asks */
	play_create(&p, "phone", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	assert_int_equal(play_join(&p, "ann", &l, true), PLYD_EINLOBBY);
	play_close(&p);
}

/* Both are worked on, both get the same answer. */
static void a_wrong_login_tells_nothing(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	assert_int_equal(play_login(&p, "x", "ann-login", "wrong-one"),
			 PLYD_EBADLOGIN);
	assert_string_equal(p.effects, "hash | refuse");
	assert_int_equal(play_login(&p, "y", "nobody", "wrong-one"),
			 PLYD_EBADLOGIN);
	assert_string_equal(p.effects, "hash | refuse");
	assert_string_equal(p.facts, "|");
	assert_int_equal(player_of(&p, "ann")->session_count, 1);
	play_close(&p);
}

static void a_password_that_changed_meanwhile_is_wrong(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	p.hold_hash = true;
	play_login(&p, "late", "ann-login", "secret-1");
	uint64_t job = p.hashing.job, conn = p.hashing.conn;
	uint32_t msgid = p.hashing.msgid;
	p.hashing.job = 0;
	p.hold_hash = false;
	assert_int_equal(new_password(&p, "ann", "secret-1", "secret-2"),
			 PLYD_OK);
	p.hashing.job = job;
	p.hashing.conn = conn;
	p.hashing.msgid = msgid;
	p.hashing.fits = true;
	p.answered = false;
	play_hashed(&p, false);
	assert_int_equal(p.err, PLYD_EBADLOGIN);
	play_close(&p);
}

static void who_has_gone_gets_no_session(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	p.hold_hash = true;
	play_login(&p, "x", "ann-login", "secret-1");
	play_hashed(&p, true);
	assert_string_equal(p.facts, "|");
	assert_int_equal(player_of(&p, "ann")->session_count, 1);
	play_close(&p);
}

static void passwords_wait_in_a_bounded_queue(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.hashes_waiting_max = 2;
	play_open_limits(&p, 1, &limits);
	p.hold_hash = true;
	for (int i = 0; i < 2; i++) {
		play_login(&p, "x", "nobody", "secret-1");
		p.hashing.job = 0; /* it takes long */
	}
	assert_int_equal(play_login(&p, "x", "nobody", "secret-1"), PLYD_EBUSY);
	assert_int_equal(p.hashing.job, 0);
	play_close(&p);
}

static void the_longest_away_session_makes_room(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	char name[8] = "s0";
	for (int i = 1; i < SESSIONS_PER_PLAYER_MAX; i++, name[1]++)
		assert_int_equal(play_login(&p, name, "ann-login", "secret-1"),
				 PLYD_OK);
	assert_int_equal(play_login(&p, "more", "ann-login", "secret-1"),
			 PLYD_ETOOMANY);
	play_wait(&p, 5);
	play_gone(&p, "s3");
	play_wait(&p, 5);
	play_gone(&p, "s1");
	assert_int_equal(play_login(&p, "more", "ann-login", "secret-1"),
			 PLYD_OK);
	assert_int_equal(play_resume(&p, "s3"), PLYD_ETOKEN);
	assert_int_equal(play_resume(&p, "s1"), PLYD_OK);
	play_close(&p);
}

/* -- leaving -- */

/* AU-01: the other connection is closed at once, the match goes on without. */
static void a_new_password_ends_the_other_sessions(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	play_login(&p, "phone", "ann-login", "secret-1");
	struct id m = play_match(&p, "english", "bob", "phone", NULL);
	assert_int_equal(new_password(&p, "ann", "wrong-one", "secret-2"),
			 PLYD_EBADLOGIN);
	assert_int_equal(player_of(&p, "ann")->session_count, 2);
	struct digest before = play_who(&p, "ann")->token;
	assert_int_equal(new_password(&p, "ann", "secret-1", "secret-2"),
			 PLYD_OK);
	assert_int_equal(p.detached, play_who(&p, "phone")->conn);
	assert_int_equal(play_move(&p, "phone", &m, 0, "11-15"), PLYD_EHELLO);
	assert_int_equal(play_resume(&p, "phone"), PLYD_ETOKEN);
	assert_int_equal(play_resume_with(&p, "ann", &before), PLYD_ETOKEN);
	assert_int_equal(play_login(&p, "x", "ann-login", "secret-1"),
			 PLYD_EBADLOGIN);
	assert_int_equal(play_login(&p, "x", "ann-login", "secret-2"), PLYD_OK);
	play_close(&p);
}

static void a_revoked_session_leaves_its_match_to_the_clock(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	struct id m = play_match(&p, "english", "bob", "ann", NULL);
	play_login(&p, "phone", "ann-login", "secret-1");
	play_gone(&p, "ann");
	assert_int_equal(logout(&p, "phone",
				(struct cmd_logout){ .everywhere = true }),
			 PLYD_OK);
	assert_true(p.answer.left);
	assert_non_null(strstr(p.effects, "presence"));
	assert_int_equal(player_of(&p, "ann")->session_count, 0);
	assert_int_equal(play_resume(&p, "ann"), PLYD_ETOKEN);
	play_wait(&p, (uint64_t)p.limits.claim_after_ms);
	assert_int_equal(play_at(&p, &m)->state, MATCH_OVER);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	/* and in again */
	assert_int_equal(play_login(&p, "ann", "ann-login", "secret-1"),
			 PLYD_OK);
	play_close(&p);
}

/* AU-06 */
static void nothing_follows_a_logout(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	struct id m = play_match(&p, "english", "bob", "ann", NULL);
	assert_int_equal(logout(&p, "ann", (struct cmd_logout){ 0 }), PLYD_OK);
	assert_true(p.answer.left);
	assert_int_equal(play_move(&p, "ann", &m, 0, "11-15"), PLYD_EHELLO);
	assert_int_equal(account(&p, "ann", CMD_ACCOUNT_GET), PLYD_EHELLO);
	assert_int_equal(play_at(&p, &m)->ply, 0);
	play_close(&p);
}

static void one_of_many_is_logged_out(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	play_login(&p, "phone", "ann-login", "secret-1");
	struct cmd_logout other = { .other = true, .session = 1 };
	assert_int_equal(logout(&p, "ann", other), PLYD_OK);
	assert_false(p.answer.left);
	assert_int_equal(p.detached, play_who(&p, "phone")->conn);
	assert_int_equal(logout(&p, "ann", other), PLYD_ENOSESSION);
	assert_int_equal(account(&p, "ann", CMD_ACCOUNT_SESSIONS), PLYD_OK);
	play_close(&p);
}

/* A guest who logs out cannot come back; he is forgotten when he may be. */
static void a_guest_who_logs_out_is_forgotten(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	assert_int_equal(logout(&p, "ann", (struct cmd_logout){ 0 }), PLYD_OK);
	assert_int_equal(play_resume(&p, "ann"), PLYD_ETOKEN);
	play_wait(&p, (uint64_t)p.limits.guest_keep_ms);
	assert_int_equal(domain_player_count(p.d), 0);
	play_close(&p);
}

/* -- the operator -- */

static void a_bot_gets_in_by_the_operators_token(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	struct digest t = digest_of("one"), u = digest_of("two");
	assert_int_equal(admin(&p, CMD_ADMIN_BOT_TOKEN, "Robot!", &t),
			 PLYD_EVALUE);
	assert_int_equal(admin(&p, CMD_ADMIN_BOT_TOKEN, "robot", &t), PLYD_OK);
	assert_int_equal(play_bot_login(&p, "robot", &u), PLYD_ETOKEN);
	assert_int_equal(play_bot_login(&p, "robot", &t), PLYD_OK);
	assert_int_equal(player_of(&p, "robot")->kind, KIND_BOT);
	assert_non_null(player_of(&p, "robot")->account);
	struct id id = play_who(&p, "robot")->id;
	/* another token: the one before is void, and who came by it is out */
	assert_int_equal(admin(&p, CMD_ADMIN_BOT_TOKEN, "robot", &u), PLYD_OK);
	assert_int_equal(p.detached, play_who(&p, "robot")->conn);
	assert_int_equal(play_resume(&p, "robot"), PLYD_ETOKEN);
	assert_int_equal(play_bot_login(&p, "robot", &t), PLYD_ETOKEN);
	assert_int_equal(play_bot_login(&p, "robot", &u), PLYD_OK);
	assert_true(id_eq(&id, &play_who(&p, "robot")->id));
	assert_int_equal(admin(&p, CMD_ADMIN_BOT_REVOKE, "robot", NULL),
			 PLYD_OK);
	assert_int_equal(p.detached, play_who(&p, "robot")->conn);
	assert_int_equal(play_bot_login(&p, "robot", &u), PLYD_ETOKEN);
	/* no password opens it */
	assert_int_equal(play_login(&p, "x", "robot", ""), PLYD_EBADLOGIN);
	assert_int_equal(admin(&p, CMD_ADMIN_RESET, "robot", &u),
			 PLYD_ENOTALLOWED);
	assert_int_equal(admin(&p, CMD_ADMIN_BOT_REVOKE, "nobody", NULL),
			 PLYD_ENOACCOUNT);
	play_close(&p);
}

static void the_operator_resets_a_password(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	struct digest once = digest_of("one-time-1");
	assert_int_equal(admin(&p, CMD_ADMIN_BOT_TOKEN, "ann-login", &once),
			 PLYD_ENOTALLOWED);
	assert_int_equal(admin(&p, CMD_ADMIN_RESET, "ann-login", &once),
			 PLYD_OK);
	assert_int_equal(p.detached, play_who(&p, "ann")->conn);
	assert_int_equal(play_login(&p, "ann", "ann-login", "secret-1"),
			 PLYD_EBADLOGIN);
	/* good until another one is set: a lost answer locks nobody out */
	assert_int_equal(play_login(&p, "ann", "ann-login", "one-time-1"),
			 PLYD_OK);
	assert_int_equal(play_login(&p, "ann", "ann-login", "one-time-1"),
			 PLYD_OK);
	assert_int_equal(new_password(&p, "ann", "one-time-1", "secret-3"),
			 PLYD_OK);
	assert_int_equal(play_login(&p, "x", "ann-login", "one-time-1"),
			 PLYD_EBADLOGIN);
	assert_int_equal(play_login(&p, "x", "ann-login", "secret-3"), PLYD_OK);
	/* and only for a while */
	assert_int_equal(admin(&p, CMD_ADMIN_RESET, "ann-login", &once),
			 PLYD_OK);
	play_wait(&p, (uint64_t)p.limits.reset_keep_ms);
	assert_int_equal(play_login(&p, "x", "ann-login", "one-time-1"),
			 PLYD_EBADLOGIN);
	play_close(&p);
}

/* -- deleting -- */

static int delete_account(struct play *p, const char *name,
			  const char *password)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_ACCOUNT_DELETE,
					 .confirm = span_str(password) });
}

static void a_deleted_account_is_nowhere(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	struct id id = play_who(&p, "ann")->id;
	struct id over = play_match(&p, "english", "bob", "ann", NULL);
	play_in(&p, "bob", CMD_MATCH_RESIGN, &over);
	struct id fresh = play_match(&p, "english", "bob", "ann", NULL);
	struct id played = play_match(&p, "english", "bob", "ann", NULL);
	play_move(&p, "ann", &played, 0, "11-15");
	play_move(&p, "bob", &played, 1, "22-18");
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	assert_int_equal(delete_account(&p, "ann", "wrong-one"),
			 PLYD_EBADLOGIN);
	assert_int_equal(delete_account(&p, "ann", "secret-1"), PLYD_OK);
	assert_true(p.answer.left);
	assert_true(domain_is_deleted(p.d, &id));
	assert_int_equal(account(&p, "ann", CMD_ACCOUNT_GET), PLYD_EHELLO);
	play_wait(&p, 10);
	assert_null(domain_player(p.d, &id));
	assert_null(domain_lobby(p.d, &l));
	assert_int_equal(play_at(&p, &fresh)->result, RESULT_ABORTED);
	assert_int_equal(play_at(&p, &played)->reason, END_RESIGNED);
	assert_int_equal(play_at(&p, &played)->result, RESULT_WHITE);
	const struct match *all[] = { play_at(&p, &over), play_at(&p, &fresh),
				      play_at(&p, &played) };
	for (size_t i = 0; i < COUNT(all); i++) {
		assert_string_equal(all[i]->seat[BLACK].name, DELETED_NAME);
		assert_true(id_is_none(&all[i]->seat[BLACK].player));
	}
	assert_int_equal(play_resume(&p, "ann"), PLYD_ETOKEN);
	assert_int_equal(play_login(&p, "x", "ann-login", "secret-1"),
			 PLYD_EBADLOGIN);
	/* login and name are free */
	assert_int_equal(play_hello(&p, "Ann"), PLYD_OK);
	assert_int_equal(play_register(&p, "Ann", "ann-login", "secret-9"),
			 PLYD_OK);
	play_close(&p);
}

static void guests_and_bots_cannot_be_deleted(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	struct digest t = digest_of("one");
	admin(&p, CMD_ADMIN_BOT_TOKEN, "robot", &t);
	play_bot_login(&p, "robot", &t);
	assert_int_equal(delete_account(&p, "bob", "secret-1"),
			 PLYD_ENOACCOUNT);
	assert_int_equal(delete_account(&p, "robot", "secret-1"),
			 PLYD_ENOTALLOWED);
	play_close(&p);
}

static void facts_that_do_not_fit_are_refused(void **state)
{
	(void)state;
	ANN_IS_A_MEMBER(p);
	struct id ann = play_who(&p, "ann")->id, bob = play_who(&p, "bob")->id;
	struct digest t = digest_of("one");
	char many[200];
	memset(many, 'x', sizeof(many));
	struct span is_long = span_of(many, sizeof(many)), ok = span_str("zoe");
	struct id nobody = { "nobodyhere" };
	const struct fact wrong[] = {
		{ .type = FACT_ACCOUNT_OPENED,
		  .account_opened = { ann, ok, ok, 1 } },
		{ .type = FACT_ACCOUNT_OPENED,
		  .account_opened = { bob, span_str("ann-login"), ok, 1 } },
		{ .type = FACT_ACCOUNT_OPENED,
		  .account_opened = { bob, span_str("No!"), ok, 1 } },
		{ .type = FACT_ACCOUNT_OPENED,
		  .account_opened = { bob, ok, is_long, 1 } },
		{ .type = FACT_ACCOUNT_OPENED,
		  .account_opened = { nobody, ok, ok, 1 } },
		{ .type = FACT_PASSWORD_SET, .password_set = { bob, ok } },
		{ .type = FACT_PASSWORD_SET, .password_set = { ann, is_long } },
		{ .type = FACT_PASSWORD_RESET,
		  .password_reset = { bob, t, 1 } },
		{ .type = FACT_PLAYER_RENAMED,
		  .player_renamed = { bob, ok, 0 } },
		{ .type = FACT_PLAYER_RENAMED,
		  .player_renamed = { ann, is_long, 0 } },
		{ .type = FACT_PLAYER_RENAMED,
		  .player_renamed = { ann, span_str(""), 0 } },
		{ .type = FACT_BOT_TOKEN_SET, .bot_token_set = { bob, t } },
		{ .type = FACT_TOKEN_REPLACED,
		  .token_replaced = { ann, 9, t } },
	};
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_int_equal(domain_apply(p.d, &wrong[i]), PLYD_ERECORD);
	assert_null(domain_invariant_broken(p.d));
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_has_one_holder),
		cmocka_unit_test(a_member_keeps_his_name),
		cmocka_unit_test(an_old_name_is_kept_for_a_while),
		cmocka_unit_test(a_lobby_shows_the_new_name),
		cmocka_unit_test(a_guest_becomes_a_member),
		cmocka_unit_test(what_registering_refuses),
		cmocka_unit_test(a_login_opens_one_more_session),
		cmocka_unit_test(a_wrong_login_tells_nothing),
		cmocka_unit_test(a_password_that_changed_meanwhile_is_wrong),
		cmocka_unit_test(who_has_gone_gets_no_session),
		cmocka_unit_test(passwords_wait_in_a_bounded_queue),
		cmocka_unit_test(the_longest_away_session_makes_room),
		cmocka_unit_test(a_new_password_ends_the_other_sessions),
		cmocka_unit_test(
			a_revoked_session_leaves_its_match_to_the_clock),
		cmocka_unit_test(nothing_follows_a_logout),
		cmocka_unit_test(one_of_many_is_logged_out),
		cmocka_unit_test(a_guest_who_logs_out_is_forgotten),
		cmocka_unit_test(a_bot_gets_in_by_the_operators_token),
		cmocka_unit_test(the_operator_resets_a_password),
		cmocka_unit_test(a_deleted_account_is_nowhere),
		cmocka_unit_test(guests_and_bots_cannot_be_deleted),
		cmocka_unit_test(facts_that_do_not_fit_are_refused),
	};
	return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
