/* SPDX-License-Identifier: MIT
 * contest.h - a tournament as pairing and standings see it: who takes part,
 * which tables were set and what came of them. Plain values; what is worked
 * out from them depends on nothing else, so that whoever has a tournament's
 * record and seed comes to the same pairings and the same table.
 *
 * Entries and rounds are counted from 0. Scores are counted in halves. */
#ifndef PLYD_DOMAIN_CONTEST_H
#define PLYD_DOMAIN_CONTEST_H

#include "base/digest.h"
#include "base/span.h"

enum {
	ENTRIES_MAX = 512,                 /* of one tournament */
	ROUNDS_MAX = 64,                   /* of a Swiss or a knock-out */
	ROBIN_MAX = 64,                    /* entries of a round robin */
	BREAKS_MAX = 8,                    /* tie-breaks in order */
	BREAKS_TEXT_MAX = 20 * BREAKS_MAX, /* their words, NUL included */
	CONTEST_SEED_BYTES = 32,
	NO_ENTRY = 0xffff,
	NEVER_GONE = 0xffff,
};

/* W(UPPER, "word", doc). Words are on the wire and in files for ever. */
#define CONTEST_FORMATS(W)                                                     \
	W(ROBIN, "round_robin", "Everybody meets everybody once.")             \
	W(DOUBLE_ROBIN, "double_round_robin",                                  \
	  "Everybody meets everybody twice, once with each colour.")           \
	W(SWISS, "swiss", "Each round pairs those who stand alike.")           \
	W(KNOCKOUT, "knockout", "Who loses is out.")

#define CONTEST_SCORINGS(W)                                                    \
	W(WINS, "wins", "A win 1, a draw 0, a loss 0: most wins are first.")   \
	W(HALF, "half", "A win 1, a draw one half, a loss 0.")                 \
	W(THREE, "three", "A win 3, a draw 1, a loss 0.")                      \
	W(POINTS, "points", "Points that were won at the board.")

#define CONTEST_BREAKS(W)                                                      \
	W(DIRECT, "direct",                                                    \
	  "Score among those who are still level, if they all have met.")      \
	W(SONNEBORN_BERGER, "sonneborn_berger",                                \
	  "Scores of those whom he beat, and half of those he drew with.")     \
	W(BUCHHOLZ, "buchholz", "Scores of all whom he met.")                  \
	W(BUCHHOLZ_CUT, "buchholz_cut1", "The same without the lowest.")       \
	W(WINS, "wins", "Tables that he won.")                                 \
	W(HALVES, "halves", "A win 1, a draw one half, a loss 0.")             \
	W(LOTS, "lots", "The lot that the seed draws for him.")

/* Those with a name in capitals are not yet, or not by play, decided. A
 * forfeit: the other did not come, or has left. A lot: every match of a
 * knock-out's table was drawn. */
#define TABLE_OUTCOMES(W)                                                      \
	W(PENDING, "pending", "It is still to be played.")                     \
	W(WHITE, "white", "White won.")                                        \
	W(BLACK, "black", "Black won.")                                        \
	W(DRAW, "draw", "A draw.")                                             \
	W(WHITE_FORFEIT, "white_forfeit", "White won without play.")           \
	W(BLACK_FORFEIT, "black_forfeit", "Black won without play.")           \
	W(NEITHER, "neither", "It was not played, and counts for nobody.")     \
	W(BYE, "bye", "White has nobody to play, which counts as a win.")      \
	W(WHITE_LOT, "white_lot", "Drawn; by lot white goes on.")              \
	W(BLACK_LOT, "black_lot", "Drawn; by lot black goes on.")

#define W(UPPER, word, doc) FORMAT_##UPPER,
enum contest_format { CONTEST_FORMATS(W) FORMAT_COUNT };
#undef W
#define W(UPPER, word, doc) SCORING_##UPPER,
enum contest_scoring { CONTEST_SCORINGS(W) SCORING_COUNT };
#undef W
#define W(UPPER, word, doc) BREAK_##UPPER,
enum contest_break { CONTEST_BREAKS(W) BREAK_COUNT };
#undef W
#define W(UPPER, word, doc) OUTCOME_##UPPER,
enum table_outcome { TABLE_OUTCOMES(W) OUTCOME_COUNT };
#undef W

const char *contest_format_name(enum contest_format f);
const char *contest_scoring_name(enum contest_scoring s);
const char *contest_break_name(enum contest_break b);
const char *table_outcome_name(enum table_outcome o);
/* The value of a word, or -1. */
int contest_format_read(struct span word);
int contest_scoring_read(struct span word);
int contest_break_read(struct span word);
int table_outcome_read(struct span word);

/* One board of one round. black is NO_ENTRY where white has a bye. */
struct contest_table {
	uint16_t white, black;
	uint8_t outcome; /* enum table_outcome */
	uint8_t points[2];
};

struct contest_round {
	uint16_t count;
	struct contest_table *table;
};

struct contest_entry {
	int32_t rating;       /* points at the start; 0: he has none */
	uint16_t first_round; /* he plays from this round on, */
	uint16_t gone_from;   /* and not from this one on; or NEVER_GONE */
};

struct contest {
	enum contest_format format;
	enum contest_scoring scoring;
	size_t break_count;
	enum contest_break breaks[BREAKS_MAX];
	uint8_t walkover_points; /* of a bye or a forfeit, by points */
	uint8_t seed[CONTEST_SEED_BYTES];
	size_t entry_count;
	const struct contest_entry *entry;
	size_t round_count; /* that were paired */
	const struct contest_round *round;
};

/* Whether he takes part in this round. */
static inline bool entry_plays(const struct contest_entry *e, size_t round)
{
	return e->first_round <= round && round < e->gone_from;
}
/* How many take part in it. */
size_t contest_active(const struct contest *c, size_t round);

/* Rounds in all, with so many entries; swiss_rounds only for a Swiss. */
size_t contest_rounds(enum contest_format f, size_t entries,
		      size_t swiss_rounds);

/* Whether white, black, has the better of it: by play, forfeit, bye. A lot is
 * neither: it decides only who goes on. */
bool outcome_won(enum table_outcome o, int side);
bool outcome_drawn(enum table_outcome o);
/* Whether both sat there and played: only then is either an opponent. */
bool outcome_played(enum table_outcome o);

/* What a table gives to a side, in halves. */
int contest_table_score(const struct contest *c, const struct contest_table *t,
			int side);
/* Score of every entry from the first `rounds` rounds. */
void contest_scores(const struct contest *c, size_t rounds,
		    int score[ENTRIES_MAX]);

/* The lot of an entry: the first 8 bytes, as a number, of HMAC-SHA-256(seed,
 * "plyd-lot-1" 0 u16be entry). The lowest is drawn first. */
uint64_t contest_lot(const struct contest *c, size_t entry);
/* The same for one round: "plyd-pairs-1" 0 u16be round u16be entry. */
uint64_t contest_round_lot(const struct contest *c, size_t round, size_t entry);

/* The commitment to a seed: SHA-256 of "plyd-tournament-1" 0 seed. */
struct digest contest_commitment(const uint8_t seed[CONTEST_SEED_BYTES]);

#endif
