/* SPDX-License-Identifier: MIT */
/* To change first: the first instruction. This is the one of QEMU's RISC-V `virt`: all processors
 * begin here; one goes on to the program, the others wait for hal_core_start. The first core of
 * each cluster calls port_main, once the machine is that of the tests (machine.c).
 *
 * Before the first C function: floating point is on; there is a stack; the thread pointer names the
 * core's storage as the processor's ABI has it (on AArch64 the variables begin 16 bytes behind it),
 * with a copy of .tdata in it and the rest zero. Where memory cannot be cached before the MMU is
 * on (AArch64), it is on: else accesses that are not aligned fault, and atomic ones may do
 * anything. */
        .section .reset, "ax"
        .globl  reset
reset:
        csrr    t0, mhartid
        bnez    t0, 1f
        lla     sp, boot_stack
        lla     tp, boot_storage
        li      t0, 0x2000              /* floating point is on */
        csrs    mstatus, t0
        call    port_main
1:      wfi
        j       1b

        .section .note.GNU-stack, "", @progbits
