/* SPDX-License-Identifier: MIT */
/* The processor and the devices, and what the files of this port say to each other. */
#ifndef HAL_RISCV_H
#define HAL_RISCV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/mem.h>
#include <hal/virt.h>

#include "../cpu/riscv/width.h"
#include "layout.h"
#include "noc.h"

#define RV_READ(csr)                                                                               \
    ({                                                                                             \
        uintptr_t value_;                                                                          \
        __asm__ volatile("csrr %0, " #csr : "=r"(value_)::"memory");                               \
        value_;                                                                                    \
    })
#define RV_WRITE(csr, value)                                                                       \
    __asm__ volatile("csrw " #csr ", %0" ::"r"((uintptr_t)(value)) : "memory")
#define RV_SET(csr, value)                                                                         \
    __asm__ volatile("csrs " #csr ", %0" ::"r"((uintptr_t)(value)) : "memory")

#define RV_MIE_SOFTWARE     (UINT64_C(1) << 3)
#define RV_MIE_TIMER        (UINT64_C(1) << 7)
#define RV_MIE_DEVICE       (UINT64_C(1) << 11)
#define RV_CAUSE_LOAD       5
#define RV_CAUSE_STORE      7
#define RV_TICKS_PER_SECOND UINT64_C(10000000) /* of `time`, on `virt` */

/* Devices. All accesses to devices and memory before happen before, those after after. */
#define RV_ORDER() __asm__ volatile("fence iorw, iorw" ::: "memory")
static inline volatile uint32_t *rv_msip(int hart)
{
    return (volatile uint32_t *)(uintptr_t)(RV_CLINT + 4 * (unsigned)hart);
}

/* Ticks since the machine started, and when the timer of a hart shall interrupt it. A processor of
 * 32 bits has them in two halves: of the first the upper one may change between, of the second no
 * moment in between may be earlier than the new one. */
static inline uint64_t rv_time(void)
{
#if RV_WORD == 8
    return RV_READ(time);
#else
    uint32_t high, low;
    do {
        high = RV_READ(timeh);
        low = RV_READ(time);
    } while (RV_READ(timeh) != high);
    return (uint64_t)high << 32 | low;
#endif
}

static inline void rv_timer(int hart, uint64_t ticks)
{
    uintptr_t at = RV_CLINT + 0x4000 + 8 * (uintptr_t)hart;
#if RV_WORD == 8
    *(volatile uint64_t *)at = ticks;
#else
    volatile uint32_t *half = (volatile uint32_t *)at;
    half[1] = UINT32_MAX;
    half[0] = (uint32_t)ticks;
    half[1] = (uint32_t)(ticks >> 32);
#endif
}

/* What stands in memory beside the image when the machine starts: written by who starts QEMU. */
#define RV_BOARD_MAGIC UINT64_C(0x3130647261626f77)
_Static_assert(HAL_VIRT_CAGES == RV_CAGES && HAL_VIRT_CAGE_BYTES == RV_CAGE_BYTES,
               "who runs the machine knows which cluster an address is of");
_Static_assert(HAL_VIRT_BYTES == RV_BOARD_BYTES, "the cage lets the whole description be read");
static inline const struct hal_virt *rv_board(void)
{
    return (const struct hal_virt *)RV_BOARD;
}

/* Cluster and core of a hart, and the hart of a core. Harts are numbered by cluster, then core; the
 * one after the last is the network's engine (engine.c). */
int rv_hart(int cluster, int core);
int rv_harts(void);

static inline uintptr_t rv_cage(int cluster)
{
    return RV_CAGES + (uintptr_t)cluster * RV_CAGE_BYTES;
}

/* The calling hart; valid once it has arrived in its cluster's copy. */
static inline int rv_self(void)
{
    return (int)RV_READ(mhartid);
}

/* This cluster; constant once booted. */
extern int rv_cluster;

/* In what a hart may do without end while it waits for others: QEMU may run all harts on one
 * thread, and one that never sleeps keeps its turn there, for up to 0.1 s. */
extern _Thread_local unsigned rv_turns_left;
static inline void rv_turn(void)
{
    enum { TIMES = 64 };
    if (rv_turns_left-- == 0) {
        rv_turns_left = TIMES - 1;
        rv_yield();
    }
}

/* The clock, without a turn for others, which would take an interrupt away that comes meanwhile. */
uint64_t rv_cycles(void);

/* The calling hart stops for ever. It counts no more among those that may do something. */
_Noreturn void rv_park(void);

/* Event of one hart, and of a cluster's network interface. From anywhere. */
void rv_raise(int hart);
void rv_raise_noc(int cluster);

/* Of the harts that may still do something by themselves there is one more or one less; the last
 * one to go looks whether anything can happen any more. */
void rv_awake_more(void);
void rv_awake_less(void);

/* hal_virt_host of user mode: what it points to is checked. */
long rv_user_host(long operation, const long *arguments);

/* What a trap was, for a line on the console; `guard` as in pmpaddr0. */
void rv_describe(char *text, size_t size, uintptr_t cause, uintptr_t pc, uintptr_t address,
                 uintptr_t sp, uintptr_t guard);

/* The value of pmpaddr0 that makes so many bytes, a power of two, below a stack its guard, on the
 * calling hart. */
uintptr_t rv_guard(const void *stack, size_t bytes);

/* How many bytes below a stack of so many are its guard: a page, or less of one that shares a page
 * with it. */
size_t rv_guard_bytes(size_t stack);

/* Locks the calling hart into its cage, with its first guard. The loader's stack is outside. */
void rv_cage_close(uintptr_t guard);

/* Bytes of the image in the calling hart's cluster, all copies of the program included, and of one
 * copy. */
size_t rv_image_bytes(int cluster);
size_t rv_program_bytes(void);

/* Where the copies of a program for user mode end, which begin where its shared data ends; that
 * place itself if there are none. */
uintptr_t rv_copies_end(void);

/* The storage of threads that the calling core uses, and another one, which takes over what is the
 * system's of it. */
static inline char *rv_storage(void)
{
    char *tp;
    __asm__ volatile("mv %0, tp" : "=r"(tp));
    return tp;
}
void rv_storage_take(char *storage);

/* What each core has for itself, one behind the other: from below, the stack on which it waits for
 * threads (of the first core it lies elsewhere, as more runs there), which is its stack for traps
 * as well, and its storage of threads. Above the last one is where cores are started, then stacks
 * and the window. How large it is, and a stack unless it is told, says the linker's script. */
uintptr_t rv_core(int core);
size_t rv_stack_bytes(void);
char *rv_core_storage(int core);

/* The first n bytes of a thread's own variables, as they are at first, and how many there are. */
void rv_tls_make(void *at, size_t n);
size_t rv_tls_bytes(void);

/* Writes texts, one behind the other, to the serial line. */
void rv_console(const struct b_piece *pieces, int n);

/* Ends QEMU with an exit code. rv_refuse: with a line on the console and 1, for who has no cage. */
_Noreturn void rv_finish(int status);
_Noreturn void rv_refuse(const char *why);

/* So that it can be told later how much of a stack was used, if that is asked for. */
void rv_paint(void *stack, size_t n);

/* Counts what the cluster, which ends, used its cage for. */
void rv_memory_count(void);

/* A hart sleeps no more, which a resting engine must know. */
void rv_woke(struct rv_hart *h);

/* The machine was asked for its report: each cluster prints its part and goes on. */
void rv_report_asked(void);

/* Nothing can ever happen any more: each cluster prints its report, then the machine ends. */
void rv_report_stuck(void);

/* A core's first and last function, on its own stack, which ends at `top`. */
_Noreturn void rv_core_begin(char *top);

/* The network's engine: a hart that lives in no cage. */
_Noreturn void rv_engine(void);

/* What runs in the image as it was loaded alone, and texts there: no cage has a copy of them. */
#define RV_OUTSIDE      __attribute__((section(".outside")))
#define RV_TEXT_OUTSIDE static const char __attribute__((section(".outside.text")))

#endif
