/* SPDX-License-Identifier: MIT
 * bot_seek.c - finds opponents: joins the oldest lobby that suits, else opens
 * one. Bots that open lobbies at the same moment would wait for each other for
 * ever, so one that waits looks again, and leaves its own lobby for an older
 * one. With --accept it looks for nobody: bot.policy says whom it takes. */
#include "ply/bot.h"

#include <string.h>

#include "base/hex.h"

static bool is_against(const struct bot *b, const char *opponent)
{
	return !strcmp(b->options.opponent, opponent);
}

static void again(struct bot *b, uint64_t after_ms)
{
	b->seek = b->lobby[0] ? SEEK_WAITING : SEEK_NOTHING;
	bot_soon(b, after_ms);
}

/* Whether the server can begin no match now, and may not for a while: it is
 * said, once, and asked again much later. */
static bool must_wait(struct bot *b, const struct client_error *error)
{
	switch (error->code) {
	case PLYD_EDRAINING:
	case PLYD_EAIFULL:
	case PLYD_EAIYOURS:
	case PLYD_EFULL: break;
	default: return false;
	}
	if (b->waits_for != error->code)
		fprintf(stderr, "%s: waiting (%s): %s\n", b->who, error->name,
			error->message);
	b->waits_for = error->code;
	return true;
}

/* What a refused request means for the seeking: later. */
static bool failed(struct bot *b, const struct client_error *error)
{
	if (!error)
		return false;
	if (error->code == PLYD_ERULESET || error->code == PLYD_EPERSONALITY)
		bot_fail(b, "%s", error->message);
	if (error->code == PLYD_ENOLOBBY || error->code == PLYD_ENOTINLOBBY)
		b->lobby[0] = '\0';
	int64_t wait_ms =
		client_int(client_find(error->details, "retry_after_ms"));
	int64_t rest_ms = must_wait(b, error) ? BOT_WAIT_MS : BOT_RETRY_MS;
	/* bots that failed together should not try again together */
	again(b, (uint64_t)(wait_ms > rest_ms ? wait_ms : rest_ms) +
			 rng_below(&b->rng, BOT_RETRY_MS));
	return true;
}

/* The answer is a lobby that the bot sits in. Its match, if it began, is told
 * by match.started. */
static void seated(void *payload, const struct client_error *error,
		   const struct client_value *result)
{
	struct bot *b = payload;
	if (failed(b, error))
		return;
	b->waits_for = 0;
	client_copy(client_find(result, "lobby"), b->lobby, sizeof(b->lobby));
	again(b, BOT_LOOK_MS);
}

static void ask(struct bot *b, const char *method,
		const struct client_param *param, size_t params,
		client_answer_fn *fn)
{
	b->seek = SEEK_ASKING;
	if (client_request(link_client(b->link), method, param, params, fn, b))
		again(b, BOT_RETRY_MS);
}

static void create(struct bot *b)
{
	uint8_t key[BOT_KEY_BYTES];
	char hex[2 * BOT_KEY_BYTES + 1];
	struct client_param param[] = {
		CLIENT_TEXT("ruleset", b->options.ruleset),
		CLIENT_TEXT("opponent", b->options.opponent),
		CLIENT_TEXT("key", hex),
		CLIENT_FLAG("ready", true),
		CLIENT_FLAG("rated", b->options.rated),
		CLIENT_TEXT("personality", b->ai),
	};
	entropy_fill(&b->entropy, key, sizeof(key));
	hex_write(key, sizeof(key), hex);
	ask(b, "lobby.create", param, is_against(b, "personality") ? 6 : 5,
	    seated);
}

static void join(struct bot *b, const char *lobby)
{
	const struct client_param param[] = {
		CLIENT_TEXT("lobby", lobby),
		CLIENT_FLAG("ready", true),
	};
	ask(b, "lobby.join", param, 2, seated);
}

/* Its match has not begun yet: asks for it again, or learns why not. */
static void press(struct bot *b)
{
	const struct client_param param[] = {
		CLIENT_TEXT("lobby", b->lobby),
		CLIENT_FLAG("ready", true),
	};
	ask(b, "lobby.ready", param, 2, seated);
}

static void left(void *payload, const struct client_error *error,
		 const struct client_value *result)
{
	struct bot *b = payload;
	(void)result;
	/* refused: somebody came after all, and the match begins */
	if (failed(b, error))
		return;
	b->lobby[0] = '\0';
	again(b, 0);
}

/* -- looking at lobbies -- */

static bool is_word(const struct client_value *v, const char *word)
{
	char text[CLIENT_WORD_MAX];
	return client_copy(v, text, sizeof(text)) && !strcmp(text, word);
}

static bool suits(const struct bot *b, const struct client_value *lobby)
{
	const struct client_value *white = client_find(lobby, "white");
	const struct client_value *seat = client_type(white) == CLIENT_MAP
						  ? white
						  : client_find(lobby, "black");
	const struct client_value *wanted = client_find(lobby, "opponent");
	return client_bool(client_find(lobby, "rated")) == b->options.rated &&
	       (is_word(wanted, "bot") || is_word(wanted, "anyone")) &&
	       (is_against(b, "anyone") ||
		is_word(client_find(seat, "kind"), b->options.opponent));
}

/* The oldest lobby that suits, or the bot's own if that is as old; else "". */
static void oldest(const struct bot *b, const struct client_value *lobbies,
		   char lobby[CLIENT_ID_MAX])
{
	for (size_t i = 0; i < client_count(lobbies); i++) {
		const struct client_value *l = client_at(lobbies, i);
		bool own = b->lobby[0] &&
			   is_word(client_find(l, "lobby"), b->lobby);
		if ((own || suits(b, l)) &&
		    client_copy(client_find(l, "lobby"), lobby, CLIENT_ID_MAX))
			return;
	}
	lobby[0] = '\0';
}

static void listed(void *payload, const struct client_error *error,
		   const struct client_value *result)
{
	struct bot *b = payload;
	char lobby[CLIENT_ID_MAX];
	if (failed(b, error))
		return;
	if (games_busy(b) > 0) { /* somebody came while it looked */
		again(b, BOT_LOOK_MS);
		return;
	}
	oldest(b, client_find(result, "lobbies"), lobby);
	if (!b->lobby[0] && !lobby[0]) {
		create(b);
	} else if (!b->lobby[0]) {
		join(b, lobby);
	} else if (!lobby[0]) {
		press(b); /* no longer listed: somebody sits there, or gone */
	} else if (!strcmp(lobby, b->lobby)) {
		again(b, BOT_LOOK_MS);
	} else {
		const struct client_param own = CLIENT_TEXT("lobby", b->lobby);
		ask(b, "lobby.leave", &own, 1, left);
	}
}

static void look(struct bot *b)
{
	const struct client_param ruleset =
		CLIENT_TEXT("ruleset", b->options.ruleset);
	ask(b, "lobby.list", &ruleset, 1, listed);
}

/* -- personalities -- */

static void personalities_listed(void *payload,
				 const struct client_error *error,
				 const struct client_value *result)
{
	struct bot *b = payload;
	const struct client_value *list = client_find(result, "personalities");
	if (failed(b, error))
		return;
	if (client_copy(client_find(client_at(list, 0), "name"), b->ai,
			sizeof(b->ai)))
		create(b);
	else
		bot_fail(b, "this server has no personalities");
}

static void create_against_personality(struct bot *b)
{
	if (b->ai[0])
		create(b);
	else
		ask(b, "rules.list", NULL, 0, personalities_listed);
}

/* -- what the server does for the bot -- */

static void policy_answered(void *payload, const struct client_error *error,
			    const struct client_value *result)
{
	struct bot *b = payload;
	(void)result;
	if (error && error->code != PLYD_EIO) /* else it is said again */
		bot_fail(b, "%s", error->message);
}

static void say_policy(struct bot *b)
{
	long at_once = b->options.matches - b->begun;
	struct client_param param[] = {
		CLIENT_TEXT("rulesets", b->options.ruleset),
		CLIENT_FLAG("answers", b->options.accept),
		CLIENT_FLAG("rated", b->options.rated),
		CLIENT_NUMBER("at_once", at_once < 1 ? 1
					 : at_once < BOT_GAMES_MAX
						 ? at_once
						 : BOT_GAMES_MAX),
		CLIENT_TEXT("opponent", b->options.opponent),
	};
	size_t params = is_against(b, "personality") ? 4 : 5;
	if (client_request(link_client(b->link), "bot.policy", param, params,
			   policy_answered, b))
		bot_fail(b, "the policy could not be said");
}

static void say_finish(struct bot *b)
{
	if (client_request(link_client(b->link), "bot.finish", NULL, 0,
			   policy_answered, b))
		bot_fail(b, "the server could not be told");
}

void seek_finish(struct bot *b)
{
	b->finishing = true;
	if (!client_is_ready(link_client(b->link)))
		return; /* seek_ready() says it */
	say_finish(b);
	link_flush(b->link);
}

/* A bot that has finished once takes matches again when it says a policy. */
static void say_intent(struct bot *b, const struct client_value *policy)
{
	if (b->finishing)
		say_finish(b);
	else if (b->options.accept ||
		 client_bool(client_find(policy, "finishing")))
		say_policy(b);
}

/* -- tournaments -- */

void seek_tournament(struct bot *b, const struct client_value *told)
{
	if (!b->options.tournament ||
	    !is_word(client_find(told, "tournament"), b->options.tournament))
		return;
	b->finished = is_word(client_find(told, "state"), "finished");
	if (b->finished)
		bot_soon(b, 0);
}

static void on_registered(void *payload, const struct client_error *error,
			  const struct client_value *result)
{
	struct bot *b = payload;
	if (!error)
		seek_tournament(b, result);
	else if (error->code != PLYD_EIO) /* else it is said again */
		bot_fail(b, "%s", error->message);
}

static void enter_tournament(struct bot *b)
{
	const struct client_param id =
		CLIENT_TEXT("tournament", b->options.tournament);
	/* who is in it already only looks */
	if (client_request(link_client(b->link), "tournament.register", &id, 1,
			   on_registered, b))
		bot_fail(b, "the tournament could not be entered");
}

/* -- from outside -- */

void seek_ready(struct bot *b, const struct client_value *welcome)
{
	const struct client_value *player = client_find(welcome, "player");
	const struct client_value *lobbies = client_find(welcome, "lobbies");
	client_copy(client_find(player, "id"), b->player, sizeof(b->player));
	client_copy(client_at(lobbies, 0), b->lobby, sizeof(b->lobby));
	if (b->seek != SEEK_ASKING)
		b->seek = b->lobby[0] ? SEEK_WAITING : SEEK_NOTHING;
	say_intent(b, client_find(welcome, "bot"));
	if (b->options.tournament)
		enter_tournament(b);
	/* matches that it lists are shown first */
	bot_soon(b, client_count(client_find(welcome, "matches")) > 0
			    ? BOT_RETRY_MS
			    : 0);
}

void seek_found(struct bot *b)
{
	b->lobby[0] = '\0';
	if (b->seek == SEEK_WAITING)
		b->seek = SEEK_NOTHING;
	if (b->options.accept && b->begun >= b->options.matches &&
	    !b->finishing)
		seek_finish(b);
}

void seek_closed(struct bot *b, const struct client_value *notice)
{
	if (b->lobby[0] && is_word(client_find(notice, "lobby"), b->lobby)) {
		b->lobby[0] = '\0';
		if (b->seek != SEEK_ASKING)
			again(b, BOT_RETRY_MS);
	}
}

void seek_tick(struct bot *b)
{
	if (b->options.accept || b->options.tournament || b->finishing ||
	    b->seek == SEEK_ASKING || games_busy(b) > 0 ||
	    b->begun >= b->options.matches)
		return;
	if (is_against(b, "personality")) {
		if (b->lobby[0])
			press(b);
		else
			create_against_personality(b);
	} else {
		look(b);
	}
}
