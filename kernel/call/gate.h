/* SPDX-License-Identifier: MIT */
/* The gate of calls with an entry of their own: what a rank calls for each message (bells, yield)
 * does not look its number up. Such an entry counts the call; then, if the cluster is gated, it
 * takes the way of all calls, kern_enter, and else does at once what kern_sys_<name> does. */
#ifndef KERNEL_CALL_GATE_H
#define KERNEL_CALL_GATE_H

#include <kernel/cluster.h>
#include <sys/k_call.h>

static inline void kern_called(struct kern_core *core, int number)
{
    uint32_t n = atomic_load_explicit(&core->calls[number], memory_order_relaxed);
    atomic_store_explicit(&core->calls[number], n + 1, memory_order_relaxed);
}

/* A call of a gated cluster, counted already: charges its price, and has core 0 serve it if it
 * must. Not for calls of class user. */
long kern_enter(int number, long a0, long a1, long a2, long a3, long a4);

/* The answer of a call that has 64 bits (k_call_wide). */
static inline long kern_answer(uint64_t value, long at)
{
    if (sizeof(long) < sizeof value && at != 0) {
        *(uint64_t *)at = value;
    }
    return (long)value;
}

#endif
