/* SPDX-License-Identifier: MIT */
/* Addresses without memory of their own: what a program may ask of hal/page.h. */
#include <base/error.h>
#include <hal/page.h>
#include <kernel/call.h>
#include <sys/k_map.h>

static const enum hal_page_access access_of[] = {
    [K_MAP_NONE] = HAL_PAGE_NONE, [K_MAP_READ] = HAL_PAGE_READ, [K_MAP_WRITE] = HAL_PAGE_WRITE};

static long reserve(size_t n, void **at)
{
    size_t page = hal_page_size();
    return !at                       ? -B_EFAULT
           : page == 0               ? -B_ENOSYS
           : n == 0 || n % page != 0 ? -B_EINVAL
                                     : hal_page_reserve(n, at);
}

static long release(void *at, size_t n)
{
    if (hal_page_size() == 0)
        return -B_ENOSYS;
    hal_page_release(at, n);
    return 0;
}

long kern_sys_map_control(long what, long a, long b, long c, long a4)
{
    (void)a4;
    switch (what) {
    case K_MAP_PAGE:
        return (long)hal_page_size();
    case K_MAP_RESERVE:
        return reserve((size_t)a, (void **)b);
    case K_MAP_RELEASE:
        return release((void *)a, (size_t)b);
    case K_MAP_SET:
        return c < K_MAP_NONE || c > K_MAP_WRITE ? -B_EINVAL
                                                 : hal_page_map((void *)a, (void *)b, access_of[c]);
    default:
        return -B_EINVAL;
    }
}
