/* SPDX-License-Identifier: MIT
 * config_env.c - settings from the environment, and names that were meant. */
#include "server/config_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include <plyd/err.h>

static const char prefix[] = "PLYD_";

static void variable_of(const struct setting *s, char out[CONFIG_NAME_MAX])
{
	snprintf(out, CONFIG_NAME_MAX, "%s%s_%s", prefix, s->section, s->name);
	for (char *p = out; *p; p++)
		*p = (char)toupper((unsigned char)*p);
}

/* -- names that were meant -- */

enum { FAR = 4 }; /* changes of a letter that make another word */

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned least_ab = a < b ? a : b;
	return least_ab < c ? least_ab : c;
}

/* Letters to add, leave out or change; long words are as good as FAR. */
static unsigned distance(struct span a, struct span b)
{
	unsigned row[CONFIG_NAME_MAX];
	if (a.len >= CONFIG_NAME_MAX || b.len >= CONFIG_NAME_MAX)
		return FAR;
	for (size_t j = 0; j <= b.len; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= a.len; i++) {
		unsigned corner = row[0];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b.len; j++) {
			unsigned same = corner + (a.at[i - 1] != b.at[j - 1]);
			corner = row[j];
			row[j] = least(same, row[j] + 1, row[j - 1] + 1);
		}
	}
	return row[b.len];
}

struct nearest {
	struct span said;
	unsigned far;
	char name[CONFIG_NAME_MAX];
};

static void look_at(struct nearest *n, const char *name)
{
	unsigned far = distance(n->said, span_str(name));
	/* of short words nothing would be left */
	if (far >= n->far || far * 2 >= n->said.len)
		return;
	n->far = far;
	snprintf(n->name, sizeof(n->name), "%s", name);
}

static void suggest(const struct nearest *n, char *why)
{
	size_t used = strlen(why);
	if (n->far < FAR)
		snprintf(why + used, CONFIG_WHY_MAX - used,
			 "; did you mean %s?", n->name);
}

void config_suggest_variable(const char *said, char *why)
{
	struct nearest n = { .said = span_str(said), .far = FAR };
	char name[CONFIG_NAME_MAX];
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++) {
		variable_of(&config_settings[i], name);
		look_at(&n, name);
	}
	suggest(&n, why);
}

void config_suggest_setting(struct span section, struct span said, char *why)
{
	struct nearest n = { .said = said, .far = FAR };
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++)
		if (span_is(section, config_settings[i].section))
			look_at(&n, config_settings[i].name);
	suggest(&n, why);
}

void config_suggest_section(struct span said, char *why)
{
	struct nearest n = { .said = said, .far = FAR };
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++)
		look_at(&n, config_settings[i].section);
	suggest(&n, why);
}

/* -- the environment -- */

static const struct setting *find_variable(struct span said)
{
	char name[CONFIG_NAME_MAX];
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++) {
		variable_of(&config_settings[i], name);
		if (span_is(said, name))
			return &config_settings[i];
	}
	return NULL;
}

static int read_variable(struct config *c, const struct setting *s,
			 struct span name, const char *text, char *why)
{
	char *end;
	if (s->is_text)
		return config_set_text(c, s, span_str(text), FROM_ENVIRONMENT,
				       why);
	errno = 0;
	long long number = strtoll(text, &end, 10);
	if (errno || *end || end == text) {
		snprintf(why, CONFIG_WHY_MAX, "%.*s must be a whole number",
			 (int)name.len, (const char *)name.at);
		return PLYD_ECONFIG;
	}
	return config_set_number(c, s, number, FROM_ENVIRONMENT, why);
}

int config_read_env(struct config *c, char *const *env,
		    char why[CONFIG_WHY_MAX])
{
	char shown[CONFIG_NAME_MAX];
	for (; *env; env++) {
		const char *equals = strchr(*env, '=');
		if (!equals || strncmp(*env, prefix, sizeof(prefix) - 1))
			continue;
		struct span name = span_of(*env, (size_t)(equals - *env));
		const struct setting *s = find_variable(name);
		int err = PLYD_ECONFIG;
		if (s) {
			err = read_variable(c, s, name, equals + 1, why);
		} else {
			snprintf(shown, sizeof(shown), "%.*s", (int)name.len,
				 *env);
			snprintf(why, CONFIG_WHY_MAX,
				 "there is no setting %s, which the "
				 "environment has",
				 shown);
			config_suggest_variable(shown, why);
		}
		if (err)
			return err;
	}
	return PLYD_OK;
}
