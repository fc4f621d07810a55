/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ply/command.h"
#include "ply/explain.h"
#include "ply/game_file.h"
#include "ply/question.h"
#include "ply/story_view.h"

enum {
	OPTION_RULESET = 'r',
	OPTION_SHOW = 's',
	PROGRESS_MS = 200,
	NAME_COLUMNS = 40 /* of a file in the line of progress */
};

static const struct argp_option options[] = {
	{ "ruleset", OPTION_RULESET, "NAME", 0,
	  "Ruleset of the games (default: what they say themselves)", 0 },
	{ "show", OPTION_SHOW, NULL, 0,
	  "Show one file on the screen, to be stepped through: a record of "
	  "`ply record', or games",
	  0 },
	{ "json", OPTION_JSON, NULL, 0,
	  "Answer in JSON, a line for each refusal and for each file", 0 },
	{ 0 },
};

struct tally {
	uint64_t games;
	uint64_t moves; /* of the games that were accepted */
	uint64_t refused;
	uint64_t results[RESULT_FORFEIT + 1];
};

struct replay {
	struct question q; /* of it the ruleset, if ruleset_name is given */
	char **files;      /* lent by argv */
	int count;
	const char *path; /* the file being read */
	struct tally file;
	struct tally all;
	bool show;
	bool progress;     /* is wanted */
	bool shown;        /* a line of it stands in the terminal */
	uint64_t shown_ms; /* since then */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct replay *p = state->input;
	switch (key) {
	case OPTION_RULESET: p->q.ruleset_name = arg; break;
	case OPTION_JSON: p->q.json = true; break;
	case OPTION_SHOW: p->show = true; break;
	case ARGP_KEY_ARGS:
		p->files = state->argv + state->next;
		p->count = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS: argp_usage(state); break;
	case ARGP_KEY_END:
		if (p->show && p->count != 1)
			argp_error(state, "show one file");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* ---- progress ---------------------------------------------------------- */

static uint64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void on_read(void *payload, uint64_t read, uint64_t whole)
{
	struct replay *p = payload;
	char shown[SHOWN_MAX + 1];
	uint64_t now = now_ms();
	bool rests = p->shown && now - p->shown_ms < PROGRESS_MS;
	if (!p->progress || rests || (whole > 0 && read >= whole))
		return;
	p->shown = true;
	p->shown_ms = now;
	fprintf(stderr, "\r\033[K%.*s: ", NAME_COLUMNS,
		text_printable(p->path, shown));
	if (whole > 0)
		fprintf(stderr, "%" PRIu64 " %%, ", read * 100 / whole);
	fprintf(stderr, "%" PRIu64 " games, %" PRIu64 " refused", p->file.games,
		p->file.refused);
}

static void progress_clear(struct replay *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

/* ---- what the reader tells --------------------------------------------- */

static void on_game(void *payload, const struct game_record *game)
{
	struct replay *p = payload;
	p->file.games++;
	p->file.results[game->result]++;
	for (size_t i = 0; i < game->entry_count; i++)
		p->file.moves += game->entry[i].kind == ENTRY_MOVE;
}

static void say_fault(const struct replay *p, const struct game_fault *f)
{
	char words[EXPLAIN_MAX], shown[SHOWN_MAX + 1];
	printf("%s:%" PRIu32 ":%" PRIu32 ": game %" PRIu64, p->path,
	       f->place.line, f->place.column, f->game);
	if (f->ply > 0)
		printf(", half-move %u", f->ply);
	printf(": ");
	if (f->word[0])
		printf("'%s': ", text_printable(f->word, shown));
	if (f->err != PLYD_EILLEGAL) {
		printf("%s\n", f->text);
		return;
	}
	explain_refusal(&f->refusal, words);
	printf("refused (%s). %s\n", reason_name(f->refusal.reason), words);
}

/* Gives a JSON string of any bytes. */
static json_t *json_text(const char *text)
{
	char shown[SHOWN_MAX + 1];
	json_t *exact = json_string(text);
	return exact ? exact : json_string(text_printable(text, shown));
}

static void json_fault(const struct replay *p, const struct game_fault *f)
{
	char words[EXPLAIN_MAX];
	bool illegal = f->err == PLYD_EILLEGAL;
	if (illegal)
		explain_refusal(&f->refusal, words);
	json_print(json_pack("{s:o,s:I,s:I,s:I,s:I,s:i,s:o,s:s,s:s?,s:s,s:o}",
			     "file", json_text(p->path), "line",
			     (json_int_t)f->place.line, "column",
			     (json_int_t)f->place.column, "offset",
			     (json_int_t)f->place.offset, "game",
			     (json_int_t)f->game, "ply", (int)f->ply, "word",
			     json_text(f->word), "error", plyd_err_name(f->err),
			     "reason",
			     illegal ? reason_name(f->refusal.reason) : NULL,
			     "text", illegal ? words : f->text, "position",
			     f->ply > 0 ? json_position(f->ruleset, f->position)
					: json_null()));
}

static void on_fault(void *payload, const struct game_fault *fault)
{
	struct replay *p = payload;
	p->file.games++;
	p->file.refused++;
	progress_clear(p);
	(p->q.json ? json_fault : say_fault)(p, fault);
}

/* ---- summaries --------------------------------------------------------- */

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void say_tally(const char *what, const struct tally *t)
{
	printf("%s: %" PRIu64 " game%s, %" PRIu64 " move%s: %" PRIu64
	       " accepted, %" PRIu64 " refused (white won %" PRIu64
	       ", black %" PRIu64 ", drawn %" PRIu64 ", open %" PRIu64 ")\n",
	       what, t->games, plural(t->games), t->moves, plural(t->moves),
	       t->games - t->refused, t->refused, t->results[RESULT_WHITE],
	       t->results[RESULT_BLACK], t->results[RESULT_DRAW],
	       t->results[RESULT_NONE] + t->results[RESULT_FORFEIT]);
}

static void json_tally(const char *file, enum game_format format,
		       const struct tally *t)
{
	json_print(json_pack("{s:o,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}",
			     "file", json_text(file), "format",
			     game_format_name(format), "games",
			     (json_int_t)t->games, "moves",
			     (json_int_t)t->moves, "accepted",
			     (json_int_t)(t->games - t->refused), "refused",
			     (json_int_t)t->refused, "white",
			     (json_int_t)t->results[RESULT_WHITE], "black",
			     (json_int_t)t->results[RESULT_BLACK], "drawn",
			     (json_int_t)t->results[RESULT_DRAW], "open",
			     (json_int_t)(t->results[RESULT_NONE] +
					  t->results[RESULT_FORFEIT])));
}

static void tally_add(struct tally *sum, const struct tally *t)
{
	sum->games += t->games;
	sum->moves += t->moves;
	sum->refused += t->refused;
	for (size_t i = 0; i <= RESULT_FORFEIT; i++)
		sum->results[i] += t->results[i];
}

/* ---- files ------------------------------------------------------------- */

static int replay_file(struct replay *p, const char *who)
{
	enum game_format format;
	const struct game_file file = {
		.path = p->path,
		.asked = p->q.ruleset_name ? &p->q.ruleset : NULL,
		.sink = { on_game, on_fault, p },
		.progress = on_read,
	};
	const char *wrong = game_file_read(&file, &format);
	progress_clear(p);
	if (wrong) {
		fprintf(stderr, "%s: '%s': %s\n", who, p->path, wrong);
		return PLY_UNREADABLE;
	}
	tally_add(&p->all, &p->file);
	if (p->q.json)
		json_tally(p->path, format, &p->file);
	else
		say_tally(p->path, &p->file);
	return p->file.refused > 0 ? PLY_REFUSED : PLY_OK;
}

static int replay_all(struct replay *p, const char *who)
{
	int status = PLY_OK;
	for (int i = 0; i < p->count; i++) {
		p->path = p->files[i];
		p->file = (struct tally){ .games = 0 };
		int s = replay_file(p, who);
		status = s > status ? s : status;
	}
	if (p->count > 1 && !p->q.json)
		say_tally("all files", &p->all);
	return status;
}

int cmd_replay(int argc, char **argv)
{
	struct replay p = { .path = NULL };
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE...",
		.doc = "Check games that others wrote down, draughts as PDN, "
		       "backgammon as .mat or SGF: every move and the result "
		       "of "
		       "every game by the rules.\v"
		       "A refusal is a line with the file, line and column of "
		       "what is wrong; the game counts as refused, and the "
		       "next one is read. A draughts game that names no "
		       "GameType is English; a game of backgammon is one of "
		       "a match, or for money, with the doubling cube. The "
		       "exit status is 0 if all games are accepted, 1 if one "
		       "is refused, 2 if a file cannot be read.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &p);
	if (p.show)
		return story_view_file(argv[0], p.files[0]);
	if (p.q.ruleset_name && question_resolve(&p.q, argv[0]) != PLY_OK)
		return PLY_UNREADABLE;
	p.progress = isatty(STDERR_FILENO);
	return replay_all(&p, argv[0]);
}
