/* SPDX-License-Identifier: MIT
 * Judges a move text. Every way to play its words is walked: a word is begun
 * when all before it are, its later dice may be played after later words have
 * begun, and one written step may take several dice. A way that reaches the end
 * is a reading. If there is none, the refusal is that of the way that came
 * farthest; else the readings must name one legal turn. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "rules/backgammon_priv.h"

/* Two dice, at most two words that matter, and each hop by one die or both:
 * fewer than this many readings with different results. */
enum { READINGS_MAX = 16 };

/* The text on its way. */
struct way {
	struct board board;
	uint8_t left[2];         /* dice of each kind not yet played */
	uint8_t begun;           /* words */
	uint8_t here[WORDS_MAX]; /* where each word's checker is */
	uint8_t next[WORDS_MAX]; /* the point of the word to reach next */
	uint8_t hits[WORDS_MAX];
	bool muted[WORDS_MAX]; /* this step was judged as one die already */
	uint8_t hop[HOPS_MAX][2];
	uint8_t hops;
};

struct reading {
	uint64_t word[2]; /* the result, as in struct board */
	uint8_t hop[HOPS_MAX][2];
	uint8_t hops;
};

struct check {
	const struct position *pos;
	size_t words;
	struct word word[WORDS_MAX];
	/* the farthest way that failed */
	enum reason reason;
	int depth, from, to;
	/* the readings that agree best with the stars */
	unsigned off_stars;
	size_t readings;
	struct reading reading[READINGS_MAX];
};

/* ---- one step ---------------------------------------------------------- */

/* Whether the dice that are left, less one of kind `used` (or -1), can add up
 * to this distance; to bear off, to more. */
static bool dice_reach(const struct check *c, const struct way *w, int used,
		       int distance, bool off)
{
	int count[2] = { w->left[0], w->left[1] };
	if (used >= 0)
		count[used]--;
	for (int i = 0; i <= count[0]; i++) {
		for (int j = 0; j <= count[1]; j++) {
			int sum = i * c->pos->dice[0] + j * c->pos->dice[1];
			if (i + j > 0 &&
			    (sum == distance || (off && sum > distance)))
				return true;
		}
	}
	return false;
}

/* Why no die at all can begin this step, or REASON_NONE. */
static enum reason step_reason(const struct check *c, const struct way *w,
			       int from, int to)
{
	if (board_count(&w->board, from) == 0)
		return REASON_NO_CHECKER;
	if (from != BAR && board_count(&w->board, BAR) > 0)
		return REASON_BAR_FIRST;
	if (to >= from || !dice_reach(c, w, -1, from - to, to == OFF))
		return REASON_NO_SUCH_DIE;
	return REASON_NONE;
}

/* Why a checker may not go by this die now, or REASON_NONE. */
static enum reason hop_reason(const struct board *b, int from, int die)
{
	int to = hop_end(from, die);
	if (board_movable(b, die) >> from & 1)
		return REASON_NONE;
	if (to != OFF)
		return b->open >> to & 1 ? REASON_HIT_AND_HIDE
					 : REASON_POINT_BLOCKED;
	if (b->occupied >> (HOME + 1))
		return REASON_NOT_ALL_HOME;
	if (from < die && highest_point(b->occupied) > from)
		return REASON_CHECKER_FURTHER_BACK;
	return REASON_HIT_AND_HIDE;
}

static void failed(struct check *c, const struct way *w, enum reason reason,
		   int from, int to)
{
	if (c->depth >= (int)w->hops)
		return;
	c->depth = w->hops;
	c->reason = reason;
	c->from = from;
	c->to = to;
}

/* What later words can mend: others enter, come home, or leave the point. */
static bool mendable(enum reason reason)
{
	return reason == REASON_NONE || reason == REASON_BAR_FIRST ||
	       reason == REASON_NOT_ALL_HOME ||
	       reason == REASON_CHECKER_FURTHER_BACK ||
	       reason == REASON_HIT_AND_HIDE;
}

/* ---- the walk ---------------------------------------------------------- */

static void walk(struct check *c, const struct way *w);

static void play(struct check *c, const struct way *w, size_t i, int kind,
		 bool muted)
{
	struct way next = *w;
	const struct word *word = &c->word[i];
	int from = w->here[i];
	int to = hop_end(from, c->pos->dice[kind]);
	assert(next.hops < HOPS_MAX);
	if (i == w->begun)
		next.begun++;
	next.left[kind]--;
	next.hits[i] += board_hop(&next.board, from, to);
	next.here[i] = (uint8_t)to;
	next.hop[next.hops][0] = (uint8_t)from;
	next.hop[next.hops][1] = (uint8_t)to;
	next.hops++;
	next.muted[i] = muted;
	if (to == word->at[w->next[i]]) {
		next.next[i]++;
		next.muted[i] = false;
	}
	walk(c, &next);
}

/* Whether a die of this kind can be the step's first, for its length alone; if
 * so, *alone says whether it is the step's only one. */
static bool die_fits(const struct check *c, const struct way *w, int from,
		     int to, int kind, bool *alone)
{
	int end = hop_end(from, c->pos->dice[kind]);
	if (w->left[kind] == 0 || end < to)
		return false;
	*alone = end == to;
	return *alone || dice_reach(c, w, kind, end - to, to == OFF);
}

/* Tries every die for the next hop of word i. Returns false if the text cannot
 * be played to its end from here. A step that one die could be is judged by
 * that die: its two-dice way then fails silently. */
static bool go_on(struct check *c, const struct way *w, size_t i)
{
	int from = w->here[i], to = c->word[i].at[w->next[i]];
	bool muted = w->muted[i], alive = false;
	enum reason reason = step_reason(c, w, from, to);
	if (reason != REASON_NONE) {
		if (!muted)
			failed(c, w, reason, from, to);
		return mendable(reason);
	}
	for (int pass = 1; pass >= 0; pass--) { /* one die alone, then more */
		for (int kind = 0; kind < 2; kind++) {
			bool alone;
			if (!die_fits(c, w, from, to, kind, &alone) ||
			    alone != pass)
				continue;
			int die = c->pos->dice[kind];
			reason = hop_reason(&w->board, from, die);
			if (reason == REASON_NONE)
				play(c, w, i, kind, muted);
			else if (!muted)
				failed(c, w, reason, from, hop_end(from, die));
			alive = alive || mendable(reason);
			muted = muted || alone;
		}
	}
	return alive;
}

static bool finished(const struct check *c, const struct way *w, size_t i)
{
	return w->next[i] == c->word[i].points;
}

static void read_way(struct check *c, const struct way *w)
{
	unsigned off = 0;
	for (size_t i = 0; i < c->words; i++)
		off += (unsigned)(w->hits[i] > c->word[i].stars
					  ? w->hits[i] - c->word[i].stars
					  : c->word[i].stars - w->hits[i]);
	if (c->readings > 0 && off > c->off_stars)
		return;
	if (off < c->off_stars)
		c->readings = 0;
	c->off_stars = off;
	for (size_t i = 0; i < c->readings; i++) {
		struct reading *r = &c->reading[i];
		if (r->hops == w->hops && r->word[0] == w->board.word[0] &&
		    r->word[1] == w->board.word[1])
			return;
	}
	assert(c->readings < READINGS_MAX);
	struct reading *r = &c->reading[c->readings++];
	memcpy(r->word, w->board.word, sizeof(r->word));
	memcpy(r->hop, w->hop, sizeof(r->hop));
	r->hops = w->hops;
}

static void walk(struct check *c, const struct way *w)
{
	bool done = w->begun == c->words;
	for (size_t i = 0; i < w->begun; i++) {
		if (finished(c, w, i))
			continue;
		done = false;
		if (!go_on(c, w, i))
			return;
	}
	if (w->begun < c->words)
		go_on(c, w, w->begun);
	if (done)
		read_way(c, w);
}

/* ---- refusals ---------------------------------------------------------- */

static void at_hop(struct refusal *why, int step, int from, int to)
{
	why->step = step;
	snprintf(why->from, sizeof(why->from), "%s", point_text(from));
	snprintf(why->to, sizeof(why->to), "%s", point_text(to));
}

static void turn_text(const struct turn *turn, char out[MOVE_TEXT_MAX])
{
	struct move move;
	move_of_turn(turn, &move);
	backgammon_move_text(NULL, NULL, &move, out);
}

/* Whether every hop of the reading is one of the turn's. */
static bool turn_has(const struct turn *turn, const struct reading *r)
{
	unsigned used = 0;
	for (unsigned i = 0; i < r->hops; i++) {
		unsigned j = 0;
		while (j < turn->hops &&
		       ((used >> j & 1) ||
			memcmp(turn->hop[j], r->hop[i], 2) != 0))
			j++;
		if (j == turn->hops)
			return false;
		used |= 1u << j;
	}
	return true;
}

/* How many dice can be played, and one way: one that goes on from what was
 * written, if there is one. */
static void say_one_way(struct refusal *why, const struct turns *legal,
			const struct reading *r)
{
	size_t i = 0;
	char text[MOVE_TEXT_MAX];
	if (legal->count == 0)
		return;
	while (r && i < legal->count && !turn_has(&legal->turn[i], r))
		i++;
	turn_text(&legal->turn[i < legal->count ? i : 0], text);
	snprintf(why->detail, sizeof(why->detail), "%u %s: %s", legal->hops,
		 legal->hops == 1 ? "die" : "dice", text);
}

static int refuse_bad_text(struct refusal *why, const char *text, size_t len,
			   size_t offset)
{
	size_t at = 0;
	why->reason = REASON_BAD_NOTATION;
	for (; offset < len && text[offset] != ' ' && at < MOVE_TEXT_MAX;
	     offset++) {
		char c = text[offset];
		why->detail[at++] = c > ' ' && c <= '~' ? c : '?';
	}
	why->detail[at] = '\0';
	return PLYD_EILLEGAL;
}

static int refuse_hop(const struct check *c, const struct turns *legal,
		      struct refusal *why)
{
	why->reason = c->reason;
	at_hop(why, c->depth + 1, c->from, c->to);
	if (c->reason == REASON_HIT_AND_HIDE && c->to == OFF)
		say_one_way(why, legal, NULL);
	else
		snprintf(why->detail, sizeof(why->detail), "%s/%s", why->from,
			 why->to);
	return PLYD_EILLEGAL;
}

/* All hops can be played, but the turn is not one of the legal ones. */
static int refuse_turn(const struct check *c, const struct turns *legal,
		       struct refusal *why)
{
	const struct reading *r = &c->reading[0];
	bool fewer = r->hops < legal->hops;
	int last = fewer ? r->hops - 1 : 0;
	why->reason = fewer ? REASON_DICE_UNUSED : REASON_LARGER_DIE;
	at_hop(why, last + 1, r->hop[last][0], r->hop[last][1]);
	say_one_way(why, legal, fewer ? r : NULL);
	return PLYD_EILLEGAL;
}

static int refuse_readings(const struct turn *const named[], size_t count,
			   struct refusal *why)
{
	size_t at = 0;
	why->reason = REASON_BAD_NOTATION;
	for (size_t i = 0; i < count; i++) {
		char text[MOVE_TEXT_MAX];
		turn_text(named[i], text);
		if (at + strlen(text) + 5 > sizeof(why->detail))
			break;
		at += (size_t)snprintf(why->detail + at,
				       sizeof(why->detail) - at, "%s%s",
				       i > 0 ? " or " : "", text);
	}
	return PLYD_EILLEGAL;
}

/* ---- the judgement ----------------------------------------------------- */

static const struct turn *turn_of(const struct turns *legal,
				  const struct reading *r)
{
	for (size_t i = 0; i < legal->count; i++) {
		const struct turn *t = &legal->turn[i];
		if (t->word[0] == r->word[0] && t->word[1] == r->word[1])
			return t;
	}
	return NULL;
}

static int judge(const struct check *c, const struct turns *legal,
		 struct move *out, struct refusal *why)
{
	const struct turn *named[READINGS_MAX];
	size_t count = 0;
	for (size_t i = 0; i < c->readings; i++) {
		const struct turn *t = turn_of(legal, &c->reading[i]);
		size_t j = 0;
		while (t && j < count && named[j] != t)
			j++;
		if (t && j == count)
			named[count++] = t;
	}
	if (c->readings == 0)
		return refuse_hop(c, legal, why);
	if (count == 0)
		return refuse_turn(c, legal, why);
	if (count > 1)
		return refuse_readings(named, count, why);
	move_of_turn(named[0], out);
	return PLYD_OK;
}

int backgammon_check(const struct ruleset *rs, const struct position *pos,
		     const char *text, size_t len, struct move *out,
		     struct refusal *why)
{
	struct check c = { .pos = pos, .depth = -1, .off_stars = UINT32_MAX };
	struct way w = { .left = { 1, 1 } };
	struct turns legal;
	struct text_error where = { 0, NULL };
	if (pos->dice[0] == 0 || backgammon_over(rs, pos))
		return PLYD_ENODICE;
	c.words = words_read(text, len, c.word, &where);
	if (c.words == 0)
		return refuse_bad_text(why, text, len, where.offset);
	turns_find(rs, pos, &legal);
	board_of(pos, &w.board);
	w.board.no_hiding = legal.no_hiding;
	w.board.hitter_stays = legal.hitter_stays;
	if (dice_count(pos->dice) == HOPS_MAX) {
		w.left[0] = HOPS_MAX;
		w.left[1] = 0;
	}
	for (size_t i = 0; i < c.words; i++) {
		w.here[i] = c.word[i].at[0];
		w.next[i] = 1;
	}
	walk(&c, &w);
	return judge(&c, &legal, out, why);
}
