/* SPDX-License-Identifier: MIT
 * challenge.c - asking one player. Two who challenge each other at the same
 * time, and mean the same, get one match. */
#include "domain/domain_priv.h"

#include <utlist.h>

#define W(UPPER, word, doc) word,
static const char *const words[] = { DECLINE_WORDS(W) };
#undef W
#define W(UPPER, word, doc) doc,
static const char *const texts[] = { DECLINE_WORDS(W) };
#undef W

const char *decline_word_name(enum decline_word word)
{
	return words[word];
}

const char *decline_word_text(enum decline_word word)
{
	return texts[word];
}

/* One who challenges has one challenge with each. */
static bool asks_already(const struct player *to, const struct id *from)
{
	const struct seek *s;
	DL_FOREACH2(to->meets.challenges, s, to_next)
	{
		if (id_eq(&s->by->id, from))
			return true;
	}
	return false;
}

/* Strangers cost nothing: where as many wait as may, the oldest challenge of a
 * guest makes room, so that they shut nobody out. NULL: there is none. */
static struct seek *oldest_of_guests(const struct player *to)
{
	struct seek *s, *oldest = NULL;
	DL_FOREACH2(to->meets.challenges, s, to_next)
	{
		if (!s->by->account &&
		    (!oldest || s->until_ms < oldest->until_ms))
			oldest = s;
	}
	return oldest;
}

static bool is_crowded(const struct domain *d, const struct player *to)
{
	return to->meets.challenge_count >= (size_t)d->limits.seeks_per_player;
}

static int challenge_check(const struct domain *d, const struct command *cmd,
			   const struct player *to)
{
	if (id_eq(&to->id, &cmd->player))
		return PLYD_ESELF;
	if (players_apart(find_player(d, &cmd->player), to))
		return PLYD_ENOTALLOWED;
	if (!player_is_here(to))
		return PLYD_EABSENT;
	if (to->meets.policy.finishing)
		return PLYD_EFINISHING;
	if (asks_already(to, &cmd->player) ||
	    (is_crowded(d, to) && !oldest_of_guests(to)))
		return PLYD_ETOOMANY;
	return PLYD_OK;
}

static bool same_terms(const struct seek *s, const struct command *cmd,
		       const struct terms *t)
{
	return !strcmp(s->rules.rules.name, t->rules->rules.name) &&
	       clock_same(&s->clock, &t->clock) &&
	       s->rated == cmd->seek.rated &&
	       domain_match_length(&s->rules) ==
		       (cmd->seek.match_length > 0
				? (unsigned)cmd->seek.match_length
				: domain_match_length(t->rules)) &&
	       span_is(cmd->seek.position, s->position);
}

/* What he has sent him already, on these terms. */
static struct seek *sent_before(struct domain *d, const struct command *cmd,
				const struct player *to, const struct terms *t)
{
	int side = cmd->seek.side < 0 ? SIDE_BY_LOT : cmd->seek.side;
	struct seek *s;
	DL_FOREACH (find_player(d, &cmd->player)->meets.seeks, s)
		if (s->to == to && same_terms(s, cmd, t) && s->side == side)
			return s;
	return NULL;
}

/* A challenge of the other that asks for the same; *side is its maker's. */
static struct seek *crossing(struct domain *d, const struct command *cmd,
			     const struct player *to, const struct terms *t,
			     int *side)
{
	int mine = cmd->seek.side;
	struct seek *s;
	DL_FOREACH2(find_player(d, &cmd->player)->meets.challenges, s, to_next)
	{
		bool fits = mine < 0 || s->side == SIDE_BY_LOT ||
			    s->side == (int)side_other((enum side)mine);
		if (s->by != to || !same_terms(s, cmd, t) || !fits)
			continue;
		*side = mine < 0 ? s->side : (int)side_other((enum side)mine);
		return s;
	}
	return NULL;
}

/* The match of a challenge that needs no further answer. */
static void play_at_once(struct domain *d, const struct command *cmd,
			 struct seek *s, const struct player *accepts, int side)
{
	answer(d, cmd)->seek = s;
	seek_play(d, s, accepts, side, cmd->unix_ms);
}

/* His challenge met one that meant the same, so no second one is opened; its
 * key is remembered nevertheless. */
static void play_crossing(struct domain *d, const struct command *cmd,
			  struct seek *s, const struct player *from, int side)
{
	play_at_once(d, cmd, s, from, side);
	if (!span_copy(cmd->seek.key, d->key, sizeof(d->key)) || !d->key[0])
		return;
	happen(d, &(struct fact){ .type = FACT_KEY_REMEMBERED,
				  .key_remembered = { cmd->player,
						      span_str(d->key),
						      s->match } });
}

/* challenge_check() has seen that somebody may be displaced. */
static void make_room(struct domain *d, const struct player *to)
{
	if (is_crowded(d, to))
		seek_close(d, oldest_of_guests(to), SEEK_DISPLACED);
}

static void ask_bot(struct domain *d, const struct command *cmd,
		    const struct player *bot, const struct terms *t)
{
	const struct player *from = find_player(d, &cmd->player);
	enum decline_word word;
	bool takes = bot_takes(bot, from, t->rules, &t->clock, cmd->seek.rated,
			       &word);
	int err = takes ? player_may_begin(d, bot) : PLYD_EDECLINED;
	if (!err) {
		make_room(d, bot);
		struct seek *s = seek_open(d, cmd, bot, t);
		play_at_once(d, cmd, s, bot, s->side);
		return;
	}
	refuse(d, cmd, err)->text = takes ? NULL : decline_word_text(word);
}

static void challenge(struct domain *d, const struct command *cmd,
		      const struct player *to, const struct terms *t)
{
	struct effect *fx = answer(d, cmd);
	make_room(d, to);
	fx->seek = seek_open(d, cmd, to, t);
	struct effect *told = effect_add(d, EFFECT_CHALLENGED);
	told->player = to;
	told->seek = fx->seek;
}

void on_challenge_send(struct domain *d, const struct command *cmd)
{
	struct terms terms = { .rules = NULL };
	struct seek *before = NULL;
	int side;
	if (seek_answered_before(d, cmd, cmd->seek.key))
		return;
	const struct player *from = find_player(d, &cmd->player);
	struct player *to = player_named(d, cmd, &cmd->seek.to);
	if (!to)
		return;
	int err = seek_check(d, cmd, to, &terms);
	if (terms.rules)
		before = sent_before(d, cmd, to, &terms);
	if (before) {
		answer(d, cmd)->seek = before;
		return;
	}
	if (!err)
		err = challenge_check(d, cmd, to);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	struct seek *met = crossing(d, cmd, to, &terms, &side);
	if (met && player_may_begin(d, to) == PLYD_OK)
		play_crossing(d, cmd, met, from, side);
	else if (to->meets.policy.answers)
		ask_bot(d, cmd, to, &terms);
	else
		challenge(d, cmd, to, &terms);
}

/* A challenge to the player of a command; else it is refused. */
static struct seek *to_him(struct domain *d, const struct command *cmd)
{
	struct seek *s = find_seek(d, &cmd->seek_answer.seek);
	if (s && s->to && id_eq(&s->to->id, &cmd->player))
		return s;
	return NULL;
}

void on_challenge_accept(struct domain *d, const struct command *cmd)
{
	struct seek *s = to_him(d, cmd);
	if (s)
		seek_accept(d, cmd, s);
	else if (!seek_accepted_before(d, cmd))
		refuse(d, cmd, PLYD_ENOCHALLENGE);
}

void on_challenge_decline(struct domain *d, const struct command *cmd)
{
	struct seek *s = to_him(d, cmd);
	if (!s) {
		refuse(d, cmd, PLYD_ENOCHALLENGE);
		return;
	}
	answer(d, cmd);
	seek_decline(d, s, cmd->seek_answer.word);
}

void on_challenge_cancel(struct domain *d, const struct command *cmd)
{
	struct seek *s = find_seek(d, &cmd->seek_answer.seek);
	if (!s || !s->to || !id_eq(&s->by->id, &cmd->player)) {
		refuse(d, cmd, PLYD_ENOCHALLENGE);
		return;
	}
	answer(d, cmd);
	seek_close(d, s, SEEK_CANCELLED);
}
