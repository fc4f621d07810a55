/* SPDX-License-Identifier: MIT
 * Facts as bytes: every type there and back, older and newer ones, noise. */
#include "journal.h"
#include "proto/write.h"
#include "record/codec.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <plyd/err.h>

static const enum fact_type types[] = {
#define T(number, UPPER, lower, stream, doc) FACT_##UPPER,
	FACTS(T)
#undef T
};

/* -- random facts -- */

struct source {
	struct rng rng;
	struct entropy entropy;
	char text[64][65];
	size_t texts;
};

static fact_num make_num(struct source *s)
{
	uint64_t x = rng_next(&s->rng);
	return (int64_t)(x >> (x & 63));
}

static fact_flag make_flag(struct source *s)
{
	return rng_below(&s->rng, 2);
}

static fact_id make_id(struct source *s)
{
	static const struct id none;
	return rng_below(&s->rng, 4) ? id_new(&s->entropy) : none;
}

static fact_digest make_digest(struct source *s)
{
	struct digest d;
	entropy_fill(&s->entropy, d.byte, DIGEST_BYTES);
	return d;
}

static fact_text make_text(struct source *s)
{
	static const char *const some[] = { "", "a", "Zo\xc3\xab", "11-15",
					    "quote \" and \\ and \n" };
	return span_str(some[rng_below(&s->rng, COUNT(some))]);
}

static fact_bytes make_bytes(struct source *s)
{
	char *at = s->text[s->texts++ % 64];
	uint32_t len = rng_below(&s->rng, 65);
	entropy_fill(&s->entropy, (uint8_t *)at, len);
	return span_of(at, len);
}

static struct fact make_fact(struct source *s, enum fact_type type)
{
	struct fact f = { .type = type, .at_ms = (uint64_t)make_num(s) >> 1 };
	switch (type) {
#define F(kind, name, doc) body->name = make_##kind(s);
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: {                                                   \
		struct fact_##lower##_body *body = &f.lower;                   \
		FACT_##UPPER##_FIELDS(F) break;                                \
	}
		FACTS(T)
#undef T
#undef F
	}
	return f;
}

/* -- comparison, field by field -- */

static bool eq_num(fact_num a, fact_num b)
{
	return a == b;
}

static bool eq_flag(fact_flag a, fact_flag b)
{
	return a == b;
}

static bool eq_id(fact_id a, fact_id b)
{
	return !strcmp(a.text, b.text);
}

static bool eq_digest(fact_digest a, fact_digest b)
{
	return digest_eq(&a, &b);
}

static bool eq_text(fact_text a, fact_text b)
{
	return span_eq(a, b) && b.at;
}

static bool eq_bytes(fact_bytes a, fact_bytes b)
{
	return span_eq(a, b) && b.at;
}

/* The first `fields` fields are those of a, the rest as in `zero`. */
static void check_same(const struct fact *a, const struct fact *b,
		       size_t fields)
{
	static const struct fact zero;
	size_t i = 0;
	assert_int_equal(a->type, b->type);
	assert_true(a->at_ms == b->at_ms);
	switch (a->type) {
#define F(kind, name, doc)                                                     \
	if (!eq_##kind(i < fields ? x->name : z->name, y->name))               \
		fail_msg("%s.%s", fact_name(a->type), #name);                  \
	i++;
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: {                                                   \
		const struct fact_##lower##_body *x = &a->lower;               \
		const struct fact_##lower##_body *y = &b->lower;               \
		const struct fact_##lower##_body *z = &zero.lower;             \
		FACT_##UPPER##_FIELDS(F) break;                                \
	}
		FACTS(T)
#undef T
#undef F
	}
}

/* -- a second writer, which can leave fields out or add some -- */

static void write_num(struct buf *b, fact_num x)
{
	put_int(b, x);
}

static void write_flag(struct buf *b, fact_flag x)
{
	put_bool(b, x);
}

static void write_id(struct buf *b, fact_id x)
{
	put_cstr(b, x.text);
}

static void write_digest(struct buf *b, fact_digest x)
{
	put_bin(b, span_of(x.byte, sizeof(x.byte)));
}

static void write_text(struct buf *b, fact_text x)
{
	put_str(b, x);
}

static void write_bytes(struct buf *b, fact_bytes x)
{
	put_bin(b, x);
}

static size_t count_fields(enum fact_type type)
{
	size_t n = 0;
	switch (type) {
#define F(kind, name, doc) n++;
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: FACT_##UPPER##_FIELDS(F) break;
		FACTS(T)
#undef T
#undef F
	}
	return n;
}

static void write_fact(const struct fact *f, struct buf *b, size_t fields,
		       size_t more)
{
	size_t i = 0;
	put_array(b, (uint32_t)(2 + fields + more));
	put_uint(b, (uint64_t)f->type);
	put_uint(b, f->at_ms);
	switch (f->type) {
#define F(kind, name, doc)                                                     \
	if (i++ < fields)                                                      \
		write_##kind(b, body->name);
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: {                                                   \
		const struct fact_##lower##_body *body = &f->lower;            \
		FACT_##UPPER##_FIELDS(F) break;                                \
	}
		FACTS(T)
#undef T
#undef F
	}
	for (i = 0; i < more; i++)
		put_cstr(b, "from a newer server");
}

/* -- tests -- */

struct bench {
	struct source source;
	struct doc *doc;
	struct buf b;
};

static void bench_open(struct bench *t)
{
	*t = (struct bench){ .doc = doc_new() };
	assert_non_null(t->doc);
	rng_seed(&t->source.rng, 3);
	entropy_from_seed(&t->source.entropy, 3);
	buf_init(&t->b, 1u << 20);
}

static void bench_close(struct bench *t)
{
	doc_free(t->doc);
	buf_release(&t->b);
}

static void every_fact_goes_there_and_back(void **state)
{
	(void)state;
	static struct bench t;
	bench_open(&t);
	for (size_t i = 0; i < 200 * COUNT(types); i++) {
		struct fact f = make_fact(&t.source, types[i % COUNT(types)]),
			    g;
		struct id match = id_new(&t.source.entropy);
		buf_clear(&t.b);
		fact_encode(&f, &t.b);
		assert_int_equal(t.b.err, PLYD_OK);
		assert_true(t.b.len <= FACT_BYTES_MAX);
		assert_int_equal(fact_decode(t.doc, buf_span(&t.b), &match,
					     i + 1, &g),
				 PLYD_OK);
		assert_int_equal(g.row, i + 1);
		assert_true(id_eq(&g.match, &match));
		check_same(&f, &g, SIZE_MAX);
	}
	bench_close(&t);
}

/* The same bytes as a second writer writes: [type, at_ms, fields...]. */
static void the_bytes_are_as_documented(void **state)
{
	(void)state;
	static struct bench t;
	struct buf other;
	buf_init(&other, 1u << 20);
	bench_open(&t);
	for (size_t i = 0; i < COUNT(types); i++) {
		struct fact f = make_fact(&t.source, types[i]);
		buf_clear(&t.b);
		buf_clear(&other);
		fact_encode(&f, &t.b);
		write_fact(&f, &other, count_fields(f.type), 0);
		assert_true(span_eq(buf_span(&t.b), buf_span(&other)));
	}
	buf_release(&other);
	bench_close(&t);
}

static void older_and_newer_facts_are_read(void **state)
{
	(void)state;
	static struct bench t;
	static const struct id none;
	bench_open(&t);
	for (size_t i = 0; i < COUNT(types); i++) {
		struct fact f = make_fact(&t.source, types[i]), g;
		size_t all = count_fields(f.type);
		for (size_t fields = 0; fields <= all; fields++) {
			buf_clear(&t.b);
			write_fact(&f, &t.b, fields, fields == all ? 3 : 0);
			assert_int_equal(fact_decode(t.doc, buf_span(&t.b),
						     &none, 1, &g),
					 PLYD_OK);
			check_same(&f, &g, fields);
		}
	}
	bench_close(&t);
}

static const struct noise {
	const char *name;
	const char *bytes;
	size_t len;
} noises[] = {
	{ "nothing", "", 0 },
	{ "a number", "\x07", 1 },
	{ "an empty array", "\x90", 1 },
	{ "a type only", "\x91\x18", 2 },
	{ "type 0", "\x92\x00\x00", 3 },
	{ "an unknown type", "\x92\x63\x00", 3 },
	{ "type 256", "\x92\xcd\x01\x00\x00", 5 },
	{ "a negative time", "\x92\x03\xff", 3 },
	{ "a time that is text", "\x92\x03\xa1x", 4 },
	{ "a map", "\x81\x01\x02", 3 },
	{ "a number for an id", "\x93\x03\x00\x07", 4 },
	{ "an id too short",
	  "\x93\x03\x00\xa3"
	  "abc",
	  7 },
	{ "an id of other letters",
	  "\x93\x03\x00\xaa"
	  "ABCDEFGHIJ",
	  14 },
	{ "a digest too short", "\x94\x02\x00\xa0\xc4\x01x", 7 },
	{ "text that is no UTF-8", "\x95\x1a\x00\x00\xa1\xff\x00", 7 },
	{ "something after it", "\x93\x03\x00\xa0\x00", 5 },
	{ "a cut array", "\x95\x18\x00\x00", 4 },
};

static void noise_is_no_fact(void **state)
{
	const struct noise *row = *state;
	static const struct id none;
	struct doc *doc = doc_new();
	struct fact f;
	assert_int_equal(fact_decode(doc, span_of(row->bytes, row->len), &none,
				     1, &f),
			 PLYD_ERECORD);
	doc_free(doc);
}

/* Changed bytes are read or refused, and what is read is applied or refused: a
 * damaged journal costs a match, never the server. */
static void damaged_rows_do_no_harm(void **state)
{
	(void)state;
	static struct play p;
	struct journal j;
	struct rng rng;
	struct doc *doc = doc_new();
	size_t read = 0, applied = 0;
	rng_seed(&rng, 9);
	play_open(&p, 1);
	journal_open(&j, &p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m[2] = { play_match(&p, "caucasian", "ann", "bob", NULL),
			   play_match(&p, "turkish", "ann", "bob", NULL) };
	play_wait(&p, 3000);
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	for (int i = 0; i < 40; i++)
		play_random(&p, &rng, &m[i % 2]);
	struct domain *d = journal_replay(&j);
	for (int i = 0; i < 20000; i++) {
		size_t at = rng_below(&rng, (uint32_t)j.count);
		uint8_t bytes[FACT_BYTES_MAX];
		struct span row = journal_bytes(&j, at);
		memcpy(bytes, row.at, row.len);
		for (uint32_t n = rng_below(&rng, 4); n > 0; n--)
			bytes[rng_below(&rng, (uint32_t)row.len)] =
				(uint8_t)rng_next(&rng);
		struct fact f;
		if (fact_decode(doc, span_of(bytes, row.len), &j.kept[at].match,
				j.kept[at].row, &f))
			continue;
		read++;
		f.at_ms = 0;
		applied += domain_apply(d, &f) == PLYD_OK;
		if (i % 100 == 0) {
			domain_free(d);
			d = journal_replay(&j);
		}
	}
	assert_true(read > 5000 && applied > 100);
	domain_free(d);
	doc_free(doc);
	journal_close(&j);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fact_goes_there_and_back),
		cmocka_unit_test(the_bytes_are_as_documented),
		cmocka_unit_test(older_and_newer_facts_are_read),
		cmocka_unit_test(damaged_rows_do_no_harm),
	};
	int failed = cmocka_run_group_tests_name("codec", tests, NULL, NULL);
	return failed + RUN_TABLE("noise", noises, noise_is_no_fact);
}
