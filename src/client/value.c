/* SPDX-License-Identifier: MIT
 * value.c - the values of a message as a caller sees them. */
#include "client/client_priv.h"

static const struct value *inner(const struct client_value *v)
{
	return (const struct value *)v;
}

enum client_type client_type(const struct client_value *v)
{
	if (!v)
		return CLIENT_NIL;
	switch (value_type(inner(v))) {
	case VALUE_BOOL: return CLIENT_BOOL;
	case VALUE_INT: return CLIENT_INT;
	case VALUE_STR: return CLIENT_STR;
	case VALUE_ARRAY: return CLIENT_ARRAY;
	case VALUE_MAP: return CLIENT_MAP;
	case VALUE_NIL:
	case VALUE_BIN:
	case VALUE_REFUSED: break;
	}
	return CLIENT_NIL;
}

int64_t client_int(const struct client_value *v)
{
	int64_t out = 0;
	value_int(inner(v), INT64_MIN, INT64_MAX, &out);
	return out;
}

bool client_bool(const struct client_value *v)
{
	bool out = false;
	value_bool(inner(v), &out);
	return out;
}

const char *client_str(const struct client_value *v, size_t *len)
{
	struct span s = { NULL, 0 };
	if (value_str(inner(v), &s)) {
		*len = 0;
		return NULL;
	}
	*len = s.len;
	return (const char *)s.at;
}

bool client_copy(const struct client_value *v, char *out, size_t size)
{
	struct span s;
	out[0] = '\0';
	return !value_str(inner(v), &s) && span_copy(s, out, size);
}

size_t client_count(const struct client_value *v)
{
	return value_count(inner(v));
}

const struct client_value *client_at(const struct client_value *v, size_t i)
{
	return shown(value_at(inner(v), i));
}

const struct client_value *client_entry(const struct client_value *v, size_t i,
					const char **key, size_t *key_len)
{
	struct span k = { NULL, 0 };
	const struct value *found = value_entry(inner(v), i, &k);
	*key = (const char *)k.at;
	*key_len = k.len;
	return shown(found);
}

const struct client_value *client_find(const struct client_value *v,
				       const char *key)
{
	return shown(value_find(inner(v), key));
}
