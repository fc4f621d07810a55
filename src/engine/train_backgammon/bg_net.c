/* SPDX-License-Identifier: MIT */
#include "engine/train_backgammon/bg_net.h"

#include "engine/backgammon_bearoff.h"
#include "engine/backgammon_tables.h"

#include <math.h>
#include <string.h>

#define OFF_SCALE 0.25f
#define SPREAD    0.08f

enum { BAR = 25 };

struct inputs {
	int count;
	uint16_t row[BACKGAMMON_ROWS_SET_MAX];
	int16_t measure[BACKGAMMON_MEASURES_BOTH];
};

struct layer {
	bg_vec sum[BG_VECS];    /* what enters the hidden units */
	bg_vec hidden[BG_VECS]; /* what leaves them */
};

bg_vec bg_random_vec(struct bg_rng *rng, float size)
{
	bg_vec v;
	for (int i = 0; i < BG_LANES; i++)
		v[i] = size * (float)(2 * bg_unit(rng) - 1);
	return v;
}

static void net_init(struct bg_net *n, struct bg_rng *rng)
{
	memset(n, 0, sizeof(*n));
	for (int v = 0; v < BG_VECS; v++) {
		for (int u = 0; u < BACKGAMMON_ROWS;
		     u += BACKGAMMON_COUNT_MAX) {
			bg_vec one = bg_random_vec(rng, SPREAD);
			for (int c = 0; c < BACKGAMMON_COUNT_MAX &&
					u + c < BACKGAMMON_POINT_ROWS;
			     c++)
				n->row[u + c][v] = one * spread((float)(c + 1));
		}
		for (int i = 0; i < BACKGAMMON_MEASURES_BOTH; i++)
			n->measure[i][v] = bg_random_vec(rng, SPREAD);
		n->bias[v] = bg_random_vec(rng, SPREAD);
		for (int k = 0; k < BG_OUTPUTS; k++)
			n->out[k][v] = bg_random_vec(rng, SPREAD);
	}
}

void bg_nets_init(struct bg_nets *n, struct bg_rng *rng)
{
	net_init(&n->plan[0], rng);
	for (int i = 1; i < PLAN_COUNT; i++)
		n->plan[i] = n->plan[0];
}

/* ---- forward ----------------------------------------------------------- */

static void forward(const struct bg_net *net, const struct inputs *in,
		    struct layer *l)
{
	bg_vec sum[BG_VECS];
	memcpy(sum, net->bias, sizeof(sum));
	for (int r = 0; r < in->count; r++)
		for (int v = 0; v < BG_VECS; v++)
			sum[v] += net->row[in->row[r]][v];
	for (int i = 0; i < BACKGAMMON_MEASURES_BOTH; i++) {
		if (in->measure[i] == 0)
			continue;
		bg_vec x = spread((float)in->measure[i] * BG_MEASURE_SCALE);
		for (int v = 0; v < BG_VECS; v++)
			sum[v] += net->measure[i][v] * x;
	}
	for (int v = 0; v < BG_VECS; v++) {
		l->sum[v] = sum[v];
		l->hidden[v] = squash(sum[v]);
	}
}

static struct bg_chances outputs(const struct bg_net *net,
				 const struct layer *l)
{
	struct bg_chances c;
	for (int k = 0; k < BG_OUTPUTS; k++) {
		bg_vec s = net->out[k][0] * l->hidden[0];
		for (int v = 1; v < BG_VECS; v++)
			s += net->out[k][v] * l->hidden[v];
		float x = net->out_bias[k] + total(s);
		c.p[k] = 1 / (1 + expf(-x));
	}
	return c;
}

static const struct bg_net *net_for(const struct bg_nets *n,
				    const struct bg_board *b, struct inputs *in)
{
	enum backgammon_plan plan =
		backgammon_measure(b->own, b->foe, in->measure);
	in->count = backgammon_rows(b->own, b->foe, in->row);
	return &n->plan[plan];
}

/* ---- judgement --------------------------------------------------------- */

static bool all_home(const uint8_t *point)
{
	for (int p = BEAROFF_POINTS + 1; p <= BAR; p++)
		if (point[p])
			return false;
	return true;
}

bool bg_exact(const struct bg_board *b)
{
	return b->foe[0] == BEAROFF_CHECKERS ||
	       (all_home(b->own) && all_home(b->foe));
}

static struct bg_chances exact(const struct bg_board *b)
{
	struct bg_chances c = { { 0 } };
	if (b->foe[0] == BEAROFF_CHECKERS) {
		int points = bg_points(b->own);
		c.p[BG_LOSE_GAMMON] = points >= 2;
		c.p[BG_LOSE_BG] = points >= 3;
		return c;
	}
	struct bearoff_chances e;
	bearoff_find(b->own, b->foe, &e);
	c.p[BG_WIN] = (float)e.win / BEAROFF_ONE;
	c.p[BG_WIN_GAMMON] = (float)e.win_gammon / BEAROFF_ONE;
	c.p[BG_LOSE_GAMMON] = (float)e.lose_gammon / BEAROFF_ONE;
	return c;
}

/* No chance is greater than one that it is part of. */
static void make_sane(const struct bg_board *b, struct bg_chances *c)
{
	float *p = c->p;
	if (b->foe[0])
		p[BG_WIN_GAMMON] = p[BG_WIN_BG] = 0;
	if (b->own[0])
		p[BG_LOSE_GAMMON] = p[BG_LOSE_BG] = 0;
	p[BG_WIN_GAMMON] = fminf(p[BG_WIN_GAMMON], p[BG_WIN]);
	p[BG_WIN_BG] = fminf(p[BG_WIN_BG], p[BG_WIN_GAMMON]);
	p[BG_LOSE_GAMMON] = fminf(p[BG_LOSE_GAMMON], 1 - p[BG_WIN]);
	p[BG_LOSE_BG] = fminf(p[BG_LOSE_BG], p[BG_LOSE_GAMMON]);
}

struct bg_chances bg_judge(const struct bg_nets *n, const struct bg_board *b)
{
	if (bg_exact(b))
		return exact(b);
	struct inputs in;
	const struct bg_net *net = net_for(n, b, &in);
	struct layer l;
	forward(net, &in, &l);
	struct bg_chances c = outputs(net, &l);
	make_sane(b, &c);
	return c;
}

float bg_equity(const struct bg_chances *c)
{
	return 2 * c->p[BG_WIN] - 1 + c->p[BG_WIN_GAMMON] + c->p[BG_WIN_BG] -
	       c->p[BG_LOSE_GAMMON] - c->p[BG_LOSE_BG];
}

struct bg_chances bg_turned(const struct bg_chances *c)
{
	return (struct bg_chances){ { 1 - c->p[BG_WIN], c->p[BG_LOSE_GAMMON],
				      c->p[BG_LOSE_BG], c->p[BG_WIN_GAMMON],
				      c->p[BG_WIN_BG] } };
}

/* ---- learning ---------------------------------------------------------- */

/* What is learned of n checkers is learned of m to the degree min(n, m), as
 * if there were an input for every checker. */
static void learn_rows(bg_vec (*row)[BG_VECS], int n, int most,
		       const bg_vec *step)
{
	for (int m = 1; m <= most; m++) {
		bg_vec x = spread((float)(m < n ? m : n));
		for (int v = 0; v < BG_VECS; v++)
			row[m - 1][v] += step[v] * x;
	}
}

/* Whether an output can be anything but 0. */
static bool possible(const struct bg_board *b, int k)
{
	if (k == BG_WIN_GAMMON || k == BG_WIN_BG)
		return b->foe[0] == 0;
	if (k == BG_LOSE_GAMMON || k == BG_LOSE_BG)
		return b->own[0] == 0;
	return true;
}

/* What one position says about a net, to be added to its weights. */
struct lesson {
	struct inputs in;
	float error[BG_OUTPUTS];
	bg_vec hidden[BG_VECS];
	bg_vec back[BG_VECS]; /* the error of what enters the hidden units */
};

static enum backgammon_plan learn_from(const struct bg_nets *n,
				       const struct bg_board *b,
				       const struct bg_chances *target,
				       float rate, struct lesson *out)
{
	const struct bg_net *net = net_for(n, b, &out->in);
	struct layer l;
	forward(net, &out->in, &l);
	struct bg_chances c = outputs(net, &l);
	memcpy(out->hidden, l.hidden, sizeof(l.hidden));
	memset(out->back, 0, sizeof(out->back));
	for (int k = 0; k < BG_OUTPUTS; k++) {
		float e = possible(b, k) ? rate * (target->p[k] - c.p[k]) : 0;
		out->error[k] = e;
		for (int v = 0; v < BG_VECS; v++)
			out->back[v] += net->out[k][v] * spread(e);
	}
	for (int v = 0; v < BG_VECS; v++)
		out->back[v] *= slope(l.sum[v]);
	return (enum backgammon_plan)(net - n->plan);
}

/* Adds it, but for the rows. */
static void add_lesson(struct bg_net *net, const struct lesson *x)
{
	for (int k = 0; k < BG_OUTPUTS; k++) {
		net->out_bias[k] += x->error[k];
		for (int v = 0; v < BG_VECS; v++)
			net->out[k][v] += x->hidden[v] * spread(x->error[k]);
	}
	for (int v = 0; v < BG_VECS; v++)
		net->bias[v] += x->back[v];
	for (int i = 0; i < BACKGAMMON_MEASURES_BOTH; i++) {
		if (x->in.measure[i] == 0)
			continue;
		bg_vec m = spread((float)x->in.measure[i] * BG_MEASURE_SCALE);
		for (int v = 0; v < BG_VECS; v++)
			net->measure[i][v] += x->back[v] * m;
	}
}

void bg_learn(struct bg_nets *n, const struct bg_board *b,
	      const struct bg_chances *target, float rate)
{
	struct lesson x;
	struct bg_net *net = &n->plan[learn_from(n, b, target, rate, &x)];
	bg_vec off[BG_VECS];
	add_lesson(net, &x);
	for (int v = 0; v < BG_VECS; v++)
		off[v] = x.back[v] * spread(OFF_SCALE * OFF_SCALE);
	for (int r = 0; r < x.in.count; r++) {
		int i = x.in.row[r];
		int first = bg_row_first(i);
		learn_rows(&net->row[first], i - first + 1, bg_row_count(i),
			   i < BACKGAMMON_POINT_ROWS ? x.back : off);
	}
}

enum backgammon_plan bg_gradient(const struct bg_nets *n,
				 const struct bg_board *b,
				 const struct bg_chances *target,
				 struct bg_nets *sum)
{
	struct lesson x;
	enum backgammon_plan plan = learn_from(n, b, target, 1, &x);
	struct bg_net *net = &sum->plan[plan];
	add_lesson(net, &x);
	for (int r = 0; r < x.in.count; r++)
		for (int v = 0; v < BG_VECS; v++)
			net->row[x.in.row[r]][v] += x.back[v];
	return plan;
}
