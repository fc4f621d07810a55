/* SPDX-License-Identifier: MIT */
#include "server/plan.h"

#include <time.h>

#include "server/scripts.h"
#include "session/hub.h"

enum { SECOND_MS = 1000, WEEK_DAYS = 7, LOOK_DAYS = 8 };

static enum against who_may(struct span word)
{
	return span_is(word, "anyone") ? AGAINST_ANYONE
	       : span_is(word, "bot")  ? AGAINST_BOT
				       : AGAINST_PERSON;
}

static bool set_breaks(struct tournament_terms *t, struct span words)
{
	t->break_count = 0;
	while (words.len > 0) {
		const uint8_t *end = memchr(words.at, ' ', words.len);
		size_t len = end ? (size_t)(end - words.at) : words.len;
		int b = contest_break_read(span_of(words.at, len));
		if (b < 0 || t->break_count == BREAKS_MAX)
			return false;
		t->breaks[t->break_count++] = (enum contest_break)b;
		len += end != NULL;
		words = span_of(words.at + len, words.len - len);
	}
	return true;
}

static void set_numbers(struct plan *out, const struct worker_plan *said)
{
	struct tournament_terms *t = &out->terms;
	t->rounds = (int)said->rounds;
	t->entries_max = (int)said->entries_max;
	t->late_rounds = (int)said->late_rounds;
	t->match_length = (int)said->match_length;
	t->rating_min = (int)said->rating_min;
	t->rating_max = (int)said->rating_max;
	t->check_in_ms = said->check_in_ms;
	t->no_show_ms = said->no_show_ms;
	t->gap_ms = said->gap_ms;
	t->rated = said->rated;
	out->clock = (struct clock_wish){
		.has_base_ms = said->base_ms >= 0,
		.has_increment_ms = said->increment_ms >= 0,
		.base_ms = said->base_ms,
		.increment_ms = said->increment_ms,
	};
}

const char *plan_set(struct plan *out, const struct worker_plan *said)
{
	struct tournament_terms *t = &out->terms;
	int format = contest_format_read(said->format);
	int scoring = contest_scoring_read(said->scoring);
	*out = (struct plan){ .enabled = said->enabled,
			      .weekday = (int)said->weekday,
			      .minute = (int)said->minute,
			      .open_ms = said->open_ms };
	if (format < 0 || scoring < 0)
		return "its format or scoring is unknown";
	t->format = (enum contest_format)format;
	t->scoring = (enum contest_scoring)scoring;
	t->players = who_may(said->players);
	set_numbers(out, said);
	if (!set_breaks(t, said->breaks))
		return "'breaks' has an unknown tie-break";
	if (!name_clean(said->title, t->name))
		return "its title must be as a player's name";
	if (!span_copy(said->name, t->schedule, sizeof(t->schedule)) ||
	    !span_copy(said->ruleset, t->ruleset, sizeof(t->ruleset)) ||
	    !span_copy(said->directors, out->directors, sizeof(out->directors)))
		return "a text of it is too long";
	if (t->format == FORMAT_ROBIN || t->format == FORMAT_DOUBLE_ROBIN)
		return t->entries_max > ROBIN_MAX
			       ? "a round robin has 64 entries at most"
			       : NULL;
	return NULL;
}

/* That time of day, `days` from the day of `now`; local time. */
static time_t at_day(const struct tm *now, int days, int minute)
{
	struct tm at = { .tm_year = now->tm_year,
			 .tm_mon = now->tm_mon,
			 .tm_mday = now->tm_mday + days,
			 .tm_hour = minute / 60,
			 .tm_min = minute % 60,
			 .tm_isdst = -1 };
	return mktime(&at);
}

int64_t plan_next_ms(const struct plan *p, int64_t unix_ms)
{
	time_t now = (time_t)(unix_ms / SECOND_MS);
	struct tm local;
	if (!localtime_r(&now, &local))
		return INT64_MAX;
	for (int days = 0; days <= LOOK_DAYS; days++) {
		int weekday = (local.tm_wday + days) % WEEK_DAYS;
		time_t at = at_day(&local, days, p->minute);
		if ((p->weekday < 0 || p->weekday == weekday) && at > now)
			return (int64_t)at * SECOND_MS;
	}
	return INT64_MAX;
}

void plans_hold(const struct scripts *s, struct hub *h, uint64_t now_ms,
		int64_t unix_ms)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct plan *p = &s->unit[i]->plan;
		if (s->unit[i]->version->kind != WORKER_TOURNAMENT ||
		    !p->enabled)
			continue;
		struct tournament_terms terms = p->terms;
		terms.starts_unix_ms = plan_next_ms(p, unix_ms);
		if (terms.starts_unix_ms - unix_ms > p->open_ms)
			continue;
		const struct cmd_tournament plan = {
			.terms = &terms,
			.clock = p->clock,
			.directors = span_str(p->directors),
		};
		hub_schedule(h, &plan, now_ms, unix_ms);
	}
}
