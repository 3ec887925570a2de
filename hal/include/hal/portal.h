/* SPDX-License-Identifier: MIT */
/* Hardware portal: transfers of any length into a buffer that the receiver granted.
 *
 * The receiver owns hal_machine.portal_channels channels. It binds a channel to one sender and
 * one buffer and thereby grants one transfer; the sender sees the grant and puts at most that
 * many bytes; both ends then see the completion. A 32-bit cookie travels with the grant and
 * another one with the data (the kernel keeps port numbers in them). Nothing here blocks; sim
 * charges hal_cost.portal_setup for allow and put. Buffers may lie anywhere in the cluster;
 * inside the memory windows the transfer needs a single copy on every port. Source: souto-2018,
 * uller-2021 4.1.1. */
#ifndef HAL_PORTAL_H
#define HAL_PORTAL_H

#include <stddef.h>
#include <stdint.h>

enum hal_portal_engine { HAL_PORTAL_CORE, HAL_PORTAL_DMA };

/* Receiver: grants sender `from` one transfer of at most `capacity` bytes (0 allowed) into buf on
 * channel `channel`; buf stays granted until completion or revoke.
 * -B_EBUSY channel in use, -B_EINVAL bad channel, -B_EHOSTUNREACH bad cluster. */
int hal_portal_allow(int channel, int from, uint32_t cookie, void *buf, size_t capacity);

/* Receiver: takes the completion of a channel and frees it. Returns 0 and the bytes written and the
 * sender's cookie; -B_EAGAIN not yet complete; -B_EINVAL channel not in use; -B_EIO the sender's
 * cluster is gone. */
int hal_portal_received(int channel, size_t *n, uint32_t *cookie);

/* Receiver: takes a grant back and frees the channel. -B_EAGAIN: the transfer has begun, its
 * completion will come; the channel stays in use. */
int hal_portal_revoke(int channel);

struct hal_grant {
    int to;          /* the receiver */
    int channel;     /* its channel */
    uint32_t cookie; /* the receiver's */
    uint32_t serial; /* the port's: tells this grant from a later one of the same channel */
    size_t capacity; /* bytes */
};

/* Sender: takes the next grant that arrived, round-robin over receivers; -B_EAGAIN none. A grant
 * taken must be used by one put, or given up by hal_portal_put with n = 0. */
int hal_portal_grant(struct hal_grant *g);

/* Sender: starts the transfer of n <= g->capacity bytes for a grant taken before. By core: the
 * calling core is busy until the data is injected. By DMA: returns at once. `buf` must stay
 * unchanged until completion. *handle names the transfer for hal_portal_sent.
 * -B_EAGAIN: no DMA channel free, an event comes when one is (the grant stays valid).
 * -B_ECANCELED: the receiver revoked the grant. -B_EMSGSIZE: n too large. */
int hal_portal_put(const struct hal_grant *g, uint32_t cookie, const void *buf, size_t n,
                   enum hal_portal_engine engine, int *handle);

/* Sender: takes the completion of a transfer: 0 done, the buffer may be reused; -B_EAGAIN not yet;
 * -B_EINVAL unknown handle; -B_EIO the receiver's cluster is gone. */
int hal_portal_sent(int handle);

#endif
