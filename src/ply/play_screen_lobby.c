/* SPDX-License-Identifier: MIT
 * play_screen_lobby.c - who waits for an opponent, and which matches may be
 * watched, to choose from. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ply/play_screen_priv.h"

enum { SECOND_MS = 1000, MINUTE_MS = 60000, DAY_MS = 86400000 };
enum { TABLE_GAME, TABLE_WHO, TABLE_CLOCK, TABLE_SIDE, TABLE_RATED, TABLE_FOR };
enum { MATCH_GAME, MATCH_WHITE, MATCH_BLACK, MATCH_PLY, MATCH_WATCHERS };

static const struct list_column table_columns[] = {
	{ "Game", 16 },   { "Who waits", 22 }, { "Clock", 9 },
	{ "You are", 7 }, { "Rated", 5 },      { "For", 0 },
};
static const struct list_column match_columns[] = {
	{ "Game", 16 }, { "White", 20 }, { "Black", 20 },
	{ "Moves", 6 }, { "Watch", 0 },
};

/* -- cells -- */

static void put_number(char *cell, const struct client_value *v,
		       const char *key)
{
	snprintf(cell, LIST_CELL_BYTES, "%" PRId64,
		 client_int(client_find(v, key)));
}

/* `5+3`, as `--clock` takes it. */
static void put_clock(char *cell, const struct client_value *clock)
{
	char kind[CLIENT_WORD_MAX];
	int64_t base_ms = client_int(client_find(clock, "base_ms"));
	int64_t add_ms = client_int(client_find(clock, "increment_ms")) +
			 client_int(client_find(clock, "delay_ms"));
	client_copy(client_find(clock, "kind"), kind, sizeof(kind));
	if (!strcmp(kind, "unlimited"))
		snprintf(cell, LIST_CELL_BYTES, "none");
	else if (!strcmp(kind, "per_move"))
		snprintf(cell, LIST_CELL_BYTES, "%" PRId64 " days",
			 base_ms / DAY_MS);
	else
		snprintf(cell, LIST_CELL_BYTES, "%g%s%" PRId64,
			 (double)base_ms / MINUTE_MS,
			 !strcmp(kind, "delay")       ? "d"
			 : !strcmp(kind, "bronstein") ? "b"
						      : "+",
			 add_ms / SECOND_MS);
}

static void put_name(char *cell, const struct client_value *player)
{
	char name[CLIENT_NAME_MAX], kind[CLIENT_WORD_MAX];
	client_copy(client_find(player, "name"), name, sizeof(name));
	client_copy(client_find(player, "kind"), kind, sizeof(kind));
	snprintf(cell, LIST_CELL_BYTES, "%.70s%s", name,
		 !strcmp(kind, "person") ? "" : " (bot)");
}

static void put_terms(struct list_row *row, const struct client_value *v)
{
	int64_t length = client_int(client_find(v, "match_length"));
	char game[CLIENT_WORD_MAX];
	client_copy(client_find(v, "ruleset"), game, sizeof(game));
	if (length > 0)
		snprintf(row->cell[TABLE_GAME], LIST_CELL_BYTES,
			 "%.24s %" PRId64, game, length);
	else
		snprintf(row->cell[TABLE_GAME], LIST_CELL_BYTES, "%s", game);
	put_clock(row->cell[TABLE_CLOCK], client_find(v, "clock"));
	snprintf(row->cell[TABLE_RATED], LIST_CELL_BYTES, "%s",
		 client_bool(client_find(v, "rated")) ? "yes" : "no");
	client_copy(client_find(v, "opponent"), row->cell[TABLE_FOR],
		    LIST_CELL_BYTES);
}

/* -- rows -- */

static struct list_row *add(struct play_screen *s, const struct client_value *v,
			    const char *key, bool is_seek)
{
	int i = s->list.rows;
	struct list_row *row = list_add(&s->list);
	if (!row)
		return NULL;
	client_copy(client_find(v, key), s->id[i], sizeof(s->id[i]));
	s->is_seek[i] = is_seek;
	return row;
}

static void add_lobby(struct play_screen *s, const struct client_value *v)
{
	struct list_row *row = add(s, v, "lobby", false);
	const struct client_value *white = client_find(v, "white");
	const struct client_value *black = client_find(v, "black");
	bool has_white = client_type(white) != CLIENT_NIL;
	if (!row)
		return;
	put_terms(row, v);
	put_name(row->cell[TABLE_WHO], has_white ? white : black);
	snprintf(row->cell[TABLE_SIDE], LIST_CELL_BYTES, "%s",
		 has_white ? "Black" : "White");
	if (!strcmp(s->id[s->list.rows - 1], s->play->lobby))
		snprintf(row->cell[TABLE_FOR], LIST_CELL_BYTES, "(yours)");
}

static void add_seek(struct play_screen *s, const struct client_value *v)
{
	struct list_row *row = add(s, v, "seek", true);
	char side[CLIENT_WORD_MAX];
	int64_t rating = client_int(client_find(v, "rating"));
	if (!row)
		return;
	put_terms(row, v);
	put_name(row->cell[TABLE_WHO], client_find(v, "by"));
	char *who = row->cell[TABLE_WHO];
	size_t len = strlen(who);
	if (rating > 0)
		snprintf(who + len, LIST_CELL_BYTES - len, " %" PRId64, rating);
	client_copy(client_find(v, "side"), side, sizeof(side));
	snprintf(row->cell[TABLE_SIDE], LIST_CELL_BYTES, "%s",
		 !strcmp(side, "white")   ? "Black"
		 : !strcmp(side, "black") ? "White"
					  : "by lot");
}

static void add_match(struct play_screen *s, const struct client_value *v)
{
	struct list_row *row = add(s, v, "match", false);
	if (!row)
		return;
	client_copy(client_find(v, "ruleset"), row->cell[MATCH_GAME],
		    LIST_CELL_BYTES);
	put_name(row->cell[MATCH_WHITE], client_find(v, "white"));
	put_name(row->cell[MATCH_BLACK], client_find(v, "black"));
	put_number(row->cell[MATCH_PLY], v, "ply");
	put_number(row->cell[MATCH_WATCHERS], v, "watchers");
}

/* -- what the server answers -- */

/* The chosen row stays the chosen one, wherever it stands now. */
static void choose_again(struct play_screen *s, const char *id)
{
	for (int i = 0; i < s->list.rows; i++)
		if (!strcmp(s->id[i], id))
			s->list.chosen = i;
	list_mend(&s->list);
	screen_changed(s);
}

static void on_seeks(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct play_screen *s = payload;
	const struct client_value *all = client_find(result, "seeks");
	s->fetching = false;
	if (s->view != VIEW_LOBBY || error)
		return;
	for (size_t i = 0; i < client_count(all); i++)
		add_seek(s, client_at(all, i));
	choose_again(s, s->chosen_id);
}

/* Notes which row is chosen, and empties the list. */
static void begin_again(struct play_screen *s)
{
	s->chosen_id[0] = '\0';
	if (s->list.rows > 0)
		memcpy(s->chosen_id, s->id[s->list.chosen],
		       sizeof(s->chosen_id));
	s->list.rows = 0;
}

/* Both answers arrive in the same order, and nothing is shown between them. */
static void on_lobbies(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct play_screen *s = payload;
	const struct client_value *all = client_find(result, "lobbies");
	if (s->view != VIEW_LOBBY || error)
		return;
	begin_again(s);
	for (size_t i = 0; i < client_count(all); i++)
		add_lobby(s, client_at(all, i));
}

static void on_matches(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct play_screen *s = payload;
	const struct client_value *all = client_find(result, "matches");
	s->fetching = false;
	if (s->view != VIEW_MATCHES || error)
		return;
	begin_again(s);
	for (size_t i = 0; i < client_count(all); i++)
		add_match(s, client_at(all, i));
	choose_again(s, s->chosen_id);
}

void lobby_view_fetch(struct play_screen *s)
{
	struct play *p = s->play;
	if (s->fetching || !p->link || !client_is_ready(link_client(p->link)))
		return;
	struct client *c = link_client(p->link);
	bool lobby = s->view == VIEW_LOBBY;
	if (lobby)
		client_request(c, "lobby.list", NULL, 0, on_lobbies, s);
	s->fetching =
		!client_request(c, lobby ? "seek.list" : "match.list", NULL, 0,
				lobby ? on_seeks : on_matches, s);
	link_flush(p->link);
}

/* -- drawing -- */

static void draw_tables(struct play_screen *s)
{
	struct list_page p = {
		.page = screen_page(s),
		.column = table_columns,
		.columns = sizeof(table_columns) / sizeof(table_columns[0]),
		.list = &s->list,
		.empty = "Nobody waits. Open a table (n), or play the computer "
			 "(c).",
	};
	p.page.title = "ply: lobby";
	p.page.say = s->play->challenge[0]
			     ? "You are challenged: y accepts, n declines."
		     : s->play->waiting
			     ? "Waiting for an opponent. Esc waits no more."
			     : "Choose a table with the arrows, Enter sits "
			       "down.";
	p.page.urgent = s->play->waiting || s->play->challenge[0];
	p.page.keys = "Enter sit down  n new  c computer  k quick match  "
		      "w watch  / say  ? help  q quit";
	list_page_put(&s->grid, &p);
}

static void draw_matches(struct play_screen *s)
{
	struct list_page p = {
		.page = screen_page(s),
		.column = match_columns,
		.columns = sizeof(match_columns) / sizeof(match_columns[0]),
		.list = &s->list,
		.empty = "Nobody plays now.",
	};
	p.page.title = "ply: matches";
	p.page.say = "Choose a match with the arrows, Enter watches it.";
	p.page.keys = "Enter watch  l lobby  ? help  q quit";
	list_page_put(&s->grid, &p);
}

void lobby_view_draw(struct play_screen *s)
{
	if (s->view == VIEW_LOBBY)
		draw_tables(s);
	else
		draw_matches(s);
}

/* -- keys -- */

static void choose(struct play_screen *s)
{
	if (s->list.rows == 0)
		return;
	const char *id = s->id[s->list.chosen];
	if (s->view == VIEW_MATCHES)
		play_watch(s->play, id);
	else if (s->is_seek[s->list.chosen])
		play_accept_seek(s->play, id);
	else if (strcmp(id, s->play->lobby) != 0 || !s->play->waiting)
		play_join(s->play, id);
}

static void sign_key(struct play_screen *s, uint32_t sign)
{
	bool lobby = s->view == VIEW_LOBBY;
	if (sign == 'l')
		screen_show(s, s->play->playing ? VIEW_MATCH : VIEW_LOBBY);
	else if (!lobby)
		return;
	else if (s->play->challenge[0] && (sign == 'y' || sign == 'n'))
		(sign == 'y' ? play_yes : play_no)(s->play);
	else if (sign == 'n')
		form_view_open(s, AGAINST_ANYONE);
	else if (sign == 'c')
		form_view_open(s, AGAINST_AI);
	else if (sign == 'k')
		form_view_open(s, AGAINST_QUICK);
	else if (sign == 'w')
		screen_show(s, VIEW_MATCHES);
}

void lobby_view_key(struct play_screen *s, struct key key)
{
	if (list_key(&s->list, key, page_body_rows(&s->grid) - 3))
		return;
	if (key.kind == PRESS_ENTER)
		choose(s);
	else if (key.kind == PRESS_ESCAPE && s->view == VIEW_MATCHES)
		screen_show(s, VIEW_LOBBY);
	else if (key.kind == PRESS_ESCAPE)
		play_stop_waiting(s->play);
	else if (key.kind == PRESS_SIGN)
		sign_key(s, key.sign);
}
