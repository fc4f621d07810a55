/* SPDX-License-Identifier: MIT */
#include "net/child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>
#include "net/conn_priv.h"

struct child {
	struct net_owner owner;
	struct net *net;
	struct child_options options;
	uv_process_t process;
	uv_timer_t deadline;
	struct conn *conn; /* NULL: closed */
	unsigned handles;  /* not yet closed */
	bool spawned, exited;
	int status, signal;
};

/* ---- the end ----------------------------------------------------------- */

static void on_handle_closed(uv_handle_t *handle)
{
	struct child *c = handle->data;
	if (--c->handles > 0)
		return;
	c->net->lives--;
	if (c->spawned)
		c->options.on_exit(c->options.payload, c, c->status, c->signal);
	free(c);
}

/* When the process has exited and its last bytes were told. */
static void finish_if_done(struct child *c)
{
	if (!c->exited || c->conn)
		return;
	uv_close((uv_handle_t *)&c->process, on_handle_closed);
	uv_close((uv_handle_t *)&c->deadline, on_handle_closed);
}

/* Either it does not exit though its socket is closed, or a child of its own
 * keeps the socket open though it has exited. */
static void on_deadline(uv_timer_t *timer)
{
	struct child *c = timer->data;
	if (c->conn)
		conn_abort(c->conn);
	child_kill(c);
}

static void on_process_exit(uv_process_t *process, int64_t status, int signal)
{
	struct child *c = process->data;
	c->exited = true;
	c->status = (int)status;
	c->signal = signal;
	if (c->conn)
		net_start_timer(&c->deadline, on_deadline, CHILD_EXIT_MS);
	finish_if_done(c);
}

/* ---- its socket -------------------------------------------------------- */

static void on_bytes(void *payload, struct conn *conn, struct span bytes)
{
	struct child *c = payload;
	(void)conn;
	c->options.on_bytes(c->options.payload, c, bytes);
}

static void on_closed(void *payload, struct conn *conn, enum conn_end end,
		      const char *detail)
{
	struct child *c = payload;
	(void)conn;
	(void)end;
	(void)detail;
	c->conn = NULL;
	if (!c->exited)
		net_start_timer(&c->deadline, on_deadline, CHILD_EXIT_MS);
	finish_if_done(c);
}

static const struct conn_callbacks conn_callbacks = {
	.on_bytes = on_bytes,
	.on_closed = on_closed,
};

/* ---- spawning ---------------------------------------------------------- */

static void child_stop_owner(struct net_owner *owner)
{
	child_kill((struct child *)owner);
}

static struct conn *conn_piped(struct net *n)
{
	struct conn *conn = conn_new(n);
	if (!conn)
		return NULL;
	uv_pipe_init(&n->loop, &conn->io.pipe, 0);
	conn->io.handle.data = conn;
	conn->io_open = true;
	conn->pending++;
	return conn;
}

static int process_start(struct child *c)
{
	const struct child_options *o = &c->options;
	uv_stdio_container_t stdio[CHILD_FD + 1] = {
		{ .flags = UV_IGNORE },
		{ .flags = UV_IGNORE },
		{ .flags = o->stderr_null ? UV_IGNORE : UV_INHERIT_FD,
		  .data.fd = 2 },
		{ .flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE,
		  .data.stream = &c->conn->io.stream },
	};
	uv_process_options_t options = {
		.exit_cb = on_process_exit,
		.file = o->path,
		.args = (char **)o->argv,
		.env = (char **)o->env,
		.stdio_count = CHILD_FD + 1,
		.stdio = stdio,
	};
	return uv_spawn(&c->net->loop, &c->process, &options);
}

/* A process that never was ends without a word. */
static void abandon(struct child *c)
{
	conn_end(c->conn, CONN_END_ABORTED, 0);
	c->conn = NULL;
	c->exited = true;
	finish_if_done(c);
}

int child_spawn(struct net *n, const struct child_options *options,
		struct child **out, char why[NET_WHY_MAX])
{
	struct child *c = calloc(1, sizeof(*c));
	struct conn *conn = c ? conn_piped(n) : NULL;
	*out = NULL;
	why[0] = '\0';
	if (!conn) {
		free(c);
		return PLYD_ENOMEM;
	}
	*c = (struct child){ .net = n, .options = *options, .conn = conn };
	c->owner.stop = child_stop_owner;
	c->owner.is_life = true;
	uv_timer_init(&n->loop, &c->deadline);
	int rc = process_start(c);
	c->process.data = c->deadline.data = c;
	c->handles = 2;
	n->lives++;
	if (rc < 0) {
		snprintf(why, NET_WHY_MAX, "cannot start '%.160s': %s",
			 options->path, uv_strerror(rc));
		abandon(c);
		return PLYD_EIO;
	}
	c->spawned = true;
	conn_set_callbacks(conn, &conn_callbacks, c);
	snprintf(conn->peer, sizeof(conn->peer), "%.40s[%d]", options->path,
		 c->process.pid);
	conn_opened(conn);
	*out = c;
	return PLYD_OK;
}

int child_send(struct child *c, struct span bytes)
{
	return c->conn ? conn_send(c->conn, bytes) : PLYD_EIO;
}

void child_set_queue_max(struct child *c, size_t bytes)
{
	if (c->conn)
		conn_set_queue_max(c->conn, bytes);
}

int child_pid(const struct child *c)
{
	return c->process.pid;
}

void child_close(struct child *c)
{
	if (c->conn)
		conn_close(c->conn);
}

void child_kill(struct child *c)
{
	if (!c->exited)
		uv_process_kill(&c->process, SIGKILL);
}
