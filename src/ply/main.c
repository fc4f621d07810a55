/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/build.h"
#include "ply/command.h"

static void print_version(FILE *out, struct argp_state *state)
{
	(void)state;
	build_print_version(out, "ply");
}

/* argp's own name for it. */
void (*argp_program_version_hook)(FILE *out,
				  struct argp_state *state) = print_version;

static const struct command {
	const char *name;
	command_fn *run;
	const char *help;
} commands[] = {
	{ "account", cmd_account, "Look after your account" },
	{ "admin", cmd_admin, "Look after a server that runs here" },
	{ "analyse", cmd_analyse,
	  "Judge the decisions of games by the engine" },
	{ "bot", cmd_bot, "Play whole matches as a program" },
	{ "call", cmd_call, "Ask a server one thing, in JSON" },
	{ "check", cmd_check, "Judge a move, and say which rule it breaks" },
	{ "load", cmd_load, "Load a server with many players, and measure it" },
	{ "moves", cmd_moves, "List the legal moves of a position" },
	{ "perft", cmd_perft,
	  "Count the positions that are so many moves off" },
	{ "play", cmd_play, "Play a match in the terminal" },
	{ "record", cmd_record, "Save the record of a finished match" },
	{ "replay", cmd_replay, "Check games that others wrote down" },
	{ "script", cmd_script, "Write scripts for plyd, and try them" },
	{ "tournament", cmd_tournament, "Show a tournament, or list them" },
	{ "trace", cmd_trace,
	  "Show what passes between a client and a server" },
	{ "verify", cmd_verify, "Verify saved records without a server" },
	{ "watch", cmd_watch, "Follow a match, or list those to follow" },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}

/* Ends the help with the table of commands. argp frees what is returned. */
static char *help_filter(int key, const char *text, void *input)
{
	(void)input;
	char *help = NULL;
	size_t len = 0;
	FILE *out = key == ARGP_KEY_HELP_POST_DOC ? open_memstream(&help, &len)
						  : NULL;
	if (!out)
		return (char *)text;
	fprintf(out, "Commands:\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name,
			commands[i].help);
	fprintf(out, "\n`ply COMMAND --help' tells more about one.");
	fclose(out);
	return help;
}

/* Takes the command's name and leaves all that follows to the command. */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	const struct command **command = state->input;
	if (key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	*command = command_find(arg);
	if (!*command)
		argp_error(state, "there is no command '%s'", arg);
	state->next = state->argc;
	return 0;
}

int main(int argc, char **argv)
{
	const struct command *command = NULL;
	const struct argp argp = {
		.parser = parse,
		.args_doc = "COMMAND [ARGUMENT...]",
		.doc = "Board games by the rules of plyd: backgammon, English "
		       "and Turkish draughts.\v",
		.help_filter = help_filter,
	};
	char name[64];
	int at = 0;
	argp_err_exit_status = PLY_UNREADABLE;
	/* options in front of the command are ply's, those behind it not */
	while (at + 1 < argc && argv[at + 1][0] == '-')
		at++;
	int own = at + 2 < argc ? at + 2 : argc;
	argp_parse(&argp, own, argv, ARGP_IN_ORDER, NULL, &command);
	snprintf(name, sizeof(name), "ply %s", command->name);
	argv[own - 1] = name;
	int status = command->run(argc - own + 1, argv + own - 1);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "%s: cannot write the answer\n", name);
		return PLY_UNREADABLE;
	}
	return status;
}
