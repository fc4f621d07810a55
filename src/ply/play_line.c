/* SPDX-License-Identifier: MIT
 * play_line.c - what a person types: a word of the table, or a move. The server
 * judges moves; the words of a refusal are put together here from its
 * details. */
#include "ply/play.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ply/explain.h"
#include "ply/play_priv.h"
#include "ply/play_screen.h"
#include "proto/read.h"

enum { COLUMNS = 76 };

/* -- answers -- */

static void say_legal(struct play *p, const struct client_value *moves,
		      int64_t total)
{
	size_t column = 0, shown = client_count(moves);
	if (shown == 0)
		return;
	if (shown > PLAY_MOVES_SHOWN)
		shown = PLAY_MOVES_SHOWN;
	buf_printf(&p->text, "Legal%s:", (int64_t)shown < total ? " are" : "");
	column = 6;
	for (size_t i = 0; i < shown; i++) {
		char move[CLIENT_MOVE_MAX];
		client_copy(client_at(moves, i), move, sizeof(move));
		if (column + strlen(move) + 2 > COLUMNS) {
			buf_put_str(&p->text, "\n      ");
			column = 6;
		}
		buf_printf(&p->text, "  %s", move);
		column += strlen(move) + 2;
	}
	if ((int64_t)shown < total)
		buf_printf(&p->text, "  and %" PRId64 " more",
			   total - (int64_t)shown);
	buf_put_byte(&p->text, '\n');
}

static enum reason reason_of(const struct client_value *details)
{
	char name[CLIENT_WORD_MAX];
	client_copy(client_find(details, "reason"), name, sizeof(name));
	for (int r = REASON_NONE + 1; r < REASON_COUNT; r++)
		if (!strcmp(name, reason_name((enum reason)r)))
			return (enum reason)r;
	return REASON_NONE;
}

static void say_refused(struct play *p, const struct client_error *e)
{
	struct refusal why = { .reason = reason_of(e->details) };
	const struct client_value *at = client_find(e->details, "at");
	char words[EXPLAIN_MAX];
	if (why.reason == REASON_NONE) {
		buf_printf(&p->text, "%s\n", e->message);
		return;
	}
	why.step = (int)client_int(client_find(at, "step"));
	client_copy(client_find(at, "from"), why.from, sizeof(why.from));
	client_copy(client_find(at, "to"), why.to, sizeof(why.to));
	client_copy(client_find(e->details, "detail"), why.detail,
		    sizeof(why.detail));
	explain_refusal(&why, words);
	buf_printf(&p->text, "Not legal (%s). %s\n", reason_name(why.reason),
		   words);
	say_legal(p, client_find(e->details, "legal_moves"),
		  client_int(client_find(e->details, "legal_total")));
}

/* What succeeds is told by events. */
void play_answered(void *payload, const struct client_error *error,
		   const struct client_value *result)
{
	struct play *p = payload;
	(void)result;
	if (!error)
		return;
	if (p->screen)
		play_screen_refused(p->screen);
	if (error->code == PLYD_EIO)
		buf_put_str(&p->text, "The connection broke: look whether it "
				      "was done.\n");
	else
		say_refused(p, error);
	play_show(p);
}

static void on_moves(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct play *p = payload;
	const struct client_value *moves = client_find(result, "legal_moves");
	if (error)
		say_refused(p, error);
	else if (!moves)
		buf_put_str(&p->text, "It is not your turn.\n");
	else
		say_legal(p, moves,
			  client_int(client_find(result, "legal_total")));
	play_show(p);
}

/* -- words -- */

static void ask(struct play *p, const char *method, client_answer_fn *fn)
{
	int err = client_ask_match(link_client(p->link), method, p->view.match,
				   fn, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

static void do_moves(struct play *p)
{
	ask(p, "match.get", on_moves);
}

static void do_board(struct play *p)
{
	if (!p->screen)
		view_draw(&p->view, net_now_ms(), &p->text);
	play_show(p);
}

static void do_clock(struct play *p)
{
	view_clocks(&p->view, net_now_ms(), &p->text);
	play_show(p);
}

static void do_draw(struct play *p)
{
	ask(p, "match.offer_draw", play_answered);
}

static void answer_offer(struct play *p, const char *method)
{
	const struct client_param param[] = {
		CLIENT_TEXT("match", p->view.match),
		CLIENT_NUMBER("ply", p->view.ply),
	};
	int err = client_request(link_client(p->link), method, param, 2,
				 play_answered, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

static void do_takeback(struct play *p)
{
	answer_offer(p, "match.takeback_offer");
}

/* Whether the opponent wants to take back; what he asked last matters. */
static bool wants_back(const struct play *p)
{
	return p->view.takeback != CLIENT_NOBODY &&
	       p->view.takeback != p->view.you;
}

static bool wants_pause(const struct play *p)
{
	return p->view.pause != CLIENT_NOBODY && p->view.pause != p->view.you;
}

static void do_pause(struct play *p)
{
	answer_offer(p, "match.pause_offer");
}

static void do_resume(struct play *p)
{
	ask(p, "match.resume", play_answered);
}

static void do_leave(struct play *p)
{
	ask(p, "match.leave", play_answered);
}

const char *play_wanted(const struct play *p)
{
	bool draw =
		p->view.offer != CLIENT_NOBODY && p->view.offer != p->view.you;
	if (!p->playing)
		return NULL;
	return play_is_resigned_to(p) ? "to give up for less"
	       : wants_back(p)        ? "to take the last move back"
	       : wants_pause(p)       ? "a pause"
	       : draw                 ? "a draw"
				      : NULL;
}

void play_accept(struct play *p)
{
	if (play_is_resigned_to(p)) {
		play_answer_resignation(p, true);
		return;
	}
	answer_offer(p, wants_back(p)    ? "match.takeback_accept"
			: wants_pause(p) ? "match.pause_accept"

					 : "match.accept_draw");
}

void play_decline(struct play *p)
{
	if (play_is_resigned_to(p)) {
		play_answer_resignation(p, false);
		return;
	}
	answer_offer(p, wants_back(p)    ? "match.takeback_decline"
			: wants_pause(p) ? "match.pause_decline"

					 : "match.decline_draw");
}

static void do_resign(struct play *p)
{
	play_resign(p, "");
}

static void do_abort(struct play *p)
{
	ask(p, "match.abort", play_answered);
}

static void do_claim(struct play *p)
{
	const struct client_param param[] = {
		CLIENT_TEXT("match", p->view.match),
		CLIENT_TEXT("result", "win"),
	};
	int err = client_request(link_client(p->link), "match.claim", param, 2,
				 play_answered, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

static void do_rematch(struct play *p)
{
	if (p->ended)
		ask(p, "match.rematch", play_answered);
	else
		play_say(p, "The match is not over.");
}

static void do_rating(struct play *p)
{
	play_rating(p, "");
}

static void do_top(struct play *p)
{
	play_top(p, "");
}

static void do_help(struct play *p);

/* With nothing behind the word; play_chat.c takes the others. */
static void do_say(struct play *p)
{
	play_say(p, "Say what: `say good luck'.");
}

static const struct word {
	const char *name;
	void (*run)(struct play *p);
	bool in_match; /* only there */
	const char *help;
} words[] = {
	{ "moves", do_moves, true, "list the legal moves" },
	{ "board", do_board, true, "show the board again" },
	{ "clock", do_clock, true, "show the time that is left" },
	{ "draw", do_draw, true, "offer a draw" },
	{ "pause", do_pause, true, "ask for a pause of the clocks" },
	{ "resume", do_resume, true, "end the pause" },
	{ "leave", do_leave, true, "leave for good, at once" },
	{ "takeback", do_takeback, true, "ask to take your last move back" },
	{ "accept", play_accept, true, "accept what your opponent wants" },
	{ "decline", play_decline, true, "decline it" },
	{ "roll", do_roll, true, "throw, where you may double" },
	{ "double", do_double, true, "double the cube before your throw" },
	{ "take", do_take, true, "take a double" },
	{ "drop", do_drop, true, "drop it, and lose the game" },
	{ "resign", do_resign, true,
	  "give up; `resign 1', `resign 2' offer less, `resign match' all" },
	{ "abort", do_abort, true, "end it while it has hardly begun" },
	{ "claim", do_claim, true, "win if your opponent left for good" },
	{ "rematch", do_rematch, false, "play again with sides swapped" },
	{ "say", do_say, false,
	  "say something: `say good luck'; `chat off' ends the talk, or `on'" },
	{ "block", do_say, false,
	  "hear no more from your opponent, and play him no more; `unblock'" },
	{ "report", do_say, false,
	  "tell the operator about him: `report abuse', cheating, stalling" },
	{ "who", play_who, false, "list who is here" },
	{ "quick", play_quick, false, "play the nearest in rating" },
	{ "rating", do_rating, false,
	  "show your ratings; `rating NAME' somebody's who is here" },
	{ "top", do_top, false,
	  "show the best; `top RULESET SPEED' at something else, `top bots' "
	  "with bots" },
	{ "watchers", play_watchers, true, "say how many watch" },
	{ "yes", play_yes, false, "accept a challenge" },
	{ "no", play_no, false,
	  "decline it; `challenge NAME' challenges somebody" },
	{ "tournaments", play_tournaments, false,
	  "list them; `register ID' takes part, `check-in ID', "
	  "`withdraw ID'" },
	{ "help", do_help, false, "show this" },
	{ "quit", play_leave, false,
	  "leave; the same command comes back to your seat" },
};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

static void do_help(struct play *p)
{
	bool dice = p->playing && ruleset_has_dice(&p->view.rules);
	if (p->playing)
		buf_printf(&p->text, "Type a move, such as %s, or\n",
			   dice ? "13/8 6/5, bar/20 or 6/off"
			   : p->view.rules.draughts.notation == 0
				   ? "11-15 or 9x18x25"
				   : "d2-d3 or d3xd5xd7");
	for (size_t i = 0; i < WORDS; i++)
		buf_printf(&p->text, "  %-8s %s\n", words[i].name,
			   words[i].help);
	play_show(p);
}

/* -- a line -- */

void play_move(struct play *p, const char *move)
{
	int err = client_move(link_client(p->link), p->view.match, p->view.ply,
			      move, play_answered, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

static void do_text(struct play *p, const char *text)
{
	if (!p->playing)
		play_say(p, "There is no match yet. Type `help' for what you "
			    "may type.");
	else if (strlen(text) >= CLIENT_MOVE_MAX || !utf8_valid(span_str(text)))
		play_say(p, "This is not a move. Type `help' for what you may "
			    "type.");
	else
		play_move(p, text);
}

/* Without the spaces around it. */
static void trim(const char *line, char out[TERMINAL_LINE_MAX])
{
	size_t len = strlen(line);
	size_t start = strspn(line, " \t\r");
	while (len > start && strchr(" \t\r", line[len - 1]))
		len--;
	span_copy(span_of(line + start, len - start), out, TERMINAL_LINE_MAX);
}

/* Obeys a word with something behind it; false: it is none of these. */
static bool with_argument(struct play *p, const char *text)
{
	static const struct {
		const char *word;
		void (*run)(struct play *p, const char *argument);
	} all[] = {
		{ "challenge ", play_challenge },
		{ "rating ", play_rating },
		{ "top ", play_top },
		{ "register ", play_register },
		{ "withdraw ", play_withdraw },
		{ "check-in ", play_check_in },
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t len = strlen(all[i].word);
		if (strncmp(text, all[i].word, len) != 0)
			continue;
		all[i].run(p, text + len + strspn(text + len, " "));
		return true;
	}
	return false;
}

void play_line(struct play *p, const char *line)
{
	char text[TERMINAL_LINE_MAX];
	trim(line, text);
	static const char resign[] = "resign ";
	if (strncmp(text, resign, strlen(resign) - 1) != 0)
		p->resigning = RESIGNING_NOTHING;
	if (p->playing && !strncmp(text, resign, strlen(resign))) {
		play_resign(p, text + strlen(resign));
		link_flush(p->link);
		return;
	}
	if (play_talks(p, text)) {
		link_flush(p->link);
		return;
	}
	if (with_argument(p, text)) {
		link_flush(p->link);
		return;
	}
	for (size_t i = 0; i < WORDS; i++) {
		if (strcmp(text, words[i].name) != 0)
			continue;
		if (words[i].in_match && !p->playing)
			play_say(p, "There is no match yet.");
		else
			words[i].run(p);
		link_flush(p->link);
		return;
	}
	if (text[0])
		do_text(p, text);
	else
		play_show(p);
	link_flush(p->link);
}
