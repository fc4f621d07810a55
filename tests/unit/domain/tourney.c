/* SPDX-License-Identifier: MIT */
#include "tourney.h"
#include "unit.h"

#include <stdio.h>

struct tournament_terms tourney_terms(enum contest_format f)
{
	struct tournament_terms t = { .name = "Cup",
				      .ruleset = "english",
				      .format = f,
				      .scoring = SCORING_HALF,
				      .rounds = f == FORMAT_SWISS ? 3 : 0,
				      .entries_max = 64,
				      .no_show_ms = 60000 };
	return t;
}

struct id tourney_make(struct play *p, const char *name,
		       const struct tournament_terms *terms)
{
	struct command cmd = { .type = CMD_TOURNAMENT_CREATE,
			       .tournament.terms = terms };
	assert_int_equal(play_do(p, name, cmd), PLYD_OK);
	return p->tournament;
}

int tourney_do(struct play *p, const char *name, enum command_type type,
	       const struct id *t)
{
	struct command cmd = { .type = type, .tournament.tournament = *t };
	return play_do(p, name, cmd);
}

void tourney_enter(struct play *p, const struct id *t, size_t players)
{
	for (size_t i = 1; i <= players; i++) {
		char name[8];
		snprintf(name, sizeof(name), "p%zu", i);
		assert_int_equal(play_hello(p, name), PLYD_OK);
		assert_int_equal(tourney_do(p, name, CMD_TOURNAMENT_ENTER, t),
				 PLYD_OK);
	}
}

const struct tournament *tourney_at(const struct play *p, const struct id *t)
{
	const struct tournament *x = domain_tournament(p->d, t);
	assert_non_null(x);
	return x;
}

const char *tourney_name(const struct play *p, const struct id *t,
			 uint16_t entry)
{
	return tourney_at(p, t)->entry[entry].name;
}

const struct match *tourney_match(const struct play *p, const struct id *t,
				  size_t table)
{
	const struct tournament *x = tourney_at(p, t);
	const struct tournament_table *at =
		&x->table[x->contest.round_count - 1][table];
	assert_true(at->games > 0);
	return play_at(p, &at->match[at->games - 1]);
}

void tourney_play(struct play *p, const struct id *t, uint64_t who)
{
	const struct tournament *x = tourney_at(p, t);
	play_wait(p, 1);
	size_t round = x->contest.round_count - 1;
	for (size_t i = 0; i < x->round[round].count; i++) {
		const struct tournament_table *at = &x->table[round][i];
		if (at->games == at->over)
			continue;
		struct id m = at->match[at->games - 1];
		enum side side = who >> i & 1 ? BLACK : WHITE;
		char name[NAME_BYTES_MAX + 1];
		snprintf(name, sizeof(name), "%s",
			 play_at(p, &m)->seat[side].name);
		assert_int_equal(play_in(p, name, CMD_MATCH_RESIGN, &m),
				 PLYD_OK);
	}
	play_wait(p, 1);
}
