/* SPDX-License-Identifier: MIT
 * build.h - what this program was built from. */
#ifndef PLYD_BASE_BUILD_H
#define PLYD_BASE_BUILD_H

#include <stdio.h>

/* The line of --version: "ply 0.1.0 (0123abc)\n"; without the commit where it
 * is not known, as in builds for development. */
void build_print_version(FILE *out, const char *program);

#endif
