/* SPDX-License-Identifier: MIT
 * Any bytes as a snapshot of the general state: refused, or taken; what was
 * taken is written again, and that reads back as the same. */
#include "fuzz.h"

#include <plyd/err.h>
#include "base/table.h"
#include "record/replay.h"

enum { SNAPSHOT_MAX = 1 << 24 };

static struct domain *fresh(void)
{
	struct domain_limits limits;
	struct entropy entropy;
	struct match_rules rules[RULES_MAX] = { 0 };
	struct domain *d;
	domain_limits_default(&limits);
	entropy_from_seed(&entropy, 1);
	insist(!domain_new(&d, &limits, &entropy));
	for (size_t i = 0; i < ruleset_count(); i++)
		rules[i].rules = *ruleset_at(i);
	insist(!domain_set_rules(d, rules, ruleset_count()));
	return d;
}

/* Reads a snapshot, and writes what there is then; false: refused. */
static bool again(struct doc *doc, struct span bytes, struct buf *out)
{
	struct domain *d = fresh();
	int err = replay_snapshot(d, doc, 7, bytes);
	bool taken = !err || err == PLYD_ERULESET;
	if (taken)
		insist(!snapshot_write(d, out));
	domain_free(d);
	return taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct doc *doc;
	struct buf once, twice;
	insist(!crypto_ready());
	table_ready();
	if (!doc)
		doc = doc_new();
	buf_init(&once, SNAPSHOT_MAX);
	buf_init(&twice, SNAPSHOT_MAX);
	if (again(doc, span_of(bytes, len), &once)) {
		insist(again(doc, buf_span(&once), &twice));
		insist(span_eq(buf_span(&once), buf_span(&twice)));
	}
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
