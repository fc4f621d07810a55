/* SPDX-License-Identifier: MIT
 * Any bytes from a worker, or to it, are read as one of the link's messages or
 * refused; what was read is written again and reads back the same. */
#include "fuzz.h"

#include <string.h>

#include <plyd/err.h>
#include "proto/worker.h"

/* Reads v as one kind of message, and that again after writing it. */
#define M(message, fields)                                                     \
	static void try_##message(const struct value *v)                       \
	{                                                                      \
		struct message first, second;                                  \
		struct buf b, again;                                           \
		struct doc *d = doc_new();                                     \
		const struct value *back;                                      \
		if (message##_read(v, &first) == PLYD_OK) {                    \
			buf_init(&b, STORE_BYTES_MAX);                         \
			buf_init(&again, STORE_BYTES_MAX);                     \
			message##_put(&b, &first);                             \
			insist(!doc_parse(d, buf_span(&b), &doc_store,         \
					  &back));                             \
			insist(!message##_read(back, &second));                \
			message##_put(&again, &second);                        \
			insist(span_eq(buf_span(&b), buf_span(&again)));       \
			buf_release(&b);                                       \
			buf_release(&again);                                   \
		}                                                              \
		doc_free(d);                                                   \
	}
WORKER_MESSAGES(M)
#undef M

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct doc *d;
	struct worker_question question;
	struct worker_reply reply;
	if (!d)
		d = doc_new();
	struct span in = span_of(bytes, len);
	worker_read_question(d, in, &question);
	if (worker_read(d, in, &reply) || !reply.result)
		return 0;
#define M(message, fields) try_##message(reply.result);
	WORKER_MESSAGES(M)
#undef M
	return 0;
}
