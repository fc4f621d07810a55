/* SPDX-License-Identifier: MIT
 * referee_record.c - what record.get shows: the chain that the match ended with,
 * and nobody who is deleted. */
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
