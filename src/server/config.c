/* SPDX-License-Identifier: MIT */
#include "server/config_priv.h"

#include <plyd/err.h>
#include "base/log.h"

const struct setting config_settings[CONFIG_SETTING_COUNT] = {
#define I(section, name, value, low, high)                                     \
	{ #section, #name, false, offsetof(struct config, section##_##name),   \
	  low,      high },
#define T(section, name, value)                                                \
	{                                                                      \
		#section, #name,                                               \
		true,     offsetof(struct config, section##_##name),           \
		0,        0                                                    \
	},
	CONFIG_SETTINGS(I, T)
#undef I
#undef T
};

enum { PAUSE_PART = 4 }; /* of the write queue, as net/conn.h has it */

void config_default(struct config *out)
{
	*out = (struct config){
#define I(section, name, value, low, high) .section##_##name = value,
#define T(section, name, value)            .section##_##name = value,
		CONFIG_SETTINGS(I, T)
#undef I
#undef T
	};
}

int64_t config_number(const struct config *c, const struct setting *s)
{
	return *(const int64_t *)((const char *)c + s->at);
}

const char *config_text(const struct config *c, const struct setting *s)
{
	return (const char *)c + s->at;
}

static void came_from(struct config *c, const struct setting *s,
		      enum config_from from)
{
	c->from[s - config_settings] = (uint8_t)from;
}

void config_from_option(struct config *c, enum config_setting setting)
{
	c->from[setting] = FROM_OPTION;
}

int config_set_number(struct config *c, const struct setting *s, int64_t value,
		      enum config_from from, char *why)
{
	if (value < s->low || value > s->high) {
		snprintf(why, CONFIG_WHY_MAX,
			 "%s.%s is %lld; it may be %lld to %lld", s->section,
			 s->name, (long long)value, (long long)s->low,
			 (long long)s->high);
		return PLYD_ECONFIG;
	}
	*(int64_t *)((char *)c + s->at) = value;
	came_from(c, s, from);
	return PLYD_OK;
}

int config_set_text(struct config *c, const struct setting *s,
		    struct span value, enum config_from from, char *why)
{
	if (value.len > 0 &&
	    span_copy(value, (char *)c + s->at, CONFIG_TEXT_MAX)) {
		came_from(c, s, from);
		return PLYD_OK;
	}
	snprintf(why, CONFIG_WHY_MAX,
		 "%s.%s must be a text of 1 to %d characters", s->section,
		 s->name, CONFIG_TEXT_MAX - 1);
	return PLYD_ECONFIG;
}

/* -- the file -- */

static int read_setting(struct config *c, const struct setting *s,
			const struct value *v, char *why)
{
	struct span text;
	int64_t number;
	if (s->is_text && value_str(v, &text) == PLYD_OK)
		return config_set_text(c, s, text, FROM_FILE, why);
	if (!s->is_text &&
	    value_int(v, INT64_MIN, INT64_MAX, &number) == PLYD_OK)
		return config_set_number(c, s, number, FROM_FILE, why);
	snprintf(why, CONFIG_WHY_MAX, "%s.%s must be a %s", s->section, s->name,
		 s->is_text ? "text" : "whole number");
	return PLYD_ECONFIG;
}

static const struct setting *find_setting(struct span section, struct span name)
{
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++)
		if (span_is(section, config_settings[i].section) &&
		    span_is(name, config_settings[i].name))
			return &config_settings[i];
	return NULL;
}

static bool is_section(struct span name)
{
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++)
		if (span_is(name, config_settings[i].section))
			return true;
	return false;
}

static int unknown_section(char *why, struct span section)
{
	char shown[80];
	log_quote((const char *)section.at, section.len, shown, sizeof(shown));
	snprintf(why, CONFIG_WHY_MAX, "there is no section %s", shown);
	config_suggest_section(section, why);
	return PLYD_ECONFIG;
}

static int unknown_setting(char *why, struct span section, struct span name)
{
	char shown[80];
	log_quote((const char *)name.at, name.len, shown, sizeof(shown));
	snprintf(why, CONFIG_WHY_MAX, "%.*s has no setting %s",
		 (int)section.len, (const char *)section.at, shown);
	config_suggest_setting(section, name, why);
	return PLYD_ECONFIG;
}

/* An error leaves the name of the setting, or none, at *at. */
static int read_section(struct config *c, struct span section,
			const struct value *v, struct span *at, char *why)
{
	*at = span_of(NULL, 0);
	if (!is_section(section))
		return unknown_section(why, section);
	/* an empty table of Lua is an empty list */
	bool empty = value_type(v) == VALUE_ARRAY && value_count(v) == 0;
	if (value_type(v) != VALUE_MAP && !empty) {
		snprintf(why, CONFIG_WHY_MAX, "%.*s must be a table",
			 (int)section.len, (const char *)section.at);
		return PLYD_ECONFIG;
	}
	for (size_t i = 0; i < value_count(v); i++) {
		const struct value *value = value_entry(v, i, at);
		const struct setting *s = find_setting(section, *at);
		int err = s ? read_setting(c, s, value, why)
			    : unknown_setting(why, section, *at);
		if (err)
			return err;
		c->line[s - config_settings] = 0;
	}
	return PLYD_OK;
}

static void note_line(void *payload, struct span section, struct span name,
		      unsigned line)
{
	struct config *c = payload;
	const struct setting *s = find_setting(section, name);
	size_t i = s ? (size_t)(s - config_settings) : 0;
	if (s && c->from[i] == FROM_FILE && c->line[i] == 0)
		c->line[i] = line;
}

int config_read(struct config *c, const struct value *root, struct span source,
		unsigned *line, char why[CONFIG_WHY_MAX])
{
	struct config read = *c;
	struct span section, name;
	*line = 0;
	if (value_type(root) != VALUE_MAP) {
		snprintf(why, CONFIG_WHY_MAX, "it must return a table");
		return PLYD_ECONFIG;
	}
	for (size_t i = 0; i < value_count(root); i++) {
		const struct value *v = value_entry(root, i, &section);
		int err = read_section(&read, section, v, &name, why);
		if (err) {
			*line = config_line(source, section, name);
			return err;
		}
	}
	config_lines(source, note_line, &read);
	*c = read;
	return PLYD_OK;
}

/* -- what the rooms want -- */

void config_domain_limits(const struct config *c, struct domain_limits *out)
{
	*out = (struct domain_limits){
		.players_max = c->limits_players,
		.accounts_max = c->accounts_most,
		.deleted_max = c->accounts_deleted,
		.hashes_waiting_max = c->accounts_hashes_waiting,
		.rename_hold_ms = c->accounts_rename_hold_ms,
		.reset_keep_ms = c->accounts_reset_keep_ms,
		.lobbies_max = c->limits_lobbies,
		.matches_max = c->limits_matches,
		.lobbies_per_player = c->limits_lobbies_per_player,
		.matches_per_player = c->limits_matches_per_player,
		.ai_matches_max = c->limits_ai_matches,
		.ai_waiting_max = c->limits_ai_waiting,
		.ai_matches_per_player = c->limits_ai_matches_per_player,
		.watches_per_player = c->limits_watches_per_player,
		.tournaments_max = c->limits_tournaments,
		.tournaments_per_player = c->limits_tournaments_per_player,
		.chat_burst = c->limits_chat_burst,
		.chat_line_ms = c->limits_chat_line_ms,
		.reports_per_day = c->limits_reports_per_day,
		.seeks_per_player = c->limits_seeks_per_player,
		.ready_wait_ms = c->limits_ready_wait_ms,
		.challenge_keep_ms = c->limits_challenge_keep_ms,
		.nonce_wait_ms = c->clocks_nonce_wait_ms,
		.claim_after_ms = c->clocks_claim_after_ms,
		.verdict_wait_ms = c->workers_verdict_deadline_ms,
		.lobby_away_ms = c->limits_lobby_away_ms,
		.guest_keep_ms = c->limits_guest_keep_ms,
		.restart_grace_ms = c->clocks_resume_grace_ms,
		.result_keep_ms = c->limits_result_keep_ms,
		.match_length_max = c->limits_match_length,
		.adjourned_keep_ms = c->clocks_adjourned_keep_ms,
		.lag_per_move_ms = c->clocks_lag_per_move_ms,
		.lag_total_ms = c->clocks_lag_total_ms,
		.time_fact_ms = c->clocks_time_fact_ms,
		.first_move_ms = c->matches_first_move_ms,
		.rematch_wait_ms = c->matches_rematch_wait_ms,
		.leaves_allowed = c->matches_leaves_allowed,
		.leave_counts_ms = c->matches_leave_counts_ms,
		.cool_down_ms = c->matches_cool_down_ms,
		.join_pools = c->ratings_join_pools,
		.spectator_delay_ms = c->spectators_delay_ms,
		.follows_per_player = c->spectators_follows_per_player,
	};
}

void config_hub_limits(const struct config *c, struct hub_limits *out)
{
	*out = (struct hub_limits){
		.connections_max = c->limits_connections,
		.connections_per_address = c->limits_connections_per_address,
		.requests_per_s = c->limits_requests_per_second,
		.requests_burst = c->limits_requests_burst,
		.logins_per_account = c->accounts_logins_per_account,
		.login_account_ms = c->accounts_login_account_ms,
		.logins_per_address = c->accounts_logins_per_address,
		.login_address_ms = c->accounts_login_address_ms,
		.hello_ms = c->limits_hello_ms,
		.message_ms = c->limits_message_ms,
		.idle_ms = c->limits_idle_ms,
		.outbox_bytes = c->limits_outbox_bytes,
		.pause_bytes = c->limits_write_queue_bytes / PAUSE_PART,
		.snapshot_facts = c->data_snapshot_facts,
		.retry_after_ms = c->admin_retry_after_ms,
	};
}

/* The place of text in a list of words; -1 with a reason. */
static int word_index(const char *what, const char *text,
		      const char *const *words, char *why)
{
	size_t used = (size_t)snprintf(why, CONFIG_WHY_MAX, "%s must be one of",
				       what);
	for (int i = 0; words[i]; i++) {
		if (!strcmp(text, words[i]))
			return i;
		used += (size_t)snprintf(why + used, CONFIG_WHY_MAX - used,
					 "%s \"%s\"", i ? "," : "", words[i]);
	}
	return -1;
}

int config_proxies(const struct config *c, struct proxies *out,
		   char why[CONFIG_WHY_MAX])
{
	*out = (struct proxies){ 0 };
	if (!strcmp(c->listen_proxies, "none") ||
	    proxies_read(span_str(c->listen_proxies), out))
		return PLYD_OK;
	snprintf(why, CONFIG_WHY_MAX,
		 "listen.proxies must be \"none\", or at most %d addresses "
		 "with a blank between them, such as \"127.0.0.1 ::1\"",
		 PROXIES_MAX);
	return PLYD_ECONFIG;
}

int config_durability(const struct config *c, enum durability *out,
		      char why[CONFIG_WHY_MAX])
{
	static const char *const words[] = { "full", "normal", "none", "memory",
					     NULL };
	static const enum durability values[] = { DURABILITY_FULL,
						  DURABILITY_NORMAL,
						  DURABILITY_NONE,
						  DURABILITY_MEMORY };
	int i = word_index("data.durability", c->data_durability, words, why);
	if (i < 0)
		return PLYD_ECONFIG;
	*out = values[i];
	return PLYD_OK;
}

int config_log(const struct config *c, struct log_options *out,
	       char why[CONFIG_WHY_MAX])
{
	static const char *const levels[] = { "error", "warning", "info",
					      "debug", NULL };
	static const int values[] = { LOG_ERROR, LOG_WARNING, LOG_INFO,
				      LOG_DEBUG };
	static const char *const formats[] = { "auto", "plain", "journald",
					       NULL };
	int level = word_index("log.level", c->log_level, levels, why);
	int format = level < 0 ? -1
			       : word_index("log.format", c->log_format,
					    formats, why);
	if (format < 0)
		return PLYD_ECONFIG;
	*out = (struct log_options){
		.level = values[level],
		.format = (enum log_format)format,
		.like_max = (uint64_t)c->log_like_lines,
		.like_ms = (uint64_t)c->log_like_ms,
	};
	return PLYD_OK;
}
