/* SPDX-License-Identifier: MIT */
/* hal/context.h on a machine: contexts on several cores at once, waiting inside a context, and what
 * happens at the end of a stack (hal/mem.h). The switch by itself:
 * hosted/switch_test.c. */
#include "contract.h"

#include <hal/context.h>
#include <hal/mem.h>

#define CORES  4
#define ROUNDS 500

struct pair {
    struct hal_context home, other;
    int core, turns;
    _Atomic int done;
};

static struct pair pairs[8][CORES];

static void other(void *arg)
{
    struct pair *p = arg;
    char text[32];
    for (;;) {
        CHECK_EQ(hal_core(), p->core);
        p->turns++;
        /* Aligned vector stores, and stack in use across the switch. */
        snprintf(text, sizeof text, "%.1f", p->turns + 0.5);
        if (p->turns % 50 == 0)
            hal_event_wait(contract_after(1000)); /* waits on this stack */
        hal_context_switch(&p->other, &p->home);
        CHECK(atof(text) == p->turns + 0.5);
    }
}

static void switches(struct pair *p)
{
    void *stack;
    size_t size;
    p->core = hal_core();
    CHECK_EQ(hal_stack_alloc(0, &stack, &size), 0);
    hal_context_init(&p->other, stack, size, other, p);
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_EQ(p->turns, i);
        hal_context_switch(&p->home, &p->other);
    }
    CHECK_EQ(p->turns, ROUNDS);
    hal_context_fini(&p->other);
    hal_stack_free(stack, size);
}

static void entry(void *arg)
{
    struct pair *p = arg;
    switches(p);
    atomic_store(&p->done, 1);
    hal_event_notify(0);
}

static void boot(void *arg)
{
    (void)arg;
    struct pair *mine = pairs[hal_cluster()];
    for (int core = 1; core < CORES; core++)
        CHECK_EQ(hal_core_start(core, entry, &mine[core]), 0);
    switches(&mine[0]);
    for (int core = 1; core < CORES; core++)
        UNTIL(atomic_load(&mine[core].done));
}

static int depth(int n)
{
    volatile char page[1000];
    page[0] = (char)n;
    return n < 0 ? 0 : depth(n + 1) + page[0];
}

static struct hal_context home, deep;

static void falls(void *arg)
{
    (void)arg;
    printf("%d", depth(1));
}

static void overflow(void *arg)
{
    (void)arg;
    if (hal_cluster() == 1) {
        void *stack;
        size_t size;
        CHECK_EQ(hal_stack_alloc(0, &stack, &size), 0);
        hal_context_init(&deep, stack, size, falls, NULL);
        hal_context_switch(&home, &deep);
    }
    contract_meet(); /* never, as cluster 1 is dead */
}

static bool tells_overflow(const char *text)
{
    return contract_has(text, "cluster 1 core 0: stack overflow");
}

CONTRACT({.boot = boot}, {.boot = overflow, .status = CONTRACT_FAILS, .good = tells_overflow});
