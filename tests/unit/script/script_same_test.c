/* SPDX-License-Identifier: MIT
 * Same seed, script, position: same move, whatever compiler built this. Scripts
 * that use all that a script can use are asked in positions of random games of
 * every ruleset; a hash of all answers is compared with one that is written
 * here. With a number of positions as its argument it only prints the hash:
 * `make same` compares those of two builds. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "unit.h"

/* Where scripts, engine or host are meant to answer otherwise from now on, the
 * test says what to write here. */
static const char hash_of_short[] = "37e2ef33b9476bd7";

enum { POSITIONS_SHORT = 500, PLIES_STEP = 3, GAME_PLIES_MAX = 200 };

/* Order of keys, floats as text and as keys, sorting, chance, memory. */
static const char everything[] =
	"local function worth(move)\n"
	"	local sum = 0\n"
	"	for key, value in pairs(move) do\n"
	"		if type(value) == 'number' then\n"
	"			sum = sum * 1.37 + value * #key\n"
	"		end\n"
	"	end\n"
	"	return math.sqrt(sum + 1) * math.exp(-#move.move / 7)\n"
	"end\n"
	"return { name = 'everything', choose = function(turn)\n"
	"	local seen, text = {}, {}\n"
	"	for square, piece in pairs(turn.board) do\n"
	"		seen[#tostring(piece) + #text / 3] = square\n"
	"		text[#text + 1] = string.format('%s:%.9g', square,\n"
	"			math.log(#text + 2.5))\n"
	"	end\n"
	"	for key, value in pairs(seen) do\n"
	"		text[#text + 1] = tostring(key) .. tostring(value)\n"
	"	end\n"
	"	table.sort(turn.moves, function(a, b)\n"
	"		return worth(a) + evaluate(a.move) / 999\n"
	"			> worth(b) + evaluate(b.move) / 999\n"
	"	end)\n"
	"	local lines = search { nodes = 150, multipv = 4,\n"
	"		weights = { centre = random(50, 150), gammon = 90 } }\n"
	"	lines[#lines + 1] = { move = turn.moves[1].move,\n"
	"		score = math.max(-30000, lines[#lines].score - "
	"random(40)) }\n"
	"	turn.memory.text = table.concat(text):sub(-random(400))\n"
	"	turn.memory.drawn = tostring(random())\n"
	"	return { move = pick(lines, { margin = 200, temperature = 40,\n"
	"			noise = 30 }),\n"
	"		think_ms = random(1, 60000), offer_draw = random(2) == "
	"1 }\n"
	"end }\n";

static const char *const names[] = { "everything", "gentle", "bold", "steady" };
enum { NAMES = sizeof(names) / sizeof(names[0]) };

static struct asked worker;

static void load(const char *name, struct span source)
{
	struct worker_reply r;
	assert_true(ask_load(&worker, WORKER_PERSONALITY, name, source, 0, &r));
	assert_int_equal(r.err, PLYD_OK);
}

static void load_all(void)
{
	asked_init_here(&worker);
	load(names[0], span_str(everything));
	ask_load_shipped(&worker, WORKER_LIBRARY, "words", "lib/words.lua");
	for (size_t i = 1; i < NAMES; i++) {
		char path[64];
		snprintf(path, sizeof(path), "personalities/%s.lua", names[i]);
		struct span source = read_script(path);
		load(names[i], source);
		free((void *)source.at);
	}
}

/* ---- positions --------------------------------------------------------- */

struct walk {
	struct ruleset rs;
	struct position pos;
	struct rng rng;
	int ply;
	size_t next_ruleset;
	uint64_t hash;
};

static void begin_game(struct walk *w)
{
	w->rs = *ruleset_at(w->next_ruleset++ % ruleset_count());
	game_start(&w->rs, &w->pos);
	w->ply = 0;
}

static void throw_dice(struct walk *w)
{
	struct position before = w->pos;
	if (!ruleset_has_dice(&w->rs) || before.dice[0] != 0)
		return;
	int first = (int)rng_below(&w->rng, 6) + 1;
	game_throw(&before, first, (int)rng_below(&w->rng, 6) + 1, &w->pos);
}

static void play_on(struct walk *w)
{
	static struct move_list list;
	struct position before = w->pos;
	if (game_moves(&w->rs, &before, &list) || list.count == 0) {
		game_pass(&before, &w->pos);
	} else {
		uint32_t n = rng_below(&w->rng, (uint32_t)list.count);
		game_apply(&w->rs, &before, &list.move[n], &w->pos);
	}
	w->ply++;
	if (game_outcome(&w->rs, &w->pos).over || w->ply > GAME_PLIES_MAX)
		begin_game(w);
	throw_dice(w);
}

/* A position with a move to choose, some half-moves on. */
static void walk_on(struct walk *w)
{
	for (int i = 0; i < PLIES_STEP; i++)
		play_on(w);
	while (!game_can_move(&w->rs, &w->pos))
		play_on(w);
}

/* ---- answers ----------------------------------------------------------- */

static void note(struct walk *w, struct span bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		w->hash = (w->hash ^ bytes.at[i]) * 1099511628211u;
}

static void ask(struct walk *w, const char *name)
{
	struct asking_texts texts;
	struct worker_reply r;
	struct worker_choice c;
	char rest[64];
	struct worker_choose m = choose_at(name, &w->rs, &w->pos, &texts);
	m.ply = w->ply;
	m.seed = (uint64_t)w->ply * 7 + w->next_ruleset;
	m.remaining_ms = 2000; /* they hurry */
	assert_true(ask_choose(&worker, &m, 0, &r));
	if (r.err)
		print_error("%s in %s: %lld: %.*s\n", name, texts.position,
			    (long long)r.error.line, (int)r.error.text.len,
			    (const char *)r.error.text.at);
	assert_int_equal(r.err, PLYD_OK);
	assert_int_equal(worker_choice_read(r.result, &c), PLYD_OK);
	note(w, c.move);
	note(w, c.memory);
	int len = snprintf(rest, sizeof(rest), "%d %lld %llu", c.offer_draw,
			   (long long)c.think_ms, (unsigned long long)c.nodes);
	note(w, span_of(rest, (size_t)len));
}

/* The first script in each position, in every fourth one of the others too. */
static void hash_answers(size_t positions, char out[17])
{
	struct walk w = { .hash = 14695981039346656037u };
	load_all();
	rng_seed(&w.rng, 1);
	begin_game(&w);
	throw_dice(&w);
	for (size_t i = 0; i < positions; i++) {
		walk_on(&w);
		ask(&w, names[0]);
		if (i % 4 == 0)
			ask(&w, names[1 + i / 4 % (NAMES - 1)]);
	}
	asked_release_here(&worker);
	snprintf(out, 17, "%016llx", (unsigned long long)w.hash);
}

static void every_build_chooses_alike(void **state)
{
	char hash[17];
	(void)state;
	hash_answers(POSITIONS_SHORT, hash);
	if (strcmp(hash, hash_of_short) != 0)
		fail_msg("the answers have the hash %s, not %s; if scripts are "
			 "meant to choose otherwise now, and all builds agree, "
			 "write that into %s",
			 hash, hash_of_short, __FILE__);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_build_chooses_alike),
	};
	char hash[17];
	if (argc < 2)
		return cmocka_run_group_tests(tests, NULL, NULL);
	hash_answers(strtoul(argv[1], NULL, 10), hash);
	printf("%s\n", hash);
	return 0;
}
