/* SPDX-License-Identifier: MIT */
#include "proto/read.h"

#include <assert.h>
#include <stdlib.h>

#include <msgpack.h>
#include <utf8proc.h>

#include <plyd/err.h>

const struct doc_rules doc_request = {
	{ MESSAGE_BYTES_MAX, MESSAGE_ELEMENTS_MAX }, false
};
const struct doc_rules doc_answer = { { ANSWER_BYTES_MAX, ANSWER_ELEMENTS_MAX },
				      false };
const struct doc_rules doc_store = { { STORE_BYTES_MAX, STORE_ELEMENTS_MAX },
				     true };

struct doc {
	msgpack_zone zone;
	msgpack_object root;
};

struct doc *doc_new(void)
{
	struct doc *d = malloc(sizeof(*d));
	if (!d)
		return NULL;
	if (!msgpack_zone_init(&d->zone, DOC_CHUNK_BYTES)) {
		free(d);
		return NULL;
	}
	return d;
}

void doc_free(struct doc *d)
{
	if (!d)
		return;
	msgpack_zone_destroy(&d->zone);
	free(d);
}

/* ---- text -------------------------------------------------------------- */

bool utf8_valid(struct span text)
{
	size_t i = 0;
	while (i < text.len) {
		if (text.at[i] < 0x80) {
			i++;
			continue;
		}
		utf8proc_int32_t point;
		utf8proc_ssize_t n =
			utf8proc_iterate(text.at + i,
					 (utf8proc_ssize_t)(text.len - i),
					 &point);
		if (n <= 0)
			return false;
		i += (size_t)n;
	}
	return true;
}

size_t utf8_count(struct span text)
{
	size_t count = 0;
	for (size_t i = 0; i < text.len; i++)
		count += (text.at[i] & 0xc0) != 0x80;
	return count;
}

/* ---- what is refused --------------------------------------------------- */

static struct span str_of(const msgpack_object *o)
{
	return span_of(o->via.str.ptr, o->via.str.size);
}

static int check(const msgpack_object *o, const struct doc_rules *rules);

static bool key_repeats(const msgpack_object_map *map, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (span_eq(str_of(&map->ptr[i].key), str_of(&map->ptr[j].key)))
			return true;
	return false;
}

static int check_map(const msgpack_object_map *map,
		     const struct doc_rules *rules)
{
	if (map->size > MAP_ENTRIES_MAX)
		return PLYD_ETOOLARGE;
	for (size_t i = 0; i < map->size; i++) {
		const msgpack_object_kv *entry = &map->ptr[i];
		if (entry->key.type != MSGPACK_OBJECT_STR)
			return PLYD_EMESSAGE;
		if (!utf8_valid(str_of(&entry->key)))
			return PLYD_EUTF8;
		if (key_repeats(map, i))
			return PLYD_EDUPKEY;
		int err = check(&entry->val, rules);
		if (err)
			return err;
	}
	return PLYD_OK;
}

static int check_array(const msgpack_object_array *array,
		       const struct doc_rules *rules)
{
	for (size_t i = 0; i < array->size; i++) {
		int err = check(&array->ptr[i], rules);
		if (err)
			return err;
	}
	return PLYD_OK;
}

/* Recursion is bounded by SCAN_DEPTH_MAX. */
static int check(const msgpack_object *o, const struct doc_rules *rules)
{
	switch (o->type) {
	case MSGPACK_OBJECT_NIL:
	case MSGPACK_OBJECT_BOOLEAN:
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
	case MSGPACK_OBJECT_NEGATIVE_INTEGER: return PLYD_OK;
	case MSGPACK_OBJECT_STR:
		return utf8_valid(str_of(o)) ? PLYD_OK : PLYD_EUTF8;
	case MSGPACK_OBJECT_ARRAY: return check_array(&o->via.array, rules);
	case MSGPACK_OBJECT_MAP: return check_map(&o->via.map, rules);
	case MSGPACK_OBJECT_BIN: return rules->bin ? PLYD_OK : PLYD_EWIRETYPE;
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
	case MSGPACK_OBJECT_EXT: break;
	}
	return PLYD_EWIRETYPE;
}

/* SCAN_MESSAGE or SCAN_TOODEEP if bytes are just one message. */
static int measure(struct span bytes, const struct scan_limits *limits)
{
	struct scan scan;
	size_t taken;
	scan_init(&scan, limits);
	int ret = scan_feed(&scan, bytes, &taken);
	if (ret == SCAN_MORE || (ret > 0 && taken < bytes.len))
		return PLYD_EMESSAGE;
	return ret;
}

int doc_parse(struct doc *d, struct span bytes, const struct doc_rules *rules,
	      const struct value **out)
{
	*out = NULL;
	int found = measure(bytes, &rules->limits);
	return found < 0 ? found
			 : doc_parse_scanned(d, bytes, found, rules, out);
}

int doc_parse_scanned(struct doc *d, struct span bytes, int found,
		      const struct doc_rules *rules, const struct value **out)
{
	size_t off = 0;
	*out = NULL;
	msgpack_zone_clear(&d->zone);
	msgpack_unpack_return ret =
		msgpack_unpack((const char *)bytes.at, bytes.len, &off,
			       &d->zone, &d->root);
	if (ret == MSGPACK_UNPACK_NOMEM_ERROR)
		return PLYD_ENOMEM;
	assert(ret == MSGPACK_UNPACK_SUCCESS && off == bytes.len);
	*out = (const struct value *)&d->root;
	return found == SCAN_TOODEEP ? PLYD_ETOODEEP : check(&d->root, rules);
}

/* ---- values ------------------------------------------------------------ */

static const msgpack_object *object(const struct value *v)
{
	return (const msgpack_object *)v;
}

static const struct value *value(const msgpack_object *o)
{
	return (const struct value *)o;
}

enum value_type value_type(const struct value *v)
{
	switch (object(v)->type) {
	case MSGPACK_OBJECT_NIL: return VALUE_NIL;
	case MSGPACK_OBJECT_BOOLEAN: return VALUE_BOOL;
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
	case MSGPACK_OBJECT_NEGATIVE_INTEGER: return VALUE_INT;
	case MSGPACK_OBJECT_STR: return VALUE_STR;
	case MSGPACK_OBJECT_BIN: return VALUE_BIN;
	case MSGPACK_OBJECT_ARRAY: return VALUE_ARRAY;
	case MSGPACK_OBJECT_MAP: return VALUE_MAP;
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
	case MSGPACK_OBJECT_EXT: break;
	}
	return VALUE_REFUSED;
}

/* PLYD_OK if v is there and has that type. */
static int expect(const struct value *v, enum value_type type)
{
	if (!v)
		return PLYD_EMISSING;
	return value_type(v) == type ? PLYD_OK : PLYD_EBADTYPE;
}

int value_int(const struct value *v, int64_t min, int64_t max, int64_t *out)
{
	int err = expect(v, VALUE_INT);
	if (err)
		return err;
	/* a positive integer may be greater than any int64_t */
	if (object(v)->type == MSGPACK_OBJECT_POSITIVE_INTEGER &&
	    object(v)->via.u64 > INT64_MAX)
		return PLYD_ERANGE;
	if (object(v)->via.i64 < min || object(v)->via.i64 > max)
		return PLYD_ERANGE;
	*out = object(v)->via.i64;
	return PLYD_OK;
}

int value_uint(const struct value *v, uint64_t max, uint64_t *out)
{
	int err = expect(v, VALUE_INT);
	if (err)
		return err;
	if (object(v)->type == MSGPACK_OBJECT_NEGATIVE_INTEGER ||
	    object(v)->via.u64 > max)
		return PLYD_ERANGE;
	*out = object(v)->via.u64;
	return PLYD_OK;
}

int value_bool(const struct value *v, bool *out)
{
	int err = expect(v, VALUE_BOOL);
	if (!err)
		*out = object(v)->via.boolean;
	return err;
}

int value_str(const struct value *v, struct span *out)
{
	int err = expect(v, VALUE_STR);
	if (!err)
		*out = str_of(object(v));
	return err;
}

int value_bin(const struct value *v, struct span *out)
{
	int err = expect(v, VALUE_BIN);
	if (!err)
		*out = span_of(object(v)->via.bin.ptr, object(v)->via.bin.size);
	return err;
}

size_t value_count(const struct value *v)
{
	if (!expect(v, VALUE_ARRAY))
		return object(v)->via.array.size;
	if (!expect(v, VALUE_MAP))
		return object(v)->via.map.size;
	return 0;
}

const struct value *value_at(const struct value *v, size_t i)
{
	if (expect(v, VALUE_ARRAY) || i >= object(v)->via.array.size)
		return NULL;
	return value(&object(v)->via.array.ptr[i]);
}

const struct value *value_entry(const struct value *v, size_t i,
				struct span *key)
{
	if (expect(v, VALUE_MAP) || i >= object(v)->via.map.size)
		return NULL;
	const msgpack_object_kv *entry = &object(v)->via.map.ptr[i];
	*key = str_of(&entry->key);
	return value(&entry->val);
}

const struct value *value_find(const struct value *v, const char *key)
{
	struct span name;
	const struct value *found;
	for (size_t i = 0; (found = value_entry(v, i, &name)); i++)
		if (span_is(name, key))
			return found;
	return NULL;
}
