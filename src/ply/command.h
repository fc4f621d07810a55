/* SPDX-License-Identifier: MIT
 * command.h - the sub-commands of `ply`, one file each (cmd_*.c). They write to
 * stdout, complain on stderr and return the program's exit status. */
#ifndef PLYD_PLY_COMMAND_H
#define PLYD_PLY_COMMAND_H

/* What scripts may rely on. */
enum {
	PLY_OK = 0,
	PLY_REFUSED = 1,   /* a move is not legal */
	PLY_UNREADABLE = 2 /* bad usage, text that cannot be read, no output */
};

/* argv[0] is the name for messages, such as "ply perft". */
typedef int command_fn(int argc, char **argv);

command_fn cmd_account;
command_fn cmd_admin;
command_fn cmd_analyse;
command_fn cmd_bot;
command_fn cmd_call;
command_fn cmd_check;
command_fn cmd_load;
command_fn cmd_moves;
command_fn cmd_perft;
command_fn cmd_play;
command_fn cmd_record;
command_fn cmd_replay;
command_fn cmd_script;
command_fn cmd_tournament;
command_fn cmd_trace;
command_fn cmd_verify;
command_fn cmd_watch;

#endif
