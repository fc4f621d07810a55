/* SPDX-License-Identifier: MIT
 * A bot for plyd in C: plays a match of random legal moves against one of the
 * server's personalities, over as many connections as it takes. <plyd/client.h>
 * does the protocol, blocking.h brings its bytes to the server.
 *
 *   cc -o bot bot.c $(pkg-config --cflags --libs plyd openssl)
 *   ./bot tls://HOST:PORT english bold
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "blocking.h"

struct bot {
	struct client *client;
	const char *ruleset, *personality;
	char key[24]; /* a retry opens no second lobby */
	bool failed, done;
};

static void answered(void *payload, const struct client_error *error,
		     const struct client_value *result)
{
	struct bot *b = payload;
	(void)result;
	if (!error || error->code == PLYD_EIO)
		return; /* what became of it, the next snapshot shows */
	printf("%s: %s\n", error->name, error->message);
	b->failed = b->done = error->code != PLYD_EGAMEOVER;
}

static void on_ready(void *payload, const struct client_welcome *w)
{
	struct bot *b = payload;
	const struct client_param lobby[] = {
		CLIENT_TEXT("ruleset", b->ruleset),
		CLIENT_TEXT("personality", b->personality),
		CLIENT_TEXT("key", b->key),
		CLIENT_FLAG("ready", true),
	};
	if (!w->resumed) /* else it was asked before, and will be again */
		client_request(b->client, "lobby.create", lobby, 4, answered,
			       b);
}

static void over(struct bot *b, const struct client_result *r)
{
	printf("result: %s %s\n", r->result, r->reason);
	b->done = true;
}

/* The match as it stands: acts, if it is our turn. To make the bot yours, choose
 * another move. It never doubles, and always takes. */
static void on_match(void *payload, const struct client_match *m)
{
	struct bot *b = payload;
	char move[CLIENT_MOVE_MAX];
	const struct client_value *moves = client_find(m->value, "legal_moves");
	const struct client_param at[] = { CLIENT_TEXT("match", m->match),
					   CLIENT_NUMBER("ply", m->ply) };
	bool mine = m->turn == m->you;
	if (m->over) {
		over(b, &m->result);
	} else if (mine && m->awaits == CLIENT_AWAITS_MOVE &&
		   client_count(moves) > 0) {
		size_t any = (size_t)random() % client_count(moves);
		client_copy(client_at(moves, any), move, sizeof(move));
		printf("%u %s\n", m->ply, move);
		client_move(b->client, m->match, m->ply, move, answered, b);
	} else if (mine && m->awaits != CLIENT_AWAITS_NOTHING) {
		bool roll = m->awaits == CLIENT_AWAITS_ROLL;
		client_request(b->client, roll ? "match.roll" : "match.take",
			       at, 2, answered, b);
	}
}

static void on_event(void *payload, const struct client_event *e)
{
	struct bot *b = payload;
	if (e->over)
		over(b, &e->result);
	else if (e->turn != CLIENT_NOBODY)
		client_watch(b->client, e->match); /* on_match comes again */
}

int main(int argc, char **argv)
{
	const struct client_options options = { .bot = true };
	const struct client_callbacks callbacks = {
		.on_ready = on_ready,
		.on_match = on_match,
		.on_event = on_event,
	};
	if (argc != 4)
		return 2;
	struct bot b = { .ruleset = argv[2], .personality = argv[3] };
	srandom((unsigned)time(NULL) ^ (unsigned)getpid());
	snprintf(b.key, sizeof(b.key), "%lx", random());
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (client_new(&b.client, &options, &callbacks, &b))
		return 1;
	blocking_run(b.client, argv[1], &b.done);
	client_free(b.client);
	return b.failed;
}
