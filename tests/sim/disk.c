/* SPDX-License-Identifier: MIT */
#include "disk.h"

#include <stdlib.h>

#include "net.h"
#include "record/replay.h"
#include "referee.h"
#include "sim.h"

enum { SNAPSHOT_MAX = 32 * 1024 * 1024, RECORD_MAX = 16 * 1024 * 1024 };

void disk_open(struct disk *d)
{
	*d = (struct disk){ .last = &d->first };
	d->open = sim_alloc(sizeof(*d->open));
}

static void batch_free(struct batch *b)
{
	for (size_t i = 0; b && i < b->count; i++)
		free(b->piece[i].at);
	if (b)
		free(b->piece);
	free(b);
}

void disk_forget_waiting(struct disk *d)
{
	while (d->first) {
		struct batch *b = d->first;
		d->first = b->next;
		batch_free(b);
	}
	d->last = &d->first;
	batch_free(d->open);
	d->open = sim_alloc(sizeof(*d->open));
}

void disk_release(struct disk *d)
{
	disk_forget_waiting(d);
	batch_free(d->open);
	for (size_t i = 0; i < d->rows; i++)
		free(d->row[i].at);
	for (size_t i = 0; i < d->secrets; i++)
		free(d->secret[i].at);
	for (size_t i = 0; i < d->records; i++) {
		buf_release(&d->record[i].rows);
		buf_release(&d->record[i].summary);
	}
	free(d->row);
	free(d->secret);
	free(d->record);
	free(d->snapshot.at);
}

void disk_put(struct disk *d, const struct piece *p, struct span bytes)
{
	struct batch *b = d->open;
	b->piece = sim_grow(b->piece, &b->cap, b->count, sizeof(*b->piece));
	struct piece *copy = &b->piece[b->count++];
	*copy = *p;
	copy->at = sim_copy(bytes);
	copy->len = bytes.len;
}

void disk_fails(struct disk *d)
{
	d->next_fails = true;
}

bool disk_submit(struct sim *sim)
{
	struct disk *d = &sim->disk;
	struct batch *b = d->open;
	d->open = sim_alloc(sizeof(*d->open));
	bool fails = d->next_fails;
	d->next_fails = false;
	if (fails && sim_chance(sim, 1500)) {
		story_tell(&sim->story, sim->t_ms, "disk", "takes nothing");
		batch_free(b);
		return false;
	}
	b->fails = fails;
	b->reaches = !b->fails || sim_chance(sim, 4000);
	b->number = ++d->batches;
	*d->last = b;
	d->last = &b->next;
	uint64_t from =
		d->busy_until_ms > sim->t_ms ? d->busy_until_ms : sim->t_ms;
	d->busy_until_ms =
		from + (sim_chance(sim, 300) && cast_has(&sim->cast, FAULT_LATE)
				? sim_between(sim, 100, 2000)
				: sim_between(sim, 0, 8));
	queue_put(&sim->queue,
		  &(struct happening){ .type = COMMIT_ENDS,
				       .number = b->number,
				       .at_ms = d->busy_until_ms });
	return true;
}

/* -- what becomes durable -- */

static void drop_secret(struct disk *d, const struct id *match)
{
	for (size_t i = 0; i < d->secrets; i++)
		if (id_eq(&d->secret[i].match, match)) {
			free(d->secret[i].at);
			d->secret[i--] = d->secret[--d->secrets];
		}
}

static void put_length(struct buf *b, size_t len)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_put_byte(b, (uint8_t)(len >> shift));
}

/* Moves the rows of a match to its record; the links must lead from the last
 * row to the first over all of them. */
static void finish(struct sim *sim, const struct piece *p)
{
	struct disk *d = &sim->disk;
	d->record = sim_grow(d->record, &d->record_cap, d->records,
			     sizeof(*d->record));
	struct record *r = &d->record[d->records++];
	*r = (struct record){ .match = p->match,
			      .head = p->head,
			      .row = p->row,
			      .player = { p->player[0], p->player[1] } };
	buf_init(&r->rows, RECORD_MAX);
	buf_init(&r->summary, RECORD_MAX);
	buf_put(&r->summary, p->at, p->len);
	uint64_t last = 0;
	size_t kept = 0;
	for (size_t i = 0; i < d->rows; i++) {
		struct piece *row = &d->row[i];
		if (!id_eq(&row->match, &p->match)) {
			d->row[kept++] = *row;
			continue;
		}
		if (row->torn || row->behind_torn) {
			free(row->at);
			continue; /* the links lead round it */
		}
		if (row->prev != last)
			sim_fail(sim,
				 "row %llu of %s says that row %llu is "
				 "before it, but it is %llu",
				 (unsigned long long)row->row, p->match.text,
				 (unsigned long long)row->prev,
				 (unsigned long long)last);
		last = row->row;
		put_length(&r->rows, row->len);
		buf_put(&r->rows, row->at, row->len);
		free(row->at);
	}
	d->rows = kept;
	if (last != p->row)
		sim_fail(sim, "%s is finished with a row that is not its last",
			 p->match.text);
	drop_secret(d, &p->match);
}

static void take_snapshot(struct disk *d, struct piece *p)
{
	free(d->snapshot.at);
	d->snapshot = *p;
	p->at = NULL;
	d->has_snapshot = true;
	size_t kept = 0;
	for (size_t i = 0; i < d->rows; i++)
		if (!id_is_none(&d->row[i].match) || d->row[i].row > p->row)
			d->row[kept++] = d->row[i];
		else
			free(d->row[i].at);
	d->rows = kept;
}

static void take_piece(struct sim *sim, struct piece *p)
{
	struct disk *d = &sim->disk;
	sim_hash(sim, span_of(p->at, p->len));
	switch (p->type) {
	case PIECE_ROW:
		d->row =
			sim_grow(d->row, &d->row_cap, d->rows, sizeof(*d->row));
		d->row[d->rows++] = *p;
		if (p->row <= d->last_row)
			sim_fail(sim, "row %llu comes twice",
				 (unsigned long long)p->row);
		d->last_row = p->row;
		if (p->torn)
			referee_torn(sim, &p->match);
		else if (!p->behind_torn)
			referee_durable(sim, p->row, &p->match,
					span_of(p->at, p->len));
		p->at = NULL;
		break;
	case PIECE_SECRET:
		drop_secret(d, &p->match);
		d->secret = sim_grow(d->secret, &d->secret_cap, d->secrets,
				     sizeof(*d->secret));
		d->secret[d->secrets++] = *p;
		referee_secret(sim, &p->match, span_of(p->at, p->len));
		p->at = NULL;
		break;
	case PIECE_FINISH:
		finish(sim, p);
		referee_finished(sim, disk_record(d, &p->match));
		break;
	case PIECE_SNAPSHOT:
		take_snapshot(d, p);
		sim->counts.snapshots++;
		break;
	}
}

static struct batch *take_batch(struct disk *d)
{
	struct batch *b = d->first;
	d->first = b->next;
	if (!d->first)
		d->last = &d->first;
	return b;
}

static uint64_t last_row_of(const struct batch *b)
{
	uint64_t last = 0;
	for (size_t i = 0; i < b->count; i++)
		if (b->piece[i].type == PIECE_ROW)
			last = b->piece[i].row;
	return last;
}

static uint64_t first_row_of(const struct batch *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->piece[i].type == PIECE_ROW)
			return b->piece[i].row;
	return 0;
}

static void become_durable(struct sim *sim, struct batch *b)
{
	for (size_t i = 0; i < b->count; i++)
		take_piece(sim, &b->piece[i]);
	referee_batch_done(sim);
}

static void batch_ends(struct sim *sim, struct batch *b)
{
	struct disk *d = &sim->disk;
	if (b->reaches)
		become_durable(sim, b);
	if (!b->fails) {
		uint64_t row = last_row_of(b);
		if (row > 0)
			hub_committed(sim->hub, row, sim_domain_ms(sim));
		referee_delivered(sim);
	} else {
		story_tell(&sim->story, sim->t_ms, "disk",
			   "a commit fails from row %llu on%s",
			   (unsigned long long)first_row_of(b),
			   b->reaches ? ", yet it is on the disk" : "");
		sim->counts.failed_commits++;
		disk_forget_waiting(d);
		hub_commit_failed(sim->hub, first_row_of(b));
	}
	batch_free(b);
}

void disk_commit_ends(struct sim *sim, uint64_t number)
{
	struct disk *d = &sim->disk;
	/* in order, whatever a stall of the machine did to the happenings; what
	 * a crash or a failure took away is not there */
	while (d->first && d->first->number <= number)
		batch_ends(sim, take_batch(d));
}

/* A row of a match that began before and does not end in this batch. */
static bool may_tear(const struct disk *d, const struct batch *b,
		     const struct piece *p)
{
	if (p->type != PIECE_ROW || id_is_none(&p->match) ||
	    !disk_has(d, &p->match))
		return false;
	for (size_t i = 0; i < b->count; i++)
		if (b->piece[i].type == PIECE_FINISH &&
		    id_eq(&b->piece[i].match, &p->match))
			return false;
	return true;
}

/* False: there is nothing that could be. */
static bool tear(struct sim *sim, struct batch *b)
{
	size_t found = b->count;
	uint32_t rows = 0;
	for (size_t i = 0; i < b->count; i++)
		if (may_tear(&sim->disk, b, &b->piece[i]) &&
		    sim_between(sim, 0, rows++) == 0)
			found = i;
	if (found == b->count)
		return false;
	struct piece *torn = &b->piece[found];
	torn->torn = true;
	for (struct piece *p = torn + 1; p < b->piece + b->count; p++)
		p->behind_torn =
			p->type == PIECE_ROW && id_eq(&p->match, &torn->match);
	story_tell(&sim->story, sim->t_ms, "disk", "row %llu of %s is torn",
		   (unsigned long long)torn->row, torn->match.text);
	frozen_will_end(sim, &torn->match);
	return true;
}

void disk_crash(struct sim *sim)
{
	struct disk *d = &sim->disk;
	bool torn = false;
	while (d->first && !torn && sim_chance(sim, 5000)) {
		struct batch *b = take_batch(d);
		torn = sim_fault(sim, FAULT_TORN, 4000) && tear(sim, b);
		become_durable(sim, b);
		batch_free(b);
	}
	disk_forget_waiting(d);
	d->busy_until_ms = 0;
}

/* -- loading -- */

/* As the server's journal does. */
static void load_row(struct sim *sim, struct domain *dom, struct doc *doc,
		     const struct piece *p)
{
	if (p->torn) {
		domain_freeze(dom, &p->match);
		return;
	}
	int want = p->behind_torn ? PLYD_ERECORD : PLYD_OK;
	int err =
		replay_row(dom, doc, p->row, &p->match, span_of(p->at, p->len));
	if (err != want)
		sim_fail(sim, "row %llu is %s: %s", (unsigned long long)p->row,
			 err ? "not taken back" : "taken after a torn one",
			 err ? plyd_err_name(err) : "");
}

void disk_load(struct sim *sim, struct domain *dom)
{
	struct disk *d = &sim->disk;
	struct doc *doc = doc_new();
	int err = PLYD_OK;
	if (!doc)
		abort();
	if (d->has_snapshot)
		err = replay_snapshot(dom, doc, d->snapshot.row,
				      span_of(d->snapshot.at, d->snapshot.len));
	if (err)
		sim_fail(sim, "the snapshot is not taken back: %s",
			 plyd_err_name(err));
	for (size_t i = 0; i < d->rows && !sim->failed; i++)
		load_row(sim, dom, doc, &d->row[i]);
	for (size_t i = 0; i < d->secrets && !sim->failed; i++) {
		const struct piece *p = &d->secret[i];
		err = replay_secret(dom, doc, &p->match,
				    span_of(p->at, p->len));
		if (err)
			sim_fail(sim, "the secret of %s is not taken back",
				 p->match.text);
	}
	doc_free(doc);
	/* rows that are in records now are given to no others */
	domain_set_last_row(dom, d->last_row);
}

bool disk_has(const struct disk *d, const struct id *match)
{
	for (size_t i = d->rows; i > 0; i--)
		if (id_eq(&d->row[i - 1].match, match))
			return true;
	return false;
}

const struct record *disk_record(const struct disk *d, const struct id *match)
{
	for (size_t i = 0; i < d->records; i++)
		if (id_eq(&d->record[i].match, match))
			return &d->record[i];
	return NULL;
}
