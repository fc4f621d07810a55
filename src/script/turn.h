/* SPDX-License-Identifier: MIT
 * turn.h - one question to a personality or a policy: what the script sees of
 * the match, and the functions that it may call. docs/scripting.md tells it to
 * scripts' authors. */
#ifndef PLYD_SCRIPT_TURN_H
#define PLYD_SCRIPT_TURN_H

#include "engine/engine.h"
#include "proto/worker.h"
#include "script/fields.h"
#include "script/sandbox.h"
#include "script/use.h"

enum {
	TURN_NODES_MAX = 1000 * 1000,   /* of all searches of one question */
	TURN_NODES_STANDARD = 20 * 1000 /* of a search that names none */
};

/* What the worker has for every question. */
struct host {
	struct engine *engine;
	struct arena *arena; /* of the states; NULL: malloc() */
	/* Passes a log line on; called with the quota kept. */
	void (*log)(void *payload, const struct worker_log *line);
	void *payload;
	struct libraries libraries;
	struct doc *doc;           /* to read a script's memory with, and */
	struct buf kept;           /* to write it, up to WORKER_KEPT_MAX */
	char said[WORKER_SAY_MAX]; /* what it says with its answer */
};

/* The fields of a choice, of an answer about the stakes, of a verdict, and of
 * what search and pick are given; docs/scripting.md shows them. */
extern const struct field turn_choice_fields[], turn_answer_fields[],
	turn_ruling_fields[], search_fields[], taste_fields[];

/* Asks the personality whose program is p: its source and its name, and once it
 * was asked its image. Its move is checked by the
 * rules core. PLYD_OK with *out, whose texts are lent by `m`, `text` and host;
 * PLYD_EWORKER with *why; PLYD_EOPTION, PLYD_EPOSITION, PLYD_ENODICE,
 * PLYD_ETOOCOMPLEX: the question cannot be understood; PLYD_ENOMEM. */
int turn_choose(struct host *host, struct program *p,
		const struct worker_choose *m, char text[MOVE_TEXT_MAX],
		struct worker_choice *out, struct script_error *why);

/* Decides all but moves: by the function of the personality for it, if it has
 * one and that has an opinion, else by the engine's judgement. *out has `yes`,
 * what is said and what is kept. Errors as turn_choose(). */
int turn_decide(struct host *host, struct program *p,
		const struct worker_choose *m, struct worker_choice *out,
		struct script_error *why);

/* Asks the policy whose program is p; else as turn_choose(). A policy
 * without a verdict always says continue. */
int turn_verdict(struct host *host, struct program *p,
		 const struct worker_verdict *m, char text[WORKER_TEXT_MAX],
		 struct worker_ruling *out, struct script_error *why);

#endif
