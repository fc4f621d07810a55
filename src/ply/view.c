/* SPDX-License-Identifier: MIT */
#include "ply/view.h"

#include <inttypes.h>
#include <string.h>

#include "ply/board.h"
#include "ply/time_text.h"

const char *view_who(const struct view *v, client_side side)
{
	if (side == v->you && side != CLIENT_NOBODY)
		return "You";
	return side == CLIENT_WHITE ? "White" : "Black";
}

static enum side bottom(const struct view *v)
{
	return v->you == CLIENT_BLACK ? BLACK : WHITE;
}

/* -- following -- */

static bool read_position(const struct view *v, const char *text,
			  struct position *out)
{
	return !game_read(&v->rules, text, strlen(text), out, NULL);
}

uint64_t view_places(const struct ruleset *rules, const struct position *before,
		     const struct move *m, enum side below)
{
	uint64_t marked = 0;
	if (rules->family == FAMILY_DRAUGHTS) {
		for (unsigned i = 0; i <= m->legs; i++)
			marked |= UINT64_C(1) << m->at[i];
		return marked;
	}
	for (unsigned i = 0; i < 2u * m->legs; i++) {
		unsigned point = m->at[i];
		if (point == 0 || point > 24)
			continue; /* the bar, or off */
		if (before->side != below)
			point = 25 - point;
		marked |= UINT64_C(1) << point;
	}
	return marked;
}

static void note_move(struct view *v, const struct position *before,
		      const char *text)
{
	struct move move;
	struct refusal why;
	span_copy(span_str(text), v->last, sizeof(v->last));
	v->last_side = before->side;
	v->marked = 0;
	if (!game_check(&v->rules, before, text, strlen(text), &move, &why))
		v->marked = view_places(&v->rules, before, &move, bottom(v));
}

/* The last move of a snapshot has no position before it: only its text. */
static void note_last(struct view *v, const struct client_match *m)
{
	const struct client_value *moves = client_find(m->value, "moves");
	size_t count = client_count(moves);
	v->marked = 0;
	v->last[0] = '\0';
	if (count == 0)
		return;
	client_copy(client_at(moves, count - 1), v->last, sizeof(v->last));
	v->last_side = side_other((enum side)v->pos.side);
}

static client_side side_of(const struct client_value *v)
{
	char word[CLIENT_WORD_MAX];
	client_copy(v, word, sizeof(word));
	return !strcmp(word, "white")   ? CLIENT_WHITE
	       : !strcmp(word, "black") ? CLIENT_BLACK
					: CLIENT_NOBODY;
}

bool view_match(struct view *v, const struct client_match *m, uint64_t now_ms)
{
	if (ruleset_read(m->rules, strlen(m->rules), &v->rules) ||
	    !read_position(v, m->position, &v->pos))
		return false;
	memcpy(v->match, m->match, sizeof(v->match));
	memcpy(v->name, m->name, sizeof(v->name));
	v->you = m->you;
	v->turn = m->turn;
	v->offer = m->offer;
	v->awaits = m->awaits;
	v->stakes = m->stakes;
	v->takeback = side_of(client_find(m->value, "takeback"));
	v->pause = side_of(client_find(m->value, "pause"));
	v->ply = m->ply;
	v->unlimited = m->unlimited;
	memcpy(v->clock, m->clock, sizeof(v->clock));
	v->increment_ms = m->increment_ms;
	v->delay_ms = m->delay_ms;
	memcpy(v->left_ms, m->left_ms, sizeof(v->left_ms));
	v->free_ms = m->free_ms;
	/* it runs for whoever is to move from when he is shown the position */
	v->running = m->running == CLIENT_NOBODY && !strcmp(m->state, "playing")
			     ? m->turn
			     : m->running;
	v->at_ms = now_ms;
	v->nonces = !strcmp(m->state, "nonces");
	v->over = m->over;
	view_moves_begin(&v->moves, m);
	note_last(v, m);
	return true;
}

static void say_move(const struct view *v, const struct client_event *e,
		     struct buf *out)
{
	bool mine = e->side == v->you && e->side != CLIENT_NOBODY;
	const char *who = view_who(v, e->side);
	if (!strcmp(e->event, "passed"))
		buf_printf(out, "%s cannot move: the turn %s.\n", who,
			   mine ? "is passed" : "passes");
	else
		buf_printf(out, "%s played %s.\n", who, e->move);
}

static void on_move(struct view *v, const struct client_event *e,
		    struct buf *out)
{
	struct position before = v->pos;
	v->ply = e->ply + 1;
	v->turn = v->takeback = v->pause = CLIENT_NOBODY;
	if (e->move[0]) {
		note_move(v, &before, e->move);
	} else {
		span_copy(span_str("pass"), v->last, sizeof(v->last));
		v->last_side = e->side;
		v->marked = 0;
	}
	if (v->offer != CLIENT_NOBODY && v->offer != e->side)
		v->offer = CLIENT_NOBODY;
	view_moves_add(&v->moves, v->last, e->side);
	say_move(v, e, out);
}

static void on_offer(struct view *v, const struct client_event *e, bool made,
		     struct buf *out)
{
	v->offer = made ? e->side : CLIENT_NOBODY;
	buf_printf(out, "%s %s a draw.\n", view_who(v, e->side),
		   made ? "offered" : "declined");
}

static void on_taken_back(struct view *v, const struct client_event *e,
			  struct buf *out)
{
	v->ply = (uint32_t)client_int(client_find(e->value, "to_ply"));
	view_moves_drop(&v->moves, e->ply - v->ply);
	v->last[0] = '\0';
	v->marked = 0;
	v->offer = CLIENT_NOBODY;
	buf_printf(out, "%s agreed: %s taken back.\n", view_who(v, e->side),
		   e->ply - v->ply == 1 ? "a move is" : "two moves are");
}

/* Whether it was an event of a pause. */
static bool on_pause(struct view *v, const struct client_event *e,
		     struct buf *out)
{
	const char *who = view_who(v, e->side);
	const char *s = e->side == v->you ? "" : "s";
	if (!strcmp(e->event, "pause_offered"))
		buf_printf(out, "%s want%s a pause.\n", who, s);
	else if (!strcmp(e->event, "pause_declined"))
		buf_printf(out, "%s declined the pause.\n", who);
	else if (!strcmp(e->event, "paused"))
		buf_put_str(out, "The match is paused; `resume' goes on.\n");
	else if (!strcmp(e->event, "resumed"))
		buf_printf(out, "%s resumed the match.\n", who);
	else
		return false;
	v->pause = !strcmp(e->event, "pause_offered") ? e->side : CLIENT_NOBODY;
	return true;
}

/* Whether it was that a fault of the server has stopped the match. */
static bool on_frozen(struct view *v, const struct client_event *e,
		      struct buf *out)
{
	size_t len = 0;
	const char *why = client_str(client_find(e->value, "reason"), &len);
	if (strcmp(e->event, "frozen"))
		return false;
	v->offer = v->pause = CLIENT_NOBODY;
	buf_printf(out,
		   "The match is frozen: %.*s. That is a fault of the server; "
		   "its operator ends the match.\n",
		   (int)len, why ? why : "");
	return true;
}

/* Whether it was that the operator gave time or took it. */
static bool on_clock_adjusted(const struct client_event *e, struct buf *out)
{
	size_t len = 0;
	const char *why = client_str(client_find(e->value, "text"), &len);
	int64_t add_ms = client_int(client_find(e->value, "add_ms"));
	const char *who = e->side == CLIENT_WHITE ? "White" : "Black";
	if (strcmp(e->event, "clock_adjusted"))
		return false;
	buf_printf(out, "The operator %s %s %lld s%s%.*s.\n",
		   add_ms < 0 ? "took from" : "gave", who,
		   (long long)(add_ms < 0 ? -add_ms : add_ms) / 1000,
		   len > 0 ? ": " : "", (int)len, why ? why : "");
	return true;
}

/* Whether it was an event of a takeback. */
static bool on_takeback(struct view *v, const struct client_event *e,
			struct buf *out)
{
	if (!strcmp(e->event, "takeback_offered")) {
		v->takeback = e->side;
		buf_printf(out, "%s want%s to take the last move back.\n",
			   view_who(v, e->side), e->side == v->you ? "" : "s");
		return true;
	}
	if (!strcmp(e->event, "takeback_declined"))
		buf_printf(out, "%s declined to take back.\n",
			   view_who(v, e->side));
	else if (!strcmp(e->event, "taken_back"))
		on_taken_back(v, e, out);
	else
		return false;
	v->takeback = CLIENT_NOBODY;
	return true;
}

void view_result(const struct view *v, const struct client_result *r,
		 struct buf *out)
{
	static const char *const words[] = { "white", "black" };
	const char *points = r->points == 1 ? "" : "s";
	if (r->score[CLIENT_WHITE] > 0 || r->score[CLIENT_BLACK] > 0)
		buf_printf(out, "The score: White %d, Black %d.\n",
			   r->score[CLIENT_WHITE], r->score[CLIENT_BLACK]);
	for (int s = 0; s < 2; s++)
		if (!strcmp(r->result, words[s])) {
			buf_printf(out, "%s won: %s, %d point%s.\n",
				   view_who(v, s), r->reason, r->points,
				   points);
			return;
		}
	buf_printf(out, "%s: %s.\n",
		   !strcmp(r->result, "draw") ? "A draw" : "No result",
		   r->reason);
}

/* `Rating: White 1500 to 1516, Black 1500 to 1484.` */
static void on_rated(const struct client_event *e, struct buf *out)
{
	static const char *const keys[] = { "white", "black" };
	const struct client_value *both = client_find(e->value, "ratings");
	for (int s = 0; s < 2; s++) {
		const struct client_value *one = client_find(both, keys[s]);
		buf_printf(out, "%s %" PRId64 " to %" PRId64 "%s",
			   s == CLIENT_WHITE ? "Ratings: White" : ", Black",
			   client_int(client_find(one, "before")),
			   client_int(client_find(one, "after")),
			   s == CLIENT_WHITE ? "" : ".\n");
	}
}

bool view_event(struct view *v, const struct client_event *e, uint64_t now_ms,
		struct buf *out)
{
	if (!strcmp(e->event, "moved") || !strcmp(e->event, "passed"))
		on_move(v, e, out);
	else if (!strcmp(e->event, "draw_offered"))
		on_offer(v, e, true, out);
	else if (!strcmp(e->event, "draw_declined"))
		on_offer(v, e, false, out);
	else if (!strcmp(e->event, "warned"))
		buf_printf(out, "The draw policy warns: %s\n", e->text);
	else if (on_takeback(v, e, out) || on_pause(v, e, out) ||
		 on_frozen(v, e, out) || on_clock_adjusted(e, out) ||
		 view_stakes_event(v, e, out))
		; /* said */
	else if (!strcmp(e->event, "rated"))
		on_rated(e, out);
	else if (!strcmp(e->event, "opening_throw"))
		buf_printf(out, "Opening throw: White %d, Black %d.\n",
			   e->dice[0], e->dice[1]);
	else if (!strcmp(e->event, "rolled"))
		buf_printf(out, "%s threw %d-%d.\n", view_who(v, e->side),
			   e->dice[0], e->dice[1]);
	if (e->position[0] && read_position(v, e->position, &v->pos)) {
		v->nonces = false;
		v->turn = v->running = e->turn;
		v->awaits = e->awaits;
		v->stakes = e->stakes;
		memcpy(v->left_ms, e->left_ms, sizeof(v->left_ms));
		v->free_ms = e->free_ms;
		v->at_ms = now_ms;
	} else if (e->move[0]) {
		/* the board between a move and the throw after it */
		struct position before = v->pos;
		game_replay_move(&v->rules, &before, e->move, strlen(e->move),
				 false, &v->pos);
	}
	v->over = e->over;
	return e->position[0] && strncmp(e->event, "draw_", 5) != 0 &&
	       strncmp(e->event, "takeback_", 9) != 0 &&
	       strncmp(e->event, "pause_", 6) != 0 &&
	       strncmp(e->event, "resign_", 7) != 0;
}

/* -- drawing -- */

/* What a move brings, in words; nothing where it brings nothing. */
static void say_kind(const struct view *v, struct buf *out)
{
	int64_t s = (v->delay_ms + v->increment_ms + 999) / 1000;
	if (!strcmp(v->clock, "per_move"))
		buf_put_str(out, "  (for each move)");
	else if (s == 0)
		return;
	else if (!strcmp(v->clock, "fischer"))
		buf_printf(out, "  (+%" PRId64 " s a move)", s);
	else if (!strcmp(v->clock, "delay"))
		buf_printf(out, "  (%" PRId64 " s of a turn are free)", s);
	else if (!strcmp(v->clock, "bronstein"))
		buf_printf(out, "  (up to %" PRId64 " s come back)", s);
}

void view_clocks(const struct view *v, uint64_t now_ms, struct buf *out)
{
	char text[TIME_TEXT_MAX];
	if (v->unlimited) {
		buf_put_str(out, "No clock.\n");
		return;
	}
	int64_t used = (int64_t)(now_ms - v->at_ms) - v->free_ms;
	for (int s = 0; s < 2; s++) {
		bool runs = v->running == s && !v->over;
		int64_t ms = v->left_ms[s] - (runs && used > 0 ? used : 0);
		buf_printf(out, "%s %s %s%s", s == 0 ? "Clock:" : "  ",
			   s == 0 ? "White" : "Black", time_text_left(ms, text),
			   runs ? "*" : "");
	}
	say_kind(v, out);
	buf_put_byte(out, '\n');
}

void view_draw(const struct view *v, uint64_t now_ms, struct buf *out)
{
	const struct board_look look = { .colour = v->colour,
					 .bottom = bottom(v),
					 .marked = v->marked };
	buf_put_byte(out, '\n');
	board_draw(&v->rules, &v->pos, &look, out);
	if (v->last[0])
		buf_printf(out, "Last move: %s %s\n",
			   v->last_side == CLIENT_WHITE ? "White" : "Black",
			   v->last);
	view_stakes(v, out);
	view_clocks(v, now_ms, out);
}

void view_said(const struct client_value *v, char *out, size_t size)
{
	client_copy(v, out, size);
	for (; *out; out++)
		if ((unsigned char)*out < ' ' || *out == 0x7f)
			*out = '?';
}
