/* SPDX-License-Identifier: MIT
 * config_priv.h - the table of settings, for those who read and print it. */
#ifndef PLYD_SERVER_CONFIG_PRIV_H
#define PLYD_SERVER_CONFIG_PRIV_H

#include "server/config.h"

enum { CONFIG_NAME_MAX = 80 }; /* PLYD_SECTION_NAME and its NUL */

struct setting {
	const char *section;
	const char *name;
	bool is_text;
	size_t at; /* offset in struct config */
	int64_t low;
	int64_t high;
};

extern const struct setting config_settings[CONFIG_SETTING_COUNT];

int64_t config_number(const struct config *c, const struct setting *s);
const char *config_text(const struct config *c, const struct setting *s);

/* Set a value that was said so; PLYD_ECONFIG: it may not be that. */
int config_set_number(struct config *c, const struct setting *s, int64_t value,
		      enum config_from from, char *why);
int config_set_text(struct config *c, const struct setting *s,
		    struct span value, enum config_from from, char *why);

/* Adds "; did you mean 'x'?" to why, if a known name is near to what was said:
 * of the variables (section.len 0), or of the settings of a section, or, with
 * is_section, of the sections. */
void config_suggest_variable(const char *said, char *why);
void config_suggest_setting(struct span section, struct span said, char *why);
void config_suggest_section(struct span said, char *why);

#endif
