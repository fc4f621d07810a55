/* SPDX-License-Identifier: MIT
 * scriptdoc - prints the page that it is given, docs/scripting.md, with each
 * table between <!-- table NAME --> and <!-- end --> written anew from the
 * tables that check scripts. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <plyd/rules.h>
#include "engine/engine.h"
#include "script/clock.h"
#include "script/load.h"
#include "script/plan.h"
#include "script/turn.h"

enum { PAGE_MAX = 1 << 20 };

static void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("scriptdoc: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* ---- fields ------------------------------------------------------------ */

static const struct {
	const char *name;
	const struct field *fields;
} field_tables[] = {
	{ "personality", personality_fields },
	{ "choice", turn_choice_fields },
	{ "answer", turn_answer_fields },
	{ "search", search_fields },
	{ "pick", taste_fields },
	{ "policy", policy_fields },
	{ "offers", offers_fields },
	{ "ruling", turn_ruling_fields },
	{ "ruleset", ruleset_fields },
	{ "draws", draws_fields },
	{ "clock", clock_fields },
	{ "clocks", clocks_fields },
	{ "tournament", plan_fields },
};

static void print_type(const struct field *f)
{
	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_WORDS: printf("text"); break;
	case FIELD_INT: printf("%lld to %lld", f->min, f->max); break;
	case FIELD_BOOL: printf("true or false"); break;
	case FIELD_TABLE: printf("table"); break;
	case FIELD_FUNCTION: printf("function"); break;
	}
}

static void print_fields(const struct field *list)
{
	printf("| field | type | |\n|---|---|---|\n");
	for (const struct field *f = list; f->name; f++) {
		printf("| `%s` | ", f->name);
		print_type(f);
		printf(" | %s%s |\n", f->doc, f->required ? "; needed" : "");
	}
}

/* ---- options, weights, rulesets ----------------------------------------------- */

/* `dark|all` as "`dark`, `all`". */
static void print_option(const char *name, const char *values, const char *doc)
{
	printf("| `%s` | `", name);
	for (; *values; values++)
		if (*values == '|')
			printf("`, `");
		else
			putchar(*values);
	printf("` | %s |\n", doc);
}

static void print_draughts_options(void)
{
	printf("| option | values | |\n|---|---|---|\n");
#define O(name, values, doc) print_option(#name, values, doc);
	DRAUGHTS_OPTIONS(O)
#undef O
}

static void print_backgammon_options(void)
{
	printf("| option | values | |\n|---|---|---|\n");
#define O(name, values, doc) print_option(#name, values, doc);
	BACKGAMMON_OPTIONS(O)
#undef O
}

static void print_weights(void)
{
	printf("| weight | standard | range | |\n|---|---|---|---|\n");
	for (size_t i = 0; i < engine_weight_count(); i++) {
		const struct engine_weight *w = engine_weight_at(i);
		printf("| `%s` | %d | %d to %d | %s |\n", w->name, w->standard,
		       w->min, w->max, w->doc);
	}
}

static void print_bases(void)
{
	for (size_t i = 0; i < ruleset_count(); i++)
		printf("- `%s`\n", ruleset_at(i)->name);
}

static const struct {
	const char *name;
	void (*print)(void);
} other_tables[] = {
	{ "draughts options", print_draughts_options },
	{ "backgammon options", print_backgammon_options },
	{ "weights", print_weights },
	{ "bases", print_bases },
};

/* ---- the page ---------------------------------------------------------- */

static void print_table(const char *name)
{
	for (size_t i = 0; i < sizeof(field_tables) / sizeof(*field_tables);
	     i++)
		if (!strcmp(name, field_tables[i].name)) {
			print_fields(field_tables[i].fields);
			return;
		}
	for (size_t i = 0; i < sizeof(other_tables) / sizeof(*other_tables);
	     i++)
		if (!strcmp(name, other_tables[i].name)) {
			other_tables[i].print();
			return;
		}
	die("there is no table '%s'", name);
}

/* The name in a line `<!-- table NAME -->`; false: it is another line. */
static bool begins_table(const char *line, char name[64])
{
	int end = 0;
	return sscanf(line, "<!-- table %63[a-z ] -->%n", name, &end) == 1 &&
	       end > 0;
}

static void print_page(FILE *page)
{
	char line[PAGE_MAX / 64], name[64];
	bool inside = false;
	while (fgets(line, sizeof(line), page)) {
		if (inside && strcmp(line, "<!-- end -->\n"))
			continue;
		fputs(line, stdout);
		inside = false;
		if (!begins_table(line, name))
			continue;
		for (size_t n = strlen(name); n && name[n - 1] == ' '; n--)
			name[n - 1] = '\0';
		print_table(name);
		inside = true;
	}
	if (inside)
		die("the table '%s' has no end", name);
}

int main(int argc, char **argv)
{
	FILE *page = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!page)
		die("name the page: docs/scripting.md");
	print_page(page);
	fclose(page);
	return 0;
}
