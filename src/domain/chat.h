/* SPDX-License-Identifier: MIT
 * chat.h - what was said in a lobby or a match, for those who may read it. Only
 * the domain writes it.
 *
 * A match has two channels that never mix: its players' and its spectators'. What
 * a personality says is a line of each.
 * Lines are of this process only: no fact holds them, so the journal keeps no
 * talk; a report keeps those that it is about. */
#ifndef PLYD_DOMAIN_CHAT_H
#define PLYD_DOMAIN_CHAT_H

#include "base/id.h"
#include "domain/limits.h"

enum chat_channel { CHAT_LOBBY, CHAT_PLAYERS, CHAT_SPECTATORS };

struct chat_line {
	uint64_t number; /* 1, 2, 3 and so on in its channel */
	struct id from;  /* none: a personality */
	int kind;        /* enum player_kind */
	char name[NAME_BYTES_MAX + 1];
	int64_t at_unix_ms;
	char key[KEY_BYTES_MAX + 1]; /* of its command, or "" */
	struct chat_line *prev, *next;
	char text[];
};

/* The newest lines of a channel. Zeros are one without a line. */
struct chat {
	struct chat_line *lines; /* the oldest first */
	size_t count;
	uint64_t last;
};

#endif
