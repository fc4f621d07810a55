/* SPDX-License-Identifier: MIT */
#include "ply/story.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ply/record_file.h"
#include "ply/story_priv.h"
#include "ply/view.h"
#include "record/codec.h"

enum { STEPS_FIRST = 256 };

static const char no_memory[] = "there is no memory for it";
static const char damaged[] = "the record is damaged";

void story_release(struct story *s)
{
	free(s->step);
	memset(s, 0, sizeof(*s));
}

/* -- steps -- */

struct story_step *story_add(struct story *s, const struct position *pos,
			     int side, const char *format, ...)
{
	va_list args;
	if (s->steps == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : STEPS_FIRST;
		void *more = cap <= STORY_STEPS_MAX
				     ? realloc(s->step, cap * sizeof(*s->step))
				     : NULL;
		if (!more)
			return NULL;
		s->step = more;
		s->cap = cap;
	}
	struct story_step *step = &s->step[s->steps++];
	memset(step, 0, sizeof(*step));
	step->pos = *pos;
	step->side = (int8_t)side;
	step->ply = s->steps > 1 ? step[-1].ply : 0;
	va_start(args, format);
	vsnprintf(step->text, sizeof(step->text), format, args);
	va_end(args);
	return step;
}

const char *story_side(int side)
{
	return side == WHITE ? "White" : "Black";
}

static struct position *last(struct story *s)
{
	return &s->step[s->steps - 1].pos;
}

/* A step that plays a half-move. */
static bool play(struct story *s, const struct position *pos, int side,
		 const char *what)
{
	struct story_step *step =
		story_add(s, pos, side, "%s %s.", story_side(side), what);
	if (step)
		step->ply++;
	return step;
}

/* -- facts -- */

static bool on_begun(struct story *s, const struct fact_begun_body *b)
{
	struct position pos;
	if (ruleset_read((const char *)b->rules.at, b->rules.len, &s->rules) ||
	    game_read(&s->rules, (const char *)b->position.at, b->position.len,
		      &pos, NULL))
		return false;
	span_copy(b->white_name, s->name[WHITE], sizeof(s->name[WHITE]));
	span_copy(b->black_name, s->name[BLACK], sizeof(s->name[BLACK]));
	return story_add(s, &pos, -1, "The match begins.");
}

static bool on_throw(struct story *s, int side, int64_t one, int64_t two)
{
	struct position before = *last(s), after;
	bool dice = one >= 1 && one <= 6 && two >= 1 && two <= 6;
	if (!dice || side < WHITE || side > BLACK)
		return false;
	before.side = (uint8_t)side;
	game_throw(&before, (int)one, (int)two, &after);
	return story_add(s, &after, side, "%s threw %d-%d.", story_side(side),
			 (int)one, (int)two);
}

static bool on_opening(struct story *s, const struct fact_opening_throw_body *b)
{
	if (b->white_die == b->black_die)
		return story_add(s, last(s), -1, "Both threw a %d: again.",
				 (int)b->white_die);
	return on_throw(s, b->white_die > b->black_die ? WHITE : BLACK,
			b->white_die, b->black_die);
}

static bool on_moved(struct story *s, const struct fact_moved_body *b)
{
	struct position before = *last(s), after;
	char text[MOVE_TEXT_MAX], words[STORY_TEXT_MAX];
	struct move move;
	struct refusal why;
	if (!span_copy(b->move, text, sizeof(text)) ||
	    game_replay_move(&s->rules, &before, text, strlen(text), b->crowned,
			     &after))
		return false;
	snprintf(words, sizeof(words), "played %s", text);
	if (!play(s, &after, before.side, words))
		return false;
	if (!game_check(&s->rules, &before, text, strlen(text), &move, &why))
		s->step[s->steps - 1].marked =
			view_places(&s->rules, &before, &move, WHITE);
	return true;
}

static bool on_passed(struct story *s)
{
	struct position before = *last(s), after;
	game_pass(&before, &after);
	return play(s, &after, before.side, "could not move");
}

static bool on_taken(struct story *s)
{
	struct position before = *last(s), after;
	if (before.stakes.cube >= CUBE_MAX)
		return false;
	game_take(&before, &after);
	return play(s, &after, side_other((enum side)before.side),
		    "took the double");
}

static bool on_game_begun(struct story *s, const struct fact_game_begun_body *b)
{
	struct position pos;
	if (game_read(&s->rules, (const char *)b->position.at, b->position.len,
		      &pos, NULL))
		return false;
	struct story_step *step =
		story_add(s, &pos, -1, "Game %d begins.", (int)b->game);
	if (step)
		step->ply = (uint32_t)b->ply;
	return step;
}

/* The position as it was after so many half-moves. */
static bool on_taken_back(struct story *s, const struct fact_taken_back_body *b)
{
	size_t i = s->steps;
	while (i > 0 && s->step[i - 1].ply != (uint32_t)b->to_ply)
		i--;
	if (i == 0)
		return false;
	const struct position pos = s->step[i - 1].pos;
	struct story_step *step =
		story_add(s, &pos, -1, "Half-moves are taken back.");
	if (step)
		step->ply = (uint32_t)b->to_ply;
	return step;
}

static bool on_game_ended(struct story *s, const struct fact_game_ended_body *b)
{
	return story_add(s, last(s), -1,
			 "%s won the game: %.*s, %d point%s. The score: White "
			 "%d, Black %d.",
			 story_side(b->winner == BLACK), (int)b->reason.len,
			 (const char *)b->reason.at, (int)b->points,
			 b->points == 1 ? "" : "s", (int)b->white_score,
			 (int)b->black_score);
}

static bool on_ended(struct story *s, const struct fact_ended_body *b)
{
	static const char *const results[] = { "White won", "Black won",
					       "A draw", "No result" };
	if (b->result < 0 || b->result > 3)
		return false;
	return story_add(s, last(s), -1, "%s: %.*s.", results[b->result],
			 (int)b->reason.len, (const char *)b->reason.at);
}

static bool add_fact(struct story *s, const struct fact *f)
{
	if ((s->steps == 0) != (f->type == FACT_BEGUN))
		return false;
	switch (f->type) {
	case FACT_BEGUN: return on_begun(s, &f->begun);
	case FACT_OPENING_THROW: return on_opening(s, &f->opening_throw);
	case FACT_ROLLED:
		return on_throw(s, last(s)->side, f->rolled.die1,
				f->rolled.die2);
	case FACT_MOVED: return on_moved(s, &f->moved);
	case FACT_PASSED: return on_passed(s);
	case FACT_DOUBLED: return play(s, last(s), last(s)->side, "doubled");
	case FACT_TAKEN: return on_taken(s);
	case FACT_DROPPED:
		return play(s, last(s), side_other((enum side)last(s)->side),
			    "dropped the double");
	case FACT_GAME_ENDED: return on_game_ended(s, &f->game_ended);
	case FACT_GAME_BEGUN: return on_game_begun(s, &f->game_begun);
	case FACT_TAKEN_BACK: return on_taken_back(s, &f->taken_back);
	case FACT_ENDED: return on_ended(s, &f->ended);
	default: return true; /* nonces, offers, ratings: nothing moves */
	}
}

static bool add_all(struct story *s, const struct record_view *r,
		    struct doc *doc, struct buf *bytes)
{
	static const struct id any = { "" };
	for (size_t i = 0; i < client_count(r->facts); i++) {
		struct fact f;
		if (!record_fact(r, i, bytes) ||
		    fact_decode(doc, buf_span(bytes), &any, 0, &f) ||
		    !add_fact(s, &f))
			return false;
	}
	return s->steps > 0;
}

const char *story_of_record(struct story *s, const struct client_value *record)
{
	struct record_view r;
	struct buf bytes;
	struct doc *doc = doc_new();
	if (!doc)
		return no_memory;
	buf_init(&bytes, FACT_BYTES_MAX);
	bool good = record_view(record, &r) && add_all(s, &r, doc, &bytes);
	buf_release(&bytes);
	doc_free(doc);
	if (!good)
		story_release(s);
	return good ? NULL : damaged;
}
