/* SPDX-License-Identifier: MIT
 * plyd-script: the worker that runs operators' Lua for plyd. It speaks
 * MessagePack-RPC over descriptor WORKER_FD, which plyd gives it (see
 * proto/worker.h), one question after another; it reads no file, opens
 * nothing, and never writes to its standard error. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proto/scan.h"
#include "proto/worker.h"
#include "script/harden.h"
#include "script/serve.h"

/* How the worker ended; plyd logs it. */
enum ending {
	ENDED_WELL,
	ENDED_USAGE,
	ENDED_MEMORY,
	ENDED_HARDEN,
	ENDED_LINK,
	ENDED_MESSAGE
};

enum {
	CHUNK = 64 * 1024,
	TOGETHER_US = 3000 /* so long an answer may wait for the next ones */
};

/* Answers that leave together: plyd wakes up once for all of them. */
struct out {
	struct buf waiting;
	int64_t since_us; /* the first of them came, if there is any */
};

static const struct scan_limits link_limits = {
	.bytes = WORKER_BYTES_MAX,
	.elements = STORE_ELEMENTS_MAX,
};

static int64_t now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* A parent that has gone away ends the worker, from wherever it is. */
static void write_all(struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(WORKER_FD, bytes.at, bytes.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(ENDED_LINK);
		bytes.at += n;
		bytes.len -= (size_t)n;
	}
}

static void flush(struct out *out)
{
	write_all(buf_span(&out->waiting));
	buf_clear(&out->waiting);
}

static void flush_if_old(struct out *out)
{
	if (out->waiting.len > 0 && now_us() - out->since_us >= TOGETHER_US)
		flush(out);
}

static void send_bytes(void *payload, struct span bytes)
{
	struct out *out = payload;
	if (out->waiting.len == 0)
		out->since_us = now_us();
	if (out->waiting.len + bytes.len > out->waiting.max)
		flush(out);
	if (buf_put(&out->waiting, bytes.at, bytes.len))
		_exit(ENDED_MEMORY);
}

/* Cuts what is in `in` into messages and answers them. */
static enum ending answer_all(struct serve *s, struct out *out,
			      struct scan *scan, struct buf *message,
			      struct span in)
{
	while (in.len > 0) {
		size_t taken;
		int state = scan_feed(scan, in, &taken);
		if (state < 0)
			return ENDED_MESSAGE;
		if (buf_put(message, in.at, taken))
			return ENDED_MEMORY;
		in.at += taken;
		in.len -= taken;
		if (state == SCAN_MORE)
			continue; /* and what is in is used up */
		if (serve_message(s, buf_span(message)))
			return ENDED_MESSAGE;
		buf_clear(message);
		flush_if_old(out);
	}
	flush(out);
	return ENDED_WELL;
}

static enum ending run(struct serve *s, struct out *out)
{
	static uint8_t chunk[CHUNK];
	struct scan scan;
	struct buf message;
	enum ending ending = ENDED_WELL;
	scan_init(&scan, &link_limits);
	buf_init(&message, WORKER_BYTES_MAX);
	while (ending == ENDED_WELL) {
		ssize_t n = read(WORKER_FD, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			ending = ENDED_LINK;
		if (n <= 0)
			break;
		ending = answer_all(s, out, &scan, &message,
				    span_of(chunk, (size_t)n));
	}
	buf_release(&message);
	return ending;
}

/* --nice=N; -1: not understood. */
static int read_nice(int argc, char **argv)
{
	if (argc == 1)
		return 0;
	char *end;
	if (argc != 2 || strncmp(argv[1], "--nice=", 7) != 0)
		return -1;
	long nice = strtol(argv[1] + 7, &end, 10);
	if (*end != '\0' || nice < 0 || nice > HARDEN_NICE_MAX)
		return -1;
	return (int)nice;
}

int main(int argc, char **argv)
{
	int nice = read_nice(argc, argv);
	if (nice < 0) {
		puts("plyd-script " PLYD_VERSION
		     ": plyd starts it; usage: plyd-script [--nice=N]");
		return ENDED_USAGE;
	}
	if (harden_begin(WORKER_FD, nice))
		return ENDED_HARDEN;
	struct serve *s;
	struct out out;
	buf_init(&out.waiting, WORKER_BYTES_MAX);
	if (serve_new(send_bytes, &out, &s))
		return ENDED_MEMORY;
	enum ending ending = ENDED_HARDEN;
	if (!harden_finish(WORKER_FD))
		ending = run(s, &out);
	serve_free(s);
	buf_release(&out.waiting);
	return ending;
}
