/* SPDX-License-Identifier: MIT */
#include "record/chain.h"

struct digest chain_start(const struct id *match)
{
	const struct span part[] = { span_str("plyd-record-1"),
				     span_of(match->text, ID_CHARS) };
	return sha256(part, 2);
}

struct digest chain_next(const struct digest *head, struct span fact)
{
	const struct span part[] = { span_of(head->byte, DIGEST_BYTES), fact };
	return sha256(part, 2);
}
