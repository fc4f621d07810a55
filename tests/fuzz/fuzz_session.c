/* SPDX-License-Identifier: MIT
 * Whatever happens to a hub, in any order: each request is answered just once,
 * by what the protocol declares, events have no holes, no secret is told, and
 * the domain finds nothing wrong with itself. The input is a list of happenings
 * of eight bytes: what, to whom, how, and a seed for what those leave open. */
#include "fuzz.h"

#include <string.h>

#include "base/table.h"
#include "session_world.h"

enum { HAPPENING_BYTES = 8, HAPPENINGS_MAX = 160 };

struct happening {
	struct world *w;
	struct ear *ear;
	uint8_t how;
	struct rng rng;
};

static struct ear *listening(struct happening *h)
{
	if (!h->ear->number)
		world_connect(h->w, h->ear);
	return h->ear->number ? h->ear : NULL;
}

static void say(struct happening *h, struct ear *e, struct buf *b)
{
	insist(!b->err);
	world_send(h->w, e, buf_span(b));
	buf_release(b);
}

/* -- what may happen -- */

static void asks_something(struct happening *h)
{
	const struct method_info *m = method_at(h->how % method_count());
	struct buf b;
	if (m->state == METHOD_OPERATOR && rng_below(&h->rng, 16) > 0)
		h->ear = &h->w->ear[OPERATOR_EAR];
	struct ear *e = listening(h);
	if (!e)
		return;
	buf_init(&b, MESSAGE_BYTES_MAX);
	ask_any(h->w, &h->rng, e, m, &b);
	say(h, e, &b);
}

static void says_hello(struct happening *h)
{
	struct buf b;
	struct ear *e = listening(h);
	if (!e || e == &h->w->ear[OPERATOR_EAR])
		return;
	buf_init(&b, MESSAGE_BYTES_MAX);
	ask_hello(h->w, &h->rng, e, &b);
	say(h, e, &b);
}

static void plays(struct happening *h)
{
	for (unsigned n = h->how % 4 + 1u; n > 0; n--) {
		struct buf b;
		buf_init(&b, MESSAGE_BYTES_MAX);
		struct ear *e = ask_half_move(h->w, &h->rng, &b);
		if (e)
			say(h, e, &b);
		else
			buf_release(&b);
		world_after(h->w);
		while (world_commit(h->w))
			world_after(h->w);
	}
}

static void opens_lobby(struct happening *h)
{
	struct buf b;
	struct ear *e = listening(h);
	if (!e)
		return;
	buf_init(&b, MESSAGE_BYTES_MAX);
	ask_lobby(&h->rng, e, h->how, rng_below(&h->rng, 4) == 0, &b);
	say(h, e, &b);
}

static void joins(struct happening *h)
{
	struct buf b;
	struct ear *e = listening(h);
	buf_init(&b, MESSAGE_BYTES_MAX);
	if (e && ask_join(h->w, e, &b))
		say(h, e, &b);
	else
		buf_release(&b);
}

/* A request with some bytes changed, or cut off. */
static void says_nonsense(struct happening *h)
{
	struct buf b;
	struct ear *e = listening(h);
	if (!e || e == &h->w->ear[OPERATOR_EAR])
		return;
	buf_init(&b, MESSAGE_BYTES_MAX);
	ask_any(h->w, &h->rng, e, method_at(h->how % method_count()), &b);
	e->wild = true;
	e->player = (struct id){ "" };
	for (uint32_t n = 1 + rng_below(&h->rng, 4); n > 0; n--)
		b.at[rng_below(&h->rng, (uint32_t)b.len)] =
			(uint8_t)rng_next(&h->rng);
	if (rng_below(&h->rng, 4) == 0)
		b.len = rng_below(&h->rng, (uint32_t)b.len);
	say(h, e, &b);
}

/* A request in two pieces, and something else in between. */
static void says_haltingly(struct happening *h)
{
	struct buf b;
	struct ear *e = listening(h);
	if (!e || e->closed)
		return;
	buf_init(&b, MESSAGE_BYTES_MAX);
	ask_any(h->w, &h->rng, e, method_at(h->how % method_count()), &b);
	size_t first = rng_below(&h->rng, (uint32_t)b.len);
	uint64_t number = e->number;
	world_send(h->w, e, span_of(b.at, first));
	world_time(h->w, rng_below(&h->rng, 2000));
	world_after(h->w);
	world_commit(h->w);
	if (e->number == number && !e->closed)
		world_send(h->w, e, span_of(b.at + first, b.len - first));
	buf_release(&b);
}

static void goes(struct happening *h)
{
	if (h->ear->number)
		world_disconnect(h->w, h->ear);
}

static void becomes_slow(struct happening *h)
{
	h->ear->slow = h->how & 1;
}

static void commits(struct happening *h)
{
	for (unsigned n = h->how; n < 256 && world_commit(h->w); n++)
		world_after(h->w);
}

static void commit_fails(struct happening *h)
{
	if (h->how % 8 == 0)
		h->w->refuses = true;
	else
		world_commit_fails(h->w, h->how & 1);
}

static void is_rebuilt(struct happening *h)
{
	world_rebuild(h->w, h->how & 3);
}

static void time_passes(struct happening *h)
{
	uint64_t ms = h->how;
	world_time(h->w, h->how & 1 ? ms : h->how & 2 ? ms * 40 : ms * 3000);
}

static void answers_come(struct happening *h)
{
	switch (h->how % 4) {
	case 0: world_thinks(h->w, &h->rng); break;
	case 1: world_judges(h->w, &h->rng); break;
	case 2: world_hashes(h->w); break;
	default: world_reads(h->w); break;
	}
}

static void server_suffers(struct happening *h)
{
	const struct match *m = domain_matches(hub_domain(h->w->hub));
	switch (h->how % 4) {
	case 0: world_crash(h->w, rng_below(&h->rng, 4)); break;
	case 1: hub_snapshot(h->w->hub); break;
	case 2:
		if (m && m->state != MATCH_OVER && m->state != MATCH_FROZEN)
			hub_freeze(h->w->hub, &m->id, "a fault", h->w->now_ms,
				   h->w->unix_ms);
		break;
	default: world_settle(h->w); break;
	}
}

typedef void happen_fn(struct happening *h);
/* The more often the more of them. */
static happen_fn *const happens[] = {
	asks_something, asks_something, asks_something, asks_something,
	asks_something, asks_something, asks_something, asks_something,
	says_hello,     says_hello,     opens_lobby,    joins,
	plays,          plays,          plays,          plays,
	commits,        commits,        commits,        time_passes,
	time_passes,    answers_come,   answers_come,   answers_come,
	says_nonsense,  says_haltingly, goes,           becomes_slow,
	commit_fails,   is_rebuilt,     is_rebuilt,     server_suffers,
};
enum { HAPPENS = sizeof(happens) / sizeof(happens[0]) };

static void happen(struct world *w, const uint8_t at[HAPPENING_BYTES])
{
	struct happening h = { .w = w, .how = at[2] };
	uint64_t seed = 0;
	for (int i = 3; i < HAPPENING_BYTES; i++)
		seed = seed << 8 | at[i];
	rng_seed(&h.rng, seed);
	h.ear = &w->ear[at[1] % (EARS + 1)];
	if (h.ear == &w->ear[OPERATOR_EAR] && at[1] < 0xf0)
		h.ear = &w->ear[0];
	happens[at[0] % HAPPENS](&h);
	world_after(w);
}

/* -- where it begins -- */

static void goes_on(struct world *w)
{
	world_after(w);
	while (world_commit(w) || world_hashes(w))
		world_after(w);
}

/* Two who play each other, with accounts if they are to be rated. */
static void begin_match(struct world *w, size_t first, uint8_t rules,
			bool rated)
{
	static const char *const logins[] = { "ann", "bob", "cy", "dora" };
	for (size_t i = first; i < first + 2; i++) {
		struct happening h = { .w = w, .ear = &w->ear[i] };
		struct buf b;
		rng_seed(&h.rng, i);
		says_hello(&h);
		goes_on(w);
		buf_init(&b, MESSAGE_BYTES_MAX);
		if (rated)
			ask_register(h.ear, logins[i], &b);
		say(&h, h.ear, &b);
		goes_on(w);
		buf_init(&b, MESSAGE_BYTES_MAX);
		if (i == first)
			ask_lobby(&h.rng, h.ear, rules, rated, &b);
		else
			ask_join(w, h.ear, &b);
		say(&h, h.ear, &b);
		goes_on(w);
	}
}

/* The first happening is the scene: how many play, what, and how late others
 * see it. */
static void open_scene(struct world *w, const uint8_t at[HAPPENING_BYTES])
{
	static const int64_t delays[] = { 0, 0, 3000, 60000 };
	world_open(w, delays[at[3] % 4]);
	for (size_t i = 0; i < at[0] % 3u; i++)
		begin_match(w, 2 * i, at[1 + i], at[4 + i] & 1);
	world_time(w, 4000); /* nobody waits for nonces any more */
	goes_on(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct world w;
	if (len < HAPPENING_BYTES)
		return 0;
	insist(!crypto_ready());
	table_ready();
	open_scene(&w, bytes);
	for (size_t n = 0; n < HAPPENINGS_MAX && len >= 2 * HAPPENING_BYTES;
	     n++) {
		bytes += HAPPENING_BYTES;
		len -= HAPPENING_BYTES;
		happen(&w, bytes);
	}
	world_settle(&w);
	world_close(&w);
	return 0;
}

/* -- how libFuzzer changes an input: by whole happenings -- */

size_t LLVMFuzzerCustomMutator(uint8_t *at, size_t len, size_t max,
			       unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *at, size_t len, size_t max,
			       unsigned seed)
{
	struct rng rng;
	size_t size = HAPPENING_BYTES;
	rng_seed(&rng, seed);
	size_t count = len / size, most = max / size;
	uint32_t change = rng_below(&rng, 6);
	size_t n = 1 + rng_below(&rng, 8);
	size_t to = rng_below(&rng, (uint32_t)count + 1);
	if (change == 0) { /* some go */
		n = n < count - to ? n : count - to;
		memmove(at + to * size, at + (to + n) * size,
			(count - to - n) * size);
		return (count - n) * size;
	}
	if (change == 1 && to < count) { /* a byte of one changes */
		at[to * size + rng_below(&rng, HAPPENING_BYTES)] =
			(uint8_t)rng_next(&rng);
		return count * size;
	}
	/* others come, or come again */
	n = n < most - count ? n : most - count;
	memmove(at + (to + n) * size, at + to * size, (count - to) * size);
	for (size_t i = to * size; i < (to + n) * size; i++)
		at[i] = (uint8_t)rng_next(&rng);
	if (change == 2 && count > n)
		memmove(at + to * size, at, n * size);
	return (count + n) * size;
}
