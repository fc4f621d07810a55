/* SPDX-License-Identifier: MIT
 * A journal and a snapshot that version 0.1.0 wrote, before players had several
 * sessions: they open, and everybody gets in with the tokens that he had. */
#include "journal.h"
#include "unit.h"
#include "vectors.h"

#include <string.h>

#include "base/hex.h"

enum { OLD_BYTES_MAX = 4096 };

struct opening {
	struct domain *d;
	struct doc *doc;
	bool snapshot;         /* begin with it, not with row 1 */
	uint64_t snapshot_row; /* of the snapshot that was read */
	struct id match;
	size_t players;
};

static size_t hex_of(const json_t *row, const char *key, uint8_t *out)
{
	return hex_read(span_str(vector_str(row, key)), out, OLD_BYTES_MAX);
}

static const char *open_snapshot(struct opening *o, const json_t *row)
{
	static uint8_t bytes[OLD_BYTES_MAX];
	size_t len = hex_of(row, "bytes", bytes);
	id_read(span_str(vector_str(row, "match")), &o->match);
	if (!o->snapshot)
		return NULL;
	o->snapshot_row = (uint64_t)vector_int(row, "snapshot");
	return replay_snapshot(o->d, o->doc, o->snapshot_row,
			       span_of(bytes, len))
		       ? "the snapshot does not open"
		       : NULL;
}

static const char *open_row(struct opening *o, const json_t *row)
{
	static uint8_t bytes[OLD_BYTES_MAX];
	struct span piece = span_of(bytes, hex_of(row, "bytes", bytes));
	struct id match = { "" };
	uint64_t number = (uint64_t)vector_int(row, "row");
	enum fact_stream stream = (enum fact_stream)vector_int(row, "stream");
	id_read(span_str(vector_str(row, "match")), &match);
	if (stream == STREAM_SECRET)
		return replay_secret(o->d, o->doc, &match, piece)
			       ? "a secret is refused"
			       : NULL;
	if (stream == STREAM_GENERAL && number <= o->snapshot_row)
		return NULL;
	return replay_row(o->d, o->doc, number, &match, piece)
		       ? "a row is refused"
		       : NULL;
}

static bool gets_in(struct opening *o, const struct id *id, const json_t *row,
		    const char *key)
{
	static uint64_t conn;
	uint8_t bytes[OLD_BYTES_MAX];
	conn++;
	struct command cmd = { .type = CMD_HELLO,
			       .conn = conn,
			       .now_ms = domain_now_ms(o->d),
			       .hello = { .resume = true,
					  .fresh = { { (uint8_t)conn, 9 } } } };
	if (hex_of(row, key, bytes) != DIGEST_BYTES)
		return true; /* none was offered */
	memcpy(cmd.hello.token.byte, bytes, DIGEST_BYTES);
	const struct step *s = domain_step(o->d, &cmd);
	for (size_t i = 0; i < s->effect_count; i++)
		if (s->effect[i].type == EFFECT_ANSWER)
			return id_eq(&s->effect[i].player->id, id);
	return false;
}

/* The older token first: the newer makes it void. */
static const char *look_at_player(struct opening *o, const json_t *row)
{
	struct id id;
	id_read(span_str(vector_str(row, "player")), &id);
	const struct player *p = domain_player(o->d, &id);
	o->players++;
	if (!p || strcmp(p->name, vector_str(row, "name")) ||
	    p->kind != (enum player_kind)vector_int(row, "kind"))
		return "a player is another";
	if (p->session_count != 1 || !player_session(p, 0))
		return "a player has not just his one session";
	bool offered = vector_str(row, "offered")[0] != '\0';
	if (offered != (p->sessions->offered != NULL))
		return "an offered token is lost or made up";
	return gets_in(o, &id, row, "token") ? NULL : "a token is refused";
}

static const char *open_line(const json_t *row, void *payload)
{
	struct opening *o = payload;
	if (json_object_get(row, "snapshot"))
		return open_snapshot(o, row);
	return json_object_get(row, "row") ? open_row(o, row)
					   : look_at_player(o, row);
}

static void opens(bool snapshot)
{
	struct play p;
	struct opening o = { .snapshot = snapshot };
	play_open(&p, 1); /* the rules, and what they need */
	o.d = p.d;
	o.doc = doc_new();
	assert_int_equal(vectors_run("unit/record/journal_0_1_0.jsonl",
				     open_line, &o),
			 0);
	assert_int_equal(o.players, 4);
	assert_int_equal(domain_player_count(p.d), o.players);
	assert_int_equal(domain_lobby_count(p.d), 2);
	assert_int_equal(play_at(&p, &o.match)->ply, 4);
	assert_true(play_at(&p, &o.match)->seed_known);
	assert_null(domain_invariant_broken(p.d));
	doc_free(o.doc);
	play_close(&p);
}

static void its_rows_open(void **state)
{
	(void)state;
	opens(false);
}

static void its_snapshot_opens(void **state)
{
	(void)state;
	opens(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_rows_open),
		cmocka_unit_test(its_snapshot_opens),
	};
	return cmocka_run_group_tests_name("old_journal", tests, NULL, NULL);
}
