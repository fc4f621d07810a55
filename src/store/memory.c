/* SPDX-License-Identifier: MIT
 * All that is kept is one list of items. A commit works on a copy of the list
 * (of pointers), which replaces the list if every change succeeded. */
#include "store/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/store_priv.h"

enum item_kind { ITEM_ROW, ITEM_SECRET, ITEM_RECORD, ITEM_SNAPSHOT };

struct item {
	enum item_kind kind;
	uint64_t seq, prev;
	struct id stream;
	struct digest head; /* of a record */
	struct id owner[STORE_OWNERS];
	struct buf meta;
	struct buf bytes; /* of a record: its rows */
	bool keep;        /* while a commit is undone */
	struct item *next_dropped;
};

struct items {
	struct item **at;
	size_t count, cap;
	struct item *dropped; /* removed; freed if the commit stands */
};

struct memory_store {
	struct store core;
	struct items items;
	uint64_t last_seq;
	bool held;
	const char *broken; /* why, or NULL */
};

/* ---- items ------------------------------------------------------------- */

static void item_free(struct item *item)
{
	buf_release(&item->meta);
	buf_release(&item->bytes);
	free(item);
}

static int items_add(struct items *list, struct item *item)
{
	if (list->count == list->cap) {
		size_t cap = list->cap ? list->cap * 2 : 64;
		struct item **at = realloc(list->at, cap * sizeof(*at));
		if (!at)
			return PLYD_ENOMEM;
		list->at = at;
		list->cap = cap;
	}
	list->at[list->count++] = item;
	return PLYD_OK;
}

/* Adds a new item with a copy of bytes and gives it, or NULL. */
static struct item *items_new(struct items *list, enum item_kind kind,
			      const struct op *op, struct span bytes)
{
	struct item *item = calloc(1, sizeof(*item));
	if (!item)
		return NULL;
	item->kind = kind;
	item->seq = op->seq;
	item->prev = op->prev;
	item->stream = op->stream;
	buf_init(&item->meta, STORE_ROW_MAX);
	buf_init(&item->bytes, STORE_SNAPSHOT_MAX);
	if (buf_put(&item->bytes, bytes.at, bytes.len) ||
	    items_add(list, item)) {
		item_free(item);
		return NULL;
	}
	return item;
}

static struct item *items_row(const struct items *list, uint64_t seq)
{
	for (size_t i = list->count; i-- > 0;)
		if (list->at[i]->kind == ITEM_ROW && list->at[i]->seq == seq)
			return list->at[i];
	return NULL;
}

static const struct item *items_record(const struct items *list,
				       const struct id *match)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i]->kind == ITEM_RECORD &&
		    id_eq(&list->at[i]->stream, match))
			return list->at[i];
	return NULL;
}

static void items_remove(struct items *list, size_t at)
{
	list->at[at]->next_dropped = list->dropped;
	list->dropped = list->at[at];
	list->count--;
	memmove(&list->at[at], &list->at[at + 1],
		(list->count - at) * sizeof(list->at[0]));
}

static void items_remove_match(struct items *list, enum item_kind kind,
			       const struct id *match)
{
	for (size_t i = list->count; i-- > 0;)
		if (list->at[i]->kind == kind &&
		    id_eq(&list->at[i]->stream, match))
			items_remove(list, i);
}

/* Frees what was removed, but for what is to be kept. */
static void items_free_dropped(struct items *list)
{
	while (list->dropped) {
		struct item *item = list->dropped;
		list->dropped = item->next_dropped;
		if (!item->keep)
			item_free(item);
	}
}

static void items_keep(const struct items *list, bool keep)
{
	for (size_t i = 0; i < list->count; i++)
		list->at[i]->keep = keep;
}

/* The commit is undone: frees `changed`, but what `before` holds as well. */
static void items_undo(struct items *changed, const struct items *before)
{
	items_keep(before, true);
	items_free_dropped(changed);
	for (size_t i = 0; i < changed->count; i++)
		if (!changed->at[i]->keep)
			item_free(changed->at[i]);
	free(changed->at);
	items_keep(before, false);
}

/* ---- a commit ---------------------------------------------------------- */

static const char *write_row(struct items *list, const struct op *op,
			     struct span bytes)
{
	if (items_row(list, op->seq))
		return "cannot write: this seq is in the journal";
	return items_new(list, ITEM_ROW, op, bytes) ? NULL : "no memory";
}

static const char *write_secret(struct items *list, const struct op *op,
				struct span bytes)
{
	items_remove_match(list, ITEM_SECRET, &op->stream);
	return items_new(list, ITEM_SECRET, op, bytes) ? NULL : "no memory";
}

/* The seq of the oldest snapshot that stays, 0 while there are too few. */
static uint64_t snapshots_trim(struct items *list)
{
	uint64_t oldest = 0;
	int kept = 0;
	for (size_t i = list->count; i-- > 0;) {
		if (list->at[i]->kind != ITEM_SNAPSHOT)
			continue;
		if (kept == STORE_SNAPSHOTS_KEPT) {
			items_remove(list, i);
		} else {
			kept++;
			oldest = list->at[i]->seq;
		}
	}
	return kept == STORE_SNAPSHOTS_KEPT ? oldest : 0;
}

static const char *write_snapshot(struct items *list, const struct op *op,
				  struct span bytes)
{
	for (size_t i = list->count; i-- > 0;)
		if (list->at[i]->kind == ITEM_SNAPSHOT &&
		    list->at[i]->seq == op->seq)
			items_remove(list, i);
	if (!items_new(list, ITEM_SNAPSHOT, op, bytes))
		return "no memory";
	uint64_t covered = snapshots_trim(list);
	for (size_t i = list->count; i-- > 0;) {
		struct item *item = list->at[i];
		if (item->kind == ITEM_ROW && item->seq <= covered &&
		    id_is_none(&item->stream))
			items_remove(list, i);
	}
	return NULL;
}

/* Moves the rows that the links name from list to `chain`, newest first. */
static const char *chain_take(struct items *list, const struct op *op,
			      struct items *chain)
{
	for (uint64_t seq = op->seq; seq;) {
		size_t i = list->count;
		while (i-- > 0)
			if (list->at[i]->kind == ITEM_ROW &&
			    list->at[i]->seq == seq)
				break;
		if (i == SIZE_MAX || !id_eq(&list->at[i]->stream, &op->stream))
			return "a row of the match is missing or damaged";
		if (items_add(chain, list->at[i]))
			return "no memory";
		seq = list->at[i]->prev;
		items_remove(list, i);
	}
	return NULL;
}

static const char *record_fill(struct item *record, const struct items *chain,
			       struct span meta)
{
	int err = buf_put(&record->meta, meta.at, meta.len);
	record->bytes.max = STORE_RECORD_MAX;
	for (size_t i = chain->count; i-- > 0 && !err;)
		err = record_put(&record->bytes,
				 buf_span(&chain->at[i]->bytes));
	return err ? plyd_err_text(err) : NULL;
}

static const char *write_finish(struct items *list, const struct op *op,
				struct span meta)
{
	struct items chain = { 0 };
	struct item *record = NULL;
	if (items_record(list, &op->stream))
		return "the match has a record already";
	const char *why = chain_take(list, op, &chain);
	if (!why)
		record = items_new(list, ITEM_RECORD, op, span_of("", 0));
	if (record) {
		record->head = op->head;
		memcpy(record->owner, op->owner, sizeof(record->owner));
		why = record_fill(record, &chain, meta);
		items_remove_match(list, ITEM_SECRET, &op->stream);
	} else if (!why) {
		why = "no memory";
	}
	free(chain.at);
	return why;
}

static const char *write_op(struct items *list, const struct store_batch *b,
			    const struct op *op)
{
	struct span bytes = op_bytes(b, op);
	switch (op->kind) {
	case OP_APPEND: return write_row(list, op, bytes);
	case OP_SECRET: return write_secret(list, op, bytes);
	case OP_FINISH: return write_finish(list, op, bytes);
	case OP_SNAPSHOT: return write_snapshot(list, op, bytes);
	case OP_DROP:
		items_remove_match(list, ITEM_RECORD, &op->stream);
		return NULL;
	}
	return "no such change";
}

/* Applies all to list; NULL, or why not. */
static const char *write_batches(struct items *list,
				 const struct store_batch *batches)
{
	for (const struct store_batch *b = batches; b; b = b->next) {
		for (size_t i = 0; i < b->count; i++) {
			const char *why = write_op(list, b, &b->ops[i]);
			if (why)
				return why;
		}
	}
	return NULL;
}

static const char *commit(struct memory_store *s,
			  const struct store_batch *batches)
{
	struct items changed = { 0 };
	const char *why = s->broken;
	for (size_t i = 0; i < s->items.count && !why; i++)
		if (items_add(&changed, s->items.at[i]))
			why = "no memory";
	if (!why)
		why = write_batches(&changed, batches);
	if (why) {
		items_undo(&changed, &s->items);
		return why;
	}
	items_free_dropped(&changed);
	free(s->items.at);
	s->items = changed;
	for (const struct store_batch *b = batches; b; b = b->next)
		if (b->last_seq > s->last_seq)
			s->last_seq = b->last_seq;
	return NULL;
}

/* ---- the driver -------------------------------------------------------- */

static void answer_rows(const struct memory_store *s, struct store_read *r)
{
	struct buf rows;
	buf_init(&rows, STORE_RECORD_MAX);
	for (size_t i = 0; i < s->items.count && !rows.err; i++)
		if (s->items.at[i]->kind == ITEM_ROW &&
		    id_eq(&s->items.at[i]->stream, &r->id))
			record_put(&rows, buf_span(&s->items.at[i]->bytes));
	rows_answer(r, &rows);
	buf_release(&rows);
}

static void answer_record(const struct memory_store *s, struct store_read *r)
{
	const struct item *item = items_record(&s->items, &r->id);
	r->status = PLYD_ENORECORD;
	if (item) {
		struct store_record record = {
			.ended_seq = item->seq,
			.head = span_of(item->head.byte, DIGEST_BYTES),
			.meta = buf_span(&item->meta),
			.rows = buf_span(&item->bytes),
		};
		read_answer(r, &record);
	}
}

/* The record of an owner, or of all, that ended last before this seq. */
static const struct item *last_record(const struct memory_store *s,
				      const struct id *owner,
				      uint64_t before_seq)
{
	const struct item *last = NULL;
	for (size_t i = 0; i < s->items.count; i++) {
		const struct item *item = s->items.at[i];
		bool theirs = id_is_none(owner) ||
			      id_eq(&item->owner[0], owner) ||
			      id_eq(&item->owner[1], owner);
		if (item->kind == ITEM_RECORD && theirs &&
		    item->seq < before_seq && (!last || item->seq > last->seq))
			last = item;
	}
	return last;
}

static void answer_list(const struct memory_store *s, struct store_read *r)
{
	const struct item *item;
	struct buf rows;
	size_t put = 0;
	buf_init(&rows, STORE_RECORD_MAX);
	for (uint64_t seq = r->before_seq;
	     put < r->most && (item = last_record(s, &r->id, seq)); put++) {
		const struct store_listed listed = { item->stream, item->seq,
						     buf_span(&item->meta) };
		list_row_put(&rows, &listed);
		seq = item->seq;
	}
	rows_answer(r, &rows);
	buf_release(&rows);
}

static void answer_read(struct memory_store *s, struct store_read *r)
{
	switch (r->kind) {
	case READ_RECORD: answer_record(s, r); break;
	case READ_ROWS: answer_rows(s, r); break;
	case READ_LIST: answer_list(s, r); break;
	}
	store_settle_read(&s->core, r);
}

void store_memory_let_go(struct store *core)
{
	struct memory_store *s = (struct memory_store *)core;
	pthread_mutex_lock(&core->lock);
	struct store_batch *taken = store_take(core);
	bool probe = core->probe_wanted;
	core->probe_wanted = false;
	pthread_mutex_unlock(&core->lock);
	if (taken)
		store_settle(core, taken, commit(s, taken));
	if (probe)
		store_settle_probe(core, s->last_seq, s->broken);
	for (;;) {
		pthread_mutex_lock(&core->lock);
		struct store_read *r = store_take_read(core);
		pthread_mutex_unlock(&core->lock);
		if (!r)
			break;
		answer_read(s, r);
	}
}

static void memory_kick(struct store *core)
{
	if (!((struct memory_store *)core)->held)
		store_memory_let_go(core);
}

static const struct item *newest_snapshot(const struct memory_store *s)
{
	const struct item *newest = NULL;
	for (size_t i = 0; i < s->items.count; i++)
		if (s->items.at[i]->kind == ITEM_SNAPSHOT &&
		    (!newest || s->items.at[i]->seq > newest->seq))
			newest = s->items.at[i];
	return newest;
}

/* The secret of the first match after this one, or NULL. */
static const struct item *next_secret(const struct memory_store *s,
				      const char *after)
{
	const struct item *next = NULL;
	for (size_t i = 0; i < s->items.count; i++) {
		const struct item *item = s->items.at[i];
		if (item->kind == ITEM_SECRET &&
		    strcmp(item->stream.text, after) > 0 &&
		    (!next || strcmp(item->stream.text, next->stream.text) < 0))
			next = item;
	}
	return next;
}

static int memory_load(struct store *core, const struct store_loader *loader,
		       uint64_t *last_seq, char why[STORE_WHY_MAX])
{
	struct memory_store *s = (struct memory_store *)core;
	const struct item *snapshot = newest_snapshot(s);
	int err = PLYD_OK;
	*last_seq = s->last_seq;
	if (snapshot)
		err = loader->snapshot(loader->payload, snapshot->seq,
				       buf_span(&snapshot->bytes));
	for (size_t i = 0; i < s->items.count && !err; i++) {
		const struct item *item = s->items.at[i];
		if (item->kind == ITEM_ROW &&
		    !(snapshot && id_is_none(&item->stream) &&
		      item->seq <= snapshot->seq))
			err = loader->row(loader->payload, item->seq,
					  &item->stream,
					  buf_span(&item->bytes));
	}
	for (const struct item *item = next_secret(s, ""); item && !err;
	     item = next_secret(s, item->stream.text))
		err = loader->secret(loader->payload, &item->stream,
				     buf_span(&item->bytes));
	if (err)
		snprintf(why, STORE_WHY_MAX, "%s", plyd_err_text(err));
	return err;
}

static void memory_close(struct store *core)
{
	struct memory_store *s = (struct memory_store *)core;
	static const struct items none;
	store_memory_let_go(core);
	items_undo(&s->items, &none);
	store_core_release(core);
	free(s);
}

static const struct store_driver memory_driver = {
	.kick = memory_kick,
	.load = memory_load,
	.close = memory_close,
};

/* ---- the disk's moods -------------------------------------------------- */

struct store *store_memory_new(void (*wake)(void *payload), void *payload)
{
	struct memory_store *s = calloc(1, sizeof(*s));
	if (s && store_core_init(&s->core, &memory_driver, wake, payload)) {
		free(s);
		return NULL;
	}
	return s ? &s->core : NULL;
}

void store_memory_hold(struct store *core, bool hold)
{
	((struct memory_store *)core)->held = hold;
}

void store_memory_break(struct store *core, const char *why)
{
	((struct memory_store *)core)->broken = why;
}

void store_memory_crash(struct store *core)
{
	struct memory_store *s = (struct memory_store *)core;
	void (*wake)(void *payload) = core->wake;
	void *payload = core->wake_payload;
	store_core_release(core);
	/* cannot fail: a mutex of this kind was had before */
	store_core_init(core, &memory_driver, wake, payload);
	s->held = false;
}
