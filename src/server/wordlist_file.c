/* SPDX-License-Identifier: MIT */
#include "server/wordlist_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* As much as a list may have, and a byte more to see that it has more. */
static int read_file(const char *path, uint8_t *out, size_t *len)
{
	FILE *in = fopen(path, "rbe");
	if (!in)
		return errno;
	*len = fread(out, 1, WORDLIST_BYTES_MAX + 1, in);
	int error = ferror(in) ? EIO : 0;
	fclose(in);
	return error;
}

int wordlist_load(const struct config *c, const char *base,
		  struct wordlist **out, char why[CONFIG_WHY_MAX])
{
	char path[PATH_MAX], words_why[WORDLIST_WHY_MAX];
	size_t len = 0;
	*out = NULL;
	if (!strcmp(c->chat_words, "none"))
		return PLYD_OK;
	snprintf(path, sizeof(path), "%s%s%s",
		 c->chat_words[0] == '/' ? "" : base,
		 c->chat_words[0] == '/' ? "" : "/", c->chat_words);
	uint8_t *bytes = malloc(WORDLIST_BYTES_MAX + 1);
	if (!bytes)
		return PLYD_ENOMEM;
	int error = read_file(path, bytes, &len);
	int err = PLYD_ECONFIG;
	if (error)
		snprintf(why, CONFIG_WHY_MAX,
			 "chat.words: cannot read '%.300s': %s", path,
			 strerror(error));
	else
		err = wordlist_read(out, span_of(bytes, len), words_why);
	free(bytes);
	if (err && err != PLYD_ENOMEM && !error) {
		snprintf(why, CONFIG_WHY_MAX, "chat.words: '%.300s': %s", path,
			 words_why);
		err = PLYD_ECONFIG;
	}
	return err;
}
