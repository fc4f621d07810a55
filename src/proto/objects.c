/* SPDX-License-Identifier: MIT */
#include "proto/objects.h"

#include <assert.h>
#include <string.h>

/* Each ends with a row without a name: an object may have no fields. */
#define P(name, type, doc) { #name, type, doc },
#define O(UPPER, name, doc)                                                    \
	static const struct object_field UPPER##_fields[] = {                  \
		UPPER##_FIELDS(P){ NULL, NULL, NULL },                         \
	};
OBJECTS(O)
#undef O
#undef P

static const struct object_info objects[] = {
#define O(UPPER, name, doc)                                                    \
	{ name, doc, UPPER##_fields,                                           \
	  sizeof(UPPER##_fields) / sizeof(UPPER##_fields[0]) - 1 },
	OBJECTS(O)
#undef O
};

const struct object_info *object_info(enum object o)
{
	assert((unsigned)o < OBJECT_COUNT);
	return &objects[o];
}

const struct object_info *object_find(const char *name, size_t len)
{
	for (size_t i = 0; i < OBJECT_COUNT; i++)
		if (strlen(objects[i].name) == len &&
		    !memcmp(objects[i].name, name, len))
			return &objects[i];
	return NULL;
}
