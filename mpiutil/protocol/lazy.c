/* SPDX-License-Identifier: MIT */
/* lazy: the sender copies the message into memory of its own and is done; the copy goes by
 * rendezvous when the receiver asks for it (ho-2015, III.C.2).
 *
 *     sender                              receiver
 *       | copy; RTS                           |
 *       |------------------------------------>|  as in rendezvous.c
 *       |  done, computes                     |
 *       |<============ grant =================|
 *       |============= data =================>|
 *       |  the copy is freed                  |  done
 *
 * What follows the RTS is the kernel's: the write waits at the portal, and the grant starts it,
 * whatever the sender does meanwhile. A rank has so many bytes for copies; when they are used, the
 * message goes by rendezvous and its sender waits. */
#include <base/assert.h>

#include "protocol/protocol.h"

#define ALIGN 16

struct mpu_lazy {
    struct mpu_lazy *next; /* in the order of their addresses */
    struct mpu_request q;
    _Alignas(ALIGN) uint8_t data[];
};

static bool applies(const struct mpu_rank *r, const struct mpu_request *q)
{
    return !q->sync && !q->streamed && q->size <= r->tune[MPU_TUNE_LAZY_LIMIT];
}

static uint64_t bytes(uint64_t size)
{
    return (sizeof(struct mpu_lazy) + size + ALIGN - 1) / ALIGN * ALIGN;
}

/* The memory of all copies is taken once, when the first one is made, and only while half of the
 * cluster's memory stays free: the program comes first. */
static bool memory(struct mpu_rank *r)
{
    uint32_t size = r->tune[MPU_TUNE_LAZY_BYTES];
    if (r->lazy.memory || !size)
        return r->lazy.memory != NULL;
    size_t used, high, limit;
    k_memory(&used, &high, &limit);
    if (used > limit / 2 || size > limit / 2 - used)
        return false;
    r->lazy.memory = mpu_alloc(r, size);
    r->lazy.size = r->lazy.memory ? size : 0;
    return r->lazy.memory != NULL;
}

/* First fit. */
static struct mpu_lazy *take(struct mpu_rank *r, uint64_t size)
{
    if (!memory(r))
        return NULL;
    uint8_t *from = r->lazy.memory, *end = from + r->lazy.size;
    struct mpu_lazy **at = &r->lazy.first;
    while (*at && (uint64_t)((uint8_t *)*at - from) < bytes(size)) {
        from = (uint8_t *)*at + bytes((*at)->q.size);
        at = &(*at)->next;
    }
    if (!*at && (uint64_t)(end - from) < bytes(size))
        return NULL;
    struct mpu_lazy *l = (struct mpu_lazy *)from;
    l->next = *at;
    *at = l;
    r->lazy.used += (uint32_t)bytes(size);
    if (r->lazy.used > r->lazy.most)
        r->lazy.most = r->lazy.used;
    return l;
}

static bool start(struct mpu_rank *r, struct mpu_request *q)
{
    if (r->outbox.busy)
        return false;
    mpu_lazy_reap(r);
    struct mpu_lazy *l = take(r, q->size);
    if (!l)
        return mpu_announce_start(r, q);
    if (q->size)
        k_copy(l->data, q->buf, q->size);
    l->q = *q;
    l->q.buf = l->data;
    l->q.flow = NULL; /* the program's send is done, its copy is nobody's */
    mpu_announce_start(r, &l->q);
    mpu_finish(q, 0);
    return true;
}

void mpu_lazy_reap(struct mpu_rank *r)
{
    for (struct mpu_lazy **at = &r->lazy.first; *at;) {
        struct mpu_lazy *l = *at;
        if (!mpu_done(&l->q)) {
            at = &l->next;
            continue;
        }
        b_assert(r->lazy.used >= bytes(l->q.size));
        *at = l->next;
        r->lazy.used -= (uint32_t)bytes(l->q.size);
    }
}

/* The receiver sees a rendezvous. */
const struct mpu_proto mpu_lazy = {
    .id = MPU_PROTO_LAZY, MPU_NAMED("lazy"), .applies = applies, .start = start};
