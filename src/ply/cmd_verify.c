/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "ply/command.h"
#include "ply/question.h"
#include "ply/record_file.h"
#include "ply/tournament.h"
#include "ply/verify_dice.h"
#include "record/verify.h"

enum { OPTION_DICE_STATS = 0x200 };

static const struct argp_option options[] = {
	{ "dice-stats", OPTION_DICE_STATS, NULL, 0,
	  "Say of all good records together whether their dice look fair", 0 },
	{ "json", OPTION_JSON, NULL, 0, "Answer as one line of JSON a file",
	  0 },
	{ 0 },
};

struct checking {
	bool json;
	bool dice;
	char **files; /* lent by argv */
	int count;
	const char *who;
	struct buf bytes;
	struct doc *doc;
	struct dice_stats stats;
	size_t good;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct checking *c = state->input;
	(void)arg;
	switch (key) {
	case OPTION_JSON: c->json = true; break;
	case OPTION_DICE_STATS: c->dice = true; break;
	case ARGP_KEY_ARGS:
		c->files = state->argv + state->next;
		c->count = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS: argp_usage(state); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const char *result_name(enum match_result result)
{
	static const char *const names[] = { "white", "black", "draw", "none" };
	return names[result];
}

/* Of the scripts that it was played with, if that is known. */
static void say_versions(const struct verdict *v)
{
	if (!v->rules_version[0])
		return;
	printf(", ruleset %s, policy %s %s", v->rules_version, v->policy,
	       v->policy_version);
	if (v->white_version[0])
		printf(", %s %s", v->white, v->white_version);
	if (v->black_version[0])
		printf(", %s %s", v->black, v->black_version);
}

/* What faults and operators did to it. */
static void say_operator(const struct verdict *v)
{
	if (v->frozen)
		printf("; frozen by a fault of the server");
	if (v->seed_lost)
		printf("; the seed of its dice is lost, they are not checked");
	if (v->adjusted > 0)
		printf("; the operator set its clocks %u times", v->adjusted);
}

static void say(const char *path, const struct record_view *r,
		const struct verdict *v, bool good)
{
	if (!good) {
		printf("%s: %s: BAD: fact %zu: %s\n", path, r->match.text,
		       v->facts + 1, v->why);
		return;
	}
	printf("%s: %s: good: %s, %s (white) against %s (black), %u "
	       "half-moves, %u rolls, %zu facts: %s (%s)",
	       path, r->match.text, v->rules.name, v->white, v->black, v->plies,
	       v->rolls, v->facts, result_name(v->result), v->reason);
	say_operator(v);
	say_versions(v);
	putchar('\n');
}

static const char *known(const char *version)
{
	return version[0] ? version : NULL;
}

static void say_json(const char *path, const struct record_view *r,
		     const struct verdict *v, bool good)
{
	json_print(json_pack("{s:s,s:s,s:b,s:s,s:s,s:s,s:i,s:i,s:i,s:b,s:b,s:i,"
			     "s:s?,s:s?,s:s?,"
			     "s:{s:s?,s:s?,s:s?,s:s?,s:s?}}",
			     "file", path, "match", r->match.text, "good", good,
			     "ruleset", v->rules.name, "white", v->white,
			     "black", v->black, "plies", (int)v->plies, "rolls",
			     (int)v->rolls, "facts", (int)v->facts, "frozen",
			     v->frozen, "seed_lost", v->seed_lost, "adjusted",
			     (int)v->adjusted, "result",
			     good ? result_name(v->result) : NULL, "reason",
			     good ? v->reason : NULL, "why",
			     good ? NULL : v->why, "scripts", "ruleset",
			     known(v->rules_version), "policy",
			     known(v->policy), "policy_version",
			     known(v->policy_version), "white",
			     known(v->white_version), "black",
			     known(v->black_version)));
}

/* Judges all facts of a record. */
static int judge(struct verifier *v, const struct record_view *r)
{
	struct buf fact;
	int err = PLYD_OK;
	buf_init(&fact, STORE_BYTES_MAX);
	if (r->redacted)
		verifier_redacted(v, &r->after_begun);
	for (size_t i = 0; !err && i < client_count(r->facts); i++) {
		/* what is no hex cannot be a fact: judged as an empty one */
		if (!record_fact(r, i, &fact))
			buf_clear(&fact);
		err = verifier_fact(v, buf_span(&fact));
	}
	buf_release(&fact);
	return err ? err : verifier_end(v, &r->head);
}

/* An export of `ply tournament --json'; -1: it is none. */
static int verify_tournament(const struct checking *c, const char *path)
{
	struct stat st; /* a pipe can be read only once, as a record */
	json_t *root =
		!stat(path, &st) && S_ISREG(st.st_mode)
			? json_load_file(path, JSON_REJECT_DUPLICATES, NULL)
			: NULL;
	int status = tournament_is(root) ? tournament_judge(path, root, c->json)
					 : -1;
	json_decref(root);
	return status;
}

static int verify_file(struct checking *c, const char *path)
{
	int status = verify_tournament(c, path);
	if (status >= 0)
		return status;
	struct record_view r;
	const char *wrong = record_read(path, &c->bytes, c->doc, &r);
	if (wrong) {
		fprintf(stderr, "%s: '%s': %s\n", c->who, path, wrong);
		return PLY_UNREADABLE;
	}
	struct verifier *v = verifier_new(&r.match);
	int err = v ? judge(v, &r) : PLYD_ENOMEM;
	if (!err && c->dice && !verify_dice_count(&c->stats, &r))
		err = PLYD_ENOMEM;
	if (err && err != PLYD_ERECORD) {
		fprintf(stderr, "%s: '%s': %s\n", c->who, path,
			plyd_err_text(err));
		verifier_free(v);
		return PLY_UNREADABLE;
	}
	c->good += !err;
	if (err || !c->dice)
		(c->json ? say_json : say)(path, &r, verifier_verdict(v), !err);
	verifier_free(v);
	return err ? PLY_REFUSED : PLY_OK;
}

static int is_no_dot(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* All files of a directory by name; what is in its directories is left out. */
static int verify_directory(struct checking *c, const char *path)
{
	struct dirent **entry;
	int status = PLY_OK,
	    count = scandir(path, &entry, is_no_dot, alphasort);
	if (count < 0) {
		fprintf(stderr, "%s: '%s': cannot be read\n", c->who, path);
		return PLY_UNREADABLE;
	}
	for (int i = 0; i < count; i++) {
		struct stat st;
		char *name = NULL;
		int s = PLY_UNREADABLE;
		if (asprintf(&name, "%s/%s", path, entry[i]->d_name) >= 0)
			s = !stat(name, &st) && S_ISDIR(st.st_mode)
				    ? PLY_OK
				    : verify_file(c, name);
		status = s > status ? s : status;
		free(name);
		free(entry[i]);
	}
	free(entry);
	return status;
}

static int verify_all(struct checking *c)
{
	int status = !c->doc || crypto_ready() ? PLY_UNREADABLE : PLY_OK;
	for (int i = 0; c->doc && i < c->count; i++) {
		struct stat st;
		const char *path = c->files[i];
		int s = !stat(path, &st) && S_ISDIR(st.st_mode)
				? verify_directory(c, path)
				: verify_file(c, path);
		status = s > status ? s : status;
	}
	if (c->dice && !verify_dice_say(&c->stats, c->good, c->json) &&
	    status == PLY_OK)
		status = PLY_REFUSED;
	return status;
}

int cmd_verify(int argc, char **argv)
{
	struct checking c = { .who = argv[0], .doc = doc_new() };
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE|DIRECTORY...",
		.doc = "Verify records that `ply record' saved, without any "
		       "server: every move by the rules, every roll by the "
		       "opened seed, the clocks, the result and the hash "
		       "chain. And what `ply tournament --json' wrote: every "
		       "pairing and the table.\v"
		       "The exit status is 0 if all are good, 1 if one is "
		       "bad or the dice do not look fair, 2 if a file cannot "
		       "be read as a record.",
	};
	argp_parse(&argp, argc, argv, 0, NULL, &c);
	buf_init(&c.bytes, STORE_BYTES_MAX);
	int status = verify_all(&c);
	dice_stats_release(&c.stats);
	buf_release(&c.bytes);
	doc_free(c.doc);
	return status;
}
