/* SPDX-License-Identifier: MIT
 * methods_chat.h - the part of the table of methods about talk, and about
 * players who do not want each other; see methods.h. */
#ifndef PLYD_PROTO_METHODS_CHAT_H
#define PLYD_PROTO_METHODS_CHAT_H

enum { TEXT_CHARS_MAX = 300 };

#define CHAT_METHODS(M)                                                        \
	M(110, CHAT_SEND, chat_send, "chat.send", READY, ORDERED, CHAT_SAID,   \
	  "Says something in a lobby or a match; give just one of the two. "   \
	  "In a lobby its seats hear it. In a match there are two channels: "  \
	  "what a player says his opponent hears, what a spectator says the "  \
	  "other spectators. What a personality says both hear; spectators "   \
	  "of a match with a delay do not.")                                   \
	M(111, CHAT_GET, chat_get, "chat.get", READY, ORDERED, CHAT,           \
	  "Shows the last lines of the channel that you are in. Each line "    \
	  "after them comes as `chat.line`.")                                  \
	M(112, CHAT_SWITCH, chat_switch, "chat.switch", READY, ORDERED,        \
	  NOTHING,                                                             \
	  "Ends the talk of the players of a match, or allows it again. It "   \
	  "is on while neither of them has ended it.")                         \
	M(113, BLOCK_ADD, block_add, "block.add", READY, ORDERED, NOTHING,     \
	  "Blocks a player: neither of you hears the other any more, and he "  \
	  "cannot join your lobbies. He is not told. At most 100.")            \
	M(114, BLOCK_REMOVE, block_remove, "block.remove", READY, ORDERED,     \
	  NOTHING, "Takes that back.")                                         \
	M(115, BLOCK_LIST, block_list, "block.list", READY, ORDERED, BLOCKS,   \
	  "Lists whom you block.")                                             \
	M(116, REPORT_SEND, report_send, "report.send", READY, ORDERED,        \
	  NOTHING,                                                             \
	  "Tells the operator about a player. The last lines that you could "  \
	  "read in the lobby or match that you name are kept with it, for "    \
	  "the operator only. The same again is not a second report.")

#define ROOM_PARAMS(F)                                                         \
	F(id, lobby, OPT, 0, 0, "A lobby that you sit in.")                    \
	F(id, match, OPT, 0, 0, "A match that you play or watch.")

#define CHAT_SEND_PARAMS(F)                                                    \
	ROOM_PARAMS(F)                                                         \
	F(str, text, REQ, 1, TEXT_CHARS_MAX,                                   \
	  "What to say: one line, without control characters and without "     \
	  "characters that turn the direction of writing.")                    \
	F(str, key, OPT, 1, KEY_CHARS_MAX,                                     \
	  "Any text of yours. While the line is among the last ones, the "     \
	  "same key again gets the first answer instead of a second line, so " \
	  "that a retry is safe.")
#define CHAT_GET_PARAMS(F) ROOM_PARAMS(F)
#define CHAT_SWITCH_PARAMS(F)                                                  \
	MATCH_PARAM(F)                                                         \
	F(flag, on, REQ, 0, 0, "False ends it, true allows it again.")
#define BLOCK_ADD_PARAMS(F)    F(id, player, REQ, 0, 0, "Whom.")
#define BLOCK_REMOVE_PARAMS(F) F(id, player, REQ, 0, 0, "Whom.")
#define BLOCK_LIST_PARAMS(F)
#define REPORT_SEND_PARAMS(F)                                                  \
	F(id, player, REQ, 0, 0, "About whom.")                                \
	F(choice, reason, REQ, complaint, 0, "Why.")                           \
	F(id, match, OPT, 0, 0, "The match that it is about.")                 \
	F(id, lobby, OPT, 0, 0, "The lobby that it is about.")                 \
	F(str, text, OPT, 1, TEXT_CHARS_MAX, "What you would say to it.")

#define CHAT_CHOICES(C) C(complaint, COMPLAINT_VALUES)
#define COMPLAINT_VALUES(V)                                                    \
	V(COMPLAINT_ABUSE, "abuse")                                            \
	V(COMPLAINT_SPAM, "spam")                                              \
	V(COMPLAINT_CHEATING, "cheating")                                      \
	V(COMPLAINT_STALLING, "stalling")                                      \
	V(COMPLAINT_NAME, "name")                                              \
	V(COMPLAINT_OTHER, "other")

#define CHAT_NOTIFICATIONS(N)                                                  \
	N(CHAT_LINE, "chat.line", CHAT_HEARD,                                  \
	  "Somebody said something where you are; also your own lines, in "    \
	  "their order. It has no `seq`.")                                     \
	N(CHAT_SWITCHED, "chat.switched", CHAT_SWITCHED,                       \
	  "The talk of the players of a match was ended or allowed. Both get " \
	  "it.")

#endif
