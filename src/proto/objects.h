/* SPDX-License-Identifier: MIT
 * objects.h - protocol 1: the shapes of answers and notifications. Writers in
 * session keep to them, schema.h checks it, docs/protocol.md shows them. */
#ifndef PLYD_PROTO_OBJECTS_H
#define PLYD_PROTO_OBJECTS_H

#include <stddef.h>

#include "proto/objects_account.h"
#include "proto/objects_admin.h"
#include "proto/objects_chat.h"
#include "proto/objects_meeting.h"
#include "proto/objects_tournament.h"

/* O(UPPER, "name", doc). */
#define OBJECTS(O)                                                             \
	O(NOTHING, "nothing", "An empty map.")                                 \
	O(SEQ, "seq", "When it happened.")                                     \
	O(WELCOME, "welcome", "What hello answers.")                           \
	O(PLAYER, "player", "Someone who plays: an account, a guest, a bot.")  \
	O(LIMITS, "limits", "What the server accepts.")                        \
	O(SERVER_INFO, "server_info", "What server.info answers.")             \
	O(RULES_LIST, "rules_list", "What rules.list answers.")                \
	O(RULESET, "ruleset", "One set of rules.")                             \
	O(TIME, "time", "The clock of a match before it runs.")                \
	O(CLOCK_LIMITS, "clock_limits", "The clocks that may be asked for.")   \
	O(PERSONALITY, "personality", "An opponent that the server plays.")    \
	O(RULES_MOVES, "rules_moves", "What rules.moves answers.")             \
	O(CHOICE, "choice", "A legal move and where it leads.")                \
	O(RULES_CHECK, "rules_check", "What rules.check answers.")             \
	O(AT, "at", "The place in a move where a rule was broken.")            \
	O(LOBBY_LIST, "lobby_list", "What lobby.list answers.")                \
	O(LOBBY, "lobby", "A lobby. A match begins in it.")                    \
	O(LOBBY_SEAT, "lobby_seat", "A seat in a lobby that is taken.")        \
	O(LOBBY_CLOSED, "lobby_closed", "Why a lobby is no more.")             \
	O(MATCH_LIST, "match_list", "What match.list answers.")                \
	O(MATCH_LINE, "match_line", "A match in a list.")                      \
	O(MATCH, "match", "A match as it stands: a snapshot.")                 \
	O(DRAWS, "draws", "When the server calls a draw by itself.")           \
	O(SCRIPTS, "scripts", "Versions of the files of a match.")             \
	O(CLOCK, "clock", "The clock of a match.")                             \
	O(LAG, "lag", "What match.seen answers.")                              \
	O(SEAT, "seat", "A seat in a match.")                                  \
	O(RESULT, "result", "How a match ended.")                              \
	O(MOVED, "moved", "What match.move answers.")                          \
	O(ACTED, "acted", "What match.roll, double, take and drop answer.")    \
	O(STAKES, "stakes", "Cube and score of backgammon.")                   \
	O(RESIGN_OFFER, "resign_offer", "A resignation that was offered.")     \
	O(GAME_RESULT, "game_result", "How one game of a match ended.")        \
	O(EVENT, "event", "One event of a match.")                             \
	O(RATINGS, "ratings", "What a match did to two ratings.")              \
	O(RATED, "rated", "What a match did to a rating.")                     \
	O(FOLLOWED, "followed", "What player.watch answers.")                  \
	O(PLAYER_RATINGS, "player_ratings", "What rating.get answers.")        \
	O(RATING, "rating", "How strong a player is at something.")            \
	O(RATING_HISTORY, "rating_history", "What rating.history answers.")    \
	O(RATING_STEP, "rating_step", "A match that changed a rating.")        \
	O(LEADERBOARD, "leaderboard", "What rating.leaderboard answers.")      \
	O(LEADER, "leader", "A player in a leaderboard.")                      \
	O(PRESENCE, "presence", "Whether a player is there.")                  \
	O(REMATCH, "rematch", "Who wants another match after one.")            \
	O(RECORD, "record", "What record.get answers.")                        \
	O(RECORD_LIST, "record_list", "What record.list answers.")             \
	O(RECORD_LINE, "record_line", "A match that has ended, in a list.")    \
	O(CLOSING, "closing", "Why the connection is closed.")                 \
	ACCOUNT_OBJECTS(O)                                                     \
	CHAT_OBJECTS(O)                                                        \
	MEETING_OBJECTS(O)                                                     \
	TOURNAMENT_OBJECTS(O)                                                  \
	ADMIN_OBJECTS(O)

/* P(name, type, doc). A type is
 * str, int, bool, id, hex   as they say (hex: a str of lower-case digits);
 * map, any                  free: the doc says what is in it;
 * a|b|c                     one of these strs;
 * the name of an object; [type], an array of them;
 * and a ? at its end: the key may be missing, or its value nil. */
#define NOTHING_FIELDS(P)

#define SEQ_FIELDS(P) P(seq, "int", "`seq` of the event that this caused.")

#define WELCOME_FIELDS(P)                                                      \
	P(protocol, "int", "1.")                                               \
	P(server, "str", "Name of the server program, `plyd`.")                \
	P(version, "str", "Its version.")                                      \
	P(player, "player", "You.")                                            \
	P(session, "int", "Number of this session among yours.")               \
	P(token, "hex",                                                        \
	  "Secret, 32 bytes: resumes this session on another connection. The " \
	  "token before it stays valid until this one was used.")              \
	P(resumed, "bool", "Whether a session was resumed.")                   \
	P(features, "[str]", "What this server can do beyond protocol 1.")     \
	P(limits, "limits", "What the server accepts.")                        \
	P(cooling_ms, "int",                                                   \
	  "You have left matches: so long you may not join what is rated or "  \
	  "quick.")                                                            \
	P(lobbies, "[id]", "Lobbies that you sit in.")                         \
	P(invitations, "[id]", "Lobbies to which you are invited.")            \
	P(seeks, "[seek]",                                                     \
	  "Your seeks, challenges by you, challenges to you.")                 \
	P(quick, "quick", "Whether you wait for a quick match.")               \
	P(bot, "bot_policy?", "If you are a bot, what you take.")              \
	P(matches, "[id]",                                                     \
	  "Matches that you play and that are not over; ask match.watch for "  \
	  "each to go on.")

#define PLAYER_FIELDS(P)                                                       \
	P(id, "id?", "Its id; nil for a personality.")                         \
	P(name, "str", "Its name.")                                            \
	P(kind, "person|bot|personality", "What decides its moves.")

#define LIMITS_FIELDS(P)                                                       \
	P(message_bytes, "int", "Bytes of a request.")                         \
	P(message_elements, "int",                                             \
	  "Items of arrays, keys and values of maps in a request.")            \
	P(message_depth, "int", "Arrays and maps in one another.")             \
	P(answer_bytes, "int", "The longest message that the server sends.")   \
	P(lobbies, "int", "Lobbies you may sit in at a time.")                 \
	P(matches, "int", "Matches you may play at a time.")                   \
	P(seeks, "int",                                                        \
	  "Seeks and challenges you may have open at a time; and as many "     \
	  "challenges to you.")                                                \
	P(challenge_keep_ms, "int", "A challenge lapses after so long.")       \
	P(ready_wait_ms, "int",                                                \
	  "In a full lobby, the seat of one who is not ready is freed after "  \
	  "so long.")                                                          \
	P(lobby_away_ms, "int",                                                \
	  "Who is away for so long loses his lobby seats, seeks, challenges "  \
	  "and his place in the queue.")                                       \
	P(list_shown, "int", "Entries of a page of a list.")                   \
	P(watches, "int", "Matches you may watch at a time.")                  \
	P(requests_per_s, "int",                                               \
	  "Requests a second, in the long run. An answer counts as one more "  \
	  "for each whole 16 KiB of it.")                                      \
	P(requests_burst, "int", "Requests at once after a pause.")            \
	P(idle_ms, "int",                                                      \
	  "A connection from which no message comes for so long is closed.")   \
	P(legal_moves, "int", "Moves that `legal_moves` shows at most.")       \
	P(plies, "int", "A match of so many half-moves is a draw.")            \
	P(chat_chars, "int", "Characters of a line of chat.")                  \
	P(chat_burst, "int", "Lines of chat at once after a pause.")           \
	P(chat_line_ms, "int",                                                 \
	  "In the long run, the time from one line of yours to the next.")     \
	P(blocks, "int", "Players whom you may block.")                        \
	P(reports_per_day, "int", "Reports that you may send in a day.")       \
	P(match_length, "int", "Points of the longest match of games.")

#define SERVER_INFO_FIELDS(P)                                                  \
	P(server, "str", "Name of the server program, `plyd`.")                \
	P(version, "str", "Its version.")                                      \
	P(uptime_ms, "int", "Time since it was started.")                      \
	P(players, "int", "Sessions that are connected.")                      \
	P(lobbies, "int", "Lobbies that are open.")                            \
	P(matches, "int", "Matches that are not over.")                        \
	P(limits, "limits", "What it accepts.")

#define RULES_LIST_FIELDS(P)                                                   \
	P(rulesets, "[ruleset]", "All rulesets.")                              \
	P(personalities, "[personality]", "All personalities.")

#define RULESET_FIELDS(P)                                                      \
	P(name, "str", "What `ruleset` parameters take.")                      \
	P(about, "str?", "A sentence about it, by who wrote its file.")        \
	P(family, "draughts|backgammon", "The kind of game.")                  \
	P(options, "map", "Each option of the family with its value, strs.")   \
	P(person, "white|black", "Side of a person against a personality.")    \
	P(first, "white|black|roll",                                           \
	  "Who begins; `roll`: an opening throw decides.")                     \
	P(draw_by_agreement, "bool", "Whether a draw may be agreed.")          \
	P(no_progress, "int",                                                  \
	  "Half-moves without capture or promotion that make a draw; 0 "       \
	  "never.")                                                            \
	P(repetition, "int",                                                   \
	  "Times the same position with the same side to move makes a draw; "  \
	  "0 never.")                                                          \
	P(clock, "time", "The clock if lobby.create asks for none.")           \
	P(clocks, "clock_limits", "The clocks that it may ask for.")           \
	P(takeback, "bool",                                                    \
	  "Whether a move may be taken back by consent, if unrated.")          \
	P(version, "str?", "Version of its file, if it has one.")              \
	P(policy, "str?", "Its draw policy, if that has a version.")           \
	P(policy_version, "str?", "Version of the policy's file.")

#define CLOCK_RULES_FIELDS(P)                                                  \
	P(kind, "fischer|unlimited|delay|bronstein|per_move",                  \
	  "`fischer`: `increment_ms` is added after each move. `delay`: the "  \
	  "first `delay_ms` of a turn are free. `bronstein`: after each move " \
	  "the time used comes back, `delay_ms` at most. `per_move`: "         \
	  "`base_ms` for every move and nothing is saved up. `unlimited`: no " \
	  "clock.")                                                            \
	P(base_ms, "int",                                                      \
	  "Time of each side at first; `per_move`: for each "                  \
	  "move.")                                                             \
	P(increment_ms, "int", "`fischer`; else 0.")                           \
	P(delay_ms, "int", "`delay` and `bronstein`; else 0.")                 \
	P(unlimited, "bool", "True: no clock; all times are 0.")

#define TIME_FIELDS(P) CLOCK_RULES_FIELDS(P)

#define CLOCK_LIMITS_FIELDS(P)                                                 \
	P(kinds, "[str]", "Kinds that are allowed.")                           \
	P(base_ms_min, "int", "`base_ms`, but of `per_move`.")                 \
	P(base_ms_max, "int", "`base_ms`, but of `per_move`.")                 \
	P(increment_ms_max, "int", "`increment_ms` of `fischer`.")             \
	P(delay_ms_max, "int", "`delay_ms`.")                                  \
	P(move_ms_min, "int", "`base_ms` of `per_move`.")                      \
	P(move_ms_max, "int", "`base_ms` of `per_move`.")

#define PERSONALITY_FIELDS(P)                                                  \
	P(name, "str", "What `personality` takes.")                            \
	P(about, "str", "How it plays.")                                       \
	P(rulesets, "[str]?", "Rulesets it plays; not there if it plays all.") \
	P(version, "str?", "Version of its file, if it has one.")

#define RULES_MOVES_FIELDS(P)                                                  \
	P(position, "str", "The position in canonical text.")                  \
	P(turn, "white|black", "The side to move.")                            \
	P(moves, "[choice]",                                                   \
	  "Legal moves sorted by text; empty if the turn must be passed or "   \
	  "the game is lost.")                                                 \
	P(total, "int", "Legal moves there are; `moves` may show fewer.")

#define CHOICE_FIELDS(P)                                                       \
	P(move, "str", "Canonical text.")                                      \
	P(position, "str", "The position after it.")

#define RULES_CHECK_FIELDS(P)                                                  \
	P(legal, "bool", "Whether the move is legal.")                         \
	P(move, "str?", "Its canonical text, if legal.")                       \
	P(position, "str?", "The position after it, if legal.")                \
	P(reason, "str?", "Stable name of the rule broken.")                   \
	P(at, "at?", "Where it was broken.")                                   \
	P(text, "str?", "The rule broken, in a sentence.")                     \
	P(detail, "str?", "What in this position broke it.")                   \
	P(legal_moves, "[str]?", "What was legal.")                            \
	P(legal_total, "int?", "How many legal moves there are.")

#define AT_FIELDS(P)                                                           \
	P(step, "int", "1 is the first step, jump or hop; 0 the whole text.")  \
	P(from, "str?", "The square or point it leaves.")                      \
	P(to, "str?", "The square or point it goes to.")

#define LOBBY_LIST_FIELDS(P)                                                   \
	P(lobbies, "[lobby]", "Lobbies, the oldest first.")                    \
	P(total, "int",                                                        \
	  "Lobbies of the ruleset, or all; `lobbies` may show fewer.")         \
	P(next, "id?", "Where the next page begins, if there may be one.")

#define LOBBY_FIELDS(P)                                                        \
	P(lobby, "id", "Its id.")                                              \
	P(ruleset, "str", "The rules of its match.")                           \
	P(code, "str?", "What others join it by; only its members see it.")    \
	P(private, "bool", "Whether it is left out of lobby.list.")            \
	P(access, "public|code|invited", "Who may join.")                      \
	P(spectators, "bool", "Whether its match may be watched.")             \
	P(speed, "bullet|blitz|rapid|classical|correspondence",                \
	  "The speed class of its clock.")                                     \
	P(invited, "[player]?", "Who is invited; only its members see it.")    \
	P(opponent, "anyone|person|bot|personality", "Who may join.")          \
	P(personality, "str?", "Which personality plays.")                     \
	P(place, "int?",                                                       \
	  "As many matches with personalities run as may: its place among "    \
	  "those that wait, 1 is the next. It begins by itself.")              \
	P(clock, "time", "The clock of its match.")                            \
	P(rated, "bool", "Whether its match counts for ratings.")              \
	P(spectator_delay_ms, "int", "How late spectators will see it.")       \
	P(match_length, "int?",                                                \
	  "Points that win it, if it is a match of several games.")            \
	P(position, "str?", "Where its match begins, if not at the start.")    \
	P(owner, "id",                                                         \
	  "Who may change it: who made it, and when he has left, who stayed.") \
	P(white, "lobby_seat?", "White's seat; nil while it is free.")         \
	P(black, "lobby_seat?", "Black's seat; nil while it is free.")         \
	P(match, "id?",                                                        \
	  "Its match, in the last message about it: the lobby is gone then.")

#define LOBBY_SEAT_FIELDS(P)                                                   \
	P(player, "id?", "Who sits there; nil for a personality.")             \
	P(name, "str", "His name.")                                            \
	P(kind, "person|bot|personality", "What decides his moves.")           \
	P(ready, "bool", "Whether he is ready.")                               \
	P(online, "bool", "Whether he is here.")

#define LOBBY_CLOSED_FIELDS(P)                                                 \
	P(lobby, "id", "The lobby.")                                           \
	P(reason, "str",                                                       \
	  "`left`: nobody sits in it any more. `kicked`: the owner threw you " \
	  "out. `not_ready`: you were not ready in time. `away`: you were "    \
	  "away too long. `finishing`: you take no new matches. `begun`: its " \
	  "match has begun without you. `displaced`: a guest's invitation "    \
	  "made room for another one.")

#define MATCH_LIST_FIELDS(P)                                                   \
	P(matches, "[match_line]", "Matches, the oldest first.")               \
	P(total, "int",                                                        \
	  "Matches of the ruleset, or all; `matches` may show fewer.")         \
	P(next, "id?", "Where the next page begins, if there may be one.")

#define MATCH_LINE_FIELDS(P)                                                   \
	P(match, "id", "Its id.")                                              \
	P(ruleset, "str", "Its rules.")                                        \
	P(white, "player", "White.")                                           \
	P(black, "player", "Black.")                                           \
	P(ply, "int", "Half-moves played.")                                    \
	P(watchers, "int", "Spectators.")

#define MATCH_FIELDS(P)                                                        \
	P(match, "id", "Its id.")                                              \
	P(seq, "int", "`seq` of the last event that this shows.")              \
	P(state, "nonces|playing|paused|adjourned|over|frozen",                \
	  "`nonces`: the players may send theirs, no clock runs. `paused`: "   \
	  "by agreement, until match.resume. `adjourned`: there is no clock, " \
	  "and nobody is there; whoever comes goes on. `frozen`: stopped by "  \
	  "a "                                                                 \
	  "fault of the server; only its operator can end it, and it is not "  \
	  "rated then.")                                                       \
	P(tournament, "place?", "Where in a tournament it is played.")         \
	P(frozen, "str?",                                                      \
	  "`frozen`: what went wrong; `unreadable`: what was stored of it.")   \
	P(warning, "str?",                                                     \
	  "What the draw policy warned you of, if it was about this "          \
	  "position.")                                                         \
	P(ruleset, "str", "Name of its rules.")                                \
	P(rules, "str", "Family and all options as one line.")                 \
	P(draws, "draws", "When it is drawn without the players.")             \
	P(rated, "bool", "Whether it counts for ratings.")                     \
	P(spectator_delay_ms, "int",                                           \
	  "How late spectators see it. They see clocks as they were at the "   \
	  "last event.")                                                       \
	P(watchers, "int", "Spectators.")                                      \
	P(clock, "clock", "The clock.")                                        \
	P(white, "seat", "White.")                                             \
	P(black, "seat", "Black.")                                             \
	P(you, "white|black|watcher", "What you are in it.")                   \
	P(ply, "int", "Half-moves played; the next move has this number.")     \
	P(turn, "white|black?", "Whose turn it is; nil before and after.")     \
	P(awaits, "move|roll|answer?",                                         \
	  "What his turn is to do: match.move; match.roll or match.double; "   \
	  "match.take or match.drop.")                                         \
	P(stakes, "stakes?", "Backgammon: cube and score.")                    \
	P(start_position, "str", "Where it began.")                            \
	P(position, "str", "The position now, with dice where thrown.")        \
	P(dice, "[int]?", "The dice to play, the larger first.")               \
	P(moves, "[str]",                                                      \
	  "All half-moves played, of all games; `pass` is a pass, and "        \
	  "`double`, `take`, `drop` say themselves; `resigned` is a game "     \
	  "given up that another game followed.")                              \
	P(offer, "white|black?", "Who has a draw offer standing.")             \
	P(takeback, "white|black?", "Who wants to take his last move back.")   \
	P(pause, "white|black?", "Who wants a pause.")                         \
	P(takebacks, "int?", "So often was one taken back; nil: none may be.") \
	P(scripts, "scripts?",                                                 \
	  "Versions of the operator's files that it began with, and keeps.")   \
	P(dice_commitment, "hex?", "SHA-256 of the seed of the dice.")         \
	P(result, "result?", "How it ended.")                                  \
	P(rematch, "rematch?", "After the end, for its players.")              \
	P(legal_moves, "[str]?",                                               \
	  "Legal moves, if it is your turn and a move is awaited.")            \
	P(legal_total, "int?",                                                 \
	  "Legal moves there are; `legal_moves` may show fewer, all of which " \
	  "are legal.")

#define SCRIPTS_FIELDS(P)                                                      \
	P(ruleset, "str", "Of the ruleset.")                                   \
	P(policy, "str", "Name of the draw policy.")                           \
	P(policy_version, "str", "Of the policy.")                             \
	P(white, "str?", "Of White, if it is a personality.")                  \
	P(black, "str?", "Of Black, if it is one.")

#define DRAWS_FIELDS(P)                                                        \
	P(no_progress, "int",                                                  \
	  "Half-moves without capture or promotion; 0 never.")                 \
	P(repetition, "int",                                                   \
	  "Times the same position with the same side to move; 0 never.")      \
	P(offers, "bool", "Whether a draw may be offered at all.")             \
	P(offers_from, "int", "Half-moves before a draw may be offered.")      \
	P(offers_max, "int",                                                   \
	  "Offers of a side until the next progress; 0 without limit.")

#define CLOCK_FIELDS(P)                                                        \
	CLOCK_RULES_FIELDS(P)                                                  \
	P(white_ms, "int", "White's time left when this was written.")         \
	P(black_ms, "int", "Black's time left when this was written.")         \
	P(running, "white|black?", "Whose clock runs.")                        \
	P(free_ms, "int", "The running clock stands still for so long yet.")   \
	P(lag_per_move_ms, "int", "Most that a move is credited for lag.")     \
	P(lag_total_ms, "int", "Most that a side is, in the match.")           \
	P(white_lag_ms, "int", "What White's moves were credited so far.")     \
	P(black_lag_ms, "int", "What Black's moves were.")                     \
	P(lag, "hex?",                                                         \
	  "If you are to move: what match.seen echoes; not there if nothing "  \
	  "would be credited, or is already.")

#define LAG_FIELDS(P)                                                          \
	P(lag_ms, "int", "What of this turn is not charged.")                  \
	P(lag_left_ms, "int", "What your later moves may be credited.")

#define SEAT_FIELDS(P)                                                         \
	P(player, "id?", "Who sits there; nil for a personality.")             \
	P(name, "str", "His name.")                                            \
	P(kind, "person|bot|personality", "What decides his moves.")           \
	P(online, "bool", "Whether he is connected.")                          \
	P(away_ms, "int?", "If he is away: for how long.")                     \
	P(rating, "int?", "His rating when it began, if he has one.")          \
	P(provisional, "bool?", "Whether that is not certain yet.")            \
	P(rating_change, "int?", "What the match did to it, once it did.")

#define RESULT_FIELDS(P)                                                       \
	P(result, "white|black|draw|none",                                     \
	  "Who won; `none`: aborted or adjourned.")                            \
	P(reason, "str", "Stable name of the cause.")                          \
	P(points, "int",                                                       \
	  "Points of the game that ended it: backgammon 1 to 3 times the "     \
	  "cube, else 1; draw 0.")                                             \
	P(white_score, "int?",                                                 \
	  "White's score in a match of several games; missing at 0 to 0.")     \
	P(black_score, "int?", "Black's.")                                     \
	P(text, "str?",                                                        \
	  "Why: `policy` in the words of its script, `operator` in his.")      \
	P(seed, "hex?", "The seed of the dice, to check them.")

#define MOVED_FIELDS(P)                                                        \
	P(ply, "int", "The ply that was played.")                              \
	P(move, "str", "Canonical text of the move.")                          \
	P(seq, "int", "`seq` of its event.")                                   \
	P(duplicate, "bool", "True: it had been played; first answer again.")  \
	P(position, "str", "The position after it.")

#define ACTED_FIELDS(P)                                                        \
	P(ply, "int", "The ply at which it was done.")                         \
	P(seq, "int", "`seq` of its event.")                                   \
	P(duplicate, "bool", "True: it had been done; first answer again.")    \
	P(dice, "[int]?", "match.roll: the dice as they fell.")

#define STAKES_FIELDS(P)                                                       \
	P(length, "int", "Points that win the match; 0: one game.")            \
	P(white, "int", "White's score.")                                      \
	P(black, "int", "Black's score.")                                      \
	P(game, "int", "Number of the game, from 1.")                          \
	P(game_ply, "int", "Half-moves of the games before it.")               \
	P(crawford, "bool", "Whether it is the Crawford game.")                \
	P(cube, "int", "What the cube shows: 1, 2, 4 ...; 0: there is none.")  \
	P(owner, "white|black?", "Whose the cube is; nil: in the middle.")     \
	P(doubled, "white|black?", "Who doubled and waits for the answer.")    \
	P(resign, "resign_offer?", "A resignation that waits for an answer.")

#define RESIGN_OFFER_FIELDS(P)                                                 \
	P(side, "white|black", "Who would resign.")                            \
	P(level, "int", "1 a single game, 2 a gammon.")                        \
	P(points, "int", "What that counts.")                                  \
	P(offer, "int", "What answers to it bind: `seq` of its event.")

#define GAME_RESULT_FIELDS(P)                                                  \
	P(game, "int", "Number of the game.")                                  \
	P(winner, "white|black", "Who won it.")                                \
	P(reason, "str", "Stable name of the cause.")                          \
	P(points, "int", "What it counted, the cube too.")

#define EVENT_FIELDS(P)                                                        \
	P(match, "id", "The match.")                                           \
	P(seq, "int", "1, 2, 3 ... in each match, without holes.")             \
	P(event,                                                               \
	  "begun|nonce|opening_throw|rolled|moved|passed|draw_offered|"        \
	  "draw_declined|rated|ended|doubled|taken|dropped|game_ended|"        \
	  "game_begun|resign_offered|resign_declined|takeback_offered|"        \
	  "takeback_declined|taken_back|pause_offered|pause_declined|paused|"  \
	  "resumed|warned|frozen|clock_adjusted",                              \
	  "What happened. `begun`: the first event. `nonce`: a player gave "   \
	  "his. `opening_throw`: equal dice are thrown again. `rolled`: the "  \
	  "dice of a turn. `moved`, `passed`, `doubled`, `taken`, `dropped`: " \
	  "a half-move. `game_ended`, `game_begun`: between two games of a "   \
	  "match. `frozen`: a fault of the server has stopped it, every "      \
	  "command is refused (`match_frozen`) until its operator ends it. "   \
	  "`rated`: what the end does to the ratings, before it. "             \
	  "`clock_adjusted`: the operator gave `side` time, or took it. "      \
	  "`ended`: the last event.")                                          \
	P(ply, "int", "Half-moves played before it.")                          \
	P(to_ply, "int?",                                                      \
	  "`takeback_offered`, `taken_back`: half-moves that stay in force; "  \
	  "the next move has this number.")                                    \
	P(side, "white|black?", "Who did it.")                                 \
	P(move, "str?", "`moved`: canonical text.")                            \
	P(dice, "[int]?",                                                      \
	  "`rolled`: the two dice as they fell. `opening_throw`: White's, "    \
	  "then Black's.")                                                     \
	P(nonce, "hex?", "`nonce`: what the player gave.")                     \
	P(position, "str?",                                                    \
	  "The position after it. This and the next four are in the last "     \
	  "event of a half-move only: a move that is followed by its "         \
	  "opponent's roll leaves them to the event `rolled`.")                \
	P(turn, "white|black?", "The side to move after it.")                  \
	P(white_ms, "int?", "White's time left.")                              \
	P(black_ms, "int?", "Black's time left.")                              \
	P(free_ms, "int?",                                                     \
	  "The clock of the side to move stands still for so long when it is " \
	  "started.")                                                          \
	P(lag, "hex?",                                                         \
	  "What match.seen of the side to move echoes; not there if nothing "  \
	  "would be credited.")                                                \
	P(thought_ms, "int?", "What the turn that ends with it was charged.")  \
	P(lag_ms, "int?", "With `thought_ms`: what was not, for lag.")         \
	P(text, "str?",                                                        \
	  "`warned`: what the draw policy tells both players. `frozen`: what " \
	  "happens next. `clock_adjusted`: why, or empty.")                    \
	P(add_ms, "int?", "`clock_adjusted`: below zero: it was taken.")       \
	P(ratings, "ratings?", "`rated`: of both sides.")                      \
	P(reason, "str?", "`frozen`: what went wrong.")                        \
	P(result, "result?", "`ended`: how.")                                  \
	P(awaits, "move|roll|answer?", "As in `match`; with `position`.")      \
	P(game, "int?", "`game_begun`: its number.")                           \
	P(game_result, "game_result?", "`game_ended`: how.")                   \
	P(level, "int?", "`resign_offered`: 1 a single game, 2 a gammon.")     \
	P(stakes, "stakes?", "Backgammon, with `position`: cube and score.")   \
	P(head, "hex?", "`ended`: the head of the record's hash chain.")

#define RATINGS_FIELDS(P)                                                      \
	P(white, "rated", "White's.")                                          \
	P(black, "rated", "Black's.")

#define RATED_FIELDS(P)                                                        \
	P(before, "int", "Rating before.")                                     \
	P(after, "int", "Rating after.")                                       \
	P(provisional, "bool", "Whether it is not certain yet.")

#define FOLLOWED_FIELDS(P)                                                     \
	P(player, "player", "Who is followed.")                                \
	P(online, "bool", "Whether he is connected.")                          \
	P(matches, "[id]",                                                     \
	  "What he plays now. `match.snapshot` comes for each that you watch " \
	  "now and did not before.")

#define SPEED_TYPE "bullet|blitz|rapid|classical|correspondence"

#define PLAYER_RATINGS_FIELDS(P)                                               \
	P(player, "player", "Whose.")                                          \
	P(ratings, "[rating]", "His ratings, the oldest first.")               \
	P(total, "int", "How many there are; `ratings` may show fewer.")

#define RATING_FIELDS(P)                                                       \
	P(ruleset, "str", "Of which ruleset.")                                 \
	P(speed, SPEED_TYPE, "Of which speed class.")                          \
	P(pool, "people|bots", "Of which pool.")                               \
	P(rating, "int", "Points; a beginner has 1500.")                       \
	P(deviation, "int",                                                    \
	  "How uncertain that is: two in three would be within it, 19 in 20 "  \
	  "within twice it. It grows by the day.")                             \
	P(provisional, "bool", "Whether that is over 110.")                    \
	P(games, "int", "Rated matches.")

#define RATING_HISTORY_FIELDS(P)                                               \
	P(player, "player", "Whose.")                                          \
	P(games, "int", "Rated matches in all.")                               \
	P(matches, "[rating_step]", "The last 20 of them, the latest first.")

#define RATING_STEP_FIELDS(P)                                                  \
	P(match, "id", "The match.")                                           \
	P(opponent, "id?",                                                     \
	  "Whom he played; not there if he has deleted his account.")          \
	P(at, "int", "When it ended: Unix time in ms.")                        \
	P(result, "win|draw|loss", "How, for him.")                            \
	P(before, "int", "Rating before.")                                     \
	P(after, "int", "Rating after.")                                       \
	P(provisional, "bool", "Whether it was not certain then.")

#define LEADERBOARD_FIELDS(P)                                                  \
	P(players, "[leader]", "The best first.")                              \
	P(total, "int",                                                        \
	  "Players who are on it; those who have not played for long may "     \
	  "still be counted.")

#define LEADER_FIELDS(P)                                                       \
	P(player, "player", "Who.")                                            \
	P(rating, "int", "Points.")                                            \
	P(deviation, "int", "How uncertain that is.")                          \
	P(games, "int", "Rated matches.")

#define PRESENCE_FIELDS(P)                                                     \
	P(match, "id", "The match.")                                           \
	P(side, "white|black", "Whose player it is.")                          \
	P(online, "bool", "Whether he is connected.")                          \
	P(state, "str", "What the match is now, as in `match`.")               \
	P(claim_in_ms, "int?",                                                 \
	  "If he stays away for so long, match.claim is open to you.")

#define REMATCH_FIELDS(P)                                                      \
	P(match, "id", "The match that is over.")                              \
	P(white, "bool", "Whether he who was White wants one.")                \
	P(black, "bool", "Whether he who was Black wants one.")                \
	P(lapses_in_ms, "int?",                                                \
	  "So long the wish stands; nil: there is none.")                      \
	P(next, "id?", "The new match, once it has begun.")

#define RECORD_LIST_FIELDS(P)                                                  \
	P(records, "[record_line]", "At most 50, the newest first.")           \
	P(more, "bool", "Whether older ones follow.")

#define RECORD_LINE_FIELDS(P)                                                  \
	P(match, "id", "Its id.")                                              \
	P(row, "int", "Its place among all, for `before`.")                    \
	P(ruleset, "str", "Its rules.")                                        \
	P(white, "player",                                                     \
	  "White, as he was called then; `deleted` and without id, if he has " \
	  "deleted his account.")                                              \
	P(black, "player", "Black.")                                           \
	P(result, "white|black|draw|none", "Who won; `none`: aborted.")        \
	P(reason, "str", "Stable name of the cause.")                          \
	P(points, "int", "As in a result.")                                    \
	P(white_score, "int?",                                                 \
	  "White's score in a match of several games; missing at 0 to 0.")     \
	P(black_score, "int?", "Black's.")                                     \
	P(ply, "int", "Half-moves played.")                                    \
	P(rated, "bool", "Whether it counted for ratings.")                    \
	P(began_unix_ms, "int", "When it began, in ms since 1970.")            \
	P(ended_unix_ms, "int", "When it ended.")

#define RECORD_FIELDS(P)                                                       \
	P(match, "id", "The match.")                                           \
	P(head, "hex",                                                         \
	  "Last hash of the chain: SHA-256 of the one before "                 \
	  "followed by the bytes of the fact.")                                \
	P(facts, "[hex]", "The bytes of every fact, in order.")                \
	P(begun_hash, "hex?",                                                  \
	  "There if a player has deleted his account. The first fact is then " \
	  "shown without his name and id, and this is the hash of the chain "  \
	  "after it.")                                                         \
	P(events, "[event]?",                                                  \
	  "The same as events; missing in a record of over 2000 facts, and "   \
	  "in "                                                                \
	  "one that is not whole.")

#define CLOSING_FIELDS(P)                                                      \
	P(code, "int", "Code of an error.")                                    \
	P(name, "str", "Its name.")                                            \
	P(message, "str", "A sentence for a person.")                          \
	P(details, "map",                                                      \
	  "As in an error. `shutting_down`: `reason` is `stop` or `upgrade`, " \
	  "and `retry_after_ms` says when to come back.")

enum object {
#define O(UPPER, name, doc) OBJECT_##UPPER,
	OBJECTS(O) OBJECT_COUNT
#undef O
};

struct object_field {
	const char *name;
	const char *type;
	const char *doc;
};

struct object_info {
	const char *name;
	const char *doc;
	const struct object_field *field;
	size_t fields;
};

const struct object_info *object_info(enum object o);
/* By its name in a type; NULL: there is none. */
const struct object_info *object_find(const char *name, size_t len);

#endif
