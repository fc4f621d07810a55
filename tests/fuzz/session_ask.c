/* SPDX-License-Identifier: MIT */
#include "session_world.h"

#include <string.h>

#include "base/hex.h"
#include "fuzz.h"
#include "proto/write.h"

/* A request in the making. */
struct asking {
	struct world *w;
	struct rng *rng;
	struct buf *b;
	const struct match *match; /* NULL: there is none */
};

static const char *one_of(struct rng *rng, const char *const *list)
{
	uint32_t n = 0;
	while (list[n])
		n++;
	return list[rng_below(rng, n)];
}

/* -- what there is -- */

static const struct match *any_match(struct world *w, struct rng *rng,
				     const struct ear *e)
{
	const struct player *p = domain_player(hub_domain(w->hub), &e->player);
	if (p && p->matches && rng_below(rng, 4) > 0)
		return p->matches->match;
	const struct match *m = domain_matches(hub_domain(w->hub));
	for (uint32_t n = rng_below(rng, 4); m && n > 0 && match_next(m); n--)
		m = match_next(m);
	return m;
}

static const struct lobby *any_lobby(struct world *w, struct rng *rng)
{
	const struct lobby *l = domain_lobbies(hub_domain(w->hub));
	for (uint32_t n = rng_below(rng, 4); l && n > 0 && lobby_next(l); n--)
		l = lobby_next(l);
	return l;
}

static const struct player *any_player(struct world *w, struct rng *rng)
{
	const struct player *p = domain_players(hub_domain(w->hub));
	for (uint32_t n = rng_below(rng, 8); p && n > 0 && player_next(p); n--)
		p = player_next(p);
	return p;
}

static const struct seek *any_seek(struct world *w, struct rng *rng)
{
	const struct player *p = domain_players(hub_domain(w->hub));
	const struct seek *found = NULL;
	for (; p; p = player_next(p))
		for (const struct seek *s = p->meets.seeks; s; s = s->next)
			if (!found || rng_below(rng, 2))
				found = s;
	return found;
}

void legal_move(struct rng *rng, const struct match *m, char out[MOVE_TEXT_MAX])
{
	static struct move_list list;
	snprintf(out, MOVE_TEXT_MAX, "x");
	if (game_moves(&m->rules->rules, &m->pos, &list) || list.count == 0)
		return;
	game_move_text(&m->rules->rules, &m->pos,
		       &list.move[rng_below(rng, (uint32_t)list.count)], out);
}

/* -- fields -- */

static void put_some_move(struct asking *a)
{
	static const char *const moves[] = { "11-15",   "13/8 6/5*", "a3-a4",
					     "9x18x25", "bar/20",    "x",
					     NULL };
	char text[MOVE_TEXT_MAX];
	if (!a->match || rng_below(a->rng, 4) == 0) {
		put_cstr(a->b, one_of(a->rng, moves));
		return;
	}
	legal_move(a->rng, a->match, text);
	put_cstr(a->b, text);
}

static void put_some_position(struct asking *a)
{
	static const char *const positions[] = {
		"B:W21-32:B1-12", "W:WK1:BK32", "W:Wa2,Kd4:Ba6",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", NULL
	};
	char text[POSITION_TEXT_MAX];
	if (!a->match || rng_below(a->rng, 2)) {
		put_cstr(a->b, one_of(a->rng, positions));
		return;
	}
	game_write(&a->match->rules->rules, &a->match->pos, text);
	put_cstr(a->b, text);
}

static void put_name(struct asking *a)
{
	static const char *const names[] = {
		"Ann", "Bob", "ann", "Cy", "Dora", "plyd", "\xc3\x89ve", NULL
	};
	const struct player *p = any_player(a->w, a->rng);
	put_cstr(a->b,
		 p && rng_below(a->rng, 2) ? p->name : one_of(a->rng, names));
}

static void put_code(struct asking *a)
{
	const struct lobby *l = any_lobby(a->w, a->rng);
	put_cstr(a->b, l && l->code[0] ? l->code : "ABCDEF");
}

static void put_text(struct asking *a, const struct field *f)
{
	static const char *const logins[] = { "ann", "bob", "cy", "bot", NULL };
	static const char *const secrets[] = { "password-1", "password-2",
					       NULL };
	static const char *const persons[] = { "calm", "picky", NULL };
	static const char *const keys[] = { "a", "b", "c", NULL };
	static const char *const words[] = {
		"hello",        "b:c",       " ", "\xe2\x80\xae",
		"192.0.2.0/24", "192.0.2.1", NULL
	};
	if (!strcmp(f->name, "ruleset"))
		put_cstr(a->b, ruleset_at(rng_below(a->rng,
						    (uint32_t)ruleset_count()))
				       ->name);
	else if (!strcmp(f->name, "position"))
		put_some_position(a);
	else if (!strcmp(f->name, "move"))
		put_some_move(a);
	else if (!strcmp(f->name, "name"))
		put_name(a);
	else if (!strcmp(f->name, "code"))
		put_code(a);
	else if (!strcmp(f->name, "login"))
		put_cstr(a->b, one_of(a->rng, logins));
	else if (!strcmp(f->name, "password") || !strcmp(f->name, "old") ||
		 !strcmp(f->name, "new"))
		put_cstr(a->b, one_of(a->rng, secrets));
	else if (!strcmp(f->name, "personality"))
		put_cstr(a->b, one_of(a->rng, persons));
	else if (!strcmp(f->name, "key"))
		put_cstr(a->b, one_of(a->rng, keys));
	else
		put_cstr(a->b, one_of(a->rng, words));
}

static void put_some_id(struct asking *a, const struct field *f)
{
	const struct lobby *l = any_lobby(a->w, a->rng);
	const struct player *p = any_player(a->w, a->rng);
	const struct seek *s = any_seek(a->w, a->rng);
	uint32_t dice = rng_below(a->rng, 16);
	const struct id *id = NULL;
	if (dice == 0)
		;
	else if (!strcmp(f->name, "match") && a->match)
		id = &a->match->id;
	else if (!strcmp(f->name, "lobby") && l)
		id = &l->id;
	else if (!strcmp(f->name, "player") && p)
		id = &p->id;
	else if (!strcmp(f->name, "seek") && s)
		id = &s->id;
	else if (l && dice < 6)
		id = &l->id;
	else if (p && dice < 10)
		id = &p->id;
	put_cstr(a->b, id ? id->text : "aaaaaaaaaa");
}

static void put_number(struct asking *a, const struct field *f)
{
	const struct match *m = a->match;
	int64_t span = f->max - f->min, n;
	uint32_t dice = rng_below(a->rng, 16);
	bool near = m && dice > 2;
	if (near && !strcmp(f->name, "ply"))
		n = m->ply;
	else if (near && !strcmp(f->name, "takebacks"))
		n = m->takebacks;
	else if (near && !strcmp(f->name, "offer"))
		n = (int64_t)m->resign.seq;
	else if (near && !strcmp(f->name, "game"))
		n = m->game;
	else if (dice == 0)
		n = rng_below(a->rng, 2) ? f->max : INT64_MAX;
	else if (dice == 1)
		n = rng_below(a->rng, 2) ? f->min : f->min - 1;
	else
		n = f->min + rng_below(a->rng, span > 100000 ? 100000
					       : span > 0    ? (uint32_t)span
							     : 1);
	put_int(a->b, n);
}

static void put_hex_field(struct asking *a, const struct field *f)
{
	uint8_t bytes[HEX_FIELD_BYTES_MAX];
	size_t known = a->w->tokens < TOKENS_MAX ? a->w->tokens : TOKENS_MAX;
	size_t len = (size_t)f->max;
	if (!strcmp(f->name, "token") && known > 0) {
		put_cstr(a->b,
			 a->w->token[rng_below(a->rng, (uint32_t)known)].hex);
		return;
	}
	if (f->min < f->max)
		len = rng_below(a->rng, (uint32_t)f->max + 1);
	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)rng_next(a->rng);
	if (a->match && !strcmp(f->name, "lag"))
		for (size_t i = 0; i < LAG_BYTES; i++)
			bytes[i] =
				(uint8_t)(a->match->lag.nonce >> (56 - 8 * i));
	put_hex(a->b, span_of(bytes, len));
}

static void put_field(struct asking *a, const struct field *f)
{
	put_cstr(a->b, f->name);
	switch (f->kind) {
	case FIELD_STR: put_text(a, f); break;
	case FIELD_ID: put_some_id(a, f); break;
	case FIELD_INT: put_number(a, f); break;
	case FIELD_VERSION: put_int(a->b, f->min); break;
	case FIELD_FLAG: put_bool(a->b, rng_below(a->rng, 4) > 0); break;
	case FIELD_HEX: put_hex_field(a, f); break;
	case FIELD_CHOICE: put_cstr(a->b, one_of(a->rng, f->choice)); break;
	}
}

/* -- requests -- */

static void begin(struct ear *e, struct buf *b, const struct method_info *m)
{
	rpc_begin_request(b, ++e->msgids, m->name);
	ear_asks(e, e->msgids, m->method);
}

void ask_any(struct world *w, struct rng *rng, struct ear *e,
	     const struct method_info *method, struct buf *b)
{
	struct asking a = { w, rng, b, any_match(w, rng, e) };
	static const uint32_t densities[] = { 0, 1, 4, 10 };
	uint32_t density = densities[rng_below(rng, 4)];
	uint64_t there = 0;
	uint32_t entries = 0;
	size_t count;
	const struct field *f = method_fields(method->method, &count);
	insist(count < 64);
	for (size_t i = 0; i < count; i++) {
		if (!f[i].required && rng_below(rng, 16) >= density)
			continue;
		there |= UINT64_C(1) << i;
		entries++;
	}
	begin(e, b, method);
	put_map(b, entries);
	for (size_t i = 0; i < count; i++)
		if (there >> i & 1)
			put_field(&a, &f[i]);
}

void ask_hello(struct world *w, struct rng *rng, struct ear *e, struct buf *b)
{
	size_t known = w->tokens < TOKENS_MAX ? w->tokens : TOKENS_MAX;
	bool resumes = known > 0 && rng_below(rng, 3) == 0;
	begin(e, b, method_info(METHOD_HELLO));
	put_map(b, 1u + resumes);
	put_cstr(b, "protocol");
	put_int(b, PROTOCOL_VERSION);
	if (!resumes)
		return;
	put_cstr(b, "token");
	put_cstr(b, w->token[rng_below(rng, (uint32_t)known)].hex);
}

void ask_lobby(struct rng *rng, struct ear *e, size_t rules, bool rated,
	       struct buf *b)
{
	bool alone = !rated && rng_below(rng, 8) == 0;
	begin(e, b, method_info(METHOD_LOBBY_CREATE));
	put_map(b, 3u + alone);
	put_cstr(b, "ruleset");
	put_cstr(b, ruleset_at(rules % ruleset_count())->name);
	put_cstr(b, "ready");
	put_bool(b, true);
	put_cstr(b, "rated");
	put_bool(b, rated);
	if (!alone)
		return;
	put_cstr(b, "personality");
	put_cstr(b, "calm");
}

void ask_register(struct ear *e, const char *login, struct buf *b)
{
	begin(e, b, method_info(METHOD_ACCOUNT_REGISTER));
	put_map(b, 2);
	put_cstr(b, "login");
	put_cstr(b, login);
	put_cstr(b, "password");
	put_cstr(b, "password-1");
}

bool ask_join(struct world *w, struct ear *e, struct buf *b)
{
	const struct lobby *l = domain_lobbies(hub_domain(w->hub));
	while (l && (!lobby_is_public(l) || lobby_seat_of(l, &e->player) >= 0))
		l = lobby_next(l);
	if (!l)
		return false;
	begin(e, b, method_info(METHOD_LOBBY_JOIN));
	put_map(b, 2);
	put_cstr(b, "lobby");
	put_cstr(b, l->id.text);
	put_cstr(b, "ready");
	put_bool(b, true);
	return true;
}

/* Who sits there, if he is here. */
static struct ear *ear_of(struct world *w, const struct id *player)
{
	for (size_t i = 0; i < EARS; i++) {
		struct ear *e = &w->ear[i];
		if (e->number && !e->closed && !id_is_none(player) &&
		    id_eq(&e->player, player))
			return e;
	}
	return NULL;
}

static enum method next_method(struct rng *rng, const struct match *m)
{
	bool often = rng_below(rng, 4) > 0;
	switch (match_awaits(m)) {
	case AWAITS_ROLL:
		return often ? METHOD_MATCH_ROLL : METHOD_MATCH_DOUBLE;
	case AWAITS_ANSWER:
		return often ? METHOD_MATCH_TAKE : METHOD_MATCH_DROP;
	default: return METHOD_MATCH_MOVE;
	}
}

struct ear *ask_half_move(struct world *w, struct rng *rng, struct buf *b)
{
	static const struct ear nobody;
	char text[MOVE_TEXT_MAX];
	const struct match *m = any_match(w, rng, &nobody);
	if (!m || m->state != MATCH_PLAYING)
		return NULL;
	struct ear *e = ear_of(w, &m->seat[match_turn(m)].player);
	if (!e)
		return NULL;
	enum method method = next_method(rng, m);
	bool moves = method == METHOD_MATCH_MOVE;
	begin(e, b, method_info(method));
	put_map(b, 2u + moves);
	put_cstr(b, "match");
	put_cstr(b, m->id.text);
	put_cstr(b, "ply");
	put_int(b, m->ply);
	if (moves) {
		legal_move(rng, m, text);
		put_cstr(b, "move");
		put_cstr(b, text);
	}
	return e;
}
