/* SPDX-License-Identifier: MIT */
#include "ply/tournament.h"

#include <string.h>

static void fail(struct tournament_fetch *f, const char *why)
{
	json_decref(f->whole);
	f->whole = NULL;
	f->on_done(f->payload, NULL, why);
}

static void finish(struct tournament_fetch *f)
{
	json_t *whole = f->whole;
	f->whole = NULL;
	f->on_done(f->payload, whole, "");
}

static int64_t number(const json_t *map, const char *key)
{
	return json_integer_value(json_object_get(map, key));
}

static const json_t *told(const struct tournament_fetch *f)
{
	return json_object_get(f->whole, "tournament");
}

static void on_rows(void *payload, const struct client_error *error,
		    const struct client_value *result);
static void on_tables(void *payload, const struct client_error *error,
		      const struct client_value *result);

static void ask(struct tournament_fetch *f, const char *method, size_t round,
		int64_t from, client_answer_fn *fn)
{
	const struct client_param params[] = {
		CLIENT_TEXT("tournament", f->id),
		CLIENT_NUMBER("from", from),
		CLIENT_NUMBER("round", (int64_t)round),
	};
	int err = client_request(f->client, method, params, round > 0 ? 3 : 2,
				 fn, f);
	if (err)
		fail(f, plyd_err_text(err));
}

/* The rounds one after another, then the end. */
static void next_round(struct tournament_fetch *f)
{
	f->round++;
	if (!f->with_rounds || (int64_t)f->round > number(told(f), "round")) {
		finish(f);
		return;
	}
	json_array_append_new(json_object_get(f->whole, "rounds"),
			      json_pack("{s:i,s:[]}", "round", (int)f->round,
					"tables"));
	ask(f, "tournament.round", f->round, 0, on_tables);
}

/* Moves the items of a page into a list; the next page's start, or -1. */
static int64_t take_page(const struct client_value *result, const char *key,
			 json_t *into)
{
	json_t *page = json_of_value(result);
	const json_t *next = json_object_get(page, "next");
	json_array_extend(into, json_object_get(page, key));
	int64_t from = json_is_integer(next) ? json_integer_value(next) : -1;
	json_decref(page);
	return from;
}

static void on_tables(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	struct tournament_fetch *f = payload;
	if (error) {
		fail(f, error->message);
		return;
	}
	json_t *round = json_array_get(json_object_get(f->whole, "rounds"),
				       f->round - 1);
	int64_t from =
		take_page(result, "tables", json_object_get(round, "tables"));
	if (from >= 0)
		ask(f, "tournament.round", f->round, from, on_tables);
	else
		next_round(f);
}

static void on_rows(void *payload, const struct client_error *error,
		    const struct client_value *result)
{
	struct tournament_fetch *f = payload;
	if (error) {
		fail(f, error->message);
		return;
	}
	int64_t from = take_page(result, "rows",
				 json_object_get(f->whole, "standings"));
	if (from >= 0)
		ask(f, "tournament.standings", 0, from, on_rows);
	else
		next_round(f);
}

static void on_told(void *payload, const struct client_error *error,
		    const struct client_value *result)
{
	struct tournament_fetch *f = payload;
	if (error) {
		fail(f, error->message);
		return;
	}
	f->whole = json_pack("{s:i,s:o?,s:[],s:[]}", "plyd_tournament", 1,
			     "tournament", json_of_value(result), "standings",
			     "rounds");
	if (!told(f)) {
		fail(f, plyd_err_text(PLYD_ENOMEM));
		return;
	}
	f->round = 0;
	ask(f, "tournament.standings", 0, 0, on_rows);
}

bool tournament_fetch(struct tournament_fetch *f)
{
	const struct client_param id = CLIENT_TEXT("tournament", f->id);
	return client_request(f->client,
			      f->watch ? "tournament.watch" : "tournament.get",
			      &id, 1, on_told, f) == PLYD_OK;
}
