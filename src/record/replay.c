/* SPDX-License-Identifier: MIT */
#include "record/replay.h"

#include "record/chain.h"
#include "record/codec.h"

/* A snapshot: this line, domain time as u64be, then each fact with its length
 * as u32be before it. */
static const char magic[] = "plyd-state-1\n";

enum {
	MAGIC_BYTES = sizeof(magic) - 1,
	TIME_BYTES = 8,
	HEADER_BYTES = MAGIC_BYTES + TIME_BYTES
};

static void put_be(uint8_t *out, size_t bytes, uint64_t x)
{
	for (size_t i = 0; i < bytes; i++)
		out[i] = (uint8_t)(x >> (8 * (bytes - 1 - i)));
}

static uint64_t get_be(const uint8_t *in, size_t bytes)
{
	uint64_t x = 0;
	for (size_t i = 0; i < bytes; i++)
		x = x << 8 | in[i];
	return x;
}

static void move_head(struct domain *d, const struct fact *f, struct span row)
{
	struct digest *head = domain_head(d, &f->match);
	if (!head)
		return;
	struct digest before =
		f->type == FACT_BEGUN ? chain_start(&f->match) : *head;
	*head = chain_next(&before, row);
}

void journal_row(struct domain *d, const struct fact *f, struct buf *b)
{
	size_t from = b->len;
	fact_encode(f, b);
	if (!b->err && fact_stream(f->type) == STREAM_MATCH)
		move_head(d, f, span_of(b->at + from, b->len - from));
}

static int write_state_fact(void *payload, const struct fact *f)
{
	struct buf *b = payload;
	uint8_t length[FACT_LENGTH_BYTES] = { 0 };
	size_t at = b->len;
	buf_put(b, length, sizeof(length));
	fact_encode(f, b);
	if (b->err)
		return b->err;
	put_be(b->at + at, FACT_LENGTH_BYTES, b->len - at - FACT_LENGTH_BYTES);
	return PLYD_OK;
}

int snapshot_write(const struct domain *d, struct buf *b)
{
	uint8_t now[TIME_BYTES];
	put_be(now, TIME_BYTES, domain_now_ms(d));
	buf_put(b, magic, MAGIC_BYTES);
	buf_put(b, now, TIME_BYTES);
	int err = domain_state_facts(d, write_state_fact, b);
	return err ? err : b->err;
}

int replay_snapshot(struct domain *d, struct doc *doc, uint64_t row,
		    struct span bytes)
{
	static const struct id none;
	struct fact f;
	struct span one;
	int gone = PLYD_OK;
	if (bytes.len < HEADER_BYTES || memcmp(bytes.at, magic, MAGIC_BYTES))
		return PLYD_EVERSION;
	uint64_t now_ms = get_be(bytes.at + MAGIC_BYTES, TIME_BYTES);
	if (now_ms > INT64_MAX)
		return PLYD_ERECORD;
	struct span rest =
		span_of(bytes.at + HEADER_BYTES, bytes.len - HEADER_BYTES);
	while (rest.len > 0) {
		int err = fact_cut(&rest, &one)
				  ? fact_decode(doc, one, &none, 0, &f)
				  : PLYD_ERECORD;
		if (!err && fact_stream(f.type) != STREAM_GENERAL)
			err = PLYD_ERECORD;
		if (!err)
			err = domain_apply(d, &f);
		if (err == PLYD_ERULESET || err == PLYD_ENOLOBBY)
			gone = PLYD_ERULESET;
		else if (err)
			return err;
	}
	domain_set_now_ms(d, now_ms);
	domain_set_last_row(d, row);
	return gone;
}

int replay_row(struct domain *d, struct doc *doc, uint64_t row,
	       const struct id *match, struct span bytes)
{
	struct fact f;
	int err = fact_decode(doc, bytes, match, row, &f);
	domain_set_last_row(d, row);
	if (!err &&
	    (fact_stream(f.type) == STREAM_GENERAL) != id_is_none(match))
		err = PLYD_ERECORD;
	if (!err)
		err = domain_apply(d, &f);
	if (err) {
		domain_freeze(d, match);
		return err;
	}
	if (!id_is_none(match))
		move_head(d, &f, bytes);
	return PLYD_OK;
}

int replay_secret(struct domain *d, struct doc *doc, const struct id *match,
		  struct span bytes)
{
	struct fact f;
	int err = fact_decode(doc, bytes, match, 0, &f);
	if (!err && fact_stream(f.type) != STREAM_SECRET)
		err = PLYD_ERECORD;
	return err ? err : domain_apply(d, &f);
}
