/* SPDX-License-Identifier: MIT
 * methods_meeting.h - protocol 1: the part of the one table by which players
 * meet, as methods.h has it, which includes this. */
#ifndef PLYD_PROTO_METHODS_MEETING_H
#define PLYD_PROTO_METHODS_MEETING_H

#define MEETING_METHODS(M)                                                     \
	M(90, LOBBY_INVITE, lobby_invite, "lobby.invite", READY, ORDERED,      \
	  LOBBY,                                                               \
	  "Invites a player to your lobby; he may join it by its id. A bot "   \
	  "that lets the server answer sits down at once, ready, or this is "  \
	  "`declined`.")                                                       \
	M(91, LOBBY_DECLINE, lobby_decline, "lobby.decline", READY, ORDERED,   \
	  NOTHING, "Declines the invitation to a lobby.")                      \
	M(92, LOBBY_KICK, lobby_kick, "lobby.kick", READY, ORDERED, LOBBY,     \
	  "The owner's: throws a player out of a lobby. He may not come back " \
	  "to it.")                                                            \
	M(93, LOBBY_UPDATE, lobby_update, "lobby.update", READY, ORDERED,      \
	  LOBBY,                                                               \
	  "The owner's: changes the terms. Nobody is ready then. What is not " \
	  "there stays; with a new ruleset, its clock.")                       \
	M(94, SEEK_CREATE, seek_create, "seek.create", READY, ORDERED, SEEK,   \
	  "Tells all what you would play: who accepts it plays you at once. "  \
	  "A seek is closed when you are away too long, and a person's when "  \
	  "a match of his begins.")                                            \
	M(95, SEEK_LIST, seek_list, "seek.list", READY, ORDERED, SEEK_LIST,    \
	  "Lists open seeks, challenges not.")                                 \
	M(96, SEEK_ACCEPT, seek_accept, "seek.accept", READY, ORDERED,         \
	  ACCEPTED,                                                            \
	  "Accepts a seek: its match begins. Again, it tells the same match.") \
	M(97, SEEK_CANCEL, seek_cancel, "seek.cancel", READY, ORDERED,         \
	  NOTHING, "Takes a seek of yours back.")                              \
	M(98, QUICK_JOIN, quick_join, "quick.join", READY, ORDERED, QUICK,     \
	  "Waits for a match against the nearest in rating who waits for the " \
	  "same. You wait for one at a time, on all your connections "         \
	  "together: the same again changes nothing, another replaces it.")    \
	M(99, QUICK_LEAVE, quick_leave, "quick.leave", READY, ORDERED,         \
	  NOTHING, "Waits no more.")                                           \
	M(100, QUICK_STATUS, quick_status, "quick.status", READY, ORDERED,     \
	  QUICK, "Says how long you wait, and why nobody was found.")          \
	M(101, CHALLENGE_SEND, challenge_send, "challenge.send", READY,        \
	  ORDERED, SEEK,                                                       \
	  "Asks one player, by `player` or `name`. A challenge of his to you " \
	  "on the same terms makes one match of both. A bot that lets the "    \
	  "server answer plays at once, or this is `declined`.")               \
	M(102, CHALLENGE_ACCEPT, challenge_accept, "challenge.accept", READY,  \
	  ORDERED, ACCEPTED,                                                   \
	  "Accepts a challenge: its match begins. Again, it tells the same "   \
	  "match.")                                                            \
	M(103, CHALLENGE_DECLINE, challenge_decline, "challenge.decline",      \
	  READY, ORDERED, NOTHING, "Declines a challenge, with a word why.")   \
	M(104, CHALLENGE_CANCEL, challenge_cancel, "challenge.cancel", READY,  \
	  ORDERED, NOTHING, "Takes a challenge of yours back.")                \
	M(105, BOT_POLICY, bot_policy, "bot.policy", READY, ORDERED,           \
	  BOT_POLICY,                                                          \
	  "A bot's: what it takes. The server then answers challenges and "    \
	  "invitations for it. It ends what bot.finish began.")                \
	M(106, BOT_FINISH, bot_finish, "bot.finish", READY, ORDERED,           \
	  BOT_POLICY,                                                          \
	  "A bot's: it takes no new matches, its seeks and lobby seats are "   \
	  "given up, and `bot.finished` comes when its last match is over.")   \
	M(107, BOT_LIST, bot_list, "bot.list", READY, ORDERED, PLAYERS_LIST,   \
	  "Lists the bots that are here, and what they take.")                 \
	M(108, PLAYERS_LIST, players_list, "players.list", READY, ORDERED,     \
	  PLAYERS_LIST, "Lists who is here, people first.")                    \
	M(109, PLAYER_GET, player_get, "player.get", READY, ORDERED,           \
	  PLAYER_INFO, "Shows one player, by `player` or `name`.")

/* ---- parameters -------------------------------------------------------- */

enum {
	RATING_SOUGHT_MAX = 4000,
	BOT_RULESETS_CHARS_MAX = 400,
	BOT_SPEEDS_CHARS_MAX = 64
};

#define WHOM_PARAMS(F)                                                         \
	F(id, player, OPT, 0, 0, "Who, by his id.")                            \
	F(str, name, OPT, NAME_CHARS_MIN, NAME_CHARS_MAX,                      \
	  "Who, by his name, if it is the name of just one who is here.")
#define RATED_PARAM(F)                                                         \
	F(flag, rated, OPT, 0, 0,                                              \
	  "True: it counts for ratings. Both players need an account.")
#define MEET_KEY_PARAM(F)                                                      \
	F(str, key, OPT, 1, KEY_CHARS_MAX,                                     \
	  "Any text of yours. The same key again makes no second one, so "     \
	  "that a retry is safe: it shows the first, or the error's `match` "  \
	  "is what it has become.")
#define SEEK_PARAM(F) F(id, seek, REQ, 0, 0, "The seek or challenge.")

#define LOBBY_INVITE_PARAMS(F)                                                 \
	LOBBY_PARAM(F)                                                         \
	WHOM_PARAMS(F)
#define LOBBY_DECLINE_PARAMS(F) LOBBY_PARAM(F)
#define LOBBY_KICK_PARAMS(F)                                                   \
	LOBBY_PARAM(F)                                                         \
	WHOM_PARAMS(F)
#define LOBBY_UPDATE_PARAMS(F)                                                 \
	LOBBY_PARAM(F)                                                         \
	RULESET_PARAM(F, OPT)                                                  \
	F(choice, side, OPT, wish, 0, "The side you want; `any` leaves it.")   \
	CLOCK_PARAMS(F)                                                        \
	LENGTH_PARAM(F)                                                        \
	RATED_PARAM(F)
#define SEEK_CREATE_PARAMS(F)                                                  \
	RULESET_PARAM(F, REQ)                                                  \
	SIDE_PARAM(F)                                                          \
	F(choice, opponent, OPT, partner, 0,                                   \
	  "Whom you want to play; `anyone` if not there.")                     \
	CLOCK_PARAMS(F)                                                        \
	LENGTH_PARAM(F)                                                        \
	RATED_PARAM(F)                                                         \
	F(int, rating_min, OPT, 0, RATING_SOUGHT_MAX, "His least rating.")     \
	F(int, rating_max, OPT, 0, RATING_SOUGHT_MAX, "His greatest rating.")  \
	MEET_KEY_PARAM(F)
#define SEEK_LIST_PARAMS(F)                                                    \
	LIST_PARAMS(F)                                                         \
	JOINABLE_PARAM(F)                                                      \
	AFTER_PARAM(F)
#define SEEK_ACCEPT_PARAMS(F) SEEK_PARAM(F)
#define SEEK_CANCEL_PARAMS(F) SEEK_PARAM(F)
#define QUICK_JOIN_PARAMS(F)                                                   \
	RULESET_PARAM(F, REQ)                                                  \
	F(choice, speed, OPT, speed, 0,                                        \
	  "Any clock of this class, instead of a clock.")                      \
	CLOCK_PARAMS(F)                                                        \
	RATED_PARAM(F)                                                         \
	F(flag, bots, OPT, 0, 0, "True: a bot is welcome too.")
#define QUICK_LEAVE_PARAMS(F)
#define QUICK_STATUS_PARAMS(F)
#define CHALLENGE_SEND_PARAMS(F)                                               \
	WHOM_PARAMS(F)                                                         \
	RULESET_PARAM(F, REQ)                                                  \
	SIDE_PARAM(F)                                                          \
	CLOCK_PARAMS(F)                                                        \
	LENGTH_PARAM(F)                                                        \
	RATED_PARAM(F)                                                         \
	F(str, position, OPT, 1, POSITION_CHARS_MAX,                           \
	  "Where the match begins, in a game without dice; it is unrated.")    \
	MEET_KEY_PARAM(F)
#define CHALLENGE_ACCEPT_PARAMS(F) SEEK_PARAM(F)
#define CHALLENGE_DECLINE_PARAMS(F)                                            \
	SEEK_PARAM(F)                                                          \
	F(choice, word, OPT, decline, 0, "Why; `no` if not there.")
#define CHALLENGE_CANCEL_PARAMS(F) SEEK_PARAM(F)
#define BOT_POLICY_PARAMS(F)                                                   \
	F(flag, answers, OPT, 0, 0,                                            \
	  "Whether the server answers for you; true if not there.")            \
	F(str, rulesets, OPT, 1, BOT_RULESETS_CHARS_MAX,                       \
	  "Names of rulesets with a space between; without it all.")           \
	F(str, speeds, OPT, 1, BOT_SPEEDS_CHARS_MAX,                           \
	  "Speed classes with a space between; without it all.")               \
	F(flag, rated, OPT, 0, 0, "Only rated matches, or only unrated ones.") \
	F(choice, opponent, OPT, partner, 0, "Whom you take; without it all.") \
	F(int, at_once, OPT, 1, 1000, "The most matches at a time.")
#define BOT_FINISH_PARAMS(F)
#define BOT_LIST_PARAMS(F) AFTER_PARAM(F)
#define PLAYERS_LIST_PARAMS(F)                                                 \
	F(choice, kind, OPT, kind, 0, "Only people, or only bots.")            \
	AFTER_PARAM(F)
#define PLAYER_GET_PARAMS(F) WHOM_PARAMS(F)

#define MEETING_CHOICES(C)                                                     \
	C(access, ACCESS_VALUES)                                               \
	C(partner, PARTNER_VALUES)                                             \
	C(decline, DECLINE_VALUES)                                             \
	C(kind, KIND_VALUES)
#define ACCESS_VALUES(V)                                                       \
	V(ACCESS_PUBLIC, "public")                                             \
	V(ACCESS_CODE, "code")                                                 \
	V(ACCESS_INVITED, "invited")
#define PARTNER_VALUES(V)                                                      \
	V(PARTNER_ANYONE, "anyone")                                            \
	V(PARTNER_PERSON, "person")                                            \
	V(PARTNER_BOT, "bot")
/* in the order of the domain's enum, which request_meeting.c checks */
#define DECLINE_VALUES(V)                                                      \
	V(SAY_NO, "no")                                                        \
	V(SAY_LATER, "later")                                                  \
	V(SAY_BUSY, "busy")                                                    \
	V(SAY_RULESET, "ruleset")                                              \
	V(SAY_CLOCK, "clock")                                                  \
	V(SAY_RATED, "rated")                                                  \
	V(SAY_OPPONENT, "opponent")
#define KIND_VALUES(V)                                                         \
	V(WANT_PEOPLE, "person")                                               \
	V(WANT_BOTS, "bot")

/* ---- notifications ----------------------------------------------------- */

#define MEETING_NOTIFICATIONS(N)                                               \
	N(LOBBY_INVITED, "lobby.invited", LOBBY,                               \
	  "You are invited to this lobby: lobby.join or lobby.decline.")       \
	N(LOBBY_DECLINED, "lobby.declined", LOBBY_DECLINED,                    \
	  "Whom you have invited does not come.")                              \
	N(CHALLENGE_RECEIVED, "challenge.received", SEEK,                      \
	  "You are challenged: challenge.accept or challenge.decline.")        \
	N(SEEK_CLOSED, "seek.closed", SEEK_CLOSED,                             \
	  "A seek of yours, or a challenge by or to you, is no more.")         \
	N(QUICK_WAITING, "quick.waiting", QUICK,                               \
	  "You still wait for a quick match; your range has widened.")         \
	N(BOT_FINISHED, "bot.finished", NOTHING,                               \
	  "After bot.finish: your last match is over.")

#endif
