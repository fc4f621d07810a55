/* SPDX-License-Identifier: MIT
 * Examples of the operator's methods. */
#include "proto/protodoc_priv.h"

#include <stddef.h>

#define DONE "{\"audit\": 17}"

const struct example admin_examples[] = {
	{ "admin.status", "{}",
	  "{\"version\": \"0.1.0\", \"uptime_ms\": 86400000,\n"
	  " \"writable\": true, \"draining\": false, \"connections\": 13,\n"
	  " \"sessions\": 12, \"players\": 40, \"lobbies\": 3,\n"
	  " \"matches\": 5, \"waiting\": 0, \"waiting_bytes\": 0,\n"
	  " \"requests\": 90210, \"refused\": 17, \"facts\": 61034,\n"
	  " \"reports\": 1, \"quarantined\": [\"policy own\"]}" },
	{ "admin.players", "{\"online\": true}",
	  "{\"players\": [{\"id\": \"qrstuvwxyz\", \"name\": \"Bob\",\n"
	  "  \"kind\": \"person\", \"online\": true,\n"
	  "  \"address\": \"192.0.2.7\", \"lobbies\": 0, \"matches\": 1}],\n"
	  " \"total\": 1}" },
	{ "admin.lobbies", "{}", "{\"lobbies\": [], \"total\": 0}" },
	{ "admin.matches", "{}",
	  "{\"matches\": [{\"match\": \"m2n4p6r7st\",\n"
	  "  \"state\": \"playing\", \"ruleset\": \"english\",\n"
	  "  \"ply\": 1, \"watchers\": 0,\n"
	  "  \"white\": {\"id\": \"qrstuvwxyz\", \"name\": \"Bob\",\n"
	  "   \"kind\": \"person\"},\n"
	  "  \"black\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"
	  "   \"kind\": \"bot\"}}],\n"
	  " \"total\": 1}" },
	{ "admin.records", "{\"player\": \"qrstuvwxyz\"}",
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
	{ "admin.kick", "{\"player\": \"qrstuvwxyz\", \"text\": \"rude\"}",
	  DONE },
	{ "admin.say", "{\"text\": \"The cup begins at eight.\"}", DONE },
	{ "admin.end_match",
	  "{\"match\": \"m2n4p6r7st\", \"result\": \"none\",\n"
	  " \"text\": \"The hall closes.\"}",
	  DONE },
	{ "admin.drain", "{}", DONE },
	{ "admin.shutdown", "{\"in_ms\": 300000, \"text\": \"Back at nine.\"}",
	  DONE },
	{ "admin.stats", "{}",
	  "{\"stats\": [{\"name\": \"plyd_lobbies\", \"value\": \"3\",\n"
	  "  \"since\": \"now\"},\n"
	  "  {\"name\": \"plyd_errors_total\",\n"
	  "  \"labels\": \"error=\\\"busy\\\"\", \"value\": \"12\",\n"
	  "  \"since\": \"start\"}]}" },
	{ "admin.export", "{\"match\": \"m2n4p6r7st\"}",
	  "{\"match\": \"m2n4p6r7st\",\n"
	  " \"head\": \"9f86d081884c7d659a2feaa0c55ad015"
	  "a3bf4f1b2b0b822cd15d6c15b0f00a08\",\n"
	  " \"facts\": [\"93010203\"]}" },
	{ "admin.audit", "{}",
	  "{\"acts\": [{\"audit\": 17, \"at_unix_ms\": 1893456000000,\n"
	  "  \"act\": \"kick\", \"target\": \"qrstuvwxyz\",\n"
	  "  \"text\": \"rude\"}],\n"
	  " \"total\": 1}" },
	{ "admin.ban",
	  "{\"address\": \"192.0.2.0/24\", \"for_ms\": 86400000,\n"
	  " \"text\": \"Cool down.\"}",
	  DONE },
	{ "admin.unban", "{\"ban\": 17}", "{\"audit\": 18}" },
	{ "admin.bans", "{}",
	  "{\"bans\": [{\"ban\": 17, \"kind\": \"address\",\n"
	  "  \"target\": \"192.0.2.0/24\",\n"
	  "  \"at_unix_ms\": 1893456000000,\n"
	  "  \"until_unix_ms\": 1893542400000, \"over\": false,\n"
	  "  \"text\": \"Cool down.\"}],\n"
	  " \"total\": 1}" },
	{ "admin.mute", "{\"player\": \"qrstuvwxyz\", \"for_ms\": 3600000}",
	  DONE },
	{ "admin.unmute", "{\"player\": \"qrstuvwxyz\"}", DONE },
	{ "admin.reload", "{}",
	  "{\"audit\": 61102,\n"
	  " \"changed\": [\"personality bold 0a1b2c3d4e5f\"], \"gone\": [],\n"
	  " \"problems\": [\"policies/club.lua:4: '}' expected near "
	  "'offers'\"]}" },
	{ "admin.reports", "{}",
	  "{\"reports\": [{\"report\": 61101,\n"
	  "  \"at_unix_ms\": 1893456000000, \"reason\": \"abuse\",\n"
	  "  \"player\": \"qrstuvwxyz\", \"player_name\": \"Bob\",\n"
	  "  \"reporter\": \"abcdefghij\", \"reporter_name\": \"Ada\",\n"
	  "  \"match\": \"m2n4p6r7st\", \"text\": \"He threatened me.\",\n"
	  "  \"evidence\": [\"Bob (qrstuvwxyz): wait outside\"]}],\n"
	  " \"total\": 1}" },
	{ "admin.quarantine", "{\"kind\": \"personality\", \"name\": \"bold\"}",
	  DONE },
	{ "admin.login",
	  "{\"token\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	  "0f1e2d3c4b5a69788796a5b4c3d2e1f0\"}",
	  "{\"name\": \"ada\", \"version\": \"0.1.0\"}" },
	{ "admin.token", "{\"name\": \"ada\", \"for_ms\": 2592000000}",
	  "{\"audit\": 17, \"token\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	  "0f1e2d3c4b5a69788796a5b4c3d2e1f0\"}" },
	{ "admin.token_revoke", "{\"name\": \"ada\"}", DONE },
	{ "admin.tokens", "{}",
	  "{\"tokens\": [{\"name\": \"ada\", \"at_unix_ms\": 1893456000000,\n"
	  "  \"over\": false}], \"total\": 1}" },
	{ "admin.adjust_clock",
	  "{\"match\": \"m2n4p6r7st\", \"side\": \"white\",\n"
	  " \"add_ms\": 120000, \"text\": \"The network was down.\"}",
	  DONE },
	{ "admin.backup", "{\"file\": \"/srv/backup/plyd.db\"}",
	  "{\"audit\": 17, \"file\": \"/srv/backup/plyd.db\",\n"
	  " \"bytes\": 1048576, \"took_ms\": 31}" },
	{ "admin.upgrade", "{\"text\": \"0.2\"}", DONE },
	{ "admin.close_report",
	  "{\"report\": 61101, \"text\": \"muted for a week\"}", DONE },
	{ NULL, NULL, NULL },
};
