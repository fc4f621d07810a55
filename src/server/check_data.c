/* SPDX-License-Identifier: MIT
 * check_data.c - the whole of the data is judged, as `ply verify` judges one
 * record. */
#include "server/check_priv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/table.h"
#include "record/verify.h"

enum { SHOWN_MAX = 1000, TOLD_EVERY = 1000, PROBLEM_MAX = 512 };

/* A match that has not ended: judged row by row. */
struct running {
	struct id match;
	struct verifier *verifier;
	bool wrong;
	UT_hash_handle hh;
};

struct checking {
	bool json;
	bool tells; /* how far it is */
	size_t records, rows, problems;
	size_t frozen, seeds_lost;
	struct running *running;
};

/* -- what is said -- */

static void print_json_text(const char *text)
{
	putchar('"');
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned)*text);
		else
			putchar(*text);
	putchar('"');
}

static void problem(struct checking *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void problem(struct checking *c, const char *format, ...)
{
	char text[PROBLEM_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (c->problems++ >= SHOWN_MAX)
		return;
	if (c->json) {
		fputs(c->problems > 1 ? ",\n  " : "\n  ", stdout);
		print_json_text(text);
	} else {
		printf("wrong: %s\n", text);
	}
}

static void tell(const struct checking *c)
{
	if (c->tells && (c->records + c->rows) % TOLD_EVERY == 0)
		fprintf(stderr, "\r%zu records, %zu rows", c->records, c->rows);
}

static void sum_up(const struct checking *c)
{
	size_t matches = HASH_COUNT(c->running);
	if (c->json) {
		printf("],\n \"records\": %zu, \"frozen\": %zu, "
		       "\"seeds_lost\": %zu, \"matches\": %zu, "
		       "\"rows\": %zu,\n \"wrong\": %zu, \"good\": %s}\n",
		       c->records, c->frozen, c->seeds_lost, matches, c->rows,
		       c->problems, c->problems ? "false" : "true");
		return;
	}
	if (c->problems > SHOWN_MAX)
		printf("(%zu more)\n", c->problems - SHOWN_MAX);
	printf("plyd: the data are %s: %zu records (%zu frozen, %zu without "
	       "their seed), %zu running matches, %zu rows",
	       c->problems ? "wrong" : "good", c->records, c->frozen,
	       c->seeds_lost, matches, c->rows);
	if (c->problems)
		printf("; %zu problems", c->problems);
	putchar('\n');
}

/* -- records -- */

static int judge_rows(struct verifier *v, struct span rows,
		      const struct digest *head)
{
	struct span row;
	int got = PLYD_OK, err = PLYD_OK;
	while (!err && (got = store_record_next(&rows, &row)) > 0)
		err = verifier_fact(v, row);
	if (err || got < 0)
		return err ? err : got;
	return verifier_end(v, head);
}

static int on_record(void *payload, const struct id *match,
		     const struct store_record *record)
{
	struct checking *c = payload;
	struct digest head;
	struct verifier *v = verifier_new(match);
	if (!v)
		return PLYD_ENOMEM;
	bool has_head = record->head.len == DIGEST_BYTES;
	if (has_head)
		memcpy(head.byte, record->head.at, DIGEST_BYTES);
	c->records++;
	int err = has_head ? judge_rows(v, record->rows, &head) : PLYD_ERECORD;
	const struct verdict *found = verifier_verdict(v);
	if (err && err != PLYD_ENOMEM)
		problem(c, "record %s: fact %zu: %s", match->text,
			found->facts + 1,
			found->why[0] ? found->why : "it is not whole");
	c->frozen += found->frozen;
	c->seeds_lost += found->seed_lost;
	verifier_free(v);
	tell(c);
	return err == PLYD_ENOMEM ? err : PLYD_OK;
}

/* -- running matches -- */

static struct running *running_of(struct checking *c, const struct id *match)
{
	struct running *r;
	HASH_FIND(hh, c->running, match->text, ID_CHARS, r);
	if (r)
		return r;
	r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->match = *match;
	r->verifier = verifier_new(match);
	if (r->verifier)
		HASH_ADD(hh, c->running, match.text, ID_CHARS, r);
	if (r->verifier && r->hh.tbl)
		return r;
	verifier_free(r->verifier);
	free(r);
	return NULL;
}

static int on_row(void *payload, uint64_t seq, const struct id *match,
		  struct span bytes)
{
	struct checking *c = payload;
	c->rows++;
	tell(c);
	if (id_is_none(match))
		return PLYD_OK; /* journal_replay() has looked at it */
	struct running *r = running_of(c, match);
	if (!r)
		return PLYD_ENOMEM;
	if (r->wrong)
		return PLYD_OK;
	int err = verifier_fact(r->verifier, bytes);
	if (err == PLYD_ENOMEM)
		return err;
	r->wrong = err != PLYD_OK;
	if (err)
		problem(c, "match %s: row %" PRIu64 ": %s", match->text, seq,
			verifier_verdict(r->verifier)->why);
	return PLYD_OK;
}

static int on_damaged(void *payload, uint64_t seq, const struct id *match,
		      const char *what)
{
	(void)seq, (void)match;
	problem(payload, "%s", what);
	return PLYD_OK;
}

static int on_snapshot(void *payload, uint64_t seq, struct span bytes)
{
	(void)payload, (void)seq, (void)bytes;
	return PLYD_OK;
}

static int on_secret(void *payload, const struct id *match, struct span bytes)
{
	(void)payload, (void)match, (void)bytes;
	return PLYD_OK;
}

/* -- all -- */

static int judge_all(struct checking *c, struct journal *j,
		     char why[STORE_WHY_MAX])
{
	const struct store_loader loader = { .payload = c,
					     .snapshot = on_snapshot,
					     .row = on_row,
					     .secret = on_secret,
					     .damaged = on_damaged };
	struct domain *d = NULL;
	uint64_t last_row;
	size_t bad;
	int err = store_each_record(j->store, on_record, c, why);
	if (!err)
		err = store_load(j->store, &loader, &last_row, why);
	if (!err)
		err = journal_replay(j, &d, why);
	bad = j->bad;
	if (!err && bad > 0 && c->problems == 0)
		problem(c, "%zu rows do not fit; the log has each", bad);
	domain_free(d);
	return err;
}

static void running_free(struct checking *c)
{
	struct running *r, *tmp;
	HASH_ITER (hh, c->running, r, tmp) {
		HASH_DEL(c->running, r);
		verifier_free(r->verifier);
		free(r);
	}
}

int check_data(const struct server_options *o, bool json,
	       char why[SCRIPTS_WHY_MAX])
{
	struct checking c = { .json = json, .tells = isatty(STDERR_FILENO) };
	struct journal j;
	char store_why[STORE_WHY_MAX];
	int err = check_open(o, &j, store_why);
	if (!err) {
		if (json)
			fputs("{\"problems\": [", stdout);
		err = judge_all(&c, &j, store_why);
	}
	if (c.tells)
		fputs("\r\33[K", stderr);
	if (err)
		snprintf(why, SCRIPTS_WHY_MAX, "%s", store_why);
	else
		sum_up(&c);
	if (!err && c.problems > 0)
		snprintf(why, SCRIPTS_WHY_MAX,
			 "something is wrong with the data");
	running_free(&c);
	store_close(j.store);
	return err ? err : c.problems ? PLYD_ERECORD : PLYD_OK;
}
