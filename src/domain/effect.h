/* SPDX-License-Identifier: MIT
 * effect.h - what the shell must now do. Effects name audiences, not
 * recipients, and lend what they point to until the next step. An object that
 * is shown is as it is after the whole step. */
#ifndef PLYD_DOMAIN_EFFECT_H
#define PLYD_DOMAIN_EFFECT_H

#include "domain/board.h"
#include "domain/command.h"
#include "domain/fact.h"
#include "domain/lobby.h"

enum effect_type {
	EFFECT_ANSWER,       /* to conn, msgid: the answer to `command` */
	EFFECT_REFUSE,       /* to conn, msgid: err, with what helps */
	EFFECT_DETACH,       /* say err to conn in `closing`, then close it */
	EFFECT_FACT,         /* to the match's audience: this public fact */
	EFFECT_STARTED,      /* to both seats: the match is there */
	EFFECT_PRESENCE,     /* to the match's audience: side came or went */
	EFFECT_SEAT_TAKEN,   /* to conn: another session has its seat in match
			      * or lobby, side, now */
	EFFECT_LOBBY,        /* to the lobby's seats: it has changed */
	EFFECT_LOBBY_CLOSED, /* to `player`, if here: the lobby is no more */
	EFFECT_REMATCH,      /* to both seats: who wants another match */
	EFFECT_RELEASE,      /* once durable, say CMD_RELEASED match */
	EFFECT_CONTINUE,     /* say CMD_CONTINUE match, as a step of its own */
	EFFECT_JUDGE,        /* ask the draw policy's script about match */
	EFFECT_THINK,        /* ask a personality for what it must decide */
	EFFECT_FINISHED,     /* the match moves to its record; once that is
			      * durable, say CMD_FINISHED match */
	EFFECT_HASH,         /* work on a password; say CMD_HASHED */
	/* each to `player`, if he is here */
	EFFECT_INVITED,         /* to `lobby` */
	EFFECT_INVITE_DECLINED, /* by `other`, to `lobby` */
	EFFECT_CHALLENGED,      /* by `seek` */
	EFFECT_SEEK_CLOSED,     /* his, or a challenge to him */
	EFFECT_QUICK_WAITING,   /* `quick` */
	EFFECT_BOT_FINISHED,    /* its last match is over */
	EFFECT_NOTICE,          /* to everybody: the operator's words */
	EFFECT_DRAIN,     /* no new matches begin, or they do again: `on` */
	EFFECT_LATE_FACT, /* to the spectators of match, which is as they see
			       * it: this public fact */
	EFFECT_LATE_PRESENCE, /* to them: side came or went */
	EFFECT_SNAPSHOT,      /* to conn, or if that is 0 to all spectators of
			       * match: it is watched now */
	EFFECT_CHAT,          /* to those in the channel: this line */
	EFFECT_CHAT_SWITCHED, /* to the match's seats: `on` */
	/* to those who watch a tournament, or all who are in it */
	EFFECT_TOURNAMENT,           /* it has changed */
	EFFECT_TOURNAMENT_ROUND,     /* a round is paired */
	EFFECT_TOURNAMENT_TABLE,     /* of `round`: its match began, or ended */
	EFFECT_TOURNAMENT_STANDINGS, /* they have changed */
	EFFECT_REPORTED, /* for the log: somebody told about `player` */
};

enum notice_kind {
	NOTICE_MESSAGE,
	NOTICE_SHUTDOWN,  /* the server must stop in in_ms */
	NOTICE_CANCELLED, /* it must not stop after all */
};

/* What an answer shows, beside the object that the effect points to. */
struct answer {
	bool duplicate;   /* CMD_MATCH_MOVE, ROLL, ...: done before */
	bool left;        /* CMD_ACCOUNT_LOGOUT: this session too is no more */
	bool resumed;     /* CMD_HELLO */
	int die[2];       /* CMD_MATCH_ROLL */
	uint32_t ply;     /* CMD_MATCH_MOVE, ROLL, ... */
	struct id match;  /* that began by it, or had before */
	uint64_t seq;     /* number of the event that the command made */
	const char *move; /* CMD_MATCH_MOVE: canonical */
	const struct position
		*after;              /* CMD_MATCH_MOVE: the position after it */
	const struct player *about;  /* CMD_RATING_GET, CMD_RATING_HISTORY,
				     * CMD_PLAYER_WATCH */
	struct cmd_rating rating;    /* what was asked for; ruleset is lent by
				     * the command */
	const struct rating *past;   /* CMD_RATING_HISTORY; NULL: none */
	const struct board *board;   /* CMD_RATING_LEADERS; NULL: nobody */
	size_t shown;                /* of it */
	const struct cmd_list *list; /* lists; lent by the command */
	bool bots, people;           /* CMD_PLAYERS_LIST, CMD_BOT_LIST: */
	const struct player *first;  /* and the first that is shown */
};

/* A password is verified against a hash, if `hash` is not NULL; "" fits none,
 * but must take as long. If it fits, or there is none to verify, `fresh` is
 * hashed, if it is not "". Lent for the length of the step. */
struct hashing {
	uint64_t job;
	const char *hash;
	struct span password;
	struct span fresh;
};

struct effect {
	enum effect_type type;
	uint64_t conn;
	uint32_t msgid;
	int err;
	const char *text; /* a better sentence than err's, or NULL */
	const struct refusal *refusal; /* PLYD_EILLEGAL */
	enum command_type command;     /* ANSWER */
	struct answer answer;          /* ANSWER */
	const struct player *player;
	const struct session *session; /* ANSWER to CMD_HELLO, SEAT_TAKEN: it */
	const struct lobby *lobby;
	struct id lobby_id; /* LOBBY_CLOSED */
	const char *why;    /* the same: a word of the wire */
	const struct player *other;
	const struct seek *seek;
	const struct tournament *tournament; /* TOURNAMENT_, and answers */
	uint32_t round, table;               /* ROUND, TABLE, and answers */
	uint32_t from;                       /* answers: first row of a page */
	bool all; /* TOURNAMENT: also those who do not watch */
	struct quick_view quick;
	const struct match *match;
	bool last; /* LATE_FACT: the position after it is shown too */
	const struct fact *fact;      /* FACT */
	enum side side;               /* PRESENCE */
	struct cmd_released released; /* RELEASE */
	enum awaits asked;            /* THINK: what it must decide */
	enum notice_kind notice;      /* NOTICE: with text and in_ms */
	int64_t in_ms;
	bool on;                /* DRAIN */
	int64_t until_unix_ms;  /* REFUSE: not before; 0: nobody knows */
	struct hashing hashing; /* HASH, for conn, msgid and `command` */
	int64_t retry_ms;       /* REFUSE: not before; 0: that does not help */
	/* CHAT, and the answer to it; of a personality it has no player */
	const struct chat_line *line;
	const struct chat *chat;   /* ANSWER to CMD_CHAT_GET */
	enum chat_channel channel; /* both */
};

#endif
