/* SPDX-License-Identifier: MIT
 * write.h - writes MessagePack, always in the smallest form, to a buf. Errors
 * stick in the buf: look at b->err once, when all is written. Whoever begins a
 * map or an array owes it just as many entries or items. */
#ifndef PLYD_PROTO_WRITE_H
#define PLYD_PROTO_WRITE_H

#include "base/buf.h"

void put_nil(struct buf *b);
void put_bool(struct buf *b, bool value);
void put_int(struct buf *b, int64_t value);
void put_uint(struct buf *b, uint64_t value);
void put_str(struct buf *b, struct span text); /* valid UTF-8, < 4 GiB */
static inline void put_cstr(struct buf *b, const char *text)
{
	put_str(b, span_str(text));
}
void put_hex(struct buf *b, struct span bytes); /* a str of hex digits */
void put_bin(struct buf *b, struct span bytes); /* never on the wire */
void put_array(struct buf *b, uint32_t items);
void put_map(struct buf *b, uint32_t entries);

/* ---- MessagePack-RPC --------------------------------------------------- */

/* [0, msgid, method, [ - one map must follow. For clients. */
void rpc_begin_request(struct buf *b, uint32_t msgid, const char *method);

/* [1, msgid, nil, - the result must follow. */
void rpc_begin_result(struct buf *b, uint32_t msgid);

/* [2, method, [ - one map must follow. */
void rpc_begin_notification(struct buf *b, const char *method);

/* Writes one map: the details of an error. */
typedef void details_fn(struct buf *b, void *payload);

/* [1, msgid, [code, name, message, details], nil], whole. err is a plyd_err;
 * message NULL: plyd_err_text(err); details NULL: an empty map. Returns where
 * in b the details begin. */
size_t rpc_error(struct buf *b, uint32_t msgid, int err, const char *message,
		 details_fn *details, void *payload);
/* One more detail, with the answer still last in b; details_at is what
 * rpc_error() returned. The details are fewer than 15. */
void rpc_error_add(struct buf *b, size_t details_at, const char *key,
		   const char *value);

/* [2, "closing", [{code, name, message, details}]], whole: why the server is
 * about to close the connection. */
void rpc_closing(struct buf *b, int err, const char *message,
		 details_fn *details, void *payload);

#endif
