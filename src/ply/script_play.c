/* SPDX-License-Identifier: MIT */
#include "ply/script.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ply/command.h"
#include "ply/progress.h"
#include "ply/question.h"
#include "ply/script_bout.h"
#include "ply/script_score.h"

enum { TABLE_BYTES = 1 << 18 };

struct row {
	const struct script_options *o;
	struct arena arena;
	struct script_file ruleset, policy; /* if they are files */
	struct player a, b;
	struct score score;
	uint64_t plies;
	struct progress_line line;
};

static int refuse(const char *format, const char *word)
{
	fprintf(stderr, "ply script play: ");
	fprintf(stderr, format, word);
	fputc('\n', stderr);
	return PLY_UNREADABLE;
}

/* ---- what is played ---------------------------------------------------- */

/* The numbers of the policy that a ruleset's file follows, and what differs. */
static int follow_policy(struct row *r)
{
	char path[PATH_MAX];
	const struct worker_ruleset *own = &r->ruleset.numbers;
	if (!script_file_find(r->ruleset.follows, WORKER_POLICY, r->o->scripts,
			      path))
		return refuse("there is no policy '%s'", r->ruleset.follows);
	int status = script_file_open(&r->policy, path, WORKER_POLICY);
	if (status != PLY_OK)
		return status;
	r->arena.draws = r->policy.policy;
	if (own->no_progress >= 0)
		r->arena.draws.no_progress = own->no_progress;
	if (own->repetition >= 0)
		r->arena.draws.repetition = own->repetition;
	if (own->counts >= 0)
		r->arena.draws.counts = own->counts;
	if (r->policy.policy.has_verdict)
		r->arena.policy = &r->policy;
	return PLY_OK;
}

/* A file where there is one, for it says the policy too; else what is built in,
 * with the usual limits. */
static int find_ruleset(struct row *r)
{
	char path[PATH_MAX];
	const char *name = r->o->ruleset;
	if (script_file_find(name, WORKER_RULESET, r->o->scripts, path)) {
		int status =
			script_file_open(&r->ruleset, path, WORKER_RULESET);
		r->arena.rules = r->ruleset.rules;
		return status == PLY_OK ? follow_policy(r) : status;
	}
	r->arena.draws.no_progress = 80;
	r->arena.draws.repetition = 3;
	if (ruleset_find(name, strlen(name), &r->arena.rules))
		return refuse("there is no ruleset '%s'", name);
	return PLY_OK;
}

static bool plays(const struct script_file *f, const char *ruleset)
{
	bool found = f->ruleset_count == 0;
	for (size_t i = 0; i < f->ruleset_count; i++)
		found |= !strcmp(f->ruleset[i], ruleset);
	return found;
}

static int find_player(struct row *r, struct player *p, const char *word)
{
	char path[PATH_MAX];
	buf_init(&p->memory, WORKER_KEPT_MAX);
	if (!script_file_find(word, WORKER_PERSONALITY, r->o->scripts, path))
		return refuse("there is no personality '%s'", word);
	int status = script_file_open(&p->file, path, WORKER_PERSONALITY);
	p->file.choose_ms = r->o->deadline_ms;
	if (status == PLY_OK && !plays(&p->file, r->arena.rules.name))
		return refuse("'%s' does not play this ruleset", p->file.name);
	return status;
}

/* ---- games ------------------------------------------------------------- */

static uint64_t mixed(uint64_t seed, uint64_t n)
{
	struct rng rng;
	rng_seed(&rng, seed ^ (n * UINT64_C(0x9e3779b97f4a7c15)));
	return rng_next(&rng);
}

static int play_one(struct row *r, uint64_t n)
{
	bool swapped = n % 2 == 1;
	struct player *const side[2] = { swapped ? &r->b : &r->a,
					 swapped ? &r->a : &r->b };
	const struct bout_seeds seeds = {
		.chances = mixed(r->o->seed, n / 2),
		.thoughts = mixed(~r->o->seed, n),
		.game = n,
	};
	struct bout_result result;
	int status = bout_play(&r->arena, side, &seeds, &result);
	if (status != PLY_OK)
		return status;
	bool won = result.winner >= 0 && side[result.winner] == &r->a;
	double points = won ? result.points : -result.points;
	score_game(&r->score, result.winner < 0 ? 0.5 : won, points);
	r->plies += (uint64_t)result.plies;
	return PLY_OK;
}

static void put_elo(char *out, size_t size, const struct estimate *e)
{
	if (isinf(e->value))
		snprintf(out, size, "%s than %+.0f",
			 e->value > 0 ? "more" : "less",
			 e->value > 0 ? e->low : e->high);
	else
		snprintf(out, size, "%+.0f (%+.0f to %+.0f)", e->value, e->low,
			 e->high);
}

static void show_progress(struct row *r, uint64_t done)
{
	char text[96], elo[48];
	struct estimate e = score_elo(&r->score);
	put_elo(elo, sizeof(elo), &e);
	snprintf(text, sizeof(text), "+%zu =%zu -%zu, Elo %s", r->score.won,
		 r->score.drawn, r->score.lost, elo);
	progress_show(&r->line, done, r->o->games, text);
}

/* Opens the file that is told the moves, and closes it. */
static int open_moves(struct row *r)
{
	if (!r->o->moves)
		return PLY_OK;
	r->arena.moves = fopen(r->o->moves, "w");
	return r->arena.moves ? PLY_OK
			      : refuse("cannot write '%s'", r->o->moves);
}

static int close_moves(struct row *r)
{
	if (!r->arena.moves)
		return PLY_OK;
	bool failed = ferror(r->arena.moves);
	failed |= fclose(r->arena.moves) != 0;
	return failed ? refuse("cannot write '%s'", r->o->moves) : PLY_OK;
}

static int play_all(struct row *r)
{
	int status = PLY_OK;
	for (uint64_t n = 0; n < r->o->games && status == PLY_OK; n++) {
		status = play_one(r, n);
		if (status == PLY_OK)
			show_progress(r, n + 1);
	}
	progress_clear(&r->line);
	return status;
}

/* ---- what came of it --------------------------------------------------- */

static void say_player(const char *label, const struct player *p)
{
	printf("  %s %-16s %6.1f ms a question", label, p->file.name,
	       1000 * p->seconds / (double)(p->asked ? p->asked : 1));
	size_t faults = 0;
	for (int i = 0; i < FAULT_KINDS; i++)
		faults += p->faults[i];
	printf(faults ? ", did not answer %zu of %zu:\n"
		      : ", answered all %zu\n",
	       faults ? faults : p->asked, p->asked);
	for (int i = 0; i < FAULT_KINDS; i++)
		if (p->faults[i])
			printf("      %zu %s, first: %s\n", p->faults[i],
			       fault_name[i], p->first[i]);
}

/* In a match of several games only who wins it counts. */
static bool has_points(const struct row *r)
{
	return r->arena.rules.family == FAMILY_BACKGAMMON &&
	       r->arena.rules.backgammon.match_length == 0;
}

static void say(const struct row *r)
{
	char elo[48];
	const struct score *s = &r->score;
	struct estimate m = score_mean(s), e = score_elo(s);
	put_elo(elo, sizeof(elo), &e);
	printf("%s against %s, %s, %" PRIu64 " games, seed %" PRIu64 "\n",
	       r->a.file.name, r->b.file.name, r->arena.rules.name, r->o->games,
	       r->o->seed);
	printf("  won %zu, drawn %zu, lost %zu: %.1f %% (95 %%: %.1f to %.1f)\n"
	       "  Elo difference %s\n",
	       s->won, s->drawn, s->lost, 100 * m.value, 100 * m.low,
	       100 * m.high, elo);
	if (has_points(r)) {
		struct estimate p = score_points(s);
		printf("  points a game %+.3f", p.value);
		if (!isinf(p.low))
			printf(" (95 %%: %+.3f to %+.3f)", p.low, p.high);
		printf("; both sides had the same dice\n");
	}
	say_player("A", &r->a);
	say_player("B", &r->b);
	if (r->arena.verdict_faults)
		printf("  the policy '%s' gave no verdict %zu times\n",
		       r->policy.name, r->arena.verdict_faults);
}

static json_t *json_number(double x)
{
	return isinf(x) ? json_null() : json_real(round(x * 1e6) / 1e6);
}

static json_t *json_estimate(struct estimate e)
{
	return json_pack("{s:o,s:o,s:o}", "value", json_number(e.value), "low",
			 json_number(e.low), "high", json_number(e.high));
}

static json_t *json_player(const struct player *p)
{
	json_t *faults = json_object();
	for (int i = 0; i < FAULT_KINDS; i++)
		if (p->faults[i])
			json_object_set_new(faults, fault_name[i],
					    json_pack("{s:I,s:s}", "count",
						      (json_int_t)p->faults[i],
						      "first", p->first[i]));
	return json_pack("{s:s,s:s,s:I,s:o,s:o}", "name", p->file.name, "file",
			 p->file.path, "asked", (json_int_t)p->asked, "seconds",
			 json_number(p->seconds), "faults", faults);
}

static void say_json(const struct row *r)
{
	const struct score *s = &r->score;
	json_print(json_pack(
		"{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:I}",
		"ruleset", r->arena.rules.name, "games",
		(json_int_t)r->o->games, "seed", (json_int_t)r->o->seed, "won",
		(json_int_t)s->won, "drawn", (json_int_t)s->drawn, "lost",
		(json_int_t)s->lost, "half_moves", (json_int_t)r->plies,
		"score", json_estimate(score_mean(s)), "elo",
		json_estimate(score_elo(s)), "points",
		has_points(r) ? json_estimate(score_points(s)) : json_null(),
		"a", json_player(&r->a), "b", json_player(&r->b),
		"verdict_faults", (json_int_t)r->arena.verdict_faults));
}

static bool any_fault(const struct player *p)
{
	for (int i = 0; i < FAULT_KINDS; i++)
		if (p->faults[i])
			return true;
	return false;
}

/* ---- all of it --------------------------------------------------------- */

static int run(struct row *r)
{
	int status = find_ruleset(r);
	if (status == PLY_OK)
		status = find_player(r, &r->a, r->o->word[0]);
	if (status == PLY_OK)
		status = find_player(r, &r->b, r->o->word[1]);
	if (status == PLY_OK && engine_new(TABLE_BYTES, &r->arena.engine))
		status = PLY_UNREADABLE;
	if (status == PLY_OK)
		status = open_moves(r);
	if (status == PLY_OK)
		status = play_all(r);
	int closed = close_moves(r);
	if (status == PLY_OK)
		status = closed;
	if (status != PLY_OK)
		return status;
	(r->o->json ? say_json : say)(r);
	bool faulty = any_fault(&r->a) || any_fault(&r->b) ||
		      r->arena.verdict_faults > 0;
	return faulty ? PLY_REFUSED : PLY_OK;
}

int script_play(const struct script_options *options)
{
	struct row *r = calloc(1, sizeof(*r));
	if (!r)
		return PLY_UNREADABLE;
	r->o = options;
	r->arena.opening = options->opening;
	buf_init(&r->arena.policy_memory, WORKER_KEPT_MAX);
	progress_init(&r->line);
	int status = run(r);
	script_file_close(&r->ruleset);
	script_file_close(&r->policy);
	script_file_close(&r->a.file);
	script_file_close(&r->b.file);
	buf_release(&r->a.memory);
	buf_release(&r->b.memory);
	buf_release(&r->arena.policy_memory);
	engine_free(r->arena.engine);
	free(r);
	return status;
}
