/* SPDX-License-Identifier: MIT
 * A record as a file, as `ply record --mat` is given it by a server: it is
 * refused, or becomes a match file that can be read. */
#include "fuzz.h"

#include "ply/record_file.h"
#include "record/export_mat.h"
#include "rules/notation.h"

enum { WRITTEN_MAX = 1 << 22 };

static void count_fault(void *payload, const struct game_fault *f)
{
	(void)f;
	++*(size_t *)payload;
}

static void no_game(void *payload, const struct game_record *g)
{
	(void)payload, (void)g;
}

static size_t faults_in(struct span text)
{
	size_t faults = 0;
	const struct game_sink sink = { no_game, count_fault, &faults };
	struct game_reader *r;
	insist(!game_reader_new(FORMAT_MAT, NULL, &sink, &r));
	game_reader_feed(r, text);
	game_reader_end(r);
	game_reader_free(r);
	return faults;
}

static void export(const struct record_view *r, struct doc *doc)
{
	struct mat_exporter e;
	struct buf fact, mat;
	bool good = true;
	buf_init(&fact, STORE_BYTES_MAX);
	buf_init(&mat, WRITTEN_MAX);
	mat_exporter_begin(&e, &mat);
	for (size_t i = 0; good && i < client_count(r->facts); i++)
		good = record_fact(r, i, &fact) &&
		       !mat_exporter_fact(&e, doc, buf_span(&fact));
	if (good && !mat_exporter_end(&e))
		faults_in(buf_span(&mat));
	buf_release(&fact);
	buf_release(&mat);
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
		export(&r, scratch);
	return 0;
}
