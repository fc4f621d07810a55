/* SPDX-License-Identifier: MIT */
#include "proto/methods.h"

#include <assert.h>
#include <stdio.h>

#include <plyd/err.h>
#include "base/hex.h"
#include "proto/write.h"

/* ---- the table as data ------------------------------------------------- */

#define V(enumerator, word) word,
#define C(name, VALUES)                                                        \
	static const char *const choice_##name[] = { VALUES(V) NULL };
CHOICES(C)
#undef C
#undef V

/* Decoding writes a choice as an unsigned. */
#define C(name, VALUES)                                                        \
	_Static_assert(sizeof(enum name) == sizeof(unsigned), #name);
CHOICES(C)
#undef C

#define BOUNDS_str(lo, hi)     .kind = FIELD_STR, .min = (lo), .max = (hi)
#define BOUNDS_id(lo, hi)      .kind = FIELD_ID
#define BOUNDS_int(lo, hi)     .kind = FIELD_INT, .min = (lo), .max = (hi)
#define BOUNDS_version(lo, hi) .kind = FIELD_VERSION, .min = (lo), .max = (lo)
#define BOUNDS_flag(lo, hi)    .kind = FIELD_FLAG
#define BOUNDS_hex(lo, hi)     .kind = FIELD_HEX, .min = (lo), .max = (hi)
#define BOUNDS_choice(lo, hi)  .kind = FIELD_CHOICE, .choice = choice_##lo
#define NEED_REQ(member)       .required = true
#define NEED_OPT(member)       .has_at = offsetof(params, has_##member)
#define F(kind_, member, need, lo, hi, doc_)                                   \
	{ .name = #member,                                                     \
	  .at = offsetof(params, member),                                      \
	  .doc = (doc_),                                                       \
	  BOUNDS_##kind_(lo, hi),                                              \
	  NEED_##need(member) },
/* A function each, for the sake of its typedef, which F lines cannot name;
 * the last row has no name, since a method may have no parameters. */
#define M(id, UPPER, lower, wire, state, order, RESULT, doc)                   \
	static const struct field *lower##_fields(size_t *count)               \
	{                                                                      \
		typedef struct params_##lower params;                          \
		static const struct field rows[] = {                           \
			UPPER##_PARAMS(F){ .at = sizeof(params) },             \
		};                                                             \
		*count = sizeof(rows) / sizeof(rows[0]) - 1;                   \
		return rows;                                                   \
	}
METHODS(M)
#undef M
#undef F

static const struct {
	struct method_info info;
	const struct field *(*fields)(size_t *count);
} methods[] = {
#define M(id, UPPER, lower, wire, state_, order_, RESULT, doc_)                \
	{ { .method = METHOD_##UPPER,                                          \
	    .name = wire,                                                      \
	    .state = METHOD_##state_,                                          \
	    .order = METHOD_##order_,                                          \
	    .result = OBJECT_##RESULT,                                         \
	    .doc = doc_ },                                                     \
	  lower##_fields },
	METHODS(M)
#undef M
};
enum { METHOD_COUNT = sizeof(methods) / sizeof(methods[0]) };

static const struct notification_info notifications[] = {
#define N(UPPER, wire, OBJECT, doc) { wire, OBJECT_##OBJECT, doc },
	NOTIFICATIONS(N)
#undef N
};

size_t method_count(void)
{
	return METHOD_COUNT;
}

const struct method_info *method_at(size_t i)
{
	return i < METHOD_COUNT ? &methods[i].info : NULL;
}

/* The rows of methods[], in the order of the table. */
enum method_row {
#define M(id, UPPER, lower, wire, state, order, RESULT, doc) ROW_##UPPER,
	METHODS(M)
#undef M
};

static size_t method_index(enum method method)
{
	switch (method) {
#define M(id, UPPER, lower, wire, state, order, RESULT, doc)                   \
	case METHOD_##UPPER: return ROW_##UPPER;
		METHODS(M)
#undef M
	}
	assert(!"a method of the table");
	return 0;
}

const struct method_info *method_info(enum method method)
{
	return &methods[method_index(method)].info;
}

/* Names by a sum of their bytes: open addressing, one more than the row, 0 for
 * none. */
enum { NAME_SLOTS = 512 };
_Static_assert(METHOD_COUNT * 2 < NAME_SLOTS, "it is no more than half full");

static size_t name_slot(struct span name)
{
	size_t sum = name.len;
	for (size_t i = 0; i < name.len; i++)
		sum = sum * 31 + name.at[i];
	return sum % NAME_SLOTS;
}

static const uint16_t *names_by_slot(void)
{
	static uint16_t slots[NAME_SLOTS];
	static bool is_made;
	for (size_t i = 0; i < METHOD_COUNT && !is_made; i++) {
		size_t at = name_slot(span_str(methods[i].info.name));
		while (slots[at] != 0)
			at = (at + 1) % NAME_SLOTS;
		slots[at] = (uint16_t)(i + 1);
	}
	is_made = true;
	return slots;
}

const struct method_info *method_find(struct span wire_name)
{
	const uint16_t *slots = names_by_slot();
	size_t at = name_slot(wire_name);
	for (; slots[at] != 0; at = (at + 1) % NAME_SLOTS)
		if (span_is(wire_name, methods[slots[at] - 1].info.name))
			return &methods[slots[at] - 1].info;
	return NULL;
}

const struct field *method_fields(enum method method, size_t *count)
{
	return methods[method_index(method)].fields(count);
}

const struct notification_info *notification_info(enum notification n)
{
	assert((unsigned)n < NOTIFICATION_COUNT);
	return &notifications[n];
}

/* ---- fields in words --------------------------------------------------- */

static void choice_text(const struct field *f, char out[FIELD_TEXT_MAX])
{
	size_t len = (size_t)snprintf(out, FIELD_TEXT_MAX, "one of");
	for (size_t i = 0; f->choice[i]; i++) {
		int n = snprintf(out + len, FIELD_TEXT_MAX - len, "%s %s",
				 i > 0 ? "," : "", f->choice[i]);
		len += (size_t)n;
		assert(len < FIELD_TEXT_MAX);
	}
}

const char *field_text(const struct field *f, char out[FIELD_TEXT_MAX])
{
	long long min = f->min, max = f->max;
	switch (f->kind) {
	case FIELD_STR:
		snprintf(out, FIELD_TEXT_MAX, "text of %lld to %lld characters",
			 min, max);
		break;
	case FIELD_ID:
		snprintf(out, FIELD_TEXT_MAX, "an id of %d characters",
			 ID_CHARS);
		break;
	case FIELD_INT:
		snprintf(out, FIELD_TEXT_MAX, "an integer from %lld to %lld",
			 min, max);
		break;
	case FIELD_VERSION:
		snprintf(out, FIELD_TEXT_MAX, "the integer %lld", min);
		break;
	case FIELD_FLAG: snprintf(out, FIELD_TEXT_MAX, "true or false"); break;
	case FIELD_HEX:
		if (min == max)
			snprintf(out, FIELD_TEXT_MAX,
				 "%lld bytes in lower-case hex", max);
		else
			snprintf(out, FIELD_TEXT_MAX,
				 "%lld to %lld bytes in lower-case hex", min,
				 max);
		break;
	case FIELD_CHOICE: choice_text(f, out); break;
	}
	return out;
}

/* ---- decoding one field ------------------------------------------------ */

static int decode_str(const struct field *f, const struct value *v, void *out)
{
	struct span text;
	int err = value_str(v, &text);
	if (err)
		return err;
	size_t chars = utf8_count(text);
	if (chars < (size_t)f->min || chars > (size_t)f->max)
		return PLYD_ERANGE;
	if (text.len > 0 && memchr(text.at, 0, text.len))
		return PLYD_EVALUE;
	memcpy(out, &text, sizeof(text));
	return PLYD_OK;
}

static int decode_id(const struct field *f, const struct value *v, void *out)
{
	(void)f;
	struct span text;
	int err = value_str(v, &text);
	if (err)
		return err;
	return id_read(text, out) ? PLYD_OK : PLYD_EVALUE;
}

static int decode_int(const struct field *f, const struct value *v, void *out)
{
	return value_int(v, f->min, f->max, out);
}

static int decode_version(const struct field *f, const struct value *v,
			  void *out)
{
	int err = value_int(v, f->min, f->min, out);
	return err == PLYD_ERANGE ? PLYD_EPROTOCOL : err;
}

static int decode_flag(const struct field *f, const struct value *v, void *out)
{
	(void)f;
	return value_bool(v, out);
}

static int decode_hex(const struct field *f, const struct value *v, void *out)
{
	struct hex_field *hex = out;
	struct span text;
	int err = value_str(v, &text);
	if (err)
		return err;
	if (text.len / 2 < (size_t)f->min || text.len / 2 > (size_t)f->max)
		return PLYD_ERANGE;
	long len = hex_read(text, hex->at, sizeof(hex->at));
	if (len < 0)
		return PLYD_EVALUE;
	hex->len = (uint8_t)len;
	return PLYD_OK;
}

static int decode_choice(const struct field *f, const struct value *v,
			 void *out)
{
	struct span word;
	int err = value_str(v, &word);
	if (err)
		return err;
	for (unsigned i = 0; f->choice[i]; i++) {
		if (span_is(word, f->choice[i])) {
			memcpy(out, &i, sizeof(i));
			return PLYD_OK;
		}
	}
	return PLYD_EVALUE;
}

typedef int decode_fn(const struct field *f, const struct value *v, void *out);
static decode_fn *const decoders[] = {
	[FIELD_STR] = decode_str,       [FIELD_ID] = decode_id,
	[FIELD_INT] = decode_int,       [FIELD_VERSION] = decode_version,
	[FIELD_FLAG] = decode_flag,     [FIELD_HEX] = decode_hex,
	[FIELD_CHOICE] = decode_choice,
};

/* ---- decoding a request ------------------------------------------------ */

/* Names the parameter at fault, cut at a character's border. */
static int blame(struct decode_error *where, struct span key,
		 const struct field *field, int err)
{
	size_t len = key.len;
	if (len > KEY_SHOWN_BYTES_MAX) {
		len = KEY_SHOWN_BYTES_MAX;
		while (len > 0 && (key.at[len] & 0xc0) == 0x80)
			len--;
	}
	if (len > 0)
		memcpy(where->key, key.at, len);
	where->key[len] = '\0';
	where->field = field;
	return err;
}

static int decode_fields(const struct value *map, const struct field *field,
			 size_t fields, char *params,
			 struct decode_error *where)
{
	for (size_t i = 0; i < fields; i++) {
		const struct field *f = &field[i];
		const struct value *v = value_find(map, f->name);
		if (!v && !f->required)
			continue;
		int err = decoders[f->kind](f, v, params + f->at);
		if (err)
			return blame(where, span_str(f->name), f, err);
		if (!f->required)
			*(bool *)(params + f->has_at) = true;
	}
	return PLYD_OK;
}

static bool is_field(struct span key, const struct field *field, size_t fields)
{
	for (size_t i = 0; i < fields; i++)
		if (span_is(key, field[i].name))
			return true;
	return false;
}

static int refuse_unknown(const struct value *map, const struct field *field,
			  size_t fields, struct decode_error *where)
{
	struct span key;
	for (size_t i = 0; value_entry(map, i, &key); i++)
		if (!is_field(key, field, fields))
			return blame(where, key, NULL, PLYD_EUNKNOWNKEY);
	return PLYD_OK;
}

static int decode_params(const struct value *map, enum method method,
			 void *params, struct decode_error *where)
{
	size_t fields;
	const struct field *field = method_fields(method, &fields);
	int err = decode_fields(map, field, fields, params, where);
	return err ? err : refuse_unknown(map, field, fields, where);
}

bool request_msgid(const struct value *root, uint32_t *out)
{
	int64_t type;
	uint64_t id;
	if (value_int(value_at(root, 0), 0, 0, &type) ||
	    value_uint(value_at(root, 1), UINT32_MAX, &id))
		return false;
	*out = (uint32_t)id;
	return true;
}

bool request_is_notification(const struct value *root)
{
	int64_t type;
	struct span method;
	const struct value *params = value_at(root, 2);
	return value_count(root) == 3 &&
	       !value_int(value_at(root, 0), 2, 2, &type) &&
	       !value_str(value_at(root, 1), &method) &&
	       value_type(params) == VALUE_ARRAY;
}

int request_decode(const struct value *root, struct request *out,
		   struct decode_error *where)
{
	enum { TYPE, MSGID, METHOD, PARAMS, ITEMS };
	*where = (struct decode_error){ .has_msgid = false };
	memset(out, 0, sizeof(*out));
	if (!request_msgid(root, &where->msgid))
		return PLYD_EMESSAGE;
	where->has_msgid = true;
	out->msgid = where->msgid;

	struct span name;
	const struct value *params = value_at(root, PARAMS);
	const struct value *map = value_at(params, 0);
	if (value_count(root) != ITEMS ||
	    value_str(value_at(root, METHOD), &name) ||
	    value_count(params) != 1 || !map || value_type(map) != VALUE_MAP)
		return PLYD_EMESSAGE;
	const struct method_info *m = method_find(name);
	if (!m)
		return PLYD_EMETHOD;
	out->method = m->method;
	return decode_params(map, m->method, &out->params, where);
}

static void put_where(struct buf *b, void *payload)
{
	const struct decode_error *where = payload;
	char text[FIELD_TEXT_MAX];
	put_map(b, (where->key[0] != '\0') + (where->field != NULL));
	if (where->key[0] != '\0') {
		put_cstr(b, "key");
		put_cstr(b, where->key);
	}
	if (where->field) {
		put_cstr(b, "expected");
		put_cstr(b, field_text(where->field, text));
	}
}

size_t request_refuse(struct buf *b, int err, const struct decode_error *where)
{
	assert(where->has_msgid);
	struct decode_error copy = *where; /* a payload is not const */
	return rpc_error(b, where->msgid, err, NULL, put_where, &copy);
}
