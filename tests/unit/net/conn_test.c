/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "base/rng.h"
#include "peer.h"

/* Both ends of a connection through the loop; `client` is the dialled one. */
static void bench_connected(struct bench *b)
{
	assert_true(bench_open(b));
	assert_true(bench_dial(b));
	bench_run(b, 30);
	assert_int_equal(b->client.opened, 1);
	assert_non_null(b->server.conn);
}

/* The server's end of a plain socket. */
static int bench_raw(struct bench *b)
{
	assert_true(bench_open(b));
	int fd = raw_connect(b);
	bench_run(b, 20);
	assert_non_null(b->server.conn);
	return fd;
}

/* ---- sending ----------------------------------------------------------- */

static void many_small_sends_leave_in_few_writes(void **state)
{
	struct bench b;
	(void)state;
	bench_connected(&b);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(conn_send(b.client.conn,
					   span_str("0123456789")),
				 PLYD_OK);
	assert_int_equal(conn_queued(b.client.conn), 10000);
	bench_run(&b, 50);
	assert_int_equal(b.server.got.len, 10000);
	assert_in_range(b.server.reads, 1, 3);
	assert_int_equal(conn_queued(b.client.conn), 0);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void what_is_sent_while_dialling_is_not_lost(void **state)
{
	struct bench b;
	(void)state;
	assert_true(bench_open(&b));
	assert_true(bench_dial(&b));
	assert_int_equal(conn_send(b.client.conn, span_str("hello")), PLYD_OK);
	bench_run(&b, 50);
	assert_true(span_is(buf_span(&b.server.got), "hello"));
	assert_int_equal(bench_close(&b), PLYD_OK);
}

struct stream {
	struct rng rng;
	size_t sent, refused;
};

enum { STREAM_BYTES = 16 * 1024 * 1024 };

static uint8_t stream_byte(size_t at)
{
	return (uint8_t)(at * 2654435761u >> 13);
}

/* Sends pieces of all sizes until the queue is full. */
static void stream_more(struct bench *b, struct stream *s)
{
	uint8_t piece[30000];
	while (s->sent < STREAM_BYTES) {
		size_t len = rng_below(&s->rng, sizeof(piece));
		if (len > STREAM_BYTES - s->sent)
			len = STREAM_BYTES - s->sent;
		for (size_t at = 0; at < len; at++)
			piece[at] = stream_byte(s->sent + at);
		int err = conn_send(b->client.conn, span_of(piece, len));
		s->refused += err == PLYD_ESLOW;
		s->sent += err ? 0 : len;
		if (err)
			return;
	}
}

static void a_long_stream_arrives_whole(void **state)
{
	struct bench b;
	struct stream s = { 0 };
	(void)state;
	rng_seed(&s.rng, 7);
	bench_connected(&b);
	for (int turns = 0; turns < 5000 && b.server.got.len < STREAM_BYTES;
	     turns++) {
		stream_more(&b, &s);
		assert_true(conn_queued(b.client.conn) <= CONN_QUEUE_MAX);
		bench_run(&b, 1);
	}
	assert_int_equal(b.server.got.len, STREAM_BYTES);
	for (size_t at = 0; at < STREAM_BYTES; at++)
		if (b.server.got.at[at] != stream_byte(at))
			fail_msg("byte %zu differs", at);
	assert_true(s.refused > 0);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* ---- slow peers -------------------------------------------------------- */

/* Sends until it is refused; returns the bytes that were taken. */
static size_t fill(struct bench *b, int *err)
{
	static const uint8_t piece[4096];
	size_t sent = 0;
	while (!(*err = conn_send(b->server.conn,
				  span_of(piece, sizeof(piece)))) &&
	       sent < PEER_GOT_MAX)
		sent += sizeof(piece);
	return sent;
}

/* Case UV-06. */
static void a_queue_to_a_slow_reader_is_capped(void **state)
{
	struct bench b;
	struct buf got;
	size_t sent = 0;
	int err = PLYD_OK;
	bool eof;
	(void)state;
	int fd = bench_raw(&b);
	for (int i = 0; i < 20; i++) {
		sent += fill(&b, &err);
		assert_int_equal(err, PLYD_ESLOW);
		assert_true(conn_queued(b.server.conn) <= CONN_QUEUE_MAX);
		bench_run(&b, 5);
	}
	size_t stuck = conn_queued(b.server.conn);
	assert_in_range(stuck, CONN_QUEUE_MAX / 2, CONN_QUEUE_MAX);
	/* it reads again: nothing was lost, and there is room */
	buf_init(&got, PEER_GOT_MAX);
	for (int i = 0; i < 2000 && got.len < sent; i++) {
		raw_read(fd, &got, &eof);
		bench_run(&b, 1);
	}
	assert_int_equal(got.len, sent);
	assert_int_equal(conn_queued(b.server.conn), 0);
	assert_int_equal(conn_send(b.server.conn, span_str("x")), PLYD_OK);
	buf_release(&got);
	close(fd);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void answer_tenfold(struct peer *p, struct span bytes)
{
	for (int i = 0; i < 10; i++)
		if (conn_send(p->conn, bytes))
			p->closes += 1000; /* the queue did overflow */
}

/* Case UV-14. */
static void who_does_not_read_answers_is_not_read(void **state)
{
	static const uint8_t questions[2048];
	struct bench b;
	(void)state;
	int fd = bench_raw(&b);
	b.server.bytes = answer_tenfold;
	size_t asked = 0;
	for (int i = 0; i < 400; i++) {
		ssize_t n =
			send(fd, questions, sizeof(questions), MSG_DONTWAIT);
		asked += n > 0 ? (size_t)n : 0;
		bench_run(&b, 1);
	}
	assert_int_equal(b.server.closes, 0);
	size_t read = b.server.got.len;
	bench_run(&b, 50);
	assert_int_equal(b.server.got.len, read); /* it has stopped */
	assert_true(read < asked);
	/* it goes on when the answers are read */
	struct buf got;
	bool eof;
	buf_init(&got, PEER_GOT_MAX);
	for (int i = 0; i < 10000 && got.len < asked * 10; i++) {
		raw_read(fd, &got, &eof);
		bench_run(&b, 1);
	}
	assert_int_equal(got.len, asked * 10);
	assert_int_equal(b.server.closes, 0);
	buf_release(&got);
	close(fd);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* ---- ends -------------------------------------------------------------- */

static void refuse_frame(struct peer *p, struct span bytes)
{
	(void)bytes;
	conn_send(p->conn, span_str("closing"));
	conn_close(p->conn);
	conn_abort(p->conn); /* the idle timer, in the same turn */
	conn_abort(p->conn);
	conn_close(p->conn);
}

/* Case UV-01: an invalid frame, the idle timer and a reset in one turn. */
static void three_reasons_close_once(void **state)
{
	struct bench b;
	(void)state;
	int fd = bench_raw(&b);
	b.server.bytes = refuse_frame;
	assert_int_equal(send(fd, "bad", 3, 0), 3);
	raw_reset(fd);
	bench_run(&b, 50);
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(bench_close(&b), PLYD_OK);
	assert_int_equal(b.server.closes, 1);
}

/* Case UV-03. */
static void queued_writes_die_with_their_connection(void **state)
{
	struct bench b;
	int err;
	(void)state;
	int fd = bench_raw(&b);
	for (int i = 0; i < 50; i++) {
		fill(&b, &err);
		bench_run(&b, 1);
	}
	assert_true(conn_queued(b.server.conn) > 0);
	conn_abort(b.server.conn);
	assert_int_equal(conn_send(b.server.conn, span_str("x")), PLYD_EIO);
	bench_run(&b, 20);
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(b.server.end, CONN_END_ABORTED);
	close(fd);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* Case UV-07. */
static void writing_to_one_who_left_is_a_normal_end(void **state)
{
	struct bench b;
	(void)state;
	int fd = bench_raw(&b);
	raw_reset(fd);
	for (int i = 0; i < 3 && b.server.conn; i++) {
		conn_send(b.server.conn, span_str("moved"));
		conn_set_queue_max(b.server.conn, 5); /* so it is tried now */
		conn_send(b.server.conn, span_str("moved"));
		bench_run(&b, 10);
	}
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(b.server.end, CONN_END_ERROR);
	assert_true(strlen(b.server.detail) > 0);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void answer_late(void *payload)
{
	struct bench *b = payload;
	conn_send(b->server.conn, span_str("answer"));
	conn_close(b->server.conn);
}

static void wait_for_answer(struct peer *p)
{
	struct bench *b = p->test;
	net_timer_start(b->client.test, 30);
}

/* Case UV-09: the answer is still on its way from the store when the peer says
 * that it sends no more. */
static void a_half_closed_peer_gets_its_answer(void **state)
{
	struct bench b;
	struct buf got;
	bool eof = false;
	(void)state;
	int fd = bench_raw(&b);
	struct net_timer *answer = net_timer_new(b.net, answer_late, &b);
	b.client.test = answer;
	b.server.eof = wait_for_answer;
	assert_int_equal(send(fd, "last", 4, 0), 4);
	shutdown(fd, SHUT_WR);
	buf_init(&got, 100);
	bench_run(&b, 100);
	raw_read(fd, &got, &eof);
	assert_true(span_is(buf_span(&got), "answer"));
	assert_true(eof);
	assert_int_equal(b.server.eofs, 1);
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(b.server.end, CONN_END_PEER);
	buf_release(&got);
	close(fd);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* Case UV-09, the other peer. */
static void a_reset_closes_at_once(void **state)
{
	struct bench b;
	(void)state;
	int fd = bench_raw(&b);
	b.server.closed = stop_loop;
	raw_reset(fd);
	bench_run(&b, 1000);
	assert_int_equal(b.timeouts, 1); /* bench_raw()'s own */
	assert_int_equal(b.server.end, CONN_END_ERROR);
	assert_int_equal(b.server.eofs, 0);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* A peer that talks on must still be able to read why it was closed. */
static void the_last_words_survive_unread_bytes(void **state)
{
	static uint8_t noise[100000];
	struct bench b;
	struct buf got;
	bool eof = false;
	long n = 0;
	(void)state;
	int fd = bench_raw(&b);
	conn_send(b.server.conn, span_str("closing"));
	conn_close(b.server.conn);
	for (int i = 0; i < 5; i++) {
		send(fd, noise, sizeof(noise), MSG_DONTWAIT | MSG_NOSIGNAL);
		bench_run(&b, 10);
	}
	buf_init(&got, 100);
	n = raw_read(fd, &got, &eof);
	assert_int_equal(n, 7);
	assert_true(eof);
	assert_int_equal(b.server.closes, 0); /* it waits for our end */
	assert_int_equal(b.server.got.len, 0);
	close(fd);
	bench_run(&b, 50);
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(b.server.end, CONN_END_CLOSED);
	buf_release(&got);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* One who was not read because he did not read: once he does, all goes fast. */
static void closing_a_paused_peer_reads_him_away(void **state)
{
	static const uint8_t questions[2048];
	struct bench b;
	struct buf got;
	bool eof = false;
	(void)state;
	int fd = bench_raw(&b);
	b.server.bytes = answer_tenfold;
	for (int i = 0; i < 300; i++) {
		send(fd, questions, sizeof(questions), MSG_DONTWAIT);
		bench_run(&b, 1);
	}
	size_t answers = b.server.got.len * 10;
	conn_close(b.server.conn);
	buf_init(&got, PEER_GOT_MAX);
	for (int i = 0; i < 5000 && !eof; i++) {
		raw_read(fd, &got, &eof);
		bench_run(&b, 0);
	}
	assert_int_equal(got.len, answers);
	close(fd);
	bench_run(&b, 50); /* far less than it may take */
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(b.server.end, CONN_END_CLOSED);
	buf_release(&got);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void closing_does_not_wait_for_ever(void **state)
{
	struct bench b;
	int err;
	(void)state;
	int fd = bench_raw(&b);
	while (conn_queued(b.server.conn) < CONN_QUEUE_MAX / 2) {
		fill(&b, &err);
		bench_run(&b, 1);
	}
	b.server.closed = stop_loop;
	uint64_t since_ms = net_now_ms();
	conn_close(b.server.conn);
	bench_run(&b, 2 * CONN_FLUSH_MS);
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(b.server.end, CONN_END_STALLED);
	assert_in_range(net_now_ms() - since_ms, CONN_FLUSH_MS - 5,
			CONN_FLUSH_MS + 1000);
	close(fd);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void both_ends_may_close_at_once(void **state)
{
	struct bench b;
	(void)state;
	bench_connected(&b);
	conn_send(b.client.conn, span_str("bye"));
	conn_send(b.server.conn, span_str("bye"));
	conn_close(b.client.conn);
	conn_close(b.server.conn);
	bench_run(&b, 50);
	assert_int_equal(b.client.closes, 1);
	assert_int_equal(b.server.closes, 1);
	assert_int_equal(b.client.end, CONN_END_CLOSED);
	assert_int_equal(b.server.end, CONN_END_CLOSED);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* ---- dialling ---------------------------------------------------------- */

static void every_address_of_a_name_is_tried(void **state)
{
	struct bench b;
	(void)state;
	assert_true(bench_open(&b)); /* only on 127.0.0.1 */
	assert_int_equal(net_connect(b.net, "localhost", b.port,
				     &peer_callbacks, &b.client,
				     &b.client.conn),
			 PLYD_OK);
	bench_run(&b, 200);
	assert_int_equal(b.client.opened, 1);
	assert_int_equal(b.accepted, 1);
	assert_string_equal(conn_peer(b.client.conn) + 10, b.port);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void a_dial_may_come_from_another_address(void **state)
{
	struct bench b;
	(void)state;
	assert_true(bench_open(&b));
	assert_true(bench_dial(&b));
	conn_set_source(b.client.conn, 3);
	bench_run(&b, 100);
	assert_int_equal(b.client.opened, 1);
	assert_memory_equal(conn_peer(b.server.conn), "127.0.0.4:", 10);
	assert_string_equal(conn_peer(b.client.conn) + 10, b.port);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void a_far_dial_comes_from_where_it_must(void **state)
{
	struct bench b;
	struct listener_options options = { .host = "::1",
					    .port = "0",
					    .conns_max = 10,
					    .on_accept = bench_on_accept,
					    .payload = &b };
	(void)state;
	assert_true(bench_open(&b));
	listener_free(b.listener);
	if (net_listen(b.net, &options, &b.listener, b.why)) {
		bench_close(&b); /* a machine without IPv6 */
		skip();
	}
	snprintf(b.port, sizeof(b.port), "%u", listener_port(b.listener));
	assert_int_equal(net_connect(b.net, "::1", b.port, &peer_callbacks,
				     &b.client, &b.client.conn),
			 PLYD_OK);
	conn_set_source(b.client.conn, 3);
	bench_run(&b, 100);
	assert_int_equal(b.client.opened, 1);
	assert_memory_equal(conn_peer(b.server.conn), "[::1]:", 6);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void a_refused_dial_says_so(void **state)
{
	struct bench b;
	(void)state;
	assert_true(bench_open(&b));
	listener_free(b.listener);
	b.listener = NULL;
	bench_run(&b, 5);
	assert_true(bench_dial(&b));
	b.client.closed = stop_loop;
	bench_run(&b, 2000);
	assert_int_equal(b.client.opened, 0);
	assert_int_equal(b.client.closes, 1);
	assert_int_equal(b.client.end, CONN_END_UNREACHABLE);
	assert_string_equal(b.client.detail, "connection refused");
	assert_int_equal(bench_close(&b), PLYD_OK);
}

static void a_dial_may_be_given_up(void **state)
{
	struct bench b;
	(void)state;
	assert_true(bench_open(&b));
	assert_true(bench_dial(&b));
	conn_close(b.client.conn);
	assert_int_equal(conn_send(b.client.conn, span_str("x")), PLYD_EIO);
	bench_run(&b, 100);
	assert_int_equal(b.client.opened, 0);
	assert_int_equal(b.client.closes, 1);
	assert_int_equal(b.client.end, CONN_END_CLOSED);
	assert_int_equal(bench_close(&b), PLYD_OK);
}

/* ---- anything at all --------------------------------------------------- */

/* Random calls on both ends: every connection ends once, and all is freed. */
static void random_lives_all_end(void **state)
{
	static const uint8_t bytes[100000];
	struct rng rng;
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct bench b;
		rng_seed(&rng, seed);
		assert_true(bench_open(&b));
		assert_true(bench_dial(&b));
		for (int i = 0; i < 40; i++) {
			struct peer *p =
				rng_below(&rng, 2) ? &b.client : &b.server;
			uint32_t what = rng_below(&rng, 24);
			if (!p->conn)
				continue;
			if (what < 16)
				conn_send(p->conn,
					  span_of(bytes,
						  rng_below(&rng, 100000)));
			else if (what == 16)
				conn_close(p->conn);
			else if (what == 17)
				conn_abort(p->conn);
			else if (what == 18)
				conn_set_queue_max(p->conn,
						   rng_below(&rng, 200000));
			else
				bench_run(&b, rng_below(&rng, 2));
		}
		assert_int_equal(bench_close(&b), PLYD_OK);
		assert_int_equal(b.client.closes, 1);
		assert_int_equal(b.server.closes, b.accepted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_small_sends_leave_in_few_writes),
		cmocka_unit_test(what_is_sent_while_dialling_is_not_lost),
		cmocka_unit_test(a_long_stream_arrives_whole),
		cmocka_unit_test(a_queue_to_a_slow_reader_is_capped),
		cmocka_unit_test(who_does_not_read_answers_is_not_read),
		cmocka_unit_test(three_reasons_close_once),
		cmocka_unit_test(queued_writes_die_with_their_connection),
		cmocka_unit_test(writing_to_one_who_left_is_a_normal_end),
		cmocka_unit_test(a_half_closed_peer_gets_its_answer),
		cmocka_unit_test(a_reset_closes_at_once),
		cmocka_unit_test(the_last_words_survive_unread_bytes),
		cmocka_unit_test(closing_a_paused_peer_reads_him_away),
		cmocka_unit_test(closing_does_not_wait_for_ever),
		cmocka_unit_test(both_ends_may_close_at_once),
		cmocka_unit_test(every_address_of_a_name_is_tried),
		cmocka_unit_test(a_dial_may_come_from_another_address),
		cmocka_unit_test(a_far_dial_comes_from_where_it_must),
		cmocka_unit_test(a_refused_dial_says_so),
		cmocka_unit_test(a_dial_may_be_given_up),
		cmocka_unit_test(random_lives_all_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
