/* SPDX-License-Identifier: MIT
 * play.h - a person at a terminal. cmd_play.c owns the parts and meets the
 * opponent, play_line.c obeys what is typed, play_chat.c hears and speaks. */
#ifndef PLYD_PLY_PLAY_H
#define PLYD_PLY_PLAY_H

#include "ply/time_text.h"
#include "ply/link.h"
#include "ply/login.h"
#include "ply/session_file.h"
#include "ply/terminal.h"
#include "ply/view.h"

enum { PLAY_TEXT_MAX = 64 * 1024, PLAY_MOVES_SHOWN = 64 };

struct play_options {
	const char *ruleset;
	const char *server;
	const char *ai;         /* NULL: anyone */
	const char *against;    /* whom to challenge, or NULL */
	bool quick;             /* a quick match */
	bool rated;             /* it counts for both ratings */
	char *position;         /* where to begin, or NULL: at the start */
	int points;             /* that win the match; 0: as the ruleset says */
	struct time_text clock; /* kind NULL: as the ruleset says */
	const char *name;
	const char *token_file;
	struct login login;
};

struct play {
	struct play_options options;
	const char *who; /* for complaints */
	struct net *net;
	struct link *link;
	struct terminal *terminal;
	struct session_file session;
	struct view view;
	struct buf text; /* being written for the terminal */
	bool playing;    /* the view shows a match */
	bool asking;     /* for a lobby */
	bool waiting;    /* in a lobby */
	bool refused;    /* the session of the file is no more */
	bool leaving;
	bool ended; /* the match is over, and a person may want another */
	/* what was typed once, and is done when it is typed again */
	enum resigning {
		RESIGNING_NOTHING,
		RESIGNING_GAME,
		RESIGNING_MATCH
	} resigning;
	uint64_t key; /* of lobby.create */
	char lobby[CLIENT_ID_MAX];
	char opponent[CLIENT_ID_MAX];  /* "" or a player's id */
	char challenge[CLIENT_ID_MAX]; /* to the person, or "" */
	char top[3 * CLIENT_WORD_MAX]; /* what leaderboard was asked for */
	int status;
};

/* Shows p->text and what to type. */
void play_show(struct play *p);
/* A line for the person. */
void play_say(struct play *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Leaves the terminal; the seat stays. */
void play_leave(struct play *p);

/* Shows a notice of the server about talk; false: it is about something else. */
bool play_hears(struct play *p, const char *name,
		const struct client_value *notice);
/* -- play_meet.c -- */

void play_quick(struct play *p);
void play_challenge(struct play *p, const char *name);
void play_yes(struct play *p);
void play_no(struct play *p);
void play_who(struct play *p);
/* False: it is about something else. */
bool play_meet_notice(struct play *p, const char *name,
		      const struct client_value *params);

/* -- play_rating.c -- */

/* name "": his own */
void play_rating(struct play *p, const char *name);
/* words: a ruleset, a speed class and `bots', in any order; each may be left
 * out. */
void play_top(struct play *p, const char *words);
void play_watchers(struct play *p);

/* -- play_tournament.c -- */

void play_tournaments(struct play *p);
/* id: which tournament. */
void play_register(struct play *p, const char *id);
void play_withdraw(struct play *p, const char *id);
void play_check_in(struct play *p, const char *id);
/* False: it is about something else. */
bool play_tournament_notice(struct play *p, const char *name,
			    const struct client_value *params);

/* Obeys a line. */
void play_line(struct play *p, const char *line);

#endif
