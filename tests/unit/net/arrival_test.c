/* SPDX-License-Identifier: MIT
 * What many send at once is read first and handled then: each byte to its owner,
 * in order, before the end of its stream, and none to one who has ended. */
#include "unit.h"

#include "peer.h"

/* More than are handled together; as much as one read takes, and more. */
enum { CROWD = 40, LONG_BYTES = 3 * CONN_READ_MAX + 77, SETTLE_MS = 200 };

struct crowd;
struct member {
	struct crowd *crowd;
	struct conn *conn; /* NULL once it has ended */
	int fd;
	int soon; /* told of, and not yet given */
	struct buf got;
	bool eof;
};

struct crowd {
	struct bench bench;
	struct member member[CROWD];
	int count, ended;
	int reads;
	int told, told_most; /* who were told and not yet given, at the most */
	int untold;          /* reads that nobody was told of */
	int late;            /* bytes after an end */
	bool greedy; /* the first to be given something ends all others */
};

static void on_soon(void *payload, struct conn *c)
{
	struct member *m = payload;
	struct crowd *crowd = m->crowd;
	(void)c;
	m->soon++;
	if (++crowd->told > crowd->told_most)
		crowd->told_most = crowd->told;
}

static void on_bytes(void *payload, struct conn *c, struct span bytes)
{
	struct member *m = payload;
	struct crowd *crowd = m->crowd;
	crowd->reads++;
	crowd->untold += m->soon != 1;
	crowd->late += m->eof || m->conn != c;
	m->soon = 0;
	crowd->told--;
	buf_put(&m->got, bytes.at, bytes.len);
	for (int i = 0; crowd->greedy && i < CROWD; i++)
		if (&crowd->member[i] != m)
			conn_abort(crowd->member[i].conn);
	crowd->greedy = false;
}

static void on_eof(void *payload, struct conn *c)
{
	struct member *m = payload;
	m->eof = true;
	conn_close(c);
}

static void on_closed(void *payload, struct conn *c, enum conn_end end,
		      const char *detail)
{
	struct member *m = payload;
	(void)c, (void)end, (void)detail;
	m->conn = NULL;
	m->crowd->ended++;
}

static const struct conn_callbacks callbacks = {
	.on_soon = on_soon,
	.on_bytes = on_bytes,
	.on_eof = on_eof,
	.on_closed = on_closed,
};

static void on_accept(void *payload, struct conn *c)
{
	struct crowd *crowd = payload;
	struct member *m = &crowd->member[crowd->count++];
	m->conn = c;
	conn_set_callbacks(c, &callbacks, m);
}

/* Accepted one after another, so that each has the other end of its fd. */
static void crowd_open(struct crowd *c)
{
	memset(c, 0, sizeof(*c));
	assert_true(bench_open_for(&c->bench, on_accept, c));
	for (int i = 0; i < CROWD; i++) {
		struct member *m = &c->member[i];
		m->crowd = c;
		buf_init(&m->got, LONG_BYTES);
		m->fd = raw_connect(&c->bench);
	}
	bench_run(&c->bench, SETTLE_MS);
	assert_int_equal(c->count, CROWD);
}

static void crowd_close(struct crowd *c)
{
	for (int i = 0; i < CROWD; i++) {
		close(c->member[i].fd);
		buf_release(&c->member[i].got);
	}
	assert_int_equal(bench_close(&c->bench), PLYD_OK);
	assert_int_equal(c->ended, CROWD);
}

/* What the nth sends: no two the same. */
static size_t text_of(int n, char *out, size_t len)
{
	for (size_t at = 0; at < len; at++)
		out[at] = (char)(n * 131 + (int)(at * 2654435761u >> 13));
	return len;
}

static size_t send_text(const struct crowd *c, int n, size_t len)
{
	static char text[LONG_BYTES];
	text_of(n, text, len);
	ssize_t sent = send(c->member[n].fd, text, len, MSG_DONTWAIT);
	assert_true(sent > 0);
	return (size_t)sent;
}

static void assert_got(const struct crowd *c, int n, size_t len)
{
	static char text[LONG_BYTES];
	text_of(n, text, len);
	assert_int_equal(c->member[n].got.len, len);
	assert_memory_equal(c->member[n].got.at, text, len);
}

static void all_are_told_before_one_is_given(void **state)
{
	struct crowd c;
	(void)state;
	crowd_open(&c);
	for (int i = 0; i < CROWD; i++)
		send_text(&c, i, (size_t)i + 1);
	bench_run(&c.bench, SETTLE_MS);
	for (int i = 0; i < CROWD; i++)
		assert_got(&c, i, (size_t)i + 1);
	assert_int_equal(c.untold, 0);
	assert_int_equal(c.told, 0);
	assert_in_range(c.told_most, 2, CROWD - 1);
	crowd_close(&c);
}

/* Some fill a read, or all the room there is for what has arrived. */
static void each_gets_his_own_bytes(void **state)
{
	struct crowd c;
	static const size_t len[] = { LONG_BYTES, 50 };
	size_t sent[CROWD];
	(void)state;
	crowd_open(&c);
	for (int i = 0; i < CROWD; i++)
		sent[i] = send_text(&c, i,
				    i < CROWD / 2 ? CONN_READ_MAX - 1
						  : len[i % 2]);
	bench_run(&c.bench, SETTLE_MS);
	for (int i = 0; i < CROWD; i++)
		assert_got(&c, i, sent[i]);
	assert_true(sent[CROWD / 2] > CONN_READ_MAX);
	assert_int_equal(c.untold, 0);
	crowd_close(&c);
}

static void bytes_come_before_the_end_of_their_stream(void **state)
{
	struct crowd c;
	(void)state;
	crowd_open(&c);
	for (int i = 0; i < CROWD; i++) {
		send_text(&c, i, 50);
		if (i % 2)
			shutdown(c.member[i].fd, SHUT_WR);
		else /* the loop hears of both at once */
			raw_reset(c.member[i].fd);
	}
	bench_run(&c.bench, SETTLE_MS);
	for (int i = 0; i < CROWD; i++) {
		assert_got(&c, i, 50);
		assert_true(c.member[i].eof);
		if (i % 2 == 0)
			c.member[i].fd = -1;
	}
	assert_int_equal(c.late, 0);
	crowd_close(&c);
}

static void who_has_ended_is_given_nothing(void **state)
{
	struct crowd c;
	(void)state;
	crowd_open(&c);
	c.greedy = true;
	for (int i = 0; i < CROWD; i++)
		send_text(&c, i, 50);
	bench_run(&c.bench, SETTLE_MS);
	assert_int_equal(c.reads, 1);
	assert_int_equal(c.late, 0);
	assert_int_equal(c.ended, CROWD - 1);
	crowd_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_told_before_one_is_given),
		cmocka_unit_test(each_gets_his_own_bytes),
		cmocka_unit_test(bytes_come_before_the_end_of_their_stream),
		cmocka_unit_test(who_has_ended_is_given_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
