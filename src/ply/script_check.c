/* SPDX-License-Identifier: MIT
 * A script is read by the worker that plyd would give it to, and then asked in
 * positions of random games: the same ones each time. */
#include "ply/script.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <plyd/rules.h>
#include "base/rng.h"
#include "ply/command.h"
#include "ply/script_worker.h"

enum {
	SAMPLES = 12,   /* positions of each ruleset */
	PLIES_STEP = 5, /* half-moves between two of them */
	LOAD_DEADLINE_MS = 2000,
	CHOOSE_DEADLINE_MS = 5000, /* as plyd's configuration has them */
	VERDICT_DEADLINE_MS = 1000,
	VERDICT_SLOW_MS = 50,
};

/* What a dry run has seen of one ruleset. */
struct seen {
	size_t positions;
	double slowest_s;
	uint64_t steps, bytes; /* the most */
};

struct check {
	struct script_worker *worker;
	struct buf question;
	const char *path;
	int kind;
	uint8_t *source;
	size_t source_len;
	char name[WORKER_NAME_MAX + 1]; /* its own, when it is read */
	struct seen seen;
	/* the random game */
	struct ruleset rules;
	struct position pos;
	struct rng rng;
	int ply, quiet;
};

/* ---- asking ------------------------------------------------------------ */

/* Asks what c->question holds. PLY_OK: *out is a good answer. Else it has said
 * what is wrong; `where`: in which position, "": in none. */
static int ask(struct check *c, int64_t deadline_ms, const char *where,
	       struct script_answer *out)
{
	char why[NET_WHY_MAX];
	int err = script_worker_ask(c->worker, buf_span(&c->question),
				    deadline_ms, out, why);
	if (err) {
		fprintf(stderr, "ply script: plyd-script: %s\n", why);
		return PLY_UNREADABLE;
	}
	if (out->reply && !out->reply->err)
		return PLY_OK;
	if (!out->reply) {
		fprintf(stderr, "%s: %s%s\n", c->path,
			out->late ? "takes so long that plyd stops its worker"
				  : "kills its worker",
			where);
		return PLY_REFUSED;
	}
	const struct worker_error *e = &out->reply->error;
	char line[24] = "";
	if (e->line > 0)
		snprintf(line, sizeof(line), "%lld:", (long long)e->line);
	fprintf(stderr, "%s:%s %.*s%s\n", c->path, line, (int)e->text.len,
		(const char *)e->text.at, where);
	return PLY_REFUSED;
}

static int load(struct check *c, const char *name, struct script_answer *out)
{
	const struct worker_load m = {
		.kind = c->kind,
		.name = span_str(name),
		.source = span_of(c->source, c->source_len),
	};
	buf_clear(&c->question);
	worker_ask_load(&c->question, 1, &m);
	return ask(c, LOAD_DEADLINE_MS, "", out);
}

/* ---- files ------------------------------------------------------------- */

static int read_source(struct check *c)
{
	FILE *in = fopen(c->path, "rb");
	c->source = malloc(WORKER_SOURCE_MAX + 1);
	if (in && c->source)
		c->source_len = fread(c->source, 1, WORKER_SOURCE_MAX + 1, in);
	bool failed = !in || !c->source || ferror(in);
	if (failed)
		fprintf(stderr, "ply script: %s: %s\n", c->path,
			strerror(errno));
	if (in)
		fclose(in);
	if (failed)
		return PLY_UNREADABLE;
	if (c->source_len <= WORKER_SOURCE_MAX)
		return PLY_OK;
	fprintf(stderr, "%s: longer than the %d bytes that a script may be\n",
		c->path, WORKER_SOURCE_MAX);
	return PLY_REFUSED;
}

static int is_library(const struct dirent *e)
{
	size_t len = strlen(e->d_name);
	return len > 4 && len - 4 <= WORKER_NAME_MAX && e->d_name[0] != '.' &&
	       !strcmp(e->d_name + len - 4, ".lua");
}

/* One library, read and loaded as a check of its own by the same worker. */
static int load_library(struct check *c, const char *folder, const char *file)
{
	char path[2 * PATH_MAX], name[WORKER_NAME_MAX + 1];
	struct script_answer a;
	struct check lib = { .path = path,
			     .kind = WORKER_LIBRARY,
			     .worker = c->worker };
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	span_copy(span_of(file, strlen(file) - 4), name, sizeof(name));
	buf_init(&lib.question, WORKER_BYTES_MAX);
	int status = read_source(&lib);
	if (status == PLY_OK)
		status = load(&lib, name, &a);
	buf_release(&lib.question);
	free(lib.source);
	return status;
}

/* What lies in the folder `lib` beside that of the script. */
static int load_libraries(struct check *c)
{
	char copy[PATH_MAX], folder[PATH_MAX + sizeof("/../lib")];
	struct dirent **found;
	if (c->kind != WORKER_POLICY && c->kind != WORKER_PERSONALITY)
		return PLY_OK;
	snprintf(copy, sizeof(copy), "%s", c->path);
	snprintf(folder, sizeof(folder), "%s/../lib", dirname(copy));
	int count = scandir(folder, &found, is_library, alphasort);
	if (count < 0)
		return PLY_OK; /* there are none */
	int status = PLY_OK;
	for (int i = 0; i < count; i++) {
		if (status == PLY_OK)
			status = load_library(c, folder, found[i]->d_name);
		free(found[i]);
	}
	free(found);
	return status;
}

/* ---- sample positions -------------------------------------------------- */

static void begin_game(struct check *c)
{
	game_start(&c->rules, &c->pos);
	c->ply = c->quiet = 0;
}

static void throw_dice(struct check *c)
{
	if (ruleset_has_dice(&c->rules))
		game_throw(&c->pos, (int)rng_below(&c->rng, 6) + 1,
			   (int)rng_below(&c->rng, 6) + 1, &c->pos);
}

/* A random half-move, or a new game where there is none. */
static void play_on(struct check *c)
{
	static struct move_list list;
	struct position before = c->pos;
	if (game_outcome(&c->rules, &before).over) {
		begin_game(c);
		return;
	}
	if (before.dice[0] == 0)
		throw_dice(c);
	before = c->pos;
	if (game_moves(&c->rules, &before, &list) || list.count == 0) {
		game_pass(&before, &c->pos);
		return;
	}
	const struct move *move =
		&list.move[rng_below(&c->rng, (uint32_t)list.count)];
	game_apply(&c->rules, &before, move, &c->pos);
	struct progress did = game_progress(&c->rules, &before, &c->pos);
	c->quiet = did.captured || did.promoted ? 0 : c->quiet + 1;
	c->ply++;
}

/* A position for the next question: one to move in, with dice, for a
 * personality; one before the dice for a policy. */
static void next_sample(struct check *c)
{
	bool moves = c->kind == WORKER_PERSONALITY;
	for (int i = 0; i < PLIES_STEP; i++)
		play_on(c);
	for (;;) {
		bool over = game_outcome(&c->rules, &c->pos).over;
		if (!over && moves)
			throw_dice(c);
		if (!over && (!moves || game_can_move(&c->rules, &c->pos)))
			return;
		play_on(c);
	}
}

/* ---- the dry run ------------------------------------------------------- */

struct texts {
	char rules[RULESET_TEXT_MAX];
	char pos[POSITION_TEXT_MAX];
	struct span rules_span, pos_span;
};

static void write_texts(const struct check *c, struct texts *t)
{
	t->rules_span = span_of(t->rules, ruleset_write(&c->rules, t->rules));
	t->pos_span = span_of(t->pos, game_write(&c->rules, &c->pos, t->pos));
}

static void write_choose(struct check *c, const struct texts *t)
{
	const struct worker_choose m = {
		.personality = span_str(c->name),
		.match = span_str(""),
		.ruleset = t->rules_span,
		.position = t->pos_span,
		.decision = DECIDE_MOVE,
		.side = c->pos.side,
		.ply = c->ply,
		.quiet = c->quiet,
		.no_progress = 80,
		.repetition = 3,
		.seed = (uint64_t)c->ply,
		.remaining_ms = 60000,
		.increment_ms = 1000,
		.offer_pending = c->ply % 2 == 0,
	};
	worker_ask_choose(&c->question, 1, &m);
}

static void write_verdict(struct check *c, const struct texts *t)
{
	const struct worker_verdict m = {
		.policy = span_str(c->name),
		.match = span_str(""),
		.ruleset = t->rules_span,
		.position = t->pos_span,
		.ply = c->ply,
		.quiet = c->quiet,
		.repeats = 1,
	};
	worker_ask_verdict(&c->question, 1, &m);
}

static void note(struct seen *s, double seconds, uint64_t steps, uint64_t bytes)
{
	s->positions++;
	if (seconds > s->slowest_s)
		s->slowest_s = seconds;
	if (steps > s->steps)
		s->steps = steps;
	if (bytes > s->bytes)
		s->bytes = bytes;
}

/* What the answer cost; false: it cannot be read, which plyd-script checks. */
static bool take_cost(struct check *c, const struct script_answer *a)
{
	struct worker_choice choice;
	struct worker_ruling ruling;
	if (c->kind == WORKER_PERSONALITY) {
		if (worker_choice_read(a->reply->result, &choice))
			return false;
		note(&c->seen, a->seconds, choice.steps, choice.bytes);
		return true;
	}
	if (worker_ruling_read(a->reply->result, &ruling))
		return false;
	note(&c->seen, a->seconds, ruling.steps, ruling.bytes);
	return true;
}

static int ask_sample(struct check *c)
{
	struct texts t;
	struct script_answer a;
	char where[sizeof(t.pos) + 128];
	next_sample(c);
	write_texts(c, &t);
	snprintf(where, sizeof(where), "\n  in %s, half-move %d: %s",
		 c->rules.name, c->ply, t.pos);
	buf_clear(&c->question);
	if (c->kind == WORKER_PERSONALITY)
		write_choose(c, &t);
	else
		write_verdict(c, &t);
	int status = ask(c,
			 c->kind == WORKER_PERSONALITY ? CHOOSE_DEADLINE_MS
						       : VERDICT_DEADLINE_MS,
			 where, &a);
	if (status == PLY_OK && !take_cost(c, &a)) {
		fprintf(stderr, "%s: an answer that cannot be read%s\n",
			c->path, where);
		return PLY_UNREADABLE;
	}
	return status;
}

/* One line of the table, when all went well. */
static int try_ruleset(struct check *c, const struct ruleset *rules)
{
	c->rules = *rules;
	c->seen = (struct seen){ 0 };
	rng_seed(&c->rng, 1);
	begin_game(c);
	int status = PLY_OK;
	for (int i = 0; i < SAMPLES && status == PLY_OK; i++)
		status = ask_sample(c);
	if (status != PLY_OK)
		return status;
	printf("  %-18s %9zu %8.1f ms %9.1f %% %8.0f KiB\n", rules->name,
	       c->seen.positions, 1000 * c->seen.slowest_s,
	       100.0 * (double)c->seen.steps / WORKER_STEPS_MAX,
	       (double)c->seen.bytes / 1024);
	if (c->kind == WORKER_POLICY &&
	    c->seen.slowest_s * 1000 > VERDICT_SLOW_MS)
		printf("  slow: plyd waits %d ms for a verdict\n",
		       VERDICT_SLOW_MS);
	return PLY_OK;
}

static int dry_run(struct check *c, const struct worker_texts *only)
{
	size_t tried = 0;
	printf("  %-18s %9s %11s %11s %12s\n", "ruleset", "positions",
	       "slowest", "of steps", "memory");
	for (size_t i = 0; i < ruleset_count(); i++) {
		const struct ruleset *rules = ruleset_at(i);
		bool wanted = only->count == 0;
		for (size_t k = 0; k < only->count; k++)
			wanted |= span_is(only->at[k], rules->name);
		if (!wanted)
			continue;
		int status = try_ruleset(c, rules);
		if (status != PLY_OK)
			return status;
		tried++;
	}
	if (tried < only->count)
		printf("  %zu of its rulesets are not built in, and were not "
		       "tried\n",
		       only->count - tried);
	return PLY_OK;
}

/* ---- by kind ----------------------------------------------------------- */

static void say_about(const struct check *c, const char *what,
		      struct span about)
{
	printf("%s: the %s '%s'%s%.*s\n", c->path, what, c->name,
	       about.len ? ": " : "", (int)about.len, (const char *)about.at);
}

/* Loads it again under its own name, as plyd does, and asks it. */
static int try_it(struct check *c, const struct worker_texts *rulesets)
{
	struct script_answer a;
	int status = load(c, c->name, &a);
	return status == PLY_OK ? dry_run(c, rulesets) : status;
}

static int check_personality(struct check *c, const struct value *result)
{
	struct worker_personality p;
	char names[WORKER_RULESETS_MAX][WORKER_NAME_MAX + 1];
	if (worker_personality_read(result, &p))
		return PLY_UNREADABLE;
	span_copy(p.name, c->name, sizeof(c->name));
	say_about(c, "personality", p.about);
	for (size_t i = 0; i < p.rulesets.count; i++) {
		span_copy(p.rulesets.at[i], names[i], sizeof(names[i]));
		p.rulesets.at[i] = span_str(names[i]);
	}
	return try_it(c, &p.rulesets);
}

static void say_offers(const struct worker_policy *p)
{
	if (p->no_offers) {
		printf("  no draw by agreement\n");
		return;
	}
	if (p->offers_from > 0)
		printf("  no draw by agreement before half-move %lld\n",
		       (long long)p->offers_from);
	if (p->offers_max > 0)
		printf("  %lld offers of each side until there is progress\n",
		       (long long)p->offers_max);
}

static int check_policy(struct check *c, const struct value *result)
{
	struct worker_policy p;
	const struct worker_texts all = { .count = 0 };
	if (worker_policy_read(result, &p))
		return PLY_UNREADABLE;
	span_copy(p.name, c->name, sizeof(c->name));
	say_about(c, "policy", p.about);
	printf("  drawn after %lld half-moves without progress, %lld "
	       "occurrences (0: never)\n",
	       (long long)p.no_progress, (long long)p.repetition);
	say_offers(&p);
	if (p.has_verdict)
		return try_it(c, &all);
	printf("  only data: plyd keeps it without calling anything\n");
	return PLY_OK;
}

static int check_ruleset(struct check *c, const struct value *result)
{
	struct worker_ruleset r;
	static struct move_list list;
	if (worker_ruleset_read(result, &r) ||
	    ruleset_read((const char *)r.ruleset.at, r.ruleset.len, &c->rules))
		return PLY_UNREADABLE;
	span_copy(r.name, c->name, sizeof(c->name));
	say_about(c, "ruleset", r.about);
	printf("  on %.*s, with the policy '%.*s'\n  %.*s\n", (int)r.base.len,
	       (const char *)r.base.at, (int)r.policy.len,
	       (const char *)r.policy.at, (int)r.ruleset.len,
	       (const char *)r.ruleset.at);
	rng_seed(&c->rng, 1);
	begin_game(c);
	throw_dice(c);
	if (!game_moves(&c->rules, &c->pos, &list))
		printf("  %zu legal moves at the start%s\n", list.total,
		       ruleset_has_dice(&c->rules) ? " with a first throw"
						   : "");
	return PLY_OK;
}

static int check_kind(struct check *c)
{
	struct script_answer a;
	int status = load_libraries(c);
	if (status == PLY_OK)
		status = load(c, c->kind == WORKER_LIBRARY ? "library" : "x",
			      &a);
	if (status != PLY_OK)
		return status;
	switch (c->kind) {
	case WORKER_PERSONALITY: return check_personality(c, a.reply->result);
	case WORKER_POLICY: return check_policy(c, a.reply->result);
	case WORKER_RULESET: return check_ruleset(c, a.reply->result);
	case WORKER_LIBRARY:
		printf("%s: a library; it runs where a script uses it\n",
		       c->path);
		return PLY_OK;
	default:
		printf("%s: can be read; plyd --check-config says whether its "
		       "values are good\n",
		       c->path);
		return PLY_OK;
	}
}

/* ---- all of it --------------------------------------------------------- */

int script_check(const char *path, int kind)
{
	struct check c = { .path = path, .kind = kind };
	buf_init(&c.question, WORKER_BYTES_MAX);
	int status = read_source(&c);
	if (status == PLY_OK && script_worker_new(&c.worker)) {
		fprintf(stderr, "ply script: no memory\n");
		status = PLY_UNREADABLE;
	}
	if (status == PLY_OK)
		status = check_kind(&c);
	if (status == PLY_OK)
		printf("%s: good\n", path);
	script_worker_free(c.worker);
	buf_release(&c.question);
	free(c.source);
	return status;
}
