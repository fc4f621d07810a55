/* SPDX-License-Identifier: MIT
 * command.h - what the domain is asked to do: by a player's connection, by the
 * clock, by the store, by a worker. A command carries everything that it needs
 * to be decided; spans are lent for the length of the step. */
#ifndef PLYD_DOMAIN_COMMAND_H
#define PLYD_DOMAIN_COMMAND_H

#include "base/digest.h"
#include "base/id.h"
#include "base/ip.h"
#include "base/span.h"
#include "domain/lobby.h"
#include "domain/speed.h"
#include "domain/report.h"
#include "domain/tournament.h"

enum command_type {
	/* from a connection; answered by EFFECT_ANSWER or EFFECT_REFUSE */
	CMD_HELLO,
	CMD_LOBBY_LIST,
	CMD_LOBBY_CREATE,
	CMD_LOBBY_JOIN,
	CMD_LOBBY_GET,
	CMD_LOBBY_LEAVE,
	CMD_LOBBY_READY,
	CMD_LOBBY_INVITE,
	CMD_LOBBY_DECLINE,
	CMD_LOBBY_KICK,
	CMD_LOBBY_UPDATE,
	CMD_SEEK_CREATE,
	CMD_SEEK_LIST,
	CMD_SEEK_ACCEPT,
	CMD_SEEK_CANCEL,
	CMD_QUICK_JOIN,
	CMD_QUICK_LEAVE,
	CMD_QUICK_STATUS,
	CMD_CHALLENGE_SEND,
	CMD_CHALLENGE_ACCEPT,
	CMD_CHALLENGE_DECLINE,
	CMD_CHALLENGE_CANCEL,
	CMD_BOT_POLICY,
	CMD_BOT_FINISH,
	CMD_BOT_LIST,
	CMD_PLAYERS_LIST,
	CMD_PLAYER_GET,
	CMD_MATCH_LIST,
	CMD_MATCH_GET,
	CMD_MATCH_WATCH,
	CMD_MATCH_UNWATCH,
	CMD_MATCH_NONCE,
	CMD_MATCH_MOVE,
	CMD_MATCH_RESIGN,
	CMD_MATCH_OFFER_DRAW,
	CMD_MATCH_ACCEPT_DRAW,
	CMD_MATCH_DECLINE_DRAW,
	CMD_MATCH_ABORT,
	CMD_MATCH_CLAIM,
	CMD_MATCH_ROLL,
	CMD_MATCH_DOUBLE,
	CMD_MATCH_TAKE,
	CMD_MATCH_DROP,
	CMD_MATCH_ACCEPT_RESIGN,
	CMD_MATCH_DECLINE_RESIGN,
	CMD_ACCOUNT_GET,
	CMD_ACCOUNT_REGISTER,
	CMD_ACCOUNT_PASSWORD,
	CMD_ACCOUNT_RENAME,
	CMD_ACCOUNT_LOGOUT,
	CMD_ACCOUNT_SESSIONS,
	CMD_ACCOUNT_DELETE,
	CMD_ACCOUNT_EXPORT,
	CMD_MATCH_SEEN,
	CMD_MATCH_TAKEBACK_OFFER,
	CMD_MATCH_TAKEBACK_ACCEPT,
	CMD_MATCH_TAKEBACK_DECLINE,
	CMD_MATCH_REMATCH,
	CMD_MATCH_REMATCH_DECLINE,
	CMD_MATCH_PAUSE_OFFER,
	CMD_MATCH_PAUSE_ACCEPT,
	CMD_MATCH_PAUSE_DECLINE,
	CMD_MATCH_RESUME,
	CMD_MATCH_LEAVE,
	CMD_PLAYER_WATCH,
	CMD_PLAYER_UNWATCH,
	CMD_RATING_GET,
	CMD_RATING_HISTORY,
	CMD_RATING_LEADERS,
	CMD_CHAT_SEND,
	CMD_CHAT_GET,
	CMD_CHAT_SWITCH,
	CMD_BLOCK_ADD,
	CMD_BLOCK_REMOVE,
	CMD_BLOCK_LIST,
	CMD_REPORT_SEND,
	CMD_TOURNAMENT_LIST,
	CMD_TOURNAMENT_GET,
	CMD_TOURNAMENT_STANDINGS,
	CMD_TOURNAMENT_ROUND,
	CMD_TOURNAMENT_WATCH,
	CMD_TOURNAMENT_UNWATCH,
	CMD_TOURNAMENT_CREATE,
	CMD_TOURNAMENT_OPEN,
	CMD_TOURNAMENT_START,
	CMD_TOURNAMENT_PAUSE,
	CMD_TOURNAMENT_RESUME,
	CMD_TOURNAMENT_FINISH,
	CMD_TOURNAMENT_DIRECT,
	CMD_TOURNAMENT_ENTER,
	CMD_TOURNAMENT_WITHDRAW,
	CMD_TOURNAMENT_CHECK_IN,
	CMD_TOURNAMENT_INVITE,
	CMD_TOURNAMENT_REMOVE,
	CMD_TOURNAMENT_CORRECT,
	/* from the operator's connection, which has no session; answered too */
	CMD_ADMIN_SAY,
	CMD_ADMIN_DRAIN,
	CMD_ADMIN_SHUTDOWN,
	CMD_ADMIN_KICK,
	CMD_ADMIN_END_MATCH,
	CMD_ADMIN_BAN,
	CMD_ADMIN_UNBAN,
	CMD_ADMIN_MUTE,
	CMD_ADMIN_UNMUTE,
	CMD_ADMIN_BOT_TOKEN,  /* gives a bot its token; makes the bot */
	CMD_ADMIN_BOT_REVOKE, /* its token and sessions are no more */
	CMD_ADMIN_RELOAD, /* scripts were read again; admin.text says what */
	CMD_ADMIN_RESET,  /* a one-time password for who forgot his */
	CMD_ADMIN_CLOSE_REPORT,
	CMD_ADMIN_ADJUST_CLOCK, /* of match: side, ms */
	CMD_ADMIN_TOKEN,        /* of an operator: login, secret, ms */
	CMD_ADMIN_TOKEN_REVOKE,
	CMD_ADMIN_NOTE, /* what the shell does; not answered */
	/* from the shell; answered by nobody */
	CMD_ATTACH,   /* after a rebuild: `session` of `player` is on `conn` */
	CMD_GONE,     /* the connection is no more */
	CMD_RELEASED, /* the position of `match` is durable */
	CMD_FINISHED, /* so is its end */
	CMD_CONTINUE, /* the next step of `match`, see EFFECT_CONTINUE */
	CMD_THOUGHT,  /* a personality's choice */
	CMD_FREEZE,   /* `match` must not go on: a fault of the server */
	CMD_VERDICT,  /* what a draw policy's script says */
	CMD_TOURNAMENT_SCHEDULED, /* the time of a plan has come */
	CMD_HASHED,               /* what became of an EFFECT_HASH */
	CMD_TICK,                 /* something may be due */
};

struct cmd_hello {
	struct span name; /* "" = the server makes one */
	bool bot;
	bool resume;
	struct digest token; /* resume: SHA-256 of the token shown */
	struct digest fresh; /* SHA-256 of the token given in the answer */
	bool has_address;    /* false: bans of addresses do not apply */
	struct ip address;
	/* to log in; "" = not */
	struct span login;
	struct span password;
	bool by_bot_token;
	struct digest bot_token; /* SHA-256 of the token shown */
};

struct cmd_register {
	struct span login; /* login_is_good() */
	struct span password;
};

struct cmd_password {
	struct span old;
	struct span fresh; /* the new one */
};

struct cmd_logout {
	bool everywhere;
	bool other; /* session `session`, not the one that asks */
	uint32_t session;
};

/* The answer to an EFFECT_HASH. */
struct cmd_hashed {
	uint64_t job;
	bool fits;           /* the password fitted the hash shown */
	bool gone;           /* who asked has gone: nothing is done */
	struct span hash;    /* of the new password, if one was asked for */
	struct digest fresh; /* SHA-256 of the token given in the answer */
};

struct cmd_lobby_create {
	struct span ruleset;
	int side; /* enum side, or -1 */
	enum against opponent;
	struct span personality;
	bool is_private;
	struct clock_wish clock;
	bool ready;
	bool rated;
	int64_t spectator_delay_ms;
	struct span key;
	int match_length; /* 0: the ruleset's */
	bool invited_only;
	bool closed;          /* no spectators */
	struct span position; /* or "" */
};

struct cmd_lobby_join {
	struct id lobby; /* or none, and code */
	struct span code;
	int side;
	bool ready;
};

struct cmd_match_move {
	uint32_t ply;
	struct span text;
};

struct cmd_match_resign {
	int level;     /* 1 to 3; 0: as much as the game may cost */
	bool whole;    /* the match, not only its game */
	uint32_t game; /* that is meant; 0: the present one */
};

struct cmd_released {
	uint32_t ply;
	uint32_t takebacks;
};

struct cmd_thought {
	uint32_t ply;
	enum awaits asked;
	uint32_t takebacks; /* of the match when it was asked */
	bool failed;        /* the worker failed: the fallback answers */
	bool resign;
	bool accept_draw;
	bool offer_draw;
	struct span move;
	bool keeps; /* its script keeps `memory` of the match */
	struct span memory;
	bool yes;        /* asked ROLL: doubles; ANSWER: takes; RESIGNATION:
			 * accepts */
	uint64_t offer;  /* asked RESIGNATION: which, as in resign_offers */
	struct span say; /* CHAT_BYTES_MAX, without NUL; "" nothing */
};

/* lobby or match of the command says where. */
struct cmd_chat {
	struct span text; /* CHAT_BYTES_MAX, without NUL */
	struct span key;
	bool on;          /* CMD_CHAT_SWITCH */
	struct id player; /* CMD_BLOCK_: whom */
};

struct cmd_report {
	struct id player;
	enum report_reason reason;
	struct span text; /* CHAT_BYTES_MAX, without NUL */
};

/* What an operator says; each act uses some of it. */
struct cmd_admin {
	struct id player;
	struct span text;    /* SAID_BYTES_MAX, an end VERDICT_BYTES_MAX */
	struct span by;      /* name of his token: BY_BYTES_MAX */
	const char *act;     /* NOTE: ACT_BYTES_MAX */
	const char *target;  /* NOTE: TARGET_BYTES_MAX */
	struct span address; /* a range */
	bool on;
	enum side side; /* ADJUST_CLOCK */
	int64_t ms;     /* of a ban or mute: how long; below 0: for ever */
	int64_t number;
	enum match_result result;
	/* BOT_TOKEN, BOT_REVOKE, RESET: whose. A bot that there is not is made,
	 * with `name` or, if that is "", its login for a name. The caller draws
	 * the secret and shows it when the answer comes. Refusals: PLYD_EVALUE
	 * (not a login), PLYD_ENAME, PLYD_ENAMETAKEN, PLYD_ELOGINTAKEN,
	 * PLYD_ENOTALLOWED (a member is no bot, or the other way round),
	 * PLYD_ENOACCOUNT, PLYD_EFULL. */
	struct span login;
	struct span name;
	struct digest secret; /* SHA-256 of the token or one-time password */
};

struct cmd_verdict {
	uint32_t ply;
	uint32_t takebacks; /* of the match when it was asked */
	bool ends;          /* else the match goes on, */
	bool warns;         /* and the players see the words */
	enum match_result result;
	struct span words; /* for the players */
	bool keeps;        /* the script keeps `memory` of the match */
	struct span memory;
};

/* What ratings are asked for. */
struct cmd_rating {
	struct id player; /* whose; none: the asker's */
	struct span ruleset;
	enum speed_class speed;
	enum rating_pool pool;
	size_t count; /* leaders */
};

/* A page of a list. What is -1 does not matter. */
struct cmd_list {
	struct span ruleset; /* or "" */
	int speed;           /* enum speed */
	int rated;
	bool joinable;   /* only what he may join or accept */
	struct id after; /* the last entry of the page before, or none */
};

/* A player, by id or by name. */
struct cmd_whom {
	struct id player; /* or none, and name */
	struct span name;
};

/* What stays as it is, is "" or -1. */
struct cmd_lobby_update {
	struct span ruleset;
	struct clock_wish clock;
	int side;
	int rated;
	int match_length; /* 0: as it is, or the new ruleset's */
};

struct cmd_seek {
	struct cmd_whom to; /* CMD_CHALLENGE_SEND */
	struct span ruleset;
	struct clock_wish clock;
	int side; /* or -1: by lot */
	enum against opponent;
	bool rated;
	int64_t rating_min, rating_max; /* 0: any */
	int match_length;               /* 0: the ruleset's */
	struct span position;           /* or "" */
	struct span key;
};

struct cmd_seek_answer {
	struct id seek; /* or challenge */
	enum decline_word word;
};

struct cmd_quick {
	struct span ruleset;
	struct clock_wish clock;
	int speed; /* or -1 */
	bool rated;
	bool bots;
};

struct cmd_bot_policy {
	bool answers;
	struct span rulesets;
	unsigned speeds;
	int rated;
	enum against opponent;
	uint32_t at_once;
};

/* Each command uses some of it. */
struct cmd_tournament {
	struct id tournament; /* which; LIST: the last of the page before */
	/* CREATE, SCHEDULED: without the name and the clock of CREATE, which
	 * are asked for by the two below; without tie-breaks: the usual ones.
	 * Lent for the step. */
	const struct tournament_terms *terms;
	struct span name;
	struct clock_wish clock;
	struct span key;
	bool draft;                 /* CREATE: registration is not open yet */
	struct span directors;      /* SCHEDULED: logins, a space between */
	struct cmd_whom whom;       /* DIRECT, INVITE, REMOVE */
	bool on;                    /* DIRECT: is one, or is not any more */
	uint32_t round, table;      /* ROUND, CORRECT: from 0 */
	uint32_t from;              /* STANDINGS, ROUND: first of the page */
	enum table_outcome outcome; /* CORRECT */
	int points[2];
	struct span words; /* CORRECT: DIRECTOR_WORDS_MAX */
};

/* Who is here. */
struct cmd_players {
	int bots; /* 0 people, 1 bots, -1 both */
	struct id after;
};

struct command {
	enum command_type type;
	uint64_t conn;    /* whose; 0 from the shell */
	uint32_t msgid;   /* of the request */
	struct id player; /* who, resolved by the session; CMD_HELLO none */
	uint32_t session; /* of his; looked at only if conn is 0, and by
			   * CMD_ATTACH: else it is the one on conn */
	struct id lobby;  /* lobby commands, chat, report */
	struct id match;  /* match commands, chat, report */
	uint64_t now_ms;  /* domain time; never less than the last one */
	int64_t unix_ms;  /* wall clock: recorded, and what bans end by */
	/* match commands that bind a ply: so many takebacks are known to who
	 * gave it, plus one; 0: he does not say */
	uint32_t takebacks_known;
	union {
		struct cmd_hello hello;
		struct cmd_lobby_create create;
		struct cmd_lobby_join join;
		bool ready; /* CMD_LOBBY_READY */
		struct cmd_list list;
		struct cmd_whom named;
		struct cmd_lobby_update update;
		struct cmd_seek seek;
		struct cmd_seek_answer seek_answer;
		struct cmd_quick quick;
		struct cmd_bot_policy policy;
		struct cmd_players players;
		struct cmd_tournament tournament;
		struct span nonce;
		struct cmd_match_move move;
		uint32_t ply; /* accept, decline, takeback, roll, double, take,
			       * drop */
		struct cmd_released released;
		bool claim_win; /* CMD_MATCH_CLAIM; else a draw */
		struct cmd_match_resign resign;
		uint64_t offer; /* CMD_MATCH_ACCEPT_RESIGN, _DECLINE_RESIGN */
		uint64_t lag;   /* CMD_MATCH_SEEN: the nonce */
		struct cmd_thought thought;
		struct cmd_verdict verdict;
		const char *why; /* CMD_FREEZE; not "", VERDICT_BYTES_MAX */
		struct cmd_register account; /* CMD_ACCOUNT_REGISTER */
		struct cmd_password password;
		struct cmd_logout logout;
		struct span name;    /* CMD_ACCOUNT_RENAME; name_clean() */
		struct span confirm; /* CMD_ACCOUNT_DELETE: the password */
		struct cmd_hashed hashed;
		struct cmd_admin admin;
		struct cmd_rating rating;
		struct id whom; /* CMD_PLAYER_WATCH, _UNWATCH */
		struct cmd_chat chat;
		struct cmd_report report;
	};
};

#endif
