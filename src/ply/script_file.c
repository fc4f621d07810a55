/* SPDX-License-Identifier: MIT */
#include "ply/script_file.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ply/command.h"
#include "ply/script.h"

/* ---- asking ------------------------------------------------------------ */

bool script_answer_is_good(const struct script_answer *a)
{
	return a->reply && !a->reply->err;
}

void script_file_fault(const struct script_file *f,
		       const struct script_answer *a,
		       char out[SCRIPT_FAULT_MAX])
{
	if (!a->reply) {
		snprintf(out, SCRIPT_FAULT_MAX, "%s: %s", f->path,
			 a->late ? "takes so long that plyd stops its worker"
				 : "kills its worker");
		return;
	}
	const struct worker_error *e = &a->reply->error;
	char line[24] = "";
	if (e->line > 0)
		snprintf(line, sizeof(line), "%lld:", (long long)e->line);
	snprintf(out, SCRIPT_FAULT_MAX, "%s:%s %.*s", f->path, line,
		 (int)e->text.len, (const char *)e->text.at);
}

static int ask_worker(struct script_file *f, const struct buf *question,
		      int64_t deadline_ms, struct script_answer *out)
{
	char why[NET_WHY_MAX];
	if (!script_worker_ask(f->worker, buf_span(question), deadline_ms, out,
			       why))
		return PLY_OK;
	fprintf(stderr, "ply script: plyd-script: %s\n", why);
	return PLY_UNREADABLE;
}

/* Loads it under this name; complains. */
static int load_as(struct script_file *f, const char *name,
		   struct script_answer *out)
{
	char fault[SCRIPT_FAULT_MAX];
	const struct worker_load m = {
		.kind = f->kind,
		.name = span_str(name),
		.source = span_of(f->source, f->source_len),
	};
	buf_clear(&f->load);
	worker_ask_load(&f->load, 1, &m);
	int status = ask_worker(f, &f->load, SCRIPT_LOAD_MS, out);
	if (status != PLY_OK || script_answer_is_good(out))
		return status;
	script_file_fault(f, out, fault);
	fprintf(stderr, "%s\n", fault);
	return PLY_REFUSED;
}

/* ---- files ------------------------------------------------------------- */

static int read_source(struct script_file *f)
{
	FILE *in = fopen(f->path, "rb");
	f->source = malloc(WORKER_SOURCE_MAX + 1);
	if (in && f->source)
		f->source_len = fread(f->source, 1, WORKER_SOURCE_MAX + 1, in);
	bool failed = !in || !f->source || ferror(in);
	if (failed)
		fprintf(stderr, "ply script: %s: %s\n", f->path,
			strerror(errno));
	if (in)
		fclose(in);
	if (failed)
		return PLY_UNREADABLE;
	if (f->source_len <= WORKER_SOURCE_MAX)
		return PLY_OK;
	fprintf(stderr, "%s: longer than the %d bytes that a script may be\n",
		f->path, WORKER_SOURCE_MAX);
	return PLY_REFUSED;
}

static int is_library(const struct dirent *e)
{
	size_t len = strlen(e->d_name);
	return len > 4 && len - 4 <= WORKER_NAME_MAX && e->d_name[0] != '.' &&
	       !strcmp(e->d_name + len - 4, ".lua");
}

/* One library, read and loaded by the worker of f. */
static int load_library(const struct script_file *f, const char *folder,
			const char *file)
{
	char name[WORKER_NAME_MAX + 1];
	struct script_answer a;
	struct script_file lib = { .kind = WORKER_LIBRARY,
				   .worker = f->worker };
	int n = snprintf(lib.path, sizeof(lib.path), "%s/%s", folder, file);
	if (n < 0 || (size_t)n >= sizeof(lib.path))
		return PLY_UNREADABLE;
	span_copy(span_of(file, strlen(file) - 4), name, sizeof(name));
	buf_init(&lib.load, WORKER_BYTES_MAX);
	int status = read_source(&lib);
	if (status == PLY_OK)
		status = load_as(&lib, name, &a);
	buf_release(&lib.load);
	free(lib.source);
	return status;
}

/* What lies in the folder `lib` beside that of the script. */
static int load_libraries(const struct script_file *f)
{
	char copy[PATH_MAX], folder[PATH_MAX + sizeof("/../lib")];
	struct dirent **found;
	if (f->kind != WORKER_POLICY && f->kind != WORKER_PERSONALITY)
		return PLY_OK;
	snprintf(copy, sizeof(copy), "%s", f->path);
	snprintf(folder, sizeof(folder), "%s/../lib", dirname(copy));
	int count = scandir(folder, &found, is_library, alphasort);
	if (count < 0)
		return PLY_OK; /* there are none */
	int status = PLY_OK;
	for (int i = 0; i < count; i++) {
		if (status == PLY_OK)
			status = load_library(f, folder, found[i]->d_name);
		free(found[i]);
	}
	free(found);
	return status;
}

/* ---- what it says of itself -------------------------------------------- */

static bool keep_personality(struct script_file *f, const struct value *result)
{
	struct worker_personality p;
	if (worker_personality_read(result, &p))
		return false;
	span_copy(p.name, f->name, sizeof(f->name));
	span_copy(p.about, f->about, sizeof(f->about));
	f->ruleset_count = p.rulesets.count;
	for (size_t i = 0; i < p.rulesets.count; i++)
		span_copy(p.rulesets.at[i], f->ruleset[i],
			  sizeof(f->ruleset[i]));
	return true;
}

static bool keep_policy(struct script_file *f, const struct value *result)
{
	if (worker_policy_read(result, &f->policy))
		return false;
	span_copy(f->policy.name, f->name, sizeof(f->name));
	span_copy(f->policy.about, f->about, sizeof(f->about));
	return true;
}

static bool keep_ruleset(struct script_file *f, const struct value *result)
{
	struct worker_ruleset *r = &f->numbers;
	if (worker_ruleset_read(result, r) ||
	    ruleset_read((const char *)r->ruleset.at, r->ruleset.len,
			 &f->rules))
		return false;
	span_copy(r->name, f->name, sizeof(f->name));
	span_copy(r->about, f->about, sizeof(f->about));
	span_copy(r->base, f->base, sizeof(f->base));
	span_copy(r->policy, f->follows, sizeof(f->follows));
	return true;
}

static bool keep(struct script_file *f, const struct value *result)
{
	switch (f->kind) {
	case WORKER_PERSONALITY: return keep_personality(f, result);
	case WORKER_POLICY: return keep_policy(f, result);
	case WORKER_RULESET: return keep_ruleset(f, result);
	default: return true;
	}
}

/* Loads all that a new worker needs; a script with functions under its own
 * name, by which it is asked, once that is known. */
static int load_all(struct script_file *f)
{
	struct script_answer a;
	bool asked = f->kind == WORKER_PERSONALITY || f->kind == WORKER_POLICY;
	bool known = f->name[0] != '\0';
	int status = load_libraries(f);
	if (status == PLY_OK)
		status = load_as(f, known ? f->name : "script", &a);
	if (status != PLY_OK || known)
		return status;
	if (!keep(f, a.reply->result)) {
		fprintf(stderr, "%s: an answer that cannot be read\n", f->path);
		return PLY_UNREADABLE;
	}
	return asked ? load_as(f, f->name, &a) : PLY_OK;
}

/* ---- all of it --------------------------------------------------------- */

int script_file_open(struct script_file *f, const char *path, int kind)
{
	memset(f, 0, sizeof(*f));
	f->kind = kind;
	f->choose_ms = SCRIPT_CHOOSE_MS;
	buf_init(&f->question, WORKER_BYTES_MAX);
	buf_init(&f->load, WORKER_BYTES_MAX);
	snprintf(f->path, sizeof(f->path), "%s", path);
	int status = read_source(f);
	if (status == PLY_OK && script_worker_new(&f->worker)) {
		fprintf(stderr, "ply script: no memory\n");
		status = PLY_UNREADABLE;
	}
	return status == PLY_OK ? load_all(f) : status;
}

void script_file_close(struct script_file *f)
{
	script_worker_free(f->worker);
	buf_release(&f->question);
	buf_release(&f->load);
	free(f->source);
}

bool script_file_find(const char *word, int kind, const char *scripts,
		      char out[PATH_MAX])
{
	size_t len = strlen(word);
	bool is_path = strchr(word, '/') ||
		       (len > 4 && !strcmp(word + len - 4, ".lua"));
	int n = is_path ? snprintf(out, PATH_MAX, "%s", word)
			: snprintf(out, PATH_MAX, "%s/%s/%s.lua", scripts,
				   script_kind_folder(kind), word);
	return n > 0 && n < PATH_MAX && !access(out, R_OK);
}

int script_file_ask(struct script_file *f, int64_t deadline_ms,
		    struct script_answer *out)
{
	int status = script_worker_runs(f->worker) ? PLY_OK : load_all(f);
	if (status != PLY_OK)
		return PLY_UNREADABLE;
	return ask_worker(f, &f->question, deadline_ms, out);
}

void script_texts_write(struct script_texts *t, const struct ruleset *rs,
			const struct position *pos)
{
	t->rules_span = span_of(t->rules, ruleset_write(rs, t->rules));
	t->pos_span = span_of(t->pos, game_write(rs, pos, t->pos));
}
