/* SPDX-License-Identifier: MIT
 * wordlist.h - the operator's list of words that are not shown. A word is a run of
 * letters, marks and digits; two are the same if their NFKC_Casefold is, so
 * capitals and look-alikes of compatibility do not help. */
#ifndef PLYD_SESSION_WORDLIST_H
#define PLYD_SESSION_WORDLIST_H

#include "base/buf.h"

enum {
	WORDLIST_BYTES_MAX = 64 * 1024, /* of a list */
	WORDLIST_MAX = 4000,
	WORD_BYTES_MAX = 64, /* of one, folded */
	WORDLIST_WHY_MAX = 160,
};

struct wordlist;

/* Reads a list: one word a line, a `*` at its end means whatever may follow;
 * empty lines and what follows a # are nothing. Gives the list; free it with
 * wordlist_free(). PLYD_ECONFIG: why says which line and what is wrong with it.
 * PLYD_ETOOLARGE: over WORDLIST_BYTES_MAX or WORDLIST_MAX. PLYD_ENOMEM. */
int wordlist_read(struct wordlist **out, struct span text,
		  char why[WORDLIST_WHY_MAX]);
void wordlist_free(struct wordlist *w); /* NULL is fine */

size_t wordlist_count(const struct wordlist *w); /* NULL: 0 */

/* Appends text to b with a * for each character of each word of the list. text
 * is UTF-8. w NULL: as it is. Look at b->err. */
void wordlist_mask(const struct wordlist *w, struct span text, struct buf *b);

#endif
