/* SPDX-License-Identifier: MIT
 * config.h - the operator's settings: one table for their names, defaults and
 * ranges. The file is Lua and is read by a worker, which answers with plain
 * data; here the data are checked. scripts/plyd.lua is the same table with
 * words; a test holds the two together. */
#ifndef PLYD_SERVER_CONFIG_H
#define PLYD_SERVER_CONFIG_H

#include <stdio.h>

#include "domain/limits.h"
#include "net/proxy.h"
#include "proto/read.h"
#include "server/stderr_log.h"
#include "session/hub.h"
#include "store/store.h"

enum { CONFIG_TEXT_MAX = 256, CONFIG_WHY_MAX = 512 };

/* I(section, name, default, low, high): whole numbers.
 * T(section, name, default): texts. */
#define CONFIG_SETTINGS(I, T)                                                  \
	T(listen, host, "127.0.0.1")                                           \
	I(listen, port, 7531, 0, 65535)                                        \
	T(listen, proxies, "none")                                             \
	T(data, directory, "var/plyd")                                         \
	T(data, durability, "full")                                            \
	I(data, snapshot_facts, 10000, 10, 100000000)                          \
	I(data, keep_records_ms, 0, 0, 3155760000000)                          \
	T(data, archive, "none")                                               \
	I(limits, connections, 10000, 1, 1000000)                              \
	I(limits, connections_per_address, 64, 1, 1000000)                     \
	I(limits, players, 20000, 2, 1000000)                                  \
	I(limits, lobbies, 5000, 1, 100000)                                    \
	I(limits, lobbies_per_player, 4, 1, 1000)                              \
	I(limits, matches, 10000, 1, 100000)                                   \
	I(limits, matches_per_player, 32, 1, MATCHES_PER_PLAYER_MAX)           \
	I(limits, ai_matches, 1000, 1, 100000)                                 \
	I(limits, ai_waiting, 100, 0, 10000)                                   \
	I(limits, ai_matches_per_player, 32, 1, MATCHES_PER_PLAYER_MAX)        \
	I(limits, watches_per_player, 64, 1, 1000)                             \
	I(limits, tournaments, 200, 0, 10000)                                  \
	I(limits, tournaments_per_player, 4, 0, 1000)                          \
	I(limits, seeks_per_player, 4, 1, SEEKS_PER_PLAYER_MAX)                \
	I(limits, ready_wait_ms, 120000, 1000, 3600000)                        \
	I(limits, challenge_keep_ms, 120000, 1000, 86400000)                   \
	I(limits, requests_burst, 200, 1, 1000000)                             \
	I(limits, requests_per_second, 50, 1, 1000000)                         \
	I(limits, write_queue_bytes, 1048576, 65536, 268435456)                \
	I(limits, outbox_bytes, 67108864, 65536, 1073741824)                   \
	I(limits, chat_burst, 5, 1, 1000)                                      \
	I(limits, chat_line_ms, 2000, 1, 600000)                               \
	I(limits, reports_per_day, 10, 0, 1000)                                \
	I(limits, hello_ms, 10000, 100, 600000)                                \
	I(limits, message_ms, 30000, 100, 600000)                              \
	I(limits, idle_ms, 900000, 1000, 86400000)                             \
	I(limits, lobby_away_ms, 60000, 1000, 3600000)                         \
	I(limits, guest_keep_ms, 86400000, 1000, 2000000000)                   \
	I(limits, result_keep_ms, 300000, 0, 86400000)                         \
	I(limits, match_length, 25, 1, 64)                                     \
	I(accounts, most, 20000, 0, 1000000)                                   \
	I(accounts, deleted, 100000, 0, 10000000)                              \
	I(accounts, rename_hold_ms, 2592000000, 0, 31536000000)                \
	I(accounts, reset_keep_ms, 86400000, 60000, 2592000000)                \
	I(accounts, hash_memory_kib, 19456, 8, 1048576)                        \
	I(accounts, hash_passes, 3, 1, 100)                                    \
	I(accounts, hashes_waiting, 32, 1, HASH_JOBS_MAX)                      \
	I(accounts, logins_per_account, 10, 1, 1000000)                        \
	I(accounts, login_account_ms, 30000, 1, 86400000)                      \
	I(accounts, logins_per_address, 50, 1, 1000000)                        \
	I(accounts, login_address_ms, 2000, 1, 86400000)                       \
	I(clocks, nonce_wait_ms, 3000, 0, 60000)                               \
	I(clocks, resume_grace_ms, 15000, 0, 600000)                           \
	I(clocks, claim_after_ms, 60000, 1000, 3600000)                        \
	I(clocks, adjourned_keep_ms, 2592000000, 60000, 31536000000)           \
	I(clocks, lag_per_move_ms, 500, 0, 5000)                               \
	I(clocks, lag_total_ms, 10000, 0, 600000)                              \
	I(clocks, time_fact_ms, 60000, 1000, 3600000)                          \
	I(matches, first_move_ms, 120000, 1000, 86400000)                      \
	I(matches, rematch_wait_ms, 60000, 1000, 86400000)                     \
	I(matches, leaves_allowed, 2, 0, 1000)                                 \
	I(matches, leave_counts_ms, 3600000, 1000, 31536000000)                \
	I(matches, cool_down_ms, 300000, 0, 86400000)                          \
	I(ratings, join_pools, 0, 0, 1)                                        \
	I(spectators, delay_ms, 0, 0, 900000)                                  \
	I(spectators, follows_per_player, 16, 1, 1000)                         \
	T(workers, program, "plyd-script")                                     \
	I(workers, count, 0, 0, 256)                                           \
	I(workers, queue, 10000, 1, 1000000)                                   \
	I(workers, load_deadline_ms, 2000, 10, 60000)                          \
	I(workers, choose_deadline_ms, 5000, 10, 60000)                        \
	I(workers, verdict_deadline_ms, 50, 1, 1000)                           \
	T(scripts, rulesets, "rulesets")                                       \
	T(scripts, policies, "policies")                                       \
	T(scripts, libraries, "lib")                                           \
	T(scripts, personalities, "personalities")                             \
	T(scripts, tournaments, "tournaments")                                 \
	T(admin, socket, "admin.sock")                                         \
	I(admin, retry_after_ms, 2000, 0, 3600000)                             \
	T(http, host, "127.0.0.1")                                             \
	I(http, port, 7533, 0, 65535)                                          \
	I(http, connections, 16, 1, 1000)                                      \
	I(http, requests_per_second, 20, 1, 10000)                             \
	T(chat, words, "none")                                                 \
	T(log, format, "auto")                                                 \
	I(log, like_lines, 100, 1, 1000000)                                    \
	I(log, like_ms, 10000, 100, 3600000)                                   \
	T(log, level, "info")

/* R(section, name): those that may change while plyd runs. All others hold until
 * it is started again. */
#define CONFIG_RELOADED(R)                                                     \
	R(data, snapshot_facts)                                                \
	R(limits, players)                                                     \
	R(limits, lobbies)                                                     \
	R(limits, lobbies_per_player)                                          \
	R(limits, matches)                                                     \
	R(limits, matches_per_player)                                          \
	R(limits, ai_matches)                                                  \
	R(limits, ai_waiting)                                                  \
	R(limits, ai_matches_per_player)                                       \
	R(limits, watches_per_player)                                          \
	R(limits, seeks_per_player)                                            \
	R(limits, ready_wait_ms)                                               \
	R(limits, challenge_keep_ms)                                           \
	R(limits, requests_burst)                                              \
	R(limits, requests_per_second)                                         \
	R(limits, outbox_bytes)                                                \
	R(limits, chat_burst)                                                  \
	R(limits, chat_line_ms)                                                \
	R(limits, reports_per_day)                                             \
	R(limits, hello_ms)                                                    \
	R(limits, message_ms)                                                  \
	R(limits, idle_ms)                                                     \
	R(limits, lobby_away_ms)                                               \
	R(limits, guest_keep_ms)                                               \
	R(limits, result_keep_ms)                                              \
	R(limits, match_length)                                                \
	R(accounts, most)                                                      \
	R(accounts, deleted)                                                   \
	R(accounts, rename_hold_ms)                                            \
	R(accounts, reset_keep_ms)                                             \
	R(accounts, logins_per_account)                                        \
	R(accounts, login_account_ms)                                          \
	R(accounts, logins_per_address)                                        \
	R(accounts, login_address_ms)                                          \
	R(clocks, nonce_wait_ms)                                               \
	R(clocks, claim_after_ms)                                              \
	R(clocks, adjourned_keep_ms)                                           \
	R(clocks, lag_per_move_ms)                                             \
	R(clocks, lag_total_ms)                                                \
	R(clocks, time_fact_ms)                                                \
	R(matches, first_move_ms)                                              \
	R(matches, rematch_wait_ms)                                            \
	R(matches, leaves_allowed)                                             \
	R(matches, leave_counts_ms)                                            \
	R(matches, cool_down_ms)                                               \
	R(ratings, join_pools)                                                 \
	R(spectators, delay_ms)                                                \
	R(spectators, follows_per_player)                                      \
	R(log, format)                                                         \
	R(log, like_lines)                                                     \
	R(log, like_ms)                                                        \
	R(log, level)

/* The settings by number. */
enum config_setting {
#define I(section, name, value, low, high) SETTING_##section##_##name,
#define T(section, name, value)            SETTING_##section##_##name,
	CONFIG_SETTINGS(I, T)
#undef I
#undef T
		CONFIG_SETTING_COUNT
};

/* Who said the value that holds; each goes before those above it. */
enum config_from {
	FROM_DEFAULT,
	FROM_FILE,
	FROM_DEV, /* --dev */
	FROM_ENVIRONMENT,
	FROM_OPTION, /* of the command line */
};

struct config {
#define I(section, name, value, low, high) int64_t section##_##name;
#define T(section, name, value)            char section##_##name[CONFIG_TEXT_MAX];
	CONFIG_SETTINGS(I, T)
#undef I
#undef T
	bool dev;                           /* --dev was given */
	uint8_t from[CONFIG_SETTING_COUNT]; /* enum config_from */
	/* FROM_FILE: its line; 0 if that is not known */
	unsigned line[CONFIG_SETTING_COUNT];
};

void config_default(struct config *out);

/* Takes over what a configuration file of this source returned. PLYD_ECONFIG:
 * an unknown name, another type or a value out of range; why says which and
 * what is allowed, *line where, or is 0. */
int config_read(struct config *c, const struct value *root, struct span source,
		unsigned *line, char why[CONFIG_WHY_MAX]);

/* Takes over PLYD_LISTEN_PORT and so on from an environment such as environ,
 * which ends with NULL. PLYD_ECONFIG as above; also for a variable that begins
 * with PLYD_ and is no setting. */
int config_read_env(struct config *c, char *const *env,
		    char why[CONFIG_WHY_MAX]);

/* Calls fn with each line of a file of configuration in which a setting, or with
 * an empty name a section, is plainly given its value. */
typedef void config_line_fn(void *payload, struct span section,
			    struct span name, unsigned line);
void config_lines(struct span source, config_line_fn *fn, void *payload);
/* The first such line of one of them; 0: there is none. */
unsigned config_line(struct span source, struct span section, struct span name);

/* For development: short waits, nothing synced, data apart from those of
 * players. To be called after the file and before the environment. */
void config_dev(struct config *c);
/* PLYD_ECONFIG: with --dev this configuration would be open to others. */
int config_dev_check(const struct config *c, char why[CONFIG_WHY_MAX]);

/* A value of the command line holds. */
void config_from_option(struct config *c, enum config_setting setting);

/* Writes what holds, and where each value came from; path is that of the file.
 * As JSON: an object of {"value", "from", "low", "high"} by name. */
void config_print(const struct config *c, const char *path, bool json,
		  FILE *out);

/* What another reading of the file would change: takes over what may change,
 * and says of each setting what became of it. Lent until the next call. */
struct config_change {
	bool taken;
	char text[CONFIG_WHY_MAX];
};
size_t config_change(struct config *c, const struct config *fresh,
		     struct config_change out[CONFIG_SETTING_COUNT]);

/* What the rooms want of it. PLYD_ECONFIG: a word that is not one of those
 * allowed. */
void config_domain_limits(const struct config *c, struct domain_limits *out);
void config_hub_limits(const struct config *c, struct hub_limits *out);
int config_proxies(const struct config *c, struct proxies *out,
		   char why[CONFIG_WHY_MAX]);
int config_durability(const struct config *c, enum durability *out,
		      char why[CONFIG_WHY_MAX]);
int config_log(const struct config *c, struct log_options *out,
	       char why[CONFIG_WHY_MAX]);

#endif
