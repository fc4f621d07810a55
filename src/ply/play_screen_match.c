/* SPDX-License-Identifier: MIT
 * play_screen_match.c - a match on the screen: the player's own, or one that he
 * watches. */
#include <stdio.h>
#include <string.h>

#include "ply/play_priv.h"
#include "ply/play_screen_priv.h"
#include "ply/time_text.h"

enum { SAY_MAX = 160, STAKES_MAX = 64, MIRROR = 25 };

static const struct view *view_of(const struct play_screen *s)
{
	return &s->play->view;
}

static bool is_backgammon(const struct view *v)
{
	return v->rules.family == FAMILY_BACKGAMMON;
}

static bool is_shown(const struct play_screen *s)
{
	return s->play->playing || s->play->ended || s->play->watched[0];
}

static bool is_mine(const struct play_screen *s)
{
	const struct view *v = view_of(s);
	return s->play->playing && !v->over && !v->nonces &&
	       v->you != CLIENT_NOBODY && v->turn == v->you;
}

static bool awaits(const struct play_screen *s, enum client_awaits what)
{
	return is_mine(s) && view_of(s)->awaits == what;
}

/* -- following -- */

static void begin_picking(struct play_screen *s)
{
	struct screen_match *m = &s->match;
	const struct view *v = view_of(s);
	pick_begin(&m->pick, &v->rules, &v->pos);
	m->ply = v->ply;
	m->hash = game_hash(&v->rules, &v->pos);
	m->picking = true;
	m->sent = m->missed = false;
}

static void new_match(struct play_screen *s)
{
	struct screen_match *m = &s->match;
	const struct view *v = view_of(s);
	const struct board b = { .rules = &v->rules,
				 .pos = &v->pos,
				 .bottom = v->you == CLIENT_BLACK ? BLACK
								  : WHITE };
	memcpy(m->match, v->match, sizeof(m->match));
	m->picking = m->sent = m->flipped = false;
	m->cursor = board_home(&b);
	screen_show(s, VIEW_MATCH);
}

void match_view_follow(struct play_screen *s)
{
	struct screen_match *m = &s->match;
	const struct view *v = view_of(s);
	if (!is_shown(s))
		return;
	if (strcmp(m->match, v->match) != 0)
		new_match(s);
	bool mine = awaits(s, CLIENT_AWAITS_MOVE) &&
		    (!is_backgammon(v) || v->pos.dice[0] > 0);
	bool same = m->picking && m->ply == v->ply &&
		    m->hash == game_hash(&v->rules, &v->pos);
	if (!mine)
		m->picking = false;
	else if (!same)
		begin_picking(s);
}

/* -- drawing -- */

static enum side bottom(const struct play_screen *s)
{
	bool black = view_of(s)->you == CLIENT_BLACK;
	return black != s->match.flipped ? BLACK : WHITE;
}

/* Places as the side below counts them. */
static uint64_t mirrored(const struct play_screen *s, uint64_t places)
{
	uint64_t out = 0;
	if (!is_backgammon(view_of(s)) || !s->match.flipped)
		return places;
	for (int p = 1; p < MIRROR; p++)
		if (places >> p & 1)
			out |= UINT64_C(1) << (MIRROR - p);
	return out;
}

static struct board board_of(const struct play_screen *s)
{
	const struct screen_match *m = &s->match;
	const struct view *v = view_of(s);
	struct board b = {
		.rules = &v->rules,
		.pos = m->picking ? &m->pick.now : &v->pos,
		.bottom = bottom(s),
		.last = mirrored(s, v->marked),
		.cursor = m->picking && !m->sent ? m->cursor : PICK_NOWHERE,
	};
	if (!m->picking)
		return b;
	b.targets = m->pick.targets;
	b.chosen = m->pick.chosen != PICK_NOWHERE
			   ? UINT64_C(1) << m->pick.chosen
			   : 0;
	if (is_backgammon(v))
		b.dice_played = m->pick.steps / 2;
	else
		for (int i = 0; i < m->pick.steps; i++)
			b.chosen |= UINT64_C(1) << m->pick.step[i];
	return b;
}

static const char *clock_of(const struct view *v, int side,
			    char out[TIME_TEXT_MAX])
{
	if (v->unlimited)
		return NULL;
	int64_t used = (int64_t)(net_now_ms() - v->at_ms) - v->free_ms;
	bool runs = v->running == side && !v->over;
	return time_text_left(v->left_ms[side] - (runs && used > 0 ? used : 0),
			      out);
}

/* `To 7: 2-4, cube 2 yours`; NULL: there is nothing to say. */
static const char *stakes_of(const struct view *v, char out[STAKES_MAX])
{
	const struct client_stakes *k = &v->stakes;
	int len = 0;
	out[0] = '\0';
	if (k->length > 0)
		len = snprintf(out, STAKES_MAX, "To %d: %d-%d%s", k->length,
			       k->score[0], k->score[1],
			       k->crawford ? ", Crawford" : "");
	if (k->cube > 1)
		snprintf(out + len, (size_t)(STAKES_MAX - len), "%scube %d %s",
			 len > 0 ? ", " : "", k->cube,
			 k->owner == v->you         ? "yours"
			 : k->owner == CLIENT_WHITE ? "White's"
						    : "Black's");
	return out[0] ? out : NULL;
}

/* Whether only captures are legal. */
static bool must_capture(const struct pick *p)
{
	return p->list.count > 0 && p->list.move[0].taken != 0;
}

static const char *say_choice(const struct play_screen *s, char out[SAY_MAX])
{
	const struct pick *p = &s->match.pick;
	if (s->match.sent)
		return "Sent; waiting for the server.";
	if (p->move[0]) {
		snprintf(out, SAY_MAX,
			 "Enter plays %s; Backspace takes a step back.",
			 p->move);
		return out;
	}
	if (p->chosen != PICK_NOWHERE)
		return p->steps > 1 && !is_backgammon(view_of(s))
			       ? "And on: choose the next square, then Enter."
			       : "Where to? Arrows or Tab, then Enter; Esc "
				 "chooses another.";
	if (p->sources == 0)
		return "Your move: type it (m).";
	if (s->match.missed)
		return must_capture(p)
			       ? "Not this one: you must capture. Tab goes to "
				 "the pieces that can."
			       : "Not this one. Tab goes to the pieces that "
				 "can move.";
	if (must_capture(p))
		return "Your move, and you must capture: Tab goes to the "
		       "pieces that can.";
	return p->steps > 0 ? "And the next checker: arrows or Tab, then Enter."
			    : "Your move: choose a piece with arrows or Tab, "
			      "then Enter.";
}

static const char *say_turn(const struct play_screen *s, char out[SAY_MAX])
{
	const struct view *v = view_of(s);
	const char *wanted = play_wanted(s->play);
	const char *mover = v->turn == CLIENT_BLACK ? v->name[CLIENT_BLACK]
						    : v->name[CLIENT_WHITE];
	if (wanted) {
		snprintf(out, SAY_MAX,
			 "Your opponent wants %s: y accepts, n declines.",
			 wanted);
		return out;
	}
	if (awaits(s, CLIENT_AWAITS_ROLL))
		return v->rules.backgammon.cube
			       ? "Your turn: Enter rolls, d doubles."
			       : "Your turn: Enter rolls.";
	if (awaits(s, CLIENT_AWAITS_ANSWER)) {
		snprintf(out, SAY_MAX, "Doubled to %d: t takes, x drops.",
			 2 * v->stakes.cube);
		return out;
	}
	if (s->match.picking)
		return say_choice(s, out);
	if (v->nonces)
		return "The dice are being agreed on.";
	if (v->turn == CLIENT_NOBODY)
		return "";
	snprintf(out, SAY_MAX, "%s is to move.", mover);
	return out;
}

static const char *say(const struct play_screen *s, char out[SAY_MAX])
{
	const struct view *v = view_of(s);
	const char *levels =
		is_backgammon(v) ? "  1, 2 offer that many points." : "";
	if (s->asking == ASKING_QUIT)
		return "Leave? Your clock runs on, and the same command brings "
		       "you back. y leaves.";
	if (s->asking == ASKING_GIVE_UP) {
		snprintf(out, SAY_MAX, "Give up? y the game%s%s",
			 v->stakes.length > 0 ? ", m the whole match." : ".",
			 levels);
		return out;
	}
	if (v->over)
		return s->play->ended ? "The match is over. r plays another "
					"with sides swapped."
				      : "The match is over.";
	return say_turn(s, out);
}

static const char *keys(const struct play_screen *s)
{
	const struct view *v = view_of(s);
	if (s->typing != TYPING_NOTHING)
		return "Enter sends it  Esc drops it";
	if (s->asking != ASKING_NOTHING)
		return "Esc no";
	if (v->over)
		return "r rematch  v view it again  l lobby  / say  f flip  "
		       "? help  q quit";
	if (v->you == CLIENT_NOBODY)
		return "f flip  / say to spectators  l lobby  ? help  q quit";
	if (is_backgammon(v))
		return "Tab next  Enter choose  m type  d double  g give up  "
		       "/ say  ? help  q quit";
	return "Tab next  Enter choose  m type  o draw  g give up  / say  "
	       "? help  q quit";
}

static void put_waiting(struct play_screen *s)
{
	struct page page = screen_page(s);
	int none = 0;
	page.title = "ply";
	page.say = s->asking == ASKING_QUIT ? "Leave? y leaves."
		   : s->play->waiting       ? "Waiting for an opponent."
					    : "";
	page.keys = "l lobby  / say  ? help  q quit";
	text_page_put(&s->grid, &page, NULL, 0, &none);
}

void match_view_draw(struct play_screen *s)
{
	const struct view *v = view_of(s);
	char title[256], clock[2][TIME_TEXT_MAX], stakes[STAKES_MAX];
	char words[SAY_MAX];
	const char *move[VIEW_MOVES_KEPT];
	int mover[VIEW_MOVES_KEPT];
	if (!is_shown(s)) {
		put_waiting(s);
		return;
	}
	struct match_page m = { .page = screen_page(s), .board = board_of(s) };
	snprintf(title, sizeof(title), "%s: %s - %s", v->rules.name,
		 v->name[CLIENT_WHITE], v->name[CLIENT_BLACK]);
	m.page.title = title;
	m.page.say = say(s, words);
	m.page.urgent = is_mine(s) || play_wanted(s->play);
	m.page.keys = keys(s);
	for (int i = 0; i < 2; i++)
		m.seat[i] = (struct match_seat){
			.name = v->name[i],
			.clock = clock_of(v, i, clock[i]),
			.runs = v->running == i && !v->over,
			.is_you = v->you == i,
			.note = s->play->away && i != v->you ? "is away" : NULL,
		};
	m.stakes = stakes_of(v, stakes);
	for (; m.moves < (int)v->moves.kept; m.moves++) {
		const struct view_move *one =
			view_moves_at(&v->moves, (unsigned)m.moves);
		move[m.moves] = one->text;
		mover[m.moves] = one->side;
	}
	m.move = move;
	m.mover = mover;
	match_page_put(&s->grid, &m);
}

/* -- keys -- */

static void send_move(struct play_screen *s)
{
	s->match.sent = true;
	play_move(s->play, s->match.pick.move);
}

/* The cursor goes ahead to where the piece may go. */
static void go_ahead(struct screen_match *m)
{
	int target = pick_next(&m->pick, m->cursor, 1);
	if (target != PICK_NOWHERE && m->pick.targets)
		m->cursor = target;
}

static void choose(struct play_screen *s)
{
	struct screen_match *m = &s->match;
	if (m->pick.move[0]) {
		send_move(s);
		return;
	}
	m->missed = !pick_place(&m->pick, m->cursor);
	if (m->missed)
		return;
	if (m->pick.move[0] && !is_backgammon(view_of(s)))
		send_move(s);
	else
		go_ahead(m);
}

/* Keys that choose a move; false: it is none. */
static bool pick_key(struct play_screen *s, struct key key)
{
	struct screen_match *m = &s->match;
	const struct board b = board_of(s);
	int next;
	switch (key.kind) {
	case PRESS_UP: m->cursor = board_go(&b, m->cursor, WAY_UP); break;
	case PRESS_DOWN: m->cursor = board_go(&b, m->cursor, WAY_DOWN); break;
	case PRESS_LEFT: m->cursor = board_go(&b, m->cursor, WAY_LEFT); break;
	case PRESS_RIGHT: m->cursor = board_go(&b, m->cursor, WAY_RIGHT); break;
	case PRESS_TAB:
	case PRESS_BACK_TAB:
		next = pick_next(&m->pick, m->cursor,
				 key.kind == PRESS_TAB ? 1 : -1);
		if (next != PICK_NOWHERE)
			m->cursor = next;
		break;
	case PRESS_ENTER: choose(s); break;
	case PRESS_ESCAPE:
	case PRESS_BACKSPACE: pick_back(&m->pick); break;
	default: return false;
	}
	return true;
}

static void give_up_key(struct play_screen *s, struct key key)
{
	bool backgammon = is_backgammon(view_of(s));
	uint32_t sign = key.kind == PRESS_SIGN ? key.sign : 0;
	s->asking = ASKING_NOTHING;
	if (sign == 'y')
		play_give_up(s->play, 0, false);
	else if (sign == 'm' && view_of(s)->stakes.length > 0)
		play_give_up(s->play, 0, true);
	else if (backgammon && (sign == '1' || sign == '2'))
		play_give_up(s->play, (int)(sign - '0'), false);
}

/* A sign that is a word of the line. */
static const char *word_of(const struct play_screen *s, uint32_t sign)
{
	bool over = view_of(s)->over;
	switch (sign) {
	case 'o': return over ? NULL : "draw";
	case 'u': return over ? NULL : "takeback";
	case 'd': return awaits(s, CLIENT_AWAITS_ROLL) ? "double" : NULL;
	case 't': return awaits(s, CLIENT_AWAITS_ANSWER) ? "take" : NULL;
	case 'x': return awaits(s, CLIENT_AWAITS_ANSWER) ? "drop" : NULL;
	case 'p': return over ? NULL : "pause";
	case 'P': return over ? NULL : "resume";
	case 'w': return over ? NULL : "claim";
	case 'r':
		return over                            ? "rematch"
		       : awaits(s, CLIENT_AWAITS_ROLL) ? "roll"
						       : NULL;
	default: return NULL;
	}
}

static void to_lobby(struct play_screen *s)
{
	struct play *p = s->play;
	if (p->watched[0])
		client_unwatch(link_client(p->link), p->watched);
	p->watched[0] = '\0';
	if (!p->playing)
		p->ended = false;
	s->match.match[0] = '\0';
	screen_show(s, VIEW_LOBBY);
}

static void answer(struct play_screen *s, bool yes)
{
	if (!play_wanted(s->play))
		return;
	if (yes)
		play_accept(s->play);
	else
		play_decline(s->play);
}

static void sign_key(struct play_screen *s, uint32_t sign)
{
	bool playing = s->play->playing;
	const char *word = word_of(s, sign);
	if (word && (playing || s->play->ended))
		play_line(s->play, word);
	else if (sign == 'f' && (!is_backgammon(view_of(s)) || !playing))
		s->match.flipped = !s->match.flipped;
	else if (sign == 'g' && playing)
		s->asking = ASKING_GIVE_UP;
	else if (sign == 'y' || sign == 'n')
		answer(s, sign == 'y');
	else if (playing && sign == 'm')
		screen_type(s, TYPING_MOVE, 0);
	else if (playing && sign >= '1' && sign <= '9')
		screen_type(s, TYPING_MOVE, sign);
	else if (sign == 'v' && view_of(s)->over)
		match_view_again(s);
	else if (sign == 'l' && !playing)
		to_lobby(s);
}

void match_view_key(struct play_screen *s, struct key key)
{
	bool blank = key.kind == PRESS_SIGN && key.sign == ' ';
	if (s->asking == ASKING_GIVE_UP) {
		give_up_key(s, key);
		return;
	}
	if (blank)
		key = (struct key){ .kind = PRESS_ENTER };
	if (key.kind == PRESS_ENTER && awaits(s, CLIENT_AWAITS_ROLL))
		play_line(s->play, "roll");
	else if (s->match.picking && !s->match.sent && pick_key(s, key))
		return;
	else if (key.kind == PRESS_SIGN)
		sign_key(s, key.sign);
}
