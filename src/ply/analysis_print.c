/* SPDX-License-Identifier: MIT */
#include "ply/analysis_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ply/question.h"

enum { CENTI = 100 };

/* -- words -- */

static const char *result_text(enum game_result result)
{
	switch (result) {
	case RESULT_WHITE: return "white won";
	case RESULT_BLACK: return "black won";
	case RESULT_DRAW: return "drawn";
	case RESULT_NONE: return "open";
	case RESULT_FORFEIT: return "lost by both";
	}
	return "";
}

static const char *json_result(enum game_result result)
{
	static const char *const names[] = { "white", "black", "draw", NULL,
					     NULL };
	return names[result];
}

static const char *cube_text(const struct decision *d)
{
	if (d->kind == DECISION_DOUBLE)
		return d->did ? "doubled, and should not have"
			      : "did not double, and should have";
	return d->did ? "took, and should have dropped"
		      : "dropped, and should have taken";
}

static const char *cube_word(enum decision_kind kind, bool yes)
{
	if (kind == DECISION_DOUBLE)
		return yes ? "double" : "roll";
	return yes ? "take" : "drop";
}

/* A loss with its unit, such as `0.35 men`. */
static void loss_text(enum family family, double loss, char *out, size_t size)
{
	if (family == FAMILY_DRAUGHTS)
		snprintf(out, size, "%.2f men", loss / CENTI);
	else
		snprintf(out, size, "%.1f mp", loss);
}

static double mean_loss(const struct side_tally *t)
{
	return t->moves ? (double)t->loss / t->moves : 0;
}

static void name_of(const struct game_record *game, enum side side,
		    char out[REPORT_NAME_MAX + 1])
{
	char shown[SHOWN_MAX + 1];
	const char *name =
		game_tag_find(game, side == WHITE ? "White" : "Black");
	snprintf(out, REPORT_NAME_MAX + 1, "%s",
		 name && name[0] ? text_printable(name, shown) : "?");
}

/* -- JSON -- */

static json_t *json_side(const struct side_tally *t)
{
	return json_pack("{s:i,s:f,s:i,s:i,s:i,s:i}", "decisions",
			 (int)t->moves, "loss_mean", mean_loss(t), "loss",
			 (int)t->loss, "blunders", (int)t->blunders, "cubes",
			 (int)t->cubes, "cubes_wrong", (int)t->wrong);
}

static json_t *json_decision(const struct report *r,
			     const struct ruleset *rules,
			     const struct decision *d)
{
	char played[MOVE_TEXT_MAX], best[MOVE_TEXT_MAX];
	json_t *out = json_pack("{s:i,s:s,s:o}", "ply", (int)d->ply, "side",
				side_name(d->side), "position",
				json_position(rules, &d->pos));
	if (d->kind != DECISION_MOVE) {
		json_object_set_new(out, "played",
				    json_string(cube_word(d->kind, d->did)));
		json_object_set_new(out, "best",
				    json_string(cube_word(d->kind, d->should)));
		return out;
	}
	game_move_text(rules, &d->pos, &d->played, played);
	game_move_text(rules, &d->pos, &d->best, best);
	json_object_set_new(out, "played", json_string(played));
	json_object_set_new(out, "best", json_string(best));
	json_object_set_new(out, "loss", json_integer(d->loss));
	json_object_set_new(out, "blunder",
			    json_boolean(d->loss >=
					 analysis_blunder(r->options,
							  rules->family)));
	return out;
}

static void json_game(const struct report *r, const struct game_record *game,
		      const struct analysis *a)
{
	json_t *decisions = json_array();
	char name[2][REPORT_NAME_MAX + 1];
	name_of(game, WHITE, name[WHITE]);
	name_of(game, BLACK, name[BLACK]);
	for (size_t i = 0; i < a->count; i++)
		json_array_append_new(decisions,
				      json_decision(r, &game->ruleset,
						    &a->decision[i]));
	json_print(
		json_pack("{s:s,s:I,s:s,s:s,s:s,s:s?,s:s,s:I,s:{s:o,s:o},s:o}",
			  "file", r->path, "game", (json_int_t)game->number,
			  "ruleset", game->ruleset.name, "white", name[WHITE],
			  "black", name[BLACK], "result",
			  json_result(game->result), "unit",
			  game->ruleset.family == FAMILY_DRAUGHTS
				  ? "centi-men"
				  : "millipoints",
			  "nodes", (json_int_t)r->options->nodes, "sides",
			  "white", json_side(&a->side[WHITE]), "black",
			  json_side(&a->side[BLACK]), "decisions", decisions));
}

/* -- tables -- */

static void print_side(const char *name, const struct ruleset *rules,
		       const struct side_tally *t)
{
	char mean[32];
	loss_text(rules->family, mean_loss(t), mean, sizeof(mean));
	printf("  %-24.24s %9u %12s %8u", name, t->moves, mean, t->blunders);
	if (ruleset_has_stakes(rules))
		printf(" %6u %6u", t->cubes, t->wrong);
	putchar('\n');
}

static void print_sides(char name[2][REPORT_NAME_MAX + 1],
			const struct ruleset *rules,
			const struct side_tally side[2])
{
	printf("  %-24s decisions   error each blunders%s\n", "",
	       ruleset_has_stakes(rules) ? "   cube  wrong" : "");
	print_side(name[WHITE], rules, &side[WHITE]);
	print_side(name[BLACK], rules, &side[BLACK]);
}

static void print_game(const struct game_record *game, const struct analysis *a)
{
	char name[2][REPORT_NAME_MAX + 1];
	name_of(game, WHITE, name[WHITE]);
	name_of(game, BLACK, name[BLACK]);
	printf("game %" PRIu64 ", %s: %s (white) against %s (black), %s\n",
	       game->number, game->ruleset.name, name[WHITE], name[BLACK],
	       result_text(game->result));
	print_sides(name, &game->ruleset, a->side);
}

static void print_item(const struct report_item *item)
{
	const struct decision *d = &item->decision;
	struct question q = { .ruleset = item->rules, .position = d->pos };
	char played[MOVE_TEXT_MAX], best[MOVE_TEXT_MAX], loss[32];
	printf("\ngame %" PRIu64 ", half-move %u, %s (%s): ", item->game,
	       d->ply, item->name, side_name(d->side));
	if (d->kind == DECISION_MOVE) {
		game_move_text(&item->rules, &d->pos, &d->played, played);
		game_move_text(&item->rules, &d->pos, &d->best, best);
		loss_text(item->rules.family, d->loss, loss, sizeof(loss));
		printf("%s loses %s against %s\n", played, loss, best);
	} else {
		printf("%s\n", cube_text(d));
	}
	question_draw(&q);
}

/* -- what is worst -- */

static void fill(struct report_item *item, const struct game_record *game,
		 const struct decision *d)
{
	item->game = game->number;
	item->rules = game->ruleset;
	item->decision = *d;
	name_of(game, d->side, item->name);
}

/* Into its place among the worst; of equal ones the first stays before. */
static void keep_move(struct report *r, const struct game_record *game,
		      const struct decision *d)
{
	size_t at = r->move_count;
	while (at > 0 && r->move[at - 1].decision.loss < d->loss)
		at--;
	if (at >= r->worst)
		return;
	if (r->move_count < r->worst)
		r->move_count++;
	memmove(&r->move[at + 1], &r->move[at],
		(r->move_count - 1 - at) * sizeof(r->move[0]));
	fill(&r->move[at], game, d);
}

static void keep(struct report *r, const struct game_record *game,
		 const struct analysis *a)
{
	int blunder = analysis_blunder(r->options, game->ruleset.family);
	for (size_t i = 0; i < a->count; i++) {
		const struct decision *d = &a->decision[i];
		if (d->kind == DECISION_MOVE) {
			if (d->loss >= blunder)
				keep_move(r, game, d);
		} else if (d->did != d->should && r->cube_count < r->worst) {
			fill(&r->cube[r->cube_count++], game, d);
		}
	}
}

static void add_up(struct report *r, const struct game_record *game,
		   const struct analysis *a)
{
	char name[2][REPORT_NAME_MAX + 1];
	for (size_t side = 0; side < 2; side++) {
		struct side_tally *t = &r->total[side];
		t->moves += a->side[side].moves;
		t->blunders += a->side[side].blunders;
		t->loss += a->side[side].loss;
		t->cubes += a->side[side].cubes;
		t->wrong += a->side[side].wrong;
		name_of(game, (enum side)side, name[side]);
	}
	if (r->games == 0) {
		memcpy(r->name, name, sizeof(name));
		r->rules = game->ruleset;
		r->same_names = true;
	} else if (strcmp(r->name[WHITE], name[WHITE]) != 0 ||
		   strcmp(r->name[BLACK], name[BLACK]) != 0) {
		r->same_names = false;
	}
	r->games++;
}

void report_game(struct report *r, const struct game_record *game,
		 const struct analysis *a)
{
	add_up(r, game, a);
	if (r->json) {
		json_game(r, game, a);
		return;
	}
	print_game(game, a);
	keep(r, game, a);
}

void report_end(struct report *r)
{
	if (r->json)
		return;
	if (r->games > 1 && r->same_names) {
		printf("all %" PRIu64 " games\n", r->games);
		print_sides(r->name, &r->rules, r->total);
	}
	for (size_t i = 0; i < r->move_count; i++)
		print_item(&r->move[i]);
	for (size_t i = 0; i < r->cube_count; i++)
		print_item(&r->cube[i]);
}
