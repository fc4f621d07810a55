/* SPDX-License-Identifier: MIT */
#include "asking.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "script/serve.h"
#include "unit.h"

static const struct scan_limits limits = { WORKER_BYTES_MAX,
					   STORE_ELEMENTS_MAX };

static void init(struct asked *a)
{
	memset(a, 0, sizeof(*a));
	buf_init(&a->answer, WORKER_BYTES_MAX);
	buf_init(&a->question, WORKER_BYTES_MAX);
	a->doc = doc_new();
	a->fd = -1;
}

static void release(struct asked *a)
{
	buf_release(&a->answer);
	buf_release(&a->question);
	doc_free(a->doc);
}

/* ---- in this process --------------------------------------------------- */

static void keep_answer(void *payload, struct span bytes)
{
	struct asked *a = payload;
	buf_clear(&a->answer);
	buf_put(&a->answer, bytes.at, bytes.len);
	if (bytes.len > 1 && bytes.at[1] == 2)
		a->logs++;
}

void asked_init_here(struct asked *a)
{
	init(a);
	if (serve_new(keep_answer, a, &a->serve))
		abort();
}

void asked_release_here(struct asked *a)
{
	serve_free(a->serve);
	release(a);
}

/* ---- in a process of its own ------------------------------------------- */

static void become_worker(int fd)
{
	if (dup2(fd, WORKER_FD) != WORKER_FD)
		_exit(127);
	fcntl(WORKER_FD, F_SETFD, 0);
	execl(WORKER_PROGRAM, "plyd-script", (char *)NULL);
	_exit(127);
}

bool asked_spawn(struct asked *a)
{
	int pair[2];
	init(a);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return false;
	pid_t pid = fork();
	if (pid == 0)
		become_worker(pair[1]);
	close(pair[1]);
	a->fd = pair[0];
	a->pid = pid;
	return pid > 0;
}

int asked_kill(struct asked *a)
{
	int status = 0;
	if (a->pid > 0) {
		kill((pid_t)a->pid, SIGKILL);
		waitpid((pid_t)a->pid, &status, 0);
	}
	close(a->fd);
	release(a);
	return status;
}

static long long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static bool send_question(struct asked *a)
{
	struct span s = buf_span(&a->question);
	while (s.len > 0) {
		ssize_t n = send(a->fd, s.at, s.len, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		s.at += n;
		s.len -= (size_t)n;
	}
	return true;
}

/* Reads one byte after another, which is slow and simple, until a message
 * ends. */
static bool read_message(struct asked *a, long long until_ms)
{
	struct scan scan;
	scan_init(&scan, &limits);
	buf_clear(&a->answer);
	for (;;) {
		long long left = until_ms - now_ms();
		struct pollfd p = { .fd = a->fd, .events = POLLIN };
		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			return false;
		uint8_t byte;
		size_t taken;
		if (read(a->fd, &byte, 1) != 1)
			return false;
		buf_put(&a->answer, &byte, 1);
		int state = scan_feed(&scan, span_of(&byte, 1), &taken);
		if (state != SCAN_MORE)
			return state == SCAN_MESSAGE;
	}
}

static bool answer_there(struct asked *a, int deadline_ms,
			 struct worker_reply *out)
{
	long long until_ms = now_ms() + deadline_ms;
	if (!send_question(a))
		return false;
	do {
		if (!read_message(a, until_ms))
			return false;
		if (worker_read(a->doc, buf_span(&a->answer), out))
			return false;
		a->logs += out->is_log;
	} while (out->is_log);
	return true;
}

/* ---- either ------------------------------------------------------------ */

bool asked_answer(struct asked *a, int deadline_ms, struct worker_reply *out)
{
	if (!a->serve)
		return answer_there(a, deadline_ms, out);
	return !serve_message(a->serve, buf_span(&a->question)) &&
	       !worker_read(a->doc, buf_span(&a->answer), out);
}

bool ask_load(struct asked *a, enum worker_kind kind, const char *name,
	      struct span source, int deadline_ms, struct worker_reply *out)
{
	struct worker_load m = { .kind = kind,
				 .name = span_str(name),
				 .source = source };
	buf_clear(&a->question);
	worker_ask_load(&a->question, 1, &m);
	return asked_answer(a, deadline_ms, out);
}

void ask_load_shipped(struct asked *a, enum worker_kind kind, const char *name,
		      const char *path)
{
	struct span source = read_script(path);
	struct worker_reply r;
	assert_true(ask_load(a, kind, name, source, 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	free((void *)source.at);
}

bool ask_choose(struct asked *a, const struct worker_choose *m, int deadline_ms,
		struct worker_reply *out)
{
	buf_clear(&a->question);
	worker_ask_choose(&a->question, 2, m);
	return asked_answer(a, deadline_ms, out);
}

struct worker_choose choose_at(const char *personality,
			       const struct ruleset *rs,
			       const struct position *pos,
			       struct asking_texts *texts)
{
	size_t rules = ruleset_write(rs, texts->ruleset);
	size_t len = game_write(rs, pos, texts->position);
	return (struct worker_choose){
		.personality = span_str(personality),
		.match = span_str("abcdefghij"),
		.ruleset = span_of(texts->ruleset, rules),
		.position = span_of(texts->position, len),
		.no_progress = 80,
		.repetition = 3,
		.seed = 1,
		.remaining_ms = 3000,
	};
}

/* ---- cases ------------------------------------------------------------- */

static const char *outcome_of(const struct worker_reply *r)
{
	if (!r->err)
		return "value";
	if (r->err != PLYD_EWORKER)
		return plyd_err_name(r->err);
	struct span t = r->error.text;
	if (t.len > 15 && !memcmp(t.at, "used more steps", 15))
		return "steps";
	if (t.len > 16 && !memcmp(t.at, "used more memory", 16))
		return "memory";
	return "script";
}

const char *run_case(struct asked *a, const json_t *row, int deadline_ms,
		     struct worker_error *error)
{
	struct buf source;
	struct worker_reply r;
	buf_init(&source, WORKER_SOURCE_MAX);
	const char *file = json_string_value(json_object_get(row, "file"));
	if (file)
		buf_put_str(&source, file);
	else
		buf_printf(&source,
			   "return { name = \"case\", choose = "
			   "function(turn) %s\nend }",
			   vector_str(row, "lua"));
	bool answered = ask_load(a, WORKER_PERSONALITY, "case",
				 buf_span(&source), deadline_ms, &r);
	buf_release(&source);
	if (answered && !r.err) {
		struct ruleset rs;
		struct position pos;
		struct asking_texts texts;
		ruleset_find("english", 7, &rs);
		game_start(&rs, &pos);
		struct worker_choose m = choose_at("case", &rs, &pos, &texts);
		answered = ask_choose(a, &m, deadline_ms, &r);
	}
	if (!answered)
		return "killed";
	*error = r.error;
	return outcome_of(&r);
}

const char *judge_case(const json_t *row, const char *outcome,
		       const struct worker_error *error)
{
	static char wrong[1024];
	const char *id = vector_str(row, "id");
	if (strcmp(outcome, vector_str(row, "outcome")) != 0) {
		snprintf(wrong, sizeof(wrong), "%s: %s, not %s: %.*s", id,
			 outcome, vector_str(row, "outcome"),
			 error ? (int)error->text.len : 0,
			 error ? (const char *)error->text.at : "");
		return wrong;
	}
	const char *text = json_string_value(json_object_get(row, "text"));
	if (text &&
	    !memmem(error->text.at, error->text.len, text, strlen(text))) {
		snprintf(wrong, sizeof(wrong), "%s: says: %.*s", id,
			 (int)error->text.len, (const char *)error->text.at);
		return wrong;
	}
	const json_t *line = json_object_get(row, "line");
	if (line && json_integer_value(line) != error->line) {
		snprintf(wrong, sizeof(wrong), "%s: line %lld", id,
			 (long long)error->line);
		return wrong;
	}
	return NULL;
}

struct span read_script(const char *path)
{
	char full[512];
	snprintf(full, sizeof(full), "%s/%s", SCRIPTS_DIR, path);
	FILE *in = fopen(full, "r");
	uint8_t *bytes = malloc(WORKER_SOURCE_MAX);
	if (!in || !bytes)
		abort();
	size_t len = fread(bytes, 1, WORKER_SOURCE_MAX, in);
	fclose(in);
	return span_of(bytes, len);
}
