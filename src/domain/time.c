/* SPDX-License-Identifier: MIT
 * time.c - domain time goes on from the last durable fact when the server
 * starts. While a match runs it is recorded now and then though nothing else
 * happens, so that deadlines of days and of absences lose a minute to a crash
 * and not the whole night. */
#include "domain/domain_priv.h"

void time_keep(struct domain *d)
{
	d->time.kind = DUE_TIME;
	if (d->running == 0)
		due_clear(&d->due, &d->time);
	else
		due_set(&d->due, &d->time,
			d->recorded_ms + (uint64_t)d->limits.time_fact_ms);
}

void time_due(struct domain *d)
{
	uint64_t next_ms = d->recorded_ms + (uint64_t)d->limits.time_fact_ms;
	if (next_ms <= d->now_ms)
		happen(d, &(struct fact){
				  .type = FACT_TIME_PASSED,
				  .time_passed = { (int64_t)d->running } });
	time_keep(d);
}
