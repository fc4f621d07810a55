/* SPDX-License-Identifier: MIT
 * tournament.h - a whole tournament as JSON: fetched page by page, shown, and
 * verified. The export is {"plyd_tournament": 1, "tournament", "standings",
 * "rounds"}, with what tournament.get, .standings and .round answer. */
#ifndef PLYD_PLY_TOURNAMENT_H
#define PLYD_PLY_TOURNAMENT_H

#include <stdio.h>

#include "ply/json.h"

/* Fetching: asks one thing after another. */
struct tournament_fetch {
	struct client *client;
	const char *id;
	bool watch; /* it is watched from then on */
	bool with_rounds;
	/* The last call. whole NULL: why says why not; else it is given. */
	void (*on_done)(void *payload, json_t *whole, const char *why);
	void *payload;

	/* private */
	json_t *whole;
	size_t round;
};
/* Begins; *f must live until on_done. False: nothing was asked. */
bool tournament_fetch(struct tournament_fetch *f);

/* The table as people read it; the crosstable, if it is narrow enough. */
void tournament_print(FILE *out, const json_t *whole);
/* The table as comma-separated values with a line of titles. */
void tournament_print_csv(FILE *out, const json_t *whole);

/* Whether a file is such an export. */
bool tournament_is(const json_t *root);
/* Judges an export, one line to stdout; returns an exit status. */
int tournament_judge(const char *path, const json_t *root, bool as_json);

#endif
