/* SPDX-License-Identifier: MIT
 * err.h - every failure that plyd can report, in one table: code, value, wire
 * name and text never drift apart. Refused moves have a reason of their own,
 * see <plyd/rules.h>. */
#ifndef PLYD_ERR_H
#define PLYD_ERR_H

/* X(code, value, wire_name, doc). Values travel on the wire: never reuse one.
 * doc is the sentence that a person reads when nothing better is known. */
#define PLYD_ERRORS(X)                                                         \
	X(PLYD_ENOMEM, -1, "no_memory",                                        \
	  "Memory ran out; nothing was changed. Try again.")                   \
	X(PLYD_EINTERNAL, -2, "internal",                                      \
	  "A fault in the server; nothing was changed and it was logged.")     \
	X(PLYD_EMESSAGE, -10, "bad_message",                                   \
	  "Not a MessagePack-RPC request of the form "                         \
	  "[0, id, method, [{...}]].")                                         \
	X(PLYD_ETOOLARGE, -11, "message_too_large",                            \
	  "The message has more bytes or elements than `hello` allows.")       \
	X(PLYD_ETOODEEP, -12, "too_deep",                                      \
	  "Arrays and maps may be nested 8 deep.")                             \
	X(PLYD_EDUPKEY, -13, "duplicate_key", "A map holds one key twice.")    \
	X(PLYD_EUTF8, -14, "bad_utf8", "A string is not valid UTF-8.")         \
	X(PLYD_EWIRETYPE, -15, "type_not_allowed",                             \
	  "Floats, binary and extension types do not occur in this protocol.") \
	X(PLYD_EMETHOD, -16, "unknown_method", "There is no such method.")     \
	X(PLYD_EUNKNOWNKEY, -17, "unknown_key",                                \
	  "A parameter that this method does not have.")                       \
	X(PLYD_EMISSING, -18, "missing_key",                                   \
	  "A parameter that this method needs is not there.")                  \
	X(PLYD_EBADTYPE, -19, "bad_type", "A parameter has another type.")     \
	X(PLYD_ERANGE, -20, "out_of_range",                                    \
	  "A parameter is shorter, longer, smaller or greater than allowed.")  \
	X(PLYD_EVALUE, -21, "bad_value",                                       \
	  "A parameter has none of the values that are allowed.")              \
	X(PLYD_EHELLO, -30, "hello_first",                                     \
	  "Say `hello` before anything else.")                                 \
	X(PLYD_EHELLOAGAIN, -31, "hello_again",                                \
	  "This connection has said `hello` already.")                         \
	X(PLYD_EPROTOCOL, -32, "unsupported_protocol",                         \
	  "This server speaks protocol 1.")                                    \
	X(PLYD_ETOKEN, -33, "bad_token",                                       \
	  "The resume token is unknown or has been replaced.")                 \
	X(PLYD_ERATE, -34, "rate_limited",                                     \
	  "Too many requests; wait for `retry_after_ms`.")                     \
	X(PLYD_EREPLACED, -35, "replaced",                                     \
	  "Your session was resumed on another connection.")                   \
	X(PLYD_EFULL, -36, "server_full",                                      \
	  "The server holds as many of these as it may.")                      \
	X(PLYD_EADDRESS, -37, "too_many_connections",                          \
	  "Too many connections from your address.")                           \
	X(PLYD_ESLOW, -38, "slow_reader",                                      \
	  "You read too slowly and the queue to you is full. Resume.")         \
	X(PLYD_EIDLE, -39, "idle",                                             \
	  "No whole message arrived in the time allowed.")                     \
	X(PLYD_ESHUTDOWN, -40, "shutting_down",                                \
	  "The server is stopping. Your matches are safe: resume later.")      \
	X(PLYD_ENAME, -41, "bad_name",                                         \
	  "A name is 2 to 20 letters, digits, - or _, with single spaces.")    \
	X(PLYD_ENOLOBBY, -50, "no_such_lobby", "There is no such lobby.")      \
	X(PLYD_ELOBBYFULL, -51, "lobby_full", "Both seats are taken.")         \
	X(PLYD_ENOTINLOBBY, -52, "not_in_lobby",                               \
	  "You have no seat in this lobby.")                                   \
	X(PLYD_EINLOBBY, -53, "already_in_lobby",                              \
	  "You have a seat in this lobby already.")                            \
	X(PLYD_ERULESET, -54, "no_such_ruleset", "There is no such ruleset.")  \
	X(PLYD_EPERSONALITY, -55, "no_such_personality",                       \
	  "No personality of this name plays this ruleset.")                   \
	X(PLYD_ETOOMANY, -56, "too_many",                                      \
	  "You have as many of these as you may.")                             \
	X(PLYD_ECLOCK, -57, "clock_not_allowed",                               \
	  "The ruleset does not allow this clock.")                            \
	X(PLYD_ENOTALLOWED, -58, "not_allowed", "You may not do this here.")   \
	X(PLYD_ENOMATCH, -60, "no_such_match", "There is no such match.")      \
	X(PLYD_ESEAT, -61, "not_your_seat", "You have no seat in this match.") \
	X(PLYD_ESTALE, -62, "stale_ply",                                       \
	  "Another move was played at this ply; look at the match again.")     \
	X(PLYD_EGAMEOVER, -63, "game_over", "The match has ended.")            \
	X(PLYD_ETURN, -64, "not_your_turn", "The other seat is to play.")      \
	X(PLYD_EFLAG, -65, "flag_fallen", "Your time is up.")                  \
	X(PLYD_EILLEGAL, -66, "illegal_move",                                  \
	  "The rules do not allow this move; `reason` says which.")            \
	X(PLYD_ENOOFFER, -67, "no_offer", "There is no offer to answer.")      \
	X(PLYD_EOFFER, -68, "offer_not_allowed",                               \
	  "You may not offer a draw now.")                                     \
	X(PLYD_ENODRAW, -69, "no_draws",                                       \
	  "In this match no draw can be agreed.")                              \
	X(PLYD_ENOTSTARTED, -70, "not_started",                                \
	  "The match has not begun: the nonces are awaited.")                  \
	X(PLYD_EFROZEN, -71, "match_frozen",                                   \
	  "This match is frozen; the operator has been told.")                 \
	X(PLYD_EABORT, -72, "too_late_to_abort",                               \
	  "A match may be aborted before two plies are played.")               \
	X(PLYD_ECLAIM, -73, "nothing_to_claim",                                \
	  "Your opponent is here, or may still come back.")                    \
	X(PLYD_ENONCE, -74, "nonce_not_wanted",                                \
	  "This match takes no nonce from you (any more).")                    \
	X(PLYD_ENORECORD, -75, "no_such_record",                               \
	  "There is no record of this match (yet).")                           \
	X(PLYD_ELAG, -170, "stale_lag",                                        \
	  "This nonce is not of the turn that you are playing.")               \
	X(PLYD_EUNRATED, -160, "not_rated",                                    \
	  "A rated match needs an account on both sides.")                     \
	X(PLYD_ENAMETAKEN, -110, "name_taken",                                 \
	  "Somebody else has this name, or one that looks like it, or nobody " \
	  "may have it.")                                                      \
	X(PLYD_EBADLOGIN, -111, "bad_login",                                   \
	  "There is no such login, or the password is another.")               \
	X(PLYD_EENDED, -112, "session_ended",                                  \
	  "This session was ended: by a logout, a new password or the "        \
	  "operator.")                                                         \
	X(PLYD_ELOGINTAKEN, -113, "login_taken",                               \
	  "Somebody has this login, or nobody may have it.")                   \
	X(PLYD_ENOACCOUNT, -114, "no_account", "There is no account here.")    \
	X(PLYD_EACCOUNT, -115, "has_account", "You have an account already.")  \
	X(PLYD_EBUSY, -116, "busy",                                            \
	  "As many passwords are being checked as may be; wait for "           \
	  "`retry_after_ms`.")                                                 \
	X(PLYD_ETOOSOON, -117, "too_soon",                                     \
	  "You did this not long ago; wait for `retry_after_ms`.")             \
	X(PLYD_ENOSESSION, -118, "no_such_session",                            \
	  "You have no session of this number.")                               \
	X(PLYD_ENOTSTORED, -80, "not_stored",                                  \
	  "Your command could not be stored and has had no effect.")           \
	X(PLYD_ESTORE, -81, "store_failed", "The store failed.")               \
	X(PLYD_ELOCKED, -82, "locked",                                         \
	  "Another plyd uses this data directory.")                            \
	X(PLYD_EVERSION, -83, "newer_version",                                 \
	  "Written by a newer plyd; this one cannot read it.")                 \
	X(PLYD_EPOSITION, -90, "bad_position",                                 \
	  "The position cannot be read, or is impossible.")                    \
	X(PLYD_ETOOCOMPLEX, -91, "too_complex",                                \
	  "The position has more moves than the server will count.")           \
	X(PLYD_EOPTION, -92, "bad_option",                                     \
	  "There is no such option, or it cannot have this value.")            \
	X(PLYD_ENODICE, -93, "no_dice",                                        \
	  "The position says no dice, so no move can be judged.")              \
	X(PLYD_ERECORD, -94, "bad_record",                                     \
	  "The record is damaged or does not follow the rules.")               \
	X(PLYD_ENOTAWAITED, -120, "not_awaited",                               \
	  "The match waits for something else: `awaits` says for what.")       \
	X(PLYD_ELENGTH, -121, "match_length_not_allowed",                      \
	  "The ruleset is no match of games, or not of so many points.")       \
	X(PLYD_EIO, -100, "io_error",                                          \
	  "Reading or writing failed; the log has the cause.")                 \
	X(PLYD_EWORKER, -101, "worker_failed",                                 \
	  "A script failed; the match goes on without it.")                    \
	X(PLYD_EFINISHING, -140, "finishing",                                  \
	  "This bot takes no new matches.")                                    \
	X(PLYD_ENOSEEK, -142, "no_such_seek",                                  \
	  "There is no such seek (any more).")                                 \
	X(PLYD_ENOCHALLENGE, -143, "no_such_challenge",                        \
	  "There is no such challenge (any more).")                            \
	X(PLYD_EABSENT, -144, "player_away", "This player is not here.")       \
	X(PLYD_EDECLINED, -145, "declined",                                    \
	  "The bot's policy declines; `word` says why.")                       \
	X(PLYD_ESELF, -146, "with_yourself", "You cannot meet yourself.")      \
	X(PLYD_EBARRED, -148, "thrown_out",                                    \
	  "The owner of this lobby has thrown you out.")                       \
	X(PLYD_ERATING, -149, "rating_not_wanted",                             \
	  "Your rating is outside of what is sought.")                         \
	X(PLYD_ECONFIG, -102, "bad_config",                                    \
	  "The configuration cannot be used; the log has the line.")           \
	X(PLYD_EJUDGING, -130, "being_judged",                                 \
	  "The draw policy is still asked about this position, and moves of "  \
	  "yours wait for it already.")                                        \
	X(PLYD_ENOTAKEBACK, -131, "no_takeback",                               \
	  "In this match nothing can be taken back, or you have moved "        \
	  "nothing.")                                                          \
	X(PLYD_EPAUSE, -135, "pause_not_allowed",                              \
	  "There is no clock to stop here, or you have asked at this "         \
	  "half-move.")                                                        \
	X(PLYD_EPAUSED, -136, "paused",                                        \
	  "The match is paused; match.resume goes on.")                        \
	X(PLYD_ENOTPAUSED, -137, "not_paused", "The match is not paused.")     \
	X(PLYD_ECOOLING, -138, "cooling_down",                                 \
	  "You have left too many matches; wait for `retry_after_ms`.")        \
	X(PLYD_ENOTOVER, -133, "not_over", "The match is not over.")           \
	X(PLYD_EAWAY, -134, "opponent_away", "Your opponent is not here.")     \
	X(PLYD_ETAKEBACK, -132, "takeback_not_allowed",                        \
	  "One request stands already, or you have asked since the last "      \
	  "move.")                                                             \
	X(PLYD_EOPERATOR, -150, "operator_only",                               \
	  "Only the operator may do this, on the socket of the server.")       \
	X(PLYD_ENOPLAYER, -151, "no_such_player", "There is no such player.")  \
	X(PLYD_EDRAINING, -152, "draining",                                    \
	  "No new matches begin: the operator is about to stop the server.")   \
	X(PLYD_EKICKED, -153, "kicked", "The operator closed the connection.") \
	X(PLYD_EBANNED, -154, "banned", "The operator keeps you out.")         \
	X(PLYD_ENOTHING, -155, "not_found",                                    \
	  "There is nothing of this number (any more).")                       \
	X(PLYD_EMUTED, -156, "muted", "The operator does not let you chat.")   \
	X(PLYD_ETEXT, -157, "bad_text",                                        \
	  "A text may hold no control characters, no characters that turn "    \
	  "the direction of writing, and not only spaces.")                    \
	X(PLYD_EOFFEREARLY, -180, "offer_too_early",                           \
	  "In this match no draw may be offered so early; `offers_from` says " \
	  "after how many half-moves.")                                        \
	X(PLYD_EOFFERSPENT, -181, "offers_spent",                              \
	  "You have made all the offers that you have in this match until "    \
	  "there is progress; `offers_max` says how many.")                    \
	X(PLYD_ERELOADING, -182, "reloading",                                  \
	  "Scripts are being read again already; ask once that is done.")      \
	X(PLYD_ENOTOURNAMENT, -200, "no_such_tournament",                      \
	  "There is no such tournament.")                                      \
	X(PLYD_ESTAGE, -201, "wrong_stage",                                    \
	  "The tournament is not at that point.")                              \
	X(PLYD_ENOTDIRECTOR, -202, "not_director",                             \
	  "Only directors of the tournament may do this.")                     \
	X(PLYD_ENOTENTERED, -203, "not_entered",                               \
	  "He does not take part in the tournament.")                          \
	X(PLYD_ENOTINVITED, -204, "not_invited",                               \
	  "The tournament is entered by invitation.")                          \
	X(PLYD_ETERMS, -205, "bad_terms",                                      \
	  "The tournament cannot be held like this.")                          \
	X(PLYD_ENOTABLE, -206, "no_such_table",                                \
	  "The tournament has no such round or table.")                        \
	X(PLYD_EWITHDRAWN, -207, "withdrawn",                                  \
	  "He has left the tournament and cannot come back.")                  \
	X(PLYD_EAIFULL, -190, "ai_full",                                       \
	  "As many matches against personalities run as may, and as many "     \
	  "wait as may. Try again later, or play a person.")                   \
	X(PLYD_EAIYOURS, -191, "too_many_ai",                                  \
	  "You have as many matches against personalities as you may.")        \
	X(PLYD_ECHATOFF, -158, "chat_off",                                     \
	  "One of the players wants no talk in this match.")

enum plyd_err {
	PLYD_OK = 0,
#define X(code, value, name, doc) code = (value),
	PLYD_ERRORS(X)
#undef X
};

/* Wire name of err, such as "bad_message"; "unknown" for any other int.
 * Static storage: never free it. */
const char *plyd_err_name(int err);

/* One sentence for a person; never NULL, never to be freed. */
const char *plyd_err_text(int err);

#endif
