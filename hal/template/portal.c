/* SPDX-License-Identifier: MIT */
/* To write: a record per channel, written by the receiver (grant) and claimed by the sender with
 * one atomic exchange, because the receiver may revoke it at the same moment; then the data by
 * core or by DMA, a barrier, the completion, which is an event of both ends, also where the data
 * has moved before the put returns. */
#include <hal/portal.h>

#include <base/error.h>

#include "missing.h"

int hal_portal_allow(int channel, int from, uint32_t cookie, void *buf, size_t capacity)
{
    MISSING();
    (void)channel;
    (void)from;
    (void)cookie;
    (void)buf;
    (void)capacity;
    return -B_ENOSYS;
}

int hal_portal_received(int channel, size_t *n, uint32_t *cookie)
{
    MISSING();
    (void)channel;
    (void)n;
    (void)cookie;
    return -B_ENOSYS;
}

int hal_portal_revoke(int channel)
{
    MISSING();
    (void)channel;
    return -B_ENOSYS;
}

int hal_portal_grant(struct hal_grant *g)
{
    MISSING();
    (void)g;
    return -B_ENOSYS;
}

int hal_portal_put(const struct hal_grant *g, uint32_t cookie, const void *buf, size_t n,
                   enum hal_portal_engine engine, int *handle)
{
    MISSING();
    (void)g;
    (void)cookie;
    (void)buf;
    (void)n;
    (void)engine;
    (void)handle;
    return -B_ENOSYS;
}

int hal_portal_sent(int handle)
{
    MISSING();
    (void)handle;
    return -B_ENOSYS;
}
