/* SPDX-License-Identifier: MIT */
#include "ply/errand.h"

#include <stdio.h>

#include "ply/command.h"
#include "proto/write.h"

struct run {
	const struct errand *errand;
	struct net *net;
	struct link *link;
	int status;
	bool answered;
};

void server_complaint(const char *who, const char *server, const char *why)
{
	fprintf(stderr, "%s: %s\n", who, why);
	if (!server)
		fprintf(stderr,
			"%s: `make run' starts a server here; --server "
			"HOST:PORT names another\n",
			who);
}

static void complain(const char *who, int err)
{
	fprintf(stderr, "%s: %s\n", who,
		err == PLYD_EVALUE
			? "a server is written HOST:PORT, or tls://HOST:PORT"
			: plyd_err_text(err));
}

bool errand_link(struct link **out, struct net *n, struct link_options *options,
		 const struct login *login, const char *who)
{
	if (login)
		login_use(login, &options->client);
	int err = link_open(out, n, options);
	if (err)
		complain(who, err);
	return !err;
}

bool errand_follow(struct net **n, struct link **l,
		   struct link_options *options, const struct login *login,
		   void (*on_signal)(void *payload, int signal),
		   const char *who)
{
	*l = NULL;
	int err = net_new(n);
	if (!err)
		err = net_on_signal(*n, on_signal, options->payload);
	if (err)
		complain(who, err);
	bool good = !err && errand_link(l, *n, options, login, who);
	if (good)
		net_run(*n);
	link_free(*l);
	net_free(*n);
	*l = NULL;
	*n = NULL;
	return good;
}

static void path_complaint(const char *who, const char *why)
{
	fprintf(stderr,
		"%s: %s\n%s: it lies in the data directory of a plyd while "
		"that runs, and only the user who runs it may open it; "
		"--socket PATH names another\n",
		who, why, who);
}

static void on_answer(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	struct run *r = payload;
	const struct errand *e = r->errand;
	if (r->answered)
		return;
	r->answered = true;
	if (!error) {
		r->status = e->on_result(e->payload, result);
	} else if (e->on_error) {
		r->status = e->on_error(e->payload, error);
	} else {
		fprintf(stderr, "%s: %s\n", e->who, error->message);
		r->status = PLY_REFUSED;
	}
	net_stop(r->net);
}

static void on_closing(void *payload, const struct client_error *e)
{
	struct run *r = payload;
	link_closing(r->link, e);
}

static void on_ended(void *payload, const char *why)
{
	struct run *r = payload;
	if (!r->answered && r->errand->path)
		path_complaint(r->errand->who, why);
	else if (!r->answered)
		server_complaint(r->errand->who, r->errand->server, why);
	net_stop(r->net);
}

/* What was asked for behind it is refused too, and not waited for. */
static void on_login(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct run *r = payload;
	(void)result;
	if (!error)
		return;
	r->answered = true;
	fprintf(stderr, "%s: %s\n", r->errand->who, error->message);
	r->status = PLY_REFUSED;
	net_stop(r->net);
}

static int log_in(struct run *r)
{
	struct buf map;
	if (!r->errand->operator_token)
		return PLYD_OK;
	buf_init(&map, 1024);
	put_map(&map, 1);
	put_cstr(&map, "token");
	put_cstr(&map, r->errand->operator_token);
	int err = map.err ? map.err
			  : client_request_map(link_client(r->link),
					       "admin.login", map.at, map.len,
					       on_login, r);
	buf_release(&map);
	return err;
}

static const struct client_callbacks callbacks = { .on_closing = on_closing };

static void ask(struct run *r)
{
	const struct errand *e = r->errand;
	int err = log_in(r);
	if (!err)
		err = client_request_map(link_client(r->link), e->method,
					 e->map.at, e->map.len, on_answer, r);
	if (err)
		complain(e->who, err);
	else
		net_run(r->net);
}

int errand_run(const struct errand *e)
{
	struct run r = { .errand = e, .status = PLY_UNREADABLE };
	struct link_options options = {
		.server = e->server,
		.path = e->path,
		.client = { .program = "ply " PLYD_VERSION,
			    .token = e->token,
			    .name = e->name,
			    .is_operator = e->path || e->operator_token },
		.callbacks = &callbacks,
		.on_ended = on_ended,
		.payload = &r,
	};
	if (net_new(&r.net))
		complain(e->who, PLYD_ENOMEM);
	else if (errand_link(&r.link, r.net, &options, e->login, e->who))
		ask(&r);
	link_free(r.link);
	net_free(r.net);
	return r.status;
}
