/* SPDX-License-Identifier: MIT */
/* The end of a cluster and of the machine. */
#ifndef HAL_POWER_H
#define HAL_POWER_H

#include <stdbool.h>
#include <stdint.h>

/* Ends the calling cluster with `status` (0..255): all its cores stop. The machine ends when every
 * cluster has ended; its status is the first status that is not 0, or 0. Does not return. */
_Noreturn void hal_power_off(int status);

/* Ends the whole machine now with `status`, whatever the other clusters do. `why` is printed on the
 * console with cluster and core in front; NULL prints nothing. From any context, also a thread of
 * the host that is no core. Does not return. */
_Noreturn void hal_abort(int status, const char *why);

/* How many clusters of the machine have ended so far, and which of the clusters 64 * word ..
 * 64 * word + 63 have, a bit each from the lowest on, 0 <= word < HAL_CLUSTERS_MAX / 64: they
 * answer nothing any more. A cluster is among them only after everything that it had sent
 * (messages, verdicts, grants, words) has arrived. Every other cluster then gets an event of its
 * network interface. Who sees a cluster counted also sees that it has ended. From any context;
 * cheap. */
int hal_power_ended_count(void);
uint64_t hal_power_ended_set(int word);

/* Has this one ended? 0 <= cluster < HAL_CLUSTERS_MAX */
static inline bool hal_power_ended(int cluster)
{
    return (hal_power_ended_set(cluster / 64) >> cluster % 64 & 1) != 0;
}

#endif
