/* SPDX-License-Identifier: MIT
 * tournament_judge.c - reads an export and has it verified. Every byte of it
 * may be forged. */
#include "ply/tournament.h"

#include <stdlib.h>
#include <string.h>

#include "ply/command.h"
#include "ply/question.h"
#include "record/verify_tournament.h"

enum { EXPORT_ROUNDS_MAX = 2 * ROBIN_MAX, EXPORT_CORRECTIONS_MAX = 1024 };

struct told {
	struct told_tournament t;
	struct contest_entry entry[ENTRIES_MAX];
	struct contest_round round[EXPORT_ROUNDS_MAX];
	struct contest_table table[EXPORT_ROUNDS_MAX][TABLES_MAX];
	struct ranking row[ENTRIES_MAX];
	struct told_correction correction[EXPORT_CORRECTIONS_MAX];
};

/* A whole number of a range; false: it is none. */
static bool number(const json_t *map, const char *key, int64_t low,
		   int64_t high, int64_t *out)
{
	const json_t *v = json_object_get(map, key);
	*out = json_integer_value(v);
	return json_is_integer(v) && *out >= low && *out <= high;
}

static struct span text(const json_t *map, const char *key)
{
	const char *s = json_string_value(json_object_get(map, key));
	return span_str(s ? s : "");
}

static bool read_breaks(const json_t *list, struct contest *c)
{
	size_t i;
	const json_t *word;
	if (json_array_size(list) > BREAKS_MAX)
		return false;
	json_array_foreach(list, i, word)
	{
		const char *s = json_string_value(word);
		int b = s ? contest_break_read(span_str(s)) : -1;
		if (b < 0)
			return false;
		c->breaks[c->break_count++] = (enum contest_break)b;
	}
	return true;
}

static bool read_terms(const json_t *t, struct told *x)
{
	struct contest *c = &x->t.contest;
	struct digest seed;
	int64_t length = 0;
	int format = contest_format_read(text(t, "format"));
	int scoring = contest_scoring_read(text(t, "scoring"));
	if (format < 0 || scoring < 0 ||
	    !read_breaks(json_object_get(t, "breaks"), c) ||
	    !digest_read(text(t, "commitment"), &x->t.commitment) ||
	    !digest_read(text(t, "seed"), &seed))
		return false;
	if (json_is_integer(json_object_get(t, "match_length")) &&
	    !number(t, "match_length", 0, UINT8_MAX, &length))
		return false;
	c->format = (enum contest_format)format;
	c->scoring = (enum contest_scoring)scoring;
	c->walkover_points = (uint8_t)(length > 0 ? length : 1);
	memcpy(c->seed, seed.byte, CONTEST_SEED_BYTES);
	return true;
}

/* The rows say who takes part, and what the table is. */
static bool read_rows(const json_t *rows, struct told *x)
{
	size_t i, n = json_array_size(rows);
	const json_t *row;
	bool seen[ENTRIES_MAX] = { false };
	if (n > ENTRIES_MAX)
		return false;
	json_array_foreach(rows, i, row)
	{
		int64_t entry, rank, score, first, gone = NEVER_GONE + 1;
		int64_t rating = 0;
		if (!number(row, "entry", 1, (int64_t)n, &entry) ||
		    seen[entry - 1] || !number(row, "rank", 1, 512, &rank) ||
		    !number(row, "score2", 0, INT32_MAX, &score) ||
		    !number(row, "first_round", 1, EXPORT_ROUNDS_MAX, &first))
			return false;
		if (json_object_get(row, "gone_from") &&
		    !number(row, "gone_from", 1, NEVER_GONE, &gone))
			return false;
		if (json_object_get(row, "rating") &&
		    !number(row, "rating", 0, INT32_MAX, &rating))
			return false;
		seen[entry - 1] = true;
		x->entry[entry - 1] =
			(struct contest_entry){ (int32_t)rating,
						(uint16_t)(first - 1),
						(uint16_t)(gone - 1) };
		x->row[i] = (struct ranking){ .entry = (uint16_t)(entry - 1),
					      .rank = (uint16_t)rank,
					      .score = (int32_t)score };
	}
	x->t.contest.entry_count = x->t.row_count = n;
	return true;
}

static bool read_corrections(const json_t *list, size_t round, size_t table,
			     struct told *x)
{
	size_t i;
	const json_t *c;
	json_array_foreach(list, i, c)
	{
		int64_t paired, white, black;
		int was = table_outcome_read(text(c, "was"));
		if (was < 0 ||
		    x->t.correction_count == EXPORT_CORRECTIONS_MAX ||
		    !number(c, "paired", 0, EXPORT_ROUNDS_MAX, &paired) ||
		    !number(c, "white_was", 0, UINT8_MAX, &white) ||
		    !number(c, "black_was", 0, UINT8_MAX, &black))
			return false;
		x->correction[x->t.correction_count++] =
			(struct told_correction){ (uint16_t)round,
						  (uint16_t)table,
						  (uint16_t)paired,
						  (uint8_t)was,
						  { (uint8_t)white,
						    (uint8_t)black } };
	}
	return true;
}

static bool read_table(const json_t *t, size_t round, size_t table,
		       struct told *x)
{
	int64_t white, black = NO_ENTRY + 1, points[2];
	int outcome = table_outcome_read(text(t, "outcome"));
	bool bye = !json_is_integer(json_object_get(t, "black"));
	if (outcome < 0 || !number(t, "white", 1, ENTRIES_MAX, &white) ||
	    (!bye && !number(t, "black", 1, ENTRIES_MAX, &black)) ||
	    !number(t, "white_points", 0, UINT8_MAX, &points[0]) ||
	    !number(t, "black_points", 0, UINT8_MAX, &points[1]))
		return false;
	x->table[round][table] =
		(struct contest_table){ (uint16_t)(white - 1),
					(uint16_t)(black - 1),
					(uint8_t)outcome,
					{ (uint8_t)points[0],
					  (uint8_t)points[1] } };
	return read_corrections(json_object_get(t, "corrections"), round, table,
				x);
}

static bool read_rounds(const json_t *rounds, struct told *x)
{
	size_t r, i;
	const json_t *round, *table;
	if (json_array_size(rounds) > EXPORT_ROUNDS_MAX)
		return false;
	json_array_foreach(rounds, r, round)
	{
		const json_t *tables = json_object_get(round, "tables");
		if (json_array_size(tables) > TABLES_MAX)
			return false;
		json_array_foreach(tables, i,
				   table) if (!read_table(table, r, i,
							  x)) return false;
		x->round[r] = (struct contest_round){
			(uint16_t)json_array_size(tables), x->table[r]
		};
	}
	x->t.contest.round_count = json_array_size(rounds);
	return true;
}

bool tournament_is(const json_t *root)
{
	return json_is_integer(json_object_get(root, "plyd_tournament"));
}

static int say(const char *path, const json_t *t, const struct told *x,
	       const char *why, bool as_json)
{
	const char *name = json_string_value(json_object_get(t, "name"));
	bool good = why[0] == '\0';
	size_t tables = 0;
	for (size_t r = 0; r < x->t.contest.round_count; r++)
		tables += x->round[r].count;
	if (as_json)
		json_print(json_pack("{s:s,s:s?,s:b,s:i,s:i,s:i,s:s?}", "file",
				     path, "tournament", name, "good", good,
				     "entries", (int)x->t.contest.entry_count,
				     "rounds", (int)x->t.contest.round_count,
				     "tables", (int)tables, "why",
				     good ? NULL : why));
	else if (good)
		printf("%s: %s: good: %zu entries, %zu rounds, %zu tables: "
		       "all pairings and the table follow from the seed and "
		       "the results\n",
		       path, name ? name : "", x->t.contest.entry_count,
		       x->t.contest.round_count, tables);
	else
		printf("%s: %s: BAD: %s\n", path, name ? name : "", why);
	return good ? PLY_OK : PLY_REFUSED;
}

int tournament_judge(const char *path, const json_t *root, bool as_json)
{
	const json_t *t = json_object_get(root, "tournament");
	char why[TOURNAMENT_WHY_MAX] = "";
	struct told *x = calloc(1, sizeof(*x));
	if (!x)
		return PLY_UNREADABLE;
	x->t.contest.entry = x->entry;
	x->t.contest.round = x->round;
	x->t.correction = x->correction;
	x->t.row = x->row;
	int status;
	if (!json_is_string(json_object_get(t, "seed"))) {
		fprintf(stderr, "'%s': its seed is open only at the end\n",
			path);
		status = PLY_UNREADABLE;
	} else if (!read_terms(t, x) ||
		   !read_rows(json_object_get(root, "standings"), x) ||
		   !read_rounds(json_object_get(root, "rounds"), x)) {
		fprintf(stderr, "'%s': not a tournament\n", path);
		status = PLY_UNREADABLE;
	} else {
		int err = tournament_verify(&x->t, why);
		status = err == PLYD_ENOMEM ? PLY_UNREADABLE
					    : say(path, t, x, why, as_json);
	}
	free(x);
	return status;
}
