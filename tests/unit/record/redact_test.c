/* SPDX-License-Identifier: MIT
 * A player who deleted his account is in no record any more, and the record can
 * be verified all the same. */
#include "records.h"
#include "unit.h"

#include <string.h>

#include "domain/name.h"
#include "record/chain.h"
#include "record/redact.h"

struct scene {
	struct play p;
	struct journal j;
	struct id ann, bob;
	struct record *r;
	struct digest after_begun;
};

static void delete_account(struct play *p, const char *name)
{
	assert_int_equal(play_do(p, name,
				 (struct command){
					 .type = CMD_ACCOUNT_DELETE,
					 .confirm = span_str("secret-1") }),
			 PLYD_OK);
	play_wait(p, 10);
}

/* A match of two members that is over. */
static void open_scene(struct scene *s)
{
	struct play *p = &s->p;
	play_open(p, 1);
	journal_open(&s->j, p);
	play_hello(p, "Ann Lee");
	play_hello(p, "Bob Ray");
	play_register(p, "Ann Lee", "ann", "secret-1");
	play_register(p, "Bob Ray", "bob", "secret-1");
	s->ann = play_who(p, "Ann Lee")->id;
	s->bob = play_who(p, "Bob Ray")->id;
	struct id m =
		play_match(p, "short-backgammon", "Ann Lee", "Bob Ray", NULL);
	play_wait(p, 4000);
	play_in(p, "Ann Lee", CMD_MATCH_RESIGN, &m);
	if (play_at(p, &m)->state != MATCH_OVER)
		play_answer(p, "Bob Ray", CMD_MATCH_ACCEPT_RESIGN, &m,
			    play_at(p, &m)->ply);
	s->r = record_take(&s->j, &m);
	struct digest start = chain_start(&m);
	s->after_begun = chain_next(&start, buf_span(&s->r->fact[0]));
}

static void close_scene(struct scene *s)
{
	record_free(s->r);
	journal_close(&s->j);
	play_close(&s->p);
}

static bool redacts(const struct scene *s, struct buf *b)
{
	struct doc *doc = doc_new();
	buf_init(b, STORE_BYTES_MAX);
	bool did = redact_begun(s->p.d, doc, buf_span(&s->r->fact[0]), b);
	doc_free(doc);
	assert_int_equal(b->err, 0);
	return did;
}

static int verify(const struct scene *s, const struct buf *begun,
		  const struct digest *after)
{
	struct verifier *v = verifier_new(&s->r->match);
	int err = PLYD_OK;
	verifier_redacted(v, after);
	for (size_t i = 0; i < s->r->count && !err; i++)
		err = verifier_fact(v,
				    buf_span(i == 0 ? begun : &s->r->fact[i]));
	if (!err)
		err = verifier_end(v, &s->r->head);
	verifier_free(v);
	return err;
}

static bool shows(const struct buf *b, const char *text)
{
	return memmem(b->at, b->len, text, strlen(text)) != NULL;
}

static void nobody_is_taken_out_who_is_there(void **state)
{
	static struct scene s;
	struct buf b;
	(void)state;
	open_scene(&s);
	assert_false(redacts(&s, &b));
	assert_int_equal(b.len, 0);
	close_scene(&s);
}

static void who_is_deleted_is_not_shown(void **state)
{
	static struct scene s;
	struct buf b;
	(void)state;
	open_scene(&s);
	delete_account(&s.p, "Ann Lee");
	assert_true(redacts(&s, &b));
	assert_false(shows(&b, "Ann Lee") || shows(&b, s.ann.text));
	assert_true(shows(&b, "Bob Ray") && shows(&b, s.bob.text));
	assert_true(shows(&b, DELETED_NAME));
	assert_int_equal(verify(&s, &b, &s.after_begun), PLYD_OK);
	/* another beginning is not taken for it */
	struct digest other = s.after_begun;
	other.byte[0] ^= 1;
	assert_int_equal(verify(&s, &b, &other), PLYD_ERECORD);
	buf_release(&b);
	/* no other fact says who played */
	for (size_t i = 1; i < s.r->count; i++)
		assert_false(shows(&s.r->fact[i], "Ann") ||
			     shows(&s.r->fact[i], s.ann.text));
	close_scene(&s);
}

static void both_may_be_deleted(void **state)
{
	static struct scene s;
	struct buf b;
	(void)state;
	open_scene(&s);
	delete_account(&s.p, "Ann Lee");
	delete_account(&s.p, "Bob Ray");
	assert_true(redacts(&s, &b));
	assert_false(shows(&b, "Bob Ray") || shows(&b, s.bob.text));
	assert_int_equal(verify(&s, &b, &s.after_begun), PLYD_OK);
	buf_release(&b);
	/* it stays so over a restart */
	journal_snapshot(&s.j);
	struct domain *d = journal_replay(&s.j);
	assert_true(domain_is_deleted(d, &s.ann));
	assert_true(domain_is_deleted(d, &s.bob));
	domain_free(d);
	close_scene(&s);
}

/* What he plays he resigns, and that is a good record too. */
static void what_he_plays_ends_well(void **state)
{
	static const char *const rulesets[] = { "english", "short-backgammon",
						"backgammon-match" };
	(void)state;
	for (size_t i = 0; i < COUNT(rulesets); i++) {
		static struct scene s;
		char why[VERIFY_WHY_MAX];
		struct rng rng;
		open_scene(&s);
		rng_seed(&rng, i);
		struct id m = play_match(&s.p, rulesets[i], "Ann Lee",
					 "Bob Ray", NULL);
		play_wait(&s.p, 4000);
		for (int n = 0; n < 6; n++)
			play_random(&s.p, &rng, &m);
		delete_account(&s.p, "Ann Lee");
		assert_int_equal(play_at(&s.p, &m)->reason, END_RESIGNED);
		struct record *r = record_take(&s.j, &m);
		int err = record_verify(r, why);
		if (err)
			fail_msg("%s: %s", rulesets[i], why);
		record_free(r);
		close_scene(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_taken_out_who_is_there),
		cmocka_unit_test(who_is_deleted_is_not_shown),
		cmocka_unit_test(both_may_be_deleted),
		cmocka_unit_test(what_he_plays_ends_well),
	};
	return cmocka_run_group_tests_name("redact", tests, NULL, NULL);
}
