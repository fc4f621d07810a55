/* SPDX-License-Identifier: MIT
 * A script is read by the worker that plyd would give it to, and then asked in
 * positions of random games: the same ones each time. */
#include "ply/script.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ply/board.h"
#include "ply/command.h"
#include "ply/script_file.h"
#include "ply/terminal.h"

enum {
	SAMPLES = 12,         /* positions of each ruleset, */
	SAMPLES_VERDICT = 60, /* more of them where each is quickly judged */
	PLIES_STEP = 5,       /* half-moves between two of them */
};

/* What a dry run has seen of one ruleset. */
struct seen {
	size_t positions;
	double sum_s, slowest_s;
	uint64_t steps, bytes; /* the most */
	size_t verdicts[VERDICT_WARN + 1];
};

struct check {
	struct script_file file;
	struct seen seen;
	/* the random game */
	struct ruleset rules;
	struct position pos;
	struct rng rng;
	int ply, quiet;
};

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
	bool moves = c->file.kind == WORKER_PERSONALITY;
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

static void write_choose(struct check *c, const struct script_texts *t)
{
	const struct worker_choose m = {
		.personality = span_str(c->file.name),
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
	worker_ask_choose(&c->file.question, 1, &m);
}

static void write_verdict(struct check *c, const struct script_texts *t)
{
	const struct worker_verdict m = {
		.policy = span_str(c->file.name),
		.match = span_str(""),
		.ruleset = t->rules_span,
		.position = t->pos_span,
		.ply = c->ply,
		.quiet = c->quiet,
		.repeats = 1,
	};
	worker_ask_verdict(&c->file.question, 1, &m);
}

static void note(struct seen *s, double seconds, uint64_t steps, uint64_t bytes)
{
	s->positions++;
	s->sum_s += seconds;
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
	if (c->file.kind == WORKER_PERSONALITY) {
		if (worker_choice_read(a->reply->result, &choice))
			return false;
		note(&c->seen, a->seconds, choice.steps, choice.bytes);
		return true;
	}
	if (worker_ruling_read(a->reply->result, &ruling))
		return false;
	note(&c->seen, a->seconds, ruling.steps, ruling.bytes);
	c->seen.verdicts[ruling.verdict]++;
	return true;
}

/* Says what is wrong, in which position, and shows it. */
static int complain(const struct check *c, const struct script_answer *a,
		    const struct script_texts *t)
{
	char fault[SCRIPT_FAULT_MAX];
	struct buf board;
	const struct board_look look = {
		.bottom = (enum side)c->pos.side,
		.colour = terminal_has_colour(),
	};
	if (script_answer_is_good(a))
		snprintf(fault, sizeof(fault),
			 "%s: an answer that cannot be "
			 "read",
			 c->file.path);
	else
		script_file_fault(&c->file, a, fault);
	fflush(stdout); /* where both go to one place: what came first */
	fprintf(stderr, "%s\n  in %s, half-move %d: %s\n", fault, c->rules.name,
		c->ply, t->pos);
	buf_init(&board, BOARD_TEXT_MAX);
	if (!board_draw(&c->rules, &c->pos, &look, &board))
		fprintf(stderr, "%.*s", (int)board.len, (const char *)board.at);
	buf_release(&board);
	return script_answer_is_good(a) ? PLY_UNREADABLE : PLY_REFUSED;
}

static int ask_sample(struct check *c)
{
	struct script_texts t;
	struct script_answer a;
	bool moves = c->file.kind == WORKER_PERSONALITY;
	next_sample(c);
	script_texts_write(&t, &c->rules, &c->pos);
	buf_clear(&c->file.question);
	(moves ? write_choose : write_verdict)(c, &t);
	int status =
		script_file_ask(&c->file,
				moves ? SCRIPT_CHOOSE_MS : SCRIPT_VERDICT_MS,
				&a);
	if (status != PLY_OK)
		return status;
	return script_answer_is_good(&a) && take_cost(c, &a)
		       ? PLY_OK
		       : complain(c, &a, &t);
}

static void say_seen(const struct check *c)
{
	const struct seen *s = &c->seen;
	printf("  %-18s %9zu %7.1f ms %7.1f ms %9.1f %% %8.0f KiB\n",
	       c->rules.name, s->positions,
	       1000 * s->sum_s / (double)s->positions, 1000 * s->slowest_s,
	       100.0 * (double)s->steps / WORKER_STEPS_MAX,
	       (double)s->bytes / 1024);
	if (c->file.kind != WORKER_POLICY)
		return;
	size_t wins = s->verdicts[VERDICT_WHITE] + s->verdicts[VERDICT_BLACK];
	if (s->verdicts[VERDICT_CONTINUE] < s->positions)
		printf("    of these %zu drawn, %zu won, %zu with a warning\n",
		       s->verdicts[VERDICT_DRAW], wins,
		       s->verdicts[VERDICT_WARN]);
	if (s->slowest_s * 1000 > SCRIPT_VERDICT_SLOW_MS)
		printf("    slow: plyd waits %d ms for a verdict\n",
		       SCRIPT_VERDICT_SLOW_MS);
}

/* One line of the table, when all went well. */
static int try_ruleset(struct check *c, const struct ruleset *rules)
{
	int samples = c->file.kind == WORKER_POLICY ? SAMPLES_VERDICT : SAMPLES;
	c->rules = *rules;
	c->seen = (struct seen){ 0 };
	rng_seed(&c->rng, 1);
	begin_game(c);
	int status = PLY_OK;
	for (int i = 0; i < samples && status == PLY_OK; i++)
		status = ask_sample(c);
	if (status == PLY_OK)
		say_seen(c);
	return status;
}

/* A ruleset that it names and that is not built in lies beside it. */
static int try_named(struct check *c, const char *name)
{
	char copy[PATH_MAX], scripts[PATH_MAX + sizeof("/..")], path[PATH_MAX];
	struct ruleset built_in;
	struct script_file other;
	if (!ruleset_find(name, strlen(name), &built_in))
		return try_ruleset(c, &built_in);
	snprintf(copy, sizeof(copy), "%s", c->file.path);
	snprintf(scripts, sizeof(scripts), "%s/..", dirname(copy));
	if (!script_file_find(name, WORKER_RULESET, scripts, path)) {
		printf("  %-18s is neither built in nor in ../rulesets: not "
		       "tried\n",
		       name);
		return PLY_OK;
	}
	int status = script_file_open(&other, path, WORKER_RULESET);
	if (status == PLY_OK)
		status = try_ruleset(c, &other.rules);
	script_file_close(&other);
	return status;
}

static int dry_run(struct check *c)
{
	int status = PLY_OK;
	printf("  %-18s %9s %10s %10s %11s %12s\n", "ruleset", "positions",
	       "average", "slowest", "of steps", "memory");
	for (size_t i = 0; i < c->file.ruleset_count && status == PLY_OK; i++)
		status = try_named(c, c->file.ruleset[i]);
	for (size_t i = 0; c->file.ruleset_count == 0 && i < ruleset_count() &&
			   status == PLY_OK;
	     i++)
		status = try_ruleset(c, ruleset_at(i));
	return status;
}

/* ---- by kind ----------------------------------------------------------- */

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

static int check_policy(struct check *c)
{
	const struct worker_policy *p = &c->file.policy;
	printf("  drawn after %lld half-moves without progress, %lld "
	       "occurrences (0: never)\n",
	       (long long)p->no_progress, (long long)p->repetition);
	say_offers(p);
	if (p->has_verdict)
		return dry_run(c);
	printf("  only data: plyd keeps it without calling anything\n");
	return PLY_OK;
}

static int check_ruleset(struct check *c)
{
	static struct move_list list;
	char text[RULESET_TEXT_MAX];
	ruleset_write(&c->file.rules, text);
	printf("  on %s, with the policy '%s'\n  %s\n", c->file.base,
	       c->file.follows, text);
	c->rules = c->file.rules;
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
	static const char *const what[] = {
		[WORKER_RULESET] = "ruleset",
		[WORKER_POLICY] = "policy",
		[WORKER_PERSONALITY] = "personality",
	};
	const struct script_file *f = &c->file;
	if (f->name[0])
		printf("%s: the %s '%s'%s%s\n", f->path, what[f->kind], f->name,
		       f->about[0] ? ": " : "", f->about);
	switch (f->kind) {
	case WORKER_PERSONALITY: return dry_run(c);
	case WORKER_POLICY: return check_policy(c);
	case WORKER_RULESET: return check_ruleset(c);
	case WORKER_LIBRARY:
		printf("%s: a library; it runs where a script uses it\n",
		       f->path);
		return PLY_OK;
	case WORKER_TOURNAMENT:
		printf("%s: a tournament; plyd --check-config says whether "
		       "its ruleset is there\n",
		       f->path);
		return PLY_OK;
	default:
		printf("%s: can be read; plyd --check-config says whether its "
		       "values are good\n",
		       f->path);
		return PLY_OK;
	}
}

/* ---- all of it --------------------------------------------------------- */

int script_check(const char *path, int kind)
{
	struct check *c = calloc(1, sizeof(*c));
	if (!c)
		return PLY_UNREADABLE;
	int status = script_file_open(&c->file, path, kind);
	if (status == PLY_OK)
		status = check_kind(c);
	if (status == PLY_OK)
		printf("%s: %sgood%s\n", path,
		       terminal_has_colour() ? "\033[32m" : "",
		       terminal_has_colour() ? "\033[0m" : "");
	script_file_close(&c->file);
	free(c);
	return status;
}
