/* SPDX-License-Identifier: MIT
 * aside_test.c - answers that come from aside: a password that was hashed, a
 * record that was read, a move whose position was judged. Meanwhile he who
 * asked may have become somebody else, or nobody. Each request is answered
 * once, if its connection is still there; what was done or seen while he was
 * himself is told, and nothing is done for a session that has ended. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { ASKER = 1, OTHER, OPPONENT, ELSEWHERE, OPERATOR, NEWCOMER, LATER };
enum { TOKEN_CHARS = 64 };

static struct {
	char token[TOKEN_CHARS + 1]; /* of the session that asks */
	char id[ID_CHARS + 1];       /* of its player, */
	char match[ID_CHARS + 1];
} ann;

static struct talk *open_talk(void)
{
	static struct talk t;
	memset(&ann, 0, sizeof(ann));
	talk_open(&t, NULL);
	assert_int_equal(talk_operator(&t, OPERATOR), 0);
	return &t;
}

static void connects(struct talk *t, uint64_t conn)
{
	char address[16];
	snprintf(address, sizeof(address), "10.0.0.%d", (int)conn);
	assert_int_equal(talk_connect(t, conn, address), 0);
}

static bool logs_in(struct talk *t, uint64_t conn, const char *password)
{
	connects(t, conn);
	return talk_ask(t, conn, "hello", "protocol=i login=s password=s",
			(int64_t)1, "ann", password);
}

static void comes(struct talk *t, uint64_t conn, const char *name)
{
	connects(t, conn);
	assert_true(talk_ask(t, conn, "hello", "protocol=i name=s", (int64_t)1,
			     name));
}

/* -- what is asked -- */

static uint64_t ask_register(struct talk *t, struct buf *b)
{
	talk_write(t, ASKER, b, "account.register", "login=s password=s", "ann",
		   "secret-1");
	return ASKER;
}

static uint64_t ask_password(struct talk *t, struct buf *b)
{
	talk_write(t, ASKER, b, "account.password", "old=s new=s", "secret-1",
		   "secret-2");
	return ASKER;
}

static uint64_t ask_delete(struct talk *t, struct buf *b)
{
	talk_write(t, ASKER, b, "account.delete", "password=s", "secret-1");
	return ASKER;
}

static uint64_t ask_hello(struct talk *t, struct buf *b)
{
	connects(t, NEWCOMER);
	talk_write(t, NEWCOMER, b, "hello", "protocol=i login=s password=s",
		   (int64_t)1, "ann", "secret-1");
	return NEWCOMER;
}

static uint64_t ask_move(struct talk *t, struct buf *b)
{
	talk_write(t, ASKER, b, "match.move", "match=s ply=i move=s", ann.match,
		   (int64_t)2, "8-11");
	return ASKER;
}

static uint64_t ask_record(struct talk *t, struct buf *b)
{
	assert_true(
		talk_ask(t, OPPONENT, "match.resign", "match=s", ann.match));
	talk_write(t, ASKER, b, "record.get", "match=s", ann.match);
	return ASKER;
}

/* -- what happens meanwhile -- */

static void nothing(struct talk *t, uint64_t conn)
{
	(void)t, (void)conn;
}

static void hangs_up(struct talk *t, uint64_t conn)
{
	hub_disconnected(t->hub, conn, t->now_ms);
	t->line[conn].closed = true;
}

static void logs_out(struct talk *t, uint64_t conn)
{
	assert_true(talk_ask(t, conn, "account.logout", ""));
}

static void is_another(struct talk *t, uint64_t conn)
{
	logs_out(t, conn);
	assert_true(talk_ask(t, conn, "hello", "protocol=i name=s", (int64_t)1,
			     "Eve"));
}

static void is_renamed(struct talk *t, uint64_t conn)
{
	(void)conn;
	assert_true(talk_ask(t, OTHER, "account.rename", "name=s", "Anna"));
}

static void resumes_elsewhere(struct talk *t, uint64_t conn)
{
	(void)conn;
	connects(t, ELSEWHERE);
	assert_true(talk_ask(t, ELSEWHERE, "hello", "protocol=i token=s",
			     (int64_t)1, ann.token));
}

static void has_a_new_password(struct talk *t, uint64_t conn)
{
	(void)conn;
	assert_true(talk_ask(t, OTHER, "account.password", "old=s new=s",
			     "secret-1", "secret-3"));
}

static void is_out_everywhere(struct talk *t, uint64_t conn)
{
	(void)conn;
	assert_true(talk_ask(t, OTHER, "account.logout", "everywhere=b", true));
}

static void is_deleted(struct talk *t, uint64_t conn)
{
	(void)conn;
	assert_true(
		talk_ask(t, OTHER, "account.delete", "password=s", "secret-1"));
}

static void is_kicked(struct talk *t, uint64_t conn)
{
	(void)conn;
	assert_true(talk_ask(t, OPERATOR, "admin.kick", "player=s", ann.id));
}

static void is_banned(struct talk *t, uint64_t conn)
{
	(void)conn;
	assert_true(talk_ask(t, OPERATOR, "admin.ban", "player=s", ann.id));
}

/* -- the table -- */

enum who { GUEST, MEMBER, PLAYER };

/* "": a result; "-": no answer, since the connection has gone; else an error.
 * then: the password that is good in the end; "": none. */
static const struct row {
	const char *name;
	enum who who; /* of Ann, who asks */
	uint64_t (*ask)(struct talk *t, struct buf *b);
	void (*meanwhile)(struct talk *t, uint64_t conn);
	const char *answer, *then;
} rows[] = {
#define G(ask, meanwhile, answer, then)                                        \
	{                                                                      \
#ask ", " #meanwhile, GUEST, ask, meanwhile, answer, then      \
	}
	G(ask_register, nothing, "", "secret-1"),
	G(ask_register, hangs_up, "-", ""),
	G(ask_register, logs_out, "hello_first", ""),
	G(ask_register, is_another, "hello_first", ""),
	G(ask_register, resumes_elsewhere, "-", ""),
	G(ask_register, is_kicked, "-", ""),
	G(ask_register, is_banned, "-", ""),
#undef G
#define M(ask, meanwhile, answer, then)                                        \
	{                                                                      \
#ask ", " #meanwhile, MEMBER, ask, meanwhile, answer, then     \
	}
	M(ask_password, nothing, "", "secret-2"),
	M(ask_password, hangs_up, "-", "secret-1"),
	M(ask_password, logs_out, "hello_first", "secret-1"),
	M(ask_password, is_another, "hello_first", "secret-1"),
	M(ask_password, is_renamed, "", "secret-2"),
	M(ask_password, resumes_elsewhere, "-", "secret-1"),
	M(ask_password, has_a_new_password, "-", "secret-3"),
	M(ask_password, is_out_everywhere, "-", "secret-1"),
	M(ask_password, is_deleted, "-", ""),
	M(ask_password, is_kicked, "-", "secret-1"),
	M(ask_delete, nothing, "", ""),
	M(ask_delete, hangs_up, "-", "secret-1"),
	M(ask_delete, logs_out, "hello_first", "secret-1"),
	M(ask_delete, is_another, "hello_first", "secret-1"),
	M(ask_delete, is_renamed, "", ""),
	M(ask_delete, resumes_elsewhere, "-", "secret-1"),
	M(ask_delete, has_a_new_password, "-", "secret-3"),
	M(ask_delete, is_out_everywhere, "-", "secret-1"),
	M(ask_delete, is_deleted, "-", ""),
	M(ask_delete, is_kicked, "-", "secret-1"),
	M(ask_hello, nothing, "", "secret-1"),
	M(ask_hello, hangs_up, "-", "secret-1"),
	M(ask_hello, is_renamed, "", "secret-1"),
	M(ask_hello, has_a_new_password, "bad_login", "secret-3"),
	M(ask_hello, is_out_everywhere, "", "secret-1"),
	M(ask_hello, is_deleted, "bad_login", ""),
	M(ask_hello, is_kicked, "", "secret-1"),
	M(ask_hello, is_banned, "banned", ""),
#undef M
#define P(ask, meanwhile, answer)                                              \
	{                                                                      \
#ask ", " #meanwhile, PLAYER, ask, meanwhile, answer, NULL     \
	}
	P(ask_move, nothing, ""),
	P(ask_move, hangs_up, "-"),
	P(ask_move, logs_out, ""),
	P(ask_move, is_another, ""),
	P(ask_move, is_renamed, ""),
	P(ask_move, resumes_elsewhere, "-"),
	P(ask_move, has_a_new_password, "-"),
	P(ask_move, is_out_everywhere, "-"),
	P(ask_move, is_deleted, "-"),
	P(ask_move, is_kicked, "-"),
	P(ask_record, nothing, ""),
	P(ask_record, hangs_up, "-"),
	P(ask_record, logs_out, ""),
	P(ask_record, is_another, ""),
	P(ask_record, is_renamed, ""),
	P(ask_record, resumes_elsewhere, "-"),
	P(ask_record, has_a_new_password, "-"),
	P(ask_record, is_out_everywhere, "-"),
	P(ask_record, is_deleted, "-"),
	P(ask_record, is_kicked, "-"),
#undef P
};

/* -- the stage -- */

static void ann_comes(struct talk *t, enum who who)
{
	comes(t, ASKER, "Ann");
	snprintf(ann.token, sizeof(ann.token), "%s", talk_text(t, "token"));
	if (who != GUEST) {
		assert_true(talk_ask(t, ASKER, "account.register",
				     "login=s password=s", "ann", "secret-1"));
		snprintf(ann.token, sizeof(ann.token), "%s",
			 talk_text(t, "token"));
		assert_true(logs_in(t, OTHER, "secret-1"));
	}
	assert_true(talk_ask(t, ASKER, "account.get", ""));
	t->result = value_find(t->result, "player");
	snprintf(ann.id, sizeof(ann.id), "%s", talk_text(t, "id"));
}

/* From now on a script judges English draughts. */
static void positions_are_judged(struct talk *t)
{
	struct match_rules r = {
		.clock = { .base_ms = 60000 },
		.clock_limits = { .kinds = CLOCK_KINDS_ALL,
				  .base_ms_min = 1000,
				  .base_ms_max = 3600000 },
		.draws = { .policy = "own", .judged = true },
	};
	assert_int_equal(ruleset_find("english", strlen("english"), &r.rules),
			 0);
	const struct hub_reload what = { .rules = &r, .rules_count = 1 };
	hub_reloaded(t->hub, 0, 0, &what, t->now_ms, t->unix_ms);
}

static void is_judged(struct talk *t, uint32_t ply)
{
	const struct cmd_verdict goes_on = { .ply = ply };
	hub_verdict(t->hub, &t->judged, &goes_on, t->now_ms, t->unix_ms);
	talk_wait(t, 0);
}

/* Two half-moves of a match; the position after them is being judged. */
static void ann_plays(struct talk *t)
{
	char lobby[ID_CHARS + 1];
	positions_are_judged(t);
	comes(t, OPPONENT, "Bob");
	assert_true(talk_ask(t, ASKER, "lobby.create",
			     "ruleset=s side=s ready=b", "english", "black",
			     true));
	snprintf(lobby, sizeof(lobby), "%s", talk_text(t, "lobby"));
	assert_true(talk_ask(t, OPPONENT, "lobby.join", "lobby=s ready=b",
			     lobby, true));
	assert_true(talk_ask(t, OPPONENT, "match.list", ""));
	t->result = value_at(value_find(t->result, "matches"), 0);
	snprintf(ann.match, sizeof(ann.match), "%s", talk_text(t, "match"));
	assert_true(talk_ask(t, ASKER, "match.move", "match=s ply=i move=s",
			     ann.match, (int64_t)0, "11-15"));
	is_judged(t, 1);
	assert_true(talk_ask(t, OPPONENT, "match.move", "match=s ply=i move=s",
			     ann.match, (int64_t)1, "23-19"));
}

/* What is aside comes back. */
static void comes_back(struct talk *t, const struct row *row)
{
	t->error[0] = '\0';
	if (row->ask == ask_record)
		talk_recorded(t);
	else if (row->ask == ask_move)
		is_judged(t, 2);
	else
		talk_hashed(t);
}

static void answered_once(void **state)
{
	const struct row *row = *state;
	struct talk *t = open_talk();
	struct buf b;
	ann_comes(t, row->who);
	if (row->who == PLAYER)
		ann_plays(t);
	buf_init(&b, MESSAGE_BYTES_MAX);
	uint64_t conn = row->ask(t, &b);
	t->hold_hash = t->hold_record = true;
	talk_send(t, conn, buf_span(&b));
	buf_release(&b);
	struct talk aside = *t; /* the password that is being worked on */
	t->hashings = 0;
	t->hold_hash = false;
	size_t before = t->line[conn].answers;
	row->meanwhile(t, conn);
	bool gone = t->line[conn].closed;
	size_t meant = t->line[conn].answers - before;
	assert_int_equal(meant, row->meanwhile == logs_out     ? 1
				: row->meanwhile == is_another ? 2
							       : 0);
	memcpy(t->hashing, aside.hashing, sizeof(t->hashing));
	t->hashings = aside.hashings;
	comes_back(t, row);
	assert_int_equal(gone, !strcmp(row->answer, "-"));
	assert_int_equal(t->line[conn].answers, before + meant + !gone);
	if (!gone)
		assert_string_equal(t->error, row->answer);
	if (row->then)
		assert_int_equal(logs_in(t, LATER,
					 row->then[0] ? row->then : "secret-1"),
				 row->then[0] != '\0');
	if (row->meanwhile == is_another) {
		assert_true(talk_ask(t, conn, "account.get", ""));
		assert_null(value_find(t->result, "login"));
		t->result = value_find(t->result, "player");
		assert_string_equal(talk_text(t, "name"), "Eve");
	}
	talk_close(t);
}

int main(void)
{
	return RUN_TABLE("aside", rows, answered_once);
}
