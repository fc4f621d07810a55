/* SPDX-License-Identifier: MIT
 * fact_tournament.h - the facts of tournaments, a part of fact.h: 140-159. All
 * are general. Rounds, tables and entries are counted from 0. What follows from
 * facts, who plays whom not yet and the standings, is in none; what was paired
 * is, so that a later change of the way to pair never changes history. */
#ifndef PLYD_DOMAIN_FACT_TOURNAMENT_H
#define PLYD_DOMAIN_FACT_TOURNAMENT_H

#define FACT_TOURNAMENT_MADE_FIELDS(F)                                         \
	F(id, tournament, "The tournament.")                                   \
	F(id, organiser, "Who made it; none: the server's schedule.")          \
	F(text, organiser_name, "His name.")                                   \
	F(text, name, "What it is called.")                                    \
	F(text, schedule, "The plan that it is of, or empty.")                 \
	F(num, at, "Unix time in ms.")                                         \
	F(text, ruleset, "Of its matches.")                                    \
	F(num, base_ms, "Clock: time at the start.")                           \
	F(num, increment_ms, "Clock: added after each move.")                  \
	F(num, clock_kind,                                                     \
	  "0 Fischer, 1 unlimited, 2 delay, 3 Bronstein, 4 per move.")         \
	F(num, delay_ms, "Clock: delay, or the most that comes back.")         \
	F(num, match_length, "Points that win a match; 0: the ruleset's.")     \
	F(text, format, "round_robin, double_round_robin, swiss, knockout.")   \
	F(text, scoring, "wins, half, three, points.")                         \
	F(text, breaks, "Tie-breaks in order, a space between.")               \
	F(num, rounds, "Of a Swiss.")                                          \
	F(num, entries_max, "Most entries.")                                   \
	F(num, late_rounds, "It may be entered until so many are paired.")     \
	F(flag, rated, "Its matches count for ratings.")                       \
	F(flag, invited_only, "Entered by who was invited.")                   \
	F(num, players, "0 anyone, 1 persons, 2 bots.")                        \
	F(num, rating_min, "Least rating of who enters; 0 any.")               \
	F(num, rating_max, "Greatest; 0 any.")                                 \
	F(num, check_in_ms, "How long before the start; 0: none is asked.")    \
	F(num, no_show_ms, "How long a match waits for its players.")          \
	F(num, gap_ms, "Time between two rounds.")                             \
	F(num, starts_at, "Unix time in ms; 0: by hand.")                      \
	F(digest, commitment,                                                  \
	  "SHA-256 of \\" plyd - tournament - 1\\" 0 seed.")                   \
	F(bytes, seed, "What lots are drawn from: secret until the end.")      \
	F(text, key, "Client's key of the command, or empty.")
#define FACT_TOURNAMENT_MOVED_FIELDS(F)                                        \
	F(id, tournament, "The tournament.")                                   \
	F(num, state,                                                          \
	  "0 draft, 1 registration, 2 check-in, 3 running, 4 paused, "         \
	  "5 finished.")                                                       \
	F(num, end, "0 not finished, 1 played, 2 too few, 3 stopped.")         \
	F(num, at, "Unix time in ms.")                                         \
	F(num, rounds, "Rounds in all, once it runs.")
#define FACT_TOURNAMENT_DIRECTED_FIELDS(F)                                     \
	F(id, tournament, "The tournament.")                                   \
	F(id, player, "Who is a director,")                                    \
	F(flag, on, "or is not any more.")
#define FACT_TOURNAMENT_INVITED_FIELDS(F)                                      \
	F(id, tournament, "The tournament.")                                   \
	F(id, player, "Who may enter.")
#define FACT_TOURNAMENT_ENTERED_FIELDS(F)                                      \
	F(id, tournament, "The tournament.")                                   \
	F(num, entry, "Which entry this is; one may come back.")               \
	F(id, player, "Who.")                                                  \
	F(text, name, "His name.")                                             \
	F(num, kind, "0 guest, 1 bot, 3 member.")                              \
	F(num, rating, "His rating in points; 0: none.")                       \
	F(num, round, "He plays from this round on.")
#define FACT_TOURNAMENT_LEFT_FIELDS(F)                                         \
	F(id, tournament, "The tournament.")                                   \
	F(num, entry, "Which entry.")                                          \
	F(num, round, "He does not play from this round on.")                  \
	F(num, why, "1 withdrawn, 2 removed, 3 did not come.")
#define FACT_TOURNAMENT_CHECKED_IN_FIELDS(F)                                   \
	F(id, tournament, "The tournament.")                                   \
	F(num, entry, "Which entry.")
#define FACT_TOURNAMENT_PAIRED_FIELDS(F)                                       \
	F(id, tournament, "The tournament.")                                   \
	F(num, round, "Which round.")                                          \
	F(bytes, tables,                                                       \
	  "5 bytes each: white, black (u16be; ffff nobody), outcome.")
#define FACT_TOURNAMENT_SET_FIELDS(F)                                          \
	F(id, tournament, "The tournament.")                                   \
	F(num, round, "Which round.")                                          \
	F(num, table, "Which table.")                                          \
	F(num, game, "Which match of the table.")                              \
	F(id, played, "The match.")
#define FACT_TOURNAMENT_RESULT_FIELDS(F)                                       \
	F(id, tournament, "The tournament.")                                   \
	F(num, round, "Which round.")                                          \
	F(num, table, "Which table.")                                          \
	F(num, outcome, "As enum table_outcome; 0: another match follows.")    \
	F(num, white_points, "Points of the table's white.")                   \
	F(num, black_points, "Points of its black.")
#define FACT_TOURNAMENT_CORRECTED_FIELDS(F)                                    \
	F(id, tournament, "The tournament.")                                   \
	F(num, round, "Which round.")                                          \
	F(num, table, "Which table.")                                          \
	F(num, outcome, "As enum table_outcome.")                              \
	F(num, white_points, "Points of the table's white.")                   \
	F(num, black_points, "Points of its black.")                           \
	F(id, by, "Which director.")                                           \
	F(text, by_name, "His name.")                                          \
	F(text, words, "Why.")                                                 \
	F(num, at, "Unix time in ms.")                                         \
	F(num, paired, "Rounds that were paired then.")                        \
	F(num, was, "The outcome before.")                                     \
	F(num, white_was, "The points before.")                                \
	F(num, black_was, "The points before.")
#define FACT_TOURNAMENT_REMOVED_FIELDS(F)                                      \
	F(id, tournament, "Which finished one is forgotten.")

#define TOURNAMENT_FACTS(T)                                                    \
	T(140, TOURNAMENT_MADE, tournament_made, GENERAL,                      \
	  "Somebody made a tournament.")                                       \
	T(141, TOURNAMENT_MOVED, tournament_moved, GENERAL,                    \
	  "It begins, pauses, ends and so on.")                                \
	T(142, TOURNAMENT_DIRECTED, tournament_directed, GENERAL,              \
	  "A director comes or goes.")                                         \
	T(143, TOURNAMENT_INVITED, tournament_invited, GENERAL,                \
	  "Somebody is invited to it.")                                        \
	T(144, TOURNAMENT_ENTERED, tournament_entered, GENERAL,                \
	  "Somebody takes part.")                                              \
	T(145, TOURNAMENT_LEFT, tournament_left, GENERAL,                      \
	  "Somebody takes part no more.")                                      \
	T(146, TOURNAMENT_CHECKED_IN, tournament_checked_in, GENERAL,          \
	  "Somebody says that he is here.")                                    \
	T(147, TOURNAMENT_PAIRED, tournament_paired, GENERAL,                  \
	  "A round is paired.")                                                \
	T(148, TOURNAMENT_SET, tournament_set, GENERAL,                        \
	  "A table's match begins.")                                           \
	T(149, TOURNAMENT_RESULT, tournament_result, GENERAL,                  \
	  "And has ended, or will not be played.")                             \
	T(150, TOURNAMENT_CORRECTED, tournament_corrected, GENERAL,            \
	  "A director decides about a table.")                                 \
	T(151, TOURNAMENT_REMOVED, tournament_removed, GENERAL,                \
	  "An old tournament is forgotten.")

#endif
