/* SPDX-License-Identifier: MIT
 * bot.c - bots: what they take without being asked, and how they stop. */
#include "domain/domain_priv.h"

#include <utlist.h>

/* Whether a name is among names with a space between. */
static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);
	for (const char *at = words; *at; at += strcspn(at, " ")) {
		at += *at == ' ';
		if (!strncmp(at, word, len) &&
		    (at[len] == ' ' || at[len] == '\0'))
			return true;
	}
	return false;
}

bool bot_takes(const struct player *bot, const struct player *from,
	       const struct match_rules *rules, const struct clock_rules *clock,
	       bool rated, enum decline_word *word)
{
	const struct bot_policy *p = &bot->meets.policy;
	bool busy = p->finishing ||
		    (p->at_once > 0 && bot->match_count >= p->at_once);
	if (busy)
		*word = DECLINE_BUSY;
	else if (p->rulesets && !has_word(p->rulesets, rules->rules.name))
		*word = DECLINE_RULESET;
	else if (p->speeds && !(p->speeds >> speed_class(clock) & 1))
		*word = DECLINE_CLOCK;
	else if (p->rated > 0 && rated != (p->rated == 1))
		*word = DECLINE_RATED;
	else if (!against_admits(p->opponent, from))
		*word = DECLINE_OPPONENT;
	else
		return true;
	return false;
}

static bool is_bot(struct domain *d, const struct command *cmd)
{
	if (find_player(d, &cmd->player)->kind == KIND_BOT)
		return true;
	refuse(d, cmd, PLYD_ENOTALLOWED);
	return false;
}

static bool rulesets_known(const struct domain *d, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, " ");
		if (!domain_rules_find(d, span_of(words, len)))
			return false;
		words += len + (words[len] == ' ');
	}
	return true;
}

void on_bot_policy(struct domain *d, const struct command *cmd)
{
	const struct cmd_bot_policy *c = &cmd->policy;
	if (!is_bot(d, cmd))
		return;
	if (!span_copy(c->rulesets, d->rulesets, sizeof(d->rulesets)) ||
	    !rulesets_known(d, d->rulesets)) {
		refuse(d, cmd, PLYD_ERULESET);
		return;
	}
	happen(d, &(struct fact){ .type = FACT_BOT_POLICY,
				  .bot_policy = {
					  .player = cmd->player,
					  .answers = c->answers,
					  .rulesets = span_str(d->rulesets),
					  .speeds = c->speeds,
					  .rated = c->rated,
					  .opponent = c->opponent,
					  .at_once = c->at_once,
				  } });
	answer(d, cmd)->player = find_player(d, &cmd->player);
}

static void tell_finished(struct domain *d, const struct player *bot)
{
	if (bot->meets.policy.finishing && bot->match_count == 0)
		effect_add(d, EFFECT_BOT_FINISHED)->player = bot;
}

void on_bot_finish(struct domain *d, const struct command *cmd)
{
	struct player *bot = find_player(d, &cmd->player);
	const struct bot_policy *p = &bot->meets.policy;
	if (!is_bot(d, cmd))
		return;
	answer(d, cmd)->player = bot;
	if (!p->finishing) {
		span_copy(span_str(bot_rulesets(p)), d->rulesets,
			  sizeof(d->rulesets));
		happen(d, &(struct fact){
				  .type = FACT_BOT_POLICY,
				  .bot_policy = {
					  .player = bot->id,
					  .answers = p->answers,
					  .rulesets = span_str(d->rulesets),
					  .speeds = p->speeds,
					  .rated = p->rated,
					  .opponent = p->opponent,
					  .at_once = p->at_once,
					  .finishing = true,
				  } });
		meeting_withdraw(d, bot, SEEK_FINISHING);
		while (bot->meets.challenges)
			seek_close(d, bot->meets.challenges, SEEK_FINISHING);
	}
	tell_finished(d, bot);
}

void on_bot_list(struct domain *d, const struct command *cmd)
{
	on_players_list(d, cmd);
}

void bots_after_end(struct domain *d, const struct match *m)
{
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &m->seat[s].player);
		if (p)
			tell_finished(d, p);
	}
}
