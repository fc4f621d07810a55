/* SPDX-License-Identifier: MIT
 * admin.h - the commands of `ply admin` as a table: what each asks the server,
 * and how the answer is shown to people. */
#ifndef PLYD_PLY_ADMIN_H
#define PLYD_PLY_ADMIN_H

#include <stdio.h>

#include "ply/json.h"

enum { ADMIN_WHY_MAX = 160 };

struct admin_command {
	const char *name;
	const char *method;
	const char *args; /* for people */
	/* The parameters that the words of the command are, in this order, with
	 * spaces between: `key` as it is, `+key` a time such as 90s, 5m, 2h, 7d
	 * in ms, `#key` a number, `@key` a file, `>` one for the answer as it
	 * comes, `key*` all the words that are left. Behind a | all may be
	 * missing. */
	const char *takes;
	const char *fixed;   /* parameters that it always has, JSON, or NULL */
	const char *list;    /* the list in the answer that is shown, or NULL */
	const char *columns; /* keys of its items; a.b is b in a */
	const char *help;
};

/* NULL: there is none. */
const struct admin_command *admin_command_find(const char *name);
void admin_print_commands(FILE *out);

/* Gives the parameters; NULL: the words do not fit, and why says why not. */
json_t *admin_params(const struct admin_command *c, char **words, size_t count,
		     char why[ADMIN_WHY_MAX]);

/* Prints an answer as a table or as lines. */
void admin_print(const struct admin_command *c, const json_t *answer);

#endif
