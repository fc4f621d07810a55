/* SPDX-License-Identifier: MIT
 * One game as two formats have it is one story. (Stories of records are looked
 * at under tmux: they need a server that made them.) */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ply/story.h"
#include "ply/story_view.h"
#include "ply/view.h"

static struct file_case {
	const char *name;
	unsigned games;
	unsigned refused; /* by the rules; 0: none */
} files[] = {
	{ "gnubg_match", 3, 0 },
	{ "gnubg_money", 9, 0 },
	{ "gnubg_crawford", 5, 4 }, /* a double in the Crawford game */
	{ "gnubg_jacoby", 9, 0 },
};

static const char *read_one(struct story *s, const char *name,
			    const char *format, unsigned game, unsigned *games)
{
	char path[512];
	snprintf(path, sizeof(path), TESTS_DIR "/golden/records/%s.%s", name,
		 format);
	return story_of_file(s, path, game, games);
}

static void both_formats_tell_the_same(void **state)
{
	const struct file_case *c = *state;
	unsigned games = 1;
	for (unsigned game = 1; game <= games; game++) {
		struct story mat = { .steps = 0 }, sgf = { .steps = 0 };
		unsigned others;
		const char *wrong =
			read_one(&mat, c->name, "mat", game, &games);
		const char *also =
			read_one(&sgf, c->name, "sgf", game, &others);
		if (game == c->refused) {
			assert_string_equal(wrong, also);
			continue;
		}
		assert_null(wrong);
		assert_null(also);
		assert_true(mat.steps > 3);
		for (size_t i = 1; i < mat.steps && i < sgf.steps; i++) {
			const struct story_step *a = &mat.step[i];
			const struct story_step *b = &sgf.step[i];
			if (i + 1 < mat.steps && i + 1 < sgf.steps)
				assert_string_equal(a->text, b->text);
			assert_memory_equal(&a->pos.backgammon,
					    &b->pos.backgammon,
					    sizeof(a->pos.backgammon));
			assert_int_equal(a->marked, b->marked);
		}
		story_release(&mat);
		story_release(&sgf);
	}
	assert_int_equal(games, c->games);
}

static void what_is_no_story(void **state)
{
	struct story s = { .steps = 0 };
	unsigned games;
	(void)state;
	assert_non_null(read_one(&s, "gnubg_match", "mat", 99, &games));
	assert_non_null(read_one(&s, "there_is_none", "mat", 1, &games));
	assert_non_null(
		story_of_file(&s, TESTS_DIR "/golden/README.md", 1, &games));
	assert_non_null(story_of_record(&s, NULL));
	assert_int_equal(s.steps, 0);
	assert_null(s.step);
}

static void press(struct story_view *v, enum press kind)
{
	assert_true(story_view_key(v, (struct key){ .kind = kind }));
}

static void steps_go_forward_and_back(void **state)
{
	static struct story_view v;
	unsigned games;
	(void)state;
	assert_null(read_one(&v.story, "gnubg_money", "mat", 1, &games));
	press(&v, PRESS_LEFT);
	assert_int_equal(v.at, 0);
	press(&v, PRESS_RIGHT);
	press(&v, PRESS_DOWN);
	assert_int_equal(v.at, 11);
	press(&v, PRESS_UP);
	assert_int_equal(v.at, 1);
	press(&v, PRESS_END);
	press(&v, PRESS_RIGHT);
	press(&v, PRESS_PAGE_DOWN);
	assert_int_equal(v.at, v.story.steps - 1);
	press(&v, PRESS_HOME);
	assert_int_equal(v.at, 0);
	assert_false(story_view_key(&v, (struct key){ .kind = PRESS_ESCAPE }));
	story_release(&v.story);
}

/* -- the moves of a match that is followed -- */

static struct view_moves moves;

static void add(int i)
{
	char text[16];
	snprintf(text, sizeof(text), "%d", i);
	view_moves_add(&moves, text, i % 2);
}

static void the_last_moves_are_kept(void **state)
{
	(void)state;
	view_moves_clear(&moves);
	assert_null(view_moves_at(&moves, 0));
	for (int i = 0; i < 100; i++)
		add(i);
	assert_string_equal(view_moves_at(&moves, 0)->text, "36");
	assert_string_equal(view_moves_at(&moves, 63)->text, "99");
	assert_null(view_moves_at(&moves, 64));
	view_moves_drop(&moves, 2);
	assert_string_equal(view_moves_at(&moves, 0)->text, "36");
	assert_string_equal(view_moves_at(&moves, 61)->text, "97");
	assert_null(view_moves_at(&moves, 62));
	add(7);
	assert_string_equal(view_moves_at(&moves, 62)->text, "7");
	assert_int_equal(view_moves_at(&moves, 62)->side, CLIENT_BLACK);
	view_moves_drop(&moves, 1000);
	assert_null(view_moves_at(&moves, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_story),
		cmocka_unit_test(steps_go_forward_and_back),
		cmocka_unit_test(the_last_moves_are_kept),
	};
	int failed = RUN_TABLE("formats", files, both_formats_tell_the_same);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
