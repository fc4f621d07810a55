/* SPDX-License-Identifier: MIT
 * draughts_sets.h - the option sets that the draughts tests run over: the
 * rulesets that ship, and games that are nothing but options. */
#ifndef PLYD_TESTS_DRAUGHTS_SETS_H
#define PLYD_TESTS_DRAUGHTS_SETS_H

#include <plyd/rules.h>

/* A ruleset by name (`english`, or `russian`, which is one of the tests' own)
 * with further options, `turn_back=true` or "". Aborts if there is none. */
struct ruleset draughts_set(const char *name, const char *options);

/* All names, shipped and our own; NULL at the end. */
extern const char *const draughts_set_names[];

/* game_read() of a text that must be right. */
struct position draughts_position(const struct ruleset *rs, const char *text);

/* The text of a position, in one of four buffers used in turn. */
const char *draughts_text(const struct ruleset *rs, const struct position *pos);

#endif
