/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ply/analysis_print.h"
#include "ply/command.h"
#include "ply/explain.h"
#include "ply/game_file.h"
#include "ply/progress.h"
#include "ply/question.h"
#include "ply/record_file.h"

enum {
	OPTION_RULESET = 'r',
	OPTION_NODES = 256,
	OPTION_WORST,
	OPTION_BLUNDER,
	PROGRESS_TEXT_MAX = 48
};

static const struct argp_option options[] = {
	{ "ruleset", OPTION_RULESET, "NAME", 0,
	  "Ruleset of the games (default: what they say themselves)", 0 },
	{ "nodes", OPTION_NODES, "N", 0,
	  "Positions to look at in a search (default: 20000)", 0 },
	{ "worst", OPTION_WORST, "N", 0,
	  "How many of the worst moves to show, and of decisions about the "
	  "cube (default: 3)",
	  0 },
	{ "blunder", OPTION_BLUNDER, "N", 0,
	  "A move that loses so much is a blunder (default: 70 hundredths of a "
	  "man; in backgammon 80 millipoints)",
	  0 },
	{ "json", OPTION_JSON, NULL, 0,
	  "Answer in JSON, a line for each game with all its decisions", 0 },
	{ 0 },
};

struct analysing {
	const char *who;
	struct question q; /* of it the ruleset, if ruleset_name is given */
	char **files;      /* lent by argv */
	int count;
	struct analysis_options options;
	size_t worst;
	struct analyser *analyser;
	struct games_draws draws; /* of the games that come */
	struct report report;     /* of the file */
	struct progress_line progress;
	uint64_t games; /* of the file, refused ones counted */
	bool refused;
};

static uint64_t number(struct argp_state *state, const char *arg, uint64_t most)
{
	char *rest;
	errno = 0;
	uint64_t n = strtoumax(arg, &rest, 10);
	if (errno || *rest || rest == arg || arg[0] == '-' || n < 1 || n > most)
		argp_error(state, "'%s' is not a number from 1 to %" PRIu64,
			   arg, most);
	return n;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct analysing *a = state->input;
	switch (key) {
	case OPTION_RULESET: a->q.ruleset_name = arg; break;
	case OPTION_JSON: a->q.json = true; break;
	case OPTION_NODES:
		a->options.nodes = number(state, arg, UINT64_MAX);
		break;
	case OPTION_WORST:
		a->worst = number(state, arg, REPORT_WORST_MAX);
		break;
	case OPTION_BLUNDER:
		a->options.blunder = (int)number(state, arg, ENGINE_SCORE_MAX);
		break;
	case ARGP_KEY_ARGS:
		a->files = state->argv + state->next;
		a->count = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS: argp_usage(state); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* -- what the readers tell -- */

static void on_progress(void *payload, size_t done, size_t whole)
{
	struct analysing *a = payload;
	char text[PROGRESS_TEXT_MAX];
	if (done == whole)
		return; /* the line is taken away at once */
	snprintf(text, sizeof(text), "half-moves of game %" PRIu64, a->games);
	progress_show(&a->progress, done, whole, text);
}

static void on_game(void *payload, const struct game_record *game)
{
	struct analysing *a = payload;
	a->games = game->number;
	const struct analysis *analysis =
		analyser_game(a->analyser, game, &a->draws);
	progress_clear(&a->progress);
	report_game(&a->report, game, analysis);
	fflush(stdout);
}

static void on_fault(void *payload, const struct game_fault *f)
{
	struct analysing *a = payload;
	char words[EXPLAIN_MAX];
	bool illegal = f->err == PLYD_EILLEGAL;
	a->refused = true;
	if (illegal)
		explain_refusal(&f->refusal, words);
	fprintf(stderr,
		"%s: '%s', line %" PRIu32 ": game %" PRIu64
		" is left out: %s\n",
		a->who, a->report.path, f->place.line, f->game,
		illegal ? words : f->text);
}

/* -- files -- */

/* A record is MessagePack and begins with a map. A pipe can be read only once
 * and is taken for text. */
static bool is_record(const char *path)
{
	struct stat st;
	FILE *file = !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "rb")
							     : NULL;
	int c = file ? getc(file) : EOF;
	if (file)
		fclose(file);
	return c != EOF && ((c & 0xf0) == 0x80 || c == 0xde || c == 0xdf);
}

static int tell_record(struct analysing *a, const struct record_view *view,
		       struct doc *doc)
{
	const struct game_sink sink = { on_game, on_fault, a };
	struct record_games *games;
	struct buf fact;
	int err = record_games_new(&sink, &games);
	buf_init(&fact, STORE_BYTES_MAX);
	for (size_t i = 0; !err && i < client_count(view->facts); i++) {
		err = record_fact(view, i, &fact) ? PLYD_OK : PLYD_ERECORD;
		if (!err)
			err = record_games_fact(games, doc, buf_span(&fact));
		if (!err)
			record_games_draws(games, &a->draws);
	}
	if (!err)
		record_games_end(games);
	buf_release(&fact);
	record_games_free(games);
	return err;
}

static const char *read_record(struct analysing *a)
{
	struct record_view view;
	struct buf bytes;
	struct doc *doc = doc_new();
	struct doc *scratch = doc_new();
	buf_init(&bytes, STORE_BYTES_MAX);
	const char *wrong =
		doc && scratch ? record_read(a->report.path, &bytes, doc, &view)
			       : plyd_err_text(PLYD_ENOMEM);
	int err = wrong ? PLYD_OK : tell_record(a, &view, scratch);
	buf_release(&bytes);
	doc_free(doc);
	doc_free(scratch);
	return err ? plyd_err_text(err) : wrong;
}

static const char *read_file(struct analysing *a)
{
	const struct game_file file = {
		.path = a->report.path,
		.asked = a->q.ruleset_name ? &a->q.ruleset : NULL,
		.sink = { on_game, on_fault, a },
	};
	enum game_format format;
	/* as in the policy that plyd plays by */
	a->draws = (struct games_draws){ .no_progress = 80, .repetition = 3 };
	return game_file_read(&file, &format);
}

static int analyse_file(struct analysing *a, const char *path)
{
	a->report = (struct report){ .path = path,
				     .options = &a->options,
				     .json = a->q.json,
				     .worst = a->worst };
	a->games = 0;
	a->refused = false;
	if (a->count > 1 && !a->q.json)
		printf("%s\n", path);
	const char *wrong = is_record(path) ? read_record(a) : read_file(a);
	if (wrong) {
		fprintf(stderr, "%s: '%s': %s\n", a->who, path, wrong);
		return PLY_UNREADABLE;
	}
	report_end(&a->report);
	return a->refused ? PLY_REFUSED : PLY_OK;
}

int cmd_analyse(int argc, char **argv)
{
	static struct analysing a;
	int status = PLY_OK;
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE...",
		.doc = "Judge the decisions of games by the engine: a record "
		       "that `ply record' saved, draughts as PDN, backgammon "
		       "as .mat or SGF.\v"
		       "Counted are half-moves that could have had another "
		       "result. The exit status is 0, 1 if a game was left out "
		       "because it breaks a rule, 2 if a file cannot be read.",
	};
	a.who = argv[0];
	a.worst = REPORT_WORST;
	a.options = (struct analysis_options){ .nodes = ANALYSIS_NODES,
					       .progress = on_progress,
					       .payload = &a };
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (a.q.ruleset_name && question_resolve(&a.q, a.who) != PLY_OK)
		return PLY_UNREADABLE;
	progress_init(&a.progress);
	if (analyser_new(&a.options, &a.analyser)) {
		fprintf(stderr, "%s: %s\n", a.who, plyd_err_text(PLYD_ENOMEM));
		return PLY_UNREADABLE;
	}
	for (int i = 0; i < a.count; i++) {
		int s = analyse_file(&a, a.files[i]);
		status = s > status ? s : status;
	}
	analyser_free(a.analyser);
	return status;
}
