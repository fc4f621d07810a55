/* SPDX-License-Identifier: MIT
 * referee_talk.c - who may hear whom, how often one may speak, and who is kept
 * out: from what is durable.
 *
 * Lines and answers leave in the order in which they were made, each when the
 * rows before it are durable. So what leaves in a later batch than a block, a
 * mute or a ban was made after it. */
#include "referee_priv.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEPT = 20 };

/* A player and something about him: a block, a mute, a match without talk. */
struct book_mark {
	struct id player, other;
	int64_t until; /* unix ms; of a mute */
	uint64_t batch;
};

struct marks {
	struct book_mark *at;
	size_t count, cap;
};

struct book_ban {
	int64_t number, until;
	struct id player;
	char address[64];
	uint64_t batch;
};

struct book_line {
	struct id player, room;
	char text[ASKED_TEXT_MAX];
	int64_t number, at_unix_ms;
	uint64_t generation;
};

/* What a personality would say; a text is never said twice. */
struct book_word {
	struct id match;
	char text[KEPT_TEXT_MAX];
	uint64_t at_ms, generation;
	bool heard;
};

/* The last line of a channel that a link was told. */
struct book_ear {
	uint64_t link;
	struct id player; /* who was on it */
	struct id room;
	int64_t number;
	uint64_t generation;
};

struct book_talk {
	struct marks blocks, mutes, offs;
	struct book_ban *ban;
	size_t bans, ban_cap;
	struct book_line *line;
	size_t lines, line_cap;
	struct book_ear *ear;
	size_t ears, ear_cap;
	struct book_word *word;
	size_t words, word_cap;
};

struct book_talk *talk_new(void)
{
	return sim_alloc(sizeof(struct book_talk));
}

void talk_free(struct book_talk *t)
{
	free(t->blocks.at);
	free(t->mutes.at);
	free(t->offs.at);
	free(t->ban);
	free(t->line);
	free(t->ear);
	free(t->word);
	free(t);
}

/* -- the books -- */

static struct book_mark *find(const struct marks *m, const struct id *player,
			      const struct id *other)
{
	for (size_t i = 0; i < m->count; i++)
		if (id_eq(&m->at[i].player, player) &&
		    (!other || id_eq(&m->at[i].other, other)))
			return &m->at[i];
	return NULL;
}

static void add(struct marks *m, const struct book_mark *mark)
{
	m->at = sim_grow(m->at, &m->cap, m->count, sizeof(*m->at));
	m->at[m->count++] = *mark;
}

static void drop(struct marks *m, const struct book_mark *mark)
{
	size_t i = (size_t)(mark - m->at);
	memmove(&m->at[i], &m->at[i + 1], (--m->count - i) * sizeof(m->at[0]));
}

static void forget(struct marks *m, const struct id *player)
{
	struct book_mark *mark;
	while ((mark = find(m, player, NULL)))
		drop(m, mark);
}

static void set(struct sim *sim, struct marks *m, const struct book_mark *mark,
		bool on)
{
	struct book_mark *had = find(m, &mark->player, &mark->other);
	if (on == (had != NULL))
		sim_fail(sim, "%s and %s: that was so already",
			 mark->player.text, mark->other.text);
	else if (on)
		add(m, mark);
	else
		drop(m, had);
}

static void put_out(struct sim *sim, const struct id *player, uint64_t at_ms)
{
	struct book_player *p = book_player(sim->referee, player);
	if (!p)
		return;
	p->out_ms = at_ms;
	if (!p->here && p->away_ms > at_ms)
		p->away_ms = at_ms;
}

static const char *address_of(const struct link *l)
{
	static char address[16];
	snprintf(address, sizeof(address), "10.0.0.%u",
		 (unsigned)(l->number % NET_ADDRESSES));
	return address;
}

static void put_out_from(struct sim *sim, struct span address, uint64_t at_ms)
{
	for (const struct link *l = sim->links; l; l = l->next)
		if (l->ready && span_is(address, address_of(l)))
			put_out(sim, &l->player, at_ms);
}

static void kicked(struct sim *sim, const struct fact *f)
{
	struct id id;
	if (span_is(f->audited.act, "kick") && id_read(f->audited.target, &id))
		put_out(sim, &id, f->at_ms);
}

static void banned(struct sim *sim, const struct fact *f)
{
	struct book_talk *t = sim->referee->talk;
	t->ban = sim_grow(t->ban, &t->ban_cap, t->bans, sizeof(*t->ban));
	struct book_ban *b = &t->ban[t->bans++];
	*b = (struct book_ban){ .number = f->banned.ban,
				.until = f->banned.until_unix_ms,
				.player = f->banned.player,
				.batch = sim->referee->batch };
	if (id_is_none(&b->player))
		put_out_from(sim, f->banned.target, f->at_ms);
	else
		put_out(sim, &b->player, f->at_ms);
	if (id_is_none(&b->player))
		span_copy(f->banned.target, b->address, sizeof(b->address));
}

static void unbanned(struct sim *sim, int64_t number)
{
	struct book_talk *t = sim->referee->talk;
	for (size_t i = 0; i < t->bans; i++) {
		if (t->ban[i].number != number)
			continue;
		t->ban[i] = t->ban[--t->bans];
		return;
	}
	sim_fail(sim, "there is no ban %lld", (long long)number);
}

bool talk_fact(struct sim *sim, const struct fact *f)
{
	struct book_talk *t = sim->referee->talk;
	struct book_mark mark = { .batch = sim->referee->batch };
	switch (f->type) {
	case FACT_BLOCKED:
	case FACT_UNBLOCKED: /* the same fields */
		mark.player = f->blocked.player;
		mark.other = f->blocked.other;
		set(sim, &t->blocks, &mark, f->type == FACT_BLOCKED);
		return true;
	case FACT_CHAT_SWITCHED:
		mark.player = f->chat_switched.player;
		mark.other = f->chat_switched.match;
		set(sim, &t->offs, &mark, !f->chat_switched.on);
		return true;
	case FACT_MUTED:
		mark.player = f->muted.player;
		mark.until = f->muted.until_unix_ms;
		forget(&t->mutes, &mark.player);
		if (mark.until > 0)
			add(&t->mutes, &mark);
		return true;
	case FACT_BANNED: banned(sim, f); return true;
	case FACT_UNBANNED: unbanned(sim, f->unbanned.ban); return true;
	case FACT_AUDITED: kicked(sim, f); return true;
	case FACT_REPORTED:
	case FACT_REPORT_CLOSED: return true;
	default: return false;
	}
}

void talk_player_removed(struct sim *sim, const struct id *player)
{
	struct book_talk *t = sim->referee->talk;
	forget(&t->blocks, player);
	forget(&t->mutes, player);
	forget(&t->offs, player);
}

static size_t marks_of(const struct marks *m, const struct id *player)
{
	size_t n = 0;
	for (size_t i = 0; i < m->count; i++)
		n += id_eq(&m->at[i].player, player);
	return n;
}

static bool all_marked(const struct marks *m, const struct id *player,
		       const struct id_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (!find(m, player, &set->at[i]))
			return false;
	return marks_of(m, player) == set->count;
}

void talk_compare(struct sim *sim)
{
	const struct book_talk *t = sim->referee->talk;
	const struct domain *d = hub_domain(sim->hub);
	const struct player *p;
	size_t bans = 0;
	for (p = domain_players(d); p; p = player_next(p)) {
		const struct book_mark *mute = find(&t->mutes, &p->id, NULL);
		if (!all_marked(&t->blocks, &p->id, &p->blocks))
			sim_fail(sim, "%s blocks others than he did",
				 p->id.text);
		if (!all_marked(&t->offs, &p->id, &p->chat_off))
			sim_fail(sim, "%s ended other talk than he did",
				 p->id.text);
		if ((mute ? mute->until : 0) != p->muted_until_unix_ms)
			sim_fail(sim, "%s is muted otherwise than he was",
				 p->id.text);
	}
	for (const struct ban *b = domain_bans(d); b; b = b->next)
		bans++;
	if (bans != t->bans)
		sim_fail(sim, "%zu bans came back of %zu", bans, t->bans);
}

/* -- what follows from them -- */

static bool is_old(const struct sim *sim, uint64_t batch)
{
	return batch + 1 < sim->referee->batch;
}

static bool has_blocked(const struct sim *sim, const struct id *player,
			const struct id *other)
{
	const struct book_mark *b =
		find(&sim->referee->talk->blocks, player, other);
	return b && is_old(sim, b->batch);
}

static bool are_apart(const struct sim *sim, const struct id *a,
		      const struct id *b)
{
	return has_blocked(sim, a, b) || has_blocked(sim, b, a);
}

static bool is_muted(const struct sim *sim, const struct id *player)
{
	const struct book_mark *m =
		find(&sim->referee->talk->mutes, player, NULL);
	return m && is_old(sim, m->batch) && m->until > sim_unix_ms(sim);
}

static bool talk_is_off(const struct sim *sim, const struct book_match *m)
{
	for (int s = 0; s < SIDES; s++) {
		const struct book_mark *off =
			find(&sim->referee->talk->offs, &m->player[s], &m->id);
		if (off && is_old(sim, off->batch))
			return true;
	}
	return false;
}

static void wrong(struct sim *sim, const struct link *l, const struct id *who,
		  const char *what)
{
	sim_fail(sim, "%s hears %s: %s", client_name(l->client), who->text,
		 what);
}

/* Players hear players, spectators who watch hear spectators. */
static void judge_channel(struct sim *sim, struct link *l, const struct id *who,
			  const struct value *map)
{
	struct id id;
	struct span channel = str_in(map, "channel");
	if (span_is(channel, "lobby")) {
		id_in(map, "lobby", &id);
		const struct book_lobby *lobby = book_lobby(sim->referee, &id);
		if (!lobby || !ever_sat(lobby, who) ||
		    !ever_sat(lobby, &l->player))
			wrong(sim, l, who, "in a lobby that is not theirs");
		return;
	}
	id_in(map, "match", &id);
	const struct book_match *m = book_match(sim->referee, &id);
	bool players = span_is(channel, "players");
	if (!m || (seat_of(m, who) >= 0) != players ||
	    (seat_of(m, &l->player) >= 0) != players)
		wrong(sim, l, who, "across the channels of a match");
	else if (players && talk_is_off(sim, m))
		wrong(sim, l, who, "though the talk was ended");
	else if (!players && !(heard_of(l, &id, false) &&
			       heard_of(l, &id, false)->subscribed))
		wrong(sim, l, who, "in a match that he does not watch");
}

static struct id room_of(const struct value *map)
{
	struct id id;
	if (!id_in(map, "lobby", &id))
		id_in(map, "match", &id);
	return id;
}

/* Each line once, in order. */
static void judge_order(struct sim *sim, const struct link *l,
			const struct id *who, const struct id *room,
			int64_t number)
{
	struct book_talk *t = sim->referee->talk;
	for (size_t i = t->ears; i > 0; i--) {
		struct book_ear *ear = &t->ear[i - 1];
		if (ear->link != l->number || !id_eq(&ear->room, room) ||
		    !id_eq(&ear->player, &l->player) ||
		    ear->generation != sim->referee->generation)
			continue;
		if (number <= ear->number)
			wrong(sim, l, who, "a line twice, or out of order");
		ear->number = number;
		return;
	}
	t->ear = sim_grow(t->ear, &t->ear_cap, t->ears, sizeof(*t->ear));
	t->ear[t->ears++] =
		(struct book_ear){ l->number, l->player, *room, number,
				   sim->referee->generation };
}

/* -- personalities -- */

void talk_thought(struct sim *sim, const struct id *match, struct span say)
{
	struct book_talk *t = sim->referee->talk;
	t->word = sim_grow(t->word, &t->word_cap, t->words, sizeof(*t->word));
	struct book_word *w = &t->word[t->words++];
	*w = (struct book_word){ .match = *match,
				 .at_ms = sim_domain_ms(sim),
				 .generation = sim->referee->generation };
	span_copy(say, w->text, sizeof(w->text));
}

/* Those of one match that were heard are, after the first chat_burst, paid for
 * by time. */
static bool words_are_paid(const struct sim *sim, const struct book_word *w)
{
	const struct book_talk *t = sim->referee->talk;
	int64_t burst = sim->domain_limits.chat_burst, count = 1;
	for (const struct book_word *old = w; old-- > t->word;) {
		if (!old->heard || old->generation != w->generation ||
		    !id_eq(&old->match, &w->match))
			continue;
		int64_t least =
			(++count - burst) * sim->domain_limits.chat_line_ms;
		if ((int64_t)(w->at_ms - old->at_ms) < least)
			return false;
	}
	return true;
}

/* A line without a player: a personality of the match said it, to its opponent
 * and to who watches. */
static void judge_words(struct sim *sim, struct link *l,
			const struct value *map)
{
	static const struct id none;
	struct book_talk *t = sim->referee->talk;
	const struct value *line = value_find(map, "line");
	struct id room = room_of(map);
	const struct book_match *m = book_match(sim->referee, &room);
	bool players = span_is(str_in(map, "channel"), "players");
	struct book_word *w = t->word;
	while (w < t->word + t->words &&
	       !(id_eq(&w->match, &room) &&
		 span_is(str_in(line, "text"), w->text)))
		w++;
	if (!m || w == t->word + t->words ||
	    w->generation != sim->referee->generation ||
	    !span_is(str_in(line, "kind"), "personality")) {
		wrong(sim, l, &none, "words that no personality said there");
		return;
	}
	if ((seat_of(m, &l->player) >= 0) != players)
		wrong(sim, l, &none, "words across the channels of a match");
	else if (players && talk_is_off(sim, m))
		wrong(sim, l, &none, "words though the talk was ended");
	else if (!players && !(heard_of(l, &room, false) &&
			       heard_of(l, &room, false)->subscribed))
		wrong(sim, l, &none, "words of a match that he does not watch");
	else if (!players && m->spectator_delay_ms > 0)
		wrong(sim, l, &none, "words of a match that he sees late");
	w->heard = true;
	if (!words_are_paid(sim, w))
		wrong(sim, l, &none, "too many words");
	judge_order(sim, l, &none, &room, int_in(line, "number"));
}

void judge_chat_line(struct sim *sim, struct link *l, const struct value *map)
{
	struct id who;
	const struct value *line = value_find(map, "line");
	struct id room = room_of(map);
	if (!id_in(line, "player", &who)) {
		judge_words(sim, l, map);
		return;
	}
	judge_channel(sim, l, &who, map);
	if (are_apart(sim, &l->player, &who))
		wrong(sim, l, &who, "though one blocks the other");
	if (is_muted(sim, &who))
		wrong(sim, l, &who, "though he is muted");
	judge_order(sim, l, &who, &room, int_in(line, "number"));
}

void judge_chat(struct sim *sim, const struct link *l, const struct value *map)
{
	const struct value *lines = value_find(map, "lines");
	struct id who;
	if (value_count(lines) > KEPT)
		sim_fail(sim, "a chat of %zu lines", value_count(lines));
	for (size_t i = 0; i < value_count(lines); i++) {
		if (id_in(value_at(lines, i), "player", &who) &&
		    are_apart(sim, &l->player, &who))
			wrong(sim, l, &who, "later, though one blocks him");
	}
}

/* -- saying -- */

/* Of any lines of one player, those after the first chat_burst are paid for by
 * time. A restart forgets. */
static void judge_rate(struct sim *sim, const struct link *l,
		       const struct book_line *line)
{
	const struct book_talk *t = sim->referee->talk;
	int64_t burst = sim->domain_limits.chat_burst, before = 0;
	for (size_t i = t->lines; i > 0; i--) {
		const struct book_line *old = &t->line[i - 1];
		if (!id_eq(&old->player, &line->player) ||
		    old->generation != line->generation)
			continue;
		before++;
		int64_t least =
			(before + 1 - burst) * sim->domain_limits.chat_line_ms;
		if (line->at_unix_ms - old->at_unix_ms < least) {
			sim_fail(sim, "%s says %lld lines in %lld ms",
				 client_name(l->client), (long long)before + 1,
				 (long long)(line->at_unix_ms -
					     old->at_unix_ms));
			return;
		}
	}
}

static void judge_once(struct sim *sim, const struct link *l,
		       const struct book_line *line)
{
	const struct book_talk *t = sim->referee->talk;
	for (size_t i = 0; i < t->lines; i++) {
		const struct book_line *old = &t->line[i];
		if (id_eq(&old->player, &line->player) &&
		    id_eq(&old->room, &line->room) &&
		    old->generation == line->generation &&
		    line->number - old->number < KEPT &&
		    !strcmp(old->text, line->text))
			sim_fail(sim, "%s says %s twice by one key",
				 client_name(l->client), line->text);
	}
}

void judge_chat_said(struct sim *sim, const struct link *l,
		     const struct asked *a, const struct value *map)
{
	struct book_talk *t = sim->referee->talk;
	const struct value *said = value_find(map, "line");
	struct book_line line = {
		.player = l->player,
		.room = id_is_none(&a->match) ? a->lobby : a->match,
		.number = int_in(said, "number"),
		.at_unix_ms = int_in(said, "at_unix_ms"),
		.generation = sim->referee->generation,
	};
	memcpy(line.text, a->text, sizeof(line.text));
	if (!span_is(str_in(said, "text"), a->text))
		sim_fail(sim, "%s said %s, and is told otherwise",
			 client_name(l->client), a->text);
	if (bool_in(map, "duplicate"))
		return;
	judge_rate(sim, l, &line);
	judge_once(sim, l, &line);
	t->line = sim_grow(t->line, &t->line_cap, t->lines, sizeof(*t->line));
	t->line[t->lines++] = line;
}

/* -- who is kept out -- */

static bool is_banned(const struct sim *sim, const struct link *l)
{
	const struct book_talk *t = sim->referee->talk;
	const char *address = address_of(l);
	for (size_t i = 0; i < t->bans; i++) {
		const struct book_ban *b = &t->ban[i];
		if (is_old(sim, b->batch) &&
		    (b->until == 0 || b->until > sim_unix_ms(sim)) &&
		    (id_is_none(&b->player) ? !strcmp(b->address, address)
					    : id_eq(&b->player, &l->player)))
			return true;
	}
	return false;
}

void talk_let_in(struct sim *sim, const struct link *l)
{
	/* a door may open before it is durable that it does; hello waits */
	if (!l->ready && sim->operator.method == METHOD_ADMIN_UNBAN)
		return;
	if (is_banned(sim, l))
		sim_fail(sim, "%s is in, who is banned",
			 client_name(l->client));
}
