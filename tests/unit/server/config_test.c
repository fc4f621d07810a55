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
	int err = scripts_read_config(n, WORKER_PROGRAM, path, out, why);
	net_run(n);
	assert_int_equal(net_free(n), PLYD_OK);
	unlink(path);
	return err;
}

/* The documented file says just what the table of defaults says. */
static void the_shipped_file_is_the_default(void **state)
{
	(void)state;
	struct config shipped, standard;
	struct net *n;
	char why[SCRIPTS_WHY_MAX] = "";
	assert_int_equal(net_new(&n), PLYD_OK);
	int err = scripts_read_config(n, WORKER_PROGRAM,
				      SCRIPTS_DIR "/plyd.lua", &shipped, why);
	net_run(n);
	assert_int_equal(net_free(n), PLYD_OK);
	assert_string_equal(why, "");
	assert_int_equal(err, PLYD_OK);
	config_default(&standard);
	assert_memory_equal(&shipped, &standard, sizeof(shipped));
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
	char want[128];
#define I(section, name, value, low, high)                                     \
	snprintf(want, sizeof(want), "%s = %lld,", #name, (long long)(value)); \
	if (!strstr(text, want))                                               \
		fail_msg("no line '%s'", want);
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
	{ "unknown section", "return { lisen = {} }",
	  "there is no section \"lisen\"" },
	{ "unknown setting", "return { listen = { prot = 1 } }",
	  "listen has no setting \"prot\"" },
	{ "another type", "return { listen = { port = '7531' } }",
	  "listen.port must be a whole number" },
	{ "text wanted", "return { listen = { host = 1 } }",
	  "listen.host must be a text" },
	{ "out of range", "return { listen = { port = 70000 } }",
	  "it may be 0 to 65535" },
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

static const char *env_name, *env_value;

static char *false_getenv(const char *name)
{
	return strcmp(name, env_name) ? NULL : (char *)env_value;
}

static void the_environment_goes_before(void **state)
{
	(void)state;
	struct config c;
	char why[CONFIG_WHY_MAX];
	config_default(&c);
	env_name = "PLYD_LISTEN_PORT";
	env_value = "7000";
	assert_int_equal(config_read_env(&c, false_getenv, why), PLYD_OK);
	assert_int_equal(c.listen_port, 7000);
	env_value = "70000";
	assert_int_equal(config_read_env(&c, false_getenv, why), PLYD_ECONFIG);
	env_value = "7x";
	assert_int_equal(config_read_env(&c, false_getenv, why), PLYD_ECONFIG);
	assert_int_equal(c.listen_port, 7000);
	env_name = "PLYD_DATA_DURABILITY";
	env_value = "some";
	assert_int_equal(config_read_env(&c, false_getenv, why), PLYD_OK);
	enum durability durability;
	assert_int_equal(config_durability(&c, &durability, why), PLYD_ECONFIG);
	assert_non_null(strstr(why, "\"full\", \"normal\", \"none\""));
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
		cmocka_unit_test(the_environment_goes_before),
		cmocka_unit_test(the_domain_gets_every_limit),
	};
	if (crypto_ready())
		return 1;
	table_ready();
	return cmocka_run_group_tests(tests, NULL, NULL) +
	       RUN_TABLE("mistakes", mistakes, mistake_is_refused_by_name);
}
