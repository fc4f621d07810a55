/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"
#include "engine/engine_priv.h"

#include <assert.h>

uint64_t move_key(const struct move *m)
{
	uint64_t key = m->taken ^ m->legs;
	for (int i = 0; i <= MOVE_LEGS_MAX; i++)
		key = mix64(key ^ m->at[i]);
	return key;
}

void move_trim(struct move *m, enum family family)
{
	int used = family == FAMILY_DRAUGHTS ? m->legs + 1 : 2 * m->legs;
	for (int i = used; i <= MOVE_LEGS_MAX; i++)
		m->at[i] = 0;
}

/* 2^16 * 2^(-i/8), rounded. */
static const uint32_t half_power[9] = { 65536, 60097, 55109, 50535, 46341,
					42495, 38968, 35734, 32768 };

/* 2^16 * 2^(-loss / unit), in integers and linear between eighths. */
static uint64_t likelihood(uint64_t loss, uint64_t unit)
{
	uint64_t x = loss * 128 / unit; /* in 1/128 of a halving */
	if (x / 128 > 16)
		return 0;
	uint64_t i = x % 128 / 16;
	uint64_t f = x % 16;
	uint64_t y = (half_power[i] * (16 - f) + half_power[i + 1] * f) / 16;
	return y >> x / 128;
}

/* A number in -noise .. noise that belongs to this move here. */
static int misjudgement(const struct move *m, uint64_t key, int noise)
{
	uint64_t span = 2 * (uint64_t)noise + 1;
	return (int)(mix64(move_key(m) ^ key) % span) - noise;
}

size_t engine_choose(const struct engine_result *r,
		     const struct engine_taste *taste, uint64_t seed,
		     uint64_t position_hash)
{
	assert(r->count > 0 && r->count <= ENGINE_MULTIPV_MAX);
	uint64_t key = mix64(seed ^ mix64(position_hash));
	int noise = clamp(taste->noise, 0, ENGINE_SCORE_MAX);
	int margin = taste->margin > 0 ? taste->margin : 0;
	int felt[ENGINE_MULTIPV_MAX];
	size_t best = 0;
	size_t count = 0; /* lines within the margin: a prefix, best first */

	for (size_t i = 0; i < r->count; i++) {
		if (r->line[0].score - r->line[i].score > margin)
			break;
		felt[i] = r->line[i].score +
			  misjudgement(&r->line[i].move, key, noise);
		if (felt[i] > felt[best])
			best = i;
		count++;
	}
	if (taste->temperature <= 0)
		return best;

	uint64_t chance[ENGINE_MULTIPV_MAX];
	uint64_t total = 0;
	for (size_t i = 0; i < count; i++) {
		chance[i] = likelihood((uint64_t)(felt[best] - felt[i]),
				       (uint64_t)taste->temperature);
		total += chance[i];
	}
	uint64_t ticket = mix64(key + 1) % total;
	for (size_t i = 0; i < count; i++) {
		if (ticket < chance[i])
			return i;
		ticket -= chance[i];
	}
	return best;
}
