/* SPDX-License-Identifier: MIT */
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "referee.h"
#include "scripts.h"
#include "sim.h"

enum { THOUGHT_MS_MAX = 900, JUDGED_MS_MAX = 60, LIES = 300 /* of 10000 */ };

/* A happening of THOUGHT or VERDICT has in msgid how often moves were taken
 * back, that of a thought also what was asked. */
enum { ASKED_BITS = 8, ASKED_MASK = (1 << ASKED_BITS) - 1 };

void worker_think(void *payload, const struct match *m, enum awaits asked)
{
	struct sim *sim = payload;
	struct happening h = {
		.type = THOUGHT,
		.at_ms = sim->t_ms + sim_between(sim, 0, THOUGHT_MS_MAX),
		.number = asked == AWAITS_RESIGNATION ? m->resign.seq : m->ply,
		.msgid = (uint32_t)asked | m->takebacks << ASKED_BITS,
		.match = m->id
	};
	if (asked != AWAITS_RESIGNATION)
		scripts_asked(sim, m, match_turn(m));
	if (sim_fault(sim, FAULT_WORKER, 100) &&
	    clock_is_limited(&m->rules->clock))
		return;
	if (sim_fault(sim, FAULT_WORKER, 100))
		h.at_ms += 20000;
	queue_put(&sim->queue, &h);
	if (sim_fault(sim, FAULT_WORKER, 200)) {
		h.at_ms += sim_between(sim, 0, 2000);
		queue_put(&sim->queue, &h);
	}
}

void worker_judge(void *payload, const struct match *m)
{
	struct sim *sim = payload;
	struct happening h = { .type = VERDICT,
			       .at_ms = sim->t_ms +
					sim_between(sim, 0, JUDGED_MS_MAX),
			       .number = m->ply,
			       .msgid = m->takebacks,
			       .match = m->id };
	referee_judged(sim, m, sim_domain_ms(sim) + VERDICT_MS);
	scripts_asked(sim, m, KEPT_POLICY);
	if (sim_fault(sim, FAULT_WORKER, 50))
		return;
	if (sim_fault(sim, FAULT_WORKER, 50))
		h.at_ms += 5000;
	queue_put(&sim->queue, &h);
	if (sim_fault(sim, FAULT_WORKER, 200)) {
		h.at_ms += sim_between(sim, 0, JUDGED_MS_MAX);
		queue_put(&sim->queue, &h);
	}
}

/* -- lies -- */

/* Any match in memory: one that runs, is over or is frozen. */
static const struct match *any_match(struct sim *sim)
{
	const struct match *m = domain_matches(hub_domain(sim->hub));
	const struct match *chosen = m;
	for (uint32_t n = 1; m; m = match_next(m), n++)
		if (sim_between(sim, 1, n) == 1)
			chosen = m;
	return chosen;
}

/* It is about something that was not asked: another match, as that stands or
 * not, another half-move, what was taken back, or no match at all. */
static void make_lie(struct sim *sim, struct happening *h)
{
	const struct match *m = any_match(sim);
	uint32_t what = m ? sim_between(sim, 0, 4) : 4;
	story_tell(&sim->story, sim->t_ms, "worker", "lies about %s",
		   h->match.text);
	switch (what) {
	case 0:
	case 1:
		h->match = m->id;
		h->number = m->ply;
		if (h->type == THOUGHT)
			h->msgid = AWAITS_MOVE | m->takebacks << ASKED_BITS;
		else
			h->msgid = m->takebacks;
		break;
	case 2: h->match = m->id; break;
	case 3: h->number += sim_between(sim, 0, 1) ? 1 : UINT32_MAX; break;
	default: snprintf(h->match.text, sizeof(h->match.text), "nosuchmtch");
	}
}

/* -- answers -- */

static void say_thought(struct sim *sim, const struct happening *h)
{
	struct cmd_thought t = { .ply = (uint32_t)h->number,
				 .asked = (enum awaits)(h->msgid & ASKED_MASK),
				 .takebacks = h->msgid >> ASKED_BITS,
				 .offer = h->number,
				 .yes = sim_chance(sim, 4000) };
	static char text[MOVE_TEXT_MAX];
	const struct match *m = domain_match(hub_domain(sim->hub), &h->match);
	uint32_t dice = sim_between(sim, 0, 199);
	snprintf(text, sizeof(text), "nonsense");
	if (m)
		random_move(sim, &m->rules->rules, &m->pos, text);
	if (dice < 4)
		t.failed = true;
	else if (dice < 8)
		snprintf(text, sizeof(text), "11-99");
	t.resign = dice == 8;
	t.offer_draw = dice > 180;
	t.accept_draw = dice > 100;
	t.move = span_str(text);
	t.keeps = t.asked != AWAITS_RESIGNATION;
	t.memory = scripts_keep(sim);
	t.say = scripts_say(sim);
	story_tell(&sim->story, sim->t_ms, "thinker", "%s ply %u: %s%s",
		   h->match.text, t.ply, t.failed ? "fails, " : "", text);
	referee_thought(sim, &h->match, &t);
	hub_thought(sim->hub, &h->match, &t, sim_domain_ms(sim),
		    sim_unix_ms(sim));
}

void worker_thought(struct sim *sim, const struct happening *h)
{
	struct happening lie = *h;
	if (sim_fault(sim, FAULT_WORKER, LIES)) {
		make_lie(sim, &lie);
		say_thought(sim, &lie);
	}
	say_thought(sim, h);
}

static void say_verdict(struct sim *sim, const struct happening *h)
{
	struct cmd_verdict v = { .ply = (uint32_t)h->number,
				 .takebacks = h->msgid };
	v.ends = sim_between(sim, 0, 49) == 0;
	v.result =
		(enum match_result)sim_between(sim, RESULT_WHITE, RESULT_DRAW);
	v.warns = !v.ends && sim_between(sim, 0, 9) == 0;
	v.keeps = true;
	v.memory = scripts_keep(sim);
	v.words = span_str(v.ends ? "so be it" : v.warns ? "beware" : "");
	story_tell(&sim->story, sim->t_ms, "policy", "%s ply %u: %s",
		   h->match.text, v.ply, v.ends ? "it is over" : "goes on");
	referee_verdict(sim, &h->match, &v);
	hub_verdict(sim->hub, &h->match, &v, sim_domain_ms(sim),
		    sim_unix_ms(sim));
}

void worker_verdict(struct sim *sim, const struct happening *h)
{
	struct happening lie = *h;
	if (sim_fault(sim, FAULT_WORKER, LIES)) {
		make_lie(sim, &lie);
		say_verdict(sim, &lie);
	}
	say_verdict(sim, h);
}
