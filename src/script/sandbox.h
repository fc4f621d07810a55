/* SPDX-License-Identifier: MIT
 * sandbox.h - one Lua state for one piece of work: made from a script's source,
 * used, thrown away, so that nothing passes from one match to another and the
 * same input always gives the same output. Most of making it is the same each
 * time: an image has the state as it is just before the script begins. It bounds bytes and steps; what it
 * cannot bound (one long call inside a library function) is the business of the
 * parent process, which kills the worker at its deadline.
 *
 * All work on the state, the host's too, goes through sandbox_call(), because
 * almost any call of Lua's API may run out of memory and jump. Not thread-safe;
 * states are independent of one another. */
#ifndef PLYD_SCRIPT_SANDBOX_H
#define PLYD_SCRIPT_SANDBOX_H

#include <lua.h>
#include "base/rng.h"
#include "base/span.h"

enum {
	SCRIPT_NAME_MAX = 64,
	SCRIPT_SOURCE_MAX = 128 * 1024,
	SCRIPT_TEXT_MAX = 240,     /* of an error, in bytes */
	SANDBOX_STEPS_HOOK = 1000, /* VM instructions between two looks */
};

/* Bounds of one state from its making to its end. */
struct sandbox_limits {
	size_t bytes_max;    /* in use at once */
	uint64_t handed_max; /* bytes ever handed out, freed ones too */
	uint64_t steps_max;  /* VM instructions, and what sandbox_charge()
				* adds for work done in C */
};

/* What the script may name. */
enum sandbox_library {
	SANDBOX_EMPTY, /* nothing: for files that are only data */
	SANDBOX_FULL   /* the allowed part of Lua's libraries */
};

enum sandbox_fault {
	FAULT_NONE,
	FAULT_SCRIPT, /* a syntax error, an error that it raised, bad data */
	FAULT_STEPS,  /* steps_max or handed_max was reached */
	FAULT_MEMORY  /* bytes_max was reached */
};

/* What went wrong, in words for the script's author. */
struct script_error {
	enum sandbox_fault fault;
	int line; /* 0: unknown */
	char text[SCRIPT_TEXT_MAX + 1];
};

struct libraries;
struct arena;
struct image;

struct sandbox {
	lua_State *lua;
	struct arena *arena; /* lent; NULL: its memory comes from malloc() */
	struct sandbox_limits limits;
	size_t bytes;
	size_t bytes_top; /* the most that were in use */
	uint64_t handed;
	uint64_t steps;
	enum sandbox_fault dead; /* once set, every further step fails */
	struct rng rng;          /* what math.random draws from */
	char name[SCRIPT_NAME_MAX + 1];
	struct span source; /* borrowed; finds the line of a field */
	int line;           /* where the error under way arose */
	void *host;         /* whatever the host's functions need */
	const struct libraries *libraries; /* for `use`; NULL: none */
};

/* Makes the state and opens the libraries. name (without a NUL, at most
 * SCRIPT_NAME_MAX) stands in error texts; source is borrowed until
 * sandbox_release(). PLYD_ENOMEM: sb is as released. */
int sandbox_init(struct sandbox *sb, const struct sandbox_limits *limits,
		 enum sandbox_library library, struct span name,
		 struct span source, uint64_t seed);
void sandbox_release(struct sandbox *sb);

/* A script that is asked again and again. */
struct program {
	struct span name, source; /* as in sandbox_init() */
	struct image *image;      /* NULL: not yet */
};

/* As sandbox_init() with the full libraries; then `open`, which adds the host's
 * functions, was called and the source is compiled. With an arena, in which there is no other sandbox,
 * this is done once and p gets an image of it. PLYD_ENOMEM, or PLYD_EWORKER
 * with *why: sb is as released. */
int sandbox_begin(struct sandbox *sb, struct arena *a, struct program *p,
		  void (*open)(lua_State *L),
		  const struct sandbox_limits *limits, uint64_t seed,
		  struct script_error *why);
void image_free(struct image *image); /* NULL is fine */

/* Calls fn(L) protected, with `payload` as its only argument (a light
 * userdata). PLYD_OK, or PLYD_EWORKER with *why filled in. After a fault other
 * than FAULT_SCRIPT the state must be released. */
int sandbox_call(struct sandbox *sb, lua_CFunction fn, void *payload,
		 struct script_error *why);

/* Inside sandbox_call(): compiles the source, where that is not done, runs it
 * and pushes its result, which is a table. Raises an error otherwise. */
void sandbox_run_source(lua_State *L);

/* The sandbox that L belongs to. */
struct sandbox *sandbox_of(lua_State *L);

/* Inside sandbox_call(): accounts for `steps` of work done in C. Raises. */
void sandbox_charge(lua_State *L, uint64_t steps);

/* Inside sandbox_call(): raises the error `text` for this line, 0 = the line
 * that runs. */
int sandbox_error(lua_State *L, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* For our pcall: raises again if the state is dead or status says that it must
 * die; the error value is on top. */
void sandbox_rethrow(lua_State *L, int status);

/* The line of the source on which `field =` stands first; 0: nowhere. */
int sandbox_line_of(const struct sandbox *sb, const char *field);

#endif
