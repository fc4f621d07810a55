/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "net/watch.h"

struct watcher {
	struct net *net;
	struct net_watch *watch;
	int fd[2];
	int calls;
	int most; /* after so many it stops */
	bool frees;
};

static void on_called(void *payload)
{
	struct watcher *w = payload;
	char byte;
	if (w->fd[0] >= 0)
		(void)!read(w->fd[0], &byte, 1);
	if (++w->calls < w->most)
		return;
	if (w->frees)
		net_watch_free(w->watch);
	net_stop(w->net);
}

static void a_pipe_is_read_byte_by_byte(void **state)
{
	struct watcher w = { .most = 3 };
	(void)state;
	assert_int_equal(net_new(&w.net), 0);
	assert_int_equal(pipe(w.fd), 0);
	w.watch = net_watch_fd(w.net, w.fd[0], on_called, &w);
	assert_non_null(w.watch);
	assert_int_equal(fcntl(w.fd[0], F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(write(w.fd[1], "ab", 2), 2);
	close(w.fd[1]); /* its end is told, too */
	net_run(w.net);
	assert_int_equal(w.calls, 3);
	net_watch_free(w.watch);
	assert_int_equal(net_free(w.net), 0);
	close(w.fd[0]);
}

static void it_may_free_itself(void **state)
{
	struct watcher w = { .most = 1, .frees = true };
	(void)state;
	assert_int_equal(net_new(&w.net), 0);
	assert_int_equal(pipe(w.fd), 0);
	w.watch = net_watch_fd(w.net, w.fd[0], on_called, &w);
	assert_int_equal(write(w.fd[1], "ab", 2), 2);
	net_run(w.net);
	assert_int_equal(w.calls, 1);
	assert_int_equal(net_free(w.net), 0);
	close(w.fd[0]);
	close(w.fd[1]);
}

static void a_file_cannot_be_waited_for(void **state)
{
	struct net *net;
	FILE *file = tmpfile();
	(void)state;
	assert_non_null(file);
	assert_int_equal(net_new(&net), 0);
	assert_null(net_watch_fd(net, fileno(file), on_called, NULL));
	assert_int_equal(net_free(net), 0);
	fclose(file);
}

static void a_signal_is_told(void **state)
{
	struct watcher w = { .most = 1, .fd = { -1, -1 } };
	(void)state;
	assert_int_equal(net_new(&w.net), 0);
	w.watch = net_watch_signal(w.net, SIGWINCH, on_called, &w);
	assert_non_null(w.watch);
	assert_int_equal(raise(SIGWINCH), 0);
	net_run(w.net);
	assert_int_equal(w.calls, 1);
	assert_null(net_watch_signal(w.net, SIGKILL, on_called, &w));
	assert_int_equal(net_free(w.net), 0); /* frees the watch */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_is_read_byte_by_byte),
		cmocka_unit_test(it_may_free_itself),
		cmocka_unit_test(a_file_cannot_be_waited_for),
		cmocka_unit_test(a_signal_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
