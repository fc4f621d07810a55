/* SPDX-License-Identifier: MIT
 * referee_view.c - what is shown of lobbies and matches: only what is durable,
 * in order, without hole or double, and nothing to those whom it does not
 * concern. */
#include "referee_priv.h"

#include <stdio.h>

#include "base/hex.h"

/* -- values -- */

bool id_in(const struct value *map, const char *key, struct id *out)
{
	struct span text;
	*out = (struct id){ "" };
	return !value_str(value_find(map, key), &text) && id_read(text, out);
}

int64_t int_in(const struct value *map, const char *key)
{
	int64_t n = -1;
	(void)value_int(value_find(map, key), INT64_MIN, INT64_MAX, &n);
	return n;
}

bool bool_in(const struct value *map, const char *key)
{
	bool yes = false;
	(void)value_bool(value_find(map, key), &yes);
	return yes;
}

struct span str_in(const struct value *map, const char *key)
{
	struct span text = { 0 };
	(void)value_str(value_find(map, key), &text);
	return text;
}

int side_in(const struct value *map, const char *key)
{
	struct span text = str_in(map, key);
	return span_is(text, "white")   ? WHITE
	       : span_is(text, "black") ? BLACK
					: -1;
}

bool position_is(const struct ruleset *rules, const struct position *pos,
		 struct span text)
{
	char want[POSITION_TEXT_MAX];
	game_write(rules, pos, want);
	return span_is(text, want);
}

static void wrong(struct sim *sim, const struct link *l,
		  const struct book_match *m, uint64_t seq, const char *what)
{
	sim_fail(sim, "%s is shown %s at seq %llu: %s", client_name(l->client),
		 m->id.text, (unsigned long long)seq, what);
}

/* -- in order -- */

struct heard *heard_of(struct link *l, const struct id *match, bool add)
{
	for (size_t i = 0; i < l->heard_count; i++)
		if (id_eq(&l->heard[i].match, match))
			return &l->heard[i];
	if (!add)
		return NULL;
	l->heard = sim_grow(l->heard, &l->heard_cap, l->heard_count,
			    sizeof(*l->heard));
	struct heard *h = &l->heard[l->heard_count++];
	*h = (struct heard){ .match = *match };
	return h;
}

static void judge_order(struct sim *sim, struct link *l,
			const struct book_match *m, uint64_t seq,
			enum shown_as how)
{
	bool seat = seat_of(m, &l->player) >= 0;
	struct heard *h = heard_of(l, &m->id, true);
	bool may_skip = sees_late(m, l) || h->skipped || l->slow_until_ms > 0;
	if (how == SHOWN_ANEW && !may_be_shown(sim, l, m, h))
		wrong(sim, l, m, seq, "a snapshot for no reason");
	if (h->subscribed && !may_skip ? seq != h->seq : seq < h->seq)
		wrong(sim, l, m, seq, "a snapshot that is not in order");
	h->seq = seq;
	h->subscribed = h->subscribed || seat || how != SHOWN_ONCE;
	h->skipped = h->skipped && how != SHOWN_ANEW;
	h->generation = sim->referee->generation;
}

/* -- events -- */

/* A score of 0 to 0 is not shown. */
static bool score_is(const struct book_match *m, const struct value *map)
{
	const int *score = m->fact[m->facts - 1].stakes.score;
	bool none = score[WHITE] == 0 && score[BLACK] == 0;
	return int_in(map, "white_score") == (none ? -1 : score[WHITE]) &&
	       int_in(map, "black_score") == (none ? -1 : score[BLACK]);
}

static void judge_result(struct sim *sim, const struct link *l,
			 const struct book_match *m, uint64_t seq,
			 const struct value *map)
{
	static const char *const names[] = { "white", "black", "draw", "none" };
	char hex[2 * SEED_BYTES + 1] = "";
	if (m->seed_known)
		hex_write(m->seed, SEED_BYTES, hex);
	if (!m->over || !span_is(str_in(map, "result"), names[m->result]) ||
	    !span_is(str_in(map, "reason"), m->end_reason) ||
	    int_in(map, "points") != m->points || !score_is(m, map) ||
	    !span_is(str_in(map, "seed"), hex))
		wrong(sim, l, m, seq, "another result");
}

static void judge_event_itself(struct sim *sim, const struct link *l,
			       const struct book_match *m, uint64_t seq,
			       const struct value *map)
{
	const struct book_fact *f = &m->fact[seq - 1];
	const struct value *dice = value_find(map, "dice");
	int64_t die[2] = { 0, 0 };
	char hex[2 * DICE_NONCE_MAX + 1];
	if (!span_is(str_in(map, "event"), fact_name(f->type)) ||
	    side_in(map, "side") != f->side || int_in(map, "ply") != f->ply)
		wrong(sim, l, m, seq, "another event");
	if (f->type == FACT_WARNED && !span_is(str_in(map, "text"), "beware"))
		wrong(sim, l, m, seq, "another warning");
	if (f->type == FACT_TAKEN_BACK &&
	    (int_in(map, "to_ply") != f->plies ||
	     int_in(map, "thought_ms") != f->thought_ms))
		wrong(sim, l, m, seq, "taken back to another ply");
	if (f->type == FACT_MOVED &&
	    (!span_is(str_in(map, "move"), f->text) ||
	     int_in(map, "thought_ms") != f->thought_ms ||
	     int_in(map, "lag_ms") != f->lag_ms))
		wrong(sim, l, m, seq, "another move");
	for (size_t i = 0; i < 2; i++)
		(void)value_int(value_at(dice, i), 1, 6, &die[i]);
	if (die[0] != f->die[0] || die[1] != f->die[1])
		wrong(sim, l, m, seq, "other dice");
	if (f->type == FACT_NONCE) {
		hex_write(m->nonce[f->side], m->nonce_len[f->side], hex);
		if (!span_is(str_in(map, "nonce"), hex))
			wrong(sim, l, m, seq, "another nonce");
	}
	const struct value *game = value_find(map, "game_result");
	if (f->type == FACT_GAME_ENDED &&
	    (!span_is(str_in(game, "reason"), f->text) ||
	     int_in(game, "game") != f->stakes.game))
		wrong(sim, l, m, seq, "another end of a game");
	if (f->type != FACT_ENDED)
		return;
	judge_result(sim, l, m, seq, value_find(map, "result"));
	digest_hex(&m->head, hex);
	if (!span_is(str_in(map, "head"), hex))
		wrong(sim, l, m, seq, "another head than the record's");
}

void judge_event(struct sim *sim, struct link *l, const struct value *map)
{
	struct id id;
	id_in(map, "match", &id);
	uint64_t seq = (uint64_t)int_in(map, "seq");
	struct book_match *m = book_match(sim->referee, &id);
	if (!m || seq < 1 || seq > m->facts) {
		sim_fail(sim,
			 "%s is told of event %llu of %s, which is not "
			 "durable",
			 client_name(l->client), (unsigned long long)seq,
			 id.text);
		return;
	}
	const struct book_fact *f = &m->fact[seq - 1];
	struct heard *h = heard_of(l, &id, false);
	if (!h && seat_of(m, &l->player) < 0) {
		wrong(sim, l, m, seq, "but does not watch it");
		return;
	}
	if (h && (!h->subscribed || seq != h->seq + 1))
		wrong(sim, l, m, seq,
		      "an event is missing, comes twice, or "
		      "was not wanted");
	if (!h)
		h = heard_of(l, &id, true);
	h->seq = seq;
	h->subscribed = true;
	h->generation = sim->referee->generation;
	judge_late(sim, l, m, seq);
	judge_event_itself(sim, l, m, seq, map);
	if (!value_find(map, "position") || is_unseen_tear(m, l, seq))
		return;
	if (!position_is(&m->rules, &f->pos, str_in(map, "position")) ||
	    side_in(map, "turn") != turn_after(m, seq))
		wrong(sim, l, m, seq, "another position");
	if (!stakes_are_shown(m, seq, map))
		wrong(sim, l, m, seq, "another cube, score or offer");
	if (!clock_is_shown(m, seq, map))
		wrong(sim, l, m, seq, "another time on a clock");
	lag_shown(sim, l, m, seq, map, false);
}

/* -- presence -- */

static void note_online(struct link *l, const struct id *match,
			const struct value *map)
{
	struct heard *h = heard_of(l, match, false);
	if (!h)
		return;
	h->snapshot = true;
	h->online[WHITE] = bool_in(value_find(map, "white"), "online");
	h->online[BLACK] = bool_in(value_find(map, "black"), "online");
}

void judge_presence(struct sim *sim, struct link *l, const struct value *map)
{
	struct id id;
	id_in(map, "match", &id);
	const struct book_match *m = book_match(sim->referee, &id);
	struct heard *h = heard_of(l, &id, false);
	if (!m || (h && !h->subscribed) ||
	    (!h && l->ready && seat_of(m, &l->player) < 0)) {
		sim_fail(sim,
			 "%s hears who is in %s, which does not concern "
			 "him",
			 client_name(l->client), id.text);
		return;
	}
	if (h)
		h->online[side_in(map, "side")] = bool_in(map, "online");
}

/* -- snapshots -- */

/* As a list of moves has it; NULL: no half-move. */
static const char *half_move_text(const struct book_fact *f)
{
	switch (f->type) {
	case FACT_MOVED: return f->text;
	case FACT_PASSED: return "pass";
	case FACT_DOUBLED: return "double";
	case FACT_TAKEN: return "take";
	case FACT_DROPPED: return "drop";
	case FACT_GAME_BEGUN: return f->text[0] ? f->text : NULL;
	default: return NULL;
	}
}

static void judge_moves(struct sim *sim, const struct link *l,
			const struct book_match *m, uint64_t seq,
			const struct value *moves)
{
	size_t n = 0;
	for (size_t i = 1; i < seq; i++) {
		const struct book_fact *f = &m->fact[i];
		struct span text = { 0 };
		const char *want = half_move_text(f);
		if (!want || !in_force(m, i, seq))
			continue;
		(void)value_str(value_at(moves, n++), &text);
		size_t len = strlen(want);
		if (text.len < len ||
		    memcmp(text.at + text.len - len, want, len))
			wrong(sim, l, m, seq, "another list of moves");
	}
	if (n != value_count(moves))
		wrong(sim, l, m, seq, "a longer or shorter list of moves");
}

static void judge_legal(struct sim *sim, const struct link *l,
			const struct book_match *m, uint64_t seq,
			const struct value *map)
{
	static struct move_list list;
	int seat = seat_of(m, &l->player);
	const struct value *shown = value_find(map, "legal_moves");
	bool his = seat >= 0 && turn_after(m, seq) == seat &&
		   !strcmp(awaits_after(m, seq), "move");
	if (his != (shown != NULL)) {
		wrong(sim, l, m, seq,
		      "legal moves where none should be, or "
		      "none where they should");
		return;
	}
	if (!his)
		return;
	if (game_moves(&m->rules, &m->fact[seq - 1].pos, &list) ||
	    int_in(map, "legal_total") != (int64_t)list.total)
		wrong(sim, l, m, seq, "another number of legal moves");
}

/* Whether the policy has warned the players of the position after seq. */
static bool warning_of(const struct book_match *m, uint64_t seq)
{
	const struct book_fact *f = &m->fact[seq - 1];
	bool warned = false;
	for (uint64_t i = 0; i < seq; i++)
		warned |= m->fact[i].type == FACT_WARNED &&
			  m->fact[i].plies == f->plies &&
			  m->fact[i].takebacks == f->takebacks;
	return warned && !f->frozen && f->type != FACT_ENDED;
}

void judge_snapshot(struct sim *sim, struct link *l, const struct value *map,
		    enum shown_as how)
{
	struct id id;
	char hex[DIGEST_HEX + 1] = "";
	id_in(map, "match", &id);
	uint64_t seq = (uint64_t)int_in(map, "seq");
	struct book_match *m = book_match(sim->referee, &id);
	if (!m || seq < 1 || seq > m->facts) {
		sim_fail(sim,
			 "%s is shown %s at seq %llu, which is not durable",
			 client_name(l->client), id.text,
			 (unsigned long long)seq);
		return;
	}
	const struct book_fact *f = &m->fact[seq - 1];
	judge_order(sim, l, m, seq, how);
	judge_late(sim, l, m, seq);
	note_online(l, &id, map);
	if (is_unseen_tear(m, l, seq))
		return;
	const char *state = f->type == FACT_ENDED ? "over"
			    : f->frozen           ? "frozen"
			    : f->paused           ? "paused"
			    : f->playing          ? "playing"
						  : "nonces";
	bool adjourned = span_is(str_in(map, "state"), "adjourned") &&
			 m->clock.kind == CLOCK_UNLIMITED && f->playing &&
			 !f->frozen && f->type != FACT_ENDED;
	if ((!span_is(str_in(map, "state"), state) && !adjourned) ||
	    int_in(map, "ply") != f->plies ||
	    side_in(map, "turn") != turn_after(m, seq))
		wrong(sim, l, m, seq, "another state, ply or turn");
	if (!position_is(&m->rules, &f->pos, str_in(map, "position")) ||
	    !position_is(&m->rules, &m->start, str_in(map, "start_position")))
		wrong(sim, l, m, seq, "another position");
	if (!stakes_are_shown(m, seq, map))
		wrong(sim, l, m, seq, "another cube, score or offer");
	versions_shown(sim, m, map);
	if (side_in(map, "you") != seat_of(m, &l->player))
		wrong(sim, l, m, seq, "another seat");
	if (warning_of(m, seq) != span_is(str_in(map, "warning"), "beware") ||
	    warning_of(m, seq) != (value_find(map, "warning") != NULL))
		wrong(sim, l, m, seq, "another warning");
	if (f->type != FACT_ENDED && side_in(map, "offer") != f->offer)
		wrong(sim, l, m, seq, "another offer");
	if (f->type != FACT_ENDED && side_in(map, "pause") != f->pause)
		wrong(sim, l, m, seq, "another pause");
	if (f->type != FACT_ENDED &&
	    (side_in(map, "takeback") != f->takeback ||
	     (m->takeback_allowed && int_in(map, "takebacks") != f->takebacks)))
		wrong(sim, l, m, seq, "another takeback");
	if (ruleset_has_dice(&m->rules))
		digest_hex(&m->commitment, hex);
	if (!span_is(str_in(map, "dice_commitment"), hex))
		wrong(sim, l, m, seq, "another commitment");
	judge_moves(sim, l, m, seq, value_find(map, "moves"));
	if (!clock_is(&m->clock, value_find(map, "clock")) ||
	    !clock_is_shown(m, seq, value_find(map, "clock")))
		wrong(sim, l, m, seq, "another clock, or time on it");
	lag_shown(sim, l, m, seq, value_find(map, "clock"), true);
	judge_legal(sim, l, m, seq, map);
	if (f->type == FACT_ENDED)
		judge_result(sim, l, m, seq, value_find(map, "result"));
	else if (value_type(value_find(map, "result")) != VALUE_NIL)
		wrong(sim, l, m, seq, "a result before the end");
}

/* -- lobbies -- */

void judge_lobby(struct sim *sim, const struct link *l, const struct value *map)
{
	static const char *const keys[] = { "white", "black" };
	struct id id, owner, player;
	id_in(map, "lobby", &id);
	const struct book_lobby *b = book_lobby(sim->referee, &id);
	struct span code = str_in(map, "code");
	if (!b) {
		sim_fail(sim, "%s is shown lobby %s, which is not durable",
			 client_name(l->client), id.text);
		return;
	}
	if (code.len > 0 &&
	    (!ever_sat(b, &l->player) || !span_is(code, b->code)))
		sim_fail(sim, "%s is shown the code of lobby %s",
			 client_name(l->client), id.text);
	if (!span_is(str_in(map, "ruleset"), b->ruleset) ||
	    bool_in(map, "private") !=
		    (b->code[0] != '\0' || b->invited_only) ||
	    !clock_is(&b->clock, value_find(map, "clock")) ||
	    (int_in(map, "match_length") > 0 ? int_in(map, "match_length")
					     : 0) != b->length ||
	    !id_in(map, "owner", &owner) || !ever_sat(b, &owner))
		sim_fail(sim, "%s is shown another lobby than %s",
			 client_name(l->client), id.text);
	for (int s = 0; s < SIDES; s++) {
		const struct value *seat = value_find(map, keys[s]);
		if (id_in(seat, "player", &player) && !ever_sat(b, &player))
			sim_fail(sim, "%s is shown a stranger in lobby %s",
				 client_name(l->client), id.text);
	}
}
