/* SPDX-License-Identifier: MIT
 * Any bytes must be read and decoded, or refused with an error that can be
 * written, read back and found in its declared shape. */
#include "fuzz.h"

#include <plyd/err.h>
#include "proto/methods.h"
#include "proto/schema.h"

static void refuse(struct doc *d, int err, const struct decode_error *where)
{
	const struct value *root;
	struct buf b;
	buf_init(&b, ANSWER_BYTES_MAX);
	request_refuse(&b, err, where);
	insist(b.err == PLYD_OK);
	insist(!doc_parse(d, buf_span(&b), &doc_answer, &root));
	insist(value_count(root) == 4);
	buf_release(&b);
}

static void decode(struct doc *d, const struct value *root)
{
	struct request req;
	struct decode_error where;
	int err = request_decode(root, &req, &where);
	if (!err)
		insist(method_info(req.method) != NULL);
	else if (where.has_msgid)
		refuse(d, err, &where);
	else
		insist(err == PLYD_EMESSAGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct doc *d;
	const struct value *root;
	uint32_t msgid;
	char why[SCHEMA_WHY_MAX];
	if (!d)
		d = doc_new();
	struct span in = span_of(bytes, len);
	int err = doc_parse(d, in, &doc_request, &root);
	if (err && root)
		request_msgid(root, &msgid);
	else if (!err)
		decode(d, root);
	if (!doc_parse(d, in, &doc_store, &root) && len > 0)
		schema_check(root, (enum object)(bytes[len - 1] % OBJECT_COUNT),
			     why);
	return 0;
}
