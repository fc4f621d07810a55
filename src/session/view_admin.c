/* SPDX-License-Identifier: MIT
 * view_admin.c - what only the operator may see. */
#include "proto/write.h"
#include "session/view.h"

void view_admin_page(struct buf *b, const char *key, struct admin_page *page)
{
	size_t after =
		page->total > page->first ? page->total - page->first : 0;
	size_t most = page->most > 0 ? page->most : ADMIN_SHOWN_MAX;
	page->shown = after < most ? after : most;
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

static void put_id_if(struct buf *b, const char *key, const struct id *id)
{
	if (id_is_none(id))
		return;
	put_cstr(b, key);
	put_cstr(b, id->text);
}

/* Its lines, without their ends. */
static void put_evidence(struct buf *b, const char *lines)
{
	uint32_t count = 0;
	for (const char *p = lines; *p; p++)
		count += *p == '\n';
	put_array(b, count);
	while (*lines) {
		size_t len = strcspn(lines, "\n");
		put_str(b, span_of(lines, len));
		lines += len + 1;
	}
}

void view_report(struct buf *b, const struct report *r)
{
	static const char *const reasons[] = {
#define V(UPPER, word, doc) word,
		REPORT_REASONS(V)
#undef V
	};
	put_map(b, 9u + !id_is_none(&r->match) + !id_is_none(&r->lobby));
	put_cstr(b, "report");
	put_int(b, r->number);
	put_cstr(b, "at_unix_ms");
	put_int(b, r->at_unix_ms);
	put_cstr(b, "reason");
	put_cstr(b, reasons[r->reason]);
	put_cstr(b, "player");
	put_cstr(b, r->player.text);
	put_cstr(b, "player_name");
	put_cstr(b, r->player_name);
	put_cstr(b, "reporter");
	put_cstr(b, r->reporter.text);
	put_cstr(b, "reporter_name");
	put_cstr(b, r->reporter_name);
	put_id_if(b, "match", &r->match);
	put_id_if(b, "lobby", &r->lobby);
	put_cstr(b, "text");
	put_cstr(b, r->text);
	put_cstr(b, "evidence");
	put_evidence(b, r->evidence);
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
	put_map(b, 5u + (a->by[0] != '\0'));
	put_cstr(b, "audit");
	put_int(b, a->number);
	put_cstr(b, "at_unix_ms");
	put_int(b, a->at_unix_ms);
	put_cstr(b, "act");
	put_cstr(b, a->act);
	if (a->by[0]) {
		put_cstr(b, "by");
		put_cstr(b, a->by);
	}
	put_cstr(b, "target");
	put_cstr(b, a->target);
	put_cstr(b, "text");
	put_cstr(b, a->text);
}

void view_operator_token(struct buf *b, const struct operator_token *t,
			 int64_t unix_ms)
{
	bool ends = t->until_unix_ms != 0;
	put_map(b, 3u + ends);
	put_cstr(b, "name");
	put_cstr(b, t->name);
	put_cstr(b, "at_unix_ms");
	put_int(b, t->at_unix_ms);
	if (ends) {
		put_cstr(b, "until_unix_ms");
		put_int(b, t->until_unix_ms);
	}
	put_cstr(b, "over");
	put_bool(b, operator_token_is_over(t, unix_ms));
}
