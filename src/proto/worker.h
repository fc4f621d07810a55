/* SPDX-License-Identifier: MIT
 * worker.h - what plyd and its script workers (plyd-script) say to each other:
 * MessagePack-RPC over a socket pair, whose worker end is descriptor
 * WORKER_FD. plyd asks, the worker answers in the order of the questions, and
 * sends `log` notifications in between; answers to questions that came together
 * may leave together. Both ends are built together, so there
 * is no versioning; but a worker runs operators' code and is not trusted: every
 * answer is checked here for type and range.
 *
 * plyd asks with worker_put_*() and reads with worker_read(); then, knowing
 * what it had asked under that id, it reads the result with *_read(). A
 * question is a deadline too: a worker that does not answer in time is killed,
 * and so is one whose bytes worker_read() refuses.
 *
 * A worker remembers the sources of policies, personalities and libraries that
 * it was told to load, and nothing else: a new worker must be told again. Names are
 * plyd's, NAME@VERSION: so a worker has several versions at once. A script that
 * says `use "NAME"` gets the version that its own load named. */
#ifndef PLYD_PROTO_WORKER_H
#define PLYD_PROTO_WORKER_H

#include "proto/read.h"
#include "proto/write.h"

enum {
	WORKER_FD = 3,
	WORKER_BYTES_MAX = 256 * 1024, /* of one message, either way */
	WORKER_NAME_MAX = 64,
	WORKER_SOURCE_MAX = 128 * 1024,
	WORKER_SCRIPTS_MAX = 256, /* of the kinds that are remembered */
	WORKER_TEXT_MAX = 256,
	WORKER_RULESET_MAX = 512,
	WORKER_POSITION_MAX = 256,
	WORKER_MOVE_MAX = 64,
	WORKER_HISTORY_MAX = 256, /* the newest are the ones to send */
	WORKER_RULESETS_MAX = 16, /* that a personality may name */
	WORKER_USES_MAX = 32,     /* libraries of one script */
	WORKER_SOURCES_MAX = 4 * 1024 * 1024, /* bytes of all remembered */
	WORKER_LOGS_MAX = 16,                 /* log lines of one question */
	WORKER_TIME_MAX_MS = 86400 * 1000,
	WORKER_THINK_MAX_MS = 60 * 1000,
	WORKER_SAY_CHARS_MAX = 300, /* of what a personality says, and */
	WORKER_SAY_MAX = 4 * WORKER_SAY_CHARS_MAX, /* in bytes */
	WORKER_KEPT_MAX = 1024, /* bytes of a script's memory of a match */
	WORKER_STEPS_MAX = 20 * 1000 * 1000,  /* of one question, */
	WORKER_MEMORY_MAX = 16 * 1024 * 1024, /* and bytes that it may use */
	WORKER_DRAW_MAX = 4096 /* greatest draw limit, in half-moves */
};

enum worker_kind {
	WORKER_CONFIG,  /* result: the value itself, nested maps and lists */
	WORKER_RULESET, /* result: struct worker_ruleset */
	WORKER_POLICY,  /* result: struct worker_policy */
	WORKER_PERSONALITY, /* result: struct worker_personality */
	WORKER_LIBRARY,     /* result: true */
	WORKER_TOURNAMENT   /* result: struct worker_plan */
};

/* Whose move is progress, for the no-progress limit. */
#define WORKER_MOVE_TIME_MAX_MS INT64_C(2592000000) /* 30 days */

/* As the domain numbers them. */
enum worker_clock {
	WORKER_FISCHER,
	WORKER_UNLIMITED,
	WORKER_DELAY,
	WORKER_BRONSTEIN,
	WORKER_PER_MOVE
};

enum worker_counts { COUNTS_CAPTURE_OR_PROMOTION, COUNTS_CAPTURE_OR_MAN_MOVE };

/* What a personality must decide; as the domain's enum awaits. */
enum worker_decision {
	DECIDE_MOVE,
	DECIDE_ROLL,       /* to throw, or to double */
	DECIDE_ANSWER,     /* to take a double, or to drop it */
	DECIDE_RESIGNATION /* to accept one */
};

enum worker_verdict_kind {
	VERDICT_CONTINUE,
	VERDICT_DRAW,
	VERDICT_WHITE, /* wins */
	VERDICT_BLACK,
	VERDICT_WARN /* goes on, with words */
};

/* ---- messages ---------------------------------------------------------- */

/* F(type, name, min, max, doc): TEXT and BYTES are a struct span of min..max
 * bytes (only TEXT is UTF-8), INT an int64_t of min..max, WORD a uint64_t, FLAG
 * a bool, WORDS and TEXTS lists of at most max; WORDS are sent as bytes in the
 * order of this machine. */
#define WORKER_LOAD(F)                                                         \
	F(INT, kind, WORKER_CONFIG, WORKER_TOURNAMENT, "enum worker_kind.")    \
	F(TEXT, name, 1, WORKER_NAME_MAX,                                      \
	  "Stands in errors and in `choose` and `verdict`; a second script "   \
	  "of that kind and name takes the place of the first.")               \
	F(BYTES, source, 0, WORKER_SOURCE_MAX, "The file, as it is.")          \
	F(TEXTS, uses, 0, WORKER_USES_MAX,                                     \
	  "Names of loaded libraries that it finds under what stands before "  \
	  "their @; any other by its whole name.")

/* In a question what the answer to the last one of the match had here. */
#define WORKER_KEPT(F)                                                         \
	F(BYTES, memory, 0, WORKER_KEPT_MAX,                                   \
	  "What the script keeps of the match; opaque, empty: nothing.")

#define WORKER_CHOOSE(F)                                                       \
	F(TEXT, personality, 1, WORKER_NAME_MAX, "Name of a loaded one.")      \
	F(TEXT, match, 0, WORKER_NAME_MAX, "For log lines only.")              \
	F(TEXT, ruleset, 1, WORKER_RULESET_MAX, "As ruleset_write().")         \
	F(TEXT, position, 1, WORKER_POSITION_MAX,                              \
	  "As game_write(); to decide on a move with dice, and a legal move "  \
	  "must exist.")                                                       \
	F(INT, decision, DECIDE_MOVE, DECIDE_RESIGNATION,                      \
	  "enum worker_decision.")                                             \
	F(INT, side, 0, 1, "The personality's side.")                          \
	F(INT, level, 0, 3, "DECIDE_RESIGNATION: what is offered.")            \
	F(WORDS, history, 0, WORKER_HISTORY_MAX,                               \
	  "game_hash() of the positions since the last progress, oldest "      \
	  "first, without this one.")                                          \
	F(INT, ply, 0, WORKER_DRAW_MAX, "Half-moves played.")                  \
	F(INT, quiet, 0, WORKER_DRAW_MAX, "Half-moves without progress.")      \
	F(INT, no_progress, 0, WORKER_DRAW_MAX, "Limit; 0: none.")             \
	F(INT, repetition, 0, WORKER_DRAW_MAX, "Limit; 0: none.")              \
	F(INT, counts, COUNTS_CAPTURE_OR_PROMOTION,                            \
	  COUNTS_CAPTURE_OR_MAN_MOVE, "enum worker_counts.")                   \
	F(WORD, seed, 0, 0, "Same seed, script, position: same move.")         \
	F(INT, remaining_ms, -1, WORKER_TIME_MAX_MS, "-1: no clock.")          \
	F(INT, increment_ms, 0, WORKER_TIME_MAX_MS, "Added per move.")         \
	F(FLAG, offer_pending, 0, 0, "The opponent offers a draw.")            \
	WORKER_KEPT(F)

#define WORKER_COST(F)                                                         \
	F(WORD, steps, 0, 0, "What it cost, of WORKER_STEPS_MAX.")             \
	F(WORD, bytes, 0, 0, "The most that it used at once.")

#define WORKER_CHOICE(F)                                                       \
	F(TEXT, move, 0, WORKER_MOVE_MAX,                                      \
	  "Legal and canonical; empty if resign or accept_draw, or if no "     \
	  "move was to be decided.")                                           \
	F(FLAG, yes, 0, 0, "Doubles, takes or accepts; else move says it.")    \
	F(FLAG, resign, 0, 0, "Resigns instead of moving.")                    \
	F(FLAG, accept_draw, 0, 0, "Accepts the pending offer.")               \
	F(FLAG, offer_draw, 0, 0, "Offers a draw with the move.")              \
	F(INT, think_ms, 0, WORKER_THINK_MAX_MS,                               \
	  "How long it would like to seem to think.")                          \
	F(TEXT, say, 0, WORKER_SAY_MAX, "For the match's chat; empty: not.")   \
	F(WORD, nodes, 0, 0, "Positions that the search looked at.")           \
	WORKER_COST(F)                                                         \
	WORKER_KEPT(F)

#define WORKER_VERDICT(F)                                                      \
	F(TEXT, policy, 1, WORKER_NAME_MAX, "Name of a loaded one.")           \
	F(TEXT, match, 0, WORKER_NAME_MAX, "For log lines only.")              \
	F(TEXT, ruleset, 1, WORKER_RULESET_MAX, "As ruleset_write().")         \
	F(TEXT, position, 1, WORKER_POSITION_MAX, "As game_write().")          \
	F(INT, ply, 0, WORKER_DRAW_MAX, "Half-moves played.")                  \
	F(INT, quiet, 0, WORKER_DRAW_MAX, "Half-moves without progress.")      \
	F(INT, repeats, 1, WORKER_DRAW_MAX,                                    \
	  "How often this position has occurred, this time too.")              \
	F(WORDS, history, 0, WORKER_HISTORY_MAX,                               \
	  "As in a choice: game_hash() of the positions before.")              \
	WORKER_KEPT(F)

#define WORKER_RULING(F)                                                       \
	F(INT, verdict, VERDICT_CONTINUE, VERDICT_WARN,                        \
	  "enum worker_verdict_kind.")                                         \
	F(TEXT, reason, 0, WORKER_TEXT_MAX, "For the players.")                \
	WORKER_COST(F)                                                         \
	WORKER_KEPT(F)

#define WORKER_RULESET_DATA(F)                                                 \
	F(TEXT, name, 1, WORKER_NAME_MAX, "Its name.")                         \
	F(TEXT, base, 1, WORKER_NAME_MAX, "The built-in one it stands on.")    \
	F(TEXT, about, 0, WORKER_TEXT_MAX, "One sentence for players.")        \
	F(TEXT, ruleset, 1, WORKER_RULESET_MAX,                                \
	  "Name, family and options as ruleset_read() reads them: checked.")   \
	F(TEXT, policy, 1, WORKER_NAME_MAX, "Name of its draw policy.")        \
	F(INT, no_progress, -1, WORKER_DRAW_MAX, "-1: as the policy says.")    \
	F(INT, repetition, -1, WORKER_DRAW_MAX, "-1: as the policy says.")     \
	F(INT, counts, -1, COUNTS_CAPTURE_OR_MAN_MOVE,                         \
	  "enum worker_counts; -1: as the policy says.")                       \
	F(INT, base_ms, 0, WORKER_MOVE_TIME_MAX_MS,                            \
	  "The clock, or the time for each move; 0: none.")                    \
	F(INT, increment_ms, 0, WORKER_TIME_MAX_MS, "Added per move.")         \
	F(FLAG, takeback, 0, 0, "Moves may be taken back by consent.")         \
	F(INT, delay_ms, 0, WORKER_TIME_MAX_MS, "Free time of each turn.")     \
	F(INT, clock_kind, WORKER_FISCHER, WORKER_PER_MOVE,                    \
	  "enum worker_clock.")                                                \
	F(INT, clock_kinds, 0, 31,                                             \
	  "Kinds that may be asked for, bit 1 << enum worker_clock.")          \
	F(INT, base_ms_min, -1, WORKER_TIME_MAX_MS, "-1: the usual limit.")    \
	F(INT, base_ms_max, -1, WORKER_TIME_MAX_MS, "-1: the usual limit.")    \
	F(INT, increment_ms_max, -1, WORKER_TIME_MAX_MS, "-1: as above.")      \
	F(INT, delay_ms_max, -1, WORKER_TIME_MAX_MS, "-1: as above.")          \
	F(INT, move_ms_min, -1, WORKER_MOVE_TIME_MAX_MS, "-1: as above.")      \
	F(INT, move_ms_max, -1, WORKER_MOVE_TIME_MAX_MS, "-1: as above.")

#define WORKER_POLICY_DATA(F)                                                  \
	F(TEXT, name, 1, WORKER_NAME_MAX, "Its name.")                         \
	F(TEXT, about, 0, WORKER_TEXT_MAX, "One sentence for players.")        \
	F(INT, no_progress, 0, WORKER_DRAW_MAX, "Half-moves; 0: no limit.")    \
	F(INT, repetition, 0, WORKER_DRAW_MAX, "Occurrences; 0: no limit.")    \
	F(INT, counts, COUNTS_CAPTURE_OR_PROMOTION,                            \
	  COUNTS_CAPTURE_OR_MAN_MOVE, "enum worker_counts.")                   \
	F(FLAG, has_verdict, 0, 0, "Whether `verdict` is worth asking.")       \
	F(FLAG, no_offers, 0, 0, "No draw by agreement.")                      \
	F(INT, offers_from, 0, WORKER_DRAW_MAX,                                \
	  "Half-moves before a draw may be offered.")                          \
	F(INT, offers_max, 0, WORKER_DRAW_MAX,                                 \
	  "Offers of a side until there is progress; 0: no limit.")

#define WORKER_PERSONALITY_DATA(F)                                             \
	F(TEXT, name, 1, WORKER_NAME_MAX, "Its name.")                         \
	F(TEXT, about, 0, WORKER_TEXT_MAX, "One sentence for players.")        \
	F(TEXTS, rulesets, 0, WORKER_RULESETS_MAX,                             \
	  "Names of the rulesets that it plays; none: all.")

/* Numbers below their least are not said: -1. Words as in the protocol. */
#define WORKER_PLAN_DATA(F)                                                    \
	F(TEXT, name, 1, WORKER_NAME_MAX, "Its name.")                         \
	F(TEXT, title, 1, WORKER_NAME_MAX, "What players see.")                \
	F(FLAG, enabled, 0, 0, "Whether it is held at all.")                   \
	F(INT, weekday, -1, 6, "0 Sunday; -1: every day.")                     \
	F(INT, minute, 0, 1439, "Of the day, server's local time.")            \
	F(INT, open_ms, 0, WORKER_MOVE_TIME_MAX_MS,                            \
	  "Registration opens so long before.")                                \
	F(TEXT, directors, 0, WORKER_TEXT_MAX, "Logins, a space between.")     \
	F(TEXT, ruleset, 1, WORKER_NAME_MAX, "Of its matches.")                \
	F(TEXT, format, 1, WORKER_NAME_MAX, "How it is played.")               \
	F(TEXT, scoring, 1, WORKER_NAME_MAX, "What counts.")                   \
	F(TEXT, breaks, 0, WORKER_TEXT_MAX, "Tie-breaks, or the usual ones.")  \
	F(TEXT, players, 1, WORKER_NAME_MAX, "anyone, person or bot.")         \
	F(INT, rounds, 0, 64, "Of a Swiss.")                                   \
	F(INT, entries_max, 2, 512, "Most players.")                           \
	F(INT, late_rounds, 0, 64, "It may be entered so long.")               \
	F(INT, match_length, 0, 64, "0: the ruleset's.")                       \
	F(INT, rating_min, 0, 4000, "0: any.")                                 \
	F(INT, rating_max, 0, 4000, "0: any.")                                 \
	F(INT, check_in_ms, 0, 86400000, "0: none.")                           \
	F(INT, no_show_ms, 1000, 86400000, "How long a match waits.")          \
	F(INT, gap_ms, 0, 86400000, "Between rounds.")                         \
	F(INT, base_ms, -1, WORKER_MOVE_TIME_MAX_MS, "-1: the ruleset's.")     \
	F(INT, increment_ms, -1, WORKER_TIME_MAX_MS, "-1: the ruleset's.")     \
	F(FLAG, rated, 0, 0, "Its matches count.")

#define WORKER_LOG(F)                                                          \
	F(INT, level, 3, 7, "enum log_level.")                                 \
	F(TEXT, script, 0, WORKER_NAME_MAX, "Name of the script.")             \
	F(TEXT, match, 0, WORKER_NAME_MAX, "Match, or empty.")                 \
	F(TEXT, text, 0, WORKER_TEXT_MAX, "What it says.")

#define WORKER_ERROR(F)                                                        \
	F(TEXT, script, 0, WORKER_NAME_MAX, "Name of the script.")             \
	F(INT, line, 0, 1000000, "Line of its source; 0: unknown.")            \
	F(TEXT, text, 0, WORKER_TEXT_MAX, "What was wrong, what was expected.")

struct worker_words {
	size_t count;
	uint64_t at[WORKER_HISTORY_MAX];
};
struct worker_texts {
	size_t count;
	struct span at[WORKER_USES_MAX];
};
_Static_assert((int)WORKER_RULESETS_MAX <= (int)WORKER_USES_MAX,
	       "a list of texts has room for either");

#define WORKER_TYPE_TEXT  struct span
#define WORKER_TYPE_BYTES struct span
#define WORKER_TYPE_INT   int64_t
#define WORKER_TYPE_WORD  uint64_t
#define WORKER_TYPE_FLAG  bool
#define WORKER_TYPE_WORDS struct worker_words
#define WORKER_TYPE_TEXTS struct worker_texts

/* M(struct, fields): every message is a struct of its fields, with put (one
 * array of them, in this order, is appended to b) and read (PLYD_OK, or
 * PLYD_EMISSING, PLYD_EBADTYPE, PLYD_ERANGE; spans are lent as v is). */
#define WORKER_MESSAGES(M)                                                     \
	M(worker_load, WORKER_LOAD)                                            \
	M(worker_choose, WORKER_CHOOSE)                                        \
	M(worker_choice, WORKER_CHOICE)                                        \
	M(worker_verdict, WORKER_VERDICT)                                      \
	M(worker_ruling, WORKER_RULING)                                        \
	M(worker_ruleset, WORKER_RULESET_DATA)                                 \
	M(worker_policy, WORKER_POLICY_DATA)                                   \
	M(worker_personality, WORKER_PERSONALITY_DATA)                         \
	M(worker_plan, WORKER_PLAN_DATA)                                       \
	M(worker_log, WORKER_LOG)                                              \
	M(worker_error, WORKER_ERROR)

#define F(type, name, min, max, doc) WORKER_TYPE_##type name;
#define M(message, fields)                                                     \
	struct message {                                                       \
		fields(F)                                                      \
	};                                                                     \
	void message##_put(struct buf *b, const struct message *m);            \
	int message##_read(const struct value *v, struct message *out);
WORKER_MESSAGES(M)
#undef M
#undef F

/* ---- names ------------------------------------------------------------- */

/* What stands before the @ of NAME@VERSION, or all of it. */
static inline struct span worker_bare_name(struct span name)
{
	const uint8_t *at = name.len ? memchr(name.at, '@', name.len) : NULL;
	return at ? span_of(name.at, (size_t)(at - name.at)) : name;
}

/* Whether the source has this name in quotes: only such libraries can it use,
 * so that its version is known before it runs. */
bool worker_source_names(struct span source, struct span name);

/* ---- plyd's end -------------------------------------------------------- */

/* The seed of a question: the same match and half-move have the same one in
 * every process. */
uint64_t worker_seed(struct span match, uint32_t ply);

/* Append one whole question. */
void worker_ask_ping(struct buf *b, uint32_t id); /* result: true */
void worker_ask_load(struct buf *b, uint32_t id, const struct worker_load *m);
/* result: struct worker_choice */
void worker_ask_choose(struct buf *b, uint32_t id,
		       const struct worker_choose *m);
/* result: struct worker_ruling */
void worker_ask_verdict(struct buf *b, uint32_t id,
			const struct worker_verdict *m);

/* What a worker said. */
struct worker_reply {
	bool is_log;
	struct worker_log log;      /* if is_log */
	uint32_t id;                /* else the id of the question, */
	int err;                    /* PLYD_OK, or what failed: PLYD_EWORKER the
				     * script, PLYD_ENOMEM the worker,
				     * PLYD_EPERSONALITY not loaded here, others
				     * as their names say */
	struct worker_error error;  /* if err */
	const struct value *result; /* if not err: read it by what was asked */
};

/* Reads one whole message into d; all is lent as doc_parse() lends.
 * PLYD_ENOMEM: try later. Any other error: this worker talks nonsense and must
 * be killed. */
int worker_read(struct doc *d, struct span bytes, struct worker_reply *out);
/* The same of bytes that scan_feed() has found to be a message: that is
 * `found`. The scan had a worker's limits. */
int worker_read_scanned(struct doc *d, struct span bytes, int found,
			struct worker_reply *out);

/* ---- the worker's end -------------------------------------------------- */

enum worker_method { ASKED_PING, ASKED_LOAD, ASKED_CHOOSE, ASKED_VERDICT };

struct worker_question {
	enum worker_method method;
	uint32_t id;
	union {
		struct worker_load load;
		struct worker_choose choose;
		struct worker_verdict verdict;
	};
};

/* Reads one whole question; as worker_read(), but after any error the worker
 * ends: its parent is broken. */
int worker_read_question(struct doc *d, struct span bytes,
			 struct worker_question *out);

/* [1, id, [err, ...], nil] with the three values of e as details. */
void worker_answer_error(struct buf *b, uint32_t id, int err,
			 const struct worker_error *e);
/* [2, "log", [[...]]] */
void worker_send_log(struct buf *b, const struct worker_log *m);
/* A good answer is rpc_begin_result() and then a *_put() or any one value. */

#endif
