/* SPDX-License-Identifier: MIT */
#include "ply/script_again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ply/command.h"

/* What a policy says about a position, and what the record says of it. */
struct judged {
	bool open; /* the record has not spoken yet */
	uint32_t ply;
	struct position pos;
	enum worker_verdict_kind script, record;
	char script_words[WORKER_TEXT_MAX], record_words[WORKER_TEXT_MAX];
};

struct again {
	struct script_file *f;
	struct verifier *v;
	struct doc *doc;
	const struct record_view *r;
	bool every;
	void (*tell)(void *payload, const struct difference *d);
	void *payload;
	struct again_result *out;
	int status;
	bool begun, left; /* left: from here on it would be another match */
	/* of the beginning */
	struct ruleset rules;
	char ruleset[WORKER_NAME_MAX + 1], policy[WORKER_NAME_MAX + 1];
	bool own[2]; /* seats of the personality */
	int64_t no_progress, repetition, counts, increment_ms;
	/* personalities */
	bool chosen; /* for `at` and its takebacks: */
	uint32_t chosen_ply, chosen_takebacks;
	char move[MOVE_TEXT_MAX];
	struct worker_choice choice;
	bool offered; /* the record has an offer with the move */
	struct buf memory[2];
	/* policies */
	struct judged judged;
	struct buf policy_memory;
};

static void found(struct again *a, struct difference *d)
{
	d->match = a->r->match.text;
	d->rules = &a->rules;
	if (d->fault)
		a->out->faults++;
	else
		a->out->differences++;
	a->tell(a->payload, d);
}

static void found_fault(struct again *a, const struct standing *s, int side,
			const struct script_answer *answer)
{
	struct difference d = {
		.ply = s->plies, .side = side, .fault = true, .pos = s->pos
	};
	script_file_fault(a->f, answer, d.why);
	found(a, &d);
}

static void fill_history(const struct standing *s, struct worker_words *out)
{
	size_t count = s->hash_count - 1;
	size_t skip =
		count > WORKER_HISTORY_MAX ? count - WORKER_HISTORY_MAX : 0;
	out->count = count - skip;
	memcpy(out->at, s->hashes + skip, out->count * sizeof(out->at[0]));
}

/* Asks what f->question holds; false: no good answer, which was told. */
static bool ask(struct again *a, const struct standing *s, int side,
		int64_t deadline_ms, struct script_answer *answer)
{
	a->status = script_file_ask(a->f, deadline_ms, answer);
	if (a->status == PLY_OK && script_answer_is_good(answer))
		return true;
	if (a->status == PLY_OK)
		found_fault(a, s, side, answer);
	return false;
}

/* ---- personalities ----------------------------------------------------- */

static void choose(struct again *a, const struct standing *s)
{
	enum side side = (enum side)s->pos->side;
	struct script_texts t;
	struct script_answer answer;
	script_texts_write(&t, &a->rules, s->pos);
	struct worker_choose m = {
		.personality = span_str(a->f->name),
		.match = span_str(a->r->match.text),
		.ruleset = t.rules_span,
		.position = t.pos_span,
		.decision = DECIDE_MOVE,
		.side = side,
		.ply = s->plies,
		.quiet =
			s->quiet < WORKER_DRAW_MAX ? s->quiet : WORKER_DRAW_MAX,
		.no_progress = a->no_progress,
		.repetition = a->repetition,
		.counts = a->counts,
		.seed = worker_seed(span_str(a->r->match.text), s->plies),
		.remaining_ms = s->has_clock ? s->left_ms[side] : -1,
		.increment_ms = a->increment_ms,
		.offer_pending = s->offer_by == (int)side_other(side),
		.memory = buf_span(&a->memory[side]),
	};
	if (m.remaining_ms > WORKER_TIME_MAX_MS)
		m.remaining_ms = WORKER_TIME_MAX_MS;
	fill_history(s, &m.history);
	buf_clear(&a->f->question);
	worker_ask_choose(&a->f->question, 1, &m);
	a->out->turns++;
	a->offered = a->chosen = false;
	a->chosen_ply = s->plies;
	a->chosen_takebacks = s->takebacks;
	if (!ask(a, s, (int)side, a->f->choose_ms, &answer) ||
	    worker_choice_read(answer.reply->result, &a->choice))
		return;
	a->chosen = true;
	a->choice.offer_draw &= s->may_offer[side];
	span_copy(a->choice.move, a->move, sizeof(a->move));
	buf_clear(&a->memory[side]);
	buf_put(&a->memory[side], a->choice.memory.at, a->choice.memory.len);
}

static void say_choice(char out[SAID_MAX], const struct worker_choice *c,
		       const char *move)
{
	if (c->resign)
		snprintf(out, SAID_MAX, "resigns");
	else if (c->accept_draw)
		snprintf(out, SAID_MAX, "accepts the draw");
	else
		snprintf(out, SAID_MAX, "%s%s", move,
			 c->offer_draw ? " and offers a draw" : "");
}

static void compare_choice(struct again *a, const struct standing *s,
			   const struct worker_choice *record, const char *move)
{
	const struct worker_choice *c = &a->choice;
	bool same = c->resign == record->resign &&
		    c->accept_draw == record->accept_draw &&
		    (c->resign || c->accept_draw ||
		     (!strcmp(a->move, move) &&
		      c->offer_draw == record->offer_draw));
	if (same)
		return;
	struct difference d = { .ply = s->plies,
				.side = s->pos->side,
				.pos = s->pos };
	say_choice(d.record, record, move);
	say_choice(d.script, c, a->move);
	found(a, &d);
}

/* Whether the next fact is what the side to move did with its turn. */
static bool uses_turn(const struct standing *s, const struct fact *f)
{
	int side = s->pos->side;
	switch (f->type) {
	case FACT_MOVED: return true;
	case FACT_DRAW_OFFERED: return f->draw_offered.side == side;
	case FACT_ENDED:
		return span_is(f->ended.reason, "agreed")
			       ? s->offer_by == !side
			       : span_is(f->ended.reason, "resigned") &&
					 f->ended.result == !side;
	default: return false;
	}
}

static void see_turn(struct again *a, const struct standing *s,
		     const struct fact *f)
{
	struct worker_choice record = { 0 };
	char move[MOVE_TEXT_MAX] = "";
	if (!s->to_move || !uses_turn(s, f) ||
	    !(a->every || a->own[s->pos->side]))
		return;
	if (a->out->turns == 0 || a->chosen_ply != s->plies ||
	    a->chosen_takebacks != s->takebacks)
		choose(a, s);
	if (f->type == FACT_DRAW_OFFERED) {
		a->offered = true;
		return;
	}
	if (!a->chosen)
		return;
	record.offer_draw = a->offered;
	record.resign =
		f->type == FACT_ENDED && span_is(f->ended.reason, "resigned");
	record.accept_draw = f->type == FACT_ENDED && !record.resign;
	if (f->type == FACT_MOVED)
		span_copy(f->moved.move, move, sizeof(move));
	compare_choice(a, s, &record, move);
}

/* ---- policies ---------------------------------------------------------- */

static uint32_t repeats(const struct standing *s)
{
	uint32_t n = 0;
	for (size_t i = 0; i < s->hash_count; i++)
		n += s->hashes[i] == s->hashes[s->hash_count - 1];
	return n;
}

/* What the numbers say; NULL: the match goes on. */
static const char *limit_of(const struct worker_policy *p,
			    const struct standing *s)
{
	if (p->repetition > 0 && repeats(s) >= p->repetition)
		return "repetition";
	return p->no_progress > 0 && s->quiet >= p->no_progress ? "no_progress"
								: NULL;
}

static void ask_verdict(struct again *a, const struct standing *s)
{
	struct script_texts t;
	struct script_answer answer;
	struct worker_ruling r;
	script_texts_write(&t, &a->rules, s->pos);
	struct worker_verdict m = {
		.policy = span_str(a->f->name),
		.match = span_str(a->r->match.text),
		.ruleset = t.rules_span,
		.position = t.pos_span,
		.ply = s->plies,
		.quiet =
			s->quiet < WORKER_DRAW_MAX ? s->quiet : WORKER_DRAW_MAX,
		.repeats = repeats(s),
		.memory = buf_span(&a->policy_memory),
	};
	fill_history(s, &m.history);
	buf_clear(&a->f->question);
	worker_ask_verdict(&a->f->question, 1, &m);
	if (!ask(a, s, -1, SCRIPT_VERDICT_MS, &answer) ||
	    worker_ruling_read(answer.reply->result, &r))
		return;
	a->judged.script = (enum worker_verdict_kind)r.verdict;
	span_copy(r.reason, a->judged.script_words,
		  sizeof(a->judged.script_words));
	buf_clear(&a->policy_memory);
	buf_put(&a->policy_memory, r.memory.at, r.memory.len);
}

/* After a half-move: what the policy says now. */
static void judge(struct again *a, const struct standing *s)
{
	struct judged *j = &a->judged;
	const char *limit = limit_of(&a->f->policy, s);
	*j = (struct judged){ .open = true, .ply = s->plies, .pos = *s->pos };
	a->out->turns++;
	if (limit) {
		j->script = VERDICT_DRAW;
		snprintf(j->script_words, sizeof(j->script_words), "%s", limit);
	} else if (a->f->policy.has_verdict) {
		ask_verdict(a, s);
	}
}

static void say_verdict(char out[SAID_MAX], enum worker_verdict_kind kind,
			const char *words)
{
	static const char *const names[] = {
		[VERDICT_CONTINUE] = "goes on", [VERDICT_DRAW] = "draw",
		[VERDICT_WHITE] = "white wins", [VERDICT_BLACK] = "black wins",
		[VERDICT_WARN] = "warns",
	};
	snprintf(out, SAID_MAX, "%s%s%s", names[kind], words[0] ? ": " : "",
		 words);
}

/* The record has said all that it says of the position. */
static void settle(struct again *a)
{
	struct judged *j = &a->judged;
	if (!j->open)
		return;
	j->open = false;
	if (j->script == j->record && !strcmp(j->script_words, j->record_words))
		return;
	struct difference d = { .ply = j->ply, .side = -1, .pos = &j->pos };
	say_verdict(d.record, j->record, j->record_words);
	say_verdict(d.script, j->script, j->script_words);
	found(a, &d);
	a->left = j->script != VERDICT_CONTINUE && j->script != VERDICT_WARN;
}

static void see_verdict(struct again *a, const struct fact *f)
{
	static const enum worker_verdict_kind kinds[] = {
		[RESULT_WHITE] = VERDICT_WHITE,
		[RESULT_BLACK] = VERDICT_BLACK,
		[RESULT_DRAW] = VERDICT_DRAW,
		[RESULT_ABORTED] = VERDICT_CONTINUE,
	};
	struct judged *j = &a->judged;
	if (f->type == FACT_WARNED) {
		j->record = VERDICT_WARN;
		span_copy(f->warned.words, j->record_words,
			  sizeof(j->record_words));
		return;
	}
	if (f->type == FACT_RATED) /* and its end comes next */
		return;
	bool by_script =
		f->type == FACT_ENDED && span_is(f->ended.reason, "policy");
	bool by_number = f->type == FACT_ENDED &&
			 (span_is(f->ended.reason, "repetition") ||
			  span_is(f->ended.reason, "no_progress"));
	if (j->open && (by_script || by_number)) {
		j->record = kinds[f->ended.result];
		span_copy(by_script ? f->ended.words : f->ended.reason,
			  j->record_words, sizeof(j->record_words));
	}
	settle(a);
}

static void see_offer(struct again *a, const struct standing *s,
		      const struct fact *f)
{
	const struct worker_policy *p = &a->f->policy;
	if (f->type != FACT_DRAW_OFFERED)
		return;
	bool early = s->plies < p->offers_from;
	bool spent = p->offers_max > 0 &&
		     s->offers_made[f->draw_offered.side] >= p->offers_max;
	if (!p->no_offers && !early && !spent)
		return;
	struct difference d = { .ply = s->plies,
				.side = (int)f->draw_offered.side,
				.pos = s->pos };
	snprintf(d.record, sizeof(d.record), "a draw is offered");
	snprintf(d.script, sizeof(d.script), "refuses the offer: %s",
		 p->no_offers ? "no_draws"
		 : early      ? "offer_too_early"
			      : "offers_spent");
	found(a, &d);
}

/* ---- rulesets ---------------------------------------------------------- */

/* A move of the record by the rules of the script. */
static void see_move(struct again *a, const struct standing *s,
		     const struct fact *f)
{
	const struct ruleset *rules = &a->f->rules;
	struct move move, was;
	struct refusal why;
	struct position next, then;
	char text[MOVE_TEXT_MAX];
	if (f->type != FACT_MOVED || !s->to_move)
		return;
	a->out->turns++;
	struct difference d = { .ply = s->plies,
				.side = s->pos->side,
				.pos = s->pos };
	span_copy(f->moved.move, text, sizeof(text));
	snprintf(d.record, sizeof(d.record), "%s", text);
	int err = game_check(rules, s->pos, text, strlen(text), &move, &why);
	if (err) {
		snprintf(d.script, sizeof(d.script), "not legal: %s",
			 err == PLYD_EILLEGAL ? reason_text(why.reason)
					      : plyd_err_text(err));
	} else {
		game_check(&a->rules, s->pos, text, strlen(text), &was, &why);
		game_apply(&a->rules, s->pos, &was, &then);
		game_apply(rules, s->pos, &move, &next);
		struct outcome o = game_outcome(rules, &next);
		bool ends = o.over && !game_outcome(&a->rules, &then).over;
		if (ends)
			snprintf(d.script, sizeof(d.script),
				 "ends the game: %s", o.why);
		else if (game_hash(&a->rules, &next) !=
			 game_hash(&a->rules, &then))
			snprintf(d.script, sizeof(d.script),
				 "leads to another position");
	}
	if (!d.script[0])
		return;
	found(a, &d);
	a->left = true;
}

/* ---- following --------------------------------------------------------- */

static void begin(struct again *a, const struct fact_begun_body *b)
{
	const struct script_file *f = a->f;
	a->begun = true;
	span_copy(b->ruleset, a->ruleset, sizeof(a->ruleset));
	span_copy(b->policy, a->policy, sizeof(a->policy));
	a->rules = verifier_verdict(a->v)->rules;
	a->own[WHITE] = b->white_kind == KIND_PERSONALITY &&
			span_is(b->white_name, f->name);
	a->own[BLACK] = b->black_kind == KIND_PERSONALITY &&
			span_is(b->black_name, f->name);
	a->no_progress = b->no_progress;
	a->repetition = b->repetition;
	a->counts = b->no_progress_counts;
	a->increment_ms = b->increment_ms;
	switch (f->kind) {
	case WORKER_PERSONALITY:
		a->out->looked_at = a->every || a->own[WHITE] || a->own[BLACK];
		break;
	case WORKER_POLICY:
		a->out->looked_at = a->every || !strcmp(a->policy, f->name);
		break;
	default:
		a->out->looked_at = a->rules.family == f->rules.family &&
				    (a->every || !strcmp(a->ruleset, f->name) ||
				     !strcmp(a->ruleset, f->base));
	}
}

/* A fact that the verifier has not taken yet. */
static void before(struct again *a, const struct standing *s,
		   const struct fact *f)
{
	switch (a->f->kind) {
	case WORKER_PERSONALITY: see_turn(a, s, f); break;
	case WORKER_POLICY:
		see_verdict(a, f);
		if (!a->left)
			see_offer(a, s, f);
		break;
	default: see_move(a, s, f);
	}
}

static bool is_half_move(const struct fact *f)
{
	return f->type == FACT_MOVED || f->type == FACT_PASSED;
}

/* Takes one fact; an error of the verifier. */
static int follow(struct again *a, struct span bytes)
{
	struct fact f;
	struct standing s;
	bool watched = a->begun && a->out->looked_at && !a->left;
	if (fact_decode(a->doc, bytes, &a->r->match, 0, &f))
		return verifier_fact(a->v, bytes); /* which says why */
	if (watched) {
		verifier_look(a->v, &s);
		before(a, &s, &f);
	}
	int err = verifier_fact(a->v, bytes);
	if (err || a->status != PLY_OK)
		return err;
	if (f.type == FACT_BEGUN)
		begin(a, &f.begun);
	if (watched && !a->left && is_half_move(&f)) {
		verifier_look(a->v, &s);
		/* a game that is over comes before any draw */
		if (a->f->kind == WORKER_POLICY &&
		    !game_outcome(&a->rules, s.pos).over)
			judge(a, &s);
	}
	return PLYD_OK;
}

static int follow_all(struct again *a, char why[VERIFY_WHY_MAX])
{
	struct buf fact;
	int err = PLYD_OK;
	buf_init(&fact, FACT_BYTES_MAX);
	if (a->r->redacted)
		verifier_redacted(a->v, &a->r->after_begun);
	size_t count = client_count(a->r->facts);
	for (size_t i = 0; !err && a->status == PLY_OK && i < count; i++) {
		/* what is no hex cannot be a fact: judged as an empty one */
		if (!record_fact(a->r, i, &fact))
			buf_clear(&fact);
		err = follow(a, buf_span(&fact));
	}
	buf_release(&fact);
	if (!err && a->status == PLY_OK)
		err = verifier_end(a->v, &a->r->head);
	if (err)
		snprintf(why, VERIFY_WHY_MAX, "%s",
			 err == PLYD_ERECORD ? verifier_verdict(a->v)->why
					     : plyd_err_text(err));
	return err ? PLY_REFUSED : a->status;
}

int script_again(struct script_file *f, const struct record_view *r, bool every,
		 void (*tell)(void *payload, const struct difference *d),
		 void *payload, struct again_result *out,
		 char why[VERIFY_WHY_MAX])
{
	struct again *a = calloc(1, sizeof(*a));
	*out = (struct again_result){ 0 };
	if (!a)
		return PLY_UNREADABLE;
	*a = (struct again){
		.f = f,
		.v = verifier_new(&r->match),
		.doc = doc_new(),
		.r = r,
		.every = every,
		.tell = tell,
		.payload = payload,
		.out = out,
		.status = PLY_OK,
	};
	buf_init(&a->memory[WHITE], WORKER_KEPT_MAX);
	buf_init(&a->memory[BLACK], WORKER_KEPT_MAX);
	buf_init(&a->policy_memory, WORKER_KEPT_MAX);
	int status = a->v && a->doc ? follow_all(a, why) : PLY_UNREADABLE;
	buf_release(&a->memory[WHITE]);
	buf_release(&a->memory[BLACK]);
	buf_release(&a->policy_memory);
	verifier_free(a->v);
	doc_free(a->doc);
	free(a);
	return status;
}
