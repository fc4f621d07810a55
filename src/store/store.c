/* SPDX-License-Identifier: MIT */
#include "store/store_priv.h"

#include <assert.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPS_FIRST = 16, RECORD_PREFIX_BYTES = 4 };

/* ---- batches ----------------------------------------------------------- */

struct store_batch *store_batch_begin(void)
{
	struct store_batch *b = calloc(1, sizeof(*b));
	if (b)
		buf_init(&b->bytes, STORE_QUEUE_MAX);
	return b;
}

void store_batch_free(struct store_batch *b)
{
	if (!b)
		return;
	buf_release(&b->bytes);
	free(b->ops);
	free(b);
}

static void batches_free(struct store_batch *b)
{
	while (b) {
		struct store_batch *next = b->next;
		store_batch_free(b);
		b = next;
	}
}

struct span op_bytes(const struct store_batch *b, const struct op *op)
{
	return op->len ? span_of(b->bytes.at + op->at, op->len)
		       : span_of("", 0);
}

static int ops_reserve(struct store_batch *b)
{
	if (b->count < b->cap)
		return PLYD_OK;
	size_t cap = b->cap ? b->cap * 2 : OPS_FIRST;
	struct op *ops = realloc(b->ops, cap * sizeof(*ops));
	if (!ops)
		return PLYD_ENOMEM;
	b->ops = ops;
	b->cap = cap;
	return PLYD_OK;
}

/* Adds op with a copy of bytes; the first error sticks. */
static int batch_put(struct store_batch *b, struct op op, struct span bytes,
		     size_t bytes_max)
{
	if (!b)
		return PLYD_ENOMEM;
	if (!b->err && bytes.len > bytes_max)
		b->err = PLYD_ETOOLARGE;
	if (!b->err)
		b->err = ops_reserve(b);
	if (!b->err) {
		op.at = b->bytes.len;
		op.len = bytes.len;
		b->err = buf_put(&b->bytes, bytes.at, bytes.len);
	}
	if (!b->err)
		b->ops[b->count++] = op;
	return b->err;
}

int store_append(struct store_batch *b, uint64_t seq, const struct id *stream,
		 uint64_t prev, struct span bytes)
{
	struct op op = { .kind = OP_APPEND, .seq = seq, .prev = prev };
	assert(seq > prev && seq <= INT64_MAX);
	if (stream)
		op.stream = *stream;
	int err = batch_put(b, op, bytes, STORE_ROW_MAX);
	if (err)
		return err;
	if (!b->first_seq)
		b->first_seq = seq;
	b->last_seq = seq;
	return PLYD_OK;
}

int store_secret_put(struct store_batch *b, const struct id *match,
		     struct span bytes)
{
	struct op op = { .kind = OP_SECRET, .stream = *match };
	return batch_put(b, op, bytes, STORE_ROW_MAX);
}

int store_finish(struct store_batch *b, const struct id *match,
		 const struct store_ending *ending)
{
	struct op op = { .kind = OP_FINISH,
			 .seq = ending->last_seq,
			 .stream = *match,
			 .head = ending->head };
	memcpy(op.owner, ending->owner, sizeof(op.owner));
	return batch_put(b, op, ending->meta, STORE_ROW_MAX);
}

int store_snapshot(struct store_batch *b, uint64_t seq, struct span bytes)
{
	struct op op = { .kind = OP_SNAPSHOT, .seq = seq };
	assert(seq <= INT64_MAX);
	return batch_put(b, op, bytes, STORE_SNAPSHOT_MAX);
}

int store_drop_record(struct store_batch *b, const struct id *match)
{
	struct op op = { .kind = OP_DROP, .stream = *match };
	return batch_put(b, op, span_of(NULL, 0), 0);
}

/* What a batch holds in memory. */
static size_t batch_cost(const struct store_batch *b)
{
	return sizeof(*b) + b->cap * sizeof(*b->ops) + b->bytes.cap;
}

static int batch_queue(struct store *s, struct store_batch *b)
{
	int err = PLYD_OK;
	pthread_mutex_lock(&s->lock);
	if (s->broken)
		err = PLYD_ESTORE;
	else if (batch_cost(b) > STORE_QUEUE_MAX - s->queued_bytes)
		err = PLYD_EFULL;
	if (!err) {
		s->queued_bytes += batch_cost(b);
		*s->queue_end = b;
		s->queue_end = &b->next;
	}
	pthread_mutex_unlock(&s->lock);
	return err;
}

int store_batch_submit(struct store *s, struct store_batch *b)
{
	if (!b)
		return PLYD_ENOMEM;
	int err = b->err ? b->err : batch_queue(s, b);
	if (err) {
		store_batch_free(b);
		return err;
	}
	s->driver->kick(s);
	return PLYD_OK;
}

void store_probe(struct store *s)
{
	pthread_mutex_lock(&s->lock);
	s->probe_wanted = true;
	pthread_mutex_unlock(&s->lock);
	s->driver->kick(s);
}

/* ---- what drivers report ----------------------------------------------- */

int store_core_init(struct store *s, const struct store_driver *driver,
		    void (*wake)(void *payload), void *payload)
{
	*s = (struct store){ .driver = driver,
			     .wake = wake,
			     .wake_payload = payload,
			     .lock_fd = -1 };
	s->queue_end = &s->queue;
	s->asked_end = &s->asked;
	s->answered_end = &s->answered;
	return pthread_mutex_init(&s->lock, NULL) ? PLYD_ENOMEM : PLYD_OK;
}

static void reads_refuse(struct store_read *r)
{
	while (r) {
		struct store_read *next = r->next;
		r->done(r->payload, PLYD_ESHUTDOWN, NULL);
		free(r->memory);
		free(r);
		r = next;
	}
}

void store_core_release(struct store *s)
{
	batches_free(s->queue);
	reads_refuse(s->answered);
	reads_refuse(s->asked);
	pthread_mutex_destroy(&s->lock);
}

struct store_batch *store_take(struct store *s)
{
	struct store_batch *taken = s->queue;
	s->queue = NULL;
	s->queue_end = &s->queue;
	return taken;
}

struct store_read *store_take_read(struct store *s)
{
	struct store_read *r = s->asked;
	if (!r)
		return NULL;
	s->asked = r->next;
	if (!s->asked)
		s->asked_end = &s->asked;
	r->next = NULL;
	return r;
}

static void note_failure(struct store *s, uint64_t first_seq, const char *why)
{
	s->broken = true;
	s->report.failed = true;
	s->report.failed_seq = first_seq;
	snprintf(s->report.failed_why, STORE_WHY_MAX, "%s", why);
}

void store_settle(struct store *s, struct store_batch *taken, const char *why)
{
	uint64_t first_seq = 0, last_seq = 0;
	pthread_mutex_lock(&s->lock);
	if (why) {
		struct store_batch **end = &taken;
		while (*end)
			end = &(*end)->next;
		*end = store_take(s);
	}
	for (struct store_batch *b = taken; b; b = b->next) {
		s->queued_bytes -= batch_cost(b);
		if (!first_seq)
			first_seq = b->first_seq;
		if (b->last_seq)
			last_seq = b->last_seq;
	}
	if (why) {
		note_failure(s, first_seq, why);
	} else if (last_seq) {
		s->report.committed = true;
		s->report.committed_seq = last_seq;
	}
	pthread_mutex_unlock(&s->lock);
	batches_free(taken);
	s->wake(s->wake_payload);
}

void store_settle_probe(struct store *s, uint64_t last_seq, const char *why)
{
	pthread_mutex_lock(&s->lock);
	s->report.probed = true;
	s->report.probed_seq = last_seq;
	s->report.probe_err = why ? PLYD_ESTORE : PLYD_OK;
	snprintf(s->report.probe_why, STORE_WHY_MAX, "%s", why ? why : "");
	pthread_mutex_unlock(&s->lock);
	s->wake(s->wake_payload);
}

void store_settle_read(struct store *s, struct store_read *r)
{
	pthread_mutex_lock(&s->lock);
	*s->answered_end = r;
	s->answered_end = &r->next;
	pthread_mutex_unlock(&s->lock);
	s->wake(s->wake_payload);
}

/* ---- the owner's side -------------------------------------------------- */

void store_poll(struct store *s, const struct store_callbacks *callbacks)
{
	void *payload = callbacks->payload;
	pthread_mutex_lock(&s->lock);
	struct report report = s->report;
	struct store_read *answered = s->answered;
	s->report = (struct report){ 0 };
	if (report.probed && report.probe_err == PLYD_OK)
		s->broken = false;
	s->answered = NULL;
	s->answered_end = &s->answered;
	for (struct store_read *r = answered; r; r = r->next)
		s->reads--;
	pthread_mutex_unlock(&s->lock);
	if (report.committed)
		callbacks->committed(payload, report.committed_seq);
	if (report.failed)
		callbacks->failed(payload, report.failed_seq,
				  report.failed_why);
	if (report.probed)
		callbacks->probed(payload, report.probe_err, report.probed_seq,
				  report.probe_why);
	while (answered) {
		struct store_read *r = answered;
		answered = r->next;
		r->done(r->payload, r->status, r->status ? NULL : &r->record);
		free(r->memory);
		free(r);
	}
	store_backup_poll(s);
}

int store_load(struct store *s, const struct store_loader *loader,
	       uint64_t *last_seq, char why[STORE_WHY_MAX])
{
	*last_seq = 0;
	why[0] = '\0';
	return s->driver->load(s, loader, last_seq, why);
}

int store_each_record(struct store *s, store_each_fn *fn, void *payload,
		      char why[STORE_WHY_MAX])
{
	why[0] = '\0';
	return s->driver->records(s, fn, payload, why);
}

static int ask_read(struct store *s, const struct store_read *what)
{
	struct store_read *r = malloc(sizeof(*r));
	if (!r)
		return PLYD_ENOMEM;
	*r = *what;
	pthread_mutex_lock(&s->lock);
	bool full = s->reads >= STORE_READS_MAX;
	if (!full) {
		s->reads++;
		*s->asked_end = r;
		s->asked_end = &r->next;
	}
	pthread_mutex_unlock(&s->lock);
	if (full) {
		free(r);
		return PLYD_EFULL;
	}
	s->driver->kick(s);
	return PLYD_OK;
}

int store_read_record(struct store *s, const struct id *match,
		      store_record_fn *done, void *payload)
{
	const struct store_read r = { .kind = READ_RECORD,
				      .id = *match,
				      .done = done,
				      .payload = payload };
	return ask_read(s, &r);
}

int store_read_rows(struct store *s, const struct id *match,
		    store_record_fn *done, void *payload)
{
	const struct store_read r = { .kind = READ_ROWS,
				      .id = *match,
				      .done = done,
				      .payload = payload };
	return ask_read(s, &r);
}

int store_list_records(struct store *s, const struct id *owner,
		       uint64_t before_seq, size_t most, store_record_fn *done,
		       void *payload)
{
	const struct store_read r = {
		.kind = READ_LIST,
		.id = *owner,
		.before_seq = before_seq > 0 ? before_seq : INT64_MAX,
		.most = most < STORE_LISTED_MAX ? most : STORE_LISTED_MAX,
		.done = done,
		.payload = payload,
	};
	return ask_read(s, &r);
}

int store_hand_over(struct store *s)
{
	return s->lock_fd < 0 ? -1 : fcntl(s->lock_fd, F_DUPFD_CLOEXEC, 0);
}

void store_close(struct store *s)
{
	if (!s)
		return;
	store_backup_end(s);
	s->driver->close(s);
}

int why_set(char why[STORE_WHY_MAX], int err, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, STORE_WHY_MAX, format, args);
	va_end(args);
	return err;
}

/* ---- bytes ------------------------------------------------------------- */

static struct span part_copy(uint8_t **at, struct span part)
{
	struct span copy = span_of(*at, part.len);
	if (part.len > 0)
		memcpy(*at, part.at, part.len);
	*at += part.len;
	return copy;
}

void read_answer(struct store_read *r, const struct store_record *record)
{
	size_t len = record->head.len + record->meta.len + record->rows.len;
	uint8_t *at = r->memory = malloc(len ? len : 1);
	if (!at) {
		r->status = PLYD_ENOMEM;
		return;
	}
	r->record.ended_seq = record->ended_seq;
	r->record.head = part_copy(&at, record->head);
	r->record.meta = part_copy(&at, record->meta);
	r->record.rows = part_copy(&at, record->rows);
	r->status = PLYD_OK;
}

void rows_answer(struct store_read *r, const struct buf *rows)
{
	const struct store_record record = { .rows = buf_span(rows) };
	if (rows->err)
		r->status = rows->err;
	else if (record.rows.len == 0 && r->kind != READ_LIST)
		r->status = PLYD_ENORECORD;
	else
		read_answer(r, &record);
}

static void be64_write(uint8_t out[8], uint64_t value)
{
	for (int i = 0; i < 8; i++)
		out[i] = (uint8_t)(value >> (56 - 8 * i));
}

struct checksum checksum_of(uint64_t seq, const struct id *stream,
			    uint64_t prev, struct span bytes)
{
	uint8_t seq_be[8], prev_be[8];
	be64_write(seq_be, seq);
	be64_write(prev_be, prev);
	struct span part[] = { span_of(seq_be, sizeof(seq_be)),
			       span_of(stream->text, ID_CHARS),
			       span_of(prev_be, sizeof(prev_be)), bytes };
	struct digest d = sha256(part, sizeof(part) / sizeof(part[0]));
	struct checksum sum;
	memcpy(sum.byte, d.byte, sizeof(sum.byte));
	return sum;
}

int record_put(struct buf *b, struct span row)
{
	uint8_t prefix[RECORD_PREFIX_BYTES];
	for (int i = 0; i < RECORD_PREFIX_BYTES; i++)
		prefix[i] = (uint8_t)(row.len >> (24 - 8 * i));
	int err = buf_put(b, prefix, sizeof(prefix));
	return err ? err : buf_put(b, row.at, row.len);
}

enum { LISTED_SEQ_BYTES = 8, LISTED_BYTES = LISTED_SEQ_BYTES + ID_CHARS };

int list_row_put(struct buf *b, const struct store_listed *l)
{
	uint8_t prefix[RECORD_PREFIX_BYTES], seq[LISTED_SEQ_BYTES];
	size_t len = LISTED_BYTES + l->meta.len;
	for (int i = 0; i < RECORD_PREFIX_BYTES; i++)
		prefix[i] = (uint8_t)(len >> (24 - 8 * i));
	be64_write(seq, l->ended_seq);
	buf_put(b, prefix, sizeof(prefix));
	buf_put(b, seq, sizeof(seq));
	buf_put(b, l->match.text, ID_CHARS);
	return buf_put(b, l->meta.at, l->meta.len);
}

int store_listed_next(struct span *rows, struct store_listed *out)
{
	struct span row;
	int got = store_record_next(rows, &row);
	if (got <= 0)
		return got;
	if (row.len < LISTED_BYTES ||
	    !id_read(span_of(row.at + LISTED_SEQ_BYTES, ID_CHARS), &out->match))
		return PLYD_ERECORD;
	out->ended_seq = 0;
	for (int i = 0; i < LISTED_SEQ_BYTES; i++)
		out->ended_seq = out->ended_seq << 8 | row.at[i];
	out->meta = span_of(row.at + LISTED_BYTES, row.len - LISTED_BYTES);
	return 1;
}

int store_record_next(struct span *rows, struct span *row)
{
	size_t len = 0;
	if (rows->len == 0)
		return 0;
	if (rows->len < RECORD_PREFIX_BYTES)
		return PLYD_ERECORD;
	for (int i = 0; i < RECORD_PREFIX_BYTES; i++)
		len = len << 8 | rows->at[i];
	if (len > rows->len - RECORD_PREFIX_BYTES)
		return PLYD_ERECORD;
	*row = span_of(rows->at + RECORD_PREFIX_BYTES, len);
	*rows = span_of(row->at + len, rows->len - RECORD_PREFIX_BYTES - len);
	return 1;
}
