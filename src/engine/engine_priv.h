/* SPDX-License-Identifier: MIT
 * engine_priv.h - what the files of this room share: the count of nodes, the
 * transposition table and the seams between a search and its evaluation. A
 * stronger evaluation replaces draughts_evaluate() or backgammon_evaluate()
 * and nothing else. */
#ifndef PLYD_ENGINE_ENGINE_PRIV_H
#define PLYD_ENGINE_ENGINE_PRIV_H

#include "engine/engine.h"

enum {
	PLY_MAX =
		96, /* half-moves from the root, extensions and captures too */
	SCORE_INFINITE = ENGINE_SCORE_MAX + 1,
	WIN_FOUND = ENGINE_WIN - 512, /* a score from here on is a win: so many
				       * half-moves, those of an ending too */
};

static inline uint64_t mix64(uint64_t z)
{
	z += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A number that tells the moves of one position apart. */
uint64_t move_key(const struct move *m);
/* Clears what a list may leave behind a move's last square. */
void move_trim(struct move *m, enum family family);

static inline int percent(int value, int weight)
{
	return value * weight / 100;
}

static inline int clamp(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

/* ---- nodes ------------------------------------------------------------- */

struct meter {
	uint64_t nodes;
	uint64_t limit;
	const atomic_bool *stop;
	bool spent; /* no node is left, or somebody said stop */
};

/* Counts one node; false, and nothing counted, when the search must end. */
static inline bool meter_take(struct meter *m)
{
	if (m->nodes >= m->limit ||
	    (m->stop && atomic_load_explicit(m->stop, memory_order_relaxed)))
		m->spent = true;
	if (m->spent)
		return false;
	m->nodes++;
	return true;
}

/* Whether so many nodes can be taken, if nobody says stop. */
static inline bool meter_has(const struct meter *m, uint64_t nodes)
{
	return m->limit - m->nodes >= nodes;
}

/* Counts nodes for a position that cost more than a node's work. */
static inline void meter_charge(struct meter *m, uint64_t nodes)
{
	m->nodes += nodes < m->limit - m->nodes ? nodes : m->limit - m->nodes;
}

/* ---- transposition table ----------------------------------------------- */

enum bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

struct table_entry {
	uint64_t key;
	int16_t score;
	uint16_t move; /* move_ends() of the best move; 0 none */
	int8_t depth;
	uint8_t bound;
	uint8_t generation; /* the search that wrote it; 0 never */
};

/* Entries in groups that fill a line of the machine's cache. */
enum { TABLE_GROUP = 4 };
_Static_assert(TABLE_GROUP * sizeof(struct table_entry) == 64, "a line");

struct table {
	void *memory;
	struct table_entry *entry;
	size_t groups; /* a power of two */
	size_t mask;   /* of the groups that this search uses */
	uint8_t generation;
};

/* A table of at most so many bytes, one group at least; release it with
 * table_release(). PLYD_ENOMEM: t is empty. */
int table_init(struct table *t, size_t bytes);
void table_release(struct table *t);
/* Forgets all entries, so that no search depends on an earlier one, and uses no
 * more of the table than so many nodes can fill: what is small is near. */
void table_next_search(struct table *t, uint64_t nodes);
/* Has the memory of key's group on its way while other work is done. */
static inline void table_fetch(const struct table *t, uint64_t key)
{
	__builtin_prefetch(&t->entry[(key & t->mask) * TABLE_GROUP]);
}
/* The entry of this search for key, or NULL. */
const struct table_entry *table_find(const struct table *t, uint64_t key);
/* Keeps an entry in place of an old one, or of the least deep of its group. */
void table_store(struct table *t, const struct table_entry *entry);

/* ---- families ---------------------------------------------------------- */

struct learned;

/* What one question needs, with all defaults filled in. */
struct task {
	const struct ruleset *ruleset;
	const struct position *position;
	const struct engine_history *history;
	const struct engine_weights *weights;
	const struct learned *learned; /* draughts; NULL: what is shipped */
	struct meter meter;
	struct table *table;
	int depth;
	size_t multipv;
	uint64_t seed;
};

struct draughts_search;
size_t draughts_search_bytes(void);
int draughts_search_run(struct draughts_search *s, struct task *task,
			struct engine_result *out);
int draughts_evaluate(const struct ruleset *rs, const struct position *pos,
		      const struct engine_weights *w);

struct backgammon_search;
size_t backgammon_search_bytes(void);
int backgammon_search_run(struct backgammon_search *s, struct task *task,
			  struct engine_result *out);
int backgammon_evaluate(const struct ruleset *rs, const struct position *pos,
			const struct engine_weights *w);

#endif
