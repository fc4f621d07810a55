/* SPDX-License-Identifier: MIT
 * The small texts that strangers and operators write: names, logins, addresses
 * and ranges, hex, ids, what players say, lists of words. The first byte says
 * which; what is accepted has one form, which is accepted again. */
#include "fuzz.h"

#include <string.h>

#include "base/hex.h"
#include "base/id.h"
#include "base/ip.h"
#include "domain/name.h"
#include "proto/read.h"
#include "session/text.h"
#include "session/wordlist.h"

static void try_name(struct span text)
{
	char clean[NAME_BYTES_MAX + 1], again[NAME_BYTES_MAX + 1];
	char key[NAME_KEY_MAX], same[NAME_KEY_MAX];
	if (!utf8_valid(text) || !name_clean(text, clean))
		return;
	struct span name = span_str(clean);
	insist(utf8_valid(name) && text_is_clean(name));
	insist(utf8_count(name) >= NAME_CHARS_LEAST &&
	       utf8_count(name) <= NAME_CHARS_MOST);
	insist(name_clean(name, again) && !strcmp(clean, again));
	insist(name_key(clean, key) && name_key(again, same));
	insist(!strcmp(key, same) && key[0]);
	name_is_reserved(key);
}

static void try_login(struct span text)
{
	char again[NAME_BYTES_MAX + 1];
	if (!login_is_good(text))
		return;
	insist(text.len <= LOGIN_BYTES_MAX);
	/* a login is no worse than a name, but for what stands at its ends */
	insist(span_copy(text, again, sizeof(again)));
}

static void try_address(struct span text)
{
	struct ip ip;
	struct ip_range range, back;
	char written[IP_TEXT_MAX], again[IP_TEXT_MAX];
	if (!ip_range_read(text, &range)) {
		insist(!ip_read(text, &ip));
		return;
	}
	insist(range.bits <= 8 * IP_BYTES && ip_range_has(&range, &range.ip));
	ip_range_write(&range, written);
	insist(ip_range_read(span_str(written), &back));
	insist(!memcmp(&range.ip, &back.ip, sizeof(ip)) &&
	       range.bits == back.bits);
	ip_range_write(&back, again);
	insist(!strcmp(written, again));
}

static void try_hex(struct span text)
{
	uint8_t bytes[64];
	char back[2 * sizeof(bytes) + 1];
	struct id id;
	long len = hex_read(text, bytes, sizeof(bytes));
	if (len >= 0) {
		hex_write(bytes, (size_t)len, back);
		insist(span_is(text, back));
	}
	if (id_read(text, &id))
		insist(span_is(text, id.text));
}

/* The first line of what is said, the rest a list: nothing of the list is left,
 * and nothing else is gone. */
static void try_words(struct span text)
{
	const uint8_t *end = memchr(text.at, '\n', text.len);
	char why[WORDLIST_WHY_MAX] = "";
	struct wordlist *w;
	struct buf once, twice;
	if (!end)
		return;
	struct span said = span_of(text.at, (size_t)(end - text.at));
	struct span list =
		span_of(end + 1, text.len - (size_t)(end - text.at) - 1);
	if (wordlist_read(&w, list, why)) {
		insist(memchr(why, '\0', sizeof(why)));
		return;
	}
	buf_init(&once, 1u << 20);
	buf_init(&twice, 1u << 20);
	if (utf8_valid(said)) {
		wordlist_mask(w, said, &once);
		insist(!once.err && utf8_valid(buf_span(&once)));
		insist(utf8_count(said) == utf8_count(buf_span(&once)));
		wordlist_mask(w, buf_span(&once), &twice);
		insist(span_eq(buf_span(&once), buf_span(&twice)));
		insist(text_is_clean(said) == text_is_clean(buf_span(&once)));
	}
	buf_release(&once);
	buf_release(&twice);
	wordlist_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static void (*const tries[])(struct span text) = { try_name, try_login,
							   try_address, try_hex,
							   try_words };
	if (len == 0)
		return 0;
	tries[bytes[0] % 5](span_of(bytes + 1, len - 1));
	return 0;
}
