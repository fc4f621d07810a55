/* SPDX-License-Identifier: MIT
 * play_screen_priv.h - what the views of play_screen.c share. */
#ifndef PLYD_PLY_PLAY_SCREEN_PRIV_H
#define PLYD_PLY_PLAY_SCREEN_PRIV_H

#include "net/watch.h"
#include "ply/play.h"
#include "ply/play_screen.h"
#include "ply/story_view.h"
#include "screen/form_page.h"
#include "screen/list_page.h"
#include "screen/match_page.h"
#include "screen/text_page.h"

enum {
	SCREEN_SOON_MS = 15,   /* what happens at once is drawn once */
	SCREEN_EACH_MS = 250,  /* clocks go on between what the server tells */
	SCREEN_FETCH_MS = 3000 /* lists are asked for again */
};

enum screen_view {
	VIEW_LOBBY,
	VIEW_MATCHES, /* to be watched */
	VIEW_FORM,
	VIEW_MATCH,
	VIEW_STORY, /* a match that is over, step by step */
	VIEW_HELP
};

/* What the line is for. */
enum screen_typing {
	TYPING_NOTHING,
	TYPING_MOVE,
	TYPING_WORD, /* of `ply play --line' */
	TYPING_CHAT
};

/* What is asked once more. */
enum screen_asking { ASKING_NOTHING, ASKING_GIVE_UP, ASKING_QUIT };

/* The match view's own state. */
struct screen_match {
	struct pick pick;
	char match[CLIENT_ID_MAX]; /* of which all this is */
	bool picking;              /* it is on us to choose a move, */
	uint32_t ply;              /* at this half-move */
	uint64_t hash;             /* of that position */
	bool sent;                 /* and it was sent */
	bool missed;               /* what was chosen last cannot be */
	bool flipped;
	int cursor;
};

/* What the server has to offer. */
struct screen_rules {
	int rulesets; /* 0: not known yet */
	struct {
		char name[RULESET_NAME_MAX + 1];
		bool is_match; /* of several games */
	} ruleset[FORM_OPTIONS_MAX];
	int ais;
	struct {
		char name[CLIENT_WORD_MAX];
		char about[LIST_CELL_BYTES];
		uint32_t plays; /* bit i: ruleset i */
	} ai[FORM_OPTIONS_MAX];
};

/* What stands first in the choice of an opponent. */
enum form_against { AGAINST_ANYONE, AGAINST_QUICK, AGAINST_AI };
enum {
	FORM_GAME,
	FORM_AGAINST,
	FORM_CLOCK,
	FORM_SIDE,
	FORM_RATED,
	FORM_POINTS
};

struct play_screen {
	struct play *play;
	struct net_watch *input, *resized, *stopped;
	struct net_timer *draw, *fetch;
	bool will_draw_soon;
	struct grid grid;
	struct log log;
	int log_back;
	struct line line;
	enum screen_typing typing;
	enum screen_asking asking;
	enum screen_view view;
	enum screen_view before_help;
	int help_from;
	char name[CLIENT_NAME_MAX]; /* ours */
	char where[128];
	char alert[128];
	struct screen_match match;
	struct story_view story;
	struct list list; /* of the lobby, or of matches */
	char id[LIST_ROWS_MAX][CLIENT_ID_MAX];
	bool is_seek[LIST_ROWS_MAX];
	char chosen_id[CLIENT_ID_MAX]; /* while the list is made anew */
	bool fetching;
	struct form form;
	enum form_against form_against; /* once the rules are known */
	struct screen_rules rules;
	/* what the options lend from the form */
	char ruleset[FORM_OPTION_BYTES], ai[FORM_OPTION_BYTES];
};

/* -- play_screen.c -- */

void screen_changed(struct play_screen *s);
void screen_show(struct play_screen *s, enum screen_view view);
/* Begins to type, with a first sign or 0. */
void screen_type(struct play_screen *s, enum screen_typing typing,
		 uint32_t first);
/* The page that all views have; the view adds say and keys. */
struct page screen_page(struct play_screen *s);

/* -- one file for each view: drawing, and taking a key -- */

void match_view_draw(struct play_screen *s);
void match_view_key(struct play_screen *s, struct key key);
/* After the match has changed: begins a choice, or ends it. */
void match_view_follow(struct play_screen *s);

/* Asks for the record of the match that is over, and shows it. */
void match_view_again(struct play_screen *s);
void again_view_draw(struct play_screen *s);
void again_view_key(struct play_screen *s, struct key key);

void lobby_view_draw(struct play_screen *s);
void lobby_view_key(struct play_screen *s, struct key key);
/* Asks for what the list shows; again while it is shown. */
void lobby_view_fetch(struct play_screen *s);

void form_view_open(struct play_screen *s, enum form_against against);
void form_view_draw(struct play_screen *s);
void form_view_key(struct play_screen *s, struct key key);

void help_view_draw(struct play_screen *s);
void help_view_key(struct play_screen *s, struct key key);

#endif
