/* SPDX-License-Identifier: MIT
 * bot_stdio.c - the engine for referee programs: lines of stdio_line.h on
 * standard input and output, no server. The engine counts in nodes only, so
 * time is kept by an alarm on this program's own CPU time, which says stop. */
#include "ply/bot.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "ply/command.h"
#include "ply/question.h"
#include "ply/stdio_line.h"
#include "ply/trail.h"

enum {
	STDIO_TABLE_BYTES = 64 * 1024 * 1024,
	ALARM_LATE_MS = 8,     /* what an alarm and the last node may take */
	NODES_A_MS_MAX = 20000 /* no machine looks at more; the engine uses no
				* more of its table than a budget can fill */
};

struct stdio_game {
	const struct bot_options *options;
	const char *who;
	struct ruleset rules;
	struct engine *engine;
	timer_t alarm;
	size_t line;
	struct trail trail;
};

/* -- time -- */

static atomic_bool time_is_up;

static void on_alarm(int signal)
{
	(void)signal;
	atomic_store_explicit(&time_is_up, true, memory_order_relaxed);
}

static int alarm_open(timer_t *out)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGALRM };
	if (sigaction(SIGALRM, &action, NULL) ||
	    timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, out))
		return PLYD_EIO;
	return PLYD_OK;
}

/* Says stop after so much CPU time; 0: never. */
static void alarm_set(timer_t alarm, uint64_t ms)
{
	struct itimerspec due = { .it_value = {
					  .tv_sec = (time_t)(ms / 1000),
					  .tv_nsec =
						  (long)(ms % 1000) * 1000000,
				  } };
	timer_settime(alarm, 0, &due, NULL);
	atomic_store_explicit(&time_is_up, false, memory_order_relaxed);
}

/* What is left of a move's time for the search, so that all of it is kept. */
static uint64_t search_ms(uint64_t ms)
{
	if (ms == 0)
		return 0;
	return ms > 2 * ALARM_LATE_MS ? ms - ALARM_LATE_MS : (ms + 1) / 2;
}

static uint64_t nodes_most(uint64_t ms)
{
	return ms < UINT64_MAX / NODES_A_MS_MAX ? ms * NODES_A_MS_MAX
						: UINT64_MAX;
}

/* -- answers -- */

static int choose(struct stdio_game *g, const struct stdio_line *l,
		  struct move *out)
{
	const struct bot_options *o = g->options;
	static struct engine_result result;
	uint64_t ms = l->ms;
	if (o->ms > 0 && (ms == 0 || o->ms < ms))
		ms = o->ms;
	if (o->nodes > 0)
		ms = 0;
	const struct engine_question q = {
		.ruleset = &g->rules,
		.position = &l->pos,
		.history = &g->trail.history,
		.budget = { .nodes = o->nodes > 0 ? o->nodes
				     : ms > 0     ? nodes_most(ms)
						  : BOT_NODES,
			    .depth = o->depth,
			    .stop = &time_is_up },
		.multipv = 1,
		.seed = o->seed,
	};
	alarm_set(g->alarm, search_ms(ms));
	int err = engine_search(g->engine, &q, &result);
	alarm_set(g->alarm, 0);
	if (result.count > 0)
		*out = result.line[0].move;
	else
		memset(out, 0, sizeof(*out)); /* a throw without a move */
	return err;
}

static int answer(struct stdio_game *g, const struct stdio_line *l)
{
	char text[STDIO_ANSWER_MAX];
	struct move move;
	bool draughts = g->rules.family == FAMILY_DRAUGHTS;
	if (draughts)
		trail_see(&g->trail, &l->pos);
	int err = choose(g, l, &move);
	if (err) {
		fprintf(stderr, "%s: line %zu: %s\n", g->who, g->line,
			plyd_err_text(err));
		return PLY_OK;
	}
	if (draughts)
		trail_move(&g->trail, &l->pos, &move);
	stdio_answer(&g->rules, &l->pos, &move, text);
	if (puts(text) == EOF || fflush(stdout)) {
		fprintf(stderr, "%s: cannot write the answer: %s\n", g->who,
			strerror(errno));
		return PLY_UNREADABLE;
	}
	return PLY_OK;
}

/* -- lines -- */

/* Reads one line without its end; SIZE_MAX when there is none. Of a longer one
 * than STDIO_LINE_MAX the rest is dropped, and its length is one more. */
static size_t read_line(FILE *in, char out[STDIO_LINE_MAX + 1])
{
	size_t len = 0;
	int c = getc(in);
	if (c == EOF)
		return SIZE_MAX;
	for (; c != EOF && c != '\n'; c = getc(in))
		if (len <= STDIO_LINE_MAX)
			out[len++] = (char)c;
	return len;
}

static void complain(const struct stdio_game *g, const char *why, char *text,
		     size_t len)
{
	char shown[SHOWN_MAX + 1];
	text[len < STDIO_LINE_MAX ? len : STDIO_LINE_MAX] = '\0';
	fprintf(stderr, "%s: line %zu: %s\n  %s\n", g->who, g->line, why,
		text_printable(text, shown));
}

static int converse(struct stdio_game *g)
{
	static char text[STDIO_LINE_MAX + 1];
	struct stdio_line line;
	const char *why;
	size_t len;
	int status = PLY_OK;
	trail_forget(&g->trail, &g->rules);
	while (status == PLY_OK && (len = read_line(stdin, text)) != SIZE_MAX) {
		g->line++;
		why = "the line is longer than 512 characters";
		if (len > STDIO_LINE_MAX ||
		    stdio_read(&g->rules, text, len, &line, &why)) {
			complain(g, why, text, len);
			continue;
		}
		if (line.ask == STDIO_QUIT)
			break;
		if (line.ask == STDIO_NEW)
			trail_forget(&g->trail, &g->rules);
		if (line.ask == STDIO_CHOOSE)
			status = answer(g, &line);
	}
	return status;
}

int bot_stdio(const struct bot_options *options, const char *who)
{
	struct stdio_game g = { .options = options, .who = who };
	struct question q = { .ruleset_name = options->ruleset };
	int status = question_resolve(&q, who);
	if (status != PLY_OK)
		return status;
	g.rules = q.ruleset;
	if (engine_new(STDIO_TABLE_BYTES, &g.engine)) {
		fprintf(stderr, "%s: no memory\n", who);
		return PLY_UNREADABLE;
	}
	if (alarm_open(&g.alarm)) {
		fprintf(stderr, "%s: no timer: %s\n", who, strerror(errno));
		status = PLY_UNREADABLE;
	} else {
		status = converse(&g);
		timer_delete(g.alarm);
	}
	engine_free(g.engine);
	return status;
}
