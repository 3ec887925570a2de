/* SPDX-License-Identifier: MIT */
/* The end of a cluster and of the machine. */
#ifndef HAL_POWER_H
#define HAL_POWER_H

#include <stdbool.h>

/* Ends the calling cluster with `status` (0..255): all its cores stop. The machine ends when every
 * cluster has ended; its status is the first status that is not 0, or 0. Does not return. */
_Noreturn void hal_power_off(int status);

/* Ends the whole machine now with `status`, whatever the other clusters do. `why` is printed on the
 * console with cluster and core in front; NULL prints nothing. From any context, also a thread of
 * the host that is no core. Does not return. */
_Noreturn void hal_abort(int status, const char *why);

/* How many clusters of the machine have ended so far, and whether cluster `cluster` has: it
 * answers nothing any more. It turns true only after everything that the cluster had sent
 * (messages, verdicts, grants, words) has arrived. Every other cluster then gets an event of its
 * network interface. Who sees a cluster counted also sees that it has ended. From any context;
 * cheap. */
int hal_power_ended_count(void);
bool hal_power_ended(int cluster);

#endif
