/* SPDX-License-Identifier: MIT
 * view_admin.c - what only the operator may see. */
#include "proto/write.h"
#include "session/view.h"

void view_admin_page(struct buf *b, const char *key, struct admin_page *page)
{
	size_t after =
		page->total > page->first ? page->total - page->first : 0;
	page->shown = after < ADMIN_SHOWN_MAX ? after : ADMIN_SHOWN_MAX;
	put_map(b, 2);
	put_cstr(b, "total");
	put_uint(b, page->total);
	put_cstr(b, key);
	put_array(b, (uint32_t)page->shown);
}

bool admin_page_shows(struct admin_page *page)
{
	size_t at = page->at++;
	return at >= page->first && at - page->first < page->shown;
}

void view_admin_player(struct buf *b, const struct player *p,
		       const char *address, int64_t unix_ms)
{
	bool muted = player_is_muted(p, unix_ms);
	put_map(b, 6u + (address != NULL) + muted);
	put_cstr(b, "id");
	put_cstr(b, p->id.text);
	put_cstr(b, "name");
	put_cstr(b, p->name);
	put_cstr(b, "kind");
	put_cstr(b, kind_name(p->kind));
	put_cstr(b, "online");
	put_bool(b, player_is_here(p));
	if (address) {
		put_cstr(b, "address");
		put_cstr(b, address);
	}
	put_cstr(b, "lobbies");
	put_uint(b, p->lobby_count);
	put_cstr(b, "matches");
	put_uint(b, p->match_count);
	if (muted) {
		put_cstr(b, "muted_until_unix_ms");
		put_int(b, p->muted_until_unix_ms);
	}
}

void view_ban(struct buf *b, const struct ban *ban, int64_t unix_ms)
{
	static const char *const kinds[] = { "player", "name", "address" };
	bool ends = ban->until_unix_ms != 0;
	put_map(b, 6u + ends);
	put_cstr(b, "ban");
	put_int(b, ban->number);
	put_cstr(b, "kind");
	put_cstr(b, kinds[ban->kind]);
	put_cstr(b, "target");
	put_cstr(b, ban->target);
	put_cstr(b, "at_unix_ms");
	put_int(b, ban->at_unix_ms);
	if (ends) {
		put_cstr(b, "until_unix_ms");
		put_int(b, ban->until_unix_ms);
	}
	put_cstr(b, "over");
	put_bool(b, ban_is_over(ban, unix_ms));
	put_cstr(b, "text");
	put_cstr(b, ban->text);
}

void view_admin_match_line(struct buf *b, const struct match *m)
{
	put_map(b, 7);
	put_cstr(b, "state");
	put_cstr(b, match_state_name(m->state));
	view_match_line_entries(b, m);
}

void view_audit_act(struct buf *b, const struct audit_act *a)
{
	put_map(b, 5);
	put_cstr(b, "audit");
	put_int(b, a->number);
	put_cstr(b, "at_unix_ms");
	put_int(b, a->at_unix_ms);
	put_cstr(b, "act");
	put_cstr(b, a->act);
	put_cstr(b, "target");
	put_cstr(b, a->target);
	put_cstr(b, "text");
	put_cstr(b, a->text);
}
