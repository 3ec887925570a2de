/* SPDX-License-Identifier: MIT */
/* Virtual syncs: synchronisation points among clusters. A sync is known by its type and its list
 * of clusters, nodes[0] being the master. ONE_TO_ALL: the slaves wait for the master's signal.
 * ALL_TO_ONE: the master waits for one signal of each slave. The waiting side creates, the
 * signalling side opens. Signals are latched and counted: one sent before the other side created
 * its sync, or sent twice, is not lost. Common errors as in sys/k_mailbox.h. */
#ifndef SYS_K_SYNC_H
#define SYS_K_SYNC_H

#include <stdint.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

enum k_sync_type { K_ONE_TO_ALL, K_ALL_TO_ONE };

/* nodes: n >= 2 different clusters, the calling one among them in its role: the waiter of the given
 * type for create, the signaller for open. A second create (or open) of the same sync in a cluster
 * shares it. -B_EINVAL otherwise. */
static inline int k_sync_create(const int *nodes, int n, enum k_sync_type type)
{
    return (int)k_call(K_NR_sync_create, (long)nodes, n, type, 0, 0);
}

static inline int k_sync_open(const int *nodes, int n, enum k_sync_type type)
{
    return (int)k_call(K_NR_sync_open, (long)nodes, n, type, 0, 0);
}

/* Ends an input; signals that nobody waited for are kept for the next one of the same sync.
 * -B_EBUSY: there is no room to keep them. */
static inline int k_sync_unlink(int id)
{
    return (int)k_call(K_NR_sync_unlink, id, 0, 0, 0, 0);
}

/* Ends an output. -B_EBUSY while a signal is pending. */
static inline int k_sync_close(int id)
{
    return (int)k_call(K_NR_sync_close, id, 0, 0, 0, 0);
}

/* Waits until the sync has been signalled (by all slaves, by the master), consumes that, returns 0;
 * -B_ETIMEDOUT after `timeout` cycles. k_ikc_test works on a sync too. */
int k_sync_wait(int id, uint64_t timeout);

/* Signals; waits only while the network refuses (kernel call sync_signal then returns 1 and
 * leaves the signal pending on `id`, to be completed by k_ikc_wait). */
int k_sync_signal(int id);

/* As for mailboxes. */
int k_sync_stat(int id, enum k_stat what, uint64_t *value);

#endif
