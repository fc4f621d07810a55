/* SPDX-License-Identifier: MIT
 * outbox.h - the one queue through which everything leaves that was made from
 * domain state, in domain order, each entry after the commit that covers it. It
 * also carries what must happen at that moment: the release of a position, the
 * end of a connection. */
#ifndef PLYD_SESSION_OUTBOX_H
#define PLYD_SESSION_OUTBOX_H

#include "base/id.h"
#include "base/span.h"

enum entry_type {
	ENTRY_ANSWER,   /* bytes, to conn; if lost, msgid gets `not_stored` */
	ENTRY_SESSION,  /* as ENTRY_ANSWER, to a request that changed what the
			* session is or hears; if lost, conn is closed too */
	ENTRY_NOTICE,   /* bytes, to conn; if lost, nothing */
	ENTRY_WATCHED,  /* as ENTRY_NOTICE, to a spectator of match; left out
			* while he is behind */
	ENTRY_SNAPSHOT, /* to him: match as it stands; he is not behind now */
	ENTRY_CLOSE,    /* bytes, then close conn; never lost */
	ENTRY_RELEASE,  /* match, ply: its player may be told to move */
	ENTRY_FINISHED, /* match: it need not be kept for a rebuild any more */
};

/* The bytes of one message, shared by all whom it goes to. */
struct message {
	struct outbox *home;  /* has its memory when nobody holds it */
	struct message *next; /* there */
	size_t refs;
	size_t len;
	uint8_t at[];
};

struct entry {
	enum entry_type type;
	uint64_t after; /* the journal row that must be durable before */
	uint64_t conn;
	uint32_t msgid;
	struct message *message;
	struct id match;
	uint32_t ply, takebacks;
	struct entry *next;
};

struct outbox {
	struct entry *first;
	struct entry **last;
	size_t count;
	size_t bytes;
	struct entry *spare; /* given back, for those to come */
	size_t spares;
	struct message *spare_message; /* each with OUTBOX_SPARE_BYTES */
	size_t spare_messages;
};
enum { OUTBOX_SPARES_MAX = 1024, OUTBOX_SPARE_BYTES = 448 };

void outbox_init(struct outbox *o);
void outbox_release(struct outbox *o);

/* Copies bytes, for one holder. NULL: no memory. Nobody holds one longer than o
 * lives. */
struct message *message_new(struct outbox *o, struct span bytes);
struct message *message_hold(struct message *m); /* NULL is fine */
void message_drop(struct message *m);            /* NULL is fine */

/* Appends a copy of e. Takes one hold of its message, also on an error.
 * PLYD_ENOMEM. */
int outbox_put(struct outbox *o, const struct entry *e);

/* Gives the oldest entry if it waits for no row after `durable`; NULL if there
 * is none. Give it back with outbox_give_back(). */
struct entry *outbox_take(struct outbox *o, uint64_t durable);
void outbox_give_back(struct outbox *o, struct entry *e);

#endif
