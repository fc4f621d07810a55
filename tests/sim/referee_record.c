/* SPDX-License-Identifier: MIT
 * referee_record.c - what record.get shows: the chain that the match ended with,
 * and nobody who is deleted; and record.list: one's own matches, as they
 * ended. */
#include "referee_priv.h"

#include <string.h>

#include "base/hex.h"
#include "record/codec.h"

static void wrong(struct sim *sim, const struct link *l,
		  const struct book_match *m, const char *what)
{
	sim_fail(sim, "%s is shown a record of %s: %s", client_name(l->client),
		 m->id.text, what);
}

/* h(n) = SHA-256(h(n-1) followed by the bytes of fact n). */
static struct digest link_to(const struct digest *before, struct span fact)
{
	struct span part[2] = { span_of(before->byte, DIGEST_BYTES), fact };
	return sha256(part, 2);
}

static struct digest chain_begun(const struct book_match *m)
{
	struct span part[2] = { span_str("plyd-record-1"),
				span_str(m->id.text) };
	return sha256(part, 2);
}

/* Whether a seat is shown without its player, who is deleted; while he leaves
 * it may be so already. */
static bool seat_is_shown(const struct referee *r, const struct id *player,
			  const struct id *shown, struct span name)
{
	const struct book_player *p = book_player(r, player);
	bool leaving = p && p->leaving;
	bool left = leaving && p->gone && p->gone_batch + 1 < r->batch;
	if (leaving && id_is_none(shown))
		return span_is(name, "deleted");
	return !left && id_eq(shown, player) &&
	       !(p && !leaving && span_is(name, "deleted"));
}

static void judge_begun(struct sim *sim, const struct link *l,
			const struct book_match *m, struct span bytes)
{
	struct fact f;
	struct referee *r = sim->referee;
	if (fact_decode(r->row, bytes, &m->id, 0, &f) || f.type != FACT_BEGUN)
		wrong(sim, l, m, "its first fact is no beginning");
	else if (!seat_is_shown(r, &m->player[WHITE], &f.begun.white,
				f.begun.white_name) ||
		 !seat_is_shown(r, &m->player[BLACK], &f.begun.black,
				f.begun.black_name))
		wrong(sim, l, m, "the players are others, or one is deleted");
}

void judge_record(struct sim *sim, const struct link *l, const struct asked *a,
		  const struct value *map)
{
	uint8_t bytes[FACT_BYTES_MAX];
	struct digest head, begun;
	struct span text = { 0 };
	const struct book_match *m = book_match(sim->referee, &a->match);
	const struct value *facts = value_find(map, "facts");
	bool redacted = hex_read(str_in(map, "begun_hash"), begun.byte,
				 DIGEST_BYTES) == DIGEST_BYTES;
	if (!m || !m->over) {
		sim_fail(sim, "%s is shown the record of %s, which is not over",
			 client_name(l->client), a->match.text);
		return;
	}
	head = chain_begun(m);
	for (uint32_t i = 0; i < value_count(facts) && !sim->failed; i++) {
		(void)value_str(value_at(facts, i), &text);
		long len = hex_read(text, bytes, sizeof(bytes));
		struct span fact = span_of(bytes, len < 0 ? 0 : (size_t)len);
		if (i == 0)
			judge_begun(sim, l, m, fact);
		head = i == 0 && redacted ? begun : link_to(&head, fact);
	}
	if (!sim->failed && m->finished && !digest_eq(&head, &m->head))
		wrong(sim, l, m, "its facts are not those of its head");
}

/* -- lists -- */

static bool line_shows_seat(const struct sim *sim, const struct book_match *m,
			    int side, const struct value *line)
{
	const struct value *seat =
		value_find(line, side == WHITE ? "white" : "black");
	struct span text = str_in(seat, "id");
	struct id shown = { "" };
	if (text.len > 0 && !id_read(text, &shown))
		return false;
	return seat_is_shown(sim->referee, &m->player[side], &shown,
			     str_in(seat, "name"));
}

/* NULL, or what is wrong with a line. */
static const char *judge_line(const struct sim *sim, const struct link *l,
			      const struct value *line)
{
	static const char *const results[] = { "white", "black", "draw",
					       "none" };
	struct id id;
	if (!id_read(str_in(line, "match"), &id))
		return "it has no id";
	const struct book_match *m = book_match(sim->referee, &id);
	if (!m || !m->over || !m->finished)
		return "it is not over";
	if (!id_eq(&m->player[WHITE], &l->player) &&
	    !id_eq(&m->player[BLACK], &l->player))
		return "others played it";
	if (!span_is(str_in(line, "ruleset"), m->rules.name) ||
	    !span_is(str_in(line, "result"), results[m->result]) ||
	    !span_is(str_in(line, "reason"), m->end_reason))
		return "it ended otherwise";
	if (!line_shows_seat(sim, m, WHITE, line) ||
	    !line_shows_seat(sim, m, BLACK, line))
		return "the players are others, or one is deleted";
	return NULL;
}

void judge_records(struct sim *sim, const struct link *l,
		   const struct value *map)
{
	const struct value *lines = value_find(map, "records");
	int64_t row = 0, before = INT64_MAX;
	for (uint32_t i = 0; i < value_count(lines) && !sim->failed; i++) {
		const struct value *line = value_at(lines, i);
		const char *why = judge_line(sim, l, line);
		if (!why &&
		    value_int(value_find(line, "row"), 1, before - 1, &row))
			why = "it is not older than the one before";
		if (why)
			sim_fail(sim, "%s is shown a list: %s",
				 client_name(l->client), why);
		before = row;
	}
}
