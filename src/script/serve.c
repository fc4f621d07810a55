/* SPDX-License-Identifier: MIT */
#include "script/serve.h"

#include <stdlib.h>

#include "engine/engine.h"
#include "proto/worker.h"
#include "script/arena.h"
#include "script/load.h"
#include "script/turn.h"

enum { IMAGES_MAX = 16 }; /* of some 50 KB each */

typedef char whole_name[WORKER_NAME_MAX + 1];

struct script {
	enum worker_kind kind;
	whole_name name;
	uint8_t *source;
	size_t len;
	size_t use_count;
	whole_name *use; /* libraries by their whole names */
	struct program program;
};

struct serve {
	serve_send_fn *send;
	void *payload;
	struct doc *doc;
	struct buf result; /* of the question under way */
	struct buf out;    /* one message */
	struct host host;
	size_t count;
	size_t bytes; /* of all sources */
	struct script script[WORKER_SCRIPTS_MAX];
	struct worker_texts uses; /* of the script that runs; lent */
};

/* ---- scripts ----------------------------------------------------------- */

static struct script *find_script(struct serve *s, enum worker_kind kind,
				  struct span name)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->script[i].kind == kind &&
		    span_is(name, s->script[i].name))
			return &s->script[i];
	return NULL;
}

static void script_release(struct script *script)
{
	free(script->source);
	free(script->use);
	image_free(script->program.image);
}

/* A copy of what was told. PLYD_EVALUE: a name is none; PLYD_ENOMEM. Release it
 * in any case. */
static int script_copy(const struct worker_load *m, struct script *out)
{
	*out = (struct script){ .kind = (enum worker_kind)m->kind,
				.len = m->source.len,
				.use_count = m->uses.count };
	out->source = malloc(m->source.len + 1);
	out->use = calloc(m->uses.count + 1, sizeof(*out->use));
	if (!out->source || !out->use)
		return PLYD_ENOMEM;
	if (m->source.len > 0)
		memcpy(out->source, m->source.at, m->source.len);
	bool good = span_copy(m->name, out->name, sizeof(out->name));
	for (size_t i = 0; i < m->uses.count; i++)
		good &= span_copy(m->uses.at[i], out->use[i],
				  sizeof(out->use[i]));
	return good ? PLYD_OK : PLYD_EVALUE;
}

/* Remembers a source, in place of one of the same kind and name. PLYD_EFULL:
 * too many, or too many bytes; PLYD_EVALUE: not a name; PLYD_ENOMEM. The old
 * one then stays. */
static int keep_script(struct serve *s, const struct worker_load *m)
{
	struct script *old = find_script(s, (enum worker_kind)m->kind, m->name);
	struct script new;
	size_t freed = old ? old->len : 0;
	if ((!old && s->count == WORKER_SCRIPTS_MAX) ||
	    s->bytes - freed + m->source.len > WORKER_SOURCES_MAX)
		return PLYD_EFULL;
	int err = script_copy(m, &new);
	if (err) {
		script_release(&new);
		return err;
	}
	if (old)
		script_release(old);
	else
		old = &s->script[s->count++];
	*old = new;
	s->bytes += m->source.len - freed;
	return PLYD_OK;
}

/* All images are dropped where one more would be too many: few servers have so
 * many scripts at work. */
static void images_make_room(struct serve *s)
{
	size_t count = 0;
	for (size_t i = 0; i < s->count; i++)
		count += s->script[i].program.image != NULL;
	for (size_t i = 0; count == IMAGES_MAX && i < s->count; i++) {
		image_free(s->script[i].program.image);
		s->script[i].program.image = NULL;
	}
}

static struct program *program_of(struct serve *s, struct script *script)
{
	struct program *p = &script->program;
	p->name = worker_bare_name(span_str(script->name));
	p->source = span_of(script->source, script->len);
	if (!p->image)
		images_make_room(s);
	return p;
}

/* The libraries that `use` finds from now on. */
static void set_uses(struct serve *s, const struct script *script)
{
	s->uses.count = script->use_count;
	for (size_t i = 0; i < script->use_count; i++)
		s->uses.at[i] = span_str(script->use[i]);
}

/* struct libraries.find */
static bool find_library(void *payload, struct span name, struct span *source)
{
	struct serve *s = payload;
	struct span whole = name;
	for (size_t i = 0; i < s->uses.count; i++)
		if (span_eq(worker_bare_name(s->uses.at[i]), name))
			whole = s->uses.at[i];
	const struct script *found = find_script(s, WORKER_LIBRARY, whole);
	if (found)
		*source = span_of(found->source, found->len);
	return found != NULL;
}

/* ---- answers ----------------------------------------------------------- */

static int answer_load(struct serve *s, const struct worker_load *m,
		       struct script_error *why)
{
	s->uses = m->uses;
	int err = load_script(m, &s->host.libraries, &s->result, why);
	if (err)
		return err;
	if (m->kind != WORKER_CONFIG && m->kind != WORKER_RULESET)
		return keep_script(s, m);
	return PLYD_OK;
}

static int answer_choose(struct serve *s, const struct worker_choose *m,
			 struct script_error *why)
{
	struct script *script =
		find_script(s, WORKER_PERSONALITY, m->personality);
	if (!script)
		return PLYD_EPERSONALITY;
	set_uses(s, script);
	char text[MOVE_TEXT_MAX];
	struct worker_choice choice;
	int err = m->decision == DECIDE_MOVE
			  ? turn_choose(&s->host, program_of(s, script), m,
					text, &choice, why)
			  : turn_decide(&s->host, program_of(s, script), m,
					&choice, why);
	if (!err)
		worker_choice_put(&s->result, &choice);
	return err;
}

static int answer_verdict(struct serve *s, const struct worker_verdict *m,
			  struct script_error *why)
{
	struct script *script = find_script(s, WORKER_POLICY, m->policy);
	if (!script)
		return PLYD_EPERSONALITY;
	set_uses(s, script);
	char text[WORKER_TEXT_MAX];
	struct worker_ruling ruling;
	int err = turn_verdict(&s->host, program_of(s, script), m, text,
			       &ruling, why);
	if (!err)
		worker_ruling_put(&s->result, &ruling);
	return err;
}

/* The script that a question is about, for its error. */
static struct span script_name(const struct worker_question *q)
{
	switch (q->method) {
	case ASKED_LOAD: return worker_bare_name(q->load.name);
	case ASKED_CHOOSE: return worker_bare_name(q->choose.personality);
	case ASKED_VERDICT: return worker_bare_name(q->verdict.policy);
	case ASKED_PING: break;
	}
	return span_str("");
}

static int answer(struct serve *s, const struct worker_question *q,
		  struct script_error *why)
{
	switch (q->method) {
	case ASKED_LOAD: return answer_load(s, &q->load, why);
	case ASKED_CHOOSE: return answer_choose(s, &q->choose, why);
	case ASKED_VERDICT: return answer_verdict(s, &q->verdict, why);
	case ASKED_PING: put_bool(&s->result, true); return PLYD_OK;
	}
	return PLYD_EMETHOD;
}

static void write_error(struct serve *s, const struct worker_question *q,
			int err, const struct script_error *why)
{
	const char *text = why->text[0] ? why->text : plyd_err_text(err);
	struct worker_error e = {
		.script = script_name(q),
		.line = why->line,
		.text = span_str(text),
	};
	worker_answer_error(&s->out, q->id, err, &e);
}

int serve_message(struct serve *s, struct span bytes)
{
	struct worker_question q;
	struct script_error why = { .fault = FAULT_NONE };
	int err = worker_read_question(s->doc, bytes, &q);
	if (err)
		return err;
	buf_clear(&s->result);
	err = answer(s, &q, &why);
	if (!err)
		err = s->result.err;
	buf_clear(&s->out);
	if (err) {
		write_error(s, &q, err, &why);
	} else {
		rpc_begin_result(&s->out, q.id);
		buf_put(&s->out, s->result.at, s->result.len);
	}
	if (s->out.err)
		return s->out.err;
	s->send(s->payload, buf_span(&s->out));
	return PLYD_OK;
}

/* ---- life -------------------------------------------------------------- */

static void send_log(void *payload, const struct worker_log *line)
{
	struct serve *s = payload;
	buf_clear(&s->out);
	worker_send_log(&s->out, line);
	if (!s->out.err)
		s->send(s->payload, buf_span(&s->out));
}

/* A sanitizer watches each block that comes from malloc(): there is no arena,
 * then. False: no memory. */
static bool arena_begin(struct host *h)
{
	if (PLYD_SANITIZED)
		return true;
	h->arena = arena_new();
	return h->arena != NULL;
}

int serve_new(serve_send_fn *send, void *payload, struct serve **out)
{
	*out = NULL;
	struct serve *s = calloc(1, sizeof(*s));
	if (!s)
		return PLYD_ENOMEM;
	s->send = send;
	s->payload = payload;
	s->host.log = send_log;
	s->host.payload = s;
	s->host.libraries = (struct libraries){ s, find_library };
	buf_init(&s->result, WORKER_BYTES_MAX - 64);
	buf_init(&s->out, WORKER_BYTES_MAX);
	buf_init(&s->host.kept, WORKER_KEPT_MAX);
	s->doc = doc_new();
	s->host.doc = doc_new();
	int err = engine_new(SERVE_TABLE_BYTES, &s->host.engine);
	if (err || !s->doc || !s->host.doc || !arena_begin(&s->host)) {
		serve_free(s);
		return PLYD_ENOMEM;
	}
	*out = s;
	return PLYD_OK;
}

void serve_free(struct serve *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++)
		script_release(&s->script[i]);
	buf_release(&s->result);
	buf_release(&s->out);
	buf_release(&s->host.kept);
	doc_free(s->doc);
	doc_free(s->host.doc);
	arena_free(s->host.arena);
	engine_free(s->host.engine);
	free(s);
}
