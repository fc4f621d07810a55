/* SPDX-License-Identifier: MIT
 * request_tournament.c - requests about tournaments become commands. */
#include "session/hub_priv.h"
#include "session/text.h"

/* The words of the table stand in the order of the domain. */
_Static_assert((int)WANT_KNOCKOUT == (int)FORMAT_KNOCKOUT, "formats");
_Static_assert((int)COUNT_POINTS == (int)SCORING_POINTS, "scorings");
_Static_assert((int)SAY_BLACK_LOT == (int)OUTCOME_BLACK_LOT, "outcomes");

enum { NO_SHOW_MS_USUAL = 300000, ROUNDS_USUAL = 5 };

static bool read_breaks(struct span words, enum contest_break *out,
			size_t *count)
{
	*count = 0;
	while (words.len > 0) {
		const uint8_t *end = memchr(words.at, ' ', words.len);
		size_t len = end ? (size_t)(end - words.at) : words.len;
		int b = contest_break_read(span_of(words.at, len));
		if (b < 0 || *count == BREAKS_MAX)
			return false;
		out[(*count)++] = (enum contest_break)b;
		len += end != NULL;
		words = span_of(words.at + len, words.len - len);
	}
	return true;
}

int tournament_request_check(const struct request *r)
{
	enum contest_break breaks[BREAKS_MAX];
	char name[NAME_BYTES_MAX + 1];
	size_t count;
	if (r->method == METHOD_TOURNAMENT_CORRECT)
		return text_is_clean(r->params.tournament_correct.words)
			       ? PLYD_OK
			       : PLYD_ETEXT;
	if (r->method != METHOD_TOURNAMENT_CREATE)
		return PLYD_OK;
	if (!read_breaks(r->params.tournament_create.breaks, breaks, &count))
		return PLYD_EVALUE;
	return name_clean(r->params.tournament_create.name, name) ? PLYD_OK
								  : PLYD_ENAME;
}

/* Lives until the step is done. */
static struct tournament_terms *
terms_of(const struct params_tournament_create *p)
{
	static struct tournament_terms t;
	bool swiss = p->format == WANT_SWISS,
	     knockout = p->format == WANT_KNOCKOUT;
	t = (struct tournament_terms){
		.match_length = (int)p->match_length,
		.format = (enum contest_format)p->format,
		.scoring = (enum contest_scoring)p->scoring,
		.rounds = !swiss          ? 0
			  : p->has_rounds ? (int)p->rounds
					  : ROUNDS_USUAL,
		.entries_max = p->has_entries_max  ? (int)p->entries_max
			       : swiss || knockout ? ENTRIES_MAX
						   : ROBIN_MAX,
		.late_rounds = (int)p->late_rounds,
		.rated = p->rated,
		.invited_only = p->invited_only,
		.players = p->has_players ? (enum against)p->players
					  : AGAINST_PERSON,
		.rating_min = (int)p->rating_min,
		.rating_max = (int)p->rating_max,
		.check_in_ms = p->check_in_ms,
		.no_show_ms =
			p->has_no_show_ms ? p->no_show_ms : NO_SHOW_MS_USUAL,
		.gap_ms = p->gap_ms,
		.starts_unix_ms = p->starts_at,
	};
	span_copy(p->ruleset, t.ruleset, sizeof(t.ruleset));
	name_clean(p->name, t.name);
	read_breaks(p->breaks, t.breaks, &t.break_count);
	return &t;
}

static void to_create(const struct params_tournament_create *p,
		      struct command *cmd)
{
	cmd->type = CMD_TOURNAMENT_CREATE;
	cmd->tournament = (struct cmd_tournament){
		.terms = terms_of(p),
		.clock = CLOCK_WISH(p),
		.key = p->key,
		.draft = p->draft,
	};
}

static void to_correct(const struct params_tournament_correct *p,
		       struct command *cmd)
{
	enum table_outcome o = (enum table_outcome)p->outcome;
	cmd->type = CMD_TOURNAMENT_CORRECT;
	cmd->tournament = (struct cmd_tournament){
		.tournament = p->tournament,
		.round = (uint32_t)p->round - 1,
		.table = (uint32_t)p->table - 1,
		.outcome = o,
		.points = { p->has_white_points ? (int)p->white_points
						: o == OUTCOME_WHITE,
			    p->has_black_points ? (int)p->black_points
						: o == OUTCOME_BLACK },
		.words = p->words,
	};
}

/* Those who name a player. */
#define TO_WHOM(p)                                                             \
	(struct cmd_tournament)                                                \
	{                                                                      \
		.tournament = (p)->tournament, .whom = {                       \
			.player = (p)->player,                                 \
			.name = (p)->name                                      \
		}                                                              \
	}

static void to_whom(const struct request *r, struct command *cmd)
{
	const struct params_tournament_direct *direct =
		&r->params.tournament_direct;
	switch (r->method) {
	case METHOD_TOURNAMENT_DIRECT:
		cmd->type = CMD_TOURNAMENT_DIRECT;
		cmd->tournament = TO_WHOM(direct);
		cmd->tournament.on = !direct->has_on || direct->on;
		break;
	case METHOD_TOURNAMENT_INVITE:
		cmd->type = CMD_TOURNAMENT_INVITE;
		cmd->tournament = TO_WHOM(&r->params.tournament_invite);
		break;
	default:
		cmd->type = CMD_TOURNAMENT_REMOVE;
		cmd->tournament = TO_WHOM(&r->params.tournament_remove);
		break;
	}
}

static void to_page(const struct request *r, struct command *cmd)
{
	const struct params_tournament_standings *table =
		&r->params.tournament_standings;
	const struct params_tournament_round *round =
		&r->params.tournament_round;
	if (r->method == METHOD_TOURNAMENT_STANDINGS) {
		cmd->type = CMD_TOURNAMENT_STANDINGS;
		cmd->tournament = (struct cmd_tournament){
			.tournament = table->tournament,
			.from = (uint32_t)table->from
		};
		return;
	}
	cmd->type = CMD_TOURNAMENT_ROUND;
	cmd->tournament =
		(struct cmd_tournament){ .tournament = round->tournament,
					 .round = (uint32_t)round->round - 1,
					 .from = (uint32_t)round->from };
}

/* Those that name nothing but the tournament. */
#define NAMING(X)                                                              \
	X(GET, get, GET)                                                       \
	X(WATCH, watch, WATCH)                                                 \
	X(UNWATCH, unwatch, UNWATCH)                                           \
	X(OPEN, open, OPEN)                                                    \
	X(START, start, START)                                                 \
	X(PAUSE, pause, PAUSE)                                                 \
	X(RESUME, resume, RESUME)                                              \
	X(FINISH, finish, FINISH)                                              \
	X(REGISTER, register, ENTER)                                           \
	X(WITHDRAW, withdraw, WITHDRAW)                                        \
	X(CHECK_IN, check_in, CHECK_IN)

static bool to_named(const struct request *r, struct command *cmd)
{
	switch (r->method) {
#define X(UPPER, lower, COMMAND)                                               \
	case METHOD_TOURNAMENT_##UPPER:                                        \
		cmd->type = CMD_TOURNAMENT_##COMMAND;                          \
		cmd->tournament.tournament =                                   \
			r->params.tournament_##lower.tournament;               \
		return true;
		NAMING(X)
#undef X
	default: return false;
	}
}

void to_tournament(struct hub *h, struct conn *c, const struct request *r,
		   struct command *cmd)
{
	(void)h, (void)c;
	if (to_named(r, cmd))
		return;
	switch (r->method) {
	case METHOD_TOURNAMENT_CREATE:
		to_create(&r->params.tournament_create, cmd);
		break;
	case METHOD_TOURNAMENT_LIST:
		cmd->type = CMD_TOURNAMENT_LIST;
		cmd->tournament.tournament = r->params.tournament_list.after;
		break;
	case METHOD_TOURNAMENT_STANDINGS:
	case METHOD_TOURNAMENT_ROUND: to_page(r, cmd); break;
	case METHOD_TOURNAMENT_CORRECT:
		to_correct(&r->params.tournament_correct, cmd);
		break;
	default: to_whom(r, cmd); break;
	}
}
