/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "ply/command.h"
#include "ply/errand.h"
#include "ply/login.h"
#include "ply/play.h"
#include "ply/terminal.h"
#include "ply/view.h"

enum { OPTION_SERVER = 's', OPTION_PLAYER = 'p', OPTION_LINE = 0x100 };
enum { WATCH_TEXT_MAX = 64 * 1024 };

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "[tls://]HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "player", OPTION_PLAYER, "NAME", 0,
	  "Follow whatever that player, who is here, plays from now on", 0 },
	{ "line", OPTION_LINE, NULL, 0,
	  "Line by line instead of on a full screen; so it is too with "
	  "$PLY_LINE, with --player, or if this is no terminal",
	  0 },
	{ 0 },
};

struct watch {
	const char *who;
	const char *server;
	const char *match;  /* NULL: none named */
	const char *player; /* whom to follow, by his name; NULL: nobody */
	bool line;
	struct login login;
	struct net *net;
	struct link *link;
	struct view view;
	struct buf text;
	char next[CLIENT_ID_MAX]; /* another match of the player, or "" */
	char id[CLIENT_ID_MAX];   /* of the player, once it is known */
	bool showing;             /* the view shows a match that goes on */
	bool asked;
	bool done;
	int status;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct watch *w = state->input;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &w->login; break;
	case OPTION_SERVER: w->server = arg; break;
	case OPTION_PLAYER: w->player = arg; break;
	case OPTION_LINE: w->line = true; break;
	case ARGP_KEY_ARG:
		if (w->match)
			argp_usage(state);
		w->match = arg;
		break;
	case ARGP_KEY_END:
		if (w->match && w->player)
			argp_error(state, "follow a match or a player");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* -- the list -- */

static void print_player(const struct client_value *player)
{
	char name[CLIENT_NAME_MAX];
	char kind[CLIENT_WORD_MAX];
	client_copy(client_find(player, "name"), name, sizeof(name));
	client_copy(client_find(player, "kind"), kind, sizeof(kind));
	printf("%s (%s)", name, kind);
}

static void print_watchers(int64_t n)
{
	if (n > 0)
		printf("  (%lld watch%s)", (long long)n, n == 1 ? "es" : "");
}

static int on_list(void *payload, const struct client_value *result)
{
	const struct client_value *matches = client_find(result, "matches");
	(void)payload;
	for (size_t i = 0; i < client_count(matches); i++) {
		const struct client_value *m = client_at(matches, i);
		char match[CLIENT_ID_MAX];
		char ruleset[CLIENT_WORD_MAX];
		client_copy(client_find(m, "match"), match, sizeof(match));
		client_copy(client_find(m, "ruleset"), ruleset,
			    sizeof(ruleset));
		printf("%s  %-16s %4lld  ", match, ruleset,
		       (long long)client_int(client_find(m, "ply")));
		print_player(client_find(m, "white"));
		printf(" - ");
		print_player(client_find(m, "black"));
		print_watchers(client_int(client_find(m, "watchers")));
		putchar('\n');
	}
	if (client_count(matches) == 0)
		printf("Nobody plays now.\n");
	return PLY_OK;
}

static int list(const struct watch *w)
{
	static const uint8_t empty_map[] = { 0x80 };
	const struct errand errand = {
		.who = w->who,
		.server = w->server,
		.method = "match.list",
		.map = span_of(empty_map, sizeof(empty_map)),
		.on_result = on_list,
	};
	return errand_run(&errand);
}

/* -- one match -- */

static void show(struct watch *w)
{
	fwrite(w->text.at, 1, w->text.len, stdout);
	fflush(stdout);
	buf_clear(&w->text);
	if (!w->view.over || !w->showing)
		return;
	w->showing = false;
	if (!w->player) {
		w->done = true;
		link_close(w->link);
	} else if (w->next[0]) {
		client_watch(link_client(w->link), w->next);
		w->next[0] = '\0';
	}
}

static void fail(struct watch *w, const char *why)
{
	fprintf(stderr, "%s: %s\n", w->who, why);
	w->status = PLY_REFUSED;
	w->done = true;
	link_close(w->link);
}

/* -- a player -- */

static void on_followed(void *payload, const struct client_error *error,
			const struct client_value *result)
{
	struct watch *w = payload;
	if (error && error->code != PLYD_EIO)
		fail(w, error->message);
	if (error || client_count(client_find(result, "matches")) > 0)
		return;
	buf_printf(&w->text, "%s plays nothing now; waiting.\n", w->player);
	show(w);
}

static void follow_player(struct watch *w)
{
	const struct client_param player = CLIENT_TEXT("player", w->id);
	int err = client_request(link_client(w->link), "player.watch", &player,
				 1, on_followed, w);
	if (err)
		fail(w, plyd_err_text(err));
}

static void on_found(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct watch *w = payload;
	if (error) {
		fail(w, error->message);
		return;
	}
	client_copy(client_find(result, "id"), w->id, sizeof(w->id));
	follow_player(w);
}

/* After a lost connection he is asked for again, by his id. */
static void find_player(struct watch *w)
{
	const struct client_param name = CLIENT_TEXT("name", w->player);
	if (w->id[0]) {
		follow_player(w);
		return;
	}
	int err = client_request(link_client(w->link), "player.get", &name, 1,
				 on_found, w);
	if (err)
		fail(w, plyd_err_text(err));
}

/* -- what the server tells -- */

static void on_ready(void *payload, const struct client_welcome *welcome)
{
	struct watch *w = payload;
	(void)welcome;
	if (w->player) {
		find_player(w);
		return;
	}
	/* after a lost connection the client watches it again by itself */
	int err = w->asked ? PLYD_OK
			   : client_watch(link_client(w->link), w->match);
	w->asked = true;
	if (err)
		fail(w, plyd_err_text(err));
}

static void on_match(void *payload, const struct client_match *m)
{
	struct watch *w = payload;
	if (w->showing && strcmp(w->view.match, m->match) != 0) {
		/* one board at a time; the latest of the others is next */
		memcpy(w->next, m->match, sizeof(w->next));
		return;
	}
	if (!view_match(&w->view, m, net_now_ms())) {
		fail(w, "this version does not know its rules");
		return;
	}
	w->showing = true;
	printf("%s, match %s: %s (White) against %s (Black).", m->ruleset,
	       m->match, m->name[CLIENT_WHITE], m->name[CLIENT_BLACK]);
	print_watchers(client_int(client_find(m->value, "watchers")));
	putchar('\n');
	view_draw(&w->view, net_now_ms(), &w->text);
	if (m->over)
		view_result(&w->view, &m->result, &w->text);
	show(w);
}

static void on_event(void *payload, const struct client_event *e)
{
	struct watch *w = payload;
	if (!w->showing || strcmp(w->view.match, e->match) != 0)
		return;
	if (view_event(&w->view, e, net_now_ms(), &w->text))
		view_draw(&w->view, net_now_ms(), &w->text);
	if (e->over)
		view_result(&w->view, &e->result, &w->text);
	show(w);
}

static void on_lost(void *payload, const char *match, int err)
{
	struct watch *w = payload;
	if (!w->player)
		fail(w, plyd_err_text(err));
	else if (!strcmp(w->view.match, match))
		w->showing = false; /* he may play another */
}

static void on_closing(void *payload, const struct client_error *e)
{
	struct watch *w = payload;
	link_closing(w->link, e);
}

static void on_notice(void *payload, const char *name,
		      const struct client_value *notice)
{
	struct watch *w = payload;
	const struct client_value *line = client_find(notice, "line");
	char who[CLIENT_NAME_MAX], text[VIEW_SAID_MAX];
	if (strcmp(name, "chat.line") != 0)
		return;
	view_said(client_find(line, "name"), who, sizeof(who));
	view_said(client_find(line, "text"), text, sizeof(text));
	buf_printf(&w->text, "%s: %s\n", who, text);
	show(w);
}

static const struct client_callbacks callbacks = {
	.on_ready = on_ready,
	.on_match = on_match,
	.on_event = on_event,
	.on_lost = on_lost,
	.on_notice = on_notice,
	.on_closing = on_closing,
};

static void on_ended(void *payload, const char *why)
{
	struct watch *w = payload;
	if (!w->done) {
		server_complaint(w->who, w->server, why);
		w->status = PLY_UNREADABLE;
	}
	net_stop(w->net);
}

static void on_signal(void *payload, int signal)
{
	struct watch *w = payload;
	(void)signal;
	w->done = true;
	link_close(w->link);
}

static int follow(struct watch *w)
{
	struct link_options options_of_link = {
		.server = w->server,
		.client = { .program = "ply watch " PLYD_VERSION },
		.callbacks = &callbacks,
		.on_ended = on_ended,
		.payload = w,
	};
	buf_init(&w->text, WATCH_TEXT_MAX);
	w->view.colour = terminal_has_colour();
	if (!errand_follow(&w->net, &w->link, &options_of_link, &w->login,
			   on_signal, w->who))
		w->status = PLY_UNREADABLE;
	buf_release(&w->text);
	return w->status;
}

static int show_screen(const struct watch *w)
{
	const struct play_options play = { .server = w->server,
					   .watch = w->match ? w->match : "",
					   .login = w->login };
	return play_run(w->who, &play);
}

int cmd_watch(int argc, char **argv)
{
	static struct watch w;
	const struct argp_child children[] = { { &login_argp, 0, NULL, 0 },
					       { 0 } };
	const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse,
		.args_doc = "[MATCH]",
		.doc = "Follow a match, or a player, as a spectator; without "
		       "either, list the matches that are being played. A "
		       "terminal shows them on its whole screen.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &w);
	w.who = argv[0];
	if (!w.player && play_wants_screen(w.line))
		return show_screen(&w);
	if (!login_read(&w.login, w.who))
		return PLY_UNREADABLE;
	return w.match || w.player ? follow(&w) : list(&w);
}
