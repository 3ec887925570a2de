/* SPDX-License-Identifier: MIT */
/* Addresses that stand for memory elsewhere: ranges of the calling cluster's own whose pages may be
 * touched only after somebody put a frame of the window behind them. Touching one before is a
 * fault: the handler runs and may let other contexts run meanwhile. Ports without an MMU answer
 * -B_ENOSYS, and programs there call for their data. */
#ifndef HAL_PAGE_H
#define HAL_PAGE_H

#include <stdbool.h>
#include <stddef.h>

enum hal_page_access { HAL_PAGE_NONE, HAL_PAGE_READ, HAL_PAGE_WRITE };

/* Bytes of a page of protection, a power of two; 0: this port has none. Not hal_machine.page_size,
 * by which memory is given out. */
size_t hal_page_size(void);

/* Reserves n bytes of addresses (a multiple of hal_page_size), all without access, until
 * hal_page_release with the same values. They cost no memory of the window. -B_ENOMEM: no addresses
 * or no entry in the port's table of ranges is left; -B_ENOSYS. */
int hal_page_reserve(size_t n, void **at);
void hal_page_release(void *at, size_t n);

/* Puts `frame`, a page of the calling cluster's window, behind the page at `at` of a reserved range
 * with this access, in one step for all cores; NONE takes whatever is there away (frame NULL).
 * A frame may lie behind several pages. Both are multiples of hal_page_size. No core uses the
 * access that was taken away once it returns. -B_EINVAL: at or frame is not as said; -B_ENOMEM:
 * the host refuses. */
int hal_page_map(void *at, void *frame, enum hal_page_access access);

/* From now on a context that touches a reserved page without the access for it runs
 * handler(address, write) as if it had called it: on its own stack, with no HAL lock held, free to
 * switch to others. True: the access is tried again, with all registers as they were. False, or no
 * handler: it is the error that it would be without this contract. One handler per process, the
 * same for all clusters. */
typedef bool hal_page_handler_fn(void *address, bool write);
void hal_page_handler(hal_page_handler_fn *handler);

#endif
