/* SPDX-License-Identifier: MIT */
/* Queues of requests: a link to the first, and the place of the link behind the last, *end. Stacks
 * of arrivals, onto which several cores put some, and which one takes as a whole. */
#ifndef MPIUTIL_MATCH_QUEUE_H
#define MPIUTIL_MATCH_QUEUE_H

#include <base/assert.h>
#include <mpiutil/message.h>

static inline void mpu_queue(struct mpu_request ***end, struct mpu_request *q)
{
    b_assert(!**end);
    q->next = NULL;
    **end = q;
    *end = &q->next;
}

/* Takes the request at `at` out of a queue with this end. */
static inline struct mpu_request *mpu_unqueue(struct mpu_request **at, struct mpu_request ***end)
{
    b_assert(*at);
    struct mpu_request *q = *at;
    *at = q->next;
    if (!*at)
        *end = at;
    return q;
}

static inline void mpu_stack(_Atomic(struct mpu_arrival *) *stack, struct mpu_arrival *a)
{
    struct mpu_arrival *top = atomic_load_explicit(stack, memory_order_relaxed);
    do
        a->next = top;
    while (!atomic_compare_exchange_weak_explicit(stack, &top, a, memory_order_release,
                                                  memory_order_relaxed));
}

#endif
