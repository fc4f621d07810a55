/* SPDX-License-Identifier: MIT */
#include "engine/draughts_data_priv.h"
#include "engine/draughts_learned_priv.h"

const struct learned *learned_english(void)
{
	return (const void *)data_english_weights().at;
}

const struct learned *learned_turkish(void)
{
	return (const void *)data_turkish_weights().at;
}

uint32_t learned_sum(const struct learned *l)
{
	const uint8_t *at = (const uint8_t *)l + sizeof(l->head);
	const uint8_t *end =
		(const uint8_t *)&l->pattern[l->head.patterns * PATTERN_STATES];
	uint32_t sum = 0x811c9dc5; /* FNV-1a */
	for (; at < end; at++)
		sum = (sum ^ *at) * 0x01000193;
	return sum;
}
