/* SPDX-License-Identifier: MIT
 * Trains the nets of backgammon; see usage(). First the nets play themselves
 * and learn, after every turn, that a position is worth what the next is
 * (temporal differences). What that leaves is noise of the dice: so positions
 * are then judged by the average over all 21 throws, each followed by the best
 * answer, and the nets learn these judgements until they know them. Better
 * nets make better judgements, so this is done several times. Last, the filters
 * learn which results of a throw need not be shown to the nets. */
#include "engine/train_backgammon/bg_filter.h"
#include "engine/train_backgammon/bg_learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bg_student student;

static int usage(void)
{
	fprintf(stderr,
		"usage: backgammon-train DIRECTORY play SEED GAMES RATE RATE\n"
		"       backgammon-train DIRECTORY label SEED POSITIONS\n"
		"       backgammon-train DIRECTORY study SEED EPOCHS RATE "
		"RATE\n"
		"       backgammon-train DIRECTORY filter SEED GAMES RATE "
		"RATE\n"
		"       backgammon-train DIRECTORY export FILE\n"
		"Play and label go on where they were stopped. RATE: at the "
		"start and at the\nend. A study learns the labels of its "
		"seed.\n");
	return 2;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return usage();
	const char *directory = argv[1];
	const char *verb = argv[2];
	uint64_t seed = strtoull(argv[3], NULL, 10);
	uint64_t amount = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	struct bg_rates rates = { argc > 5 ? atof(argv[5]) : 0,
				  argc > 6 ? atof(argv[6]) : 0 };

	if (strcmp(verb, "play") == 0 && argc == 7)
		return bg_play(directory, &student, seed, amount, rates) != 0;
	if (strcmp(verb, "label") == 0 && argc == 5)
		return bg_label(directory, &student, seed, amount) != 0;
	if (strcmp(verb, "study") == 0 && argc == 7)
		return bg_study(directory, &student, seed, amount, rates) != 0;
	if (strcmp(verb, "filter") == 0 && argc == 7)
		return bg_filter(directory, &student, seed, amount, rates) != 0;
	if (strcmp(verb, "export") == 0 && argc == 4)
		return bg_export(directory, &student, argv[3]) != 0;
	return usage();
}
