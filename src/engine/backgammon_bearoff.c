/* SPDX-License-Identifier: MIT */
#include "engine/backgammon_bearoff.h"
#include "engine/backgammon_tables.h"

static unsigned checkers(const uint8_t *point)
{
	unsigned n = 0;
	for (int p = 1; p <= BEAROFF_POINTS; p++)
		n += point[p];
	return n;
}

/* Chance that a side with row `r` needs more than n throws. */
static uint32_t later(const struct bearoff_row *r, unsigned n)
{
	uint32_t sum = 0;
	for (unsigned i = 0; i < r->count; i++)
		if (r->first + i > n)
			sum += r->chance[i];
	return sum;
}

/* Chance that a side with fifteen checkers has none off after n throws. */
static uint32_t none_off(unsigned index, unsigned n)
{
	if (n == 0)
		return BEAROFF_ONE;
	return n <= 2 ? plyd_backgammon_tables.wait[index].none[n - 1] : 0;
}

/* Chance that the winner is done while the loser has none off; the loser has
 * thrown `behind` times less than the winner by then. */
static uint32_t gammon(const struct bearoff_row *winner, unsigned loser,
		       unsigned behind)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < winner->count; i++) {
		unsigned n = winner->first + i - behind;
		if (n <= 2)
			sum += (uint64_t)winner->chance[i] * none_off(loser, n);
	}
	return (uint32_t)(sum / BEAROFF_ONE);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

bool bearoff_find(const uint8_t *own, const uint8_t *foe,
		  struct bearoff_chances *out)
{
	unsigned mine = checkers(own);
	unsigned yours = checkers(foe);
	if (mine == 0 || yours == 0 || mine + own[0] != BEAROFF_CHECKERS ||
	    yours + foe[0] != BEAROFF_CHECKERS)
		return false;
	unsigned my_index = bearoff_index(own);
	unsigned your_index = bearoff_index(foe);
	const struct bearoff_row *me = &plyd_backgammon_tables.row[my_index];
	const struct bearoff_row *you = &plyd_backgammon_tables.row[your_index];
	uint64_t win = 0;
	for (unsigned i = 0; i < me->count; i++)
		win += (uint64_t)me->chance[i] * later(you, me->first + i - 1);
	out->win = (uint32_t)(win / BEAROFF_ONE);
	out->win_gammon =
		foe[0] ? 0 : least(gammon(me, your_index, 1), out->win);
	out->lose_gammon = own[0] ? 0
				  : least(gammon(you, my_index, 0),
					  BEAROFF_ONE - out->win);
	return true;
}
