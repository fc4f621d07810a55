/* SPDX-License-Identifier: MIT
 * view_rating.c - ratings as others see them: whole points, and how certain
 * they are. */
#include "session/view.h"

#include "proto/write.h"

static void put_entry_int(struct buf *b, const char *key, int64_t value)
{
	put_cstr(b, key);
	put_int(b, value);
}

/* Whether spectators, of whom the viewer is one, have not seen its end yet. */
static bool is_hidden(const struct domain *d, const struct id *match,
		      const struct id *viewer)
{
	const struct match *m = domain_match(d, match);
	return m && match_is_hidden(m) && match_seat_of(m, viewer) < 0;
}

/* A rating as the viewer may see it: as it was before the first match whose end
 * he has not seen, for all that came later follows from that. */
static struct rating seen_by(const struct domain *d, const struct rating *r,
			     const struct id *viewer)
{
	struct rating seen = *r;
	size_t n = 0;
	while (n < r->past_count && !is_hidden(d, &r->past[n].match, viewer))
		n++;
	if (n == r->past_count)
		return seen;
	seen.past_count = n;
	seen.games -= (int64_t)(r->past_count - n);
	seen.value.rating_milli = r->past[n].before_milli;
	seen.value.deviation_milli =
		n > 0 ? r->past[n - 1].deviation_milli : DEVIATION_START_MILLI;
	return seen;
}

/* 7 entries. */
static void put_rating_entries(struct buf *b, const struct rating *r,
			       int64_t unix_ms)
{
	struct rating_value now = rating_at(r, unix_ms);
	put_cstr(b, "ruleset");
	put_cstr(b, r->ruleset);
	put_cstr(b, "speed");
	put_cstr(b, speed_class_name(r->speed));
	put_cstr(b, "pool");
	put_cstr(b, rating_pool_name(r->pool));
	put_entry_int(b, "rating", rating_points(now.rating_milli));
	put_entry_int(b, "deviation", rating_points(now.deviation_milli));
	put_cstr(b, "provisional");
	put_bool(b, rating_is_provisional(&now));
	put_entry_int(b, "games", r->games);
}

static void put_rating(struct buf *b, const struct rating *r, int64_t unix_ms)
{
	put_map(b, 7);
	put_rating_entries(b, r, unix_ms);
}

void view_ratings(struct buf *b, const struct domain *d, const struct player *p,
		  const struct id *viewer, int64_t unix_ms)
{
	const struct rating *first = player_ratings(d, &p->id);
	uint32_t total = 0;
	for (const struct rating *r = first; r; r = r->next)
		total += seen_by(d, r, viewer).games > 0;
	uint32_t shown = total < LIST_SHOWN_MAX ? total : LIST_SHOWN_MAX;
	put_map(b, 3);
	put_cstr(b, "player");
	view_player(b, p);
	put_cstr(b, "ratings");
	put_array(b, shown);
	for (const struct rating *r = first; shown > 0; r = r->next) {
		struct rating seen = seen_by(d, r, viewer);
		if (seen.games == 0)
			continue;
		put_rating(b, &seen, unix_ms);
		shown--;
	}
	put_entry_int(b, "total", total);
}

/* Nobody is told of an opponent who has deleted his account. */
static void put_step(struct buf *b, const struct domain *d,
		     const struct rating_past *p)
{
	static const char *const results[] = { "loss", "draw", "win" };
	bool known = domain_player(d, &p->opponent) != NULL;
	put_map(b, 6u + known);
	put_cstr(b, "match");
	put_cstr(b, p->match.text);
	if (known) {
		put_cstr(b, "opponent");
		put_cstr(b, p->opponent.text);
	}
	put_entry_int(b, "at", p->at_ms);
	put_cstr(b, "result");
	put_cstr(b, results[p->score]);
	put_entry_int(b, "before", rating_points(p->before_milli));
	put_entry_int(b, "after", rating_points(p->after_milli));
	put_cstr(b, "provisional");
	put_bool(b, p->deviation_milli > DEVIATION_PROVISIONAL_MILLI);
}

static void put_steps(struct buf *b, const struct domain *d,
		      const struct rating *r)
{
	size_t count = r ? r->past_count : 0;
	put_cstr(b, "matches");
	put_array(b, (uint32_t)count);
	while (count-- > 0)
		put_step(b, d, &r->past[count]);
}

void view_rating_history(struct buf *b, const struct domain *d,
			 const struct player *p, const struct rating *r,
			 const struct id *viewer)
{
	struct rating seen = { .games = 0 };
	if (r)
		seen = seen_by(d, r, viewer);
	put_map(b, 3);
	put_cstr(b, "player");
	view_player(b, p);
	put_entry_int(b, "games", seen.games);
	put_steps(b, d, &seen);
}

void view_rating_kept(struct buf *b, const struct domain *d,
		      const struct rating *r, int64_t unix_ms)
{
	put_map(b, 8);
	put_rating_entries(b, r, unix_ms);
	put_steps(b, d, r);
}

/* Whose place would tell the viewer what he may not see yet is left out. */
static bool is_left_out(const struct domain *d, const struct rating *r,
			const struct id *viewer)
{
	return seen_by(d, r, viewer).games != r->games;
}

void view_leaders(struct buf *b, const struct domain *d,
		  const struct board *board, size_t shown,
		  const struct id *viewer, int64_t unix_ms)
{
	uint32_t left_out = 0;
	for (size_t i = 0; i < shown; i++)
		left_out += is_left_out(d, board->at[i], viewer);
	put_map(b, 2);
	put_cstr(b, "players");
	put_array(b, (uint32_t)shown - left_out);
	for (size_t i = 0; i < shown; i++) {
		const struct rating *r = board->at[i];
		if (is_left_out(d, r, viewer))
			continue;
		struct rating_value now = rating_at(r, unix_ms);
		put_map(b, 4);
		put_cstr(b, "player");
		view_player(b, domain_player(d, &r->player));
		put_entry_int(b, "rating", rating_points(now.rating_milli));
		put_entry_int(b, "deviation",
			      rating_points(now.deviation_milli));
		put_entry_int(b, "games", r->games);
	}
	put_entry_int(b, "total", board ? (int64_t)board->count : 0);
}
