/* SPDX-License-Identifier: MIT
 * record_answer.c - the answer to record.get and admin.export. */
#include "session/hub_priv.h"

#include "base/log.h"
#include "proto/write.h"
#include "record/chain.h"
#include "record/codec.h"
#include "record/redact.h"
#include "session/view.h"

/* Longer records show no events: they would not fit into an answer. */
enum { EVENTS_SHOWN_MAX = 2000 };

static uint32_t count_rows(struct span rows)
{
	struct span row;
	uint32_t n = 0;
	while (fact_cut(&rows, &row))
		n++;
	return n;
}

/* *rest: what is behind the last row. */
static struct digest head_of(const struct id *match, struct span rows,
			     struct span *rest)
{
	struct span row;
	struct digest head = chain_start(match);
	while (fact_cut(&rows, &row))
		head = chain_next(&head, row);
	*rest = rows;
	return head;
}

/* Whether the rows are those that the head was made of: a disk forgets. */
static bool is_whole(const struct id *match, const struct hub_record *r)
{
	struct span rest;
	struct digest head = head_of(match, r->rows, &rest);
	return rest.len == 0 &&
	       span_eq(r->head, span_of(head.byte, DIGEST_BYTES));
}

/* As it was kept; of a match that has not ended, of the rows so far. */
static void put_head(struct buf *b, const struct id *match,
		     const struct hub_record *r)
{
	struct span rest;
	struct digest so_far = head_of(match, r->rows, &rest);
	put_hex(b,
		r->head.len > 0 ? r->head : span_of(so_far.byte, DIGEST_BYTES));
}

/* redacted: instead of the first row, if it is not empty. */
static void put_facts(struct buf *b, struct span rows, uint32_t count,
		      struct span redacted)
{
	struct span row;
	put_cstr(b, "facts");
	put_array(b, count);
	if (redacted.len > 0 && fact_cut(&rows, &row))
		put_hex(b, redacted);
	while (fact_cut(&rows, &row))
		put_hex(b, row);
}

static int put_events(struct hub *h, const struct id *match, struct span rows,
		      uint32_t count)
{
	struct span row;
	struct fact f;
	put_cstr(&h->out, "events");
	put_array(&h->out, count);
	for (uint64_t seq = 1; fact_cut(&rows, &row); seq++) {
		int err = fact_decode(h->fact, row, match, 0, &f);
		if (err)
			return err;
		view_event(&h->out, &f, seq, NULL, 0);
	}
	return PLYD_OK;
}

/* The chain after the first fact, for a record that is shown without it. */
static void put_begun_hash(struct buf *b, const struct id *match,
			   struct span rows)
{
	struct span first = { 0 };
	struct digest head = chain_start(match);
	fact_cut(&rows, &first);
	head = chain_next(&head, first);
	put_cstr(b, "begun_hash");
	put_hex(b, span_of(head.byte, DIGEST_BYTES));
}

/* The first fact without who is deleted, in h->row; empty: nobody is. */
static struct span redacted(struct hub *h, struct span rows)
{
	struct span first;
	buf_clear(&h->row);
	return fact_cut(&rows, &first) &&
			       redact_begun(h->domain, h->fact, first, &h->row)
		       ? buf_span(&h->row)
		       : span_of(NULL, 0);
}

/* as_is: whatever it is like, for an operator. */
static int put_record(struct hub *h, const struct id *match,
		      const struct hub_record *r, bool as_is)
{
	bool whole = is_whole(match, r);
	if (!whole && r->head.len > 0)
		log_event(LOG_ERROR, "a record is damaged", "match=%s",
			  match->text);
	if (!whole && !as_is)
		return PLYD_ERECORD;
	uint32_t count = count_rows(r->rows);
	bool events = whole && count <= EVENTS_SHOWN_MAX;
	struct span begun = redacted(h, r->rows);
	put_map(&h->out, 3u + events + (begun.len > 0));
	put_cstr(&h->out, "match");
	put_cstr(&h->out, match->text);
	put_cstr(&h->out, "head");
	put_head(&h->out, match, r);
	put_facts(&h->out, r->rows, count, begun);
	if (begun.len > 0)
		put_begun_hash(&h->out, match, r->rows);
	int err = events ? put_events(h, match, r->rows, count) : PLYD_OK;
	return err ? err : h->out.err;
}

void hub_record(struct hub *h, uint64_t conn, uint32_t msgid,
		const struct id *match, const struct hub_record *record)
{
	int err = record->err;
	h->records_asked--;
	const struct conn *c = find_conn(h, conn);
	if (!c)
		return;
	buf_clear(&h->out);
	if (!err) {
		rpc_begin_result(&h->out, msgid);
		err = put_record(h, match, record, c->state == CONN_OPERATOR);
	}
	if (err) {
		hub_error(h, conn, msgid, err, NULL, NULL, NULL);
	}
	hub_queue(h, ENTRY_ANSWER, conn, msgid);
}
