/* SPDX-License-Identifier: MIT */
#include "ply/record_file.h"

#include <errno.h>
#include <stdio.h>

#include "base/hex.h"
#include "ply/command.h"
#include "record/codec.h"

enum { READ_BYTES = 64 * 1024 };

static bool text_of(const struct client_value *v, struct span *out)
{
	size_t len;
	const char *text = client_str(v, &len);
	*out = span_of(text, len);
	return text != NULL;
}

bool record_view(const struct client_value *result, struct record_view *out)
{
	struct span match, head, begun;
	out->facts = client_find(result, "facts");
	out->redacted = text_of(client_find(result, "begun_hash"), &begun) &&
			digest_read(begun, &out->after_begun);
	return text_of(client_find(result, "match"), &match) &&
	       id_read(match, &out->match) &&
	       text_of(client_find(result, "head"), &head) &&
	       digest_read(head, &out->head) &&
	       client_type(out->facts) == CLIENT_ARRAY;
}

bool record_fact(const struct record_view *r, size_t i, struct buf *bytes)
{
	struct span hex;
	uint8_t fact[FACT_BYTES_MAX];
	if (!text_of(client_at(r->facts, i), &hex))
		return false;
	long len = hex_read(hex, fact, sizeof(fact));
	buf_clear(bytes);
	return len >= 0 && !buf_put(bytes, fact, (size_t)len);
}

static const char *read_all(FILE *file, struct buf *bytes)
{
	static uint8_t piece[READ_BYTES];
	size_t len;
	while ((len = fread(piece, 1, sizeof(piece), file)) > 0)
		if (buf_put(bytes, piece, len))
			return "it is longer than any record";
	return ferror(file) ? strerror(errno) : NULL;
}

const char *record_read(const char *path, struct buf *bytes, struct doc *doc,
			struct record_view *out)
{
	const struct value *root;
	FILE *file = fopen(path, "rb");
	if (!file)
		return strerror(errno);
	buf_clear(bytes);
	const char *wrong = read_all(file, bytes);
	fclose(file);
	if (wrong)
		return wrong;
	if (doc_parse(doc, buf_span(bytes), &doc_store, &root) ||
	    !record_view((const struct client_value *)root, out))
		return "this is not a record as `ply record' saves it";
	return NULL;
}

int record_save(const char *who, const char *path, struct span bytes)
{
	FILE *file = !strcmp(path, "-") ? stdout : fopen(path, "wb");
	bool good = file && fwrite(bytes.at, 1, bytes.len, file) == bytes.len;
	if (file && file != stdout)
		good = !fclose(file) && good;
	if (!good) {
		fprintf(stderr, "%s: cannot write '%s': %s\n", who, path,
			strerror(errno));
		return PLY_UNREADABLE;
	}
	if (file != stdout)
		printf("%s\n", path);
	return PLY_OK;
}
