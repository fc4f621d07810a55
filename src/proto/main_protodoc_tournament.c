/* SPDX-License-Identifier: MIT
 * Examples of tournaments. */
#include "proto/protodoc_priv.h"

#include <stddef.h>

#define ONLY  "{\"tournament\": \"t2w4i6s7ab\"}"
#define BOB   "\"player\": \"qrstuvwxyz\""
#define HEX64 "3b2f6c0e5a9d4871c6e0b7f2a4d8195e6c3f7a0b2d9e4c8f1a5b7d3e6f0c9a28"
#define TOURNAMENT_AS(state, you)                                              \
	"{\"tournament\": \"t2w4i6s7ab\", \"name\": \"Friday Swiss\",\n"       \
	" \"state\": \"" state "\", \"end\": null,\n"                          \
	" \"organiser\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"        \
	"  \"kind\": \"person\"}, \"directors\": [], \"schedule\": null,\n"    \
	" \"ruleset\": \"english\", \"clock\": {\"kind\": \"fischer\",\n"      \
	"  \"base_ms\": 180000, \"increment_ms\": 2000, \"delay_ms\": 0,\n"    \
	"  \"unlimited\": false}, \"match_length\": null, \"rated\": true,\n"  \
	" \"format\": \"swiss\", \"scoring\": \"half\",\n"                     \
	" \"breaks\": [\"buchholz_cut1\", \"buchholz\", \"lots\"],\n"          \
	" \"entries_max\": 64, \"who\": \"anyone\", \"invited_only\": "        \
	"false,\n"                                                             \
	" \"late_rounds\": 2, \"rating_min\": 0, \"rating_max\": 0,\n"         \
	" \"check_in_ms\": 0, \"no_show_ms\": 300000, \"gap_ms\": 60000,\n"    \
	" \"starts_at\": null, \"rounds\": 5, \"round\": 2,\n"                 \
	" \"open_tables\": 3, \"players\": 9, \"entries\": 10,\n"              \
	" \"began_at\": 1760000000000, \"ended_at\": null,\n"                  \
	" \"commitment\":\n  \"" HEX64 "\",\n"                                 \
	" \"you\": \"" you "\", \"checked_in\": false}"
#define TABLE                                                                  \
	"{\"table\": 1, \"white\": 4, \"black\": 2,\n"                         \
	"   \"white_name\": \"Ada\", \"black_name\": \"Bob\",\n"               \
	"   \"outcome\": \"white\", \"white_points\": 1,\n"                    \
	"   \"black_points\": 0, \"matches\": [\"m2n4p6r7st\"],\n"             \
	"   \"corrections\": []}"
#define ROUND                                                                  \
	"{\"tournament\": \"t2w4i6s7ab\", \"round\": 2, \"total\": 5,\n"       \
	" \"tables\": [" TABLE "]}"
#define STANDINGS                                                              \
	"{\"tournament\": \"t2w4i6s7ab\", \"rounds\": 2, \"total\": 10,\n"     \
	" \"rows\": [{\"rank\": 1, \"entry\": 4, " BOB ",\n"                   \
	"  \"name\": \"Bob\", \"bot\": false, \"rating\": 1612,\n"             \
	"  \"score2\": 4, \"won\": 2, \"drawn\": 0, \"lost\": 0,\n"            \
	"  \"breaks\": {\"direct\": 0, \"sonneborn_berger4\": 8,\n"            \
	"   \"buchholz2\": 4, \"buchholz_cut1_2\": 2, \"wins\": 2,\n"          \
	"   \"halves2\": 4}, \"first_round\": 1,\n"                            \
	"  \"games\": [{\"table\": 2, \"opponent\": 9, \"side\": \"black\",\n" \
	"    \"score2\": 2}, {\"table\": 1, \"opponent\": 2,\n"                \
	"    \"side\": \"white\", \"score2\": 2}]}]}"

const struct example tournament_examples[] = {
	{ "tournament.create",
	  "{\"name\": \"Friday Swiss\", \"ruleset\": \"english\",\n"
	  " \"format\": \"swiss\", \"rounds\": 5, \"scoring\": \"half\",\n"
	  " \"breaks\": \"buchholz_cut1 buchholz lots\", \"rated\": true,\n"
	  " \"players\": \"anyone\", \"late_rounds\": 2, \"gap_ms\": 60000,\n"
	  " \"key\": \"f1\"}",
	  TOURNAMENT_AS("registration", "director") },
	{ "tournament.list", "{}",
	  "{\"tournaments\": [{\"tournament\": \"t2w4i6s7ab\",\n"
	  "  \"name\": \"Friday Swiss\", \"state\": \"running\",\n"
	  "  \"ruleset\": \"english\", \"format\": \"swiss\", \"rated\": "
	  "true,\n"
	  "  \"players\": 9, \"starts_at\": null}]}" },
	{ "tournament.get", ONLY, TOURNAMENT_AS("running", "player") },
	{ "tournament.standings", ONLY, STANDINGS },
	{ "tournament.round", "{\"tournament\": \"t2w4i6s7ab\", \"round\": 2}",
	  ROUND },
	{ "tournament.watch", ONLY, TOURNAMENT_AS("running", "watcher") },
	{ "tournament.unwatch", ONLY, "{}" },
	{ "tournament.open", ONLY, TOURNAMENT_AS("registration", "director") },
	{ "tournament.start", ONLY, TOURNAMENT_AS("running", "director") },
	{ "tournament.pause", ONLY, TOURNAMENT_AS("paused", "director") },
	{ "tournament.resume", ONLY, TOURNAMENT_AS("running", "director") },
	{ "tournament.finish", ONLY, TOURNAMENT_AS("finished", "director") },
	{ "tournament.direct",
	  "{\"tournament\": \"t2w4i6s7ab\", \"name\": \"Bob\"}",
	  TOURNAMENT_AS("running", "director") },
	{ "tournament.register", ONLY,
	  TOURNAMENT_AS("registration", "player") },
	{ "tournament.withdraw", ONLY, TOURNAMENT_AS("running", "gone") },
	{ "tournament.check_in", ONLY, TOURNAMENT_AS("check_in", "player") },
	{ "tournament.invite",
	  "{\"tournament\": \"t2w4i6s7ab\", \"name\": \"Bob\"}",
	  TOURNAMENT_AS("registration", "director") },
	{ "tournament.remove", "{\"tournament\": \"t2w4i6s7ab\", " BOB "}",
	  TOURNAMENT_AS("running", "director") },
	{ "tournament.correct",
	  "{\"tournament\": \"t2w4i6s7ab\", \"round\": 2, \"table\": 3,\n"
	  " \"outcome\": \"draw\", \"words\": \"Agreed at the board.\"}",
	  TOURNAMENT_AS("running", "director") },
	{ "tournament.changed", NULL, TOURNAMENT_AS("running", "player") },
	{ "tournament.paired", NULL, ROUND },
	{ "tournament.table", NULL,
	  "{\"tournament\": \"t2w4i6s7ab\", \"round\": 2,\n"
	  " \"table\": " TABLE "}" },
	{ "tournament.ranked", NULL, STANDINGS },
	{ NULL, NULL, NULL },
};
