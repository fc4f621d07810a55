/* SPDX-License-Identifier: MIT
 * table.h - uthash with a keyed hash (SipHash) and without its exit() when
 * memory runs out. Include this, never <uthash.h>. After HASH_ADD look whether
 * the element is there: with no memory it was not added.
 *
 * Ids and connection numbers are given out by the server itself: nobody can
 * make many that fall together, and a few instructions hash them. For tables by
 * them alone there are TABLE_ADD and TABLE_FIND; what a peer can choose, such
 * as a login, is hashed with HASH_ADD and HASH_FIND. One table keeps to one
 * way. */
#ifndef PLYD_BASE_TABLE_H
#define PLYD_BASE_TABLE_H

#include <stdint.h>
#include <string.h>

#include <sodium.h>

#include "base/id.h"

/* The key is random per process and set by table_ready(); iteration follows
 * insertion, so no behaviour depends on it. */
extern unsigned char table_key[crypto_shorthash_KEYBYTES];
void table_ready(void);

static inline unsigned table_hash(const void *key, unsigned len)
{
	uint64_t h;
	crypto_shorthash((unsigned char *)&h, key, len, table_key);
	return (unsigned)h;
}

#define HASH_FUNCTION(keyptr, keylen, hashv)                                   \
	do {                                                                   \
		(hashv) = table_hash((keyptr), (unsigned)(keylen));            \
	} while (0)
#define HASH_NONFATAL_OOM 1
#include <uthash.h>
/* Fewer elements that fall together: each is a line of memory to wait for. */
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 6U

/* The middle of a product depends on all bits of its factors. */
static inline unsigned table_mix(uint64_t x)
{
	x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return (unsigned)(x >> 32);
}

static inline unsigned table_number_hash(const uint64_t *number)
{
	return table_mix(*number);
}

static inline unsigned table_id_hash(const struct id *id)
{
	uint64_t most;
	uint16_t rest;
	memcpy(&most, id->text, sizeof(most));
	memcpy(&rest, id->text + sizeof(most), sizeof(rest));
	_Static_assert(sizeof(most) + sizeof(rest) == ID_CHARS, "all of it");
	return table_mix(most * UINT64_C(0xbf58476d1ce4e5b9) ^ rest);
}

#define TABLE_HASH(key)                                                        \
	_Generic((key), struct id * : table_id_hash,                           \
		 const struct id * : table_id_hash,                            \
		 uint64_t * : table_number_hash,                               \
		 const uint64_t * : table_number_hash)(key)
/* What is compared of a key. */
#define TABLE_KEY_BYTES(key)                                                   \
	_Generic((key), struct id * : ID_CHARS, const struct id * : ID_CHARS,  \
		 uint64_t * : sizeof(uint64_t),                                \
		 const uint64_t * : sizeof(uint64_t))

/* key points to a struct id or a uint64_t; field is the one of the element. */
#define TABLE_FIND(head, key, out)                                             \
	HASH_FIND_BYHASHVALUE(hh, head, key, TABLE_KEY_BYTES(key),             \
			      TABLE_HASH(key), out)
#define TABLE_ADD(head, field, element)                                        \
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, head, &(element)->field,               \
				    TABLE_KEY_BYTES(&(element)->field),        \
				    TABLE_HASH(&(element)->field), element)

#endif
