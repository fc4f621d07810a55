/* SPDX-License-Identifier: MIT */
#include "ply/verify_dice.h"

#include <inttypes.h>
#include <stdio.h>

#include "ply/question.h"
#include "record/codec.h"

/* -- counting -- */

struct names {
	char side[2][DICE_NAME_MAX];
};

static bool is_die(int64_t die)
{
	return die >= 1 && die <= FACES;
}

static bool count(struct dice_stats *s, struct names *names,
		  const struct fact *f)
{
	const struct fact_opening_throw_body *o = &f->opening_throw;
	const struct fact_rolled_body *r = &f->rolled;
	switch (f->type) {
	case FACT_BEGUN:
		span_copy(f->begun.white_name, names->side[WHITE],
			  DICE_NAME_MAX);
		span_copy(f->begun.black_name, names->side[BLACK],
			  DICE_NAME_MAX);
		return true;
	case FACT_OPENING_THROW:
		if (!is_die(o->white_die) || !is_die(o->black_die))
			return true;
		return dice_stats_add(s, names->side[WHITE], names->side[BLACK],
				      (int)o->white_die, (int)o->black_die);
	case FACT_ROLLED:
		if (!is_die(r->die1) || !is_die(r->die2) ||
		    (r->side != WHITE && r->side != BLACK))
			return true;
		return dice_stats_add(s, names->side[r->side], NULL,
				      (int)r->die1, (int)r->die2);
	default: return true;
	}
}

bool verify_dice_count(struct dice_stats *s, const struct record_view *r)
{
	struct names names = { { "?", "?" } };
	struct buf bytes;
	struct doc *doc = doc_new();
	bool ok = doc != NULL;
	buf_init(&bytes, STORE_BYTES_MAX);
	for (size_t i = 0; ok && i < client_count(r->facts); i++) {
		struct fact f;
		ok = record_fact(r, i, &bytes) &&
		     !fact_decode(doc, buf_span(&bytes), &r->match, 0, &f) &&
		     count(s, &names, &f);
	}
	buf_release(&bytes);
	doc_free(doc);
	return ok;
}

/* -- saying -- */

static const char *pair_name(size_t i)
{
	static char name[3];
	size_t high = 1;
	while (high * (high + 1) / 2 <= i)
		high++;
	name[0] = (char)('0' + high);
	name[1] = (char)('1' + (i - high * (high - 1) / 2));
	return name;
}

static void say_test(const char *what, const struct dice_test *t)
{
	printf("%-24s chi-square %8.2f, %2d degrees, p = %.4f\n", what, t->chi2,
	       t->freedom, t->p);
}

static void say_faces(const char *who, const uint64_t face[FACES])
{
	struct dice_test t = dice_test_faces(face);
	uint64_t dice = 0;
	for (int i = 0; i < FACES; i++)
		dice += face[i];
	printf("%s:", who);
	for (int i = 0; i < FACES; i++)
		printf(" %" PRIu64, face[i]);
	printf(" of 1 to 6\n");
	if (dice < DICE_TESTED_MIN)
		printf("  too few to say\n");
	else
		say_test("  faces", &t);
}

static void say_text(const struct dice_stats *s, size_t records, size_t tests,
		     bool fair)
{
	struct dice_test pairs = dice_test_pairs(s->pair);
	printf("%zu good records, %" PRIu64 " throws\n", records, s->throws);
	say_faces("all dice", s->face);
	printf("pairs:");
	for (size_t i = 0; i < PAIRS; i++)
		printf(" %s %" PRIu64, pair_name(i), s->pair[i]);
	printf("\n");
	say_test("  pairs", &pairs);
	for (size_t i = 0; i < s->players; i++)
		say_faces(s->player[i].name, s->player[i].face);
	printf(fair ? "fair: none of %zu tests is below p = %.6f\n"
		    : "NOT FAIR: one of %zu tests is below p = %.6f\n",
	       tests, DICE_ALARM / (double)tests);
}

static json_t *json_faces(const uint64_t face[FACES])
{
	json_t *list = json_array();
	for (int i = 0; i < FACES; i++)
		json_array_append_new(list, json_integer((json_int_t)face[i]));
	return list;
}

static json_t *json_test(const struct dice_test *t)
{
	return json_pack("{s:f,s:i,s:f}", "chi2", t->chi2, "freedom",
			 t->freedom, "p", t->p);
}

static json_t *json_player(const struct dice_player *p)
{
	struct dice_test t = dice_test_faces(p->face);
	return json_pack("{s:s,s:o,s:o}", "name", p->name, "faces",
			 json_faces(p->face), "test", json_test(&t));
}

static void say_json(const struct dice_stats *s, size_t records, size_t tests,
		     bool fair)
{
	struct dice_test faces = dice_test_faces(s->face);
	struct dice_test pairs = dice_test_pairs(s->pair);
	json_t *players = json_array(), *seen = json_object();
	for (size_t i = 0; i < s->players; i++)
		json_array_append_new(players, json_player(&s->player[i]));
	for (size_t i = 0; i < PAIRS; i++)
		json_object_set_new(seen, pair_name(i),
				    json_integer((json_int_t)s->pair[i]));
	json_print(json_pack("{s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:I,s:b}", "records",
			     (json_int_t)records, "throws",
			     (json_int_t)s->throws, "faces",
			     json_faces(s->face), "faces_test",
			     json_test(&faces), "pairs", seen, "pairs_test",
			     json_test(&pairs), "players", players, "tests",
			     (json_int_t)tests, "fair", fair));
}

bool verify_dice_say(const struct dice_stats *s, size_t records, bool json)
{
	size_t tests;
	bool fair = dice_stats_fair(s, &tests);
	(json ? say_json : say_text)(s, records, tests, fair);
	return fair;
}
