/* SPDX-License-Identifier: MIT
 * matching.c - maximum-weight perfect matching by alternating trees.
 *
 * Every vertex has a dual, every blossom (an odd cycle that is treated as one
 * vertex while its edges are tight) one that is not negative. The slack of an
 * edge is the sum of its ends' duals less twice its weight; it is never
 * negative, and the edges in use have none. A phase grows trees of tight edges
 * from all that are still free, until two trees meet: then one more pair is
 * made. Nodes 1..n are vertices, those above are blossoms, 0 is none.
 *
 * Galil, "Efficient algorithms for finding maximum matching in graphs" (1986)
 * has the theory. */
#include "domain/matching.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <plyd/err.h>

typedef uint16_t node;

enum mark { FREE = -1, EVEN = 0, ODD = 1 }; /* distance to its tree's root */

/* The vertices that the best edge between two nodes joins. */
struct edge {
	node from, to; /* from 0: there is none */
};

struct blossom {
	node *child; /* in the order of the cycle, the base first */
	size_t count;
	node *holder; /* by vertex: the child that it is in, or 0 */
};

struct matcher {
	size_t n;   /* vertices */
	size_t cap; /* nodes, with node 0 */
	size_t top; /* the greatest node in use */
	const match_cost *cost;
	match_cost most;
	match_cost *dual;  /* by node */
	struct edge *edge; /* cap * cap */
	node *mate;        /* by node: the vertex it is paired with, or 0 */
	node *best;        /* by node: vertex of the least slack to it */
	node *outer;       /* by node: the node that it is in at last */
	node *parent;      /* by node: vertex above it in its tree */
	int8_t *mark;      /* by node: enum mark */
	uint32_t *seen;    /* by node: the search that was here last */
	uint32_t search;
	node *queue;
	size_t head, tail;
	struct blossom *blossom; /* by node - n - 1 */
	void *memory;
};

static struct edge *edge_of(const struct matcher *m, size_t u, size_t v)
{
	return &m->edge[u * m->cap + v];
}

static struct blossom *blossom_of(const struct matcher *m, size_t b)
{
	return &m->blossom[b - m->n - 1];
}

static match_cost slack_of(const struct matcher *m, const struct edge *e)
{
	match_cost weight =
		m->most - m->cost[(size_t)(e->from - 1) * m->n + e->to - 1];
	return m->dual[e->from] + m->dual[e->to] - 2 * weight;
}

static void note_best(struct matcher *m, node u, node x)
{
	if (!m->best[x] || slack_of(m, edge_of(m, u, x)) <
				   slack_of(m, edge_of(m, m->best[x], x)))
		m->best[x] = u;
}

static void find_best(struct matcher *m, node x)
{
	m->best[x] = 0;
	for (size_t u = 1; u <= m->n; u++)
		if (m->outer[u] != x && m->mark[m->outer[u]] == EVEN)
			note_best(m, (node)u, x);
}

/* All vertices of a node will be looked at. */
static void push(struct matcher *m, node x)
{
	if (x <= m->n) {
		m->queue[m->tail++] = x;
		return;
	}
	const struct blossom *b = blossom_of(m, x);
	for (size_t i = 0; i < b->count; i++)
		push(m, b->child[i]);
}

static void set_outer(struct matcher *m, node x, node outer)
{
	m->outer[x] = outer;
	if (x <= m->n)
		return;
	const struct blossom *b = blossom_of(m, x);
	for (size_t i = 0; i < b->count; i++)
		set_outer(m, b->child[i], outer);
}

static void reverse(node *at, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		node swap = at[i];
		at[i] = at[count - 1 - i];
		at[count - 1 - i] = swap;
	}
}

/* The place of a child at an even distance from the base: the cycle is turned
 * round if it was odd. */
static size_t even_place(struct blossom *b, node child)
{
	size_t i = 0;
	while (b->child[i] != child)
		i++;
	if (i % 2 == 0)
		return i;
	reverse(b->child + 1, b->count - 1);
	return b->count - i;
}

/* The child at `place` becomes the base. */
static void rotate(struct blossom *b, size_t place)
{
	reverse(b->child, place);
	reverse(b->child + place, b->count - place);
	reverse(b->child, b->count);
}

/* u is paired over its edge to v, and so are the nodes inside it. */
static void pair(struct matcher *m, node u, node v)
{
	const struct edge *e = edge_of(m, u, v);
	m->mate[u] = e->to;
	if (u <= m->n)
		return;
	struct blossom *b = blossom_of(m, u);
	node base = b->holder[e->from];
	size_t place = even_place(b, base);
	for (size_t i = 0; i < place; i++)
		pair(m, b->child[i], b->child[i ^ 1]);
	pair(m, base, v);
	rotate(b, place);
}

/* Pairs change all the way from u up to the root of its tree. */
static void augment(struct matcher *m, node u, node v)
{
	for (;;) {
		node next = m->outer[m->mate[u]];
		pair(m, u, v);
		if (!next)
			return;
		node above = m->outer[m->parent[next]];
		pair(m, next, above);
		u = above;
		v = next;
	}
}

/* Where the ways up from two nodes meet; 0: they are in two trees. */
static node meeting(struct matcher *m, node u, node v)
{
	m->search++;
	while (u || v) {
		if (u) {
			if (m->seen[u] == m->search)
				return u;
			m->seen[u] = m->search;
			u = m->outer[m->mate[u]];
			if (u)
				u = m->outer[m->parent[u]];
		}
		node swap = u;
		u = v;
		v = swap;
	}
	return 0;
}

/* The nodes from x up to `base`, without it. */
static void collect(struct matcher *m, struct blossom *b, node x, node base)
{
	while (x != base) {
		node other = m->outer[m->mate[x]];
		b->child[b->count++] = x;
		b->child[b->count++] = other;
		push(m, other);
		x = m->outer[m->parent[other]];
	}
}

/* The best edges of a blossom are the best of its children's. */
static void join_edges(struct matcher *m, node x)
{
	struct blossom *b = blossom_of(m, x);
	for (size_t v = 1; v <= m->top; v++) {
		edge_of(m, x, v)->from = 0;
		edge_of(m, v, x)->from = 0;
	}
	memset(b->holder, 0, (m->n + 1) * sizeof(node));
	for (size_t i = 0; i < b->count; i++) {
		node child = b->child[i];
		for (size_t v = 1; v <= m->top; v++) {
			const struct edge *e = edge_of(m, child, v);
			const struct edge *had = edge_of(m, x, v);
			if (!e->from ||
			    (had->from && slack_of(m, had) <= slack_of(m, e)))
				continue;
			*edge_of(m, x, v) = *e;
			*edge_of(m, v, x) = *edge_of(m, v, child);
		}
		for (size_t v = 1; v <= m->n; v++)
			if (child == v ||
			    (child > m->n && blossom_of(m, child)->holder[v]))
				b->holder[v] = child;
	}
}

/* u and v, both even and in one tree, close an odd cycle. */
static void shrink(struct matcher *m, node u, node base, node v)
{
	node x = (node)(m->n + 1);
	while (x <= m->top && m->outer[x])
		x++;
	assert(x < m->cap);
	if (x > m->top)
		m->top = x;
	struct blossom *b = blossom_of(m, x);
	m->dual[x] = 0;
	m->mark[x] = EVEN;
	m->mate[x] = m->mate[base];
	m->parent[x] = m->parent[base];
	b->count = 0;
	b->child[b->count++] = base;
	collect(m, b, u, base);
	reverse(b->child + 1, b->count - 1);
	collect(m, b, v, base);
	set_outer(m, x, x);
	join_edges(m, x);
	find_best(m, x);
}

/* An odd blossom without a dual comes apart; what lies on the way through it
 * stays in the tree. */
static void expand(struct matcher *m, node x)
{
	struct blossom *b = blossom_of(m, x);
	for (size_t i = 0; i < b->count; i++)
		set_outer(m, b->child[i], b->child[i]);
	node entry = b->holder[edge_of(m, x, m->parent[x])->from];
	size_t place = even_place(b, entry);
	for (size_t i = 0; i < place; i += 2) {
		node odd = b->child[i], even = b->child[i + 1];
		m->parent[odd] = edge_of(m, even, odd)->from;
		m->mark[odd] = ODD;
		m->mark[even] = EVEN;
		m->best[odd] = 0;
		find_best(m, even);
		push(m, even);
	}
	m->mark[entry] = ODD;
	m->parent[entry] = m->parent[x];
	for (size_t i = place + 1; i < b->count; i++) {
		m->mark[b->child[i]] = FREE;
		find_best(m, b->child[i]);
	}
	m->outer[x] = 0;
}

/* A tight edge from an even node. True: one more pair was made. */
static bool use_edge(struct matcher *m, const struct edge *e)
{
	node u = m->outer[e->from], v = m->outer[e->to];
	if (m->mark[v] == FREE) {
		node next = m->outer[m->mate[v]];
		m->parent[v] = e->from;
		m->mark[v] = ODD;
		m->best[v] = m->best[next] = 0;
		m->mark[next] = EVEN;
		push(m, next);
	} else if (m->mark[v] == EVEN) {
		node base = meeting(m, u, v);
		if (!base) {
			augment(m, u, v);
			augment(m, v, u);
			return true;
		}
		shrink(m, u, base, v);
	}
	return false;
}

static bool search_queue(struct matcher *m)
{
	while (m->head < m->tail) {
		node u = m->queue[m->head++];
		if (m->mark[m->outer[u]] == ODD)
			continue;
		for (size_t v = 1; v <= m->n; v++) {
			const struct edge *e = edge_of(m, u, v);
			if (m->outer[u] == m->outer[v])
				continue;
			if (slack_of(m, e) > 0)
				note_best(m, u, m->outer[v]);
			else if (use_edge(m, e))
				return true;
		}
	}
	return false;
}

static void least(match_cost *step, match_cost candidate)
{
	if (*step < 0 || candidate < *step)
		*step = candidate;
}

/* How far the duals can move until an edge becomes tight or a blossom's dual
 * is used up. */
static match_cost dual_step(const struct matcher *m)
{
	match_cost step = -1;
	for (size_t x = 1; x <= m->top; x++) {
		if (m->outer[x] != x)
			continue;
		if (x > m->n && m->mark[x] == ODD)
			least(&step, m->dual[x] / 2);
		if (!m->best[x] || m->mark[x] == ODD)
			continue;
		match_cost slack = slack_of(m, edge_of(m, m->best[x], x));
		least(&step, m->mark[x] == FREE ? slack : slack / 2);
	}
	assert(step >= 0);
	return step;
}

static void move_duals(struct matcher *m, match_cost step)
{
	for (size_t x = 1; x <= m->top; x++) {
		int mark = m->mark[m->outer[x]];
		if (x <= m->n && mark == EVEN)
			m->dual[x] -= step;
		else if (x <= m->n && mark == ODD)
			m->dual[x] += step;
		else if (x > m->n && m->outer[x] == x && mark == EVEN)
			m->dual[x] += 2 * step;
		else if (x > m->n && m->outer[x] == x && mark == ODD)
			m->dual[x] -= 2 * step;
	}
}

static bool use_tight(struct matcher *m)
{
	m->head = m->tail = 0;
	for (size_t x = 1; x <= m->top; x++) {
		if (m->outer[x] != x || !m->best[x] ||
		    m->outer[m->best[x]] == x)
			continue;
		const struct edge *e = edge_of(m, m->best[x], x);
		if (slack_of(m, e) == 0 && use_edge(m, e))
			return true;
	}
	for (size_t x = m->n + 1; x <= m->top; x++)
		if (m->outer[x] == x && m->mark[x] == ODD && m->dual[x] == 0)
			expand(m, (node)x);
	return false;
}

/* One more pair. False: all are paired. */
static bool phase(struct matcher *m)
{
	m->head = m->tail = 0;
	for (size_t x = 1; x <= m->top; x++) {
		m->mark[x] = FREE;
		m->best[x] = 0;
	}
	for (size_t x = 1; x <= m->top; x++) {
		if (m->outer[x] != x || m->mate[x])
			continue;
		m->parent[x] = 0;
		m->mark[x] = EVEN;
		push(m, (node)x);
	}
	if (m->tail == 0)
		return false;
	for (;;) {
		if (search_queue(m))
			return true;
		move_duals(m, dual_step(m));
		if (use_tight(m))
			return true;
	}
}

/* Hands out pieces of one allocation, or, while at is NULL, counts them. */
struct pieces {
	uint8_t *at;
	size_t used;
};

static void *piece(struct pieces *p, size_t count, size_t bytes)
{
	void *start = p->at ? p->at + p->used : NULL;
	size_t align = sizeof(match_cost);
	p->used += (count * bytes + align - 1) / align * align;
	return start;
}

static void lay_out(struct matcher *m, struct pieces *p)
{
	size_t cap = m->cap, blossoms = cap - m->n - 1;
	m->dual = piece(p, cap, sizeof(*m->dual));
	m->edge = piece(p, cap * cap, sizeof(*m->edge));
	m->mate = piece(p, cap, sizeof(node));
	m->best = piece(p, cap, sizeof(node));
	m->outer = piece(p, cap, sizeof(node));
	m->parent = piece(p, cap, sizeof(node));
	m->mark = piece(p, cap, sizeof(*m->mark));
	m->seen = piece(p, cap, sizeof(*m->seen));
	m->queue = piece(p, m->n + 1, sizeof(node));
	m->blossom = piece(p, blossoms, sizeof(*m->blossom));
	node *children = piece(p, blossoms * (m->n + 1), sizeof(node));
	node *holders = piece(p, blossoms * (m->n + 1), sizeof(node));
	for (size_t b = 0; p->at && b < blossoms; b++) {
		m->blossom[b].child = children + b * (m->n + 1);
		m->blossom[b].holder = holders + b * (m->n + 1);
	}
}

static void begin(struct matcher *m)
{
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++)
			if (i != j && m->cost[i * m->n + j] > m->most)
				m->most = m->cost[i * m->n + j];
	for (size_t u = 1; u <= m->n; u++) {
		m->dual[u] = m->most;
		m->outer[u] = (node)u;
		for (size_t v = 1; v <= m->n; v++)
			if (u != v)
				*edge_of(m, u, v) =
					(struct edge){ (node)u, (node)v };
	}
	m->top = m->n;
}

int matching_least(size_t count, const match_cost *cost, uint16_t *mate)
{
	assert(count % 2 == 0 && count <= MATCHING_MAX);
	struct matcher m = { .n = count,
			     .cap = count + count / 2 + 1,
			     .cost = cost };
	struct pieces p = { NULL, 0 };
	if (count == 0)
		return PLYD_OK;
	lay_out(&m, &p);
	p.at = calloc(1, p.used);
	if (!p.at)
		return PLYD_ENOMEM;
	p.used = 0;
	lay_out(&m, &p);
	begin(&m);
	while (phase(&m))
		;
	for (size_t i = 0; i < count; i++)
		mate[i] = (uint16_t)(m.mate[i + 1] - 1);
	free(p.at);
	return PLYD_OK;
}
