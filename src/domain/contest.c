/* SPDX-License-Identifier: MIT */
#include "domain/contest.h"

/* A table of words, and the look-up in it. */
#define WORDS(kind, LIST)                                                      \
	static const char *const kind##_words[] = { LIST(WORD) };              \
	static int kind##_find(struct span word)                               \
	{                                                                      \
		for (size_t i = 0;                                             \
		     i < sizeof(kind##_words) / sizeof(*kind##_words); i++)    \
			if (span_is(word, kind##_words[i]))                    \
				return (int)i;                                 \
		return -1;                                                     \
	}
#define WORD(UPPER, word, doc) word,
WORDS(format, CONTEST_FORMATS)
WORDS(scoring, CONTEST_SCORINGS)
WORDS(tie_break, CONTEST_BREAKS)
WORDS(outcome, TABLE_OUTCOMES)
#undef WORD
#undef WORDS

const char *contest_format_name(enum contest_format f)
{
	return format_words[f];
}

const char *contest_scoring_name(enum contest_scoring s)
{
	return scoring_words[s];
}

const char *contest_break_name(enum contest_break b)
{
	return tie_break_words[b];
}

const char *table_outcome_name(enum table_outcome o)
{
	return outcome_words[o];
}

int contest_format_read(struct span word)
{
	return format_find(word);
}

int contest_scoring_read(struct span word)
{
	return scoring_find(word);
}

int contest_break_read(struct span word)
{
	return tie_break_find(word);
}

int table_outcome_read(struct span word)
{
	return outcome_find(word);
}

size_t contest_active(const struct contest *c, size_t round)
{
	size_t n = 0;
	for (size_t i = 0; i < c->entry_count; i++)
		n += entry_plays(&c->entry[i], round);
	return n;
}

size_t contest_rounds(enum contest_format f, size_t entries,
		      size_t swiss_rounds)
{
	size_t rounds = 0;
	if (entries < 2)
		return 0;
	switch (f) {
	case FORMAT_ROBIN: return entries - 1 + entries % 2;
	case FORMAT_DOUBLE_ROBIN: return 2 * (entries - 1 + entries % 2);
	case FORMAT_SWISS: return swiss_rounds;
	case FORMAT_KNOCKOUT:
	case FORMAT_COUNT: break;
	}
	while ((size_t)1 << rounds < entries)
		rounds++;
	return rounds;
}

/* -- scores -- */

bool outcome_won(enum table_outcome o, int side)
{
	if (side == 0)
		return o == OUTCOME_WHITE || o == OUTCOME_WHITE_FORFEIT ||
		       o == OUTCOME_BYE;
	return o == OUTCOME_BLACK || o == OUTCOME_BLACK_FORFEIT;
}

bool outcome_drawn(enum table_outcome o)
{
	return o == OUTCOME_DRAW || o == OUTCOME_WHITE_LOT ||
	       o == OUTCOME_BLACK_LOT;
}

bool outcome_played(enum table_outcome o)
{
	return o == OUTCOME_WHITE || o == OUTCOME_BLACK || outcome_drawn(o);
}

static int points_of(const struct contest *c, const struct contest_table *t,
		     int side)
{
	if (outcome_played((enum table_outcome)t->outcome))
		return 2 * t->points[side];
	return outcome_won((enum table_outcome)t->outcome, side)
		       ? 2 * c->walkover_points
		       : 0;
}

int contest_table_score(const struct contest *c, const struct contest_table *t,
			int side)
{
	enum table_outcome o = (enum table_outcome)t->outcome;
	bool won = outcome_won(o, side);
	if (c->format == FORMAT_KNOCKOUT) /* rounds that he has got through */
		return won || o == (side == 0 ? OUTCOME_WHITE_LOT
					      : OUTCOME_BLACK_LOT)
			       ? 2
			       : 0;
	switch (c->scoring) {
	case SCORING_WINS: return won ? 2 : 0;
	case SCORING_HALF: return won ? 2 : outcome_drawn(o) ? 1 : 0;
	case SCORING_THREE: return won ? 6 : outcome_drawn(o) ? 2 : 0;
	case SCORING_POINTS: return points_of(c, t, side);
	case SCORING_COUNT: break;
	}
	return 0;
}

void contest_scores(const struct contest *c, size_t rounds,
		    int score[ENTRIES_MAX])
{
	memset(score, 0, ENTRIES_MAX * sizeof(*score));
	for (size_t r = 0; r < rounds; r++) {
		for (size_t i = 0; i < c->round[r].count; i++) {
			const struct contest_table *t = &c->round[r].table[i];
			score[t->white] += contest_table_score(c, t, 0);
			if (t->black != NO_ENTRY)
				score[t->black] += contest_table_score(c, t, 1);
		}
	}
}

/* -- lots -- */

static uint64_t lot(const struct contest *c, struct span label,
		    const uint8_t *number, size_t len)
{
	const struct span parts[] = { label, span_of(number, len) };
	struct digest d =
		hmac_sha256(span_of(c->seed, CONTEST_SEED_BYTES), parts, 2);
	uint64_t n = 0;
	for (int i = 0; i < 8; i++)
		n = n << 8 | d.byte[i];
	return n;
}

uint64_t contest_lot(const struct contest *c, size_t entry)
{
	static const char label[] = "plyd-lot-1"; /* its NUL too */
	const uint8_t number[] = { (uint8_t)(entry >> 8), (uint8_t)entry };
	return lot(c, span_of(label, sizeof(label)), number, sizeof(number));
}

uint64_t contest_round_lot(const struct contest *c, size_t round, size_t entry)
{
	static const char label[] = "plyd-pairs-1"; /* its NUL too */
	const uint8_t number[] = { (uint8_t)(round >> 8), (uint8_t)round,
				   (uint8_t)(entry >> 8), (uint8_t)entry };
	return lot(c, span_of(label, sizeof(label)), number, sizeof(number));
}

struct digest contest_commitment(const uint8_t seed[CONTEST_SEED_BYTES])
{
	static const char label[] = "plyd-tournament-1"; /* its NUL too */
	const struct span parts[] = { span_of(label, sizeof(label)),
				      span_of(seed, CONTEST_SEED_BYTES) };
	return sha256(parts, 2);
}
