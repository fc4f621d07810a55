/* SPDX-License-Identifier: MIT */
#include "session/wordlist.h"

#include <stdio.h>
#include <stdlib.h>

#include <utf8proc.h>

#include <plyd/err.h>
#include "proto/read.h"

struct word {
	bool open; /* whatever may follow */
	char text[WORD_BYTES_MAX + 1];
};

struct wordlist {
	size_t count;
	struct word word[]; /* sorted by text */
};

static bool is_part(utf8proc_int32_t c)
{
	utf8proc_category_t category = utf8proc_category(c);
	return (category >= UTF8PROC_CATEGORY_LU &&
		category <= UTF8PROC_CATEGORY_NO) ||
	       category == UTF8PROC_CATEGORY_CF; /* unseen within a word */
}

/* Folds the beginning of a word; *whole: all of it. False: nothing of it is to
 * be seen, or there is no memory. */
static bool fold(struct span text, char out[WORD_BYTES_MAX + 1], bool *whole)
{
	utf8proc_uint8_t *folded = NULL;
	const utf8proc_option_t how = UTF8PROC_STABLE | UTF8PROC_COMPOSE |
				      UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
				      UTF8PROC_IGNORE;
	utf8proc_ssize_t len =
		utf8proc_map(text.at, (utf8proc_ssize_t)text.len, &folded, how);
	*whole = len <= WORD_BYTES_MAX;
	bool good =
		len > 0 && span_copy(span_of(folded, *whole ? (size_t)len
							    : WORD_BYTES_MAX),
				     out, WORD_BYTES_MAX + 1);
	free(folded);
	return good;
}

/* -- reading a list -- */

static int by_text(const void *a, const void *b)
{
	const struct word *x = a, *y = b;
	return strcmp(x->text, y->text);
}

static struct span trimmed(struct span line)
{
	const uint8_t *comment =
		line.len > 0 ? memchr(line.at, '#', line.len) : NULL;
	if (comment)
		line.len = (size_t)(comment - line.at);
	while (line.len > 0 && memchr(" \t\r", line.at[line.len - 1], 3))
		line.len--;
	while (line.len > 0 && memchr(" \t", line.at[0], 2))
		line = span_of(line.at + 1, line.len - 1);
	return line;
}

static bool is_one_word(struct span text)
{
	for (size_t i = 0; i < text.len;) {
		utf8proc_int32_t c;
		utf8proc_ssize_t n =
			utf8proc_iterate(text.at + i,
					 (utf8proc_ssize_t)(text.len - i), &c);
		if (n < 1 || !is_part(c))
			return false;
		i += (size_t)n;
	}
	return text.len > 0;
}

static int add(struct wordlist *w, struct span line, size_t number, char *why)
{
	struct span text = trimmed(line);
	if (text.len == 0)
		return PLYD_OK;
	if (w->count == WORDLIST_MAX) {
		snprintf(why, WORDLIST_WHY_MAX, "it has more than %d words",
			 WORDLIST_MAX);
		return PLYD_ETOOLARGE;
	}
	struct word *word = &w->word[w->count];
	bool whole;
	word->open = text.at[text.len - 1] == '*';
	text.len -= word->open;
	if (!is_one_word(text) || !fold(text, word->text, &whole) || !whole) {
		snprintf(why, WORDLIST_WHY_MAX,
			 "line %zu is not one word of letters and digits of at "
			 "most %d bytes",
			 number, WORD_BYTES_MAX);
		return PLYD_ECONFIG;
	}
	w->count++;
	return PLYD_OK;
}

int wordlist_read(struct wordlist **out, struct span text,
		  char why[WORDLIST_WHY_MAX])
{
	*out = NULL;
	why[0] = '\0';
	if (text.len > WORDLIST_BYTES_MAX) {
		snprintf(why, WORDLIST_WHY_MAX, "it is longer than %d bytes",
			 WORDLIST_BYTES_MAX);
		return PLYD_ETOOLARGE;
	}
	struct wordlist *w =
		calloc(1, sizeof(*w) + WORDLIST_MAX * sizeof(w->word[0]));
	if (!w)
		return PLYD_ENOMEM;
	for (size_t number = 1; text.len > 0; number++) {
		const uint8_t *end = memchr(text.at, '\n', text.len);
		size_t len = end ? (size_t)(end - text.at) : text.len;
		int err = add(w, span_of(text.at, len), number, why);
		if (err) {
			free(w);
			return err;
		}
		len += end != NULL;
		text = span_of(text.at + len, text.len - len);
	}
	qsort(w->word, w->count, sizeof(w->word[0]), by_text);
	*out = w;
	return PLYD_OK;
}

void wordlist_free(struct wordlist *w)
{
	free(w);
}

size_t wordlist_count(const struct wordlist *w)
{
	return w ? w->count : 0;
}

/* -- masking -- */

/* Whether the list has this text; `open`: one that may go on. The same text may
 * be there both ways, side by side. */
static bool has(const struct wordlist *w, const char *text, bool open)
{
	struct word key = { .open = open };
	memcpy(key.text, text, strlen(text) + 1);
	const struct word *found =
		bsearch(&key, w->word, w->count, sizeof(w->word[0]), by_text);
	if (!found)
		return false;
	while (found > w->word && !by_text(found - 1, &key))
		found--;
	for (; found < w->word + w->count && !by_text(found, &key); found++)
		if (found->open == open)
			return true;
	return false;
}

static bool is_listed(const struct wordlist *w, struct span word)
{
	char text[WORD_BYTES_MAX + 1];
	bool whole;
	if (!fold(word, text, &whole))
		return false;
	if (whole && has(w, text, false))
		return true;
	for (size_t len = strlen(text); len > 0; len--) {
		text[len] = '\0';
		if (has(w, text, true))
			return true;
	}
	return false;
}

static void put_word(const struct wordlist *w, struct span word, struct buf *b)
{
	if (word.len == 0)
		return;
	if (!is_listed(w, word)) {
		buf_put(b, word.at, word.len);
		return;
	}
	for (size_t i = utf8_count(word); i > 0; i--)
		buf_put_byte(b, '*');
}

void wordlist_mask(const struct wordlist *w, struct span text, struct buf *b)
{
	size_t from = 0;
	if (text.len == 0)
		return;
	if (wordlist_count(w) == 0) {
		buf_put(b, text.at, text.len);
		return;
	}
	for (size_t i = 0; i < text.len;) {
		utf8proc_int32_t c;
		utf8proc_ssize_t n =
			utf8proc_iterate(text.at + i,
					 (utf8proc_ssize_t)(text.len - i), &c);
		size_t len = n < 1 ? 1 : (size_t)n;
		if (n < 1 || !is_part(c)) {
			put_word(w, span_of(text.at + from, i - from), b);
			buf_put(b, text.at + i, len);
			from = i + len;
		}
		i += len;
	}
	put_word(w, span_of(text.at + from, text.len - from), b);
}
