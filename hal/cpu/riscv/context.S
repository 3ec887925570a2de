/* SPDX-License-Identifier: MIT */
/* The context switch of RISC-V. A suspended context is its stack pointer; from there upwards lie
 * the address to resume at, s0..s11, fcsr, fs0..fs11 (208 bytes of RV64 with floating point). It
 * leaves by `ret`, as on x86-64, for the sake of predicted returns. */
#include "width.h"

#define CONTROL (13 * RV_WORD)
#define FLOATS  (14 * RV_WORD)
#define BYTES   (((FLOATS + 12 * RV_FLOAT) + 15) & ~15)

        .text

/* struct hal_context *hal_cpu_switch(struct hal_context *from, struct hal_context *to)
 * Returns, on the side of `to`, the context that was left: a0 is not touched. */
        .globl  hal_cpu_switch
        .hidden hal_cpu_switch
        .type   hal_cpu_switch, @function
        .weak   hal_context_switch
        .hidden hal_context_switch
        .type   hal_context_switch, @function
        .p2align 2
hal_context_switch:
hal_cpu_switch:
        addi    sp, sp, -BYTES
        store   ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        store   s\n, RV_WORD + RV_WORD * \n(sp)
        store_float fs\n, FLOATS + RV_FLOAT * \n(sp)
        .endr
        store_control CONTROL(sp)
        store   sp, 0(a0)
        load    sp, 0(a1)
        load    ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        load    s\n, RV_WORD + RV_WORD * \n(sp)
        load_float fs\n, FLOATS + RV_FLOAT * \n(sp)
        .endr
        load_control CONTROL(sp)
        addi    sp, sp, BYTES
        ret
        .size   hal_cpu_switch, . - hal_cpu_switch

/* int hal_context_return(int value): as any function returns. */
        .globl  hal_context_return
        .hidden hal_context_return
        .type   hal_context_return, @function
        .p2align 2
hal_context_return:
        ret
        .size   hal_context_return, . - hal_context_return

/* Where a new context starts: a0 = the context left, s1 = the function, s2 = its argument. */
        .globl  hal_cpu_start
        .hidden hal_cpu_start
        .type   hal_cpu_start, @function
        .p2align 2
hal_cpu_start:
        .cfi_startproc
        .cfi_undefined ra
        mv      a1, s2
        jalr    s1
        ebreak
        .cfi_endproc
        .size   hal_cpu_start, . - hal_cpu_start

        .section .note.GNU-stack, "", @progbits
