/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/log.h"
#include "peer.h"

enum { HALL_CONNS_MAX = 64 };

/* A listener that greets with "+" and keeps count; words to the refused. */
struct hall {
	struct net *net;
	struct listener *listener;
	struct net_timer *limit;
	struct listener_options options;
	char port[8];
	char why[NET_WHY_MAX];
	struct conn *conns[HALL_CONNS_MAX];
	int accepted, closed, full, address, echoed;
	bool closes_itself;
};

static void hall_on_bytes(void *payload, struct conn *c, struct span bytes)
{
	((struct hall *)payload)->echoed++;
	conn_send(c, bytes);
}

static void hall_on_closed(void *payload, struct conn *c, enum conn_end end,
			   const char *detail)
{
	(void)c;
	(void)end;
	(void)detail;
	((struct hall *)payload)->closed++;
}

static const struct conn_callbacks hall_callbacks = {
	.on_bytes = hall_on_bytes,
	.on_closed = hall_on_closed,
};

static void hall_on_accept(void *payload, struct conn *c)
{
	struct hall *h = payload;
	conn_set_callbacks(c, &hall_callbacks, h);
	if (h->accepted < HALL_CONNS_MAX)
		h->conns[h->accepted] = c;
	h->accepted++;
	conn_send(c, span_str("+"));
	if (!h->closes_itself)
		return;
	conn_abort(c);
	listener_free(h->listener);
	h->listener = NULL;
}

static struct span hall_on_refuse(void *payload, int err)
{
	struct hall *h = payload;
	h->full += err == PLYD_EFULL;
	h->address += err == PLYD_EADDRESS;
	return span_str(err == PLYD_EFULL ? "F" : "A");
}

static void on_limit(void *payload)
{
	net_stop(((struct hall *)payload)->net);
}

static int hall_open(struct hall *h, unsigned max, unsigned per_address)
{
	memset(h, 0, sizeof(*h));
	h->options = (struct listener_options){
		.host = "127.0.0.1",
		.port = "0",
		.conns_max = max,
		.conns_per_address_max = per_address,
		.on_accept = hall_on_accept,
		.on_refuse = hall_on_refuse,
		.payload = h,
	};
	assert_int_equal(net_new(&h->net), PLYD_OK);
	h->limit = net_timer_new(h->net, on_limit, h);
	int err = net_listen(h->net, &h->options, &h->listener, h->why);
	if (!err)
		snprintf(h->port, sizeof(h->port), "%u",
			 listener_port(h->listener));
	return err;
}

static void hall_run(struct hall *h, unsigned ms)
{
	net_timer_start(h->limit, ms);
	net_run(h->net);
	net_timer_stop(h->limit);
}

static void hall_close(struct hall *h)
{
	net_timer_free(h->limit);
	listener_free(h->listener);
	assert_int_equal(net_free(h->net), PLYD_OK);
}

/* A blocking socket from 127.0.0.<from>. */
static int dial_from(const char *port, int from)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)atoi(port)) };
	struct sockaddr_in me = { .sin_family = AF_INET };
	struct timeval limit = { .tv_sec = 5 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	me.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + (uint32_t)from);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (fd < 0 || bind(fd, (struct sockaddr *)&me, sizeof(me)) ||
	    connect(fd, (struct sockaddr *)&to, sizeof(to)))
		abort();
	return fd;
}

/* The first byte from the listener: '+', 'F', 'A'; '.' for the end or a reset,
 * '?' for silence. */
static char first_byte(int fd)
{
	char c = '?';
	ssize_t n = recv(fd, &c, 1, 0);
	if (n == 0 || (n < 0 && errno == ECONNRESET))
		return '.';
	return n == 1 ? c : '?';
}

static char dial_and_hear(struct hall *h, int from, int *fd)
{
	*fd = dial_from(h->port, from);
	hall_run(h, 20);
	return first_byte(*fd);
}

static void a_taken_port_is_named(void **state)
{
	struct hall h;
	struct listener *second;
	char why[NET_WHY_MAX], expected[NET_WHY_MAX];
	(void)state;
	assert_int_equal(hall_open(&h, 10, 0), PLYD_OK);
	h.options.port = h.port;
	assert_int_equal(net_listen(h.net, &h.options, &second, why), PLYD_EIO);
	assert_null(second);
	snprintf(expected, sizeof(expected),
		 "port %s on '127.0.0.1' is in use: stop the program that "
		 "listens there, or choose another port",
		 h.port);
	assert_string_equal(why, expected);
	h.options.host = "192.0.2.7"; /* nobody's, RFC 5737 */
	assert_int_equal(net_listen(h.net, &h.options, &second, why), PLYD_EIO);
	assert_non_null(strstr(why, "192.0.2.7"));
	h.options.port = "no such service";
	assert_int_equal(net_listen(h.net, &h.options, &second, why), PLYD_EIO);
	assert_non_null(strstr(why, "no such service"));
	hall_close(&h);
}

static void a_freed_port_is_free(void **state)
{
	struct hall h;
	(void)state;
	assert_int_equal(hall_open(&h, 10, 0), PLYD_OK);
	listener_free(h.listener);
	h.options.port = h.port;
	assert_int_equal(net_listen(h.net, &h.options, &h.listener, h.why),
			 PLYD_OK);
	hall_close(&h);
}

static void count_lines(void *payload, enum log_level level, const char *text)
{
	(void)level;
	(void)text;
	++*(int *)payload;
}

static void limits_are_kept_and_given_back(void **state)
{
	struct hall h;
	int fd[7], lines = 0;
	(void)state;
	assert_int_equal(hall_open(&h, 3, 2), PLYD_OK);
	log_set_sink(count_lines, &lines);
	assert_int_equal(dial_and_hear(&h, 1, &fd[0]), '+');
	assert_int_equal(dial_and_hear(&h, 1, &fd[1]), '+');
	assert_int_equal(dial_and_hear(&h, 1, &fd[2]), 'A');
	assert_int_equal(dial_and_hear(&h, 2, &fd[3]), '+');
	assert_int_equal(dial_and_hear(&h, 3, &fd[4]), 'F');
	assert_int_equal(listener_conns(h.listener), 3);
	assert_int_equal(listener_refused(h.listener), 2);
	for (int i = 0; i < 20; i++) {
		int more;
		assert_int_equal(dial_and_hear(&h, 3, &more), 'F');
		close(more);
	}
	log_set_sink(NULL, NULL);
	assert_int_equal(lines, 1); /* for all of them */
	close(fd[0]);
	hall_run(&h, 50);
	assert_int_equal(listener_conns(h.listener), 2);
	assert_int_equal(dial_and_hear(&h, 1, &fd[5]), '+');
	assert_int_equal(dial_and_hear(&h, 1, &fd[6]), 'F');
	for (int i = 1; i < 7; i++)
		close(fd[i]);
	hall_run(&h, 50);
	assert_int_equal(listener_conns(h.listener), 0);
	assert_int_equal(h.closed, 4);
	hall_close(&h);
}

static void an_accept_may_end_the_listener(void **state)
{
	struct hall h;
	(void)state;
	assert_int_equal(hall_open(&h, 10, 0), PLYD_OK);
	h.closes_itself = true;
	int first = dial_from(h.port, 1), second = dial_from(h.port, 1);
	hall_run(&h, 50);
	assert_int_equal(h.accepted, 1);
	assert_int_equal(h.closed, 1);
	assert_int_equal(first_byte(first), '.');
	close(first);
	close(second);
	hall_close(&h);
}

static void ipv6_and_ipv4_share_a_listener(void **state)
{
	struct hall h;
	struct peer p;
	(void)state;
	assert_int_equal(hall_open(&h, 10, 1), PLYD_OK);
	listener_free(h.listener);
	h.options.host = "::";
	if (net_listen(h.net, &h.options, &h.listener, h.why)) {
		hall_close(&h); /* a machine without IPv6 */
		skip();
	}
	snprintf(h.port, sizeof(h.port), "%u", listener_port(h.listener));
	peer_init(&p, NULL);
	int fd;
	assert_int_equal(dial_and_hear(&h, 1, &fd), '+');
	net_connect(h.net, "::1", h.port, &peer_callbacks, &p, &p.conn);
	hall_run(&h, 50);
	assert_true(span_is(buf_span(&p.got), "+"));
	assert_memory_equal(conn_peer(h.conns[0]), "[::ffff:127.0.0.1]:", 19);
	assert_memory_equal(conn_peer(h.conns[1]), "[::1]:", 6);
	close(fd);
	hall_close(&h);
	buf_release(&p.got);
}

/* ---- no descriptors ---------------------------------------------------- */

enum { CROWD = 40, CROWD_LEAVES = 30, LATE = 5, DESCRIPTORS_LEFT = 12 };

/* The crowd in another process, so that its sockets are not ours. It tells what
 * each heard, a byte each, waits, leaves in part, and sends late ones. */
static void crowd_main(const char *port, int out, int in)
{
	int fd[CROWD + LATE];
	char heard, go;
	for (int i = 0; i < CROWD; i++)
		fd[i] = dial_from(port, 1);
	for (int i = 0; i < CROWD; i++) {
		heard = first_byte(fd[i]);
		if (write(out, &heard, 1) != 1)
			_exit(1);
	}
	if (read(in, &go, 1) != 1)
		_exit(1);
	for (int i = 0; i < CROWD_LEAVES; i++)
		close(fd[i]);
	usleep(LISTENER_PAUSE_MS * 1000 + 100000);
	for (int i = CROWD; i < CROWD + LATE; i++) {
		fd[i] = dial_from(port, 1);
		heard = first_byte(fd[i]);
		if (write(out, &heard, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static int heard_count(const char *heard, int len, char what)
{
	int count = 0;
	for (int i = 0; i < len; i++)
		count += heard[i] == what;
	return count;
}

/* Reads from the crowd until len bytes came, running the loop meanwhile. */
static int crowd_hear(struct hall *h, int fd, char *out, int len)
{
	int got = 0;
	for (int i = 0; i < 500 && got < len; i++) {
		ssize_t n = read(fd, out + got, (size_t)(len - got));
		got += n > 0 ? (int)n : 0;
		hall_run(h, 10);
	}
	return got;
}

static uint64_t cpu_ms(void)
{
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	return (uint64_t)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000 +
	       (uint64_t)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000;
}

/* Case UV-04. */
static void without_descriptors_players_go_on(void **state)
{
	struct hall h;
	struct rlimit before, low;
	int to_us[2], to_crowd[2], lines = 0, player;
	char heard[CROWD] = { 0 }, late[LATE] = { 0 };
	(void)state;
	assert_int_equal(hall_open(&h, 1000, 0), PLYD_OK);
	assert_int_equal(dial_and_hear(&h, 1, &player), '+');
	assert_int_equal(pipe(to_us) | pipe(to_crowd), 0);
	fcntl(to_us[0], F_SETFL, O_NONBLOCK);
	pid_t crowd = fork();
	if (crowd == 0)
		crowd_main(h.port, to_us[1], to_crowd[0]);
	log_set_sink(count_lines, &lines);
	getrlimit(RLIMIT_NOFILE, &before);
	low = before;
	low.rlim_cur = (rlim_t)to_crowd[1] + 1 + DESCRIPTORS_LEFT;
	setrlimit(RLIMIT_NOFILE, &low);
	int got = crowd_hear(&h, to_us[0], heard, CROWD);
	uint64_t cpu_before_ms = cpu_ms();
	int echoed = h.echoed;
	for (int i = 0; i < 20; i++) {
		if (send(player, "!", 1, 0) != 1)
			break;
		hall_run(&h, 20);
	}
	uint64_t spent_ms = cpu_ms() - cpu_before_ms;
	int served = h.echoed - echoed;
	ssize_t told = write(to_crowd[1], "g", 1);
	int got_late = crowd_hear(&h, to_us[0], late, LATE);
	setrlimit(RLIMIT_NOFILE, &before);
	log_set_sink(NULL, NULL);
	waitpid(crowd, NULL, 0);
	assert_int_equal(told, 1);
	assert_int_equal(got, CROWD);
	assert_in_range(heard_count(heard, CROWD, '+'), 5, DESCRIPTORS_LEFT);
	/* valgrind lets accept() succeed and then takes the socket away, so
	 * that the last ones may hear only its end */
	assert_in_range(heard_count(heard, CROWD, 'F'),
			CROWD - DESCRIPTORS_LEFT - 2, CROWD);
	assert_int_equal(heard_count(heard, CROWD, '?'), 0);
	assert_int_equal(served, 20);
	assert_true(spent_ms < 200);
	assert_in_range(lines, 1, 2);
	assert_int_equal(got_late, LATE);
	assert_int_equal(heard_count(late, LATE, '+'), LATE);
	close(player);
	for (int i = 0; i < 2; i++) {
		close(to_us[i]);
		close(to_crowd[i]);
	}
	hall_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_taken_port_is_named),
		cmocka_unit_test(a_freed_port_is_free),
		cmocka_unit_test(limits_are_kept_and_given_back),
		cmocka_unit_test(an_accept_may_end_the_listener),
		cmocka_unit_test(ipv6_and_ipv4_share_a_listener),
		cmocka_unit_test(without_descriptors_players_go_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
