/* SPDX-License-Identifier: MIT
 * memory_test.c - a story of four players is told again and again, and each
 * time another allocation of the server fails: the first, the second, and so
 * on to the last; then the same with all later ones failing too. Each time one
 * of two things is right: the server goes on, its books are in order, and two
 * newcomers play; or it ends by memory_ran_out(), which says so. Each telling
 * has a process of its own. */
#include "alloc.h"
#include "talk.h"
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

enum { ONE = 1, TWO, WATCHER, LATE, BACK, FRESH, OTHER, TOLD_MAX = 4096 };

static void hello(struct talk *t, uint64_t conn)
{
	if (!talk_connect(t, conn, "127.0.0.1"))
		talk_ask(t, conn, "hello", "protocol=i", (int64_t)1);
}

/* Text of an answer, or what no id is. */
static void keep(struct talk *t, const char *key, char out[80])
{
	const char *text = t->result ? talk_text(t, key) : NULL;
	snprintf(out, 80, "%s", text ? text : "aaaaaaaaaa");
}

static void a_match_of(struct talk *t, const char *ruleset, uint64_t white,
		       uint64_t black, char match[80])
{
	char lobby[80];
	talk_ask(t, white, "lobby.create", "ruleset=s side=s key=s", ruleset,
		 "white", "k");
	keep(t, "lobby", lobby);
	talk_ask(t, black, "lobby.join", "lobby=s ready=b", lobby, true);
	talk_ask(t, white, "lobby.ready", "lobby=s", lobby);
	talk_ask(t, white, "match.list", "");
	const struct value *first =
		t->result ? value_at(value_find(t->result, "matches"), 0)
			  : NULL;
	struct span id;
	if (!first || value_str(value_find(first, "match"), &id) ||
	    !span_copy(id, match, 80))
		snprintf(match, 80, "aaaaaaaaaa");
}

static void moves_of(struct talk *t, const char *match)
{
	static const struct {
		uint64_t conn;
		const char *text;
	} move[] = { { TWO, "11-15" },    { ONE, "23-19" }, { TWO, "8-11" },
		     { ONE, "22-17" },    { TWO, "3-8" },   { ONE, "17-13" },
		     { TWO, "15-18x22" }, { TWO, "15-18" } };
	for (size_t i = 0; i < sizeof(move) / sizeof(*move); i++)
		talk_ask(t, move[i].conn, "match.move", "match=s ply=i move=s",
			 match, (int64_t)(i < 7 ? i : 6), move[i].text);
}

static void story(struct talk *t)
{
	char match[80], dice[80], token[80] = "";
	for (uint64_t conn = ONE; conn <= LATE; conn++)
		hello(t, conn);
	keep(t, "token", token);
	a_match_of(t, "english", ONE, TWO, match);
	talk_ask(t, WATCHER, "match.watch", "match=s", match);
	moves_of(t, match);
	talk_ask(t, ONE, "match.offer_draw", "match=s", match);
	talk_ask(t, TWO, "match.decline_draw", "match=s ply=i", match,
		 (int64_t)7);
	talk_ask(t, LATE, "lobby.create", "ruleset=s private=b", "turkish",
		 true);
	talk_ask(t, LATE, "lobby.list", "");
	talk_ask(t, LATE, "rules.list", "");
	talk_ask(t, LATE, "rules.moves", "ruleset=s", "backgammon");
	if (strlen(token) == 64 && !talk_connect(t, BACK, "127.0.0.1"))
		talk_ask(t, BACK, "hello", "protocol=i token=s", (int64_t)1,
			 token);
	alloc_enter();
	hub_snapshot(t->hub);
	hub_disconnected(t->hub, WATCHER, t->now_ms);
	alloc_leave();
	talk_ask(t, TWO, "match.resign", "match=s", match);
	talk_ask(t, ONE, "record.get", "match=s", match);
	a_match_of(t, "short-backgammon", ONE, TWO, dice);
	talk_ask(t, ONE, "match.nonce", "match=s nonce=s", dice, "8f03c2");
	talk_ask(t, TWO, "match.nonce", "match=s nonce=s", dice, "77");
	talk_wait(t, 100);
	talk_ask(t, TWO, "match.get", "match=s", dice);
	talk_wait(t, 1000000);
}

/* After the lack of memory: all as it should be. */
static void goes_on(struct talk *t)
{
	char match[80];
	assert_null(domain_invariant_broken(hub_domain(t->hub)));
	hello(t, FRESH);
	assert_string_equal(t->error, "");
	hello(t, OTHER);
	assert_string_equal(t->error, "");
	a_match_of(t, "english", FRESH, OTHER, match);
	assert_true(talk_ask(t, OTHER, "match.move", "match=s ply=i move=s",
			     match, (int64_t)0, "11-15"));
	assert_true(talk_ask(t, FRESH, "match.resign", "match=s", match));
	assert_null(domain_invariant_broken(hub_domain(t->hub)));
}

static void to_stderr(void *payload, enum log_level level, const char *text)
{
	(void)payload;
	if (level == LOG_ERROR)
		fprintf(stderr, "%s\n", text);
}

/* Tells the story once; what a child process does. */
static void tell(size_t n, bool all)
{
	static struct talk t;
	log_set_sink(to_stderr, NULL);
	talk_open(&t, NULL);
	alloc_fail(n, all);
	story(&t);
	bool happened = alloc_failed();
	alloc_fail(0, false);
	goes_on(&t);
	talk_close(&t);
	exit(happened ? 0 : 1);
}

struct told {
	int status;
	char words[TOLD_MAX]; /* on stderr */
};

static void listen_to(size_t n, bool all, struct told *out)
{
	int ends[2];
	size_t len = 0;
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		alarm(60);
		tell(n, all);
	}
	close(ends[1]);
	for (ssize_t got = 1; got > 0;) {
		char dropped[256];
		bool room = len < TOLD_MAX - 1;
		got = read(ends[0], room ? out->words + len : dropped,
			   room ? TOLD_MAX - 1 - len : sizeof(dropped));
		len += room && got > 0 ? (size_t)got : 0;
	}
	out->words[len] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &out->status, 0), child);
}

/* All tellings of one kind; returns how many were wrong. */
static size_t every_allocation(bool all)
{
	static struct told told;
	size_t wrong = 0, ended = 0, n = 1;
	for (;; n++) {
		listen_to(n, all, &told);
		if (WIFEXITED(told.status) && WEXITSTATUS(told.status) == 1)
			break; /* there is no n-th */
		if (WIFEXITED(told.status) && WEXITSTATUS(told.status) == 0)
			continue;
		ended++;
		if (WIFSIGNALED(told.status) &&
		    WTERMSIG(told.status) == SIGABRT &&
		    strstr(told.words, "memory ran out"))
			continue;
		fprintf(stderr, "allocation %zu%s: status %x\n%s\n", n,
			all ? " and all later ones" : "", (unsigned)told.status,
			told.words);
		wrong++;
	}
	printf("%zu allocations fail%s: %zu times plyd ends, %zu wrongly\n",
	       n - 1, all ? ", and all later ones" : "", ended, wrong);
	/* most of what fails costs a connection or an answer only */
	return wrong + (n < 50 || (!all && ended > n / 2));
}

int main(int argc, char **argv)
{
	/* one of them, to look at it in a debugger */
	if (argc > 1)
		tell((size_t)strtoul(argv[1], NULL, 10), argc > 2);
	return every_allocation(false) + every_allocation(true) > 0;
}
