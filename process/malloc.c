/* SPDX-License-Identifier: MIT */
/* The allocator in front of the C library's, on machines in virtual time: blocks come from the C
 * library, and a rank's are charged to the memory of its cluster. docs/sim.md, Memory, says what
 * counts.
 *
 * A charged block ends with a mark that says whose it is and how much was charged, so a block that
 * was made before the machine or by this library is known by having none. Ranks are contexts of
 * one thread, which alone moves pages of a cluster. Threads that the program made count bytes
 * only; the pages follow with the next call of a rank. */
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/core.h>
#include <hal/machine.h>
#include <hal/trace.h>
#include <kernel/cluster.h>
#include <kernel/mem.h>

#include "behind.h"
#include "budget.h"
#include <process/image.h>

/* The C library's own, by names that need no search, which itself may ask for memory. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t n);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

/* What the C library's allocator takes: blocks are multiples of a grain with a word before them. */
#define GRAIN 16
#define LEAST 32
#define TAG   UINT64_C(0x6c776d70692d6d65)

/* Of one rank. Never freed: marks of blocks that outlive their rank lead here. */
struct image_heap {
    struct cluster *cluster; /* NULL: the rank has ended and given back what it held */
    _Atomic size_t bytes;
};

struct mark {
    uint64_t tag; /* TAG, the block's address and the heap, mixed */
    struct image_heap *heap;
    size_t bytes; /* charged */
};

/* By cluster: what its ranks hold, and how much of that is charged in pages. */
static struct {
    _Atomic size_t bytes;
    size_t charged;
} sums[HAL_CLUSTERS_MAX];

/* What was refused. */
static struct {
    unsigned long refused;
    int rank;     /* the first one's, */
    size_t asked; /* so much */
} lack;

static uint64_t tag(const void *p, const struct image_heap *h)
{
    return TAG ^ (uint64_t)(uintptr_t)p ^ ((uint64_t)(uintptr_t)h << 16);
}

static _Atomic(void *) measure; /* the C library's malloc_usable_size, once it was needed */

static size_t usable(void *p)
{
    size_t (*next)(void *);
    *(void **)&next = image_known(&measure, "malloc_usable_size");
    return next(p);
}

static void put(void *p, const struct mark *m)
{
    memcpy((char *)p + usable(p) - sizeof *m, m, sizeof *m);
}

/* Is there a mark? Blocks of the C library are never smaller than one. Before the first is put none
 * is looked for: a search for the routine above frees what an earlier search left as its error. */
static bool get(void *p, struct mark *m)
{
    if (!atomic_load_explicit(&measure, memory_order_relaxed))
        return false;
    memcpy(m, (char *)p + usable(p) - sizeof *m, sizeof *m);
    return m->tag == tag(p, m->heap);
}

static size_t price(size_t n)
{
    size_t block = (n + sizeof(size_t) + GRAIN - 1) / GRAIN * GRAIN;
    return block < LEAST ? LEAST : block;
}

/* Where the pages lie is the kernel's business, and a lock of it may let other ranks run. */
static void resume(void)
{
    const struct image_rank *r = image_rank_self();
    if (image.privately && r && r->runs)
        image.privately->back();
}

/* The cluster's pages follow the bytes. False: there are no more. */
static bool settle(struct cluster *c)
{
    size_t want = image_pages(sums[c->id].bytes), has = sums[c->id].charged;
    bool good = true;
    if (want == has)
        return true;
    sums[c->id].charged = want; /* first: another rank may run at the lock */
    if (want < has)
        kern_page_uncharge(c, KERN_CHARGE_MALLOC, has - want);
    else if (kern_page_charge(c, KERN_CHARGE_MALLOC, want - has) < 0) {
        sums[c->id].charged -= want - has;
        good = false;
    }
    resume();
    return good;
}

static void add(struct image_heap *h, size_t n)
{
    h->bytes += n;
    sums[h->cluster->id].bytes += n;
}

static void subtract(struct image_heap *h, size_t n)
{
    h->bytes -= n;
    sums[h->cluster->id].bytes -= n;
}

static void give(struct image_heap *h, size_t n)
{
    if (!h->cluster || n == 0)
        return;
    subtract(h, n);
    if (image_rank_self())
        settle(h->cluster);
}

static bool charge(struct image_heap *h, size_t n, size_t asked)
{
    const struct image_rank *r = image_rank_self();
    if (!h->cluster || n == 0)
        return true;
    add(h, n);
    if (!r)
        return true;
    if (!settle(h->cluster)) {
        subtract(h, n);
        if (lack.refused++ == 0) {
            lack.rank = r->place.rank;
            lack.asked = asked;
        }
        errno = ENOMEM;
        return false;
    }
    hal_count_max("memory.malloc", image_pages(sums[h->cluster->id].bytes));
    return true;
}

/* Whose is what this caller asks for? NULL: nobody's. */
static struct image_heap *heap(const void *caller)
{
    struct image_rank *r =
        image.memory == IMAGE_MEMORY_NO || image_is_ours(caller) ? NULL : image_rank_self();
    if (!r || !r->runs)
        return NULL;
    if (!r->heap) {
        r->heap = __libc_calloc(1, sizeof *r->heap);
        if (r->heap)
            r->heap->cluster = kern_cluster();
    }
    return r->heap;
}

static void *raw(size_t align, size_t n, bool zero)
{
    return zero ? __libc_calloc(1, n) : align == 0 ? __libc_malloc(n) : __libc_memalign(align, n);
}

static bool too_much(size_t n)
{
    if (n < PTRDIFF_MAX - LEAST - sizeof(struct mark))
        return false;
    errno = ENOMEM;
    return true;
}

static void *new_block(const void *caller, size_t align, size_t n, bool zero)
{
    struct image_heap *h = heap(caller);
    struct mark m = {.heap = h, .bytes = !h ? 0 : price(n)};
    if (!h)
        return raw(align, n, zero);
    if (too_much(n) || !charge(h, m.bytes, n))
        return NULL;
    void *p = raw(align, n + sizeof m, zero);
    if (!p) {
        give(h, m.bytes);
        return NULL;
    }
    m.tag = tag(p, h);
    put(p, &m);
    return p;
}

/* A block with a mark, or one that gets one now: its mark says so by no bytes. */
static void *resize(void *p, size_t n, struct mark m)
{
    const struct mark none = {0}, old = m;
    m.bytes = price(n);
    if (too_much(n) || (m.bytes > old.bytes && !charge(m.heap, m.bytes - old.bytes, n)))
        return NULL;
    if (old.bytes > 0)
        put(p, &none);
    void *q = __libc_realloc(p, n + sizeof m);
    if (!q) {
        if (old.bytes > 0)
            put(p, &old);
        if (m.bytes > old.bytes)
            give(m.heap, m.bytes - old.bytes);
        return NULL;
    }
    if (m.bytes < old.bytes)
        give(m.heap, old.bytes - m.bytes);
    m.tag = tag(q, m.heap);
    put(q, &m);
    return q;
}

EXPORT void *malloc(size_t n)
{
    return new_block(__builtin_return_address(0), 0, n, false);
}

EXPORT void *calloc(size_t count, size_t n)
{
    size_t all;
    if (__builtin_mul_overflow(count, n, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return new_block(__builtin_return_address(0), 0, all, true);
}

EXPORT void free(void *p)
{
    struct mark m;
    int e = errno;
    if (p && get(p, &m)) {
        put(p, &(struct mark){0});
        give(m.heap, m.bytes);
    }
    __libc_free(p);
    errno = e;
}

EXPORT void *realloc(void *p, size_t n)
{
    struct mark m;
    if (!p)
        return new_block(__builtin_return_address(0), 0, n, false);
    if (n == 0) {
        free(p);
        return NULL;
    }
    if (!get(p, &m))
        m = (struct mark){.heap = heap(__builtin_return_address(0))};
    return m.heap ? resize(p, n, m) : __libc_realloc(p, n);
}

static bool power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

EXPORT void *memalign(size_t align, size_t n)
{
    return new_block(__builtin_return_address(0), align, n, false);
}

EXPORT void *aligned_alloc(size_t align, size_t n)
{
    return new_block(__builtin_return_address(0), align, n, false);
}

EXPORT int posix_memalign(void **p, size_t align, size_t n)
{
    int e = errno;
    if (!power_of_two(align) || align % sizeof(void *) != 0)
        return EINVAL;
    void *block = new_block(__builtin_return_address(0), align, n, false);
    errno = e;
    if (!block)
        return ENOMEM;
    *p = block;
    return 0;
}

EXPORT void *valloc(size_t n)
{
    return new_block(__builtin_return_address(0), (size_t)sysconf(_SC_PAGESIZE), n, false);
}

EXPORT void *pvalloc(size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (n + page - 1) / page * page;
    return new_block(__builtin_return_address(0), page, whole < n ? n : whole, false);
}

/* A program may write to all of it, so the mark is none of it. */
EXPORT size_t malloc_usable_size(void *p)
{
    struct mark m;
    return p ? usable(p) - (get(p, &m) ? sizeof m : 0) : 0;
}

void image_heap_end(struct image_rank *r)
{
    struct image_heap *h = r->heap;
    image_stack_end(r);
    if (!h)
        return;
    give(h, h->bytes);
    h->cluster = NULL;
    r->heap = NULL;
}

/* Adds to the text, as far as there is room. */
static int tell(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, size, format, args);
    va_end(args);
    return n < 0 ? 0 : n < (int)size ? n : (int)size - 1;
}

void image_heap_report(char *text, size_t size)
{
    int n = 0, cluster;
    size_t over = image_memory_over(&cluster);
    *text = '\0';
    if (lack.refused > 0)
        n += tell(text, size,
                  "lwmpi: memory: malloc said no %lu time%s, first to rank %d, which asked for %zu "
                  "bytes: its cluster was full; mpiexec --stats shows the most, --memory=report "
                  "lets the program run\n",
                  lack.refused, lack.refused == 1 ? "" : "s", lack.rank, lack.asked);
    if (over > 0)
        tell(text + n, size - (size_t)n,
             "lwmpi: memory: the program does not fit: cluster %d needs %zu KB more than its "
             "%zu KB\n",
             cluster, (over + 1023) / 1024,
             (size_t)hal_machine_memory(hal_machine(), cluster) / 1024);
}
