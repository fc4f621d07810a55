/* SPDX-License-Identifier: MIT */
#include "record/verify_tournament.h"

#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>

static int wrong(char why[TOURNAMENT_WHY_MAX], const char *what, size_t round,
		 size_t table)
{
	snprintf(why, TOURNAMENT_WHY_MAX, "round %zu, table %zu: %s", round + 1,
		 table + 1, what);
	return PLYD_ERECORD;
}

static int shapes_fit(const struct contest *c, char why[TOURNAMENT_WHY_MAX])
{
	for (size_t r = 0; r < c->round_count; r++)
		for (size_t i = 0; i < c->round[r].count; i++) {
			const struct contest_table *t = &c->round[r].table[i];
			bool bye = t->black == NO_ENTRY;
			if (t->white >= c->entry_count ||
			    (!bye && t->black >= c->entry_count) ||
			    bye != (t->outcome == OUTCOME_BYE))
				return wrong(why, "nobody can sit there so", r,
					     i);
		}
	return PLYD_OK;
}

/* A table as it was when round `paired` was paired. */
static void as_it_was(const struct told_tournament *t, size_t round,
		      size_t table, size_t paired, struct contest_table *out)
{
	*out = t->contest.round[round].table[table];
	for (size_t i = 0; i < t->correction_count; i++) {
		const struct told_correction *c = &t->correction[i];
		if (c->round != round || c->table != table ||
		    c->paired <= paired)
			continue;
		out->outcome = c->was;
		out->points[0] = c->was_points[0];
		out->points[1] = c->was_points[1];
		return;
	}
}

static int round_follows(const struct told_tournament *t, size_t round,
			 struct contest *then, char why[TOURNAMENT_WHY_MAX])
{
	struct contest_table paired[TABLES_MAX];
	size_t count;
	then->round_count = round;
	for (size_t r = 0; r < round; r++)
		for (size_t i = 0; i < then->round[r].count; i++)
			as_it_was(t, r, i, round, &then->round[r].table[i]);
	if (pairs_next(then, paired, &count))
		return PLYD_ENOMEM;
	if (count != t->contest.round[round].count)
		return wrong(why, "it has another number of tables", round, 0);
	for (size_t i = 0; i < count; i++) {
		const struct contest_table *told =
			&t->contest.round[round].table[i];
		if (told->white != paired[i].white ||
		    told->black != paired[i].black)
			return wrong(why, "the pairing does not follow", round,
				     i);
	}
	return PLYD_OK;
}

static int rounds_follow(const struct told_tournament *t,
			 char why[TOURNAMENT_WHY_MAX])
{
	struct contest then = t->contest;
	size_t rounds = t->contest.round_count;
	struct contest_round *round = calloc(rounds + 1, sizeof(*round));
	struct contest_table *table =
		calloc((rounds + 1) * TABLES_MAX, sizeof(*table));
	int err = round && table ? PLYD_OK : PLYD_ENOMEM;
	for (size_t r = 0; !err && r < rounds; r++)
		round[r] = (struct contest_round){ t->contest.round[r].count,
						   table + r * TABLES_MAX };
	then.round = round;
	for (size_t r = 0; !err && r < rounds; r++)
		err = round_follows(t, r, &then, why);
	free(round);
	free(table);
	return err;
}

static int table_follows(const struct told_tournament *t,
			 char why[TOURNAMENT_WHY_MAX])
{
	struct ranking rows[ENTRIES_MAX];
	standings(&t->contest, rows);
	if (t->row_count != t->contest.entry_count)
		return snprintf(why, TOURNAMENT_WHY_MAX,
				"the table has another number of rows"),
		       PLYD_ERECORD;
	for (size_t i = 0; i < t->row_count; i++) {
		const struct ranking *a = &t->row[i], *b = &rows[i];
		if (a->entry == b->entry && a->rank == b->rank &&
		    a->score == b->score)
			continue;
		snprintf(why, TOURNAMENT_WHY_MAX,
			 "row %zu of the table does not follow", i + 1);
		return PLYD_ERECORD;
	}
	return PLYD_OK;
}

int tournament_verify(const struct told_tournament *t,
		      char why[TOURNAMENT_WHY_MAX])
{
	struct digest commitment = contest_commitment(t->contest.seed);
	why[0] = '\0';
	if (!digest_eq(&commitment, &t->commitment)) {
		snprintf(why, TOURNAMENT_WHY_MAX,
			 "the seed is not the one that was committed to");
		return PLYD_ERECORD;
	}
	int err = shapes_fit(&t->contest, why);
	if (!err)
		err = rounds_follow(t, why);
	if (!err)
		err = table_follows(t, why);
	return err;
}
