/* SPDX-License-Identifier: MIT
 * report.c - players tell the operator about players, with the last lines that
 * were said as evidence. When the operator closes a report, it is forgotten
 * with its evidence; the audit trail keeps that it was closed. */
#include "domain/domain_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <utlist.h>

#define DAY_MS (24 * INT64_C(3600000))

/* -- facts -- */

static struct report *find_report(const struct domain *d, int64_t number)
{
	struct report *r;
	DL_FOREACH (d->reports, r)
		if (r->number == number)
			return r;
	return NULL;
}

static void report_drop(struct domain *d, struct report *r)
{
	DL_DELETE(d->reports, r);
	d->report_count--;
	free(r);
}

void reports_free(struct domain *d)
{
	while (d->reports)
		report_drop(d, d->reports);
}

/* How many he has sent on that day. */
static int64_t sent_on(const struct player *p, int64_t day)
{
	return p->report_day == day ? p->reports_sent : 0;
}

int apply_reported(struct domain *d, const struct fact *f)
{
	const struct fact_reported_body *b = &f->reported;
	struct player *p = find_player(d, &b->reporter);
	if (b->reason < 0 || b->reason >= REPORT_REASON_COUNT ||
	    find_report(d, b->report))
		return PLYD_ERECORD;
	struct report *r = calloc(1, sizeof(*r));
	if (!r)
		return PLYD_ENOMEM;
	r->number = b->report;
	r->at_unix_ms = b->at_unix_ms;
	r->reporter = b->reporter;
	r->player = b->player;
	r->match = b->match;
	r->lobby = b->lobby;
	r->reason = (enum report_reason)b->reason;
	span_copy(b->reporter_name, r->reporter_name, sizeof(r->reporter_name));
	span_copy(b->player_name, r->player_name, sizeof(r->player_name));
	span_copy(b->text, r->text, sizeof(r->text));
	span_copy(b->evidence, r->evidence, sizeof(r->evidence));
	DL_APPEND(d->reports, r);
	d->report_count++;
	if (p) {
		int64_t day = b->at_unix_ms / DAY_MS;
		p->reports_sent = sent_on(p, day) + 1;
		p->report_day = day;
	}
	return PLYD_OK;
}

int apply_report_closed(struct domain *d, const struct fact *f)
{
	struct report *r = find_report(d, f->report_closed.report);
	if (!r)
		return PLYD_ERECORD;
	report_drop(d, r);
	return PLYD_OK;
}

int apply_reports_counted(struct domain *d, const struct fact *f)
{
	const struct fact_reports_counted_body *b = &f->reports_counted;
	struct player *p = find_player(d, &b->player);
	if (!p)
		return PLYD_ERECORD;
	p->report_day = b->day;
	p->reports_sent = b->sent;
	return PLYD_OK;
}

const struct report *domain_reports(const struct domain *d)
{
	return d->reports;
}

size_t domain_report_count(const struct domain *d)
{
	return d->report_count;
}

/* -- evidence -- */

/* "NAME (id): text\n" for the newest lines, as many as fit, the oldest first.
 */
static size_t write_lines(const struct chat *c, char *out, size_t room)
{
	const struct chat_line *first = c->lines ? c->lines->prev : NULL;
	const struct chat_line *line = first;
	size_t total = 0, len = 0, count = 0;
	enum { AROUND = sizeof(" (): \n") - 1 + ID_CHARS };
	for (; line && count < EVIDENCE_LINES_MAX; count++) {
		size_t more = strlen(line->name) + strlen(line->text) + AROUND;
		if (total + more > room)
			break;
		total += more;
		first = line;
		line = line == c->lines ? NULL : line->prev;
	}
	for (line = count > 0 ? first : NULL; line; line = line->next)
		len += (size_t)snprintf(out + len, room + 1 - len,
					"%s (%s): %s\n", line->name,
					line->from.text[0] ? line->from.text
							   : "-",
					line->text);
	return len;
}

/* What the reporter could read, of the rooms that are still there. */
static void gather(struct domain *d, const struct command *cmd)
{
	const struct lobby *l = find_lobby(d, &cmd->lobby);
	const struct match *m = find_match(d, &cmd->match);
	size_t len = 0;
	d->evidence[0] = '\0';
	if (l && lobby_seat_of(l, &cmd->player) >= 0)
		len = write_lines(&l->chat, d->evidence, EVIDENCE_BYTES_MAX);
	if (m)
		write_lines(&m->chat[match_seat_of(m, &cmd->player) >= 0 ? 0
									 : 1],
			    d->evidence + len, EVIDENCE_BYTES_MAX - len);
}

/* -- commands -- */

/* One that says the same and is still open; so a repetition is safe. */
static const struct report *same_report(const struct domain *d,
					const struct command *cmd)
{
	const struct report *r;
	DL_FOREACH (d->reports, r)
		if (id_eq(&r->reporter, &cmd->player) &&
		    id_eq(&r->player, &cmd->report.player) &&
		    id_eq(&r->match, &cmd->match) &&
		    id_eq(&r->lobby, &cmd->lobby) &&
		    r->reason == cmd->report.reason)
			return r;
	return NULL;
}

/* Open ones of those who have no account (any more). */
static size_t reports_of_guests(const struct domain *d)
{
	const struct report *r;
	size_t n = 0;
	DL_FOREACH (d->reports, r) {
		const struct player *p = find_player(d, &r->reporter);
		n += !p || !p->account;
	}
	return n;
}

static bool reports_are_full(const struct domain *d, const struct player *by)
{
	return d->report_count >= REPORTS_OPEN_MAX ||
	       (!by->account && reports_of_guests(d) >= REPORTS_OF_GUESTS_MAX);
}

static int report_check(const struct domain *d, const struct command *cmd,
			const struct player *p, int64_t *retry_ms)
{
	int64_t day = cmd->unix_ms / DAY_MS;
	if (id_eq(&p->id, &cmd->report.player))
		return PLYD_ENOTALLOWED;
	if (!find_player(d, &cmd->report.player))
		return PLYD_ENOPLAYER;
	if (sent_on(p, day) >= d->limits.reports_per_day) {
		*retry_ms = (day + 1) * DAY_MS - cmd->unix_ms;
		return PLYD_ERATE;
	}
	return reports_are_full(d, p) ? PLYD_EFULL : PLYD_OK;
}

void on_report_send(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	const struct player *about = find_player(d, &cmd->report.player);
	int64_t retry_ms = 0;
	if (same_report(d, cmd)) {
		answer(d, cmd);
		return;
	}
	int err = report_check(d, cmd, p, &retry_ms);
	if (err) {
		refuse(d, cmd, err)->retry_ms = retry_ms;
		return;
	}
	gather(d, cmd);
	span_copy(cmd->report.text, d->said, sizeof(d->said));
	happen(d, &(struct fact){ .type = FACT_REPORTED,
				  .reported = {
					  .report = (int64_t)d->last_row + 1,
					  .at_unix_ms = cmd->unix_ms,
					  .reporter = p->id,
					  .reporter_name = span_str(p->name),
					  .player = about->id,
					  .player_name = span_str(about->name),
					  .match = cmd->match,
					  .lobby = cmd->lobby,
					  .reason = cmd->report.reason,
					  .text = span_str(d->said),
					  .evidence = span_str(d->evidence),
				  } });
	answer(d, cmd);
	effect_add(d, EFFECT_REPORTED)->player = about;
}

void on_admin_close_report(struct domain *d, const struct command *cmd)
{
	const struct report *r = find_report(d, cmd->admin.number);
	char target[TARGET_BYTES_MAX + 1];
	if (!r) {
		refuse(d, cmd, PLYD_ENOTHING);
		return;
	}
	snprintf(target, sizeof(target), "%lld by %s about %s",
		 (long long)r->number, r->reporter.text, r->player.text);
	happen(d, &(struct fact){ .type = FACT_REPORT_CLOSED,
				  .report_closed = { r->number } });
	act_done(d, cmd, "close_report", target);
}
