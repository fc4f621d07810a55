/* SPDX-License-Identifier: MIT */
#include "record/replay.h"

#include "record/chain.h"
#include "record/codec.h"

/* A snapshot: this line, then each fact with its length as u32be before it. */
static const char magic[] = "plyd-state-1\n";

enum { MAGIC_BYTES = sizeof(magic) - 1, LENGTH_BYTES = 4 };

static void move_head(struct domain *d, const struct id *match, struct span row)
{
	const struct match *m = domain_match(d, match);
	if (!m)
		return;
	struct digest start = chain_start(match);
	struct digest head = chain_next(m->seq == 1 ? &start : &m->head, row);
	domain_set_head(d, match, &head);
}

void journal_row(struct domain *d, const struct fact *f, struct buf *b)
{
	size_t from = b->len;
	fact_encode(f, b);
	if (!b->err && fact_stream(f->type) == STREAM_MATCH)
		move_head(d, &f->match, span_of(b->at + from, b->len - from));
}

static int write_state_fact(void *payload, const struct fact *f)
{
	struct buf *b = payload;
	uint8_t length[LENGTH_BYTES] = { 0 };
	size_t at = b->len;
	buf_put(b, length, sizeof(length));
	fact_encode(f, b);
	if (b->err)
		return b->err;
	size_t len = b->len - at - LENGTH_BYTES;
	for (int i = 0; i < LENGTH_BYTES; i++)
		b->at[at + i] = (uint8_t)(len >> (24 - 8 * i));
	return PLYD_OK;
}

int snapshot_write(const struct domain *d, struct buf *b)
{
	buf_put(b, magic, MAGIC_BYTES);
	int err = domain_state_facts(d, write_state_fact, b);
	return err ? err : b->err;
}

/* Cuts the next fact off; false: the rest is not one. */
static bool cut(struct span *rest, struct span *fact)
{
	if (rest->len < LENGTH_BYTES)
		return false;
	size_t len = 0;
	for (int i = 0; i < LENGTH_BYTES; i++)
		len = len << 8 | rest->at[i];
	if (len > rest->len - LENGTH_BYTES)
		return false;
	*fact = span_of(rest->at + LENGTH_BYTES, len);
	*rest = span_of(rest->at + LENGTH_BYTES + len,
			rest->len - LENGTH_BYTES - len);
	return true;
}

int replay_snapshot(struct domain *d, struct doc *doc, uint64_t row,
		    struct span bytes)
{
	static const struct id none;
	struct fact f;
	struct span one;
	if (bytes.len < MAGIC_BYTES || memcmp(bytes.at, magic, MAGIC_BYTES))
		return PLYD_EVERSION;
	struct span rest =
		span_of(bytes.at + MAGIC_BYTES, bytes.len - MAGIC_BYTES);
	while (rest.len > 0) {
		int err = cut(&rest, &one) ? fact_decode(doc, one, &none, 0, &f)
					   : PLYD_ERECORD;
		if (!err)
			err = domain_apply(d, &f);
		if (err)
			return err;
	}
	domain_set_last_row(d, row);
	return PLYD_OK;
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
		move_head(d, match, bytes);
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
