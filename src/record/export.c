/* SPDX-License-Identifier: MIT */
#include "record/export.h"

#include <inttypes.h>

#include "base/hex.h"
#include "record/chain.h"
#include "record/codec.h"

/* -- JSON -- */

static void put_hex_string(struct buf *b, struct span bytes)
{
	char two[3];
	buf_put_byte(b, '"');
	for (size_t i = 0; i < bytes.len; i++) {
		hex_write(&bytes.at[i], 1, two);
		buf_put(b, two, 2);
	}
	buf_put_byte(b, '"');
}

/* The text is valid UTF-8: only quotes, backslashes and controls are escaped.
 */
static void put_json_string(struct buf *b, struct span text)
{
	buf_put_byte(b, '"');
	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.at[i];
		if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			buf_printf(b, "\\u%04x", c);
		else
			buf_put_byte(b, c);
	}
	buf_put_byte(b, '"');
}

/* -- one field: json_<kind>_field -- */

static void json_num_field(struct buf *b, int64_t x)
{
	buf_printf(b, "%" PRId64, x);
}

static void json_flag_field(struct buf *b, bool x)
{
	buf_put_str(b, x ? "true" : "false");
}

static void json_id_field(struct buf *b, struct id x)
{
	if (id_is_none(&x))
		buf_put_str(b, "null");
	else
		put_json_string(b, span_str(x.text));
}

static void json_digest_field(struct buf *b, struct digest x)
{
	put_hex_string(b, span_of(x.byte, DIGEST_BYTES));
}

static void json_text_field(struct buf *b, struct span x)
{
	put_json_string(b, x);
}

static void json_bytes_field(struct buf *b, struct span x)
{
	put_hex_string(b, x);
}

#define F(kind, name, doc)                                                     \
	buf_put_str(b, ", \"" #name "\": ");                                   \
	json_##kind##_field(b, body->name);
#define T(number, UPPER, lower, stream, doc)                                   \
	static void json_##lower(struct buf *b,                                \
				 const struct fact_##lower##_body *body)       \
	{                                                                      \
		FACT_##UPPER##_FIELDS(F)                                       \
	}
FACTS(T)
#undef T
#undef F

static void put_body(struct buf *b, const struct fact *f)
{
	switch (f->type) {
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: json_##lower(b, &f->lower); break;
		FACTS(T)
#undef T
	}
}

/* -- the record -- */

void exporter_begin(struct exporter *e, struct buf *b, const struct id *match)
{
	*e = (struct exporter){ .b = b,
				.match = *match,
				.head = chain_start(match) };
	buf_printf(b, "{\"format\": \"plyd-record-1\", \"match\": \"%s\",\n",
		   match->text);
	buf_put_str(b, "\"facts\": [");
}

void exporter_redacted(struct exporter *e, const struct digest *after_begun)
{
	e->redacted = true;
	e->after_begun = *after_begun;
}

int exporter_fact(struct exporter *e, struct doc *doc, struct span bytes)
{
	struct fact f;
	int err = fact_decode(doc, bytes, &e->match, 0, &f);
	if (err)
		return err;
	buf_printf(e->b, "%s\n{\"fact\": \"%s\", \"at_ms\": %" PRIu64,
		   e->facts > 0 ? "," : "", fact_name(f.type), f.at_ms);
	put_body(e->b, &f);
	buf_put_str(e->b, ", \"bytes\": ");
	put_hex_string(e->b, bytes);
	buf_put_str(e->b, "}");
	e->head = e->redacted && e->facts == 0 ? e->after_begun
					       : chain_next(&e->head, bytes);
	e->facts++;
	return e->b->err;
}

int exporter_end(struct exporter *e)
{
	buf_put_str(e->b, "],\n");
	if (e->redacted) {
		buf_put_str(e->b, "\"begun_hash\": ");
		put_hex_string(e->b,
			       span_of(e->after_begun.byte, DIGEST_BYTES));
		buf_put_str(e->b, ",\n");
	}
	buf_put_str(e->b, "\"head\": ");
	put_hex_string(e->b, span_of(e->head.byte, DIGEST_BYTES));
	return buf_put_str(e->b, "}\n");
}
