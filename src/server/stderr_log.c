/* SPDX-License-Identifier: MIT */
#include "server/stderr_log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/log.h"

enum {
	KINDS_MAX = 64, /* of messages that are counted at a time */
	WORDS_MAX = 96, /* of a message, to tell it from others */
};

/* Lines with the same words. */
struct kind {
	char words[WORDS_MAX]; /* "": free */
	enum log_level level;
	uint64_t began_ms;
	uint64_t written;
	uint64_t left_out;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct log_options options;
static bool for_journald;
static struct kind kinds[KINDS_MAX];
static uint64_t written, left_out;

static const char *level_name(enum log_level level)
{
	switch (level) {
	case LOG_ERROR: return "error";
	case LOG_WARNING: return "warning";
	case LOG_INFO: return "info";
	case LOG_DEBUG: return "debug";
	}
	return "info";
}

static void print_line(enum log_level level, const char *text)
{
	char stamp[40];
	struct timespec now;
	struct tm tm;
	written++;
	if (for_journald) {
		fprintf(stderr, "<%d>level=%s %s\n", (int)level,
			level_name(level), text);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(stderr, "time=%s.%03ldZ level=%s %s\n", stamp,
		now.tv_nsec / 1000000, level_name(level), text);
}

/* -- lines of a kind -- */

static uint64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void end_kind(struct kind *k)
{
	char line[LOG_LINE_MAX];
	if (k->left_out > 0) {
		snprintf(line, sizeof(line),
			 "msg=\"%llu more like this\" like=\"%s\"",
			 (unsigned long long)k->left_out, k->words);
		print_line(k->level, line);
	}
	k->words[0] = '\0';
}

static void end_due(uint64_t now)
{
	for (size_t i = 0; i < KINDS_MAX; i++)
		if (kinds[i].words[0] &&
		    now - kinds[i].began_ms >= options.like_ms)
			end_kind(&kinds[i]);
}

/* What stands in msg="...". */
static void words_of(const char *text, char out[WORDS_MAX])
{
	static const char begin[] = "msg=\"";
	size_t len = 0;
	if (!strncmp(text, begin, sizeof(begin) - 1))
		text += sizeof(begin) - 1;
	while (text[len] && text[len] != '"' && len < WORDS_MAX - 1)
		len++;
	memcpy(out, text, len);
	out[len] = '\0';
}

/* The kind of such a line, perhaps a new one; NULL: too many are counted. */
static struct kind *kind_of(const char *text, uint64_t now)
{
	char words[WORDS_MAX];
	struct kind *free_one = NULL;
	words_of(text, words);
	for (size_t i = 0; i < KINDS_MAX; i++) {
		if (words[0] && !strcmp(kinds[i].words, words))
			return &kinds[i];
		if (!kinds[i].words[0])
			free_one = &kinds[i];
	}
	if (free_one) {
		*free_one = (struct kind){ .began_ms = now };
		memcpy(free_one->words, words, sizeof(words));
	}
	return free_one;
}

static void write_bounded(enum log_level level, const char *text)
{
	uint64_t now = now_ms();
	end_due(now);
	struct kind *k = kind_of(text, now);
	if (k && k->written >= options.like_max) {
		k->level = level;
		k->left_out++;
		left_out++;
		return;
	}
	if (k)
		k->written++;
	print_line(level, text);
}

static void write_line(void *payload, enum log_level level, const char *text)
{
	(void)payload;
	pthread_mutex_lock(&lock);
	if ((int)level <= options.level)
		write_bounded(level, text);
	pthread_mutex_unlock(&lock);
}

/* -- what the program says about it -- */

/* Whether standard error is what systemd says it connected with the journal:
 * "device:inode". */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;
	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       !fstat(fileno(stderr), &st) && st.st_dev == device &&
	       st.st_ino == inode;
}

void stderr_log_set(const struct log_options *wanted)
{
	pthread_mutex_lock(&lock);
	options = *wanted;
	for_journald = options.format == LOG_FORMAT_JOURNALD ||
		       (options.format == LOG_FORMAT_AUTO && is_journal());
	pthread_mutex_unlock(&lock);
}

void stderr_log_init(const struct log_options *wanted)
{
	stderr_log_set(wanted);
	setvbuf(stderr, NULL, _IOLBF, 0);
	log_set_sink(write_line, NULL);
}

void stderr_log_tick(void)
{
	pthread_mutex_lock(&lock);
	end_due(now_ms());
	pthread_mutex_unlock(&lock);
}

uint64_t stderr_log_written(void)
{
	return written;
}

uint64_t stderr_log_left_out(void)
{
	return left_out;
}
