/* SPDX-License-Identifier: MIT
 * operator_text.c - what operators say is held to what chats are held to: it is
 * shown to players, and in the trail to other operators. */
#include "session/hub_priv.h"
#include "session/text.h"

#define SAID(UPPER, lower)                                                     \
	case METHOD_ADMIN_##UPPER: return r->params.admin_##lower.text;

static struct span said(const struct request *r)
{
	switch (r->method) {
		SAID(SAY, say)
		SAID(SHUTDOWN, shutdown)
		SAID(END_MATCH, end_match)
		SAID(ADJUST_CLOCK, adjust_clock)
		SAID(KICK, kick)
		SAID(BAN, ban)
		SAID(UNBAN, unban)
		SAID(MUTE, mute)
		SAID(UNMUTE, unmute)
		SAID(CLOSE_REPORT, close_report)
		SAID(UPGRADE, upgrade)
		SAID(QUARANTINE, quarantine)
	default: return span_of(NULL, 0);
	}
}

bool operator_says_clean(const struct request *r)
{
	struct span text = said(r);
	return text.len == 0 || text_is_clean(text);
}
