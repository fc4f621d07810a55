/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdlib.h>

#include "base/log.h"

void memory_ran_out(const char *what)
{
	log_event(LOG_ERROR,
		  "memory ran out; plyd stops, nothing acknowledged is lost: "
		  "start it again, with more memory or lower limits",
		  "doing=\"%s\"", what);
	abort();
}
