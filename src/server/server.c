/* SPDX-License-Identifier: MIT */
#include "server/server_priv.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "proto/write.h"
#include "server/notify.h"
#include "server/pages.h"
#include "server/question.h"

static uint64_t now_ms(void *payload)
{
	struct server *s = payload;
	return clock_look(&s->clock, net_now_ms());
}

/* -- what the hub asks for -- */

static struct peer *find_peer(struct server *s, uint64_t number)
{
	return numbered_find(&s->peers, number);
}

/* Closes behind what waits: there is room kept for the last words. */
static void give_up(struct peer *p, int err)
{
	struct server *s = p->server;
	log_event(LOG_INFO, "a slow reader was disconnected",
		  "conn=%llu peer=%s why=%s", (unsigned long long)p->number,
		  conn_peer(p->conn), plyd_err_name(err));
	buf_clear(&s->last_words);
	rpc_closing(&s->last_words, err, NULL, NULL, NULL);
	conn_set_queue_max(p->conn,
			   (size_t)s->config->limits_write_queue_bytes +
				   LAST_WORDLIST_MAX);
	conn_send(p->conn, buf_span(&s->last_words));
	conn_close(p->conn);
}

static void send_by(int (*send)(struct conn *c, struct span bytes),
		    struct peer *p, struct span bytes)
{
	int err = p ? send(p->conn, bytes) : PLYD_OK;
	if (err == PLYD_ESLOW || err == PLYD_ENOMEM)
		give_up(p, err);
}

static void hub_wants_send(void *payload, uint64_t conn, struct span bytes)
{
	send_by(conn_send, find_peer(payload, conn), bytes);
}

static void hub_wants_send_later(void *payload, uint64_t conn,
				 struct span bytes)
{
	send_by(conn_send_later, find_peer(payload, conn), bytes);
}

static size_t hub_asks_queued(void *payload, uint64_t conn)
{
	const struct peer *p = find_peer(payload, conn);
	return p ? conn_queued(p->conn) : 0;
}

static void hub_wants_read(void *payload, uint64_t conn, bool on)
{
	struct peer *p = find_peer(payload, conn);
	if (p)
		conn_set_reading(p->conn, on);
}

static void hub_wants_close(void *payload, uint64_t conn)
{
	struct peer *p = find_peer(payload, conn);
	if (p)
		conn_close(p->conn);
}

static void hub_wants_thought(void *payload, const struct match *m,
			      enum awaits asked)
{
	struct server *s = payload;
	enum kept_by by =
		question_side(m, asked) == WHITE ? KEPT_WHITE : KEPT_BLACK;
	thinkers_ask(s->thinkers, m, asked, now_ms(s),
		     domain_kept(hub_domain(s->hub), &m->id, by));
}

static void hub_wants_verdict(void *payload, const struct match *m)
{
	struct server *s = payload;
	judges_ask(s->judges, m,
		   domain_kept(hub_domain(s->hub), &m->id, KEPT_POLICY));
}

/* What admin.status says: "policy own", by and by all; NULL: no more. */
static const char *hub_asks_quarantine(void *payload, size_t n)
{
	struct server *s = payload;
	const struct version *v;
	for (v = s->versions->all; v; v = v->hh.next) {
		const struct unit *u =
			scripts_find(s->scripts, v->kind, v->name);
		bool old = !u || u->version != v;
		if (!conduct_is_quarantined(v) || n-- > 0)
			continue;
		snprintf(s->quarantined, sizeof(s->quarantined), "%s %s%s%s",
			 conduct_kind_name(v), v->name, old ? " " : "",
			 old ? v->hash : "");
		return s->quarantined;
	}
	return NULL;
}

static void hub_asks_stats(void *payload, struct buf *b)
{
	struct server *s = payload;
	monitor_stats(&s->monitor, b);
}

static int hub_wants_reload(void *payload, uint64_t conn, uint32_t msgid)
{
	return reload_start(((struct server *)payload)->reload, conn, msgid);
}

static void hub_wants_hash(void *payload, const struct hashing *what)
{
	hasher_work(((struct server *)payload)->hasher, what);
}

static void hub_appends(void *payload, uint64_t row, const struct id *match,
			uint64_t prev, struct span bytes)
{
	journal_append(&((struct server *)payload)->journal, row, match, prev,
		       bytes);
}

static void hub_keeps_secret(void *payload, const struct id *match,
			     struct span bytes)
{
	journal_secret(&((struct server *)payload)->journal, match, bytes);
}

static void hub_finishes(void *payload, const struct hub_ending *e)
{
	journal_finish(&((struct server *)payload)->journal, e);
}

static void hub_writes_snapshot(void *payload, uint64_t row, struct span bytes)
{
	journal_snapshot(&((struct server *)payload)->journal, row, bytes);
}

static int hub_submits(void *payload)
{
	return journal_submit(&((struct server *)payload)->journal);
}

static void hub_wants_warm(void *payload, uint64_t conn)
{
	const struct peer *p = find_peer(payload, conn);
	if (p)
		conn_warm(p->conn);
}

/* -- rounds: input, then one flush -- */

/* Half-closed peers have had their answers when nothing waits any more. */
static void close_half_closed(struct server *s)
{
	struct peer *p;
	if (!s->any_half_closed || hub_counts(s->hub).waiting > 0)
		return;
	for (size_t at = 0; (p = numbered_next(&s->peers, &at));)
		if (p->half_closed)
			conn_close(p->conn);
	s->any_half_closed = false;
}

static void set_tick(struct server *s)
{
	uint64_t now = now_ms(s);
	uint64_t due = hub_next_due_ms(s->hub);
	uint64_t wait = due > now ? due - now : 0;
	if (wait > CLOCK_HEARTBEAT_MS)
		wait = CLOCK_HEARTBEAT_MS;
	s->tick_due_us = net_now_us() + wait * 1000;
	net_timer_start(s->tick, wait);
}

void server_finish_round(struct server *s)
{
	s->round_waits = s->turn_waits = true;
}

static void finish_round(struct server *s, uint64_t at_ms)
{
	while (s->round_waits) {
		s->round_waits = false;
		hub_flush(s->hub, at_ms);
		if (s->journal.answered) {
			journal_answer(&s->journal, at_ms);
			s->round_waits = true;
		}
	}
}

/* All that arrived in one turn of the loop goes into one commit. */
static void on_turn(void *payload)
{
	struct server *s = payload;
	if (!s->turn_waits)
		return;
	s->turn_waits = false;
	finish_round(s, now_ms(s));
	close_half_closed(s);
	if (!s->stopping)
		set_tick(s);
}

static void on_tick(void *payload)
{
	struct server *s = payload;
	uint64_t now_us = net_now_us();
	histogram_add(&s->lag,
		      now_us > s->tick_due_us ? now_us - s->tick_due_us : 0);
	stderr_log_tick();
	pages_extend();
	hub_tick(s->hub, now_ms(s), unix_now_ms());
	server_finish_round(s);
}

/* Plans are looked at now and then; what was made already is not made again. */
static void on_plans(void *payload)
{
	struct server *s = payload;
	plans_hold(s->scripts, s->hub, now_ms(s), unix_now_ms());
	net_timer_start(s->plans, PLANS_LOOK_MS);
	server_finish_round(s);
}

static void on_store_wake(void *payload)
{
	struct server *s = payload;
	journal_poll(&s->journal);
	server_finish_round(s);
}

static void on_thought(void *payload, const struct id *match,
		       const struct cmd_thought *thought)
{
	struct server *s = payload;
	hub_thought(s->hub, match, thought, now_ms(s), unix_now_ms());
	server_finish_round(s);
}

static void on_verdict(void *payload, const struct id *match,
		       const struct cmd_verdict *verdict)
{
	struct server *s = payload;
	hub_verdict(s->hub, match, verdict, now_ms(s), unix_now_ms());
}

static void on_verdicts_told(void *payload)
{
	server_finish_round(payload);
}

static void on_hashed(void *payload, uint64_t job, bool fits, struct span hash)
{
	struct server *s = payload;
	hub_hashed(s->hub, job, fits, hash, now_ms(s), unix_now_ms());
	server_finish_round(s);
}

/* -- connections -- */

static void on_soon(void *payload, struct conn *c)
{
	const struct peer *p = payload;
	(void)c;
	hub_expect(p->server->hub, p->number);
}

static void on_bytes(void *payload, struct conn *c, struct span bytes)
{
	struct peer *p = payload;
	struct server *s = p->server;
	uint64_t at_ms = now_ms(s);
	(void)c;
	hub_bytes(s->hub, p->number, bytes, at_ms, unix_now_ms());
	server_finish_round(s);
	/* without a commit to share, what is to be sent need not grow old in
	 * the outbox, out of the processor's cache */
	if (s->journal.at_once)
		finish_round(s, at_ms);
}

static void on_drained(void *payload, struct conn *c)
{
	struct peer *p = payload;
	(void)c;
	server_finish_round(p->server);
}

static void on_eof(void *payload, struct conn *c)
{
	struct peer *p = payload;
	(void)c;
	p->half_closed = true;
	p->server->any_half_closed = true;
	server_finish_round(p->server);
}

static void on_closed(void *payload, struct conn *c, enum conn_end end,
		      const char *detail)
{
	struct peer *p = payload;
	struct server *s = p->server;
	(void)detail;
	log_event(LOG_DEBUG, "connection ended", "conn=%llu peer=%s how=%s",
		  (unsigned long long)p->number, conn_peer(c),
		  conn_end_name(end));
	numbered_drop(&s->peers, p->number);
	if (!s->stopping) {
		hub_disconnected(s->hub, p->number, now_ms(s));
		server_finish_round(s);
	}
	free(p);
}

/* The address of a peer without its port. */
static void address_of(const char *peer, char *out, size_t size)
{
	snprintf(out, size, "%s", peer);
	char *colon = strrchr(out, ':');
	if (colon)
		*colon = '\0';
}

/* A new connection under the next number; NULL: no memory, it is closed. */
static struct peer *peer_add(struct server *s, struct conn *c)
{
	static const struct conn_callbacks callbacks = {
		.on_soon = on_soon,
		.on_bytes = on_bytes,
		.on_eof = on_eof,
		.on_drained = on_drained,
		.on_closed = on_closed,
	};
	struct peer *p = calloc(1, sizeof(*p));
	if (!p) {
		conn_abort(c);
		return NULL;
	}
	p->number = ++s->last_number;
	p->conn = c;
	p->server = s;
	if (numbered_add(&s->peers, p)) {
		free(p);
		conn_abort(c);
		return NULL;
	}
	conn_set_callbacks(c, &callbacks, p);
	conn_set_queue_max(c, (size_t)s->config->limits_write_queue_bytes);
	return p;
}

static void on_accept(void *payload, struct conn *c)
{
	struct server *s = payload;
	char address[NET_PEER_MAX];
	struct peer *p = peer_add(s, c);
	if (!p)
		return;
	address_of(conn_peer(c), address, sizeof(address));
	if (hub_connected(s->hub, p->number, address, now_ms(s)))
		conn_close(c);
	set_tick(s);
}

static void on_accept_operator(void *payload, struct conn *c)
{
	struct server *s = payload;
	struct peer *p = peer_add(s, c);
	if (p && hub_connected_operator(s->hub, p->number, now_ms(s)))
		conn_close(c);
	set_tick(s);
}

static struct span on_refuse(void *payload, int err)
{
	struct server *s = payload;
	buf_clear(&s->last_words);
	rpc_closing(&s->last_words, err, NULL, NULL, NULL);
	return buf_span(&s->last_words);
}

/* -- start and end -- */

/* Somebody is in a hurry: last words are no longer waited for. The loop is not
 * stopped, since what ends in it still uses the server. */
static void hurry(struct server *s)
{
	struct peer *p;
	for (size_t at = 0; (p = numbered_next(&s->peers, &at));)
		conn_abort(p->conn);
}

static void on_signal(void *payload, int number)
{
	struct server *s = payload;
	if (number == SIGHUP) {
		/* one more is done when the one under way is */
		if (!s->stopping &&
		    reload_start(s->reload, 0, 0) == PLYD_ENOMEM)
			log_event(LOG_ERROR, "scripts cannot be read again",
				  "why=%s", "memory");
		return;
	}
	if (s->stopping) {
		hurry(s);
		return;
	}
	if (number == SIGUSR1) {
		upgrade_wanted(s);
		return;
	}
	log_event(LOG_INFO, "stopping", "signal=%d connections=%zu matches=%zu",
		  number, hub_counts(s->hub).connections,
		  domain_match_count(hub_domain(s->hub)));
	s->stopping = true;
	if (!s->handing_over)
		notify_manager("STOPPING=1\nSTATUS=Stopping");
	net_stop(s->net);
}

static void hub_wants_stop(void *payload)
{
	struct server *s = payload;
	log_event(LOG_INFO, "stopping", "why=operator connections=%zu",
		  hub_counts(s->hub).connections);
	s->stopping = true;
	net_stop(s->net);
}

static int start_hub(struct server *s, char *why)
{
	struct entropy entropy;
	struct hub_limits limits;
	struct domain *d;
	const struct hub_ops ops = {
		.payload = s,
		.send = hub_wants_send,
		.send_later = hub_wants_send_later,
		.close = hub_wants_close,
		.queued = hub_asks_queued,
		.read = hub_wants_read,
		.warm = hub_wants_warm,
		.append = hub_appends,
		.secret = hub_keeps_secret,
		.finish = hub_finishes,
		.snapshot = hub_writes_snapshot,
		.submit = hub_submits,
		.think = hub_wants_thought,
		.judge = hub_wants_verdict,
		.quarantined = hub_asks_quarantine,
		.stats = hub_asks_stats,
		.hash = hub_wants_hash,
		.record = hub_wants_record,
		.rows = hub_wants_rows,
		.list = hub_wants_list,
		.reload = hub_wants_reload,
		.stop = hub_wants_stop,
		.errand = hub_wants_errand,
	};
	char store_why[STORE_WHY_MAX];
	int err = journal_replay(&s->journal, &d, store_why);
	if (err) {
		snprintf(why, SCRIPTS_WHY_MAX, "%s", store_why);
		return err;
	}
	clock_start(&s->clock, domain_now_ms(d), net_now_ms());
	config_hub_limits(s->config, &limits);
	if (s->journal.at_once) /* none is kept */
		limits.snapshot_facts = INT64_MAX;
	if (s->config->dev)
		entropy_from_seed(&entropy, ~domain_last_row(d));
	else
		entropy_from_system(&entropy);
	err = hub_new(&s->hub, d, &limits, &ops, &entropy);
	s->journal.hub = s->hub;
	return err;
}

static int start_hasher(struct server *s)
{
	const struct config *c = s->config;
	const struct hash_cost cost = {
		.ops = (uint64_t)c->accounts_hash_passes,
		.memory_bytes = (uint64_t)c->accounts_hash_memory_kib * 1024,
	};
	const struct hasher_ops ops = { s, on_hashed };
	s->hasher = hasher_new(s->net, (size_t)c->accounts_hashes_waiting,
			       &cost, &ops);
	return s->hasher ? PLYD_OK : PLYD_ENOMEM;
}

static int start_listening(struct server *s, char *why)
{
	char port[16], at[CONFIG_TEXT_MAX + 16];
	snprintf(port, sizeof(port), "%lld", (long long)s->config->listen_port);
	server_address(s, at, sizeof(at));
	struct listener_options options = {
		.host = s->config->listen_host,
		.port = port,
		.fd = !strcmp(at, s->handover->at) ? s->handover->listener : 0,
		.conns_max = (unsigned)s->config->limits_connections,
		.conns_per_address_max =
			(unsigned)s->config->limits_connections_per_address,
		.on_accept = on_accept,
		.on_refuse = on_refuse,
		.payload = s,
	};
	char config_why[CONFIG_WHY_MAX]; /* main.c has looked already */
	int err = config_proxies(s->config, &options.proxies, config_why);
	return err ? err : net_listen(s->net, &options, &s->listener, why);
}

/* The data directory is ours by its lock, so a socket in it is a stale one. */
static int start_console(struct server *s, char *why)
{
	const struct config *c = s->config;
	struct listener_options options = {
		.path = s->socket_path,
		.conns_max = OPERATORS_MAX,
		.on_accept = on_accept_operator,
		.on_refuse = on_refuse,
		.payload = s,
	};
	if (c->admin_socket[0] == '/')
		snprintf(s->socket_path, sizeof(s->socket_path), "%s",
			 c->admin_socket);
	else
		snprintf(s->socket_path, sizeof(s->socket_path), "%s/%s",
			 c->data_directory, c->admin_socket);
	if (!strcmp(s->socket_path, s->handover->path))
		options.fd = s->handover->console;
	return net_listen(s->net, &options, &s->operators, why);
}

static int start_monitor(struct server *s, char *why)
{
	s->monitor.source = (struct metrics_source){
		.hub = s->hub,
		.journal = &s->journal,
		.thinkers = s->thinkers,
		.judges = s->judges,
		.versions = s->versions,
		.listener = s->listener,
		.clock = &s->clock,
		.lag = &s->lag,
		.data_directory = s->config->data_directory,
	};
	return monitor_start(&s->monitor, s->net, s->config, why);
}

static int start(struct server *s, const struct server_options *o, char *why)
{
	char store_why[STORE_WHY_MAX] = "", net_why[NET_WHY_MAX] = "";
	const struct thinkers_ops thinkers = { s, on_thought };
	const struct judges_ops judges = { s, on_verdict, on_verdicts_told };
	s->versions = o->versions;
	s->scripts = o->scripts;
	s->journal.scripts = o->scripts;
	s->journal.now_ms = now_ms;
	s->journal.payload = s;
	s->tick = net_timer_new(s->net, on_tick, s);
	s->plans = net_timer_new(s->net, on_plans, s);
	if (!s->tick || !s->plans)
		return PLYD_ENOMEM;
	int err = journal_open(&s->journal, s->net, o->config, o->vfs,
			       s->handover->lock, store_why);
	if (err) {
		snprintf(why, SCRIPTS_WHY_MAX, "%s", store_why);
		return err;
	}
	err = start_hub(s, why);
	if (!err)
		err = start_hasher(s);
	if (!err)
		err = server_reload_start(s, o);
	if (err)
		return err;
	hub_set_wordlist(s->hub, o->words);
	err = thinkers_new(s->net, o->worker, o->scripts, o->versions,
			   o->config, &thinkers, &s->thinkers, net_why);
	if (!err)
		err = judges_new(s->net, o->worker, o->scripts, o->versions,
				 o->config, &judges, &s->judges, net_why);
	if (!err)
		err = start_console(s, net_why);
	if (!err)
		err = start_listening(s, net_why);
	if (!err)
		err = errands_start(s, o);
	if (!err)
		err = start_monitor(s, net_why);
	if (!err)
		err = net_on_signal(s->net, on_signal, s);
	if (err && net_why[0])
		snprintf(why, SCRIPTS_WHY_MAX, "%s", net_why);
	return err;
}

static void say_ready(const struct server *s, const struct server_options *o)
{
	printf("plyd %s listens on %s:%u, data in %s (durability %s), %zu "
	       "rulesets, %zu personalities",
	       PLYD_VERSION, o->config->listen_host, listener_port(s->listener),
	       o->config->data_directory, o->config->data_durability,
	       o->scripts->rules_count, o->scripts->personality_count);
	if (s->monitor.http)
		printf(", metrics at %s:%u", o->config->http_host,
		       http_port(s->monitor.http));
	putchar('\n');
	fflush(stdout);
	notify_manager("READY=1\nSTATUS=Serving");
	if (strcmp(o->config->data_durability, "full"))
		log_event(LOG_WARNING,
			  "durability is less than full: a power cut may take "
			  "acknowledged moves",
			  "durability=%s", o->config->data_durability);
}

static void stop(struct server *s)
{
	s->stopping = true;
	errands_stop(s);
	monitor_stop(&s->monitor);
	listener_free(s->listener);
	listener_free(s->operators);
	if (s->hub) {
		hub_close_all(s->hub, PLYD_ESHUTDOWN,
			      s->handing_over ? "upgrade" : "stop",
			      s->handing_over
				      ? UPGRADE_RETRY_MS
				      : s->config->admin_retry_after_ms);
		if (hub_is_writable(s->hub))
			hub_snapshot(s->hub);
		hub_flush(s->hub, now_ms(s));
	}
	reload_free(s->reload);
	thinkers_free(s->thinkers);
	judges_free(s->judges);
	hasher_free(s->hasher);
	net_on_wake(s->net, NULL, NULL);
	net_on_turn(s->net, NULL, NULL);
	if (s->journal.net)
		journal_close(&s->journal);
	net_timer_free(s->tick);
	net_timer_free(s->plans);
}

int server_run(struct net *n, const struct server_options *options,
	       bool *upgrade, char why[SCRIPTS_WHY_MAX])
{
	*upgrade = false;
	struct server *s = calloc(1, sizeof(*s));
	if (!s)
		return PLYD_ENOMEM;
	s->net = n;
	s->config = options->config;
	s->handover = options->handover;
	why[0] = '\0';
	buf_init(&s->last_words, LAST_WORDLIST_MAX);
	int err = start(s, options, why);
	if (!err) {
		net_on_wake(n, on_store_wake, s);
		net_on_turn(n, on_turn, s);
		hub_wake(s->hub, now_ms(s), unix_now_ms());
		server_finish_round(s);
		net_timer_start(s->plans, 0);
		handover_close(s->handover);
		say_ready(s, options);
		net_run(n);
		if (s->handing_over)
			hand_over(s);
	} else if (!why[0]) {
		snprintf(why, SCRIPTS_WHY_MAX, "%s", plyd_err_text(err));
	}
	stop(s);
	net_run(n); /* last words leave; children end */
	net_on_signal(n, NULL, NULL);
	hub_free(s->hub);
	numbered_release(&s->peers);
	buf_release(&s->last_words);
	*upgrade = s->handing_over;
	free(s);
	return err;
}
