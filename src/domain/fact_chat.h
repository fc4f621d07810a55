/* SPDX-License-Identifier: MIT
 * fact_chat.h - the facts about who is kept out and who is heard, and of what
 * operators did; a part of the table in fact.h. */
#ifndef PLYD_DOMAIN_FACT_CHAT_H
#define PLYD_DOMAIN_FACT_CHAT_H

#define FACT_BANNED_FIELDS(F)                                                  \
	F(num, ban, "Its number: that of its act.")                            \
	F(num, kind, "0 a player, 1 a name, 2 a range of addresses.")          \
	F(id, player, "Kind 0: who.")                                          \
	F(text, target, "His id, the name, the range.")                        \
	F(num, at_unix_ms, "Unix time in ms.")                                 \
	F(num, until_unix_ms, "Unix time in ms; 0 for ever.")                  \
	F(text, text, "Words for whom it keeps out, or empty.")
#define FACT_UNBANNED_FIELDS(F) F(num, ban, "Number of the ban.")
#define FACT_MUTED_FIELDS(F)                                                   \
	F(id, player, "Who is not heard.")                                     \
	F(num, until_unix_ms, "Unix time in ms; 0 not any more.")
#define FACT_BLOCKED_FIELDS(F)                                                 \
	F(id, player, "Who wants nothing to do")                               \
	F(id, other, "with whom.")
#define FACT_UNBLOCKED_FIELDS(F)                                               \
	F(id, player, "Who does not mind any more.")                           \
	F(id, other, "Whom.")
#define FACT_REPORTED_FIELDS(F)                                                \
	F(num, report, "Its number: that of its row.")                         \
	F(num, at_unix_ms, "Unix time in ms.")                                 \
	F(id, reporter, "Who tells.")                                          \
	F(text, reporter_name, "His name.")                                    \
	F(id, player, "About whom.")                                           \
	F(text, player_name, "His name.")                                      \
	F(id, match, "The match that it is about, or none.")                   \
	F(id, lobby, "The lobby, or none.")                                    \
	F(num, reason,                                                         \
	  "0 abuse, 1 spam, 2 cheating, 3 stalling, 4 name, "                  \
	  "5 other.")                                                          \
	F(text, text, "His words, or empty.")                                  \
	F(text, evidence, "The last lines that were said.")
#define FACT_REPORT_CLOSED_FIELDS(F) F(num, report, "Number of the report.")
#define FACT_REPORTS_COUNTED_FIELDS(F)                                         \
	F(id, player, "Who.")                                                  \
	F(num, day, "Unix time in days.")                                      \
	F(num, sent, "Reports that he sent on that day.")
#define FACT_CHAT_SWITCHED_FIELDS(F)                                           \
	F(id, player, "Who.")                                                  \
	F(id, match, "In which of his matches.")                               \
	F(flag, on, "False: he wants no talk there.")
#define FACT_AUDITED_FIELDS(F)                                                 \
	F(num, number, "1, 2, 3 and so on.")                                   \
	F(num, at_unix_ms, "Unix time in ms.")                                 \
	F(text, act, "What was done.")                                         \
	F(text, target, "Whom or what it was about, or empty.")                \
	F(text, text, "What was said with it, or empty.")                      \
	F(text, by, "Name of the operator's token; empty: on the socket.")

#define CHAT_FACTS(T)                                                          \
	T(60, BANNED, banned, GENERAL, "Somebody is kept out.")                \
	T(61, UNBANNED, unbanned, GENERAL, "A ban is no more.")                \
	T(62, MUTED, muted, GENERAL, "Somebody may not chat, or may again.")   \
	T(63, BLOCKED, blocked, GENERAL, "A player blocks another.")           \
	T(64, UNBLOCKED, unblocked, GENERAL, "He does so no more.")            \
	T(65, REPORTED, reported, GENERAL, "A player tells about another.")    \
	T(66, REPORT_CLOSED, report_closed, GENERAL,                           \
	  "The operator has looked at a report.")                              \
	T(67, AUDITED, audited, GENERAL, "An operator did something.")         \
	T(68, REPORTS_COUNTED, reports_counted, GENERAL,                       \
	  "How much a player reported; in snapshots only.")                    \
	T(69, CHAT_SWITCHED, chat_switched, GENERAL,                           \
	  "A player ended or allowed the talk of a match.")

#endif
