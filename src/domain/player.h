/* SPDX-License-Identifier: MIT
 * player.h - who plays, for those who may read it. Only the domain writes it.
 *
 * A player is a guest, a member or a bot; a session is one way in to him, with
 * a secret token and at most one connection. A player may have several: each of
 * them sees his seats live, and the one that last gave a command for a seat
 * drives it. He is here while any of them is. */
#ifndef PLYD_DOMAIN_PLAYER_H
#define PLYD_DOMAIN_PLAYER_H

#include "domain/id_set.h"
#include "domain/match.h"
#include "domain/meeting.h"

struct player;
struct account;
struct lobby_link;

/* What a command with a key made, so that its repetition makes it no more. */
struct remembered_key {
	char key[KEY_BYTES_MAX + 1];
	struct id made; /* lobby, seek, challenge or match */
};

/* A session that watches whatever a player plays. */
struct follow {
	struct session *session;
	struct player *player;              /* who is followed */
	struct follow *prev, *next;         /* of the same player */
	struct follow *own_prev, *own_next; /* of the same session */
};

/* The token that a session may use from now on; then the one before is void. */
struct offered_token {
	UT_hash_handle hh;
	struct digest token; /* its SHA-256 */
	struct session *session;
};

struct session {
	struct player *player;
	uint32_t number; /* among its player's; in no other's sight */
	/* of this process only */
	uint64_t conn; /* 0 = away */
	struct session *prev, *next;
	struct watcher *watching;
	struct follow *following;
	struct tournament_watcher *tournaments; /* that it watches */
	size_t tournament_watches;
	uint64_t away_ms; /* since when, if away */

	int64_t began_at;              /* Unix time in ms; 0: not known */
	struct digest token;           /* SHA-256 of the token in use */
	struct offered_token *offered; /* the next one; NULL: there is none */
	UT_hash_handle by_token;
};

struct player {
	UT_hash_handle hh; /* beside its key: both are looked at */
	struct id id;
	enum player_kind kind;
	struct session *sessions; /* the oldest first */
	size_t here;              /* of them with a connection, in this process
				   * only */
	size_t session_count;
	uint32_t session_next; /* number of the next one */
	char name[NAME_BYTES_MAX + 1];
	struct account *account; /* NULL: a guest, or a bot without one */
	bool leaving; /* deleted: his seats are being left, one by one */
	struct remembered_key *keys; /* KEYS_REMEMBERED; NULL: none yet */
	size_t key_next;
	int64_t muted_until_unix_ms; /* 0: he is not */
	struct id_set blocks;        /* players whom he blocks */
	struct id_set chat_off;      /* matches where he wants no talk */
	int64_t report_day;          /* unix time in days */
	int64_t reports_sent;        /* on that day */
	uint32_t leaves;       /* of matches, when he left the last time */
	uint64_t leave_ms;     /* when that was */
	bool went_away;        /* from a match that waits for long, */
	uint64_t went_away_ms; /* since then */

	/* of this process only */
	uint64_t chat_paid_ms; /* until when his lines are paid for */
	uint64_t away_ms;      /* since when there is none */
	struct lobby_link *lobbies;
	size_t lobby_count;
	struct match_link *matches; /* not yet over */
	size_t match_count;
	size_t tournament_count; /* not finished: that he made, directs, is in */
	size_t watch_count;      /* of all his sessions */
	size_t follow_count;     /* the same */
	struct follow *followers;
	size_t follower_count;
	struct meets meets;
	struct due due;
};

/* Whether any session of his has a connection. */
static inline bool player_is_here(const struct player *p)
{
	return p->here > 0;
}

#define MUTED_FOR_EVER INT64_MAX
bool player_is_muted(const struct player *p, int64_t unix_ms);

/* Whether p has blocked him. */
bool player_blocks(const struct player *p, const struct id *other);
/* Whether either has blocked the other: neither hears the other, and they meet
 * in no lobby, challenge or seek. */
bool players_apart(const struct player *a, const struct player *b);

/* His session of that number; NULL: there is none (any more). */
struct session *player_session(const struct player *p, uint32_t number);

#endif
