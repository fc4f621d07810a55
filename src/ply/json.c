/* SPDX-License-Identifier: MIT */
#include "ply/json.h"

#include "proto/write.h"

/* -- JSON of a value -- */

static json_t *json_of_array(const struct client_value *v)
{
	json_t *j = json_array();
	for (size_t i = 0; i < client_count(v); i++)
		if (json_array_append_new(j, json_of_value(client_at(v, i)))) {
			json_decref(j);
			return NULL;
		}
	return j;
}

static json_t *json_of_map(const struct client_value *v)
{
	json_t *j = json_object();
	for (size_t i = 0; i < client_count(v); i++) {
		const char *key;
		size_t len;
		json_t *item = json_of_value(client_entry(v, i, &key, &len));
		if (json_object_setn_new(j, key, len, item)) {
			json_decref(j);
			return NULL;
		}
	}
	return j;
}

json_t *json_of_value(const struct client_value *v)
{
	size_t len;
	const char *text;
	switch (client_type(v)) {
	case CLIENT_NIL: break;
	case CLIENT_BOOL: return json_boolean(client_bool(v));
	case CLIENT_INT: return json_integer(client_int(v));
	case CLIENT_STR:
		text = client_str(v, &len);
		return json_stringn(text, len);
	case CLIENT_ARRAY: return json_of_array(v);
	case CLIENT_MAP: return json_of_map(v);
	}
	return json_null();
}

/* -- MessagePack -- */

static void put_value_map(struct buf *b, const struct client_value *v)
{
	put_map(b, (uint32_t)client_count(v));
	for (size_t i = 0; i < client_count(v); i++) {
		const char *key;
		size_t len;
		const struct client_value *item =
			client_entry(v, i, &key, &len);
		put_str(b, span_of(key, len));
		put_value(b, item);
	}
}

void put_value(struct buf *b, const struct client_value *v)
{
	size_t len;
	const char *text;
	switch (client_type(v)) {
	case CLIENT_NIL: put_nil(b); break;
	case CLIENT_BOOL: put_bool(b, client_bool(v)); break;
	case CLIENT_INT: put_int(b, client_int(v)); break;
	case CLIENT_STR:
		text = client_str(v, &len);
		put_str(b, span_of(text, len));
		break;
	case CLIENT_ARRAY:
		put_array(b, (uint32_t)client_count(v));
		for (size_t i = 0; i < client_count(v); i++)
			put_value(b, client_at(v, i));
		break;
	case CLIENT_MAP: put_value_map(b, v); break;
	}
}

static bool put_json_array(struct buf *b, const json_t *j)
{
	put_array(b, (uint32_t)json_array_size(j));
	for (size_t i = 0; i < json_array_size(j); i++)
		if (!put_json(b, json_array_get(j, i)))
			return false;
	return true;
}

static bool put_json_map(struct buf *b, const json_t *j)
{
	json_t *all = (json_t *)j; /* jansson's iterators know no const */
	put_map(b, (uint32_t)json_object_size(j));
	for (void *at = json_object_iter(all); at;
	     at = json_object_iter_next(all, at)) {
		put_cstr(b, json_object_iter_key(at));
		if (!put_json(b, json_object_iter_value(at)))
			return false;
	}
	return true;
}

bool put_json(struct buf *b, const json_t *j)
{
	switch (json_typeof(j)) {
	case JSON_NULL: put_nil(b); return true;
	case JSON_TRUE: put_bool(b, true); return true;
	case JSON_FALSE: put_bool(b, false); return true;
	case JSON_INTEGER: put_int(b, json_integer_value(j)); return true;
	case JSON_STRING:
		put_str(b,
			span_of(json_string_value(j), json_string_length(j)));
		return true;
	case JSON_ARRAY: return put_json_array(b, j);
	case JSON_OBJECT: return put_json_map(b, j);
	case JSON_REAL: break;
	}
	return false;
}
