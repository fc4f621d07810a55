/* SPDX-License-Identifier: MIT
 * draughts-solve OUT RULESET [RULESET]: solves the endings of a ruleset, or of
 * two that differ in few, and writes them to OUT, packed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/train_draughts/solve.h"

/* The codes of all places; free() them. NULL: no memory. */
static uint8_t *solve(const struct ruleset *rs, const struct slices *s)
{
	struct variant v;
	variant_of(rs, &v);
	uint8_t *code = solve_endings(&v, s);
	for (uint32_t i = 0; code && i < s->size; i++) {
		int d = code[i];
		if (d % 2 == 1)
			code[i] = (uint8_t)(ENDING_LOST + d / 2);
		else
			code[i] =
				d == DISTANCE_DRAWN ? ENDING_DRAWN : ENDING_WON;
	}
	return code;
}

/* Where two rulesets differ nothing is kept. */
static void compare(uint8_t *code, const uint8_t *other, uint32_t count)
{
	uint32_t differ = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (code[i] == other[i])
			continue;
		code[i] = ENDING_UNKNOWN;
		differ++;
	}
	fprintf(stderr, "%u places differ\n", differ);
}

static bool write_packed(const char *path, const uint8_t *code, uint32_t count)
{
	unsigned long len = compressBound(count);
	unsigned char *packed = malloc(len);
	FILE *f = fopen(path, "wb");
	bool ok = packed && f &&
		  compress2(packed, &len, code, count, Z_BEST_COMPRESSION) ==
			  Z_OK &&
		  fwrite(packed, len, 1, f) == 1;
	fprintf(stderr, "%u places in %lu bytes\n", count, len);
	if (f && fclose(f))
		ok = false;
	free(packed);
	return ok;
}

int main(int argc, char **argv)
{
	static struct slices s;
	struct ruleset rs[2];
	struct variant v;
	int count = argc - 2;
	bool ok = count == 1 || count == 2;
	for (int i = 0; i < count && ok; i++)
		ok = !ruleset_find(argv[2 + i], strlen(argv[2 + i]), &rs[i]) &&
		     rs[i].family == FAMILY_DRAUGHTS;
	if (!ok) {
		fprintf(stderr,
			"usage: draughts-solve OUT RULESET [RULESET]\n");
		return 2;
	}
	variant_of(&rs[0], &v);
	slices_init(&s, &v);
	uint8_t *code = solve(&rs[0], &s);
	uint8_t *other = count == 2 ? solve(&rs[1], &s) : NULL;
	if (code && other)
		compare(code, other, s.size);
	if (!code || (count == 2 && !other) ||
	    !write_packed(argv[1], code, s.size)) {
		fprintf(stderr, "cannot write '%s'\n", argv[1]);
		return 1;
	}
	free(code);
	free(other);
	return 0;
}
