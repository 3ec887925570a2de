/* SPDX-License-Identifier: MIT */
/* The cage: what the system itself does wrong is stopped by the hart, named, and ends the machine.
 * Each case is one kind of wrong; cluster 1 does it on its core 2, the others wait. */
#include "../contract.h"

#include <hal/context.h>
#include <hal/mem.h>

#include "../../riscv/layout.h"

static void (*wrong)(void);

static void entry(void *arg)
{
    (void)arg;
    wrong();
    fprintf(stderr, "nothing stopped it\n");
    exit(0);
}

static void does(void (*what)(void))
{
    wrong = what;
    if (hal_cluster() == 1)
        CHECK_EQ(hal_core_start(2, entry, NULL), 0);
    for (;;)
        hal_event_wait(HAL_NEVER);
}

static void store(uintptr_t address)
{
    *(volatile uint32_t *)address = 1;
}

static uint32_t load(uintptr_t address)
{
    return *(volatile uint32_t *)address;
}

static void writes_left(void)
{
    store(RV_CAGES + RV_CAGE_BYTES - 4); /* the last word of cluster 0 */
}

static void writes_right(void)
{
    store(RV_CAGES + 2 * RV_CAGE_BYTES); /* the first word of cluster 2 */
}

static void reads_other(void)
{
    load(RV_CAGES + 2 * RV_CAGE_BYTES + 64);
}

static void writes_image(void)
{
    store(RV_BOOT);
}

static void writes_machine(void)
{
    store(RV_BOARD + 8);
}

static void writes_null(void)
{
    uintptr_t null = 0;
    __asm__("" : "+r"(null)); /* the compiler knows what it is */
    store(null);
}

static void writes_text(void)
{
    store(RV_CAGES + RV_CAGE_BYTES);
}

static void jumps(void)
{
    uintptr_t address = RV_CAGES;
    void (*there)(void);
    memcpy(&there, &address, sizeof there);
    there();
}

static void executes_nothing(void)
{
    __asm__ volatile(".long 0");
}

static void falls(void)
{
    for (uintptr_t page = 1; page < 8; page++) /* its own guard is below */
        store((uintptr_t)__builtin_frame_address(0) - page * RV_PAGE);
}

/* Of the two stacks in a page, which is the guard's for one of them. */
static void write_below(void *stack)
{
    store((uintptr_t)stack - 8);
}

static void fall_in_half(bool upper)
{
    static struct hal_context here, there;
    void *stack;
    size_t size;
    do {
        CHECK_EQ(hal_stack_alloc(1000, &stack, &size), 0);
    } while (((uintptr_t)stack % RV_PAGE != 0) != upper);
    hal_context_init(&there, stack, size, write_below, stack);
    hal_context_switch(&here, &there);
}

static void falls_in_lower(void)
{
    fall_in_half(false);
}

static void falls_in_upper(void)
{
    fall_in_half(true);
}

/* A boot function for each, and what the console must show: who, what, and the address. */
#define CASE(name, text)                                                                           \
    static void boot_##name(void *arg)                                                             \
    {                                                                                              \
        (void)arg;                                                                                 \
        does(name);                                                                                \
    }                                                                                              \
    static bool tells_##name(const char *console)                                                  \
    {                                                                                              \
        return contract_has(console, "cluster 1 core 2: " text);                                   \
    }
#define ENTRY(name)                                                                                \
    {                                                                                              \
        .boot = boot_##name, .status = RV_STATUS_OF_FAULT, .good = tells_##name                    \
    }

CASE(writes_left, "store where it may not: cause 7")
CASE(writes_right, "store where it may not: cause 7")
CASE(reads_other, "load where it may not: cause 5")
CASE(writes_image, "store where it may not: cause 7")
CASE(writes_machine, "store where it may not: cause 7")
CASE(writes_null, "store where it may not: cause 7")
CASE(writes_text, "store where it may not: cause 7")
CASE(jumps, "jump to where it may not: cause 1")
CASE(executes_nothing, "illegal instruction: cause 2")
CASE(falls, "stack overflow: cause 7")
CASE(falls_in_lower, "stack overflow: cause 7")
CASE(falls_in_upper, "stack overflow: cause 7")

CONTRACT(ENTRY(writes_left), ENTRY(writes_right), ENTRY(reads_other), ENTRY(writes_image),
         ENTRY(writes_machine), ENTRY(writes_null), ENTRY(writes_text), ENTRY(jumps),
         ENTRY(executes_nothing), ENTRY(falls), ENTRY(falls_in_lower), ENTRY(falls_in_upper));
