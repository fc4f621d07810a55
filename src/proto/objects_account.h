/* SPDX-License-Identifier: MIT
 * objects_account.h - what is answered about accounts, see objects.h. */
#ifndef PLYD_PROTO_OBJECTS_ACCOUNT_H
#define PLYD_PROTO_OBJECTS_ACCOUNT_H

#define ACCOUNT_OBJECTS(O)                                                     \
	O(SEAT_TAKEN, "seat_taken", "Who drives a seat now.")                  \
	O(ACCOUNT, "account", "Your account, or a guest's want of one.")       \
	O(ACCOUNT_CHANGED, "account_changed",                                  \
	  "An account whose rights have changed.")                             \
	O(SESSIONS, "sessions", "What account.sessions answers.")              \
	O(SESSION_LINE, "session_line", "One of your sessions.")               \
	O(ACCOUNT_EXPORT, "account_export", "What account.export answers.")    \
	O(RATING_KEPT, "rating_kept", "One of your ratings, and its past.")    \
	O(ADMIN_BOT, "admin_bot", "A bot has a new token.")                    \
	O(ADMIN_RESET, "admin_reset", "A one-time password was made.")

#define SEAT_TAKEN_FIELDS(P)                                                   \
	P(match, "id?", "The match.")                                          \
	P(lobby, "id?", "The lobby.")                                          \
	P(side, "white|black", "Your seat in it.")                             \
	P(session, "int", "Number of the session that drives it now.")

#define ACCOUNT_FIELDS(P)                                                      \
	P(player, "player", "How others see you.")                             \
	P(login, "str?", "What you log in by; not there for a guest.")         \
	P(opened_at_ms, "int?", "When the account was made: Unix time.")       \
	P(sessions, "int", "Sessions that you have.")                          \
	P(old_name, "str?", "A name of yours that is still kept for you.")     \
	P(old_name_free_ms, "int?", "In how long others may take it.")         \
	P(password_due, "bool?",                                               \
	  "True: the operator gave you a one-time password; set your own.")

#define ACCOUNT_CHANGED_FIELDS(P)                                              \
	P(token, "hex",                                                        \
	  "Secret: resumes this session from now on; those before are void.")  \
	P(account, "account", "The account.")

#define SESSIONS_FIELDS(P) P(sessions, "[session_line]", "The oldest first.")

#define SESSION_LINE_FIELDS(P)                                                 \
	P(session, "int", "Its number.")                                       \
	P(this, "bool", "Whether it is the one that asks.")                    \
	P(online, "bool", "Whether it is connected.")                          \
	P(began_at_ms, "int?", "When it logged in: Unix time, if known.")

#define ACCOUNT_EXPORT_FIELDS(P)                                               \
	P(account, "account", "The account.")                                  \
	P(sessions, "[session_line]", "Its sessions.")                         \
	P(lobbies, "[id]", "Lobbies that you sit in.")                         \
	P(matches, "[id]", "Matches that you play.")                           \
	P(ratings, "[rating_kept]", "Your ratings, the oldest first.")

#define RATING_KEPT_FIELDS(P)                                                  \
	RATING_FIELDS(P)                                                       \
	P(matches, "[rating_step]", "Its last 20 matches, the latest first.")

#define ADMIN_BOT_FIELDS(P)                                                    \
	P(audit, "int", "Number of its line in the trail.")                    \
	P(token, "hex", "Secret, for `bot_token` of hello. Shown only here.")

#define ADMIN_RESET_FIELDS(P)                                                  \
	P(audit, "int", "Number of its line in the trail.")                    \
	P(password, "str",                                                     \
	  "One-time password, for the player. Shown only here.")               \
	P(good_ms, "int", "How long it is good.")

#endif
