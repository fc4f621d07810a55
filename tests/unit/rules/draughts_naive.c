/* SPDX-License-Identifier: MIT */
#include "draughts_naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/options_priv.h"

/* What a square holds. JUMPED is a captured piece that still stands there. */
enum { EMPTY, MAN, KING, JUMPED };

struct square {
	int what;
	int side;
};

struct board {
	struct square at[8][8]; /* [rank][file] */
};

struct path {
	int legs, rank[32], file[32];
	int taken;
	int last_dr, last_df;
	int began_as_king;
	int is_king;
};

struct maker {
	const struct draughts_options *o;
	int side;
	struct naive_move *out;
	int *worth;
	int count;
};

/* ---- boards ------------------------------------------------------------ */

static struct board board_from(const struct position *pos)
{
	struct board b;
	for (int i = 0; i < 64; i++) {
		struct square *s = &b.at[i / 8][i % 8];
		*s = (struct square){ EMPTY, -1 };
		for (int side = 0; side < 2; side++) {
			if (pos->draughts.pieces[side] >> i & 1)
				*s = (struct square){ pos->draughts.kings >> i &
								      1
							      ? KING
							      : MAN,
						      side };
		}
	}
	return b;
}

static struct position board_position(const struct board *b, int side)
{
	struct position pos;
	memset(&pos, 0, sizeof(pos));
	pos.side = (uint8_t)side;
	for (int i = 0; i < 64; i++) {
		struct square s = b->at[i / 8][i % 8];
		if (s.what != MAN && s.what != KING)
			continue;
		pos.draughts.pieces[s.side] |= UINT64_C(1) << i;
		if (s.what == KING)
			pos.draughts.kings |= UINT64_C(1) << i;
	}
	return pos;
}

static int on_board(const struct maker *m, int rank, int file)
{
	if (rank < 0 || rank > 7 || file < 0 || file > 7)
		return 0;
	return m->o->squares == SQUARES_ALL || (rank + file) % 2 == 0;
}

static int is_empty(const struct maker *m, const struct board *b, int rank,
		    int file)
{
	return on_board(m, rank, file) && b->at[rank][file].what == EMPTY;
}

static int last_rank(int side)
{
	return side == WHITE ? 7 : 0;
}

/* ---- directions -------------------------------------------------------- */

static int may_go(const struct maker *m, int king, int capturing, int dr,
		  int df)
{
	int diagonal = dr != 0 && df != 0;
	int forward = dr == (m->side == WHITE ? 1 : -1);
	if (diagonal == (m->o->man_step == MAN_STEP_FORWARD_SIDEWAYS))
		return 0;
	if (king || forward)
		return 1;
	if (!diagonal)
		return dr == 0;
	return capturing && m->o->man_capture == MAN_CAPTURE_ANY;
}

/* ---- keeping moves ----------------------------------------------------- */

static void square_name(const struct maker *m, int rank, int file, char *out)
{
	/* the row of square 1 is black's first, its columns run leftwards */
	if (m->o->notation == NOTATION_NUMERIC)
		sprintf(out, "%d", (7 - rank) * 4 + file / 2 + 1);
	else
		sprintf(out, "%c%c", 'a' + file, '1' + rank);
}

static void keep(struct maker *m, const struct board *b, const struct path *p)
{
	char name[16];
	struct board after = *b;
	int king = p->is_king;
	int rank = p->rank[p->legs], file = p->file[p->legs];
	int worth = 0;
	if (m->count == NAIVE_MOVES_MAX || m->count < 0) {
		m->count = -1;
		return;
	}
	struct naive_move *move = &m->out[m->count];
	move->text[0] = '\0';
	for (int i = 0; i <= p->legs; i++) {
		square_name(m, p->rank[i], p->file[i], name);
		if (i > 0)
			strcat(move->text, p->taken ? "x" : "-");
		strcat(move->text, name);
	}
	if (rank == last_rank(m->side))
		king = 1;
	for (int i = 0; i < 64; i++) {
		if (after.at[i / 8][i % 8].what == JUMPED)
			after.at[i / 8][i % 8].what = EMPTY;
	}
	after.at[rank][file] = (struct square){ king ? KING : MAN, m->side };
	move->after = board_position(&after, 1 - m->side);
	if (p->taken == 0)
		worth = 0;
	else if (m->o->majority == MAJORITY_NUMBER)
		worth = p->taken;
	else if (m->o->majority == MAJORITY_QUALITY)
		worth = 100 * p->taken + p->began_as_king;
	else if (m->o->majority == MAJORITY_KING)
		worth = p->began_as_king;
	m->worth[m->count++] = worth;
}

/* ---- captures ---------------------------------------------------------- */

static int capture_on(struct maker *m, const struct board *b,
		      const struct path *p, int dry);

static int may_jump(const struct maker *m, const struct path *p,
		    struct square s)
{
	if ((s.what != MAN && s.what != KING) || s.side == m->side)
		return 0;
	return p->is_king || s.what == MAN ||
	       m->o->men_capture_kings == OPTION_TRUE;
}

/* The board and path after the jump over (jr, jf) to (tr, tf). */
static int land(struct maker *m, const struct board *b, const struct path *p,
		const int j[6], int dry)
{
	struct board next = *b;
	struct path q = *p;
	struct square *jumped = &next.at[j[0]][j[1]];
	jumped->what = m->o->removal == REMOVAL_AT_END ? JUMPED : EMPTY;
	q.legs++;
	q.taken++;
	q.rank[q.legs] = j[2];
	q.file[q.legs] = j[3];
	q.last_dr = j[4];
	q.last_df = j[5];
	if (!q.is_king && j[2] == last_rank(m->side)) {
		if (m->o->promotion == PROMOTION_STOPS) {
			if (!dry)
				keep(m, &next, &q);
			return 0;
		}
		if (m->o->promotion == PROMOTION_CONTINUES)
			q.is_king = 1;
	}
	int more = capture_on(m, &next, &q, dry);
	if (!more && !dry)
		keep(m, &next, &q);
	return more;
}

/* All landings behind one piece; those that end early are left out where others
 * go on and no number is due. */
static int jump_over(struct maker *m, const struct board *b,
		     const struct path *p, int r, int f, int dr, int df,
		     int flies, int dry)
{
	int landings = 0, going_on = 0;
	int choosy = flies && (m->o->majority == MAJORITY_NONE ||
			       m->o->majority == MAJORITY_KING);
	if (dry)
		return is_empty(m, b, r + dr, f + df);
	for (int pass = 0; pass < 2; pass++) {
		int tr = r + dr, tf = f + df;
		while (is_empty(m, b, tr, tf)) {
			int j[6] = { r, f, tr, tf, dr, df };
			if (pass == 0) {
				landings++;
				going_on += choosy && land(m, b, p, j, 1);
			} else if (!going_on || land(m, b, p, j, 1)) {
				land(m, b, p, j, 0);
			}
			if (!flies)
				break;
			tr += dr;
			tf += df;
		}
	}
	return landings > 0;
}

/* Goes on from the end of p; returns whether it could. dry: only asks. */
static int capture_on(struct maker *m, const struct board *b,
		      const struct path *p, int dry)
{
	int any = 0;
	int flies = p->is_king && m->o->king == KING_FLYING;
	for (int i = 0; i < 9; i++) {
		int dr = i / 3 - 1, df = i % 3 - 1;
		int r = p->rank[p->legs] + dr, f = p->file[p->legs] + df;
		if (i == 4 || !may_go(m, p->is_king, 1, dr, df))
			continue;
		if (m->o->turn_back == OPTION_FALSE && p->taken > 0 &&
		    dr == -p->last_dr && df == -p->last_df)
			continue;
		while (flies && is_empty(m, b, r, f)) {
			r += dr;
			f += df;
		}
		if (on_board(m, r, f) && may_jump(m, p, b->at[r][f]))
			any |= jump_over(m, b, p, r, f, dr, df, flies, dry);
	}
	return any;
}

/* ---- steps ------------------------------------------------------------- */

static void steps_of(struct maker *m, const struct board *b,
		     const struct path *p)
{
	int flies = p->is_king && m->o->king == KING_FLYING;
	for (int i = 0; i < 9; i++) {
		int dr = i / 3 - 1, df = i % 3 - 1;
		int r = p->rank[0] + dr, f = p->file[0] + df;
		if (i == 4 || !may_go(m, p->is_king, 0, dr, df))
			continue;
		while (is_empty(m, b, r, f)) {
			struct path q = *p;
			q.legs = 1;
			q.rank[1] = r;
			q.file[1] = f;
			keep(m, b, &q);
			if (!flies)
				break;
			r += dr;
			f += df;
		}
	}
}

/* ---- everything -------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
	const struct naive_move *x = a, *y = b;
	return strcmp(x->text, y->text);
}

static void all_of(struct maker *m, const struct board *b, int captures)
{
	for (int i = 0; i < 64; i++) {
		struct board lifted = *b;
		struct square *s = &lifted.at[i / 8][i % 8];
		struct path p = { .rank = { i / 8 }, .file = { i % 8 } };
		if (s->what == EMPTY || s->side != m->side)
			continue;
		p.is_king = p.began_as_king = s->what == KING;
		s->what = EMPTY;
		if (captures)
			capture_on(m, &lifted, &p, 0);
		else
			steps_of(m, &lifted, &p);
	}
}

int naive_moves(const struct ruleset *rs, const struct position *pos,
		struct naive_move *out)
{
	static int worth[NAIVE_MOVES_MAX];
	struct maker m = { &rs->draughts, pos->side, out, worth, 0 };
	struct board b = board_from(pos);
	int best = 0, kept = 0;
	all_of(&m, &b, 1);
	if (m.count == 0)
		all_of(&m, &b, 0);
	for (int i = 0; i < m.count; i++)
		best = worth[i] > best ? worth[i] : best;
	for (int i = 0; i < m.count; i++) {
		if (worth[i] == best)
			out[kept++] = out[i];
	}
	if (m.count < 0)
		return -1;
	qsort(out, (size_t)kept, sizeof(*out), by_text);
	return kept;
}
