/* SPDX-License-Identifier: MIT
 * objects_chat.h - shapes about talk, see objects.h. */
#ifndef PLYD_PROTO_OBJECTS_CHAT_H
#define PLYD_PROTO_OBJECTS_CHAT_H

#define CHAT_OBJECTS(O)                                                        \
	O(CHAT_ENTRY, "chat_entry", "A line of a chat.")                       \
	O(CHAT_SAID, "chat_said", "What chat.send answers.")                   \
	O(CHAT, "chat", "What chat.get answers.")                              \
	O(CHAT_HEARD, "chat_heard", "A line, and where it was said.")          \
	O(CHAT_SWITCHED, "chat_switched", "Whether the players may talk.")     \
	O(BLOCKS, "blocks", "What block.list answers.")                        \
	O(BLOCKED, "blocked", "A player whom you block.")

#define CHAT_ENTRY_FIELDS(P)                                                   \
	P(number, "int",                                                       \
	  "1, 2, 3 and so on in its channel; lines that you may not see "      \
	  "leave holes. It begins anew when the server was started.")          \
	P(player, "id?", "Who said it; not there for a personality.")          \
	P(name, "str", "His name.")                                            \
	P(kind, "person|bot|personality", "What he is.")                       \
	P(text, "str", "What he said; words of the operator's list are `*`.")  \
	P(at_unix_ms, "int", "When, in ms since 1970.")

#define CHAT_SAID_FIELDS(P)                                                    \
	P(line, "chat_entry", "The line.")                                     \
	P(duplicate, "bool", "True: the key had been used; not said again.")

#define CHAT_FIELDS(P)                                                         \
	P(channel, "lobby|players|spectators", "Where you are.")               \
	P(on, "bool", "False: one of the players has ended the talk.")         \
	P(lines, "[chat_entry]",                                               \
	  "The last lines, at most 20, the oldest "                            \
	  "first.")

#define CHAT_HEARD_FIELDS(P)                                                   \
	P(channel, "lobby|players|spectators", "In which channel.")            \
	P(lobby, "id?", "In which lobby.")                                     \
	P(match, "id?", "In which match.")                                     \
	P(line, "chat_entry", "The line.")

#define CHAT_SWITCHED_FIELDS(P)                                                \
	P(match, "id", "The match.")                                           \
	P(on, "bool", "Whether its players may talk.")

#define BLOCKS_FIELDS(P) P(players, "[blocked]", "The oldest first.")

#define BLOCKED_FIELDS(P)                                                      \
	P(player, "id", "Who.")                                                \
	P(name, "str?", "His name, if he is known here.")

#endif
