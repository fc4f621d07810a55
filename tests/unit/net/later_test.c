/* SPDX-License-Identifier: MIT
 * What is sent to many at once leaves in slices, and others go before it. */
#include "unit.h"

#include <sys/ioctl.h>

#include "peer.h"

enum { CROWD = 100, LAST = CROWD - 1, SLICE_MAX = 32, SETTLE_MS = 100 };

/* A listener's connections, and the plain sockets at their other ends. */
struct crowd {
	struct bench bench;
	struct conn *conn[CROWD];
	int count, ended;
	int fd[CROWD];
	/* at the turn before, and the most in one turn */
	int had, most;
	/* of the crowd, when the last one had something */
	int before_last;
};

static void on_bytes(void *payload, struct conn *c, struct span bytes)
{
	(void)payload, (void)c, (void)bytes;
}

static void on_closed(void *payload, struct conn *c, enum conn_end end,
		      const char *detail)
{
	struct crowd *crowd = payload;
	(void)c, (void)end, (void)detail;
	crowd->ended++;
}

static const struct conn_callbacks callbacks = {
	.on_bytes = on_bytes,
	.on_closed = on_closed,
};

static void on_accept(void *payload, struct conn *c)
{
	struct crowd *crowd = payload;
	crowd->conn[crowd->count++] = c;
	conn_set_callbacks(c, &callbacks, crowd);
}

/* Accepted one after another, so that conn[i] is the other end of fd[i]. */
static void crowd_open(struct crowd *c)
{
	memset(c, 0, sizeof(*c));
	assert_true(bench_open_for(&c->bench, on_accept, c));
	c->before_last = -1;
	for (int i = 0; i < CROWD; i++)
		c->fd[i] = raw_connect(&c->bench);
	bench_run(&c->bench, SETTLE_MS);
	assert_int_equal(c->count, CROWD);
}

static void crowd_close(struct crowd *c)
{
	net_on_turn(c->bench.net, NULL, NULL);
	for (int i = 0; i < CROWD; i++)
		close(c->fd[i]);
	assert_int_equal(bench_close(&c->bench), PLYD_OK);
	assert_int_equal(c->ended, CROWD);
}

static bool has_bytes(int fd)
{
	int count = 0;
	return !ioctl(fd, FIONREAD, &count) && count > 0;
}

static void look(void *payload)
{
	struct crowd *c = payload;
	int have = 0;
	for (int i = 0; i < LAST; i++)
		have += has_bytes(c->fd[i]);
	if (have - c->had > c->most)
		c->most = have - c->had;
	c->had = have;
	if (c->before_last < 0 && has_bytes(c->fd[LAST]))
		c->before_last = have;
}

static void a_crowd_keeps_nobody_waiting(void **state)
{
	struct crowd c;
	(void)state;
	crowd_open(&c);
	for (int i = 0; i < LAST; i++)
		assert_int_equal(conn_send_later(c.conn[i], span_str("w")),
				 PLYD_OK);
	assert_int_equal(conn_send(c.conn[LAST], span_str("p")), PLYD_OK);
	net_on_turn(c.bench.net, look, &c);
	bench_run(&c.bench, SETTLE_MS);
	assert_in_range(c.before_last, 0, SLICE_MAX);
	assert_in_range(c.most, 1, SLICE_MAX);
	assert_int_equal(c.had, LAST); /* nobody is forgotten */
	crowd_close(&c);
}

static void read_is(int fd, const char *want, bool want_end)
{
	struct buf got;
	bool ended;
	buf_init(&got, 64);
	raw_read(fd, &got, &ended);
	assert_true(span_is(buf_span(&got), want));
	assert_int_equal(ended, want_end);
	buf_release(&got);
}

static void a_connections_order_is_kept(void **state)
{
	struct crowd c;
	(void)state;
	crowd_open(&c);
	conn_send_later(c.conn[0], span_str("ab"));
	conn_send(c.conn[0], span_str("cd"));
	conn_send_later(c.conn[0], span_str("ef"));
	conn_send_later(c.conn[1], span_str("last"));
	conn_close(c.conn[1]);
	conn_send_later(c.conn[2], span_str("lost"));
	conn_abort(c.conn[2]);
	conn_send_later(c.conn[3], span_str("12"));
	conn_send_later(c.conn[3], span_str("34"));
	/* one who goes while he waits behind several slices */
	for (int i = 4; i < CROWD; i++)
		conn_send_later(c.conn[i], span_str("w"));
	conn_abort(c.conn[LAST]);
	bench_run(&c.bench, SETTLE_MS);
	read_is(c.fd[0], "abcdef", false);
	read_is(c.fd[1], "last", true);
	read_is(c.fd[2], "", true);
	read_is(c.fd[3], "1234", false);
	read_is(c.fd[LAST - 1], "w", false);
	read_is(c.fd[LAST], "", true);
	crowd_close(&c);
}

/* With the loop at rest: what is left is not forgotten until something else
 * happens. */
static void a_sleeping_loop_goes_on(void **state)
{
	struct crowd c;
	(void)state;
	crowd_open(&c);
	for (int i = 0; i < CROWD; i++)
		conn_send_later(c.conn[i], span_str("w"));
	/* its timer alone would make for one slice more */
	bench_run(&c.bench, SETTLE_MS);
	for (int i = 0; i < CROWD; i++)
		read_is(c.fd[i], "w", false);
	crowd_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crowd_keeps_nobody_waiting),
		cmocka_unit_test(a_connections_order_is_kept),
		cmocka_unit_test(a_sleeping_loop_goes_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
