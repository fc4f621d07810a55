/* SPDX-License-Identifier: MIT
 * A record as a file, as `ply verify` is given it: it is no record, or it is
 * judged and exported, whatever its facts say. */
#include "fuzz.h"

#include "ply/record_file.h"
#include "record/export.h"
#include "record/verify.h"

enum { WRITTEN_MAX = 1 << 22 };

struct outlets {
	struct verifier *verifier;
	struct exporter json;
};

static void give(struct outlets *o, struct doc *doc, struct span fact)
{
	struct fact f;
	int wrong = verifier_fact(o->verifier, fact);
	int unread = exporter_fact(&o->json, doc, fact);
	insist(!unread ||
	       fact_decode(doc, fact, &(struct id){ "" }, 1, &f) != 0);
	insist(wrong || !unread); /* what is right can be read */
}

static void judge(const struct record_view *r, struct doc *doc)
{
	struct outlets o = { .verifier = verifier_new(&r->match) };
	struct buf fact, json;
	buf_init(&fact, STORE_BYTES_MAX);
	buf_init(&json, WRITTEN_MAX);
	insist(o.verifier);
	exporter_begin(&o.json, &json, &r->match);
	if (r->redacted) {
		verifier_redacted(o.verifier, &r->after_begun);
		exporter_redacted(&o.json, &r->after_begun);
	}
	for (size_t i = 0; i < client_count(r->facts); i++)
		if (record_fact(r, i, &fact))
			give(&o, doc, buf_span(&fact));
	if (!verifier_end(o.verifier, &r->head))
		insist(verifier_verdict(o.verifier)->ended);
	exporter_end(&o.json);
	buf_release(&fact);
	buf_release(&json);
	verifier_free(o.verifier);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct doc *file, *scratch;
	const struct value *root;
	struct record_view r;
	insist(!crypto_ready());
	if (!file) {
		file = doc_new();
		scratch = doc_new();
	}
	if (!doc_parse(file, span_of(bytes, len), &doc_store, &root) &&
	    record_view((const struct client_value *)root, &r))
		judge(&r, scratch);
	return 0;
}
