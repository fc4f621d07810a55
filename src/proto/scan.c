/* SPDX-License-Identifier: MIT
 * The grammar is msgpack-c's own: its unpacker's template, instantiated with
 * callbacks that count instead of building objects. So the scan and the
 * unpacker cannot disagree on where a message ends. */
#include "proto/scan.h"

#include <assert.h>

#include <msgpack.h>

#include <plyd/err.h>

const struct scan_limits scan_requests = { MESSAGE_BYTES_MAX,
					   MESSAGE_ELEMENTS_MAX };
const struct scan_limits scan_answers = { ANSWER_BYTES_MAX,
					  ANSWER_ELEMENTS_MAX };

struct counts {
	size_t elements;     /* that headers have promised */
	size_t elements_max; /* copy of the limit */
	unsigned depth;      /* containers that are open */
	unsigned deepest;
};

/* An "object" of the template is the number of entries a container lacks. */
typedef uint32_t lacking;

static int open_container(struct counts *c, size_t elements, size_t entries,
			  lacking *o)
{
	if (elements > c->elements_max - c->elements)
		return PLYD_ETOOLARGE;
	c->elements += elements;
	if (c->depth + 1 > c->deepest)
		c->deepest = c->depth + 1;
	*o = (lacking)entries;
	if (entries > 0)
		c->depth++;
	return 0;
}

static int take_entry(struct counts *c, lacking *o)
{
	if (--*o == 0)
		c->depth--;
	return 0;
}

static int scan_on_array(struct counts *c, unsigned n, lacking *o)
{
	return open_container(c, n, n, o);
}

static int scan_on_array_item(struct counts *c, lacking *o, lacking item)
{
	(void)item;
	return take_entry(c, o);
}

static int scan_on_map(struct counts *c, unsigned n, lacking *o)
{
	return open_container(c, 2 * (size_t)n, n, o);
}

static int scan_on_map_item(struct counts *c, lacking *o, lacking key,
			    lacking val)
{
	(void)key;
	(void)val;
	return take_entry(c, o);
}

/* Scalars leave nothing to count. */
#define SCALAR(callback, type)                                                 \
	static int scan_on##callback(struct counts *c, type value, lacking *o) \
	{                                                                      \
		(void)c;                                                       \
		(void)value;                                                   \
		*o = 0;                                                        \
		return 0;                                                      \
	}
SCALAR(_uint8, uint8_t)
SCALAR(_uint16, uint16_t)
SCALAR(_uint32, uint32_t)
SCALAR(_uint64, uint64_t)
SCALAR(_int8, int8_t)
SCALAR(_int16, int16_t)
SCALAR(_int32, int32_t)
SCALAR(_int64, int64_t)
SCALAR(_float, float)
SCALAR(_double, double)
#undef SCALAR

static int scan_on_nil(struct counts *c, lacking *o)
{
	(void)c;
	*o = 0;
	return 0;
}
#define scan_on_true  scan_on_nil
#define scan_on_false scan_on_nil

static int scan_on_str(struct counts *c, const char *base, const char *at,
		       unsigned len, lacking *o)
{
	(void)base;
	(void)at;
	(void)len;
	return scan_on_nil(c, o);
}
#define scan_on_bin scan_on_str

/* len counts the type byte, so that 0 means a length of 2^32 - 1 which the
 * template's 32-bit arithmetic has wrapped. */
static int scan_on_ext(struct counts *c, const char *base, const char *at,
		       unsigned len, lacking *o)
{
	(void)base;
	(void)at;
	return len == 0 ? PLYD_EMESSAGE : scan_on_nil(c, o);
}

static lacking scan_on_root(struct counts *c)
{
	*c = (struct counts){ .elements_max = c->elements_max };
	return 0;
}

#define msgpack_unpack_struct(name)      struct scan_template##name
#define msgpack_unpack_func(ret, name)   static inline ret scan_template##name
#define msgpack_unpack_callback(name)    scan_on##name
#define msgpack_unpack_object            lacking
#define msgpack_unpack_user              struct counts
#define msgpack_unpack_struct_decl(name) struct scan_template##name
#include <msgpack/unpack_define.h>
_Static_assert(MSGPACK_EMBED_STACK_SIZE == SCAN_DEPTH_MAX, "one depth");
#include <msgpack/unpack_template.h>

enum { CARRY_BYTES = 8 }; /* the longest number or length */

struct scan_state {
	const struct scan_limits *limits;
	int err;          /* sticks */
	unsigned carried; /* bytes of a number or length cut by a split */
	char carry[CARRY_BYTES];
	size_t bytes; /* taken of this message */
	struct scan_template_context template;
};
_Static_assert(sizeof(struct scan_state) <= sizeof(struct scan),
	       "SCAN_WORDS is too small");

static struct scan_state *state_of(struct scan *s)
{
	return (struct scan_state *)s->opaque;
}

static void begin_message(struct scan_state *st)
{
	st->carried = 0;
	st->bytes = 0;
	st->template.user.elements_max = st->limits->elements;
	scan_template_init(&st->template);
}

void scan_init(struct scan *s, const struct scan_limits *limits)
{
	struct scan_state *st = state_of(s);
	st->limits = limits;
	st->err = PLYD_OK;
	begin_message(st);
}

size_t scan_pending(const struct scan *s)
{
	return ((const struct scan_state *)s->opaque)->bytes;
}

/* Bytes that the template must see at once before it goes on. */
static size_t wanted(const struct scan_state *st)
{
	return st->template.cs == MSGPACK_CS_HEADER ? 1 : st->template.trail;
}

static bool in_body(const struct scan_state *st)
{
	unsigned cs = st->template.cs;
	return cs == MSGPACK_ACS_STR_VALUE || cs == MSGPACK_ACS_BIN_VALUE ||
	       cs == MSGPACK_ACS_EXT_VALUE;
}

/* The template's own failures are a byte that means nothing and a full stack;
 * the rest comes from the callbacks above. */
static int error_of(int ret)
{
	switch (ret) {
	case MSGPACK_UNPACK_PARSE_ERROR: return PLYD_EMESSAGE;
	case MSGPACK_UNPACK_NOMEM_ERROR: return PLYD_ETOODEEP;
	default: return ret;
	}
}

/* Runs the template over n bytes and keeps what it wants to see again. Returns
 * SCAN_MORE, SCAN_MESSAGE or an error; *used tells how far it came. */
static int run(struct scan_state *st, const char *at, size_t n, size_t *used)
{
	*used = 0;
	int ret = scan_template_execute(&st->template, at, n, used);
	if (ret < 0)
		return error_of(ret);
	if (ret == 0 && *used < n) {
		size_t rest = n - *used;
		if (in_body(st)) {
			st->template.trail -= (unsigned)rest;
		} else {
			assert(rest < CARRY_BYTES);
			memcpy(st->carry, at + *used, rest);
			st->carried = (unsigned)rest;
		}
		*used = n;
	}
	st->bytes += *used;
	return ret == 0 ? SCAN_MORE : SCAN_MESSAGE;
}

/* Completes a number or length that an earlier split has cut. */
static int run_carried(struct scan_state *st, const char *at, size_t n,
		       size_t *used)
{
	size_t have = st->carried, lack = wanted(st) - have, again;
	if (n < lack)
		lack = n;
	memcpy(st->carry + have, at, lack);
	*used = lack;
	st->carried += (unsigned)lack;
	if (st->carried < wanted(st)) {
		st->bytes += lack;
		return SCAN_MORE;
	}
	unsigned whole = st->carried;
	st->bytes -= have; /* run() counts them again */
	st->carried = 0;
	return run(st, st->carry, whole, &again);
}

static int end_message(struct scan_state *st)
{
	bool deep = st->template.user.deepest > MESSAGE_DEPTH_MAX;
	begin_message(st);
	return deep ? SCAN_TOODEEP : SCAN_MESSAGE;
}

int scan_feed(struct scan *s, struct span in, size_t *taken)
{
	struct scan_state *st = state_of(s);
	*taken = 0;
	while (!st->err && *taken < in.len) {
		const char *at = (const char *)in.at + *taken;
		size_t n = in.len - *taken, used;
		if (n > st->limits->bytes - st->bytes)
			n = st->limits->bytes - st->bytes;
		int ret = st->carried ? run_carried(st, at, n, &used)
				      : run(st, at, n, &used);
		*taken += used;
		if (ret == SCAN_MESSAGE)
			return end_message(st);
		if (ret < 0)
			st->err = ret;
		else if (wanted(st) - st->carried >
			 st->limits->bytes - st->bytes)
			st->err = PLYD_ETOOLARGE;
	}
	return st->err ? st->err : SCAN_MORE;
}
