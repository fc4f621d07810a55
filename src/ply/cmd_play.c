/* SPDX-License-Identifier: MIT */
#include "ply/play.h"

#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/rng.h"
#include "ply/command.h"
#include "ply/errand.h"

enum { OPTION_SERVER = 's', OPTION_NAME = 'n', OPTION_AI = 'a' };
enum { OPTION_POINTS = 'p', OPTION_CLOCK = 'c' };
enum { OPTION_QUICK = 'q', OPTION_AGAINST = 'w' };
enum { OPTION_TOKEN_FILE = 256, OPTION_POSITION, OPTION_RATED };
enum { KEY_MAX = 24, CLAIM_SECOND_MS = 1000 };

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "[tls://]HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "ai", OPTION_AI, "NAME", 0,
	  "Play the server's personality of that name (default: anyone who "
	  "comes)",
	  0 },
	{ "quick", OPTION_QUICK, NULL, 0,
	  "Play the nearest in rating who wants the same", 0 },
	{ "with", OPTION_AGAINST, "PLAYER", 0, "Challenge one who is here", 0 },
	{ "rated", OPTION_RATED, NULL, 0,
	  "A match that counts for both ratings; both need an account", 0 },
	{ "points", OPTION_POINTS, "N", 0,
	  "Points that win a match of several games (default: the ruleset's)",
	  0 },
	{ "clock", OPTION_CLOCK, "TIME", 0,
	  "Open a lobby with this clock: 5+3 (5 minutes and 3 seconds a move), "
	  "5d3 (a delay of 3 seconds), 5b3 (Bronstein), 3days (for each move), "
	  "none",
	  0 },
	{ "position", OPTION_POSITION, "TEXT", 0,
	  "Begin at a position of a game without dice; it is unrated", 0 },
	{ "name", OPTION_NAME, "NAME", 0, "How others see you", 0 },
	{ "token-file", OPTION_TOKEN_FILE, "FILE", 0,
	  "Where the session is kept (default: under $XDG_STATE_HOME/plyd)",
	  0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct play_options *o = state->input;
	char *rest;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->login; break;
	case OPTION_SERVER: o->server = arg; break;
	case OPTION_AI: o->ai = arg; break;
	case OPTION_POINTS:
		o->points = (int)strtol(arg, &rest, 10);
		if (rest == arg || *rest || o->points < 1)
			argp_error(state, "'%s' is no number of points", arg);
		break;
	case OPTION_CLOCK:
		if (!time_text_read(arg, &o->clock))
			argp_error(state, "'%s' is no clock", arg);
		break;
	case OPTION_QUICK: o->quick = true; break;
	case OPTION_AGAINST: o->against = arg; break;
	case OPTION_POSITION: o->position = arg; break;
	case OPTION_RATED: o->rated = true; break;
	case OPTION_NAME: o->name = arg; break;
	case OPTION_TOKEN_FILE: o->token_file = arg; break;
	case ARGP_KEY_ARG:
		if (o->ruleset)
			argp_usage(state);
		o->ruleset = arg;
		break;
	case ARGP_KEY_END:
		if (!o->ruleset)
			argp_usage(state);
		if (o->ai && o->rated)
			argp_error(state, "no match with a personality is "
					  "rated");
		if (o->position && o->rated)
			argp_error(state, "no match from a position is rated");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* -- the terminal -- */

static const char *prompt(const struct play *p)
{
	if (!p->playing)
		return "> ";
	if (p->view.turn != p->view.you)
		return "> ";
	return p->view.awaits == CLIENT_AWAITS_ROLL     ? "roll or double> "
	       : p->view.awaits == CLIENT_AWAITS_ANSWER ? "take or drop> "
							: "your move> ";
}

void play_show(struct play *p)
{
	if (p->text.len > 0)
		terminal_print(p->terminal, buf_span(&p->text));
	buf_clear(&p->text);
	terminal_prompt(p->terminal, prompt(p));
}

void play_say(struct play *p, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	buf_printf(&p->text, "%s\n", text);
	play_show(p);
}

void play_leave(struct play *p)
{
	p->leaving = true;
	if (p->playing && p->session.fd >= 0)
		play_say(p, "Your seat is kept, and your clock runs. The same "
			    "command brings you back.");
	link_close(p->link);
}

static void fail(struct play *p, int status, const char *why)
{
	p->status = status;
	p->leaving = true;
	play_say(p, "%s", why);
	link_close(p->link);
}

/* -- meeting -- */

/* Its place among those who wait for the server's personalities. */
static void say_place(struct play *p, const struct client_value *lobby)
{
	int64_t place = client_int(client_find(lobby, "place"));
	if (place > 0)
		play_say(p,
			 "As many play the computer as may. You are number "
			 "%lld of those who wait, and it begins by itself.",
			 (long long)place);
}

static void on_created(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct play *p = payload;
	p->asking = false;
	if (error) {
		fail(p, PLY_REFUSED, error->message);
		return;
	}
	p->waiting = true;
	client_copy(client_find(result, "lobby"), p->lobby, sizeof(p->lobby));
	if (!p->options.ai)
		play_say(p,
			 "Waiting for an opponent in lobby %s. (`--ai NAME' "
			 "plays the computer.)",
			 p->lobby);
	say_place(p, result);
}

static size_t put_ms(struct client_param *param, const char *name, int64_t ms)
{
	if (ms < 0)
		return 0;
	*param = CLIENT_NUMBER(name, ms);
	return 1;
}

static size_t put_clock(struct client_param *param, const struct time_text *c)
{
	size_t n = 0;
	if (!c->kind)
		return 0;
	param[n++] = CLIENT_TEXT("clock", c->kind);
	n += put_ms(&param[n], "base_ms", c->base_ms);
	n += put_ms(&param[n], "increment_ms", c->increment_ms);
	n += put_ms(&param[n], "delay_ms", c->delay_ms);
	return n;
}

static void create(struct play *p)
{
	char key[KEY_MAX];
	size_t params = 5;
	struct client_param param[12] = {
		CLIENT_TEXT("ruleset", p->options.ruleset),
		CLIENT_FLAG("ready", true),
		CLIENT_TEXT("key", key),
		CLIENT_TEXT("opponent",
			    p->options.ai ? "personality" : "anyone"),
		CLIENT_FLAG("rated", p->options.rated),
	};
	if (p->options.ai)
		param[params++] = CLIENT_TEXT("personality", p->options.ai);
	if (p->options.points > 0)
		param[params++] =
			CLIENT_NUMBER("match_length", p->options.points);
	if (p->options.position)
		param[params++] = CLIENT_TEXT("position", p->options.position);
	params += put_clock(&param[params], &p->options.clock);
	snprintf(key, sizeof(key), "play-%llx", (unsigned long long)p->key++);
	int err = client_request(link_client(p->link), "lobby.create", param,
				 params, on_created, p);
	if (err)
		fail(p, PLY_UNREADABLE, plyd_err_text(err));
}

static void on_joined(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	struct play *p = payload;
	(void)result;
	if (error && error->code != PLYD_EIO) {
		create(p); /* somebody was quicker */
		return;
	}
	/* if the connection broke, the next hello tells where he sits */
	p->asking = false;
	p->waiting = !error;
}

static void join(struct play *p, const struct client_value *lobby)
{
	char id[CLIENT_ID_MAX];
	const struct client_param param[] = {
		CLIENT_TEXT("lobby", id),
		CLIENT_FLAG("ready", true),
	};
	client_copy(lobby, id, sizeof(id));
	if (client_request(link_client(p->link), "lobby.join", param, 2,
			   on_joined, p))
		create(p);
}

/* Whether a lobby takes people, is rated or not as wanted, and begins where the
 * game does. */
static bool suits(const struct play *p, const struct client_value *lobby)
{
	char opponent[CLIENT_WORD_MAX];
	client_copy(client_find(lobby, "opponent"), opponent, sizeof(opponent));
	return (!strcmp(opponent, "anyone") || !strcmp(opponent, "person")) &&
	       client_bool(client_find(lobby, "rated")) == p->options.rated &&
	       !client_find(lobby, "position");
}

/* Joins the oldest lobby that suits, else opens one. */
static void on_listed(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	struct play *p = payload;
	const struct client_value *lobbies = client_find(result, "lobbies");
	if (error) {
		fail(p, PLY_REFUSED, error->message);
		return;
	}
	for (size_t i = 0; i < client_count(lobbies); i++) {
		const struct client_value *l = client_at(lobbies, i);
		if (suits(p, l)) {
			join(p, client_find(l, "lobby"));
			return;
		}
	}
	create(p);
}

static void meet(struct play *p)
{
	const struct client_param ruleset =
		CLIENT_TEXT("ruleset", p->options.ruleset);
	p->asking = true;
	if (p->options.quick)
		play_quick(p);
	else if (p->options.against)
		play_challenge(p, p->options.against);
	else if (p->options.ai || p->options.clock.kind || p->options.position)
		create(p);
	else if (client_request(link_client(p->link), "lobby.list", &ruleset, 1,
				on_listed, p))
		create(p);
}

/* -- what the server tells -- */

static void on_ready(void *payload, const struct client_welcome *w)
{
	struct play *p = payload;
	size_t matches = client_count(client_find(w->value, "matches"));
	size_t lobbies = client_count(client_find(w->value, "lobbies"));
	if (!session_save(&p->session, client_token(link_client(p->link))))
		play_say(p, "Your session could not be saved: %s",
			 strerror(errno));
	p->waiting = lobbies > 0;
	if (w->resumed && (p->playing || matches > 0))
		play_say(p, "You are back.");
	else if (w->resumed && p->waiting)
		play_say(p, "Still waiting for an opponent.");
	else if (!p->asking && !p->ended)
		meet(p);
}

/* A resumed match goes before what was asked for now. */
static void say_another(struct play *p, const struct client_match *m)
{
	const char *opponent =
		m->name[m->you == CLIENT_WHITE ? CLIENT_BLACK : CLIENT_WHITE];
	if (strcmp(m->ruleset, p->options.ruleset) != 0 ||
	    (p->options.ai && strcmp(opponent, p->options.ai) != 0))
		play_say(p, "This match of yours is not over. What you asked "
			    "for can begin after it.");
}

static void begin(struct play *p, const struct client_match *m)
{
	p->playing = true;
	p->waiting = p->ended = false;
	play_say(p,
		 "%s%s, match %s: %s (White) against %s (Black). You are %s.",
		 client_bool(client_find(m->value, "rated")) ? "Rated " : "",
		 m->ruleset, m->match, m->name[CLIENT_WHITE],
		 m->name[CLIENT_BLACK],
		 m->you == CLIENT_WHITE ? "White" : "Black");
	say_another(p, m);
	play_say(p, "Type a move, or `help'.");
}

static void give_nonce(struct play *p)
{
	struct entropy entropy;
	uint8_t nonce[16];
	char hex[2 * sizeof(nonce) + 1];
	const struct client_param param[] = {
		CLIENT_TEXT("match", p->view.match),
		CLIENT_TEXT("nonce", hex),
	};
	entropy_from_system(&entropy);
	entropy_fill(&entropy, nonce, sizeof(nonce));
	hex_write(nonce, sizeof(nonce), hex);
	client_request(link_client(p->link), "match.nonce", param, 2, NULL,
		       NULL);
}

static void finish(struct play *p)
{
	play_say(p, "`ply record %s' saves the match, `ply verify' proves it.",
		 p->view.match);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		p->ended = true;
		p->playing = false;
		play_say(p, "`rematch' plays again with sides swapped, `quit' "
			    "leaves.");
		return;
	}
	p->leaving = true;
	link_close(p->link);
}

static void on_match(void *payload, const struct client_match *m)
{
	struct play *p = payload;
	/* one board fits the terminal: the first match that is shown */
	if (m->you == CLIENT_NOBODY || p->leaving ||
	    (p->playing && strcmp(p->view.match, m->match) != 0))
		return;
	if (!view_match(&p->view, m, net_now_ms())) {
		fail(p, PLY_UNREADABLE,
		     "This version of ply does not know these rules.");
		return;
	}
	if (!p->playing)
		begin(p, m);
	client_copy(client_find(client_find(m->value, m->you == CLIENT_WHITE
							      ? "black"
							      : "white"),
				"player"),
		    p->opponent, sizeof(p->opponent));
	if (p->view.nonces)
		give_nonce(p);
	view_draw(&p->view, net_now_ms(), &p->text);
	if (m->over)
		view_result(&p->view, &m->result, &p->text);
	play_show(p);
	if (m->over)
		finish(p);
}

static void on_event(void *payload, const struct client_event *e)
{
	struct play *p = payload;
	if (!p->playing || p->leaving || strcmp(p->view.match, e->match) != 0)
		return;
	bool draw = view_event(&p->view, e, net_now_ms(), &p->text);
	if (draw)
		view_draw(&p->view, net_now_ms(), &p->text);
	if (!strcmp(e->event, "draw_offered") && e->side != p->view.you)
		buf_put_str(&p->text, "`accept' or `decline', or just move.\n");
	if (!strcmp(e->event, "takeback_offered") && e->side != p->view.you)
		buf_put_str(&p->text, "`accept' or `decline'.\n");
	if (!strcmp(e->event, "resign_offered") && e->side != p->view.you)
		buf_put_str(&p->text, "`accept' or `decline'.\n");
	if (e->over)
		view_result(&p->view, &e->result, &p->text);
	play_show(p);
	if (e->over)
		finish(p);
}

static void on_lost(void *payload, const char *match, int err)
{
	struct play *p = payload;
	if (p->playing && !strcmp(p->view.match, match) && !p->refused)
		fail(p, PLY_REFUSED, plyd_err_text(err));
}

static void on_presence(struct play *p, const struct client_value *notice)
{
	char side[CLIENT_WORD_MAX];
	const struct client_value *claim = client_find(notice, "claim_in_ms");
	client_copy(client_find(notice, "side"), side, sizeof(side));
	client_side whose =
		!strcmp(side, "white") ? CLIENT_WHITE : CLIENT_BLACK;
	if (!p->playing || p->view.over || whose == p->view.you)
		return;
	if (client_bool(client_find(notice, "online")))
		play_say(p, "Your opponent is here.");
	else
		play_say(p,
			 "Your opponent has left. After %d seconds `claim' "
			 "wins.",
			 (int)(client_int(claim) / CLAIM_SECOND_MS));
}

static void on_rematch(struct play *p, const struct client_value *notice)
{
	const char *other = p->view.you == CLIENT_WHITE ? "black" : "white";
	if (!p->ended || client_type(client_find(notice, "next")) != CLIENT_NIL)
		return;
	if (client_bool(client_find(notice, other)))
		play_say(p, "Your opponent wants a rematch.");
	else if (client_type(client_find(notice, "lapses_in_ms")) == CLIENT_NIL)
		play_say(p, "There will be no rematch.");
}

static void on_notice(void *payload, const char *name,
		      const struct client_value *params)
{
	struct play *p = payload;
	if (play_hears(p, name, params))
		return;
	if (!strcmp(name, "match.presence"))
		on_presence(p, params);
	else if (!strcmp(name, "match.rematch"))
		on_rematch(p, params);
	else if (!strcmp(name, "match.seat_taken"))
		play_say(p, "Another session of yours plays here now; any "
			    "command takes the seat back.");
	else if (!strcmp(name, "lobby.changed") && !p->playing)
		say_place(p, params);
	else if (!strcmp(name, "lobby.closed") && !p->playing)
		p->waiting = false;
	else if (!play_tournament_notice(p, name, params))
		play_meet_notice(p, name, params);
}

static void on_closing(void *payload, const struct client_error *e)
{
	struct play *p = payload;
	p->refused = e->code == PLYD_ETOKEN;
	link_closing(p->link, e);
}

static const struct client_callbacks callbacks = {
	on_ready, on_match, on_event, on_lost, on_notice, on_closing,
};

/* -- life -- */

static bool connect_to(struct play *p);

static void on_broken(void *payload, const char *why)
{
	struct play *p = payload;
	play_say(p,
		 "The connection broke (%s). Trying again; your seat is "
		 "kept.",
		 why);
}

static void on_ended(void *payload, const char *why)
{
	struct play *p = payload;
	if (p->refused && !p->playing) {
		/* the file's session is no more: begin another */
		p->refused = false;
		p->session.token[0] = '\0';
		link_free(p->link);
		p->link = NULL;
		if (connect_to(p))
			return;
	}
	if (!p->leaving) {
		p->status = PLY_UNREADABLE;
		terminal_close(p->terminal);
		p->terminal = NULL;
		server_complaint(p->who, p->options.server, why);
	}
	net_stop(p->net);
}

static void on_line(void *payload, const char *line)
{
	struct play *p = payload;
	if (!p->leaving)
		play_line(p, line);
}

static void on_end(void *payload)
{
	struct play *p = payload;
	if (!p->leaving)
		play_leave(p);
}

static void on_signal(void *payload, int signal)
{
	(void)signal;
	on_end(payload);
}

static bool connect_to(struct play *p)
{
	const char *token = p->session.token;
	struct link_options options_of_link = {
		.server = p->options.server,
		.client = { .name = p->options.name,
			    .program = "ply play " PLYD_VERSION,
			    .token = token[0] ? token : NULL },
		.callbacks = &callbacks,
		.on_broken = on_broken,
		.on_ended = on_ended,
		.payload = p,
	};
	login_use(&p->options.login, &options_of_link.client);
	int err = link_open(&p->link, p->net, &options_of_link);
	if (err)
		fprintf(stderr, "%s: %s\n", p->who,
			err == PLYD_EVALUE
				? "a server is written HOST:PORT, or "
				  "tls://HOST:PORT"
				: plyd_err_text(err));
	return !err;
}

static bool open_all(struct play *p)
{
	const struct play_options *o = &p->options;
	const struct terminal_options terminal = { on_line, on_end, p };
	struct entropy entropy;
	entropy_from_system(&entropy);
	entropy_fill(&entropy, (uint8_t *)&p->key, sizeof(p->key));
	buf_init(&p->text, PLAY_TEXT_MAX);
	p->view.colour = terminal_has_colour();
	/* each account has sessions of its own */
	char key[SESSION_PATH_MAX / 2];
	snprintf(key, sizeof(key), "%s%s%.256s",
		 o->login.login ? o->login.login : "",
		 o->login.login ? "@" : "",
		 o->server ? o->server : LINK_SERVER_DEFAULT);
	if (!session_open(&p->session, o->token_file, key)) {
		fprintf(stderr, "%s: cannot keep the session in '%s': %s\n",
			p->who, p->session.path,
			errno == EWOULDBLOCK ? "another ply plays with it"
					     : strerror(errno));
		if (o->token_file)
			return false;
	}
	if (net_new(&p->net) || net_on_signal(p->net, on_signal, p) ||
	    terminal_open(&p->terminal, p->net, &terminal)) {
		fprintf(stderr, "%s: cannot use this terminal\n", p->who);
		return false;
	}
	return connect_to(p);
}

int cmd_play(int argc, char **argv)
{
	static struct play p;
	const struct argp_child children[] = { { &login_argp, 0, NULL, 0 },
					       { 0 } };
	const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse,
		.args_doc = "RULESET",
		.doc = "Play a match in the terminal. `quit' leaves the seat "
		       "kept: the same command comes back to it.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &p.options);
	p.who = argv[0];
	p.session.fd = -1;
	if (login_read(&p.options.login, p.who) && open_all(&p))
		net_run(p.net);
	else
		p.status = PLY_UNREADABLE;
	link_free(p.link);
	terminal_close(p.terminal);
	net_free(p.net);
	session_close(&p.session);
	buf_release(&p.text);
	return p.status;
}
