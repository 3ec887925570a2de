/* SPDX-License-Identifier: MIT */
/* A core arrives in its cluster's copy of the image and is locked into the cage.
 *
 * The cage is made of the hart's own protection registers (PMP). The last one, locked, denies
 * everything; those before it say what may be read, written and executed. The unlocked ones bind
 * user mode only, so the kernel lets its loads and stores be checked as if they were of user mode
 * (MPRV). Thereby it also has a guard page below each stack, which a locked register could not
 * move. Text is locked, too: QEMU 7.2 remembers what a fetch, which is of machine mode, may do to a
 * page, and would let a store do the same. */
#include "riscv.h"

#include <base/here.h>
#include <base/mem.h>
#include <hal/core.h>
#include <hal/mem.h>
#include <hal/power.h>

#define READ  1
#define WRITE 2
#define EXEC  4
#define TOR   0x08 /* from the address of the register before to its own */
#define NAPOT 0x18 /* a power of two of bytes */
#define LOCK  0x80

extern char rv_image[], rv_text_end[], rv_image_end[];
extern char rv_tls[], rv_tls_data_end[], rv_tls_end[];

void *rv_start(int hart);
extern char rv_trap_entry[];

_Thread_local int hal_here_core;
_Thread_local uint64_t hal_here_clock;
_Thread_local void **b_here;
void *hal_here_local;
int rv_cluster;

static uint64_t napot(uint64_t at, uint64_t bytes)
{
    return at >> 2 | (bytes / 8 - 1);
}

uint64_t rv_guard(const void *stack)
{
    return napot((uintptr_t)stack - RV_PAGE, RV_PAGE);
}

uintptr_t rv_core_page(int core)
{
    return (uintptr_t)rv_image_end + (uintptr_t)core * RV_PAGE;
}

void rv_cage_close(uint64_t guard)
{
    uintptr_t cage = (uintptr_t)rv_image;
    RV_WRITE(pmpaddr0, guard);
    RV_WRITE(pmpaddr1, cage >> 2);
    RV_WRITE(pmpaddr2, (uintptr_t)rv_text_end >> 2);
    RV_WRITE(pmpaddr3, napot(cage, RV_CAGE_BYTES));
    RV_WRITE(pmpaddr4, napot(RV_NOC, RV_NOC_BYTES));
    RV_WRITE(pmpaddr5, napot(RV_CLINT, 0x10000));
    RV_WRITE(pmpaddr6, napot(RV_UART, RV_PAGE));
    RV_WRITE(pmpaddr7, napot(RV_FINISHER, RV_PAGE));
    RV_WRITE(pmpaddr8, napot(RV_BOARD, RV_PAGE));
    RV_WRITE(pmpaddr15, UINT64_MAX >> 10);
    const uint8_t low[8] = {NAPOT,
                            0,
                            LOCK | TOR | READ | EXEC,
                            NAPOT | READ | WRITE,
                            NAPOT | READ | WRITE,
                            NAPOT | READ | WRITE,
                            NAPOT | READ | WRITE,
                            NAPOT | READ | WRITE};
    const uint8_t high[8] = {NAPOT | READ, 0, 0, 0, 0, 0, 0, NAPOT | LOCK};
    uint64_t cfg[2];
    memcpy(&cfg[0], low, sizeof low);
    memcpy(&cfg[1], high, sizeof high);
    RV_WRITE(pmpcfg0, cfg[0]);
    RV_WRITE(pmpcfg2, cfg[1]);
}

/* On the stack of the loader. Returns the top of the core's own. */
void *rv_start(int hart)
{
    int cluster = (int)(((uintptr_t)rv_image - RV_CAGES) / RV_CAGE_BYTES);
    int core = hart - rv_hart(cluster, 0);
    rv_cluster = cluster; /* each core writes the same */
    char *page = (char *)rv_core_page(core);
    memcpy(page, rv_tls, (size_t)(rv_tls_data_end - rv_tls));
    __asm__ volatile("mv tp, %0" ::"r"(page) : "memory");
    RV_WRITE(mscratch, page + RV_PAGE);
    *rv_mtimecmp(hart) = UINT64_MAX;
    RV_WRITE(mie, RV_MIE_SOFTWARE | RV_MIE_TIMER);
    hal_here_core = core;
    void *stack;
    size_t size;
    if (hal_stack_alloc(RV_CORE_STACK, &stack, &size) != 0) {
        hal_abort(1, "no memory for the stack of a core");
    }
    return (char *)stack + size;
}
