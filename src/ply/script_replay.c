/* SPDX-License-Identifier: MIT */
#include "ply/script.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ply/command.h"
#include "ply/progress.h"
#include "ply/question.h"
#include "ply/script_again.h"

struct replaying {
	const struct script_options *o;
	struct script_file file;
	struct buf bytes;
	struct doc *doc;
	char path[PATH_MAX]; /* of the record */
	struct progress_line line;
	size_t files, matches, differing, unreadable;
	size_t turns, differences, faults;
};

/* ---- differences ------------------------------------------------------- */

static void say(const struct replaying *r, const struct difference *d)
{
	char pos[POSITION_TEXT_MAX];
	game_write(d->rules, d->pos, pos);
	printf("%s: %s, half-move %u%s%s: ", r->path, d->match, d->ply,
	       d->side < 0 ? "" : ", ",
	       d->side < 0 ? "" : side_name((enum side)d->side));
	if (d->fault)
		printf("%s\n  in %s\n", d->why, pos);
	else
		printf("record: %s; script: %s\n  in %s\n", d->record,
		       d->script, pos);
}

static void say_json(const struct replaying *r, const struct difference *d)
{
	json_print(json_pack("{s:s,s:s,s:i,s:s?,s:s?,s:s?,s:s?,s:o}", "file",
			     r->path, "match", d->match, "ply", (int)d->ply,
			     "side",
			     d->side < 0 ? NULL : side_name((enum side)d->side),
			     "record", d->fault ? NULL : d->record, "script",
			     d->fault ? NULL : d->script, "fault",
			     d->fault ? d->why : NULL, "position",
			     json_position(d->rules, d->pos)));
}

static void on_difference(void *payload, const struct difference *d)
{
	struct replaying *r = payload;
	progress_clear(&r->line);
	(r->o->json ? say_json : say)(r, d);
}

/* ---- records ----------------------------------------------------------- */

static int replay_one(struct replaying *r)
{
	struct record_view view;
	struct again_result result;
	char why[VERIFY_WHY_MAX] = "";
	const char *wrong = record_read(r->path, &r->bytes, r->doc, &view);
	int status = PLY_REFUSED;
	if (!wrong) {
		status = script_again(&r->file, &view, r->o->every,
				      on_difference, r, &result, why);
		r->turns += result.turns;
		r->differences += result.differences;
		r->faults += result.faults;
		r->matches += result.looked_at;
		r->differing += result.differences + result.faults > 0;
	}
	if (status != PLY_REFUSED)
		return status;
	progress_clear(&r->line);
	fprintf(stderr, "ply script: %s: %s\n", r->path, wrong ? wrong : why);
	r->unreadable++;
	return PLY_OK;
}

static int is_no_dot(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_all(struct replaying *r)
{
	struct dirent **entry;
	char text[64];
	int status = PLY_OK;
	int count = scandir(r->o->records, &entry, is_no_dot, alphasort);
	if (count < 0) {
		fprintf(stderr, "ply script: %s: cannot be read\n",
			r->o->records);
		return PLY_UNREADABLE;
	}
	for (int i = 0; i < count; i++) {
		snprintf(r->path, sizeof(r->path), "%s/%s", r->o->records,
			 entry[i]->d_name);
		if (status == PLY_OK && entry[i]->d_type != DT_DIR) {
			r->files++;
			status = replay_one(r);
		}
		snprintf(text, sizeof(text), "records, %zu differences",
			 r->differences);
		progress_show(&r->line, (uint64_t)i + 1, (uint64_t)count, text);
		free(entry[i]);
	}
	free(entry);
	progress_clear(&r->line);
	return status;
}

static void say_all(const struct replaying *r)
{
	if (r->o->json) {
		json_print(json_pack("{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I}",
				     "script", r->file.path, "records",
				     (json_int_t)r->files, "unreadable",
				     (json_int_t)r->unreadable, "matches",
				     (json_int_t)r->matches, "turns",
				     (json_int_t)r->turns, "differences",
				     (json_int_t)r->differences, "faults",
				     (json_int_t)r->faults, "matches_differing",
				     (json_int_t)r->differing));
		return;
	}
	printf("%s: %zu records, %zu of matches that it is about, %zu turns: "
	       "%zu differences and %zu faults, in %zu matches\n",
	       r->file.path, r->files, r->matches, r->turns, r->differences,
	       r->faults, r->differing);
	if (r->matches == 0 && r->files > 0)
		printf("  --every asks about all of them\n");
	if (r->unreadable)
		printf("  %zu files are no good records\n", r->unreadable);
}

/* ---- all of it --------------------------------------------------------- */

static int run(struct replaying *r)
{
	int status = script_file_open(&r->file, r->o->word[0], r->o->kind);
	if (status != PLY_OK)
		return status;
	r->file.choose_ms = r->o->deadline_ms;
	if (r->o->kind == WORKER_LIBRARY || r->o->kind == WORKER_CONFIG ||
	    r->o->kind == WORKER_TOURNAMENT) {
		fprintf(stderr, "ply script: only personalities, policies and "
				"rulesets have to do with matches\n");
		return PLY_UNREADABLE;
	}
	if (!r->doc || crypto_ready())
		return PLY_UNREADABLE;
	status = replay_all(r);
	if (status != PLY_OK)
		return status;
	say_all(r);
	if (r->unreadable)
		return PLY_UNREADABLE;
	return r->differences + r->faults > 0 ? PLY_REFUSED : PLY_OK;
}

int script_replay(const struct script_options *options)
{
	struct replaying *r = calloc(1, sizeof(*r));
	if (!r)
		return PLY_UNREADABLE;
	r->o = options;
	r->doc = doc_new();
	buf_init(&r->bytes, STORE_BYTES_MAX);
	progress_init(&r->line);
	int status = run(r);
	script_file_close(&r->file);
	buf_release(&r->bytes);
	doc_free(r->doc);
	free(r);
	return status;
}
