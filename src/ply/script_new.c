/* SPDX-License-Identifier: MIT */
#include "ply/script.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ply/command.h"

/* In each, `NAME` stands for the name. */
static const char personality[] =
	"-- NAME: a personality. docs/scripting.md says what a turn has, and\n"
	"-- what may be called. Try it with `ply script check` on this file.\n"
	"\n"
	"-- Called when it is NAME's turn; returns a move, or a table with "
	"one.\n"
	"local function choose(turn)\n"
	"\t-- The best moves by a search of so many positions, best first.\n"
	"\t-- Weights say what NAME values, in percent of the usual.\n"
	"\tlocal lines = search {\n"
	"\t\tnodes = 5000,\n"
	"\t\tmultipv = 4,\n"
	"\t\tweights = { centre = 150, blot_risk = 120 },\n"
	"\t}\n"
	"\treturn {\n"
	"\t\t-- One of them: never worse than the best by more than margin.\n"
	"\t\tmove = pick(lines, { margin = 60, temperature = 20 }),\n"
	"\t\t-- Glad of a draw when losing.\n"
	"\t\taccept_draw = turn.offer and lines[1].score < 0,\n"
	"\t\t-- How long NAME seems to think.\n"
	"\t\tthink_ms = random(300, 1200),\n"
	"\t\t-- What NAME says in the match's chat, if anything.\n"
	"\t\tsay = turn.ply < 2 and \"Good luck!\" or nil,\n"
	"\t}\n"
	"end\n"
	"\n"
	"return {\n"
	"\tname = \"NAME\",\n"
	"\tabout = \"Says in one sentence how NAME plays.\",\n"
	"\t-- rulesets = { \"english\", \"turkish\" }, -- without it: all\n"
	"\tchoose = choose,\n"
	"}\n";

static const char policy[] =
	"-- NAME: a draw policy. A ruleset follows it with policy = \"NAME\".\n"
	"-- docs/scripting.md tells what each field means.\n"
	"\n"
	"-- Called after each move, once the limits below have let it pass.\n"
	"-- Without a need for it, leave it out: then plyd calls nothing.\n"
	"local function verdict(turn)\n"
	"\tif turn.family ~= \"draughts\" then\n"
	"\t\treturn nil -- the match goes on\n"
	"\tend\n"
	"\tlocal pieces, kings = 0, 0\n"
	"\tfor _, piece in pairs(turn.board) do\n"
	"\t\tpieces = pieces + 1\n"
	"\t\tkings = kings + (piece.king and 1 or 0)\n"
	"\tend\n"
	"\tif pieces == 2 and kings == 2 then\n"
	"\t\treturn { verdict = \"draw\", reason = \"one king each\" }\n"
	"\telseif turn.quiet == 70 then\n"
	"\t\treturn { verdict = \"warn\", reason = \"drawn in ten moves\" }\n"
	"\tend\n"
	"end\n"
	"\n"
	"return {\n"
	"\tname = \"NAME\",\n"
	"\tabout = \"Says in one sentence when a game is drawn.\",\n"
	"\tno_progress = 80, -- half-moves without progress\n"
	"\trepetition = 3, -- occurrences of a position\n"
	"\tno_progress_counts = \"capture_or_promotion\",\n"
	"\t-- No draw by agreement before move 10, then three offers each.\n"
	"\toffers = { from_move = 10, budget = 3 },\n"
	"\tverdict = verdict,\n"
	"}\n";

static const char ruleset[] =
	"-- NAME: a game. A built-in one and what differs; docs/scripting.md\n"
	"-- lists the games and their options. Only data: nothing can be "
	"called.\n"
	"return {\n"
	"\tname = \"NAME\",\n"
	"\tbase = \"english\",\n"
	"\tabout = \"Says in one sentence what is different.\",\n"
	"\t-- options = { king = \"flying\" }, -- of the base, where they "
	"differ\n"
	"\tpolicy = \"standard\", -- or your own, by its name\n"
	"\t-- draws = { no_progress = 60 }, -- other limits than the policy's\n"
	"\tclock = { base_ms = 300000, increment_ms = 3000 },\n"
	"}\n";

static const char library[] =
	"-- NAME: a library. Policies and personalities have it by\n"
	"-- local lib = use \"NAME\", and then call lib.men(turn, \"white\").\n"
	"\n"
	"local lib = {}\n"
	"\n"
	"-- Draughts: how many men a side has.\n"
	"function lib.men(turn, side)\n"
	"\tlocal count = 0\n"
	"\tfor _, piece in pairs(turn.board) do\n"
	"\t\tif piece.side == side and not piece.king then\n"
	"\t\t\tcount = count + 1\n"
	"\t\tend\n"
	"\tend\n"
	"\treturn count\n"
	"end\n"
	"\n"
	"return lib\n";

static const char tournament[] =
	"-- NAME: a tournament that the server holds by itself, in its local\n"
	"-- time. docs/scripting.md lists the fields. Only data.\n"
	"return {\n"
	"\tname = \"NAME\",\n"
	"\ttitle = \"Friday Swiss\", -- what players see\n"
	"\tenabled = false, -- true: it is held\n"
	"\twhen = \"fri 20:00\", -- sun to sat, or daily\n"
	"\tregistration_hours = 24,\n"
	"\truleset = \"english\",\n"
	"\tformat = \"swiss\",\n"
	"\trounds = 5,\n"
	"}\n";

static const struct kind {
	const char *word;
	const char *folder;
	const char *skeleton;
} kinds[] = {
	[WORKER_CONFIG] = { "configuration", "", NULL },
	[WORKER_RULESET] = { "ruleset", "rulesets", ruleset },
	[WORKER_POLICY] = { "policy", "policies", policy },
	[WORKER_PERSONALITY] = { "personality", "personalities", personality },
	[WORKER_LIBRARY] = { "library", "lib", library },
	[WORKER_TOURNAMENT] = { "tournament", "tournaments", tournament },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

int script_kind_find(const char *word)
{
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].skeleton && !strcmp(kinds[i].word, word))
			return i;
	return -1;
}

const char *script_kind_folder(int kind)
{
	return kinds[kind].folder;
}

int script_kind_of_path(const char *path)
{
	const char *file = strrchr(path, '/');
	if (!strcmp(file ? file + 1 : path, "plyd.lua"))
		return WORKER_CONFIG;
	for (int i = 0; file && i < KINDS; i++) {
		size_t len = strlen(kinds[i].folder);
		const char *folder = file - len;
		if (kinds[i].skeleton && (size_t)(file - path) >= len &&
		    !strncmp(folder, kinds[i].folder, len) &&
		    (folder == path || folder[-1] == '/'))
			return i;
	}
	return -1;
}

static bool is_name(const char *name)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	size_t len = strlen(name);
	return len > 0 && len <= 24 && strspn(name, good) == len;
}

/* The skeleton with the name in its places. */
static void put_skeleton(FILE *out, const char *text, const char *name)
{
	const char *at;
	while ((at = strstr(text, "NAME"))) {
		fprintf(out, "%.*s%s", (int)(at - text), text, name);
		text = at + strlen("NAME");
	}
	fputs(text, out);
}

int script_new(int kind, const char *name, const char *folder)
{
	char path[PATH_MAX];
	if (!is_name(name)) {
		fprintf(stderr,
			"ply script: a name is of at most 24 lower-case "
			"letters, digits and '-', not '%s'\n",
			name);
		return PLY_UNREADABLE;
	}
	/* where it fails otherwise than by being there, so does what follows */
	snprintf(path, sizeof(path), "%s/%s", folder, kinds[kind].folder);
	(void)mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/%s.lua", folder, kinds[kind].folder,
		 name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		fprintf(stderr, "ply script: %s: %s\n", path, strerror(errno));
		return PLY_UNREADABLE;
	}
	put_skeleton(out, kinds[kind].skeleton, name);
	if (fclose(out)) {
		fprintf(stderr, "ply script: %s: %s\n", path, strerror(errno));
		return PLY_UNREADABLE;
	}
	printf("%s: a %s to begin with.\n"
	       "Try it: ply script check %s\n",
	       path, kinds[kind].word, path);
	return PLY_OK;
}
