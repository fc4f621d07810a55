/* SPDX-License-Identifier: MIT */
#include "ply/admin.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD_COLUMNS                                                         \
	"row match ruleset white.name black.name result reason ply "           \
	"ended_unix_ms"

static const struct admin_command commands[] = {
	{ "status", "admin.status", "", "", NULL, NULL, NULL,
	  "How the server is" },
	{ "stats", "admin.stats", "", "", NULL, "stats",
	  "name labels value since",
	  "Its numbers, since the start and now, as /metrics has them" },
	{ "players", "admin.players", "[SKIP]", "| #first", NULL, "players",
	  "id name kind online address lobbies matches",
	  "All players that it knows" },
	{ "online", "admin.players", "[SKIP]", "| #first", "{\"online\": true}",
	  "players", "id name kind address lobbies matches",
	  "Those who are connected" },
	{ "lobbies", "admin.lobbies", "[SKIP]", "| #first", NULL, "lobbies",
	  "lobby ruleset private opponent white.name black.name",
	  "All lobbies" },
	{ "matches", "admin.matches", "[SKIP]", "| #first", NULL, "matches",
	  "match state ruleset ply white.name black.name watchers",
	  "The matches in memory" },
	{ "records", "admin.records", "[BEFORE]", "| #before", NULL, "records",
	  RECORD_COLUMNS, "Matches that have ended, the newest first" },
	{ "records-of", "admin.records", "PLAYER [BEFORE]", "player | #before",
	  NULL, "records", RECORD_COLUMNS, "Those of a player" },
	{ "match", "admin.match", "MATCH", "match", NULL, NULL, NULL,
	  "One match as it stands" },
	{ "end", "admin.end_match", "MATCH white|black|draw|none [WHY...]",
	  "match result | text*", NULL, NULL, NULL, "End a match" },
	{ "clock", "admin.adjust_clock", "MATCH white|black TIME [WHY...]",
	  "match side +add_ms | text*", NULL, NULL, NULL,
	  "Give a player time on his clock, or take it: -30s" },
	{ "kick", "admin.kick", "PLAYER [WHY...]", "player | text*", NULL, NULL,
	  NULL, "Close the connection of a player" },
	{ "say", "admin.say", "TEXT...", "text*", NULL, NULL, NULL,
	  "Say something to everybody" },
	{ "drain", "admin.drain", "", "", "{\"on\": true}", NULL, NULL,
	  "Let no new match begin" },
	{ "undrain", "admin.drain", "", "", "{\"on\": false}", NULL, NULL,
	  "Let matches begin again" },
	{ "shutdown", "admin.shutdown", "[TIME] [TEXT...]", "| +in_ms text*",
	  NULL, NULL, NULL, "Stop the server after a TIME such as 90s, 5m" },
	{ "finish", "admin.shutdown", "[TIME] [TEXT...]", "| +in_ms text*",
	  "{\"idle\": true}", NULL, NULL,
	  "Stop it when the last match is over, after TIME at the latest" },
	{ "keep", "admin.shutdown", "[TEXT...]", "| text*",
	  "{\"cancel\": true}", NULL, NULL,
	  "Do not stop the server after all" },
	{ "reload", "admin.reload", "", "", NULL, NULL, NULL,
	  "Read rulesets, policies, personalities again" },
	{ "bot-token", "admin.bot_token", "LOGIN [NAME]", "login | name", NULL,
	  NULL, NULL, "Give a bot a token, and make the bot" },
	{ "bot-revoke", "admin.bot_revoke", "LOGIN", "login", NULL, NULL, NULL,
	  "Take a bot its token" },
	{ "reset", "admin.reset", "LOGIN", "login", NULL, NULL, NULL,
	  "Make a one-time password for a member" },
	{ "ban", "admin.ban", "PLAYER [TIME|forever] [WHY...]",
	  "player | +for_ms text*", NULL, NULL, NULL, "Keep a player out" },
	{ "ban-name", "admin.ban", "NAME [TIME|forever] [WHY...]",
	  "name | +for_ms text*", NULL, NULL, NULL,
	  "Keep out whoever has a name" },
	{ "ban-address", "admin.ban", "RANGE [TIME|forever] [WHY...]",
	  "address | +for_ms text*", NULL, NULL, NULL,
	  "Keep out addresses such as 192.0.2.0/24" },
	{ "unban", "admin.unban", "BAN [WHY...]", "#ban | text*", NULL, NULL,
	  NULL, "Take a ban back, by its number" },
	{ "bans", "admin.bans", "[SKIP]", "| #first", NULL, "bans",
	  "ban kind target at_unix_ms until_unix_ms over text", "The bans" },
	{ "mute", "admin.mute", "PLAYER [TIME|forever] [WHY...]",
	  "player | +for_ms text*", NULL, NULL, NULL,
	  "Let a player chat no more" },
	{ "unmute", "admin.unmute", "PLAYER [WHY...]", "player | text*", NULL,
	  NULL, NULL, "Let him chat again" },
	{ "reports", "admin.reports", "[SKIP]", "| #first", NULL, "reports",
	  "report at_unix_ms reason player_name player reporter_name match "
	  "text evidence",
	  "What players told about players" },
	{ "close", "admin.close_report", "REPORT [WHAT CAME OF IT...]",
	  "#report | text*", NULL, NULL, NULL, "Close a report" },
	{ "quarantine", "admin.quarantine", "policy|personality NAME [WHY...]",
	  "kind name | text*", "{\"on\": true}", NULL, NULL,
	  "Ask a script no more" },
	{ "release", "admin.quarantine", "policy|personality NAME [WHY...]",
	  "kind name | text*", "{\"on\": false}", NULL, NULL, "Ask it again" },
	{ "token", "admin.token", "NAME [TIME|forever]", "name | +for_ms", NULL,
	  NULL, NULL, "Give an operator a token for --server" },
	{ "token-revoke", "admin.token_revoke", "NAME", "name", NULL, NULL,
	  NULL, "Take it from him" },
	{ "tokens", "admin.tokens", "[SKIP]", "| #first", NULL, "tokens",
	  "name at_unix_ms until_unix_ms over", "Operators with a token" },
	{ "backup", "admin.backup", "[FILE]", "| @file", NULL, NULL, NULL,
	  "Copy the data into a new file" },
	{ "export", "admin.export", "MATCH [FILE]", "match | >", NULL, NULL,
	  NULL, "Save what there is of a match, for `ply verify'" },
	{ "upgrade", "admin.upgrade", "[TEXT...]", "| text*", NULL, NULL, NULL,
	  "Let the program that lies there now take over" },
	{ "audit", "admin.audit", "[SKIP]", "| #first", NULL, "acts",
	  "audit at_unix_ms act by target text", "What operators did" },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

const struct admin_command *admin_command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

void admin_print_commands(FILE *out)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		int width = 38 - (int)strlen(commands[i].name);
		fprintf(out, "  %s %-*s %s\n", commands[i].name, width,
			commands[i].args, commands[i].help);
	}
}

/* -- words become parameters -- */

/* 90s, 5m, 2h, 7d, also below zero, which the server may refuse; without a
 * letter seconds. */
static json_t *read_time(const char *word)
{
	static const struct {
		char letter;
		long long ms;
	} units[] = { { 's', 1000 },
		      { 'm', 60 * 1000 },
		      { 'h', 60 * 60 * 1000 },
		      { 'd', 24 * 60 * 60 * 1000 },
		      { '\0', 1000 } };
	char *end;
	errno = 0;
	long long number = strtoll(word, &end, 10);
	if (end == word || errno || number < -1000000 || number > 1000000000 ||
	    (*end && end[1]))
		return NULL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].letter == *end)
			return json_integer(number * units[i].ms);
	return NULL;
}

static json_t *read_number(const char *word)
{
	char *end;
	errno = 0;
	long long number = strtoll(word, &end, 10);
	return end == word || errno || *end ? NULL : json_integer(number);
}

/* Where it is from here: the server is elsewhere. A plain name is left to it. */
static json_t *read_path(const char *word)
{
	char dir[PATH_MAX];
	if (word[0] == '/' || !strchr(word, '/') || !getcwd(dir, sizeof(dir)))
		return json_string(word);
	while (!strncmp(word, "./", 2))
		word += 2;
	return json_sprintf("%s/%s", dir, word);
}

static json_t *join(char **words, size_t count)
{
	struct buf b;
	buf_init(&b, 64 * 1024);
	for (size_t i = 0; i < count; i++)
		buf_printf(&b, "%s%s", i > 0 ? " " : "", words[i]);
	json_t *text = json_stringn((const char *)b.at, b.len);
	buf_release(&b);
	return text;
}

/* Takes what one key of `takes` needs; false: the words do not fit. */
static bool take(json_t *params, const char *key, size_t len, char **words,
		 size_t count, size_t *used)
{
	bool rest = key[len - 1] == '*';
	*used = 1;
	if (key[0] == '>')
		return true; /* for cmd_admin() */
	bool time = key[0] == '+', number = key[0] == '#';
	bool path = key[0] == '@';
	json_t *value = rest     ? join(words, count)
			: time   ? read_time(words[0])
			: number ? read_number(words[0])
			: path   ? read_path(words[0])
				 : json_string(words[0]);
	size_t from = time || number || path;
	*used = rest ? count : 1;
	if (time && !strcmp(words[0], "forever"))
		return true; /* as if it were not there */
	/* takes the value; none is an error of its own */
	return !json_object_setn_new(params, key + from, len - from - rest,
				     value);
}

static bool take_all(json_t *params, const struct admin_command *c,
		     char **words, size_t count, char why[ADMIN_WHY_MAX])
{
	const char *key = c->takes;
	bool optional = false;
	while (*key) {
		size_t len = strcspn(key, " ");
		size_t used = 0;
		if (*key == '|') {
			optional = true;
		} else if (count == 0) {
			snprintf(why, ADMIN_WHY_MAX, "%.*s is missing",
				 (int)strcspn(key, " *"), key);
			return optional;
		} else if (!take(params, key, len, words, count, &used)) {
			snprintf(why, ADMIN_WHY_MAX, "'%.80s' cannot be read",
				 words[0]);
			return false;
		}
		words += used;
		count -= used;
		key += len;
		key += strspn(key, " ");
	}
	if (count > 0)
		snprintf(why, ADMIN_WHY_MAX, "'%.80s' is too much", words[0]);
	return count == 0;
}

json_t *admin_params(const struct admin_command *c, char **words, size_t count,
		     char why[ADMIN_WHY_MAX])
{
	json_t *params =
		c->fixed ? json_loads(c->fixed, 0, NULL) : json_object();
	if (take_all(params, c, words, count, why))
		return params;
	json_decref(params);
	return NULL;
}
