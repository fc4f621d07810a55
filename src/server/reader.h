/* SPDX-License-Identifier: MIT
 * reader.h - reads operators' Lua files and asks a worker of its own what files say: one after another, from
 * the loop, so that a file that takes long keeps nobody waiting. */
#ifndef PLYD_SERVER_READER_H
#define PLYD_SERVER_READER_H

#include "net/net.h"
#include "server/version.h"

enum { READER_WHY_MAX = 128 };

/* Gives the bytes of a file, to be freed. NULL: it cannot be read or is longer
 * than WORKER_SOURCE_MAX; why says so, without its name. */
uint8_t *reader_file(const char *path, size_t *len, char why[READER_WHY_MAX]);

struct reader;

struct reader_options {
	const char *program; /* path of plyd-script */
	int64_t deadline_ms; /* of one file */
	/* What the worker says of the file, lent; NULL: it died, or was killed
	 * at its deadline (late). The next may be asked from in here. */
	void (*answered)(void *payload, const struct worker_reply *reply,
			 bool late);
	void *payload;
};

/* Gives a reader; its process is started with the first file. PLYD_ENOMEM. */
int reader_new(struct net *n, const struct reader_options *options,
	       struct reader **out);
/* No answer comes any more. NULL is fine. */
void reader_free(struct reader *r);

/* Asks about v, which must live until the answer; first about the libraries
 * that v uses, which must be good. PLYD_EIO: the worker cannot be started, why
 * says why not. */
int reader_ask(struct reader *r, const struct version *v,
	       char why[NET_WHY_MAX]);

#endif
