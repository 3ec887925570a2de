/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "fake_kernel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <base/error.h>
#include <sys/k_bell.h>
#include <mpiutil/channel.h>
#include <sys/k_board.h>
#include <sys/k_call.h>
#include <sys/k_crowd.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

#define MEMORY   ((size_t)8 << 20) /* that a cluster has */
#define BLOCKS   4096              /* of pages, most in a world */
#define COUNTERS 64

static struct {
    struct fake_shape shape;
    int here; /* the cluster whose code runs */
    void *local[FAKE_RANKS];
    size_t used; /* by all clusters: calls of a test itself come from none of them */
    void *block[BLOCKS], *board;
    int blocks;
    struct {
        const char *name;
        uint64_t value;
    } counter[COUNTERS];
    struct k_watch *watches;
    bool full;     /* no more pages */
    bool told;     /* a cluster, that words of the board have changed */
    int reads;     /* of other clusters' memory, asked for */
    uint32_t step; /* of the clock */
    uint64_t now;
    bool (*others)(void);
} kernel;

void fake_kernel_begin(const struct fake_shape *s)
{
    memset(&kernel, 0, sizeof kernel);
    kernel.shape = *s;
    size_t leaders = (mpu_meetings_bytes(s->ranks, s->ranks) + 4095) / 4096 * 4096;
    kernel.shape.board += s->board ? leaders : 0;
    kernel.board = NULL;
    if (s->board) /* pages that nobody touches cost nothing */
        kernel.board = mmap(NULL, kernel.shape.board, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(kernel.board != MAP_FAILED);
}

void fake_kernel_end(void)
{
    while (kernel.blocks > 0)
        free(kernel.block[--kernel.blocks]);
    if (kernel.board)
        munmap(kernel.board, kernel.shape.board);
}

void fake_full(bool full)
{
    kernel.full = full;
}

int fake_kernel_reads(void)
{
    return kernel.reads;
}

void *fake_kernel_enter(int cluster)
{
    kernel.here = cluster;
    return kernel.local[cluster];
}

static long page_alloc(size_t n, void **p)
{
    size_t bytes = (n + 4095) / 4096 * 4096;
    if (kernel.full || kernel.blocks == BLOCKS || kernel.used + bytes > MEMORY)
        return -B_ENOMEM;
    *p = aligned_alloc(4096, bytes);
    CHECK(*p);
    memset(*p, 0, bytes);
    kernel.used += bytes;
    kernel.block[kernel.blocks++] = *p;
    return 0;
}

static long page_free(void *p, size_t n)
{
    int i = 0;
    while (i < kernel.blocks && kernel.block[i] != p)
        i++;
    CHECK(i < kernel.blocks);
    kernel.block[i] = kernel.block[--kernel.blocks];
    kernel.used -= (n + 4095) / 4096 * 4096;
    free(p);
    return 0;
}

static long count(const char *name, uint64_t add)
{
    int i = 0;
    while (kernel.counter[i].name && strcmp(kernel.counter[i].name, name))
        i++;
    CHECK(i < COUNTERS - 1);
    kernel.counter[i].name = name;
    kernel.counter[i].value += add;
    return 0;
}

uint64_t fake_counted(const char *name)
{
    for (int i = 0; kernel.counter[i].name; i++)
        if (!strcmp(kernel.counter[i].name, name))
            return kernel.counter[i].value;
    return 0;
}

static long info(struct k_info *i)
{
    const struct fake_shape *s = &kernel.shape;
    *i = (struct k_info){.machine = "fake",
                         .hz = 1000000000,
                         .clusters = s->ranks,
                         .compute_clusters = s->ranks,
                         .cluster = kernel.here,
                         .cores = 1,
                         .compute_cores = 1,
                         .mail_slots = 1,
                         .mailbox_ports = 16,
                         .portal_ports = 16,
                         .local_limit = 96,
                         .eager_limit = s->eager,
                         .split_limit = s->split,
                         .lazy_limit = s->lazy,
                         .lazy_bytes = s->lazy_bytes,
                         .lane_bytes = s->lane,
                         .dma_threshold = UINT32_MAX,
                         .oversubscribed = s->oversubscribed,
                         .compute_memory = MEMORY,
                         .copies_free = true};
    return 0;
}

static void forget(struct k_watch *w)
{
    if (!w->at)
        return;
    *w->at = w->next;
    if (w->next)
        w->next->at = w->at;
    w->at = NULL;
}

static void watch(struct k_watch *w)
{
    CHECK(!w->at && w->bits);
    w->next = kernel.watches;
    w->at = &kernel.watches;
    if (w->next)
        w->next->at = &w->next;
    kernel.watches = w;
}

void fake_kernel_look(void)
{
    if (!kernel.told)
        return;
    kernel.told = false;
    for (struct k_watch *w = kernel.watches, *next; w; w = next) {
        next = w->next;
        if (atomic_load(w->word) == w->value)
            continue;
        forget(w);
        k_bell_ring(w->bell, w->bits);
    }
}

/* All clusters are in one process. */
static long board_read(const void *from, void *to, size_t n)
{
    kernel.reads++;
    if (kernel.shape.refuses)
        return -B_ENOSYS;
    memcpy(to, from, n);
    return 0;
}

static long board(int operation, long a1, long a2, long a3, long a4)
{
    if (operation == K_BOARD_READ)
        return board_read((const void *)a2, (void *)a3, (size_t)a4);
    if (operation == K_BOARD_AT && !kernel.board)
        return -B_ENOSYS;
    if (operation == K_BOARD_AT)
        *(struct k_board *)a1 = (struct k_board){kernel.board, kernel.shape.board};
    if (operation == K_BOARD_TELL || operation == K_BOARD_WAKE)
        kernel.told = true;
    if (operation == K_BOARD_WATCH)
        watch((struct k_watch *)a1);
    if (operation == K_BOARD_FORGET)
        forget((struct k_watch *)a1);
    return 0;
}

static long memory(size_t *used, size_t *high, size_t *limit)
{
    *used = *high = kernel.used;
    *limit = MEMORY;
    return 0;
}

static long bell_init(struct k_bell *b)
{
    atomic_store(&b->thread, b);
    return 0;
}

/* What lies between two looks at the clock takes any time. */
static long time_cycles(void)
{
    kernel.step = (kernel.step * 75 + 74) % 65537;
    kernel.now += kernel.step;
    return (long)kernel.now;
}

static _Noreturn long end_of_job(const char *why)
{
    fake_failed("the job was ended", 0, why);
}

/* What there is of a kernel; the test fails when mpiutil asks for something else. */
long k_call(int number, long a0, long a1, long a2, long a3, long a4)
{
    switch (number) {
    case K_NR_info:
        return info((struct k_info *)a0);
    case K_NR_page_alloc:
        return page_alloc((size_t)a0, (void **)a1);
    case K_NR_page_free:
        return page_free((void *)a0, (size_t)a1);
    case K_NR_memory:
        return memory((size_t *)a0, (size_t *)a1, (size_t *)a2);
    case K_NR_count:
        return count((const char *)a0, (uint64_t)a1);
    case K_NR_copy:
        b_copy_pieces((const struct b_piece *)a0, (int)a1);
        return 0;
    case K_NR_time:
        return time_cycles();
    case K_NR_trace:
        return 0;
    case K_NR_bell_init:
        return bell_init((struct k_bell *)a0);
    case K_NR_relax:
        return kernel.others && kernel.others();
    case K_NR_board:
        return board((int)a0, a1, a2, a3, a4);
    case K_NR_abort:
        end_of_job((const char *)a1);
    default:
        fprintf(stderr, "kernel call %d: ", number);
        fake_failed(__FILE__, __LINE__, "the fake kernel has this call");
    }
}

int k_bell_ring(struct k_bell *b, uint32_t bits)
{
    CHECK(bits && atomic_load(&b->thread));
    b->rung |= bits;
    return 0;
}

void *k_cluster_local(void)
{
    return kernel.local[kernel.here];
}

void k_cluster_local_set(void *p)
{
    kernel.local[kernel.here] = p;
}

void k_thread_local_set(void *p)
{
    (void)p;
}

void *k_thread_local_asked(void)
{
    return NULL;
}

/* There is one thread: while a rank waits, others take steps; if they cannot, it waits for ever. */
_Thread_local void **b_here;

void fake_when_waiting(bool (*others)(void))
{
    kernel.others = others;
}

static void waits(void)
{
    if (!kernel.others || !kernel.others())
        fake_failed(__FILE__, __LINE__, "somebody would wake a rank that waits");
}

int k_bell_wait(struct k_bell *b, uint64_t timeout)
{
    (void)timeout;
    while (!b->rung)
        waits();
    return 0;
}

int k_crowd_wait(struct k_crowd *c, struct k_bell *b)
{
    (void)c, (void)b;
    waits();
    return 0;
}

void k_thread_pass(void)
{
    waits();
}

void k_thread_yield(void)
{
    waits();
}

int k_thread_return(int value)
{
    return value;
}
