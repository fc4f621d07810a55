/* SPDX-License-Identifier: MIT
 * typed.c - objects of the protocol as structs. What a later server adds is
 * ignored; a missing optional key is zero, "" or nobody. */
#include "client/client_priv.h"

#include <string.h>

/* -- members -- */

static bool text(const struct value *map, const char *key, char *out,
		 size_t size)
{
	return client_copy(shown(value_find(map, key)), out, size);
}

static int64_t number(const struct value *map, const char *key)
{
	return client_int(shown(value_find(map, key)));
}

static client_side side(const struct value *map, const char *key)
{
	struct span word;
	if (value_str(value_find(map, key), &word))
		return CLIENT_NOBODY;
	if (span_is(word, "white"))
		return CLIENT_WHITE;
	return span_is(word, "black") ? CLIENT_BLACK : CLIENT_NOBODY;
}

static bool seq(const struct value *map, uint64_t *out)
{
	return !value_uint(value_find(map, "seq"), INT64_MAX, out);
}

/* -- errors -- */

static void cut_copy(struct span s, char *out, size_t size)
{
	size_t len = s.len < size ? s.len : size - 1;
	/* not in the middle of a character */
	while (len < s.len && len > 0 && (s.at[len] & 0xc0) == 0x80)
		len--;
	if (len > 0)
		memcpy(out, s.at, len);
	out[len] = '\0';
}

static bool fill_error(const struct value *code, const struct value *name,
		       const struct value *message, const struct value *details,
		       struct client_error *out)
{
	int64_t number_of;
	struct span sentence;
	memset(out, 0, sizeof(*out));
	if (value_int(code, INT32_MIN, -1, &number_of) ||
	    !client_copy(shown(name), out->name, sizeof(out->name)) ||
	    value_str(message, &sentence))
		return false;
	out->code = (int)number_of;
	cut_copy(sentence, out->message, sizeof(out->message));
	if (details && value_type(details) == VALUE_MAP)
		out->details = shown(details);
	return true;
}

bool read_error(const struct value *v, struct client_error *out)
{
	return fill_error(value_at(v, 0), value_at(v, 1), value_at(v, 2),
			  value_at(v, 3), out);
}

bool read_closing(const struct value *v, struct client_error *out)
{
	return fill_error(value_find(v, "code"), value_find(v, "name"),
			  value_find(v, "message"), value_find(v, "details"),
			  out);
}

struct client_error own_error(int err)
{
	struct client_error e = { .code = err };
	cut_copy(span_str(plyd_err_name(err)), e.name, sizeof(e.name));
	cut_copy(span_str(plyd_err_text(err)), e.message, sizeof(e.message));
	return e;
}

/* -- matches -- */

static bool read_result(const struct value *v, struct client_result *out)
{
	if (!v || value_type(v) != VALUE_MAP)
		return false;
	out->points = (int)number(v, "points");
	out->score[CLIENT_WHITE] = (int)number(v, "white_score");
	out->score[CLIENT_BLACK] = (int)number(v, "black_score");
	return text(v, "result", out->result, sizeof(out->result)) &&
	       text(v, "reason", out->reason, sizeof(out->reason));
}

static void read_clock(const struct value *v, struct client_match *out)
{
	bool unlimited = false;
	value_bool(value_find(v, "unlimited"), &unlimited);
	out->unlimited = unlimited;
	text(v, "kind", out->clock, sizeof(out->clock));
	out->base_ms = number(v, "base_ms");
	out->increment_ms = number(v, "increment_ms");
	out->delay_ms = number(v, "delay_ms");
	out->left_ms[CLIENT_WHITE] = number(v, "white_ms");
	out->left_ms[CLIENT_BLACK] = number(v, "black_ms");
	out->free_ms = number(v, "free_ms");
	out->running = side(v, "running");
}

static enum client_awaits awaits(const struct value *map)
{
	struct span word;
	if (value_str(value_find(map, "awaits"), &word))
		return CLIENT_AWAITS_NOTHING;
	return span_is(word, "move")     ? CLIENT_AWAITS_MOVE
	       : span_is(word, "roll")   ? CLIENT_AWAITS_ROLL
	       : span_is(word, "answer") ? CLIENT_AWAITS_ANSWER
					 : CLIENT_AWAITS_NOTHING;
}

static void read_stakes(const struct value *v, struct client_stakes *out)
{
	const struct value *resign = value_find(v, "resign");
	out->length = (int)number(v, "length");
	out->score[CLIENT_WHITE] = (int)number(v, "white");
	out->score[CLIENT_BLACK] = (int)number(v, "black");
	out->game = (uint32_t)number(v, "game");
	out->crawford = client_bool(shown(value_find(v, "crawford")));
	out->cube = (int)number(v, "cube");
	out->owner = side(v, "owner");
	out->doubled = side(v, "doubled");
	out->resign = side(resign, "side");
	out->resign_points = (int)number(resign, "points");
	out->resign_offer = (uint64_t)number(resign, "offer");
}

bool read_match(const struct value *v, struct client_match *out)
{
	memset(out, 0, sizeof(*out));
	if (!text(v, "match", out->match, sizeof(out->match)) ||
	    !seq(v, &out->seq) ||
	    !text(v, "state", out->state, sizeof(out->state)) ||
	    !text(v, "ruleset", out->ruleset, sizeof(out->ruleset)) ||
	    !text(v, "rules", out->rules, sizeof(out->rules)) ||
	    !text(v, "position", out->position, sizeof(out->position)))
		return false;
	text(value_find(v, "white"), "name", out->name[CLIENT_WHITE],
	     CLIENT_NAME_MAX);
	text(value_find(v, "black"), "name", out->name[CLIENT_BLACK],
	     CLIENT_NAME_MAX);
	out->you = side(v, "you");
	out->turn = side(v, "turn");
	out->offer = side(v, "offer");
	out->ply = (uint32_t)number(v, "ply");
	out->awaits = awaits(v);
	read_stakes(value_find(v, "stakes"), &out->stakes);
	read_clock(value_find(v, "clock"), out);
	out->over = read_result(value_find(v, "result"), &out->result);
	out->value = shown(v);
	return true;
}

bool read_event(const struct value *v, struct client_event *out)
{
	const struct value *dice = value_find(v, "dice");
	memset(out, 0, sizeof(*out));
	if (!text(v, "match", out->match, sizeof(out->match)) ||
	    !seq(v, &out->seq) ||
	    !text(v, "event", out->event, sizeof(out->event)))
		return false;
	out->ply = (uint32_t)number(v, "ply");
	out->side = side(v, "side");
	text(v, "move", out->move, sizeof(out->move));
	text(v, "text", out->text, sizeof(out->text));
	for (size_t i = 0; i < 2; i++)
		out->dice[i] = (int)client_int(shown(value_at(dice, i)));
	text(v, "position", out->position, sizeof(out->position));
	out->turn = side(v, "turn");
	out->awaits = awaits(v);
	read_stakes(value_find(v, "stakes"), &out->stakes);
	out->left_ms[CLIENT_WHITE] = number(v, "white_ms");
	out->left_ms[CLIENT_BLACK] = number(v, "black_ms");
	out->free_ms = number(v, "free_ms");
	out->over = read_result(value_find(v, "result"), &out->result);
	out->value = shown(v);
	return true;
}
