/* SPDX-License-Identifier: MIT */
/* Reset. All harts begin at the same time here, in the image as it was loaded, and leave
 * it for the copy of their cluster. */
#include "layout.h"

        .section .reset, "ax"
        .globl  rv_reset
        .type   rv_reset, @function
rv_reset:
        j       1f
        .balign 16
#ifdef __LP64__                        /* HAL_VIRT_RV64 or 32, at HAL_VIRT_MAGIC_AT */
        .asciz  "lwmpi-rv64-virt"
#else
        .asciz  "lwmpi-rv32-virt"
#endif
1:      csrr    a0, mhartid
        li      sp, RV_STACKS + RV_STACK_STEP
        li      t0, RV_STACK_STEP
        mul     t0, t0, a0
        add     sp, sp, t0
        li      tp, 0
        call    rv_load                 /* the address of its cluster's copy, or not at all */
        lla     t0, rv_reset
        lla     t1, rv_arrive
        sub     t1, t1, t0
        add     t1, t1, a0
        fence.i
        jr      t1
rv_arrive:
        lla     t0, rv_trap_entry
        csrw    mtvec, t0
        li      t0, 0x2000              /* floating point is on */
        csrs    mstatus, t0
        csrr    a0, mhartid
        call    rv_start                /* sets tp and mscratch; returns the stack of the core */
        mv      sp, a0
        li      s0, 0
        call    rv_core_begin
        ebreak

        .section .note.GNU-stack, "", @progbits
