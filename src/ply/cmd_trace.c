/* SPDX-License-Identifier: MIT
 * cmd_trace.c - `ply trace`: a proxy that shows what it passes on, or a file. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "net/conn.h"
#include "net/listener.h"
#include "ply/address.h"
#include "ply/command.h"
#include "ply/link.h"
#include "ply/terminal.h"
#include "ply/trace.h"

enum {
	QUEUE_MAX = 8 * 1024 * 1024,
	CONNS_MAX = 1000,
	US_PER_S = 1000000,
	NS_PER_US = 1000
};

enum {
	OPTION_LISTEN = 'l',
	OPTION_TO = 't',
	OPTION_WRITE = 'w',
	OPTION_JSON = 'j',
	OPTION_FULL = 'f',
	OPTION_SECRETS = 256
};

static const struct argp_option options[] = {
	{ "listen", OPTION_LISTEN, "[HOST:]PORT", 0,
	  "Where clients connect instead (this machine only, if there is no "
	  "HOST)",
	  0 },
	{ "to", OPTION_TO, "HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ "write", OPTION_WRITE, "FILE", 0,
	  "Keep a capture as well; passwords and tokens are in it", 0 },
	{ "full", OPTION_FULL, NULL, 0,
	  "Whole lines, also where the terminal is narrower", 0 },
	{ "json", OPTION_JSON, NULL, 0, "An object of JSON for each message",
	  0 },
	{ "secrets", OPTION_SECRETS, NULL, 0, "Show passwords and tokens", 0 },
	{ 0 },
};

struct proxy {
	const char *who;
	const char *listen, *to, *file, *write;
	bool full;
	struct address address;
	struct net *net;
	struct listener *listener;
	struct trace trace;
	unsigned conns; /* so far */
};

/* A client and its connection to the server. */
struct pair {
	struct proxy *proxy;
	struct trace_stream stream;
	struct conn *end[2]; /* 0 the client, 1 the server; NULL: closed */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct proxy *p = state->input;
	switch (key) {
	case OPTION_LISTEN: p->listen = arg; break;
	case OPTION_TO: p->to = arg; break;
	case OPTION_WRITE: p->write = arg; break;
	case OPTION_FULL: p->full = true; break;
	case OPTION_JSON: p->trace.json = true; break;
	case OPTION_SECRETS: p->trace.secrets = true; break;
	case ARGP_KEY_ARG:
		if (p->file)
			argp_usage(state);
		p->file = arg;
		break;
	case ARGP_KEY_END:
		if (!p->file == !p->listen)
			argp_error(state, "either --listen, or a FILE");
		if (p->file && p->write)
			argp_error(state, "--write is for --listen");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* -- passing on -- */

static int64_t unix_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * US_PER_S + t.tv_nsec / NS_PER_US;
}

static void on_bytes(void *payload, struct conn *c, struct span bytes)
{
	struct pair *p = payload;
	bool from_server = c == p->end[1];
	struct conn *other = p->end[!from_server];
	trace_feed(&p->stream, from_server, bytes, unix_us());
	if (!other || conn_send(other, bytes)) {
		conn_abort(c);
		return;
	}
	/* whoever reads slowly slows the other, as without us */
	if (conn_queued(other) > QUEUE_MAX / CONN_PAUSE_PART)
		conn_set_reading(c, false);
}

static void on_drained(void *payload, struct conn *c)
{
	struct pair *p = payload;
	struct conn *other = p->end[c == p->end[0]];
	if (other)
		conn_set_reading(other, true);
}

static void on_closed(void *payload, struct conn *c, enum conn_end end,
		      const char *detail)
{
	struct pair *p = payload;
	char text[NET_WHY_MAX];
	bool is_server = c == p->end[1];
	snprintf(text, sizeof(text), "the %s closed: %s",
		 is_server ? "server" : "client",
		 detail[0] ? detail : conn_end_name(end));
	p->end[is_server] = NULL;
	if (p->end[!is_server]) {
		trace_note(&p->stream, text, unix_us());
		conn_close(p->end[!is_server]);
		return;
	}
	trace_stream_release(&p->stream);
	free(p);
}

static const struct conn_callbacks callbacks = {
	.on_bytes = on_bytes,
	.on_drained = on_drained,
	.on_closed = on_closed,
};

static void on_orphan_closed(void *payload, struct conn *c, enum conn_end end,
			     const char *detail)
{
	(void)payload, (void)c, (void)end, (void)detail;
}

/* Of a client that there is no memory for. */
static const struct conn_callbacks orphan = { .on_closed = on_orphan_closed };

static void on_accept(void *payload, struct conn *c)
{
	struct proxy *proxy = payload;
	struct pair *p = calloc(1, sizeof(*p));
	char text[NET_WHY_MAX];
	if (!p || net_connect(proxy->net, proxy->address.host,
			      proxy->address.port, &callbacks, p, &p->end[1])) {
		conn_set_callbacks(c, &orphan, NULL);
		conn_abort(c);
		free(p);
		return;
	}
	p->proxy = proxy;
	p->end[0] = c;
	trace_stream_init(&p->stream, &proxy->trace, ++proxy->conns);
	conn_set_callbacks(c, &callbacks, p);
	conn_set_queue_max(p->end[0], QUEUE_MAX);
	conn_set_queue_max(p->end[1], QUEUE_MAX);
	snprintf(text, sizeof(text), "%s connected", conn_peer(c));
	trace_note(&p->stream, text, unix_us());
}

static void on_signal(void *payload, int signal)
{
	struct proxy *p = payload;
	(void)signal;
	net_stop(p->net);
}

/* -- life -- */

static bool complain(const struct proxy *p, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", p->who, what, why);
	return false;
}

static bool listen_at(struct proxy *p)
{
	char why[NET_WHY_MAX], text[HOST_MAX + PORT_MAX];
	struct address at;
	snprintf(text, sizeof(text), "%s%s",
		 strchr(p->listen, ':') ? "" : "127.0.0.1:", p->listen);
	if (!address_read(text, &at) || at.tls)
		return complain(p, p->listen, "is no [HOST:]PORT");
	if (!address_read(p->to, &p->address) || p->address.tls)
		return complain(p, p->to, "is no HOST:PORT");
	const struct listener_options listener = {
		.host = at.host,
		.port = at.port,
		.conns_max = CONNS_MAX,
		.on_accept = on_accept,
		.payload = p,
	};
	if (net_new(&p->net) || net_on_signal(p->net, on_signal, p))
		return complain(p, "cannot begin", plyd_err_text(PLYD_ENOMEM));
	if (net_listen(p->net, &listener, &p->listener, why))
		return complain(p, "cannot listen", why);
	return true;
}

/* True: all was shown until somebody ended it. */
static bool run_proxy(struct proxy *p)
{
	if (p->write && (!(p->trace.save = fopen(p->write, "w")) ||
			 !trace_save_begin(p->trace.save)))
		return complain(p, p->write, strerror(errno));
	if (!listen_at(p))
		return false;
	fprintf(stderr, "%s: port %u leads to %s; Ctrl-C ends it\n", p->who,
		listener_port(p->listener), p->to);
	net_run(p->net);
	return true;
}

static bool show_file(struct proxy *p)
{
	FILE *f = strcmp(p->file, "-") ? fopen(p->file, "r") : stdin;
	const char *why = f ? trace_read(&p->trace, f) : strerror(errno);
	if (f && f != stdin)
		fclose(f);
	return why ? complain(p, p->file, why) : true;
}

static bool proxy_close(struct proxy *p, bool good)
{
	listener_free(p->listener);
	net_free(p->net);
	doc_free(p->trace.doc);
	if (p->trace.save && fclose(p->trace.save))
		good = complain(p, p->write, strerror(errno));
	return good;
}

static size_t terminal_width(void)
{
	struct winsize size;
	return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)
		       ? size.ws_col
		       : 0;
}

int cmd_trace(int argc, char **argv)
{
	static struct proxy p;
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "--listen PORT\nFILE",
		.doc = "Show what passes between clients and a server, a line "
		       "a "
		       "message: of clients that connect to a port of ours "
		       "instead, or of a capture.\v"
		       "-> is a request, with its id; <- its response with the "
		       "time it took, or a notification. A FILE is a capture "
		       "of --write, or the bare bytes of one direction, such "
		       "as `nc' or `tcpflow' keep them; -: standard input.",
	};
	p.who = argv[0];
	p.to = LINK_SERVER_DEFAULT;
	argp_parse(&argp, argc, argv, 0, NULL, &p);
	p.trace.out = stdout;
	p.trace.colour = terminal_has_colour();
	p.trace.width = p.full ? 0 : terminal_width();
	setvbuf(stdout, NULL, _IOLBF, 0);
	bool good = (p.trace.doc = doc_new()) &&
		    (p.file ? show_file(&p) : run_proxy(&p));
	return proxy_close(&p, good) ? PLY_OK : PLY_UNREADABLE;
}
