/* SPDX-License-Identifier: MIT */
/* A core arrives in its cluster's copy of the image and is locked into the cage.
 *
 * The cage is made of the hart's own protection registers (PMP). The last one, locked, denies
 * everything; those before it say what may be read, written and executed. The unlocked ones bind
 * user mode only, so the kernel lets its loads and stores be checked as if they were of user mode
 * (MPRV); a program in user mode meets the same registers with fewer rights in them (trap.S). The
 * kernel thereby also has a guard page below each stack, which a locked register could not move.
 * Text is locked, too: QEMU 7.2 remembers what a fetch, which is of machine mode, may do to a page,
 * and would let a store do the same. What is locked binds all, so that the kernel's text is denied
 * to user mode by a register before.
 *
 *   0      the guard below the stack that runs
 *   1, 2   page frames
 *   3, 4   data of the program in the image          5  copies of the program
 *   6      the machine's description
 *   7, 8   kernel text: denies it to user mode
 *   9, 10  all text, locked: read and execute
 *   11     all the rest, which is the kernel's: data, stacks, pools
 *   12..14 network; finisher and interrupts; serial line
 *
 * A register that is the end of one range is not always the beginning of the next one: 1, 3, 7 and
 * 9 have no rights of their own. What differs between the two modes lies in 8 to 14, so that on
 * RV64 one register of rights is written on the way in and one on the way out: at each, QEMU
 * forgets all that it has translated for the hart. */
#include "riscv.h"

#include <base/here.h>
#include <base/mem.h>
#include <hal/core.h>
#include <hal/mem.h>
#include <hal/power.h>

extern char rv_image[], rv_user_text[], rv_text_end[], rv_user_data[], rv_user_data_end[];
#define LINE 64 /* to a multiple of which storage of threads is aligned */

extern char rv_tls[], rv_tls_data_end[], rv_tls_end[], rv_tls_core_end[];
extern char rv_core_size[], rv_core_size_end[], rv_stack_size[], rv_stack_size_end[];

void *rv_start(int hart);
extern char rv_trap_entry[];

_Thread_local int hal_here_core;
_Thread_local uint64_t hal_here_clock;
_Thread_local void **b_here;
void *hal_here_local;
int rv_cluster;

static uintptr_t napot(uintptr_t at, uintptr_t bytes)
{
    return at >> 2 | (bytes / 8 - 1);
}

uintptr_t rv_guard(const void *stack, size_t bytes)
{
    return napot((uintptr_t)stack - bytes, bytes);
}

/* The kernel's own functions have small frames, and its stacks are many in user mode. */
size_t rv_guard_bytes(size_t stack)
{
    const size_t small = RV_PAGE / 16;
    return stack <= RV_PAGE - small ? small : RV_PAGE;
}

size_t rv_stack_bytes(void)
{
    return (size_t)(rv_stack_size_end - rv_stack_size);
}

uintptr_t rv_core(int core)
{
    size_t bytes = (size_t)(rv_core_size_end - rv_core_size);
    return (uintptr_t)rv_image + rv_image_bytes(rv_cluster) + (size_t)core * bytes;
}

char *rv_core_storage(int core)
{
    size_t bytes = (size_t)(rv_tls_core_end - rv_tls);
    return (char *)rv_core(core + 1) - (bytes + LINE - 1) / LINE * LINE;
}

void rv_cage_close(uintptr_t guard)
{
    uintptr_t cage = (uintptr_t)rv_image;
    RV_WRITE(pmpaddr0, guard);
    RV_WRITE(pmpaddr1, (cage + RV_CAGE_BYTES) >> 2); /* no page frames yet: user.c */
    RV_WRITE(pmpaddr2, (cage + RV_CAGE_BYTES) >> 2);
    RV_WRITE(pmpaddr3, (uintptr_t)rv_user_data >> 2);
    RV_WRITE(pmpaddr4, (uintptr_t)rv_user_data_end >> 2);
    RV_WRITE(pmpaddr5, rv_copies_end() >> 2);
    RV_WRITE(pmpaddr6, napot(RV_BOARD, RV_BOARD_BYTES));
    RV_WRITE(pmpaddr7, cage >> 2);
    RV_WRITE(pmpaddr8, (uintptr_t)rv_user_text >> 2);
    RV_WRITE(pmpaddr9, cage >> 2);
    RV_WRITE(pmpaddr10, (uintptr_t)rv_text_end >> 2);
    RV_WRITE(pmpaddr11, (cage + RV_CAGE_BYTES) >> 2);
    RV_WRITE(pmpaddr12, napot(RV_NOC, RV_NOC_BYTES));
    RV_WRITE(pmpaddr13, napot(RV_CONTROL, RV_CONTROL_BYTES));
    RV_WRITE(pmpaddr14, napot(RV_UART, RV_PAGE));
    RV_WRITE(pmpaddr15, UINTPTR_MAX);
#if RV_WORD == 8
    RV_WRITE(pmpcfg0, RV_RIGHTS_LOW);
    RV_WRITE(pmpcfg2, RV_RIGHTS_KERNEL);
#else
    RV_WRITE(pmpcfg0, RV_RIGHTS_LOW & UINT32_MAX);
    RV_WRITE(pmpcfg1, RV_RIGHTS_LOW >> 32);
    RV_WRITE(pmpcfg2, RV_RIGHTS_KERNEL & UINT32_MAX);
    RV_WRITE(pmpcfg3, RV_RIGHTS_KERNEL >> 32);
#endif
}

size_t rv_tls_bytes(void)
{
    return (size_t)(rv_tls_end - rv_tls);
}

void rv_tls_make(void *at, size_t n)
{
    size_t data = (size_t)(rv_tls_data_end - rv_tls);
    data = data < n ? data : n;
    memcpy(at, rv_tls, data);
    memset((char *)at + data, 0, n - data);
}

/* On the stack of the loader. Returns the top of the core's own. */
void *rv_start(int hart)
{
    int cluster = (int)(((uintptr_t)rv_image - RV_CAGES) / RV_CAGE_BYTES);
    int core = hart - rv_hart(cluster, 0);
    rv_cluster = cluster; /* each core writes the same */
    char *storage = rv_core_storage(core), *own = (char *)rv_core(core);
    rv_tls_make(storage, (size_t)(rv_tls_core_end - rv_tls));
    __asm__ volatile("mv tp, %0" ::"r"(storage) : "memory");
    RV_WRITE(mscratch, storage - RV_TRAP_BYTES);
    rv_timer(hart, UINT64_MAX);
    RV_WRITE(mie, RV_MIE_SOFTWARE | RV_MIE_TIMER);
    hal_here_core = core;
    if (core != 0) {
        rv_paint(own, (size_t)(storage - own));
        return storage;
    }
    void *stack;
    size_t size;
    if (hal_stack_alloc(0, &stack, &size) != 0)
        hal_abort(1, "no memory for the stack of the first core");
    return (char *)stack + size;
}
