/* SPDX-License-Identifier: MIT
 * Examples of meeting: invitations, seeks, challenges, quick matches, bots. */
#include "proto/protodoc_priv.h"

#include <stddef.h>

#define CLOCK                                                                  \
	"\"clock\": {\"kind\": \"fischer\", \"base_ms\": 180000,\n"            \
	"  \"increment_ms\": 2000, \"delay_ms\": 0, \"unlimited\": false}"
#define ADA "{\"id\": \"abcdefghij\", \"name\": \"Ada\", \"kind\": \"bot\"}"
#define BOB "{\"id\": \"qrstuvwxyz\", \"name\": \"Bob\", \"kind\": \"person\"}"
#define LOBBY                                                                  \
	"{\"lobby\": \"k3v5q7mzab\", \"ruleset\": \"english\",\n"              \
	" \"private\": true, \"access\": \"invited\", \"spectators\": true,\n" \
	" \"opponent\": \"anyone\", \"spectator_delay_ms\": 0,\n " CLOCK ",\n" \
	" \"speed\": \"blitz\", \"rated\": false, \"owner\": "                 \
	"\"qrstuvwxyz\",\n"                                                    \
	" \"white\": {\"player\": \"qrstuvwxyz\", \"name\": \"Bob\",\n"        \
	"  \"kind\": \"person\", \"ready\": true, \"online\": true},\n"        \
	" \"black\": null, \"invited\": [" ADA "]}"
#define SEEK_BODY                                                              \
	"\"by\": " BOB ",\n \"ruleset\": \"english\", " CLOCK ",\n"            \
	" \"speed\": \"blitz\", \"side\": \"any\", \"opponent\": "             \
	"\"anyone\",\n"                                                        \
	" \"rated\": false"
#define SEEK "{\"seek\": \"s2e4e6k7aa\", \"rating\": 1500,\n " SEEK_BODY "}"
#define CHALLENGE                                                              \
	"{\"seek\": \"c2h4a6l7aa\", \"to\": " ADA ",\n " SEEK_BODY ",\n"       \
	" \"left_ms\": 120000}"
#define SEEK_ONLY      "{\"seek\": \"s2e4e6k7aa\"}"
#define CHALLENGE_ONLY "{\"seek\": \"c2h4a6l7aa\"}"
#define QUICK                                                                  \
	"{\"waiting\": true, \"ruleset\": \"english\", " CLOCK ",\n"           \
	" \"any_clock\": true, \"rated\": false, \"bots\": false,\n"           \
	" \"waited_ms\": 5000, \"others\": 2, \"range\": 200,\n"               \
	" \"reason\": \"range\"}"
#define POLICY                                                                 \
	"{\"answers\": true, \"rulesets\": [\"english\", \"turkish\"],\n"      \
	" \"speeds\": [\"blitz\"], \"opponent\": \"anyone\", \"at_once\": "    \
	"4,\n"                                                                 \
	" \"finishing\": false}"
#define BOT                                                                    \
	"{\"id\": \"abcdefghij\", \"name\": \"Ada\", \"kind\": \"bot\",\n"     \
	" \"online\": true, \"matches\": 1,\n"                                 \
	" \"playing\": [{\"match\": \"m2n4p6r7st\",\n"                         \
	"  \"ruleset\": \"english\", \"side\": \"black\"}],\n"                 \
	" \"bot\": " POLICY "}"

const struct example meeting_examples[] = {
	{ "lobby.invite",
	  "{\"lobby\": \"k3v5q7mzab\", \"player\": \"abcdefghij\"}", LOBBY },
	{ "lobby.decline", "{\"lobby\": \"k3v5q7mzab\"}", "{}" },
	{ "lobby.kick",
	  "{\"lobby\": \"k3v5q7mzab\", \"player\": \"ghijklmnop\"}", LOBBY },
	{ "lobby.update",
	  "{\"lobby\": \"k3v5q7mzab\", \"base_ms\": 180000,\n"
	  " \"increment_ms\": 2000}",
	  LOBBY },
	{ "seek.create",
	  "{\"ruleset\": \"english\", \"base_ms\": 180000,\n"
	  " \"increment_ms\": 2000, \"key\": \"b1\"}",
	  SEEK },
	{ "seek.list", "{\"ruleset\": \"english\", \"joinable\": true}",
	  "{\"seeks\": [" SEEK "], \"total\": 1}" },
	{ "seek.accept", SEEK_ONLY, "{\"match\": \"m2n4p6r7st\"}" },
	{ "seek.cancel", SEEK_ONLY, "{}" },
	{ "quick.join", "{\"ruleset\": \"english\", \"speed\": \"blitz\"}",
	  QUICK },
	{ "quick.leave", "{}", "{}" },
	{ "quick.status", "{}", QUICK },
	{ "challenge.send",
	  "{\"name\": \"Ada\", \"ruleset\": \"english\",\n"
	  " \"base_ms\": 180000, \"increment_ms\": 2000, \"key\": \"c1\"}",
	  CHALLENGE },
	{ "challenge.accept", CHALLENGE_ONLY, "{\"match\": \"m2n4p6r7st\"}" },
	{ "challenge.decline",
	  "{\"seek\": \"c2h4a6l7aa\", \"word\": \"later\"}", "{}" },
	{ "challenge.cancel", CHALLENGE_ONLY, "{}" },
	{ "bot.policy",
	  "{\"rulesets\": \"english turkish\", \"speeds\": \"blitz\",\n"
	  " \"at_once\": 4}",
	  POLICY },
	{ "bot.finish", "{}",
	  "{\"answers\": true, \"rulesets\": [\"english\", \"turkish\"],\n"
	  " \"speeds\": [\"blitz\"], \"opponent\": \"anyone\",\n"
	  " \"at_once\": 4, \"finishing\": true}" },
	{ "bot.list", "{}", "{\"players\": [" BOT "], \"total\": 1}" },
	{ "players.list", "{\"kind\": \"bot\"}",
	  "{\"players\": [" BOT "], \"total\": 1}" },
	{ "player.get", "{\"name\": \"Ada\"}", BOT },
	{ "lobby.invited", NULL, LOBBY },
	{ "lobby.declined", NULL,
	  "{\"lobby\": \"k3v5q7mzab\", \"player\": " ADA "}" },
	{ "challenge.received", NULL, CHALLENGE },
	{ "seek.closed", NULL,
	  "{\"seek\": \"c2h4a6l7aa\", \"reason\": \"declined\",\n"
	  " \"word\": \"later\",\n"
	  " \"text\": \"Not now, please ask again later.\"}" },
	{ "quick.waiting", NULL, QUICK },
	{ "bot.finished", NULL, "{}" },
	{ NULL, NULL, NULL },
};
