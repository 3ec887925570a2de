/* SPDX-License-Identifier: MIT */
/* Stacks of the hosted ports: host memory that is backed when touched, above a guard that is
 * never. */
#include "stack.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <base/error.h>
#include <hal/hosted.h>
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
#define KEEP          64  /* stacks kept for reuse */

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard without a mapping of its own */
#define MADV_GUARD_REMOVE  103
#endif

/* The table of guards: read by the signal handler without a lock, so chunks are only ever added and
 * an entry is one atomic word. */
struct chunk {
    _Atomic(uintptr_t) guard[CHUNK]; /* lowest address of a guard, 0 = free entry */
    _Atomic(size_t) size[CHUNK];     /* of the stack above it; set before the guard */
    _Atomic(struct chunk *) next;
};

/* What the allocator keeps of a stack, at its upper end, above what the user gets. */
struct trailer {
    _Atomic(uintptr_t) *entry; /* of the table */
    struct trailer *next;      /* kept stacks */
    int protection;            /* of what is not closed */
    size_t size;               /* with the trailer, without the guard */
    size_t closed;             /* so many of the lowest bytes are */
};
#define TRAILER ((size_t)64) /* keeps what lies below aligned to a line */

static struct chunk first;
static atomic_bool protects; /* the system has no guards but protection */
static size_t default_size = DEFAULT_STACK;

/* Under the lock: where the next free entry is likely, and stacks of one size kept for the next who
 * asks, because mapping and backing one costs some 10 us. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *search = &first;
static int search_entry;
static struct trailer *kept;
static int kept_count;

void hal_stack_default(size_t size)
{
    default_size = size;
}

static struct chunk *chunk_after(struct chunk *c)
{
    struct chunk *next = atomic_load_explicit(&c->next, memory_order_acquire);
    if (next)
        return next;
    void *p = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    atomic_store_explicit(&c->next, p, memory_order_release);
    return p;
}

/* A free entry of the table, NULL if the table cannot grow. Searches from where it last found one;
 * at the end of a chunk it goes on in the next. With the lock held. */
static _Atomic(uintptr_t) *entry_take(uintptr_t guard, size_t size)
{
    for (;;) {
        for (; search_entry < CHUNK; search_entry++) {
            _Atomic(uintptr_t) *entry = &search->guard[search_entry];
            if (atomic_load_explicit(entry, memory_order_relaxed) == 0) {
                atomic_store_explicit(&search->size[search_entry], size, memory_order_relaxed);
                atomic_store_explicit(entry, guard, memory_order_release);
                return entry;
            }
        }
        struct chunk *next = chunk_after(search);
        if (!next)
            return NULL;
        search = next;
        search_entry = 0;
    }
}

/* The search goes back to the entry if it lies before, so that the table does not grow while
 * there is room. With the lock held. */
static void entry_free(_Atomic(uintptr_t) *entry)
{
    atomic_store_explicit(entry, 0, memory_order_release);
    for (struct chunk *c = &first;; c = chunk_after(c)) {
        bool here = entry >= c->guard && entry < c->guard + CHUNK;
        int place = here ? (int)(entry - c->guard) : CHUNK;
        if (here && (c != search || place < search_entry)) {
            search = c;
            search_entry = place;
        }
        if (here || c == search)
            return;
    }
}

size_t hal_stack_overflown(const void *address)
{
    for (struct chunk *c = &first; c; c = atomic_load_explicit(&c->next, memory_order_acquire)) {
        for (int i = 0; i < CHUNK; i++) {
            uintptr_t guard = atomic_load_explicit(&c->guard[i], memory_order_acquire);
            if (guard != 0 && (uintptr_t)address - guard < GUARD)
                return atomic_load_explicit(&c->size[i], memory_order_relaxed);
        }
    }
    return 0;
}

static struct trailer *trailer_of(void *base, size_t got)
{
    return (struct trailer *)(void *)((char *)base + got);
}

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static int runs_there(struct dl_phdr_info *object, size_t size, void *protection)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_GNU_STACK && object->dlpi_phdr[i].p_flags & PF_X)
            *(int *)protection |= PROT_EXEC;
    return 0;
}

/* A program may say that it runs code on its stack, as one does that passes the address of a
 * function inside another one (an internal procedure of Fortran). */
static int usable(void)
{
    int protection = PROT_READ | PROT_WRITE;
    dl_iterate_phdr(runs_there, &protection);
    return protection;
}

/* Next to a guard, protection is not one mapping more. */
static bool forbid(char *at, size_t n)
{
    if (!atomic_load(&protects) && madvise(at, n, MADV_GUARD_INSTALL) == 0)
        return true;
    atomic_store(&protects, true);
    return mprotect(at, n, PROT_NONE) == 0 && madvise(at, n, MADV_DONTNEED) == 0;
}

static bool allow(char *at, size_t n, int protection)
{
    bool guards = madvise(at, n, MADV_GUARD_REMOVE) == 0;
    return atomic_load(&protects) ? mprotect(at, n, protection) == 0 : guards;
}

int hal_stack_close(void *base, size_t got, size_t n)
{
    struct trailer *t = trailer_of(base, got);
    char *at = base;
    bool good = n > t->closed   ? forbid(at + t->closed, n - t->closed)
                : n < t->closed ? allow(at + n, t->closed - n, t->protection)
                                : true;
    t->closed = good ? n : t->closed;
    return good ? 0 : -B_ENOMEM;
}

/* A stack of exactly `size` bytes with its trailer; its base, or NULL. */
static char *map_stack(size_t size)
{
    int protection = usable();
    char *p = mmap(NULL, GUARD + size, protection,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    /* A huge page would back a stack whole at the first touch. */
    madvise(p, GUARD + size, MADV_NOHUGEPAGE);
    _Atomic(uintptr_t) *entry = NULL;
    if (forbid(p, GUARD)) {
        pthread_mutex_lock(&lock);
        entry = entry_take((uintptr_t)p, size - TRAILER);
        pthread_mutex_unlock(&lock);
    }
    if (!entry) {
        munmap(p, GUARD + size);
        return NULL;
    }
    char *base = p + GUARD;
    *trailer_of(base, size - TRAILER) =
        (struct trailer){.entry = entry, .protection = protection, .size = size};
    return base;
}

static char *take_kept(size_t size)
{
    char *base = NULL;
    pthread_mutex_lock(&lock);
    if (kept && kept->size == size) {
        base = (char *)kept + TRAILER - size;
        kept = kept->next;
        kept_count--;
    }
    pthread_mutex_unlock(&lock);
    return base;
}

int hal_stack_alloc(size_t size, void **base, size_t *got)
{
    _Static_assert(sizeof(struct trailer) <= TRAILER, "the trailer has its place");
    if (size == 0)
        size = default_size;
    if (size > LARGEST)
        return -B_ENOMEM;
    size = round_up((size < SMALLEST ? SMALLEST : size) + TRAILER, (size_t)sysconf(_SC_PAGESIZE));
    char *stack = take_kept(size);
    if (!stack)
        stack = map_stack(size);
    if (!stack)
        return -B_ENOMEM;
    hal_stack_watch();
    *base = stack;
    *got = size - TRAILER;
    return 0;
}

void hal_stack_free(void *base, size_t got)
{
    struct trailer *t = trailer_of(base, got);
    FORGET(base, got);
    pthread_mutex_lock(&lock);
    bool keep =
        kept_count < KEEP && (!kept || kept->size == t->size) && hal_stack_close(base, got, 0) == 0;
    if (keep) {
        t->next = kept;
        kept = t;
        kept_count++;
    } else {
        entry_free(t->entry);
    }
    pthread_mutex_unlock(&lock);
    if (!keep)
        munmap((char *)base - GUARD, GUARD + t->size);
}

bool hal_stack_beside(void)
{
    return false;
}
