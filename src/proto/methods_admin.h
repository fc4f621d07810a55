/* SPDX-License-Identifier: MIT
 * methods_admin.h - the operator's part of the table of methods, see methods.h.
 * A connection of the operator's socket says no hello and has state OPERATOR
 * from the start. */
#ifndef PLYD_PROTO_METHODS_ADMIN_H
#define PLYD_PROTO_METHODS_ADMIN_H

enum {
	ADMIN_TEXT_CHARS_MAX = 300,
	ADMIN_END_CHARS_MAX = 64, /* part of the record */
	ADMIN_FIRST_MAX = 1000000000,
	ADMIN_ADJUST_MS_MAX = 24 * 60 * 60 * 1000,
	ADMIN_FILE_CHARS_MAX = 250,
	ADMIN_STOP_MS_MAX = 24 * 60 * 60 * 1000,
	ADMIN_ADDRESS_CHARS_MAX = 60
};
#define ADMIN_FOR_MS_MAX (10 * 366 * 24 * INT64_C(3600000))

#define ADMIN_METHODS(M)                                                       \
	M(150, ADMIN_STATUS, admin_status, "admin.status", OPERATOR, VOLATILE, \
	  ADMIN_STATUS, "Says how the server is.")                             \
	M(151, ADMIN_PLAYERS, admin_players, "admin.players", OPERATOR,        \
	  ORDERED, ADMIN_PLAYERS, "Lists the players that the server knows.")  \
	M(152, ADMIN_LOBBIES, admin_lobbies, "admin.lobbies", OPERATOR,        \
	  ORDERED, LOBBY_LIST,                                                 \
	  "Lists all lobbies, private and full ones too.")                     \
	M(153, ADMIN_MATCHES, admin_matches, "admin.matches", OPERATOR,        \
	  ORDERED, ADMIN_MATCHES,                                              \
	  "Lists the matches in memory: running, over not long ago, frozen.")  \
	M(154, ADMIN_MATCH, admin_match, "admin.match", OPERATOR, ORDERED,     \
	  MATCH,                                                               \
	  "Shows a match as it stands. The seed of its dice is a secret from " \
	  "the operator too while it runs.")                                   \
	M(155, ADMIN_KICK, admin_kick, "admin.kick", OPERATOR, ORDERED,        \
	  ADMIN_DONE,                                                          \
	  "Closes the connection of a player, with `kicked`. He may resume.")  \
	M(156, ADMIN_SAY, admin_say, "admin.say", OPERATOR, ORDERED,           \
	  ADMIN_DONE, "Sends `server.notice` to everybody.")                   \
	M(157, ADMIN_END_MATCH, admin_end_match, "admin.end_match", OPERATOR,  \
	  ORDERED, ADMIN_DONE, "Ends a match, with reason `operator`.")        \
	M(158, ADMIN_DRAIN, admin_drain, "admin.drain", OPERATOR, ORDERED,     \
	  ADMIN_DONE,                                                          \
	  "No new matches begin until the server is started again, or until "  \
	  "this is taken back.")                                               \
	M(159, ADMIN_SHUTDOWN, admin_shutdown, "admin.shutdown", OPERATOR,     \
	  ORDERED, ADMIN_DONE,                                                 \
	  "Stops the server after a while, of which everybody is told by "     \
	  "`server.notice`. Nothing is lost: matches go on after the start.")  \
	M(160, ADMIN_AUDIT, admin_audit, "admin.audit", OPERATOR, ORDERED,     \
	  ADMIN_AUDIT, "Lists what operators did, the newest first.")          \
	M(161, ADMIN_BAN, admin_ban, "admin.ban", OPERATOR, ORDERED,           \
	  ADMIN_DONE,                                                          \
	  "Keeps a player, whoever has a name, or a range of addresses out, "  \
	  "from now on and after a restart; give just one of the three. Who "  \
	  "is here is closed with "                                            \
	  "`banned`. The ban has the number of its act.")                      \
	M(162, ADMIN_UNBAN, admin_unban, "admin.unban", OPERATOR, ORDERED,     \
	  ADMIN_DONE, "Takes a ban back.")                                     \
	M(163, ADMIN_BANS, admin_bans, "admin.bans", OPERATOR, ORDERED,        \
	  ADMIN_BANS, "Lists the bans.")                                       \
	M(164, ADMIN_MUTE, admin_mute, "admin.mute", OPERATOR, ORDERED,        \
	  ADMIN_DONE,                                                          \
	  "Lets a player chat no more. Again: the new time holds.")            \
	M(165, ADMIN_UNMUTE, admin_unmute, "admin.unmute", OPERATOR, ORDERED,  \
	  ADMIN_DONE, "Lets him chat again.")                                  \
	M(190, ADMIN_BOT_TOKEN, admin_bot_token, "admin.bot_token", OPERATOR,  \
	  ORDERED, ADMIN_BOT,                                                  \
	  "Gives a bot a token, and makes the bot if there is none of this "   \
	  "login. A token before is void, and the bot's sessions end.")        \
	M(191, ADMIN_BOT_REVOKE, admin_bot_revoke, "admin.bot_revoke",         \
	  OPERATOR, ORDERED, ADMIN_DONE,                                       \
	  "Takes a bot its token; its sessions end at once.")                  \
	M(192, ADMIN_RESET, admin_reset, "admin.reset", OPERATOR, ORDERED,     \
	  ADMIN_RESET,                                                         \
	  "Makes a one-time password for a member who forgot his. The one "    \
	  "before is void, and his sessions end at once.")                     \
	M(168, ADMIN_RELOAD, admin_reload, "admin.reload", OPERATOR, ORDERED,  \
	  ADMIN_RELOAD,                                                        \
	  "Reads rulesets, policies, personalities and libraries again, as "   \
	  "SIGHUP does. What is right holds for matches that begin from then " \
	  "on. A file that is wrong is named, and what it said before stays.") \
	M(166, ADMIN_REPORTS, admin_reports, "admin.reports", OPERATOR,        \
	  ORDERED, ADMIN_REPORTS, "Lists the open reports of players.")        \
	M(167, ADMIN_CLOSE_REPORT, admin_close_report, "admin.close_report",   \
	  OPERATOR, ORDERED, ADMIN_DONE,                                       \
	  "Closes a report. It is forgotten with its evidence; that it was "   \
	  "closed, and your words, stay in the audit trail.")                  \
	M(176, ADMIN_UPGRADE, admin_upgrade, "admin.upgrade", OPERATOR,        \
	  ORDERED, ADMIN_DONE,                                                 \
	  "Lets the program that lies where this one was started take over, "  \
	  "in the same process. It is tried first; the answer comes when it "  \
	  "can start, and then all connections are closed with "               \
	  "`shutting_down` and the reason `upgrade`. Nobody who connects is "  \
	  "turned away meanwhile.")                                            \
	M(183, ADMIN_QUARANTINE, admin_quarantine, "admin.quarantine",         \
	  OPERATOR, ORDERED, ADMIN_DONE,                                       \
	  "Asks a script no more, as if it had failed too often, until it is " \
	  "read again, or asks it again. Matches go on.")                      \
	M(178, ADMIN_LOGIN, admin_login, "admin.login", NEW, ORDERED,          \
	  ADMIN_WELCOME,                                                       \
	  "Instead of `hello`: makes this connection an operator's. Tries "    \
	  "are counted as those of passwords are, for each address.")          \
	M(179, ADMIN_TOKEN, admin_token, "admin.token", OPERATOR, ORDERED,     \
	  ADMIN_BOT,                                                           \
	  "Gives an operator a token for admin.login; one of this name "       \
	  "before is void. Only on the socket of the server.")                 \
	M(180, ADMIN_TOKEN_REVOKE, admin_token_revoke, "admin.token_revoke",   \
	  OPERATOR, ORDERED, ADMIN_DONE,                                       \
	  "Takes it; its connections are closed. Only on the socket.")         \
	M(181, ADMIN_TOKENS, admin_tokens, "admin.tokens", OPERATOR, ORDERED,  \
	  ADMIN_TOKENS, "Lists who has one.")                                  \
	M(182, ADMIN_ADJUST_CLOCK, admin_adjust_clock, "admin.adjust_clock",   \
	  OPERATOR, ORDERED, ADMIN_DONE,                                       \
	  "Gives a player time on his clock, or takes it. It is an event of "  \
	  "the match, and in the record.")                                     \
	M(177, ADMIN_BACKUP, admin_backup, "admin.backup", OPERATOR, ORDERED,  \
	  ADMIN_BACKUP,                                                        \
	  "Copies the data as they are now into a new file, on the machine "   \
	  "of the server; everything goes on meanwhile. Answered when the "    \
	  "file is whole and on the disk.")                                    \
	M(231, ADMIN_RECORDS, admin_records, "admin.records", OPERATOR,        \
	  ORDERED, RECORD_LIST,                                                \
	  "Lists matches that have ended, of a player or of all, as "          \
	  "record.list does.")                                                 \
	M(185, ADMIN_STATS, admin_stats, "admin.stats", OPERATOR, VOLATILE,    \
	  ADMIN_STATS,                                                         \
	  "Gives the numbers of the server, those since the start and those "  \
	  "of now: what /metrics has.")                                        \
	M(184, ADMIN_EXPORT, admin_export, "admin.export", OPERATOR, ORDERED,  \
	  RECORD,                                                              \
	  "Gives what the disk has of a match, as it is: a record, even a "    \
	  "damaged one; or the facts so far of a match that runs or is "       \
	  "frozen, with the hash of these as head. Never the seed of dice "    \
	  "that are still thrown.")

#define ADMIN_QUARANTINE_PARAMS(F)                                             \
	F(choice, kind, REQ, script, 0, "What it is.")                         \
	F(str, name, REQ, 1, 64, "Its name.")                                  \
	F(flag, on, OPT, 0, 0, "False takes it out; true if not there.")       \
	ADMIN_TEXT_PARAM(F, OPT, "Why, for the audit trail.")
#define ADMIN_LOGIN_PARAMS(F) F(str, token, REQ, 64, 64, "The token, in hex.")
#define ADMIN_TOKEN_PARAMS(F)                                                  \
	F(str, name, REQ, 2, 20, "Whose, written as a login is.")              \
	ADMIN_FOR_PARAM(F)
#define ADMIN_TOKEN_REVOKE_PARAMS(F) F(str, name, REQ, 2, 20, "Whose.")
#define ADMIN_EXPORT_PARAMS(F)       F(id, match, REQ, 0, 0, "The match.")
#define ADMIN_RECORDS_PARAMS(F)                                                \
	F(id, player, OPT, 0, 0, "Whose; without it: everybody's.")            \
	F(int, before, OPT, 1, INT64_MAX,                                      \
	  "`row` of the last match that you know of. Without it: the newest.")
#define ADMIN_TOKENS_PARAMS(F) ADMIN_FIRST_PARAM(F)
#define ADMIN_ADJUST_CLOCK_PARAMS(F)                                           \
	F(id, match, REQ, 0, 0, "The match.")                                  \
	F(choice, side, REQ, clock_of, 0, "Whose clock.")                      \
	F(int, add_ms, REQ, -ADMIN_ADJUST_MS_MAX, ADMIN_ADJUST_MS_MAX,         \
	  "What he is given; below zero: what is taken. Something must be "    \
	  "left, a day at the most.")                                          \
	F(str, text, OPT, 1, ADMIN_END_CHARS_MAX,                              \
	  "Why, for the players; it is in the record.")
#define ADMIN_BACKUP_PARAMS(F)                                                 \
	F(str, file, OPT, 1, ADMIN_FILE_CHARS_MAX,                             \
	  "A path from the root, or a name in `backups` of the data "          \
	  "directory; a name with the time in it if not there. There must be " \
	  "no such file.")
#define ADMIN_UPGRADE_PARAMS(F)                                                \
	ADMIN_TEXT_PARAM(F, OPT, "Why, for the audit trail.")
#define ADMIN_FIRST_PARAM(F)                                                   \
	F(int, first, OPT, 0, ADMIN_FIRST_MAX,                                 \
	  "How many to pass over; for what a list did not show.")
#define ADMIN_TEXT_PARAM(F, need, doc)                                         \
	F(str, text, need, 1, ADMIN_TEXT_CHARS_MAX, doc)
#define ADMIN_PLAYER_PARAM(F) F(id, player, REQ, 0, 0, "The player.")

#define ADMIN_STATUS_PARAMS(F)
#define ADMIN_STATS_PARAMS(F)
#define ADMIN_PLAYERS_PARAMS(F)                                                \
	ADMIN_FIRST_PARAM(F)                                                   \
	F(flag, online, OPT, 0, 0, "True: only those who are connected.")
#define ADMIN_LOBBIES_PARAMS(F) ADMIN_FIRST_PARAM(F)
#define ADMIN_MATCHES_PARAMS(F) ADMIN_FIRST_PARAM(F)
#define ADMIN_MATCH_PARAMS(F)   F(id, match, REQ, 0, 0, "The match.")
#define ADMIN_KICK_PARAMS(F)                                                   \
	ADMIN_PLAYER_PARAM(F)                                                  \
	ADMIN_TEXT_PARAM(F, OPT, "Why, for the audit trail.")
#define ADMIN_SAY_PARAMS(F) ADMIN_TEXT_PARAM(F, REQ, "What to say.")
#define ADMIN_END_MATCH_PARAMS(F)                                              \
	F(id, match, REQ, 0, 0, "The match.")                                  \
	F(choice, result, REQ, ending, 0, "Who wins; `none`: nobody.")         \
	F(str, text, OPT, 1, ADMIN_END_CHARS_MAX,                              \
	  "Why, for the players; it is in the record.")
#define ADMIN_DRAIN_PARAMS(F)                                                  \
	F(flag, on, OPT, 0, 0, "False takes it back; true if not there.")
#define ADMIN_SHUTDOWN_PARAMS(F)                                               \
	F(int, in_ms, OPT, 0, ADMIN_STOP_MS_MAX,                               \
	  "When; at once if not there. A second time replaces the first.")     \
	F(flag, cancel, OPT, 0, 0, "True: not any more.")                      \
	F(flag, idle, OPT, 0, 0,                                               \
	  "True: as soon as no match is played, and then at the latest.")      \
	ADMIN_TEXT_PARAM(F, OPT, "What to say to everybody.")
#define ADMIN_AUDIT_PARAMS(F) ADMIN_FIRST_PARAM(F)
#define ADMIN_RELOAD_PARAMS(F)

#define ADMIN_FOR_PARAM(F)                                                     \
	F(int, for_ms, OPT, 1, ADMIN_FOR_MS_MAX,                               \
	  "For how long; if not there, until it is taken back.")
#define ADMIN_BAN_PARAMS(F)                                                    \
	F(id, player, OPT, 0, 0, "The player.")                                \
	F(str, name, OPT, NAME_CHARS_MIN, NAME_CHARS_MAX,                      \
	  "A display name; others that differ from it in capitals only are "   \
	  "meant too, and nobody may take it.")                                \
	F(str, address, OPT, 1, ADMIN_ADDRESS_CHARS_MAX,                       \
	  "An address, or a range such as `192.0.2.0/24` or "                  \
	  "`2001:db8::/32`.")                                                  \
	ADMIN_FOR_PARAM(F)                                                     \
	ADMIN_TEXT_PARAM(F, OPT, "Why, for whom it keeps out.")
#define ADMIN_UNBAN_PARAMS(F)                                                  \
	F(int, ban, REQ, 1, INT64_MAX, "Number of the ban.")                   \
	ADMIN_TEXT_PARAM(F, OPT, "Why, for the audit trail.")
#define ADMIN_BANS_PARAMS(F) ADMIN_FIRST_PARAM(F)
#define ADMIN_MUTE_PARAMS(F)                                                   \
	ADMIN_PLAYER_PARAM(F)                                                  \
	ADMIN_FOR_PARAM(F)                                                     \
	ADMIN_TEXT_PARAM(F, OPT, "Why, for the audit trail.")
#define ADMIN_UNMUTE_PARAMS(F)                                                 \
	ADMIN_PLAYER_PARAM(F)                                                  \
	ADMIN_TEXT_PARAM(F, OPT, "Why, for the audit trail.")
#define ADMIN_LOGIN_PARAM(F) F(str, login, REQ, 2, 20, "Login of the account.")
#define ADMIN_BOT_TOKEN_PARAMS(F)                                              \
	F(str, login, REQ, 2, 20, "Login of the bot, which is its account.")   \
	F(str, name, OPT, 2, 20, "Name of a new bot; its login if not there.")
#define ADMIN_BOT_REVOKE_PARAMS(F) ADMIN_LOGIN_PARAM(F)
#define ADMIN_RESET_PARAMS(F)      ADMIN_LOGIN_PARAM(F)

#define ADMIN_REPORTS_PARAMS(F) ADMIN_FIRST_PARAM(F)
#define ADMIN_CLOSE_REPORT_PARAMS(F)                                           \
	F(int, report, REQ, 1, INT64_MAX, "Number of the report.")             \
	ADMIN_TEXT_PARAM(F, OPT, "What came of it, for the audit trail.")

#define ADMIN_CHOICES(C)                                                       \
	C(ending, ENDING_VALUES)                                               \
	C(clock_of, CLOCK_OF_VALUES)                                           \
	C(script, SCRIPT_VALUES)
#define SCRIPT_VALUES(V)                                                       \
	V(SCRIPT_POLICY, "policy")                                             \
	V(SCRIPT_PERSONALITY, "personality")
#define CLOCK_OF_VALUES(V)                                                     \
	V(CLOCK_OF_WHITE, "white")                                             \
	V(CLOCK_OF_BLACK, "black")
#define ENDING_VALUES(V)                                                       \
	V(ENDING_WHITE, "white")                                               \
	V(ENDING_BLACK, "black")                                               \
	V(ENDING_DRAW, "draw")                                                 \
	V(ENDING_NONE, "none")

#endif
