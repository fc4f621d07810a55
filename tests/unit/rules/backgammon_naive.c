/* SPDX-License-Identifier: MIT */
#include "backgammon_naive.h"

#include <assert.h>

struct state {
	const struct naive_rules *rules;
	struct naive_turns *out;
	struct naive_turn now;
};

static bool all_home(const struct naive_board *b)
{
	for (int p = 7; p <= 25; p++) {
		if (b->own[p] > 0)
			return false;
	}
	return true;
}

static bool none_behind(const struct naive_board *b, int point)
{
	for (int p = point + 1; p <= 25; p++) {
		if (b->own[p] > 0)
			return false;
	}
	return true;
}

static bool hop_is_legal(const struct naive_rules *r,
			 const struct naive_board *b, int from, int die)
{
	int to = from - die;
	if (b->own[from] == 0 || (b->own[25] > 0 && from != 25))
		return false;
	if (to < 1)
		return all_home(b) && (to == 0 || none_behind(b, from));
	if (b->opp[to] > 1)
		return false;
	/* the hitter goes only when nothing covers it */
	bool hitter_goes = b->hitter[from] && b->own[from] == 1;
	return !(r->no_hiding && hitter_goes && b->own[to] > 0);
}

static void play(struct naive_turn *t, int from, int die)
{
	struct naive_board *b = &t->end;
	struct naive_hop *hop = &t->hop[t->hops++];
	bool hitter_goes = b->hitter[from] && b->own[from] == 1;
	int to = from - die;
	*hop = (struct naive_hop){ from, to < 0 ? 0 : to, die, false };
	b->own[from]--;
	if (hitter_goes)
		b->hitter[from] = false;
	if (to < 1) {
		b->off[0]++;
		t->bears_hitter_off = t->bears_hitter_off || hitter_goes;
		return;
	}
	if (b->opp[to] == 1) {
		b->opp[to] = 0;
		b->opp[0]++;
		hop->hits = true;
	}
	b->own[to]++;
	if (to <= 6 && (hop->hits || hitter_goes))
		b->hitter[to] = true;
}

/* Records the hops so far as a turn, then tries one more die. */
static void extend(struct state *s, const int *die, int dice)
{
	assert(s->out->count < NAIVE_TURNS_MAX);
	s->out->turn[s->out->count++] = s->now;
	for (int i = 0; i < dice; i++) {
		int rest[4], left = 0;
		if (i > 0 && die[i] == die[i - 1])
			continue;
		for (int j = 0; j < dice; j++) {
			if (j != i)
				rest[left++] = die[j];
		}
		for (int from = 1; from <= 25; from++) {
			if (!hop_is_legal(s->rules, &s->now.end, from, die[i]))
				continue;
			struct naive_turn before = s->now;
			play(&s->now, from, die[i]);
			extend(s, rest, left);
			s->now = before;
		}
	}
}

static void keep(struct naive_turns *t,
		 bool (*wanted)(const struct naive_turn *, int), int argument)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->count; i++) {
		if (wanted(&t->turn[i], argument))
			t->turn[kept++] = t->turn[i];
	}
	t->count = kept;
}

static bool has_hops(const struct naive_turn *t, int hops)
{
	return t->hops == hops;
}

static bool plays_die(const struct naive_turn *t, int die)
{
	return t->hop[0].die == die;
}

static bool leaves_hitters(const struct naive_turn *t, int unused)
{
	(void)unused;
	return !t->bears_hitter_off;
}

void naive_turns(const struct naive_rules *rules,
		 const struct naive_board *board, int die1, int die2,
		 struct naive_turns *out)
{
	int die[4] = { die1, die2, die1, die1 };
	int larger = die1 > die2 ? die1 : die2;
	int most = 0;
	bool can_larger = false, can_leave = false;
	struct state s = { .rules = rules, .out = out };
	s.now.end = *board;
	out->count = 0;
	extend(&s, die, die1 == die2 ? 4 : 2);
	for (size_t i = 0; i < out->count; i++) {
		if (out->turn[i].hops > most)
			most = out->turn[i].hops;
	}
	keep(out, has_hops, most);
	if (most == 0) {
		out->count = 0;
		return;
	}
	for (size_t i = 0; i < out->count; i++) {
		const struct naive_turn *t = &out->turn[i];
		can_larger = can_larger || t->hop[0].die == larger;
		can_leave = can_leave || !t->bears_hitter_off;
	}
	if (most == 1 && can_larger)
		keep(out, plays_die, larger);
	if (rules->bear_off_if_forced && can_leave)
		keep(out, leaves_hitters, 0);
}
