/* SPDX-License-Identifier: MIT
 * world.c - what happens when: the server's life, its callbacks, chance. */
#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "net.h"
#include "operator.h"
#include "proto/write.h"
#include "referee.h"
#include "scripts.h"
#include "worker.h"

enum { DOMAIN_START_MS = 1000 };

uint32_t sim_between(struct sim *sim, uint32_t low, uint32_t high)
{
	return low + rng_below(&sim->rng, high - low + 1);
}

bool sim_chance(struct sim *sim, uint32_t of)
{
	return rng_below(&sim->rng, 10000) < of;
}

bool sim_fault(struct sim *sim, enum fault kind, uint32_t of)
{
	return sim_chance(sim, of) && sim->t_ms < FAULTS_UNTIL_MS &&
	       cast_has(&sim->cast, kind);
}

/* Chance begins anew, for this. */
static void chance_for(struct sim *sim, uint64_t what, uint64_t number)
{
	uint64_t key = (what << 56) ^ (number << 24) ^ number;
	sim->chances = key == sim->chance_of ? sim->chances + 1 : 0;
	sim->chance_of = key;
	rng_seed(&sim->rng,
		 sim->seed * 0x9e3779b97f4a7c15u ^ key ^ sim->chances << 40);
}

bool sim_step(struct sim *sim, unsigned actor)
{
	uint32_t number;
	bool taken = cast_step(&sim->cast, actor, &number);
	chance_for(sim, 128 + actor, number);
	return taken;
}

void sim_fail(struct sim *sim, const char *format, ...)
{
	va_list args;
	if (sim->failed)
		return;
	sim->failed = true;
	sim->format = format;
	va_start(args, format);
	vsnprintf(sim->why, sizeof(sim->why), format, args);
	va_end(args);
}

void sim_hash(struct sim *sim, struct span bytes)
{
	uint64_t h = sim->hash ^ sim->t_ms;
	for (size_t i = 0; i < bytes.len; i++)
		h = (h ^ bytes.at[i]) * 1099511628211u; /* FNV-1a's prime */
	sim->hash = (h ^ bytes.len) * 1099511628211u;
}

uint64_t sim_domain_ms(const struct sim *sim)
{
	return (uint64_t)((int64_t)sim->t_ms - sim->behind_ms);
}

int64_t sim_unix_ms(const struct sim *sim)
{
	return (int64_t)UNIX_START_MS * 1000 +
	       (int64_t)(sim->t_ms + sim->leapt_ms);
}

static void plan(struct sim *sim, enum happening_type type, uint64_t in_ms)
{
	queue_put(&sim->queue,
		  &(struct happening){ .type = type,
				       .at_ms = sim->t_ms + in_ms });
}

/* -- what the hub asks of its owner -- */

static void on_send(void *payload, uint64_t conn, struct span bytes)
{
	struct sim *sim = payload;
	if (conn >= OPERATOR_CONN) {
		operator_hears(sim, bytes);
		return;
	}
	struct link *l = net_find(sim, conn);
	if (!l || (!l->server_open && !l->closing))
		return; /* it has gone; its messages are dropped with it */
	if (!net_has_room(sim, l, bytes.len))
		return;
	sim->counts.messages++;
	sim_hash(sim, bytes);
	referee_message(sim, l, bytes);
	net_to_client(sim, l, bytes);
}

static size_t on_queued(void *payload, uint64_t conn)
{
	const struct link *l = net_find(payload, conn);
	return l ? l->queued : 0;
}

static void on_close(void *payload, uint64_t conn)
{
	struct sim *sim = payload;
	struct link *l = net_find(sim, conn);
	if (l && l->server_open && !l->closing) {
		net_server_closes(sim, l);
	} else if (l && l->given_up) {
		l->given_up = false;
		referee_link_ends(sim, l);
	}
}

static void on_append(void *payload, uint64_t row, const struct id *match,
		      uint64_t prev, struct span bytes)
{
	struct sim *sim = payload;
	disk_put(&sim->disk,
		 &(struct piece){ .type = PIECE_ROW,
				  .row = row,
				  .prev = prev,
				  .match = *match },
		 bytes);
}

static void on_secret(void *payload, const struct id *match, struct span bytes)
{
	struct sim *sim = payload;
	disk_put(&sim->disk,
		 &(struct piece){ .type = PIECE_SECRET, .match = *match },
		 bytes);
}

static void on_finish(void *payload, const struct hub_ending *e)
{
	struct sim *sim = payload;
	disk_put(&sim->disk,
		 &(struct piece){
			 .type = PIECE_FINISH,
			 .row = e->last_row,
			 .match = *e->match,
			 .head = *e->head,
			 .player = { *e->player[WHITE], *e->player[BLACK] } },
		 e->summary);
}

static void on_snapshot(void *payload, uint64_t row, struct span bytes)
{
	struct sim *sim = payload;
	disk_put(&sim->disk,
		 &(struct piece){ .type = PIECE_SNAPSHOT, .row = row }, bytes);
}

static int on_submit(void *payload)
{
	return disk_submit(payload) ? PLYD_OK : PLYD_ESTORE;
}

/* "h:" and the password; it takes a while. */
static void on_hash(void *payload, const struct hashing *w)
{
	struct sim *sim = payload;
	char made[PASSWORD_HASH_MAX] = "";
	bool good = !w->hash || (!strncmp(w->hash, "h:", 2) &&
				 span_is(w->password, w->hash + 2));
	if (good && w->fresh.len > 0)
		snprintf(made, sizeof(made), "h:%.*s", (int)w->fresh.len,
			 (const char *)w->fresh.at);
	struct happening h = { .type = HASHED,
			       .at_ms = sim->t_ms + sim_between(sim, 20, 300),
			       .number = w->job,
			       .msgid = sim->servers };
	if (sim_fault(sim, FAULT_WORKER, 500))
		h.at_ms += sim_between(sim, 0, 3000);
	made[sizeof(made) - 1] = good ? 'y' : 'n';
	h.len = sizeof(made);
	h.bytes = sim_copy(span_of(made, sizeof(made)));
	queue_put(&sim->queue, &h);
}

static void on_record(void *payload, uint64_t conn, uint32_t msgid,
		      const struct id *match)
{
	struct sim *sim = payload;
	queue_put(&sim->queue,
		  &(struct happening){ .type = RECORD_READ,
				       .at_ms = sim->t_ms +
						sim_between(sim, 0, 20),
				       .number = conn,
				       .msgid = msgid,
				       .match = *match });
}

static void on_list(void *payload, uint64_t conn, uint32_t msgid,
		    const struct id *player, uint64_t before_row)
{
	struct sim *sim = payload;
	if (before_row > 0)
		sim_fail(sim, "a list is asked for as nobody did");
	queue_put(&sim->queue,
		  &(struct happening){ .type = LIST_READ,
				       .at_ms = sim->t_ms +
						sim_between(sim, 0, 20),
				       .number = conn,
				       .msgid = msgid,
				       .match = *player });
}

/* -- the server's life -- */

static struct domain *load_domain(struct sim *sim)
{
	struct domain *d;
	struct entropy entropy;
	entropy_from_seed(&entropy, rng_next(&sim->rng));
	if (domain_new(&d, &sim->domain_limits, &entropy) ||
	    domain_set_rules(d, sim->rules, RULESETS) ||
	    domain_set_personalities(d, sim->personality, PERSONALITIES))
		abort();
	disk_load(sim, d);
	return d;
}

static void plan_crash(struct sim *sim)
{
	if (sim->t_ms < FAULTS_UNTIL_MS)
		plan(sim, CRASH, sim_between(sim, 5000, 60000));
}

static void start(struct sim *sim)
{
	struct hub_ops ops = { .payload = sim,
			       .send = on_send,
			       .close = on_close,
			       .queued = on_queued,
			       .append = on_append,
			       .secret = on_secret,
			       .finish = on_finish,
			       .list = on_list,
			       .snapshot = on_snapshot,
			       .submit = on_submit,
			       .think = worker_think,
			       .judge = worker_judge,
			       .hash = on_hash,
			       .record = on_record };
	struct entropy entropy;
	struct domain *d = load_domain(sim);
	sim->servers++;
	uint64_t now =
		domain_now_ms(d) > 0 ? domain_now_ms(d) : DOMAIN_START_MS;
	sim->behind_ms = (int64_t)sim->t_ms - (int64_t)now;
	entropy_from_seed(&entropy, rng_next(&sim->rng));
	if (hub_new(&sim->hub, d, &sim->hub_limits, &ops, &entropy))
		abort();
	story_tell(&sim->story, sim->t_ms, "server", "starts with row %llu",
		   (unsigned long long)domain_last_row(d));
	hub_wake(sim->hub, now, sim_unix_ms(sim));
	referee_started(sim);
	plan_crash(sim);
}

static void crash(struct sim *sim)
{
	if (sim->t_ms >= FAULTS_UNTIL_MS)
		return;
	sim->counts.crashes++;
	sim->operator.drained = false;
	story_tell(&sim->story, sim->t_ms, "server", "dies");
	hub_free(sim->hub);
	sim->hub = NULL;
	sim->rebuilding = sim->read_only = false;
	disk_crash(sim);
	net_server_dies(sim);
	plan(sim, START, sim_between(sim, 1, 5000));
}

static void rebuild(struct sim *sim)
{
	bool writable = !sim_fault(sim, FAULT_COMMIT, 3000);
	if (!sim->hub || !sim->rebuilding)
		return; /* it died meanwhile */
	struct domain *d = load_domain(sim);
	sim->rebuilding = false;
	sim->read_only = !writable;
	story_tell(&sim->story, sim->t_ms, "server", "rebuilds to row %llu%s",
		   (unsigned long long)domain_last_row(d),
		   writable ? "" : ", read-only");
	hub_rebuilt(sim->hub, d, writable, sim_domain_ms(sim),
		    sim_unix_ms(sim));
	referee_started(sim);
	if (!writable)
		plan(sim, WRITABLE, sim_between(sim, 100, 3000));
}

void sim_after_hub(struct sim *sim)
{
	if (!sim->hub || sim->failed)
		return;
	hub_flush(sim->hub, sim_domain_ms(sim));
	const char *broken = domain_invariant_broken(hub_domain(sim->hub));
	if (broken)
		sim_fail(sim, "the domain says of itself: %s", broken);
	if (hub_is_writable(sim->hub) || sim->rebuilding || sim->read_only)
		return;
	disk_forget_waiting(&sim->disk);
	sim->rebuilding = true;
	plan(sim, REBUILD, sim_between(sim, 1, 2000));
}

/* -- slow answers -- */

static void give_record(struct sim *sim, const struct happening *h)
{
	const struct record *r = disk_record(&sim->disk, &h->match);
	struct hub_record found = { .err = PLYD_ENORECORD };
	if (r)
		found = (struct hub_record){
			.head = span_of(r->head.byte, DIGEST_BYTES),
			.rows = buf_span(&r->rows),
		};
	hub_record(sim->hub, h->number, h->msgid, &h->match, &found);
}

static void give_list(struct sim *sim, const struct happening *h)
{
	struct hub_listed at[HUB_RECORDS_SHOWN_MAX + 1];
	struct hub_records found = { .at = at };
	const struct disk *d = &sim->disk;
	for (size_t i = d->records; i-- > 0;) {
		const struct record *r = &d->record[i];
		if ((id_eq(&r->player[WHITE], &h->match) ||
		     id_eq(&r->player[BLACK], &h->match)) &&
		    found.count <= HUB_RECORDS_SHOWN_MAX)
			at[found.count++] =
				(struct hub_listed){ r->match, r->row,
						     buf_span(&r->summary) };
	}
	hub_records(sim->hub, h->number, h->msgid, &found);
}

static void give_hash(struct sim *sim, const struct happening *h)
{
	const char *made = (const char *)h->bytes;
	if (h->msgid != sim->servers)
		return; /* that server has died */
	hub_hashed(sim->hub, h->number, made[h->len - 1] == 'y', span_str(made),
		   sim_domain_ms(sim), sim_unix_ms(sim));
}

/* -- what must not happen -- */

enum { OPERATOR_LINK = 1 << 30 }; /* no client's */

static struct id running_match(struct sim *sim)
{
	const struct domain *d = hub_domain(sim->hub);
	const struct match *m;
	uint32_t running = (uint32_t)domain_match_count(d);
	uint32_t chosen = running ? sim_between(sim, 0, running - 1) : 0;
	for (m = domain_matches(d); m; m = match_next(m))
		if (m->state != MATCH_OVER && m->state != MATCH_FROZEN &&
		    chosen-- == 0)
			return m->id;
	return (struct id){ "" };
}

void frozen_will_end(struct sim *sim, const struct id *match)
{
	queue_put(&sim->queue,
		  &(struct happening){
			  .type = END_FROZEN,
			  .match = *match,
			  .at_ms = sim->t_ms + sim_between(sim, 1000, 61000) });
}

static void freeze(struct sim *sim)
{
	struct id match = running_match(sim);
	if (sim->t_ms >= FAULTS_UNTIL_MS)
		return;
	if (id_is_none(&match) || !referee_freezes(sim, &match))
		return;
	story_tell(&sim->story, sim->t_ms, "server", "freezes %s", match.text);
	hub_freeze(sim->hub, &match, "a fault of the world", sim_domain_ms(sim),
		   sim_unix_ms(sim));
	frozen_will_end(sim, &match);
}

static void end_frozen(struct sim *sim, const struct id *match)
{
	static const char *const results[4] = { "white", "black", "draw",
						"none" };
	struct buf b;
	enum match_result result = (enum match_result)sim_between(sim, 0, 3);
	uint64_t now = sim_domain_ms(sim);
	const struct match *m = domain_match(hub_domain(sim->hub), match);
	if (!m || m->state != MATCH_FROZEN)
		return; /* it was never durable that it is */
	buf_init(&b, 1000);
	rpc_begin_request(&b, 1, "admin.end_match");
	put_map(&b, 2);
	put_cstr(&b, "match");
	put_cstr(&b, match->text);
	put_cstr(&b, "result");
	put_cstr(&b, results[result]);
	referee_operator_ends(sim, match, result);
	if (b.err || hub_connected_operator(sim->hub, OPERATOR_LINK, now))
		abort();
	hub_bytes(sim->hub, OPERATOR_LINK, buf_span(&b), now, sim_unix_ms(sim));
	hub_disconnected(sim->hub, OPERATOR_LINK, now);
	buf_release(&b);
}

/* -- happenings -- */

bool sim_stood_until(const struct sim *sim, uint64_t domain_ms)
{
	for (size_t i = 0; i < sim->stalls && i < STALLS_MAX; i++)
		if (sim->stood_until_ms[i] == domain_ms)
			return true;
	return false;
}

/* The wall clock is set right, or wrong; no other clock minds. */
static void leap(struct sim *sim)
{
	sim->leapt_ms += sim_between(sim, 1000, 3 * RATING_DAY_MS);
	sim->leapt_at_ms = sim->t_ms;
	story_tell(&sim->story, sim->t_ms, "world",
		   "the wall clock is set forward");
}

static void stall(struct sim *sim)
{
	if (sim->t_ms >= FAULTS_UNTIL_MS)
		return;
	sim->stalled_until_ms = sim->t_ms + sim_between(sim, 10, 3000);
	sim->stood_until_ms[sim->stalls++ % STALLS_MAX] =
		(uint64_t)((int64_t)sim->stalled_until_ms - sim->behind_ms);
	story_tell(&sim->story, sim->t_ms, "server", "stands still");
}

/* Those that come of themselves: each plans the next one of its kind. */
static void world_acts(struct sim *sim, enum happening_type type)
{
	switch (type) {
	case CRASH:
		if (sim_step(sim, ACTOR_CRASH))
			crash(sim);
		else
			plan_crash(sim);
		break;
	case WANT_SNAPSHOT:
		if (sim_step(sim, ACTOR_SNAPSHOT) && sim->hub)
			hub_snapshot(sim->hub);
		plan(sim, WANT_SNAPSHOT, sim_between(sim, 500, 20000));
		break;
	case DISK_FAILS:
		if (sim_step(sim, ACTOR_DISK) && sim->t_ms < FAULTS_UNTIL_MS)
			disk_fails(&sim->disk);
		plan(sim, DISK_FAILS, sim_between(sim, 500, 30000));
		break;
	case LEAP:
		if (sim_step(sim, ACTOR_CLOCK))
			leap(sim);
		plan(sim, LEAP, sim_between(sim, 20000, 90000));
		break;
	case STALL:
		if (sim_step(sim, ACTOR_STALL) && sim->hub)
			stall(sim);
		plan(sim, STALL, sim_between(sim, 2000, 30000));
		break;
	case RELOAD:
		if (sim->hub && sim_step(sim, ACTOR_RELOAD))
			scripts_reload(sim);
		plan(sim, RELOAD, sim_between(sim, 6000, 40000));
		break;
	default:
		if (sim->hub && sim_step(sim, ACTOR_FREEZE))
			freeze(sim);
		plan(sim, FREEZE,
		     sim->hub ? sim_between(sim, 5000, 65000) : 1000);
		break;
	}
}

static void happens_to_server(struct sim *sim, const struct happening *h)
{
	if (!sim->hub)
		return;
	switch (h->type) {
	case COMMIT_ENDS: disk_commit_ends(sim, h->number); break;
	case THOUGHT: worker_thought(sim, h); break;
	case VERDICT: worker_verdict(sim, h); break;
	case RECORD_READ: give_record(sim, h); break;
	case LIST_READ: give_list(sim, h); break;
	case HASHED: give_hash(sim, h); break;
	case REBUILD: rebuild(sim); break;
	case WRITABLE:
		if (sim->read_only) {
			sim->read_only = false;
			hub_writable(sim->hub);
			referee_writable(sim);
		}
		break;
	case END_FROZEN: end_frozen(sim, &h->match); break;
	default: break;
	}
}

static void happens(struct sim *sim, const struct happening *h)
{
	switch (h->type) {
	case AT_SERVER: net_arrive_at_server(sim, h); break;
	case AT_CLIENT: net_arrive_at_client(sim, h); break;
	case SERVER_ACCEPTS: net_accept(sim, h->number); break;
	case SERVER_SEES_END: net_server_sees_end(sim, h->number); break;
	case READS_AGAIN: net_reads_again(sim, h->number); break;
	case CLIENT_SEES_END: net_client_sees_end(sim, h->number); break;
	case CLIENT_ACTS: client_acts(sim, sim->client[h->number]); break;
	case OPERATOR_ACTS: operator_acts(sim); break;
	case START: start(sim); break;
	case CRASH:
	case WANT_SNAPSHOT:
	case DISK_FAILS:
	case STALL:
	case RELOAD:
	case LEAP:
	case FREEZE: world_acts(sim, h->type); break;
	default: happens_to_server(sim, h); break;
	}
}

/* Whether this must wait until the machine goes on. */
static bool waits_for_server(const struct sim *sim, const struct happening *h)
{
	return sim->hub && sim->t_ms < sim->stalled_until_ms &&
	       h->type != AT_CLIENT && h->type != CLIENT_SEES_END &&
	       h->type != CLIENT_ACTS;
}

static void next_happening(struct sim *sim)
{
	struct happening h = queue_take(&sim->queue);
	if (waits_for_server(sim, &h)) {
		h.at_ms = sim->stalled_until_ms;
		queue_put_back(&sim->queue, &h);
		return;
	}
	chance_for(sim, h.type,
		   sim->t_ms << 20 ^ (h.type == COMMIT_ENDS ? 0 : h.number));
	happens(sim, &h);
	free(h.bytes);
}

static uint64_t next_tick_ms(const struct sim *sim)
{
	if (!sim->hub || hub_next_due_ms(sim->hub) == UINT64_MAX)
		return UINT64_MAX;
	uint64_t tick =
		(uint64_t)((int64_t)hub_next_due_ms(sim->hub) + sim->behind_ms);
	return tick > sim->stalled_until_ms ? tick : sim->stalled_until_ms;
}

static void hub_ticks(struct sim *sim)
{
	chance_for(sim, TICK, sim->t_ms);
	hub_tick(sim->hub, sim_domain_ms(sim), sim_unix_ms(sim));
}

/* The next thing: what was planned comes before a tick of the same time, as
 * sockets are read before flags fall. */
static bool step(struct sim *sim)
{
	const struct happening *first = queue_first(&sim->queue);
	uint64_t tick = next_tick_ms(sim);
	uint64_t next = first && first->at_ms <= tick ? first->at_ms : tick;
	if (next >= END_MS && next > sim->t_ms)
		return false;
	if (next > sim->t_ms)
		sim->t_ms = next;
	if (first && first->at_ms <= tick)
		next_happening(sim);
	else
		hub_ticks(sim);
	if (sim->t_ms >= sim->stalled_until_ms)
		sim_after_hub(sim);
	if (sim->story.found)
		sim_fail(sim, "this is the line that was looked for");
	return true;
}

bool sim_run(struct sim *sim, uint64_t seed, const struct cast *cast,
	     const char *looks_for, bool trace)
{
	*sim = (struct sim){ .seed = seed,
			     .cast = *cast,
			     .story = { .aloud = trace,
					.looks_for = looks_for } };
	rng_seed(&sim->rng, seed);
	disk_open(&sim->disk);
	referee_open(sim);
	setting_make(sim);
	scripts_read(sim);
	sim->clients = CLIENTS_MAX - sim_between(sim, 0, 4);
	start(sim);
	plan(sim, WANT_SNAPSHOT, sim_between(sim, 500, 20000));
	plan(sim, STALL, sim_between(sim, 2000, 30000));
	plan(sim, DISK_FAILS, sim_between(sim, 500, 30000));
	plan(sim, RELOAD, sim_between(sim, 2000, 30000));
	plan(sim, LEAP, sim_between(sim, 20000, 90000));
	if (sim_between(sim, 0, 3) == 0)
		plan(sim, FREEZE, sim_between(sim, 10000, 90000));
	for (size_t i = 0; i < sim->clients; i++)
		sim->client[i] = client_new(sim, i);
	plan(sim, OPERATOR_ACTS, 1000);
	while (!sim->failed && step(sim))
		;
	if (!sim->failed)
		referee_end(sim);
	return !sim->failed;
}

void sim_release(struct sim *sim)
{
	hub_free(sim->hub);
	for (size_t i = 0; i < sim->clients; i++)
		client_free(sim->client[i]);
	net_release(sim);
	queue_release(&sim->queue);
	disk_release(&sim->disk);
	referee_release(sim);
}
