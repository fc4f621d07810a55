/* SPDX-License-Identifier: MIT
 * The SQLite driver of one who only reads: no lock, no threads, no change. */
#include "store/sqlite_priv.h"

#include <stdlib.h>

struct sqlite_reader {
	struct store core;
	struct db_options options;
};

/* Whoever may write has another store. */
static void reader_kick(struct store *core)
{
	(void)core;
}

static int reader_load(struct store *core, const struct store_loader *loader,
		       uint64_t *last_seq, char why[STORE_WHY_MAX])
{
	const struct sqlite_reader *r = (struct sqlite_reader *)core;
	return sqlite_load(&r->options, loader, last_seq, why);
}

static int reader_records(struct store *core, store_each_fn *fn, void *payload,
			  char why[STORE_WHY_MAX])
{
	const struct sqlite_reader *r = (struct sqlite_reader *)core;
	return sqlite_records(&r->options, fn, payload, why);
}

static void reader_close(struct store *core)
{
	store_core_release(core);
	free(core);
}

static const struct store_driver reader_driver = {
	.kick = reader_kick,
	.load = reader_load,
	.records = reader_records,
	.close = reader_close,
};

int store_open_reader(struct store **out, const struct store_options *options,
		      char why[STORE_WHY_MAX])
{
	struct sqlite_reader *r = calloc(1, sizeof(*r));
	*out = NULL;
	why[0] = '\0';
	if (!r || store_core_init(&r->core, &reader_driver, options->wake,
				  options->payload)) {
		free(r);
		return why_set(why, PLYD_ENOMEM, "%s",
			       plyd_err_text(PLYD_ENOMEM));
	}
	int err = options_read(&r->options, options, why);
	r->options.read_only = true;
	if (!err)
		err = files_look(&r->options, why);
	if (err)
		reader_close(&r->core);
	else
		*out = &r->core;
	return err;
}
