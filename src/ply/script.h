/* SPDX-License-Identifier: MIT
 * script.h - the commands of `ply script`. Each complains on stderr and returns
 * the program's exit status. */
#ifndef PLYD_PLY_SCRIPT_H
#define PLYD_PLY_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/worker.h"

/* What was written on the command line. */
struct script_options {
	const char *scripts; /* folder of the folders of scripts */
	const char *word[2]; /* what follows the command's name */
	const char *ruleset;
	const char *records;
	const char *moves; /* a file, or NULL */
	uint64_t games, seed;
	int64_t deadline_ms; /* of a move */
	int opening;
	int kind; /* -1: as the folder says */
	bool every, json;
};

/* enum worker_kind of "personality", "policy" and so on; -1:
 * none. */
int script_kind_find(const char *word);
/* The same by the folder of a file, scripts/personalities/x.lua, or for the
 * configuration by its name, plyd.lua. */
int script_kind_of_path(const char *path);
/* The folder of a kind under that of all scripts: "personalities". */
const char *script_kind_folder(int kind);

/* Writes a commented skeleton to FOLDER/personalities/NAME.lua, or as the kind
 * says; makes the last folder, if it is not there. What lies there already is not touched. */
int script_new(int kind, const char *name, const char *folder);

/* Reads the file as plyd would, with the libraries of ../lib, then asks it in sample positions. */
int script_check(const char *path, int kind);

/* Two personalities, each a name or a file, against one another. PLY_REFUSED:
 * one of them, or the policy, did not answer well somewhere. */
int script_play(const struct script_options *options);

/* What the script would have answered in the recorded matches of a folder.
 * PLY_REFUSED: something else than the records say. */
int script_replay(const struct script_options *options);

#endif
