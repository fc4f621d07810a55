/* SPDX-License-Identifier: MIT
 * Table tests of reading PDN. The names say what other readers got wrong. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "told.h"

#define TAGS                                                                   \
	"[Event \"t\"]\n[White \"w\"]\n[Black \"b\"]\n[GameType \"21\"]\n"     \
	"[Result \"*\"]\n\n"

static const struct pdn_case {
	const char *name;
	const char *pdn;
	const char *want;
	const char *ruleset; /* asked for, or NULL */
} pdn_cases[] = {
	/* ---- comments ---- */
	{ "PD-01 a semicolon in braces is text",
	  TAGS "1. 11-15 {good; solid} 23-19 2. 8-11 *\n",
	  "english: 11-15 {good; solid} 23-19 8-11 none\n", NULL },
	{ "PD-10 a bracket that begins a line of a comment is no tag",
	  TAGS "1. 11-15 {\n[I think this is fine]\n} 23-19 *\n",
	  "english: 11-15 {\n[I think this is fine]\n} 23-19 none\n", NULL },
	{ "PD-15 clocks, and a number that is repeated with dots",
	  TAGS "1. 11-15 {[%clk 0:05:00]} 1. ... 23-19 {[%clk 0:04:58]} "
	       "2. 8-11 *\n",
	  "english: 11-15 {[%clk 0:05:00]} 23-19 {[%clk 0:04:58]} 8-11 none\n",
	  NULL },
	{ "the other forms of that number",
	  TAGS "1.11-15 1...23-19 2. 8-11 2... 22-17 ... 3. 11-16 *\n",
	  "english: 11-15 23-19 8-11 22-17 11-16 none\n", NULL },
	{ "a comment to the end of the line",
	  TAGS "1. 11-15 ; good { (\n23-19 ;\n*\n",
	  "english: 11-15 { good { (} 23-19 {} none\n", NULL },
	{ "comments in front of the moves, none between games",
	  "{no game}\n; none\n" TAGS "{first} {second} 11-15 * {lost}\n; lost",
	  "english: {first} {second} 11-15 none\n", NULL },
	{ "a line that is escaped", TAGS "1. 11-15\n% 9-14 {\n23-19 *\n",
	  "english: 11-15 23-19 none\n", NULL },
	{ "an escaped line before the next game",
	  TAGS "1. 11-15\n% x\n[GameType \"21\"]\n9-14 *\n",
	  "! bad_record 9:1\nenglish: 9-14 none\n", NULL },
	{ "a comment that is not closed", TAGS "1. 11-15 {good *\n",
	  "! bad_record 7:10\n", NULL },
	{ "braces that close nothing", TAGS "1. 11-15 } *\n",
	  "! bad_record 7:10\n", NULL },

	/* ---- tags ---- */
	{ "PD-03 a quote in a tag",
	  "[Event \"5th \"X\" open\"]\n[Result \"*\"]\n\n1. 11-15 *\n",
	  "! bad_record 1:14\n", NULL },
	{ "quotes and backslashes that are escaped",
	  "[Event \"5th \\\"X\\\" \\\\\"]\n1. 11-15 *\n",
	  "english: 11-15 none\n", NULL },
	{ "no other escapes", "[Event \"a\\n\"]\n1. 11-15 *\n",
	  "! bad_record 1:11\n", NULL },
	{ "PD-17 parentheses in a tag",
	  "[Event \"t\"]\n[White \"St. (A) 1. 11-15; {x}\"]\n[Black \"b\"]\n"
	  "[GameType \"21\"]\n[Result \"*\"]\n\n1. 11-15 *\n",
	  "english: 11-15 none\n", NULL },
	{ "a tag over two lines", "[Event \"t\n\"]\n1. 11-15 *\n",
	  "! bad_record 1:1\n", NULL },
	{ "a tag without a name", "[ \"t\"]\n1. 11-15 *\n",
	  "! bad_record 1:3\n", NULL },
	{ "a tag without a value", "[Event]\n1. 11-15 *\n",
	  "! bad_record 1:7\n", NULL },
	{ "a tag of two words", "[Event at \"t\"]\n1. 11-15 *\n",
	  "! bad_record 1:8\n", NULL },
	{ "a tag that stands twice",
	  "[Event \"t\"]\n[FEN \"B:W32:B1\"]\n[Event \"t\"]\n1. 1-5 *\n",
	  "! bad_record 3:9 'Event'\n", NULL },
	{ "tags in one line, blanks in them",
	  " [ Event  \"t\" ] [Round \"1\"]\n1. 11-15 *\n",
	  "english: 11-15 none\n", NULL },
	{ "a bracket glued to a move", TAGS "1. 11-15[x] 23-19 *\n",
	  "! bad_record 7:9\n", NULL },
	{ "blanks before a tag that ends the game before",
	  TAGS "1. 11-15\n \t[GameType \"21\"]\n9-14 *\n",
	  "! bad_record 8:3\nenglish: 9-14 none\n", NULL },
	{ "a bracket among the moves", TAGS "1. 11-15 [x] 23-19 *\n",
	  "! bad_record 7:10\n", NULL },

	/* ---- glyphs and signs ---- */
	{ "PD-05 blanks before a glyph", TAGS "1. 11-15 $4 23-19$2 *\n",
	  "english: 11-15 $4 23-19 $2 none\n", NULL },
	{ "marks are glyphs", TAGS "1. 11-15! 23-19?? 2. 8-11!? 22-17 ?! *\n",
	  "english: 11-15 $1 23-19 $4 8-11 $5 22-17 $6 none\n", NULL },
	{ "three glyphs are kept", TAGS "1. 11-15! $9 $10 $11 *\n",
	  "english: 11-15 $1 $9 $10 none\n", NULL },
	{ "a glyph without a number", TAGS "1. 11-15 $ 23-19 *\n",
	  "! bad_record 7:10\n", NULL },
	{ "a glyph out of range", TAGS "1. 11-15 $4294967300 23-19 *\n",
	  "! bad_record 7:10\n", NULL },
	{ "a mark that nobody knows", TAGS "1. 11-15?!? 23-19 *\n",
	  "! bad_record 7:9 '11-15?!?'\n", NULL },
	{ "PD-14 a plus-minus sign", TAGS "1. 11-15 \xc2\xb1 23-19 *\n",
	  "english: 11-15 23-19 none ~1\n", NULL },
	{ "columns are characters",
	  TAGS "1. 11-15 \xc2\xb1\xc2\xb1 {\xc3\xa4\xe2\x82\xac} 1-2 *\n",
	  "! illegal_move 7:18 ply 2 '1-2' not_your_piece\n", NULL },
	{ "another", TAGS "1. 11-15 \x7f 23-19 *\n", "! bad_record 7:10\n",
	  NULL },
	{ "the first byte that is not ASCII", TAGS "1. 11-15 \x80 23-19 *\n",
	  "english: 11-15 23-19 none ~1\n", NULL },
	{ "a control character", TAGS "1. 11-15 \x01 23-19 *\n",
	  "! bad_record 7:10\n", NULL },

	/* ---- results ---- */
	{ "PD-08 results that look like moves, moves that look like ends",
	  "[GameType \"21\"]\n[Result \"*\"]\n\n"
	  "1. 11-15 23-19 2. 8-11* 22-17 0-1\n",
	  "english: 11-15 23-19 8-11 22-17 white\n", NULL },
	{ "in English the first number is Black's",
	  "[Result \"1-0\"]\n1. 11-15 1-0\n", "english: 11-15 black\n", NULL },
	{ "in Turkish it is White's",
	  "[GameType \"30,W,8,8,A0,0\"]\n[Result \"1-0\"]\n1. d3-d4 1-0\n",
	  "turkish: d3-d4 white\n", NULL },
	{ "other ways of saying it",
	  "11-15 2-0 11-15 0-2 11-15 1-1 11-15 1/2-1/2 11-15 0-0 11-15 *",
	  "english: 11-15 black\nenglish: 11-15 white\nenglish: 11-15 draw\n"
	  "english: 11-15 draw\nenglish: 11-15 forfeit\n"
	  "english: 11-15 none\n",
	  NULL },
	{ "a result behind a number", TAGS "1. 11-15 23-19 2. *\n",
	  "english: 11-15 23-19 none\n", NULL },
	{ "the tag tells what the star does not",
	  "[Result \"0-1\"]\n1. 11-15 *\n", "english: 11-15 white\n", NULL },
	{ "the tag and the end contradict one another",
	  "[Result \"0-1\"]\n1. 11-15 1-0\n", "! bad_record 2:10\n", NULL },
	{ "they say the same in two ways", "[Result \"0-1\"]\n1. 11-15 0-2\n",
	  "english: 11-15 white\n", NULL },
	{ "a tag that is no result", "[Result \"Smith\"]\n1. 11-15 1-0\n",
	  "! bad_record 1:10 'Smith'\n", NULL },
	{ "a tag that does not know", "[Result \"?\"]\n1. 11-15 1-0\n",
	  "english: 11-15 black\n", NULL },
	{ "a game with no move was lost by its loser",
	  "[Result \"1-0\"]\n\n1-0\n", "english: black\n", NULL },
	{ "a result of nothing", "1-0\n", "! bad_record 1:1\n", NULL },
	{ "the winner by the rules",
	  "[FEN \"B:W22:B18\"]\n[Result \"1-0\"]\n1. 18x25 1-0\n",
	  "english: 18x25 black\n", NULL },
	{ "the loser by the rules did not win",
	  "[FEN \"B:W22:B18\"]\n1. 18x25 0-1\n", "! bad_record 2:10\n", NULL },
	{ "what is lost by the rules is no draw",
	  "[FEN \"B:W22:B18\"]\n1. 18x25 1/2-1/2\n", "! bad_record 2:10\n",
	  NULL },
	{ "a move after the end", "[FEN \"B:W22:B18\"]\n1. 18x25 1-5 1-0\n",
	  "! illegal_move 2:10 ply 2 '1-5' empty_square\n", NULL },
	{ "no result at the end of the text", TAGS "1. 11-15 23-19",
	  "! bad_record 7:15\n", NULL },
	{ "no result before the next game",
	  TAGS "1. 11-15 23-19\n" TAGS "1. 9-14 *\n",
	  "! bad_record 8:1\nenglish: 9-14 none\n", NULL },
	{ "nothing at all", " \n\n", "", NULL },

	/* ---- rulesets and starts ---- */
	{ "PD-20 ten by ten is not played on 32 squares",
	  "[Event \"x\"]\n[GameType \"20\"]\n[Result \"*\"]\n\n"
	  "1. 32-28 19-23 2. 28x19 14x23 *\n",
	  "! no_such_ruleset 2:12 '20'\n", NULL },
	{ "a game type that is known, but no ruleset here",
	  "[GameType \"29\"]\n1. c3-d4 *\n", "! no_such_ruleset 1:12 'czech'\n",
	  NULL },
	{ "a game type of garbage", "[GameType \"21 or so\"]\n1. 11-15 *\n",
	  "! no_such_ruleset 1:12 '21 or so'\n", NULL },
	{ "a game type that would wrap around",
	  "[GameType \"4294967317\"]\n1. 11-15 *\n",
	  "! no_such_ruleset 1:12 '4294967317'\n", NULL },
	{ "not the ruleset that was asked for", TAGS "1. 11-15 *\n",
	  "! no_such_ruleset 4:12\n", "turkish" },
	{ "not of the family that was asked for", "1. 11-15 *\n",
	  "! no_such_ruleset 1:1\n", "backgammon" },
	{ "the one asked for, of two with this number",
	  "[GameType \"30\"]\n1. d3-d4 *\n", "turkish-classic: d3-d4 none\n",
	  "turkish-classic" },
	{ "the one asked for, where the game says nothing", "1. d3-d4 *\n",
	  "turkish: d3-d4 none\n", "turkish" },
	{ "a FEN with a dot, without SetUp",
	  "[FEN \"W:WK18:B1.\"]\n1. 18-15 *\n", "english: 18-15 none\n", NULL },
	{ "a FEN that cannot be read",
	  "[SetUp \"1\"]\n[FEN \"W:W18:B18\"]\n1. 18-15 *\n",
	  "! bad_position 2:14 'W:W18:B18'\n", NULL },
	{ "SetUp without FEN", "[SetUp \"1\"]\n1. 11-15 *\n",
	  "! bad_position 1:9\n", NULL },

	/* ---- moves ---- */
	{ "letters, long and short captures, capitals",
	  "1. f4-e5 23-18 2. d6-c5?\n*\n",
	  "! illegal_move 1:4 ply 1 'f4-e5' empty_square\n", NULL },
	{ "letters are read from Black's side", "1. e3-d4 22-17 2. 15X22 *\n",
	  "! illegal_move 1:19 ply 3 '15x22' nothing_to_capture\n", NULL },
	{ "a capture in full, short, with letters, with a dash",
	  "[FEN \"B:W15,22,32:B11,K1\"]\n11x18x25 * "
	  "[FEN \"B:W15,22,32:B11,K1\"]\n11x25 * "
	  "[FEN \"B:W15,22,32:B11,K1\"]\nc3xe5xg7 * "
	  "[FEN \"B:W15,22,32:B11,K1\"]\n11-25 * "
	  "[FEN \"B:W15,22,32:B11,K1\"]\n11X18X25 *",
	  "english: 11x18x25 none\nenglish: 11x18x25 none\n"
	  "english: 11x18x25 none\nenglish: 11x18x25 none\n"
	  "english: 11x18x25 none\n",
	  NULL },
	{ "PD-16 a short capture that could be two",
	  "[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"W:W22:B9,10,17,18\"]\n"
	  "[Result \"*\"]\n\n1. 22x6 *\n",
	  "! illegal_move 6:4 ply 1 '22x6' ambiguous_capture\n", NULL },
	{ "PD-16 written in full",
	  "[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"W:W22:B9,10,17,18\"]\n"
	  "[Result \"*\"]\n\n1. 22x13x6 *\n",
	  "english: 22x13x6 none\n", NULL },
	{ "PD-19 a move that is none, named by its number",
	  TAGS "1. 11-15 23-19 2. 8-11 22-17 3. 1-2 *\n",
	  "! illegal_move 7:33 ply 5 '1-2' wrong_direction\n", NULL },
	{ "words that are no moves", TAGS "1. 11-15 castles 23-19 *\n",
	  "! illegal_move 7:10 ply 2 'castles' bad_notation\n", NULL },
	{ "a number without a dot", "1 11-15 *\n",
	  "! illegal_move 1:1 ply 1 '1' bad_notation\n", NULL },

	/* ---- variations ---- */
	{ "variations are skipped, with all that is in them",
	  TAGS "1. 11-15 (1. 9-14 {) ( } 1-2 $ 1-0 (x) \xc2\xb1 ; )\n) "
	       "23-19 (22-17) *\n",
	  "english: 11-15 23-19 none (2)\n", NULL },
	{ "glued to the moves", TAGS "1. 11-15(1. 9-14)23-19{x}*\n",
	  "english: 11-15 23-19 {x} none (1)\n", NULL },
	{ "one that is not closed", TAGS "1. 11-15 (9-14 *\n",
	  "! bad_record 7:10\n", NULL },
	{ "one that was not opened", TAGS "1. 11-15 ) 9-14 *\n",
	  "! bad_record 7:10\n", NULL },
	{ "one that the next game ends",
	  TAGS "1. 11-15 (9-14 *\n[GameType \"21\"]\n9-13 *",
	  "! bad_record 8:1\nenglish: 9-13 none\n", NULL },

	/* ---- many games, one of them wrong ---- */
	{ "a fault ends one game only",
	  TAGS "1. 11-15 1-2 {x 1-0} (1-0) 3-9 1-0\n\n" TAGS "9-14 *\n\n"
	       "1. 11-15 23-19 *",
	  "! illegal_move 7:10 ply 2 '1-2' not_your_piece\n"
	  "english: 9-14 none\nenglish: 11-15 23-19 none\n",
	  NULL },
	{ "prose", "From the club's book of 1907:\n\n" TAGS "9-14 *\n",
	  "! illegal_move 1:1 ply 1 'From' bad_notation\nenglish: 9-14 none\n",
	  NULL },
	{ "a byte order mark in the middle",
	  TAGS "9-14 *\n\xef\xbb\xbf" TAGS "9-14 *\n",
	  "english: 9-14 none\n! bad_record 8:1\n", NULL },
};

static void pdn_case_holds(void **state)
{
	const struct pdn_case *c = *state;
	struct told t;
	told_init(&t, FORMAT_PDN, c->ruleset);
	assert_string_equal(told_of(&t, span_str(c->pdn), SIZE_MAX), c->want);
	told_release(&t);
}

/* ---- PD-28: line ends, a byte order mark, splits ------------------------ */

static void same_told(const struct pdn_case *c, struct span text, size_t piece)
{
	struct told t;
	told_init(&t, FORMAT_PDN, c->ruleset);
	assert_string_equal(told_of(&t, text, piece), c->want);
	told_release(&t);
}

/* The text with other line ends, and a byte order mark if asked for. */
static struct span rewritten(const char *text, const char *line_end, bool mark,
			     char out[4096])
{
	size_t len = 0;
	if (mark)
		len = (size_t)snprintf(out, 4096, "\xef\xbb\xbf");
	for (; *text; text++) {
		if (*text == '\n')
			len += (size_t)snprintf(out + len, 4096 - len, "%s",
						line_end);
		else
			out[len++] = *text;
	}
	return span_of(out, len);
}

static void written_in_other_ways(void **state)
{
	const struct pdn_case *c = *state;
	char text[4096];
	same_told(c, span_str(c->pdn), 1);
	same_told(c, rewritten(c->pdn, "\n", true, text), 1);
	same_told(c, rewritten(c->pdn, "\r\n", false, text), 1);
	same_told(c, rewritten(c->pdn, "\r\n", true, text), 7);
	same_told(c, rewritten(c->pdn, "\r", true, text), SIZE_MAX);
	size_t len = strlen(c->pdn);
	if (len > 0 && c->pdn[len - 1] == '\n')
		same_told(c, span_of(c->pdn, len - 1), SIZE_MAX);
}

static void half_a_byte_order_mark_is_none(void **state)
{
	(void)state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_of(&t, span_str("\xef\xbb 9-14 *"), 1),
			    "english: 9-14 none\n");
	told_release(&t);
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_of(&t, span_str("\xef\xbb"), 1), "");
	told_release(&t);
}

/* ---- texts of tags ------------------------------------------------------ */

static const struct tag_case {
	const char *name, *pdn, *tag, *value;
} tag_cases[] = {
	{ "PD-06 a byte order mark is no part of a tag",
	  "\xef\xbb\xbf" TAGS "1. 11-15 *\n", "Event", "t" },
	{ "PD-17 verbatim",
	  "[White \"St. (A) 1. 11-15; {x}\"]\n[Result \"*\"]\n\n1. 11-15 *\n",
	  "White", "St. (A) 1. 11-15; {x}" },
	{ "escapes", "[Event \"5th \\\"X\\\" \\\\\"]\n*\n", "Event",
	  "5th \"X\" \\" },
	{ "empty", "[Event \"\"]\n*\n", "Event", "" },
	{ "not ASCII", "[Event \"\xc3\xa9\xff\"]\n*\n", "Event",
	  "\xc3\xa9\xff" },
};

static void tag_case_holds(void **state)
{
	const struct tag_case *c = *state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	snprintf(t.tag, sizeof(t.tag), "%s", c->tag);
	told_of(&t, span_str(c->pdn), SIZE_MAX);
	assert_int_equal(t.games, 1);
	assert_int_equal(t.faults, 0);
	assert_string_equal(t.value, c->value);
	told_release(&t);
}

/* ---- PD-24: starts that cannot be ---------------------------------------- */

static const struct fen_case {
	const char *name; /* the FEN */
	unsigned column;  /* of the fault; 0: it can be read */
} fen_cases[] = {
	{ "W:W18:B18", 13 },
	{ "W:W18,18:B1", 12 },
	{ "W:W33:B1", 9 },
	{ "W:W0:B1", 9 },
	{ "W:WK:B1", 10 },
	{ "W:W18,:B1", 12 },
	{ "X:W18:B1", 6 },
	{ "W:W18:B1:W19", 14 },
	{ "W:W-5:B1", 9 },
	{ "W:W4294967297:B1", 9 },
	{ "W:W18:B1 then text", 14 },
	{ "W:W18:W1", 12 },
	{ "", 6 },
	{ ".", 6 },
	{ "W:W18:B1..", 14 },
	{ "W:W18:B1", 0 },
	{ "B:W18,K22:BK1-3", 0 },
};

static void fen_case_holds(void **state)
{
	const struct fen_case *c = *state;
	char pdn[256], want[256];
	struct told t;
	snprintf(pdn, sizeof(pdn), "[FEN \"%s\"]\n*\n", c->name);
	snprintf(want, sizeof(want), "! bad_position 1:%u%s%s%s\n",
		 c->column + 1, *c->name ? " '" : "", c->name,
		 *c->name ? "'" : "");
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_of(&t, span_str(pdn), SIZE_MAX),
			    c->column ? want : "english: none\n");
	told_release(&t);
}

/* The side to move, the white pieces, the black pieces, each once. */
static void pd_22_a_written_fen(void **state)
{
	char text[POSITION_TEXT_MAX];
	struct ruleset rs;
	struct position start, back;
	(void)state;
	assert_int_equal(ruleset_find("english", 7, &rs), PLYD_OK);
	game_start(&rs, &start);
	size_t len = game_write(&rs, &start, text);
	assert_string_equal(text, "B:W21,22,23,24,25,26,27,28,29,30,31,32:"
				  "B1,2,3,4,5,6,7,8,9,10,11,12");
	assert_int_equal(game_read(&rs, text, len, &back, NULL), PLYD_OK);
	assert_memory_equal(&back, &start, sizeof(start));
}

static void a_nul_in_a_fen(void **state)
{
	static const char pdn[] = "[FEN \"W:W18:B1\0text\"]\n*\n";
	(void)state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_of(&t, span_of(pdn, sizeof(pdn) - 1), 1),
			    "! bad_record 1:15\n");
	told_release(&t);
}

/* ---- limits --------------------------------------------------------------- */

/* Feeds front, `count` times the middle, and the back. */
static const char *told_repeated(struct told *t, const char *front,
				 const char *middle, size_t count,
				 const char *back)
{
	game_reader_feed(t->reader, span_str(front));
	for (size_t i = 0; i < count; i++)
		game_reader_feed(t->reader, span_str(middle));
	return told_of(t, span_str(back), SIZE_MAX);
}

static const struct limit_case {
	const char *name, *front, *middle;
	size_t count;
	const char *back, *want;
} limit_cases[] = {
	{ "PD-12 a hundred thousand variations that stay open",
	  "[GameType \"21\"]\n1. 11-15 ", "(", 100000, "",
	  "! message_too_large 2:74\n" },
	{ "PD-12 the same, closed", "1. 11-15 ", "(", 100000,
	  ") *\n[GameType \"21\"]\n9-14 *",
	  "! message_too_large 1:74\nenglish: 9-14 none\n" },
	{ "64 variations deep", "9-14 ", "(", 64,
	  "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))*",
	  "english: 9-14 none (1)\n" },
	{ "a hundred thousand variations in a row", "9-14 ", "(x)", 100000, "*",
	  "english: 9-14 none (100000)\n" },
	{ "a move without end", "9-14 ", "x18", 100000, " *",
	  "! message_too_large 1:6 'x18x18x18x18x18x18x18x18x18x18x18x18x18x18"
	  "x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18x18"
	  "x18x18x18x18x18x18x1'\n" },
	{ "a comment without end", "9-14 {", "1234567", 100000,
	  "\n[GameType \"21\"]\n9-14 *",
	  "! message_too_large 1:262150\nenglish: 9-14 none\n" },
	{ "a comment of a variation, as long as it may be", "9-14 ({",
	  "12345678", GAME_TEXT_MAX / 8, "})*", "english: 9-14 none (1)\n" },
	{ "one byte longer", "9-14 ({x", "12345678", GAME_TEXT_MAX / 8, "})*",
	  "! message_too_large 1:7\n" },
	{ "too many comments", "9-14 ", "{}", 4097, "*",
	  "! message_too_large 1:8198\n" },
	{ "tags of any length", "[Event \"", "1234567", 1000, "\"]\n9-14 *",
	  "! bad_record 1:1033\n" },
	{ "tags behind long comments", "[Round \"\"]\n{", "12345678",
	  GAME_TEXT_MAX / 8 - 2, "}\n[Event \"long\"]\n9-14 *",
	  "! message_too_large 3:14\n" },
	{ "names of any length", "[", "Event", 1000, " \"\"]\n9-14 *",
	  "! bad_record 1:66\n" },
	{ "moves without end", "[FEN \"B:WK32:BK1\"]\n", "1-5 32-28 5-1 28-32 ",
	  1025, "*", "! message_too_large 2:20481\n" },
};

static void limit_case_holds(void **state)
{
	const struct limit_case *c = *state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_repeated(&t, c->front, c->middle, c->count,
					  c->back),
			    c->want);
	told_release(&t);
}

static void as_many_moves_as_there_may_be(void **state)
{
	(void)state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	told_repeated(&t, "[FEN \"B:WK32:BK1\"]\n", "1-5 32-28 5-1 28-32 ",
		      1024, "*");
	assert_int_equal(t.games, 1);
	assert_int_equal(t.faults, 0);
	told_release(&t);
}

static void a_word_as_long_as_it_may_be(void **state)
{
	char want[GAME_WORD_MAX + 64], word[GAME_WORD_MAX + 1];
	(void)state;
	struct told t;
	memset(word, '1', GAME_WORD_MAX);
	word[GAME_WORD_MAX] = '\0';
	snprintf(want, sizeof(want),
		 "! illegal_move 1:1 ply 1 '%s' bad_notation\n", word);
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_repeated(&t, "", word, 1, " *"), want);
	told_release(&t);
	snprintf(want, sizeof(want), "! message_too_large 1:1 '%s'\n", word);
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_repeated(&t, "", word, 1, "1 *"), want);
	told_release(&t);
}

static void a_second_byte_order_mark_is_a_fault(void **state)
{
	(void)state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_of(&t,
				    span_str("\xef\xbb\xbf\xef\xbb\xbf"
					     "9-14 *"),
				    1),
			    "! bad_record 1:1\n");
	told_release(&t);
}

static void offsets_are_in_bytes(void **state)
{
	(void)state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	told_of(&t, span_str("\xef\xbb\xbf[White \"\xc3\xa9\"]\r\n1. 1-2 *"),
		SIZE_MAX);
	assert_int_equal(t.offset, 3 + 12 + 2 + 3);
	told_release(&t);
}

/* ---- which format ---------------------------------------------------------- */

static const struct guess_case {
	const char *name, *head;
	bool is_pdn;
} guess_cases[] = {
	{ "games.pdn", "", true },
	{ "games.PDN", "1234", true },
	{ ".pdn", "", false },
	{ "games.txt", "[Event \"x\"]", true },
	{ "games.txt", "\xef\xbb\xbf\r\n [Event \"x\"]", true },
	{ "games", "1. 11-15", true },
	{ "games", "hello", false },
	{ "games", "[", false },
	{ "games", "", false },
};

static void guess_case_holds(void **state)
{
	const struct guess_case *c = *state;
	enum game_format format;
	int err = game_format_guess(c->name, span_str(c->head), &format);
	assert_int_equal(!err && format == FORMAT_PDN, c->is_pdn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_byte_order_mark_is_none),
		cmocka_unit_test(pd_22_a_written_fen),
		cmocka_unit_test(a_nul_in_a_fen),
		cmocka_unit_test(as_many_moves_as_there_may_be),
		cmocka_unit_test(a_word_as_long_as_it_may_be),
		cmocka_unit_test(a_second_byte_order_mark_is_a_fault),
		cmocka_unit_test(offsets_are_in_bytes),
	};
	int failed = RUN_TABLE("pdn", pdn_cases, pdn_case_holds);
	failed += RUN_TABLE("PD-28", pdn_cases, written_in_other_ways);
	failed += RUN_TABLE("tags", tag_cases, tag_case_holds);
	failed += RUN_TABLE("PD-24", fen_cases, fen_case_holds);
	failed += RUN_TABLE("limits", limit_cases, limit_case_holds);
	failed += RUN_TABLE("formats", guess_cases, guess_case_holds);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
