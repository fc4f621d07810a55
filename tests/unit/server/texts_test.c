/* SPDX-License-Identifier: MIT
 * What was written of a version is the version again, or nothing. */
#include "server/texts.h"
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <plyd/err.h>
#include "base/digest.h"

static char base[] = "/tmp/plyd-texts-XXXXXX";
static char dir[64];
static struct version *library, *script;

static struct version *made(int kind, const char *name, const char *text,
			    size_t libraries)
{
	return version_new(kind, name, (uint8_t *)strdup(text), strlen(text),
			   &library, libraries);
}

static int start(void **state)
{
	(void)state;
	library = made(WORKER_LIBRARY, "lib", "return { 1 }", 0);
	script = made(WORKER_POLICY, "own", "use 'lib'", 1);
	bool made_one = false;
	int err = texts_save(dir, script, &made_one);
	return err ? err : texts_sync(dir);
}

static int end(void **state)
{
	static const struct versions none;
	(void)state;
	texts_sweep(dir, &none);
	version_drop(script);
	version_drop(library);
	return 0;
}

static int load(struct versions *set)
{
	return texts_load(dir, set, WORKER_POLICY, "own", script->hash);
}

static void what_was_written_is_read(void **state)
{
	struct versions set = { NULL };
	(void)state;
	assert_int_equal(load(&set), PLYD_OK);
	const struct version *v =
		versions_find(&set, WORKER_POLICY, "own", script->hash);
	assert_non_null(v);
	assert_int_equal(v->len, script->len);
	assert_memory_equal(v->source, script->source, v->len);
	assert_int_equal(v->use_count, 1);
	assert_string_equal(v->use[0]->whole, library->whole);
	assert_memory_equal(v->use[0]->source, library->source, library->len);
	versions_release(&set);
}

static long file_bytes(char path[512])
{
	snprintf(path, 512, "%s/%s", dir, script->key);
	int fd = open(path, O_RDONLY);
	long bytes = lseek(fd, 0, SEEK_END);
	close(fd);
	return bytes;
}

/* Each byte, changed; and every length that is less. */
static void damage_is_seen(void **state)
{
	char path[512];
	long bytes = file_bytes(path);
	(void)state;
	for (long at = 0; at < bytes; at++) {
		struct versions set = { NULL };
		uint8_t was, other;
		int fd = open(path, O_RDWR);
		assert_int_equal(pread(fd, &was, 1, at), 1);
		other = was ^ 0x41;
		assert_int_equal(pwrite(fd, &other, 1, at), 1);
		int err = load(&set);
		const struct version *v =
			versions_find(&set, WORKER_POLICY, "own", script->hash);
		assert_true(err ? !v : v && v->len == script->len);
		versions_release(&set);
		assert_int_equal(pwrite(fd, &was, 1, at), 1);
		close(fd);
	}
	for (long len = bytes - 1; len >= 0; len--) {
		struct versions set = { NULL };
		assert_int_equal(truncate(path, len), 0);
		assert_int_equal(load(&set), PLYD_ENOTHING);
		versions_release(&set);
	}
}

static void only_what_is_kept_stays(void **state)
{
	struct versions set = { NULL };
	char path[512];
	(void)state;
	struct version *v = versions_keep(&set, version_hold(script));
	texts_sweep(dir, &set);
	assert_true(file_bytes(path) > 0);
	version_drop(v);
	versions_release(&set);
	texts_sweep(dir, &set);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(load(&set), PLYD_ENOTHING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_written_is_read, start,
						end),
		cmocka_unit_test_setup_teardown(damage_is_seen, start, end),
		cmocka_unit_test_setup_teardown(only_what_is_kept_stays, start,
						end),
	};
	if (crypto_ready() || !mkdtemp(base))
		return 1;
	table_ready();
	snprintf(dir, sizeof(dir), "%s/scripts", base);
	int failed = cmocka_run_group_tests_name("texts", tests, NULL, NULL);
	rmdir(dir);
	rmdir(base);
	return failed;
}
