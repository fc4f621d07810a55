/* SPDX-License-Identifier: MIT
 * path_test.c - listening at a path: who may open it, what lies there before,
 * what is left after. */
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "peer.h"

struct place {
	struct net *net;
	struct net_timer *limit;
	struct listener *listener;
	struct listener_options options;
	char dir[32];
	char path[64];
	char why[NET_WHY_MAX];
	int accepted;
	char peer[NET_PEER_MAX];
};

static void echo(void *payload, struct conn *c, struct span bytes)
{
	(void)payload;
	conn_send(c, bytes);
}

static void gone(void *payload, struct conn *c, enum conn_end end,
		 const char *detail)
{
	(void)payload, (void)c, (void)end, (void)detail;
}

static const struct conn_callbacks echoing = { .on_bytes = echo,
					       .on_closed = gone };

static void on_accept(void *payload, struct conn *c)
{
	struct place *p = payload;
	p->accepted++;
	snprintf(p->peer, sizeof(p->peer), "%s", conn_peer(c));
	conn_set_callbacks(c, &echoing, p);
}

static void on_limit(void *payload)
{
	net_stop(((struct place *)payload)->net);
}

static int open_place(void **state)
{
	static struct place p;
	memset(&p, 0, sizeof(p));
	snprintf(p.dir, sizeof(p.dir), "/tmp/plyd-path-XXXXXX");
	if (!mkdtemp(p.dir) || net_new(&p.net))
		return -1;
	snprintf(p.path, sizeof(p.path), "%s/socket", p.dir);
	p.limit = net_timer_new(p.net, on_limit, &p);
	p.options = (struct listener_options){ .path = p.path,
					       .conns_max = 2,
					       .on_accept = on_accept,
					       .payload = &p };
	*state = &p;
	return 0;
}

static int close_place(void **state)
{
	struct place *p = *state;
	listener_free(p->listener);
	net_timer_free(p->limit);
	int err = net_free(p->net);
	unlink(p->path);
	rmdir(p->dir);
	return err;
}

static int listen_there(struct place *p)
{
	return net_listen(p->net, &p->options, &p->listener, p->why);
}

static void stop_peer(struct peer *peer)
{
	conn_close(peer->conn);
}

static void on_echo(struct peer *peer, struct span bytes)
{
	(void)bytes;
	stop_peer(peer);
}

static void on_end(struct peer *peer)
{
	net_stop(((struct place *)peer->test)->net);
}

/* Says something and waits for it to come back. */
static void call(struct place *p, struct peer *peer)
{
	memset(peer, 0, sizeof(*peer));
	buf_init(&peer->got, 1024);
	peer->bytes = on_echo;
	peer->closed = on_end;
	peer->test = p;
	assert_int_equal(net_connect_path(p->net, p->path, &peer_callbacks,
					  peer, &peer->conn),
			 PLYD_OK);
	conn_send(peer->conn, span_str("hello"));
	net_timer_start(p->limit, RUN_MS_MAX);
	net_run(p->net);
	net_timer_stop(p->limit);
}

static void only_its_owner_may_open_it(void **state)
{
	struct place *p = *state;
	struct peer peer;
	struct stat st;
	mode_t mask = umask(0);
	assert_int_equal(listen_there(p), PLYD_OK);
	umask(mask);
	assert_int_equal(stat(p->path, &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	assert_int_equal(st.st_mode & 0777, 0600);
	call(p, &peer);
	assert_int_equal(peer.opened, 1);
	assert_true(span_is(buf_span(&peer.got), "hello"));
	assert_int_equal(peer.end, CONN_END_CLOSED);
	assert_int_equal(p->accepted, 1);
	assert_string_equal(p->peer, "local");
	buf_release(&peer.got);
	listener_free(p->listener);
	p->listener = NULL;
	assert_int_equal(stat(p->path, &st), -1);
}

/* What a killed process leaves. */
static void a_stale_socket_is_replaced(void **state)
{
	struct place *p = *state;
	struct peer peer;
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	snprintf(at.sun_path, sizeof(at.sun_path), "%s", p->path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	close(fd);
	call(p, &peer);
	assert_int_equal(peer.opened, 0);
	assert_int_equal(peer.end, CONN_END_UNREACHABLE);
	assert_string_equal(peer.detail, "connection refused");
	buf_release(&peer.got);
	assert_int_equal(listen_there(p), PLYD_OK);
	call(p, &peer);
	assert_int_equal(peer.opened, 1);
	buf_release(&peer.got);
}

static void a_living_socket_is_left_alone(void **state)
{
	struct place *p = *state;
	struct listener *second;
	struct peer peer;
	assert_int_equal(listen_there(p), PLYD_OK);
	assert_int_equal(net_listen(p->net, &p->options, &second, p->why),
			 PLYD_EIO);
	assert_non_null(strstr(p->why, "in use"));
	assert_null(second);
	call(p, &peer);
	assert_int_equal(peer.opened, 1);
	buf_release(&peer.got);
}

static void what_is_no_socket_is_left_alone(void **state)
{
	struct place *p = *state;
	int fd = open(p->path, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(listen_there(p), PLYD_EIO);
	assert_non_null(strstr(p->why, "no socket"));
	assert_int_equal(access(p->path, F_OK), 0);
}

static void a_path_may_be_too_long(void **state)
{
	struct place *p = *state;
	struct conn *c;
	char path[200];
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	p->options.path = path;
	assert_int_equal(listen_there(p), PLYD_EIO);
	assert_non_null(strstr(p->why, "107"));
	assert_int_equal(net_connect_path(p->net, path, &peer_callbacks, p, &c),
			 PLYD_EIO);
	assert_null(c);
}

/* Who knocks while nobody accepts is let in by the next one. */
static void a_socket_is_handed_over(void **state)
{
	struct place *p = *state;
	struct peer peer;
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	snprintf(at.sun_path, sizeof(at.sun_path), "%s", p->path);
	assert_int_equal(listen_there(p), PLYD_OK);
	p->options.fd = listener_hand_over(p->listener);
	assert_true(p->options.fd > 2);
	listener_free(p->listener);
	p->listener = NULL;
	int knocks = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(connect(knocks, (struct sockaddr *)&at, sizeof(at)),
			 0);
	assert_int_equal(listen_there(p), PLYD_OK);
	close(p->options.fd);
	call(p, &peer);
	assert_int_equal(p->accepted, 2);
	buf_release(&peer.got);
	close(knocks);
	/* what does not listen is no listener */
	struct listener *second;
	p->options.fd = open("/dev/null", O_RDONLY);
	assert_int_equal(net_listen(p->net, &p->options, &second, p->why),
			 PLYD_EIO);
	close(p->options.fd);
}

static void nobody_is_there(void **state)
{
	struct place *p = *state;
	struct peer peer;
	call(p, &peer);
	assert_int_equal(peer.end, CONN_END_UNREACHABLE);
	assert_string_equal(peer.detail, "no such file or directory");
	buf_release(&peer.got);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_place, close_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_its_owner_may_open_it),
		TEST(a_stale_socket_is_replaced),
		TEST(a_living_socket_is_left_alone),
		TEST(what_is_no_socket_is_left_alone),
		TEST(a_path_may_be_too_long),
		TEST(nobody_is_there),
		TEST(a_socket_is_handed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
