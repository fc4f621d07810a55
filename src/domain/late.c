/* SPDX-License-Identifier: MIT */
#include "domain/late.h"

#include <stdlib.h>

/* -- facts that outlive their step -- */

static size_t text_bytes(struct span s)
{
	return s.len;
}

static void keep_text(struct span *s, uint8_t **room)
{
	if (s->len > 0)
		memcpy(*room, s->at, s->len);
	s->at = *room;
	*room += s->len;
}

#define BYTES_num(x)    (size_t)0
#define BYTES_flag(x)   (size_t)0
#define BYTES_id(x)     (size_t)0
#define BYTES_digest(x) (size_t)0
#define BYTES_text(x)   text_bytes(x)
#define BYTES_bytes(x)  text_bytes(x)
#define KEEP_num(x)
#define KEEP_flag(x)
#define KEEP_id(x)
#define KEEP_digest(x)
#define KEEP_text(x)  keep_text(x, &room);
#define KEEP_bytes(x) keep_text(x, &room);

static size_t bytes_of_fact(const struct fact *f)
{
	switch (f->type) {
#define F(kind, name, doc) +BYTES_##kind(b->name)
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: {                                                   \
		const struct fact_##lower##_body *b = &f->lower;               \
		(void)b;                                                       \
		return 0 FACT_##UPPER##_FIELDS(F);                             \
	}
		FACTS(T)
#undef T
#undef F
	}
	return 0;
}

static void keep_bytes_of_fact(struct fact *f, uint8_t *room)
{
	switch (f->type) {
#define F(kind, name, doc) KEEP_##kind(&b->name)
#define T(number, UPPER, lower, stream, doc)                                   \
	case FACT_##UPPER: {                                                   \
		struct fact_##lower##_body *b = &f->lower;                     \
		(void)b;                                                       \
		FACT_##UPPER##_FIELDS(F) break;                                \
	}
		FACTS(T)
#undef T
#undef F
	}
}

/* -- what waits -- */

static struct late_item *item_new(const struct match *m, uint64_t now_ms,
				  size_t bytes)
{
	struct late_item *item = calloc(1, sizeof(*item) + bytes);
	if (item)
		item->at_ms = now_ms + (uint64_t)m->spectator_delay_ms;
	return item;
}

static void put(struct domain *d, struct late *l, struct late_item *item)
{
	*l->last = item;
	l->last = &item->next;
	if (l->first == item)
		due_set(&d->due, &l->due, item->at_ms);
}

static struct late_item *take(struct domain *d, struct late *l)
{
	struct late_item *item = l->first;
	l->first = item->next;
	if (l->first)
		due_set(&d->due, &l->due, l->first->at_ms);
	else
		due_clear(&d->due, &l->due);
	if (!l->first)
		l->last = &l->first;
	return item;
}

static int begin(struct domain *d, struct match *m, const struct fact *f)
{
	struct entropy none; /* nothing is drawn there, ever */
	entropy_from_seed(&none, 0);
	if (!d->late && domain_new(&d->late, &d->limits, &none))
		return PLYD_ENOMEM;
	d->late->is_late = true;
	int err = domain_apply(d->late, f);
	m->late = err ? NULL : calloc(1, sizeof(*m->late));
	if (!m->late)
		return PLYD_ENOMEM;
	m->late->match = m;
	m->late->last = &m->late->first;
	m->late->due.owner = m->late;
	m->late->due.kind = DUE_LATE;
	m->late->shown = find_match(d->late, &m->id);
	memcpy(m->late->shown->here, m->here, sizeof(m->here));
	return PLYD_OK;
}

void late_watchers(struct match *m)
{
	if (m->late)
		m->late->shown->watcher_count = m->watcher_count;
}

int late_fact(struct domain *d, struct match *m, const struct fact *f)
{
	if (f->type == FACT_BEGUN)
		return begin(d, m, f);
	struct late_item *item = item_new(m, f->at_ms, bytes_of_fact(f));
	if (!item)
		return PLYD_ENOMEM;
	item->is_fact = true;
	item->fact = *f;
	keep_bytes_of_fact(&item->fact, item->bytes);
	put(d, m->late, item);
	return PLYD_OK;
}

void late_presence(struct domain *d, struct match *m, enum side side)
{
	struct late_item *item = item_new(m, d->now_ms, 0);
	if (!item)
		return; /* spectators do not learn of it */
	item->side = side;
	item->here = m->here[side];
	put(d, m->late, item);
}

/* -- what is due -- */

/* Brings the match that spectators see one item further. */
static struct match *show(struct domain *d, struct late *l,
			  const struct late_item *item)
{
	struct match *shown = l->shown;
	if (!item->is_fact)
		shown->here[item->side] = item->here;
	else if (domain_apply(d->late, &item->fact))
		return NULL; /* it did not fit: that match is frozen now */
	if (item->is_fact && item->fact.type == FACT_ENDED) {
		shown->head = l->match->head;
		listed_take(d, &l->match->listed, LISTED_MATCH);
		shown->seed_known = l->match->seed_known; /* it is open now */
	}
	return shown;
}

void late_due(struct domain *d, struct late *l)
{
	struct late_item *item = take(d, l);
	struct match *shown = show(d, l, item);
	item->next = d->late_shown;
	d->late_shown = item;
	if (!shown)
		return;
	struct effect *fx = effect_add(d, item->is_fact ? EFFECT_LATE_FACT
							: EFFECT_LATE_PRESENCE);
	fx->match = shown;
	fx->fact = &item->fact;
	/* as at its players: the last one of a moment shows the position */
	fx->last = !l->first || !l->first->is_fact ||
		   l->first->at_ms > item->at_ms;
	fx->side = item->side;
}

void late_catch_up(struct domain *d, struct match *m)
{
	struct late *l = m->late;
	while (l && l->first && l->first->at_ms <= d->now_ms) {
		struct late_item *item = take(d, l);
		show(d, l, item);
		free(item);
	}
}

void late_forget_shown(struct domain *d)
{
	while (d->late_shown) {
		struct late_item *item = d->late_shown;
		d->late_shown = item->next;
		free(item);
	}
}

void late_free(struct domain *d, struct match *m)
{
	struct late *l = m->late;
	if (!l)
		return;
	while (l->first)
		free(take(d, l));
	due_clear(&d->due, &l->due);
	match_free(d->late, l->shown);
	free(l);
	m->late = NULL;
}

/* -- who sees what -- */

const struct match *match_seen(const struct match *m, const struct id *viewer)
{
	return m->late && match_seat_of(m, viewer) < 0 ? m->late->shown : m;
}

bool match_is_hidden(const struct match *m)
{
	return m->late && m->late->first;
}
