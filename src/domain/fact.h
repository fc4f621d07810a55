/* SPDX-License-Identifier: MIT
 * fact.h - what happened. Facts are the only thing that changes durable state:
 * a step decides and lists facts, applying them does the rest, and replay
 * applies the same facts again. A fact says what was, never what to do: thrown
 * dice, time charged, the verdict. So a later change of the rules never
 * changes history.
 *
 * Three streams keep apart what may be seen: `match` is a match's public log,
 * which every spectator may see whole (its facts are the events of the wire,
 * numbered 1, 2, 3, ... per match); `general` is players and lobbies; `secret`
 * is seen by nobody until the match has ended. */
#ifndef PLYD_DOMAIN_FACT_H
#define PLYD_DOMAIN_FACT_H

#include "base/digest.h"
#include "base/id.h"
#include "base/span.h"
#include "domain/fact_chat.h"
#include "domain/fact_tournament.h"

enum fact_stream { STREAM_GENERAL, STREAM_MATCH, STREAM_SECRET };

/* Field kinds: num int64_t; flag bool; id struct id; digest struct digest; text
 * a span of UTF-8; bytes a span. Spans are lent by whoever made the fact. */

/* F(kind, name, doc): the order is the order in the journal; new fields go to
 * the end, and an older row reads as zero there. */
#define FACT_PLAYER_ADDED_FIELDS(F)                                            \
	F(id, player, "Who.")                                                  \
	F(text, name, "Display name.")                                         \
	F(num, kind, "0 guest, 1 bot.")                                        \
	F(digest, token,                                                       \
	  "SHA-256 of the resume token of his session 0; zeros: he has no "    \
	  "such session.")
#define FACT_TOKEN_OFFERED_FIELDS(F)                                           \
	F(id, player, "Whose.")                                                \
	F(digest, token,                                                       \
	  "SHA-256 of the next token; the one before is still "                \
	  "good.")                                                             \
	F(num, session, "Number of his session.")
#define FACT_TOKEN_USED_FIELDS(F)                                              \
	F(id, player, "Who used his offered token.")                           \
	F(num, session, "Number of his session.")
#define FACT_PLAYER_REMOVED_FIELDS(F) F(id, player, "Who is forgotten.")
#define FACT_KEY_REMEMBERED_FIELDS(F)                                          \
	F(id, player, "Whose key.")                                            \
	F(text, key, "The key of his command.")                                \
	F(id, made, "The lobby or seek that it made, or the match.")
/* The kind is 1 just where `unlimited` is true; older rows say 0 there. */
#define CLOCK_KIND_FIELDS(F)                                                   \
	F(num, clock_kind,                                                     \
	  "0 Fischer, 1 unlimited, 2 delay, 3 Bronstein, 4 per move.")         \
	F(num, delay_ms, "Clock: delay, or the most that comes back.")
#define FACT_LOBBY_OPENED_FIELDS(F)                                            \
	F(id, lobby, "The lobby.")                                             \
	F(id, owner, "Who opened it.")                                         \
	F(text, ruleset, "Name of the ruleset.")                               \
	F(num, base_ms, "Clock: time at the start.")                           \
	F(num, increment_ms, "Clock: added after each move.")                  \
	F(flag, unlimited, "No clock.")                                        \
	F(num, side, "Owner's side: 0 white, 1 black.")                        \
	F(num, opponent, "0 anyone, 1 person, 2 bot, 3 personality.")          \
	F(text, personality, "Name of the personality, if it is one.")         \
	F(text, code, "Code of a private lobby, or empty.")                    \
	F(text, key, "Client's key of the command, or empty.")                 \
	F(flag, rated, "Its match is rated.")                                  \
	CLOCK_KIND_FIELDS(F)                                                   \
	F(num, match_length, "Points that win the match; 0: the ruleset's.")   \
	F(num, spectator_delay_ms, "How late spectators see its match.")       \
	F(flag, invited_only, "Joined by who was invited.")                    \
	F(flag, closed, "Its match has no spectators.")                        \
	F(text, position, "Where its match begins; empty: the start.")
#define FACT_LOBBY_SEATED_FIELDS(F)                                            \
	F(id, lobby, "The lobby.")                                             \
	F(num, side, "0 white, 1 black.")                                      \
	F(id, player, "Who took the seat.")
#define FACT_LOBBY_READIED_FIELDS(F)                                           \
	F(id, lobby, "The lobby.")                                             \
	F(id, player, "Who.")                                                  \
	F(flag, ready, "Ready, or not any more.")
#define FACT_LOBBY_LEFT_FIELDS(F)                                              \
	F(id, lobby, "The lobby.")                                             \
	F(id, player, "Who left his seat.")
#define FACT_LOBBY_CLOSED_FIELDS(F)                                            \
	F(id, lobby, "The lobby.")                                             \
	F(id, match, "The match that began, or none.")
/* Meeting: 70-79. */
#define FACT_SEEK_OPENED_FIELDS(F)                                             \
	F(id, seek, "The seek, or the challenge.")                             \
	F(id, by, "Who made it.")                                              \
	F(id, to, "Whom it challenges; none: anyone may accept.")              \
	F(text, ruleset, "Name of the ruleset.")                               \
	F(num, base_ms, "Clock: time at the start.")                           \
	F(num, increment_ms, "Clock: added after each move.")                  \
	F(flag, unlimited, "No clock.")                                        \
	F(num, side, "Maker's side: 0 white, 1 black, 2 by lot.")              \
	F(num, opponent, "0 anyone, 1 person, 2 bot.")                         \
	F(flag, rated, "Its match is rated.")                                  \
	F(num, rating_min, "Least rating of who accepts; 0 any.")              \
	F(num, rating_max, "Greatest rating of who accepts; 0 any.")           \
	F(num, until_ms, "Domain time when it lapses; 0 never.")               \
	F(text, position, "Where its match begins; empty: the start.")         \
	F(text, key, "Client's key of the command, or empty.")                 \
	CLOCK_KIND_FIELDS(F)                                                   \
	F(num, match_length, "Points that win the match; 0: the ruleset's.")
#define FACT_SEEK_CLOSED_FIELDS(F)                                             \
	F(id, seek, "The seek, or the challenge.")                             \
	F(num, reason,                                                         \
	  "0 accepted, 1 cancelled, 2 declined, 3 lapsed, 4 away, "            \
	  "5 playing, 6 finishing.")                                           \
	F(num, word, "Declined: which word of the list.")                      \
	F(id, by, "Who accepted it, or none.")                                 \
	F(id, match, "The match that began, or none.")
#define FACT_QUEUED_FIELDS(F)                                                  \
	F(id, player, "Who waits for a quick match.")                          \
	F(text, ruleset, "Name of the ruleset.")                               \
	F(num, base_ms, "Clock: time at the start.")                           \
	F(num, increment_ms, "Clock: added after each move.")                  \
	F(flag, unlimited, "No clock.")                                        \
	F(flag, any_clock, "Any clock of its speed class will do.")            \
	F(flag, rated, "Its match is rated.")                                  \
	F(flag, bots, "A bot is welcome.")                                     \
	F(num, since_ms, "Domain time since when he waits.")                   \
	CLOCK_KIND_FIELDS(F)
#define FACT_UNQUEUED_FIELDS(F)                                                \
	F(id, player, "Who waits no more.")                                    \
	F(id, match, "The match that began, or none.")
#define FACT_LOBBY_INVITED_FIELDS(F)                                           \
	F(id, lobby, "The lobby.")                                             \
	F(id, player, "Who may join it.")
#define FACT_LOBBY_DECLINED_FIELDS(F)                                          \
	F(id, lobby, "The lobby.")                                             \
	F(id, player, "Whose invitation is void.")
#define FACT_LOBBY_KICKED_FIELDS(F)                                            \
	F(id, lobby, "The lobby.")                                             \
	F(id, player, "Who loses his seat and may not come back.")
#define FACT_LOBBY_UPDATED_FIELDS(F)                                           \
	F(id, lobby, "The lobby, in which nobody is ready now.")               \
	F(text, ruleset, "Name of the ruleset.")                               \
	F(num, base_ms, "Clock: time at the start.")                           \
	F(num, increment_ms, "Clock: added after each move.")                  \
	F(flag, unlimited, "No clock.")                                        \
	F(num, side, "Owner's side: 0 white, 1 black.")                        \
	F(flag, rated, "Its match is rated.")                                  \
	CLOCK_KIND_FIELDS(F)                                                   \
	F(num, match_length, "Points that win the match; 0: the ruleset's.")
#define FACT_BOT_POLICY_FIELDS(F)                                              \
	F(id, player, "The bot.")                                              \
	F(flag, answers, "The server answers challenges for it.")              \
	F(text, rulesets, "Names that it plays, a space between; empty all.")  \
	F(num, speeds, "Bit i: speed class i; 0 all.")                         \
	F(num, rated, "0 both, 1 rated only, 2 unrated only.")                 \
	F(num, opponent, "0 anyone, 1 person, 2 bot.")                         \
	F(num, at_once, "Matches at once; 0: no limit of its own.")            \
	F(flag, finishing, "It takes no new matches.")
#define FACT_BEGUN_FIELDS(F)                                                   \
	F(num, began_at, "Unix time in ms.")                                   \
	F(text, ruleset, "Name of the ruleset.")                               \
	F(text, rules, "The ruleset in full, as ruleset_write() has it.")      \
	F(text, position, "Position at the start.")                            \
	F(num, no_progress, "Half-moves without progress that draw; 0 none.")  \
	F(num, no_progress_counts,                                             \
	  "Progress is: 0 capture or promotion, 1 capture or man's move.")     \
	F(num, repetition, "Occurrences of a position that draw; 0 none.")     \
	F(text, policy, "Draw policy.")                                        \
	F(num, base_ms, "Clock: time at the start.")                           \
	F(num, increment_ms, "Clock: added after each move.")                  \
	F(flag, unlimited, "No clock.")                                        \
	F(id, white, "White's player; none for a personality.")                \
	F(text, white_name, "White's name.")                                   \
	F(num, white_kind, "0 guest, 1 bot, 2 personality.")                   \
	F(id, black, "Black's player; none for a personality.")                \
	F(text, black_name, "Black's name.")                                   \
	F(num, black_kind, "0 guest, 1 bot, 2 personality.")                   \
	F(digest, commitment, "SHA-256 of the dice seed; zeros if no dice.")   \
	F(flag, judged, "The policy's script is asked after each half-move.")  \
	F(flag, rated, "The match counts for ratings.")                        \
	F(num, pool, "Pool of the ratings: 0 people, 1 bots.")                 \
	F(num, white_milli, "White's rating in 1/1000; 0: he has none.")       \
	F(num, white_deviation_milli, "Its deviation.")                        \
	F(num, black_milli, "Black's rating in 1/1000; 0: he has none.")       \
	F(num, black_deviation_milli, "Its deviation.")                        \
	CLOCK_KIND_FIELDS(F)                                                   \
	F(flag, takeback, "Half-moves may be taken back by consent.")          \
	F(num, spectator_delay_ms, "How late spectators see it.")              \
	F(id, rematch_of, "The match that it is a rematch of, or none.")       \
	F(num, lag_per_move_ms, "Most that a move may be credited for lag.")   \
	F(num, lag_total_ms, "Most that a side may be in the match.")          \
	F(flag, closed, "It has no spectators while it is played.")            \
	F(flag, no_offers, "No draw can be agreed.")                           \
	F(num, offers_from, "Half-moves before a draw may be offered.")        \
	F(num, offers_max,                                                     \
	  "Offers of a side until there is progress; 0: no limit.")            \
	F(text, rules_version, "Version of the ruleset's file, or empty.")     \
	F(text, policy_version, "Version of the policy's file, or empty.")     \
	F(text, white_version, "Of White, if it is a personality.")            \
	F(text, black_version, "Of Black, if it is one.")                      \
	F(id, tournament, "The tournament that it is of, or none.")            \
	F(num, round, "Which round of it, from 1; 0: it is of none.")          \
	F(num, table, "Which table of that, from 1.")                          \
	F(num, game, "Which match of that table, from 1.")
#define FACT_NONCE_FIELDS(F)                                                   \
	F(num, side, "Whose nonce: 0 white, 1 black.")                         \
	F(bytes, nonce, "The nonce; empty if the player declined.")
#define FACT_OPENING_THROW_FIELDS(F)                                           \
	F(num, roll, "Number of the roll in this match, from 0.")              \
	F(num, white_die, "White's die.")                                      \
	F(num, black_die, "Black's die.")
#define FACT_ROLLED_FIELDS(F)                                                  \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Whose roll.")                                            \
	F(num, roll, "Number of the roll in this match, from 0.")              \
	F(num, die1, "First die.")                                             \
	F(num, die2, "Second die.")                                            \
	F(flag, asked, "The player asked for it, instead of doubling.")        \
	F(num, thought_ms,                                                     \
	  "How long he thought before; charged at the end "                    \
	  "of the turn.")                                                      \
	F(num, lag_ms, "Time that was not charged: the way of messages.")
#define FACT_MOVED_FIELDS(F)                                                   \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Who moved.")                                             \
	F(text, move, "The move, canonical.")                                  \
	F(flag, crowned, "The piece was crowned.")                             \
	F(num, thought_ms, "Time charged.")                                    \
	F(num, left_ms, "The mover's clock after the move.")                   \
	F(num, lag_ms, "Time that was not charged: the way of messages.")
#define FACT_PASSED_FIELDS(F)                                                  \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Who had no legal move.")                                 \
	F(num, thought_ms, "Time charged, if he asked for the dice.")          \
	F(num, left_ms, "His clock then; else 0.")                             \
	F(num, lag_ms, "Time that was not charged: the way of messages.")
#define FACT_DRAW_OFFERED_FIELDS(F)                                            \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Who offers.")
#define FACT_DRAW_DECLINED_FIELDS(F)                                           \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Who declines.")
#define FACT_WARNED_FIELDS(F)                                                  \
	F(num, ply, "Half-moves played.")                                      \
	F(text, words, "What the policy warns the players of.")
#define FACT_ENDED_FIELDS(F)                                                   \
	F(num, ply, "Half-moves played.")                                      \
	F(num, result, "0 white won, 1 black won, 2 draw, 3 aborted.")         \
	F(text, reason, "Why, as docs/protocol.md lists.")                     \
	F(num, points, "1, in backgammon also 2 or 3; 0 if nobody won.")       \
	F(num, white_left_ms, "White's clock.")                                \
	F(num, black_left_ms, "Black's clock.")                                \
	F(bytes, seed, "The dice seed, now open; empty if no dice.")           \
	F(text, words, "The words of the policy that ended it, or empty.")     \
	F(num, white_score, "White's score; 0 outside matches of games.")      \
	F(num, black_score, "Black's score.")
/* identity: 50-59 */
#define FACT_SESSION_ADDED_FIELDS(F)                                           \
	F(id, player, "Whose.")                                                \
	F(num, session, "Its number.")                                         \
	F(digest, token, "SHA-256 of its resume token.")                       \
	F(num, began_at, "Unix time in ms.")
#define FACT_SESSION_ENDED_FIELDS(F)                                           \
	F(id, player, "Whose.")                                                \
	F(num, session, "Its number.")
#define FACT_ACCOUNT_OPENED_FIELDS(F)                                          \
	F(id, player, "Whose.")                                                \
	F(text, login, "What he logs in by.")                                  \
	F(text, hash, "Argon2id of his password; empty: a bot.")               \
	F(num, opened_at, "Unix time in ms.")
#define FACT_PASSWORD_SET_FIELDS(F)                                            \
	F(id, player, "Whose.")                                                \
	F(text, hash, "Argon2id of the new password.")
#define FACT_PLAYER_RENAMED_FIELDS(F)                                          \
	F(id, player, "Who.")                                                  \
	F(text, name, "His new name.")                                         \
	F(num, held_until_ms,                                                  \
	  "Domain time until which the old one is kept from others; 0: not.")
#define FACT_BOT_TOKEN_SET_FIELDS(F)                                           \
	F(id, player, "Which bot.")                                            \
	F(digest, token, "SHA-256 of the operator's token; zeros: none.")
#define FACT_PASSWORD_RESET_FIELDS(F)                                          \
	F(id, player, "Whose.")                                                \
	F(digest, reset, "SHA-256 of the one-time password.")                  \
	F(num, until_ms, "Domain time until which it is good.")
#define FACT_ACCOUNT_CLOSED_FIELDS(F) F(id, player, "Who is deleted.")
#define FACT_TOKEN_REPLACED_FIELDS(F)                                          \
	F(id, player, "Whose.")                                                \
	F(num, session, "Number of his session.")                              \
	F(digest, token, "SHA-256 of its token; those before are void.")
/* ratings: 80-84. Ratings and deviations in 1/1000 of a point, volatilities in
 * 1/1,000,000,000; `before`: as it was when the match ended, the deviation
 * grown up to then. */
#define FACT_RATED_FIELDS(F)                                                   \
	F(num, ply, "Half-moves played.")                                      \
	F(num, speed, "0 bullet, 1 blitz, 2 rapid, 3 classical, 4 days.")      \
	F(num, white_before_milli, "White's rating before.")                   \
	F(num, white_before_deviation_milli, "Its deviation.")                 \
	F(num, white_before_volatility_nano, "Its volatility.")                \
	F(num, white_milli, "White's rating after.")                           \
	F(num, white_deviation_milli, "Its deviation.")                        \
	F(num, white_volatility_nano, "Its volatility.")                       \
	F(num, black_before_milli, "Black's rating before.")                   \
	F(num, black_before_deviation_milli, "Its deviation.")                 \
	F(num, black_before_volatility_nano, "Its volatility.")                \
	F(num, black_milli, "Black's rating after.")                           \
	F(num, black_deviation_milli, "Its deviation.")                        \
	F(num, black_volatility_nano, "Its volatility.")
#define FACT_PLAYER_RATED_FIELDS(F)                                            \
	F(id, player, "Whose rating.")                                         \
	F(text, ruleset, "Of which ruleset,")                                  \
	F(num, speed, "which speed class")                                     \
	F(num, pool, "and which pool.")                                        \
	F(id, played, "The match.")                                            \
	F(id, opponent, "Whom he played.")                                     \
	F(num, score, "2 won, 1 drawn, 0 lost.")                               \
	F(num, at, "Unix time in ms.")                                         \
	F(num, before_milli, "Rating before.")                                 \
	F(num, milli, "Rating after.")                                         \
	F(num, deviation_milli, "Its deviation.")                              \
	F(num, volatility_nano, "Its volatility.")                             \
	F(num, since, "Unix time in ms up to which its deviation has grown.")  \
	F(num, games, "Rated matches by now.")
/* the cube, the games of a match, resignations */
#define FACT_CUBE_FIELDS(F)                                                    \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Who.")                                                   \
	F(num, thought_ms, "Time charged.")                                    \
	F(num, left_ms, "His clock after it.")                                 \
	F(num, lag_ms, "Time that was not charged: the way of messages.")
#define FACT_DOUBLED_FIELDS(F) FACT_CUBE_FIELDS(F)
#define FACT_TAKEN_FIELDS(F)   FACT_CUBE_FIELDS(F)
#define FACT_DROPPED_FIELDS(F) FACT_CUBE_FIELDS(F)
#define FACT_GAME_ENDED_FIELDS(F)                                              \
	F(num, ply, "Half-moves played.")                                      \
	F(num, game, "Number of the game in its match, from 1.")               \
	F(num, winner, "0 white, 1 black.")                                    \
	F(text, reason, "Why, as docs/protocol.md lists.")                     \
	F(num, points, "What it counted, the cube too.")                       \
	F(num, white_score, "White's score after it.")                         \
	F(num, black_score, "Black's score after it.")                         \
	F(num, white_left_ms, "White's clock.")                                \
	F(num, black_left_ms, "Black's clock.")                                \
	F(num, lag_ms, "What the turn that it broke off was credited for lag.")
#define FACT_GAME_BEGUN_FIELDS(F)                                              \
	F(num, ply, "Half-moves before; a game given up was one.")             \
	F(num, game, "Number of the game in its match.")                       \
	F(text, position, "Position at the start, with the score.")
#define FACT_RESIGN_OFFERED_FIELDS(F)                                          \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Who would resign.")                                      \
	F(num, level, "1 a single game, 2 a gammon.")
#define FACT_RESIGN_DECLINED_FIELDS(F)                                         \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Who declines.")

#define FACT_SEED_DRAWN_FIELDS(F) F(bytes, seed, "The dice seed.")

/* the life of a match: 85-89, 110-119 */
#define FACT_TAKEBACK_OFFERED_FIELDS(F)                                        \
	F(num, ply, "Half-moves in force.")                                    \
	F(num, side, "Who wants to take back.")                                \
	F(num, to_ply, "Half-moves that would stay in force.")
#define FACT_TAKEBACK_DECLINED_FIELDS(F)                                       \
	F(num, ply, "Half-moves in force.")                                    \
	F(num, side, "Who declines.")
#define FACT_LEAVES_COUNTED_FIELDS(F)                                          \
	F(id, player, "Who left.")                                             \
	F(num, count, "So often, by what counts still.")                       \
	F(num, last_ms, "When he did the last time, domain time.")
#define FACT_WENT_AWAY_FIELDS(F)                                               \
	F(id, player, "Who is away from a match without a running clock.")     \
	F(num, since_ms, "Since when, domain time.")
#define FACT_CAME_BACK_FIELDS(F) F(id, player, "Who.")
#define FACT_PAUSE_OFFERED_FIELDS(F)                                           \
	F(num, ply, "Half-moves in force.")                                    \
	F(num, side, "Who wants a pause.")
#define FACT_PAUSE_DECLINED_FIELDS(F)                                          \
	F(num, ply, "Half-moves in force.")                                    \
	F(num, side, "Who declines.")
#define FACT_PAUSED_FIELDS(F)                                                  \
	F(num, ply, "Half-moves in force.")                                    \
	F(num, side, "Who agreed.")                                            \
	F(num, thought_ms, "What the turn has used so far; it goes on there.") \
	F(num, lag_ms, "What it was credited for lag so far.")
#define FACT_RESUMED_FIELDS(F)                                                 \
	F(num, ply, "Half-moves in force.")                                    \
	F(num, side, "Who wants to go on.")
#define FACT_FROZEN_FIELDS(F)                                                  \
	F(num, ply, "Half-moves in force.")                                    \
	F(text, reason, "What went wrong.")                                    \
	F(num, white_left_ms, "White's clock; it stands.")                     \
	F(num, black_left_ms, "Black's clock.")
#define FACT_TAKEN_BACK_FIELDS(F)                                              \
	F(num, ply, "Half-moves in force before.")                             \
	F(num, side, "Who agreed.")                                            \
	F(num, to_ply, "Half-moves in force now.")                             \
	F(num, thought_ms, "Time charged for the turn that was broken off.")   \
	F(num, left_ms, "The clock of the side that was to move.")             \
	F(num, lag_ms, "Time that was not charged: the way of messages.")

/* scripts: 130-134 */
#define FACT_SCRIPT_KEPT_FIELDS(F)                                             \
	F(id, match, "Of which match.")                                        \
	F(num, by, "The script of: 0 white, 1 black, 2 the draw policy.")      \
	F(bytes, memory, "What it keeps from now on; empty: nothing.")

/* the operator: 137-139 */
#define FACT_CLOCK_ADJUSTED_FIELDS(F)                                          \
	F(num, ply, "Half-moves played before.")                               \
	F(num, side, "Whose clock.")                                           \
	F(num, add_ms, "What he is given; below zero: what is taken.")         \
	F(num, left_ms, "What his turn began with, or will.")                  \
	F(text, words, "Why, or empty.")

#define FACT_OPERATOR_TOKEN_SET_FIELDS(F)                                      \
	F(text, name, "Of the operator.")                                      \
	F(digest, token, "SHA-256 of his token; zeros: he has none any more.") \
	F(num, at_unix_ms, "Unix time in ms.")                                 \
	F(num, until_unix_ms, "Unix time in ms; 0 for ever.")

/* clocks: 120-129 */
#define FACT_TIME_PASSED_FIELDS(F)                                             \
	F(num, matches, "Matches that run meanwhile.")

/* T(id, UPPER, lower, stream, doc). Ids are forever. */
#define FACTS(T)                                                               \
	T(1, PLAYER_ADDED, player_added, GENERAL, "Somebody said hello.")      \
	T(2, TOKEN_OFFERED, token_offered, GENERAL, "A new resume token.")     \
	T(3, TOKEN_USED, token_used, GENERAL, "The old token is void.")        \
	T(4, PLAYER_REMOVED, player_removed, GENERAL, "A guest is forgotten.") \
	T(5, KEY_REMEMBERED, key_remembered, GENERAL,                          \
	  "A key that was used before; in snapshots only.")                    \
	T(10, LOBBY_OPENED, lobby_opened, GENERAL, "A lobby was opened.")      \
	T(11, LOBBY_SEATED, lobby_seated, GENERAL, "A seat was taken.")        \
	T(12, LOBBY_READIED, lobby_readied, GENERAL, "Somebody is ready.")     \
	T(13, LOBBY_LEFT, lobby_left, GENERAL, "A seat was left.")             \
	T(14, LOBBY_CLOSED, lobby_closed, GENERAL, "A lobby is no more.")      \
	T(70, SEEK_OPENED, seek_opened, GENERAL, "An opponent is sought.")     \
	T(71, SEEK_CLOSED, seek_closed, GENERAL, "And is no more.")            \
	T(72, QUEUED, queued, GENERAL, "Somebody wants a quick match.")        \
	T(73, UNQUEUED, unqueued, GENERAL, "And does no more.")                \
	T(74, LOBBY_INVITED, lobby_invited, GENERAL, "Somebody was invited.")  \
	T(75, LOBBY_DECLINED, lobby_declined, GENERAL,                         \
	  "An invitation is void.")                                            \
	T(76, LOBBY_KICKED, lobby_kicked, GENERAL, "The owner threw one out.") \
	T(77, LOBBY_UPDATED, lobby_updated, GENERAL,                           \
	  "The owner changed the terms.")                                      \
	T(78, BOT_POLICY, bot_policy, GENERAL, "What a bot accepts.")          \
	T(20, BEGUN, begun, MATCH, "A match begins.")                          \
	T(21, NONCE, nonce, MATCH, "A player's part of the dice.")             \
	T(22, OPENING_THROW, opening_throw, MATCH, "A die each; who begins?")  \
	T(23, ROLLED, rolled, MATCH, "Dice were thrown.")                      \
	T(24, MOVED, moved, MATCH, "A half-move was played.")                  \
	T(25, PASSED, passed, MATCH, "No legal move: the turn passed.")        \
	T(26, DRAW_OFFERED, draw_offered, MATCH, "A draw was offered.")        \
	T(27, DRAW_DECLINED, draw_declined, MATCH, "An offer was declined.")   \
	T(28, ENDED, ended, MATCH, "The match has ended.")                     \
	T(130, WARNED, warned, MATCH, "The draw policy warns the players.")    \
	T(131, SCRIPT_KEPT, script_kept, GENERAL,                              \
	  "A script keeps something of a match.")                              \
	T(40, SEED_DRAWN, seed_drawn, SECRET, "The dice seed was drawn.")      \
	CHAT_FACTS(T)                                                          \
	T(50, SESSION_ADDED, session_added, GENERAL,                           \
	  "A player has one more session.")                                    \
	T(51, SESSION_ENDED, session_ended, GENERAL,                           \
	  "A session is no more, nor are its tokens.")                         \
	T(52, ACCOUNT_OPENED, account_opened, GENERAL,                         \
	  "A guest became a member, or the operator made a bot.")              \
	T(53, PASSWORD_SET, password_set, GENERAL, "A new password.")          \
	T(54, PLAYER_RENAMED, player_renamed, GENERAL, "A new name.")          \
	T(55, BOT_TOKEN_SET, bot_token_set, GENERAL,                           \
	  "The operator gave a bot a token, or took it.")                      \
	T(56, PASSWORD_RESET, password_reset, GENERAL,                         \
	  "The operator gave a one-time password; the old one is void.")       \
	T(57, ACCOUNT_CLOSED, account_closed, GENERAL,                         \
	  "An account is deleted: its player is shown nowhere any more.")      \
	T(58, TOKEN_REPLACED, token_replaced, GENERAL,                         \
	  "A session has another token at once.")                              \
	T(80, RATED, rated, MATCH, "What the match does to both ratings.")     \
	T(81, PLAYER_RATED, player_rated, GENERAL,                             \
	  "A player's rating after a match; in snapshots also its past.")      \
	T(100, DOUBLED, doubled, MATCH, "The cube was offered.")               \
	T(101, TAKEN, taken, MATCH, "The double was taken.")                   \
	T(102, DROPPED, dropped, MATCH, "The double was dropped.")             \
	T(103, GAME_ENDED, game_ended, MATCH, "A game of a match has ended.")  \
	T(104, GAME_BEGUN, game_begun, MATCH, "The next game begins.")         \
	T(105, RESIGN_OFFERED, resign_offered, MATCH,                          \
	  "Somebody would resign for less than the game may cost.")            \
	T(106, RESIGN_DECLINED, resign_declined, MATCH,                        \
	  "The resignation was not accepted.")                                 \
	T(85, LEAVES_COUNTED, leaves_counted, GENERAL,                         \
	  "Somebody left a match, which counts for a while.")                  \
	T(86, WENT_AWAY, went_away, GENERAL,                                   \
	  "Nobody is at a seat of a match that waits.")                        \
	T(87, CAME_BACK, came_back, GENERAL, "He is back.")                    \
	T(113, PAUSE_OFFERED, pause_offered, MATCH, "A pause was offered.")    \
	T(114, PAUSE_DECLINED, pause_declined, MATCH,                          \
	  "The other does not want one.")                                      \
	T(115, PAUSED, paused, MATCH, "By agreement the clocks stand.")        \
	T(116, RESUMED, resumed, MATCH, "The match goes on.")                  \
	T(117, FROZEN, frozen, MATCH,                                          \
	  "A fault of the server has stopped the match.")                      \
	T(110, TAKEBACK_OFFERED, takeback_offered, MATCH,                      \
	  "Somebody wants to take his last move back.")                        \
	T(111, TAKEBACK_DECLINED, takeback_declined, MATCH,                    \
	  "The other does not want that.")                                     \
	T(112, TAKEN_BACK, taken_back, MATCH, "Half-moves were taken back.")   \
	TOURNAMENT_FACTS(T)                                                    \
	T(137, CLOCK_ADJUSTED, clock_adjusted, MATCH,                          \
	  "The operator gave time to a player, or took it.")                   \
	T(138, OPERATOR_TOKEN_SET, operator_token_set, GENERAL,                \
	  "An operator's token was given, or taken.")                          \
	T(120, TIME_PASSED, time_passed, GENERAL, "Nothing but time.")

enum fact_type {
#define T(number, UPPER, lower, stream, doc) FACT_##UPPER = number,
	FACTS(T)
#undef T
};
enum { FACT_NUMBERS = 256 }; /* all are less */

/* Grows with every fact and every field that is added, for a store to be marked
 * with: an older plyd refuses what it might not understand. */
enum {
	FACT_FORMAT = 0
#define F(kind, name, doc)                   +1
#define T(number, UPPER, lower, stream, doc) +1 FACT_##UPPER##_FIELDS(F)
	FACTS(T)
#undef T
#undef F
};

typedef int64_t fact_num;
typedef bool fact_flag;
typedef struct id fact_id;
typedef struct digest fact_digest;
typedef struct span fact_text;
typedef struct span fact_bytes;

#define F(kind, name, doc) fact_##kind name;
#define T(number, UPPER, lower, stream, doc)                                   \
	struct fact_##lower##_body {                                           \
		FACT_##UPPER##_FIELDS(F)                                       \
	};
FACTS(T)
#undef T
#undef F

struct fact {
	enum fact_type type;
	uint64_t at_ms;  /* domain time */
	uint64_t row;    /* its number in the journal, from 1 */
	uint64_t before; /* row of the fact before it in its match; 0 if none;
			  * not set in replay */
	struct id match; /* none in the general stream */
	union {
#define T(number, UPPER, lower, stream, doc) struct fact_##lower##_body lower;
		FACTS(T)
#undef T
	};
};

static inline enum fact_stream fact_stream(enum fact_type type)
{
	switch (type) {
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: return STREAM_##stream;
		FACTS(T)
#undef T
	}
	return STREAM_GENERAL;
}

/* "moved" and so on; NULL for a number that is no fact. */
static inline const char *fact_name(enum fact_type type)
{
	switch (type) {
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: return #lower;
		FACTS(T)
#undef T
	}
	return NULL;
}

#endif
