/* SPDX-License-Identifier: MIT */
#include "contest_maker.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>

void maker_begin(struct contest_maker *m, enum contest_format f, size_t players,
		 uint32_t number)
{
	memset(m, 0, sizeof(*m));
	m->c.format = f;
	m->c.scoring = SCORING_HALF;
	m->c.walkover_points = 1;
	m->c.entry_count = players;
	m->c.entry = m->entry;
	m->c.round = m->round;
	for (size_t i = 0; i < 4; i++)
		m->c.seed[i] = (uint8_t)(number >> 8 * i);
	for (size_t i = 0; i < players; i++)
		m->entry[i] =
			(struct contest_entry){ .rating = (int32_t)(2000 - i),
						.gone_from = NEVER_GONE };
	for (size_t r = 0; r < 2 * ROBIN_MAX; r++)
		m->round[r].table = m->table[r];
}

void maker_table(struct contest_maker *m, size_t round, unsigned white,
		 unsigned black, enum table_outcome o)
{
	struct contest_round *r = &m->round[round];
	r->table[r->count++] = (struct contest_table){ .white = (uint16_t)white,
						       .black = (uint16_t)black,
						       .outcome = (uint8_t)o };
	if (m->c.round_count <= round)
		m->c.round_count = round + 1;
}

size_t maker_pair(struct contest_maker *m)
{
	struct contest_table out[TABLES_MAX];
	size_t count, next = m->c.round_count;
	assert_int_equal(pairs_next(&m->c, out, &count), PLYD_OK);
	if (count == 0)
		return 0;
	memcpy(m->table[next], out, count * sizeof(*out));
	m->round[next].count = (uint16_t)count;
	m->c.round_count++;
	return count;
}

/* "+W10": the white side of a table makes it. A bye of half a point is a draw
 * with somebody who does nothing else. */
static void read_cell(struct contest_maker *m, size_t round, size_t entry,
		      const char *cell)
{
	if (!strcmp(cell, "+BYE")) {
		maker_table(m, round, (unsigned)entry, NO_ENTRY, OUTCOME_BYE);
	} else if (!strcmp(cell, "=BYE")) {
		maker_table(m, round, (unsigned)entry,
			    (unsigned)m->c.entry_count++, OUTCOME_DRAW);
	} else if (cell[1] == 'W') {
		unsigned other = (unsigned)strtoul(cell + 2, NULL, 10) - 1;
		maker_table(m, round, (unsigned)entry, other,
			    cell[0] == '+'   ? OUTCOME_WHITE
			    : cell[0] == '-' ? OUTCOME_BLACK
					     : OUTCOME_DRAW);
	}
}

void maker_crosstable(struct contest_maker *m, const char *const *row,
		      size_t players, size_t rounds)
{
	for (size_t i = 0; i < players; i++) {
		const char *at = row[i];
		for (size_t r = 0; r < rounds; r++) {
			char cell[8];
			int used;
			assert_int_equal(sscanf(at, "%7s%n", cell, &used), 1);
			read_cell(m, r, i, cell);
			at += used;
		}
	}
	m->c.round_count = rounds;
}
