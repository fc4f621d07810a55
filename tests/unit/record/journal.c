/* SPDX-License-Identifier: MIT */
#include "journal.h"
#include "record/codec.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

enum { JOURNAL_BYTES_MAX = 64 * 1024 * 1024 };

static void keep(void *payload, const struct fact *f)
{
	struct journal *j = payload;
	size_t at = j->bytes.len;
	assert_true(j->count < JOURNAL_ROWS_MAX);
	journal_row(j->play->d, f, &j->bytes);
	assert_int_equal(j->bytes.err, PLYD_OK);
	j->kept[j->count++] =
		(struct journal_row_kept){ .stream = fact_stream(f->type),
					   .row = f->row,
					   .match = f->match,
					   .at = at,
					   .len = j->bytes.len - at };
}

void journal_open(struct journal *j, struct play *p)
{
	*j = (struct journal){ .play = p };
	j->kept = calloc(JOURNAL_ROWS_MAX, sizeof(*j->kept));
	assert_non_null(j->kept);
	buf_init(&j->bytes, JOURNAL_BYTES_MAX);
	buf_init(&j->snapshot, JOURNAL_BYTES_MAX);
	p->on_fact = keep;
	p->payload = j;
}

void journal_close(struct journal *j)
{
	buf_release(&j->bytes);
	buf_release(&j->snapshot);
	free(j->kept);
}

void journal_snapshot(struct journal *j)
{
	buf_clear(&j->snapshot);
	assert_int_equal(snapshot_write(j->play->d, &j->snapshot), PLYD_OK);
	j->snapshot_row = domain_last_row(j->play->d);
}

struct span journal_bytes(const struct journal *j, size_t i)
{
	return span_of(j->bytes.at + j->kept[i].at, j->kept[i].len);
}

static bool is_running(const struct journal *j, const struct id *match)
{
	const struct match *m = domain_match(j->play->d, match);
	return m && m->state != MATCH_OVER;
}

static bool is_wanted(const struct journal *j, const struct journal_row_kept *r)
{
	return r->stream == STREAM_GENERAL ? r->row > j->snapshot_row
					   : is_running(j, &r->match);
}

static void replay_one(struct domain *d, struct doc *doc,
		       const struct journal *j, size_t i)
{
	const struct journal_row_kept *r = &j->kept[i];
	struct fact f;
	int err = replay_row(d, doc, r->row, &r->match, journal_bytes(j, i));
	if (!err)
		return;
	fact_decode(doc, journal_bytes(j, i), &r->match, r->row, &f);
	fail_msg("row %zu, %s: %s", i, fact_name(f.type), plyd_err_name(err));
}

struct domain *journal_replay(const struct journal *j)
{
	struct domain *d;
	struct entropy entropy;
	struct doc *doc = doc_new();
	assert_non_null(doc);
	entropy_from_seed(&entropy, 1000 + j->count);
	assert_int_equal(domain_new(&d, &j->play->limits, &entropy), PLYD_OK);
	play_rules(d);
	if (j->snapshot_row > 0)
		assert_int_equal(replay_snapshot(d, doc, j->snapshot_row,
						 buf_span(&j->snapshot)),
				 PLYD_OK);
	for (size_t i = 0; i < j->count; i++) {
		const struct journal_row_kept *r = &j->kept[i];
		if (r->stream != STREAM_SECRET && is_wanted(j, r))
			replay_one(d, doc, j, i);
		/* what has ended lies in the records, but its numbers count */
		domain_set_last_row(d, r->row);
	}
	for (size_t i = 0; i < j->count; i++) {
		const struct journal_row_kept *r = &j->kept[i];
		if (r->stream == STREAM_SECRET && is_wanted(j, r))
			assert_int_equal(replay_secret(d, doc, &r->match,
						       journal_bytes(j, i)),
					 PLYD_OK);
	}
	doc_free(doc);
	return d;
}

/* -- comparison -- */

#define SAME(field)                                                            \
	do {                                                                   \
		if (memcmp(&a->field, &b->field, sizeof(a->field)) != 0)       \
			return #field;                                         \
	} while (0)

static bool same_session(const struct session *a, const struct session *b)
{
	return b && digest_eq(&a->token, &b->token) &&
	       !a->offered == !b->offered &&
	       (!a->offered ||
		digest_eq(&a->offered->token, &b->offered->token));
}

static bool same_account(const struct account *a, const struct account *b)
{
	if (!a || !b)
		return !a && !b;
	return !strcmp(a->login, b->login) && !strcmp(a->hash, b->hash) &&
	       a->opened_at == b->opened_at &&
	       a->reset_given == b->reset_given &&
	       (!a->reset_given || (digest_eq(&a->reset, &b->reset) &&
				    a->reset_until_ms == b->reset_until_ms)) &&
	       a->bot_token_given == b->bot_token_given &&
	       (!a->bot_token_given || digest_eq(&a->bot_token, &b->bot_token));
}

static bool same_set(const struct id_set *a, const struct id_set *b)
{
	return a->count == b->count &&
	       (a->count == 0 ||
		!memcmp(a->at, b->at, a->count * sizeof(a->at[0])));
}

static const char *same_player(const struct player *a, const struct player *b)
{
	SAME(id);
	SAME(kind);
	SAME(name);
	SAME(session_count);
	SAME(muted_until_unix_ms);
	SAME(leaving);
	if (!same_account(a->account, b->account))
		return "account";
	SAME(report_day);
	SAME(reports_sent);
	if (!same_set(&a->blocks, &b->blocks))
		return "blocks";
	if (!same_set(&a->chat_off, &b->chat_off))
		return "where there is no talk";
	const struct session *s;
	DL_FOREACH (a->sessions, s)
		if (!same_session(s, player_session(b, s->number)))
			return "sessions";
	SAME(lobby_count);
	SAME(match_count);
	/* the ring may have been turned */
	for (size_t i = 0; i < KEYS_REMEMBERED; i++) {
		size_t x = (a->key_next + KEYS_REMEMBERED - 1 - i) %
			   KEYS_REMEMBERED;
		size_t y = (b->key_next + KEYS_REMEMBERED - 1 - i) %
			   KEYS_REMEMBERED;
		static const struct remembered_key none;
		const struct remembered_key *k = a->keys ? &a->keys[x] : &none;
		const struct remembered_key *l = b->keys ? &b->keys[y] : &none;
		if (strcmp(k->key, l->key) != 0 || !id_eq(&k->made, &l->made))
			return "keys";
	}
	SAME(meets.seek_count);
	SAME(meets.challenge_count);
	SAME(meets.invited_count);
	SAME(meets.policy.answers);
	if (strcmp(bot_rulesets(&a->meets.policy),
		   bot_rulesets(&b->meets.policy)) != 0)
		return "meets.policy.rulesets";
	SAME(meets.policy.speeds);
	SAME(meets.policy.rated);
	SAME(meets.policy.opponent);
	SAME(meets.policy.at_once);
	SAME(meets.policy.finishing);
	return NULL;
}

static const char *same_queued(const struct player *x, const struct player *y)
{
	const struct queued *a = x->meets.queued, *b = y->meets.queued;
	if (!a || !b)
		return a == b ? NULL : "queued";
	SAME(rules.rules.name);
	SAME(clock.kind);
	SAME(clock.base_ms);
	SAME(clock.increment_ms);
	SAME(clock.delay_ms);
	SAME(any_clock);
	SAME(rated);
	SAME(bots);
	SAME(since_ms);
	return NULL;
}

static const char *same_seek(const struct seek *a, const struct seek *b)
{
	if (!id_eq(&a->by->id, &b->by->id) || !a->to != !b->to ||
	    (a->to && !id_eq(&a->to->id, &b->to->id)))
		return "by, to";
	SAME(rules.rules.name);
	SAME(clock.kind);
	SAME(clock.base_ms);
	SAME(clock.increment_ms);
	SAME(clock.delay_ms);
	SAME(side);
	SAME(opponent);
	SAME(rated);
	SAME(rating_min);
	SAME(rating_max);
	SAME(until_ms);
	if (strcmp(a->position, b->position) != 0)
		return "position";
	return NULL;
}

static const char *same_lobby(const struct lobby *a, const struct lobby *b)
{
	SAME(id);
	SAME(owner);
	SAME(rules.rules.name);
	SAME(rules.rules.backgammon.match_length);
	SAME(rules.draws.no_progress);
	SAME(rules.draws.repetition);
	SAME(clock.kind);
	SAME(clock.base_ms);
	SAME(clock.increment_ms);
	SAME(clock.delay_ms);
	SAME(opponent);
	SAME(personality);
	SAME(code);
	SAME(rated);
	SAME(invited_only);
	SAME(closed);
	SAME(invited_count);
	SAME(barred_count);
	for (size_t i = 0; i < a->invited_count; i++)
		SAME(invited[i]);
	for (size_t i = 0; i < a->barred_count; i++)
		SAME(barred[i]);
	for (int s = 0; s < 2; s++) {
		SAME(seat[s].taken);
		SAME(seat[s].ready);
		SAME(seat[s].kind);
		SAME(seat[s].player);
		SAME(seat[s].name);
	}
	return NULL;
}

static const char *same_history(const struct match *a, const struct match *b)
{
	if (a->moves.len != b->moves.len ||
	    (a->moves.len > 0 &&
	     memcmp(a->moves.at, b->moves.at, a->moves.len) != 0))
		return "moves";
	SAME(quiet);
	SAME(hash_count);
	if (memcmp(a->hashes, b->hashes, a->hash_count * sizeof(*a->hashes)))
		return "hashes";
	for (int s = 0; s < 2; s++) {
		SAME(last[s].any);
		SAME(last[s].ply);
		SAME(last[s].seq);
		SAME(last[s].before);
		SAME(last[s].text_at);
		SAME(last[s].text_len);
	}
	return NULL;
}

static const char *same_match(const struct match *a, const struct match *b)
{
	char rules_a[RULESET_TEXT_MAX], rules_b[RULESET_TEXT_MAX];
	ruleset_write(&a->rules->rules, rules_a);
	ruleset_write(&b->rules->rules, rules_b);
	if (strcmp(rules_a, rules_b) != 0)
		return "rules";
	SAME(id);
	SAME(state);
	SAME(rules->draws.policy);
	SAME(rules->draws.no_progress);
	SAME(rules->draws.man_moves_count);
	SAME(rules->draws.repetition);
	SAME(rules->clock.kind);
	SAME(rules->clock.base_ms);
	SAME(rules->clock.increment_ms);
	SAME(rules->clock.delay_ms);
	SAME(turn_ms);
	for (int s = 0; s < 2; s++) {
		SAME(seat[s].kind);
		SAME(seat[s].player);
		SAME(seat[s].name);
		SAME(nonce[s].given);
		SAME(nonce[s].len);
		SAME(nonce[s].byte);
		SAME(offers.spent[s]);
		SAME(offers.moves_since[s]);
		SAME(left_ms[s]);
		SAME(act[s]);
		SAME(resign.refused[s]);
		SAME(resigned[s]);
	}
	SAME(game);
	SAME(game_ply);
	SAME(doubled);
	SAME(asked);
	SAME(before_ms);
	SAME(resign.standing);
	if (a->resign.standing) {
		SAME(resign.by);
		SAME(resign.level);
		SAME(resign.seq);
	}
	SAME(began_at);
	SAME(start);
	SAME(pos);
	SAME(ply);
	SAME(seq);
	SAME(rolls);
	SAME(first_known);
	SAME(offers.standing);
	if (a->offers.standing)
		SAME(offers.by);
	SAME(commitment);
	SAME(last_row);
	SAME(head);
	SAME(seed_known);
	SAME(seed);
	return same_history(a, b);
}

static const char *seeks_differ(const struct player *a, const struct player *b)
{
	const struct seek *s = a->meets.seeks, *t = b->meets.seeks;
	for (; s && t; s = s->next, t = t->next) {
		const char *why =
			id_eq(&s->id, &t->id) ? same_seek(s, t) : "seeks";
		if (why)
			return why;
	}
	return s || t ? "count of seeks" : NULL;
}

static const char *players_differ(const struct domain *a,
				  const struct domain *b)
{
	if (domain_player_count(a) != domain_player_count(b))
		return "count of players";
	for (const struct player *p = domain_players(a); p;
	     p = player_next(p)) {
		const struct player *q = domain_player(b, &p->id);
		const char *why = q ? same_player(p, q) : "a player is missing";
		if (!why)
			why = same_queued(p, q);
		if (!why)
			why = seeks_differ(p, q);
		if (why)
			return why;
	}
	return NULL;
}

static const char *lobbies_differ(const struct domain *a,
				  const struct domain *b)
{
	if (domain_lobby_count(a) != domain_lobby_count(b))
		return "count of lobbies";
	const struct lobby *l = domain_lobbies(a), *k = domain_lobbies(b);
	for (; l && k; l = lobby_next(l), k = lobby_next(k)) {
		const char *why = same_lobby(l, k);
		if (why)
			return why;
	}
	return NULL;
}

static const char *audits_differ(const struct domain *a, const struct domain *b)
{
	const struct audit_act *x = domain_audit(a), *y = domain_audit(b);
	for (; x && y; x = x->next, y = y->next)
		if (x->number != y->number || x->at_unix_ms != y->at_unix_ms ||
		    strcmp(x->act, y->act) || strcmp(x->target, y->target) ||
		    strcmp(x->text, y->text))
			return "an act of the operator";
	return x || y ? "how many acts of the operator" : NULL;
}

static const char *reports_differ(const struct domain *a,
				  const struct domain *b)
{
	const struct report *x = domain_reports(a), *y = domain_reports(b);
	for (; x && y; x = x->next, y = y->next) {
		struct report p = *x, q = *y;
		p.prev = p.next = q.prev = q.next = NULL;
		if (memcmp(&p, &q, sizeof(p)))
			return "a report";
	}
	return x || y ? "how many reports" : NULL;
}

static const char *bans_differ(const struct domain *a, const struct domain *b)
{
	const struct ban *x = domain_bans(a), *y = domain_bans(b);
	for (; x && y; x = x->next, y = y->next)
		if (x->number != y->number || x->kind != y->kind ||
		    x->at_unix_ms != y->at_unix_ms ||
		    x->until_unix_ms != y->until_unix_ms ||
		    strcmp(x->target, y->target) || strcmp(x->text, y->text) ||
		    x->range.bits != y->range.bits ||
		    memcmp(&x->range.ip, &y->range.ip, sizeof(x->range.ip)) ||
		    !id_eq(&x->player, &y->player))
			return "a ban";
	return x || y ? "how many bans" : NULL;
}

/* A tournament is compared by the facts that make it again. */
static int put_tournament(void *payload, const struct fact *f)
{
	struct fact same = *f;
	same.at_ms = 0;
	if (f->type >= FACT_TOURNAMENT_MADE &&
	    f->type <= FACT_TOURNAMENT_REMOVED)
		fact_encode(&same, payload);
	return PLYD_OK;
}

static bool same_tournaments(const struct domain *a, const struct domain *b)
{
	struct buf x, y;
	buf_init(&x, JOURNAL_BYTES_MAX);
	buf_init(&y, JOURNAL_BYTES_MAX);
	domain_state_facts(a, put_tournament, &x);
	domain_state_facts(b, put_tournament, &y);
	bool same = span_eq(buf_span(&x), buf_span(&y));
	buf_release(&x);
	buf_release(&y);
	return same;
}

const char *durable_differs(const struct domain *a, const struct domain *b)
{
	if (!same_tournaments(a, b))
		return "tournaments";
	if (domain_last_row(a) != domain_last_row(b))
		return "last row";
	if (domain_match_count(a) != domain_match_count(b))
		return "count of running matches";
	for (const struct match *m = domain_matches(a); m; m = match_next(m)) {
		const struct match *n = domain_match(b, &m->id);
		if (m->state == MATCH_OVER)
			continue;
		const char *why = n ? same_match(m, n) : "a match is missing";
		if (why)
			return why;
	}
	const char *why = players_differ(a, b);
	if (!why)
		why = audits_differ(a, b);
	if (!why)
		why = bans_differ(a, b);
	if (!why)
		why = reports_differ(a, b);
	return why ? why : lobbies_differ(a, b);
}

static void go_on(void *payload, const struct match *m)
{
	struct play *p = payload;
	p->waiting[p->waiting_count++] =
		(struct command){ .type = CMD_CONTINUE, .match = m->id };
}

void journal_restart(struct play *p, struct domain *d)
{
	domain_free(p->d);
	p->d = d;
	p->now_ms = domain_now_ms(d) + 5;
	p->waiting_count = 0;
	for (size_t i = 0; i < p->who_count; i++)
		p->who[i].conn = 0;
	domain_wake(d, p->now_ms, go_on, p);
	assert_null(domain_invariant_broken(d));
	play_perform(p);
}
