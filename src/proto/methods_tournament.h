/* SPDX-License-Identifier: MIT
 * methods_tournament.h - protocol 1: tournaments, a part of the one table, as
 * methods.h has it, which includes this. */
#ifndef PLYD_PROTO_METHODS_TOURNAMENT_H
#define PLYD_PROTO_METHODS_TOURNAMENT_H

#define TOURNAMENT_METHODS(M)                                                  \
	M(200, TOURNAMENT_CREATE, tournament_create, "tournament.create",      \
	  READY, ORDERED, TOURNAMENT,                                          \
	  "Makes a tournament; you are its organiser. What is agreed here "    \
	  "stays. Its lots are drawn from a seed to which `commitment` binds " \
	  "the server; the seed is shown at the end, so that anyone can work " \
	  "out all pairings again.")                                           \
	M(201, TOURNAMENT_LIST, tournament_list, "tournament.list", READY,     \
	  ORDERED, TOURNAMENT_LIST,                                            \
	  "Lists tournaments, the oldest first; finished ones are kept until " \
	  "newer ones need the room.")                                         \
	M(202, TOURNAMENT_GET, tournament_get, "tournament.get", READY,        \
	  ORDERED, TOURNAMENT, "Shows one.")                                   \
	M(203, TOURNAMENT_STANDINGS, tournament_standings,                     \
	  "tournament.standings", READY, ORDERED, STANDINGS,                   \
	  "Shows its table, with what each made of each round, a page from "   \
	  "row `from` on.")                                                    \
	M(204, TOURNAMENT_ROUND, tournament_round, "tournament.round", READY,  \
	  ORDERED, TOURNAMENT_ROUND,                                           \
	  "Shows the tables of a round, a page from table `from` on.")         \
	M(205, TOURNAMENT_WATCH, tournament_watch, "tournament.watch", READY,  \
	  ORDERED, TOURNAMENT,                                                 \
	  "Shows one, and from then on tells what changes in it. An answer "   \
	  "of any of these methods shows what was told before it.")            \
	M(206, TOURNAMENT_UNWATCH, tournament_unwatch, "tournament.unwatch",   \
	  READY, ORDERED, NOTHING, "Ends that.")                               \
	M(207, TOURNAMENT_OPEN, tournament_open, "tournament.open", READY,     \
	  ORDERED, TOURNAMENT, "A director's: opens registration of a draft.") \
	M(208, TOURNAMENT_START, tournament_start, "tournament.start", READY,  \
	  ORDERED, TOURNAMENT,                                                 \
	  "A director's: it begins now, or, if check-in is asked for, "        \
	  "check-in does; a second time ends that. Fewer than two players: "   \
	  "it is over.")                                                       \
	M(209, TOURNAMENT_PAUSE, tournament_pause, "tournament.pause", READY,  \
	  ORDERED, TOURNAMENT,                                                 \
	  "A director's: no further match begins and no round is paired. "     \
	  "Matches that are played go on.")                                    \
	M(210, TOURNAMENT_RESUME, tournament_resume, "tournament.resume",      \
	  READY, ORDERED, TOURNAMENT, "A director's: it goes on.")             \
	M(211, TOURNAMENT_FINISH, tournament_finish, "tournament.finish",      \
	  READY, ORDERED, TOURNAMENT,                                          \
	  "A director's: it is over as it stands. What is still played "       \
	  "counts no more.")                                                   \
	M(212, TOURNAMENT_DIRECT, tournament_direct, "tournament.direct",      \
	  READY, ORDERED, TOURNAMENT,                                          \
	  "The organiser's: makes a player a director, or no more.")           \
	M(213, TOURNAMENT_REGISTER, tournament_register,                       \
	  "tournament.register", READY, ORDERED, TOURNAMENT,                   \
	  "You take part. A bot's registration is its owner's consent.")       \
	M(214, TOURNAMENT_WITHDRAW, tournament_withdraw,                       \
	  "tournament.withdraw", READY, ORDERED, TOURNAMENT,                   \
	  "You take part no more. Before the start you may come back. Then "   \
	  "the round that is paired is still played; in later ones a Swiss "   \
	  "does not pair you, elsewhere your opponents win.")                  \
	M(215, TOURNAMENT_CHECK_IN, tournament_check_in,                       \
	  "tournament.check_in", READY, ORDERED, TOURNAMENT,                   \
	  "You are there. Who is not when check-in ends does not take part.")  \
	M(216, TOURNAMENT_INVITE, tournament_invite, "tournament.invite",      \
	  READY, ORDERED, TOURNAMENT,                                          \
	  "A director's: a player may register where only the invited may.")   \
	M(217, TOURNAMENT_REMOVE, tournament_remove, "tournament.remove",      \
	  READY, ORDERED, TOURNAMENT,                                          \
	  "A director's: a player takes part no more. His match goes on, but " \
	  "none begins for him.")                                              \
	M(218, TOURNAMENT_CORRECT, tournament_correct, "tournament.correct",   \
	  READY, ORDERED, TOURNAMENT,                                          \
	  "A director's: decides about a table, whatever was there. It is in " \
	  "the record, with the words. A match that is still played is ended " \
	  "without a result; pairings that were made before stay.")

/* ---- parameters -------------------------------------------------------- */

enum {
	BREAKS_CHARS_MAX = 150,
	TOURNAMENT_ENTRIES_MAX = 512,
	TOURNAMENT_ROUNDS_MAX = 64,
	ROUND_NUMBERS_MAX = 128,
	WAIT_PARAM_MS_MAX = 86400000,
	TABLE_POINTS_MAX = 255,
	DIRECTOR_CHARS_MAX = 64
};
#define STARTS_AT_MAX INT64_C(4102444800000) /* the year 2100 */

#define TOURNAMENT_PARAM(F) F(id, tournament, REQ, 0, 0, "The tournament.")
#define FROM_PARAM(F)                                                          \
	F(int, from, OPT, 0, TOURNAMENT_ENTRIES_MAX,                           \
	  "`next` of the page before.")

#define TOURNAMENT_CREATE_PARAMS(F)                                            \
	F(str, name, REQ, NAME_CHARS_MIN, NAME_CHARS_MAX,                      \
	  "What it is called; as a player's name.")                            \
	RULESET_PARAM(F, REQ)                                                  \
	F(choice, format, REQ, held_as, 0, "How it is played.")                \
	CLOCK_PARAMS(F)                                                        \
	LENGTH_PARAM(F)                                                        \
	RATED_PARAM(F)                                                         \
	F(int, rounds, OPT, 1, TOURNAMENT_ROUNDS_MAX, "Of a Swiss; else 5.")   \
	F(choice, scoring, OPT, counting, 0,                                   \
	  "What counts; `wins` if not there. A knock-out counts rounds that "  \
	  "somebody got through.")                                             \
	F(str, breaks, OPT, 1, BREAKS_CHARS_MAX,                               \
	  "Tie-breaks in order, a space between: `direct`, "                   \
	  "`sonneborn_berger`, `buchholz`, `buchholz_cut1`, `wins`, "          \
	  "`halves`, `lots`. Without it the usual ones.")                      \
	F(int, entries_max, OPT, 2, TOURNAMENT_ENTRIES_MAX,                    \
	  "Most players; 512 if not there, 64 in a round robin, which is the " \
	  "most there.")                                                       \
	F(int, late_rounds, OPT, 0, TOURNAMENT_ROUNDS_MAX,                     \
	  "A Swiss may be entered until so many rounds are paired, with "      \
	  "nothing for those; 0 if not there.")                                \
	F(choice, players, OPT, partner, 0,                                    \
	  "Who may take part; `person` if not there. `bot` and `anyone` are "  \
	  "your consent to bots.")                                             \
	F(flag, invited_only, OPT, 0, 0, "Only whom directors invite.")        \
	F(int, rating_min, OPT, 0, RATING_SOUGHT_MAX, "The least rating.")     \
	F(int, rating_max, OPT, 0, RATING_SOUGHT_MAX, "The greatest rating.")  \
	F(int, check_in_ms, OPT, 0, WAIT_PARAM_MS_MAX,                         \
	  "How long before the start players must check in; 0 if not there: "  \
	  "they need not.")                                                    \
	F(int, no_show_ms, OPT, 1000, WAIT_PARAM_MS_MAX,                       \
	  "How long a match waits for each player's first half-move; 5 "       \
	  "minutes if not there.")                                             \
	F(int, gap_ms, OPT, 0, WAIT_PARAM_MS_MAX,                              \
	  "From the end of a round to the next pairing; 0 if not there.")      \
	F(int, starts_at, OPT, 0, STARTS_AT_MAX,                               \
	  "When it begins, Unix time in ms; without it when a director says "  \
	  "so.")                                                               \
	F(flag, draft, OPT, 0, 0, "Registration waits for tournament.open.")   \
	MEET_KEY_PARAM(F)
#define TOURNAMENT_LIST_PARAMS(F) AFTER_PARAM(F)
#define TOURNAMENT_GET_PARAMS(F)  TOURNAMENT_PARAM(F)
#define TOURNAMENT_STANDINGS_PARAMS(F)                                         \
	TOURNAMENT_PARAM(F)                                                    \
	FROM_PARAM(F)
#define TOURNAMENT_ROUND_PARAMS(F)                                             \
	TOURNAMENT_PARAM(F)                                                    \
	F(int, round, REQ, 1, ROUND_NUMBERS_MAX, "Which round, from 1.")       \
	FROM_PARAM(F)
#define TOURNAMENT_WATCH_PARAMS(F)   TOURNAMENT_PARAM(F)
#define TOURNAMENT_UNWATCH_PARAMS(F) TOURNAMENT_PARAM(F)
#define TOURNAMENT_OPEN_PARAMS(F)    TOURNAMENT_PARAM(F)
#define TOURNAMENT_START_PARAMS(F)   TOURNAMENT_PARAM(F)
#define TOURNAMENT_PAUSE_PARAMS(F)   TOURNAMENT_PARAM(F)
#define TOURNAMENT_RESUME_PARAMS(F)  TOURNAMENT_PARAM(F)
#define TOURNAMENT_FINISH_PARAMS(F)  TOURNAMENT_PARAM(F)
#define TOURNAMENT_DIRECT_PARAMS(F)                                            \
	TOURNAMENT_PARAM(F)                                                    \
	WHOM_PARAMS(F)                                                         \
	F(flag, on, OPT, 0, 0, "False: he is one no more.")
#define TOURNAMENT_REGISTER_PARAMS(F) TOURNAMENT_PARAM(F)
#define TOURNAMENT_WITHDRAW_PARAMS(F) TOURNAMENT_PARAM(F)
#define TOURNAMENT_CHECK_IN_PARAMS(F) TOURNAMENT_PARAM(F)
#define TOURNAMENT_INVITE_PARAMS(F)                                            \
	TOURNAMENT_PARAM(F)                                                    \
	WHOM_PARAMS(F)
#define TOURNAMENT_REMOVE_PARAMS(F)                                            \
	TOURNAMENT_PARAM(F)                                                    \
	WHOM_PARAMS(F)
#define TOURNAMENT_CORRECT_PARAMS(F)                                           \
	TOURNAMENT_PARAM(F)                                                    \
	F(int, round, REQ, 1, ROUND_NUMBERS_MAX, "Which round, from 1.")       \
	F(int, table, REQ, 1, TOURNAMENT_ENTRIES_MAX, "Which table, from 1.")  \
	F(choice, outcome, REQ, decision, 0, "What it is now.")                \
	F(int, white_points, OPT, 0, TABLE_POINTS_MAX,                         \
	  "Points of white, where they count; else who wins gets 1.")          \
	F(int, black_points, OPT, 0, TABLE_POINTS_MAX, "Points of black.")     \
	F(str, words, REQ, 1, DIRECTOR_CHARS_MAX, "Why; everybody sees it.")

#define TOURNAMENT_CHOICES(C)                                                  \
	C(held_as, HELD_AS_VALUES)                                             \
	C(counting, COUNTING_VALUES)                                           \
	C(decision, DECISION_VALUES)
/* in the order of the domain's enums, which request_tournament.c checks */
#define HELD_AS_VALUES(V)                                                      \
	V(WANT_ROBIN, "round_robin")                                           \
	V(WANT_DOUBLE_ROBIN, "double_round_robin")                             \
	V(WANT_SWISS, "swiss")                                                 \
	V(WANT_KNOCKOUT, "knockout")
#define COUNTING_VALUES(V)                                                     \
	V(COUNT_WINS, "wins")                                                  \
	V(COUNT_HALF, "half")                                                  \
	V(COUNT_THREE, "three")                                                \
	V(COUNT_POINTS, "points")
#define DECISION_VALUES(V)                                                     \
	V(SAY_PENDING, "pending")                                              \
	V(SAY_WHITE, "white")                                                  \
	V(SAY_BLACK, "black")                                                  \
	V(SAY_DRAW, "draw")                                                    \
	V(SAY_WHITE_FORFEIT, "white_forfeit")                                  \
	V(SAY_BLACK_FORFEIT, "black_forfeit")                                  \
	V(SAY_NEITHER, "neither")                                              \
	V(SAY_BYE, "bye")                                                      \
	V(SAY_WHITE_LOT, "white_lot")                                          \
	V(SAY_BLACK_LOT, "black_lot")

/* ---- notifications ----------------------------------------------------- */

#define TOURNAMENT_NOTIFICATIONS(N)                                            \
	N(TOURNAMENT_CHANGED, "tournament.changed", TOURNAMENT,                \
	  "A tournament that you watch, direct or take part in has changed. "  \
	  "Who only takes part hears when it begins, pauses, ends, and when "  \
	  "a "                                                                 \
	  "round is paired.")                                                  \
	N(TOURNAMENT_PAIRED, "tournament.paired", TOURNAMENT_ROUND,            \
	  "A round of a tournament that you watch is paired: its first page.") \
	N(TOURNAMENT_TABLE, "tournament.table", TOURNAMENT_TABLE_CHANGED,      \
	  "The match of a table has begun, or the table is decided.")          \
	N(TOURNAMENT_RANKED, "tournament.ranked", STANDINGS,                   \
	  "The first page of the table of a tournament that you watch; after " \
	  "changes, at most once a second.")

#endif
