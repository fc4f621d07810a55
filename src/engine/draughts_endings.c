/* SPDX-License-Identifier: MIT
 * The endings that ship: unpacked once a process, into memory that is there
 * from the start, so that a search that asks for them allocates nothing. */
#include "engine/draughts_endings_priv.h"

#include <stdatomic.h>
#include <string.h>
#include <zlib.h>

#include "engine/engine.h"
#include "engine/draughts_data_priv.h"

enum {
	ENGLISH_PLACES = 7455300, /* as slices_init() counts them */
	TURKISH_PLACES = 1728000,
	INFLATE_BYTES = 64 * 1024 /* what zlib asks for, with room to spare */
};

/* ---- unpacking --------------------------------------------------------- */

struct pool {
	size_t used;
	_Alignas(16) unsigned char bytes[INFLATE_BYTES];
};

static void *pool_take(void *opaque, unsigned items, unsigned size)
{
	struct pool *p = opaque;
	size_t bytes = ((size_t)items * size + 15) & ~(size_t)15;
	if (bytes > sizeof(p->bytes) - p->used)
		return NULL;
	p->used += bytes;
	return p->bytes + p->used - bytes;
}

static void pool_give(void *opaque, void *at)
{
	(void)opaque;
	(void)at;
}

/* Whether the packed bytes were just so many places. */
static bool unpack(struct span packed, struct pool *pool, uint8_t *out,
		   size_t len)
{
	z_stream z = { .zalloc = pool_take,
		       .zfree = pool_give,
		       .opaque = pool,
		       .next_in = (unsigned char *)(uintptr_t)packed.at,
		       .avail_in = (unsigned)packed.len,
		       .next_out = out,
		       .avail_out = (unsigned)len };
	pool->used = 0;
	if (inflateInit(&z) != Z_OK)
		return false;
	int end = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	return end == Z_STREAM_END && z.avail_out == 0;
}

/* ---- what ships -------------------------------------------------------- */

static uint8_t english_code[ENGLISH_PLACES];
static uint8_t turkish_code[TURKISH_PLACES];
/* Whether somebody unpacks, or has unpacked. A worker's sandbox knows no call
 * of the system that waits for another thread, and the wait is short. */
enum { PACKED, UNPACKING, UNPACKED };
struct shipped {
	atomic_int state;
	struct endings endings;
};
static struct shipped english, turkish;

static const struct endings *open_once(struct shipped *s, void (*open)(void))
{
	int packed = PACKED;
	if (atomic_load(&s->state) != UNPACKED) {
		if (atomic_compare_exchange_strong(&s->state, &packed,
						   UNPACKING)) {
			open();
			atomic_store(&s->state, UNPACKED);
		}
		while (atomic_load(&s->state) != UNPACKED)
			;
	}
	return s->endings.code ? &s->endings : NULL;
}

static void open_endings(struct endings *e, const char *name,
			 struct span packed, uint8_t *code, size_t places)
{
	struct ruleset rs;
	struct variant v;
	struct pool pool;
	if (ruleset_find(name, strlen(name), &rs))
		return;
	variant_of(&rs, &v);
	slices_init(&e->slices, &v);
	if (e->slices.size == places && unpack(packed, &pool, code, places))
		e->code = code;
}

static void open_english(void)
{
	open_endings(&english.endings, "english", data_english_endings(),
		     english_code, sizeof(english_code));
}

static void open_turkish(void)
{
	open_endings(&turkish.endings, "turkish", data_turkish_endings(),
		     turkish_code, sizeof(turkish_code));
}

/* Whether pieces move and capture as in a built-in ruleset; how squares are
 * written and who begins is of no account. */
static bool plays_as(const struct variant *v, const char *name)
{
	struct ruleset rs;
	struct variant w;
	if (ruleset_find(name, strlen(name), &rs))
		return false;
	variant_of(&rs, &w);
	return v->squares == w.squares &&
	       v->man_step[WHITE] == w.man_step[WHITE] &&
	       v->man_capture[WHITE] == w.man_capture[WHITE] &&
	       v->promotion == w.promotion && v->flying == w.flying &&
	       v->per_piece == w.per_piece && v->per_king == w.per_king &&
	       v->taken_stay == w.taken_stay &&
	       v->men_capture_kings == w.men_capture_kings &&
	       v->turn_back == w.turn_back;
}

const struct endings *endings_of(const struct variant *v)
{
	if (plays_as(v, "english"))
		return open_once(&english, open_english);
	if (plays_as(v, "turkish") || plays_as(v, "turkish-classic"))
		return open_once(&turkish, open_turkish);
	return NULL;
}

/* ---- asking ------------------------------------------------------------ */

/* The half-moves after which the side to move has lost, or -1. */
static int lost_in(const struct endings *e, const struct view *view)
{
	uint32_t place;
	if (!view->own)
		return 0;
	if (!slices_find(&e->slices, view, &place) ||
	    e->code[place] < ENDING_LOST)
		return -1;
	return 2 * (e->code[place] - ENDING_LOST);
}

/* A won position is won in one more than the reply that loses soonest. */
static int won_in(const struct endings *e, const struct variant *v,
		  const struct view *view)
{
	struct view_move move[MOVE_LIST_MAX];
	uint64_t budget = UINT64_MAX; /* with so few pieces little is tried */
	int soonest = -1;
	int count = view_list(v, view, view_capturers(v, view), &budget, move);
	for (int i = 0; i < count; i++) {
		struct view next;
		view_play(view, &move[i], &next);
		int n = lost_in(e, &next);
		if (n >= 0 && (soonest < 0 || n < soonest))
			soonest = n;
	}
	return soonest < 0 ? -1 : soonest + 1;
}

bool endings_score(const struct endings *e, const struct variant *v,
		   const struct view *view, int *score)
{
	uint32_t place;
	if (!slices_find(&e->slices, view, &place))
		return false;
	uint8_t code = e->code[place];
	*score = 0;
	if (code == ENDING_DRAWN)
		return true;
	if (code >= ENDING_LOST) {
		*score = -(ENGINE_WIN - 2 * (code - ENDING_LOST));
		return true;
	}
	int n = code == ENDING_WON ? won_in(e, v, view) : -1;
	*score = ENGINE_WIN - n;
	return n >= 0;
}
