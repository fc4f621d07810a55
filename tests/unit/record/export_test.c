/* SPDX-License-Identifier: MIT
 * Records as JSON. With a directory as argument it leaves there good.json and
 * forged.json for the examples that verify dice in other languages, and
 * rated.json and misrated.json for those that reckon ratings. */
#include "record/export.h"
#include "records.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/hex.h"

enum { JSON_BYTES_MAX = 16 * 1024 * 1024 };

static const char *directory;

static void export_record(const struct record *r, struct buf *b)
{
	struct exporter e;
	struct doc *doc = doc_new();
	buf_init(b, JSON_BYTES_MAX);
	exporter_begin(&e, b, &r->match);
	for (size_t i = 0; i < r->count; i++)
		assert_int_equal(exporter_fact(&e, doc, buf_span(&r->fact[i])),
				 PLYD_OK);
	assert_int_equal(exporter_end(&e), PLYD_OK);
	doc_free(doc);
}

static json_t *parse(const struct buf *b)
{
	json_error_t err;
	json_t *root = json_loadb((const char *)b->at, b->len,
				  JSON_REJECT_DUPLICATES, &err);
	if (!root)
		fail_msg("line %d: %s", err.line, err.text);
	return root;
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	if (!text)
		fail_msg("no %s", key);
	return text;
}

/* The bytes in the JSON are the record: it verifies from there. */
static void the_record_is_whole(void **state)
{
	(void)state;
	struct record *r = record_play("caucasian", PLOT_PLAYED, 3);
	struct buf b;
	export_record(r, &b);
	json_t *root = parse(&b);
	const json_t *facts = json_object_get(root, "facts");
	assert_string_equal(text_of(root, "format"), "plyd-record-1");
	assert_string_equal(text_of(root, "match"), r->match.text);
	assert_int_equal(json_array_size(facts), r->count);
	struct verifier *v = verifier_new(&r->match);
	for (size_t i = 0; i < r->count; i++) {
		uint8_t bytes[FACT_BYTES_MAX];
		const char *hex = text_of(json_array_get(facts, i), "bytes");
		long len = hex_read(span_str(hex), bytes, sizeof(bytes));
		assert_true(len > 0);
		assert_int_equal(verifier_fact(v, span_of(bytes, (size_t)len)),
				 PLYD_OK);
	}
	struct digest head;
	assert_true(digest_read(span_str(text_of(root, "head")), &head));
	assert_int_equal(verifier_end(v, &head), PLYD_OK);
	const json_t *begun = json_array_get(facts, 0);
	assert_string_equal(text_of(begun, "fact"), "begun");
	assert_string_equal(text_of(begun, "white_name"), "ann");
	assert_true(json_is_false(json_object_get(begun, "unlimited")));
	assert_int_equal(json_integer_value(json_object_get(begun, "base_ms")),
			 60000);
	verifier_free(v);
	json_decref(root);
	buf_release(&b);
	record_free(r);
}

/* Whatever a name or a reason holds, it comes through JSON unchanged. */
static void every_character_is_escaped(void **state)
{
	(void)state;
	char name[200];
	size_t len = 0;
	for (char c = 1; c < 127; c++)
		name[len++] = c;
	len += (size_t)sprintf(name + len, "\x7f\xc3\xab\xe2\x80\xa8");
	struct record *r = record_play("english", PLOT_ABORTED, 1);
	struct doc *doc = doc_new();
	struct fact f = record_fact(r, doc, 0);
	f.begun.white_name = span_of(name, len);
	f.begun.white = (struct id){ { 0 } };
	record_put(r, 0, &f);
	struct buf b;
	export_record(r, &b);
	json_t *root = parse(&b);
	const json_t *begun = json_array_get(json_object_get(root, "facts"), 0);
	assert_string_equal(text_of(begun, "white_name"), name);
	assert_true(json_is_null(json_object_get(begun, "white")));
	json_decref(root);
	buf_release(&b);
	doc_free(doc);
	record_free(r);
}

static void noise_is_not_exported(void **state)
{
	(void)state;
	static const struct id match = { "abcdefghij" };
	struct exporter e;
	struct buf b;
	struct doc *doc = doc_new();
	buf_init(&b, JSON_BYTES_MAX);
	exporter_begin(&e, &b, &match);
	size_t before = b.len;
	assert_int_equal(exporter_fact(&e, doc, span_str("noise")),
			 PLYD_ERECORD);
	assert_int_equal(b.len, before);
	assert_int_equal(exporter_end(&e), PLYD_OK);
	json_decref(parse(&b));
	doc_free(doc);
	buf_release(&b);
}

static void a_full_buffer_is_told(void **state)
{
	(void)state;
	struct record *r = record_play("english", PLOT_ABORTED, 1);
	struct exporter e;
	struct buf b;
	struct doc *doc = doc_new();
	buf_init(&b, 100);
	exporter_begin(&e, &b, &r->match);
	assert_int_equal(exporter_fact(&e, doc, buf_span(&r->fact[0])),
			 PLYD_ETOOLARGE);
	assert_int_equal(exporter_end(&e), PLYD_ETOOLARGE);
	doc_free(doc);
	buf_release(&b);
	record_free(r);
}

/* -- what the example reads -- */

static int leave(const char *name, const struct record *r)
{
	char path[1024];
	struct buf b;
	export_record(r, &b);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	FILE *out = fopen(path, "w");
	bool ok = out && fwrite(b.at, b.len, 1, out) == 1;
	ok = out && !fclose(out) && ok;
	buf_release(&b);
	return ok ? 0 : 1;
}

/* Of two members; won in the end by who had lost before, so that neither is a
 * beginner. */
static struct record *play_rated(void)
{
	static struct play p;
	static const char *const names[] = { "ann", "bob" };
	struct journal j;
	struct id m = { 0 };
	play_open(&p, 1);
	journal_open(&j, &p);
	for (int i = 0; i < 2; i++) {
		play_hello(&p, names[i]);
		assert_int_equal(play_register(&p, names[i], names[i],
					       "password"),
				 PLYD_OK);
	}
	for (int i = 0; i < 2; i++) {
		struct cmd_lobby_create c = { .side = WHITE,
					      .ready = true,
					      .rated = true };
		assert_int_equal(play_create(&p, "ann", "english", c), PLYD_OK);
		struct id lobby = p.lobby;
		assert_int_equal(play_join(&p, "bob", &lobby, true), PLYD_OK);
		m = p.match;
		assert_int_equal(play_in(&p, names[i], CMD_MATCH_RESIGN, &m),
				 PLYD_OK);
	}
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

static int leave_rated(void)
{
	struct record *r = play_rated();
	struct doc *doc = doc_new();
	int failed = leave("rated.json", r);
	size_t i = record_find(r, FACT_RATED, 0);
	struct fact f = record_fact(r, doc, i);
	f.rated.black_milli += 2;
	record_put(r, i, &f);
	failed += leave("misrated.json", r);
	doc_free(doc);
	record_free(r);
	return failed;
}

static int leave_examples(void)
{
	struct record *r = record_play("short-backgammon", PLOT_PLAYED, 5);
	struct doc *doc = doc_new();
	int failed = leave("good.json", r);
	size_t i = record_find(r, FACT_ROLLED, 5);
	struct fact f = record_fact(r, doc, i);
	f.rolled.die2 = f.rolled.die2 % 6 + 1;
	record_put(r, i, &f);
	failed += leave("forged.json", r);
	doc_free(doc);
	record_free(r);
	return failed + leave_rated();
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_record_is_whole),
		cmocka_unit_test(every_character_is_escaped),
		cmocka_unit_test(noise_is_not_exported),
		cmocka_unit_test(a_full_buffer_is_told),
	};
	int failed = cmocka_run_group_tests_name("export", tests, NULL, NULL);
	directory = argc > 1 ? argv[1] : NULL;
	return failed + (directory ? leave_examples() : 0);
}
