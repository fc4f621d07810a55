/* SPDX-License-Identifier: MIT
 * Any text as a script of any kind: the host loads it, and asks it for a move,
 * without a fault. The first byte says the kind. */
#include "fuzz.h"

#include "proto/worker.h"
#include "script/serve.h"

static void drop(void *payload, struct span bytes)
{
	(void)payload;
	(void)bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct serve *s;
	static const char rules[] =
		"backgammon backgammon first=white person=white "
		"draw_by_agreement=true hit_and_hide=true "
		"hit_and_bear_off=always";
	static const char position[] =
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:0:0:10";
	if (len == 0 || len > 4096 || (!s && serve_new(drop, NULL, &s)))
		return 0;
	struct worker_load load = { .kind = bytes[0] % 4,
				    .name = span_str("x"),
				    .source = span_of(bytes + 1, len - 1) };
	struct worker_choose choose = {
		.personality = span_str("x"),
		.match = span_str("m"),
		.ruleset = span_str(rules),
		.position = span_str(position),
		.remaining_ms = 1000,
	};
	struct buf b;
	buf_init(&b, WORKER_BYTES_MAX);
	worker_ask_load(&b, 1, &load);
	insist(!serve_message(s, buf_span(&b)));
	buf_clear(&b);
	worker_ask_choose(&b, 2, &choose);
	insist(!serve_message(s, buf_span(&b)));
	buf_release(&b);
	return 0;
}
