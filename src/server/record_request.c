/* SPDX-License-Identifier: MIT
 * record_request.c - records that players ask for, read off the loop. */
#include "server/server_priv.h"

#include <stdlib.h>

struct record_request {
	struct server *server;
	uint64_t conn;
	uint32_t msgid;
	struct id id; /* the match; of a list: the player */
};

static void on_record(void *payload, int status,
		      const struct store_record *record)
{
	struct record_request *r = payload;
	struct hub_record answer = { .err = status };
	if (record) {
		answer.head = record->head;
		answer.rows = record->rows;
	}
	if (status != PLYD_ESHUTDOWN)
		hub_record(r->server->hub, r->conn, r->msgid, &r->id, &answer);
	free(r);
}

typedef int read_fn(struct store *s, const struct id *match,
		    store_record_fn *done, void *payload);

static void ask(void *payload, uint64_t conn, uint32_t msgid,
		const struct id *match, read_fn *read)
{
	struct server *s = payload;
	struct record_request *r = malloc(sizeof(*r));
	int err = PLYD_ENOMEM;
	if (r) {
		*r = (struct record_request){ s, conn, msgid, *match };
		err = read(s->journal.store, match, on_record, r);
	}
	if (!err)
		return;
	const struct hub_record answer = { .err = err };
	hub_record(s->hub, conn, msgid, match, &answer);
	free(r);
}

void hub_wants_record(void *payload, uint64_t conn, uint32_t msgid,
		      const struct id *match)
{
	ask(payload, conn, msgid, match, store_read_record);
}

void hub_wants_rows(void *payload, uint64_t conn, uint32_t msgid,
		    const struct id *match)
{
	ask(payload, conn, msgid, match, store_read_rows);
}

static void on_list(void *payload, int status,
		    const struct store_record *record)
{
	static struct hub_listed at[HUB_RECORDS_SHOWN_MAX + 1];
	struct record_request *r = payload;
	struct hub_records answer = { .err = status, .at = at };
	struct span rows = record ? record->rows : span_of(NULL, 0);
	struct store_listed l;
	while (answer.count < HUB_RECORDS_SHOWN_MAX + 1 &&
	       store_listed_next(&rows, &l) > 0)
		at[answer.count++] =
			(struct hub_listed){ l.match, l.ended_seq, l.meta };
	if (status != PLYD_ESHUTDOWN)
		hub_records(r->server->hub, r->conn, r->msgid, &answer);
	free(r);
}

void hub_wants_list(void *payload, uint64_t conn, uint32_t msgid,
		    const struct id *player, uint64_t before_row)
{
	struct server *s = payload;
	struct record_request *r = malloc(sizeof(*r));
	int err = PLYD_ENOMEM;
	if (r) {
		*r = (struct record_request){ s, conn, msgid, *player };
		err = store_list_records(s->journal.store, player, before_row,
					 HUB_RECORDS_SHOWN_MAX + 1, on_list, r);
	}
	if (!err)
		return;
	const struct hub_records answer = { .err = err };
	hub_records(s->hub, conn, msgid, &answer);
	free(r);
}
