/* SPDX-License-Identifier: MIT
 * referee_script.c - what docs/scripting.md promises of a script: what it kept
 * with its last decision comes with the next question, also after a crash, and
 * a decision that was not taken keeps nothing; a match keeps the versions that
 * it began with. */
#include "referee_priv.h"

#include <stdio.h>

static void book_said(struct sim *sim, struct book_match *m, int by,
		      uint32_t ply, bool failed, struct span memory)
{
	m->kept_said = sim_grow(m->kept_said, &m->kept_said_cap,
				m->kept_said_count, sizeof(*m->kept_said));
	struct kept_said *said = &m->kept_said[m->kept_said_count++];
	*said = (struct kept_said){ .by = by, .ply = ply, .failed = failed };
	if (!failed && !span_copy(memory, said->text, sizeof(said->text)))
		sim_fail(sim, "the simulator's script keeps too much");
}

void script_thought(struct sim *sim, struct book_match *m, int side,
		    const struct cmd_thought *t)
{
	if (!t->failed && t->say.len > 0)
		talk_thought(sim, &m->id, t->say);
	if (t->asked != AWAITS_RESIGNATION)
		book_said(sim, m, side, t->ply, t->failed || !t->keeps,
			  t->memory);
}

void script_verdict(struct sim *sim, struct book_match *m,
		    const struct cmd_verdict *v)
{
	book_said(sim, m, KEPT_POLICY, v->ply, false, v->memory);
}

void referee_asks_script(struct sim *sim, const struct id *match, int by,
			 struct span memory)
{
	const struct book_match *m = book_match(sim->referee, match);
	if (m && !span_is(memory, m->kept[by]))
		sim_fail(sim, "%s: script %d is told of '%.*s', it kept '%s'",
			 match->text, by, (int)memory.len,
			 (const char *)memory.at, m->kept[by]);
}

void script_kept_fact(struct sim *sim, const struct fact *f)
{
	const struct fact_script_kept_body *b = &f->script_kept;
	struct book_match *m = book_match(sim->referee, &b->match);
	bool said = false;
	for (size_t i = 0; m && i < m->kept_said_count; i++)
		said |= m->kept_said[i].by == b->by &&
			!m->kept_said[i].failed &&
			span_is(b->memory, m->kept_said[i].text);
	if (!said || m->over ||
	    !span_copy(b->memory, m->kept[b->by], sizeof(m->kept[b->by])))
		sim_fail(sim, "script %d of %s keeps what it never said",
			 (int)b->by, b->match.text);
}

/* What was decided in this half-move, and what is kept, are of one answer. */
void script_decided(struct sim *sim, const struct book_match *m, int by,
		    uint32_t ply)
{
	bool asked = false, found = false;
	for (size_t i = 0; i < m->kept_said_count; i++) {
		const struct kept_said *said = &m->kept_said[i];
		if (said->by != by || said->ply != ply)
			continue;
		asked = true;
		found |= said->failed || !strcmp(said->text, m->kept[by]);
	}
	if (asked && !found)
		sim_fail(sim,
			 "script %d of %s decided half-move %u, but "
			 "keeps '%s'",
			 by, m->id.text, ply, m->kept[by]);
}

/* -- versions -- */

static void is_version(struct sim *sim, const struct book_match *m,
		       const struct value *map, const char *key,
		       const char *version)
{
	const struct value *v = map ? value_find(map, key) : NULL;
	struct span text = { 0 };
	if (v && value_str(v, &text))
		v = NULL;
	if (!v ? version[0] != '\0' : !span_is(text, version))
		sim_fail(sim, "%s shows version '%.*s' of its %s, not '%s'",
			 m->id.text, (int)text.len, (const char *)text.at, key,
			 version);
}

void versions_shown(struct sim *sim, const struct book_match *m,
		    const struct value *map)
{
	const struct value *scripts = value_find(map, "scripts");
	is_version(sim, m, scripts, "ruleset", m->rules_version);
	is_version(sim, m, scripts, "policy_version", m->policy_version);
	is_version(sim, m, scripts, "white", m->version[WHITE]);
	is_version(sim, m, scripts, "black", m->version[BLACK]);
}

/* It was on offer not long ago, when the match began. */
static bool is_of_now(const struct sim *sim, const char *version)
{
	unsigned reading;
	return sscanf(version, "r%u", &reading) == 1 &&
	       reading + 2 > sim->readings && reading <= sim->readings;
}

void versions_begun(struct sim *sim, struct book_match *m,
		    const struct fact_begun_body *b)
{
	bool fits = span_copy(b->rules_version, m->rules_version,
			      sizeof(m->rules_version)) &&
		    span_copy(b->policy_version, m->policy_version,
			      sizeof(m->policy_version)) &&
		    span_copy(b->white_version, m->version[WHITE],
			      sizeof(m->version[WHITE])) &&
		    span_copy(b->black_version, m->version[BLACK],
			      sizeof(m->version[BLACK]));
	/* a lobby keeps what it was opened with; a personality comes as it is
	 * when the match begins */
	for (int side = 0; side < SIDES; side++)
		fits &= id_is_none(&m->player[side])
				? is_of_now(sim, m->version[side])
				: m->version[side][0] == '\0';
	/* of one reading: they only change together */
	fits &= !strcmp(m->rules_version, m->policy_version);
	if (!fits)
		sim_fail(sim, "%s begins with wrong versions: %s %s %s %s",
			 m->id.text, m->rules_version, m->policy_version,
			 m->version[WHITE], m->version[BLACK]);
}
