/* SPDX-License-Identifier: MIT
 * load_report.c - what `ply load` tells: a line a second, a table, JSON. */
#include "ply/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#define US_PER_S  1e6
#define US_PER_MS 1e3

enum { STAT_MAX = 1024, KIB_PER_MIB = 1024 };

/* -- processes -- */

static bool read_proc(int pid, const char *file, char out[STAT_MAX])
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	FILE *f = fopen(path, "r");
	if (!f)
		return false;
	size_t len = fread(out, 1, STAT_MAX - 1, f);
	out[len] = '\0';
	fclose(f);
	return len > 0;
}

static uint64_t status_kib(const char *status, const char *key)
{
	const char *at = strstr(status, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

struct load_usage load_usage_of(int pid)
{
	char text[STAT_MAX];
	struct load_usage u = { 0 };
	unsigned long user, system;
	const char *rest;
	/* the name of the program is in brackets and may hold anything */
	if (pid <= 0 || !read_proc(pid, "stat", text) ||
	    !(rest = strrchr(text, ')')) ||
	    sscanf(rest + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		   &user, &system) != 2)
		return u;
	u.cpu_s = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	if (!read_proc(pid, "status", text))
		return u;
	u.rss_kib = status_kib(text, "\nVmRSS:");
	u.peak_kib = status_kib(text, "\nVmHWM:");
	return u;
}

/* -- progress -- */

void load_progress(struct load *l)
{
	static const char *const phase[] = { "connecting", "warming up",
					     "measuring", "ending" };
	uint64_t now_us = load_now_us();
	double s = (double)(now_us - l->told_us) / US_PER_S;
	struct load_usage server = load_usage_of(l->options.pid);
	if (l->options.quiet || s <= 0)
		return;
	fprintf(stderr, "%4.0f s  %-10s  %zu of %zu connected",
		(double)(now_us - l->begun_us) / US_PER_S, phase[l->phase],
		l->conns_ready, l->conn_count);
	if (l->phase == LOAD_MEASURES)
		fprintf(stderr, "  %.0f moves/s  p99 %.1f ms",
			(double)(l->moves - l->told_moves) / s,
			(double)histogram_at(&l->move_due, 0.99) / US_PER_MS);
	if (server.rss_kib > 0)
		fprintf(stderr, "  server %.0f %% cpu, %.1f MiB",
			100 * (server.cpu_s - l->server_told.cpu_s) / s,
			(double)server.rss_kib / KIB_PER_MIB);
	fputc('\n', stderr);
	l->told_us = now_us;
	l->told_moves = l->moves;
	l->server_told = server;
}

/* -- the table -- */

struct row {
	const char *key, *text;
	const struct histogram *h;
};

enum { ROWS = 6, PARTS = 5 };
static const double parts[PARTS] = { 0.5, 0.9, 0.99, 0.999, 1 };
static const char *const part_names[PARTS] = { "p50", "p90", "p99", "p99.9",
					       "max" };

static void rows_of(const struct load *l, struct row out[ROWS])
{
	out[0] = (struct row){ "hello", "hello answered", &l->hello };
	out[1] = (struct row){ "move", "move answered", &l->move_due };
	out[2] = (struct row){ "opponent", "opponent has it", &l->opponent };
	out[3] = (struct row){ "spectator", "spectator has it", &l->spectator };
	out[4] = (struct row){ "move_from_sending", "(move, from sending)",
			       &l->move_sent };
	out[5] = (struct row){ "sent_late", "(sent so late by ply)", &l->late };
}

static double seconds(const struct load *l)
{
	return (double)(l->ended_us - l->measured_us) / US_PER_S;
}

static void print_rows(const struct load *l)
{
	struct row row[ROWS];
	rows_of(l, row);
	printf("%-22s %10s", "ms from when it was due", "count");
	for (size_t i = 0; i < PARTS; i++)
		printf(" %9s", part_names[i]);
	putchar('\n');
	for (size_t i = 0; i < ROWS; i++) {
		if (row[i].h->count == 0)
			continue;
		printf("%-23s %10" PRIu64, row[i].text, row[i].h->count);
		for (size_t k = 0; k < PARTS; k++)
			printf(" %9.2f",
			       (double)histogram_at(row[i].h, parts[k]) /
				       US_PER_MS);
		putchar('\n');
	}
}

static void print_usage_of(const char *name, const struct load_usage *before,
			   const struct load_usage *after, double s,
			   uint64_t moves)
{
	double cpu = after->cpu_s - before->cpu_s;
	if (after->rss_kib == 0)
		return;
	printf("%s: %.2f s of CPU (%.0f %% of a core", name, cpu,
	       100 * cpu / s);
	if (moves > 0)
		printf(", %.1f us a move", cpu * US_PER_S / (double)moves);
	printf("), %.1f MiB now, %.1f MiB at most\n",
	       (double)after->rss_kib / KIB_PER_MIB,
	       (double)after->peak_kib / KIB_PER_MIB);
}

static void print_table(const struct load *l)
{
	const struct load_options *o = &l->options;
	double s = seconds(l);
	printf("%zu connections: %" PRIu64 " players, %" PRIu64
	       " spectators, %" PRIu64 " idle; %s; %.1f s measured\n",
	       l->conn_count, 2 * o->pairs, o->spectators, o->idle, o->rulesets,
	       s);
	printf("%.0f moves/s (%" PRIu64 ", and %" PRIu64
	       " that were due at the end), %.0f messages/s to ply, %.0f from "
	       "it\n",
	       (double)l->moves / s, l->moves, l->overdue,
	       (double)l->messages_in / s, (double)l->messages_out / s);
	printf("games: %" PRIu64 " begun, %" PRIu64 " over, %" PRIu64
	       " resigned\n",
	       l->games_begun, l->games_over, l->games_resigned);
	print_rows(l);
	printf("errors:");
	for (size_t i = 0; i < l->error_count; i++)
		printf(" %s %" PRIu64, l->errors[i].name, l->errors[i].count);
	puts(l->error_count ? "" : " none");
	print_usage_of("server", &l->server_before, &l->server_after, s,
		       l->moves);
	print_usage_of("ply load", &l->self_before, &l->self_after, s,
		       l->moves);
}

/* -- JSON -- */

static json_t *json_rows(const struct load *l)
{
	struct row row[ROWS];
	json_t *all = json_object();
	rows_of(l, row);
	for (size_t i = 0; i < ROWS; i++) {
		const struct histogram *h = row[i].h;
		json_t *j = json_pack("{s:I}", "count", (json_int_t)h->count);
		for (size_t k = 0; k < PARTS; k++)
			json_object_set_new(
				j, part_names[k],
				json_integer(
					(json_int_t)histogram_at(h, parts[k])));
		if (h->count > 0)
			json_object_set_new(j, "mean",
					    json_real((double)h->sum /
						      (double)h->count));
		json_object_set_new(all, row[i].key, j);
	}
	return all;
}

static json_t *json_usage(const struct load_usage *before,
			  const struct load_usage *after)
{
	return json_pack("{s:f,s:I,s:I}", "cpu_s", after->cpu_s - before->cpu_s,
			 "rss_kib", (json_int_t)after->rss_kib, "peak_kib",
			 (json_int_t)after->peak_kib);
}

static json_t *json_of(const struct load *l)
{
	const struct load_options *o = &l->options;
	json_t *errors = json_object();
	for (size_t i = 0; i < l->error_count; i++)
		json_object_set_new(errors, l->errors[i].name,
				    json_integer(
					    (json_int_t)l->errors[i].count));
	json_t *j = json_pack(
		"{s:s,s:I,s:I,s:I,s:I,s:I,s:f,s:I,s:I,s:I,s:I,s:I,s:I,s:I}",
		"rulesets", o->rulesets, "connections",
		(json_int_t)l->conn_count, "lost", (json_int_t)l->conns_lost,
		"pairs", (json_int_t)o->pairs, "spectators",
		(json_int_t)o->spectators, "idle", (json_int_t)o->idle,
		"seconds", seconds(l), "moves", (json_int_t)l->moves, "overdue",
		(json_int_t)l->overdue, "messages_in",
		(json_int_t)l->messages_in, "messages_out",
		(json_int_t)l->messages_out, "games_begun",
		(json_int_t)l->games_begun, "games_over",
		(json_int_t)l->games_over, "games_resigned",
		(json_int_t)l->games_resigned);
	json_object_set_new(j, "us", json_rows(l));
	json_object_set_new(j, "errors", errors);
	if (l->server_after.rss_kib > 0)
		json_object_set_new(j, "server",
				    json_usage(&l->server_before,
					       &l->server_after));
	json_object_set_new(j, "ply",
			    json_usage(&l->self_before, &l->self_after));
	return j;
}

static bool write_json(const struct load *l)
{
	bool to_stdout = !strcmp(l->options.json, "-");
	json_t *j = json_of(l);
	FILE *f = to_stdout ? stdout : fopen(l->options.json, "w");
	bool good = f && json_dumpf(j, f, JSON_INDENT(2)) == 0 &&
		    fputc('\n', f) != EOF;
	if (f && !to_stdout && fclose(f))
		good = false;
	json_decref(j);
	if (!good)
		fprintf(stderr, "%s: cannot write '%s'\n", l->who,
			l->options.json);
	return good;
}

bool load_report(const struct load *l)
{
	const char *json = l->options.json;
	if (!json || strcmp(json, "-") != 0)
		print_table(l);
	return !json || write_json(l);
}
