/* SPDX-License-Identifier: MIT
 * login.c - getting in by a password or by the operator's token for a bot.
 * Passwords are worked on outside: a job waits for what became of it, and what
 * has changed meanwhile is looked at again. */
#include "domain/domain_priv.h"

#include <utlist.h>

enum { BUSY_RETRY_MS = 1000 };

/* -- jobs -- */

const struct hash_job *domain_hash_job(const struct domain *d, size_t i)
{
	return &d->jobs[i];
}

/* A free place; NULL: too many, or this connection waits for one already. */
static struct hash_job *free_job(struct domain *d, uint64_t conn)
{
	struct hash_job *found = NULL;
	size_t waiting = 0;
	for (size_t i = 0; i < HASH_JOBS_MAX; i++) {
		struct hash_job *job = &d->jobs[i];
		if (job->number == 0) {
			found = job;
			continue;
		}
		waiting++;
		if (job->conn == conn)
			return NULL;
	}
	return waiting < (size_t)d->limits.hashes_waiting_max ? found : NULL;
}

static uint64_t new_number(struct domain *d)
{
	uint64_t number = 0;
	while (number == 0)
		entropy_fill(&d->entropy, (uint8_t *)&number, sizeof(number));
	return number;
}

void hash_begin(struct domain *d, const struct command *cmd,
		const struct account *a, const struct hashing *what)
{
	struct hash_job *job = free_job(d, cmd->conn);
	if (!job) {
		refuse(d, cmd, PLYD_EBUSY)->retry_ms = BUSY_RETRY_MS;
		return;
	}
	*job = (struct hash_job){ .number = new_number(d),
				  .command = cmd->type,
				  .conn = cmd->conn,
				  .msgid = cmd->msgid };
	job->player = a ? a->player->id : cmd->player;
	if (cmd->type == CMD_ACCOUNT_REGISTER)
		span_copy(cmd->account.login, job->login, sizeof(job->login));
	if (what->hash)
		memcpy(job->hash, what->hash, strlen(what->hash) + 1);
	struct effect *fx = effect_add(d, EFFECT_HASH);
	fx->conn = cmd->conn;
	fx->msgid = cmd->msgid;
	fx->command = cmd->type;
	fx->hashing = *what;
	fx->hashing.job = job->number;
	fx->hashing.hash = what->hash ? job->hash : NULL;
}

/* -- a hello -- */

void login_finish(struct domain *d, const struct command *cmd, struct player *p)
{
	if (refuse_if_banned(d, cmd, p))
		return;
	int err = session_make_room(d, p);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	uint32_t number = p->session_next;
	happen(d, &(struct fact){ .type = FACT_SESSION_ADDED,
				  .session_added = { p->id, number,
						     cmd->hello.fresh,
						     cmd->unix_ms } });
	hello_answer(d, cmd, player_session(p, number), false);
}

/* The one-time password that the operator gave. */
static bool fits_reset(const struct domain *d, const struct account *a,
		       struct span password)
{
	struct digest shown = sha256(&password, 1);
	return a && a->reset_given && a->reset_until_ms > d->now_ms &&
	       digest_eq(&shown, &a->reset);
}

void login_begin(struct domain *d, const struct command *cmd)
{
	const struct account *a = find_login(d, cmd->hello.login);
	/* of his address; that of the player is seen to once it is he */
	if (refuse_if_banned(d, cmd, NULL))
		return;
	if (fits_reset(d, a, cmd->hello.password)) {
		login_finish(d, cmd, a->player);
		return;
	}
	/* an unknown login costs as much time as a known one */
	struct hashing what = { .hash = a ? a->hash : "",
				.password = cmd->hello.password };
	hash_begin(d, cmd, a, &what);
}

void bot_login(struct domain *d, const struct command *cmd)
{
	const struct account *a = find_bot(d, &cmd->hello.bot_token);
	if (a)
		login_finish(d, cmd, a->player);
	else
		refuse(d, cmd, PLYD_ETOKEN);
}

/* -- what became of it -- */

static struct hash_job *find_job(struct domain *d, uint64_t number)
{
	for (size_t i = 0; number != 0 && i < HASH_JOBS_MAX; i++)
		if (d->jobs[i].number == number)
			return &d->jobs[i];
	return NULL;
}

/* Whether the password was good, and still is. */
static bool still_fits(const struct domain *d, const struct hash_job *job,
		       const struct cmd_hashed *result)
{
	const struct player *p = find_player(d, &job->player);
	return result->fits && p && p->account &&
	       !strcmp(p->account->hash, job->hash);
}

static void logged_in(struct domain *d, const struct command *as,
		      const struct hash_job *job,
		      const struct cmd_hashed *result)
{
	/* the operator wants another cost by now */
	if (result->hash.len > 0)
		happen(d, &(struct fact){ .type = FACT_PASSWORD_SET,
					  .password_set = { job->player,
							    result->hash } });
	login_finish(d, as, find_player(d, &job->player));
}

static void hashed_for(struct domain *d, const struct command *as,
		       const struct hash_job *job,
		       const struct cmd_hashed *result)
{
	bool registers = job->command == CMD_ACCOUNT_REGISTER;
	if (job->command != CMD_HELLO && !session_of(d, as))
		refuse(d, as, PLYD_EHELLO);
	else if (!registers && !still_fits(d, job, result))
		refuse(d, as, PLYD_EBADLOGIN);
	else if (registers)
		account_registered(d, as, span_str(job->login), result->hash);
	else if (job->command == CMD_HELLO)
		logged_in(d, as, job, result);
	else if (job->command == CMD_ACCOUNT_PASSWORD)
		account_password_set(d, as, result->hash);
	else
		account_deleted(d, as);
}

void on_hashed(struct domain *d, const struct command *cmd)
{
	struct hash_job *found = find_job(d, cmd->hashed.job);
	if (!found)
		return; /* of a domain before this one */
	struct hash_job job = *found;
	*found = (struct hash_job){ 0 };
	if (cmd->hashed.gone)
		return;
	struct command as = { .type = job.command,
			      .conn = job.conn,
			      .msgid = job.msgid,
			      .player = job.player,
			      .now_ms = cmd->now_ms,
			      .unix_ms = cmd->unix_ms };
	as.hello.fresh = cmd->hashed.fresh;
	hashed_for(d, &as, &job, &cmd->hashed);
}
