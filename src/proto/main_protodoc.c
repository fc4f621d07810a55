/* SPDX-License-Identifier: MIT
 * protodoc - prints docs/protocol.md: the template that it is given, with each
 * line that begins with @ replaced by what the tables say. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include <plyd/err.h>
#include "proto/methods.h"
#include "proto/protodoc_priv.h"
#include "proto/schema.h"
#include "proto/write.h"

static void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("protodoc: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* ---- examples ---------------------------------------------------------- */

static void put_json(struct buf *b, json_t *json)
{
	const char *key;
	json_t *item;
	size_t i;
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		put_map(b, (uint32_t)json_object_size(json));
		json_object_foreach(json, key, item)
		{
			put_cstr(b, key);
			put_json(b, item);
		}
		break;
	case JSON_ARRAY:
		put_array(b, (uint32_t)json_array_size(json));
		json_array_foreach(json, i, item) put_json(b, item);
		break;
	case JSON_STRING: put_cstr(b, json_string_value(json)); break;
	case JSON_INTEGER: put_int(b, json_integer_value(json)); break;
	case JSON_TRUE: put_bool(b, true); break;
	case JSON_FALSE: put_bool(b, false); break;
	case JSON_NULL: put_nil(b); break;
	case JSON_REAL: die("an example holds a float");
	}
}

static void put_json_text(struct buf *b, const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!json)
		die("%s in example %s", error.text, text);
	put_json(b, json);
	json_decref(json);
}

static const struct example *example_of(const char *method)
{
	const struct example *e = example_find(method);
	if (!e)
		die("%s has no example", method);
	return e;
}

static void put_example_request(struct buf *b, const struct example *e)
{
	buf_clear(b);
	rpc_begin_request(b, 1, e->name);
	put_json_text(b, e->params);
}

static void put_example_answer(struct buf *b, const struct example *e)
{
	buf_clear(b);
	rpc_begin_result(b, 1);
	put_json_text(b, e->result);
}

/* An example that the server would refuse, or never give, is no example. */
static void check_example(const struct method_info *m, const struct example *e,
			  struct doc *doc, struct buf *b)
{
	const struct value *root;
	struct request req;
	struct decode_error where;
	char why[SCHEMA_WHY_MAX];

	put_example_request(b, e);
	int err = doc_parse(doc, buf_span(b), &doc_request, &root);
	if (!err)
		err = request_decode(root, &req, &where);
	if (err)
		die("%s: example request: %s", m->name, plyd_err_name(err));
	put_example_answer(b, e);
	if (doc_parse(doc, buf_span(b), &doc_answer, &root) ||
	    !schema_check(value_at(root, 3), m->result, why))
		die("%s: example answer: %s", m->name, why);
}

static void check_notice(const struct notification_info *n,
			 const struct example *e, struct doc *doc,
			 struct buf *b)
{
	const struct value *root;
	char why[SCHEMA_WHY_MAX];
	buf_clear(b);
	put_json_text(b, e->result);
	if (doc_parse(doc, buf_span(b), &doc_answer, &root) ||
	    !schema_check(root, n->object, why))
		die("%s: example: %s", n->name, why);
}

static void check_examples(void)
{
	struct doc *doc = doc_new();
	struct buf b;
	if (!doc)
		die("%s", plyd_err_text(PLYD_ENOMEM));
	buf_init(&b, ANSWER_BYTES_MAX);
	for (size_t i = 0; i < method_count(); i++) {
		const struct method_info *m = method_at(i);
		check_example(m, example_of(m->name), doc, &b);
	}
	for (enum notification i = 0; i < NOTIFICATION_COUNT; i++) {
		const struct notification_info *n = notification_info(i);
		check_notice(n, example_of(n->name), doc, &b);
	}
	buf_release(&b);
	doc_free(doc);
}

static void print_hex(const char *arrow, const struct buf *b)
{
	enum { BYTES_A_LINE = 24 };
	for (size_t i = 0; i < b->len; i++) {
		if (i % BYTES_A_LINE == 0)
			printf("%s%s", i == 0 ? "" : "\n",
			       i == 0 ? arrow : "  ");
		printf(" %02x", b->at[i]);
	}
	putchar('\n');
}

static void print_hex_example(const char *method)
{
	const struct example *e = example_of(method);
	struct buf b;
	buf_init(&b, ANSWER_BYTES_MAX);
	printf("```\n");
	put_example_request(&b, e);
	print_hex("->", &b);
	if (!strcmp(e->result, "{}")) {
		put_example_answer(&b, e);
		print_hex("<-", &b);
	}
	printf("```\n");
	buf_release(&b);
}

static void print_hex_error(void)
{
	struct decode_error where = { .has_msgid = true,
				      .msgid = 1,
				      .key = "ply" };
	size_t fields;
	const struct field *field = method_fields(METHOD_MATCH_MOVE, &fields);
	char text[FIELD_TEXT_MAX];
	struct buf b;
	for (size_t i = 0; i < fields; i++)
		if (!strcmp(field[i].name, where.key))
			where.field = &field[i];
	if (!where.field)
		die("match.move has no %s", where.key);
	buf_init(&b, ANSWER_BYTES_MAX);
	request_refuse(&b, PLYD_ERANGE, &where);
	printf("```\n<- [1, 1, [%d, \"%s\",\n       \"%s\",\n"
	       "       {\"key\": \"%s\", \"expected\": \"%s\"}], null]\n\n",
	       PLYD_ERANGE, plyd_err_name(PLYD_ERANGE),
	       plyd_err_text(PLYD_ERANGE), where.key,
	       field_text(where.field, text));
	print_hex("<-", &b);
	printf("```\n");
	buf_release(&b);
}

/* ---- tables ------------------------------------------------------------ */

static void print_kinds(void)
{
	printf("- str: text without NUL; lengths count characters "
	       "(code points).\n"
	       "- id: a string of %d characters `a`-`z`, `2`-`7`; of a player, "
	       "a lobby or a match. Ids are public.\n"
	       "- int: an integer. bool: true or false.\n"
	       "- hex: a string of lower-case hexadecimal digits, two a byte; "
	       "lengths count bytes.\n"
	       "- map: a map whose keys the text explains.\n",
	       ID_CHARS);
}

static void print_errors(void)
{
	printf("| code | name | message |\n|---|---|---|\n");
#define X(code, value, name, doc)                                              \
	printf("| %d | `%s` | %s |\n", value, name, doc);
	PLYD_ERRORS(X)
#undef X
}

static void print_limits(void)
{
	printf("- A request: %d bytes, %d elements (items of arrays, keys and "
	       "values of maps, at all depths), arrays and maps %d deep, "
	       "%d entries in a map.\n"
	       "- What the server sends: %d bytes and %d elements a message.\n"
	       "- The lengths and ranges of parameters, given with each.\n",
	       MESSAGE_BYTES_MAX, MESSAGE_ELEMENTS_MAX, MESSAGE_DEPTH_MAX,
	       MAP_ENTRIES_MAX, ANSWER_BYTES_MAX, ANSWER_ELEMENTS_MAX);
}

static void print_object_fields(const struct object_info *o)
{
	for (size_t i = 0; i < o->fields; i++)
		printf("- `%s`: %s. %s\n", o->field[i].name, o->field[i].type,
		       o->field[i].doc);
	if (o->fields > 0)
		putchar('\n');
}

/* Whether any field of any object is of this type, or an array of it. */
static bool is_part(const struct object_info *o)
{
	for (enum object k = 0; k < OBJECT_COUNT; k++) {
		const struct object_info *in = object_info(k);
		for (size_t i = 0; i < in->fields; i++) {
			const char *type = in->field[i].type;
			type += type[0] == '[';
			if (object_find(type, strcspn(type, "]?")) == o)
				return true;
		}
	}
	return false;
}

/* An object that only one method or notification has is shown there. */
static bool is_shown_apart(enum object o)
{
	size_t uses = 0;
	for (size_t i = 0; i < method_count(); i++)
		uses += method_at(i)->result == o;
	for (enum notification n = 0; n < NOTIFICATION_COUNT; n++)
		uses += notification_info(n)->object == o;
	return uses != 1 || is_part(object_info(o));
}

static void print_object_use(const char *what, enum object o)
{
	const struct object_info *info = object_info(o);
	if (o == OBJECT_NOTHING)
		printf("%s: an empty map.\n\n", what);
	else if (is_shown_apart(o))
		printf("%s: [%s](#%s).\n\n", what, info->name, info->name);
	else {
		printf("%s:\n\n", what);
		print_object_fields(info);
	}
}

static void print_params(const struct method_info *m)
{
	size_t count;
	const struct field *field = method_fields(m->method, &count);
	char text[FIELD_TEXT_MAX];
	if (count == 0) {
		printf("Parameters: none.\n\n");
		return;
	}
	printf("Parameters:\n\n");
	for (size_t i = 0; i < count; i++)
		printf("- `%s`: %s%s. %s\n", field[i].name,
		       field_text(&field[i], text),
		       field[i].required ? "" : ", optional", field[i].doc);
	putchar('\n');
}

static void print_indented(const char *json)
{
	for (; *json; json++) {
		putchar(*json);
		if (*json == '\n')
			printf("    ");
	}
}

static void print_example(const struct method_info *m)
{
	const struct example *e = example_of(m->name);
	printf("```\n-> [0, 1, \"%s\", [", m->name);
	print_indented(e->params);
	printf("]]\n<- [1, 1, null,\n    ");
	print_indented(e->result);
	printf("]\n```\n\n");
}

static void print_method(const struct method_info *m)
{
	static const char *const when[] = {
		[METHOD_NEW] = "as the first request, which is `hello`",
		[METHOD_READY] = "after `hello`",
		[METHOD_OPERATOR] = "on the operator's socket",
	};
	printf("### %s\n\n%s\n\n", m->name, m->doc);
	printf("Allowed %s. Answered %s.\n\n", when[m->state],
	       m->order == METHOD_VOLATILE ? "*at once*" : "in order");
	print_params(m);
	print_object_use("Result", m->result);
	print_example(m);
}

static void print_methods(void)
{
	for (size_t i = 0; i < method_count(); i++)
		if (method_at(i)->state != METHOD_OPERATOR)
			print_method(method_at(i));
}

static void print_operator_methods(void)
{
	for (size_t i = 0; i < method_count(); i++)
		if (method_at(i)->state == METHOD_OPERATOR)
			print_method(method_at(i));
}

static void print_notifications(void)
{
	for (enum notification n = 0; n < NOTIFICATION_COUNT; n++) {
		const struct notification_info *info = notification_info(n);
		printf("### %s\n\n%s\n\n", info->name, info->doc);
		print_object_use("Parameters", info->object);
		printf("```\n<- [2, \"%s\", [\n    ", info->name);
		print_indented(example_of(info->name)->result);
		printf("]]\n```\n\n");
	}
}

static void print_objects(void)
{
	for (enum object o = 0; o < OBJECT_COUNT; o++) {
		const struct object_info *info = object_info(o);
		if (o == OBJECT_NOTHING || !is_shown_apart(o))
			continue;
		printf("### %s\n\n%s\n\n", info->name, info->doc);
		print_object_fields(info);
	}
}

/* ---- the template ------------------------------------------------------ */

static void print_directive(const char *name)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} directives[] = {
		{ "kinds", print_kinds },
		{ "errors", print_errors },
		{ "limits", print_limits },
		{ "hex-error", print_hex_error },
		{ "methods", print_methods },
		{ "operator-methods", print_operator_methods },
		{ "notifications", print_notifications },
		{ "objects", print_objects },
	};
	if (!strncmp(name, "hex ", 4)) {
		print_hex_example(name + 4);
		return;
	}
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]);
	     i++) {
		if (!strcmp(directives[i].name, name)) {
			directives[i].print();
			return;
		}
	}
	die("no such directive: @%s", name);
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	if (argc != 2)
		die("usage: protodoc TEMPLATE");
	FILE *in = fopen(argv[1], "r");
	if (!in)
		die("cannot open '%s'", argv[1]);
	check_examples();
	while ((len = getline(&line, &size, in)) >= 0) {
		if (line[0] != '@') {
			fputs(line, stdout);
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		print_directive(line + 1);
	}
	free(line);
	fclose(in);
	return ferror(stdout) ? 1 : 0;
}
