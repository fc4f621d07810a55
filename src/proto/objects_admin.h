/* SPDX-License-Identifier: MIT
 * objects_admin.h - what the operator's methods answer, see objects.h. */
#ifndef PLYD_PROTO_OBJECTS_ADMIN_H
#define PLYD_PROTO_OBJECTS_ADMIN_H

#define ADMIN_OBJECTS(O)                                                       \
	O(NOTICE, "notice", "The operator's words to everybody.")              \
	O(ADMIN_STATUS, "admin_status", "What admin.status answers.")          \
	O(ADMIN_STATS, "admin_stats", "What admin.stats answers.")             \
	O(ADMIN_STAT, "admin_stat", "A number of the server.")                 \
	O(ADMIN_PLAYERS, "admin_players", "What admin.players answers.")       \
	O(ADMIN_PLAYER, "admin_player", "A player, as the operator sees him.") \
	O(ADMIN_MATCHES, "admin_matches", "What admin.matches answers.")       \
	O(ADMIN_MATCH_LINE, "admin_match_line", "A match in that list.")       \
	O(ADMIN_DONE, "admin_done", "It was done.")                            \
	O(ADMIN_BACKUP, "admin_backup", "A backup was made.")                  \
	O(ADMIN_WELCOME, "admin_welcome", "What admin.login answers.")         \
	O(ADMIN_TOKENS, "admin_tokens", "What admin.tokens answers.")          \
	O(ADMIN_TOKEN, "admin_token", "An operator who may come in.")          \
	O(ADMIN_AUDIT, "admin_audit", "What admin.audit answers.")             \
	O(ADMIN_ACT, "admin_act", "A line of the audit trail.")                \
	O(ADMIN_BANS, "admin_bans", "What admin.bans answers.")                \
	O(ADMIN_BAN, "admin_ban", "Somebody who is kept out.")                 \
	O(ADMIN_RELOAD, "admin_reload", "What admin.reload answers.")          \
	O(ADMIN_REPORTS, "admin_reports", "What admin.reports answers.")       \
	O(ADMIN_REPORT, "admin_report", "What a player told about another.")

#define NOTICE_FIELDS(P)                                                       \
	P(kind, "message|shutdown|cancelled",                                  \
	  "`message`: just words. `shutdown`: the server stops in `in_ms`; "   \
	  "matches go on after its start, so resume then. `cancelled`: it "    \
	  "does not stop after all.")                                          \
	P(text, "str", "The operator's words; may be empty.")                  \
	P(in_ms, "int?", "`shutdown`: when.")                                  \
	P(retry_after_ms, "int?",                                              \
	  "`shutdown`: when the server should be there again.")

#define ADMIN_STATUS_FIELDS(P)                                                 \
	P(version, "str", "Version of the server.")                            \
	P(uptime_ms, "int", "Since its start.")                                \
	P(writable, "bool", "Whether the journal takes what happens.")         \
	P(draining, "bool", "Whether no new matches begin.")                   \
	P(stops_in_ms, "int?", "Until it stops, if it was told to.")           \
	P(connections, "int", "Connections, of operators too.")                \
	P(sessions, "int", "Those that have said hello.")                      \
	P(players, "int", "Players known.")                                    \
	P(lobbies, "int", "Lobbies.")                                          \
	P(matches, "int", "Matches that are not over.")                        \
	P(waiting, "int", "Messages that wait for the journal.")               \
	P(waiting_bytes, "int", "Their bytes.")                                \
	P(requests, "int", "Requests since the start.")                        \
	P(refused, "int", "Those that got an error.")                          \
	P(facts, "int", "Facts journalled since the start.")                   \
	P(reports, "int", "Reports that wait for you.")                        \
	P(quarantined, "[str]",                                                \
	  "Scripts that failed too often, such as `policy own`: they are not " \
	  "asked until plyd reads them again.")

#define ADMIN_STATS_FIELDS(P)                                                  \
	P(stats, "[admin_stat]",                                               \
	  "All there are, but for those with labels and a name that ends in "  \
	  "`_total` that are 0.")

#define ADMIN_STAT_FIELDS(P)                                                   \
	P(name, "str",                                                         \
	  "As /metrics has it. Of what is a histogram there `_count` and "     \
	  "`_sum`, and `_p50` and `_p99`: half of them, and 99 of 100, took "  \
	  "no longer.")                                                        \
	P(labels, "str?", "Such as `error=\"busy\"`.")                         \
	P(value, "str",                                                        \
	  "The number, or `more`: more than the longest time that is told.")   \
	P(since, "start|now", "Since when it was counted.")

#define ADMIN_PLAYERS_FIELDS(P)                                                \
	P(players, "[admin_player]", "At most 200, the oldest first.")         \
	P(total, "int", "Those there are.")

#define ADMIN_PLAYER_FIELDS(P)                                                 \
	P(id, "id", "His id.")                                                 \
	P(name, "str", "His name.")                                            \
	P(kind, "person|bot|personality", "What decides his moves.")           \
	P(online, "bool", "Whether he is connected.")                          \
	P(address, "str?", "From where, if he is.")                            \
	P(lobbies, "int", "Lobbies that he sits in.")                          \
	P(matches, "int", "Matches that he plays.")                            \
	P(muted_until_unix_ms, "int?", "Until when he may not chat.")

#define ADMIN_MATCHES_FIELDS(P)                                                \
	P(matches, "[admin_match_line]", "At most 200, the oldest first.")     \
	P(total, "int", "Those there are.")

#define ADMIN_MATCH_LINE_FIELDS(P)                                             \
	P(match, "id", "Its id.")                                              \
	P(state, "nonces|playing|over|frozen", "As in a match.")               \
	P(ruleset, "str", "Its rules.")                                        \
	P(white, "player", "White.")                                           \
	P(black, "player", "Black.")                                           \
	P(ply, "int", "Half-moves played.")                                    \
	P(watchers, "int", "Spectators.")

#define ADMIN_BANS_FIELDS(P)                                                   \
	P(bans, "[admin_ban]", "At most 200, the oldest first.")               \
	P(total, "int", "Those there are.")

#define ADMIN_BAN_FIELDS(P)                                                    \
	P(ban, "int", "Its number.")                                           \
	P(kind, "player|name|address", "What it keeps out.")                   \
	P(target, "str", "A player's id, a name, a range of addresses.")       \
	P(at_unix_ms, "int", "Since when, in ms since 1970.")                  \
	P(until_unix_ms, "int?", "Until when, if it ends by itself.")          \
	P(over, "bool", "True: it has ended.")                                 \
	P(text, "str", "What those are told; may be empty.")

#define ADMIN_REPORTS_FIELDS(P)                                                \
	P(reports, "[admin_report]", "At most 50, the oldest first.")          \
	P(total, "int", "Those there are.")

#define ADMIN_REPORT_FIELDS(P)                                                 \
	P(report, "int", "Its number.")                                        \
	P(at_unix_ms, "int", "When, in ms since 1970.")                        \
	P(reason, "abuse|spam|cheating|stalling|name|other", "Why.")           \
	P(player, "id", "About whom.")                                         \
	P(player_name, "str", "His name then.")                                \
	P(reporter, "id", "Who tells.")                                        \
	P(reporter_name, "str", "His name then.")                              \
	P(match, "id?", "The match that it is about.")                         \
	P(lobby, "id?", "The lobby.")                                          \
	P(text, "str", "His words; may be empty.")                             \
	P(evidence, "[str]",                                                   \
	  "The last lines that the reporter could read there, as `name (id): " \
	  "text`; words of your list are `*` in them.")

#define ADMIN_RELOAD_FIELDS(P)                                                 \
	P(audit, "int", "Number of its line in the trail.")                    \
	P(changed, "[str]",                                                    \
	  "What is new, or has another version now, such as "                  \
	  "`policy own 0a1b2c3d4e5f`.")                                        \
	P(gone, "[str]", "What is not on offer any more.")                     \
	P(problems, "[str]",                                                   \
	  "Files that are wrong, at most 32, such as "                         \
	  "`policies/own.lua:3: what was expected`.")

#define ADMIN_WELCOME_FIELDS(P)                                                \
	P(name, "str", "Whose token it is.")                                   \
	P(version, "str", "Version of the server.")

#define ADMIN_TOKENS_FIELDS(P)                                                 \
	P(tokens, "[admin_token]", "The oldest first.")                        \
	P(total, "int", "Those there are.")

#define ADMIN_TOKEN_FIELDS(P)                                                  \
	P(name, "str", "Whose.")                                               \
	P(at_unix_ms, "int", "Since when, in ms since 1970.")                  \
	P(until_unix_ms, "int?", "Until when, if it ends by itself.")          \
	P(over, "bool", "True: it has ended.")

#define ADMIN_BACKUP_FIELDS(P)                                                 \
	P(audit, "int", "Number of its line in the trail.")                    \
	P(file, "str", "The file.")                                            \
	P(bytes, "int", "Its length.")                                         \
	P(took_ms, "int", "How long that took.")

#define ADMIN_DONE_FIELDS(P) P(audit, "int", "Number of its line in the trail.")

#define ADMIN_AUDIT_FIELDS(P)                                                  \
	P(acts, "[admin_act]", "At most 200, the newest first.")               \
	P(total, "int",                                                        \
	  "Those kept; the server keeps the last 500, and its log all.")

#define ADMIN_ACT_FIELDS(P)                                                    \
	P(audit, "int", "Its number: 1, 2, 3 and so on.")                      \
	P(at_unix_ms, "int", "When, in ms since 1970.")                        \
	P(act, "str", "What: the method without `admin.`.")                    \
	P(by, "str?", "Whose token it was; on the socket there is none.")      \
	P(target, "str", "Whom or what it was about; may be empty.")           \
	P(text, "str", "What was said with it; may be empty.")

#endif
