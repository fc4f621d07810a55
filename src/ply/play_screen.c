/* SPDX-License-Identifier: MIT */
#include "ply/play_screen_priv.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <plyd/err.h>
#include "screen/tty.h"

/* -- showing -- */

static void draw(struct play_screen *s)
{
	tty_begin(&s->grid);
	switch (s->view) {
	case VIEW_LOBBY:
	case VIEW_MATCHES: lobby_view_draw(s); break;
	case VIEW_FORM: form_view_draw(s); break;
	case VIEW_MATCH: match_view_draw(s); break;
	case VIEW_STORY: again_view_draw(s); break;
	case VIEW_HELP: help_view_draw(s); break;
	}
	tty_show(&s->grid);
}

static void on_draw(void *payload)
{
	struct play_screen *s = payload;
	s->will_draw_soon = false;
	draw(s);
	net_timer_start(s->draw, SCREEN_EACH_MS);
}

void screen_changed(struct play_screen *s)
{
	if (s->will_draw_soon)
		return;
	s->will_draw_soon = true;
	net_timer_start(s->draw, SCREEN_SOON_MS);
}

void screen_show(struct play_screen *s, enum screen_view view)
{
	s->view = view;
	s->typing = TYPING_NOTHING;
	s->asking = ASKING_NOTHING;
	if (view == VIEW_LOBBY || view == VIEW_MATCHES) {
		s->list.rows = s->list.chosen = 0;
		lobby_view_fetch(s);
	}
	screen_changed(s);
}

/* What is wrong with the connection; NULL: nothing. */
static const char *alert(struct play_screen *s)
{
	const struct play *p = s->play;
	uint64_t redial_ms = p->link ? link_redial_in_ms(p->link) : 0;
	if (p->link && client_is_ready(link_client(p->link)))
		return NULL;
	if (redial_ms > 0)
		snprintf(s->alert, sizeof(s->alert),
			 "Connection lost; trying again in %" PRIu64
			 " s. Your seat is kept.",
			 (redial_ms + 999) / 1000);
	else
		snprintf(s->alert, sizeof(s->alert), "Connecting to %s ...",
			 p->options.server ? p->options.server
					   : LINK_SERVER_DEFAULT);
	return s->alert;
}

struct page screen_page(struct play_screen *s)
{
	const char *server = s->play->options.server;
	snprintf(s->where, sizeof(s->where), "%s%s%s", s->name,
		 s->name[0] ? " at " : "",
		 server ? server : LINK_SERVER_DEFAULT);
	return (struct page){
		.where = s->where,
		.alert = alert(s),
		.log = &s->log,
		.log_back = s->log_back,
		.prompt = s->typing == TYPING_CHAT   ? "Say: "
			  : s->typing == TYPING_MOVE ? "Move: "
						     : "Word: ",
		.line = s->typing != TYPING_NOTHING ? &s->line : NULL,
	};
}

/* -- keys -- */

void screen_type(struct play_screen *s, enum screen_typing typing,
		 uint32_t first)
{
	line_clear(&s->line);
	s->typing = typing;
	if (first)
		line_key(&s->line,
			 (struct key){ .kind = PRESS_SIGN, .sign = first });
}

static void line_done(struct play_screen *s)
{
	char text[sizeof(s->line.text) + 8];
	bool chat = s->typing == TYPING_CHAT;
	snprintf(text, sizeof(text), "%s%s", chat ? "say " : "", s->line.text);
	s->typing = TYPING_NOTHING;
	if (s->line.text[0])
		play_line(s->play, text);
}

static void type_key(struct play_screen *s, struct key key)
{
	if (key.kind == PRESS_ENTER)
		line_done(s);
	else if (key.kind == PRESS_ESCAPE ||
		 (key.kind == PRESS_BACKSPACE && !s->line.text[0]))
		s->typing = TYPING_NOTHING;
	else
		line_key(&s->line, key);
}

static void view_key(struct play_screen *s, struct key key)
{
	switch (s->view) {
	case VIEW_LOBBY:
	case VIEW_MATCHES: lobby_view_key(s, key); break;
	case VIEW_FORM: form_view_key(s, key); break;
	case VIEW_MATCH: match_view_key(s, key); break;
	case VIEW_STORY: again_view_key(s, key); break;
	case VIEW_HELP: help_view_key(s, key); break;
	}
}

/* Keys that mean the same in every view but help; false: it is none. */
static bool common_key(struct play_screen *s, struct key key)
{
	if (s->view == VIEW_HELP || key.kind != PRESS_SIGN)
		return false;
	switch (key.sign) {
	case '?':
		s->before_help = s->view;
		s->help_from = 0;
		s->view = VIEW_HELP;
		return true;
	case '/': screen_type(s, TYPING_CHAT, 0); return true;
	case ':': screen_type(s, TYPING_WORD, 0); return true;
	case '[': s->log_back += 2; return true;
	case ']':
		s->log_back -= s->log_back >= 2 ? 2 : s->log_back;
		return true;
	case 'q':
		if (!s->play->playing) {
			play_leave(s->play);
			return true;
		}
		s->asking = ASKING_QUIT;
		return true;
	default: return false;
	}
}

static void quit_key(struct play_screen *s, struct key key)
{
	s->asking = ASKING_NOTHING;
	if (key.kind == PRESS_SIGN && (key.sign == 'y' || key.sign == 'q'))
		play_leave(s->play);
}

static void take_key(struct play_screen *s, struct key key)
{
	if (key.kind == PRESS_REDRAW)
		tty_redraw();
	else if (s->typing != TYPING_NOTHING)
		type_key(s, key);
	else if (s->asking == ASKING_QUIT)
		quit_key(s, key);
	else if (s->asking != ASKING_NOTHING || !common_key(s, key))
		view_key(s, key);
}

static void on_input(void *payload)
{
	struct play_screen *s = payload;
	struct key key;
	bool any = false;
	while (!s->play->leaving && tty_key(&key)) {
		any = true;
		take_key(s, key);
	}
	if (!any && tty_is_gone() && !s->play->leaving)
		play_leave(s->play);
	else if (!s->play->leaving)
		link_flush(s->play->link);
	screen_changed(s);
}

static void on_resized(void *payload)
{
	tty_resized();
	screen_changed(payload);
}

static void on_stopped(void *payload)
{
	tty_stop();
	screen_changed(payload);
}

/* -- what play tells -- */

void play_screen_say(struct play_screen *s, struct span text)
{
	if (text.len > 0)
		log_add(&s->log, LOG_NEWS, (const char *)text.at, text.len);
	s->log_back = 0;
	match_view_follow(s);
	screen_changed(s);
}

void play_screen_chat(struct play_screen *s, const char *name, const char *text)
{
	char line[LOG_LINE_BYTES];
	int len = snprintf(line, sizeof(line), "%s: %s", name, text);
	log_add(&s->log, LOG_CHAT, line,
		len < LOG_LINE_BYTES ? (size_t)len : LOG_LINE_BYTES - 1);
	s->log_back = 0;
	screen_changed(s);
}

void play_screen_name(struct play_screen *s, const char *name)
{
	snprintf(s->name, sizeof(s->name), "%s", name);
	if (s->view == VIEW_LOBBY || s->view == VIEW_MATCHES)
		lobby_view_fetch(s);
	screen_changed(s);
}

void play_screen_refused(struct play_screen *s)
{
	s->match.picking = false; /* what follows begins it anew */
}

/* -- life -- */

static void on_fetch(void *payload)
{
	struct play_screen *s = payload;
	if (s->view == VIEW_LOBBY || s->view == VIEW_MATCHES)
		lobby_view_fetch(s);
	net_timer_start(s->fetch, SCREEN_FETCH_MS);
}

int play_screen_open(struct play_screen **out, struct play *p)
{
	struct play_screen *s = calloc(1, sizeof(*s));
	*out = NULL;
	if (!s)
		return PLYD_ENOMEM;
	s->play = p;
	s->view = p->options.ruleset                        ? VIEW_MATCH
		  : p->options.watch && p->options.watch[0] ? VIEW_MATCH
		  : p->options.watch                        ? VIEW_MATCHES
							    : VIEW_LOBBY;
	s->resized = net_watch_signal(p->net, SIGWINCH, on_resized, s);
	s->stopped = net_watch_signal(p->net, SIGTSTP, on_stopped, s);
	s->input = net_watch_fd(p->net, STDIN_FILENO, on_input, s);
	s->draw = net_timer_new(p->net, on_draw, s);
	s->fetch = net_timer_new(p->net, on_fetch, s);
	if (!s->resized || !s->stopped || !s->input || !s->draw || !s->fetch ||
	    !tty_open()) {
		play_screen_close(s);
		return PLYD_EIO;
	}
	net_timer_start(s->fetch, SCREEN_FETCH_MS);
	screen_changed(s);
	*out = s;
	return PLYD_OK;
}

void play_screen_close(struct play_screen *s)
{
	if (!s)
		return;
	tty_close();
	story_release(&s->story.story);
	net_watch_free(s->input);
	net_watch_free(s->resized);
	net_watch_free(s->stopped);
	net_timer_free(s->draw);
	net_timer_free(s->fetch);
	free(s);
}
