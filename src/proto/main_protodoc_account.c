/* SPDX-License-Identifier: MIT
 * Examples of what is asked about accounts. */
#include "proto/protodoc_priv.h"

#include <stddef.h>

#define ADA                                                                    \
	"{\"player\": {\"id\": \"abcdefghij\", \"name\": \"Ada\",\n"           \
	"  \"kind\": \"person\"}, \"sessions\": 1,\n"                          \
	" \"login\": \"ada\", \"opened_at_ms\": 1700000000000}"
#define SESSION                                                                \
	"[{\"session\": 1, \"this\": true, \"online\": true,\n"                \
	"  \"began_at_ms\": 1700000000000}]"
#define CHANGED                                                                \
	"{\"token\": \"00112233445566778899aabbccddeeff"                       \
	"00112233445566778899aabbccddeeff\",\n \"account\": " ADA "}"

const struct example account_examples[] = {
	{ "account.get", "{}", ADA },
	{ "account.register",
	  "{\"login\": \"ada\", \"password\": \"correct horse\"}", CHANGED },
	{ "account.password",
	  "{\"old\": \"correct horse\", \"new\": \"battery staple\"}",
	  CHANGED },
	{ "account.rename", "{\"name\": \"Ada\"}", ADA },
	{ "account.logout", "{\"everywhere\": true}", "{}" },
	{ "account.sessions", "{}", "{\"sessions\": " SESSION "}" },
	{ "account.delete", "{\"password\": \"correct horse\"}", "{}" },
	{ "account.export", "{}",
	  "{\"account\": " ADA ",\n \"sessions\": " SESSION ",\n"
	  " \"lobbies\": [], \"matches\": [\"m2n4p6r7st\"],\n"
	  " \"ratings\": [{\"ruleset\": \"english\", \"speed\": \"blitz\",\n"
	  "  \"pool\": \"people\", \"rating\": 1612, \"deviation\": 74,\n"
	  "  \"provisional\": false, \"games\": 31, \"matches\": [\n"
	  "   {\"match\": \"g4h5j6k7mn\", \"opponent\": \"qrstuvwxyz\",\n"
	  "    \"at\": 1767225600000, \"result\": \"win\",\n"
	  "    \"before\": 1604, \"after\": 1612,\n"
	  "    \"provisional\": false}]}]}" },
	{ "match.seat_taken", NULL,
	  "{\"match\": \"m2n4p6r7st\", \"side\": \"white\",\n"
	  " \"session\": 1}" },
	{ "lobby.seat_taken", NULL,
	  "{\"lobby\": \"k3v5q7mzab\", \"side\": \"white\",\n"
	  " \"session\": 1}" },
	{ "admin.bot_token", "{\"login\": \"robot\", \"name\": \"Robot\"}",
	  "{\"audit\": 17,\n"
	  " \"token\": \"00112233445566778899aabbccddeeff"
	  "00112233445566778899aabbccddeeff\"}" },
	{ "admin.bot_revoke", "{\"login\": \"robot\"}", "{\"audit\": 18}" },
	{ "admin.reset", "{\"login\": \"ada\"}",
	  "{\"audit\": 19, \"password\": \"k3vq-7mza-bn4p-6r7s\",\n"
	  " \"good_ms\": 86400000}" },
	{ NULL, NULL, NULL },
};
