/* SPDX-License-Identifier: MIT */
/* Stacks of the hosted ports: host memory that is backed when touched, above a guard that is
 * never. */
#include "stack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/mem.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define FORGET(base, size) __asan_unpoison_memory_region(base, size)
#else
#define FORGET(base, size) ((void)(base), (void)(size))
#endif

#define GUARD         ((size_t)64 * 1024) /* more than a function's frame usually skips at once */
#define SMALLEST      ((size_t)64 * 1024) /* a C library's printf needs some 10 KB */
#define DEFAULT_STACK ((size_t)1024 * 1024)
#define LARGEST       ((size_t)1 << 40)
#define CHUNK         512 /* entries of the table of guards that are mapped at a time */

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard without a mapping of its own */
#endif

/* The table of guards: read by the signal handler without a lock, so chunks are only ever added and
 * an entry is one atomic word. */
struct chunk {
    _Atomic(uintptr_t) guard[CHUNK]; /* lowest address of a guard, 0 = free entry */
    _Atomic(struct chunk *) next;
};

static struct chunk first;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t default_size = DEFAULT_STACK;

void hal_stack_default(size_t size)
{
    default_size = size;
}

static struct chunk *chunk_after(struct chunk *c)
{
    struct chunk *next = atomic_load_explicit(&c->next, memory_order_acquire);
    if (next != NULL) {
        return next;
    }
    void *p = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        return NULL;
    }
    atomic_store_explicit(&c->next, p, memory_order_release);
    return p;
}

static bool table_replace(uintptr_t old, uintptr_t new)
{
    bool done = false;
    pthread_mutex_lock(&table_lock);
    for (struct chunk *c = &first; c != NULL && !done; c = done ? c : chunk_after(c)) {
        for (int i = 0; i < CHUNK && !done; i++) {
            if (atomic_load_explicit(&c->guard[i], memory_order_relaxed) == old) {
                atomic_store_explicit(&c->guard[i], new, memory_order_release);
                done = true;
            }
        }
    }
    pthread_mutex_unlock(&table_lock);
    return done;
}

bool hal_stack_is_guard(const void *address)
{
    for (struct chunk *c = &first; c != NULL;
         c = atomic_load_explicit(&c->next, memory_order_acquire)) {
        for (int i = 0; i < CHUNK; i++) {
            uintptr_t guard = atomic_load_explicit(&c->guard[i], memory_order_acquire);
            if (guard != 0 && (uintptr_t)address - guard < GUARD) {
                return true;
            }
        }
    }
    return false;
}

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

int hal_stack_alloc(size_t size, void **base, size_t *got)
{
    if (size == 0) {
        size = default_size;
    }
    if (size > LARGEST) {
        return -B_ENOMEM;
    }
    size = round_up(size < SMALLEST ? SMALLEST : size, (size_t)sysconf(_SC_PAGESIZE));
    char *p = mmap(NULL, GUARD + size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED) {
        return -B_ENOMEM;
    }
    /* A huge page would back a stack whole at the first touch. */
    madvise(p, GUARD + size, MADV_NOHUGEPAGE);
    if ((madvise(p, GUARD, MADV_GUARD_INSTALL) != 0 && mprotect(p, GUARD, PROT_NONE) != 0) ||
        !table_replace(0, (uintptr_t)p)) {
        munmap(p, GUARD + size);
        return -B_ENOMEM;
    }
    hal_stack_watch();
    *base = p + GUARD;
    *got = size;
    return 0;
}

void hal_stack_free(void *base, size_t got)
{
    char *p = (char *)base - GUARD;
    FORGET(base, got);
    table_replace((uintptr_t)p, 0);
    munmap(p, GUARD + got);
}
