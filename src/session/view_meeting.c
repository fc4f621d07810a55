/* SPDX-License-Identifier: MIT
 * view_meeting.c - lobbies, seeks, the queue, bots and who is here, as clients
 * may see them; and pages of lists, each of which costs no more than
 * LIST_WALK_MAX entries. */
#include "session/view_priv.h"

#include <string.h>

#include <utlist.h>

enum { PLAYING_SHOWN_MAX = 8 };

static const char *const opponents[] = { "anyone", "person", "bot",
					 "personality" };

/* -- players -- */

void put_person(struct buf *b, const struct id *id, const char *name,
		enum player_kind kind)
{
	put_map(b, 3);
	put_entry_id(b, "id", id);
	put_entry_str(b, "name", name);
	put_entry_str(b, "kind", kind_name(kind));
}

void view_player(struct buf *b, const struct player *p)
{
	put_person(b, &p->id, p->name, p->kind);
}

void view_followed(struct buf *b, const struct player *p)
{
	const struct match_link *link;
	put_map(b, 3);
	put_cstr(b, "player");
	view_player(b, p);
	put_entry_bool(b, "online", player_is_here(p));
	put_cstr(b, "matches");
	put_array(b, (uint32_t)p->match_count);
	DL_FOREACH (p->matches, link)
		put_cstr(b, link->match->id.text);
}

static void put_words(struct buf *b, const char *key, const char *words)
{
	uint32_t count = words[0] != '\0';
	for (const char *at = words; *at; at++)
		count += *at == ' ';
	put_cstr(b, key);
	put_array(b, count);
	for (uint32_t i = 0; i < count; i++) {
		size_t len = strcspn(words, " ");
		put_str(b, span_of(words, len));
		words += len + (words[len] == ' ');
	}
}

static void put_speeds(struct buf *b, unsigned speeds)
{
	uint32_t count = 0;
	for (int i = 0; i < SPEED_CLASS_COUNT; i++)
		count += speeds >> i & 1;
	put_cstr(b, "speeds");
	put_array(b, count);
	for (int i = 0; i < SPEED_CLASS_COUNT; i++)
		if (speeds >> i & 1)
			put_cstr(b, speed_class_name((enum speed_class)i));
}

void view_bot_policy(struct buf *b, const struct player *p)
{
	const struct bot_policy *policy = &p->meets.policy;
	put_map(b, 5u + (policy->rated > 0) + (policy->at_once > 0));
	put_entry_bool(b, "answers", policy->answers);
	put_words(b, "rulesets", bot_rulesets(policy));
	put_speeds(b, policy->speeds);
	if (policy->rated > 0)
		put_entry_bool(b, "rated", policy->rated == 1);
	put_entry_str(b, "opponent", opponents[policy->opponent]);
	if (policy->at_once > 0)
		put_entry_int(b, "at_once", policy->at_once);
	put_entry_bool(b, "finishing", policy->finishing);
}

static void put_playing(struct buf *b, const struct player *p)
{
	const struct match_link *link;
	uint32_t shown = 0;
	DL_FOREACH (p->matches, link)
		shown += !link->match->closed && shown < PLAYING_SHOWN_MAX;
	put_cstr(b, "playing");
	put_array(b, shown);
	DL_FOREACH (p->matches, link) {
		if (link->match->closed || shown == 0)
			continue;
		shown--;
		put_map(b, 3);
		put_entry_id(b, "match", &link->match->id);
		put_entry_str(b, "ruleset", link->match->rules->rules.name);
		put_entry_str(b, "side", side_name(link->side));
	}
}

void view_player_info(struct buf *b, const struct player *p)
{
	bool bot = p->kind == KIND_BOT;
	put_map(b, 6u + bot);
	put_entry_id(b, "id", &p->id);
	put_entry_str(b, "name", p->name);
	put_entry_str(b, "kind", kind_name(p->kind));
	put_entry_bool(b, "online", player_is_here(p));
	put_entry_int(b, "matches", (int64_t)p->match_count);
	put_playing(b, p);
	if (!bot)
		return;
	put_cstr(b, "bot");
	view_bot_policy(b, p);
}

/* The one after p, people before bots. */
static const struct player *next_here(const struct domain *d,
				      const struct player *p, bool bots)
{
	if (here_next(p) || p->kind == KIND_BOT || !bots)
		return here_next(p);
	return domain_here(d, true);
}

void view_players(struct buf *b, const struct domain *d,
		  const struct answer *page)
{
	size_t total = (page->people ? domain_here_count(d, false) : 0) +
		       (page->bots ? domain_here_count(d, true) : 0);
	const struct player *p, *last = NULL;
	uint32_t shown = 0;
	for (p = page->first; p && shown < LIST_SHOWN_MAX;
	     p = next_here(d, p, page->bots)) {
		last = p;
		shown++;
	}
	bool more = p != NULL;
	put_map(b, 2u + more);
	put_entry_int(b, "total", (int64_t)total);
	if (more)
		put_entry_id(b, "next", &last->id);
	put_cstr(b, "players");
	put_array(b, shown);
	for (p = page->first; shown > 0; p = next_here(d, p, page->bots)) {
		view_player_info(b, p);
		shown--;
	}
}

/* -- lobbies -- */

static void view_lobby_seat(struct buf *b, const char *key,
			    const struct domain *d, const struct lobby_seat *s)
{
	const struct player *p = domain_player(d, &s->player);
	put_cstr(b, key);
	if (!s->taken) {
		put_nil(b);
		return;
	}
	put_map(b, 5);
	put_entry_id(b, "player", &s->player);
	put_entry_str(b, "name", s->name);
	put_entry_str(b, "kind", kind_name(s->kind));
	put_entry_bool(b, "ready", s->ready);
	put_entry_bool(b, "online", !p || player_is_here(p));
}

void view_time(struct buf *b, const struct clock_rules *c)
{
	put_map(b, 5);
	put_clock_rules(b, c);
}

static void put_invited(struct buf *b, const struct domain *d,
			const struct lobby *l)
{
	uint32_t known = 0;
	for (size_t i = 0; i < l->invited_count; i++)
		known += domain_player(d, &l->invited[i]) != NULL;
	put_cstr(b, "invited");
	put_array(b, known);
	for (size_t i = 0; i < l->invited_count; i++) {
		const struct player *p = domain_player(d, &l->invited[i]);
		if (p)
			view_player(b, p);
	}
}

void view_lobby(struct buf *b, const struct domain *d, const struct lobby *l,
		const struct id *viewer)
{
	bool member = lobby_seat_of(l, viewer) >= 0;
	bool show_code = l->code[0] && member;
	bool begun = !id_is_none(&l->match);
	unsigned length = lobby_match_length(l);
	size_t place = lobby_ai_place(d, l);
	put_map(b, 13u + (place > 0) + (length > 0) + show_code +
			   (l->position[0] != '\0') +
			   (l->personality[0] != '\0') + member + begun);
	put_entry_id(b, "lobby", &l->id);
	put_entry_str(b, "ruleset", l->rules.rules.name);
	if (show_code)
		put_entry_str(b, "code", l->code);
	put_entry_bool(b, "private", !lobby_is_public(l));
	put_entry_str(b, "access",
		      l->invited_only ? "invited"
		      : l->code[0]    ? "code"
				      : "public");
	put_entry_bool(b, "spectators", !l->closed);
	put_entry_str(b, "opponent", opponents[l->opponent]);
	if (l->personality[0])
		put_entry_str(b, "personality", l->personality);
	put_cstr(b, "clock");
	view_time(b, &l->clock);
	put_entry_str(b, "speed", speed_class_name(speed_class(&l->clock)));
	put_entry_bool(b, "rated", l->rated);
	put_entry_int(b, "spectator_delay_ms", l->spectator_delay_ms);
	if (length > 0)
		put_entry_int(b, "match_length", length);
	if (l->position[0])
		put_entry_str(b, "position", l->position);
	put_entry_id(b, "owner", &l->owner);
	view_lobby_seat(b, "white", d, &l->seat[WHITE]);
	view_lobby_seat(b, "black", d, &l->seat[BLACK]);
	if (place > 0)
		put_entry_int(b, "place", (int64_t)place);
	if (member)
		put_invited(b, d, l);
	if (begun)
		put_entry_id(b, "match", &l->match);
}

/* -- seeks -- */

void view_seek(struct buf *b, const struct domain *d, const struct seek *s)
{
	bool begun = !id_is_none(&s->match);
	bool lapses = s->until_ms > 0 && !begun;
	unsigned length = domain_match_length(&s->rules);
	put_map(b, 9u + (length > 0) + (s->rating_min > 0) +
			   (s->rating_max > 0) + (s->position[0] != '\0') +
			   lapses + begun);
	put_entry_id(b, "seek", &s->id);
	put_cstr(b, "by");
	view_player(b, s->by);
	if (s->to) {
		put_cstr(b, "to");
		view_player(b, s->to);
	} else {
		put_entry_int(b, "rating",
			      domain_points(d, s->by, &s->rules, &s->clock));
	}
	put_entry_str(b, "ruleset", s->rules.rules.name);
	put_cstr(b, "clock");
	view_time(b, &s->clock);
	put_entry_str(b, "speed", speed_class_name(speed_class(&s->clock)));
	put_entry_str(b, "side",
		      s->side == SIDE_BY_LOT ? "any" : side_name(s->side));
	put_entry_str(b, "opponent", opponents[s->opponent]);
	put_entry_bool(b, "rated", s->rated);
	if (length > 0)
		put_entry_int(b, "match_length", length);
	if (s->rating_min > 0)
		put_entry_int(b, "rating_min", s->rating_min);
	if (s->rating_max > 0)
		put_entry_int(b, "rating_max", s->rating_max);
	if (s->position[0])
		put_entry_str(b, "position", s->position);
	if (lapses)
		put_entry_int(b, "left_ms",
			      s->until_ms > domain_now_ms(d)
				      ? (int64_t)(s->until_ms -
						  domain_now_ms(d))
				      : 0);
	if (begun)
		put_entry_id(b, "match", &s->match);
}

void view_seek_closed(struct buf *b, const struct seek *s)
{
	bool declined = s->reason == SEEK_DECLINED;
	bool begun = !id_is_none(&s->match);
	put_map(b, 2u + 2u * declined + begun);
	put_entry_id(b, "seek", &s->id);
	put_entry_str(b, "reason", seek_reason_name(s->reason));
	if (declined) {
		put_entry_str(b, "word", decline_word_name(s->word));
		put_entry_str(b, "text", decline_word_text(s->word));
	}
	if (begun)
		put_entry_id(b, "match", &s->match);
}

/* -- the queue -- */

void view_quick(struct buf *b, const struct quick_view *q,
		const struct id *match)
{
	bool begun = match && !id_is_none(match);
	const struct queued *e = q->entry;
	put_map(b, 1u + begun + 9u * (e != NULL));
	put_entry_bool(b, "waiting", e != NULL);
	if (begun)
		put_entry_id(b, "match", match);
	if (!e)
		return;
	put_entry_str(b, "ruleset", e->rules.rules.name);
	put_cstr(b, "clock");
	view_time(b, &e->clock);
	put_entry_bool(b, "any_clock", e->any_clock);
	put_entry_bool(b, "rated", e->rated);
	put_entry_bool(b, "bots", e->bots);
	put_entry_int(b, "waited_ms", q->waited_ms);
	put_entry_int(b, "others", (int64_t)q->waiting);
	put_entry_int(b, "range", q->range);
	put_entry_str(b, "reason", quick_why_name(q->why));
}

/* -- pages of lists -- */

struct page {
	uint32_t count;
	const void *shown[LIST_SHOWN_MAX];
	const struct id *next; /* or NULL */
};

struct list {
	enum listed_kind kind;
	const char *name;
	/* where the entry of an id lies; NULL: there is none */
	const struct listed *(*find)(const struct domain *d,
				     const struct id *id);
	bool (*wanted)(const struct domain *d, const void *owner,
		       const struct cmd_list *c, const struct player *viewer);
	const struct id *(*id)(const void *owner);
	void (*view)(struct buf *b, const struct domain *d, const void *owner,
		     const struct id *viewer);
};

static bool fits(const struct cmd_list *c, const struct clock_rules *clock,
		 bool rated)
{
	return (c->rated < 0 || c->rated == rated) &&
	       (c->speed < 0 || c->speed == (int)speed_class(clock));
}

static const struct listed *page_begin(const struct list *list,
				       const struct domain *d,
				       const struct cmd_list *c,
				       const struct listing *listing)
{
	bool all = c->ruleset.len == 0;
	const struct listed *after =
		id_is_none(&c->after) ? NULL : list->find(d, &c->after);
	if (after && after->listing && (all || after->listing == listing))
		return listed_after(after, all);
	return listing ? listing->first[list->kind] : NULL;
}

static void page_fill(struct page *page, const struct list *list,
		      const struct domain *d, const struct cmd_list *c,
		      const struct player *viewer)
{
	const struct listing *listing = domain_listing(d, c->ruleset);
	const struct listed *l = page_begin(list, d, c, listing);
	const void *last = NULL;
	page->count = 0;
	for (int i = 0; l && i < LIST_WALK_MAX && page->count < LIST_SHOWN_MAX;
	     i++) {
		last = l->owner;
		if (list->wanted(d, l->owner, c, viewer))
			page->shown[page->count++] = l->owner;
		l = listed_after(l, c->ruleset.len == 0);
	}
	page->next = l ? list->id(last) : NULL;
}

static void view_page(struct buf *b, const struct list *list,
		      const struct domain *d, const struct cmd_list *c,
		      const struct player *viewer)
{
	static const struct id nobody;
	const struct listing *listing = domain_listing(d, c->ruleset);
	struct page page;
	page_fill(&page, list, d, c, viewer);
	put_map(b, 2u + (page.next != NULL));
	put_entry_int(b, "total",
		      listing ? (int64_t)listing->count[list->kind] : 0);
	if (page.next)
		put_entry_id(b, "next", page.next);
	put_cstr(b, list->name);
	put_array(b, page.count);
	for (uint32_t i = 0; i < page.count; i++)
		list->view(b, d, page.shown[i], viewer ? &viewer->id : &nobody);
}

static const struct listed *find_lobby_entry(const struct domain *d,
					     const struct id *id)
{
	const struct lobby *l = domain_lobby(d, id);
	return l ? &l->listed : NULL;
}

static bool lobby_wanted(const struct domain *d, const void *owner,
			 const struct cmd_list *c, const struct player *viewer)
{
	const struct lobby *l = owner;
	(void)d;
	return fits(c, &l->clock, l->rated) &&
	       (!c->joinable || (viewer && lobby_admits(l, viewer)));
}

static const struct id *lobby_id(const void *owner)
{
	return &((const struct lobby *)owner)->id;
}

static void view_lobby_line(struct buf *b, const struct domain *d,
			    const void *owner, const struct id *viewer)
{
	view_lobby(b, d, owner, viewer);
}

void view_lobby_list(struct buf *b, const struct domain *d,
		     const struct cmd_list *c, const struct player *viewer)
{
	static const struct list list = {
		LISTED_LOBBY, "lobbies", find_lobby_entry,
		lobby_wanted, lobby_id,  view_lobby_line,
	};
	view_page(b, &list, d, c, viewer);
}

static const struct listed *find_seek_entry(const struct domain *d,
					    const struct id *id)
{
	const struct seek *s = domain_seek(d, id);
	return s ? &s->listed : NULL;
}

static bool seek_wanted(const struct domain *d, const void *owner,
			const struct cmd_list *c, const struct player *viewer)
{
	const struct seek *s = owner;
	return fits(c, &s->clock, s->rated) &&
	       (!c->joinable || (viewer && seek_admits(d, s, viewer)));
}

static const struct id *seek_id(const void *owner)
{
	return &((const struct seek *)owner)->id;
}

static void view_seek_line(struct buf *b, const struct domain *d,
			   const void *owner, const struct id *viewer)
{
	(void)viewer;
	view_seek(b, d, owner);
}

void view_seek_list(struct buf *b, const struct domain *d,
		    const struct cmd_list *c, const struct player *viewer)
{
	static const struct list list = {
		LISTED_SEEK, "seeks", find_seek_entry,
		seek_wanted, seek_id, view_seek_line,
	};
	view_page(b, &list, d, c, viewer);
}

static const struct listed *find_match_entry(const struct domain *d,
					     const struct id *id)
{
	const struct match *m = domain_match(d, id);
	return m ? &m->listed : NULL;
}

static bool match_wanted(const struct domain *d, const void *owner,
			 const struct cmd_list *c, const struct player *viewer)
{
	const struct match *m = owner;
	(void)d, (void)viewer;
	return fits(c, &m->rules->clock, m->rated);
}

static const struct id *match_id(const void *owner)
{
	return &((const struct match *)owner)->id;
}

static void view_one_match(struct buf *b, const struct domain *d,
			   const void *owner, const struct id *viewer)
{
	static const struct id anyone;
	(void)d, (void)viewer;
	view_match_line(b, match_seen(owner, &anyone));
}

void view_match_list(struct buf *b, const struct domain *d,
		     const struct cmd_list *c)
{
	static const struct list list = {
		LISTED_MATCH, "matches", find_match_entry,
		match_wanted, match_id,  view_one_match,
	};
	view_page(b, &list, d, c, NULL);
}
