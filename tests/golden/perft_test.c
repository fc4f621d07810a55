/* SPDX-License-Identifier: MIT
 * Leaf counts from the starting positions against golden/perft.jsonl, each row
 * to its depth `test_to`; with the argument `soak` from there to `soak_to`. */
#include "unit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "vectors.h"
#include "draughts_sets.h"

/* What sanitizers leave time for. */
static const uint64_t nodes_max = PLYD_SANITIZED ? 1000000 : UINT64_MAX;

static bool soaks;
static uint64_t counted;

static struct ruleset ruleset_of(const json_t *row)
{
	const char *name = vector_str(row, "ruleset");
	struct ruleset rs;
	if (!ruleset_find(name, strlen(name), &rs))
		return rs;
	return draughts_set(name, "");
}

static const char *count_holds(const json_t *row, void *payload)
{
	static char wrong[128];
	struct ruleset rs = ruleset_of(row);
	struct position pos;
	const json_t *nodes = json_object_get(row, "nodes");
	const char *dice = json_string_value(json_object_get(row, "dice"));
	bool distinct = !strcmp(vector_str(row, "count"), "distinct");
	int from = soaks ? (int)vector_int(row, "test_to") + 1 : 1;
	int to = (int)vector_int(row, soaks ? "soak_to" : "test_to");
	(void)payload;
	game_start(&rs, &pos);
	if (dice)
		game_throw(&pos, dice[0] - '0', dice[1] - '0', &pos);
	for (int depth = from; depth <= to; depth++) {
		uint64_t want = (uint64_t)json_integer_value(
			json_array_get(nodes, (size_t)depth - 1));
		if (want > nodes_max)
			return NULL;
		uint64_t found = game_perft(&rs, &pos, depth, distinct);
		snprintf(wrong, sizeof(wrong),
			 "depth %d: %" PRIu64 ", not %" PRIu64, depth, found,
			 want);
		if (found != want)
			return wrong;
		counted += found;
	}
	return NULL;
}

static void counts_are_the_published_ones(void **state)
{
	(void)state;
	assert_int_equal(vectors_run("golden/perft.jsonl", count_holds, NULL),
			 0);
	assert_true(counted > 0);
	printf("%" PRIu64 " leaves counted\n", counted);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_the_published_ones),
	};
	soaks = argc > 1 && !strcmp(argv[1], "soak");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
