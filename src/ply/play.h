/* SPDX-License-Identifier: MIT
 * play.h - a person at a terminal. cmd_play.c owns the parts, play_meet.c finds
 * an opponent, play_line.c obeys what is typed, play_chat.c hears and speaks. The
 * full screen, play_screen.h, is another face of the same: it shows what is said
 * and turns keys into these calls. */
#ifndef PLYD_PLY_PLAY_H
#define PLYD_PLY_PLAY_H

#include "ply/time_text.h"
#include "ply/link.h"
#include "ply/login.h"
#include "ply/session_file.h"
#include "ply/terminal.h"
#include "ply/view.h"

enum { PLAY_TEXT_MAX = 64 * 1024, PLAY_MOVES_SHOWN = 64 };

struct play_screen;

struct play_options {
	const char *ruleset; /* NULL: to be chosen on the screen */
	const char *server;
	const char *ai;      /* NULL: anyone */
	const char *against; /* whom to challenge, or NULL */
	bool quick;          /* a quick match */
	bool rated;          /* it counts for both ratings */
	bool line;           /* no full screen */
	const char *watch;   /* on the screen, a match; "": the list; or NULL */
	const char *opponent;   /* who may join a lobby; NULL: anyone */
	const char *side;       /* that is wanted; NULL: any */
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
	struct terminal *terminal; /* or, where it is NULL, */
	struct play_screen *screen;
	struct session_file session;
	struct view view;
	struct buf text; /* being written for the terminal */
	bool playing;    /* the view shows a match */
	bool asking;     /* for a lobby */
	bool waiting;    /* in a lobby */
	bool unready;    /* in his own lobby, for he may begin no match yet */
	bool met;        /* what was asked for was asked for once */
	bool refused;    /* the session of the file is no more */
	bool leaving;
	bool away;  /* the opponent is not here */
	bool ended; /* the match is over, and a person may want another */
	/* what was typed once, and is done when it is typed again */
	enum resigning {
		RESIGNING_NOTHING,
		RESIGNING_GAME,
		RESIGNING_MATCH
	} resigning;
	uint64_t key; /* of lobby.create */
	char lobby[CLIENT_ID_MAX];
	char watched[CLIENT_ID_MAX]; /* a match of others that the view shows */
	char opponent[CLIENT_ID_MAX];  /* "" or a player's id */
	char challenge[CLIENT_ID_MAX]; /* to the person, or "" */
	char top[3 * CLIENT_WORD_MAX]; /* what leaderboard was asked for */
	int status;
};

/* Whether this is a terminal for a full screen, and none is against it. */
bool play_wants_screen(bool line);
/* Plays, or looks on; the exit status. */
int play_run(const char *who, const struct play_options *wanted);

/* Shows p->text and what to type. */
void play_show(struct play *p);
/* A line for the person. */
void play_say(struct play *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same where keys cannot tell: not on a full screen. */
void play_hint(struct play *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Leaves the terminal; the seat stays. */
void play_leave(struct play *p);
/* What was asked for cannot be had: the end, but on a full screen. */
void play_fail(struct play *p, int status, const char *why);

/* Shows a notice of the server about talk; false: it is about something else. */
bool play_hears(struct play *p, const char *name,
		const struct client_value *notice);
/* -- play_meet.c -- */

/* The game that is meant where none is named; "": none, and he
 * has been told. */
const char *play_ruleset(struct play *p);
/* Looks for an opponent as the options say. */
void play_meet(struct play *p);
/* Opens a lobby as the options say. */
void play_create(struct play *p);
/* Sits down in that lobby, or accepts that seek. */
void play_join(struct play *p, const char *lobby);
void play_accept_seek(struct play *p, const char *seek);
/* Looks on at a match of others, on the screen. */
void play_watch(struct play *p, const char *match);
/* Gives up the seat in the lobby and the place in the queue. */
void play_stop_waiting(struct play *p);
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

/* -- play_line.c -- */

/* Obeys a line. */
void play_line(struct play *p, const char *line);
/* Asks for what its name says; the answer is told by an event, or in words. */
void play_move(struct play *p, const char *move);
void play_accept(struct play *p);
void play_decline(struct play *p);
/* What the opponent wants to be answered by these two: `a draw`; NULL: nothing. */
const char *play_wanted(const struct play *p);

/* -- play_stakes.c -- */

/* Gives up without being asked again. level: 0, or the points that are offered
 * in backgammon; whole: the match of several games. */
void play_give_up(struct play *p, int level, bool whole);

#endif
