/* SPDX-License-Identifier: MIT
 * replay.c - gives a target every input of some directories, without libFuzzer:
 * what was found once is looked for in each run of the tests, by any compiler.
 *
 *   fuzz_NAME FILE-OR-DIRECTORY ... */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { INPUT_MAX = 1024 * 1024, PATH_BYTES = 4096 };

static size_t replayed;

static void replay_file(const char *path)
{
	/* of its exact size, so that a sanitizer sees what is behind it */
	FILE *f = fopen(path, "rb");
	uint8_t *all = malloc(INPUT_MAX), *bytes;
	insist(f && all);
	size_t len = fread(all, 1, INPUT_MAX, f);
	insist(len < INPUT_MAX && !ferror(f));
	fclose(f);
	bytes = malloc(len > 0 ? len : 1);
	insist(bytes);
	memcpy(bytes, all, len);
	free(all);
	LLVMFuzzerTestOneInput(bytes, len);
	free(bytes);
	replayed++;
}

static void replay_dir(const char *path)
{
	DIR *dir = opendir(path);
	insist(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		char file[PATH_BYTES];
		if (e->d_name[0] == '.')
			continue;
		int n = snprintf(file, sizeof(file), "%s/%s", path, e->d_name);
		insist(n > 0 && n < PATH_BYTES);
		replay_file(file);
	}
	closedir(dir);
}

int main(int argc, char **argv)
{
	struct stat is;
	for (int i = 1; i < argc; i++) {
		insist(!stat(argv[i], &is));
		if (S_ISDIR(is.st_mode))
			replay_dir(argv[i]);
		else
			replay_file(argv[i]);
	}
	printf("%zu inputs\n", replayed);
	return replayed > 0 ? 0 : 1;
}
