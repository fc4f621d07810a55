/* SPDX-License-Identifier: MIT
 * meeting.h - seeks, challenges, the queue of quick matches, what bots accept:
 * for those who may read it. Only the domain writes it. */
#ifndef PLYD_DOMAIN_MEETING_H
#define PLYD_DOMAIN_MEETING_H

#include "domain/listing.h"
#include "domain/match.h"
#include "domain/speed.h"

struct player;

enum against {
	AGAINST_ANYONE,
	AGAINST_PERSON,
	AGAINST_BOT,
	AGAINST_PERSONALITY
};

enum { SIDE_BY_LOT = 2 };

enum seek_reason {
	SEEK_ACCEPTED,
	SEEK_CANCELLED,
	SEEK_DECLINED,
	SEEK_LAPSED,
	SEEK_AWAY,      /* one of the two is away too long */
	SEEK_PLAYING,   /* a match of its maker has begun */
	SEEK_FINISHING, /* its maker takes no new matches */
	SEEK_DISPLACED, /* a challenge of a guest, by another one */
	SEEK_REASONS
};
const char *seek_reason_name(enum seek_reason reason);

/* W(UPPER, "word", doc): what may be said with a declined challenge. */
#define DECLINE_WORDS(W)                                                       \
	W(NO, "no", "No, thank you.")                                          \
	W(LATER, "later", "Not now, please ask again later.")                  \
	W(BUSY, "busy", "Too many matches already.")                           \
	W(RULESET, "ruleset", "Not this ruleset.")                             \
	W(CLOCK, "clock", "Not with this clock.")                              \
	W(RATED, "rated", "Rated only, or unrated only.")                      \
	W(OPPONENT, "opponent", "Not against this kind of opponent.")

enum decline_word {
#define W(UPPER, word, doc) DECLINE_##UPPER,
	DECLINE_WORDS(W)
#undef W
		DECLINE_WORD_COUNT
};
const char *decline_word_name(enum decline_word word);
const char *decline_word_text(enum decline_word word);

/* An opponent is sought: by anyone's leave a seek, of one player a challenge.
 * Who accepts it plays at once. */
struct seek {
	struct id id;
	struct player *by;
	struct player *to; /* NULL: anyone */
	struct match_rules rules;
	struct clock_rules clock;
	int side; /* of its maker; or SIDE_BY_LOT */
	enum against opponent;
	bool rated;
	int64_t rating_min, rating_max; /* 0: any */
	uint64_t until_ms;              /* 0: for ever */
	char position[POSITION_TEXT_MAX];

	/* once it is closed, for the rest of the step */
	enum seek_reason reason;
	enum decline_word word;
	struct id match;

	/* of this process only */
	struct seek *prev, *next;       /* of its maker */
	struct seek *to_prev, *to_next; /* to the one whom it challenges */
	struct listed listed;
	struct due due;
	UT_hash_handle hh;
};

/* Somebody waits for a quick match. */
struct queued {
	struct player *player;
	struct match_rules rules;
	struct clock_rules clock;
	bool any_clock; /* of its speed class */
	bool rated;
	bool bots; /* a bot is welcome */
	uint64_t since_ms;
	int rating; /* when he joined */

	/* of this process only */
	struct listed listed;
	struct due due;
};

/* Why nobody was found, the nearest miss first. */
enum quick_why {
	QUICK_ALONE,     /* nobody else waits for this ruleset */
	QUICK_TERMS,     /* others want another clock, or rated or not */
	QUICK_BOTS_ONLY, /* all others are bots, or want none */
	QUICK_RANGE,     /* nobody is near enough in rating yet */
	QUICK_REPEAT,    /* only the last opponent fits */
};
const char *quick_why_name(enum quick_why why);

/* What quick.status shows of one who waits, or of one who does not. */
struct quick_view {
	const struct queued *entry; /* NULL: does not wait */
	size_t waiting;             /* others, of this ruleset */
	int64_t waited_ms;
	int64_t range; /* rating points */
	enum quick_why why;
};

/* What a bot takes without being asked. */
struct bot_policy {
	bool answers;          /* the server answers for it */
	char *rulesets;        /* a space between; NULL: all */
	unsigned speeds;       /* bit i: class i; 0 all */
	int rated;             /* 0 both, 1 rated only, 2 unrated only */
	enum against opponent; /* anyone, person or bot */
	uint32_t at_once;      /* 0: no limit of its own */
	bool finishing;
};
static inline const char *bot_rulesets(const struct bot_policy *p)
{
	return p->rulesets ? p->rulesets : "";
}

/* A player's part in all this. */
struct meets {
	struct bot_policy policy;

	/* of this process only */
	struct seek *seeks; /* that he made, challenges too */
	size_t seek_count;
	struct seek *challenges; /* to him */
	size_t challenge_count;
	struct queued *queued; /* or NULL */
	struct id *invited;    /* to lobbies; INVITED_MAX, or NULL: none yet */
	size_t invited_count;
	struct id last_opponent;
	bool listed;   /* he is here, */
	int listed_as; /* as one of the people, 0, or of the bots, 1 */
	struct player *here_prev, *here_next; /* of his kind, who are here */
	bool idle;                            /* he may be forgotten */
	struct player *idle_prev, *idle_next; /* longest first */
};

#endif
