/* SPDX-License-Identifier: MIT
 * view_priv.h - what the files of views share: entries of a map, and the part of
 * a match that view_stakes.c writes. */
#ifndef PLYD_SESSION_VIEW_PRIV_H
#define PLYD_SESSION_VIEW_PRIV_H

#include "proto/write.h"
#include "session/view.h"

static inline void put_entry_str(struct buf *b, const char *key,
				 const char *text)
{
	put_cstr(b, key);
	put_cstr(b, text);
}

static inline void put_entry_int(struct buf *b, const char *key, int64_t value)
{
	put_cstr(b, key);
	put_int(b, value);
}

static inline void put_entry_bool(struct buf *b, const char *key, bool value)
{
	put_cstr(b, key);
	put_bool(b, value);
}

static inline void put_entry_id(struct buf *b, const char *key,
				const struct id *id)
{
	put_cstr(b, key);
	if (id_is_none(id))
		put_nil(b);
	else
		put_cstr(b, id->text);
}

/* A side, or nil for -1. */
static inline void put_entry_side(struct buf *b, const char *key, int side)
{
	put_cstr(b, key);
	if (side < 0)
		put_nil(b);
	else
		put_cstr(b, side_name(side));
}

void put_person(struct buf *b, const struct id *id, const char *name,
		enum player_kind kind);
void put_clock_rules(struct buf *b, const struct clock_rules *c);
void view_time(struct buf *b, const struct clock_rules *c);
void view_match_line(struct buf *b, const struct match *m);

/* -- view_stakes.c -- */

/* The entry `awaits`. */
void view_awaits(struct buf *b, const struct match *m);
/* Whether the entry `stakes` is shown of it; and that. */
bool view_has_stakes(const struct match *m);
void view_stakes(struct buf *b, const struct match *m);
/* The entry `game_result`. */
void view_game_result(struct buf *b, const struct fact_game_ended_body *g);

#endif
