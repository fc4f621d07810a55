/* SPDX-License-Identifier: MIT
 * main.c - plays seeds, and tells of those that fail. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <argp.h>

#include "base/digest.h"
#include "base/log.h"
#include "base/table.h"
#include "shrink.h"
#include "sim.h"

struct options {
	uint64_t first; /* seeds are first, first + 1, ... */
	uint64_t seeds;
	uint64_t twice; /* every so many-th seed is played twice; 0: none */
	bool trace;
	bool shrink;
	const char *find;
};

static const struct argp_option option_table[] = {
	{ "seeds", 'n', "N", 0, "Plays N seeds (1)", 0 },
	{ "seed", 's', "S", 0, "Plays the seed S, and it twice", 0 },
	{ "first", 'f', "S", 0, "The first of the seeds (1)", 0 },
	{ "twice", 'w', "N", 0,
	  "Plays every N-th seed twice, to see that nothing differs (10)", 0 },
	{ "trace", 't', NULL, 0, "Tells everything that happens", 0 },
	{ "shrink", 'k', NULL, 0,
	  "Tells the shortest story that it finds for the first seed that "
	  "fails: the fewest faults, clients and steps",
	  0 },
	{ "find", 'F', "TEXT", 0,
	  "A line of the story that has TEXT in it is a failure", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	switch (key) {
	case 'n': o->seeds = strtoull(arg, NULL, 0); break;
	case 's':
		o->first = strtoull(arg, NULL, 0);
		o->seeds = o->twice = 1;
		break;
	case 'f': o->first = strtoull(arg, NULL, 0); break;
	case 'w': o->twice = strtoull(arg, NULL, 0); break;
	case 't': o->trace = true; break;
	case 'k': o->shrink = true; break;
	case 'F': o->find = arg; break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp arguments = {
	.options = option_table,
	.parser = parse_option,
	.doc = "Plays the server against a false world, one story a seed, and "
	       "lets a naive referee judge it.",
};

static void log_to_stdout(void *payload, enum log_level level, const char *text)
{
	(void)payload, (void)level;
	printf("             server     %s\n", text);
}

static void add_counts(struct sim_counts *sum, const struct sim_counts *c)
{
	sum->crashes += c->crashes;
	sum->failed_commits += c->failed_commits;
	sum->cuts += c->cuts;
	sum->messages += c->messages;
	sum->moves += c->moves;
	sum->matches += c->matches;
	sum->snapshots += c->snapshots;
	sum->given_up += c->given_up;
}

/* What is played, for on_abort(). */
static const struct sim *at_play;

/* An assertion of the server failed: the seed must be told before the end. */
static void on_abort(int signal_number)
{
	signal(signal_number, SIG_DFL);
	if (at_play) {
		story_print(&at_play->story);
		printf("seed %" PRIu64 " at %" PRIu64 " ms: the server gave "
		       "up\nafter %u steps\n",
		       at_play->seed, at_play->t_ms,
		       cast_steps(&at_play->cast));
	}
	fflush(stdout);
	raise(signal_number);
}

/* Plays one seed; false, and the story, if something is wrong. */
static bool play(const struct options *o, uint64_t seed, uint64_t *hash,
		 struct sim_counts *sum)
{
	struct sim *sim = calloc(1, sizeof(*sim));
	if (!sim)
		abort();
	at_play = sim;
	struct cast all;
	cast_everybody(&all);
	bool good = sim_run(sim, seed, &all, o->find, o->trace);
	at_play = NULL;
	if (!good) {
		puts("");
		story_print(&sim->story);
		printf("seed %" PRIu64 " at %" PRIu64 " ms: %s\n", seed,
		       sim->t_ms, sim->why);
		printf("after %u steps; again: build/dev/tests/sim/sim "
		       "--seed %" PRIu64 " --trace, or --shrink\n",
		       cast_steps(&sim->cast), seed);
	}
	*hash = sim->hash;
	add_counts(sum, &sim->counts);
	sim_release(sim);
	free(sim);
	return good;
}

static bool play_seed(const struct options *o, uint64_t seed,
		      struct sim_counts *sum)
{
	struct sim_counts ignored = { 0 };
	struct options quiet = *o;
	uint64_t hash, again;
	quiet.trace = false;
	if (!play(o, seed, &hash, sum))
		return false;
	if (o->twice == 0 || (seed - o->first) % o->twice != 0)
		return true;
	if (!play(&quiet, seed, &again, &ignored))
		return false;
	if (hash != again)
		printf("seed %" PRIu64 " told two stories: %016" PRIx64
		       " and %016" PRIx64 "\n",
		       seed, hash, again);
	return hash == again;
}

int main(int argc, char **argv)
{
	struct options o = { .first = 1, .seeds = 1, .twice = 10 };
	struct sim_counts sum = { 0 };
	argp_parse(&arguments, argc, argv, 0, NULL, &o);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (crypto_ready())
		return 2;
	table_ready();
	signal(SIGABRT, on_abort);
	signal(SIGSEGV, on_abort);
	if (o.trace)
		log_set_sink(log_to_stdout, NULL);
	bool terminal = isatty(STDOUT_FILENO) && !o.trace;
	for (uint64_t i = 0; i < o.seeds; i++) {
		if (terminal) {
			printf("\rseed %" PRIu64 " of %" PRIu64, i + 1,
			       o.seeds);
			fflush(stdout);
		}
		if (o.shrink ? shrink(o.first + i, o.find)
			     : !play_seed(&o, o.first + i, &sum)) {
			printf("failed after %" PRIu64 " seeds\n", i + 1);
			return 1;
		}
	}
	if (o.shrink) {
		puts("no seed fails");
		return 0;
	}
	printf("%s%" PRIu64 " seeds: %u matches finished, %u moves, %u "
	       "messages, %u crashes, %u failed commits, %u cuts, %u "
	       "snapshots, %u slow readers given up; all well\n",
	       terminal ? "\r" : "", o.seeds, sum.matches, sum.moves,
	       sum.messages, sum.crashes, sum.failed_commits, sum.cuts,
	       sum.snapshots, sum.given_up);
	return 0;
}
