/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "ply/command.h"
#include "ply/script.h"

enum { OPTION_KIND = 'k', OPTION_SCRIPTS = 's' };

static const struct argp_option options[] = {
	{ "kind", OPTION_KIND, "KIND", 0,
	  "check: what the file is; else its folder says it", 0 },
	{ "scripts", OPTION_SCRIPTS, "FOLDER", 0,
	  "new: where the folders of scripts are (default: scripts)", 0 },
	{ 0 },
};

struct script {
	const char *folder;
	int kind; /* -1: as the folder says */
	const char *word[3];
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct script *s = state->input;
	switch (key) {
	case OPTION_SCRIPTS: s->folder = arg; return 0;
	case OPTION_KIND:
		s->kind = script_kind_find(arg);
		if (s->kind < 0)
			argp_error(state, "there is no kind '%s'", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num >= 3)
			return ARGP_ERR_UNKNOWN;
		s->word[state->arg_num] = arg;
		return 0;
	case ARGP_KEY_END:
		if (!s->word[1])
			argp_usage(state);
		return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static int run_new(const struct script *s, const char *who)
{
	int kind = script_kind_find(s->word[1]);
	if (kind >= 0 && s->word[2])
		return script_new(kind, s->word[2], s->folder);
	fprintf(stderr,
		"%s: new takes a kind (personality, policy, ruleset, library) "
		"and a "
		"name\n",
		who);
	return PLY_UNREADABLE;
}

static int run_check(const struct script *s, const char *who)
{
	const char *path = s->word[1];
	int kind = s->kind >= 0 ? s->kind : script_kind_of_path(path);
	if (kind >= 0)
		return script_check(path, kind);
	fprintf(stderr,
		"%s: %s lies in no folder that says what it is; use --kind\n",
		who, path);
	return PLY_UNREADABLE;
}

int cmd_script(int argc, char **argv)
{
	struct script s = { .folder = "scripts", .kind = -1 };
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "new KIND NAME\ncheck FILE",
		.doc = "Write scripts for plyd, and try them without it.\v"
		       "`new' writes a commented skeleton of a personality, a "
		       "policy, a ruleset or a library into its folder. "
		       "`check' reads a "
		       "file as plyd would, then asks it in positions of "
		       "random games, and says how long it took and what it "
		       "used; errors name the file, the line and what was "
		       "expected. The exit status is 0 if the script is good, "
		       "1 if it is not, 2 if it could not be tried.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &s);
	if (!strcmp(s.word[0], "new"))
		return run_new(&s, argv[0]);
	if (!strcmp(s.word[0], "check") && !s.word[2])
		return run_check(&s, argv[0]);
	fprintf(stderr, "%s: new KIND NAME, or check FILE\n", argv[0]);
	return PLY_UNREADABLE;
}
