/* SPDX-License-Identifier: MIT */
#include "session_world.h"

#include <string.h>

#include "fuzz.h"
#include "record/replay.h"
#include "session/wordlist.h"

/* -- the journal -- */

static void pieces_put(struct pieces *list, const struct piece *p)
{
	if (list->count == list->cap) {
		list->cap = list->cap ? 2 * list->cap : 16;
		list->at = realloc(list->at, list->cap * sizeof(*list->at));
		insist(list->at);
	}
	list->at[list->count++] = *p;
}

static void pieces_clear(struct pieces *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->at[i].at);
	free(list->at);
	*list = (struct pieces){ 0 };
}

static void put_piece(struct world *w, struct piece p, struct span bytes)
{
	p.at = malloc(bytes.len > 0 ? bytes.len : 1);
	insist(p.at);
	if (bytes.len > 0)
		memcpy(p.at, bytes.at, bytes.len);
	p.len = bytes.len;
	pieces_put(&w->open, &p);
}

static void forget_waiting(struct world *w)
{
	for (size_t i = 0; i < w->waiting_count; i++)
		pieces_clear(&w->waiting[i]);
	w->waiting_count = 0;
	pieces_clear(&w->open);
}

static void on_append(void *payload, uint64_t row, const struct id *match,
		      uint64_t prev, struct span bytes)
{
	insist(prev < row);
	put_piece(payload,
		  (struct piece){ PIECE_ROW, row, prev, *match, NULL, 0 },
		  bytes);
}

static void on_secret(void *payload, const struct id *match, struct span bytes)
{
	put_piece(payload,
		  (struct piece){ PIECE_SECRET, 0, 0, *match, NULL, 0 }, bytes);
}

static void on_finish(void *payload, const struct hub_ending *e)
{
	put_piece(payload,
		  (struct piece){ PIECE_FINISH, e->last_row, 0, *e->match, NULL,
				  0 },
		  span_of(e->head->byte, DIGEST_BYTES));
}

static void on_snapshot(void *payload, uint64_t row, struct span bytes)
{
	put_piece(payload,
		  (struct piece){ PIECE_SNAPSHOT, row, 0, { "" }, NULL, 0 },
		  bytes);
}

static int on_submit(void *payload)
{
	struct world *w = payload;
	insist(w->open.count > 0);
	if (w->refuses || w->waiting_count == BATCHES_MAX) {
		w->refuses = false;
		pieces_clear(&w->open);
		return PLYD_ESTORE;
	}
	w->waiting[w->waiting_count++] = w->open;
	w->open = (struct pieces){ 0 };
	return PLYD_OK;
}

/* -- what becomes durable -- */

static void drop(struct pieces *list,
		 bool (*goes)(const struct piece *p, const struct piece *of),
		 const struct piece *of, struct pieces *to)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct piece *p = &list->at[i];
		if (!goes(p, of))
			list->at[kept++] = *p;
		else if (to && p->type == PIECE_ROW)
			pieces_put(to, p);
		else
			free(p->at);
	}
	list->count = kept;
}

static bool is_of_match(const struct piece *p, const struct piece *of)
{
	return p->type != PIECE_SNAPSHOT && id_eq(&p->match, &of->match);
}

static bool is_in_snapshot(const struct piece *p, const struct piece *of)
{
	return p->type == PIECE_SNAPSHOT ||
	       (p->type == PIECE_ROW && id_is_none(&p->match) &&
		p->row <= of->row);
}

static bool is_same_secret(const struct piece *p, const struct piece *of)
{
	return p->type == PIECE_SECRET && id_eq(&p->match, &of->match);
}

static void become_durable(struct world *w, struct pieces *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct piece *p = &batch->at[i];
		if (p->type == PIECE_FINISH) {
			drop(&w->durable, is_of_match, p, &w->records);
			pieces_put(&w->records, p);
			continue;
		}
		if (p->type == PIECE_SNAPSHOT)
			drop(&w->durable, is_in_snapshot, p, NULL);
		if (p->type == PIECE_SECRET)
			drop(&w->durable, is_same_secret, p, NULL);
		if (p->type == PIECE_ROW) {
			insist(p->row > w->last_row);
			w->last_row = p->row;
		}
		pieces_put(&w->durable, p);
	}
	free(batch->at);
	*batch = (struct pieces){ 0 };
}

static struct pieces take_batch(struct world *w)
{
	struct pieces first = w->waiting[0];
	memmove(&w->waiting[0], &w->waiting[1],
		--w->waiting_count * sizeof(w->waiting[0]));
	return first;
}

/* The first and the last row of a batch; 0: none. */
static void rows_of(const struct pieces *batch, uint64_t *first, uint64_t *last)
{
	*first = *last = 0;
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->at[i].type != PIECE_ROW)
			continue;
		*last = batch->at[i].row;
		if (*first == 0)
			*first = *last;
	}
}

bool world_commit(struct world *w)
{
	uint64_t first, last;
	if (w->waiting_count == 0)
		return false;
	struct pieces batch = take_batch(w);
	rows_of(&batch, &first, &last);
	become_durable(w, &batch);
	if (last > 0)
		hub_committed(w->hub, last, w->now_ms);
	return true;
}

void world_commit_fails(struct world *w, bool reaches)
{
	uint64_t first, last;
	if (w->waiting_count == 0)
		return;
	struct pieces batch = take_batch(w);
	rows_of(&batch, &first, &last);
	if (reaches)
		become_durable(w, &batch);
	else
		pieces_clear(&batch);
	forget_waiting(w);
	hub_commit_failed(w->hub, first);
}

/* -- what a worker, and the pool, are asked -- */

static void remember(struct question *list, size_t *count,
		     const struct question *q)
{
	if (*count == QUESTIONS_MAX)
		memmove(list, list + 1, --*count * sizeof(*list));
	list[(*count)++] = *q;
}

static struct question about(const struct match *m, enum awaits asked)
{
	return (struct question){ .match = m->id,
				  .ply = m->ply,
				  .takebacks = m->takebacks,
				  .asked = asked,
				  .offer = m->resign.seq };
}

static void on_think(void *payload, const struct match *m, enum awaits asked)
{
	struct world *w = payload;
	struct question q = about(m, asked);
	remember(w->thoughts, &w->thought_count, &q);
}

static void on_judge(void *payload, const struct match *m)
{
	struct world *w = payload;
	struct question q = about(m, AWAITS_NOTHING);
	remember(w->verdicts, &w->verdict_count, &q);
}

static void on_hash(void *payload, const struct hashing *work)
{
	struct world *w = payload;
	insist(w->job_count < HASH_JOBS_MAX);
	struct job *j = &w->jobs[w->job_count++];
	*j = (struct job){ .number = work->job };
	j->fits = !work->hash || (!strncmp(work->hash, "h:", 2) &&
				  span_is(work->password, work->hash + 2));
	if (work->fresh.len > 0)
		snprintf(j->made, sizeof(j->made), "h:%.*s",
			 (int)work->fresh.len, (const char *)work->fresh.at);
}

static void on_record(void *payload, uint64_t conn, uint32_t msgid,
		      const struct id *match)
{
	struct world *w = payload;
	insist(w->read_count < READS_MAX);
	w->reads[w->read_count].conn = conn;
	w->reads[w->read_count].msgid = msgid;
	w->reads[w->read_count++].match = *match;
}

/* -- connections -- */

static void on_send(void *payload, uint64_t conn, struct span bytes)
{
	struct world *w = payload;
	struct ear *e = ear_find(w, conn);
	insist(e && !e->closed);
	ear_hears(w, e, bytes);
}

static void on_close(void *payload, uint64_t conn)
{
	struct ear *e = ear_find(payload, conn);
	insist(e);
	e->closed = true;
}

static size_t on_queued(void *payload, uint64_t conn)
{
	const struct world *w = payload;
	const struct ear *e = ear_find(payload, conn);
	return e && e->slow ? (size_t)w->hub_limits.pause_bytes + 1 : 0;
}

static void on_read(void *payload, uint64_t conn, bool on)
{
	(void)payload, (void)conn, (void)on;
}

static void on_stop(void *payload)
{
	(void)payload;
}

void world_connect(struct world *w, struct ear *e)
{
	char address[16];
	uint64_t number = ++w->connections;
	if (e->number)
		world_disconnect(w, e);
	*e = (struct ear){ .number = number };
	snprintf(address, sizeof(address), "192.0.2.%u",
		 (unsigned)(number % 3));
	int err = e == &w->ear[OPERATOR_EAR]
			  ? hub_connected_operator(w->hub, number, w->now_ms)
			  : hub_connected(w->hub, number, address, w->now_ms);
	if (err)
		e->number = 0;
}

void world_disconnect(struct world *w, struct ear *e)
{
	hub_disconnected(w->hub, e->number, w->now_ms);
	e->number = 0;
}

void world_send(struct world *w, struct ear *e, struct span bytes)
{
	if (e->closed) {
		world_disconnect(w, e);
		return;
	}
	hub_expect(w->hub, e->number);
	hub_bytes(w->hub, e->number, bytes, w->now_ms, w->unix_ms);
}

/* -- life -- */

static void set_rules(struct domain *d)
{
	static struct match_rules rules[RULES_MAX];
	for (size_t i = 0; i < ruleset_count(); i++) {
		bool draughts = ruleset_at(i)->family == FAMILY_DRAUGHTS;
		rules[i] = (struct match_rules){
			.rules = *ruleset_at(i),
			.clock = { .base_ms = 60000, .increment_ms = 1000 },
			.clock_limits = { .kinds = CLOCK_KINDS_ALL,
					  .base_ms_min = 1000,
					  .base_ms_max = 3600000,
					  .increment_ms_max = 60000,
					  .delay_ms_max = 60000,
					  .move_ms_min = 1000,
					  .move_ms_max = 864000000 },
			.draws = { .policy = "standard",
				   .no_progress = draughts ? 12 : 0,
				   .repetition = draughts ? 3 : 0,
				   .judged = i % 3 == 1 },
			.takeback = true,
		};
	}
	insist(!domain_set_rules(d, rules, ruleset_count()));
}

static void load_pieces(const struct world *w, struct domain *d,
			struct doc *doc, enum piece_type type)
{
	for (size_t i = 0; i < w->durable.count; i++) {
		const struct piece *p = &w->durable.at[i];
		struct span bytes = span_of(p->at, p->len);
		int err = PLYD_OK;
		if (p->type != type)
			continue;
		if (type == PIECE_SNAPSHOT)
			err = replay_snapshot(d, doc, p->row, bytes);
		else if (type == PIECE_ROW)
			err = replay_row(d, doc, p->row, &p->match, bytes);
		else
			err = replay_secret(d, doc, &p->match, bytes);
		insist(!err);
	}
}

static struct domain *load_domain(struct world *w)
{
	static const struct personality personality[] = {
		{ .name = "calm", .about = "Waits." },
		{ .name = "picky", .about = "Plays one game.", .plays = 1 },
	};
	struct domain *d;
	struct doc *doc = doc_new();
	insist(doc);
	insist(!domain_new(&d, &w->domain_limits, &w->entropy));
	w->entropy.blocks += 1u << 20; /* no id comes twice */
	set_rules(d);
	insist(!domain_set_personalities(d, personality, 2));
	load_pieces(w, d, doc, PIECE_SNAPSHOT);
	load_pieces(w, d, doc, PIECE_ROW);
	load_pieces(w, d, doc, PIECE_SECRET);
	doc_free(doc);
	domain_set_last_row(d, w->last_row);
	return d;
}

static void start(struct world *w)
{
	const struct hub_ops ops = { .payload = w,
				     .send = on_send,
				     .close = on_close,
				     .queued = on_queued,
				     .read = on_read,
				     .append = on_append,
				     .secret = on_secret,
				     .finish = on_finish,
				     .snapshot = on_snapshot,
				     .submit = on_submit,
				     .think = on_think,
				     .judge = on_judge,
				     .hash = on_hash,
				     .record = on_record,
				     .stop = on_stop };
	insist(!hub_new(&w->hub, load_domain(w), &w->hub_limits, &ops,
			&w->entropy));
	w->entropy.blocks += 1u << 20;
	hub_set_wordlist(w->hub, w->words);
	hub_wake(w->hub, w->now_ms, w->unix_ms);
	world_after(w);
}

static void make_limits(struct world *w)
{
	domain_limits_default(&w->domain_limits);
	hub_limits_default(&w->hub_limits);
	w->domain_limits.players_max = 10;
	w->domain_limits.accounts_max = 4;
	w->domain_limits.deleted_max = 3;
	w->domain_limits.lobbies_max = 6;
	w->domain_limits.matches_max = 8;
	w->domain_limits.watches_per_player = 3;
	w->domain_limits.follows_per_player = 2;
	w->domain_limits.hashes_waiting_max = 3;
	w->domain_limits.guest_keep_ms = 60000;
	w->domain_limits.result_keep_ms = 30000;
	w->domain_limits.reports_per_day = 3;
	w->hub_limits.requests_burst = 60;
	w->hub_limits.connections_per_address = 5;
	w->hub_limits.connections_max = 8;
	w->hub_limits.outbox_bytes = 1 << 20;
	w->hub_limits.snapshot_facts = 40;
	w->hub_limits.idle_ms = 300000;
}

void world_open(struct world *w, int64_t delay_ms)
{
	char why[WORDLIST_WHY_MAX];
	*w = (struct world){ .now_ms = 1000, .unix_ms = 1700000000000 };
	make_limits(w);
	w->domain_limits.spectator_delay_ms = delay_ms;
	insist(!wordlist_read(&w->words, span_str("hell*\n"), why));
	entropy_from_seed(&w->entropy, 7);
	w->doc = doc_new();
	insist(w->doc);
	start(w);
}

void world_close(struct world *w)
{
	hub_free(w->hub);
	forget_waiting(w);
	pieces_clear(&w->durable);
	pieces_clear(&w->records);
	doc_free(w->doc);
	wordlist_free(w->words);
}

void world_after(struct world *w)
{
	hub_flush(w->hub, w->now_ms);
	const char *broken = domain_invariant_broken(hub_domain(w->hub));
	if (broken)
		fprintf(stderr, "the domain says of itself: %s\n", broken);
	insist(!broken);
	if (hub_is_writable(w->hub) || w->down || w->read_only)
		return;
	forget_waiting(w);
	w->down = true;
}

void world_rebuild(struct world *w, bool writable)
{
	if (w->read_only && writable) {
		w->read_only = false;
		hub_writable(w->hub);
	}
	if (!w->down)
		return;
	w->down = false;
	w->read_only = !writable;
	hub_rebuilt(w->hub, load_domain(w), writable, w->now_ms, w->unix_ms);
}

void world_crash(struct world *w, size_t kept)
{
	hub_free(w->hub);
	for (; kept > 0 && w->waiting_count > 0; kept--) {
		struct pieces batch = take_batch(w);
		become_durable(w, &batch);
	}
	forget_waiting(w);
	for (size_t i = 0; i <= EARS; i++)
		w->ear[i].number = 0;
	w->down = w->read_only = w->refuses = false;
	w->thought_count = w->verdict_count = 0;
	w->job_count = w->read_count = 0;
	start(w);
}

void world_time(struct world *w, uint64_t ms)
{
	w->now_ms += ms;
	w->unix_ms += (int64_t)ms;
	if (hub_next_due_ms(w->hub) <= w->now_ms)
		hub_tick(w->hub, w->now_ms, w->unix_ms);
}

/* -- answers of slow things -- */

bool world_thinks(struct world *w, struct rng *rng)
{
	char text[MOVE_TEXT_MAX] = "x";
	static const char said[] = "words \xc3\xbc\xe2\x80\xae\x1b and more";
	if (w->thought_count == 0)
		return false;
	struct question q = w->thoughts[--w->thought_count];
	const struct match *m = domain_match(hub_domain(w->hub), &q.match);
	if (m)
		legal_move(rng, m, text);
	uint32_t dice = rng_below(rng, 64);
	struct cmd_thought t = {
		.ply = q.ply,
		.asked = q.asked,
		.takebacks = q.takebacks,
		.failed = dice<4, .resign = dice == 5, .accept_draw = dice> 40,
		.offer_draw = dice > 58,
		.move = span_str(dice == 6 ? "11-99" : text),
		.yes = dice & 1,
		.offer = q.offer,
		.say = span_of(said, rng_below(rng, sizeof(said)))
	};
	hub_thought(w->hub, &q.match, &t, w->now_ms, w->unix_ms);
	return true;
}

bool world_judges(struct world *w, struct rng *rng)
{
	if (w->verdict_count == 0)
		return false;
	struct question q = w->verdicts[--w->verdict_count];
	uint32_t dice = rng_below(rng, 32);
	struct cmd_verdict v = { .ply = q.ply,
				 .takebacks = q.takebacks,
				 .ends = dice == 0,
				 .warns = dice == 1,
				 .result = (enum match_result)(dice % 3),
				 .words = span_str(dice < 2 ? "words" : "") };
	hub_verdict(w->hub, &q.match, &v, w->now_ms, w->unix_ms);
	return true;
}

bool world_hashes(struct world *w)
{
	if (w->job_count == 0)
		return false;
	struct job j = w->jobs[--w->job_count];
	hub_hashed(w->hub, j.number, j.fits, span_str(j.made), w->now_ms,
		   w->unix_ms);
	return true;
}

bool world_reads(struct world *w)
{
	struct buf rows;
	struct hub_record found = { .err = PLYD_ENORECORD };
	struct span head = { 0 };
	if (w->read_count == 0)
		return false;
	size_t n = --w->read_count;
	buf_init(&rows, 1u << 24);
	for (size_t i = 0; i < w->records.count; i++) {
		const struct piece *p = &w->records.at[i];
		if (!id_eq(&p->match, &w->reads[n].match))
			continue;
		if (p->type == PIECE_FINISH) {
			head = span_of(p->at, p->len);
			continue;
		}
		for (int shift = 24; shift >= 0; shift -= 8)
			buf_put_byte(&rows, (uint8_t)(p->len >> shift));
		buf_put(&rows, p->at, p->len);
	}
	if (rows.len > 0)
		found = (struct hub_record){ .head = head,
					     .rows = buf_span(&rows) };
	hub_record(w->hub, w->reads[n].conn, w->reads[n].msgid,
		   &w->reads[n].match, &found);
	buf_release(&rows);
	return true;
}

static bool settle_once(struct world *w)
{
	bool moved = w->down || w->read_only;
	world_rebuild(w, true);
	world_after(w);
	while (world_commit(w))
		moved = true;
	while (world_hashes(w) || world_reads(w))
		moved = true;
	world_after(w);
	return moved || w->waiting_count > 0;
}

void world_settle(struct world *w)
{
	w->refuses = false;
	for (size_t i = 0; i <= EARS; i++)
		w->ear[i].slow = false;
	while (settle_once(w))
		;
	world_time(w, 2 * (uint64_t)w->domain_limits.verdict_wait_ms);
	world_after(w);
	while (settle_once(w))
		;
	for (size_t i = 0; i <= EARS; i++) {
		const struct ear *e = &w->ear[i];
		if (!e->number || e->closed || e->wild)
			continue;
		for (size_t k = 0; k < e->asked_count; k++)
			insist(e->asked[k].answered);
	}
}
