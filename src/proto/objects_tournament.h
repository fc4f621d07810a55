/* SPDX-License-Identifier: MIT
 * objects_tournament.h - protocol 1: the shapes of tournaments, as objects.h has
 * it, which includes this. */
#ifndef PLYD_PROTO_OBJECTS_TOURNAMENT_H
#define PLYD_PROTO_OBJECTS_TOURNAMENT_H

#define TOURNAMENT_OBJECTS(O)                                                  \
	O(TOURNAMENT, "tournament", "A tournament, without its tables.")       \
	O(TOURNAMENT_LIST, "tournament_list", "What tournament.list answers.") \
	O(TOURNAMENT_LINE, "tournament_line", "A tournament in a list.")       \
	O(STANDINGS, "standings", "A page of the table of a tournament.")      \
	O(STANDING, "standing", "A row of it.")                                \
	O(TIE_BREAKS, "tie_breaks",                                            \
	  "By what those with one score are ranked.")                          \
	O(PLAYED_ROUND, "played_round", "What a player made of one round.")    \
	O(TOURNAMENT_ROUND, "tournament_round", "A page of a round's tables.") \
	O(TOURNAMENT_TABLE, "tournament_table", "A table of a round.")         \
	O(TOURNAMENT_TABLE_CHANGED, "tournament_table_changed",                \
	  "A table that has changed.")                                         \
	O(CORRECTION, "correction", "A director's decision about a table.")    \
	O(PLACE, "place", "Where in a tournament a match is played.")

#define PLACE_FIELDS(P)                                                        \
	P(tournament, "id", "The tournament.")                                 \
	P(round, "int", "Which round, from 1.")                                \
	P(table, "int", "Which table, from 1.")                                \
	P(game, "int", "Which match of the table, from 1.")

#define TOURNAMENT_FIELDS(P)                                                   \
	P(tournament, "id", "Its id.")                                         \
	P(name, "str", "What it is called.")                                   \
	P(state, "draft|registration|check_in|running|paused|finished",        \
	  "Where it is. `draft`: only directors see it.")                      \
	P(end, "played|too_few|stopped?",                                      \
	  "Why it is finished. `too_few`: fewer than two players were left. "  \
	  "`stopped`: a director ended it.")                                   \
	P(organiser, "player?",                                                \
	  "Who made it; nil: the server's "                                    \
	  "plan, or his account is deleted.")                                  \
	P(directors, "[id]", "Who else directs it.")                           \
	P(schedule, "str?", "The plan that it is of.")                         \
	P(ruleset, "str", "Of its matches.")                                   \
	P(clock, "time", "Of its matches.")                                    \
	P(match_length, "int?", "Points that win a match, if it was chosen.")  \
	P(rated, "bool", "Whether its matches count for ratings.")             \
	P(format, "round_robin|double_round_robin|swiss|knockout",             \
	  "How it is played.")                                                 \
	P(scoring, "wins|half|three|points", "What counts.")                   \
	P(breaks, "[str]", "Tie-breaks in order.")                             \
	P(rounds, "int?", "How many, once it is known.")                       \
	P(round, "int", "Rounds that are paired.")                             \
	P(open_tables, "int", "Tables of the last one that are not decided.")  \
	P(players, "int", "Who takes part.")                                   \
	P(entries, "int", "Rows of its table: also who has left meanwhile.")   \
	P(entries_max, "int", "Most players.")                                 \
	P(who, "anyone|person|bot", "Who may take part.")                      \
	P(invited_only, "bool", "Only whom directors invite.")                 \
	P(late_rounds, "int", "It may be entered until so many are paired.")   \
	P(rating_min, "int", "The least rating; 0: any.")                      \
	P(rating_max, "int", "The greatest; 0: any.")                          \
	P(check_in_ms, "int", "How long check-in is open; 0: there is none.")  \
	P(no_show_ms, "int", "How long a match waits for a first half-move.")  \
	P(gap_ms, "int", "Between two rounds.")                                \
	P(starts_at, "int?", "Unix time in ms; nil: when a director says so.") \
	P(began_at, "int?", "When it began.")                                  \
	P(ended_at, "int?", "When it ended.")                                  \
	P(commitment, "hex",                                                   \
	  "SHA-256 of `plyd-tournament-1`, a zero byte, and the seed.")        \
	P(seed, "hex?", "The seed, once it is finished.")                      \
	P(you, "director|player|gone|watcher",                                 \
	  "What you are in it. `gone`: you took part.")                        \
	P(checked_in, "bool?", "Whether you have checked in, if you take part.")

#define TOURNAMENT_LIST_FIELDS(P)                                              \
	P(tournaments, "[tournament_line]", "The oldest first.")               \
	P(next, "id?", "Where the next page begins, if there is one.")

#define TOURNAMENT_LINE_FIELDS(P)                                              \
	P(tournament, "id", "Its id.")                                         \
	P(name, "str", "What it is called.")                                   \
	P(state, "draft|registration|check_in|running|paused|finished",        \
	  "Where it is.")                                                      \
	P(ruleset, "str", "Of its matches.")                                   \
	P(format, "round_robin|double_round_robin|swiss|knockout",             \
	  "How it is played.")                                                 \
	P(rated, "bool", "Whether its matches count for ratings.")             \
	P(players, "int", "Who takes part.")                                   \
	P(starts_at, "int?", "Unix time in ms.")

#define STANDINGS_FIELDS(P)                                                    \
	P(tournament, "id", "The tournament.")                                 \
	P(rounds, "int", "Rounds that are paired.")                            \
	P(rows, "[standing]", "The first first.")                              \
	P(total, "int", "Rows in all.")                                        \
	P(next, "int?", "`from` of the next page, if there is one.")

#define STANDING_FIELDS(P)                                                     \
	P(rank, "int", "From 1; who are level in everything share it.")        \
	P(entry, "int", "His number, from 1; tables name him by it.")          \
	P(player, "id?", "Who; nil: his account is deleted.")                  \
	P(name, "str", "His name.")                                            \
	P(bot, "bool", "Whether he is a bot.")                                 \
	P(rating, "int?", "His rating when he entered, if he had one.")        \
	P(score2, "int", "Twice his score.")                                   \
	P(won, "int", "Tables won, by forfeit or bye too.")                    \
	P(drawn, "int", "Tables drawn.")                                       \
	P(lost, "int", "Tables lost, also by not coming.")                     \
	P(breaks, "tie_breaks", "All that could break ties.")                  \
	P(gone, "withdrawn|removed|no_show?", "Why he plays no more.")         \
	P(first_round, "int", "He plays from this round on, from 1.")          \
	P(gone_from, "int?", "He does not play from this one on.")             \
	P(games, "[played_round]", "Each round that is paired, in order.")

#define TIE_BREAKS_FIELDS(P)                                                   \
	P(direct, "int", "Twice the score among those he is level with.")      \
	P(sonneborn_berger4, "int", "Four times it.")                          \
	P(buchholz2, "int", "Twice it.")                                       \
	P(buchholz_cut1_2, "int", "Twice it.")                                 \
	P(wins, "int", "Tables won.")                                          \
	P(halves2, "int", "Twice the score with 1, one half, 0.")              \
	P(lots, "int?", "His place by lot; once it is finished.")

#define PLAYED_ROUND_FIELDS(P)                                                 \
	P(table, "int?", "Which table, from 1; nil: he sat at none.")          \
	P(opponent, "int?", "Entry of the opponent; nil: nobody.")             \
	P(side, "white|black?", "His side.")                                   \
	P(score2, "int?", "Twice what it gave him; nil: not decided.")

#define TOURNAMENT_ROUND_FIELDS(P)                                             \
	P(tournament, "id", "The tournament.")                                 \
	P(round, "int", "Which round, from 1.")                                \
	P(tables, "[tournament_table]", "In order.")                           \
	P(total, "int", "Tables in all.")                                      \
	P(next, "int?", "`from` of the next page, if there is one.")

#define TOURNAMENT_TABLE_FIELDS(P)                                             \
	P(table, "int", "Its number, from 1.")                                 \
	P(white, "int", "Entry, from 1.")                                      \
	P(black, "int?", "Entry; nil: white has a bye.")                       \
	P(white_name, "str", "His name.")                                      \
	P(black_name, "str?", "His name.")                                     \
	P(outcome,                                                             \
	  "pending|white|black|draw|white_forfeit|black_forfeit|neither|bye|"  \
	  "white_lot|black_lot",                                               \
	  "What came of it. A forfeit is won without play; a lot lets one go " \
	  "on whose matches were all drawn; `neither` counts for nobody.")     \
	P(white_points, "int", "Points of white at the board.")                \
	P(black_points, "int", "Points of black.")                             \
	P(matches, "[id]",                                                     \
	  "Its matches in order; in the second, colours are exchanged.")       \
	P(corrections, "[correction]", "What directors decided, in order.")

#define TOURNAMENT_TABLE_CHANGED_FIELDS(P)                                     \
	P(tournament, "id", "The tournament.")                                 \
	P(round, "int", "Which round, from 1.")                                \
	P(table, "tournament_table", "The table.")

#define CORRECTION_FIELDS(P)                                                   \
	P(by, "str", "Which director.")                                        \
	P(words, "str", "Why.")                                                \
	P(at, "int", "Unix time in ms.")                                       \
	P(paired, "int", "Rounds that were paired then.")                      \
	P(was, "str", "Outcome before.")                                       \
	P(white_was, "int", "Points of white before.")                         \
	P(black_was, "int", "Points of black before.")                         \
	P(outcome, "str", "Outcome after.")

#endif
