/* SPDX-License-Identifier: MIT */
/* Addresses that stand for memory elsewhere: hal/page.h tells what they are. Touching one without
 * access is a fault, for the cluster's pager (sys/k_fault.h) if it lies in its range. */
#ifndef SYS_K_MAP_H
#define SYS_K_MAP_H

#include <stddef.h>

#include <sys/k_call.h>

enum k_map_access { K_MAP_NONE, K_MAP_READ, K_MAP_WRITE };

/* First argument of the kernel call map_control. */
enum k_map_control { K_MAP_PAGE, K_MAP_RESERVE, K_MAP_RELEASE, K_MAP_SET };

/* Bytes of a page of protection; 0: this machine has none, and the calls below answer -B_ENOSYS. */
static inline size_t k_map_page(void)
{
    return (size_t)k_call(K_NR_map_control, K_MAP_PAGE, 0, 0, 0, 0);
}

/* n bytes of addresses without access, n a multiple of the page; given back by the same values.
 * -B_EINVAL, -B_ENOMEM, -B_ENOSYS. Never waits. */
static inline int k_map_reserve(size_t n, void **at)
{
    return (int)k_call(K_NR_map_control, K_MAP_RESERVE, (long)n, (long)at, 0, 0);
}
static inline int k_map_release(void *at, size_t n)
{
    return (int)k_call(K_NR_map_control, K_MAP_RELEASE, (long)at, (long)n, 0, 0);
}

/* Puts the frame (a page of the cluster's memory, NULL for K_MAP_NONE) behind the page at `at` in
 * one step. -B_EINVAL, -B_ENOMEM, -B_ENOSYS. From threads and tasks; never waits. */
static inline int k_map_set(void *at, void *frame, enum k_map_access access)
{
    return (int)k_call(K_NR_map_control, K_MAP_SET, (long)at, (long)frame, access, 0);
}

#endif
