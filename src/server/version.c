/* SPDX-License-Identifier: MIT */
#include "server/version.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/hex.h"

/* -- one -- */

static bool uses(const struct version *v, const struct version *library)
{
	for (size_t i = 0; i < v->use_count; i++)
		if (v->use[i] == library)
			return true;
	return false;
}

/* Adds what this source names. */
static void add_named(struct version *v, struct span source,
		      struct version *const *libraries, size_t count)
{
	for (size_t i = 0; i < count && v->use_count < WORKER_USES_MAX; i++)
		if (!uses(v, libraries[i]) &&
		    worker_source_names(source, span_str(libraries[i]->name)))
			v->use[v->use_count++] = version_hold(libraries[i]);
}

static int by_name(const void *a, const void *b)
{
	const struct version *const *left = a, *const *right = b;
	return strcmp((*left)->name, (*right)->name);
}

static void set_hash(struct version *v)
{
	char hex[2 * DIGEST_BYTES + 1];
	struct span part[1 + 2 * WORKER_USES_MAX] = { span_of(v->source,
							      v->len) };
	size_t parts = 1;
	for (size_t i = 0; i < v->use_count; i++) {
		part[parts++] = span_str(v->use[i]->name);
		part[parts++] = span_str(v->use[i]->hash);
	}
	struct digest d = sha256(part, parts);
	hex_write(d.byte, DIGEST_BYTES, hex);
	memcpy(v->hash, hex, VERSION_BYTES_MAX);
}

struct version *version_new(int kind, const char *name, uint8_t *source,
			    size_t len, struct version *const *libraries,
			    size_t count)
{
	struct version *v = calloc(1, sizeof(*v));
	if (!v) {
		free(source);
		return NULL;
	}
	v->holds = 1;
	v->kind = kind;
	v->source = source;
	v->len = len;
	add_named(v, span_of(source, len), libraries, count);
	for (size_t i = 0; i < v->use_count; i++)
		add_named(v, span_of(v->use[i]->source, v->use[i]->len),
			  libraries, count);
	qsort(v->use, v->use_count, sizeof(v->use[0]), by_name);
	set_hash(v);
	version_set_name(v, name);
	return v;
}

bool version_set_name(struct version *v, const char *name)
{
	snprintf(v->name, sizeof(v->name), "%s", name);
	snprintf(v->whole, sizeof(v->whole), "%.*s@%s", VERSION_NAME_MAX, name,
		 v->hash);
	snprintf(v->key, sizeof(v->key), "%d%s", v->kind, v->whole);
	return strlen(name) <= VERSION_NAME_MAX;
}

struct version *version_hold(struct version *v)
{
	v->holds++;
	return v;
}

void version_drop(struct version *v)
{
	if (!v || --v->holds > 0)
		return;
	assert(!v->kept);
	for (size_t i = 0; i < v->use_count; i++)
		version_drop(v->use[i]);
	free(v->source);
	free(v);
}

void version_tell(const struct version *v, struct buf *b)
{
	struct worker_load load = { .kind = v->kind,
				    .name = span_str(v->whole),
				    .source = span_of(v->source, v->len) };
	/* a library finds what the script that uses it names */
	load.uses.count = v->kind == WORKER_LIBRARY ? 0 : v->use_count;
	for (size_t i = 0; i < load.uses.count; i++)
		load.uses.at[i] = span_str(v->use[i]->whole);
	worker_ask_load(b, 1, &load);
}

/* -- a set -- */

void versions_release(struct versions *set)
{
	struct version *v, *next;
	HASH_ITER (hh, set->all, v, next)
		v->needed = false;
	versions_sweep(set);
}

struct version *versions_keep(struct versions *set, struct version *v)
{
	struct version *there;
	HASH_FIND_STR(set->all, v->key, there);
	if (there) {
		version_hold(there);
		version_drop(v);
		return there;
	}
	HASH_ADD_STR(set->all, key, v);
	if (!v->hh.tbl) {
		version_drop(v);
		return NULL;
	}
	v->kept = true;
	return version_hold(v);
}

struct version *versions_find(const struct versions *set, int kind,
			      const char *name, const char *hash)
{
	struct version *there, *all = set->all;
	char key[WORKER_NAME_MAX + 2];
	snprintf(key, sizeof(key), "%d%.*s@%.*s", kind, VERSION_NAME_MAX, name,
		 VERSION_BYTES_MAX, hash);
	HASH_FIND_STR(all, key, there);
	return there;
}

void versions_sweep(struct versions *set)
{
	struct version *v, *next;
	HASH_ITER (hh, set->all, v, next) {
		bool needed = v->needed;
		v->needed = false;
		if (needed)
			continue;
		HASH_DEL(set->all, v);
		v->kept = false;
		version_drop(v);
	}
}
