/* SPDX-License-Identifier: MIT
 * shrink.c - delta debugging (Zeller and Hildebrandt, 2002) over what takes
 * part in a story. Every try is played by a child, so that one in which the
 * server gives up is a try like any other. */
#include "shrink.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "sim.h"

enum { TRIES_MAX = 3000, TRY_S_MAX = 30 };

/* What a try told; the child writes it into memory that both see. */
struct try_told {
	bool failed;
	const char *format; /* of the complaint; NULL: the server gave up */
	size_t steps;
	struct doing step[STEPS_MAX];
};

struct shrinker {
	uint64_t seed;
	const char *looks_for;
	struct try_told *told; /* of the last try */
	const char *format;    /* the complaint to keep */
	uint32_t clients, faults;
	struct doing *step; /* those that are left */
	size_t steps;
	struct doing *trial; /* some of them */
	unsigned tries;
	bool aloud; /* the next try is told */
};

static void play_in_child(struct shrinker *s, struct cast *cast)
{
	struct sim *sim = calloc(1, sizeof(*sim));
	if (!sim)
		abort();
	signal(SIGABRT, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	alarm(TRY_S_MAX);
	if (!s->aloud && !freopen("/dev/null", "w", stderr))
		abort();
	cast->done = s->told->step;
	cast->done_count = &s->told->steps;
	bool good = sim_run(sim, s->seed, cast, s->looks_for, s->aloud);
	s->told->failed = !good;
	s->told->format = sim->format;
	if (s->aloud && !good)
		printf("seed %" PRIu64 " at %" PRIu64 " ms: %s\n%" PRIu64
		       " lines\n",
		       s->seed, sim->t_ms, sim->why, sim->story.told);
	fflush(stdout);
	_exit(0);
}

/* Plays the seed with that cast; whether it fails, and tells of it. */
static bool fails(struct shrinker *s, struct cast *cast)
{
	int status;
	s->tries++;
	s->told->failed = false;
	s->told->format = NULL;
	s->told->steps = 0;
	fflush(stdout);
	pid_t child = fork();
	if (child < 0)
		abort();
	if (child == 0)
		play_in_child(s, cast);
	if (waitpid(child, &status, 0) != child)
		abort();
	return s->told->failed ||
	       (WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM);
}

/* Whether this suffices for the same complaint; then it is what is left. */
static bool suffices(struct shrinker *s, uint32_t clients, uint32_t faults,
		     const struct doing *only, size_t count)
{
	struct cast cast;
	if (s->tries >= TRIES_MAX)
		return false;
	cast_everybody(&cast);
	cast.clients = clients;
	cast.faults = faults;
	cast.only = only;
	cast.only_count = count;
	if (!fails(s, &cast) || s->told->format != s->format)
		return false;
	s->clients = clients;
	s->faults = faults;
	s->steps = s->told->steps;
	memcpy(s->step, s->told->step, s->steps * sizeof(*s->step));
	return true;
}

/* One bit after another is taken away for which the rest suffices. */
static void fewer_faults(struct shrinker *s)
{
	if (suffices(s, s->clients, 0, s->step, s->steps))
		return;
	for (unsigned k = 0; k < FAULT_COUNT; k++)
		if (s->faults & UINT32_C(1) << k)
			(void)suffices(s, s->clients,
				       s->faults & ~(UINT32_C(1) << k), s->step,
				       s->steps);
}

static void fewer_clients(struct shrinker *s)
{
	for (unsigned i = 0; i < CLIENTS_MAX; i++)
		if (s->clients & UINT32_C(1) << i)
			(void)suffices(s, s->clients & ~(UINT32_C(1) << i),
				       s->faults, s->step, s->steps);
}

/* Without those from..to: whether that suffices. */
static bool can_do_without(struct shrinker *s, size_t from, size_t to)
{
	size_t n = 0;
	for (size_t i = 0; i < s->steps; i++)
		if (i < from || i >= to)
			s->trial[n++] = s->step[i];
	return suffices(s, s->clients, s->faults, s->trial, n);
}

/* Parts of the steps are left out, ever smaller ones; the last ones first, as
 * others follow from the first. True: some were. */
static bool fewer_steps(struct shrinker *s)
{
	size_t before = s->steps;
	for (size_t part = (s->steps + 1) / 2; part > 0; part /= 2) {
		size_t to = s->steps;
		while (to > 0) {
			size_t from = to > part ? to - part : 0;
			(void)can_do_without(s, from, to);
			to = from < s->steps ? from : s->steps;
		}
	}
	return s->steps < before;
}

static void print_title(const struct shrinker *s, size_t before)
{
	printf("seed %" PRIu64 " in %zu steps of %zu, after %u tries; with ",
	       s->seed, s->steps, before, s->tries);
	for (unsigned k = 0; k < FAULT_COUNT; k++)
		if (s->faults & UINT32_C(1) << k)
			printf("%s, ", fault_words((enum fault)k));
	puts(s->faults ? "and no other faults" : "no faults");
}

/* Tells what is left aloud; the server may give up while it is told. */
static void tell(struct shrinker *s, size_t before)
{
	struct cast cast;
	cast_everybody(&cast);
	cast.clients = s->clients;
	cast.faults = s->faults;
	cast.only = s->step;
	cast.only_count = s->steps;
	print_title(s, before);
	s->aloud = true;
	(void)fails(s, &cast);
	s->aloud = false;
	if (!s->told->failed)
		printf("seed %" PRIu64 ": the server gave up\n", s->seed);
}

static void make_short(struct shrinker *s)
{
	size_t before = s->told->steps;
	s->format = s->told->format;
	if (!suffices(s, (UINT32_C(1) << CLIENTS_MAX) - 1, UINT32_MAX, NULL, 0))
		abort(); /* the same again is the same */
	fewer_faults(s);
	fewer_clients(s);
	while (fewer_steps(s)) {
		fewer_faults(s);
		fewer_clients(s);
	}
	tell(s, before);
}

bool shrink(uint64_t seed, const char *looks_for)
{
	struct shrinker s = { .seed = seed, .looks_for = looks_for };
	struct cast all;
	s.told = mmap(NULL, sizeof(*s.told), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	s.step = calloc(STEPS_MAX, sizeof(*s.step));
	s.trial = calloc(STEPS_MAX, sizeof(*s.trial));
	if (s.told == MAP_FAILED || !s.step || !s.trial)
		abort();
	cast_everybody(&all);
	bool failed = fails(&s, &all);
	if (failed)
		make_short(&s);
	free(s.step);
	free(s.trial);
	munmap(s.told, sizeof(*s.told));
	return failed;
}
