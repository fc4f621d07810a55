/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ply/admin.h"
#include "ply/command.h"
#include "ply/errand.h"
#include "ply/record_file.h"
#include "proto/scan.h"

/* Of a plyd that was started in this directory, else of an installed one. */
#define SOCKET_HERE      "var/plyd/admin.sock"
#define SOCKET_INSTALLED "/var/lib/plyd/admin.sock"

enum { TOKEN_HEX_MAX = 128 };
enum { OPTION_SOCKET = 's', OPTION_JSON = 256, OPTION_SERVER, OPTION_TOKEN };

static const struct argp_option options[] = {
	{ "socket", OPTION_SOCKET, "PATH", 0,
	  "The operator's socket (default: " SOCKET_HERE
	  " here, else " SOCKET_INSTALLED ")",
	  0 },
	{ "server", OPTION_SERVER, "HOST:PORT", 0,
	  "Come in from elsewhere, with a token that `ply admin token' gave",
	  0 },
	{ "token-file", OPTION_TOKEN, "FILE", 0,
	  "That token, with --server; else PLYD_OPERATOR_TOKEN has it", 0 },
	{ "json", OPTION_JSON, NULL, 0, "Print the answer as JSON", 0 },
	{ 0 },
};

struct admin {
	const char *who;
	const char *socket;
	const char *server; /* NULL: by the socket */
	const char *token_file;
	char token[TOKEN_HEX_MAX];
	bool json;
	const struct admin_command *command;
	char **args; /* of the command */
	size_t arg_count;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct admin *a = state->input;
	switch (key) {
	case OPTION_SOCKET: a->socket = arg; break;
	case OPTION_JSON: a->json = true; break;
	case OPTION_SERVER: a->server = arg; break;
	case OPTION_TOKEN: a->token_file = arg; break;
	case ARGP_KEY_ARG:
		a->command = admin_command_find(arg);
		if (!a->command)
			argp_error(state, "there is no command '%s'", arg);
		/* the rest is the command's, such as -30s */
		a->args = state->argv + state->next;
		a->arg_count = (size_t)(state->argc - state->next);
		state->next = state->argc;
		break;
	case ARGP_KEY_END:
		if (!a->command)
			argp_usage(state);
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static char *help_filter(int key, const char *text, void *input)
{
	char *help = NULL;
	size_t len = 0;
	(void)input;
	FILE *out = key == ARGP_KEY_HELP_POST_DOC ? open_memstream(&help, &len)
						  : NULL;
	if (!out)
		return (char *)text;
	fprintf(out, "Commands:\n");
	admin_print_commands(out);
	fprintf(out, "\nThe exit status is 1 if the server refuses, 2 if it "
		     "cannot be asked.");
	fclose(out);
	return help;
}

/* To the file that is named, else MATCH.record. */
static int save(const struct admin *a, const struct client_value *result)
{
	struct buf out;
	char name[64];
	int status = PLY_UNREADABLE;
	snprintf(name, sizeof(name), "%.32s.record", a->args[0]);
	buf_init(&out, STORE_BYTES_MAX);
	if (put_value(&out, result), out.err)
		fprintf(stderr, "%s: %s\n", a->who, plyd_err_text(out.err));
	else
		status = record_save(a->who,
				     a->arg_count > 1 ? a->args[1] : name,
				     buf_span(&out));
	buf_release(&out);
	return status;
}

static int on_result(void *payload, const struct client_value *result)
{
	const struct admin *a = payload;
	if (!a->json && strchr(a->command->takes, '>'))
		return save(a, result);
	json_t *j = json_of_value(result);
	if (a->json) {
		json_dumpf(j, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
		putchar('\n');
	} else {
		admin_print(a->command, j);
	}
	json_decref(j);
	return PLY_OK;
}

static int ask(struct admin *a, const json_t *params)
{
	struct buf map;
	int status = PLY_UNREADABLE;
	buf_init(&map, MESSAGE_BYTES_MAX);
	put_json(&map, params);
	const struct errand errand = {
		.who = a->who,
		.path = a->server ? NULL : a->socket,
		.server = a->server,
		.operator_token = a->server ? a->token : NULL,
		.method = a->command->method,
		.map = buf_span(&map),
		.on_result = on_result,
		.payload = a,
	};
	if (map.err)
		fprintf(stderr, "%s: this is too long\n", a->who);
	else
		status = errand_run(&errand);
	buf_release(&map);
	return status;
}

/* The first word of the file, or the variable; false: there is none. */
static bool read_token(struct admin *a)
{
	const char *text = getenv("PLYD_OPERATOR_TOKEN");
	FILE *file = a->token_file ? fopen(a->token_file, "r") : NULL;
	bool read = false;
	if (file)
		read = fscanf(file, "%127s", a->token) == 1;
	else if (text && !a->token_file)
		read = span_copy(span_str(text), a->token, sizeof(a->token));
	if (file)
		fclose(file);
	if (!read)
		fprintf(stderr,
			"%s: --server needs a token: --token-file names a file "
			"with it, or PLYD_OPERATOR_TOKEN has it\n",
			a->who);
	return read;
}

int cmd_admin(int argc, char **argv)
{
	struct admin a = { .who = argv[0] };
	char why[ADMIN_WHY_MAX];
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "COMMAND [ARGUMENT...]",
		.doc = "Look after a plyd that runs on this machine, as the "
		       "user who runs it; or from elsewhere, with a token.\v",
		.help_filter = help_filter,
	};
	/* in order, so that what follows the command is the command's */
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &a);
	if (!a.socket)
		a.socket = access(SOCKET_HERE, F_OK) &&
					   !access(SOCKET_INSTALLED, F_OK)
				   ? SOCKET_INSTALLED
				   : SOCKET_HERE;
	json_t *params = admin_params(a.command, a.args, a.arg_count, why);
	if (!params) {
		fprintf(stderr, "%s: %s\n%s: usage: %s [OPTION...] %s %s\n",
			a.who, why, a.who, a.who, a.command->name,
			a.command->args);
		return PLY_UNREADABLE;
	}
	int status =
		a.server && !read_token(&a) ? PLY_UNREADABLE : ask(&a, params);
	json_decref(params);
	return status;
}
