/* SPDX-License-Identifier: MIT
 * The header of a proxy, by itself and through a listener. The headers were
 * written down from the format's description, byte by byte. */
#include "unit.h"

#include "peer.h"

enum { WAYS_MAX = 16 };

#define SIGNATURE    "\r\n\r\n\0\r\nQUIT\n"
#define TCP4(length) SIGNATURE "\x21\x11" length
/* 203.0.113.7:40000 to 192.0.2.1:7531 */
#define FROM_V4                                                                \
	"\xcb\0\x71\x07"                                                       \
	"\xc0\0\x02\x01"                                                       \
	"\x9c\x40"                                                             \
	"\x1d\x6b"
/* [2001:db8::9]:40000 to [2001:db8::1]:7531 */
#define FROM_V6                                                                \
	"\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x09"                           \
	"\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01"                           \
	"\x9c\x40"                                                             \
	"\x1d\x6b"

#define BYTES(text)                                                            \
	{                                                                      \
		(const uint8_t *)(text), sizeof(text) - 1                      \
	}

static const struct header {
	const char *name;
	struct span bytes;
	enum proxy_result result;
	const char *peer; /* as the listener shows it; NULL: the proxy */
	size_t rest;      /* bytes behind it */
} headers[] = {
	{ "nothing", { 0 }, PROXY_PART, NULL, 0 },
	{ "some of the signature", BYTES("\r\n\r"), PROXY_PART, NULL, 0 },
	{ "all but the length", BYTES(SIGNATURE "\x21\x11\0"), PROXY_PART, NULL,
	  0 },
	{ "half of the addresses", BYTES(TCP4("\0\x0c") "\xcb\0\x71\x07"),
	  PROXY_PART, NULL, 0 },
	{ "IPv4", BYTES(TCP4("\0\x0c") FROM_V4), PROXY_WHOLE,
	  "203.0.113.7:40000", 0 },
	{ "IPv4, and the client's first words",
	  BYTES(TCP4("\0\x0c") FROM_V4 "hello"), PROXY_WHOLE,
	  "203.0.113.7:40000", 5 },
	{ "IPv4, with more about it",
	  BYTES(TCP4("\0\x10") FROM_V4 "\x04\0\x01x"
				       "hello"),
	  PROXY_WHOLE, "203.0.113.7:40000", 5 },
	{ "IPv6", BYTES(SIGNATURE "\x21\x21\0\x24" FROM_V6), PROXY_WHOLE,
	  "[2001:db8::9]:40000", 0 },
	{ "the proxy itself",
	  BYTES(SIGNATURE "\x20\0\0\0"
			  "hello"),
	  PROXY_WHOLE, NULL, 5 },
	{ "the proxy itself, with addresses that mean nothing",
	  BYTES(SIGNATURE "\x20\x11\0\x0c" FROM_V4), PROXY_WHOLE, NULL, 0 },
	{ "from no internet address", BYTES(SIGNATURE "\x21\0\0\0"),
	  PROXY_WHOLE, NULL, 0 },
	{ "version 1", BYTES("PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n"),
	  PROXY_BAD, NULL, 0 },
	{ "a request", BYTES("\x94\0\x01"), PROXY_BAD, NULL, 0 },
	{ "another signature", BYTES("\r\n\r\n\0\r\nQUIT\r"), PROXY_BAD, NULL,
	  0 },
	{ "version 3", BYTES(SIGNATURE "\x31\x11\0\x0c" FROM_V4), PROXY_BAD,
	  NULL, 0 },
	{ "another command", BYTES(SIGNATURE "\x22\x11\0\x0c" FROM_V4),
	  PROXY_BAD, NULL, 0 },
	{ "too short for IPv4", BYTES(TCP4("\0\x0b") FROM_V4), PROXY_BAD, NULL,
	  0 },
	{ "too short for IPv6", BYTES(SIGNATURE "\x21\x21\0\x23" FROM_V6),
	  PROXY_BAD, NULL, 0 },
	{ "too long", BYTES(TCP4("\x07\xf1")), PROXY_BAD, NULL, 0 },
};

static void a_header_is_read(void **state)
{
	const struct header *row = *state;
	struct proxy_header h = { 0 };
	char peer[NET_PEER_MAX] = "";
	assert_int_equal(proxy_header_read(row->bytes, &h), row->result);
	if (row->result != PROXY_WHOLE)
		return;
	assert_int_equal(row->bytes.len - h.len, row->rest);
	if (h.from.ss_family == AF_INET)
		assert_int_equal(ntohs(((struct sockaddr_in *)(void *)&h.from)
					       ->sin_port),
				 40000);
	inet_ntop(h.from.ss_family,
		  h.from.ss_family == AF_INET
			  ? (void *)&((struct sockaddr_in *)(void *)&h.from)
				    ->sin_addr
			  : (void *)&((struct sockaddr_in6 *)(void *)&h.from)
				    ->sin6_addr,
		  peer, sizeof(peer));
	if (row->peer)
		assert_non_null(strstr(row->peer, peer));
	else
		assert_int_equal(h.from.ss_family, AF_UNSPEC);
}

static void every_beginning_is_a_part(void **state)
{
	static const char whole[] = TCP4("\0\x10") FROM_V4 "\x04\0\x01x";
	struct proxy_header h;
	(void)state;
	for (size_t len = 0; len < sizeof(whole) - 1; len++)
		assert_int_equal(proxy_header_read(span_of(whole, len), &h),
				 PROXY_PART);
	assert_int_equal(proxy_header_read(span_of(whole, sizeof(whole) - 1),
					   &h),
			 PROXY_WHOLE);
}

static void a_list_is_read_whole(void **state)
{
	struct proxies p;
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
	(void)state;
	assert_true(proxies_read(span_str(""), &p));
	assert_int_equal(p.count, 0);
	assert_true(proxies_read(span_str(" 192.0.2.1  2001:db8::1 "), &p));
	assert_int_equal(p.count, 2);
	inet_pton(AF_INET, "192.0.2.1", &v4.sin_addr);
	assert_true(proxies_have(&p, (struct sockaddr *)&v4));
	inet_pton(AF_INET6, "::ffff:192.0.2.1", &v6.sin6_addr);
	assert_true(proxies_have(&p, (struct sockaddr *)&v6));
	inet_pton(AF_INET6, "2001:db8::1", &v6.sin6_addr);
	assert_true(proxies_have(&p, (struct sockaddr *)&v6));
	inet_pton(AF_INET6, "2001:db8::2", &v6.sin6_addr);
	assert_false(proxies_have(&p, (struct sockaddr *)&v6));
	inet_pton(AF_INET, "192.0.2.2", &v4.sin_addr);
	assert_false(proxies_have(&p, (struct sockaddr *)&v4));
	assert_false(proxies_read(span_str("localhost"), &p));
	assert_false(proxies_read(span_str("192.0.2.1,192.0.2.2"), &p));
	assert_false(proxies_read(span_str("192.0.2.0/24"), &p));
	assert_true(proxies_read(span_str("::1 ::2 ::3 ::4 ::5 ::6 ::7 ::8 "
					  "::9 ::a ::b ::c ::d ::e ::f ::10"),
				 &p));
	assert_false(proxies_read(span_str("::1 ::2 ::3 ::4 ::5 ::6 ::7 ::8 "
					   "::9 ::a ::b ::c ::d ::e ::f ::10 "
					   "::11"),
				  &p));
}

/* ---- through a listener ------------------------------------------------ */

/* Echoes; notes who came. */
struct gate {
	struct bench b;
	struct peer came[WAYS_MAX];
	char who[WAYS_MAX][NET_PEER_MAX];
	int refused;
};

static void gate_on_accept(void *payload, struct conn *c)
{
	struct gate *g = payload;
	int i = g->b.accepted++;
	if (i >= WAYS_MAX)
		abort();
	g->came[i].conn = c;
	snprintf(g->who[i], sizeof(g->who[i]), "%s", conn_peer(c));
	conn_set_callbacks(c, &peer_callbacks, &g->came[i]);
}

static struct span gate_on_refuse(void *payload, int err)
{
	(void)err;
	((struct gate *)payload)->refused++;
	return span_str("A");
}

/* 127.0.0.1 is a proxy; each address may come once. */
static void gate_open(struct gate *g)
{
	struct listener_options options = { .host = "127.0.0.1",
					    .port = "0",
					    .conns_max = 10,
					    .conns_per_address_max = 1,
					    .on_accept = gate_on_accept,
					    .on_refuse = gate_on_refuse,
					    .payload = g };
	memset(g, 0, sizeof(*g));
	for (int i = 0; i < WAYS_MAX; i++)
		peer_init(&g->came[i], g);
	assert_true(proxies_read(span_str("127.0.0.1"), &options.proxies));
	assert_int_equal(net_new(&g->b.net), PLYD_OK);
	g->b.limit = net_timer_new(g->b.net, bench_timeout, &g->b);
	assert_int_equal(net_listen(g->b.net, &options, &g->b.listener,
				    g->b.why),
			 PLYD_OK);
	snprintf(g->b.port, sizeof(g->b.port), "%u",
		 listener_port(g->b.listener));
}

static void gate_close(struct gate *g)
{
	net_timer_free(g->b.limit);
	listener_free(g->b.listener);
	assert_int_equal(net_free(g->b.net), PLYD_OK);
	for (int i = 0; i < WAYS_MAX; i++)
		buf_release(&g->came[i].got);
}

static int say(struct gate *g, struct span bytes)
{
	int fd = raw_connect(&g->b);
	if (send(fd, bytes.at, bytes.len, MSG_NOSIGNAL) != (ssize_t)bytes.len)
		abort();
	bench_run(&g->b, 20);
	return fd;
}

static void he_comes_as_himself(void **state)
{
	static const char first[] = TCP4("\0\x0c") FROM_V4 "hello";
	struct gate g;
	(void)state;
	gate_open(&g);
	int fd = say(&g, span_of(first, sizeof(first) - 1));
	assert_int_equal(g.b.accepted, 1);
	assert_string_equal(g.who[0], "203.0.113.7:40000");
	assert_true(span_is(buf_span(&g.came[0].got), "hello"));
	assert_int_equal(send(fd, " again", 6, 0), 6);
	bench_run(&g.b, 20);
	assert_true(span_is(buf_span(&g.came[0].got), "hello again"));
	close(fd);
	bench_run(&g.b, 20);
	assert_int_equal(g.came[0].closes, 1);
	assert_int_equal(listener_conns(g.b.listener), 0);
	gate_close(&g);
}

static void it_may_come_byte_by_byte(void **state)
{
	static const char first[] = TCP4("\0\x0c") FROM_V4 "hello";
	struct gate g;
	(void)state;
	gate_open(&g);
	int fd = raw_connect(&g.b);
	for (size_t i = 0; i < sizeof(first) - 1; i++) {
		assert_int_equal(g.b.accepted, i >= 28);
		assert_int_equal(send(fd, first + i, 1, 0), 1);
		bench_run(&g.b, 3);
	}
	bench_run(&g.b, 20);
	assert_int_equal(g.b.accepted, 1);
	assert_true(span_is(buf_span(&g.came[0].got), "hello"));
	close(fd);
	gate_close(&g);
}

/* Whom a proxy speaks for is counted, not the proxy. */
static void limits_are_for_who_comes(void **state)
{
	static const char one[] = TCP4("\0\x0c") FROM_V4;
	static const char other[] = SIGNATURE "\x21\x21\0\x24" FROM_V6;
	struct gate g;
	char word = '?';
	(void)state;
	gate_open(&g);
	int first = say(&g, span_of(one, sizeof(one) - 1));
	int second = say(&g, span_of(other, sizeof(other) - 1));
	assert_int_equal(g.b.accepted, 2);
	int third = say(&g, span_of(one, sizeof(one) - 1));
	assert_int_equal(g.b.accepted, 2);
	assert_int_equal(g.refused, 1);
	assert_int_equal(recv(third, &word, 1, MSG_DONTWAIT), 1);
	assert_int_equal(word, 'A');
	close(third);
	close(first);
	bench_run(&g.b, 50);
	first = say(&g, span_of(one, sizeof(one) - 1));
	assert_int_equal(g.b.accepted, 3);
	close(first);
	close(second);
	bench_run(&g.b, 50);
	assert_int_equal(listener_conns(g.b.listener), 0);
	gate_close(&g);
}

/* Somebody on the proxy's own machine is one more address. */
static void the_proxy_may_have_players(void **state)
{
	static const char self[] =
		TCP4("\0\x0c") "\x7f\0\0\x01\xc0\0\x02\x01\x9c\x40\x1d\x6b";
	struct gate g;
	(void)state;
	gate_open(&g);
	int waits[3], first;
	for (int i = 0; i < 3; i++)
		waits[i] = say(&g, span_str("\r\n"));
	first = say(&g, span_of(self, sizeof(self) - 1));
	assert_int_equal(g.b.accepted, 1);
	int second = say(&g, span_of(self, sizeof(self) - 1));
	assert_int_equal(g.b.accepted, 1);
	assert_int_equal(g.refused, 1);
	for (int i = 0; i < 3; i++)
		close(waits[i]);
	close(first);
	close(second);
	bench_run(&g.b, 50);
	assert_int_equal(listener_conns(g.b.listener), 0);
	gate_close(&g);
}

static void what_is_no_header_is_dropped(void **state)
{
	struct gate g;
	struct buf said;
	bool eof;
	(void)state;
	gate_open(&g);
	buf_init(&said, 100);
	int fd = say(&g, span_str("\x94"));
	bench_run(&g.b, 20);
	assert_true(raw_read(fd, &said, &eof) == -1 || eof);
	assert_int_equal(g.b.accepted, 0);
	assert_int_equal(listener_conns(g.b.listener), 0);
	close(fd);
	buf_release(&said);
	gate_close(&g);
}

/* The listener's owner may be gone by the time. */
static void one_who_is_late_meets_nobody(void **state)
{
	static const char one[] = TCP4("\0\x0c") FROM_V4;
	struct gate g;
	(void)state;
	gate_open(&g);
	int fd = say(&g, span_of(one, 5));
	listener_free(g.b.listener);
	g.b.listener = NULL;
	assert_int_equal(send(fd, one + 5, sizeof(one) - 6, 0),
			 (ssize_t)sizeof(one) - 6);
	bench_run(&g.b, 20);
	assert_int_equal(g.b.accepted, 0);
	close(fd);
	gate_close(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_beginning_is_a_part),
		cmocka_unit_test(a_list_is_read_whole),
		cmocka_unit_test(he_comes_as_himself),
		cmocka_unit_test(it_may_come_byte_by_byte),
		cmocka_unit_test(limits_are_for_who_comes),
		cmocka_unit_test(the_proxy_may_have_players),
		cmocka_unit_test(what_is_no_header_is_dropped),
		cmocka_unit_test(one_who_is_late_meets_nobody),
	};
	int failed = RUN_TABLE("headers", headers, a_header_is_read);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
