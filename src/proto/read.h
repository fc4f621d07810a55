/* SPDX-License-Identifier: MIT
 * read.h - reads one whole MessagePack message into values that can be looked
 * at, and refuses what this protocol does not allow. It does not know any
 * method: methods.h does. One doc per thread, used again for each message. */
#ifndef PLYD_PROTO_READ_H
#define PLYD_PROTO_READ_H

#include "proto/scan.h"

/* ---- documents --------------------------------------------------------- */

struct doc_rules {
	struct scan_limits limits;
	bool bin; /* whether binary values are allowed */
};
extern const struct doc_rules
	doc_request;                      /* from a client: MESSAGE_*, no bin */
extern const struct doc_rules doc_answer; /* from a server: ANSWER_*, no bin */
extern const struct doc_rules doc_store;  /* journal, worker: STORE_*, bin */

enum {
	STORE_BYTES_MAX = 4 * 1024 * 1024,
	STORE_ELEMENTS_MAX = 256 * 1024,
	MAP_ENTRIES_MAX = 256, /* of one map, in every message */
	DOC_CHUNK_BYTES = 8 * 1024
};

struct doc;   /* the memory that holds the values of one message */
struct value; /* one of them, lent by a doc */

/* Gives a doc; free it with doc_free(). NULL: no memory. Between messages it
 * keeps one chunk of memory; while it holds a message, at most 48 bytes an
 * element. */
struct doc *doc_new(void);
void doc_free(struct doc *d); /* NULL is fine */

/* Reads bytes, which must be one message and no more, into d; what d held
 * before is gone. Lends *out until the next call on d, and no longer than the
 * bytes themselves live: strings point into them. Safe for any bytes: they are
 * scanned before memory is taken. Errors:
 * PLYD_ENOMEM;
 * PLYD_EMESSAGE   not one whole message, or a map key that is no string;
 * PLYD_ETOOLARGE  over rules->limits or MAP_ENTRIES_MAX;
 * PLYD_ETOODEEP   over MESSAGE_DEPTH_MAX;
 * PLYD_EDUPKEY, PLYD_EUTF8, PLYD_EWIRETYPE as their names say.
 * In spite of the last five *out is lent, if the bytes are a message at all,
 * so that its id can be found and answered; else *out is NULL. */
int doc_parse(struct doc *d, struct span bytes, const struct doc_rules *rules,
	      const struct value **out);
/* The same of bytes that a scan with the same limits has found to be one
 * message: found is SCAN_MESSAGE or SCAN_TOODEEP. */
int doc_parse_scanned(struct doc *d, struct span bytes, int found,
		      const struct doc_rules *rules, const struct value **out);

/* ---- values ------------------------------------------------------------ */

enum value_type {
	VALUE_NIL,
	VALUE_BOOL,
	VALUE_INT,
	VALUE_STR,
	VALUE_BIN,
	VALUE_ARRAY,
	VALUE_MAP,
	VALUE_REFUSED /* a float or ext, in a message that was refused */
};

enum value_type value_type(const struct value *v); /* not for NULL */

/* Each sets *out, or returns an error and leaves it. v may be NULL, as
 * value_find() and value_at() return it: PLYD_EMISSING. Another type:
 * PLYD_EBADTYPE. Integers are accepted in every width; outside min..max:
 * PLYD_ERANGE. Strings and binaries are lent as the doc lends its root. */
int value_int(const struct value *v, int64_t min, int64_t max, int64_t *out);
int value_uint(const struct value *v, uint64_t max, uint64_t *out);
int value_bool(const struct value *v, bool *out);
int value_str(const struct value *v, struct span *out);
int value_bin(const struct value *v, struct span *out);

/* The number of items of an array, entries of a map; 0 for NULL and for all
 * else. */
size_t value_count(const struct value *v);
/* Item i of an array; NULL: not an array, or it has no such item. */
const struct value *value_at(const struct value *v, size_t i);
/* Value of entry i of a map and its key; NULL: not a map, no such entry. The
 * order is the sender's. */
const struct value *value_entry(const struct value *v, size_t i,
				struct span *key);
/* Value of the entry with that key; NULL: not a map, no such key. */
const struct value *value_find(const struct value *v, const char *key);

/* ---- text -------------------------------------------------------------- */

/* Whether the bytes are strict UTF-8: no surrogates, no overlong forms. */
bool utf8_valid(struct span text);
/* Characters (code points) of valid UTF-8. */
size_t utf8_count(struct span text);

#endif
