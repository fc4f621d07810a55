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
#include "ply/play_screen.h"
#include "screen/tty.h"

enum { OPTION_SERVER = 's', OPTION_NAME = 'n', OPTION_AI = 'a' };
enum { OPTION_POINTS = 'p', OPTION_CLOCK = 'c' };
enum { OPTION_QUICK = 'q', OPTION_AGAINST = 'w' };
enum { OPTION_TOKEN_FILE = 256, OPTION_POSITION, OPTION_RATED, OPTION_LINE };
enum { CLAIM_SECOND_MS = 1000 };

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
	{ "line", OPTION_LINE, NULL, 0,
	  "Line by line instead of on a full screen, as it is for screen "
	  "readers; so it is too with $PLY_LINE, or if this is no terminal",
	  0 },
	{ "token-file", OPTION_TOKEN_FILE, "FILE", 0,
	  "Where the session is kept (default: under $XDG_STATE_HOME/plyd)",
	  0 },
	{ 0 },
};

bool play_wants_screen(bool line)
{
	const char *never = getenv("PLY_LINE");
	return !line && !(never && *never) && tty_can();
}

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
	case OPTION_LINE: o->line = true; break;
	case OPTION_TOKEN_FILE: o->token_file = arg; break;
	case ARGP_KEY_ARG:
		if (o->ruleset)
			argp_usage(state);
		o->ruleset = arg;
		break;
	case ARGP_KEY_END:
		if (!play_wants_screen(o->line) && !o->ruleset)
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
	if (p->screen) {
		play_screen_say(p->screen, buf_span(&p->text));
		buf_clear(&p->text);
		return;
	}
	if (p->text.len > 0)
		terminal_print(p->terminal, buf_span(&p->text));
	buf_clear(&p->text);
	terminal_prompt(p->terminal, prompt(p));
}

static void say(struct play *p, const char *format, va_list args)
{
	char text[512];
	vsnprintf(text, sizeof(text), format, args);
	buf_printf(&p->text, "%s\n", text);
	play_show(p);
}

void play_say(struct play *p, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(p, format, args);
	va_end(args);
}

void play_hint(struct play *p, const char *format, ...)
{
	va_list args;
	if (p->screen)
		return;
	va_start(args, format);
	say(p, format, args);
	va_end(args);
}

void play_leave(struct play *p)
{
	p->leaving = true;
	if (p->playing && p->session.fd >= 0)
		play_say(p, "Your seat is kept, and your clock runs. The same "
			    "command brings you back.");
	link_close(p->link);
}

void play_fail(struct play *p, int status, const char *why)
{
	play_say(p, "%s", why);
	if (p->screen) { /* a person looks for something else */
		p->asking = p->playing = p->waiting = false;
		return;
	}
	p->status = status;
	p->leaving = true;
	link_close(p->link);
}

/* -- what the server tells -- */

static void on_ready(void *payload, const struct client_welcome *w)
{
	struct play *p = payload;
	size_t matches = client_count(client_find(w->value, "matches"));
	const struct client_value *lobbies = client_find(w->value, "lobbies");
	/* at a screen one looks for the next oneself */
	bool wants = p->options.ruleset && !(p->screen && p->met);
	if (p->screen)
		play_screen_name(p->screen, w->name);
	if (!session_save(&p->session, client_token(link_client(p->link))))
		play_say(p, "Your session could not be saved: %s",
			 strerror(errno));
	p->waiting = client_count(lobbies) > 0;
	if (p->waiting)
		client_copy(client_find(client_at(lobbies, 0), "lobby"),
			    p->lobby, sizeof(p->lobby));
	if (w->resumed && (p->playing || matches > 0))
		play_say(p, "You are back.");
	else if (w->resumed && p->waiting)
		play_say(p, "Still waiting for an opponent.");
	else if (!p->asking && !p->ended && wants)
		play_meet(p);
	else if (p->options.watch && p->options.watch[0] && !p->watched[0])
		play_watch(p, p->options.watch);
}

/* A resumed match goes before what was asked for now. */
static void say_another(struct play *p, const struct client_match *m)
{
	const char *opponent =
		m->name[m->you == CLIENT_WHITE ? CLIENT_BLACK : CLIENT_WHITE];
	if (!p->options.ruleset)
		return;
	if (strcmp(m->ruleset, p->options.ruleset) != 0 ||
	    (p->options.ai && strcmp(opponent, p->options.ai) != 0))
		play_say(p, "This match of yours is not over. What you asked "
			    "for can begin after it.");
}

static void begin(struct play *p, const struct client_match *m)
{
	p->playing = true;
	p->waiting = p->ended = p->away = false;
	play_say(p,
		 "%s%s, match %s: %s (White) against %s (Black). You are %s.",
		 client_bool(client_find(m->value, "rated")) ? "Rated " : "",
		 m->ruleset, m->match, m->name[CLIENT_WHITE],
		 m->name[CLIENT_BLACK],
		 m->you == CLIENT_WHITE ? "White" : "Black");
	say_another(p, m);
	play_hint(p, "Type a move, or `help'.");
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
	play_hint(p, "`ply record %s' saves the match, `ply verify' proves it.",
		  p->view.match);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		p->ended = true;
		p->playing = false;
		play_hint(p, "`rematch' plays again with sides swapped, `quit' "
			     "leaves.");
		return;
	}
	p->leaving = true;
	link_close(p->link);
}

static void sit_down(struct play *p, const struct client_match *m)
{
	const char *other = m->you == CLIENT_WHITE ? "black" : "white";
	if (p->watched[0])
		client_unwatch(link_client(p->link), p->watched);
	p->watched[0] = '\0';
	if (!p->playing)
		begin(p, m);
	client_copy(client_find(client_find(m->value, other), "player"),
		    p->opponent, sizeof(p->opponent));
	if (p->view.nonces)
		give_nonce(p);
}

static void look_on(struct play *p, const struct client_match *m)
{
	p->ended = false;
	play_say(p, "You watch %s: %s (White) against %s (Black).", m->ruleset,
		 m->name[CLIENT_WHITE], m->name[CLIENT_BLACK]);
}

static void on_match(void *payload, const struct client_match *m)
{
	struct play *p = payload;
	/* one board fits the terminal: the first match that is shown */
	if (p->leaving || (p->playing && strcmp(p->view.match, m->match) != 0))
		return;
	if (m->you == CLIENT_NOBODY && strcmp(m->match, p->watched) != 0)
		return;
	if (!view_match(&p->view, m, net_now_ms())) {
		play_fail(p, PLY_UNREADABLE,
			  "This version of ply does not know these rules.");
		return;
	}
	if (m->you == CLIENT_NOBODY)
		look_on(p, m);
	else
		sit_down(p, m);
	if (!p->screen)
		view_draw(&p->view, net_now_ms(), &p->text);
	if (m->over)
		view_result(&p->view, &m->result, &p->text);
	play_show(p);
	if (m->over && p->playing)
		finish(p);
}

/* How to answer an offer, which the screen's keys tell. */
static void say_answers(struct play *p, const struct client_event *e)
{
	bool asked = e->side != p->view.you && p->playing && !p->screen;
	if (asked && !strcmp(e->event, "draw_offered"))
		buf_put_str(&p->text, "`accept' or `decline', or just move.\n");
	if (asked && (!strcmp(e->event, "takeback_offered") ||
		      !strcmp(e->event, "resign_offered")))
		buf_put_str(&p->text, "`accept' or `decline'.\n");
}

static void on_event(void *payload, const struct client_event *e)
{
	struct play *p = payload;
	if (!(p->playing || p->watched[0]) || p->leaving ||
	    strcmp(p->view.match, e->match) != 0)
		return;
	bool draw = view_event(&p->view, e, net_now_ms(), &p->text);
	if (draw && !p->screen)
		view_draw(&p->view, net_now_ms(), &p->text);
	say_answers(p, e);
	if (e->over)
		view_result(&p->view, &e->result, &p->text);
	play_show(p);
	if (e->over && p->playing)
		finish(p);
}

static void on_lost(void *payload, const char *match, int err)
{
	struct play *p = payload;
	if (!strcmp(p->watched, match)) {
		p->watched[0] = '\0';
		play_say(p, "%s", plyd_err_text(err));
	} else if (p->playing && !strcmp(p->view.match, match) && !p->refused) {
		play_fail(p, PLY_REFUSED, plyd_err_text(err));
	}
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
	p->away = !client_bool(client_find(notice, "online"));
	if (!p->away)
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

static void close_face(struct play *p)
{
	terminal_close(p->terminal);
	p->terminal = NULL;
	play_screen_close(p->screen);
	p->screen = NULL;
}

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
		close_face(p);
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
	return errand_link(&p->link, p->net, &options_of_link,
			   &p->options.login, p->who);
}

/* The screen or the lines; lines, too, where nobody knows the terminal. */
static bool open_face(struct play *p)
{
	const struct terminal_options terminal = { on_line, on_end, p };
	bool screen = play_wants_screen(p->options.line);
	if (screen && !play_screen_open(&p->screen, p))
		return true;
	if (p->options.ruleset &&
	    !terminal_open(&p->terminal, p->net, &terminal))
		return true;
	fprintf(stderr, "%s: cannot use this terminal\n", p->who);
	return false;
}

static bool open_all(struct play *p)
{
	const struct play_options *o = &p->options;
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
	if (net_new(&p->net) || net_on_signal(p->net, on_signal, p)) {
		fprintf(stderr, "%s: %s\n", p->who, plyd_err_text(PLYD_ENOMEM));
		return false;
	}
	/* what is wrong with the address is told before the screen is taken */
	return connect_to(p) && open_face(p);
}

/* What was said on the screen is gone with it. */
static void say_goodbye(const struct play *p)
{
	if (p->playing && p->session.fd >= 0)
		printf("Your seat is kept, and your clock runs. `ply play' "
		       "brings you back.\n");
	else if (p->ended)
		printf("`ply record %s' saves the match, `ply verify' proves "
		       "it.\n",
		       p->view.match);
}

int play_run(const char *who, const struct play_options *wanted)
{
	static struct play p;
	p.options = *wanted;
	p.who = who;
	p.session.fd = -1;
	if (login_read(&p.options.login, p.who) && open_all(&p))
		net_run(p.net);
	else
		p.status = PLY_UNREADABLE;
	link_free(p.link);
	bool screen = p.screen != NULL;
	close_face(&p);
	if (screen && p.leaving)
		say_goodbye(&p);
	net_free(p.net);
	session_close(&p.session);
	buf_release(&p.text);
	return p.status;
}

int cmd_play(int argc, char **argv)
{
	struct play_options chosen = { .ruleset = NULL };
	const struct argp_child children[] = { { &login_argp, 0, NULL, 0 },
					       { 0 } };
	const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse,
		.args_doc = "[RULESET]",
		.doc = "Play in the terminal; without a ruleset you choose in "
		       "the lobby. Who quits keeps his seat: the same command "
		       "comes back to it.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &chosen);
	return play_run(argv[0], &chosen);
}
