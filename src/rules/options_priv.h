/* SPDX-License-Identifier: MIT
 * options_priv.h - the values of the options of <plyd/rules.h> by name. Each
 * enum follows the order in which the option's table lists its values; a test
 * writes every ruleset as text and so holds the two together. Options that are
 * "true|false" use OPTION_TRUE and OPTION_FALSE, those that are "false|true"
 * OPTION_NO and OPTION_YES. */
#ifndef PLYD_RULES_OPTIONS_PRIV_H
#define PLYD_RULES_OPTIONS_PRIV_H

enum { OPTION_TRUE, OPTION_FALSE };
enum { OPTION_NO, OPTION_YES };
enum { OPTION_WHITE, OPTION_BLACK }; /* first and person, as enum side */

enum { SQUARES_DARK, SQUARES_ALL };
enum { NOTATION_NUMERIC, NOTATION_ALGEBRAIC };
enum { START_ROWS_1_3, START_ROWS_2_3 };
enum { MAN_STEP_DIAGONAL_FORWARD, MAN_STEP_FORWARD_SIDEWAYS };
enum { MAN_CAPTURE_FORWARD, MAN_CAPTURE_ANY, MAN_CAPTURE_FORWARD_SIDEWAYS };
enum { KING_SHORT, KING_FLYING };
enum { REMOVAL_AT_ONCE, REMOVAL_AT_END };
enum { MAJORITY_NONE, MAJORITY_NUMBER, MAJORITY_QUALITY, MAJORITY_KING };
enum { PROMOTION_STOPS, PROMOTION_AT_END, PROMOTION_CONTINUES };

enum { FIRST_WHITE, FIRST_ROLL }; /* backgammon's first */
enum { HIT_AND_BEAR_OFF_ALWAYS, HIT_AND_BEAR_OFF_IF_FORCED };
enum { START_STANDARD, START_NACK, START_HYPER }; /* backgammon's start */

#endif
