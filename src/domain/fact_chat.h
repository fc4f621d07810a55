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
#define FACT_AUDITED_FIELDS(F)                                                 \
	F(num, number, "1, 2, 3 and so on.")                                   \
	F(num, at_unix_ms, "Unix time in ms.")                                 \
	F(text, act, "What was done.")                                         \
	F(text, target, "Whom or what it was about, or empty.")                \
	F(text, text, "What was said with it, or empty.")

#define CHAT_FACTS(T)                                                          \
	T(60, BANNED, banned, GENERAL, "Somebody is kept out.")                \
	T(61, UNBANNED, unbanned, GENERAL, "A ban is no more.")                \
	T(62, MUTED, muted, GENERAL, "Somebody may not chat, or may again.")   \
	T(67, AUDITED, audited, GENERAL, "An operator did something.")

#endif
