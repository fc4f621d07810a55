/* SPDX-License-Identifier: MIT
 * play_screen_again.c - a match that is over, looked at step by step. */
#include "ply/play_screen_priv.h"

static void on_record(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	struct play_screen *s = payload;
	if (error) {
		play_say(s->play, "%s", error->message);
		return;
	}
	story_release(&s->story.story);
	s->story.at = 0;
	s->story.flipped = s->play->view.you == CLIENT_BLACK;
	const char *wrong = story_of_record(&s->story.story, result);
	if (wrong)
		play_say(s->play, "%s", wrong);
	else
		screen_show(s, VIEW_STORY);
}

void match_view_again(struct play_screen *s)
{
	client_ask_match(link_client(s->play->link), "record.get",
			 s->play->view.match, on_record, s);
}

void again_view_draw(struct play_screen *s)
{
	struct page page = screen_page(s);
	page.keys =
		"Left,Right step  Up,Down 10  Home,End ends  f flip  Esc back";
	story_view_draw(&s->story, &s->grid, page);
}

void again_view_key(struct play_screen *s, struct key key)
{
	if (!story_view_key(&s->story, key) && key.kind == PRESS_ESCAPE)
		screen_show(s, VIEW_MATCH);
}
