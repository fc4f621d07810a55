/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <signal.h>

#include "net/child.h"
#include "peer.h"

struct spawned {
	struct net *net;
	struct net_timer *limit;
	struct child *child;
	struct buf got;
	int exits, status, signal;
	char why[NET_WHY_MAX];
};

static void on_bytes(void *payload, struct child *c, struct span bytes)
{
	struct spawned *s = payload;
	(void)c;
	buf_put(&s->got, bytes.at, bytes.len);
}

static void on_exit_told(void *payload, struct child *c, int status, int signal)
{
	struct spawned *s = payload;
	(void)c;
	s->exits++;
	s->status = status;
	s->signal = signal;
	s->child = NULL;
	net_stop(s->net);
}

static void on_limit(void *payload)
{
	net_stop(((struct spawned *)payload)->net);
}

static int spawn_path(struct spawned *s, const char *path, const char *script)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	struct child_options options = { .path = path,
					 .argv = argv,
					 .on_bytes = on_bytes,
					 .on_exit = on_exit_told,
					 .payload = s };
	memset(s, 0, sizeof(*s));
	buf_init(&s->got, PEER_GOT_MAX);
	assert_int_equal(net_new(&s->net), PLYD_OK);
	s->limit = net_timer_new(s->net, on_limit, s);
	return child_spawn(s->net, &options, &s->child, s->why);
}

static void spawn(struct spawned *s, const char *script)
{
	assert_int_equal(spawn_path(s, "/bin/sh", script), PLYD_OK);
}

/* Runs until it has exited, or for ms at the most. */
static void run(struct spawned *s, unsigned ms)
{
	net_timer_start(s->limit, ms);
	net_run(s->net);
	net_timer_stop(s->limit);
}

static void release(struct spawned *s)
{
	net_timer_free(s->limit);
	assert_int_equal(net_free(s->net), PLYD_OK);
	buf_release(&s->got);
}

static struct life {
	const char *name;
	const char *script;
	const char *got;
	int status, signal;
} lives[] = {
	{ "exits by itself", "exit 7", "", 7, 0 },
	{ "dies of a signal", "kill -9 $$", "", 0, SIGKILL },
	{ "crashes after its last words", "printf bye >&3; kill -11 $$", "bye",
	  0, SIGSEGV },
	{ "its standard input is empty", "cat; printf done >&3", "done", 0, 0 },
	{ "its standard output goes nowhere", "echo lost; printf x >&3", "x", 0,
	  0 },
	{ "closes its socket, and is not waited for",
	  "exec 3>&-; exec sleep 30", "", 0, SIGKILL },
	{ "leaves a child that holds the socket",
	  "sleep 4 2>/dev/null & printf x >&3; exit 5", "x", 5, 0 },
	{ "has no descriptor of ours but the four",
	  "for i in 4 5 6 7 8 9; do"
	  " [ -e /proc/$$/fd/$i ] && printf '%s ' $i >&3; done; exit 0",
	  "", 0, 0 },
};

static void child_lives(void **state)
{
	const struct life *life = *state;
	struct spawned s;
	spawn(&s, life->script);
	run(&s, 5000);
	assert_int_equal(s.exits, 1);
	assert_int_equal(s.status, life->status);
	assert_int_equal(s.signal, life->signal);
	assert_true(span_is(buf_span(&s.got), life->got));
	release(&s);
}

static void a_child_answers_and_reads_the_end(void **state)
{
	struct spawned s;
	(void)state;
	spawn(&s, "exec cat <&3 >&3");
	assert_true(child_pid(s.child) > 0);
	assert_int_equal(child_send(s.child, span_str("to ")), PLYD_OK);
	assert_int_equal(child_send(s.child, span_str("and fro")), PLYD_OK);
	run(&s, 100);
	assert_true(span_is(buf_span(&s.got), "to and fro"));
	child_close(s.child);
	run(&s, 5000);
	assert_int_equal(s.exits, 1);
	assert_int_equal(s.status, 0);
	assert_int_equal(s.signal, 0);
	release(&s);
}

static void a_child_that_does_not_read_has_a_full_queue(void **state)
{
	static const uint8_t piece[10000];
	struct spawned s;
	int err = PLYD_OK, sent = 0;
	(void)state;
	spawn(&s, "exec sleep 30");
	child_set_queue_max(s.child, 100000);
	for (; !err && sent < 1000; sent++) {
		err = child_send(s.child, span_of(piece, sizeof(piece)));
		run(&s, 1);
	}
	assert_int_equal(err, PLYD_ESLOW);
	child_kill(s.child);
	child_kill(s.child);
	run(&s, 5000);
	assert_int_equal(s.exits, 1);
	assert_int_equal(s.signal, SIGKILL);
	release(&s);
}

static void freeing_the_loop_kills_and_tells(void **state)
{
	struct spawned s;
	(void)state;
	spawn(&s, "exec sleep 30");
	run(&s, 20);
	release(&s);
	assert_int_equal(s.exits, 1);
	assert_int_equal(s.signal, SIGKILL);
}

static void a_missing_program_is_named(void **state)
{
	struct spawned s;
	(void)state;
	assert_int_equal(spawn_path(&s, "/nowhere/plyd-script", ""), PLYD_EIO);
	assert_string_equal(s.why, "cannot start '/nowhere/plyd-script': "
				   "no such file or directory");
	run(&s, 50);
	assert_int_equal(s.exits, 0);
	release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_answers_and_reads_the_end),
		cmocka_unit_test(a_child_that_does_not_read_has_a_full_queue),
		cmocka_unit_test(freeing_the_loop_kills_and_tells),
		cmocka_unit_test(a_missing_program_is_named),
	};
	int failed = RUN_TABLE("lives", lives, child_lives);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
