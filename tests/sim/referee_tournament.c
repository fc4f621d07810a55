/* SPDX-License-Identifier: MIT
 * referee_tournament.c - tournaments, as docs/tournaments.md says: who takes
 * part asked for it, nobody sits twice, one match for each table, results are
 * those of the matches, and the seed is secret until the end. It knows no way
 * to pair; it only looks whether what was paired may be. */
#include "referee_priv.h"

#include <string.h>

static struct book_cup *book_cup(const struct referee *r, const struct id *id)
{
	for (size_t i = 0; i < r->cups; i++)
		if (id_eq(&r->cup[i].id, id))
			return &r->cup[i];
	return NULL;
}

static bool wished(const struct referee *r, enum method method,
		   const struct id *by, const struct id *what)
{
	for (size_t i = 0; i < r->wishes; i++)
		if (r->wish[i].method == method &&
		    (!by || id_eq(&r->wish[i].by, by)) &&
		    (!what || id_eq(&r->wish[i].what, what)))
			return true;
	return false;
}

static void cup_made(struct sim *sim, const struct fact_tournament_made_body *b)
{
	static const char label[] = "plyd-tournament-1";
	struct referee *r = sim->referee;
	const struct span parts[] = { span_of(label, sizeof(label)), b->seed };
	struct digest commitment = sha256(parts, 2);
	if (book_cup(r, &b->tournament))
		sim_fail(sim, "a tournament is made twice");
	if (!wished(r, METHOD_TOURNAMENT_CREATE, &b->organiser, NULL))
		sim_fail(sim, "nobody asked for a tournament");
	if (!digest_eq(&commitment, &b->commitment))
		sim_fail(sim, "a tournament is committed to another seed");
	for (size_t i = 0; i < r->cups; i++)
		if (b->key.len > 0 && span_is(b->key, r->cup[i].key) &&
		    id_eq(&b->organiser, &r->cup[i].organiser))
			sim_fail(sim, "a key makes a second tournament");
	r->cup = sim_grow(r->cup, &r->cup_cap, r->cups, sizeof(*r->cup));
	struct book_cup *c = &r->cup[r->cups++];
	*c = (struct book_cup){ .id = b->tournament,
				.organiser = b->organiser,
				.no_show_ms = b->no_show_ms,
				.late_rounds = b->late_rounds,
				.check_in = b->check_in_ms > 0,
				.knockout = span_is(b->format, "knockout"),
				.swiss = span_is(b->format, "swiss"),
				.twice = span_is(b->format,
						 "double_round_robin") };
	span_copy(b->key, c->key, sizeof(c->key));
}

/* -- who takes part -- */

static int entry_of(const struct book_cup *c, const struct id *player)
{
	for (size_t i = 0; i < c->entries; i++)
		if (id_eq(&c->entry[i].player, player))
			return (int)i;
	return -1;
}

static void entered(struct sim *sim, struct book_cup *c,
		    const struct fact_tournament_entered_body *b)
{
	int had = entry_of(c, &b->player);
	if (!wished(sim->referee, METHOD_TOURNAMENT_REGISTER, &b->player,
		    &c->id))
		sim_fail(sim, "somebody takes part who did not ask for it");
	if (c->state == 0 || c->state == 5 || c->entries == CUP_ENTRIES_MAX ||
	    (had >= 0 && (!c->entry[had].gone || c->began)) ||
	    b->entry != (had >= 0 ? had : (int64_t)c->entries) ||
	    (c->began && (!c->swiss || b->round != (int64_t)c->rounds ||
			  b->round > c->late_rounds)))
		sim_fail(sim, "somebody takes part who may not");
	if (had < 0)
		had = (int)c->entries++;
	c->entry[had] = (struct book_entry){ .player = b->player,
					     .first = (size_t)b->round,
					     .until = SIZE_MAX,
					     .checked_in = c->began };
}

/* Whether his last two tables were lost because he did not come. */
static bool stayed_away(const struct book_cup *c, int entry)
{
	int missed = 0;
	for (size_t r = c->rounds; r-- > 0 && missed < 2;)
		for (size_t i = 0; i < c->tables[r]; i++) {
			const struct book_table *t = &c->table[r][i];
			int o = t->outcome;
			if (t->white != entry && t->black != entry)
				continue;
			if (o == OUTCOME_NEITHER ||
			    o == (t->white == entry ? OUTCOME_BLACK_FORFEIT
						    : OUTCOME_WHITE_FORFEIT))
				missed++;
			else
				return false;
		}
	return missed == 2;
}

static void left(struct sim *sim, struct book_cup *c,
		 const struct fact_tournament_left_body *b)
{
	if (b->entry >= (int64_t)c->entries || c->entry[b->entry].gone) {
		sim_fail(sim, "somebody leaves a tournament that he is not in");
		return;
	}
	struct book_entry *e = &c->entry[b->entry];
	const struct book_player *p = book_player(sim->referee, &e->player);
	bool wanted = wished(sim->referee, METHOD_TOURNAMENT_WITHDRAW,
			     &e->player, &c->id) ||
		      (p && p->leaving);
	if (b->why == ENTRY_NO_SHOW ? !stayed_away(c, (int)b->entry) : !wanted)
		sim_fail(sim, "somebody is out of a tournament without cause");
	if (b->round != (int64_t)c->rounds)
		sim_fail(sim, "somebody leaves from another round on");
	e->gone = true;
	e->until = (size_t)b->round;
}

static bool plays(const struct book_entry *e, size_t round)
{
	return e->first <= round && round < e->until;
}

static size_t active(const struct book_cup *c, size_t round)
{
	size_t n = 0;
	for (size_t i = 0; i < c->entries; i++)
		n += plays(&c->entry[i], round);
	return n;
}

/* -- its life -- */

static size_t open_tables(const struct book_cup *c)
{
	size_t open = 0;
	for (size_t i = 0; c->rounds > 0 && i < c->tables[c->rounds - 1]; i++)
		open += c->table[c->rounds - 1][i].outcome == OUTCOME_PENDING;
	return open;
}

static void drop_unseen(struct book_cup *c)
{
	for (size_t i = 0; c->check_in && i < c->entries; i++)
		if (!c->entry[i].checked_in && !c->entry[i].gone) {
			c->entry[i].gone = true;
			c->entry[i].until = 0;
		}
}

static void moved(struct sim *sim, struct book_cup *c,
		  const struct fact_tournament_moved_body *b)
{
	bool stopped = b->end == TOURNAMENT_END_STOPPED;
	if (c->state == TOURNAMENT_FINISHED)
		sim_fail(sim, "a finished tournament goes on");
	if (b->state == TOURNAMENT_RUNNING && !c->began) {
		c->began = true;
		c->rounds_all = b->rounds;
		drop_unseen(c);
		if (active(c, 0) < 2)
			sim_fail(sim, "a tournament begins with nobody");
	}
	if (b->state == TOURNAMENT_PAUSED &&
	    !wished(sim->referee, METHOD_TOURNAMENT_PAUSE, NULL, &c->id))
		sim_fail(sim, "nobody wanted a pause");
	if (stopped &&
	    !wished(sim->referee, METHOD_TOURNAMENT_FINISH, NULL, &c->id))
		sim_fail(sim, "nobody wanted it to end");
	if (b->end == TOURNAMENT_END_PLAYED &&
	    (open_tables(c) > 0 || c->rounds == 0 ||
	     (!c->knockout && (int64_t)c->rounds != c->rounds_all)))
		sim_fail(sim, "it is said to be played, and is not");
	if (b->end == TOURNAMENT_END_TOO_FEW && c->began &&
	    active(c, c->rounds) >= 2)
		sim_fail(sim, "enough are left");
	c->state = (int)b->state;
}

/* -- rounds -- */

static size_t met(const struct book_cup *c, int a, int b)
{
	size_t n = 0;
	for (size_t r = 0; r < c->rounds; r++)
		for (size_t i = 0; i < c->tables[r]; i++) {
			const struct book_table *t = &c->table[r][i];
			n += (t->white == a && t->black == b) ||
			     (t->white == b && t->black == a);
		}
	return n;
}

static size_t byes(const struct book_cup *c, int entry)
{
	size_t n = 0;
	for (size_t r = 0; r < c->rounds; r++)
		for (size_t i = 0; i < c->tables[r]; i++)
			n += c->table[r][i].white == entry &&
			     c->table[r][i].black < 0;
	return n;
}

/* Whether those who are not yet in `taken` can be paired without a repeat and a
 * second bye: by trying. */
static bool can_pair(const struct book_cup *c, unsigned taken, bool odd)
{
	int a = 0;
	while (a < (int)c->entries &&
	       (taken >> a & 1 || !plays(&c->entry[a], c->rounds)))
		a++;
	if (a == (int)c->entries)
		return true;
	for (int b = a + 1; b < (int)c->entries; b++)
		if (!(taken >> b & 1) && plays(&c->entry[b], c->rounds) &&
		    met(c, a, b) == 0 &&
		    can_pair(c, taken | 1u << a | 1u << b, odd))
			return true;
	return odd && byes(c, a) == 0 && can_pair(c, taken | 1u << a, false);
}

static void judge_swiss(struct sim *sim, const struct book_cup *c,
			const struct book_table *t, size_t count)
{
	size_t n = active(c, c->rounds), sitting = 0;
	bool clean = true;
	for (size_t i = 0; i < count; i++) {
		sitting += 1 + (t[i].black >= 0);
		clean = clean &&
			(t[i].black < 0 ? byes(c, t[i].white) == 0
					: met(c, t[i].white, t[i].black) == 0);
	}
	if (sitting != n || count != (n + 1) / 2)
		sim_fail(sim, "not everybody is paired once");
	if (!clean && can_pair(c, 0, n % 2 == 1))
		sim_fail(sim, "two meet again, or one has a second bye, "
			      "without need");
}

static void paired(struct sim *sim, struct book_cup *c,
		   const struct fact_tournament_paired_body *b)
{
	size_t count = b->tables.len / 5;
	bool seen[CUP_ENTRIES_MAX] = { false };
	if (b->round != (int64_t)c->rounds || open_tables(c) > 0 ||
	    c->state != TOURNAMENT_RUNNING || c->rounds == CUP_ROUNDS_MAX ||
	    count == 0 || count > CUP_TABLES_MAX) {
		sim_fail(sim, "a round is paired that may not be");
		return;
	}
	if (c->rounds == 0 && !c->swiss && !c->knockout) {
		/* of those who are still here */
		int64_t seats = (int64_t)(active(c, 0) + active(c, 0) % 2);
		c->rounds_all = (seats - 1) * (c->twice ? 2 : 1);
	}
	struct book_table *t = c->table[c->rounds];
	for (size_t i = 0; i < count; i++) {
		const uint8_t *at = b->tables.at + 5 * i;
		int white = at[0] << 8 | at[1], black = at[2] << 8 | at[3];
		black = black == 0xffff ? -1 : black;
		if (white >= (int)c->entries || black >= (int)c->entries ||
		    seen[white] || (black >= 0 && seen[black])) {
			sim_fail(sim, "somebody sits nowhere, or twice");
			return;
		}
		seen[white] = true;
		if (black >= 0)
			seen[black] = true;
		t[i] = (struct book_table){ .white = white,
					    .black = black,
					    .outcome = at[4] };
		if (!c->swiss && !c->knockout && black >= 0 &&
		    met(c, white, black) > (c->twice ? 1u : 0u))
			sim_fail(sim, "two meet too often");
	}
	if (c->swiss)
		judge_swiss(sim, c, t, count);
	c->tables[c->rounds++] = count;
}

static struct book_table *table_at(struct sim *sim, struct book_cup *c,
				   int64_t round, int64_t table)
{
	if (round >= 0 && round < (int64_t)c->rounds && table >= 0 &&
	    table < (int64_t)c->tables[round])
		return &c->table[round][table];
	sim_fail(sim, "a table that there is not");
	return NULL;
}

/* Its match has just begun, of just those two. */
static void set(struct sim *sim, struct book_cup *c,
		const struct fact_tournament_set_body *b)
{
	struct book_table *t = table_at(sim, c, b->round, b->table);
	const struct book_match *m = book_match(sim->referee, &b->played);
	if (!t)
		return;
	bool turned = b->game % 2 == 1;
	if (!m || m->over || t->outcome != OUTCOME_PENDING || t->running ||
	    b->game != t->games || !id_eq(&m->cup, &c->id) ||
	    m->cup_round != b->round + 1 || m->cup_table != b->table + 1 ||
	    !id_eq(&m->player[turned], &c->entry[t->white].player) ||
	    !id_eq(&m->player[!turned], &c->entry[t->black].player))
		sim_fail(sim, "a table has another match than its own");
	if (c->state != TOURNAMENT_RUNNING)
		sim_fail(sim, "a match begins while its tournament stands");
	t->match = b->played;
	t->running = true;
	t->games++;
}

/* By the end of its match, if it had one. */
static bool outcome_fits(const struct sim *sim, const struct book_cup *c,
			 const struct book_table *t, int outcome)
{
	const struct book_match *m = book_match(sim->referee, &t->match);
	bool forfeit = outcome == OUTCOME_WHITE_FORFEIT ||
		       outcome == OUTCOME_BLACK_FORFEIT ||
		       outcome == OUTCOME_NEITHER;
	bool turned = t->games % 2 == 0;
	if (!t->running)
		return forfeit; /* it could not begin */
	if (!m || !m->over)
		return false;
	if (m->result == RESULT_ABORTED)
		return forfeit;
	if (m->result != RESULT_DRAW)
		return outcome == ((m->result == RESULT_WHITE) != turned
					   ? OUTCOME_WHITE
					   : OUTCOME_BLACK);
	if (!c->knockout)
		return outcome == OUTCOME_DRAW;
	return t->games < 3 ? outcome == OUTCOME_PENDING
			    : outcome == OUTCOME_WHITE_LOT ||
				      outcome == OUTCOME_BLACK_LOT;
}

static void result(struct sim *sim, struct book_cup *c,
		   const struct fact_tournament_result_body *b)
{
	struct book_table *t = table_at(sim, c, b->round, b->table);
	if (!t)
		return;
	if (t->outcome != OUTCOME_PENDING ||
	    !outcome_fits(sim, c, t, (int)b->outcome))
		sim_fail(sim, "a table has another result than its match");
	t->outcome = (int)b->outcome;
	t->running = false;
}

static void corrected(struct sim *sim, struct book_cup *c,
		      const struct fact_tournament_corrected_body *b)
{
	struct book_table *t = table_at(sim, c, b->round, b->table);
	if (!t)
		return;
	if (!wished(sim->referee, METHOD_TOURNAMENT_CORRECT, &b->by, &c->id) ||
	    !id_eq(&b->by, &c->organiser) || b->was != t->outcome ||
	    b->paired != (int64_t)c->rounds)
		sim_fail(sim, "a table is corrected by nobody who may");
	t->outcome = (int)b->outcome;
	t->corrected = true;
	t->running = false;
}

bool cup_fact(struct sim *sim, const struct fact *f)
{
	struct book_cup *c =
		book_cup(sim->referee, &f->tournament_left.tournament);
	if (f->type < FACT_TOURNAMENT_MADE || f->type > FACT_TOURNAMENT_REMOVED)
		return false;
	if (f->type == FACT_TOURNAMENT_MADE) {
		cup_made(sim, &f->tournament_made);
		return true;
	}
	if (!c || c->forgotten) {
		sim_fail(sim, "a fact of no tournament");
		return true;
	}
	switch (f->type) {
	case FACT_TOURNAMENT_MOVED: moved(sim, c, &f->tournament_moved); break;
	case FACT_TOURNAMENT_DIRECTED:
		c->organiser = (struct id){ "" }; /* he is deleted */
		break;
	case FACT_TOURNAMENT_ENTERED:
		entered(sim, c, &f->tournament_entered);
		break;
	case FACT_TOURNAMENT_LEFT: left(sim, c, &f->tournament_left); break;
	case FACT_TOURNAMENT_CHECKED_IN:
		c->entry[f->tournament_checked_in.entry].checked_in = true;
		break;
	case FACT_TOURNAMENT_PAIRED:
		paired(sim, c, &f->tournament_paired);
		break;
	case FACT_TOURNAMENT_SET: set(sim, c, &f->tournament_set); break;
	case FACT_TOURNAMENT_RESULT:
		result(sim, c, &f->tournament_result);
		break;
	case FACT_TOURNAMENT_CORRECTED:
		corrected(sim, c, &f->tournament_corrected);
		break;
	case FACT_TOURNAMENT_REMOVED: c->forgotten = true; break;
	default: sim_fail(sim, "a fact that no client can cause"); break;
	}
	return true;
}

/* -- matches of tournaments -- */

int64_t cup_no_show_ms(const struct referee *r, const struct book_match *m)
{
	const struct book_cup *c = book_cup(r, &m->cup);
	return c ? c->no_show_ms : -1;
}

bool cup_decided(const struct referee *r, const struct book_match *m)
{
	const struct book_cup *c = book_cup(r, &m->cup);
	return c && m->cup_round >= 1 && m->cup_round <= (int64_t)c->rounds &&
	       c->table[m->cup_round - 1][m->cup_table - 1].corrected;
}

/* -- after a start -- */

static void compare_cup(struct sim *sim, const struct book_cup *c)
{
	const struct tournament *t =
		domain_tournament(hub_domain(sim->hub), &c->id);
	if (c->forgotten)
		return;
	if (!t || (int)t->state != c->state ||
	    t->contest.round_count != c->rounds ||
	    t->contest.entry_count != c->entries) {
		sim_fail(sim, "a tournament is another after a start");
		return;
	}
	for (size_t r = 0; r < c->rounds; r++)
		for (size_t i = 0; i < c->tables[r]; i++)
			if (t->round[r].table[i].outcome !=
				    c->table[r][i].outcome ||
			    t->table[r][i].games != c->table[r][i].games)
				sim_fail(sim, "a table is another after a "
					      "start");
	for (size_t i = 0; i < c->entries; i++)
		if ((t->entry[i].gone != ENTRY_HERE) != c->entry[i].gone)
			sim_fail(sim, "another takes part after a start");
}

void cups_compare(struct sim *sim)
{
	const struct referee *r = sim->referee;
	for (size_t i = 0; i < r->cups && !sim->failed; i++)
		compare_cup(sim, &r->cup[i]);
}

/* -- what is said -- */

static int naive_score(const struct book_cup *c, int entry)
{
	int score = 0;
	for (size_t r = 0; r < c->rounds; r++)
		for (size_t i = 0; i < c->tables[r]; i++) {
			const struct book_table *t = &c->table[r][i];
			bool white = t->white == entry;
			int o = t->outcome;
			if (!white && t->black != entry)
				continue;
			if (o == OUTCOME_DRAW && !c->knockout)
				score += 1;
			else if (white &&
				 (o == OUTCOME_WHITE ||
				  o == OUTCOME_WHITE_FORFEIT ||
				  o == OUTCOME_BYE || o == OUTCOME_WHITE_LOT))
				score += 2;
			else if (!white && (o == OUTCOME_BLACK ||
					    o == OUTCOME_BLACK_FORFEIT ||
					    o == OUTCOME_BLACK_LOT))
				score += 2;
		}
	return score;
}

static void judge_table(struct sim *sim, const struct book_cup *c,
			const struct value *map)
{
	const struct value *rows = value_find(map, "rows");
	for (size_t i = 0; i < value_count(rows); i++) {
		int64_t entry = 0, score = -1;
		value_int(value_find(value_at(rows, i), "entry"), 1,
			  CUP_ENTRIES_MAX, &entry);
		value_int(value_find(value_at(rows, i), "score2"), 0, INT32_MAX,
			  &score);
		if (entry < 1 || score != naive_score(c, (int)entry - 1))
			sim_fail(sim, "a finished table shows another score");
	}
}

bool judge_cup(struct sim *sim, const struct asked *a, const struct value *map)
{
	struct id id;
	if (a->method < METHOD_TOURNAMENT_CREATE ||
	    a->method > METHOD_TOURNAMENT_CORRECT)
		return false;
	if (!id_in(map, "tournament", &id))
		return true;
	const struct book_cup *c = book_cup(sim->referee, &id);
	if (!c) {
		sim_fail(sim, "a tournament is shown that is not durable");
		return true;
	}
	bool finished = c->state == TOURNAMENT_FINISHED;
	if (value_find(map, "seed") && !finished)
		sim_fail(sim, "a seed is shown before the end");
	if (a->method == METHOD_TOURNAMENT_STANDINGS && finished)
		judge_table(sim, c, map);
	return true;
}
