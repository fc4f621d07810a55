/* SPDX-License-Identifier: MIT
 * operator.c - the operator of this world: keeps players out for a while, mutes
 * them, kicks them, closes reports, drains the server. His connection is beside the network: it is
 * neither slow nor cut, and goes with the server. */
#include "operator.h"

#include <stdio.h>

#include "client.h"
#include "net.h"
#include "referee.h"
#include "proto/schema.h"
#include "proto/write.h"

enum { ADDRESSES = 3, GAP_MS_MAX = 4000 };

static const struct client *somebody(struct sim *sim)
{
	return sim->client[sim_between(sim, 0, (uint32_t)sim->clients - 1)];
}

static void begin(struct sim *sim, struct buf *b, enum method method)
{
	buf_init(b, MESSAGE_BYTES_MAX);
	sim->operator.method = method;
	rpc_begin_request(b, ++sim->operator.msgids, method_info(method)->name);
}

static void send(struct sim *sim, struct buf *b)
{
	story_tell(&sim->story, sim->t_ms, "operator", "%s",
		   method_info(sim->operator.method)->name);
	hub_bytes(sim->hub, sim->operator.conn, buf_span(b), sim_domain_ms(sim),
		  sim_unix_ms(sim));
	buf_release(b);
}

static void about_player(struct sim *sim, enum method method, uint32_t for_ms)
{
	struct buf b;
	const struct client *c = somebody(sim);
	if (id_is_none(&c->player))
		return;
	begin(sim, &b, method);
	put_map(&b, 1u + (for_ms > 0));
	put_cstr(&b, "player");
	put_cstr(&b, c->player.text);
	if (for_ms > 0) {
		put_cstr(&b, "for_ms");
		put_int(&b, for_ms);
	}
	send(sim, &b);
}

static void ban_address(struct sim *sim)
{
	struct buf b;
	char address[16];
	snprintf(address, sizeof(address), "10.0.0.%u",
		 sim_between(sim, 0, ADDRESSES - 1));
	begin(sim, &b, METHOD_ADMIN_BAN);
	put_map(&b, 2);
	put_cstr(&b, "address");
	put_cstr(&b, address);
	put_cstr(&b, "for_ms");
	put_int(&b, sim_between(sim, 100, 1500));
	send(sim, &b);
}

static void about_number(struct sim *sim, enum method method, const char *key,
			 int64_t number)
{
	struct buf b;
	begin(sim, &b, method);
	put_map(&b, 1);
	put_cstr(&b, key);
	put_int(&b, number);
	send(sim, &b);
}

static void adjust_clock(struct sim *sim)
{
	static const char *const sides[] = { "white", "black" };
	struct buf b;
	const struct match *m = domain_matches(hub_domain(sim->hub));
	for (uint32_t n = sim_between(sim, 0, 7); n > 0 && m; n--)
		m = match_next(m) ? match_next(m) : m;
	int side = (int)sim_between(sim, 0, 1);
	int64_t add_ms = (int64_t)sim_between(sim, 0, 40000) - 10000;
	if (!m || !referee_operator_adjusts(sim, &m->id, side, add_ms))
		return;
	begin(sim, &b, METHOD_ADMIN_ADJUST_CLOCK);
	put_map(&b, 3);
	put_cstr(&b, "match");
	put_cstr(&b, m->id.text);
	put_cstr(&b, "side");
	put_cstr(&b, sides[side]);
	put_cstr(&b, "add_ms");
	put_int(&b, add_ms);
	send(sim, &b);
}

static void drain(struct sim *sim, bool on)
{
	struct buf b;
	sim->operator.wants_drain = on;
	if (!on)
		sim->operator.drained = false;
	begin(sim, &b, METHOD_ADMIN_DRAIN);
	put_map(&b, 1);
	put_cstr(&b, "on");
	put_bool(&b, on);
	send(sim, &b);
}

static void act(struct sim *sim)
{
	const struct ban *ban = domain_bans(hub_domain(sim->hub));
	const struct report *report = domain_reports(hub_domain(sim->hub));
	uint32_t dice = sim_between(sim, 0, 99);
	if (sim_chance(sim, sim->operator.wants_drain ? 3000 : 400)) {
		drain(sim, !sim->operator.wants_drain);
		return;
	}
	if (dice < 15)
		about_player(sim, METHOD_ADMIN_BAN,
			     sim_between(sim, 300, 5000));
	else if (dice < 20)
		ban_address(sim);
	else if (dice < 30 && ban)
		about_number(sim, METHOD_ADMIN_UNBAN, "ban", ban->number);
	else if (dice < 60)
		about_player(sim, METHOD_ADMIN_MUTE,
			     sim_chance(sim, 2000)
				     ? 0
				     : sim_between(sim, 500, 20000));
	else if (dice < 75)
		about_player(sim, METHOD_ADMIN_UNMUTE, 0);
	else if (dice < 80)
		about_player(sim, METHOD_ADMIN_KICK, 0);
	else if (dice < 92)
		adjust_clock(sim);
	else if (report)
		about_number(sim, METHOD_ADMIN_CLOSE_REPORT, "report",
			     report->number);
}

void operator_acts(struct sim *sim)
{
	bool acts = sim_step(sim, ACTOR_OPERATOR);
	queue_put(&sim->queue,
		  &(struct happening){
			  .type = OPERATOR_ACTS,
			  .at_ms = sim->t_ms +
				   sim_between(sim, 500, GAP_MS_MAX) });
	if (!acts || !sim->hub || sim->t_ms >= FAULTS_UNTIL_MS)
		return;
	if (!sim->operator.connected || sim->operator.crashes !=
	     sim->counts.crashes) {
		sim->operator.connected = true;
		sim->operator.wants_drain = sim->operator.drained = false;
		sim->operator.crashes = sim->counts.crashes;
		sim->operator.conn = OPERATOR_CONN + sim->operator.msgids;
		if (hub_connected_operator(sim->hub, sim->operator.conn,
					   sim_domain_ms(sim)))
			sim_fail(sim, "the operator is not let in");
	}
	act(sim);
}

void operator_hears(struct sim *sim, struct span bytes)
{
	const struct value *root;
	char why[SCHEMA_WHY_MAX];
	struct doc *doc = doc_new();
	int64_t type = -1, msgid = -1;
	if (!doc || doc_parse(doc, bytes, &doc_answer, &root))
		sim_fail(sim, "the operator cannot read what he got");
	else
		(void)value_int(value_at(root, 0), 0, 2, &type);
	if (type == 1 && !value_int(value_at(root, 1), 0, UINT32_MAX, &msgid) &&
	    msgid != sim->operator.msgids)
		type = -1; /* he asked for something else meanwhile */
	if (type == 1 && value_type(value_at(root, 2)) == VALUE_NIL &&
	    sim->operator.method == METHOD_ADMIN_DRAIN)
		sim->operator.drained = sim->operator.wants_drain;
	if (type == 1 && value_type(value_at(root, 2)) == VALUE_NIL &&
	    !schema_check(value_at(root, 3),
			  method_info(sim->operator.method)->result, why))
		sim_fail(sim, "the operator's answer: %s", why);
	doc_free(doc);
}
