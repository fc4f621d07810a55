/* SPDX-License-Identifier: MIT */
#include "vectors.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif

int run_table(const char *group, const void *rows, size_t row_bytes,
	      size_t count, CMUnitTestFunction fn)
{
	struct CMUnitTest *tests = calloc(count, sizeof(*tests));
	if (!tests)
		abort();
	for (size_t i = 0; i < count; i++) {
		const char *row = (const char *)rows + i * row_bytes;
		tests[i].name = *(const char *const *)row;
		tests[i].test_func = fn;
		tests[i].initial_state = (void *)row;
	}
	int failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
	free(tests);
	return failed;
}

static json_t *row_read(const char *path, size_t line, const char *text)
{
	json_error_t err;
	json_t *row = json_loads(text, 0, &err);
	if (!row)
		printf("%s:%zu: %s\n", path, line, err.text);
	return row;
}

size_t vectors_run(const char *path, vector_fn *check, void *payload)
{
	char full[1024];
	char *text = NULL;
	size_t cap = 0, line = 0, passed = 0, failed = 0;
	snprintf(full, sizeof(full), "%s/%s", TESTS_DIR, path);
	FILE *in = fopen(full, "r");
	if (!in) {
		printf("%s: cannot be opened\n", full);
		return 1;
	}
	while (getline(&text, &cap, in) > 0) {
		json_t *row = row_read(path, ++line, text);
		const char *wrong = row ? check(row, payload) : "not JSON";
		if (wrong && ++failed <= 20)
			printf("%s:%zu: %s\n", path, line, wrong);
		passed += !wrong;
		json_decref(row);
	}
	free(text);
	fclose(in);
	printf("%s: %zu rows passed, %zu failed\n", path, passed, failed);
	return passed + failed > 0 ? failed : 1;
}

const char *vector_str(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));
	if (!text) {
		fprintf(stderr, "no string \"%s\" in a row\n", key);
		abort();
	}
	return text;
}

long long vector_int(const json_t *row, const char *key)
{
	const json_t *value = json_object_get(row, key);
	if (!json_is_integer(value)) {
		fprintf(stderr, "no integer \"%s\" in a row\n", key);
		abort();
	}
	return json_integer_value(value);
}
