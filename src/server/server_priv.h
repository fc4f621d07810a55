/* SPDX-License-Identifier: MIT
 * server_priv.h - the server from inside. Files: server.c (wiring, rounds,
 * connections), scripts_server.c (scripts that are read again), configured.c
 * (settings that are), errand.c (what operators want of the process),
 * record_request.c. */
#ifndef PLYD_SERVER_SERVER_PRIV_H
#define PLYD_SERVER_SERVER_PRIV_H

#include "base/numbered.h"
#include "base/table.h"
#include "net/conn.h"
#include "net/listener.h"
#include "server/clock.h"
#include "server/hasher.h"
#include "server/journal.h"
#include "server/judges.h"
#include "server/monitor.h"
#include "server/reload.h"
#include "server/retire.h"
#include "server/server.h"
#include "server/texts.h"
#include "server/thinkers.h"
#include "server/upgrade.h"

enum { LAST_WORDLIST_MAX = 512, SOCKET_PATH_MAX = 2 * CONFIG_TEXT_MAX + 2 };

/* A connection of the net room under the number by which the hub knows it. */
struct peer {
	uint64_t number; /* the first, for numbered.h */
	struct conn *conn;
	struct server *server;
	bool half_closed; /* the peer sends no more, but may wait for answers */
};

struct server {
	struct net *net;
	const struct config *config;
	struct clock clock;
	struct hub *hub;
	struct journal journal;
	struct thinkers *thinkers;
	struct versions *versions; /* of scripts; and those in force */
	const struct scripts *scripts;
	struct reload *reload;
	char texts[TEXTS_DIR_MAX]; /* directory of what matches began with */
	char quarantined[2 * WORKER_NAME_MAX]; /* lent to the hub */
	struct judges *judges;
	struct hasher *hasher;
	struct listener *listener;
	struct listener *operators;
	char socket_path[SOCKET_PATH_MAX];
	struct monitor monitor;
	struct net_timer *tick;
	struct net_timer *plans; /* tournaments by a plan */
	uint64_t tick_due_us;
	struct histogram lag; /* of the tick */
	struct numbered peers;
	uint64_t last_number;
	bool any_half_closed;
	bool round_waits; /* input was not yet followed by a flush */
	bool turn_waits;  /* there was input in this turn of the loop */
	bool stopping;
	struct upgrade *upgrade;
	struct retire *retire; /* NULL: records are kept for ever */
	struct net_timer *upgrade_timer;
	struct hub_errand upgrade_for; /* conn 0: for nobody */
	struct handover *handover;
	bool handing_over;
	struct buf last_words;
};

/* What clients are told that must come back: almost at once. */
enum { UPGRADE_RETRY_MS = 100 };

/* HOST:PORT as configured. */
void server_address(const struct server *s, char *out, size_t size);
/* There was input of any kind: one flush at the end of this turn of the loop,
 * and the next tick. */
void server_finish_round(struct server *s);

/* -- scripts_server.c -- */

/* After the replay: finds what its matches began with, and makes ready to read
 * scripts again. PLYD_ENOMEM. */
int server_reload_start(struct server *s, const struct server_options *o);

/* -- configured.c -- */

/* Settings have changed: all are told; payload is the server. */
void server_configured(void *payload);

/* -- record_request.c -- */

/* Of struct hub_ops. */
void hub_wants_record(void *payload, uint64_t conn, uint32_t msgid,
		      const struct id *match);
void hub_wants_rows(void *payload, uint64_t conn, uint32_t msgid,
		    const struct id *match);
void hub_wants_list(void *payload, uint64_t conn, uint32_t msgid,
		    const struct id *player, uint64_t before_row);

/* -- errand.c -- */

/* Of struct hub_ops. */
void hub_wants_errand(void *payload, const struct hub_errand *e);
/* PLYD_ENOMEM. */
int errands_start(struct server *s, const struct server_options *o);
/* Somebody sent the signal for it. */
void upgrade_wanted(struct server *s);
/* Keeps open what the next program needs. */
void hand_over(struct server *s);
void errands_stop(struct server *s);

#endif
