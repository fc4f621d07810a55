/* SPDX-License-Identifier: MIT
 * export_mat.h - a record of backgammon as a match file (.mat): all games of
 * its match with cube and score, for other programs to analyse. It trusts the
 * record: verify.h judges. */
#ifndef PLYD_RECORD_EXPORT_MAT_H
#define PLYD_RECORD_EXPORT_MAT_H

#include <plyd/rules.h>
#include "domain/limits.h"
#include "proto/read.h"
#include "rules/mat.h"

struct mat_exporter {
	struct mat_writer writer;
	struct buf *b;
	struct ruleset rules;
	struct position pos;
	char name[2][NAME_BYTES_MAX + 1];
	unsigned game;
	bool open; /* a game is being written */
};

/* Begins; e and b belong to the caller and must live to the end. */
void mat_exporter_begin(struct mat_exporter *e, struct buf *b);

/* Adds the next fact from its bytes; doc is scratch. PLYD_EPOSITION: its games
 * do not begin as match files' do, or it is no backgammon. PLYD_ERECORD: not a
 * fact, or it does not fit. PLYD_ENOMEM. After an error b is of no use. */
int mat_exporter_fact(struct mat_exporter *e, struct doc *doc,
		      struct span bytes);

/* Ends; a game that nobody won is broken off. Returns b->err. */
int mat_exporter_end(struct mat_exporter *e);

#endif
