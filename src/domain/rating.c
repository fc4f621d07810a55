/* SPDX-License-Identifier: MIT
 * rating.c - ratings: looking them up, and what a match does to them. */
#include "domain/domain_priv.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <utlist.h>

#include "domain/board.h"
#include "domain/glicko.h"
#include "domain/rating_priv.h"

static const struct rating_value beginner = { RATING_START_MILLI,
					      DEVIATION_START_MILLI,
					      VOLATILITY_START_NANO };

const char *rating_pool_name(enum rating_pool pool)
{
	return pool == POOL_BOTS ? "bots" : "people";
}

bool player_has_ratings(const struct player *p)
{
	return p->account != NULL;
}

enum rating_pool rating_pool_of(const struct domain *d, enum player_kind white,
				enum player_kind black)
{
	bool bots = white == KIND_BOT || black == KIND_BOT;
	return bots && !d->limits.join_pools ? POOL_BOTS : POOL_PEOPLE;
}

/* -- looking up -- */

static struct rated *find_rated(const struct domain *d, const struct id *player)
{
	struct rated *r;
	HASH_FIND(hh, d->rated, player->text, ID_CHARS, r);
	return r;
}

const struct rating *player_ratings(const struct domain *d,
				    const struct id *player)
{
	const struct rated *owner = find_rated(d, player);
	return owner ? owner->ratings : NULL;
}

static struct rating *find_rating(const struct domain *d,
				  const struct id *player, struct span ruleset,
				  enum speed_class speed, enum rating_pool pool)
{
	struct rated *owner = find_rated(d, player);
	struct rating *r = owner ? owner->ratings : NULL;
	while (r && (r->speed != speed || r->pool != pool ||
		     !span_is(ruleset, r->ruleset)))
		r = r->next;
	return r;
}

static int64_t whole_days(const struct rating *r, int64_t unix_ms)
{
	int64_t ms = unix_ms - r->since_ms;
	return ms > 0 ? ms / RATING_DAY_MS : 0;
}

static int32_t clamped(double x, double unit, int32_t low, int32_t high)
{
	double scaled = round(x * unit);
	return scaled < low ? low : scaled > high ? high : (int32_t)scaled;
}

static int32_t deviation_milli(double deviation)
{
	return clamped(deviation, 1e3, DEVIATION_MIN_MILLI,
		       DEVIATION_START_MILLI);
}

struct rating_value rating_at(const struct rating *r, int64_t unix_ms)
{
	struct rating_value v = r->value;
	int64_t days = whole_days(r, unix_ms);
	if (days > 0)
		v.deviation_milli = deviation_milli(
			glicko_grown(v.deviation_milli / 1e3,
				     v.volatility_nano / 1e9, (double)days));
	return v;
}

struct rating_value player_rating(const struct domain *d,
				  const struct id *player, struct span ruleset,
				  enum speed_class speed, enum rating_pool pool,
				  int64_t unix_ms)
{
	const struct rating *r = find_rating(d, player, ruleset, speed, pool);
	return r ? rating_at(r, unix_ms) : beginner;
}

/* -- a match -- */

static struct glicko glicko_of(const struct rating_value *v)
{
	return (struct glicko){ v->rating_milli / 1e3, v->deviation_milli / 1e3,
				v->volatility_nano / 1e9 };
}

static struct rating_value value_of(const struct glicko *g)
{
	return (struct rating_value){
		clamped(g->rating, 1e3, RATING_MIN_MILLI, RATING_MAX_MILLI),
		deviation_milli(g->deviation),
		clamped(g->volatility, 1e9, VOLATILITY_MIN_NANO,
			VOLATILITY_MAX_NANO),
	};
}

void rating_after(const struct rating_value before[2], int score,
		  struct rating_value after[2])
{
	const int scores[2] = { score, 2 - score };
	for (int s = 0; s < 2; s++) {
		struct glicko own = glicko_of(&before[s]), new;
		struct glicko_game game = { glicko_of(&before[1 - s]),
					    scores[s] / 2.0 };
		int err = glicko_rate(&new, &own, &game, 1, 0, GLICKO_TAU);
		after[s] = err ? before[s] : value_of(&new);
	}
}

static int score_of_white(enum match_result result)
{
	return result == RESULT_WHITE ? 2 : result == RESULT_DRAW ? 1 : 0;
}

static void happen_rated(struct domain *d, const struct match *m,
			 const struct rating_value before[2],
			 const struct rating_value after[2])
{
	const struct rating_value *w = &before[WHITE], *b = &before[BLACK];
	const struct rating_value *w2 = &after[WHITE], *b2 = &after[BLACK];
	happen(d,
	       &(struct fact){
		       .type = FACT_RATED,
		       .match = m->id,
		       .rated = { m->ply, speed_class(&m->rules->clock),
				  w->rating_milli, w->deviation_milli,
				  w->volatility_nano, w2->rating_milli,
				  w2->deviation_milli, w2->volatility_nano,
				  b->rating_milli, b->deviation_milli,
				  b->volatility_nano, b2->rating_milli,
				  b2->deviation_milli, b2->volatility_nano } });
}

void match_rate(struct domain *d, struct match *m, enum match_result result,
		struct match_rating *out)
{
	out->rated = m->rated && result != RESULT_ABORTED &&
		     m->state != MATCH_FROZEN;
	if (!out->rated)
		return;
	out->score = score_of_white(result);
	enum speed_class speed = speed_class(&m->rules->clock);
	for (int s = 0; s < 2; s++)
		out->before[s] = player_rating(d, &m->seat[s].player,
					       span_str(m->rules->rules.name),
					       speed, m->pool, d->unix_ms);
	rating_after(out->before, out->score, out->after);
	happen_rated(d, m, out->before, out->after);
}

/* What is over of a day counts later. */
static int64_t grown_until(const struct rating *r, int64_t unix_ms)
{
	return r ? r->since_ms + whole_days(r, unix_ms) * RATING_DAY_MS
		 : unix_ms;
}

void match_rated(struct domain *d, const struct match *m,
		 const struct match_rating *by)
{
	if (!by->rated)
		return;
	enum speed_class speed = speed_class(&m->rules->clock);
	struct span ruleset = span_str(m->rules->rules.name);
	for (int s = 0; s < 2; s++) {
		const struct id *player = &m->seat[s].player;
		if (!find_player(d, player))
			continue; /* his account was deleted meanwhile */
		const struct rating *r =
			find_rating(d, player, ruleset, speed, m->pool);
		const struct rating_value *after = &by->after[s];
		happen(d, &(struct fact){
				  .type = FACT_PLAYER_RATED,
				  .player_rated = {
					  .player = *player,
					  .ruleset = ruleset,
					  .speed = speed,
					  .pool = m->pool,
					  .played = m->id,
					  .opponent = m->seat[1 - s].player,
					  .score = s == WHITE ? by->score
							      : 2 - by->score,
					  .at = d->unix_ms,
					  .before_milli =
						  by->before[s].rating_milli,
					  .milli = after->rating_milli,
					  .deviation_milli =
						  after->deviation_milli,
					  .volatility_nano =
						  after->volatility_nano,
					  .since = grown_until(r, d->unix_ms),
					  .games = r ? r->games + 1 : 1,
				  } });
	}
}

/* -- applying -- */

static bool is_value(int64_t milli, int64_t deviation, int64_t volatility)
{
	return milli >= RATING_MIN_MILLI && milli <= RATING_MAX_MILLI &&
	       deviation >= DEVIATION_MIN_MILLI &&
	       deviation <= DEVIATION_START_MILLI &&
	       volatility >= VOLATILITY_MIN_NANO &&
	       volatility <= VOLATILITY_MAX_NANO;
}

int apply_rated(struct match *m, const struct fact_rated_body *b)
{
	if (!m->rated ||
	    !is_value(b->white_milli, b->white_deviation_milli,
		      b->white_volatility_nano) ||
	    !is_value(b->black_milli, b->black_deviation_milli,
		      b->black_volatility_nano) ||
	    !is_value(b->white_before_milli, b->white_before_deviation_milli,
		      b->white_before_volatility_nano) ||
	    !is_value(b->black_before_milli, b->black_before_deviation_milli,
		      b->black_before_volatility_nano))
		return PLYD_ERECORD;
	m->rating[WHITE].change_points =
		rating_points((int32_t)b->white_milli) -
		rating_points((int32_t)b->white_before_milli);
	m->rating[BLACK].change_points =
		rating_points((int32_t)b->black_milli) -
		rating_points((int32_t)b->black_before_milli);
	return PLYD_OK;
}

static struct rated *owner_of(struct domain *d, const struct id *player)
{
	struct rated *owner = find_rated(d, player);
	if (owner)
		return owner;
	owner = calloc(1, sizeof(*owner));
	if (!owner)
		return NULL;
	owner->player = *player;
	HASH_ADD(hh, d->rated, player.text, ID_CHARS, owner);
	if (owner->hh.tbl)
		return owner;
	free(owner);
	return NULL;
}

static struct rating *rating_of(struct domain *d,
				const struct fact_player_rated_body *b)
{
	enum speed_class speed = (enum speed_class)b->speed;
	enum rating_pool pool = (enum rating_pool)b->pool;
	struct rating *r = find_rating(d, &b->player, b->ruleset, speed, pool);
	if (r)
		return r;
	struct rated *owner = owner_of(d, &b->player);
	r = owner ? calloc(1, sizeof(*r)) : NULL;
	if (!r)
		return NULL;
	r->player = b->player;
	r->speed = speed;
	r->pool = pool;
	span_copy(b->ruleset, r->ruleset, sizeof(r->ruleset));
	DL_APPEND(owner->ratings, r);
	return r;
}

static void remember(struct rating *r, const struct fact_player_rated_body *b)
{
	if (r->past_count == RATING_PAST_MAX)
		memmove(r->past, r->past + 1,
			--r->past_count * sizeof(r->past[0]));
	r->past[r->past_count++] = (struct rating_past){
		.match = b->played,
		.opponent = b->opponent,
		.at_ms = b->at,
		.before_milli = (int32_t)b->before_milli,
		.after_milli = (int32_t)b->milli,
		.deviation_milli = (int32_t)b->deviation_milli,
		.score = (int32_t)b->score,
	};
}

int apply_player_rated(struct domain *d, const struct fact *f)
{
	const struct fact_player_rated_body *b = &f->player_rated;
	if (id_is_none(&b->player) || b->ruleset.len > RULESET_NAME_MAX ||
	    b->speed < 0 || b->speed >= SPEED_CLASS_COUNT ||
	    (b->pool != POOL_PEOPLE && b->pool != POOL_BOTS) || b->score < 0 ||
	    b->score > 2 || b->games < 1 ||
	    b->before_milli < RATING_MIN_MILLI ||
	    b->before_milli > RATING_MAX_MILLI ||
	    !is_value(b->milli, b->deviation_milli, b->volatility_nano))
		return PLYD_ERECORD;
	struct rating *r = rating_of(d, b);
	if (!r || board_reserve(&d->boards, r))
		return PLYD_ENOMEM;
	struct rating_value value = { (int32_t)b->milli,
				      (int32_t)b->deviation_milli,
				      (int32_t)b->volatility_nano };
	board_set(d->boards, r, &value);
	r->since_ms = b->since;
	r->games = b->games;
	remember(r, b);
	return PLYD_OK;
}

static void owner_free(struct domain *d, struct rated *owner)
{
	while (owner->ratings) {
		struct rating *r = owner->ratings;
		board_leave(d->boards, r);
		DL_DELETE(owner->ratings, r);
		free(r);
	}
	HASH_DELETE(hh, d->rated, owner);
	free(owner);
}

void ratings_forget(struct domain *d, const struct id *player)
{
	struct rated *owner = find_rated(d, player);
	if (owner)
		owner_free(d, owner);
}

void ratings_free(struct domain *d)
{
	while (d->rated)
		owner_free(d, d->rated);
	boards_free(&d->boards);
}

/* -- for a snapshot -- */

static struct fact past_fact(const struct rating *r, size_t i)
{
	const struct rating_past *p = &r->past[i];
	return (struct
		fact){ .type = FACT_PLAYER_RATED,
		       .player_rated = {
			       .player = r->player,
			       .ruleset = span_str(r->ruleset),
			       .speed = r->speed,
			       .pool = r->pool,
			       .played = p->match,
			       .opponent = p->opponent,
			       .score = p->score,
			       .at = p->at_ms,
			       .before_milli = p->before_milli,
			       .milli = p->after_milli,
			       .deviation_milli = p->deviation_milli,
			       /* only what the last one says of these will stay */
			       .volatility_nano = r->value.volatility_nano,
			       .since = r->since_ms,
			       .games = r->games,
		       } };
}

void ratings_put(const struct domain *d,
		 void (*put)(void *payload, const struct fact *f),
		 void *payload)
{
	for (const struct rated *o = d->rated; o; o = o->hh.next)
		for (const struct rating *r = o->ratings; r; r = r->next)
			for (size_t i = 0; i < r->past_count; i++) {
				struct fact f = past_fact(r, i);
				put(payload, &f);
			}
}

/* -- asking -- */

/* The answer about a player; NULL: there is none, and it was refused. */
static struct effect *answer_about(struct domain *d, const struct command *cmd)
{
	const struct id *asked = &cmd->rating.player;
	const struct player *p =
		find_player(d, id_is_none(asked) ? &cmd->player : asked);
	if (!p) {
		refuse(d, cmd, PLYD_ENOPLAYER);
		return NULL;
	}
	struct effect *fx = answer(d, cmd);
	fx->answer.about = p;
	fx->answer.rating = cmd->rating;
	fx->player = find_player(d, &cmd->player);
	return fx;
}

void on_rating_get(struct domain *d, const struct command *cmd)
{
	answer_about(d, cmd);
}

void on_rating_history(struct domain *d, const struct command *cmd)
{
	const struct cmd_rating *c = &cmd->rating;
	struct effect *fx = answer_about(d, cmd);
	if (fx)
		fx->answer.past = find_rating(d, &fx->answer.about->id,
					      c->ruleset, c->speed, c->pool);
}

void on_rating_leaders(struct domain *d, const struct command *cmd)
{
	const struct cmd_rating *c = &cmd->rating;
	struct board *b = board_find(d->boards, c->ruleset, c->speed, c->pool);
	if (!domain_rules_find(d, c->ruleset)) {
		refuse(d, cmd, PLYD_ERULESET);
		return;
	}
	struct effect *fx = answer(d, cmd);
	fx->player = find_player(d, &cmd->player);
	fx->answer.rating = *c;
	fx->answer.board = b;
	fx->answer.shown = b ? board_settle(b, c->count, d->unix_ms) : 0;
}
