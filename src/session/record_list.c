/* SPDX-License-Identifier: MIT
 * record_list.c - the answers to record.list and admin.records. */
#include "session/hub_priv.h"

#include "base/log.h"
#include "domain/name.h"
#include "record/summary.h"
#include "session/view_priv.h"

void record_list_ask(struct hub *h, const struct conn *c,
		     const struct request *r)
{
	static const struct id all;
	const struct params_admin_records *p = &r->params.admin_records;
	bool own = r->method == METHOD_RECORD_LIST;
	const struct id *owner = own             ? &c->player
				 : p->has_player ? &p->player
						 : &all;
	int64_t before = own ? r->params.record_list.before : p->before;
	if (!h->ops.list) {
		refuse_at_once(h, c, r, PLYD_ENOTALLOWED);
		return;
	}
	h->records_asked++;
	h->ops.list(h->ops.payload, c->number, r->msgid, owner,
		    (uint64_t)before);
}

/* Without who is deleted. */
static void put_seat(struct hub *h, const char *key,
		     const struct summary_seat *seat)
{
	static const struct id nobody;
	char name[NAME_BYTES_MAX + 1];
	bool deleted = !id_is_none(&seat->player) &&
		       domain_is_deleted(h->domain, &seat->player);
	span_copy(deleted ? span_str(DELETED_NAME) : seat->name, name,
		  sizeof(name));
	put_cstr(&h->out, key);
	put_person(&h->out, deleted ? &nobody : &seat->player, name,
		   seat->kind);
}

static void put_line(struct hub *h, const struct hub_listed *l,
		     const struct summary *s)
{
	static const char *const results[] = { "white", "black", "draw",
					       "none" };
	struct buf *b = &h->out;
	bool score = s->score[WHITE] > 0 || s->score[BLACK] > 0;
	put_map(b, 12u + 2u * score);
	put_entry_str(b, "match", l->match.text);
	put_entry_int(b, "row", (int64_t)l->row);
	put_cstr(b, "ruleset");
	put_str(b, s->ruleset);
	put_seat(h, "white", &s->seat[WHITE]);
	put_seat(h, "black", &s->seat[BLACK]);
	put_entry_str(b, "result", results[s->result]);
	put_cstr(b, "reason");
	put_str(b, s->reason);
	put_entry_int(b, "points", s->points);
	if (score) {
		put_entry_int(b, "white_score", s->score[WHITE]);
		put_entry_int(b, "black_score", s->score[BLACK]);
	}
	put_entry_int(b, "ply", s->plies);
	put_entry_bool(b, "rated", s->rated);
	put_entry_int(b, "began_unix_ms", s->began_unix_ms);
	put_entry_int(b, "ended_unix_ms", s->ended_unix_ms);
}

/* Those that can be shown; put: for the second time, into the answer. */
static uint32_t each_line(struct hub *h, const struct hub_records *r, bool put)
{
	uint32_t lines = 0;
	struct summary s;
	for (size_t i = 0; i < r->count && i < HUB_RECORDS_SHOWN_MAX; i++) {
		const struct hub_listed *l = &r->at[i];
		int err = summary_read(h->fact, l->summary, &s);
		if (err && put)
			log_event(LOG_ERROR, "a record has no summary",
				  "match=%s", l->match.text);
		if (err)
			continue;
		lines++;
		if (put)
			put_line(h, l, &s);
	}
	return lines;
}

void hub_records(struct hub *h, uint64_t conn, uint32_t msgid,
		 const struct hub_records *records)
{
	h->records_asked--;
	if (!find_conn(h, conn))
		return;
	buf_clear(&h->out);
	if (records->err) {
		hub_error(h, conn, msgid, records->err, NULL, NULL, NULL);
	} else {
		rpc_begin_result(&h->out, msgid);
		put_map(&h->out, 2);
		put_entry_bool(&h->out, "more",
			       records->count > HUB_RECORDS_SHOWN_MAX);
		put_cstr(&h->out, "records");
		put_array(&h->out, each_line(h, records, false));
		each_line(h, records, true);
	}
	hub_queue(h, ENTRY_ANSWER, conn, msgid);
}
