/* SPDX-License-Identifier: MIT
 * The header of a proxy, as it comes in pieces; and the list of proxies. What a
 * piece is said to be holds for every shorter and longer one. */
#include "fuzz.h"

#include "net/proxy.h"

static void try_header(struct span bytes)
{
	struct proxy_header whole = { 0 }, h;
	enum proxy_result all = proxy_header_read(bytes, &whole);
	if (all == PROXY_WHOLE) {
		int family = whole.from.ss_family;
		insist(whole.len <= bytes.len && whole.len <= PROXY_HEADER_MAX);
		insist(family == AF_UNSPEC || family == AF_INET ||
		       family == AF_INET6);
	}
	for (size_t len = 0; len < bytes.len && len < PROXY_HEADER_MAX; len++) {
		enum proxy_result part =
			proxy_header_read(span_of(bytes.at, len), &h);
		insist(part == PROXY_PART || part == all);
		insist(part != PROXY_PART || all != PROXY_WHOLE ||
		       len < whole.len);
		insist(part != PROXY_WHOLE || h.len == whole.len);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct proxies list;
	struct span bytes = span_of(data, size);
	try_header(bytes);
	if (size <= PROXY_LIST_BYTES_MAX && proxies_read(bytes, &list))
		insist(list.count <= PROXIES_MAX);
	return 0;
}
