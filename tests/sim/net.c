/* SPDX-License-Identifier: MIT */
#include "net.h"

#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "proto/write.h"
#include "referee.h"
#include "sim.h"

struct link *net_find(struct sim *sim, uint64_t number)
{
	struct link *l = sim->links;
	while (l && l->number != number)
		l = l->next;
	return l;
}

static uint64_t delay_ms(struct sim *sim)
{
	return sim_fault(sim, FAULT_NETWORK, 100) ? sim_between(sim, 200, 3000)
						  : sim_between(sim, 1, 40);
}

static void plan(struct sim *sim, enum happening_type type,
		 const struct link *l, uint64_t at_ms)
{
	queue_put(&sim->queue, &(struct happening){ .type = type,
						    .at_ms = at_ms,
						    .number = l->number });
}

struct link *net_connect(struct sim *sim, struct client *c)
{
	struct link *l = sim_alloc(sizeof(*l));
	l->number = ++c->links * CLIENTS_MAX + c->index;
	l->client = c;
	l->client_open = true;
	l->in_at_ms = l->out_at_ms = sim->t_ms + delay_ms(sim);
	l->next = sim->links;
	sim->links = l;
	plan(sim, SERVER_ACCEPTS, l, l->in_at_ms);
	return l;
}

void net_accept(struct sim *sim, uint64_t number)
{
	struct link *l = net_find(sim, number);
	char address[16];
	if (l->cut)
		return;
	if (!sim->hub) {
		plan(sim, CLIENT_SEES_END, l, sim->t_ms + delay_ms(sim));
		return;
	}
	snprintf(address, sizeof(address), "10.0.0.%u",
		 (unsigned)(number % NET_ADDRESSES));
	l->server_open = true;
	if (hub_connected(sim->hub, number, address, sim_domain_ms(sim))) {
		l->server_open = false;
		l->closing = true;
		plan(sim, CLIENT_SEES_END, l, l->out_at_ms + 1);
	} else {
		talk_let_in(sim, l);
	}
}

/* Bytes arrive in pieces, in order. */
static void send_pieces(struct sim *sim, enum happening_type type,
			const struct link *l, uint64_t *at_ms,
			struct span bytes)
{
	uint64_t arrives = sim->t_ms + delay_ms(sim);
	if (arrives > *at_ms)
		*at_ms = arrives;
	while (bytes.len > 0) {
		size_t n = bytes.len;
		if (sim_chance(sim, 1500))
			n = 1 + sim_between(sim, 0, (uint32_t)bytes.len - 1);
		queue_put(&sim->queue,
			  &(struct happening){
				  .type = type,
				  .at_ms = *at_ms,
				  .number = l->number,
				  .bytes = sim_copy(span_of(bytes.at, n)),
				  .len = n });
		bytes = span_of(bytes.at + n, bytes.len - n);
		*at_ms += bytes.len > 0 ? sim_between(sim, 0, 30) : 0;
	}
}

void net_to_server(struct sim *sim, struct link *l, struct span bytes)
{
	if (!l->client_open)
		return;
	l->sent_bytes += bytes.len;
	send_pieces(sim, AT_SERVER, l, &l->in_at_ms, bytes);
}

void net_to_client(struct sim *sim, struct link *l, struct span bytes)
{
	if (l->slow)
		l->queued += bytes.len * sim->queued_weight;
	if (l->slow && l->out_at_ms < l->slow_until_ms)
		l->out_at_ms = l->slow_until_ms;
	send_pieces(sim, AT_CLIENT, l, &l->out_at_ms, bytes);
}

/* -- who does not read -- */

static void give_up(struct sim *sim, struct link *l)
{
	struct buf b;
	story_tell(&sim->story, sim->t_ms, "server",
		   "gives %s up, who reads too slowly", client_name(l->client));
	sim->counts.given_up++;
	buf_init(&b, MESSAGE_BYTES_MAX);
	rpc_closing(&b, PLYD_ESLOW, NULL, NULL, NULL);
	referee_message(sim, l, buf_span(&b));
	net_to_client(sim, l, buf_span(&b));
	buf_release(&b);
	l->closing = l->given_up = true;
	plan(sim, CLIENT_SEES_END, l, l->out_at_ms + 1);
	plan(sim, SERVER_SEES_END, l, sim->t_ms + sim_between(sim, 0, 60));
}

bool net_has_room(struct sim *sim, struct link *l, size_t len)
{
	size_t more = len * sim->queued_weight;
	bool fits = !l->slow || l->queued == 0 ||
		    l->queued + more <= sim->write_queue_bytes;
	if (!fits && !l->closing)
		give_up(sim, l);
	return fits && !l->given_up;
}

void net_reads_slowly(struct sim *sim, struct link *l, uint64_t for_ms)
{
	if (l->slow)
		return;
	story_tell(&sim->story, sim->t_ms, client_name(l->client),
		   "reads nothing for %llu ms", (unsigned long long)for_ms);
	l->slow = true;
	l->slow_until_ms = sim->t_ms + for_ms;
	plan(sim, READS_AGAIN, l, l->slow_until_ms);
}

/* The server may have stood still then, so that it is late to see it. */
void net_reads_again(struct sim *sim, uint64_t number)
{
	struct link *l = net_find(sim, number);
	l->slow = false;
	l->queued = 0;
	l->slow_until_ms = sim->t_ms;
}

/* -- arriving -- */

void net_arrive_at_server(struct sim *sim, const struct happening *h)
{
	struct link *l = net_find(sim, h->number);
	if (l->cut || !l->server_open || l->given_up || !sim->hub)
		return;
	l->arrived_bytes += h->len;
	hub_expect(sim->hub, l->number); /* it changes nothing */
	hub_bytes(sim->hub, l->number, span_of(h->bytes, h->len),
		  sim_domain_ms(sim), sim_unix_ms(sim));
}

void net_arrive_at_client(struct sim *sim, const struct happening *h)
{
	struct link *l = net_find(sim, h->number);
	if (!l->cut && l->client_open)
		client_hears(sim, l->client, span_of(h->bytes, h->len));
}

/* -- ends -- */

void net_server_sees_end(struct sim *sim, uint64_t number)
{
	struct link *l = net_find(sim, number);
	if (!l->server_open || !sim->hub)
		return;
	l->server_open = false;
	referee_link_ends(sim, l);
	hub_disconnected(sim->hub, number, sim_domain_ms(sim));
}

void net_client_sees_end(struct sim *sim, uint64_t number)
{
	struct link *l = net_find(sim, number);
	if (!l->client_open)
		return;
	l->client_open = false;
	client_is_cut_off(sim, l->client);
}

void net_server_closes(struct sim *sim, struct link *l)
{
	l->closing = true;
	referee_link_ends(sim, l);
	plan(sim, CLIENT_SEES_END, l, l->out_at_ms + 1);
	plan(sim, SERVER_SEES_END, l, sim->t_ms + sim_between(sim, 0, 60));
}

void net_client_closes(struct sim *sim, struct link *l, bool rst)
{
	if (!l->client_open)
		return;
	l->client_open = false;
	if (rst)
		l->cut = true;
	plan(sim, SERVER_SEES_END, l, rst ? sim->t_ms + 1 : l->in_at_ms + 1);
	client_is_cut_off(sim, l->client);
}

void net_cut(struct sim *sim, struct link *l)
{
	if (l->cut || !l->client_open)
		return;
	l->cut = true;
	sim->counts.cuts++;
	story_tell(&sim->story, sim->t_ms, "net", "link %llu of %s is cut",
		   (unsigned long long)l->number, client_name(l->client));
	plan(sim, CLIENT_SEES_END, l, sim->t_ms + sim_between(sim, 1, 4000));
	/* a server may never hear of a client that fell silent */
	if (!sim_chance(sim, 3000))
		plan(sim, SERVER_SEES_END, l,
		     sim->t_ms + sim_between(sim, 1, 20000));
}

void net_server_dies(struct sim *sim)
{
	for (struct link *l = sim->links; l; l = l->next) {
		if (l->server_open)
			referee_link_ends(sim, l);
		l->server_open = false;
		if (!l->client_open)
			continue;
		if (sim_chance(sim, 5000))
			l->cut = true; /* what was on its way is lost too */
		plan(sim, CLIENT_SEES_END, l,
		     sim->t_ms + sim_between(sim, 1, 3000));
	}
}

void net_release(struct sim *sim)
{
	while (sim->links) {
		struct link *l = sim->links;
		sim->links = l->next;
		for (size_t i = 0; i < l->asked_count; i++)
			free(l->asked[i].bytes);
		free(l->asked);
		free(l->heard);
		free(l);
	}
}
