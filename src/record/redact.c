/* SPDX-License-Identifier: MIT */
#include "record/redact.h"

#include "domain/name.h"
#include "record/codec.h"

static bool redact(const struct domain *d, struct id *player, struct span *name)
{
	if (id_is_none(player) || !domain_is_deleted(d, player))
		return false;
	*player = (struct id){ "" };
	*name = span_str(DELETED_NAME);
	return true;
}

bool redact_begun(const struct domain *d, struct doc *doc, struct span begun,
		  struct buf *b)
{
	static const struct id none;
	struct fact f;
	if (fact_decode(doc, begun, &none, 0, &f) || f.type != FACT_BEGUN)
		return false;
	bool white = redact(d, &f.begun.white, &f.begun.white_name);
	bool black = redact(d, &f.begun.black, &f.begun.black_name);
	if (white || black)
		fact_encode(&f, b);
	return white || black;
}
