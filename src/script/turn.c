/* SPDX-License-Identifier: MIT */
#include "script/turn.h"
#include "script/turn_priv.h"

#include <lauxlib.h>
#include "script/fields.h"
#include "script/load.h"
#include "script/memory.h"
#include "script/view.h"

const struct sandbox_limits turn_limits = {
	.bytes_max = WORKER_MEMORY_MAX,
	.handed_max = 16 * WORKER_MEMORY_MAX,
	.steps_max = WORKER_STEPS_MAX,
};

/* ---- the question ------------------------------------------------------ */

int turn_read_game(struct turn *turn, struct span ruleset, struct span position)
{
	int err = ruleset_read((const char *)ruleset.at, ruleset.len,
			       &turn->ruleset);
	if (err)
		return err;
	err = game_read(&turn->ruleset, (const char *)position.at, position.len,
			&turn->position, NULL);
	if (err)
		return err;
	turn->hash = game_hash(&turn->ruleset, &turn->position);
	return PLYD_OK;
}

int turn_begin(struct turn *turn, struct sandbox *sb, struct program *p,
	       void (*open)(lua_State *L), uint64_t seed,
	       struct script_error *why)
{
	int err = sandbox_begin(sb, turn->host->arena, p, open, &turn_limits,
				seed, why);
	sb->host = turn;
	sb->libraries = &turn->host->libraries;
	return err;
}

static void read_history(struct turn *turn, const struct worker_choose *m)
{
	struct engine_history *h = &turn->history;
	engine_history_init(h, (unsigned)m->no_progress,
			    (unsigned)m->repetition,
			    m->counts == COUNTS_CAPTURE_OR_MAN_MOVE);
	_Static_assert((int)WORKER_HISTORY_MAX <= (int)ENGINE_HISTORY_MAX,
		       "a history that was sent fits");
	h->quiet = (unsigned)m->quiet;
	h->count = m->history.count;
	for (size_t i = 0; i < h->count; i++)
		h->hash[i] = m->history.at[i];
}

/* How often the position has occurred, this time too. */
static lua_Integer count_repeats(const struct turn *turn)
{
	lua_Integer repeats = 1;
	for (size_t i = 0; i < turn->history.count; i++)
		repeats += turn->history.hash[i] == turn->hash;
	return repeats;
}

static void set_int(lua_State *L, const char *name, int64_t value)
{
	lua_pushinteger(L, value);
	lua_setfield(L, -2, name);
}

static void push_key(lua_State *L, uint64_t hash)
{
	static const char digit[] = "0123456789abcdef";
	char text[16];
	for (size_t i = sizeof(text); i-- > 0; hash >>= 4)
		text[i] = digit[hash & 15];
	lua_pushlstring(L, text, sizeof(text));
}

/* Sets `key`, a text that stands for the position, and `history`, the keys of
 * those before it, oldest first. */
static void set_history(lua_State *L, uint64_t hash,
			const struct worker_words *before)
{
	push_key(L, hash);
	lua_setfield(L, -2, "key");
	lua_createtable(L, (int)before->count, 0);
	for (size_t i = 0; i < before->count; i++) {
		push_key(L, before->at[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "history");
}

/* Pushes the function `name` of the script's table, which is on top. */
static void push_function(lua_State *L, const char *name)
{
	field_push(L, -1, name);
}

/* ---- choose ------------------------------------------------------------ */

struct choosing {
	struct turn turn;
	const struct worker_choose *ask;
	struct move_list moves;
	char *text;
	struct worker_choice *out;
};

static void push_turn(lua_State *L, const struct choosing *c)
{
	const struct worker_choose *m = c->ask;
	lua_createtable(L, 0, 16);
	view_position(L, &c->turn.ruleset, &c->turn.position,
		      (enum side)c->turn.position.side);
	view_moves(L, &c->turn.ruleset, &c->turn.position, &c->moves);
	lua_setfield(L, -2, "moves");
	set_int(L, "ply", m->ply);
	set_int(L, "quiet", m->quiet);
	set_int(L, "no_progress", m->no_progress);
	set_int(L, "repeats", count_repeats(&c->turn));
	set_history(L, c->turn.hash, &m->history);
	if (m->remaining_ms >= 0) {
		set_int(L, "remaining_ms", m->remaining_ms);
		set_int(L, "increment_ms", m->increment_ms);
	}
	lua_pushboolean(L, m->offer_pending);
	lua_setfield(L, -2, "offer");
}

const struct field turn_choice_fields[] = {
	{ "move", FIELD_TEXT, false, 1, MOVE_TEXT_MAX,
	  "the move, unless you resign or accept" },
	{ "resign", FIELD_BOOL, false, 0, 0, "gives the game up" },
	{ "offer_draw", FIELD_BOOL, false, 0, 0,
	  "offers a draw with the move, where the ruleset has draws by "
	  "agreement" },
	{ "accept_draw", FIELD_BOOL, false, 0, 0,
	  "accepts, if there is an offer; else you move" },
	{ "think_ms", FIELD_INT, false, 0, WORKER_THINK_MAX_MS,
	  "how long you would like to seem to think; your clock runs" },
	{ "say", FIELD_WORDS, false, 0, 0,
	  "words for the [match's chat](#words), 1 to 300 characters; nothing: "
	  "you are silent" },
	{ .name = NULL },
};

/* Checks the move and writes it in its canonical form. */
static void take_move(lua_State *L, struct choosing *c, struct span text)
{
	struct move move;
	turn_check_move(L, text, &move);
	size_t len = game_move_text(&c->turn.ruleset, &c->turn.position, &move,
				    c->text);
	c->out->move = span_of(c->text, len);
}

/* The table on top is what `choose` returned. */
static void take_choice(lua_State *L, struct choosing *c)
{
	struct worker_choice *out = c->out;
	fields_check(L, -1, "what 'choose' returns", turn_choice_fields);
	out->say = turn_take_words(L);
	out->think_ms = field_int(L, -1, "think_ms", 0);
	out->resign = field_bool(L, -1, "resign");
	if (out->resign)
		return;
	/* accepting what nobody offers would end nothing: then it moves */
	out->accept_draw =
		c->ask->offer_pending && field_bool(L, -1, "accept_draw");
	if (out->accept_draw)
		return;
	out->offer_draw = field_bool(L, -1, "offer_draw") &&
			  ruleset_draw_by_agreement(&c->turn.ruleset);
	if (!field_push(L, -1, "move"))
		sandbox_error(L, 0,
			      "what 'choose' returns needs the field "
			      "'move', a text: the move");
	lua_pop(L, 1);
	take_move(L, c, field_text(L, -1, "move"));
}

static int run_choose(lua_State *L)
{
	struct choosing *c = lua_touserdata(L, 1);
	sandbox_run_source(L);
	load_check_personality(L);
	push_function(L, "choose");
	push_turn(L, c);
	memory_set(L, c->turn.host->doc, c->ask->memory);
	lua_copy(L, -1, 1); /* to look into it afterwards */
	lua_call(L, 1, 1);
	memory_take(L, 1, &c->turn.host->kept);
	c->out->memory = buf_span(&c->turn.host->kept);
	if (lua_type(L, -1) == LUA_TSTRING) {
		size_t len;
		const char *text = lua_tolstring(L, -1, &len);
		take_move(L, c, span_of(text, len));
	} else if (lua_type(L, -1) == LUA_TTABLE) {
		take_choice(L, c);
	} else {
		sandbox_error(L, 0,
			      "'choose' must return a move as a text, or a "
			      "table with the field 'move'; got a %s",
			      luaL_typename(L, -1));
	}
	c->out->nodes = c->turn.nodes;
	return 0;
}

int turn_choose(struct host *host, struct program *p,
		const struct worker_choose *m, char text[MOVE_TEXT_MAX],
		struct worker_choice *out, struct script_error *why)
{
	struct choosing c = {
		.turn = { .host = host, .match = m->match, .seed = m->seed },
		.ask = m,
		.text = text,
		.out = out,
	};
	struct sandbox sb;
	memset(out, 0, sizeof(*out));
	int err = turn_read_game(&c.turn, m->ruleset, m->position);
	if (!err)
		err = game_moves(&c.turn.ruleset, &c.turn.position, &c.moves);
	if (!err && c.moves.count == 0)
		err = PLYD_EPOSITION;
	if (err)
		return err;
	read_history(&c.turn, m);
	/* the position alone joins the seed, so that what is asked again is
	 * answered again */
	err = turn_begin(&c.turn, &sb, p, turn_open_personality,
			 m->seed ^ c.turn.hash, why);
	if (err)
		return err;
	err = sandbox_call(&sb, run_choose, &c, why);
	out->steps = sb.steps;
	out->bytes = sb.bytes_top;
	sandbox_release(&sb);
	return err;
}

/* ---- verdict ----------------------------------------------------------- */

struct judging {
	struct turn turn;
	const struct worker_verdict *ask;
	struct move_list moves;
	char *text;
	struct worker_ruling *out;
};

const struct field turn_ruling_fields[] = {
	{ "verdict", FIELD_TEXT, true, 1, 16,
	  "`\"continue\"`, `\"draw\"`, `\"white\"` or `\"black\"`, who then "
	  "wins, or `\"warn\"`: the match goes on" },
	{ "reason", FIELD_TEXT, false, 0, WORKER_TEXT_MAX - 1,
	  "what the players see; a warning needs one" },
	{ .name = NULL },
};
static const char *const verdict_names[] = {
	[VERDICT_CONTINUE] = "continue", [VERDICT_DRAW] = "draw",
	[VERDICT_WHITE] = "white",       [VERDICT_BLACK] = "black",
	[VERDICT_WARN] = "warn",         NULL,
};

static void push_judged(lua_State *L, const struct judging *j)
{
	lua_createtable(L, 0, 16);
	view_position(L, &j->turn.ruleset, &j->turn.position,
		      (enum side)j->turn.position.side);
	view_moves(L, &j->turn.ruleset, &j->turn.position, &j->moves);
	lua_setfield(L, -2, "moves");
	set_int(L, "ply", j->ask->ply);
	set_int(L, "quiet", j->ask->quiet);
	set_int(L, "repeats", j->ask->repeats);
	set_history(L, j->turn.hash, &j->ask->history);
}

static int run_verdict(lua_State *L)
{
	struct judging *j = lua_touserdata(L, 1);
	sandbox_run_source(L);
	load_check_policy(L);
	if (!field_push(L, -1, "verdict"))
		return 0;
	push_judged(L, j);
	memory_set(L, j->turn.host->doc, j->ask->memory);
	lua_copy(L, -1, 1); /* to look into it afterwards */
	lua_call(L, 1, 1);
	memory_take(L, 1, &j->turn.host->kept);
	j->out->memory = buf_span(&j->turn.host->kept);
	if (lua_isnil(L, -1))
		return 0;
	if (lua_type(L, -1) != LUA_TTABLE)
		sandbox_error(L, 0,
			      "'verdict' must return nil or a table with the "
			      "field 'verdict'; got a %s",
			      luaL_typename(L, -1));
	fields_check(L, -1, "what 'verdict' returns", turn_ruling_fields);
	j->out->verdict =
		field_one_of(L, "verdict", field_text(L, -1, "verdict"),
			     verdict_names);
	struct span reason = field_text(L, -1, "reason");
	if (j->out->verdict == VERDICT_WARN && reason.len == 0)
		sandbox_error(L, 0,
			      "a verdict 'warn' needs the field 'reason', a "
			      "text: what the players see");
	span_copy(reason, j->text, WORKER_TEXT_MAX);
	j->out->reason = span_str(j->text);
	return 0;
}

int turn_verdict(struct host *host, struct program *p,
		 const struct worker_verdict *m, char text[WORKER_TEXT_MAX],
		 struct worker_ruling *out, struct script_error *why)
{
	struct judging j; /* not zeroed: there is room for many moves */
	struct sandbox sb;
	j.turn = (struct turn){ .host = host, .match = m->match };
	j.ask = m;
	j.text = text;
	j.out = out;
	j.moves.count = 0;
	*out = (struct worker_ruling){ .reason = span_str("") };
	int err = turn_read_game(&j.turn, m->ruleset, m->position);
	/* dice are thrown when it has spoken; there are no moves until then */
	if (!err && !ruleset_has_dice(&j.turn.ruleset))
		err = game_moves(&j.turn.ruleset, &j.turn.position, &j.moves);
	if (err)
		return err;
	err = turn_begin(&j.turn, &sb, p, turn_open_policy, j.turn.hash, why);
	if (err)
		return err;
	err = sandbox_call(&sb, run_verdict, &j, why);
	out->steps = sb.steps;
	out->bytes = sb.bytes_top;
	sandbox_release(&sb);
	return err;
}
