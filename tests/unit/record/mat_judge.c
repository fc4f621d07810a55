/* SPDX-License-Identifier: MIT */
#include "mat_judge.h"

#include <stdio.h>

#include "record/export_mat.h"

int mat_write(const struct buf *fact, size_t facts, struct buf *out)
{
	struct mat_exporter e;
	struct doc *doc = doc_new();
	int err = PLYD_OK;
	mat_exporter_begin(&e, out);
	for (size_t i = 0; i < facts && !err; i++)
		err = mat_exporter_fact(&e, doc, buf_span(&fact[i]));
	if (!err)
		err = mat_exporter_end(&e);
	doc_free(doc);
	return err;
}

static void on_game(void *payload, const struct game_record *game)
{
	struct mat_seen *seen = payload;
	seen->games++;
	seen->length = game->match_length;
	if (game->result == RESULT_WHITE || game->result == RESULT_BLACK)
		seen->points[game->result == RESULT_BLACK] += game->points;
	else
		seen->unfinished++;
	for (size_t i = 0; i < game->entry_count; i++) {
		seen->doubles += game->entry[i].kind == ENTRY_DOUBLE;
		seen->drops += game->entry[i].kind == ENTRY_DROP;
	}
}

static void on_fault(void *payload, const struct game_fault *fault)
{
	struct mat_seen *seen = payload;
	if (seen->faults++ == 0)
		snprintf(seen->why, sizeof(seen->why), "game %d, %s: %s",
			 (int)fault->game, fault->word, fault->text);
}

void mat_judge(const struct buf *file, struct mat_seen *out)
{
	const struct game_sink sink = { on_game, on_fault, out };
	struct game_reader *r;
	*out = (struct mat_seen){ 0 };
	if (game_reader_new(FORMAT_MAT, NULL, &sink, &r)) {
		out->faults++;
		return;
	}
	game_reader_feed(r, buf_span(file));
	game_reader_end(r);
	game_reader_free(r);
}
