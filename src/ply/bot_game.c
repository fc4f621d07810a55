/* SPDX-License-Identifier: MIT
 * bot_game.c - plays the matches: follows the board, chooses, moves, logs what
 * was acknowledged. */
#include "ply/bot.h"

#include <string.h>

#include "base/hex.h"

static void play(struct game *g);

static struct game *find(struct bot *b, const char *match)
{
	for (size_t i = 0; i < BOT_GAMES_MAX; i++)
		if (b->games[i].live && !strcmp(b->games[i].match, match))
			return &b->games[i];
	return NULL;
}

size_t games_busy(const struct bot *b)
{
	size_t n = 0;
	for (size_t i = 0; i < BOT_GAMES_MAX; i++)
		n += b->games[i].live || b->games[i].asking;
	return n;
}

/* -- the board -- */

static bool read_position(struct game *g, const char *text,
			  struct position *out)
{
	return !game_read(&g->rules, text, strlen(text), out, NULL);
}

/* The positions that count for repetition, from the moves of a snapshot. */
static void replay_history(struct game *g, const struct client_match *m)
{
	char text[CLIENT_POSITION_MAX];
	const struct client_value *draws = client_find(m->value, "draws");
	const struct client_value *moves = client_find(m->value, "moves");
	struct position pos, after;
	struct refusal why;
	struct move move;
	engine_history_init(&g->history,
			    (unsigned)client_int(
				    client_find(draws, "no_progress")),
			    (unsigned)client_int(
				    client_find(draws, "repetition")),
			    false);
	if (ruleset_has_dice(&g->rules) ||
	    !client_copy(client_find(m->value, "start_position"), text,
			 sizeof(text)) ||
	    !read_position(g, text, &pos))
		return;
	for (size_t i = 0; i < client_count(moves); i++) {
		size_t len;
		const char *at = client_str(client_at(moves, i), &len);
		if (!at || game_check(&g->rules, &pos, at, len, &move, &why))
			return;
		game_apply(&g->rules, &pos, &move, &after);
		engine_history_add(&g->history, &g->rules, &pos, &after);
		pos = after;
	}
}

static struct game *begin(struct bot *b, const struct client_match *m)
{
	struct game *g = NULL;
	for (size_t i = 0; i < BOT_GAMES_MAX && !g; i++)
		if (!b->games[i].live && !b->games[i].asking)
			g = &b->games[i];
	if (!g)
		return NULL;
	memset(g, 0, sizeof(*g));
	if (ruleset_read(m->rules, strlen(m->rules), &g->rules)) {
		bot_fail(b, "this version does not know the rules '%s'",
			 m->rules);
		return NULL;
	}
	g->bot = b;
	g->live = true;
	memcpy(g->match, m->match, sizeof(g->match));
	g->you = m->you;
	b->begun++;
	seek_found(b);
	printf("%s: %s, %s against %s\n", m->match, m->ruleset,
	       m->you == CLIENT_WHITE ? "white" : "black", m->name[1 - m->you]);
	return g;
}

static void end(struct game *g, const char *result, const char *reason)
{
	struct bot *b = g->bot;
	g->live = false;
	b->ended++;
	bot_log(b, "ended %s %s", g->match, result);
	printf("%s: %s (%s)\n", g->match, result, reason);
	bot_soon(b, 0);
}

/* -- what the server tells -- */

static void give_nonce(struct game *g)
{
	uint8_t nonce[BOT_NONCE_BYTES];
	char hex[2 * BOT_NONCE_BYTES + 1];
	const struct client_param param[] = {
		CLIENT_TEXT("match", g->match),
		CLIENT_TEXT("nonce", hex),
	};
	entropy_fill(&g->bot->entropy, nonce, sizeof(nonce));
	hex_write(nonce, sizeof(nonce), hex);
	/* without it the dice are the server's alone; the game goes on */
	g->nonce_given = !client_request(link_client(g->bot->link),
					 "match.nonce", param, 2, NULL, NULL);
}

void game_show(struct bot *b, const struct client_match *m)
{
	struct game *g = find(b, m->match);
	if (!g && (m->over || m->you == CLIENT_NOBODY || !(g = begin(b, m))))
		return;
	if (m->over) {
		end(g, m->result.result, m->result.reason);
		return;
	}
	if (!read_position(g, m->position, &g->pos)) {
		bot_fail(b, "cannot read the position '%s'", m->position);
		return;
	}
	g->turn = m->turn;
	g->awaits = m->awaits;
	g->ply = m->ply;
	g->unsure = false;
	replay_history(g, m);
	if (!strcmp(m->state, "nonces") && !g->nonce_given)
		give_nonce(g);
	play(g);
}

static bool is_of_cube(const struct client_event *e)
{
	return !strcmp(e->event, "doubled") || !strcmp(e->event, "taken") ||
	       !strcmp(e->event, "dropped");
}

void game_event(struct bot *b, const struct client_event *e)
{
	struct game *g = find(b, e->match);
	struct position after;
	if (!g)
		return;
	if (e->over) {
		end(g, e->result.result, e->result.reason);
		return;
	}
	bool is_move =
		!strcmp(e->event, "moved") || !strcmp(e->event, "passed");
	if (is_move || is_of_cube(e)) {
		g->ply = e->ply + 1;
		g->turn = CLIENT_NOBODY; /* until the board is told */
	}
	if (!e->position[0])
		return;
	if (!read_position(g, e->position, &after)) {
		bot_fail(b, "cannot read the position '%s'", e->position);
		return;
	}
	if (is_move && !ruleset_has_dice(&g->rules))
		engine_history_add(&g->history, &g->rules, &g->pos, &after);
	g->pos = after;
	g->turn = e->turn;
	g->awaits = e->awaits;
	play(g);
}

void game_lost(struct bot *b, const char *match, int err)
{
	struct game *g = find(b, match);
	if (!g)
		return;
	if (err == PLYD_ENOMATCH || err == PLYD_ETOKEN) {
		end(g, "lost", plyd_err_name(err));
		return;
	}
	g->unsure = true;
	bot_soon(b, BOT_RETRY_MS);
}

/* -- choosing and moving -- */

static bool choose_random(struct game *g, struct move *out)
{
	static struct move_list list;
	if (game_moves(&g->rules, &g->pos, &list) || list.count == 0)
		return false;
	*out = list.move[rng_below(&g->bot->rng, (uint32_t)list.count)];
	return true;
}

static bool choose(struct game *g, struct move *out)
{
	static struct engine_result result;
	struct bot *b = g->bot;
	if (b->options.random)
		return choose_random(g, out);
	const struct engine_question question = {
		.ruleset = &g->rules,
		.position = &g->pos,
		.history = &g->history,
		.budget = { .nodes = b->options.nodes },
		.seed = rng_next(&b->rng),
	};
	if (engine_search(b->engine, &question, &result) || result.count == 0)
		return choose_random(g, out);
	*out = result.line[0].move;
	return true;
}

/* After these nothing has changed, and the same may be tried again. */
static bool is_passing(int err)
{
	return err == PLYD_ERATE || err == PLYD_ENOTSTORED ||
	       err == PLYD_EFULL || err == PLYD_ENOMEM ||
	       err == PLYD_EINTERNAL || err == PLYD_ETOOMANY;
}

static void answered(struct game *g, const struct client_error *error)
{
	struct bot *b = g->bot;
	g->asking = false;
	if (!error && g->live)
		play(g);
	if (!g->live)
		bot_soon(b, 0);
	if (!g->live || !error)
		return;
	if (error->code == PLYD_EILLEGAL)
		bot_fail(b, "%s: ply %u was refused: %s", g->match, g->ply,
			 error->message);
	int64_t wait_ms =
		client_int(client_find(error->details, "retry_after_ms"));
	g->again = is_passing(error->code);
	g->unsure = !g->again;
	bot_soon(b, wait_ms > 0 ? (uint64_t)wait_ms : BOT_RETRY_MS);
}

static void moved(void *payload, const struct client_error *error,
		  const struct client_value *result)
{
	char text[CLIENT_MOVE_MAX];
	struct game *g = payload;
	if (!error) {
		client_copy(client_find(result, "move"), text, sizeof(text));
		bot_log(g->bot, "%s %lld %s", g->match,
			(long long)client_int(client_find(result, "ply")),
			text);
	}
	answered(g, error);
}

static void acted(void *payload, const struct client_error *error,
		  const struct client_value *result)
{
	(void)result;
	answered(payload, error);
}

/* This bot never doubles, and takes what is offered. */
static void turn_cube(struct game *g)
{
	const struct client_param param[] = {
		CLIENT_TEXT("match", g->match),
		CLIENT_NUMBER("ply", g->ply),
	};
	const char *method =
		g->awaits == CLIENT_AWAITS_ROLL ? "match.roll" : "match.take";
	g->asking = true;
	g->turn = CLIENT_NOBODY;
	if (client_request(link_client(g->bot->link), method, param, 2, acted,
			   g) == PLYD_OK)
		return;
	g->asking = false;
	g->unsure = true;
	bot_soon(g->bot, BOT_RETRY_MS);
}

/* Moves, if the bot is to move and has not done so. */
static void play(struct game *g)
{
	struct move move;
	char text[MOVE_TEXT_MAX];
	struct bot *b = g->bot;
	if (g->turn != g->you || g->asking)
		return;
	g->again = false;
	if (g->awaits == CLIENT_AWAITS_ROLL ||
	    g->awaits == CLIENT_AWAITS_ANSWER) {
		turn_cube(g);
		return;
	}
	if (g->pos.side != g->you)
		return;
	if (!choose(g, &move)) {
		g->unsure = true;
		bot_soon(b, BOT_RETRY_MS);
		return;
	}
	game_move_text(&g->rules, &g->pos, &move, text);
	g->asking = true;
	/* what comes next is told by the event of this move */
	g->turn = CLIENT_NOBODY;
	if (client_move(link_client(b->link), g->match, g->ply, text, moved,
			g) == PLYD_OK)
		return;
	g->asking = false;
	g->unsure = true;
	bot_soon(b, BOT_RETRY_MS);
}

void game_tick(struct bot *b)
{
	for (size_t i = 0; i < BOT_GAMES_MAX; i++) {
		struct game *g = &b->games[i];
		if (!g->live)
			continue;
		if (g->again) {
			g->turn = g->you;
			play(g);
		} else if (g->unsure) {
			g->unsure = false;
			client_watch(link_client(b->link), g->match);
		}
	}
}
