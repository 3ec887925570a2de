/* SPDX-License-Identifier: MIT */
/* To change first: the first instruction. This is the one of QEMU's RISC-V `virt`: all processors
 * begin here; one goes on to the program, the others wait for hal_core_start. */
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
