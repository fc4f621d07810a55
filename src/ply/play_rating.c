/* SPDX-License-Identifier: MIT
 * play_rating.c - ratings and leaderboards at the prompt. */
#include "ply/play.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TOP_COUNT = 10 };

static void ask(struct play *p, const char *method,
		const struct client_param *param, size_t params,
		client_answer_fn *fn)
{
	int err = client_request(link_client(p->link), method, param, params,
				 fn, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

/* `1612, deviation 74, 31 matches` */
static void put_points(struct buf *out, const struct client_value *rating)
{
	int64_t games = client_int(client_find(rating, "games"));
	buf_printf(out, "%" PRId64 ", deviation %" PRId64 ", %" PRId64 " %s",
		   client_int(client_find(rating, "rating")),
		   client_int(client_find(rating, "deviation")), games,
		   games == 1 ? "match" : "matches");
}

/* -- a player's -- */

static void put_rating(struct buf *out, const struct client_value *rating)
{
	char ruleset[CLIENT_WORD_MAX], speed[CLIENT_WORD_MAX];
	char pool[CLIENT_WORD_MAX];
	client_copy(client_find(rating, "ruleset"), ruleset, sizeof(ruleset));
	client_copy(client_find(rating, "speed"), speed, sizeof(speed));
	client_copy(client_find(rating, "pool"), pool, sizeof(pool));
	buf_printf(out, "  %s, %s%s: ", ruleset, speed,
		   strcmp(pool, "bots") ? "" : ", with bots");
	put_points(out, rating);
	if (client_bool(client_find(rating, "provisional")))
		buf_put_str(out, ", provisional");
	buf_put_byte(out, '\n');
}

static void on_ratings(void *payload, const struct client_error *error,
		       const struct client_value *result)
{
	struct play *p = payload;
	char name[CLIENT_NAME_MAX];
	const struct client_value *list = client_find(result, "ratings");
	if (error) {
		play_say(p, "%s", error->message);
		return;
	}
	client_copy(client_find(client_find(result, "player"), "name"), name,
		    sizeof(name));
	buf_printf(&p->text, "%s %s\n", name,
		   client_count(list) > 0 ? "has these ratings:"
					  : "has no rating yet.");
	for (size_t i = 0; i < client_count(list); i++)
		put_rating(&p->text, client_at(list, i));
	play_show(p);
}

static void on_whose(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct play *p = payload;
	char id[CLIENT_ID_MAX];
	const struct client_param player = CLIENT_TEXT("player", id);
	if (error) {
		play_say(p, "%s", error->message);
		return;
	}
	client_copy(client_find(result, "id"), id, sizeof(id));
	ask(p, "rating.get", &player, 1, on_ratings);
}

void play_rating(struct play *p, const char *name)
{
	const struct client_param whose = CLIENT_TEXT("name", name);
	if (name[0])
		ask(p, "player.get", &whose, 1, on_whose);
	else
		ask(p, "rating.get", NULL, 0, on_ratings);
}

/* -- the best -- */

static void on_top(void *payload, const struct client_error *error,
		   const struct client_value *result)
{
	struct play *p = payload;
	const struct client_value *list = client_find(result, "players");
	if (error) {
		play_say(p, "%s", error->message);
		return;
	}
	buf_printf(&p->text,
		   client_count(list) > 0 ? "The best at %s:\n"
					  : "Nobody has a certain rating at "
					    "%s yet.\n",
		   p->top);
	for (size_t i = 0; i < client_count(list); i++) {
		char name[CLIENT_NAME_MAX];
		const struct client_value *one = client_at(list, i);
		client_copy(client_find(client_find(one, "player"), "name"),
			    name, sizeof(name));
		buf_printf(&p->text, "  %2zu  %-20s ", i + 1, name);
		put_points(&p->text, one);
		buf_put_byte(&p->text, '\n');
	}
	play_show(p);
}

static bool is_speed(const char *word)
{
	static const char *const speeds[] = { "bullet", "blitz", "rapid",
					      "classical", "correspondence" };
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
		if (!strcmp(word, speeds[i]))
			return true;
	return false;
}

void play_top(struct play *p, const char *words)
{
	char ruleset[CLIENT_WORD_MAX], speed[CLIENT_WORD_MAX] = "blitz";
	char pool[CLIENT_WORD_MAX] = "people";
	const struct client_param param[] = {
		CLIENT_TEXT("ruleset", ruleset),
		CLIENT_TEXT("speed", speed),
		CLIENT_TEXT("pool", pool),
		CLIENT_NUMBER("count", TOP_COUNT),
	};
	snprintf(ruleset, sizeof(ruleset), "%s", play_ruleset(p));
	while (*words) {
		size_t len = strcspn(words, " ");
		char word[CLIENT_WORD_MAX];
		if (!span_copy(span_of(words, len), word, sizeof(word))) {
			play_say(p, "Say `top RULESET SPEED', or with `bots'.");
			return;
		}
		char *is = is_speed(word)          ? speed
			   : !strcmp(word, "bots") ? pool
						   : ruleset;
		memcpy(is, word, sizeof(word));
		words += len + strspn(words + len, " ");
	}
	snprintf(p->top, sizeof(p->top), "%s, %s%s", ruleset, speed,
		 strcmp(pool, "bots") ? "" : ", with bots");
	ask(p, "rating.leaderboard", param, 4, on_top);
}

/* -- who watches -- */

static void on_watchers(void *payload, const struct client_error *error,
			const struct client_value *result)
{
	struct play *p = payload;
	int64_t n = client_int(client_find(result, "watchers"));
	if (error)
		play_say(p, "%s", error->message);
	else if (n == 0)
		play_say(p, "Nobody watches.");
	else
		play_say(p, "%" PRId64 " %s.", n, n == 1 ? "watches" : "watch");
}

void play_watchers(struct play *p)
{
	int err = client_ask_match(link_client(p->link), "match.get",
				   p->view.match, on_watchers, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}
