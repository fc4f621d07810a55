/* SPDX-License-Identifier: MIT
 * main.c - the program plyd. */
#include <argp.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/build.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/table.h"
#include "net/net.h"
#include "server/check.h"
#include "server/pages.h"
#include "server/scripts.h"
#include "server/server.h"
#include "server/stderr_log.h"
#include "server/wordlist_file.h"
#ifdef PLYD_TEST_VFS
#include "store/powercut_vfs.h"
#endif

static void print_version(FILE *out, struct argp_state *state)
{
	(void)state;
	build_print_version(out, "plyd");
}

/* argp's own name for it. */
void (*argp_program_version_hook)(FILE *out,
				  struct argp_state *state) = print_version;

struct arguments {
	const char *config;
	const char *listen;
	const char *data;
	bool check;
	bool check_start;
	bool check_data;
	const char *restore;
	bool print;
	bool json;
	bool dev;
	const char *vfs;
};

enum {
	OPTION_CHECK = 256,
	OPTION_CHECK_START,
	OPTION_CHECK_DATA,
	OPTION_RESTORE,
	OPTION_PRINT,
	OPTION_JSON,
	OPTION_DEV,
	OPTION_VFS
};

static const struct argp_option options[] = {
	{ "config", 'c', "FILE", 0,
	  "Configuration (default: scripts/plyd.lua here, if there is one)",
	  0 },
	{ "listen", 'l', "HOST:PORT", 0,
	  "Where to listen, instead of what the configuration says", 0 },
	{ "data", 'd', "DIR", 0,
	  "Data directory, instead of what the configuration says", 0 },
	{ "check-config", OPTION_CHECK, NULL, 0,
	  "Read configuration and scripts, say whether they can be used, end",
	  0 },
	{ "print-config", OPTION_PRINT, NULL, 0,
	  "Write every setting with its value and where that came from, end",
	  0 },
	{ "json", OPTION_JSON, NULL, 0,
	  "With --print-config and --check-data: as JSON", 0 },
	{ "dev", OPTION_DEV, NULL, 0,
	  "For development on this machine: short waits, the same dice and ids "
	  "each time, nothing synced, data in var/dev",
	  0 },
	{ "check-start", OPTION_CHECK_START, NULL, 0,
	  "The same with the data, also while another plyd runs on them", 0 },
	{ "check-data", OPTION_CHECK_DATA, NULL, 0,
	  "Judge all that the data directory holds, every match by the rules, "
	  "also while a plyd runs on it, end; the status is 1 if something is "
	  "wrong",
	  0 },
	{ "restore", OPTION_RESTORE, "FILE", 0,
	  "Make the data directory's database from a backup, end", 0 },
#ifdef PLYD_TEST_VFS
	{ "store-vfs", OPTION_VFS, "NAME", 0,
	  "For tests: SQLite's file layer, such as powercut", 0 },
#endif
	{ 0 }
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case 'c': a->config = arg; break;
	case 'l': a->listen = arg; break;
	case 'd': a->data = arg; break;
	case OPTION_CHECK: a->check = true; break;
	case OPTION_PRINT: a->print = true; break;
	case OPTION_JSON: a->json = true; break;
	case OPTION_DEV: a->dev = true; break;
	case OPTION_CHECK_START: a->check_start = true; break;
	case OPTION_CHECK_DATA: a->check_data = true; break;
	case OPTION_RESTORE: a->restore = arg; break;
	case OPTION_VFS: a->vfs = arg; break;
	case ARGP_KEY_ARG: argp_error(state, "unknown argument '%s'", arg);
	/* fall through */
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	options,
	on_option,
	NULL,
	"Serves lobbies and matches of backgammon and draughts over TCP.",
	NULL,
	NULL,
	NULL
};

static int fail(const char *why)
{
	fprintf(stderr, "plyd: %s\n", why);
	return EXIT_FAILURE;
}

/* HOST:PORT, [V6]:PORT or PORT. */
static bool set_listen(struct config *c, const char *text)
{
	const char *colon = strrchr(text, ':');
	const char *port = colon ? colon + 1 : text;
	char *end;
	long number = strtol(port, &end, 10);
	if (*end || end == port || number < 0 || number > 65535)
		return false;
	c->listen_port = number;
	config_from_option(c, SETTING_listen_port);
	if (!colon)
		return true;
	size_t len = (size_t)(colon - text);
	if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	config_from_option(c, SETTING_listen_host);
	return len > 0 && span_copy(span_of(text, len), c->listen_host,
				    sizeof(c->listen_host));
}

/* A program without a path lies beside this one. */
static void find_worker(const char *name, char *out, size_t size)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (strchr(name, '/') || len < 0) {
		snprintf(out, size, "%s", name);
		return;
	}
	self[len] = '\0';
	snprintf(out, size, "%s/%s", dirname(self), name);
}

static const char *find_config(const struct arguments *a)
{
	static const char here[] = "scripts/plyd.lua";
	static const char installed[] = "/etc/plyd/plyd.lua";
	if (a->config)
		return a->config;
	if (!access(here, R_OK))
		return here;
	return access(installed, R_OK) ? NULL : installed;
}

/* The directory that relative names of script directories start from. */
static void base_of(const char *config, char *out, size_t size)
{
	char copy[PATH_MAX];
	snprintf(copy, sizeof(copy), "%s", config);
	snprintf(out, size, "%s", dirname(copy));
}

/* What the command line says goes before all else. */
static int read_options(const struct arguments *a, struct config *c, char *why)
{
	if (a->listen && !set_listen(c, a->listen)) {
		snprintf(why, SCRIPTS_WHY_MAX,
			 "--listen takes HOST:PORT, not '%s'", a->listen);
		return PLYD_ECONFIG;
	}
	if (a->data && !span_copy(span_str(a->data), c->data_directory,
				  sizeof(c->data_directory))) {
		snprintf(why, SCRIPTS_WHY_MAX, "--data is too long");
		return PLYD_ECONFIG;
	}
	if (a->data)
		config_from_option(c, SETTING_data_directory);
	return PLYD_OK;
}

/* Settings that must be one of some words, or go together. */
static int check_words(const struct config *c, char *why)
{
	char config_why[CONFIG_WHY_MAX];
	enum durability durability;
	struct proxies proxies;
	struct log_options log;
	int err = config_log(c, &log, config_why);
	if (!err)
		err = config_durability(c, &durability, config_why);
	if (!err)
		err = config_proxies(c, &proxies, config_why);
	if (!err && c->dev)
		err = config_dev_check(c, config_why);
	if (err)
		snprintf(why, SCRIPTS_WHY_MAX, "%s", config_why);
	else
		stderr_log_set(&log);
	return err;
}

static int read_settings(struct net *n, const struct arguments *a,
			 const char *path, struct config *c, char *why)
{
	char worker[PATH_BYTES_MAX];
	if (!path) {
		snprintf(why, SCRIPTS_WHY_MAX,
			 "there is no scripts/plyd.lua here and no "
			 "/etc/plyd/plyd.lua: name the configuration with "
			 "--config");
		return PLYD_ECONFIG;
	}
	find_worker("plyd-script", worker, sizeof(worker));
	int err = scripts_read_config(n, worker, path, a->dev, c, why);
	if (!err)
		err = read_options(a, c, why);
	return err ? err : check_words(c, why);
}

/* What the configuration names. */
struct files {
	struct scripts scripts;
	struct versions versions;
	struct wordlist *words;
	char worker[PATH_BYTES_MAX];
	char base[PATH_MAX];
};

static int read_files(struct net *n, const char *path, const struct config *c,
		      struct files *f, char *why)
{
	char config_why[CONFIG_WHY_MAX];
	find_worker(c->workers_program, f->worker, sizeof(f->worker));
	base_of(path, f->base, sizeof(f->base));
	int err = wordlist_load(c, f->base, &f->words, config_why);
	if (err) {
		snprintf(why, SCRIPTS_WHY_MAX, "%s", config_why);
		return err;
	}
	return scripts_load(n, f->worker, f->base, c, &f->versions, &f->scripts,
			    why);
}

/* Whatever the level of the log is. */
static void warn_of_dev(void)
{
	fputs("plyd: *** --dev: for development only, never for players ***\n"
	      "plyd: *** tokens and dice can be foretold ***\n"
	      "plyd: *** nothing is synced to the disk ***\n",
	      stderr);
}

/* Serves, and lets another program take over when that is wanted: if it cannot
 * be started, this one goes on. */
static int serve_on(struct net *n, struct server_options *o, char *why)
{
	bool upgrade = false;
	int err;
	do {
		err = server_run(n, o, &upgrade, why);
		if (!upgrade)
			break;
		handover_start(o->handover, o->program, o->argv);
		log_event(LOG_ERROR,
			  "the new program cannot be started: this one goes on",
			  "why=\"%s\"", strerror(errno));
	} while (!err);
	return err;
}

static int serve(struct net *n, const struct arguments *a, const char *path,
		 struct config *config, struct server_options *o, char *why)
{
	static struct files files;
	int err = read_files(n, path, config, &files, why);
	o->config = config;
	o->config_path = path;
	o->scripts = &files.scripts;
	o->versions = &files.versions;
	o->base = files.base;
	o->worker = files.worker;
	o->vfs = a->vfs;
	o->words = files.words;
	if (!err && a->check_start)
		err = check_start(o, why);
	if (!err && a->check_data) {
		err = check_data(o, a->json, why);
	} else if (!err && (a->check || a->check_start)) {
		printf("plyd: the configuration can be used: %zu rulesets, %zu "
		       "personalities\n",
		       files.scripts.rules_count,
		       files.scripts.personality_count);
	} else if (!err) {
		if (config->dev)
			warn_of_dev();
		err = serve_on(n, o, why);
	}
	wordlist_free(files.words);
	scripts_release(&files.scripts);
	versions_release(&files.versions);
	return err;
}

static int restore(const struct config *c, const char *file, char *why)
{
	const struct store_options store = { .dir = c->data_directory,
					     .format = FACT_FORMAT };
	char store_why[STORE_WHY_MAX];
	int err = store_restore(&store, file, store_why);
	if (err)
		snprintf(why, SCRIPTS_WHY_MAX, "%s", store_why);
	else
		printf("plyd: the backup is restored to '%s'\n",
		       c->data_directory);
	return err;
}

static int run(struct net *n, const struct arguments *a,
	       struct server_options *o)
{
	static struct config config;
	char why[SCRIPTS_WHY_MAX] = "";
	const char *path = find_config(a);
	int err = read_settings(n, a, path, &config, why);
	if (!err && a->print)
		config_print(&config, path, a->json, stdout);
	else if (!err && a->restore)
		err = restore(&config, a->restore, why);
	else if (!err)
		err = serve(n, a, path, &config, o, why);
	return err ? fail(why[0] ? why : plyd_err_text(err)) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const struct log_options first = { .level = LOG_INFO,
						  .like_max = UINT64_MAX };
	struct arguments arguments = { 0 };
	struct handover handover;
	char program[PATH_MAX];
	struct server_options server = { .program = program,
					 .argv = argv,
					 .handover = &handover };
	struct net *n;
	pages_begin();
	handover_take(&handover);
	program_path(argv[0], program, sizeof(program));
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	stderr_log_init(&first);
#ifdef PLYD_TEST_VFS
	if (arguments.vfs)
		powercut_register();
#endif
	if (crypto_ready())
		return fail("libsodium cannot be used");
	table_ready();
	if (net_new(&n))
		return fail("out of memory");
	int status = run(n, &arguments, &server);
	handover_close(&handover);
	if (net_free(n))
		return fail("a handle was left open; please report this");
	return status;
}
