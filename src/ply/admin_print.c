/* SPDX-License-Identifier: MIT */
#include "ply/admin.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS_MAX = 10, KEY_MAX = 32, CELL_MAX = 256 };

struct table {
	size_t columns;
	char key[COLUMNS_MAX][KEY_MAX];
	size_t width[COLUMNS_MAX];
};

/* -- one value -- */

static size_t chars_of(const char *text)
{
	size_t count = 0;
	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);
	return len >= end_len && !strcmp(text + len - end_len, end);
}

/* Nobody's words may move the cursor of the operator's terminal. */
static void drop_controls(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static void date_text(json_int_t unix_ms, char *out)
{
	time_t seconds = (time_t)(unix_ms / 1000);
	struct tm when;
	if (!localtime_r(&seconds, &when) ||
	    !strftime(out, CELL_MAX, "%Y-%m-%d %H:%M:%S", &when))
		out[0] = '\0';
}

static void cell_text(const char *key, const json_t *v, char out[CELL_MAX])
{
	char *json;
	out[0] = '\0';
	switch (v ? json_typeof(v) : JSON_NULL) {
	case JSON_NULL: snprintf(out, CELL_MAX, "-"); break;
	case JSON_TRUE: snprintf(out, CELL_MAX, "yes"); break;
	case JSON_FALSE: snprintf(out, CELL_MAX, "no"); break;
	case JSON_STRING:
		snprintf(out, CELL_MAX, "%s", json_string_value(v));
		break;
	case JSON_INTEGER:
		if (ends_with(key, "_unix_ms"))
			date_text(json_integer_value(v), out);
		else
			snprintf(out, CELL_MAX, "%lld",
				 (long long)json_integer_value(v));
		break;
	default:
		json = json_dumps(v, JSON_COMPACT);
		snprintf(out, CELL_MAX, "%s", json ? json : "");
		free(json);
		break;
	}
	drop_controls(out);
}

/* -- tables -- */

static void table_columns(struct table *t, const char *columns)
{
	while (*columns && t->columns < COLUMNS_MAX) {
		size_t len = strcspn(columns, " ");
		snprintf(t->key[t->columns], KEY_MAX, "%.*s", (int)len,
			 columns);
		t->width[t->columns] = chars_of(t->key[t->columns]);
		t->columns++;
		columns += len;
		columns += strspn(columns, " ");
	}
}

/* a.b is b in a. */
static void table_cell(const struct table *t, size_t i, const json_t *item,
		       char out[CELL_MAX])
{
	const char *key = t->key[i];
	const char *dot = strchr(key, '.');
	if (dot) {
		char outer[KEY_MAX];
		snprintf(outer, sizeof(outer), "%.*s", (int)(dot - key), key);
		item = json_object_get(item, outer);
		key = dot + 1;
	}
	cell_text(key, json_object_get(item, key), out);
}

static void print_cell(const struct table *t, size_t i, const char *text)
{
	size_t chars = chars_of(text);
	size_t pad = i + 1 < t->columns && chars < t->width[i]
			     ? t->width[i] - chars
			     : 0;
	printf("%s%*s%s", text, (int)pad, "", i + 1 < t->columns ? "  " : "\n");
}

static void print_list(const struct admin_command *c, const json_t *answer)
{
	struct table t = { .columns = 0 };
	const json_t *list = json_object_get(answer, c->list);
	json_int_t total = json_integer_value(json_object_get(answer, "total"));
	size_t shown = json_array_size(list);
	char text[CELL_MAX];
	table_columns(&t, c->columns);
	for (size_t r = 0; r < shown; r++)
		for (size_t i = 0; i < t.columns; i++) {
			table_cell(&t, i, json_array_get(list, r), text);
			if (chars_of(text) > t.width[i])
				t.width[i] = chars_of(text);
		}
	for (size_t i = 0; i < t.columns; i++)
		print_cell(&t, i, t.key[i]);
	for (size_t r = 0; r < shown; r++)
		for (size_t i = 0; i < t.columns; i++) {
			table_cell(&t, i, json_array_get(list, r), text);
			print_cell(&t, i, text);
		}
	if ((json_int_t)shown < total)
		printf("(%zu of %lld)\n", shown, (long long)total);
	if (json_is_true(json_object_get(answer, "more")))
		printf("(there are older ones: give the last row)\n");
}

/* -- lines -- */

static void print_map(const json_t *answer)
{
	char text[CELL_MAX];
	json_t *all = (json_t *)answer; /* jansson's iterators know no const */
	for (void *at = json_object_iter(all); at;
	     at = json_object_iter_next(all, at)) {
		const char *key = json_object_iter_key(at);
		cell_text(key, json_object_iter_value(at), text);
		printf("%-16s %s\n", key, text);
	}
}

void admin_print(const struct admin_command *c, const json_t *answer)
{
	const json_t *done = json_object_get(answer, "audit");
	if (c->list)
		print_list(c, answer);
	else if (done && json_object_size(answer) == 1)
		printf("done (audit %lld)\n",
		       (long long)json_integer_value(done));
	else
		print_map(answer);
}
