/* SPDX-License-Identifier: MIT
 * engine.h - evaluation and search: which move to play. It judges by search
 * and knows no rule itself: every move comes from <plyd/rules.h>, so that it
 * plays every ruleset and never plays an illegal move. It reads no clock: its
 * budget is counted in nodes, so that equal questions have equal answers on
 * every machine and with every compiler. All arithmetic is in integers.
 *
 * A struct engine belongs to one thread at a time; everything else here is
 * plain values. No call but engine_new() allocates.
 *
 * Scores are from the side to move's point of view, greater is better:
 * draughts in centi-men (a man is 100), a won game in n half-moves is
 * ENGINE_WIN - n; backgammon in millipoints of cubeless equity (a sure single
 * game is 1000, a sure backgammon 3000). */
#ifndef PLYD_ENGINE_ENGINE_H
#define PLYD_ENGINE_ENGINE_H

#include <stdatomic.h>
#include <plyd/rules.h>

enum {
	ENGINE_MULTIPV_MAX = 16,
	ENGINE_DEPTH_MAX = 60,    /* half-moves; deeper is cut to this */
	ENGINE_WIN = 30000,       /* draughts */
	ENGINE_SCORE_MAX = 30000, /* no score lies outside +- this */
	ENGINE_HISTORY_MAX = 256, /* positions that a history remembers */
	ENGINE_TABLE_BYTES_MAX = 1 << 30
};

/* ---- style ------------------------------------------------------------- */

/* W(name, default, min, max, doc): what a personality may turn. All but
 * `contempt` are percent of the value that the evaluation gives a thing by
 * itself: 100 leaves it, 0 makes the player blind to it. */
#define ENGINE_WEIGHTS(W)                                                      \
	W(learned, 100, 0, 100,                                                \
	  "Draughts: what was learned from games; 0 judges by hand.")          \
	W(man, 100, 0, 400, "Draughts: a man.")                                \
	W(king, 100, 0, 400, "Draughts: a king.")                              \
	W(advance, 100, 0, 400, "Draughts: men far up the board.")             \
	W(centre, 100, 0, 400, "Draughts: pieces in the centre.")              \
	W(back_row, 100, 0, 400, "Draughts: men kept on the back row.")        \
	W(mobility, 100, 0, 400, "Draughts: squares that can be moved to.")    \
	W(trade_when_ahead, 100, 0, 400,                                       \
	  "Draughts: fewer pieces on the board when ahead.")                   \
	W(aggression, 100, 0, 400,                                             \
	  "Draughts: being close to the opponent's pieces.")                   \
	W(contempt, 0, -300, 300, "Draughts: centi-men that a draw costs.")    \
	W(race, 100, 0, 400, "Backgammon: pips ahead.")                        \
	W(blot_risk, 100, 0, 400, "Backgammon: own blots that can be hit.")    \
	W(anchor, 100, 0, 400, "Backgammon: points in the opponent's home.")   \
	W(points, 100, 0, 400, "Backgammon: points made on the way home.")     \
	W(prime, 100, 0, 400, "Backgammon: points in a row before a checker.") \
	W(hit, 100, 0, 400, "Backgammon: opposing checkers on the bar.")       \
	W(home_board, 100, 0, 400, "Backgammon: points made in one's home.")   \
	W(bear_off, 100, 0, 400, "Backgammon: no pips wasted in bearing off.") \
	W(gammon, 100, 0, 400, "Backgammon: winning and losing double.")       \
	W(boldness, 100, 0, 400, "Backgammon: blots that ask for a point.")

struct engine_weights {
#define W(name, standard, min, max, doc) int name;
	ENGINE_WEIGHTS(W)
#undef W
};

/* One row of the table, for lists and manuals. */
struct engine_weight {
	const char *name;
	int standard;
	int min;
	int max;
	const char *doc;
};
size_t engine_weight_count(void);
const struct engine_weight *engine_weight_at(size_t i); /* i < count */

/* The standard weights. */
void engine_weights_init(struct engine_weights *w);

/* Sets one weight by name. PLYD_EOPTION: no such weight, or a value outside
 * its range; w is unchanged. */
int engine_weight_set(struct engine_weights *w, const char *name, size_t len,
		      long long value);

/* ---- history ----------------------------------------------------------- */

/* What a draughts search must know of the game so far: the draw limits, and
 * the positions since the last move that cannot be undone. A backgammon search
 * ignores it. */
struct engine_history {
	unsigned no_progress; /* half-moves without progress that draw; 0 none*/
	unsigned repetition;  /* occurrences that draw; 0 none */
	bool man_moves_count; /* a man's move is progress, as a promotion is */
	unsigned quiet;       /* half-moves without progress so far */
	size_t count;         /* positions held, without the one to be played */
	uint64_t hash[ENGINE_HISTORY_MAX]; /* oldest first */
};

/* A game that begins: no position yet. */
void engine_history_init(struct engine_history *h, unsigned no_progress,
			 unsigned repetition, bool man_moves_count);

/* Notes a move that was played from `before` to `after`. Of more than
 * ENGINE_HISTORY_MAX positions the oldest are forgotten. */
void engine_history_add(struct engine_history *h, const struct ruleset *rs,
			const struct position *before,
			const struct position *after);

/* ---- search ------------------------------------------------------------ */

/* Where a search ends, whichever comes first. Every limit still gives a legal
 * move. */
struct engine_budget {
	uint64_t nodes;          /* positions looked at; 0 counts as 1 */
	int depth;               /* half-moves; 0: ENGINE_DEPTH_MAX */
	const atomic_bool *stop; /* polled at every node; may be NULL */
};

struct engine_question {
	const struct ruleset *ruleset;
	const struct position *position;
	const struct engine_history *history; /* may be NULL: no draws */
	const struct engine_weights *weights; /* may be NULL: standard */
	struct engine_budget budget;
	size_t multipv; /* moves wanted; 0 is 1, at most ENGINE_MULTIPV_MAX */
	uint64_t seed;  /* orders moves of equal score */
};

struct engine_line {
	struct move move; /* at[] is 0 behind the last square */
	int score;
};

struct engine_result {
	size_t count; /* lines; 0: there is no legal move */
	struct engine_line line[ENGINE_MULTIPV_MAX]; /* best first */
	uint64_t nodes;
	int depth; /* half-moves that every line was searched; 0: not at all */
};

struct engine;

/* Gives a search with a table of at most so many bytes (at least one entry);
 * release it with engine_free(). PLYD_ENOMEM: *out is NULL. PLYD_ERANGE: more
 * than ENGINE_TABLE_BYTES_MAX. */
int engine_new(size_t table_bytes, struct engine **out);
void engine_free(struct engine *e); /* e may be NULL */

/* The best moves of a position. The same question has the same answer,
 * whatever the engine was asked before. Of a position with more than
 * MOVE_LIST_MAX moves it looks at those that game_moves() lists. A truncated
 * budget makes a worse answer, never none. PLYD_ENODICE, PLYD_ETOOCOMPLEX: as
 * game_moves(); out->count is 0. */
int engine_search(struct engine *e, const struct engine_question *q,
		  struct engine_result *out);

/* The static score, without any search, for the side to move; in backgammon
 * before its throw (dice are ignored). weights may be NULL. */
int engine_evaluate(const struct ruleset *rs, const struct position *pos,
		    const struct engine_weights *weights);

/* ---- the cube ---------------------------------------------------------- */

/* Backgammon, judged by the static chances and by what the match's score makes
 * of the points; weights may be NULL. The game is not over. */

/* Whether the side to move, which may double, should. */
bool engine_doubles(const struct ruleset *rs, const struct position *pos,
		    const struct engine_weights *weights);
/* Whether the other side should take the double of the side to move. */
bool engine_takes(const struct ruleset *rs, const struct position *pos,
		  const struct engine_weights *weights);
/* Whether the opponent of `loser`, who would resign at this level (1 single, 2
 * gammon, 3 backgammon), should accept it. */
bool engine_accepts(const struct ruleset *rs, const struct position *pos,
		    enum side loser, int level,
		    const struct engine_weights *weights);

/* ---- choice ------------------------------------------------------------ */

/* How a personality takes one of several moves, in units of scores. */
struct engine_taste {
	int margin;      /* never a move that is worse than the best by more */
	int temperature; /* a move worse by this is half as likely; 0: best */
	int noise;       /* scores are misjudged by up to this, either way */
};

/* Picks a line: its index in r->line (r->count > 0). Chance comes only from
 * seed, the position's game_hash() and the moves, so that the same question
 * has the same answer. Negative members of taste count as 0, a noise over
 * ENGINE_SCORE_MAX as that. */
size_t engine_choose(const struct engine_result *r,
		     const struct engine_taste *taste, uint64_t seed,
		     uint64_t position_hash);

#endif
