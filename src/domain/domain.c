/* SPDX-License-Identifier: MIT */
#include "domain/domain_priv.h"
#include "domain/late.h"
#include "domain/rating_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

enum { DUE_CAP_FIRST = 64 };

void domain_limits_default(struct domain_limits *out)
{
	*out = (struct domain_limits){
#define L(name, value, low, high, doc) .name = value,
		DOMAIN_LIMITS(L)
#undef L
	};
}

int domain_new(struct domain **out, const struct domain_limits *limits,
	       const struct entropy *entropy)
{
	*out = NULL;
	struct domain *d = calloc(1, sizeof(*d));
	if (!d)
		return PLYD_ENOMEM;
	d->limits = *limits;
	d->entropy = *entropy;
	/* he who comes back is told of at each of his matches, and his turn
	 * may begin there; they may be more than the operator allows today */
	d->effects_max = EFFECTS_PER_STEP_MAX + 2 * MATCHES_PER_PLAYER_MAX +
			 LOBBIES_PER_PLAYER_MAX;
	d->step.effect = calloc(d->effects_max, sizeof(*d->step.effect));
	if (!d->step.effect || due_heap_init(&d->due, DUE_CAP_FIRST)) {
		free(d->step.effect);
		free(d);
		return PLYD_ENOMEM;
	}
	*out = d;
	return PLYD_OK;
}

void domain_set_limits(struct domain *d, const struct domain_limits *limits)
{
	d->limits = *limits;
	if (d->late)
		d->late->limits = *limits;
}

void domain_set_entropy(struct domain *d, const struct entropy *entropy)
{
	d->entropy = *entropy;
}

void domain_free(struct domain *d)
{
	if (!d)
		return;
	while (d->matches)
		match_free(d, d->matches);
	while (d->lobbies) {
		struct lobby *l = d->lobbies;
		lobby_unlink(d, l);
		free(l);
	}
	while (d->seeks)
		seek_free(d, d->seeks);
	while (d->all.first[LISTED_QUEUED])
		queued_free(d, d->all.first[LISTED_QUEUED]->owner);
	closed_free(d);
	tournaments_free(d);
	while (d->players)
		player_free(d, d->players);
	kept_free(d);
	names_free(d);
	deleted_free(d);
	ratings_free(d);
	late_forget_shown(d);
	domain_free(d->late);
	audit_free(d);
	bans_free(d);
	operator_tokens_free(d);
	reports_free(d);
	listings_free(d);
	due_heap_release(&d->due);
	free(d->step.effect);
	free(d);
}

int domain_set_rules(struct domain *d, const struct match_rules *rules,
		     size_t count)
{
	if (count > RULES_MAX)
		return PLYD_EFULL;
	memcpy(d->rules, rules, count * sizeof(*rules));
	d->rules_count = count;
	return PLYD_OK;
}

int domain_set_personalities(struct domain *d, const struct personality *p,
			     size_t count)
{
	if (count > PERSONALITIES_MAX)
		return PLYD_EFULL;
	if (count > 0) /* p may be NULL for none */
		memcpy(d->personality, p, count * sizeof(*p));
	d->personality_count = count;
	return PLYD_OK;
}

const struct domain_limits *domain_limits(const struct domain *d)
{
	return &d->limits;
}

size_t domain_rules_count(const struct domain *d)
{
	return d->rules_count;
}

const struct match_rules *domain_rules_at(const struct domain *d, size_t i)
{
	assert(i < d->rules_count);
	return &d->rules[i];
}

const struct match_rules *domain_rules_find(const struct domain *d,
					    struct span name)
{
	for (size_t i = 0; i < d->rules_count; i++)
		if (span_is(name, d->rules[i].rules.name))
			return &d->rules[i];
	return NULL;
}

size_t domain_personality_count(const struct domain *d)
{
	return d->personality_count;
}

const struct personality *domain_personality_at(const struct domain *d,
						size_t i)
{
	assert(i < d->personality_count);
	return &d->personality[i];
}

struct effect *effect_add(struct domain *d, enum effect_type type)
{
	assert(d->step.effect_count < d->effects_max);
	struct effect *fx = &d->step.effect[d->step.effect_count++];
	*fx = (struct effect){ .type = type };
	return fx;
}

struct effect *refuse(struct domain *d, const struct command *cmd, int err)
{
	struct effect *fx = effect_add(d, EFFECT_REFUSE);
	fx->conn = cmd->conn;
	fx->msgid = cmd->msgid;
	fx->err = err;
	const struct player *p = find_player(d, &cmd->player);
	if (err == PLYD_ECOOLING && p)
		fx->retry_ms = player_cooling_ms(d, p);
	return fx;
}

struct effect *answer(struct domain *d, const struct command *cmd)
{
	struct effect *fx = effect_add(d, EFFECT_ANSWER);
	fx->conn = cmd->conn;
	fx->msgid = cmd->msgid;
	fx->command = cmd->type;
	return fx;
}

const struct fact *happen(struct domain *d, const struct fact *given)
{
	assert(d->step.fact_count < FACTS_PER_STEP_MAX);
	struct fact *f = &d->step.fact[d->step.fact_count++];
	enum fact_stream stream = fact_stream(given->type);
	*f = *given;
	f->at_ms = d->now_ms;
	if (stream != STREAM_SECRET)
		f->row = d->last_row + 1;
	struct match *m = stream == STREAM_MATCH && f->type != FACT_BEGUN
				  ? find_match(d, &f->match)
				  : NULL;
	if (m)
		f->before = m->last_row;
	int err = domain_apply(d, f);
	if (err == PLYD_ENOMEM)
		memory_ran_out("applying a fact");
	if (err)
		abort(); /* a bug: what was decided fits */
	if (m) {
		struct effect *fx = effect_add(d, EFFECT_FACT);
		fx->match = m;
		fx->fact = f;
	}
	return f;
}

int domain_apply(struct domain *d, const struct fact *f)
{
	if (f->at_ms > d->now_ms)
		d->now_ms = f->at_ms;
	if (f->row > d->last_row)
		d->last_row = f->row;
	if (fact_stream(f->type) != STREAM_SECRET)
		d->recorded_ms = d->now_ms;
	if (fact_stream(f->type) == STREAM_GENERAL)
		return apply_general(d, f);
	return apply_match(d, f);
}

static void tick(struct domain *d, int64_t unix_ms)
{
	struct due *due = due_first(&d->due);
	if (!due || due->at_ms > d->now_ms)
		return;
	switch ((enum due_kind)due->kind) {
	case DUE_PLAYER: player_due(d, due->owner); break;
	case DUE_LOBBY: lobby_due(d, due->owner, unix_ms); break;
	case DUE_MATCH: match_due(d, due->owner); break;
	case DUE_LATE: late_due(d, due->owner); break;
	case DUE_TIME: time_due(d); break;
	case DUE_SEEK: seek_due(d, due->owner); break;
	case DUE_QUEUED: queued_due(d, due->owner, unix_ms); break;
	case DUE_TOURNAMENT: tournament_due(d, due->owner); break;
	}
}

typedef void command_fn(struct domain *, const struct command *);

static command_fn *const commands[] = {
	[CMD_HELLO] = on_hello,
	[CMD_LOBBY_LIST] = on_lobby_list,
	[CMD_LOBBY_CREATE] = on_lobby_create,
	[CMD_LOBBY_JOIN] = on_lobby_join,
	[CMD_LOBBY_GET] = on_lobby_get,
	[CMD_LOBBY_LEAVE] = on_lobby_leave,
	[CMD_LOBBY_READY] = on_lobby_ready,
	[CMD_LOBBY_INVITE] = on_lobby_invite,
	[CMD_LOBBY_DECLINE] = on_lobby_decline,
	[CMD_LOBBY_KICK] = on_lobby_kick,
	[CMD_LOBBY_UPDATE] = on_lobby_update,
	[CMD_SEEK_CREATE] = on_seek_create,
	[CMD_SEEK_LIST] = on_seek_list,
	[CMD_SEEK_ACCEPT] = on_seek_accept,
	[CMD_SEEK_CANCEL] = on_seek_cancel,
	[CMD_QUICK_JOIN] = on_quick_join,
	[CMD_QUICK_LEAVE] = on_quick_leave,
	[CMD_QUICK_STATUS] = on_quick_status,
	[CMD_CHALLENGE_SEND] = on_challenge_send,
	[CMD_CHALLENGE_ACCEPT] = on_challenge_accept,
	[CMD_CHALLENGE_DECLINE] = on_challenge_decline,
	[CMD_CHALLENGE_CANCEL] = on_challenge_cancel,
	[CMD_BOT_POLICY] = on_bot_policy,
	[CMD_BOT_FINISH] = on_bot_finish,
	[CMD_BOT_LIST] = on_bot_list,
	[CMD_PLAYERS_LIST] = on_players_list,
	[CMD_PLAYER_GET] = on_player_get,
	[CMD_MATCH_LIST] = on_match_list,
	[CMD_MATCH_GET] = on_match_get,
	[CMD_MATCH_WATCH] = on_match_watch,
	[CMD_MATCH_UNWATCH] = on_match_unwatch,
	[CMD_MATCH_NONCE] = on_match_nonce,
	[CMD_MATCH_MOVE] = on_match_move,
	[CMD_MATCH_RESIGN] = on_match_resign,
	[CMD_MATCH_OFFER_DRAW] = on_match_offer_draw,
	[CMD_MATCH_ACCEPT_DRAW] = on_match_accept_draw,
	[CMD_MATCH_DECLINE_DRAW] = on_match_decline_draw,
	[CMD_MATCH_ABORT] = on_match_abort,
	[CMD_MATCH_CLAIM] = on_match_claim,
	[CMD_MATCH_SEEN] = on_match_seen,
	[CMD_CHAT_SEND] = on_chat_send,
	[CMD_CHAT_GET] = on_chat_get,
	[CMD_CHAT_SWITCH] = on_chat_switch,
	[CMD_BLOCK_ADD] = on_block_add,
	[CMD_BLOCK_REMOVE] = on_block_remove,
	[CMD_BLOCK_LIST] = on_block_list,
	[CMD_REPORT_SEND] = on_report_send,
	[CMD_ADMIN_SAY] = on_admin_say,
	[CMD_ADMIN_DRAIN] = on_admin_drain,
	[CMD_ADMIN_SHUTDOWN] = on_admin_shutdown,
	[CMD_ADMIN_KICK] = on_admin_kick,
	[CMD_ADMIN_END_MATCH] = on_admin_end_match,
	[CMD_MATCH_ROLL] = on_match_cube,
	[CMD_MATCH_DOUBLE] = on_match_cube,
	[CMD_MATCH_TAKE] = on_match_cube,
	[CMD_MATCH_DROP] = on_match_cube,
	[CMD_MATCH_ACCEPT_RESIGN] = on_match_accept_resign,
	[CMD_MATCH_DECLINE_RESIGN] = on_match_decline_resign,
	[CMD_ADMIN_BAN] = on_admin_ban,
	[CMD_ADMIN_UNBAN] = on_admin_unban,
	[CMD_ADMIN_MUTE] = on_admin_mute,
	[CMD_ADMIN_UNMUTE] = on_admin_unmute,
	[CMD_MATCH_TAKEBACK_OFFER] = on_match_takeback_offer,
	[CMD_MATCH_TAKEBACK_ACCEPT] = on_match_takeback_accept,
	[CMD_MATCH_TAKEBACK_DECLINE] = on_match_takeback_decline,
	[CMD_PLAYER_WATCH] = on_player_watch,
	[CMD_PLAYER_UNWATCH] = on_player_unwatch,
	[CMD_RATING_GET] = on_rating_get,
	[CMD_RATING_HISTORY] = on_rating_history,
	[CMD_RATING_LEADERS] = on_rating_leaders,
	[CMD_ACCOUNT_GET] = on_account_get,
	[CMD_ACCOUNT_REGISTER] = on_account_register,
	[CMD_ACCOUNT_PASSWORD] = on_account_password,
	[CMD_ACCOUNT_RENAME] = on_account_rename,
	[CMD_ACCOUNT_LOGOUT] = on_account_logout,
	[CMD_ACCOUNT_SESSIONS] = on_account_get,
	[CMD_ACCOUNT_DELETE] = on_account_delete,
	[CMD_ACCOUNT_EXPORT] = on_account_get,
	[CMD_HASHED] = on_hashed,
	[CMD_ADMIN_BOT_TOKEN] = on_admin_bot_token,
	[CMD_ADMIN_BOT_REVOKE] = on_admin_bot_revoke,
	[CMD_ADMIN_RESET] = on_admin_reset,
	[CMD_ADMIN_RELOAD] = on_admin_reload,
	[CMD_MATCH_REMATCH] = on_match_rematch,
	[CMD_MATCH_REMATCH_DECLINE] = on_match_rematch_decline,
	[CMD_ADMIN_CLOSE_REPORT] = on_admin_close_report,
	[CMD_ADMIN_NOTE] = on_admin_note,
	[CMD_ADMIN_TOKEN] = on_admin_token,
	[CMD_ADMIN_TOKEN_REVOKE] = on_admin_token_revoke,
	[CMD_ADMIN_ADJUST_CLOCK] = on_admin_adjust_clock,
	[CMD_MATCH_PAUSE_OFFER] = on_match_pause_offer,
	[CMD_MATCH_PAUSE_ACCEPT] = on_match_pause_accept,
	[CMD_MATCH_PAUSE_DECLINE] = on_match_pause_decline,
	[CMD_MATCH_RESUME] = on_match_resume,
	[CMD_MATCH_LEAVE] = on_match_leave,
	[CMD_TOURNAMENT_LIST] = on_tournament_list,
	[CMD_TOURNAMENT_GET] = on_tournament_get,
	[CMD_TOURNAMENT_STANDINGS] = on_tournament_get,
	[CMD_TOURNAMENT_ROUND] = on_tournament_round,
	[CMD_TOURNAMENT_WATCH] = on_tournament_watch,
	[CMD_TOURNAMENT_UNWATCH] = on_tournament_unwatch,
	[CMD_TOURNAMENT_CREATE] = on_tournament_create,
	[CMD_TOURNAMENT_OPEN] = on_tournament_move,
	[CMD_TOURNAMENT_START] = on_tournament_move,
	[CMD_TOURNAMENT_PAUSE] = on_tournament_move,
	[CMD_TOURNAMENT_RESUME] = on_tournament_move,
	[CMD_TOURNAMENT_FINISH] = on_tournament_move,
	[CMD_TOURNAMENT_DIRECT] = on_tournament_direct,
	[CMD_TOURNAMENT_ENTER] = on_tournament_enter,
	[CMD_TOURNAMENT_WITHDRAW] = on_tournament_withdraw,
	[CMD_TOURNAMENT_CHECK_IN] = on_tournament_check_in,
	[CMD_TOURNAMENT_INVITE] = on_tournament_invite,
	[CMD_TOURNAMENT_REMOVE] = on_tournament_remove,
	[CMD_TOURNAMENT_CORRECT] = on_tournament_correct,
	[CMD_TOURNAMENT_SCHEDULED] = on_tournament_scheduled,
	[CMD_ATTACH] = on_attach,
	[CMD_GONE] = on_gone,
	[CMD_RELEASED] = on_released,
	[CMD_FINISHED] = on_finished,
	[CMD_CONTINUE] = on_continue,
	[CMD_THOUGHT] = on_thought,
	[CMD_VERDICT] = on_verdict,
	[CMD_FREEZE] = on_freeze,
};

const struct step *domain_step(struct domain *d, const struct command *cmd)
{
	assert(cmd->now_ms >= d->now_ms);
	d->now_ms = cmd->now_ms;
	d->unix_ms = cmd->unix_ms;
	d->step.fact_count = 0;
	d->step.effect_count = 0;
	d->words[0] = '\0'; /* facts lend them until now */
	closed_free(d);
	d->deciding = true;
	bool asked = cmd->conn != 0 && !id_is_none(&cmd->player) &&
		     cmd->type < CMD_ATTACH;
	late_forget_shown(d);
	if (cmd->type == CMD_TICK)
		tick(d, cmd->unix_ms);
	else if (asked && !session_of(d, cmd))
		refuse(d, cmd, PLYD_EHELLO); /* ended a moment ago */
	else
		commands[cmd->type](d, cmd);
	d->deciding = false;
	return &d->step;
}

uint64_t domain_next_due_ms(const struct domain *d)
{
	const struct due *due = due_first(&d->due);
	return due ? due->at_ms : UINT64_MAX;
}

uint64_t domain_now_ms(const struct domain *d)
{
	return d->now_ms;
}

uint64_t domain_last_row(const struct domain *d)
{
	return d->last_row;
}

void domain_set_last_row(struct domain *d, uint64_t row)
{
	if (row > d->last_row)
		d->last_row = row;
}

void domain_set_now_ms(struct domain *d, uint64_t now_ms)
{
	if (now_ms > d->now_ms)
		d->now_ms = now_ms;
}

struct digest *domain_head(struct domain *d, const struct id *match)
{
	struct match *m = find_match(d, match);
	return m ? &m->head : NULL;
}

const struct player *domain_player(const struct domain *d, const struct id *id)
{
	return find_player(d, id);
}

const struct lobby *domain_lobby(const struct domain *d, const struct id *id)
{
	return find_lobby(d, id);
}

const struct seek *domain_seek(const struct domain *d, const struct id *id)
{
	return find_seek(d, id);
}

const struct match *domain_match(const struct domain *d, const struct id *id)
{
	return find_match(d, id);
}

const struct player *domain_players(const struct domain *d)
{
	return d->players;
}

const struct lobby *domain_lobbies(const struct domain *d)
{
	return d->lobbies;
}

const struct match *domain_matches(const struct domain *d)
{
	return d->matches;
}

size_t domain_player_count(const struct domain *d)
{
	return HASH_COUNT(d->players);
}

size_t domain_account_count(const struct domain *d)
{
	return HASH_CNT(by_login, d->by_login);
}

size_t domain_lobby_count(const struct domain *d)
{
	return HASH_COUNT(d->lobbies);
}

size_t domain_seek_count(const struct domain *d)
{
	return HASH_COUNT(d->seeks);
}

size_t domain_ai_match_count(const struct domain *d)
{
	return d->ai_running;
}

size_t domain_match_count(const struct domain *d)
{
	return d->running;
}
