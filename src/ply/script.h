/* SPDX-License-Identifier: MIT
 * script.h - the commands of `ply script`. Each complains on stderr and returns
 * the program's exit status. */
#ifndef PLYD_PLY_SCRIPT_H
#define PLYD_PLY_SCRIPT_H

#include "proto/worker.h"

/* enum worker_kind of "personality", "policy", "ruleset", "library"; -1:
 * none. */
int script_kind_find(const char *word);
/* The same by the folder of a file, scripts/personalities/x.lua, or for the
 * configuration by its name, plyd.lua. */
int script_kind_of_path(const char *path);

/* Writes a commented skeleton to FOLDER/personalities/NAME.lua, or as the kind
 * says; makes the last folder, if it is not there. What lies there already is not touched. */
int script_new(int kind, const char *name, const char *folder);

/* Reads the file as plyd would, with the libraries of ../lib, then asks it in sample positions. */
int script_check(const char *path, int kind);

#endif
