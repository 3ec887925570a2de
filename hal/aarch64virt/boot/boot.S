/* SPDX-License-Identifier: MIT */
/* The first instructions of each core, and its page tables. A core starts at the physical address
 * of its cluster's copy of the image, without the MMU, with cluster << 8 | core in x0, and goes on
 * at the address that the image is linked for, the same in all clusters. */
#include "../layout.h"

        .section .reset, "ax"
        .globl  reset
reset:  mov     x0, #0
        .globl  core_reset
core_reset:
        mov     x1, #3 << 20            /* floating point is on */
        msr     cpacr_el1, x1
        ldr     x1, =MEMORY_TYPES
        msr     mair_el1, x1
        ldr     x1, =TRANSLATION
        msr     tcr_el1, x1
        adrp    x1, gigabytes           /* relative: in the own copy */
        msr     ttbr0_el1, x1
        dsb     ish
        tlbi    vmalle1
        dsb     ish
        isb
        ldr     x1, =CONTROL
        msr     sctlr_el1, x1
        isb
        ldr     x1, =1f
        br      x1
1:      and     x1, x0, #0xff
        lsr     x0, x0, #8
        ldr     x2, =cores
        mov     x3, #CORE_BYTES
        madd    x2, x1, x3, x2          /* the core's own memory: storage, stacks */
        msr     tpidr_el0, x2
        add     x2, x2, x3
        msr     spsel, #1
        mov     sp, x2
        msr     spsel, #0
        sub     sp, x2, #TRAP_BYTES
        ldr     x2, =vectors
        msr     vbar_el1, x2
        mov     x29, #0
        mov     x30, #0
        b       core_begin

/* Where a core goes on that faults: on its other stack, with nothing to return to. */
        .text
        .balign 2048
vectors:
        .rept   16
        mrs     x0, esr_el1
        mrs     x1, elr_el1
        mrs     x2, far_el1
        b       core_fault
        .balign 128
        .endr

/* Tables as cluster 0 has them; start.c makes those of the others. All of the first two gigabytes
 * is there as it is, and from IMAGE on the memory of the cluster: two megabytes that hold the
 * image, two in pages, so that there can be guards. */
        .section .tables, "aw"
        .balign 4096
        .globl  gigabytes
gigabytes:
        .quad   0x00000000 + AS_DEVICE
        .quad   0x40000000 + AS_MEMORY
        .quad   CLUSTERS_AT + (megabytes - IMAGE) + AS_TABLE
        .balign 4096
megabytes:
        .quad   CLUSTERS_AT + AS_MEMORY
        .quad   CLUSTERS_AT + (pages - IMAGE) + AS_TABLE
        .balign 4096
        .globl  pages
pages:
        .set    i, 0
        .rept   512
        .quad   CLUSTERS_AT + 0x200000 + i * 4096 + AS_PAGE
        .set    i, i + 1
        .endr
        .globl  tables_end
tables_end:
        .section .note.GNU-stack, "", @progbits
