/* SPDX-License-Identifier: MIT
 * match.h - what a match is, for those who may read it (session, record). Only
 * the domain writes it. */
#ifndef PLYD_DOMAIN_MATCH_H
#define PLYD_DOMAIN_MATCH_H

#include <plyd/rules.h>
#include "base/buf.h"
#include "base/digest.h"
#include "base/id.h"
#include "base/table.h"
#include "domain/chat.h"
#include "domain/clock.h"
#include "domain/due.h"
#include "domain/lag.h"
#include "domain/limits.h"
#include "domain/listing.h"

struct held_move;
struct late;
struct session;

/* A member is an account with a password. */
enum player_kind { KIND_GUEST, KIND_BOT, KIND_PERSONALITY, KIND_MEMBER };

/* Draw policy as data; 0 switches a limit off. */
struct draw_rules {
	char policy[POLICY_BYTES_MAX + 1];
	char version[VERSION_BYTES_MAX + 1]; /* of the policy's file; or "" */
	uint32_t no_progress;                /* half-moves without progress */
	bool man_moves_count; /* progress is a capture or a man's move, not a
			       * capture or a promotion */
	uint32_t repetition;  /* occurrences of one position */
	bool judged;          /* its script is asked after each half-move */
	bool no_offers;       /* no draw by agreement */
	uint32_t offers_from; /* half-moves before a draw may be offered */
	uint32_t offers_max;  /* offers of a side until there is progress */
};

/* A ruleset as a match is played: the rules core's options, draws, clock. */
struct match_rules {
	struct ruleset rules;
	char version[VERSION_BYTES_MAX + 1]; /* of its file; or "" */
	struct draw_rules draws;
	struct clock_rules clock;         /* what a lobby gets unless it asks */
	struct clock_limits clock_limits; /* what it may ask for */
	char about[ABOUT_BYTES_MAX + 1];
	bool takeback; /* by consent; never with dice, nor in rated matches */
};

struct seat {
	enum player_kind kind;
	struct id player; /* none for a personality */
	char name[NAME_BYTES_MAX + 1];
	char version[VERSION_BYTES_MAX + 1]; /* of a personality; or "" */
};

/* A match's life. The arrows are in match_move_to(). */
enum match_state {
	MATCH_NONCES, /* dice only: waits for the players' nonces */
	MATCH_PLAYING,
	MATCH_PAUSED, /* by agreement: the clocks stand */
	MATCH_OVER,
	MATCH_FROZEN, /* an invariant broke; the operator must look */
};
const char *match_state_name(enum match_state state);

enum match_result { RESULT_WHITE, RESULT_BLACK, RESULT_DRAW, RESULT_ABORTED };

/* V(UPPER, "name", doc): how matches end. Names are on the wire for ever. */
#define END_REASONS(V)                                                         \
	V(NO_PIECES, "no_pieces", "The loser has no piece left.")              \
	V(NO_MOVES, "no_moves", "The loser cannot move.")                      \
	V(SINGLE, "single", "Borne off: a single game.")                       \
	V(GAMMON, "gammon", "Borne off; the loser has borne off none.")        \
	V(BACKGAMMON, "backgammon",                                            \
	  "Borne off; the loser stands on the bar or in the winner's home.")   \
	V(RESIGNED, "resigned", "The loser resigned.")                         \
	V(FLAG, "flag", "The loser's time ran out.")                           \
	V(AGREED, "agreed", "Both agreed to a draw.")                          \
	V(REPETITION, "repetition", "The position came too often.")            \
	V(NO_PROGRESS, "no_progress", "Too long without progress.")            \
	V(TOO_LONG, "too_long", "The match reached 4096 half-moves.")          \
	V(CLAIMED, "claimed", "One player left, the other claimed.")           \
	V(ABORTED, "aborted",                                                  \
	  "Ended before two half-moves, or nobody came back to it.")           \
	V(POLICY, "policy", "The draw policy's script decided.")               \
	V(OPERATOR, "operator", "The operator of the server decided.")         \
	V(DROPPED, "dropped", "The loser dropped a double.")                   \
	V(NO_SHOW, "no_show", "A player made no first move in time.")

enum end_reason {
#define V(UPPER, name, doc) END_##UPPER,
	END_REASONS(V)
#undef V
		END_REASON_COUNT
};
const char *end_reason_name(enum end_reason reason);

/* See rating.h. */
enum rating_pool { POOL_PEOPLE, POOL_BOTS };
struct seat_rating {
	int32_t before_milli;    /* when it began; 0: a player without rating */
	int32_t deviation_milli; /* the same */
	int32_t change_points;   /* once it is rated */
};

struct nonce {
	bool given; /* sent, or not awaited from this seat */
	uint8_t len;
	uint8_t byte[DICE_NONCE_MAX];
};

/* The last move of a seat, so that a repeated command finds its answer. */
struct last_move {
	bool any;
	uint8_t text_len;
	uint32_t text_at; /* in the match's moves */
	uint32_t ply;
	uint64_t seq;
	struct position before;
};

struct draw_offers {
	bool standing;
	enum side by;            /* if standing */
	bool spent[2];           /* may not offer again yet */
	uint32_t moves_since[2]; /* own moves since the refusal */
	uint32_t made[2];        /* since the last progress */
};

/* What a match waits for. */
enum awaits {
	AWAITS_MOVE,
	AWAITS_ROLL,        /* that a side throws, or doubles */
	AWAITS_ANSWER,      /* to a double: take or drop */
	AWAITS_RESIGNATION, /* that one is accepted or declined; the turn goes
			     * on meanwhile, so match_awaits() never says it */
	AWAITS_NOTHING,     /* of a player: the server is to act, or nobody */
};
const char *awaits_name(enum awaits awaits); /* NULL: nothing */

/* The last thing that a seat did with cube and throw. */
enum cube_act { CUBE_ROLL, CUBE_DOUBLE, CUBE_TAKE, CUBE_DROP };
struct last_act {
	bool any;
	enum cube_act act;
	uint32_t ply;
	uint64_t seq;
	int die[2]; /* CUBE_ROLL */
};

/* Resignations of a game that may still cost more. An answer binds the offer's
 * seq, so that a late one cannot meet another offer. */
struct resign_offers {
	bool standing;
	enum side by; /* if standing */
	int level;
	uint64_t seq;
	int refused[2]; /* greatest level refused since the own half-move */
};
/* What a seat did last about resignations, for its repetition. */
struct last_resign {
	uint32_t game;     /* that it resigned; 0 none */
	uint64_t game_seq; /* of the event that this made */
	uint64_t answered; /* the offer that it answered; 0 none */
	bool accepted;
	uint64_t answered_seq;
};

/* Half-moves that somebody wants to take back. */
struct takeback_request {
	bool standing;
	enum side by;    /* if standing, and the next two */
	uint32_t to_ply; /* half-moves that would stay in force */
	uint64_t seq;    /* of its event */
	bool spent[2];   /* has asked since the last half-move */
};

/* A pause that somebody wants. It is about one half-move: a request of another
 * stands no more. Numbers of half-moves are one more than they are; 0: none. */
struct pause_request {
	uint32_t at; /* stands while so many are in force */
	enum side by;
	uint64_t seq;      /* of its event */
	uint32_t spent[2]; /* where a side asked last */
};

/* After the end: who wants another match. */
struct rematch {
	uint64_t until_ms[2]; /* a side wants it until then; 0: does not */
	struct id next;       /* the match that it has become, or none */
};

/* A spectator of a match: in the match's list and in his own. */
struct watcher {
	struct session *session;
	struct match *match;
	struct watcher *prev, *next;
	struct watcher *own_prev, *own_next;
};

/* A seat of a match in its player's list. */
struct match_link {
	struct match *match;
	struct player *player;
	enum side side;
	struct match_link *prev, *next;
};

/* Where in a tournament a match is played; all from 1. */
struct match_place {
	struct id tournament; /* or none */
	uint32_t round, table, game;
};

struct match {
	UT_hash_handle hh; /* beside its key: both are looked at */
	/* What every half-move looks at lies together, in few lines of memory;
	 * first what is durable, from facts. */
	struct id id;
	bool closed;  /* no spectators while it is played */
	bool doubled; /* a double waits for its answer */
	bool asked;   /* the dice were asked for by their player */
	bool rated;   /* it counts for the ratings of both */
	enum match_state state;
	uint32_t ply;       /* half-moves in force */
	uint32_t takebacks; /* so often were some taken back */
	uint64_t seq;       /* public events so far */
	uint32_t rolls;     /* dice thrown so far */
	uint32_t quiet;     /* half-moves without progress */
	int64_t left_ms[2]; /* when the turn of the side to move began */
	uint64_t turn_ms;   /* domain time of the fact that began the turn */
	int64_t lag_used_ms[2]; /* credited to moves so far */
	int64_t before_ms;      /* what he had thought before, */
	int64_t before_lag_ms;  /* and was credited */
	struct draw_offers offers;
	uint32_t warned_ply;       /* of the policy's last warning, 0: none, */
	uint32_t warned_takebacks; /* and how often was taken back before */
	struct takeback_request takeback;
	struct pause_request pause;
	uint64_t *hashes; /* of positions since the last irreversible
				 * move, the present one last */
	size_t hash_count;
	size_t hash_cap;
	struct buf moves; /* texts of the half-moves, '\n' after each */
	uint8_t *crowned; /* a bit of each: it crowned a piece */
	size_t crowned_cap;
	struct position pos;
	/* kept by the journal: its rows, and the head of the hash chain */
	uint64_t last_row;
	struct digest head;
	/* of this process only */
	bool judging;  /* the policy's script is being asked */
	bool released; /* the position was given to its player */
	bool here[2];
	struct held_move *held; /* the first that waits for it, or NULL */
	uint64_t released_ms;
	uint64_t wait_ms; /* until when the match waits for something */
	struct session *driver[2]; /* of a seat: that took it last; NULL: none
				    * that did is here */
	struct match_link link[2];
	struct watcher *watchers;
	struct late *late; /* what its spectators see, if that is late */
	struct due due;
	struct lag_probe lag;
	/* durable again */
	int64_t spectator_delay_ms; /* how late they see it; 0: at once */
	struct resign_offers resign;
	struct lag_rules lag_rules;
	struct last_move last[2];
	/* which other matches share; see shared_rules.c */
	const struct match_rules *rules;
	struct seat seat[2];

	/* What is looked at now and then; durable, too. */
	struct match_place place;
	int64_t began_at;
	struct position start;
	bool first_known; /* who begins is known (opening throw) */
	struct nonce nonce[2];
	struct digest commitment;
	enum match_result result;
	enum end_reason reason;
	/* of the policy's last warning; why it is frozen; of whoever ended it:
	 * the policy, the operator */
	char *words; /* see match_words() */
	int points;
	bool frozen_said; /* by a fact; why is in words */
	enum rating_pool pool;
	struct seat_rating rating[2];

	/* the cube, games and resignations; the score is in pos */
	uint32_t game;     /* number of the game being played, from 1 */
	uint32_t game_ply; /* at which it began */
	struct last_act act[2];
	struct last_resign resigned[2];

	/* secret until the end: in no view, record, export or worker */
	uint8_t seed[SEED_BYTES];
	bool seed_known;

	/* of this process only */
	struct rematch rematch;
	uint64_t away_ms[2];      /* since when, if not here */
	struct chat chat[2];      /* of the players, of the spectators */
	uint64_t chat_paid_ms[2]; /* as a player's, of a personality */
	size_t watcher_count;
	struct listed listed;                /* running, and not closed */
	struct match *over_prev, *over_next; /* over or frozen, oldest first */
};

/* What was said of a match last, or "". */
static inline const char *match_words(const struct match *m)
{
	return m->words ? m->words : "";
}

/* Whose turn it is: whose clock runs, once it does. */
static inline enum side match_turn(const struct match *m)
{
	enum side mover = (enum side)m->pos.side;
	return m->doubled ? side_other(mover) : mover;
}
/* Whether the draw policy has warned the players of the position; words say
 * of what. */
bool match_is_warned(const struct match *m);
/* What it is to do. */
enum awaits match_awaits(const struct match *m);
/* Points that win the match; 0: it is a single game. */
unsigned match_length(const struct match *m);
/* The greatest level at which a game can still be lost by side: 3, 2 or 1. Who
 * resigns so much needs nobody's consent. */
int match_level_max(const struct match *m, enum side side);

/* The seat of a player in a match: a side, or -1. */
int match_seat_of(const struct match *m, const struct id *player);

/* How often the present position has occurred since the last move that cannot
 * be undone, this time too; 1 where no policy asks for it. */
uint32_t match_repeats(const struct match *m);

/* The clock of a side at now_ms; never negative. */
int64_t match_left_ms(const struct match *m, enum side side, uint64_t now_ms);
/* How much of the turn is not charged, for it was the way of messages. */
int64_t match_lag_ms(const struct match *m);
/* How long from now_ms on the clock of the side to move stands still yet. */
int64_t match_free_ms(const struct match *m, uint64_t now_ms);
/* Whether he may not look at a match that is played: it has no spectators. */
bool match_is_closed_to(const struct match *m, const struct id *player);
/* Whether the clock of the side whose turn it is runs. */
bool match_clock_runs(const struct match *m);

/* Whether the draw policy's script has not yet judged this position: a move
 * from it waits. */
bool match_awaits_verdict(const struct match *m);

static inline bool match_is_of_tournament(const struct match *m)
{
	return !id_is_none(&m->place.tournament);
}

static inline bool match_pause_stands(const struct match *m)
{
	return m->state == MATCH_PLAYING && m->pause.at == m->ply + 1;
}

/* Whether nobody is at a match that waits for its players: it is adjourned. */
bool match_is_adjourned(const struct match *m);
/* How it is called in views: its state's name, or "adjourned". */
const char *match_state_shown(const struct match *m);
/* When the other may claim, if nobody comes to this seat; UINT64_MAX: never as
 * things stand. */
uint64_t match_claim_at_ms(const struct match *m, enum side away,
			   int64_t claim_after_ms);

/* Whether a side wants a rematch now. */
bool match_wants_rematch(const struct match *m, enum side side,
			 uint64_t now_ms);

/* Whether `side` may still answer an offer of the other. */
static inline bool match_offer_stands_for(const struct match *m, enum side side)
{
	return m->offers.standing && m->offers.by != side;
}

/* Whether dice are played and the opening throw, a roll or a forced pass is
 * the server's to do next. */
bool match_awaits_server(const struct match *m);

bool match_has_personality(const struct match *m);

#endif
