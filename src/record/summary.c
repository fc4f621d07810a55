/* SPDX-License-Identifier: MIT
 * One array: what the match was, how it ended, and three entries of each seat.
 * New entries go to the end. */
#include "record/summary.h"

#include "proto/write.h"

enum { OWN_ENTRIES = 10, SEAT_ENTRIES = 3 };

static void put_seat(struct buf *b, const struct seat *s)
{
	put_cstr(b, s->player.text);
	put_uint(b, s->kind);
	put_cstr(b, s->name);
}

void summary_write(struct buf *b, const struct match *m, int64_t ended_unix_ms)
{
	put_array(b, OWN_ENTRIES + 2 * SEAT_ENTRIES);
	put_cstr(b, m->rules->rules.name);
	put_int(b, m->began_at);
	put_int(b, ended_unix_ms);
	put_bool(b, m->rated);
	put_uint(b, m->ply);
	put_uint(b, m->result);
	put_cstr(b, end_reason_name(m->reason));
	put_int(b, m->points);
	put_uint(b, m->pos.stakes.score[WHITE]);
	put_uint(b, m->pos.stakes.score[BLACK]);
	put_seat(b, &m->seat[WHITE]);
	put_seat(b, &m->seat[BLACK]);
}

static bool read_seat(const struct value *v, size_t at,
		      struct summary_seat *out)
{
	struct span player;
	int64_t kind;
	if (value_str(value_at(v, at), &player) ||
	    (player.len > 0 && !id_read(player, &out->player)) ||
	    value_int(value_at(v, at + 1), 0, KIND_MEMBER, &kind) ||
	    value_str(value_at(v, at + 2), &out->name))
		return false;
	out->kind = (enum player_kind)kind;
	return true;
}

static bool read_own(const struct value *v, struct summary *out)
{
	int64_t result;
	if (value_str(value_at(v, 0), &out->ruleset) ||
	    value_int(value_at(v, 1), INT64_MIN, INT64_MAX,
		      &out->began_unix_ms) ||
	    value_int(value_at(v, 2), INT64_MIN, INT64_MAX,
		      &out->ended_unix_ms) ||
	    value_bool(value_at(v, 3), &out->rated) ||
	    value_int(value_at(v, 4), 0, PLIES_MAX, &out->plies) ||
	    value_int(value_at(v, 5), RESULT_WHITE, RESULT_ABORTED, &result) ||
	    value_str(value_at(v, 6), &out->reason) ||
	    value_int(value_at(v, 7), 0, INT32_MAX, &out->points) ||
	    value_int(value_at(v, 8), 0, UINT8_MAX, &out->score[WHITE]) ||
	    value_int(value_at(v, 9), 0, UINT8_MAX, &out->score[BLACK]))
		return false;
	out->result = (enum match_result)result;
	return true;
}

int summary_read(struct doc *doc, struct span bytes, struct summary *out)
{
	const struct value *v;
	int err = doc_parse(doc, bytes, &doc_store, &v);
	*out = (struct summary){ .plies = 0 };
	if (err == PLYD_ENOMEM)
		return err;
	if (err || !read_own(v, out) ||
	    !read_seat(v, OWN_ENTRIES, &out->seat[WHITE]) ||
	    !read_seat(v, OWN_ENTRIES + SEAT_ENTRIES, &out->seat[BLACK]))
		return PLYD_ERECORD;
	return PLYD_OK;
}
