/* SPDX-License-Identifier: MIT
 * methods.h - protocol 1: the ONE table of methods with their parameters, and
 * of notifications. The structs and decoders below, dispatch in session and
 * docs/protocol.md come from it. What answers and notifications hold is in
 * objects.h.
 *
 * To add a method: one M line, its NAME_PARAMS and, unless an object of
 * objects.h fits, its result there. Ids are for ever. */
#ifndef PLYD_PROTO_METHODS_H
#define PLYD_PROTO_METHODS_H

#include "base/buf.h"
#include "base/id.h"
#include "proto/methods_account.h"
#include "proto/methods_admin.h"
#include "proto/methods_chat.h"
#include "proto/methods_meeting.h"
#include "proto/methods_tournament.h"
#include "proto/objects.h"
#include "proto/read.h"

enum { PROTOCOL_VERSION = 1 };

/* M(id, UPPER, name, "wire name", state, order, RESULT, doc)
 * state: NEW, only before hello was answered; READY, only after; OPERATOR, only
 * on the operator's socket.
 * order: VOLATILE, answered at once and so perhaps before older requests;
 * ORDERED, answered from domain state, after the commit that covers it.
 * RESULT: an object of objects.h. */
#define METHODS(M)                                                             \
	M(1, HELLO, hello, "hello", NEW, ORDERED, WELCOME,                     \
	  "Must be the first request. Without more, it begins the session of " \
	  "a guest; with `login` and `password`, or with `bot_token`, a new "  \
	  "session of an account; with `token` it resumes a session: then "    \
	  "its older connection is closed, and matches go on where they are. " \
	  "An unknown login and a wrong password both get `bad_login`.")       \
	M(2, PING, ping, "ping", READY, VOLATILE, NOTHING,                     \
	  "Does nothing; keeps an idle connection open.")                      \
	M(3, SERVER_INFO, server_info, "server.info", READY, VOLATILE,         \
	  SERVER_INFO, "Says what the server is and how busy it is.")          \
	M(10, RULES_LIST, rules_list, "rules.list", READY, VOLATILE,           \
	  RULES_LIST, "Lists rulesets and personalities.")                     \
	M(11, RULES_MOVES, rules_moves, "rules.moves", READY, VOLATILE,        \
	  RULES_MOVES, "Lists the legal moves of any position.")               \
	M(12, RULES_CHECK, rules_check, "rules.check", READY, VOLATILE,        \
	  RULES_CHECK,                                                         \
	  "Judges a move in any position. An illegal move is an answer here, " \
	  "not an error.")                                                     \
	M(20, LOBBY_LIST, lobby_list, "lobby.list", READY, ORDERED,            \
	  LOBBY_LIST, "Lists the public lobbies that wait for a player.")      \
	M(21, LOBBY_CREATE, lobby_create, "lobby.create", READY, ORDERED,      \
	  LOBBY,                                                               \
	  "Opens a lobby and takes a seat in it. The match begins when both "  \
	  "seats are taken and ready; a personality always is.")               \
	M(22, LOBBY_JOIN, lobby_join, "lobby.join", READY, ORDERED, LOBBY,     \
	  "Takes the free seat of a lobby, by `lobby` if it is public or by "  \
	  "`code`. Just one of the two must be given.")                        \
	M(23, LOBBY_GET, lobby_get, "lobby.get", READY, ORDERED, LOBBY,        \
	  "Shows one lobby.")                                                  \
	M(24, LOBBY_LEAVE, lobby_leave, "lobby.leave", READY, ORDERED,         \
	  NOTHING, "Gives up a seat. A lobby without a player is closed.")     \
	M(25, LOBBY_READY, lobby_ready, "lobby.ready", READY, ORDERED, LOBBY,  \
	  "Says whether you are ready to begin.")                              \
	MEETING_METHODS(M)                                                     \
	TOURNAMENT_METHODS(M)                                                  \
	M(30, MATCH_LIST, match_list, "match.list", READY, ORDERED,            \
	  MATCH_LIST, "Lists the matches that are being played.")              \
	M(31, MATCH_GET, match_get, "match.get", READY, ORDERED, MATCH,        \
	  "Shows a match as it stands, once.")                                 \
	M(32, MATCH_WATCH, match_watch, "match.watch", READY, ORDERED, MATCH,  \
	  "Shows a match as it stands, and every event after it: the first "   \
	  "has the `seq` of the answer plus one. A player takes his seat "     \
	  "over to this session.")                                             \
	M(33, MATCH_UNWATCH, match_unwatch, "match.unwatch", READY, ORDERED,   \
	  NOTHING, "Ends the events of a match.")                              \
	M(34, MATCH_NONCE, match_nonce, "match.nonce", READY, ORDERED,         \
	  NOTHING,                                                             \
	  "Gives your share of the dice, after `dice_commitment` was "         \
	  "published and before the first roll. Needs state `nonces`.")        \
	M(35, MATCH_MOVE, match_move, "match.move", READY, ORDERED, MOVED,     \
	  "Plays a whole turn. The same move for the same ply again gets the " \
	  "first answer with `duplicate` true and is not played twice.")       \
	M(36, MATCH_RESIGN, match_resign, "match.resign", READY, ORDERED, SEQ, \
	  "Loses the match, or one game of several, or offers to.")            \
	M(37, MATCH_OFFER_DRAW, match_offer_draw, "match.offer_draw", READY,   \
	  ORDERED, SEQ,                                                        \
	  "Offers a draw. It stands until it is answered or the opponent "     \
	  "moves; an offer that meets an offer agrees.")                       \
	M(38, MATCH_ACCEPT_DRAW, match_accept_draw, "match.accept_draw",       \
	  READY, ORDERED, SEQ, "Accepts the offer: the match is drawn.")       \
	M(39, MATCH_DECLINE_DRAW, match_decline_draw, "match.decline_draw",    \
	  READY, ORDERED, SEQ, "Declines the offer.")                          \
	M(40, MATCH_ABORT, match_abort, "match.abort", READY, ORDERED, SEQ,    \
	  "Ends a match without a result while fewer than two plies are "      \
	  "played.")                                                           \
	M(41, MATCH_CLAIM, match_claim, "match.claim", READY, ORDERED, SEQ,    \
	  "Ends a match whose opponent has left and stayed away longer than "  \
	  "the grace that `match.presence` tells.")                            \
	M(70, MATCH_ROLL, match_roll, "match.roll", READY, ORDERED, ACTED,     \
	  "Throws the dice, where you might double instead; elsewhere the "    \
	  "server throws at once. Again for the same ply it throws no more "   \
	  "and gets the first answer with `duplicate` true; so do the next "   \
	  "three methods.")                                                    \
	M(71, MATCH_DOUBLE, match_double, "match.double", READY, ORDERED,      \
	  ACTED, "Offers the cube, before your throw. It is a half-move.")     \
	M(72, MATCH_TAKE, match_take, "match.take", READY, ORDERED, ACTED,     \
	  "Takes a double: the game counts twice as much, the cube is yours, " \
	  "and your opponent throws. It is a half-move.")                      \
	M(73, MATCH_DROP, match_drop, "match.drop", READY, ORDERED, ACTED,     \
	  "Drops a double: the game is lost for what the cube showed "         \
	  "before. It is a half-move.")                                        \
	M(74, MATCH_ACCEPT_RESIGN, match_accept_resign, "match.accept_resign", \
	  READY, ORDERED, SEQ,                                                 \
	  "Accepts a resignation: the game is won for what was offered.")      \
	M(75, MATCH_DECLINE_RESIGN, match_decline_resign,                      \
	  "match.decline_resign", READY, ORDERED, SEQ,                         \
	  "Declines a resignation: the game goes on.")                         \
	M(80, MATCH_TAKEBACK_OFFER, match_takeback_offer,                      \
	  "match.takeback_offer", READY, ORDERED, SEQ,                         \
	  "Asks to take your last half-move back, and the answer to it. Once " \
	  "between two half-moves; it stands until it is answered or "         \
	  "somebody moves. A personality always agrees. With dice, and in "    \
	  "rated matches, nothing is taken back.")                             \
	M(81, MATCH_TAKEBACK_ACCEPT, match_takeback_accept,                    \
	  "match.takeback_accept", READY, ORDERED, SEQ,                        \
	  "Agrees: the position, the counts for draws and `ply` are again as " \
	  "they were. Time that was used stays used, and a draw offer "        \
	  "lapses.")                                                           \
	M(82, MATCH_TAKEBACK_DECLINE, match_takeback_decline,                  \
	  "match.takeback_decline", READY, ORDERED, SEQ, "Does not agree.")    \
	M(83, MATCH_REMATCH, match_rematch, "match.rematch", READY, ORDERED,   \
	  REMATCH,                                                             \
	  "Asks for another match of a finished one, with sides swapped and "  \
	  "all else the same. It begins when both want it, or at once "        \
	  "against a personality. However often it is asked for, one match "   \
	  "becomes one: later requests show it again. A wish lapses after "    \
	  "`lapses_in_ms`, does not count while its player is away, and does " \
	  "not outlive a restart of the server (`no_such_match`).")            \
	M(84, MATCH_REMATCH_DECLINE, match_rematch_decline,                    \
	  "match.rematch_decline", READY, ORDERED, REMATCH,                    \
	  "Does not want one, or not any more.")                               \
	M(140, MATCH_SEEN, match_seen, "match.seen", READY, ORDERED, LAG,      \
	  "Echoes `lag` of the turn that begins, at once, so that the way of " \
	  "messages is not charged. It does nothing else.")                    \
	M(85, MATCH_PAUSE_OFFER, match_pause_offer, "match.pause_offer",       \
	  READY, ORDERED, SEQ,                                                 \
	  "Asks for a pause of a match with a clock, once at a half-move. It " \
	  "stands until it is answered or a half-move is played; requests "    \
	  "that cross agree, and a personality always does.")                  \
	M(86, MATCH_PAUSE_ACCEPT, match_pause_accept, "match.pause_accept",    \
	  READY, ORDERED, SEQ,                                                 \
	  "Agrees: no clock runs, and offers lapse, until match.resume; also " \
	  "if somebody leaves and comes back. Nobody can claim meanwhile.")    \
	M(87, MATCH_PAUSE_DECLINE, match_pause_decline, "match.pause_decline", \
	  READY, ORDERED, SEQ, "Does not agree.")                              \
	M(88, MATCH_RESUME, match_resume, "match.resume", READY, ORDERED, SEQ, \
	  "Ends a pause, for either player. The turn goes on with the time "   \
	  "that it had used.")                                                 \
	M(89, MATCH_LEAVE, match_leave, "match.leave", READY, ORDERED, SEQ,    \
	  "Leaves for good: aborts before two half-moves, and that counts "    \
	  "for `cooling_down`; else resigns the match.")                       \
	M(50, RECORD_GET, record_get, "record.get", READY, ORDERED, RECORD,    \
	  "Gives the record of a finished match, for anyone to verify.")       \
	M(230, RECORD_LIST, record_list, "record.list", READY, ORDERED,        \
	  RECORD_LIST,                                                         \
	  "Lists the matches that you played and that have ended, the newest " \
	  "first, 50 at a time. record.get has each of them.")                 \
	ACCOUNT_METHODS(M)                                                     \
	CHAT_METHODS(M)                                                        \
	ADMIN_METHODS(M)                                                       \
	M(135, PLAYER_WATCH, player_watch, "player.watch", READY, ORDERED,     \
	  FOLLOWED,                                                            \
	  "Watches whatever a player plays now and from now on: each match "   \
	  "comes as `match.snapshot`, then its events. match.unwatch ends "    \
	  "one match.")                                                        \
	M(136, PLAYER_UNWATCH, player_unwatch, "player.unwatch", READY,        \
	  ORDERED, NOTHING,                                                    \
	  "Watches no further matches of a player; those that are watched "    \
	  "stay so.")                                                          \
	M(125, RATING_GET, rating_get, "rating.get", READY, ORDERED,           \
	  PLAYER_RATINGS, "Shows the ratings of a player as they are now.")    \
	M(126, RATING_HISTORY, rating_history, "rating.history", READY,        \
	  ORDERED, RATING_HISTORY,                                             \
	  "Shows the last matches that changed a rating.")                     \
	M(127, RATING_LEADERBOARD, rating_leaderboard, "rating.leaderboard",   \
	  READY, ORDERED, LEADERBOARD,                                         \
	  "Lists the best players of a ruleset at a speed. Provisional "       \
	  "ratings are left out.")

/* ---- parameters -------------------------------------------------------- */

enum {
	NAME_CHARS_MIN = 2,
	NAME_CHARS_MAX = 20,
	CLIENT_CHARS_MAX = 64,
	RULESET_CHARS_MAX = 24,
	PERSONALITY_CHARS_MAX = 24,
	POSITION_CHARS_MAX = 256,
	/* rules.check may be asked about any nonsense */
	ANY_MOVE_CHARS_MAX = 128,
	MOVE_CHARS_MAX = 64,
	CODE_CHARS_MAX = 16,
	KEY_CHARS_MAX = 32,
	TOKEN_BYTES = 32,
	NONCE_BYTES_MAX = 32,
	LAG_BYTES = 8,
	INCREMENT_MS_MAX = 60 * 60 * 1000,
	DELAY_MS_MAX = 60 * 60 * 1000,
	PLY_MAX = 4096,
	MATCH_LENGTH_MAX = 64,
	RESIGN_LEVEL_MAX = 3,
	GAME_MAX = 127, /* of a match to 64 */
	SEQ_MAX = 1000000,
	LEADERS_MAX = 100,
	SPECTATOR_DELAY_MAX = 900000
};
#define BASE_MS_MAX INT64_C(2592000000) /* 30 days, for one move */

/* F(kind, name, need, min, max, doc); need is REQ or OPT. Kinds:
 * str      text of min..max characters without NUL
 * id       a player's, lobby's or match's id; min, max are 0
 * int      min..max
 * version  the int min; another is PLYD_EPROTOCOL
 * flag     a bool; min, max are 0
 * hex      lower-case hex of min..max bytes, 32 at most
 * choice   one word of the list that min names; max is 0 */
#define HELLO_PARAMS(F)                                                        \
	F(version, protocol, REQ, PROTOCOL_VERSION, 0,                         \
	  "Version of this protocol.")                                         \
	F(str, name, OPT, NAME_CHARS_MIN, NAME_CHARS_MAX,                      \
	  "How others see you: letters, digits, `-`, `_` and single spaces. "  \
	  "Without it the server makes one up.")                               \
	F(str, client, OPT, 1, CLIENT_CHARS_MAX,                               \
	  "Name and version of your program, for the operator's log.")         \
	F(flag, bot, OPT, 0, 0, "True if a program decides the moves.")        \
	F(hex, token, OPT, TOKEN_BYTES, TOKEN_BYTES,                           \
	  "Token of the session to resume, from the last answer to hello. "    \
	  "A wrong one is an error and changes nothing.")                      \
	LOGIN_PARAM(F, OPT, "Login of the account; needs `password`.")         \
	PASSWORD_PARAM(F, password, OPT, "Its password, 8 to 128 bytes.")      \
	F(hex, bot_token, OPT, BOT_TOKEN_BYTES, BOT_TOKEN_BYTES,               \
	  "Token of a bot, from the operator.")

#define PING_PARAMS(F)
#define SERVER_INFO_PARAMS(F)
#define RULES_LIST_PARAMS(F)

#define RULESET_PARAM(F, need)                                                 \
	F(str, ruleset, need, 1, RULESET_CHARS_MAX,                            \
	  "Name of a ruleset, from rules.list.")
#define POSITION_PARAM(F)                                                      \
	F(str, position, OPT, 1, POSITION_CHARS_MAX,                           \
	  "Position text: PDN FEN for draughts, XGID with dice for "           \
	  "backgammon. Without it the start.")

#define RULES_MOVES_PARAMS(F)                                                  \
	RULESET_PARAM(F, REQ)                                                  \
	POSITION_PARAM(F)

#define RULES_CHECK_PARAMS(F)                                                  \
	RULESET_PARAM(F, REQ)                                                  \
	F(str, move, REQ, 1, ANY_MOVE_CHARS_MAX, "The move to judge.")         \
	POSITION_PARAM(F)

#define LIST_PARAMS(F)                                                         \
	RULESET_PARAM(F, OPT)                                                  \
	F(choice, speed, OPT, speed, 0, "Only of this speed class.")           \
	F(flag, rated, OPT, 0, 0, "Only rated ones, or only unrated ones.")
#define AFTER_PARAM(F)                                                         \
	F(id, after, OPT, 0, 0,                                                \
	  "`next` of the page before; if that has gone meanwhile, the list "   \
	  "begins again.")
#define JOINABLE_PARAM(F)                                                      \
	F(flag, joinable, OPT, 0, 0, "True: only those that admit you.")

#define LOBBY_LIST_PARAMS(F)                                                   \
	LIST_PARAMS(F)                                                         \
	JOINABLE_PARAM(F)                                                      \
	AFTER_PARAM(F)

#define SIDE_PARAM(F)                                                          \
	F(choice, side, OPT, wish, 0,                                          \
	  "The side you want. Without it, or with `any`, the server decides.")

/* A clock as it is asked for. */
#define CLOCK_PARAMS(F)                                                        \
	F(choice, clock, OPT, clock_choice, 0,                                 \
	  "Kind of the clock, see `time`; without it that of the ruleset.")    \
	F(int, base_ms, OPT, 0, BASE_MS_MAX,                                   \
	  "Time of each side at first; of `per_move` for each move.")          \
	F(int, increment_ms, OPT, 0, INCREMENT_MS_MAX,                         \
	  "Time added after each of its moves, `fischer` only.")               \
	F(int, delay_ms, OPT, 0, DELAY_MS_MAX,                                 \
	  "Free time of each turn, `delay` and `bronstein` only.")             \
	F(flag, unlimited, OPT, 0, 0, "True: no clock, as `clock` says it.")

#define LENGTH_PARAM(F)                                                        \
	F(int, match_length, OPT, 1, MATCH_LENGTH_MAX,                         \
	  "Points that win the match, where the ruleset is a match of "        \
	  "several games; without it the ruleset's.")

#define LOBBY_CREATE_PARAMS(F)                                                 \
	RULESET_PARAM(F, REQ)                                                  \
	SIDE_PARAM(F)                                                          \
	F(choice, opponent, OPT, opponent, 0,                                  \
	  "Whom you want to play. If it is not there: `personality` if you "   \
	  "name one, else `anyone`.")                                          \
	F(str, personality, OPT, 1, PERSONALITY_CHARS_MAX,                     \
	  "Which personality, with opponent `personality`.")                   \
	F(flag, private, OPT, 0, 0, "True: the same as access `code`.")        \
	F(choice, access, OPT, access, 0,                                      \
	  "Who may join: anyone (`public`, listed), who has its code, or who " \
	  "was invited. Without it `public`.")                                 \
	F(flag, spectators, OPT, 0, 0,                                         \
	  "False: nobody watches the match while it is played; its record is " \
	  "public. True if not there.")                                        \
	CLOCK_PARAMS(F)                                                        \
	LENGTH_PARAM(F)                                                        \
	F(flag, ready, OPT, 0, 0,                                              \
	  "Whether you are ready already; false if not there.")                \
	F(flag, rated, OPT, 0, 0,                                              \
	  "True: the match counts for the ratings of both, who need "          \
	  "accounts; false if not there.")                                     \
	F(int, spectator_delay_ms, OPT, 0, SPECTATOR_DELAY_MAX,                \
	  "How late spectators see the match, if the operator does not want "  \
	  "it later.")                                                         \
	F(str, position, OPT, 1, POSITION_CHARS_MAX,                           \
	  "Where the match begins, in a game without dice; it is unrated.")    \
	F(str, key, OPT, 1, KEY_CHARS_MAX,                                     \
	  "Any text of yours. The same key again gives the first lobby again " \
	  "instead of a second one, so that a retry is safe; if its match "    \
	  "has begun meanwhile, or it was closed, `no_such_lobby`.")

#define LOBBY_PARAM(F) F(id, lobby, REQ, 0, 0, "The lobby.")

#define LOBBY_JOIN_PARAMS(F)                                                   \
	F(id, lobby, OPT, 0, 0, "A public lobby.")                             \
	F(str, code, OPT, 1, CODE_CHARS_MAX, "The code of a lobby.")           \
	SIDE_PARAM(F)                                                          \
	F(flag, ready, OPT, 0, 0,                                              \
	  "Whether you are ready already; false if not there.")

#define LOBBY_GET_PARAMS(F)   LOBBY_PARAM(F)
#define LOBBY_LEAVE_PARAMS(F) LOBBY_PARAM(F)
#define LOBBY_READY_PARAMS(F)                                                  \
	LOBBY_PARAM(F)                                                         \
	F(flag, ready, OPT, 0, 0, "False takes it back; true if not there.")

#define MATCH_PARAM(F)    F(id, match, REQ, 0, 0, "The match.")
#define PLY_PARAM(F, doc) F(int, ply, REQ, 0, PLY_MAX, doc)
#define OFFER_PLY_PARAM(F)                                                     \
	PLY_PARAM(F,                                                           \
		  "Half-moves played by now, as in match.move; if your "       \
		  "opponent moved meanwhile, look again before you answer.")

#define TAKEBACKS_PARAM(F)                                                     \
	F(int, takebacks, OPT, 0, PLY_MAX,                                     \
	  "Takebacks that you know of. If there were others meanwhile, it is " \
	  "`stale_ply`: so a repeated command never means a position that "    \
	  "came later.")

#define MATCH_LIST_PARAMS(F)                                                   \
	LIST_PARAMS(F)                                                         \
	AFTER_PARAM(F)
#define MATCH_GET_PARAMS(F)     MATCH_PARAM(F)
#define MATCH_WATCH_PARAMS(F)   MATCH_PARAM(F)
#define MATCH_UNWATCH_PARAMS(F) MATCH_PARAM(F)
#define MATCH_NONCE_PARAMS(F)                                                  \
	MATCH_PARAM(F)                                                         \
	F(hex, nonce, REQ, 0, NONCE_BYTES_MAX,                                 \
	  "Bytes that nobody else can know; \"\" leaves it to the others.")
#define MATCH_MOVE_PARAMS(F)                                                   \
	MATCH_PARAM(F)                                                         \
	PLY_PARAM(F, "Number of half-moves played before this one.")           \
	F(str, move, REQ, 1, MOVE_CHARS_MAX, "The whole turn as text.")        \
	TAKEBACKS_PARAM(F)
#define MATCH_RESIGN_PARAMS(F)                                                 \
	MATCH_PARAM(F)                                                         \
	F(int, level, OPT, 1, RESIGN_LEVEL_MAX,                                \
	  "Backgammon: 1 a single game, 2 a gammon, 3 a backgammon. Less "     \
	  "than the game may still cost is an offer, which lapses when you "   \
	  "play a half-move. Without it, and where the game can cost no "      \
	  "more, the resignation is final.")                                   \
	F(flag, whole, OPT, 0, 0,                                              \
	  "True: the whole match, not only its present game; final.")          \
	F(int, game, OPT, 1, GAME_MAX,                                         \
	  "The game that you mean, as `stakes` numbers them, so that a "       \
	  "repetition cannot resign the next one.")
#define RESIGN_ANSWER_PARAMS(F)                                                \
	MATCH_PARAM(F)                                                         \
	F(int, offer, REQ, 1, SEQ_MAX, "`seq` of the event `resign_offered`.")
#define MATCH_ACCEPT_RESIGN_PARAMS(F)  RESIGN_ANSWER_PARAMS(F)
#define MATCH_DECLINE_RESIGN_PARAMS(F) RESIGN_ANSWER_PARAMS(F)
#define CUBE_PARAMS(F)                                                         \
	MATCH_PARAM(F)                                                         \
	PLY_PARAM(F, "Number of half-moves played before it.")
#define MATCH_ROLL_PARAMS(F)       CUBE_PARAMS(F)
#define MATCH_DOUBLE_PARAMS(F)     CUBE_PARAMS(F)
#define MATCH_TAKE_PARAMS(F)       CUBE_PARAMS(F)
#define MATCH_DROP_PARAMS(F)       CUBE_PARAMS(F)
#define MATCH_OFFER_DRAW_PARAMS(F) MATCH_PARAM(F)
#define MATCH_ACCEPT_DRAW_PARAMS(F)                                            \
	MATCH_PARAM(F)                                                         \
	OFFER_PLY_PARAM(F)
#define MATCH_DECLINE_DRAW_PARAMS(F)                                           \
	MATCH_PARAM(F)                                                         \
	OFFER_PLY_PARAM(F)
#define MATCH_ABORT_PARAMS(F) MATCH_PARAM(F)
#define MATCH_CLAIM_PARAMS(F)                                                  \
	MATCH_PARAM(F)                                                         \
	F(choice, result, REQ, claim, 0, "What you claim.")

#define TAKEBACK_PARAMS(F)                                                     \
	MATCH_PARAM(F)                                                         \
	OFFER_PLY_PARAM(F)                                                     \
	TAKEBACKS_PARAM(F)
#define MATCH_TAKEBACK_OFFER_PARAMS(F)   TAKEBACK_PARAMS(F)
#define MATCH_TAKEBACK_ACCEPT_PARAMS(F)  TAKEBACK_PARAMS(F)
#define MATCH_TAKEBACK_DECLINE_PARAMS(F) TAKEBACK_PARAMS(F)
#define MATCH_SEEN_PARAMS(F)                                                   \
	MATCH_PARAM(F)                                                         \
	F(hex, lag, REQ, LAG_BYTES, LAG_BYTES,                                 \
	  "As the event or the snapshot has it.")

#define PAUSE_PARAMS(F)                                                        \
	MATCH_PARAM(F)                                                         \
	OFFER_PLY_PARAM(F)
#define MATCH_PAUSE_OFFER_PARAMS(F)     PAUSE_PARAMS(F)
#define MATCH_PAUSE_ACCEPT_PARAMS(F)    PAUSE_PARAMS(F)
#define MATCH_PAUSE_DECLINE_PARAMS(F)   PAUSE_PARAMS(F)
#define MATCH_RESUME_PARAMS(F)          MATCH_PARAM(F)
#define MATCH_LEAVE_PARAMS(F)           MATCH_PARAM(F)
#define MATCH_REMATCH_PARAMS(F)         MATCH_PARAM(F)
#define MATCH_REMATCH_DECLINE_PARAMS(F) MATCH_PARAM(F)

#define RECORD_GET_PARAMS(F) MATCH_PARAM(F)
#define RECORD_LIST_PARAMS(F)                                                  \
	F(int, before, OPT, 1, INT64_MAX,                                      \
	  "`row` of the last match that you know of: those that ended before " \
	  "it. Without it: the newest.")

#define PLAYER_WATCH_PARAMS(F)   F(id, player, REQ, 0, 0, "Whom.")
#define PLAYER_UNWATCH_PARAMS(F) F(id, player, REQ, 0, 0, "Whom.")

#define WHOSE_PARAM(F) F(id, player, OPT, 0, 0, "Whose; yours if not there.")
#define RATING_PARAMS(F)                                                       \
	RULESET_PARAM(F, REQ)                                                  \
	F(choice, speed, REQ, speed, 0, "The speed class.")                    \
	F(choice, pool, OPT, pool, 0,                                          \
	  "The pool; `people` if not there. `bots`: matches in which a bot "   \
	  "plays, against a person too.")
#define RATING_GET_PARAMS(F) WHOSE_PARAM(F)
#define RATING_HISTORY_PARAMS(F)                                               \
	WHOSE_PARAM(F)                                                         \
	RATING_PARAMS(F)
#define RATING_LEADERBOARD_PARAMS(F)                                           \
	RATING_PARAMS(F)                                                       \
	F(int, count, OPT, 1, LEADERS_MAX, "How many; 20 if not there.")
/* C(name, VALUES): the lists of kind choice. V(ENUMERATOR, "word"). */
#define CHOICES(C)                                                             \
	C(wish, WISH_VALUES)                                                   \
	C(opponent, OPPONENT_VALUES)                                           \
	C(claim, CLAIM_VALUES)                                                 \
	C(clock_choice, CLOCK_CHOICE_VALUES)                                   \
	CHAT_CHOICES(C)                                                        \
	C(speed, SPEED_VALUES)                                                 \
	C(pool, POOL_VALUES)                                                   \
	MEETING_CHOICES(C)                                                     \
	TOURNAMENT_CHOICES(C)                                                  \
	ADMIN_CHOICES(C)
#define WISH_VALUES(V)                                                         \
	V(WISH_WHITE, "white")                                                 \
	V(WISH_BLACK, "black")                                                 \
	V(WISH_ANY, "any")
#define OPPONENT_VALUES(V)                                                     \
	V(OPPONENT_ANYONE, "anyone")                                           \
	V(OPPONENT_PERSON, "person")                                           \
	V(OPPONENT_BOT, "bot")                                                 \
	V(OPPONENT_PERSONALITY, "personality")
#define CLAIM_VALUES(V)                                                        \
	V(CLAIM_WIN, "win")                                                    \
	V(CLAIM_DRAW, "draw")

/* In the order of enum clock_kind of the domain. */
#define CLOCK_CHOICE_VALUES(V)                                                 \
	V(CLOCK_CHOICE_FISCHER, "fischer")                                     \
	V(CLOCK_CHOICE_UNLIMITED, "unlimited")                                 \
	V(CLOCK_CHOICE_DELAY, "delay")                                         \
	V(CLOCK_CHOICE_BRONSTEIN, "bronstein")                                 \
	V(CLOCK_CHOICE_PER_MOVE, "per_move")
#define SPEED_VALUES(V)                                                        \
	V(CHOICE_BULLET, "bullet")                                             \
	V(CHOICE_BLITZ, "blitz")                                               \
	V(CHOICE_RAPID, "rapid")                                               \
	V(CHOICE_CLASSICAL, "classical")                                       \
	V(CHOICE_CORRESPONDENCE, "correspondence")
#define POOL_VALUES(V)                                                         \
	V(CHOICE_PEOPLE, "people")                                             \
	V(CHOICE_BOTS, "bots")

/* ---- notifications ----------------------------------------------------- */

/* N(UPPER, "wire name", OBJECT, doc): params are [OBJECT]. */
#define NOTIFICATIONS(N)                                                       \
	N(CLOSING, "closing", CLOSING,                                         \
	  "The last message before the server closes the connection.")         \
	N(LOBBY_CHANGED, "lobby.changed", LOBBY,                               \
	  "A lobby of yours has changed; here it is.")                         \
	N(LOBBY_CLOSED, "lobby.closed", LOBBY_CLOSED,                          \
	  "A lobby of yours is no more, or no more yours; or one to which "    \
	  "you were invited is no more.")                                      \
	N(MATCH_STARTED, "match.started", MATCH,                               \
	  "A match of yours has begun; you get its events from now on.")       \
	N(MATCH_SNAPSHOT, "match.snapshot", MATCH,                             \
	  "A match that you watch, as it stands; forget what you had of it. "  \
	  "It begins a match of a player whom you follow, or comes instead "   \
	  "of events that you did not read in time. Its events go on from "    \
	  "its `seq`.")                                                        \
	N(MATCH_EVENT, "match.event", EVENT,                                   \
	  "Something happened in a match that you play or watch.")             \
	N(MATCH_SEAT_TAKEN, "match.seat_taken", SEAT_TAKEN,                    \
	  "Another session of yours has given a command for this seat, so it " \
	  "drives it. You still get its events; any command for it takes it "  \
	  "back.")                                                             \
	N(LOBBY_SEAT_TAKEN, "lobby.seat_taken", SEAT_TAKEN,                    \
	  "The same of a seat in a lobby.")                                    \
	N(MATCH_REMATCH, "match.rematch", REMATCH,                             \
	  "Who wants another match after one of yours, or that it has begun. " \
	  "It has no `seq`.")                                                  \
	N(MATCH_PRESENCE, "match.presence", PRESENCE,                          \
	  "A player has gone or come back. It has no `seq`.")                  \
	CHAT_NOTIFICATIONS(N)                                                  \
	N(SERVER_NOTICE, "server.notice", NOTICE,                              \
	  "The operator speaks to everybody.")                                 \
	MEETING_NOTIFICATIONS(N)                                               \
	TOURNAMENT_NOTIFICATIONS(N)

/* ---- what the table becomes -------------------------------------------- */

#define V(enumerator, word) enumerator,
#define C(name, VALUES)     enum name { VALUES(V) };
CHOICES(C)
#undef C
#undef V

enum method {
#define M(id, UPPER, name, wire, state, order, RESULT, doc) METHOD_##UPPER = id,
	METHODS(M)
#undef M
};

enum notification {
#define N(UPPER, wire, OBJECT, doc) NOTIFY_##UPPER,
	NOTIFICATIONS(N) NOTIFICATION_COUNT
#undef N
};

enum method_state { METHOD_NEW, METHOD_READY, METHOD_OPERATOR };
enum method_order { METHOD_VOLATILE, METHOD_ORDERED };

enum field_kind {
	FIELD_STR,
	FIELD_ID,
	FIELD_INT,
	FIELD_VERSION,
	FIELD_FLAG,
	FIELD_HEX,
	FIELD_CHOICE
};

enum { HEX_FIELD_BYTES_MAX = 32 };
struct hex_field {
	uint8_t len;
	uint8_t at[HEX_FIELD_BYTES_MAX];
};

/* struct params_hello and so on: a member for each field, and has_<field> for
 * each that may be left out. A field that was left out is zero. Strings are
 * lent by the doc that was decoded. */
#define MEMBER_str(min)     struct span
#define MEMBER_id(min)      struct id
#define MEMBER_int(min)     int64_t
#define MEMBER_version(min) int64_t
#define MEMBER_flag(min)    bool
#define MEMBER_hex(min)     struct hex_field
#define MEMBER_choice(list) enum list
#define HAS_REQ(name)
#define HAS_OPT(name) bool has_##name;
#define F(kind, name, need, min, max, doc)                                     \
	MEMBER_##kind(min) name;                                               \
	HAS_##need(name)
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	struct params_##name {                                                 \
		char none; /* C knows no empty struct */                       \
		UPPER##_PARAMS(F)                                              \
	};
METHODS(M)
#undef M
#undef F
#undef HAS_OPT
#undef HAS_REQ
#undef MEMBER_choice
#undef MEMBER_hex
#undef MEMBER_flag
#undef MEMBER_version
#undef MEMBER_int
#undef MEMBER_id
#undef MEMBER_str

/* One parameter, for decoders, documents and tests. */
struct field {
	const char *name;
	enum field_kind kind;
	bool required;
	int64_t min, max;          /* as the F line has them */
	const char *const *choice; /* words, ends with NULL; else NULL */
	size_t at, has_at;         /* offsets into the struct params_ */
	const char *doc;
};

struct method_info {
	enum method method;
	const char *name; /* on the wire */
	enum method_state state;
	enum method_order order;
	enum object result;
	const char *doc;
};

struct notification_info {
	const char *name; /* on the wire */
	enum object object;
	const char *doc;
};

/* All methods in the order of the table; NULL from method_count() on. */
size_t method_count(void);
const struct method_info *method_at(size_t i);
const struct method_info *method_info(enum method method);
/* NULL: there is none. */
const struct method_info *method_find(struct span wire_name);
/* The parameters in the order of the table; sets *count. */
const struct field *method_fields(enum method method, size_t *count);

const struct notification_info *notification_info(enum notification n);

enum { FIELD_TEXT_MAX = 128 };
/* Writes what f accepts, `text of 2 to 20 characters`. Returns out. */
const char *field_text(const struct field *f, char out[FIELD_TEXT_MAX]);

/* ---- decoding ---------------------------------------------------------- */

struct request {
	uint32_t msgid;
	enum method method;
	union {
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	struct params_##name name;
		METHODS(M)
#undef M
	} params;
};

enum { KEY_SHOWN_BYTES_MAX = 64 };

/* Why and where decoding failed. */
struct decode_error {
	bool has_msgid; /* false: nobody to answer; the stream is not RPC */
	uint32_t msgid;
	char key[KEY_SHOWN_BYTES_MAX + 1]; /* "" or the parameter; cut to fit */
	const struct field *field;         /* NULL: unknown, or none */
};

/* The id of a request, as far as the envelope can be read: root may be what
 * doc_parse() lent with an error. False: it is not a request or has no id. */
bool request_msgid(const struct value *root, uint32_t *out);

/* Whether it is a notification, [2, method, [...]]. From a client it asks for
 * nothing, so that it is passed over: a MessagePack-RPC library may answer our
 * notifications with one of its own, as Neovim does. */
bool request_is_notification(const struct value *root);

/* Decodes a request that doc_parse() accepted. Strings in *out are lent by the
 * doc. Fields are looked at in the order of the table, then for unknown ones.
 * *where is set whatever is returned. Errors:
 * PLYD_EMESSAGE     not [0, id, method, [{...}]], or a client's notification;
 * PLYD_EMETHOD;
 * PLYD_EMISSING, PLYD_EBADTYPE, PLYD_ERANGE, PLYD_EVALUE, PLYD_EPROTOCOL,
 * PLYD_EUNKNOWNKEY  where->key says which parameter. */
int request_decode(const struct value *root, struct request *out,
		   struct decode_error *where);

/* Answers such an error to where->msgid, which must be there, with the details
 * {"key", "expected"} as far as they are known. Returns as rpc_error(). */
size_t request_refuse(struct buf *b, int err, const struct decode_error *where);

#endif
