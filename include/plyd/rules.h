/* SPDX-License-Identifier: MIT
 * rules.h - the rules core: every board game as plain values and pure
 * functions. It throws no dice, knows no clock, no draw, no player; it does no
 * I/O, keeps no state and allocates nothing. Any thread may call anything.
 *
 * A ruleset is a family (draughts or backgammon) with a record of options. A
 * position is a value of at most 64 bytes. A move is a whole turn. In
 * backgammon a turn begins at a chance node: game_throw() puts the dice that
 * somebody else threw into the position. Before it the cube may be turned. */
#ifndef PLYD_RULES_H
#define PLYD_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <plyd/err.h>

enum side { WHITE, BLACK };
static inline enum side side_other(enum side s)
{
	return s == WHITE ? BLACK : WHITE;
}

enum family { FAMILY_DRAUGHTS, FAMILY_BACKGAMMON };

/* ---- rulesets ---------------------------------------------------------- */

/* O(name, values, doc): one option of a family. The first of the values, which
 * are parted by '|', is 0 in the struct, the next 1, and so on; where values is
 * a range of numbers, "0..64", the struct has the number itself. A new option
 * goes to the end of its list, and its first value is what was so before it
 * existed: older texts, which lack it, are read with that value. */
#define DRAUGHTS_OPTIONS(O)                                                    \
	O(squares, "dark|all", "Squares that are played on.")                  \
	O(first, "white|black", "Who plays first.")                            \
	O(person, "white|black", "Side of a person against a personality.")    \
	O(notation, "numeric|algebraic", "How squares are written.")           \
	O(start, "rows_1_3|rows_2_3", "Rows that a side's men start on.")      \
	O(man_step, "diagonal_forward|forward_sideways", "How a man steps.")   \
	O(man_capture, "forward|any|forward_sideways",                         \
	  "Directions in which a man captures: diagonal forward, any "         \
	  "diagonal, or straight forward and sideways.")                       \
	O(king, "short|flying", "How far a king moves and captures.")          \
	O(removal, "at_once|at_end", "When captured pieces leave the board.")  \
	O(majority, "none|number|quality|king",                                \
	  "Which captures must be preferred: none; the most pieces; the most " \
	  "pieces and then a king's; a king's, whatever it takes.")            \
	O(promotion, "stops|at_end|continues",                                 \
	  "A man that reaches the last row in a capture: stops there as a "    \
	  "king; goes on as a man and is crowned only if it ends there; goes " \
	  "on as a king at once.")                                             \
	O(men_capture_kings, "true|false", "Whether men may capture kings.")   \
	O(turn_back, "true|false",                                             \
	  "Whether a king may turn by 180 degrees between two captures.")

#define BACKGAMMON_OPTIONS(O)                                                  \
	O(first, "white|roll",                                                 \
	  "White begins, or each throws a die and the higher begins with "     \
	  "these two numbers.")                                                \
	O(person, "white|black", "Side of a person against a personality.")    \
	O(draw_by_agreement, "true|false", "Whether a draw may be agreed.")    \
	O(hit_and_hide, "true|false",                                          \
	  "Whether a checker that hit in its own home may join another "       \
	  "checker in the same turn.")                                         \
	O(hit_and_bear_off, "always|if_forced",                                \
	  "Whether a checker that hit in its own home may be borne off in "    \
	  "the same turn: always, or only if no other turn uses as many "      \
	  "dice.")                                                             \
	O(start, "standard|nack|hyper",                                        \
	  "How the game starts: as backgammon, as nackgammon, or as "          \
	  "hypergammon with three checkers a side.")                           \
	O(match_length, "0..64",                                               \
	  "Points that win a match of several games; 0: each game stands "     \
	  "alone.")                                                            \
	O(cube, "false|true", "Whether there is a doubling cube.")             \
	O(crawford, "false|true",                                              \
	  "Whether the cube rests for one game after a side first comes "      \
	  "within a point of winning the match.")                              \
	O(jacoby, "false|true",                                                \
	  "Whether gammons and backgammons count as single games until the "   \
	  "cube is turned.")

struct draughts_options {
#define O(name, values, doc) uint8_t name;
	DRAUGHTS_OPTIONS(O)
#undef O
};
struct backgammon_options {
#define O(name, values, doc) uint8_t name;
	BACKGAMMON_OPTIONS(O)
#undef O
};

enum { RULESET_NAME_MAX = 24, RULESET_TEXT_MAX = 512 };

struct ruleset {
	char name[RULESET_NAME_MAX + 1]; /* [a-z0-9-], ends with NUL */
	enum family family;
	union {
		struct draughts_options draughts;
		struct backgammon_options backgammon;
	};
};

/* The built-in rulesets in the order in which lists show them. */
size_t ruleset_count(void);
const struct ruleset *ruleset_at(size_t i); /* i < ruleset_count() */

/* Copies the built-in ruleset of that name. PLYD_ERULESET: there is none. */
int ruleset_find(const char *name, size_t len, struct ruleset *out);

/* Sets one option by name. PLYD_EOPTION: no such option in rs's family, or no
 * such value; rs is unchanged. */
int ruleset_set(struct ruleset *rs, const char *option, size_t option_len,
		const char *value, size_t value_len);

/* Whether the options of rs agree with one another. PLYD_EOPTION: they do not;
 * *why is set to a sentence (static storage). */
int ruleset_check(const struct ruleset *rs, const char **why);

/* Writes name, family and all options as one line, `english draughts
 * squares=dark first=black ...`; returns its length. ruleset_read() reads that,
 * in any order. An option that the text lacks gets its first value, for texts
 * that were written before the option existed; an unknown or repeated option
 * is refused (PLYD_EOPTION). */
size_t ruleset_write(const struct ruleset *rs, char out[RULESET_TEXT_MAX]);
int ruleset_read(const char *text, size_t len, struct ruleset *out);

/* Who moves first; -1 where an opening throw decides. */
int ruleset_first(const struct ruleset *rs);
/* The side that a person takes against a personality unless he asks. */
enum side ruleset_person(const struct ruleset *rs);
/* Whether the players may agree on a draw (draughts: always). */
bool ruleset_draw_by_agreement(const struct ruleset *rs);
/* Whether positions have stakes: there is a cube or a match. */
bool ruleset_has_stakes(const struct ruleset *rs);
static inline bool ruleset_has_dice(const struct ruleset *rs)
{
	return rs->family == FAMILY_BACKGAMMON;
}

/* ---- positions --------------------------------------------------------- */

/* Draughts: bit i of the boards is square i, a1 = 0, b1 = 1, ... h8 = 63, with
 * a1 at White's left hand, whatever squares are played on. */
struct draughts_position {
	uint64_t pieces[2]; /* by side, men and kings */
	uint64_t kings;     /* of both sides */
};

/* Backgammon: checkers of each side in that side's own numbering: 1 to 24 the
 * points (24 farthest, 1 to 6 home), 25 its bar, 0 borne off. */
struct backgammon_position {
	uint8_t point[2][26];
};

enum { CUBE_MAX = 10 }; /* 1024 */
enum cube_owner { CUBE_CENTRED, CUBE_WHITE, CUBE_BLACK };

/* What a game counts, and the match that it belongs to. All 0 in draughts and
 * where the ruleset has neither cube nor match. */
struct stakes {
	uint8_t cube;       /* its value as a power of two, 0 to CUBE_MAX */
	uint8_t cube_owner; /* enum cube_owner; centred just while cube is 0 */
	uint8_t score[2];   /* by side, at most the match's length */
	uint8_t crawford;   /* 1: this is the Crawford game */
};

struct position {
	uint8_t side;    /* enum side, to move */
	uint8_t dice[2]; /* 0, 0 before the throw and in draughts */
	struct stakes stakes;
	union {
		struct draughts_position draughts;
		struct backgammon_position backgammon;
	};
};
_Static_assert(sizeof(struct position) <= 64, "a position is 64 bytes at most");

enum { POSITION_TEXT_MAX = 256 };

/* Where a text went wrong. */
struct text_error {
	size_t offset;    /* in bytes, from 0 */
	const char *text; /* a sentence, static storage */
};

/* The position at the start. Where an opening throw decides who begins, White
 * is to move until somebody sets `side`. */
void game_start(const struct ruleset *rs, struct position *out);

/* Reads a position: draughts PDN FEN (`B:W21-32:B1-12`, `W:Wa2,Kd4:Ba6`),
 * backgammon XGID (with or without `XGID=`) or a GNU Backgammon position id,
 * alone or with its match id. A cube or a score that the ruleset does not have
 * is left out; a match of another length is refused. All or nothing. PLYD_EPOSITION: *where says what is wrong (where may be
 * NULL). */
int game_read(const struct ruleset *rs, const char *text, size_t len,
	      struct position *out, struct text_error *where);

/* Writes the canonical text (squares ascending, no ranges; XGID from White's
 * side), which game_read() reads back to the same value. Returns its length
 * without the final NUL. */
size_t game_write(const struct ruleset *rs, const struct position *pos,
		  char out[POSITION_TEXT_MAX]);

/* 64 bits, equal for equal positions with the same side to move and dice. */
uint64_t game_hash(const struct ruleset *rs, const struct position *pos);

/* ---- moves ------------------------------------------------------------- */

enum {
	MOVE_LEGS_MAX = 16,   /* captures of one draughts turn */
	MOVE_TEXT_MAX = 64,   /* with the final NUL */
	MOVE_LIST_MAX = 512,  /* moves that a list holds */
	LEGAL_SHOWN_MAX = 256 /* moves that a refusal shows */
};

/* One full turn. Draughts: at[0] to at[legs] are the squares of the path, taken
 * the captured pieces. Backgammon: hop i goes at[2i] -> at[2i + 1] in the
 * mover's own numbering (25 the bar, 0 off); bit i of taken: hop i hits. */
struct move {
	uint8_t legs; /* steps, jumps or hops; 0 only in backgammon: a pass */
	bool crowned; /* draughts: the piece is crowned by this move */
	uint8_t at[MOVE_LEGS_MAX + 1];
	uint64_t taken;
};

struct move_list {
	size_t count; /* moves held, MOVE_LIST_MAX at most */
	size_t total; /* moves there are */
	struct move move[MOVE_LIST_MAX];
};

/* Lists the legal moves, sorted by text: draughts every path, backgammon one
 * turn for each distinct result. A turn that must be passed and a lost
 * position have none. PLYD_ETOOCOMPLEX: counting was given up, *out is empty.
 * PLYD_ENODICE: backgammon without dice. */
int game_moves(const struct ruleset *rs, const struct position *pos,
	       struct move_list *out);

/* Whether the side to move has a legal move (backgammon: with these dice). */
bool game_can_move(const struct ruleset *rs, const struct position *pos);

/* The successor after a legal move: the other side is to move, no dice. */
void game_apply(const struct ruleset *rs, const struct position *pos,
		const struct move *move, struct position *out);

/* The successor after a turn without a legal move (backgammon). */
void game_pass(const struct position *pos, struct position *out);

/* The position with these dice, 1 to 6 each; larger first in *out. */
void game_throw(const struct position *pos, int die1, int die2,
		struct position *out);

/* Writes a move in canonical text: `11-15`, `9x18x25`, `a3xa5xc5`; backgammon
 * one hop a die from the highest point down, `13/8 6/5*`, `bar/20`, `6/off`.
 * Returns its length without the final NUL. pos is the position before. */
size_t game_move_text(const struct ruleset *rs, const struct position *pos,
		      const struct move *move, char out[MOVE_TEXT_MAX]);

/* Applies a canonical text that was legal when it was written, and checks no
 * rule: what lies between the squares of a jump leaves the board, what is hit
 * goes to the bar. crowned as in struct move. For replay of journals, where a
 * later change of the rules must not change history. PLYD_ERECORD: the text
 * cannot be applied to pos at all. */
int game_replay_move(const struct ruleset *rs, const struct position *pos,
		     const char *text, size_t len, bool crowned,
		     struct position *out);

/* R(CODE, "name", doc): why a move is refused. The order is the law: the first
 * that holds, in this order, is the reason (draughts and backgammon each have
 * a list of their own). doc is the sentence for a person. */
#define DRAUGHTS_REASONS(R)                                                    \
	R(BAD_NOTATION, "bad_notation", "This is not a move.")                 \
	R(NO_SUCH_SQUARE, "no_such_square", "There is no such square.")        \
	R(EMPTY_SQUARE, "empty_square", "There is no piece on this square.")   \
	R(NOT_YOUR_PIECE, "not_your_piece",                                    \
	  "The piece on this square is your opponent's.")                      \
	R(WRONG_DIRECTION, "wrong_direction",                                  \
	  "This piece does not move in this direction.")                       \
	R(TOO_FAR, "too_far", "This piece does not move so far.")              \
	R(SQUARE_OCCUPIED, "square_occupied", "The square is occupied.")       \
	R(PATH_BLOCKED, "path_blocked", "Something stands in the way.")        \
	R(NOTHING_TO_CAPTURE, "nothing_to_capture",                            \
	  "There is nothing to capture on this way.")                          \
	R(TURNED_BACK, "turned_back",                                          \
	  "A king may not turn back between two captures.")                    \
	R(MUST_CAPTURE, "must_capture",                                        \
	  "A piece can capture, so a capture must be played.")                 \
	R(PROMOTION_ENDS_TURN, "promotion_ends_turn",                          \
	  "The man is crowned here and its turn ends.")                        \
	R(CAPTURE_UNFINISHED, "capture_unfinished",                            \
	  "The capture goes on and must be finished.")                         \
	R(NOT_MAXIMUM_CAPTURE, "not_maximum_capture",                          \
	  "Another capture takes more pieces.")                                \
	R(AMBIGUOUS_CAPTURE, "ambiguous_capture",                              \
	  "Several captures have these ends: write every landing square.")
#define BACKGAMMON_REASONS(R)                                                  \
	R(NO_CHECKER, "no_checker", "You have no checker there.")              \
	R(BAR_FIRST, "bar_first",                                              \
	  "A checker on the bar must enter before another moves.")             \
	R(NO_SUCH_DIE, "no_such_die", "There is no die for this.")             \
	R(POINT_BLOCKED, "point_blocked",                                      \
	  "Your opponent holds the point that must be landed on.")             \
	R(NOT_ALL_HOME, "not_all_home",                                        \
	  "Not all your checkers are home, so none may be borne off.")         \
	R(CHECKER_FURTHER_BACK, "checker_further_back",                        \
	  "A larger number bears off only from your furthest point.")          \
	R(HIT_AND_HIDE, "hit_and_hide",                                        \
	  "A checker that hit in its home may not hide in the same turn.")     \
	R(DICE_UNUSED, "dice_unused", "More dice can be played.")              \
	R(LARGER_DIE, "larger_die",                                            \
	  "Only one die can be played, and it must be the larger.")
#define CUBE_REASONS(R)                                                        \
	R(NO_CUBE, "no_cube", "This game has no doubling cube.")               \
	R(AFTER_THROW, "after_throw", "The cube is turned before the throw.")  \
	R(CRAWFORD_GAME, "crawford_game",                                      \
	  "This is the Crawford game: the cube rests.")                        \
	R(NOT_YOUR_CUBE, "not_your_cube", "Your opponent owns the cube.")      \
	R(CUBE_AT_LIMIT, "cube_at_limit", "The cube goes no higher.")          \
	R(DEAD_CUBE, "dead_cube", "A single game already wins you the match.")

enum reason {
	REASON_NONE,
#define R(code, name, doc) REASON_##code,
	DRAUGHTS_REASONS(R) BACKGAMMON_REASONS(R) CUBE_REASONS(R)
#undef R
		REASON_COUNT
};
const char *reason_name(enum reason reason); /* "none" for REASON_NONE */
const char *reason_text(enum reason reason);

enum { REFUSAL_DETAIL_MAX = 256 };

/* Why a move was refused, and where in the turn. */
struct refusal {
	enum reason reason;
	int step;     /* 1 = the first leg or hop; 0 = the text as a whole */
	char from[8]; /* the leg's ends as text (`11`, `d4`, `bar`), or "" */
	char to[8];
	/* what the sentence needs, as text: who must capture, how it goes on,
	 * the greatest number and its routes, the readings, the blocked
	 * landing, how many dice could be played and one way; "" if nothing */
	char detail[REFUSAL_DETAIL_MAX];
};

/* Reads a move text and judges it by walking the given path; never looks up a
 * list. PLYD_OK: *out is the move (canonical, whatever was written).
 * PLYD_EILLEGAL: *why says why. PLYD_ENODICE, PLYD_ETOOCOMPLEX: as
 * game_moves(). */
int game_check(const struct ruleset *rs, const struct position *pos,
	       const char *text, size_t len, struct move *out,
	       struct refusal *why);

/* ---- outcomes ---------------------------------------------------------- */

struct outcome {
	bool over;
	enum side winner; /* if over */
	uint16_t points;  /* 1; backgammon also 2 (gammon), 3 (backgammon),
			   * each times the cube */
	const char *why;  /* "no_pieces", "no_moves", "single", "gammon",
			    * "backgammon", "dropped"; "" while the game goes
			    * on */
};

/* Whether the rules alone end the game here. They know no draws. Where Jacoby's
 * rule makes a gammon count once, it is "single". */
struct outcome game_outcome(const struct ruleset *rs,
			    const struct position *pos);

/* What backgammon would count if `loser` lost now: 1, 2 or 3, times the cube;
 * draughts 1. */
int game_points_lost(const struct ruleset *rs, const struct position *pos,
		     enum side loser);

/* What a move from `before` to `after` did, for draw policies. */
struct progress {
	bool captured;
	bool promoted;
	bool man_moved; /* draughts: a man, not a king, moved */
};
struct progress game_progress(const struct ruleset *rs,
			      const struct position *before,
			      const struct position *after);

/* ---- cube and match ---------------------------------------------------- */

/* Steps of backgammon between throws. They are told what the players do, and
 * remember no offer: between a double and its answer the position stays. There
 * are no beavers and no automatic doubles. */

/* Whether the side to move may double now: REASON_NONE, or the first of
 * CUBE_REASONS that holds. The game is not over. */
enum reason game_may_double(const struct ruleset *rs,
			    const struct position *pos);

/* The side to move doubled, as game_may_double() allows, and the other took:
 * the stake is doubled, the cube is the taker's, and the doubler throws. */
void game_take(const struct position *pos, struct position *out);

/* The same double was dropped: the doubler wins what the cube showed before. */
struct outcome game_drop(const struct position *pos);

/* Ends a game with this outcome (over; also after game_drop() or a resignation)
 * and gives the start of the match's next one: the score, which stops at the
 * match's length, the cube in the middle, whether it is the Crawford game; no
 * dice. Returns -1 and *out, or the winner of the match (of the game, where
 * there is no match), when *out is the same board with the final score. */
int game_next(const struct ruleset *rs, const struct position *pos,
	      const struct outcome *outcome, struct position *out);

/* ---- perft ------------------------------------------------------------- */

enum { PERFT_DEPTH_MAX = 30 };

/* Counts the leaves at this depth: draughts paths, or distinct results at each
 * node; backgammon always distinct turns over the 21 rolls, a roll without a
 * legal turn counting one. If pos has dice, they are the first roll. */
uint64_t game_perft(const struct ruleset *rs, const struct position *pos,
		    int depth, bool distinct);

#endif
