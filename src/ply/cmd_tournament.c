/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ply/command.h"
#include "ply/errand.h"
#include "ply/login.h"
#include "ply/tournament.h"

enum {
	OPTION_SERVER = 's',
	OPTION_JSON = 'j',
	OPTION_CSV = 'c',
	OPTION_ONCE = '1'
};

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "once", OPTION_ONCE, NULL, 0, "Show the table as it is, and end", 0 },
	{ "json", OPTION_JSON, NULL, 0,
	  "Write all of it as JSON, which `ply verify' judges", 0 },
	{ "csv", OPTION_CSV, NULL, 0,
	  "Write the table as comma-separated values", 0 },
	{ 0 },
};

struct showing {
	const char *who;
	const char *server;
	const char *id;
	bool once, json, csv;
	struct login login;
	struct net *net;
	struct link *link;
	struct tournament_fetch fetch;
	bool fetching;
	bool changed; /* while it was fetched */
	bool done;
	int status;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct showing *s = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &s->login; break;
	case OPTION_SERVER: s->server = arg; break;
	case OPTION_ONCE: s->once = true; break;
	case OPTION_JSON: s->json = s->once = true; break;
	case OPTION_CSV: s->csv = s->once = true; break;
	case ARGP_KEY_ARG:
		if (s->id)
			argp_usage(state);
		s->id = arg;
		break;
	case ARGP_KEY_END:
		if ((s->json && s->csv) || (s->once && !s->id))
			argp_usage(state);
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* -- the list -- */

static int on_list(void *payload, const struct client_value *result)
{
	const struct client_value *all = client_find(result, "tournaments");
	(void)payload;
	for (size_t i = 0; i < client_count(all); i++) {
		json_t *t = json_of_value(client_at(all, i));
		const char *id, *name, *state, *ruleset, *format;
		int players;
		if (!json_unpack(t, "{s:s,s:s,s:s,s:s,s:s,s:i}", "tournament",
				 &id, "name", &name, "state", &state, "ruleset",
				 &ruleset, "format", &format, "players",
				 &players))
			printf("%s  %-20s %-12s %-12s %s, %d players\n", id,
			       name, state, ruleset, format, players);
		json_decref(t);
	}
	if (client_count(all) == 0)
		printf("There is no tournament.\n");
	return PLY_OK;
}

static int list(const struct showing *s)
{
	static const uint8_t empty_map[] = { 0x80 };
	const struct errand errand = {
		.who = s->who,
		.server = s->server,
		.login = &s->login,
		.method = "tournament.list",
		.map = span_of(empty_map, sizeof(empty_map)),
		.on_result = on_list,
	};
	return errand_run(&errand);
}

/* -- one -- */

static void end(struct showing *s, int status)
{
	s->status = status;
	s->done = true;
	link_close(s->link);
}

static void fetch(struct showing *s);

static void show(const struct showing *s, const json_t *whole)
{
	if (s->json) {
		json_dumpf(whole, stdout, JSON_INDENT(1) | JSON_SORT_KEYS);
		putchar('\n');
	} else if (s->csv) {
		tournament_print_csv(stdout, whole);
	} else {
		if (!s->once && isatty(STDOUT_FILENO))
			printf("\033[H\033[2J"); /* the whole screen anew */
		tournament_print(stdout, whole);
	}
	fflush(stdout);
}

static void on_fetched(void *payload, json_t *whole, const char *why)
{
	struct showing *s = payload;
	s->fetching = false;
	if (!whole) {
		fprintf(stderr, "%s: %s\n", s->who, why);
		end(s, PLY_REFUSED);
		return;
	}
	show(s, whole);
	const char *state = json_string_value(
		json_object_get(json_object_get(whole, "tournament"), "state"));
	bool finished = state && !strcmp(state, "finished");
	json_decref(whole);
	if (s->once || finished)
		end(s, PLY_OK);
	else if (s->changed)
		fetch(s);
}

static void fetch(struct showing *s)
{
	if (s->fetching) {
		s->changed = true;
		return;
	}
	s->changed = false;
	s->fetching = true;
	s->fetch = (struct tournament_fetch){ .client = link_client(s->link),
					      .id = s->id,
					      .watch = !s->once,
					      .with_rounds = s->json,
					      .on_done = on_fetched,
					      .payload = s };
	if (!tournament_fetch(&s->fetch)) {
		fprintf(stderr, "%s: '%s' is no tournament\n", s->who, s->id);
		end(s, PLY_UNREADABLE);
	}
}

static void on_ready(void *payload, const struct client_welcome *welcome)
{
	(void)welcome;
	fetch(payload);
}

static void on_notice(void *payload, const char *name,
		      const struct client_value *params)
{
	struct showing *s = payload;
	char id[CLIENT_ID_MAX];
	if (strncmp(name, "tournament.", strlen("tournament.")) != 0 ||
	    !client_copy(client_find(params, "tournament"), id, sizeof(id)) ||
	    strcmp(id, s->id) != 0 || s->once)
		return;
	fetch(s);
}

static void on_closing(void *payload, const struct client_error *e)
{
	struct showing *s = payload;
	link_closing(s->link, e);
}

static void on_ended(void *payload, const char *why)
{
	struct showing *s = payload;
	if (!s->done) {
		server_complaint(s->who, s->server, why);
		s->status = PLY_UNREADABLE;
	}
	net_stop(s->net);
}

static void on_signal(void *payload, int signal)
{
	(void)signal;
	end(payload, PLY_OK);
}

static int run(struct showing *s)
{
	static const struct client_callbacks callbacks = {
		.on_ready = on_ready,
		.on_notice = on_notice,
		.on_closing = on_closing,
	};
	struct link_options of_link = {
		.server = s->server,
		.client = { .program = "ply tournament " PLYD_VERSION },
		.callbacks = &callbacks,
		.on_ended = on_ended,
		.payload = s,
	};
	if (!errand_follow(&s->net, &s->link, &of_link, &s->login, on_signal,
			   s->who))
		s->status = PLY_UNREADABLE;
	return s->status;
}

int cmd_tournament(int argc, char **argv)
{
	static struct showing s;
	const struct argp_child children[] = { { &login_argp, 0, NULL, 0 },
					       { 0 } };
	const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse,
		.args_doc = "[TOURNAMENT]",
		.doc = "Show the table of a tournament, again whenever it "
		       "changes; without one, list the tournaments.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &s);
	s.who = argv[0];
	if (!login_read(&s.login, s.who))
		return PLY_UNREADABLE;
	return s.id ? run(&s) : list(&s);
}
