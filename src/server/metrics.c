/* SPDX-License-Identifier: MIT
 * metrics.c - one small function a metric; the table makes a missing one a
 * compile error. */
#include "server/metrics.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/stderr_log.h"

enum metric {
#define M(name, type, labels, doc) METRIC_##name,
	METRICS(M)
#undef M
};

static const char *const metric_names[] = {
#define M(name, type, labels, doc) [METRIC_##name] = #name,
	METRICS(M)
#undef M
};

/* The metric at hand. */
struct writer {
	struct buf *out;
	const struct metrics_source *source;
	const char *name;
};

/* -- the format -- */

/* A label's value may hold anything. */
static void put_label(struct writer *w, const char *label, const char *value)
{
	buf_printf(w->out, "%s=\"", label);
	for (; *value; value++) {
		if (*value == '\n')
			buf_put_str(w->out, "\\n");
		else if (*value == '"' || *value == '\\')
			buf_printf(w->out, "\\%c", *value);
		else
			buf_put_byte(w->out, (uint8_t)*value);
	}
	buf_put_byte(w->out, '"');
}

static void put_count(struct writer *w, uint64_t value)
{
	buf_printf(w->out, "%s %llu\n", w->name, (unsigned long long)value);
}

static void put_of(struct writer *w, const char *label, const char *of,
		   uint64_t value)
{
	buf_printf(w->out, "%s{", w->name);
	put_label(w, label, of);
	buf_printf(w->out, "} %llu\n", (unsigned long long)value);
}

static void put_of_two(struct writer *w, const char *label, const char *of,
		       const char *other, const char *of_other, uint64_t value)
{
	buf_printf(w->out, "%s{", w->name);
	put_label(w, label, of);
	buf_put_byte(w->out, ',');
	put_label(w, other, of_other);
	buf_printf(w->out, "} %llu\n", (unsigned long long)value);
}

static void put_seconds(struct writer *w, uint64_t us)
{
	buf_printf(w->out, "%s %llu.%06llu\n", w->name,
		   (unsigned long long)us / 1000000,
		   (unsigned long long)us % 1000000);
}

/* more: a label before "le", with its comma; or "". */
static void put_histogram(struct writer *w, const struct histogram *h,
			  const char *kind)
{
	char more[64] = "", braces[64] = "";
	uint64_t below = 0;
	if (kind) {
		snprintf(more, sizeof(more), "kind=\"%s\",", kind);
		snprintf(braces, sizeof(braces), "{kind=\"%s\"}", kind);
	}
	for (size_t i = 0; i < HISTOGRAM_CLASSES; i++) {
		below += h->class[i];
		buf_printf(w->out, "%s_bucket{%sle=\"%s\"} %llu\n", w->name,
			   more, histogram_bound(i), (unsigned long long)below);
	}
	buf_printf(w->out,
		   "%s_bucket{%sle=\"+Inf\"} %llu\n"
		   "%s_sum%s %llu.%06llu\n%s_count%s %llu\n",
		   w->name, more, (unsigned long long)h->count, w->name, braces,
		   (unsigned long long)h->sum_us / 1000000,
		   (unsigned long long)h->sum_us % 1000000, w->name, braces,
		   (unsigned long long)h->count);
}

/* -- the server -- */

#define COUNT(metric, value)                                                   \
	static void write_##metric(struct writer *w)                           \
	{                                                                      \
		const struct metrics_source *s = w->source;                    \
		put_count(w, (uint64_t)(value));                               \
	}

static void write_plyd_build_info(struct writer *w)
{
	put_of(w, "version", PLYD_VERSION, 1);
}

static void write_plyd_uptime_seconds(struct writer *w)
{
	put_seconds(w, hub_uptime_ms(w->source->hub) * 1000);
}

COUNT(plyd_ready, s->ready)
COUNT(plyd_draining, domain_is_draining(hub_domain(s->hub)))
COUNT(plyd_store_writable, hub_is_writable(s->hub))
COUNT(plyd_connections, hub_counts(s->hub).connections)
COUNT(plyd_connections_refused_total, listener_refused(s->listener))
COUNT(plyd_sessions, hub_counts(s->hub).sessions)
COUNT(plyd_players, domain_player_count(hub_domain(s->hub)))
COUNT(plyd_accounts, domain_account_count(hub_domain(s->hub)))
COUNT(plyd_lobbies, domain_lobby_count(hub_domain(s->hub)))
COUNT(plyd_seeks, domain_seek_count(hub_domain(s->hub)))
COUNT(plyd_ai_matches, domain_ai_match_count(hub_domain(s->hub)))
COUNT(plyd_reports, domain_report_count(hub_domain(s->hub)))
COUNT(plyd_requests_total, hub_counts(s->hub).requests)
COUNT(plyd_refused_total, hub_counts(s->hub).refused)
COUNT(plyd_spectators_skipped_total, hub_counts(s->hub).skipped)
COUNT(plyd_outbox_messages, hub_counts(s->hub).waiting)
COUNT(plyd_outbox_bytes, hub_counts(s->hub).waiting_bytes)
COUNT(plyd_commit_failures_total, s->journal->failures)
COUNT(plyd_store_bytes, store_bytes(s->data_directory))
COUNT(plyd_http_requests_total, s->http ? http_answered(s->http) : 0)
COUNT(plyd_http_limited_total, s->http ? http_limited(s->http) : 0)
COUNT(plyd_http_refused_total, s->http ? http_refused(s->http) : 0)

static void write_plyd_errors_total(struct writer *w)
{
	const struct hub_tally *t = hub_tally(w->source->hub);
#define X(code, value, error, doc)                                             \
	put_of(w, "error", error, t->errors.code##_count);
	PLYD_ERRORS(X)
#undef X
}

static void write_plyd_facts_total(struct writer *w)
{
	const struct hub_tally *t = hub_tally(w->source->hub);
#define T(number, UPPER, lower, stream, doc)                                   \
	put_of(w, "fact", #lower, t->facts[number]);
	FACTS(T)
#undef T
}

static void write_plyd_log_lines_total(struct writer *w)
{
	put_count(w, stderr_log_written());
}

static void write_plyd_log_left_out_total(struct writer *w)
{
	put_count(w, stderr_log_left_out());
}

/* -- matches -- */

enum { STATES = MATCH_FROZEN + 1, OTHER = RULES_MAX };

static size_t rules_of(const struct domain *d, const struct match *m)
{
	size_t count = domain_rules_count(d);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(domain_rules_at(d, i)->rules.name,
			    m->rules->rules.name))
			return i;
	return OTHER;
}

static void write_plyd_matches(struct writer *w)
{
	const struct domain *d = hub_domain(w->source->hub);
	uint64_t counts[RULES_MAX + 1][STATES] = { 0 };
	const struct match *m;
	for (m = domain_matches(d); m; m = match_next(m))
		counts[rules_of(d, m)][m->state]++;
	for (size_t i = 0; i <= RULES_MAX; i++) {
		if (i >= domain_rules_count(d) && i != OTHER)
			continue;
		const char *name = i == OTHER
					   ? "other"
					   : domain_rules_at(d, i)->rules.name;
		for (int state = 0; state < STATES; state++)
			put_of_two(w, "ruleset", name, "state",
				   match_state_name((enum match_state)state),
				   counts[i][state]);
	}
}

/* -- workers and scripts -- */

static void put_of_script(struct writer *w, const struct version *v,
			  uint64_t value)
{
	buf_printf(w->out, "%s{", w->name);
	put_label(w, "kind", conduct_kind_name(v));
	buf_put_byte(w->out, ',');
	put_label(w, "script", v->name);
	buf_put_byte(w->out, ',');
	put_label(w, "version", v->hash);
	buf_printf(w->out, "} %llu\n", (unsigned long long)value);
}

#define OF_WORKERS(metric, member)                                             \
	static void write_##metric(struct writer *w)                           \
	{                                                                      \
		const struct metrics_source *s = w->source;                    \
		put_of(w, "kind", "personality",                               \
		       thinkers_counts(s->thinkers).member);                   \
		put_of(w, "kind", "policy", judges_counts(s->judges).member);  \
	}
OF_WORKERS(plyd_worker_queue, waiting)
OF_WORKERS(plyd_workers, workers)
OF_WORKERS(plyd_workers_busy, busy)
OF_WORKERS(plyd_worker_late_total, late)
OF_WORKERS(plyd_worker_deaths_total, died)
OF_WORKERS(plyd_worker_queue_full_total, refused)

#define TIME_OF_WORKERS(metric, member)                                        \
	static void write_##metric(struct writer *w)                           \
	{                                                                      \
		const struct metrics_source *s = w->source;                    \
		struct pool_counts c = thinkers_counts(s->thinkers);           \
		put_histogram(w, &c.member, "personality");                    \
		c = judges_counts(s->judges);                                  \
		put_histogram(w, &c.member, "policy");                         \
	}
TIME_OF_WORKERS(plyd_worker_seconds, answer)
TIME_OF_WORKERS(plyd_worker_wait_seconds, wait)

#define OF_SCRIPTS(metric, value)                                              \
	static void write_##metric(struct writer *w)                           \
	{                                                                      \
		const struct version *v = w->source->versions->all;            \
		for (; v; v = v->hh.next)                                      \
			if (v->kind == WORKER_POLICY ||                        \
			    v->kind == WORKER_PERSONALITY)                     \
				put_of_script(w, v, (uint64_t)(value));        \
	}
OF_SCRIPTS(plyd_script_faults_total, v->faults_total)
OF_SCRIPTS(plyd_script_quarantined, conduct_is_quarantined(v))

/* -- times, and the process -- */

static void write_plyd_commit_seconds(struct writer *w)
{
	put_histogram(w, &w->source->journal->commit, NULL);
}

static void write_plyd_loop_lag_seconds(struct writer *w)
{
	put_histogram(w, w->source->lag, NULL);
}

static void write_plyd_clock_credited_seconds_total(struct writer *w)
{
	put_seconds(w, w->source->clock->credited_ms * 1000);
}

static uint64_t resident_bytes(void)
{
	unsigned long long size = 0, resident = 0;
	FILE *in = fopen("/proc/self/statm", "re");
	if (!in)
		return 0;
	if (fscanf(in, "%llu %llu", &size, &resident) != 2)
		resident = 0;
	fclose(in);
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void write_process_resident_memory_bytes(struct writer *w)
{
	put_count(w, resident_bytes());
}

static void write_process_cpu_seconds_total(struct writer *w)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	put_seconds(w, (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) *
				       1000000 +
			       (uint64_t)(used.ru_utime.tv_usec +
					  used.ru_stime.tv_usec));
}

/* -- all of it -- */

/* A documentation string is one line. */
static void begin(struct writer *w, enum metric metric, const char *type,
		  const char *doc)
{
	w->name = metric_names[metric];
	buf_printf(w->out, "# HELP %s %s\n# TYPE %s %s\n", w->name, doc,
		   w->name, type);
}

void metrics_write(struct buf *b, const struct metrics_source *source)
{
	struct writer w = { .out = b, .source = source };
#define M(name, type, labels, doc)                                             \
	begin(&w, METRIC_##name, #type, doc);                                  \
	write_##name(&w);
	METRICS(M)
#undef M
}
