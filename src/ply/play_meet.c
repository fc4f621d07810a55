/* SPDX-License-Identifier: MIT
 * play_meet.c - ways to an opponent other than a lobby: a quick match, a
 * challenge, and what others ask of you. */
#include "ply/play.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SECOND_MS = 1000, KEY_CHARS = 24 };

static void ask(struct play *p, const char *method,
		const struct client_param *param, size_t params,
		client_answer_fn *fn)
{
	int err = client_request(link_client(p->link), method, param, params,
				 fn, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

/* Who asks for another way gives up the seat in his lobby. */
static void leave_lobby(struct play *p)
{
	const struct client_param lobby = CLIENT_TEXT("lobby", p->lobby);
	if (!p->waiting || !p->lobby[0])
		return;
	ask(p, "lobby.leave", &lobby, 1, NULL);
	p->lobby[0] = '\0';
}

/* -- a quick match -- */

static void say_waiting(struct play *p, const struct client_value *quick)
{
	static const struct {
		const char *reason, *text;
	} why[] = {
		{ "alone", "nobody else waits for this game" },
		{ "terms", "others want another clock, or rated or not" },
		{ "bots_only", "only bots wait, and you want a person" },
		{ "range", "nobody is near your rating yet" },
		{ "repeat", "only your last opponent would fit" },
	};
	char reason[CLIENT_WORD_MAX];
	if (!client_bool(client_find(quick, "waiting")) || p->playing)
		return;
	client_copy(client_find(quick, "reason"), reason, sizeof(reason));
	for (size_t i = 0; i < sizeof(why) / sizeof(why[0]); i++)
		if (!strcmp(reason, why[i].reason))
			play_say(p, "Waiting for %d s: %s.",
				 (int)(client_int(client_find(quick,
							      "waited_ms")) /
				       SECOND_MS),
				 why[i].text);
}

static void on_quick(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct play *p = payload;
	p->asking = false;
	if (error) {
		play_say(p, "%s", error->message);
		return;
	}
	p->waiting = true;
	say_waiting(p, result);
}

void play_quick(struct play *p)
{
	const struct client_param param[] = {
		CLIENT_TEXT("ruleset", p->options.ruleset),
		CLIENT_FLAG("rated", p->options.rated),
	};
	leave_lobby(p);
	ask(p, "quick.join", param, 2, on_quick);
}

/* -- challenges -- */

static void on_challenge(void *payload, const struct client_error *error,
			 const struct client_value *result)
{
	struct play *p = payload;
	(void)result;
	p->asking = false;
	if (error)
		play_say(p, "%s", error->message);
	else if (!p->playing)
		play_say(p, "Challenged; wait for the answer.");
	p->waiting = !error;
}

void play_challenge(struct play *p, const char *name)
{
	char key[KEY_CHARS];
	const struct client_param param[] = {
		CLIENT_TEXT("name", name),
		CLIENT_TEXT("ruleset", p->options.ruleset),
		CLIENT_TEXT("key", key),
		CLIENT_FLAG("rated", p->options.rated),
	};
	snprintf(key, sizeof(key), "play-%" PRIx64, p->key++);
	leave_lobby(p);
	ask(p, "challenge.send", param, 4, on_challenge);
}

static void on_answered(void *payload, const struct client_error *error,
			const struct client_value *result)
{
	struct play *p = payload;
	(void)result;
	if (error)
		play_say(p, "%s", error->message);
}

static void answer_challenge(struct play *p, const char *method)
{
	const struct client_param seek = CLIENT_TEXT("seek", p->challenge);
	if (!p->challenge[0]) {
		play_say(p, "Nobody has challenged you.");
		return;
	}
	ask(p, method, &seek, 1, on_answered);
	p->challenge[0] = '\0';
}

void play_yes(struct play *p)
{
	leave_lobby(p);
	answer_challenge(p, "challenge.accept");
}

void play_no(struct play *p)
{
	answer_challenge(p, "challenge.decline");
}

/* -- who is here -- */

static void on_players(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct play *p = payload;
	const struct client_value *list = client_find(result, "players");
	if (error) {
		play_say(p, "%s", error->message);
		return;
	}
	for (size_t i = 0; i < client_count(list); i++) {
		const struct client_value *one = client_at(list, i);
		char name[CLIENT_NAME_MAX], kind[CLIENT_WORD_MAX];
		client_copy(client_find(one, "name"), name, sizeof(name));
		client_copy(client_find(one, "kind"), kind, sizeof(kind));
		buf_printf(&p->text, "  %s%s%s\n", name,
			   strcmp(kind, "bot") ? "" : " (bot)",
			   client_int(client_find(one, "matches")) > 0
				   ? ", plays"
				   : "");
	}
	play_show(p);
}

void play_who(struct play *p)
{
	ask(p, "players.list", NULL, 0, on_players);
}

/* -- what the server tells -- */

static void on_received(struct play *p, const struct client_value *seek)
{
	char name[CLIENT_NAME_MAX], ruleset[CLIENT_NAME_MAX];
	client_copy(client_find(client_find(seek, "by"), "name"), name,
		    sizeof(name));
	client_copy(client_find(seek, "ruleset"), ruleset, sizeof(ruleset));
	client_copy(client_find(seek, "seek"), p->challenge,
		    sizeof(p->challenge));
	play_say(p, "%s challenges you: %s%s. `yes' or `no'?", name, ruleset,
		 client_bool(client_find(seek, "rated")) ? ", rated" : "");
}

static void on_closed(struct play *p, const struct client_value *notice)
{
	char id[CLIENT_ID_MAX], reason[CLIENT_WORD_MAX];
	client_copy(client_find(notice, "seek"), id, sizeof(id));
	client_copy(client_find(notice, "reason"), reason, sizeof(reason));
	if (!strcmp(id, p->challenge))
		p->challenge[0] = '\0';
	if (!p->playing && strcmp(reason, "accepted") != 0)
		play_say(p, "The challenge is over (%s).", reason);
}

bool play_meet_notice(struct play *p, const char *name,
		      const struct client_value *params)
{
	if (!strcmp(name, "quick.waiting"))
		say_waiting(p, params);
	else if (!strcmp(name, "challenge.received"))
		on_received(p, params);
	else if (!strcmp(name, "seek.closed"))
		on_closed(p, params);
	else
		return false;
	return true;
}
