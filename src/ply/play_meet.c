/* SPDX-License-Identifier: MIT
 * play_meet.c - ways to an opponent: a lobby, a quick match, a challenge, and
 * what others ask of you. */
#include "ply/play.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ply/command.h"

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

const char *play_ruleset(struct play *p)
{
	if (p->options.ruleset)
		return p->options.ruleset;
	if (!p->view.rules.name[0])
		play_say(p, "Which game? Open a table first, or begin as `ply "
			    "play RULESET'.");
	return p->view.rules.name;
}

/* -- lobbies -- */

/* Its place among those who wait for the server's personalities. */
static void say_place(struct play *p, const struct client_value *lobby)
{
	int64_t place = client_int(client_find(lobby, "place"));
	if (place > 0)
		play_say(p,
			 "As many play the computer as may. You are number "
			 "%lld of those who wait, and it begins by itself.",
			 (long long)place);
}

static bool sits_unready(const struct client_value *lobby, const char *side)
{
	const struct client_value *seat = client_find(lobby, side);
	return client_type(seat) == CLIENT_MAP &&
	       !client_bool(client_find(seat, "ready"));
}

/* Why the match cannot begin: no computer would come, others may. */
static void on_pressed(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct play *p = payload;
	(void)result;
	p->unready = error != NULL;
	if (!error || p->playing || error->code == PLYD_ENOTINLOBBY ||
	    error->code == PLYD_ENOLOBBY)
		return;
	if (!p->options.ai) {
		play_say(p, "%s", error->message);
		return;
	}
	leave_lobby(p);
	play_fail(p, PLY_REFUSED, error->message);
}

/* The server takes nobody for ready who may begin no match: it is asked why. */
static void press(struct play *p, const struct client_value *lobby)
{
	const struct client_param param[] = {
		CLIENT_TEXT("lobby", p->lobby),
		CLIENT_FLAG("ready", true),
	};
	if (sits_unready(lobby, "white") || sits_unready(lobby, "black"))
		ask(p, "lobby.ready", param, 2, on_pressed);
}

static void on_created(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct play *p = payload;
	p->asking = false;
	if (error) {
		play_fail(p, PLY_REFUSED, error->message);
		return;
	}
	p->waiting = true;
	client_copy(client_find(result, "lobby"), p->lobby, sizeof(p->lobby));
	if (!p->options.ai)
		play_say(p, "Waiting for an opponent in lobby %s.", p->lobby);
	if (!p->options.ai)
		play_hint(p, "(`--ai NAME' plays the computer.)");
	say_place(p, result);
	press(p, result);
}

static size_t put_ms(struct client_param *param, const char *name, int64_t ms)
{
	if (ms < 0)
		return 0;
	*param = CLIENT_NUMBER(name, ms);
	return 1;
}

static size_t put_clock(struct client_param *param, const struct time_text *c)
{
	size_t n = 0;
	if (!c->kind)
		return 0;
	param[n++] = CLIENT_TEXT("clock", c->kind);
	n += put_ms(&param[n], "base_ms", c->base_ms);
	n += put_ms(&param[n], "increment_ms", c->increment_ms);
	n += put_ms(&param[n], "delay_ms", c->delay_ms);
	return n;
}

void play_create(struct play *p)
{
	char key[KEY_CHARS];
	size_t params = 5;
	struct client_param param[13] = {
		CLIENT_TEXT("ruleset", p->options.ruleset),
		CLIENT_FLAG("ready", true),
		CLIENT_TEXT("key", key),
		CLIENT_TEXT("opponent", p->options.ai ? "personality"
					: p->options.opponent
						? p->options.opponent
						: "anyone"),
		CLIENT_FLAG("rated", p->options.rated),
	};
	if (p->options.ai)
		param[params++] = CLIENT_TEXT("personality", p->options.ai);
	if (p->options.side)
		param[params++] = CLIENT_TEXT("side", p->options.side);
	if (p->options.points > 0)
		param[params++] =
			CLIENT_NUMBER("match_length", p->options.points);
	if (p->options.position)
		param[params++] = CLIENT_TEXT("position", p->options.position);
	params += put_clock(&param[params], &p->options.clock);
	snprintf(key, sizeof(key), "play-%llx", (unsigned long long)p->key++);
	int err = client_request(link_client(p->link), "lobby.create", param,
				 params, on_created, p);
	if (err)
		play_fail(p, PLY_UNREADABLE, plyd_err_text(err));
}

static void on_joined(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	struct play *p = payload;
	(void)result;
	if (error && error->code != PLYD_EIO) {
		play_create(p); /* somebody was quicker */
		return;
	}
	/* if the connection broke, the next hello tells where he sits */
	p->asking = false;
	p->waiting = !error;
}

static bool join(struct play *p, const char *lobby, client_answer_fn *fn)
{
	const struct client_param param[] = {
		CLIENT_TEXT("lobby", lobby),
		CLIENT_FLAG("ready", true),
	};
	return !client_request(link_client(p->link), "lobby.join", param, 2, fn,
			       p);
}

/* Whether a lobby takes people, is rated or not as wanted, and begins where the
 * game does. */
static bool suits(const struct play *p, const struct client_value *lobby)
{
	char opponent[CLIENT_WORD_MAX];
	client_copy(client_find(lobby, "opponent"), opponent, sizeof(opponent));
	return (!strcmp(opponent, "anyone") || !strcmp(opponent, "person")) &&
	       client_bool(client_find(lobby, "rated")) == p->options.rated &&
	       !client_find(lobby, "position");
}

/* Joins the oldest lobby that suits, else opens one. */
static void on_listed(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	struct play *p = payload;
	const struct client_value *lobbies = client_find(result, "lobbies");
	if (error) {
		play_fail(p, PLY_REFUSED, error->message);
		return;
	}
	for (size_t i = 0; i < client_count(lobbies); i++) {
		const struct client_value *l = client_at(lobbies, i);
		if (suits(p, l)) {
			char id[CLIENT_ID_MAX];
			client_copy(client_find(l, "lobby"), id, sizeof(id));
			if (!join(p, id, on_joined))
				play_create(p);
			return;
		}
	}
	play_create(p);
}

void play_meet(struct play *p)
{
	const struct client_param ruleset =
		CLIENT_TEXT("ruleset", p->options.ruleset);
	p->asking = p->met = true;
	if (p->options.quick)
		play_quick(p);
	else if (p->options.against)
		play_challenge(p, p->options.against);
	else if (p->options.ai || p->options.clock.kind || p->options.position)
		play_create(p);
	else if (client_request(link_client(p->link), "lobby.list", &ruleset, 1,
				on_listed, p))
		play_create(p);
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
	const char *ruleset = play_ruleset(p);
	const struct client_param param[] = {
		CLIENT_TEXT("ruleset", ruleset),
		CLIENT_FLAG("rated", p->options.rated),
	};
	if (!ruleset[0])
		return;
	leave_lobby(p);
	ask(p, "quick.join", param, 2, on_quick);
}

/* -- what is chosen from a list -- */

static void on_taken(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct play *p = payload;
	(void)result;
	p->asking = false;
	if (error)
		play_say(p, "%s", error->message);
	else if (!p->playing)
		p->waiting = true;
}

void play_join(struct play *p, const char *lobby)
{
	play_stop_waiting(p);
	span_copy(span_str(lobby), p->lobby, sizeof(p->lobby));
	if (!join(p, lobby, on_taken))
		play_say(p, "%s", plyd_err_text(PLYD_ETOOMANY));
}

void play_accept_seek(struct play *p, const char *seek)
{
	const struct client_param param = CLIENT_TEXT("seek", seek);
	play_stop_waiting(p);
	ask(p, "seek.accept", &param, 1, on_taken);
}

void play_watch(struct play *p, const char *match)
{
	if (p->playing ||
	    !span_copy(span_str(match), p->watched, sizeof(p->watched)))
		return;
	if (client_watch(link_client(p->link), match))
		play_say(p, "%s", plyd_err_text(PLYD_ETOOMANY));
}

void play_stop_waiting(struct play *p)
{
	if (p->waiting && !p->lobby[0])
		ask(p, "quick.leave", NULL, 0, NULL);
	leave_lobby(p);
	p->waiting = false;
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
	const char *ruleset = play_ruleset(p);
	const struct client_param param[] = {
		CLIENT_TEXT("name", name),
		CLIENT_TEXT("ruleset", ruleset),
		CLIENT_TEXT("key", key),
		CLIENT_FLAG("rated", p->options.rated),
	};
	if (!ruleset[0])
		return;
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

static void on_changed(struct play *p, const struct client_value *lobby)
{
	say_place(p, lobby);
	if (p->unready)
		press(p, lobby);
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
	else if (!strcmp(name, "lobby.changed") && !p->playing)
		on_changed(p, params);
	else if (!strcmp(name, "lobby.closed") && !p->playing)
		p->waiting = false;
	else
		return false;
	return true;
}
