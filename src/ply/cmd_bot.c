/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ply/bot.h"
#include "ply/command.h"
#include "ply/errand.h"
#include "ply/stdio_line.h"
#include "proto/methods.h"

enum { BOT_FIRST_MS = 10000, MATCHES_MAX = 1000000 };

enum {
	OPTION_SERVER = 's',
	OPTION_NAME = 'n',
	OPTION_LOG = 'l',
	OPTION_MATCHES = 'm',
	OPTION_ENGINE = 256,
	OPTION_RANDOM,
	OPTION_NODES,
	OPTION_SEED,
	OPTION_OPPONENT,
	OPTION_ACCEPT,
	OPTION_RATED,
	OPTION_AI,
	OPTION_TOURNAMENT,
	OPTION_STDIO,
	OPTION_MS,
	OPTION_DEPTH
};

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "[tls://]HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "name", OPTION_NAME, "NAME", 0, "How others see the bot", 0 },
	{ "matches", OPTION_MATCHES, "N", 0, "Matches to play (default: 1)",
	  0 },
	{ "opponent", OPTION_OPPONENT, "KIND", 0,
	  "bot, person, anyone or personality (default: bot; anyone with "
	  "--accept)",
	  0 },
	{ "accept", OPTION_ACCEPT, NULL, 0,
	  "Open no lobby: the server accepts challenges and invitations for "
	  "the bot, several at a time",
	  0 },
	{ "rated", OPTION_RATED, NULL, 0,
	  "Play rated matches; it needs an account, and so do its opponents",
	  0 },
	{ "tournament", OPTION_TOURNAMENT, "ID", 0,
	  "Take part in that tournament, and end with it", 0 },
	{ "ai", OPTION_AI, "NAME", 0,
	  "Play the server's personality of that name", 0 },
	{ "engine", OPTION_ENGINE, NULL, 0,
	  "Search for good moves (the default)", 0 },
	{ "random", OPTION_RANDOM, NULL, 0, "Play any legal move", 0 },
	{ "nodes", OPTION_NODES, "N", 0,
	  "Positions to look at for a move (default: 20000)", 0 },
	{ "seed", OPTION_SEED, "N", 0,
	  "Choose alike in every run (default: differently)", 0 },
	{ "stdio", OPTION_STDIO, NULL, 0,
	  "Play for a referee program: its lines on standard input, answers "
	  "on standard output, no server; see docs/bots.md",
	  0 },
	{ "ms", OPTION_MS, "N", 0,
	  "With --stdio: ms of CPU time for a move at most", 0 },
	{ "depth", OPTION_DEPTH, "N", 0,
	  "With --stdio: half-moves to look ahead at most", 0 },
	{ "log", OPTION_LOG, "FILE", 0,
	  "Append `MATCH PLY MOVE' for each own move that was acknowledged, "
	  "and `ended MATCH RESULT'",
	  0 },
	{ 0 },
};

/* -- the command line -- */

static uint64_t number(struct argp_state *state, const char *arg, uint64_t max)
{
	char *rest;
	errno = 0;
	uint64_t n = strtoumax(arg, &rest, 10);
	if (errno || *rest || rest == arg || arg[0] == '-' || n > max)
		argp_error(state, "'%s' is not a number from 0 to %" PRIu64,
			   arg, max);
	return n;
}

static void check_opponent(struct argp_state *state, const char *arg)
{
#define V(code, word)                                                          \
	if (!strcmp(arg, word))                                                \
		return;
	OPPONENT_VALUES(V)
#undef V
	argp_error(state, "'%s' is no kind of opponent", arg);
}

static void check_all(struct argp_state *state, struct bot_options *o)
{
	if (!o->ruleset)
		argp_usage(state);
	if (!o->stdio && (o->ms || o->depth))
		argp_error(state, "--ms and --depth go with --stdio");
	if (o->stdio && (o->opponent || o->accept || o->rated || o->random ||
			 o->tournament || o->server || o->log))
		argp_error(state, "--stdio plays by search, and only for the "
				  "program that writes to it");
	if (o->nodes == 0 && !o->stdio)
		o->nodes = BOT_NODES;
	if (!o->opponent)
		o->opponent = o->accept ? "anyone" : "bot";
	if (strcmp(o->opponent, "personality") != 0)
		return;
	if (o->accept)
		argp_error(state, "no personality challenges anybody");
	if (o->rated)
		argp_error(state, "no match with a personality is rated");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bot_options *o = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->login; break;
	case OPTION_SERVER: o->server = arg; break;
	case OPTION_NAME: o->name = arg; break;
	case OPTION_LOG: o->log = arg; break;
	case OPTION_MATCHES:
		o->matches = (long)number(state, arg, MATCHES_MAX);
		break;
	case OPTION_ENGINE: o->random = false; break;
	case OPTION_RANDOM: o->random = true; break;
	case OPTION_NODES: o->nodes = number(state, arg, UINT64_MAX); break;
	case OPTION_STDIO: o->stdio = true; break;
	case OPTION_MS: o->ms = number(state, arg, STDIO_MS_MAX); break;
	case OPTION_DEPTH:
		o->depth = (int)number(state, arg, ENGINE_DEPTH_MAX);
		break;
	case OPTION_SEED:
		o->seed = number(state, arg, UINT64_MAX);
		o->seeded = true;
		break;
	case OPTION_OPPONENT:
		check_opponent(state, arg);
		o->opponent = arg;
		break;
	case OPTION_ACCEPT: o->accept = true; break;
	case OPTION_RATED: o->rated = true; break;
	case OPTION_TOURNAMENT: o->tournament = arg; break;
	case OPTION_AI:
		o->ai = arg;
		o->opponent = "personality";
		break;
	case ARGP_KEY_ARG:
		if (o->ruleset)
			argp_usage(state);
		o->ruleset = arg;
		break;
	case ARGP_KEY_END: check_all(state, o); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* -- what both halves need -- */

void bot_soon(struct bot *b, uint64_t after_ms)
{
	uint64_t due_ms = net_now_ms() + after_ms;
	if (b->due_ms != 0 && b->due_ms <= due_ms)
		return;
	b->due_ms = due_ms;
	net_timer_start(b->timer, after_ms);
}

void bot_fail(struct bot *b, const char *format, ...)
{
	va_list args;
	fprintf(stderr, "%s: ", b->who);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	b->status = PLY_REFUSED;
	net_stop(b->net);
}

void bot_log(struct bot *b, const char *format, ...)
{
	va_list args;
	if (!b->log)
		return;
	va_start(args, format);
	vfprintf(b->log, format, args);
	va_end(args);
	fputc('\n', b->log);
	if (fflush(b->log) || (fdatasync(fileno(b->log)) && errno != EINVAL))
		bot_fail(b, "cannot write '%s': %s", b->options.log,
			 strerror(errno));
}

/* -- the loop's calls -- */

/* Whether all was played. What the server takes for the bot may be more than
 * was wanted, so then its word counts. */
static bool is_done(const struct bot *b)
{
	bool enough = b->options.accept || b->options.tournament || b->finishing
			      ? b->finished
			      : b->ended >= b->options.matches;
	return enough && games_busy(b) == 0;
}

static void on_timer(void *payload)
{
	struct bot *b = payload;
	b->due_ms = 0;
	if (is_done(b)) {
		link_close(b->link);
		return;
	}
	if (!client_is_ready(link_client(b->link)))
		return; /* on_ready ticks again */
	game_tick(b);
	seek_tick(b);
	link_flush(b->link);
}

static void on_ready(void *payload, const struct client_welcome *w)
{
	seek_ready(payload, w->value);
}

static void on_match(void *payload, const struct client_match *m)
{
	game_show(payload, m);
}

static void on_event(void *payload, const struct client_event *e)
{
	game_event(payload, e);
}

static void on_lost(void *payload, const char *match, int err)
{
	game_lost(payload, match, err);
}

static void on_notice(void *payload, const char *name,
		      const struct client_value *params)
{
	struct bot *b = payload;
	if (!strcmp(name, "lobby.closed"))
		seek_closed(b, params);
	if (!strcmp(name, "tournament.changed"))
		seek_tournament(b, params);
	if (!strcmp(name, "bot.finished") && b->finishing) {
		b->finished = true;
		bot_soon(b, 0);
	}
}

static void on_closing(void *payload, const struct client_error *e)
{
	struct bot *b = payload;
	link_closing(b->link, e);
}

static const struct client_callbacks callbacks = {
	on_ready, on_match, on_event, on_lost, on_notice, on_closing,
};

static void on_broken(void *payload, const char *why)
{
	const struct bot *b = payload;
	fprintf(stderr, "%s: connection lost (%s), trying again\n", b->who,
		why);
}

static void on_ended(void *payload, const char *why)
{
	struct bot *b = payload;
	if (why[0])
		bot_fail(b, "%s", why);
	net_stop(b->net);
}

static void on_signal(void *payload, int signal)
{
	struct bot *b = payload;
	bool plays = client_is_ready(link_client(b->link)) || games_busy(b) > 0;
	if (signal == SIGTERM && plays && !b->finishing) {
		fprintf(stderr, "%s: no new matches; those that run go on\n",
			b->who);
		seek_finish(b);
		return;
	}
	b->status = PLY_REFUSED;
	link_close(b->link);
}

/* -- life -- */

static bool bot_open(struct bot *b)
{
	const struct bot_options *o = &b->options;
	uint64_t seed = o->seed;
	entropy_from_system(&b->entropy);
	if (!o->seeded)
		entropy_fill(&b->entropy, (uint8_t *)&seed, sizeof(seed));
	rng_seed(&b->rng, seed);
	if (o->ai && !span_copy(span_str(o->ai), b->ai, sizeof(b->ai))) {
		fprintf(stderr, "%s: no personality has so long a name\n",
			b->who);
		return false;
	}
	if (o->log && !(b->log = fopen(o->log, "a"))) {
		fprintf(stderr, "%s: cannot open '%s': %s\n", b->who, o->log,
			strerror(errno));
		return false;
	}
	if (engine_new(BOT_TABLE_BYTES, &b->engine) || net_new(&b->net) ||
	    !(b->timer = net_timer_new(b->net, on_timer, b)) ||
	    net_on_signal(b->net, on_signal, b)) {
		fprintf(stderr, "%s: no memory\n", b->who);
		return false;
	}
	return true;
}

static bool bot_connect(struct bot *b)
{
	struct link_options link = {
		.server = b->options.server,
		.first_ms = BOT_FIRST_MS,
		.client = { .name = b->options.name,
			    .program = "ply bot " PLYD_VERSION,
			    .bot = true },
		.callbacks = &callbacks,
		.on_broken = on_broken,
		.on_ended = on_ended,
		.payload = b,
	};
	return errand_link(&b->link, b->net, &link, &b->options.login, b->who);
}

static void bot_close(struct bot *b)
{
	net_timer_free(b->timer);
	link_free(b->link);
	net_free(b->net);
	engine_free(b->engine);
	if (b->log && fclose(b->log))
		b->status = PLY_REFUSED;
}

int cmd_bot(int argc, char **argv)
{
	static struct bot b;
	const struct argp_child children[] = { { &login_argp, 0, NULL, 0 },
					       { 0 } };
	const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse,
		.args_doc = "RULESET",
		.doc = "Play whole matches over the socket: against other "
		       "bots, people, or the server's personalities. Goes on "
		       "with its session when the connection breaks.\v"
		       "The exit status is 0 when all matches were played, 1 "
		       "if not. After SIGTERM the bot takes no new matches and "
		       "ends well with its last; a second one, or SIGINT, ends "
		       "it at once, and its clocks run.",
	};
	b.options = (struct bot_options){ .matches = 1 };
	argp_parse(&argp, argc, argv, 0, NULL, &b.options);
	if (b.options.stdio)
		return bot_stdio(&b.options, argv[0]);
	b.who = argv[0];
	b.status = PLY_OK;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (login_read(&b.options.login, b.who) && bot_open(&b) &&
	    bot_connect(&b))
		net_run(b.net);
	else
		b.status = PLY_UNREADABLE;
	bot_close(&b);
	return b.status;
}
