/* SPDX-License-Identifier: MIT
 * turn_words.c - what a personality says with its answer. */
#include "script/turn.h"
#include "script/turn_priv.h"

#include <lauxlib.h>
#include <stdio.h>

#include "base/log.h"
#include "script/fields.h"
#include "script/text.h"

static bool can_be_said(struct span text)
{
	return text.len > 0 && text.len <= WORKER_SAY_MAX &&
	       text_is_clean(text) && utf8_count(text) <= WORKER_SAY_CHARS_MAX;
}

/* The value on top cannot be said. */
static void complain(lua_State *L)
{
	struct sandbox *sb = sandbox_of(L);
	struct turn *turn = sb->host;
	char text[WORKER_TEXT_MAX];
	int len = snprintf(text, sizeof(text),
			   "line %d: 'say' is left out: it must be a text of 1 "
			   "to %d characters in UTF-8 without control "
			   "characters, got a %s",
			   sandbox_line_of(sb, "say"), WORKER_SAY_CHARS_MAX,
			   luaL_typename(L, -1));
	if (lua_type(L, -1) == LUA_TSTRING)
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				" of %zu bytes", (size_t)lua_rawlen(L, -1));
	struct worker_log out = {
		.level = LOG_WARNING,
		.script = span_str(sb->name),
		.match = turn->match,
		.text = span_of(text, (size_t)len),
	};
	turn->host->log(turn->host->payload, &out);
}

struct span turn_take_words(lua_State *L)
{
	struct turn *turn = sandbox_of(L)->host;
	struct span said = span_str("");
	struct span text = span_str("");
	if (field_push(L, -1, "say") && lua_type(L, -1) == LUA_TSTRING)
		text.at = (const uint8_t *)lua_tolstring(L, -1, &text.len);
	if (can_be_said(text)) {
		memcpy(turn->host->said, text.at, text.len);
		said = span_of(turn->host->said, text.len);
	} else if (!lua_isnil(L, -1)) {
		complain(L);
	}
	lua_pop(L, 1);
	return said;
}
