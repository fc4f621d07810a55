/* SPDX-License-Identifier: MIT
 * How a client gets in: by a password, by a bot's token, by the token of its
 * session; and that it follows the tokens that it is given. */
#include "unit.h"

#include <string.h>

#include <plyd/client.h>
#include "base/buf.h"
#include "base/hex.h"
#include "proto/methods.h"
#include "proto/write.h"

struct stage {
	struct client *c;
	struct doc *doc;
	struct request asked;
};

static const struct client_callbacks deaf;

static void open_stage(struct stage *s, const struct client_options *o)
{
	assert_int_equal(client_new(&s->c, o, &deaf, NULL), PLYD_OK);
	s->doc = doc_new();
}

static void close_stage(struct stage *s)
{
	client_free(s->c);
	doc_free(s->doc);
}

/* What the client asks, the first of it. */
static void hear(struct stage *s)
{
	size_t len;
	const struct value *root;
	struct decode_error where;
	const uint8_t *bytes = client_output(s->c, &len);
	assert_int_equal(doc_parse(s->doc, span_of(bytes, len), &doc_request,
				   &root),
			 0);
	assert_int_equal(request_decode(root, &s->asked, &where), 0);
	client_sent(s->c, len);
}

static void answer(struct stage *s, char token)
{
	struct buf b;
	uint8_t bytes[TOKEN_BYTES];
	memset(bytes, token, sizeof(bytes));
	buf_init(&b, 4096);
	rpc_begin_result(&b, s->asked.msgid);
	put_map(&b, 3);
	put_cstr(&b, "token");
	put_hex(&b, span_of(bytes, sizeof(bytes)));
	put_cstr(&b, "resumed");
	put_bool(&b, false);
	put_cstr(&b, "player");
	put_map(&b, 2);
	put_cstr(&b, "id");
	put_cstr(&b, "abcdefghij");
	put_cstr(&b, "name");
	put_cstr(&b, "Ada");
	assert_int_equal(client_feed(s->c, b.at, b.len), PLYD_OK);
	buf_release(&b);
}

static void assert_token(const struct stage *s, int byte)
{
	assert_true(s->asked.params.hello.has_token);
	assert_int_equal(s->asked.params.hello.token.at[0], byte);
	assert_int_equal(s->asked.params.hello.token.len, TOKEN_BYTES);
}

static void a_password_is_said_once(void **state)
{
	struct stage s;
	(void)state;
	open_stage(&s, &(struct client_options){ .login = "ada",
						 .password = "secret-1" });
	client_connected(s.c);
	hear(&s);
	assert_int_equal(s.asked.method, METHOD_HELLO);
	assert_true(span_is(s.asked.params.hello.login, "ada"));
	assert_true(span_is(s.asked.params.hello.password, "secret-1"));
	assert_false(s.asked.params.hello.has_token);
	answer(&s, 1);
	client_disconnected(s.c);
	client_connected(s.c);
	hear(&s);
	assert_token(&s, 1);
	assert_false(s.asked.params.hello.has_login);
	/* until that session is no more */
	client_disconnected(s.c);
	client_forget(s.c);
	client_connected(s.c);
	hear(&s);
	assert_true(s.asked.params.hello.has_login);
	close_stage(&s);
}

static void a_new_token_replaces_the_one_before(void **state)
{
	struct stage s;
	const struct client_param params[] = {
		CLIENT_TEXT("login", "ada"),
		CLIENT_TEXT("password", "secret-1"),
	};
	(void)state;
	open_stage(&s, &(struct client_options){ .name = "Ada" });
	client_connected(s.c);
	hear(&s);
	assert_false(s.asked.params.hello.has_login);
	answer(&s, 1);
	assert_int_equal(client_request(s.c, "account.register", params,
					COUNT(params), NULL, NULL),
			 PLYD_OK);
	hear(&s);
	assert_int_equal(s.asked.method, METHOD_ACCOUNT_REGISTER);
	answer(&s, 2);
	client_disconnected(s.c);
	client_connected(s.c);
	hear(&s);
	assert_token(&s, 2);
	close_stage(&s);
}

static void a_bot_shows_its_token(void **state)
{
	struct stage s;
	char token[CLIENT_TOKEN_MAX];
	uint8_t bytes[TOKEN_BYTES] = { 7 };
	(void)state;
	hex_write(bytes, sizeof(bytes), token);
	open_stage(&s,
		   &(struct client_options){ .bot = true, .bot_token = token });
	client_connected(s.c);
	hear(&s);
	assert_true(s.asked.params.hello.has_bot_token);
	assert_int_equal(s.asked.params.hello.bot_token.at[0], 7);
	assert_false(s.asked.params.hello.has_token);
	close_stage(&s);
}

static void what_is_too_long_is_refused(void **state)
{
	char many[CLIENT_PASSWORD_MAX + 1];
	struct client *c;
	(void)state;
	memset(many, 'x', sizeof(many));
	many[CLIENT_PASSWORD_MAX] = '\0';
	const struct client_options wrong[] = {
		{ .login = "abcdefghijklmnopqrstu" },
		{ .login = "ada", .password = many },
		{ .bot_token = many },
	};
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_int_equal(client_new(&c, &wrong[i], &deaf, NULL),
				 PLYD_ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_password_is_said_once),
		cmocka_unit_test(a_new_token_replaces_the_one_before),
		cmocka_unit_test(a_bot_shows_its_token),
		cmocka_unit_test(what_is_too_long_is_refused),
	};
	return cmocka_run_group_tests_name("login", tests, NULL, NULL);
}
