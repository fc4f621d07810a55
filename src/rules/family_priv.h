/* SPDX-License-Identifier: MIT
 * family_priv.h - what a family of games provides. Each member is the function
 * of the same name in <plyd/rules.h>, for rulesets of that family only. */
#ifndef PLYD_RULES_FAMILY_PRIV_H
#define PLYD_RULES_FAMILY_PRIV_H

#include <plyd/rules.h>

struct family_ops {
	void (*start)(const struct ruleset *, struct position *);
	int (*read)(const struct ruleset *, const char *, size_t,
		    struct position *, struct text_error *);
	size_t (*write)(const struct ruleset *, const struct position *,
			char *);
	uint64_t (*hash)(const struct ruleset *, const struct position *);
	int (*moves)(const struct ruleset *, const struct position *,
		     struct move_list *);
	bool (*can_move)(const struct ruleset *, const struct position *);
	void (*apply)(const struct ruleset *, const struct position *,
		      const struct move *, struct position *);
	size_t (*move_text)(const struct ruleset *, const struct position *,
			    const struct move *, char *);
	int (*replay_move)(const struct ruleset *, const struct position *,
			   const char *, size_t, bool, struct position *);
	int (*check)(const struct ruleset *, const struct position *,
		     const char *, size_t, struct move *, struct refusal *);
	struct outcome (*outcome)(const struct ruleset *,
				  const struct position *);
	int (*points_lost)(const struct ruleset *, const struct position *,
			   enum side);
	struct progress (*progress)(const struct ruleset *,
				    const struct position *,
				    const struct position *);
	uint64_t (*perft)(const struct ruleset *, const struct position *, int,
			  bool);
	/* whether the options agree; *why a sentence if not */
	int (*ruleset_check)(const struct ruleset *, const char **why);
};

extern const struct family_ops draughts_ops;
extern const struct family_ops backgammon_ops;

#endif
