/* SPDX-License-Identifier: MIT */
/* To write where there is an MMU: page tables of the cluster for the reserved ranges; the trap of
 * page faults, which saves all registers on the stack of the context and calls the handler there.
 * Without an MMU it stays as it is: remote memory is then reached by calls only. */
#include <hal/page.h>

#include <base/error.h>

size_t hal_page_size(void)
{
    return 0;
}

int hal_page_reserve(size_t n, void **at)
{
    (void)n;
    (void)at;
    return -B_ENOSYS;
}

void hal_page_release(void *at, size_t n)
{
    (void)at;
    (void)n;
}

int hal_page_map(void *at, void *frame, enum hal_page_access access)
{
    (void)at;
    (void)frame;
    (void)access;
    return -B_ENOSYS;
}

void hal_page_handler(hal_page_handler_fn *handler)
{
    (void)handler;
}
