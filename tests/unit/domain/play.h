/* SPDX-License-Identifier: MIT
 * play.h - drives a domain as the shell would, in virtual time, with players by
 * name. After every step it looks at every effect and fact, checks the
 * invariants, and performs releases, continuations and ticks. */
#ifndef PLYD_TESTS_PLAY_H
#define PLYD_TESTS_PLAY_H

#include "domain/domain.h"

enum {
	PLAY_WHO_MAX = 80,
	PLAY_STORY_MAX = 8192,
	PLAY_WAITING_MAX = 8192,
	PLAY_PERSONALITIES = 2
};

struct who {
	char name[24];
	struct id id;
	uint64_t conn; /* 0 = away */
	uint64_t last_conn;
	struct digest token; /* the newest that an answer showed */
};

struct play {
	struct domain *d;
	struct domain_limits limits;
	uint64_t now_ms;
	const char *says; /* what personalities of play_random() say, or NULL */
	uint64_t conn_last;
	uint32_t msgid;
	uint64_t tokens;
	size_t who_count;
	struct who who[PLAY_WHO_MAX];

	/* a password that is being hashed: falsely, "h:" and the password */
	bool hold_hash; /* wait for play_hashed() */
	struct {
		uint64_t job;
		uint64_t conn;
		uint32_t msgid;
		bool fits;
		char hash[PASSWORD_HASH_MAX];
	} hashing;
	struct digest fresh; /* token that the last hello or answer gave */

	/* RELEASE and CONTINUE: at once, or by play_perform() */
	bool hold;
	size_t waiting_count;
	struct command waiting[PLAY_WAITING_MAX];

	/* of the last command */
	int err;              /* of its refusal, or PLYD_OK */
	int64_t retry_ms;     /* of its refusal */
	bool answered;        /* or refused */
	struct answer answer; /* of its answer; move in `move` */
	char move[MOVE_TEXT_MAX];
	char refusal[32];        /* reason of an illegal move */
	struct id player;        /* that the answer shows, or none */
	struct id lobby;         /* that the answer shows, or none */
	struct id match;         /* that an effect shows, or none */
	struct id seek;          /* that the answer shows, or none */
	struct id tournament;    /* that the last answer to show one did */
	struct cmd_list list;    /* of the answer */
	struct quick_view quick; /* of the answer, without its entry */
	uint64_t detached;
	/* facts and effects of the command and all that it caused at once, by
	 * name; a '|' before each further step */
	char facts[PLAY_STORY_MAX];
	char effects[PLAY_STORY_MAX];
	/* reasons that those effects give for what is closed */
	char told[PLAY_STORY_MAX];

	/* since the opening */
	size_t thinks;
	enum awaits think_asked; /* of the last one */
	size_t steps;
	/* each fact, when its step is done, in order */
	void (*on_fact)(void *payload, const struct fact *f);
	void *payload;
};

/* Rules as a server would offer them: the built-in rulesets, the standard
 * policy, 60 s + 1 s, 1 s to 1 h allowed, no clock allowed; personalities
 * "calm" and "wild". */
void play_rules(struct domain *d);

/* The same seed: the same ids and dice. */
void play_open(struct play *p, uint64_t seed);
void play_open_limits(struct play *p, uint64_t seed,
		      const struct domain_limits *limits);
void play_close(struct play *p);

/* Any command of somebody's; "" is the shell. conn, msgid, player and now_ms
 * are filled in. Returns p->err. */
int play_do(struct play *p, const char *name, struct command cmd);

/* A command of the operator's connection. Returns p->err. */
int play_operator(struct play *p, struct command cmd);

/* Shorthands; each returns p->err. */
int play_hello(struct play *p, const char *name);
int play_hello_bot(struct play *p, const char *name);
int play_resume(struct play *p, const char *name);
int play_resume_with(struct play *p, const char *name,
		     const struct digest *token);
void play_gone(struct play *p, const char *name);
/* A new connection, called `name` from then on, says hello with a login or with
 * a bot's token. */
int play_login(struct play *p, const char *name, const char *login,
	       const char *password);
int play_bot_login(struct play *p, const char *name,
		   const struct digest *token);
/* The password that waits was hashed. gone: its connection is no more. */
void play_hashed(struct play *p, bool gone);
int play_register(struct play *p, const char *name, const char *login,
		  const char *password);
int play_create(struct play *p, const char *name, const char *ruleset,
		struct cmd_lobby_create c);
int play_join(struct play *p, const char *name, const struct id *lobby,
	      bool ready);
int play_ready(struct play *p, const char *name, const struct id *lobby,
	       bool ready);
int play_leave(struct play *p, const char *name, const struct id *lobby);
int play_move(struct play *p, const char *name, const struct id *match,
	      uint32_t ply, const char *text);
int play_in(struct play *p, const char *name, enum command_type type,
	    const struct id *match);
int play_answer(struct play *p, const char *name, enum command_type type,
		const struct id *match, uint32_t ply);
int play_resign(struct play *p, const char *name, const struct id *match,
		struct cmd_match_resign how);
/* Accepts or declines a resignation. */
int play_offered(struct play *p, const char *name, enum command_type type,
		 const struct id *match, uint64_t offer);
int play_nonce(struct play *p, const char *name, const struct id *match,
	       const char *nonce);
int play_claim(struct play *p, const char *name, const struct id *match,
	       bool win);
void play_freeze(struct play *p, const struct id *match);
void play_think(struct play *p, const struct id *match, struct cmd_thought t);

/* A match of the ruleset between two who have said hello, through a lobby,
 * released. clock NULL: the ruleset's. Gives its id. */
struct id play_match(struct play *p, const char *ruleset, const char *white,
		     const char *black, const struct clock_rules *clock);
/* The same against the personality "calm", who is black unless `side` is. */
struct id play_personality(struct play *p, const char *ruleset,
			   const char *name, enum side side);
/* A match that begins in this position: by a fact, as replay would. */
struct id play_position(struct play *p, const char *ruleset, const char *white,
			const char *black, const char *position);

/* Performs what waits, and what follows from it. */
void play_perform(struct play *p);
/* Lets time pass, tick by tick as things fall due. */
void play_wait(struct play *p, uint64_t ms);
/* Plays a random legal move of whose turn it is, or throws, doubles, takes,
 * drops; false: the match is over. Thoughts of a personality too. */
bool play_random(struct play *p, struct rng *rng, const struct id *match);

/* The wall clock. */
int64_t play_unix_ms(const struct play *p);

const struct who *play_who(const struct play *p, const char *name);
const struct match *play_at(const struct play *p, const struct id *match);

#endif
