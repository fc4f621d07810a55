/* SPDX-License-Identifier: MIT
 * wordlist_file.h - the operator's list of words, as a file. */
#ifndef PLYD_SERVER_WORDLIST_FILE_H
#define PLYD_SERVER_WORDLIST_FILE_H

#include "server/config.h"
#include "session/wordlist.h"

/* Gives the list that chat.words names, NULL for "none"; free it with
 * wordlist_free(). A relative name starts from base. PLYD_ECONFIG: it cannot be
 * read or is no list; why says which file and what is wrong. PLYD_ENOMEM. */
int wordlist_load(const struct config *c, const char *base,
		  struct wordlist **out, char why[CONFIG_WHY_MAX]);

#endif
