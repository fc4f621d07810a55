/* SPDX-License-Identifier: MIT
 * Any bytes of a journal must be read or refused; what is read is written the
 * same twice, and is applied, verified and exported without harm. The input is
 * a row of facts: stream (0 general, else a match), u16be length, bytes. */
#include "fuzz.h"

#include <plyd/err.h>
#include "record/export.h"
#include "record/replay.h"
#include "record/verify.h"

static const struct id matches[] = { { "" },
				     { "aaaaaaaaaa" },
				     { "bbbbbbbbbb" } };

struct target {
	struct domain *d;
	struct doc *doc;
	struct verifier *verifier;
	struct exporter exporter;
	struct buf json;
	uint64_t row;
};

static void open_target(struct target *t)
{
	struct domain_limits limits;
	struct entropy entropy;
	struct match_rules rules[RULES_MAX] = { 0 };
	insist(!crypto_ready());
	table_ready();
	domain_limits_default(&limits);
	entropy_from_seed(&entropy, 1);
	insist(!domain_new(&t->d, &limits, &entropy));
	for (size_t i = 0; i < ruleset_count(); i++)
		rules[i].rules = *ruleset_at(i);
	insist(!domain_set_rules(t->d, rules, ruleset_count()));
	t->doc = doc_new();
	t->verifier = verifier_new(&matches[1]);
	insist(t->doc && t->verifier);
	buf_init(&t->json, 1u << 20);
	exporter_begin(&t->exporter, &t->json, &matches[1]);
}

static void close_target(struct target *t)
{
	struct buf b;
	verifier_end(t->verifier, NULL);
	exporter_end(&t->exporter);
	buf_init(&b, 1u << 24);
	insist(!snapshot_write(t->d, &b));
	buf_release(&b);
	buf_release(&t->json);
	verifier_free(t->verifier);
	doc_free(t->doc);
	domain_free(t->d);
}

/* Reading what was written, and writing it again, gives the same bytes. */
static void check_written(struct target *t, const struct fact *f)
{
	struct fact again;
	struct buf one, two;
	buf_init(&one, 1u << 20);
	buf_init(&two, 1u << 20);
	fact_encode(f, &one);
	insist(!fact_decode(t->doc, buf_span(&one), &f->match, f->row, &again));
	fact_encode(&again, &two);
	insist(span_eq(buf_span(&one), buf_span(&two)));
	buf_release(&one);
	buf_release(&two);
}

static void feed(struct target *t, const struct id *match, struct span fact)
{
	struct fact f;
	if (!fact_decode(t->doc, fact, match, ++t->row, &f))
		check_written(t, &f);
	if (!replay_row(t->d, t->doc, t->row, match, fact))
		insist(domain_last_row(t->d) == t->row);
	replay_secret(t->d, t->doc, match, fact);
	if (id_is_none(match))
		return;
	verifier_fact(t->verifier, fact);
	exporter_fact(&t->exporter, t->doc, fact);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct target t = { 0 };
	open_target(&t);
	while (len >= 3) {
		size_t n = (size_t)bytes[1] << 8 | bytes[2];
		if (n > len - 3)
			n = len - 3;
		feed(&t, &matches[bytes[0] % 3], span_of(bytes + 3, n));
		bytes += 3 + n;
		len -= 3 + n;
	}
	close_target(&t);
	return 0;
}
