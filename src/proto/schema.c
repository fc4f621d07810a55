/* SPDX-License-Identifier: MIT */
#include "proto/schema.h"

#include <stdio.h>

#include "base/id.h"

/* The way to the value that is looked at. */
struct check {
	char *why;
	char path[SCHEMA_WHY_MAX / 2];
};

static bool wrong(const struct check *c, const char *what, struct span text)
{
	snprintf(c->why, SCHEMA_WHY_MAX, "%s: %s %.*s", c->path, what,
		 (int)(text.len < 48 ? text.len : 48), (const char *)text.at);
	return false;
}

static bool is_hex(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!memchr("0123456789abcdef", text.at[i], 16))
			return false;
	return text.len % 2 == 0;
}

/* Whether text is one of the words that are parted by '|'. */
static bool is_word_of(struct span text, struct span words)
{
	size_t begin = 0;
	for (size_t i = 0; i <= words.len; i++) {
		if (i < words.len && words.at[i] != '|')
			continue;
		if (span_eq(text, span_of(words.at + begin, i - begin)))
			return true;
		begin = i + 1;
	}
	return false;
}

static bool is_scalar(const struct value *v, struct span type)
{
	struct span text;
	struct id id;
	if (span_is(type, "any"))
		return true;
	if (span_is(type, "map"))
		return value_type(v) == VALUE_MAP;
	if (span_is(type, "int"))
		return value_type(v) == VALUE_INT;
	if (span_is(type, "bool"))
		return value_type(v) == VALUE_BOOL;
	if (value_str(v, &text))
		return false;
	if (span_is(type, "str"))
		return true;
	if (span_is(type, "hex"))
		return is_hex(text);
	if (span_is(type, "id"))
		return id_read(text, &id);
	return is_word_of(text, type);
}

static bool check_object(struct check *c, const struct value *v,
			 const struct object_info *o);

static bool check_type(struct check *c, const struct value *v, struct span type)
{
	if (type.at[0] == '[') {
		if (value_type(v) != VALUE_ARRAY)
			return wrong(c, "not", type);
		struct span item = span_of(type.at + 1, type.len - 2);
		for (size_t i = 0; i < value_count(v); i++)
			if (!check_type(c, value_at(v, i), item))
				return false;
		return true;
	}
	const struct object_info *o =
		object_find((const char *)type.at, type.len);
	if (o)
		return check_object(c, v, o);
	return is_scalar(v, type) || wrong(c, "not", type);
}

static bool check_field(struct check *c, const struct value *map,
			const struct object_field *f)
{
	struct span type = span_str(f->type);
	const struct value *v = value_find(map, f->name);
	size_t len = strlen(c->path);
	bool optional = type.at[type.len - 1] == '?';
	if (optional)
		type.len--;
	if (optional && (!v || value_type(v) == VALUE_NIL))
		return true;
	snprintf(c->path + len, sizeof(c->path) - len, ".%s", f->name);
	bool ok = v ? check_type(c, v, type) : wrong(c, "missing,", type);
	c->path[len] = '\0';
	return ok;
}

static bool check_object(struct check *c, const struct value *v,
			 const struct object_info *o)
{
	if (value_type(v) != VALUE_MAP)
		return wrong(c, "not a map for", span_str(o->name));
	for (size_t i = 0; i < o->fields; i++)
		if (!check_field(c, v, &o->field[i]))
			return false;
	struct span key;
	for (size_t i = 0; value_entry(v, i, &key); i++) {
		size_t j = 0;
		while (j < o->fields && !span_is(key, o->field[j].name))
			j++;
		if (j == o->fields)
			return wrong(c, "undeclared key", key);
	}
	return true;
}

bool schema_check(const struct value *v, enum object o,
		  char why[SCHEMA_WHY_MAX])
{
	struct check c = { .why = why };
	snprintf(c.path, sizeof(c.path), "%s", object_info(o)->name);
	why[0] = '\0';
	return check_object(&c, v, object_info(o));
}
