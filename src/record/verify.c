/* SPDX-License-Identifier: MIT */
#include "record/verify_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "domain/dice.h"
#include "record/chain.h"

struct verifier *verifier_new(const struct id *match)
{
	struct verifier *v = calloc(1, sizeof(*v));
	if (!v)
		return NULL;
	v->match = *match;
	v->head = chain_start(match);
	v->doc = doc_new();
	if (!v->doc) {
		free(v);
		return NULL;
	}
	return v;
}

void verifier_free(struct verifier *v)
{
	if (!v)
		return;
	doc_free(v->doc);
	free(v->thrown);
	free(v->hashes);
	free(v->was);
	free(v);
}

const struct verdict *verifier_verdict(const struct verifier *v)
{
	return &v->verdict;
}

int wrong(struct verifier *v, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(v->verdict.why, sizeof(v->verdict.why), format, args);
	va_end(args);
	return v->err = PLYD_ERECORD;
}

/* A short hash, or none. */
static bool take_version(struct span text, bool may_be, char *out)
{
	for (size_t i = 0; i < text.len; i++)
		if (!(text.at[i] >= 'a' && text.at[i] <= 'z') &&
		    !(text.at[i] >= '0' && text.at[i] <= '9'))
			return false;
	return span_copy(text, out, VERSION_BYTES_MAX + 1) &&
	       (may_be || text.len == 0);
}

static int take_versions(struct verifier *v, const struct fact_begun_body *b)
{
	struct verdict *out = &v->verdict;
	bool white = b->white_kind == KIND_PERSONALITY,
	     black = b->black_kind == KIND_PERSONALITY;
	span_copy(b->policy, out->policy, sizeof(out->policy));
	if (!take_version(b->rules_version, true, out->rules_version) ||
	    !take_version(b->policy_version, true, out->policy_version) ||
	    !take_version(b->white_version, white, out->white_version) ||
	    !take_version(b->black_version, black, out->black_version))
		return wrong(v, "a version of a script that is none");
	return PLYD_OK;
}

static int on_begun(struct verifier *v, const struct fact_begun_body *b)
{
	struct ruleset *rules = &v->verdict.rules;
	struct text_error where;
	const char *why;
	if (v->begun)
		return wrong(v, "the match begins twice");
	if (ruleset_read((const char *)b->rules.at, b->rules.len, rules) ||
	    ruleset_check(rules, &why))
		return wrong(v, "its ruleset cannot be read");
	if (game_read(rules, (const char *)b->position.at, b->position.len,
		      &v->pos, &where))
		return wrong(v, "its position cannot be read: %s", where.text);
	int err = clocks_begin(v, b);
	if (err)
		return err;
	if (b->no_progress < 0 || b->repetition < 0 || b->offers_from < 0 ||
	    b->offers_max < 0)
		return wrong(v, "its draw policy is not one");
	if (take_versions(v, b) || judge_ratings_begun(v, b))
		return v->err;
	bool dice = ruleset_has_dice(rules);
	if (!dice && !digest_eq(&b->commitment, &(struct digest){ { 0 } }))
		return wrong(v, "a promise of dice where none are thrown");
	v->begun = true;
	v->begin = *b;
	v->playing = !dice;
	v->first_known = !dice || ruleset_first(rules) >= 0;
	v->resign_by = -1;
	v->verdict.games = 1;
	v->takeback_by = -1;
	span_copy(b->white_name, v->verdict.white, sizeof(v->verdict.white));
	span_copy(b->black_name, v->verdict.black, sizeof(v->verdict.black));
	return draws_begin(v);
}

static int on_nonce(struct verifier *v, const struct fact_nonce_body *b)
{
	if ((b->side != WHITE && b->side != BLACK) ||
	    b->nonce.len > DICE_NONCE_MAX)
		return wrong(v, "not a nonce");
	if (!ruleset_has_dice(&v->verdict.rules))
		return wrong(v, "a nonce where no dice are thrown");
	if (v->nonce_given[b->side] || v->playing)
		return wrong(v, "a nonce after the first roll, or a second");
	v->nonce_given[b->side] = true;
	v->nonce_len[b->side] = b->nonce.len;
	if (b->nonce.len > 0)
		memcpy(v->nonce[b->side], b->nonce.at, b->nonce.len);
	return PLYD_OK;
}

static int keep_throw(struct verifier *v, int64_t roll, int64_t first,
		      int64_t second)
{
	uint32_t n = v->verdict.rolls;
	if (roll != n)
		return wrong(v, "roll %lld where %u was next", (long long)roll,
			     n);
	if (first < 1 || first > 6 || second < 1 || second > 6)
		return wrong(v, "not dice");
	if (n == v->thrown_cap) {
		size_t cap = n ? 2 * (size_t)n : 64;
		struct thrown *t = realloc(v->thrown, cap * sizeof(*t));
		if (!t)
			return v->err = PLYD_ENOMEM;
		v->thrown = t;
		v->thrown_cap = cap;
	}
	v->thrown[n] = (struct thrown){ (uint8_t)first, (uint8_t)second };
	v->verdict.rolls++;
	v->playing = true;
	return PLYD_OK;
}

static int on_opening_throw(struct verifier *v,
			    const struct fact_opening_throw_body *b)
{
	if (v->first_known)
		return wrong(v, "an opening throw though it is known who "
				"begins");
	int err = keep_throw(v, b->roll, b->white_die, b->black_die);
	if (err || b->white_die == b->black_die)
		return err;
	struct position before = v->pos;
	before.side = b->white_die > b->black_die ? WHITE : BLACK;
	game_throw(&before, (int)b->white_die, (int)b->black_die, &v->pos);
	v->first_known = true;
	return PLYD_OK;
}

static int on_rolled(struct verifier *v, const struct fact_rolled_body *b)
{
	if (!ruleset_has_dice(&v->verdict.rules) || !v->first_known ||
	    v->pos.dice[0] != 0 || v->doubled)
		return wrong(v, "dice where none are thrown");
	if (b->ply != v->verdict.plies || b->side != v->pos.side)
		return wrong(v, "a roll out of turn");
	if (b->asked != may_double(v))
		return wrong(v, b->asked ? "dice asked for where no cube may "
					   "be turned"
					 : "dice that were not asked for");
	if (b->asked ? clocks_thought(v, b->thought_ms, b->lag_ms)
		     : b->thought_ms != 0 || b->lag_ms != 0)
		return v->err ? v->err : wrong(v, "a throw that cost time");
	v->asked = b->asked;
	v->before_ms = b->thought_ms;
	v->before_lag_ms = b->lag_ms;
	int err = keep_throw(v, b->roll, b->die1, b->die2);
	if (err)
		return err;
	struct position before = v->pos;
	game_throw(&before, (int)b->die1, (int)b->die2, &v->pos);
	return PLYD_OK;
}

static int on_moved(struct verifier *v, const struct fact_moved_body *b)
{
	struct ruleset *rules = &v->verdict.rules;
	struct move move;
	struct refusal why;
	char text[MOVE_TEXT_MAX];
	if (b->ply != v->verdict.plies || b->side != v->pos.side ||
	    !v->first_known || v->doubled)
		return wrong(v, "a move out of turn");
	int err = game_check(rules, &v->pos, (const char *)b->move.at,
			     b->move.len, &move, &why);
	if (err == PLYD_EILLEGAL)
		return wrong(v, "ply %u, %.*s: %s", v->verdict.plies,
			     (int)(b->move.len < 64 ? b->move.len : 64),
			     (const char *)b->move.at, reason_text(why.reason));
	if (err)
		return wrong(v, "ply %u cannot be judged: %s", v->verdict.plies,
			     plyd_err_text(err));
	game_move_text(rules, &v->pos, &move, text);
	if (!span_is(b->move, text) || b->crowned != move.crowned)
		return wrong(v, "ply %u is not canonical: %s", v->verdict.plies,
			     text);
	err = clocks_half_move(v, b->thought_ms, b->left_ms, b->lag_ms);
	if (err)
		return err;
	struct position before = v->pos;
	if (takeback_keep(v))
		return v->err;
	game_apply(rules, &before, &move, &v->pos);
	v->verdict.plies++;
	stakes_after(v, (enum side)before.side);
	return draws_after_move(v, &before, false);
}

static int on_passed(struct verifier *v, const struct fact_passed_body *b)
{
	struct position before = v->pos;
	if (b->ply != v->verdict.plies || b->side != v->pos.side)
		return wrong(v, "a pass out of turn");
	if (v->pos.dice[0] == 0 || game_can_move(&v->verdict.rules, &v->pos))
		return wrong(v, "ply %u was passed though a move was legal",
			     v->verdict.plies);
	if (v->asked) {
		int err = clocks_half_move(v, b->thought_ms, b->left_ms,
					   b->lag_ms);
		if (err)
			return err;
	} else if (b->thought_ms != 0 || b->left_ms != 0 || b->lag_ms != 0) {
		return wrong(v, "a pass is charged though nobody thought");
	}
	if (takeback_keep(v))
		return v->err;
	game_pass(&before, &v->pos);
	v->verdict.plies++;
	stakes_after(v, (enum side)before.side);
	return draws_after_move(v, &before, true);
}

static int check_dice(struct verifier *v)
{
	struct span seed = span_of(v->seed, SEED_BYTES);
	struct digest commitment = sha256(&seed, 1);
	if (!digest_eq(&commitment, &v->begin.commitment))
		return wrong(v, "the seed is not the one that was promised");
	for (uint32_t i = 0; i < v->verdict.rolls; i++) {
		struct dice d =
			dice_roll(seed, &v->match,
				  span_of(v->nonce[WHITE], v->nonce_len[WHITE]),
				  span_of(v->nonce[BLACK], v->nonce_len[BLACK]),
				  i);
		if (d.first != v->thrown[i].first ||
		    d.second != v->thrown[i].second)
			return wrong(v,
				     "roll %u was %d %d, the seed says %d %d",
				     i, v->thrown[i].first, v->thrown[i].second,
				     d.first, d.second);
	}
	return PLYD_OK;
}

static int on_ended(struct verifier *v, const struct fact_ended_body *b)
{
	bool dice = ruleset_has_dice(&v->verdict.rules);
	if (b->ply != v->verdict.plies)
		return wrong(v, "ended at ply %lld, but %u were played",
			     (long long)b->ply, v->verdict.plies);
	if (b->result < RESULT_WHITE || b->result > RESULT_ABORTED)
		return wrong(v, "not a result");
	if (b->white_score != v->pos.stakes.score[WHITE] ||
	    b->black_score != v->pos.stakes.score[BLACK])
		return wrong(v, "the score is %d to %d, not as it says",
			     v->pos.stakes.score[WHITE],
			     v->pos.stakes.score[BLACK]);
	/* a lost seed is why matches are frozen */
	bool lost = dice && v->frozen && b->seed.len == 0;
	if (b->seed.len != (dice && !lost ? SEED_BYTES : 0))
		return wrong(v, dice ? "the seed was not opened"
				     : "a seed without dice");
	int err = judge_result(v, b);
	if (!err)
		err = judge_rating(v, (enum match_result)b->result);
	if (err)
		return err;
	v->verdict.ended = true;
	v->verdict.result = (enum match_result)b->result;
	span_copy(b->reason, v->verdict.reason, sizeof(v->verdict.reason));
	v->verdict.seed_lost = lost;
	if (!dice || lost)
		return PLYD_OK;
	memcpy(v->seed, b->seed.at, SEED_BYTES);
	return check_dice(v);
}

static int judge(struct verifier *v, const struct fact *f)
{
	if (v->verdict.ended)
		return wrong(v, "something happened after the end");
	if (f->at_ms < v->at_ms)
		return wrong(v, "time went back");
	v->at_ms = f->at_ms;
	if (f->type == FACT_BEGUN)
		return on_begun(v, &f->begun);
	if (!v->begun)
		return wrong(v, "does not begin with the beginning");
	if (v->frozen && f->type != FACT_ENDED)
		return wrong(v, "it goes on though it was frozen");
	if (f->type == FACT_FROZEN) /* whatever was to come next */
		return judge_frozen(v, &f->frozen);
	if (v->paused && f->type != FACT_RESUMED && f->type != FACT_RATED &&
	    f->type != FACT_CLOCK_ADJUSTED && f->type != FACT_ENDED)
		return wrong(v, "it goes on though it is paused");
	if (v->rated_said && f->type != FACT_ENDED)
		return wrong(v, "it goes on though it was rated");
	if (v->must_end && f->type != FACT_ENDED && f->type != FACT_RATED)
		return wrong(v, "it goes on though it was over by %s",
			     v->must_reason);
	if (v->game == GAME_IS_OVER && f->type != FACT_GAME_ENDED && !v->frozen)
		return wrong(v, "it goes on though the game was over by %s",
			     v->game_outcome.why);
	if (v->game == GAME_IS_TO_BEGIN && f->type != FACT_GAME_BEGUN &&
	    !v->frozen)
		return wrong(v, "the next game does not begin");
	switch (f->type) {
	case FACT_DOUBLED:
	case FACT_TAKEN:
	case FACT_DROPPED: /* the bodies are alike */
		return judge_cube(v, f->type, &f->doubled);
	case FACT_GAME_ENDED: return judge_game_ended(v, &f->game_ended);
	case FACT_GAME_BEGUN: return judge_game_begun(v, &f->game_begun);
	case FACT_RESIGN_OFFERED:
		return judge_resign_offered(v, &f->resign_offered);
	case FACT_RESIGN_DECLINED:
		return judge_resign_declined(v, &f->resign_declined);
	case FACT_NONCE: return on_nonce(v, &f->nonce);
	case FACT_OPENING_THROW: return on_opening_throw(v, &f->opening_throw);
	case FACT_ROLLED: return on_rolled(v, &f->rolled);
	case FACT_MOVED: return on_moved(v, &f->moved);
	case FACT_PASSED: return on_passed(v, &f->passed);
	case FACT_DRAW_OFFERED: return judge_offered(v, &f->draw_offered);
	case FACT_WARNED: return judge_warned(v, &f->warned);
	case FACT_CLOCK_ADJUSTED: return judge_adjusted(v, &f->clock_adjusted);
	case FACT_DRAW_DECLINED: return judge_declined(v, &f->draw_declined);
	case FACT_PAUSE_OFFERED:
		return judge_pause_offered(v, &f->pause_offered);
	case FACT_PAUSE_DECLINED:
		return judge_pause_declined(v, &f->pause_declined);
	case FACT_PAUSED: return judge_paused(v, &f->paused);
	case FACT_RESUMED: return judge_resumed(v, &f->resumed);
	case FACT_TAKEBACK_OFFERED:
		return judge_takeback_offered(v, &f->takeback_offered);
	case FACT_TAKEBACK_DECLINED:
		return judge_takeback_declined(v, &f->takeback_declined);
	case FACT_TAKEN_BACK: return judge_taken_back(v, &f->taken_back);
	case FACT_RATED: return judge_rated(v, &f->rated);
	case FACT_ENDED: return on_ended(v, &f->ended);
	default: return wrong(v, "this fact belongs to no match");
	}
}

/* Offers leave the turn as it is, and so does a throw that was asked for. */
static bool begins_turn(const struct fact *f)
{
	switch (f->type) {
	case FACT_WARNED:
	case FACT_CLOCK_ADJUSTED:
	case FACT_DRAW_OFFERED:
	case FACT_DRAW_DECLINED:
	case FACT_RESIGN_OFFERED:
	case FACT_RESIGN_DECLINED:
	case FACT_PAUSE_OFFERED:
	case FACT_PAUSE_DECLINED:
	case FACT_TAKEBACK_OFFERED:
	case FACT_TAKEBACK_DECLINED:
	case FACT_RATED: return false; /* and the end is the next */
	case FACT_ROLLED: return !f->rolled.asked;
	default: return true;
	}
}

void verifier_redacted(struct verifier *v, const struct digest *after_begun)
{
	v->redacted = true;
	v->after_begun = *after_begun;
}

int verifier_fact(struct verifier *v, struct span bytes)
{
	struct fact f;
	if (v->err)
		return v->err;
	if (fact_decode(v->doc, bytes, &v->match, 0, &f))
		return wrong(v, "not a fact");
	if (judge(v, &f))
		return v->err;
	if (begins_turn(&f))
		v->turn_ms = f.at_ms;
	if (f.type == FACT_RESUMED) /* the turn has used before_ms already */
		v->turn_ms -= (uint64_t)(v->before_ms + v->before_lag_ms);
	v->head = v->redacted && f.type == FACT_BEGUN
			  ? v->after_begun
			  : chain_next(&v->head, bytes);
	v->verdict.facts++;
	return PLYD_OK;
}

void verifier_look(const struct verifier *v, struct standing *out)
{
	const struct ruleset *rules = &v->verdict.rules;
	bool watched = v->begin.repetition > 0 || v->begin.judged;
	size_t first = watched ? v->fresh : v->hash_count - 1;
	bool goes_on = v->playing && !v->must_end && !v->frozen &&
		       !v->verdict.ended && v->game == GAME_GOES_ON;
	*out = (struct standing){
		.pos = &v->pos,
		.goes_on = goes_on,
		.to_move = goes_on && v->first_known && !v->doubled &&
			   !v->paused &&
			   (!ruleset_has_dice(rules) || v->pos.dice[0]) &&
			   game_can_move(rules, &v->pos),
		.plies = v->verdict.plies,
		.takebacks = v->takebacks,
		.quiet = v->quiet,
		.hashes = v->hashes + first,
		.hash_count = v->hash_count - first,
		.offer_by = v->offer_by,
		.may_offer = { offers_may(v, WHITE), offers_may(v, BLACK) },
		.offers_made = { v->offering[WHITE].made,
				 v->offering[BLACK].made },
		.left_ms = { v->left_ms[WHITE], v->left_ms[BLACK] },
		.has_clock = v->clock != CLOCK_UNLIMITED,
	};
}

int verifier_end(struct verifier *v, const struct digest *head)
{
	if (v->err)
		return v->err;
	if (!v->verdict.ended)
		return wrong(v, "the match has not ended");
	if (head && !digest_eq(head, &v->head))
		return wrong(v, "the head is not that of this chain");
	return PLYD_OK;
}
