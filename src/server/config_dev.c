/* SPDX-License-Identifier: MIT */
#include "server/config_priv.h"

#include <plyd/err.h>
#include "base/ip.h"

/* Waits that a developer need not sit through. */
#define DEV_NUMBERS(N)                                                         \
	N(clocks, nonce_wait_ms, 200)                                          \
	N(clocks, resume_grace_ms, 1000)                                       \
	N(clocks, claim_after_ms, 5000)                                        \
	N(limits, lobby_away_ms, 5000)                                         \
	N(limits, guest_keep_ms, 60000)                                        \
	N(limits, ready_wait_ms, 10000)                                        \
	N(matches, first_move_ms, 30000)                                       \
	N(matches, cool_down_ms, 5000)

void config_dev(struct config *c)
{
	c->dev = true;
#define N(section, name, value)                                                \
	c->section##_##name = value;                                           \
	c->from[SETTING_##section##_##name] = FROM_DEV;
	DEV_NUMBERS(N)
#undef N
	snprintf(c->data_directory, sizeof(c->data_directory), "var/dev");
	snprintf(c->data_durability, sizeof(c->data_durability), "none");
	c->from[SETTING_data_directory] = FROM_DEV;
	c->from[SETTING_data_durability] = FROM_DEV;
}

static bool is_loopback(const char *host)
{
	struct ip ip;
	return ip_read(span_str(host), &ip) && ip_is_loopback(&ip);
}

static int not_here(const char *setting, const char *host, char *why)
{
	snprintf(why, CONFIG_WHY_MAX,
		 "--dev is for this machine only, since its tokens and dice "
		 "can be foretold: %s may be 127.0.0.1 or ::1, not %.64s",
		 setting, host);
	return PLYD_ECONFIG;
}

int config_dev_check(const struct config *c, char why[CONFIG_WHY_MAX])
{
	if (!is_loopback(c->listen_host))
		return not_here("listen.host", c->listen_host, why);
	if (strcmp(c->http_host, "none") && !is_loopback(c->http_host))
		return not_here("http.host", c->http_host, why);
	return PLYD_OK;
}
