/* SPDX-License-Identifier: MIT
 * methods_account.h - accounts in the table of methods, see methods.h. */
#ifndef PLYD_PROTO_METHODS_ACCOUNT_H
#define PLYD_PROTO_METHODS_ACCOUNT_H

enum {
	LOGIN_CHARS_MIN = 2,
	LOGIN_CHARS_MAX = 20,
	/* in bytes it is 8 to 128, too: session looks */
	PASSWORD_CHARS_MIN = 2,
	PASSWORD_CHARS_MAX = 128,
	BOT_TOKEN_BYTES = 32,
	SESSION_NUMBER_MAX = 2147483647
};

#define ACCOUNT_METHODS(M)                                                     \
	M(60, ACCOUNT_GET, account_get, "account.get", READY, ORDERED,         \
	  ACCOUNT, "Shows your account, or that you are a guest.")             \
	M(61, ACCOUNT_REGISTER, account_register, "account.register", READY,   \
	  ORDERED, ACCOUNT_CHANGED,                                            \
	  "Makes an account of a guest. Id, name, lobbies and matches stay; "  \
	  "the session gets another token, and those before are void. If the " \
	  "answer is lost, try to log in.")                                    \
	M(62, ACCOUNT_PASSWORD, account_password, "account.password", READY,   \
	  ORDERED, ACCOUNT_CHANGED,                                            \
	  "Sets another password. All your other sessions end and their "      \
	  "connections are closed with `session_ended`; this one gets "        \
	  "another "                                                           \
	  "token.")                                                            \
	M(63, ACCOUNT_RENAME, account_rename, "account.rename", READY,         \
	  ORDERED, ACCOUNT,                                                    \
	  "Changes your display name. Matches keep the name that they began "  \
	  "with. Nobody else may take the old one for a while, and until "     \
	  "then "                                                              \
	  "you may only go back to it (`too_soon`).")                          \
	M(64, ACCOUNT_LOGOUT, account_logout, "account.logout", READY,         \
	  ORDERED, NOTHING,                                                    \
	  "Ends a session for good, this one if nothing else is said; its "    \
	  "token is void. The connection that asks stays open: what follows "  \
	  "is refused with `hello_first` until another `hello`. A guest is "   \
	  "forgotten, once his matches are over.")                             \
	M(65, ACCOUNT_SESSIONS, account_sessions, "account.sessions", READY,   \
	  ORDERED, SESSIONS, "Lists your sessions.")                           \
	M(66, ACCOUNT_DELETE, account_delete, "account.delete", READY,         \
	  ORDERED, NOTHING,                                                    \
	  "Deletes your account for good: all sessions end; lobby seats are "  \
	  "left; each running match is aborted if it still may be, else "      \
	  "resigned; name and id are shown nowhere any more, also not in old " \
	  "records. The login is free again.")                                 \
	M(67, ACCOUNT_EXPORT, account_export, "account.export", READY,         \
	  ORDERED, ACCOUNT_EXPORT,                                             \
	  "All that the server keeps about you, but for secrets.")

#define LOGIN_PARAM(F, need, doc)                                              \
	F(str, login, need, LOGIN_CHARS_MIN, LOGIN_CHARS_MAX, doc)
#define PASSWORD_PARAM(F, name, need, doc)                                     \
	F(str, name, need, PASSWORD_CHARS_MIN, PASSWORD_CHARS_MAX, doc)

#define ACCOUNT_GET_PARAMS(F)
#define ACCOUNT_REGISTER_PARAMS(F)                                             \
	LOGIN_PARAM(F, REQ,                                                    \
		    "What you will log in by: `a` to `z`, `0` to `9`, `-` "    \
		    "and `_`. It is shown to nobody else.")                    \
	PASSWORD_PARAM(F, password, REQ, "8 to 128 bytes.")
#define ACCOUNT_PASSWORD_PARAMS(F)                                             \
	PASSWORD_PARAM(F, old, REQ,                                            \
		       "The password so far, or the operator's one-time "      \
		       "password.")                                            \
	PASSWORD_PARAM(F, new, REQ, "8 to 128 bytes.")
#define ACCOUNT_RENAME_PARAMS(F)                                               \
	F(str, name, REQ, NAME_CHARS_MIN, NAME_CHARS_MAX, "The new name.")
#define ACCOUNT_LOGOUT_PARAMS(F)                                               \
	F(flag, everywhere, OPT, 0, 0, "True: all your sessions.")             \
	F(int, session, OPT, 0, SESSION_NUMBER_MAX,                            \
	  "Number of another session of yours, from account.sessions.")
#define ACCOUNT_SESSIONS_PARAMS(F)
#define ACCOUNT_DELETE_PARAMS(F)                                               \
	PASSWORD_PARAM(F, password, REQ, "Your password, once more.")
#define ACCOUNT_EXPORT_PARAMS(F)

#endif
