/* SPDX-License-Identifier: MIT
 * limits.h - every maximum and every waiting time of the lobby, by name. What
 * an operator may change is in struct domain_limits with its default here; the
 * rest is fixed. */
#ifndef PLYD_DOMAIN_LIMITS_H
#define PLYD_DOMAIN_LIMITS_H

#include <stdint.h>

enum {
	NAME_BYTES_MAX = 64, /* display name, UTF-8 */
	PERSONALITY_BYTES_MAX = 32,
	POLICY_BYTES_MAX = 32,
	KEPT_BYTES_MAX = 1024,   /* what a script keeps of a match */
	VERSION_BYTES_MAX = 12,  /* of a script: its short hash, or none */
	VERDICT_BYTES_MAX = 256, /* a policy's words to the players */
	ABOUT_BYTES_MAX = 160,
	KEY_BYTES_MAX = 32,   /* client's key of a command without a ply */
	KEYS_REMEMBERED = 24, /* per player */
	SESSIONS_PER_PLAYER_MAX = 8,
	LOGIN_BYTES_MAX = 20,
	PASSWORD_BYTES_MIN = 8,
	PASSWORD_BYTES_MAX = 128,
	PASSWORD_HASH_MAX = 128, /* its text, NUL included */
	HASH_JOBS_MAX = 256,     /* what an operator may allow */
	CODE_CHARS = 6,          /* code of a private lobby */
	DICE_NONCE_MAX = 32,
	SEED_BYTES = 32,
	PLIES_MAX = 4096, /* a longer match is a draw */
	CHAT_CHARS_MAX = 300,
	CHAT_BYTES_MAX = 4 * CHAT_CHARS_MAX,
	CHAT_LINES_KEPT = 20,     /* of one channel */
	CHAT_OFF_REMEMBERED = 32, /* matches where a player wants no talk */
	BLOCKS_MAX = 100,         /* players whom one player blocks */
	REPORTS_OPEN_MAX = 1000,
	REPORTS_OF_GUESTS_MAX = 500, /* of these: anyone is many guests */
	EVIDENCE_LINES_MAX = 10,     /* of one channel */
	EVIDENCE_BYTES_MAX = 2000,
	MOVES_BYTES_MAX = PLIES_MAX * 80,
	HELD_MOVES_MAX = 4,    /* of one turn, that wait for a verdict */
	OFFER_WAIT_MOVES = 10, /* own moves after a refused offer */
	ABORT_PLIES_MAX = 2,   /* plies after which none may abort */
	RULES_MAX = 64,        /* rulesets on offer */
	PERSONALITIES_MAX = 64,
	WATCHERS_MAX = 4096,  /* of one match */
	FOLLOWERS_MAX = 4096, /* of one player */
	SPECTATOR_DELAY_MS_MAX = 900000,
	MATCHES_PER_PLAYER_MAX = 1000, /* what an operator may allow */
	FACTS_PER_STEP_MAX = 64,
	EFFECTS_PER_STEP_MAX = 128, /* and two for each match of a player, one
				     * for each lobby */
	LIST_SHOWN_MAX = 100,       /* lobbies or matches that a list shows */
	MATCH_LENGTH_MOST = 64,     /* points, as the rules core has it */
	/* meeting */
	LOBBIES_PER_PLAYER_MAX = 1000, /* what an operator may allow */
	SEEKS_PER_PLAYER_MAX = 16,     /* the same; seeks, and challenges */
	LIST_WALK_MAX = 1000, /* entries that one page of a list looks at */
	INVITED_MAX = 16,     /* to one lobby, and lobbies to one player */
	BARRED_MAX = 32,      /* thrown out of one lobby */
	BOT_RULESETS_BYTES_MAX = 400,
	QUICK_STEP_MS = 5000, /* a quick match's range widens every so often */
	QUICK_RANGE_FIRST = 100, /* rating points at first, */
	QUICK_RANGE_STEP = 100,  /* and more with each step, */
	QUICK_RANGE_MAX = 4000,  /* which is anyone */
	QUICK_REPEAT_MS = 15000, /* wait before the last opponent again, if
				  * others wait too */
};

/* L(name, default, low, high, doc): what the operator may set. */
#define DOMAIN_LIMITS(L)                                                       \
	L(players_max, 20000, 2, 1000000, "Guests known at one time.")         \
	L(accounts_max, 20000, 0, 1000000, "Accounts, beside the guests.")     \
	L(deleted_max, 100000, 0, 10000000,                                    \
	  "Deleted accounts whose ids must be kept out of old records.")       \
	L(hashes_waiting_max, 32, 1, HASH_JOBS_MAX,                            \
	  "Passwords that are checked or wait for it.")                        \
	L(rename_hold_ms, 2592000000, 0, 31536000000,                          \
	  "How long nobody else may take a name that somebody gave up.")       \
	L(reset_keep_ms, 86400000, 60000, 2592000000,                          \
	  "How long a one-time password is good.")                             \
	L(lobbies_max, 5000, 1, 100000, "Open lobbies.")                       \
	L(matches_max, 10000, 1, 100000, "Running matches.")                   \
	L(lobbies_per_player, 4, 1, LOBBIES_PER_PLAYER_MAX,                    \
	  "Lobby seats of one player.")                                        \
	L(seeks_per_player, 4, 1, SEEKS_PER_PLAYER_MAX,                        \
	  "Open seeks of one player; challenges by him; challenges to him.")   \
	L(ready_wait_ms, 120000, 1000, 3600000,                                \
	  "In a full lobby: when the seat of one who is not ready is freed.")  \
	L(challenge_keep_ms, 120000, 1000, 86400000,                           \
	  "How long a challenge waits for its answer.")                        \
	L(matches_per_player, 32, 1, MATCHES_PER_PLAYER_MAX,                   \
	  "Running matches of one player.")                                    \
	L(ai_matches_max, 1000, 1, 100000,                                     \
	  "Running matches with personalities.")                               \
	L(ai_waiting_max, 100, 0, 10000, "Lobbies that wait until one may.")   \
	L(ai_matches_per_player, 32, 1, MATCHES_PER_PLAYER_MAX,                \
	  "Matches and lobbies against personalities of one player.")          \
	L(watches_per_player, 64, 1, 1000, "Matches one player may watch.")    \
	L(chat_burst, 5, 1, 1000,                                              \
	  "Lines of chat that a player may send at once.")                     \
	L(chat_line_ms, 2000, 1, 600000,                                       \
	  "In the long run, the time from one line of a player to his next.")  \
	L(reports_per_day, 10, 0, 1000, "Reports of one player in a day.")     \
	L(nonce_wait_ms, 3000, 0, 60000,                                       \
	  "How long the first roll waits for the players' nonces.")            \
	L(verdict_wait_ms, 50, 1, 1000,                                        \
	  "How long a turn waits for the verdict of its draw policy.")         \
	L(claim_after_ms, 60000, 1000, 3600000,                                \
	  "How long a player may be away before the other may claim.")         \
	L(lobby_away_ms, 60000, 1000, 3600000,                                 \
	  "How long the lobby seat of an absent player is kept.")              \
	L(guest_keep_ms, 86400000, 1000, 2000000000,                           \
	  "How long an absent guest without a match is remembered.")           \
	L(restart_grace_ms, 15000, 0, 600000,                                  \
	  "After a restart: when a clock starts though nobody resumed.")       \
	L(match_length_max, 25, 1, 64,                                         \
	  "Points of the longest match of several games.")                     \
	L(lag_per_move_ms, 500, 0, 5000,                                       \
	  "Most that a move is credited for the way of messages; 0: nothing.") \
	L(lag_total_ms, 10000, 0, 600000,                                      \
	  "Most that a side is credited so in a match.")                       \
	L(time_fact_ms, 60000, 1000, 3600000,                                  \
	  "While a match runs the time is stored so often, though nothing "    \
	  "else happens: deadlines of days go on there after a crash.")        \
	L(result_keep_ms, 300000, 0, 86400000,                                 \
	  "How long a finished match can still be looked at.")                 \
	L(first_move_ms, 120000, 1000, 86400000,                               \
	  "A match with a clock is aborted if one of the first two "           \
	  "half-moves takes so long.")                                         \
	L(leaves_allowed, 2, 0, 1000,                                          \
	  "So often a player may leave matches before he must cool down.")     \
	L(leave_counts_ms, 3600000, 1000, 31536000000,                         \
	  "After so long one leave less is counted.")                          \
	L(cool_down_ms, 300000, 0, 86400000,                                   \
	  "How long a player cools down for each leave above those.")          \
	L(rematch_wait_ms, 60000, 1000, 86400000,                              \
	  "How long a wish for a rematch stands, while the match can still "   \
	  "be looked at.")                                                     \
	L(adjourned_keep_ms, 2592000000, 60000, 31536000000,                   \
	  "A match without a clock whose players are all away for so long is " \
	  "aborted.")                                                          \
	L(spectator_delay_ms, 0, 0, SPECTATOR_DELAY_MS_MAX,                    \
	  "How late spectators see a match, at least.")                        \
	L(tournaments_max, 200, 0, 10000,                                      \
	  "Tournaments; the oldest finished one makes room for a new one.")    \
	L(tournaments_per_player, 4, 0, 1000,                                  \
	  "Tournaments of one organiser that are not finished.")               \
	L(follows_per_player, 16, 1, 1000,                                     \
	  "Players whose matches one player may follow.")                      \
	L(join_pools, 0, 0, 1,                                                 \
	  "1: matches with bots count for the ratings of people.")

struct domain_limits {
#define L(name, value, low, high, doc) int64_t name;
	DOMAIN_LIMITS(L)
#undef L
};

void domain_limits_default(struct domain_limits *out);

#endif
