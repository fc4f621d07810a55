/* SPDX-License-Identifier: MIT
 * verify_priv.h - the verifier from inside. verify.c judges fact by fact,
 * verify_end.c draws and results, verify_clock.c times. Draws and offers are counted here once more
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
};

struct verifier {
	struct id match;
	struct verdict verdict;
	struct doc *doc;
	struct digest head;
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
	bool nonce_given[2];
	uint8_t nonce[2][DICE_NONCE_MAX];
	size_t nonce_len[2];
	struct thrown *thrown;
	size_t thrown_cap;
	uint8_t seed[SEED_BYTES];

	/* for draws */
	uint32_t quiet;   /* half-moves without progress */
	uint64_t *hashes; /* of every position after a half-move */
	size_t hash_count;
	size_t hash_cap;
	int offer_by; /* side whose offer stands, or -1 */
	struct offering offering[2];

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
int clocks_moved(struct verifier *v, const struct fact_moved_body *b);
int clocks_ended(struct verifier *v, const struct fact_ended_body *b);

/* -- verify_end.c -- */

/* Counts the position at the start. PLYD_OK or PLYD_ENOMEM. */
int draws_begin(struct verifier *v);
/* After a half-move from `before`: counts, and finds whether the match must end
 * now. PLYD_OK or PLYD_ENOMEM. */
int draws_after_move(struct verifier *v, const struct position *before,
		     bool passed);
int judge_offered(struct verifier *v, const struct fact_draw_offered_body *b);
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
