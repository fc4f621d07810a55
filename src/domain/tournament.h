/* SPDX-License-Identifier: MIT
 * tournament.h - a tournament, for those who may read it. Only the domain
 * writes it. Pairings and the table are never kept: contest.h gives both, from
 * the entries, the rounds and the seed. */
#ifndef PLYD_DOMAIN_TOURNAMENT_H
#define PLYD_DOMAIN_TOURNAMENT_H

#include "domain/contest.h"
#include "domain/match.h"
#include "domain/meeting.h"
#include "domain/standings.h"

enum {
	DIRECTORS_MAX = 8,
	TOURNAMENT_INVITED_MAX = 512,
	TOURNAMENT_WATCHERS_MAX = 4096,
	TOURNAMENTS_WATCHED_MAX = 16, /* by one session */
	KO_GAMES_MAX = 3, /* drawn ones of a knock-out's table, then a lot */
	CORRECTIONS_MAX = 256,
	DIRECTOR_WORDS_MAX = 256, /* bytes */
	TOURNAMENTS_LISTED_MAX = 50,
	STANDINGS_SHOWN_MAX = 64, /* rows of a page */
	TABLES_SHOWN_MAX = 64,
	TABLE_RETRY_MS = 1000, /* a match that cannot begin is tried again */
	STANDINGS_EVERY_MS = 1000, /* to those who watch, at most so often */
	NO_SHOWS_ALLOWED = 1,      /* running; with one more he is taken out */
};

/* W(UPPER, "word", doc) */
#define TOURNAMENT_STATES(W)                                                   \
	W(DRAFT, "draft", "Only its organiser and directors see it.")          \
	W(OPEN, "registration", "Players may enter.")                          \
	W(CHECK_IN, "check_in", "Who entered must say that he is here.")       \
	W(RUNNING, "running", "Rounds are paired and played.")                 \
	W(PAUSED, "paused", "No match begins and no round is paired.")         \
	W(FINISHED, "finished", "It is over, and its seed is open.")

/* Why a finished one is. */
#define TOURNAMENT_ENDS(W)                                                     \
	W(NOT_YET, "", "It is not finished.")                                  \
	W(PLAYED, "played", "All rounds were played.")                         \
	W(TOO_FEW, "too_few", "Fewer than two were left.")                     \
	W(STOPPED, "stopped", "A director ended it.")

/* Why an entry is gone. */
#define ENTRY_ENDS(W)                                                          \
	W(HERE, "", "He takes part.")                                          \
	W(WITHDRAWN, "withdrawn", "He has withdrawn.")                         \
	W(REMOVED, "removed", "A director took him out.")                      \
	W(NO_SHOW, "no_show", "He did not come.")

#define W(UPPER, word, doc) TOURNAMENT_##UPPER,
enum tournament_state { TOURNAMENT_STATES(W) TOURNAMENT_STATE_COUNT };
#undef W
#define W(UPPER, word, doc) TOURNAMENT_END_##UPPER,
enum tournament_end { TOURNAMENT_ENDS(W) TOURNAMENT_END_COUNT };
#undef W
#define W(UPPER, word, doc) ENTRY_##UPPER,
enum entry_end { ENTRY_ENDS(W) ENTRY_END_COUNT };
#undef W
const char *tournament_state_name(enum tournament_state s);
const char *tournament_end_name(enum tournament_end e);
const char *entry_end_name(enum entry_end e);

/* What is agreed when it is made, and stays. */
struct tournament_terms {
	char name[NAME_BYTES_MAX + 1];
	char schedule[NAME_BYTES_MAX + 1]; /* of which plan; "": none */
	char ruleset[RULESET_NAME_MAX + 1];
	struct clock_rules clock;
	int match_length; /* points; 0: the ruleset's */
	enum contest_format format;
	enum contest_scoring scoring;
	size_t break_count;
	enum contest_break breaks[BREAKS_MAX];
	int rounds; /* of a Swiss */
	int entries_max;
	int late_rounds; /* a Swiss may be entered until so many are paired */
	bool rated;
	bool invited_only;
	enum against players;       /* anyone, persons or bots */
	int rating_min, rating_max; /* 0: any */
	int64_t check_in_ms;        /* 0: none */
	int64_t no_show_ms; /* for the first half-moves of a match, from when
			     * the position was given; and for a match to
			     * begin, from the pairing on */
	int64_t gap_ms;     /* from a round's end to the next pairing */
	int64_t starts_unix_ms; /* 0: when a director says so */
};

struct tournament_entry {
	struct id player;
	char name[NAME_BYTES_MAX + 1];
	enum player_kind kind;
	bool checked_in;
	enum entry_end gone;
};

/* What a table has beside its outcome. */
struct tournament_table {
	struct id match[KO_GAMES_MAX]; /* the present one, or the last, last */
	uint8_t games;                 /* that have begun */
	uint8_t over;                  /* and that have ended */
	bool corrected;
};

/* A director's decision about a table; the first says what was there. */
struct tournament_correction {
	uint16_t round, table;
	uint16_t paired; /* rounds that were paired when he did */
	uint8_t was, outcome;
	uint8_t was_points[2], points[2];
	int64_t at_unix_ms;
	struct id by;
	char by_name[NAME_BYTES_MAX + 1];
	char words[DIRECTOR_WORDS_MAX + 1];
};

struct tournament_watcher {
	struct session *session;
	struct tournament *tournament;
	struct tournament_watcher *prev, *next;
	struct tournament_watcher *own_prev, *own_next;
};

struct tournament {
	/* from facts: durable */
	struct id id;
	struct id organiser; /* none: the server's schedule */
	char organiser_name[NAME_BYTES_MAX + 1];
	struct tournament_terms terms;
	enum tournament_state state;
	enum tournament_end end;
	struct digest commitment;
	int64_t made_unix_ms, began_unix_ms, ended_unix_ms; /* 0: not yet */
	struct id director[DIRECTORS_MAX];
	size_t director_count;
	struct id *invited;
	size_t invited_count;
	struct contest contest;   /* its seed is secret until the end */
	struct contest_entry *in; /* contest.entry */
	struct tournament_entry *entry;
	struct contest_round *round;     /* contest.round */
	struct tournament_table **table; /* by round */
	struct tournament_correction *correction;
	size_t correction_count;
	size_t rounds; /* in all; 0: not known before the start */

	/* of this process only */
	uint64_t paired_ms;         /* the last round, */
	uint64_t done_ms;           /* and when it was decided; 0: it is not */
	uint64_t check_in_until_ms; /* 0: not in check-in by hand */
	uint64_t retry_ms;          /* a match could not begin: not before */
	bool dirty;        /* those who watch have not seen the table */
	uint64_t shown_ms; /* when they did last */
	struct tournament_watcher *watchers;
	size_t watcher_count;
	struct due due;
	UT_hash_handle hh;
};

/* The entry of a player, or -1. */
int tournament_entry_of(const struct tournament *t, const struct id *player);
/* Whether he is its organiser, or one of its directors. */
bool tournament_directs(const struct tournament *t, const struct id *player);
/* Whether he may see it. */
bool tournament_shows(const struct tournament *t, const struct id *player);
/* Who take part now, or in the end did. */
size_t tournament_players(const struct tournament *t);
/* The tables of a round that are not decided. */
size_t tournament_open_tables(const struct tournament *t, size_t round);

#endif
