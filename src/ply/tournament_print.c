/* SPDX-License-Identifier: MIT */
#include "ply/tournament.h"

#include <string.h>

enum { CROSS_ROUNDS_MAX = 12, NAME_COLUMNS = 20 };

static int64_t number(const json_t *map, const char *key)
{
	return json_integer_value(json_object_get(map, key));
}

static const char *text(const json_t *map, const char *key)
{
	const char *s = json_string_value(json_object_get(map, key));
	return s ? s : "";
}

/* 3 halves are 1.5. Returns out. */
static const char *halves(int64_t n, char out[32])
{
	snprintf(out, 32, "%lld%s", (long long)(n / 2), n % 2 ? ".5" : "");
	return out;
}

static const char *quarters(int64_t n, char out[32])
{
	static const char *const rest[] = { "", ".25", ".5", ".75" };
	snprintf(out, 32, "%lld%s", (long long)(n / 4), rest[n % 4]);
	return out;
}

/* A tie-break as people write it. */
static const char *value_of(const json_t *row, const char *name, char out[32])
{
	const json_t *b = json_object_get(row, "breaks");
	if (!strcmp(name, "direct"))
		return halves(number(b, "direct"), out);
	if (!strcmp(name, "sonneborn_berger"))
		return quarters(number(b, "sonneborn_berger4"), out);
	if (!strcmp(name, "buchholz"))
		return halves(number(b, "buchholz2"), out);
	if (!strcmp(name, "buchholz_cut1"))
		return halves(number(b, "buchholz_cut1_2"), out);
	if (!strcmp(name, "halves"))
		return halves(number(b, "halves2"), out);
	snprintf(out, 32, "%lld", (long long)number(b, name));
	return out;
}

/* +12w: he beat 12 with white; - lost, = drew, * is played; bye; . no table */
static void print_game(FILE *out, const json_t *game)
{
	char cell[16] = ".";
	const json_t *score = json_object_get(game, "score2");
	int64_t other = number(game, "opponent"),
		got = json_integer_value(score);
	bool open = !json_is_integer(score);
	if (number(game, "table") > 0 && other == 0)
		snprintf(cell, sizeof(cell), "bye");
	else if (other > 0)
		snprintf(cell, sizeof(cell), "%c%d%c",
			 open       ? '*'
			 : got >= 2 ? '+'
			 : got == 1 ? '='
				    : '-',
			 (int)other, text(game, "side")[0]);
	fprintf(out, " %6s", cell);
}

static void print_titles(FILE *out, const json_t *whole, bool cross)
{
	const json_t *t = json_object_get(whole, "tournament");
	size_t i;
	const json_t *b;
	fprintf(out, "%4s %4s %-*s %6s", "rank", "no", NAME_COLUMNS, "name",
		"score");
	json_array_foreach(json_object_get(t, "breaks"), i, b)
	{
		const char *name = json_string_value(b);
		if (strcmp(name, "lots") != 0)
			fprintf(out, " %6.6s", name);
	}
	for (int64_t r = 1; cross && r <= number(t, "round"); r++)
		fprintf(out, " %5s%lld", "r", (long long)r);
	fputc('\n', out);
}

static void print_row(FILE *out, const json_t *whole, const json_t *row,
		      bool cross)
{
	const json_t *t = json_object_get(whole, "tournament");
	char n[32], name[80];
	size_t i;
	const json_t *b, *game;
	snprintf(name, sizeof(name), "%.60s%s%s", text(row, "name"),
		 json_is_true(json_object_get(row, "bot")) ? " (bot)" : "",
		 json_object_get(row, "gone") ? " (gone)" : "");
	fprintf(out, "%4lld %4lld %-*s %6s", (long long)number(row, "rank"),
		(long long)number(row, "entry"), NAME_COLUMNS, name,
		halves(number(row, "score2"), n));
	json_array_foreach(json_object_get(t, "breaks"), i,
			   b) if (strcmp(json_string_value(b), "lots") != 0)
		fprintf(out, " %6s", value_of(row, json_string_value(b), n));
	json_array_foreach(json_object_get(row, "games"), i, game) if (cross)
		print_game(out, game);
	fputc('\n', out);
}

static void print_head(FILE *out, const json_t *t)
{
	fprintf(out, "%s: %s, %s, %lld players", text(t, "name"),
		text(t, "format"), text(t, "ruleset"),
		(long long)number(t, "players"));
	if (number(t, "rounds") > 0)
		fprintf(out, ", round %lld of %lld",
			(long long)number(t, "round"),
			(long long)number(t, "rounds"));
	fprintf(out, ": %s", text(t, "state"));
	if (text(t, "end")[0])
		fprintf(out, " (%s)", text(t, "end"));
	if (number(t, "open_tables") > 0)
		fprintf(out, ", %lld tables are played",
			(long long)number(t, "open_tables"));
	fputc('\n', out);
}

void tournament_print(FILE *out, const json_t *whole)
{
	const json_t *t = json_object_get(whole, "tournament"), *row;
	bool cross = number(t, "round") <= CROSS_ROUNDS_MAX;
	size_t i;
	print_head(out, t);
	print_titles(out, whole, cross);
	json_array_foreach(json_object_get(whole, "standings"), i, row)
		print_row(out, whole, row, cross);
}

/* A cell that may hold a comma or a quote, or that a spreadsheet would take
 * for a formula. */
static void print_cell(FILE *out, const char *s)
{
	fputc('"', out);
	if (strchr("=+-@", s[0]) && s[0])
		fputc('\'', out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

void tournament_print_csv(FILE *out, const json_t *whole)
{
	const json_t *t = json_object_get(whole, "tournament"), *row, *b;
	size_t i, j;
	char n[32];
	fprintf(out, "rank,entry,name,bot,score,won,drawn,lost");
	json_array_foreach(json_object_get(t, "breaks"), i, b)
		fprintf(out, ",%s", json_string_value(b));
	fprintf(out, "\r\n");
	json_array_foreach(json_object_get(whole, "standings"), i, row)
	{
		fprintf(out, "%lld,%lld,", (long long)number(row, "rank"),
			(long long)number(row, "entry"));
		print_cell(out, text(row, "name"));
		fprintf(out, ",%s,%s,%lld,%lld,%lld",
			json_is_true(json_object_get(row, "bot")) ? "yes"
								  : "no",
			halves(number(row, "score2"), n),
			(long long)number(row, "won"),
			(long long)number(row, "drawn"),
			(long long)number(row, "lost"));
		json_array_foreach(json_object_get(t, "breaks"), j, b)
			fprintf(out, ",%s",
				value_of(row, json_string_value(b), n));
		fprintf(out, "\r\n");
	}
}
