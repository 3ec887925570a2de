/* SPDX-License-Identifier: MIT */
/* The gate of calls with an entry of their own: what a rank calls for each message (bells, yield)
 * does not look its number up. If the cluster is gated such an entry takes the way of all calls,
 * kern_enter, and else does at once what kern_sys_<name> does. */
#ifndef KERNEL_CALL_GATE_H
#define KERNEL_CALL_GATE_H

#include <kernel/cluster.h>
#include <sys/k_call.h>

/* A call of a gated cluster: charges its price, and has core 0 serve it if it must. Not for calls
 * of class user. */
long kern_enter(int number, long a0, long a1, long a2, long a3, long a4);

/* The answer of a call that has 64 bits (k_call_wide). */
static inline long kern_answer(uint64_t value, long at)
{
    if (sizeof(long) < sizeof value && at != 0)
        *(uint64_t *)at = value;
    return (long)value;
}

#endif
