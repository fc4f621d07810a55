/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>

#include "ply/command.h"
#include "ply/errand.h"
#include "ply/json.h"
#include "ply/record_file.h"
#include "proto/write.h"
#include "record/export.h"
#include "record/export_mat.h"

enum { OPTION_SERVER = 's', OPTION_JSON = 'j', OPTION_OUTPUT = 'o' };
enum { OPTION_MAT = 'm' };
enum { JSON_BYTES_MAX = 64 * 1024 * 1024 };

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "[tls://]HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "output", OPTION_OUTPUT, "FILE", 0,
	  "Where to write (default: MATCH.record; `-' is the output)", 0 },
	{ "json", OPTION_JSON, NULL, 0, "Write JSON, by default to the output",
	  0 },
	{ "mat", OPTION_MAT, NULL, 0,
	  "Write a match file of backgammon (.mat), by default to the output",
	  0 },
	{ 0 },
};

struct fetch {
	const char *who;
	const char *match;
	const char *server;
	const char *output;
	bool json;
	bool mat;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fetch *f = state->input;
	switch (key) {
	case OPTION_SERVER: f->server = arg; break;
	case OPTION_OUTPUT: f->output = arg; break;
	case OPTION_JSON: f->json = true; break;
	case OPTION_MAT: f->mat = true; break;
	case ARGP_KEY_ARG:
		if (f->match)
			argp_usage(state);
		f->match = arg;
		break;
	case ARGP_KEY_END:
		if (!f->match || (f->json && f->mat))
			argp_usage(state);
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int write_out(const struct fetch *f, struct span bytes)
{
	char name[64];
	const char *path = f->output;
	snprintf(name, sizeof(name), "%.32s.record", f->match);
	if (!path)
		path = f->json || f->mat ? "-" : name;
	return record_save(f->who, path, bytes);
}

/* Writes the complete export; false: the record is damaged. */
static bool export_json(const struct client_value *result, struct buf *out)
{
	struct record_view r;
	struct exporter e;
	struct buf fact;
	struct doc *doc = doc_new();
	bool good = doc && record_view(result, &r);
	buf_init(&fact, STORE_BYTES_MAX);
	if (good)
		exporter_begin(&e, out, &r.match);
	if (good && r.redacted)
		exporter_redacted(&e, &r.after_begun);
	for (size_t i = 0; good && i < client_count(r.facts); i++)
		good = record_fact(&r, i, &fact) &&
		       !exporter_fact(&e, doc, buf_span(&fact));
	good = good && !exporter_end(&e) && !buf_put_byte(out, '\n');
	buf_release(&fact);
	doc_free(doc);
	return good;
}

/* Writes a match file; PLYD_OK, or why not. */
static int export_mat(const struct client_value *result, struct buf *out)
{
	struct record_view r;
	struct mat_exporter e;
	struct buf fact;
	struct doc *doc = doc_new();
	int err = !doc                      ? PLYD_ENOMEM
		  : record_view(result, &r) ? PLYD_OK
					    : PLYD_ERECORD;
	buf_init(&fact, STORE_BYTES_MAX);
	mat_exporter_begin(&e, out);
	for (size_t i = 0; !err && i < client_count(r.facts); i++)
		err = record_fact(&r, i, &fact)
			      ? mat_exporter_fact(&e, doc, buf_span(&fact))
			      : PLYD_ERECORD;
	if (!err)
		err = mat_exporter_end(&e);
	buf_release(&fact);
	doc_free(doc);
	return err;
}

static int write_mat(const struct fetch *f, const struct client_value *result,
		     struct buf *out)
{
	int err = export_mat(result, out);
	if (!err)
		return write_out(f, buf_span(out));
	fprintf(stderr, "%s: %s\n", f->who,
		err == PLYD_EPOSITION
			? "a match file has games of backgammon from the usual "
			  "start only"
			: plyd_err_text(err));
	return PLY_UNREADABLE;
}

static int on_result(void *payload, const struct client_value *result)
{
	const struct fetch *f = payload;
	struct buf out;
	int status = PLY_UNREADABLE;
	buf_init(&out, JSON_BYTES_MAX);
	if (f->mat)
		status = write_mat(f, result, &out);
	else if (f->json && !export_json(result, &out))
		fprintf(stderr, "%s: the record is damaged\n", f->who);
	else if (f->json || (put_value(&out, result), !out.err))
		status = write_out(f, buf_span(&out));
	else
		fprintf(stderr, "%s: %s\n", f->who, plyd_err_text(out.err));
	buf_release(&out);
	return status;
}

int cmd_record(int argc, char **argv)
{
	struct fetch f = { .who = argv[0] };
	struct buf map;
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "MATCH",
		.doc = "Save the record of a finished match, for `ply "
		       "verify'.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &f);
	buf_init(&map, MESSAGE_BYTES_MAX);
	put_map(&map, 1);
	put_cstr(&map, "match");
	put_cstr(&map, f.match);
	const struct errand errand = {
		.who = argv[0],
		.server = f.server,
		.method = "record.get",
		.map = buf_span(&map),
		.on_result = on_result,
		.payload = &f,
	};
	int status = errand_run(&errand);
	buf_release(&map);
	return status;
}
