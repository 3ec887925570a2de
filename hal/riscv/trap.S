/* SPDX-License-Identifier: MIT */
/* Traps. In the kernel mscratch holds the stack of the hart for traps, in user mode the gate of the
 * context that runs, which lies at the top of that context's stack in the kernel and says where its
 * registers go. */
#include "frame.h"
#include "layout.h"

        .macro  right csr, value
        li      t0, \value
        csrw    \csr, t0
        .endm

        .macro  rights upper
    #if RV_WORD == 8
        right   pmpcfg2, \upper
    #else
        right   pmpcfg2, \upper & 0xffffffff
        right   pmpcfg3, \upper >> 32
    #endif
        .endm

        .macro  each, integer, float, base
        .irp    n, 1, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        \integer x\n, RV_WORD * \n(\base)
        .endr
        .irp    n, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \integer x\n, RV_WORD * \n(\base)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
        \float  f\n, RV_FRAME_FLOAT + RV_FLOAT * \n(\base)
        .endr
        .irp    n, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \float  f\n, RV_FRAME_FLOAT + RV_FLOAT * \n(\base)
        .endr
        .endm

        .text
        .p2align 2
        .globl  rv_trap_entry
        .hidden rv_trap_entry
rv_trap_entry:
        csrrw   sp, mscratch, sp
        beqz    sp, 1f
/* The kernel's own fault ends the machine: nothing is saved but what is reported. The stack is the
 * hart's own for traps, as the other one may be what is broken; a trap inside a trap finds none
 * and ends at once. */
        csrr    a0, mcause
        csrr    a1, mepc
        csrr    a2, mtval
        csrrw   a3, mscratch, zero
        call    rv_trap
1:      li      t0, RV_FINISHER
        li      t1, RV_STATUS_OF_FAULT << 16 | 0x3333
        sw      t1, 0(t0)
2:      wfi
        j       2b

/* Where a hart enters once it has been in user mode (hal_user_run): from there, or by a fault of
 * the kernel's. Of user mode everything is saved, also what a call may change, as a tick may come
 * anywhere. Until the rights are the kernel's, the unlocked registers bind nobody here. */
        .section .text.rv_user_entry, "ax", @progbits
        .p2align 2
        .globl  rv_user_entry
        .hidden rv_user_entry
rv_user_entry:
        csrrw   sp, mscratch, sp
        beqz    sp, 1f
        store   t0, RV_GATE_SCRATCH(sp)
        csrr    t0, mstatus
        srli    t0, t0, 11
        andi    t0, t0, 3
        beqz    t0, 2f
1:      csrrw   sp, mscratch, sp
        tail    rv_trap_entry
2:      load    t0, RV_GATE_FRAME(sp)
        store   t1, 6 * RV_WORD(t0)
        each    store, store_float, t0
        mv      t1, t0
        load    t0, RV_GATE_SCRATCH(sp)
        store   t0, 5 * RV_WORD(t1)
        csrr    t0, mscratch
        store   t0, 2 * RV_WORD(t1)
        csrr    t0, mepc
        store   t0, 0(t1)
        store_control RV_FRAME_FCSR(t1)
        load    t0, RV_GATE_TRAPS(sp)
        csrw    mscratch, t0
        load    tp, RV_GATE_TP(sp)
        load    t0, RV_GATE_GUARD(sp)
        csrw    pmpaddr0, t0
        rights  RV_RIGHTS_KERNEL
        li      t0, RV_MPRV
        csrs    mstatus, t0
        mv      a0, sp
        csrr    a1, mcause
        csrr    a2, mtval
        li      s0, 0
        call    rv_user_trap
        mv      a0, sp

/* _Noreturn void rv_user_resume(struct rv_gate *gate): on the stack below the gate. */
        .globl  rv_user_resume
        .hidden rv_user_resume
rv_user_resume:
        mv      sp, a0
        li      t0, RV_MPRV
        csrc    mstatus, t0
        load    t0, RV_GATE_USER_GUARD(sp)
        csrw    pmpaddr0, t0
        rights  RV_RIGHTS_USER
        csrw    mscratch, sp
        load    t1, RV_GATE_FRAME(sp)
        load    t0, 0(t1)
        csrw    mepc, t0
        load_control RV_FRAME_FCSR(t1)
        each    load, load_float, t1
        load    sp, 2 * RV_WORD(t1)
        load    t0, 5 * RV_WORD(t1)
        load    t1, 6 * RV_WORD(t1)
        mret

        .section .note.GNU-stack, "", @progbits
