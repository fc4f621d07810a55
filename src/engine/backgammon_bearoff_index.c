/* SPDX-License-Identifier: MIT */
#include "engine/backgammon_bearoff.h"
#include "engine/backgammon_tables.h"

/* n over k, for k = 1 to 6 */
static const uint16_t over[BEAROFF_POINTS][BEAROFF_CHECKERS +
					   BEAROFF_POINTS] = {
	{ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
	  11, 12, 13, 14, 15, 16, 17, 18, 19, 20 },
	{ 0,  0,  1,  3,  6,   10,  15,  21,  28,  36, 45,
	  55, 66, 78, 91, 105, 120, 136, 153, 171, 190 },
	{ 0,   0,   0,   1,   4,   10,  20,  35,  56,  84,  120,
	  165, 220, 286, 364, 455, 560, 680, 816, 969, 1140 },
	{ 0,   0,   0,   0,    1,    5,    15,   35,   70,   126, 210,
	  330, 495, 715, 1001, 1365, 1820, 2380, 3060, 3876, 4845 },
	{ 0,   0,   0,    0,    0,    1,    6,    21,   56,    126,  252,
	  462, 792, 1287, 2002, 3003, 4368, 6188, 8568, 11628, 15504 },
	{ 0,   0,   0,    0,    0,    0,    1,     7,     28,    84,   210,
	  462, 924, 1716, 3003, 5005, 8008, 12376, 18564, 27132, 38760 },
};

unsigned bearoff_index(const uint8_t *point)
{
	unsigned index = 0;
	unsigned so_far = 0;
	for (int p = 1; p <= BEAROFF_POINTS; p++) {
		so_far += point[p];
		index += over[p - 1][so_far + (unsigned)p - 1];
	}
	return index;
}
