/* SPDX-License-Identifier: MIT
 * verify_priv.h - the verifier from inside. verify.c judges fact by fact,
 * verify_end.c draws and results, verify_clock.c times, verify_stakes.c cube,
 * games and resignations. Draws and offers are counted here once more
 * and in a simpler way than in the domain, so that a fault there is found. */
#ifndef PLYD_RECORD_VERIFY_PRIV_H
#define PLYD_RECORD_VERIFY_PRIV_H

#include "record/verify.h"

/* A throw that can only be judged when the seed is open. */
struct thrown {
	uint8_t first;
	uint8_t second;
};

/* What a player's offers of a draw depend on. */
struct offering {
	bool spent;     /* he may not offer again yet */
	uint32_t moves; /* own moves since his offer was refused */
	uint32_t made;  /* offers since the last progress */
};

/* A position that may come back by a takeback, and its count. */
struct was {
	struct position pos;
	uint32_t quiet;
	size_t fresh;
};

struct verifier {
	struct id match;
	struct verdict verdict;
	struct doc *doc;
	struct digest head;
	bool redacted;
	struct digest after_begun; /* if redacted */
	int err;
	bool begun;
	struct fact_begun_body begin; /* but for its texts */
	struct position pos;
	bool first_known;
	bool playing; /* past the nonces */
	uint64_t at_ms;
	uint64_t turn_ms; /* since when the side to move could have known */
	enum clock_kind clock;
	int64_t left_ms[2];
	int64_t lag_ms[2]; /* credited so far */
	bool nonce_given[2];
	uint8_t nonce[2][DICE_NONCE_MAX];
	size_t nonce_len[2];
	struct thrown *thrown;
	size_t thrown_cap;
	uint8_t seed[SEED_BYTES];

	/* for draws */
	uint32_t warned_ply;       /* of the policy's last warning, 0: none, */
	uint32_t warned_takebacks; /* and how often was taken back before */
	uint32_t quiet;            /* half-moves without progress */
	uint64_t *hashes;          /* of every position after a half-move */
	size_t hash_count;
	size_t hash_cap;
	size_t fresh; /* those before this one cannot come again */
	int offer_by; /* side whose offer stands, or -1 */
	struct offering offering[2];

	/* cube, games, resignations */
	bool doubled; /* the cube waits for its answer */
	bool asked;   /* the dice were asked for, after so much time: */
	int64_t before_ms, before_lag_ms;
	int resign_by; /* side whose resignation is offered, or -1 */
	int resign_level;
	int resign_refused[2]; /* greatest level since the own half-move */
	enum { GAME_GOES_ON, GAME_IS_OVER, GAME_IS_TO_BEGIN } game;
	struct outcome game_outcome; /* GAME_IS_OVER */
	struct position next;        /* GAME_IS_TO_BEGIN: its start */
	bool given_up;               /* GAME_IS_TO_BEGIN: the last one was */
	char last_reason[32];        /* of the game that won the match */

	/* for takebacks */
	struct was *was; /* before each half-move in force */
	size_t was_cap;
	int takeback_by; /* side whose request stands, or -1 */
	bool takeback_spent[2];
	uint32_t takebacks;

	/* for pauses; numbers of half-moves and one more, 0: none */
	bool paused;
	int pause_by;
	int64_t pause_at;
	int64_t pause_spent[2];

	bool frozen; /* by a fault of the server: only its operator ends it */

	/* The only end that the match may have now, if the rules or the policy
	 * have ended it. */
	bool must_end;
	enum match_result must_result;
	const char *must_reason;
	int must_points;

	/* The last fact but the end, if the match is rated. */
	bool rated_said;
	struct fact_rated_body rated;
};

/* Says what is wrong; returns PLYD_ERECORD. */
int wrong(struct verifier *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* -- verify_clock.c -- */

int clocks_begin(struct verifier *v, const struct fact_begun_body *b);
/* Judge, of the side whose turn it is: what it was credited for lag; how long
 * it has thought; what a half-move cost it. */
int clocks_lag(struct verifier *v, int64_t lag_ms);
int clocks_thought(struct verifier *v, int64_t thought_ms, int64_t lag_ms);
int clocks_half_move(struct verifier *v, int64_t thought_ms, int64_t left_ms,
		     int64_t lag_ms);
/* What the clocks say when a game or the match ends. */
int clocks_broken_off(struct verifier *v, int64_t thought_ms, int64_t left_ms,
		      int64_t lag_ms);
/* The operator gave time, or took it. */
int judge_adjusted(struct verifier *v,
		   const struct fact_clock_adjusted_body *b);
int clocks_stopped(struct verifier *v, int64_t white_ms, int64_t black_ms);

/* -- verify_stakes.c -- */

unsigned length_of(const struct verifier *v);
/* The side whose turn it is. */
enum side turn_of(const struct verifier *v);
/* Whether the side to move may double now, and so asks for its dice. */
bool may_double(const struct verifier *v);
int judge_cube(struct verifier *v, enum fact_type type,
	       const struct fact_doubled_body *b);
int judge_game_ended(struct verifier *v, const struct fact_game_ended_body *b);
int judge_game_begun(struct verifier *v, const struct fact_game_begun_body *b);
int judge_resign_offered(struct verifier *v,
			 const struct fact_resign_offered_body *b);
int judge_resign_declined(struct verifier *v,
			  const struct fact_resign_declined_body *b);
/* A half-move of this side was played. */
void stakes_after(struct verifier *v, enum side side);
/* The game is over by rules or a drop: what must come then. */
void game_is_over(struct verifier *v, const struct outcome *o);
/* Whether the loser can have resigned his game for these points. */
bool resigned_for(const struct verifier *v, enum side loser, int64_t points);

/* -- verify_pause.c -- */

int judge_pause_offered(struct verifier *v,
			const struct fact_pause_offered_body *b);
int judge_pause_declined(struct verifier *v,
			 const struct fact_pause_declined_body *b);
int judge_paused(struct verifier *v, const struct fact_paused_body *b);
int judge_resumed(struct verifier *v, const struct fact_resumed_body *b);

/* -- verify_end.c, a match that a fault has stopped -- */

int judge_frozen(struct verifier *v, const struct fact_frozen_body *b);

/* -- verify_takeback.c -- */

/* Remembers the position before a half-move. PLYD_OK or PLYD_ENOMEM. */
int takeback_keep(struct verifier *v);
int judge_takeback_offered(struct verifier *v,
			   const struct fact_takeback_offered_body *b);
int judge_takeback_declined(struct verifier *v,
			    const struct fact_takeback_declined_body *b);
int judge_taken_back(struct verifier *v, const struct fact_taken_back_body *b);

/* -- verify_end.c -- */

/* What the match must end by now, its game being not over. */
void find_draw(struct verifier *v);
void must_end(struct verifier *v, enum match_result result, const char *reason,
	      int points);
/* Whether a side may offer a draw. */
bool offers_may(const struct verifier *v, enum side side);
/* A half-move of this side: what becomes of offers of a draw. */
void offers_after(struct verifier *v, int side);

/* Counts the position at the start of a game. PLYD_OK or PLYD_ENOMEM. */
int draws_begin(struct verifier *v);
/* After a half-move from `before`: counts, and finds whether the match must end
 * now. PLYD_OK or PLYD_ENOMEM. */
int draws_after_move(struct verifier *v, const struct position *before,
		     bool passed);
int judge_offered(struct verifier *v, const struct fact_draw_offered_body *b);
int judge_warned(struct verifier *v, const struct fact_warned_body *b);
int judge_declined(struct verifier *v, const struct fact_draw_declined_body *b);
/* -- verify_rated.c -- */

/* Whether what it says of ratings at its start can be. */
int judge_ratings_begun(struct verifier *v, const struct fact_begun_body *b);
int judge_rated(struct verifier *v, const struct fact_rated_body *b);
/* At the end: rated just where it must be, and by this result. */
int judge_rating(struct verifier *v, enum match_result result);

/* -- verify_end.c, the end -- */

/* Result, reason, points and clocks; not the dice. */
int judge_result(struct verifier *v, const struct fact_ended_body *b);

#endif
