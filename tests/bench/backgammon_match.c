/* SPDX-License-Identifier: MIT
 * Two settings of the engine play backgammon against each other, every dice
 * twice with sides changed; see usage(). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "engine/backgammon_net.h"
#include "engine/engine.h"

enum {
	TABLE_BYTES = 64,
	TURNS_MAX = 4000,
	POOL = 100000,     /* positions whose judgement is timed */
	THROWS = 5000,     /* and throws for which a move is chosen, */
	THROWS_AHEAD = 60, /* or chosen one throw ahead */
	ROUNDS = 5
};

/* How a side looks for a move and takes one. */
struct setting {
	struct engine_budget budget;
	struct engine_taste taste;
	size_t multipv;
	struct engine_weights weights;
};

struct tally {
	double sum; /* of points a game, a pair at a time */
	double squares;
	long won;
	long pairs;
};

static struct ruleset rules;
static struct engine *engine;

static int usage(void)
{
	fprintf(stderr,
		"usage: backgammon-match SETTING SETTING PAIRS SEED\n"
		"       backgammon-match speed\n"
		"SETTING: words NAME=NUMBER with commas between: depth (1 no "
		"look-ahead,\n2 one throw), nodes, multipv, noise, margin, "
		"temperature, or a weight.\n");
	return 2;
}

static bool set(struct setting *s, const char *name, size_t len, long value)
{
	if (len == 5 && memcmp(name, "depth", len) == 0)
		s->budget.depth = (int)value;
	else if (len == 5 && memcmp(name, "nodes", len) == 0)
		s->budget.nodes = (uint64_t)value;
	else if (len == 7 && memcmp(name, "multipv", len) == 0)
		s->multipv = (size_t)value;
	else if (len == 5 && memcmp(name, "noise", len) == 0)
		s->taste.noise = (int)value;
	else if (len == 6 && memcmp(name, "margin", len) == 0)
		s->taste.margin = (int)value;
	else if (len == 11 && memcmp(name, "temperature", len) == 0)
		s->taste.temperature = (int)value;
	else
		return engine_weight_set(&s->weights, name, len, value) == 0;
	return true;
}

static bool setting_read(struct setting *s, const char *text)
{
	memset(s, 0, sizeof(*s));
	s->budget.nodes = 1000000;
	engine_weights_init(&s->weights);
	while (*text) {
		size_t len = strcspn(text, "=,");
		if (text[len] != '=')
			return false;
		char *end;
		long value = strtol(text + len + 1, &end, 10);
		if (!set(s, text, len, value))
			return false;
		text = *end == ',' ? end + 1 : end;
	}
	return true;
}

/* ---- games ------------------------------------------------------------- */

static void turn(struct position *pos, const struct setting *s, uint64_t seed)
{
	const struct engine_question q = { .ruleset = &rules,
					   .position = pos,
					   .weights = &s->weights,
					   .budget = s->budget,
					   .multipv = s->multipv,
					   .seed = seed };
	static struct engine_result r;
	struct position next;
	if (engine_search(engine, &q, &r) || r.count == 0) {
		game_pass(pos, &next);
	} else {
		size_t i = engine_choose(&r, &s->taste, seed,
					 game_hash(&rules, pos));
		game_apply(&rules, pos, &r.line[i].move, &next);
	}
	*pos = next;
}

/* What WHITE wins. */
static int game(const struct setting *const side[2], uint64_t dice,
		uint64_t seed)
{
	struct rng rng;
	struct position pos, thrown;
	int a, b;
	rng_seed(&rng, dice);
	game_start(&rules, &pos);
	do {
		a = 1 + (int)rng_below(&rng, 6);
		b = 1 + (int)rng_below(&rng, 6);
	} while (a == b);
	pos.side = a > b ? WHITE : BLACK;
	for (int n = 0; n < TURNS_MAX; n++) {
		game_throw(&pos, a, b, &thrown);
		turn(&thrown, side[pos.side], seed + pos.side);
		pos = thrown;
		struct outcome o = game_outcome(&rules, &pos);
		if (o.over)
			return o.winner == WHITE ? o.points : -o.points;
		a = 1 + (int)rng_below(&rng, 6);
		b = 1 + (int)rng_below(&rng, 6);
	}
	return 0;
}

static void pair(const struct setting *one, const struct setting *two,
		 uint64_t dice, struct tally *t)
{
	int first = game((const struct setting *[]){ one, two }, dice, dice);
	int second = -game((const struct setting *[]){ two, one }, dice, dice);
	double mean = (first + second) / 2.0;
	t->sum += mean;
	t->squares += mean * mean;
	t->won += (first > 0) + (second > 0);
	t->pairs++;
}

static int match(const char *one, const char *two, long pairs, uint64_t seed)
{
	struct setting a, b;
	struct tally t = { 0, 0, 0, 0 };
	if (!setting_read(&a, one) || !setting_read(&b, two) || pairs < 1)
		return usage();
	while (t.pairs < pairs)
		pair(&a, &b, seed * 1000003 + (uint64_t)t.pairs, &t);
	double n = (double)t.pairs;
	double mean = t.sum / n;
	double error = sqrt((t.squares / n - mean * mean) / n);
	double won = (double)t.won / (2 * n);
	printf("%s against %s: %ld games, won %.1f %% +- %.1f, %+.3f +- %.3f "
	       "points a game\n",
	       one, two, 2 * t.pairs, 100 * won,
	       100 * sqrt(won * (1 - won) / (2 * n)), mean, error);
	return 0;
}

/* ---- speed ------------------------------------------------------------- */

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* All results of throws along games at random: what a search judges. */
static void fill_pool(struct position *pool, size_t count)
{
	static struct move_list list;
	struct rng rng;
	struct position pos, thrown;
	size_t n = 0;
	rng_seed(&rng, 1);
	game_start(&rules, &pos);
	while (n < count) {
		if (game_outcome(&rules, &pos).over)
			game_start(&rules, &pos);
		game_throw(&pos, 1 + (int)rng_below(&rng, 6),
			   1 + (int)rng_below(&rng, 6), &thrown);
		if (game_moves(&rules, &thrown, &list) || list.count == 0) {
			game_pass(&thrown, &pos);
			continue;
		}
		for (size_t i = 0; i < list.count && n < count; i++) {
			game_apply(&rules, &thrown, &list.move[i], &pool[n]);
			n += !game_outcome(&rules, &pool[n]).over;
		}
		size_t pick = rng_below(&rng, (uint32_t)list.count);
		game_apply(&rules, &thrown, &list.move[pick], &pos);
	}
}

/* Throws along games at random, with a choice. */
static void fill_throws(struct position *throws, size_t count)
{
	static struct move_list list;
	struct rng rng;
	struct position pos;
	size_t n = 0;
	rng_seed(&rng, 2);
	game_start(&rules, &pos);
	while (n < count) {
		if (game_outcome(&rules, &pos).over)
			game_start(&rules, &pos);
		game_throw(&pos, 1 + (int)rng_below(&rng, 6),
			   1 + (int)rng_below(&rng, 6), &throws[n]);
		if (game_moves(&rules, &throws[n], &list) || list.count == 0) {
			game_pass(&throws[n], &pos);
			continue;
		}
		size_t pick = rng_below(&rng, (uint32_t)list.count);
		game_apply(&rules, &throws[n], &list.move[pick], &pos);
		n += list.count > 1;
	}
}

/* Seconds for listing the moves of so many throws. */
static double list_all(const struct position *throws, size_t count)
{
	static struct move_list list;
	size_t sum = 0;
	double begun = seconds();
	for (size_t i = 0; i < count; i++) {
		game_moves(&rules, &throws[i], &list);
		sum += list.count;
	}
	return sum ? seconds() - begun : 0;
}

/* Seconds for choosing a move for each; *nodes: positions that were looked at,
 * each once. */
static double choose_all(const struct position *throws, size_t count, int depth,
			 uint64_t *nodes)
{
	static struct engine_result r;
	struct engine_question q = { .ruleset = &rules,
				     .budget = { .nodes = UINT64_MAX,
						 .depth = depth } };
	double begun = seconds();
	*nodes = 0;
	for (size_t i = 0; i < count; i++) {
		q.position = &throws[i];
		engine_search(engine, &q, &r);
		*nodes += r.nodes;
	}
	return seconds() - begun;
}

/* The sum of their chances to win, by the nets. */
static long judge_all(const struct position *pool, size_t count,
		      struct backgammon_memo *memo)
{
	long sum = 0;
	for (size_t i = 0; i < count; i++) {
		const struct position *p = &pool[i];
		struct backgammon_chances c =
			backgammon_judge(p->backgammon.point[p->side],
					 p->backgammon.point[!p->side], memo);
		sum += c.chance[BACKGAMMON_WIN];
	}
	return sum;
}

/* Seconds for the best answer to each, as a search that looks ahead finds it;
 * *nodes as above. */
static double answer_all(const struct position *throws, size_t count,
			 uint64_t *nodes)
{
	static struct move_list list;
	static struct backgammon_memo memo;
	uint16_t index[FILTER_MOST];
	struct filtered f;
	struct position after;
	long sum = 0;
	double begun = seconds();
	*nodes = 0;
	for (size_t i = 0; i < count; i++) {
		const struct position *p = &throws[i];
		game_moves(&rules, p, &list);
		filter_begin(&f, p->backgammon.point[p->side],
			     p->backgammon.point[!p->side]);
		size_t n = filter_moves(&f, &plyd_filter_answer, list.move,
					list.count, index);
		for (size_t k = 0; k < n; k++) {
			game_apply(&rules, p, &list.move[index[k]], &after);
			sum += judge_all(&after, 1, &memo);
		}
		*nodes += list.count;
	}
	return sum ? seconds() - begun : 0;
}

static double nets_all(const struct position *pool, size_t count)
{
	static struct backgammon_memo memo;
	double begun = seconds();
	return judge_all(pool, count, &memo) ? seconds() - begun : 0;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static int speed(void)
{
	static struct position pool[POOL];
	static struct position throws[THROWS];
	double judge = 1e9, list = 1e9, choose = 1e9, answer = 1e9;
	double ahead = 1e9;
	uint64_t chosen = 0, answered = 0, looked = 0;
	fill_pool(pool, POOL);
	fill_throws(throws, THROWS);
	for (int round = 0; round < ROUNDS; round++) {
		judge = least(judge, nets_all(pool, POOL));
		list = least(list, list_all(throws, THROWS));
		choose = least(choose, choose_all(throws, THROWS, 1, &chosen));
		answer = least(answer, answer_all(throws, THROWS, &answered));
		ahead = least(ahead,
			      choose_all(throws, THROWS_AHEAD, 2, &looked));
	}
	printf("nets alone: %.2f M positions a second\n"
	       "choosing: %.2f M positions a second, %.2f with their listing\n"
	       "answers: %.2f M positions a second, %.2f with their listing\n"
	       "one throw ahead: %.2f M positions and %.0f moves a second\n",
	       POOL / judge / 1e6, (double)chosen / (choose - list) / 1e6,
	       (double)chosen / choose / 1e6,
	       (double)answered / (answer - list) / 1e6,
	       (double)answered / answer / 1e6, (double)looked / ahead / 1e6,
	       THROWS_AHEAD / ahead);
	return 0;
}

int main(int argc, char **argv)
{
	if (ruleset_find("backgammon", 10, &rules) ||
	    engine_new(TABLE_BYTES, &engine))
		return 1;
	int status = 2;
	if (argc == 5)
		status = match(argv[1], argv[2], atol(argv[3]),
			       strtoull(argv[4], NULL, 10));
	else if (argc == 2 && strcmp(argv[1], "speed") == 0)
		status = speed();
	else
		usage();
	engine_free(engine);
	return status;
}
