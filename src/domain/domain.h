/* SPDX-License-Identifier: MIT
 * domain.h - players, lobbies and matches as one deterministic machine. It has
 * no sockets, no wall clock, no files, no globals, no Lua and no MessagePack:
 * the same commands in the same order with the same entropy give the same facts
 * and effects. One thread.
 *
 * A step decides first and changes nothing; then it lists facts and applies
 * them, and nothing can fail any more. Facts are durable state and go to the
 * journal; effects are for the shell to perform. */
#ifndef PLYD_DOMAIN_DOMAIN_H
#define PLYD_DOMAIN_DOMAIN_H

#include "base/rng.h"
#include "domain/audit.h"
#include "domain/ban.h"
#include "domain/operator_token.h"
#include "domain/account.h"
#include "domain/command.h"
#include "domain/effect.h"
#include "domain/fact.h"
#include "domain/kept.h"
#include "domain/limits.h"
#include "domain/listing.h"
#include "domain/lobby.h"
#include "domain/tournament.h"

struct domain;

/* Gives an empty domain. entropy is copied: ids, codes and dice seeds are drawn
 * from it. PLYD_ENOMEM. */
int domain_new(struct domain **out, const struct domain_limits *limits,
	       const struct entropy *entropy);
/* New limits for what happens from now on. What is beyond them stays. */
void domain_set_limits(struct domain *d, const struct domain_limits *limits);
/* What is drawn from now on comes from this one; it is copied. */
void domain_set_entropy(struct domain *d, const struct entropy *entropy);
void domain_free(struct domain *d); /* NULL is fine */

const struct domain_limits *domain_limits(const struct domain *d);

/* What is on offer. Copies; a running match keeps what it began with, an open
 * lobby too. PLYD_EFULL over RULES_MAX / PERSONALITIES_MAX. */
struct personality {
	char name[PERSONALITY_BYTES_MAX + 1];
	char version[VERSION_BYTES_MAX + 1]; /* of its file; or "" */
	char about[ABOUT_BYTES_MAX + 1];
	uint64_t plays; /* bit i: the rules at i; 0: all rules */
};
_Static_assert(RULES_MAX <= 64, "a personality has one bit for each ruleset");
int domain_set_rules(struct domain *d, const struct match_rules *rules,
		     size_t count);
int domain_set_personalities(struct domain *d, const struct personality *p,
			     size_t count);
size_t domain_rules_count(const struct domain *d);
const struct match_rules *domain_rules_at(const struct domain *d, size_t i);
const struct match_rules *domain_rules_find(const struct domain *d,
					    struct span name);
/* Whether p plays by the rules at i; i < domain_rules_count(). */
static inline bool personality_plays(const struct personality *p, size_t i)
{
	return p->plays == 0 || (p->plays >> i & 1) != 0;
}
size_t domain_personality_count(const struct domain *d);
const struct personality *domain_personality_at(const struct domain *d,
						size_t i);

/* What one step did. Lent until the next step, with all that the facts and
 * effects point to, but for answer.filter: that is the command's. */
struct step {
	size_t fact_count;
	struct fact fact[FACTS_PER_STEP_MAX];
	size_t effect_count;
	struct effect *effect;
};

/* Takes one command. Refusing a player is an effect, not a failure. */
const struct step *domain_step(struct domain *d, const struct command *cmd);

/* When CMD_TICK has something to do: domain time, or UINT64_MAX. One tick does
 * one thing, so tick until this is later than now. */
uint64_t domain_next_due_ms(const struct domain *d);

/* Replay: applies one fact as it was, in journal order; no limit is looked at.
 * PLYD_ERECORD: it does not fit what went before; its match, if it has one, is
 * then frozen and the rest of the domain is sound. PLYD_ERULESET: it opens a
 * lobby of a ruleset that is no more on offer; PLYD_ENOLOBBY: it is about such
 * a lobby. It is left out and all else is sound. PLYD_ENOMEM. */
int domain_apply(struct domain *d, const struct fact *fact);

/* After replay: every running match gets its deadlines; steps that a crash cut
 * off are listed one after another. Calls `each` for every match that needs
 * CMD_CONTINUE or whose turn waits to be released again. */
void domain_wake(struct domain *d, uint64_t now_ms,
		 void (*each)(void *payload, const struct match *m),
		 void *payload);

/* The general state as the fewest facts that make it again: what a snapshot
 * holds. Stops at the first error that `emit` returns, and returns it. at_ms of
 * every fact is now. */
int domain_state_facts(const struct domain *d,
		       int (*emit)(void *payload, const struct fact *fact),
		       void *payload);

/* Domain time of the last command or fact, and the last row given. */
uint64_t domain_now_ms(const struct domain *d);
uint64_t domain_last_row(const struct domain *d);
/* Rows go on after `row`, if that is later: after a snapshot. */
void domain_set_last_row(struct domain *d, uint64_t row);
/* Domain time goes on from now_ms, if that is later: after a snapshot. */
void domain_set_now_ms(struct domain *d, uint64_t now_ms);

/* Where the journal keeps the head of a match's hash chain; NULL: there is no
 * such match. Lent until the next call that changes the domain. */
struct digest *domain_head(struct domain *d, const struct id *match);

/* Freezes a running match because its facts do not apply. Only while facts are
 * replayed: it is no fact, so that the next replay must come to the same; see
 * CMD_FREEZE. */
void domain_freeze(struct domain *d, const struct id *match);

/* No new matches begin while it is set; of this process only, so the shell sets
 * it again in a domain that was replayed. */
void domain_set_draining(struct domain *d, bool on);
bool domain_is_draining(const struct domain *d);

/* The audit trail, the newest act first; go on with ->next. */
const struct audit_act *domain_audit(const struct domain *d);
size_t domain_audit_count(const struct domain *d);

/* Bans, the oldest first; go on with ->next. Some may be over. */
/* Tokens of operators, the oldest first; perhaps some that are over. */
const struct operator_token *domain_operator_tokens(const struct domain *d);
size_t domain_operator_token_count(const struct domain *d);
/* The one of this name, or with this token, that is good; or NULL. */
const struct operator_token *domain_operator_named(const struct domain *d,
						   const char *name,
						   int64_t unix_ms);
const struct operator_token *domain_operator_of(const struct domain *d,
						const struct digest *token,
						int64_t unix_ms);

const struct ban *domain_bans(const struct domain *d);
size_t domain_ban_count(const struct domain *d);

/* Tournaments in order of their making; go on with tournament_next(). */
const struct tournament *domain_tournaments(const struct domain *d);
static inline const struct tournament *
tournament_next(const struct tournament *t)
{
	return t->hh.next;
}
const struct tournament *domain_tournament(const struct domain *d,
					   const struct id *id);
/* The usual tie-breaks of a format. */
void tournament_default_breaks(struct tournament_terms *t);

/* Open reports, the oldest first; go on with ->next. */
const struct report *domain_reports(const struct domain *d);
size_t domain_report_count(const struct domain *d);

/* Whether neither seat has ended the talk of the players. */
bool chat_is_on(const struct domain *d, const struct match *m);
/* Whether p must not see what he said: either has blocked the other, or his
 * account is deleted. */
bool domain_is_hidden(const struct domain *d, const struct player *p,
		      const struct id *other);

/* Who would come in; what is not known is NULL. */
struct newcomer {
	const struct id *player;
	const struct ip *address;
	const char *name; /* clean; or "" */
};
/* The ban that keeps him out, or NULL. */
const struct ban *domain_ban_of(const struct domain *d,
				const struct newcomer *who, int64_t unix_ms);

/* Look-ups; NULL if there is none. */
const struct player *domain_player(const struct domain *d, const struct id *id);
const struct lobby *domain_lobby(const struct domain *d, const struct id *id);
const struct match *domain_match(const struct domain *d, const struct id *id);

/* Whether it was the id of an account that is deleted. */
bool domain_is_deleted(const struct domain *d, const struct id *player);
size_t domain_account_count(const struct domain *d);
/* Passwords that are being worked on: at(i) for i < HASH_JOBS_MAX; number 0 is
 * none. For who must answer when this domain is dropped. */
const struct hash_job *domain_hash_job(const struct domain *d, size_t i);
/* What a script keeps of a match that is played; lent until the next step. */
struct span domain_kept(const struct domain *d, const struct id *match,
			enum kept_by by);
/* Calls `each` for the scripts that a match which runs, or may begin, may be
 * asked about, with the version that it must be; one may come twice. */
typedef void each_script_fn(void *payload, bool personality, const char *name,
			    const char *version);
void domain_each_script(const struct domain *d, each_script_fn *each,
			void *payload);
/* A match as this player may see it now: his own as it is, another's as its
 * spectators see it, perhaps late. m is of this domain; so is what is given, or
 * of the one of late matches: look at nothing but it. */
const struct match *match_seen(const struct match *m, const struct id *viewer);
/* Whether spectators have not seen all of it yet. */
bool match_is_hidden(const struct match *m);
/* A seek or a challenge. */
const struct seek *domain_seek(const struct domain *d, const struct id *id);
/* Whether p may join or accept it now, but for limits. */
bool lobby_admits(const struct lobby *l, const struct player *p);
bool seek_admits(const struct domain *d, const struct seek *s,
		 const struct player *p);
/* Who is here, in order of their coming. */
const struct player *domain_here(const struct domain *d, bool bots);
static inline const struct player *here_next(const struct player *p)
{
	return p->meets.here_next;
}
size_t domain_here_count(const struct domain *d, bool bots);
/* His rating for such a match, in points. */
int domain_points(const struct domain *d, const struct player *p,
		  const struct match_rules *rules,
		  const struct clock_rules *clock);
/* Points that win a match of several games; 0: it is one game. */
unsigned domain_match_length(const struct match_rules *r);
/* What quick.status shows of him. */
struct quick_view domain_quick(const struct domain *d, const struct player *p);

/* First and next of all, in order of their making; NULL at the end. */
const struct player *domain_players(const struct domain *d);
const struct lobby *domain_lobbies(const struct domain *d);
const struct match *domain_matches(const struct domain *d);
static inline const struct player *player_next(const struct player *p)
{
	return p->hh.next;
}
static inline const struct lobby *lobby_next(const struct lobby *l)
{
	return l->hh.next;
}
static inline const struct match *match_next(const struct match *m)
{
	return m->hh.next;
}
size_t domain_player_count(const struct domain *d);
size_t domain_lobby_count(const struct domain *d);
size_t domain_seek_count(const struct domain *d);
size_t domain_match_count(const struct domain *d);    /* not yet over */
size_t domain_ai_match_count(const struct domain *d); /* with a personality */
/* The place of a lobby among those that wait until a personality may play, from
 * 1; 0: it does not wait. */
size_t lobby_ai_place(const struct domain *d, const struct lobby *l);

/* How long a player who has left too many matches must wait before he may join
 * what is rated or quick; 0: he may. */
int64_t domain_cooling_ms(const struct domain *d, const struct player *p);

/* Calls `each` for every command that waits for a verdict and so has no answer
 * yet: its match will give it one, unless the domain is given up. */
void domain_each_held(const struct domain *d,
		      void (*each)(void *payload, uint64_t conn,
				   uint32_t msgid),
		      void *payload);

/* Calls nothing, changes nothing. NULL, or what is wrong with a match or with
 * the counters: a bug in this room. */
const char *domain_invariant_broken(const struct domain *d);
const char *match_invariant_broken(const struct match *m);

#endif
