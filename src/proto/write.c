/* SPDX-License-Identifier: MIT */
#include "proto/write.h"

#include <assert.h>

#include <msgpack.h>

#include <plyd/err.h>

enum { RPC_REQUEST = 0, RPC_RESPONSE = 1, RPC_NOTIFICATION = 2 };

static int put_bytes(void *data, const char *bytes, size_t len)
{
	return buf_put(data, bytes, len);
}

static msgpack_packer packer(struct buf *b)
{
	return (msgpack_packer){ .data = b, .callback = put_bytes };
}

void put_nil(struct buf *b)
{
	msgpack_packer p = packer(b);
	msgpack_pack_nil(&p);
}

void put_bool(struct buf *b, bool value)
{
	msgpack_packer p = packer(b);
	if (value)
		msgpack_pack_true(&p);
	else
		msgpack_pack_false(&p);
}

void put_int(struct buf *b, int64_t value)
{
	msgpack_packer p = packer(b);
	msgpack_pack_int64(&p, value);
}

void put_uint(struct buf *b, uint64_t value)
{
	msgpack_packer p = packer(b);
	msgpack_pack_uint64(&p, value);
}

void put_str(struct buf *b, struct span text)
{
	msgpack_packer p = packer(b);
	assert(text.len <= UINT32_MAX);
	msgpack_pack_str(&p, text.len);
	buf_put(b, text.at, text.len);
}

void put_hex(struct buf *b, struct span bytes)
{
	static const char digit[] = "0123456789abcdef";
	msgpack_packer p = packer(b);
	assert(bytes.len <= UINT32_MAX / 2);
	msgpack_pack_str(&p, 2 * bytes.len);
	for (size_t i = 0; i < bytes.len; i++) {
		const char two[] = { digit[bytes.at[i] >> 4],
				     digit[bytes.at[i] & 15] };
		buf_put(b, two, sizeof(two));
	}
}

void put_bin(struct buf *b, struct span bytes)
{
	msgpack_packer p = packer(b);
	assert(bytes.len <= UINT32_MAX);
	msgpack_pack_bin(&p, bytes.len);
	buf_put(b, bytes.at, bytes.len);
}

void put_array(struct buf *b, uint32_t items)
{
	msgpack_packer p = packer(b);
	msgpack_pack_array(&p, items);
}

void put_map(struct buf *b, uint32_t entries)
{
	msgpack_packer p = packer(b);
	msgpack_pack_map(&p, entries);
}

/* ---- MessagePack-RPC --------------------------------------------------- */

void rpc_begin_request(struct buf *b, uint32_t msgid, const char *method)
{
	put_array(b, 4);
	put_uint(b, RPC_REQUEST);
	put_uint(b, msgid);
	put_cstr(b, method);
	put_array(b, 1);
}

void rpc_begin_result(struct buf *b, uint32_t msgid)
{
	put_array(b, 4);
	put_uint(b, RPC_RESPONSE);
	put_uint(b, msgid);
	put_nil(b);
}

void rpc_begin_notification(struct buf *b, const char *method)
{
	put_array(b, 3);
	put_uint(b, RPC_NOTIFICATION);
	put_cstr(b, method);
	put_array(b, 1);
}

static void put_details(struct buf *b, details_fn *details, void *payload)
{
	if (details)
		details(b, payload);
	else
		put_map(b, 0);
}

size_t rpc_error(struct buf *b, uint32_t msgid, int err, const char *message,
		 details_fn *details, void *payload)
{
	put_array(b, 4);
	put_uint(b, RPC_RESPONSE);
	put_uint(b, msgid);
	put_array(b, 4);
	put_int(b, err);
	put_cstr(b, plyd_err_name(err));
	put_cstr(b, message ? message : plyd_err_text(err));
	size_t details_at = b->len;
	put_details(b, details, payload);
	put_nil(b);
	return details_at;
}

enum { FIXMAP = 0x80, FIXMAP_COUNT = 0x0f };

void rpc_error_add(struct buf *b, size_t details_at, const char *key,
		   const char *value)
{
	if (b->err)
		return;
	uint8_t head = b->at[details_at];
	assert((head & ~FIXMAP_COUNT) == FIXMAP &&
	       head != (FIXMAP | FIXMAP_COUNT));
	b->at[details_at] = (uint8_t)(head + 1);
	b->len--; /* no result, once more */
	put_cstr(b, key);
	put_cstr(b, value);
	put_nil(b);
}

void rpc_closing(struct buf *b, int err, const char *message,
		 details_fn *details, void *payload)
{
	rpc_begin_notification(b, "closing");
	put_map(b, 4);
	put_cstr(b, "code");
	put_int(b, err);
	put_cstr(b, "name");
	put_cstr(b, plyd_err_name(err));
	put_cstr(b, "message");
	put_cstr(b, message ? message : plyd_err_text(err));
	put_cstr(b, "details");
	put_details(b, details, payload);
}
