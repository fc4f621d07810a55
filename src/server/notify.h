/* SPDX-License-Identifier: MIT
 * notify.h - tells the service manager how we are, as sd_notify(3) describes:
 * a datagram to the socket that NOTIFY_SOCKET names. */
#ifndef PLYD_SERVER_NOTIFY_H
#define PLYD_SERVER_NOTIFY_H

/* Lines such as "READY=1\nSTATUS=...". Without a manager, or if it cannot be
 * told, nothing. Never waits. */
void notify_manager(const char *lines);

#endif
