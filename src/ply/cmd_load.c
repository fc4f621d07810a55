/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ply/command.h"
#include "ply/link.h"
#include "ply/load.h"

enum { S_US = 1000000, MS_US = 1000, FILES_SPARE = 32 };

enum {
	OPTION_SERVER = 's',
	OPTION_PAIRS = 'p',
	OPTION_RULESET = 'r',
	OPTION_QUIET = 'q',
	OPTION_IDLE = 256,
	OPTION_SPECTATORS,
	OPTION_RATE,
	OPTION_THINK,
	OPTION_STEADY,
	OPTION_SECONDS,
	OPTION_GAMES,
	OPTION_WARMUP,
	OPTION_CONNECT,
	OPTION_PING,
	OPTION_CLOCK,
	OPTION_PID,
	OPTION_SEED,
	OPTION_JSON
};

static const struct argp_option options[] = {
	{ "server", OPTION_SERVER, "HOST:PORT", 0,
	  "Server (default: " LINK_SERVER_DEFAULT ")", 0 },
	{ NULL, 0, NULL, 0, "Who comes:", 1 },
	{ "pairs", OPTION_PAIRS, "N", 0,
	  "Pairs of players, two connections each (default: 10)", 1 },
	{ "spectators", OPTION_SPECTATORS, "N", 0,
	  "Connections that watch the matches, evenly (default: 0)", 1 },
	{ "idle", OPTION_IDLE, "N", 0,
	  "Connections that only ping (default: 0)", 1 },
	{ "connect-rate", OPTION_CONNECT, "N", 0,
	  "New connections a second (default: 500)", 1 },
	{ "ping", OPTION_PING, "S", 0,
	  "Seconds between pings of who is idle or watches (default: 60)", 1 },
	{ NULL, 0, NULL, 0, "What they play:", 2 },
	{ "ruleset", OPTION_RULESET, "NAME,...", 0,
	  "Rulesets of the pairs in turn (default: "
	  "english,turkish,backgammon)",
	  2 },
	{ "clock", OPTION_CLOCK, "TIME", 0,
	  "Clock, such as 5+3 or none (default: the ruleset's)", 2 },
	{ "think", OPTION_THINK, "MS", 0,
	  "A move is due so long after the one before it was, on average "
	  "(default: 1000); 0: at once when it can be played",
	  2 },
	{ "rate", OPTION_RATE, "N", 0,
	  "Moves a second of all together, instead of --think", 2 },
	{ "steady", OPTION_STEADY, NULL, 0,
	  "Always after the same time; else by chance around it", 2 },
	{ "seed", OPTION_SEED, "N", 0, "Of moves and times (default: 1)", 2 },
	{ NULL, 0, NULL, 0, "How long, and what is told:", 3 },
	{ "seconds", OPTION_SECONDS, "S", 0,
	  "Seconds that are measured (default: 10; with --games: no end)", 3 },
	{ "games", OPTION_GAMES, "N", 0, "End after so many games of all", 3 },
	{ "warmup", OPTION_WARMUP, "S", 0,
	  "Seconds before the measuring, when all are connected "
	  "(default: 2)",
	  3 },
	{ "pid", OPTION_PID, "PID", 0,
	  "Process of the server, on this machine: its CPU time and memory",
	  3 },
	{ "json", OPTION_JSON, "FILE", 0,
	  "Write the figures as JSON, times in us; -: instead of the table",
	  3 },
	{ "quiet", OPTION_QUIET, NULL, 0, "No line a second on stderr", 3 },
	{ 0 },
};

/* -- the command line -- */

static uint64_t number(struct argp_state *state, const char *arg, uint64_t max)
{
	char *rest;
	errno = 0;
	uint64_t n = strtoumax(arg, &rest, 10);
	if (errno || *rest || rest == arg || arg[0] == '-' || n > max)
		argp_error(state, "'%s' is not a number from 0 to %" PRIu64,
			   arg, max);
	return n;
}

static uint64_t positive(struct argp_state *state, const char *arg,
			 uint64_t max)
{
	uint64_t n = number(state, arg, max);
	if (n == 0)
		argp_error(state, "0 is too few");
	return n;
}

static void check_all(struct argp_state *state, struct load_options *o)
{
	if (o->seconds == 0 && o->games == 0)
		o->seconds = 10;
	if (2 * o->pairs + o->idle + o->spectators > LOAD_CONNS_MAX)
		argp_error(state, "no more than %d connections",
			   LOAD_CONNS_MAX);
	if (o->pairs == 0 && (o->spectators > 0 || o->seconds == 0))
		argp_error(state, "nobody plays");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct load_options *o = state->input;
	switch (key) {
	case OPTION_SERVER: o->server = arg; break;
	case OPTION_RULESET: o->rulesets = arg; break;
	case OPTION_PAIRS: o->pairs = number(state, arg, LOAD_CONNS_MAX); break;
	case OPTION_IDLE: o->idle = number(state, arg, LOAD_CONNS_MAX); break;
	case OPTION_SPECTATORS:
		o->spectators = number(state, arg, LOAD_CONNS_MAX);
		break;
	case OPTION_RATE:
		o->rate = (double)positive(state, arg, 10 * S_US);
		break;
	case OPTION_THINK: o->think_ms = number(state, arg, S_US); break;
	case OPTION_STEADY: o->steady = true; break;
	case OPTION_SECONDS: o->seconds = positive(state, arg, S_US); break;
	case OPTION_GAMES: o->games = positive(state, arg, UINT32_MAX); break;
	case OPTION_WARMUP: o->warmup_s = number(state, arg, S_US); break;
	case OPTION_CONNECT:
		o->connect_per_s = positive(state, arg, S_US);
		break;
	case OPTION_PING: o->ping_s = positive(state, arg, S_US); break;
	case OPTION_PID: o->pid = (int)positive(state, arg, INT32_MAX); break;
	case OPTION_SEED: o->seed = number(state, arg, UINT64_MAX); break;
	case OPTION_JSON: o->json = arg; break;
	case OPTION_QUIET: o->quiet = true; break;
	case OPTION_CLOCK:
		if (!time_text_read(arg, &o->clock))
			argp_error(state, "'%s' is no clock", arg);
		break;
	case ARGP_KEY_ARG: argp_usage(state); break;
	case ARGP_KEY_END: check_all(state, o); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* -- what is due -- */

uint64_t load_now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * S_US + (uint64_t)t.tv_nsec / 1000;
}

static void place(struct load *l, size_t i, struct load_due *d)
{
	l->heap[i] = d;
	d->place = i;
}

/* Moves d, whose place is free, up or down to where it belongs. */
static void settle(struct load *l, size_t i, struct load_due *d)
{
	struct load_due **h = l->heap;
	for (; i > 1 && h[i / 2]->at_us > d->at_us; i /= 2)
		place(l, i, h[i / 2]);
	for (;;) {
		size_t child = 2 * i;
		if (child + 1 <= l->heap_count &&
		    h[child + 1]->at_us < h[child]->at_us)
			child++;
		if (child > l->heap_count || h[child]->at_us >= d->at_us)
			break;
		place(l, i, h[child]);
		i = child;
	}
	place(l, i, d);
}

void load_cancel(struct load *l, struct load_due *d)
{
	size_t i = d->place;
	d->place = 0;
	if (i == 0)
		return;
	struct load_due *last = l->heap[l->heap_count--];
	if (last != d)
		settle(l, i, last);
}

static void set_timer(struct load *l)
{
	uint64_t now_us = load_now_us();
	uint64_t at_us = l->heap_count > 0 ? l->heap[1]->at_us : now_us;
	/* the timer never fires early, and up to a millisecond late */
	uint64_t wait_us = at_us > now_us + MS_US ? at_us - now_us - MS_US : 0;
	net_timer_start(l->timer, wait_us / MS_US);
}

void load_at(struct load *l, struct load_due *d, uint64_t at_us)
{
	load_cancel(l, d);
	d->at_us = at_us;
	l->heap_count++;
	settle(l, l->heap_count, d);
	if (l->heap[1] == d)
		set_timer(l);
}

static void on_timer(void *payload)
{
	struct load *l = payload;
	uint64_t now_us = load_now_us();
	while (l->heap_count > 0 && l->heap[1]->at_us <= now_us) {
		struct load_due *d = l->heap[1];
		load_cancel(l, d);
		d->fn(d->payload);
	}
	if (l->heap_count > 0)
		set_timer(l);
}

/* -- phases -- */

void load_fail(struct load *l, const char *why)
{
	if (!l->failed)
		fprintf(stderr, "%s: %s\n", l->who, why);
	l->failed = true;
	net_stop(l->net);
}

void load_count_error(struct load *l, const char *name)
{
	size_t i = 0;
	while (i < l->error_count && strcmp(l->errors[i].name, name) != 0)
		i++;
	if (i == LOAD_ERRORS_MAX)
		return;
	if (i == l->error_count) {
		snprintf(l->errors[i].name, sizeof(l->errors[i].name), "%s",
			 name);
		l->error_count++;
	}
	l->errors[i].count++;
}

static void stop(void *payload)
{
	struct load *l = payload;
	net_stop(l->net);
}

static bool all_games_over(const struct load *l)
{
	for (size_t i = 0; i < l->options.pairs; i++) {
		const struct load_pair *p = &l->pairs[i];
		if (p->match[0] && !(p->told_end[0] && p->told_end[1]))
			return false;
	}
	return true;
}

static void end_measuring(void *payload)
{
	struct load *l = payload;
	l->ended_us = load_now_us();
	if (l->phase == LOAD_CONNECTS || l->phase == LOAD_WARMS_UP)
		l->measured_us = l->ended_us - 1;
	l->server_after = load_usage_of(l->options.pid);
	l->self_after = load_usage_of(getpid());
	if (load_counts(l))
		for (size_t i = 0; i < l->options.pairs; i++)
			pair_overdue(&l->pairs[i], l->ended_us);
	l->phase = LOAD_ENDS;
	for (size_t i = 0; i < l->options.pairs; i++)
		pair_resign(&l->pairs[i]);
	l->phase_due.fn = stop;
	load_at(l, &l->phase_due,
		l->ended_us + (all_games_over(l) ? 0 : LOAD_END_MS * MS_US));
}

static void begin_measuring(void *payload)
{
	struct load *l = payload;
	l->phase = LOAD_MEASURES;
	l->measured_us = load_now_us();
	l->server_before = load_usage_of(l->options.pid);
	l->self_before = load_usage_of(getpid());
	l->told_us = l->measured_us;
	l->server_told = l->server_before;
	l->phase_due.fn = end_measuring;
	if (l->options.seconds > 0)
		load_at(l, &l->phase_due,
			l->measured_us + l->options.seconds * S_US);
}

void load_conns_changed(struct load *l)
{
	if (l->phase != LOAD_CONNECTS ||
	    l->conns_ready + l->conns_lost < l->conn_count)
		return;
	if (l->conns_ready == 0) {
		load_fail(l, l->error_count ? l->errors[0].name
					    : "nobody was let in");
		return;
	}
	l->phase = LOAD_WARMS_UP;
	l->phase_due.fn = begin_measuring;
	load_at(l, &l->phase_due, load_now_us() + l->options.warmup_s * S_US);
}

void load_game_over(struct load *l)
{
	if (l->phase == LOAD_ENDS) {
		if (all_games_over(l))
			net_stop(l->net);
	} else if (l->options.games && l->games_over >= l->options.games) {
		end_measuring(l);
	}
}

static void on_progress(void *payload)
{
	struct load *l = payload;
	load_progress(l);
	load_at(l, &l->progress_due, l->progress_due.at_us + S_US);
}

static void on_signal(void *payload, int signal)
{
	struct load *l = payload;
	(void)signal;
	if (l->phase == LOAD_ENDS)
		net_stop(l->net);
	else
		end_measuring(l);
}

/* -- life -- */

/* False: as many files cannot be open. */
static bool allow_files(size_t count)
{
	struct rlimit r;
	if (getrlimit(RLIMIT_NOFILE, &r))
		return false;
	r.rlim_cur = r.rlim_max;
	return count + FILES_SPARE <= r.rlim_max &&
	       !setrlimit(RLIMIT_NOFILE, &r);
}

static bool read_rulesets(struct load *l)
{
	const char *at = l->options.rulesets;
	while (l->ruleset_count < LOAD_RULESETS_MAX) {
		size_t len = strcspn(at, ",");
		struct load_ruleset *rs = &l->rules[l->ruleset_count++];
		if (len == 0 ||
		    !span_copy(span_of(at, len), rs->name, sizeof(rs->name)))
			return false;
		if (at[len] == '\0')
			return true;
		at += len + 1;
	}
	return false;
}

static void lay_out(struct load *l)
{
	const struct load_options *o = &l->options;
	for (size_t i = 0; i < l->conn_count; i++) {
		struct load_conn *c = &l->conns[i];
		size_t watcher = i - 2 * o->pairs;
		c->load = l;
		c->role = i < 2 * o->pairs                   ? LOAD_PLAYS
			  : i < 2 * o->pairs + o->spectators ? LOAD_WATCHES
							     : LOAD_IDLES;
		if (c->role == LOAD_PLAYS)
			c->pair = &l->pairs[i / 2];
		if (c->role == LOAD_WATCHES)
			c->pair = &l->pairs[watcher % o->pairs];
		c->due.payload = c;
		c->due.fn = load_conn_dial;
		c->dialled_us = l->begun_us + i * S_US / o->connect_per_s;
		load_at(l, &c->due, c->dialled_us);
	}
	for (size_t i = 0; i < o->pairs; i++) {
		struct load_pair *p = &l->pairs[i];
		p->load = l;
		p->player[0] = &l->conns[2 * i];
		p->player[1] = &l->conns[2 * i + 1];
		p->rules = &l->rules[i % l->ruleset_count];
		p->due.payload = p;
	}
}

static bool load_open(struct load *l)
{
	const struct load_options *o = &l->options;
	l->conn_count = 2 * o->pairs + o->spectators + o->idle;
	rng_seed(&l->rng, o->seed);
	buf_init(&l->out, MESSAGE_BYTES_MAX);
	if (!address_read(o->server, &l->address) || l->address.tls) {
		fprintf(stderr, "%s: a server is written HOST:PORT\n", l->who);
		return false;
	}
	if (!read_rulesets(l)) {
		fprintf(stderr, "%s: '%s' is no list of rulesets\n", l->who,
			o->rulesets);
		return false;
	}
	if (!allow_files(l->conn_count)) {
		fprintf(stderr, "%s: too few files may be open (ulimit -Hn)\n",
			l->who);
		return false;
	}
	l->conns = calloc(l->conn_count, sizeof(*l->conns));
	l->pairs = calloc(o->pairs + 1, sizeof(*l->pairs));
	l->heap =
		calloc(l->conn_count + o->pairs + 3, sizeof(struct load_due *));
	l->doc = doc_new();
	if (!l->conns || !l->pairs || !l->heap || !l->doc || net_new(&l->net) ||
	    !(l->timer = net_timer_new(l->net, on_timer, l)) ||
	    net_on_signal(l->net, on_signal, l)) {
		fprintf(stderr, "%s: no memory\n", l->who);
		return false;
	}
	return true;
}

static void load_run(struct load *l)
{
	l->begun_us = l->told_us = load_now_us();
	l->phase_due.payload = l->progress_due.payload = l;
	l->progress_due.fn = on_progress;
	l->server_told = load_usage_of(l->options.pid);
	load_at(l, &l->progress_due, l->begun_us + S_US);
	lay_out(l);
	net_run(l->net);
}

static void load_close(struct load *l)
{
	l->phase = LOAD_ENDS;
	net_timer_free(l->timer);
	l->timer = NULL;
	net_free(l->net);
	doc_free(l->doc);
	buf_release(&l->out);
	for (size_t i = 0; i < l->ruleset_count; i++)
		load_ruleset_release(&l->rules[i]);
	free(l->heap);
	free(l->pairs);
	free(l->conns);
}

int cmd_load(int argc, char **argv)
{
	static struct load l;
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.doc = "Load a server: many connections that play whole games, "
		       "watch, or are idle.\v"
		       "Times are measured from when a thing was due, so a "
		       "server that stalls is charged for all that had to "
		       "wait. "
		       "A server allows few connections of one address, and "
		       "few "
		       "requests a second: raise its limits first, "
		       "PLYD_LIMITS_CONNECTIONS_PER_ADDRESS=10000 "
		       "PLYD_LIMITS_REQUESTS_PER_SECOND=1000 plyd. Ctrl-C ends "
		       "the measuring. The exit status is 0 if nothing was "
		       "lost "
		       "and nothing refused, else 1.",
	};
	l.who = argv[0];
	l.options = (struct load_options){
		.server = LINK_SERVER_DEFAULT,
		.rulesets = "english,turkish,backgammon",
		.pairs = 10,
		.think_ms = 1000,
		.warmup_s = 2,
		.connect_per_s = 500,
		.ping_s = 60,
		.seed = 1,
	};
	argp_parse(&argp, argc, argv, 0, NULL, &l.options);
	int status = PLY_UNREADABLE;
	if (load_open(&l)) {
		load_run(&l);
		if (!l.failed && load_report(&l))
			status = l.error_count ? PLY_REFUSED : PLY_OK;
	}
	load_close(&l);
	return status;
}
