/* SPDX-License-Identifier: MIT */
#include "ply/story_view.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "net/watch.h"
#include "ply/command.h"
#include "screen/tty.h"

enum { MIRROR = 25, JUMP = 10, MOVES_SHOWN = 16 };

/* -- drawing -- */

/* Places that were noted with White below, as the side below counts them. */
static uint64_t places(const struct story_view *v, uint64_t marked)
{
	uint64_t out = 0;
	if (!v->flipped || v->story.rules.family == FAMILY_DRAUGHTS)
		return marked;
	for (int p = 1; p < MIRROR; p++)
		if (marked >> p & 1)
			out |= UINT64_C(1) << (MIRROR - p);
	return out;
}

/* The steps before this one as a list, without who did them: the sign says it. */
static int list_steps(const struct story_view *v, const char *text[MOVES_SHOWN],
		      int side[MOVES_SHOWN])
{
	size_t first = v->at + 1 > MOVES_SHOWN ? v->at + 1 - MOVES_SHOWN : 0;
	int n = 0;
	for (size_t i = first; i <= v->at; i++) {
		const struct story_step *step = &v->story.step[i];
		size_t name = step->side >= 0 ? strlen("White ") : 0;
		side[n] = step->side;
		text[n++] = step->text + name;
	}
	return n;
}

void story_view_draw(const struct story_view *v, struct grid *g,
		     struct page page)
{
	const struct story *s = &v->story;
	const struct story_step *step = &s->step[v->at];
	char title[256], say[STORY_TEXT_MAX + 32], stakes[64];
	const char *text[MOVES_SHOWN];
	int side[MOVES_SHOWN];
	snprintf(title, sizeof(title), "%s: %s - %s", s->rules.name,
		 s->name[WHITE], s->name[BLACK]);
	snprintf(say, sizeof(say), "%zu of %zu: %s", v->at, s->steps - 1,
		 step->text);
	const struct stakes *k = &step->pos.stakes;
	snprintf(stakes, sizeof(stakes), "Score %d-%d, cube %d", k->score[0],
		 k->score[1], 1 << k->cube);
	page.title = title;
	page.say = say;
	struct match_page m = {
		.page = page,
		.board = { .rules = &s->rules,
			   .pos = &step->pos,
			   .bottom = v->flipped ? BLACK : WHITE,
			   .last = places(v, step->marked),
			   .cursor = PICK_NOWHERE },
		.seat = { { .name = s->name[WHITE] },
			  { .name = s->name[BLACK] } },
		.stakes = ruleset_has_stakes(&s->rules) ? stakes : NULL,
		.move = text,
		.mover = side,
	};
	m.moves = list_steps(v, text, side);
	match_page_put(g, &m);
}

/* -- keys -- */

static void go(struct story_view *v, int steps)
{
	size_t last = v->story.steps - 1;
	if (steps < 0)
		v->at -= v->at < (size_t)-steps ? v->at : (size_t)-steps;
	else
		v->at += last - v->at < (size_t)steps ? last - v->at
						      : (size_t)steps;
}

bool story_view_key(struct story_view *v, struct key key)
{
	switch (key.kind) {
	case PRESS_RIGHT: go(v, 1); return true;
	case PRESS_LEFT: go(v, -1); return true;
	case PRESS_DOWN:
	case PRESS_PAGE_DOWN: go(v, JUMP); return true;
	case PRESS_UP:
	case PRESS_PAGE_UP: go(v, -JUMP); return true;
	case PRESS_HOME: v->at = 0; return true;
	case PRESS_END: v->at = v->story.steps - 1; return true;
	case PRESS_SIGN: break;
	default: return false;
	}
	if (key.sign == ' ')
		go(v, 1);
	else if (key.sign == 'f')
		v->flipped = !v->flipped;
	else
		return false;
	return true;
}

/* -- on its own -- */

struct reader {
	struct net *net;
	struct story_view view;
	struct grid grid;
	const char *path;
	unsigned game, games;
	char alert[256];
};

static void draw(struct reader *r)
{
	char where[64];
	struct page page = {
		.alert = r->alert[0] ? r->alert : NULL,
		.keys = "Left,Right step  Up,Down 10  Home,End ends  f flip  "
			"n,p game  q quit",
	};
	snprintf(where, sizeof(where), "game %u of %u", r->game, r->games);
	if (r->games > 1)
		page.where = where;
	tty_begin(&r->grid);
	story_view_draw(&r->view, &r->grid, page);
	tty_show(&r->grid);
}

/* Another game of the file; where it cannot be shown, the old one stays. */
static void other_game(struct reader *r, unsigned game)
{
	struct story next = { .steps = 0 };
	if (game < 1 || game > r->games)
		return;
	const char *wrong = story_of_file(&next, r->path, game, &r->games);
	r->alert[0] = '\0';
	if (wrong) {
		snprintf(r->alert, sizeof(r->alert), "Game %u: %s", game,
			 wrong);
		return;
	}
	story_release(&r->view.story);
	r->view.story = next;
	r->view.at = 0;
	r->game = game;
}

static void on_input(void *payload)
{
	struct reader *r = payload;
	struct key key;
	bool any = false;
	while (tty_key(&key)) {
		any = true;
		uint32_t sign = key.kind == PRESS_SIGN ? key.sign : 0;
		if (sign == 'q' || key.kind == PRESS_ESCAPE)
			net_stop(r->net);
		else if (sign == 'n' || sign == 'p')
			other_game(r, sign == 'n' ? r->game + 1 : r->game - 1);
		else if (key.kind == PRESS_REDRAW)
			tty_redraw();
		else
			story_view_key(&r->view, key);
	}
	if (!any && tty_is_gone())
		net_stop(r->net);
	draw(r);
}

static void on_resized(void *payload)
{
	tty_resized();
	draw(payload);
}

static void on_stopped(void *payload)
{
	tty_stop();
	draw(payload);
}

static void on_signal(void *payload, int signal)
{
	struct reader *r = payload;
	(void)signal;
	net_stop(r->net);
}

static bool show(struct reader *r)
{
	if (net_new(&r->net) || net_on_signal(r->net, on_signal, r) ||
	    !net_watch_fd(r->net, STDIN_FILENO, on_input, r) ||
	    !net_watch_signal(r->net, SIGWINCH, on_resized, r) ||
	    !net_watch_signal(r->net, SIGTSTP, on_stopped, r) || !tty_open())
		return false;
	draw(r);
	net_run(r->net);
	tty_close();
	return true;
}

int story_view_file(const char *who, const char *path)
{
	static struct reader r;
	int status = PLY_UNREADABLE;
	r.path = path;
	r.game = 1;
	const char *wrong = story_of_file(&r.view.story, path, 1, &r.games);
	if (wrong)
		fprintf(stderr, "%s: '%s': %s\n", who, path, wrong);
	else if (!tty_can())
		fprintf(stderr, "%s: --show needs a terminal\n", who);
	else if (!show(&r))
		fprintf(stderr, "%s: cannot use this terminal\n", who);
	else
		status = PLY_OK;
	net_free(r.net);
	story_release(&r.view.story);
	return status;
}
