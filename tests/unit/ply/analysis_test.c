/* SPDX-License-Identifier: MIT
 * Games with a known blunder, and with none. */
#include "unit.h"

#include <string.h>

#include "ply/analysis.h"

enum { NODES = 3000 };

#define SGF(setup, moves)                                                      \
	"(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]PW[w]PB[b]RE[?]" setup    \
	";" moves ")"

/* White has a checker on 1 and one on 2, Black two on his 1. */
#define LAST_TWO "AE[a:y]AW[a][b]AB[x][x]PL[W]"

static const struct plot {
	const char *name;
	enum game_format format;
	const char *text;
	enum decision_kind kind; /* of the decision that is looked at */
	unsigned ply;
	int loss_min; /* of it, if it is a move */
	int loss_max;
	bool did; /* of it, if it is of the cube */
	bool should;
	unsigned decisions; /* moves that were, of both */
	unsigned blunders;
	unsigned wrong; /* decisions about the cube, of both */
} plots[] = {
	{ .name = "a man is given away",
	  .format = FORMAT_PDN,
	  .text = "[FEN \"B:W18,32,31:B11,1,2\"]\n1. 11-15 18x11 *",
	  .kind = DECISION_MOVE,
	  .ply = 1,
	  .loss_min = 70,
	  .loss_max = ANALYSIS_WIN,
	  .decisions = 1,
	  .blunders = 1 },
	{ .name = "a man is kept",
	  .format = FORMAT_PDN,
	  .text = "[FEN \"W:W18,32:B11,9,3\"]\n1. 18-15 11x18 *",
	  .kind = DECISION_MOVE,
	  .ply = 1,
	  .loss_min = 70,
	  .loss_max = 2 * ANALYSIS_WIN,
	  .decisions = 1,
	  .blunders = 1 },
	{ .name = "two ways to the same result",
	  .format = FORMAT_PDN,
	  .text = "[FEN \"B:WK1,K3,6,7,14,K15,20,30:BK2\"]\n1. 2x9x18x11x2 *",
	  .kind = DECISION_MOVE,
	  .ply = 0,
	  .decisions = 0 },
	{ .name = "the last checkers are not borne off",
	  .format = FORMAT_SGF,
	  .text = SGF(LAST_TWO, "W[21baaz]"),
	  .kind = DECISION_MOVE,
	  .ply = 1,
	  .loss_min = 2000,
	  .loss_max = 2000,
	  .decisions = 1,
	  .blunders = 1 },
	{ .name = "and here they are",
	  .format = FORMAT_SGF,
	  .text = SGF(LAST_TWO, "W[21bzaz]"),
	  .kind = DECISION_MOVE,
	  .ply = 1,
	  .loss_max = 0,
	  .decisions = 1 },
	{ .name = "a double at the start that is dropped",
	  .format = FORMAT_MAT,
	  .text = " 5 point match\n\n Game 1\n w : 0        b : 0\n"
		  "  1) 31: 8/5 6/5          Doubles => 2\n"
		  "  2)  Drops\n"
		  "                                  Wins 1 point\n",
	  .kind = DECISION_ANSWER,
	  .ply = 2,
	  .did = false,
	  .should = true,
	  .decisions = 1,
	  .wrong = 2 },
	{ .name = "a sure game that is not doubled",
	  .format = FORMAT_SGF,
	  .text = SGF("AE[a:y]AW[a][a]AB[s][s][s][s][x]PL[B]",
		      "B[21sust];W[21azaz]"),
	  .kind = DECISION_DOUBLE,
	  .ply = 2,
	  .did = false,
	  .should = true,
	  .decisions = 1,
	  .wrong = 1 },
};

struct seen {
	size_t faults;
	const struct plot *plot;
	bool found;
};

static void on_game(void *payload, const struct game_record *game)
{
	struct seen *seen = payload;
	const struct plot *p = seen->plot;
	const struct analysis_options options = { .nodes = NODES };
	const struct games_draws draws = { .repetition = 3 };
	struct analyser *a;
	assert_int_equal(analyser_new(&options, &a), 0);
	const struct analysis *out = analyser_game(a, game, &draws);
	for (size_t i = 0; i < out->count; i++) {
		const struct decision *d = &out->decision[i];
		if (d->kind != p->kind || d->ply != p->ply)
			continue;
		seen->found = true;
		if (d->kind == DECISION_MOVE) {
			assert_in_range(d->loss, p->loss_min, p->loss_max);
		} else {
			assert_int_equal(d->did, p->did);
			assert_int_equal(d->should, p->should);
		}
	}
	assert_int_equal(out->side[0].moves + out->side[1].moves, p->decisions);
	assert_int_equal(out->side[0].blunders + out->side[1].blunders,
			 p->blunders);
	assert_int_equal(out->side[0].wrong + out->side[1].wrong, p->wrong);
	analyser_free(a);
}

static void on_fault(void *payload, const struct game_fault *fault)
{
	struct seen *seen = payload;
	print_message("%s: %s\n", fault->word, fault->text);
	seen->faults++;
}

static void it_is_judged(void **state)
{
	const struct plot *p = *state;
	struct seen seen = { .plot = p };
	const struct game_sink sink = { on_game, on_fault, &seen };
	struct game_reader *r;
	assert_int_equal(game_reader_new(p->format, NULL, &sink, &r), 0);
	game_reader_feed(r, span_str(p->text));
	game_reader_end(r);
	game_reader_free(r);
	assert_int_equal(seen.faults, 0);
	assert_int_equal(seen.found, p->ply > 0);
}

int main(void)
{
	return RUN_TABLE("analyses", plots, it_is_judged);
}
