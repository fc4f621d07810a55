/* SPDX-License-Identifier: MIT
 * lobby.h - lobbies, for those who may read them. Only the domain writes them. */
#ifndef PLYD_DOMAIN_LOBBY_H
#define PLYD_DOMAIN_LOBBY_H

#include "domain/player.h"

/* A seat of a lobby in its player's list. */
struct lobby_link {
	struct lobby *lobby;
	enum side side;
	struct lobby_link *prev, *next;
};

struct lobby_seat {
	bool taken;
	bool ready;
	enum player_kind kind;
	struct id player; /* none for a personality */
	char name[NAME_BYTES_MAX + 1];
	struct session *driver; /* that took it last; NULL: none is here */
};

struct lobby {
	struct id id;
	struct id owner;
	struct match_rules rules; /* as they were when it was opened */
	struct clock_rules clock;
	enum against opponent;
	bool rated; /* its match is */
	int64_t spectator_delay_ms;
	char personality[PERSONALITY_BYTES_MAX + 1];
	char code[CODE_CHARS + 1]; /* "" = none */
	bool invited_only;
	bool closed;                      /* its match has no spectators */
	char position[POSITION_TEXT_MAX]; /* "": the start */
	struct lobby_seat seat[2];
	struct id invited[INVITED_MAX];
	size_t invited_count;
	struct id barred[BARRED_MAX]; /* thrown out */
	size_t barred_count;

	/* of this process only */
	struct chat chat;
	size_t ai_place_told;
	uint64_t unready_ms; /* full, and somebody is not ready: since when */
	struct listed listed;
	struct id match; /* that it has become; then it lives for one step */
	struct lobby_link link[2];
	struct due due;
	UT_hash_handle hh;
	UT_hash_handle by_code;
};

/* Points that win its match; 0: it will be a single game. */
static inline unsigned lobby_match_length(const struct lobby *l)
{
	const struct ruleset *rules = &l->rules.rules;
	return rules->family == FAMILY_BACKGAMMON
		       ? rules->backgammon.match_length
		       : 0;
}

/* The seat of a player in a lobby: a side, or -1. */
int lobby_seat_of(const struct lobby *l, const struct id *player);
bool lobby_is_invited(const struct lobby *l, const struct id *player);

/* Whether it is found without a code or an invitation. */
static inline bool lobby_is_public(const struct lobby *l)
{
	return !l->code[0] && !l->invited_only;
}

#endif
