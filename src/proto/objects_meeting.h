/* SPDX-License-Identifier: MIT
 * objects_meeting.h - protocol 1: the shapes of what players see where they
 * meet, as objects.h has it, which includes this. */
#ifndef PLYD_PROTO_OBJECTS_MEETING_H
#define PLYD_PROTO_OBJECTS_MEETING_H

#define MEETING_OBJECTS(O)                                                     \
	O(LOBBY_DECLINED, "lobby_declined", "An invitation was declined.")     \
	O(SEEK, "seek", "Somebody wants to play: a seek, or a challenge.")     \
	O(SEEK_LIST, "seek_list", "What seek.list answers.")                   \
	O(SEEK_CLOSED, "seek_closed", "Why a seek or challenge is no more.")   \
	O(ACCEPTED, "accepted", "The match that began.")                       \
	O(QUICK, "quick", "Waiting for a quick match.")                        \
	O(BOT_POLICY, "bot_policy", "What a bot takes.")                       \
	O(PLAYERS_LIST, "players_list", "Who is here.")                        \
	O(PLAYER_INFO, "player_info", "A player, and what he plays.")          \
	O(PLAYING, "playing", "A match that somebody plays.")

#define LOBBY_DECLINED_FIELDS(P)                                               \
	P(lobby, "id", "The lobby.")                                           \
	P(player, "player", "Who declined.")

#define SEEK_FIELDS(P)                                                         \
	P(seek, "id", "Its id.")                                               \
	P(by, "player", "Who made it.")                                        \
	P(to, "player?", "Whom it challenges; not there in a seek.")           \
	P(rating, "int?", "Rating of who made it, in a seek.")                 \
	P(ruleset, "str", "The rules of its match.")                           \
	P(clock, "time", "Its clock,")                                         \
	P(speed, "bullet|blitz|rapid|classical|correspondence",                \
	  "and the speed class of that.")                                      \
	P(side, "white|black|any", "Side of who made it; `any`: by lot.")      \
	P(opponent, "anyone|person|bot", "Who may accept.")                    \
	P(rated, "bool", "Whether its match counts for ratings.")              \
	P(match_length, "int?",                                                \
	  "Points that win it, if it is a match of several games.")            \
	P(rating_min, "int?", "Least rating of who accepts.")                  \
	P(rating_max, "int?", "Greatest rating of who accepts.")               \
	P(position, "str?", "Where its match begins, if not at the start.")    \
	P(left_ms, "int?", "A challenge: it lapses after so long.")            \
	P(match, "id?", "Its match, if that began at once.")

#define SEEK_LIST_FIELDS(P)                                                    \
	P(seeks, "[seek]", "Seeks, the oldest first.")                         \
	P(total, "int",                                                        \
	  "Seeks of the ruleset, or all; `seeks` may show fewer.")             \
	P(next, "id?", "Where the next page begins, if there may be one.")

#define SEEK_CLOSED_FIELDS(P)                                                  \
	P(seek, "id", "The seek or challenge.")                                \
	P(reason,                                                              \
	  "accepted|cancelled|declined|lapsed|away|playing|finishing|"         \
	  "displaced",                                                         \
	  "`away`: one of you was away too long; `playing`: a match of its "   \
	  "maker has begun; `finishing`: a bot takes no new matches; "         \
	  "`displaced`: a challenge of a guest made room for another one.")    \
	P(word, "no|later|busy|ruleset|clock|rated|opponent?",                 \
	  "`declined`: why.")                                                  \
	P(text, "str?", "The same as a sentence.")                             \
	P(match, "id?", "`accepted`: the match.")

#define ACCEPTED_FIELDS(P) P(match, "id", "The match.")

#define QUICK_FIELDS(P)                                                        \
	P(waiting, "bool", "Whether you wait.")                                \
	P(match, "id?", "quick.join: the match that began at once.")           \
	P(ruleset, "str?", "For which rules,")                                 \
	P(clock, "time?", "with which clock,")                                 \
	P(any_clock, "bool?", "or any of its class,")                          \
	P(rated, "bool?", "rated or not,")                                     \
	P(bots, "bool?", "and whether a bot would do.")                        \
	P(waited_ms, "int?", "Since when.")                                    \
	P(others, "int?", "How many others wait for these rules.")             \
	P(range, "int?", "How far off in rating he may be by now.")            \
	P(reason, "alone|terms|bots_only|range|repeat?",                       \
	  "Why nobody was found. `alone`: nobody else waits for these rules. " \
	  "`terms`: others want another clock, or rated or not. `bots_only`: " \
	  "bots are not welcome to one of you. `range`: nobody is near "       \
	  "enough "                                                            \
	  "in rating yet. `repeat`: only your last opponent fits, and others " \
	  "wait.")

#define BOT_POLICY_FIELDS(P)                                                   \
	P(answers, "bool", "Whether the server answers for it.")               \
	P(rulesets, "[str]", "Rulesets it plays; empty: all.")                 \
	P(speeds, "[str]", "Speed classes it plays; empty: all.")              \
	P(rated, "bool?", "Rated only, or unrated only; not there: both.")     \
	P(opponent, "anyone|person|bot", "Whom it plays.")                     \
	P(at_once, "int?", "The most matches at a time.")                      \
	P(finishing, "bool", "Whether it takes no new matches.")

#define PLAYERS_LIST_FIELDS(P)                                                 \
	P(players, "[player_info]", "Players, who came first first.")          \
	P(total, "int", "How many are here.")                                  \
	P(next, "id?", "Where the next page begins, if there may be one.")

#define PLAYER_INFO_FIELDS(P)                                                  \
	P(id, "id", "His id.")                                                 \
	P(name, "str", "His name.")                                            \
	P(kind, "person|bot", "What decides his moves.")                       \
	P(online, "bool", "Whether he is here.")                               \
	P(matches, "int", "How many matches he plays.")                        \
	P(playing, "[playing]", "Some of them: those that may be watched.")    \
	P(bot, "bot_policy?", "What it takes, if it is a bot.")

#define PLAYING_FIELDS(P)                                                      \
	P(match, "id", "The match.")                                           \
	P(ruleset, "str", "Its rules.")                                        \
	P(side, "white|black", "His side.")

#endif
