/* SPDX-License-Identifier: MIT
 * The memory of states, against malloc() as the oracle; and that a state which
 * is had from its image does as one that was made anew. */
#include "script/arena.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <plyd/err.h>
#include "base/rng.h"
#include "script/sandbox.h"
#include "unit.h"

enum { BLOCKS = 300, STEPS = 30000, LARGEST = 2 * ARENA_BLOCK_MAX };

struct block {
	uint8_t *at; /* from the arena */
	uint8_t *is; /* what it must hold */
	size_t size;
};

static void set_size(struct arena *a, struct block *b, size_t size,
		     struct rng *rng)
{
	size_t kept = b->size < size ? b->size : size;
	uint8_t *at = arena_realloc(a, b->at, b->size, size);
	assert_true((at != NULL) == (size > 0));
	b->at = at;
	b->is = realloc(b->is, size + 1);
	assert_non_null(b->is);
	if (size > 0)
		assert_int_equal((uintptr_t)at % _Alignof(max_align_t), 0);
	if (kept > 0)
		assert_memory_equal(at, b->is, kept);
	for (size_t i = kept; i < size; i++)
		at[i] = b->is[i] = (uint8_t)rng_next(rng);
	b->size = size;
}

/* Small ones mostly, as Lua's are. */
static size_t any_size(struct rng *rng)
{
	static const uint32_t most[] = { 40, 40, 40, 600, 5000, LARGEST };
	return rng_below(rng, most[rng_below(rng, 6)] + 1);
}

static void blocks_hold_what_they_are_given(void **state)
{
	(void)state;
	static struct block block[BLOCKS];
	struct arena *a = arena_new();
	struct rng rng;
	assert_non_null(a);
	rng_seed(&rng, 7);
	for (int i = 0; i < STEPS; i++)
		set_size(a, &block[rng_below(&rng, BLOCKS)], any_size(&rng),
			 &rng);
	assert_true(arena_outside(a) > 0);
	for (size_t i = 0; i < BLOCKS; i++) {
		if (block[i].size > 0)
			assert_memory_equal(block[i].at, block[i].is,
					    block[i].size);
		set_size(a, &block[i], 0, &rng);
		free(block[i].is);
	}
	assert_int_equal(arena_outside(a), 0);
	arena_free(a);
}

static void blocks_are_restored(void **state)
{
	(void)state;
	struct block block[100] = { { .size = 0 } };
	struct arena *a = arena_new();
	struct rng rng;
	assert_non_null(a);
	rng_seed(&rng, 8);
	for (size_t i = 0; i < 100; i++)
		set_size(a, &block[i], 1 + rng_below(&rng, 1000), &rng);
	for (size_t i = 0; i < 100; i += 3)
		set_size(a, &block[i], 0, &rng);
	struct arena_copy *copy = arena_save(a);
	assert_non_null(copy);
	uint8_t *next = arena_realloc(a, NULL, 0, 100);
	for (int times = 0; times < 3; times++) {
		for (size_t i = 0; i < 100; i++)
			if (block[i].size > 0)
				memset(block[i].at, times, block[i].size);
		for (int i = 0; i < 50; i++)
			memset(arena_realloc(a, NULL, 0, 700), times, 700);
		arena_restore(a, copy);
		for (size_t i = 0; i < 100; i++)
			if (block[i].size > 0)
				assert_memory_equal(block[i].at, block[i].is,
						    block[i].size);
		/* and who asks next gets the same again */
		assert_ptr_equal(arena_realloc(a, NULL, 0, 100), next);
	}
	for (size_t i = 0; i < 100; i++)
		free(block[i].is);
	free(copy);
	arena_free(a);
}

/* ---- images ------------------------------------------------------------ */

static const struct sandbox_limits limits = { 1 << 22, 1 << 24, 1 << 22 };

static int twice(lua_State *L)
{
	lua_pushinteger(L, 2 * luaL_checkinteger(L, 1));
	return 1;
}

static void open_twice(lua_State *L)
{
	lua_pushcfunction(L, twice);
	lua_setglobal(L, "twice");
}

struct outcome {
	char text[256];
	size_t top;
	uint64_t steps;
};

static int run(lua_State *L)
{
	struct outcome *out = lua_touserdata(L, 1);
	sandbox_run_source(L);
	lua_getfield(L, -1, "text");
	snprintf(out->text, sizeof(out->text), "%s", lua_tostring(L, -1));
	return 0;
}

/* What the program says, or its error, with what it took. */
static struct outcome outcome_of(struct arena *a, struct program *p,
				 uint64_t seed)
{
	struct outcome out = { .text = "" };
	struct script_error why = { .line = 0 };
	struct sandbox sb;
	assert_int_equal(sandbox_begin(&sb, a, p, open_twice, &limits, seed,
				       &why),
			 0);
	if (sandbox_call(&sb, run, &out, &why))
		snprintf(out.text, sizeof(out.text), "%d: %s", why.line,
			 why.text);
	out.top = sb.bytes_top;
	out.steps = sb.steps;
	sandbox_release(&sb);
	return out;
}

static const char *const sources[] = {
	"return { text = tostring(twice(21)) .. math.random(1000000) }",
	/* nothing stays: neither globals nor what a function holds */
	"seen = rawget(_G or {}, 'seen')\nreturn { text = tostring(seen) }",
	"string.own = 1\nreturn { text = 'x' }",
	"local t = {} for i = 1, 20000 do t[i] = { i } end "
	"return { text = tostring(#t) .. math.random() }",
	"local s = ('x'):rep(100000) for i = 1, 9 do s = s .. i end "
	"return { text = s:sub(-20) }",
	"local t = {}\nreturn { text = t.a.b }",
	"return { text = tostring(pcall(error, 'no')) }",
	"while true do end",
	"local s = 'x' while true do s = s .. s end",
};

static void images_do_as_what_was_made_anew(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	assert_non_null(a);
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct program anew = { span_str("x"), span_str(sources[i]),
					NULL };
		struct program kept = anew;
		for (uint64_t seed = 0; seed < 5; seed++) {
			struct outcome want = outcome_of(NULL, &anew, seed);
			struct outcome got = outcome_of(a, &kept, seed);
			assert_string_equal(got.text, want.text);
			assert_int_equal(got.steps, want.steps);
			assert_int_equal(got.top, want.top);
			assert_non_null(kept.image);
		}
		assert_null(anew.image);
		image_free(kept.image);
	}
	arena_free(a);
}

/* One that is too large for an image is made anew each time. */
static void there_need_be_no_image(void **state)
{
	(void)state;
	enum { BYTES = 100000 };
	char *source = malloc(BYTES);
	struct arena *a = arena_new();
	assert_non_null(source);
	assert_non_null(a);
	int len = snprintf(source, BYTES, "local s = '");
	memset(source + len, 'y', 60000);
	len += 60000;
	len += snprintf(source + len, (size_t)(BYTES - len),
			"' return { text = #s .. '' }");
	struct program p = { span_str("x"), span_of(source, (size_t)len),
			     NULL };
	for (int i = 0; i < 3; i++) {
		assert_string_equal(outcome_of(a, &p, 0).text, "60000");
		assert_null(p.image);
		assert_int_equal(arena_outside(a), 0);
	}
	arena_free(a);
	free(source);
}

static void a_wrong_source_is_told(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct program p = { span_str("x"), span_str("return {\n}}"), NULL };
	struct script_error why = { .line = 0 };
	struct sandbox sb;
	assert_non_null(a);
	assert_int_equal(sandbox_begin(&sb, a, &p, open_twice, &limits, 0,
				       &why),
			 PLYD_EWORKER);
	assert_int_equal(why.line, 2);
	assert_null(p.image);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_hold_what_they_are_given),
		cmocka_unit_test(blocks_are_restored),
		cmocka_unit_test(images_do_as_what_was_made_anew),
		cmocka_unit_test(there_need_be_no_image),
		cmocka_unit_test(a_wrong_source_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
