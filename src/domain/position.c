/* SPDX-License-Identifier: MIT
 * position.c - matches that begin elsewhere than at the start. Not with dice:
 * there the server decides by a throw who begins, and the position would have
 * to say what was thrown. */
#include "domain/domain_priv.h"

/* One whose moves are too many to be listed could not be played. */
int position_check(struct domain *d, const struct match_rules *r,
		   struct span text)
{
	struct position pos;
	struct text_error where;
	if (text.len == 0)
		return PLYD_OK;
	if (text.len >= POSITION_TEXT_MAX || ruleset_has_dice(&r->rules) ||
	    game_read(&r->rules, (const char *)text.at, text.len, &pos,
		      &where) ||
	    game_outcome(&r->rules, &pos).over ||
	    game_moves(&r->rules, &pos, &d->moves))
		return PLYD_EPOSITION;
	return PLYD_OK;
}
