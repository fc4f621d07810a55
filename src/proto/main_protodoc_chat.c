/* SPDX-License-Identifier: MIT
 * Examples of what is said in chats, and about players. */
#include "proto/protodoc_priv.h"

#include <stddef.h>

#define ENTRY                                                                  \
	"{\"number\": 3, \"player\": \"abcdefghij\", \"name\": \"Ada\",\n"     \
	"  \"kind\": \"person\", \"text\": \"well played\",\n"                 \
	"  \"at_unix_ms\": 1893456000000}"

const struct example chat_examples[] = {
	{ "chat.send",
	  "{\"match\": \"m2n4p6r7st\", \"text\": \"well played\",\n"
	  " \"key\": \"c3\"}",
	  "{\"line\": " ENTRY ",\n \"duplicate\": false}" },
	{ "chat.get", "{\"match\": \"m2n4p6r7st\"}",
	  "{\"channel\": \"players\", \"on\": true,\n \"lines\": [" ENTRY
	  "]}" },
	{ "chat.switch", "{\"match\": \"m2n4p6r7st\", \"on\": false}", "{}" },
	{ "block.add", "{\"player\": \"qrstuvwxyz\"}", "{}" },
	{ "block.remove", "{\"player\": \"qrstuvwxyz\"}", "{}" },
	{ "block.list", "{}",
	  "{\"players\": [{\"player\": \"qrstuvwxyz\", \"name\": \"Bob\"}]}" },
	{ "report.send",
	  "{\"player\": \"qrstuvwxyz\", \"reason\": \"abuse\",\n"
	  " \"match\": \"m2n4p6r7st\", \"text\": \"He threatened me.\"}",
	  "{}" },
	{ "chat.line", NULL,
	  "{\"channel\": \"players\", \"match\": \"m2n4p6r7st\",\n"
	  " \"line\": " ENTRY "}" },
	{ "chat.switched", NULL, "{\"match\": \"m2n4p6r7st\", \"on\": false}" },
	{ NULL, NULL, NULL },
};
