/* SPDX-License-Identifier: MIT
 * play_stakes.c - what a person types about cube and resignations. */
#include "ply/play.h"

#include <string.h>

#include "ply/play_priv.h"

static void ask(struct play *p, const char *method,
		const struct client_param *param, size_t params)
{
	int err = client_request(link_client(p->link), method, param, params,
				 play_answered, p);
	if (err)
		play_say(p, "%s", plyd_err_text(err));
}

static void ask_cube(struct play *p, const char *method)
{
	const struct client_param param[] = {
		CLIENT_TEXT("match", p->view.match),
		CLIENT_NUMBER("ply", p->view.ply),
	};
	ask(p, method, param, 2);
}

void do_roll(struct play *p)
{
	ask_cube(p, "match.roll");
}

void do_double(struct play *p)
{
	ask_cube(p, "match.double");
}

void do_take(struct play *p)
{
	ask_cube(p, "match.take");
}

void do_drop(struct play *p)
{
	ask_cube(p, "match.drop");
}

/* -- resigning -- */

bool play_is_resigned_to(const struct play *p)
{
	return p->view.stakes.resign != CLIENT_NOBODY &&
	       p->view.stakes.resign != p->view.you;
}

void play_answer_resignation(struct play *p, bool accepts)
{
	const struct client_param param[] = {
		CLIENT_TEXT("match", p->view.match),
		CLIENT_NUMBER("offer", (int64_t)p->view.stakes.resign_offer),
	};
	ask(p, accepts ? "match.accept_resign" : "match.decline_resign", param,
	    2);
}

void play_give_up(struct play *p, int level, bool whole)
{
	bool backgammon = p->view.rules.family == FAMILY_BACKGAMMON;
	struct client_param param[4] = { CLIENT_TEXT("match", p->view.match) };
	size_t n = 1;
	if (level > 0)
		param[n++] = CLIENT_NUMBER("level", level);
	if (whole)
		param[n++] = CLIENT_FLAG("whole", true);
	else if (backgammon)
		param[n++] = CLIENT_NUMBER("game", p->view.stakes.game);
	ask(p, "match.resign", param, n);
}

static void say_what_it_costs(struct play *p, bool whole)
{
	const struct client_stakes *k = &p->view.stakes;
	if (whole || k->length == 0)
		play_say(p,
			 "Resigning loses the match. Type `resign%s' again "
			 "to do it.",
			 whole ? " match" : "");
	else
		play_say(p, "Resigning loses this game, for all that it may "
			    "still cost. Type `resign' again to do it. "
			    "(`resign 1' and `resign 2' offer less.)");
}

void play_resign(struct play *p, const char *how)
{
	bool whole = !strcmp(how, "match");
	int level = !strcmp(how, "1") ? 1 : !strcmp(how, "2") ? 2 : 0;
	bool offers = level > 0 && p->view.rules.family == FAMILY_BACKGAMMON;
	enum resigning this = whole ? RESIGNING_MATCH : RESIGNING_GAME;
	bool again = p->resigning == this;
	p->resigning = RESIGNING_NOTHING;
	if (how[0] && !whole && level == 0) {
		play_say(p, "Type `resign', `resign 1', `resign 2' or `resign "
			    "match'.");
	} else if (offers || again) {
		play_give_up(p, level, whole);
	} else {
		p->resigning = this;
		say_what_it_costs(p, whole);
	}
}
