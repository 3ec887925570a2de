/* SPDX-License-Identifier: MIT */
/* What depends on how wide the processor's registers are, and on whether it has those for floating
 * point; and what code for the processor wants of its port. For C and assembly. */
#ifndef HAL_CPU_RISCV_WIDTH_H
#define HAL_CPU_RISCV_WIDTH_H

#ifdef __LP64__
#define RV_WORD 8
#else
#define RV_WORD 4
#endif

#ifdef __riscv_flen
#define RV_FLOAT 8 /* bytes that are kept of a register */
#else
#define RV_FLOAT 0
#endif

#ifdef __ASSEMBLER__
/* A register to and from memory. */
#if RV_WORD == 8
#define store sd
#define load  ld
#else
#define store sw
#define load  lw
#endif

/* The same for one of floating point, and for what controls rounding and exceptions, by t0; nothing
 * where there are none. */
.macro  store_float register, place:vararg
#if RV_FLOAT > 0
        fsd     \register, \place
#endif
        .endm
        .macro  load_float register, place:vararg
#if RV_FLOAT > 0
        fld     \register, \place
#endif
        .endm
        .macro  store_control place:vararg
#if RV_FLOAT > 0
        frcsr   t0
        store   t0, \place
#endif
        .endm
        .macro  load_control place:vararg
#if RV_FLOAT > 0
        load    t0, \place
        fscsr   t0
#endif
        .endm
#else
/* The port's: lets other harts run for a while, inside a loop that waits. Where QEMU runs all harts
 * on one thread, a hart that only loops keeps the others waiting for 100 ms. From any context. */
void rv_yield(void);
#endif

#endif
