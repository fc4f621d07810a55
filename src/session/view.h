/* SPDX-License-Identifier: MIT
 * view.h - writes what a client may see of lobbies and matches, in the shapes
 * of proto/objects.h. What is secret is never read here. */
#ifndef PLYD_SESSION_VIEW_H
#define PLYD_SESSION_VIEW_H

#include "base/buf.h"
#include "domain/domain.h"

/* How a match ended. */
struct result_view {
	enum match_result result;
	struct span reason;
	int64_t points;
	struct span words; /* of a policy's script, or empty */
	struct span seed;  /* or empty */
	int64_t score[2];  /* of a match of games; else 0 */
};

/* Each appends one object; errors stick in b. viewer may be none. */
void view_player(struct buf *b, const struct player *p);
void view_lobby(struct buf *b, const struct domain *d, const struct lobby *l,
		const struct id *viewer);
void view_lobby_list(struct buf *b, const struct domain *d,
		     const struct cmd_list *c, const struct player *viewer);
void view_seek(struct buf *b, const struct domain *d, const struct seek *s);
void view_seek_closed(struct buf *b, const struct seek *s);
void view_seek_list(struct buf *b, const struct domain *d,
		    const struct cmd_list *c, const struct player *viewer);
/* match: that has begun at once, or none, or NULL. */
void view_quick(struct buf *b, const struct quick_view *q,
		const struct id *match);
void view_bot_policy(struct buf *b, const struct player *p);
void view_player_info(struct buf *b, const struct player *p);
void view_players(struct buf *b, const struct domain *d,
		  const struct answer *page);
void view_match(struct buf *b, const struct match *m, const struct id *viewer,
		uint64_t now_ms);
void view_match_list(struct buf *b, const struct domain *d,
		     const struct cmd_list *c);
/* What match.seen did. */
void view_lag(struct buf *b, const struct match *m);
void view_result(struct buf *b, const struct result_view *r);
/* One event. With m, what the match is like after it is shown too; in a record
 * it is NULL. */
void view_event(struct buf *b, const struct fact *f, uint64_t seq,
		const struct match *m, uint64_t now_ms);
void view_rematch(struct buf *b, const struct match *m, uint64_t now_ms);
void view_presence(struct buf *b, const struct match *m, enum side side,
		   int64_t claim_after_ms, uint64_t now_ms);
/* Whom a session follows. */
void view_followed(struct buf *b, const struct player *p);
/* Ratings, see rating.h, without the matches whose end the viewer sees later.
 * past and board may be NULL: there are none. */
void view_ratings(struct buf *b, const struct domain *d, const struct player *p,
		  const struct id *viewer, int64_t unix_ms);
void view_rating_history(struct buf *b, const struct domain *d,
			 const struct player *p, const struct rating *past,
			 const struct id *viewer);
/* A rating and its past, for whom it is. */
void view_rating_kept(struct buf *b, const struct domain *d,
		      const struct rating *r, int64_t unix_ms);
void view_leaders(struct buf *b, const struct domain *d,
		  const struct board *board, size_t shown,
		  const struct id *viewer, int64_t unix_ms);
/* Tournaments, view_tournament.c; pages are from row or table `from` on. */
void view_tournament(struct buf *b, const struct domain *d,
		     const struct tournament *t, const struct id *viewer);
void view_tournament_list(struct buf *b, const struct tournament *first,
			  const struct id *viewer);
void view_standings(struct buf *b, const struct tournament *t, size_t from);
void view_tournament_round(struct buf *b, const struct tournament *t,
			   size_t round, size_t from);
void view_tournament_table(struct buf *b, const struct tournament *t,
			   size_t round, size_t table);
void view_place(struct buf *b, const struct match_place *p);
void view_ruleset(struct buf *b, const struct match_rules *r);

/* -- for the operator: view_admin.c -- */

enum { ADMIN_SHOWN_MAX = 200, REPORTS_SHOWN_MAX = 50 };

/* A part of a long list: what lies from `first` on. */
struct admin_page {
	size_t first; /* to pass over */
	size_t most;  /* 0: ADMIN_SHOWN_MAX */
	size_t total; /* in the list */
	size_t shown, at;
};
/* Begins {total, key: [...]}, and sets page->shown: so many items must follow,
 * those for which admin_page_shows() is true, asked once for each in order. */
void view_admin_page(struct buf *b, const char *key, struct admin_page *page);
bool admin_page_shows(struct admin_page *page);
/* address NULL: he is not here. */
void view_admin_player(struct buf *b, const struct player *p,
		       const char *address, int64_t unix_ms);
void view_operator_token(struct buf *b, const struct operator_token *t,
			 int64_t unix_ms);
void view_admin_match_line(struct buf *b, const struct match *m);
void view_report(struct buf *b, const struct report *r);
void view_ban(struct buf *b, const struct ban *ban, int64_t unix_ms);
void view_audit_act(struct buf *b, const struct audit_act *a);
/* Six entries of a map. */
void view_match_line_entries(struct buf *b, const struct match *m);

const char *side_name(int side);
const char *kind_name(enum player_kind kind);

#endif
