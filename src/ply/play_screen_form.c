/* SPDX-License-Identifier: MIT
 * play_screen_form.c - a new table, and the help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ply/play_screen_priv.h"

/* Before the personalities: kinds of opponents, as lobby.create names them. */
static const struct {
	const char *text, *opponent;
} others[] = {
	{ "anyone", "anyone" },
	{ "nearest in rating", NULL },
	{ "a person", "person" },
	{ "a bot", "bot" },
};
enum { OTHERS = sizeof(others) / sizeof(others[0]), OTHERS_QUICK = 1 };

static const char *const clocks[] = { "the game's", "1+1",   "3+2", "5+3",
				      "10+5",       "15+10", "5d5", "none" };
static const char *const sides[] = { "any", "white", "black" };
static const char *const points[] = { "the game's", "1", "3", "5",
				      "7",          "9", "11" };

/* -- what the server offers -- */

static void note_ruleset(struct screen_rules *r, const struct client_value *v)
{
	if (r->rulesets == FORM_OPTIONS_MAX)
		return;
	char length[CLIENT_WORD_MAX];
	const struct client_value *options = client_find(v, "options");
	client_copy(client_find(options, "match_length"), length,
		    sizeof(length));
	client_copy(client_find(v, "name"), r->ruleset[r->rulesets].name,
		    sizeof(r->ruleset[0].name));
	r->ruleset[r->rulesets++].is_match =
		length[0] && strcmp(length, "0") != 0;
}

static uint32_t rulesets_of(const struct screen_rules *r,
			    const struct client_value *names)
{
	uint32_t plays = 0;
	if (client_type(names) != CLIENT_ARRAY)
		return UINT32_MAX;
	for (size_t i = 0; i < client_count(names); i++) {
		char name[CLIENT_WORD_MAX];
		client_copy(client_at(names, i), name, sizeof(name));
		for (int k = 0; k < r->rulesets; k++)
			if (!strcmp(name, r->ruleset[k].name))
				plays |= UINT32_C(1) << k;
	}
	return plays;
}

static void note_ai(struct screen_rules *r, const struct client_value *v)
{
	if (r->ais == FORM_OPTIONS_MAX)
		return;
	client_copy(client_find(v, "name"), r->ai[r->ais].name,
		    sizeof(r->ai[0].name));
	view_said(client_find(v, "about"), r->ai[r->ais].about,
		  sizeof(r->ai[0].about));
	r->ai[r->ais++].plays = rulesets_of(r, client_find(v, "rulesets"));
}

/* -- the form -- */

static struct form_field *field(struct play_screen *s, int i)
{
	return &s->form.field[i];
}

static void add_options(struct form_field *f, const char *label,
			const char *const *text, size_t count)
{
	f->label = label;
	f->options = 0;
	for (size_t i = 0; i < count; i++)
		form_option(f, text[i]);
	if (f->chosen >= f->options)
		f->chosen = 0;
}

/* The personalities that play the chosen game, behind the others. */
static void fill_against(struct play_screen *s)
{
	const struct screen_rules *r = &s->rules;
	struct form_field *f = field(s, FORM_AGAINST);
	int game = field(s, FORM_GAME)->chosen;
	char was[FORM_OPTION_BYTES];
	memcpy(was, f->option[f->chosen], sizeof(was));
	f->label = "Against";
	f->options = 0;
	for (int i = 0; i < OTHERS; i++)
		form_option(f, others[i].text);
	for (int i = 0; i < r->ais; i++)
		if (r->ai[i].plays >> game & 1)
			form_option(f, r->ai[i].name);
	f->chosen = 0;
	for (int i = 0; i < f->options; i++)
		if (!strcmp(f->option[i], was))
			f->chosen = i;
}

static bool is_ai(struct play_screen *s)
{
	return field(s, FORM_AGAINST)->chosen >= OTHERS;
}

/* Fields that follow from others: no match with a personality is rated, a quick
 * match has the game's clock, and only matches have points. */
static void fill_rest(struct play_screen *s)
{
	static const char *const rated[] = { "no", "yes" };
	bool quick = field(s, FORM_AGAINST)->chosen == OTHERS_QUICK;
	bool match = s->rules.ruleset[field(s, FORM_GAME)->chosen].is_match;
	add_options(field(s, FORM_CLOCK), "Clock", clocks,
		    quick ? 0 : sizeof(clocks) / sizeof(clocks[0]));
	add_options(field(s, FORM_SIDE), "You play", sides,
		    quick ? 0 : sizeof(sides) / sizeof(sides[0]));
	add_options(field(s, FORM_RATED), "Rated", rated, is_ai(s) ? 0 : 2);
	add_options(field(s, FORM_POINTS), "Points", points,
		    match && !quick ? sizeof(points) / sizeof(points[0]) : 0);
	field(s, FORM_CLOCK)->hint = "minutes + seconds a move; d: delay";
	field(s, FORM_RATED)->hint = "both need an account";
	field(s, FORM_POINTS)->hint = "that win the match";
	s->form.fields = FORM_POINTS + 1;
}

static void fill(struct play_screen *s)
{
	struct form_field *game = field(s, FORM_GAME);
	game->label = "Game";
	game->options = 0;
	for (int i = 0; i < s->rules.rulesets; i++)
		form_option(game, s->rules.ruleset[i].name);
	fill_against(s);
	fill_rest(s);
}

/* With the kind of opponent that was asked for. */
static void begin_form(struct play_screen *s)
{
	struct form_field *f = field(s, FORM_AGAINST);
	bool ai = s->form_against == AGAINST_AI;
	fill(s);
	f->chosen = ai && f->options > OTHERS          ? OTHERS
		    : s->form_against == AGAINST_QUICK ? OTHERS_QUICK
						       : 0;
	fill_rest(s);
}

static void on_rules(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct play_screen *s = payload;
	const struct client_value *rulesets = client_find(result, "rulesets");
	const struct client_value *ais = client_find(result, "personalities");
	if (error || s->rules.rulesets > 0)
		return;
	for (size_t i = 0; i < client_count(rulesets); i++)
		note_ruleset(&s->rules, client_at(rulesets, i));
	for (size_t i = 0; i < client_count(ais); i++)
		note_ai(&s->rules, client_at(ais, i));
	if (s->rules.rulesets == 0)
		return;
	begin_form(s);
	screen_changed(s);
}

void form_view_open(struct play_screen *s, enum form_against against)
{
	struct client *c = link_client(s->play->link);
	screen_show(s, VIEW_FORM);
	s->form_against = against;
	s->form.at = FORM_GAME;
	if (s->rules.rulesets > 0)
		begin_form(s);
	else
		client_request(c, "rules.list", NULL, 0, on_rules, s);
}

static const char *say(struct play_screen *s)
{
	const struct form_field *f = field(s, FORM_AGAINST);
	if (s->rules.rulesets == 0)
		return "Asking the server what there is to play ...";
	for (int i = 0; i < s->rules.ais; i++)
		if (!strcmp(s->rules.ai[i].name, f->option[f->chosen]))
			return s->rules.ai[i].about;
	return "Arrows choose, Enter begins.";
}

void form_view_draw(struct play_screen *s)
{
	struct page page = screen_page(s);
	page.title = "ply: new table";
	page.say = say(s);
	page.keys = "Up,Down field  Left,Right choice  Enter begin  Esc back";
	form_page_put(&s->grid, &page, &s->form);
}

/* What was chosen, as the options of the command. */
static void take_options(struct play_screen *s)
{
	struct play_options *o = &s->play->options;
	const struct form_field *f = s->form.field;
	int against = f[FORM_AGAINST].chosen, clock = f[FORM_CLOCK].chosen;
	int point = f[FORM_POINTS].chosen;
	memcpy(s->ruleset, f[FORM_GAME].option[f[FORM_GAME].chosen],
	       sizeof(s->ruleset));
	memcpy(s->ai, f[FORM_AGAINST].option[against], sizeof(s->ai));
	o->ruleset = s->ruleset;
	o->ai = is_ai(s) ? s->ai : NULL;
	o->opponent = is_ai(s) ? NULL : others[against].opponent;
	o->quick = against == OTHERS_QUICK;
	o->against = NULL;
	o->position = NULL;
	o->rated = !is_ai(s) && f[FORM_RATED].chosen == 1;
	o->side = f[FORM_SIDE].options > 0 && f[FORM_SIDE].chosen > 0
			  ? sides[f[FORM_SIDE].chosen]
			  : NULL;
	o->points = f[FORM_POINTS].options > 0 && point > 0
			    ? (int)strtol(points[point], NULL, 10)
			    : 0;
	o->clock.kind = NULL;
	if (clock > 0)
		time_text_read(clocks[clock], &o->clock);
}

void form_view_key(struct play_screen *s, struct key key)
{
	struct play *p = s->play;
	if (key.kind == PRESS_ESCAPE) {
		screen_show(s, VIEW_LOBBY);
	} else if (s->rules.rulesets == 0) {
		return;
	} else if (form_key(&s->form, key)) {
		fill_against(s);
		fill_rest(s);
	} else if (key.kind == PRESS_ENTER) {
		take_options(s);
		play_stop_waiting(p);
		screen_show(s, VIEW_LOBBY);
		p->ended = false;
		p->met = true;
		if (p->options.quick)
			play_quick(p);
		else
			play_create(p);
	}
}

/* -- help -- */

static const char *const help[] = {
	"On the board:",
	"  Arrows        move the cursor; Tab goes to the next piece, or "
	"target",
	"  Enter, blank  chooses a piece, then where it goes; rolls the dice",
	"  Esc           chooses another piece; Backspace takes a step back",
	"  m, or a digit types a move, such as 11-15, d2-d3, 13/8 6/5; or any "
	"of",
	"                the words of `ply play --line', such as moves or "
	"rating",
	"  d, t, x       double the cube, take a double, drop it",
	"",
	"In a match:",
	"  o offer a draw      u take a move back    y, n answer your opponent",
	"  g give up           p ask for a pause     P end the pause",
	"  w claim the win, when your opponent has left for good",
	"  r rematch           f turn the board      l lobby, after the end",
	"",
	"Everywhere:",
	"  /  say something    [ ]  scroll what was said",
	"  :  type a word, such as help, moves, who, challenge NAME, rating, "
	"top",
	"  ?  this help        q    quit: your seat is kept, the same command",
	"                           brings you back      Ctrl-L draws all anew",
};
enum { HELP_LINES = sizeof(help) / sizeof(help[0]) };

void help_view_draw(struct play_screen *s)
{
	struct page page = screen_page(s);
	page.title = "ply: help";
	page.log = NULL;
	page.keys = "Up,Down scroll  Esc back";
	text_page_put(&s->grid, &page, help, HELP_LINES, &s->help_from);
}

void help_view_key(struct play_screen *s, struct key key)
{
	if (key.kind == PRESS_UP)
		s->help_from--;
	else if (key.kind == PRESS_DOWN)
		s->help_from++;
	else
		s->view = s->before_help;
}
