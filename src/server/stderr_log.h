/* SPDX-License-Identifier: MIT
 * stderr_log.h - the log of a program: logfmt lines on standard error, each
 * with journald's priority before it where journald reads them. */
#ifndef PLYD_SERVER_STDERR_LOG_H
#define PLYD_SERVER_STDERR_LOG_H

/* Lines of this level and graver ones are written. */
void stderr_log_init(int level);
void stderr_log_set_level(int level);

#endif
