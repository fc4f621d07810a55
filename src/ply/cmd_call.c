/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>

#include "ply/command.h"
#include "ply/errand.h"
#include "ply/json.h"
#include "proto/scan.h"

enum { OPTION_SERVER = 's', OPTION_TOKEN = 't' };

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "[tls://]HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "token", OPTION_TOKEN, "TOKEN", 0,
	  "Act in the session of this resume token (default: a new session)",
	  0 },
	{ 0 },
};

struct call {
	struct login login;
	const char *method;
	const char *json;
	const char *server;
	const char *token;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct call *c = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &c->login; break;
	case OPTION_SERVER: c->server = arg; break;
	case OPTION_TOKEN: c->token = arg; break;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_usage(state);
		*(state->arg_num == 0 ? &c->method : &c->json) = arg;
		break;
	case ARGP_KEY_END:
		if (!c->method)
			argp_usage(state);
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void print(json_t *j)
{
	json_dumpf(j, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	putchar('\n');
	json_decref(j);
}

static int on_result(void *payload, const struct client_value *result)
{
	(void)payload;
	print(json_of_value(result));
	return PLY_OK;
}

static int on_error(void *payload, const struct client_error *e)
{
	(void)payload;
	print(json_pack("{s:{s:i,s:s,s:s,s:o}}", "error", "code", e->code,
			"name", e->name, "message", e->message, "details",
			json_of_value(e->details)));
	return PLY_REFUSED;
}

/* Reads the parameters into map; false after a complaint. */
static bool read_params(const char *who, const char *text, struct buf *map)
{
	json_error_t where;
	json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, &where);
	bool good = false;
	if (!j)
		fprintf(stderr, "%s: column %d of the parameters: %s\n", who,
			where.column, where.text);
	else if (!json_is_object(j))
		fprintf(stderr,
			"%s: the parameters are one object, such as "
			"'{\"match\": \"m2n4p6r7st\"}'\n",
			who);
	else if (!put_json(map, j))
		fprintf(stderr, "%s: the protocol knows no fractions\n", who);
	else if (map->err)
		fprintf(stderr, "%s: the parameters are too long\n", who);
	else
		good = true;
	json_decref(j);
	return good;
}

int cmd_call(int argc, char **argv)
{
	struct call c = { .json = "{}" };
	struct buf map;
	const struct argp_child children[] = { { &login_argp, 0, NULL, 0 },
					       { 0 } };
	const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse,
		.args_doc = "METHOD [PARAMETERS]",
		.doc = "Ask a server one thing and print the answer as JSON, "
		       "for example: ply call lobby.list "
		       "'{\"ruleset\": \"english\"}'\v"
		       "docs/protocol.md lists the methods. The exit status "
		       "is 1 if the answer is an error, 2 if there is none.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &c);
	buf_init(&map, MESSAGE_BYTES_MAX);
	int status = PLY_UNREADABLE;
	if (login_read(&c.login, argv[0]) &&
	    read_params(argv[0], c.json, &map)) {
		const struct errand errand = {
			.who = argv[0],
			.server = c.server,
			.token = c.token,
			.login = &c.login,
			.method = c.method,
			.map = buf_span(&map),
			.on_result = on_result,
			.on_error = on_error,
		};
		status = errand_run(&errand);
	}
	buf_release(&map);
	return status;
}
