/* SPDX-License-Identifier: MIT
 * The listening socket is polled and accepted from here, not by libuv, so that
 * running out of descriptors is ours to handle and who is refused costs no
 * handle. */
#include "net/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <plyd/err.h>
#include "base/log.h"
#include "base/table.h"
#include "net/conn_priv.h"

enum { PATH_MODE = 0600 };

/* How many connections an address has; none: no entry. */
struct address_count {
	uint8_t address[ADDRESS_BYTES];
	unsigned conns;
	UT_hash_handle hh;
};

struct listener {
	struct net_owner owner;
	struct net *net;
	struct listener_options options;
	uv_poll_t poll;
	uv_timer_t pause;
	int fd;
	int spare_fd;     /* given up for a moment to refuse someone; or -1 */
	unsigned handles; /* not yet closed */
	bool handed_over;
	unsigned conns;
	uint64_t refused;
	uint64_t log_after_ms;
	struct address_count *counts;
};

/* ---- counting ---------------------------------------------------------- */

static void address_of(const struct sockaddr *from, uint8_t *out)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	memset(out, 0, ADDRESS_BYTES);
	if (from->sa_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const void *)from;
		/* who has one IPv6 address has its whole /64 */
		bool is_v4 = !memcmp(&in6->sin6_addr, mapped, sizeof(mapped));
		memcpy(out, &in6->sin6_addr, is_v4 ? ADDRESS_BYTES : 8);
	} else if (from->sa_family == AF_INET) {
		const struct sockaddr_in *in = (const void *)from;
		memcpy(out, mapped, sizeof(mapped));
		memcpy(out + sizeof(mapped), &in->sin_addr, 4);
	}
}

static struct address_count *count_find(struct listener *l,
					const uint8_t *address)
{
	struct address_count *count = NULL;
	HASH_FIND(hh, l->counts, address, ADDRESS_BYTES, count);
	return count;
}

/* Of a socket without one, and of a proxy that has not yet said for whom it
 * speaks, or speaks for itself: as many as there may be. */
static const uint8_t no_address[ADDRESS_BYTES];

/* Counts one more of an address: PLYD_OK, PLYD_EFULL, PLYD_EADDRESS. */
static int address_up(struct listener *l, const uint8_t *address)
{
	struct address_count *count = count_find(l, address);
	unsigned max = memcmp(address, no_address, ADDRESS_BYTES)
			       ? l->options.conns_per_address_max
			       : l->options.conns_max;
	if (count && count->conns >= max)
		return PLYD_EADDRESS;
	if (!count) {
		count = calloc(1, sizeof(*count));
		if (!count)
			return PLYD_EFULL;
		memcpy(count->address, address, ADDRESS_BYTES);
		HASH_ADD(hh, l->counts, address, ADDRESS_BYTES, count);
		if (!count_find(l, address)) {
			free(count);
			return PLYD_EFULL;
		}
	}
	count->conns++;
	return PLYD_OK;
}

static void address_down(struct listener *l, const uint8_t *address)
{
	struct address_count *count = count_find(l, address);
	if (--count->conns > 0)
		return;
	HASH_DEL(l->counts, count);
	free(count);
}

static int count_up(struct listener *l, const uint8_t *address)
{
	if (l->conns >= l->options.conns_max)
		return PLYD_EFULL;
	int err = address_up(l, address);
	l->conns += !err;
	return err;
}

static void listener_free_if_done(struct listener *l)
{
	if (l->handles == 0 && l->conns == 0)
		free(l);
}

void listener_forget(struct listener *l, const uint8_t *address)
{
	l->conns--;
	address_down(l, address);
	listener_free_if_done(l);
}

/* ---- refusing ---------------------------------------------------------- */

void listener_complain(struct listener *l, const char *why)
{
	uint64_t now_ms = net_now_ms();
	if (now_ms < l->log_after_ms)
		return;
	l->log_after_ms = now_ms + LISTENER_LOG_MS;
	log_event(LOG_WARNING, "connections are refused",
		  "why=\"%s\" conns=%u refused=%llu", why, l->conns,
		  (unsigned long long)l->refused);
}

/* Says a last word, if that costs no waiting. What has arrived is read away,
 * because closing over it would reset the word. */
static void refuse(struct listener *l, int fd, int err)
{
	char dropped[4096];
	l->refused++;
	if (l->options.on_refuse) {
		struct span word =
			l->options.on_refuse(l->options.payload, err);
		ssize_t sent = send(fd, word.at, word.len,
				    MSG_DONTWAIT | MSG_NOSIGNAL);
		(void)sent; /* as far as it goes */
	}
	shutdown(fd, SHUT_WR);
	for (int i = 0; i < 4; i++)
		if (recv(fd, dropped, sizeof(dropped), MSG_DONTWAIT) <= 0)
			break;
	close(fd);
}

/* ---- accepting --------------------------------------------------------- */

static int accept_one(struct listener *l, struct sockaddr_storage *from)
{
	socklen_t len = sizeof(*from);
	int fd;
	do
		fd = accept4(l->fd, (struct sockaddr *)from, &len,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static int open_spare(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Gives the socket to the loop, in the shape that it has. */
static int io_open(struct listener *l, struct conn *c, int fd,
		   const struct sockaddr_storage *from)
{
	bool local = l->options.path != NULL;
	if (local)
		uv_pipe_init(&l->net->loop, &c->io.pipe, 0);
	else
		uv_tcp_init(&l->net->loop, &c->io.tcp);
	c->io.handle.data = c;
	c->io_open = true;
	c->pending++;
	if (local) {
		snprintf(c->peer, sizeof(c->peer), "local");
		return uv_pipe_open(&c->io.pipe, fd);
	}
	peer_text((const struct sockaddr *)from, c->peer);
	return uv_tcp_open(&c->io.tcp, fd);
}

static void adopt(struct listener *l, int fd,
		  const struct sockaddr_storage *from)
{
	uint8_t address[ADDRESS_BYTES] = { 0 };
	bool is_proxy = proxies_have(&l->options.proxies,
				     (const struct sockaddr *)from);
	if (!is_proxy)
		address_of((const struct sockaddr *)from, address);
	int err = count_up(l, address);
	if (err) {
		refuse(l, fd, err);
		listener_complain(l, plyd_err_name(err));
		return;
	}
	struct conn *c = conn_new(l->net);
	if (!c) {
		refuse(l, fd, PLYD_EFULL);
		listener_forget(l, address);
		return;
	}
	c->listener = l;
	memcpy(c->address, address, ADDRESS_BYTES);
	if (io_open(l, c, fd, from)) {
		close(fd);
		conn_end(c, CONN_END_ERROR, 0);
		return;
	}
	conn_tune(c);
	conn_opened(c);
	if (is_proxy)
		greet(c);
	else
		l->options.on_accept(l->options.payload, c);
}

void listener_introduce(struct listener *l, struct conn *c,
			const struct sockaddr *from)
{
	uint8_t address[ADDRESS_BYTES];
	if (uv_is_closing((uv_handle_t *)&l->poll)) {
		conn_abort(c); /* whom it should be given to may be gone */
		return;
	}
	if (from) {
		address_of(from, address);
		int err = address_up(l, address);
		if (err) {
			l->refused++;
			listener_complain(l, plyd_err_name(err));
			if (l->options.on_refuse)
				conn_send(c,
					  l->options
						  .on_refuse(l->options.payload,
							     err));
			conn_close(c);
			return;
		}
		address_down(l, c->address);
		memcpy(c->address, address, ADDRESS_BYTES);
		peer_text(from, c->peer);
	}
	l->options.on_accept(l->options.payload, c);
}

static void on_readable(uv_poll_t *poll, int status, int events);

static void on_pause_over(uv_timer_t *timer)
{
	struct listener *l = timer->data;
	if (l->spare_fd < 0)
		l->spare_fd = open_spare();
	uv_poll_start(&l->poll, UV_READABLE, on_readable);
}

/* No descriptors: those who wait are turned away with the help of the spare
 * one, since a socket that stays readable would spin the loop; then a pause. */
static void out_of_descriptors(struct listener *l)
{
	struct sockaddr_storage from;
	listener_complain(l, "no descriptors are left");
	if (l->spare_fd >= 0) {
		close(l->spare_fd);
		for (int i = 0; i < LISTENER_ACCEPTS_MAX; i++) {
			int fd = accept_one(l, &from);
			if (fd < 0)
				break;
			refuse(l, fd, PLYD_EFULL);
		}
		l->spare_fd = open_spare();
	}
	uv_poll_stop(&l->poll);
	net_start_timer(&l->pause, on_pause_over, LISTENER_PAUSE_MS);
}

static bool is_exhaustion(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOBUFS ||
	       error == ENOMEM;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct listener *l = poll->data;
	struct sockaddr_storage from = { 0 };
	(void)status; /* accept() will say what is wrong */
	(void)events;
	for (int i = 0; i < LISTENER_ACCEPTS_MAX; i++) {
		if (uv_is_closing((uv_handle_t *)poll))
			return; /* on_accept() freed the listener */
		int fd = accept_one(l, &from);
		if (fd >= 0) {
			adopt(l, fd, &from);
		} else if (is_exhaustion(errno)) {
			out_of_descriptors(l);
			return;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			return;
		}
		/* anything else was one connection's own trouble */
	}
}

/* ---- listening --------------------------------------------------------- */

static int why_not(char why[NET_WHY_MAX], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int why_not(char why[NET_WHY_MAX], const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, NET_WHY_MAX, format, args);
	va_end(args);
	return PLYD_EIO;
}

/* A listening socket on this address, or -1 with errno. */
static int socket_bound(const struct addrinfo *to)
{
	int on = 1, off = 0;
	int fd = socket(to->ai_family,
			to->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
			to->ai_protocol);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (to->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(fd, to->ai_addr, to->ai_addrlen) ||
	    listen(fd, LISTENER_BACKLOG)) {
		int error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

int listener_socket(const struct listener_options *o, int *out,
		    char why[NET_WHY_MAX])
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_PASSIVE };
	struct addrinfo *found = NULL;
	int rc = getaddrinfo(o->host, o->port, &hints, &found);
	if (rc)
		return why_not(why, "cannot listen on '%s' port '%s': %s",
			       o->host, o->port, gai_strerror(rc));
	int fd = -1, error = 0;
	for (struct addrinfo *to = found; to && fd < 0; to = to->ai_next) {
		fd = socket_bound(to);
		error = errno;
	}
	freeaddrinfo(found);
	*out = fd;
	if (fd >= 0)
		return PLYD_OK;
	if (error == EADDRINUSE)
		return why_not(why,
			       "port %s on '%s' is in use: stop the program "
			       "that listens there, or choose another port",
			       o->port, o->host);
	return why_not(why, "cannot listen on '%s' port %s: %s", o->host,
		       o->port, strerror(error));
}

/* ---- listening at a path ----------------------------------------------- */

static bool path_answers(const struct sockaddr_un *at)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	int rc = connect(fd, (const struct sockaddr *)at, sizeof(*at));
	bool answers = rc == 0 || errno == EAGAIN; /* its backlog is full */
	close(fd);
	return answers;
}

/* A socket that nobody listens to is stale; anything else is not ours. */
static int path_clear(const struct sockaddr_un *at, char why[NET_WHY_MAX])
{
	const char *path = at->sun_path;
	struct stat st;
	if (lstat(path, &st))
		return errno == ENOENT ? PLYD_OK
				       : why_not(why, "cannot look at '%s': %s",
						 path, strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return why_not(why,
			       "'%s' is no socket: remove it, or choose "
			       "another "
			       "path",
			       path);
	if (path_answers(at))
		return why_not(why,
			       "'%s' is in use: stop the program that listens "
			       "there, or choose another path",
			       path);
	if (unlink(path))
		return why_not(why, "cannot remove the old socket '%s': %s",
			       path, strerror(errno));
	return PLYD_OK;
}

static int path_listen(const char *path, int *out, char why[NET_WHY_MAX])
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	*out = -1;
	if (!span_copy(span_str(path), at.sun_path, sizeof(at.sun_path)))
		return why_not(why,
			       "the path of the socket '%s' is longer than %zu "
			       "characters",
			       path, sizeof(at.sun_path) - 1);
	int err = path_clear(&at, why);
	if (err)
		return err;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	/* Linux makes the name with the mode that the socket has by then */
	if (fd >= 0 && !fchmod(fd, PATH_MODE) &&
	    !bind(fd, (struct sockaddr *)&at, sizeof(at)) &&
	    !listen(fd, LISTENER_BACKLOG)) {
		*out = fd;
		return PLYD_OK;
	}
	err = why_not(why, "cannot listen at '%s': %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return err;
}

/* ---- listening where another program did ------------------------------- */

static int socket_taken(int fd, int *out, char why[NET_WHY_MAX])
{
	int listens = 0;
	socklen_t len = sizeof(listens);
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) ||
	    !listens)
		return why_not(why, "descriptor %d does not listen", fd);
	*out = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return *out >= 0 ? PLYD_OK
			 : why_not(why, "cannot take the socket over: %s",
				   strerror(errno));
}

int listener_hand_over(struct listener *l)
{
	int fd = fcntl(l->fd, F_DUPFD_CLOEXEC, 0);
	l->handed_over = fd >= 0;
	return fd;
}

/* No more connections than there can be descriptors. */
static unsigned conns_max_of(const struct listener_options *o)
{
	struct rlimit files;
	unsigned max = o->conns_max;
	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == RLIM_INFINITY)
		return max;
	rlim_t room = files.rlim_cur > 2 * LISTENER_DESCRIPTORS_KEPT
			      ? files.rlim_cur - LISTENER_DESCRIPTORS_KEPT
			      : files.rlim_cur / 2;
	if (max <= room)
		return max;
	log_event(LOG_WARNING, "fewer connections than configured",
		  "conns_max=%u configured=%u descriptors=%llu", (unsigned)room,
		  max, (unsigned long long)files.rlim_cur);
	return (unsigned)room;
}

static void listener_stop_owner(struct net_owner *owner)
{
	listener_free((struct listener *)owner);
}

static int listener_start(struct net *n, struct listener *l)
{
	l->owner.stop = listener_stop_owner;
	l->net = n;
	if (uv_poll_init(&n->loop, &l->poll, l->fd))
		return PLYD_ENOMEM;
	uv_timer_init(&n->loop, &l->pause);
	l->poll.data = l->pause.data = l;
	l->handles = 2;
	uv_poll_start(&l->poll, UV_READABLE, on_readable);
	return PLYD_OK;
}

int net_listen(struct net *n, const struct listener_options *options,
	       struct listener **out, char why[NET_WHY_MAX])
{
	struct listener *l = calloc(1, sizeof(*l));
	*out = NULL;
	why[0] = '\0';
	if (!l)
		return PLYD_ENOMEM;
	l->options = *options;
	l->options.conns_max = conns_max_of(options);
	if (options->conns_per_address_max == 0)
		l->options.conns_per_address_max = l->options.conns_max;
	int err = options->fd     ? socket_taken(options->fd, &l->fd, why)
		  : options->path ? path_listen(options->path, &l->fd, why)
				  : listener_socket(options, &l->fd, why);
	if (err) {
		free(l);
		return err;
	}
	l->spare_fd = open_spare();
	err = listener_start(n, l);
	if (err) {
		close(l->fd);
		close(l->spare_fd);
		free(l);
		return err;
	}
	*out = l;
	return PLYD_OK;
}

unsigned socket_port(int fd)
{
	struct sockaddr_in6 bound = { 0 }; /* sin_port lies at the same place */
	socklen_t len = sizeof(bound);
	getsockname(fd, (struct sockaddr *)&bound, &len);
	return ntohs(bound.sin6_port);
}

unsigned listener_port(const struct listener *l)
{
	return socket_port(l->fd);
}

unsigned listener_conns(const struct listener *l)
{
	return l->conns;
}

uint64_t listener_refused(const struct listener *l)
{
	return l->refused;
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct listener *l = handle->data;
	l->handles--;
	listener_free_if_done(l);
}

void listener_free(struct listener *l)
{
	if (!l || uv_is_closing((uv_handle_t *)&l->poll))
		return;
	uv_close((uv_handle_t *)&l->poll, on_handle_closed);
	uv_close((uv_handle_t *)&l->pause, on_handle_closed);
	if (l->options.path && !l->handed_over)
		unlink(l->options.path);
	close(l->fd);
	if (l->spare_fd >= 0)
		close(l->spare_fd);
}
