/* SPDX-License-Identifier: MIT
 * referee.c - who says what, and the life of the server. */
#include "referee_priv.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/hex.h"
#include "proto/schema.h"
#include "record/codec.h"

void referee_open(struct sim *sim)
{
	struct referee *r = sim_alloc(sizeof(*r));
	r->row = doc_new();
	r->message = doc_new();
	if (!r->row || !r->message)
		abort();
	r->talk = talk_new();
	sim->referee = r;
}

void referee_release(struct sim *sim)
{
	struct referee *r = sim->referee;
	for (size_t i = 0; i < r->matches; i++) {
		free(r->match[i].fact);
		free(r->match[i].asked);
		free(r->match[i].said);
		free(r->match[i].kept_said);
		free(r->match[i].act);
		free(r->match[i].lag);
	}
	for (size_t i = 0; i < r->players; i++)
		free(r->player[i].offers);
	for (size_t i = 0; i < r->players; i++)
		free(r->player[i].session);
	free(r->said);
	talk_free(r->talk);
	free(r->match);
	free(r->rating);
	free(r->guess);
	free(r->player);
	free(r->lobby);
	free(r->seek);
	free(r->cup);
	free(r->queued);
	free(r->wish);
	free(r->shown);
	doc_free(r->row);
	doc_free(r->message);
	free(r);
}

#define FIND(items, count)                                                     \
	do {                                                                   \
		for (size_t i = (count); i > 0; i--)                           \
			if (id_eq(&(items)[i - 1].id, id))                     \
				return &(items)[i - 1];                        \
		return NULL;                                                   \
	} while (0)

struct book_match *book_match(const struct referee *r, const struct id *id)
{
	FIND(r->match, r->matches);
}

struct book_player *book_player(const struct referee *r, const struct id *id)
{
	FIND(r->player, r->players);
}

struct book_lobby *book_lobby(const struct referee *r, const struct id *id)
{
	FIND(r->lobby, r->lobbies);
}

/* -- what clients do -- */

static void note_nonce(struct book_match *m, int side, const char *text)
{
	if (m->nonces_sent[side] == NONCES_SENT_MAX)
		return;
	memcpy(m->nonce_sent[side][m->nonces_sent[side]++], text,
	       2 * DICE_NONCE_MAX + 1);
}

static void note_token(struct referee *r, const char *hex)
{
	uint8_t bytes[TOKEN_BYTES];
	if (hex_read(span_str(hex), bytes, sizeof(bytes)) != TOKEN_BYTES)
		return;
	struct span part = span_of(bytes, sizeof(bytes));
	r->shown = sim_grow(r->shown, &r->shown_cap, r->shown_count,
			    sizeof(*r->shown));
	r->shown[r->shown_count++] = sha256(&part, 1);
}

void referee_asked(struct sim *sim, struct link *l, const struct asked *a)
{
	if (a->method == METHOD_HELLO && a->flag)
		note_token(sim->referee, a->text);
	account_asked(sim, l, a);
	meeting_asked(sim, l, a);
	struct book_match *m = book_match(sim->referee, &a->match);
	int side = m ? seat_of(m, &l->client->player) : -1;
	if (side < 0 || a->method == 0)
		return;
	m->wished[side][a->method] = true;
	if (a->method == METHOD_MATCH_CLAIM)
		*(a->flag ? &m->claimed_win[side] : &m->claimed_draw[side]) =
			true;
	if (a->method == METHOD_MATCH_SEEN)
		lag_asked(sim, m, side, a);
	if (a->method == METHOD_MATCH_NONCE)
		note_nonce(m, side, a->text);
	stakes_asked(m, side, a);
	if (a->method != METHOD_MATCH_MOVE)
		return;
	m->asked = sim_grow(m->asked, &m->asked_cap, m->asked_count,
			    sizeof(*m->asked));
	struct asked_move *move = &m->asked[m->asked_count++];
	*move = (struct asked_move){ .side = side, .ply = a->ply };
	memcpy(move->text, a->text, sizeof(move->text));
}

static bool thought_is_bad(const struct book_match *m,
			   const struct cmd_thought *t)
{
	char asked[ASKED_TEXT_MAX], text[MOVE_TEXT_MAX];
	span_copy(t->move, asked, sizeof(asked));
	return t->failed ||
	       !canonical(&m->rules, &m->fact[m->facts - 1].pos, asked, text);
}

void referee_judged(struct sim *sim, const struct match *asked,
		    uint64_t until_ms)
{
	struct book_match *m = book_match(sim->referee, &asked->id);
	if (!m)
		return;
	m->asked_ply = asked->ply;
	m->asked_takebacks = asked->takebacks;
	m->asked_generation = sim->referee->generation;
	m->was_judged = false;
	m->asked_until_ms = until_ms;
}

void referee_verdict(struct sim *sim, const struct id *match,
		     const struct cmd_verdict *v)
{
	struct book_match *m = book_match(sim->referee, match);
	uint64_t now = sim_domain_ms(sim);
	if (!m || v->ply != m->asked_ply || v->takebacks != m->asked_takebacks)
		return;
	script_verdict(sim, m, v);
	/* an answer to a question of before the restart may come first */
	bool first = !m->was_judged;
	/* who was started anew asks again, and need not hear what he did not
	 * ask for */
	bool awaited = m->asked_generation == sim->referee->generation;
	m->was_judged = true;
	if (!first || (!v->ends && !v->warns))
		return;
	/* what arrived while the machine stood still is read before a tick */
	if (now > m->asked_until_ms && !sim_stood_until(sim, now))
		return;
	m->said = sim_grow(m->said, &m->said_cap, m->said_count,
			   sizeof(*m->said));
	m->said[m->said_count++] =
		(struct verdict_said){ v->warns,
				       v->ply,
				       v->takebacks,
				       now,
				       v->result,
				       sim->referee->generation,
				       awaited && now < m->asked_until_ms &&
					       !m->fact[m->facts - 1].paused &&
					       hub_is_writable(sim->hub) };
}

void referee_thought(struct sim *sim, const struct id *match,
		     const struct cmd_thought *t)
{
	struct book_match *m = book_match(sim->referee, match);
	static const struct id none;
	if (!m)
		return;
	for (int side = 0; side < SIDES; side++) {
		if (!id_eq(&m->player[side], &none))
			continue;
		m->wished[side][METHOD_MATCH_RESIGN] |= t->resign;
		m->wished[side][METHOD_MATCH_ACCEPT_DRAW] |= t->accept_draw;
		m->wished[side][METHOD_MATCH_OFFER_DRAW] |= t->offer_draw;
		stakes_thought_of(m, side, t);
		script_thought(sim, m, side, t);
		if (t->asked != AWAITS_MOVE)
			continue;
		m->asked = sim_grow(m->asked, &m->asked_cap, m->asked_count,
				    sizeof(*m->asked));
		struct asked_move *move = &m->asked[m->asked_count++];
		*move = (struct asked_move){ .side = side,
					     .ply = t->ply,
					     .takebacks = t->takebacks,
					     .accepts = t->accept_draw &&
							!t->failed };
		if (!t->failed)
			span_copy(t->move, move->text, sizeof(move->text));
		m->thought_badly |= thought_is_bad(m, t);
	}
}

/* -- what the server says -- */

/* Nobody may see a seed before the end, nor another's token. */
static void look_for_leaks(struct sim *sim, const struct link *l,
			   struct span bytes)
{
	const struct referee *r = sim->referee;
	char hex[2 * SEED_BYTES + 1];
	for (size_t i = 0; i < r->matches; i++) {
		const struct book_match *m = &r->match[i];
		if (!m->seed_known || m->over)
			continue;
		hex_write(m->seed, SEED_BYTES, hex);
		if (memmem(bytes.at, bytes.len, hex, 2 * SEED_BYTES) ||
		    memmem(bytes.at, bytes.len, m->seed, SEED_BYTES))
			sim_fail(sim,
				 "%s is shown the dice seed of %s, which "
				 "is not over",
				 client_name(l->client), m->id.text);
	}
	for (size_t i = 0; i < sim->clients; i++) {
		const struct client *c = sim->client[i];
		if (!c || c == l->client || !c->token[0])
			continue;
		if (memmem(bytes.at, bytes.len, c->token, TOKEN_HEX))
			sim_fail(sim, "%s is shown the token of %s",
				 client_name(l->client), client_name(c));
	}
}

static bool has_long_hex(struct span bytes)
{
	size_t run = 0;
	for (size_t i = 0; i < bytes.len && run < 2 * SEED_BYTES; i++)
		run = isxdigit(bytes.at[i]) ? run + 1 : 0;
	return run >= 2 * SEED_BYTES;
}

static void judge_notification(struct sim *sim, struct link *l,
			       const struct value *root)
{
	char why[SCHEMA_WHY_MAX];
	struct span name = { 0 };
	const struct value *map = value_at(value_at(root, 2), 0);
	int n = 0;
	(void)value_str(value_at(root, 1), &name);
	while (n < NOTIFICATION_COUNT &&
	       !span_is(name, notification_info((enum notification)n)->name))
		n++;
	if (n == NOTIFICATION_COUNT) {
		sim_fail(sim, "there is no such notification: %.*s",
			 (int)name.len, (const char *)name.at);
		return;
	}
	if (!schema_check(map, notification_info((enum notification)n)->object,
			  why)) {
		sim_fail(sim, "%.*s has not its shape: %s", (int)name.len,
			 (const char *)name.at, why);
		return;
	}
	switch ((enum notification)n) {
	case NOTIFY_MATCH_STARTED:
		judge_snapshot(sim, l, map, SHOWN_AS_STARTED);
		break;
	case NOTIFY_MATCH_SNAPSHOT:
		judge_snapshot(sim, l, map, SHOWN_ANEW);
		break;
	case NOTIFY_MATCH_EVENT: judge_event(sim, l, map); break;
	case NOTIFY_LOBBY_INVITED:
	case NOTIFY_LOBBY_CHANGED: judge_lobby(sim, l, map); break;
	case NOTIFY_CHAT_LINE: judge_chat_line(sim, l, map); break;
	case NOTIFY_CHALLENGE_RECEIVED: judge_seek(sim, l, map, false); break;
	case NOTIFY_MATCH_REMATCH: judge_rematch(sim, l, map); break;
	case NOTIFY_MATCH_PRESENCE: judge_presence(sim, l, map); break;
	default: break;
	}
}

void referee_message(struct sim *sim, struct link *l, struct span bytes)
{
	const struct value *root;
	int64_t type = -1;
	if (l->closing)
		sim_fail(sim, "%s gets a message after the last one",
			 client_name(l->client));
	int err = doc_parse(sim->referee->message, bytes, &doc_answer, &root);
	if (err)
		sim_fail(sim, "the server sent what cannot be read: %s",
			 plyd_err_name(err));
	if (err || sim->failed)
		return;
	if (has_long_hex(bytes))
		look_for_leaks(sim, l, bytes);
	look_for_persons(sim, l, bytes);
	(void)value_int(value_at(root, 0), 0, 2, &type);
	if (type == 1)
		judge_response(sim, l, root);
	else if (type == 2)
		judge_notification(sim, l, root);
	else
		sim_fail(sim, "the server sent neither response nor "
			      "notification");
}

void referee_link_ends(struct sim *sim, struct link *l)
{
	struct book_player *p = book_player(sim->referee, &l->player);
	if (!l->ready || !p || !p->here || !book_session(p, l->session))
		return;
	if (is_connected(sim, p, l))
		return; /* he has resumed meanwhile */
	p->here = false;
	p->left_by = l->session;
	p->away_ms = sim_domain_ms(sim);
	/* who was put out is away since then, though his last word waited */
	if ((int64_t)p->out_ms + sim->behind_ms >= (int64_t)l->hello_ms &&
	    p->out_ms > 0)
		p->away_ms = p->out_ms;
}

/* -- what is durable -- */

void referee_durable(struct sim *sim, uint64_t row, const struct id *match,
		     struct span bytes)
{
	struct fact f;
	if (fact_decode(sim->referee->row, bytes, match, row, &f)) {
		sim_fail(sim, "row %llu is no fact", (unsigned long long)row);
		return;
	}
	story_tell(&sim->story, sim->t_ms, "journal", "%llu %s %s",
		   (unsigned long long)row, fact_name(f.type), match->text);
	if (fact_stream(f.type) == STREAM_SECRET)
		sim_fail(sim, "a secret lies in the journal");
	else if (fact_stream(f.type) == STREAM_GENERAL)
		general_fact(sim, &f);
	else
		match_fact(sim, &f);
	sim->referee->recorded_ms = f.at_ms;
}

void referee_secret(struct sim *sim, const struct id *match, struct span bytes)
{
	struct fact f;
	struct book_match *m = book_match(sim->referee, match);
	if (!m || fact_decode(sim->referee->row, bytes, match, 0, &f) ||
	    f.type != FACT_SEED_DRAWN || f.seed_drawn.seed.len != SEED_BYTES) {
		sim_fail(sim, "a secret of %s that is no seed", match->text);
		return;
	}
	struct digest d = sha256(&f.seed_drawn.seed, 1);
	if (!digest_eq(&d, &m->commitment))
		sim_fail(sim, "%s promised another seed", match->text);
	memcpy(m->seed, f.seed_drawn.seed.at, SEED_BYTES);
	m->seed_known = true;
}

void referee_batch_done(struct sim *sim)
{
	struct referee *r = sim->referee;
	for (size_t i = 0; i < r->matches && !sim->failed; i++) {
		const struct book_match *m = &r->match[i];
		if (m->facts > 0 && m->fact[m->facts - 1].batch == r->batch)
			match_is_settled(sim, m);
	}
	ai_settled(sim);
	r->batch++;
}

/* When nothing waits to be said, all know who is there. */
static void knows_who_is_there(struct sim *sim, const struct link *l,
			       const struct heard *h,
			       const struct book_match *m)
{
	if (sees_late(m, l) || h->skipped || catches_up(sim, l, m))
		return;
	if (m->over || is_frozen(m) || !h->subscribed || !h->snapshot ||
	    hub_counts(sim->hub).waiting > 0)
		return;
	for (int s = 0; s < SIDES; s++) {
		const struct book_player *p =
			book_player(sim->referee, &m->player[s]);
		if (p && p->here != h->online[s])
			sim_fail(sim, "%s believes %s of %s to be %s",
				 client_name(l->client), p->name, m->id.text,
				 p->here ? "away" : "there");
	}
}

/* Whoever was here when a match of his began must have been told. */
static void heard_of_all(struct sim *sim, struct link *l)
{
	const struct referee *r = sim->referee;
	for (size_t i = 0; i < r->matches; i++) {
		const struct book_match *m = &r->match[i];
		if (!m->over && !is_frozen(m) && seat_of(m, &l->player) >= 0 &&
		    m->fact[0].batch > l->ready_batch &&
		    !heard_of(l, &m->id, false))
			sim_fail(sim, "%s was not told that %s has begun",
				 client_name(l->client), m->id.text);
	}
}

void referee_delivered(struct sim *sim)
{
	for (struct link *l = sim->links; l && !sim->failed; l = l->next) {
		if (!l->server_open || l->closing || !l->ready)
			continue;
		talk_let_in(sim, l);
		for (size_t i = 0; i < l->heard_count; i++) {
			struct heard *h = &l->heard[i];
			const struct book_match *m =
				book_match(sim->referee, &h->match);
			judge_heard(sim, l, h, m);
		}
		for (size_t i = 0; i < l->heard_count && !sim->failed; i++)
			knows_who_is_there(sim, l, &l->heard[i],
					   book_match(sim->referee,
						      &l->heard[i].match));
		heard_of_all(sim, l);
		if (hub_counts(sim->hub).waiting == 0)
			judge_followers(sim, l);
	}
}

/* -- the life of the server -- */

static void compare_match(struct sim *sim, const struct book_match *m)
{
	const struct match *d = domain_match(hub_domain(sim->hub), &m->id);
	if (m->finished || sim->failed)
		return;
	if (!d || (d->state == MATCH_FROZEN) != (is_frozen(m) && !m->over)) {
		sim_fail(sim, "%s is %s after a start", m->id.text,
			 !d                         ? "forgotten"
			 : d->state == MATCH_FROZEN ? "frozen"
						    : "not frozen");
		return;
	}
	const struct book_fact *last = &m->fact[m->facts - 1];
	if (d->seq < m->facts ||
	    (d->seq == m->facts && memcmp(&d->pos, &last->pos, sizeof(d->pos))))
		sim_fail(sim, "%s came back otherwise than it was", m->id.text);
}

void referee_started(struct sim *sim)
{
	struct referee *r = sim->referee;
	r->generation++;
	r->generation_ms = r->writable_ms = sim_domain_ms(sim);
	for (size_t i = 0; i < r->players; i++) {
		struct book_player *p = &r->player[i];
		p->away_ms = r->generation_ms;
	}
	for (size_t i = 0; i < r->matches; i++)
		compare_match(sim, &r->match[i]);
	if (!sim->failed)
		general_compare(sim);
}

void referee_writable(struct sim *sim)
{
	sim->referee->writable_ms = sim_domain_ms(sim);
}

static void link_at_the_end(struct sim *sim, const struct link *l)
{
	if (!l->server_open || !l->client_open || l->closing || l->cut ||
	    l->garbage)
		return;
	for (size_t i = 0; i < l->asked_count && !sim->failed; i++) {
		const struct asked *a = &l->asked[i];
		if (!a->answered && a->sent_ms + ANSWERED_WITHIN_MS < END_MS)
			sim_fail(sim, "%s never got an answer to %s",
				 client_name(l->client),
				 a->method ? method_info(a->method)->name
					   : "a wrong request");
	}
}

void referee_end(struct sim *sim)
{
	struct referee *r = sim->referee;
	if (sim->counts.matches < MATCHES_LEAST)
		sim_fail(sim, "%u matches were finished: nobody can play here",
			 sim->counts.matches);
	for (size_t i = 0; i < r->matches && !sim->failed; i++)
		match_at_the_end(sim, &r->match[i]);
	for (const struct link *l = sim->links; l && !sim->failed; l = l->next)
		link_at_the_end(sim, l);
	if (!sim->failed)
		lobbies_at_the_end(sim);
	if (!sim->failed)
		ai_at_the_end(sim);
}
