/* SPDX-License-Identifier: MIT */
#include "record/export_mat.h"

#include <string.h>

#include "record/codec.h"

void mat_exporter_begin(struct mat_exporter *e, struct buf *b)
{
	memset(e, 0, sizeof(*e));
	e->b = b;
}

static void game_begin(struct mat_exporter *e)
{
	const char *const name[2] = { e->name[WHITE], e->name[BLACK] };
	const uint16_t score[2] = { e->pos.stakes.score[WHITE],
				    e->pos.stakes.score[BLACK] };
	e->game++;
	e->open = true;
	mat_write_begin(&e->writer, e->b, e->game, name, score);
}

static void game_close(struct mat_exporter *e, enum side winner, int64_t points)
{
	if (e->open)
		mat_write_end(&e->writer, winner, (unsigned)points);
	e->open = false;
}

/* Whether the position is where a match file's games begin. */
static bool is_usual_start(const struct position *pos)
{
	struct ruleset usual;
	struct position start;
	if (ruleset_find("backgammon", strlen("backgammon"), &usual))
		return false;
	game_start(&usual, &start);
	return !memcmp(&start.backgammon, &pos->backgammon,
		       sizeof(start.backgammon)) &&
	       pos->stakes.cube == 0;
}

static int on_begun(struct mat_exporter *e, const struct fact_begun_body *b)
{
	if (ruleset_read((const char *)b->rules.at, b->rules.len, &e->rules))
		return PLYD_ERECORD;
	if (e->rules.family != FAMILY_BACKGAMMON)
		return PLYD_EPOSITION;
	if (game_read(&e->rules, (const char *)b->position.at, b->position.len,
		      &e->pos, NULL))
		return PLYD_ERECORD;
	if (!is_usual_start(&e->pos))
		return PLYD_EPOSITION;
	const struct backgammon_options *o = &e->rules.backgammon;
	span_copy(b->white_name, e->name[WHITE], sizeof(e->name[WHITE]));
	span_copy(b->black_name, e->name[BLACK], sizeof(e->name[BLACK]));
	mat_write_match(e->b,
			o->match_length > 0 || o->cube ? o->match_length : 1);
	game_begin(e);
	return PLYD_OK;
}

static bool is_dice(int64_t first, int64_t second)
{
	return first >= 1 && first <= 6 && second >= 1 && second <= 6;
}

static int on_throw(struct mat_exporter *e, enum side side, int64_t first,
		    int64_t second)
{
	struct position before = e->pos;
	if (!is_dice(first, second))
		return PLYD_ERECORD;
	before.side = side;
	game_throw(&before, (int)first, (int)second, &e->pos);
	return PLYD_OK;
}

static int on_opening(struct mat_exporter *e,
		      const struct fact_opening_throw_body *b)
{
	if (b->white_die == b->black_die)
		return PLYD_OK;
	return on_throw(e, b->white_die > b->black_die ? WHITE : BLACK,
			b->white_die, b->black_die);
}

static int on_moved(struct mat_exporter *e, const struct fact_moved_body *b)
{
	struct position before = e->pos;
	struct move move;
	struct refusal why;
	if (before.dice[0] == 0 ||
	    game_check(&e->rules, &before, (const char *)b->move.at,
		       b->move.len, &move, &why))
		return PLYD_ERECORD;
	mat_write_turn(&e->writer, (enum side)before.side, before.dice, &move);
	game_apply(&e->rules, &before, &move, &e->pos);
	return PLYD_OK;
}

static int on_passed(struct mat_exporter *e)
{
	struct position before = e->pos;
	struct move none = { 0 };
	if (before.dice[0] == 0)
		return PLYD_ERECORD;
	mat_write_turn(&e->writer, (enum side)before.side, before.dice, &none);
	game_pass(&before, &e->pos);
	return PLYD_OK;
}

static int on_cube(struct mat_exporter *e, enum fact_type type)
{
	struct position before = e->pos;
	enum side mover = (enum side)before.side;
	if (before.dice[0] != 0 || before.stakes.cube >= CUBE_MAX)
		return PLYD_ERECORD;
	/* a game may be resigned before the answer: then no file has it */
	if (type == FACT_DOUBLED)
		return PLYD_OK;
	mat_write_cube(&e->writer, mover, ENTRY_DOUBLE);
	mat_write_cube(&e->writer, side_other(mover),
		       type == FACT_TAKEN ? ENTRY_TAKE : ENTRY_DROP);
	if (type == FACT_TAKEN)
		game_take(&before, &e->pos);
	return PLYD_OK;
}

static int on_game_begun(struct mat_exporter *e,
			 const struct fact_game_begun_body *b)
{
	if (game_read(&e->rules, (const char *)b->position.at, b->position.len,
		      &e->pos, NULL))
		return PLYD_ERECORD;
	game_begin(e);
	return PLYD_OK;
}

/* A game of a match has been closed already; a match that ended otherwise left
 * its last game unfinished. */
static void on_ended(struct mat_exporter *e, const struct fact_ended_body *b)
{
	enum { WHITE_WON, BLACK_WON }; /* as the fact has it */
	bool decided = b->result == WHITE_WON || b->result == BLACK_WON;
	bool games = e->rules.backgammon.match_length > 0;
	game_close(e, b->result == BLACK_WON ? BLACK : WHITE,
		   decided && !games ? b->points : 0);
}

static int add(struct mat_exporter *e, const struct fact *f)
{
	if ((e->game == 0) != (f->type == FACT_BEGUN))
		return PLYD_ERECORD;
	switch (f->type) {
	case FACT_BEGUN: return on_begun(e, &f->begun);
	case FACT_OPENING_THROW: return on_opening(e, &f->opening_throw);
	case FACT_ROLLED:
		return on_throw(e, (enum side)e->pos.side, f->rolled.die1,
				f->rolled.die2);
	case FACT_MOVED: return on_moved(e, &f->moved);
	case FACT_PASSED: return on_passed(e);
	case FACT_DOUBLED:
	case FACT_TAKEN:
	case FACT_DROPPED: return on_cube(e, f->type);
	case FACT_GAME_ENDED:
		game_close(e, f->game_ended.winner == BLACK ? BLACK : WHITE,
			   f->game_ended.points);
		return PLYD_OK;
	case FACT_GAME_BEGUN: return on_game_begun(e, &f->game_begun);
	case FACT_ENDED: on_ended(e, &f->ended); return PLYD_OK;
	default: return PLYD_OK; /* nonces, offers: not in such a file */
	}
}

int mat_exporter_fact(struct mat_exporter *e, struct doc *doc,
		      struct span bytes)
{
	static const struct id any = { "" };
	struct fact f;
	int err = fact_decode(doc, bytes, &any, 0, &f);
	if (!err)
		err = add(e, &f);
	return err ? err : e->b->err;
}

int mat_exporter_end(struct mat_exporter *e)
{
	game_close(e, WHITE, 0);
	return e->b->err;
}
