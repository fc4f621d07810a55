/* SPDX-License-Identifier: MIT
 * play_chat.c - what players say to each other, and to the operator. */
#include <string.h>

#include "ply/play_priv.h"
#include "ply/play_screen.h"

/* -- hearing -- */

static void hear_line(struct play *p, const struct client_value *notice)
{
	const struct client_value *line = client_find(notice, "line");
	char name[CLIENT_NAME_MAX], text[VIEW_SAID_MAX];
	view_said(client_find(line, "name"), name, sizeof(name));
	view_said(client_find(line, "text"), text, sizeof(text));
	if (p->screen)
		play_screen_chat(p->screen, name, text);
	else
		play_say(p, "%s: %s", name, text);
}

static void hear_operator(struct play *p, const struct client_value *notice)
{
	char kind[CLIENT_WORD_MAX], text[VIEW_SAID_MAX];
	client_copy(client_find(notice, "kind"), kind, sizeof(kind));
	view_said(client_find(notice, "text"), text, sizeof(text));
	if (!strcmp(kind, "shutdown"))
		play_say(p,
			 "The server stops in %d seconds; your seat is kept. "
			 "%s",
			 (int)(client_int(client_find(notice, "in_ms")) / 1000),
			 text);
	else if (!strcmp(kind, "cancelled"))
		play_say(p, "The server does not stop after all. %s", text);
	else
		play_say(p, "The operator: %s", text);
}

bool play_hears(struct play *p, const char *name,
		const struct client_value *notice)
{
	if (!strcmp(name, "chat.line"))
		hear_line(p, notice);
	else if (!strcmp(name, "server.notice"))
		hear_operator(p, notice);
	else if (!strcmp(name, "chat.switched"))
		play_say(p, client_bool(client_find(notice, "on"))
				    ? "You may talk here."
				    : "One of you wants no talk here.");
	else
		return false;
	return true;
}

/* -- saying -- */

static void on_reported(void *payload, const struct client_error *error,
			const struct client_value *result)
{
	if (error)
		play_answered(payload, error, result);
	else
		play_say(payload, "The operator will see it.");
}

static void on_blocked(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	if (error)
		play_answered(payload, error, result);
	else
		play_say(payload, "Done. He is not told.");
}

static void request(struct play *p, const char *method,
		    const struct client_param *param, size_t count)
{
	client_answer_fn *fn = !strcmp(method, "report.send")  ? on_reported
			       : !strncmp(method, "block.", 6) ? on_blocked
							       : play_answered;
	int err = client_request(link_client(p->link), method, param, count, fn,
				 p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

static void say(struct play *p, const char *text)
{
	const struct client_param param[] = {
		p->playing || p->ended ? CLIENT_TEXT("match", p->view.match)
				       : CLIENT_TEXT("lobby", p->lobby),
		CLIENT_TEXT("text", text),
	};
	if (!p->playing && !p->ended && !p->waiting)
		play_say(p, "There is nobody to hear you yet.");
	else
		request(p, "chat.send", param, 2);
}

static void turn(struct play *p, const char *word)
{
	const struct client_param param[] = {
		CLIENT_TEXT("match", p->view.match),
		CLIENT_FLAG("on", !strcmp(word, "on")),
	};
	if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0)
		play_say(p, "Type `chat on' or `chat off'.");
	else if (!p->playing && !p->ended)
		play_say(p, "There is no match yet.");
	else
		request(p, "chat.switch", param, 2);
}

static bool has_opponent(struct play *p)
{
	if (p->opponent[0])
		return true;
	play_say(p, "You have no opponent whom that could be about.");
	return false;
}

static void block(struct play *p, const char *method)
{
	const struct client_param param[] = {
		CLIENT_TEXT("player", p->opponent),
	};
	if (has_opponent(p))
		request(p, method, param, 1);
}

/* The reason is the first word, what follows is for the operator. */
static void report(struct play *p, const char *words)
{
	char reason[CLIENT_WORD_MAX];
	size_t len = strcspn(words, " ");
	const char *text = words + len + strspn(words + len, " ");
	const struct client_param param[] = {
		CLIENT_TEXT("player", p->opponent),
		CLIENT_TEXT("match", p->view.match),
		CLIENT_TEXT("reason", reason),
		CLIENT_TEXT("text", text),
	};
	span_copy(span_of(words, len), reason, sizeof(reason));
	if (!reason[0])
		play_say(p, "Say why: `report abuse', spam, cheating, "
			    "stalling, name or other, and more if you like.");
	else if (has_opponent(p))
		request(p, "report.send", param, text[0] ? 4 : 3);
}

/* What follows the word, if the line begins with it; else NULL. */
static const char *after(const char *line, const char *word)
{
	size_t len = strlen(word);
	if (strncmp(line, word, len) != 0 || (line[len] && line[len] != ' '))
		return NULL;
	return line + len + strspn(line + len, " ");
}

bool play_talks(struct play *p, const char *line)
{
	const char *rest;
	if ((rest = after(line, "say")) && rest[0])
		say(p, rest);
	else if ((rest = after(line, "chat")))
		turn(p, rest);
	else if ((rest = after(line, "block")) && !rest[0])
		block(p, "block.add");
	else if ((rest = after(line, "unblock")) && !rest[0])
		block(p, "block.remove");
	else if ((rest = after(line, "report")))
		report(p, rest);
	else
		return false;
	return true;
}
