/* SPDX-License-Identifier: MIT */
#include "server/journal.h"

#include <stdio.h>

#include "base/log.h"
#include "record/replay.h"
#include "server/clock.h"

static void on_probe_time(void *payload)
{
	struct journal *j = payload;
	store_probe(j->store);
}

static void wake_loop(void *journal)
{
	struct journal *j = journal;
	if (j->at_once)
		j->answered = j->woken = true;
	else
		net_wake(j->net);
}

int journal_open(struct journal *j, struct net *n, const struct config *c,
		 const char *vfs, int lock_fd, char why[STORE_WHY_MAX])
{
	struct store_options options = { .dir = c->data_directory,
					 .wake = wake_loop,
					 .payload = j,
					 .vfs = vfs,
					 .format = FACT_FORMAT,
					 .lock_fd = lock_fd };
	int err = config_durability(c, &options.durability, why);
	if (err)
		return err;
	j->net = n;
	j->at_once = options.durability == DURABILITY_MEMORY;
	j->dev = c->dev;
	config_domain_limits(c, &j->limits);
	j->probe = net_timer_new(n, on_probe_time, j);
	if (!j->probe)
		return PLYD_ENOMEM;
	return store_open(&j->store, &options, why);
}

static void batches_drop(struct journal *j)
{
	store_batch_free(j->batch);
	store_batch_free(j->snapshot);
	j->batch = j->snapshot = NULL;
	j->batch_lost = false;
}

void journal_close(struct journal *j)
{
	batches_drop(j);
	store_close(j->store);
	net_timer_free(j->probe);
}

/* -- replay -- */

struct loading {
	struct domain *domain;
	struct doc *doc;
	size_t rows;
	size_t bad;
};

static void note_bad(struct loading *l, uint64_t seq, const struct id *match,
		     const char *what)
{
	l->bad++;
	log_event(LOG_ERROR,
		  "a row of the journal does not fit; its match is frozen",
		  "row=%llu match=%s why=\"%s\"", (unsigned long long)seq,
		  match && !id_is_none(match) ? match->text : "-", what);
}

static int on_snapshot(void *payload, uint64_t seq, struct span bytes)
{
	struct loading *l = payload;
	int err = replay_snapshot(l->domain, l->doc, seq, bytes);
	if (err != PLYD_ERULESET)
		return err;
	log_event(LOG_WARNING,
		  "lobbies of a ruleset that is gone were left out", "row=%llu",
		  (unsigned long long)seq);
	return PLYD_OK;
}

static int on_row(void *payload, uint64_t seq, const struct id *match,
		  struct span bytes)
{
	struct loading *l = payload;
	static const struct id none;
	l->rows++;
	int err = replay_row(l->domain, l->doc, seq, match ? match : &none,
			     bytes);
	if (err == PLYD_ERULESET || err == PLYD_ENOLOBBY) {
		log_event(LOG_WARNING,
			  "a lobby of a ruleset that is gone was left out",
			  "row=%llu", (unsigned long long)seq);
		return PLYD_OK;
	}
	if (err != PLYD_ERECORD)
		return err;
	note_bad(l, seq, match, plyd_err_text(err));
	return PLYD_OK;
}

static int on_secret(void *payload, const struct id *match, struct span bytes)
{
	struct loading *l = payload;
	int err = replay_secret(l->domain, l->doc, match, bytes);
	return err == PLYD_ERECORD ? PLYD_OK : err;
}

static int on_damaged(void *payload, uint64_t seq, const struct id *match,
		      const char *what)
{
	struct loading *l = payload;
	note_bad(l, seq, match, what);
	if (match && !id_is_none(match))
		domain_freeze(l->domain, match);
	return PLYD_OK;
}

/* Without its seed a match would go on with dice that anybody can foretell. */
static void freeze_seedless(struct loading *l)
{
	const struct match *m;
	for (m = domain_matches(l->domain); m; m = match_next(m)) {
		bool runs = m->state == MATCH_NONCES ||
			    m->state == MATCH_PAUSED ||
			    m->state == MATCH_PLAYING;
		if (!runs || m->seed_known ||
		    !ruleset_has_dice(&m->rules->rules))
			continue;
		note_bad(l, m->last_row, &m->id, "its dice seed is missing");
		domain_freeze(l->domain, &m->id);
	}
}

static int load(struct journal *j, struct loading *l, char *why)
{
	const struct store_loader loader = { .payload = l,
					     .snapshot = on_snapshot,
					     .row = on_row,
					     .secret = on_secret,
					     .damaged = on_damaged };
	struct entropy foretold;
	uint64_t last_row;
	why[0] = '\0';
	int err = store_load(j->store, &loader, &last_row, why);
	if (err) {
		if (!why[0])
			snprintf(why, STORE_WHY_MAX, "%s", plyd_err_text(err));
		return err;
	}
	domain_set_last_row(l->domain, last_row);
	freeze_seedless(l);
	if (j->dev) {
		entropy_from_seed(&foretold, last_row);
		domain_set_entropy(l->domain, &foretold);
	}
	return PLYD_OK;
}

int journal_replay(struct journal *j, struct domain **out,
		   char why[STORE_WHY_MAX])
{
	struct entropy entropy;
	struct loading l = { .doc = doc_new() };
	*out = NULL;
	entropy_from_system(&entropy);
	int err = l.doc ? domain_new(&l.domain, &j->limits, &entropy)
			: PLYD_ENOMEM;
	if (!err)
		err = domain_set_rules(l.domain, j->scripts->rules,
				       j->scripts->rules_count);
	if (!err)
		err = domain_set_personalities(l.domain,
					       j->scripts->personality,
					       j->scripts->personality_count);
	if (!err)
		err = load(j, &l, why);
	doc_free(l.doc);
	if (err) {
		domain_free(l.domain);
		return err;
	}
	log_event(LOG_INFO, "the journal was replayed",
		  "rows=%zu bad=%zu matches=%zu players=%zu", l.rows, l.bad,
		  domain_match_count(l.domain), domain_player_count(l.domain));
	j->bad = l.bad;
	*out = l.domain;
	return PLYD_OK;
}

/* -- writing -- */

static struct store_batch *batch_of(struct journal *j)
{
	if (!j->batch)
		j->batch = store_batch_begin();
	/* the next one may be had: it would lack what this one was for */
	j->batch_lost = j->batch_lost || !j->batch;
	return j->batch;
}

void journal_append(void *payload, uint64_t row, const struct id *match,
		    uint64_t prev, struct span bytes)
{
	struct journal *j = payload;
	j->last_row = row;
	if (j->at_once)
		return;
	store_append(batch_of(j), row, id_is_none(match) ? NULL : match, prev,
		     bytes);
}

void journal_secret(void *payload, const struct id *match, struct span bytes)
{
	struct journal *j = payload;
	if (j->at_once)
		return;
	store_secret_put(batch_of(j), match, bytes);
}

void journal_finish(void *payload, const struct hub_ending *e)
{
	struct journal *j = payload;
	if (j->at_once)
		return;
	const struct store_ending ending = {
		.last_seq = e->last_row,
		.head = *e->head,
		.owner = { *e->player[WHITE], *e->player[BLACK] },
		.meta = e->summary,
	};
	store_finish(batch_of(j), e->match, &ending);
}

void journal_snapshot(void *payload, uint64_t row, struct span bytes)
{
	struct journal *j = payload;
	if (j->at_once)
		return;
	store_batch_free(j->snapshot);
	j->snapshot = store_batch_begin();
	store_snapshot(j->snapshot, row, bytes);
}

/* Facts do without a snapshot; the next start only takes longer. */
static void submit_snapshot(struct journal *j)
{
	struct store_batch *snapshot = j->snapshot;
	j->snapshot = NULL;
	if (!snapshot)
		return;
	int err = store_batch_submit(j->store, snapshot);
	if (err)
		log_event(LOG_WARNING, "a snapshot cannot be kept", "why=%s",
			  plyd_err_name(err));
}

/* -- how long a commit takes -- */

static void time_submitted(struct journal *j)
{
	if (j->timed_count == COMMITS_TIMED_MAX)
		return;
	size_t at = (j->timed_first + j->timed_count++) % COMMITS_TIMED_MAX;
	j->timed[at] = (struct commit_time){ j->last_row, net_now_us() };
}

static void time_committed(struct journal *j, uint64_t row)
{
	if (j->timed_count == 0)
		return;
	uint64_t now_us = net_now_us();
	while (j->timed_count > 0 && j->timed[j->timed_first].row <= row) {
		const struct commit_time *t = &j->timed[j->timed_first];
		histogram_add(&j->commit, now_us - t->submitted_us);
		j->timed_first = (j->timed_first + 1) % COMMITS_TIMED_MAX;
		j->timed_count--;
	}
}

int journal_submit(void *payload)
{
	struct journal *j = payload;
	if (j->at_once) {
		j->answered = true;
		return PLYD_OK;
	}
	struct store_batch *batch = j->batch_lost ? NULL : batch_of(j);
	if (batch)
		j->batch = NULL;
	int err = store_batch_submit(j->store, batch);
	if (err) {
		batches_drop(j);
		net_timer_start(j->probe, PROBE_MS);
		return err;
	}
	time_submitted(j);
	submit_snapshot(j);
	return PLYD_OK;
}

/* -- what the store says -- */

static void on_committed(void *payload, uint64_t row)
{
	struct journal *j = payload;
	time_committed(j, row);
	hub_committed(j->hub, row, j->now_ms(j->payload));
}

static void on_failed(void *payload, uint64_t first_row, const char *why)
{
	struct journal *j = payload;
	log_event(LOG_ERROR,
		  "a commit failed: plyd is read-only until the "
		  "store can be written again",
		  "why=\"%s\"", why);
	batches_drop(j);
	j->failures++;
	j->timed_count = 0;
	hub_commit_failed(j->hub, first_row);
	net_timer_start(j->probe, PROBE_MS);
}

static void on_probed(void *payload, int err, uint64_t last_row,
		      const char *why)
{
	struct journal *j = payload;
	struct domain *d;
	char load_why[STORE_WHY_MAX];
	(void)last_row; /* the state is read anew in any case */
	if (err) {
		log_event(LOG_ERROR, "the store still cannot be written",
			  "why=\"%s\"", why);
		net_timer_start(j->probe, PROBE_MS);
		return;
	}
	err = journal_replay(j, &d, load_why);
	if (err) {
		log_event(LOG_ERROR, "the journal cannot be read again",
			  "why=\"%s\"", load_why);
		net_timer_start(j->probe, PROBE_MS);
		return;
	}
	hub_rebuilt(j->hub, d, true, j->now_ms(j->payload), unix_now_ms());
	log_event(LOG_INFO, "the store can be written again", "%s", "");
}

void journal_poll(struct journal *j)
{
	const struct store_callbacks callbacks = { .payload = j,
						   .committed = on_committed,
						   .failed = on_failed,
						   .probed = on_probed };
	store_poll(j->store, &callbacks);
}

void journal_answer(struct journal *j, uint64_t now_ms)
{
	bool woken = j->woken;
	j->answered = j->woken = false;
	hub_committed(j->hub, j->last_row, now_ms);
	if (woken)
		journal_poll(j);
}
