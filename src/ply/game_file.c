/* SPDX-License-Identifier: MIT */
#include "ply/game_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { READ_BYTES = 64 * 1024 };

/* How long it is, or 0 where that cannot be told. */
static uint64_t file_bytes(FILE *file)
{
	long len = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
	clearerr(file);
	rewind(file);
	return len > 0 ? (uint64_t)len : 0;
}

static void read_rest(const struct game_file *f, FILE *file,
		      struct game_reader *reader, struct span piece,
		      uint64_t whole)
{
	uint64_t read = 0;
	uint8_t *at = (uint8_t *)piece.at;
	do {
		game_reader_feed(reader, piece);
		read += piece.len;
		if (f->progress)
			f->progress(f->sink.payload, read, whole);
		piece.len = fread(at, 1, READ_BYTES, file);
	} while (piece.len > 0);
}

static const char *read_stream(const struct game_file *f, FILE *file,
			       enum game_format *format)
{
	static uint8_t piece[READ_BYTES];
	struct game_reader *reader;
	uint64_t whole = file_bytes(file);
	struct span head = { piece, fread(piece, 1, READ_BYTES, file) };
	if (ferror(file))
		return strerror(errno);
	if (game_format_guess(f->path, head, format))
		return "this is no game record that can be read here";
	if (game_reader_new(*format, f->asked, &f->sink, &reader))
		return plyd_err_text(PLYD_ENOMEM);
	read_rest(f, file, reader, head, whole);
	const char *wrong = ferror(file) ? strerror(errno) : NULL;
	if (!wrong)
		game_reader_end(reader);
	game_reader_free(reader);
	return wrong;
}

const char *game_file_read(const struct game_file *f, enum game_format *format)
{
	FILE *file = fopen(f->path, "rb");
	if (!file)
		return strerror(errno);
	const char *wrong = read_stream(f, file, format);
	fclose(file);
	return wrong;
}
