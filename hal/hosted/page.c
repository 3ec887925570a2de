/* SPDX-License-Identifier: MIT */
/* Pages of the hosted ports: address space of the process. A window is a shared mapping, so its
 * pages can be mapped a second time (mremap of nothing); the copy gets its protection where nobody
 * sees it and is then moved into place, which replaces what was there in one step. */
#include "page.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/mem.h>
#include <hal/page.h>

#include "fault.h"
#include "stack.h"

/* Reserved ranges: read by the signal handler without a lock. `end` is written first, so who sees a
 * begin sees its end; a range that is being released is touched by nobody. */
enum { RANGES = 2048 };
static struct {
    _Atomic(uintptr_t) begin, end; /* begin 0: free, 1: being filled */
} ranges[RANGES];
static atomic_int ranges_used; /* entries from here on were never taken */
static _Atomic(hal_page_handler_fn *) the_handler;

size_t hal_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static bool reserved(uintptr_t at)
{
    int used = atomic_load_explicit(&ranges_used, memory_order_acquire);
    for (int i = 0; i < used; i++) {
        uintptr_t begin = atomic_load_explicit(&ranges[i].begin, memory_order_acquire);
        if (begin > 1 && at >= begin &&
            at < atomic_load_explicit(&ranges[i].end, memory_order_relaxed))
            return true;
    }
    return false;
}

static int range_take(void)
{
    for (int i = 0; i < RANGES; i++) {
        uintptr_t unused = 0;
        if (atomic_compare_exchange_strong(&ranges[i].begin, &unused, 1)) {
            int used = atomic_load(&ranges_used);
            while (used <= i && !atomic_compare_exchange_weak(&ranges_used, &used, i + 1)) {
            }
            return i;
        }
    }
    return -1;
}

int hal_page_reserve(size_t n, void **at)
{
    int i = range_take();
    void *p = i < 0 ? MAP_FAILED
                    : mmap(NULL, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        if (i >= 0)
            atomic_store(&ranges[i].begin, 0);
        return -B_ENOMEM;
    }
    atomic_store_explicit(&ranges[i].end, (uintptr_t)p + n, memory_order_relaxed);
    atomic_store_explicit(&ranges[i].begin, (uintptr_t)p, memory_order_release);
    *at = p;
    return 0;
}

void hal_page_release(void *at, size_t n)
{
    for (int i = 0; i < RANGES; i++) {
        if (atomic_load(&ranges[i].begin) == (uintptr_t)at) {
            munmap(at, n);
            atomic_store(&ranges[i].begin, 0);
            return; /* the same addresses may be another core's by now */
        }
    }
}

static int protection(enum hal_page_access access)
{
    return access == HAL_PAGE_WRITE ? PROT_READ | PROT_WRITE : PROT_READ;
}

/* Past the C library, whose mmap ThreadSanitizer takes for a write to what lies there. */
static int take_away(void *at, size_t page)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return syscall(SYS_mmap, at, page, PROT_NONE, flags, -1, 0) == -1 ? -B_ENOMEM : 0;
}

int hal_page_map(void *at, void *frame, enum hal_page_access access)
{
    size_t page = hal_page_size(), size;
    uintptr_t offset;
    void *window;
    hal_mem_window(&window, &size);
    offset = (uintptr_t)frame - (uintptr_t)window;
    bool in_window = offset % page == 0 && offset < size && size - offset >= page;
    if ((uintptr_t)at % page != 0 || !reserved((uintptr_t)at) ||
        in_window != (access != HAL_PAGE_NONE))
        return -B_EINVAL;
    if (access == HAL_PAGE_NONE)
        return take_away(at, page);
    void *p = mremap(frame, 0, page, MREMAP_MAYMOVE);
    if (p == MAP_FAILED)
        return -B_ENOMEM;
    if (mprotect(p, page, protection(access)) != 0 ||
        mremap(p, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
        munmap(p, page);
        return -B_ENOMEM;
    }
    return 0;
}

/* Faults --------------------------------------------------------------------------------------- */

void hal_page_handler(hal_page_handler_fn *handler)
{
    atomic_store(&the_handler, handler);
}

/* On the stack of the context, outside of the signal handler. Who gives up meets the fault again
 * with the handlers that were there before ours. */
static void run(void *address, bool write)
{
    int saved = errno;
    if (!atomic_load(&the_handler)(address, write))
        hal_stack_unwatch();
    errno = saved;
}

bool hal_page_reserved(const void *address)
{
    return atomic_load(&the_handler) && reserved((uintptr_t)address);
}

bool hal_page_redirect(void *address, void *context)
{
    if (!hal_page_reserved(address))
        return false;
    hal_fault_redirect(context, run, address);
    return true;
}
