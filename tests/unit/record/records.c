/* SPDX-License-Identifier: MIT */
#include "records.h"
#include "record/chain.h"
#include "record/codec.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void random_moves(struct play *p, struct rng *rng, const struct id *m,
			 int count)
{
	for (int i = 0; i < count && play_random(p, rng, m); i++)
		play_wait(p, rng_below(rng, 700));
}

static void offer(struct play *p, const struct id *m, const char *by,
		  const char *declines)
{
	assert_int_equal(play_in(p, by, CMD_MATCH_OFFER_DRAW, m), PLYD_OK);
	if (declines)
		play_answer(p, declines, CMD_MATCH_DECLINE_DRAW, m,
			    play_at(p, m)->ply);
}

/* Draughts: nobody passes, so after an even number of half-moves it is the turn
 * of who began. */
static void offers(struct play *p, struct rng *rng, const struct id *m)
{
	bool white = play_at(p, m)->pos.side == WHITE;
	const char *one = white ? "ann" : "bob", *two = white ? "bob" : "ann";
	offer(p, m, one, two);
	offer(p, m, two, one);
	offer(p, m, one, two); /* the other's offer freed him */
	for (int i = 0; i < 2; i++) {
		random_moves(p, rng, m, 19); /* ten of his own */
		offer(p, m, one, NULL);
		random_moves(p, rng, m, 1); /* the other's move declines */
	}
	play_in(p, "ann", CMD_MATCH_RESIGN, m);
}

static void chat(struct play *p, struct rng *rng, const struct id *m)
{
	static const char *const names[] = { "ann", "bob" };
	while (play_random(p, rng, m)) {
		const char *one = names[rng_below(rng, 2)];
		const char *two = names[one == names[0]];
		if (rng_below(rng, 3) == 0)
			continue;
		/* answered, refused as not allowed yet, or left standing */
		if (!match_offer_stands_for(play_at(p, m), WHITE) &&
		    !match_offer_stands_for(play_at(p, m), BLACK))
			play_in(p, one, CMD_MATCH_OFFER_DRAW, m);
		if (rng_below(rng, 2))
			play_answer(p, two, CMD_MATCH_DECLINE_DRAW, m,
				    play_at(p, m)->ply);
	}
}

static void act_out(struct play *p, struct rng *rng, const struct id *m,
		    enum record_plot plot)
{
	if (plot == PLOT_ABORTED) {
		play_in(p, "bob", CMD_MATCH_ABORT, m);
		return;
	}
	if (plot == PLOT_CHATTY) {
		chat(p, rng, m);
		return;
	}
	random_moves(p, rng, m, plot == PLOT_PLAYED ? 100000 : 6);
	switch (plot) {
	case PLOT_FLAG: play_wait(p, 100000); break;
	case PLOT_RESIGNED: play_in(p, "ann", CMD_MATCH_RESIGN, m); break;
	case PLOT_CLAIMED:
		play_gone(p, "bob");
		play_wait(p, 1000);
		play_claim(p, "ann", m, true);
		break;
	case PLOT_AGREED:
		play_in(p, "ann", CMD_MATCH_OFFER_DRAW, m);
		play_answer(p, "bob", CMD_MATCH_DECLINE_DRAW, m,
			    play_at(p, m)->ply);
		random_moves(p, rng, m, 3);
		play_in(p, "bob", CMD_MATCH_OFFER_DRAW, m);
		play_answer(p, "ann", CMD_MATCH_ACCEPT_DRAW, m,
			    play_at(p, m)->ply);
		break;
	case PLOT_OFFERS: offers(p, rng, m); break;
	case PLOT_PLAYED:
	case PLOT_CHATTY:
	case PLOT_ABORTED: break;
	}
}

struct record *record_take(const struct journal *j, const struct id *match)
{
	struct record *r = calloc(1, sizeof(*r));
	assert_non_null(r);
	assert_int_equal(play_at(j->play, match)->state, MATCH_OVER);
	r->match = *match;
	r->head = play_at(j->play, match)->head;
	for (size_t i = 0; i < j->count; i++) {
		struct span bytes = journal_bytes(j, i);
		if (j->kept[i].stream != STREAM_MATCH ||
		    !id_eq(&j->kept[i].match, match))
			continue;
		assert_true(r->count < RECORD_FACTS_MAX);
		buf_init(&r->fact[r->count], FACT_BYTES_MAX);
		buf_put(&r->fact[r->count++], bytes.at, bytes.len);
	}
	return r;
}

struct record *record_play(const char *ruleset, enum record_plot plot,
			   uint64_t seed)
{
	static struct play p;
	struct journal j;
	struct rng rng;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.claim_after_ms = 1000;
	/* the moves of a game that is long enough for all that is offered */
	rng_seed(&rng, plot == PLOT_OFFERS ? 2 : seed);
	play_open_limits(&p, seed, &limits);
	journal_open(&j, &p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, ruleset, "ann", "bob", NULL);
	play_nonce(&p, "bob", &m, "bob's nonce");
	play_wait(&p, 3000);
	act_out(&p, &rng, &m, plot);
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

void record_free(struct record *r)
{
	for (size_t i = 0; i < r->count; i++)
		buf_release(&r->fact[i]);
	free(r);
}

struct fact record_fact(const struct record *r, struct doc *doc, size_t i)
{
	struct fact f;
	assert_true(i < r->count);
	assert_int_equal(fact_decode(doc, buf_span(&r->fact[i]), &r->match, 0,
				     &f),
			 PLYD_OK);
	return f;
}

size_t record_find(const struct record *r, enum fact_type type, size_t from)
{
	struct doc *doc = doc_new();
	size_t found = SIZE_MAX;
	for (size_t i = from; i < r->count && found == SIZE_MAX; i++)
		if (record_fact(r, doc, i).type == type)
			found = i;
	doc_free(doc);
	return found;
}

void record_put(struct record *r, size_t i, const struct fact *f)
{
	struct buf b;
	buf_init(&b, FACT_BYTES_MAX);
	fact_encode(f, &b);
	assert_int_equal(b.err, PLYD_OK);
	buf_release(&r->fact[i]);
	r->fact[i] = b;
}

void record_cut(struct record *r, size_t i)
{
	buf_release(&r->fact[i]);
	r->count--;
	memmove(&r->fact[i], &r->fact[i + 1],
		(r->count - i) * sizeof(r->fact[0]));
}

void record_insert(struct record *r, size_t i, const struct fact *f)
{
	assert_true(r->count < RECORD_FACTS_MAX);
	memmove(&r->fact[i + 1], &r->fact[i],
		(r->count - i) * sizeof(r->fact[0]));
	r->count++;
	buf_init(&r->fact[i], FACT_BYTES_MAX);
	record_put(r, i, f);
}

void record_rehead(struct record *r)
{
	r->head = chain_start(&r->match);
	for (size_t i = 0; i < r->count; i++)
		r->head = chain_next(&r->head, buf_span(&r->fact[i]));
}

int record_verify(const struct record *r, char why[VERIFY_WHY_MAX])
{
	struct verifier *v = verifier_new(&r->match);
	assert_non_null(v);
	int err = PLYD_OK;
	for (size_t i = 0; i < r->count && !err; i++)
		err = verifier_fact(v, buf_span(&r->fact[i]));
	if (!err)
		err = verifier_end(v, &r->head);
	memcpy(why, verifier_verdict(v)->why, VERIFY_WHY_MAX);
	verifier_free(v);
	return err;
}
