/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "peer.h"

static void stall(unsigned ms)
{
	uint64_t until = net_now_ms() + ms;
	while (net_now_ms() < until)
		;
}

static void an_idle_loop_ends_and_closes(void **state)
{
	struct net *n;
	(void)state;
	assert_int_equal(net_new(&n), PLYD_OK);
	net_run(n);
	assert_int_equal(net_free(n), PLYD_OK);
	assert_int_equal(net_free(NULL), PLYD_OK);
}

/* Case UV-12: time is the monotonic clock's. */
static void now_is_the_monotonic_clock(void **state)
{
	struct timespec t;
	(void)state;
	uint64_t before = net_now_ms();
	clock_gettime(CLOCK_MONOTONIC, &t);
	uint64_t ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
	uint64_t after = net_now_ms();
	assert_in_range(ms, before, after);
}

/* ---- timers ------------------------------------------------------------ */

struct clockwork {
	struct net *net;
	struct net_timer *first, *second;
	uint64_t started_ms, fired_ms;
	int firsts, seconds;
};

static void clockwork_new(void (*first)(void *payload),
			  void (*second)(void *payload), struct clockwork *c)
{
	memset(c, 0, sizeof(*c));
	net_new(&c->net);
	c->first = net_timer_new(c->net, first, c);
	c->second = net_timer_new(c->net, second, c);
}

static void note_second(void *payload)
{
	struct clockwork *c = payload;
	c->seconds++;
	c->fired_ms = net_now_ms();
}

static void stall_and_start_second(void *payload)
{
	struct clockwork *c = payload;
	stall(100);
	c->started_ms = net_now_ms();
	net_timer_start(c->second, 60);
}

/* Case UV-10. */
static void a_timer_after_a_stall_is_not_early(void **state)
{
	struct clockwork c;
	(void)state;
	clockwork_new(stall_and_start_second, note_second, &c);
	net_timer_start(c.first, 1);
	net_run(c.net);
	assert_int_equal(c.seconds, 1);
	assert_true(c.fired_ms - c.started_ms >= 60);
	net_timer_free(c.first);
	net_timer_free(c.second);
	assert_int_equal(net_free(c.net), PLYD_OK);
}

static void stop_second(void *payload)
{
	struct clockwork *c = payload;
	c->firsts++;
	net_timer_stop(c->second);
}

static void a_timer_that_is_due_can_be_stopped(void **state)
{
	struct clockwork c;
	(void)state;
	clockwork_new(stop_second, note_second, &c);
	net_timer_start(c.first, 5);
	net_timer_start(c.second, 5);
	stall(20);
	net_run(c.net);
	assert_int_equal(c.firsts, 1);
	assert_int_equal(c.seconds, 0);
	assert_int_equal(net_free(c.net), PLYD_OK); /* frees both timers */
}

/* Each starts itself again at once; the loop ends with the last of them. */
static void again_at_once(void *payload)
{
	struct clockwork *c = payload;
	if (c->firsts++ < 1000)
		net_timer_start(c->first, 0);
}

/* Case UV-10, the other side: what need not wait does not wait for a
 * millisecond, and lets the others have their turn. */
static void a_timer_at_once_is_called_by_the_next_turn(void **state)
{
	struct clockwork c;
	(void)state;
	clockwork_new(again_at_once, note_second, &c);
	net_timer_start(c.first, 0);
	net_timer_start(c.second, 0);
	assert_int_equal(c.firsts + c.seconds, 0);
	net_run(c.net);
	assert_int_equal(c.firsts, 1001);
	assert_int_equal(c.seconds, 1);
	net_timer_free(c.first);
	net_timer_free(c.second);
	assert_int_equal(net_free(c.net), PLYD_OK);
}

static void stop_second_and_start_it(void *payload)
{
	struct clockwork *c = payload;
	net_timer_stop(c->second);
	net_timer_start(c->second, 0);
	assert_int_equal(c->seconds, 0);
	c->firsts++;
}

/* It is in the list of those that are called, and then in the next one. */
static void a_timer_that_is_called_next_can_be_moved(void **state)
{
	struct clockwork c;
	(void)state;
	clockwork_new(stop_second_and_start_it, note_second, &c);
	net_timer_start(c.first, 0);
	net_timer_start(c.second, 0);
	net_run(c.net);
	assert_int_equal(c.firsts, 1);
	assert_int_equal(c.seconds, 1);
	assert_int_equal(net_free(c.net), PLYD_OK);
}

static void free_both(void *payload)
{
	struct clockwork *c = payload;
	c->firsts++;
	net_timer_free(c->second);
	net_timer_free(c->first);
}

static void a_timer_may_free_itself_and_others(void **state)
{
	struct clockwork c;
	(void)state;
	clockwork_new(free_both, note_second, &c);
	net_timer_start(c.first, 1);
	net_timer_start(c.second, 1);
	stall(10);
	net_run(c.net);
	assert_int_equal(c.firsts, 1);
	assert_int_equal(c.seconds, 0);
	assert_int_equal(net_free(c.net), PLYD_OK);
}

static void note_order(struct peer *p, struct span bytes)
{
	struct clockwork *c = ((struct bench *)p->test)->client.test;
	(void)bytes;
	c->firsts = c->seconds ? -1 : 1; /* bytes came first */
	net_stop(c->net);
}

/* DESIGN: flags are tested after sockets were read. */
static void bytes_that_came_in_time_beat_the_timer(void **state)
{
	struct bench b;
	struct clockwork c = { 0 };
	(void)state;
	assert_true(bench_open(&b));
	int fd = raw_connect(&b);
	bench_run(&b, 30);
	c.net = b.net;
	c.second = net_timer_new(b.net, note_second, &c);
	b.client.test = &c;
	b.server.bytes = note_order;
	net_timer_start(c.second, 10);
	assert_int_equal(send(fd, "move", 4, 0), 4);
	stall(40); /* now both are due */
	bench_run(&b, 1000);
	assert_int_equal(c.firsts, 1);
	close(fd);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* ---- wakes and signals ------------------------------------------------- */

struct waking {
	struct net *net;
	int wanted, seen; /* wanted is the other thread's until seen */
	int calls;
	pthread_mutex_t lock;
};

enum { WAKES = 1000 };

static void on_wake(void *payload)
{
	struct waking *w = payload;
	pthread_mutex_lock(&w->lock);
	w->seen = w->wanted;
	pthread_mutex_unlock(&w->lock);
	w->calls++;
	if (w->seen == WAKES)
		net_on_wake(w->net, NULL, NULL);
}

static void *wake_often(void *payload)
{
	struct waking *w = payload;
	for (int i = 1; i <= WAKES; i++) {
		pthread_mutex_lock(&w->lock);
		w->wanted = i;
		pthread_mutex_unlock(&w->lock);
		net_wake(w->net);
	}
	return NULL;
}

static void a_wake_from_another_thread_arrives(void **state)
{
	struct waking w = { .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t thread;
	(void)state;
	assert_int_equal(net_new(&w.net), PLYD_OK);
	net_on_wake(w.net, on_wake, &w);
	assert_int_equal(pthread_create(&thread, NULL, wake_often, &w), 0);
	net_run(w.net); /* ends when the callback is taken away */
	pthread_join(thread, NULL);
	assert_int_equal(w.seen, WAKES);
	assert_in_range(w.calls, 1, WAKES);
	assert_int_equal(net_free(w.net), PLYD_OK);
}

struct signalled {
	struct net *net;
	int numbers[4], count;
};

static void on_signal(void *payload, int number)
{
	struct signalled *s = payload;
	s->numbers[s->count++ % 4] = number;
	net_stop(s->net);
}

static void idle(void *payload)
{
	(void)payload;
}

static void signals_are_told_by_number(void **state)
{
	static const int numbers[] = { SIGTERM, SIGHUP, SIGINT };
	struct signalled s = { 0 };
	(void)state;
	assert_int_equal(net_new(&s.net), PLYD_OK);
	assert_int_equal(net_on_signal(s.net, on_signal, &s), PLYD_OK);
	net_on_wake(s.net, idle, NULL); /* keeps the loop */
	for (int i = 0; i < 3; i++) {
		raise(numbers[i]);
		net_run(s.net);
		assert_int_equal(s.numbers[i], numbers[i]);
	}
	assert_int_equal(s.count, 3);
	assert_int_equal(net_free(s.net), PLYD_OK);
}

/* Whatever is open when the loop is freed. */
static void a_busy_loop_is_freed_whole(void **state)
{
	struct bench b;
	(void)state;
	assert_true(bench_open(&b));
	assert_true(bench_dial(&b));
	int fd = raw_connect(&b);
	bench_run(&b, 50);
	assert_int_equal(b.accepted, 2);
	net_timer_start(b.limit, 1000);
	struct conn *late;
	struct peer dialling;
	peer_init(&dialling, &b);
	assert_int_equal(net_connect(b.net, "localhost", b.port,
				     &peer_callbacks, &dialling, &late),
			 PLYD_OK);
	assert_int_equal(net_free(b.net), PLYD_OK);
	assert_int_equal(b.client.closes, 1);
	assert_int_equal(b.client.end, CONN_END_ABORTED);
	assert_int_equal(b.server.closes, 2);
	assert_int_equal(dialling.closes, 1);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_loop_ends_and_closes),
		cmocka_unit_test(now_is_the_monotonic_clock),
		cmocka_unit_test(a_timer_after_a_stall_is_not_early),
		cmocka_unit_test(a_timer_that_is_due_can_be_stopped),
		cmocka_unit_test(a_timer_at_once_is_called_by_the_next_turn),
		cmocka_unit_test(a_timer_that_is_called_next_can_be_moved),
		cmocka_unit_test(a_timer_may_free_itself_and_others),
		cmocka_unit_test(bytes_that_came_in_time_beat_the_timer),
		cmocka_unit_test(a_wake_from_another_thread_arrives),
		cmocka_unit_test(signals_are_told_by_number),
		cmocka_unit_test(a_busy_loop_is_freed_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
