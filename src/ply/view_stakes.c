/* SPDX-License-Identifier: MIT
 * view_stakes.c - cube, score and resignations in words. */
#include "ply/view.h"

#include <string.h>

static void on_cube(struct view *v, const struct client_event *e,
		    struct buf *out)
{
	const char *who = view_who(v, e->side);
	int cube = v->stakes.cube;
	v->ply = e->ply + 1;
	v->turn = CLIENT_NOBODY;
	view_moves_add(&v->moves,
		       !strcmp(e->event, "doubled") ? "double"
		       : !strcmp(e->event, "taken") ? "take"
						    : "drop",
		       e->side);
	if (!strcmp(e->event, "doubled"))
		buf_printf(out, "%s doubled: from %d to %d.\n", who, cube,
			   2 * cube);
	else if (!strcmp(e->event, "taken"))
		buf_printf(out, "%s took the double.\n", who);
	else
		buf_printf(out, "%s dropped the double.\n", who);
}

static void on_game_ended(const struct view *v, const struct client_event *e,
			  struct buf *out)
{
	const struct client_value *g = client_find(e->value, "game_result");
	int points = (int)client_int(client_find(g, "points"));
	char winner[CLIENT_WORD_MAX], reason[CLIENT_WORD_MAX];
	client_copy(client_find(g, "winner"), winner, sizeof(winner));
	client_copy(client_find(g, "reason"), reason, sizeof(reason));
	buf_printf(out, "%s won game %d: %s, %d point%s.\n",
		   view_who(v, strcmp(winner, "white") != 0 ? CLIENT_BLACK
							    : CLIENT_WHITE),
		   (int)client_int(client_find(g, "game")), reason, points,
		   points == 1 ? "" : "s");
}

static void on_game_begun(struct view *v, const struct client_event *e,
			  struct buf *out)
{
	v->ply = e->ply;
	v->last[0] = '\0';
	view_moves_clear(&v->moves);
	v->marked = 0;
	buf_printf(out, "Game %d begins.\n",
		   (int)client_int(client_find(e->value, "game")));
}

static void on_resignation(struct view *v, const struct client_event *e,
			   bool offered, struct buf *out)
{
	int level = (int)client_int(client_find(e->value, "level"));
	const char *who = view_who(v, e->side);
	v->stakes.resign = offered ? e->side : CLIENT_NOBODY;
	if (!offered) {
		buf_printf(out, "%s declined the resignation.\n", who);
		return;
	}
	v->stakes.resign_offer = e->seq;
	buf_printf(out, "%s would resign %s.\n", who,
		   level == 1 ? "a single game" : "a gammon");
}

bool view_stakes_event(struct view *v, const struct client_event *e,
		       struct buf *out)
{
	if (!strcmp(e->event, "doubled") || !strcmp(e->event, "taken") ||
	    !strcmp(e->event, "dropped"))
		on_cube(v, e, out);
	else if (!strcmp(e->event, "game_ended"))
		on_game_ended(v, e, out);
	else if (!strcmp(e->event, "game_begun"))
		on_game_begun(v, e, out);
	else if (!strcmp(e->event, "resign_offered"))
		on_resignation(v, e, true, out);
	else if (!strcmp(e->event, "resign_declined"))
		on_resignation(v, e, false, out);
	else
		return false;
	return true;
}

/* `Match to 7: White 2, Black 4 (Crawford game). Cube: 2, White's.` */
void view_stakes(const struct view *v, struct buf *out)
{
	const struct client_stakes *k = &v->stakes;
	if (k->length > 0)
		buf_printf(out, "Match to %d: White %d, Black %d%s.%s",
			   k->length, k->score[0], k->score[1],
			   k->crawford ? " (Crawford game)" : "",
			   k->cube > 0 ? " " : "\n");
	if (k->cube > 0)
		buf_printf(out, "Cube: %d, %s.\n", k->cube,
			   k->owner == CLIENT_WHITE   ? "White's"
			   : k->owner == CLIENT_BLACK ? "Black's"
						      : "in the middle");
}
