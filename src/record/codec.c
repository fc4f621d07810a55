/* SPDX-License-Identifier: MIT */
#include "record/codec.h"

#include <plyd/err.h>
#include "proto/write.h"

enum { HEADER_ITEMS = 2 }; /* type, at_ms */

/* -- one field: put_<kind>_field, get_<kind>_field -- */

static void put_num_field(struct buf *b, int64_t x)
{
	put_int(b, x);
}

static void put_flag_field(struct buf *b, bool x)
{
	put_bool(b, x);
}

static void put_id_field(struct buf *b, struct id x)
{
	put_cstr(b, x.text);
}

static void put_digest_field(struct buf *b, struct digest x)
{
	put_bin(b, span_of(x.byte, DIGEST_BYTES));
}

static void put_text_field(struct buf *b, struct span x)
{
	put_str(b, x);
}

static void put_bytes_field(struct buf *b, struct span x)
{
	put_bin(b, x);
}

static bool get_num_field(const struct value *v, int64_t *out)
{
	return !value_int(v, INT64_MIN, INT64_MAX, out);
}

static bool get_flag_field(const struct value *v, bool *out)
{
	return !value_bool(v, out);
}

static bool get_id_field(const struct value *v, struct id *out)
{
	struct span text;
	return !value_str(v, &text) && (text.len == 0 || id_read(text, out));
}

static bool get_digest_field(const struct value *v, struct digest *out)
{
	struct span bytes;
	if (value_bin(v, &bytes) || bytes.len != DIGEST_BYTES)
		return false;
	memcpy(out->byte, bytes.at, DIGEST_BYTES);
	return true;
}

/* An empty span points somewhere too: who reads it may add 0 to it. */
static bool get_text_field(const struct value *v, struct span *out)
{
	if (value_str(v, out))
		return false;
	if (out->len == 0)
		*out = span_str("");
	return true;
}

static bool get_bytes_field(const struct value *v, struct span *out)
{
	if (value_bin(v, out))
		return false;
	if (out->len == 0)
		*out = span_str("");
	return true;
}

/* -- what an older fact has for a field of today -- */

static void absent_num_field(int64_t *out)
{
	*out = 0;
}

static void absent_flag_field(bool *out)
{
	*out = false;
}

static void absent_id_field(struct id *out)
{
	*out = (struct id){ { 0 } };
}

static void absent_digest_field(struct digest *out)
{
	*out = (struct digest){ { 0 } };
}

static void absent_text_field(struct span *out)
{
	*out = span_str("");
}

static void absent_bytes_field(struct span *out)
{
	*out = span_str("");
}

/* -- one body: put_<fact>, get_<fact> -- */

#define F(kind, name, doc) put_##kind##_field(b, body->name);
#define T(number, UPPER, lower, stream, doc)                                   \
	static void put_##lower(const struct fact_##lower##_body *body,        \
				struct buf *b)                                 \
	{                                                                      \
		FACT_##UPPER##_FIELDS(F)                                       \
	}
FACTS(T)
#undef T
#undef F

/* A field beyond the end of the array stays zero, a text empty. */
#define F(kind, name, doc)                                                     \
	if (i < value_count(array)) {                                          \
		if (!get_##kind##_field(value_at(array, i), &body->name))      \
			return false;                                          \
	} else {                                                               \
		absent_##kind##_field(&body->name);                            \
	}                                                                      \
	i++;
#define T(number, UPPER, lower, stream, doc)                                   \
	static bool get_##lower(const struct value *array,                     \
				struct fact_##lower##_body *body)              \
	{                                                                      \
		size_t i = HEADER_ITEMS;                                       \
		FACT_##UPPER##_FIELDS(F) return true;                          \
	}
FACTS(T)
#undef T
#undef F

static uint32_t field_count(enum fact_type type)
{
#define F(kind, name, doc) +1
	switch (type) {
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: return 0 FACT_##UPPER##_FIELDS(F);
		FACTS(T)
#undef T
	}
#undef F
	return 0;
}

void fact_encode(const struct fact *f, struct buf *b)
{
	put_array(b, HEADER_ITEMS + field_count(f->type));
	put_uint(b, (uint64_t)f->type);
	put_uint(b, f->at_ms);
	switch (f->type) {
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: put_##lower(&f->lower, b); break;
		FACTS(T)
#undef T
	}
}

static bool decode_body(const struct value *array, struct fact *out)
{
	switch (out->type) {
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: return get_##lower(array, &out->lower);
		FACTS(T)
#undef T
	}
	return false;
}

int fact_decode(struct doc *d, struct span bytes, const struct id *match,
		uint64_t row, struct fact *out)
{
	const struct value *root;
	int64_t type;
	*out = (struct fact){ .match = *match, .row = row };
	int err = doc_parse(d, bytes, &doc_store, &root);
	if (err)
		return err == PLYD_ENOMEM ? err : PLYD_ERECORD;
	if (value_type(root) != VALUE_ARRAY ||
	    value_int(value_at(root, 0), 1, 255, &type) ||
	    value_uint(value_at(root, 1), INT64_MAX, &out->at_ms))
		return PLYD_ERECORD;
	out->type = (enum fact_type)type;
	if (!fact_name(out->type) || !decode_body(root, out))
		return PLYD_ERECORD;
	return PLYD_OK;
}

bool fact_cut(struct span *rest, struct span *fact)
{
	size_t len = 0;
	if (rest->len < FACT_LENGTH_BYTES)
		return false;
	for (size_t i = 0; i < FACT_LENGTH_BYTES; i++)
		len = len << 8 | rest->at[i];
	if (len > rest->len - FACT_LENGTH_BYTES)
		return false;
	*fact = span_of(rest->at + FACT_LENGTH_BYTES, len);
	*rest = span_of(fact->at + len, rest->len - FACT_LENGTH_BYTES - len);
	return true;
}
