/* SPDX-License-Identifier: MIT */
#include "session/outbox.h"

#include <stdlib.h>

#include <plyd/err.h>

void outbox_init(struct outbox *o)
{
	*o = (struct outbox){ .last = &o->first };
}

void outbox_release(struct outbox *o)
{
	struct entry *e;
	while ((e = outbox_take(o, UINT64_MAX)))
		outbox_give_back(o, e);
	while ((e = o->spare)) {
		o->spare = e->next;
		free(e);
	}
	o->spares = 0;
	while (o->spare_message) {
		struct message *m = o->spare_message;
		o->spare_message = m->next;
		free(m);
	}
	o->spare_messages = 0;
}

static struct message *message_room(struct outbox *o, size_t len)
{
	struct message *m = o->spare_message;
	if (len > OUTBOX_SPARE_BYTES)
		return malloc(sizeof(*m) + len);
	if (!m)
		return malloc(sizeof(*m) + OUTBOX_SPARE_BYTES);
	o->spare_message = m->next;
	o->spare_messages--;
	return m;
}

struct message *message_new(struct outbox *o, struct span bytes)
{
	struct message *m = message_room(o, bytes.len);
	if (!m)
		return NULL;
	m->home = o;
	m->refs = 1;
	m->len = bytes.len;
	if (bytes.len > 0)
		memcpy(m->at, bytes.at, bytes.len);
	return m;
}

struct message *message_hold(struct message *m)
{
	if (m)
		m->refs++;
	return m;
}

void message_drop(struct message *m)
{
	if (!m || --m->refs > 0)
		return;
	struct outbox *o = m->home;
	if (m->len > OUTBOX_SPARE_BYTES ||
	    o->spare_messages == OUTBOX_SPARES_MAX) {
		free(m);
		return;
	}
	m->next = o->spare_message;
	o->spare_message = m;
	o->spare_messages++;
}

static size_t entry_bytes(const struct entry *e)
{
	return sizeof(*e) + (e->message ? e->message->len : 0);
}

static struct entry *entry_new(struct outbox *o)
{
	struct entry *e = o->spare;
	if (!e)
		return malloc(sizeof(*e));
	o->spare = e->next;
	o->spares--;
	return e;
}

int outbox_put(struct outbox *o, const struct entry *given)
{
	struct entry *e = entry_new(o);
	if (!e) {
		message_drop(given->message);
		return PLYD_ENOMEM;
	}
	*e = *given;
	e->next = NULL;
	*o->last = e;
	o->last = &e->next;
	o->count++;
	o->bytes += entry_bytes(e);
	return PLYD_OK;
}

struct entry *outbox_take(struct outbox *o, uint64_t durable)
{
	struct entry *e = o->first;
	if (!e || e->after > durable)
		return NULL;
	o->first = e->next;
	if (!o->first)
		o->last = &o->first;
	o->count--;
	o->bytes -= entry_bytes(e);
	return e;
}

void outbox_give_back(struct outbox *o, struct entry *e)
{
	message_drop(e->message);
	if (o->spares == OUTBOX_SPARES_MAX) {
		free(e);
		return;
	}
	e->next = o->spare;
	o->spare = e;
	o->spares++;
}
