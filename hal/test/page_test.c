/* SPDX-License-Identifier: MIT */
/* hal/page.h: what is reserved faults, what is mapped does not, and the context that faulted goes
 * on as if nothing had happened, whatever ran meanwhile. */
#include "contract.h"

#include <errno.h>

#include <hal/context.h>
#include <hal/machine.h>
#include <hal/mem.h>
#include <hal/page.h>

enum { PAGES = 4, CLUSTERS = 8 };

/* Of each cluster (on linux each has its own copy). */
static struct world {
    char *range, *frame[PAGES];
    volatile int faults, writes, other; /* change where the compiler sees no call */
    struct hal_context main, side;
    bool side_runs;
} worlds[CLUSTERS];

static struct world *world(void)
{
    return &worlds[hal_cluster()];
}

static bool handler(void *address, bool write)
{
    struct world *w = world();
    size_t page = (size_t)((char *)address - w->range) / hal_page_size();
    CHECK(page < PAGES);
    w->faults++;
    w->writes += write;
    if (w->side_runs)
        hal_context_switch(&w->main, &w->side); /* others run while the page is brought */
    CHECK_EQ(hal_page_map(w->range + page * hal_page_size(), w->frame[page],
                          write ? HAL_PAGE_WRITE : HAL_PAGE_READ),
             0);
    return true;
}

static void prepare(struct world *w)
{
    size_t page = hal_page_size(), size;
    void *window;
    hal_mem_window(&window, &size);
    CHECK(size >= 16 * page);
    for (int i = 0; i < PAGES; i++) {
        w->frame[i] = (char *)window + (size_t)(3 * i + 2) * page;
        memset(w->frame[i], 'a' + i, page);
    }
    void *range;
    CHECK_EQ(hal_page_reserve(PAGES * page, &range), 0);
    CHECK_EQ((uintptr_t)range % page, 0);
    w->range = range;
    hal_page_handler(handler);
}

static void test_access(struct world *w)
{
    size_t page = hal_page_size();
    volatile char *p = w->range;
    w->faults = w->writes = 0;
    CHECK_EQ(p[5], 'a');
    CHECK_EQ(p[page - 1], 'a');
    CHECK_EQ(w->faults, 1);
    CHECK_EQ(w->writes, 0);
    p[7] = 'x';
    CHECK(w->faults == 2 && w->writes == 1);
    CHECK_EQ(w->frame[0][7], 'x');
    w->frame[0][8] = 'y';
    CHECK_EQ(p[8], 'y');
    p[page] = 'z'; /* a write at once */
    CHECK(w->faults == 3 && w->writes == 2 && w->frame[1][0] == 'z');
    CHECK_EQ(hal_page_map(w->range, NULL, HAL_PAGE_NONE), 0);
    CHECK_EQ(w->frame[0][7], 'x'); /* the frame is as it was */
    CHECK_EQ(p[7], 'x');
    CHECK_EQ(w->faults, 4);
    CHECK_EQ(hal_page_map(w->range, w->frame[2], HAL_PAGE_READ), 0); /* replaced */
    CHECK_EQ(p[7], 'c');
    CHECK_EQ(w->faults, 4);
}

/* Registers of all kinds live across the fault. */
static double mix(volatile char *p, double a, double b, long c)
{
    double s = a * b;
    long d = c * 3 + 1;
    s += p[0]; /* faults */
    return s * a + b + (double)(c + d);
}

static void test_registers(struct world *w)
{
    volatile char *p = w->range + 3 * hal_page_size();
    errno = 77;
    CHECK(mix(p, 1.5, 2.25, 1000) == (1.5 * 2.25 + 'd') * 1.5 + 2.25 + 4001.0);
    CHECK_EQ(errno, 77);
}

static void side(void *arg)
{
    struct world *w = arg;
    for (;;) {
        w->other++;
        hal_context_switch(&w->side, &w->main);
    }
}

static void test_switch(struct world *w)
{
    void *stack;
    size_t size;
    CHECK_EQ(hal_stack_alloc(0, &stack, &size), 0);
    hal_context_init(&w->side, stack, size, side, w);
    w->side_runs = true;
    for (int i = 1; i <= 10; i++) {
        CHECK_EQ(hal_page_map(w->range, NULL, HAL_PAGE_NONE), 0);
        CHECK_EQ(((volatile char *)w->range)[100], 'a');
        CHECK_EQ(w->other, i);
    }
    w->side_runs = false;
    hal_context_fini(&w->side);
    hal_stack_free(stack, size);
}

static void test_errors(struct world *w)
{
    size_t page = hal_page_size();
    char outside;
    CHECK_EQ(hal_page_map(w->range + 1, w->frame[0], HAL_PAGE_READ), -B_EINVAL);
    CHECK_EQ(hal_page_map(w->range, w->frame[0] + 1, HAL_PAGE_READ), -B_EINVAL);
    CHECK_EQ(hal_page_map(w->range, &outside, HAL_PAGE_READ), -B_EINVAL);
    CHECK_EQ(hal_page_map(w->range, NULL, HAL_PAGE_READ), -B_EINVAL);
    CHECK_EQ(hal_page_map(w->range + PAGES * page, w->frame[0], HAL_PAGE_READ), -B_EINVAL);
    CHECK_EQ(hal_page_map(w->frame[1], w->frame[0], HAL_PAGE_READ), -B_EINVAL);
    void *p;
    CHECK_EQ(hal_page_reserve(SIZE_MAX / 2 / page * page, &p), -B_ENOMEM);
    for (int i = 0; i < 5000; i++) {
        CHECK_EQ(hal_page_reserve(page, &p), 0);
        hal_page_release(p, page);
    }
}

static void boot(void *arg)
{
    (void)arg;
    if (hal_page_size() == 0) {
        void *p;
        CHECK_EQ(hal_page_reserve(4096, &p), -B_ENOSYS);
        return;
    }
    if (hal_cluster() >= CLUSTERS)
        return;
    struct world *w = world();
    *w = (struct world){.faults = 0};
    prepare(w);
    test_access(w);
    test_registers(w);
    test_switch(w);
    test_errors(w);
    hal_page_release(w->range, PAGES * hal_page_size());
}

CONTRACT({.boot = boot});
