/* SPDX-License-Identifier: MIT */
#include "proto/protodoc_priv.h"

#include <stddef.h>
#include <string.h>

#define BOARD       "B:W32:B1"
#define BOARD_AFTER "W:W32:B5"

#define LIMITS                                                                 \
	"\"limits\": {\"message_bytes\": 65536, \"message_elements\": 1024,\n" \
	"  \"message_depth\": 8, \"answer_bytes\": 1048576, \"lobbies\": 4,\n" \
	"  \"seeks\": 4, \"challenge_keep_ms\": 120000, \"ready_wait_ms\": "   \
	"120000,\n"                                                            \
	"  \"lobby_away_ms\": 60000, \"list_shown\": 100,\n"                   \
	"  \"matches\": 16, \"watches\": 16, \"requests_per_s\": 20,\n"        \
	"  \"requests_burst\": 60, \"idle_ms\": 120000,\n"                     \
	"  \"legal_moves\": 256, \"plies\": 4096, \"chat_chars\": 300,\n"      \
	"  \"chat_burst\": 5, \"chat_line_ms\": 2000, \"blocks\": 100,\n"      \
	"  \"reports_per_day\": 10, \"match_length\": 25}"

#define FISCHER_RULES                                                          \
	"\"kind\": \"fischer\", \"base_ms\": 300000,\n"                        \
	"  \"increment_ms\": 3000, \"delay_ms\": 0, \"unlimited\": false"
#define FISCHER "{" FISCHER_RULES "}"

#define LOBBY_ALONE                                                            \
	"{\"lobby\": \"k3v5q7mzab\", \"ruleset\": \"english\",\n"              \
	" \"private\": false, \"access\": \"public\", \"spectators\": true,\n" \
	" \"opponent\": \"anyone\", \"speed\": \"rapid\",\n"                   \
	" \"clock\": " FISCHER ",\n"                                           \
	" \"rated\": false, \"spectator_delay_ms\": 0,\n"                      \
	" \"owner\": \"abcdefghij\",\n"                                        \
	" \"black\": {\"player\": \"abcdefghij\", \"name\": \"Ada\",\n"        \
	"  \"kind\": \"bot\", \"ready\": true, \"online\": true},\n"           \
	" \"white\": null, \"code\": \"7kq2mz\"}"
#define LOBBY_FULL                                                             \
	"{\"lobby\": \"k3v5q7mzab\", \"ruleset\": \"english\",\n"              \
	" \"private\": false, \"access\": \"public\", \"spectators\": true,\n" \
	" \"opponent\": \"anyone\", \"speed\": \"rapid\",\n"                   \
	" \"clock\": " FISCHER ",\n"                                           \
	" \"rated\": false, \"spectator_delay_ms\": 0,\n"                      \
	" \"owner\": \"abcdefghij\",\n"                                        \
	" \"black\": {\"player\": \"abcdefghij\", \"name\": \"Ada\",\n"        \
	"  \"kind\": \"bot\", \"ready\": true, \"online\": true},\n"           \
	" \"white\": {\"player\": \"qrstuvwxyz\", \"name\": \"Bob\",\n"        \
	"  \"kind\": \"person\", \"ready\": true, \"online\": true},\n"        \
	" \"code\": \"7kq2mz\", \"match\": \"m2n4p6r7st\"}"

#define SNAPSHOT(now)                                                          \
	"{\"match\": \"m2n4p6r7st\", \"state\": \"playing\",\n"                \
	" \"ruleset\": \"english\", \"rules\": \"english draughts ...\",\n"    \
	" \"draws\": {\"no_progress\": 80, \"repetition\": 3,\n"               \
	"  \"offers\": true, \"offers_from\": 0, \"offers_max\": 0},\n"        \
	" \"rated\": false, \"spectator_delay_ms\": 0, \"watchers\": 3,\n"     \
	" \"black\": {\"player\": \"abcdefghij\", \"name\": \"Ada\",\n"        \
	"  \"kind\": \"bot\", \"online\": true},\n"                            \
	" \"white\": {\"player\": \"qrstuvwxyz\", \"name\": \"Bob\",\n"        \
	"  \"kind\": \"person\", \"online\": true},\n"                         \
	" \"you\": \"black\", \"start_position\": \"" BOARD "\",\n" now "}"
#define AT_START                                                               \
	" \"seq\": 1, \"ply\": 0, \"turn\": \"black\",\n"                      \
	" \"position\": \"" BOARD "\", \"moves\": [],\n"                       \
	" \"legal_moves\": [\"1-5\", \"1-6\"], \"legal_total\": 2,\n"          \
	" \"clock\": {" FISCHER_RULES ",\n"                                    \
	"  \"white_ms\": 300000, \"black_ms\": 300000,\n"                      \
	"  \"running\": \"black\", \"free_ms\": 0,\n"                          \
	"  \"lag_per_move_ms\": 500, \"lag_total_ms\": 10000,\n"               \
	"  \"white_lag_ms\": 0, \"black_lag_ms\": 0}"
#define AFTER_MOVE                                                             \
	" \"seq\": 2, \"ply\": 1, \"turn\": \"white\",\n"                      \
	" \"position\": \"" BOARD_AFTER "\", \"moves\": [\"1-5\"],\n"          \
	" \"clock\": {" FISCHER_RULES ",\n"                                    \
	"  \"white_ms\": 300000, \"black_ms\": 301200,\n"                      \
	"  \"running\": \"white\", \"free_ms\": 0,\n"                          \
	"  \"lag_per_move_ms\": 500, \"lag_total_ms\": 10000,\n"               \
	"  \"white_lag_ms\": 0, \"black_lag_ms\": 92}"

#define MATCH_ONLY "{\"match\": \"m2n4p6r7st\"}"

static const struct example examples[] = {
	{ "hello", "{\"protocol\": 1, \"name\": \"Ada\", \"bot\": true}",
	  "{\"protocol\": 1, \"server\": \"plyd\", \"version\": \"0.1.0\",\n"
	  " \"player\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"
	  "  \"kind\": \"bot\"},\n \"session\": 0,\n"
	  " \"token\": \"00112233445566778899aabbccddeeff"
	  "00112233445566778899aabbccddeeff\",\n"
	  " \"resumed\": false, \"features\": [],\n " LIMITS ",\n"
	  " \"lobbies\": [], \"invitations\": [], \"seeks\": [],\n"
	  " \"quick\": {\"waiting\": false},\n"
	  " \"bot\": {\"answers\": false, \"rulesets\": [], \"speeds\": [],\n"
	  "  \"opponent\": \"anyone\", \"finishing\": false},\n"
	  " \"matches\": [], \"cooling_ms\": 0}" },
	{ "ping", "{}", "{}" },
	{ "server.info", "{}",
	  "{\"server\": \"plyd\", \"version\": \"0.1.0\",\n"
	  " \"uptime_ms\": 86400000, \"players\": 12, \"lobbies\": 3,\n"
	  " \"matches\": 5,\n " LIMITS "}" },
	{ "rules.list", "{}",
	  "{\"rulesets\": [{\"name\": \"english\", \"family\": \"draughts\",\n"
	  "  \"options\": {\"king\": \"short\", \"majority\": \"none\"},\n"
	  "  \"person\": \"black\", \"first\": \"black\",\n"
	  "  \"draw_by_agreement\": true, \"no_progress\": 80,\n"
	  "  \"repetition\": 3,\n"
	  "  \"clock\": " FISCHER ",\n"
	  "  \"clocks\": {\"kinds\": [\"fischer\", \"delay\"],\n"
	  "   \"base_ms_min\": 60000, \"base_ms_max\": 7200000,\n"
	  "   \"increment_ms_max\": 60000, \"delay_ms_max\": 60000,\n"
	  "   \"move_ms_min\": 86400000, \"move_ms_max\": 1209600000},\n"
	  "  \"takeback\": true}],\n"
	  " \"personalities\": [{\"name\": \"patient\",\n"
	  "  \"about\": \"Waits for your mistake.\"}]}" },
	{ "rules.moves",
	  "{\"ruleset\": \"english\", \"position\": \"" BOARD "\"}",
	  "{\"position\": \"" BOARD "\", \"turn\": \"black\",\n"
	  " \"moves\": [{\"move\": \"1-5\", \"position\": \"" BOARD_AFTER
	  "\"},\n"
	  "  {\"move\": \"1-6\", \"position\": \"W:W32:B6\"}],\n"
	  " \"total\": 2}" },
	{ "rules.check",
	  "{\"ruleset\": \"english\", \"move\": \"1-10\",\n"
	  " \"position\": \"" BOARD "\"}",
	  "{\"legal\": false, \"reason\": \"too_far\",\n"
	  " \"at\": {\"step\": 1, \"from\": \"1\", \"to\": \"10\"},\n"
	  " \"text\": \"This piece does not move so far.\",\n"
	  " \"legal_moves\": [\"1-5\", \"1-6\"], \"legal_total\": 2}" },
	{ "lobby.list", "{\"ruleset\": \"english\"}",
	  "{\"lobbies\": [], \"total\": 0}" },
	{ "lobby.create",
	  "{\"ruleset\": \"english\", \"side\": \"black\", \"ready\": true,\n"
	  " \"base_ms\": 300000, \"increment_ms\": 3000, \"key\": \"a1\"}",
	  LOBBY_ALONE },
	{ "lobby.join", "{\"lobby\": \"k3v5q7mzab\", \"ready\": true}",
	  LOBBY_FULL },
	{ "lobby.get", "{\"lobby\": \"k3v5q7mzab\"}", LOBBY_FULL },
	{ "lobby.leave", "{\"lobby\": \"k3v5q7mzab\"}", "{}" },
	{ "lobby.ready", "{\"lobby\": \"k3v5q7mzab\"}", LOBBY_FULL },
	{ "match.list", "{}",
	  "{\"matches\": [{\"match\": \"m2n4p6r7st\",\n"
	  "  \"ruleset\": \"english\", \"ply\": 1, \"watchers\": 0,\n"
	  "  \"white\": {\"id\": \"qrstuvwxyz\", \"name\": \"Bob\",\n"
	  "   \"kind\": \"person\"},\n"
	  "  \"black\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"
	  "   \"kind\": \"bot\"}}],\n"
	  " \"total\": 1}" },
	{ "match.get", MATCH_ONLY, SNAPSHOT(AT_START) },
	{ "match.watch", MATCH_ONLY, SNAPSHOT(AFTER_MOVE) },
	{ "match.unwatch", MATCH_ONLY, "{}" },
	{ "match.nonce", "{\"match\": \"m2n4p6r7st\", \"nonce\": \"8f03c2\"}",
	  "{}" },
	{ "match.move",
	  "{\"match\": \"m2n4p6r7st\", \"ply\": 0, \"move\": \"1-5\"}",
	  "{\"ply\": 0, \"move\": \"1-5\", \"seq\": 2, \"duplicate\": false,\n"
	  " \"position\": \"" BOARD_AFTER "\"}" },
	{ "match.resign", MATCH_ONLY, "{\"seq\": 9}" },
	{ "match.offer_draw", MATCH_ONLY, "{\"seq\": 9}" },
	{ "match.accept_draw", "{\"match\": \"m2n4p6r7st\", \"ply\": 7}",
	  "{\"seq\": 10}" },
	{ "match.decline_draw", "{\"match\": \"m2n4p6r7st\", \"ply\": 7}",
	  "{\"seq\": 10}" },
	{ "match.abort", MATCH_ONLY, "{\"seq\": 3}" },
	{ "match.claim", "{\"match\": \"m2n4p6r7st\", \"result\": \"win\"}",
	  "{\"seq\": 12}" },
	{ "match.roll", "{\"match\": \"m2n4p6r7st\", \"ply\": 4}",
	  "{\"ply\": 4, \"seq\": 13, \"duplicate\": false, \"dice\": [6, 2]}" },
	{ "match.double", "{\"match\": \"m2n4p6r7st\", \"ply\": 4}",
	  "{\"ply\": 4, \"seq\": 13, \"duplicate\": false}" },
	{ "match.take", "{\"match\": \"m2n4p6r7st\", \"ply\": 5}",
	  "{\"ply\": 5, \"seq\": 14, \"duplicate\": false}" },
	{ "match.drop", "{\"match\": \"m2n4p6r7st\", \"ply\": 5}",
	  "{\"ply\": 5, \"seq\": 14, \"duplicate\": false}" },
	{ "match.accept_resign", "{\"match\": \"m2n4p6r7st\", \"offer\": 21}",
	  "{\"seq\": 22}" },
	{ "match.decline_resign", "{\"match\": \"m2n4p6r7st\", \"offer\": 21}",
	  "{\"seq\": 22}" },
	{ "match.takeback_offer",
	  "{\"match\": \"m2n4p6r7st\", \"ply\": 7, \"takebacks\": 0}",
	  "{\"seq\": 10}" },
	{ "match.takeback_accept",
	  "{\"match\": \"m2n4p6r7st\", \"ply\": 7, \"takebacks\": 0}",
	  "{\"seq\": 11}" },
	{ "match.takeback_decline", "{\"match\": \"m2n4p6r7st\", \"ply\": 7}",
	  "{\"seq\": 11}" },
	{ "match.pause_offer", "{\"match\": \"m2n4p6r7st\", \"ply\": 7}",
	  "{\"seq\": 10}" },
	{ "match.pause_accept", "{\"match\": \"m2n4p6r7st\", \"ply\": 7}",
	  "{\"seq\": 11}" },
	{ "match.pause_decline", "{\"match\": \"m2n4p6r7st\", \"ply\": 7}",
	  "{\"seq\": 11}" },
	{ "match.resume", MATCH_ONLY, "{\"seq\": 12}" },
	{ "match.leave", MATCH_ONLY, "{\"seq\": 12}" },
	{ "match.rematch", MATCH_ONLY,
	  "{\"match\": \"m2n4p6r7st\", \"white\": true, \"black\": false,\n"
	  " \"lapses_in_ms\": 60000}" },
	{ "match.rematch_decline", MATCH_ONLY,
	  "{\"match\": \"m2n4p6r7st\", \"white\": false, \"black\": false}" },
	{ "match.seen",
	  "{\"match\": \"m2n4p6r7st\", \"lag\": \"9f86d081884c7d65\"}",
	  "{\"lag_ms\": 84, \"lag_left_ms\": 9712}" },
	{ "record.get", MATCH_ONLY,
	  "{\"match\": \"m2n4p6r7st\",\n"
	  " \"head\": \"9f86d081884c7d659a2feaa0c55ad015"
	  "a3bf4f1b2b0b822cd15d6c15b0f00a08\",\n"
	  " \"facts\": [\"93010203\"],\n"
	  " \"events\": [{\"match\": \"m2n4p6r7st\", \"seq\": 1,\n"
	  "  \"event\": \"begun\", \"ply\": 0}]}" },
	{ "record.list", "{\"before\": 5000}",
	  "{\"more\": false, \"records\": [\n "
	  "{\"match\": \"m2n4p6r7st\", \"row\": 4711,\n"
	  "  \"ruleset\": \"english\",\n"
	  "  \"white\": {\"id\": \"qrstuvwxyz\", \"name\": \"Bob\",\n"
	  "   \"kind\": \"person\"},\n"
	  "  \"black\": {\"name\": \"steady\", \"kind\": \"personality\"},\n"
	  "  \"result\": \"white\", \"reason\": \"no_moves\",\n"
	  "  \"points\": 1, \"ply\": 61, \"rated\": false,\n"
	  "  \"began_unix_ms\": 1767225600000,\n"
	  "  \"ended_unix_ms\": 1767226215000}]}" },
	{ "player.watch", "{\"player\": \"abcdefghij\"}",
	  "{\"player\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"
	  "  \"kind\": \"person\"}, \"online\": true,\n"
	  " \"matches\": [\"m2n4p6r7st\"]}" },
	{ "player.unwatch", "{\"player\": \"abcdefghij\"}", "{}" },
	{ "rating.get", "{}",
	  "{\"player\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"
	  "  \"kind\": \"person\"},\n"
	  " \"ratings\": [{\"ruleset\": \"english\", \"speed\": \"blitz\",\n"
	  "  \"pool\": \"people\", \"rating\": 1612, \"deviation\": 74,\n"
	  "  \"provisional\": false, \"games\": 31}], \"total\": 1}" },
	{ "rating.history", "{\"ruleset\": \"english\", \"speed\": \"blitz\"}",
	  "{\"player\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"
	  "  \"kind\": \"person\"}, \"games\": 31,\n"
	  " \"matches\": [{\"match\": \"m2n4p6r7st\",\n"
	  "  \"opponent\": \"qrstuvwxyz\", \"at\": 1767225600000,\n"
	  "  \"result\": \"win\", \"before\": 1604, \"after\": 1612,\n"
	  "  \"provisional\": false}]}" },
	{ "rating.leaderboard",
	  "{\"ruleset\": \"english\", \"speed\": \"blitz\", \"count\": 1}",
	  "{\"players\": [{\"player\": {\"id\": \"abcdefghij\",\n"
	  "   \"name\": \"Ada\", \"kind\": \"person\"},\n"
	  "  \"rating\": 1612, \"deviation\": 74, \"games\": 31}],\n"
	  " \"total\": 12}" },
	{ "admin.match", MATCH_ONLY, SNAPSHOT(AFTER_MOVE) },
	{ "closing", NULL,
	  "{\"code\": -35, \"name\": \"replaced\",\n"
	  " \"message\": \"Your session was resumed on another connection.\","
	  "\n \"details\": {}}" },
	{ "lobby.changed", NULL, LOBBY_FULL },
	{ "lobby.closed", NULL,
	  "{\"lobby\": \"k3v5q7mzab\", \"reason\": \"left\"}" },
	{ "match.started", NULL, SNAPSHOT(AT_START) },
	{ "match.snapshot", NULL, SNAPSHOT(AFTER_MOVE) },
	{ "match.event", NULL,
	  "{\"match\": \"m2n4p6r7st\", \"seq\": 2, \"event\": \"moved\",\n"
	  " \"ply\": 0, \"side\": \"black\", \"move\": \"1-5\",\n"
	  " \"position\": \"" BOARD_AFTER "\", \"turn\": \"white\",\n"
	  " \"white_ms\": 300000, \"black_ms\": 301200,\n"
	  " \"free_ms\": 0, \"lag\": \"9f86d081884c7d65\",\n"
	  " \"thought_ms\": 1800, \"lag_ms\": 92}" },
	{ "match.presence", NULL,
	  "{\"match\": \"m2n4p6r7st\", \"side\": \"white\",\n"
	  " \"online\": false, \"state\": \"playing\",\n"
	  " \"claim_in_ms\": 60000}" },
	{ "server.notice", NULL,
	  "{\"kind\": \"shutdown\", \"text\": \"Back at nine.\",\n"
	  " \"in_ms\": 300000}" },
};

/* In a list that ends with a row without a name. */
static const struct example *find_in(const struct example *list,
				     const char *name)
{
	while (list->name && strcmp(list->name, name) != 0)
		list++;
	return list->name ? list : NULL;
}

const struct example *example_find(const char *name)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		if (!strcmp(examples[i].name, name))
			return &examples[i];
	const struct example *e = find_in(account_examples, name);
	if (!e)
		e = find_in(chat_examples, name);
	if (!e)
		e = find_in(meeting_examples, name);
	if (!e)
		e = find_in(tournament_examples, name);
	return e ? e : find_in(admin_examples, name);
}
