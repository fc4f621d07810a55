/* SPDX-License-Identifier: MIT */
#include "script/sandbox.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <plyd/err.h>
#include "script/arena.h"
#include "script/library.h"
#include "script/text.h"

/* Key of the registry: the compiled source, where it is there. */
static const char chunk_key;

/* A sandbox just before its script begins. */
struct image {
	struct sandbox begun;
	struct arena_copy *memory;
};

struct sandbox *sandbox_of(lua_State *L)
{
	return *(struct sandbox **)lua_getextraspace(L);
}

static void *grow(struct sandbox *sb, void *block, size_t had, size_t size)
{
	if (sb->arena)
		return arena_realloc(sb->arena, block, had, size);
	if (size > 0)
		return realloc(block, size);
	free(block);
	return NULL;
}

/* Lua's contract: a NULL for a smaller size is not allowed, and old is a type
 * tag, not a size, where there is no block yet. */
static void *counted_alloc(void *payload, void *block, size_t old, size_t size)
{
	struct sandbox *sb = payload;
	size_t had = block ? old : 0;
	if (size == 0) {
		grow(sb, block, had, 0);
		sb->bytes -= had;
		return NULL;
	}
	if (size > had && size - had > sb->limits.bytes_max - sb->bytes)
		return NULL;
	void *grown = grow(sb, block, had, size);
	if (!grown && size > had)
		return NULL;
	sb->bytes = sb->bytes - had + size;
	if (sb->bytes > sb->bytes_top)
		sb->bytes_top = sb->bytes;
	if (size > had)
		sb->handed += size - had;
	return grown ? grown : block;
}

static void on_steps(lua_State *L, lua_Debug *ar);

/* From here on every single instruction raises, so that no pcall of the script
 * gets anywhere. */
static void condemn(lua_State *L, enum sandbox_fault fault)
{
	struct sandbox *sb = sandbox_of(L);
	if (sb->dead == FAULT_NONE)
		sb->dead = fault;
	lua_sethook(L, on_steps, LUA_MASKCOUNT, 1);
}

static bool is_spent(const struct sandbox *sb)
{
	return sb->steps > sb->limits.steps_max ||
	       sb->handed > sb->limits.handed_max;
}

static void on_steps(lua_State *L, lua_Debug *ar)
{
	(void)ar;
	struct sandbox *sb = sandbox_of(L);
	if (sb->dead == FAULT_NONE) {
		sb->steps += SANDBOX_STEPS_HOOK;
		if (!is_spent(sb))
			return;
		condemn(L, FAULT_STEPS);
	}
	luaL_error(L, "spent");
}

void sandbox_charge(lua_State *L, uint64_t steps)
{
	struct sandbox *sb = sandbox_of(L);
	sb->steps += steps;
	if (!is_spent(sb))
		return;
	condemn(L, FAULT_STEPS);
	luaL_error(L, "spent");
}

void sandbox_rethrow(lua_State *L, int status)
{
	if (status == LUA_ERRMEM)
		condemn(L, FAULT_MEMORY);
	if (sandbox_of(L)->dead != FAULT_NONE)
		lua_error(L);
}

int sandbox_error(lua_State *L, int line, const char *format, ...)
{
	char text[SCRIPT_TEXT_MAX + 1];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (line > 0)
		lua_pushfstring(L, "%s:%d: %s", sandbox_of(L)->name, line,
				text);
	else
		lua_pushstring(L, text);
	return lua_error(L);
}

/* Whether a word of the source ends at `end` and `=` (not `==`) follows. */
static bool is_assigned(struct span s, size_t end)
{
	while (end < s.len && (s.at[end] == ' ' || s.at[end] == '\t'))
		end++;
	return end < s.len && s.at[end] == '=' &&
	       (end + 1 == s.len || s.at[end + 1] != '=');
}

int sandbox_line_of(const struct sandbox *sb, const char *field)
{
	struct span s = sb->source;
	size_t len = strlen(field);
	int line = 1;
	for (size_t i = 0; i + len <= s.len; i++) {
		bool begins =
			i == 0 || (!isalnum(s.at[i - 1]) && s.at[i - 1] != '_');
		if (begins && !memcmp(s.at + i, field, len) &&
		    is_assigned(s, i + len))
			return line;
		if (s.at[i] == '\n')
			line++;
	}
	return 0;
}

/* Runs where an error is raised, while the stack still shows the line. It must
 * not allocate: the error may be a lack of memory. */
static int note_line(lua_State *L)
{
	struct sandbox *sb = sandbox_of(L);
	lua_Debug ar;
	sb->line = 0;
	for (int level = 0; lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Sl", &ar);
		/* a library has other lines; its errors begin with them */
		if (ar.currentline > 0 &&
		    !strncmp(ar.short_src, sb->name, LUA_IDSIZE - 1)) {
			sb->line = ar.currentline;
			break;
		}
	}
	return 1;
}

/* Cuts `NAME:LINE: ` off text and returns the line; 0: it is not there. */
static int take_line(const struct sandbox *sb, const char **text)
{
	size_t len = strlen(sb->name);
	if (strncmp(*text, sb->name, len) != 0 || (*text)[len] != ':')
		return 0;
	char *end;
	long line = strtol(*text + len + 1, &end, 10);
	if (line <= 0 || line > 1000000 || strncmp(end, ": ", 2) != 0)
		return 0;
	*text = end + 2;
	return (int)line;
}

/* Describes the error value on top without running any code of the script. */
static void report(struct sandbox *sb, struct script_error *why)
{
	lua_State *L = sb->lua;
	why->fault = sb->dead != FAULT_NONE ? sb->dead : FAULT_SCRIPT;
	why->line = sb->line;
	if (why->fault == FAULT_MEMORY) {
		snprintf(why->text, sizeof(why->text),
			 "used more memory than the %zu bytes it may",
			 sb->limits.bytes_max);
		return;
	}
	if (why->fault == FAULT_STEPS) {
		snprintf(why->text, sizeof(why->text),
			 "used more steps than the %llu it may",
			 (unsigned long long)sb->limits.steps_max);
		return;
	}
	if (lua_type(L, -1) != LUA_TSTRING) {
		snprintf(why->text, sizeof(why->text),
			 "raised an error that is a %s, not a text",
			 luaL_typename(L, -1));
		return;
	}
	size_t len;
	const char *text = lua_tolstring(L, -1, &len);
	const char *words = text;
	int line = take_line(sb, &words);
	if (line > 0)
		why->line = line;
	text_clean(span_of(words, len - (size_t)(words - text)), why->text,
		   sizeof(why->text));
}

int sandbox_call(struct sandbox *sb, lua_CFunction fn, void *payload,
		 struct script_error *why)
{
	lua_State *L = sb->lua;
	sb->line = 0;
	lua_settop(L, 0);
	lua_pushcfunction(L, note_line);
	lua_pushcfunction(L, fn);
	lua_pushlightuserdata(L, payload);
	int status = lua_pcall(L, 1, 0, 1);
	if (status == LUA_ERRMEM)
		condemn(L, FAULT_MEMORY);
	if (status == LUA_OK && sb->dead == FAULT_NONE)
		return PLYD_OK;
	report(sb, why);
	lua_settop(L, 0);
	return PLYD_EWORKER;
}

/* Pushes the source as a function. */
static void compile(lua_State *L)
{
	struct sandbox *sb = sandbox_of(L);
	char chunk[SCRIPT_NAME_MAX + 2];
	snprintf(chunk, sizeof(chunk), "=%s", sb->name);
	if (luaL_loadbufferx(L, (const char *)sb->source.at, sb->source.len,
			     chunk, "t") != LUA_OK)
		lua_error(L);
}

void sandbox_run_source(lua_State *L)
{
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, &chunk_key) == LUA_TNIL) {
		lua_pop(L, 1);
		compile(L);
	}
	lua_call(L, 0, 1);
	if (!lua_istable(L, -1))
		sandbox_error(L, 0,
			      "the file must end with `return { ... }`: "
			      "expected a table, got %s",
			      luaL_typename(L, -1));
}

static int open_library(lua_State *L)
{
	enum sandbox_library *library = lua_touserdata(L, 1);
	library_open(L, *library);
	return 0;
}

static int make(struct sandbox *sb, struct arena *a,
		const struct sandbox_limits *limits,
		enum sandbox_library library, struct span name,
		struct span source)
{
	memset(sb, 0, sizeof(*sb));
	sb->arena = a;
	sb->limits = *limits;
	sb->source = source;
	span_copy(name, sb->name, sizeof(sb->name));
	if (a)
		arena_clear(a);
	sb->lua = lua_newstate(counted_alloc, sb);
	if (!sb->lua)
		return PLYD_ENOMEM;
	*(struct sandbox **)lua_getextraspace(sb->lua) = sb;
	lua_sethook(sb->lua, on_steps, LUA_MASKCOUNT, SANDBOX_STEPS_HOOK);
	struct script_error why;
	if (sandbox_call(sb, open_library, &library, &why) == PLYD_OK)
		return PLYD_OK;
	sandbox_release(sb);
	return PLYD_ENOMEM;
}

int sandbox_init(struct sandbox *sb, const struct sandbox_limits *limits,
		 enum sandbox_library library, struct span name,
		 struct span source, uint64_t seed)
{
	int err = make(sb, NULL, limits, library, name, source);
	rng_seed(&sb->rng, seed);
	return err;
}

void sandbox_release(struct sandbox *sb)
{
	/* blocks of an arena are forgotten, not freed; no script has a
	 * finalizer that would see it */
	if (sb->lua && (!sb->arena || arena_outside(sb->arena) > 0))
		lua_close(sb->lua);
	sb->lua = NULL;
}

/* ---- images ------------------------------------------------------------ */

struct preparing {
	void (*open)(lua_State *L);
};

static int prepare(lua_State *L)
{
	const struct preparing *p = lua_touserdata(L, 1);
	p->open(L);
	compile(L);
	lua_rawsetp(L, LUA_REGISTRYINDEX, &chunk_key);
	return 0;
}

/* NULL: it cannot be had; the next question makes the state anew. */
static struct image *image_new(const struct sandbox *sb)
{
	if (arena_outside(sb->arena) > 0)
		return NULL;
	struct image *image = malloc(sizeof(*image));
	if (!image)
		return NULL;
	image->begun = *sb;
	image->memory = arena_save(sb->arena);
	if (image->memory)
		return image;
	free(image);
	return NULL;
}

void image_free(struct image *image)
{
	if (!image)
		return;
	free(image->memory);
	free(image);
}

/* The state lies where it lay; only the sandbox is another. */
static void image_use(const struct image *image, struct sandbox *sb)
{
	*sb = image->begun;
	arena_restore(sb->arena, image->memory);
	*(struct sandbox **)lua_getextraspace(sb->lua) = sb;
	lua_setallocf(sb->lua, counted_alloc, sb);
}

int sandbox_begin(struct sandbox *sb, struct arena *a, struct program *p,
		  void (*open)(lua_State *L),
		  const struct sandbox_limits *limits, uint64_t seed,
		  struct script_error *why)
{
	if (p->image) {
		image_use(p->image, sb);
		rng_seed(&sb->rng, seed);
		return PLYD_OK;
	}
	struct preparing preparing = { open };
	int err = make(sb, a, limits, SANDBOX_FULL, p->name, p->source);
	if (err)
		return err;
	err = sandbox_call(sb, prepare, &preparing, why);
	if (err) {
		sandbox_release(sb);
		return err;
	}
	if (a)
		p->image = image_new(sb);
	rng_seed(&sb->rng, seed);
	return PLYD_OK;
}
