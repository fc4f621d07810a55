/* SPDX-License-Identifier: MIT
 * The real program, as it is shipped, in a process of its own: every case of
 * sandbox.jsonl with a deadline, what is left of the process's rights, and its
 * end. */
#include "asking.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

/* Long, since the machine may be busy; only the outcome counts. */
enum { DEADLINE_MS = 30000, BOMB_DEADLINE_MS = 400 };

static double now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool ping(struct asked *a)
{
	struct worker_reply r;
	buf_clear(&a->question);
	worker_ask_ping(&a->question, 7);
	bool yes = false;
	return asked_answer(a, DEADLINE_MS, &r) && !r.err && r.id == 7 &&
	       !value_bool(r.result, &yes) && yes;
}

/* ---- cases ------------------------------------------------------------- */

/* The worker in use; a case that it does not survive gets a fresh one. */
static const char *case_holds(const json_t *row, void *payload)
{
	struct asked *a = payload;
	struct worker_error error = { .line = 0 };
	bool is_bomb = !strcmp(vector_str(row, "outcome"), "killed");
	const char *outcome =
		run_case(a, row, is_bomb ? BOMB_DEADLINE_MS : DEADLINE_MS,
			 &error);
	const char *wrong = judge_case(row, outcome, &error);
	if (strcmp(outcome, "killed") != 0)
		return !wrong && !ping(a) ? "no ping afterwards" : wrong;
	int status = asked_kill(a);
	if (!asked_spawn(a) || !ping(a))
		return "no fresh worker afterwards";
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		return "it had died before the deadline";
	return wrong;
}

static void cases_hold(void **state)
{
	(void)state;
	struct asked a;
	assert_true(asked_spawn(&a));
	size_t failed =
		vectors_run("unit/script/sandbox.jsonl", case_holds, &a);
	asked_kill(&a);
	assert_int_equal(failed, 0);
}

/* ---- what the process may -------------------------------------------- */

static long status_number(long pid, const char *key)
{
	char path[64];
	char line[256];
	long value = -1;
	snprintf(path, sizeof(path), "/proc/%ld/status", pid);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			value = strtol(line + strlen(key), NULL, 10);
	fclose(f);
	return value;
}

static void rights_are_gone(void **state)
{
	(void)state;
	struct asked a;
	assert_true(asked_spawn(&a));
	assert_true(ping(&a));
	assert_int_equal(status_number(a.pid, "NoNewPrivs:"), 1);
	assert_int_equal(status_number(a.pid, "Seccomp:"), 2);
	asked_kill(&a);
}

/* ---- ends -------------------------------------------------------------- */

static int wait_for(long pid, int limit_ms)
{
	int status = -1;
	for (int i = 0; i < limit_ms; i++) {
		if (waitpid((pid_t)pid, &status, WNOHANG) == pid)
			return status;
		usleep(1000);
	}
	return -1;
}

static void ends_with_its_link(void **state)
{
	(void)state;
	struct asked a;
	assert_true(asked_spawn(&a));
	assert_true(ping(&a));
	shutdown(a.fd, SHUT_WR);
	int status = wait_for(a.pid, 5000);
	a.pid = 0; /* reaped */
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	asked_kill(&a);
}

static struct nonsense {
	const char *name;
	const char *bytes;
	size_t len;
} nonsenses[] = {
	{ "a byte that MessagePack has not", "\xc1", 1 },
	{ "not a request", "\x93\x01\x02\x03", 4 },
	{ "no such method", "\x94\x00\x01\xa4pong\x91\x80", 10 },
	{ "a giant array", "\xdd\xff\xff\xff\xff", 5 },
	{ "no fields", "\x94\x00\x01\xa4load\x91\x80", 10 },
};

static void ends_at_nonsense(void **state)
{
	const struct nonsense *n = *state;
	struct asked a;
	assert_true(asked_spawn(&a));
	assert_int_equal(write(a.fd, n->bytes, n->len), n->len);
	int status = wait_for(a.pid, 5000);
	a.pid = 0; /* reaped */
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
	asked_kill(&a);
}

/* A worker in the middle of a bomb, whose parent dies, dies too. */
static void dies_with_its_parent(void **state)
{
	(void)state;
	int pids[2];
	long worker = 0;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe(pids), 0);
	pid_t parent = fork();
	if (parent == 0) {
		struct asked a;
		struct worker_reply r;
		if (!asked_spawn(&a) || !ping(&a))
			_exit(1);
		ask_load(&a, WORKER_PERSONALITY, "bomb",
			 span_str("('a'):rep(9999):find('.-.-.-.-b')"), 100,
			 &r);
		worker = a.pid;
		_exit(write(pids[1], &worker, sizeof(worker)) < 0);
	}
	assert_int_equal(read(pids[0], &worker, sizeof(worker)),
			 sizeof(worker));
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	int status = wait_for(worker, 5000);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	close(pids[0]);
	close(pids[1]);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* ---- time -------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;
	return (x > y) - (x < y);
}

/* A choice of the first move of a game by this script. */
static bool choose(struct asked *a, const char *ruleset, const char *name)
{
	struct ruleset rs;
	struct position pos;
	struct asking_texts texts;
	struct worker_reply r;
	ruleset_find(ruleset, strlen(ruleset), &rs);
	game_start(&rs, &pos);
	struct worker_choose m = choose_at(name, &rs, &pos, &texts);
	m.remaining_ms = -1;
	return ask_choose(a, &m, DEADLINE_MS, &r) && !r.err;
}

static bool choose_first(struct asked *a)
{
	return choose(a, "english", "first");
}

static bool choose_steady(struct asked *a)
{
	return choose(a, "english", "steady");
}

enum { SAMPLES_MAX = 1000 };

static void sample(const char *what, struct asked *a,
		   bool (*question)(struct asked *), int samples)
{
	static double us[SAMPLES_MAX];
	for (int i = 0; i < samples; i++) {
		double start = now_us();
		assert_true(question(a));
		us[i] = now_us() - start;
	}
	qsort(us, (size_t)samples, sizeof(us[0]), by_value);
	printf("%s: min %.0f us, median %.0f us, p99 %.0f us\n", what, us[0],
	       us[samples / 2], us[samples * 99 / 100]);
}

static bool start_again(struct asked *a)
{
	if (a->fd >= 0)
		asked_kill(a);
	return asked_spawn(a) && ping(a);
}

/* Prints the figures; what it asserts is only that all of them worked. */
static void figures(void **state)
{
	(void)state;
	struct asked a = { .fd = -1 };
	struct worker_reply r;
	struct span steady = read_script("personalities/steady.lua");
	sample("end, spawn and first answer", &a, start_again, 15);
	sample("ping", &a, ping, SAMPLES_MAX);
	ask_load(&a, WORKER_PERSONALITY, "first",
		 span_str("return { name = 'first', choose = function(turn) "
			  "return turn.moves[1].move end }"),
		 DEADLINE_MS, &r);
	ask_load(&a, WORKER_PERSONALITY, "steady", steady, DEADLINE_MS, &r);
	sample("choose, the first move", &a, choose_first, SAMPLES_MAX);
	sample("choose, steady", &a, choose_steady, 5);
	printf("resident: %ld kB\n", status_number(a.pid, "VmRSS:"));
	asked_kill(&a);
	free((void *)steady.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_hold),
		cmocka_unit_test(rights_are_gone),
		cmocka_unit_test(ends_with_its_link),
		cmocka_unit_test(dies_with_its_parent),
		cmocka_unit_test(figures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) +
	       RUN_TABLE("nonsense", nonsenses, ends_at_nonsense);
}
