/* SPDX-License-Identifier: MIT
 * policy.c - draws by the policy's data. The rules core knows no draws. A side
 * without a piece or a move has lost before any draw is looked at; then comes
 * repetition, then lack of progress, then the greatest length. */
#include "domain/domain_priv.h"

bool policy_counts(const struct match *m)
{
	return m->rules->draws.repetition > 0 || m->rules->draws.judged;
}

void policy_begin(struct match *m)
{
	m->quiet = 0;
	m->hash_count = 0;
	m->hashes[m->hash_count++] = game_hash(&m->rules->rules, &m->pos);
}

void policy_after_move(struct match *m, const struct position *before)
{
	const struct ruleset *rules = &m->rules->rules;
	struct progress did = game_progress(rules, before, &m->pos);
	bool progress = did.captured ||
			(m->rules->draws.man_moves_count ? did.man_moved
							 : did.promoted);
	m->quiet = progress ? 0 : m->quiet + 1;
	if (!policy_counts(m))
		return;
	/* what a capture or a crowning left behind cannot come again */
	if (did.captured || did.promoted)
		m->hash_count = 0;
	m->hashes[m->hash_count++] = game_hash(rules, &m->pos);
}

uint32_t match_repeats(const struct match *m)
{
	uint64_t now = m->hashes[m->hash_count - 1];
	uint32_t n = 0;
	for (size_t i = 0; i < m->hash_count; i++)
		n += m->hashes[i] == now;
	return n;
}

bool policy_draws(const struct match *m, enum end_reason *reason)
{
	const struct draw_rules *draws = &m->rules->draws;
	if (m->ply == 0)
		return false;
	if (draws->repetition > 0 && match_repeats(m) >= draws->repetition) {
		*reason = END_REPETITION;
		return true;
	}
	if (draws->no_progress > 0 && m->quiet >= draws->no_progress) {
		*reason = END_NO_PROGRESS;
		return true;
	}
	*reason = END_TOO_LONG;
	return m->ply >= PLIES_MAX;
}
