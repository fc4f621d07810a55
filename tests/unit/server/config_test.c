/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/table.h"
#include "net/net.h"
#include "server/config.h"
#include "server/scripts.h"

/* Reads a configuration of this text through the real worker. */
static int read_text(const char *text, struct config *out, char *why)
{
	char path[] = "/tmp/plyd-config-XXXXXX";
	struct net *n;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	assert_int_equal(net_new(&n), PLYD_OK);
	int err = scripts_read_config(n, WORKER_PROGRAM, path, false, out, why);
	net_run(n);
	assert_int_equal(net_free(n), PLYD_OK);
	unlink(path);
	return err;
}

/* -- what is printed -- */

static char printed[64 * 1024];

static const char *print_as(const struct config *c, bool json)
{
	FILE *out = fmemopen(printed, sizeof(printed), "w");
	assert_non_null(out);
	config_print(c, "here.lua", json, out);
	fclose(out);
	return printed;
}

static const char *print(const struct config *c)
{
	return print_as(c, true);
}

/* The documented file says just what the table of defaults says. */
static void the_shipped_file_is_the_default(void **state)
{
	(void)state;
	struct config shipped, standard;
	struct net *n;
	char why[SCRIPTS_WHY_MAX] = "";
	assert_int_equal(net_new(&n), PLYD_OK);
	int err =
		scripts_read_config(n, WORKER_PROGRAM, SCRIPTS_DIR "/plyd.lua",
				    false, &shipped, why);
	net_run(n);
	assert_int_equal(net_free(n), PLYD_OK);
	assert_string_equal(why, "");
	assert_int_equal(err, PLYD_OK);
	config_default(&standard);
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++) {
		assert_int_equal(shipped.from[i], FROM_FILE);
		assert_true(shipped.line[i] > 0);
	}
	memcpy(standard.from, shipped.from, sizeof(standard.from));
	memcpy(standard.line, shipped.line, sizeof(standard.line));
	char text[sizeof(printed)];
	strcpy(text, print(&shipped));
	assert_string_equal(text, print(&standard));
}

/* The lines that are told are those in which the names stand. */
static void settings_know_their_lines(void **state)
{
	(void)state;
	struct config c;
	char why[SCRIPTS_WHY_MAX] = "";
	const char *text = "local unused = { host = 'x' }\n"
			   "return {\n"
			   "	listen = { host = '::1',\n"
			   "		port = 1 },\n"
			   "	-- data = { durability = 'full' },\n"
			   "	data = {\n"
			   "		durability = 'none',\n"
			   "		durability = 'full',\n"
			   "	},\n"
			   "	chat = { ['words'] = 'w' },\n"
			   "	limits = { players = 7 } }\n";
	assert_int_equal(read_text(text, &c, why), PLYD_OK);
	assert_int_equal(c.line[SETTING_listen_host], 3);
	assert_int_equal(c.line[SETTING_listen_port], 4);
	assert_int_equal(c.line[SETTING_data_durability], 7);
	assert_int_equal(c.line[SETTING_chat_words], 0);
	assert_int_equal(c.line[SETTING_limits_players], 11);
	assert_int_equal(c.line[SETTING_limits_lobbies], 0);
}

/* Every setting is named in the shipped file, with its range where it has
 * one. */
static void the_shipped_file_names_every_setting(void **state)
{
	(void)state;
	static char text[64 * 1024];
	FILE *in = fopen(SCRIPTS_DIR "/plyd.lua", "r");
	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	char want[128], range[64];
	const char *line;
#define I(section, name, value, low, high)                                     \
	snprintf(want, sizeof(want), "\t%s = %lld,", #name,                    \
		 (long long)(value));                                          \
	snprintf(range, sizeof(range), "%lld %s %lld", (long long)(low),       \
		 (high) == (low) + 1 ? "or" : "to", (long long)(high));        \
	line = strstr(text, want);                                             \
	if (!line || !memmem(line, strcspn(line, "\n"), range, strlen(range))) \
		fail_msg("no line '%s' with '%s'", want, range);
#define T(section, name, value)                                                \
	snprintf(want, sizeof(want), "%s = \"%s\",", #name, value);            \
	if (!strstr(text, want))                                               \
		fail_msg("no line '%s'", want);
	CONFIG_SETTINGS(I, T)
#undef I
#undef T
}

static struct mistake {
	const char *name;
	const char *text;
	const char *want; /* part of the reason */
} mistakes[] = {
	{ "unknown section", "return {\nlisen = {} }",
	  ":2: there is no section \"lisen\"; did you mean listen?" },
	{ "unknown setting", "return { listen = {\n\nprot = 1 } }",
	  ":3: listen has no setting \"prot\"" },
	{ "misspelt", "return { limits = { conections = 1 } }",
	  ":1: limits has no setting \"conections\"; did you mean "
	  "connections?" },
	{ "another type", "return { listen = { port = '7531' } }",
	  "listen.port must be a whole number" },
	{ "text wanted", "return { listen = { host = 1 } }",
	  "listen.host must be a text" },
	{ "out of range", "return { listen = {\nport = 70000 } }",
	  ":2: listen.port is 70000; it may be 0 to 65535" },
	{ "out of range, said otherwise",
	  "return { listen = { ['port'] = 70000 } }", ": listen.port is" },
	{ "not a table", "return { listen = 5 }", "listen must be a table" },
	{ "nothing returned", "", "expected a table" },
	{ "syntax", "return {\n listen = = }", ":2:" },
	{ "a fraction", "return { listen = { port = 1.5 } }",
	  "must be a whole number" },
	{ "endless", "while true do end", "" },
};

static void mistake_is_refused_by_name(void **state)
{
	const struct mistake *m = *state;
	struct config c;
	char why[SCRIPTS_WHY_MAX] = "";
	assert_int_equal(read_text(m->text, &c, why), PLYD_ECONFIG);
	if (!strstr(why, m->want))
		fail_msg("'%s' does not say '%s'", why, m->want);
}

static int read_variable(struct config *c, const char *variable, char *why)
{
	char *env[] = { "HOME=/root", "PLYD", (char *)variable, "PLY_A=b",
			NULL };
	return config_read_env(c, env, why);
}

static void the_environment_goes_before(void **state)
{
	(void)state;
	struct config c;
	char why[CONFIG_WHY_MAX];
	config_default(&c);
	assert_int_equal(read_variable(&c, "PLYD_LISTEN_PORT=7000", why),
			 PLYD_OK);
	assert_int_equal(c.listen_port, 7000);
	assert_int_equal(c.from[SETTING_listen_port], FROM_ENVIRONMENT);
	assert_int_equal(c.from[SETTING_listen_host], FROM_DEFAULT);
	assert_int_equal(read_variable(&c, "PLYD_LISTEN_PORT=70000", why),
			 PLYD_ECONFIG);
	assert_int_equal(read_variable(&c, "PLYD_LISTEN_PORT=7x", why),
			 PLYD_ECONFIG);
	assert_int_equal(c.listen_port, 7000);
	assert_int_equal(read_variable(&c, "PLYD_DATA_DURABILITY=some", why),
			 PLYD_OK);
	enum durability durability;
	assert_int_equal(config_durability(&c, &durability, why), PLYD_ECONFIG);
	assert_non_null(strstr(why, "\"full\", \"normal\", \"none\""));
}

static struct misspelt {
	const char *name;
	const char *variable;
	const char *want;
} misspelts[] = {
	{ "a letter", "PLYD_LISTEN_PROT=1",
	  "no setting PLYD_LISTEN_PROT, which the environment has; did you "
	  "mean PLYD_LISTEN_PORT?" },
	{ "small letters", "PLYD_listen_port=1", "PLYD_listen_port" },
	{ "without section", "PLYD_PORT=1", "no setting PLYD_PORT" },
	{ "nothing like it", "PLYD_QWERTYUIOP=1", "PLYD_QWERTYUIOP" },
	{ "nothing at all", "PLYD_=1", "no setting PLYD_" },
	{ "too long",
	  "PLYD_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=1",
	  "PLYD_AAA" },
};

static void misspelt_variable_is_refused(void **state)
{
	const struct misspelt *m = *state;
	struct config c;
	char why[CONFIG_WHY_MAX] = "";
	config_default(&c);
	assert_int_equal(read_variable(&c, m->variable, why), PLYD_ECONFIG);
	if (!strstr(why, m->want))
		fail_msg("'%s' does not say '%s'", why, m->want);
}

/* -- lines -- */

static struct place {
	const char *name;
	const char *text;
	const char *section;
	const char *setting;
	unsigned want;
} places[] = {
	{ "plain", "return {\n a = {\n  b = 1,\n },\n}", "a", "b", 3 },
	{ "a section", "return {\n a = {\n  b = 1,\n },\n}", "a", "", 2 },
	{ "another section has it too",
	  "return {\n x = { b = 1 },\n a = {\n  b = 1 } }", "a", "b", 4 },
	{ "a remark", "return { -- a = { b = 1 }\n a = { b = 2 } }", "a", "b",
	  2 },
	{ "a long remark",
	  "return { --[==[ a = { b = 1 ]] }\n]==]\n a = { b = 2"
	  " } }",
	  "a", "b", 3 },
	{ "in a text", "return { x = 'a = {\\' b = 1 }',\n a = { b = 2 } }",
	  "a", "b", 2 },
	{ "in a long text",
	  "return { x = [[\na = { b = 1 }]],\n a = { b = 2 } }", "a", "b", 3 },
	{ "deeper", "return { a = { c = { b = 1 },\n b = 2 } }", "a", "b", 2 },
	{ "before the table", "local a = { b = 1 }\nreturn { a =\n{ b = 2 } }",
	  "a", "b", 3 },
	{ "compared",
	  "return { x = { b == 1 },\n a = { c = b == 2,\n b = 1 } }", "a", "b",
	  3 },
	{ "not plainly", "return { ['a'] = { b = 1 } }", "a", "b", 0 },
	{ "an open text", "return { a = { 'b = 1", "a", "b", 0 },
	{ "an open remark", "return { a = { --[[ b = 1", "a", "b", 0 },
	{ "nothing", "", "a", "b", 0 },
};

static void setting_is_found_in_its_line(void **state)
{
	const struct place *p = *state;
	assert_int_equal(config_line(span_str(p->text), span_str(p->section),
				     span_str(p->setting)),
			 p->want);
}

static void print_says_where_from(void **state)
{
	(void)state;
	struct config c;
	char why[SCRIPTS_WHY_MAX] = "";
	assert_int_equal(read_text("return {\n listen = {\n port = 1 },\n"
				   " [ 'chat' ] = { words = 'a\"b' } }",
				   &c, why),
			 PLYD_OK);
	assert_int_equal(read_variable(&c, "PLYD_LIMITS_PLAYERS=5", why),
			 PLYD_OK);
	config_from_option(&c, SETTING_listen_host);
	const char *text = print_as(&c, false);
	assert_non_null(strstr(text, "listen.port = 1  -- here.lua:3\n"));
	assert_non_null(strstr(text, "chat.words = \"a\\\"b\"  -- here.lua\n"));
	assert_non_null(strstr(text, "limits.players = 5  -- environment\n"));
	assert_non_null(
		strstr(text, "listen.host = \"127.0.0.1\"  -- option\n"));
	assert_non_null(strstr(text, "log.level = \"info\"  -- default\n"));
	text = print_as(&c, true);
	assert_non_null(strstr(text,
			       "\"listen.port\": {\"value\": 1, \"from\": "
			       "\"here.lua:3\", \"low\": 0, \"high\": "
			       "65535}"));
}

/* -- for development -- */

static void dev_is_for_loopback_only(void **state)
{
	(void)state;
	static const char *const closed[] = { "127.0.0.1", "127.8.0.1", "::1" };
	static const char *const open[] = { "0.0.0.0", "::", "192.0.2.1",
					    "localhost", "128.0.0.1" };
	struct config c;
	char why[CONFIG_WHY_MAX];
	config_default(&c);
	config_dev(&c);
	assert_string_equal(c.data_durability, "none");
	assert_string_equal(c.data_directory, "var/dev");
	assert_int_equal(c.from[SETTING_clocks_claim_after_ms], FROM_DEV);
	for (size_t i = 0; i < 3; i++) {
		strcpy(c.listen_host, closed[i]);
		assert_int_equal(config_dev_check(&c, why), PLYD_OK);
	}
	for (size_t i = 0; i < 5; i++) {
		strcpy(c.listen_host, open[i]);
		assert_int_equal(config_dev_check(&c, why), PLYD_ECONFIG);
	}
}

/* A limit that the configuration forgot would be 0. */
static void the_domain_gets_every_limit(void **state)
{
	(void)state;
	struct config c;
	struct domain_limits got, want;
	config_default(&c);
	config_domain_limits(&c, &got);
	domain_limits_default(&want);
#define L(name, value, low, high, doc) assert_int_equal(got.name, want.name);
	DOMAIN_LIMITS(L)
#undef L
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_shipped_file_is_the_default),
		cmocka_unit_test(the_shipped_file_names_every_setting),
		cmocka_unit_test(settings_know_their_lines),
		cmocka_unit_test(the_environment_goes_before),
		cmocka_unit_test(the_domain_gets_every_limit),
		cmocka_unit_test(print_says_where_from),
		cmocka_unit_test(dev_is_for_loopback_only),
	};
	if (crypto_ready())
		return 1;
	table_ready();
	return cmocka_run_group_tests(tests, NULL, NULL) +
	       RUN_TABLE("places", places, setting_is_found_in_its_line) +
	       RUN_TABLE("misspelt", misspelts, misspelt_variable_is_refused) +
	       RUN_TABLE("mistakes", mistakes, mistake_is_refused_by_name);
}
