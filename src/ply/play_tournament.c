/* SPDX-License-Identifier: MIT
 * play_tournament.c - a person in tournaments: looking for them, taking part,
 * and what they tell. Their matches begin by themselves. */
#include "ply/play.h"

#include <stdio.h>
#include <string.h>

static void ask(struct play *p, const char *method, const char *id,
		client_answer_fn *fn)
{
	const struct client_param param = CLIENT_TEXT("tournament", id);
	int err = client_request(link_client(p->link), method, &param,
				 id[0] ? 1 : 0, fn, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

static void on_list(void *payload, const struct client_error *error,
		    const struct client_value *result)
{
	struct play *p = payload;
	const struct client_value *all = client_find(result, "tournaments");
	if (error) {
		play_say(p, "%s", error->message);
		return;
	}
	for (size_t i = 0; i < client_count(all); i++) {
		const struct client_value *t = client_at(all, i);
		char id[CLIENT_ID_MAX], name[CLIENT_NAME_MAX];
		char state[CLIENT_WORD_MAX], format[CLIENT_WORD_MAX];
		client_copy(client_find(t, "tournament"), id, sizeof(id));
		client_copy(client_find(t, "name"), name, sizeof(name));
		client_copy(client_find(t, "state"), state, sizeof(state));
		client_copy(client_find(t, "format"), format, sizeof(format));
		buf_printf(&p->text, "  %s  %s: %s, %s, %d players\n", id, name,
			   format, state,
			   (int)client_int(client_find(t, "players")));
	}
	if (client_count(all) == 0)
		buf_printf(&p->text, "There is no tournament.\n");
	play_show(p);
}

void play_tournaments(struct play *p)
{
	ask(p, "tournament.list", "", on_list);
}

/* What it is, and what he is in it. */
static void say_tournament(struct play *p, const struct client_value *t)
{
	char name[CLIENT_NAME_MAX], state[CLIENT_WORD_MAX];
	char you[CLIENT_WORD_MAX];
	int round = (int)client_int(client_find(t, "round"));
	client_copy(client_find(t, "name"), name, sizeof(name));
	client_copy(client_find(t, "state"), state, sizeof(state));
	client_copy(client_find(t, "you"), you, sizeof(you));
	if (!strcmp(state, "running") && round > 0)
		play_say(p, "%s: round %d of %d is paired.", name, round,
			 (int)client_int(client_find(t, "rounds")));
	else if (!strcmp(state, "check_in") && !strcmp(you, "player") &&
		 !client_bool(client_find(t, "checked_in")))
		play_say(p, "%s: type `check-in %s', or you do not play.", name,
			 "TOURNAMENT");
	else
		play_say(p, "%s: %s, %d players; you: %s.", name, state,
			 (int)client_int(client_find(t, "players")), you);
}

static void on_told(void *payload, const struct client_error *error,
		    const struct client_value *result)
{
	struct play *p = payload;
	if (error)
		play_say(p, "%s", error->message);
	else
		say_tournament(p, result);
}

void play_register(struct play *p, const char *id)
{
	ask(p, "tournament.register", id, on_told);
}

void play_withdraw(struct play *p, const char *id)
{
	ask(p, "tournament.withdraw", id, on_told);
}

void play_check_in(struct play *p, const char *id)
{
	ask(p, "tournament.check_in", id, on_told);
}

bool play_tournament_notice(struct play *p, const char *name,
			    const struct client_value *params)
{
	if (strcmp(name, "tournament.changed") != 0)
		return false;
	say_tournament(p, params);
	return true;
}
