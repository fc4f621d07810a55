/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ply/command.h"
#include "ply/script.h"
#include "ply/script_file.h"

enum {
	OPTION_KIND = 'k',
	OPTION_SCRIPTS = 's',
	OPTION_RULESET = 'r',
	OPTION_GAMES = 'n',
	OPTION_JSON = 'j',
	OPTION_SEED = 0x200,
	OPTION_OPENING,
	OPTION_DEADLINE,
	OPTION_RECORDS,
	OPTION_EVERY,
	OPTION_MOVES,
};
enum { GAMES_MAX = 1000000, OPENING_MAX = 40, DEADLINE_MAX_MS = 600000 };

static const struct argp_option options[] = {
	{ "kind", OPTION_KIND, "KIND", 0,
	  "check, replay: what the file is; else its folder says it", 0 },
	{ "scripts", OPTION_SCRIPTS, "FOLDER", 0,
	  "Where the folders of scripts are (default: scripts, or /etc/plyd "
	  "where there is none)",
	  0 },
	{ "ruleset", OPTION_RULESET, "NAME|FILE", 0,
	  "play: what is played (default: english)", 0 },
	{ "games", OPTION_GAMES, "N", 0,
	  "play: so many games, an even number (default: 100)", 0 },
	{ "seed", OPTION_SEED, "N", 0,
	  "play: the same seed plays the same games (default: 1)", 0 },
	{ "opening", OPTION_OPENING, "N", 0,
	  "play: random half-moves at the start of draughts (default: 4)", 0 },
	{ "deadline", OPTION_DEADLINE, "MS", 0,
	  "play, replay: time that a move may take, as "
	  "workers.choose_deadline_ms (default: 5000)",
	  0 },
	{ "moves", OPTION_MOVES, "FILE", 0,
	  "play: write every choice to this file, one JSON object a line", 0 },
	{ "records", OPTION_RECORDS, "FOLDER", 0,
	  "replay: files that `ply record' saved", 0 },
	{ "every", OPTION_EVERY, NULL, 0,
	  "replay: ask about every match and seat, not only about those that "
	  "the script had",
	  0 },
	{ "json", OPTION_JSON, NULL, 0,
	  "play, replay: answer in JSON, one object a line", 0 },
	{ 0 },
};

struct words {
	struct script_options o;
	const char *verb;
};

static bool read_number(const char *text, uint64_t max, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return !errno && end != text && !*end && text[0] != '-' && *out <= max;
}

static error_t parse_number(struct words *w, int key, const char *arg,
			    struct argp_state *state)
{
	uint64_t n = 0;
	uint64_t max = key == OPTION_GAMES      ? GAMES_MAX
		       : key == OPTION_OPENING  ? OPENING_MAX
		       : key == OPTION_DEADLINE ? DEADLINE_MAX_MS
						: INT64_MAX;
	bool good = read_number(arg, max, &n);
	bool counts = key == OPTION_GAMES || key == OPTION_DEADLINE;
	if (!good || (counts && n == 0) || (key == OPTION_GAMES && n % 2))
		argp_error(state, "'%s' is not a number that can be used here",
			   arg);
	if (key == OPTION_GAMES)
		w->o.games = n;
	else if (key == OPTION_SEED)
		w->o.seed = n;
	else if (key == OPTION_DEADLINE)
		w->o.deadline_ms = (int64_t)n;
	else
		w->o.opening = (int)n;
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct words *w = state->input;
	switch (key) {
	case OPTION_SCRIPTS: w->o.scripts = arg; return 0;
	case OPTION_RULESET: w->o.ruleset = arg; return 0;
	case OPTION_RECORDS: w->o.records = arg; return 0;
	case OPTION_MOVES: w->o.moves = arg; return 0;
	case OPTION_EVERY: w->o.every = true; return 0;
	case OPTION_JSON: w->o.json = true; return 0;
	case OPTION_GAMES:
	case OPTION_SEED:
	case OPTION_DEADLINE:
	case OPTION_OPENING: return parse_number(w, key, arg, state);
	case OPTION_KIND:
		w->o.kind = script_kind_find(arg);
		if (w->o.kind < 0)
			argp_error(state, "there is no kind '%s'", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num >= 3)
			return ARGP_ERR_UNKNOWN;
		if (state->arg_num == 0)
			w->verb = arg;
		else
			w->o.word[state->arg_num - 1] = arg;
		return 0;
	case ARGP_KEY_END:
		if (!w->o.word[0])
			argp_usage(state);
		return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static int run_new(const struct script_options *o, const char *who)
{
	int kind = script_kind_find(o->word[0]);
	if (kind >= 0 && o->word[1])
		return script_new(kind, o->word[1], o->scripts);
	fprintf(stderr,
		"%s: new takes a kind (personality, policy, ruleset, library, "
		"tournament) "
		"and a name\n",
		who);
	return PLY_UNREADABLE;
}

/* The kind of the file, for check and replay. */
static bool find_kind(struct script_options *o, const char *who)
{
	if (o->kind < 0)
		o->kind = script_kind_of_path(o->word[0]);
	if (o->kind < 0)
		fprintf(stderr,
			"%s: %s lies in no folder that says what it is; use "
			"--kind\n",
			who, o->word[0]);
	return o->kind >= 0;
}

static int run(struct words *w, const char *who)
{
	struct script_options *o = &w->o;
	if (!strcmp(w->verb, "new"))
		return run_new(o, who);
	if (!strcmp(w->verb, "play") && o->word[1])
		return script_play(o);
	if (!strcmp(w->verb, "check") && !o->word[1])
		return find_kind(o, who) ? script_check(o->word[0], o->kind)
					 : PLY_UNREADABLE;
	if (!strcmp(w->verb, "replay") && !o->word[1] && o->records)
		return find_kind(o, who) ? script_replay(o) : PLY_UNREADABLE;
	fprintf(stderr,
		"%s: new KIND NAME, check FILE, play A B, or replay FILE "
		"--records FOLDER\n",
		who);
	return PLY_UNREADABLE;
}

int cmd_script(int argc, char **argv)
{
	struct words w = { .o = { .scripts = access("scripts", F_OK)
						     ? "/etc/plyd"
						     : "scripts",
				  .ruleset = "english",
				  .games = 100,
				  .seed = 1,
				  .opening = 4,
				  .deadline_ms = SCRIPT_CHOOSE_MS,
				  .kind = -1 } };
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "new KIND NAME\ncheck FILE\nplay A B\nreplay FILE "
			    "--records FOLDER",
		.doc = "Write scripts for plyd, and try them without it.\v"
		       "`new' writes a commented skeleton of a personality, a "
		       "policy, a ruleset or a library into its folder. "
		       "`check' reads a file as plyd would, then asks it in "
		       "positions of random games, and says how long it took "
		       "and what it used; errors name the file, the line and "
		       "what was expected. `play' lets two personalities play "
		       "one another, each with both sides of the same dice or "
		       "opening. `replay' asks a policy or a personality again "
		       "in recorded matches, and a ruleset about their moves; "
		       "it says where it would have done something else. The "
		       "exit status is 0 if all is good, 1 if something is "
		       "not or would have been otherwise, 2 if it could not be "
		       "tried.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &w);
	return run(&w, argv[0]);
}
