/* SPDX-License-Identifier: MIT
 * Turns as values and as texts: writing, ordering, applying, replaying. */
#include <assert.h>
#include <string.h>

#include "base/span.h"
#include "rules/backgammon_priv.h"

static const char *const labels[BAR + 1] = {
	"off", "1",  "2",  "3",  "4",  "5",  "6",  "7",   "8",
	"9",   "10", "11", "12", "13", "14", "15", "16",  "17",
	"18",  "19", "20", "21", "22", "23", "24", "bar",
};

const char *point_text(int point)
{
	return labels[point];
}

void move_of_turn(const struct turn *turn, struct move *out)
{
	memset(out, 0, sizeof(*out));
	out->legs = turn->hops;
	out->taken = turn->hits;
	memcpy(out->at, turn->hop, 2u * turn->hops);
}

static size_t put(char *out, size_t at, const char *text)
{
	size_t len = strlen(text);
	assert(at + len < MOVE_TEXT_MAX);
	memcpy(out + at, text, len + 1);
	return at + len;
}

size_t backgammon_move_text(const struct ruleset *rs,
			    const struct position *pos, const struct move *move,
			    char *out)
{
	(void)rs;
	(void)pos;
	size_t at = 0;
	out[0] = '\0';
	assert(move->legs <= HOPS_MAX);
	for (unsigned i = 0; i < move->legs; i++) {
		if (i > 0)
			at = put(out, at, " ");
		at = put(out, at, point_text(move->at[2 * i]));
		at = put(out, at, "/");
		at = put(out, at, point_text(move->at[2 * i + 1]));
		if (move->taken >> i & 1)
			at = put(out, at, "*");
	}
	return at;
}

/* Eleven bits a hop: the places of both labels among all labels in the order of
 * strcmp(), and the star. It works because a blank comes before a star, a star
 * before a slash, and that before digits. */
uint64_t turn_order(const struct turn *turn)
{
	static const uint8_t place[BAR + 1] = {
		26, 1, 12, 18, 19, 20, 21, 22, 23, 24, 2,  3,  4,
		5,  6, 7,  8,  9,  10, 11, 13, 14, 15, 16, 17, 25,
	};
	uint64_t order = 0;
	for (unsigned i = 0; i < HOPS_MAX; i++) {
		order <<= 11;
		if (i < turn->hops)
			order |= (uint64_t)place[turn->hop[i][0]] << 6 |
				 (uint64_t)place[turn->hop[i][1]] << 1 |
				 (turn->hits >> i & 1);
	}
	return order;
}

void backgammon_apply(const struct ruleset *rs, const struct position *pos,
		      const struct move *move, struct position *out)
{
	(void)rs;
	game_pass(pos, out);
	uint8_t *own = out->backgammon.point[pos->side];
	uint8_t *other = out->backgammon.point[!pos->side];
	for (unsigned i = 0; i < move->legs; i++) {
		int from = move->at[2 * i], to = move->at[2 * i + 1];
		own[from]--;
		own[to]++;
		if (move->taken >> i & 1) {
			other[BAR - to]--;
			other[BAR]++;
		}
	}
}

/* ---- replay ------------------------------------------------------------ */

/* Reads one label from the front of *text; -1 if there is none. */
static int label_read(struct span *text)
{
	int found = -1;
	for (int p = OFF; p <= BAR; p++) {
		size_t len = strlen(labels[p]);
		bool longer = found < 0 || len > strlen(labels[found]);
		if (longer && text->len >= len &&
		    !memcmp(text->at, labels[p], len))
			found = p;
	}
	if (found >= 0)
		*text = span_of(text->at + strlen(labels[found]),
				text->len - strlen(labels[found]));
	return found;
}

static bool take(struct span *text, char c)
{
	if (text->len == 0 || text->at[0] != c)
		return false;
	*text = span_of(text->at + 1, text->len - 1);
	return true;
}

/* Moves one checker by its text; false if these checkers are not there. */
static bool hop_replay(struct span *text, uint8_t *own, uint8_t *other)
{
	int from = label_read(text);
	if (from <= OFF || !take(text, '/'))
		return false;
	int to = label_read(text);
	if (to < 0 || to >= from || own[from] == 0)
		return false;
	bool star = take(text, '*');
	if (star && (to == OFF || other[BAR - to] != 1))
		return false;
	if (!star && to != OFF && other[BAR - to] != 0)
		return false;
	own[from]--;
	own[to]++;
	if (star) {
		other[BAR - to]--;
		other[BAR]++;
	}
	return true;
}

int backgammon_replay_move(const struct ruleset *rs, const struct position *pos,
			   const char *text, size_t len, bool crowned,
			   struct position *out)
{
	(void)rs;
	(void)crowned;
	struct position next;
	struct span rest = span_of(text, len);
	game_pass(pos, &next);
	for (int i = 0; rest.len > 0; i++) {
		if (i == HOPS_MAX || (i > 0 && !take(&rest, ' ')))
			return PLYD_ERECORD;
		if (!hop_replay(&rest, next.backgammon.point[pos->side],
				next.backgammon.point[!pos->side]))
			return PLYD_ERECORD;
	}
	*out = next;
	return PLYD_OK;
}
