/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <string.h>

void engine_history_init(struct engine_history *h, unsigned no_progress,
			 unsigned repetition, bool man_moves_count)
{
	*h = (struct engine_history){
		.no_progress = no_progress,
		.repetition = repetition,
		.man_moves_count = man_moves_count,
	};
}

static void remember(struct engine_history *h, uint64_t hash)
{
	if (h->count == ENGINE_HISTORY_MAX) {
		h->count--;
		memmove(h->hash, h->hash + 1, h->count * sizeof(h->hash[0]));
	}
	h->hash[h->count++] = hash;
}

void engine_history_add(struct engine_history *h, const struct ruleset *rs,
			const struct position *before,
			const struct position *after)
{
	struct progress p = game_progress(rs, before, after);
	bool gone = p.captured || p.promoted;
	if (gone || (h->man_moves_count && p.man_moved))
		h->quiet = 0;
	else
		h->quiet++;
	if (gone)
		h->count = 0; /* nothing before can come again */
	else
		remember(h, game_hash(rs, before));
}
