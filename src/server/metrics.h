/* SPDX-License-Identifier: MIT
 * metrics.h - what plyd tells Prometheus about itself: one table, from which
 * the text and the page for operators follow. */
#ifndef PLYD_SERVER_METRICS_H
#define PLYD_SERVER_METRICS_H

#include "base/buf.h"
#include "net/http.h"
#include "net/listener.h"
#include "server/clock.h"
#include "server/conduct.h"
#include "server/journal.h"
#include "server/judges.h"
#include "server/thinkers.h"

/* M(name, type, labels, doc). Names are for ever: they are in the alerts of
 * operators. Units are seconds and bytes. */
#define METRICS(M)                                                             \
	M(plyd_build_info, gauge, "version", "1; the version is the label.")   \
	M(plyd_uptime_seconds, gauge, "-", "Since the start.")                 \
	M(plyd_ready, gauge, "-",                                              \
	  "1 if new matches can begin: as /readyz has it.")                    \
	M(plyd_draining, gauge, "-", "1 if no new matches begin.")             \
	M(plyd_store_writable, gauge, "-",                                     \
	  "1 if the journal takes what happens; 0: plyd is read-only.")        \
	M(plyd_connections, gauge, "-",                                        \
	  "Connections, of operators too, but not of HTTP.")                   \
	M(plyd_connections_refused_total, counter, "-",                        \
	  "Connections that were turned away at once.")                        \
	M(plyd_sessions, gauge, "-", "Connections that have said hello.")      \
	M(plyd_players, gauge, "-", "Players known, here or not.")             \
	M(plyd_accounts, gauge, "-", "Accounts of members and bots.")          \
	M(plyd_lobbies, gauge, "-", "Lobbies.")                                \
	M(plyd_seeks, gauge, "-", "Seeks.")                                    \
	M(plyd_matches, gauge, "ruleset, state",                               \
	  "Matches in memory; `over`: not long ago. A ruleset that is no "     \
	  "longer there is `other`.")                                          \
	M(plyd_ai_matches, gauge, "-",                                         \
	  "Running matches with a personality; at most `limits.ai_matches`.")  \
	M(plyd_reports, gauge, "-", "Reports of players that are open.")       \
	M(plyd_requests_total, counter, "-", "Requests of clients.")           \
	M(plyd_refused_total, counter, "-", "Those that got an error.")        \
	M(plyd_errors_total, counter, "error",                                 \
	  "Errors that clients were told, in an answer or as last words, by "  \
	  "name; limits are among them.")                                      \
	M(plyd_facts_total, counter, "fact",                                   \
	  "Facts given to the journal; half-moves are `moved`, ends `ended`.") \
	M(plyd_spectators_skipped_total, counter, "-",                         \
	  "Times that a spectator read so slowly that he was given a "         \
	  "snapshot.")                                                         \
	M(plyd_outbox_messages, gauge, "-",                                    \
	  "Messages that wait for the journal.")                               \
	M(plyd_outbox_bytes, gauge, "-", "Their bytes.")                       \
	M(plyd_commit_seconds, histogram, "-",                                 \
	  "From a fact's way to the journal until it is durable.")             \
	M(plyd_commit_failures_total, counter, "-", "Commits that failed.")    \
	M(plyd_store_bytes, gauge, "-", "Size of the database and its log.")   \
	M(plyd_worker_seconds, histogram, "kind",                              \
	  "What a script worker took for an answer, or until it was killed.")  \
	M(plyd_worker_wait_seconds, histogram, "kind",                         \
	  "How long a question waited for a worker.")                          \
	M(plyd_worker_queue, gauge, "kind", "Questions that wait for one.")    \
	M(plyd_workers, gauge, "kind", "Workers.")                             \
	M(plyd_workers_busy, gauge, "kind", "Those that are asked something.") \
	M(plyd_worker_late_total, counter, "kind",                             \
	  "Workers killed at their deadline.")                                 \
	M(plyd_worker_deaths_total, counter, "kind",                           \
	  "Workers that died while they were asked something.")                \
	M(plyd_worker_queue_full_total, counter, "kind",                       \
	  "Questions that found the queue full.")                              \
	M(plyd_script_faults_total, counter, "kind, script, version",          \
	  "Questions that a script did not answer well.")                      \
	M(plyd_script_quarantined, gauge, "kind, script, version",             \
	  "1 for a script that is not asked any more.")                        \
	M(plyd_loop_lag_seconds, histogram, "-",                               \
	  "How late the heartbeat of the loop came, some ten times a second.") \
	M(plyd_clock_credited_seconds_total, counter, "-",                     \
	  "Stalls of the machine that no player was charged for.")             \
	M(plyd_http_requests_total, counter, "-", "Requests here.")            \
	M(plyd_http_limited_total, counter, "-",                               \
	  "Those that were one too many in a second.")                         \
	M(plyd_http_refused_total, counter, "-",                               \
	  "Connections here that were one too many.")                          \
	M(plyd_log_lines_total, counter, "-", "Lines of the log.")             \
	M(plyd_log_left_out_total, counter, "-",                               \
	  "Lines that were left out, since there were many like them.")        \
	M(process_resident_memory_bytes, gauge, "-", "Memory of plyd alone.")  \
	M(process_cpu_seconds_total, counter, "-",                             \
	  "Processor time of plyd, without its workers.")

/* What is looked at; lent. */
struct metrics_source {
	const struct hub *hub;
	const struct journal *journal;
	const struct thinkers *thinkers;
	const struct judges *judges;
	const struct versions *versions;
	const struct listener *listener;
	const struct http *http; /* NULL: there is none */
	const struct clock *clock;
	const struct histogram *lag;
	const char *data_directory;
	bool ready;
};

/* Appends all of it in Prometheus' text format. */
void metrics_write(struct buf *b, const struct metrics_source *source);

#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

#endif
