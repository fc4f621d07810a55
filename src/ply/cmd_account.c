/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ply/command.h"
#include "ply/errand.h"
#include "ply/json.h"
#include "ply/login.h"
#include "proto/methods.h"
#include "proto/write.h"

enum { OPTION_SERVER = 's', OPTION_NAME = 'n', OPTION_BEFORE = 'b' };

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "[tls://]HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "name", OPTION_NAME, "NAME", 0,
	  "register: how others see you; rename: the new name", 0 },
	{ "before", OPTION_BEFORE, "ROW", 0,
	  "matches: those before the one with this `row'", 0 },
	{ 0 },
};

/* A(word, method, wants a login, doc) */
#define ACTS(A)                                                                \
	A("register", "account.register", "makes an account of the --login")   \
	A("show", "account.get", "shows it")                                   \
	A("sessions", "account.sessions", "lists the sessions")                \
	A("rename", "account.rename", "changes the name to --name")            \
	A("password", "account.password",                                      \
	  "sets a new password, and ends all other sessions")                  \
	A("logout", "account.logout", "ends all sessions everywhere")          \
	A("matches", "record.list",                                            \
	  "lists matches of yours that have ended, the newest first")          \
	A("export", "account.export", "prints all that the server keeps")      \
	A("delete", "account.delete", "deletes it for good")

struct act {
	const char *word;
	const char *method;
};

static const struct act acts[] = {
#define A(word, method, doc) { word, method },
	ACTS(A)
#undef A
};

struct account {
	const char *who;
	const char *server;
	const char *name;
	long long before; /* 0: not given */
	const struct act *act;
	struct login login;
};

static const struct act *find_act(const char *word)
{
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		if (!strcmp(acts[i].word, word))
			return &acts[i];
	return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct account *a = state->input;
	char *rest;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &a->login; break;
	case OPTION_SERVER: a->server = arg; break;
	case OPTION_NAME: a->name = arg; break;
	case OPTION_BEFORE:
		a->before = strtoll(arg, &rest, 10);
		if (*rest || a->before < 1)
			argp_error(state, "'%s' is no row", arg);
		break;
	case ARGP_KEY_ARG:
		if (a->act || !(a->act = find_act(arg)))
			argp_usage(state);
		break;
	case ARGP_KEY_END:
		if (!a->act)
			argp_usage(state);
		if (!a->login.login)
			argp_error(state, "whose account? Say --login NAME");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int on_result(void *payload, const struct client_value *result)
{
	const struct account *a = payload;
	/* nobody needs the token of a session that ends with the command */
	if (!strcmp(a->act->word, "register") ||
	    !strcmp(a->act->word, "password"))
		result = client_find(result, "account");
	json_t *j = json_of_value(result);
	json_dumpf(j, stdout, JSON_INDENT(2));
	printf("\n");
	json_decref(j);
	return PLY_OK;
}

static void put_entry(struct buf *b, const char *key, const char *text)
{
	put_cstr(b, key);
	put_cstr(b, text);
}

/* Writes what the method wants to know. False: it cannot be had. */
static bool put_params(const struct account *a, struct buf *b)
{
	char fresh[CLIENT_PASSWORD_MAX];
	const char *word = a->act->word;
	if (!strcmp(word, "register")) {
		put_map(b, 2);
		put_entry(b, "login", a->login.login);
		put_entry(b, "password", a->login.password);
	} else if (!strcmp(word, "password")) {
		if (!password_read(a->who, "PLY_NEW_PASSWORD",
				   "New password: ", fresh))
			return false;
		put_map(b, 2);
		put_entry(b, "old", a->login.password);
		put_entry(b, "new", fresh);
	} else if (!strcmp(word, "rename")) {
		put_map(b, 1);
		put_entry(b, "name", a->name ? a->name : "");
	} else if (!strcmp(word, "logout")) {
		put_map(b, 1);
		put_cstr(b, "everywhere");
		put_bool(b, true);
	} else if (!strcmp(word, "matches") && a->before > 0) {
		put_map(b, 1);
		put_cstr(b, "before");
		put_int(b, a->before);
	} else if (!strcmp(word, "delete")) {
		put_map(b, 1);
		put_entry(b, "password", a->login.password);
	} else {
		put_map(b, 0);
	}
	return true;
}

int cmd_account(int argc, char **argv)
{
	static struct account a;
	struct buf map;
	const struct argp_child children[] = { { &login_argp, 0, NULL, 0 },
					       { 0 } };
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "ACT",
		.children = children,
		.doc = "Look after your account. ACT is one of\n"
#define A(word, method, doc) "  " word ": " doc "\n"
		ACTS(A)
#undef A
			"\vPasswords are never shown: $PLY_PASSWORD and "
			"$PLY_NEW_PASSWORD, or the terminal, have them.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	a.who = argv[0];
	buf_init(&map, MESSAGE_BYTES_MAX);
	int status = PLY_UNREADABLE;
	bool registers = !strcmp(a.act->word, "register");
	if (login_read(&a.login, a.who) && put_params(&a, &map))
		status = errand_run(&(struct errand){
			.who = a.who,
			.server = a.server,
			.name = registers ? a.name : NULL,
			.login = registers ? NULL : &a.login,
			.method = a.act->method,
			.map = buf_span(&map),
			.on_result = on_result,
			.payload = &a,
		});
	buf_release(&map);
	return status;
}
