/* SPDX-License-Identifier: MIT
 * relay.c - the least that a server of matches can do, for `ply load`: reads a
 * request, answers the mover and tells the other. It knows no rule, clock,
 * limit or error, and believes everything; for measuring on loopback only.
 * What it costs is what the kernel, libuv and msgpack-c cost.
 *
 * relay [JOURNAL]: listens on a free port of 127.0.0.1 and prints which. With a
 * file, a move is answered when a thread has committed it with SQLite, as many
 * at once as came meanwhile, synchronous=FULL, the log copied by another
 * thread.
 *
 * RELAY_WORK=N in its environment: counts to N before each answer, without a
 * look at memory. By that one sees what it costs in the kernel that a server
 * has something to do. */
#include <msgpack.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

enum {
	READ_BYTES = 65536,
	MOVE_BYTES = 64,
	CODE_BYTES = 16,
	CHECKPOINT_US = 500000,
	BACKLOG = 4096
};

static const char rules[] =
	"english draughts squares=dark first=black person=black "
	"notation=numeric start=rows_1_3 man_step=diagonal_forward "
	"man_capture=forward king=short removal=at_once majority=none "
	"promotion=stops men_capture_kings=true turn_back=true";

struct peer {
	uv_tcp_t tcp;
	struct match *match;
	int seat;
	char *rest; /* of a message that has not ended */
	size_t rest_len;
};

struct match {
	struct peer *peer[2];
	unsigned number;
};

/* A move that waits for the journal. */
struct move {
	struct peer *from;
	unsigned match;
	uint32_t msgid, ply;
	char text[MOVE_BYTES];
};

struct moves {
	struct move *at;
	size_t count, cap;
};

static uv_loop_t *loop;
static char read_bytes[READ_BYTES];
static msgpack_zone zone;
static msgpack_sbuffer out;
static msgpack_packer packer;
static struct match **matches;
static unsigned match_count;

static long work;

static sqlite3 *db;
static const char *journal;
static sqlite3_stmt *put, *begin, *commit;
static struct moves gathered, written;
static bool writing, write_wanted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static uv_async_t woken;

static void fail(const char *what)
{
	fprintf(stderr, "relay: %s\n", what);
	exit(1);
}

/* -- writing -- */

struct write {
	uv_write_t request;
	char bytes[];
};

static void on_written(uv_write_t *request, int status)
{
	(void)status;
	free(request);
}

static void send_out(struct peer *to)
{
	uv_buf_t all = uv_buf_init(out.data, (unsigned)out.size);
	int sent = uv_try_write((uv_stream_t *)&to->tcp, &all, 1);
	if (sent == (int)out.size || (sent < 0 && sent != UV_EAGAIN))
		return;
	size_t done = sent < 0 ? 0 : (size_t)sent;
	struct write *w = malloc(sizeof(*w) + out.size - done);
	memcpy(w->bytes, out.data + done, out.size - done);
	all = uv_buf_init(w->bytes, (unsigned)(out.size - done));
	uv_write(&w->request, (uv_stream_t *)&to->tcp, &all, 1, on_written);
}

static void text(const char *s)
{
	msgpack_pack_str_with_body(&packer, s, strlen(s));
}

static void entry(const char *key, const char *value)
{
	text(key);
	text(value);
}

static void entry_uint(const char *key, uint64_t value)
{
	text(key);
	msgpack_pack_uint64(&packer, value);
}

static void answer_begin(uint32_t msgid, unsigned entries)
{
	msgpack_sbuffer_clear(&out);
	msgpack_pack_array(&packer, 4);
	msgpack_pack_int(&packer, 1);
	msgpack_pack_uint32(&packer, msgid);
	msgpack_pack_nil(&packer);
	msgpack_pack_map(&packer, entries);
}

static void notify_begin(const char *method, unsigned entries)
{
	msgpack_sbuffer_clear(&out);
	msgpack_pack_array(&packer, 3);
	msgpack_pack_int(&packer, 2);
	text(method);
	msgpack_pack_array(&packer, 1);
	msgpack_pack_map(&packer, entries);
}

static const char *match_name(const struct match *m)
{
	static char name[CODE_BYTES];
	snprintf(name, sizeof(name), "m%09u", m->number);
	return name;
}

static void do_work(void)
{
	for (volatile long i = 0; i < work; i++)
		;
}

/* Seat 0 is black, who begins. */
static const char *side(int seat)
{
	return seat == 0 ? "black" : "white";
}

static void answer_move(const struct move *v)
{
	struct match *m = v->from->match;
	if (!m)
		return;
	do_work();
	answer_begin(v->msgid, 1);
	entry_uint("ply", v->ply);
	send_out(v->from);
	struct peer *other = m->peer[!v->from->seat];
	if (!other)
		return;
	notify_begin("match.event", 7);
	entry("match", match_name(m));
	entry("event", "moved");
	entry_uint("ply", v->ply);
	entry("side", side(v->from->seat));
	entry("move", v->text);
	entry("turn", side(other->seat));
	entry("awaits", "move");
	send_out(other);
}

/* -- the journal -- */

static void run(sqlite3_stmt *st)
{
	if (sqlite3_step(st) != SQLITE_DONE)
		fail(sqlite3_errmsg(db));
	sqlite3_reset(st);
}

static void write_moves(const struct moves *m)
{
	run(begin);
	for (size_t i = 0; i < m->count; i++) {
		const struct move *v = &m->at[i];
		sqlite3_bind_int64(put, 1, v->match);
		sqlite3_bind_int64(put, 2, v->ply);
		sqlite3_bind_text(put, 3, v->text, -1, SQLITE_STATIC);
		run(put);
	}
	run(commit);
}

static void *writer_main(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&lock);
		while (!write_wanted)
			pthread_cond_wait(&wanted, &lock);
		write_wanted = false;
		pthread_mutex_unlock(&lock);
		write_moves(&written);
		uv_async_send(&woken);
	}
	return NULL;
}

static void *checkpoint_main(void *unused)
{
	sqlite3 *other;
	(void)unused;
	if (sqlite3_open(journal, &other))
		fail("cannot open the journal twice");
	for (;;) {
		usleep(CHECKPOINT_US);
		sqlite3_wal_checkpoint_v2(other, NULL,
					  SQLITE_CHECKPOINT_PASSIVE, NULL,
					  NULL);
	}
	return NULL;
}

static void write_gathered(uv_check_t *unused)
{
	(void)unused;
	if (writing || gathered.count == 0)
		return;
	struct moves empty = written;
	written = gathered;
	gathered = empty;
	gathered.count = 0;
	writing = true;
	pthread_mutex_lock(&lock);
	write_wanted = true;
	pthread_cond_signal(&wanted);
	pthread_mutex_unlock(&lock);
}

static void on_committed(uv_async_t *unused)
{
	(void)unused;
	for (size_t i = 0; i < written.count; i++)
		answer_move(&written.at[i]);
	writing = false;
	write_gathered(NULL);
}

static void journal_open(void)
{
	static const char sql[] =
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		"PRAGMA wal_autocheckpoint = 0;"
		"CREATE TABLE moves(match INTEGER, ply INTEGER, move TEXT,"
		" PRIMARY KEY(match, ply)) WITHOUT ROWID";
	static uv_check_t check;
	pthread_t thread;
	if (sqlite3_open(journal, &db) ||
	    sqlite3_exec(db, sql, NULL, NULL, NULL) ||
	    sqlite3_prepare_v2(db,
			       "INSERT OR REPLACE INTO moves "
			       "VALUES(?, ?, ?)",
			       -1, &put, NULL) ||
	    sqlite3_prepare_v2(db, "BEGIN IMMEDIATE", -1, &begin, NULL) ||
	    sqlite3_prepare_v2(db, "COMMIT", -1, &commit, NULL))
		fail(sqlite3_errmsg(db));
	uv_async_init(loop, &woken, on_committed);
	uv_check_init(loop, &check);
	uv_check_start(&check, write_gathered);
	pthread_create(&thread, NULL, writer_main, NULL);
	pthread_create(&thread, NULL, checkpoint_main, NULL);
}

static void gather(const struct move *v)
{
	if (gathered.count == gathered.cap) {
		gathered.cap = gathered.cap ? 2 * gathered.cap : 256;
		gathered.at = realloc(gathered.at,
				      gathered.cap * sizeof(*gathered.at));
	}
	gathered.at[gathered.count++] = *v;
}

/* -- requests -- */

static bool is(const msgpack_object *o, const char *s)
{
	return o->type == MSGPACK_OBJECT_STR && o->via.str.size == strlen(s) &&
	       !memcmp(o->via.str.ptr, s, o->via.str.size);
}

static const msgpack_object *find(const msgpack_object *map, const char *key)
{
	static const msgpack_object nothing;
	for (uint32_t i = 0; i < map->via.map.size; i++)
		if (is(&map->via.map.ptr[i].key, key))
			return &map->via.map.ptr[i].val;
	return &nothing;
}

static void create(struct peer *p, uint32_t msgid)
{
	char code[CODE_BYTES];
	struct match *m = calloc(1, sizeof(*m));
	matches = realloc(matches, (match_count + 1) * sizeof(struct match *));
	matches[match_count] = m;
	m->number = match_count++;
	m->peer[0] = p;
	p->match = m;
	p->seat = 0;
	snprintf(code, sizeof(code), "%u", m->number);
	answer_begin(msgid, 1);
	entry("code", code);
	send_out(p);
}

static void join(struct peer *p, uint32_t msgid, const msgpack_object *map)
{
	const msgpack_object *code = find(map, "code");
	unsigned number = 0;
	for (uint32_t i = 0; i < code->via.str.size; i++)
		number = number * 10 + (unsigned)(code->via.str.ptr[i] - '0');
	answer_begin(msgid, 0);
	send_out(p);
	if (number >= match_count || !matches[number]->peer[0])
		return;
	struct match *m = p->match = matches[number];
	p->seat = 1;
	m->peer[1] = p;
	for (int s = 0; s < 2; s++) {
		notify_begin("match.started", 6);
		entry("match", match_name(m));
		entry("you", side(s));
		entry("state", "playing");
		entry("rules", rules);
		entry("turn", side(0));
		entry("awaits", "move");
		send_out(m->peer[s]);
	}
}

static void move(struct peer *p, uint32_t msgid, const msgpack_object *map)
{
	const msgpack_object *made = find(map, "move");
	struct move v = { .from = p,
			  .msgid = msgid,
			  .ply = (uint32_t)find(map, "ply")->via.u64 };
	size_t len = made->via.str.size < MOVE_BYTES - 1 ? made->via.str.size
							 : MOVE_BYTES - 1;
	memcpy(v.text, made->via.str.ptr, len);
	if (!p->match)
		return;
	v.match = p->match->number;
	if (db)
		gather(&v);
	else
		answer_move(&v);
}

static void resign(struct peer *p, uint32_t msgid)
{
	answer_begin(msgid, 0);
	send_out(p);
	for (int s = 0; p->match && s < 2; s++) {
		notify_begin("match.event", 3);
		entry("match", match_name(p->match));
		entry("event", "ended");
		entry_uint("ply", 0);
		if (p->match->peer[s])
			send_out(p->match->peer[s]);
	}
}

/* [0, msgid, method, [params]] */
static void on_request(struct peer *p, const msgpack_object *root)
{
	const msgpack_object *a = root->via.array.ptr;
	if (root->type != MSGPACK_OBJECT_ARRAY || root->via.array.size != 4 ||
	    a[3].type != MSGPACK_OBJECT_ARRAY || a[3].via.array.size != 1)
		return;
	uint32_t msgid = (uint32_t)a[1].via.u64;
	const msgpack_object *map = &a[3].via.array.ptr[0];
	if (is(&a[2], "match.move")) {
		move(p, msgid, map);
	} else if (is(&a[2], "lobby.create")) {
		create(p, msgid);
	} else if (is(&a[2], "lobby.join")) {
		join(p, msgid, map);
	} else if (is(&a[2], "match.resign")) {
		resign(p, msgid);
	} else {
		answer_begin(msgid, 0);
		send_out(p);
	}
}

/* Returns how many of the bytes were whole messages. */
static size_t take(struct peer *p, const char *bytes, size_t len)
{
	size_t at = 0;
	while (at < len) {
		msgpack_object root;
		size_t end = at;
		msgpack_zone_clear(&zone);
		msgpack_unpack_return ret =
			msgpack_unpack(bytes, len, &end, &zone, &root);
		if (ret != MSGPACK_UNPACK_SUCCESS &&
		    ret != MSGPACK_UNPACK_EXTRA_BYTES)
			break;
		on_request(p, &root);
		at = end;
	}
	return at;
}

/* -- connections -- */

static void on_closed(uv_handle_t *handle)
{
	struct peer *p = (struct peer *)handle;
	free(p->rest); /* p itself may be in a move that waits */
}

static void on_bytes(struct peer *p, const char *bytes, size_t len)
{
	char *joined = NULL;
	if (p->rest_len > 0) {
		joined = malloc(p->rest_len + len);
		memcpy(joined, p->rest, p->rest_len);
		memcpy(joined + p->rest_len, bytes, len);
		len += p->rest_len;
		bytes = joined;
	}
	size_t used = take(p, bytes, len);
	free(p->rest);
	p->rest = NULL;
	p->rest_len = len - used;
	if (p->rest_len > 0) {
		p->rest = malloc(p->rest_len);
		memcpy(p->rest, bytes + used, p->rest_len);
	}
	free(joined);
}

static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
	struct peer *p = (struct peer *)stream;
	if (len > 0)
		on_bytes(p, buf->base, (size_t)len);
	if (len >= 0 || uv_is_closing((uv_handle_t *)stream))
		return;
	if (p->match)
		p->match->peer[p->seat] = NULL;
	p->match = NULL;
	uv_close((uv_handle_t *)stream, on_closed);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	(void)handle, (void)suggested;
	*buf = uv_buf_init(read_bytes, sizeof(read_bytes));
}

static void on_connection(uv_stream_t *server, int status)
{
	struct peer *p = calloc(1, sizeof(*p));
	if (status < 0 || !p)
		fail("cannot accept");
	uv_tcp_init(loop, &p->tcp);
	if (uv_accept(server, (uv_stream_t *)&p->tcp))
		fail("cannot accept");
	uv_tcp_nodelay(&p->tcp, 1);
	uv_read_start((uv_stream_t *)&p->tcp, on_alloc, on_read);
}

static void listen_and_say(uv_tcp_t *server)
{
	struct sockaddr_in at;
	int len = sizeof(at);
	uv_ip4_addr("127.0.0.1", 0, &at);
	uv_tcp_init(loop, server);
	if (uv_tcp_bind(server, (struct sockaddr *)&at, 0) ||
	    uv_listen((uv_stream_t *)server, BACKLOG, on_connection) ||
	    uv_tcp_getsockname(server, (struct sockaddr *)&at, &len))
		fail("cannot listen");
	printf("relay listens on 127.0.0.1:%u, of nothing\n",
	       ntohs(at.sin_port));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static uv_tcp_t server;
	signal(SIGPIPE, SIG_IGN);
	loop = uv_default_loop();
	journal = argc > 1 ? argv[1] : NULL;
	work = getenv("RELAY_WORK") ? atol(getenv("RELAY_WORK")) : 0;
	msgpack_zone_init(&zone, 4096);
	msgpack_sbuffer_init(&out);
	msgpack_packer_init(&packer, &out, msgpack_sbuffer_write);
	if (journal)
		journal_open();
	listen_and_say(&server);
	return uv_run(loop, UV_RUN_DEFAULT);
}
